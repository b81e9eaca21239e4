# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The status file of the plug-in (event_plugin_options status=FILE): which engine is in force, which state a change is in, since
# when, and what it waits for.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

at=$scratch/opensm
status=$scratch/status
# value KEY: of the status file
value() {
	sed -n "s/^$1  *//p" "$status"
}
# Until the change is over: the states that the file told, and the file in state round.
watch() {
	while ! grep -q 'change over' "$at/log"; do
		cp "$status" "$scratch/now"
		sed -n 's/^change  *//p' "$scratch/now" >>"$scratch/seen"
		! grep -q '^change  *round' "$scratch/now" || cp "$scratch/now" "$scratch/round"
		sleep 0.02
	done
}

heddle topo dragonfly:a=4,p=1,h=2 -o "$scratch/net" >/dev/null
start_fabric simfabric "$scratch/net" || exit
configure "$at" "routing_engine dla,no_fallback" "event_plugin_options status=$status transition=drop pause=600"
ok "opensm starts" start_opensm "$at"
ok "it comes up" settled "$at"
ok "the file says that dla's tables are confirmed" wait_until 20 grep -q '^confirmed  yes' "$status"
is "the engine" "$(value engine)" dla
is "no change" "$(value change)" idle
is "nothing is waited for" "$(value 'waits for')" nothing
is "lines have keys" "$(grep -vcE '^(engine|routes|confirmed|change|since|waits for|round|begun|failures|losing|not proved)  *[^ ]' "$status")" 0

# dropped first, and new 600 ms later
watch &
watcher=$!
console 'Unlink "G0S0"[3]'
ok "the change is over" wait_log "$at" 'heddle: .* change over' 1
ok "it is up" settled "$at"
wait "$watcher"
is "it comes to rest" "$(value change)" idle
ok "a round was seen" grep -qx 'round' "$scratch/seen"
like "of so many" "$(sed -n 's/^round  *//p' "$scratch/round")" '^[0-9]+ of [0-9]+$'
is "what was waited for" "$(sed -n 's/^waits for  *//p' "$scratch/round")" "switches to confirm the round"
like "when it began" "$(sed -n 's/^begun  *//p' "$scratch/round")" '^20[0-9-]+T[0-9:]+Z$'
like "since when it is idle" "$(value since)" '^20[0-9-]+T[0-9:]+Z$'
is "and it is confirmed" "$(value confirmed)" yes
stop_opensm

# A directory that is not there: one line, and the fabric comes up all the same.
configure "$at" "routing_engine dla,no_fallback" "event_plugin_options status=$scratch/none/status"
ok "opensm starts without a directory for it" start_opensm "$at"
ok "it comes up without one" settled "$at"
is "it is said once" "$(grep -c 'heddle: status: ' "$at/log")" 1
stop_opensm
stop_fabric
finish
