# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Clients over UDP. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"
require_programs smpquery opensm ibnetdiscover perl
spec=dragonfly:a=4,p=2,h=2
# a port that is likely free, and different where scripts run side by side
port=$((20000 + $$ % 20000))

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
finish
