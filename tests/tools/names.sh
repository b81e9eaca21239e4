#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Names of nodes that are not plain ASCII: shown fit for a terminal, and JSON stays JSON.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

heddle topo $dragonfly -o plain.net >/dev/null
# Latin-1, an escape sequence, UTF-8 with blanks, and no name at all
sed -e $'s/H-00000/h\xF6st/' -e $'s/H-00001/\x1B[31mred/' -e 's/H-00002/höst 2, rack/' \
	-e 's/"H-00003/"/' plain.net >named.net
heddle route named.net -e dla -o snapshot >/dev/null || exit 99

json "Latin-1 in JSON" "ascii(j['hops'][0]['name'])" "'h\\ufffdst'" \
	heddle show snapshot path $'h\xF6st' H-00071 --json
json "an escape sequence in JSON" "ascii(j['hops'][0]['name'])" "'\\x1b[31mred'" \
	heddle show snapshot path $'\x1B[31mred' H-00071 --json
like "an escape sequence in text" "$(heddle show snapshot path $'\x1B[31mred' H-00071)" \
	'^\?\[31mred to H-00071 '
not_ok "no escape sequence in text" 1 \
	bash -c "heddle show snapshot path $'\\x1B[31mred' H-00071 | grep $'\\x1B'"
says "nor in messages" "no node is named '\?\[1mbold'" heddle show snapshot lft $'\x1B[1mbold'
like "UTF-8 and blanks" "$(heddle show snapshot path 'höst 2, rack' H-00071)" '^höst 2, rack to '
json "UTF-8 in JSON" "j['hops'][0]['name']" "höst 2, rack" \
	heddle show snapshot path 'höst 2, rack' H-00071 --json
guid=$(heddle show snapshot path 'höst 2, rack' H-00071 --json |
	python3 -c 'import json, sys; print(hex(int(json.load(sys.stdin)["hops"][0]["guid"], 16)))')
like "a node by GUID" "$(heddle show snapshot path "$guid" H-00071)" '^höst 2, rack to '

# Nodes that share a name are told apart wherever they are shown.
sed -e 's/# "G0S0"/# "twin"/; s/# "G1S0"/# "twin"/' plain.net >twins.net
heddle topo twins.net --assign-lids -o twins-with-lids.net >/dev/null
heddle route twins-with-lids.net -e dla -o twins >/dev/null
like "two of one name, in text" "$(heddle show twins path H-00000 H-00071)" 'twin \(0x0001000000000000, LID [0-9]+\)'
like "and others not" "$(heddle show twins path H-00000 H-00071)" '  H-00000 +-'
says "given, they are listed" "several nodes are named 'twin': give a GUID or LID: " heddle show twins lft twin
heddle topo twins.net -o - >written.net
same "their names are written as they are" <(grep -c '# "twin"' written.net) <(grep -c '# "twin"' twins.net)

# Names by GUID
cat >map <<'END'
# of the whole site
0x0001000000000000 "leaf 1, rack A"	# the first

 0x0002000000000000	"höst"
0x0001000000000000 "leaf 1"
0xdead "elsewhere"
END
like "a node name map" "$(heddle show snapshot path H-00004 H-00071 --node-name-map map 2>&1)" '  leaf 1 +[0-9]'
like "it is given to what is written" "$(heddle topo plain.net --node-name-map map -o - 2>&1)" '# "leaf 1" base'
like "and to scenarios" "$(heddle sim plain.net -e dla --node-name-map map -s run.measure=1us --csv - --no-time 2>&1)" 'map'
echo '0x12 leaf' >>map
like "a line that is none" "$(heddle topo plain.net --node-name-map map -o no.net 2>&1 >/dev/null)" 'map:7: no 0xGUID "NAME" .*: passed over'
says "strictly" 'map:7: no 0xGUID "NAME"' heddle topo plain.net --node-name-map map --strict -o none.net
ok "and nothing is written" test ! -e none.net
says "no such map" 'nowhere: No such file' heddle topo plain.net --node-name-map nowhere

# Whatever is printed or drawn has no character that a terminal obeys, in any encoding.
sed -e $'s/# "H-000/# "\x1B]0;\x07\xC2\x9B31m\xE2\x80\xAE\x9B-0/' \
	-e $'s/# "G0S/# "\x1B[2J\xC2\x85\xE2\x80\xA8G0S/' plain.net >hostile.net
hidden() { # COMMAND...: the characters of its output that are no marks
	"$@" 2>&1 | python3 -c '
import sys, unicodedata
text = sys.stdin.buffer.read().decode("utf-8", "backslashreplace")
bad = sorted({ascii(c) for c in text if c not in "\n\t" and unicodedata.category(c) in ("Cc", "Cf", "Zl", "Zp", "Cn", "Cs")})
print(*bad, "%d bytes" % len(text) if len(text) > 20 else "nothing")'
}
heddle route hostile.net -e dla -o hostile >/dev/null
heddle route hostile.net -e updn -o hostile-updn >/dev/null
cp -r hostile hostile-bare && rm hostile-bare/{opensm-sl2vl,path-sl,opensm-vlarb}.dump # a credit loop
# shellcheck disable=SC2034 # in the lines that eval reads
victim=$(sed -n 's/.*# "\([^"]*31m[^"]*\)".*/\1/p' hostile.net | head -n 1)
while read -r arguments; do
	eval "like 'nothing hidden: heddle $arguments' \"\$(hidden heddle $arguments)\" '^[0-9]+ bytes\$'"
done <<'END'
topo hostile.net
topo hostile.net --svg - --fail-links 2
topo hostile.net --dot - --fail-links 2
topo hostile.net --json
show hostile path "$victim" H-00071
show hostile path "$victim" H-00071 --json
show hostile path "$victim" 99
show hostile lft G1S0
show hostile load
show hostile load --json
show hostile sl2vl G1S0
diff hostile hostile-updn -v
diff hostile hostile-updn --json
faults hostile.net -e dla --links 1
faults hostile.net -e dla -l single --links 1
check hostile-bare
route hostile.net -e dla -q "$victim"
route hostile.net -e dla -o "hostile/$victim/none"
topo hostile.net --fail-links "$victim[9]"
topo "$victim.net"
sim hostile.net -e dla -s run.measure=20us -s run.warmup=10us --json -
sim hostile.net -e dla -s traffic.pattern="$victim"
END

# A name with commas and brackets in a list of links.
sed -e 's/G0S0/leaf[0] a, b/' plain.net >brackets.net
json "commas and brackets in a list of links" "j['switch_links']" 88 \
	heddle topo brackets.net --fail-links 'leaf[0] a, b[3],G1S1[3]' --json

# The first words of a name, as hosts are called everywhere else.
sed -e 's/H-0000\([0-5]\)/lassen3\1 HCA-1/; s/H-00006/lassen31 HCA-2/' -e 's/"G0S0"/"MF0;leaf1:MQM8700\/U1"/' \
	plain.net >words.net
heddle route words.net -e dla -o words >/dev/null
like "a host by its name" "$(heddle show words path lassen30 lassen32)" '^lassen30 HCA-1 to lassen32 HCA-1 '
like "and a switch" "$(heddle show words lft 'MF0;leaf1')" 'leaf1'
says "a host with two adapters" \
	"no node is named 'lassen31'; there are 'lassen31 HCA-1' \(0x[0-9a-f]{16}\), 'lassen31 HCA-2' \(0x[0-9a-f]{16}\)$" \
	heddle show words path lassen31 lassen32
says "the start of many names" "no node is named 'lassen3'; there are 'lassen30 HCA-1' .* and 3 more$" \
	heddle show words path lassen3 lassen32
says "the start of one word" "no node is named 'MF0;leaf'; there is 'MF0;leaf1:MQM8700/U1' \(" \
	heddle show words lft 'MF0;leaf'
says "no name at all" "no node is named 'nobody'$" heddle show words path nobody lassen32
says "a LID is no start of a name" "no port has LID 49000$" heddle show words path 49000 lassen32

# A name that two nodes have.
sed -e 's/H-00000/twin/; s/H-00001/twin/' plain.net >twins.net
heddle route twins.net -e dla -o twins >/dev/null
says "two nodes of one name" "several nodes are named 'twin'" heddle show twins path twin H-00071

finish
