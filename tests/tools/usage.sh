#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every subcommand: help, version, bad usage.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

version=$(heddle --version)
like "the version" "$version" '^heddle [0-9]+\.[0-9]+'
ok "help" heddle --help
# all that there are; heddle dump is where libibnetdisc is
subcommands=$(heddle --help | sed -n '/^Subcommands:/,/^$/s/^  \([a-z]*\) .*/\1/p' | xargs)
like "help lists the subcommands" "$subcommands" '^topo plan route check show diff faults sim qos convert setup report (dump watch agent )?list$'
for sub in $subcommands; do
	ok "$sub: help" heddle $sub --help
	like "$sub: help ends with examples" "$(heddle $sub --help | sed -n '/^Examples\?:$/,$p')" \
		$'^Examples?:(\n  heddle '"$sub"$' [^\n]*)+$'
	like "$sub: usage names the subcommand" "$(heddle $sub --help | head -n 1)" \
		"^Usage: heddle $sub "
	is "$sub: help has every option once" \
		"$(heddle $sub --help | grep -oE '^ {2,6}(-., )?--[a-z-]+' | grep -oE -- '--.*' | sort | uniq -d)" ""
	is "$sub: version" "$(heddle $sub --version)" "$version"
	unusable "$sub: no argument" heddle $sub
	says "$sub: unknown option" "unrecognized option '--frobnicate'" heddle $sub --frobnicate
	says "$sub: too many arguments" '' heddle $sub a b c d e f
done
unusable "no subcommand" heddle
says "unknown subcommand" "no subcommand 'frobnicate'" heddle frobnicate
says "unknown option" "unrecognized option" heddle --frobnicate

says "topo: two fabrics" ": one FABRIC, not also 'b'$" heddle topo a b
says "topo: no fabric" ": no FABRIC given$" heddle topo --json
says "check: two snapshots" ": one SNAPSHOT, not also 'b'$" heddle check a b
says "check: no snapshot" ": no SNAPSHOT given$" heddle check
says "route: two fabrics" ": one FABRIC, not also 'b'$" heddle route a -e updn b
says "route: no fabric" ": no FABRIC given$" heddle route -e updn
says "sim: two inputs" ": one SNAPSHOT, FABRIC or SCENARIO, not also 'b'$" heddle sim a b
says "sim: no input" ": no SNAPSHOT, FABRIC or SCENARIO given$" heddle sim

says "topo: --lmc 8" "lmc" heddle topo $dragonfly --lmc 8
says "topo: --seed x" "seed" heddle topo $dragonfly --seed x
says "topo: --json and -o -" "standard output" heddle topo $dragonfly --json -o -
says "route: no engine" "no engine given" heddle route $dragonfly
says "route: unknown engine" "no engine 'best'" heddle route $dragonfly -e best
says "route: --max-vls 0" "max-vls" heddle route $dragonfly -e dla --max-vls 0
says "route: unknown engine option" "engine dla has no option 'speed'" \
	heddle route $dragonfly -e dla -O speed=9
says "route: option without a value" "not key=value" heddle route $dragonfly -e dla -O groups
says "route: unknown layer rule" "layer rule 'many'" heddle route $dragonfly -e dla -l many
says "route: layer rule of another engine" "does not go with" \
	heddle route $dragonfly -e dla -l single
says "route: unknown queue rule" "queue rule" heddle route $dragonfly -e dla -q best:4
says "route: xordet:3" "power of two" heddle route $dragonfly -e dla -q xordet:3
says "show: unknown subject" "cannot show 'everything': path, lft" heddle show x everything
says "show: too few nodes" "SRC DST" heddle show x path H-00000
says "show: too many nodes" "not also" heddle show x lft a b
says "show: IN without OUT" "NODE \[IN OUT\]" heddle show x sl2vl a 1
says "show: --sl 16" "sl" heddle show x path a b --sl 16
says "show: --sl with lft" "path" heddle show x lft a --sl 1
says "show: no snapshot" "no SNAPSHOT given" heddle show
says "show: no subject" "no SUBJECT \(path, .*resources\) given" heddle show x
says "show: more than any subject takes" "one OUT, not also 'd'" heddle show x sl2vl a 1 2 d
says "diff: no snapshot" "no OLD given" heddle diff
says "diff: one snapshot" "no NEW given" heddle diff x
says "diff: three snapshots" "one NEW, not also 'z'" heddle diff x y z
[[ $subcommands != *dump ]] || says "dump: an argument" "no arguments, not 'x'" heddle dump -o now x
says "list: no kind" "no KIND \(adaptive, .*vcs\) given" heddle list
says "list: two names" "one NAME, not also 'two'" heddle list engines dla two
says "list: unknown kind" "adaptive, allocators, arbiters, arrivals, bufferings, collectives, engines, host-models, layers, patterns, queues, results, scenario, schedulers, selections, switches, topologies, triggers, vcs" heddle list shapes
says "list: unknown name" "no engine 'best'" heddle list engines best

finish
