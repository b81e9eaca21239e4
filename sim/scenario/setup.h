/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A point of a scenario, prepared for the model and the traffic. */
#ifndef HD_SCENARIO_SETUP_H
#define HD_SCENARIO_SETUP_H

#include "sim/model/model.h"
#include "sim/scenario/scenario.h"
#include "sim/scenario/traffic_classes.h"
#include "sim/traffic/traffic.h"
#include "vlarb/vlarb.h"

struct hd_engine;
struct hd_snapshot;

#define HD_PHASES_MAX 64

/* How the fabric is made and routed; strings are the scenario's, "" for none. */
struct hd_network_setup {
	struct hd_snapshot *given; /* in place of the members that follow; or NULL */
	const char *topology, *file;
	bool strict;          /* refuse files with oddities */
	const char *name_map; /* of a fabric that is read */
	const char *engine, *options, *layers, *queues, *snapshot, *classes;
	enum hd_vlarb_policy vlarb;
	unsigned max_vls, lmc;
	bool has_lmc;                         /* otherwise the engine's, unless a file has LIDs */
	const char *adaptive, *trigger, *vcs; /* adaptive "": packets go by the tables */
	bool proves;                          /* prove that these are free of deadlock */
	bool hosts_wait;                      /* hosts hold requests until replies have left */
	bool bubble;                          /* rings have bubble flow control */
	bool by_destination;                  /* queues by destination, which cannot deadlock */
	bool in_cycles;                       /* run.clock is cycles */
};

/*
 * The engine of @setup's `engine`, which may have options behind its name, "dmodc:ar=yes"; or NULL.
 */
const struct hd_engine *hd_network_engine(const struct hd_network_setup *setup);

struct hd_setup {
	struct hd_network_setup network;
	struct hd_model_options model;       /* without port_class, port_ticks */
	bool own_rates;                      /* links run at the rates that the fabric's file has */
	bool has_bandwidth[HD_LINK_CLASSES]; /* the scenario has a bandwidth for this class */
	struct hd_traffic_phase phases[HD_PHASES_MAX];
	size_t n_phases;
	char *phase_text;                 /* phases point into it */
	struct hd_traffic_class *classes; /* that hosts send at once, in each phase */
	unsigned n_classes;               /* 0: one kind of traffic */
	const char *host_model;           /* of traces */
	bool interleaves;                 /* hosts send packets of their messages in turn */
	bool is_alone;                    /* only class `alone` sends */
	unsigned alone;
	char *class_text;                 /* classes point into it */
	struct hd_host_range *slow_hosts; /* the model points to it */
	struct hd_params *switch_params;  /* the same */
	uint64_t warmup;
	uint64_t window;  /* its length; of the first one, if it is extended */
	uint64_t longest; /* the window is extended until it is steady, or until it would end after
			    this; 0: not extended */
	uint32_t packet;  /* units, of traffic.packet */
	unsigned slices;
	size_t flows;    /* messages that are listed, at most */
	uint64_t series; /* ticks of a step of the time series; 0: there is none */
	uint64_t origin; /* origin of its times: the begin of the last phase; with one phase, of the
			   window */
};

/*
 * Makes @setup for @point of @scenario, which must exist longer. Free with hd_setup_clear().
 * HD_EINVAL: values that do not go together; HD_ENOMEM.
 */
int hd_setup_make(const struct hd_scenario *scenario, size_t point, struct hd_setup *setup,
		  struct hd_error *err);
void hd_setup_clear(struct hd_setup *setup);

/*
 * Fills in @model the values that the scenario leaves to the engine of the tables; NULL: not known.
 * HD_EINVAL: @engine names a policy that does not exist.
 */
int hd_setup_follow_engine(const struct hd_engine *engine, struct hd_model_options *model,
			   struct hd_error *err);

/*
 * The same for values that are left to @tables: with service classes, VL arbitration gives shares.
 */
void hd_setup_follow_tables(const struct hd_tables *tables, struct hd_model_options *model);

#endif
