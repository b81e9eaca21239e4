#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Mixtures and rounds of tables with private LFTs and VL2VL: heddle agrees with brute force (tests/lib/ar_mixtures.py), on
# random changes and on those of engines.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
stages=$top_builddir/tests/tools/stages_tool

changes=20
[ "${HEDDLE_LONG_TESTS-}" ] && changes=600
ok "heddle and brute force agree on $changes changes" \
	python3 "$top_srcdir/tests/lib/ar_mixtures.py" --stages "$stages" --mixtures 5 "$changes"

small=dragonflyplus:leaves=2,spines=2,hosts=1,h=1
heddle route $small -e dfplus:ar=valiant --plain -o whole >/dev/null
heddle route $small -e dfplus:ar=minimal --plain -o minimal >/dev/null
heddle topo whole/fabric.net --fail-links 1 --seed 3 -o less.net >/dev/null
heddle route less.net -e dfplus:ar=valiant --plain -o less >/dev/null

# agree OLD NEW PLAN: brute force has the same, and the plan is this one
agree() {
	like "$1 to $2: $3" "$(python3 "$top_srcdir/tests/lib/ar_mixtures.py" --stages "$stages" --mixtures 5 \
		--snapshots "$1" "$2" 2>&1)" "plans: 1 $3"
}
agree whole less "at once"
agree less whole "rounds"
agree whole minimal "dropped first"
agree minimal whole "dropped first"

# a switch fails: entries for LIDs that are gone go first
heddle topo whole/fabric.net --fail-switches 1 --seed 2 -o without.net >/dev/null
heddle route without.net -e dfplus:ar=valiant --plain -o without >/dev/null
json "entries for LIDs that are gone have a round of their own" \
	"j['at_once'], j['pairs_lost'], j['rounds'][0]['entries'] > 0, j['rounds'][0]['map_rows']" "(False, 0, True, 0)" \
	heddle diff --schedule whole without --json
ok "and the switch comes back" heddle diff --schedule without whole

# what is said of them
json "the counts of what changes" "[j['changes'][k] > 0 for k in ('private_entries', 'map_rows', 'vl2vl_rows')]" \
	"[True, True, True]" heddle check --between minimal whole --json
like "in words" "$(heddle check --between minimal whole)" "private tables +[0-9]+ entries, [0-9]+ rows of maps, [0-9]+ VL2VL rows differ"
larger=dragonflyplus:leaves=4,g=5
for options in "" :ar=minimal :ar=valiant; do
	heddle route $larger -e dfplus$options -o "large${options#:ar=}" >/dev/null
done
for way in "large largevaliant" "largevaliant large" "largeminimal largevaliant" "largevaliant largeminimal"; do
	# shellcheck disable=SC2086 # two words
	json "rounds without a drop: $way" "j['at_once'], j['pairs_lost'], len(j['rounds']) in (2, 3)" "(False, 0, True)" \
		heddle diff --schedule --json $way
done
json "private LFTs come before a map names them" \
	"[bool(r['private_entries']) and not r['map_rows'] for r in j['rounds']][0]" True \
	heddle diff --schedule --json large largevaliant
like "the columns of a schedule" "$(heddle diff --schedule minimal whole)" "private entries  map rows  VL2VL rows"
json "nothing changes" "(j['scheduled'], j['rounds'])" "(True, [])" heddle diff --schedule whole whole --json

# local repair in mixtures
ok "with a port of each switch down" heddle check --between whole less --local-repair 1
not_ok "OLD must be there" 2 heddle check whole --between nowhere --local-repair 1
finish
