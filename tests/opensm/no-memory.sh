# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Allocations of the plug-in fail, one in each sweep of an opensm with 72 hosts, failed links and a
# multicast group; then one in each start. The tables of the last sweep stay, or it does without; opensm lives,
# nothing leaks, and the next sweep is as ever. The same for heddle dump. Some allocations, evenly spread; with HD_OOM=all every one.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
fail_alloc=$top_builddir/tests/lib/fail_alloc.so
if [ ! -e "$fail_alloc" ] || nm -D "$plugin_directory/libosmheddle.so" | grep -q __asan ||
	nm "$plugin_directory/libosmheddle.so" | grep -q __gcov_; then
	echo "1..0 # SKIP allocations cannot be made to fail in this build"
	exit 0
fi
most=60
[ "${HD_OOM:-}" != all ] || most=1000000
opensm_preload=$fail_alloc:
export HD_FAIL_OBJECT=libosmheddle.so HD_FAIL_AT=$scratch/at HD_FAIL_COUNT=$scratch/count

# sweep AT: a heavy sweep in which the AT-th allocation fails
sweep() {
	local before
	before=$(grep -c 'SUBNET UP' "$at/log")
	echo "$1" >"$scratch/at"
	kill -HUP "$opensm_pid" && wait_log "$at" 'SUBNET UP' $((before + 1))
}

# What the log says since line N, in one word
said() { # N
	tail -n "+$(($1 + 1))" "$at/log" | awk '
		/heddle: engine dla: out of memory: the tables of the last sweep stay/ { kept = 1 }
		/heddle: engine dla refuses: .*out of memory/ { refused = 1 }
		/heddle: no .*: .*out of memory|is not checked: out of memory/ { without = 1 }
		/dla tables configured/ { routed = 1 }
		END { print refused && !routed ? "refused" : routed && !refused ? kept ? "kept" : without ? "without" : "routed" : "?" }'
}

heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net" || exit
switch=$(sed -nE 's/^Switch[^"]*"([^"]*)".*/\1/p' "$scratch/net" | tail -n 1)
at=$scratch/opensm
# with an option of the site each sweep makes tables anew, so that allocations of all parts fail in turn
configure "$at" "routing_engine dla,updn" "qos_swe_high_limit 3" "event_plugin_options queues=xordet:2"
echo 0 >"$scratch/at"
ok "opensm starts" start_opensm "$at"
for host in $(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p' "$scratch/net" | awk 'NR % 20 == 1'); do
	SIM_HOST=$host on_fabric "$top_builddir/tests/opensm/join_multicast" ff12:401b:ffff::ffff:ffff >/dev/null
done
console "Unlink \"$switch\"[6]"
console "Unlink \"$switch\"[3]"
ok "two links fail" settled "$at"
ok "a sweep" sweep 0
ok "another" sweep 0
n=$(tail -n 1 "$scratch/count" | sed 's/ .*//')
live=$(tail -n 1 "$scratch/count")
on_fabric heddle dump --no-path-sls -o "$scratch/wanted"

step=$((n / most + 1))
for ((i = 1; i <= n; i += step)); do
	lines=$(wc -l <"$at/log")
	sweep "$i" || break
	echo "$(said "$lines") $i"
done >"$scratch/outcomes"
ok "opensm lives" kill -0 "$opensm_pid"
is "$((n / step)) of $n allocations: the last tables are kept, or it does without" "$(grep -cE '[?]|refused' "$scratch/outcomes")" 0
ok "some are kept" grep -q kept "$scratch/outcomes"
cut -d ' ' -f 1 "$scratch/outcomes" | sort | uniq -c | tap_explain
ok "an ordinary sweep" sweep 0
ok "and another" sweep 0
is "it allocates as much as before, and nothing has leaked" "$(tail -n 1 "$scratch/count")" "$live"
is "dla at last" "$(tables_configured "$at")" dla
on_fabric heddle dump --no-path-sls -o "$scratch/live"
ok "the fabric holds what it held" heddle diff "$scratch/wanted" "$scratch/live"

# heddle dump, with the subnet administration that runs
dump() { # AT
	rm -rf "$scratch/dumped" "$scratch/count"
	HD_FAIL_OBJECT=/heddle HD_FAIL_AT=$1 on_fabric heddle dump -o "$scratch/dumped" >/dev/null 2>"$scratch/err"
}
ok "dump" dump 0
n=$(sed 's/ .*//' "$scratch/count")
step=$((n / (most / 4) + 1))
for ((i = n; i >= 1; i -= step)); do
	dump "$i"
	status=$?
	grep -q ' 0 live$' "$scratch/count" || echo "allocation $i: $(cat "$scratch/count")"
	[ "$status" = 0 ] && heddle diff --quiet "$scratch/live" "$scratch/dumped" >/dev/null && continue
	[ "$status" = 2 ] && [ "$(wc -l <"$scratch/err")" = 1 ] && [ ! -e "$scratch/dumped" ] && continue
	echo "allocation $i: status $status: $(head -n 3 "$scratch/err")"
done >"$scratch/wrong"
is "dump: $((n / step)) of $n allocations: told, and nothing is left" "$(cat "$scratch/wrong")" ""
ok "opensm stops" stop_opensm

# While it is loaded: it is not, and opensm routes by itself.
rm "$scratch/count"
HD_FAIL_AT=0
configure "$scratch/once" "routing_engine dla"
ok "opensm starts and ends" opensm_once "$scratch/once"
n=$(head -n 1 "$scratch/count" | sed 's/ .*//')
step=$((n / (most / 6) + 1))
for ((HD_FAIL_AT = 1; HD_FAIL_AT <= n; HD_FAIL_AT += step)); do
	configure "$scratch/once" "routing_engine dla"
	opensm_once "$scratch/once" || echo "allocation $HD_FAIL_AT: status $?"
	grep -qE 'heddle: .*out of memory|heddle: OpenSM takes no engine|Failed to load' "$scratch/once/log" ||
		echo "allocation $HD_FAIL_AT: nothing is said"
	grep -q 'SUBNET UP' "$scratch/once/log" || echo "allocation $HD_FAIL_AT: no subnet"
done >"$scratch/wrong"
is "$((n / step)) of $n allocations of the start: told" "$(cat "$scratch/wrong")" ""
finish
