#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How long it takes to plan a change of a large fabric: links between switches fail, and return.
#
#     bench/bench_schedule.sh HEDDLE...     # several: in turn, such as one of before and one of now
#
# FABRIC (dragonfly:a=16,p=8,h=8), ENGINE (dla), LINKS (1), RUNS (3). Snapshots of 16,512 hosts take 8 GB below TMPDIR.
set -eu
[ $# -gt 0 ] || { sed -n '3,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
fabric=${FABRIC:-dragonfly:a=16,p=8,h=8} engine=${ENGINE:-dla}
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
whole=$directory/whole less=$directory/less back=$directory/back
{
	"$1" route "$fabric" -e "$engine" -o "$whole" --quiet
	"$1" topo "$whole/fabric.net" --fail-links "${LINKS:-1}" -o "$less.net" --quiet
	"$1" route "$less.net" -e "$engine" --previous "$whole" -o "$less" --quiet
	"$1" route "$whole/fabric.net" -e "$engine" --previous "$less" -o "$back" --quiet
} > /dev/null

# HEDDLE OLD NEW WHAT
plan()
{
	echo "$1, $4: $("$1" diff --schedule -v "$2" "$3" 2>&1 | grep -o 'planned in .*')"
}

run=0
while [ $((run += 1)) -le "${RUNS:-3}" ]; do
	for heddle; do
		plan "$heddle" "$whole" "$less" failing
		plan "$heddle" "$less" "$back" returning
	done
done
