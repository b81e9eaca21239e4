#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Static analysis of C files, of all if none are named; the status is 0 if nothing is found.
#
#	tests/lib/analyze.sh cppcheck BUILD [FILE...]
#	tests/lib/analyze.sh clang BUILD [FILE...]
set -u
if [ $# -lt 2 ] || ! [ -f "$2/config.h" ]; then
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
tool=$1
build=$(realpath "$2")
shift 2
cd "$(dirname "$0")/../.." || exit 2
jobs=$(nproc)
if [ $# = 0 ]; then
	mapfile -t files < <(find . -path './build*' -prune -o -name '*.c' -printf '%P\n' | sort)
	set -- "${files[@]}"
fi
read -ra mpi < <(pkg-config --cflags ompi-c)
options=(-D_GNU_SOURCE -DHAVE_CONFIG_H -DHD_PKGLIBDIR='"/"' -DHD_TEST_DATA='"/"' -I"$build" -I. -Iinclude)

# cppcheck does not look into headers of libraries. It takes what functions fill for uninitialised, in thirty places
# of thirty; the compilers and clang's analyzer look for that.
run_cppcheck() {
	cppcheck --quiet -j"$jobs" --std=c11 --language=c --enable=warning,performance,portability --inline-suppr \
		--max-configs=1 --error-exitcode=1 --suppress=missingInclude \
		--suppress=uninitvar --suppress=uninitStructMember --suppress=ctuuninitvar \
		-D__GNUC__ -DPROTOBUF_C_VERSION_NUMBER=1004001 -DPROTOBUF_C_MIN_COMPILER_VERSION=1000000 \
		-DOSM_EVENT_PLUGIN_INTERFACE_VER=2 "${options[@]}" "$@"
}

# Shallow, since the rest takes four times as long. For the analyzer a loop that may not run is a divisor that may be
# 0: UndefinedBehaviorSanitizer looks for these.
analyze() {
	local -a ahead=(-include tests/lib/analyzer.h)
	[ "$1" != support/error.c ] || ahead=()
	clang-14 --analyze -std=gnu11 -Xclang -analyzer-output=text -Xclang -analyzer-werror \
		-Xclang -analyzer-config -Xclang mode=shallow -Xclang -analyzer-config -Xclang silence-checkers=core.DivideZero \
		"${options[@]}" "${ahead[@]}" "${mpi[@]}" -isystem /usr/include/infiniband "$1"
}

if [ "$tool" = cppcheck ]; then
	run_cppcheck "$@"
	exit
fi
running=0
failed=0
for file; do
	if [ "$running" = "$jobs" ]; then
		wait -n || failed=1
		running=$((running - 1))
	fi
	analyze "$file" &
	running=$((running + 1))
done
while [ "$running" != 0 ]; do
	wait -n || failed=1
	running=$((running - 1))
done
exit "$failed"
