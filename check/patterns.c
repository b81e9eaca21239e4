// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * SL2VL rows as patterns. A fabric of 2,000 switches has two million rows, nearly all equal to one
 * of a few: as sets of SLs by VL those few stay in the first-level cache.
 */
#include <stdlib.h>
#include <string.h>

#include "check/network.h"
#include "support/error.h"

/* Rows seen, with the number of VLs of the link they lead into; open addressing. */
struct row_index {
	struct row_entry {
		hd_sl2vl_row row;
		uint32_t pattern;
		uint32_t limit; /* 0: free */
	} * entries;
	size_t size, used; /* size is a power of two */
};

static struct row_entry *find_row(struct row_index *index, hd_sl2vl_row row, unsigned limit)
{
	uint64_t hash = (row ^ limit) * UINT64_C(0x9E3779B97F4A7C15);
	size_t i = (size_t)(hash >> 20) & (index->size - 1);

	while (index->entries[i].limit &&
	       (index->entries[i].row != row || index->entries[i].limit != limit))
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
			*find_row(&grown, index->entries[i].row, index->entries[i].limit) =
				index->entries[i];
	free(index->entries);
	*index = grown;
	return true;
}

/* What changes while rows are numbered. */
struct numbering {
	struct hd_check_network *network;
	struct row_index index;
	hd_sl2vl_row used;  /* the nibbles of SLs in use */
	hd_sl2vl_row *rows; /* [pattern] */
	uint8_t *limits;    /* [pattern] */
	size_t capacity;
	struct row_entry last; /* the row met last: rows side by side are mostly equal */
};

static bool number_row(struct numbering *numbering, size_t i, unsigned limit)
{
	struct hd_check_network *network = numbering->network;
	hd_sl2vl_row row = network->tables->sl2vl[i] & numbering->used;
	struct row_entry *entry;

	if (numbering->last.row == row && numbering->last.limit == limit) {
		network->pattern[i] = numbering->last.pattern;
		return true;
	}
	if (numbering->index.used * 2 >= numbering->index.size && !grow_index(&numbering->index))
		return false;
	entry = find_row(&numbering->index, row, limit);
	if (!entry->limit) {
		if (network->n_patterns == numbering->capacity) {
			size_t capacity = numbering->capacity * 2 + 64;
			void *rows = realloc(numbering->rows, capacity * sizeof(row));
			void *limits;

			numbering->rows = rows ? rows : numbering->rows;
			limits = rows ? realloc(numbering->limits, capacity) : NULL;
			numbering->limits = limits ? limits : numbering->limits;
			if (!limits)
				return false;
			numbering->capacity = capacity;
		}
		*entry = (struct row_entry){ row, network->n_patterns, limit };
		numbering->rows[network->n_patterns] = row;
		numbering->limits[network->n_patterns++] = (uint8_t)limit;
		numbering->index.used++;
	}
	numbering->last = *entry;
	network->pattern[i] = entry->pattern;
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
		for (unsigned in = 0; in <= fabric->nodes[node].n_ports; in++)
			if ((in == 0 || network->limit[hd_port_index(fabric, node, in)]) &&
			    !number_row(numbering, hd_sl2vl_index(network->tables, node, in, out),
					network->limit[p]))
				return false;
	}
	return true;
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

static bool make_masks(struct numbering *numbering)
{
	struct hd_check_network *network = numbering->network;
	unsigned n_vls = 1;

	for (uint32_t i = 1; i < network->n_patterns; i++)
		for (unsigned s = 0; s < network->n_sls; s++) {
			unsigned vl = hd_row_vl(numbering->rows[i], network->sls[s]);

			if (vl >= n_vls && vl < numbering->limits[i])
				n_vls = vl + 1;
		}
	network->n_vls = n_vls;
	network->masks = calloc(network->n_patterns * (size_t)(n_vls + 1), sizeof(uint16_t));
	if (!network->masks)
		return false;
	for (uint32_t i = 1; i < network->n_patterns; i++)
		for (unsigned s = 0; s < network->n_sls; s++) {
			unsigned vl = hd_row_vl(numbering->rows[i], network->sls[s]);
			size_t set = vl < numbering->limits[i] ? vl : n_vls;

			network->masks[i * (size_t)(n_vls + 1) + set] |= (uint16_t)(1u << s);
		}
	return true;
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
