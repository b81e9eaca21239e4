// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/after_moves.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/builder.h"
#include "support/error.h"

/* What ports are linked to while moves are made. */
struct sockets {
	const struct hd_fabric *now;
	const uint32_t *group_at;
	uint32_t *peer; /* [port] */
};

static uint32_t first_free(const struct sockets *sockets, uint32_t node)
{
	hd_for_each_number(number, sockets->now, node)
		if (sockets->peer[hd_port_index(sockets->now, node, number)] == HD_NONE)
			return hd_port_index(sockets->now, node, number);
	return HD_NONE;
}

/* The port of a place; HD_NONE: the fabric has none. */
static uint32_t port_of(const struct sockets *sockets, const struct hd_place *place)
{
	uint32_t node = place->present;

	if (node == HD_NONE && place->group != HD_NONE)
		node = sockets->group_at[place->group];
	if (node == HD_NONE || place->port > sockets->now->nodes[node].n_ports)
		return HD_NONE;
	return place->port ? hd_port_index(sockets->now, node, place->port)
			   : first_free(sockets, node);
}

/* Takes out the cable of @port; the port at its other end, or HD_NONE. */
static uint32_t unplug(struct sockets *sockets, uint32_t port)
{
	uint32_t far = sockets->peer[port];

	sockets->peer[port] = HD_NONE;
	if (far != HD_NONE)
		sockets->peer[far] = HD_NONE;
	return far;
}

static void plug(struct sockets *sockets, uint32_t one, uint32_t other)
{
	if (one == HD_NONE || other == HD_NONE || one == other)
		return;
	unplug(sockets, one);
	unplug(sockets, other);
	sockets->peer[one] = other;
	sockets->peer[other] = one;
}

static bool make(struct sockets *sockets, const struct hd_move *move)
{
	uint32_t one = port_of(sockets, &move->places[0]);
	uint32_t other = port_of(sockets, &move->places[1]), far, far_other;

	if (one == HD_NONE || other == HD_NONE)
		return false;
	switch (move->kind) {
	case HD_CONNECT:
		plug(sockets, one, other);
		break;
	case HD_REMOVE:
		unplug(sockets, one);
		break;
	case HD_MOVE:
		far = unplug(sockets, one);
		plug(sockets, other, far);
		break;
	case HD_EXCHANGE:
		far = unplug(sockets, one);
		far_other = unplug(sockets, other);
		plug(sockets, one, far_other);
		plug(sockets, other, far);
		break;
	}
	return true;
}

/* A cable that was moved has its rate still; a new one that of any link of the switch. */
static void set_rate(struct hd_builder *builder, const struct hd_fabric *now, uint32_t port)
{
	const struct hd_port *from = &now->ports[port];
	struct hd_port *to = hd_builder_port(builder, from->node, from->number);

	for (unsigned number = 1; !to->width && number <= now->nodes[from->node].n_ports;
	     number++) {
		const struct hd_port *beside = &now->ports[hd_port_index(now, from->node, number)];

		to->width = beside->width;
		to->speed = beside->speed;
	}
}

static int link_new(const struct sockets *sockets, const bool *changed, struct hd_builder *builder,
		    struct hd_error *err)
{
	const struct hd_fabric *now = sockets->now;
	int ret = 0;

	for (uint32_t p = 0; !ret && p < now->n_ports; p++) {
		uint32_t peer = sockets->peer[p];

		if (!changed[p] || peer == HD_NONE || peer < p)
			continue;
		ret = hd_builder_link(builder, now->ports[p].node, now->ports[p].number,
				      now->ports[peer].node, now->ports[peer].number, err);
		if (!ret) {
			set_rate(builder, now, p);
			set_rate(builder, now, peer);
		}
	}
	return ret;
}

static int build(const struct sockets *sockets, struct hd_fabric **after, struct hd_error *err)
{
	const struct hd_fabric *now = sockets->now;
	bool *changed = calloc(now->n_ports + (size_t)1, sizeof(*changed));
	struct hd_builder *builder = NULL;
	int ret;

	if (!changed)
		return hd_error_nomem(err);
	hd_for_each_port(p, now)
		changed[p] = sockets->peer[p] != now->ports[p].peer;
	ret = hd_builder_copy(now, NULL, changed, &builder, err);
	if (!ret)
		ret = link_new(sockets, changed, builder, err);
	if (!ret)
		ret = hd_builder_finish(builder, after, err);
	else
		hd_builder_free(builder);
	free(changed);
	return ret;
}

int hd_fabric_after_moves(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			  const struct hd_differences *differences, uint32_t first, uint32_t n,
			  uint32_t *n_made, struct hd_fabric **after, struct hd_error *err)
{
	struct sockets sockets = {
		.now = now,
		.group_at = plan->group_at,
		.peer = malloc((now->n_ports + (size_t)1) * sizeof(uint32_t)),
	};
	int ret;

	*after = NULL;
	*n_made = 0;
	if (!sockets.peer)
		return hd_error_nomem(err);
	hd_for_each_port(p, now)
		sockets.peer[p] = now->ports[p].peer;
	for (uint32_t i = first; i < first + n; i++)
		*n_made += make(&sockets, &differences->moves[i]);
	ret = build(&sockets, after, err);
	free(sockets.peer);
	return ret;
}
