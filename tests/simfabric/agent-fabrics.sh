# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle agent on fabrics that are not as in the books: adapters whose ports have the GUIDs of their nodes, as real ones have,
# a degraded torus, an irregular fabric by engine any, hosts without a choice; recordings of real ones where they are there.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/lib/recordings.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

# agent_says NAME NETFILE ENGINE REGEX: what --once says on the first, a middle and the last host
agent_says() {
	local name=$1 net=$2 at=$scratch/$1 host hosts=()
	start_fabric simfabric "$net"
	configure "$at" "routing_engine $3,no_fallback" "lmc ${lmc:-1}"
	start_opensm "$at"
	ok "$name: opensm brings it up" settled "$at"
	mapfile -t hosts < <(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p' "$net")
	for host in "${hosts[0]}" "${hosts[${#hosts[@]} / 2]}" "${hosts[-1]}"; do
		(cd "$scratch" && SIM_HOST=$host LD_PRELOAD=$opensm_preload$umad2sim \
			heddle agent --once --interval 10ms "$at/dump/path-sl.dump") >"$scratch/out" 2>"$scratch/err"
		like "$name: $host" "$(tr '\n' '|' <"$scratch/err")$(tr '\n' ' ' <"$scratch/out")" "$4"
	done
	stop_opensm
	stop_fabric
}

# generated ports have the GUID behind that of their nodes
heddle topo --quiet kns:k=4,n=2 -o "$scratch/kns.net" >/dev/null
sed -E 's/\((2[0-9a-f]*)1\)/(\10)/' "$scratch/kns.net" >"$scratch/guids.net"
is "ports with the GUIDs of their nodes" "$(awk '/^caguid=/ { sub(/.*0x/, ""); guid = $0 }
	/^\[1\]\(/ { n += index($0, "(" guid ")") > 0 } END { print n }' "$scratch/guids.net")" 16
agent_says guids "$scratch/guids.net" osha "all counters are zero: networks alternate.*preferred +0: "

heddle topo --quiet torus:6x6 --fail-links 6 -o "$scratch/torus.net" >/dev/null
agent_says torus "$scratch/torus.net" osha "preferred +0: "

# one VL: it cannot tell
heddle topo --quiet kns:k=4,n=2 --fail-links 5 -o "$scratch/any.net" >/dev/null
agent_says any "$scratch/any.net" any "networks share VLs.*preferred +0: "
lmc=0 agent_says one-lid "$scratch/kns.net" hdor "has one LID \(LMC 0\): there is nothing to choose; hosts take turns.*preferred +none"

# one VL for all, too: networks are told apart by their LIDs alone
for name in plafrim-p superpod-gb200; do
	if [ ! -e "$recordings/$name.net" ]; then
		skip "$name" "no recordings beside the source tree (HEDDLE_SHARED says where)"
		continue
	fi
	heddle topo --quiet "$recordings/$name.net" -o "$scratch/$name.net" >/dev/null
	agent_says "$name" "$scratch/$name.net" heddle "networks share VLs.*LMC 1 *network 0 +VLs 0 waited 0 *network 1 +VLs 0.*preferred +0: "
done
finish
