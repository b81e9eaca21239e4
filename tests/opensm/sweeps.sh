# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# opensm as a daemon: heavy sweeps, links and switches that go and come back, shutdown.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

at=$scratch/opensm
# three links between every two groups
heddle topo dragonfly:a=4,p=2,h=3,g=5 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
# hosts on ports 1-2, the group on 3-5, other groups on 6-8; the SM is on another switch
switch=$(sed -nE 's/^Switch[^"]*"([^"]*)".*/\1/p' "$scratch/net" | tail -n 1)
configure "$at" "routing_engine dla,updn"
ok "opensm starts" start_opensm "$at"
settled "$at"
programmed "first sweep" dla
cp "$at/lfts" "$scratch/lfts.first"
# of a link that fails, dla would move more entries than have to: the plug-in keeps those before
cp -r "$at/snapshot" "$scratch/first"

for _ in $(seq 10); do
	before=$(routings "$at")
	kill -HUP "$opensm_pid"
	wait_log "$at" 'tables configured' $((before + 1)) || break
	wait_log "$at" 'SUBNET UP' $((before + 1)) || break
done
is "ten heavy sweeps on demand" "$(routings "$at")" 11

changed "a host's link is lost" dla console "Unlink \"$switch\"[1]"
changed "a host's link is back" dla console "ReLink \"$switch\"[1]"
changed "a global link is lost" dla console "Unlink \"$switch\"[6]"
programmed "a global link is lost" dla "$scratch/first"
changed "a global link is back" dla console "ReLink \"$switch\"[6]"
programmed "a global link is back" dla
same "a global link is back: as at first" "$at/lfts" "$scratch/lfts.first"
changed "a local link is lost" dla console "Unlink \"$switch\"[3]"
programmed "a local link is lost" dla "$scratch/first"
changed "a local link is back" dla console "ReLink \"$switch\"[3]"
programmed "a local link is back" dla
before=$(routings "$at")
console "Unlink \"$switch\""
ok "a switch is lost: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
ok "a switch is lost: the subnet comes up" settled "$at"
before=$(routings "$at")
console "ReLink \"$switch\""
ok "a switch is back: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
ok "a switch is back: the subnet comes up" settled "$at"
is "a switch is back: dla" "$(tables_configured "$at")" dla
programmed "a switch is back" dla
ok "opensm stops" stop_opensm
finish
