# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A site's QoS options that an engine's own tables take the place of are named in the log, in one line; where one
# lane is enough for routes, ports hold what OpenSM makes of the options, and that is proved.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

heddle topo dragonfly:a=2,p=1,h=1 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
at=$scratch/opensm
sl2vl=0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,7
high=0:4,1:0,2:0,3:0,4:0,5:0,6:0,7:0,8:0,9:0,10:0,11:0,12:0,13:0,14:0
low=0:0,1:4,2:4,3:4,4:4,5:4,6:4,7:4,8:4,9:4,10:4,11:4,12:4,13:4,14:4
own="SL2VL tables, VL arbitration and path SLs of its own; without effect:"
instead=" (event_plugin_options classes=FILE gives classes their shares, heddle-classes(5))"

# said NAME WANTED LINE...: what the log says of a site's options when dla has several queues
said() {
	local name=$1 wanted=$2
	shift 2
	rm -rf "$at"
	configure "$at" "routing_engine dla" "event_plugin_options queues=dbbm:2" "$@"
	ok "$name: opensm" opensm_once "$at"
	is "$name: dla configured" "$(tables_configured "$at")" dla
	# what to write instead stands after it
	is "$name: what has no effect" "$(sed -n 's/.*heddle: engine dla has //p' "$at/log")" \
		"$wanted${wanted:+$instead}"
}

said "nothing set" ""
said "only defaults set" "" "qos_sl2vl $sl2vl" "qos_vlarb_high $high" "qos_vlarb_low $low" "qos_high_limit 0" \
	"qos_max_vls 15" "qos_ca_sl2vl (null)" "qos_ca_high_limit -1"
said "SL2VL" "$own qos_sl2vl" "qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3" "qos_vlarb_high $high"
said "several" "$own qos_high_limit, qos_vlarb_low, qos_ca_vlarb_high, qos_swe_sl2vl" "qos_high_limit 255" \
	"qos_vlarb_low 0:4,1:4" "qos_ca_vlarb_high 0:9" "qos_swe_sl2vl 0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"

# SLs of partitions, of policies, of the subnet manager itself
cat >"$scratch/partitions" <<'END'
Default=0x7fff, ipoib: ALL=full;
fast=0x0001, sl=3, defmember=full: ALL;
END
cat >"$scratch/policy" <<'END'
qos-levels
	qos-level
		name: DEFAULT
		sl: 0
	end-qos-level
	qos-level
		name: storage
		sl: 2
	end-qos-level
end-qos-levels
END
said "SLs" "$own sm_sl, sl=3 of partition 0x0001, sl: 2 of qos-level storage in qos_policy_file" "sm_sl 1" \
	"partition_config_file $scratch/partitions" "qos_policy_file $scratch/policy"

# One queue of dla serves any SL: those that others choose are taken.
rm -rf "$at"
configure "$at" "routing_engine dla" "sm_sl 1" "partition_config_file $scratch/partitions" \
	"qos_policy_file $scratch/policy" "qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3"
ok "any SL: opensm" start_opensm "$at"
settled "$at"
is "any SL: what has no effect" "$(sed -n 's/.*heddle: engine dla has //p' "$at/log")" \
	"SL2VL tables and VL arbitration of its own; without effect: qos_sl2vl; on the same lanes as other SLs: sm_sl, sl=3 of partition 0x0001, sl: 2 of qos-level storage in qos_policy_file$instead"
# once, and again when it changes
sweeps=$(routings "$at")
kill -HUP "$opensm_pid"
wait_log "$at" 'tables configured' $((sweeps + 1))
settled "$at"
is "any SL: said once" "$(grep -c 'heddle: engine dla has' "$at/log")" 1
stop_opensm

# Without QoS OpenSM programs none of them itself
rm -rf "$at"
configure "$at" "qos FALSE" "routing_engine heddle-updn" "qos_sl2vl 0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3"
ok "no QoS: opensm" opensm_once "$at"
is "no QoS: updn configured" "$(tables_configured "$at")" heddle-updn
is "no QoS: nothing to say" "$(grep -c 'heddle: engine .* has' "$at/log")" 0
stop_fabric

# One lane: the site's options at every port are what stock OpenSM makes of them with an engine of its own.
names() {
	sed -nE 's/.*heddle: engine [^ ]* ((has|needs) )/\1/p' "$at/log" | tail -n 1
}

# live NAME ENGINE LINE...: opensm with such options, and what all ports hold, in $scratch/live
live() {
	local name=$1 engine=$2
	shift 2
	rm -rf "$at" "$scratch/live"
	configure "$at" "routing_engine $engine" "max_op_vls 4" "$@"
	ok "$name: opensm" start_opensm "$at"
	settled "$at"
	is "$name: configured" "$(tables_configured "$at")" "$engine"
	ok "$name: the fabric is read" on_fabric heddle dump --no-path-sls -o "$scratch/live"
}

# site NAME SPEC CAPACITY ENGINE LOGGED LINE...: what the log says, and that ports hold the same as by minhop
site() {
	local name=$1 spec=$2 cap=$3 engine=$4 logged=$5
	shift 5
	heddle topo "$spec" -o "$scratch/net" >/dev/null
	start_fabric simfabric "$scratch/net" --vlarb-cap "$cap"
	live "$name, OpenSM's own" minhop "$@"
	stop_opensm
	rm -rf "$scratch/own"
	mv "$scratch/live" "$scratch/own"
	stop_fabric
	start_fabric simfabric "$scratch/net" --vlarb-cap "$cap"
	live "$name" "$engine" "$@"
	same "$name: SL2VL of every port" "$scratch/live/opensm-sl2vl.dump" "$scratch/own/opensm-sl2vl.dump"
	same "$name: VL arbitration of every port" "$scratch/live/opensm-vlarb.dump" "$scratch/own/opensm-vlarb.dump"
	is "$name: what is said" "$(names)" "needs one lane, and uses those of the site, proved with all SLs: $logged"
	like "$name: proved" "$(grep 'heddle: engine' "$at/log")" ' sound: '
	same "$name: VL arbitration as it is dumped" "$at/dump/opensm-vlarb.dump" "$scratch/own/opensm-vlarb.dump"
}

record() { # saquery's arguments
	on_fabric saquery PR "$@" 2>/dev/null | sed -n 's/.*sl\.*0x//p'
}

lanes=("qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,15" "qos_vlarb_low 0:4,1:8,2:12,3:16,4:4,5:8,6:12,7:16"
	"qos_vlarb_high 7:2" "qos_high_limit 3" "qos_ca_sl2vl 0,1,2,3,4,5,6,7,7,6,5,4,3,2,1,0")
set="qos_high_limit, qos_vlarb_high, qos_vlarb_low, qos_sl2vl, qos_ca_sl2vl"
site "a tree" tree:k=4,n=2 8 dmodc \
	"$set; not for all SLs: dropped packets: 184 times, first from L0S0[0] to LID 1 on SL 15 at L0S0[1]" \
	"${lanes[@]}" "partition_config_file $scratch/partitions"
lid=$(sed -nE 's/^Switch.*"L0S0".* lid ([0-9]+) lmc.*/\1/p' "$scratch/live/fabric.net")
is "a tree: smpquery sl2vl" "$(on_fabric smpquery sl2vl "$lid" 5 2>/dev/null | sed -n 's/^ports: in  1, out  5: //p' | tr -s '| ' ' ' | xargs)" \
	"0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 15"
like "a tree: smpquery vlarb" "$(on_fabric smpquery vlarb "$lid" 5 2>/dev/null | tr -d '\n')" \
	'WEIGHT: *\|0x4 *\|0x8 *\|0xC *\|0x10 *\|0x4 *\|0x8 *\|0xC *\|0x10'
like "a tree: smpquery portinfo" "$(on_fabric smpquery portinfo "$lid" 5 2>/dev/null)" 'VLHighLimit:\.*3'
is "a tree: the SL of a partition" "$(record --slid 2 --dlid 9 --pkey 0x8001)" 3
# all mixtures of tables that a change passes through have these lanes, too
sed -i 's/^qos_sl2vl .*/qos_sl2vl 0,0,1,1,2,2,3,3,4,4,5,5,6,6,7,7/' "$at/opensm.conf"
sweeps=$(routings "$at")
kill -HUP "$opensm_pid"
wait_log "$at" 'tables configured' $((sweeps + 1))
settled "$at"
like "a tree, another SL2VL: what is said" "$(names)" "proved with all SLs: $set$"
is "a tree, another SL2VL: smpquery" "$(on_fabric smpquery sl2vl "$lid" 5 2>/dev/null | sed -n 's/^ports: in  1, out  5: //p' | tr -s '| ' ' ' | xargs)" \
	"0 0 1 1 2 2 3 3 4 4 5 5 6 6 7 7"
stop_opensm
stop_fabric

# a fabric with cycles, 40 entries, and a link that fails
site "a torus" torus:4x4 40 any "qos_vlarb_low, qos_swe_sl2vl" \
	"qos_vlarb_low $(printf '%d:1,%d:2,' 0 1 2 3 4 5 6 7 7 6 5 4 3 2 1 0 0 1 2 3)8:3,9:4" \
	"qos_swe_sl2vl 7,6,5,4,3,2,1,0,0,1,2,3,4,5,6,7"
sweeps=$(routings "$at")
console 'Unlink "S0.0"[2]'
kill -HUP "$opensm_pid"
wait_log "$at" 'tables configured' $((sweeps + 1))
settled "$at"
is "a torus, a link fails: the same is said" "$(grep -c 'heddle: engine any needs one lane' "$at/log")" 1
like "a torus, a link fails: rounds" "$(grep 'change over' "$at/log")" '(every mixture proved|any order is safe)$'
rm -rf "$scratch/live"
ok "a torus, a link fails: the fabric is read" on_fabric heddle dump --no-path-sls -o "$scratch/live"
ok "a torus, a link fails: proved with all SLs" heddle check "$scratch/live" --all-sls
stop_opensm
stop_fabric

# VL 0, on which all go that ask for nothing, would wait for ever
heddle topo tree:k=4,n=2 -o "$scratch/net" >/dev/null
start_fabric simfabric "$scratch/net"
live "starved" dmodc "qos_vlarb_low 1:4" "qos_vlarb_high 1:4"
like "starved: what is said" "$(names)" \
	"^has SL2VL tables and VL arbitration of its own; without effect: qos_vlarb_high, qos_vlarb_low: starved .*heddle-classes\(5\)\)$"
ok "starved: but it is not" heddle check "$scratch/live"
stop_opensm
# fewer VLs than the options use
live "fewer VLs" dmodc "qos_sl2vl 4,5,6,7,4,5,6,7,4,5,6,7,4,5,6,7" "event_plugin_options max_vls=4"
like "fewer VLs: what is said" "$(names)" "; without effect: qos_sl2vl: dropped packets: .* \\(event_plugin_options"
stop_opensm
# nobody has proved what nobody was to prove
live "unproved" dmodc "qos_sl2vl 4,5,6,7,4,5,6,7,4,5,6,7,4,5,6,7" "event_plugin_options check=off"
is "unproved: what is said" "$(names)" "needs one lane, and uses those of the site, not proved (check=off): qos_sl2vl"
stop_opensm
# SLs alone: they are answered, and are on one lane until options or classes say otherwise
live "SLs alone" dmodc "partition_config_file $scratch/partitions"
is "SLs alone: what is said" "$(names)" \
	"has SL2VL tables and VL arbitration of its own; on the same lanes as other SLs: sl=3 of partition 0x0001$instead"
is "SLs alone: answered" "$(record --slid 2 --dlid 9 --pkey 0x8001)" 3
stop_opensm
finish
