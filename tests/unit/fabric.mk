# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
check_PROGRAMS += tests/tools/fabric_tool
tests_tools_fabric_tool_SOURCES = tests/tools/fabric_tool.c
tests_tools_fabric_tool_LDADD = libheddle.la
