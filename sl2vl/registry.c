// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"
#include "support/text.h"

/* clang-format off */
const struct hd_layer_rule *const hd_layer_rules[] = {
	&hd_layer_class,
	&hd_layer_dateline,
	&hd_layer_flex,
	&hd_layer_hop,
	&hd_layer_layered,
	&hd_layer_order,
	&hd_layer_order3,
	&hd_layer_shift,
	&hd_layer_single,
	&hd_layer_valiant,
	NULL,
};
const struct hd_queue_rule *const hd_queue_rules[] = {
	&hd_queue_bbq,
	&hd_queue_dbbm,
	&hd_queue_dbbq,
	&hd_queue_iodet,
	&hd_queue_single,
	&hd_queue_voqsw,
	&hd_queue_xordet,
	NULL,
};
/* clang-format on */

const struct hd_layer_rule *hd_layer_rule_find(const char *name)
{
	for (size_t i = 0; hd_layer_rules[i]; i++)
		if (strcmp(hd_layer_rules[i]->name, name) == 0)
			return hd_layer_rules[i];
	return NULL;
}

const struct hd_queue_rule *hd_queue_rule_find(const char *name)
{
	for (size_t i = 0; hd_queue_rules[i]; i++)
		if (strcmp(hd_queue_rules[i]->name, name) == 0)
			return hd_queue_rules[i];
	return NULL;
}

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
	queues->rule = hd_queue_rule_find(name);
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
