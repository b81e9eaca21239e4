// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The patterns and arrival processes that there are. */
#include "sim/traffic/pattern.h"

const struct hd_registry hd_patterns = {
	.singular = "traffic pattern",
	.plural = "patterns",
	.policies =
		(const struct hd_policy *const[]){
			&hd_pattern_adversarial.policy, &hd_pattern_consecutive.policy,
			&hd_pattern_bitreverse.policy,  &hd_pattern_chakra.policy,
			&hd_pattern_collective.policy,  &hd_pattern_goal.policy,
			&hd_pattern_graph500.policy,    &hd_pattern_hotspot.policy,
			&hd_pattern_mix.policy,         &hd_pattern_neighbour.policy,
			&hd_pattern_permutation.policy, &hd_pattern_ptrans.policy,
			&hd_pattern_shift.policy,       &hd_pattern_stencil.policy,
			&hd_pattern_tornado.policy,     &hd_pattern_trace.policy,
			&hd_pattern_training.policy,    &hd_pattern_transpose.policy,
			&hd_pattern_uniform.policy,     &hd_pattern_vef.policy,
			&hd_pattern_zipf.policy,        NULL,
		},
};

const struct hd_registry hd_arrivals = {
	.singular = "arrival process",
	.plural = "arrivals",
	.policies =
		(const struct hd_policy *const[]){
			&hd_arrival_bernoulli.policy,
			&hd_arrival_bursty.policy,
			&hd_arrival_deterministic.policy,
			&hd_arrival_poisson.policy,
			NULL,
		},
};
