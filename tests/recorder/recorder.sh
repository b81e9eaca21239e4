# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# libheddle-trace.so: what a program sends is in the trace, message by message; the trace replays; two recordings
# are the same but for their times; programs that cannot be recorded leave one line and no file.
# shellcheck shell=bash source-path=SCRIPTDIR
. "${top_srcdir:-.}/tests/tools/tools.sh"
command -v mpirun >/dev/null || {
	echo "1..0 # SKIP there is no mpirun"
	exit 0
}
cd "$scratch" || exit 99
library=$top_builddir/libheddle-trace.so
if nm "$library" | grep -qE '__asan|__gcov_'; then
	echo "1..0 # SKIP a program of its own preloads no sanitizer"
	exit 0
fi
export HEDDLE_TRACE=$scratch/t.trace OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 TMPDIR=$scratch

# mpi TASKS PART...: runs the program; what it prints is in sent
mpi() {
	local n=$1
	shift
	rm -f t.trace*
	timeout 120 mpirun --oversubscribe --mca btl self,vader --mca btl_vader_single_copy_mechanism none -n "$n" \
		-x LD_PRELOAD="$library" "$top_builddir/tests/recorder/program" "$@" >sent 2>err
}

# messages FILE: its messages, but for lines of a task's own time, as "source destination bytes"
messages() { awk '!/^#/ && !($2 == $3 && $4 == 0) { print $2, $3, $4 }' "$1"; }

# by_pair: lines "source destination bytes" by pair of tasks, in their order within each
by_pair() { sort -s -k1,1n -k2,2n; }

says_once() { is "$1: one line" "$(grep -c '^libheddle-trace: ' err)" 1; }

for part in ring tags persistent probes communicators; do
	ok "$part: runs" mpi 6 $part
	is "$part: says nothing" "$(grep -c libheddle err)" 0
	is "$part: same messages, bytes and order for each pair" "$(messages t.trace | by_pair | md5sum)" \
		"$(by_pair <sent | md5sum)"
done
ok "all together, in four tasks" mpi 4 ring tags persistent probes communicators
is "the same messages" "$(messages t.trace | by_pair | md5sum)" "$(by_pair <sent | md5sum)"
# which of several requests is done first is nobody's to say: tags has such
mpi 4 ring persistent probes communicators collectives
sed 's/^[0-9]* //' t.trace >one
ok "and again" mpi 4 ring persistent probes communicators collectives
ok "the same trace but for times" cmp one <(sed 's/^[0-9]* //' t.trace)
HEDDLE_TRACE_FACTOR=0 mpi 4 ring tags persistent probes communicators
is "factor 0: no time" "$(awk '!/^#/ && $1 { n++ } END { print n + 0 }' t.trace)" 0
is "and no lines for it" "$(grep -vc '^#' t.trace)" "$(wc -l <sent)"

# replayed: all arrives, once
sim() {
	heddle sim tree:k=3,n=2 -e dmodc -s "traffic.pattern=trace:t.trace,ticks=1000$1" -s run.warmup=0 \
		-s run.measure=1s -s traffic.packet=4KiB --quiet --csv sim.csv >/dev/null
}
column() { python3 -c 'import csv, sys
print(*(row[sys.argv[1]] for row in csv.DictReader(open("sim.csv"))))' "$1"; }
mpi 6 ring tags persistent probes communicators
ok "it replays" sim ""
is "every message between tasks arrives, in a packet" "$(column packets)" "$(messages t.trace | awk '$1 != $2' | wc -l)"
is "nothing is dropped" "$(column dropped)" 0
like "and it has an end" "$(column makespan)" '^[1-9]'
ok "three tasks on a host" sim ,tasks=3
is "only what is between hosts" "$(column packets)" \
	"$(messages t.trace | awk 'int($1 / 3) != int($2 / 3)' | wc -l)"
ok "three instances" sim ,tasks=2,instances=3
is "three times as much" "$(column packets)" \
	"$((3 * $(messages t.trace | awk 'int($1 / 2) != int($2 / 2)' | wc -l)))"

# collective operations: of six tasks, blocks of 16 bytes or of 4, 8, ..., 24
ok "collective operations" mpi 6 collectives
HEDDLE_TRACE_FACTOR=0 mpi 6 collectives
is "are named" "$(sed -n 's/^# collective //p' t.trace | paste -s -d ' ')" \
	"0: barrier 1: bcast 2: reduce 3: allreduce 4: gather 5: scatter 6: gatherv 7: scatterv 8: allgather 9: allgather 10: alltoall 11: reduce_scatter 12: scan"
# operation: messages, bytes
while read -r number name wanted; do
	HEDDLE_TRACE_FACTOR=0 HEDDLE_TRACE_PART=$number-$((number + 1)) mpi 6 collectives
	is "$name: messages and bytes" "$(messages t.trace | awk '{ n++; bytes += $3 } END { print n, bytes }')" "$wanted"
done <<-END
	0 barrier 18 0
	1 bcast 5 80
	2 reduce 5 80
	3 allreduce 12 192
	4 gather 5 144
	6 gatherv 5 76
	9 allgatherv 30 420
	10 alltoall 30 480
	11 reduce_scatter 30 420
	12 scan 11 176
END
ok "operations that go on beside the task" mpi 6 beside
is "messages between two tasks are there" "$(messages t.trace | grep -c '^0 1 [56]$')" 2
ok "they replay" sim ""
is "to the end" "$(column packets)" "$(messages t.trace | wc -l)"

# time: a tenth of a second of each of four tasks, one after the other
ok "compute time" mpi 4 compute
sim ""
is "is there" "$(awk -v t="$(column makespan)" 'BEGIN { print (t > 0.39e9) }')" 1
HEDDLE_TRACE_FACTOR=0.1 mpi 4 compute
sim ""
is "a tenth of it" "$(awk -v t="$(column makespan)" 'BEGIN { print (t > 0.039e9 && t < 0.39e9) }')" 1

# as a GOAL schedule: what heddle makes of the trace takes the same time
makespan() { # PATTERN
	heddle sim tree:k=3,n=2 -e dmodc -s "traffic.pattern=$1" -s run.warmup=0 -s run.measure=1s -s traffic.packet=4KiB \
		--quiet --csv sim.csv >/dev/null && column makespan
}
for part in "ring persistent probes communicators collectives" beside; do
	# shellcheck disable=SC2086
	HEDDLE_TRACE_FACTOR=0 mpi 6 $part
	mv t.trace one.trace
	# shellcheck disable=SC2086
	HEDDLE_TRACE=$scratch/t.goal HEDDLE_TRACE_FACTOR=0 mpi 6 $part
	ok "$part: the trace becomes a schedule" heddle convert one.trace one.goal
	is "$part: the recorder's own takes as long" "$(makespan trace:t.goal)" "$(makespan trace:one.goal)"
	is "$part: and has the same messages" "$(grep -c send t.goal) $(grep -c recv t.goal)" \
		"$(grep -c send one.goal) $(grep -c recv one.goal)"
	rm -f t.goal one.goal
done
HEDDLE_TRACE=$scratch/t.goal HEDDLE_TRACE_FACTOR=0.1 mpi 4 compute
is "compute time is in it" "$(awk -v t="$(makespan trace:t.goal,ticks=1000)" 'BEGIN { print (t > 0.039e9 && t < 0.39e9) }')" 1
HEDDLE_TRACE=$scratch/t.goal mpi 6 collectives
like "collective operations are named" "$(cat t.goal)" '// collective 10: alltoall'
rm -f t.goal

# no trace, and one line that says why
for part in "neighbours neighbourhood" "ineighbours neighbourhood" "shared one-sided" "threads MPI_THREAD_MULTIPLE" "abort called MPI_Abort" "exit without MPI_Finalize"; do
	mpi 4 "${part%% *}"
	like "${part%% *}: says why" "$(grep ^libheddle err)" "${part#* }.*no trace is written\$"
	says_once "${part%% *}"
	is "${part%% *}: no file" "$(ls t.trace* 2>/dev/null)" ""
done
# a trace, and one line of what is not in it
ok "files: runs" mpi 4 ring files files
is "files: says what is left out" "$(grep ^libheddle err)" \
	"libheddle-trace: what MPI-IO (MPI_File_...) sends is not in the trace"
is "files: the rest is there" "$(messages t.trace | by_pair | md5sum)" "$(by_pair <sent | md5sum)"
mpi 4 ring kill
is "a program that crashes leaves no file" "$(ls t.trace* 2>/dev/null)" ""
for bad in HEDDLE_TRACE_FACTOR=fast HEDDLE_TRACE_PART=7-7 HEDDLE_TRACE_CLOCK=sun HEDDLE_TRACE=/nowhere/t.trace; do
	export "${bad?}"
	mpi 2 ring
	is "$bad: exit status" $? 2
	says_once "$bad"
	unset HEDDLE_TRACE_FACTOR HEDDLE_TRACE_PART HEDDLE_TRACE_CLOCK
	HEDDLE_TRACE=$scratch/t.trace
done
finish
