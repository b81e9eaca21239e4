# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_lanes
tests_unit_test_lanes_SOURCES = tests/unit/test_lanes.c
tests_unit_test_lanes_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_queues
tests_unit_test_queues_SOURCES = tests/unit/test_queues.c
tests_unit_test_queues_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_queue_paths
tests_unit_test_queue_paths_SOURCES = tests/unit/test_queue_paths.c tests/unit/queue_case.h
tests_unit_test_queue_paths_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_queue_switches
tests_unit_test_queue_switches_SOURCES = tests/unit/test_queue_switches.c tests/unit/queue_case.h
tests_unit_test_queue_switches_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_vlarb
tests_unit_test_vlarb_SOURCES = tests/unit/test_vlarb.c
tests_unit_test_vlarb_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_shares
tests_unit_test_shares_SOURCES = tests/unit/test_shares.c
tests_unit_test_shares_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_classes
tests_unit_test_classes_SOURCES = tests/unit/test_classes.c
tests_unit_test_classes_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_backlog
tests_unit_test_backlog_SOURCES = tests/unit/test_backlog.c
tests_unit_test_backlog_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_dtable
tests_unit_test_dtable_SOURCES = tests/unit/test_dtable.c
tests_unit_test_dtable_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_sbt
tests_unit_test_sbt_SOURCES = tests/unit/test_sbt.c
tests_unit_test_sbt_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_class_layout
tests_unit_test_class_layout_SOURCES = tests/unit/test_class_layout.c tests/unit/mixing.c tests/unit/mixing.h
tests_unit_test_class_layout_LDADD = $(unit_LDADD)
