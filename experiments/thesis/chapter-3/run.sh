#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Chapter 3 of P. Fuentes' thesis (throughput fairness), as CSV beside this script:
#
#	experiments/thesis/chapter-3/run.sh [-H H] [-r] [HEDDLE]
#
#	-H   dragonflies of h = H (4: 1,056 hosts, half an hour; 8: the thesis's 16,512, hours)
#	-r   go on: keep the rows that are there
#
# compare.py prints the tables of README.md from them.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
h=4
resume=
while getopts H:r option; do
	case $option in
	H) h=$OPTARG ;;
	r) resume=--resume ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
exec python3 "$here/run.py" "${1:-heddle}" "$h" $resume
