#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dmodc beside OpenSM's engines on fat trees, whole and with links failed: trees.csv, one-more.csv, trees.svg beside this script,
# and the tables of README.md on standard output.
#
#	make && make bench/bench_permutations && sudo make install && sudo cp bench/bench_permutations /usr/local/bin
#	experiments/fattree/run.sh [small | large]
#
# Wants heddle, simfabric and bench_permutations in $PATH, opensm, and the plug-in where opensm finds it (in a build
# directory: LD_LIBRARY_PATH=$PWD). Rows that are there are kept: an interrupted run goes on where it was; remove the
# files to begin anew. With a core to itself the two trees of about 500 hosts take about a quarter of an hour each,
# most of it in the simulator, that of 3,456 hosts about as long.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
if [ "${1-small}" = small ]; then
	"$here/study.py" tree:k=8,n=3 0,1,5,10 1 3 1
	"$here/study.py" tree:k=8,n=3 0,1,5,10 3 0 0
	"$here/study.py" pgft:m=12x6x8,w=1x6x3,p=1x1x2 0,1,5,10 1 2 1
	"$here/study.py" pgft:m=12x6x8,w=1x6x3,p=1x1x2 0,1,5,10 2 0 0
fi
if [ "${1-large}" = large ]; then
	"$here/study.py" pgft:m=12x12x24,w=1x12x12 0 1 0 0 dmodc ftree minhop updn+roots nue
	"$here/study.py" pgft:m=12x12x24,w=1x12x12 1,5 1 0 0 dmodc ftree+roots minhop
	"$here/study.py" pgft:m=12x12x24,w=1x12x12 5 1 0 0 updn+roots
fi
"$here/report.py"
