#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dmodc on recorded fabrics of real clusters: what is a fat tree is routed on one VL and proved in both
# scopes, with which load. They stand beside the source tree, not in it (tests/lib/recordings.sh).
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=tests/lib/recordings.sh
. "$top_srcdir/tests/lib/recordings.sh"
if [ -z "$recordings" ]; then
	skip "recorded fat trees" "there are none beside the source tree (HEDDLE_SHARED says where)"
	finish
	exit
fi

# busiest link between switches over the mean, in per cent
load() {
	heddle show "$1" load --json | python3 -c '
import json, sys
links = json.load(sys.stdin)["links"]["switch"]
print(round(100 * links["max"] / links["mean"]))'
}

while read -r file most; do
	if [ ! -e "$recordings/$file" ]; then
		skip "$file" "not there"
		continue
	fi
	rm -rf "$scratch/tables"
	ok "$file: routed" heddle route --quiet "$recordings/$file" -e dmodc -o "$scratch/tables"
	for scope in hosts all; do
		ok "$file: sound, $scope" heddle check --quiet --scope $scope "$scratch/tables"
	done
	is "$file: VLs" "$(heddle check --json "$scratch/tables" | python3 -c 'import json, sys; print(json.load(sys.stdin)["vls"])')" 1
	got=$(load "$scratch/tables")
	ok "$file: busiest link over mean, $got <= $most per cent" test "$got" -le "$most"
done <<'END'
superpod-gb200.net 130
psmn-x5.net 310
superbench-dangling.net 135
END

if [ -e "$recordings/plafrim-p.net" ]; then
	like "leaves in a chain are no fat tree" "$(heddle route "$recordings/plafrim-p.net" -e dmodc 2>&1)" \
		"not a fat tree: 15 of 21 pairs of leaf switches"
fi
if [ -e "$recordings/superpod-gb200.net" ]; then
	ok "superpod-gb200.net: single failures of switches" \
		heddle faults --quiet "$recordings/superpod-gb200.net" -e dmodc --switches 1
	ok "superpod-gb200.net: some single failures of links" \
		heddle faults --quiet "$recordings/superpod-gb200.net" -e dmodc --links 1 --sample 50
fi
finish
