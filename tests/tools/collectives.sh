#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Collective operations: times on a crossbar by arithmetic, contention in trees, repetitions, columns, JSON, bad input.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

cd "$scratch" || exit 99
whole=(-s run.warmup=0ns -s run.measure=1s)

# cell FILE COLUMN: of the first row
cell() {
	python3 -c 'import csv, sys
print(next(csv.DictReader(open(sys.argv[1])))[sys.argv[2]])' "$1" "$2"
}

# holds NAME FILE EXPRESSION: for each row r, f(column) is a number
holds() {
	is "$1" "$(python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
print(all(eval(sys.argv[2], {"r": r, "f": lambda c, r=r: float(r[c])}) for r in rows) and len(rows) > 0)' \
		"$2" "$3" 2>&1)" True
}

# On a crossbar a message of B bytes takes a + B b: a = two links and a switch, 112 ns, and 0.25 ns a byte (32 Gbit/s). A host
# sends its messages one after the other.
cat >cases.py <<'PY'
import sys

a, b, K = 112, 0.25, 4096
S = 8 * 8 * K  # of eight ranks: blocks of 32 KiB
t = lambda size: a + size * b
cases = {
    'allreduce,algorithm=ring': 14 * t(S / 8),
    'allreduce,algorithm=ring,hosts=0..6,size=%d' % (7 * K): 12 * t(K),
    'allreduce,algorithm=ring,hosts=0..1': 2 * t(S / 2),
    'allreduce,algorithm=tree,chunks=1,hosts=0..1': 2 * t(S / 2),
    'allreduce,algorithm=doubling': 3 * t(S),
    'allreduce,algorithm=doubling,hosts=0..3': 2 * t(S),
    'allreduce,algorithm=halving': 2 * (t(S / 2) + t(S / 4) + t(S / 8)),
    'allreduce,algorithm=direct': 2 * (7 * S / 8 * b + a),
    'allgather,algorithm=ring': 7 * t(S / 8),
    'allgather,algorithm=bruck': t(S / 8) + t(S / 4) + t(S / 2),
    'allgather,algorithm=bruck,hosts=0..5,size=%d' % (6 * K): t(K) + t(2 * K) + t(2 * K),
    'allgather,algorithm=doubling': t(S / 8) + t(S / 4) + t(S / 2),
    'reducescatter,algorithm=ring': 7 * t(S / 8),
    'reducescatter,algorithm=halving': t(S / 8) + t(S / 4) + t(S / 2),
    'alltoall,algorithm=pairwise': 7 * t(S / 8),
    'alltoall,algorithm=shifted': 7 * t(S / 8),
    'alltoall,algorithm=direct': a + 7 * S / 8 * b,
    'alltoall,algorithm=bruck': 3 * t(S / 2),
    'broadcast,algorithm=binomial': 3 * t(S),
    'broadcast,algorithm=ring,chunks=16': 7 * t(S / 16) + 15 * S / 16 * b,
    'broadcast,algorithm=direct': a + 7 * S * b,
    'reduce,algorithm=binomial,hosts=0..1': t(S),
    'reduce,algorithm=ring,chunks=16': 7 * t(S / 16) + 15 * S / 16 * b,
    'reduce,algorithm=direct': a + 7 * S * b,
    'barrier': 3 * t(64),
    'barrier,algorithm=direct': 2 * (a + 7 * 64 * b),
    'sendrecv': t(S),
    # time to compute, and repetitions
    'allreduce,algorithm=ring,repeat=3,compute=10us': 3 * (10000 + 14 * t(S / 8)),
    # nodes of two ranks, eight times as fast: half of the data before and after; between nodes, rings of four
    'allreduce,algorithm=ring,group=2': 2 * S / 2 * b / 8 + 6 * t(S / 8),
    'alltoall,algorithm=shifted,group=4': 3 * S / 4 * b / 8 + t(S / 2),
    'allgather,group=8,local=2': 7 * S / 8 * b / 2,
}
# 8 ranks: allreduces of 1 MiB in nodes of two, all-to-alls of two ranks, shifts of two stages, gradients among two
M = 1 << 20
training = 16 * M * b / 8 + 16 * t(M / 4) + 4 * t(M / 2) + 2 * t(8 * M)
if len(sys.argv) == 1:
    print(', '.join('collective:' + case + ('' if 'size' in case else ',size=%d' % S) for case in cases) +
          ', training:tp=2,pp=2,ep=2,layers=4,micro=2')
else:
    import csv
    cases['training'] = training
    for (case, time), row in zip(cases.items(), csv.DictReader(open(sys.argv[1])), strict=True):
        print('equal' if float(row['makespan'] or 0) == time else f'{case}: {row["makespan"]}, not {time}')
PY
ok "operations on a crossbar" heddle sim tree:k=8,n=1 -e dmodc "${whole[@]}" -s "traffic.pattern=$(python3 cases.py)" --no-time \
	--csv crossbar.csv
is "times are as the arithmetic says, to the picosecond" "$(python3 cases.py crossbar.csv | sort -u)" equal

# The same with replies, adaptive routing, several LIDs and cycles: they come to their ends.
ok "every operation alone" heddle sim dragonfly:a=4,p=2,h=2 "${whole[@]}" -s "traffic.pattern=$(printf 'collective:%s, ' \
	allreduce allgather reducescatter alltoall broadcast reduce barrier)collective, training:parameters=1MiB" --csv all.csv
like "a table shows what operations have" "$(cat .out)" \
	'traffic.pattern +repetitions +makespan/ns +repetition/ns +bus use.*barrier +1 +[0-9]+ +[0-9]+ +- .*training:parameters=1MiB .* -$'
holds "ends" all.csv 'f("makespan") > 0 and f("repetitions") == 1 and f("dropped") == 0'
ok "adaptive" heddle sim dragonfly:a=4,p=2,h=2 "${whole[@]}" -s routing.adaptive=olm \
	-s "traffic.pattern=collective:alltoall,size=64KiB,repeat=2, collective:allreduce,algorithm=tree,size=64KiB" --csv olm.csv
holds "ends, too" olm.csv 'f("makespan") > 0'
ok "with other traffic beside it, and replies" heddle sim tree:k=4,n=2 -e dmodc -s run.warmup=0 -s run.measure=2ms -s \
	traffic.classes='ai pattern=collective:allreduce,size=64KiB,hosts=0..7 then rest pattern=uniform load=0.2' \
	-s traffic.reply=yes --csv beside.csv --json beside.json
json "JSON has it once" "[c['ranks'] for c in j['points'][0]['runs'][0]['details']['collectives']]" '[8]' cat beside.json
holds "the operation has its own time" beside.csv \
	'f("makespan[ai request]") > 40000 and f("repetition[ai request]") == f("makespan[ai request]") and r["makespan"] == ""'
ok "cycles" heddle sim dragonfly:a=4,p=2,h=2 -s run.clock=cycles -s run.warmup=0 -s run.measure=1000000 -s link.bandwidth=1 \
	-s traffic.packet=64 -s switch.buffer='4 packets' -s traffic.pattern=collective:alltoall,size=4KiB,compute=100,unit=8 --csv -
like "no time in cycles" "$(heddle sim dragonfly:a=4,p=2,h=2 -s run.clock=cycles \
	-s traffic.pattern=collective:barrier,compute=1us 2>&1)" "compute: '1us' is no number of cycles"

ok "a training job, ranks in random order" heddle sim dragonfly:a=4,p=2,h=2 "${whole[@]}" --csv train.csv --json train.json \
	-s traffic.pattern=training:tp=2,pp=4,ep=3,layers=4,micro=3,parameters=1MiB,activation=64KiB,order=random,repeat=3,compute=10us
holds "its messages: 12 all-to-alls of 3, 6 shifts, two rings of 9, for 72 ranks, three times" train.csv \
	'f("messages") == 3 * 72 * (12 * 2 + 6 + 2 * 8) and f("repetitions") == 3 and r["bus_use"] == ""'

# Shifts are free of contention in a whole fat tree by dmodc, random orders are not.
orders="in-order random:1 random:2"
for order in $orders; do
	heddle sim tree:k=4,n=3 -e dmodc "${whole[@]}" --csv "$order.csv" -s "traffic.pattern=$(printf ", collective:%s,order=$order" \
		sendrecv alltoall,algorithm=pairwise alltoall,algorithm=direct | cut -c3-)" >/dev/null
done
heddle sim tree:k=4,n=3 -e dmodc "${whole[@]}" --csv alone.csv -s "traffic.pattern=collective:sendrecv,hosts=0+63" >/dev/null
is "a message over the whole tree takes as long as alone" "$(cell in-order.csv makespan)" "$(cell alone.csv makespan)"
holds "links are full" in-order.csv 'f("bus_use") > 0.89'
holds "no message of an exchange of pairs waits" in-order.csv 'f("network_latency_max") < 1561 or "direct" in r["traffic.pattern"]'
holds "random orders wait for one another" random:1.csv 'f("bus_use") < 0.56'
holds "another one, too" random:2.csv 'f("bus_use") < 0.56'

# Repetitions, in JSON, too; lists of hosts
ok "three repetitions" heddle sim tree:k=8,n=1 -e dmodc "${whole[@]}" --no-time --json three.json --csv three.csv \
	-s traffic.pattern=collective:allreduce,size=256KiB,repeat=3,compute=1us
first="j['points'][0]['runs'][0]['details']"
json "each has its time" "[(t['begin'], t['end']) for t in ${first}['collectives'][0]['repetitions']]" \
	"[(1000.0, 117256.0), (118256.0, 234512.0), (235512.0, 351768.0)]" cat three.json
json "what it was" "[${first}['collectives'][0][k] for k in ('operation', 'algorithm', 'ranks', 'bytes', 'messages', 'class')]" \
	"['allreduce', 'ring', 8, 262144, 336, 'all']" cat three.json
json "times of messages by size" "[(s['bytes_at_most'], s['messages'], s['p99']) for s in ${first}['completion_times']]" \
	"[(65536, 336, 8304.0)]" cat three.json
holds "bus bandwidth: size by time, times 2 (n - 1) / n" three.csv \
	'abs(f("bus_bandwidth") - 262144 * 7 / 4 / (f("repetition") - 1000)) < 1e-6 and abs(f("bus_use") - f("bus_bandwidth") / 4) < 1e-9'
holds "a repetition takes a third" three.csv 'f("repetition") * 3 == f("makespan") == 351768 and f("messages") == 336'
ok "ranks in another order" heddle sim tree:k=8,n=1 -e dmodc "${whole[@]}" --csv list.csv \
	-s traffic.pattern=collective:sendrecv,hosts=7+0..3+5
holds "six messages" list.csv 'f("messages") == 6'

# Traces have flow completion times, too: three packets and one
printf '0 0 1 12288\n0 2 3 64\n' >two.trace
ok "a trace" heddle sim tree:k=8,n=1 -e dmodc "${whole[@]}" --csv trace.csv -s traffic.pattern=trace:two.trace --json trace.json
holds "its messages" trace.csv 'f("fct_mean") == (3184 + 128) / 2'
json "by size" "[(s['bytes_at_most'], s['mean']) for s in ${first}['completion_times']]" "[(4096, 128.0), (65536, 3184.0)]" \
	cat trace.json

# Threads and processes change nothing.
pattern=collective:alltoall,size=64KiB,order=random
for j in 1 3; do
	heddle sim tree:k=4,n=2 -e dmodc "${whole[@]}" -s traffic.pattern=$pattern -s run.seeds=1..3 -j $j --no-time --csv j$j.csv >/dev/null
done
ok "one process or three" cmp j1.csv j3.csv
heddle sim tree:k=4,n=2 -e dmodc "${whole[@]}" -s traffic.pattern=$pattern -s run.seeds=1..3 -j 2 --threads 2 --no-time --csv t.csv \
	>/dev/null 2>err
ok "two threads" cmp j1.csv t.csv
like "a note" "$(<err)" 'stay on one thread: the traffic of a host depends on that of others'

# An operation that does not end is told of: too short a window, and a rank that nobody reaches.
ok "a short window" heddle sim tree:k=4,n=2 -e dmodc -s run.warmup=0 -s run.measure=10us -s traffic.pattern=collective --csv short.csv
like "it is said" "$(<"$scratch/.err")" 'in 1 of 1 runs the application or operation did not come to its end'
is "it has no makespan" "$(cell short.csv makespan)$(cell short.csv bus_use)" ""
is "no repetition is over" "$(cell short.csv repetitions)" 0

heddle route tree:k=2,n=2 -e dmodc -o lost >/dev/null
sed -i "9d; 10s/8 lids/7 lids/" lost/opensm-lfts.dump
ok "tables without a path" heddle sim lost "${whole[@]}" -s traffic.pattern=collective:alltoall,size=64KiB,repeat=2 --csv lost.csv
like "it is said, and that packets were lost" "$(<"$scratch/.err")" 'did not come to its end.*unless packets were lost'
holds "and the row says so" lost.csv 'f("dropped") > 0 and f("repetitions") == 0 and r["repetition"] == ""'

for bad in "allgather,algorithm=tree:algorithm: no 'tree' for allgather (known are bruck, direct, doubling, pairwise, ring, shifted)" \
	"none:op: 'none' is none of allreduce, allgather" "alltoall,algorithm=pairwise:alltoall by pairwise takes a power of two ranks, not 72" \
	"allreduce,size=1.5KB:size: '1.5KB' is no amount of data" \
	"allreduce,size=2TiB:size: 2TiB is out of range" "barrier,chunks=2:chunks: a barrier has no data to cut" \
	"broadcast,group=8:group: only for allreduce" "allreduce,group=7:72 ranks are no whole groups of 7" \
	"allreduce,window=2:window: only for algorithms in rounds" "allreduce,order=odd:order: 'odd' is none of in-order" \
	"allreduce,repeat=0:0 is not in 1" "allreduce,hosts=3:two at least take part" \
	"allreduce,compute=-1us:compute: '-1us' is no time" \
	"allreduce,compute=1666666666666666666666666666666666666us:compute: 1666666666666666666666666666666666666us is out of range"; do
	says "${bad%%:*}" "$(sed 's/[()]/\\&/g' <<<"${bad#*:}")" heddle sim dragonfly:a=4,p=2,h=2 \
		-s "traffic.pattern=collective:$(sed 's/\\$//' <<<"${bad%%:*}")" --csv never.csv
done
for bad in "dp=3:dp x tp x pp = 3 ranks are not the 72 hosts" "ep=7:ep: 7 does not divide dp, which is 72" \
	"pp=3:pp: 3 does not divide layers, which are 8" "tp=72:nothing passes links" "layers=0:0 is not in 1" \
	"tp=2,micro=4096,layers=4096,activation=16TiB,local=.001:local: ranks of a node exchange data for too long" \
	"micro=4096,layers=4096,ep=2:67108864 operations in an iteration are too many"; do
	says "training, ${bad%%:*}" "${bad#*:}" heddle sim dragonfly:a=4,p=2,h=2 -s "traffic.pattern=training:${bad%%:*}" --csv never.csv
done
ok "nothing is written" test ! -e never.csv

finish
