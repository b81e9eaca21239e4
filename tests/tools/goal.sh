#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# GOAL schedules: times by LogGOPSim's arithmetic and by hand, both forms, placement, deadlocks, bad input.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

arithmetic=$(cd "$top_srcdir" && pwd)/tests/tools/goal_arithmetic.py
cd "$scratch" || exit 99
run=(heddle sim 'tree:k=8,n=1' -e dmodc -s run.warmup=0ns -s run.measure=1s --no-time)

# makespan ARGUMENTS...: of the first row
makespan() {
	"${run[@]}" "$@" --csv makespan.csv >/dev/null &&
		python3 -c 'import csv; print(next(csv.DictReader(open("makespan.csv")))["makespan"])'
}

# A message of B bytes takes 112 ns and 0.25 ns a byte on a crossbar; a unit has 64 bytes.
cat >two.goal <<'GOAL'
num_ranks 2
/* a comment
   of two lines */
rank 1 { // ranks come in any order
	r: recv 4096 b from 0 tag 5 cpu 1
	calc 70 cpu 2
	c: calc 500
	c requires r
}
rank 0 {
	l1: calc 1000
	l2: send 4096b to 1 tag 5 nic 1
	l2 requires l1
}
GOAL
is "calc, send, receive, calc" "$(makespan -s traffic.pattern=trace:two.goal)" $((1000 + 112 + 1024 + 500))
is "with overhead and gap" "$(makespan -s traffic.pattern=goal:two.goal -s host.model=loggop:o=100,g=10)" \
	$((1000 + 100 + 112 + 1024 + 10 + 100 + 500))
is "another unit of time" "$(makespan -s traffic.pattern=goal:two.goal,ticks=2000)" $((2000 + 112 + 1024 + 1000))
is "ranks of one host" "$(makespan -s traffic.pattern=goal:two.goal,tasks=2)" 1500
is "four instances" "$(makespan -s traffic.pattern=goal:two.goal,instances=4,place=random)" 2636
gzip -k two.goal
is "packed" "$(makespan -s traffic.pattern=trace:two.goal.gz)" 2636

# Two messages at once, of 16 and 4 packets of 256 ns: one after the other, or in turn; two packets of the first one
# go before the second one is there.
cat >turn.goal <<'GOAL'
num_ranks 3
rank 0 {
	send 16384b to 1 nic 0
	send 4096b to 2 nic 1
}
rank 1 {
	recv 16384b from 0
}
rank 2 {
	r: recv 4096b from 0
	c: calc 1000000
	c requires r
}
GOAL
packet=(-s traffic.packet=1KiB -s traffic.pattern=goal:turn.goal)
is "the short message comes after the long one" "$(makespan "${packet[@]}")" $((20 * 256 + 112 + 1000000))
is "both in turn" "$(makespan "${packet[@]}" -s host.interleave=yes)" $((9 * 256 + 112 + 1000000))
printf '0 0 1 64\n' >one.trace
for pattern in uniform trace:one.trace collective:allreduce; do
	says "no turns: $pattern" "host.interleave: no traffic has messages whose packets take turns" \
		"${run[@]}" -s host.interleave=yes -s traffic.pattern="$pattern"
done
says "no turns: no class has any" "host.interleave: no traffic has" "${run[@]}" -s host.interleave=yes \
	-s traffic.pattern=goal:turn.goal -s "traffic.classes=a share=0.5 pattern=uniform then b share=0.5 pattern=uniform"

# 100,000 operations that wait for one processor, and as many receives of one source and tag: each is looked at once.
python3 - <<'PY'
n = 100000
with open('calcs.goal', 'w') as file:
    print('num_ranks 1\nrank 0 {\n' + 'calc 3\n' * n + '}', file=file)
with open('sends.goal', 'w') as file:
    print('num_ranks 2\nrank 0 {\n' + 'send 64b to 1\n' * n + '}\nrank 1 {\n' + 'recv 64b from 0\n' * n + '}', file=file)
PY
is "100,000 calcs" "$(makespan -s traffic.pattern=goal:calcs.goal)" 300000
is "100,000 messages" "$(makespan -s traffic.pattern=goal:sends.goal -s host.model=loggop:o=100,g=10)" \
	$((100000 * 110 + 128 + 100))

# Random rings of ranks: no contention, so the times are LogGOPSim's.
patterns=
for seed in $(seq 1 20); do
	python3 "$arithmetic" make "$seed" "ring$seed.goal" || exit 99
	patterns+="${patterns:+, }goal:ring$seed.goal"
done
for S in 65535 1000; do
	"${run[@]}" -s host.model=loggop:L=2388,o=700,g=300,S=$S -s "traffic.pattern=$patterns" --csv rings.csv >/dev/null
	for seed in $(seq 1 20); do
		python3 "$arithmetic" time "ring$seed.goal" L=2500 o=700 g=300 G=.25 S=$S
	done >times.txt
	is "20 random schedules within 1% of LogGOPSim's arithmetic, S=$S" "$(python3 -c 'import csv
rows = list(csv.DictReader(open("rings.csv")))
times = [float(line) for line in open("times.txt")]
print(len(rows) == len(times) and all(abs(float(r["makespan"]) / t - 1) < .01 for r, t in zip(rows, times)))')" True
done

# refused NAME MESSAGE TEXT
refused() {
	printf '%b' "$3" >bad.goal
	says "$1" "$2" "${run[@]}" -s traffic.pattern=goal:bad.goal -s host.model=loggop
}
two='num_ranks 2\nrank 0 {\n'
refused "a receive that nobody sends" 'bad.goal:4: rank 0, recv: a deadlock: no message from rank 1 with tag 3 comes' \
	"${two}l1: calc 5\\nl2: recv 8b from 1 tag 3\\nl2 requires l1\\n}\\nrank 1 {\\ncalc 3\\n}\\n"
refused "a rendezvous that nobody receives" 'bad.goal:3: rank 0, send: a deadlock: no receive takes the message to rank 1' \
	"${two}send 80000b to 1\\n}\\n"
refused "any source, any tag" 'bad.goal:3: rank 0, recv: a deadlock: no message from any rank with any tag' \
	"${two}recv 8b from -1 tag -1\\n}\\n"
refused "a send with any tag" 'bad.goal:3: rank 0, send: its tag is -1' "${two}send 8b to 1 tag -1\\n}\\n"
refused "a loop of requires" 'bad.goal:3: rank 0, calc: waits for itself' \
	"${two}l1: calc 5\\nl2: calc 6\\nl3: calc 7\\nl1 requires l3\\nl2 requires l1\\nl3 irequires l2\\n}\\n"
refused "2^63 bytes" 'bad.goal:3: the size is no number up to' "${two}send 9223372036854775808b to 1\\n}\\n"
refused "a peer outside" 'bad.goal:3: the peer, a rank, is no number up to 1' "${two}send 8b to 2\\n}\\n"
refused "too many ranks" 'bad.goal:1: there are 9 ranks, but room for 8' 'num_ranks 9\n'
refused "a rank outside" 'bad.goal:2: the rank is no number up to 1' 'num_ranks 2\nrank 2 {\n}\n'
refused "a rank twice" 'bad.goal:4: the rank is there twice' "${two}}\\nrank 0 {\\n}\\n"
refused "a label twice" 'bad.goal:4: the rank has this label twice' "${two}a: calc 1\\na: calc 2\\n}\\n"
refused "a label that comes later" 'bad.goal:3: the rank has no such label' "${two}a requires b\\n}\\n"
refused "no end of a rank" "bad.goal:4: the rank does not end" "${two}a: calc 1\\n"
refused "no end of a comment" "bad.goal:4: a comment does not end" "${two}/* a\\n"
refused "two statements on a line" 'bad.goal:3: after the time comes no cpu' "${two}calc 1 calc 2\\n}\\n"
refused "times without bounds" 'bad.goal:4: rank 0, calc: with those before' \
	"${two}calc 4611686018427387904\\ncalc 1\\n}\\n"
refused "nothing" 'bad.goal:1: the text does not begin with num_ranks' ''
truncate -s 4G huge.goal
says "4 GB of text" 'huge.goal: larger than' "${run[@]}" -s traffic.pattern=trace:huge.goal
says "no such host model" 'no host model' "${run[@]}" -s traffic.pattern=goal:two.goal -s host.model=logp
# Conversion: text, binary and back; a trace of heddle, of docs/traffic.md and a recorded one, takes the same time.
ok "text to binary" heddle convert ring3.goal ring3.bin
ok "binary to text" heddle convert ring3.bin again.goal
ok "text to binary again" heddle convert again.goal again.bin
ok "nothing was lost" cmp ring3.bin again.bin
is "the binary form takes the same time" "$(makespan -s traffic.pattern=trace:ring3.bin)" \
	"$(makespan -s traffic.pattern=trace:ring3.goal)"
cat >wait.trace <<'TRACE'
0   1 0 1
50  2 0 1
0   0 1 1     received 0 received 1
30  0 2 1     received 0 received 1
9   2 2 0     received 3
100 1 2 65536 received 2 sent 0
7   2 0 64    sent 4 received 5
TRACE
ok "a trace to GOAL" heddle convert wait.trace wait.goal
is "the trace takes the same time" "$(makespan -s traffic.pattern=trace:wait.goal)" \
	"$(makespan -s traffic.pattern=trace:wait.trace,ticks=1000)"
ok "and back" heddle convert wait.goal back.trace
is "the same time again" "$(makespan -s traffic.pattern=trace:back.trace,ticks=1000)" "$(makespan -s traffic.pattern=trace:wait.goal)"

# A schedule as a trace: starts and ends of others, receives that begin late, messages of one rank to itself.
cat >forks.goal <<'GOAL'
num_ranks 3
rank 0 {
	a: calc 700
	c: calc 300 cpu 2
	c requires a
	b: send 4096b to 1 tag 7 cpu 1
	b irequires c
	d: send 64b to 1 tag 7 cpu 1
	d requires b
	e: calc 50 cpu 3
	e irequires d
	f: send 64b to 0 cpu 1
	f requires c
	g: recv 64b from 0 cpu 5
	h: calc 9 cpu 4
	h requires g
	i: calc 11
	i requires a
}
rank 1 {
	a: recv 4096b from 0 tag 7
	b: recv 64b from 0 tag 7
	b requires a
	c: calc 5000 cpu 1
	c irequires b
	d: calc 100 cpu 2
	d requires b
	e: calc 2000 cpu 3
	d requires e
	f: send 100b to 2
	f requires d
	g: send 100b to 2 tag 1
	g irequires a
}
rank 2 {
	calc 1
	r: recv 100b from 1 cpu 1
}
GOAL
ok "a schedule to a trace" heddle convert forks.goal forks.trace
free=(-s 'host.model=loggop:L=0,o=0,g=0,G=0')
is "the schedule takes the same time" "$(makespan "${free[@]}" -s traffic.pattern=trace:forks.goal)" \
	"$(makespan -s traffic.pattern=trace:forks.trace,ticks=1000)"
is "by hand" "$(makespan -s traffic.pattern=trace:forks.trace,ticks=1000)" $((700 + 112 + 1024 + 5000))
ok "the binary form, too" heddle convert forks.goal forks.bin
ok "and that to a trace" heddle convert forks.bin again.trace
is "it takes the same time" "$(makespan -s traffic.pattern=trace:again.trace,ticks=1000)" 6836

# unsaid NAME MESSAGE TEXT: what a trace does not say
unsaid() {
	printf '%b' "$3" >unsaid.goal
	says "$1" "$2" heddle convert unsaid.goal unsaid.trace
	ok "nothing is written" test ! -e unsaid.trace
}
two='num_ranks 2\nrank 0 {\n'
unsaid "any source" 'unsaid.goal:3: rank 0, recv: a trace has no receives from any rank' "${two}recv 8b from -1\\n}\\n"
unsaid "any tag" 'unsaid.goal:3: rank 0, recv: a trace has no receives from any rank' "${two}recv 8b from 1 tag -1\\n}\\n"
unsaid "more than 2^31 bytes" 'unsaid.goal:3: rank 0, send: a message of a trace has at most 2.31 bytes' \
	"${two}send 2147483649b to 1\\n}\\n"
unsaid "a busy processor" 'unsaid.goal:4: rank 0, send: its processor may be busy' "${two}a: calc 5\\nsend 8b to 1\\n}\\n"
unsaid "two calcs at once" 'unsaid.goal:3: rank 0, calc: its processor may be busy' \
	"${two}a: calc 5\\nb: calc 5\\nb irequires a\\n}\\n"
unsaid "no message" 'unsaid.goal:3: rank 0, recv: a deadlock: no message' "${two}recv 8b from 1\\n}\\n"
unsaid "a deadlock between ranks" 'unsaid.goal:3: rank 0, send: a deadlock: it waits for what waits for it' \
	"${two}s: send 8b to 1\\nr: recv 8b from 1\\ns requires r\\n}\\nrank 1 {\\ns: send 8b to 0\\nr: recv 8b from 0\\ns requires r\\n}\\n"
# the simulator matches the second send first, and there is no deadlock
unsaid "sends in another order" 'unsaid.goal:4: rank 0, send: another one with this peer and tag may come' \
	"${two}a: send 8b to 1\nb: send 8b to 1\nc: recv 8b from 1\na requires c\n}\nrank 1 {\nd: recv 8b from 0\ne: recv 8b from 0\nf: send 8b to 0\nf requires d\n}\n"
for bytes in 7 13 40 100 200; do
	head -c "$bytes" ring3.bin >cut.bin
	says "a binary cut after $bytes bytes" 'cut.bin' "${run[@]}" -s traffic.pattern=trace:cut.bin
done
says "a binary cut, converted" 'cut.bin: ' heddle convert cut.bin never.goal
ok "nothing is written" test ! -e never.goal
ok "the list of host models" heddle list host-models loggop
finish
