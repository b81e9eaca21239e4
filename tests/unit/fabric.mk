# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_fabric tests/unit/test_netfile tests/unit/test_topo_file
tests_unit_test_fabric_SOURCES = tests/unit/test_fabric.c tests/unit/same_fabric.h
tests_unit_test_fabric_LDADD = $(unit_LDADD)
tests_unit_test_netfile_SOURCES = tests/unit/test_netfile.c tests/unit/same_fabric.h
tests_unit_test_netfile_LDADD = $(unit_LDADD)
tests_unit_test_topo_file_SOURCES = tests/unit/test_topo_file.c
tests_unit_test_topo_file_LDADD = $(unit_LDADD)

check_PROGRAMS += tests/tools/fabric_tool
tests_tools_fabric_tool_SOURCES = tests/tools/fabric_tool.c
tests_tools_fabric_tool_LDADD = $(heddle_libs)

check_PROGRAMS += tests/tools/ibdiagnet_tool
tests_tools_ibdiagnet_tool_SOURCES = tests/tools/ibdiagnet_tool.c
tests_tools_ibdiagnet_tool_LDADD = $(heddle_libs)
check_PROGRAMS += tests/tools/stages_tool
tests_tools_stages_tool_SOURCES = tests/tools/stages_tool.c
tests_tools_stages_tool_LDADD = $(heddle_libs)

EXTRA_DIST += tests/data/netfiles tests/data/ibutils
