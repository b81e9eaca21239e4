// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/confirm.h"

#include <string.h>

#include "manager/patience.h"
#include "manager/unconfirmed.h"
#include "opensm/arbitration.h"
#include "opensm/lfts.h"
#include "opensm/logging.h"
#include "opensm/plugin.h"
#include "opensm/sm.h"
#include "opensm/smps.h"
#include "opensm/subnet.h"
#include "opensm/waiting.h"

void hd_osm_confirm_begin(struct hd_osm_confirm *confirm)
{
	confirm->n_rows = 0;
	confirm->n_blocks = 0;
	confirm->physp = NULL;
	hd_sent_blocks_clear(&confirm->blocks);
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
	else if (!hd_row_from_mad(row->raw_vl_by_sl))
		memset(row, 0xff, sizeof(*row));
	confirm->physp = NULL;
}

static bool is_forced(const struct hd_osm_confirm *confirm, const osm_physp_t *physp)
{
	return physp->need_update || confirm->osm->subn.need_update;
}

void hd_osm_confirm_row(struct hd_osm_confirm *confirm, osm_physp_t *physp, uint8_t in,
			hd_sl2vl_row row)
{
	const hd_sl2vl_row wanted = hd_row_masked(row, hd_osm_vl_mask(physp));

	mark_last(confirm);
	if (!is_forced(confirm, physp) &&
	    hd_row_from_mad(osm_physp_get_slvl_tbl(physp, in)->raw_vl_by_sl) == wanted)
		return;
	confirm->n_rows++;
	if (wanted)
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
	hd_sent_blocks_note(&confirm->blocks, physp, block_num, &wanted);
	confirm->physp = physp;
	confirm->in = 0;
	confirm->block = kept;
}

void hd_osm_confirm_ask_again(struct hd_osm_confirm *confirm, osm_physp_t *physp, unsigned in)
{
	confirm->n_rows++;
	memset(osm_physp_get_slvl_tbl(physp, (uint8_t)in), 0xff, sizeof(ib_slvl_table_t));
	hd_osm_send_row(confirm->osm, physp, in, NULL);
}

/*
 * What is done about rows that are not confirmed. Ports whose links are down are looked at only to
 * forget their rows: a link may have been up when a Set was sent, and be up again soon. Where
 * nothing was missing, nothing else is to be forgotten (FORGET_DARK).
 */
enum action { COUNT, SEND, FORGET, FORGET_DARK };

static bool forgets(enum action action)
{
	return action == FORGET || action == FORGET_DARK;
}

/* @is_lit: the port is looked at for more than to forget its rows. */
static void visit_rows(struct osm_opensm *osm, const struct hd_tables *tables, uint32_t port,
		       osm_physp_t *physp, bool is_lit, enum action action,
		       struct hd_unconfirmed *findings)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t node = fabric->ports[port].node;
	const unsigned number = fabric->ports[port].number, mask = hd_osm_vl_mask(physp);
	const unsigned last = hd_is_switch(fabric, node) ? fabric->nodes[node].n_ports : 0;
	const struct hd_port *ins = &fabric->ports[hd_port_index(fabric, node, 0)];
	const hd_sl2vl_row *rows = &tables->sl2vl[hd_sl2vl_row_index(tables, node, 0, number)];

	for (unsigned in = 0; in <= last; in++) {
		/* no packet comes in there before a sweep that finds the link and sends the row */
		const bool is_dark = in && ins[in].peer == HD_NONE;
		ib_slvl_table_t *kept;
		hd_sl2vl_row wanted;

		if (is_dark ? !forgets(action) : is_lit && action == FORGET_DARK)
			continue;
		kept = osm_physp_get_slvl_tbl(physp, (uint8_t)in);
		wanted = hd_row_masked(rows[in], mask);
		if (hd_row_from_mad(kept->raw_vl_by_sl) == wanted)
			continue;
		if (forgets(action))
			memset(kept, 0xff, sizeof(*kept));
		else
			hd_unconfirmed_add(findings, &findings->n_rows, port);
		if (action == SEND)
			hd_osm_send_row(osm, physp, in, &wanted);
	}
}

/*
 * Judges blocks. A second block of full length is not compared by osm_qos.c: the next sweep sends
 * it by force alone.
 */
static void visit_blocks(uint32_t port, osm_physp_t *physp, enum action action,
			 struct hd_unconfirmed *findings)
{
	for (unsigned i = 0; i < sizeof(physp->vl_arb) / sizeof(physp->vl_arb[0]); i++) {
		if (!hd_osm_block_is_marked(&physp->vl_arb[i]))
			continue;
		if (forgets(action))
			physp->need_update = 2;
		else
			hd_unconfirmed_add(findings, &findings->n_blocks, port);
	}
}

/* What is looked at, and what was found. */
struct visit {
	struct hd_osm_confirm *confirm;
	const struct hd_osm_engine *engine;
	struct hd_patience patience;
	struct hd_unconfirmed findings;
};

/*
 * Judges a port as OpenSM programs it: when the port is not down, and SL2VL where the node has the
 * capability. Port 0 has no link.
 */
static void visit_port(struct visit *visit, osm_node_t *node, uint32_t port, enum action action)
{
	const struct hd_tables *tables = visit->engine->handout.tables;
	const struct hd_port *of = &tables->fabric->ports[port];
	osm_physp_t *physp = osm_node_get_physp_ptr(node, of->number);
	bool is_lit;

	if (!physp || !hd_osm_manager(physp))
		return;
	is_lit = (!of->number || of->peer != HD_NONE) &&
		 osm_physp_get_port_state(physp) != IB_LINK_DOWN;
	if (!is_lit && !forgets(action))
		return;
	if (hd_osm_has_rows(physp))
		visit_rows(visit->confirm->osm, tables, port, physp, is_lit, action,
			   &visit->findings);
	if (!is_lit || action != FORGET_DARK)
		visit_blocks(port, physp, action, &visit->findings);
}

/* Finds LFT blocks that are not confirmed. */
static void visit_lfts(struct visit *visit, enum action action)
{
	const struct hd_fabric *fabric = visit->engine->handout.tables->fabric;
	const osm_switch_t *first;
	uint32_t s;

	visit->findings.n_lfts =
		hd_osm_lfts_unconfirmed(visit->confirm->osm, action == SEND, &first);
	s = first ? hd_osm_find_index(fabric, first->p_node) : HD_NONE;
	visit->findings.first_port = s == HD_NONE ? 0 : hd_port_index(fabric, s, 0);
}

/* Finds everything that is not confirmed; for SEND, its Sets are sent again. */
static void visit_all(struct visit *visit, enum action action)
{
	const struct hd_osm_confirm *confirm = visit->confirm;
	const struct hd_fabric *fabric = visit->engine->handout.tables->fabric;
	/* where no row was sent, what was confirmed is still there */
	const bool rows_too = confirm->n_rows || confirm->n_blocks;

	visit->findings = (struct hd_unconfirmed){ .first_port = 0 };
	if (confirm->with_lfts && !forgets(action))
		visit_lfts(visit, action);
	for (uint32_t n = 0; rows_too && n < fabric->n_nodes; n++) {
		osm_node_t *node = hd_osm_find_node(confirm->osm, fabric, n);
		const bool port0 = hd_is_switch(fabric, n) && fabric->nodes[n].enhanced_port0;

		if (!node)
			continue;
		for (unsigned number = port0 ? 0 : 1; number <= fabric->nodes[n].n_ports; number++)
			visit_port(visit, node, hd_port_index(fabric, n, number), action);
	}
	if (action == SEND)
		hd_osm_blocks_send(&confirm->blocks, confirm->osm);
}

/* Notes the switches that have not confirmed their rows and LFTs. */
static void note_switches(struct visit *visit)
{
	struct hd_osm_confirm *confirm = visit->confirm;
	const struct hd_fabric *fabric = visit->engine->handout.tables->fabric;

	hd_for_each_switch(s, fabric) {
		osm_node_t *node = hd_osm_find_node(confirm->osm, fabric, s);

		if (!node)
			continue;
		visit->findings = (struct hd_unconfirmed){
			.n_lfts = confirm->with_lfts && hd_osm_lft_is_unconfirmed(node->sw),
		};
		if (confirm->n_rows)
			hd_for_each_number(number, fabric, s)
				visit_port(visit, node, hd_port_index(fabric, s, number), COUNT);
		if (hd_unconfirmed_is_unproved(&visit->findings))
			hd_unconfirmed_switches_note(&confirm->switches, fabric->nodes[s].guid);
	}
}

static size_t look(void *context, struct osm_opensm *osm, bool sends)
{
	struct visit *visit = context;

	(void)osm;
	visit_all(visit, sends ? SEND : COUNT);
	if (!visit->patience.rounds)
		visit->confirm->n_missed = visit->findings.n_rows + visit->findings.n_lfts;
	return hd_unconfirmed_count(&visit->findings);
}

/* Logs what is not confirmed, and has OpenSM sweep again, unless that was asked for before. */
static void try_again(struct hd_osm_confirm *confirm, const struct hd_osm_engine *engine,
		      const struct hd_unconfirmed *findings)
{
	char plan[80], text[800];
	const unsigned delay = hd_unconfirmed_plan(
		&confirm->tries, hd_osm_alarm_is_set(&confirm->alarm), plan, sizeof(plan));

	if (delay)
		hd_osm_alarm_set(&confirm->alarm, delay * 1000);
	hd_unconfirmed_describe(findings, engine->handout.tables->fabric, plan, text, sizeof(text));
	hd_osm_engine_log(engine, OSM_LOG_ERROR, "%s", text);
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
	const hd_sl2vl_row zeros = 0;
	osm_physp_t *physp = confirm->physp;

	if (!physp || confirm->block)
		return true;
	cl_plock_excl_acquire(&confirm->osm->lock);
	mark_last(confirm);
	hd_osm_send_row(confirm->osm, physp, confirm->in, &zeros);
	cl_plock_release(&confirm->osm->lock);
	return !hd_sm_wait(confirm->osm);
}

/* Sends what is not confirmed while that helps, and forgets what is left. False: OpenSM exits. */
static bool send_again(struct hd_osm_confirm *confirm, const struct hd_osm_engine *engine,
		       struct hd_unconfirmed *findings)
{
	struct visit visit = { .confirm = confirm, .engine = engine };

	if (!settle_last(confirm) || !hd_osm_insist(confirm->osm, &visit.patience, look, &visit))
		return false;
	*findings = visit.findings;
	cl_plock_excl_acquire(&confirm->osm->lock);
	if (hd_unconfirmed_is_unproved(findings))
		note_switches(&visit);
	visit_all(&visit, hd_unconfirmed_count(findings) ? FORGET : FORGET_DARK);
	cl_plock_release(&confirm->osm->lock);
	return true;
}

bool hd_osm_confirm_settle(struct hd_osm_confirm *confirm, const struct hd_osm_engine *engine)
{
	struct hd_unconfirmed findings = { 0 };

	confirm->n_missed = 0;
	confirm->is_unproved = false;
	hd_unconfirmed_switches_forget(&confirm->switches);
	if (!engine) {
		rest(confirm);
		return true;
	}
	if ((confirm->n_rows || confirm->n_blocks || confirm->with_lfts) &&
	    !send_again(confirm, engine, &findings))
		return false;
	if (hd_unconfirmed_count(&findings)) {
		try_again(confirm, engine, &findings);
		confirm->was_lost = true;
		confirm->is_unproved = hd_unconfirmed_is_unproved(&findings);
		return !confirm->is_unproved;
	}
	if (confirm->was_lost)
		hd_osm_engine_log(engine, OSM_LOG_INFO,
				  "all SL2VL rows and VL arbitration blocks are confirmed");
	rest(confirm);
	return true;
}
