#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Figures 5 to 11 of Yebenes et al. (OSHA and SASHA), as figure-FIGURE-SIZE.csv beside this script:
#
#	experiments/osha/run.sh [-n SIZE] [-j JOBS] [-l LOADS] [-s SEEDS] [-w WARMUP+WINDOW] [-d 2|3] [--voq no|yes] [-p PATTERN]
#		[-t TECHNIQUE,...] [--network NETWORK] [--turned KEY=VALUE] [-o DIR] [FIGURE...]
#
#	-n   64 (default; 2D 8x8, 3D 4x4x4), 512 (24x24, 8x8x8), full (48x48, 24x24x24)
#	-j   runs that are made at a time
#	-l   loads, "0.6,1", -s seeds, "1,2,3", instead of the size's own
#	-w   "1ms+2ms" instead of the size's own; -d networks of so many dimensions alone
#	-p   one pattern, also one of PTRANS on another grid of tasks, "ptrans:2x8"; -t some techniques
#	--turned   what the paper leaves open, decided otherwise: one of TURNED in figures.py
#	-o   where the files are (default: beside this script)
#
# Runs that are there are kept, so an interrupted run goes on. report.py prints the tables of README.md.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
exec python3 -B "$here/figures.py" "$@"
