# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Timed commands. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"
require_programs opensm smpquery perl
spec=dragonfly:a=4,p=2,h=2
cd "$scratch" || exit 99

printf '0 Unlink "H-00000"[1]\n300ms Relink "H-00000"[1]\n400ms Relink "H-00000"[1]\n600ms Quit\n' >script
start=$EPOCHREALTIME
timeout 20 simfabric -vv -s "sf-$$" --script script "$spec" >/dev/null 2>err
is "Quit ends it" $? 0
ok "at its time" test $((${EPOCHREALTIME/[.,]/} - ${start/[.,]/})) -ge 600000
is "what it did" "$(grep script: err)" 'simfabric: script:1: unlinked "H-00000"[1]
simfabric: script:2: linked again "H-00000"[1]
simfabric: script:3: "H-00000"[1] has no link that was taken away, or its other end is in use
simfabric: script:4: bye'
timeout 20 simfabric -s "sf-$$" --script script "$spec" >/dev/null 2>err
is "without -v only what failed" "$(wc -l <err)" 1

# from the subnet manager on: the link is there when opensm sweeps, and it is told when it goes
printf 'sm+1s Unlink "G0S0"[3]\n' >script
timeout 60 simfabric -vv --script script "$spec" -- sh -c '
	timeout -s INT 4 opensm -f log -d 2 >/dev/null 2>&1; exit 0' 2>err
like "after the subnet manager" "$(cat err)" 'script:1: unlinked "G0S0"\[3\]'
ok "it came up before" grep -q "SUBNET UP" log
ok "a trap told it" grep -qE "trap|Trap.*(128|num:128)|num:128" log
ok "swept again" test "$(grep -c "SUBNET UP\|tables configured" log)" -ge 2

# COMMAND is told to end by Quit
printf '200ms Quit\n' >script
timeout 20 simfabric --script script "$spec" -- sleep 10
is "Quit ends COMMAND" $? 143
finish
