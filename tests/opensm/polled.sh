# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links and switches that fail and return on ibsim: no state has a loop that its switches are found in. ibsim cannot write a
# history, so states are polled: OpenSM is stopped for a moment, now and then, so that nothing changes meanwhile; all LFTs and
# SL2VL tables are read, and proved.
#
# HD_CHANGES: how many failures and returns (4). HD_POLL_ENGINES: by which engines (experiments/changes/ibsim.sh). HD_POLL_OPTIONS: options
# of the plug-in.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
heddle dump --help >/dev/null 2>&1 || {
	echo "1..0 # SKIP heddle is built without libibnetdisc"
	exit 0
}

n_changes=${HD_CHANGES:-4}
patience=60 # polls of one change, at most
heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
# ibsim knows nodes by their ids
mapfile -t switches < <(sed -nE 's/^Switch[^"]*"([^"]*)".*/\1/p' "$scratch/net")
places=()
for place in '1 [6]' 9 '14 [7]' 20 '4 [4]' 31 '17 [3]' 34; do
	read -r switch port <<<"$place"
	places+=("\"${switches[switch]}\"$port")
done
poller=$(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p;' "$scratch/net" | tail -n 1)

# What ibsim has got from OpenSM before that was stopped, is done when it has answered a Get.
poll() {
	local state=$scratch/state
	rm -rf "$state"
	kill -STOP "$opensm_pid"
	SIM_HOST=$poller on_fabric heddle dump --no-path-sls --quiet -o "$state" >"$scratch/dump.said" 2>&1
	local status=$?
	kill -CONT "$opensm_pid"
	[ "$status" = 0 ] || {
		n_unread=$((n_unread + 1))
		return
	}
	n_polls=$((n_polls + 1))
	digest=$(cat "$state/opensm-lfts.dump" "$state/opensm-sl2vl.dump" | md5sum)
	[ "$digest" != "$last_digest" ] || return
	last_digest=$digest
	n_states=$((n_states + 1))
	heddle check --between "$state" "$state" --all-sls --quiet >"$scratch/check.said" && return
	n_unsound=$((n_unsound + 1))
	tap_explain <"$scratch/check.said"
}

# change COMMAND: polls until the change is over, and once more
change() {
	local overs i
	overs=$(grep -c 'heddle: .* change over' "$at/log")
	console "$1"
	for ((i = 0; i < patience; i++)); do
		sleep 0.00$((RANDOM % 9 + 1))
		poll
		[ "$(grep -c 'heddle: .* change over' "$at/log")" -le "$overs" ] || break
	done
	ok "$engine: $1: the change is over" wait_log "$at" 'heddle: .* change over' $((overs + 1))
	settled "$at"
	poll
}

for engine in ${HD_POLL_ENGINES:-dla}; do
	at=$scratch/$engine n_polls=0 n_states=0 n_unsound=0 n_unread=0 last_digest=
	RANDOM=1
	start_fabric ibsim "$scratch/net" || exit
	# few Sets under way, so that a change takes longer than a moment
	configure "$at" "routing_engine $(in_opensm "$engine"),no_fallback" "sweep_interval 1" "max_wire_smps 2" \
		"event_plugin_options ${HD_POLL_OPTIONS:-transition=rounds}"
	ok "$engine: opensm starts" start_opensm "$at"
	ok "$engine: it comes up" settled "$at"
	for ((c = 0; c < n_changes; c++)); do
		place=${places[c / 2 % ${#places[@]}]}
		if ((c % 2)); then change "ReLink $place"; else change "Unlink $place"; fi
	done
	echo "# $engine: $n_changes changes, $n_polls polls, $n_unread not answered, $n_states states, $n_unsound unsound;" \
		"$(grep -c 'change over' "$at/log") changes over, $(grep -oE 'change over: [0-9]+' "$at/log" | awk '{ n += $3 } END { print n + 0 }') rounds"
	ok "$engine: there were states" test "$n_states" -gt "$n_changes"
	is "$engine: none loops or has a cycle" "$n_unsound" 0
	stop_opensm
	stop_fabric
done
finish
