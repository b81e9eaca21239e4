#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Calls of libheddle, once for each allocation that they make, which then fails: the call says so, or does without.
# Nothing crashes, prints or leaks. Some of the allocations, evenly spread; with HD_OOM=all every one.
# shellcheck source=tests/lib/tap.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/lib/tap.sh"

fail_alloc=$top_builddir/tests/lib/fail_alloc.so
program=$top_builddir/tests/api/all_calls
if [ ! -e "$fail_alloc" ] || nm -D "$program" | grep -q __asan || nm "$top_builddir/libheddle.so.0" | grep -q __gcov_; then
	echo "1..0 # SKIP allocations cannot be made to fail in this build"
	exit 0
fi
most=60
[ "${HD_OOM:-}" != all ] || most=1000000

attempt() { # AT
	rm -rf "$scratch/work" "$scratch/count"
	mkdir "$scratch/work"
	timeout 60 env OMP_NUM_THREADS=1 LD_PRELOAD="$fail_alloc" HD_FAIL_OBJECT=/libheddle.so.0 HD_FAIL_AT="$1" \
		HD_FAIL_COUNT="$scratch/count" "$program" "$scratch/work" >"$scratch/out" 2>"$scratch/err"
}

judge() { # AT STATUS
	case $2 in
	0) [ ! -s "$scratch/out" ] || echo "allocation $1: printed $(head -n 1 "$scratch/out")" ;;
	1 | 3) grep -qE 'out of memory|Cannot allocate memory' "$scratch/out" || echo "allocation $1: $(cat "$scratch/out")" ;;
	*) echo "allocation $1: status $2, $(head -qn 3 "$scratch/out" "$scratch/err")" ;;
	esac
	[ ! -s "$scratch/err" ] || echo "allocation $1: on stderr $(head -n 1 "$scratch/err")"
	grep -qs ' 0 live$' "$scratch/count" || echo "allocation $1: $(cat "$scratch/count" 2>&1)"
}

attempt 0
is "all calls work, and free what they take" "$?, $(sed 's/^[0-9]* allocations, //' "$scratch/count")" "0, 0 live"
n=$(sed 's/ .*//' "$scratch/count")
step=$((n / most + 1))
for ((at = n; at >= 1; at -= step)); do
	attempt "$at"
	judge "$at" $?
done >"$scratch/wrong"
is "$((n / step)) of $n allocations" "$(head -n 10 "$scratch/wrong")" ""

finish
