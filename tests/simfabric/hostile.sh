#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Clients that mean harm: the server serves the others on, and ends when it is told to.
# shellcheck source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/simfabric/program.sh"
require_programs smpquery
wrapper=$top_builddir/libsimfabric-umad.so
hostile=$top_builddir/tests/simfabric/hostile_ring
spec=dragonfly:a=4,p=2,h=2
pids=()

stop_all() {
	[ "${#pids[@]}" = 0 ] || kill -9 "${pids[@]}" 2>/dev/null
	pids=()
}
on_exit stop_all

lacks() { # TEXT REGEX
	! [[ $1 =~ $2 ]]
}

start_hostile() { # WHAT
	"$hostile" "$IBSIM_SOCKNAME" "$1" >"$scratch/$1.out" 2>&1 &
	pids+=($!)
}

# served HOST: with either wrapper
served() {
	[[ $(cd /proc/self && SIM_HOST=$1 LD_PRELOAD=$wrapper timeout 20 smpquery nodedesc -D 0 2>/dev/null) = *"$1"* ]] &&
		[[ $(SIM_HOST=$1 on_fabric smpquery nodedesc -D 0 2>/dev/null) = *"$1"* ]]
}

ends() {
	kill "$simfabric_pid"
	wait_until 10 eval "! kill -0 $simfabric_pid" || return
	wait "$simfabric_pid"
	simfabric_pid=
}

for what in garbage full deaf dies flood; do
	ok "start" start_simfabric "$spec"
	start_hostile "$what"
	if [ "$what" = dies ]; then
		wait "${pids[-1]}" 2>/dev/null
	else
		ok "$what" wait_until 20 grep -q 'done' "$scratch/$what.out"
	fi
	ok "$what: others are served" served H-00001
	[ "$what" != full ] || {
		stop_all
		ok "$what: when it is dead, too" served H-00002
		start_hostile "$what"
		wait_until 20 grep -q 'done' "$scratch/$what.out"
	}
	ok "$what: the server ends on SIGTERM" ends
	stop_all
done

# other users: the rings, and the stock wrapper's sockets
as_nobody() {
	SIM_HOST=H-00001 setpriv --reuid=65534 --clear-groups "$@"
}
# the build directory may be where nobody else may look
chmod a+rwx "$scratch"
install -m 755 "$wrapper" "$scratch/wrapper.so"
if [ "$(id -u)" != 0 ]; then
	skip "other users" "not root"
elif ! as_nobody true 2>/dev/null; then
	skip "other users" "no setpriv, or it may not become another user"
elif ! as_nobody test -r "$scratch/wrapper.so" -a -x "$scratch"; then
	skip "other users" "others may not enter $scratch (TMPDIR)"
else
	own_as_nobody() {
		cd /proc/self && as_nobody env LD_PRELOAD="$scratch/wrapper.so" timeout 20 smpquery nodedesc -D 0 2>&1
	}
	stock_as_nobody() {
		cd "$scratch" && as_nobody env LD_PRELOAD="$umad2sim" timeout 20 smpquery nodedesc -D 0 2>&1
	}
	ok "start" start_simfabric -v "$spec"
	ok "rings are not for other users" lacks "$(own_as_nobody)" H-00001
	ok "nor are the stock wrapper's sockets" lacks "$(stock_as_nobody)" H-00001
	like "and it is said" "$(cat "$simfabric_err")" "a client cannot attach: the fabric is another user's"
	ok "stop" stop_simfabric
	ok "start --any-user" start_simfabric --any-user "$spec"
	like "--any-user: rings" "$(own_as_nobody)" H-00001
	like "--any-user: the stock wrapper" "$(stock_as_nobody)" H-00001
	ok "stop" stop_simfabric
fi

ok "start --clients-per-user 1" start_simfabric --clients-per-user 1 -v "$spec"
start_client ibping -S
ok "one client" wait_until 20 eval 'test "$(attached)" = 1'
ok "not two" lacks "$(on_fabric smpquery nodedesc -D 0 2>&1)" Node
like "and it is said" "$(cat "$simfabric_err")" "a client cannot attach: the user has too many clients"
kill -9 "$client_pid"
ok "stop" stop_simfabric
finish
