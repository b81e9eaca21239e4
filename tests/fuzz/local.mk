# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# Fuzz targets. With --enable-fuzzing they are libFuzzer programs; otherwise tests/fuzz/replay.c runs
# each over its corpus, so that every build checks what fuzzing once found.

# A target: fuzz_targets += tests/fuzz/fuzz_thing, its corpus in tests/fuzz/corpus/thing/
fuzz_targets =
EXTRA_DIST += tests/fuzz/corpus
fuzzing_libs = $(heddle_libs)

if FUZZING
fuzz_driver =
fuzzing_ldflags = $(AM_LDFLAGS) -fsanitize=fuzzer,address,undefined
# a brute force that only compares: no input is worth keeping for a new path through it
brute_cflags = $(AM_CFLAGS) -fno-sanitize=fuzzer-no-link
# What rooms behind the readers compare is no text that an input could copy, and following it takes most of their time, 44% of
# that of fuzz_console (perf record). Branches are counted there, too.
compare_no_input = change/%.o engines/%.o check/%.o sl2vl/%.o topologies/%.o vlarb/%.o support/random.o manager/node_tables.o manager/repeated_sets.o \
	$(patsubst %,fabric/%.o,builder distances fabric faults lids) \
	$(patsubst %,tables/%.o,ar_copy diff_ar diff_flows diff_match diff_pairs diff_sources diff_trees diff_vls lft_copy onto sl_rows tables) \
	$(patsubst %,simfabric/emulator/%.o,link_rates link_state node_state timers) simfabric/traffic/%.o \
	$(addsuffix /%.o,$(addprefix sim/,adaptive hosts measure model policies switches))
$(compare_no_input): FUZZER_FLAGS += -fno-sanitize-coverage=trace-cmp
else
fuzz_driver = tests/fuzz/replay.c
fuzzing_ldflags = $(AM_LDFLAGS)
brute_cflags = $(AM_CFLAGS)
TESTS += $(fuzz_targets)
endif
check_PROGRAMS += $(fuzz_targets)
fuzz-targets: $(fuzz_targets)
.PHONY: fuzz-targets

fuzz_targets += tests/fuzz/fuzz_check
tests_fuzz_fuzz_check_SOURCES = tests/fuzz/fuzz_check.c tests/unit/check_case.c \
	tests/unit/check_oracle.c tests/unit/check_oracle.h $(fuzz_driver)
tests_fuzz_fuzz_check_CFLAGS = $(brute_cflags)
tests_fuzz_fuzz_check_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_check_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_printable
tests_fuzz_fuzz_printable_SOURCES = tests/fuzz/fuzz_printable.c $(fuzz_driver)
tests_fuzz_fuzz_printable_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_printable_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_topo
tests_fuzz_fuzz_topo_SOURCES = tests/fuzz/fuzz_topo.c $(fuzz_driver)
tests_fuzz_fuzz_topo_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_topo_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_plan
tests_fuzz_fuzz_plan_SOURCES = tests/fuzz/fuzz_plan.c $(fuzz_driver)
tests_fuzz_fuzz_plan_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_plan_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_spec
tests_fuzz_fuzz_spec_SOURCES = tests/fuzz/fuzz_spec.c $(fuzz_driver)
tests_fuzz_fuzz_spec_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_spec_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_netfile
tests_fuzz_fuzz_netfile_SOURCES = tests/fuzz/fuzz_netfile.c tests/unit/same_fabric.h $(fuzz_driver)
tests_fuzz_fuzz_netfile_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_netfile_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_ibdiag
tests_fuzz_fuzz_ibdiag_SOURCES = tests/fuzz/fuzz_ibdiag.c tests/unit/same_fabric.h \
	tests/unit/tables_case.c tests/unit/tables_case.h $(fuzz_driver)
tests_fuzz_fuzz_ibdiag_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_ibdiag_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_names
tests_fuzz_fuzz_names_SOURCES = tests/fuzz/fuzz_names.c $(fuzz_driver)
tests_fuzz_fuzz_names_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_names_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_unpack
tests_fuzz_fuzz_unpack_SOURCES = tests/fuzz/fuzz_unpack.c $(fuzz_driver)
tests_fuzz_fuzz_unpack_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_unpack_LDFLAGS = $(fuzzing_ldflags)

# Dump formats: what parses is written and read again.
dump_target = tests/fuzz/dump_target.c tests/fuzz/dump_target.h \
	tests/unit/tables_case.c tests/unit/tables_case.h

fuzz_targets += tests/fuzz/fuzz_lfts
tests_fuzz_fuzz_lfts_SOURCES = tests/fuzz/fuzz_lfts.c $(dump_target) $(fuzz_driver)
tests_fuzz_fuzz_lfts_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_lfts_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_sl2vl
tests_fuzz_fuzz_sl2vl_SOURCES = tests/fuzz/fuzz_sl2vl.c $(dump_target) $(fuzz_driver)
tests_fuzz_fuzz_sl2vl_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_sl2vl_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_path_sl
tests_fuzz_fuzz_path_sl_SOURCES = tests/fuzz/fuzz_path_sl.c $(dump_target) $(fuzz_driver)
tests_fuzz_fuzz_path_sl_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_path_sl_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_own_sls
tests_fuzz_fuzz_own_sls_SOURCES = tests/fuzz/fuzz_own_sls.c \
	tests/unit/tables_case.c tests/unit/tables_case.h $(fuzz_driver)
tests_fuzz_fuzz_own_sls_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_own_sls_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_classes
tests_fuzz_fuzz_classes_SOURCES = tests/fuzz/fuzz_classes.c $(dump_target) $(fuzz_driver)
tests_fuzz_fuzz_classes_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_classes_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_rules
tests_fuzz_fuzz_rules_SOURCES = tests/fuzz/fuzz_rules.c $(fuzz_driver)
tests_fuzz_fuzz_rules_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_rules_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_qos
tests_fuzz_fuzz_qos_SOURCES = tests/fuzz/fuzz_qos.c $(fuzz_driver)
tests_fuzz_fuzz_qos_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_qos_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_vlarb
tests_fuzz_fuzz_vlarb_SOURCES = tests/fuzz/fuzz_vlarb.c $(dump_target) $(fuzz_driver)
tests_fuzz_fuzz_vlarb_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_vlarb_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_ar
tests_fuzz_fuzz_ar_SOURCES = tests/fuzz/fuzz_ar.c $(dump_target) $(fuzz_driver)
tests_fuzz_fuzz_ar_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_ar_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_mcfdbs
tests_fuzz_fuzz_mcfdbs_SOURCES = tests/fuzz/fuzz_mcfdbs.c $(dump_target) $(fuzz_driver)
tests_fuzz_fuzz_mcfdbs_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_mcfdbs_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_chakra
tests_fuzz_fuzz_chakra_SOURCES = tests/fuzz/fuzz_chakra.c $(fuzz_driver)
tests_fuzz_fuzz_chakra_LDADD = libsim.a $(fuzzing_libs)
tests_fuzz_fuzz_chakra_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_goal
tests_fuzz_fuzz_goal_SOURCES = tests/fuzz/fuzz_goal.c $(fuzz_driver)
tests_fuzz_fuzz_goal_LDADD = libsim.a $(fuzzing_libs)
tests_fuzz_fuzz_goal_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_trace
tests_fuzz_fuzz_trace_SOURCES = tests/fuzz/fuzz_trace.c $(fuzz_driver)
tests_fuzz_fuzz_trace_LDADD = libsim.a $(fuzzing_libs)
tests_fuzz_fuzz_trace_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_scenario
tests_fuzz_fuzz_scenario_SOURCES = tests/fuzz/fuzz_scenario.c $(fuzz_driver)
tests_fuzz_fuzz_scenario_LDADD = $(sim_libs)
tests_fuzz_fuzz_scenario_LDFLAGS = $(fuzzing_ldflags)
fuzz_targets += tests/fuzz/fuzz_traffic
tests_fuzz_fuzz_traffic_SOURCES = tests/fuzz/fuzz_traffic.c $(fuzz_driver)
tests_fuzz_fuzz_traffic_LDADD = libsim.a $(fuzzing_libs)
tests_fuzz_fuzz_traffic_LDFLAGS = $(fuzzing_ldflags)
fuzz_targets += tests/fuzz/fuzz_agents
tests_fuzz_fuzz_agents_SOURCES = tests/fuzz/fuzz_agents.c tests/unit/agents_case.c \
	tests/unit/agents_case.h $(fuzz_driver)
tests_fuzz_fuzz_agents_LDADD = $(emulator_libs)
tests_fuzz_fuzz_agents_LDFLAGS = $(fuzzing_ldflags)
fuzz_targets += tests/fuzz/fuzz_datagram
tests_fuzz_fuzz_datagram_SOURCES = tests/fuzz/fuzz_datagram.c $(fuzz_driver)
tests_fuzz_fuzz_datagram_LDADD = $(emulator_libs)
tests_fuzz_fuzz_datagram_LDFLAGS = $(fuzzing_ldflags)
fuzz_targets += tests/fuzz/fuzz_exchange
tests_fuzz_fuzz_exchange_SOURCES = tests/fuzz/fuzz_exchange.c $(fuzz_driver)
tests_fuzz_fuzz_exchange_LDADD = libumadexchange.a $(fuzzing_libs)
tests_fuzz_fuzz_exchange_LDFLAGS = $(fuzzing_ldflags)
fuzz_targets += tests/fuzz/fuzz_console
tests_fuzz_fuzz_console_SOURCES = tests/fuzz/fuzz_console.c tests/unit/agents_case.c \
	tests/unit/agents_case.h $(fuzz_driver)
tests_fuzz_fuzz_console_LDADD = $(emulator_libs)
tests_fuzz_fuzz_console_LDFLAGS = $(fuzzing_ldflags)
fuzz_targets += tests/fuzz/fuzz_engines
tests_fuzz_fuzz_engines_SOURCES = tests/fuzz/fuzz_engines.c tests/fuzz/odd_fabric.c \
	tests/fuzz/odd_fabric.h $(fuzz_driver)
tests_fuzz_fuzz_engines_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_engines_LDFLAGS = $(fuzzing_ldflags)
fuzz_targets += tests/fuzz/fuzz_history
tests_fuzz_fuzz_history_SOURCES = tests/fuzz/fuzz_history.c $(fuzz_driver)
tests_fuzz_fuzz_history_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_history_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_record
tests_fuzz_fuzz_record_SOURCES = tests/fuzz/fuzz_record.c $(fuzz_driver)
tests_fuzz_fuzz_record_LDADD = librecorder.a libsim.a $(fuzzing_libs)
tests_fuzz_fuzz_record_LDFLAGS = $(fuzzing_ldflags)

fuzz_targets += tests/fuzz/fuzz_changes
tests_fuzz_fuzz_changes_SOURCES = tests/fuzz/fuzz_changes.c tests/fuzz/known_plans.c tests/fuzz/lost_pairs.c \
	tests/fuzz/lost_pairs.h tests/fuzz/mixture_graph.c tests/fuzz/mixture_graph.h tests/fuzz/small_world.c \
	tests/fuzz/small_world.h $(fuzz_driver)
tests_fuzz_fuzz_changes_CFLAGS = $(brute_cflags)
tests_fuzz_fuzz_changes_LDADD = $(fuzzing_libs)
tests_fuzz_fuzz_changes_LDFLAGS = $(fuzzing_ldflags) -Wl,--wrap=hd_schedule_make,--wrap=hd_schedule_count_lost
