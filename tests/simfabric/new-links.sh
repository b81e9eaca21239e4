# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links come up at the end of a sweep. Where any round of a change would lead packets over one that is not up yet, rounds wait
# for another sweep: dfval, whose first round mostly leads nothing there.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_both

history=$scratch/history
at=$scratch/opensm
heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
start_fabric "$candidate" "$scratch/net" --history "$history" || exit
configure "$at" "routing_engine dfval,no_fallback" "lmc 2"
ok "opensm starts" start_opensm "$at"
ok "it comes up" settled "$at"

# Entries that led over an active link and were set to lead over one that is not: too_early LINE, from that line of the history on.
too_early() {
	awk -v from="$1" '
		$1 == "set" { node = $3; is_set = 1 }
		$1 ~ /^(un)?plug$|^on$|^off$/ { is_set = 0 }
		$1 == "of" { node = $2 }
		$1 == "port" && $3 == "state" { state[node, $2] = $5 }
		$1 == "lft" && is_set && NR > from && state[node, $3] == 4 && state[node, $4] ~ /^[23]$/ { n++ }
		END { print n + 0 }' "$history"
}

for switch in G8S2 G3S1; do
	for what in Down Up; do
		overs=$(grep -c 'heddle: .* change over' "$at/log")
		from=$(wc -l <"$history")
		console "$what \"$switch\""
		ok "$what $switch: the change is over" wait_log "$at" 'heddle: .* change over' $((overs + 1))
		ok "$what $switch: the subnet is up" settled "$at"
		is "$what $switch: no entry leads over a link that is not up" "$(too_early "$from")" 0
	done
done
stop_opensm
stop_fabric
finish
