#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Packets that choose their ways: heddle check --adaptive, heddle sim with routing.adaptive, bad input.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"


short="-s run.warmup=20us -s run.measure=50us"

like "every routing is listed" "$(heddle list adaptive | awk '{ print $1 }' | tr '\n' ' ')" \
	"^ar dal minimal olm par pb trunk ugal valiant "
like "and every trigger" "$(heddle list triggers | awk '{ print $1 }' | tr '\n' ' ')" \
	"^contention credits ectn filtered hybrid probability "
like "with options" "$(heddle list adaptive olm)" "policy +mm"

# dal is for grids; that of tables' sets is in ar.sh
for routing in $(heddle list adaptive | awk '$1 != "dal" && $1 != "ar" { print $1 }'); do
	like "$routing is proved" "$(heddle check $dragonfly -e dla --adaptive "$routing")" "verdict +sound"
	like "$routing with no other option runs, and says what it did" \
		"$(heddle sim $dragonfly -e dla -s routing.adaptive="$routing" $short -s traffic.load=0.3)" "misrouted +0"
done

json "as many VCs as there may be" "(j['sound'], j['dependencies'])" '(True, 93744)' \
	heddle check $dragonfly -e dla --adaptive valiant --vcs flexvc:14/16 --json

heddle topo $dragonfly -o torus:4x4 >/dev/null
like "a file with the name of a spec" "$(heddle check torus:4x4 -e dla --adaptive minimal)" "verdict +sound"
rm torus:4x4
not_ok "a sequence that is too short is refused" 1 heddle check $dragonfly -e dla --adaptive olm --vcs "hop:l g l l"
like "with a circle, and a longer sequence" "$(heddle check $dragonfly -e dla --adaptive olm --vcs "hop:l g l l")" \
	'"hop:l g l l g" at least.*cycle +G0S0\[3\] VC 2'
like "one that suffices is found" "$(heddle check $dragonfly -e dla --adaptive olm --vcs "hop:l g l l")" 'suffices +hop:l g l g l'
ok "it is proved" heddle check $dragonfly -e dla --adaptive olm --vcs "hop:l g l g l"
heddle topo $dragonfly --fail-links 5 --seed 1 -o fewer.net >/dev/null
suffices() {
	heddle check "$@" --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["suffices"])'
}
for routing in valiant par pb; do
	longer=$(suffices fewer.net -e dla --adaptive $routing)
	ok "$routing without five links: $longer" heddle check fewer.net -e dla --adaptive $routing --vcs "$longer"
	not_ok "no place less" 1 heddle check fewer.net -e dla --adaptive $routing --vcs "${longer% ?}"
done
is "on a torus a number" "$(suffices torus:8x8 -e hdor --adaptive dal --vcs hop:1)" hop:2
is "none where nothing is wrong" "$(suffices $dragonfly -e dla --adaptive olm)" None
like "the same in JSON" "$(heddle check $dragonfly -e dla --adaptive olm --vcs "hop:l g l l" --json |
	python3 -c 'import json,sys; r = json.load(sys.stdin); print(r["sound"], len(r["witness"]), r["witness"][0]["vc"])')" \
	"^False 3 2$"
not_ok "a run of it as well" 1 heddle sim $dragonfly -e dla -s routing.adaptive=olm -s "routing.vcs=hop:l g l l" $short
like "unproved, it comes to a stand" "$(heddle sim $dragonfly -e dla -s routing.adaptive=olm -s "routing.vcs=hop:l g l l" --no-proof \
	-s switch.buffer=1packets -s traffic.load=1 -s traffic.pattern=adversarial -s run.measure=2ms --csv - 2>/dev/null |
	python3 -c 'import csv,sys; print([r["deadlock"] for r in csv.DictReader(sys.stdin)])')" "1"

for vcs in 2/1 3/1 2/2; do
	not_ok "FlexVC: a detour needs more than $vcs" 1 heddle check $dragonfly -e dla --adaptive valiant --vcs flexvc:$vcs
	like "and how many" "$(heddle check $dragonfly -e dla --adaptive valiant --vcs flexvc:$vcs)" \
		'has no VC for its next hop at .*; ways do not embed in .*: "flexvc:l g l g l" at least \(3/2\)'
done
for routing in minimal valiant ugal pb par olm; do
	like "FlexVC: $routing is proved" "$(heddle check $dragonfly -e dla --adaptive $routing --vcs flexvc:3/2)" \
		"VCs flexvc:l g l g l.*verdict +sound"
	like "and runs" "$(heddle sim $dragonfly -e dla -s routing.adaptive=$routing -s routing.vcs=flexvc:3/2 $short -s traffic.load=0.3)" \
		"misrouted +0"
done

heddle route $dragonfly -e dla -o "$scratch/snapshot" >/dev/null
like "a snapshot's tables serve as well" "$(heddle check "$scratch/snapshot" --adaptive valiant)" "verdict +sound"
heddle topo $dragonfly -o "$scratch/net" >/dev/null
like "and a netfile's fabric" "$(heddle check "$scratch/net" -e dla --adaptive pb)" "verdict +sound"
like "a torus, where a routing needs no groups" \
	"$(heddle check torus:4x4 -e hdor --adaptive valiant --vcs hop:8)" "verdict +sound"

for grid in torus:5x4 hyperx:4x3,p=3 kns:k=4,n=2; do
	like "dal is proved on $grid" "$(heddle check $grid -e hdor --adaptive dal)" "VCs l l.*verdict +sound"
	not_ok "with a VC less it is not" 1 heddle check $grid -e hdor --adaptive dal --vcs hop:1
	like "with no other option it runs, and says what it did" \
		"$(heddle sim $grid -e hdor -s routing.adaptive=dal $short -s traffic.load=0.9)" "misrouted +0"
	heddle topo $grid --fail-links 2 --seed 3 -o "$scratch/grid" >/dev/null
	like "without two links it takes more VCs by itself" \
		"$(heddle check "$scratch/grid" -e hdor --adaptive dal)" "VCs l l l l l l.*verdict +sound"
	heddle route $grid -e hdor -o "$scratch/of-grid" >/dev/null
	like "a snapshot's grid is found" "$(heddle check "$scratch/of-grid" --adaptive dal)" "verdict +sound"
	rm -r "$scratch/of-grid"
	threads() {
		heddle sim $grid -e hdor -s routing.adaptive=dal -s routing.trigger=contention:1 -s traffic.pattern=shift -s traffic.load=1 \
			-s switch.buffer=1packets -s run.seeds=1..4 $short -j "$1" --no-time --csv -
	}
	is "the same with one thread and with eight" "$(threads 1)" "$(threads 8)"
done

# ways that make more than 256 kinds of headers
heddle topo torus:6x6 --fail-links 3 --seed 1 -o "$scratch/grid" >/dev/null
like "dal is proved on a torus without three links" "$(heddle check "$scratch/grid" -e hdor --adaptive dal)" "verdict +sound"

one=$(heddle sim $dragonfly -e dla -s routing.adaptive=olm -s traffic.load=0.9 -s run.seeds=1..4 $short -j 1 --no-time --csv -)
many=$(heddle sim $dragonfly -e dla -s routing.adaptive=olm -s traffic.load=0.9 -s run.seeds=1..4 $short -j 8 --no-time --csv -)
is "the same with one thread and with eight" "$one" "$many"
flexible() {
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s routing.vcs=flexvc:8/4 -s "routing.select=jsq, random" -s traffic.load=0.9 \
		$short -s run.seeds=1..4 -j "$1" --no-time --csv -
}
is "FlexVC: the same with one thread and with eight" "$(flexible 1)" "$(flexible 8)"
drawn=(heddle sim "dragonfly:a=4,p=2,h=2,g=2" -e dla -s routing.adaptive=trunk -s traffic.load=0.9 -s run.seeds=1..4
	-s "routing.select=jsq, random" --no-time --csv -)
# shellcheck disable=SC2086
is "selections: the same with one thread and with eight" "$("${drawn[@]}" $short -j 1)" "$("${drawn[@]}" $short -j 8)"
# shellcheck disable=SC2086
like "another selection, other results" "$("${drawn[@]}" $short | sed 's/,jsq,/,random,/' | sort -u | wc -l)" "^9$"
like "seeds differ" "$(cut -d, -f100- <<<"$one" | sort -u | wc -l)" "^[45]$"

like "requests and replies in one proof" "$(heddle check $dragonfly -e dla --adaptive minimal --vcs flexvc:2/1+2/1)" \
	"VCs flexvc:l g l \+ l g l.*verdict +sound.*hosts may hold them"
like "replies without VCs for detours" "$(heddle check $dragonfly -e dla --adaptive valiant --vcs flexvc:4/2+2/1 --json |
	python3 -c 'import json,sys; r = json.load(sys.stdin); print(r["sound"], r["hosts_may_wait"])')" "^True False$"
for grid in torus:4x4 torus:8x8 torus:4x4x4 mesh:8x8 kns:k=8,n=2; do
	like "FlexVC by dimensions: $grid" "$(heddle check $grid -e hdor --adaptive minimal --vcs flexvc:vcs=8)" "VCs flexvc vcs=8.*verdict +sound"
done
ok "and runs, hosts by the tables' layers" heddle sim torus:4x4 -e hdor -s routing.adaptive=minimal -s routing.vcs=flexvc:vcs=4 \
	-s host.vc=tables $short -s traffic.load=0.3
says "fewer VCs than layers" "flexvc:vcs=1: the tables have 2 layers" heddle check torus:8x8 -e hdor --adaptive minimal --vcs flexvc:vcs=1
says "hosts by layers that are not the tables'" "hosts' VCs by the tables' layers go with flexvc" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s host.vc=tables $short
not_ok "requests that do not embed" 1 heddle check $dragonfly -e dla --adaptive valiant --vcs flexvc:2/1+4/2
like "whose they are" "$(heddle check $dragonfly -e dla --adaptive valiant --vcs flexvc:2/1+4/2)" \
	'ways of requests do not embed in "l g l \+ l g l l g l": "flexvc:l g l g l" at least \(3/2\)'
reply="-s routing.adaptive=minimal -s traffic.reply=yes -s switch.vcs_terminal=2"
# shellcheck disable=SC2086
accepted() { heddle sim $dragonfly -e dla $short $reply "$@" --csv - 2>/dev/null |
	python3 -c 'import csv,sys; print(*(round(float(r["accepted"]), 2) for r in csv.DictReader(sys.stdin)))'; }
is "hosts that hold requests: nothing is lost" "$(accepted -s routing.vcs=hop:2/1+2/1 -s host.replies=0,1,4 -s traffic.load=0.3)" "0.29 0.29 0.29"
# shellcheck disable=SC2086
says "they need VCs for replies" "need VCs for replies" \
	heddle sim $dragonfly -e dla $short $reply -s host.replies=1 -s routing.vcs=hop:2/1
# shellcheck disable=SC2086
held="$(heddle sim $dragonfly -e dla $short $reply -s host.replies=1 -s routing.vcs=flexvc:4/2+2/1 -s routing.adaptive=valiant 2>&1)"
like "and a proof for that" "$held" "hosts may not hold requests \(host.replies\)"
says "and replies" "host.replies: there are no replies" \
	heddle sim $dragonfly -e dla $short -s routing.adaptive=minimal -s routing.vcs=hop:2/1+2/1 -s host.replies=1
says "detours in grids have no VCs for replies" "dal has no VCs for replies alone" \
	heddle sim torus:4x4 -e hdor -s routing.adaptive=dal -s routing.vcs=hop:2+2 $short

for engine in dla df-minhop df-sssp d3r dfval updn; do
	like "FlexVC on $engine's layers is proved" "$(heddle check $dragonfly -e $engine --adaptive minimal --vcs flexvc)" \
		"VCs flexvc.*verdict +sound"
done
like "and on a torus's" "$(heddle check torus:8x8 -e hdor --adaptive minimal --vcs flexvc)" "verdict +sound"
not_ok "tables with a circle have one so too" 1 heddle check $dragonfly -e minhop --adaptive minimal --vcs flexvc
like "it runs" "$(heddle sim $dragonfly -e df-sssp -s routing.adaptive=minimal -s routing.vcs=flexvc $short -s traffic.load=0.3)" "accepted"
says "for the tables' ways alone" "routing.vcs: valiant goes on VCs by hop or flexvc:L/G" \
	heddle sim $dragonfly -e dla -s routing.adaptive=valiant -s routing.vcs=flexvc $short

says "no such routing" "routing.adaptive: there is no adaptive routing 'oml' \(known are ar, dal, minimal" \
	heddle sim $dragonfly -e dla -s routing.adaptive=oml $short
says "no such trigger" "routing.trigger: there is no trigger 'credit'" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s routing.trigger=credit $short
says "no such selection" "routing.select: there is no selection 'shortest' \(known are highest, jsq, lowest, random\)" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s routing.select=shortest $short
says "no such VC rule" "routing.vcs: 'hop:x' is no VC rule" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s routing.vcs=hop:x $short
says "FlexVC: numbers below a minimal way's" "routing.vcs: 'flexvc:1/1' is no VC rule: flexvc:L/G" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s routing.vcs=flexvc:1/1 $short
says "FlexVC: a routing with places of its own" "routing.vcs: dal goes on VCs by hop alone" \
	heddle sim torus:4x4 -e hdor -s routing.adaptive=dal -s routing.vcs=flexvc:2 $short
says "groups on a torus" "routing.adaptive: olm goes by groups, and the fabric is no dragonfly" \
	heddle sim torus:4x4 -e hdor -s routing.adaptive=olm $short
says "dimensions on a dragonfly" "routing.adaptive: dal goes by dimensions, and the fabric is no grid" \
	heddle sim $dragonfly -e dla -s routing.adaptive=dal $short
says "a queue per output" "switches with a queue per output do not choose paths" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s switch.voq=yes $short
says "a period of 0" "period" heddle sim $dragonfly -e dla -s routing.adaptive=pb:period=0 $short
says "a queue below a packet" "host.queue: a packet does not fit the queue" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s host.queue=1KiB $short
says "fewer VCs than the rule has" "the VC rule takes 3 VCs within groups, and links have 2" \
	heddle sim $dragonfly -e dla -s routing.adaptive=olm -s switch.vcs_local=2 $short
printf '[routing]\nadaptive = olm:policy=none\n' >"$scratch/bad.ini"
says "a scenario's line is told" "bad.ini:2: .*policy: 'none' is none of rrg, crg, nrg, mm" heddle sim "$scratch/bad.ini"
says "--vcs alone" "go with --adaptive" heddle check "$scratch/snapshot" --vcs hop:2/1
says "a fabric without an engine" "is no snapshot: which engine" heddle check $dragonfly --adaptive olm

[ -n "${sanitizers-}" ] || ok "against theory and FOGSim" bash "$top_srcdir/experiments/adaptive/check.sh" "$top_builddir/heddle"

# hosts that are linked to one another, and to no switch, are nobody's destination
heddle topo $dragonfly --assign-lids -o pair.net >/dev/null
for ends in "a b 300 301" "b a 301 300"; do
	read -r own far lid <<<"$ends"
	printf 'caguid=0x%s0\nCa\t1 "H-00000000000000%s0"\t\t# "pair %s"\n' "$own" "$own" "$own"
	printf '[1](%s1)\t"H-00000000000000%s0"[1](%s1)\t\t# lid %s lmc 0 "pair" lid %s 4xHDR\n\n' "$own" "$far" "$far" $lid
done >>pair.net
like "hosts that no switch leads to" "$(heddle check pair.net -e dla --adaptive ugal)" "verdict +sound"
heddle route pair.net -e dla --force --plain -o pair >/dev/null
sed -i '/lids dumped/i 0x012c 004 # stale' pair/opensm-lfts.dump
for routing in ugal minimal; do
	ok "$routing: packets to them are dropped, wherever entries lead" heddle sim pair -s routing.adaptive=$routing $short
done

finish
