#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle show
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

heddle route $dragonfly -e dla -o dla >/dev/null
heddle route $dragonfly -e dla -q xordet:4 -o xordet >/dev/null
heddle route torus:4x4 -e minhop -o torus --force >/dev/null

prints "path" show-path heddle show dla path H-00000 H-00071
prints "path, in JSON" show-path.json heddle show dla path H-00000 H-00071 --json
prints "lft" show-lft heddle show dla lft G0S0
prints "sl2vl" show-sl2vl heddle show dla sl2vl G0S0
prints "vlarb" show-vlarb heddle show dla vlarb G0S0 3
prints "load" show-load heddle show dla load
prints "load, in JSON" show-load.json heddle show dla load --json
prints "resources" show-resources heddle show xordet resources

# the DLA paper, equations (1)-(3), and the VLs of local channels: exact in a balanced dragonfly
load="[(c, j['links'][c]['min'], j['links'][c]['max']) for c in ('terminal', 'global', 'local')]"
vls="[j['links']['local']['vls'][v]['max'] for v in '01']"
json "72 hosts: f_t, f_g, f_l" "$load" "[('terminal', 71, 71), ('global', 64, 64), ('local', 68, 68)]" \
	heddle show dla load --json
json "72 hosts: VL 0 and 1 of local links" "$vls" "[36, 32]" heddle show dla load --json
heddle route dragonfly:h=3 -e dla -o dla3 >/dev/null
json "342 hosts: f_t, f_g, f_l" "$load" \
	"[('terminal', 341, 341), ('global', 324, 324), ('local', 333, 333)]" heddle show dla3 load --json
json "342 hosts: VL 0 and 1 of local links" "$vls" "[171, 162]" heddle show dla3 load --json
# a mesh of three: 2 flows from and to each host, 2 on each link between switches, in each direction; the last link is of half the rate
heddle topo mesh:3 -o mesh.net >/dev/null
sed 's/\(\[2\].*# "S2".*\)4xHDR/\14xEDR/; /^Switch.*# "S2"/,/^$/s/\(# "S1".*\)4xHDR/\14xEDR/' mesh.net >rates.net
heddle route rates.net -e updn -o rates >/dev/null
json "flows by rate: between switches" \
	"[(s['min'], s['max'], s['mean'], s['busiest']['mbps']) for s in [j['by_rate']['switch']]]" "[(2.0, 4.0, 3.0, 100000)]" \
	heddle show rates load --json
json "flows by rate: of hosts" "(j['by_rate']['terminal']['max'], j['by_rate']['fastest_mbps'])" "(2.0, 200000)" heddle show rates load --json
like "the busiest link by rate" "$(heddle show rates load | tail -1)" '^ *switch +2.0 +4.0 +3.0 +S[12]\[[23]\] +4xEDR$'
# --vlarb flows: of four hosts on two VLs, those on VL 0 have links of half the rate
heddle topo mesh:2,p=4 -o four.net >/dev/null
awk '/^Switch/ { ours = /"S1"/ } /^Ca/ { ours = 0 } ours && /^\[[13]\]/ { sub(/4xHDR/, "2xHDR") } { print }' four.net >slow.net
for file in four slow; do
	heddle route $file.net -e updn -q dbbm:2 --vlarb flows -o $file >/dev/null
done
like "by flows" "$(heddle show four vlarb S0 5)" 'low +0:64 1:64'
like "by flows and the slowest link of their ways" "$(heddle show slow vlarb S0 5)" 'low +0:64 1:128'
json "one rate" "j['by_rate']" None heddle show dla load --json
json "resources: VLs by class" "j['vls']" \
	"{'injection': [0], 'terminal': [0], 'local': [0, 1], 'global': [0]}" \
	heddle show dla resources --json
json "no dragonfly: links between switches are one class" "sorted(j['links'])" \
	"['injection', 'switch', 'terminal']" heddle show torus load --json

# nodes by name, GUID, LID
guid=$(heddle show dla path H-00000 H-00071 --json | python3 -c \
	'import json, sys; j = json.load(sys.stdin); print(j["flow"]["source_guid"], j["hops"][0]["guid"], j["flow"]["lid"])')
read -r port_guid node_guid lid <<<"$guid"
heddle show dla path H-00000 H-00071 >by-name
heddle show dla path "$port_guid" "$lid" >by-port-guid
heddle show dla path "$node_guid" "$(printf '0x%x' "$lid")" >by-node-guid
same "by port GUID and LID" by-name by-port-guid
same "by node GUID and hexadecimal LID" by-name by-node-guid
like "to a switch" "$(heddle show dla path H-00000 G8S3)" ', SL 0: [0-3] hops'
like "from a switch" "$(heddle show dla path G8S3 H-00000)" ', SL 0: [0-3] hops'
like "to itself" "$(heddle show dla path H-00000 H-00000)" '0 hops'
like "another SL" "$(heddle show dla path H-00000 H-00071 --sl 5)" ', SL 5: 1 hops'
heddle route $dragonfly -e dla --lmc 2 -o lmc >/dev/null
lid=$(heddle show lmc path H-00000 H-00071 --json | python3 -c \
	'import json, sys; print(json.load(sys.stdin)["flow"]["lid"])')
like "one of several LIDs" "$(heddle show lmc path H-00000 $((lid + 3)))" "to H-00071 \+3 \(LID $((lid + 3))\)"

# one row of SL2VL: Figure 8 of the DLA paper; ports 1-2 hosts, 3-5 local, 6-7 global
row() {
	heddle show dla sl2vl G0S0 "$1" "$2" | awk '{ print $3 }'
}
is "from a host to a local link: VL 0" "$(row 1 3)" 0
is "from a local to a global link: VL 0" "$(row 3 6)" 0
is "from a global to a local link: VL 1" "$(row 6 3)" 1
is "from a global link to a host: VL 0" "$(row 6 1)" 0
is "an end node's row" "$(heddle show dla sl2vl H-00000 0 1 | awk '{ print $3, $18 }')" "0 0"
json "sl2vl in JSON" "j['rows'][0]['vls']" "$(python3 -c 'print([1] * 16)')" \
	heddle show dla sl2vl G0S0 6 3 --json
json "lft in JSON" "len(j['lft']), j['switch']['name']" "(108, 'G0S0')" heddle show dla lft G0S0 --json
json "vlarb in JSON" "[e['vl'] for e in j['low']]" "[0, 1]" heddle show dla vlarb G0S0 3 --json

# what OpenSM 3.3.23 dumped (tests/data/opensm)
recorded=$top_srcdir/tests/data/opensm
prints "OpenSM's LFT" show-opensm-lft heddle show "$recorded/updn-lmc2" lft leaf-B
prints "OpenSM's SL2VL" show-opensm-sl2vl heddle show "$recorded/updn-lmc2" sl2vl leaf-B
like "a port of several" "$(heddle show "$recorded/minhop" path 7 h-1 2>&1)" 'h 2\[2\] to h-1 '

# a path that leads nowhere: exit 1
cp -r dla lost
lid=$(heddle show dla path G0S0 H-00071 --json |
	python3 -c 'import json, sys; print("%04x" % json.load(sys.stdin)["flow"]["lid"])')
sed -i -E "0,/^0x$lid [0-9]+/s//0x$lid 255/" lost/opensm-lfts.dump
not_ok "no path" 1 heddle show lost path G0S0 H-00071
like "told on stdout" "$(heddle show lost path G0S0 H-00071 2>/dev/null)" 'no path'
json "and in JSON" "j['arrives']" False heddle show lost path G0S0 H-00071 --json

# bad input
says "no such node" "no node is named 'H-99999'" heddle show dla path H-00000 H-99999
says "no such LID" "no port has LID 4711" heddle show dla path H-00000 4711
says "no such GUID" "no node or port has GUID" heddle show dla path H-00000 0x123456789abcdef
says "lft of a host" "'H-00000' is not a switch" heddle show dla lft H-00000
says "sl2vl: no such port" "port" heddle show dla sl2vl G0S0 1 99
says "sl2vl: a host's in-port" "end node" heddle show dla sl2vl H-00000 1 1
says "vlarb: no such port" "port" heddle show dla vlarb G0S0 99
rm lost/opensm-vlarb.dump
says "vlarb: not known" "no VL arbitration of port 3" heddle show lost vlarb G0S0 3 --quiet
says "no such snapshot" 'nowhere: not a snapshot' heddle show nowhere load

finish
