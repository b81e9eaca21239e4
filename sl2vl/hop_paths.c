// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/hop_paths.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"
#include "support/transpose.h"

/* The far end of an out-port. */
struct far_end {
	uint32_t node; /* HD_NONE: the far end is no switch */
	uint32_t in;
};

/* The ways to one LID, by switch. */
struct column {
	uint32_t lid;
	uint32_t *next; /* HD_NONE: no way on, or the last switch */
	uint32_t *step; /* the row at the next switch */
	uint32_t *base; /* first row of the out-port */
	uint32_t *in;   /* in-port at the next switch */
};

struct listing {
	const struct hd_tables *tables;
	const struct hd_fabric *fabric;
	struct hd_hop_paths *paths;
	size_t n_steps, step_capacity, path_capacity;
	struct far_end *far; /* [port] */
	uint8_t *entries;    /* [lid * n_switches + switch] LFTs */
	uint32_t *lids;      /* destinations by switch */
	uint32_t *first_lid; /* [switch + 2] in lids */
	struct column columns[HD_HOP_CHUNK];
};

/* Sorts the LIDs that some switch leads to by that switch. */
static void sort_lids(struct listing *listing)
{
	const struct hd_fabric *fabric = listing->fabric;
	uint32_t *first = listing->first_lid;

	/*
	 * first[s + 1] is where LIDs of s are put next, so at the end it is where those of s + 1
	 * begin
	 */
	memset(first, 0, (fabric->n_switches + (size_t)2) * sizeof(*first));
	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].via_switch != HD_NONE)
			first[fabric->lids[lid].via_switch + 2]++;
	hd_for_each_switch(s, fabric)
		first[s + 2] += first[s + 1];
	hd_for_each_lid(lid, fabric)
		if (fabric->lids[lid].via_switch != HD_NONE)
			listing->lids[first[fabric->lids[lid].via_switch + 1]++] = lid;
}

static void find_far_ends(struct listing *listing)
{
	const struct hd_fabric *fabric = listing->fabric;

	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		listing->far[p] = (struct far_end){ .node = HD_NONE };
		if (peer != HD_NONE && hd_is_switch(fabric, fabric->ports[peer].node))
			listing->far[p] = (struct far_end){ fabric->ports[peer].node,
							    fabric->ports[peer].number };
	}
}

static void set_column(const struct listing *listing, uint32_t lid, struct column *column)
{
	const struct hd_fabric *fabric = listing->fabric;
	const uint32_t n = fabric->n_switches, last = fabric->lids[lid].via_switch;
	const uint8_t *entries = listing->entries + (size_t)lid * n;

	column->lid = lid;
	for (uint32_t s = 0; s < n; s++) {
		const struct hd_node *node = &fabric->nodes[s];
		unsigned out = entries[s] <= node->n_ports ? entries[s] : 0;
		const struct far_end *far = &listing->far[node->first_port + out];

		column->next[s] = far->node;
		column->in[s] = far->in;
		column->base[s] =
			(uint32_t)listing->tables->sl2vl_first[s] + out * (node->n_ports + 1u);
	}
	column->next[last] = HD_NONE;
	for (uint32_t s = 0; s < n; s++)
		if (column->next[s] != HD_NONE)
			column->step[s] = column->base[column->next[s]] + column->in[s];
}

/* Links between switches from @s to @last; 0 where the way does not lead there. */
static unsigned path_length(const struct column *column, uint32_t s, uint32_t last,
			    uint32_t n_switches)
{
	unsigned length = 0;

	for (; s != last; s = column->next[s])
		if (column->next[s] == HD_NONE || ++length > n_switches)
			return 0;
	return length;
}

/* Makes room for one more path, of @n steps. */
static bool reserve(struct listing *listing, size_t n)
{
	struct hd_hop_paths *paths = listing->paths;

	if (paths->n + (size_t)2 > listing->path_capacity) {
		size_t capacity = 2 * listing->path_capacity + 1024;
		size_t *first = realloc(paths->first, capacity * sizeof(*first));

		if (!first)
			return false;
		paths->first = first;
		listing->path_capacity = capacity;
	}
	if (listing->n_steps + n > listing->step_capacity) {
		size_t capacity = 2 * listing->step_capacity + n + 1024;
		uint32_t *steps = realloc(paths->steps, capacity * sizeof(*steps));

		if (!steps)
			return false;
		paths->steps = steps;
		listing->step_capacity = capacity;
	}
	return true;
}

/* Whether path @i is the @n steps that @column takes from @s. */
static bool is_path(const struct hd_hop_paths *paths, uint32_t i, const struct column *column,
		    uint32_t s, unsigned n)
{
	const uint32_t *steps = paths->steps + paths->first[i];

	if (paths->first[i + 1] - paths->first[i] != n)
		return false;
	for (unsigned k = 0; k < n; k++, s = column->next[s])
		if (steps[k] != column->step[s])
			return false;
	return true;
}

/*
 * The path of @n steps from @s: one of those listed from @begin on, or a new one; HD_NONE when out
 * of memory.
 */
static uint32_t list_path(struct listing *listing, uint32_t begin, const struct column *column,
			  uint32_t s, unsigned n)
{
	struct hd_hop_paths *paths = listing->paths;

	for (uint32_t i = begin; i < paths->n; i++)
		if (is_path(paths, i, column, s, n))
			return i;
	if (!reserve(listing, n))
		return HD_NONE;
	paths->first[paths->n] = listing->n_steps;
	for (unsigned k = 0; k < n; k++, s = column->next[s])
		paths->steps[listing->n_steps++] = column->step[s];
	paths->first[paths->n + 1] = listing->n_steps;
	return paths->n++;
}

/* Lists the paths from all switches to @n_lids LIDs of the switch @last. */
static bool list_chunk(struct listing *listing, uint32_t last, const uint32_t *lids,
		       unsigned n_lids, unsigned max_longest)
{
	const uint32_t n = listing->fabric->n_switches;
	struct hd_hop_paths *paths = listing->paths;
	uint32_t *base = paths->base + (size_t)paths->n_chunks * n;

	for (unsigned k = 0; k < n_lids; k++) {
		set_column(listing, lids[k], &listing->columns[k]);
		paths->chunk_of[lids[k]] = paths->n_chunks;
	}
	paths->n_chunks++;
	for (uint32_t s = 0; s < n; s++) {
		base[s] = paths->n;
		for (unsigned k = 0; k < n_lids; k++) {
			const struct column *column = &listing->columns[k];
			unsigned length = path_length(column, s, last, n);
			uint32_t path = HD_NONE;

			if (length > paths->longest) {
				paths->longest = length;
				paths->source = s;
				paths->lid = column->lid;
			}
			if (length > 1 && paths->longest <= max_longest) {
				path = list_path(listing, base[s], column, s, length - 1);
				if (path == HD_NONE)
					return false;
			}
			paths->path_of[(size_t)column->lid * n + s] =
				path == HD_NONE ? HD_NO_HOP_PATH : (uint8_t)(path - base[s]);
		}
	}
	return true;
}

static bool list_paths(struct listing *listing, unsigned max_longest)
{
	hd_for_each_switch(s, listing->fabric) {
		uint32_t end = listing->first_lid[s + 1];

		for (uint32_t i = listing->first_lid[s]; i < end; i += HD_HOP_CHUNK) {
			uint32_t n = end - i < HD_HOP_CHUNK ? end - i : HD_HOP_CHUNK;

			if (!list_chunk(listing, s, listing->lids + i, n, max_longest))
				return false;
		}
	}
	return true;
}

static bool allocate(struct listing *listing)
{
	const struct hd_fabric *fabric = listing->fabric;
	struct hd_hop_paths *paths = listing->paths;
	const size_t n = fabric->n_switches, n_lids = fabric->top_lid + (size_t)1;
	bool ready;

	listing->far = malloc((fabric->n_ports + (size_t)1) * sizeof(*listing->far));
	listing->entries = hd_alloc_large(n * n_lids + 1);
	listing->lids = malloc(n_lids * sizeof(*listing->lids));
	listing->first_lid = malloc((n + 2) * sizeof(*listing->first_lid));
	paths->chunk_of = calloc(n_lids, sizeof(*paths->chunk_of));
	paths->base = malloc(n * (n + n_lids / HD_HOP_CHUNK + 1) * sizeof(*paths->base));
	paths->path_of = hd_alloc_large(n * n_lids + 1);
	ready = listing->far && listing->entries && listing->lids && listing->first_lid &&
		paths->chunk_of && paths->base && paths->path_of;
	for (unsigned k = 0; k < HD_HOP_CHUNK; k++) {
		uint32_t *block = malloc((4 * n + 1) * sizeof(*block));

		listing->columns[k] = (struct column){ .next = block };
		if (!block) {
			ready = false;
			continue;
		}
		listing->columns[k].step = block + n;
		listing->columns[k].base = block + 2 * n;
		listing->columns[k].in = block + 3 * n;
	}
	return ready;
}

static void release(struct listing *listing)
{
	free(listing->far);
	free(listing->entries);
	free(listing->lids);
	free(listing->first_lid);
	for (unsigned k = 0; k < HD_HOP_CHUNK; k++)
		free(listing->columns[k].next);
}

int hd_hop_paths_find(const struct hd_tables *tables, unsigned max_longest,
		      struct hd_hop_paths *paths, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct listing listing = { .tables = tables, .fabric = fabric, .paths = paths };
	bool done = false;

	*paths = (struct hd_hop_paths){ 0 };
	if (allocate(&listing) && reserve(&listing, 0)) {
		paths->first[0] = 0;
		memset(paths->path_of, HD_NO_HOP_PATH,
		       fabric->n_switches * (fabric->top_lid + (size_t)1));
		find_far_ends(&listing);
		sort_lids(&listing);
		hd_transpose(tables->lft, tables->lft_stride, fabric->n_switches,
			     fabric->top_lid + (size_t)1, listing.entries, fabric->n_switches);
		done = list_paths(&listing, max_longest);
	}
	release(&listing);
	return done ? 0 : hd_error_nomem(err);
}

void hd_hop_paths_clear(struct hd_hop_paths *paths)
{
	free(paths->first);
	free(paths->steps);
	free(paths->chunk_of);
	free(paths->base);
	free(paths->path_of);
	*paths = (struct hd_hop_paths){ 0 };
}
