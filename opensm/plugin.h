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

#include <stdatomic.h>

#include "change/rollout.h"
#include "engines/stable_lanes.h"
#include "opensm/confirm.h"
#include "opensm/late_answers.h"
#include "opensm/plugin_options.h"
#include "opensm/resweep.h"
#include "tables/classes.h"

struct hd_error;

/* An engine as registered with OpenSM. */
struct hd_osm_engine {
	struct hd_osm_plugin *plugin;
	const struct hd_engine *engine;
	const struct hd_engine_settings *settings;
	struct osm_routing_engine *re;
	char name[64]; /* "dla", or "heddle-minhop" where OpenSM has an engine of that name */

	/*
	 * The result of the last sweep that this engine routed; NULL before one and after a
	 * refusal.
	 */
	struct hd_fabric *fabric;
	struct hd_tables *routed; /* what it has made */
	struct hd_tables *goal;   /* the same, or that with the lanes of the site (site_lanes.c) */
	struct hd_tables *tables; /* what OpenSM is handed: the same, or those of a round on the
				     way there (opensm/transition.h) */
	const struct hd_engine *chosen; /* whose tables they are: the engine, or what it took */

	/* Tables before these that have nodes which are away now (absent_nodes.c), the newest first. */
	const struct hd_tables *older[HD_MOST_OLDER];
	struct hd_fabric *older_fabrics[HD_MOST_OLDER];
	size_t n_older;

	bool has_site_lanes;   /* the goal has the lanes of the site */
	bool any_sl;           /* tables are sound with every SL: partitions and QoS policies may
			         choose SLs */
	bool site_qos_due;     /* the site's QoS options are to be looked at in this sweep */
	char *site_qos;        /* the line about them that was logged last, or NULL */
	char site_remark[800]; /* what site_lanes.c found wrong with the site's lanes; "" */
	uint32_t masked_port;  /* a port whose operational VLs were too few for its row when
					QoS was set up, index in ports[]; or HD_NONE */
	atomic_flag no_class;  /* it was told that an SL is of no service class */
	char proof[640];       /* what is to be logged once the tables are confirmed; "": it was
			         logged */
};

/* The LID that an active port had when a sweep found it. */
struct hd_osm_found_lid {
	uint64_t guid;
	uint16_t lid;
	uint8_t lmc;
};

/* Of what nodes held when the current sweep found them (opensm/programmed.h). */
struct hd_osm_programmed {
	struct hd_osm_found_lid *lids;
	size_t n_lids;
	size_t n_unknown; /* ports that carry packets and do not answer, or nobody behind them */
};

/* How the subnet gets to new tables (opensm/transition.h). */
struct hd_osm_transition {
	const struct hd_osm_engine *last; /* whose tables were handed out last; NULL: not ours */
	struct hd_tables *kept; /* of an engine that refuses now, until another routes: what
				     was handed out last */
	struct hd_fabric *kept_fabric;

	struct hd_rollout rollout;
	struct hd_osm_engine *engine; /* whose tables are under way in this sweep; NULL: none are */
	bool was_slow; /* copies of Sets of its earlier rounds may be under way (late_answers.h) */
};

struct hd_osm_plugin {
	struct osm_opensm *osm;
	struct hd_plugin_options options;
	struct hd_osm_confirm confirm;
	struct hd_osm_resweep resweep;
	struct hd_osm_late_answers late;
	struct hd_osm_programmed held;
	struct hd_osm_transition transition;
	bool has_no_status;           /* it was logged that the status file cannot be written */
	bool is_confirmed;            /* the last sweep left what its engine wants */
	bool repeats_sweep;           /* the current sweep repeats one in which ports were masked */
	struct hd_classes *classes;   /* service classes, of the last file that could be read */
	char classes_complaint[1100]; /* what was logged of the file that could not; "" */
	char barred[1200];            /* what was logged of why nothing is routed; "" (strict.c) */
	boolean_t was_no_fallback;    /* what the site says of fall-back, while nothing is routed */
	struct hd_classes *dumped;    /* classes whose path SLs stand among OpenSM's dumps */
	uint64_t multicast_digest;    /* of the multicast tables that were checked last */
	size_t n_engines;
	struct hd_osm_engine *engines; /* in the order of hd_engines */
};

/*
 * subnet.c: OpenSM's subnet as a fabric. HD_EINVAL, HD_ERANGE: the subnet makes no fabric;
 * HD_ENOMEM.
 */
int hd_osm_fabric(struct osm_opensm *osm, struct hd_fabric **fabric, struct hd_error *err);

/*
 * The bits of VLs that @physp operates: OpenSM cuts all others off. All bits where the port tells
 * nothing.
 */
unsigned hd_osm_vl_mask(const osm_physp_t *physp);

/*
 * How many VL arbitration entries OpenSM programs at each port of @fabric, [port]; with @whole
 * those that it programs with our help, too (hd_osm_vlarb_force()). To be freed by the caller.
 * HD_ENOMEM.
 */
int hd_osm_vlarb_rooms(struct osm_opensm *osm, const struct hd_fabric *fabric, bool whole,
		       struct hd_vlarb_room **rooms, struct hd_error *err);

/*
 * Has OpenSM send the entries 33 to 64 of ports of that capacity, where they differ from what the
 * port has: OpenSM takes their number to be 0, and compares as many. To be called while routes are
 * built.
 */
void hd_osm_vlarb_force(struct hd_osm_engine *engine);

/*
 * site_classes.c: the service classes that the site's class file has now in @classes, NULL without a
 * file. When it cannot be read, those of before stay, and that is logged once; HD_EREFUSED: there
 * are none.
 */
int hd_osm_classes(struct hd_osm_plugin *plugin, const struct hd_classes **classes,
		   struct hd_error *err);

/*
 * strict.c: HD_EREFUSED where the site wants lanes or shares that cannot be had, and no tables without them. OpenSM's own
 * fall-back is held off then, so that switches keep what they have; hd_osm_strict_lift() gives it back.
 */
int hd_osm_strict_check(struct hd_osm_plugin *plugin, struct hd_error *err);
int hd_osm_strict_refuse(struct hd_osm_plugin *plugin, const char *cause, struct hd_error *err);
void hd_osm_strict_lift(struct hd_osm_plugin *plugin);

/*
 * Whether every link of @fabric carries the packets that @classes give; HD_EREFUSED, with the numbers:
 * a link has a smaller MTU. What a class file says nothing of is as large as links allow.
 */
int hd_osm_classes_check_mtu(struct osm_opensm *osm, const struct hd_fabric *fabric,
			     const struct hd_classes *classes, struct hd_error *err);

/* The switch of @fabric with the GUID of OpenSM's @sw, or HD_NONE. */
uint32_t hd_osm_find_switch(const struct hd_fabric *fabric, const osm_switch_t *sw);

/* The port of @fabric that is OpenSM's @physp, index in ports[], or HD_NONE. */
uint32_t hd_osm_find_port(const struct hd_fabric *fabric, osm_physp_t *physp);

/*
 * hops.c: least hop counts from every switch to every switch, from which OpenSM builds its
 * multicast trees. HD_ENOMEM; hop counts that were set until then stay: clear them.
 */
int hd_osm_hops_set(struct osm_opensm *osm, const struct hd_fabric *fabric, struct hd_error *err);
void hd_osm_hops_clear(struct osm_opensm *osm);

/*
 * fabric_changed.c: whether two fabrics are one for routing: nodes, links, LIDs, VLs.
 */
bool hd_osm_same_fabric(const struct hd_fabric *one, const struct hd_fabric *other);

/* callbacks.c: the setup callback of every engine; its context is a struct hd_osm_engine. */
int hd_osm_engine_setup(struct osm_routing_engine *re, struct osm_opensm *osm);

/*
 * engine_tables.c: the SL2VL row that @engine wants at @port (index in ports[]) from in-port @in to
 * out-port @out; an adapter's port has one row. OpenSM asks with @in = @out = 0 for end ports, and
 * for an enhanced port 0, which has a row. NULL, false: no row is wanted there.
 */
const hd_sl2vl_row *hd_osm_engine_find_row(const struct hd_osm_engine *engine, uint32_t port,
					   unsigned in, unsigned out);
bool hd_osm_engine_row(const struct hd_osm_engine *engine, uint32_t port, unsigned in, unsigned out,
		       ib_slvl_table_t *row);

/*
 * Makes @tables, the goal or those of a round, what OpenSM is handed: the engine is an owner of them
 * now. Call with OpenSM's lock.
 */
void hd_osm_engine_take(struct hd_osm_engine *engine, struct hd_tables *tables);

/* Fills OpenSM's new LFTs from the tables of @engine. */
void hd_osm_engine_fill_lfts(const struct hd_osm_engine *engine);

/*
 * lane_callbacks.c: the callbacks about lanes; and the line about the site's QoS options, which is logged once
 * and again only when they have changed.
 */
void hd_osm_lanes_setup(struct osm_routing_engine *re);
void hd_osm_lanes_log_site(struct hd_osm_engine *engine);

/*
 * absent_nodes.c: tables of @chosen on @now are to follow those of the last sweep, which are kept as older
 * ones where they have nodes that are away now.
 */
void hd_osm_absent_nodes_take(struct hd_osm_engine *engine, const struct hd_fabric *now,
			      const struct hd_engine *chosen);
void hd_osm_absent_nodes_forget(struct hd_osm_engine *engine);

/* Forgets the tables of the last sweep. */
void hd_osm_engine_drop(struct hd_osm_engine *engine);

/* The engine of this plug-in whose tables the subnet has now, or NULL. */
struct hd_osm_engine *hd_osm_engine_used(struct hd_osm_plugin *plugin);

/*
 * site_qos.c: the names of the QoS options that a site has set to other than their defaults, and
 * of the SLs of partitions and policies. "" for none; to be freed by the caller; NULL when out of
 * memory.
 */
char *hd_osm_site_options(const struct osm_opensm *osm);
char *hd_osm_site_sls(const struct osm_opensm *osm);

/*
 * site_lanes.c: where @routed needs one lane and no more, and the site has set QoS options, the
 * same tables with the lanes that OpenSM makes of these, proved, in @kept; NULL: the engine's own
 * lanes it is. What is wrong with the site's, if anything, is in engine->site_remark. HD_ENOMEM.
 */
int hd_osm_site_lanes(struct hd_osm_engine *engine, const struct hd_tables *routed,
		      struct hd_tables **kept, struct hd_error *err);

/* dump_lanes.c: path SLs and VL arbitration beside OpenSM's own dumps; NULL: removes old ones. */
void hd_osm_dump(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine);

/* multicast_proof.c: proves unicast and OpenSM's multicast trees together; logs what is wrong. */
void hd_osm_check_multicast(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine);

#endif
