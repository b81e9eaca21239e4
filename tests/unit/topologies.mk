# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_dragonfly
tests_unit_test_dragonfly_SOURCES = \
	tests/unit/test_dragonfly.c tests/unit/dragonfly_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_dragonfly_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_dragonfly_patterns
tests_unit_test_dragonfly_patterns_SOURCES = \
	tests/unit/test_dragonfly_patterns.c tests/unit/dragonfly_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_dragonfly_patterns_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_topologies
tests_unit_test_topologies_SOURCES = tests/unit/test_topologies.c
tests_unit_test_topologies_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_low_diameter
tests_unit_test_low_diameter_SOURCES = tests/unit/test_low_diameter.c
tests_unit_test_low_diameter_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_recognise_low
tests_unit_test_recognise_low_SOURCES = \
	tests/unit/test_recognise_low.c tests/unit/dragonfly_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_recognise_low_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_grid
tests_unit_test_grid_SOURCES = \
	tests/unit/test_grid.c \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_grid_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_fat_tree
tests_unit_test_fat_tree_SOURCES = \
	tests/unit/test_fat_tree.c tests/unit/dragonfly_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_fat_tree_LDADD = $(unit_LDADD)

unit_tests += tests/unit/test_canonical
tests_unit_test_canonical_SOURCES = tests/unit/test_canonical.c tests/unit/relabel.c tests/unit/relabel.h \
	tests/unit/random_graph.c tests/unit/random_graph.h
tests_unit_test_canonical_LDADD = $(unit_LDADD)
