# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
dist_man_MANS += \
	man/heddle.1 \
	man/heddle-agent.1 \
	man/heddle-topo.1 \
	man/heddle-report.1 \
	man/heddle-route.1 \
	man/heddle-check.1 \
	man/heddle-show.1 \
	man/heddle-convert.1 \
	man/heddle-diff.1 \
	man/heddle-dump.1 \
	man/heddle-faults.1 \
	man/heddle-list.1 \
	man/heddle-plan.1 \
	man/heddle-qos.1 \
	man/heddle-setup.1 \
	man/heddle-sim.1 \
	man/heddle-watch.1 \
	man/heddle-classes.5 \
	man/heddle-rules.5 \
	man/heddle-engines.7 \
	man/osmheddle.8 \
	man/libheddle.3 \
	man/libheddle-lids.7 \
	man/libheddle-trace.7 \
	man/simfabric-umad.7 \
	man/simfabric.1

# The page of scenarios has its keys from their table. For a cross build, SCENARIO_PAGE is one that runs here.
SCENARIO_PAGE = ./scenario_page$(EXEEXT)
noinst_PROGRAMS += scenario_page
scenario_page_SOURCES = tools/scenario_page.c
scenario_page_LDADD = $(sim_libs)
man_MANS = man/heddle-scenario.5
man/heddle-scenario.5: $(srcdir)/man/heddle-scenario.5.in scenario_page$(EXEEXT)
	$(AM_V_GEN)mkdir -p man && \
		LLVM_PROFILE_FILE=/dev/null $(SCENARIO_PAGE) $(srcdir)/man/heddle-scenario.5.in >$@.new && mv $@.new $@
EXTRA_DIST += man/heddle-scenario.5.in
CLEANFILES += man/heddle-scenario.5 man/heddle-scenario.5.new
