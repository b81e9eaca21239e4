// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/callbacks.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>

#include "fabric/fabric_changed.h"
#include "manager/multicast_tables.h"
#include "opensm/arbitration.h"
#include "opensm/lfts.h"
#include "opensm/lane_callbacks.h"
#include "opensm/logging.h"
#include "opensm/port_sets.h"
#include "opensm/site_classes.h"
#include "opensm/site_qos.h"
#include "opensm/sm.h"
#include "opensm/strict.h"
#include "opensm/subnet.h"
#include "opensm/transition.h"
#include "support/clock.h"
#include "support/error.h"

void hd_osm_engine_drop(struct hd_osm_engine *engine, struct hd_orphans *orphans)
{
	struct hd_osm_transition *transition = &engine->plugin->transition;

	if (transition->last == engine)
		transition->last = NULL;
	if (transition->engine == engine)
		hd_osm_transition_stop(transition);
	hd_handout_drop(&engine->handout, orphans);
	engine->masked_port = HD_NONE;
	engine->proof[0] = '\0';
}

/* The engine refuses: what it handed out last is what the next engine's plan begins with. */
static void hand_over(struct hd_osm_engine *engine)
{
	struct hd_osm_transition *transition = &engine->plugin->transition;
	const bool is_last = transition->last == engine;

	if (is_last)
		hd_osm_transition_stop(transition);
	hd_osm_engine_drop(engine, is_last ? &transition->orphans : NULL);
}

struct hd_osm_engine *hd_osm_engine_used(struct hd_osm_plugin *plugin)
{
	const struct osm_routing_engine *used = hd_sm_used(plugin->osm);

	for (size_t i = 0; used && i < plugin->n_engines; i++)
		if (used->context == &plugin->engines[i] && plugin->engines[i].handout.tables)
			return &plugin->engines[i];
	return NULL;
}

static void tell(void *context, const char *line)
{
	hd_osm_engine_log(context, OSM_LOG_INFO, "%s", line);
}

/* Reads the subnet, and the site's class file. */
static int read_subnet(struct hd_osm_plugin *plugin, struct hd_wanted *wanted,
		       const struct hd_classes **classes, struct hd_error *err)
{
	struct osm_opensm *osm = plugin->osm;
	int ret = hd_osm_strict_check(plugin, err);

	if (!ret)
		ret = hd_osm_fabric(osm, &wanted->fabric, err);
	if (!ret)
		ret = hd_osm_classes(plugin, classes, err);
	if (ret)
		return ret;
	hd_osm_strict_lift(plugin);
	ret = hd_osm_classes_check_mtu(osm, wanted->fabric, *classes, err);
	return ret ? ret
		   : hd_osm_vlarb_rooms(osm, wanted->fabric, *classes != NULL, &wanted->rooms, err);
}

/* *@stays: what the engine made last serves, and @wanted has nothing new. */
static int compute(struct hd_osm_engine *engine, struct hd_wanted *wanted, bool *stays,
		   struct hd_error *err)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	const struct hd_site_qos qos = hd_osm_site_qos(plugin->osm);
	struct hd_wanted_request request = {
		.begin = hd_seconds(),
		.engine = engine->engine,
		.settings = engine->settings,
		.qos = &qos,
		.previous = engine->handout.wanted.tables,
		.previous_by = plugin->options.reroute_fresh ? NULL : engine->handout.wanted.chosen,
		.absent = &engine->handout.absent,
		.takes_sets = hd_osm_takes_sets(),
		.tell = tell,
		.context = engine,
	};
	int ret;

#ifdef _OPENMP
	/* this is set for the calling thread alone, which is OpenSM's sweeper */
	if (plugin->options.threads)
		omp_set_num_threads((int)plugin->options.threads);
#endif
	ret = read_subnet(plugin, wanted, &request.classes, err);
	*stays = !ret && plugin->transition.last == engine &&
		 hd_wanted_stays(&engine->handout.wanted, wanted, &request);
	return ret || *stays ? ret : hd_wanted_compute(wanted, &request, err);
}

/*
 * Memory has run out. The tables of the last sweep stay where the fabric is the one they were made
 * for; true: they do. Memory may be there again.
 */
static bool keep_last(struct hd_osm_engine *engine)
{
	struct hd_fabric *now = NULL;
	struct hd_error err = { 0 };
	/* not those of a sweep before another engine routed */
	const bool is_kept = engine->handout.tables && engine->plugin->transition.last == engine &&
			     !hd_osm_fabric(engine->plugin->osm, &now, &err) &&
			     hd_same_fabric(engine->handout.wanted.fabric, now);

	hd_fabric_free(now);
	if (is_kept)
		hd_osm_engine_log(engine, OSM_LOG_ERROR,
				  "out of memory: the tables of the last sweep stay, because the "
				  "fabric has not changed");
	return is_kept;
}

/*
 * Where the Set of a switch's LID was lost, the next sweep gives it one before any table is sent,
 * and it may then send: by the tables of this sweep, which are not proved for it. So this sweep
 * leaves what switches hold, and the next one comes soon. Not where others would route instead, and
 * not for ever.
 */
static bool waits_for_lids(const struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = engine->plugin->osm;
	size_t n = 0;

	if (engine->plugin->options.transition == HD_TRANSITION_OFF || !*hd_sm_no_fallback(osm) ||
	    !engine->re || engine->re->next || !hd_osm_resweep_may_help(&engine->plugin->resweep))
		return false;
	hd_osm_for_each_switch(sw, osm) {
		osm_physp_t *physp = osm_node_get_physp_ptr(sw->p_node, 0);

		n += physp && !osm_physp_get_base_lid(physp);
	}
	if (n)
		hd_osm_engine_log(engine, OSM_LOG_INFO,
				  "%zu switches have no LIDs, because MADs were lost: sweeping "
				  "again before routing",
				  n);
	return n;
}

/* Takes over what was made; @first (NULL: the goal) is handed out first. */
static void take(struct hd_osm_engine *engine, const struct hd_wanted *wanted,
		 struct hd_tables *first)
{
	struct hd_osm_plugin *plugin = engine->plugin;

	hd_handout_take(&engine->handout, wanted, first, plugin->options.reroute_fresh);
	engine->masked_port = HD_NONE;
	plugin->transition.last = engine;
	hd_wanted_describe(wanted, engine->engine, engine->proof, sizeof(engine->proof));
	/* path SLs may have changed: hosts that do not ask again go on with the old ones */
	if (!wanted->kept.is_kept && wanted->kept.reason[0])
		hd_osm_engine_log(engine, OSM_LOG_INFO,
				  "SLs and VLs reassigned; hosts must query their path records "
				  "again: %s",
				  wanted->kept.reason);
}

/* The same without anything new. */
static void go_on(struct hd_osm_engine *engine, struct hd_tables *first, double start)
{
	hd_handout_go_on(&engine->handout, first, hd_seconds() - start);
	engine->masked_port = HD_NONE;
	hd_wanted_describe(&engine->handout.wanted, engine->engine, engine->proof,
			   sizeof(engine->proof));
}

static int build_lid_matrices(void *context)
{
	struct hd_osm_engine *engine = context;
	struct hd_osm_plugin *plugin = engine->plugin;
	struct hd_wanted wanted = { .fabric = NULL };
	const double start = hd_seconds();
	struct hd_mft_list no_multicast = { .n = 0 };
	struct hd_tables *first;
	struct hd_error err = { 0 };
	bool stays = false;
	int ret;

	/* nobody has routed since the engine refused: hosts still use the path SLs of its tables */
	if (hd_handout_adopt(&engine->handout, &plugin->transition.orphans))
		plugin->transition.last = engine;
	if (waits_for_lids(engine)) {
		hd_osm_resweep_refused(&plugin->resweep);
		return -1;
	}
	ret = compute(engine, &wanted, &stays, &err);
	if (ret || stays)
		hd_wanted_discard(&wanted);
	engine->lacks_hops = true;
	if (ret == HD_ENOMEM && keep_last(engine))
		return 0;
	if (ret) {
		char text[sizeof(err.file) + sizeof(err.text) + 16];

		hand_over(engine);
		hd_osm_log(plugin->osm, OSM_LOG_ERROR, "engine %s refuses: %s", engine->name,
			   hd_error_format(&err, text, sizeof(text)));
		hd_osm_resweep_refused(&plugin->resweep);
		return -1;
	}
	/* multicast is read at the end of the sweep, and no plan knows any */
	if (stays)
		hd_mft_list_give(&no_multicast, engine->handout.wanted.goal);
	/* the plan goes by the tables that were handed out last, which are dropped then */
	hd_osm_transition_plan(engine, stays ? engine->handout.wanted.goal : wanted.goal, &first);
	/* those of another engine, where changes are not planned */
	hd_orphans_forget(&plugin->transition.orphans);
	if (stays)
		go_on(engine, first, start);
	else
		take(engine, &wanted, first);
	if (engine->handout.wanted.goal->classes)
		hd_osm_vlarb_force(engine);
	/*
	 * with QoS, OpenSM reads its policy file after this, just before the callbacks about lanes
	 */
	engine->site_qos_due = plugin->osm->subn.opt.qos;
	if (!engine->site_qos_due)
		hd_osm_lanes_log_site(engine);
	plugin->sets.begin = hd_seconds();
	return 0;
}

static int ucast_build_fwd_tables(void *context)
{
	const struct hd_osm_engine *engine = context;

	if (!engine->handout.tables)
		return -1;
	hd_osm_lfts_fill(engine);
	return 0;
}

static void destroy(void *context)
{
	hd_osm_engine_drop(context, NULL);
}

int hd_osm_engine_setup(struct osm_routing_engine *re, struct osm_opensm *osm)
{
	struct hd_osm_engine *engine = re->context;

	if (engine)
		engine->re = re;
	re->build_lid_matrices = build_lid_matrices;
	re->ucast_build_fwd_tables = ucast_build_fwd_tables;
	hd_osm_lanes_setup(re);
	hd_osm_sets_setup(re);
	re->destroy = destroy;
	return 0;
}
