// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One class after the other is filled with as many flows as it can hold. The longest flows that have
 * no class yet vote: each (switch, in, out) gets the hop at which most of them pass it. Those that
 * agree with the outcome everywhere are in the class; what they use is fixed, the rest free again
 * for the other flows, which are taken one by one, longest first, if they fit.
 *
 * Voting makes the class consistent as a whole. On a dragonfly most packets go over a local, a global
 * and a local link: in the first class the step from a global to a local link is hop 2, and what
 * begins with a global link goes to the second. First fit alone takes twice as many classes.
 */
#include "sl2vl/hop_classes.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

#define LID_BLOCK 64 /* one cache line of a row of LFTs or classes */

/* A class of a flow that has none yet: its length with this bit. */
#define OPEN 0x80u

struct sorting {
	const struct hd_layer_input *input;
	const struct hd_tables *tables;
	const struct hd_fabric *fabric;
	struct hd_hop_classes *classes;
	size_t n_rows;
	uint32_t *votes; /* [row * n_hops + hop - 1] */
	unsigned n_hops; /* hops that there are votes on: 1 .. n_hops */
	uint8_t *wanted; /* [row] the hop with most votes; 0: none */
	uint8_t *fixed;  /* [row] the hop that flows of the class under way have; 0: free */
};

/* The ways to one LID. */
struct column {
	uint32_t lid;
	uint32_t last;  /* the destination's switch */
	uint32_t *next; /* [switch] HD_NONE: no way on, or the last */
	uint32_t *row;  /* [switch] row of SL2VL at the next switch that packets from here take */
	uint32_t *base; /* [switch] first row of the out-port */
	uint8_t *in;    /* [switch] in-port at the next switch */
};

static bool column_new(struct column *column, uint32_t n_switches)
{
	const size_t n = n_switches + (size_t)1;

	*column = (struct column){
		.next = malloc(n * sizeof(*column->next)),
		.row = malloc(n * sizeof(*column->row)),
		.base = malloc(n * sizeof(*column->base)),
		.in = malloc(n),
	};
	return column->next && column->row && column->base && column->in;
}

static void column_free(struct column *column)
{
	free(column->next);
	free(column->row);
	free(column->base);
	free(column->in);
}

static void column_set(struct column *column, const struct hd_tables *tables, uint32_t lid)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint8_t *entry = tables->lft + lid;

	column->lid = lid;
	column->last = fabric->lids[lid].via_switch;
	for (uint32_t s = 0; s < fabric->n_switches; s++, entry += tables->lft_stride) {
		const struct hd_node *node = &fabric->nodes[s];
		uint32_t peer = HD_NONE;

		if (*entry <= node->n_ports && s != column->last)
			peer = fabric->ports[node->first_port + *entry].peer;
		column->next[s] = HD_NONE;
		if (peer == HD_NONE || fabric->ports[peer].node >= fabric->n_switches)
			continue;
		column->next[s] = fabric->ports[peer].node;
		column->in[s] = fabric->ports[peer].number;
		column->base[s] = (uint32_t)tables->sl2vl_first[s] + *entry * (node->n_ports + 1u);
	}
	for (uint32_t s = 0; s < fabric->n_switches; s++)
		if (column->next[s] != HD_NONE && column->next[s] != column->last &&
		    column->next[column->next[s]] != HD_NONE)
			column->row[s] = column->base[column->next[s]] + column->in[s];
}

/* Links between switches from @s on; 0 where the way does not lead to the destination. */
static unsigned path_length(const struct column *column, uint32_t s, uint32_t n_switches)
{
	unsigned length = 0;

	for (; s != column->last; s = column->next[s])
		if (column->next[s] == HD_NONE || ++length > n_switches)
			return 0;
	return length;
}

static bool is_destination(const struct sorting *sorting, uint32_t lid)
{
	return lid <= sorting->fabric->top_lid && sorting->fabric->lids[lid].via_switch != HD_NONE;
}

/* The class of the flow from @s. */
static uint8_t *class_of(const struct sorting *sorting, const struct column *column, uint32_t s)
{
	return &sorting->classes->class_of[s * sorting->tables->lft_stride + column->lid];
}

/* What passes over all flows do with those to one LID. */
typedef void (*visit_fn)(struct sorting *sorting, const struct column *column, unsigned argument);

/* Whether some flow to @lid has no class yet and the length that @mark says; 0: any length. */
static bool has_open(const struct sorting *sorting, uint32_t lid, unsigned mark)
{
	const size_t stride = sorting->tables->lft_stride;
	const uint8_t *class = sorting->classes->class_of + lid;

	if (!mark)
		return true;
	for (uint32_t s = 0; s < sorting->fabric->n_switches; s++)
		if (class[s * stride] == mark)
			return true;
	return false;
}

static void visit_block(struct sorting *sorting, size_t block, unsigned mark, visit_fn visit,
			unsigned argument, struct column *column)
{
	for (uint32_t lid = (uint32_t)block; lid < block + LID_BLOCK; lid++) {
		if (!is_destination(sorting, lid) || !has_open(sorting, lid, mark))
			continue;
		column_set(column, sorting->tables, lid);
		visit(sorting, column, argument);
	}
}

/* Calls @visit for every LID, several at a time; it must not depend on their order. */
static bool visit_all(struct sorting *sorting, unsigned mark, visit_fn visit, unsigned argument)
{
	bool failed = false;

#pragma omp parallel if (sorting->fabric->n_switches > 64)
	{
		struct column column;
		bool ready = column_new(&column, sorting->fabric->n_switches);

		if (!ready) {
#pragma omp atomic write
			failed = true;
		}
#pragma omp for schedule(dynamic)
		for (size_t block = 0; block < sorting->tables->lft_stride; block += LID_BLOCK)
			if (ready)
				visit_block(sorting, block, mark, visit, argument, &column);
		column_free(&column);
	}
	return !failed;
}

/* The same in ascending order. */
static bool visit_in_order(struct sorting *sorting, unsigned mark, visit_fn visit,
			   unsigned argument)
{
	struct column column;
	bool ready = column_new(&column, sorting->fabric->n_switches);

	for (size_t block = 0; ready && block < sorting->tables->lft_stride; block += LID_BLOCK)
		visit_block(sorting, block, mark, visit, argument, &column);
	column_free(&column);
	return ready;
}

/* Opens every flow of two hops or more: others pass no second switch that could tell. */
static void measure(struct sorting *sorting, const struct column *column, unsigned unused)
{
	unsigned longest = 0;

	(void)unused;
	for (uint32_t s = 0; s < sorting->fabric->n_switches; s++) {
		unsigned length = path_length(column, s, sorting->fabric->n_switches);

		longest = length > longest ? length : longest;
		if (length > 1 && length <= HD_MAX_VLS)
			*class_of(sorting, column, s) = (uint8_t)(OPEN | length);
	}
#pragma omp critical(hd_hop_classes_longest)
	if (longest > sorting->classes->longest)
		sorting->classes->longest = longest;
}

static void vote(struct sorting *sorting, const struct column *column, unsigned length)
{
	for (uint32_t s = 0; s < sorting->fabric->n_switches; s++) {
		uint32_t at = s;

		if (*class_of(sorting, column, s) != (OPEN | length))
			continue;
		for (unsigned hop = 1; hop < length; hop++, at = column->next[at]) {
			uint32_t *votes =
				&sorting->votes[column->row[at] * (size_t)sorting->n_hops + hop -
						1];

#pragma omp atomic
			++*votes;
		}
	}
}

static void count_votes(struct sorting *sorting)
{
	for (size_t row = 0; row < sorting->n_rows; row++) {
		const uint32_t *votes = sorting->votes + row * sorting->n_hops;
		uint32_t most = 0;

		sorting->wanted[row] = 0;
		for (unsigned hop = 1; hop <= sorting->n_hops; hop++)
			if (votes[hop - 1] > most) {
				most = votes[hop - 1];
				sorting->wanted[row] = (uint8_t)hop;
			}
	}
}

static bool fits(const struct column *column, uint32_t s, unsigned length, const uint8_t *hops,
		 bool free_fits)
{
	for (unsigned hop = 1; hop < length; hop++, s = column->next[s]) {
		unsigned has = hops[column->row[s]];

		if (has != hop && !(free_fits && has == 0))
			return false;
	}
	return true;
}

static void fix(struct sorting *sorting, const struct column *column, uint32_t s, unsigned length)
{
	*class_of(sorting, column, s) = (uint8_t)sorting->classes->n_classes;
	for (unsigned hop = 1; hop < length; hop++, s = column->next[s]) {
		uint8_t *fixed = &sorting->fixed[column->row[s]];

		/* threads that meet here write the same */
#pragma omp atomic write
		*fixed = (uint8_t)hop;
	}
}

/* Takes the flows that agree with the votes. */
static void take_agreed(struct sorting *sorting, const struct column *column, unsigned length)
{
	for (uint32_t s = 0; s < sorting->fabric->n_switches; s++)
		if (*class_of(sorting, column, s) == (OPEN | length) &&
		    fits(column, s, length, sorting->wanted, false))
			fix(sorting, column, s, length);
}

/* Takes the flows that fit, one by one. */
static void take_fitting(struct sorting *sorting, const struct column *column, unsigned length)
{
	for (uint32_t s = 0; s < sorting->fabric->n_switches; s++)
		if (*class_of(sorting, column, s) == (OPEN | length) &&
		    fits(column, s, length, sorting->fixed, true))
			fix(sorting, column, s, length);
}

/* The length of the longest flow without a class, 0: none. Its source and LID. */
static unsigned longest_open(const struct sorting *sorting, uint32_t *s, uint32_t *lid)
{
	const size_t stride = sorting->tables->lft_stride;
	const size_t n = sorting->fabric->n_switches * stride;
	unsigned longest = 0;

	for (size_t i = 0; i < n; i++)
		if (sorting->classes->class_of[i] > (longest | OPEN)) {
			longest = sorting->classes->class_of[i] & ~OPEN;
			*s = (uint32_t)(i / stride);
			*lid = (uint32_t)(i % stride);
		}
	return longest;
}

/* Fills the next class. */
static bool fill_class(struct sorting *sorting, unsigned longest)
{
	uint64_t *hops = sorting->classes->hops;
	const unsigned shift = 4 * sorting->classes->n_classes;

	sorting->n_hops = longest - 1;
	memset(sorting->votes, 0, sorting->n_rows * sorting->n_hops * sizeof(*sorting->votes));
	memset(sorting->fixed, 0, sorting->n_rows);
	if (!visit_all(sorting, OPEN | longest, vote, longest))
		return false;
	count_votes(sorting);
	if (!visit_all(sorting, OPEN | longest, take_agreed, longest))
		return false;
	for (unsigned length = longest; length > 1; length--)
		if (!visit_in_order(sorting, OPEN | length, take_fitting, length))
			return false;
	for (size_t row = 0; row < sorting->n_rows; row++)
		hops[row] |= (uint64_t)sorting->fixed[row] << shift;
	sorting->classes->n_classes++;
	return true;
}

static bool allocate(struct sorting *sorting)
{
	const uint32_t n_switches = sorting->fabric->n_switches;
	const size_t n_flows = n_switches * sorting->tables->lft_stride, n = sorting->n_rows + 1;
	struct hd_hop_classes *classes = sorting->classes;

	classes->hops = hd_alloc_large(n * sizeof(*classes->hops));
	classes->class_of = hd_alloc_large(n_flows + 1);
	sorting->wanted = malloc(n);
	sorting->fixed = malloc(n);
	if (!classes->hops || !classes->class_of || !sorting->wanted || !sorting->fixed)
		return false;
	memset(classes->hops, 0, n * sizeof(*classes->hops));
	memset(classes->class_of, 0, n_flows);
	return true;
}

static int fill_classes(struct sorting *sorting, struct hd_error *err)
{
	struct hd_hop_classes *classes = sorting->classes;
	const unsigned max_classes = sorting->input->max_classes;
	unsigned longest;
	uint32_t s = 0, lid = 0;

	sorting->votes = malloc((sorting->n_rows + 1) * classes->longest * sizeof(*sorting->votes));
	if (!sorting->votes)
		return hd_error_nomem(err);
	while ((longest = longest_open(sorting, &s, &lid))) {
		if (classes->n_classes == max_classes)
			return hd_error_set(
				err, HD_EREFUSED,
				"hops in %u layers need more than %u flow classes: the flow "
				"from switch %.64s to LID %u fits into none",
				classes->longest, max_classes, hd_node_name(sorting->fabric, s),
				lid);
		if (!fill_class(sorting, longest))
			return hd_error_nomem(err);
	}
	if (!classes->n_classes)
		classes->n_classes = 1;
	return 0;
}

int hd_hop_classes_find(const struct hd_layer_input *input, struct hd_hop_classes *classes,
			struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	struct sorting sorting = {
		.input = input,
		.tables = input->tables,
		.fabric = fabric,
		.classes = classes,
		.n_rows = input->tables->sl2vl_first[fabric->n_switches],
	};
	int ret = 0;

	*classes = (struct hd_hop_classes){ 0 };
	if (!allocate(&sorting) || !visit_all(&sorting, 0, measure, 0))
		ret = hd_error_nomem(err);
	else if (classes->longest > input->max_layers)
		ret = hd_error_set(
			err, HD_EREFUSED,
			"a path has %u hops between switches, which need %u layers, one for "
			"each, of which there are %u",
			classes->longest, classes->longest, input->max_layers);
	else
		ret = fill_classes(&sorting, err);
	free(sorting.votes);
	free(sorting.wanted);
	free(sorting.fixed);
	return ret;
}

void hd_hop_classes_clear(struct hd_hop_classes *classes)
{
	free(classes->hops);
	free(classes->class_of);
	*classes = (struct hd_hop_classes){ 0 };
}
