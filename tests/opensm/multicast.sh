# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# OpenSM's multicast trees are proved together with the engine's routes at the end of a heavy sweep.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

join() { # HOSTS MGID...
	local hosts=$1 host
	shift
	for host in $hosts; do
		SIM_HOST=$host on_fabric "$top_builddir/tests/opensm/join_multicast" "$@" || return
	done
}

heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
hosts=$(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p' "$scratch/net")
at=$scratch/opensm
configure "$at" "routing_engine dla" "partition_config_file $scratch/partitions"
echo 'Default=0x7fff, ipoib: ALL=full;' >"$scratch/partitions"
opensm_log_flags=0x47
ok "opensm" start_opensm "$at"
is "no member, no multicast to prove" "$(grep -c "with OpenSM's multicast" "$at/log")" 0
ok "every third host joins" join "$(awk 'NR % 3 == 1' <<<"$hosts")" ff12:401b:ffff::ffff:ffff
kill -HUP "$opensm_pid"
ok "multicast is proved" wait_log "$at" "heddle: engine dla with OpenSM.s multicast"
like "and is sound: one tree cannot close a cycle" "$(grep "with OpenSM's multicast" "$at/log")" "sound"
sweeps=$(grep -c 'engine dla: ' "$at/log")
kill -HUP "$opensm_pid"
wait_log "$at" 'engine dla: ' $((sweeps + 1))
wait_log "$at" 'SUBNET UP' 3
is "what has not changed is not proved again" "$(grep -c "with OpenSM's multicast" "$at/log")" 1
on_fabric ibnetdiscover >"$at/dump/fabric.net"
ok "heddle check says the same of the dumps" heddle check "$at/dump"
ok "opensm stops" stop_opensm
finish
