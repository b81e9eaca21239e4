# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# OpenSM's engines and ours compute and program the same on simfabric as on ibsim.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
. "$top_srcdir/tests/simfabric/lib.sh"
require_both

bring_up() { # DIRECTORY, with $name, $engine and ${lines[@]} of the case
	configure "$1" "routing_engine $engine" "${lines[@]}"
	ok "$name: opensm" opensm_once "$1"
	is "$name: $engine configured" "$(tables_configured "$1")" "$engine"
	read_back "$1"
}

# differ FABRIC ENGINE [LINE...]
differ() {
	local name=$1-$2 engine=$2 net=$scratch/$1.net lines
	shift 2
	lines=("$@")
	name+=${lines[*]:+" (${lines[*]##*/})"}
	local at=$scratch/${name%% *}
	rm -rf "$at"
	on_both "$at" "$net" bring_up
	same_dumps "$name" "$at"
}

topology() { # NAME SPEC
	heddle topo "$2" -o "$scratch/$1.net" >/dev/null
}

# GUIDs of the switches whose names match: guids FABRIC REGEX
guids() {
	sed -nE 's/^Switch.*"S-([0-9a-f]+)".*# "('"$2"')" .*/0x\1/p' "$scratch/$1.net"
}

topology dragonfly dragonfly:a=4,p=2,h=2
topology torus2 torus:5x5,p=1
topology torus3 torus:3x3x3,p=1
topology tree tree:k=4,n=2
topology kns kns:k=4,n=2

guids dragonfly 'G0S0' >"$scratch/dragonfly.roots"
guids tree 'L1S.*' >"$scratch/tree.roots"
# torus-2QoS is told where a corner is: its neighbours in every direction
{
	corner=$(guids torus3 S0.0.0)
	echo "torus 3 3 3"
	echo "xp_link $corner $(guids torus3 S1.0.0)"
	echo "yp_link $corner $(guids torus3 S0.1.0)"
	echo "zp_link $corner $(guids torus3 S0.0.1)"
} >"$scratch/torus3.conf"

differ dragonfly minhop
differ dragonfly minhop "qos FALSE"
differ dragonfly updn "root_guid_file $scratch/dragonfly.roots"
differ dragonfly dnup "root_guid_file $scratch/dragonfly.roots"
differ dragonfly lash
differ dragonfly sssp
differ dragonfly dfsssp
differ dragonfly nue
differ dragonfly dor
differ dragonfly dla
differ dragonfly dla "event_plugin_options queues=xordet:4"
differ dragonfly dla "lmc 1"
differ dragonfly dla "event_plugin_options layers=flex"
differ dragonfly d3r
differ dragonfly df-minhop
differ dragonfly df-sssp
differ dragonfly dfval "lmc 2"
differ dragonfly heddle-updn
differ torus2 hdor
differ torus2 osha "lmc 1"
differ kns hdor
differ kns sasha "lmc 1"
differ torus2 dor
differ torus2 lash
differ torus2 dfsssp
differ torus2 nue "qos FALSE"
differ torus3 torus-2QoS "torus_config $scratch/torus3.conf"
differ torus3 nue
differ tree ftree
differ tree ftree "qos FALSE"
differ tree updn "root_guid_file $scratch/tree.roots"
differ tree minhop "lmc 2"
differ tree dfsssp "lmc 1"
differ tree heddle-minhop "event_plugin_options check=off"
finish
