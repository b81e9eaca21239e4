# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
unit_tests += tests/unit/test_model
tests_unit_test_model_SOURCES = tests/unit/test_model.c tests/unit/model_case.h
tests_unit_test_model_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_domains
tests_unit_test_domains_SOURCES = tests/unit/test_domains.c tests/unit/model_case.h
tests_unit_test_domains_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_deadlock
tests_unit_test_deadlock_SOURCES = tests/unit/test_deadlock.c tests/unit/model_case.h
tests_unit_test_deadlock_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_vc
tests_unit_test_vc_SOURCES = tests/unit/test_vc.c tests/unit/model_case.h
tests_unit_test_vc_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_bubble
tests_unit_test_bubble_SOURCES = tests/unit/test_bubble.c tests/unit/model_case.h \
	tests/unit/shuffle.c tests/unit/shuffle.h
tests_unit_test_bubble_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_calendar
tests_unit_test_calendar_SOURCES = tests/unit/test_calendar.c
tests_unit_test_calendar_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_wheel
tests_unit_test_wheel_SOURCES = tests/unit/test_wheel.c
tests_unit_test_wheel_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_host_policies
tests_unit_test_host_policies_SOURCES = tests/unit/test_host_policies.c tests/unit/host_case.h tests/unit/model_case.h
tests_unit_test_host_policies_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_hosts
tests_unit_test_hosts_SOURCES = tests/unit/test_hosts.c tests/unit/host_case.h tests/unit/model_case.h
tests_unit_test_hosts_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_model_state
tests_unit_test_model_state_SOURCES = tests/unit/test_model_state.c tests/unit/model_case.h
tests_unit_test_model_state_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_proof_batch
tests_unit_test_proof_batch_SOURCES = tests/unit/test_proof_batch.c tests/unit/adaptive_case.h tests/unit/model_case.h
tests_unit_test_proof_batch_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_adaptive
tests_unit_test_adaptive_SOURCES = tests/unit/test_adaptive.c tests/unit/adaptive_case.h tests/unit/model_case.h
tests_unit_test_adaptive_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_middle_group
tests_unit_test_middle_group_SOURCES = tests/unit/test_middle_group.c tests/unit/adaptive_case.h tests/unit/model_case.h
tests_unit_test_middle_group_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_groups
tests_unit_test_groups_SOURCES = tests/unit/test_groups.c tests/unit/adaptive_case.h tests/unit/model_case.h
tests_unit_test_groups_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_fluid
tests_unit_test_fluid_SOURCES = tests/unit/test_fluid.c tests/unit/adaptive_case.h tests/unit/model_case.h
tests_unit_test_fluid_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_flexvc
tests_unit_test_flexvc_SOURCES = tests/unit/test_flexvc.c tests/unit/adaptive_case.h tests/unit/model_case.h
tests_unit_test_flexvc_LDADD = libsim.a $(unit_LDADD)


unit_tests += tests/unit/test_flexvc_tables
tests_unit_test_flexvc_tables_SOURCES = tests/unit/test_flexvc_tables.c tests/unit/adaptive_case.h tests/unit/model_case.h
tests_unit_test_flexvc_tables_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_voqnet
tests_unit_test_voqnet_SOURCES = tests/unit/test_voqnet.c tests/unit/model_case.h
tests_unit_test_voqnet_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_hierarchical
tests_unit_test_hierarchical_SOURCES = tests/unit/test_hierarchical.c tests/unit/model_case.h
tests_unit_test_hierarchical_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_cioq
tests_unit_test_cioq_SOURCES = tests/unit/test_cioq.c tests/unit/model_case.h \
	tests/unit/unit.h
tests_unit_test_cioq_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_cioq_vl
tests_unit_test_cioq_vl_SOURCES = tests/unit/test_cioq_vl.c tests/unit/model_case.h \
	tests/unit/unit.h
tests_unit_test_cioq_vl_LDADD = libsim.a $(unit_LDADD)

unit_tests += tests/unit/test_bound_model
tests_unit_test_bound_model_SOURCES = tests/unit/test_bound_model.c tests/unit/model_case.h \
	tests/unit/random_graph.c tests/unit/random_graph.h
tests_unit_test_bound_model_LDADD = libsim.a $(unit_LDADD)
