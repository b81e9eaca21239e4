#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Figures 4.8 to 4.10 from transient-hH.csv: experiments/thesis/chapter-4/draw.sh [H], as figure-4.N-hH.svg
set -eu
here=$(cd "$(dirname "$0")" && pwd)
h=${1:-6}
csv=$here/transient-h$h.csv

# draw FIGURE BUFFERS COLUMN LABEL UNTIL ROUTING...
draw() {
	local figure=$1 buffers=$2 column=$3 label=$4 until=$5 routing plots=
	shift 5
	for routing in "$@"; do
		plots+="${plots:+, }'< grep ^$buffers,$routing, $csv' using 3:$column with lines lw 1.5 title '$routing'"
	done
	gnuplot <<-PLOT
		set terminal svg size 760,420 font "sans,12" background "white"
		set output "$here/.new.svg"
		set datafile separator ","
		set xlabel "cycles after the change from UN to ADV+1, load 0.2"
		set ylabel "$label"
		set xrange [-100:$until]
		set yrange [0:*]
		set key outside right
		set grid
		plot $plots
	PLOT
	mv "$here/.new.svg" "$here/figure-$figure-h$h.svg"
}

draw 4.8-latency small 4 "latency, cycles" 300 PB OLM Base Filtered Hybrid ECtN Statistical
draw 4.8-misrouted small 5 "share off minimal" 300 PB OLM Base Filtered Hybrid ECtN Statistical
draw 4.9 small 4 "latency, cycles" 1900 PB ECtN
draw 4.10 large 4 "latency, cycles" 1500 PB OLM Base Filtered Hybrid ECtN Statistical
