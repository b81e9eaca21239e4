# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A site's QoS options that an engine's own tables take the place of are named in the log, in one line.
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
instead=" (event_plugin_options classes=FILE says who has which part of links, heddle-classes(5))"

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
	"SL2VL tables and VL arbitration of its own; without effect: qos_sl2vl$instead"
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
finish
