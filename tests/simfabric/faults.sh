# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links and switches of simfabric go down and come back under an opensm that runs: it is told by a trap,
# routes again, and what the nodes hold after each change is sound.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_both

# sound NAME: the tables read back, and OpenSM's own dumps with its path SLs
sound() {
	ok "$1: tables are read back" read_snapshot "$at/read"
	cp "$at/read/fabric.net" "$at/dump/fabric.net"
	ok "$1: tables read back are sound" heddle check "$at/read"
	ok "$1: OpenSM's dumps are sound" heddle check "$at/dump"
}

# change NAME ENGINE COMMAND: OpenSM hears of it without being asked to sweep
change() {
	local before traps
	before=$(routings "$at")
	traps=$(grep -c 'trap 128' "$at/log")
	console "$3"
	ok "$1: OpenSM routes again" wait_log "$at" 'tables configured' $((before + 1))
	ok "$1: the subnet comes up" settled "$at"
	ok "$1: by a trap" wait_log "$at" 'trap 128' $((traps + 1))
	is "$1: by $2" "$(tables_configured "$at")" "$2"
	sound "$1"
}

# Without two links of a group, this one is no dragonfly any more, and the next engine's turn comes;
# OpenSM's updn is sound here (on larger dragonflies it is not).
heddle topo dragonfly:a=4,p=2,h=1,g=3 -o "$scratch/net" >/dev/null
sed -nE 's/^Switch.*"S-([0-9a-f]+)".*# "G0S0" .*/0x\1/p' "$scratch/net" >"$scratch/roots"
switch=$(sed -nE 's/^Switch[^"]*"([^"]*)".*/\1/p' "$scratch/net" | tail -n 1)
at=$scratch/opensm
start_fabric "$candidate" "$scratch/net" || exit
configure "$at" "routing_engine dla,updn" "root_guid_file $scratch/roots"
ok "opensm starts" start_opensm "$at"
settled "$at"
is "dla configured" "$(tables_configured "$at")" dla
sound "first sweep"
cp "$at/read/opensm-lfts.dump" "$scratch/lfts.first"
cp "$at/read/opensm-sl2vl.dump" "$scratch/sl2vl.first"
is "no MAD was lost" "$(grep -cE 'ERR|timed out|Timeout' "$at/log")" 0

change "a host's link is lost" dla "Unlink \"$switch\"[1]"
change "a host's link is back" dla "ReLink \"$switch\"[1]"
change "a global link is lost" dla "Unlink \"$switch\"[6]"
change "a global link is back" dla "ReLink \"$switch\"[6]"
change "a local link is lost" dla "Unlink \"$switch\"[3]"
change "another local link is lost" updn "Unlink \"$switch\"[5]"
change "one local link is back" dla "ReLink \"$switch\"[5]"
change "a local link is back" dla "ReLink \"$switch\"[3]"
change "a switch is lost" dla "Unlink \"$switch\""
change "a switch is back" dla "ReLink \"$switch\""
if [ "$candidate" = simfabric ]; then
	change "a switch is turned off" dla "Down \"$switch\""
	change "a switch is turned on, all of its tables lost" dla "Up \"$switch\""
fi
for table in lfts sl2vl; do
	same "at last, $table are as at first" "$at/read/opensm-$table.dump" "$scratch/$table.first"
done
ok "opensm stops" stop_opensm
finish
