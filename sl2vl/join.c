// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/join.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define MOST_MOVED 8 /* one destination of so many may take another queue */

/* Pairs of a flow class and a queue class. */
struct pairs {
	uint32_t n_lids[HD_MAX_SLS][HD_MAX_SLS];
	uint8_t queue_class[HD_MAX_SLS][HD_MAX_SLS]; /* that destinations of the pair take */
	uint8_t sl[HD_MAX_SLS][HD_MAX_SLS];
	unsigned n_classes, n_queue_classes, n;
	uint64_t n_all, n_moved;
};

static void count_lids(const struct hd_fabric *fabric, const struct hd_layering *layering,
		       const struct hd_queueing *queueing, struct pairs *pairs)
{
	hd_for_each_lid(lid, fabric) {
		if (fabric->lids[lid].port == HD_NONE)
			continue;
		pairs->n_all++;
		if (!pairs->n_lids[layering->class_of[lid]][queueing->class_of[lid]]++)
			pairs->n++;
	}
	for (unsigned c = 0; c < pairs->n_classes; c++)
		for (unsigned q = 0; q < pairs->n_queue_classes; q++)
			pairs->queue_class[c][q] = (uint8_t)q;
}

/* The queue class that most destinations of flow class @c have. */
static unsigned most_common(const struct pairs *pairs, unsigned c)
{
	unsigned most = 0;

	for (unsigned q = 1; q < pairs->n_queue_classes; q++)
		if (pairs->n_lids[c][q] > pairs->n_lids[c][most])
			most = q;
	return most;
}

/* Gives the rarest pair that is not its flow class' most common one that one's queue. */
static bool move_rarest(struct pairs *pairs)
{
	uint32_t least = UINT32_MAX;
	unsigned c = 0, q = 0, most;

	for (unsigned class = 0; class < pairs->n_classes; class ++) {
		most = most_common(pairs, class);
		for (unsigned queue = 0; queue < pairs->n_queue_classes; queue++) {
			const uint32_t n = pairs->n_lids[class][queue];

			if (!n || queue == most || n >= least)
				continue;
			least = n;
			c = class;
			q = queue;
		}
	}
	if (least == UINT32_MAX)
		return false;
	most = most_common(pairs, c);
	pairs->n_lids[c][most] += least;
	pairs->n_lids[c][q] = 0;
	for (unsigned queue = 0; queue < pairs->n_queue_classes; queue++)
		if (pairs->queue_class[c][queue] == q)
			pairs->queue_class[c][queue] = (uint8_t)most;
	pairs->n_moved += least;
	pairs->n--;
	return true;
}

/* Numbers the pairs; each is a class of @joined. */
static void number_pairs(const struct hd_layering *layering, const struct hd_queueing *queueing,
			 struct pairs *pairs, uint8_t (*patterns)[HD_MAX_SLS], uint8_t *host_layer)
{
	const unsigned n_queues = queueing->queues->n_queues;
	unsigned sl = 0;

	for (unsigned c = 0; c < pairs->n_classes; c++)
		for (unsigned q = 0; q < pairs->n_queue_classes; q++) {
			const unsigned queue = queueing->patterns[0][q];

			if (!pairs->n_lids[c][q])
				continue;
			for (unsigned p = 0; p < layering->n_patterns; p++)
				patterns[p][sl] =
					(uint8_t)(layering->patterns[p][c] * n_queues + queue);
			host_layer[sl] = (uint8_t)(layering->host_layer[c] * n_queues + queue);
			pairs->sl[c][q] = (uint8_t)sl++;
		}
}

static void take_pairs(const struct hd_fabric *fabric, const struct pairs *pairs,
		       const struct hd_queueing *queueing, struct hd_layering *layering)
{
	const unsigned n_queues = queueing->queues->n_queues;
	uint8_t turns[HD_MAX_VLS] = { 0 };

	for (unsigned layer = 0; layer < layering->n_layers; layer++)
		for (unsigned q = 0; q < n_queues; q++)
			turns[layer * n_queues + q] = layering->turns[layer];
	memcpy(layering->turns, turns, sizeof(turns));
	layering->n_layers *= n_queues;
	layering->n_classes = pairs->n;
	hd_for_each_lid(lid, fabric) {
		const unsigned c = layering->class_of[lid];

		layering->class_of[lid] =
			fabric->lids[lid].port == HD_NONE
				? 0
				: pairs->sl[c][pairs->queue_class[c][queueing->class_of[lid]]];
	}
}

int hd_lanes_join(const struct hd_fabric *fabric, struct hd_layering *layering,
		  const struct hd_queueing *queueing, unsigned max_sls, struct hd_error *err)
{
	struct pairs pairs = { .n_classes = layering->n_classes,
			       .n_queue_classes = queueing->n_classes };
	uint8_t(*patterns)[HD_MAX_SLS], host_layer[HD_MAX_SLS] = { 0 };

	if (queueing->rules || queueing->n_patterns > 1 || !layering->by_destination ||
	    layering->n_layers * queueing->queues->n_queues > HD_MAX_VLS)
		return hd_error_set(err, HD_EREFUSED,
				    "flow classes and queues that do not depend on the destination "
				    "alone cannot share SLs");
	count_lids(fabric, layering, queueing, &pairs);
	while (pairs.n > max_sls)
		if (!move_rarest(&pairs) || pairs.n_moved * MOST_MOVED > pairs.n_all)
			return hd_error_set(err, HD_EREFUSED,
					    "flow classes and queues (%s) together need %u SLs, of "
					    "which there are %u",
					    queueing->queues->rule->policy.name, pairs.n, max_sls);
	patterns = calloc(layering->n_patterns, sizeof(*patterns));
	if (!patterns)
		return hd_error_nomem(err);
	number_pairs(layering, queueing, &pairs, patterns, host_layer);
	take_pairs(fabric, &pairs, queueing, layering);
	memcpy(layering->host_layer, host_layer, sizeof(host_layer));
	free(layering->patterns);
	layering->patterns = patterns;
	return 0;
}
