# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# layered in stock OpenSM: the fabric holds what heddle computes, on a Slim Fly with one to eight LIDs a host and
# with parts missing, and on a PolarFly; ibdmchk finds no credit loop. Engine heddle takes layered there.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}

no_loops() { like "$1: ibdmchk" "$(ibdmchk_verdict "$scratch/$1" -c path-sl.dump)" "^no credit loops found"; }

same_as_route whole slimfly:q=5 layered "--lmc 0"
no_loops whole
stop_fabric
same_as_route two slimfly:q=4 layered "--lmc 1" "lmc 1"
stop_fabric
same_as_route four slimfly:q=5 layered "--lmc 2" "lmc 2"
stop_fabric
same_as_route eight slimfly:q=4 layered "--lmc 3" "lmc 3"
stop_fabric
heddle topo slimfly:q=5 --fail-links 3 --fail-switches S1.2.0 --seed 2 -o "$scratch/degraded.net" >/dev/null
same_as_route degraded "$scratch/degraded.net" layered "--lmc 0"
no_loops degraded
stop_fabric
same_as_route polar polarfly:q=4 heddle "--lmc 1" "lmc 1"
like "heddle takes layered" "$(cat "$scratch/polar/log")" "layered"
stop_fabric
finish
