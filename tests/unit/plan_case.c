// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/plan_case.h"

#include "tests/unit/unit.h"

#include "fabric/builder.h"
#include "support/random.h"

#define SPARE_PORTS 2

/* Cables as pairs of ports, each by node and number. */
struct cables {
	uint32_t n;
	uint32_t (*node)[2];
	unsigned (*port)[2];
};

static struct cables list_cables(const struct hd_fabric *fabric, unsigned n_more)
{
	size_t most = fabric->n_links + (size_t)n_more + 1;
	struct cables cables = { .node = calloc(most, sizeof(*cables.node)),
				 .port = calloc(most, sizeof(*cables.port)) };

	assert_non_null(cables.node);
	assert_non_null(cables.port);
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		if (peer == HD_NONE || peer < p)
			continue;
		cables.node[cables.n][0] = fabric->ports[p].node;
		cables.node[cables.n][1] = fabric->ports[peer].node;
		cables.port[cables.n][0] = fabric->ports[p].number;
		cables.port[cables.n++][1] = fabric->ports[peer].number;
	}
	return cables;
}

/* A cable at random that faults may meet. */
static uint32_t draw(const struct hd_fabric *fabric, const struct cables *cables,
		     const struct faults *faults, struct hd_random *random)
{
	for (;;) {
		uint32_t c = hd_random_below(random, cables->n);

		if (!faults->trunks_only || hd_is_switch(fabric, cables->node[c][1]))
			return c;
	}
}

static bool is_free(const struct cables *cables, uint32_t node, unsigned port)
{
	for (uint32_t c = 0; c < cables->n; c++)
		for (int end = 0; end < 2; end++)
			if (cables->node[c][end] == node && cables->port[c][end] == port)
				return false;
	return true;
}

static void move_one(const struct hd_fabric *fabric, struct cables *cables, uint32_t c,
		     struct hd_random *random)
{
	for (unsigned attempt = 0; attempt < 1000; attempt++) {
		uint32_t s = hd_random_below(random, fabric->n_switches);
		unsigned port = 1 + hd_random_below(random, fabric->nodes[s].n_ports + SPARE_PORTS);

		if (s == cables->node[c][1] || !is_free(cables, s, port))
			continue;
		/* end 0 is on a switch always */
		cables->node[c][0] = s;
		cables->port[c][0] = port;
		return;
	}
}

/* The stranger takes the place of what is at the end of a cable, or the port of a moved cable. */
static void let_in(const struct hd_fabric *fabric, struct cables *cables, uint32_t stranger,
		   uint32_t c, bool moves, struct hd_random *random)
{
	uint32_t s = cables->node[c][0];
	unsigned port = cables->port[c][0];

	if (moves)
		move_one(fabric, cables, c, random);
	if (is_free(cables, s, port)) {
		c = cables->n++;
		cables->node[c][0] = s;
		cables->port[c][0] = port;
	}
	cables->node[c][1] = stranger;
	cables->port[c][1] = 1;
}

static void break_cables(const struct hd_fabric *fabric, struct cables *cables,
			 const struct faults *faults, uint64_t seed)
{
	struct hd_random random;

	hd_random_init(&random, seed, 1);
	for (unsigned i = 0; i < faults->n_removed; i++) {
		uint32_t c = draw(fabric, cables, faults, &random);

		cables->n--;
		memcpy(cables->node[c], cables->node[cables->n], sizeof(*cables->node));
		memcpy(cables->port[c], cables->port[cables->n], sizeof(*cables->port));
	}
	for (unsigned i = 0; i < faults->n_exchanged; i++) {
		uint32_t c = draw(fabric, cables, faults, &random);
		uint32_t d = draw(fabric, cables, faults, &random);
		uint32_t node = cables->node[c][1];
		unsigned port = cables->port[c][1];

		/* no cable from a node to itself */
		if (cables->node[c][0] == cables->node[d][1] ||
		    cables->node[d][0] == cables->node[c][1])
			continue;
		cables->node[c][1] = cables->node[d][1];
		cables->port[c][1] = cables->port[d][1];
		cables->node[d][1] = node;
		cables->port[d][1] = port;
	}
	for (unsigned i = 0; i < faults->n_moved; i++)
		move_one(fabric, cables, draw(fabric, cables, faults, &random), &random);
	for (unsigned i = 0; i < faults->n_strangers; i++)
		let_in(fabric, cables, fabric->n_nodes + i, draw(fabric, cables, faults, &random),
		       i % 3 < 2, &random);
}

/* Switches and end nodes by turns. */
static void add_strangers(struct hd_builder *builder, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		char name[64];
		struct hd_node_spec spec = { .type = i % 2 ? HD_SWITCH : HD_CA,
					     .guid = 0x60000000 + 256 * i,
					     .n_ports = i % 2 ? 4 : 1,
					     .name = name };
		struct hd_error err;
		uint32_t id;

		snprintf(name, sizeof(name), "stranger %u", i);
		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	}
}

/* The numbers of a switch's ports, the other way round. */
static void renumber(const struct hd_fabric *fabric, struct cables *cables)
{
	for (uint32_t c = 0; c < cables->n; c++)
		for (int end = 0; end < 2; end++)
			if (hd_is_switch(fabric, cables->node[c][end]))
				cables->port[c][end] = fabric->nodes[cables->node[c][end]].n_ports +
						       SPARE_PORTS + 1 - cables->port[c][end];
}

struct hd_fabric *faulty_copy(const struct hd_fabric *fabric, const struct faults *faults,
			      bool anonymous, uint64_t seed)
{
	struct cables cables = list_cables(fabric, faults->n_strangers);
	uint32_t *order = calloc(fabric->n_nodes + 1, sizeof(*order));
	struct hd_builder *builder = hd_builder_new();
	struct hd_random random;
	struct hd_fabric *copy;
	struct hd_error err;

	assert_non_null(builder);
	assert_non_null(order);
	hd_random_init(&random, seed, 2);
	hd_random_permutation(&random, fabric->n_nodes, order);
	break_cables(fabric, &cables, faults, seed);
	if (faults->other_ports)
		renumber(fabric, &cables);
	hd_for_each_node(n, fabric) {
		const struct hd_node *node = &fabric->nodes[n];
		char name[64];
		uint32_t id;

		snprintf(name, sizeof(name), "X-%u", order[n]);
		assert_hd_ok(hd_builder_add(
				     builder,
				     &(struct hd_node_spec){
					     .type = node->type,
					     .guid = anonymous ? 0x70000000 + 256 * order[n]
							       : node->guid,
					     .n_ports = node->n_ports +
							(node->type == HD_SWITCH ? SPARE_PORTS : 0),
					     .name = anonymous ? name : hd_node_name(fabric, n) },
				     &id, &err),
			     err);
	}
	add_strangers(builder, faults->n_strangers);
	for (uint32_t c = 0; c < cables.n; c++)
		assert_hd_ok(hd_builder_link(builder, cables.node[c][0], cables.port[c][0],
					     cables.node[c][1], cables.port[c][1], &err),
			     err);
	assert_hd_ok(hd_builder_finish(builder, &copy, &err), err);
	free(order);
	free(cables.node);
	free(cables.port);
	return copy;
}

/* Every port that either side has: what it is linked to; HD_NONE: nothing. */
struct sockets {
	const struct hd_fabric *now;
	uint32_t *peer; /* [vertex * 256 + port], of nodes of the fabric, then of the plan */
};

static uint32_t socket_of(const struct sockets *sockets, const struct hd_place *place)
{
	uint32_t vertex =
		place->present != HD_NONE ? place->present : sockets->now->n_nodes + place->planned;

	return vertex * 256 + place->port;
}

static void plug(struct sockets *sockets, uint32_t one, uint32_t other)
{
	assert_int_equal(sockets->peer[one], HD_NONE);
	assert_int_equal(sockets->peer[other], HD_NONE);
	sockets->peer[one] = other;
	sockets->peer[other] = one;
}

static uint32_t unplug(struct sockets *sockets, uint32_t one)
{
	uint32_t other = sockets->peer[one];

	assert_int_not_equal(other, HD_NONE);
	sockets->peer[one] = sockets->peer[other] = HD_NONE;
	return other;
}

static void make(struct sockets *sockets, const struct hd_move *move)
{
	uint32_t one = socket_of(sockets, &move->places[0]);
	uint32_t other = socket_of(sockets, &move->places[1]), far, far_other;

	switch (move->kind) {
	case HD_CONNECT:
		plug(sockets, one, other);
		break;
	case HD_REMOVE:
		assert_int_equal(unplug(sockets, one), other);
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
}

static bool has_strange_switch(const struct hd_cable_plan *plan, const struct hd_plan_match *match,
			       const struct hd_cable *cable)
{
	for (int end = 0; end < 2; end++)
		if (hd_is_switch(plan->fabric, cable->node[end]) &&
		    match->to_now[cable->node[end]] == HD_NONE)
			return true;
	return false;
}

static bool is_strange_switch(const struct hd_plan_match *match, uint32_t vertex)
{
	if (vertex >= match->now->n_nodes)
		return hd_is_switch(match->plan, vertex - match->now->n_nodes);
	return hd_is_switch(match->now, vertex) && match->to_plan[vertex] == HD_NONE;
}

/* How many cables are in sockets, but for those of switches that one side lacks. */
static uint32_t count_plugged(const struct sockets *sockets, const struct hd_plan_match *match,
			      size_t n_sockets)
{
	uint32_t n = 0;

	for (size_t i = 0; i < n_sockets; i++) {
		uint32_t peer = sockets->peer[i];

		n += peer != HD_NONE && peer > i &&
		     !is_strange_switch(match, (uint32_t)(i / 256)) &&
		     !is_strange_switch(match, peer / 256);
	}
	return n;
}

void assert_moves_mend(const struct hd_cable_plan *plan, const struct hd_plan_match *match,
		       const struct hd_fabric *now, const struct hd_differences *differences)
{
	size_t n = (now->n_nodes + (size_t)plan->fabric->n_nodes) * 256;
	struct sockets sockets = { now, malloc(n * sizeof(uint32_t)) };
	uint32_t n_there = 0;

	assert_non_null(sockets.peer);
	memset(sockets.peer, 0xFF, n * sizeof(uint32_t));
	hd_for_each_port(p, now) {
		uint32_t peer = now->ports[p].peer;

		if (peer != HD_NONE && peer > p)
			plug(&sockets, now->ports[p].node * 256 + now->ports[p].number,
			     now->ports[peer].node * 256 + now->ports[peer].number);
	}
	for (uint32_t i = 0; i < differences->n_moves; i++)
		make(&sockets, &differences->moves[i]);
	for (uint32_t i = 0; i < plan->n_cables; i++) {
		const struct hd_cable *cable = &plan->cables[i];
		uint32_t sides[2];

		if (has_strange_switch(plan, match, cable))
			continue;
		for (int end = 0; end < 2; end++) {
			uint32_t to = match->to_now[cable->node[end]];

			sides[end] = (to != HD_NONE ? to : now->n_nodes + cable->node[end]) * 256 +
				     cable->port[end];
		}
		assert_int_equal(sockets.peer[sides[0]], sides[1]);
		n_there++;
	}
	assert_int_equal(n_there, count_plugged(&sockets, match, n));
	free(sockets.peer);
}
