#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The dump directory of a stock OpenSM without the plug-in is a snapshot as it is; its opensm.fdbs says what its opensm-lfts.dump says.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

# stock NAME FABRIC LINE...: an opensm with these lines in its opensm.conf, once
stock() {
	local name=$1 fabric=$2 at=$scratch/$1
	shift 2
	heddle topo "$fabric" -o "$scratch/net" >/dev/null 2>&1
	start_fabric simfabric "$scratch/net" || tap_result 1 "$name: simfabric"
	configure "$at" "event_plugin_name (null)" "$@"
	ok "$name: opensm" opensm_once "$at"
	stop_fabric
	[ -s "$at/dump/opensm.fdbs" ] && [ -s "$at/dump/opensm-lfts.dump" ] && [ -s "$at/dump/opensm-subnet.lst" ]
	tap_result $? "$name: it dumps its LFTs twice, and links"
	heddle check "$at/dump" >"$scratch/said" 2>&1
	is "$name: a snapshot" "$(grep -c '^verdict' "$scratch/said")" 1
	rm -rf "$at/fdbs" && cp -r "$at/dump" "$at/fdbs" && rm "$at/fdbs/opensm-lfts.dump"
	[ "$name" = lmc ] && return # the other dump does not name the owners of LIDs
	ok "$name: opensm.fdbs says the same" heddle diff "$at/dump" "$at/fdbs"
	same "$name: the same verdict" <(heddle check "$at/fdbs" 2>/dev/null) <(heddle check "$at/dump" 2>/dev/null)
}

dragonfly=dragonfly:a=4,p=2,h=2
stock minhop $dragonfly "routing_engine minhop"
stock no-qos $dragonfly "routing_engine updn" "qos FALSE"
ok "no-qos: it dumps no SL2VL tables" test ! -e "$scratch/no-qos/dump/opensm-sl2vl.dump"
stock ftree tree:k=3,n=2 "routing_engine ftree"
stock lmc tree:k=3,n=2 "routing_engine ftree" "lmc 2"
like "lmc: its LIDs" "$(heddle topo "$scratch/lmc/dump" | grep LIDs)" 'LMC 2$'
heddle topo tree:k=3,n=2 --assign-lids --lmc 2 -o "$scratch/wanted.net" >/dev/null
ok "lmc: the fabric that it is" heddle diff --old-fabric "$scratch/wanted.net" "$scratch/lmc/dump" "$scratch/lmc/dump"
like "lmc: without their owners" "$(heddle check "$scratch/lmc/fdbs" 2>&1)" 'entries for LIDs that no port of the fabric has: passed over'
heddle topo $dragonfly --fail-links 4 -o "$scratch/broken.net" >/dev/null 2>&1
stock broken "$scratch/broken.net" "routing_engine updn"

# tables from a file, which are not OpenSM's own
heddle route $dragonfly -e dla -o "$scratch/dla" >/dev/null
stock file $dragonfly "routing_engine file" "lfts_file $scratch/dla/opensm-lfts.dump" "use_ucast_cache FALSE"
finish
