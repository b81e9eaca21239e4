// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The policies of the model that there are, and nothing else. */
#include "sim/model/model.h"

const struct hd_registry hd_admittances = {
	.singular = "admittance",
	.policies =
		(const struct hd_policy *const[]){
			&hd_admittance_destination.policy,
			&hd_admittance_fifo.policy,
			&hd_admittance_vl.policy,
			NULL,
		},
};

const struct hd_registry hd_allocators = {
	.singular = "allocator",
	.plural = "allocators",
	.policies =
		(const struct hd_policy *const[]){
			&hd_allocator_input.policy,
			&hd_allocator_output.policy,
			NULL,
		},
};

const struct hd_registry hd_arbiters = {
	.singular = "arbiter",
	.plural = "arbiters",
	.policies =
		(const struct hd_policy *const[]){
			&hd_arbiter_age.policy,
			&hd_arbiter_lrs.policy,
			&hd_arbiter_oldest.policy,
			&hd_arbiter_round_robin.policy,
			&hd_arbiter_transit.policy,
			&hd_arbiter_vl.policy,
			NULL,
		},
};

const struct hd_registry hd_bufferings = {
	.singular = "buffering",
	.plural = "bufferings",
	.policies =
		(const struct hd_policy *const[]){
			&hd_buffering_fifo.policy,
			&hd_buffering_voq.policy,
			&hd_buffering_voqnet.policy,
			NULL,
		},
};

const struct hd_registry hd_host_policies = {
	.singular = "host policy",
	.policies =
		(const struct hd_policy *const[]){
			&hd_host_first.policy,
			&hd_host_least_occupied.policy,
			&hd_host_outstanding.policy,
			&hd_host_random.policy,
			&hd_host_round_robin.policy,
			&hd_host_size.policy,
			&hd_host_xmitwait.policy,
			NULL,
		},
};

const struct hd_registry hd_host_vcs = {
	.singular = "VC of hosts",
	.policies =
		(const struct hd_policy *const[]){
			&hd_host_vc_destination.policy,
			&hd_host_vc_jsq.policy,
			&hd_host_vc_random.policy,
			&hd_host_vc_tables.policy,
			NULL,
		},
};

const struct hd_registry hd_schedulers = {
	.singular = "scheduler",
	.plural = "schedulers",
	.policies =
		(const struct hd_policy *const[]){
			&hd_scheduler_dtable.policy,
			&hd_scheduler_rr.policy,
			&hd_scheduler_sbt.policy,
			&hd_scheduler_sbt_literal.policy,
			&hd_scheduler_vlarb.policy,
			NULL,
		},
};

const struct hd_registry hd_switch_models = {
	.singular = "switch model",
	.plural = "switches",
	.policies =
		(const struct hd_policy *const[]){
			&hd_switch_cioq.policy,
			&hd_switch_hierarchical.policy,
			&hd_switch_iq.policy,
			&hd_switch_vc.policy,
			NULL,
		},
};
