# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dmodc in stock OpenSM, on generated fat trees, whole and with parts missing: the fabric holds what heddle
# computes, and ibdmchk finds no credit loop. Recorded ones: recorded.sh.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
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
serves degraded ibsim "$scratch/degraded.net" dmodc
is "degraded: one SL" "$(awk '{ print $3 }' "$scratch/degraded/dump/path-sl.dump" | sort -u | xargs)" 0
finish
