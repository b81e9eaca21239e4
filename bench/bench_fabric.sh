#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Emulated fabrics side by side, in one run and in turns: how fast they answer single MADs, how long
# OpenSM takes to bring up balanced dragonflies on them, and what a MAD costs them.
#
#	bench/bench_fabric.sh [-r ROUNDS] [-p "P..."] [-q "QOS..."] [-n "SMPS..."] [-m MADS] [KIND...]
#
# P is hosts per switch: 2 3 4 5 are 72, 342, 1,056 and 2,550 hosts (the default), 8 is 16,512. QOS is
# TRUE or FALSE, SMPS how many OpenSM has under way (default: both, 4 and 32). MADS is how many single
# MADs are sent (0: none). KIND is ibsim, simfabric, or own: simfabric with its own umad library. By
# default all three; "x" is how many times better than the first one. Run it in a build directory,
# after make bench/bench_mads.
#
# MADs are what OpenSM's console says that it sent; CPU is the server's, of all its threads, by the
# kernel's accounting. Figures are the best of the rounds, in which kinds take turns: what else runs on
# the machine makes them worse and never better.
set -u
top_srcdir=$(cd "$(dirname "$0")/.." && pwd)
top_builddir=$PWD
. "$top_srcdir/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
rounds=3
sizes="2 3 4 5"
mads=100000
qos_settings="FALSE TRUE"
smps_settings="4 32"
while getopts r:p:q:n:m: option; do
	case $option in
	r) rounds=$OPTARG ;;
	p) sizes=$OPTARG ;;
	q) qos_settings=$OPTARG ;;
	n) smps_settings=$OPTARG ;;
	m) mads=$OPTARG ;;
	*) exit 2 ;;
	esac
done
shift $((OPTIND - 1))
kinds=("$@")
[ $# -gt 0 ] || kinds=(ibsim simfabric own)
[ -x bench/bench_mads ] || {
	echo "bench_fabric.sh: run it in a build directory, after make bench/bench_mads" >&2
	exit 2
}
require_fabric
opensm_log_flags=0x03
stock_wrapper=$umad2sim
own_wrapper=$plugin_directory/libsimfabric-umad.so

fail() {
	echo "bench_fabric.sh: $*" >&2
	exit 1
}

best() { # FILE [higher]: the largest is best; else the smallest
	sort -n${2:+r} "$1" | head -n 1
}

server_cpu() { # seconds
	cat /proc/"$fabric_pid"/task/*/schedstat | awk '{ ns += $1 } END { print ns / 1e9 }'
}

peak_memory() { # PID: MiB
	awk '/^VmHWM/ { printf "%.1f", $2 / 1024 }' "/proc/$1/status"
}

start() { # KIND
	umad2sim=$stock_wrapper
	[ "$1" != own ] || umad2sim=$own_wrapper
	start_fabric "${1/own/simfabric}" "$scratch/net" || fail "$1 does not start"
}

# record FILE KIND VALUE, and the figures of all kinds, each but the first with how much better it is
record() {
	echo "$3" >>"$scratch/$1.$2"
}

columns() { # FILE FORMAT [higher]: which is better; else lower
	local kind values=()
	for kind in "${kinds[@]}"; do
		values+=("$(best "$scratch/$1.$kind" "${3:-}")")
	done
	awk -v format="$2" -v higher="${3:-}" 'BEGIN {
		for (i = 1; i < ARGC; i++) {
			printf " " format " |", ARGV[i]
			if (i > 1)
				printf " %.2f |", higher ? ARGV[i] / ARGV[1] : ARGV[1] / ARGV[i]
		}
	}' "${values[@]}"
}

titles() { # QUANTITY
	local kind
	for kind in "${kinds[@]}"; do
		printf ' %s %s |' "$kind" "$1"
		[ "$kind" = "${kinds[0]}" ] || printf ' x |'
	done
}

rule() { # COLUMNS OF ALL QUANTITIES
	printf '|'
	printf -- '---:|%.0s' $(seq $(($1 + $2 * (2 * ${#kinds[@]} - 1))))
	echo
}

# --- single MADs

# one_burst KIND MAD WINDOW: four hops away, on a fabric just started
one_burst() {
	local before answers lost seconds
	start "$1"
	before=$(server_cpu)
	read -r seconds answers lost < <(on_fabric timeout 60 "$top_builddir/bench/bench_mads" 0,1,3,6,3 "$2" "$mads" "$3")
	[ "${answers:-0}" = "$mads" ] || fail "$1 answered ${answers:-0} of $mads MADs, and lost ${lost:-some}"
	record "rate-$2-$3" "$1" "$(awk -v n="$mads" -v s="$seconds" 'BEGIN { print n / s / 1000 }')"
	record "cpu-$2-$3" "$1" "$(awk -v n="$mads" -v a="$before" -v b="$(server_cpu)" 'BEGIN { print (b - a) / n * 1e6 }')"
	stop_fabric
}

single_mads() {
	local mad window round kind
	heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null || exit 1
	printf '\nSingle MADs to a switch, %s of each: how many at once, thousands answered in a second, CPU of a MAD\n\n' "$mads"
	echo "| MAD | at once |$(titles "1000/s")$(titles us/MAD)"
	rule 2 2
	for mad in get set; do
		for window in 1 4 8; do
			for ((round = 0; round < rounds; round++)); do
				for kind in "${kinds[@]}"; do
					one_burst "$kind" "$mad" "$window"
				done
			done
			echo "| $mad | $window |$(columns "rate-$mad-$window" %.0f higher)$(columns "cpu-$mad-$window" %.2f)"
		done
	done
}

# --- bring-up

prepare() { # DIRECTORY QOS SMPS
	rm -rf "$1"
	mkdir -p "$1/cache" "$1/dump"
	printf '%s\n' "routing_engine minhop" "qos $2" "max_wire_smps $3" "force_log_flush TRUE" \
		>"$1/opensm.conf"
}

# Counts MADs, and reads the memory of both programs once the subnet is up.
count_mads() { # NAME KIND QOS SMPS
	local at=$scratch/count status
	prepare "$at" "$3" "$4"
	start "$2"
	rm -f "$scratch/commands"
	mkfifo "$scratch/commands"
	exec {commands}<>"$scratch/commands"
	(launch "$at" --console local) <"$scratch/commands" &
	opensm_pid=$!
	wait_until 1800 grep -q 'SUBNET UP' "$at/log" || fail "OpenSM does not come up on $2"
	echo status >&"$commands"
	wait_until 10 grep -q 'QP0 MADs sent' "$at/out" || fail "OpenSM's console does not answer"
	record "mads-$1" "$2" "$(awk '/QP0 MADs sent/ { print $NF }' "$at/out")"
	record "memory-$1" "$2" "$(peak_memory "$fabric_pid")"
	record "opensm-memory-$1" "$2" "$(peak_memory "$opensm_pid")"
	stop_opensm
	exec {commands}>&-
	stop_fabric
}

bring_up() { # NAME KIND QOS SMPS
	local at=$scratch/once before start mads_sent
	prepare "$at" "$3" "$4"
	start "$2"
	before=$(server_cpu)
	start=$EPOCHREALTIME
	(launch "$at" -o) || fail "OpenSM fails on $2"
	record "time-$1" "$2" "$(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }')"
	mads_sent=$(tail -n 1 "$scratch/mads-$1.$2")
	record "cpu-$1" "$2" "$(awk -v n="$mads_sent" -v a="$before" -v b="$(server_cpu)" 'BEGIN { print (b - a) / n * 1e6 }')"
	stop_fabric
}

bring_ups() {
	local p qos smps round kind name hosts
	printf '\nOpenSM (opensm -o, minhop), without and with QoS (-Q), by SMPs at once: bring-up, CPU of a MAD, memory\n\n'
	echo "| hosts | QoS | SMPs | MADs |$(titles s)$(titles us/MAD)$(titles MiB) opensm MiB |"
	rule 5 3
	for p in $sizes; do
		heddle topo "dragonfly:a=$((2 * p)),p=$p,h=$p" -o "$scratch/net" >/dev/null || exit 1
		hosts=$(grep -c '^Ca' "$scratch/net")
		for qos in $qos_settings; do
			for smps in $smps_settings; do
				name=$hosts-$qos-$smps
				for kind in "${kinds[@]}"; do
					count_mads "$name" "$kind" "$qos" "$smps"
				done
				for ((round = 0; round < rounds; round++)); do
					for kind in "${kinds[@]}"; do
						bring_up "$name" "$kind" "$qos" "$smps"
					done
				done
				echo "| $hosts | ${qos/FALSE/no} | $smps | $(best "$scratch/mads-$name.${kinds[0]}") |$(columns "time-$name" %.2f)$(columns "cpu-$name" %.2f)$(columns "memory-$name" %.1f) $(best "$scratch/opensm-memory-$name.${kinds[-1]}") |" |
					sed 's/ TRUE / yes /'
			done
		done
	done
}

[ "$mads" = 0 ] || single_mads
bring_ups
