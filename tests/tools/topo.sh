#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle topo
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

prints "the dragonfly of 72 hosts" topo-dragonfly heddle topo $dragonfly
prints "the same in JSON" topo-dragonfly.json heddle topo $dragonfly --json
prints "a torus" topo-torus heddle topo torus:4x4
prints "LIDs" topo-lids heddle topo $dragonfly --lmc 2
prints "a local and a global link cut" topo-cut \
	heddle topo $dragonfly --fail-links 'G0S0[3],G0S0[6]'

# what is written is read back as the same
ok "write" heddle topo $dragonfly -o a.net
same "a netfile describes as its spec" <(heddle topo a.net) <(heddle topo $dragonfly)
ok "write again" heddle topo a.net -o b.net
same "the same bytes" a.net b.net
heddle topo a.net -o - >c.net
same "to standard output" a.net c.net
heddle topo - -o d.net <a.net >/dev/null
same "from standard input" a.net d.net
ok "LIDs are written" bash -c 'heddle topo a.net --lmc 1 -o l.net && heddle topo l.net | grep "LMC 1"'
ok "and kept" bash -c 'heddle topo l.net -o m.net && cmp l.net m.net'
ok "the same over those there" bash -c 'heddle topo l.net --assign-lids | grep "LMC 0"'
json "the host that the subnet manager is on gets LID 1" "j['hops'][0]['name']" H-00040 \
	bash -c "heddle route a.net -e dla --sm H-00040 -o sm >&2 && heddle show sm path 1 2 --json"

# which engine serves, and what the next best gives
json "the engine and the next best" "[e['name'] for e in j['engines']]" "['dla', 'df-sssp', 'df-minhop', 'any', 'updn']" \
	heddle topo $dragonfly --json
json "what they give" "[(e['vls'], e['busiest'] > 60) for e in j['engines']]" "[(2, True), (3, True), (3, True), (1, True), (1, True)]" \
	heddle topo $dragonfly --engines --json
ok "in words" bash -c "heddle topo torus:5x5 --engines | grep -E '^engine .*hdor: the topology is torus 5x5; SLs 4, VLs 2, busiest link'"
# two of four spines have slower links: updn, which gives all as many flows, is not the best there
heddle topo tree:k=4,n=2 -o even.net
sed '/L1S[23]/s/4xHDR/4xEDR/; /^Switch.*"L1S[23]"/,/^$/s/4xHDR/4xEDR/' even.net >slower.net
json "slow links count by their rate" "[(e['name'], e['busiest']) for e in j['engines'] if e['name'] != 'any'], j['engine']" \
	"([('dmodc', 20), ('updn', 24)], 'any')" heddle topo slower.net --engines --json
ok "which words say" bash -c "heddle topo slower.net --engines | grep '^next best .*updn.*busiest link 24 flows by rate, 1.33 times'"
# a second, not the ten that lanes and the proof would take
json "the engine for a large fabric that lacks links" "(j['engine'], j['engine_tried'])" "('hdor', False)" \
	heddle topo torus:16x16x8,p=2 --fail-links 3 --json
json "that for a small one was tried" "j['engine_tried']" True heddle topo torus:5x5 --fail-links 3 --json

# failures
links() {
	heddle topo "$@" --json | python3 -c 'import json, sys; print(json.load(sys.stdin)["switch_links"])'
}
all=$(links $dragonfly)
is "ten links fewer" "$(links $dragonfly --fail-links 10)" $((all - 10))
heddle topo $dragonfly --fail-links 10 --seed 7 -o f1.net >/dev/null
heddle topo $dragonfly --fail-links 10 --seed 7 -o f2.net >/dev/null
heddle topo $dragonfly --fail-links 10 --seed 8 -o f3.net >/dev/null
same "a seed chooses the same links" f1.net f2.net
not_ok "another seed chooses others" 1 cmp f1.net f3.net
json "three switches fewer" "j['switches'], j['adapters']" "(33, 66)" \
	heddle topo $dragonfly --fail-switches 3 --json
json "a switch by name" "j['switches'], j['shape']['missing']['switches']" "(35, 1)" \
	heddle topo $dragonfly --fail-switches G3S1 --json
json "a host's link takes the host along" "j['adapters']" "71" \
	heddle topo $dragonfly --fail-links 'H-00000[1]' --json
says "more links than there are" "links between switches" heddle topo $dragonfly --fail-links 1000
says "more switches than there are" "switches to fail" heddle topo $dragonfly --fail-switches 37
says "no such switch" "G99" heddle topo $dragonfly --fail-switches G99
says "a host is no switch" "'H-00000' is not a switch" \
	heddle topo $dragonfly --fail-switches H-00000
says "not NODE[PORT]" "is not NODE\[PORT\]" heddle topo $dragonfly --fail-links G0S0
says "no link at all" "is not NODE\[PORT\]" heddle topo $dragonfly --fail-links ''
says "no switch at all" "no node" heddle topo $dragonfly --fail-switches ''
says "an empty item" "no node" heddle topo $dragonfly --fail-switches G0S0,,G0S1
says "all switches" "nothing is left" heddle topo $dragonfly --fail-switches 36 -o nothing.net
ok "no netfile without nodes" test ! -e nothing.net
says "no such port" "port" heddle topo $dragonfly --fail-links 'G0S0[99]'
says "a port that has no link" "has no link" heddle topo $dragonfly --fail-links 'G0S0[0]'

# end nodes that are no hosts: storage on the spines of a tree, as many as hosts on leaves
heddle topo tree:k=4,n=2 -o tree.net >/dev/null
python3 - tree.net >storage.net <<'END'
import re, sys
text = open(sys.argv[1]).read()
spines = re.findall(r'^Switch\t(\d+) "(S-[0-9a-f]+)"\s+# "(L1[^"]*)"', text, re.M)
assert len(spines) == 4, spines
nodes = ""
for s, (ports, name, label) in enumerate(spines):
    lines = ""
    for i in range(4):
        guid = 0x3000000000000000 + 256 * s + 16 * i
        lines += '[%d]\t"H-%016x"[1](%x) \t\t# "store-%d-%d" lid 0 4xHDR\n' % (int(ports) + 1 + i, guid, guid + 1, s, i)
        nodes += ('vendid=0x0\ndevid=0x0\nsysimgguid=0x%x\ncaguid=0x%x\nCa\t1 "H-%016x"\t\t# "store-%d-%d"\n'
                  '[1](%x) \t"%s"[%d]\t\t# lid 0 lmc 0 "%s" lid 0 4xHDR\n\n'
                  % (guid, guid, guid, s, i, guid + 1, name, int(ports) + 1 + i, label))
        print("0x%016x" % guid, file=open("storage", "a"))
    head = re.search(r'^Switch\t%s "%s".*\n' % (ports, name), text, re.M)
    block = head.group(0).replace("Switch\t%s" % ports, "Switch\t%d" % (int(ports) + 4))
    text = text.replace(head.group(0), block + lines)
sys.stdout.write(text.rstrip("\n") + "\n\n" + nodes)
END
not_ok "storage on spines: no tree" 1 heddle route storage.net -e dmodc -o storage.tables
json "storage in a file" "j['shape']['name'], j['shape']['end_nodes_above_leaves']" "('fat tree', 16)" \
	heddle topo storage.net --no-hosts storage --json
ok "and is routed" heddle route storage.net -e dmodc:no_hosts=storage -o storage.tables
ok "soundly" heddle check storage.tables
says "no such file" "nowhere" heddle topo storage.net --no-hosts nowhere
echo "gateway" >bad.storage
says "a bad file" "bad.storage:1: expected a GUID" heddle topo storage.net --no-hosts bad.storage
sed -n 's/^switchguid=\(0x[0-9a-f]*\).*/\1/p' storage.net | head -n 1 >bad.storage
says "a switch" "bad.storage:1: .* is a switch, and no end node" heddle topo storage.net --no-hosts bad.storage

# groups from a file
for ((i = 0; i < 36; i++)); do
	printf '0x%016x %d\n' $((0x0001000000000000 + i)) $((i / 4))
done >good.groups
json "groups that a file says" "j['shape']['g'], j['shape']['missing']['local_pairs']" "(9, 0)" \
	heddle topo $dragonfly --groups good.groups --json
sed -e '1s/0$/1/' -e '5s/1$/0/' good.groups >swapped.groups
json "even if the links say otherwise" \
	"j['shape'] is None or j['shape']['missing']['local_pairs'] > 0" True \
	heddle topo $dragonfly --groups swapped.groups --json
says "no such group file" "nowhere" heddle topo $dragonfly --groups nowhere
echo "0x1 zero" >bad.groups
says "a bad group file" "bad.groups:1: " heddle topo $dragonfly --groups bad.groups

# grids
json "a KNS that lacks a link and a switch" "j['shape']['name'], j['shape']['sizes'], j['grid']['missing']" \
	"('kns', [4, 4], {'cables': 0, 'switches': 1, 'links': 1})" \
	heddle topo kns:k=4,n=2 --fail-switches X1 --fail-links 'R0.0[3]' --json
json "a torus of trunks that lacks two cables" "j['shape']['sizes'], j['shape']['cables'], j['grid']['missing']" \
	"([5, 5], [4, 4], {'cables': 2, 'switches': 0, 'links': 0})" \
	heddle topo torus:5x5,p=8,trunk=4 --fail-links 'S0.0[9],S0.0[10]' --json
trunks=$(heddle topo torus:5x5,p=8,trunk=4 --fail-links 'S0.0[9],S0.0[10]')
like "which is still one" "$trunks" $'switches +25 of 24 ports.*topology +torus 5x5\ntrunks +4x4 cables.*\nmissing cables +2 of trunks'
like "a HyperX is a dragonfly, too" "$(heddle topo hyperx:4x4)" 'topology +dragonfly a=4.*also a grid +hyperx 4x4'
not_tree="$(heddle topo tree:k=4,n=2 --fail-switches L1S0,L1S1,L1S2,L1S3)"
like "none of these" "$not_tree" 'not recognised: not a dragonfly: .*; not a grid: .*; not a fat tree: '

# fat trees
json "a tree" "j['shape']['name'], j['shape']['levels'], j['grid']" "('fat tree', [16, 16, 16], None)" \
	heddle topo tree:k=4,n=3 --json
json "a Slim Fly" "j['shape'], [e['name'] for e in j['engines']][0]" \
	"({'name': 'slimfly', 'q': 5, 'p': 4, 'missing': {'switches': 0, 'links': 0}}, 'layered')" heddle topo slimfly:q=5 --json
json "cables that a Slim Fly lacks, with ports" "j['shape']['missing']['links'], len(j['missing_cables']), j['shape']['q']" "(4, 4, 5)" \
	heddle topo slimfly:q=5 --fail-links 4 --json
json "a PolarFly without a switch" "j['shape']['name'], j['shape']['missing']" "('polarfly', {'switches': 1, 'links': 0})" \
	heddle topo polarfly:q=7 --fail-switches S0.1.0 --json
json "cables that a tree lacks" "j['shape']['missing']['cables'], j['shape']['odd_cables']" "(3, 0)" \
	heddle topo pgft:m=8x12,w=1x4,p=1x2 --fail-links 3 --json
like "the first of them" "$(heddle topo pgft:m=8x12,w=1x4,p=1x2 --fail-links 'L0S03[9]')" \
	'missing cables +1, first L0S03 - L1S0'

# every missing cable, with the ports that are free
cut='S00.00[2],S04.03[4],S09.09[2],S00.05[2],S01.05[4],S02.05[2],S03.05[4],S04.05[2],S05.05[4],S06.05[2],S07.05[4],S08.05[2]'
heddle topo torus:12x12 --fail-links "$cut" -o cut.net >/dev/null
is "in a pipe, all" "$(heddle topo cut.net | sed -n '/^missing cables:/,$p' | grep -c ' - ')" 12
json "in JSON" "len(j['missing_cables']), j['missing_cables'][0], j['odd_cables'], j['cables_of']" \
	"(12, {'from': {'name': 'S00.00', 'guid': '0x0001000000000000', 'port': None, 'ports': [2], 'likely_ports': []}, 'to': {'name': 'S01.00', 'guid': '0x0001000000000001', 'port': None, 'ports': [3], 'likely_ports': []}}, [], 'torus 12x12')" \
	heddle topo cut.net --json
on_terminal() {
	python3 -c 'import pty, sys; pty.spawn(sys.argv[1:])' "$@" | tr -d '\r'
}
like "on a terminal, ten" "$(on_terminal heddle topo cut.net)" $'missing cables: 12 of torus 12x12\n(  S[^\n]*\n){10}  ... and 2 more \(--all\)'
is "on a terminal, all" "$(on_terminal heddle topo cut.net --all)" "$(heddle topo cut.net)"
two_runs=(heddle sim "tree:k=2,n=2" -e dmodc -s "traffic.load=0.1,0.2" -s run.warmup=0 -s run.measure=1us)
like "a terminal shows what is done" "$(TERM=xterm on_terminal "${two_runs[@]}")" $'heddle: 2 of 2 runs.*\e\\[K'
not_ok "not one that cannot clear a line" 1 grep -q $'\e' <<<"$(TERM=dumb on_terminal "${two_runs[@]}")"
like "which one is not known" "$(heddle topo torus:12x12 --fail-links 'S00.00[2],S00.00[4]')" 'S00.00\[one of 2, 4\] - S01.00\[3\]'
real=${HEDDLE_SHARED:-$top_srcdir/../shared}/reference/real
if [[ -e $real/superpod-gb200.net ]]; then
	json "ports that the other leaves and spines have for them" "[(e['ports'], e['likely_ports']) for e in (j['missing_cables'][-1]['from'], j['missing_cables'][-1]['to'])]" \
		"[([18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 39, 40, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64], [39, 40]), ([2, 5, 6, 9, 10, 17, 18, 27, 28, 34, 49, 50], [27, 28])]" \
		heddle topo "$real/superpod-gb200.net" --json
	is "of a real fabric, all" "$(heddle topo "$real/superpod-gb200.net" | sed -n '/^missing cables:/,$p' | grep -c ' - ')" 26
fi
# a fabric that has no topology that is near
json "too odd for a shape" "j['cables_of'], j['missing_cables']" "(None, [])" \
	heddle topo tree:k=4,n=2 --fail-switches L1S0,L1S1,L1S2,L1S3 --json
like "in words" "$not_tree" 'missing cables +not known: '

# Two trees that a cable between leaves joins are no Dragonfly+, whose groups are joined by spines.
for tree in A B; do
	for leaf in 0 1 2; do
		printf 'Switch 8 "%s%s"\n[1] "H%s%s"[1]\n' $tree $leaf $tree $leaf
		printf '[3] "S%s0"[%s]\n[4] "S%s1"[%s]\n' $tree $((leaf + 1)) $tree $((leaf + 1))
		[ $tree$leaf != A0 ] || echo '[8] "B0"[8]'
		echo
	done
	printf 'Switch 8 "S%s0"\n\nSwitch 8 "S%s1"\n\n' $tree $tree
	printf 'Ca 1 "H%s0"\n\nCa 1 "H%s1"\n\nCa 1 "H%s2"\n\n' $tree $tree $tree
done >trees.net
like "two trees are no Dragonfly+" "$(heddle topo trees.net)" 'not a Dragonfly\+: 1 of 1 pairs of groups are not linked by spines'

# Cables between leaves of two groups of a Dragonfly+: all are odd, whatever their number.
heddle topo dragonflyplus:leaves=4,spines=4,hosts=2,h=2,g=9 -o plus.net >/dev/null
for n in 1 8 19; do
	python3 -c 'import re, sys
n, leaf = int(sys.argv[1]), 0
for line in open("plus.net"):
    if re.match(r"Switch.*# \"G\d+L", line):
        leaf += 1
        line = line.replace("Switch\t6", "Switch\t8")
        for port, other in (7, leaf + 5), (8, leaf - 5):
            first = leaf if port == 7 else other
            if 1 <= first <= n:
                guid = 0x1000000000000 + (other - 1) // 4 * 8 + (other - 1) % 4
                line += f"[{port}]\t\"S-{guid:016x}\"[{15 - port}]\n"
    sys.stdout.write(line)' $n <plus.net >leaves.net
	like "$n cables between leaves of two groups" "$(heddle topo leaves.net)" \
		"odd global +$n, first G0L0 - G1L1.*"$'\n'"odd cables: $n"$'\n'
	json "$n cables in JSON" "j['shape']['odd_local_links'], j['shape']['odd_global_links'], len(j['odd_cables']), j['missing_cables']" \
		"(0, $n, $n, [])" heddle topo leaves.net --json
	ok "$n cables: dfplus serves the fabric" heddle route leaves.net -e dfplus -o leaves.tables
	like "$n cables: soundly" "$(heddle check leaves.tables)" 'sound'
done

# Planes: each is a fabric of its own, and tables are those of the subnet manager's.
planes=multiplane:dragonfly:a=4,p=2,h=2,planes=2
like "sim: what it leaves out" "$(heddle sim $planes -e heddle -s traffic.load=0.1 -s run.measure=1us 2>&1)" \
	'left out: 36 switches .*1 part\)'
like "planes: each by itself" "$(heddle topo $planes)" \
	'part 1 +36 switches, the first P0.G0S0
topology +dragonfly a=4 p=2 h=2 g=9.*
engine +dla: .*
part 2 +36 switches, the first P1.G0S0
topology +dragonfly a=4 p=2 h=2 g=9.*
engine +dla: '
like "planes: a cable that one lacks" "$(heddle topo $planes --fail-links 'P1.G0S0[3]')" \
	'part 2.*missing local +1, first P1.*missing cables: 1 of dragonfly'
json "planes in JSON" "[(p['switches'], p['first'], p['shape']['name'], p['engine']) for p in j['described_parts']], j['shape']['name']" \
	"([(36, 'P0.G0S0', 'dragonfly', 'dla'), (36, 'P1.G0S0', 'dragonfly', 'dla')], 'dragonfly')" heddle topo $planes --json
like "planes: one gets tables" "$(heddle route $planes -e heddle -o plane 2>&1)" \
	'left out: 36 switches .*1 part; --sm NODE.*engine +dla, .*36 switches, 72 end nodes, LIDs to 108'
like "planes: these are of plane 0" "$(heddle show plane path P0.G0S0 P0.G8S3)" 'P0.G0S0.*P0.G8S3'
like "planes: or of another" "$(heddle route $planes -e heddle --sm P1.G0S0 -o other 2>&1; heddle show other path P1.G0S0 P1.G8S3)" \
	'left out.*P1.G0S0.*P1.G8S3'
like "a fabric in one part is not divided" "$(heddle topo $dragonfly --json)" '"parts": 1,'
not_ok "nor has parts in JSON" 1 bash -c "heddle topo $dragonfly --json | grep described_parts"

# bad input
says "no such file" "nowhere.net: " heddle topo nowhere.net
says "an empty name" "empty" heddle topo ''
says "no such topology" "dragonfry" heddle topo dragonfry:a=4
says "no such option" "dragonfly.*'q'" heddle topo dragonfly:q=4
says "no value" "" heddle topo dragonfly:a=
says "an impossible shape" "" heddle topo dragonfly:a=4,p=2,h=2,g=99
printf 'Switch\t4 "S-1"\n[1]\t"H-2"[x]\n' >bad.net
says "a bad netfile: file and line" 'bad.net:2: ' heddle topo bad.net
says "a bad netfile on standard input" '<stdin>:2: ' heddle topo - <bad.net
mkdir empty
says "an empty directory" 'empty/fabric.net: ' heddle topo empty

# What is trivial is called so.
like "one switch" "$(heddle topo tree:k=5,n=1)" 'topology +a single switch
engine +any: '
like "two switches" "$(heddle topo torus:2)" 'topology +two switches
engine +any: '

# Fabrics larger than InfiniBand, and than memory.
switches() { # NUMBER: of 2 ports, without links
	awk -v n="$1" 'BEGIN { for (i = 1; i <= n; i++) printf "Switch 2 \"S%d\" # \"S%d\" base port 0 lid %d lmc 0\n", i, i, i % 49152 }'
}
switches 60000 >giant.net
says "more switches than LIDs" 'giant.net:49152: more than 49151 switches: InfiniBand has no more unicast LIDs' \
	heddle topo giant.net
switches 40000 >large.net
if (ulimit -v 600000 && heddle list engines) >/dev/null 2>&1; then
	like "distances take no memory by the square" "$(ulimit -v 600000 && heddle topo large.net)" 'switches +40000 of 2 ports.*disconnected'
	says "tables that memory has no room for" 'out of memory: tables of 40000 switches take 1[0-9]{3} MB' \
		bash -c 'ulimit -v 1000000 && heddle route large.net -e updn'
else
	skip "little memory" "a sanitizer needs more address space"
fi

# Links that came up slower than those beside them: one between switches, at either of its lines; where a switch
# has three hosts, one to a host; and where all are alike, none
cd "$scratch" || exit 99
heddle topo dragonfly:a=4,p=3,h=2 -o even.net >/dev/null
not_ok "alike, none is slow" 1 bash -c 'heddle topo even.net | grep "^slow"'
json "nor in JSON" "j['slow_links']" '[]' heddle topo even.net --json
awk '/^(Switch|Ca)/ { at = $0 } { line = $0 }
	(at ~ /"G0S0"/ && /"G0S1"/) || (at ~ /"G0S1"/ && /"G0S0"/) { sub("4xHDR", "1xHDR", line) }
	(at ~ /"G1S0"/ && /"H-00012"/) || (at ~ /"H-00012"/ && /"G1S0"/) { sub("4xHDR", "4xSDR", line) }
	{ print line }' even.net >uneven.net
like "slow links" "$(heddle topo uneven.net)" $'slow or narrow cables: 2\n  G0S0\[[0-9]+\] - G0S1\[[0-9]+\]: 1xHDR beside 4xHDR\n  G1S0\[[0-9]+\] - H-00012\[1\]: 4xSDR beside 4xHDR'
json "slow links in JSON" "[(l['from']['name'], l['to']['name'], l['rate'], l['usual']) for l in j['slow_links']]" \
	"[('G0S0', 'G0S1', '1xHDR', '4xHDR'), ('G1S0', 'H-00012', '4xSDR', '4xHDR')]" heddle topo uneven.net --json

finish
