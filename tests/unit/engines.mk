# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_engines
tests_unit_test_engines_SOURCES = tests/unit/test_engines.c tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_engines_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_repair
tests_unit_test_repair_SOURCES = tests/unit/test_repair.c tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_repair_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_updn
tests_unit_test_updn_SOURCES = tests/unit/test_updn.c tests/unit/shuffle.c tests/unit/shuffle.h \
	tests/unit/random_graph.c tests/unit/random_graph.h
tests_unit_test_updn_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_any
tests_unit_test_any_SOURCES = tests/unit/test_any.c tests/unit/shuffle.c tests/unit/shuffle.h \
	tests/unit/random_graph.c tests/unit/random_graph.h
tests_unit_test_any_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_choose
tests_unit_test_choose_SOURCES = tests/unit/test_choose.c tests/unit/relabel.c tests/unit/relabel.h
tests_unit_test_choose_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_dmodc
tests_unit_test_dmodc_SOURCES = \
	tests/unit/test_dmodc.c tests/unit/dragonfly_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_dmodc_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_dfplus
tests_unit_test_dfplus_SOURCES = \
	tests/unit/test_dfplus.c tests/unit/dragonfly_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_dfplus_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_layered
tests_unit_test_layered_SOURCES = \
	tests/unit/test_layered.c tests/unit/dragonfly_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_layered_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_parx
tests_unit_test_parx_SOURCES = \
	tests/unit/test_parx.c tests/unit/dragonfly_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_parx_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_dfval
tests_unit_test_dfval_SOURCES = tests/unit/test_dfval.c
tests_unit_test_dfval_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_flow_turns
tests_unit_test_flow_turns_SOURCES = tests/unit/test_flow_turns.c tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_flow_turns_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_layers
tests_unit_test_layers_SOURCES = tests/unit/test_layers.c tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_layers_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_flex
tests_unit_test_flex_SOURCES = tests/unit/test_flex.c
tests_unit_test_flex_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_halves
tests_unit_test_halves_SOURCES = \
	tests/unit/test_halves.c \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_halves_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_grid_routes
tests_unit_test_grid_routes_SOURCES = \
	tests/unit/test_grid_routes.c \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_grid_routes_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_directions
tests_unit_test_directions_SOURCES = tests/unit/test_directions.c
tests_unit_test_directions_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_rules
tests_unit_test_rules_SOURCES = tests/unit/test_rules.c
tests_unit_test_rules_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_stable_lanes
tests_unit_test_stable_lanes_SOURCES = tests/unit/test_stable_lanes.c tests/unit/mixing.c tests/unit/mixing.h
tests_unit_test_stable_lanes_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_even
tests_unit_test_even_SOURCES = tests/unit/test_even.c tests/unit/random_graph.c tests/unit/random_graph.h
tests_unit_test_even_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_group_order
tests_unit_test_group_order_SOURCES = tests/unit/test_group_order.c
tests_unit_test_group_order_LDADD = $(unit_LDADD)
unit_tests += tests/unit/test_group_even
tests_unit_test_group_even_SOURCES = tests/unit/test_group_even.c tests/unit/relabel.c tests/unit/relabel.h
tests_unit_test_group_even_LDADD = $(unit_LDADD)

# files of the tool, which no library has
unit_tests += tests/unit/test_fault_sets
tests_unit_test_fault_sets_SOURCES = \
	tests/unit/test_fault_sets.c \
	tools/faults/fault_sets.c tools/faults/fault_sets.h \
	tools/faults/fault_study.c tools/faults/fault_study.h \
	tools/faults/share_bounds.c tools/faults/share_bounds.h
tests_unit_test_fault_sets_LDADD = $(unit_LDADD)
