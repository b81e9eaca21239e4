# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Path records carry the SLs of the tables; where every SL is sound, a partition's SL stands.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
echo 'Default=0x7fff, ipoib, sl=5: ALL=full;' >"$scratch/partitions"

# The SL that the SA says for two LIDs
asked() {
	on_fabric saquery -p --slid "$1" --dlid "$2" 2>/dev/null | sed -nE 's/^.*[Ss][Ll]\.+(0x)?([0-9a-fA-F]+)$/\2/p' | tail -n 1
}

# "SOURCE-LID DESTINATION-LID SL" of the dump, for sources that are adapters (with one port each)
by_lid() { # DIRECTORY
	on_fabric ibnetdiscover >"$scratch/live.net"
	awk 'FNR == NR && /^Ca/ { match($0, /"H-[0-9a-f]+"/); guid = "0x" substr($0, RSTART + 3, RLENGTH - 4) }
	     FNR == NR && /^\[1\]\(/ { match($0, /lid [0-9]+/); lid[guid] = substr($0, RSTART + 4, RLENGTH - 4) }
	     FNR == NR { next }
	     $1 in lid { print lid[$1], $2 + 0, $3 }' "$scratch/live.net" "$1/dump/path-sl.dump"
}

at=$scratch/queues
configure "$at" "routing_engine dla" "event_plugin_options queues=xordet:4" \
	"partition_config_file $scratch/partitions"
ok "queues: opensm" start_opensm "$at"
by_lid "$at" >"$scratch/sls"
is "queues: every pair of adapter and LID is in the dump" "$(wc -l <"$scratch/sls")" \
	$((72 * (72 + 36)))
while read -r source destination sl; do
	is "queues: SL from $source to $destination" "$(asked "$source" "$destination")" "$sl"
done < <(awk '$1 != $2 && NR % 787 == 11' "$scratch/sls")
is "queues: the four SLs were asked for" \
	"$(awk '$1 != $2 && NR % 787 == 11 { print $3 }' "$scratch/sls" | sort -u | wc -l)" 4
ok "queues: opensm stops" stop_opensm

at=$scratch/single
configure "$at" "routing_engine dla" "partition_config_file $scratch/partitions"
ok "one queue: opensm" start_opensm "$at"
is "one queue: the partition's SL" "$(asked "$(awk 'NR == 1 { print $1 }' "$scratch/sls")" 7)" 5
ok "one queue: opensm stops" stop_opensm

at=$scratch/no-qos
configure "$at" "routing_engine heddle-minhop" "event_plugin_options check=off" "qos FALSE"
ok "without QoS: opensm" start_opensm "$at"
is "without QoS: one VL needs none" "$(tables_configured "$at")" heddle-minhop
is "without QoS: SL 0" "$(asked "$(awk 'NR == 1 { print $1 }' "$scratch/sls")" 7)" 0
ok "without QoS: opensm stops" stop_opensm
finish
