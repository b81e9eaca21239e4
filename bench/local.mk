# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Built by `make bench/bench_route`, not by default.
EXTRA_PROGRAMS += bench/bench_route
bench_bench_route_SOURCES = bench/bench_route.c
bench_bench_route_LDADD = libheddle.la
EXTRA_DIST += bench/README.md
