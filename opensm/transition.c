// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/transition.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "change/send_order.h"
#include "opensm/clock.h"
#include "opensm/programmed.h"
#include "support/error.h"
#include "tables/onto.h"

/*
 * How often new links are waited for, and a change is begun again, before that is not done any more.
 * Mostly one sweep brings links up; where MADs are lost, or a port takes no Set, it does not.
 */
#define MAX_WAITS    4
#define MAX_FAILURES 3

/* Of osm_qos.c: sends SL2VL tables and VL arbitration that differ from what ports have answered. */
int osm_qos_setup(struct osm_opensm *osm);

void hd_osm_transition_stop(struct hd_osm_transition *transition)
{
	hd_schedule_clear(&transition->schedule);
	hd_tables_free(transition->before);
	transition->before = NULL;
	transition->engine = NULL;
	transition->round = 0;
	transition->is_part = false;
}

void hd_osm_transition_forget(struct hd_osm_transition *transition)
{
	hd_tables_free(transition->kept);
	hd_fabric_free(transition->kept_fabric);
	transition->kept = NULL;
	transition->kept_fabric = NULL;
}

/* The subnet has the tables that were wanted: the next change is another one. */
static void end(struct hd_osm_transition *transition)
{
	hd_osm_transition_stop(transition);
	transition->is_begun = false;
	transition->n_waits = 0;
	transition->n_failures = 0;
	transition->was_slow = false;
	transition->doubt[0] = '\0';
}

static bool nothing_changes(const struct hd_tables *now, const struct hd_tables *before)
{
	const struct hd_fabric *fabric = now->fabric;

	return memcmp(now->lft, before->lft, fabric->n_switches * now->lft_stride) == 0 &&
	       memcmp(now->sl2vl, before->sl2vl,
		      now->sl2vl_first[fabric->n_nodes] * sizeof(*now->sl2vl)) == 0;
}

/* Why rounds are not even tried; NULL: they are. */
static const char *cause_to_drop(const struct hd_osm_plugin *plugin, const struct hd_tables *goal,
				 char *text, size_t size)
{
	const uint32_t port = hd_osm_programmed_find_renumbered(&plugin->held, goal->fabric);
	char label[320];

	if (port != HD_NONE) {
		snprintf(text, size, "%s gets another LID or LMC",
			 hd_port_label(goal->fabric, port, label, sizeof(label)));
		return text;
	}
	if (plugin->held.n_unknown) {
		snprintf(text, size, "%zu active ports or their peers do not answer",
			 plugin->held.n_unknown);
		return text;
	}
	if (plugin->transition.n_failures >= MAX_FAILURES)
		return "Sets of its rounds were lost or refused several times";
	return NULL;
}

/* A schedule of rounds, or else of dropping; what is then not proved is noted as a doubt. */
static int plan(struct hd_osm_plugin *plugin, const struct hd_tables *goal, struct hd_error *err)
{
	struct hd_osm_transition *transition = &plugin->transition;
	struct hd_schedule *schedule = &transition->schedule;
	char text[400];
	const char *cause = cause_to_drop(plugin, goal, text, sizeof(text));
	bool is_proved = true;
	int ret = 0;

	transition->drops_all = cause || plugin->options.transition == HD_TRANSITION_DROP;
	if (!transition->drops_all) {
		ret = hd_schedule_make(goal, transition->before, schedule, err);
		if (ret == HD_EREFUSED || ret == HD_EINVAL)
			cause = err->text;
		else if (ret)
			return ret;
		else if (schedule->needs_new_sls)
			cause = "with the new tables, path SLs that hosts cache close a credit "
				"loop";
		transition->drops_all = cause;
	}
	if (transition->drops_all) {
		hd_schedule_clear(schedule);
		ret = hd_schedule_drop(goal, transition->before, schedule, &is_proved, err);
	}
	if (ret)
		return ret;
	snprintf(transition->doubt, sizeof(transition->doubt), "%s%s%s", cause ? cause : "",
		 cause && (schedule->old_loops || !is_proved) ? "; " : "",
		 !is_proved && schedule->old_loops
			 ? "neither the drop nor the new tables with the old path SLs are proved"
		 : !is_proved          ? "the new tables with the old path SLs are not proved"
		 : schedule->old_loops ? "the old tables have a loop: packets in it may deadlock"
				       : "");
	return 0;
}

/* Whether both ends of the link between switches at @port are active. */
static bool is_up(const struct osm_opensm *osm, const struct hd_fabric *fabric, uint32_t port)
{
	const uint32_t ends[] = { port, fabric->ports[port].peer };

	for (unsigned i = 0; i < 2; i++) {
		const struct hd_port *p = &fabric->ports[ends[i]];
		osm_node_t *node =
			osm_get_node_by_guid(&osm->subn, cl_hton64(fabric->nodes[p->node].guid));
		const osm_physp_t *physp = node ? osm_node_get_physp_ptr(node, p->number) : NULL;

		if (!physp || osm_physp_get_port_state(physp) != IB_LINK_ACTIVE)
			return false;
	}
	return true;
}

/* Whether a switch that forwards now is to forward over a link that is not up yet instead. */
static bool needs_links(const struct osm_opensm *osm, const struct hd_tables *goal,
			const struct hd_tables *before)
{
	const struct hd_fabric *fabric = goal->fabric;

	hd_for_each_switch(s, fabric) {
		bool is_coming[HD_MAX_PORTS + 1] = { false }, any = false;

		hd_for_each_number(out, fabric, s) {
			const uint32_t port = hd_port_index(fabric, s, out);
			const uint32_t peer = hd_peer_node(fabric, s, out);

			is_coming[out] = peer != HD_NONE && hd_is_switch(fabric, peer) &&
					 !is_up(osm, fabric, port);
			any |= is_coming[out];
		}
		for (size_t lid = 0; any && lid < goal->lft_stride; lid++) {
			const uint8_t old = hd_lft(before, s)[lid], new = hd_lft(goal, s)[lid];

			if (old != new &&old != HD_NO_PATH &&new != HD_NO_PATH && is_coming[new])
				return true;
		}
	}
	return false;
}

/* Pairs of hosts that lose packets meanwhile, where any do. */
static int count_lost(struct hd_osm_transition *transition, const struct hd_tables *goal,
		      struct hd_error *err)
{
	uint64_t lost[HD_MAX_ROUNDS];
	int ret =
		hd_schedule_count_lost(&transition->schedule, goal, transition->before, lost, err);

	for (unsigned r = 0; !ret && r < transition->schedule.n_rounds; r++)
		if (lost[r] > transition->pairs_lost)
			transition->pairs_lost = lost[r];
	return ret;
}

/* Plans where something changes in a fabric in use: *@is_change. */
static int begin(struct hd_osm_plugin *plugin, const struct hd_tables *goal, bool *is_change,
		 struct hd_error *err)
{
	struct hd_osm_transition *transition = &plugin->transition;
	const struct hd_osm_engine *last = transition->last;
	bool any_lit;
	int ret = hd_osm_programmed_tables(plugin, goal, last ? last->tables : transition->kept,
					   &transition->before, &any_lit, err);

	*is_change = false;
	if (ret || !any_lit || nothing_changes(goal, transition->before))
		return ret;
	ret = plan(plugin, goal, err);
	if (!ret)
		ret = count_lost(transition, goal, err);
	*is_change = !ret && transition->schedule.n_rounds;
	return ret;
}

/*
 * What is to be sent of the current round where switches have @now: what mends, or all. *@tables
 * NULL: @goal itself.
 */
static int take_part(struct hd_osm_transition *transition, const struct hd_tables *goal,
		     const struct hd_tables *now, struct hd_tables **tables, struct hd_error *err)
{
	const struct hd_schedule *schedule = &transition->schedule;
	const bool was_part = transition->is_part;
	struct hd_tables *first = NULL;
	int ret = hd_schedule_tables(schedule, goal, transition->before, transition->round, tables,
				     err);

	transition->is_part = false;
	if (!ret && !was_part && !transition->drops_all)
		ret = hd_send_first(*tables, now, &first, err);
	if (ret || first || transition->round == schedule->n_rounds) {
		hd_tables_free(*tables);
		*tables = first;
	}
	transition->is_part = first;
	return ret;
}

/*
 * The tables of the first round, or of none as long as links are to come up that any round needs:
 * they do at the end of a sweep, and all rounds are of one.
 */
static int take_first(struct hd_osm_plugin *plugin, const struct hd_tables *goal,
		      struct hd_tables **first, struct hd_error *err)
{
	struct hd_osm_transition *transition = &plugin->transition;
	const struct hd_schedule *schedule = &transition->schedule;
	const struct hd_tables *before = transition->before;
	const bool waits = !schedule->old_loops && transition->n_waits < MAX_WAITS &&
			   needs_links(plugin->osm, goal, before);

	transition->round = waits ? 0 : 1;
	return waits ? hd_schedule_tables(schedule, goal, before, 0, first, err)
		     : take_part(transition, goal, before, first, err);
}

void hd_osm_transition_plan(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine,
			    const struct hd_tables *goal, struct hd_tables **first)
{
	struct hd_osm_transition *transition = &plugin->transition;
	const double start = hd_osm_seconds();
	struct hd_error err = { 0 };
	bool is_change;
	int ret;

	*first = NULL;
	hd_osm_transition_stop(transition);
	if (plugin->options.transition == HD_TRANSITION_OFF)
		return;
	if (!transition->is_begun) {
		transition->start = start;
		transition->pairs_lost = 0;
	}
	ret = begin(plugin, goal, &is_change, &err);
	hd_osm_transition_forget(transition);
	if (!ret && is_change)
		ret = take_first(plugin, goal, first, &err);
	if (ret)
		osm_log(&plugin->osm->log, OSM_LOG_ERROR,
			"heddle: engine %s: change sent unscheduled: transient loops are possible: "
			"%s\n",
			engine->name, err.text);
	if (ret || !is_change) {
		end(transition);
		return;
	}
	transition->is_begun = true;
	transition->engine = engine;
	if (transition->doubt[0])
		osm_log(&plugin->osm->log, OSM_LOG_ERROR,
			"heddle: engine %s: change not fully proved, so changed entries are "
			"dropped first: "
			"%s\n",
			engine->name, transition->doubt);
	osm_log(&plugin->osm->log, OSM_LOG_VERBOSE,
		"heddle: engine %s: change planned in %.3f s: %u round%s%s\n", engine->name,
		hd_osm_seconds() - start, transition->schedule.n_rounds,
		transition->schedule.n_rounds == 1 ? "" : "s",
		transition->round ? "" : ", when new links are up");
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
	cl_qmap_t *nodes = &osm->subn.node_guid_tbl;
	size_t n = 1;

	*forced = (struct forced){ .subnet = (int)osm->subn.need_update };
	for (cl_map_item_t *item = cl_qmap_head(nodes); item != cl_qmap_end(nodes);
	     item = cl_qmap_next(item))
		n += osm_node_get_num_physp((osm_node_t *)item);
	forced->physps = malloc(n * sizeof(osm_physp_t *));
	if (!forced->physps)
		return;
	osm->subn.need_update = 0;
	for (cl_map_item_t *item = cl_qmap_head(nodes); item != cl_qmap_end(nodes);
	     item = cl_qmap_next(item)) {
		osm_node_t *node = (osm_node_t *)item;

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
		    bool is_confirmed)
{
	const struct hd_osm_transition *transition = &plugin->transition;
	const struct hd_schedule *schedule = &transition->schedule;
	const char *verdict = schedule->is_at_once ? "any order is safe" : "every mixture proved";

	if (!is_confirmed)
		verdict = "not confirmed, transient loops are possible";
	else if (transition->doubt[0])
		verdict = "not fully proved";
	osm_log(&plugin->osm->log, OSM_LOG_INFO,
		"heddle: engine %s: change over: %u round%s, %" PRIu64
		" pairs of hosts dropped meanwhile, %.0f ms: %s\n",
		engine->name, schedule->n_rounds, schedule->n_rounds == 1 ? "" : "s",
		transition->pairs_lost, (hd_osm_seconds() - transition->start) * 1e3, verdict);
}

/* The sweep does not finish the change; the next one begins it again. */
static bool give_way(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine)
{
	struct hd_osm_transition *transition = &plugin->transition;
	struct osm_opensm *osm = plugin->osm;

	transition->n_failures++;
	osm_log(&osm->log, OSM_LOG_ERROR,
		"heddle: engine %s: change stopped in round %u of %u: the next sweep reads the "
		"switches and plans again\n",
		engine->name, transition->round, transition->schedule.n_rounds);
	hd_osm_transition_stop(transition);
	/* for Sets that were lost a sweep is asked for already (opensm/confirm.h) */
	if (!osm->subn.force_heavy_sweep && !hd_osm_alarm_is_set(&plugin->confirm.alarm)) {
		osm->subn.force_heavy_sweep = TRUE;
		osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
	}
	return false;
}

bool hd_osm_transition_go_on(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine,
			     bool is_confirmed)
{
	struct hd_osm_transition *transition = &plugin->transition;
	struct osm_opensm *osm = plugin->osm;
	struct hd_tables *next = NULL;
	struct hd_error err = { 0 };

	if (!engine || transition->engine != engine || osm_exit_flag)
		return false;
	/* also where the round is given up: some of it was sent */
	transition->drained = hd_osm_seconds() + plugin->options.pause_ms / 1e3;
	/* where it was tried often enough, whoever can go on does: all that changes is dropped */
	if (!is_confirmed && transition->n_failures < MAX_FAILURES)
		return give_way(plugin, engine);
	if (!transition->round) {
		transition->n_waits++;
		hd_osm_transition_stop(transition);
		osm->subn.force_reroute = TRUE;
		osm_sm_signal(&osm->sm, OSM_SIGNAL_SWEEP);
		return false;
	}
	if (!transition->is_part)
		osm_log(&osm->log, OSM_LOG_VERBOSE,
			"heddle: engine %s: change: round %u of %u is %s\n", engine->name,
			transition->round, transition->schedule.n_rounds,
			is_confirmed ? "confirmed" : "sent");
	if (transition->round >= transition->schedule.n_rounds && !transition->is_part) {
		log_end(plugin, engine, is_confirmed);
		if (is_confirmed)
			end(transition);
		else
			hd_osm_transition_stop(transition);
		return false;
	}
	if (!transition->is_part && !hd_osm_sleep_until(transition->drained))
		return false;
	transition->round += !transition->is_part;
	if (take_part(transition, engine->goal, engine->tables, &next, &err))
		return give_way(plugin, engine);
	return send_round(plugin, engine, next ? next : engine->goal);
}
