# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# simfabric FABRIC -- COMMAND: its environment, its end, ours. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"
require_programs smpquery perl
spec=dragonfly:a=4,p=2,h=2
cd "$scratch" || exit 99
mkdir tmp
export TMPDIR=$scratch/tmp

ok "status 0" simfabric "$spec" -- true
is "nothing is said" "$(cat "$scratch/.out" "$scratch/.err")" ""
not_ok "status 1" 1 simfabric "$spec" -- false
not_ok "status 42" 42 simfabric "$spec" -- sh -c 'exit 42'
# shellcheck disable=SC2016
not_ok "killed" 137 simfabric "$spec" -- sh -c 'kill -9 $$'
not_ok "no such program" 2 simfabric "$spec" -- /nonexistent
like "no such program: said" "$(cat "$scratch/.err")" "^simfabric: cannot run '/nonexistent': No such file"
ok "options of COMMAND are its own" simfabric "$spec" -- sh -c 'test "$1" = -v' sh -v
ok "what it reads" sh -c 'echo x | simfabric "$1" -- grep -qx x' sh "$spec"

simfabric "$spec" -- env >./env
like "wrapper" "$(grep ^LD_PRELOAD= env)" "^LD_PRELOAD=.*/libumad2sim.so$"
like "socket" "$(grep ^IBSIM_SOCKNAME= env)" "=simfabric-[0-9]+$"
is "host" "$(grep ^SIM_HOST= env)" "SIM_HOST=0x0002000000000001"
like "cache" "$(grep ^OSM_CACHE_DIR= env)" "=$TMPDIR/simfabric\.heddle-[0-9a-f]{8}$"
simfabric -s mine-$$ --host H-00005 "$spec" -- env OSM_TMP_DIR=x >./env
is "named socket" "$(grep ^IBSIM_SOCKNAME= env)" "IBSIM_SOCKNAME=mine-$$"
like "other host" "$(grep ^SIM_HOST= env)" "=0x[0-9a-f]{16}$"
OSM_CACHE_DIR=/mine LD_PRELOAD=libm.so.6:/x/libasan.so.8 IBSIM_SERVER_NAME=x simfabric "$spec" -- env >./env 2>/dev/null
is "what is set remains" "$(grep ^OSM_CACHE_DIR= env)" "OSM_CACHE_DIR=/mine"
like "LD_PRELOAD: runtimes, wrapper, others" "$(grep ^LD_PRELOAD= env)" "^LD_PRELOAD=/x/libasan.so.8:.*/libumad2sim.so:libm.so.6$"
is "not over UDP" "$(grep -c ^IBSIM_SERVER_NAME env)" 0
is "nothing remains in the temporary directory" "$(ls tmp)" ""
# shellcheck disable=SC2016
simfabric "$spec" -- sh -c 'mkdir "$OSM_CACHE_DIR/x"; touch "$OSM_CACHE_DIR/x/y"; kill -KILL $PPID' 2>/dev/null
is "but of a simfabric that was killed" "$(ls tmp | wc -l)" 1
# shellcheck disable=SC2016
simfabric "$spec" -- sh -c 'simfabric "$1" -- true; ls -d "$OSM_CACHE_DIR"; ls tmp | wc -l' sh "$spec" >left 2>&1
is "the next one removes that, and not what somebody has" "$(tail -n 1 left)" 1
is "and its own" "$(ls tmp)" ""

ok "smpquery" simfabric "$spec" -- smpquery nodedesc -D 0
like "on the first adapter" "$(cat "$scratch/.out")" "H-00000"
ok "smpquery elsewhere" simfabric --host H-00007 "$spec" -- smpquery nodedesc -D 0
like "on the host named" "$(cat "$scratch/.out")" "H-00007"
ok "from a pipe" sh -c 'heddle topo "$1" -o - | simfabric - -- smpquery nodeinfo -D 0,1' sh "$spec"
mkdir readonly && chmod a-w readonly
if [ -w readonly ]; then
	skip "in a directory that is not writable" "this user may write everywhere"
else
	ok "in a directory that is not writable" sh -c 'cd readonly && simfabric "$1" -- smpquery nodedesc -D 0' sh "$spec"
fi
ok "-v counts MADs" simfabric -v "$spec" -- smpquery nodedesc -D 0
like "-v: what a MAD costs" "$(cat "$scratch/.err")" "2 MADs served, .* us per MAD"

# COMMAND is told to end when we are, and is gone with us
simfabric "$spec" -- sh -c 'trap "echo told >told; exit 7" TERM; echo x >started; while :; do sleep 0.05; done' &
pid=$!
wait_until 20 test -e started
kill -TERM $pid
wait $pid
is "SIGTERM: COMMAND's status" $? 7
is "SIGTERM reached COMMAND" "$(cat told)" told
rm -f started
# shellcheck disable=SC2016
simfabric "$spec" -- sh -c 'echo $$ >started; exec sleep 100' &
pid=$!
wait_until 20 test -s started
child=$(cat started)
kill -9 $pid
wait $pid 2>/dev/null
ok "COMMAND does not outlive us" wait_until 5 sh -c '! kill -0 "$1" 2>/dev/null || grep -q "^State:.Z" "/proc/$1/status"' sh "$child"
finish
