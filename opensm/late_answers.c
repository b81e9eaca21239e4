// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/late_answers.h"

#include "opensm/waiting.h"
#include "opensm/lfts.h"
#include "opensm/plugin.h"
#include "opensm/subnet.h"
#include "support/clock.h"

/* How often what has changed is read back, as long as it is not what was sent. */
#define MAX_TRIES 4

void hd_osm_late_answers_begin(struct hd_late_copies *late)
{
	late->begin = hd_seconds();
}

static void note(struct hd_osm_plugin *plugin)
{
	const osm_subn_opt_t *opt = &plugin->osm->subn.opt;

	hd_late_copies_note(&plugin->late, hd_seconds(), opt->transaction_timeout / 1e3,
			    opt->transaction_retries);
}

bool hd_osm_late_answers_wait(const struct hd_osm_plugin *plugin)
{
	return hd_osm_sleep_until(plugin->late.end);
}

/* Asks the switch @s for the LFT blocks that the change changes. */
static void ask_lft(struct hd_osm_plugin *plugin, const struct hd_tables *goal, osm_switch_t *sw,
		    uint32_t s)
{
	const struct hd_tables *before = plugin->transition.rollout.before;

	for (size_t block = 0; block < goal->lft_stride / IB_SMP_DATA_SIZE; block++)
		if (hd_lft_block_differs(goal, before, s, block))
			hd_osm_lfts_ask_again(plugin->osm, sw, block);
}

/* Asks node @n for the rows of its port @number that the change changes. */
static void ask_rows(struct hd_osm_plugin *plugin, const struct hd_tables *goal, osm_node_t *node,
		     uint32_t n, unsigned number)
{
	const struct hd_tables *before = plugin->transition.rollout.before;
	const unsigned last = node->sw ? goal->fabric->nodes[n].n_ports : 0;
	osm_physp_t *physp = osm_node_get_physp_ptr(node, number);

	for (unsigned in = 0; physp && in <= last; in++) {
		const size_t row = node->sw ? hd_sl2vl_index(goal, n, in, number)
					    : hd_sl2vl_host_index(goal, n, number);

		if (goal->sl2vl[row] != before->sl2vl[row])
			hd_osm_confirm_ask_again(&plugin->confirm, physp, in);
	}
}

/* Asks for all that the change changes; until it is answered, it counts as unconfirmed. */
static void ask_all(struct hd_osm_plugin *plugin, const struct hd_tables *goal)
{
	struct osm_opensm *osm = plugin->osm;
	const struct hd_fabric *fabric = goal->fabric;

	cl_plock_excl_acquire(&osm->lock);
	hd_for_each_node(n, fabric) {
		osm_node_t *node = hd_osm_find_node(osm, fabric, n);

		if (!node)
			continue;
		if (node->sw)
			ask_lft(plugin, goal, node->sw, n);
		for (unsigned number = 1; number <= fabric->nodes[n].n_ports; number++)
			ask_rows(plugin, goal, node, n, number);
	}
	cl_plock_release(&osm->lock);
}

/* Whether copies of what was sent last could still put back what the next round replaces. */
static bool is_slow(const struct hd_osm_plugin *plugin)
{
	return plugin->late.end > hd_seconds();
}

/* Reads back what the change changes. *@is_as_sent: it is what was sent. */
static bool read_back(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine, bool *is_as_sent)
{
	bool is_confirmed;

	ask_all(plugin, engine->goal);
	if (hd_osm_wait(plugin->osm))
		return false;
	hd_osm_late_answers_begin(&plugin->late);
	is_confirmed = hd_osm_confirm_settle(&plugin->confirm, engine);
	note(plugin);
	*is_as_sent = !plugin->confirm.n_missed;
	if (!*is_as_sent)
		osm_log(&plugin->osm->log, OSM_LOG_VERBOSE,
			"heddle: engine %s: change: %zu LFT blocks and SL2VL rows differ from what "
			"was confirmed: sending them again\n",
			engine->name, plugin->confirm.n_missed);
	return is_confirmed;
}

bool hd_osm_late_answers_settle(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine)
{
	struct hd_osm_transition *transition = &plugin->transition;
	bool is_confirmed = hd_osm_confirm_settle(&plugin->confirm, engine);
	bool slow, is_as_sent = !transition->was_slow;

	note(plugin);
	slow = is_slow(plugin);
	if (!is_confirmed || !engine || transition->engine != engine)
		return is_confirmed;
	for (unsigned i = 0; i < MAX_TRIES; i++) {
		/* what copies of the last Sets of all say is what stays */
		if (!hd_rollout_is_last(&transition->rollout) && !hd_osm_late_answers_wait(plugin))
			return false;
		if (is_as_sent) {
			transition->was_slow |= slow;
			return true;
		}
		if (!read_back(plugin, engine, &is_as_sent))
			return false;
		slow |= is_slow(plugin);
	}
	return false;
}
