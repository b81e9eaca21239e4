// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/forwarding.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"
#include "tables/ar.h"

/* LIDs of hosts, by switch in ascending order; those without a switch come last. */
struct lids {
	uint16_t *lid;
	uint32_t *leaf; /* [lid] the switch of its host, n_switches if there is none; HD_NONE: the
		         LID is no host's */
	size_t n;
};

static void add_lids(const struct hd_tables *tables, uint32_t port, uint32_t leaf,
		     struct lids *lids)
{
	const struct hd_port *host = &tables->fabric->ports[port];

	for (unsigned i = 0; host->lid && i < 1u << host->lmc; i++) {
		uint16_t lid = (uint16_t)(host->lid + i);

		if (lid >= tables->lft_stride || lids->leaf[lid] != HD_NONE)
			continue;
		lids->leaf[lid] = leaf;
		lids->lid[lids->n++] = lid;
	}
}

static int collect_lids(const struct hd_tables *tables, struct lids *lids)
{
	const struct hd_fabric *fabric = tables->fabric;

	lids->lid = malloc(tables->lft_stride * sizeof(*lids->lid));
	lids->leaf = malloc(tables->lft_stride * sizeof(*lids->leaf));
	if (!lids->lid || !lids->leaf)
		return HD_ENOMEM;
	for (size_t lid = 0; lid < tables->lft_stride; lid++)
		lids->leaf[lid] = HD_NONE;
	hd_for_each_switch(s, fabric) {
		hd_for_each_number(n, fabric, s) {
			uint32_t peer = fabric->ports[hd_port_index(fabric, s, n)].peer;

			if (peer != HD_NONE && !hd_is_switch(fabric, fabric->ports[peer].node))
				add_lids(tables, peer, s, lids);
		}
	}
	hd_for_each_port(port, fabric)
		if (!hd_is_switch(fabric, fabric->ports[port].node))
			add_lids(tables, port, fabric->n_switches, lids);
	return 0;
}

/* [lid] the hash of the LID's column of the LFTs, but for the entry at its own switch. */
static uint32_t *hash_columns(const struct hd_tables *tables, const struct lids *lids)
{
	uint32_t *hash = calloc(tables->lft_stride, sizeof(*hash));
	size_t at = 0;

	for (uint32_t s = 0; hash && s < tables->fabric->n_switches; s++) {
		const uint8_t *row = hd_lft(tables, s);

		for (size_t lid = 0; lid < tables->lft_stride; lid++)
			hash[lid] = (hash[lid] << 5) - hash[lid] + row[lid];
		for (; at < lids->n && lids->leaf[lids->lid[at]] == s; at++)
			hash[lids->lid[at]] -= row[lids->lid[at]];
	}
	return hash;
}

/* [lid] the first LID at its switch whose column has the same hash. */
static uint16_t *find_alike(const struct lids *lids, size_t n_lids, const uint32_t *hash)
{
	uint16_t *like = calloc(n_lids, sizeof(*like));
	size_t first = 0;

	for (size_t i = 0; like && i < lids->n; i++) {
		uint16_t lid = lids->lid[i];
		size_t k;

		if (lids->leaf[lid] != lids->leaf[lids->lid[first]])
			first = i;
		for (k = first; k < i; k++)
			if (hash[lids->lid[k]] == hash[lid] && like[lids->lid[k]] == lids->lid[k])
				break;
		like[lid] = lids->lid[k];
	}
	return like;
}

/* LIDs with the same hash whose columns differ are not alike after all. */
static void tell_apart(const struct hd_tables *tables, const struct lids *lids, uint16_t *like)
{
	hd_for_each_switch(s, tables->fabric) {
		const uint8_t *row = hd_lft(tables, s);

		for (size_t i = 0; i < lids->n; i++) {
			uint16_t lid = lids->lid[i];

			if (row[lid] != row[like[lid]] && lids->leaf[lid] != s)
				like[lid] = lid;
		}
	}
}

static int make_classes(struct hd_forwarding *f, const struct hd_tables *tables,
			const struct lids *lids)
{
	uint32_t *hash = hash_columns(tables, lids);
	uint16_t *like = hash ? find_alike(lids, tables->lft_stride, hash) : NULL;

	free(hash);
	f->class_of = calloc(tables->lft_stride, sizeof(*f->class_of));
	if (!like || !f->class_of) {
		free(like);
		return HD_ENOMEM;
	}
	tell_apart(tables, lids, like);
	for (size_t i = 0; i < lids->n; i++) {
		uint16_t lid = lids->lid[i];

		/* the LID that this one is like comes before it, or is this one */
		f->class_of[lid] =
			like[lid] == lid ? (uint16_t)f->n_classes++ : f->class_of[like[lid]];
	}
	free(like);
	return 0;
}

static int make_hops(struct hd_forwarding *f, const struct hd_tables *tables, const uint8_t *locals,
		     const struct lids *lids)
{
	const struct hd_fabric *fabric = tables->fabric;

	f->hops = hd_alloc_large(fabric->n_switches * f->n_classes + 1);
	f->last_hops = malloc(tables->lft_stride);
	if (!f->hops || !f->last_hops)
		return HD_ENOMEM;
	memset(f->last_hops, HD_HOP_NONE, tables->lft_stride);
	hd_for_each_switch(s, fabric) {
		const struct hd_node *node = &fabric->nodes[s];
		const uint8_t *row = hd_lft(tables, s);
		uint8_t local[256], *hops = f->hops + s * f->n_classes;

		memset(local, HD_HOP_NONE, sizeof(local));
		memcpy(local + 1, locals + node->first_port + 1, node->n_ports);
		for (size_t i = 0; i < lids->n; i++) {
			uint16_t lid = lids->lid[i];

			hops[f->class_of[lid]] = local[row[lid]];
			if (lids->leaf[lid] != s)
				continue;
			hops[f->class_of[lid]] = HD_HOP_LAST;
			f->last_hops[lid] = local[row[lid]];
		}
	}
	return 0;
}

/* Rows that were met before, found by hash. */
struct met {
	uint32_t *slots; /* [size] index in rows, HD_NONE: free */
	size_t size, room;
	hd_sl2vl_row last; /* the row that was asked for last, and where it is */
	uint32_t last_index;
};

static uint32_t *slot_of(const struct hd_forwarding *f, const struct met *met, hd_sl2vl_row row)
{
	size_t i = row * UINT64_C(0x9E3779B97F4A7C15) >> 32 & (met->size - 1);

	while (met->slots[i] != HD_NONE && f->rows[met->slots[i]] != row)
		i = (i + 1) & (met->size - 1);
	return &met->slots[i];
}

static int grow_rows(struct hd_forwarding *f, struct met *met)
{
	size_t room = met->room ? 2 * met->room : 64;
	hd_sl2vl_row *rows = realloc(f->rows, room * sizeof(*rows));
	uint32_t *slots;

	if (!rows)
		return HD_ENOMEM;
	f->rows = rows;
	slots = malloc(2 * room * sizeof(*slots));
	if (!slots)
		return HD_ENOMEM;
	free(met->slots);
	*met = (struct met){ slots, 2 * room, room, 0, HD_NONE };
	memset(slots, 0xFF, 2 * room * sizeof(*slots));
	for (size_t i = 0; i < f->n_rows; i++)
		*slot_of(f, met, rows[i]) = (uint32_t)i;
	return 0;
}

/* Index of @row in rows, to which a new row is added; HD_NONE: out of memory. */
static uint32_t row_index(struct hd_forwarding *f, struct met *met, hd_sl2vl_row row)
{
	uint32_t *slot;

	if (met->last_index != HD_NONE && met->last == row)
		return met->last_index;
	if (f->n_rows == met->room && grow_rows(f, met))
		return HD_NONE;
	slot = slot_of(f, met, row);
	if (*slot == HD_NONE) {
		f->rows[f->n_rows] = row;
		*slot = (uint32_t)f->n_rows++;
	}
	met->last = row;
	met->last_index = *slot;
	return *slot;
}

/* The matrix of switch @s, in @matrix. */
static int fill_matrix(struct hd_forwarding *f, struct met *met, const struct hd_tables *tables,
		       uint32_t s, const uint8_t *locals, unsigned n_locals, uint32_t *matrix)
{
	const struct hd_node *node = &tables->fabric->nodes[s];
	const uint8_t *local = locals + node->first_port;
	const size_t first = hd_sl2vl_index(tables, s, 0, 0);
	const hd_sl2vl_row *rows =
		f->by_vl && f->by_vl[s] ? tables->ar->switches[s].vl2vl : tables->sl2vl + first;

	hd_for_each_number(out, tables->fabric, s) {
		for (unsigned in = 1; local[out] != HD_HOP_NONE && in <= node->n_ports; in++) {
			uint32_t row;

			if (local[in] == HD_HOP_NONE)
				continue;
			row = row_index(f, met, rows[hd_sl2vl_index(tables, s, in, out) - first]);
			if (row == HD_NONE)
				return HD_ENOMEM;
			matrix[local[in] * n_locals + local[out]] = row;
		}
	}
	return 0;
}

static uint32_t hash_matrix(const uint32_t *matrix, size_t n)
{
	uint32_t hash = 0;

	for (size_t i = 0; i < n; i++)
		hash = (hash << 5) - hash + matrix[i];
	return hash;
}

/*
 * The switch before @s whose matrix is the same as that of @s, which is at @at; @s: there is none.
 */
static uint32_t find_matrix(const struct hd_forwarding *f, const uint8_t *n_locals,
			    const uint32_t *hashes, const uint32_t *distinct, uint32_t n,
			    uint32_t s, size_t at)
{
	size_t size = (size_t)n_locals[s] * n_locals[s];

	for (uint32_t i = 0; i < n; i++) {
		uint32_t other = distinct[i];

		if (hashes[i] == hashes[n] && n_locals[other] == n_locals[s] && size &&
		    memcmp(f->matrices + f->matrix_of[other], f->matrices + at,
			   size * sizeof(*f->matrices)) == 0)
			return other;
	}
	return s;
}

/* @hashes and @distinct have room for an entry per switch. */
static int fill_matrices(struct hd_forwarding *f, const struct hd_tables *tables,
			 const uint8_t *locals, const uint8_t *n_locals, uint32_t *hashes,
			 uint32_t *distinct, struct met *met)
{
	uint32_t n = 0;
	size_t end = 0, room = 0;

	hd_for_each_switch(s, tables->fabric) {
		size_t size = (size_t)n_locals[s] * n_locals[s];
		uint32_t same;

		if (end + size > room) {
			uint32_t *matrices;

			room = 2 * (end + size);
			matrices = realloc(f->matrices, room * sizeof(*matrices));
			if (!matrices)
				return HD_ENOMEM;
			f->matrices = matrices;
		}
		if (size && fill_matrix(f, met, tables, s, locals, n_locals[s], f->matrices + end))
			return HD_ENOMEM;
		hashes[n] = size ? hash_matrix(f->matrices + end, size) : 0;
		same = find_matrix(f, n_locals, hashes, distinct, n, s, end);
		f->matrix_of[s] = same == s ? end : f->matrix_of[same];
		if (same != s)
			continue;
		distinct[n++] = s;
		end += size;
	}
	return 0;
}

static int make_matrices(struct hd_forwarding *f, const struct hd_tables *tables,
			 const uint8_t *locals, const uint8_t *n_locals)
{
	size_t n = tables->fabric->n_switches + (size_t)1;
	uint32_t *hashes = malloc(n * sizeof(*hashes)), *distinct = malloc(n * sizeof(*distinct));
	struct met met = { .last_index = HD_NONE };
	int ret = HD_ENOMEM;

	f->matrix_of = malloc(n * sizeof(*f->matrix_of));
	if (hashes && distinct && f->matrix_of)
		ret = fill_matrices(f, tables, locals, n_locals, hashes, distinct, &met);
	free(met.slots);
	free(hashes);
	free(distinct);
	return ret;
}

/* Which switches go by VL2VL. */
static int find_by_vl(struct hd_forwarding *f, const struct hd_tables *tables)
{
	const size_t n = tables->fabric->n_switches;

	for (size_t s = 0; tables->ar && s < n; s++) {
		if (!tables->ar->switches[s].vl2vl)
			continue;
		if (!f->by_vl)
			f->by_vl = calloc(n, sizeof(*f->by_vl));
		if (!f->by_vl)
			return HD_ENOMEM;
		f->by_vl[s] = true;
	}
	return 0;
}

int hd_forwarding_new(struct hd_forwarding *f, const struct hd_tables *tables,
		      const uint8_t *locals, const uint8_t *n_locals, struct hd_error *err)
{
	struct lids lids = { 0 };
	int ret;

	*f = (struct hd_forwarding){ 0 };
	ret = collect_lids(tables, &lids);
	if (!ret)
		ret = make_classes(f, tables, &lids);
	if (!ret)
		ret = make_hops(f, tables, locals, &lids);
	if (!ret)
		ret = find_by_vl(f, tables);
	if (!ret)
		ret = make_matrices(f, tables, locals, n_locals);
	free(lids.lid);
	free(lids.leaf);
	return ret ? hd_error_nomem(err) : 0;
}

/* Each LID a class of its own. */
static int spread_hops(struct hd_forwarding *f, uint32_t n_switches, const uint16_t *lids, size_t n)
{
	uint8_t *hops = hd_alloc_large(n_switches * n + 1);

	if (!hops)
		return HD_ENOMEM;
	for (size_t s = 0; s < n_switches; s++)
		for (size_t i = 0; i < n; i++)
			hops[s * n + i] = f->hops[s * f->n_classes + f->class_of[lids[i]]];
	for (size_t i = 0; i < n; i++)
		f->class_of[lids[i]] = (uint16_t)i;
	free(f->hops);
	f->hops = hops;
	f->n_classes = n;
	return 0;
}

/* Each pair of ports a row of its own. */
static int spread_rows(struct hd_forwarding *f, uint32_t n_switches, const uint8_t *n_locals)
{
	size_t n = 0, at = 0;
	hd_sl2vl_row *rows;
	uint32_t *matrices;

	for (uint32_t s = 0; s < n_switches; s++)
		n += (size_t)n_locals[s] * n_locals[s];
	rows = malloc((n + 1) * sizeof(*rows));
	matrices = malloc((n + 1) * sizeof(*matrices));
	if (!rows || !matrices) {
		free(rows);
		free(matrices);
		return HD_ENOMEM;
	}
	for (uint32_t s = 0; s < n_switches; s++) {
		const size_t size = (size_t)n_locals[s] * n_locals[s];

		for (size_t i = 0; i < size; i++) {
			rows[at + i] = f->rows[f->matrices[f->matrix_of[s] + i]];
			matrices[at + i] = (uint32_t)(at + i);
		}
		f->matrix_of[s] = at;
		at += size;
	}
	free(f->rows);
	free(f->matrices);
	f->rows = rows;
	f->matrices = matrices;
	f->n_rows = n;
	return 0;
}

int hd_forwarding_spread(struct hd_forwarding *f, const struct hd_tables *tables,
			 const uint8_t *n_locals, const uint16_t *lids, size_t n,
			 struct hd_error *err)
{
	const uint32_t n_switches = tables->fabric->n_switches;

	if (spread_hops(f, n_switches, lids, n) || spread_rows(f, n_switches, n_locals))
		return hd_error_nomem(err);
	return 0;
}

void hd_forwarding_free(struct hd_forwarding *f)
{
	free(f->hops);
	free(f->last_hops);
	free(f->class_of);
	free(f->matrix_of);
	free(f->matrices);
	free(f->rows);
	free(f->by_vl);
	*f = (struct hd_forwarding){ 0 };
}
