/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Inside libosmheddle.so: what its parts share.
 *
 * Locks. OpenSM calls the engine's build, update_sl2vl and update_vlarb from its one sweeper thread
 * with its lock held exclusively, and path_sl from any thread with that lock held for reading. So
 * the tables of an engine change by swapping pointers in a build callback, and nothing here takes
 * a lock for them. Events come from the sweeper thread without the lock: tables cannot change
 * under them, but what belongs to OpenSM is read with its lock held for reading.
 *
 * Lifetimes. Between sweeps nothing of OpenSM is remembered: switches and ports may vanish. A
 * sweep's result is a struct hd_fabric with the tables on it, and callbacks find their port in it
 * by GUID or LID.
 */
#ifndef HD_OPENSM_PLUGIN_H
#define HD_OPENSM_PLUGIN_H

#include "opensm/osm.h"

#include <opensm/osm_event_plugin.h>
#include <stdatomic.h>

#include "change/rollout.h"
#include "manager/class_file.h"
#include "manager/handout.h"
#include "manager/lane_dumps.h"
#include "manager/node_tables.h"
#include "manager/plugin_options.h"
#include "opensm/confirm.h"
#include "opensm/held_links.h"
#include "opensm/read_back.h"
#include "opensm/resweep.h"
#include "opensm/rows.h"

struct hd_error;

/* An engine as registered with OpenSM. */
struct hd_osm_engine {
	struct hd_osm_plugin *plugin;
	const struct hd_engine *engine;
	const struct hd_engine_settings *settings;
	struct osm_routing_engine *re;
	char name[64]; /* "dla", or "heddle-minhop" where OpenSM has an engine of that name */

	struct hd_handout handout; /* of tables to OpenSM */

	bool lacks_hops;      /* OpenSM has no hop counts since it routed (opensm/hops.h) */
	bool site_qos_due;    /* the site's QoS options are to be looked at in this sweep */
	char *site_qos;       /* the line about them that was logged last, or NULL */
	uint32_t masked_port; /* a port whose operational VLs were too few for its row when
				       QoS was set up, index in ports[]; or HD_NONE */
	uint32_t asked_port;  /* whose tables OpenSM asked for last, index in ports[]; or HD_NONE */
	atomic_flag no_class; /* it was told that an SL is of no service class */
	char proof[640];      /* what is to be logged once the tables are confirmed; "": it was
			        logged */
};

/* How the subnet gets to new tables (opensm/transition.h). */
struct hd_osm_transition {
	const struct hd_osm_engine *last; /* whose tables were handed out last; NULL: not ours */
	struct hd_orphans orphans;        /* until another engine routes */

	struct hd_rollout rollout;
	struct hd_osm_engine *engine; /* whose tables are under way in this sweep; NULL: none are */
};

struct hd_osm_plugin {
	struct osm_opensm *osm;
	struct hd_plugin_options options;
	struct hd_osm_confirm confirm;
	struct hd_osm_resweep resweep;
	struct hd_repeated_sets sets;
	struct hd_discovered discovered; /* what the current sweep has found */
	struct hd_osm_rows rows;         /* that nodes hold, until tables are sent */
	struct hd_osm_transition transition;
	struct hd_osm_held_links held_links; /* until the end of the sweep */
	bool has_no_status;           /* it was logged that the status file cannot be written */
	bool is_confirmed;            /* the last sweep left what its engine wants */
	bool repeats_sweep;           /* the current sweep repeats one in which ports were masked */
	struct hd_class_file classes; /* service classes of the site */
	char barred[1200];            /* what was logged of why nothing is routed; "" (strict.c) */
	boolean_t was_no_fallback;    /* what the site says of fall-back, while nothing is routed */
	struct hd_lane_dumps dumps;   /* beside OpenSM's own */
	uint64_t multicast_digest;    /* of the multicast tables that were checked last */
	size_t n_engines;
	struct hd_osm_engine *engines; /* in the order of hd_engines */
};

/* What OpenSM calls when it loads the plug-in, when it unloads it, and for events. */
void *hd_osm_plugin_create(struct osm_opensm *osm);
void hd_osm_plugin_delete(void *context);
void hd_osm_plugin_report(void *context, osm_epi_event_id_t event, void *data);

#endif
