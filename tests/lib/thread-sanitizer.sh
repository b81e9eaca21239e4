#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Threads touch nothing at the same time: builds with clang's thread sanitizer what has threads, and runs it with
# several of them. Archer, which comes with clang's OpenMP, tells the sanitizer how OpenMP's threads wait for one another.
#
#	tests/lib/thread-sanitizer.sh build DIRECTORY     configures and builds; the directory is made if need be
#	tests/lib/thread-sanitizer.sh run DIRECTORY       TAP: a line for each part, and what was found; a minute of CPU
#
# libheddle-trace.so has no threads: it refuses programs whose threads may all send (MPI_THREAD_MULTIPLE). The plug-in has
# none but OpenSM's, which is not instrumented; the OpenMP in it is the library's, which runs here in heddle.
set -u
source=$(cd "$(dirname "$0")/../.." && pwd)
case $#-${1-} in
2-build | 2-run) ;;
*)
	sed -n '3,/^[^#]/s/^# \{0,1\}//p' "$0"
	exit 2
	;;
esac
# The sanitizer of clang 14 does not start where addresses are drawn from 32 bits (vm.mmap_rnd_bits), as in some hosts of
# containers.
if [ "$1" = run ] && [ -z "${HEDDLE_SAME_ADDRESSES-}" ] && setarch "$(uname -m)" -R true 2>/dev/null; then
	HEDDLE_SAME_ADDRESSES=1 exec setarch "$(uname -m)" -R "$source/tests/lib/thread-sanitizer.sh" "$@"
fi
mkdir -p "$2"
cd "$2" || exit 2

if [ "$1" = build ]; then
	flags=-fsanitize=thread
	"$source/configure" -C --quiet CC=clang CFLAGS="-O1 -gline-tables-only $flags" LDFLAGS="$flags" --disable-hardening \
		--without-opensm || exit
	exec make -s -j"$(nproc)" heddle simfabric/simfabric libsimfabric-umad.so libheddle-lids.so tests/lids/program \
		tests/lids/libibverbs.so.1 tests/simfabric/umad_api tests/unit/test_domains tests/unit/test_ring
fi

top_srcdir=$source top_builddir=$PWD
. "$source/tests/lib/tap.sh"
# without the second, memory that libraries hand over looks like a race, since they are not instrumented
export TSAN_OPTIONS="halt_on_error=1 exitcode=66 ignore_noninstrumented_modules=1" OMP_NUM_THREADS=3 OMP_WAIT_POLICY=passive

# clean NAME COMMAND...: it exits with 0, or with $answer, and so without a race
answer=0
clean() {
	local name=$1 status
	shift
	"$@" >"$scratch/out" 2>"$scratch/err" </dev/null
	status=$?
	tap_result $((status != answer)) "$name"
	[ $status = $answer ] || { echo "$*: status $status"; grep -A25 'WARNING: ThreadSanitizer' "$scratch/err" || tail "$scratch/err"; } | tap_explain
}

# A race that is known is found: else nothing below says anything.
cat >"$scratch/race.c" <<'EOF'
#include <stdio.h>
int main(void)
{
	int n = 0;
#pragma omp parallel for
	for (int i = 0; i < 1000; i++)
		n += i;
	return printf("%d\n", n) < 0;
}
EOF
clang -O1 -fopenmp -fsanitize=thread "$scratch/race.c" -o "$scratch/race" || exit
"$scratch/race" >"$scratch/out" 2>&1
is "a race of OpenMP's threads is found" $? 66

clean "domains of a simulated fabric" tests/unit/test_domains
clean "rings of packets" tests/unit/test_ring
for switch in iq cioq vc hierarchical; do
	clean "sim --threads: $switch" heddle sim dragonfly:a=4,p=2,h=2 -e dla -s switch.model=$switch -s traffic.load=0.6 \
		-s run.warmup=5us -s run.measure=20us -j 1 --threads 3
done
clean "sim --threads: packets choose" heddle sim dragonfly:a=4,p=2,h=2 -e dla -s routing.adaptive="ugal, olm" -s traffic.load=0.6 \
	-s run.warmup=5us -s run.measure=20us -j 1 --threads 3
clean "sim -j: runs beside one another" heddle sim dragonfly:a=4,p=2,h=2 -e dla -s traffic.load=0.2,0.6 -s run.seeds=1..3 \
	-s run.warmup=5us -s run.measure=10us -j 3

# more than 64 switches, below which engines take one thread
routes() { # SPEC ENGINE...
	local spec=$1 engine
	shift
	for engine in "$@"; do
		clean "route, check: $engine, $spec" heddle route "$spec" -e "$engine" -o "$scratch/$engine"
	done
}
routes dragonfly:a=6,p=1,h=2 dla d3r dfval df-minhop df-sssp updn any dla:ar=trunks
answer=1 routes dragonfly:a=6,p=1,h=2 minhop # credit loops
routes torus:9x8 hdor osha
routes mesh:9x8 hdor:ar=minimal
routes kns:k=8,n=2 osha
routes tree:k=6,n=3 dmodc dmodc:ar=yes updn
routes dragonflyplus:leaves=4 dfplus:ar=valiant
clean "check --adaptive" heddle check dragonfly:a=6,p=1,h=2 -e dla --adaptive olm
clean "check --local-repair" heddle check dragonflyplus:leaves=4 -e dfplus:ar=valiant --local-repair 1
clean "check --between" heddle check --between "$scratch/updn" "$scratch/dmodc"
answer=1 clean "diff" heddle diff "$scratch/dla" "$scratch/d3r"
heddle topo dragonfly:a=6,p=1,h=2 --fail-links 2 --seed 1 -o "$scratch/less.net" >/dev/null
clean "route, check: a link is missing" heddle route "$scratch/less.net" -e dla --previous "$scratch/dla" -o "$scratch/less"
clean "diff --schedule" heddle diff --schedule "$scratch/dla" "$scratch/less"
clean "show load" heddle show "$scratch/dla" load
printf '[class A] share = 50%%  packet = 128\n[class B] share = 50%%  packet = 1024\n' >"$scratch/classes"
heddle route dragonfly:a=4,p=2,h=2 -e dla --max-vls 8 --classes "$scratch/classes" -o "$scratch/classed" --quiet >/dev/null
clean "qos show: bounds" heddle qos show "$scratch/classed" --load 0.5
clean "faults -j" heddle faults dragonfly:a=4,p=1,h=1 -e heddle --links 1 -j 3
clean "runs drawn at random" "$source/bench/same_results.py" -n 12 --threads 3 heddle heddle
clean "runs whose packets choose, drawn at random" "$source/bench/same_results.py" -n 8 --threads 3 --adaptive heddle heddle

clean "programs on an emulated fabric" simfabric --wrapper own mesh:2x2 -- tests/simfabric/umad_api 2000
# the first port of the snapshot, and one of another host
own() { grep '^# port' "$scratch/osha/path-sl.dump" | sed -n "$1p" | cut -d ' ' -f "$2"; } # PORT COLUMN
STUB_PORT=$(own 1 3) STUB_LID=$(own 1 5)
STUB_NODE=$(sed -nE 's/^\[1\].*"H-([0-9a-f]*)"\[1\]\('"$(printf %x "$STUB_PORT")"'\).*/0x\1/p' "$scratch/osha/fabric.net")
export LD_LIBRARY_PATH=$PWD/tests/lids STUB_PORT STUB_NODE STUB_LID STUB_LMC=1 HEDDLE_LIDS=$scratch/osha
clean "libheddle-lids.so" env PROGRAM_THREADS=8 LD_PRELOAD="$PWD/libheddle-lids.so" tests/lids/program "$(own 6 5)"
is "its threads take both LIDs" "$(grep '^rtr' "$scratch/out" | sort -u | wc -l)" 2
finish
