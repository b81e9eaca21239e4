#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Engine heddle, dmodc and the backstop on recorded fabrics of real clusters: each is routed and proved in both scopes
# with one VL, and the busiest link between switches has no more flows than is written here.
# They stand beside the source tree, not in it (tests/lib/recordings.sh).
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=tests/lib/recordings.sh
. "$top_srcdir/tests/lib/recordings.sh"
if [ -z "$recordings" ]; then
	skip "recorded fabrics" "there are none beside the source tree (HEDDLE_SHARED says where)"
	finish
	exit
fi

number() { # KEY COMMAND...: a number of its JSON
	local key=$1
	shift
	"$@" 2>/dev/null | python3 -c "import json, sys; j = json.load(sys.stdin); print($key)"
}

# serves FILE ENGINE TAKEN MOST: most flows of the busiest link; with nue of OpenSM 3.3.23, LIDs assigned anew, 1,017 on
# superpod-gb200.net and 163 on psmn-x5.net (bench/bench_any.py)
serves() {
	local file=$recordings/$1 engine=$2 got
	if [ ! -e "$file" ]; then
		skip "$1" "not there"
		return
	fi
	rm -rf "$scratch/tables"
	is "$1: $engine takes" "$(number "j['engine']" heddle route --quiet "$file" --lmc 0 -e "$engine" -o "$scratch/tables" --json)" "$3"
	for scope in hosts all; do
		ok "$1: $engine: sound, $scope" heddle check --quiet --scope $scope "$scratch/tables"
	done
	is "$1: $engine: VLs" "$(number "j['vls']" heddle check --json "$scratch/tables")" 1
	got=$(number "j['links']['switch']['max']" heddle show "$scratch/tables" load --json)
	ok "$1: $engine: $got flows <= $4 on the busiest link" test "$got" -le "$4"
}

while read -r file engine taken most; do
	serves "$file" "$engine" "$taken" "$most"
done <<'END'
superpod-gb200.net heddle dmodc 730
superpod-gb200.net any any 730
psmn-x5.net heddle dmodc 144
psmn-x5.net any any 147
superbench-dangling.net heddle dmodc 24
superbench-dangling.net any any 24
plafrim-p.net heddle any 2646
director-cs7500.net.xz heddle dmodc 3980
director-cs7500.net.xz dmodc dmodc 3980
director-cs7500.net.xz any any 3980
END

# The engine that "heddle topo" names is the one that "heddle route" takes, with the LIDs of the file, and with others.
for file in "$recordings"/*.net "$recordings"/*.net.xz; do
	name=$(number "j['engine']" heddle topo --quiet "$file" --json)
	[ "$name" != None ] || continue
	rm -rf "$scratch/tables"
	is "${file##*/}: topo says which" "$(number "j['engine']" heddle route --quiet "$file" --lmc 0 -e heddle --json)" "$name"
	heddle topo --quiet "$file" --assign-lids -o "$scratch/lids.net" >/dev/null 2>&1
	is "${file##*/}: topo, LIDs anew" "$(number "j['engine']" heddle topo --quiet "$scratch/lids.net" --json)" "$name"
	is "${file##*/}: route, LIDs anew" "$(number "j['engine']" heddle route --quiet "$scratch/lids.net" -e heddle --json)" "$name"
done
if [ -e "$recordings/superpod-gb200.net" ]; then
	# memory is what sanitizers look at: a few failures show as much of it as many
	few_links=40 few_switches=10
	[ -z "${sanitizers-}" ] || few_links=10 few_switches=3
	ok "superpod-gb200.net: single failures of switches" \
		heddle faults --quiet "$recordings/superpod-gb200.net" -e heddle --switches 1
	ok "superpod-gb200.net: some single failures of links" \
		heddle faults --quiet "$recordings/superpod-gb200.net" -e heddle --links 1 --sample "$few_links"
	ok "superpod-gb200.net: by the backstop alone" \
		heddle faults --quiet "$recordings/superpod-gb200.net" -e any --switches 1 --sample "$few_switches"
fi
finish
