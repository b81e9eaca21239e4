#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Time series: run.series, --series, --plot-series.
# shellcheck source=tests/tools/tools.sh disable=SC2154 # dragonfly
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

cat >table.py <<'PYTHON'
"""What a Python expression says of the rows of CSV files, numbers where they are: table.py EXPRESSION FILE..."""
import csv
import statistics
import sys


def number(text):
    try:
        return float(text)
    except ValueError:
        return text


t = []
for name in sys.argv[2:]:
    with open(name) as file:
        t.append([{key: number(value) for key, value in row.items()} for row in csv.DictReader(file)])


def near(a, b, error=1e-7):
    return abs(a - b) <= error * max(abs(a), abs(b))


print(eval(f'({sys.argv[1]})'))
PYTHON

# true_of NAME EXPRESSION FILE...
true_of() {
	is "$1" "$(python3 table.py "${@:2}" 2>&1)" True
}

change=(heddle sim "$dragonfly" --quiet -s run.clock=cycles -s run.warmup=1950 -s run.measure=1000 -s traffic.load=0.2
	-s 'traffic.phases=uniform until=2000 then adversarial:1')

ok "a series" "${change[@]}" -s run.series=100 --series one.csv --csv with.csv
"${change[@]}" --csv without.csv
true_of "nothing else changes" '{k for k in t[0][0] if t[0][0][k] != t[1][0][k]} <= {"wall_s"}' with.csv without.csv
true_of "steps begin where the traffic changes; the first and the last are cut" \
	'[r["time"] for r in t[0]] == [-50] + [100 * i for i in range(10)]' one.csv
true_of "one seed has no width" 'all(r["accepted_half_width"] == 0 for r in t[0])' one.csv
lengths='[50] + [100] * 9 + [50]'
for what in offered accepted; do
	true_of "$what is that of the window" \
		"near(sum(r['$what'] * l for r, l in zip(t[0], $lengths)) / 1000, t[1][0]['$what'])" one.csv with.csv
done
true_of "all that was generated is told of" \
	'near(sum(r["packets"] + r["missing"] for r in t[0]) * 16 / 72 / 1000, t[1][0]["offered"])' one.csv with.csv
true_of "packets go as the tables say: none leaves its way" 'all(r["misrouted"] == "" for r in t[0])' one.csv

for seed in 1 2 3; do
	"${change[@]}" -s run.series=50cycles -s run.seeds=$seed -s routing.adaptive=olm --series seed-$seed.csv
done
ok "several seeds, and a plot" "${change[@]}" -s run.series=50 -s run.seeds=1..3 -s routing.adaptive=olm --series seeds.csv \
	--plot-series seeds.svg -j 1
true_of "means" 'all(near(s[k], statistics.mean(float(r[k]) for r in rows)) for s, *rows in zip(*t)
	for k in ("offered", "accepted", "latency_mean", "network_latency_mean", "misrouted"))' seeds.csv seed-?.csv
true_of "half widths of 95%, by Student" 'all(near(s[k + "_half_width"], 4.30265273 * statistics.stdev(float(r[k]) for r in rows) / 3 ** .5, 1e-4)
	for s, *rows in zip(*t) for k in ("offered", "accepted", "latency_mean", "misrouted"))' seeds.csv seed-?.csv
true_of "sums of packets" 'all(s["packets"] == sum(r["packets"] for r in rows) for s, *rows in zip(*t))' seeds.csv seed-?.csv
heddle sim "$top_srcdir/experiments/adaptive/adaptive.ini" --quiet -s run.warmup=1950 -s run.measure=1000 -s traffic.load=0.2 \
	-s 'traffic.phases=uniform until=2000 then adversarial:1' -s run.series=50 -s routing.trigger=contention:3 --series contention.csv
true_of "what is generated before the change goes its way, what comes behind it another" \
	't[0][0]["time"] == -50 and t[0][0]["misrouted"] < 0.01 and t[0][3]["misrouted"] > 0.3' contention.csv
true_of "what passes arrives" 'all(r["missing"] == 0 and r["packets"] > 50 for r in t[0])' contention.csv
like "the plot is SVG, with ways" "$(<seeds.svg)" '<svg .*misrouted.*</svg>'

ok "a sweep" "${change[@]}" -s run.series=50 -s run.seeds=1..3 -s routing.adaptive="olm, pb" --series sweep.csv --plot-series sweep.png -j 8
true_of "the same with one thread and with eight, point by point" \
	'[{k: r[k] for k in t[1][0]} for r in t[0] if r["routing.adaptive"] == "olm"] == t[1] and
	[r["routing.adaptive"] for r in t[0]] == ["olm"] * 20 + ["pb"] * 20' sweep.csv seeds.csv
like "the plot is PNG" "$(head -c 4 sweep.png | tail -c 3)" PNG
heddle sim "$dragonfly" -s run.series=100us -s run.warmup=0 --series - >time.csv 2>/dev/null
true_of "in nanoseconds, from the window on, to standard output" '[r["time"] for r in t[0]] == [100000 * i for i in range(10)]' time.csv

# loads that do not pass: the run goes on for as long again at most
heddle sim "$dragonfly" --quiet -s run.series=100us -s traffic.load=1 -s traffic.pattern=adversarial:1 --series late.csv
true_of "what does not arrive in time is told" 'all(r["missing"] > 100 for r in t[0]) and t[0][0]["packets"] > 0' late.csv
heddle sim "$dragonfly" --quiet -e minhop -s switch.buffer=1 -s traffic.load=1 -s run.series=100us --series dead.csv 2>/dev/null
true_of "a deadlock ends the run" 't[0][-1]["packets"] == 0 and t[0][-1]["accepted"] == 0 and t[0][-1]["latency_mean"] == ""' dead.csv

# what cannot be
says "no steps" "needs the length of its steps: run.series" heddle sim "$dragonfly" --series x.csv
says "no steps to draw" "needs the length of its steps: run.series" heddle sim "$dragonfly" --plot-series x.svg
says "steps of no length" "bad.ini:2: run.series: steps take no time" \
	bash -c 'printf "[run]\nseries = 0ns\n" >bad.ini; heddle sim bad.ini --series x.csv'
says "too many steps" "bad.ini:2: run.series: more than a million steps" \
	bash -c 'printf "[run]\nseries = 1ns\n" >bad.ini; heddle sim bad.ini --series x.csv'
says "several lengths" "run.series" heddle sim "$dragonfly" -s run.series=1us,2us --series x.csv
says "a window that is extended" "run.series: run.measure = auto does not say when it ends" \
	heddle sim "$dragonfly" -s run.series=1us -s run.measure=auto --series x.csv
says "a picture of what" "x.pdf' ends in neither .svg nor .png" heddle sim "$dragonfly" -s run.series=10us --plot-series x.pdf
says "a series nowhere" "cannot write" heddle sim "$dragonfly" -s run.series=10us --series none/x.csv --quiet
says "a sweep that goes on" "resume" heddle sim "$dragonfly" -s run.series=10us --series x.csv --csv y.csv --resume
says "two to standard output" "standard output" heddle sim "$dragonfly" -s run.series=10us --series - --csv -
ok "no file is left" test ! -e x.csv

finish
