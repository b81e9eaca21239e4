# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Ports that operate one VL when opensm starts: OpenSM cuts the SL2VL tables of the first sweep down
# to it, and the plug-in has them written again. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
configure "$scratch/before" "routing_engine minhop" "max_op_vls 1"
ok "another opensm left one VL" opensm_once "$scratch/before"

at=$scratch/after
configure "$at" "routing_engine dla" "event_plugin_options queues=xordet:4"
ok "opensm" start_opensm "$at"
ok "it sweeps again" wait_log "$at" "SUBNET UP" 2
is "because of the VLs" "$(grep -c 'heddle: .* does not operate all its VLs yet' "$at/log")" 1
is "with no complaint" "$(grep -c 'still operates fewer VLs' "$at/log")" 0

on_fabric ibnetdiscover >"$scratch/live.net"
ok "route" heddle route dragonfly:a=4,p=2,h=2 -e dla -q xordet:4 -o "$scratch/snapshot"
read_sl2vl >"$scratch/sl2vl"
sl2vl_of "$scratch/snapshot/opensm-sl2vl.dump" "$scratch/live.net" >"$scratch/sl2vl.wanted"
same "SL2VL tables are whole" "$scratch/sl2vl" "$scratch/sl2vl.wanted"
sleep 1
is "two sweeps, no more" "$(routings "$at")" 2
is "the second is called sound" "$(grep -c 'engine dla: .*: sound' "$at/log")" 1
ok "opensm stops" stop_opensm
finish
