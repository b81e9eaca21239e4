/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A point of a scenario as the model and the traffic take it. */
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
	struct hd_snapshot *given; /* in place of what follows; NULL: there is none */
	const char *topology, *file;
	bool strict;          /* files that are odd are refused */
	const char *name_map; /* of a fabric that is read */
	const char *engine, *options, *layers, *queues, *snapshot, *classes;
	enum hd_vlarb_policy vlarb;
	unsigned max_vls, lmc;
	bool has_lmc;                         /* otherwise the engine's, unless a file has LIDs */
	const char *adaptive, *trigger, *vcs; /* adaptive "": packets go as the tables say */
	bool proves;                          /* that these are free of deadlock */
	bool hosts_wait;                      /* with requests, for replies to leave */
	bool bubble;                          /* rings have bubble flow control */
	bool by_destination; /* queues by destination, which never wait in a circle */
	bool in_cycles;      /* run.clock is cycles */
};

struct hd_setup {
	struct hd_network_setup network;
	struct hd_model_options model;       /* without port_class, port_ticks */
	bool own_rates;                      /* links run at the rates that the fabric's file has */
	bool has_bandwidth[HD_LINK_CLASSES]; /* the scenario gives one for the class alone */
	struct hd_traffic_phase phases[HD_PHASES_MAX];
	size_t n_phases;
	char *phase_text;                 /* what phases point to */
	struct hd_traffic_class *classes; /* that hosts send at once, in each phase */
	unsigned n_classes;               /* 0: one kind of traffic */
	char *class_text;                 /* what classes point to */
	struct hd_host_range *slow_hosts; /* what model points to */
	struct hd_params *switch_params;  /* the same */
	uint64_t warmup;
	uint64_t window; /* its length; where it is extended, of the first one */
	uint64_t
		longest; /* the window is extended until it is steady or would end later; 0: it is not */
	uint32_t packet; /* units, of traffic.packet */
	unsigned slices;
	uint64_t series; /* ticks of a step of the time series; 0: there is none */
	uint64_t
		origin; /* of its times: when the last phase begins; the window, where there is one */
};

/*
 * @setup for @point of @scenario, which must outlive it. Free with hd_setup_clear().
 * HD_EINVAL: values that do not go together; HD_ENOMEM.
 */
int hd_setup_make(const struct hd_scenario *scenario, size_t point, struct hd_setup *setup,
		  struct hd_error *err);
void hd_setup_clear(struct hd_setup *setup);

/*
 * Fills in @model what the scenario leaves to the engine that made the tables, NULL if nobody knows
 * which. HD_EINVAL: @engine names a policy that does not exist.
 */
int hd_setup_follow_engine(const struct hd_engine *engine, struct hd_model_options *model,
			   struct hd_error *err);

/* The same of what is left to @tables then: service classes have their shares by VL arbitration. */
void hd_setup_follow_tables(const struct hd_tables *tables, struct hd_model_options *model);

#endif
