# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Clients over UDP. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"
require_programs smpquery opensm ibnetdiscover perl
spec=dragonfly:a=4,p=2,h=2
# a port that is likely free, and different where scripts run side by side; below those from 32768
# on, which the kernel gives to any socket
port=$((20000 + $$ % 12000))

ok "start" start_simfabric "$spec" --listen "$port"
like "ready" "$(cat "$simfabric_out")" ", UDP port $port$"
over_udp() {
	on_fabric env IBSIM_SERVER_NAME=127.0.0.1 IBSIM_SERVER_PORT="$port" "$@"
}
export OSM_CACHE_DIR=$scratch OSM_TMP_DIR=$scratch
ok "smpquery" over_udp smpquery nodedesc -D 0
ok "opensm" over_udp opensm -o -f "$scratch/log"
over_udp ibnetdiscover >"$scratch/udp" 2>/dev/null
on_fabric ibnetdiscover >"$scratch/unix" 2>/dev/null
ok "ibnetdiscover" test "$(grep -c ^Ca "$scratch/udp")" = 72
grep -v '^#' "$scratch/udp" >"$scratch/udp.net"
grep -v '^#' "$scratch/unix" >"$scratch/unix.net"
same "the same as on unix sockets" "$scratch/udp.net" "$scratch/unix.net"
is "all left" "$(attached)" 0
ok "stop" stop_simfabric

# more than there are files for, each gone without a word
limited() {
	ulimit -n 200
	exec simfabric "$@"
}
ok "start with 200 files" start_simfabric_by limited "$spec" --listen "$port"
is "600 that come and go" "$(perl "$top_srcdir/tests/simfabric/client.pl" "$port" udp 600)" "600 answered"
ok "their places are free" wait_until 10 eval 'test "$(attached)" = 0'
ok "smpquery is served" over_udp smpquery nodedesc -D 0
ok "stop" stop_simfabric

# the ports of the first three clients are another program's
perl -MSocket -e '
	for my $port ($ARGV[0] + 1 .. $ARGV[0] + 3) {
		socket($s[$port], AF_INET, SOCK_DGRAM, 0) or die;
		bind($s[$port], sockaddr_in($port, INADDR_LOOPBACK)) or die "bind: $!";
	}
	$| = 1;
	print "bound\n";
	sleep 60;
' "$port" >"$scratch/bound" &
squatter=$!
on_exit kill "$squatter"
ok "three ports are taken" wait_until 10 grep -q bound "$scratch/bound"
ok "start beside them" start_simfabric "$spec" --listen "$port"
ok "smpquery by the next port" over_udp smpquery nodedesc -D 0
is "a number after theirs" "$(perl "$top_srcdir/tests/simfabric/client.pl" "$port" udp 20)" "20 answered"
ok "stop" stop_simfabric
finish
