# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
libheddle_a_SOURCES += \
	intent/judge.c intent/judge.h \
	intent/lid_choices.c \
	intent/lid_tree.c intent/lid_tree.h \
	intent/path_demands.c \
	intent/rails.c intent/rails.h \
	intent/redundancy.c \
	intent/rule_file.c intent/rule_file.h \
	intent/rule_loads.c \
	intent/rule_sets.c intent/rule_sets.h \
	intent/tree_view.c intent/tree_view.h \
	intent/verdicts.h \
	intent/violations.c
EXTRA_DIST += contrib/rules/dragonfly.rules contrib/rules/fat-tree.rules contrib/rules/rail-optimised.rules
