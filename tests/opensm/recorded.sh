# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Recorded fabrics of real clusters on simfabric, stock OpenSM with engines of the plug-in: the switches hold what `heddle route`
# computes, and ibdmchk finds no credit loop. An engine whose shape a fabric has not refuses it.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/lib/recordings.sh"
require_fabric
if [ -z "$recordings" ]; then
	echo "1..0 # SKIP there are no recorded fabrics beside the source tree (HEDDLE_SHARED says where)"
	exit 0
fi
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}

while read -r file engine taken; do
	if [ -e "$recordings/$file.net" ]; then
		serves "$file-$engine" simfabric "$recordings/$file.net" "$engine" "$taken"
	else
		skip "$file.net" "not there"
	fi
done <<'END'
superpod-gb200 heddle dmodc
superpod-gb200 dmodc
psmn-x5 heddle dmodc
psmn-x5 dmodc
plafrim-p heddle any
superbench-dangling heddle dmodc
superbench-dangling dmodc
empty-lid heddle dla
END

# none of them is a Dragonfly+
if [ -e "$recordings/superpod-gb200.net" ]; then
	at=$scratch/refused
	start_fabric simfabric "$recordings/superpod-gb200.net" >/dev/null
	configure "$at" "routing_engine dfplus,heddle,no_fallback"
	ok "superpod-gb200-dfplus: opensm" opensm_once "$at"
	is "superpod-gb200-dfplus: the next engine" "$(tables_configured "$at")" heddle
	like "superpod-gb200-dfplus: refused" "$(refusals "$at" | head -n 1)" "engine dfplus refuses: "
	stop_fabric
fi
finish
