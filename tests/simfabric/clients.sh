# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Many clients, clients that die, clients that stop reading. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"
require_programs ibping smpquery perl
spec=dragonfly:a=4,p=2,h=2
messages="$top_srcdir/tests/simfabric/client.pl"

ok "start" start_simfabric -v "$spec"

# 300 at once, each asking its own node
perl "$messages" "$IBSIM_SOCKNAME" many 300 >"$scratch/many"
is "300 clients" "$(cat "$scratch/many")" "300 attached, 300 answered"
ok "their places are free" wait_until 10 eval 'test "$(attached)" = 0'

# killed without a word
pids=()
for _ in 1 2 3 4 5; do
	start_client ibping -S
	pids+=("$client_pid")
done
ok "five servers" wait_until 20 eval 'test "$(attached)" = 5'
kill -9 "${pids[@]}"
wait "${pids[@]}" 2>/dev/null
ok "killed clients leave" wait_until 10 eval 'test "$(attached)" = 0'
like "and it is said" "$(cat "$simfabric_err")" "client [0-9]+ died"

perl "$messages" "$IBSIM_SOCKNAME" same 0 >"$scratch/same"
is "the same address again" "$(cat "$scratch/same")" "client 0, client 0, 1 attached"
perl "$messages" "$IBSIM_SOCKNAME" deaf 20000 >"$scratch/deaf" &
deaf=$!
ok "one that does not read" wait_until 20 grep -q sent "$scratch/deaf"
like "others are served" "$(SIM_HOST=H-00001 on_fabric smpquery nodedesc -D 0 2>/dev/null)" "H-00001"
ok "it reads at last" wait_until 30 grep -q received "$scratch/deaf"
is "nothing was lost" "$(tail -n 1 "$scratch/deaf")" "20000 received"
wait $deaf
perl "$messages" "$IBSIM_SOCKNAME" garbage 2000 >"$scratch/garbage"
is "garbage" "$(cat "$scratch/garbage")" "still alive"
start_client ibping -S
ok "one more" wait_until 20 eval 'test "$(attached)" = 1'
number=$(console Attached | sed -n 's/^Client \([0-9]*\): .*/\1/p')
is "thrown out" "$(console "X $number" Attached)" "client $number is disconnected
#  0 clients"
kill "$client_pid" 2>/dev/null
ok "stop" stop_simfabric
finish
