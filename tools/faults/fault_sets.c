// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/faults/fault_sets.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "fabric/fabric.h"
#include "support/error.h"
#include "support/random.h"

int hd_fault_list_init(struct hd_fault_list *list, const struct hd_fabric *fabric,
		       struct hd_error *err)
{
	*list = (struct hd_fault_list){
		.n_switches = fabric->n_switches,
		.links = malloc((fabric->n_links + (size_t)1) * sizeof(*list->links)),
	};
	if (!list->links)
		return hd_error_nomem(err);
	hd_for_each_port(p, fabric)
		if (hd_is_switch_link(fabric, p) && fabric->ports[p].peer > p)
			list->links[list->n_links++] = p;
	return 0;
}

void hd_fault_list_clear(struct hd_fault_list *list)
{
	free(list->links);
	free(list->order);
	*list = (struct hd_fault_list){ 0 };
}

/* @a * @b, at most UINT64_MAX / 2. */
static uint64_t product(uint64_t a, uint64_t b)
{
	return b && a > UINT64_MAX / 2 / b ? UINT64_MAX / 2 : a * b;
}

/* How many sets of @k of @n there are; UINT64_MAX / 2 if there are more. */
static uint64_t combinations(uint64_t n, uint64_t k)
{
	uint64_t result = 1;

	if (k > n)
		return 0;
	if (k > n - k)
		k = n - k;
	for (uint64_t i = 1; i <= k; i++) {
		uint64_t next = product(result, n - k + i);

		if (next == UINT64_MAX / 2)
			return next;
		result = next / i;
	}
	return result;
}

/* Shuffles all sets. */
static int make_order(struct hd_fault_list *list, uint64_t seed, struct hd_error *err)
{
	struct hd_random random;

	list->order = malloc((list->n_all + 1) * sizeof(*list->order));
	if (!list->order)
		return hd_error_nomem(err);
	/* no set that is drawn by itself has this stream */
	hd_random_init(&random, seed, UINT64_MAX);
	hd_random_permutation(&random, (uint32_t)list->n_all, list->order);
	return 0;
}

int hd_fault_sets_count(struct hd_fault_list *list, struct hd_fault_sets *sets, uint64_t *n_sets,
			struct hd_error *err)
{
	uint64_t all = product(combinations(list->n_links, sets->n_links),
			       combinations(list->n_switches, sets->n_switches));

	if (!sets->n_links && !sets->n_switches)
		return hd_error_set(err, HD_EINVAL, "nothing is to fail");
	if (!all)
		return hd_error_set(
			err, HD_EINVAL,
			"%" PRIu32 " links and %" PRIu32 " switches cannot fail: there are %" PRIu32
			" links between %" PRIu32 " switches",
			sets->n_links, sets->n_switches, list->n_links, list->n_switches);
	list->n_all = all == UINT64_MAX / 2 ? UINT64_MAX : all;
	if (sets->n_sample >= all)
		sets->n_sample = 0;
	*n_sets = all;
	if (sets->n_sample)
		*n_sets = sets->n_sample;
	else if (sets->is_shuffled && all > HD_FAULT_SETS_MAX)
		*n_sets = sets->n_sample = HD_FAULT_SETS_MAX;
	if (*n_sets > HD_FAULT_SETS_MAX)
		return hd_error_set(err, HD_EINVAL,
				    "more than %" PRIu64
				    " sets of failures: take a --sample, or as many as fit --time",
				    HD_FAULT_SETS_MAX);
	if (all <= HD_FAULT_SETS_MAX && (sets->n_sample || sets->is_shuffled))
		return make_order(list, sets->seed, err);
	return 0;
}

/* @k of 0 .. @n - 1 at random, each set equally likely (Floyd's algorithm). */
static void draw(struct hd_random *random, uint32_t n, uint32_t k, uint32_t *chosen)
{
	for (uint32_t i = 0; i < k; i++) {
		uint32_t last = n - k + i, one = hd_random_below(random, last + 1);

		for (uint32_t j = 0; j < i; j++)
			if (chosen[j] == one)
				one = last;
		chosen[i] = one;
	}
}

/* The set with number @rank, of the sets of @k of 0 .. @n - 1 in lexicographic order. */
static void unrank(uint64_t rank, uint32_t n, uint32_t k, uint32_t *chosen)
{
	uint32_t next = 0;

	for (uint32_t i = 0; i < k; i++, next++) {
		for (;; next++) {
			uint64_t with = combinations(n - next - 1, k - i - 1);

			if (rank < with)
				break;
			rank -= with;
		}
		chosen[i] = next;
	}
}

void hd_fault_sets_choose(const struct hd_fault_list *list, const struct hd_fault_sets *sets,
			  uint64_t set, uint32_t *chosen)
{
	if (sets->n_sample && !list->order) {
		struct hd_random random;

		hd_random_init(&random, sets->seed, set);
		draw(&random, list->n_links, sets->n_links, chosen);
		draw(&random, list->n_switches, sets->n_switches, chosen + sets->n_links);
	} else {
		uint64_t n = combinations(list->n_switches, sets->n_switches);

		if (list->order)
			set = list->order[set];
		unrank(set / n, list->n_links, sets->n_links, chosen);
		unrank(set % n, list->n_switches, sets->n_switches, chosen + sets->n_links);
	}
	for (uint32_t i = 0; i < sets->n_links; i++)
		chosen[i] = list->links[chosen[i]];
}
