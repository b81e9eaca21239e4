# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	check/between.c check/between.h \
	check/bound.c check/bound.h \
	check/bound_pairs.c check/bound_pairs.h \
	check/branches.c check/branches.h \
	check/change.c check/change.h check/change_ask.c \
	check/check.c check/check.h \
	check/choices.c check/choices.h \
	check/coverage.c check/coverage.h \
	check/cycle.c check/cycle.h \
	check/dependencies.c check/dependencies.h \
	check/destinations.c check/destinations.h \
	check/failures.c check/failures.h \
	check/history.c check/history.h \
	check/held.c check/held.h \
	check/load.c check/load.h \
	check/mends.c check/mends.h \
	check/mixture.c check/mixture.h \
	check/mixtures.c check/mixtures.h \
	check/multicast.c check/multicast.h \
	check/network.c check/network.h \
	check/order.c check/order.h \
	check/patterns.c \
	check/plan.c check/plan.h check/plan_greedy.c check/plan_lids.c \
	check/prover.c check/prover.h \
	check/prover_mix.c check/prover_mix.h \
	check/prover_proof.c check/prover_proof.h \
	check/prover_windows.c check/prover_windows.h \
	check/region.c check/region.h \
	check/region_mix.c check/region_mix.h \
	check/rounds.c check/rounds.h \
	check/schedule.c check/schedule.h \
	check/sources.c \
	check/starved.c check/starved.h \
	check/steps.c check/steps.h \
	check/states.c check/states.h \
	check/tree.c check/tree.h \
	check/waits.c check/waits.h \
	check/walk.c check/walk.h \
	check/witness.c check/witness.h
