#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Fuzz targets for as long as there is time. BUILD is configured with CC=clang --enable-fuzzing.
#
#	tests/lib/fuzz.sh run BUILD SECONDS [THING...]     each target (fuzz_THING; all) for so long, 3600 is an hour, one after
#	                                                   another; a table: inputs, inputs a second of CPU, branches
#	                                                   reached. Status 1: some input fails; its name is in the table
#	tests/lib/fuzz.sh keep BUILD THING...              what runs have found beyond the corpus, as few inputs as reach all,
#	                                                   goes into tests/fuzz/corpus/THING
#	tests/lib/fuzz.sh cover BUILD [THING...]           the table of the corpora alone
#	tests/lib/fuzz.sh same TARGET INPUTS WORK CORPUS   one program, so many inputs, the same ones for the same tree; its
#	                                                   log is WORK.log, what it finds is in WORK
#
# Branches are libFuzzer's counters: those reached, and those of all that is linked into the program.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)

# libFuzzer's choice by entropy, long stacks of each allocation and much freed memory took half of the time of targets with
# many branches (perf). Every input is drawn by its size instead.
at_same_addresses=()
one() { # TARGET SECONDS WORK [CORPUS | ARGUMENT...]
	mkdir -p "$3"
	ASAN_OPTIONS=detect_leaks=1:intercept_tls_get_addr=0:malloc_context_size=4:quarantine_size_mb=16 \
		"${at_same_addresses[@]}" "$1" -entropic=0 -max_total_time="$2" -timeout=20 -rss_limit_mb=4096 -print_final_stats=1 \
		-artifact_prefix="$3-" "$3" "${@:4}" >"$3.log" 2>&1
}

# What is compared in a run, addresses included, guides libFuzzer, and so does where data are: the same search needs
# -use_cmp=0 and addresses that are the same in each run. A container may forbid the latter. A folder's files come as the
# file system has them, those of a list in its order.
same() { # TARGET INPUTS WORK CORPUS
	! setarch -R true 2>/dev/null || at_same_addresses=(setarch -R)
	mkdir -p "$3"
	# libFuzzer takes a newline at the end for a part of the last name, and leaves that file out
	find "$4" -type f | LC_ALL=C sort | paste -sd, | tr -d '\n' >"$3.inputs"
	one "$1" 900 "$3" -seed_inputs="@$3.inputs" -runs="$2" -seed=1 -use_cmp=0
}

# The last number behind a word of libFuzzer's.
last() { # WORD FILE
	grep -oE "(^| )$1 *[0-9]+" "$2" | tail -n 1 | grep -oE '[0-9]+$'
}

row() { # THING SECONDS
	local work=$build/fuzz-found/$1 status seconds inputs
	[ "$2" != 0 ] || work=$build/fuzz-found/none-$1 # the corpus alone: nothing is found without time
	mkdir -p "$work"
	TIMEFORMAT='%U %S'
	{ time one "$build/tests/fuzz/fuzz_$1" "$2" "$work" "$source/tests/fuzz/corpus/$1" "${@:3}"; } 2>"$work.time"
	status=$?
	inputs=$(last stat::number_of_executed_units: "$work.log")
	seconds=$(awk 'END { print $1 + $2 }' "$work.time")
	printf '| `%s` | %s | %s | %s | %s | %s |\n' "$1" "$(find "$source/tests/fuzz/corpus/$1" -type f | wc -l)" "${inputs:-?}" \
		"$(awk -v n="${inputs:-0}" -v s="$seconds" 'BEGIN { printf "%.0f", s ? n / s : 0 }')" "$(last cov: "$work.log") of $(sed -nE 's/.*\(([0-9]+) inline 8-bit counters\).*/\1/p' "$work.log" | head -n 1)" \
		"$([ "$status" = 0 ] || find "$build/fuzz-found" -maxdepth 1 -name "$1-*" -printf '%f ')"
	return "$status"
}

things() {
	find "$build/tests/fuzz" -maxdepth 1 -type f -executable -name 'fuzz_*' -printf '%f\n' | sed 's/^fuzz_//' | sort
}

table() { # SECONDS THING...
	local thing failed=0 more=()
	[ "$1" != 0 ] || more=(-runs=0)
	echo '| target | corpus | inputs | inputs / CPU s | branches reached | failed |'
	echo '|---|---:|---:|---:|---:|---|'
	for thing in "${@:2}"; do
		row "$thing" "$1" "${more[@]}" || failed=1
	done
	return $failed
}

keep() { # THING...
	local thing few
	for thing; do
		few=$build/fuzz-found/few-$thing
		rm -rf "$few"
		mkdir -p "$few"
		# the corpus comes first, so what is in it stays
		cp "$source/tests/fuzz/corpus/$thing"/* "$few"
		"$build/tests/fuzz/fuzz_$thing" -merge=1 "$few" "$build/fuzz-found/$thing" >"$few.log" 2>&1 || return 1
		cp -n "$few"/* "$source/tests/fuzz/corpus/$thing"
		echo "$thing: $(find "$few" -type f | wc -l) inputs"
	done
}

command=${1-}
case $command-$# in
same-5)
	same "${@:2}"
	exit
	;;
run-[3-9] | run-[1-9][0-9] | keep-[3-9] | keep-[1-9][0-9] | cover-[2-9] | cover-[1-9][0-9])
	build=$(cd "$2" && pwd) || exit 2
	;;
*)
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac
shift 2
seconds=0
[ "$command" != run ] || { seconds=$1 && shift; }
[ $# != 0 ] || mapfile -t all < <(things)
[ $# != 0 ] || set -- "${all[@]}"
case $command in
run | cover) table "$seconds" "$@" ;;
keep) keep "$@" ;;
esac
