// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/lids.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "support/error.h"

static bool is_endport(const struct hd_fabric *fabric, uint32_t p)
{
	const struct hd_port *port = &fabric->ports[p];

	return (port->number == 0) == hd_is_switch(fabric, port->node);
}

static uint32_t first_linked_port(const struct hd_fabric *fabric, uint32_t n)
{
	hd_for_each_number(number, fabric, n)
		if (hd_peer_node(fabric, n, number) != HD_NONE)
			return hd_port_index(fabric, n, number);
	return HD_NONE;
}

static uint32_t default_sm_port(const struct hd_fabric *fabric)
{
	uint32_t best = HD_NONE;

	hd_for_each_end_node(n, fabric) {
		uint32_t port =
			fabric->nodes[n].type == HD_CA ? first_linked_port(fabric, n) : HD_NONE;

		if (port != HD_NONE &&
		    (best == HD_NONE || strcmp(hd_node_name(fabric, n),
					       hd_node_name(fabric, fabric->ports[best].node)) < 0))
			best = port;
	}
	if (best == HD_NONE && fabric->n_switches)
		best = fabric->nodes[0].first_port;
	return best;
}

/* What a subnet manager discovers: its packets pass switches, but not adapters and routers. */
struct discovery {
	const struct hd_fabric *fabric;
	bool *found;     /* by port; end ports only */
	uint32_t *queue; /* switches */
	uint32_t head, tail;
};

static void discover_at(struct discovery *discovery, uint32_t p)
{
	const struct hd_fabric *fabric = discovery->fabric;
	uint32_t node = fabric->ports[p].node;
	uint32_t endport = hd_is_switch(fabric, node) ? fabric->nodes[node].first_port : p;

	if (discovery->found[endport])
		return;
	discovery->found[endport] = true;
	if (hd_is_switch(fabric, node))
		discovery->queue[discovery->tail++] = node;
}

static int discover(const struct hd_fabric *fabric, uint32_t sm_port, bool *found,
		    struct hd_error *err)
{
	struct discovery discovery = { .fabric = fabric, .found = found };

	discovery.queue = malloc((fabric->n_switches + 1) * sizeof(*discovery.queue));
	if (!discovery.queue)
		return hd_error_nomem(err);
	discover_at(&discovery, sm_port);
	if (fabric->ports[sm_port].peer != HD_NONE)
		discover_at(&discovery, fabric->ports[sm_port].peer);
	while (discovery.head < discovery.tail) {
		uint32_t node = discovery.queue[discovery.head++];

		hd_for_each_number(number, fabric, node) {
			uint32_t peer = fabric->ports[hd_port_index(fabric, node, number)].peer;

			if (peer != HD_NONE)
				discover_at(&discovery, peer);
		}
	}
	free(discovery.queue);
	return 0;
}

struct turn {
	uint64_t key; /* 0: the subnet manager's own port */
	uint32_t port;
};

static int compare_turns(const void *a, const void *b)
{
	const struct turn *x = a, *y = b;

	return x->key < y->key ? -1 : x->key > y->key;
}

/* The end ports in the order in which OpenSM gives them LIDs; returns how many. */
static uint32_t order_ports(const struct hd_fabric *fabric, uint32_t sm_port, const bool *found,
			    struct turn *turns)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		uint32_t p = fabric->endports[i];

		if (found[p])
			turns[n++] = (struct turn){
				.key = p == sm_port ? 0 : __builtin_bswap64(fabric->ports[p].guid),
				.port = p,
			};
	}
	qsort(turns, n, sizeof(*turns), compare_turns);
	return n;
}

static int assign(const struct hd_fabric *fabric, const struct turn *turns, uint32_t n_turns,
		  unsigned lmc, struct hd_builder *builder, struct hd_error *err)
{
	uint32_t next = 1;

	hd_for_each_port(p, fabric) {
		struct hd_port *port =
			hd_builder_port(builder, fabric->ports[p].node, fabric->ports[p].number);

		port->lid = 0;
		port->lmc = 0;
	}
	for (uint32_t i = 0; i < n_turns; i++) {
		const struct hd_port *at = &fabric->ports[turns[i].port];
		struct hd_port *port = hd_builder_port(builder, at->node, at->number);

		port->lmc = hd_is_switch(fabric, at->node) ? 0 : (uint8_t)lmc;
		next = (next + (1u << port->lmc) - 1) >> port->lmc << port->lmc;
		if (next + (1u << port->lmc) - 1 > HD_MAX_LID)
			return hd_error_set(err, HD_ERANGE,
					    "%u end ports with LMC %u need more than %u LIDs",
					    n_turns, lmc, HD_MAX_LID);
		port->lid = (uint16_t)next;
		next += 1u << port->lmc;
	}
	return 0;
}

static int assign_from(const struct hd_fabric *fabric, uint32_t sm_port, unsigned lmc,
		       struct hd_fabric **result, struct hd_error *err)
{
	bool *found = calloc(fabric->n_ports + 1, sizeof(*found));
	struct turn *turns = malloc((fabric->n_endports + 1) * sizeof(*turns));
	struct hd_builder *builder = NULL;
	int ret = found && turns ? 0 : hd_error_nomem(err);

	if (!ret && sm_port != HD_NONE)
		ret = discover(fabric, sm_port, found, err);
	if (!ret)
		ret = hd_builder_copy(fabric, NULL, NULL, &builder, err);
	if (!ret)
		ret = assign(fabric, turns, order_ports(fabric, sm_port, found, turns), lmc,
			     builder, err);
	if (!ret) {
		ret = hd_builder_finish(builder, result, err);
		builder = NULL;
	}
	hd_builder_free(builder);
	free(found);
	free(turns);
	return ret;
}

int hd_fabric_assign_lids(const struct hd_fabric *fabric, uint32_t sm_port, unsigned lmc,
			  struct hd_fabric **result, struct hd_error *err)
{
	char label[320];

	*result = NULL;
	if (lmc > HD_MAX_LMC)
		return hd_error_set(err, HD_ERANGE, "LMC %u is not in 0..%u", lmc, HD_MAX_LMC);
	if (sm_port == HD_NONE)
		sm_port = default_sm_port(fabric);
	else if (sm_port >= fabric->n_ports || !is_endport(fabric, sm_port))
		return hd_error_set(err, HD_EINVAL, "no end port for the subnet manager to run on");
	else if (fabric->ports[sm_port].peer == HD_NONE && fabric->ports[sm_port].number != 0)
		return hd_error_set(err, HD_EINVAL, "%s has no link: no subnet manager runs there",
				    hd_port_label(fabric, sm_port, label, sizeof(label)));
	return assign_from(fabric, sm_port, lmc, result, err);
}

int hd_fabric_assign_most_lids(const struct hd_fabric *fabric, uint32_t sm_port, unsigned most,
			       struct hd_fabric **result, struct hd_error *err)
{
	unsigned lmc = most > HD_MAX_LMC ? HD_MAX_LMC : most;
	int ret;

	do {
		ret = hd_fabric_assign_lids(fabric, sm_port, lmc, result, err);
	} while (ret == HD_ERANGE && lmc-- > 0);
	return ret;
}
