// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Minimal ways: the tables' alone, on the VCs of the rule, which is what others are compared with;
 * or, where VCs are in groups, all ports that lead nearer to the target by the tables' distances:
 * in grids every dimension that differs. Each hop makes the tables' way that is left shorter.
 */
#include <stdlib.h>

#include "sim/adaptive/vc_groups.h"
#include "sim/adaptive/ways.h"
#include "support/error.h"
#include "support/memory.h"

enum ways { BY_RULE, TABLES, ALL };

static const char *const words[] = { "tables", "all", NULL };

struct own {
	enum ways ways;

	/*
	 * [switch * n_targets + target] ports; NULL: as the tables say. Of switches of few ports
	 * a byte each is enough, which stay in a core's cache.
	 */
	uint64_t *nearer;
	uint8_t *nearer_of_few;
	bool is_plain; /* the tables' ways on a VC by hop */
};

static int init(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err)
{
	struct own *own = routed->own = calloc(1, sizeof(*own));
	unsigned word = 0;
	int ret;

	if (!own)
		return hd_error_nomem(err);
	if (!hd_params_is_set(params, "ways"))
		return 0;
	ret = hd_params_word(params, "ways", words, &word, err);
	own->ways = word ? ALL : TABLES;
	return ret;
}

/* Ports by which a packet for @target comes nearer. */
static uint64_t find_nearer(const struct hd_shape *shape, uint32_t at, uint32_t target)
{
	const unsigned distance = hd_shape_distance(shape, at, target);
	uint64_t nearer = 0;

	for (unsigned port = 0; port < shape->n_locals[at] && distance != HD_FAR; port++) {
		const uint32_t next = shape->neighbour[hd_shape_port(shape, at, port)];

		if (next != HD_NONE && hd_shape_distance(shape, next, target) < distance)
			nearer |= hd_port_bit(port);
	}
	return nearer;
}

static int prepare(struct hd_routed *routed, struct hd_error *err)
{
	const struct hd_shape *shape = routed->shape;
	struct own *own = routed->own;
	size_t n;

	if (own->ways == BY_RULE)
		own->ways = routed->vcs.groups.has_escape ? ALL : TABLES;
	own->is_plain = !routed->vcs.is_range && !routed->groups && !routed->flex;
	if (own->ways == TABLES)
		return 0;
	if (!routed->groups || routed->groups->by_hop)
		return hd_error_set(err, HD_EINVAL, "minimal: ways=all takes VCs by groups");
	n = shape->n_switches * shape->n_targets;
	if (shape->n_ports <= 8)
		own->nearer_of_few = hd_alloc_large(n + 1);
	else
		own->nearer = hd_alloc_large((n + 1) * sizeof(*own->nearer));
	if (!own->nearer && !own->nearer_of_few)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n; i++) {
		const uint64_t nearer = find_nearer(shape, (uint32_t)(i / shape->n_targets),
						    (uint32_t)(i % shape->n_targets));

		if (own->nearer)
			own->nearer[i] = nearer;
		else
			own->nearer_of_few[i] = (uint8_t)nearer;
	}
	return 0;
}

static void clear(struct hd_routed *routed)
{
	struct own *own = routed->own;

	if (!own)
		return;
	free(own->nearer);
	free(own->nearer_of_few);
}

static unsigned offer(const struct hd_routed *routed, const struct hd_view *view,
		      const struct hd_header *header, struct hd_offer *offers)
{
	const struct own *own = routed->own;
	const struct hd_shape *shape = view->shape;
	size_t pair;
	unsigned port;

	if (own->is_plain)
		return hd_way_offer(routed, view, header, view->target, offers);
	if (routed->vcs.is_range)
		return hd_way_up_to_tables(view, routed->vcs.in_front, offers);
	if (!routed->groups || routed->groups->by_hop)
		return hd_way_offers(routed, view, header, offers);
	pair = view->at * shape->n_targets + view->target;
	if (own->nearer_of_few)
		return hd_groups_offers(routed, view, header, own->nearer_of_few[pair], offers);
	if (own->nearer)
		return hd_groups_offers(routed, view, header, own->nearer[pair], offers);
	port = hd_shape_next(shape, view->at, view->target);
	return hd_groups_offers(routed, view, header,
				port < shape->n_locals[view->at] ? hd_port_bit(port) : 0, offers);
}

static const struct hd_option options[] = {
	{ "ways", NULL, "",
	  "tables, the tables' path; all, with VCs by groups, every port that leads nearer; "
	  "default: "
	  "all with an escape" },
	{ NULL, NULL, NULL, NULL },
};

const struct hd_routing hd_routing_minimal = {
	.policy.name = "minimal",
	.policy.summary = "the tables' paths; with an escape, all that are as short",
	.policy.options = options,
	.policy.n_bare = 1,
	.vcs = "hop:2/1",
	.takes_groups = true,
	.takes_hop_groups = true,
	.sees_hop = true,
	.max_hops = 3,
	.init = init,
	.prepare = prepare,
	.clear = clear,
	.serves_tables = true,
	.offer = offer,
	.may = offer,
};
