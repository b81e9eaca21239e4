// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Up-down routing (Schroeder et al., Autonet, 1991): switches are ordered by their distance from a
 * root, then by GUID; a link goes up towards the lower of its ends. A path goes up any number of
 * times, then down any number of times, and never up again, so that channels are acquired in an
 * order: upward ones by falling, downward ones by rising order of their far end. One VL is enough
 * on any graph.
 *
 * An LFT does not know where a packet came from. So a switch from which a destination can be
 * reached going down alone always goes down to it, by a shortest such path; packets that came down
 * to it do not have to turn. Only the others go up, to the neighbour above with the least way left.
 *
 * With ar=yes, all of the ports that an LFT could have had are the entry's set. Along each of them
 * the way left is shorter, and up and down come in the same order: that is as sound.
 *
 * The root is a switch of least eccentricity, the first by GUID, for each part of the fabric. On a
 * fat tree, unless a root is given, the order is that of tree_ways.h, in which packets between
 * leaves may go up and down by every way that there is; and where nothing of the tree is missing,
 * destinations take turns apart that come up to a switch by different switches below it.
 */
#include <stdlib.h>
#include <string.h>

#include "engines/ar_options.h"
#include "engines/candidates.h"
#include "engines/engines.h"
#include "engines/tree_ways.h"
#include "fabric/distances.h"
#include "support/error.h"
#include "support/memory.h"

/* A length in hops, with the bit DOWN if the path only goes down. */
#define DOWN     0x8000u
#define NO_WAY   0x7FFFu
#define LENGTH   0x7FFFu
#define NOT_SEEN UINT32_MAX

#define MOST_DIVIDER 65536u /* more than hosts in a fabric */

struct plan {
	const struct hd_fabric *fabric;
	const uint8_t *distances;
	uint32_t *order; /* [position] switch */
	uint32_t *rank;  /* [switch] its position in the order */
	/*
	 * The links between switches, those that go up first; by position of the switch, in CSR
	 * form.
	 */
	uint32_t *first_up, *first_down; /* [position]; first_up[position + 1] is the end */
	uint32_t *neighbour;             /* position of the far end */
	uint16_t *length; /* [from * n + to] by position; with DOWN where the path only goes down */

	struct hd_fat_tree *tree; /* NULL: the fabric is none, or a root is given */
	uint32_t *number;         /* [top_lid + 1] of destinations along the tree */
	uint32_t *sorted;         /* [targets] destinations of each pass by number */
	uint32_t *divider;        /* [switch] numbers that the ways up to it tell apart */
};

static int compare_guid_order(const void *a, const void *b)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return (x > y) - (x < y);
}

/* Of the switches that @s can reach, one of least eccentricity. */
static uint32_t find_centre(const struct plan *plan, uint32_t s)
{
	const uint32_t n = plan->fabric->n_switches;
	unsigned least = HD_UNREACHABLE + 1;
	uint32_t centre = s;

	for (uint32_t from = s; from < n; from++) {
		const uint8_t *row = plan->distances + (size_t)from * n;
		unsigned farthest = 0;

		if (row[s] == HD_UNREACHABLE && from != s)
			continue;
		for (uint32_t to = 0; to < n; to++)
			if (row[to] != HD_UNREACHABLE && row[to] > farthest)
				farthest = row[to];
		if (farthest < least) {
			least = farthest;
			centre = from;
		}
	}
	return centre;
}

/*
 * Appends to the order the switches that can be reached from @root, level by level, each level by
 * GUID. Searches rather than reads distances, which end at 254.
 */
static uint32_t order_part(struct plan *plan, uint32_t root, uint32_t n_ordered)
{
	const struct hd_fabric *fabric = plan->fabric;
	uint32_t begin = n_ordered, end = n_ordered + 1;

	plan->order[begin] = root;
	plan->rank[root] = begin;
	while (begin < end) {
		uint32_t level_end = end;

		for (; begin < level_end; begin++) {
			uint32_t s = plan->order[begin];

			hd_for_each_number(number, fabric, s) {
				uint32_t peer = hd_peer_node(fabric, s, number);

				if (peer >= fabric->n_switches || plan->rank[peer] != NOT_SEEN)
					continue;
				plan->rank[peer] = 0;
				plan->order[end++] = peer;
			}
		}
		qsort(plan->order + level_end, end - level_end, sizeof(*plan->order),
		      compare_guid_order);
		for (uint32_t i = level_end; i < end; i++)
			plan->rank[plan->order[i]] = i;
	}
	return end;
}

static int find_root(const struct hd_fabric *fabric, const struct hd_params *params, uint32_t *root,
		     struct hd_error *err)
{
	const char *given = hd_params_get(params, "root");
	int ret;

	*root = HD_NONE;
	if (!given)
		return 0;
	ret = hd_fabric_find(fabric, given, root, err);
	if (!ret && !hd_is_switch(fabric, *root))
		return hd_error_set(err, HD_EINVAL, "root '%s' is not a switch", given);
	return ret;
}

static void order_switches(struct plan *plan, uint32_t root)
{
	const uint32_t n = plan->fabric->n_switches;
	uint32_t n_ordered = 0;

	memset(plan->rank, 0xFF, n * sizeof(*plan->rank));
	if (root != HD_NONE)
		n_ordered = order_part(plan, root, 0);
	for (uint32_t s = 0; s < n; s++)
		if (plan->rank[s] == NOT_SEEN)
			n_ordered = order_part(plan, find_centre(plan, s), n_ordered);
}

/*
 * Takes the order of a fat tree; plan->tree stays NULL where the fabric is none, or in parts.
 * HD_ENOMEM.
 */
static int order_tree(struct plan *plan, struct hd_error *err)
{
	const size_t size = plan->fabric->n_switches * sizeof(*plan->order);
	struct hd_tree_ways ways = { 0 };
	struct hd_error cause;
	int ret = hd_fat_tree_recognise(plan->fabric, &plan->tree, &cause);

	if (!ret) {
		ret = hd_tree_ways_order(plan->fabric, plan->tree, &ways, &cause);
		if (!ret) {
			memcpy(plan->order, ways.order, size);
			memcpy(plan->rank, ways.rank, size);
		} else {
			hd_fat_tree_free(plan->tree);
			plan->tree = NULL;
		}
		hd_tree_ways_clear(&ways);
	}
	return ret == HD_ENOMEM ? hd_error_nomem(err) : 0;
}

/* The parent by port @number of @s; HD_NONE: that leads to none. */
static uint32_t parent_by(const struct plan *plan, uint32_t s, unsigned number)
{
	uint32_t peer = hd_peer_node(plan->fabric, s, number);

	return peer < plan->fabric->n_switches && plan->tree->level[peer] > plan->tree->level[s]
		       ? peer
		       : HD_NONE;
}

/* The product of the cables up, on the way from a leaf; the largest where ways differ. */
static int find_dividers(struct plan *plan, struct hd_error *err)
{
	const struct hd_fat_tree *tree = plan->tree;
	const uint32_t n = plan->fabric->n_switches;

	plan->divider = malloc((n + (size_t)1) * sizeof(*plan->divider));
	if (!plan->divider)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++)
		plan->divider[s] = 1;
	for (unsigned level = 0; level < tree->n_levels; level++)
		for (uint32_t s = 0; s < n; s++) {
			uint64_t above = plan->divider[s];
			unsigned cables = 0;

			if (tree->level[s] != level)
				continue;
			hd_for_each_number(number, plan->fabric, s)
				cables += parent_by(plan, s, number) != HD_NONE;
			above = above * cables < MOST_DIVIDER ? above * cables : MOST_DIVIDER;
			hd_for_each_number(number, plan->fabric, s) {
				uint32_t parent = parent_by(plan, s, number);

				if (parent != HD_NONE && plan->divider[parent] < above)
					plan->divider[parent] = (uint32_t)above;
			}
		}
	return 0;
}

/* Numbers the destinations of each pass along the tree. */
static int number_targets(struct plan *plan, const struct hd_route_targets *targets,
			  struct hd_error *err)
{
	const uint32_t n = plan->fabric->n_switches;
	uint32_t *next = malloc((n + (size_t)1) * sizeof(*next)); /* [switch] */

	plan->number = calloc(plan->fabric->top_lid + (size_t)1, sizeof(*plan->number));
	plan->sorted = malloc((targets->n + 1) * sizeof(*plan->sorted));
	if (!next || !plan->number || !plan->sorted) {
		free(next);
		return hd_error_nomem(err);
	}
	for (unsigned pass = 0; pass < targets->n_passes; pass++) {
		uint32_t before = 0;

		memset(next, 0, n * sizeof(*next));
		for (size_t i = targets->first[pass]; i < targets->first[pass + 1]; i++)
			next[targets->list[i].via_switch]++;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t *mine = &next[plan->tree->order[i]], count = *mine;

			*mine = before;
			before += count;
		}
		for (size_t i = targets->first[pass]; i < targets->first[pass + 1]; i++) {
			uint32_t number = next[targets->list[i].via_switch]++;

			plan->number[targets->list[i].lid] = number;
			plan->sorted[targets->first[pass] + number] = (uint32_t)i;
		}
	}
	free(next);
	return 0;
}

static void list_links(struct plan *plan)
{
	const struct hd_fabric *fabric = plan->fabric;
	uint32_t n = 0;

	for (uint32_t i = 0; i < fabric->n_switches; i++) {
		uint32_t s = plan->order[i];

		for (unsigned down = 0; down < 2; down++) {
			*(down ? &plan->first_down[i] : &plan->first_up[i]) = n;
			hd_for_each_number(number, fabric, s) {
				uint32_t peer = hd_peer_node(fabric, s, number);

				if (peer < fabric->n_switches && peer != s &&
				    (plan->rank[peer] > i) == down)
					plan->neighbour[n++] = plan->rank[peer];
			}
		}
	}
	plan->first_up[fabric->n_switches] = n;
}

/* Finds the lengths of all paths to position @to that only go down. */
static void find_down(struct plan *plan, uint32_t to, uint32_t *queue, uint16_t *column)
{
	uint32_t begin = 0, end = 1;

	/* upwards from the destination, against the direction of its packets */
	queue[0] = to;
	column[to] = DOWN;
	for (; begin < end; begin++) {
		uint32_t i = queue[begin];

		for (uint32_t k = plan->first_up[i]; k < plan->first_down[i]; k++) {
			uint32_t above = plan->neighbour[k];

			if (column[above] != NO_WAY)
				continue;
			column[above] = (uint16_t)(column[i] + 1);
			queue[end++] = above;
		}
	}
}

static void find_up(struct plan *plan, uint16_t *column)
{
	for (uint32_t i = 0; i < plan->fabric->n_switches; i++) {
		unsigned least = NO_WAY;

		if (column[i] & DOWN)
			continue;
		for (uint32_t k = plan->first_up[i]; k < plan->first_down[i]; k++) {
			unsigned length = column[plan->neighbour[k]] & LENGTH;

			if (length < least)
				least = length;
		}
		column[i] = (uint16_t)(least < NO_WAY - 1 ? least + 1 : NO_WAY);
	}
}

static int find_lengths(struct plan *plan, struct hd_error *err)
{
	const uint32_t n = plan->fabric->n_switches;
	bool failed = false;

#pragma omp parallel if (n > 64)
	{
		uint32_t *queue = malloc((n + (size_t)1) * sizeof(*queue));
		uint16_t *column = malloc((n + (size_t)1) * sizeof(*column));

		if (!queue || !column) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic, 16)
		for (uint32_t to = 0; to < n; to++) {
			if (!queue || !column)
				continue;
			for (uint32_t i = 0; i < n; i++)
				column[i] = NO_WAY;
			find_down(plan, to, queue, column);
			find_up(plan, column);
			for (uint32_t i = 0; i < n; i++)
				plan->length[(size_t)i * n + to] = column[i];
		}
		free(queue);
		free(column);
	}
	return failed ? hd_error_nomem(err) : 0;
}

/* For every other switch, the ports of @s by which a legal path of the least length begins. */
static void list_candidates(const void *context, uint32_t s, struct hd_candidates *candidates)
{
	const struct plan *plan = context;
	const uint32_t n = plan->fabric->n_switches, i = plan->rank[s];
	const uint16_t *mine = plan->length + (size_t)i * n;

	hd_candidates_begin(candidates, s);
	for (unsigned k = 0; k < candidates->n_ports; k++) {
		uint8_t port = candidates->ports[k];
		uint32_t peer = plan->rank[hd_peer_node(plan->fabric, s, port)];
		const uint16_t *theirs = plan->length + (size_t)peer * n;

		if (peer > i)
			for (uint32_t to = 0; to < n; to++)
				hd_candidates_add(candidates, plan->order[to], port,
						  (mine[to] & DOWN) && theirs[to] + 1 == mine[to]);
		else
			for (uint32_t to = 0; to < n; to++)
				hd_candidates_add(candidates, plan->order[to], port,
						  mine[to] < NO_WAY &&
							  (theirs[to] & LENGTH) + 1u == mine[to]);
	}
}

static const char *const ar_words[] = { "no", "yes", NULL };

static int route(const struct hd_fabric *fabric, const struct hd_route_request *request,
		 struct hd_routes *routes, struct hd_error *err)
{
	const size_t n = fabric->n_switches + (size_t)1;
	struct plan plan = {
		.fabric = fabric,
		.order = malloc(n * sizeof(*plan.order)),
		.rank = malloc(n * sizeof(*plan.rank)),
		.first_up = malloc(n * sizeof(*plan.first_up)),
		.first_down = malloc(n * sizeof(*plan.first_down)),
		.neighbour = malloc((fabric->n_ports + (size_t)1) * sizeof(*plan.neighbour)),
		.length = hd_alloc_large(n * n * sizeof(*plan.length)),
	};
	struct hd_route_targets targets;
	uint8_t *distances = NULL;
	enum hd_ar_state state = HD_AR_STATIC;
	struct hd_kinds kinds;
	bool is_even;
	unsigned choice;
	uint32_t root;
	int ret = hd_route_targets_list(fabric, &targets, err);

	if (!ret && !(plan.order && plan.rank && plan.first_up && plan.first_down &&
		      plan.neighbour && plan.length))
		ret = hd_error_nomem(err);
	if (!ret)
		ret = hd_ar_begin(request->params, ar_words, &choice, &state, routes, err);
	if (!ret)
		ret = find_root(fabric, request->params, &root, err);
	if (!ret && root == HD_NONE)
		ret = order_tree(&plan, err);
	is_even = !ret && plan.tree && hd_fat_tree_is_perfect(plan.tree);
	if (is_even)
		ret = number_targets(&plan, &targets, err);
	if (!ret && is_even)
		ret = find_dividers(&plan, err);
	if (!ret && !plan.tree)
		ret = hd_switch_distances(fabric, &distances, err);
	if (!ret) {
		plan.distances = distances;
		if (!plan.tree)
			order_switches(&plan, root);
		list_links(&plan);
		ret = find_lengths(&plan, err);
	}
	if (!ret && is_even)
		kinds = (struct hd_kinds){ plan.number, plan.sorted, plan.divider };
	if (!ret)
		ret = hd_candidates_fill(fabric, &targets, list_candidates, &plan,
					 is_even ? &kinds : NULL, state, routes->tables, err);
	hd_fat_tree_free(plan.tree);
	free(plan.number);
	free(plan.sorted);
	free(plan.divider);
	hd_route_targets_free(&targets);
	free(distances);
	free(plan.order);
	free(plan.rank);
	free(plan.first_up);
	free(plan.first_down);
	free(plan.neighbour);
	free(plan.length);
	return ret;
}

static const struct hd_option options[] = {
	{ "root", NULL, "switch",
	  "root of the order, by name or GUID; default: the middle; on a fat tree all at the top" },
	HD_AR_OPTIONS("yes: AR tables with all ports by which a legal path of least length begins"),
	{ NULL, NULL, NULL, NULL },
};
static const char *const layer_rules[] = { "single", "flex", NULL };

const struct hd_engine hd_engine_updn = {
	.policy.name = "updn",
	.policy.summary = "up*/down* paths: free of credit loops on any fabric with one VL",
	.policy.reference = "Schroeder et al., Autonet (1991)",
	.policy.options = options,
	.layer_rules = layer_rules,
	.any_sl = true,
	.route = route,
};
