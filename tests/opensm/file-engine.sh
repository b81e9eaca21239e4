# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# A snapshot's LFT dump is what OpenSM's own engine `file` loads, without the plug-in. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

at=$scratch/file
ok "topo" heddle topo dragonfly:a=4,p=2,h=2 -o "$at.net"
ok "route" heddle route dragonfly:a=4,p=2,h=2 -e dla -o "$at.snapshot"
ok "ibsim" start_ibsim "$at.net"
mkdir -p "$at/cache" "$at/dump"
{
	echo "routing_engine file"
	echo "lfts_file $at.snapshot/opensm-lfts.dump"
	echo "force_log_flush TRUE"
} >"$at/opensm.conf"
ok "opensm" opensm_once "$at"
is "OpenSM's engine" "$(tables_configured "$at")" file
read_lfts >"$at/lfts"
lfts_of "$at.snapshot/opensm-lfts.dump" >"$at/lfts.wanted"
ok "LFTs were read" test -s "$at/lfts"
same "LFTs in the switches" "$at/lfts" "$at/lfts.wanted"
finish
