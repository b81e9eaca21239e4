#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Figure 20 of Maglione-Mathey et al., on the switches of the other figures: cellia.csv beside this script.
#
#	experiments/dla/cellia.sh [-r "READING..."] [ENGINE,...]
#
# With engines, or with readings of the network (h=2 h=3,g=7 h=2,global=consecutive h=3,g=7,global=consecutive): their rows anew,
# and the others' as they are.
#
# The text has 42 nodes, a = 3, h = 3, p = 2, and 7 groups of 3 switches: with h = 3 a whole dragonfly has 10 groups. So both
# are run: 7 groups of h = 2, and 7 of h = 3, of which some pairs have two links. Of the programs these have
# patterns: HPCC's PTRANS (a grid of 6 x 7 tasks, in order and at random), its RandomAccess as recorded (16 tasks, at random
# places), Netgauge's ebb (random pairs). UPDN is OpenSM's, by five roots, each of which leaves it without credit loops on both
# networks (8 and 9 of the 21 do not); `updn` is heddle's. With consecutive global links (2 of the 21 do not) by three of the five,
# and without RandomAccess. Tables go into $HEDDLE_TABLES (build-tables); a minute of a processor, most of it for
# two captures of stock OpenSM.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
tables=$(realpath -m "${HEDDLE_TABLES:-build-tables}")
readings='h=2 h=3,g=7 h=2,global=consecutive h=3,g=7,global=consecutive' some=$#
[ "${1-}" != -r ] || { readings=$2; shift 2; }
all=${1-dla,d3r,lash,updn,dfsssp,sssp-df,minhop-df,updn-G0S1,updn-G1S0,updn-G1S1,updn-G2S2,updn-G3S0}
ptrans=ptrans:grid=6x7,n=5376,nb=64,repeat=2,ticks=1000

# of_consecutive READING
of_consecutive() {
	[[ $1 = *consecutive ]]
}

# make_tables READING: those of all engines, proved
make_tables() {
	local fabric=dragonfly:a=3,p=2,$1 at=$tables/42-$1 engine
	mkdir -p "$at"
	for engine in ${engines//,/ }; do
		[ ! -e "$at/$engine" ] || continue
		case $engine in
		lash | dfsssp) "$here/../capture.sh" --hosts "$fabric" "$engine" "$at/$engine" ;;
		updn-*)
			heddle topo "$fabric" -o - | awk -F'"' -v root="${engine#updn-}" '
				/^Switch/ && $4 == root { sub(/^S-/, "0x", $2); print $2 }' >"$at/$engine.root"
			"$here/../capture.sh" --hosts "$fabric" updn "$at/$engine" "root_guid_file $at/$engine.root"
			;;
		*-df) heddle route "$fabric" -e "df-${engine%-df}" -o "$at/$engine" ;;
		*) heddle route "$fabric" -e "$engine" -o "$at/$engine" ;;
		esac >/dev/null
		heddle check --quiet --scope hosts "$at/$engine" >/dev/null
	done
}

# simulate READING PROGRAM SEEDS KEY=VALUE...: rows
simulate() {
	local reading=$1 program=$2 seeds=$3 set=()
	shift 3
	for key in "$@"; do
		set+=(-s "$key")
	done
	(cd "$tables/42-$reading" && heddle sim --quiet --no-time "$here/figures-14-17.ini" -s routing.snapshot="${engines//,/, }" \
		-s traffic.load=1 -s run.seeds="$seeds" "${set[@]}" --csv all.csv >/dev/null) || [ $? = 1 ] # a deadlock is a result
	"$here/../runs.py" columns routing.snapshot seed accepted makespan steady <"$tables/42-$reading/all.csv" |
		sed -E "1d; s#^#\"$reading\",$program,#; s#([0-9]+)[0-9]{3},([01])\$#\1000,\2#" | # whole microseconds
		awk -v program="$program" 'program != "RandomAccess" || !/updn-/'
}

{
	echo reading,program,engine,seed,accepted,makespan,steady
	[ "$some" = 0 ] || awk -v engines="$all" -v readings="$readings" -F'"' '
		FNR > 1 { split($3, field, ",") }
		FNR > 1 && !(index("," engines ",", "," field[3] ",") && index(" " readings " ", " " $2 " "))' "$here/cellia.csv"
	for reading in $readings; do
		engines=$all
		if of_consecutive "$reading"; then
			engines=$(tr , '\n' <<<"$all" | grep -vxE 'updn(-G[01]S1)?' | paste -sd ,)
		fi
		make_tables "$reading"
		whole=(run.warmup=0 run.measure=100ms)
		simulate "$reading" "PTRANS in order" 1 traffic.pattern=$ptrans "${whole[@]}"
		simulate "$reading" "PTRANS at random" 1..10 traffic.pattern=$ptrans,place=random "${whole[@]}"
		of_consecutive "$reading" || simulate "$reading" RandomAccess 1..3 \
			traffic.pattern="trace:$here/../traces/randomaccess.trace.xz,ticks=10,place=random" "${whole[@]}"
		simulate "$reading" ebb 1..10 traffic.pattern=permutation run.longest=1s # 16 ms are too short for some
	done
} >"$here/cellia.csv.new"
mv "$here/cellia.csv.new" "$here/cellia.csv"
