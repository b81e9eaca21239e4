// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/clock.h"
#include "opensm/confirm.h"

#include <string.h>

#include "opensm/lfts.h"
#include "opensm/retries.h"
#include "opensm/plugin.h"

/* Heavy sweeps that are asked for, 1, 2, 4, ... 512 s after one another: 17 minutes. */
#define MAX_TRIES 10u

bool hd_osm_confirm_start(struct hd_osm_confirm *confirm, struct osm_opensm *osm)
{
	confirm->osm = osm;
	return hd_osm_alarm_start(&confirm->alarm, osm);
}

void hd_osm_confirm_stop(struct hd_osm_confirm *confirm)
{
	hd_osm_alarm_stop(&confirm->alarm);
	hd_osm_blocks_clear(&confirm->blocks);
}

void hd_osm_confirm_begin(struct hd_osm_confirm *confirm)
{
	confirm->n_rows = 0;
	confirm->n_blocks = 0;
	confirm->physp = NULL;
	hd_osm_blocks_clear(&confirm->blocks);
}

static ib_slvl_table_t masked_row(const ib_slvl_table_t *row, const osm_physp_t *physp)
{
	ib_slvl_table_t masked = *row;
	unsigned mask = hd_osm_vl_mask(physp);

	for (uint8_t sl = 0; sl < HD_MAX_SLS; sl++) {
		uint8_t vl = ib_slvl_table_get(row, sl);

		if (vl != HD_VL_DROP)
			ib_slvl_table_set(&masked, sl, (uint8_t)(vl & mask));
	}
	return masked;
}

bool hd_osm_is_zero(const void *data, size_t size)
{
	const unsigned char *bytes = data;

	for (size_t i = 0; i < size; i++)
		if (bytes[i])
			return false;
	return true;
}

/*
 * OpenSM has zeroed the row or block that was handed out last, and will send it: this writes ones
 * there until its answer comes. A row of ones is no row of zeros; a block of ones is none that a
 * port could have, so blocks can be judged without knowing what was wanted.
 */
static void mark_last(struct hd_osm_confirm *confirm)
{
	ib_slvl_table_t *row;

	if (!confirm->physp)
		return;
	row = osm_physp_get_slvl_tbl(confirm->physp, confirm->in);
	if (confirm->block)
		hd_osm_block_mark(confirm->block);
	else if (hd_osm_is_zero(row, sizeof(*row)))
		memset(row, 0xff, sizeof(*row));
	confirm->physp = NULL;
}

static bool is_forced(const struct hd_osm_confirm *confirm, const osm_physp_t *physp)
{
	return physp->need_update || confirm->osm->subn.need_update;
}

void hd_osm_confirm_row(struct hd_osm_confirm *confirm, osm_physp_t *physp, uint8_t in,
			const ib_slvl_table_t *row)
{
	ib_slvl_table_t *kept = osm_physp_get_slvl_tbl(physp, in);
	ib_slvl_table_t wanted = masked_row(row, physp);

	mark_last(confirm);
	if (!is_forced(confirm, physp) && !memcmp(kept, &wanted, sizeof(wanted)))
		return;
	confirm->n_rows++;
	if (!hd_osm_is_zero(&wanted, sizeof(wanted)))
		return;
	confirm->physp = physp;
	confirm->in = in;
	confirm->block = NULL;
}

void hd_osm_confirm_block(struct hd_osm_confirm *confirm, osm_physp_t *physp, unsigned block_num,
			  const ib_vl_arb_table_t *block, unsigned length)
{
	ib_vl_arb_table_t *kept = &physp->vl_arb[block_num], wanted = *block;
	unsigned mask = hd_osm_vl_mask(physp);

	mark_last(confirm);
	if (length > IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK)
		return;
	for (unsigned i = 0; i < length; i++)
		wanted.vl_entry[i].vl &= (uint8_t)mask;
	if (!is_forced(confirm, physp) &&
	    !memcmp(kept, &wanted, length * sizeof(wanted.vl_entry[0])))
		return;
	confirm->n_blocks++;
	hd_osm_blocks_note(&confirm->blocks, physp, block_num, &wanted);
	confirm->physp = physp;
	confirm->in = 0;
	confirm->block = kept;
}

/* How many rows and blocks are not confirmed, and where the first one is. */
struct findings {
	size_t n_rows, n_blocks, n_lfts; /* rows, VL arbitration blocks, LFT blocks */
	uint32_t first_port;             /* index in ports[] */
};

/* Sends Set(SLtoVLMappingTable), as osm_qos.c makes it; the answer goes into OpenSM's table. */
static void send_row(struct osm_opensm *osm, osm_physp_t *physp, unsigned in,
		     const ib_slvl_table_t *row)
{
	osm_node_t *node = osm_physp_get_node_ptr(physp);
	osm_physp_t *keeper = node->sw ? osm_node_get_physp_ptr(node, 0) : physp;
	osm_madw_context_t context = { 0 };
	uint32_t modifier = node->sw ? in << 8 | osm_physp_get_port_num(physp) : 0;

	context.slvl_context.node_guid = osm_node_get_node_guid(node);
	context.slvl_context.port_guid = osm_physp_get_port_guid(physp);
	context.slvl_context.set_method = TRUE;
	osm_req_set(&osm->sm, osm_physp_get_dr_path_ptr(physp), (const uint8_t *)row, sizeof(*row),
		    IB_MAD_ATTR_SLVL_TABLE, cl_hton32(modifier), FALSE,
		    ib_port_info_get_m_key(&keeper->port_info), 0, CL_DISP_MSGID_NONE, &context);
}

void hd_osm_confirm_ask(struct osm_opensm *osm, osm_physp_t *physp, unsigned in)
{
	const osm_node_t *node = osm_physp_get_node_ptr(physp);
	const osm_physp_t *keeper =
		node->sw ? osm_node_get_physp_ptr((osm_node_t *)node, 0) : physp;
	osm_madw_context_t context = { 0 };
	uint32_t modifier = node->sw ? in << 8 | osm_physp_get_port_num(physp) : 0;

	context.slvl_context.node_guid = osm_node_get_node_guid(node);
	context.slvl_context.port_guid = osm_physp_get_port_guid(physp);
	context.slvl_context.set_method = FALSE;
	osm_req_get(&osm->sm, osm_physp_get_dr_path_ptr(physp), IB_MAD_ATTR_SLVL_TABLE,
		    cl_hton32(modifier), FALSE, ib_port_info_get_m_key(&keeper->port_info), 0,
		    CL_DISP_MSGID_NONE, &context);
}

void hd_osm_confirm_ask_again(struct hd_osm_confirm *confirm, osm_physp_t *physp, unsigned in)
{
	confirm->n_rows++;
	memset(osm_physp_get_slvl_tbl(physp, (uint8_t)in), 0xff, sizeof(ib_slvl_table_t));
	hd_osm_confirm_ask(confirm->osm, physp, in);
}

/*
 * What is done about rows that are not confirmed. Ports whose links are down are looked at only to
 * forget their rows: a link may have been up when a Set was sent, and be up again soon.
 */
enum action { COUNT, SEND, FORGET };

static void find(struct findings *findings, size_t *n, uint32_t port)
{
	if (!findings->n_rows && !findings->n_blocks && !findings->n_lfts)
		findings->first_port = port;
	(*n)++;
}

static void visit_rows(struct osm_opensm *osm, const struct hd_osm_engine *engine, uint32_t port,
		       osm_physp_t *physp, enum action action, struct findings *findings)
{
	const struct hd_port *ours = &engine->fabric->ports[port];
	bool is_switch = hd_is_switch(engine->fabric, ours->node);
	unsigned last = is_switch ? engine->fabric->nodes[ours->node].n_ports : 0;

	for (unsigned in = 0; in <= last; in++) {
		ib_slvl_table_t *kept = osm_physp_get_slvl_tbl(physp, (uint8_t)in), wanted;
		/* no packet comes in there before a sweep that finds the link and sends the row */
		const bool is_dark = in && hd_peer_node(engine->fabric, ours->node, in) == HD_NONE;

		if (is_dark && action != FORGET)
			continue;
		if (!hd_osm_engine_row(engine, port, in, is_switch ? ours->number : 0, &wanted))
			continue;
		wanted = masked_row(&wanted, physp);
		if (!memcmp(kept, &wanted, sizeof(wanted)))
			continue;
		if (action == FORGET)
			memset(kept, 0xff, sizeof(*kept));
		else
			find(findings, &findings->n_rows, port);
		if (action == SEND)
			send_row(osm, physp, in, &wanted);
	}
}

/*
 * Judges blocks. A second block of full length is not compared by osm_qos.c: the next sweep sends it
 * by force alone.
 */
static void visit_blocks(uint32_t port, osm_physp_t *physp, enum action action,
			 struct findings *findings)
{
	for (unsigned i = 0; i < sizeof(physp->vl_arb) / sizeof(physp->vl_arb[0]); i++) {
		if (!hd_osm_block_is_marked(&physp->vl_arb[i]))
			continue;
		if (action == FORGET)
			physp->need_update = 2;
		else
			find(findings, &findings->n_blocks, port);
	}
}

/*
 * Judges a port as OpenSM programs it: when the port is not down, and SL2VL where the node has the
 * capability.
 */
static void visit_port(struct osm_opensm *osm, const struct hd_osm_engine *engine,
		       const osm_node_t *node, uint32_t port, enum action action,
		       struct findings *findings)
{
	osm_physp_t *physp =
		osm_node_get_physp_ptr((osm_node_t *)node, engine->fabric->ports[port].number);
	const osm_physp_t *manager =
		node->sw ? osm_node_get_physp_ptr((osm_node_t *)node, 0) : physp;

	if (!physp || !manager ||
	    (action != FORGET && osm_physp_get_port_state(physp) == IB_LINK_DOWN))
		return;
	if (manager->port_info.capability_mask & IB_PORT_CAP_HAS_SL_MAP)
		visit_rows(osm, engine, port, physp, action, findings);
	visit_blocks(port, physp, action, findings);
}

/* Finds LFT blocks that are not confirmed. */
static void visit_lfts(struct osm_opensm *osm, const struct hd_fabric *fabric, bool send,
		       struct findings *findings)
{
	const osm_switch_t *first;
	uint32_t s;

	findings->n_lfts = hd_osm_lfts_unconfirmed(osm, send, &first);
	s = first ? hd_osm_find_switch(fabric, first) : HD_NONE;
	findings->first_port = s == HD_NONE ? 0 : hd_port_index(fabric, s, 0);
}

/* Finds everything that is not confirmed; for SEND, its Sets are sent again. */
static struct findings visit(const struct hd_osm_confirm *confirm,
			     const struct hd_osm_engine *engine, enum action action)
{
	struct osm_opensm *osm = confirm->osm;
	const struct hd_fabric *fabric = engine->fabric;
	/* where no row was sent, what was confirmed is still there */
	const bool rows_too = confirm->n_rows || confirm->n_blocks;
	struct findings findings = { .first_port = 0 };

	cl_plock_excl_acquire(&osm->lock);
	if (confirm->with_lfts && action != FORGET)
		visit_lfts(osm, fabric, action == SEND, &findings);
	for (uint32_t n = 0; rows_too && n < fabric->n_nodes; n++) {
		const osm_node_t *node =
			osm_get_node_by_guid(&osm->subn, cl_hton64(fabric->nodes[n].guid));
		bool port0 = hd_is_switch(fabric, n) && fabric->nodes[n].enhanced_port0;

		if (!node || (node->sw != NULL) != hd_is_switch(fabric, n))
			continue;
		for (unsigned number = port0 ? 0 : 1; number <= fabric->nodes[n].n_ports; number++)
			if (!number || action == FORGET ||
			    hd_peer_node(fabric, n, number) != HD_NONE)
				visit_port(osm, engine, node, hd_port_index(fabric, n, number),
					   action, &findings);
	}
	if (action == SEND)
		hd_osm_blocks_send(&confirm->blocks, osm);
	cl_plock_release(&osm->lock);
	return findings;
}

/* Whether what is not confirmed is part of what was proved: shares of links are not. */
static bool is_unproved(const struct findings *findings)
{
	return findings->n_rows || findings->n_lfts;
}

/* Logs what is not confirmed, and has OpenSM sweep again, unless that was asked for before. */
static void try_again(struct hd_osm_confirm *confirm, const struct hd_osm_engine *engine,
		      const struct findings *findings)
{
	unsigned delay = 1u << confirm->tries;
	char label[320], plan[80] = "not sweeping again for that", lfts[40] = "";

	if (hd_osm_alarm_is_set(&confirm->alarm)) {
		snprintf(plan, sizeof(plan), "sweeping again later (try %u of %u)", confirm->tries,
			 MAX_TRIES);
	} else if (confirm->tries < MAX_TRIES) {
		confirm->tries++;
		hd_osm_alarm_set(&confirm->alarm, delay * 1000);
		snprintf(plan, sizeof(plan), "sweeping again in %u s (try %u of %u)", delay,
			 confirm->tries, MAX_TRIES);
	}
	if (findings->n_lfts)
		snprintf(lfts, sizeof(lfts), "%zu LFT blocks, ", findings->n_lfts);
	hd_port_label(engine->fabric, findings->first_port, label, sizeof(label));
	osm_log(&confirm->osm->log, OSM_LOG_ERROR,
		"heddle: engine %s: %s%zu SL2VL rows and %zu VL arbitration blocks unconfirmed "
		"(first: %s): their Sets were lost or answered with other values, and %s; %s\n",
		engine->name, lfts, findings->n_rows, findings->n_blocks, label,
		is_unproved(findings) ? "the switches do not have the proved tables"
				      : "routes and lanes are the proved ones, shares are not",
		plan);
}

/* Everything is confirmed: there is nothing to do any more. */
static void rest(struct hd_osm_confirm *confirm)
{
	hd_osm_alarm_clear(&confirm->alarm);
	confirm->tries = 0;
	confirm->was_lost = false;
}

/*
 * The last row of all could not be marked in time. If it is zero, it is sent once more. Of the last
 * block nothing is known; wherever nodes have SL2VL tables, a row follows it.
 */
static bool settle_last(struct hd_osm_confirm *confirm)
{
	static const ib_slvl_table_t zeros;
	osm_physp_t *physp = confirm->physp;

	if (!physp || confirm->block)
		return true;
	cl_plock_excl_acquire(&confirm->osm->lock);
	mark_last(confirm);
	send_row(confirm->osm, physp, confirm->in, &zeros);
	cl_plock_release(&confirm->osm->lock);
	return !hd_osm_wait(confirm->osm);
}

/* Sends everything again while that helps. False: OpenSM exits. */
static bool send_again(struct hd_osm_confirm *confirm, const struct hd_osm_engine *engine,
		       struct findings *findings)
{
	struct hd_osm_patience patience = { .last = 0 };

	while (hd_osm_patience_lasts(&patience,
				     findings->n_rows + findings->n_lfts + findings->n_blocks)) {
		visit(confirm, engine, SEND);
		if (hd_osm_wait(confirm->osm))
			return false;
		*findings = visit(confirm, engine, COUNT);
	}
	return true;
}

bool hd_osm_confirm_settle(struct hd_osm_confirm *confirm, const struct hd_osm_engine *engine)
{
	struct findings findings = { 0 };

	confirm->n_missed = 0;
	confirm->is_unproved = false;
	if (!engine) {
		rest(confirm);
		return true;
	}
	if (confirm->n_rows || confirm->n_blocks || confirm->with_lfts) {
		if (!settle_last(confirm))
			return false;
		findings = visit(confirm, engine, COUNT);
		confirm->n_missed = findings.n_rows + findings.n_lfts;
		if (!send_again(confirm, engine, &findings))
			return false;
		visit(confirm, engine, FORGET);
	}
	if (findings.n_rows || findings.n_blocks || findings.n_lfts) {
		try_again(confirm, engine, &findings);
		confirm->was_lost = true;
		confirm->is_unproved = is_unproved(&findings);
		return !confirm->is_unproved;
	}
	if (confirm->was_lost)
		osm_log(&confirm->osm->log, OSM_LOG_INFO,
			"heddle: engine %s: all SL2VL rows and VL arbitration blocks are "
			"confirmed\n",
			engine->name);
	rest(confirm);
	return true;
}
