// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Patterns and arrival processes by name, and the options that follow the name. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/pattern.h"
#include "support/error.h"
#include "support/text.h"

extern const struct hd_pattern_kind hd_pattern_adversarial;
extern const struct hd_pattern_kind hd_pattern_consecutive;
extern const struct hd_pattern_kind hd_pattern_bitreverse;
extern const struct hd_pattern_kind hd_pattern_graph500;
extern const struct hd_pattern_kind hd_pattern_hotspot;
extern const struct hd_pattern_kind hd_pattern_mix;
extern const struct hd_pattern_kind hd_pattern_neighbour;
extern const struct hd_pattern_kind hd_pattern_permutation;
extern const struct hd_pattern_kind hd_pattern_ptrans;
extern const struct hd_pattern_kind hd_pattern_shift;
extern const struct hd_pattern_kind hd_pattern_stencil;
extern const struct hd_pattern_kind hd_pattern_tornado;
extern const struct hd_pattern_kind hd_pattern_trace;
extern const struct hd_pattern_kind hd_pattern_transpose;
extern const struct hd_pattern_kind hd_pattern_uniform;
extern const struct hd_pattern_kind hd_pattern_vef;
extern const struct hd_pattern_kind hd_pattern_zipf;

extern const struct hd_arrival_kind hd_arrival_bernoulli;
extern const struct hd_arrival_kind hd_arrival_bursty;
extern const struct hd_arrival_kind hd_arrival_deterministic;
extern const struct hd_arrival_kind hd_arrival_poisson;

const struct hd_registry hd_patterns = {
	.singular = "traffic pattern",
	.plural = "patterns",
	.policies =
		(const struct hd_policy *const[]){
			&hd_pattern_adversarial.policy,
			&hd_pattern_consecutive.policy,
			&hd_pattern_bitreverse.policy,
			&hd_pattern_graph500.policy,
			&hd_pattern_hotspot.policy,
			&hd_pattern_mix.policy,
			&hd_pattern_neighbour.policy,
			&hd_pattern_permutation.policy,
			&hd_pattern_ptrans.policy,
			&hd_pattern_shift.policy,
			&hd_pattern_stencil.policy,
			&hd_pattern_tornado.policy,
			&hd_pattern_trace.policy,
			&hd_pattern_transpose.policy,
			&hd_pattern_uniform.policy,
			&hd_pattern_vef.policy,
			&hd_pattern_zipf.policy,
			NULL,
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

int hd_pattern_parse(const char *spec, const struct hd_pattern_kind **kind,
		     struct hd_params **params, struct hd_error *err)
{
	const struct hd_policy *policy;
	int ret = hd_policy_parse(&hd_patterns, spec, &policy, params, err);

	*kind = (const struct hd_pattern_kind *)policy;
	return ret;
}

int hd_arrival_parse(const char *spec, const struct hd_arrival_kind **kind,
		     struct hd_params **params, struct hd_error *err)
{
	const struct hd_policy *policy;
	int ret = hd_policy_parse(&hd_arrivals, spec, &policy, params, err);

	*kind = (const struct hd_arrival_kind *)policy;
	return ret;
}

int hd_params_shape(const struct hd_params *params, const char *key, uint32_t product, unsigned max,
		    uint32_t *lengths, unsigned *n, struct hd_error *err)
{
	const char *text = hd_params_get(params, key), *at = text;
	uint64_t all = 1, length;

	*n = 0;
	if (!text) {
		lengths[(*n)++] = product;
		return 0;
	}
	do {
		if (*n == max ||
		    !hd_scan_number(&at, text + strlen(text), 10, UINT32_MAX, &length) || !length ||
		    (*at && *at != 'x'))
			return hd_error_set(err, HD_EINVAL,
					    "%s: '%s' is not at most %u lengths such as 4x3", key,
					    text, max);
		lengths[(*n)++] = (uint32_t)length;
		all = all * length > UINT32_MAX ? UINT32_MAX : all * length;
	} while (*at++ == 'x');
	if (all != product)
		return hd_error_set(err, HD_EINVAL, "%s: %s is not a shape of %u hosts", key, text,
				    product);
	return 0;
}
