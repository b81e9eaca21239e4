#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle qos show: shares, gaps and faults of VL arbitration tables.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

cd "$scratch" || exit 99
cat >classes <<END
[class VO] share = 10%  packet = 128
[class VI] share = 30%  packet = 256
[class CL] share = 50%  packet = 512
[class BE] share = 5%   packet = 1024   lanes = rest
[class BK] share = 5%   packet = 1024   lanes = rest
END
heddle route $dragonfly -e dla --max-vls 8 --classes classes -o five >/dev/null
ok "tables from shares" heddle qos show five
like "lanes of a class" "$(heddle qos show five)" "class VI +its lanes shall have 0.3000, and have 0.3000 to 0.3000; longest gap 17408 bytes"
like "a lane of a link to a host" "$(heddle qos show five G0S0 1)" "6  BE,BK +1 +0 +16 +0.1000 +0.1111 +9216 bytes +0.1000 +9216 bytes"
heddle route tree:k=4,n=2 -e dmodc --max-vls 1 -o one >/dev/null
like "one VL waits for nothing" "$(heddle qos show one)" "0 bytes +1.0000 +0 bytes"
json "shares of a port" "[(v['vl'], round(v['share'], 6), v['gap']) for v in j['tables'][0]['vls']][:3], j['starves']" \
	"([(0, 0.05, 19456), (1, 0.05, 19456), (2, 0.15, 17408)], False)" heddle qos show five G0S0 3 --json
like "packets of the MTU" "$(heddle qos show five G0S0 1 --mtu 512)" "0  VO .* 0.1000 +0.1818 "
like "how long a class waits" "$(heddle qos show five --load 0.9)" "wait VO +at most 19726 ns, from .* to .*; at most 30730 bytes behind a link"
like "more than is guaranteed" "$(heddle qos show five)" "wait VO +no bound: flows at load 1 need 1.0141 of what VL 0 of .* guarantees; load 0.9861 is feasible"
ok "what is feasible" heddle qos show five --load 0.986
like "small buffers" "$(heddle qos show five --load 0.9 --buffer 4096)" "wait VO +no bound: 30730 bytes may wait behind .* on VL 0, which has buffers of 4096"
like "in any order" "$(heddle qos show five --load 0.5 --any-order --burst 64)" "wait CL +at most [0-9]+ ns"
for wait in 19us 20us; do
	sed "s/= 128/&   wait = $wait/" classes >slow
	heddle route $dragonfly -e dla --max-vls 8 --classes slow -o "slow.$wait" >/dev/null
done
ok "a wait that is kept" heddle qos show slow.20us --load 0.9
not_ok "a wait that is not" 1 heddle qos show slow.19us --load 0.9
not_ok "no bound is none" 1 heddle qos show slow.20us
like "and told" "$(heddle qos show slow.19us --load 0.9)" "wait VO .*not within the 19000 ns that it may wait"
json "bounds" "[(c['name'], round(c['wait']['ns']), c['wait']['within']) for c in j['classes']][:2], j['waits']" \
	"([('VO', 19726, True), ('VI', 16046, True)], False)" heddle qos show slow.20us --load 0.9 --json
json "and none" "j['classes'][0]['wait']['within'], 'ns' in j['classes'][0]['wait']" "(False, False)" heddle qos show slow.20us --json
not_ok "ports of four entries" 1 heddle qos show five --vlarb-cap 4
like "what they cut off" "$(heddle qos show five --vlarb-cap 4)" "fault +entries beyond the 4 of 108 ports"
like "who starves there" "$(heddle qos show five --vlarb-cap 4)" "fault +VL 7 starves at 108 ports, .*: it has no entry"
like "how long" "$(heddle qos show five --vlarb-cap 4)" "class BK +its lanes shall have 0.1000, and have 0.0000 to 0.0000; longest gap for ever"

# OpenSM's own tables, of eight queues
heddle route $dragonfly -e dla -q xordet:4 -o default >/dev/null
low() {
	awk -v limit="$1" '/ high / { $0 = $1 " high " limit " : 0:4 1:0 2:0 3:0 4:0 5:0 6:0 7:0" }
		/ low / { $0 = $1 " low : 0:0 1:4 2:4 3:4 4:4 5:4 6:4 7:4" } { print }' default/opensm-vlarb.dump >vlarb
}
low 0
cp -r default limited
cp vlarb default/opensm-vlarb.dump
low 255
cp vlarb limited/opensm-vlarb.dump
ok "OpenSM's default" heddle qos show default
# six VLs are in use there
json "half for VL 0" "[round(v['share'], 4) for v in j['tables'][0]['vls']]" \
	"[0.5, 0.1, 0.1, 0.1, 0.1, 0.1]" heddle qos show default G0S0 3 --json
like "and weights of 0" "$(heddle qos show default)" "fault +entries with weight 0 at "
not_ok "no limit" 1 heddle qos show limited
like "nothing for the others" "$(heddle qos show limited)" "VL 1 starves at .*: the high-priority table has no limit"
not_ok "four entries of that" 1 heddle qos show default --vlarb-cap 4
rm default/opensm-vlarb.dump
like "tables that are not known" "$(heddle qos show default)" "unknown +VL arbitration of [0-9]* ports with several VLs in use"

# tables without a fabric
like "a plan" "$(heddle qos plan classes)" "low: 0:4,1:24,0:4,2:80,0:4,1:24,0:4,3:16"
like "for OpenSM" "$(heddle qos plan classes -o opensm)" "qos_vlarb_low 0:4,1:24,0:4,2:80,0:4,1:24,0:4,3:16.*qos_sl2vl 0,1,2,3,3,0"
like "four entries" "$(heddle qos plan classes --vlarb-cap 4)" "VI +1 +0.3000 +7168 bytes"
not_ok "three entries in one table and one in the other" 1 heddle qos plan classes --vlarb-cap 1
sed 's/VO]/VO] distance = 2 /; s/VI]/VI] distance = 4 /; s/CL]/CL] distance = 8 /; s/\(B.\)]/\1] distance = 16 /' classes >distances
like "a DTable" "$(heddle qos plan distances --dtable 128,16,8,2)" "CL +16 +0.03125 +0.50000 +128 +2048 +0.49231 +\+32 +2080 +0.50000"
like "an SBT" "$(heddle qos plan classes --sbt)" "CL +2 +50 +0.5000 +0.5714"
says "an SBT and a DTable" "sbt or --dtable or --rr" heddle qos plan distances --sbt --dtable 128,16,8,2
heddle qos plan classes -o opensm --policy policy >options
like "the policy's name" "$(cat options)" "qos_policy_file $scratch/policy"
like "a policy" "$(cat policy)" "name: class-CL.*sl: 2.*qos-class: 2.*qos-level-name: class-CL"
says "a policy alone" "policy goes with --output opensm" heddle qos plan classes --policy policy
says "a policy nowhere" "gone" heddle qos plan classes -o opensm --policy gone/policy
not_ok "a share that the form does not have" 1 heddle qos plan distances --dtable 128,16,8,8
says "no form" "is not N,GMTU,W,K" heddle qos plan distances --dtable 128,16
says "a class without a distance" "class VO has no distance" heddle qos plan classes --dtable 128,16,8,2
says "no such format" "'text' is neither opensm nor classes" heddle qos plan classes -o text
like "RR" "$(heddle qos plan classes --rr)" "low: 0:2,2:8,1:4,3:16.*BE +3 +0.5333"
like "RR for OpenSM" "$(heddle qos plan classes --rr -o opensm)" "qos_vlarb_low 0:2,2:8,1:4,3:16,.*within 0.0000 of a packet of each VL in turn"
like "SBT for OpenSM" "$(heddle qos plan classes --sbt -o opensm)" "qos_vlarb_low 1:4,0:2,1:4,2:40,1:4,3:16.*within 0.0000 of SBT's, in bytes"
# what is left of a weight goes to the next entry of the VL: 6.5 packets of VO are 6 and 8 units in turn
like "a DTable for OpenSM" "$(heddle qos plan distances --dtable 32,16,8,2 --vlarb-cap 64 -o opensm)" \
	"qos_vlarb_low 0:6,1:36,0:8,2:128,0:6,1:40,0:8,3:16,.*within 0.0069 of DTable's"
not_ok "a DTable of which OpenSM would send a half" 1 heddle qos plan distances --dtable 64,16,8,2 --vlarb-cap 64 -o opensm
like "and why" "$(cat "$scratch/.err")" "a DTable of 64 entries, and VL arbitration has room for 32"
not_ok "a weight that entries do not have" 1 heddle qos plan distances --dtable 16,16,32,8 --vlarb-cap 64 -o opensm
like "and why" "$(cat "$scratch/.err")" "entry 3 of the DTable has a weight of 512, and VL arbitration at most 255"
for option in --rr --sbt "--dtable 128,16,8,2" ""; do
	# shellcheck disable=SC2086 # several words
	heddle qos plan distances $option -o classes >"classes of ${option%% *}"
	ok "a class file, $option" heddle qos plan "classes of ${option%% *}"
done
like "of RR" "$(grep share "classes of --rr" | xargs)" "share = 1/15 share = 2/15 share = 4/15 share = 4/15 share = 4/15"
like "of SBT" "$(grep share "classes of --sbt" | xargs)" "share = 1/35 share = 6/35 share = 4/7 share = 4/35 share = 4/35"
like "of a DTable" "$(grep share "classes of --dtable" | xargs)" "share = 1/10 share = 3/10 share = 1/2 share = 1/20 share = 1/20"
says "a policy for a class file" "policy goes with --output opensm" heddle qos plan classes -o classes --policy policy
says "a plan of a port" "plan takes one class file" heddle qos plan classes G0S0 1
says "what is for show" "go with show" heddle qos plan classes --json
says "what is for plan" "go with plan" heddle qos show five -o opensm
says "no such word" "no 'plot': show, plan" heddle qos plot five
says "no snapshot" "no SNAPSHOT or CLASSES given" heddle qos show
says "a node alone" "NODE without PORT" heddle qos show five G0S0
says "no load" "'2' is not a number from 0.01 to 1" heddle qos show five --load 2
says "no number" "'nan' is not a number" heddle qos show five --load nan
says "no such port" "port" heddle qos show five G0S0 99
finish
