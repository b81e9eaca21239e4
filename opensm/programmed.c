// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/programmed.h"

#include <stdlib.h>
#include <string.h>

#include "manager/patience.h"
#include "opensm/arbitration.h"
#include "opensm/lfts.h"
#include "opensm/logging.h"
#include "opensm/rows.h"
#include "opensm/smps.h"
#include "opensm/subnet.h"
#include "opensm/unanswered.h"
#include "opensm/waiting.h"
#include "support/error.h"

/* Whether packets may go to and from the port: a switch's own port is as lit as its others. */
static bool is_lit(const osm_port_t *port)
{
	if (!port->p_physp || !port->discovery_count)
		return false;
	return port->p_node->sw ? hd_osm_is_lit(port->p_node) : hd_osm_port_is_lit(port->p_physp);
}

/* Notes the LIDs that ports have; false: there is no memory for that. */
static bool note_lids(struct hd_discovered *found, struct osm_opensm *osm)
{
	cl_qmap_t *map = &osm->subn.port_guid_tbl;

	if (!hd_discovered_make_room(found, cl_qmap_count(map)))
		return false;
	hd_osm_for_each_port(port, osm) {
		if (is_lit(port) && osm_physp_get_base_lid(port->p_physp))
			hd_discovered_note(found, cl_ntoh64(osm_port_get_guid(port)),
					   cl_ntoh16(osm_physp_get_base_lid(port->p_physp)),
					   ib_port_info_get_lmc(&port->p_physp->port_info));
	}
	return true;
}

/* What is done to rows that are not known. */
enum action { MARK, ASK, COUNT };

/*
 * Whether what OpenSM keeps of a row is no answer: the port is new to OpenSM, which sends the row
 * whatever is kept. And where another engine has routed, nobody has looked at answers
 * (opensm/confirm.h): a row of zeros may be a Set without one.
 */
static bool is_doubtful(const osm_physp_t *physp, const ib_slvl_table_t *row, bool is_foreign)
{
	return physp->need_update || (is_foreign && !hd_row_from_mad(row->raw_vl_by_sl));
}

/* The same of VL arbitration, which is not asked for: OpenSM is to send it whatever is kept. */
static void force_doubtful_blocks(osm_physp_t *physp)
{
	const ib_port_info_t *info = &physp->port_info;

	if ((info->vl_arb_low_cap && hd_osm_block_is_zero(&physp->vl_arb[0])) ||
	    (info->vl_arb_high_cap && hd_osm_block_is_zero(&physp->vl_arb[2])))
		physp->need_update = 1;
}

/* Rows between lit ports that are not known. */
struct unknown_rows {
	struct hd_patience patience;
	bool is_foreign; /* another engine has routed */
	bool *any;       /* [place in OpenSM's map of nodes] the node had any when all were marked;
			    or NULL */
	size_t n_nodes;  /* in the map */
	size_t n;
	struct hd_osm_rows *noted;
};

static size_t visit_port(const struct unknown_rows *rows, struct osm_opensm *osm, osm_node_t *node,
			 const struct hd_osm_lit *lit, osm_physp_t *physp, enum action action)
{
	const hd_sl2vl_row unknown = hd_row_all(HD_VL_DROP); /* until it has answered */
	const uint32_t end = node->sw ? osm_node_get_num_physp(node) : 1;
	size_t n = 0;

	for (uint32_t in = 0; in < end; in++) {
		ib_slvl_table_t *row = osm_physp_get_slvl_tbl(physp, (uint8_t)in);

		if (in && !lit->is[in])
			continue;
		if (action == MARK && is_doubtful(physp, row, rows->is_foreign))
			hd_row_to_mad(unknown, row->raw_vl_by_sl);
		if (hd_row_from_mad(row->raw_vl_by_sl) != unknown)
			continue;
		n++;
		if (action == ASK)
			hd_osm_send_row(osm, physp, in, NULL);
	}
	return n;
}

/*
 * Rows between ports that are not both lit are not asked for. But another engine may have sent
 * them while they were, so what is kept does not count either when the ports are lit again.
 */
static void mark_dark_rows(osm_node_t *node, const struct hd_osm_lit *lit, osm_physp_t *physp)
{
	const bool is_lit = lit->is[osm_physp_get_port_num(physp)];
	const uint32_t end = node->sw ? osm_node_get_num_physp(node) : 1;

	for (uint32_t in = 0; in < end; in++) {
		ib_slvl_table_t *row = osm_physp_get_slvl_tbl(physp, (uint8_t)in);

		if ((!is_lit || (in && !lit->is[in])) && is_doubtful(physp, row, true))
			hd_row_to_mad(hd_row_all(HD_VL_DROP), row->raw_vl_by_sl);
	}
}

/* Visits rows of @node; returns how many are unknown. */
static size_t visit_node(const struct unknown_rows *rows, struct osm_opensm *osm, osm_node_t *node,
			 enum action action)
{
	struct hd_osm_lit lit;
	size_t n = 0;

	hd_osm_find_lit(node, &lit);
	hd_osm_for_each_physp(physp, node)
	{
		const unsigned out = osm_physp_get_port_num(physp);

		if (action == MARK && rows->is_foreign && out && hd_osm_has_rows(physp))
			mark_dark_rows(node, &lit, physp);
		if (!node->discovery_count || !out || !lit.is[out] || !hd_osm_manager(physp))
			continue;
		if (action == MARK && rows->is_foreign)
			force_doubtful_blocks(physp);
		if (hd_osm_has_rows(physp))
			n += visit_port(rows, osm, node, &lit, physp, action);
	}
	return n;
}

static size_t look(void *context, struct osm_opensm *osm, bool sends)
{
	struct unknown_rows *rows = context;
	const enum action action = sends ? ASK : rows->patience.rounds ? COUNT : MARK;
	const bool is_known = rows->any && cl_qmap_count(&osm->subn.node_guid_tbl) == rows->n_nodes;
	size_t i = 0;

	rows->n = 0;
	hd_osm_for_each_node(node, osm) {
		size_t n = 0;

		if (action == MARK || !is_known || rows->any[i])
			n = visit_node(rows, osm, node, action);
		if (action == MARK && is_known)
			rows->any[i] = n;
		/* those of this node are in the cache now */
		if (action == MARK)
			hd_osm_rows_note(rows->noted, i, node);
		rows->n += n;
		i++;
	}
	return rows->n;
}

/* Notes what was answered since all rows were marked. */
static void note_answers(const struct unknown_rows *rows, struct osm_opensm *osm)
{
	size_t i = 0;

	hd_osm_for_each_node(node, osm) {
		if (rows->any[i])
			hd_osm_rows_note(rows->noted, i, node);
		i++;
	}
}

/* False: OpenSM exits. */
static bool read_rows(struct hd_osm_plugin *plugin)
{
	struct osm_opensm *osm = plugin->osm;
	struct unknown_rows rows = {
		.is_foreign = !plugin->transition.last,
		.noted = &plugin->rows,
	};
	bool goes_on;

	cl_plock_acquire(&osm->lock);
	rows.n_nodes = cl_qmap_count(&osm->subn.node_guid_tbl);
	hd_osm_rows_make_room(rows.noted, osm);
	cl_plock_release(&osm->lock);
	rows.any = calloc(rows.n_nodes + 1, sizeof(*rows.any));
	goes_on = hd_osm_insist(osm, &rows.patience, look, &rows);
	cl_plock_acquire(&osm->lock);
	if (goes_on && rows.any && cl_qmap_count(&osm->subn.node_guid_tbl) == rows.n_nodes)
		note_answers(&rows, osm);
	else
		hd_osm_rows_forget(rows.noted);
	cl_plock_release(&osm->lock);
	free(rows.any);
	if (goes_on)
		plugin->discovered.n_unread_rows = rows.n;
	return goes_on;
}

void hd_osm_programmed_read(struct hd_osm_plugin *plugin)
{
	struct osm_opensm *osm = plugin->osm;
	struct hd_discovered *found = &plugin->discovered;
	char text[400];

	hd_discovered_clear(found);
	hd_osm_rows_forget(&plugin->rows);
	if (!hd_osm_sleep_until(plugin->sets.end) ||
	    !hd_osm_sleep_until(plugin->transition.rollout.drained) ||
	    !hd_osm_unanswered_ask(plugin))
		return;
	cl_plock_acquire(&osm->lock);
	found->lacks_lids = !note_lids(found, osm);
	cl_plock_release(&osm->lock);
	if (!hd_osm_lfts_read(osm, found) || (osm->subn.opt.qos && !read_rows(plugin)))
		return;
	for (unsigned i = 0; hd_discovered_complaint(found, i, text, sizeof(text)); i++)
		hd_osm_log(osm, OSM_LOG_ERROR, "%s", text);
}

/*
 * Rows of one out-port, or of an adapter's port: those that OpenSM programs. Between ports that are
 * not both lit there are no packets; and the new row is there before they are, since a link stays
 * down until its switches have confirmed (opensm/held_links.h). @noted: what was noted of them;
 * NULL: OpenSM's copies are read.
 */
static void fill_rows(osm_node_t *node, const struct hd_osm_lit *lit, osm_physp_t *physp,
		      uint32_t n, const hd_sl2vl_row *noted, const struct hd_tables *goal,
		      struct hd_tables *before)
{
	const struct hd_fabric *fabric = goal->fabric;
	const unsigned number = osm_physp_get_port_num(physp);
	const unsigned mask = hd_osm_vl_mask(physp);
	const unsigned last = node->sw ? fabric->nodes[n].n_ports : 0;
	const size_t first = hd_sl2vl_row_index(goal, n, 0, number);

	/* nearly all are the goal's, and are there */
	if (noted && memcmp(noted, &goal->sl2vl[first], (last + 1) * sizeof(*noted)) == 0)
		return;
	for (unsigned in = 0; in <= last; in++) {
		hd_sl2vl_row is;

		if (in && (!lit->is[in] || hd_peer_node(fabric, n, in) == HD_NONE))
			continue;
		is = noted ? noted[in]
			   : hd_row_from_mad(
				     osm_physp_get_slvl_tbl(physp, (uint8_t)in)->raw_vl_by_sl);
		if (is != goal->sl2vl[first + in])
			hd_node_tables_set_row(before, goal, first + in, is, mask);
	}
}

static void fill_node(const struct hd_osm_rows *rows, size_t place, osm_node_t *node, uint32_t n,
		      const struct hd_tables *goal, struct hd_tables *before)
{
	struct hd_osm_lit lit;

	hd_osm_find_lit(node, &lit);
	hd_osm_for_each_physp(physp, node)
	{
		const unsigned number = osm_physp_get_port_num(physp);

		if (number && number <= goal->fabric->nodes[n].n_ports && lit.is[number] &&
		    hd_osm_has_rows(physp) && hd_peer_node(goal->fabric, n, number) != HD_NONE)
			fill_rows(node, &lit, physp, n, hd_osm_rows_of(rows, place, node, number),
				  goal, before);
	}
}

/* Whether some switch carries packets. */
static bool any_is_lit(struct osm_opensm *osm, const struct hd_fabric *fabric)
{
	hd_for_each_switch(s, fabric) {
		osm_node_t *node = hd_osm_find_node(osm, fabric, s);

		if (node && hd_osm_is_lit(node))
			return true;
	}
	return false;
}

int hd_osm_programmed_tables(struct hd_osm_plugin *plugin, const struct hd_tables *goal,
			     const struct hd_tables *last, struct hd_tables **before,
			     struct hd_error *err)
{
	struct osm_opensm *osm = plugin->osm;
	const struct hd_fabric *fabric = goal->fabric;
	size_t place = 0;
	int ret;

	*before = NULL;
	if (!any_is_lit(osm, fabric))
		return 0;
	ret = hd_node_tables(goal, last, before, err);
	if (ret)
		return ret;
	hd_osm_for_each_node(node, osm) {
		const uint32_t n = hd_osm_find_index(fabric, node);

		if (n != HD_NONE && node->sw)
			hd_node_tables_set_lft(*before, goal, n,
					       hd_osm_is_lit(node) ? node->sw->lft : NULL,
					       node->sw->lft_size);
		if (n != HD_NONE && osm->subn.opt.qos)
			fill_node(&plugin->rows, place, node, n, goal, *before);
		place++;
	}
	/* from now on Sets of rows are sent */
	hd_osm_rows_forget(&plugin->rows);
	return 0;
}
