// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SL2VL rows as patterns. A fabric of 2,000 switches has two million rows, nearly all equal to one
 * of a few: as sets of SLs by VL those few stay in the first-level cache.
 */
#include <stdlib.h>
#include <string.h>

#include "check/view.h"
#include "support/error.h"
#include "tables/ar.h"

/*
 * A row, and the one of before: the same where there is none. Packets take the one or the other, of
 * SL2VL, of VL2VL, or, where a switch begins or ends to go by VL2VL, of both.
 */
struct rows {
	hd_sl2vl_row by_sl[2], by_vl[2];
};

static bool is_same(const struct rows *a, const struct rows *b)
{
	return a->by_sl[0] == b->by_sl[0] && a->by_sl[1] == b->by_sl[1] &&
	       a->by_vl[0] == b->by_vl[0] && a->by_vl[1] == b->by_vl[1];
}

/* Rows seen, with the number of VLs of the link they lead into; open addressing. */
struct row_index {
	struct row_entry {
		struct rows rows;
		uint32_t pattern;
		uint32_t limit; /* 0: free */
	} * entries;
	size_t size, used; /* size is a power of two */
};

static struct row_entry *find_rows(struct row_index *index, const struct rows *rows, unsigned limit)
{
	const uint64_t now = rows->by_sl[0] ^ rows->by_vl[0];
	const uint64_t before = rows->by_sl[1] ^ rows->by_vl[1];
	const uint64_t hash =
		(now ^ limit ^ (before << 7 | before >> 57)) * UINT64_C(0x9E3779B97F4A7C15);
	size_t i = (size_t)(hash >> 20) & (index->size - 1);

	while (index->entries[i].limit &&
	       (!is_same(&index->entries[i].rows, rows) || index->entries[i].limit != limit))
		i = (i + 1) & (index->size - 1);
	return &index->entries[i];
}

static bool grow_index(struct row_index *index)
{
	struct row_index grown = { .size = index->size ? index->size * 2 : 256,
				   .used = index->used };

	grown.entries = calloc(grown.size, sizeof(*grown.entries));
	if (!grown.entries)
		return false;
	for (size_t i = 0; i < index->size; i++)
		if (index->entries[i].limit)
			*find_rows(&grown, &index->entries[i].rows, index->entries[i].limit) =
				index->entries[i];
	free(index->entries);
	*index = grown;
	return true;
}

/* In a limit: there are VL2VL rows; beside them there are SL2VL rows. Neither: SL2VL rows alone. */
#define BY_VL   0x80
#define BY_BOTH 0x40
#define LIMIT   0x1F

/* What changes while rows are numbered. */
struct numbering {
	struct hd_check_network *network;
	struct row_index index;
	hd_sl2vl_row used; /* the nibbles of SLs in use */
	struct rows *rows; /* [pattern] */
	uint8_t *limits;   /* [pattern] */
	size_t capacity;
	struct row_entry last; /* the row met last: rows side by side are mostly equal */
	bool any_by_vl;
};

/* Gives row @i the number of @rows. */
static bool number_rows_of(struct numbering *numbering, size_t i, const struct rows *rows,
			   unsigned limit)
{
	struct hd_check_network *network = numbering->network;
	struct row_entry *entry;

	if (is_same(&numbering->last.rows, rows) && numbering->last.limit == limit) {
		network->pattern[i] = numbering->last.pattern;
		return true;
	}
	if (numbering->index.used * 2 >= numbering->index.size && !grow_index(&numbering->index))
		return false;
	entry = find_rows(&numbering->index, rows, limit);
	if (!entry->limit) {
		if (network->n_patterns == numbering->capacity) {
			size_t capacity = numbering->capacity * 2 + 64;
			void *grown = realloc(numbering->rows, capacity * sizeof(*rows));
			void *limits;

			if (!grown)
				return false;
			numbering->rows = grown;
			limits = realloc(numbering->limits, capacity);
			if (!limits)
				return false;
			numbering->limits = limits;
			numbering->capacity = capacity;
		}
		*entry = (struct row_entry){ *rows, network->n_patterns, limit };
		numbering->rows[network->n_patterns] = *rows;
		numbering->limits[network->n_patterns++] = (uint8_t)limit;
		numbering->index.used++;
	}
	numbering->last = *entry;
	network->pattern[i] = entry->pattern;
	return true;
}

static const struct hd_tables *tables_before(const struct hd_check_network *network)
{
	return network->before ? network->before : network->tables;
}

/* Takes row @i of SL2VL. */
static void take_by_sl(const struct numbering *numbering, size_t i, struct rows *rows)
{
	rows->by_sl[0] = numbering->network->tables->sl2vl[i] & numbering->used;
	rows->by_sl[1] = tables_before(numbering->network)->sl2vl[i] & numbering->used;
}

static bool number_row(struct numbering *numbering, size_t i, unsigned limit)
{
	struct rows rows = { .by_vl = { 0 } };

	take_by_sl(numbering, i, &rows);
	return number_rows_of(numbering, i, &rows, limit);
}

/* Gives the VL2VL row of row @row, which leads out of @node, a pattern. */
static bool number_vl2vl_row(struct numbering *numbering, uint32_t node, size_t row, unsigned limit)
{
	const struct hd_check_network *network = numbering->network;
	const hd_sl2vl_row *now = hd_ar_vl2vl(network->tables, node);
	const hd_sl2vl_row *before = hd_ar_vl2vl(tables_before(network), node);
	const size_t own = row - network->tables->sl2vl_first[node];
	struct rows rows = { .by_vl = { 0 } };

	numbering->any_by_vl = true;
	limit |= BY_VL;
	if (!now || !before) {
		take_by_sl(numbering, row, &rows);
		/* one table: until all is sent, VL2VL rows are read by SL, and SL2VL rows by VL */
		rows.by_sl[now ? 0 : 1] = (now ? now : before)[own] & numbering->used;
		limit |= BY_BOTH;
	}
	rows.by_vl[0] = now ? now[own] : network->tables->sl2vl[row];
	rows.by_vl[1] = before ? before[own] : tables_before(network)->sl2vl[row];
	return number_rows_of(numbering, row, &rows, limit);
}

/* The SL2VL rows of switch @node into @out. Nearly all are as the row that was met last. */
static bool number_sl2vl_rows(struct numbering *numbering, uint32_t node, unsigned out,
			      unsigned limit)
{
	struct hd_check_network *network = numbering->network;
	const unsigned n_ports = network->fabric->nodes[node].n_ports;
	const uint8_t *limits = network->limit + hd_port_index(network->fabric, node, 0);
	const size_t first = hd_sl2vl_index(network->tables, node, 0, out);
	const hd_sl2vl_row *now = network->tables->sl2vl + first;
	const hd_sl2vl_row *before = tables_before(network)->sl2vl + first;
	uint32_t *pattern = network->pattern + first;

	for (unsigned in = 0; in <= n_ports; in++) {
		const struct row_entry *last = &numbering->last;

		if (in && !limits[in])
			continue;
		if (last->limit == limit && last->rows.by_sl[0] == (now[in] & numbering->used) &&
		    last->rows.by_sl[1] == (before[in] & numbering->used))
			pattern[in] = last->pattern;
		else if (!number_row(numbering, first + in, limit))
			return false;
	}
	return true;
}

/* The rows of switch @node into @out, whose link has @limit VLs: of SL2VL or of VL2VL. */
static bool number_rows_into(struct numbering *numbering, uint32_t node, unsigned out,
			     unsigned limit)
{
	const struct hd_check_network *network = numbering->network;
	const struct hd_tables *tables = network->tables;
	const bool by_vl = hd_ar_vl2vl(tables, node) || hd_ar_vl2vl(tables_before(network), node);
	const unsigned n_ports = network->fabric->nodes[node].n_ports;
	const uint8_t *limits = network->limit + hd_port_index(network->fabric, node, 0);
	const size_t first = hd_sl2vl_index(tables, node, 0, out);

	if (!by_vl)
		return number_sl2vl_rows(numbering, node, out, limit);
	for (unsigned in = 0; in <= n_ports; in++) {
		if (in && !limits[in])
			continue;
		if (!number_vl2vl_row(numbering, node, first + in, limit))
			return false;
	}
	return true;
}

/* Rows from linked in-ports and port 0 into linked out-ports; those of adapters' linked ports. */
static bool number_rows(struct numbering *numbering)
{
	const struct hd_check_network *network = numbering->network;
	const struct hd_fabric *fabric = network->fabric;

	hd_for_each_port(p, fabric) {
		uint32_t node = fabric->ports[p].node;
		unsigned out = fabric->ports[p].number;

		if (!network->limit[p])
			continue;
		if (!hd_is_switch(fabric, node)) {
			if (!number_row(numbering, hd_sl2vl_host_index(network->tables, node, out),
					network->limit[p]))
				return false;
			continue;
		}
		if (!number_rows_into(numbering, node, out, network->limit[p]))
			return false;
	}
	return true;
}

/* The highest VL of VL2VL row @row below @limit that packets on the first @n_vls VLs get, + 1. */
static unsigned highest_vl_behind(hd_sl2vl_row row, unsigned limit, unsigned n_vls)
{
	unsigned highest = 0;

	for (unsigned vl = 0; vl < n_vls; vl++)
		if (hd_row_vl(row, vl) >= highest && hd_row_vl(row, vl) < limit)
			highest = hd_row_vl(row, vl) + 1;
	return highest;
}

static void lay_out_states(struct hd_check_network *network)
{
	unsigned per_word = 64 / network->n_sls;

	network->n_words = (network->n_vls + per_word - 1) / per_word;
	for (unsigned vl = 0; vl < network->n_vls; vl++) {
		network->word[vl] = (uint8_t)(vl / per_word);
		network->shift[vl] = (uint8_t)(vl % per_word * network->n_sls);
		network->every_vl |= UINT64_C(1) << network->shift[vl];
	}
}

/* The highest VL of @row below @limit, + 1; 0: none is. */
static unsigned highest_vl(const struct hd_check_network *network, hd_sl2vl_row row, unsigned limit)
{
	unsigned n_vls = 0;

	for (unsigned s = 0; s < network->n_sls; s++) {
		const unsigned vl = hd_row_vl(row, network->sls[s]);

		if (vl >= n_vls && vl < limit)
			n_vls = vl + 1;
	}
	return n_vls;
}

void hd_network_add_masks(const struct hd_check_network *network, hd_sl2vl_row row, unsigned limit,
			  uint16_t *masks)
{
	for (unsigned s = 0; s < network->n_sls; s++) {
		const unsigned vl = hd_row_vl(row, network->sls[s]);

		masks[vl < limit ? vl : network->n_vls] |= (uint16_t)(1u << s);
	}
}

/* The highest VL of pattern @i, + 1, if there are network->n_vls before. */
static unsigned highest_vl_of(const struct numbering *numbering, uint32_t i)
{
	const struct hd_check_network *network = numbering->network;
	const struct rows *rows = &numbering->rows[i];
	const unsigned flags = numbering->limits[i], limit = flags & LIMIT;
	unsigned highest = 0;

	for (unsigned k = 0; k < 2; k++) {
		const unsigned by_vl =
			flags & BY_VL ? highest_vl_behind(rows->by_vl[k], limit, network->n_vls)
				      : 0;
		const unsigned by_sl = flags & BY_VL && !(flags & BY_BOTH)
					       ? 0
					       : highest_vl(network, rows->by_sl[k], limit);

		highest = by_vl > highest ? by_vl : highest;
		highest = by_sl > highest ? by_sl : highest;
	}
	return highest;
}

/* Finds the VLs in use: those of VL2VL follow from those before. */
static void count_vls(struct numbering *numbering)
{
	struct hd_check_network *network = numbering->network;
	unsigned before;

	network->n_vls = 1;
	do {
		before = network->n_vls;
		for (uint32_t i = 1; i < network->n_patterns; i++) {
			const unsigned highest = highest_vl_of(numbering, i);

			network->n_vls = highest > network->n_vls ? highest : network->n_vls;
		}
	} while (numbering->any_by_vl && network->n_vls > before);
}

/* Adds what packets on @vl do by the rows of pattern @i. */
static void add_masks_by_vl(const struct numbering *numbering, uint32_t i, unsigned vl,
			    uint16_t *masks)
{
	const struct hd_check_network *network = numbering->network;
	const struct rows *rows = &numbering->rows[i];
	const uint16_t all = (uint16_t)((1u << network->n_sls) - 1);
	const unsigned limit = numbering->limits[i] & LIMIT;

	for (unsigned k = 0; k < 2; k++) {
		const unsigned next = hd_row_vl(rows->by_vl[k], vl);

		masks[next < limit ? next : network->n_vls] |= all;
		if (numbering->limits[i] & BY_BOTH)
			hd_network_add_masks(network, rows->by_sl[k], limit, masks);
	}
}

/* Gives VL2VL rows a pattern for each VL, behind all others. */
static bool make_masks_by_vl(struct numbering *numbering)
{
	struct hd_check_network *network = numbering->network;
	const size_t n_rows = network->tables->sl2vl_first[network->fabric->n_nodes];
	const size_t n_masks = network->n_vls + (size_t)1;
	uint32_t *number = calloc(network->n_patterns, sizeof(*number));
	uint32_t n = network->n_patterns;
	uint16_t *masks;

	for (uint32_t i = 1; number && i < network->n_patterns; i++) {
		number[i] = i;
		if (numbering->limits[i] & BY_VL) {
			number[i] = n;
			n += network->n_vls;
		}
	}
	masks = number ? realloc(network->masks, n * n_masks * sizeof(*masks)) : NULL;
	if (!masks) {
		free(number);
		return false;
	}
	network->masks = masks;
	memset(masks + network->n_patterns * n_masks, 0,
	       (n - network->n_patterns) * n_masks * sizeof(*masks));
	for (uint32_t i = 1; i < network->n_patterns; i++)
		for (unsigned vl = 0; number[i] != i && vl < network->n_vls; vl++)
			add_masks_by_vl(numbering, i, vl, masks + (number[i] + vl) * n_masks);
	for (size_t i = 0; i < n_rows; i++)
		network->pattern[i] = number[network->pattern[i]];
	network->first_by_vl = network->n_patterns;
	network->n_patterns = n;
	free(number);
	return true;
}

static bool make_masks(struct numbering *numbering)
{
	struct hd_check_network *network = numbering->network;

	count_vls(numbering);
	network->masks =
		calloc(network->n_patterns * (size_t)(network->n_vls + 1), sizeof(uint16_t));
	if (!network->masks)
		return false;
	for (uint32_t i = 1; i < network->n_patterns; i++) {
		uint16_t *masks = network->masks + i * (size_t)(network->n_vls + 1);

		if (numbering->limits[i] & BY_VL)
			continue;
		for (unsigned k = 0; k < 2; k++)
			hd_network_add_masks(network, numbering->rows[i].by_sl[k],
					     numbering->limits[i], masks);
	}
	network->first_by_vl = UINT32_MAX;
	return !numbering->any_by_vl || make_masks_by_vl(numbering);
}

int hd_network_add_patterns(struct hd_check_network *network, struct hd_error *err)
{
	const struct hd_tables *tables = network->tables;
	struct numbering numbering = { .network = network, .capacity = 64 };
	bool ok;

	for (unsigned s = 0; s < network->n_sls; s++)
		numbering.used |= UINT64_C(15) << (4 * network->sls[s]);
	network->pattern = calloc(tables->sl2vl_first[network->fabric->n_nodes] + 1,
				  sizeof(*network->pattern));
	numbering.rows = malloc(numbering.capacity * sizeof(*numbering.rows));
	numbering.limits = malloc(numbering.capacity);
	network->n_patterns = 1; /* pattern 0 is that of no row */
	ok = network->pattern && numbering.rows && numbering.limits && number_rows(&numbering) &&
	     make_masks(&numbering);
	if (ok)
		lay_out_states(network);
	free(numbering.index.entries);
	free(numbering.rows);
	free(numbering.limits);
	return ok ? 0 : hd_error_nomem(err);
}
