// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/kinds.h"

#include <stdlib.h>
#include <string.h>

#include "change/mixtures.h"
#include "support/error.h"
#include "tables/ar_copy.h"
#include "tables/classes.h"

/*
 * A unit is the tables of one kind, of switches with hosts or of switches without. A set of units
 * has bit HD_KINDS * has_no_hosts + kind.
 */
#define N_UNITS     (2 * HD_KINDS)
#define ALL         (1u << N_UNITS)
#define UNKNOWN     (-1)
#define MOST_PROOFS 64 /* of one search: on a large fabric one takes seconds */

/* The way from one set of tables to the other: a set of units says which of them are new. */
struct way {
	const struct hd_tables *from, *to;
	bool *has_hosts;             /* [switch] */
	unsigned changed;            /* units */
	struct hd_tables *made[ALL]; /* [units] */
	int8_t proved[ALL][ALL];     /* [units before][units behind], or UNKNOWN */
	bool is_dead[ALL];           /* [units] no order of the others is proved behind these */
	unsigned n_proofs;
	unsigned steps[N_UNITS]; /* units behind each step */
	unsigned n_steps;
	struct hd_error *err;
};

static unsigned unit_of(const struct way *way, uint32_t node, enum hd_kind kind)
{
	return way->has_hosts[node] ? kind : HD_KINDS + kind;
}

/* Copies what tables have beside those of switches and hosts. */
static int copy_sls(const struct hd_tables *sls, struct hd_tables *made, struct hd_error *err)
{
	int ret = hd_tables_set_sl_rows(made, sls->n_sl_rows, err);

	if (ret)
		return ret;
	memcpy(made->sl_rows, sls->sl_rows, sls->n_sl_rows * made->lft_stride);
	memcpy(made->sl_row_of_port, sls->sl_row_of_port,
	       made->fabric->n_ports * sizeof(*made->sl_row_of_port));
	made->has_path_sls = sls->has_path_sls;
	return hd_tables_set_classes(made, sls->classes, err);
}

/* @made gets what node @node has in the tables of each kind. */
static int copy_node(const struct hd_tables *const from[HD_KINDS], uint32_t node,
		     struct hd_tables *made)
{
	const struct hd_tables *const parts[HD_AR_PARTS] = {
		[HD_AR_ENTRIES] = from[HD_KIND_ENTRIES],
		[HD_AR_MAP] = from[HD_KIND_MAP],
		[HD_AR_VL2VL] = from[HD_KIND_LANES],
	};
	const size_t first = made->sl2vl_first[node];

	memcpy(made->sl2vl + first, from[HD_KIND_LANES]->sl2vl + first,
	       (made->sl2vl_first[node + 1] - first) * sizeof(*made->sl2vl));
	if (!hd_is_switch(made->fabric, node))
		return 0;
	memcpy(hd_lft(made, node), hd_lft(from[HD_KIND_ENTRIES], node), made->lft_stride);
	return made->ar ? hd_ar_copy(made, node, parts, node) : 0;
}

/* New tables like @a and @b, which share path SLs; they have AR tables if one of the two has. */
static int begin_tables(const struct hd_tables *a, const struct hd_tables *b,
			const struct hd_tables *sls, struct hd_tables **made, struct hd_error *err)
{
	int ret = hd_tables_new(a->fabric, made, err);

	if (ret) {
		*made = NULL;
		return ret;
	}
	(*made)->has_sl2vl = a->has_sl2vl || b->has_sl2vl;
	if (a->ar || b->ar)
		ret = hd_ar_new(*made, err);
	return ret ? ret : copy_sls(sls, *made, err);
}

static int end_tables(struct hd_tables **made, int ret)
{
	if (ret) {
		hd_tables_free(*made);
		*made = NULL;
	}
	return ret;
}

int hd_kinds_copy_by_sls(const struct hd_tables *tables, const struct hd_tables *sls,
			 struct hd_tables **copy, struct hd_error *err)
{
	const struct hd_tables *const from[HD_KINDS] = { tables, tables, tables };
	int ret = begin_tables(tables, tables, sls, copy, err);

	for (uint32_t node = 0; !ret && node < tables->fabric->n_nodes; node++)
		if (copy_node(from, node, *copy))
			ret = hd_error_nomem(err);
	return end_tables(copy, ret);
}

int hd_kinds_copy(const struct hd_tables *tables, struct hd_tables **copy, struct hd_error *err)
{
	return hd_kinds_copy_by_sls(tables, tables, copy, err);
}

/* Makes the tables whose units @units are new. */
static int make(struct way *way, unsigned units)
{
	const struct hd_fabric *fabric = way->from->fabric;
	struct hd_tables **made = &way->made[units];
	int ret;

	if (*made)
		return 0;
	ret = begin_tables(way->from, way->to, way->from, made, way->err);
	for (uint32_t node = 0; !ret && node < fabric->n_nodes; node++) {
		const struct hd_tables *from[HD_KINDS];

		for (unsigned kind = 0; kind < HD_KINDS; kind++)
			from[kind] = units >> unit_of(way, node, kind) & 1 ? way->to : way->from;
		if (copy_node(from, node, *made))
			ret = hd_error_nomem(way->err);
	}
	return end_tables(made, ret);
}

/* The units of node @node that change. */
static unsigned changed_units(const struct way *way, uint32_t node)
{
	const struct hd_tables *from = way->from, *to = way->to;
	const size_t first = from->sl2vl_first[node];
	const size_t n_rows = from->sl2vl_first[node + 1] - first;
	struct hd_ar_changes changes = { .groups = false };
	const bool is_switch = hd_is_switch(from->fabric, node);
	unsigned changed = 0;

	if (is_switch)
		hd_ar_compare(from, to, node, &changes);
	if (changes.n_sets || changes.n_private || changes.groups ||
	    (is_switch && memcmp(hd_lft(from, node), hd_lft(to, node), from->lft_stride) != 0))
		changed |= 1u << unit_of(way, node, HD_KIND_ENTRIES);
	if (changes.n_map)
		changed |= 1u << unit_of(way, node, HD_KIND_MAP);
	if (changes.n_vl2vl ||
	    memcmp(from->sl2vl + first, to->sl2vl + first, n_rows * sizeof(*from->sl2vl)) != 0)
		changed |= 1u << unit_of(way, node, HD_KIND_LANES);
	return changed;
}

static int way_init(struct way *way)
{
	const struct hd_fabric *fabric = way->from->fabric;

	memset(way->proved, UNKNOWN, sizeof(way->proved));
	way->has_hosts = calloc(fabric->n_nodes + (size_t)1, sizeof(*way->has_hosts));
	if (!way->has_hosts)
		return hd_error_nomem(way->err);
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];

		if (hd_is_switch(fabric, port->node))
			continue;
		way->has_hosts[port->node] = true;
		if (port->peer != HD_NONE)
			way->has_hosts[fabric->ports[port->peer].node] = true;
	}
	hd_for_each_node(node, fabric)
		way->changed |= changed_units(way, node);
	return 0;
}

static int prove(struct way *way, unsigned a, unsigned b, bool *is_sound)
{
	int ret = 0;

	if (way->proved[a][b] == UNKNOWN && way->n_proofs < MOST_PROOFS) {
		way->n_proofs++;
		ret = make(way, a);
		if (!ret)
			ret = make(way, b);
		if (!ret)
			ret = hd_mixtures_are_sound(way->made[b], way->made[a], is_sound, way->err);
		if (!ret)
			way->proved[a][b] = *is_sound;
	}
	*is_sound = way->proved[a][b] == 1;
	return ret;
}

/*
 * Looks for steps of one unit each, from those after which @at are new. What is proved in fewer
 * steps is proved in these, since every mixture of a part of a step is one of the step.
 */
static int find(struct way *way, unsigned at, bool *found)
{
	int ret = 0;

	*found = at == way->changed;
	for (unsigned unit = 0; !ret && !*found && unit < N_UNITS; unit++) {
		const unsigned next = at | 1u << unit;
		bool is_sound;

		if (next == at || next & ~way->changed || way->is_dead[next])
			continue;
		ret = prove(way, at, next, &is_sound);
		if (ret || !is_sound)
			continue;
		way->steps[way->n_steps++] = next;
		ret = find(way, next, found);
		way->n_steps -= !*found;
	}
	way->is_dead[at] = !*found;
	return ret;
}

/* Takes steps together that are proved together. */
static int merge(struct way *way)
{
	unsigned n = 0, at = 0;
	int ret = 0;

	for (unsigned i = 0; !ret && i < way->n_steps;) {
		unsigned last = i;
		bool is_sound = true;

		while (!ret && is_sound && last + 1 < way->n_steps) {
			ret = prove(way, at, way->steps[last + 1], &is_sound);
			last += !ret && is_sound;
		}
		at = way->steps[last];
		way->steps[n++] = at;
		i = last + 1;
	}
	way->n_steps = n;
	return ret;
}

int hd_kinds_find(const struct hd_tables *from, const struct hd_tables *to,
		  struct hd_tables *stages[HD_MOST_KIND_ROUNDS], unsigned *n, bool *found,
		  struct hd_error *err)
{
	struct way *way = calloc(1, sizeof(*way));
	int ret;

	*n = 0;
	*found = false;
	if (!way)
		return hd_error_nomem(err);
	way->from = from;
	way->to = to;
	way->err = err;
	ret = way_init(way);
	if (!ret && way->changed)
		ret = prove(way, 0, way->changed, found);
	if (!ret && *found)
		way->steps[way->n_steps++] = way->changed;
	else if (!ret)
		ret = find(way, 0, found);
	if (!ret && *found)
		ret = merge(way);
	for (unsigned r = 0; !ret && *found && r < way->n_steps; r++) {
		stages[(*n)++] = way->made[way->steps[r]];
		way->made[way->steps[r]] = NULL;
	}
	for (unsigned units = 0; units < ALL; units++)
		hd_tables_free(way->made[units]);
	free(way->has_hosts);
	free(way);
	return ret;
}
