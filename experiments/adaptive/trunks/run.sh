#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Adversarial-consecutive traffic on dragonflies with trunks, as trunks.csv beside this script, and as tables:
#
#	experiments/adaptive/trunks/run.sh [--tables]      with --tables, those of the CSV that there is
#
# Groups of 8 switches with 4 hosts and 4 global links each, in the router of ../adaptive.ini. `heddle` is looked for in
# PATH. About eight minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/trunks.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
columns=accepted,switch_min,switch_variation,misrouted,latency_mean,steady,window

# groups, arrangement, seeds
fabrics='
33  palmtree  1
17  together  1,2
17  palmtree  1,2
17  disjoint  1,2
17  star      1,2
9   together  1,2
9   palmtree  1,2
9   disjoint  1,2
9   star      1,2'

# sweep GROUPS KIND SEEDS ADAPTIVE TRIGGER [OPTION...]: rows
sweep() {
	local groups=$1 kind=$2 seeds=$3 adaptive=$4 trigger=$5
	shift 5
	heddle sim --quiet -j 1 --no-time "$work/router.ini" -s fabric.file="$work/net" -s routing.adaptive="$adaptive" \
		${trigger:+-s routing.trigger=$trigger} -s traffic.pattern=adversarial-consecutive:4 \
		-s traffic.load=0.4,1 -s switch.transit=no,yes -s run.seeds="$seeds" "$@" --csv "$work/rows" >/dev/null
	python3 "$here/tables.py" rows "$work/rows" "$groups" "$kind" "$adaptive" "$trigger" "$columns"
}

if [ "${1:-}" != --tables ]; then
	sed '/^topology/d' "$here/../adaptive.ini" >"$work/router.ini"
	{
		echo "groups,arrangement,adaptive,trigger,transit,load,seed,$columns"
		while read -r groups kind seeds; do
			[ -n "$groups" ] || continue
			heddle topo "dragonfly:a=8,p=4,h=4,g=$groups,global=palmtree" -o "$work/net" >/dev/null
			if [ "$kind" != palmtree ]; then
				"$here/arrange.py" "$kind" <"$work/net" >"$work/other"
				mv "$work/other" "$work/net"
			fi
			# FOGSim's share
			sweep "$groups" "$kind" "$seeds" olm '' -s routing.trigger=credits:90%
			sweep "$groups" "$kind" "$seeds" olm contention:4,reached=yes
			sweep "$groups" "$kind" "$seeds" minimal '' -s routing.vcs=hop:3/2
		done <<<"$fabrics"
	} >"$work/all"
	mv "$work/all" "$out"
fi
python3 "$here/tables.py" tables "$out"
