#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# dmodc on recorded fabrics of real clusters: what is a fat tree is routed on one VL and proved in both
# scopes; where what load is. They stand beside the source tree, not in it (tests/real/reading.sh).
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
real=${HD_REAL:-}
for above in .. ../..; do
	[ -n "$real" ] || [ ! -d "$top_srcdir/$above/shared/reference/real" ] ||
		real=$top_srcdir/$above/shared/reference/real
done
if [ ! -d "$real" ]; then
	skip "recorded fat trees" "no shared/reference/real beside the source tree"
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
	if [ ! -e "$real/$file" ]; then
		skip "$file" "not there"
		continue
	fi
	rm -rf "$scratch/tables"
	ok "$file: routed" heddle route --quiet "$real/$file" -e dmodc -o "$scratch/tables"
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

if [ -e "$real/plafrim-p.net" ]; then
	like "leaves in a chain are no fat tree" "$(heddle route "$real/plafrim-p.net" -e dmodc 2>&1)" \
		"not a fat tree: 15 of 21 pairs of leaf switches"
fi
if [ -e "$real/superpod-gb200.net" ]; then
	ok "superpod-gb200.net: single failures of switches" \
		heddle faults --quiet "$real/superpod-gb200.net" -e dmodc --switches 1
	ok "superpod-gb200.net: some single failures of links" \
		heddle faults --quiet "$real/superpod-gb200.net" -e dmodc --links 1 --sample 50
fi
finish
