// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/collective_setup.h"

#include <stdlib.h>
#include <string.h>

#include "sim/traffic/amounts.h"
#include "sim/traffic/application_hosts.h"
#include "support/error.h"
#include "support/text.h"

#define MOST_REPETITIONS 1000000
#define MOST_TIME        0x1p60 /* ticks */
#define MOST_RATIO       1000000

void hd_collective_release(void *data)
{
	struct hd_collective_ranks *r = data;

	hd_collective_ranks_free(r);
	free(r->host_of);
	free(r->rank_of);
	free(r);
}

const struct hd_collective *hd_collective_result(const void *data)
{
	return &((const struct hd_collective_ranks *)data)->result;
}

uint32_t hd_collective_class_of(const void *data, uint32_t host)
{
	return ((const struct hd_collective_ranks *)data)->rank_of[host] == HD_NONE ? HD_NONE : 0;
}

/* Ranks do not send by the phase's load. */
double hd_collective_load(const void *data, uint32_t class, double load_of_all)
{
	(void)data;
	(void)class;
	(void)load_of_all;
	return 0;
}

#define RANDOM "random"

/* "in-order", "random" or "random:SEED": which rank each host of the list has. */
static int order_ranks(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
		       struct hd_error *err)
{
	const char *text = hd_params_get(setup->params, "order");
	uint32_t *order, *hosts;
	struct hd_random random;
	uint64_t seed;
	int ret = 0;

	if (strcmp(text, "in-order") == 0)
		return 0;
	if (strncmp(text, RANDOM, strlen(RANDOM)) != 0 ||
	    (text[strlen(RANDOM)] && text[strlen(RANDOM)] != ':'))
		return hd_error_set(err, HD_EINVAL,
				    "order: '%s' is none of in-order, random, random:SEED", text);
	if (text[strlen(RANDOM)]) {
		ret = hd_parse_number(text + strlen(RANDOM) + 1, "order", 0, UINT64_MAX, &seed,
				      err);
		hd_random_init(&random, seed, 0);
	}
	if (ret)
		return ret;
	order = malloc(r->n * sizeof(*order));
	hosts = malloc(r->n * sizeof(*hosts));
	if (order && hosts) {
		hd_random_permutation(text[strlen(RANDOM)] ? &random : setup->random, r->n, order);
		memcpy(hosts, r->host_of, r->n * sizeof(*hosts));
		for (uint32_t i = 0; i < r->n; i++)
			r->host_of[i] = hosts[order[i]];
	} else {
		ret = hd_error_nomem(err);
	}
	free(order);
	free(hosts);
	return ret;
}

int hd_collective_place(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
			struct hd_error *err)
{
	int ret = hd_application_hosts(setup, &r->host_of, &r->n, err);

	if (!ret)
		ret = order_ranks(setup, r, err);
	if (ret)
		return ret;
	r->n_hosts = setup->setting->n_hosts;
	r->rank_of = malloc(r->n_hosts * sizeof(*r->rank_of));
	if (!r->rank_of)
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < r->n_hosts; host++)
		r->rank_of[host] = HD_NONE;
	for (uint32_t rank = 0; rank < r->n; rank++)
		r->rank_of[r->host_of[rank]] = rank;
	r->result.n_ranks = r->n;
	return 0;
}

int hd_collective_read_times(const struct hd_pattern_setup *setup, struct hd_collective_ranks *r,
			     struct hd_error *err)
{
	const uint32_t cycle = setup->setting->cycle_ticks;
	double start = 0, compute = 0;
	uint64_t repeat = 0;
	int ret = hd_amount_time(setup->params, "start", cycle, 0, MOST_TIME, &start, err);

	if (!ret)
		ret = hd_amount_time(setup->params, "compute", cycle, 0,
				     MOST_TIME / MOST_REPETITIONS, &compute, err);

	if (!ret)
		ret = hd_params_number(setup->params, "repeat", 1, MOST_REPETITIONS, &repeat, err);
	r->start = (uint64_t)(start + 0.5);
	r->result.compute = (uint64_t)(compute + 0.5);
	r->result.n_repetitions = (uint32_t)repeat;
	return ret;
}

int hd_collective_set_meeting(double ticks, uint64_t *meeting, struct hd_error *err)
{
	if (!(ticks <= MOST_TIME / MOST_REPETITIONS))
		return hd_error_set(err, HD_ERANGE,
				    "local: ranks of a node exchange data for too long");
	*meeting = (uint64_t)(ticks + 0.5);
	return 0;
}

/* "3:1" or "0.5" */
static bool scan_ratio(const char *text, double *ratio)
{
	char *end;

	/* no signs, spaces, infinities or hexadecimal digits */
	if (strspn(text, "0123456789.:") != strlen(text))
		return false;
	*ratio = strtod(text, &end);
	if (end != text && *end == ':') {
		const char *communicate = end + 1;
		const double by = strtod(communicate, &end);

		if (end == communicate || !(by > 0))
			return false;
		*ratio /= by;
	}
	return end != text && !*end && *ratio >= 0 && *ratio <= MOST_RATIO;
}

int hd_collective_read_ratio(const struct hd_params *params, double communication,
			     struct hd_collective_ranks *r, struct hd_error *err)
{
	const char *text = hd_params_get(params, "ratio");
	double ratio, compute;

	if (!hd_params_is_set(params, "ratio"))
		return 0;
	if (hd_params_is_set(params, "compute"))
		return hd_error_set(err, HD_EINVAL, "ratio: compute says it already");
	if (!scan_ratio(text, &ratio))
		return hd_error_set(err, HD_EINVAL,
				    "ratio: '%s' is no ratio up to %d, such as 3:1 or 0.5", text,
				    MOST_RATIO);
	if (!(communication > 0))
		return hd_error_set(err, HD_EINVAL, "ratio: links carry no data of the operation");
	compute = ratio * communication;
	if (compute > MOST_TIME / MOST_REPETITIONS)
		return hd_error_set(err, HD_ERANGE, "ratio: computing takes too long");
	r->result.compute = (uint64_t)(compute + 0.5);
	return 0;
}
