/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What a sweep makes of a fabric: routes, lanes, their proof, and the lanes of the site where
 * routes need none of their own.
 */
#ifndef HD_MANAGER_WANTED_H
#define HD_MANAGER_WANTED_H

#include "engines/stable_lanes.h"
#include "manager/absent_nodes.h"
#include "manager/plugin_options.h"
#include "manager/site_qos_options.h"

struct hd_wanted_request {
	double begin; /* when the sweep began to route, by hd_seconds() */
	const struct hd_engine *engine;
	const struct hd_engine_settings *settings;
	const struct hd_classes *classes; /* NULL: none */
	const struct hd_site_qos *qos;    /* of the site; not in use: no SL2VL tables are sent */
	bool takes_sets;                  /* the subnet manager programs port sets */

	/* The last sweep of the engine: what it made by itself; NULL before the first. */
	const struct hd_tables *previous;
	const struct hd_engine *previous_by; /* NULL: lanes are made anew */
	const struct hd_absent_nodes *absent;

	/* Gets a line for each engine that refuses where the engine takes another one. */
	void (*tell)(void *context, const char *line);
	void *context;
};

/* The results of a sweep. Begin with zeros, the fabric and the rooms, which are taken over. */
struct hd_wanted {
	struct hd_fabric *fabric;
	struct hd_vlarb_room *rooms;     /* [port] entries of VL arbitration that are programmed */
	bool has_qos;                    /* lanes are programmed */
	struct hd_tables *tables, *goal; /* the goal: the tables, or with the site's lanes */
	const struct hd_engine *chosen;  /* whose tables they are: the engine, or what it took */
	bool has_site_lanes;             /* the goal has the lanes of the site */
	struct hd_lanes_outcome kept;
	bool any_sl; /* the goal is sound with every SL, which partitions and policies may choose */
	char site_remark[800]; /* what is wrong with the site's lanes; "" */
	double route_seconds, check_seconds;
	char summary[512]; /* of the proof */
};

/*
 * The errors of hd_route(); HD_EREFUSED, also where tables are not sound or cannot be programmed.
 */
int hd_wanted_compute(struct hd_wanted *wanted, const struct hd_wanted_request *request,
		      struct hd_error *err);

/*
 * Whether what @last made still serves where nothing else is @wanted: the fabric of @wanted is the
 * same, and so are the names in it and what the site asks for by @request. It is proved, so nothing
 * has to be made anew. Sites with service classes or qos_* options of their own may ask for others
 * in ways that nobody compares: false.
 */
bool hd_wanted_stays(const struct hd_wanted *last, const struct hd_wanted *wanted,
		     const struct hd_wanted_request *request);

/* One line of what was proved, for a log. @engine is the one that was asked. */
void hd_wanted_describe(const struct hd_wanted *wanted, const struct hd_engine *engine, char *text,
			size_t size);

/*
 * What is to be said of the site's QoS options @qos, and of the SLs @sls that it chooses elsewhere
 * (hd_site_describe()), behind the engine's name: "" for nothing. To be freed by the caller; NULL
 * when out of memory. @is_unchecked: nothing was proved.
 */
char *hd_wanted_describe_site(const struct hd_wanted *wanted, const struct hd_site_qos *qos,
			      const char *sls, bool is_unchecked);

/* Gives up what a sweep has made. */
void hd_wanted_discard(struct hd_wanted *wanted);

#endif
