# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dfplus in stock OpenSM: the fabric holds what heddle computes, on a whole Dragonfly+, with LIDs that go
# through other groups, and with parts missing; ibdmchk finds no credit loop.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}

no_loops() { like "$1: ibdmchk" "$(ibdmchk_verdict "$scratch/$1" -c path-sl.dump)" "^no credit loops found"; }

same_as_route whole dragonflyplus:leaves=3,g=4 dfplus ""
no_loops whole
stop_fabric
same_as_route lmc dragonflyplus:leaves=2,g=5 dfplus "--lmc 1" "lmc 1"
stop_fabric
heddle topo dragonflyplus:leaves=3,g=4 --fail-links 2 --fail-switches G1S1 --seed 2 -o "$scratch/degraded.net" >/dev/null
same_as_route degraded "$scratch/degraded.net" dfplus ""
no_loops degraded
stop_fabric
finish
