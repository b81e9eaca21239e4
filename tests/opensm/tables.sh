# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What the switches hold is what heddle computes, bit for bit: balanced and trunked dragonflies,
# several queues, LMC. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

# smpquery agrees with what read_sl2vl printed of one table, and says that of VL arbitration
spot_checks() { # NAME
	local at=$scratch/$1 guid in out rest lid got
	while read -r guid in out rest; do
		lid=$(sed -nE "s/^Switch.*\"S-${guid#0x}\".* lid ([0-9]+) .*/\1/p" "$at/live.net")
		got=$(on_fabric smpquery sl2vl "$lid" "$out" 2>/dev/null |
			sed -nE "s/^ports: in +$in, out +$out: \|(.*)\|$/\1/p" | tr -s '| ' ' ')
		is "$1: smpquery sl2vl of $guid, $in to $out" "$(echo $got)" "$rest"
	done < <(awk '$2 != $3' "$at/sl2vl" | awk 'NR % 397 == 5' | head -n 4)
}

same_as_route h72 dragonfly:a=4,p=2,h=2 dla ""
spot_checks h72
lid=$(sed -nE 's/^Switch.* lid ([0-9]+) .*/\1/p' "$scratch/h72/live.net" | head -n 1)
like "h72: both VLs have equal weight in the low-priority table" \
	"$(on_fabric smpquery vlarb "$lid" 3 2>/dev/null | tr -d ' \n')" \
	'Lowpriority.*VL:\|0x0\|0x1\|.*WEIGHT:\|(0x[0-9A-Fa-f]+)\|\1\|'
is "h72: path SLs are all 0" "$(awk '$3 != 0' "$scratch/h72/dump/path-sl.dump" | head -n 1)" ""
stop_fabric

same_as_route h342 dragonfly:a=6,p=3,h=3 dla ""
spot_checks h342
stop_fabric

same_as_route trunked dragonfly:a=4,p=2,h=2,g=5 dla ""
stop_fabric

same_as_route xordet dragonfly:a=4,p=2,h=2 dla "-q xordet:4" "event_plugin_options queues=xordet:4"
is "xordet: four SLs" "$(awk '{ print $3 }' "$scratch/xordet/dump/path-sl.dump" | sort -u | xargs)" "0 1 2 3"
is "xordet: eight VLs" "$(awk '{ for (i = 4; i < 20; i++) print $i }' "$scratch/xordet/sl2vl" | sort -nu | xargs)" \
	"0 1 2 3 4 5 6 7"
spot_checks xordet
stop_fabric

same_as_route lmc1 dragonfly:a=4,p=2,h=2 dla "--lmc 1" "lmc 1"
stop_fabric
finish
