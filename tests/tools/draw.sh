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

# names that XML and graphviz would take for theirs
heddle topo $dragonfly -o plain.net >/dev/null
sed $'s/G0S0/<a href="x">\\\\\xC2\x9B\x1B\xF6\\&amp;/' plain.net >names.net
ok "a name of marks" heddle topo names.net --svg n.svg --dot n.dot
like "it is drawn" "$(drawn n.svg text)" '<a href="x">\\\?\?\?&amp; '
like "and in dot" "$(cat n.dot)" 'label="<a href=\\"x\\">\\\\\?\?\?&amp;"'

if command -v sfdp >/dev/null; then
	for file in a f l; do
		ok "graphviz reads $file.dot" sfdp -Tplain -o /dev/null $file.dot
	done
	ok "a tree by graphviz" heddle topo tree:k=2,n=3 --svg t.svg
	like "it is SVG" "$(cat t.svg)" '<svg .*L0S0'
	not_ok "no graphviz" 2 env PATH="$(dirname "$(command -v heddle)")" heddle topo tree:k=2,n=3 --svg none.svg
	ok "nothing half-written" test ! -e none.svg
fi
not_ok "a directory that is not there" 2 heddle topo $dragonfly --svg nowhere/a.svg
not_ok "failures of standard input" 2 heddle topo - --fail-links 1 --svg a.svg <<<""
finish
