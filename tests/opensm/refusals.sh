# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# What dla cannot serve, and tables that bubbles alone keep going: one line in the log, then the next engine, and the subnet comes up.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

# The engine that refuses, and the one after it in the configuration.
engine=dla
next_engine=updn

# refused NAME SPEC REASON LINE...: REASON is a regular expression
refused() {
	local name=$1 spec=$2 reason=$3 at=$scratch/$1
	shift 3
	heddle topo "$spec" -o "$at.net" >/dev/null
	start_ibsim "$at.net"
	on_fabric ibnetdiscover >"$at.live"
	# without a root, updn finds none on a dragonfly and fails as well
	sed -nE 's/^switchguid=0x([0-9a-f]+).*/0x\1/p' "$at.live" | sort | head -n 1 >"$at.roots"
	configure "$at" "routing_engine $engine,$next_engine" "root_guid_file $at.roots" "$@"
	ok "$name: the subnet comes up" opensm_once "$at"
	is "$name: one line" "$(refusals "$at" | wc -l)" 1
	like "$name: which says why" "$(refusals "$at")" "^engine $engine refuses: .*$reason"
	is "$name: the next engine" "$(tables_configured "$at")" "$next_engine"
	is "$name: every LID is routed" "$(unrouted "$at.live")" 0
	# an engine of ours dumps its own
	[[ $next_engine == heddle-* ]] ||
		not_ok "$name: no path SLs of an engine that is not used" 1 test -e "$at/dump/path-sl.dump"
	stop_fabric
}

# Switches x end ports less the LFT entries there are: a refusal must leave OpenSM clean.
unrouted() {
	local switches lids
	switches=$(grep -c '^Switch' "$1")
	lids=$((switches + $(grep -c '^Ca' "$1")))
	echo $((switches * lids - $(read_lfts | wc -l)))
}

refused qos-off dragonfly:a=4,p=2,h=2 "SL2VL.*QoS.*qos TRUE" "qos FALSE"
refused one-vl dragonfly:a=4,p=2,h=2 "VL" "max_op_vls 1"
refused vls-for-queues dragonfly:a=4,p=2,h=2 "2 layers x 4 queues .*8 VLs" "max_op_vls 3" \
	"event_plugin_options queues=xordet:4"
refused budget dragonfly:a=4,p=2,h=2 "2 layers x 1 queues .*2 VLs.* 1" "event_plugin_options dla.max_vls=1"
refused torus torus:4x4 "dragonfly"
refused rings dragonfly:a=6,p=1,h=1,local=ring "is not fully connected: no link between"
mkfifo "$scratch/pipe"
refused fifo dragonfly:a=4,p=2,h=2 "pipe: not a regular file" "event_plugin_options groups=$scratch/pipe"
# InfiniBand has no bubble flow control
engine=hdor
refused bubbles torus:5x5 "credit loop" "event_plugin_options layers=single"
engine=dla
next_engine=heddle-updn
refused tree tree:k=8,n=2 "not a dragonfly: switches without hosts are what joins the others"
finish
