# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# opensm as a daemon: heavy sweeps, links and switches that go and come back, shutdown.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

at=$scratch/opensm
# changed NAME ENGINE COMMAND...: after COMMAND, OpenSM routes again, at last with ENGINE
changed() {
	local name=$1 engine=$2 before
	before=$(routings "$at")
	shift 2
	"$@"
	ok "$name: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
	ok "$name: with $engine" wait_until 30 eval "[ \$(tables_configured '$at') = $engine ]"
	ok "$name: the subnet comes up" settled "$at"
	ok "$name: opensm is alive" kill -0 "$opensm_pid"
}

# The live fabric, routed by heddle, is what the switches hold.
programmed() { # NAME
	on_fabric ibnetdiscover >"$at/live.net"
	rm -rf "$at/snapshot"
	ok "$1: route" heddle route "$at/live.net" -e dla -o "$at/snapshot"
	read_lfts >"$at/lfts"
	lfts_of "$at/snapshot/opensm-lfts.dump" >"$at/lfts.wanted"
	same "$1: LFTs" "$at/lfts" "$at/lfts.wanted"
	read_sl2vl >"$at/sl2vl"
	sl2vl_of "$at/snapshot/opensm-sl2vl.dump" "$at/live.net" >"$at/sl2vl.wanted"
	same "$1: SL2VL tables" "$at/sl2vl" "$at/sl2vl.wanted"
}

# three links between every two groups: dla can lose some
heddle topo dragonfly:a=4,p=2,h=3,g=5 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
# hosts on ports 1-2, the group on 3-5, other groups on 6-8; the SM is on another switch
switch=$(sed -nE 's/^Switch[^"]*"([^"]*)".*/\1/p' "$scratch/net" | tail -n 1)
configure "$at" "routing_engine dla,updn"
ok "opensm starts" start_opensm "$at"
settled "$at"
programmed "first sweep"
cp "$at/lfts" "$scratch/lfts.first"

for _ in $(seq 10); do
	before=$(routings "$at")
	kill -HUP "$opensm_pid"
	wait_log "$at" 'tables configured' $((before + 1)) || break
	wait_log "$at" 'SUBNET UP' $((before + 1)) || break
done
is "ten heavy sweeps on demand" "$(routings "$at")" 11

changed "a host's link is lost" dla console "Unlink \"$switch\"[1]"
changed "a host's link is back" dla console "ReLink \"$switch\"[1]"
changed "a global link is lost" dla console "Unlink \"$switch\"[6]"
programmed "a global link is lost"
changed "a global link is back" dla console "ReLink \"$switch\"[6]"
programmed "a global link is back"
same "a global link is back: as at first" "$at/lfts" "$scratch/lfts.first"
changed "a local link is lost" minhop console "Unlink \"$switch\"[3]"
changed "a local link is back" dla console "ReLink \"$switch\"[3]"
programmed "a local link is back"
before=$(routings "$at")
console "Unlink \"$switch\""
ok "a switch is lost: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
ok "a switch is lost: the subnet comes up" settled "$at"
before=$(routings "$at")
console "ReLink \"$switch\""
ok "a switch is back: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
ok "a switch is back: the subnet comes up" settled "$at"
is "a switch is back: dla" "$(tables_configured "$at")" dla
programmed "a switch is back"
ok "opensm stops" stop_opensm
finish
