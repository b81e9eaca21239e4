// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * One engine's callbacks. A heavy sweep calls build_lid_matrices first: there everything is decided
 * (fabric, routes, lanes, proof), so that a refusal leaves nothing behind in OpenSM and the next
 * engine of routing_engine starts clean. The other callbacks only hand out what was decided.
 */
#include "opensm/transition.h"

#ifdef _OPENMP
#include <omp.h>
#endif
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "check/check.h"
#include "engines/keep.h"
#include "sl2vl/lanes.h"
#include "support/error.h"

static double seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

void hd_osm_engine_take(struct hd_osm_engine *engine, struct hd_tables *tables)
{
	if (engine->tables != engine->goal)
		hd_tables_free(engine->tables);
	engine->tables = tables;
}

static void drop_tables(struct hd_osm_engine *engine)
{
	hd_osm_engine_take(engine, NULL);
	hd_tables_free(engine->goal);
	hd_fabric_free(engine->fabric);
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
		if (engine->goal != engine->tables)
			hd_tables_free(engine->goal);
		engine->goal = NULL;
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
	struct hd_check_options options = { .max_vls = engine->settings->max_vls };
	struct hd_check_result result;
	int ret;

	if (engine->settings->unchecked) {
		snprintf(summary, size, "not checked");
		return 0;
	}
	ret = hd_check(tables, &options, &result, err);
	if (ret)
		return ret;
	hd_check_summary(&result, tables->fabric, summary, size);
	if (result.failure != HD_CHECK_SOUND)
		ret = hd_error_set(err, HD_EREFUSED, "its tables fail the check: %s", summary);
	hd_check_clear(&result);
	return ret;
}

/* The results of a sweep. */
struct sweep {
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	const struct hd_engine *chosen;
	struct hd_kept kept;
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
	const double start = seconds();
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
	watch->sweep->check_seconds = seconds() - start;
	watch->is_accepted = true;
	return 0;
}

static int compute(const struct hd_osm_engine *engine, struct sweep *sweep, struct hd_error *err)
{
	struct osm_opensm *osm = engine->plugin->osm;
	const struct hd_engine_settings *settings = engine->settings;
	struct hd_route_request request = {
		.layers = settings->layers,
		.queues = settings->queues,
		.max_vls = settings->max_vls,
		.params = settings->params,
		.previous = engine->goal,
		.previous_by = engine->plugin->options.reroute_fresh ? NULL : engine->chosen,
		.kept = &sweep->kept,
	};
	struct watch watch = { .engine = engine, .sweep = sweep };
	struct hd_vlarb_room *rooms = NULL;
	double start = seconds();
	int ret;

#ifdef _OPENMP
	/* this is set for the calling thread alone, which is OpenSM's sweeper */
	if (engine->plugin->options.threads)
		omp_set_num_threads((int)engine->plugin->options.threads);
#endif
	ret = hd_vlarb_parse(settings->vlarb, &request.vlarb, err);
	if (!ret)
		ret = hd_osm_fabric(osm, &sweep->fabric, err);
	if (!ret)
		ret = hd_osm_classes(engine->plugin, &request.classes, err);
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
	sweep->route_seconds = seconds() - start - (watch.is_accepted ? sweep->check_seconds : 0);
	/* an engine that takes others has asked already */
	ret = engine->engine->choose ? 0 : accept_tables(&watch, sweep->tables, err);
	if (ret)
		return ret;
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
	return engine->chosen->any_sl && !tables->classes && hd_tables_sls_used(tables) == 1;
}

/* Logs one line, and again only when the site's options have changed. */
static void log_site_qos(struct hd_osm_engine *engine)
{
	struct osm_opensm *osm = engine->plugin->osm;
	/* where there are classes, SLs of partitions and policies name them */
	const bool has_classes = engine->goal && engine->goal->classes;
	char *names = hd_osm_site_qos(osm, engine->any_sl || has_classes);

	if (!names || (engine->site_qos && strcmp(engine->site_qos, names) == 0)) {
		free(names);
		return;
	}
	if (*names)
		osm_log(&osm->log, OSM_LOG_INFO,
			"heddle: engine %s has SL2VL tables%s of its own; without effect: %s%s\n",
			engine->name,
			engine->any_sl || has_classes ? " and VL arbitration"
						      : ", VL arbitration and path SLs",
			names,
			has_classes ? ""
				    : " (event_plugin_options classes=FILE says who has "
				      "which part of links, heddle-classes(5))");
	free(engine->site_qos);
	engine->site_qos = names;
}

/* Handles the first callback about lanes in a sweep. */
static void begin_qos(struct hd_osm_engine *engine)
{
	if (engine->site_qos_due)
		log_site_qos(engine);
	engine->site_qos_due = false;
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
		       hd_osm_same_fabric(engine->fabric, now);

	if (is_kept) {
		hd_osm_hops_clear(osm);
		is_kept = !hd_osm_hops_set(osm, engine->fabric, &err);
	}
	hd_fabric_free(now);
	if (is_kept)
		osm_log(&osm->log, OSM_LOG_ERROR,
			"heddle: engine %s: out of memory: the tables of the last sweep stay, as "
			"the fabric has not changed\n",
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
		snprintf(text, size, "; %u classes, shares within %.4f, most of all at %s",
			 classes->n, classes->error,
			 hd_port_label(tables->fabric, classes->error_port, label, sizeof(label)));
	else if (classes)
		snprintf(text, size, "; %u classes, shares exact", classes->n);
	return text;
}

/* What became of the lanes of the last sweep. */
static const char *describe_kept(const struct hd_kept *kept, char *text, size_t size)
{
	text[0] = '\0';
	if (kept->is_kept && !kept->is_fresh)
		snprintf(text, size,
			 "; lanes stayed, %" PRIu64 " entries are detours for their sake",
			 kept->n_detours);
	return text;
}

/* Path SLs may have changed: hosts that do not ask again go on with the old ones. */
static void log_anew(const struct hd_osm_engine *engine, const struct hd_kept *kept)
{
	if (!kept->is_kept && kept->reason[0])
		osm_log(&engine->plugin->osm->log, OSM_LOG_INFO,
			"heddle: engine %s: lanes are made anew: %s\n", engine->name, kept->reason);
}

static int build_lid_matrices(void *context)
{
	struct hd_osm_engine *engine = context;
	struct osm_opensm *osm = engine->plugin->osm;
	struct sweep sweep = { 0 };
	struct hd_tables *first;
	struct hd_error err = { 0 };
	char classes[400], kept[96];
	int ret = compute(engine, &sweep, &err);

	if (ret == HD_ENOMEM && keep_last(engine)) {
		hd_tables_free(sweep.tables);
		hd_fabric_free(sweep.fabric);
		return 0;
	}
	if (ret) {
		hand_over(engine);
		log_refusal(engine, &err);
		hd_tables_free(sweep.tables);
		hd_fabric_free(sweep.fabric);
		hd_osm_hops_clear(osm);
		return -1;
	}
	/* the plan goes by the tables that were handed out last, which are dropped then */
	hd_osm_transition_plan(engine->plugin, engine, sweep.tables, &first);
	drop_tables(engine);
	engine->fabric = sweep.fabric;
	engine->goal = sweep.tables;
	engine->tables = first ? first : sweep.tables;
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
		log_site_qos(engine);
	return 0;
}

void hd_osm_engine_fill_lfts(const struct hd_osm_engine *engine)
{
	cl_qmap_t *map = &engine->plugin->osm->subn.sw_guid_tbl;

	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		osm_switch_t *sw = (osm_switch_t *)item;
		uint32_t s = hd_osm_find_switch(engine->fabric, sw);
		size_t n = engine->tables->lft_stride;

		if (s == HD_NONE || !sw->new_lft)
			continue;
		if (n > sw->lft_size)
			n = sw->lft_size;
		memcpy(sw->new_lft, hd_lft(engine->tables, s), n);
	}
}

static int ucast_build_fwd_tables(void *context)
{
	const struct hd_osm_engine *engine = context;

	if (!engine->tables)
		return -1;
	hd_osm_engine_fill_lfts(engine);
	return 0;
}

/*
 * The row of @physp, or NULL: the last sweep's fabric has no such port. For end ports OpenSM asks
 * with in = out = 0; so it does for an enhanced port 0, which has a row.
 */
static const hd_sl2vl_row *find_row(const struct hd_osm_engine *engine, uint32_t port, unsigned in,
				    unsigned out)
{
	const struct hd_fabric *fabric = engine->fabric;
	uint32_t node = fabric->ports[port].node;

	if (!hd_is_switch(fabric, node))
		return &engine->tables->sl2vl[hd_sl2vl_host_index(engine->tables, node,
								  fabric->ports[port].number)];
	if (in > fabric->nodes[node].n_ports || out > fabric->nodes[node].n_ports)
		return NULL;
	return &engine->tables->sl2vl[hd_sl2vl_index(engine->tables, node, in, out)];
}

/*
 * Whether OpenSM masks the row. It cuts every VL down to the bits that the port operates now,
 * without a word, and negotiates the number of VLs only later. Such a row is wrong until a sweep
 * that finds the new value.
 */
static bool is_masked(hd_sl2vl_row row, const osm_physp_t *physp)
{
	unsigned mask = hd_osm_vl_mask(physp);

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		if (hd_row_vl(row, sl) != HD_VL_DROP && (hd_row_vl(row, sl) & ~mask))
			return true;
	return false;
}

static void set_row(ib_slvl_table_t *table, hd_sl2vl_row row)
{
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		ib_slvl_table_set(table, (uint8_t)sl, (uint8_t)hd_row_vl(row, sl));
}

bool hd_osm_engine_row(const struct hd_osm_engine *engine, uint32_t port, unsigned in, unsigned out,
		       ib_slvl_table_t *row)
{
	const hd_sl2vl_row *wanted = find_row(engine, port, in, out);

	if (wanted)
		set_row(row, *wanted);
	return wanted;
}

/* The port of ours whose tables OpenSM asks for; HD_NONE: there is none, or there are no tables. */
static uint32_t begin_port(struct hd_osm_engine *engine, osm_physp_t *physp)
{
	if (!engine->tables)
		return HD_NONE;
	begin_qos(engine);
	return hd_osm_find_port(engine->fabric, physp);
}

static void update_sl2vl(void *context, osm_physp_t *physp, uint8_t in, uint8_t out,
			 ib_slvl_table_t *table)
{
	struct hd_osm_engine *engine = context;
	uint32_t port = begin_port(engine, physp);
	const hd_sl2vl_row *row;

	if (port == HD_NONE)
		return;
	row = find_row(engine, port, in, out);
	if (!row)
		return;
	set_row(table, *row);
	hd_osm_confirm_row(&engine->plugin->confirm, physp, in, table);
	if (engine->masked_port == HD_NONE && engine->fabric->ports[port].peer != HD_NONE &&
	    is_masked(*row, physp))
		engine->masked_port = port;
}

static void fill_block(const struct hd_osm_engine *engine, uint32_t port, ib_vl_arb_table_t *block,
		       unsigned block_length, unsigned block_num)
{
	const struct hd_vlarb *vlarb;
	const struct hd_vlarb_entry *entries;
	unsigned n, first = block_num % 2 * IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK;

	if (engine->goal->vlarb_of_port[port] == HD_NONE)
		return;
	vlarb = &engine->goal->vlarbs[engine->goal->vlarb_of_port[port]];
	entries = block_num < 2 ? vlarb->low : vlarb->high;
	n = block_num < 2 ? vlarb->n_low : vlarb->n_high;
	/* OpenSM gives length 0 for the second block of 64 entries, and programs it once */
	if (!block_length)
		block_length = IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK;
	for (unsigned i = 0; i < block_length && i < IB_NUM_VL_ARB_ELEMENTS_IN_BLOCK; i++) {
		bool given = first + i < n;

		block->vl_entry[i].vl = given ? entries[first + i].vl : 0;
		block->vl_entry[i].weight = given ? entries[first + i].weight : 0;
	}
}

static void update_vlarb(void *context, osm_physp_t *physp, uint8_t port_num,
			 ib_vl_arb_table_t *block, unsigned block_length, unsigned block_num)
{
	struct hd_osm_engine *engine = context;
	uint32_t port = begin_port(engine, physp);

	if (port == HD_NONE)
		return;
	/* the tables are made for this limit, whatever limit the site has set */
	if (engine->goal->vlarb_of_port[port] != HD_NONE)
		physp->vl_high_limit =
			engine->goal->vlarbs[engine->goal->vlarb_of_port[port]].high_limit;
	fill_block(engine, port, block, block_length, block_num);
	hd_osm_confirm_block(&engine->plugin->confirm, physp, block_num, block, block_length);
}

/* The class that the SL @hint asks for; that one SL asks for none is logged once. */
static unsigned class_of_hint(struct hd_osm_engine *engine, unsigned hint)
{
	const struct hd_classes *classes = engine->tables->classes;
	const uint32_t class = hd_class_of_sl(classes, hint);

	if (class != HD_NONE)
		return class;
	if (!atomic_flag_test_and_set(&engine->no_class))
		osm_log(&engine->plugin->osm->log, OSM_LOG_ERROR,
			"heddle: engine %s: SL %u is asked for, which no class has: class %s is "
			"answered for such SLs\n",
			engine->name, hint, classes->list[classes->fallback].name);
	return classes->fallback;
}

static uint8_t path_sl(void *context, uint8_t hint, const ib_net16_t slid, const ib_net16_t dlid)
{
	struct hd_osm_engine *engine = context;
	const struct hd_tables *tables = engine->tables;
	uint32_t source = cl_ntoh16(slid), destination = cl_ntoh16(dlid);
	unsigned sl;

	if (!tables || engine->any_sl || source > engine->fabric->top_lid ||
	    destination > engine->fabric->top_lid || engine->fabric->lids[source].port == HD_NONE ||
	    engine->fabric->lids[destination].port == HD_NONE)
		return hint;
	sl = hd_path_sl(tables, engine->fabric->lids[source].port, destination);
	if (sl == HD_NO_SL)
		return hint;
	if (tables->classes)
		sl = hd_class_sl(tables->classes, class_of_hint(engine, hint), sl);
	return (uint8_t)sl;
}

static void destroy(void *context)
{
	hd_osm_engine_drop(context);
}

int hd_osm_engine_setup(struct osm_routing_engine *re, struct osm_opensm *osm)
{
	re->build_lid_matrices = build_lid_matrices;
	re->ucast_build_fwd_tables = ucast_build_fwd_tables;
	re->update_sl2vl = update_sl2vl;
	re->update_vlarb = update_vlarb;
	re->path_sl = path_sl;
	re->destroy = destroy;
	return 0;
}
