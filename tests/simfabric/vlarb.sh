# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# VL arbitration tables with fewer entries than there are lanes: stock opensm on simfabric programs what
# serves every lane, traffic on it arrives, or the engine refuses.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_fabric
spec=dragonfly:a=4,p=2,h=2
queues="event_plugin_options queues=xordet:4"
at=$scratch/opensm
heddle topo $spec -o "$scratch/net" >/dev/null

# arrives NAME: uniform traffic by the tables that switches hold now
arrives() {
	local said
	said=$(answer packets "Traffic run 100us uniform 0.3 path_sl=$at/dump/path-sl.dump")
	like "$1: packets were sent" "$said" 'packets: [1-9][0-9]{3,} generated'
	like "$1: all of them arrive" "$said" 'packets: ([0-9]+) generated.* \1 delivered'
}

# Eight lanes in four entries, and a site's limit that would starve the low-priority table
start_fabric simfabric "$scratch/net" --vlarb-cap 4 || exit
configure "$at" "routing_engine dla" "$queues" "qos_high_limit 255"
ok "four entries: opensm" start_opensm "$at"
is "four entries: dla configured" "$(tables_configured "$at")" dla
like "four entries: proved" "$(grep 'heddle: engine dla:' "$at/log")" 'sound: 4 SLs, 8 VLs'
arrives "four entries"
ok "four entries: offline" heddle route $spec -e dla -q xordet:4 --vlarb-cap 4 -o "$scratch/snapshot"
same "four entries: the same offline" "$at/dump/opensm-vlarb.dump" "$scratch/snapshot/opensm-vlarb.dump"
lid=$(on_fabric ibnetdiscover | sed -nE 's/^Switch.* lid ([0-9]+) .*/\1/p' | head -n 1)
# of a link within the group, which has all the lanes
like "four entries: the switch has four lanes in the one table and four in the other" \
	"$(on_fabric smpquery vlarb "$lid" 3 2>/dev/null | grep -E '^VL' | grep -oE '0x[0-9]' | sort | xargs)" \
	'^0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7$'
like "four entries: they alternate" "$(on_fabric smpquery portinfo "$lid" 3 2>/dev/null)" \
	'VLHighLimit:\.+0[[:space:]]'
stop_opensm
stop_fabric

# Not even both tables: refused, and the next engine routes.
start_fabric simfabric "$scratch/net" --vlarb-cap 3 || exit
configure "$at" "routing_engine dla,heddle-updn" "event_plugin_options dla.queues=xordet:4"
ok "three entries: opensm" start_opensm "$at"
like "three entries: dla refuses" "$(refusals "$at")" \
	'^engine dla refuses: 8 VLs are in use at .*, whose VL arbitration has room for 3 \+ 3'
is "three entries: the next engine routes" "$(tables_configured "$at")" heddle-updn
arrives "three entries"
stop_opensm
stop_fabric

# Tables of 64 entries, of which OpenSM programs 32
start_fabric simfabric "$scratch/net" --vlarb-cap 64 || exit
configure "$at" "routing_engine dla" "$queues vlarb=flows"
ok "64 entries: opensm" start_opensm "$at"
is "64 entries: dla configured" "$(tables_configured "$at")" dla
arrives "64 entries"
heddle route $spec -e dla -q xordet:4 --vlarb flows --vlarb-cap 32 -o "$scratch/snapshot" >/dev/null
same "64 entries: 32 are used" "$at/dump/opensm-vlarb.dump" "$scratch/snapshot/opensm-vlarb.dump"
stop_opensm
stop_fabric
finish
