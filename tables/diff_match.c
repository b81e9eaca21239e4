// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/diff_match.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* A link, seen from the end whose (node GUID, port number) comes first. */
struct link {
	uint64_t guids[2];
	uint8_t numbers[2];
	bool is_matched;
	uint32_t ports[2]; /* indices in ports[] */
};

static int compare_link_nodes(const struct link *a, const struct link *b)
{
	for (int end = 0; end < 2; end++)
		if (a->guids[end] != b->guids[end])
			return a->guids[end] < b->guids[end] ? -1 : 1;
	return 0;
}

static int compare_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;
	int order = compare_link_nodes(x, y);

	if (order)
		return order;
	for (int end = 0; end < 2; end++)
		if (x->numbers[end] != y->numbers[end])
			return x->numbers[end] - y->numbers[end];
	return 0;
}

/* All links in order, from malloc(); NULL when out of memory. */
static struct link *list_links(const struct hd_fabric *fabric)
{
	struct link *links = malloc((fabric->n_links + (size_t)1) * sizeof(*links));
	size_t n = 0;

	if (!links)
		return NULL;
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p], *peer;
		uint64_t guid, peer_guid;

		if (port->peer == HD_NONE)
			continue;
		peer = &fabric->ports[port->peer];
		guid = fabric->nodes[port->node].guid;
		peer_guid = fabric->nodes[peer->node].guid;
		if (guid > peer_guid || (guid == peer_guid && p > port->peer))
			continue;
		links[n++] = (struct link){
			.guids = { guid, peer_guid },
			.numbers = { port->number, peer->number },
			.ports = { p, port->peer },
		};
	}
	qsort(links, n, sizeof(*links), compare_links);
	return links;
}

static void match_link(struct hd_match *match, struct link *before, struct link *after)
{
	before->is_matched = after->is_matched = true;
	for (int end = 0; end < 2; end++)
		match->port[before->ports[end]] = after->ports[end];
}

/* Matches the links of two nodes that agree in at least @n_same of their port numbers. */
static uint32_t match_parallel(struct hd_match *match, struct link *before, size_t n_before,
			       struct link *after, size_t n_after, int n_same)
{
	uint32_t n = 0;

	for (size_t i = 0; i < n_before; i++) {
		for (size_t j = 0; j < n_after && !before[i].is_matched; j++) {
			int same = (before[i].numbers[0] == after[j].numbers[0]) +
				   (before[i].numbers[1] == after[j].numbers[1]);

			if (after[j].is_matched || same < n_same)
				continue;
			match_link(match, &before[i], &after[j]);
			n++;
		}
	}
	return n;
}

/* The number of links from links[0] on that join the same two nodes. */
static size_t count_parallel(const struct link *links, size_t n)
{
	size_t parallel = 0;

	while (parallel < n && compare_link_nodes(&links[0], &links[parallel]) == 0)
		parallel++;
	return parallel;
}

static int match_links(struct hd_match *match, struct hd_diff *diff, struct hd_error *err)
{
	struct link *before = list_links(match->before), *after = list_links(match->after);
	size_t n_before = match->before->n_links, n_after = match->after->n_links;
	size_t i = 0, j = 0;

	while (before && after && (i < n_before || j < n_after)) {
		size_t b = i < n_before ? count_parallel(&before[i], n_before - i) : 0;
		size_t a = j < n_after ? count_parallel(&after[j], n_after - j) : 0;
		int order = !b ? 1 : !a ? -1 : compare_link_nodes(&before[i], &after[j]);
		uint32_t n_same = 0, n_moved = 0;

		if (order > 0)
			b = 0;
		if (order < 0)
			a = 0;
		if (order == 0) {
			n_same = match_parallel(match, &before[i], b, &after[j], a, 2);
			n_moved = match_parallel(match, &before[i], b, &after[j], a, 1);
			n_moved += match_parallel(match, &before[i], b, &after[j], a, 0);
		}
		diff->ports_moved += n_moved;
		diff->links_removed += (uint32_t)b - n_same - n_moved;
		diff->links_added += (uint32_t)a - n_same - n_moved;
		i += b;
		j += a;
	}
	free(after);
	free(before);
	return before && after ? 0 : hd_error_nomem(err);
}

static void match_nodes(struct hd_match *match, struct hd_diff *diff)
{
	uint32_t n_common = 0;

	hd_for_each_node(n, match->before) {
		const struct hd_node *node = &match->before->nodes[n];
		uint32_t same = hd_fabric_find_node(match->after, node->guid);

		/* a GUID that changed from a switch's to an adapter's is another node */
		if (same != HD_NONE &&
		    (match->after->nodes[same].type == HD_SWITCH) != (node->type == HD_SWITCH))
			same = HD_NONE;
		match->node[n] = same;
		if (same == HD_NONE)
			continue;
		n_common++;
		if (node->type == HD_SWITCH)
			match->port[node->first_port] = match->after->nodes[same].first_port;
	}
	diff->nodes_removed = match->before->n_nodes - n_common;
	diff->nodes_added = match->after->n_nodes - n_common;
}

static void match_endports(struct hd_match *match, struct hd_diff *diff)
{
	const struct hd_fabric *before = match->before, *after = match->after;

	for (uint32_t i = 0; i < before->n_endports; i++) {
		uint32_t b = before->endports[i];
		uint32_t a = hd_fabric_find_port(after, before->ports[b].guid);

		if (a == HD_NONE || match->node[before->ports[b].node] != after->ports[a].node)
			continue;
		if (before->ports[b].lid != after->ports[a].lid ||
		    before->ports[b].lmc != after->ports[a].lmc)
			diff->lids_changed++;
		if (before->ports[b].lid && after->ports[a].lid)
			match->endports[match->n_endports++] = (struct hd_match_endport){ b, a };
	}
}

int hd_match_fabrics(const struct hd_fabric *before, const struct hd_fabric *after,
		     struct hd_match *match, struct hd_diff *diff, struct hd_error *err)
{
	*match = (struct hd_match){
		.before = before,
		.after = after,
		.node = malloc((before->n_nodes + (size_t)1) * sizeof(uint32_t)),
		.port = malloc((before->n_ports + (size_t)1) * sizeof(uint32_t)),
		.endports = malloc((before->n_endports + (size_t)1) * sizeof(*match->endports)),
	};
	if (!match->node || !match->port || !match->endports)
		return hd_error_nomem(err);
	memset(match->port, 0xFF, before->n_ports * sizeof(uint32_t));
	match_nodes(match, diff);
	match_endports(match, diff);
	return match_links(match, diff, err);
}

void hd_match_clear(struct hd_match *match)
{
	free(match->node);
	free(match->port);
	free(match->endports);
	*match = (struct hd_match){ 0 };
}
