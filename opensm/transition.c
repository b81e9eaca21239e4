// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/transition.h"

#include <inttypes.h>
#include <stdlib.h>

#include "opensm/waiting.h"
#include "opensm/engine_tables.h"
#include "opensm/programmed.h"
#include "opensm/status.h"
#include "support/clock.h"
#include "support/error.h"

/* Of osm_qos.c: sends SL2VL tables and VL arbitration that differ from what ports have answered. */
int osm_qos_setup(struct osm_opensm *osm);

void hd_osm_transition_stop(struct hd_osm_transition *transition)
{
	hd_rollout_stop(&transition->rollout, hd_seconds());
	transition->engine = NULL;
}

void hd_osm_transition_forget(struct hd_osm_transition *transition)
{
	hd_tables_free(transition->kept);
	hd_fabric_free(transition->kept_fabric);
	transition->kept = NULL;
	transition->kept_fabric = NULL;
}

/* Where links are looked up. */
struct sight {
	const struct osm_opensm *osm;
	const struct hd_fabric *fabric;
};

static bool is_up(void *context, uint32_t port)
{
	const struct sight *sight = context;
	const struct hd_fabric *fabric = sight->fabric;
	const uint32_t ends[] = { port, fabric->ports[port].peer };

	for (unsigned i = 0; i < 2; i++) {
		const struct hd_port *p = &fabric->ports[ends[i]];
		osm_node_t *node = osm_get_node_by_guid(&sight->osm->subn,
							cl_hton64(fabric->nodes[p->node].guid));
		const osm_physp_t *physp = node ? osm_node_get_physp_ptr(node, p->number) : NULL;

		if (!physp || osm_physp_get_port_state(physp) != IB_LINK_ACTIVE)
			return false;
	}
	return true;
}

/* Plans from what nodes hold. */
static int begin(struct hd_osm_plugin *plugin, const struct hd_tables *goal,
		 struct hd_tables **first, struct hd_error *err)
{
	struct hd_osm_transition *transition = &plugin->transition;
	const struct hd_osm_engine *last = transition->last;
	const double start = hd_seconds();
	struct sight sight = { plugin->osm, goal->fabric };
	struct hd_rollout_request request = {
		.goal = goal,
		.drops = plugin->options.transition == HD_TRANSITION_DROP,
		.is_up = is_up,
		.context = &sight,
	};
	char text[400];
	bool any_lit;
	int ret = hd_osm_programmed_tables(plugin, goal, last ? last->tables : transition->kept,
					   &request.before, &any_lit, err);

	hd_osm_transition_forget(transition);
	if (ret) {
		hd_rollout_end(&transition->rollout, start);
		return ret;
	}
	if (!any_lit) {
		hd_tables_free(request.before);
		request.before = NULL;
	}
	request.cause =
		hd_discovered_cause_to_drop(&plugin->held, goal->fabric, text, sizeof(text));
	return hd_rollout_plan(&transition->rollout, &request, start, first, err);
}

static void log_plan(const struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine,
		     double seconds)
{
	const struct hd_rollout *rollout = &plugin->transition.rollout;

	if (rollout->doubt[0])
		osm_log(&plugin->osm->log, OSM_LOG_ERROR,
			"heddle: engine %s: change not fully proved, so changed entries are "
			"dropped first: %s\n",
			engine->name, rollout->doubt);
	osm_log(&plugin->osm->log, OSM_LOG_VERBOSE,
		"heddle: engine %s: change planned in %.3f s: %u round%s%s\n", engine->name,
		seconds, rollout->schedule.n_rounds, rollout->schedule.n_rounds == 1 ? "" : "s",
		rollout->state == HD_ROLLOUT_LINKS ? ", when new links are up" : "");
}

void hd_osm_transition_plan(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine,
			    const struct hd_tables *goal, struct hd_tables **first)
{
	struct hd_osm_transition *transition = &plugin->transition;
	const double start = hd_seconds();
	struct hd_error err = { 0 };
	int ret;

	*first = NULL;
	hd_osm_transition_stop(transition);
	if (plugin->options.transition == HD_TRANSITION_OFF)
		return;
	ret = begin(plugin, goal, first, &err);
	if (ret)
		osm_log(&plugin->osm->log, OSM_LOG_ERROR,
			"heddle: engine %s: change sent unscheduled: transient loops are possible: "
			"%s\n",
			engine->name, err.text);
	if (transition->rollout.state == HD_ROLLOUT_IDLE) {
		transition->was_slow = false;
		return;
	}
	transition->engine = engine;
	log_plan(plugin, engine, hd_seconds() - start);
	hd_osm_status_write(plugin, engine);
}

/* The flags by which OpenSM sends tables whether they differ or not, and where they were set. */
struct forced {
	osm_physp_t **physps;
	size_t n;
	int subnet;
};

/*
 * Lifts the force: what is in the fabric was confirmed a moment ago. Flags of single ports that
 * were set for more than that stay; so do all of them where there is no memory.
 */
static void lift_force(struct osm_opensm *osm, struct forced *forced)
{
	size_t n = 1;

	*forced = (struct forced){ .subnet = (int)osm->subn.need_update };
	hd_osm_for_each_node(node, osm)
		n += osm_node_get_num_physp(node);
	forced->physps = malloc(n * sizeof(osm_physp_t *));
	if (!forced->physps)
		return;
	osm->subn.need_update = 0;
	hd_osm_for_each_node(node, osm) {
		if (node->sw)
			node->sw->need_update = 0;
		for (uint32_t i = 0; i < osm_node_get_num_physp(node); i++) {
			osm_physp_t *physp = osm_node_get_physp_ptr(node, i);

			if (!physp || physp->need_update != 1)
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

/* Has OpenSM send the tables of @engine, as it does when it routes. False: OpenSM exits. */
static bool send_round(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine,
		       struct hd_tables *tables)
{
	struct osm_opensm *osm = plugin->osm;
	struct forced forced;
	bool goes_on;

	hd_osm_confirm_begin(&plugin->confirm);
	cl_plock_excl_acquire(&osm->lock);
	hd_osm_engine_take(engine, tables);
	lift_force(osm, &forced);
	hd_osm_engine_fill_lfts(engine);
	hd_osm_late_answers_begin(&plugin->late);
	osm_ucast_mgr_set_fwd_tables(&osm->sm.ucast_mgr);
	cl_plock_release(&osm->lock);
	osm_qos_setup(osm);
	goes_on = !hd_osm_wait(osm);
	cl_plock_excl_acquire(&osm->lock);
	restore_force(osm, &forced);
	cl_plock_release(&osm->lock);
	return goes_on;
}

/* One line for a change that is over. */
static void log_end(const struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine,
		    const struct hd_rollout_outcome *outcome)
{
	osm_log(&plugin->osm->log, OSM_LOG_INFO,
		"heddle: engine %s: change over: %u round%s, %" PRIu64
		" pairs of hosts dropped meanwhile, %.0f ms: %s\n",
		engine->name, outcome->n_rounds, outcome->n_rounds == 1 ? "" : "s",
		outcome->pairs_lost, outcome->seconds * 1e3, outcome->verdict);
}

/* The sweep does not finish the change; the next one begins it again. */
static void give_way(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine,
		     unsigned round, unsigned n_rounds)
{
	struct osm_opensm *osm = plugin->osm;

	osm_log(&osm->log, OSM_LOG_ERROR,
		"heddle: engine %s: change stopped in round %u of %u: the next sweep reads "
		"the switches and plans again\n",
		engine->name, round, n_rounds);
	/* for Sets that were lost a sweep is asked for already (opensm/confirm.h) */
	if (!osm->subn.force_heavy_sweep && !hd_osm_alarm_is_set(&plugin->confirm.alarm)) {
		osm->subn.force_heavy_sweep = TRUE;
		osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
	}
}

bool hd_osm_transition_go_on(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine,
			     bool is_confirmed)
{
	struct hd_osm_transition *transition = &plugin->transition;
	struct hd_rollout *rollout = &transition->rollout;
	const bool was_round = rollout->state == HD_ROLLOUT_ROUND;
	const unsigned round = rollout->round, n_rounds = rollout->schedule.n_rounds;
	struct osm_opensm *osm = plugin->osm;
	struct hd_rollout_outcome outcome;
	enum hd_rollout_action action;
	struct hd_tables *next;

	if (!engine || transition->engine != engine || osm_exit_flag)
		return false;
	action = hd_rollout_step(rollout, engine->goal, engine->tables, is_confirmed, hd_seconds(),
				 plugin->options.pause_ms / 1e3, &next, &outcome);
	if (was_round && action != HD_ROLLOUT_READ)
		osm_log(&osm->log, OSM_LOG_VERBOSE,
			"heddle: engine %s: change: round %u of %u is %s\n", engine->name, round,
			n_rounds, is_confirmed ? "confirmed" : "sent");
	if (action == HD_ROLLOUT_SEND) {
		hd_osm_status_write(plugin, engine);
		if (!was_round || hd_osm_sleep_until(rollout->drained))
			return send_round(plugin, engine,
					  next ? next : hd_tables_share(engine->goal));
		hd_tables_free(next);
		return false;
	}
	transition->engine = NULL;
	if (action == HD_ROLLOUT_READ)
		give_way(plugin, engine, round, n_rounds);
	if (action == HD_ROLLOUT_OVER)
		log_end(plugin, engine, &outcome);
	if (rollout->state == HD_ROLLOUT_IDLE)
		transition->was_slow = false;
	if (action == HD_ROLLOUT_AGAIN) {
		osm->subn.force_reroute = TRUE;
		osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
	}
	return false;
}
