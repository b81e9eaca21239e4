#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Threads touch nothing at the same time: builds heddle with clang's thread sanitizer and runs what divides
# runs among threads. Two minutes of CPU.
#
#	tests/lib/thread-sanitizer.sh BUILD     a directory for the build, made if need be
set -eu
[ $# = 1 ] || {
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
	exit 2
}
source=$(cd "$(dirname "$0")/../.." && pwd)
mkdir -p "$1"
cd "$1"
flags=-fsanitize=thread
[ -e Makefile ] || "$source/configure" --quiet CC=clang CFLAGS="-O1 -g $flags" LDFLAGS="$flags" --disable-hardening
make -s -j"$(nproc)" heddle tests/unit/test_domains
# the runtime of OpenMP is not instrumented, and looks like a race
export TSAN_OPTIONS="halt_on_error=1 ignore_noninstrumented_modules=1" top_srcdir=$source top_builddir=$PWD
tests/unit/test_domains
bash "$source/tests/tools/threads.sh" >threads.log 2>&1 || {
	grep -E '^not ok|^#' threads.log
	exit 1
}
python3 "$source/bench/same_results.py" -n 40 --threads 3 ./heddle ./heddle
python3 "$source/bench/same_results.py" -n 30 --threads 3 --adaptive ./heddle ./heddle
echo "no race"
