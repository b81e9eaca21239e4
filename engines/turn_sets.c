// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/turn_sets.h"

#include <stdlib.h>
#include <string.h>

#include "engines/turns.h"
#include "support/error.h"
#include "support/random.h"

struct sets {
	const struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_turn_graph graph;
	struct hd_turns turns; /* of the layer at hand */
	uint32_t *lids;        /* of the layer at hand */
	uint32_t n_lids;

	/* Of the LID at hand. */
	uint32_t *length;     /* [switch] links on the LFTs' way; HD_NONE: no way */
	uint32_t *out;        /* [switch] the LFT's channel; HD_NONE: none */
	bool *is_used;        /* [channel] packets to the LID may take it */
	struct hd_turn *made; /* turns that the present choice has added */
	uint32_t n_made;
};

/* The channel by which switch @s sends to @lid; HD_NONE: it delivers, or has no path. */
static uint32_t find_channel(const struct sets *sets, uint32_t s, uint32_t lid)
{
	const struct hd_turn_graph *graph = &sets->graph;
	const unsigned port = hd_lft(sets->tables, s)[lid];

	for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++)
		if (graph->port[c] == port)
			return c;
	return HD_NONE;
}

/* Finds the ways of LFTs to @lid. */
static void take_lid(struct sets *sets, uint32_t lid)
{
	const uint32_t root = sets->fabric->lids[lid].via_switch, n = sets->fabric->n_switches;

	memset(sets->is_used, 0, sets->graph.n_channels * sizeof(*sets->is_used));
	hd_for_each_switch(s, sets->fabric) {
		sets->length[s] = HD_NONE;
		sets->out[s] = s == root ? HD_NONE : find_channel(sets, s, lid);
		if (sets->out[s] != HD_NONE)
			sets->is_used[sets->out[s]] = true;
	}
	sets->length[root] = 0;
	hd_for_each_switch(s, sets->fabric) {
		uint32_t at = s, links = 0;

		while (sets->length[at] == HD_NONE && sets->out[at] != HD_NONE && links < n) {
			at = sets->graph.to[sets->out[at]];
			links++;
		}
		if (sets->length[at] == HD_NONE)
			continue;
		links += sets->length[at];
		for (at = s; sets->length[at] == HD_NONE; at = sets->graph.to[sets->out[at]])
			sets->length[at] = links--;
	}
}

/* Adds the turns of the LFTs to @lid, without a test. */
static void put_turns(struct sets *sets, uint32_t lid)
{
	take_lid(sets, lid);
	hd_for_each_switch(s, sets->fabric) {
		struct hd_turn turn = { .in = sets->out[s] };

		if (turn.in == HD_NONE)
			continue;
		turn.node = sets->graph.to[turn.in];
		turn.out = sets->out[turn.node];
		if (turn.out != HD_NONE && hd_turn_state(&sets->turns, &turn) == HD_TURN_NEW)
			hd_turn_put(&sets->turns, &turn);
	}
}

/* Whether packets may turn from channel @in to @out at @node; notes the turn if it is new. */
static bool take_turn(struct sets *sets, uint32_t node, uint32_t in, uint32_t out)
{
	const struct hd_turn turn = { .node = node, .in = in, .out = out };
	const enum hd_turn_state state = hd_turn_state(&sets->turns, &turn);

	if (state != HD_TURN_NEW)
		return state == HD_TURN_TAKEN;
	if (!hd_turn_add(&sets->turns, &turn))
		return false;
	sets->made[sets->n_made++] = turn;
	return true;
}

/* Lets packets at @s take @channel too, if all turns of it and into it are free of cycles. */
static void try_channel(struct sets *sets, uint32_t s, uint32_t channel)
{
	const struct hd_turn_graph *graph = &sets->graph;
	const uint32_t next = graph->to[channel];
	bool good = true;

	sets->n_made = 0;
	for (uint32_t c = graph->first[s]; good && c < graph->first[s + 1]; c++)
		if (sets->is_used[graph->back[c]])
			good = take_turn(sets, s, graph->back[c], channel);
	for (uint32_t c = graph->first[next]; good && c < graph->first[next + 1]; c++)
		if (sets->is_used[c])
			good = take_turn(sets, next, channel, c);
	sets->is_used[channel] = good;
	while (!good && sets->n_made)
		hd_turn_remove(&sets->turns, &sets->made[--sets->n_made]);
}

/* Sets for all entries of @lid. */
static int choose(struct sets *sets, uint32_t lid, enum hd_ar_state state)
{
	const struct hd_turn_graph *graph = &sets->graph;

	take_lid(sets, lid);
	hd_for_each_switch(s, sets->fabric) {
		struct hd_port_set ports = { { 0 } };
		int ret;

		if (sets->out[s] == HD_NONE || sets->length[s] == HD_NONE)
			continue;
		for (uint32_t c = graph->first[s]; c < graph->first[s + 1]; c++) {
			/* every link leads closer on the LFTs' ways: no choices lead in a circle */
			if (!sets->is_used[c] && sets->length[graph->to[c]] < sets->length[s])
				try_channel(sets, s, c);
			if (sets->is_used[c])
				hd_port_set_add(&ports, graph->port[c]);
		}
		ret = hd_ar_set(sets->tables, s, (uint16_t)lid, state, &ports);
		if (ret)
			return ret;
	}
	return 0;
}

/* Lists the LIDs of @layer, in an order by chance. */
static void list_lids(struct sets *sets, const uint8_t *layers, unsigned layer)
{
	struct hd_random random;
	uint32_t n = 0;

	hd_for_each_lid(lid, sets->fabric)
		if (sets->fabric->lids[lid].via_switch != HD_NONE && layers[lid] == layer)
			sets->lids[n++] = lid;
	sets->n_lids = n;
	hd_random_init(&random, layer, 0);
	for (; n > 1; n--) {
		const uint32_t other = hd_random_below(&random, n), lid = sets->lids[other];

		sets->lids[other] = sets->lids[n - 1];
		sets->lids[n - 1] = lid;
	}
}

static int take_layer(struct sets *sets, const uint8_t *layers, unsigned layer,
		      enum hd_ar_state state, struct hd_error *err)
{
	int ret = hd_turns_init(&sets->turns, &sets->graph, NULL, err);

	list_lids(sets, layers, layer);
	for (uint32_t i = 0; !ret && i < sets->n_lids; i++)
		put_turns(sets, sets->lids[i]);
	if (!ret && !hd_turns_settle(&sets->turns))
		ret = hd_error_set(err, HD_EREFUSED, "port sets: the LFTs have a credit loop");
	for (uint32_t i = 0; !ret && i < sets->n_lids; i++) {
		ret = choose(sets, sets->lids[i], state);
		if (ret == HD_ENOMEM)
			hd_error_nomem(err);
		else if (ret)
			hd_error_set(err, ret, "port sets: more than %u in one switch",
				     HD_AR_MAX_GROUPS);
	}
	hd_turns_clear(&sets->turns);
	return ret;
}

int hd_turn_sets_add(struct hd_tables *tables, const uint8_t *layers, unsigned n_layers,
		     enum hd_ar_state state, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct sets sets = { .fabric = fabric, .tables = tables };
	int ret = hd_turn_graph_init(&sets.graph, fabric, err);

	sets.lids = malloc((fabric->top_lid + (size_t)1) * sizeof(*sets.lids));
	sets.length = malloc((fabric->n_switches + (size_t)1) * sizeof(*sets.length));
	sets.out = malloc((fabric->n_switches + (size_t)1) * sizeof(*sets.out));
	/* a channel has at most a turn for each port of the switches at its ends */
	sets.made = malloc(2 * (UINT8_MAX + (size_t)1) * sizeof(*sets.made));
	if (!ret)
		sets.is_used = malloc(sets.graph.n_channels + (size_t)1);
	if (!ret && (!sets.lids || !sets.length || !sets.out || !sets.made || !sets.is_used))
		ret = hd_error_nomem(err);
	for (unsigned layer = 0; !ret && layer < n_layers; layer++)
		ret = take_layer(&sets, layers, layer, state, err);
	hd_turn_graph_clear(&sets.graph);
	free(sets.lids);
	free(sets.length);
	free(sets.out);
	free(sets.made);
	free(sets.is_used);
	return ret;
}
