# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The program simfabric in tests. Sourced after tests/lib/tap.sh. shellcheck shell=bash
#
#	require_programs NAME...          skips the whole script where one, or the stock wrapper, is missing
#	start_simfabric ARGUMENT...       in the background, with a console; ends when it is ready
#	start_simfabric_by COMMAND ARG... the same through COMMAND, a function for instance
#	stop_simfabric                    tells it to end; its exit status
#	console 'COMMAND'                 runs a command, prints the answer
#	on_fabric COMMAND...              a program on the fabric, with the stock wrapper
#	start_client COMMAND...           the same in the background; its process ID is client_pid
#	attached                          how many clients there are

umad2sim=$(find /usr/lib/*/umad2sim/libumad2sim.so /usr/local/lib/umad2sim/libumad2sim.so 2>/dev/null | head -n 1)
simfabric_pid=
simfabric_count=0

require_programs() {
	local program
	for program in "$@"; do
		command -v "$program" >/dev/null && continue
		echo "1..0 # SKIP $program is not installed"
		exit 0
	done
	if [ -z "$umad2sim" ]; then
		echo "1..0 # SKIP libumad2sim.so is not installed"
		exit 0
	fi
}

start_simfabric() {
	start_simfabric_by simfabric "$@"
}

start_simfabric_by() {
	local program=$1
	shift
	simfabric_count=$((simfabric_count + 1))
	export IBSIM_SOCKNAME=heddle-sf-$$-$simfabric_count
	simfabric_out=$scratch/simfabric-$simfabric_count.out
	simfabric_err=$scratch/simfabric-$simfabric_count.err
	"$program" -s "$IBSIM_SOCKNAME" --console "$scratch/console" "$@" \
		</dev/null >"$simfabric_out" 2>"$simfabric_err" &
	simfabric_pid=$!
	wait_until 60 grep -q ready "$simfabric_out"
}

stop_simfabric() {
	local status
	[ -n "$simfabric_pid" ] || return 0
	kill "$simfabric_pid" 2>/dev/null
	wait "$simfabric_pid"
	status=$?
	simfabric_pid=
	return "$status"
}
on_exit stop_simfabric

console() {
	perl -MSocket -e '
		my $s;
		socket($s, PF_UNIX, SOCK_STREAM, 0) && connect($s, sockaddr_un(shift)) or die "connect: $!\n";
		syswrite $s, join("\n", @ARGV) . "\n";
		shutdown $s, 1;
		print while <$s>;' "$scratch/console" "$@"
}

on_fabric() {
	(cd "$scratch" && exec timeout 60 env LD_PRELOAD="$umad2sim" "$@")
}

# in the background, and killed by its own process ID: client_pid
start_client() {
	(cd "$scratch" && exec env LD_PRELOAD="$umad2sim" "$@" >/dev/null 2>&1) &
	# shellcheck disable=SC2034 # for the scripts
	client_pid=$!
}

attached() {
	console Attached | sed -n 's/^#  \([0-9]*\) clients$/\1/p'
}
