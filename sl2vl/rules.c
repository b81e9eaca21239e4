// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/text.h"

const struct hd_registry hd_layer_rules = {
	.singular = "layer rule",
	.plural = "layers",
	.policies =
		(const struct hd_policy *const[]){
			&hd_layer_class.policy,
			&hd_layer_dateline.policy,
			&hd_layer_destination.policy,
			&hd_layer_fewest.policy,
			&hd_layer_flex.policy,
			&hd_layer_hop.policy,
			&hd_layer_layered.policy,
			&hd_layer_order.policy,
			&hd_layer_order3.policy,
			&hd_layer_plus.policy,
			&hd_layer_shift.policy,
			&hd_layer_single.policy,
			&hd_layer_valiant.policy,
			&hd_layer_xyxy.policy,
			NULL,
		},
};

const struct hd_registry hd_queue_rules = {
	.singular = "queue rule",
	.plural = "queues",
	.policies =
		(const struct hd_policy *const[]){
			&hd_queue_bbq.policy,
			&hd_queue_dbbm.policy,
			&hd_queue_dbbq.policy,
			&hd_queue_iodet.policy,
			&hd_queue_single.policy,
			&hd_queue_vftree.policy,
			&hd_queue_voqsw.policy,
			&hd_queue_xordet.policy,
			NULL,
		},
};

int hd_queues_parse(const char *text, struct hd_queues *queues, struct hd_error *err)
{
	char name[32];
	size_t length;
	uint64_t n = 1;
	int ret = 0;

	if (!text)
		text = "single";
	length = strcspn(text, ":");
	if (length >= sizeof(name))
		length = sizeof(name) - 1;
	memcpy(name, text, length);
	name[length] = '\0';
	queues->rule = (const struct hd_queue_rule *)hd_policy_of_spec(&hd_queue_rules, text);
	if (!queues->rule)
		return hd_error_set(err, HD_EINVAL, "there is no queue rule '%s'", name);
	if (text[length] == ':')
		ret = hd_parse_number(text + length + 1, "queues", 1, HD_MAX_SLS, &n, err);
	else if (queues->rule != &hd_queue_single)
		ret = hd_error_set(err, HD_EINVAL, "queue rule '%s' needs a number, as in %s:4",
				   name, name);
	if (ret)
		return ret;
	if (queues->rule == &hd_queue_single && n != 1)
		return hd_error_set(err, HD_EINVAL, "queue rule 'single' has one queue, not %d",
				    (int)n);
	if (queues->rule->power_of_two && (n & (n - 1)))
		return hd_error_set(err, HD_EINVAL,
				    "queue rule '%s' needs a power of two as its number, not %d",
				    name, (int)n);
	queues->n_queues = (unsigned)n;
	return 0;
}
