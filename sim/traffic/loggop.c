// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/loggop.h"

#include <string.h>

#include "support/error.h"

#define MOST_TIME 1e9 /* a second, if the unit is a nanosecond */

static const struct hd_option options[] = {
	{ "L", "0", "ns",
	  "latency that the fabric does not have: from the end of a sender's work until the "
	  "message begins to enter the link" },
	{ "o", "1500", "ns", "overhead: of a processor, for each message sent or received" },
	{ "g", "1000", "ns", "gap: of an adapter, for each message" },
	{ "G", "link", "ns",
	  "gap per byte: of an adapter that sends, for each byte after the first; link: that of "
	  "the host's link" },
	{ "S", "65535", "bytes",
	  "largest eager message; the sending of a larger one (rendezvous) ends when its receive "
	  "has ended" },
	{ 0 },
};

static const struct hd_policy none = {
	.name = "none",
	.summary = "hosts take no time for messages, and all are eager",
};

static const struct hd_policy loggop_model = {
	.name = "loggop",
	.summary = "processors and adapters of hosts are busy with each message",
	.reference = "Hoefler, Schneider and Lumsdaine, LogGOPSim: simulating large-scale "
		     "applications in the LogGOPS model (2010)",
	.options = options,
};

const struct hd_registry hd_host_models = {
	.singular = "host model",
	.plural = "host-models",
	.policies = (const struct hd_policy *const[]){ &loggop_model, &none, NULL },
};

static int read_time(const struct hd_params *params, const char *key, uint64_t unit,
		     uint64_t *ticks, struct hd_error *err)
{
	double value = 0;
	int ret = hd_params_decimal(params, key, 0, MOST_TIME, &value, err);

	if (!ret)
		*ticks = (uint64_t)(value * (double)unit + 0.5);
	return ret;
}

static int read_options(const struct hd_params *params, uint64_t unit, struct hd_loggop *loggop,
			struct hd_error *err)
{
	int ret = read_time(params, "L", unit, &loggop->L, err);

	if (!ret)
		ret = read_time(params, "o", unit, &loggop->o, err);
	if (!ret)
		ret = read_time(params, "g", unit, &loggop->g, err);
	if (!ret && strcmp(hd_params_get(params, "G"), "link") != 0) {
		ret = hd_params_decimal(params, "G", 0, 1e6, &loggop->G, err);
		loggop->G *= (double)unit;
	}
	return ret ? ret : hd_params_number(params, "S", 0, UINT64_MAX, &loggop->S, err);
}

int hd_loggop_read(const char *spec, uint64_t unit, double G, struct hd_loggop *loggop,
		   struct hd_error *err)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	int ret;

	*loggop = (struct hd_loggop){ .G = G, .S = UINT64_MAX };
	if (!spec)
		return 0;
	ret = hd_policy_parse(&hd_host_models, spec, &policy, &params, err);
	if (ret)
		return ret;
	if (policy == &loggop_model)
		ret = read_options(params, unit, loggop, err);
	hd_params_free(params);
	return ret;
}
