/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The state of traffic while it lasts; private to this room. */
#ifndef HD_TRAFFIC_CARRIED_PRIVATE_H
#define HD_TRAFFIC_CARRIED_PRIVATE_H

#include "simfabric/traffic/carried_counters.h"
#include "host/networks.h"
#include "simfabric/traffic/carried.h"
#include "sim/adaptive/routing.h"
#include "sim/traffic/traffic.h"
#include "topologies/structure.h"

/* A host, by its number in the traffic. */
struct hd_carried_host {
	uint32_t port;          /* index in the fabric's ports */
	uint32_t in_model;      /* the number in the model; HD_NONE: no LID or no active link */
	uint32_t outstanding;   /* packets of this host that have not arrived, `next` included */
	struct hd_message next; /* `next`: numbers of hosts and time are those of the traffic */
	uint64_t time;          /* the model's time at which `next` is generated */
	bool has_next;          /* `next` is there, and not generated yet */
	bool is_asked;          /* by this model, for a message */
	bool is_idle;           /* the model got none, and asks no more */
	bool is_up;             /* has a LID and an active link */

	uint8_t preferred;            /* as the model knows it; HD_CARRIED_ANY */
	uint8_t ordered;              /* by hd_carried_prefer(); HD_CARRIED_ANY */
	bool has_page;                /* `page` is what its agent wrote */
	struct hd_networks_page page; /* a copy: the file is others' */
};

struct hd_carried {
	struct hd_emulator *emulator;
	struct hd_carried_options options;
	enum hd_carried_state state;
	bool is_armed; /* the timer of slices is armed */

	/* of all models */
	struct hd_structure structure; /* groups, where the fabric is a dragonfly */
	uint32_t unit_ticks[HD_LINK_CLASSES];
	struct hd_carried_view *sls; /* has the path SLs; NULL: all have one SL */
	struct hd_traffic *traffic;
	uint32_t n_hosts;
	struct hd_carried_host *hosts;
	uint32_t *host_ports;
	struct hd_carried_tally *tallies; /* [host * n_classes + class] */
	unsigned n_classes;
	struct hd_carried_status before; /* packets of the models before */
	uint64_t started;                /* ns */
	uint64_t ended;
	unsigned n_slices;
	char trouble[768];

	/* the current model */
	uint64_t changes;   /* the value of emulator->changes that the model has taken into
			       account */
	uint64_t next_look; /* ns: tables are not compared before */
	struct hd_carried_view *view;
	struct hd_model *model;
	struct hd_shape *shape;   /* of `view`, for `routed` */
	struct hd_routed *routed; /* packets choose among ports; NULL: switches have no sets */
	struct hd_carried_counters *counters;
	uint32_t *host_of;   /* [host of the model] */
	uint64_t base;       /* ps of the traffic's time at which the model's begins */
	uint64_t now;        /* ps of the model's time */
	uint64_t step;       /* ps to simulate at once */
	uint64_t drain_left; /* work left, while nothing is generated */
	uint64_t n_unsent;
	uint64_t n_broken; /* packets lost on links that failed */
	bool is_paused;    /* hosts send nothing */
};

/* carried_hosts.c: callbacks of the model, whose context is the struct hd_carried. */
bool hd_carried_next(void *context, uint32_t from, struct hd_message *message);
void hd_carried_delivered(void *context, uint64_t now, const struct hd_message *message,
			  uint64_t entered, unsigned hops);
void hd_carried_dropped(void *context, uint64_t now, const struct hd_message *message);

/* The model asks idle hosts again that are up. */
void hd_carried_wake_hosts(struct hd_carried *carried);

/* Finds the hosts in a new model. HD_ENOMEM. */
int hd_carried_meet_hosts(struct hd_carried *carried, struct hd_error *err);

/*
 * refresh.c: the running model takes the tables and links of @now, a wired view; path SLs stay. Not
 * *@is_renewed: a new model is needed, because cables, LIDs or VLs have changed. HD_ENOMEM.
 */
int hd_carried_renew(struct hd_carried *carried, struct hd_carried_view *now, bool *is_renewed,
		     struct hd_error *err);

/* Which hosts are up. */
void hd_carried_see_hosts(struct hd_carried *carried, const struct hd_carried_view *now);

/*
 * carried_models.c: the current tables with the path SLs, and a model that goes on with them.
 * HD_ENOMEM.
 */
int hd_carried_make_view(struct hd_carried *carried, struct hd_carried_view **view,
			 struct hd_error *err);
int hd_carried_make_model(struct hd_carried *carried, struct hd_error *err);

/* Frees the current model; its counters are added, and packets that are still in it are lost. */
void hd_carried_forget_model(struct hd_carried *carried);

/* What the current model has counted; zeros where there is none. */
struct hd_model_census hd_carried_census(const struct hd_carried *carried);
struct hd_model_circling hd_carried_circling(const struct hd_carried *carried);

/*
 * carried_choice.c. First function: packets of the model choose by the sets of the view, or not,
 * where it has none. HD_ERANGE: a switch with more links than a choice can have; HD_ENOMEM. Second:
 * when the model is gone.
 */
int hd_carried_choose(struct hd_carried *carried, struct hd_error *err);
void hd_carried_forget_choice(struct hd_carried *carried);

/*
 * follow_agents.c: preferences of agents. The first function reads pages again, with @all also
 * those that were missing. The others tell the model each host's preference if it has changed, or
 * always if @is_new.
 */
void hd_carried_read_pages(struct hd_carried *carried, bool all);
void hd_carried_follow_agents(struct hd_carried *carried, bool is_new);

/* Tallies of all hosts from 0 on. HD_ENOMEM. */
int hd_carried_begin_tallies(struct hd_carried *carried, struct hd_error *err);
void hd_carried_forget_tallies(struct hd_carried *carried);

/*
 * carried.c. First function: arms the timer of slices; false: out of memory. Second: ends traffic;
 * its status stays.
 */
bool hd_carried_arm(struct hd_carried *carried);
void hd_carried_end(struct hd_carried *carried);

#endif
