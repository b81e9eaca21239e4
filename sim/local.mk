# SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
# The performance simulator.
noinst_LIBRARIES += libsim.a
libsim_a_SOURCES = \
	sim/adaptive/complexity.c sim/adaptive/complexity.h \
	sim/adaptive/flexvc.c sim/adaptive/flexvc.h \
	sim/adaptive/flows.c sim/adaptive/flows.h \
	sim/adaptive/proof.c sim/adaptive/proof.h \
	sim/adaptive/proof_batch.c sim/adaptive/proof_batch.h \
	sim/adaptive/proof_cycle.c sim/adaptive/proof_cycle.h \
	sim/adaptive/proof_tables.c sim/adaptive/proof_tables.h \
	sim/adaptive/proof_longer.c sim/adaptive/proof_longer.h \
	sim/adaptive/proof_text.c \
	sim/adaptive/routed.c \
	sim/adaptive/routing.h \
	sim/adaptive/routing_ar.c \
	sim/adaptive/routing_dal.c \
	sim/adaptive/routing_minimal.c \
	sim/adaptive/routing_olm.c \
	sim/adaptive/routing_par.c \
	sim/adaptive/routing_pb.c \
	sim/adaptive/routing_trunk.c \
	sim/adaptive/routing_ugal.c \
	sim/adaptive/routing_valiant.c \
	sim/adaptive/routings.c \
	sim/adaptive/select_highest.c \
	sim/adaptive/select_jsq.c \
	sim/adaptive/select_lowest.c \
	sim/adaptive/select_random.c \
	sim/adaptive/selection.h \
	sim/adaptive/source.c sim/adaptive/source.h \
	sim/adaptive/supersequence.c sim/adaptive/supersequence.h \
	sim/adaptive/switch_view.c sim/adaptive/switch_view.h \
	sim/adaptive/trigger.c sim/adaptive/trigger.h \
	sim/adaptive/trigger_contention.c \
	sim/adaptive/trigger_credits.c \
	sim/adaptive/trigger_ectn.c \
	sim/adaptive/trigger_filtered.c \
	sim/adaptive/trigger_hybrid.c \
	sim/adaptive/trigger_probability.c \
	sim/adaptive/vc_groups.c sim/adaptive/vc_groups.h \
	sim/adaptive/vcs.c sim/adaptive/vcs.h \
	sim/adaptive/vcs_flexvc.c \
	sim/adaptive/vcs_groups.c \
	sim/adaptive/vcs_hop.c \
	sim/adaptive/vcs_tables.c \
	sim/adaptive/ways.c sim/adaptive/ways.h \
	sim/hosts/admittance.h \
	sim/hosts/admittance_destination.c \
	sim/hosts/admittance_fifo.c \
	sim/hosts/admittance_vl.c \
	sim/hosts/backlog.c sim/hosts/backlog.h \
	sim/hosts/consumption.c sim/hosts/consumption.h \
	sim/hosts/host.h \
	sim/hosts/host_agent.c \
	sim/hosts/host_first.c \
	sim/hosts/host_least_occupied.c \
	sim/hosts/host_outstanding.c \
	sim/hosts/host_policy.c sim/hosts/host_policy.h \
	sim/hosts/host_random.c \
	sim/hosts/host_round_robin.c \
	sim/hosts/host_size.c \
	sim/hosts/host_vc_destination.c \
	sim/hosts/host_vc_jsq.c \
	sim/hosts/host_vc_random.c \
	sim/hosts/host_vc_tables.c \
	sim/hosts/host_vls.c \
	sim/hosts/host_xmitwait.c \
	sim/hosts/injection.h \
	sim/hosts/replies.c sim/hosts/replies.h \
	sim/measure/buffers.c sim/measure/buffers.h \
	sim/measure/histogram.c sim/measure/histogram.h \
	sim/measure/link_use.c sim/measure/link_use.h \
	sim/measure/measure.c sim/measure/measure.h \
	sim/measure/series.c sim/measure/series.h \
	sim/measure/statistics.c sim/measure/statistics.h \
	sim/measure/steady.c sim/measure/steady.h \
	sim/measure/tracer.c sim/measure/tracer.h \
	sim/model/build.c sim/model/build.h \
	sim/model/calendar.c sim/model/calendar.h \
	sim/model/deadlock.c sim/model/deadlock.h \
	sim/model/domain_cut.c \
	sim/model/domain_ranks.c \
	sim/model/domain_run.c \
	sim/model/domains.c sim/model/domains.h \
	sim/model/event_heap.c sim/model/event_heap.h \
	sim/model/events.c sim/model/events.h \
	sim/model/gauges.c sim/model/gauges.h \
	sim/model/link_buffers.c \
	sim/model/look_ahead.c sim/model/look_ahead.h \
	sim/model/look_ahead_adaptive.h sim/model/look_ahead_events.h \
	sim/model/machine.c sim/model/machine.h sim/model/machine.inc \
	sim/model/machine_cioq.h sim/model/look_ahead_dirty.h \
	sim/model/machine_adaptive.c \
	sim/model/machine_adaptive_cioq.c \
	sim/model/machine_adaptive_cioq_three.c \
	sim/model/machine_cioq.c \
	sim/model/machine_cioq_one.c \
	sim/model/machine_cioq_two.c \
	sim/model/machine_hierarchical.c sim/model/machine_hierarchical.h \
	sim/model/machine_hierarchical_two.c \
	sim/model/machine_narrow.c \
	sim/model/machine_static.c \
	sim/model/machine_static_one.c \
	sim/model/machine_static_two.c \
	sim/model/machine_wide.c \
	sim/model/mail.c sim/model/mail.h \
	sim/model/mail_bytes.c \
	sim/model/model.c sim/model/model.h \
	sim/model/model_network.c sim/model/model_network.h \
	sim/model/model_options.c \
	sim/model/observers.c sim/model/observers.h \
	sim/model/packets.c sim/model/packets.h \
	sim/model/parts.c sim/model/parts.h \
	sim/model/port_counters.c sim/model/port_counters.h \
	sim/model/ranks.c sim/model/ranks.h \
	sim/model/state.h \
	sim/model/table_changes.c sim/model/table_changes.h \
	sim/model/transmission.c sim/model/transmission.h \
	sim/model/verify.c sim/model/verify.h sim/model/wheel.c sim/model/wheel.h \
	sim/policies/arbiter_age.c \
	sim/policies/arbiter_lrs.c \
	sim/policies/arbiter_oldest.c \
	sim/policies/arbiter_round_robin.c \
	sim/policies/arbiter_transit.c \
	sim/policies/arbiter_vl.c \
	sim/policies/policies.c \
	sim/policies/scheduler_dtable.c \
	sim/policies/scheduler_rows.c sim/policies/scheduler_rows.h \
	sim/policies/scheduler_rr.c \
	sim/policies/scheduler_sbt.c \
	sim/policies/scheduler_vlarb.c \
	sim/scenario/collective_times.c sim/scenario/collective_times.h \
	sim/scenario/columns.c sim/scenario/columns.h \
	sim/scenario/details.c sim/scenario/details.h \
	sim/scenario/fabric_rates.c sim/scenario/fabric_rates.h \
	sim/scenario/flow_names.c sim/scenario/flow_names.h \
	sim/scenario/host_choice.c sim/scenario/host_choice.h \
	sim/scenario/host_list.c sim/scenario/host_list.h \
	sim/scenario/jobs.c sim/scenario/jobs.h \
	sim/scenario/keys.c sim/scenario/keys.def sim/scenario/keys.h \
	sim/scenario/near_hosts.c sim/scenario/near_hosts.h \
	sim/scenario/rail_hosts.c sim/scenario/rail_hosts.h \
	sim/scenario/phases.c sim/scenario/phases.h \
	sim/scenario/quantity.c sim/scenario/quantity.h \
	sim/scenario/read.c \
	sim/scenario/run.c sim/scenario/run.h \
	sim/scenario/run_domains.c sim/scenario/run_domains.h \
	sim/scenario/run_network.c sim/scenario/run_network.h \
	sim/scenario/run_networks.c \
	sim/scenario/run_traffic.c sim/scenario/run_traffic.h \
	sim/scenario/scenario.c sim/scenario/scenario.h \
	sim/scenario/scheduling.c sim/scenario/scheduling.h \
	sim/scenario/series_text.c sim/scenario/series_text.h \
	sim/scenario/setup.c sim/scenario/setup.h \
	sim/scenario/soundness.c sim/scenario/soundness.h \
	sim/scenario/sweep.c sim/scenario/sweep.h \
	sim/scenario/traffic_classes.c sim/scenario/traffic_classes.h \
	sim/scenario/value_list.c sim/scenario/value_list.h \
	sim/switches/adaptive.c sim/switches/adaptive.h \
	sim/switches/adaptive_notices.c \
	sim/switches/adaptive_sight.h \
	sim/switches/adaptive_switch.h \
	sim/switches/arrival_choice.c sim/switches/arrival_choice.h \
	sim/switches/allocator.h \
	sim/switches/allocator_input.c sim/switches/allocator_input.h \
	sim/switches/allocator_output.c sim/switches/allocator_output.h \
	sim/switches/arrivals.h \
	sim/switches/bubble.c sim/switches/bubble.h \
	sim/switches/buffering_fifo.c \
	sim/switches/buffering_voq.c \
	sim/switches/buffering_voqnet.c \
	sim/switches/cioq_output.h \
	sim/switches/cioq_passing.c \
	sim/switches/cioq_ticks.c \
	sim/switches/contenders.h \
	sim/switches/credits.c sim/switches/credits.h \
	sim/switches/crossbar.h \
	sim/switches/hierarchical.h \
	sim/switches/hierarchical_allocate.h \
	sim/switches/hierarchical_moves.h \
	sim/switches/hierarchical_straight.h \
	sim/switches/hierarchical_waits.c \
	sim/switches/route_table.h \
	sim/switches/switch_cioq.c sim/switches/switch_cioq.h \
	sim/switches/switch_cioq_vl.c \
	sim/switches/switch_hierarchical.c \
	sim/switches/switch_iq.c sim/switches/switch_iq.h \
	sim/switches/switch_vc.c sim/switches/vc.h \
	sim/switches/vc_allocate.c sim/switches/vc_run.c \
	sim/switches/vc_up.c sim/switches/vc_waits.c \
	sim/switches/voqnet.c sim/switches/voqnet.h \
	sim/traffic/amounts.c sim/traffic/amounts.h \
	sim/traffic/application_hosts.c sim/traffic/application_hosts.h \
	sim/traffic/bernoulli.c \
	sim/traffic/bursty.c \
	sim/traffic/chakra.h \
	sim/traffic/chakra_pattern.c \
	sim/traffic/chakra_schedule.c \
	sim/traffic/collective.c \
	sim/traffic/collective_doubling.c \
	sim/traffic/collective_exchange.c \
	sim/traffic/collective_plan.c sim/traffic/collective_plan.h \
	sim/traffic/collective_ranks.c sim/traffic/collective_ranks.h \
	sim/traffic/collective_ring.c \
	sim/traffic/collective_setup.c sim/traffic/collective_setup.h \
	sim/traffic/collective_tree.c \
	sim/traffic/concurrent.c sim/traffic/concurrent.h \
	sim/traffic/deterministic.c \
	sim/traffic/deviate.c sim/traffic/deviate.h \
	sim/traffic/digits.c \
	sim/traffic/fixed.c sim/traffic/fixed.h \
	sim/traffic/goal.c sim/traffic/goal.h \
	sim/traffic/goal_agenda.c sim/traffic/goal_agenda.h \
	sim/traffic/goal_binary.c \
	sim/traffic/goal_match.c sim/traffic/goal_match.h \
	sim/traffic/goal_pattern.c sim/traffic/goal_pattern.h \
	sim/traffic/goal_records.c sim/traffic/goal_records.h \
	sim/traffic/goal_run.c sim/traffic/goal_run.h \
	sim/traffic/goal_text.c \
	sim/traffic/goal_trace.c sim/traffic/goal_trace.h \
	sim/traffic/graph500.c \
	sim/traffic/graph500_equations.c sim/traffic/graph500_equations.h \
	sim/traffic/graph500_plan.c sim/traffic/graph500_plan.h \
	sim/traffic/graph500_search.c sim/traffic/graph500_search.h \
	sim/traffic/groups.c \
	sim/traffic/hotspot.c \
	sim/traffic/lengths.c \
	sim/traffic/loggop.c sim/traffic/loggop.h \
	sim/traffic/mix.c \
	sim/traffic/offsets.c \
	sim/traffic/onward.c sim/traffic/onward.h \
	sim/traffic/packet_turns.h \
	sim/traffic/parse.c \
	sim/traffic/pattern.h \
	sim/traffic/patterns.c \
	sim/traffic/permutation.c \
	sim/traffic/placement.c sim/traffic/placement.h \
	sim/traffic/poisson.c \
	sim/traffic/ptrans.c sim/traffic/ptrans.h \
	sim/traffic/receipts.c sim/traffic/receipts.h \
	sim/traffic/records.c sim/traffic/records.h \
	sim/traffic/replay.c sim/traffic/replay.h \
	sim/traffic/slots.c sim/traffic/slots.h \
	sim/traffic/stencil.c sim/traffic/stencil.h \
	sim/traffic/trace.c \
	sim/traffic/traffic.c sim/traffic/traffic.h \
	sim/traffic/training.c \
	sim/traffic/uniform.c \
	sim/traffic/vef.c \
	sim/traffic/zipf.c sim/traffic/zipf.h
if PROTOBUF_C
# What reads Chakra traces is made of their format by protoc-c.
libsim_a_SOURCES += sim/traffic/chakra.c
nodist_libsim_a_SOURCES = sim/traffic/chakra.pb-c.c
BUILT_SOURCES += sim/traffic/chakra.pb-c.h
CLEANFILES += sim/traffic/chakra.pb-c.c sim/traffic/chakra.pb-c.h
sim/traffic/chakra.pb-c.h: sim/traffic/chakra.proto
	@$(MKDIR_P) sim/traffic
	$(AM_V_GEN)$(PROTOC_C) --proto_path=$(srcdir) --c_out=. $(srcdir)/sim/traffic/chakra.proto
sim/traffic/chakra.pb-c.c: sim/traffic/chakra.pb-c.h
# BUILT_SOURCES are made first for `all` and `check` alone, and other goals need the library, too.
sim/traffic/chakra.$(OBJEXT): sim/traffic/chakra.pb-c.h
else
libsim_a_SOURCES += sim/traffic/chakra_none.c
endif
EXTRA_DIST += sim/traffic/chakra.proto
EXTRA_DIST += sim/README.md docs/adaptive.md docs/collectives.md docs/model.md docs/papers.md docs/sim.md docs/traffic.md experiments
