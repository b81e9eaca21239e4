#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Latencies by part: run.parts.
# shellcheck source=tests/tools/tools.sh disable=SC2154 # dragonfly
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

cat >compare.py <<'PYTHON'
"""With and without run.parts: parts add up to latency_mean, and other columns are the same. What follows holds in each row."""
import csv
import sys
parts = ['latency_' + part for part in ('minimal', 'detour', 'injection', 'local', 'global', 'taking')]
with open('with.csv') as a, open('without.csv') as b:
    rows = list(zip(csv.DictReader(a), csv.DictReader(b)))
for row, bare in rows:
    sum_of_parts = sum(float(row[part]) for part in parts)
    if abs(sum_of_parts - float(row['latency_mean'])) > 1e-7 * sum_of_parts:
        sys.exit(f"parts are {sum_of_parts}, the mean is {row['latency_mean']}")
    if any(bare[part] for part in parts):
        sys.exit('a part that nobody asked for')
    for key in bare:
        if key not in parts + ['run.parts', 'wall_s'] and bare[key] != row[key]:
            sys.exit(f'{key}: {bare[key]} without, {row[key]} with')
    value = {key: float(row[key]) for key in parts + ['latency_mean', 'latency_min', 'hops_mean']}
    if not eval(sys.argv[1], {}, value):
        sys.exit(f'not {sys.argv[1]}: {value}')
print(len(rows), 'rows')
PYTHON

# adds_up NAME HOLDS OPTION...: parts of `heddle sim OPTION...` add up, and HOLDS is true of them.
adds_up() {
	local name=$1 holds=$2
	shift 2
	rm -f with.csv without.csv
	heddle sim "$@" -s run.warmup=20us -s run.measure=100us --csv without.csv --quiet
	heddle sim "$@" -s run.warmup=20us -s run.measure=100us --csv with.csv --quiet -s run.parts=yes
	like "$name" "$(python3 compare.py "$holds" 2>&1)" '^[1-9][0-9]* rows'
}

cioq=(-s switch.model=cioq -s switch.crossbar_latency=20ns -s switch.speedup=2)
rates=(-s link.bandwidth_local=16Gbps -s link.bandwidth_global=64Gbps -s link.propagation_global=500ns)

adds_up "one packet at a time waits nowhere" 'latency_minimal == latency_mean and latency_minimal > latency_min' \
	"$dragonfly" -s traffic.load=0.0003 -s traffic.arrival=deterministic:staggered=yes -s run.seeds=4
adds_up "tables, with queues per output" 'latency_detour == latency_taking == 0 and latency_injection > 0 and latency_global > 0' \
	"$dragonfly" -s traffic.load=0.2,0.8 -s switch.voq=no,yes
adds_up "links of several rates, iq and cioq" 'latency_detour == 0 and latency_minimal >= latency_min' \
	"$dragonfly" -s traffic.load=0.01,0.5 "${rates[@]}" -s switch.model=iq,cioq -s switch.crossbar_latency=20ns
adds_up "output buffers, matchings of two rounds, a shared buffer" 'latency_detour == 0' \
	"$dragonfly" -s traffic.load=0.6 "${cioq[@]}" -s switch.allocator=input -s switch.iterations=2 -s switch.damq=yes
adds_up "no groups, no links between them" 'latency_global == 0 and latency_local > 0' torus:4x4 -e hdor -s traffic.load=0.5
adds_up "hosts that take in slowly" 'latency_taking > 100 and latency_detour == 0' \
	"$dragonfly" -s traffic.load=0.3 -s host.consumption=0.5
adds_up "LIDs by way of other groups are a detour" 'latency_detour > 100' "$dragonfly" -e dfval -s traffic.load=0.1
adds_up "queues per destination" 'latency_detour == 0 and latency_injection > 0' \
	"$dragonfly" -s traffic.load=0.5 -s host.admittance=destination
adds_up "packets that choose" 'latency_detour > 0 and latency_injection > 0' \
	"$dragonfly" -s traffic.load=0.3 -s traffic.pattern=adversarial:1 -s routing.adaptive="olm, valiant, pb, ugal, par"
adds_up "packets that choose the tables' way" 'latency_detour == 0' "$dragonfly" -s traffic.load=0.3 -s routing.adaptive=minimal
adds_up "packets that choose, cioq and rates" 'latency_detour > 0 and latency_minimal > 0' \
	"$dragonfly" -s traffic.load=0.3 -s routing.adaptive="olm, valiant" "${cioq[@]}" "${rates[@]}"
adds_up "windows that are extended" 'latency_detour == 0' "$dragonfly" -s traffic.load=0.5 -s run.measure=auto
heddle sim "$dragonfly" -s run.parts=yes -s traffic.load=0.5 -s run.seeds=1..4 --no-time -j 1 --csv one.csv --quiet
heddle sim "$dragonfly" -s run.parts=yes -s traffic.load=0.5 -s run.seeds=1..4 --no-time -j 8 --csv eight.csv --quiet
same "the same with one thread and with eight" one.csv eight.csv

# by hand: four links of 6 ns, three switches of 100 ns, and the tail of 4 KiB at 4 bytes a ns
heddle sim kns:k=3,n=1 -e hdor -s run.parts=yes -s traffic.load=0.001 -s run.measure=2ms -s traffic.pattern=shift:1 --csv hand.csv --quiet
is "by hand: to the next switch of a row" "$(python3 -c 'import csv; print(next(csv.DictReader(open("hand.csv")))["latency_minimal"])')" \
	"$(python3 -c 'print(4 * 6 + 3 * 100 + 4096 // 4)')"

finish
