# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Stock opensm with the plug-in of this build on an emulated fabric. Sourced after tests/lib/tap.sh. Every script
# has a simulator, a cache and a log of its own, so that many run side by side. shellcheck shell=bash
#
#	require_fabric                    skips the whole script where the parts are not installed
#	start_fabric KIND NETFILE [ARG..] ibsim or simfabric; its console then takes commands:
#	console COMMAND                   such as 'Unlink "S"[1]'
#	start_ibsim NETFILE               start_fabric ibsim NETFILE
#	configure DIRECTORY LINE...       opensm.conf and private directories for one opensm
#	opensm_once DIRECTORY [ARG...]    runs opensm until the subnet is up
#	start_opensm DIRECTORY [ARG...]   the same as a daemon; ends when the subnet is up
#	wait_log DIRECTORY REGEX [N]      waits for N (default 1) lines of the log that match
#	lose NETFILE RATE ATTRIBUTE       ibsim: that many per cent of the MADs of one attribute (a decimal number)
#					are lost at every switch; 0 0: none any more
#	stop_opensm, stop_fabric          in this order: opensm waits for ever for a simulator that is gone
#	on_fabric COMMAND...              an infiniband-diags program on the simulator
#	surely_on_fabric COMMAND...       the same for one that crashes now and then
#	tables_configured DIRECTORY       the engine whose tables OpenSM configured last
#	refusals DIRECTORY                the plug-in's refusals in the log, without time stamps
#	ibdmchk_verdict DIRECTORY [ARG...]what ibdmchk says of OpenSM's dumps
#	routings DIRECTORY                how many times OpenSM has configured tables
#	settled DIRECTORY                 waits until the subnet is up, for good
#	read_lfts, read_sl2vl             what the switches hold, one sorted line per entry
#	read_snapshot DIRECTORY           the same as a snapshot that heddle reads
#	lfts_of FILE, sl2vl_of FILE NET   the same from a dump (NET: which ports have links)

umad2sim=$(find /usr/lib/*/umad2sim/libumad2sim.so /usr/local/lib/umad2sim/libumad2sim.so 2>/dev/null | head -n 1)
plugin_directory=$top_builddir
fabric_pid=
fabric_log=
fabric_count=0
opensm_pid=
opensm_preload=
opensm_wrapper=()
opensm_patience=60 # seconds for a line of its log, or a program on the fabric

require_fabric() {
	local program
	for program in opensm ibsim ibnetdiscover dump_fts smpquery; do
		command -v "$program" >/dev/null && continue
		echo "1..0 # SKIP $program is not installed"
		exit 0
	done
	# A plug-in built with AddressSanitizer needs its runtime in opensm, whose leaks, reads of freed
	# buffers in umad_send() and reads beyond buffers in libumad2sim are not ours to judge.
	opensm_preload=$(ldd "$plugin_directory/libosmheddle.so" 2>/dev/null |
		awk '/lib(clang_rt\.)?asan/ && $3 ~ /^\// { print $3 ":" }')
	printf 'interceptor_via_lib:%s\n' libumad2sim libibumad libosm sbin/opensm >"$scratch/asan.suppressions"
	export ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}detect_leaks=0:suppressions=$scratch/asan.suppressions
	if [ -z "$umad2sim" ] || [ ! -e "$plugin_directory/libosmheddle.so" ]; then
		echo "1..0 # SKIP ${umad2sim:-libumad2sim.so} or libosmheddle.so is missing"
		exit 0
	fi
}

# run_fabric KIND NETFILE ARG...: in place of this shell
run_fabric() {
	local kind=$1 netfile=$2 nodes switches
	shift 2
	if [ "$kind" = simfabric ]; then
		exec simfabric "$netfile" -s "$IBSIM_SOCKNAME" --console - "$@"
	fi
	nodes=$(grep -cE '^(Switch|Ca|Hca|Rt)' "$netfile")
	switches=$(grep -c '^Switch' "$netfile")
	exec ibsim -s -N $((nodes + 16)) -S $((switches + 16)) -P $((nodes * 64)) -L 49152 "$@" "$netfile"
}

start_fabric() {
	local kind=$1 netfile=$2 pipe
	local -A ready=([ibsim]='^sim>' [simfabric]='^simfabric: ready')
	shift 2
	fabric_count=$((fabric_count + 1))
	fabric_log=$scratch/$kind-$fabric_count.log
	pipe=$scratch/console-$fabric_count
	export IBSIM_SOCKNAME=heddle-$$-$fabric_count
	mkfifo "$pipe"
	exec {fabric_console}<>"$pipe"
	(run_fabric "$kind" "$netfile" "$@") <"$pipe" >"$fabric_log" 2>&1 &
	fabric_pid=$!
	# programs run on the first adapter, as the LIDs that heddle assigns suppose
	SIM_HOST=$(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p;' "$netfile" | head -n 1)
	export SIM_HOST
	# one that cannot read the netfile ends at once
	wait_until 30 eval "grep -q '${ready[$kind]}' '$fabric_log' || ! kill -0 $fabric_pid"
	grep -q "${ready[$kind]}" "$fabric_log" || {
		echo "# $kind does not start"
		tail -n 5 "$fabric_log" | tap_explain
		return 1
	}
}

start_ibsim() {
	start_fabric ibsim "$@"
}

console() {
	echo "$*" >&"$fabric_console"
}

# ibsim only: waits until the console has done what it was told before
obeyed() {
	local before
	before=$(grep -c 'verbose level is' "$fabric_log")
	console Verbose
	wait_until 30 eval "[ \"\$(grep -c 'verbose level is' '$fabric_log')\" -gt $before ]"
}

lose() {
	sed -nE 's/^Switch[^"]*("[^"]*").*/\1/p' "$1" >"$scratch/switches"
	while read -r switch; do
		console "Error $switch $2 $3"
	done <"$scratch/switches"
	obeyed
}

stop_fabric() {
	[ -n "$fabric_pid" ] || return 0
	kill "$fabric_pid" 2>/dev/null
	wait_until 10 eval "! kill -0 $fabric_pid" || kill -KILL "$fabric_pid"
	wait "$fabric_pid" 2>/dev/null
	fabric_pid=
	exec {fabric_console}>&-
}

# configure DIRECTORY LINE...: lines may say again what the defaults say; the last one counts
configure() {
	local directory=$1
	shift
	mkdir -p "$directory/cache" "$directory/dump"
	{
		echo "event_plugin_name osmheddle"
		echo "qos TRUE"
		echo "max_wire_smps 32"
		echo "force_log_flush TRUE"
		printf '%s\n' "$@"
	} >"$directory/opensm.conf"
	rm -f "$directory/log"
}

# The environment of an opensm: the simulator in place of hardware, and nothing of the machine's.
launch() { # DIRECTORY ARG...
	local directory=$1
	shift
	cd "$directory" || return
	exec env OSM_CACHE_DIR="$directory/cache" OSM_TMP_DIR="$directory/cache" \
		LD_LIBRARY_PATH="$plugin_directory" LD_PRELOAD="$opensm_preload$umad2sim" \
		"${opensm_wrapper[@]}" opensm -F "$directory/opensm.conf" -f "$directory/log" \
		-D "${opensm_log_flags:-0x43}" --dump_files_dir "$directory/dump" "$@" \
		>"$directory/out" 2>&1
}

opensm_once() {
	local status
	(launch "$@" -o) &
	opensm_pid=$!
	wait_until 120 eval "! kill -0 $opensm_pid" || kill -KILL "$opensm_pid"
	wait "$opensm_pid"
	status=$?
	opensm_pid=
	return "$status"
}

start_opensm() {
	(launch "$@") &
	opensm_pid=$!
	wait_log "$1" 'SUBNET UP'
}

wait_log() { # DIRECTORY REGEX [N]
	local wanted=${3:-1}
	wait_lines "$opensm_patience" "$wanted" "$2" "$1/log" && return
	echo "# '$2' is not $wanted times in the log:"
	tail -n 10 "$1/log" | tap_explain
	return 1
}

stop_opensm() {
	local status
	[ -n "$opensm_pid" ] || return 0
	kill "$opensm_pid" 2>/dev/null
	wait_until 60 eval "! kill -0 $opensm_pid" || kill -KILL "$opensm_pid"
	wait "$opensm_pid" 2>/dev/null
	status=$?
	opensm_pid=
	return "$status"
}

on_fabric() {
	(cd "$scratch" && exec timeout "$opensm_patience" env LD_PRELOAD="$opensm_preload$umad2sim" "$@")
}

# Under libumad2sim some programs crash now and then, on ibsim as on simfabric: ibqueryerrors once in
# 100 to 200 runs. They get further tries, and one that always crashes fails.
surely_on_fabric() {
	local crashed=139 said=$scratch/said.$BASHPID status
	for _ in 1 2 3 4; do
		on_fabric "$@" >"$said" 2>"$said.err"
		status=$?
		[ "$status" = "$crashed" ] || break
	done 2>/dev/null
	cat "$said"
	cat "$said.err" >&2
	rm "$said" "$said.err"
	return "$status"
}

on_exit stop_fabric
on_exit stop_opensm

tables_configured() {
	sed -n 's/.*osm_ucast_mgr_process: \(.*\) tables configured on all switches.*/\1/p' "$1/log" | tail -n 1
}

routings() {
	grep -c 'tables configured' "$1/log"
}

# "up" when the last routing was followed by a SUBNET UP, or was the end of a change that had waited for
# links, and the plug-in waits for no Set; traps and others may have written to the log since.
subnet_state() {
	# grep finds what matters in a log of a hundred MB several times as fast as awk
	LC_ALL=C grep -aE 'tables configured|heddle: |ERRORS DURING INITIALIZATION|SUBNET UP' "$1/log" | awk '
	     /tables configured/ { state = "routed"; lost = 0 }
	     /heddle: .* unconfirmed/ { lost = 1 }
	     /heddle: .* are confirmed/ { lost = 0 }
	     /ERRORS DURING INITIALIZATION/ { state = "errors" }
	     /SUBNET UP|heddle: .* change over/ { state = "up" }
	     END { print lost ? "lost" : state }'
}

# The subnet is up, and the log is still for two looks.
settled() {
	local last='' lines still=0
	for _ in $(seq 200); do
		pause 0.3
		lines=$(wc -l <"$1/log")
		if [ "$lines" = "$last" ] && [ "$(subnet_state "$1")" = up ]; then
			still=$((still + 1))
			[ "$still" -lt 2 ] || return 0
		else
			still=0
		fi
		last=$lines
	done
	echo "# not settled but '$(subnet_state "$1")':"
	tail -n 10 "$1/log" | tap_explain
	return 1
}

refusals() {
	sed -n 's/.*heddle: \(engine [^ ]* refuses: .*\)/\1/p' "$1/log"
}

# ibdmchk crashes after its verdict, whatever it is, and writes to /var/cache/ibutils: one at a time.
ibdmchk_verdict() {
	local directory=$1
	shift
	(cd "$directory/dump" && flock "${TMPDIR:-/tmp}/heddle-ibdmchk.lock" \
		ibdmchk -s opensm-subnet.lst -f opensm.fdbs -m opensm.mcfdbs -d opensm-sl2vl.dump "$@") \
		>"$directory/ibdmchk.log" 2>&1
	grep -m 1 -oiE '(no )?credit loops? (found|in routing)' "$directory/ibdmchk.log"
}

# "GUID LID PORT" from what OpenSM, dump_fts or dump_lfts print
lfts_of() {
	awk '/^Unicast lids/ { match($0, /guid 0x[0-9a-f]+/); guid = substr($0, RSTART + 5, RLENGTH - 5) }
	     /^0x[0-9a-f]+ [0-9]+/ { print guid, $1, $2 + 0 }' "$@" | sort
}

read_lfts() {
	on_fabric dump_fts >"$scratch/dump_fts" && lfts_of "$scratch/dump_fts"
}

read_sl2vl() {
	on_fabric "$top_builddir/tests/opensm/read_sl2vl" | sort
}

# What switches and adapters hold now, as a snapshot: of every SL, as no path SLs can be read there.
read_snapshot() {
	mkdir -p "$1"
	on_fabric ibnetdiscover >"$1/fabric.net" && on_fabric dump_fts >"$1/opensm-lfts.dump" &&
		read_sl2vl >"$1/sl2vl" || return
	awk -v line='#--------------------------------------------------------' '
		FNR == NR && /^Switch/ { match($0, /"S-[0-9a-f]+"/); switches["0x" substr($0, RSTART + 3, RLENGTH - 4)] = 1 }
		FNR == NR { next }
		$1 != guid {
			if (guid)
				print line
			guid = $1
			print (guid in switches ? "Switch " : "Channel Adapter ") guid ", base LID 0, \"\""
			print "#in out :"
			print line
		}
		{
			printf guid in switches ? $2 " " $3 " :" : "0 0 :"
			for (i = 4; i <= NF; i++)
				printf " %s", $i
			print ""
		}
		END { if (guid) print line }' "$1/fabric.net" "$1/sl2vl" >"$1/opensm-sl2vl.dump"
}

# "GUID IN OUT VL..." of the ports that have links in ibnetdiscover's output, from a dump in OpenSM's
# format. An adapter stands there by port GUID, with 0 for its port.
sl2vl_of() { # DUMP NETWORK
	awk 'FNR == NR && /^Switch/ { match($0, /"S-[0-9a-f]+"/); guid = "0x" substr($0, RSTART + 3, RLENGTH - 4) }
	     FNR == NR && /^\[[0-9]+\]\(/ { match($0, /\([0-9a-f]+\)/); guid = sprintf("0x%16s", substr($0, RSTART + 1, RLENGTH - 2)); gsub(" ", "0", guid) }
	     FNR == NR && /^\[/ { match($0, /[0-9]+/); linked[guid, substr($0, RSTART, RLENGTH)] = 1; port_of[guid] = substr($0, RSTART, RLENGTH) }
	     FNR == NR { next }
	     /^(Switch|Channel Adapter|Router) 0x/ { match($0, /0x[0-9a-f]+/); guid = substr($0, RSTART, RLENGTH); adapter = !/^Switch/ }
	     /^[0-9]/ {
		out = adapter ? port_of[guid] : $2
		if ((guid, out) in linked) {
			printf "%s %d %d", guid, adapter ? out : $1, out
			for (i = 4; i < 20; i++)
				printf " %d", $i
			print ""
		}
	     }' "$2" "$1" | sort
}

# The name by which opensm.conf knows an engine of ours: OpenSM has some of its own.
in_opensm() { # ENGINE
	case $1 in
	minhop | updn) echo "heddle-$1" ;;
	*) echo "$1" ;;
	esac
}

# These two are about the opensm in directory $at.
# changed NAME ENGINE COMMAND...: after COMMAND, OpenSM routes again, at last with ENGINE
changed() {
	local name=$1 engine=$2 before
	before=$(routings "$at")
	shift 2
	"$@"
	ok "$name: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
	ok "$name: with $engine" wait_until 30 eval "[ \$(tables_configured '$at') = $engine ]"
	ok "$name: the subnet comes up" settled "$at"
	ok "$name: opensm is alive" kill -0 "$opensm_pid"
}

# programmed NAME ENGINE: the live fabric, routed by heddle, is what the switches hold
programmed() {
	local before previous=()
	for before in "${@:3}"; do
		previous+=(--previous "$before")
	done
	on_fabric ibnetdiscover >"$at/live.net"
	rm -rf "$at/snapshot"
	ok "$1: route" heddle route "$at/live.net" -e "$2" "${previous[@]}" --plain -o "$at/snapshot"
	read_lfts >"$at/lfts"
	lfts_of "$at/snapshot/opensm-lfts.dump" >"$at/lfts.wanted"
	same "$1: LFTs" "$at/lfts" "$at/lfts.wanted"
	read_sl2vl >"$at/sl2vl"
	sl2vl_of "$at/snapshot/opensm-sl2vl.dump" "$at/live.net" >"$at/sl2vl.wanted"
	same "$1: SL2VL tables" "$at/sl2vl" "$at/sl2vl.wanted"
}

# serves NAME KIND FABRIC ENGINE [TAKEN [LINE...]]: OpenSM with ENGINE on FABRIC programs what heddle route computes of the
# live fabric, its dumps are sound in both scopes, and ibdmchk finds no credit loop; engine heddle takes TAKEN.
serves() {
	local name=$1 kind=$2 fabric=$3 engine=$4 taken=${5-} at=$scratch/$1
	shift 4
	[ $# -eq 0 ] || shift
	ok "$name: topo" heddle topo --quiet "$fabric" --assign-lids -o "$at.net"
	start_fabric "$kind" "$at.net" || {
		tap_result 1 "$name: $kind"
		return
	}
	configure "$at" "routing_engine $(in_opensm "$engine"),no_fallback" "$@"
	ok "$name: opensm" start_opensm "$at"
	ok "$name: it comes up" settled "$at"
	is "$name: $engine configured" "$(tables_configured "$at")" "$(in_opensm "$engine")"
	[ -z "$taken" ] ||
		like "$name: $taken taken" "$(sed -n 's/.* heddle: engine heddle: //p' "$at/log" | tail -n 1)" "^$taken routes: .*sound"
	programmed "$name" "$engine"
	ok "$name: LFTs were read" test -s "$at/lfts"
	cp "$at/live.net" "$at/dump/fabric.net"
	ok "$name: sound with all traffic" heddle check --quiet "$at/dump" --scope all
	ok "$name: sound among hosts" heddle check --quiet "$at/dump" --scope hosts
	like "$name: ibdmchk" "$(ibdmchk_verdict "$at" -c path-sl.dump)" "^no credit loops found"
	stop_opensm
	stop_fabric
}

# same_as_route NAME SPEC ENGINE 'ROUTE ARGUMENTS' [LINE...]: opensm with ENGINE and the LINEs in its
# opensm.conf programs what `heddle route SPEC -e ENGINE` computes, and its own dumps are sound. Leaves
# the simulator running and everything under $scratch/NAME.
same_as_route() {
	local name=$1 spec=$2 engine=$3 arguments=$4 at=$scratch/$1
	shift 4
	ok "$name: topo" heddle topo "$spec" -o "$at.net"
	start_ibsim "$at.net" || tap_result 1 "$name: ibsim"
	configure "$at" "routing_engine $(in_opensm "$engine")" "$@"
	ok "$name: opensm" opensm_once "$at"
	is "$name: $engine configured" "$(tables_configured "$at")" "$(in_opensm "$engine")"
	on_fabric ibnetdiscover >"$at/live.net"
	# shellcheck disable=SC2086
	ok "$name: route" heddle route "$spec" -e "$engine" $arguments --plain -o "$at/snapshot"

	read_lfts >"$at/lfts"
	lfts_of "$at/snapshot/opensm-lfts.dump" >"$at/lfts.wanted"
	ok "$name: LFTs were read" test -s "$at/lfts"
	same "$name: LFTs in the switches" "$at/lfts" "$at/lfts.wanted"
	read_sl2vl >"$at/sl2vl"
	sl2vl_of "$at/snapshot/opensm-sl2vl.dump" "$at/live.net" >"$at/sl2vl.wanted"
	ok "$name: SL2VL tables were read" test -s "$at/sl2vl"
	same "$name: SL2VL tables in switches and adapters" "$at/sl2vl" "$at/sl2vl.wanted"
	same "$name: path SLs" "$at/dump/path-sl.dump" "$at/snapshot/path-sl.dump"
	same "$name: VL arbitration" "$at/dump/opensm-vlarb.dump" "$at/snapshot/opensm-vlarb.dump"

	cp "$at/live.net" "$at/dump/fabric.net"
	ok "$name: OpenSM's dumps pass heddle check" heddle check "$at/dump"
}
