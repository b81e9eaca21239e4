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
stop_fabric

# A triangle S1 S2 S3, each with a leaf L1 L2 L3: no route has a second link of the triangle. OpenSM
# puts a group's root where its farthest member is nearest, so a member on a leaf says where, and
# three groups with different roots close the cycle that their trees have in common.
for s in 1 2 3; do
	printf 'Switch 4 "S%d"\n[1] "S%d"[2]\n[2] "S%d"[1]\n[3] "L%d"[1]\n[4] "HS%d"[1]\n\n' \
		$s $((s % 3 + 1)) $(((s + 1) % 3 + 1)) $s $s
	printf 'Switch 2 "L%d"\n[1] "S%d"[3]\n[2] "HL%d"[1]\n\n' $s $s $s
	printf 'Hca 1 "HS%d"\n[1] "S%d"[4]\n\nHca 1 "HL%d"\n[1] "L%d"[2]\n\n' $s $s $s $s
done >"$scratch/triangle.net"
start_ibsim "$scratch/triangle.net"
at=$scratch/triangle
configure "$at" "routing_engine heddle-minhop" "partition_config_file $scratch/partitions"
printf '%s=%s, ipoib: ALL=full;\n' Default 0x7fff A 0x7ffe B 0x7ffd >"$scratch/partitions"
ok "triangle: opensm" start_opensm "$at"
ok "triangle: a group around S1" join "HS1 HS2 HS3 HL1" ff12:401b:ffff::ffff:ffff
ok "triangle: a group around S2" join "HS1 HS2 HS3 HL2" ff12:401b:fffe::ffff:ffff
ok "triangle: a group around S3" join "HS1 HS2 HS3 HL3" ff12:401b:fffd::ffff:ffff
kill -HUP "$opensm_pid"
ok "triangle: the credit loop is reported" wait_log "$at" \
	"heddle: engine heddle-minhop with OpenSM.s multicast trees is unsound: .*credit loop of 3 channels"
on_fabric ibnetdiscover >"$scratch/triangle.live"
not_ok "triangle: heddle check says the same of the dumps" 1 \
	heddle check --fabric "$scratch/triangle.live" "$at/dump"
ok "triangle: opensm stops" stop_opensm
stop_fabric

# lanes of the site on routes that need one: groups may have any SL
echo 'Default=0x7fff, ipoib, sl=3: ALL=full;' >"$scratch/partitions"
heddle topo tree:k=4,n=2 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
at=$scratch/site
configure "$at" "routing_engine dmodc" "partition_config_file $scratch/partitions" "qos_sl2vl 0,1,2,3,4,5,6,7,0,1,2,3,4,5,6,15"
ok "site's lanes: opensm" start_opensm "$at"
ok "site's lanes: every third host joins" \
	join "$(sed -nE 's/^(Ca|Hca)[^"]*"([^"]*)".*/\2/p' "$scratch/net" | awk 'NR % 3 == 1')" ff12:401b:ffff::ffff:ffff
kill -HUP "$opensm_pid"
ok "site's lanes: multicast is proved" wait_log "$at" "heddle: engine dmodc with OpenSM.s multicast: "
like "site's lanes: they are kept" "$(grep 'heddle: engine dmodc' "$at/log")" "uses those of the site, proved with all SLs: qos_sl2vl; not for all SLs: dropped"
is "site's lanes: nothing is unsound" "$(grep -c unsound "$at/log")" 0
ok "site's lanes: opensm stops" stop_opensm
finish
