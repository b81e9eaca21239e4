#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle plan
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

# a netfile: what links say on each side; netfile PORT PEER PORT ..., three switches and two hosts
cat >now.net <<'X'
switchguid=0x10
Switch 8 "S-0000000000000010" # "MF0;sw-1:MQM8700/U1" base port 0 lid 1 lmc 0
[1] "S-0000000000000011"[1] # "x" lid 2 4xHDR
[2] "S-0000000000000012"[1] # "x" lid 3 4xHDR
[3] "H-0000000000000020"[1] # "x" lid 4 4xHDR
[4] "H-0000000000000030"[1] # "x" lid 5 4xHDR

switchguid=0x11
Switch 8 "S-0000000000000011" # "MF0;sw-2:MQM8700/U1" base port 0 lid 2 lmc 0
[1] "S-0000000000000010"[1] # "x" lid 1 4xHDR
[2] "S-0000000000000012"[2] # "x" lid 3 4xHDR

switchguid=0x12
Switch 8 "S-0000000000000012" # "MF0;sw-3:MQM8700/U1" base port 0 lid 3 lmc 0
[1] "S-0000000000000010"[2] # "x" lid 1 4xHDR
[2] "S-0000000000000011"[2] # "x" lid 2 4xHDR

caguid=0x20
Ca 1 "H-0000000000000020" # "node-1 mlx5_0"
[1] "S-0000000000000010"[3] # lid 4 lmc 0 "x" lid 1 4xHDR

caguid=0x30
Ca 1 "H-0000000000000030" # "node-2 mlx5_0"
[1] "S-0000000000000010"[4] # lid 5 lmc 0 "x" lid 1 4xHDR
X
cat >plan.topo <<'X'
# as UFM writes it
MQM8700 sw-1
   P1 -4x-50G-> MQM8700 sw-2 P1
   P2 -4x-50G-> MQM8700 sw-3 P1
   P3 -4x-50G-> HCA_mlx5_3 node-1 mlx5_0/P1
   P4 -4x-50G-> HCA_mlx5_3 node-2 mlx5_0/P1
MQM8700 sw-2
   P1 -4x-50G-> MQM8700 sw-1 P1
   P2 -4x-50G-> MQM8700 sw-3 P2
X
cat >plan.ndt <<'X'
rack #,U height,#Fields:StartDevice,StartPort,StartDeviceLocation,EndDevice,EndPort,LinkType,State
1,2,SW-1,Port 1,here,sw-2,Port 1,Data,Active
1,2,sw-1,Port 2,here,sw-3,Port 1,,Active
1,2,"sw-2","Port 2",,"sw-3","Port 2",Data,Active
1,2,sw-1,Port 3,,node-1 mlx5_0,Port 1,Data,Active
1,2,sw-1,Port 4,,node-2,mlx5_0/P1,Data,Active
1,2,sw-1,Port 5,,node-3,Port 1,Console,Active
1,2,sw-1,Port 6,,,,Data,Disabled
1,2,sw-1,Port 8,,Mellanox Technologies Aggregation Node,Port 1,Data,Active
1,2,sw-2,Port 8,,Mellanox Technologies Aggregation Node,Port 1,Data,Active
X
printf '%s\n' switch,port,switch,port sw-1,1,sw-2,1 sw-1,2,sw-3,P1 sw-2,1/1/2,sw-3,2 >plan.csv

for plan in plan.topo plan.ndt plan.csv now.net; do
	ok "the same: $plan" heddle plan $plan now.net
done
ok "from standard input" bash -c 'heddle plan - now.net <plan.ndt'
ok "packed" bash -c 'gzip <plan.topo >plan.topo.gz && heddle plan plan.topo.gz now.net'
json "who is who" "j['same'], j['planned_cables'], j['matched_by']" \
	"(True, 5, {'name': 5, 'guid': 0, 'structure': 0})" heddle plan plan.ndt now.net --json
json "no hosts in the plan" "j['same'], j['planned_cables'], j['end_nodes_compared']" "(True, 3, False)" \
	heddle plan plan.csv now.net --json

# what differs
sed 's/P1 -4x-50G-> MQM8700 sw-2 P1/P7 -4x-100G-> MQM8700 sw-2 P7/; s/P1 -4x-50G-> MQM8700 sw-1 P1/P7 -4x-100G-> MQM8700 sw-1 P7/; /node-2/d' \
	plan.topo >other.topo
cat >>other.topo <<'X'
MQM8700 sw-3
   P3 -4x-50G-> HCA_mlx5_3 node-3 mlx5_0/P1
   P4 -12x-50G-> MQM9700 sw-4 P1
X
prints "findings of several kinds" plan-other heddle plan other.topo now.net
prints "the same in JSON" plan-other.json heddle plan other.topo now.net --json
sed 's/P1 -4x-50G-> MQM8700 sw-2/P2 -4x-50G-> MQM8700 sw-2/; s/P2 -4x-50G-> MQM8700 sw-3 P1/P1 -4x-50G-> MQM8700 sw-3 P1/; s/sw-1 P1/sw-1 P2/' \
	plan.topo >swapped.topo
prints "two cables that changed places are one finding" plan-swapped heddle plan swapped.topo now.net
sed 's/-4x-50G->/-12x-100G->/' plan.topo >fast.topo
json "narrow" "j['counts']['narrow'], j['findings'][0]['wanted'], j['findings'][0]['now'][0]['rate'], j['moves']" \
	"(5, '12xNDR', '4xHDR', [])" heddle plan fast.topo now.net --json
sed 's/-50G->/-100G->/' plan.topo >fast.topo
json "slow" "j['counts']['slow'], j['findings'][0]['kind']" "(5, 'slow')" heddle plan fast.topo now.net --json

# a spec, by its names and by structure
ok "a spec" heddle plan $dragonfly $dragonfly
heddle topo $dragonfly --fail-links 'G0S0[3],G0S0[6]' -o cut.net >/dev/null
not_ok "a spec, two cables cut" 1 heddle plan $dragonfly cut.net
sed 's/"G\([0-9]*\)S\([0-9]*\)"/"leaf \1-\2"/g; s/"H-\([0-9]\{5\}\)"/"node\1"/g' cut.net >renamed.net
json "by structure" "j['matched_by'], [f['planned'][0]['from']['name'] for f in j['findings']]" \
	"({'name': 0, 'guid': 108, 'structure': 0}, ['leaf 0-0', 'leaf 0-0'])" \
	bash -c "heddle topo $dragonfly -o whole.net >/dev/null; heddle plan whole.net renamed.net --json"
json "a spec by structure" "j['matched_by'], [f['planned'][0]['from']['name'] for f in j['findings']]" \
	"({'name': 0, 'guid': 0, 'structure': 108}, ['leaf 0-0', 'leaf 0-0'])" heddle plan $dragonfly renamed.net --json

# without a plan
ok "inferred: perfect" heddle plan --inferred $dragonfly
prints "inferred: a local and a global cable" plan-inferred heddle plan --inferred cut.net
heddle topo tree:k=4,n=3 --fail-links 3 -o tree.net >/dev/null
json "inferred: three cables of a tree" "j['plan'], j['counts']['missing'], len(j['moves'])" \
	"('fat tree of 3 levels, switches: 16 16 16', 3, 3)" heddle plan --json --inferred tree.net
json "inferred: a switch of a torus" "j['plan'], j['absent_switches'], j['same']" "('torus 6x6', 1, False)" \
	bash -c 'heddle topo torus:6x6 --fail-switches 1 -o hole.net >/dev/null; heddle plan --inferred hole.net --json'

# which mends matter most
json "loads" "j['load']['now']['busiest'] >= j['load']['mends'][0]['busiest'] >= j['load']['all']['busiest'], len(j['load']['mends'])" \
	"(True, 2)" heddle plan $dragonfly cut.net --load --json
ok "loads in words" bash -c "heddle plan --inferred cut.net --load | grep -E '^ +[0-9]+  after all moves, with engine dla'"
json "no switch to connect" "j['load']['mends'], j['load']['all']['engine']" "([], None)" \
	bash -c "heddle topo $dragonfly --fail-switches G3S1 -o less.net >/dev/null; heddle plan $dragonfly less.net --load --json"

# what cannot be used
says "no plan" "no.csv: " heddle plan no.csv now.net
printf 'sw-1,1,sw-2,1\nsw-1,2\n' >bad.csv
says "a line that is no cable" "bad.csv:2: no cable" heddle plan bad.csv now.net
printf 'sw-1,1,sw-2,1\nsw-1,Uplink/x,sw-2,2\n' >bad.csv
says "a port that is none" "bad.csv:2: 'Uplink/x' is no port of 'sw-1'" heddle plan bad.csv now.net
printf 'sw-1,1,sw-2,1\nsw-1,0,sw-2,2\n' >bad.csv
says "port 0" "bad.csv:2: '0' is no port" heddle plan bad.csv now.net
printf 'sw-1,1,sw-2,1\nsw-1,1,sw-3,2\n' >bad.csv
says "two cables in a port" "bad.csv:2: " heddle plan bad.csv now.net
printf 'StartDevice,StartPort,EndDevice,EndPort\n' >bad.csv
says "no cable at all" "bad.csv: no cable" heddle plan bad.csv now.net
printf 'MQM8700 sw-1\n P1 -4x-50G-> MQM8700 sw-2 P1\n P2 -4x-50G-> MQM8700 sw-2\n' >bad.topo
says "a topology file" "bad.topo:3: neither a system" heddle plan bad.topo now.net
printf 'MQM8700 sw-1\n P1 -4x-50G-> MQM8700 sw-2 P1\n /P2 -4x-50G-> MQM8700 sw-2 P2\n' >bad.topo
says "a plug" "bad.topo:3: '/P2' is no plug of 'sw-1'" heddle plan bad.topo now.net
says "another fabric" "neither names nor structure in common" heddle plan torus:4x4 renamed.net
cp "$top_srcdir"/tests/data/ibutils/*.ibnl . && sed '4s/host1 P2/host1 P99/' "$top_srcdir/tests/data/ibutils/rack.topo" >bad.topo
says "a plug of a known type" "bad.topo:4: 'host1' has no plug 'P99'" heddle plan bad.topo now.net
echo 'NODE' >Other.ibnl
says "a type that is damaged" "Other.ibnl:1: " heddle plan plan.topo now.net
rm ./*.ibnl
printf 'StartDevice,StartPort,EndDevice,EndPort\nsw-1,1,sw-2,1\nsw-1,2,sw-3,1\nsw-2,2,sw-3,2\nsw-1,7,,\n' >plan.ndt
ok "a row without EndDevice in an NDT of four columns" heddle plan plan.ndt now.net
printf ' \t\n  \nsw-1,1,sw-2,1\nsw-1,2,sw-3,1\nsw-2,2,sw-3,2\n' >plan.csv
ok "lines of blanks come first" heddle plan plan.csv now.net
says "one argument" "NOW" heddle plan plan.csv
says "three arguments" "one NOW, not also" heddle plan plan.csv now.net now.net
says "a plan beside --inferred" "takes NOW alone" heddle plan plan.csv now.net --inferred
says "standard input twice" "both want standard input" heddle plan - -
heddle topo torus:5x5 --fail-links 20 -o odd.net >/dev/null
says "no topology" "has no topology that is known" heddle plan --inferred odd.net
finish
