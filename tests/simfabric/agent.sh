# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle agent on four hosts of a KNS with OSHA's tables of stock OpenSM and a hot spot in row 0: each reads what its own
# port waits, prefers the network that waits less, and its host's packets follow. The same on ibsim, where nothing waits;
# and what goes wrong.
# shellcheck shell=bash source-path=SCRIPTDIR disable=SC2016
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_fabric
for program in perfquery jq; do
	command -v "$program" >/dev/null || {
		echo "1..0 # SKIP $program is not installed"
		exit 0
	}
done

at=$scratch/opensm
sls=$at/dump/path-sl.dump
pages=$scratch/pages
mkdir "$pages"
agents=()
interval=200ms
# an interval of the agents is some 80 us of simulated time
# latencies, in turn and with agents, are those of the same packets: generated from the same seed, in the same time of the model, us
from=2000 until=5600
traffic="hotspot:form=osha,at=3 0.6 path_sl=$sls rate=0.0004 switch.buffer=\"4 packets\""

# start_agent HOST [ARG...]: its lines in $scratch/HOST.json, what it says in $scratch/HOST.err
start_agent() {
	local host=$1
	shift
	# Before the agent runs: a shell that gets no processor would leave the lines of the agent before, and the test would go on
	: >"$scratch/$host.json" 2>"$scratch/$host.err"
	(cd "$scratch" && exec env SIM_HOST="$host" LD_PRELOAD="$opensm_preload$umad2sim" \
		heddle agent --json --interval "$interval" "$@" "$sls") \
		>"$scratch/$host.json" 2>"$scratch/$host.err" &
	agents+=($!)
}

stop_agents() {
	local pid status=0
	[ ${#agents[@]} -eq 0 ] || kill "${agents[@]}" 2>/dev/null
	for pid in "${agents[@]}"; do
		wait "$pid" || status=$?
	done
	agents=()
	return "$status"
}
on_exit stop_agents

# intervals N HOST...: waits until the agents of all have printed so many
intervals() {
	local n=$1 host
	shift
	for host; do
		wait_until 120 eval "[ \"\$(wc -l <'$scratch/$host.json')\" -ge $n ]" || return
	done
}

# simulated TIME: waits until traffic has gone on for so many us
simulated() {
	wait_until 120 eval "[ \"\$(answer packets Traffic | sed -nE 's/^simulated: ([0-9]+).*/\\1/p' | tail -n 1)\" -ge $1 ]"
}

lines_said() { # HOST REGEX
	grep -cE "$2" "$scratch/$1.err"
}

# of HOST: packets in the background that arrived, and their latency
background() {
	answer network "Traffic host $1" | sed -nE 's/.*background: ([0-9]+) delivered, latency ([0-9.]+) us.*/\1 \2/p'
}

# latency_since FILE HOST: the mean of its packets that arrived since background's answer in FILE
latency_since() {
	background "$2" | cat "$1" - | awk '{ n[NR] = $1; us[NR] = $1 * $2 } END { printf "%.3f\n", (us[2] - us[1]) / (n[2] - n[1]) }'
}

# data_by_network HOST: words sent by SLs 0 and 1, and by SLs 2 and 3, since it was asked last
data_by_network() {
	SIM_HOST=$1 surely_on_fabric perfquery -X -r "$(lid_of "$1")" 1 2>/dev/null |
		awk -F '[:.]+' '/^XmtDataSL[01]:/ { a += $2 } /^XmtDataSL[23]:/ { b += $2 } END { print a + 0, b + 0 }'
}

lid_of() {
	sed -nE "s/^$1 //p" "$scratch/lids"
}

# bring_up KIND [ARG...]: OpenSM with OSHA's tables on it
bring_up() {
	local kind=$1
	shift
	rm -rf "$at"
	start_fabric "$kind" "$scratch/net" "$@" || return
	configure "$at" "routing_engine osha,no_fallback" "event_plugin_options queues=dbbq:2" "lmc 1"
	start_opensm "$at" && settled "$at"
}

take_down() {
	stop_agents
	stop_opensm
	stop_fabric
}

heddle topo kns:k=8,n=2 -o "$scratch/net" >/dev/null
ok "simfabric: opensm brings it up" bring_up simfabric
is "path-sl.dump says which LIDs belong together" "$(grep -c '^# port 0x[0-9a-f]* lid [0-9]* lmc 1$' "$sls")" 64
on_fabric ibnetdiscover | awk '/^Ca/ { split($0, part, "\""); name = part[4] }
	name && /^\[1\]/ { sub(/.*# lid /, ""); print name, $1; name = "" }' | sort >"$scratch/lids"

# What the networks of some hosts wait while all take turns. A source of the hot spot is no host to compare.
candidates=(H-00000 H-00001 H-00002 H-00004 H-00005 H-00006 H-00019 H-00020)
like "hosts take turns" "$(answer traffic "Traffic start $traffic host.policy=roundrobin")" "^traffic is on"
ok "the hot spot's tree grows" simulated "$from"
for host in "${candidates[@]}"; do
	background "$host" >"$scratch/$host.turn"
	read -r packets _ <"$scratch/$host.turn"
	[ "$packets" -gt 0 ] || continue
	start_agent "$host" --page "$scratch/$host.page"
	measured+=("$host")
done
ok "they go on" simulated "$until"
for host in "${measured[@]}"; do
	latency_since "$scratch/$host.turn" "$host" >"$scratch/$host.in-turn"
done
ok "agents measure" intervals 16 "${measured[@]}"
for host in "${measured[@]}"; do
	jq -s -r --arg host "$host" --arg latency "$(cat "$scratch/$host.in-turn")" \
		'map([.networks[].waited]) | [(map(.[0]) | add), (map(.[1]) | add)] |
		[$host, (if .[0] < .[1] then 0 else 1 end), (.[0] - .[1] | fabs), .[0], .[1], $latency] | map(tostring) | join(" ")' \
		"$scratch/$host.json"
done | sort -k 3,3 -rn | head -n 4 >"$scratch/four"
sed 's/^/# host, network that waits less, by how much, waits, latency in turn: /' "$scratch/four"
ok "agents end at a signal" stop_agents
like "traffic ends" "$(answer packets "Traffic stop")" "traffic is over"
mapfile -t hosts < <(cut -d ' ' -f 1 "$scratch/four")
is "four hosts of the background" ${#hosts[@]} 4

# Both networks of a source of the hot spot wait all the time, where hosts fill both alike: 65,535 words are a tenth of an interval.
interval=600ms
like "hosts fill both networks" "$(answer traffic "Traffic start $traffic host.policy=leastoccupied")" "^traffic is on"
ok "the tree is there" simulated 500
while read -r source _; do
	read -r packets _ < <(background "$source")
	[ "${packets:-0}" -gt 0 ] || break
done <"$scratch/lids"
start_agent "$source" --page "$scratch/$source.page"
# Of intervals next to each other at whose ends both networks' counters stood still: a machine may be too busy for some.
pairs() { # JQ
	tail -n +3 "$scratch/$source.json" | jq -s '[.[:-1], .[1:]] | transpose |
		map(select(all(.[]; .saturated and ([.networks[].waited] | min) >= 65535)))'" | $1"
}
enough_pairs() {
	sleep 0.2 # an interval: jq starts slowly, and nothing new is there before
	[ "$(pairs length)" -ge 5 ]
}
ok "a source of the hot spot: $source" intervals 10 "$source"
ok "counters of both networks stand still" wait_until 24 enough_pairs
is "its host alternates" "$(pairs 'map(select(.[0].preferred == .[1].preferred)) | length')" 0
is "a line says so" "$(lines_said "$source" "counters reach 65535 within an interval")" 1
ok "its agent ends" stop_agents
like "this traffic ends" "$(answer packets "Traffic stop")" "traffic is over"

# Hosts take turns while an agent is late by an interval, which on a busy machine is to be longer than it may be kept from running.
interval=1s
traffic=${traffic/rate=0.0004/rate=0.0002}
like "hosts follow agents" "$(answer traffic "Traffic start $traffic host.policy=agent pages=$pages")" "^traffic is on"
ok "the tree grows again" simulated "$from"
for host in "${hosts[@]}"; do
	background "$host" >"$scratch/$host.before"
	# remembered for so long that the other network, whose packets wait, is not tried in these intervals
	start_agent "$host" --memory 1000 --page "$pages/$host"
done
ok "three intervals" intervals 3 "${hosts[@]}"
while read -r host less _; do
	is "$host prefers the network that waits less within three intervals" \
		"$(head -n 3 "$scratch/$host.json" | jq -s "map(select(.preferred == $less)) | length > 0")" true
done <"$scratch/four"
for host in "${hosts[@]}"; do
	data_by_network "$host" >/dev/null
	wc -l <"$scratch/$host.json" >"$scratch/$host.from"
done
ok "they go on as long" simulated "$until"
for host in "${hosts[@]}"; do
	latency_since "$scratch/$host.before" "$host" >"$scratch/$host.with-agent"
done
ok "twelve more" intervals 16 "${hosts[@]}"
interval=200ms
while read -r host less _ _ _ latency; do
	read -r -a data < <(data_by_network "$host")
	share=$((100 * data[less] / (data[0] + data[1] + 1)))
	# now and then an agent tries the network that it left: what the packets of such an interval should do
	least=$(tail -n +"$(cat "$scratch/$host.from")" "$scratch/$host.json" | jq -s "90 * (map(select(.preferred == $less)) | length) / length | floor")
	echo "$host $share $least $(cat "$scratch/$host.with-agent") $latency $(jq -r '.preferred // "-"' "$scratch/$host.json" | tr -d '\n')"
done <"$scratch/four" >"$scratch/results"
sed 's/^/# host, % of data by the preferred network, and how many at least, latency, latency in turn (us), preferred in each interval: /' "$scratch/results"
while read -r host share least agent turn _; do
	ok "$host: its packets follow" test "$share" -ge "$least"
	ok "$host: their latency is no worse than in turn" awk -v agent="$agent" -v turn="$turn" 'BEGIN { exit !(agent > 0 && agent <= turn) }'
done <"$scratch/results"

# An agent that is killed leaves a choice, which counts for an interval more.
in_turn() { # HOST
	[[ $(answer network "Traffic host $1") == "network: in turn;"* ]]
}
last=${hosts[3]}
ok "$last follows its agent" wait_until 60 eval "! in_turn '$last'"
# somebody shortens the page: its host takes turns until the agent has written it again
truncate -s 7 "$pages/$last"
ok "the page is cut: the emulator goes on" wait_until 60 eval '[[ $(answer network "Traffic host $last") == network:* ]]'
ok "its agent writes it again" wait_until 60 eval '[ "$(stat -c %s "$pages/$last")" -eq 64 ]'
ok "$last follows it again" wait_until 60 eval "! in_turn '$last'"
kill -KILL "${agents[3]}"
wait "${agents[3]}" 2>/dev/null
unset 'agents[3]'
ok "killed: the page has a choice still" test "$(od -An -tu8 -j 8 -N 8 "$pages/$last" | tr -d ' ')" -gt 0
ok "its host takes turns" wait_until 60 in_turn "$last"
: >"$pages/$last"
sleep 1 # longer than from one look at pages to the next
ok "the page is cut, and nobody writes it: its host takes turns" in_turn "$last"

# A command goes before the page; a host without either takes turns.
first=${hosts[0]}
like "prefer" "$(answer preferred "Traffic prefer $first 1")" "^preferred"
like "it holds" "$(answer network "Traffic host $first")" "^network: 1;"
like "any" "$(answer preferred "Traffic prefer \"$first\" any")" "^preferred"
like "no such host" "$(answer preferred "Traffic prefer H-99999 1")" "^error: "
like "no such network" "$(answer preferred "Traffic prefer $first 128")" "^error: network: "

# What goes wrong: a line each, and no preference
said() { # HOST REGEX
	wait_until 60 grep -qE "$2" "$scratch/$1.err"
}
no_choice() { # HOST
	wait_until 60 eval "tail -n 1 '$scratch/$1.json' | grep -q '\"preferred\": *null'"
}
SIM_HOST=$first surely_on_fabric perfquery -R "$(lid_of "$first")" 1
ok "another program clears counters" said "$first" "another program clears counters of the port"
ok "all is well again" said "$first" "networks are chosen again"
second=${hosts[1]}
before=$(wc -l <"$scratch/$second.err")
console "Down \"$second\""
ok "an adapter that vanishes" said "$second" "does not answer|cannot send|not active"
ok "it prefers nothing" no_choice "$second"
is "one line" "$(($(wc -l <"$scratch/$second.err") - before))" 1
console "Up \"$second\""
ok "it is back" said "$second" "networks are chosen again"
ok "agents end at a signal, all" stop_agents
is "their pages say that they are gone" "$(od -An -tu8 -j 8 -N 8 "$pages/$first" | tr -d ' ')" 0
# simfabric reads pages some milliseconds apart, later where it gets no processor
ok "hosts take turns again" wait_until 20 in_turn "$first"

cp "$sls" "$scratch/right"
lid=$(lid_of "$first")
# In a copy: OpenSM writes its own anew after the sweep for the adapter that was back, which may be late.
wrong() { # NAME REGEX SED-SCRIPT
	local sls=$scratch/wrong
	sed -E "$3" "$scratch/right" >"$sls"
	start_agent "$first" --page "$pages/$first"
	ok "$1: it is said" said "$first" "$2"
	intervals 1 "$first"
	ok "$1: no choice" no_choice "$first"
	ok "$1: it goes on" stop_agents
}
wrong "older LIDs" "other LIDs: the port had $((lid + 256)), and has $lid now" "s/^(# port .* lid )$lid /\1$((lid + 256)) /"
wrong "another LMC" "another LMC: 0, and the port has 1" "s/^(# port .* lid $lid lmc) 1/\1 0/"
wrong "LMC 0" "without lines '# port'" "/^#/d"
wrong "not of this host" "no path SLs of this port" "/^0x0/d"
refused() { # NAME REGEX ARG...
	local name=$1 regex=$2
	shift 2
	SIM_HOST=$first surely_on_fabric heddle agent "$@" >"$scratch/out" 2>"$scratch/err"
	is "$name: status" $? 2
	like "$name: a line" "$(cat "$scratch/err")" "$regex"
	is "$name: one" "$(wc -l <"$scratch/err")" 1
}
refused "a page that cannot be written" "none/deep/page: cannot open: " --page "$scratch/none/deep/page" "$sls"
refused "a page that is a device" "/dev/null: no regular file" --page /dev/null "$sls"
echo nonsense >"$scratch/nonsense"
refused "no path SLs" "nonsense:1: expected '0xGUID LID SL'" --once "$scratch/nonsense"
refused "no such adapter" "no port 0 of adapter none" --adapter none --once "$sls"
start_agent "$first" --page "$pages/$first"
ok "an agent" intervals 1 "$first"
refused "two agents" "another agent keeps it" --page "$pages/$first" "$sls"
rm "$pages/$first"
ok "a page that vanishes: it is said" said "$first" "pages/$first: is gone, and made anew"
ok "it is there again" wait_until 60 test -s "$pages/$first"
wait_until 60 eval "rm -f '$pages/$first' && mkdir '$pages/$first' 2>/dev/null"
ok "a page that cannot be written any more: it is said" said "$first" "pages/$first: cannot open: Is a directory; hosts take turns"
intervals $(($(wc -l <"$scratch/$first.json") + 3)) "$first"
is "once" "$(lines_said "$first" "cannot open")" 1
rmdir "$pages/$first"
ok "it can be written" said "$first" "pages/$first: is written again"
ok "it goes on until a signal" stop_agents
is "the page says that it is gone" "$(od -An -tu8 -j 8 -N 8 "$pages/$first" | tr -d ' ')" 0
take_down

ok "without the optional counters" bring_up simfabric --no-optional-counters
start_agent "$first" --page "$pages/$first"
ok "it is said" said "$first" "no PortVLXmitWaitCounters"
intervals 1 "$first"
ok "hosts take turns then" no_choice "$first"
take_down

# ibsim counts no waits
ok "ibsim: opensm brings it up" bring_up ibsim
for host in "${hosts[@]}"; do
	start_agent "$host" --page "$pages/$host"
done
ok "ibsim: six intervals" intervals 6 "${hosts[@]}"
for host in "${hosts[@]}"; do
	ok "ibsim: $host says that all counters are zero" said "$host" "all counters are zero: networks alternate"
	like "ibsim: $host alternates" "$(head -n 6 "$scratch/$host.json" | jq -r .preferred | tr -d '\n')" "^(010101|101010)$"
done
take_down
finish
