#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Packets that choose their paths on a HyperX, a KNS and a torus, as grids.csv beside this script, and as tables:
#
#	experiments/adaptive/grids/run.sh [--tables]      with --tables, those of the CSV that there is
#
# `heddle` is looked for in PATH. About six minutes.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
out=$here/grids.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
room=128 # flits of a port
columns=offered,accepted,latency_mean,misrouted,steady,window,deadlock

# shape (old: the torus by age), topology, loads; pattern, loads; VCs of tables, of ways by a via (local, between formal groups)
shapes='
hyperx  hyperx:6x6,p=6  0.5,1  shift:by=126          0.3,1   1  4  2
kns     kns:k=16,n=2    0.5,1  transpose             0.3,1   1  8  8
torus   torus:8x8,p=2   0.3,1  tornado:dims=2x8x8    0.2,1   2  16 16
old     torus:8x8,p=2   0.3,1  tornado:dims=2x8x8    0.2,1   2  16 16'

# sweep NAME TRIGGER VCS GLOBAL-VCS [OPTION...]: rows of both patterns
sweep() {
	local name=$1 trigger=$2 vcs=$3 globals=$4 part rule
	shift 4
	# credits with FOGSim's share
	rule=${trigger/#credits:/credits:90%,}
	[ "$trigger" != credits ] || rule=credits:90%
	for part in uniform:"$uniform" adversarial:"$loads"; do
		heddle sim --quiet -j 1 --no-time "$here/router.ini" -s fabric.topology="$topology" -s routing.engine=hdor \
			-s "switch.buffer_local=$((room / vcs)) flits" -s "switch.buffer_global=$((room / globals)) flits" \
			${rule:+-s routing.trigger="$rule"} -s traffic.load="${part#*:}" \
			-s traffic.pattern="$([ "${part%%:*}" = uniform ] && echo uniform || echo "$pattern")" \
			-s switch.arbiter="$([ "$shape" = old ] && echo age || echo roundrobin)" "$@" --csv "$work/rows" >/dev/null || [ $? = 1 ]
		python3 "$here/tables.py" rows "$work/rows" "$shape" "${part%%:*}" "$name" "$trigger" "$columns"
	done
}

if [ "${1:-}" != --tables ]; then
	{
		echo "shape,traffic,routing,trigger,load,$columns"
		while read -r shape topology uniform pattern loads tables vcs globals; do
			[ -n "$shape" ] || continue
			sweep tables '' "$tables" "$tables"
			rule=hop:$vcs
			[ "$globals" = "$vcs" ] || rule=hop:$vcs/$globals
			for routing in valiant ugal; do
				sweep $routing '' "$vcs" "$globals" -s routing.adaptive=$routing:exclude=none -s routing.vcs="$rule" \
					-s switch.vcs_terminal=1
			done
			for trigger in credits credits:sense=port contention:{0,1,2,3,4,6} hybrid:3 probability:1,4; do
				sweep dal "$trigger" 2 2 -s routing.adaptive=dal -s switch.vcs_terminal=1
			done
		done <<<"$shapes"
	} >"$work/all"
	mv "$work/all" "$out"
fi
python3 "$here/tables.py" tables "$out"
