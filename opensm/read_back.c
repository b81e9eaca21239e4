// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/read_back.h"

#include "manager/lft_blocks.h"
#include "opensm/lfts.h"
#include "opensm/logging.h"
#include "opensm/plugin.h"
#include "opensm/sm.h"
#include "opensm/subnet.h"
#include "opensm/waiting.h"
#include "support/clock.h"

/* How often what has changed is read back, as long as it is not what was sent. */
#define MAX_TRIES 4

static void note(struct hd_osm_plugin *plugin)
{
	const osm_subn_opt_t *opt = &plugin->osm->subn.opt;

	hd_repeated_sets_note(&plugin->sets, hd_seconds(), opt->transaction_timeout / 1e3,
			      opt->transaction_retries);
}

/* Asks the switch @s for the LFT blocks that the change changes. */
static void ask_lft(struct osm_opensm *osm, const struct hd_tables *goal,
		    const struct hd_tables *before, osm_switch_t *sw, uint32_t s)
{
	for (size_t block = 0; block < goal->lft_stride / HD_LFT_BLOCK; block++)
		if (!hd_lft_blocks_are_equal(hd_lft(goal, s), hd_lft(before, s), block))
			hd_osm_lfts_ask_again(osm, sw, block);
}

/* Asks node @n for the rows of its port @number that the change changes. */
static void ask_rows(struct hd_osm_confirm *confirm, const struct hd_tables *goal,
		     const struct hd_tables *before, osm_node_t *node, uint32_t n, unsigned number)
{
	const unsigned last = node->sw ? goal->fabric->nodes[n].n_ports : 0;
	osm_physp_t *physp = osm_node_get_physp_ptr(node, number);

	for (unsigned in = 0; physp && in <= last; in++) {
		const size_t row = hd_sl2vl_row_index(goal, n, in, number);

		if (goal->sl2vl[row] != before->sl2vl[row])
			hd_osm_confirm_ask_again(confirm, physp, in);
	}
}

/* Asks for all that the change changes; until it is answered, it counts as unconfirmed. */
static void ask_all(struct hd_osm_plugin *plugin, const struct hd_tables *goal)
{
	const struct hd_tables *before = plugin->transition.rollout.before;
	struct osm_opensm *osm = plugin->osm;

	cl_plock_excl_acquire(&osm->lock);
	hd_for_each_node(n, goal->fabric) {
		osm_node_t *node = hd_osm_find_node(osm, goal->fabric, n);

		if (!node)
			continue;
		if (node->sw)
			ask_lft(osm, goal, before, node->sw, n);
		hd_for_each_number(number, goal->fabric, n)
			ask_rows(&plugin->confirm, goal, before, node, n, number);
	}
	cl_plock_release(&osm->lock);
}

/* Reads back what the change changes. *@is_as_sent: it is what was sent. */
static bool read_back(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine, bool *is_as_sent)
{
	bool is_confirmed;

	ask_all(plugin, engine->handout.wanted.goal);
	if (hd_sm_wait(plugin->osm))
		return false;
	plugin->sets.begin = hd_seconds();
	is_confirmed = hd_osm_confirm_settle(&plugin->confirm, engine);
	note(plugin);
	*is_as_sent = !plugin->confirm.n_missed;
	if (!*is_as_sent)
		hd_osm_engine_log(engine, OSM_LOG_VERBOSE,
				  "change: %zu LFT blocks and SL2VL rows differ from what was "
				  "confirmed: sending them again",
				  plugin->confirm.n_missed);
	return is_confirmed;
}

bool hd_osm_read_back_settle(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine)
{
	const struct hd_osm_transition *transition = &plugin->transition;
	bool is_confirmed = hd_osm_confirm_settle(&plugin->confirm, engine);
	bool is_slow, is_as_sent = !plugin->sets.reads_back;

	note(plugin);
	is_slow = hd_repeated_sets_may_come(&plugin->sets, hd_seconds());
	if (!is_confirmed || !engine || transition->engine != engine)
		return is_confirmed;
	for (unsigned i = 0; i < MAX_TRIES; i++) {
		/* what copies of the last Sets of all say is what stays */
		if (!hd_rollout_is_last(&transition->rollout) &&
		    !hd_osm_sleep_until(plugin->sets.end))
			return false;
		if (is_as_sent) {
			plugin->sets.reads_back |= is_slow;
			return true;
		}
		if (!read_back(plugin, engine, &is_as_sent))
			return false;
		is_slow |= hd_repeated_sets_may_come(&plugin->sets, hd_seconds());
	}
	return false;
}
