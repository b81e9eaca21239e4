// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/callbacks.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <stdlib.h>
#include <string.h>

#include "opensm/engine_tables.h"
#include "fabric/fabric_changed.h"
#include "manager/wanted.h"
#include "opensm/hops.h"
#include "opensm/lane_callbacks.h"
#include "opensm/site_classes.h"
#include "opensm/site_qos.h"
#include "opensm/strict.h"
#include "opensm/subnet.h"
#include "opensm/transition.h"
#include "support/clock.h"
#include "support/error.h"

static void drop_tables(struct hd_osm_engine *engine)
{
	hd_osm_engine_take(engine, NULL);
	hd_tables_free(engine->routed);
	hd_tables_free(engine->goal);
	hd_fabric_free(engine->fabric);
	engine->routed = NULL;
	engine->goal = NULL;
	engine->fabric = NULL;
	engine->masked_port = HD_NONE;
	engine->proof[0] = '\0';
}

void hd_osm_engine_drop(struct hd_osm_engine *engine)
{
	struct hd_osm_transition *transition = &engine->plugin->transition;

	if (transition->last == engine)
		transition->last = NULL;
	if (transition->engine == engine)
		hd_osm_transition_stop(transition);
	drop_tables(engine);
	hd_absent_nodes_forget(&engine->absent);
}

/* The engine refuses: what it handed out last is what the next engine's plan begins with. */
static void hand_over(struct hd_osm_engine *engine)
{
	struct hd_osm_transition *transition = &engine->plugin->transition;

	if (transition->last == engine) {
		hd_osm_transition_stop(transition);
		hd_osm_transition_forget(transition);
		transition->kept = engine->tables;
		transition->kept_fabric = engine->fabric;
		engine->tables = NULL;
		engine->fabric = NULL;
	}
	hd_osm_engine_drop(engine);
}

struct hd_osm_engine *hd_osm_engine_used(struct hd_osm_plugin *plugin)
{
	const struct osm_routing_engine *used = plugin->osm->routing_engine_used;

	for (size_t i = 0; used && i < plugin->n_engines; i++)
		if (used->context == &plugin->engines[i] && plugin->engines[i].tables)
			return &plugin->engines[i];
	return NULL;
}

static void tell(void *context, const char *line)
{
	const struct hd_osm_engine *engine = context;

	osm_log(&engine->plugin->osm->log, OSM_LOG_INFO, "heddle: engine %s: %s\n", engine->name,
		line);
}

/* Reads the subnet and the site's class file; *@rooms are to be freed by the caller. */
static int read_subnet(struct hd_osm_plugin *plugin, struct hd_fabric **fabric,
		       const struct hd_classes **classes, struct hd_vlarb_room **rooms,
		       struct hd_error *err)
{
	struct osm_opensm *osm = plugin->osm;
	int ret = hd_osm_strict_check(plugin, err);

	if (!ret)
		ret = hd_osm_fabric(osm, fabric, err);
	if (!ret)
		ret = hd_osm_classes(plugin, classes, err);
	if (ret)
		return ret;
	hd_osm_strict_lift(plugin);
	ret = hd_osm_classes_check_mtu(osm, *fabric, *classes, err);
	return ret ? ret : hd_osm_vlarb_rooms(osm, *fabric, *classes != NULL, rooms, err);
}

static int compute(struct hd_osm_engine *engine, struct hd_wanted *wanted, struct hd_error *err)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	const struct hd_site_qos qos = hd_osm_site_qos(plugin->osm);
	struct hd_vlarb_room *rooms = NULL;
	struct hd_wanted_request request = {
		.begin = hd_seconds(),
		.engine = engine->engine,
		.settings = engine->settings,
		.qos = &qos,
		.no_sl2vl = qos.is_used ? NULL
					: "which OpenSM programs only with QoS: set 'qos TRUE' in "
					  "opensm.conf or start opensm with -Q",
		.previous = engine->routed,
		.previous_by = plugin->options.reroute_fresh ? NULL : engine->chosen,
		.absent = &engine->absent,
		.tell = tell,
		.context = engine,
	};
	int ret;

#ifdef _OPENMP
	/* this is set for the calling thread alone, which is OpenSM's sweeper */
	if (plugin->options.threads)
		omp_set_num_threads((int)plugin->options.threads);
#endif
	ret = read_subnet(plugin, &wanted->fabric, &request.classes, &rooms, err);
	request.rooms = rooms;
	if (!ret)
		ret = hd_wanted_compute(wanted, &request, err);
	free(rooms);
	return ret ? ret : hd_osm_hops_set(plugin->osm, wanted->fabric, err);
}

static void log_refusal(const struct hd_osm_engine *engine, const struct hd_error *err)
{
	char text[sizeof(err->file) + sizeof(err->text) + 16];

	osm_log(&engine->plugin->osm->log, OSM_LOG_ERROR, "heddle: engine %s refuses: %s\n",
		engine->name, hd_error_format(err, text, sizeof(text)));
}

/*
 * Memory has run out. The tables of the last sweep stay where the fabric is the one they were made
 * for; true: they do. Memory may be there again.
 */
static bool keep_last(struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = engine->plugin->osm;
	struct hd_fabric *now = NULL;
	struct hd_error err = { 0 };
	bool is_kept = engine->tables && !hd_osm_fabric(osm, &now, &err) &&
		       hd_same_fabric(engine->fabric, now);

	if (is_kept) {
		hd_osm_hops_clear(osm);
		is_kept = !hd_osm_hops_set(osm, engine->fabric, &err);
	}
	hd_fabric_free(now);
	if (is_kept)
		osm_log(&osm->log, OSM_LOG_ERROR,
			"heddle: engine %s: out of memory: the tables of the last sweep stay, "
			"because the fabric has not changed\n",
			engine->name);
	return is_kept;
}

/* Path SLs may have changed: hosts that do not ask again go on with the old ones. */
static void log_anew(const struct hd_osm_engine *engine, const struct hd_lanes_outcome *kept)
{
	if (!kept->is_kept && kept->reason[0])
		osm_log(&engine->plugin->osm->log, OSM_LOG_INFO,
			"heddle: engine %s: SLs and VLs reassigned; hosts must query their path "
			"records again: %s\n",
			engine->name, kept->reason);
}

/* Switches that were found, and did not take a LID. */
static size_t count_without_lid(struct osm_opensm *osm)
{
	size_t n = 0;

	hd_osm_for_each_switch(sw, osm) {
		osm_physp_t *physp = osm_node_get_physp_ptr(sw->p_node, 0);

		n += physp && !osm_physp_get_base_lid(physp);
	}
	return n;
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
	size_t n;

	if (engine->plugin->options.transition == HD_TRANSITION_OFF ||
	    !osm->no_fallback_routing_engine || !engine->re || engine->re->next ||
	    !hd_osm_resweep_may_help(&engine->plugin->resweep))
		return false;
	n = count_without_lid(osm);
	if (n)
		osm_log(&osm->log, OSM_LOG_INFO,
			"heddle: engine %s: %zu switches have no LIDs, because MADs were lost: "
			"sweeping again before routing\n",
			engine->name, n);
	return n;
}

/* What the last sweep has made is kept where it has nodes that are away now. */
static void keep_absent(struct hd_osm_engine *engine, const struct hd_wanted *wanted)
{
	/* hosts are taken to have asked again where lanes are never kept */
	if (engine->plugin->options.reroute_fresh ||
	    (engine->routed && wanted->chosen != engine->chosen)) {
		hd_absent_nodes_forget(&engine->absent);
		return;
	}
	if (!hd_absent_nodes_take(&engine->absent, engine->routed, engine->fabric, wanted->fabric))
		return;
	engine->routed = NULL;
	engine->fabric = NULL;
}

static int build_lid_matrices(void *context)
{
	struct hd_osm_engine *engine = context;
	struct osm_opensm *osm = engine->plugin->osm;
	struct hd_wanted wanted = { .fabric = NULL };
	struct hd_tables *first;
	struct hd_error err = { 0 };
	int ret;

	if (waits_for_lids(engine)) {
		hd_osm_resweep_refused(&engine->plugin->resweep);
		return -1;
	}
	ret = compute(engine, &wanted, &err);
	if (ret == HD_ENOMEM && keep_last(engine)) {
		hd_wanted_discard(&wanted);
		return 0;
	}
	if (ret) {
		hand_over(engine);
		log_refusal(engine, &err);
		hd_osm_resweep_refused(&engine->plugin->resweep);
		hd_wanted_discard(&wanted);
		hd_osm_hops_clear(osm);
		return -1;
	}
	/* the plan goes by the tables that were handed out last, which are dropped then */
	hd_osm_transition_plan(engine->plugin, engine, wanted.goal, &first);
	keep_absent(engine, &wanted);
	drop_tables(engine);
	engine->fabric = wanted.fabric;
	engine->routed = wanted.tables;
	engine->goal = wanted.goal;
	engine->tables = first ? first : hd_tables_share(wanted.goal);
	engine->has_site_lanes = hd_wanted_has_site_lanes(&wanted);
	engine->plugin->transition.last = engine;
	engine->chosen = wanted.chosen;
	engine->any_sl = wanted.any_sl;
	memcpy(engine->site_remark, wanted.site_remark, sizeof(engine->site_remark));
	if (engine->goal->classes)
		hd_osm_vlarb_force(engine);
	hd_wanted_describe(&wanted, engine->engine, engine->proof, sizeof(engine->proof));
	log_anew(engine, &wanted.kept);
	/*
	 * with QoS, OpenSM reads its policy file after this, just before the callbacks about lanes
	 */
	engine->site_qos_due = osm->subn.opt.qos;
	if (!osm->subn.opt.qos)
		hd_osm_lanes_log_site(engine);
	hd_osm_late_answers_begin(&engine->plugin->late);
	return 0;
}

static int ucast_build_fwd_tables(void *context)
{
	const struct hd_osm_engine *engine = context;

	if (!engine->tables)
		return -1;
	hd_osm_engine_fill_lfts(engine);
	return 0;
}

static void destroy(void *context)
{
	hd_osm_engine_drop(context);
}

int hd_osm_engine_setup(struct osm_routing_engine *re, struct osm_opensm *osm)
{
	struct hd_osm_engine *engine = re->context;

	if (engine)
		engine->re = re;
	re->build_lid_matrices = build_lid_matrices;
	re->ucast_build_fwd_tables = ucast_build_fwd_tables;
	hd_osm_lanes_setup(re);
	re->destroy = destroy;
	return 0;
}
