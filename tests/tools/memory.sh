# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Every subcommand, once for each allocation that it makes, which then fails: one line that says so,
# status 2 and no files; or, where it can do without, all as ever. Nothing crashes, hangs or leaks.
# Some allocations of each, evenly spread; with HD_OOM=all every one, and more commands.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/lib/tap.sh"
# With --enable-coverage, gcov allocates in the same objects, and crashes when it cannot.
fail_alloc=$top_builddir/tests/lib/fail_alloc.so
program=$(command -v heddle)
if [ ! -e "$fail_alloc" ] || nm -D "$program" | grep -q __asan || nm "$program" | grep -q __gcov_; then
	echo "1..0 # SKIP allocations cannot be made to fail in this build"
	exit 0
fi

most=25
[ "${HD_OOM:-}" != all ] || most=1000000

# attempt AT COMMAND...: in an empty directory, with the AT-th allocation failing
attempt() {
	local at=$1
	shift
	rm -rf "$scratch/work" "$scratch/count"
	mkdir "$scratch/work"
	(cd "$scratch/work" && exec timeout 60 env OMP_NUM_THREADS=1 LD_PRELOAD="$fail_alloc" \
		HD_FAIL_OBJECT=/heddle HD_FAIL_AT="$at" HD_FAIL_COUNT="$scratch/count" \
		"$program" "$@") >"$scratch/out" 2>"$scratch/err"
}

# what the attempt has left: its status, output and files
outcome() { # STATUS
	echo "$1"
	sed -E '/^ *(time|wall_s) /d' "$scratch/out"
	(cd "$scratch/work" && find . -type f | sort | while read -r file; do cksum "$file"; done)
}

# judge AT STATUS: a line for what is wrong
judge() {
	local files
	files=$(find "$scratch/work" -mindepth 1)
	if [ "$2" = 2 ]; then
		[ "$(wc -l <"$scratch/err")" = 1 ] && grep -qE '^heddle( [a-z]+)?: .*(out of memory(: .*)?|Cannot allocate memory)$' "$scratch/err" ||
			echo "allocation $1: the message is '$(head -n 3 "$scratch/err")'"
		[ -z "$files" ] || echo "allocation $1: left $files"
	elif ! outcome "$2" | cmp -s - "$scratch/wanted"; then
		echo "allocation $1: status $2, or another output"
	fi
	grep -qs ' 0 live$' "$scratch/count" || echo "allocation $1: $(cat "$scratch/count" 2>&1)"
}

# fails_well COMMAND...: with every allocation
fails_well() {
	local n at step status
	attempt 0 "$@"
	status=$?
	outcome "$status" >"$scratch/wanted"
	n=$(sed 's/ .*//' "$scratch/count")
	step=$((n / most + 1))
	for ((at = n; at >= 1; at -= step)); do
		attempt "$at" "$@"
		judge "$at" $?
	done >"$scratch/wrong"
	ok "$1: works" test "$status" -le 1
	is "$*: $((n / step)) of $n allocations" "$(head -n 10 "$scratch/wrong")" ""
}

# Small fabrics: allocations are made per fabric, seldom per switch.
df=dragonfly:a=3,p=1,h=1
heddle topo "$df" -o "$scratch/net" >/dev/null
heddle topo torus:4x3 --fail-links 2 -o "$scratch/cut" >/dev/null
printf '%s\n' G0S0,1,G0S1,1 G0S1,2,G0S2,2 G0S2,3,H-00000,1 >"$scratch/cables"
heddle route "$df" -e dla -q xordet:2 -o "$scratch/one" >/dev/null
heddle route "$df" -e df-minhop -o "$scratch/two" >/dev/null
fails_well topo "$scratch/net" -o net
fails_well route "$scratch/net" -e dla -q xordet:2 -o snapshot
fails_well check "$scratch/one" --all-sls
printf '%s\n' '[set some]' 'nodes = H-0000?' '[rule all]' 'from = some' 'max_hops = 2' 'max_load = 1' 'survive = any' \
	'together = yes' 'sl = 0' 'stay_in = group' '[rule more]' 'survive = link' 'disjoint = links' >"$scratch/rules"
fails_well check "$scratch/one" --rules "$scratch/rules"
fails_well show "$scratch/one" load
fails_well show "$scratch/one" resources
fails_well show "$scratch/one" path G0S0 G2S1
fails_well diff "$scratch/one" "$scratch/two"
"$top_builddir/tests/tools/ibdiagnet_tool" "$scratch/one" "$scratch/ibdiagnet"
fails_well check --quiet "$scratch/ibdiagnet"
fails_well topo --quiet "$scratch/ibdiagnet"
heddle route mesh:3x3 -e hdor:ar=negative-first -o "$scratch/ar" >/dev/null
"$top_builddir/tests/tools/ibdiagnet_tool" "$scratch/ar" "$scratch/far"
fails_well check --quiet "$scratch/far"
fails_well faults "$df" -e dla --links 1 -j 1
fails_well sim "$df" -e dla -s traffic.load=0.3 -s run.measure=20us -s run.warmup=1us --jobs 1
printf '%s\n' '[job a]' 'pattern = collective:alltoall,size=8KiB,order=random,repeat=2' 'hosts = 5' 'place = topology' \
	'[job b]' 'pattern = training:pp=2,parameters=8KiB,activation=1KiB' 'hosts = 4' 'place = fragmented:20%' >"$scratch/jobs"
fails_well sim "$scratch/jobs" -s fabric.topology=dragonfly:a=3,p=1,h=1 -e dla -s run.warmup=0 -s run.measure=1ms --jobs 1
fails_well route tree:k=2,n=3 -e dmodc -o snapshot
fails_well topo pgft:m=3x4,w=1x2,p=1x2 --fail-links 2 -o net
fails_well plan --inferred "$scratch/net"
fails_well plan "$scratch/cables" "$scratch/net"
fails_well plan torus:4x3 "$scratch/cut" --load
fails_well list engines
if [ "${HD_OOM:-}" = all ]; then
	for engine in $(heddle list engines --json | sed -nE 's/.*"name": *"([^"]*)".*/\1/p'); do
		fails_well route "$scratch/net" -e "$engine" --lmc 2 -o snapshot
	done
	for topology in mesh:4x3 torus:4x4 kns:k=3,n=2 tree:k=4,n=2; do
		fails_well topo "$topology" -o net
		fails_well route "$topology" -e updn -o snapshot
	done
	fails_well show "$scratch/one" lft G0S0
	fails_well show "$scratch/one" sl2vl G0S0
	fails_well list queues
	fails_well list layers
fi
finish
