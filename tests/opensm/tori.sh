# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# As tables.sh, on tori of three dimensions with the four lanes of OSHA's paper, which take all 16 SLs: the
# halves of destinations, and the virtual network or the band. With HEDDLE_LONG_TESTS=1 on 8 x 8 x 8, a minute
# of CPU. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

k=${HEDDLE_LONG_TESTS:+8}
k=${k:-5}

# NAME ENGINE 'ROUTE ARGUMENTS' LINE...
loads() {
	local at=$scratch/$1
	same_as_route "$1" "torus:${k}x${k}x$k" "${@:2}"
	is "$1: 16 SLs" "$(awk '!/^#/ { print $3 }' "$at/dump/path-sl.dump" | sort -nu | xargs)" \
		"0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15"
	is "$1: 8 VLs" "$(awk '{ for (i = 4; i < 20; i++) print $i }' "$at/sl2vl" | sort -nu | xargs)" "0 1 2 3 4 5 6 7"
	if command -v ibdmchk >/dev/null; then
		like "$1: ibdmchk finds no credit loop" "$(ibdmchk_verdict "$at" -c path-sl.dump)" \
			"^no credit loops found"
	else
		skip "$1: ibdmchk finds no credit loop" "ibdmchk is not installed"
	fi
	stop_fabric
}

loads osha osha "--lmc 1 -q dbbq:2" "lmc 1" "event_plugin_options queues=dbbq:2"
loads hdor hdor "-q bbq:4" "event_plugin_options queues=bbq:4"
finish
