#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Stock opensm, infiniband-diags and ibutils with libsimfabric-umad.so: they run without a working
# directory that they can write to, get whole tables from the SA, and leave nothing behind.
. "$(dirname "$0")/../lib/tap.sh"
PATH=$top_builddir/simfabric:$PATH
wrapper=$top_builddir/libsimfabric-umad.so
for each in opensm saquery ibnetdiscover ibdiagnet; do
	if ! command -v "$each" >/dev/null; then
		skip "own umad library" "$each is not installed"
		finish
		exit
	fi
done
export IBSIM_SOCKNAME=umad-$$
export OSM_CACHE_DIR=$scratch OSM_TMP_DIR=$scratch
unset SIM_HOST IBSIM_SERVER_NAME IBSIM_SERVER_PORT LD_PRELOAD
pids=()

stop() { # PID...
	kill "$@" 2>/dev/null
}

stop_all() {
	[ "${#pids[@]}" = 0 ] || stop "${pids[@]}"
}
on_exit stop_all

# The program with the library; in a directory where nothing can be made, not even by root.
on() {
	(cd /proc/self && LD_PRELOAD=$wrapper exec timeout 60 "$@")
}

# Waits until COMMAND succeeds, 10 seconds at most.
until_ok() {
	local i
	for ((i = 0; i < 100; i++)); do
		"$@" >/dev/null 2>&1 && return
		sleep 0.1
	done
	return 1
}

is_master() {
	on sminfo 2>/dev/null | grep -q SMINFO_MASTER
}

# The port of host 0 says that a subnet manager runs there.
is_sm() {
	on smpquery portinfo -D 0 | grep -q 'IsSM$'
}

is_no_sm() {
	! is_sm
}

is_up() {
	grep -q 'SUBNET UP' "$scratch/$1"
}

count() { # PATTERN COMMAND...
	local pattern=$1
	shift
	on "$@" 2>&1 | grep -c "$pattern"
}

simfabric -s "$IBSIM_SOCKNAME" dragonfly:a=4,p=2,h=2 >"$scratch/simfabric.log" 2>&1 &
simfabric=$!
pids+=("$simfabric")
until_ok on ibaddr

# a daemon
LD_PRELOAD=$wrapper opensm -s 0 -d 2 -f "$scratch/opensm.log" >/dev/null 2>&1 &
opensm=$!
pids+=("$opensm")
ok "opensm brings the fabric up" until_ok is_up opensm.log
ok "opensm is master" until_ok is_master
ok "IsSM is set" is_sm
is "opensm has nothing to complain about" "$(grep -c ERR "$scratch/opensm.log")" 0

# RMPP: 72 hosts and 36 switches
is "saquery -p: the paths of all pairs" "$(count '^PathRecord' saquery -p)" $((108 * 108))
is "every path is of another pair" "$(on saquery -p | awk '/[sd]lid\.\./ { printf "%s ", $0 } /slid/ { print "" }' | sort -u | wc -l)" \
	$((108 * 108))
is "saquery: all nodes" "$(count '^NodeRecord' saquery)" 108
is "saquery -x: all links, both ways" "$(count '^LinkRecord' saquery -x)" $((2 * (72 + 36 * 3 / 2 + 36)))
is "saquery PIR: all ports" "$(count '^PortInfoRecord' saquery PIR)" $((72 + 36 * 8))
is "saquery -s: the subnet manager" "$(count '^PortInfoRecord' saquery -s)" 1
is "saquery --smir" "$(count '^SMInfoRecord' saquery SMIR)" 1
is "saquery SL2VL: all tables" "$(count '^SL2VLTableRecord' saquery SL2VL)" $((72 + 36 * 8 * 8))
is "saquery of one record" "$(count '^NodeRecord' saquery NR 1)" 1
is "another host asks" "$(SIM_HOST=H-00031 count '^PathRecord' saquery -p)" $((108 * 108))
many() {
	local i job jobs=()
	for i in 1 2 3 4 5 6 7 8; do
		SIM_HOST=H-0000$i count '^PathRecord' saquery -p >"$scratch/many.$i" &
		jobs+=($!)
	done
	for job in "${jobs[@]}"; do
		wait "$job"
	done
	[ "$(sort -u "$scratch"/many.?)" = 11664 ]
}
ok "eight ask at the same time" many

# every program starts, and says what it is to say
while IFS='|' read -r command pattern lines; do
	# shellcheck disable=SC2086
	is "$command" "$(count "$pattern" $command)" "$lines"
done <<'END'
ibaddr|LID start 0x1|1
ibhosts|^Ca|72
ibswitches|^Switch|36
ibnodes|ports|108
ibrouters|.|0
ibidsverify|.|0
iblinkinfo|Active/  LinkUp|324
ibnetdiscover|^\[|324
ibstat|State: Active|1
ibqueryerrors|## Summary: 108 nodes checked, 0 bad nodes found|1
ibportstate 2 1|^LinkState.*Active|2
ibroute 2|^0x|108
ibtracert 1 5|To ca|1
perfquery|^PortXmitData|1
perfquery -x 2 1|^PortXmitData|1
sminfo|SMINFO_MASTER|1
smpdump 2 0x11|^[0-9a-f]|4
smpquery nodeinfo 2|^NodeType.*Switch|1
smpquery -D nodedesc 0,1|G0S0|1
dump_lfts|^0x|3888
dump_fts|^0x|3888
dump_mfts|^Multicast mlids|36
ibsysstat 1|succeeded|1
osmtest -f c -i /dev/null|PASS|1
END
is "ibdiagnet finds no fault" "$(count '^-E-' ibdiagnet -o "$scratch/ibdiagnet")" 0

(cd /proc/self && SIM_HOST=H-00005 LD_PRELOAD=$wrapper exec ibping -S >/dev/null 2>&1) &
ping=$!
pids+=("$ping")
lid=$(SIM_HOST=H-00005 on ibaddr -L | awk '{ print $3 }')
pong() {
	on ibping -c 1 "$lid" 2>&1 | grep -q ' 0% packet loss'
}
wait_until 20 pong # the server has begun
like "ibping is answered by another host" "$(on ibping -c 2 "$lid" 2>&1)" ' 0% packet loss'
stop "$ping"

# what dies leaves nothing behind
kill -9 "$opensm"
{ wait "$opensm"; } 2>/dev/null
ok "IsSM is cleared when opensm is killed" until_ok is_no_sm
unanswered() {
	! on saquery -t 200
}
ok "nobody answers queries then" unanswered

(cd /proc/self && LD_PRELOAD=$wrapper exec timeout 20 opensm -B -s 0 -d 2 -f "$scratch/background.log" \
	--pidfile "$scratch/opensm.pid" >/dev/null 2>&1)
is "opensm -B" $? 0
ok "it brings the fabric up in the background" until_ok is_up background.log
pids+=("$(cat "$scratch/opensm.pid")")
ok "it is master" until_ok is_master
is "saquery -p" "$(count '^PathRecord' saquery -p)" $((108 * 108))
stop "$(cat "$scratch/opensm.pid")"
ok "it ends" until_ok is_no_sm

is "opensm -o of simfabric itself" \
	"$(simfabric --wrapper own dragonfly:a=4,p=2,h=2 -- opensm -o -n 0 -Q -f "$scratch/once.log" >/dev/null 2>&1
	grep -c 'SUBNET UP' "$scratch/once.log")" 1

# the server goes first
LD_PRELOAD=$wrapper opensm -s 0 -f "$scratch/last.log" >/dev/null 2>&1 &
opensm=$!
pids+=("$opensm")
until_ok is_master
kill -9 "$simfabric"
{ wait "$simfabric"; } 2>/dev/null
not_ok "without a server nothing can be asked" 255 on ibaddr
stop "$opensm"
gone() {
	! kill -0 "$opensm" 2>/dev/null
}
ok "opensm ends all the same" until_ok gone
finish
