#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What queue rules and the layer rule `flex` bring at the same buffer space per port, as CSV and SVG beside this script:
#
#	experiments/lanes/run.sh [-e ENGINE,...] [-q SCHEME,...] [-p PATTERN] [-l LOADS] [-s SEEDS] [-o DIR] [SHAPE...]
#
#	-e, -q, -p, -l, -s   these engines, schemes, pattern, loads, seeds only; with -l curves alone
#	-o                   files go into DIR, and nothing is drawn
#
# SHAPE is dragonfly-72, dragonfly-342, torus-64 or kns-64. A scheme is a queue rule with its number of queues, or
# `flex`. A port has room for 32 packets, which its VLs share alike:
#
#	fabric   as many VLs as the tables have anywhere
#	link     as many VLs as flows between hosts use on links of that kind (hosts', local, global)
#
# Whole packets only: 3 VLs have 10 each. Curves over all loads have the first division and no VOQs. Full load is run again
# with longer windows, then also with the second division, and with VOQs. All runs have run.measure=auto: the window is
# extended until it is steady, or the next one would end after run.longest; then the column `steady` is 0.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
port=32
schemes=single:1,dbbm:2,dbbm:4,bbq:2,bbq:4,xordet:2,xordet:4,iodet:2,iodet:4,voqsw:2,voqsw:4,flex
engines=
pattern=
loads=
seeds=
into=

# shape, fabric, engines, permutation or the like, loads, seeds, run.longest of curves and of full load
shapes='
dragonfly-72   dragonfly:a=4,p=2,h=2  dla,d3r  adversarial        0.1:1.0:0.1  1..5  1.6ms  8ms
dragonfly-342  dragonfly:a=6,p=3,h=3  dla,d3r  adversarial        0.2:1.0:0.2  1..3  800us  4ms
torus-64       torus:8x8              hdor     tornado:dims=8x8   0.1:1.0:0.1  1..5  6.4ms  16ms
kns-64         kns:k=8,n=2            hdor     transpose          0.1:1.0:0.1  1..5  1.6ms  8ms'

of_shape() { # SHAPE FIELD
	awk -v shape="$1" -v field="$2" '$1 == shape { print $field }' <<<"$shapes"
}

# lanes ARGUMENT... of heddle route: how many VLs its tables have; refusals are told
lanes() {
	heddle route "$@" --json >"$work/route" && "$here/results.py" lanes "$work/route"
}

# sweep PART WARM-UP LONGEST KEY=VALUE...: runs with rules and traffic as set, as rows of CSV
sweep() {
	local part=$1 set=(-s run.warmup="$2" -s run.measure=auto -s run.longest="$3") pair
	shift 3
	for pair in "$@"; do
		set+=(-s "$pair")
	done
	heddle sim --quiet -j 1 --no-time "${common[@]}" "${set[@]}" --json "$work/runs" >/dev/null ||
		[ $? = 1 ] # a deadlock is a result
	"$here/results.py" rows "$work/runs" "part=$part" "scheme=$scheme" "vls=$vls" "division=$division"
}

# simulate SHAPE ENGINE SCHEME
simulate() {
	local fabric rules common room scheme=$3 division=fabric vls vls_there kind own=() full=()
	fabric=$(of_shape "$1" 2)
	rules=("$fabric" -e "$2" -q "$3")
	[ "$3" != flex ] || rules=("$fabric" -e "$2" -l flex)
	vls=$(lanes "${rules[@]}") || return 0
	room="switch.buffer=$((port / vls)) packets"
	common=("${rules[@]}" -s traffic.pattern="${pattern:-uniform, hotspot:form=osha, $(of_shape "$1" 4)}"
		-s run.seeds="${seeds:-$(of_shape "$1" 6)}")
	sweep curve 200us "$(of_shape "$1" 7)" traffic.load="${loads:-$(of_shape "$1" 5)}" "$room"
	[ -z "$loads" ] || return 0
	full=(full 500us "$(of_shape "$1" 8)" traffic.load=1)
	sweep "${full[@]}" "$room"
	sweep "${full[@]}" "$room" switch.voq=yes
	heddle sim --quiet -j 1 "${rules[@]}" -s traffic.load=1 -s run.warmup=0 -s run.measure=100us \
		--json "$work/probe" >/dev/null
	for kind in terminal local global; do
		vls_there=$("$here/results.py" lanes "$work/probe" $kind)
		[ "$vls_there" = 0 ] || own+=("switch.buffer_$kind=$((port / vls_there)) packets")
	done
	division="link"
	sweep "${full[@]}" "${own[@]}"
}

while getopts e:q:p:l:s:o: option; do
	case $option in
	e) engines=$OPTARG ;;
	q) schemes=$OPTARG ;;
	p) pattern=$OPTARG ;;
	l) loads=$OPTARG ;;
	s) seeds=$OPTARG ;;
	o) into=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- dragonfly-72 dragonfly-342 torus-64 kns-64
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for shape in "$@"; do
	if [ -z "$(of_shape "$shape" 2)" ]; then
		echo "run.sh: no shape '$shape'" >&2
		exit 2
	fi
	list=${engines:-$(of_shape "$shape" 3)}
	for engine in ${list//,/ }; do
		for scheme in ${schemes//,/ }; do
			echo "$shape: $engine $scheme" >&2
			simulate "$shape" "$engine" "$scheme"
		done
	done | awk 'NR == 1 { head = $0 } NR == 1 || $0 != head' >"$work/csv"
	mv "$work/csv" "${into:-$here}/$shape.csv"
	[ -n "$into" ] || "$here/draw.sh" "$shape"
done
