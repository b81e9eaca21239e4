// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which pairs of end nodes' ports change path, SL or VL. Paths to a destination are two trees
 * (tables/diff_trees.h), and sources fare in groups (tables/diff_sources.h): the work is linear in
 * destinations x (switches + groups). The sources at the destination's own switch are few, and each
 * is looked at by itself.
 *
 * Destinations go by their LIDs in blocks, as LFTs and rows of path SLs have 64 of them in a line
 * of the processor's cache. Where pairs are told one by one, they go by their GUIDs instead.
 */
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "support/error.h"
#include "tables/diff_flows.h"
#include "tables/diff_match.h"
#include "tables/diff_sources.h"
#include "tables/diff_trees.h"
#include "tables/diff_vls.h"

#define BLOCK 64

/* What a pair changes, as bits; sets of them are counted. */
enum {
	PATH = 1,
	SL = 2,
	VL = 4,
	LOST = 8,
	GAINED = 16,
	CHANGED = PATH | SL | VL | LOST | GAINED,
	UNCOVERED = 32,
	N_SETS = 64,
};

struct comparison {
	const struct hd_match *match;
	const struct hd_tables *before, *after;
	struct hd_diff_side sides[2];
	struct hd_diff_vls vls;
	struct hd_diff_sources sources;
	/* Destinations in the order in which they are compared. */
	struct destination {
		uint16_t lid_before, lid_after;
		uint32_t place; /* among sources */
	} * order;
	bool keeps; /* what each pair changes, to tell it */
};

/* What a thread needs for a block of destinations. */
struct worker {
	struct hd_diff_trees trees;
	uint8_t *columns[2];    /* [destination of the block * switches + switch] */
	uint16_t *combinations; /* [destination of the block * SL classes + class] */
	uint8_t *of_groups;     /* [group] what its pairs change */
	uint8_t *of_pairs;      /* [destination of the block * sources + source]; if kept */
	uint64_t counts[N_SETS];
	uint32_t begin, end; /* the block */
};

/* Copies the LFT columns of the block's destinations. */
static void gather_columns(const struct comparison *c, struct worker *worker)
{
	for (unsigned side = 0; side < 2; side++) {
		const struct hd_tables *tables = side ? c->after : c->before;
		const size_t n = c->sides[side].n_switches;

		for (uint32_t s = 0; s < n; s++) {
			const uint8_t *lft = hd_lft(tables, s);
			uint8_t *column = worker->columns[side] + s;

			for (uint32_t i = worker->begin; i < worker->end; i++, column += n)
				*column =
					lft[side ? c->order[i].lid_after : c->order[i].lid_before];
		}
	}
}

/* The combinations of SLs to the block's destinations. */
static void gather_combinations(const struct comparison *c, struct worker *worker)
{
	const size_t n = c->sources.n_sl_classes;

	for (uint32_t k = 0; k < n; k++) {
		const struct hd_diff_sl_class *rows = &c->sources.sl_classes[k];
		const uint8_t *before = c->before->sl_rows + rows->before * c->before->lft_stride;
		const uint8_t *after = c->after->sl_rows + rows->after * c->after->lft_stride;
		uint16_t *combination = worker->combinations + k;

		for (uint32_t i = worker->begin; i < worker->end; i++, combination += n)
			*combination = (uint16_t)hd_diff_combination(&c->vls,
								     before[c->order[i].lid_before],
								     after[c->order[i].lid_after]);
	}
}

/* The VLs of packets from @source that are equal as far as its own switch. */
static uint64_t equal_at_source(const struct comparison *c, const struct hd_diff_source *source,
				const uint8_t *column, unsigned word)
{
	const uint32_t s = source->switch_before;
	uint64_t equal = c->vls.equal[(size_t)source->kind * c->vls.n_words + word];
	size_t row;

	if (s == c->match->before->n_switches)
		return equal;
	row = hd_sl2vl_index(c->before, s, source->in, column[s]);
	return equal & c->vls.equal[(size_t)c->vls.kind[row] * c->vls.n_words + word];
}

/* What pairs with these fates change beside SLs and VLs; @stays: the links of the path. */
static inline unsigned find_changes(bool stays, uint8_t before, uint8_t after)
{
	const bool was = before == HD_FATE_ARRIVES, is = after == HD_FATE_ARRIVES;

	if (was && is)
		return stays ? 0 : PATH;
	if (before == HD_FATE_NOT_COVERED || after == HD_FATE_NOT_COVERED)
		return UNCOVERED;
	return was ? LOST : is ? GAINED : 0;
}

/* The fate of packets from the end port @port, which may be linked to the destination itself. */
static uint8_t fate_of(const struct hd_fabric *fabric, uint32_t port, uint32_t switch_index,
		       const uint8_t *fates, uint32_t destination)
{
	return fabric->ports[port].peer == destination ? HD_FATE_ARRIVES : fates[switch_index];
}

/* What the pair of @source and the block's destination @i changes. */
static unsigned compare_pair(const struct comparison *c, const struct worker *worker,
			     const struct hd_diff_source *source,
			     const struct hd_diff_destination *destination, uint32_t i)
{
	const struct hd_diff_trees *trees = &worker->trees;
	const uint32_t s = source->switch_before;
	const bool has_switch = s < c->match->before->n_switches;
	const unsigned combination =
		worker->combinations[(i - worker->begin) * (size_t)c->sources.n_sl_classes +
				     source->sl_class];
	const unsigned word = combination % HD_DIFF_COMBINATIONS / 64;
	uint8_t before = fate_of(c->match->before, source->port->before, s, trees->fate_before,
				 destination->before);
	uint8_t after = fate_of(c->match->after, source->port->after, source->switch_after,
				trees->fate_after, destination->after);
	bool both = before == HD_FATE_ARRIVES && after == HD_FATE_ARRIVES;
	bool stays = both && source->link_stays && (!has_switch || trees->same[s]);
	unsigned changes = find_changes(stays, before, after);
	uint64_t equal;

	if (combination & HD_DIFF_SL)
		changes |= SL;
	if (combination & HD_DIFF_NO_SL || !stays)
		return changes;
	equal = equal_at_source(c, source, destination->column_before, word);
	if (has_switch)
		equal &= trees->equal[(size_t)s * c->vls.n_words + word];
	return equal >> (combination % 64) & 1 ? changes : changes | VL;
}

/* What pairs of @group, which is not at the destination's switch, change. */
static inline unsigned compare_group(const struct comparison *c, const struct hd_diff_trees *trees,
				     const struct hd_diff_group *group, const uint8_t *column,
				     unsigned combination)
{
	const unsigned word = combination % HD_DIFF_COMBINATIONS / 64;
	const unsigned n_words = c->vls.n_words;
	const uint32_t s = group->switch_before;
	const uint8_t before = trees->fate_before[s];
	const uint8_t after = trees->fate_after[group->switch_after];
	const unsigned sl = combination & HD_DIFF_SL ? SL : 0;
	uint64_t equal;

	if (before != HD_FATE_ARRIVES || after != HD_FATE_ARRIVES || !group->link_stays ||
	    !trees->same[s])
		return sl | find_changes(false, before, after);
	if (combination & HD_DIFF_NO_SL)
		return sl;
	equal = trees->equal[(size_t)s * n_words + word] &
		c->sources.equal[((size_t)group->first_out + column[s]) * n_words + word];
	return equal >> (combination % 64) & 1 ? sl : sl | VL;
}

/* Groups from @begin to @end, none of them at the switch of the block's destination @i. */
static void compare_groups(const struct comparison *c, struct worker *worker,
			   const struct hd_diff_destination *destination, uint32_t i,
			   uint32_t begin, uint32_t end)
{
	const uint16_t *combinations =
		worker->combinations + (i - worker->begin) * (size_t)c->sources.n_sl_classes;

	for (uint32_t g = begin; g < end; g++) {
		const struct hd_diff_group *group = &c->sources.groups[g];
		unsigned changes =
			compare_group(c, &worker->trees, group, destination->column_before,
				      combinations[group->sl_class]);

		worker->of_groups[g] = (uint8_t)changes;
		worker->counts[changes] += group->size;
	}
}

/* Sources from @begin to @end by groups, each by itself; not those of the destination's node. */
static void compare_sources(const struct comparison *c, struct worker *worker,
			    const struct hd_diff_destination *destination, uint32_t i,
			    uint32_t begin, uint32_t end)
{
	uint32_t node = c->sources.list[c->order[i].place].node;

	for (uint32_t k = begin; k < end; k++) {
		uint32_t place = c->sources.by_group[k];
		const struct hd_diff_source *source = &c->sources.list[place];
		unsigned changes;

		if (source->node == node)
			continue;
		changes = compare_pair(c, worker, source, destination, i);
		worker->counts[changes]++;
		if (c->keeps)
			worker->of_pairs[(size_t)(i - worker->begin) * c->sources.n + place] =
				(uint8_t)changes;
	}
}

/* Takes the other ports of the destination's node out of the groups that were counted. */
static void leave_out_node(const struct comparison *c, struct worker *worker, uint32_t place,
			   uint32_t root)
{
	const struct hd_fabric *fabric = c->match->before;
	uint32_t node = c->sources.list[place].node;

	hd_for_each_number(number, fabric, node) {
		uint32_t other = c->sources.of_port[hd_port_index(fabric, node, number)];

		if (other != HD_NONE && c->sources.list[other].is_grouped &&
		    c->sources.list[other].switch_before != root)
			worker->counts[worker->of_groups[c->sources.list[other].group]]--;
	}
}

/* Keeps what pairs of groups to the block's destination @i change. */
static void keep_groups(const struct comparison *c, struct worker *worker, uint32_t i,
			uint32_t root)
{
	uint8_t *of_pairs = worker->of_pairs + (size_t)(i - worker->begin) * c->sources.n;
	uint32_t node = c->sources.list[c->order[i].place].node;

	for (uint32_t place = 0; place < c->sources.n; place++) {
		const struct hd_diff_source *source = &c->sources.list[place];

		if (source->node == node)
			of_pairs[place] = 0;
		else if (source->is_grouped && source->switch_before != root)
			of_pairs[place] = worker->of_groups[source->group];
	}
}

static void compare_destination(const struct comparison *c, struct worker *worker, uint32_t i)
{
	const struct hd_diff_sources *sources = &c->sources;
	const struct hd_diff_source *to = &sources->list[c->order[i].place];
	const struct hd_diff_destination destination = {
		.before = to->port->before,
		.after = to->port->after,
		.column_before =
			worker->columns[0] + (size_t)(i - worker->begin) * c->sides[0].n_switches,
		.column_after =
			worker->columns[1] + (size_t)(i - worker->begin) * c->sides[1].n_switches,
	};
	/* without a switch, a destination has no source beside it */
	const uint32_t n_switches = c->match->before->n_switches;
	const uint32_t root = to->switch_before < n_switches ? to->switch_before : HD_NONE;

	hd_diff_trees_grow(&c->sides[0], &c->sides[1], &c->vls, &destination, &worker->trees);
	if (root == HD_NONE) {
		compare_groups(c, worker, &destination, i, 0, sources->n_groups);
	} else {
		compare_groups(c, worker, &destination, i, 0, sources->first_group[root]);
		compare_groups(c, worker, &destination, i, sources->first_group[root + 1],
			       sources->n_groups);
		compare_sources(c, worker, &destination, i, sources->first_source[root],
				sources->first_source[root + 1]);
	}
	compare_sources(c, worker, &destination, i, sources->n_grouped, sources->n);
	leave_out_node(c, worker, c->order[i].place, root);
	if (c->keeps)
		keep_groups(c, worker, i, root);
}

static void compare_block(const struct comparison *c, struct worker *worker, uint32_t begin)
{
	worker->begin = begin < c->sources.n ? begin : c->sources.n;
	worker->end = c->sources.n - worker->begin < BLOCK ? c->sources.n : worker->begin + BLOCK;
	gather_columns(c, worker);
	gather_combinations(c, worker);
	for (uint32_t i = worker->begin; i < worker->end; i++)
		compare_destination(c, worker, i);
}

/* Tells the pairs of the worker's block that change; whether no more are wanted. */
static bool tell(const struct comparison *c, const struct worker *worker, hd_diff_pair_fn each,
		 void *context)
{
	const struct hd_port *ports = c->match->before->ports;
	const uint8_t *changes = worker->of_pairs;

	for (uint32_t i = worker->begin; i < worker->end; i++)
		for (uint32_t place = 0; place < c->sources.n; place++, changes++) {
			const struct hd_diff_pair pair = {
				.source = ports[c->sources.list[place].port->before].guid,
				.destination =
					ports[c->sources.list[c->order[i].place].port->before].guid,
				.path = *changes & PATH,
				.sl = *changes & SL,
				.vl = *changes & VL,
				.lost = *changes & LOST,
				.gained = *changes & GAINED,
			};

			if (*changes & CHANGED && each(&pair, context))
				return true;
		}
	return false;
}

static int worker_init(const struct comparison *c, struct worker *worker, struct hd_error *err)
{
	const size_t n_classes = c->sources.n_sl_classes + (size_t)1;

	for (unsigned side = 0; side < 2; side++)
		worker->columns[side] = malloc((c->sides[side].n_switches + (size_t)1) * BLOCK);
	worker->combinations = malloc(n_classes * BLOCK * sizeof(*worker->combinations));
	worker->of_groups = malloc(c->sources.n_groups + (size_t)1);
	worker->of_pairs = malloc((c->keeps ? c->sources.n : (size_t)0) * BLOCK + 1);
	if (!worker->columns[0] || !worker->columns[1] || !worker->combinations ||
	    !worker->of_groups || !worker->of_pairs)
		return hd_error_nomem(err);
	return hd_diff_trees_init(&c->sides[0], &c->sides[1], &c->vls, &worker->trees, err);
}

static void workers_free(struct worker *workers, uint32_t n)
{
	for (uint32_t i = 0; workers && i < n; i++) {
		hd_diff_trees_clear(&workers[i].trees);
		free(workers[i].columns[0]);
		free(workers[i].columns[1]);
		free(workers[i].combinations);
		free(workers[i].of_groups);
		free(workers[i].of_pairs);
	}
	free(workers);
}

static uint32_t count_threads(void)
{
#ifdef _OPENMP
	return (uint32_t)omp_get_max_threads();
#else
	return 1;
#endif
}

static uint32_t thread_number(void)
{
#ifdef _OPENMP
	return (uint32_t)omp_get_thread_num();
#else
	return 0;
#endif
}

/* Whether every source that sends is on both sides, and no table drops its packets. */
static int are_flows_plain(const struct comparison *c, bool *are_plain, struct hd_error *err)
{
	uint32_t n[2] = { 0, 0 };
	int ret = 0;

	for (uint32_t i = 0; i < c->sources.n; i++) {
		n[0] += hd_is_end_port(c->match->before, c->sources.list[i].port->before);
		n[1] += hd_is_end_port(c->match->after, c->sources.list[i].port->after);
	}
	*are_plain = true;
	for (unsigned side = 0; !ret && *are_plain && side < 2; side++) {
		*are_plain = n[side] && n[side] == c->sides[side].n_senders;
		if (*are_plain)
			ret = hd_diff_flows_are_plain(c->sides[side].tables, are_plain, err);
	}
	return ret;
}

/* Gives the flows that workers counted to @diff. */
static void sum_flows(struct worker *workers, uint32_t n, const struct comparison *c,
		      struct hd_diff *diff)
{
	for (unsigned side = 0; side < 2; side++) {
		uint32_t n_ports = c->sides[side].tables->fabric->n_ports;

		diff->flows[side] = workers[0].trees.flows[side];
		workers[0].trees.flows[side] = NULL;
		for (uint32_t i = 1; i < n; i++)
			for (uint32_t p = 0; p < n_ports; p++)
				diff->flows[side][p] += workers[i].trees.flows[side][p];
	}
}

/* Compares all blocks, each by the worker of the thread that comes to it first. */
static void count_blocks(const struct comparison *c, struct worker *workers, uint32_t n)
{
	const uint32_t n_blocks = (c->sources.n + BLOCK - 1) / BLOCK;

#pragma omp parallel for num_threads(n) schedule(dynamic, 1)
	for (uint32_t block = 0; block < n_blocks; block++)
		compare_block(c, &workers[thread_number()], block * BLOCK);
}

/* Compares as many blocks as there are workers at a time, and tells their pairs in order. */
static void tell_blocks(const struct comparison *c, struct worker *workers, uint32_t n,
			hd_diff_pair_fn each, void *context)
{
	bool stopped = false;

	for (uint32_t begin = 0; begin < c->sources.n; begin += n * BLOCK) {
#pragma omp parallel for schedule(static, 1)
		for (uint32_t i = 0; i < n; i++)
			compare_block(c, &workers[i], begin + i * BLOCK);
		for (uint32_t i = 0; !stopped && i < n; i++)
			stopped = tell(c, &workers[i], each, context);
	}
}

static int compare_all(const struct comparison *c, hd_diff_pair_fn each, void *context,
		       uint64_t *counts, struct hd_diff *diff, struct hd_error *err)
{
	const uint32_t n = count_threads();
	struct worker *workers = calloc(n, sizeof(*workers));
	int ret = workers ? 0 : hd_error_nomem(err);
	bool are_plain = false;

	if (!ret)
		ret = are_flows_plain(c, &are_plain, err);
	for (uint32_t i = 0; !ret && i < n; i++)
		ret = worker_init(c, &workers[i], err);
	if (!ret && each)
		tell_blocks(c, workers, n, each, context);
	else if (!ret)
		count_blocks(c, workers, n);
	for (uint32_t i = 0; !ret && i < n; i++)
		for (unsigned set = 0; set < N_SETS; set++)
			counts[set] += workers[i].counts[set];
	if (!ret && are_plain)
		sum_flows(workers, n, c, diff);
	workers_free(workers, n);
	return ret;
}

static int compare_lids(const void *a, const void *b)
{
	const struct destination *x = a, *y = b;

	return x->lid_before < y->lid_before ? -1 : x->lid_before > y->lid_before;
}

static int order_destinations(struct comparison *c, struct hd_error *err)
{
	const uint32_t n = c->sources.n;

	c->order = malloc((n + (size_t)1) * sizeof(*c->order));
	if (!c->order)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < n; i++) {
		const struct hd_match_endport *port = c->sources.list[i].port;

		c->order[i] = (struct destination){
			.lid_before = c->match->before->ports[port->before].lid,
			.lid_after = c->match->after->ports[port->after].lid,
			.place = i,
		};
	}
	if (!c->keeps)
		qsort(c->order, n, sizeof(*c->order), compare_lids);
	return 0;
}

/* Finds the combinations of SLs that some pair has. */
static int find_combinations(struct comparison *c, struct hd_error *err)
{
	bool used[HD_DIFF_COMBINATIONS] = { false };

	for (uint32_t k = 0; k < c->sources.n_sl_classes; k++) {
		const struct hd_diff_sl_class *rows = &c->sources.sl_classes[k];
		const uint8_t *before = c->before->sl_rows + rows->before * c->before->lft_stride;
		const uint8_t *after = c->after->sl_rows + rows->after * c->after->lft_stride;

		for (uint32_t i = 0; i < c->sources.n; i++) {
			unsigned b = before[c->order[i].lid_before];
			unsigned a = after[c->order[i].lid_after];

			if (b < HD_MAX_SLS && a < HD_MAX_SLS)
				used[b * HD_MAX_SLS + a] = true;
		}
	}
	return hd_diff_vls_fill(&c->vls, used, err);
}

static void sum_up(const uint64_t *counts, struct hd_diff *diff)
{
	for (unsigned set = 0; set < N_SETS; set++) {
		diff->pairs += counts[set];
		diff->pairs_path += set & PATH ? counts[set] : 0;
		diff->pairs_sl += set & SL ? counts[set] : 0;
		diff->pairs_vl += set & VL ? counts[set] : 0;
		diff->pairs_changed += set & CHANGED ? counts[set] : 0;
		diff->pairs_lost += set & LOST ? counts[set] : 0;
		diff->pairs_gained += set & GAINED ? counts[set] : 0;
		diff->pairs_uncovered += set & UNCOVERED ? counts[set] : 0;
	}
}

int hd_diff_pairs(const struct hd_match *match, const struct hd_tables *before,
		  const struct hd_tables *after, hd_diff_pair_fn each, void *context,
		  struct hd_diff *diff, struct hd_error *err)
{
	struct comparison c = {
		.match = match,
		.before = before,
		.after = after,
		.keeps = each != NULL,
	};
	uint64_t counts[N_SETS] = { 0 };
	int ret = hd_diff_vls_init(match, before, after, &c.vls, err);

	if (!ret)
		ret = hd_diff_sources_init(match, before, after, &c.vls, &c.sources, err);
	if (!ret)
		ret = hd_diff_side_init(match, before, false, &c.sides[0], err);
	if (!ret)
		ret = hd_diff_side_init(match, after, true, &c.sides[1], err);
	if (!ret)
		ret = order_destinations(&c, err);
	if (!ret)
		ret = find_combinations(&c, err);
	if (!ret)
		ret = hd_diff_sources_fill(before, &c.vls, &c.sources, err);
	if (!ret)
		ret = compare_all(&c, each, context, counts, diff, err);
	sum_up(counts, diff);
	free(c.order);
	hd_diff_side_clear(&c.sides[0]);
	hd_diff_side_clear(&c.sides[1]);
	hd_diff_sources_clear(&c.sources);
	hd_diff_vls_clear(&c.vls);
	return ret;
}
