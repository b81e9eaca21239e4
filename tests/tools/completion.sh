#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Bash completion: what is offered for a command line.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
# shellcheck source=completions/heddle
. "$top_srcdir/completions/heddle"

# complete_line LINE: COMPREPLY for the cursor at its end, sorted, on one line
complete_line() {
	COMP_LINE=$1
	COMP_POINT=${#1}
	read -r -a COMP_WORDS <<<"$1"
	COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
	COMPREPLY=()
	_heddle
	printf '%s\n' "${COMPREPLY[@]}" | sort | paste -s -d ' '
}

COMP_WORDBREAKS=$' \t\n"\'><=;|&(:'
cd "$scratch" || exit 99
mkdir snapshot
touch fabric.net

names() {
	heddle list "$1" | awk '{ print $1 }' | sort | paste -s -d ' '
}

is "subcommands" "$(complete_line 'heddle ')" "agent check convert diff dump faults list plan qos report route setup show sim topo watch"
is "a subcommand" "$(complete_line 'heddle ro')" "route"
like "options of heddle" "$(complete_line 'heddle --')" '--help.*--version'
like "options of route" "$(complete_line 'heddle route --')" \
	'--engine.*--force.*--json.*--layers.*--lmc.*--max-vls.*--queues'
is "one option" "$(complete_line 'heddle check --rev')" "--reversed-sl"
is "engines" "$(complete_line 'heddle route x -e ')" "$(names engines)"
is "an engine" "$(complete_line 'heddle route x -e dl')" "dla"
is "an engine, long option" "$(complete_line 'heddle route x --engine=dl')" "dla"
is "layer rules" "$(complete_line 'heddle route x -l ')" "$(names layers)"
is "queue rules" "$(complete_line 'heddle route x -q xor')" "xordet:"
is "options of the engine" "$(complete_line 'heddle route x -e dla -O ')" "ar= ar_state= groups="
is "a class file" "$(complete_line 'heddle route x --classes fab')" "fabric.net"
is "LMC" "$(complete_line 'heddle route x --lmc ')" "0 1 2 3 4 5 6 7"
is "scopes" "$(complete_line 'heddle check x --scope ')" "all hosts"
is "no values to offer" "$(complete_line 'heddle topo x --seed ')" ""
is "a fabric: a file" "$(complete_line 'heddle topo fab')" "fabric.net"
is "a fabric: a spec" "$(complete_line 'heddle topo dragonf')" "dragonfly: dragonflyplus:"
like "a fabric: files and specs" "$(complete_line 'heddle route ')" \
	'dragonfly:.*fabric.net.*snapshot.*torus:'
like "a spec's options" "$(complete_line 'heddle topo dragonfly:')" '^a= .*global= .*h= '
is "a spec's second option" "$(complete_line 'heddle topo dragonfly:a=4,glo')" "4,global="
is "a snapshot" "$(complete_line 'heddle check sn')" "snapshot"
is "a second snapshot" "$(complete_line 'heddle diff old sn')" "snapshot"
is "a plan" "$(complete_line 'heddle plan fab')" "fabric.net"
is "a fabric to compare with it" "$(complete_line 'heddle plan x dragonf')" "dragonfly: dragonflyplus:"
is "a fabric to fail" "$(complete_line 'heddle faults --links 2 --sample 10 dragonf')" "dragonfly: dragonflyplus:"
is "how many links" "$(complete_line 'heddle faults x --links ')" "1 1% 2"
is "an older snapshot" "$(complete_line 'heddle report x --since sn')" "snapshot"
is "a time" "$(complete_line 'heddle check x --since ')" ""
is "a fabric to report on" "$(complete_line 'heddle report --since snapshot dragonf')" "dragonfly: dragonflyplus:"
is "a plan to watch by" "$(complete_line 'heddle watch --plan fab')" "fabric.net"
is "a file for metrics" "$(complete_line 'heddle watch --prometheus fab')" "fabric.net"
is "an output" "$(complete_line 'heddle route x -o sn')" "snapshot"
is "what of QoS" "$(complete_line 'heddle qos ')" "plan show"
is "what to show" "$(complete_line 'heddle show snapshot ')" "ar lft load path resources sl2vl vlarb"
is "what to show, options before" "$(complete_line 'heddle show --fabric f snapshot v')" "vlarb"
is "kinds" "$(complete_line 'heddle list ')" "adaptive allocators arbiters arrivals bufferings collectives engines host-models layers patterns queues results scenario schedulers selections switches topologies triggers vcs"
is "names of a kind" "$(complete_line 'heddle list queues ')" "$(names queues)"
is "keys of a scenario" "$(complete_line 'heddle sim x -s link.bandwidth_g')" "link.bandwidth_global="
is "a scenario" "$(complete_line 'heddle sim fab')" "fabric.net"
is "a JSON file" "$(complete_line 'heddle sim x --json fab')" "fabric.net"
is "nothing after the last" "$(complete_line 'heddle list queues xordet ')" ""


finish
