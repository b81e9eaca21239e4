#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Recorded fabrics of real clusters are read, and what was recorded is in them. They stand beside the
# source tree, not in it (tests/lib/recordings.sh).
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"
# shellcheck source=tests/lib/recordings.sh
. "$top_srcdir/tests/lib/recordings.sh"
if [ -z "$recordings" ]; then
	skip "recorded fabrics" "there are none beside the source tree (HEDDLE_SHARED says where)"
	finish
	exit
fi

while read -r file switches adapters links hosts notes; do
	if [ ! -e "$recordings/$file" ]; then
		skip "$file" "not there"
		continue
	fi
	got=$(heddle topo "$recordings/$file" --json 2>"$scratch/notes" | python3 -c '
import json, sys
j = json.load(sys.stdin)
print(j["switches"], j["adapters"], j["switch_links"], j["end_links"])')
	is "$file: switches, adapters, links" "$got" "$switches $adapters $links $hosts"
	is "$file: notes" "$(wc -l <"$scratch/notes")" "$notes"
	not_ok "$file: --strict" $((notes ? 2 : 0)) heddle topo "$recordings/$file" --strict
	heddle topo "$recordings/$file" -o "$scratch/written.net" >/dev/null 2>&1
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

# Links run at their own rates: psmn-x5 has QDR and DDR. Every host's links of superpod-gb200 have one.
columns() { # FILE RATES: accepted, and the utilisation of the busiest link between switches, at a low load
	heddle sim "$recordings/$1" -e any -s traffic.load=0.05 -s run.warmup=50us -s run.measure=100us -s link.rates="$2" \
		--quiet --csv - | python3 -c 'import csv, sys
r = next(csv.DictReader(sys.stdin))
print(r["accepted"], r["local_max"])'
}
if [ -e "$recordings/psmn-x5.net" ] && [ -e "$recordings/superpod-gb200.net" ]; then
	is "superpod-gb200.net: one rate" "$(columns superpod-gb200.net file)" "$(columns superpod-gb200.net same)"
	ok "psmn-x5.net: several rates" test "$(columns psmn-x5.net file)" != "$(columns psmn-x5.net same)"
fi

# tables of a real cluster, and what is left of them without one switch
if [ -e "$recordings/plafrim-snapshot" ]; then
	cp -r "$recordings/plafrim-snapshot" "$scratch/part"
	ok "plafrim-snapshot: sound" heddle check --quiet "$scratch/part"
	chmod -R u+w "$scratch/part"
	awk '/^Unicast lids/ { leaves = /0x000b8cffff004939/ } !leaves' \
		"$recordings/plafrim-snapshot/opensm-lfts.dump" >"$scratch/part/opensm-lfts.dump"
	not_ok "plafrim-snapshot without a switch: not proved" 2 heddle check --quiet "$scratch/part"
	is "plafrim-snapshot without a switch: not covered, of all, of hosts" \
		"$(heddle check --json "$scratch/part" 2>/dev/null | python3 -c '
import json, sys
j = json.load(sys.stdin)
print(j["uncovered"], j["flows"], j["hosts"]["uncovered"], j["hosts"]["flows"], j["failure"])')" \
		"7220 17822 6294 15500 not covered"
fi

# the same as other releases of ibroute write it: without the lines at the ends of tables
if [ -e "$recordings/plafrim-snapshot" ]; then
	rm -rf "$scratch/endless"
	cp -r "$recordings/plafrim-snapshot" "$scratch/endless"
	chmod -R u+w "$scratch/endless"
	grep -v 'lids dumped' "$recordings/plafrim-snapshot/opensm-lfts.dump" >"$scratch/endless/opensm-lfts.dump"
	ok "plafrim-snapshot without 'N lids dumped': sound" heddle check --quiet "$scratch/endless"
	same "plafrim-snapshot without 'N lids dumped': the same tables" \
		<(heddle check --quiet "$scratch/endless") <(heddle check --quiet "$recordings/plafrim-snapshot")
fi

# recorded twice, as a list of ports and as a netfile: but for ports that no list tells of
if [ -e "$recordings/plafrim-p.net" ]; then
	same "plafrim-p.net: the fabric of its netfile" \
		<(heddle topo "$recordings/plafrim-p.net" -o - | sed 's/^Switch\t[0-9]*/Switch/') \
		<(heddle topo "$recordings/plafrim-snapshot/fabric.net" -o - | sed 's/^Switch\t[0-9]*/Switch/')
fi

finish
