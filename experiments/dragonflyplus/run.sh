#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dfplus beside df-minhop, and OpenSM's minhop and nue, on Dragonfly+ of 1,332, 4,160 and 8,000 hosts: dragonflyplus.csv beside
# this script, and the table of README.md on standard output.
#
#	experiments/dragonflyplus/run.sh [1332 | 4160 | 8000 ...]
#
# Wants heddle and simfabric in $PATH, opensm, and the plug-in where opensm finds it (in a build directory:
# LD_LIBRARY_PATH=$PWD). Rows that are there are kept: an interrupted run goes on where it was; remove the file to begin anew.
# With a core to itself it takes about an hour.
set -eu -o pipefail
here=$(cd "$(dirname "$0")" && pwd)
PATH=$PATH:/usr/sbin:/sbin
[ $# -gt 0 ] || set -- 1332 4160 8000
for hosts in "$@"; do
	case $hosts in
	1332) "$here/study.py" dragonflyplus:leaves=6 4 8ms dfplus dfplus+lmc df-minhop opensm-minhop opensm-nue ;;
	4160) "$here/study.py" dragonflyplus:leaves=8 3 4ms dfplus dfplus+lmc df-minhop opensm-minhop opensm-nue ;;
	8000) "$here/study.py" dragonflyplus:leaves=10,g=80 2 2ms dfplus dfplus+lmc df-minhop opensm-minhop ;;
	*)
		echo "run.sh: no fabric of $hosts hosts here" >&2
		exit 2
		;;
	esac
done
"$here/table.py"
