#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Draws SHAPE.svg from SHAPE.csv beside this script, a panel for each pattern and engine:
#
#	experiments/lanes/draw.sh SHAPE...
#
# Means over seeds with 95% confidence intervals; under hot spots of the hosts that send to none.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
schemes='single:1 dbbm:2 dbbm:4 bbq:2 bbq:4 xordet:2 xordet:4 iodet:2 iodet:4 flex'

# gnuplot's commands for the points in $work/points
commands() {
	local panel pattern engine scheme separator index=0 columns
	local -A types=([single:1]=7 [dbbm:2]=4 [dbbm:4]=5 [bbq:2]=8 [bbq:4]=9 [xordet:2]=10 [xordet:4]=11
		[iodet:2]=12 [iodet:4]=13 [flex]=2)
	local -A colors=([single:1]=#000000 [dbbm:2]=#9ecae1 [dbbm:4]=#1f77b4 [bbq:2]=#ffbb78 [bbq:4]=#d95f02
		[xordet:2]=#98df8a [xordet:4]=#2ca02c [iodet:2]=#c5b0d5 [iodet:4]=#9467bd [flex]=#d62728)
	columns=$(cut -d' ' -f1 "$work/points" | sort -u | wc -l)
	local -i rows
	rows=$(cut -d' ' -f2 "$work/points" | sort -u | wc -l)
	echo "set terminal svg size $((columns * 480)),$((rows * 340)) font 'sans,11' background 'white'"
	echo "set multiplot layout $rows,$columns"
	# bars without strokes at their ends are a quarter less, packed
	echo "set errorbars 0; set grid lc rgb '#dddddd'; set key outside right samplen 1.5 font ',9'"
	echo "set xrange [0:1.02]; set yrange [0:*]; set xlabel 'load'; set ylabel 'accepted' offset 1"
	awk '!seen[$1, $2]++ { print $1, $2 }' "$work/points" >"$work/panels"
	while read -r pattern engine; do
		panel="$engine, $pattern"
		[ "$pattern" != hotspot ] || panel="$panel: the other hosts"
		echo "set title '$panel'"
		printf 'plot '
		separator=
		for scheme in $schemes; do
			awk -v pattern="$pattern" -v engine="$engine" -v scheme="$scheme" '
				$1 == pattern && $2 == engine && $3 == scheme { print $4, $5, $6 }' "$work/points" >"$work/$index"
			if [ -s "$work/$index" ]; then
				printf "%s'%s' with yerrorlines pt %d ps 0.6 lc rgb '%s' title '%s'" \
					"$separator" "$work/$index" "${types[$scheme]}" "${colors[$scheme]}" "$scheme"
				separator=', '
			fi
			index=$((index + 1))
		done
		echo
	done <"$work/panels"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for shape in "$@"; do
	"$here/results.py" points "$here/$shape.csv" >"$work/points"
	commands | gnuplot >"$work/svg"
	mv "$work/svg" "$here/$shape.svg"
done
