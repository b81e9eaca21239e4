# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Traffic on the tables that OpenSM programs, as perfquery and ibqueryerrors see it.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_fabric
for program in perfquery ibqueryerrors; do
	command -v "$program" >/dev/null || {
		echo "1..0 # SKIP $program is not installed"
		exit 0
	}
done

# packets WHAT <ANSWER: the number of them
packets() {
	grep '^packets:' | grep -oE "[0-9]+ $1" | cut -d ' ' -f 1 | tail -n 1
}

# Every host, of $hosts, and the packets of traffic that it sent and got. Data is in words: 512 in
# a packet of 2 KiB, 72 in one with a MAD; both counters together tell how many are of which.
count_hosts() {
	on_fabric xargs -P 8 -L 1 sh -c 'perfquery -x "$2" 1 2>/dev/null | tr -s :. " " | awk -v name="$1" "
		/^PortXmitData / { sent += \$2 } /^PortXmitPkts / { sent -= 72 * \$2 }
		/^PortRcvData / { got += \$2 } /^PortRcvPkts / { got -= 72 * \$2 }
		END { print name, sent / 440, got / 440 }"' sh <"$hosts" | sort
}

# sums BEFORE AFTER: what all hosts sent and got between two counts; whole numbers if data is right
sums() {
	paste -d ' ' "$1" "$2" | awk '{ sent += $5 - $2; got += $6 - $3 } END { print sent, got }'
}

# ports_with COUNTER: "NAME PORT" where ibqueryerrors sees it, sorted
ports_with() {
	surely_on_fabric ibqueryerrors 2>/dev/null | awk -v counter="$1" '
		/^Errors for/ { split($0, part, "\""); name = part[2] }
		$3 == "port" && $4 != "ALL:" && index($0, "[" counter " ==") { sub(":", "", $4); print name, $4 }' | sort
}

# total COUNTER [NAME]: of all ports but those of the node NAME, by ibqueryerrors
total() {
	surely_on_fabric ibqueryerrors 2>/dev/null | awk -v counter="$1" -v without="${2-}" '
		/^Errors for/ { split($0, part, "\""); name = part[2] }
		name != without && $3 == "port" && $4 != "ALL:" && match($0, "\\[" counter " == [0-9]+") {
			n += substr($0, RSTART + length(counter) + 5, RLENGTH - length(counter) - 5) }
		END { print n + 0 }'
}

# out_ports FROM TO: "NAME PORT" of the ports that the route leaves by
out_ports() {
	answer 'To node' "Route \"$1\" \"$2\"" | awk -v name="$1" '
		/^\[/ { port = $1; gsub(/[][]/, "", port); print name, port; split($0, part, "\""); name = part[2] }'
}

at=$scratch/opensm
hosts=$scratch/hosts
heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
start_fabric simfabric "$scratch/net" || exit
configure "$at" "routing_engine dla"
ok "opensm starts" start_opensm "$at"
settled "$at"
on_fabric ibnetdiscover | awk '/^Ca/ { split($0, part, "\""); name = part[4] }
	name && /^\[1\]/ { sub(/.*# lid /, ""); print name, $1; name = "" }' | sort >"$hosts"
is "hosts" "$(wc -l <"$hosts")" 72
sls=$at/dump/path-sl.dump
ok "path SLs were dumped" test -s "$sls"
is "no waits before" "$(ports_with PortXmitWait)" ""

# Two hosts send to a third as fast as they can: what leads to where they meet waits, nothing else does.
count_hosts >"$scratch/before"
said=$(answer packets "Traffic run 100us hotspot:sources=2,destinations=1 0 path_sl=$sls")
like "a hot spot" "$said" "traffic is over: 100us hotspot"
count_hosts >"$scratch/after"
sent=$(packets generated <<<"$said")
ok "packets were sent" test "$sent" -gt 1000
is "no packet is lost" "$(sums "$scratch/before" "$scratch/after")" "$sent $sent"
paste -d ' ' "$scratch/before" "$scratch/after" >"$scratch/both"
mapfile -t sources < <(awk '$5 > $2 { print $1 }' "$scratch/both")
mapfile -t spots < <(awk '$6 > $3 { print $1 }' "$scratch/both")
is "two sources" ${#sources[@]} 2
is "one spot" ${#spots[@]} 1
for source in "${sources[@]}"; do
	out_ports "$source" "${spots[0]}" >"$scratch/way-$source"
done
# from the hosts to where both go the same way; from there on links are busy all the time
sort "$scratch"/way-* | uniq -u >"$scratch/waits"
ok "there are ports before that" test "$(wc -l <"$scratch/waits")" -ge 4
ports_with PortXmitWait >"$scratch/seen"
same "PortXmitWait grows there and nowhere else" "$scratch/seen" "$scratch/waits"
lid=$(awk -v name="${sources[0]}" '$1 == name { print $2 }' "$hosts")
wait=$(on_fabric perfquery "$lid" 1 | sed -n 's/^PortXmitWait:\.*//p')
ok "perfquery sees it too" test "$wait" -gt 0
is "and on which VL" "$(on_fabric perfquery --vlxmitcounters "$lid" 1 | sed -nE 's/^PortVLXmitWait([0-9]+):\.*/\1 /p' |
	awk -v wait="$wait" '$2 { print $1, ($2 == wait || $2 == 65535) }')" "0 1"

# Traffic that is on while tables change, and programs ask
mv "$scratch/after" "$scratch/before"
like "uniform traffic" "$(answer traffic "Traffic start uniform 0.3 path_sl=$sls")" "traffic is on: uniform 0.3"
is "one at a time" "$(answer traffic "Traffic start uniform 0.3")" "error: there is traffic already"
switch=$(sed -nE 's/^Switch[^"]*"([^"]*)".*/\1/p' "$scratch/net" | tail -n 1)
switch_name=$(sed -nE "s/^Switch[^\"]*\"$switch\"[^\"]*\"([^\"]*)\".*/\1/p" "$scratch/net")
routed=$(routings "$at")
console "Unlink \"$switch\"[1]"
ok "a host is lost: OpenSM routes again" wait_log "$at" 'tables configured' $((routed + 1))
settled "$at"
ok "traffic goes by the new tables" wait_until 20 eval "answer packets Traffic | grep -qE 'hosts: 71 of 72'"
console "ReLink \"$switch\"[1]"
ok "it is back: OpenSM routes again" wait_log "$at" 'tables configured' $((routed + 2))
settled "$at"
ok "traffic goes there again" wait_until 20 eval "answer packets Traffic | grep -qE 'hosts: 72 of 72'"
is "without a timeout" "$(grep -cE 'ERR|timed out|Timeout' "$at/log")" 0
said=$(answer packets "Traffic stop")
like "it ends" "$said" "traffic is over: uniform 0.3"
count_hosts >"$scratch/after"
sent=$(packets generated <<<"$said")
dropped=$(packets dropped <<<"$said")
read -r out in < <(sums "$scratch/before" "$scratch/after")
is "what was generated was sent" "$out" "$sent"
is "what was not lost was received" "$in" $((out - dropped))
is "nothing is left" "$(packets delivered <<<"$said")" $((sent - dropped))

# A switch that has lost its tables, and nobody to program it
mv "$scratch/after" "$scratch/before"
# what the switch counted goes with its tables
console "PerformanceSet \"$switch\"[1] PortXmitDiscards=7"
ok "the switch counts discards" wait_until 20 eval '[ "$(total PortXmitDiscards)" -ge 7 ]'
discards=$(total PortXmitDiscards "$switch_name")
ok "opensm stops" stop_opensm
answer '".*" is down' "Down \"$switch\"" >/dev/null
answer '".*" is up' "Up \"$switch\"" >/dev/null
said=$(answer packets "Traffic run 20us trace:$scratch/trace 0")
like "no such trace" "$said" "^error: $scratch/trace: "
# host 0 to all of those that the switch is on the way to, and others
awk 'BEGIN { for (i = 0; i < 200; i++) print i * 100000, 0, 1 + i % 70, 2048 }' >"$scratch/trace"
said=$(answer packets "Traffic run 100us trace:$scratch/trace 0")
like "traffic without a subnet manager" "$said" "hosts: 70 of 72 up"
ok "opensm starts again" start_opensm "$at"
settled "$at"
count_hosts >"$scratch/after"
dropped=$(packets dropped <<<"$said")
ok "some is lost" test "$dropped" -gt 0
is "PortXmitDiscards is what was lost" "$(($(total PortXmitDiscards) - discards))" "$dropped"
read -r out in < <(sums "$scratch/before" "$scratch/after")
is "what was sent was received or discarded" "$out" $((in + dropped))
ok "opensm stops at last" stop_opensm

# The example of the manual page, without its waiting
sed -n '/^echo .*Traffic/,/^\.Ed/p' "$top_srcdir/man/simfabric.1" | sed "/^\.Ed/d; s/\\\\(aq/'/g; s/opensm .*;/true/" >"$scratch/example"
ok "simfabric(1): the example" sh -c 'cd "$1" && sh example && grep -q "^sm+.* Traffic run " script' sh "$scratch"
finish
