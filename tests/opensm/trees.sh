# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dmodc in stock OpenSM, on generated fat trees, whole and with parts missing, and on a recorded one: the
# fabric holds what heddle computes, and ibdmchk finds no credit loop.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}
. "$top_srcdir/tests/lib/recordings.sh"
superpod=$recordings/superpod-gb200.net

# holds NAME KIND NETFILE: opensm with dmodc on what KIND makes of the netfile, beside heddle route on
# what ibnetdiscover then sees
holds() {
	local name=$1 at=$scratch/$1
	if ! start_fabric "$2" "$3" >/dev/null; then
		skip "$name" "$2 does not take it"
		return
	fi
	configure "$at" "routing_engine dmodc"
	ok "$name: opensm" opensm_once "$at"
	is "$name: dmodc configured" "$(tables_configured "$at")" dmodc
	on_fabric ibnetdiscover >"$at/live.net"
	ok "$name: route" heddle route "$at/live.net" -e dmodc -o "$at/snapshot"
	read_lfts >"$at/lfts"
	lfts_of "$at/snapshot/opensm-lfts.dump" >"$at/lfts.wanted"
	ok "$name: LFTs were read" test -s "$at/lfts"
	same "$name: LFTs in the switches" "$at/lfts" "$at/lfts.wanted"
	cp "$at/live.net" "$at/dump/fabric.net"
	ok "$name: sound with all traffic" heddle check "$at/dump" --scope all
	ok "$name: sound among hosts" heddle check "$at/dump" --scope hosts
	is "$name: one SL" "$(awk '{ print $3 }' "$at/dump/path-sl.dump" | sort -u | xargs)" 0
	like "$name: ibdmchk" "$(ibdmchk_verdict "$at" -c path-sl.dump)" "^no credit loops found"
	stop_fabric
}

same_as_route whole pgft:m=4x4x3,w=1x4x2,p=1x1x2 dmodc ""
like "whole: ibdmchk" "$(ibdmchk_verdict "$scratch/whole" -c path-sl.dump)" "^no credit loops found"
stop_fabric
same_as_route vftree tree:k=3,n=3 dmodc "-q vftree:4" "event_plugin_options queues=vftree:4"
is "vftree: four SLs" "$(awk '{ print $3 }' "$scratch/vftree/dump/path-sl.dump" | sort -u | xargs)" "0 1 2 3"
like "vftree: ibdmchk" "$(ibdmchk_verdict "$scratch/vftree" -c path-sl.dump)" "^no credit loops found"
stop_fabric
same_as_route lmc tree:k=3,n=3 dmodc "--lmc 1" "lmc 1"
stop_fabric
heddle topo pgft:m=4x4x3,w=1x4x2 --fail-links 6 --fail-switches L1S03 --seed 5 -o "$scratch/degraded.net" >/dev/null
holds degraded ibsim "$scratch/degraded.net"

if [ -e "$superpod" ]; then
	holds superpod simfabric "$superpod"
else
	skip "superpod-gb200.net" "it is not beside the source tree (HEDDLE_SHARED says where)"
fi
finish
