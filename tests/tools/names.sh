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

# A name with commas and brackets in a list of links.
sed -e 's/G0S0/leaf[0] a, b/' plain.net >brackets.net
json "commas and brackets in a list of links" "j['switch_links']" 88 \
	heddle topo brackets.net --fail-links 'leaf[0] a, b[3],G1S1[3]' --json

# A name that two nodes have.
sed -e 's/H-00000/twin/; s/H-00001/twin/' plain.net >twins.net
heddle route twins.net -e dla -o twins >/dev/null
says "two nodes of one name" "several nodes are named 'twin'" heddle show twins path twin H-00071

finish
