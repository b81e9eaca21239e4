// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The routings, triggers, selections and VC rules that there are. */
#include "sim/adaptive/routing.h"
#include "sim/adaptive/selection.h"

const struct hd_registry hd_routings = {
	.singular = "adaptive routing",
	.plural = "adaptive",
	.policies =
		(const struct hd_policy *const[]){
			&hd_routing_ar.policy,
			&hd_routing_dal.policy,
			&hd_routing_minimal.policy,
			&hd_routing_olm.policy,
			&hd_routing_par.policy,
			&hd_routing_pb.policy,
			&hd_routing_trunk.policy,
			&hd_routing_ugal.policy,
			&hd_routing_valiant.policy,
			NULL,
		},
};

const struct hd_registry hd_triggers = {
	.singular = "trigger",
	.plural = "triggers",
	.policies =
		(const struct hd_policy *const[]){
			&hd_trigger_contention.policy,
			&hd_trigger_credits.policy,
			&hd_trigger_ectn.policy,
			&hd_trigger_filtered.policy,
			&hd_trigger_hybrid.policy,
			&hd_trigger_probability.policy,
			NULL,
		},
};

const struct hd_registry hd_selections = {
	.singular = "selection",
	.plural = "selections",
	.policies =
		(const struct hd_policy *const[]){
			&hd_selection_highest.policy,
			&hd_selection_jsq.policy,
			&hd_selection_lowest.policy,
			&hd_selection_random.policy,
			NULL,
		},
};

const struct hd_registry hd_vc_rules = {
	.singular = "VC rule",
	.plural = "vcs",
	.policies =
		(const struct hd_policy *const[]){
			&hd_vcs_flexvc.policy,
			&hd_vcs_groups.policy,
			&hd_vcs_hop.policy,
			&hd_vcs_tables.policy,
			NULL,
		},
};
