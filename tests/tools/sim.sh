#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# heddle sim
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99
short=(-s run.warmup=20us -s run.measure=100us)

# column FILE NAME: the cells of a CSV column, on a line
column() {
	python3 -c 'import csv, sys
print(*(row[sys.argv[2]] for row in csv.DictReader(open(sys.argv[1]))))' "$1" "$2"
}

# holds NAME FILE EXPRESSION: of every row r of a CSV file, with f(NAME) a number
holds() {
	is "$1" "$(python3 -c 'import csv, sys
rows = list(csv.DictReader(open(sys.argv[1])))
print(all(eval(sys.argv[2], {"r": r, "f": lambda c, r=r: float(r[c])}) for r in rows) and len(rows) > 0)' \
		"$2" "$3" 2>&1)" True
}

# one point
ok "one run" heddle sim $dragonfly -e dla -s traffic.load=0.5 --csv one.csv
like "one run prints all measures" "$(cat .out)" 'offered +0\.[0-9]+ +share.*accepted .*latency_mean .* ns'
holds "what is offered below saturation arrives" one.csv \
	'abs(f("offered") - 0.5) < 0.02 and abs(f("accepted") - f("offered")) < 0.01'
holds "columns agree" one.csv \
	'f("latency_min") <= f("latency_p50") <= f("latency_p99") <= f("latency_max") and f("network_latency_mean") <= f("latency_mean") and abs(f("packet_hops") / f("packets") - f("hops_mean")) < 0.05 and f("saturated") == f("deadlock") == f("dropped") == 0'
is "every key and result is a column" "$(head -n 1 one.csv | tr , '\n' | paste -s -d ' ')" \
	"$({
		heddle list scenario | awk '{ print $1 }' | grep -v -e '^plot' -e '^run.seeds' -e '^run.series' -e '^run.flows'
		echo seed
		heddle list results | awk '{ print $1 }' | grep -v 'CLASS'
	} | paste -s -d ' ')"
ok "nothing under way is left" test ! -e one.csv.partial

# what a packet costs beside its length
ok "a header" heddle sim tree:k=4,n=1 -e minhop "${short[@]}" -s switch.model=hierarchical -s traffic.packet=128B \
	-s traffic.header=0,26 -s traffic.load=1 --csv header.csv
is "takes the links' time" "$(column header.csv accepted | awk '{ print ($2 / $1 > 0.80 && $2 / $1 < 0.85) }')" 1
for pair in cioq,traffic.header=26 cioq,link.gap=1ns hierarchical,switch.reads=2; do
	not_ok "$pair" 2 heddle sim $dragonfly -e dla -s "switch.model=${pair%,*}" -s "${pair#*,}"
	like "$pair: which key" "$(cat .err)" "^heddle: $(cut -d , -f 2 <<<"${pair%=*}"): switch model ${pair%,*} "
done

# an option of the switch model is told before anything is routed
says "queues that are none" "switch.model: queues: 'x' is none of port, vl" \
	heddle sim nowhere.net -e hdor -s switch.model=cioq:queues=x
says "queues before links, and those by destination" "switch.model: queues by destination have credits of their own" \
	heddle sim nowhere.net -e hdor -s switch.model=cioq:queues=vl -s switch.buffering=voqnet

for pair in routing.adaptive=minimal switch.damq=yes switch.arbiter=age switch.latency=1ns run.parts=yes link.gap=1ns; do
	not_ok "vc, $pair" 2 heddle sim torus:4x4 -e hdor -s switch.model=vc -s "$pair"
	like "vc, $pair: one line" "$(cat .err)" '^heddle: [^ ]*: switch model vc [^'$'\n'']*$'
done
ok "vc: a packet longer than its buffers" heddle sim $dragonfly -e dla "${short[@]}" -s switch.model=vc:vcs=4 \
	-s switch.buffer=1KiB -s traffic.load=0.2 --csv vc.csv
holds "vc: arrives" vc.csv 'abs(f("accepted") - f("offered")) < 0.02 and f("dropped") == f("deadlock") == 0'
for jobs in 1 2; do
	heddle sim tree:k=4,n=2 -e dmodc "${short[@]}" -s switch.model=vc:up=two -s traffic.load=0.2,0.5,0.9 -j $jobs --no-time \
		--csv vc-$jobs.csv >/dev/null
done
ok "vc: runs side by side" cmp vc-1.csv vc-2.csv
heddle sim $dragonfly -e dla "${short[@]}" -s switch.model=vc -s traffic.load=0.5 --csv looked.csv --no-time --trace 5 >vc.steps
heddle sim $dragonfly -e dla "${short[@]}" -s switch.model=vc -s traffic.load=0.5 --csv blind.csv --no-time >/dev/null
ok "vc: looking on changes nothing" cmp looked.csv blind.csv
like "vc: a packet's steps" "$(grep 'packet 5 ' vc.steps | tail -n 1)" 'is taken in by'

# the life of packets
ok "a packet's life" heddle sim $dragonfly -e dla "${short[@]}" --trace 5 --csv traced.csv
like "its steps" "$(grep 'packet 5 ' .out | sed 's/.*packet 5  //' | tr '\n' ';')" \
	'^generated at H-[0-9]+ for H-[0-9]+, 64 units;(leaves by [^;]* on VL [01] \(LID [0-9]+, SL 0\);is at [^;]* on VL [01];)+leaves by [^;]*;is taken in by H-[0-9]+\[1\] after [2-5] links;$'
heddle sim $dragonfly -e dla "${short[@]}" --csv untraced.csv --no-time >/dev/null
heddle sim $dragonfly -e dla "${short[@]}" --csv traced.csv --no-time --trace 5 >/dev/null
ok "looking on changes nothing" cmp traced.csv untraced.csv
ok "a host's packets" heddle sim $dragonfly -e dla "${short[@]}" --trace H-00010
is "as many leave as are taken in, but those under way at the end" \
	"$(awk '/leaves by H-00010/ { n++ } /is taken in/ { n-- } END { print (n >= 0 && n < 5) }' .out)" 1
unusable "no such packet" heddle sim $dragonfly "${short[@]}" --trace 100000000
unusable "packet 0" heddle sim $dragonfly "${short[@]}" --trace 0
unusable "no such host" heddle sim $dragonfly "${short[@]}" --trace H-99999
unusable "packets of several runs" heddle sim $dragonfly "${short[@]}" -s run.seeds=1..2 --trace 1

# a snapshot, a netfile, a scenario
ok "a snapshot" heddle route $dragonfly -e dla -o snapshot
ok "the run of a snapshot" heddle sim snapshot -s traffic.load=0.5 --csv snapshot.csv
ok "and of its netfile" heddle sim snapshot/fabric.net -e dla -s traffic.load=0.5 --csv netfile.csv
ok "and of the snapshot, routed anew" heddle sim snapshot -e dla -s traffic.load=0.5 --csv anew.csv
ok "and of its netfile on standard input" bash -c \
	'heddle sim - -e dla -s traffic.load=0.5 --csv stdin.csv <snapshot/fabric.net'
for file in snapshot netfile stdin anew; do
	is "$file: the same traffic" "$(column $file.csv latency_mean)" "$(column one.csv latency_mean)"
done
ok "a snapshot of several LIDs" heddle route $dragonfly -e dfval -o several
ok "its run" heddle sim several "${short[@]}" -s traffic.load=0.5 --csv several.csv
ok "that of its engine" heddle sim $dragonfly -e dfval "${short[@]}" -s traffic.load=0.5 --csv engine.csv
is "hosts choose LIDs alike" "$(column several.csv latency_mean)" "$(column engine.csv latency_mean)"
cp -r snapshot starved && sed -i 's/ 1:64$//' starved/opensm-vlarb.dump
like "a snapshot whose VL arbitration starves a VL: said on stderr" \
	"$(heddle sim starved "${short[@]}" -s traffic.load=0.1 2>&1 >/dev/null)" \
	'starved: VL arbitration starves [0-9]+ lanes in use, VL 1 of .* the first'
is "once for a sweep" "$(heddle sim starved "${short[@]}" -j 2 -s traffic.load=0.1,0.2 2>&1 >/dev/null |
	grep -c starves)" 1
cp -r snapshot lacking && rm lacking/path-sl.dump
ok "a snapshot without path SLs" heddle sim lacking "${short[@]}" -j 2 -s traffic.load=0.1,0.2
is "it is said once" "$(grep -c 'no path-sl.dump' .err)" 1
# options of engines: behind the name, as in heddle route, or with -O
heddle sim tree:k=3,n=2 "${short[@]}" --csv - --quiet --no-time -s routing.adaptive=ar -e dmodc:ar=yes,ar_state=bounded,updn:ar=yes >options.csv
is "engines with options" "$(column options.csv routing.engine)" "dmodc:ar=yes,ar_state=bounded updn:ar=yes"
is "options in one place or the other" "$(heddle sim tree:k=3,n=2 "${short[@]}" --csv - --quiet --no-time -s routing.adaptive=ar -e dmodc -O ar=yes -O ar_state=bounded | column /dev/stdin accepted)" "$(column options.csv accepted | cut -d ' ' -f 1)"
own_hosts="$dragonfly --csv - --quiet --no-time -s routing.lmc=3 -s traffic.load=0.7"
# shellcheck disable=SC2086 # words
is "the engine's policy for hosts goes with it" \
	"$(heddle sim $own_hosts "${short[@]}" -e dfval:minimal=on | column /dev/stdin latency_mean)" \
	"$(heddle sim $own_hosts "${short[@]}" -e dfval -O minimal=on | column /dev/stdin latency_mean)"
unusable "no such option of the engine" heddle sim tree:k=3,n=2 -e dmodc:ra=yes

cat >sweep.ini <<'END'
[fabric]   topology = dragonfly:a=4,p=2,h=2
[routing]  engine = dla
[link]     bandwidth = 32Gbps   propagation = 6ns
[switch]   voq = yes, no   buffer = 1, 4 packets   latency = 100ns
[traffic]  pattern = uniform   load = 0.0:1.0:0.25   packet = 4KiB
[run]      warmup = 20us   measure = 100us   seeds = 1..2
[plot]     x = load   series = voq
END
printf '0 0 1 4096\n100 1 0 4096 received 0\n' >trace.txt
cat >trace.ini <<-EOF
	[traffic]
	pattern = trace:trace.txt,ticks=1000
	[run]
	warmup = 0
	measure = 5us
	buffers = yes
EOF
ok "a trace" heddle sim trace.ini --quiet --no-time --csv trace.csv --json trace.json
is "execution time of a trace" "$(column trace.csv makespan)" 2372
ok "a trace beside traffic that never ends" heddle sim trace.ini --quiet --no-time --csv beside.csv \
	-s 'traffic.classes=app load=0 pattern=trace:trace.txt,ticks=1000 then other load=0.1 pattern=uniform'
is "its packets" "$(column beside.csv 'packets[app]')" 2
holds "its execution time" beside.csv '2372 <= f("last_arrival[app]") < f("last_arrival[other]") and not r["makespan"]'
json "JSON: throughput of switches" "[s['accepted'] > 0 for s in j['points'][0]['runs'][0]['details']['switches']]" \
	"[True]" cat trace.json
json "JSON: fullness of buffers" "sorted(j['points'][0]['runs'][0]['details']['buffers']['behind'])" \
	"['ejection', 'global', 'injection', 'local']" cat trace.json

ok "a sweep" heddle sim sweep.ini --quiet --no-time -j 1 --csv sweep.csv --json sweep.json --plot sweep.svg
cp .out sweep.out
is "a line for every run" "$(wc -l <sweep.csv)" 41
is "a line for every point" "$(wc -l <sweep.out)" 21
is "the last key fastest, then seeds" "$(column sweep.csv traffic.load | cut -d ' ' -f 1-12)" \
	"0 0 0.25 0.25 0.5 0.5 0.75 0.75 1 1 0 0"
is "seeds" "$(column sweep.csv seed | cut -d ' ' -f 1-4)" "1 2 1 2"
like "means with confidence" "$(cat sweep.out)" '± 0\.0'
holds "loads are what they should be" sweep.csv 'abs(f("offered") - f("traffic.load")) < 0.08 and f("accepted") < 1.01'
ok "the plot is SVG" grep -q '</svg>' sweep.svg
like "the legend tells curves apart" "$(cat sweep.svg)" 'voq yes.*voq no'
json "JSON: points and runs" "(len(j['points']), len(j['points'][0]['runs']))" "(20, 2)" cat sweep.json
json "JSON: units" "(j['scenario']['link.bandwidth']['unit'], j['columns']['latency_mean']['unit'])" \
	"('bit/s', 'ns')" cat sweep.json
json "JSON: parameters of a point" "j['points'][3]['parameters']['traffic.load']" 0.75 cat sweep.json
json "JSON: conservation" "all((lambda c: c['generated'] == c['queued'] + c['under_way'] + c['delivered'] + c['dropped'])(r['details']['census']) for p in j['points'] for r in p['runs'])" \
	True cat sweep.json
json "JSON: classes add up" "all(sum(c['packets'] for c in r['details']['classes']) == r['results']['packets'] == sum(n for _, _, n in r['details']['all']['latency']['histogram']) for p in j['points'] for r in p['runs'])" \
	True cat sweep.json
json "JSON: links and VLs" "sorted(j['points'][4]['runs'][0]['details']['links']['local']['vls'])" \
	"['0', '1']" cat sweep.json
json "JSON: the time series" "len(j['points'][4]['runs'][0]['details']['series'])" 10 cat sweep.json

# windows: given, and extended until they are steady
adversarial=(heddle sim "$dragonfly" -e dla -s traffic.pattern=adversarial -s traffic.load=0.3)
ok "a window that is too early" "${adversarial[@]}" -s run.measure=200us
like "it is told" "$(cat .err)" '1 of 1 runs are not shown to be steady'
like "and printed" "$(cat .out)" 'steady +no '
ok "a window that is extended" "${adversarial[@]}" -s run.measure=auto --json auto.json
is "it is steady" "$(cat .err)" ""
like "as is printed" "$(cat .out)" 'steady +yes '
json "JSON: and how long it is" "(lambda r: (r['results']['steady'], r['results']['window'] == r['details']['series'][0]['begin']))(j['points'][0]['runs'][0])" \
	"(True, True)" cat auto.json
ok "one that was never steady" "${adversarial[@]}" -s run.measure=200us,auto -s run.longest=900us --csv never.csv
is "columns: it says so" "$(column never.csv steady) $(column never.csv window)" "0 0 200000 400000"
is "so does the table" "$(grep -c 'saturated, not steady' .out)" 2
ok "several seeds" heddle sim $dragonfly -e dla -s run.seeds=1..10 -s run.warmup=20us -s run.measure=20us --quiet --csv seeds.csv
like "a flag of some" "$(column seeds.csv steady | tr -d ' ') $(cat .out)" '^(1+ .*steady +yes|0+ .*steady +no|[01]*(01|10)[01]* .*steady +partly)'
says "auto without a warm-up" "run.warmup: run.measure = auto needs one" heddle sim $dragonfly -s run.measure=auto -s run.warmup=0

# whatever the number of threads
ok "four threads" heddle sim sweep.ini --quiet --no-time -j 4 --csv four.csv --json four.json
same "four threads: the same CSV" sweep.csv four.csv
same "four threads: the same JSON" sweep.json four.json
same "four threads: the same table" sweep.out .out

# going on: a run half written, and one of another sweep, are done anew
head -n 20 sweep.csv >resumed.csv.partial
sed -n 21p sweep.csv | cut -c 1-200 | tr -d '\n' >>resumed.csv.partial
ok "resume" heddle sim sweep.ini --quiet --no-time --resume --csv resumed.csv
same "resume: the same CSV" sweep.csv resumed.csv
same "resume: the same table" sweep.out .out
head -n 11 sweep.csv >fewer.csv
ok "resume from a CSV of fewer runs" heddle sim sweep.ini --quiet --no-time --resume --csv fewer.csv
same "resume from fewer: the same CSV" sweep.csv fewer.csv
python3 -c 'import csv, sys
rows = list(csv.reader(open("sweep.csv")))
column = rows[0].index("events")
csv.writer(open("all.csv", "w"), lineterminator="\n").writerows(
	[rows[0]] + [row[:column] + ["7"] + row[column + 1:] for row in rows[1:]])'
cp all.csv wanted.csv
ok "resume with nothing left" heddle sim sweep.ini --quiet --no-time --resume --csv all.csv
same "resume with nothing left: nothing is run" all.csv wanted.csv
ok "resume with nothing left: no partial file" test ! -e all.csv.partial
echo "a,b" >other.csv
says "resume from another CSV" "other.csv:1: not the CSV of such a sweep" \
	heddle sim sweep.ini --resume --csv other.csv
is "which is left alone" "$(cat other.csv)" "a,b"
says "resume without CSV" "--resume needs --csv" heddle sim sweep.ini --resume
ok "an interrupted sweep" timeout -s KILL 60 bash -c '
	heddle sim sweep.ini --quiet -j 1 -s run.measure=2ms -s run.seeds=1..40 --no-time --csv killed.csv &
	while [ "$(wc -l 2>/dev/null <killed.csv.partial || echo 0)" -lt 4 ]; do sleep 0.05; done
	kill -9 $!; wait $! 2>/dev/null; true'
ok "it left no CSV" test ! -e killed.csv
ok "but what was done" test -s killed.csv.partial

# what tables promise, in a line
brief=(-s traffic.load=0.1 -s run.warmup=1us -s run.measure=5us --csv -)
credit_loop() { heddle sim "$@" "${brief[@]}" 2>&1 >/dev/null | grep -c 'heddle: the tables have a credit loop, of [0-9]* channels'; }
is "a credit loop is told" "$(credit_loop torus:5x5 -e minhop)" 1
is "with bubbles, too" "$(credit_loop torus:5x5 -e minhop -s switch.bubble=yes)" 1
is "not of sound tables" "$(credit_loop torus:5x5 -e hdor)" 0
is "nor of queues by destination" "$(credit_loop torus:5x5 -e minhop -s switch.buffering=voqnet)" 0
like "tables that bubbles alone keep going" \
	"$(heddle sim torus:5x5 -e hdor -s routing.layers=single -s switch.bubble=yes "${brief[@]}" 2>&1 >/dev/null)" \
	'the tables are free of deadlock by bubble flow control alone, on 20 rings of a VL: InfiniBand has none'

# deadlock: 72 hosts, small buffers
not_ok "minhop deadlocks" 1 heddle sim $dragonfly -e minhop -s switch.buffer=1 -s traffic.load=1 --csv deadlock.csv
like "its cycle is printed" "$(grep deadlock: .err)" '^heddle: deadlock: (G[0-9]S[0-9]\[[0-9]+\] VL 0 -> )+'
is "and closed" "$(sed -n '/deadlock:/s/.*deadlock: \([^ ]*\) .*-> \([^ ]*\) VL 0$/\1 \2/p' .err | awk '{ print $1 == $2 }')" 1
is "the row says so" "$(column deadlock.csv deadlock)" 1
not_ok "a sweep with deadlocks says where" 1 heddle sim $dragonfly -e dla,minhop -s switch.buffer=1 \
	-s traffic.load=0.1,1 --csv both.csv
like "its point" "$(cat .err)" 'deadlock at routing.engine=minhop, traffic.load=1: G'
is "and goes on" "$(column both.csv deadlock)" "0 0 0 1"
ok "dla never deadlocks" heddle sim $dragonfly -e dla -s switch.buffer=1 -s switch.voq=yes,no \
	-s traffic.load=1 -s run.measure=4ms

# cycles
ok "cycles" heddle sim $dragonfly -s run.clock=cycles -s link.propagation=10 -s traffic.load=0.01 \
	-s run.measure=200000 --csv cycles.csv
holds "cycles: zero-load latency" cycles.csv 'f("latency_min") == 2 * 10 + 10 + 16'
like "cycles: their unit" "$(cat .out)" 'latency_mean +[0-9.]+ +cycles'

# buffers for a whole port: divided among the VLs that hosts' packets are on
port=("kns:k=4,n=2" -s host.admittance=destination -s traffic.load=0.9 "${short[@]}")
while read -r engine queues packets; do
	heddle sim "${port[@]}" -e "$engine" -s "routing.queues=$queues" -s 'switch.buffer=128 KiB per port' \
		-s 'host.injection=128KiB per port' --csv port.csv --quiet
	heddle sim "${port[@]}" -e "$engine" -s "routing.queues=$queues" -s switch.buffer="$packets" \
		-s host.injection="$packets" --csv each.csv --quiet
	for column in accepted latency_mean lid_changes packet_hops; do
		is "$engine $queues: $packets packets for each VL: $column" "$(column port.csv $column)" "$(column each.csv $column)"
	done
done <<-END
	hdor single:1 32
	hdor bbq:4 8
	osha single:1 16
	sasha dbbq:2 8
END
heddle sim "${port[@]}" -e osha -s 'switch.buffer=64, 128 KiB per port' --csv port.csv --quiet
is "a unit of all values" "$(column port.csv switch.buffer | xargs)" "64 KiB per port 128 KiB per port"
heddle sim torus:4x4 -e hdor "${short[@]}" -s traffic.load=1 -s switch.bubble=yes -s 'switch.buffer=8KiB per port' --csv bubble.csv --quiet
is "two packets for a bubble" "$(column bubble.csv deadlock)" 0
says "less than a packet for each VL" "switch.buffer: a port's buffer of 64 units has no room for a packet of 64 on each of 2 VLs" \
	heddle sim "${port[@]}" -e osha -s 'switch.buffer=4KiB per port'
says "the same of hosts" "host.injection: a host's 1 packets have no room for one on each of 2 VLs" \
	heddle sim "${port[@]}" -e osha -s 'host.injection=1 per port'
says "output buffers are no matter of VLs" "'1 packets per port' has an unknown unit" \
	heddle sim "${port[@]}" -e osha -s 'switch.output=1 packets per port'
says "not twice" "there is a buffer for each VL, too" \
	heddle sim "${port[@]}" -e osha -s switch.port_buffer=128KiB -s 'switch.buffer=128KiB per port'
# hosts that choose a network
for policy in random leastoccupied:ties=first outstanding outstanding:delay=0 xmitwait xmitwait:interval=1us xmitwait:interval=5us,bits=32; do
	heddle sim "${port[@]}" -e osha -s "host.policy=$policy" --csv policy.csv --quiet
	holds "host.policy=$policy" policy.csv 'f("accepted") > 0.5 and 0 < f("lid_changes") < 977'
done
heddle sim "${port[@]}" -e osha -s 'host.policy=xmitwait:interval=1us,bits=8, roundrobin' --csv policy.csv --quiet
is "options in a sweep" "$(column policy.csv host.policy | xargs)" "xmitwait:interval=1us,bits=8 roundrobin"
# LIDs by size: shortest paths have four links at most with those of hosts, and 3.6 in the mean
heddle sim hyperx:4x4 -e parx -s traffic.load=0.2 -s traffic.packet=256B,4KiB -s run.warmup=20us -s run.measure=100us --csv size.csv --quiet
holds "small packets go straight" size.csv 'r["traffic.packet"] != "256B" or (f("hops_max") == 4 and f("hops_mean") < 3.7)'
is "large ones take detours" "$(column size.csv hops_max | xargs)" "4 5"
ok "LIDs by size in cycles" heddle sim hyperx:4x4 -e parx -s run.clock=cycles -s host.policy=size:small=32 -s run.warmup=500 -s run.measure=2000
heddle sim torus:4x4 -e osha -s host.policy=size -s host.admittance=destination -s traffic.load=0.2 -s run.warmup=20us \
	-s run.measure=100us --csv size.csv --quiet
holds "any LID where all paths are equally long" size.csv 'f("lid_changes") > 0 and f("hops_max") == 6'
ok "in cycles" heddle sim "${port[@]}" -e osha -s run.clock=cycles -s host.policy=xmitwait:interval=500 -s run.warmup=5000 -s run.measure=5000
while IFS='|' read -r policy words; do
	says "host.policy=$policy" "host.policy: $words" heddle sim "${port[@]}" -e osha -s "host.policy=$policy"
done <<-END
	xmitwait:interval=0|interval: takes no time
	xmitwait:interval=3|interval: '3' has no unit
	xmitwait:bits=33|bits: 33 is not in 1..32
	xmitwait:delay=3us|xmitwait has no option 'delay'
	outstanding:delay=x|delay: 'x' is not a number
	size:small=x|small: 'x' is not a number
	leastoccupied:ties=last|ties: 'last' is none of turn, first
	random:1|random: '1' is not key=value
END

# what cannot be
# bubble flow control
ring=(torus:4x4 -e hdor -s routing.layers=single -s routing.options=ties=up -s traffic.load=1 -s run.warmup=50us
	-s run.measure=200us)
ok "a torus without datelines, with bubbles" heddle sim "${ring[@]}" -s switch.bubble=yes -s switch.buffer=2
not_ok "without bubbles it deadlocks" 1 heddle sim "${ring[@]}" -s switch.buffer=2
heddle route torus:4x4 -e hdor -l single -O ties=up -q xordet:4 -o ring --force >/dev/null
ok "tables of a snapshot, with queues" \
	heddle sim ring "${short[@]}" -s traffic.load=1 -s switch.bubble=yes -s switch.buffer=2 -s switch.voq=yes
heddle sim torus:5x5 -e osha "${short[@]}" -s traffic.load=1 -s switch.bubble=no,yes --csv bubble.csv --quiet
is "both of a sweep" "$(column bubble.csv switch.bubble | xargs) $(column bubble.csv deadlock | xargs)" "no yes 0 0"
for bubble in no yes; do
	heddle sim torus:5x5 -e osha "${short[@]}" -s traffic.load=1 -s switch.bubble=$bubble --csv $bubble.csv --quiet
done
is "each with its lanes" "$(column bubble.csv latency_mean)" "$(column no.csv latency_mean) $(column yes.csv latency_mean)"
says "buffers of one packet" "switch.buffer: two packets do not fit the buffer" \
	heddle sim "${ring[@]}" -s switch.bubble=yes -s switch.buffer=1
ok "queues before links, with bubbles: room for a packet behind links" \
	heddle sim "${ring[@]}" -s switch.model=cioq:queues=vl -s switch.bubble=yes -s switch.buffer=1 -s switch.output=2
says "and for two in the queues" "switch.output: two packets do not fit the queue of a VL" \
	heddle sim "${ring[@]}" -s switch.model=cioq:queues=vl -s switch.bubble=yes -s switch.buffer=2 -s switch.output=1
says "buffers that are shared" "switch.bubble: with switch.damq" \
	heddle sim "${ring[@]}" -s switch.bubble=yes -s switch.damq=yes
ok "without bubbles, with a queue per destination" heddle sim "${ring[@]}" -s switch.buffer=2 -s switch.buffering=voqnet
says "queues per destination that are shared" "queues by destination have room of their own" \
	heddle sim "${ring[@]}" -s switch.buffering=voqnet -s switch.damq=yes
says "queues per destination, and ways by choice" "switches with a queue per output" \
	heddle sim torus:4x4 -e hdor "${short[@]}" -s switch.buffering=voqnet -s routing.adaptive=minimal -s routing.vcs=flexvc
says "more queues than memory has" "1 VLs x 16384 LIDs are .* queues, and there may be 134217728" \
	heddle sim torus:32x32,p=16 -e hdor -s routing.layers=single -s switch.buffering=voqnet
says "packets whose VCs are in no groups" "with bubble flow control packets that choose have VCs by groups" \
	heddle sim "${ring[@]}" -s switch.bubble=yes -s routing.adaptive=dal
says "packets of two sizes" "switch.bubble: packets are of several sizes" \
	heddle sim "${ring[@]}" -s switch.bubble=yes -s 'traffic.phases=uniform packet=2KiB until=10us then uniform'
says "no rings" "switch.bubble: bubble flow control is for rings, and this fabric has none" \
	heddle sim mesh:4x4 -e hdor -s switch.bubble=yes
says "a word that is none" "switch.bubble" heddle sim torus:4x4 -e hdor -s switch.bubble=two

says "no input" "no SNAPSHOT, FABRIC or SCENARIO" heddle sim
says "unknown key" "bad.ini:3: .*no key 'lod'" bash -c 'printf "[traffic]\n\nlod = 1\n" >bad.ini; heddle sim bad.ini'
says "impossible value" "bad.ini:2: traffic.load: 2 is out of range" \
	bash -c 'printf "[traffic]\nload = 2\n" >bad.ini; heddle sim bad.ini'
says "a packet that no buffer takes" "bad.ini:2: switch.buffer: a packet does not fit" \
	bash -c 'printf "[switch]\nbuffer = 1KiB\n" >bad.ini; heddle sim bad.ini'
says "a pattern that does not go with the fabric" "bad.ini:2: traffic.pattern: .*no power of two" \
	bash -c 'printf "[traffic]\npattern = bitreverse\n" >bad.ini; heddle sim bad.ini'
says "a mix without shares" "bad.ini:2: traffic.pattern: mix: 'uniform' is no SPEC\*SHARE" \
	bash -c 'printf "[traffic]\npattern = mix:uniform+shift*1\n" >bad.ini; heddle sim bad.ini'
says "a mix in a phase" "bad.ini:2: traffic.phases: mix: the shares of its parts add up to 0.9, not 1" \
	bash -c 'printf "[traffic]\nphases = uniform until=1us then mix:uniform*0.5+shift*0.4\n" >bad.ini; heddle sim bad.ini'
mixes='mix:uniform*0.5+adversarial:1*50%, mix:permutation*0.2+uniform*0.8'
mix=(heddle sim "$dragonfly" "${short[@]}" --no-time --csv - -s run.seeds=1..4 -s "traffic.pattern=$mixes")
is "mixes: the same with one thread and with eight" "$("${mix[@]}" -j 1)" "$("${mix[@]}" -j 8)"
says "a missing scenario" "none.ini" heddle sim none.ini
says "-s: unknown key" "no key 'traffic.lod'" heddle sim $dragonfly -s traffic.lod=1
says "-s: no value" "not section.key=value" heddle sim $dragonfly -s traffic.load
says "-s: impossible" "traffic.load: 'x' is not a number" heddle sim $dragonfly -s traffic.load=x
says "a snapshot that is none" "fabric.net" heddle sim "$scratch"
says "two to standard output" "standard output" heddle sim $dragonfly --csv - --json -
says "-j 0" "-j" heddle sim $dragonfly -j 0
is "a plot of one point, without a word of gnuplot" \
	"$(heddle sim --quiet $dragonfly "${short[@]}" --csv one.csv --plot one.svg 2>&1 >/dev/null)" ""
says "a plot of what" "neither .svg nor .png" heddle sim $dragonfly --plot curves.pdf
ok "a plot of a class" heddle sim --quiet kns:k=2,n=2 -e osha -s traffic.pattern=hotspot:osha -s traffic.load=0.1,0.2 "${short[@]}" \
	--plot class.svg -s 'plot.y=latency_mean[background]'
like "which it names" "$(cat class.svg)" 'latency mean\[background\]'
says "a plot of nothing" "plot.y: 'beauty' is no column" heddle sim $dragonfly --plot x.svg -s plot.y=beauty
says "a CSV nowhere" "cannot write" heddle sim $dragonfly "${short[@]}" --csv none/x.csv
not_ok "an engine that refuses" 1 heddle sim torus:4x4 -e dla
like "and why" "$(cat .err)" 'engine dla refuses: not a dragonfly'
ok "CSV to standard output" heddle sim $dragonfly "${short[@]}" --csv -
is "and nothing else" "$(wc -l <.out)" 2

# processes
if ! grep -q '^#define WITH_MPI 1' "$top_builddir/config.h"; then
	skip "processes" "configured without --with-mpi"
elif ! command -v mpirun >/dev/null; then
	skip "processes" "no mpirun"
else
	mpi=(timeout 120 mpirun --allow-run-as-root --oversubscribe -n 4)
	ok "four processes" "${mpi[@]}" heddle sim sweep.ini --quiet --no-time --csv mpi.csv --json mpi.json
	same "four processes: the same CSV" sweep.csv mpi.csv
	same "four processes: the same JSON" sweep.json mpi.json
	same "four processes: the same table" sweep.out .out
	deadlock=(heddle sim "$dragonfly" -e "minhop,dla" -s switch.buffer=1 -s traffic.load=1 --quiet)
	ok "four processes: a deadlock is no abort" "${mpi[@]}" "${deadlock[@]}" --csv mpi-deadlock.csv
	is "four processes: but told, once" "$(grep -c . .err) $(grep -c '^heddle: deadlock at' .err)" "1 1"
	is "four processes: and in the results" "$(column mpi-deadlock.csv deadlock)" "1 0"
	not_ok "four processes: mpirun -q hands its status on" 1 "${mpi[@]}" -q "${deadlock[@]}"
	is "four processes: and says nothing of its own" "$(grep -vc '^heddle: deadlock at' .err)" 0
	# mpirun knows no third way: it is silent of itself only where it hands nothing on
	ok "four processes: silenced otherwise, its status is 0" "${mpi[@]}" --mca orte_abort_on_non_zero_status 0 false
	is "four processes: and it says nothing" "$(cat .err)" ""
	ok "four processes: --help is no abort" "${mpi[@]}" heddle sim --help
	is "four processes: and says nothing else" "$(cat .err)" ""
	not_ok "four processes: an impossible scenario" 2 "${mpi[@]}" heddle sim bad.ini
	is "four processes: it is told once" "$(grep -c '^heddle: bad.ini:2' .err)" 1
	# one run, of which each process has a part
	together() { # NAME OPTION...: processes give the JSON and the table of one process
		local name=$1 n
		shift
		heddle sim "$dragonfly" -s run.warmup=10us -s run.measure=20us --no-time -j 1 --json alone.json "$@" >alone.out 2>alone.err
		for n in 2 3; do
			"${mpi[@]::${#mpi[@]}-1}" $n heddle sim "$dragonfly" -s run.warmup=10us -s run.measure=20us --no-time \
				--json together.json "$@" >together.out 2>together.err
			grep -v "^heddle: mpirun: " together.err >told.err
			is "$name in $n processes" "$(cmp alone.json together.json && cmp alone.out together.out && cmp alone.err told.err)" ""
		done
	}
	together "one run" -e dla -s traffic.load=0.6 -s traffic.reply=yes
	is "one run in processes: nothing stands in the way" "$(grep -c "mpirun: each" together.err)" 0
	together "a run that is extended" -e dla -s traffic.load=0.4 -s run.measure=auto
	together "packets that choose their paths" -e dla -s routing.adaptive=pb -s traffic.load=0.6
	together "a deadlock" -e minhop -s traffic.load=1 -s switch.buffer=1packets -s run.measure=1ms
	together "what is not divided" -e dla -s traffic.pattern=graph500:scale=8 -s run.measure=1ms
	like "what is not divided: users are told" "$(cat together.err)" \
		"heddle: mpirun: each process does all of the run: the traffic of a host depends on that of others"
fi

# Links run at the rates of the file: two hosts at each of two switches, and the link between these of half the rate
heddle topo mesh:2,p=2 -o mesh.net >/dev/null
awk '/^\[3\]/ { sub(/4xHDR/, "2xHDR") } { print }' mesh.net >half.net
rates() { # FILE OPTION...: accepted, share of the busiest link between switches, links between switches per packet
	heddle sim "$1" -e updn -s traffic.pattern=shift:2 -s traffic.load=1 -s run.measure=200us --quiet --csv - "${@:2}" |
		python3 -c 'import csv, sys
r = next(csv.DictReader(sys.stdin))
print(*("%.2f" % float(r[c]) for c in ("accepted", "local_max", "hops_local")))'
}
is "one rate" "$(rates mesh.net)" "0.50 1.00 1.00"
is "half the rate" "$(rates half.net)" "0.25 1.00 1.00"
is "half the rate, cioq" "$(rates half.net -s switch.model=cioq)" "0.25 1.00 1.00"
is "half the rate in cycles" "$(rates half.net -s run.clock=cycles -s run.measure=20000)" "0.25 1.00 1.00"
is "half the rate, packets that choose" "$(rates half.net -s routing.adaptive=minimal:tables -s routing.vcs=groups:single,1)" "0.25 1.00 1.00"
is "link.rates = same" "$(rates half.net -s link.rates=same)" "0.50 1.00 1.00"
is "a bandwidth for the class is what its links carry" "$(rates half.net -s link.bandwidth_local=64Gbps)" "0.98 0.98 1.00"
awk '/^\[3\]/ { sub(/4xHDR/, "8xHDR") } { print }' mesh.net >double.net
is "twice the rate" "$(rates double.net)" "0.98 0.98 1.00"
# one host of four has a link of half the rate: it sends and takes in half
awk '/"H-0002000000000000"\[1\]/ || /^\[1\]\(2000000000001\)/ { sub(/4xHDR/, "2xHDR") } { print }' mesh.net >host.net
is "a host's link" "$(heddle sim host.net -e updn -s traffic.pattern=shift:1 -s traffic.load=1 -s run.measure=200us --quiet --csv - |
	python3 -c 'import csv, sys
r = next(csv.DictReader(sys.stdin))
print(*("%.2f" % float(r[c]) for c in ("accepted", "source_min", "source_max")))')" "0.73 0.50 0.97"
sed 's/2xHDR/4xFDR/; s/4xHDR/4xEDR/' half.net >odd.net
says "a flit takes whole parts of a cycle" "link.rates: the link at .* carries 0.5454 times .*twelfths of a cycle" \
	heddle sim odd.net -e updn -s run.clock=cycles

# without an engine: the best for the fabric
short=(-s traffic.load=0.3 -s run.measure=20us --no-time)
for fabric in tree:k=4,n=2 torus:4x4 kns:k=4,n=2 hyperx:4x4; do
	ok "no engine: $fabric" heddle sim "$fabric" "${short[@]}"
done
is "no engine, a dragonfly: the results of dla" "$(heddle sim dragonfly:a=4,p=2,h=2 "${short[@]}" 2>/dev/null)" \
	"$(heddle sim dragonfly:a=4,p=2,h=2 -e dla "${short[@]}" 2>/dev/null)"

finish
