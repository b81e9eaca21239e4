#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# One run on several threads: heddle sim --threads, whose results are the same bytes.
# shellcheck source=tests/tools/tools.sh disable=SC2154 # dragonfly
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"
cd "$scratch" || exit 99

# same STATUS NAME ARGUMENTS: two, three and seven threads give the JSON, notes and status of one
same() {
	local status=$1 name=$2 n
	shift 2
	heddle sim "$@" --no-time --json one.json -j 1 >one.out 2>one.err
	is "$name: status" $? "$status"
	for n in 2 3 7; do
		heddle sim "$@" --no-time --json some.json -j 1 --threads $n >some.out 2>all.err
		is "$name, $n threads: status" $? "$status"
		grep -v "^heddle: --threads: " all.err >some.err
		is "$name, $n threads: results" "$(cmp one.json some.json && cmp one.out some.out && cmp one.err some.err)" ""
	done
}

short=(-s run.warmup=10us -s run.measure=40us)
same 0 "input-queued" "$dragonfly" -e dla -s traffic.load=0.3,0.9 "${short[@]}"
same 0 "VOQs, sizes and replies" torus:4x4 -e hdor -s switch.voq=yes -s traffic.load=0.8 -s traffic.reply=yes "${short[@]}"
same 0 "the peers' switch" "$top_srcdir/experiments/peers/fogsim.ini" -s traffic.load=0.5 -s run.seeds=1 \
	-s run.warmup=1000 -s run.measure=3000
same 0 "shared buffers, tried again" kns:k=4,n=2 -e hdor -s switch.damq=yes -s switch.iterations=1 -s traffic.load=1 \
	-s switch.allocator=input -s switch.arbiter=lrs "${short[@]}"
same 0 "flits and VCs" torus:4x4 -e hdor -s switch.model=vc:vcs=4,speculative=yes -s traffic.load=0.3,0.9 "${short[@]}"
same 0 "slow hosts with a bound" "$dragonfly" -e dla -s host.consumption=0.5 -s host.queue=4packets -s traffic.load=0.9 "${short[@]}"
same 0 "a window that is extended" "$dragonfly" -e dla -s traffic.load=0.4 -s run.warmup=10us -s run.measure=auto
same 1 "a deadlock" torus:5x5 -e minhop -s traffic.load=1 -s switch.buffer=1packets -s run.warmup=10us -s run.measure=1ms
same 0 "bursts and a hotspot" "$dragonfly" -e dla -s traffic.pattern=hotspot:sources=8,destinations=2 -s traffic.arrival=bursty:5 \
	-s traffic.load=0.5 "${short[@]}"
# each of 72 tasks sends to four others, then on to what it received from, and waits in between
awk 'BEGIN {
	for (i = 0; i < 72; i++) for (k = 1; k <= 4; k++) print 0, i, (i + 7 * k) % 72, 5000
	for (i = 0; i < 72; i++) for (k = 1; k <= 4; k++)
		print 3, i, (i + 72 - 7 * k) % 72, 900, "received", 4 * ((i + 72 - 7 * k) % 72) + k - 1, "sent", 4 * i
}' >all.trace
same 0 "a trace" "$dragonfly" -e dla -s traffic.pattern=trace:all.trace -s run.warmup=0 -s run.measure=1ms
same 0 "ptrans" "$dragonfly" -e dla -s traffic.pattern=ptrans:4x6,n=200 -s run.warmup=0 -s run.measure=1ms
told_nothing() { is "$1: users are told nothing" "$(grep -c "stay on one thread" all.err)" 0; }
adaptive=(-s run.warmup=10us -s run.measure=20us -s traffic.load=0.6)
same 0 "vias at the first switch" "$dragonfly" -e dla -s routing.adaptive="ugal, valiant, pb, ugal:info=global" "${adaptive[@]}"
told_nothing "vias at the first switch"
same 0 "ways at every switch" "$dragonfly" -e dla -s routing.adaptive=olm -s routing.trigger="contention, ectn, filtered" \
	-s routing.select=random "${adaptive[@]}"
told_nothing "ways at every switch"
same 0 "ways through the peers' switch" "$top_srcdir/experiments/peers/fogsim.ini" -s routing.adaptive="pb, olm" -s traffic.load=0.5 \
	-s run.seeds=1 -s run.warmup=1000 -s run.measure=2000
told_nothing "ways through the peers' switch"
same 0 "sets of ports" tree:k=4,n=2 -e updn -O ar=yes -s routing.adaptive="ar, ar:bounded" "${adaptive[@]}"
told_nothing "sets of ports"
# what is not divided runs all the same
same 0 "vias on the way" "$dragonfly" -e dla -s routing.adaptive=par -s traffic.load=0.3,0.5 "${short[@]}"
like "vias on the way: users are told" "$(cat all.err)" "heddle: --threads: 2 of 2 runs stay on one thread: packets draw vias as they arrive from other switches"
same 0 "an application" "$dragonfly" -e dla -s traffic.pattern=graph500:scale=8 -s run.measure=1ms
like "an application: users are told" "$(cat all.err)" "heddle: --threads: 1 of 1 runs stay on one thread: the traffic of a host depends on that of others"
same 0 "a time series" "$dragonfly" --series steps.csv -s run.series=10us -s traffic.load=0.5 "${short[@]}"
like "a time series: users are told" "$(cat all.err)" "heddle: --threads: 1 of 1 runs stay on one thread: run.series is set"

heddle sim "$dragonfly" --threads 0 >out 2>err
is "no thread: status" $? 2
like "no thread: message" "$(cat err)" "--threads: 0 is not in 1..255"
finish
