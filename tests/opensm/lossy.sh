# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A 72-host dragonfly comes up while its switches lose MADs of one attribute. What is called up is sound in
# the switches' own tables, or the log says what was lost; and when the losses end, the
# next sweep leaves what heddle computes. Some of attribute x rate x engine; with HD_LOSSY=all all of them.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
heddle dump --help >/dev/null 2>&1 || {
	echo "1..0 # SKIP heddle is built without libibnetdisc"
	exit 0
}

attributes="NodeDescription:16 NodeInfo:17 SwitchInfo:18 PortInfo:21 PKeyTable:22 SL2VL:23 VLArbitration:24
	LFT:25 MFT:27"
rates="2 10 30"
engines="dla d3r df-minhop df-sssp dfval updn"
cases="NodeInfo:17/10/dla SwitchInfo:18/10/df-minhop PortInfo:21/2/dla SL2VL:23/10/df-sssp
	SL2VL:23/30/d3r SL2VL:23/30/dfval VLArbitration:24/30/df-minhop LFT:25/10/dla MFT:27/30/dla"
if [ "${HD_LOSSY:-}" = all ]; then
	cases=
	for attribute in $attributes; do
		for rate in $rates; do
			for engine in $engines; do
				cases+=" $attribute/$rate/$engine"
			done
		done
	done
fi

# What was lost besides lanes, which are the plug-in's to tell
others_lost() {
	grep -E 'ERR 31(13|19|20)' "$at/log" | grep -cvE 'SLtoVLMappingTable|VLArbitrationTable'
}

# read_live NAME: what the nodes hold now, and the path SLs that the SA gives
read_live() {
	rm -rf "$at/live"
	ok "$1: tables are read back" on_fabric heddle dump --quiet -o "$at/live"
}

# sound NAME: what was read is. Some engines are not beside OpenSM's multicast trees; then the log says so,
# at the end of a heavy sweep.
sound() {
	grep -q "multicast trees is unsound" "$at/log" && rm "$at/live/opensm.mcfdbs"
	ok "$1: what the switches hold is sound" heddle check --quiet "$at/live"
}

# When the subnet is up and nothing is told, the tables that were read are sound.
judge() {
	local state
	state=$(subnet_state "$at")
	lose "$scratch/net" 0 0
	if [ "$state" != up ]; then
		ok "$name: not up, and told: ${state:-no routing}" grep -qE 'ERR 3113|ERR 3120|unconfirmed' "$at/log"
	elif [ "$(others_lost)" -gt 0 ]; then
		ok "$name: $(others_lost) other MADs lost are told" true
	else
		read_live "$name, up"
		sound "$name, up"
	fi
}

# Members of a group, so that there are multicast tables to lose.
join() {
	for host in $(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p' "$scratch/net" | awk 'NR % 20 == 1'); do
		SIM_HOST=$host on_fabric "$top_builddir/tests/opensm/join_multicast" ff12:401b:ffff::ffff:ffff >/dev/null
	done
}

# try ATTRIBUTE:NUMBER RATE ENGINE
try() {
	local name="${1%:*}, $2%, $3" before options=()
	at=$scratch/opensm
	rm -rf "$at"
	[ "$3" != dfval ] || options=("lmc 2")
	start_ibsim "$scratch/net" || return
	lose "$scratch/net" "$2" "${1#*:}"
	configure "$at" "routing_engine $(in_opensm "$3"),no_fallback" "sweep_interval 1" "event_plugin_options reroute=fresh" "${options[@]}"
	(launch "$at") &
	opensm_pid=$!
	wait_until 5 grep -qE 'SUBNET UP|ERRORS DURING INITIALIZATION' "$at/log"
	if [ "$1" = MFT:27 ]; then
		join
		lose "$scratch/net" 0 0
	else
		judge
	fi
	before=$(routings "$at")
	kill -HUP "$opensm_pid"
	ok "$name: a sweep without losses" wait_log "$at" 'tables configured' $((before + 1))
	ok "$name: settled" settled "$at"
	is "$name: by $3" "$(tables_configured "$at")" "$(in_opensm "$3")"
	read_live "$name"
	if [ "$1" = MFT:27 ]; then
		ok "$name: there are multicast tables" test -s "$at/live/opensm.mcfdbs"
		same "$name: and they are OpenSM's" "$at/live/opensm.mcfdbs" "$at/dump/opensm.mcfdbs"
	fi
	sound "$name"
	[ "$3" != dla ] || ok "$name: with every SL" heddle check --quiet "$at/live" --all-sls
	ok "$name: route" heddle route --quiet "$at/live/fabric.net" -e "$3" -o "$at/wanted"
	ok "$name: and is what was computed" heddle diff "$at/wanted" "$at/live"
	stop_opensm
	stop_fabric
}

heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
for case in $cases; do
	IFS=/ read -r attribute rate engine <<<"$case"
	try "$attribute" "$rate" "$engine"
done
finish
