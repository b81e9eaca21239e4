#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Recorded fabrics of real clusters are read, and what was recorded is in them. They stand beside the
# source tree, not in it: HD_REAL, or shared/reference/real in a directory above.
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
real=${HD_REAL:-}
for above in .. ../..; do
	[ -n "$real" ] || [ ! -d "$top_srcdir/$above/shared/reference/real" ] ||
		real=$top_srcdir/$above/shared/reference/real
done
if [ ! -d "$real" ]; then
	skip "recorded fabrics" "no shared/reference/real beside the source tree"
	finish
	exit
fi

while read -r file switches adapters links hosts notes; do
	if [ ! -e "$real/$file" ]; then
		skip "$file" "not there"
		continue
	fi
	got=$(heddle topo "$real/$file" --json 2>"$scratch/notes" | python3 -c '
import json, sys
j = json.load(sys.stdin)
print(j["switches"], j["adapters"], j["switch_links"], j["end_links"])')
	is "$file: switches, adapters, links" "$got" "$switches $adapters $links $hosts"
	is "$file: notes" "$(wc -l <"$scratch/notes")" "$notes"
	not_ok "$file: --strict" $((notes ? 2 : 0)) heddle topo "$real/$file" --strict
	heddle topo "$real/$file" -o "$scratch/written.net" >/dev/null 2>&1
	ok "$file: what is written is not odd" heddle topo "$scratch/written.net" --strict
done <<'END'
bare-ca-first.net 0 1 0 0 0
empty-lid.net 4 12 4 12 4
plafrim-p.net 9 125 76 125 0
psmn-x5.net 11 89 70 89 0
superbench-dangling.net 8 10 7 10 1
superpod-gb200.net 40 582 532 582 0
plafrim-snapshot/fabric.net 9 125 76 125 0
END

# recorded twice, as a list of ports and as a netfile: but for ports that no list tells of
if [ -e "$real/plafrim-p.net" ]; then
	same "plafrim-p.net: the fabric of its netfile" \
		<(heddle topo "$real/plafrim-p.net" -o - | sed 's/^Switch\t[0-9]*/Switch/') \
		<(heddle topo "$real/plafrim-snapshot/fabric.net" -o - | sed 's/^Switch\t[0-9]*/Switch/')
fi

finish
