# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Engine heddle in OpenSM: on a dragonfly, a torus, a fat tree and an irregular fabric, on simfabric and ibsim, the
# switches hold what `heddle route -e heddle` computes, and ibdmchk finds no loop. Without QoS an engine that needs one
# VL is taken. Where nothing serves, or the options have a typo, the log says so loudly.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

serves dragonfly simfabric dragonfly:a=4,p=2,h=2 heddle dla
serves torus simfabric torus:5x4 heddle hdor
serves tree simfabric pgft:m=4x4x3,w=1x4x2 heddle dmodc
heddle topo --quiet torus:5x5 --fail-links 14 --seed 2 -o "$scratch/irregular.net" >/dev/null
serves irregular ibsim "$scratch/irregular.net" heddle df-sssp
# any with four layers: path SLs and SL2VL tables as heddle route has them
heddle topo --quiet mesh:6x6,p=2 --fail-links 4 -o "$scratch/damaged.net" >/dev/null
serves damaged simfabric "$scratch/damaged.net" heddle any
# without QoS the lanes of hdor cannot be programmed: the next engine does without
heddle topo --quiet torus:5x4 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"
at=$scratch/plain
configure "$at" "routing_engine heddle" "qos FALSE"
ok "without QoS: opensm" opensm_once "$at"
is "without QoS: heddle configured" "$(tables_configured "$at")" heddle
like "without QoS: hdor refuses in a line" "$(cat "$at/log")" \
	"heddle: engine heddle: engine hdor refuses: it needs SL2VL tables"
like "without QoS: any" "$(cat "$at/log")" "heddle: engine heddle: any routes: .*sound"
is "without QoS: nobody is alarmed" "$(grep -c ATTENTION "$at/log")" 0

# never minhop without a word
at=$scratch/refused
configure "$at" "routing_engine dla"
ok "not a dragonfly: opensm" opensm_once "$at"
is "not a dragonfly: OpenSM falls back" "$(tables_configured "$at")" minhop
like "not a dragonfly: that is told" "$(cat "$at/log")" \
	"heddle: ATTENTION: engine dla was requested, but the subnet has tables of minhop.*no_fallback"

at=$scratch/typo
configure "$at" "routing_engine heddle" "event_plugin_options quees=xordet:4"
ok "a typo: opensm" opensm_once "$at"
is "a typo: heddle configured" "$(tables_configured "$at")" heddle
like "a typo: told" "$(cat "$at/log")" "event_plugin_options: no engine has an option 'quees': that word is ignored"
finish
