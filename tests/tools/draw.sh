#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle topo --svg and --dot
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

# drawn FILE EXPRESSION: over `links`, `nodes`, `dashed` (elements) and `text` of an SVG file of ours
drawn() {
	python3 - "$1" "$2" <<-'END'
		import sys, xml.etree.ElementTree as tree
		root = tree.parse(sys.argv[1]).getroot()
		svg = "{http://www.w3.org/2000/svg}"
		links, nodes = root.findall(svg + "path"), root.findall(svg + "circle")
		dashed = [link for link in links if link.get("stroke-dasharray")]
		text = " ".join(root.itertext())
		print(eval(sys.argv[2]))
	END
}

ok "a dragonfly" heddle topo $dragonfly --svg a.svg --dot a.dot
is "36 switches and 72 hosts" "$(drawn a.svg 'len(nodes)')" 108
is "54 local, 36 global and 72 terminal links" "$(drawn a.svg 'len(links)')" 162
is "nothing fails" "$(drawn a.svg 'len(dashed)')" 0
is "local and global links tell apart" "$(drawn a.svg 'len({l.get("stroke") for l in links})')" 3

ok "failures" heddle topo $dragonfly --fail-links 'G0S0[3],G0S0[6]' --fail-switches G1S1 --svg f.svg --dot f.dot
# the switch has 2 hosts, 3 local and 2 global links
is "their links are dashed" "$(drawn f.svg 'len(dashed)')" 9
is "and all are drawn" "$(drawn f.svg 'len(links)')" 162
like "the legend counts them" "$(drawn f.svg text)" "failed, dashed: 9 links, 3 nodes"
is "also for graphviz" "$(grep -c -- '-- .*style=dashed' f.dot)" 9

heddle route $dragonfly -e dla -o snapshot >/dev/null
ok "a snapshot" heddle topo snapshot --svg l.svg --dot l.dot
like "links have their load" "$(drawn l.svg text)" "68 flows in the busier direction"
# from 64 flows on global links and 68 on local ones: two colours, and the hosts'
is "in its colours" "$(drawn l.svg 'len({l.get("stroke") for l in links})')" 3

heddle topo dragonfly:a=16,p=8,h=8 --svg big.svg >/dev/null
is "a large one without hosts" "$(drawn big.svg 'len(nodes)')" 2064

# grids: switches in rows and columns
for spec in torus:4x4 mesh:4x4 hyperx:4x4,p=1 kns:k=4,n=2; do
	heddle topo $spec --svg g.svg >/dev/null
	is "$spec: switches of the first column are in line" \
		"$(drawn g.svg 'len({n.get("cx") for n in nodes if n.findtext(svg + "title")[1:3] == "0."})')" 1
done
is "a torus of three dimensions" "$(heddle topo torus:3x3x3 --svg g.svg >/dev/null && drawn g.svg 'len(links)')" \
	$((27 * 3 + 27))

# cables that the shape has and the fabric lacks
heddle topo $dragonfly --fail-links 'G0S0[3],G0S0[6]' -o less.net >/dev/null
ok "missing cables" heddle topo less.net --svg m.svg --dot m.dot
is "are dashed and red" "$(drawn m.svg '[(d.get("stroke"), d.findtext(svg + "title")) for d in dashed]')" \
	"[('#d7191c', 'G0S0 - G0S1: 1 missing'), ('#d7191c', 'G0S0 - G8S3: 1 missing')]"
like "and counted" "$(drawn m.svg text)" "missing, short dashes: 2 cables"
is "also for graphviz" "$(grep -c -- '-- .*style=dashed.*1 missing' m.dot)" 2
ok "beside failed ones" heddle topo less.net --fail-links 'G1S0[3]' --svg m.svg
like "the legend has both" "$(drawn m.svg text)" "failed, dashed: 1 links, 0 nodes; missing, short dashes: 2 cables"
heddle topo torus:6x6 --fail-links 3 -o less.net >/dev/null
heddle topo less.net --svg m.svg >/dev/null
is "a grid that lacks cables is still one" \
	"$(drawn m.svg 'len(dashed), len({n.get("cx") for n in nodes if n.findtext(svg + "title")[1:3] == "0."})')" "(3, 1)"

# names that XML and graphviz would take for theirs
heddle topo $dragonfly -o plain.net >/dev/null
sed $'s/G0S0/<a href="x">\\\\\xC2\x9B\x1B\xF6\\&amp;/' plain.net >names.net
ok "a name of marks" heddle topo names.net --svg n.svg --dot n.dot
like "it is drawn" "$(drawn n.svg text)" '<a href="x">\\\?\?\?&amp; '
like "and in dot" "$(cat n.dot)" 'label="<a href=\\"x\\">\\\\\?\?\?&amp;"'

# everything else: a box for every switch, its end nodes as a number, parallel links as one line
# boxes FILE EXPRESSION: over `lines`, `dashed`, `switches` [name, x, y], `numbers` and `text`
boxes() {
	python3 - "$1" "$2" <<-'END'
		import sys, xml.etree.ElementTree as tree
		root = tree.parse(sys.argv[1]).getroot()
		svg = "{http://www.w3.org/2000/svg}"
		lines = root.findall(svg + "path")
		dashed = [line for line in lines if line.get("stroke-dasharray")]
		switches = [[r.findtext(svg + "title").split(",")[0], float(r.get("x")), float(r.get("y"))]
			for r in root.findall(svg + "rect") if r.find(svg + "title") is not None]
		numbers = [t.text for t in root.findall(svg + "text") if t.get("class") == "n"]
		text = " ".join(root.itertext())
		print(eval(sys.argv[2]))
	END
}
ok "a tree" heddle topo tree:k=4,n=3 --svg t.svg --dot t.dot
is "a box for every switch" "$(boxes t.svg 'len(switches)')" 48
is "rows by level" "$(boxes t.svg 'len({(s[0][:2], s[2]) for s in switches})')" 3
is "with the hosts' at the bottom" \
	"$(boxes t.svg 'max(switches, key=lambda s: s[2])[0][:2], min(switches, key=lambda s: s[2])[0][:2]')" \
	"('L0', 'L2')"
is "leaves in the order of names" \
	"$(boxes t.svg '[s[0] for s in sorted(switches, key=lambda s: s[1]) if s[0][:2] == "L0"] == sorted(s[0] for s in switches)[:16]')" True
is "a line for every link" "$(boxes t.svg 'len(lines)')" 128
is "hosts as numbers" "$(boxes t.svg 'numbers == 16 * ["4"]')" True
is "no failures" "$(boxes t.svg 'len(dashed)')" 0
# the leaf's 4 links up, and another one
ok "failures of a tree" heddle topo tree:k=4,n=2 --fail-links 'L0S0[5]' --fail-switches L0S1 --svg t.svg
is "are dashed" "$(boxes t.svg 'len(dashed)')" 5
is "with the hosts that are lost" "$(boxes t.svg 'sorted(numbers)')" "['0/4', '4', '4', '4']"
like "and counted" "$(boxes t.svg text)" "failed, dashed: 9 links, 5 nodes"

heddle topo pgft:m=8x12,w=1x4,p=1x2 --fail-links 'L0S03[9],L0S03[10],L0S05[9]' -o less.net >/dev/null
ok "missing cables of a tree" heddle topo less.net --svg m.svg --dot m.dot
is "are a line for two switches" "$(boxes m.svg '[d.findtext(svg + "title") for d in dashed]')" \
	"['L0S03 - L1S0: 2 missing', 'L0S05 - L1S0: 1 missing']"
is "also for graphviz, the upper end first" "$(grep -c 'n1[0-9] -- n[0-9].*missing' m.dot)" 2

# 3 links between L0S0 and L1S0, and 2 between all others
cat >parallel.net <<'END'
Switch 8 "S-1" # "rack 1 leaf"
[1] "S-3"[1]
[2] "S-3"[2]
[3] "S-3"[3]
[4] "H-1"[1]
Switch 8 "S-2" # "rack 2 leaf"
[1] "S-3"[4]
[2] "S-3"[5]
[3] "S-4"[1]
[4] "S-4"[2]
[5] "H-2"[1]
[6] "H-3"[1]
Switch 8 "S-3" # "rack 3 spine"
[1] "S-1"[1]
[2] "S-1"[2]
[3] "S-1"[3]
[4] "S-2"[1]
[5] "S-2"[2]
Switch 8 "S-4" # "rack 3 spine"
[1] "S-2"[3]
[2] "S-2"[4]
Ca 1 "H-1" # "a"
[1] "S-1"[4]
Ca 1 "H-2" # "b"
[1] "S-2"[5]
Ca 1 "H-3" # "c"
[1] "S-2"[6]
END
ok "parallel links" heddle topo parallel.net --svg p.svg --dot p.dot
is "are one line" "$(boxes p.svg 'len(lines)')" 3
is "with a number where there are more than mostly" "$(boxes p.svg 'sorted(numbers)')" "['1', '2', '3']"
like "which the legend says" "$(boxes p.svg text)" "a line without a number is 2 links"
like "boxes say what tells names apart" "$(cat p.svg)" '>1 leaf<.*>2 leaf<.*>3 spine 200002<.*>3 spine 200003<'
like "numbers for graphviz" "$(<p.dot)" 'n0 .*label="1 leaf\\n1 end node".*n2 -- n0 .*label=3\]'

# no shape, and hosts everywhere: distances on paper are about those in links
ok "an irregular fabric" heddle topo torus:8x8 --fail-links 50 -o i.net
ok "its picture" heddle topo i.net --svg i.svg --dot i.dot
is "no box lies on another" "$(boxes i.svg 'sum(abs(a[1] - b[1]) < 20 and abs(a[2] - b[2]) < 20 for a in switches for b in switches)')" 64
heddle topo i.net --svg again.svg >/dev/null
same "the same again" i.svg again.svg
ok "without graphviz" env PATH="$(dirname "$(command -v heddle)")" heddle topo tree:k=2,n=3 --svg none.svg
ok "no hosts, no switches" heddle topo dragonfly:a=1,p=0,h=0 --svg one.svg
# shellcheck source=tests/lib/recordings.sh
. "$top_srcdir/tests/lib/recordings.sh"
for file in superpod-gb200.net psmn-x5.net plafrim-snapshot bare-ca-first.net; do
	recorded=$recordings/$file
	if [ -e "$recorded" ]; then
		ok "$file" heddle topo "$recorded" --svg r.svg
		is "$file: all switches" "$(boxes r.svg 'len(switches)')" \
			"$(heddle topo "$recorded" --json 2>/dev/null | sed -n 's/^  "switches": \([0-9]*\),/\1/p')"
	else
		echo "# $file is not here: not drawn"
	fi
done
if command -v sfdp >/dev/null && command -v dot >/dev/null; then
	for file in a f l; do
		ok "graphviz reads $file.dot" sfdp -Tplain -o /dev/null $file.dot
	done
	for file in t p i; do
		ok "graphviz reads $file.dot" dot -Tplain -o $file.plain $file.dot
	done
	is "dot has levels, too" "$(awk '$1 == "node" { print $4 }' t.plain | sort -u | wc -l)" 3
fi
not_ok "a directory that is not there" 2 heddle topo $dragonfly --svg nowhere/a.svg
not_ok "failures of standard input" 2 heddle topo - --fail-links 1 --svg a.svg <<<""
finish
