# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# An independent judge: ibdmchk finds no credit loop in dla's routes and finds one in those of
# OpenSM's own minhop, given OpenSM's dumps and the plug-in's path SLs. shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric
command -v ibdmchk >/dev/null || {
	echo "1..0 # SKIP ibdmchk is not installed"
	exit 0
}

for shape in a=4,p=2,h=2 a=6,p=3,h=3 a=4,p=2,h=2,g=5; do
	heddle topo "dragonfly:$shape" -o "$scratch/net" >/dev/null
	start_ibsim "$scratch/net"
	for engine in dla minhop; do
		at=$scratch/$engine
		rm -rf "$at"
		configure "$at" "routing_engine $engine"
		ok "$shape: opensm with $engine" opensm_once "$at"
		is "$shape: $engine configured" "$(tables_configured "$at")" "$engine"
	done
	like "$shape: dla" "$(ibdmchk_verdict "$scratch/dla" -c path-sl.dump)" "^no credit loops found"
	like "$shape: minhop" "$(ibdmchk_verdict "$scratch/minhop")" "^credit loops in routing"
	for engine in dla minhop; do
		on_fabric ibnetdiscover >"$scratch/$engine/dump/fabric.net"
	done
	not_ok "$shape: heddle check agrees on dla" 0 heddle check "$scratch/dla/dump"
	not_ok "$shape: heddle check agrees on minhop" 1 heddle check "$scratch/minhop/dump"
	stop_fabric
done

# the judge reads our path SLs: four queues, judged with them
heddle topo dragonfly:a=4,p=2,h=2 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
configure "$scratch/queues" "routing_engine dla" "event_plugin_options queues=xordet:4"
ok "queues: opensm" opensm_once "$scratch/queues"
like "queues: dla" "$(ibdmchk_verdict "$scratch/queues" -c path-sl.dump)" "^no credit loops found"
finish
