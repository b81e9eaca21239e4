// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/flow_sums.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/memory.h"

int hd_flow_sums_init(struct hd_flow_sums *sums, const struct hd_flow_view *view,
		      struct hd_error *err)
{
	const struct hd_fabric *fabric = view->fabric;
	const size_t n_ports = fabric->n_ports + (size_t)1, n_uses = hd_flow_n_uses(view) + 1;

	*sums = (struct hd_flow_sums){
		.links = malloc(n_ports * sizeof(*sums->links)),
		.load = calloc(n_ports, sizeof(*sums->load)),
		.n_ways = calloc(view->n + (size_t)1, sizeof(*sums->n_ways)),
		.uses = hd_alloc_large(n_uses * sizeof(*sums->uses)),
	};
	if (!sums->links || !sums->load || !sums->n_ways || !sums->uses)
		return hd_error_nomem(err);
	memset(sums->uses, 0, n_uses * sizeof(*sums->uses));
	hd_for_each_port(p, fabric) {
		const uint32_t peer = fabric->ports[p].peer;

		sums->links[p] = (struct hd_flow_link){ .node = HD_NONE };
		if (hd_is_switch_link(fabric, p))
			sums->links[p] = (struct hd_flow_link){ fabric->ports[peer].node,
								fabric->ports[peer].number };
	}
	return 0;
}

void hd_flow_sums_copy(struct hd_flow_sums *sums, const struct hd_flow_sums *from,
		       const struct hd_flow_view *view)
{
	memcpy(sums->load, from->load, view->fabric->n_ports * sizeof(*sums->load));
	memcpy(sums->n_ways, from->n_ways, (view->n + (size_t)1) * sizeof(*sums->n_ways));
	memcpy(sums->uses, from->uses, hd_flow_n_uses(view) * sizeof(*sums->uses));
}

void hd_flow_sums_clear(struct hd_flow_sums *sums)
{
	free(sums->links);
	free(sums->load);
	free(sums->n_ways);
	free(sums->uses);
	*sums = (struct hd_flow_sums){ 0 };
}

int hd_flow_scratch_init(struct hd_flow_scratch *scratch, uint32_t n_switches, struct hd_error *err)
{
	*scratch = (struct hd_flow_scratch){
		.hops = malloc((n_switches + (size_t)1) * sizeof(*scratch->hops)),
	};
	return scratch->hops ? 0 : hd_error_nomem(err);
}

void hd_flow_scratch_clear(struct hd_flow_scratch *scratch)
{
	free(scratch->hops);
	free(scratch->log);
	free(scratch->is_logged);
	*scratch = (struct hd_flow_scratch){ .hops = NULL };
}

struct hd_flow_use hd_flow_use_of(const struct hd_flow_view *view, uint32_t use)
{
	const unsigned state = use % view->n_states;
	struct hd_flow_use result = { .row = use / view->n_states,
				      .lane = state >> view->shift,
				      .class = state & ((1u << view->shift) - 1) };
	size_t width, place;

	result.node = view->switch_at[result.row / HD_FLOW_ROWS];
	while (view->first_row[result.node + 1] <= result.row)
		result.node++;
	width = view->fabric->nodes[result.node].n_ports + (size_t)1;
	place = result.row - view->first_row[result.node];
	result.out = (uint32_t)(place / width);
	result.in = (uint32_t)(place % width);
	return result;
}

/* A flow, and what is done with it. */
struct addition {
	struct hd_flow_sums *sums;
	const struct hd_flow_view *view;
	const struct hd_flow_lanes *lanes;
	const struct hd_flow_column *column;
	struct hd_flow_scratch *scratch;
	uint32_t last;   /* the switch that delivers */
	uint32_t n_hops; /* to there */
	uint32_t sign;   /* 1 or -1 */
};

static bool grow_log(struct hd_flow_scratch *scratch)
{
	const size_t capacity = 2 * scratch->log_capacity + 4096;
	uint32_t *grown = realloc(scratch->log, capacity * sizeof(*grown));

	if (!grown)
		return false;
	scratch->log = grown;
	scratch->log_capacity = capacity;
	return true;
}

void hd_flow_count_use(struct hd_flow_sums *sums, struct hd_flow_scratch *scratch, size_t use,
		       uint32_t n)
{
	const uint64_t bit = UINT64_C(1) << use % 64;

	sums->uses[use] += n;
	if (!scratch->is_logged || scratch->is_logged[use / 64] & bit)
		return;
	if (scratch->n_log == scratch->log_capacity && !grow_log(scratch)) {
		scratch->is_bad = true;
		return;
	}
	scratch->is_logged[use / 64] |= bit;
	scratch->log[scratch->n_log++] = (uint32_t)use;
}

static void count_use(const struct addition *a, size_t row, unsigned state, uint32_t n)
{
	hd_flow_count_use(a->sums, a->scratch, row * a->view->n_states + state, a->sign * n);
}

/* Goes from @s to the last switch. False: packets do not arrive. */
static bool find_hops(struct addition *a, uint32_t s)
{
	const struct hd_flow_column *column = a->column;
	const struct hd_fabric *fabric = a->view->fabric;
	unsigned in = 0;

	for (a->n_hops = 0; s != a->last; a->n_hops++) {
		const unsigned out = column->out[s * column->stride];
		const struct hd_flow_link *link;

		if (!out || out > fabric->nodes[s].n_ports || a->n_hops == a->view->n)
			return false;
		link = &a->sums->links[fabric->nodes[s].first_port + out];
		if (link->node == HD_NONE)
			return false;
		a->scratch->hops[a->n_hops] = (struct hd_flow_hop){ s, (uint8_t)in, (uint8_t)out };
		in = link->in;
		s = link->node;
	}
	a->scratch->hops[a->n_hops] = (struct hd_flow_hop){ s, (uint8_t)in, 0 };
	return true;
}

/* Adds what hosts at the first switch send. */
static void add_load(const struct addition *a, uint32_t s)
{
	uint32_t flows = 0;

	for (uint32_t i = 0; i < a->column->n; i++)
		flows += a->view->has_load[a->column->lids[i]];
	flows *= a->sign * a->view->hosts[s];
	for (uint32_t h = 0; flows && h < a->n_hops; h++) {
		const struct hd_flow_hop *hop = &a->scratch->hops[h];

		a->sums->load[a->view->fabric->nodes[hop->node].first_port + hop->out] += flows;
	}
}

/*
 * Counts the uses of packets that come in at @hop in @states, and returns their states behind it.
 */
static uint64_t pass(const struct addition *a, const struct hd_flow_hop *hop, uint64_t states)
{
	const struct hd_flow_view *view = a->view;
	const size_t row = hd_flow_row_of(view, hop->node, hop->in, hop->out);
	const hd_sl2vl_row lanes = hd_flow_row(a->lanes, row);
	uint64_t behind = 0;

	for (; states; states &= states - 1) {
		const unsigned state = (unsigned)__builtin_ctzll(states);
		const unsigned class = state & ((1u << view->shift) - 1);
		const unsigned lane = hd_row_vl(lanes, class);

		count_use(a, row, state, a->column->n);
		if (lane < view->n_lanes)
			behind |= UINT64_C(1) << (lane << view->shift | class);
		else
			a->scratch->is_bad = true;
	}
	return behind;
}

/* Counts the uses at the last switch of packets that come in by @in in @states, LID by LID. */
static void count_last(const struct addition *a, unsigned in, uint64_t states)
{
	for (uint32_t i = 0; a->view->to_ends && i < a->column->n; i++) {
		const unsigned out = a->view->fabric->lids[a->column->lids[i]].via_port;

		for (uint64_t rest = states; rest; rest &= rest - 1)
			count_use(a, hd_flow_row_of(a->view, a->last, in, out),
				  (unsigned)__builtin_ctzll(rest), 1);
	}
}

static void add_uses(const struct addition *a, uint32_t s)
{
	const struct hd_flow_view *view = a->view;
	const struct hd_flow_hop *hops = a->scratch->hops;
	const unsigned class = hd_flow_class(a->lanes, view->stride, s, a->column->lids[0]);
	uint64_t states;

	if (class >= view->n_classes) {
		a->scratch->is_bad = true;
		return;
	}
	if (!a->n_hops) {
		count_last(a, 0, UINT64_C(1) << class);
		return;
	}
	count_use(a, hd_flow_row_of(view, s, 0, hops->out), class, a->column->n);
	states = view->injected[((size_t)view->fabric->nodes[s].first_port + hops->out)
					<< view->shift |
				class];
	for (uint32_t h = 1; h < a->n_hops; h++)
		states = pass(a, &hops[h], states);
	count_last(a, hops[a->n_hops].in, states);
}

bool hd_flow_sums_add(struct hd_flow_sums *sums, const struct hd_flow_view *view,
		      const struct hd_flow_lanes *lanes, const struct hd_flow_column *column,
		      uint32_t s, bool take_away, struct hd_flow_scratch *scratch)
{
	struct addition a = {
		.sums = sums,
		.view = view,
		.lanes = lanes,
		.column = column,
		.scratch = scratch,
		.last = view->fabric->lids[column->lids[0]].via_switch,
		.sign = take_away ? -1u : 1,
	};

	if (!find_hops(&a, s))
		return false;
	add_load(&a, s);
	if (!view->starts[s])
		return true;
	sums->n_ways[a.n_hops] += a.sign * column->n;
	if (lanes->rows)
		add_uses(&a, s);
	return true;
}
