// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/transition.h"

#include <stdlib.h>
#include <string.h>

#include "opensm/lfts.h"
#include "opensm/logging.h"
#include "opensm/programmed.h"
#include "opensm/sm.h"
#include "opensm/status.h"
#include "opensm/subnet.h"
#include "opensm/waiting.h"
#include "support/clock.h"
#include "support/error.h"

void hd_osm_transition_stop(struct hd_osm_transition *transition)
{
	hd_rollout_stop(&transition->rollout, hd_seconds());
	transition->engine = NULL;
}

static bool is_up(void *context, const struct hd_fabric *fabric, uint32_t port)
{
	osm_node_t *node = hd_osm_find_node(context, fabric, fabric->ports[port].node);

	return node && hd_osm_port_is_active(node, fabric->ports[port].number);
}

/*
 * Plans from what nodes hold: from @held, which they have confirmed, or else (NULL) from what
 * OpenSM keeps of their answers.
 */
static int begin(struct hd_osm_plugin *plugin, const struct hd_tables *goal, bool is_goal_of_last,
		 struct hd_tables *held, struct hd_tables **first, struct hd_error *err)
{
	struct hd_osm_transition *transition = &plugin->transition;
	const struct hd_osm_engine *last = transition->last;
	const double start = hd_seconds();
	struct hd_rollout_request request = {
		.goal = goal,
		.is_goal_of_last = is_goal_of_last,
		.drops = plugin->options.transition == HD_TRANSITION_DROP,
		.is_up = is_up,
		.context = plugin->osm,
	};
	char text[400];
	int ret = 0;

	if (held)
		request.before = hd_tables_share(held);
	else
		ret = hd_osm_programmed_tables(
			plugin, goal, last ? last->handout.tables : transition->orphans.was.tables,
			&request.before, err);

	hd_orphans_forget(&transition->orphans);
	if (ret) {
		hd_rollout_end(&transition->rollout, start);
		return ret;
	}
	request.cause =
		hd_discovered_cause_to_drop(&plugin->discovered, goal->fabric, text, sizeof(text));
	return hd_rollout_plan(&transition->rollout, &request, start, first, err);
}

static void log_plan(const struct hd_osm_engine *engine, const struct hd_rollout *rollout,
		     double seconds)
{
	char text[200];

	if (rollout->doubt[0])
		hd_osm_engine_log(engine, OSM_LOG_ERROR,
				  "change not fully proved, so changed entries are dropped first: "
				  "%s",
				  rollout->doubt);
	hd_rollout_describe_plan(rollout, seconds, text, sizeof(text));
	hd_osm_engine_log(engine, OSM_LOG_VERBOSE, "%s", text);
}

/* No change is under way any more: its rounds are not read back. */
static void note_idle(struct hd_osm_plugin *plugin)
{
	if (plugin->transition.rollout.state == HD_ROLLOUT_IDLE)
		plugin->sets.reads_back = false;
}

/* @held: as above. */
static void plan(struct hd_osm_engine *engine, const struct hd_tables *goal, bool is_goal_of_last,
		 struct hd_tables *held, struct hd_tables **first)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	struct hd_osm_transition *transition = &plugin->transition;
	const double start = hd_seconds();
	struct hd_error err = { 0 };

	*first = NULL;
	transition->engine = NULL;
	if (begin(plugin, goal, is_goal_of_last, held, first, &err))
		hd_osm_engine_log(engine, OSM_LOG_ERROR,
				  "change sent unscheduled: transient loops are possible: %s",
				  err.text);
	note_idle(plugin);
	if (transition->rollout.state == HD_ROLLOUT_IDLE)
		return;
	transition->engine = engine;
	log_plan(engine, &transition->rollout, hd_seconds() - start);
	hd_osm_status_write(plugin, engine);
}

void hd_osm_transition_plan(struct hd_osm_engine *engine, const struct hd_tables *goal,
			    struct hd_tables **first)
{
	*first = NULL;
	hd_osm_transition_stop(&engine->plugin->transition);
	if (goal != engine->handout.wanted.goal)
		hd_handout_keep_sls(&engine->handout);
	if (engine->plugin->options.transition != HD_TRANSITION_OFF)
		plan(engine, goal, false, NULL, first);
}

/* The flags by which OpenSM sends tables whether they differ or not, and where they were set. */
struct forced {
	osm_physp_t **physps;
	size_t n;
	unsigned subnet;
};

/*
 * Lifts the force: what is in the fabric was confirmed a moment ago. Flags of single ports that
 * were set for more than that stay; so do all of them where there is no memory.
 */
static void lift_force(struct osm_opensm *osm, struct forced *forced)
{
	size_t n = 1;

	*forced = (struct forced){ .subnet = osm->subn.need_update };
	hd_osm_for_each_node(node, osm)
		n += osm_node_get_num_physp(node);
	forced->physps = malloc(n * sizeof(osm_physp_t *));
	if (!forced->physps)
		return;
	osm->subn.need_update = 0;
	hd_osm_for_each_node(node, osm) {
		if (node->sw)
			node->sw->need_update = 0;
		hd_osm_for_each_physp(physp, node)
		{
			if (physp->need_update != 1)
				continue;
			physp->need_update = 0;
			forced->physps[forced->n++] = physp;
		}
	}
}

/* Congestion control, later in the sweep, goes by the flags, too. */
static void restore_force(struct osm_opensm *osm, struct forced *forced)
{
	if (!forced->physps)
		return;
	for (size_t i = 0; i < forced->n; i++)
		forced->physps[i]->need_update = 1;
	osm->subn.need_update = forced->subnet;
	free(forced->physps);
}

/*
 * Whether lanes may differ from those of @held, which nodes have confirmed, or which were read from
 * them (NULL: nothing is known). Shares of links are the goal's in every round.
 */
static bool may_change_lanes(const struct hd_osm_plugin *plugin, const struct hd_tables *tables,
			     const struct hd_tables *held)
{
	const size_t n_rows = tables->sl2vl_first[tables->fabric->n_nodes];

	return !held || held->fabric != tables->fabric || plugin->confirm.was_lost ||
	       memcmp(held->sl2vl, tables->sl2vl, n_rows * sizeof(*tables->sl2vl)) != 0;
}

/*
 * Has OpenSM send the tables of @engine, as it does when it routes; @held has the lanes that nodes
 * hold, or is NULL. False: OpenSM exits.
 */
static bool send_round(struct hd_osm_engine *engine, struct hd_tables *tables,
		       const struct hd_tables *held)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	struct osm_opensm *osm = plugin->osm;
	const bool has_lanes = may_change_lanes(plugin, tables, held);
	struct forced forced;
	bool goes_on;

	hd_osm_confirm_begin(&plugin->confirm);
	cl_plock_excl_acquire(&osm->lock);
	hd_handout_replace(&engine->handout, tables);
	lift_force(osm, &forced);
	hd_osm_lfts_fill(engine);
	plugin->sets.begin = hd_seconds();
	hd_sm_send_lfts(osm);
	cl_plock_release(&osm->lock);
	/* it looks at every pair of ports, and reads the site's policy file */
	if (has_lanes)
		hd_sm_send_lanes(osm);
	goes_on = !hd_sm_wait(osm);
	cl_plock_excl_acquire(&osm->lock);
	restore_force(osm, &forced);
	cl_plock_release(&osm->lock);
	return goes_on;
}

/*
 * Brings links up, as OpenSM does at the end of a sweep, but for those of switches that have not
 * confirmed. False: OpenSM exits.
 */
static bool raise_links(const struct hd_osm_engine *engine)
{
	static const uint8_t states[] = { IB_LINK_NO_CHANGE, IB_LINK_ARMED, IB_LINK_ACTIVE };
	struct osm_opensm *osm = engine->plugin->osm;

	hd_osm_links_hold(engine);
	for (unsigned i = 0; i < sizeof(states); i++) {
		hd_sm_set_links(osm, states[i]);
		if (hd_sm_wait(osm))
			return false;
	}
	hd_osm_links_release(&engine->plugin->held_links);
	return true;
}

/*
 * Brings links up, and sends the first tables: by the schedule that there is, if it still holds,
 * else by a new one. Nodes hold what they were sent, if that @is_confirmed. (Rows of links that
 * come up are the goal's there, and were confirmed, too.)
 */
static bool begin_again(struct hd_osm_engine *engine, bool is_confirmed)
{
	struct osm_opensm *osm = engine->plugin->osm;
	const struct hd_tables *goal = engine->handout.wanted.goal;
	struct hd_tables *held = is_confirmed ? engine->handout.tables : NULL;
	struct hd_tables *first;

	if (!raise_links(engine))
		return false;
	cl_plock_excl_acquire(&osm->lock);
	plan(engine, goal, true, held, &first);
	cl_plock_release(&osm->lock);
	if (!first)
		first = hd_tables_share(engine->handout.wanted.goal);
	return send_round(engine, first, engine->plugin->transition.rollout.before);
}

/*
 * Waits until neither packets of the last round nor copies of its Sets are under way, which could
 * meet what is sent next. Sets that were not confirmed may have copies, too. False: OpenSM exits.
 */
static bool wait_for_last(const struct hd_osm_plugin *plugin, bool was_round)
{
	return (!was_round || hd_osm_sleep_until(plugin->transition.rollout.drained)) &&
	       hd_osm_sleep_until(plugin->sets.end);
}

/* The sweep does not finish the change; the next one begins it again. */
static void give_way(const struct hd_osm_engine *engine, unsigned round, unsigned n_rounds)
{
	const struct hd_osm_plugin *plugin = engine->plugin;
	struct osm_opensm *osm = plugin->osm;

	hd_osm_engine_log(engine, OSM_LOG_ERROR,
			  "change stopped in round %u of %u: the next sweep reads the switches and "
			  "plans again",
			  round, n_rounds);
	/* for Sets that were lost a sweep is asked for already (opensm/confirm.h) */
	if (osm->subn.force_heavy_sweep || hd_osm_alarm_is_set(&plugin->confirm.alarm))
		return;
	osm->subn.force_heavy_sweep = TRUE;
	osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
}

bool hd_osm_transition_go_on(struct hd_osm_engine *engine, bool is_confirmed)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	struct hd_osm_transition *transition = &plugin->transition;
	struct hd_rollout *rollout = &transition->rollout;
	const bool was_round = rollout->state == HD_ROLLOUT_ROUND;
	const unsigned round = rollout->round, n_rounds = rollout->schedule.n_rounds;
	const struct hd_tables *goal = engine->handout.wanted.goal;
	struct osm_opensm *osm = plugin->osm;
	struct hd_rollout_outcome outcome;
	enum hd_rollout_action action;
	struct hd_tables *next;
	char text[200];

	if (transition->engine != engine || osm_exit_flag)
		return false;
	action = hd_rollout_step(rollout, goal, engine->handout.tables, is_confirmed, hd_seconds(),
				 plugin->options.pause_ms / 1e3, &next, &outcome);
	if (was_round && action != HD_ROLLOUT_READ)
		hd_osm_engine_log(engine, OSM_LOG_VERBOSE, "change: round %u of %u is %s", round,
				  n_rounds, is_confirmed ? "confirmed" : "sent");
	if (action == HD_ROLLOUT_SEND) {
		hd_osm_status_write(plugin, engine);
		if (wait_for_last(plugin, was_round))
			return send_round(
				engine, next ? next : hd_tables_share(engine->handout.wanted.goal),
				is_confirmed ? engine->handout.tables : NULL);
		hd_tables_free(next);
		return false;
	}
	transition->engine = NULL;
	if (action == HD_ROLLOUT_READ)
		give_way(engine, round, n_rounds);
	if (action == HD_ROLLOUT_OVER) {
		hd_rollout_describe_outcome(&outcome, text, sizeof(text));
		hd_osm_engine_log(engine, OSM_LOG_INFO, "%s", text);
	}
	note_idle(plugin);
	/* where links did not come up at once, another sweep may tell why */
	if (action == HD_ROLLOUT_AGAIN && rollout->n_waits == 1)
		return wait_for_last(plugin, false) && begin_again(engine, is_confirmed);
	if (action == HD_ROLLOUT_AGAIN) {
		osm->subn.force_reroute = TRUE;
		osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
	}
	return false;
}
