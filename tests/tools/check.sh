#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle check
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

heddle route $dragonfly -e dla -o dla >/dev/null
heddle route $dragonfly -e dla -q xordet:4 -o xordet >/dev/null
heddle route $dragonfly -e minhop -o minhop --force >/dev/null

prints "sound" check-dla heddle check dla
prints "sound, in JSON" check-dla.json heddle check dla --json
prints "a credit loop" check-minhop heddle check minhop
prints "a credit loop, in JSON" check-minhop.json heddle check minhop --json
ok "dla with any SL" heddle check dla --all-sls
ok "dla with the SL of the opposite direction" heddle check dla --reversed-sl
ok "xordet with the SL of the opposite direction" heddle check xordet --reversed-sl
json "every SL counts" "j['sls']" 16 heddle check dla --all-sls --json
json "all keys are there" "sorted(j)" \
	"['all', 'channels', 'dependencies', 'failure', 'hosts', 'max_hops', 'reachable', 'scope', 'sls', 'sound', 'vlarb_unknown', 'vls', 'witness']" \
	heddle check dla --json
json "the same keys for each scope" "sorted(j['hosts']) == sorted(j['all']), sorted(j['all'])" \
	"(True, ['channels', 'dependencies', 'failure', 'max_hops', 'reachable', 'sls', 'sound', 'vlarb_unknown', 'vls', 'witness'])" \
	heddle check dla --json
at_top="[j['scope']] + [all(j[key] == j[scope][key] for key in j[scope]) for scope in ('all', 'hosts')]"
json "those at the top are of the scope" "$at_top" "['all', True, False]" heddle check minhop --json
json "of hosts" "$at_top" "['hosts', False, True]" heddle check minhop --json --scope hosts
says "no such scope" "'switches' is neither hosts nor all" heddle check dla --scope switches
json "keys of a channel of the witness" "sorted(j['witness'][0])" \
	"['flow', 'guid', 'port', 'switch', 'vl']" heddle check minhop --json
not_ok "one VL is too few for dla" 1 heddle check dla --max-vls 1
json "then VL 1 is dropped" "j['reachable'], j['bad']['entries'] > 0" "(False, True)" \
	heddle check dla --max-vls 1 --json

# Bubble flow control: cycles within a ring are allowed, no others.
heddle route torus:8x8 -e hdor -l single -o single --force >/dev/null
not_ok "a torus without datelines" 1 heddle check single
ok "is sound with bubbles" heddle check single --bubble
like "the tool says that InfiniBand has none" "$(heddle check single --bubble)" \
	"bubble +32 cycles, each in one ring.*which InfiniBand does not have"
json "in JSON" "j['sound'], j['vls'], j['bubble_rings']" "(True, 1, 32)" heddle check single --bubble --json
not_ok "rings of two cables, among which packets change, are not" 1 \
	heddle check torus:6x6,p=2,trunk=2 -e hdor -l single --bubble
json "datelines have no such cycle" "j['sound'], j['bubble_rings']" "(True, 0)" heddle check torus:8x8 -e hdor --bubble --json
for order in x+y+x-y- y-x+x-y+; do
	heddle route torus:6x5 -e hdor:order=$order -l single -o order --force >/dev/null
	ok "directions $order" heddle check order --bubble
done
for queues in dbbm:4 xordet:4 iodet:2; do
	heddle route torus:5x5 -e hdor -l single -q $queues -o queues --force >/dev/null
	ok "a VL for each queue and no more: $queues" heddle check queues --bubble --max-vls "${queues#*:}"
done
json "osha has no datelines then" "j['sound'], j['sls'], j['vls']" "(True, 2, 2)" heddle check torus:5x5 -e osha --bubble --json
json "with queues, too" "j['sound'], j['sls'], j['vls'], j['bubble_rings'] > 0" "(True, 4, 4, True)" \
	heddle check torus:5x5x5 -e osha -q dbbq:2 --bubble --json
json "which datelines leave no SLs for" "j['sound'], j['sls'], j['vls']" "(True, 4, 4)" heddle check torus:5x5x5 -e hdor -l single -q bbq:4 --bubble --json
says "queues of a snapshot are its own" "--queues goes with --engine" heddle check single -q bbq:4
json "else it does" "j['sound'], j['sls'], j['vls']" "(True, 8, 4)" heddle check torus:5x5 -e osha --json
json "cycles from ring to ring stay" "j['failure'], len(j['witness'])" "('credit loop', 4)" \
	heddle check torus:8x8 -e minhop --bubble --json
says "a mesh has no rings" "bubble flow control is for rings, and this fabric has none" heddle check mesh:4x4 -e hdor --bubble
says "nor has a dragonfly" "this fabric has none: not a grid" heddle check dla --bubble
says "nor a KNS" "this fabric has none" heddle check kns:k=3,n=2 -e hdor --bubble
says "not with packets whose VCs are in no groups" "with bubble flow control packets that choose have VCs by groups" \
	heddle check torus:4x4 -e hdor --bubble --adaptive dal
says "nor with sets of ports" "ar goes by sets of ports, which bubbles are not proved for" \
	heddle check torus:4x4 -e hdor --bubble --adaptive ar

# The witness really is a cycle: each flow's path has its channel and, next, the following one.
heddle check minhop --json >minhop.json
cat >follow.py <<'END'
import json, subprocess
witness = json.load(open("minhop.json"))["witness"]
assert len(witness) >= 3
for held, wanted in zip(witness, witness[1:] + witness[:1]):
    flow = held["flow"]
    path = json.loads(subprocess.check_output(
        ["heddle", "show", "minhop", "path", flow["source_guid"], str(flow["lid"]),
         "--sl", str(flow["sl"]), "--json"]))["hops"]
    channels = [(hop["name"], hop["out"], hop["vl"]) for hop in path]
    place = channels.index((held["switch"], held["port"], held["vl"]))
    assert channels[place + 1] == (wanted["switch"], wanted["port"], wanted["vl"]), held
END
ok "the witness is a cycle of flows" python3 follow.py

# What is wrong with tables is found: one entry of an LFT each.
damage() { # NAME EXPRESSION: a copy of dla with a sed expression on its LFTs
	rm -rf "$1"
	cp -r dla "$1"
	sed -i -E "$2" "$1/opensm-lfts.dump"
	cmp -s dla/opensm-lfts.dump "$1/opensm-lfts.dump" && echo "# nothing changed"
}
damage lost '0,/^0x0008 [0-9]+/s//0x0008 255/'
not_ok "a missing entry" 1 heddle check lost
like "is told with the flow" "$(heddle check lost)" 'reachable +no.*flow from .*fails at.*no path'

# Packets that go round: LID 5 between G0S0 and G0S1, each by its port 3; beside a missing entry.
looping() { # FILE: entries of two switches set
	awk '/^Unicast lids/ { name = $NF; gsub(/[^A-Z0-9]/, "", name) }
	     name ~ /^G0S[01]$/ && $1 == "0x0005" { $2 = "003" }
	     name == "G0S0" && $1 == "0x0008" { $2 = "255" }
	     { print }' "$1"
}
cp -r dla looping
looping dla/opensm-lfts.dump >looping/opensm-lfts.dump
not_ok "a forwarding loop" 1 heddle check looping
heddle check looping >looping.text
like "is named beside a missing entry, and counted" "$(grep '^verdict' looping.text)" \
	'no path: 1 time, .*; forwarding loop: 2 times \([1-9][0-9]* flows\), first from'
like "hop by hop: switch, in-port, out-port" "$(sed -n '/go round here/,$p' looping.text | tr -s ' ')" \
	'switch in out.* G0S[01] 3 3.* G0S[01] 3 3'
json "in JSON" "sorted((h['switch'], h['in'], h['out']) for h in j['loop'])" \
	"[('G0S0', 3, 3), ('G0S1', 3, 3)]" heddle check looping --json
json "in JSON: all kinds of failure" "[(f['failure'], f['entries']) for f in j['failures']]" \
	"[('no path', 1), ('forwarding loop', 2)]" heddle check looping --json
# as many flows as show says: not those from the destination, nor from what still goes the right way
flows=0
for source in $(sed -nE 's/^(Switch|Ca).*# "([^"]*)".*/\2/p' dla/fabric.net); do
	heddle show looping path "$source" 5 2>/dev/null | grep -q 'forwarding loop' && flows=$((flows + 1))
done
json "in JSON: how many flows" "j['looping_flows']" $flows heddle check looping --json

# Two verdicts: hosts reach each other, and switches are not reached.
cp -r dla unmanaged
sed -i -E "s/^(0x[0-9a-f]+ )[0-9]+( # Switch portguid)/\1255\2/" unmanaged/opensm-lfts.dump
not_ok "no routes to switches" 1 heddle check unmanaged
not_ok "is nothing to hosts" 0 heddle check unmanaged --scope hosts
like "both are told" "$(heddle check unmanaged)" \
	'scope +all.*reachable +no.*verdict +hosts sound; with switches: no path: [0-9]+ times'
like "both are told in the scope of hosts" "$(heddle check unmanaged --scope hosts)" \
	'scope +hosts.*reachable +yes.*verdict +hosts sound; with switches: no path: [0-9]+ times.*fails at'
json "in JSON" "[j['sound'], j['hosts']['sound'], j['all']['sound'], j['all']['failure']]" \
	"[True, True, False, 'no path']" heddle check unmanaged --json --scope hosts
not_ok "a credit loop of hosts" 1 heddle check minhop --scope hosts
like "of both" "$(heddle check minhop)" 'hosts: credit loop of 4 channels .*; with switches: credit loop of 4'

# what is missing is said
cp -r dla bare
rm bare/opensm-sl2vl.dump bare/path-sl.dump bare/opensm-vlarb.dump
heddle check bare >out 2>err
like "no SL2VL: said on stderr" "$(<err)" 'heddle: .*opensm-sl2vl.dump.*'
like "no path SLs: said on stderr" "$(<err)" 'heddle: .*path-sl.dump'
heddle check bare --quiet >out 2>err
is "not with --quiet" "$(<err)" ""
cp -r dla unarbitrated
rm unarbitrated/opensm-vlarb.dump
ok "no VL arbitration: nothing starves" heddle check unarbitrated
like "no VL arbitration: said on stderr" "$(heddle check unarbitrated 2>&1 >/dev/null)" \
	'ports? with several VLs, .* the first: no VL arbitration given'
json "no VL arbitration: in JSON" "j['sound'] and j['vlarb_unknown'] > 0" True heddle check unarbitrated --json
json "none lacks it" "j['vlarb_unknown']" 0 heddle check dla --json

# VL 1 without an entry, or with weight 0, at all ports; and at one
for entry in '' ' 1:0'; do
	cp -r dla starved
	sed -i -E "s/ 1:64\$/$entry/" starved/opensm-vlarb.dump
	not_ok "starved by '$entry'" 1 heddle check starved
	like "starved by '$entry': is told" "$(heddle check starved)" \
		'verdict +hosts: starved VLs: [0-9]+ times, first from .* on VL 1;.*starved VLs .*, VL 1'
	rm -r starved
done
cp -r dla starved
awk '/^Switch/ { ours = /"G0S0"/ } ours && $1 == 3 && $2 == "low" { sub(/ 1:64/, "") } { print }' \
	dla/opensm-vlarb.dump >starved/opensm-vlarb.dump
json "starved at one port" "[(f['failure'], f['entries'], f['node'], f['port'], f['vl']) for f in j['failures']]" \
	"[('starved VLs', 1, 'G0S0', 3, 1)]" heddle check starved --json
flow=$(heddle check starved --json | python3 -c 'import json, sys
flow = json.load(sys.stdin)["bad"]["flow"]
print(flow["source"], flow["lid"])')
# shellcheck disable=SC2086 # two words
like "by the flow that is told" "$(heddle show starved path $flow | tr -s ' ')" 'G0S0 [0-9-]+ 3 1'
not_ok "dla's routes on one VL are unsound" 1 heddle check bare

# a dump directory beside a netfile
mkdir dumps
cp dla/*.dump dumps
cp dla/fabric.net .
ok "--fabric" heddle check dumps --fabric fabric.net
heddle topo dragonfly:a=4,p=2,h=2 -o no-lids.net >/dev/null
says "a fabric without LIDs" "the fabric has no LIDs: .*'heddle topo FILE --assign-lids -o NEW'" heddle check dumps --fabric no-lids.net
says "no fabric" 'dumps/fabric.net: ' heddle check dumps
says "no such netfile" 'nowhere: ' heddle check dumps --fabric nowhere

# what OpenSM 3.3.23 dumped (tests/data/opensm)
recorded=$top_srcdir/tests/data/opensm
for name in minhop mcast updn-lmc2; do
	ok "OpenSM's $name" heddle check "$recorded/$name"
done
prints "OpenSM's dfsssp on a ring, its path SLs not known" check-dfsssp-ring \
	heddle check "$recorded/dfsssp-ring"
like "multicast adds dependencies" \
	"$(heddle check "$recorded/mcast" --quiet | awk '$1 == "dependencies" { print $2 }') > $(
		heddle check "$recorded/minhop" --quiet | awk '$1 == "dependencies" { print $2 }')" \
	'^35 > 31$'

# A dump that lacks switches: what passes them is not covered, the rest is judged.
lacking() { # SNAPSHOT SWITCH...: without their tables
	local snapshot=$1 names
	shift
	names=$(printf "|'%s'" "$@")
	awk -v names="${names:1}" '/^Unicast lids/ { leaves = $0 ~ "[(](" names ")[)]" } !leaves' \
		dla/opensm-lfts.dump >"$snapshot/opensm-lfts.dump"
}
cp -r dla lacking
lacking lacking G0S0 G3S1
not_ok "switches without a table: nothing is proved of the whole" 2 heddle check lacking
heddle check lacking >out 2>err
like "which, and how many pairs" "$(<out)" \
	'reachable +not known of all.*without a table +2 of 36 switches: G0S0, G3S1.*not covered +2064 of 11556 pairs'
like "a verdict apart" "$(<out)" 'verdict +hosts: not covered: 916 of 5112 flows pass .*; the rest is sound; with switches: not'
like "the last line on stderr" "$(tail -n 1 err)" 'heddle: lacking: the LFTs of 2 of 36 switches are missing'
json "in JSON" "[j['sound'], j['failure'], j['reachable'], j['flows'], j['uncovered'], j['hosts']['uncovered'],
	[s['name'] for s in j['switches_without_table']], 'bad' in j]" \
	"[False, 'not covered', None, 11556, 2064, 916, ['G0S0', 'G3S1'], False]" heddle check lacking --json
is "as many as show says, pair by pair" "$(for lid in $(heddle show dla lft G0S1 | awk '$NF ~ /^H-/ { print $1 }'); do
	heddle show lacking path H-00002 "$lid" 2>&1 >/dev/null | grep -c 'not covered: the snapshot has no LFT of G'
done | awk '{ n += $1 } END { print n }')" "$(for lid in $(heddle show dla lft G0S1 | awk '$NF ~ /^H-/ { print $1 }'); do
	heddle show dla path H-00002 "$lid" | grep -qE '^ +G(0S0|3S1) ' && echo 1
done | wc -l)"
cp -r minhop minhop-lacking
awk '/^Unicast lids/ { leaves = /G8S3/ } !leaves' minhop/opensm-lfts.dump >minhop-lacking/opensm-lfts.dump
not_ok "a credit loop beside it is one" 1 heddle check minhop-lacking
like "and told first" "$(heddle check minhop-lacking)" 'verdict +hosts: credit loop of .*; not covered: '
awk '/^Unicast lids/ { name = $NF } name ~ /G1S0/ && $1 == "0x0008" { $2 = "255" } { print }' \
	lacking/opensm-lfts.dump >out
cp out lacking/opensm-lfts.dump
not_ok "a missing entry beside it is one" 1 heddle check lacking
json "and counted alone" "j['reachable'], [(f['failure'], f['entries']) for f in j['failures']]" \
	"(False, [('no path', 1)])" heddle check lacking --json

# bad input
says "no such snapshot" 'nowhere: not a snapshot directory' heddle check nowhere
says "a file" 'fabric.net: not a snapshot directory: a file has no tables \(heddle route FILE -e ENGINE' heddle check fabric.net
damage bad '5s/.*/0x0001 zero/'
says "a malformed dump: file and line" 'bad/opensm-lfts.dump:5: ' heddle check bad
cp -r dla cut
for bytes in 20000 20005 20020 20050; do # within a table; a line or more
	head -c $bytes dla/opensm-lfts.dump >cut/opensm-lfts.dump
	not_ok "a dump cut short after $bytes bytes" 2 heddle check cut
	like "as far as it goes" "$(heddle check cut 2>&1)" \
		'lfts.dump:[0-9]+: the table of G0S2 is cut short: .*without a table +34 of 36 .*; the rest is sound'
	says "--strict: an error" 'cut/opensm-lfts.dump:[0-9]+: ' heddle check cut --strict
done
{
	head -c 1000 dla/opensm-lfts.dump | sed '$d'
	sed -n "/'G0S1'):\$/,\$p" dla/opensm-lfts.dump
} >cut/opensm-lfts.dump
like "a table cut short before another" "$(heddle check cut 2>&1)" \
	'the table of G0S0 is cut short: .*without a table +1 of 36 switches: G0S0'
# tables without their last lines: whole by the ranges in their headings, but for the last one, which is cut
grep -v 'lids dumped' dla/opensm-lfts.dump >cut/opensm-lfts.dump
heddle check cut >out 2>notes
is "tables without 'N lids dumped': sound" $? 0
like "one note" "$(grep lfts <notes)" 'opensm-lfts.dump:[0-9]+: 36 tables without a line .N lids dumped.: taken, as nothing of the ranges'
is "one line" "$(grep -c lfts notes)" 1
same "the same verdict" out <(heddle check dla)
says "--strict: an error" "cut/opensm-lfts.dump:[0-9]+: the table of G0S0 is cut short: 'N lids dumped' is missing" heddle check cut --strict
sed -i '$d' cut/opensm-lfts.dump
like "the last table lacks a LID" "$(heddle check cut 2>&1)" \
	'opensm-lfts.dump:[0-9]+: the table of G8S3 is cut short: .N lids dumped. is missing, and so is LID 0x[0-9a-f]+: taken to have none'
not_ok "what goes by that switch is not covered" 2 heddle check cut
grep -v 'lids dumped' dla/opensm-lfts.dump | head -c -3 >cut/opensm-lfts.dump
like "the last line is torn" "$(heddle check cut 2>&1)" \
	'the table of G8S3 is cut short: .N lids dumped. is missing, and the file ends amid a line: .*without a table +1 of 36 switches: G8S3'
sed 's/ \[[0-9x-]*\] / [what] /' dla/opensm-lfts.dump | grep -v 'lids dumped' >cut/opensm-lfts.dump
heddle check cut >out 2>/dev/null
is "without a range: nothing is covered" $? 2
like "and nothing is said of a rest" "$(grep verdict out)" 'hosts: not covered: ([0-9]+) of \1 flows pass 36 switches without a table; with switches: .* without a table$'
head -c 30 dla/opensm-lfts.dump >cut/opensm-lfts.dump
like "amid the first line" "$(heddle check cut 2>&1)" 'the file ends amid a line: .*without a table +36 of 36 '

finish
