// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Zipf's law: the i-th of a source's favourites with probability i^-s / sum of j^-s. Ranks are
 * drawn by Walker's alias method; a ranking is a permutation that is computed, not stored: a
 * Feistel network over the bits of a rank, run again while it leaves the range.
 */
#include "sim/traffic/zipf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/pattern.h"
#include "support/error.h"

#define ROUNDS 4

struct alias {
	uint32_t keep; /* 2^-32: probability of staying with this rank */
	uint32_t other;
};

struct zipf {
	uint32_t n_hosts;
	uint32_t n_ranks;
	unsigned low, high; /* bits of the halves */
	bool self;
	uint32_t keys[ROUNDS];
	uint32_t *order, *place; /* one for all, and its inverse; NULL: every source has its own */
	struct alias aliases[];  /* [rank] */
};

void hd_zipf_shares(double s, uint32_t n, double *shares)
{
	double sum = 0;

	for (uint32_t i = n; i-- > 0;)
		sum += shares[i] = pow(i + 1, -s);
	for (uint32_t i = 0; i < n; i++)
		shares[i] /= sum;
}

/* Vose's way: every rank has a column of height 1 / n, filled up by one rank that has more. */
static int make_aliases(struct zipf *z, double s, struct hd_error *err)
{
	uint32_t n = z->n_ranks, small = 0, large = n;
	double *left = malloc(n * sizeof(*left));
	uint32_t *work = malloc(n * sizeof(*work)); /* those too small from 0, too large from n */

	if (!left || !work) {
		free(left);
		free(work);
		return hd_error_nomem(err);
	}
	hd_zipf_shares(s, n, left);
	for (uint32_t i = 0; i < n; i++) {
		left[i] *= n;
		if (left[i] < 1)
			work[small++] = i;
		else
			work[--large] = i;
		z->aliases[i] = (struct alias){ UINT32_MAX, i };
	}
	while (small && large < n) {
		uint32_t less = work[--small], more = work[large];

		z->aliases[less] = (struct alias){ (uint32_t)(left[less] * 0x1p32), more };
		left[more] -= 1 - left[less];
		if (left[more] < 1) {
			large++;
			work[small++] = more;
		}
	}
	free(left);
	free(work);
	return 0;
}

static int make_order(struct zipf *z, struct hd_random *random, struct hd_error *err)
{
	z->order = malloc(z->n_hosts * sizeof(*z->order));
	z->place = malloc(z->n_hosts * sizeof(*z->place));
	if (!z->order || !z->place)
		return hd_error_nomem(err);
	hd_random_permutation(random, z->n_hosts, z->order);
	for (uint32_t i = 0; i < z->n_hosts; i++)
		z->place[z->order[i]] = i;
	return 0;
}

static void release(void *data)
{
	struct zipf *z = data;

	free(z->order);
	free(z->place);
	free(z);
}

static int init(const struct hd_pattern_setup *setup, void **data, struct hd_error *err)
{
	uint32_t n = setup->setting->n_hosts;
	const char *ranking = hd_params_get(setup->params, "ranking");
	struct zipf *z = calloc(1, sizeof(*z) + n * sizeof(z->aliases[0]));
	unsigned bits = 1;
	bool shared;
	double s;
	int ret;

	if (!z)
		return hd_error_nomem(err);
	*data = z;
	ret = hd_params_decimal(setup->params, "s", 0, 100, &s, err);
	if (!ret)
		ret = hd_params_bool(setup->params, "self", &z->self, err);
	if (ret)
		return ret;
	shared = strcmp(ranking, "shared") == 0;
	if (!shared && strcmp(ranking, "source") != 0)
		return hd_error_set(err, HD_EINVAL, "ranking: '%s' is neither source nor shared",
				    ranking);
	if (n < 2)
		return hd_error_set(err, HD_EINVAL, "there is one host only");
	z->n_hosts = n;
	z->n_ranks = z->self ? n : n - 1;
	while (bits < 32 && 1ull << bits < n)
		bits++;
	z->low = bits / 2;
	z->high = bits - z->low;
	for (unsigned i = 0; i < ROUNDS; i++)
		z->keys[i] = hd_random_u32(setup->random);
	ret = make_aliases(z, s, err);
	return ret || !shared ? ret : make_order(z, setup->random, err);
}

/* Bits of @x and @key mixed: high ones of a product, by the golden ratio. */
static uint32_t mix(uint32_t x, uint32_t key)
{
	return (uint32_t)((x ^ key) * UINT64_C(0x9e3779b97f4a7c15) >> 40);
}

/* The place of rank @x in the order of host @host, below @n: a permutation. */
static uint32_t permute(const struct zipf *z, uint32_t host, uint32_t n, uint32_t x)
{
	uint32_t salt = host * 0x9e3779b9;

	do {
		uint32_t low = x & ((1u << z->low) - 1), high = x >> z->low;

		for (unsigned i = 0; i < ROUNDS; i += 2) {
			high ^= mix(low + salt, z->keys[i]) & ((1u << z->high) - 1);
			low ^= mix(high + salt, z->keys[i + 1]) & ((1u << z->low) - 1);
		}
		x = high << z->low | low;
	} while (x >= n);
	return x;
}

static uint32_t draw_rank(const struct zipf *z, struct hd_random *random)
{
	uint32_t rank = hd_random_below(random, z->n_ranks);

	return hd_random_u32(random) < z->aliases[rank].keep ? rank : z->aliases[rank].other;
}

static uint32_t destination(const void *data, struct hd_source *source)
{
	const struct zipf *z = data;
	uint32_t rank = draw_rank(z, &source->random), to;

	if (z->order) /* from which everyone leaves out himself */
		return z->order[rank + (!z->self && rank >= z->place[source->host])];
	to = permute(z, source->host, z->n_ranks, rank);
	return to + (!z->self && to >= source->host);
}

static const struct hd_option options[] = {
	{ "s", "1", "", "exponent: 0 is uniform, the higher the fewer favourites" },
	{ "ranking", "source", "",
	  "source: every source has its own random order; shared: all one" },
	{ "self", "no", "", "whether hosts send to themselves too" },
	{ 0 },
};

const struct hd_pattern_kind hd_pattern_zipf = {
	.policy = { .name = "zipf",
		    .summary = "to favourites by Zipf's law",
		    .reference = "Maglione-Mathey et al., OSHA and SASHA, equation 4",
		    .options = options },
	.policy.n_bare = 1,
	.init = init,
	.free = release,
	.destination = destination,
};
