# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every engine in stock OpenSM: the fabric holds what heddle computes, and ibdmchk, which knows nothing
# of us, finds no credit loop in OpenSM's dumps with the path SLs of the plug-in.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}

# NAME SPEC ENGINE 'ROUTE ARGUMENTS' [LINE...]
loads() {
	same_as_route "$@"
	like "$1: ibdmchk" "$(ibdmchk_verdict "$scratch/$1" -c path-sl.dump)" "^no credit loops found"
	stop_fabric
}

loads updn-dragonfly dragonfly:a=4,p=2,h=2 updn ""
loads updn-torus torus:4x4 updn ""
finish
