#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Sets of ports: heddle route writes them, heddle check reads them back and proves all choices.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

ok "a mesh, negative-first" heddle route mesh:4x4 -e hdor:ar=negative-first -o mesh
like "the dump says whose they are" "$(head -n 4 mesh/ar.dump)" \
	$'^AR tables of 14 switches\n\nSwitch 0x0001000000000000, base LID 2, "S0.0"\ngroup 0: 2 4$'
is "options behind the engine's name are told" \
	"$(python3 -c "import json; print(json.load(open('mesh/snapshot.json'))['options'])")" "ar=negative-first"
like "all choices of the snapshot are proved" "$(heddle check mesh)" \
	$'AR sets +144 entries of 2.00 ports on average, at most 2 groups in a switch\n'
is "as those of the engine" "$(heddle check mesh)" "$(heddle check mesh:4x4 -e hdor:ar=negative-first)"
json "in JSON too" "j['ar'], j['sound']" "({'entries': 144, 'ports': 288, 'groups': 2}, True)" \
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
not_ok "lines of a KNS do" 1 heddle check kns:k=3,n=2 -e hdor:ar=negative-first --scope hosts
heddle topo mesh:4x4 --fail-links 1 -o lacks.net >/dev/null
not_ok "no sets where links are missing" 1 heddle route lacks.net -e hdor:ar=negative-first

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
broken "no state" "5: expected 'free' or 'bounded'" '5s/free/open/'
broken "a cut section" "10: the last section is cut short" '11,$d'
broken "cut between sections" '[0-9]+: the file has [0-9]+ of 14 switches' '/S3.2/,$d'
broken "garbage" "1: expected 'AR tables of N switches'" '1s/^/x/'

finish
