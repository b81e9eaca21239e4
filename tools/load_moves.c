// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/load_moves.h"

#include <stdlib.h>
#include <string.h>

#include "check/load.h"
#include "support/error.h"

/* By the nodes at the ends, then by port, so that parallel links stand together in port order. */
static int compare_places(const void *a, const void *b)
{
	const struct hd_link_load *x = a, *y = b;
	uint32_t x_port = x->port[0] != HD_NONE ? x->port[0] : x->port[1];
	uint32_t y_port = y->port[0] != HD_NONE ? y->port[0] : y->port[1];

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x_port < y_port ? -1 : x_port > y_port;
}

/* By the nodes at the ends, then by number among parallel links. */
static int compare_links(const struct hd_link_load *x, const struct hd_link_load *y)
{
	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	return x->parallel < y->parallel ? -1 : x->parallel > y->parallel;
}

static uint32_t change(const struct hd_link_load *link)
{
	return link->flows[0] > link->flows[1] ? link->flows[0] - link->flows[1]
					       : link->flows[1] - link->flows[0];
}

static int compare_changes(const void *a, const void *b)
{
	const struct hd_link_load *x = a, *y = b;

	if (change(x) != change(y))
		return change(x) > change(y) ? -1 : 1;
	return compare_links(x, y);
}

/* The links between switches of one side (0 before, 1 after), with their loads. */
static int list_links(const struct hd_tables *tables, int side, struct hd_link_load **list,
		      size_t *n_links, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_link_load *links = malloc((fabric->n_ports + (size_t)1) * sizeof(*links));
	struct hd_load load;
	size_t n = 0;
	int ret;

	if (!links)
		return hd_error_nomem(err);
	ret = hd_load_compute(tables, &load, err);
	if (ret) {
		free(links);
		return ret;
	}
	for (uint32_t p = 0; p < fabric->n_ports; p++) {
		const struct hd_port *port = &fabric->ports[p];
		struct hd_link_load link = { .port = { HD_NONE, HD_NONE } };

		if (port->peer == HD_NONE || !hd_is_switch(fabric, port->node) ||
		    !hd_is_switch(fabric, fabric->ports[port->peer].node))
			continue;
		link.from = fabric->nodes[port->node].guid;
		link.to = fabric->nodes[fabric->ports[port->peer].node].guid;
		link.port[side] = p;
		link.flows[side] = hd_load_port(&load, p);
		links[n++] = link;
	}
	hd_load_clear(&load);
	qsort(links, n, sizeof(*links), compare_places);
	for (size_t i = 1; i < n; i++)
		if (links[i].from == links[i - 1].from && links[i].to == links[i - 1].to)
			links[i].parallel = links[i - 1].parallel + 1;
	*list = links;
	*n_links = n;
	return 0;
}

/* Merges two lists in the order of compare_links(). */
static size_t merge(const struct hd_link_load *before, size_t n_before,
		    const struct hd_link_load *after, size_t n_after, struct hd_link_load *merged)
{
	size_t i = 0, j = 0, n = 0;

	while (i < n_before || j < n_after) {
		int order = i == n_before  ? 1
			    : j == n_after ? -1
					   : compare_links(&before[i], &after[j]);

		if (order > 0) {
			merged[n++] = after[j++];
			continue;
		}
		merged[n] = before[i++];
		if (order == 0) {
			merged[n].port[1] = after[j].port[1];
			merged[n].flows[1] = after[j++].flows[1];
		}
		n++;
	}
	return n;
}

static void summarise(struct hd_load_moves *moves, const size_t *n_links)
{
	for (size_t i = 0; i < moves->n; i++) {
		const struct hd_link_load *link = &moves->links[i];

		moves->n_changed += link->flows[0] != link->flows[1];
		for (int side = 0; side < 2; side++) {
			if (link->flows[side] > moves->max[side])
				moves->max[side] = link->flows[side];
			moves->mean[side] += link->flows[side];
		}
	}
	for (int side = 0; side < 2; side++)
		if (n_links[side])
			moves->mean[side] /= (double)n_links[side];
}

int hd_load_moves_compute(const struct hd_tables *before, const struct hd_tables *after,
			  struct hd_load_moves *moves, struct hd_error *err)
{
	struct hd_link_load *lists[2] = { NULL, NULL };
	size_t n_links[2];
	int ret;

	*moves = (struct hd_load_moves){ 0 };
	ret = list_links(before, 0, &lists[0], &n_links[0], err);
	if (!ret)
		ret = list_links(after, 1, &lists[1], &n_links[1], err);
	if (!ret) {
		moves->links = malloc((n_links[0] + n_links[1] + 1) * sizeof(*moves->links));
		if (!moves->links)
			ret = hd_error_nomem(err);
	}
	if (!ret) {
		moves->n = merge(lists[0], n_links[0], lists[1], n_links[1], moves->links);
		summarise(moves, n_links);
		qsort(moves->links, moves->n, sizeof(*moves->links), compare_changes);
	}
	free(lists[0]);
	free(lists[1]);
	return ret;
}

void hd_load_moves_clear(struct hd_load_moves *moves)
{
	free(moves->links);
	*moves = (struct hd_load_moves){ 0 };
}
