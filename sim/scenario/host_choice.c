// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/host_choice.h"

#include <string.h>

#include "sim/scenario/quantity.h"
#include "support/error.h"

/* Words of 32 bits, whose times PortVLXmitWait counts; a flit has 8 bytes, as in Omni-Path. */
static const unsigned unit_words[] = { [HD_CLOCK_TIME] = HD_UNIT_BYTES / 4, [HD_CLOCK_CYCLES] = 2 };

/* Where host.policy does not say. */
static const char *const intervals[] = { [HD_CLOCK_TIME] = "10us", [HD_CLOCK_CYCLES] = "1000" };
static const char *const delays[] = { [HD_CLOCK_TIME] = "1us", [HD_CLOCK_CYCLES] = "100" };

static const char *const sizes[] = { [HD_CLOCK_TIME] = "512B", [HD_CLOCK_CYCLES] = "8" };

/*
 * The option @name, a time or a size by @kind, in ticks or units; @otherwise where @params do not
 * have it.
 */
static int get(const struct hd_params *params, const char *name, const char *otherwise,
	       enum hd_value_kind kind, enum hd_clock clock, uint64_t *value, struct hd_error *err)
{
	const struct hd_scenario_key key = { .kind = kind };
	const char *text = params ? hd_params_get(params, name) : NULL;
	struct hd_error cause = { 0 };
	struct hd_quantity quantity;
	int ret = hd_quantity_parse(&key, clock, text ? text : otherwise, &quantity, &cause);

	if (ret)
		return hd_error_set(err, ret, "%s: %s", name, cause.text);
	*value = quantity.whole;
	return 0;
}

/* Whether of equal queues the first LID is taken. */
static int read_ties(const struct hd_params *params, bool *ties_first, struct hd_error *err)
{
	const char *text = hd_params_get(params, "ties");

	*ties_first = strcmp(text, "first") == 0;
	if (*ties_first || strcmp(text, "turn") == 0)
		return 0;
	return hd_error_set(err, HD_EINVAL, "ties: '%s' is none of turn, first", text);
}

static int read_options(const struct hd_params *params, enum hd_clock clock,
			struct hd_model_options *model, struct hd_error *err)
{
	const struct hd_host_policy *policy = model->host_policy;
	uint64_t bits = 0, small = 0;
	int ret = get(policy == &hd_host_xmitwait ? params : NULL, "interval", intervals[clock],
		      HD_VALUE_TIME, clock, &model->host.interval, err);

	if (!ret && !model->host.interval)
		ret = hd_error_set(err, HD_EINVAL, "interval: takes no time");
	if (!ret)
		ret = get(policy == &hd_host_outstanding ? params : NULL, "delay", delays[clock],
			  HD_VALUE_TIME, clock, &model->host.delay, err);
	if (!ret)
		ret = get(policy == &hd_host_size ? params : NULL, "small", sizes[clock],
			  HD_VALUE_SIZE, clock, &small, err);
	model->host.small = small < UINT32_MAX ? (uint32_t)small : UINT32_MAX;
	if (!ret && policy == &hd_host_xmitwait)
		ret = hd_params_number(params, "bits", 1, 32, &bits, err);
	model->host.counter_bits = (unsigned)bits;
	if (!ret && policy == &hd_host_least_occupied)
		ret = read_ties(params, &model->host.ties_first, err);
	return ret;
}

int hd_host_choice_make(const struct hd_scenario *scenario, size_t point,
			struct hd_model_options *model, struct hd_error *err)
{
	const char *text = hd_scenario_value(scenario, point, HD_HOST_POLICY);
	const struct hd_policy *policy = NULL;
	struct hd_params *params = NULL;
	int ret = 0;

	model->host.unit_words = unit_words[scenario->clock];
	if (*text)
		ret = hd_policy_parse(&hd_host_policies, text, &policy, &params, err);
	model->host_policy = (const struct hd_host_policy *)policy;
	if (!ret)
		ret = read_options(params, scenario->clock, model, err);
	hd_params_free(params);
	return ret ? hd_scenario_blame(scenario, HD_HOST_POLICY, err) : 0;
}
