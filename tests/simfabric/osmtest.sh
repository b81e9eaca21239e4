#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# OpenSM's own test program: its flows on simfabric with either wrapper, and on ibsim. Flows one after
# the other from one host, twice; from several hosts and twice from one at the same time; the two stress
# flows, which have no option that shortens them, at the same time from two hosts. What the stock wrapper
# cannot do, on ibsim neither, is to end in the same way: it has no RMPP, and flows v and a wait for
# ever for what was cut.
. "$(dirname "$0")/../lib/tap.sh"
PATH=$top_builddir/simfabric:$PATH
for each in opensm osmtest ibsim; do
	if ! command -v "$each" >/dev/null; then
		skip "osmtest" "$each is not installed"
		finish
		exit
	fi
done
stock=$(find /usr/lib/*/umad2sim/libumad2sim.so /usr/local/lib/umad2sim/libumad2sim.so 2>/dev/null | head -n 1)
own=$top_builddir/.libs/libsimfabric-umad.so
if [ -z "$stock" ] || [ ! -e "$own" ]; then
	skip "osmtest" "${stock:-libumad2sim.so} or libsimfabric-umad.so is missing"
	finish
	exit
fi
unset IBSIM_SERVER_NAME IBSIM_SERVER_PORT LD_PRELOAD
spec=dragonfly:a=3,p=1,h=1
heddle topo "$spec" -o "$scratch/net" >/dev/null || exit 99

# The functions below run in a shell for each session, which has a fabric and a directory.

# result NAME STATUS
result() {
	printf '%s|%s\n' "$1" "$2" >>"$at/results"
}

start_session() { # KIND
	if [ "$1" = ibsim ]; then
		mkfifo "$at/console"
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

# flow HOST ARGUMENT...: runs osmtest on the host of that number; its status
flow() {
	local host=$1 log
	shift
	log=$(mktemp "$at/osmtest.XXXXXX")
	# it leaves files in its working directory
	(cd "$at" && SIM_HOST=H-0000$host LD_PRELOAD=$wrapper \
		exec timeout "${limit:-150}" osmtest -i "$at/inventory" "$@" >"$log" 2>&1)
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

session() { # NAME KIND WRAPPER FLOWS CONCURRENT
	local at=$scratch/$1 wrapper=$3 flows=$4 concurrent=$5 fabric manager round each
	mkdir "$at"
	export IBSIM_SOCKNAME=osmtest-$$-$1 OSM_CACHE_DIR=$at OSM_TMP_DIR=$at
	start_session "$2"
	result "the subnet comes up" $?
	for round in first second; do
		for each in $flows; do
			flow 5 -f "$each"
			result "$round $each" $?
		done
	done
	at_once "flow q, twice from one host and from two more at once" 1 q 1 q 2 q 3 q
	# these two subscribe, and end subscriptions, which are the port's and not the program's
	for each in $concurrent; do
		at_once "flow $each from three hosts at once" 1 "$each" 2 "$each" 3 "$each"
	done
	[ "$2" = ibsim ] || at_once "single and RMPP queries at the same time" 1 "f -s 1" 2 "f -s 2"
	flow 5 -f e
	result "the subnet manager still answers" $?
	stop_session
}

# report NAME: a test for each result of a session
report() {
	local name status
	while IFS='|' read -r name status; do
		is "$1: $name" "$status" 0
	done <"$scratch/$1/results"
}

(session own simfabric "$own" "c v a s e q m" "v e") &
first=$!
(session stock simfabric "$stock" "c e q" e) &
second=$!
(session ibsim ibsim "$stock" "c e q" e) &
wait "$first" "$second" $!
for each in own stock ibsim; do
	report "$each"
done
finish
