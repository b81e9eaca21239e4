// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/fabric_state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"

#define STATE_DOWN 1

#define LFT_BLOCK 64

int hd_fabric_state_init(struct hd_fabric_state *held, const struct hd_fabric *fabric,
			 struct hd_error *err)
{
	const size_t n_ports = fabric->n_ports + (size_t)1;

	*held = (struct hd_fabric_state){ .fabric = *fabric, .is_stale = true };
	held->fabric.ports = malloc(n_ports * sizeof(*held->fabric.ports));
	held->fabric.lids = NULL;
	held->fabric.top_lid = 0;
	held->ports = malloc(n_ports * sizeof(*held->ports));
	held->active = calloc(n_ports, sizeof(*held->active));
	held->cable = malloc(n_ports * sizeof(*held->cable));
	held->tops = calloc(fabric->n_switches + (size_t)1, sizeof(*held->tops));
	held->rows_first = malloc((fabric->n_nodes + (size_t)1) * sizeof(*held->rows_first));
	if (!held->fabric.ports || !held->ports || !held->active || !held->cable || !held->tops ||
	    !held->rows_first)
		return hd_error_nomem(err);
	hd_sl2vl_layout(fabric, held->rows_first);
	held->rows = calloc(held->rows_first[fabric->n_nodes] + 1, sizeof(*held->rows));
	if (!held->rows)
		return hd_error_nomem(err);
	memcpy(held->fabric.ports, fabric->ports, fabric->n_ports * sizeof(*fabric->ports));
	hd_for_each_port(p, fabric) {
		held->ports[p] =
			(struct hd_fabric_state_port){ .link = HD_NONE, .state = STATE_DOWN };
		held->cable[p] = fabric->ports[p].peer;
	}
	return 0;
}

void hd_fabric_state_clear(struct hd_fabric_state *held)
{
	hd_tables_free(held->tables);
	free(held->fabric.ports);
	free(held->fabric.lids);
	free(held->ports);
	free(held->active);
	free(held->cable);
	free(held->tops);
	free(held->rows_first);
	free(held->rows);
	free(held->lfts);
	free(held->changes);
	*held = (struct hd_fabric_state){ .is_stale = true };
}

/* What packets see */

static bool is_active(const struct hd_fabric_state *held, uint32_t p)
{
	const uint32_t peer = held->ports[p].link;

	return peer != HD_NONE && held->ports[peer].link == p &&
	       held->ports[p].state == HD_STATE_ACTIVE &&
	       held->ports[peer].state == HD_STATE_ACTIVE;
}

static uint8_t seen_entry(const struct hd_fabric_state *held, uint32_t s, uint32_t lid)
{
	const struct hd_node *node = &held->fabric.nodes[s];
	uint8_t out;

	if (lid >= held->n_lids || lid > held->tops[s])
		return HD_NO_PATH;
	out = held->lfts[s * held->n_lids + lid];
	if (out > node->n_ports || (out && !held->active[node->first_port + out]))
		return HD_NO_PATH;
	return out;
}

static size_t n_ins(const struct hd_fabric_state *held, uint32_t node)
{
	return hd_is_switch(&held->fabric, node) ? held->fabric.nodes[node].n_ports + (size_t)1 : 1;
}

/* Whether port @number of @node has a link that is not active: a switch's own port has none. */
static bool is_shut(const struct hd_fabric_state *held, uint32_t node, size_t number)
{
	return number && !held->active[held->fabric.nodes[node].first_port + number];
}

/*
 * The row @index of packets that leave by port @out; none do by a link that is not active, or come
 * in by one, so that what a switch held before its links came up does not count.
 */
static hd_sl2vl_row seen_row(const struct hd_fabric_state *held, size_t index, uint32_t out)
{
	const uint32_t peer = held->cable[out], node = held->fabric.ports[out].node;
	const unsigned number = held->fabric.ports[out].number;
	unsigned vls = held->ports[out].vls;
	hd_sl2vl_row row = held->rows[index];

	if (is_shut(held, node, number) ||
	    is_shut(held, node, index - held->rows_first[node] - number * n_ins(held, node)))
		return hd_row_all(HD_VL_DROP);
	if (peer != HD_NONE && held->ports[peer].vls < vls)
		vls = held->ports[peer].vls;
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		if (hd_row_vl(row, sl) >= vls)
			row = hd_row_set(row, sl, HD_VL_DROP);
	return row;
}

static void place_lids(struct hd_fabric *fabric, const struct hd_fabric_state *held)
{
	for (uint32_t lid = 0; lid <= fabric->top_lid; lid++)
		fabric->lids[lid] = (struct hd_lid){ .port = HD_NONE, .via_switch = HD_NONE };
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const uint32_t p = fabric->endports[i];
		const struct hd_port *port = &fabric->ports[p];
		struct hd_lid place = { .port = p, .via_switch = HD_NONE };

		if (hd_is_switch(fabric, port->node)) {
			place.via_switch = port->node;
		} else if (held->cable[p] != HD_NONE &&
			   hd_is_switch(fabric, fabric->ports[held->cable[p]].node)) {
			place.via_switch = fabric->ports[held->cable[p]].node;
			place.via_port = fabric->ports[held->cable[p]].number;
		}
		for (uint32_t lid = port->lid; port->lid && lid < port->lid + (1u << port->lmc);
		     lid++)
			if (fabric->lids[lid].port == HD_NONE)
				fabric->lids[lid] = place;
	}
}

static void see_ports(struct hd_fabric_state *held)
{
	struct hd_fabric *fabric = &held->fabric;

	fabric->top_lid = 0;
	held->n_active = 0;
	hd_for_each_port(p, fabric)
		if (held->ports[p].link != HD_NONE)
			held->cable[p] = held->ports[p].link;
	hd_for_each_port(p, fabric) {
		struct hd_port *port = &fabric->ports[p];
		const uint32_t last = held->ports[p].lid + (1u << held->ports[p].lmc) - 1;

		held->active[p] = is_active(held, p);
		held->n_active += held->active[p];
		/* a cable that was plugged in elsewhere has left its old place */
		port->peer = held->cable[p] != HD_NONE && held->cable[held->cable[p]] == p
				     ? held->cable[p]
				     : HD_NONE;
		port->vls = HD_MAX_VLS;
		port->lid = held->ports[p].lid;
		port->lmc = held->ports[p].lmc;
		if ((port->number == 0) != hd_is_switch(fabric, port->node) || last > HD_MAX_LID)
			port->lid = port->lmc = 0;
		if (port->lid && last > fabric->top_lid)
			fabric->top_lid = last;
	}
}

int hd_fabric_state_see(struct hd_fabric_state *held, struct hd_error *err)
{
	struct hd_fabric *fabric = &held->fabric;
	struct hd_tables *tables;
	int ret;

	see_ports(held);
	hd_tables_free(held->tables);
	held->tables = NULL;
	free(fabric->lids);
	fabric->lids = malloc((fabric->top_lid + (size_t)1) * sizeof(*fabric->lids));
	if (!fabric->lids)
		return hd_error_nomem(err);
	place_lids(fabric, held);
	ret = hd_tables_new(fabric, &tables, err);
	if (ret)
		return ret;
	held->tables = tables;
	tables->has_sl2vl = true;
	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric)
			hd_lft(held->tables, s)[lid] = seen_entry(held, s, lid);
	hd_for_each_port(p, fabric) {
		const uint32_t node = fabric->ports[p].node;
		const size_t ins = n_ins(held, node);
		const size_t first = held->rows_first[node] + fabric->ports[p].number * ins;

		for (size_t i = first; i < first + ins; i++)
			held->tables->sl2vl[i] = seen_row(held, i, p);
	}
	held->n_changes = 0;
	held->is_stale = false;
	return 0;
}

/* Changes */

static int note(struct hd_fabric_state *held, enum hd_fabric_state_kind kind, size_t index,
		uint64_t old, uint64_t new, struct hd_error *err)
{
	if (held->n_changes == held->capacity) {
		size_t capacity = held->capacity * 2 + 256;
		void *grown = realloc(held->changes, capacity * sizeof(*held->changes));

		if (!grown)
			return hd_error_nomem(err);
		held->changes = grown;
		held->capacity = capacity;
	}
	held->changes[held->n_changes++] = (struct hd_fabric_state_change){ kind, index, old, new };
	return 0;
}

static int see_entry(struct hd_fabric_state *held, uint32_t s, uint32_t lid, struct hd_error *err)
{
	const size_t index = s * held->tables->lft_stride + lid;
	const uint8_t new = seen_entry(held, s, lid), old = held->tables->lft[index];

	held->tables->lft[index] = new;
	return new == old ? 0 : note(held, HD_STATE_ENTRY, index, old, new, err);
}

static int see_row(struct hd_fabric_state *held, size_t index, uint32_t out, struct hd_error *err)
{
	const hd_sl2vl_row new = seen_row(held, index, out), old = held->tables->sl2vl[index];

	held->tables->sl2vl[index] = new;
	return new == old ? 0 : note(held, HD_STATE_ROW, index, old, new, err);
}

/* The rows of packets that leave by @out. */
static int see_rows(struct hd_fabric_state *held, uint32_t out, struct hd_error *err)
{
	const uint32_t node = held->fabric.ports[out].node;
	const size_t ins = n_ins(held, node);
	const size_t first = held->rows_first[node] + held->fabric.ports[out].number * ins;
	int ret = 0;

	for (size_t i = first; !ret && i < first + ins; i++)
		ret = see_row(held, i, out, err);
	return ret;
}

/* The rows of packets that come in by @in, a port of a switch. */
static int see_rows_from(struct hd_fabric_state *held, uint32_t in, struct hd_error *err)
{
	const struct hd_port *port = &held->fabric.ports[in];
	const struct hd_node *node = &held->fabric.nodes[port->node];
	const size_t ins = n_ins(held, port->node);
	int ret = 0;

	for (unsigned out = 0; !ret && out <= node->n_ports; out++)
		ret = see_row(held, held->rows_first[port->node] + out * ins + port->number,
			      node->first_port + out, err);
	return ret;
}

/*
 * Whether the link of @p is active has changed, perhaps: so have entries and rows of packets there.
 */
static int see_link(struct hd_fabric_state *held, uint32_t p, struct hd_error *err)
{
	const struct hd_fabric *fabric = &held->fabric;
	const struct hd_port *port = &fabric->ports[p];
	const bool new = is_active(held, p);
	int ret;

	if (new == held->active[p])
		return 0;
	ret = note(held, HD_STATE_LINK, p, held->active[p], new, err);
	held->active[p] = new;
	held->n_active = new ? held->n_active + 1 : held->n_active - 1;
	if (!ret)
		ret = see_rows(held, p, err);
	if (!hd_is_switch(fabric, port->node))
		return ret;
	if (!ret)
		ret = see_rows_from(held, p, err);
	for (uint32_t lid = 0; !ret && lid <= fabric->top_lid && lid < held->n_lids; lid++)
		if (held->lfts[port->node * held->n_lids + lid] == port->number)
			ret = see_entry(held, port->node, lid, err);
	return ret;
}

/* The link of @p, and how its other end sees it. */
static int see_both_ends(struct hd_fabric_state *held, uint32_t p, struct hd_error *err)
{
	const uint32_t peer = held->cable[p];
	int ret = see_link(held, p, err);

	return ret || peer == HD_NONE ? ret : see_link(held, peer, err);
}

/* Makes room for @lid in all LFTs. */
static bool make_room(struct hd_fabric_state *held, uint32_t lid)
{
	const size_t n_switches = held->fabric.n_switches;
	size_t n = held->n_lids * 2 > lid ? held->n_lids * 2 : lid + (size_t)1;
	uint8_t *lfts;

	n = (n + LFT_BLOCK - 1) / LFT_BLOCK * LFT_BLOCK;
	lfts = malloc(n_switches * n + 1);
	if (!lfts)
		return false;
	memset(lfts, HD_NO_PATH, n_switches * n);
	for (size_t s = 0; held->lfts && s < n_switches; s++)
		memcpy(lfts + s * n, held->lfts + s * held->n_lids, held->n_lids);
	free(held->lfts);
	held->lfts = lfts;
	held->n_lids = n;
	return true;
}

static int apply_entry(struct hd_fabric_state *held, const struct hd_change *change, uint64_t *old,
		       struct hd_error *err)
{
	uint8_t *entry;

	if (change->lid >= held->n_lids && !make_room(held, change->lid))
		return hd_error_nomem(err);
	entry = &held->lfts[change->node * held->n_lids + change->lid];
	*old = *entry;
	*entry = (uint8_t)change->new;
	return held->is_stale || change->lid > held->fabric.top_lid
		       ? 0
		       : see_entry(held, change->node, change->lid, err);
}

static int apply_top(struct hd_fabric_state *held, const struct hd_change *change, uint64_t *old,
		     struct hd_error *err)
{
	int ret = 0;

	*old = held->tops[change->node];
	held->tops[change->node] = (uint16_t)change->new;
	for (uint32_t lid = 0; !held->is_stale && !ret && lid <= held->fabric.top_lid; lid++)
		ret = see_entry(held, change->node, lid, err);
	return ret;
}

static int apply_rows(struct hd_fabric_state *held, const struct hd_change *change, uint64_t *old,
		      struct hd_error *err)
{
	const struct hd_node *node = &held->fabric.nodes[change->node];
	const size_t ins = n_ins(held, change->node);
	const bool is_switch = hd_is_switch(&held->fabric, change->node);
	const unsigned first_out = change->out == HD_CHANGE_ALL ? 0 : change->out;
	const unsigned last_out = change->out == HD_CHANGE_ALL ? node->n_ports : change->out;
	/* an adapter's ports have one row each */
	const bool all_in = change->in == HD_CHANGE_ALL || !is_switch;
	const size_t first_in = all_in ? 0 : change->in, last_in = all_in ? ins - 1 : change->in;
	int ret = 0;

	*old = change->old;
	for (unsigned out = first_out; out <= last_out; out++)
		for (size_t in = first_in; in <= last_in; in++) {
			hd_sl2vl_row *row =
				&held->rows[held->rows_first[change->node] + out * ins + in];

			if (*row != change->old)
				*old = *row;
			*row = change->new;
		}
	for (unsigned out = first_out; !held->is_stale && !ret && out <= last_out; out++)
		ret = see_rows(held, node->first_port + out, err);
	return ret;
}

static int apply_port(struct hd_fabric_state *held, const struct hd_change *change, uint64_t *old,
		      struct hd_error *err)
{
	struct hd_fabric_state_port *port = &held->ports[change->port];
	const uint32_t peer = held->cable[change->port];
	int ret;

	switch (change->kind) {
	case HD_CHANGE_LINK:
		*old = port->link;
		port->link = (uint32_t)change->new;
		held->is_stale |= port->link != HD_NONE && port->link != peer;
		break;
	case HD_CHANGE_LID:
		*old = port->lid;
		port->lid = (uint16_t)change->new;
		held->has_moved = true;
		return 0;
	case HD_CHANGE_LMC:
		*old = port->lmc;
		port->lmc = (uint8_t)change->new;
		held->has_moved = true;
		return 0;
	case HD_CHANGE_VLS:
		*old = port->vls;
		port->vls = (uint8_t)change->new;
		ret = held->is_stale ? 0 : see_rows(held, change->port, err);
		return ret || held->is_stale || peer == HD_NONE ? ret : see_rows(held, peer, err);
	default:
		*old = port->state;
		port->state = (uint8_t)change->new;
		break;
	}
	return held->is_stale ? 0 : see_both_ends(held, change->port, err);
}

/* Whether a LID that port @p was seen to have is another port's now. */
static bool is_taken(const struct hd_fabric_state *held, uint32_t p)
{
	const struct hd_port *seen = &held->fabric.ports[p];
	const uint32_t end = seen->lid + (1u << seen->lmc);

	for (uint32_t i = 0; seen->lid && i < held->fabric.n_endports; i++) {
		const uint32_t q = held->fabric.endports[i];
		const struct hd_fabric_state_port *port = &held->ports[q];

		if (q != p && port->lid && port->lid < end &&
		    seen->lid < port->lid + (1u << port->lmc))
			return true;
	}
	return false;
}

/*
 * Whether port @p has other LIDs than it was seen to have. Packets to LIDs that it has lost are
 * still sent on as before, and when it comes back, it mostly has the same.
 */
static bool has_others(const struct hd_fabric_state *held, uint32_t p)
{
	const struct hd_port *seen = &held->fabric.ports[p];
	const struct hd_fabric_state_port *port = &held->ports[p];

	if (!port->lid)
		return is_taken(held, p);
	return port->lid != seen->lid || port->lmc != seen->lmc;
}

static void compare_lids(struct hd_fabric_state *held, const struct hd_history_record *record)
{
	for (size_t i = 0; held->has_moved && !held->is_stale && i < record->n_changes; i++) {
		const struct hd_change *change = &record->changes[i];

		if (change->kind == HD_CHANGE_LID || change->kind == HD_CHANGE_LMC)
			held->is_stale = has_others(held, change->port);
	}
}

int hd_fabric_state_apply(struct hd_fabric_state *held, const struct hd_history_record *record,
			  const char *name, struct hd_error *err)
{
	int ret = 0;

	held->n_changes = 0;
	held->has_moved = false;
	for (size_t i = 0; !ret && i < record->n_changes; i++) {
		const struct hd_change *change = &record->changes[i];
		uint64_t old = change->old;

		switch (change->kind) {
		case HD_CHANGE_LFT:
			ret = apply_entry(held, change, &old, err);
			break;
		case HD_CHANGE_TOP:
			ret = apply_top(held, change, &old, err);
			break;
		case HD_CHANGE_SL2VL:
			ret = apply_rows(held, change, &old, err);
			break;
		default:
			ret = apply_port(held, change, &old, err);
			break;
		}
		if (!ret && old != change->old)
			ret = hd_error_at(err, HD_EPARSE, name, change->line,
					  "the node held %" PRIu64
					  " there, but the record says %" PRIu64,
					  old, change->old);
	}
	compare_lids(held, record);
	return ret;
}
