# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# As tables.sh, on 1,056 hosts. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

same_as_route h1056 dragonfly:a=8,p=4,h=4 dla ""
if command -v ibdmchk >/dev/null; then
	like "ibdmchk finds no credit loop" "$(ibdmchk_verdict "$scratch/h1056" -c path-sl.dump)" \
		"^no credit loops found"
else
	skip "ibdmchk finds no credit loop" "ibdmchk is not installed"
fi
finish
