#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# OpenSM's own test program: each of its flows twice from one host and several at once, on simfabric with either
# wrapper, and on ibsim. What is tested, "=": ends, and says the same, as on ibsim with the stock wrapper:
#
#	flow             simfabric, own wrapper   simfabric, stock   ibsim, stock
#	c e q            pass                     pass               pass
#	f -s 1, f -s 2   pass                     pass               pass
#	m                pass                     =                  fails: 3 of the 13 groups come
#	s                pass                     =                  fails: the last 32 bytes of a MAD do not come
#	v a              pass                     =                  never end
#
# The three defects are those of the stock wrapper (libumad2sim 0.10), whatever the emulator: (1) A message longer
# than a MAD is cut to one MAD, there is no RMPP. (2) Of a MAD that is received 224 bytes are passed on: the buffer has
# the 288 bytes of a datagram with a header of 32, and libibumad's header has 64. (3) Time-outs of umad_send() are
# not kept, and OpenSM answers nothing to the Set(SMInfoRecord) of flow v, with any wrapper, which logs ERR 1A02.
. "$(dirname "$0")/../lib/tap.sh"
for each in opensm osmtest ibsim; do
	if ! command -v "$each" >/dev/null; then
		skip "osmtest" "$each is not installed"
		finish
		exit
	fi
done
stock=$(find /usr/lib/*/umad2sim/libumad2sim.so /usr/local/lib/umad2sim/libumad2sim.so 2>/dev/null | head -n 1)
own=$top_builddir/libsimfabric-umad.so
if [ -z "$stock" ] || [ ! -e "$own" ]; then
	skip "osmtest" "${stock:-libumad2sim.so} or libsimfabric-umad.so is missing"
	finish
	exit
fi
unset IBSIM_SERVER_NAME IBSIM_SERVER_PORT LD_PRELOAD
on_one_processor
spec=dragonfly:a=3,p=1,h=1
heddle topo "$spec" -o "$scratch/net" >/dev/null || exit 99
# what `timeout` says of a flow that does not end
never=124

# The functions below run in a shell for each session, which has a fabric and a directory.

# result NAME STATUS [WANTED]
result() {
	printf '%s|%s|%s\n' "$1" "$2" "${3-0}" >>"$at/results"
}

start_session() { # KIND
	if [ "$1" = ibsim ]; then
		mkfifo "$at/console"
		# shellcheck disable=SC2034 # kept open
		exec {console}<>"$at/console"
		ibsim -s -N 64 -S 64 -P 1024 "$scratch/net" <"$at/console" >"$at/fabric.log" 2>&1 &
	else
		simfabric -s "$IBSIM_SOCKNAME" "$spec" >"$at/fabric.log" 2>&1 &
	fi
	fabric=$!
	wait_until 30 grep -q -e ready -e '^sim>' "$at/fabric.log" || return
	(cd "$at" && LD_PRELOAD=$wrapper exec opensm -s 0 -d 2 -f "$at/opensm.log" >/dev/null 2>&1) &
	manager=$!
	wait_until 60 grep -q 'SUBNET UP' "$at/opensm.log"
}

stop_session() {
	kill "$manager" 2>/dev/null
	wait_until 20 eval "! kill -0 $manager 2>/dev/null" || kill -9 "$manager" 2>/dev/null
	kill "$fabric" 2>/dev/null
	wait "$fabric" "$manager" 2>/dev/null
}

# flow HOST ARGUMENT...: runs osmtest on the host of that number; its status. Its time-outs, which it waits for where it
# sends what has no answer, are half of what they are by default.
flow() {
	local host=$1 log
	shift
	log=${log_as:-$(mktemp "$at/osmtest.XXXXXX")}
	# it leaves files in its working directory
	(cd "$at" && SIM_HOST=H-0000$host LD_PRELOAD=$wrapper \
		exec timeout "${limit:-150}" osmtest -t 500 -i "$at/inventory" "$@" >"$log" 2>&1)
}

# at_once NAME HOST FLOW [HOST FLOW...]
at_once() {
	local name=$1 jobs=() failed=0 job
	shift
	while [ $# -gt 1 ]; do
		# shellcheck disable=SC2086 # a flow is words
		flow "$1" -f $2 &
		jobs+=($!)
		shift 2
	done
	for job in "${jobs[@]}"; do
		wait "$job" || failed=$((failed + 1))
	done
	result "$name" "$failed"
}

# all_of HOST FLOW...: one after the other, twice
all_of() {
	local host=$1 round each
	shift
	for round in first second; do
		for each in "$@"; do
			flow "$host" -f "$each"
			result "$round $each" $?
		done
	done
}

# Of how many of the requests that it does not know OpenSM has complained.
unanswered() {
	grep -c 'ERR 1A02.*SMInfoRecord' "$at/opensm.log"
}

# waits_for_ever FLOW STATUS: on ibsim, a request that is not answered has no end; on simfabric it fails after 2 s.
waits_for_ever() {
	if [ "$kind" = ibsim ]; then
		result "$1 never ends" "$2" "$never"
	else
		result "$1 ends" "$(($2 == never))"
	fi
}

# What the stock wrapper cannot do: each flow's complaints go to $at/said.
not_behind_the_stock_wrapper() {
	local waits log_as

	: >"$at/said"
	# v stays while others are at its host, with the same transaction IDs; on ibsim it waits until it is killed
	log_as=$at/flow-v limit=$([ "$kind" = ibsim ] && echo 8 || echo 100) flow 5 -f v &
	waits=$!
	wait_until 5 eval 'test "$(unanswered)" -ge 1'
	result "v asks for what OpenSM does not answer" $?
	log_as=$at/flow-m flow 5 -f m
	result "first m, at the same host, sees 3 of 13 groups" $? 42
	log_as=$at/flow-s flow 5 -f s
	result "first s, likewise, misses the end of a record" $? 43
	wait "$waits"
	waits_for_ever "v" $?
	flow 5 -f q
	result "q from the host where v was" $?
	log_as=$at/flow-a limit=$([ "$kind" = ibsim ] && echo 4 || echo 100) flow 5 -f a
	waits_for_ever "a" $?
	log_as=$at/flow-s2 flow 5 -f s
	result "second s, as the first" $? 43
	log_as=$at/flow-m2 flow 5 -f m
	result "second m passes: the groups were there before" $?
	for each in v m s a s2 m2; do
		grep -oE '(: |-> )[a-z_]+: (ERR .*|Remote error.*|Data mismatch.*|.*Number of MC Records.*)|^OSMTEST:.*' \
			"$at/flow-$each" | sed -e "s/^/$each: /" >>"$at/said"
	done
}

# session NAME KIND WRAPPER COMMAND...
session() {
	local at=$scratch/$1 wrapper=$3 kind=$2 fabric manager each
	mkdir "$at"
	export IBSIM_SOCKNAME=osmtest-$$-$1 OSM_CACHE_DIR=$at OSM_TMP_DIR=$at
	shift 3
	start_session "$kind"
	result "the subnet comes up" $?
	flow 5 -f c
	result "an inventory" $?
	"$@"
	flow 5 -f e
	result "the subnet manager still answers" $?
	stop_session
}

# These two subscribe, and end subscriptions, which are the port's and not the program's: from one host, one at a time.
own_flows() {
	all_of 5 c v s e q m
	at_once "q, twice from one host and from two more at once" 1 q 1 q 2 q 3 q
	at_once "v from three hosts at once" 1 v 2 v 3 v
	at_once "e from three hosts at once" 1 e 2 e 3 e
	at_once "f -s 1 and f -s 2 at once" 1 "f -s 1" 2 "f -s 2"
}

stock_flows() {
	all_of 5 c e q
	at_once "q, twice from one host and from two more at once" 1 q 1 q 2 q 3 q
	at_once "e from three hosts at once" 1 e 2 e 3 e
	not_behind_the_stock_wrapper
	at_once "f -s 1 and f -s 2 at once" 1 "f -s 1" 2 "f -s 2"
}

# report NAME TITLE: a test for each result of a session
report() {
	local name status wanted
	while IFS='|' read -r name status wanted; do
		is "$2: $name" "$status" "$wanted"
	done <"$scratch/$1/results"
}

sessions=()
session own simfabric "$own" own_flows &
sessions+=($!)
session own-all simfabric "$own" all_of 5 a &
sessions+=($!)
session stock simfabric "$stock" stock_flows &
sessions+=($!)
session ibsim ibsim "$stock" stock_flows &
sessions+=($!)
wait "${sessions[@]}"
report own "own wrapper"
report own-all "own wrapper, a"
report stock "stock wrapper"
report ibsim "ibsim"
records='Before Deletion of all MCG[)]: Number of MC Records found in SA DB is'
like "flow m sees 13 groups behind the own wrapper" "$(cat "$scratch"/own/osmtest.*)" "$records 13"
like "and 3 behind the stock one" "$(cat "$scratch/ibsim/said")" "m: .*$records 3"
like "flow s misses data behind the stock one" "$(cat "$scratch/ibsim/said")" "s: .*Data mismatch"
is "what flows v, m, s and a complain of on ibsim, they complain of on simfabric" \
	"$(grep -vxFf "$scratch/stock/said" "$scratch/ibsim/said")" ""
finish
