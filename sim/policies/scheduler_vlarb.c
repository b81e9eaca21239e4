// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * InfiniBand's VL arbitration (7.6.9): two weighted round-robin tables. The high-priority table
 * goes first until it has sent high_limit * 4 KiB, or one packet where that is 0, while
 * low-priority packets are there; an entry's weight is what it may send, in 64 bytes, until the
 * next one has its turn. A VL in neither table, or with weight 0 everywhere, is never sent. Ports
 * whose tables are not known serve all VLs alike.
 */
#include "sim/policies/scheduler_rows.h"
#include "sim/model/state.h"
#include "support/error.h"

#include <stdlib.h>

#define LIMIT_UNITS 64 /* units of 64 bytes in one of high_limit's 4 KiB */
#define NO_LIMIT    255

struct turn {
	uint8_t entry;
	uint8_t left; /* of its weight */
};

struct vl_arbitration {
	const struct hd_vlarb *tables; /* NULL: not known */
	struct turn high, low;
	int32_t high_left; /* units that the high table may send before the low one has its turn */
};

/* What the high table may send; with limit 0 a single packet, whatever its size. */
static int32_t allowance(const struct hd_vlarb *tables)
{
	return tables->high_limit ? tables->high_limit * LIMIT_UNITS : 1;
}

static int make(struct hd_model *model, struct hd_error *err)
{
	struct vl_arbitration *arbitrations;

	/* classes have no shares then; of lanes of other engines hosts keep the arbitration */
	if (model->network.tables->classes && hd_scheduler_check_allocator(model, err))
		return err->code;
	arbitrations = calloc(model->network.n_ports + (size_t)1, sizeof(*arbitrations));
	model->scheduling = arbitrations;
	if (!arbitrations)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < model->network.n_ports; i++) {
		struct vl_arbitration *state = &arbitrations[i];
		uint32_t index = HD_NONE;

		if (model->network.tables->has_vlarb && hd_is_port(model, i))
			index = model->network.tables->vlarb_of_port[model->network.fabric_port[i]];
		if (index == HD_NONE)
			continue;
		state->tables = &model->network.tables->vlarbs[index];
		state->high_left = allowance(state->tables);
		state->high.left = state->tables->n_high ? state->tables->high[0].weight : 0;
		state->low.left = state->tables->n_low ? state->tables->low[0].weight : 0;
	}
	return 0;
}

/* The entry of a table whose turn it is among the VLs in @vls; @n: none. */
static unsigned find(const struct hd_vlarb_entry *entries, unsigned n, const struct turn *turn,
		     unsigned vls)
{
	for (unsigned k = 0; k <= n; k++) {
		unsigned i = (turn->entry + k) % (n ? n : 1);

		if (n && entries[i].weight && vls >> entries[i].vl & 1 && (k != 0 || turn->left))
			return i;
	}
	return n;
}

static unsigned next(const struct hd_model *model, uint32_t out, unsigned vls, unsigned turn)
{
	const struct vl_arbitration *arbitrations = model->scheduling;
	const struct vl_arbitration *state = &arbitrations[out];
	const struct hd_vlarb *tables = state->tables;
	unsigned high, low;

	if (!tables) {
		unsigned from = vls >> turn << turn;

		return __builtin_ctz(from ? from : vls);
	}
	high = find(tables->high, tables->n_high, &state->high, vls);
	low = find(tables->low, tables->n_low, &state->low, vls);
	if (high < tables->n_high &&
	    (low == tables->n_low || tables->high_limit == NO_LIMIT || state->high_left > 0))
		return tables->high[high].vl;
	if (low < tables->n_low)
		return tables->low[low].vl;
	return HD_VL_DROP; /* no table serves these VLs */
}

/* Counts @size units of @vl; true: it was the turn of this table. */
static bool count(const struct hd_vlarb_entry *entries, unsigned n, struct turn *turn, unsigned vl,
		  uint32_t size)
{
	unsigned i = find(entries, n, turn, 1u << vl);

	if (i == n)
		return false;
	if (i != turn->entry || !turn->left) {
		turn->entry = (uint8_t)i;
		turn->left = entries[i].weight;
	}
	/* a packet is sent whole, though the weight ends within it */
	turn->left = (uint8_t)(size < turn->left ? turn->left - size : 0);
	if (!turn->left) {
		turn->entry = (uint8_t)((i + 1) % n);
		turn->left = entries[turn->entry].weight;
	}
	return true;
}

static void sent(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	struct vl_arbitration *arbitrations = model->scheduling;
	struct vl_arbitration *state = &arbitrations[out];
	const struct hd_vlarb *tables = state->tables;
	bool high;

	if (!tables)
		return;
	high = tables->high_limit == NO_LIMIT || state->high_left > 0;
	if (high && count(tables->high, tables->n_high, &state->high, vl, size)) {
		state->high_left -= (int32_t)size;
		return;
	}
	if (count(tables->low, tables->n_low, &state->low, vl, size))
		state->high_left = allowance(tables);
	else
		count(tables->high, tables->n_high, &state->high, vl, size);
}

static void free_all(struct hd_model *model)
{
	free(model->scheduling);
}

const struct hd_scheduler hd_scheduler_vlarb = {
	.policy.name = "vlarb",
	.policy.summary = "VLs by the ports' VL arbitration tables, in-ports in turn within one",
	.policy.reference = "InfiniBand Architecture Specification, volume 1, 7.6.9",
	.make = make,
	.free = free_all,
	.next = next,
	.sent = sent,
};
