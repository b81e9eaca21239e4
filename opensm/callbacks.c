// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/callbacks.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "engines/stable_lanes.h"
#include "manager/site_lanes.h"
#include "opensm/clock.h"
#include "opensm/engine_tables.h"
#include "fabric/fabric_changed.h"
#include "opensm/hops.h"
#include "opensm/lane_callbacks.h"
#include "opensm/site_classes.h"
#include "opensm/site_qos.h"
#include "opensm/strict.h"
#include "opensm/subnet.h"
#include "opensm/transition.h"
#include "sl2vl/lanes.h"
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

/*
 * Whether @tables are right only where SL2VL tables are programmed: without QoS OpenSM writes none,
 * and then only SL 0 on VL 0 is sure to go where it should.
 */
static bool needs_sl2vl(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(out, fabric, s) {
			if (hd_peer_node(fabric, s, out) == HD_NONE)
				continue;
			for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++)
				if (tables->sl2vl[hd_sl2vl_index(tables, s, in, out)])
					return true;
		}
	return hd_tables_sls_used(tables) & ~1u;
}

/* Proves @tables. @summary gets a line for the log. */
static int prove(const struct hd_osm_engine *engine, const struct hd_tables *tables, char *summary,
		 size_t size, struct hd_error *err)
{
	const struct hd_check_options options = { .max_vls = engine->settings->max_vls };

	if (engine->settings->unchecked) {
		snprintf(summary, size, "not checked");
		return 0;
	}
	return hd_check_demand(tables, &options, summary, size, err);
}

/* The results of a sweep. */
struct sweep {
	struct hd_fabric *fabric;
	struct hd_tables *tables, *goal; /* the goal: the tables, or with the site's lanes */
	const struct hd_engine *chosen;
	struct hd_lanes_outcome kept;
	double route_seconds, check_seconds;
	char summary[512];
};

/* One that asks another engine: what its watcher is told. */
struct watch {
	const struct hd_osm_engine *engine;
	struct sweep *sweep;
	bool is_accepted;
};

static void tell(void *watcher, const char *line)
{
	const struct watch *watch = watcher;

	osm_log(&watch->engine->plugin->osm->log, OSM_LOG_INFO, "heddle: engine %s: %s\n",
		watch->engine->name, line);
}

/* Whether @tables can be OpenSM's: it programs their lanes, and they are proved. */
static int accept_tables(void *watcher, const struct hd_tables *tables, struct hd_error *err)
{
	struct watch *watch = watcher;
	struct osm_opensm *osm = watch->engine->plugin->osm;
	const double start = hd_osm_seconds();
	char summary[sizeof(watch->sweep->summary)] = "";
	int ret;

	if (!osm->subn.opt.qos && needs_sl2vl(tables))
		return hd_error_set(
			err, HD_EREFUSED,
			"it needs SL2VL tables, which OpenSM programs only with QoS: set "
			"'qos TRUE' in opensm.conf or start opensm with -Q");
	ret = prove(watch->engine, tables, summary, sizeof(summary), err);
	if (ret)
		return ret;
	/* tables that are refused have nothing to say of those that are taken */
	memcpy(watch->sweep->summary, summary, sizeof(summary));
	watch->sweep->check_seconds = hd_osm_seconds() - start;
	watch->is_accepted = true;
	return 0;
}

/* Gives up what a sweep has made. */
static void discard(struct sweep *sweep)
{
	hd_tables_free(sweep->goal);
	hd_tables_free(sweep->tables);
	hd_fabric_free(sweep->fabric);
}

/* Where the tables need one lane and no more, the goal may have the lanes of the site. */
static int take_site_lanes(struct hd_osm_engine *engine, struct sweep *sweep, struct hd_error *err)
{
	struct osm_opensm *osm = engine->plugin->osm;
	const struct hd_site_qos qos = hd_osm_site_qos(osm);
	struct hd_site_lanes_request request = {
		.qos = &qos,
		.max_vls = engine->settings->max_vls,
		.is_unchecked = engine->settings->unchecked,
	};
	struct hd_vlarb_room *rooms;
	int ret = hd_osm_vlarb_rooms(osm, sweep->fabric, false, &rooms, err);

	if (ret)
		return ret;
	request.rooms = rooms;
	ret = hd_site_lanes(sweep->tables, &request, &sweep->goal, engine->site_remark,
			    sizeof(engine->site_remark), err);
	free(rooms);
	return ret;
}

static int compute(struct hd_osm_engine *engine, struct sweep *sweep, struct hd_error *err)
{
	struct osm_opensm *osm = engine->plugin->osm;
	const struct hd_engine_settings *settings = engine->settings;
	struct hd_route_request request = {
		.layers = settings->layers,
		.queues = settings->queues,
		.max_vls = settings->max_vls,
		.params = settings->params,
		.previous = engine->routed,
		.previous_by = engine->plugin->options.reroute_fresh ? NULL : engine->chosen,
		.older = engine->absent.tables,
		.n_older = engine->absent.n,
		.kept = &sweep->kept,
	};
	struct watch watch = { .engine = engine, .sweep = sweep };
	struct hd_vlarb_room *rooms = NULL;
	double start = hd_osm_seconds();
	int ret;

#ifdef _OPENMP
	/* this is set for the calling thread alone, which is OpenSM's sweeper */
	if (engine->plugin->options.threads)
		omp_set_num_threads((int)engine->plugin->options.threads);
#endif
	ret = hd_osm_strict_check(engine->plugin, err);
	if (!ret)
		ret = hd_vlarb_parse(settings->vlarb, &request.vlarb, err);
	if (!ret)
		ret = hd_osm_fabric(osm, &sweep->fabric, err);
	if (!ret)
		ret = hd_osm_classes(engine->plugin, &request.classes, err);
	if (!ret)
		hd_osm_strict_lift(engine->plugin);
	if (!ret)
		ret = hd_osm_classes_check_mtu(osm, sweep->fabric, request.classes, err);
	if (!ret)
		ret = hd_osm_vlarb_rooms(osm, sweep->fabric, request.classes != NULL, &rooms, err);
	request.vlarb_rooms = rooms;
	request.accept = accept_tables;
	request.tell = tell;
	request.watcher = &watch;
	request.chosen = &sweep->chosen;
	sweep->chosen = engine->engine;
	if (!ret)
		ret = hd_route(engine->engine, sweep->fabric, &request, &sweep->tables, err);
	free(rooms);
	if (ret)
		return ret;
	sweep->route_seconds =
		hd_osm_seconds() - start - (watch.is_accepted ? sweep->check_seconds : 0);
	/* an engine that takes others has asked already */
	ret = engine->engine->choose ? 0 : accept_tables(&watch, sweep->tables, err);
	if (!ret)
		ret = take_site_lanes(engine, sweep, err);
	if (ret)
		return ret;
	if (!sweep->goal)
		sweep->goal = hd_tables_share(sweep->tables);
	return hd_osm_hops_set(osm, sweep->fabric, err);
}

static void log_refusal(const struct hd_osm_engine *engine, const struct hd_error *err)
{
	char text[sizeof(err->file) + sizeof(err->text) + 16];

	osm_log(&engine->plugin->osm->log, OSM_LOG_ERROR, "heddle: engine %s refuses: %s\n",
		engine->name, hd_error_format(err, text, sizeof(text)));
}

/* Partitions and QoS policies may choose SLs when lanes are the same for all of them. */
static bool serves_any_sl(const struct hd_osm_engine *engine, const struct hd_tables *tables)
{
	if (engine->has_site_lanes)
		return true;
	return engine->chosen->any_sl && !tables->classes && hd_tables_sls_used(tables) == 1;
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

/* What the log says of service classes. */
static const char *describe_classes(const struct hd_tables *tables, char *text, size_t size)
{
	const struct hd_classes *classes = tables->classes;
	char label[320];

	text[0] = '\0';
	if (classes && classes->error > 0)
		snprintf(text, size, "; %u classes, shares within %.4f, worst at %s", classes->n,
			 classes->error,
			 hd_port_label(tables->fabric, classes->error_port, label, sizeof(label)));
	else if (classes)
		snprintf(text, size, "; %u classes, shares exact", classes->n);
	return text;
}

/* What became of the lanes of the last sweep. */
static const char *describe_kept(const struct hd_lanes_outcome *kept, char *text, size_t size)
{
	text[0] = '\0';
	if (kept->is_kept && !kept->is_fresh)
		snprintf(text, size, "; lanes stayed, %" PRIu64 " entries are detours",
			 kept->n_detours);
	return text;
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
	cl_qmap_t *map = &osm->subn.sw_guid_tbl;
	size_t n = 0;

	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		const osm_switch_t *sw = (osm_switch_t *)item;
		osm_physp_t *physp = osm_node_get_physp_ptr(sw->p_node, 0);

		n += physp && !osm_physp_get_base_lid(physp);
	}
	return n;
}

/*
 * Where the Set of a switch's LID was lost, the next sweep gives it one before any table is sent, and it may then send: by the
 * tables of this sweep, which are not proved for it. So this sweep leaves what switches hold, and the next one comes soon. Not
 * where others would route instead, and not for ever.
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
static void keep_absent(struct hd_osm_engine *engine, const struct sweep *sweep)
{
	/* hosts are taken to have asked again where lanes are never kept */
	if (engine->plugin->options.reroute_fresh ||
	    (engine->routed && sweep->chosen != engine->chosen)) {
		hd_absent_nodes_forget(&engine->absent);
		return;
	}
	if (!hd_absent_nodes_take(&engine->absent, engine->routed, engine->fabric, sweep->fabric))
		return;
	engine->routed = NULL;
	engine->fabric = NULL;
}

static int build_lid_matrices(void *context)
{
	struct hd_osm_engine *engine = context;
	struct osm_opensm *osm = engine->plugin->osm;
	struct sweep sweep = { 0 };
	struct hd_tables *first;
	struct hd_error err = { 0 };
	char classes[400], kept[96];
	int ret;

	if (waits_for_lids(engine)) {
		hd_osm_resweep_refused(&engine->plugin->resweep);
		return -1;
	}
	ret = compute(engine, &sweep, &err);
	if (ret == HD_ENOMEM && keep_last(engine)) {
		discard(&sweep);
		return 0;
	}
	if (ret) {
		hand_over(engine);
		log_refusal(engine, &err);
		hd_osm_resweep_refused(&engine->plugin->resweep);
		discard(&sweep);
		hd_osm_hops_clear(osm);
		return -1;
	}
	/* the plan goes by the tables that were handed out last, which are dropped then */
	hd_osm_transition_plan(engine->plugin, engine, sweep.goal, &first);
	keep_absent(engine, &sweep);
	drop_tables(engine);
	engine->fabric = sweep.fabric;
	engine->routed = sweep.tables;
	engine->goal = sweep.goal;
	engine->tables = first ? first : hd_tables_share(sweep.goal);
	engine->has_site_lanes = sweep.goal != sweep.tables;
	engine->plugin->transition.last = engine;
	engine->chosen = sweep.chosen;
	engine->any_sl = serves_any_sl(engine, engine->goal);
	if (engine->goal->classes)
		hd_osm_vlarb_force(engine);
	snprintf(engine->proof, sizeof(engine->proof),
		 "%s%s%" PRIu32 " switches, top LID %" PRIu32
		 ", routed in %.3f s, checked in %.3f s: %s%s%s",
		 engine->chosen == engine->engine ? "" : engine->chosen->policy.name,
		 engine->chosen == engine->engine ? "" : " routes: ", engine->fabric->n_switches,
		 engine->fabric->top_lid, sweep.route_seconds, sweep.check_seconds, sweep.summary,
		 describe_classes(engine->goal, classes, sizeof(classes)),
		 describe_kept(&sweep.kept, kept, sizeof(kept)));
	log_anew(engine, &sweep.kept);
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
