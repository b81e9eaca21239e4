// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "intent/tree_view.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/transpose.h"

/* Columns that are transposed at once: whole lines of the cache. */
#define MOST_COLUMNS 512

static void fill_links(struct hd_tree_view *view)
{
	const struct hd_fabric *fabric = view->tables->fabric;

	hd_for_each_switch(s, fabric) {
		uint32_t *to = view->to + s * (size_t)view->stride;
		uint32_t *link = view->link + s * (size_t)view->stride;

		for (uint32_t number = 0; number < view->stride; number++) {
			const uint32_t port = hd_port_index(fabric, s, number);
			uint32_t peer = HD_NONE;

			to[number] = link[number] = HD_NONE;
			if (number && number <= fabric->nodes[s].n_ports)
				peer = fabric->ports[port].peer;
			if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[peer].node))
				continue;
			to[number] = fabric->ports[peer].node;
			link[number] = port < peer ? port : peer;
		}
	}
}

int hd_tree_view_init(struct hd_tree_view *view, const struct hd_tables *tables,
		      const struct hd_members *members, uint32_t n_marks, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const size_t n = fabric->n_switches + (size_t)1;

	*view = (struct hd_tree_view){ .tables = tables,
				       .members = members,
				       .stride = 1,
				       .words = n_marks ? (n_marks + 63) / 64 : 1,
				       .rail_bit = HD_NONE,
				       .group_bit = HD_NONE };
	hd_for_each_switch(s, fabric) {
		if (fabric->nodes[s].n_ports >= view->stride)
			view->stride = fabric->nodes[s].n_ports + UINT32_C(1);
	}
	view->to = malloc(n * view->stride * sizeof(*view->to));
	view->link = malloc(n * view->stride * sizeof(*view->link));
	view->marks = calloc(n * view->words, sizeof(*view->marks));
	view->columns = malloc(n * MOST_COLUMNS);
	if (!view->to || !view->link || !view->marks || !view->columns)
		return hd_error_nomem(err);
	fill_links(view);
	return 0;
}

void hd_tree_view_clear(struct hd_tree_view *view)
{
	free(view->to);
	free(view->link);
	free(view->marks);
	free(view->columns);
	*view = (struct hd_tree_view){ 0 };
}

void hd_tree_view_load(struct hd_tree_view *view, uint32_t lid, uint32_t n)
{
	const struct hd_tables *tables = view->tables;
	const uint32_t end = tables->fabric->top_lid + 1;

	if (view->n_lids && lid >= view->first_lid && lid + n <= view->first_lid + view->n_lids)
		return;
	view->first_lid = lid;
	view->n_lids = end - lid < MOST_COLUMNS ? end - lid : MOST_COLUMNS;
	hd_transpose(tables->lft + lid, tables->lft_stride, tables->fabric->n_switches,
		     view->n_lids, view->columns, tables->fabric->n_switches);
}

void hd_tree_take_marks(const struct hd_tree_view *view, uint32_t owner, uint32_t s,
			uint64_t *marks)
{
	const struct hd_members *members = view->members;

	memcpy(marks, view->marks + s * (size_t)view->words, view->words * sizeof(*marks));
	if (view->rail_bit != HD_NONE) {
		const uint32_t rail = members->rail[hd_port_index(view->tables->fabric, s, 0)];

		if (rail != HD_NONE && rail != members->rail[owner])
			marks[view->rail_bit / 64] |= UINT64_C(1) << view->rail_bit % 64;
	}
	if (view->group_bit != HD_NONE && members->group[s] != members->group[members->at[owner]])
		marks[view->group_bit / 64] |= UINT64_C(1) << view->group_bit % 64;
}
