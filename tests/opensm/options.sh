# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# event_plugin_options: what is wrong is said in one line and ignored; what is right reaches the engines.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
. "$top_srcdir/tests/opensm/lib.sh"
require_fabric

heddle topo dragonfly:a=2,p=1,h=1 -o "$scratch/net" >/dev/null
start_ibsim "$scratch/net"

said() { # DIRECTORY: the plug-in's lines
	sed -n 's/.* heddle: //p' "$1/log"
}

wrong() { # OPTIONS REGEX
	local at=$scratch/wrong
	rm -rf "$at"
	# what is about lanes and shares is refused without that (tests/opensm/strict.sh)
	configure "$at" "routing_engine dla" "event_plugin_options strict=off $1"
	ok "'$1': the subnet comes up" opensm_once "$at"
	like "'$1': told" "$(said "$at" | grep event_plugin_options)" "^event_plugin_options: .*$2.*: that word is ignored$"
	is "'$1': one line" "$(said "$at" | grep -c 'is ignored')" 1
	is "'$1': dla routes" "$(tables_configured "$at")" dla
}

wrong "queues" "'queues' is not key=value"
wrong "queues=" "is not key=value"
wrong "=4" "is not key=value"
wrong "colour=red" "no engine has an option 'colour'"
wrong "dla.colour=red" "engine dla has no option 'colour'"
wrong "torus-9QoS.queues=xordet:4" "no engine 'torus-9QoS'"
wrong "queues=xordet:3" "."
wrong "queues=voq:1000" "."
wrong "layers=sideways" "no engine has a layer rule 'sideways'"
wrong "max_vls=0" "max_vls"
wrong "max_vls=16" "max_vls"
wrong "vlarb=fair" "no VL arbitration 'fair'"
wrong "threads=-1" "threads"
wrong "threads=1 threads=2" "threads is given twice"
wrong "transition=soon" "transition is rounds, drop or off, not 'soon'"
wrong "transition=off transition=drop" "transition is given twice"
wrong "pause=soon" "pause: 'soon' is not a number"
wrong "pause=1 pause=2" "pause is given twice"
wrong "reroute=never" "reroute is keep or fresh, not 'never'"
wrong "reroute=keep reroute=keep" "reroute is given twice"
echo "[class a] share = 100%" >"$scratch/classes"
wrong "strict=on" "strict is given twice"
wrong "classes=$scratch/classes classes=/a" "classes is given twice"
wrong "check=perhaps" "check"
wrong "queues=dbbm:2 dla.queues=xordet:2" "queues is given twice for engine dla"

right() { # NAME REGEX LINE...
	local name=$1 regex=$2 at=$scratch/right
	shift 2
	rm -rf "$at"
	configure "$at" "routing_engine dla" "$@"
	ok "$name: opensm" opensm_once "$at"
	is "$name: dla configured" "$(tables_configured "$at")" dla
	like "$name: the log" "$(said "$at")" "$regex"
}

right "everything" "engine dla: 6 switches, top LID 12, .*8 VL" \
	"event_plugin_options  queues=xordet:4   check=on layers=shift max_vls=8 threads=2"
right "one engine only" "engine dla: .*4 VL" "event_plugin_options dla.queues=dbbm:2 minhop.check=off"
right "unchecked" "engine dla: .*not checked" "event_plugin_options check=off"
right "no options" "engine dla: .*2 VL" "event_plugin_options"

# beside another plug-in, unknown words are the other's
right "another plug-in's options" "engine dla: .*4 VL" "event_plugin_name osmheddle nosuchplugin" \
	"event_plugin_options colour=red verbose queues=dbbm:2"

# OpenSM has a minhop of its own: ours goes by another name
at=$scratch/minhop
configure "$at" "routing_engine heddle-minhop" "event_plugin_options minhop.check=off"
ok "minhop: opensm" opensm_once "$at"
is "minhop: ours configured" "$(tables_configured "$at")" heddle-minhop
rm -rf "$at"
configure "$at" "routing_engine heddle-minhop"
ok "minhop, checked: opensm" opensm_once "$at"
like "minhop, checked: refused for its credit loop" "$(refusals "$at")" \
	"^engine heddle-minhop refuses: its tables fail the check: .*credit loop"
finish
