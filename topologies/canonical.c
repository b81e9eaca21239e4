// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Ports have numbers, so a search that goes through a switch's ports in order finds all nodes of a
 * part in an order that follows from where it began. What it finds - at each port, which node in
 * that order, by which of its ports - is a code of the fabric. The least code of all beginnings
 * depends on nothing else than cabling.
 *
 * Few beginnings need be tried: those of the smallest class of switches that look alike. A node's
 * look is a hash of its kind and of its neighbours' looks by port, refined until no more nodes can
 * be told apart.
 */
#include "topologies/canonical.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/no_hosts.h"
#include "topologies/reorder.h"

#define MOST_ROUNDS 64
#define MOST_WORK \
	(UINT64_C(1) << 26) /* ports looked at, beyond which no more beginnings are tried */

struct search {
	const struct hd_fabric *fabric;
	uint64_t *look, *next_look; /* [node] */
	uint64_t *sorted;           /* [node] scratch */
	uint32_t *order, *place;    /* nodes as they are found; [node] where, HD_NONE: not yet */
	uint32_t n_found;
	uint32_t *best; /* the order of the least code, @n_best nodes with those before it */
	uint32_t n_best;
	uint64_t *code; /* the least code, of n_code words */
	size_t n_code;
	uint64_t work;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
	return hash ^ hash >> 29;
}

/*
 * What a node is, beside where its ports lead. Rates and VLs of ports are left out: a netfile and a
 * subnet manager say different things of them, and of ports without a link.
 */
static uint64_t kind_of_node(const struct hd_fabric *fabric, uint32_t node)
{
	return mix(fabric->nodes[node].type, hd_is_aggregation_node(fabric, node));
}

static int compare_looks(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* How many looks there are. */
static uint32_t count_looks(struct search *search)
{
	const uint32_t n = search->fabric->n_nodes;
	uint32_t count = n > 0;

	memcpy(search->sorted, search->look, n * sizeof(*search->sorted));
	qsort(search->sorted, n, sizeof(*search->sorted), compare_looks);
	for (uint32_t i = 1; i < n; i++)
		count += search->sorted[i] != search->sorted[i - 1];
	return count;
}

static void refine(struct search *search)
{
	const struct hd_fabric *fabric = search->fabric;
	uint64_t *swapped;

	hd_for_each_node(node, fabric) {
		uint64_t hash = mix(search->look[node], 1);

		hd_for_each_number(number, fabric, node) {
			const uint32_t peer =
				fabric->ports[hd_port_index(fabric, node, number)].peer;

			if (peer == HD_NONE)
				continue;
			hash = mix(hash, number << 8 | fabric->ports[peer].number);
			hash = mix(hash, search->look[fabric->ports[peer].node]);
		}
		search->next_look[node] = hash;
	}
	swapped = search->look;
	search->look = search->next_look;
	search->next_look = swapped;
}

static void find_looks(struct search *search)
{
	uint32_t n = 0, before;

	hd_for_each_node(node, search->fabric)
		search->look[node] = kind_of_node(search->fabric, node);
	for (unsigned round = 0; round < MOST_ROUNDS; round++) {
		before = n;
		n = count_looks(search);
		if (n == before)
			break;
		refine(search);
	}
}

static uint32_t find(struct search *search, uint32_t node)
{
	if (search->place[node] == HD_NONE) {
		search->place[node] = search->n_found;
		search->order[search->n_found++] = node;
	}
	return search->place[node];
}

/*
 * Writes the next word of a code; @is_less: it is the least one already. False: the least one is
 * less than this.
 */
static bool put(struct search *search, size_t *at, uint64_t word, bool *is_less)
{
	if (!*is_less && *at < search->n_code) {
		if (word > search->code[*at])
			return false;
		*is_less = word < search->code[*at];
	}
	search->code[(*at)++] = word;
	return true;
}

/* Searches from @root, and keeps the order where its code is the least until now. */
static void try_root(struct search *search, uint32_t root, uint32_t n_before)
{
	const struct hd_fabric *fabric = search->fabric;
	bool is_less = search->n_code == 0;
	size_t at = 0;

	for (uint32_t i = n_before; i < search->n_found; i++)
		search->place[search->order[i]] = HD_NONE;
	search->n_found = n_before;
	find(search, root);
	for (uint32_t i = n_before; i < search->n_found; i++) {
		const uint32_t node = search->order[i];

		if (!put(search, &at, search->look[node], &is_less))
			return;
		search->work += fabric->nodes[node].n_ports;
		hd_for_each_number(number, fabric, node) {
			const uint32_t peer =
				fabric->ports[hd_port_index(fabric, node, number)].peer;
			uint64_t word;

			if (peer == HD_NONE)
				continue;
			word = (uint64_t)number << 40 |
			       (uint64_t)find(search, fabric->ports[peer].node) << 8 |
			       fabric->ports[peer].number;
			if (!put(search, &at, word, &is_less))
				return;
		}
	}
	if (!is_less)
		return;
	search->n_code = at;
	search->n_best = search->n_found;
	memcpy(search->best + n_before, search->order + n_before,
	       (search->n_found - n_before) * sizeof(*search->best));
}

/* The least look of the smallest class among the switches that are left, else the end nodes. */
static uint64_t choose_look(struct search *search)
{
	const struct hd_fabric *fabric = search->fabric;
	uint32_t n = 0, least = UINT32_MAX;
	uint64_t look = 0;

	for (uint32_t node = 0; node < fabric->n_nodes; node++) {
		if (node == fabric->n_switches && n)
			break;
		if (search->place[node] == HD_NONE)
			search->sorted[n++] = search->look[node];
	}
	qsort(search->sorted, n, sizeof(*search->sorted), compare_looks);
	for (uint32_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && search->sorted[end] == search->sorted[i];)
			end++;
		if (end - i < least) {
			least = end - i;
			look = search->sorted[i];
		}
	}
	return look;
}

/*
 * Orders the part of the fabric that comes next; the first @n_before nodes of best[] are ordered.
 */
static uint32_t order_part(struct search *search, uint32_t n_before)
{
	const uint64_t look = choose_look(search);

	search->n_code = 0;
	hd_for_each_node(node, search->fabric) {
		if (search->look[node] != look ||
		    (search->place[node] != HD_NONE && search->place[node] < n_before) ||
		    (search->n_code && search->work > MOST_WORK))
			continue;
		try_root(search, node, n_before);
	}
	for (uint32_t i = n_before; i < search->n_found; i++)
		search->place[search->order[i]] = HD_NONE;
	for (uint32_t i = n_before; i < search->n_best; i++) {
		search->order[i] = search->best[i];
		search->place[search->best[i]] = i;
	}
	search->n_found = search->n_best;
	return search->n_found;
}

/* Adds the nodes in order, each with a GUID that ascends, and room for those of its ports. */
int hd_fabric_canonical(const struct hd_fabric *fabric, struct hd_fabric **copy,
			struct hd_error *err)
{
	const size_t n = fabric->n_nodes + (size_t)1;
	struct search search = {
		.fabric = fabric,
		.look = malloc(n * sizeof(*search.look)),
		.next_look = malloc(n * sizeof(*search.next_look)),
		.sorted = malloc(n * sizeof(*search.sorted)),
		.order = malloc(n * sizeof(*search.order)),
		.place = malloc(n * sizeof(*search.place)),
		.best = malloc(n * sizeof(*search.best)),
		.code = malloc((fabric->n_ports + n) * sizeof(*search.code)),
	};
	uint32_t n_ordered = 0;
	int ret = 0;

	*copy = NULL;
	if (!search.look || !search.next_look || !search.sorted || !search.order || !search.place ||
	    !search.best || !search.code)
		ret = hd_error_nomem(err);
	if (!ret) {
		memset(search.place, 0xFF, n * sizeof(*search.place));
		find_looks(&search);
		while (n_ordered < fabric->n_nodes)
			n_ordered = order_part(&search, n_ordered);
		ret = hd_fabric_reorder(fabric, search.best, copy, err);
	}
	free(search.look);
	free(search.next_look);
	free(search.sorted);
	free(search.order);
	free(search.place);
	free(search.best);
	free(search.code);
	return ret;
}
