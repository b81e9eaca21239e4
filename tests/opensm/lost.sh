# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Sets of SL2VL tables are lost at every switch of a 72-host dragonfly while the subnet comes up: the log
# says "sound" of nothing that was not confirmed, and what the switches hold becomes sound for every SL.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
heddle route dragonfly:a=4,p=2,h=2 -e dla -o "$scratch/wanted"

# What the fabric holds, asked without losses: of every SL, so that a row of no sweep or another shows.
live() { # NAME [ARGUMENT...]
	local name=$1
	shift
	lose "$scratch/net" 0 0
	ok "$name: tables are read back" on_fabric heddle dump "$@" -o "$at/live"
	ok "$name: they are sound" heddle check "$at/live" --all-sls
	ok "$name: they are what was computed" heddle diff "$scratch/wanted" "$at/live"
}

lost() {
	grep -c 'ERR 3113.*SubnSet(SLtoVLMappingTable)' "$at/log"
}

for rate in 2 10 30 100; do
	at=$scratch/$rate
	name="$rate% lost"
	start_ibsim "$scratch/net" || exit
	lose "$scratch/net" "$rate" 23
	configure "$at" "routing_engine dla,no_fallback"
	ok "$name: opensm starts" start_opensm "$at"
	if [ "$rate" = 100 ]; then
		# 1 s and 2 s after one another
		ok "$name: three times it is told" wait_log "$at" 'heddle: .* [0-9]+ SL2VL rows and .* unconfirmed' 3
		is "$name: nothing is called sound" "$(grep -c 'heddle: .*: sound' "$at/log")" 0
		like "$name: where, and when it is tried again" "$(grep 'unconfirmed' "$at/log" | sed -n 3p)" \
			'0x01 -> heddle: engine dla: .* .first: G0S0\[1\]..*sweeping again in 4 s \(try 3 of 10\)'
		lose "$scratch/net" 0 0
	fi
	# Sweeps follow 1, 2 and 4 s after one another where sending again within a sweep did not do.
	ok "$name: it is settled" settled "$at"
	ok "$name: and called sound" grep -q 'heddle: engine dla: .*: sound' "$at/log"
	ok "$name: Sets were lost" test "$(lost)" -gt 0
	ok "$name: few sweeps" test "$(routings "$at")" -le 5
	# A loss that stays does not keep the subnet sweeping, nor do further sweeps unsettle it.
	before=$(routings "$at")
	kill -HUP "$opensm_pid"
	ok "$name: another sweep" wait_log "$at" 'tables configured' $((before + 1))
	ok "$name: is settled" settled "$at"
	is "$name: and the last" "$(routings "$at")" $((before + 1))
	live "$name"
	stop_opensm
	stop_fabric
done

# With -o there is one sweep: what is lost is sent again within it, or told.
at=$scratch/once
start_ibsim "$scratch/net"
lose "$scratch/net" 10 23
configure "$at" "routing_engine dla,no_fallback"
ok "one sweep: opensm" opensm_once "$at"
live "one sweep" --no-path-sls
lose "$scratch/net" 100 23
configure "$at" "routing_engine d3r,no_fallback"
ok "one sweep, all lost: opensm" opensm_once "$at"
ok "one sweep, all lost: told" grep -q 'heddle: .* unconfirmed' "$at/log"
stop_fabric

# VL arbitration: the same, by sweeps.
at=$scratch/vlarb
start_ibsim "$scratch/net"
lose "$scratch/net" 100 24
configure "$at" "routing_engine dla,no_fallback"
ok "VL arbitration lost: opensm starts" start_opensm "$at"
ok "VL arbitration lost: told" wait_log "$at" 'heddle: .* 0 SL2VL rows and [1-9][0-9]* VL arbitration blocks unconfirmed'
lose "$scratch/net" 0 0
ok "VL arbitration lost: confirmed" wait_log "$at" 'heddle: .* are confirmed'
ok "VL arbitration lost: settled" settled "$at"
live "VL arbitration lost"
stop_opensm
stop_fabric

# Shares are no part of what is proved: blocks are sent again at once, as rows are; and where they are lost for good, no change waits.
at=$scratch/blocks
start_ibsim "$scratch/net"
lose "$scratch/net" 30 24
configure "$at" "routing_engine dla,no_fallback"
ok "30% of VL arbitration lost: opensm starts" start_opensm "$at"
ok "30% of VL arbitration lost: settled" settled "$at"
ok "30% of VL arbitration lost: Sets were lost" grep -q 'ERR 3113.*SubnSet(VLArbitrationTable)' "$at/log"
is "30% of VL arbitration lost: and sent again within their sweeps" "$(grep -c 'heddle: .* unconfirmed' "$at/log")" 0
live "30% of VL arbitration lost"
stop_opensm
at=$scratch/shares
lose "$scratch/net" 100 24
configure "$at" "routing_engine heddle-updn,no_fallback"
ok "all of VL arbitration lost: opensm takes over" start_opensm "$at"
ok "all of VL arbitration lost: told" wait_log "$at" 'heddle: .* 0 SL2VL rows and [1-9][0-9]* VL arbitration blocks unconfirmed'
like "all of VL arbitration lost: the change is over" "$(grep 'heddle: .* change over' "$at/log")" \
	'(every mixture proved|any order is safe|not fully proved)$'
is "all of VL arbitration lost: it was not stopped" "$(grep -c 'heddle: .* change stopped' "$at/log")" 0
finish
