// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/programmed.h"

#include "manager/patience.h"
#include "opensm/lfts.h"
#include "opensm/smps.h"
#include "opensm/subnet.h"
#include "opensm/unanswered.h"
#include "opensm/waiting.h"
#include "support/clock.h"
#include "support/error.h"

/* Whether packets go to and from the port: a switch's own port is as active as its others. */
static bool is_active(const osm_port_t *port)
{
	if (!port->p_physp || !port->discovery_count)
		return false;
	return port->p_node->sw ? hd_osm_is_lit(port->p_node)
				: osm_physp_get_port_state(port->p_physp) == IB_LINK_ACTIVE;
}

/* Notes the LIDs that ports have; false: there is no memory for that. */
static bool note_lids(struct hd_discovered *held, struct osm_opensm *osm)
{
	cl_qmap_t *map = &osm->subn.port_guid_tbl;

	if (!hd_discovered_begin(held, cl_qmap_count(map)))
		return false;
	hd_osm_for_each_port(port, osm) {
		if (is_active(port) && osm_physp_get_base_lid(port->p_physp))
			hd_discovered_note(held, cl_ntoh64(osm_port_get_guid(port)),
					   cl_ntoh16(osm_physp_get_base_lid(port->p_physp)),
					   ib_port_info_get_lmc(&port->p_physp->port_info));
	}
	return true;
}

/* Whether data port @number of @node carries packets. */
static bool is_up(const osm_node_t *node, uint32_t number)
{
	const osm_physp_t *physp = osm_node_get_physp_ptr((osm_node_t *)node, number);

	return physp && osm_physp_get_port_state(physp) == IB_LINK_ACTIVE;
}

/* What is done to rows that are not known. */
enum pass { MARK, ASK, COUNT };

/*
 * Whether what OpenSM keeps of a row is no answer: the port is new to OpenSM, which sends the row
 * whatever is kept. And where another engine has routed, nobody has looked at answers
 * (opensm/confirm.h): a row of zeros may be a Set without one.
 */
static bool is_doubtful(const osm_physp_t *physp, const ib_slvl_table_t *row, bool is_foreign)
{
	return physp->need_update || (is_foreign && hd_osm_is_zero(row, sizeof(*row)));
}

/* The same of VL arbitration, which is not asked for: OpenSM is to send it whatever is kept. */
static void force_doubtful_blocks(osm_physp_t *physp)
{
	const ib_port_info_t *info = &physp->port_info;

	if ((info->vl_arb_low_cap && hd_osm_is_zero(&physp->vl_arb[0], sizeof(physp->vl_arb[0]))) ||
	    (info->vl_arb_high_cap && hd_osm_is_zero(&physp->vl_arb[2], sizeof(physp->vl_arb[2]))))
		physp->need_update = 1;
}

static size_t visit_port_rows(struct hd_osm_plugin *plugin, const osm_node_t *node,
			      osm_physp_t *physp, enum pass pass)
{
	const uint32_t end = node->sw ? osm_node_get_num_physp(node) : 1;
	size_t n = 0;

	for (uint32_t in = 0; in < end; in++) {
		ib_slvl_table_t *row = osm_physp_get_slvl_tbl(physp, (uint8_t)in);

		if (in && !is_up(node, in))
			continue;
		if (pass == MARK && is_doubtful(physp, row, !plugin->transition.last))
			hd_osm_put_row(hd_row_all(HD_VL_DROP), row); /* until it has answered */
		if (hd_osm_get_row(row) != hd_row_all(HD_VL_DROP))
			continue;
		n++;
		if (pass == ASK)
			hd_osm_get_row_of(plugin->osm, physp, in);
	}
	return n;
}

/* Visits the rows between active ports; how many are not known. */
static size_t visit_rows(struct hd_osm_plugin *plugin, enum pass pass)
{
	struct osm_opensm *osm = plugin->osm;
	size_t n = 0;

	cl_plock_excl_acquire(&osm->lock);
	hd_osm_for_each_node(node, osm) {
		const uint32_t last = osm_node_get_num_physp(node);

		for (uint32_t out = 1; node->discovery_count && out < last; out++) {
			osm_physp_t *physp = osm_node_get_physp_ptr(node, out);

			if (!is_up(node, out) || !hd_osm_manager(physp))
				continue;
			if (pass == MARK && !plugin->transition.last)
				force_doubtful_blocks(physp);
			if (hd_osm_has_rows(physp))
				n += visit_port_rows(plugin, node, physp, pass);
		}
	}
	cl_plock_release(&osm->lock);
	return n;
}

static void read_rows(struct hd_osm_plugin *plugin)
{
	struct hd_patience patience = { .last = 0 };
	size_t n = visit_rows(plugin, MARK);

	while (hd_patience_lasts(&patience, n, hd_seconds())) {
		visit_rows(plugin, ASK);
		if (hd_osm_wait(plugin->osm))
			return;
		n = visit_rows(plugin, COUNT);
	}
	if (n)
		osm_log(&plugin->osm->log, OSM_LOG_ERROR,
			"heddle: could not read %zu SL2VL rows between ports in use, assumed to "
			"drop all packets: transient loops are possible until the change is over\n",
			n);
}

void hd_osm_programmed_read(struct hd_osm_plugin *plugin)
{
	struct osm_opensm *osm = plugin->osm;
	size_t n_silent, n_short, n_unknown;
	bool is_noted;

	hd_discovered_clear(&plugin->held);
	if (!hd_osm_late_answers_wait(plugin) ||
	    !hd_osm_sleep_until(plugin->transition.rollout.drained))
		return;
	if (!hd_osm_unanswered_ask(plugin, &n_unknown))
		return;
	cl_plock_acquire(&osm->lock);
	is_noted = note_lids(&plugin->held, osm);
	cl_plock_release(&osm->lock);
	plugin->held.n_unknown = n_unknown;
	if (!is_noted)
		osm_log(&osm->log, OSM_LOG_ERROR,
			"heddle: out of memory: the old LIDs are unknown: if LIDs change, "
			"transient loops are possible until the change is over\n");
	if (!hd_osm_lfts_read(osm, &n_silent, &n_short))
		return;
	if (n_short)
		osm_log(&osm->log, OSM_LOG_ERROR,
			"heddle: out of memory: could not read the LFTs of %zu switches in use, "
			"assumed to be empty: transient loops are possible until the change is "
			"over\n",
			n_short);
	if (n_silent)
		osm_log(&osm->log, OSM_LOG_ERROR,
			"heddle: could not read %zu LFT blocks of switches in use, assumed to be "
			"empty: transient loops are possible until the change is over\n",
			n_silent);
	if (osm->subn.opt.qos)
		read_rows(plugin);
}

/*
 * Rows of one out-port, or of an adapter's port: those that OpenSM programs. Between ports that are
 * not both active there are no packets, and the new row is there before they are.
 */
static void fill_rows(const osm_node_t *node, osm_physp_t *physp, uint32_t n,
		      const struct hd_tables *goal, struct hd_tables *before)
{
	const struct hd_fabric *fabric = goal->fabric;
	const unsigned number = osm_physp_get_port_num(physp);
	const unsigned mask = hd_osm_vl_mask(physp);
	const unsigned last = node->sw ? fabric->nodes[n].n_ports : 0;

	for (unsigned in = 0; in <= last; in++) {
		const size_t row = node->sw ? hd_sl2vl_index(goal, n, in, number)
					    : hd_sl2vl_host_index(goal, n, number);

		if (in && (hd_peer_node(fabric, n, in) == HD_NONE || !is_up(node, in)))
			continue;
		hd_node_tables_set_row(before, goal, row,
				       hd_osm_get_row(osm_physp_get_slvl_tbl(physp, (uint8_t)in)),
				       mask);
	}
}

static void fill_node(osm_node_t *node, uint32_t n, const struct hd_tables *goal,
		      struct hd_tables *before)
{
	hd_for_each_number(number, goal->fabric, n)
		if (number < osm_node_get_num_physp(node) && is_up(node, number) &&
		    hd_osm_has_rows(osm_node_get_physp_ptr(node, number)) &&
		    hd_peer_node(goal->fabric, n, number) != HD_NONE)
			fill_rows(node, osm_node_get_physp_ptr(node, number), n, goal, before);
}

int hd_osm_programmed_tables(struct hd_osm_plugin *plugin, const struct hd_tables *goal,
			     const struct hd_tables *last, struct hd_tables **before, bool *any_lit,
			     struct hd_error *err)
{
	struct osm_opensm *osm = plugin->osm;
	const struct hd_fabric *fabric = goal->fabric;
	int ret = hd_node_tables(goal, last, before, err);

	*any_lit = false;
	if (ret)
		return ret;
	hd_for_each_node(n, fabric) {
		osm_node_t *node = hd_osm_find_node(osm, fabric, n);

		if (!node)
			continue;
		if (node->sw) {
			const bool is_lit = hd_osm_is_lit(node);

			*any_lit |= is_lit;
			hd_node_tables_set_lft(*before, goal, n, is_lit ? node->sw->lft : NULL,
					       node->sw->lft_size);
		}
		if (osm->subn.opt.qos)
			fill_node(node, n, goal, *before);
	}
	return 0;
}
