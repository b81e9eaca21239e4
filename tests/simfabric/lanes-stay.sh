# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Lanes that stay: links and switches fail and return under engines that would make lanes anew. OpenSM has what `heddle
# route --previous` makes of the same history, path SLs stay, and the way there is proved.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

overs() { grep -c 'heddle: .* change over' "$at/log"; }

# changes NAME ENGINE COMMAND...: the fabric is told, and gets new tables
changes() {
	local name=$1 engine=$2 before
	shift 2
	before=$(overs)
	rm -rf "$scratch/before"
	cp -r "$at/snapshot" "$scratch/before"
	console "$@"
	ok "$name: the change is over" wait_log "$at" 'heddle: .* change over' $((before + 1))
	ok "$name: the subnet is up" settled "$at"
	# path SLs of nodes that were away are those of before
	programmed "$name" "$engine" "$scratch/before" "$at/whole"
	same "$name: path SLs" "$at/dump/path-sl.dump" "$at/snapshot/path-sl.dump"
	like "$name: every mixture was proved" "$(grep 'change over' "$at/log" | tail -n 1)" "every mixture proved|any order is safe"
}

# SL of each pair that both dumps have: FILE FILE
differ() {
	awk '/^[0-9a-fx]/ || NF { key = $1 " " $2 } NR == FNR { sl[key] = $3; next } key in sl && sl[key] != $3 { n++ } END { print n + 0 }' "$1" "$2"
}

# leads NETFILE SWITCH: how many other switches have an entry for its LID, by the history
leads() {
	local guid lid
	read -r guid lid < <(sed -nE "s/^Switch.*\"S-([0-9a-f]+)\".*\"$2\" .* lid ([0-9]+) .*/\1 \2/p" "$1")
	awk -v lid="$lid" -v own="0x$guid" '$1 == "of" { node = $2 } $1 ~ "^(set|off|on)$" { node = $3 } $1 == "lft" && $2 == lid { port[node] = $4 }
		END { for (node in port) n += node != own && port[node] != 255; print n + 0 }' "$history"
}

stays() { # NAME FABRIC ENGINE LINK SWITCH
	local name=$1 engine=$3
	at=$scratch/$name
	history=$at.history
	heddle topo --quiet "$2" --assign-lids -o "$at.net"
	start_fabric simfabric "$at.net" --history "$history" || exit
	configure "$at" "routing_engine $engine,no_fallback"
	ok "$name: opensm starts" start_opensm "$at"
	ok "$name: a new fabric comes up" settled "$at"
	programmed "$name" "$engine"
	cp -r "$at/snapshot" "$at/whole"
	changes "$name: a link fails" "$engine" "Unlink $4"
	is "$name: path SLs stay" "$(differ "$at/whole/path-sl.dump" "$at/dump/path-sl.dump")" 0
	like "$name: that is said" "$(grep 'lanes stayed' "$at/log" | tail -n 1)" "lanes stayed, [0-9]+ entries are detours"
	changes "$name: the link returns" "$engine" "ReLink $4"
	same "$name: the LFTs of before" "$at/snapshot/opensm-lfts.dump" "$at/whole/opensm-lfts.dump"
	ok "$name: entries lead to the switch that is to fail" test "$(leads "$at.net" "$5")" -ge 20
	changes "$name: a switch fails" "$engine" "Down \"$5\""
	is "$name: no entry leads to it" "$(leads "$at.net" "$5")" 0
	is "$name: path SLs stay then, too" "$(differ "$at/whole/path-sl.dump" "$at/dump/path-sl.dump")" 0
	changes "$name: the switch returns" "$engine" "Up \"$5\""
	is "$name: path SLs of its hosts are those of before" "$(differ "$at/whole/path-sl.dump" "$at/dump/path-sl.dump")" 0
	stop_opensm
	stop_fabric
}

stays torus torus:5x5 hdor '"S1.1"[2]' S3.2
stays dragonfly dragonfly:a=4,p=2,h=2 df-sssp '"G0S0"[3]' G3S1

# made anew: as at a start, in every sweep
at=$scratch/fresh
heddle topo --quiet dragonfly:a=4,p=2,h=2 --assign-lids -o "$at.net"
start_fabric simfabric "$at.net" || exit
configure "$at" "routing_engine df-sssp,no_fallback" "event_plugin_options reroute=fresh"
ok "fresh: opensm starts" start_opensm "$at"
ok "fresh: a new fabric comes up" settled "$at"
before=$(overs)
console 'Unlink "G0S0"[3]'
ok "fresh: the change is over" wait_log "$at" 'heddle: .* change over' $((before + 1))
ok "fresh: the subnet is up" settled "$at"
programmed "fresh: lanes are made anew" df-sssp
finish
