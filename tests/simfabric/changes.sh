# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Changes that do not go as they should: Sets that a switch refuses, discovery that is lost, SIGHUP with another engine or
# other classes, a hand-over from another subnet manager, LIDs that are renumbered. Never worse than dropping, and logged.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

opensm_log_flags=0x47 # ERROR, INFO, VERBOSE; ROUTING: dumps
history=$scratch/history
heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null

number() { # KEY: of the states since mark()
	sed -n "s/^  \"$1\": \([0-9.]*\),*$/\1/p" "$scratch/json"
}

look() {
	heddle check --quiet --json --history "$history" "$@" >"$scratch/json" 2>/dev/null
}

mark() {
	look
	since=$(number seconds)s
	overs=$(grep -c 'heddle: .* change over' "$at/log")
	from=$(wc -l <"$at/log")
}

over() { # NAME
	ok "$1: the change is over" wait_log "$at" 'heddle: .* change over' $((overs + 1))
	ok "$1: the subnet is up" settled "$at"
}

log() { tail -n +$((from + 1)) "$at/log"; }

said() { log | sed -n 's/.*heddle: engine [^ ]*: change over: //p' | tail -n 1; }

sound() { # NAME: all states since mark() are
	look --since "$since"
	ok "$1: there were states" test "$(number states)" -gt 1
	is "$1: no state loops or has a cycle" "$(number unsound)" 0
	echo "# $1: $(number states) states"
}

proved='^[1-4] rounds?, 0 pairs of hosts dropped meanwhile, [0-9]+ ms: (every mixture proved|any order is safe)$'

# A switch refuses a few Sets: they are sent again, and no round begins before.
at=$scratch/refused
start_fabric simfabric "$scratch/net" --history "$history" || exit
configure "$at" "routing_engine dla,no_fallback"
ok "opensm starts" start_opensm "$at"
ok "it comes up" settled "$at"
mark
console 'Refuse "G0S0" 3'
console 'Unlink "G0S0"[6]'
over "refused"
sound "refused"
like "refused: it is proved" "$(said)" "$proved"
look
ok "refused: Sets were" test "$(number refused)" -ge 1
programmed "refused" dla

# It refuses all: the others go on without it in the end, and nobody says that it was proved.
mark
console 'Refuse "G0S0" 1000000'
console 'ReLink "G0S0"[6]'
ok "refused for ever: it is said" wait_log "$at" 'heddle: .* LFT blocks, .* unconfirmed'
ok "refused for ever: it goes on in the end" wait_log "$at" 'change over: .*: not confirmed, transient loops are possible'
console 'Refuse "G0S0" 0'
ok "refused for ever: until it is not" wait_log "$at" 'heddle: .* are confirmed'
ok "refused for ever: the subnet is up" settled "$at"
programmed "refused for ever" dla

# SIGHUP: another engine in opensm.conf is not read, and nothing changes.
mark
before=$(routings "$at")
sed -i 's/^routing_engine.*/routing_engine heddle-updn,no_fallback/' "$at/opensm.conf"
kill -HUP "$opensm_pid"
ok "another engine at SIGHUP: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
ok "another engine at SIGHUP: the subnet is up" settled "$at"
is "another engine at SIGHUP: it stays" "$(tables_configured "$at")" dla
is "another engine at SIGHUP: nothing changes" "$(said)" ""

# Another subnet manager, of higher priority, takes over: from the tables that are there.
first_pid=$opensm_pid first_host=$SIM_HOST
SIM_HOST=$(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p;' "$scratch/net" | tail -n 1)
at=$scratch/second
# A hand-over that reaches the other one while it still discovers is lost, and both stand by: it takes over when nobody is
# master for a while, which is 50 s unless said.
configure "$at" "routing_engine heddle-updn,no_fallback" "sm_priority 14" "sminfo_polling_timeout 1000" "polling_retry_number 2"
look
since=$(number seconds)s
from=0
# The master hands over at the end of a sweep that found the other one standing by.
hand_over() {
	wait_log "$at" 'ENTERING STANDBY STATE'
	for _ in $(seq 20); do
		! grep -q 'ENTERING SM MASTER STATE' "$at/log" || return
		kill -HUP "$first_pid"
		sleep 2
	done
}
hand_over >/dev/null 2>&1 &
# waits for a hand-over, or twice for nobody
ok "hand-over: the other one comes up" eval "opensm_patience=180 start_opensm '$at'"
ok "hand-over: it settles" settled "$at"
sound "hand-over"
ok "hand-over: it was a change" test -n "$(said)"
like "hand-over: it is said how" "$(said)" 'every mixture proved|any order is safe|not fully proved'
programmed "hand-over" updn
stop_opensm
opensm_pid=$first_pid SIM_HOST=$first_host
stop_opensm

# A host has another LID than it gets, while its link is active: dropped, and said.
at=$scratch/renumbered
configure "$at" "routing_engine dla,no_fallback" "reassign_lids TRUE"
console 'Baselid "H-00033"[1] 300'
from=0
ok "renumbered: opensm starts" start_opensm "$at"
ok "renumbered: it comes up" settled "$at"
like "renumbered: it is said" "$(grep 'dropped first' "$at/log")" 'gets another LID or LMC'
like "renumbered: so is the end" "$(said)" 'not fully proved$'
programmed "renumbered" dla
stop_opensm

# Other service classes at SIGHUP: dropped, and said; LFTs stay, so nothing loops.
at=$scratch/classes
printf '[class a]\nshare = 30%%\n[class b]\nshare = 70%%\ndefault = yes\n' >"$scratch/class.file"
configure "$at" "routing_engine dla,no_fallback" "event_plugin_options classes=$scratch/class.file"
ok "classes: opensm starts" start_opensm "$at"
ok "classes: it comes up" settled "$at"
mark
printf '[class a]\nshare = 30%%\n[class b]\nshare = 60%%\ndefault = yes\n[class c]\nshare = 10%%\n' >"$scratch/class.file"
kill -HUP "$opensm_pid"
over "classes"
like "classes: it is said" "$(log | grep 'dropped first')" 'different service classes'
look --since "$since"
is "classes: no state loops" "$(number looping)" 0
stop_opensm
stop_fabric

# ibsim loses for good: what OpenSM would drop for one lost MAD is asked again, and stays.
at=$scratch/silent
start_fabric ibsim "$scratch/net" || exit
configure "$at" "routing_engine dla,no_fallback"
ok "silent: opensm starts" start_opensm "$at"
ok "silent: it comes up" settled "$at"
for attribute in 17:NodeInfo 18:SwitchInfo 22:P_KeyTable; do
	name="silent, ${attribute#*:}"
	lose "$scratch/net" 4 "${attribute%:*}"
	mark
	for sweep in 1 2 3; do
		before=$(routings "$at")
		kill -HUP "$opensm_pid"
		ok "$name: sweep $sweep" wait_log "$at" 'tables configured' $((before + 1))
		ok "$name: sweep $sweep ends" settled "$at"
	done
	is "$name: nothing was dropped" "$(log | grep -c 'Removed port')" 0
	is "$name: nothing changes" "$(said)" ""
	log | grep 'ERR 3113' >>"$scratch/lost"
done
lose "$scratch/net" 0 0
ok "silent: MADs were lost" test -s "$scratch/lost"
like "silent: and asked again" "$(grep 'had not answered' "$at/log" | head -n 1)" '[1-9][0-9]* ports or their peers had not answered; asked again, 0 still do not answer'
finish
