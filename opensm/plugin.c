// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* libosmheddle.so: registers every engine with OpenSM. */
#include "opensm/transition.h"

#include <stdlib.h>

#include "manager/masked_rows.h"
#include "opensm/ahead.h"
#include "opensm/callbacks.h"
#include "opensm/hops.h"
#include "opensm/logging.h"
#include "opensm/multicast_proof.h"
#include "opensm/programmed.h"
#include "opensm/sm.h"
#include "opensm/status.h"
#include "support/error.h"
#include "support/memory.h"

void hd_osm_plugin_delete(void *context)
{
	struct hd_osm_plugin *plugin = context;

	hd_osm_alarm_stop(&plugin->confirm.alarm);
	hd_osm_alarm_stop(&plugin->resweep.alarm);
	hd_osm_alarm_stop(&plugin->held_links.alarm);
	hd_sent_blocks_clear(&plugin->confirm.blocks);
	hd_unconfirmed_switches_clear(&plugin->confirm.switches);
	hd_osm_links_forget(&plugin->held_links);
	for (size_t i = 0; i < plugin->n_engines; i++) {
		hd_osm_engine_drop(&plugin->engines[i], NULL);
		free(plugin->engines[i].site_qos);
	}
	hd_rollout_clear(&plugin->transition.rollout);
	hd_orphans_forget(&plugin->transition.orphans);
	hd_discovered_clear(&plugin->discovered);
	hd_osm_rows_forget(&plugin->rows);
	hd_sm_unregister();
	free(plugin->engines);
	hd_class_file_clear(&plugin->classes);
	hd_lane_dumps_clear(&plugin->dumps);
	hd_plugin_options_clear(&plugin->options);
	free(plugin);
}

/*
 * Registers under the engine's own name, or "heddle-NAME" where OpenSM has an engine of that name
 * itself: a user who writes routing_engine minhop means OpenSM's.
 */
static bool register_engine(struct osm_opensm *osm, struct hd_osm_engine *engine)
{
	const char *name = engine->engine->policy.name;

	snprintf(engine->name, sizeof(engine->name), "%s%s",
		 hd_sm_has_engine(name) ? "heddle-" : "", name);
	return hd_sm_register(osm, engine->name, hd_osm_engine_setup, engine);
}

/* A word of the options is left out: what is routed is not all that the site has asked for. */
static void complain(void *context, const char *text)
{
	hd_osm_log(context, OSM_LOG_SYS | OSM_LOG_ERROR,
		   "event_plugin_options: %s: that word is ignored", text);
}

/* Registers all engines. OpenSM keeps their addresses, so from then on create() must succeed. */
static void register_engines(struct hd_osm_plugin *plugin)
{
	for (; plugin->n_engines < plugin->options.n_engines; plugin->n_engines++) {
		struct hd_osm_engine *engine = &plugin->engines[plugin->n_engines];

		engine->plugin = plugin;
		engine->engine = hd_engine_at(plugin->n_engines);
		engine->settings = &plugin->options.engines[plugin->n_engines];
		engine->masked_port = engine->asked_port = HD_NONE;
		atomic_flag_clear(&engine->no_class);
		if (!register_engine(plugin->osm, engine))
			hd_osm_log(plugin->osm, OSM_LOG_ERROR,
				   "OpenSM takes no engine of the name %s", engine->name);
	}
}

/* Prepares @plugin; what is wrong goes to @err. */
static int start(struct hd_osm_plugin *plugin, struct hd_error *err)
{
	struct osm_opensm *osm = plugin->osm;
	int ret;

	if (!hd_osm_alarm_start(&plugin->confirm.alarm, osm) ||
	    !hd_osm_alarm_start(&plugin->resweep.alarm, osm) ||
	    !hd_osm_alarm_start(&plugin->held_links.alarm, osm))
		return hd_error_set(err, HD_EINVAL, "OpenSM has no timers");
	ret = hd_plugin_options_parse(osm->subn.opt.event_plugin_options,
				      hd_plugin_is_alone(osm->subn.opt.event_plugin_name),
				      &plugin->options, complain, osm, err);
	if (ret)
		return ret;
	if (!hd_sm_sends_rounds())
		plugin->options.transition = HD_TRANSITION_OFF;
	plugin->confirm.osm = osm;
	plugin->confirm.with_lfts = plugin->options.transition != HD_TRANSITION_OFF;
	plugin->engines = calloc(plugin->options.n_engines + 1, sizeof(*plugin->engines));
	return plugin->engines ? 0 : hd_error_nomem(err);
}

void *hd_osm_plugin_create(struct osm_opensm *osm)
{
	struct hd_osm_plugin *plugin = calloc(1, sizeof(*plugin));
	struct hd_error err = { 0 };

	if (!plugin) {
		hd_osm_log(osm, OSM_LOG_ERROR, "out of memory: not loaded");
		return NULL;
	}
	plugin->osm = osm;
	if (start(plugin, &err)) {
		hd_osm_log(osm, OSM_LOG_ERROR, "%s: not loaded", err.text);
		hd_osm_plugin_delete(plugin);
		return NULL;
	}
	register_engines(plugin);
	hd_osm_log(osm, OSM_LOG_INFO, "loaded with %zu routing engines", plugin->n_engines);
	return plugin;
}

/* True: OpenSM has cut SL2VL rows that it sent. */
static bool repeat_if_masked(struct hd_osm_engine *engine)
{
	struct hd_osm_plugin *plugin = engine->plugin;
	char text[500];
	const enum hd_masked_rows rows =
		hd_masked_rows_judge(&plugin->repeats_sweep, engine->handout.wanted.fabric,
				     engine->masked_port, engine->name, text, sizeof(text));

	engine->masked_port = HD_NONE;
	if (rows == HD_ROWS_WHOLE)
		return false;
	hd_osm_log(plugin->osm, rows == HD_ROWS_CUT ? OSM_LOG_INFO : OSM_LOG_ERROR, "%s", text);
	if (rows == HD_ROWS_CUT)
		plugin->osm->subn.force_heavy_sweep = TRUE;
	return true;
}

/*
 * At the end of unicast routing all Sets of tables have been answered, or never will be. OpenSM
 * repeats a sweep that lost some of its own requests; the tables of such a sweep are not yet those
 * that were proved.
 */
static void confirm(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine)
{
	const bool is_masked = engine && repeat_if_masked(engine);
	bool is_confirmed = hd_osm_read_back_settle(plugin, engine);

	plugin->is_confirmed = false;
	/* what planning has freed, before the tables of other rounds are made */
	if (engine && plugin->transition.engine == engine)
		hd_release_free_memory();
	while (engine && hd_osm_transition_go_on(engine, is_confirmed && !is_masked))
		is_confirmed = hd_osm_read_back_settle(plugin, engine);
	hd_osm_confirm_begin(&plugin->confirm);
	plugin->is_confirmed = engine && !is_masked && is_confirmed;
	hd_osm_status_write(plugin, engine);
	if (!engine || !plugin->is_confirmed || !engine->proof[0] ||
	    !hd_handout_has_goal(&engine->handout) || plugin->osm->subn.subnet_initialization_error)
		return;
	hd_osm_engine_log(engine, OSM_LOG_INFO, "%s", engine->proof);
	engine->proof[0] = '\0';
}

/* The first engine of ours that routing_engine names, or NULL. */
static const struct hd_osm_engine *find_asked_for(const struct hd_osm_plugin *plugin)
{
	for (size_t i = 0; i < plugin->n_engines; i++)
		if (hd_engine_is_listed(plugin->osm->subn.opt.routing_engine_names,
					plugin->engines[i].name))
			return &plugin->engines[i];
	return NULL;
}

/* Says it where engines of ours were asked for, and others have routed. */
static void tell_fallback(struct hd_osm_plugin *plugin)
{
	struct osm_opensm *osm = plugin->osm;
	const struct osm_routing_engine *used = hd_sm_used(osm);
	const struct hd_osm_engine *engine = find_asked_for(plugin);

	/* no_fallback: switches keep what they have, and the refusals say why */
	if (!used || !engine)
		return;
	hd_osm_log(osm, OSM_LOG_SYS | OSM_LOG_ERROR,
		   "ATTENTION: engine %s was requested, but the subnet has tables of %s, which "
		   "heddle has not proved: credit loops and transient loops are possible. "
		   "'routing_engine %s,no_fallback' keeps the switches' tables instead",
		   engine->name, hd_sm_name(used), osm->subn.opt.routing_engine_names);
}

static void tell_error(void *context, const char *line)
{
	hd_osm_log(context, OSM_LOG_ERROR, "%s", line);
}

/* Path SLs and VL arbitration beside OpenSM's own dumps; @engine NULL: removes old ones. */
static void dump_lanes(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine)
{
	hd_lane_dumps_write(&plugin->dumps, plugin->osm->subn.opt.dump_files_dir,
			    engine ? engine->handout.tables : NULL,
			    engine ? engine->handout.wanted.goal : NULL, tell_error, plugin->osm);
}

/*
 * Until a sweep is without errors, OpenSM sends all LFTs, SL2VL tables and VL arbitration anew in
 * each: more to be lost, and read before. Where all of them are confirmed, only what changes is to
 * be sent.
 */
static void lift_force(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine)
{
	if (plugin->confirm.with_lfts && plugin->is_confirmed && !plugin->confirm.was_lost &&
	    hd_handout_has_goal(&engine->handout))
		plugin->osm->subn.need_update = 0;
}

/* What a heavy sweep does at its end, OpenSM leaves out where it only routes again. */
static void finish_reroute(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine)
{
	if (plugin->options.transition == HD_TRANSITION_OFF)
		return;
	hd_sm_dump(plugin->osm);
	hd_osm_check_multicast(engine);
}

/* OpenSM has discovered the fabric, and has sent nothing yet. */
static void begin_setting_up(struct hd_osm_plugin *plugin)
{
	if (!find_asked_for(plugin))
		return;
	if (plugin->options.transition != HD_TRANSITION_OFF)
		hd_osm_programmed_read(plugin);
	if (plugin->resweep.pace.tries)
		hd_osm_ahead_send(plugin->osm);
}

/* All Sets of unicast routing are answered, or never will be. */
static void end_routing(struct hd_osm_plugin *plugin, bool is_reroute)
{
	struct hd_osm_engine *engine = hd_osm_engine_used(plugin);

	hd_osm_rows_forget(&plugin->rows);
	if (!engine) {
		tell_fallback(plugin);
		plugin->repeats_sweep = false;
		/* where nobody has routed, nodes keep what they hold */
		if (hd_sm_used(plugin->osm)) {
			plugin->transition.last = NULL;
			hd_orphans_forget(&plugin->transition.orphans);
		}
	}
	confirm(plugin, engine);
	/* where OpenSM only routes again, it brings no links up */
	if (engine && !is_reroute && plugin->options.transition != HD_TRANSITION_OFF)
		hd_osm_links_hold(engine);
	if (engine)
		hd_osm_hops_give(engine);
	if (osm_log_is_active(&plugin->osm->log, OSM_LOG_ROUTING))
		dump_lanes(plugin, engine);
	if (is_reroute && engine)
		finish_reroute(plugin, engine);
}

/* A heavy sweep is over, maybe with errors. */
static void end_sweep(struct hd_osm_plugin *plugin)
{
	struct hd_osm_engine *engine = hd_osm_engine_used(plugin);

	hd_osm_links_release(&plugin->held_links);
	if (engine) {
		lift_force(plugin, engine);
		hd_osm_check_multicast(engine);
		/* MADs that waited to be sent were gigabytes, and libc keeps their pages */
		hd_release_free_memory();
	}
	if (find_asked_for(plugin))
		hd_osm_resweep_end(&plugin->resweep);
}

void hd_osm_plugin_report(void *context, osm_epi_event_id_t event, void *data)
{
	struct hd_osm_plugin *plugin = context;

	switch (event) {
	case OSM_EVENT_ID_HEAVY_SWEEP_START:
		hd_osm_confirm_begin(&plugin->confirm);
		hd_osm_links_forget(&plugin->held_links);
		hd_osm_resweep_begin(&plugin->resweep);
		break;
	case OSM_EVENT_ID_HEAVY_SWEEP_DONE:
		begin_setting_up(plugin);
		break;
	case OSM_EVENT_ID_UCAST_ROUTING_DONE:
		end_routing(plugin, (uintptr_t)data == UCAST_ROUTING_REROUTE);
		break;
	case OSM_EVENT_ID_SUBNET_UP:
		end_sweep(plugin);
		break;
	default:
		break;
	}
}
