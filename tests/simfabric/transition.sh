# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# How new tables get into a dragonfly of 72 hosts in use: links and switches that fail and return, another engine, a subnet
# manager that is killed, LIDs that change. Every state of the switches, replayed from OpenSM's log of answers, is
# proved; what is there in the end is what heddle computes offline, bit for bit.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

kind=simfabric
opensm_log_flags=0x67 # ERROR, INFO, VERBOSE; FRAMES: all SMPs; ROUTING: dumps
dragonfly=dragonfly:a=4,p=2,h=2
heddle topo $dragonfly -o "$scratch/net" >/dev/null

# Of the log from now on
mark() {
	from=$(wc -l <"$at/log")
	overs=$(grep -c 'heddle: .* change over' "$at/log")
}

# change over, and the subnet is up
over() { # NAME
	ok "$1: the change is over" wait_log "$at" 'heddle: .* change over' "$((overs + 1))"
	ok "$1: the subnet is up" settled "$at"
}

said() {
	tail -n +$((from + 1)) "$at/log" | sed -n 's/.*heddle: engine [^ ]*: change over: //p' | tail -n 1
}

# The states since mark(): $scratch/states, and which of them, and how many, have a loop
visit_states() {
	local state
	rm -rf "$scratch/states"
	on_fabric ibnetdiscover >"$at/live.net"
	"$top_srcdir/tests/opensm/replay_sets.py" "$at/log" "$scratch/net" "$at/live.net" "$SIM_HOST" "$from" "$scratch/states" >"$at/rounds"
	n_states=$(sed -n 's/^end //p' "$at/rounds")
	unsound=()
	for state in "$scratch"/states/*; do
		[ ! -d "$state" ] || heddle check --between "$state" "$state" --all-sls --quiet >/dev/null || unsound+=("${state##*/}")
	done
	n_unsound=${#unsound[@]}
	echo "# $1: $n_states states, $n_unsound unsound; rounds: $(tr '\n' ';' <"$at/rounds")"
}

# sound_change NAME ENGINE VERDICT: all states since mark() are sound
sound_change() {
	over "$1"
	visit_states "$1"
	is "$1: no state has a loop" "$n_unsound" 0
	ok "$1: there were states" test "$n_states" -gt 0
	like "$1: it is said" "$(said)" "$3"
	programmed "$1" "$2"
}

# planned NAME OLD NEW: LFT entries of each round are those of the plan that is made offline
planned() {
	heddle diff --quiet --schedule --json "$2" "$3" |
		sed -n 's/.*"entries": \([0-9]*\).*/\1/p' >"$scratch/planned"
	awk '$3 { print $3 }' "$at/rounds" >"$scratch/sent"
	same "$1: rounds are those of heddle diff --schedule" "$scratch/sent" "$scratch/planned"
}

proved='^[1-4] rounds?, 0 pairs of hosts dropped meanwhile, [0-9]+ ms: (every mixture proved|any order is safe)$'
at=$scratch/dla
start_fabric $kind "$scratch/net" || exit
configure "$at" "routing_engine dla,no_fallback"
ok "opensm starts" start_opensm "$at"
ok "a new fabric comes up" settled "$at"
is "a new fabric: nothing was in use" "$(grep -c 'change over' "$at/log")" 0
programmed "a new fabric" dla
cp -r "$at/snapshot" "$scratch/whole"
for link in '"G0S0"[3]' '"G2S1"[6]' '"G5S3"[7]'; do
	mark
	console "Unlink $link"
	sound_change "$link fails" dla "$proved"
	planned "$link fails" "$scratch/whole" "$at/snapshot"
	rm -rf "$scratch/less" && cp -r "$at/snapshot" "$scratch/less"
	mark
	console "ReLink $link"
	sound_change "$link returns" dla "$proved"
	planned "$link returns" "$scratch/less" "$at/snapshot"
done
for node in G3S1 G8S2; do
	mark
	console "Down \"$node\""
	sound_change "$node fails" dla "$proved"
	mark
	console "Up \"$node\""
	sound_change "$node returns" dla "$proved"
done

# With old tables: its links were pulled while another one was missing, which has come back since.
for each in 'Unlink "G1S1"[7]' 'Unlink "G4S0"' 'ReLink "G1S1"[7]'; do
	mark
	console "$each"
	over "$each"
done
mark
console 'ReLink "G4S0"'
over "a switch with old tables returns"
# until its links are up, what it has is nobody's way: the states that count begin with the sweep after that
from=$(awk '/tables configured/ { begun = NR } /change over/ { from = begun } END { print from }' "$at/log")
sound_change "a switch with old tables has returned" dla "$proved"

# Two changes at once.
mark
console 'Unlink "G6S0"[3]'
console 'Down "G7S3"'
sound_change "two changes" dla "$proved"
mark
console 'ReLink "G6S0"[3]'
console 'Up "G7S3"'
sound_change "two returns" dla "$proved"
stop_opensm

# Killed in the middle of a change: what switches hold is read.
at=$scratch/killed
configure "$at" "routing_engine dla,no_fallback" "max_wire_smps 1"
ok "killed: opensm starts" start_opensm "$at"
settled "$at"
console 'Delay 10ms'
mark
console 'Down "G3S1"'
ok "killed: a round is under way" wait_log "$at" 'heddle: .* change: round 1 of [2-9]' $(($(grep -c 'change: round 1 of [2-9]' "$at/log") + 1))
kill -KILL "$opensm_pid"
wait "$opensm_pid" 2>/dev/null
console 'Delay 0'
configure "$at" "routing_engine dla,no_fallback"
ok "killed: it starts again" start_opensm "$at"
ok "killed: the subnet is up" settled "$at"
like "killed: the change goes on" "$(sed -n 's/.*heddle: engine [^ ]*: change over: //p' "$at/log" | tail -n 1)" "$proved"
programmed "killed" dla
console 'Up "G3S1"'
stop_opensm

# From OpenSM's minhop, whose tables have a credit loop; and to another engine.
at=$scratch/minhop
configure "$at" "routing_engine minhop"
ok "minhop starts" start_opensm "$at"
settled "$at"
stop_opensm
at=$scratch/first
configure "$at" "routing_engine dla,no_fallback"
from=0
overs=0
ok "dla takes over from minhop" start_opensm "$at"
over "minhop to dla"
programmed "minhop to dla" dla
like "minhop to dla: what is not promised is said" "$(grep 'dropped first' "$at/log")" 'the old tables have a loop'
like "minhop to dla: so is the end" "$(said)" '^2 rounds, [1-9][0-9]* pairs of hosts dropped meanwhile, .*: not fully proved$'
visit_states "minhop to dla"
# the tables of minhop, and what is left of them while all that changes is dropped, may have a loop; from there on none has
dropped=$(awk '$1 == 1 { print $2 }' "$at/rounds")
is "minhop to dla: no state has a loop behind round 1" \
	"$(printf '%s\n' "${unsound[@]}" | awk -v from="${dropped:-1}" '$1 != "" && $1 >= from + 0' | wc -l)" 0
stop_opensm
at=$scratch/other
configure "$at" "routing_engine updn,no_fallback" "event_plugin_options transition=rounds"
sed -i 's/^routing_engine.*/routing_engine heddle-updn,no_fallback/' "$at/opensm.conf"
ok "updn takes over from dla" start_opensm "$at"
ok "dla to updn: it comes up" settled "$at"
programmed "dla to updn" updn
ok "dla to updn: it was a change" grep -q 'change over' "$at/log"
stop_opensm

# LIDs and LMC: dropped, and said.
at=$scratch/lmc
configure "$at" "routing_engine dla,no_fallback" "lmc 1"
ok "another LMC" start_opensm "$at"
ok "another LMC: it comes up" settled "$at"
like "another LMC: it is said" "$(grep 'dropped first' "$at/log")" 'gets another LID or LMC'
programmed "another LMC" dla
stop_opensm
stop_fabric

# Drop, as asked for; off: as before, and some states have loops.
for mode in drop off; do
	at=$scratch/$mode
	start_fabric $kind "$scratch/net" || exit
	configure "$at" "routing_engine dla,no_fallback" "event_plugin_options transition=$mode"
	ok "$mode: opensm starts" start_opensm "$at"
	settled "$at"
	mark
	before=$(routings "$at")
	console 'Down "G3S1"'
	ok "$mode: it routes" wait_log "$at" 'tables configured' $((before + 1))
	ok "$mode: it settles" settled "$at"
	visit_states "$mode"
	programmed "$mode" dla
	if [ $mode = drop ]; then
		is "drop: no state has a loop" "$n_unsound" 0
		like "drop: it is said" "$(said)" '^2 rounds, [0-9]+ pairs of hosts dropped meanwhile, [0-9]+ ms: every mixture proved'
	else
		is "off: nothing is said" "$(said)" ""
		ok "off: some states have loops" test "$n_unsound" -gt 0
	fi
	stop_opensm
	stop_fabric
done

# The same on ibsim, where Sets of LFTs and rows are lost for good, too: rounds are sent again.
at=$scratch/ibsim
start_fabric ibsim "$scratch/net" || exit
configure "$at" "routing_engine dla,no_fallback"
ok "ibsim: opensm starts" start_opensm "$at"
settled "$at"
mark
console 'Unlink "S-0001000000000009"[6]'
obeyed
kill -HUP "$opensm_pid"
sound_change "ibsim: a link fails" dla "$proved"
mark
console 'ReLink "S-0001000000000009"[6]'
obeyed
kill -HUP "$opensm_pid"
sound_change "ibsim: it returns" dla "$proved"
lose "$scratch/net" 20 25
mark
console 'Unlink "S-0001000000000009"[6]'
obeyed
kill -HUP "$opensm_pid"
over "ibsim: a link fails, Sets of LFTs are lost"
lose "$scratch/net" 0 0
visit_states "ibsim: a link fails, Sets of LFTs are lost"
is "ibsim: a link fails, Sets of LFTs are lost: no state has a loop" "$n_unsound" 0
ok "ibsim: Sets of LFTs were lost" grep -q 'ERR 3113.*SubnSet(LinearForwardingTable)' "$at/log"
settled "$at"
programmed "ibsim: a link fails, Sets of LFTs are lost" dla

# No switch answers anything about its LFT any more: nobody waits for ever, and that is said.
before=$(grep -c 'heddle: .* are confirmed' "$at/log")
lose "$scratch/net" 100 25
mark
console 'ReLink "S-0001000000000009"[6]'
obeyed
kill -HUP "$opensm_pid"
ok "no LFT is taken: it is said" wait_log "$at" 'heddle: .* LFT blocks, .* unconfirmed'
ok "no LFT is taken: it goes on in the end" wait_log "$at" 'change over: .*: not confirmed, transient loops are possible'
lose "$scratch/net" 0 0
ok "no LFT is taken: until it is" wait_log "$at" 'heddle: .* are confirmed' $((before + 1))
settled "$at"
programmed "no LFT is taken" dla
finish
