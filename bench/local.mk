# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Built by `make bench/bench_route bench/bench_barrier bench/bench_model bench/bench_mads bench/bench_permutations bench/kronecker`, not by default.
EXTRA_PROGRAMS += bench/bench_route bench/bench_barrier bench/bench_model bench/bench_mads bench/bench_permutations bench/kronecker
bench_bench_route_SOURCES = bench/bench_route.c
bench_bench_route_LDADD = $(heddle_libs)

bench_bench_barrier_SOURCES = bench/bench_barrier.c
bench_bench_barrier_LDADD = $(heddle_libs)

bench_bench_model_SOURCES = bench/bench_model.c
bench_bench_model_LDADD = libsim.a $(heddle_libs)

bench_bench_mads_SOURCES = bench/bench_mads.c
bench_bench_mads_CFLAGS = $(AM_CFLAGS) $(IBNETDISC_CFLAGS)
bench_bench_mads_LDADD = -libumad

bench_bench_permutations_SOURCES = bench/bench_permutations.c
bench_bench_permutations_LDADD = $(heddle_libs)

bench_kronecker_SOURCES = bench/kronecker.c
bench_kronecker_LDADD = $(heddle_libs)
EXTRA_DIST += bench/any.csv bench/bench_any.py bench/bench_change.py bench/bench_daemon.py bench/bench_engines.py bench/bench_fabric.sh bench/bench_files.py bench/bench_htsim.py bench/bench_plan.py bench/bench_ranks.py bench/bench_rounds.py bench/bench_rules.py bench/bench_schedule.sh bench/bench_table1.py bench/defaults.py bench/engines.csv bench/first_lft.c bench/floor.c bench/four_plfts.awk bench/kronecker.csv bench/kronecker.py bench/loss_matrix.py bench/more_vls.py bench/pair_mads.py bench/peers.py bench/README.md bench/same_checks.py bench/same_diffs.py bench/same_faults.py bench/same_results.py bench/same_tables.py bench/table1.csv bench/trunked.py
