// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/suspects.h"

#include <stdlib.h>

#include "support/error.h"

#define FEW_ENDS 4 /* a quarter of the usual number of end nodes is too few */

struct link {
	uint32_t port, detours;
};

static uint32_t switch_beyond(const struct hd_fabric *fabric, uint32_t s, unsigned number)
{
	uint32_t peer = hd_peer_node(fabric, s, number);

	return peer == HD_NONE || !hd_is_switch(fabric, peer) ? HD_NONE : peer;
}

/* Detours of two links from @from to @to; @mark is [switch], the neighbours of @to have @stamp. */
static uint32_t count_short(const struct hd_fabric *fabric, uint32_t from, uint32_t to,
			    const uint32_t *mark, uint32_t stamp)
{
	uint32_t n = 0;

	hd_for_each_number(i, fabric, from) {
		uint32_t first = switch_beyond(fabric, from, i);

		n += first != HD_NONE && first != to && mark[first] == stamp;
	}
	return n;
}

/* Those of three links. */
static uint32_t count_long(const struct hd_fabric *fabric, uint32_t from, uint32_t to,
			   const uint32_t *mark, uint32_t stamp)
{
	uint32_t n = 0;

	hd_for_each_number(i, fabric, from) {
		uint32_t first = switch_beyond(fabric, from, i);

		if (first == HD_NONE || first == to)
			continue;
		hd_for_each_number(k, fabric, first) {
			uint32_t second = switch_beyond(fabric, first, k);

			n += second != HD_NONE && second != from && second != to &&
			     mark[second] == stamp;
		}
	}
	return n;
}

static int compare_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->detours != y->detours)
		return x->detours < y->detours ? -1 : 1;
	return x->port < y->port ? -1 : x->port > y->port;
}

/* The links of @s to later switches. */
static uint32_t list_links(const struct hd_fabric *fabric, uint32_t s, const uint32_t *mark,
			   bool is_long, struct link *links)
{
	uint32_t n = 0;

	hd_for_each_number(number, fabric, s) {
		uint32_t peer = switch_beyond(fabric, s, number);

		if (peer != HD_NONE && peer > s)
			links[n++] = (struct link){
				hd_port_index(fabric, s, number),
				is_long ? count_long(fabric, peer, s, mark, s + 1)
					: count_short(fabric, peer, s, mark, s + 1),
			};
	}
	return n;
}

static uint32_t count_ends(const struct hd_fabric *fabric, uint32_t s)
{
	uint32_t n = 0;

	hd_for_each_number(number, fabric, s) {
		uint32_t peer = hd_peer_node(fabric, s, number);

		n += peer != HD_NONE && !hd_is_switch(fabric, peer);
	}
	return n;
}

/* The number of end nodes that most switches with end nodes have. */
static uint32_t usual_ends(const struct hd_fabric *fabric)
{
	uint32_t of[HD_MAX_PORTS + 1] = { 0 }, most = 1;

	hd_for_each_switch(s, fabric)
		of[count_ends(fabric, s)]++;
	for (uint32_t n = 2; n <= HD_MAX_PORTS; n++)
		if (of[n] > of[most])
			most = n;
	return most;
}

static void list_ends(const struct hd_fabric *fabric, struct hd_suspects *suspects)
{
	uint32_t usual = usual_ends(fabric);

	hd_for_each_switch(s, fabric) {
		if (FEW_ENDS * count_ends(fabric, s) > usual)
			continue;
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer != HD_NONE && !hd_is_switch(fabric, peer))
				suspects->ends[suspects->n_ends++] =
					hd_port_index(fabric, s, number);
		}
	}
}

/* Lists all links; the median of their detours. */
static uint32_t list_all(const struct hd_fabric *fabric, bool is_long, uint32_t *mark,
			 struct link *links, uint32_t *n)
{
	*n = 0;
	hd_for_each_switch(s, fabric)
		mark[s] = 0;
	hd_for_each_switch(s, fabric) {
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = switch_beyond(fabric, s, number);

			if (peer != HD_NONE)
				mark[peer] = s + 1;
		}
		*n += list_links(fabric, s, mark, is_long, &links[*n]);
	}
	qsort(links, *n, sizeof(*links), compare_links);
	return *n ? links[*n / 2].detours : 0;
}

int hd_suspects_find(const struct hd_fabric *fabric, struct hd_suspects *suspects)
{
	size_t most = fabric->n_links + (size_t)1;
	struct link *links = malloc(most * sizeof(*links));
	uint32_t *mark = malloc((fabric->n_switches + (size_t)1) * sizeof(*mark));
	int ret = 0;

	*suspects = (struct hd_suspects){ .ports = malloc(most * sizeof(uint32_t)),
					  .detours = malloc(most * sizeof(uint32_t)),
					  .ends = malloc(most * sizeof(uint32_t)) };
	if (!links || !mark || !suspects->ports || !suspects->detours || !suspects->ends)
		ret = HD_ENOMEM;
	else
		suspects->usual = list_all(fabric, false, mark, links, &suspects->n);
	if (!ret && !suspects->usual)
		suspects->usual = list_all(fabric, true, mark, links, &suspects->n);
	for (uint32_t i = 0; !ret && i < suspects->n; i++) {
		suspects->ports[i] = links[i].port;
		suspects->detours[i] = links[i].detours;
	}
	if (!ret)
		list_ends(fabric, suspects);
	free(links);
	free(mark);
	return ret;
}

void hd_suspects_clear(struct hd_suspects *suspects)
{
	free(suspects->ports);
	free(suspects->detours);
	free(suspects->ends);
}
