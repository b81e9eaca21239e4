#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle list
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

like "engines" "$(heddle list engines)" 'd3r .*df-minhop .*df-sssp .*dfval .*dla .*minhop '
like "layers" "$(heddle list layers)" 'class .*dateline .*flex .*hop .*layered .*order .*order3 .*shift .*single .*valiant '
like "queues" "$(heddle list queues)" 'bbq .*dbbm .*dbbq .*iodet .*single .*vftree .*voqsw .*xordet '
like "topologies" "$(heddle list topologies)" 'director .*dragonfly .*kns .*mesh .*pgft .*torus .*tree '
like "patterns" "$(heddle list patterns)" 'adversarial .*adversarial-consecutive .*bitreverse .*hotspot .*mix .*neighbour .*permutation .*shift .*stencil .*tornado .*trace .*transpose .*uniform .*vef .*zipf '
like "collectives" "$(heddle list collectives)" 'bruck .*halving .*tree '
like "what an algorithm serves" "$(heddle list collectives pairwise)" 'operations +allgather, reducescatter, alltoall'
like "arrivals" "$(heddle list arrivals)" 'bernoulli .*bursty .*deterministic .*poisson '
like "scenario: keys with their defaults" "$(heddle list scenario)" 'link.bandwidth +32Gbps +bit/s +data'
like "results" "$(heddle list results)" 'offered .*accepted .*latency_mean .*latency_p99 .*deadlock .*wall_s '
like "switches" "$(heddle list switches)" 'iq '
like "arbiters" "$(heddle list arbiters)" 'age .*oldest .*roundrobin .*transit .*vl '
like "bufferings" "$(heddle list bufferings)" 'fifo .*voq .*voqnet '
like "adaptive routings" "$(heddle list adaptive)" 'minimal .*olm .*valiant '
like "triggers" "$(heddle list triggers)" 'contention .*credits '
like "VC rules" "$(heddle list vcs)" 'hop .*tables '
for kind in adaptive allocators arbiters arrivals bufferings collectives engines host-models layers patterns queues results scenario schedulers selections switches topologies triggers vcs; do
	heddle list $kind >"$scratch/list"
	nth=0
	while read -r name _; do
		# under sanitizers, where a thousand starts take long, every fifth
		nth=$((nth + 1))
		[ -z "${sanitizers-}" ] || [ $((nth % 5)) = 1 ] || continue
		like "$kind $name" "$(heddle list $kind "$name")" "name +${name//[\[\]]/.}.*summary +[^ ]"
		heddle list $kind "$name" --json >"$scratch/$kind@$name"
		echo "$kind@$name $name" >>"$scratch/wanted"
	done <"$scratch/list"
	heddle list $kind --json >"$scratch/$kind@"
	echo "$kind@ $(awk '{ print $1 }' "$scratch/list" | paste -s -d ' ')" >>"$scratch/wanted"
done
# one python for all, since it takes longer to start than a list to print
python3 - "$scratch" >"$scratch/got" <<'PYTHON'
import json, sys
for line in open(sys.argv[1] + "/wanted"):
    which = line.split()[0]
    j = json.load(open(sys.argv[1] + "/" + which))
    kind, name = which.split("@")
    print(which, j["name"] if name else " ".join(x["name"] for x in j[kind]))
PYTHON
while IFS=' ' read -r which names <&3 && IFS=' ' read -r _ got <&4; do
	is "$which: the same in JSON" "$got" "$names"
done 3<"$scratch/wanted" 4<"$scratch/got"
is "all are looked at" "$(wc -l <"$scratch/got")" "$(wc -l <"$scratch/wanted")"
like "every option of the dragonfly with its default" "$(heddle list topologies dragonfly)" \
	'key +default +unit +meaning.* a .* p .* h .* g .* global +palmtree .* local +full '
like "layer rules of dla" "$(heddle list engines dla)" 'layer rule +shift \(default\)'
like "the option of dla" "$(heddle list engines dla)" 'groups +- +file '
json "options in JSON" "[o['key'] for o in j['options']]" "['groups', 'ar', 'ar_state']" heddle list engines dla --json
like "xordet needs a power of two" "$(heddle list queues xordet)" 'power of two'
like "every option of the hot-spot" "$(heddle list patterns hotspot)" \
	'key +default +unit +meaning.* form +dla .* sources .* destinations .* rate .* exclude '
like "the length of a burst" "$(heddle list arrivals bursty)" ' burst +5 +packets '
like "a process without options" "$(heddle list arrivals poisson)" 'options +none'
# the example of a topology is a spec
for name in $(heddle list topologies | awk '{ print $1 }'); do
	example=$(heddle list topologies "$name" | awk '$1 == "example" { print $2 }')
	ok "$name: its example builds" heddle topo "$example"
done

finish
