# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# opensm under valgrind: what the plug-in allocates is freed, and it touches nothing that is not its
# own, over sweeps with detours, a refusal, and neither. What opensm itself does wrong is not counted.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
if ! command -v valgrind >/dev/null || nm -D "$plugin_directory/libosmheddle.so" | grep -q __asan; then
	echo "1..0 # SKIP valgrind is not installed, or cannot run an AddressSanitizer build"
	exit 0
fi

# The records of a valgrind log in whose stack is code of this build.
ours() {
	awk -v build="$top_builddir/" '
		/^==[0-9]+== *$/ { if (index(record, build)) { n++; print record >"/dev/stderr" } record = ""; next }
		{ record = record "\n" $0 }
		END { print n + 0 }' "$1"
}

heddle topo dragonfly:a=3,p=2,h=1,g=4 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
switch=$(sed -nE 's/^Switch[^"]*"([^"]*)".*/\1/p' "$scratch/net" | head -n 1)
at=$scratch/opensm
configure "$at" "routing_engine dla,heddle-minhop" "event_plugin_options queues=xordet:2 threads=2" \
	"partition_config_file $scratch/partitions"
echo 'Default=0x7fff, ipoib: ALL=full;' >"$scratch/partitions"
opensm_wrapper=(valgrind --leak-check=full "--show-leak-kinds=definite,indirect,possible"
	--keep-debuginfo=yes --fullpath-after= --num-callers=40 --error-limit=no --log-file="$at/valgrind")
opensm_log_flags=0x47
ok "opensm starts under valgrind" start_opensm "$at"
SIM_HOST=$(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p' "$scratch/net" | tail -n 1) \
	on_fabric "$top_builddir/tests/opensm/join_multicast" ff12:401b:ffff::ffff:ffff >/dev/null
on_fabric "$top_builddir/tests/opensm/join_multicast" ff12:401b:ffff::ffff:ffff >/dev/null
kill -HUP "$opensm_pid"
ok "another sweep" wait_log "$at" 'tables configured' 2
ok "multicast is proved" wait_log "$at" "with OpenSM.s multicast"
console "Unlink \"$switch\"[3]"
ok "detours" wait_log "$at" 'dla tables configured' 3
console "Unlink \"$switch\"[4]"
ok "a refusal" wait_log "$at" 'engine dla refuses'
ok "and the next" wait_log "$at" 'minhop tables configured'
console "ReLink \"$switch\"[4]"
console "ReLink \"$switch\"[3]"
ok "dla again" wait_log "$at" 'dla tables configured' 4
# opensm's own shutdown loses the MADs that are queued then, those of a change's rounds, too
ok "nothing is under way" settled "$at"
ok "path records are asked for" on_fabric saquery -p
ok "opensm stops" stop_opensm
is "nothing of the plug-in's leaks or is misused" "$(ours "$at/valgrind" 2>"$scratch/records")" 0
head -n 60 "$scratch/records" | tap_explain
ok "valgrind saw the plug-in's shutdown" grep -q 'LEAK SUMMARY\|All heap blocks were freed' "$at/valgrind"
finish
