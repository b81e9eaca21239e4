#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle check --between: mixtures of old and new tables
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

heddle route $dragonfly -e dla -o old >/dev/null
heddle route $dragonfly -e dla --sm H-00040 -o renumbered >/dev/null
ok "nothing changes" heddle check --between old old
json "and nothing differs" "j['sound'], j['changes']['entries'], j['changes']['rows'], j['changes']['path_sls']" \
	"(True, 0, 0, 0)" heddle check --between old old --json

# fail NAME TOPO-ARGUMENTS...: NAME has the tables of dla without these links
fail() {
	local name=$1
	shift
	heddle topo old/fabric.net "$@" -o "$name.net" >/dev/null &&
		heddle route "$name.net" -e dla -o "$name" >/dev/null
}

# A seed whose link leaves all mixtures sound, and one whose link does not.
for seed in $(seq 12); do
	fail "less$seed" --fail-links 1 --seed "$seed" || break
	heddle check --between old "less$seed" >/dev/null
	case $? in
	0) safe=less$seed ;;
	1) unsafe=less$seed ;;
	esac
done
ok "a link fails, and every mixture is sound" heddle check --between old "$safe"
ok "as are those of hosts alone" heddle check --between old "$safe" --scope hosts
not_ok "a link fails, and some mixtures loop" 1 heddle check --between old "$unsafe"
text=$(heddle check --between old "$unsafe")
like "a forwarding loop" "$text" "hosts: forwarding loop:"
like "whose switches hold old and new entries" "$text" "It takes these entries of the old and the new tables:"
like "an old one" "$text" "[0-9] +old"
like "and a new one" "$text" "[0-9] +new"
json "in JSON" "sorted({e['entry'] for e in j['mixture']['loop']} - {None}), j['sound'], j['failure']" \
	"(['new', 'old'], False, 'forwarding loop')" heddle check --between old "$unsafe" --json
json "entries that lead to the link that failed" "j['changes']['lossy_entries'] > 0" True \
	heddle check --between old "$unsafe" --json

# lanes made anew: a cycle of waiting packets, of old and new rows
heddle route $dragonfly -e df-sssp -o old-lanes >/dev/null
heddle topo old-lanes/fabric.net --fail-links 1 --seed 3 -o lanes.net >/dev/null
heddle route lanes.net -e df-sssp -o new-lanes >/dev/null
json "lanes made anew" "j['sound'], len(j['mixture']['ways']) == len(j['witness']) > 0" "(False, True)" \
	heddle check --between old-lanes new-lanes --json
json "each way ends with the channel of the next flow" \
	"all(w['hops'][-2]['out'] == c['port'] and w['hops'][-2]['vl'] == c['vl'] for w, c in zip(j['mixture']['ways'], j['witness']))" \
	True heddle check --between old-lanes new-lanes --json
like "and in words" "$(heddle check --between old-lanes new-lanes)" "LFT entry +SL2VL row"
json "what an engine makes of a fabric is new tables, too" "j['sound'], j['changes']['entries']" "(True, 0)" \
	heddle check --between old old/fabric.net -e dla --json

# in which rounds one gets there
like "nothing to schedule" "$(heddle diff --schedule old old)" "schedule +nothing changes"
like "any order will do" "$(heddle diff --schedule old "$safe")" "at once: every mixture of old and new is sound"
for way in "old $unsafe" "$unsafe old"; do
	# shellcheck disable=SC2086 # two words
	json "rounds without a drop: $way" \
		"j['scheduled'], j['at_once'], 2 <= len(j['rounds']) <= 3, j['pairs_lost'], sum(r['dropped_entries'] + r['dropped_rows'] for r in j['rounds'])" \
		"(True, False, True, 0, 0)" heddle diff --schedule --json $way
done
json "every entry that differs is in a round" "sum(r['entries'] for r in j['rounds'])" \
	"$(heddle check --between old "$unsafe" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["changes"]["entries"])')" \
	heddle diff --schedule --json old "$unsafe"
not_ok "old path SLs loop by lanes made anew" 1 heddle diff --schedule old-lanes new-lanes
like "that is said" "$(heddle diff --schedule old-lanes new-lanes)" "none: hosts that keep old path SLs"

# lanes that stay
json "lanes that stay" "j['lanes_kept'], j['sound']" "(True, True)" \
	heddle route lanes.net -e df-sssp --previous old-lanes -o kept-lanes --json
json "and have rounds" "j['scheduled'], j['pairs_lost']" "(True, 0)" heddle diff --schedule --json old-lanes kept-lanes
heddle route old-lanes/fabric.net -e df-sssp --previous kept-lanes -o back >/dev/null
like "the link comes back: nothing is left of it" "$(heddle diff old-lanes back)" "same"
like "the same history, the same tables" \
	"$(heddle route lanes.net -e df-sssp --previous old-lanes -o again >/dev/null; diff -r -x snapshot.json again kept-lanes && echo same)" same
like "other engines' lanes do not stay" "$(heddle route lanes.net -e df-minhop --previous old-lanes 2>&1)" \
	"old-lanes was made with engine df-sssp, layers [a-z]+, queues single:1: SLs and VLs are reassigned"
says "no snapshot" "nowhere: " heddle route lanes.net -e df-sssp --previous nowhere

heddle route $dragonfly -e minhop -o minhop --force >/dev/null
json "away from a credit loop: all that changes is dropped first" \
	"j['old_loops'], [bool(r['dropped_entries']) for r in j['rounds']], j['pairs_lost'] > 0" \
	"(True, [True, False], True)" heddle diff --schedule --json minhop old
like "and nowhere into one" "$(heddle diff --schedule old minhop)" "none: the new tables have a loop by themselves"
says "a schedule has no pairs" "--schedule and --pairs do not go together" \
	heddle diff --schedule --pairs x.csv old old
says "renumbered tables" "renumbered tables prove nothing" heddle diff --schedule old renumbered

# dumps that lack a switch, service classes that differ
cp -r old part
python3 - <<'END'
dump = open('part/opensm-lfts.dump').read()
open('part/opensm-lfts.dump', 'w').write(dump[dump.index('Unicast', 10):])
END
says "old tables that lack a switch" "the old tables lack the LFTs of 1 switch$" heddle check --quiet --between part old
says "new tables that lack a switch" "the new tables lack LFTs" heddle check --quiet --between old part
says "no schedule to those" "the new tables lack LFTs" heddle diff --quiet --schedule old part
printf '[class one] share = 30%%\n[class two] share = 70%%\n' >classes
heddle route $dragonfly -e dla --classes classes -o classes-old >/dev/null
heddle route "$unsafe.net" -e dla --classes classes -o classes-new >/dev/null
json "all classes are in the proof" "j['sls'], j['vls'], j['sound']" "(2, 4, False)" \
	heddle check --between classes-old classes-new --json
ok "and in the schedule" heddle diff --schedule classes-old classes-new
says "other classes" "different service classes" heddle check --between old classes-old
says "no schedule between those" "different service classes" heddle diff --schedule old classes-old

# a switch that comes back
heddle topo old/fabric.net --fail-switches 1 --seed 2 -o without.net >/dev/null
heddle route without.net -e dla -o without >/dev/null
like "a switch that was not there" "$(heddle check --between without old 2>&1)" \
	"1 switch is not in without: taken to hold no LFT entry"

# what is refused
says "LIDs of other ports" "is that of H-[0-9]+.*: mixtures of renumbered tables prove nothing" \
	heddle check --between old renumbered
heddle route dragonfly:a=4,p=2,h=2 -e dla --lmc 1 -o lmc >/dev/null
says "another LMC" "renumbered tables prove nothing" heddle check --between old lmc
heddle route tree:k=4,n=2 -e dmodc -o tree >/dev/null
not_ok "another fabric" 2 heddle check --between old tree
says "no such snapshot" "none: " heddle check --between none old
says "nor with --bubble" "--between goes with none of --adaptive, --bubble and --reversed-sl" \
	heddle check --between old old --bubble
says "no old tables" "requires an argument" heddle check old --between
finish
