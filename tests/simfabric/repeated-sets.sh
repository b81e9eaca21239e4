# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Sets that are sent twice, since their answers come later than transaction_timeout, and whose second copies take effect
# behind what was sent after them, as switches take Sets in any order: no round begins before they are gone, so nothing is
# put back, and no state loops. And the pause between rounds. The wrapper is our own: the stock one sends nothing twice.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

umad2sim=$plugin_directory/libsimfabric-umad.so
opensm_log_flags=0x47
history=$scratch/history
at=$scratch/updn
heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
start_fabric simfabric "$scratch/net" --history "$history" || exit
configure "$at" "routing_engine heddle-updn,no_fallback" "transaction_timeout 50" "max_wire_smps 64" "max_wire_smps2 64"
ok "opensm starts" start_opensm "$at"
ok "it comes up" settled "$at"

# Sets of LFT blocks that changed nothing
copies() {
	awk '/^set .* LinearForwardingTable .* 0x0 0$/ { n++ } END { print n + 0 }' "$history"
}

# Sets that put back what an entry had less than a second before, in the same change
put_back() {
	awk '/^(un)?plug |^on |^off / { split("", at) }
		$1 == "set" { time = $2; node = $3; is_new = 1 }
		$1 == "of" { node = $2 }
		$1 == "lft" {
			n = node " " $2
			if (is_new && n in at && time - at[n] < 1 && old[n] == $4) {
				count++
				is_new = 0
			}
			at[n] = time
			old[n] = $3
		}
		END { print count + 0 }' "$history"
}

console 'Shuffle 100ms 1'
for place in '"G7S0"[5]' '"G3S0"' '"G2S1"[6]'; do
	for what in Down Up; do
		overs=$(grep -c 'heddle: .* change over' "$at/log")
		console "$what $place"
		ok "$what $place: the change is over" wait_log "$at" 'heddle: .* change over' $((overs + 1))
		ok "$what $place: the subnet is up" settled "$at"
	done
done
ok "there were copies" test "$(copies)" -gt 20
is "nothing was put back" "$(put_back)" 0
heddle check --history "$history" >"$scratch/said"
is "no state loops, or has a cycle" $? 0
sed 's/^/# /' "$scratch/said" | head -n 5
sed -n 's/.*heddle: engine [^ ]*: change over: /# /p' "$at/log"
is "OpenSM says so" "$(grep -cE 'change over: .*(not fully proved|transient loops)' "$at/log")" 0
console 'Shuffle 0'
on_fabric ibnetdiscover >"$at/live.net"
read_lfts >"$at/lfts"
lfts_of "$at/dump/opensm-lfts.dump" >"$at/lfts.wanted"
same "in the end: LFTs are those of OpenSM" "$at/lfts" "$at/lfts.wanted"
stop_opensm

# Packets of one round are to be gone before the next: so many milliseconds lie between their Sets.
at=$scratch/pause
configure "$at" "routing_engine dla,no_fallback" "event_plugin_options pause=400"
ok "pause: opensm starts" start_opensm "$at"
ok "pause: it comes up" settled "$at"
overs=$(grep -c 'heddle: .* change over' "$at/log")
from=$(wc -l <"$history")
console 'Down "G3S1"'
ok "pause: the change is over" wait_log "$at" 'heddle: .* change over' $((overs + 1))
rounds=$(sed -n 's/.* change over: \([0-9]*\) rounds\?, .*/\1/p' "$at/log" | tail -n 1)
tail -n +$((from + 1)) "$history" |
	awk '/^set .* LinearForwardingTable / && $NF > 0 { if (last && $2 - last >= 0.4) n++; last = $2 } END { print n + 0 }' >"$scratch/pauses"
ok "pause: there was more than one round" test "$rounds" -gt 1
is "pause: one between any two rounds" "$(cat "$scratch/pauses")" $((rounds - 1))
console 'Up "G3S1"'
ok "pause: the switch is back" wait_log "$at" 'heddle: .* change over' $((overs + 2))
settled "$at"
stop_opensm

# A round that is given up has brought packets on their way as well: the sweep that plans anew comes a second later.
at=$scratch/given-up
configure "$at" "routing_engine dla,no_fallback" "event_plugin_options pause=2500"
ok "given up: opensm starts" start_opensm "$at"
ok "given up: it comes up" settled "$at"
overs=$(grep -c 'heddle: .* change over' "$at/log")
from=$(wc -l <"$history")
console 'Refuse "G3S0" 1000'
console 'Down "G3S1"'
ok "given up: a round is" wait_log "$at" 'heddle: .* change stopped in round'
console 'Refuse "G3S0" 0'
ok "given up: the change is over" wait_log "$at" 'heddle: .* change over' $((overs + 1))
tail -n +$((from + 1)) "$history" |
	awk '/^set .* (LinearForwardingTable|SLtoVLMappingTable) / && $NF > 0 { if (last && $2 - last > longest && $2 - last < 2.5) longest = $2 - last; last = $2 }
		END { print longest < 0.7 ? "none" : longest }' >"$scratch/pauses"
is "given up: no Set comes too early" "$(cat "$scratch/pauses")" none
stop_opensm
stop_fabric
finish
