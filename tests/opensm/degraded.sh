# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Links and switches fail while opensm runs: after the next sweep, switches and adapters hold what
# `heddle route --previous` computes for the fabric that is left, and OpenSM's path SLs are those, too.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

# after NAME ENGINE COMMAND...: the command, then all of that; OpenSM's own dumps are sound
after() {
	local name=$1 engine=$2
	rm -rf "$at/previous"
	cp -r "$at/snapshot" "$at/previous"
	changed "$@"
	programmed "$name" "$engine" "$at/previous"
	same "$name: path SLs" "$at/dump/path-sl.dump" "$at/snapshot/path-sl.dump"
	cp "$at/live.net" "$at/dump/fabric.net"
	ok "$name: OpenSM's dumps pass heddle check" heddle check "$at/dump"
}

# begin ENGINE SPEC ROUTE-ARGUMENT...
begin() {
	local engine=$1
	at=$scratch/$engine
	heddle topo "$2" -o "$at.net" >/dev/null
	start_ibsim "$at.net" || tap_result 1 "$engine: ibsim"
	configure "$at" "routing_engine $engine"
	ok "$engine: opensm starts" start_opensm "$at"
	settled "$at"
	programmed "$engine" "$engine"
	cp "$at/lfts" "$at/lfts.first"
	mapfile -t switches < <(sed -nE 's/^Switch[^"]*"([^"]*)".*/\1/p' "$at.net")
}

end() {
	same "$1: all is back: LFTs as at first" "$at/lfts" "$at/lfts.first"
	ok "$1: opensm stops" stop_opensm
	stop_fabric
}

# Hosts on ports 1-2, the group on 3-5, other groups on 6-7.
begin dla dragonfly:a=4,p=2,h=2
after "a local link is lost" dla console "Unlink \"${switches[9]}\"[3]"
after "and a global link" dla console "Unlink \"${switches[9]}\"[6]"
after "and one elsewhere" dla console "Unlink \"${switches[20]}\"[4]"
before=$(routings "$at")
console "Unlink \"${switches[30]}\""
ok "and a switch: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
ok "and a switch: the subnet comes up" settled "$at"
is "and a switch: by dla" "$(tables_configured "$at")" dla
programmed "and a switch" dla
before=$(routings "$at")
console "ReLink \"${switches[30]}\""
ok "the switch is back: OpenSM sweeps" wait_log "$at" 'tables configured' $((before + 1))
ok "the switch is back: the subnet comes up" settled "$at"
after "a link is back" dla console "ReLink \"${switches[20]}\"[4]"
after "another is" dla console "ReLink \"${switches[9]}\"[6]"
after "all are" dla console "ReLink \"${switches[9]}\"[3]"
end dla

begin hdor torus:4x4
links=$(sed -nE "/^Switch.*\"${switches[5]}\"/,/^\$/s/^\[([0-9]+)\]\s+\"S-.*/\1/p" "$at.net" | head -n 2)
read -r -d '' first second <<<"$links"
after "torus: a link is lost" hdor console "Unlink \"${switches[5]}\"[$first]"
after "torus: and another" hdor console "Unlink \"${switches[5]}\"[$second]"
after "torus: one is back" hdor console "ReLink \"${switches[5]}\"[$second]"
after "torus: both are" hdor console "ReLink \"${switches[5]}\"[$first]"
end hdor
finish
