#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Chakra execution traces: messages, all forms of numbers, collective operations beside the pattern of that name, bad input.
# shellcheck source=tests/tools/tools.sh
. "${top_srcdir:-$(dirname "$0")/../..}/tests/tools/tools.sh"

maker=$(cd "$top_srcdir" && pwd)/tests/tools/chakra_files.py
cd "$scratch" || exit 99
run=(heddle sim 'tree:k=8,n=1' -e dmodc -s run.warmup=0ns -s run.measure=1s --no-time)
python3 "$maker" . || exit 99

# makespans PATTERN...: of each, a line
makespans() {
	local patterns
	patterns=$(printf '%s, ' "$@")
	"${run[@]}" -s "traffic.pattern=${patterns%, }" --csv makespan.csv >/dev/null 2>.err &&
		python3 -c 'import csv
for row in csv.DictReader(open("makespan.csv")): print(row["makespan"])'
}

makespans chakra:one >/dev/null
if grep -q 'no libprotobuf-c' .err; then
	skip_all "this build has no libprotobuf-c"
fi
forms=(form-*)
is "compute, send, receive, compute, in 12 forms of numbers" \
	"$(makespans "${forms[@]/#/chakra:}" | sort | uniq -c | tr -s ' ')" " 12 $((5000 + 112 + 1024 + 2000))"
is "files by a pattern" "$(makespans 'trace:form-int32/*.et')" 8136

same=(allreduce reduce allgather broadcast alltoall reducescatter barrier)
is "collective operations take the time of our algorithms" "$(makespans "${same[@]/#/chakra:}")" \
	"$(for operation in "${same[@]}"; do makespans "collective:$operation,size=256KiB,compute=1us"; done)"
is "an algorithm" "$(makespans chakra:allreduce,algorithm=doubling)" \
	"$(makespans collective:allreduce,algorithm=doubling,size=256KiB,compute=1us)"
is "reduce-scatter of blocks" "$(makespans chakra:block)" "$(makespans chakra:reducescatter)"
# seven parts of 32 KiB over one link
is "gather" "$(makespans chakra:gather)" $((1000 + 112 + 7 * 32768 / 4))
is "scatter" "$(makespans chakra:scatter)" $((1000 + 112 + 7 * 32768 / 4))
# rings: 2 (n - 1) steps of a n-th; groups of four, all, groups of four
is "process groups, and packed files" "$(makespans chakra:groups)" $((2 * 6 * (112 + 65536 / 4) + 14 * (112 + 32768 / 4)))
is "one file for eight ranks" "$(makespans chakra:one,ranks=8)" $((14 * (112 + 32768 / 4)))
is "the call of an operation, and a node that is not there" "$(makespans chakra:call)" 7000

is "control dependencies that loop with others do not count" "$(makespans chakra:nested)" 7000

refused() {
	says "$1" "$2" "${run[@]}" -s "traffic.pattern=chakra:$3"
}
refused "operations that differ" 'other: rank 1, node 1: other ranks of its process group do another operation' other
refused "an operation that one rank lacks" \
	'uneven: only 1 of the 2 ranks of a process group have its collective operation 2' uneven
refused "a loop" 'loop: rank 0, operation 1, calc: waits for itself' loop
refused "a node twice" 'twice: rank 0, node 1: it is there twice' twice
refused "a peer outside" 'peer: rank 0, node 1: its peer is no rank' peer
refused "a negative size" 'negative/trace.0.et: node 1: attribute comm_size is no number up to' negative
refused "no size" 'missing/trace.0.et: node 1: attribute comm_size, a number up to [0-9]*, is missing' missing
refused "no such type" 'type/trace.0.et: node 1: its type is none' type
refused "a receive that nobody sends" 'dead: rank 0, operation 1, recv: a deadlock: no message from rank 1' dead
refused "a file that is cut off" 'cut/trace.0.et: it is cut off, or no Chakra trace' cut
refused "noise" 'noise/trace.0.et: what follows node 0 is no node' noise
refused "no files" 'nowhere: there are no such files' nowhere
refused "no such algorithm" 'algorithm' allreduce,algorithm=best
refused "ranks of several files" 'ranks: only for a single file' allreduce,ranks=3
refused "too many ranks" 'ranks' one,ranks=9
finish
