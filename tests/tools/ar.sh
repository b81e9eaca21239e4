#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Sets of ports: heddle route writes them, heddle check reads them back and proves all choices.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

refused() { # NAME REGEX COMMAND...: the engine says why in one line
	local name=$1 regex=$2
	shift 2
	not_ok "$name" 1 "$@"
	like "in one line: $name" "$("$@" 2>&1)" "^heddle: [^"$'\n'"]*$regex"
}

ok "a mesh, negative-first" heddle route mesh:4x4 -e hdor:ar=negative-first -o mesh
like "the dump says whose they are" "$(head -n 4 mesh/ar.dump)" \
	$'^AR tables of 14 switches\n\nSwitch 0x0001000000000000, base LID 2, "S0.0"\ngroup 0: 2 4$'
is "options behind the engine's name are told" \
	"$(python3 -c "import json; print(json.load(open('mesh/snapshot.json'))['options'])")" "ar=negative-first"
like "all choices of the snapshot are proved" "$(heddle check mesh)" \
	$'AR sets +144 entries of 2.00 ports on average, at most 2 groups in a switch\n'
is "as those of the engine" "$(heddle check mesh)" "$(heddle check mesh:4x4 -e hdor:ar=negative-first)"
json "in JSON too" "j['ar']['entries'], j['ar']['ports'], j['ar']['groups'], j['sound']" "(144, 288, 2, True)" \
	heddle check mesh --json
json "no sets, no word of them" "'ar' in j" False heddle check mesh:4x4 -e hdor --json
ok "options by -O as well" heddle route mesh:4x4 -e hdor:order=yx -O ar=negative-first -o yx
is "both are told" "$(python3 -c "import json; print(json.load(open('yx/snapshot.json'))['options'])")" \
	"order=yx ar=negative-first"
ok "the last -e counts" heddle route mesh:4x4 -e updn:root=S0.0 -e hdor -o last

not_ok "all shortest ways of a mesh make a cycle" 1 heddle check mesh:4x4 -e minhop:ar=yes
json "a cycle of four channels" "j['failure'], len(j['witness'])" "('credit loop', 4)" \
	heddle check mesh:4x4 -e minhop:ar=yes --json
not_ok "a ring's too" 1 heddle check torus:8 -e minhop:ar=yes
ok "all ways up a tree do not" heddle check tree:k=4,n=3 -e updn:ar=yes
ok "nor do trunks of a dragonfly" heddle check dragonfly:a=4,p=2,h=4,g=3 -e dla:ar=trunks
ok "nor other switches' of the group" heddle check dragonfly:a=4,p=2,h=2,g=5 -e dla:ar=owners
for spec in mesh:8x8 mesh:4x4x4 hyperx:4x4 hyperx:4x4x4 kns:k=8,n=2; do
	for sets in negative-first minimal; do
		ok "$spec, $sets" heddle route "$spec" -e "hdor:ar=$sets" -o "all-$spec-$sets"
		like "all choices of the snapshot are proved" "$(heddle check "all-$spec-$sets")" \
			'verdict +hosts sound; with switches sound'
		ok "with XORDET's queues" heddle route "$spec" -e "hdor:ar=$sets" -q xordet:2 -o "all-$spec-$sets-2"
		ok "proved too" heddle check "all-$spec-$sets-2"
	done
done
not_ok "but not on the lines of a KNS without the layers" 1 \
	heddle route kns:k=3,n=2 -e hdor:ar=negative-first -l single -o lines

# A hop that rises, beside one that falls: S1.1 sends by S1.0 alone to S2.0.
ok "a mesh again" heddle route mesh:3x3 -e hdor:ar=negative-first -o turned
sed -i '/"S1.1"/,/dumped/{s/^group 1.*/&\ngroup 2: 2 5/;s/^0x0002.*/&\n0x0004 005 free 2/;s/^2 groups, 4/3 groups, 5/}' turned/ar.dump
not_ok "one hop up in a set of hops down" 1 heddle check turned
like "closes a circle" "$(heddle check turned)" 'verdict +.*credit loop of 4 channels'

# Where links are missing packets fall and rise by longer ways, as long as there is one.
for seed in 1 2 4; do
	heddle topo mesh:8x8 --fail-links 3 --seed "$seed" -o lacks.net >/dev/null
	ok "a mesh without three links" heddle route lacks.net -e hdor:ar=negative-first -q xordet:4 -o lacks
	ok "is proved" heddle check lacks
done
ok "a HyperX without five" heddle topo hyperx:4x4,p=2 --fail-links 5 --seed 1 -o lacks.net
ok "is proved" heddle check lacks.net -e hdor:ar=negative-first
heddle topo mesh:8x8 --fail-links 1 --seed 3 -o corner.net >/dev/null
refused "no path that falls first" \
	'ar=negative-first: no path from S0.7 to S0.0 falls before it rises: S0.7\[5\] has no link to S0.6' \
	heddle route corner.net -e hdor:ar=negative-first
refused "all minimal ports, of an intact topology" 'ar=minimal: these sets are for an intact topology, and S0.6\[4\] has no link to S0.7' \
	heddle route corner.net -e hdor:ar=minimal
heddle topo kns:k=4,n=2 --fail-links 1 --seed 1 -o lines.net >/dev/null
refused "and a KNS" 'these sets are for an intact topology, and R2.3\[2\] has no link to X3' \
	heddle route lines.net -e hdor:ar=negative-first
not_ok "no such sets" 2 heddle route mesh:4x4 -e hdor:ar=positive-first
says "their name is told" "none of no, negative-first, minimal" heddle check mesh:4x4 -e hdor:ar=positive-first
refused "none on rings" "ar=minimal: dimension 0 is a ring" heddle check torus:5x5 -e hdor:ar=minimal

says "no such value" "none of no, yes" heddle check torus:4 -e updn:ar=some
says "no such option" "no option 'far'" heddle check torus:4 -e updn:far=yes
says "no such engine" "no engine 'up'" heddle check torus:4 -e up:ar=yes
says "a state of nothing" "give ar too" heddle check torus:4 -e updn:ar_state=bounded

# Files that are not whole, or not right, are refused with their line.
broken() { # NAME REGEX SED-EXPRESSION
	rm -rf broken
	cp -r mesh broken
	sed -i -E "$3" broken/ar.dump
	says "$1" "broken/ar.dump:$2" heddle check broken
}
broken "an unknown port" '4: port 9: expected ascending ones of 1 .. 5' '4s/ 4/ 9/'
broken "another default port" '5: default port 4, but the LFT of the switch has 2' '5s/002/004/'
broken "an unknown group" '5: there is no group 7' '5s/0$/7/'
broken "no state" "5: expected 'free', 'bounded'" '5s/free/open/'
broken "a cut section" "10: the last section is cut short" '11,$d'
broken "cut between sections" '[0-9]+: the file has [0-9]+ of 14 switches' '/S3.2/,$d'
broken "garbage" "1: expected 'AR tables of N switches'" '1s/^/x/'

# The model runs them.
short="-s run.warmup=50us -s run.measure=200us"
of() { # COLUMN... -- ARGUMENTS: values of a run
	local columns=()
	while [ "$1" != -- ]; do
		columns+=("$1")
		shift
	done
	shift
	heddle sim "$@" --csv - --no-time 2>/dev/null | python3 -c "import csv, sys
for row in csv.DictReader(line for line in sys.stdin if ',' in line):
    print(*(row[column] for column in sys.argv[1:]))" "${columns[@]}" | head -n 1
}
values="accepted latency_mean latency_p99 hops_mean packets packet_hops local_max"
for args in "mesh:4x4 -e hdor" "mesh:4x4 -e hdor -s routing.queues=xordet:4" "torus:4x4,p=2 -e hdor" \
	"tree:k=4,n=2 -e updn" "$dragonfly -e dla -s routing.queues=dbbm:2"; do
	for load in 0.3 1; do
		# shellcheck disable=SC2086
		is "$args at load $load: static entries do what tables do" \
			"$(of $values -- $args $short -s traffic.load=$load -s routing.adaptive=ar:static)" \
			"$(of $values -- $args $short -s traffic.load=$load -s switch.allocator=input)"
	done
done

# Hosts with a queue per destination, too.
queued="-s host.admittance=destination -s host.injection=4 $short -s traffic.load=0.7"
for args in "mesh:4x4 -e hdor -s routing.queues=xordet:4" "kns:k=3,n=2 -e hdor -s routing.options=ar=minimal"; do
	# shellcheck disable=SC2086
	is "$args with queues per destination: static entries do what tables do" \
		"$(of $values -- $args $queued -s routing.adaptive=ar:static)" \
		"$(of $values -- $args $queued -s switch.allocator=input)"
done

# Four links between two switches: by LFTs some hosts share one, by sets nothing is lost.
two="dragonfly:a=1,p=4,h=4,g=2 -e updn -s traffic.pattern=shift:4 -s traffic.load=0.9 $short"
# shellcheck disable=SC2086
like "free entries use all links" \
	"$(of accepted deadlock -- $two -s routing.options=ar=yes -s routing.adaptive=ar)" '^0\.(89|9)[0-9]* 0$'
tree="tree:k=4,n=2 -e updn -s routing.options=ar=yes -s traffic.load=0.8 $short"
# shellcheck disable=SC2086
like "free, packets overtake" "$(of out_of_order -- $tree -s routing.adaptive=ar)" '^0\.0*[1-9]'
# shellcheck disable=SC2086
is "bounded for ever, none does" "$(of out_of_order -- $tree -s routing.adaptive=ar:bounded,age=1s)" 0
# shellcheck disable=SC2086
is "as the tables say, bounded or free" \
	"$(of accepted out_of_order -- $tree -s 'routing.options=ar=yes ar_state=bounded' -s routing.adaptive=ar)" \
	"$(of accepted out_of_order -- $tree -s routing.adaptive=ar:bounded)"
# shellcheck disable=SC2086
is "the same with one thread and with eight" \
	"$(heddle sim $tree -s routing.adaptive=ar -s run.seeds=1..4 -j 1 --no-time --csv - 2>/dev/null)" \
	"$(heddle sim $tree -s routing.adaptive=ar -s run.seeds=1..4 -j 8 --no-time --csv - 2>/dev/null)"
is "a run that chooses nothing has no order" "$(of out_of_order -- mesh:4x4 -e hdor $short | tr -d ' ')" ""
like "a snapshot's sets run" "$(of accepted out_of_order -- mesh $short -s traffic.load=0.3 -s routing.adaptive=ar)" \
	'^0\.[0-9]+ 0'

small="-s switch.buffer=1packets -s traffic.load=1 -s run.measure=2ms"
not_ok "what is not proved is not run" 1 heddle sim mesh:4x4 -e minhop -s routing.options=ar=yes -s routing.adaptive=ar $short
# shellcheck disable=SC2086
is "unproved, it comes to a stand" "$(of deadlock -- mesh:4x4 -e minhop -s routing.options=ar=yes -s routing.adaptive=ar \
	$small --no-proof)" 1
for args in "mesh:4x4 -e hdor -s routing.options=ar=negative-first" "hyperx:4x4 -e hdor -s routing.options=ar=negative-first" \
	"tree:k=4,n=2 -e updn -s routing.options=ar=yes" "torus:4x4 -e updn -s routing.options=ar=yes" \
	"dragonfly:a=4,p=2,h=4,g=3 -e dla -s routing.options=ar=trunks" \
	"dragonfly:a=4,p=2,h=2,g=5 -e dla -s routing.options=ar=owners"; do
	for state in free bounded,age=2us; do
		# shellcheck disable=SC2086
		is "$args, $state: what is proved does not" "$(of deadlock dropped -- $args $small -s routing.adaptive=ar:$state)" "0 0"
	done
done

ok "--adaptive ar is the proof of the tables" heddle check mesh --adaptive ar
is "with their words" "$(heddle check mesh --adaptive ar:bounded,age=5us)" "$(heddle check mesh)"
not_ok "of an engine's tables too" 1 heddle check mesh:4x4 -e minhop:ar=yes --adaptive ar
says "no VC rule there" "goes on the tables' VLs" heddle check mesh --adaptive ar --vcs hop:2
says "no sets" "routing.adaptive: ar goes by sets of ports, and the tables have none" \
	heddle sim mesh:4x4 -e hdor -s routing.adaptive=ar $short
says "no such state" "none of tables, static, bounded, free" \
	heddle sim mesh:4x4 -e hdor -s routing.adaptive=ar:loose $short
says "an age of nothing" "age is about state bounded" \
	heddle sim mesh:4x4 -e hdor -s routing.options=ar=negative-first -s routing.adaptive=ar:free,age=1us $short
says "an age without a unit" "age: '5' needs a unit" \
	heddle sim mesh:4x4 -e hdor -s routing.options=ar=negative-first -s routing.adaptive=ar:bounded,age=5 $short
says "an age of 0" "age: 0 is not in" \
	heddle sim mesh:4x4 -e hdor -s routing.options=ar=negative-first -s routing.adaptive=ar:bounded,age=0 $short
says "a rule of VCs" "routing.vcs: ar goes on VCs by the tables alone" \
	heddle sim mesh:4x4 -e hdor -s routing.options=ar=negative-first -s routing.adaptive=ar -s routing.vcs=hop:2 $short
says "the tables' VLs for others" "routing.vcs: olm goes on VCs by hop" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s routing.vcs=tables $short

# private LFTs: packets from hosts take the LFT, those from switches another
not_ok "a ring" 1 heddle route torus:5 -e minhop --force --plain -o private
cp -r private bare5
python3 - >private/ar.dump <<'EOF2'
import re
lfts = open("private/opensm-lfts.dump").read()
tables = re.findall(r"switch Lid (\d+) guid (0x[0-9a-f]+) \('(.*)'\):\n((?:0x.*\n)*)", lfts)
print(f"AR tables of {len(tables)} switches")
for lid, guid, name, lines in tables:
    print(f'\nSwitch {guid}, base LID {lid}, "{name}"\nplfts 2 by SL\nin 2-3:' + " 1" * 16 + "\nplft 1")
    entries = re.findall(r"(0x[0-9a-f]+) (\d+)", lines)
    for entry, port in entries:
        print(entry, port, "static")
    print(f"0 groups, {len(entries)} lids dumped")
EOF2
heddle check torus:5 -e minhop --json >lfts.json
json "equal private LFTs prove what LFTs do" \
	"j['failure'], j['channels'], j['dependencies'], len(j['witness'])" \
	"$(python3 -c "import json; j = json.load(open('lfts.json')); print((j['failure'], j['channels'], j['dependencies'], 5))")" \
	heddle check private --json
like "the cycle has the pLFT" "$(heddle check private)" 'pLFT 1, static'
like "and the text counts them" "$(heddle check private)" 'private LFTs +5 switches have up to 2 LFTs'
json "show ar: the map" "[j['map']['by'], j['map']['rows'][2][0], len(j['plfts'])]" "['SL', 1, 2]" \
	heddle show private ar S1 --json
like "in text" "$(heddle show private ar S1)" $'group  ports\npLFT +LID +port +state +group +destination\n +1 '
ok "tables without sets" heddle route mesh:4 -e hdor -o bare
says "have nothing to show" "no AR tables" heddle show bare ar S0
ok "a copy" heddle convert --opensm private again
ok "is the same" cmp private/ar.dump again/ar.dump
sed -i 's/^in 2-3:.*/in 2:'"$(printf ' 1%.0s' {1..16})"'/; s/^in 3:.*//' again/ar.dump
json "diff: the rows of the map" "[j['ar_entries'], j['ar_rows']]" "[0, 5]" heddle diff private again --json
for what in "sim private -s traffic.load=0.1" "show private load" "show private path S0 S1"; do
	# shellcheck disable=SC2086 # several words
	says "what follows LFTs refuses them: $what" "private LFTs or VL2VL" heddle $what
done
sed -i 's/^plfts 2/plfts 5/' again/ar.dump
says "five pLFTs" "5 pLFTs: expected 2 .. 4" heddle check again

# local repair: what stands in closes a ring
not_ok "a mesh with entries that can be repaired" 1 \
	heddle route mesh:4x4 -e hdor:ar=minimal -l single --force -o repair
sed -i 's/ free / static /' repair/ar.dump
ok "without failures it is sound" heddle check repair
not_ok "with a port down, by what stands in, it is not" 1 heddle check repair --local-repair 1
like "the witness tells" "$(heddle check repair --local-repair 1)" 'stands in'
json "in JSON" "j['local_repair'], any(c['by']['group'] is not None for c in j['witness'])" "(1, True)" \
	heddle check repair --local-repair 1 --json
says "LFTs alone are not repaired" "there are none" heddle check mesh:4x4 -e minhop --local-repair 1
says "three ports" "local-repair" heddle check repair --local-repair 3

# mixtures: every entry and every group is old or new
ok "other default ports, the same sets" heddle route mesh:4x4 -e hdor:ar=negative-first,order=yx -o other
ok "mixtures are sound" heddle check other --between mesh
not_ok "sets on one layer" 1 heddle route mesh:4x4 -e hdor:ar=minimal -l single --force -o minimal
not_ok "their mixtures are not" 1 heddle check minimal --between mesh
like "the hop says which tables" "$(heddle check minimal --between mesh)" '  mixed'
json "in JSON" "j['changes']['sets']" 144 heddle check minimal --between mesh --json
json "private LFTs: the loop is there, whatever is old or new" "j['failure'], len(j['witness'])" "('credit loop', 5)" \
	heddle check private --between private --json
like "each hop says which tables" "$(heddle check private --between bare5 2>&1)" "LFT entry +SL2VL row"

# rounds: old sets go, LFTs change, new sets come
ok "sets by another order" heddle route mesh:4x4 -e updn:ar=yes -o updn
not_ok "not all mixtures are sound" 1 heddle check updn --between mesh
json "so sets go first and come last" \
	"j['scheduled'], j['at_once'], [r['port_sets'] for r in j['rounds'] if r['port_sets']], j['pairs_lost']" \
	"(True, False, [144, 160], 0)" heddle diff --schedule mesh updn --json
like "the table says so" "$(heddle diff --schedule mesh updn)" '160 new$'
json "sets that go together change at once" "j['at_once'], len(j['rounds'])" "(True, 1)" \
	heddle diff --schedule mesh other --json
like "nothing changes" "$(heddle diff --schedule private private)" "schedule +nothing changes"
like "and nowhere into a loop" "$(heddle diff --schedule bare5 private)" "none: the new tables have a loop by themselves"

# the simulator goes by private LFTs, and by a hash
heddle route mesh:4x4 -e hdor --plain -o lfts >lfts.out
cp -r lfts plfts
python3 - >plfts/ar.dump <<'EOF2'
import re
lfts = open("plfts/opensm-lfts.dump").read()
tables = re.findall(r"switch Lid (\d+) guid (0x[0-9a-f]+) \('(.*)'\):\n((?:0x.*\n)*)", lfts)
print(f"AR tables of {len(tables)} switches")
for lid, guid, name, lines in tables:
    print(f'\nSwitch {guid}, base LID {lid}, "{name}"\nplfts 3 by VL\nin 0-1:' + " 1" * 15 + "\nin 2-5:" + " 2" * 15)
    entries = re.findall(r"(0x[0-9a-f]+) (\d+)", lines)
    for plft in 1, 2:
        print("plft", plft)
        for entry, port in entries:
            print(entry, port, "static")
    print(f"0 groups, {2 * len(entries)} lids dumped")
EOF2
run="-s routing.adaptive=ar -s switch.allocator=input -s traffic.load=0.6 -s run.warmup=10us -s run.measure=50us --csv -"
# shellcheck disable=SC2086 # several words
is "private LFTs like the LFT: the same run" "$(heddle sim plfts $run 2>&1 | cut -d, -f 20- | sed 's/[^,]*$//')" \
	"$(heddle sim lfts ${run/ar /ar:static } 2>&1 | cut -d, -f 20- | sed 's/[^,]*$//')"
ok "entries by hash" heddle route tree:k=4,n=2 -e dmodc:ar=yes,ar_state=hash -o hash
# shellcheck disable=SC2086 # several words
like "keep flows in order" "$(heddle sim hash ${run/--csv -/} 2>&1)" 'out_of_order +0 '
ok "on three levels" heddle route tree:k=4,n=3 -e dmodc:ar=yes,ar_state=hash -o hash3
# shellcheck disable=SC2086 # several words
like "a flow has other indices at other switches: they use all 16 top switches, not 4" \
	"$(heddle sim hash3 ${run/--csv -/} -s traffic.load=1 2>&1)" 'accepted +0\.[5-9]'
says "other runs refuse private LFTs" "private LFTs or VL2VL" heddle sim plfts -s traffic.load=0.1
says "and other routings" "private LFTs or VL2VL" heddle sim plfts -s routing.adaptive=minimal -s traffic.load=0.1

# any fabric, where links are missing, renumbered: LFTs stay, and ports are added where no cycle closes
heddle topo torus:6x6,p=2 --fail-links 4 --seed 2 -o holes.net >holes.out
ok "any's sets on a torus with gaps" heddle check holes.net -e any:ar=yes --local-repair 2
heddle route holes.net -e any --plain -o any >any.out
heddle route holes.net -e any:ar=yes --plain -o any-sets >any.out
is "LFTs are those without sets" "$(cmp any/opensm-lfts.dump any-sets/opensm-lfts.dump 2>&1)" ""
like "many entries have a choice" "$(heddle check any-sets)" "AR sets +[1-9][0-9]{2,} entries"
ok "any's sets without any one link" heddle faults torus:3x3 -e any:ar=yes --links 1
says "no such value" "ar" heddle check torus:4x4 -e any:ar=trunks

# a tree with gaps: LFTs that are evened out beside the sets would close a cycle
heddle topo tree:k=4,n=3 --fail-links 12 --seed 4 -o gaps.net >gaps.out
ok "dmodc's sets on a tree with gaps" heddle check gaps.net -e dmodc:ar=yes
ok "and what stands in there" heddle check gaps.net -e dmodc:ar=yes,ar_state=static --local-repair 2
ok "dfplus's sets" heddle check dragonflyplus:leaves=3,g=4 -e dfplus:ar=minimal
heddle topo dragonflyplus:leaves=3,g=4 --fail-links 1 -o plus.net >plus.out
refused "need an intact Dragonfly+" "for an intact Dragonfly" heddle check plus.net -e dfplus:ar=minimal

# with detours by another group: private LFTs by in-port and VL, and VL2VL
ok "dfplus's detours" heddle route dragonflyplus:leaves=3,g=4 -e dfplus:ar=valiant -o detours
like "have 2 VLs" "$(heddle check detours --local-repair 2)" $'\nVLs +2\n'
ok "also where a link is missing" heddle check plus.net -e dfplus:ar=valiant
ok "LFTs are those without" heddle route dragonflyplus:leaves=3,g=4 -e dfplus -o straight
ok "so a subnet manager may load these" cmp detours/opensm-lfts.dump straight/opensm-lfts.dump
refused "no queues there" "queues follow the SL" heddle check dragonflyplus:leaves=3,g=4 -e dfplus:ar=valiant -q dbbm:2
plus="dragonflyplus:leaves=3,g=4 -e dfplus -s routing.options=ar=valiant -s routing.adaptive=ar"
# shellcheck disable=SC2086 # several words
is "what is proved does not come to a stand" "$(of deadlock dropped -- $plus $small)" "0 0"
# Half of a group's traffic goes by other groups, where one link leads to the next one.
# shellcheck disable=SC2086
like "detours serve adversarial traffic" \
	"$(of accepted -- $plus $short -s traffic.pattern=adversarial:1 -s traffic.load=0.9)" '^0\.[4-9]'
# packets that turn upwards at a leaf stay on VL 0
cp -r detours kept
sed -i -E '/^in .* out .*: 1 15/s/: 1 15/: 0 1/' kept/ar.dump
not_ok "without the next VL" 1 heddle check kept
like "they close a cycle" "$(heddle check kept)" 'credit loop'
# shellcheck disable=SC2086
is "and come to a stand" "$(of deadlock -- kept -s routing.adaptive=ar $small --no-proof)" 1

finish
