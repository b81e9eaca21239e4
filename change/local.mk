# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	change/both_tables.c change/both_tables.h \
	change/change.c change/change.h \
	change/change_ask.c \
	change/count_lost.c \
	change/fabric_state.c change/fabric_state.h \
	change/history_batch.c change/history_batch.h \
	change/history_mix.c change/history_mix.h \
	change/history_proof.c change/history_proof.h \
	change/history_prover.c change/history_prover.h \
	change/history_windows.c change/history_windows.h \
	change/kinds.c change/kinds.h \
	change/lid_changes.c change/lid_changes.h \
	change/lid_ways.c change/lid_ways.h \
	change/mixture_walk.c change/mixture_walk.h \
	change/mixtures.c change/mixtures.h \
	change/plan.c change/plan.h \
	change/plan_greedy.c \
	change/plan_lids.c \
	change/private_losses.c change/private_losses.h \
	change/region.c change/region.h \
	change/region_mix.c change/region_mix.h \
	change/rollout.c change/rollout.h \
	change/rounds.c change/rounds.h \
	change/row_sets.c change/row_sets.h \
	change/schedule.c change/schedule.h \
	change/schedule_private.c \
	change/schedule_sets.c \
	change/schedule_vacant.c \
	change/send_order.c change/send_order.h \
	change/steps.c change/steps.h
EXTRA_DIST += docs/changes.md
