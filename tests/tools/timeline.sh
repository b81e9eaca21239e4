#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Times of jobs and messages: run.flows, --timeline, --plot-fct, --plot-jobs.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

cd "$scratch" || exit 99
run=(heddle sim 'tree:k=8,n=1' -e dmodc -s run.warmup=0ns -s run.measure=1s --no-time)
ring=collective:allreduce,algorithm=ring,size=256KiB,repeat=2,compute=1us

# events FILE EXPRESSION: of its events e
events() {
	python3 -c 'import json, sys
e = json.load(open(sys.argv[1]))["traceEvents"]
print(eval(sys.argv[2]))' "$@" 2>&1
}

# On a crossbar a ring of 8 takes 14 steps of 112 + 8192 ns (docs/collectives.md).
ok "a time line" "${run[@]}" -s "traffic.pattern=$ring" -s run.flows=1000 --timeline ring.json
is "iterations" "$(events ring.json '[(x["name"], x["ts"], x["dur"]) for x in e if x.get("cat") == "iteration"]')" \
	"[('iteration 0', 0.0, 117.256), ('iteration 1', 117.256, 117.256)]"
is "computing, and the operation" "$(events ring.json '[(x["name"], x["ts"], x["dur"]) for x in e if x.get("cat") in ("compute", "collective")]')" \
	"[('compute', 0.0, 1.0), ('allreduce', 1.0, 116.256), ('compute', 117.256, 1.0), ('allreduce', 118.256, 116.256)]"
is "messages" "$(events ring.json 'len([x for x in e if x["ph"] == "b"]), len([x for x in e if x["ph"] == "e"])')" "(224, 224)"
is "a message" "$(events ring.json '[(x["name"], x["ts"], x.get("args")) for x in e if x["name"] == "0 -> 1"][:2]')" \
	"[('0 -> 1', 1.0, {'from': 0, 'to': 1, 'bytes': 32768}), ('0 -> 1', 9.304, None)]"
is "the job has a name" "$(events ring.json '[x["args"]["name"] for x in e if x["name"] == "process_name"]')" "['all, seed 1']"
ok "as many messages as asked for" "${run[@]}" -s "traffic.pattern=$ring" -s run.flows=10 --json ten.json
json "in JSON" "(lambda f: (f['arrived'], len(f['list']), f['list'][0][3:]))(j['points'][0]['runs'][0]['details']['flows'])" \
	"(224, 10, [32768, 1000.0, 9304.0])" cat ten.json
ok "none" "${run[@]}" -s "traffic.pattern=$ring" --json none.json
json "no list" "'flows' in j['points'][0]['runs'][0]['details']" False cat none.json

# Training: its operations follow one another.
cat >jobs.ini <<'END'
[fabric]
topology = dragonfly:a=4,p=2,h=2
[routing]
engine = dla, minhop
[run]
warmup = 0
measure = 1s
seeds = 1, 2
[job train]
pattern = training:pp=2,ep=2,layers=2,micro=1,parameters=512KiB,activation=64KiB,repeat=2
hosts = 16
place = random
ratio = 1:2
[job moe]
pattern = collective:alltoall,size=64KiB,repeat=3
hosts = 16
place = random
start = 10us
END
ok "jobs, engines and seeds" heddle sim jobs.ini --no-time -s run.flows=5 --timeline jobs.json --plot-jobs jobs.svg --plot-fct fct.svg \
	--json all.json
is "a process for each job of each run" "$(events jobs.json 'sorted(x["args"]["name"] for x in e if x["name"] == "process_name")')" \
	"$(python3 -c 'print(sorted(f"{j}, seed {s}, routing.engine={e}" for j in ("train", "moe") for s in (1, 2) for e in ("dla", "minhop")))')"
is "the operations of training end in their order" "$(events jobs.json '(lambda parts: (len(parts), all(
	[p["name"] for p in parts[i:i + 4]] == ["alltoall", "sendrecv", "reducescatter", "allgather"] and
	all(a["ts"] <= b["ts"] and a["ts"] + a["dur"] <= b["ts"] + b["dur"] for a, b in zip(parts[i:i + 4], parts[i + 1:i + 4]))
	for i in range(0, len(parts), 4))))([x for x in e if x.get("cat") == "collective" and x["pid"] % 2 == 1])')" "(32, True)"
is "an iteration is over with its last operation" "$(events jobs.json 'all(any(abs(x["ts"] + x["dur"] - y["ts"] - y["dur"]) < 1e-6
	for y in e if y.get("cat") == "collective" and y["pid"] == x["pid"]) for x in e if x.get("cat") == "iteration")')" True
is "spans of a track do not overlap" "$(events jobs.json '(lambda spans: sum(a["pid"] == b["pid"] and a["tid"] == b["tid"] and
	a["ts"] + a["dur"] > b["ts"] + 1e-6 for a, b in zip(spans, spans[1:])))(sorted((x for x in e if x["ph"] == "X"),
	key=lambda x: (x["pid"], x["tid"], x["ts"])))')" 0
is "each track has a name" "$(events jobs.json '({(x["pid"], x["tid"]) for x in e if x["ph"] == "X"} -
	{(x["pid"], x["tid"]) for x in e if x["name"] == "thread_name"})')" "set()"
is "five messages of each run" "$(events jobs.json 'len([x for x in e if x["ph"] == "b"])')" 20
for name in train moe dla minhop computing alltoall sendrecv reducescatter allgather 'time (us)'; do
	like "the picture of jobs has $name" "$(<jobs.svg)" "$(sed 's/[()]/\\&/g' <<<"$name")"
done
like "the picture of times has its curves" "$(<fct.svg)" 'routing.engine=dla.*routing.engine=minhop'
like "and its axis" "$(<fct.svg)" 'flow completion time \(ns\)'
ok "PNG, one bar and one curve" "${run[@]}" -s "traffic.pattern=$ring" --plot-jobs jobs.png --plot-fct fct.png
like "it is PNG" "$(head -c 4 jobs.png | tail -c 3) $(head -c 4 fct.png | tail -c 3)" 'PNG.*PNG'
ok "cycles" heddle sim dragonfly:a=4,p=2,h=2 -s run.clock=cycles -s run.warmup=0 -s run.measure=1000000 -s link.bandwidth=1 \
	-s traffic.packet=64 -s switch.buffer='4 packets' -s traffic.pattern=collective:alltoall,size=4KiB,compute=100,unit=8 \
	--timeline cycles.json --plot-jobs cycles.svg
like "in cycles" "$(head -1 cycles.json) $(<cycles.svg)" '"unit":"cycles".*time \(cycles\)'
is "cycles" "$(events cycles.json '[x["dur"] for x in e if x.get("cat") == "compute"]')" "[100.0]"

# Messages of traces and schedules; threads change nothing.
printf '0 0 1 12288\n0 2 3 64\n' >two.trace
printf 'num_ranks 2\nrank 0 {\nsend 4096b to 1\n}\nrank 1 {\nrecv 4096b from 0\n}\n' >one.goal
for file in two.trace one.goal; do
	ok "$file" "${run[@]}" -s "traffic.pattern=trace:$file" -s run.flows=9 --timeline "$file.json" --plot-fct "$file.svg"
done
is "a trace" "$(events two.trace.json '[(x["name"], x["ts"]) for x in e if x.get("cat") == "flow"]')" \
	"[('2 -> 3', 0.0), ('2 -> 3', 0.128), ('0 -> 1', 0.0), ('0 -> 1', 3.184)]"
is "a schedule" "$(events one.goal.json '[(x["name"], x["ts"]) for x in e if x.get("cat") == "flow"]')" \
	"[('0 -> 1', 0.0), ('0 -> 1', 1.136)]"
for j in 1 4; do
	heddle sim jobs.ini --no-time -s run.flows=100 -j $j --timeline j$j.json >/dev/null
done
ok "one process or four" cmp j1.json j4.json
heddle sim tree:k=4,n=2 -e dmodc -s run.warmup=0 -s run.measure=1ms --threads 2 -s traffic.pattern=trace:two.trace -s run.flows=9 >/dev/null 2>err
like "a list keeps a run on one thread" "$(<err)" 'stay on one thread: run.flows is set'

uniform=(heddle sim 'tree:k=4,n=2' -e dmodc -s run.measure=20us -s run.warmup=0)
says "nothing to draw" '--plot-fct: no message' "${uniform[@]}" --plot-fct never.svg
says "no jobs to draw" '--plot-jobs: no iteration' "${uniform[@]}" --plot-jobs never.svg
says "a picture of what" "x.pdf' ends in neither .svg nor .png" "${uniform[@]}" --plot-jobs x.pdf
says "too many messages" 'run.flows: 2000000 is out of range' "${uniform[@]}" -s run.flows=2000000
says "two on standard output" 'mean standard output' "${uniform[@]}" --timeline - --json -
says "not with --resume" 'no CSV has the times of jobs' "${uniform[@]}" --timeline x.json --csv x.csv --resume
says "a directory that is not there" 'none/x.json' "${uniform[@]}" --timeline none/x.json
ok "nothing is written" test ! -e never.svg
ok "a time line without jobs" "${uniform[@]}" --timeline uniform.json
is "has none" "$(events uniform.json '[x for x in e if x["ph"] != "M"]')" "[]"

finish
