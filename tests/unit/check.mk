# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_between
tests_unit_test_between_SOURCES = tests/unit/test_between.c tests/unit/between_oracle.c \
	tests/unit/between_oracle.h tests/unit/check_case.c \
	tests/unit/check_oracle.h tests/unit/mixing.c tests/unit/mixing.h
tests_unit_test_between_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_channels
tests_unit_test_channels_SOURCES = tests/unit/test_channels.c
tests_unit_test_channels_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_check
tests_unit_test_check_SOURCES = tests/unit/test_check.c tests/unit/check_case.c \
	tests/unit/check_oracle.c tests/unit/check_oracle.h
tests_unit_test_check_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_cycle
tests_unit_test_cycle_SOURCES = tests/unit/test_cycle.c
tests_unit_test_cycle_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_baseline
tests_unit_test_baseline_SOURCES = tests/unit/test_baseline.c tests/unit/same_fabric.h \
	tests/unit/spec_fabric.c tests/unit/spec_fabric.h
tests_unit_test_baseline_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_load
tests_unit_test_load_SOURCES = tests/unit/test_load.c
tests_unit_test_load_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_send_order
tests_unit_test_send_order_SOURCES = tests/unit/test_send_order.c tests/unit/mixing.c \
	tests/unit/mixing.h
tests_unit_test_send_order_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_change
tests_unit_test_change_SOURCES = tests/unit/test_change.c tests/unit/mixing.c \
	tests/unit/spec_fabric.c
tests_unit_test_change_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_count_lost
tests_unit_test_count_lost_SOURCES = tests/unit/test_count_lost.c tests/unit/mixing.c \
	tests/unit/mixing.h
tests_unit_test_count_lost_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_schedule
tests_unit_test_schedule_SOURCES = tests/unit/test_schedule.c tests/unit/tables_case.c tests/unit/tables_case.h tests/unit/mixing.c \
	tests/unit/mixing.h
tests_unit_test_schedule_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_schedule_sets
tests_unit_test_schedule_sets_SOURCES = tests/unit/test_schedule_sets.c tests/unit/mixing.c \
	tests/unit/mixing.h
tests_unit_test_schedule_sets_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_schedule_private
tests_unit_test_schedule_private_SOURCES = tests/unit/test_schedule_private.c tests/unit/mixing.c \
	tests/unit/mixing.h
tests_unit_test_schedule_private_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_rollout
tests_unit_test_rollout_SOURCES = tests/unit/test_rollout.c tests/unit/mixing.c tests/unit/mixing.h
tests_unit_test_rollout_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_bound
tests_unit_test_bound_SOURCES = tests/unit/test_bound.c
tests_unit_test_bound_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_forests
tests_unit_test_forests_SOURCES = tests/unit/test_forests.c tests/unit/spec_fabric.c \
	tests/unit/spec_fabric.h
tests_unit_test_forests_LDADD = $(unit_LDADD)
