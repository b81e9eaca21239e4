#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The figures of Maglione-Mathey et al. (DLA in OpenSM), as CSV and SVG beside this script:
#
#	experiments/dla/run.sh [-e ENGINE,...] [-n HOSTS,...] [-r] [FIGURE...]
#
#	-e   these engines only (default: all of the paper)
#	-n   fabrics of these sizes only
#	-r   go on: keep the runs that an interrupted run has made
#
# FIGURE is 10-11, 12 (with Table 1), or 14 to 19; `longer`, `windows` and `seeds` are what verdicts rest on where 16 ms are
# not enough, `consecutive` and `consecutive-seeds` the same with consecutive global links (windows.py); these come
# alone. Tables, and results under way, go into $HEDDLE_TABLES
# (build-tables): lash and dfsssp are captured from stock OpenSM, the others are computed here.
# A processor takes about three quarters of an hour for the runs and forty minutes for the captures, most of it for
# lash and dfsssp on the two big fabrics.
# $JOBS (1) runs are made at a time.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tables=$(realpath -m "${HEDDLE_TABLES:-build-tables}")
engines=dla,d3r,lash,updn,dfsssp,sssp-df,minhop-df
resume='' arrangement=''
wanted=72,144,342,684,1056,2112,2550,5100

# hosts, fabric, run.longest, loads, seeds. The paper has loads in steps of 0.1.
sizes='
72    a=4,p=2,h=2    16ms  0.1:1.0:0.1  1..3
144   a=4,p=4,h=2    16ms  0.1:1.0:0.1  1..3
342   a=6,p=3,h=3    16ms  0.1:1.0:0.1  1
684   a=6,p=6,h=3    16ms  0.1:1.0:0.1  1
1056  a=8,p=4,h=4    8ms   0.2:1.0:0.2  1
2112  a=8,p=8,h=4    8ms   0.2:1.0:0.2  1
2550  a=10,p=5,h=5   4ms   0.2:1.0:0.2  1
5100  a=10,p=10,h=5  4ms   0.4:1.0:0.3  1'

of_size() { # HOSTS FIELD
	awk -v hosts="$1" -v field="$2" '$1 == hosts { print $field }' <<<"$sizes"
}

# make_tables HOSTS: those of $engines that are not there
make_tables() {
	local fabric engine at=$tables/$1
	fabric=dragonfly:$(of_size "$1" 2)$arrangement
	mkdir -p "$at"
	for engine in ${engines//,/ }; do
		[ ! -e "$at/$engine" ] || continue
		echo "tables of $engine for $1 hosts" >&2
		case $engine in
		lash | dfsssp) "$here/../capture.sh" --hosts "$fabric" "$engine" "$at/$engine" ;;
		updn-*) # OpenSM's, with the root that the name has
			heddle topo "$fabric" -o - | awk -F'"' -v root="${engine#updn-}" '
				/^Switch/ && $4 == root { sub(/^S-/, "0x", $2); print $2 }' >"$at/$engine.root"
			"$here/../capture.sh" --hosts "$fabric" updn "$at/$engine" "root_guid_file $at/$engine.root"
			;;
		sssp-df | minhop-df) heddle route "$fabric" -e "df-${engine%-df}" -o "$at/$engine" ;;
		*) heddle route "$fabric" -e "$engine" -o "$at/$engine" ;;
		esac >/dev/null
		heddle check --quiet "$at/$engine" >"$at/$engine.check" || cat "$at/$engine.check" >&2
	done
}

# What runs differ in, and what figures and tables are from: all columns of all runs are 1.8 MB.
# The fabric is that of the tables: run.sh does not set fabric.topology.
columns='routing.snapshot switch.voq switch.buffer traffic.pattern traffic.load run.warmup run.measure run.longest
	seed accepted deadlock steady'

# simulate HOSTS SCENARIO NAME [KEY=VALUE...]: NAME.csv from SCENARIO.ini
simulate() {
	local hosts=$1 scenario=$2 name=$3 set=()
	shift 3
	make_tables "$hosts"
	while [ $# -gt 0 ]; do
		set+=(-s "$1")
		shift
	done
	(cd "$tables/$hosts" && heddle sim --quiet -j "${JOBS:-1}" --no-time ${resume:+--resume} "$here/$scenario.ini" \
		-s routing.snapshot="${engines//,/, }" "${set[@]}" --csv "$tables/$name.csv" >/dev/null) ||
		[ $? = 1 ] # a deadlock is a result
	# shellcheck disable=SC2086 # a list
	"$here/../runs.py" columns $columns <"$tables/$name.csv" >"$here/$name.csv"
}

# panels FIGURE SCENARIO HOSTS...
panels() {
	local figure=$1 scenario=$2 hosts
	shift 2
	for hosts in "$@"; do
		[[ ,$wanted, = *,$hosts,* ]] || continue
		simulate "$hosts" "$scenario" "figure-$figure-$hosts" \
			run.longest="$(of_size "$hosts" 3)" traffic.load="$(of_size "$hosts" 4)" \
			run.seeds="$(of_size "$hosts" 5)"
	done
	"$here/draw.sh" "$figure"
}

while getopts e:n:r option; do
	case $option in
	e) engines=$OPTARG ;;
	n) wanted=$OPTARG ;;
	r) resume=yes ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
[ $# -gt 0 ] || set -- 10-11 12 14 15 16 17 18 19
balanced=(72 342 1056 2550)
oversubscribed=(144 684 2112 5100)
for figure in "$@"; do
	echo "figure $figure" >&2
	case $figure in
	10-11)
		simulate 72 figures-10-11 figures-10-11
		"$here/draw.sh" 10 11
		;;
	12)
		simulate 72 figure-12-table-1 figure-12-table-1
		"$here/draw.sh" 12
		"$here/draw.sh" table-1
		;;
	14) panels 14 figures-14-17 "${balanced[@]}" ;;
	15) panels 15 figures-15-18 "${balanced[@]}" ;;
	16) panels 16 figures-16-19 "${balanced[@]}" ;;
	17) panels 17 figures-14-17 "${oversubscribed[@]}" ;;
	18) panels 18 figures-15-18 "${oversubscribed[@]}" ;;
	19) panels 19 figures-16-19 "${oversubscribed[@]}" ;;
	consecutive | consecutive-seeds)
		arrangement=,global=consecutive tables=$tables/consecutive
		without=${engines//updn,/}
		engines=$without,updn-G00S0,updn-G00S5
		make_tables 342
		engines=$without,updn-G2S2,updn-G1S2,updn-G0S2
		make_tables 72
		make_tables 144
		"$here/windows.py" "--$figure" "$tables"
		;;
	longer | windows | seeds)
		make_tables 342
		engines+=,updn-G2S2,updn-G1S2,updn-G0S2
		make_tables 72
		make_tables 144
		"$here/windows.py" "--$figure" "$tables"
		;;
	*)
		echo "run.sh: no figure '$figure'" >&2
		exit 2
		;;
	esac
done
