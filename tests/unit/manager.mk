# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_absent_nodes
tests_unit_test_absent_nodes_SOURCES = tests/unit/test_absent_nodes.c
tests_unit_test_absent_nodes_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_manager_files
tests_unit_test_manager_files_SOURCES = tests/unit/test_manager_files.c tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_manager_files_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_patience
tests_unit_test_patience_SOURCES = tests/unit/test_patience.c
tests_unit_test_patience_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_plugin_options
tests_unit_test_plugin_options_SOURCES = tests/unit/test_plugin_options.c
tests_unit_test_plugin_options_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_site_qos
tests_unit_test_site_qos_SOURCES = tests/unit/test_site_qos.c tests/unit/mixing.c tests/unit/mixing.h
tests_unit_test_site_qos_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_node_tables
tests_unit_test_node_tables_SOURCES = tests/unit/test_node_tables.c tests/unit/mixing.c tests/unit/mixing.h \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_node_tables_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_wanted
tests_unit_test_wanted_SOURCES = tests/unit/test_wanted.c tests/unit/mixing.c tests/unit/mixing.h
tests_unit_test_wanted_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_pace
tests_unit_test_pace_SOURCES = tests/unit/test_pace.c
tests_unit_test_pace_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_unconfirmed
tests_unit_test_unconfirmed_SOURCES = tests/unit/test_unconfirmed.c tests/unit/mixing.c tests/unit/mixing.h \
	tests/unit/tables_case.c tests/unit/tables_case.h
tests_unit_test_unconfirmed_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_handout
tests_unit_test_handout_SOURCES = tests/unit/test_handout.c
tests_unit_test_handout_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_switch_sets
tests_unit_test_switch_sets_SOURCES = tests/unit/test_switch_sets.c
tests_unit_test_switch_sets_LDADD = $(unit_LDADD)
