#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle setup: stock opensm routes a fabric with the opensm.conf that it writes.
# shellcheck source-path=SCRIPTDIR disable=SC2154 # scratch
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
at=$scratch/opensm
net=$scratch/net

# conf_of KEY: its value in opensm.conf
conf_of() {
	sed -nE "s/^$1[[:space:]]+//p" "$at/opensm.conf" | tail -n 1
}

# set_up NAME FABRIC ARG...: the configuration of the tests, which names no engine, becomes one for FABRIC, and routes it
set_up() {
	local name=$1
	heddle topo "$2" -o "$net" >/dev/null
	shift 2
	rm -rf "$at"
	start_ibsim "$net" || return
	configure "$at" "event_plugin_name (null)" "routing_engine (null)" "qos FALSE"
	cp "$at/opensm.conf" "$scratch/before"
	heddle setup "$net" --conf "$scratch/before" "$@" -o "$at/opensm.conf" 2>"$scratch/notes" </dev/null
	is "$name: heddle setup" $? 0
	ok "$name: opensm brings the fabric up" start_opensm "$at"
	settled "$at"
	is "$name: heddle's tables" "$(tables_configured "$at")" heddle
	ok "$name: what switches hold is sound" read_and_check
	stop_opensm
	stop_fabric
}

read_and_check() {
	on_fabric heddle dump -o "$scratch/now" >/dev/null && heddle check "$scratch/now"
}

set_up "dragonfly" dragonfly:a=4,p=2,h=2
is "dragonfly: QoS and engine" "$(conf_of qos) $(conf_of routing_engine) $(conf_of event_plugin_name)" "TRUE heddle,no_fallback osmheddle"
like "dragonfly: what changes is said" "$(cat "$scratch/notes")" "qos: FALSE -> TRUE"
is "dragonfly: all else stays" "$(grep -cvxFf "$scratch/before" "$at/opensm.conf")" 5

set_up "tree, QoS of the site" tree:k=4,n=2 --keep qos --keep fallback
is "tree: QoS stays" "$(conf_of qos) $(conf_of routing_engine)" "FALSE heddle"

# Planes: the engine is that of the subnet manager's
heddle setup multiplane:dragonfly:a=4,p=2,h=2,planes=2 >"$scratch/conf" 2>"$scratch/notes" </dev/null
like "planes: one is set up" "$(cat "$scratch/conf")" 'heddle takes dla '
like "planes: the other is left out" "$(cat "$scratch/notes")" 'left out: 36 switches .*\(1 part\)'

# The examples of contrib/opensm are what heddle setup writes.
for example in "$top_srcdir"/contrib/opensm/*.conf; do
	name=${example##*/}
	spec=$(sed -n 's/^#   heddle setup //p' "$example")
	heddle setup "$spec" >"$scratch/conf" 2>"$scratch/notes" </dev/null
	same "contrib/opensm/$name is of heddle setup $spec" <(sed 1,3d "$example") "$scratch/conf"
	[ "$name" != torus.conf ] || set_up "$name, as opensm has it" "$spec"
done

printf 'event_plugin_name first second\nqos_sl2vl 0,1,2\n' >"$scratch/site"
heddle setup dragonfly:a=4,p=2,h=2 --conf "$scratch/site" >"$scratch/conf" 2>"$scratch/notes"
like "other plug-ins stay" "$(cat "$scratch/conf")" "event_plugin_name first second osmheddle"
like "the site's QoS has no effect: it is said" "$(cat "$scratch/notes")" "qos_sl2vl of .* has no effect with engine dla"
heddle setup dragonfly:a=4,p=2,h=2 --conf "$scratch/conf" 2>/dev/null | grep -v '^#' >"$scratch/again"
same "twice is as once" <(grep -v '^#' "$scratch/conf") "$scratch/again"
heddle setup torus:3x3x3 --keep qos >"$scratch/conf" 2>"$scratch/notes"
is "one VL: there is an engine for any fabric" $? 0
not_ok "no configuration" 2 heddle setup dragonfly:a=4,p=2,h=2 --conf "$scratch/none"
not_ok "an unknown thing to keep" 2 heddle setup dragonfly:a=4,p=2,h=2 --keep all
finish
