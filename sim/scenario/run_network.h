/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The fabric of a run with its tables. Runs share it, and do not change it. */
#ifndef HD_SCENARIO_RUN_NETWORK_H
#define HD_SCENARIO_RUN_NETWORK_H

#include "sim/adaptive/routing.h"
#include "sim/scenario/setup.h"
#include "tables/snapshot.h"
#include "topologies/rings.h"
#include "topologies/structure.h"

struct hd_network {
	struct hd_snapshot *snapshot; /* NULL: an engine made the tables */
	bool is_given;                /* it belongs to its owner */
	struct hd_fabric *fabric;
	struct hd_tables *tables;
	struct hd_structure structure; /* what the engine knows of the topology; a dragonfly has
					  groups with any engine */
	struct hd_shape *shape;        /* NULL: packets go by the tables */
	struct hd_routed *routed;      /* with it */
	struct hd_rings rings;         /* with bubble flow control */
	char *notes; /* lines about parts that are left out or missing, starved lanes and credit loops;
			NULL: none */
};

/*
 * Builds and routes, or reads. HD_EREFUSED: the engine refuses; what hd_topology_build(),
 * hd_netfile_read(), hd_snapshot_read() and hd_route() return. @culprit is the key with the error.
 */
int hd_network_make(const struct hd_network_setup *setup, struct hd_network **network,
		    enum hd_key *culprit, struct hd_error *err);
void hd_network_free(struct hd_network *network);

/* The networks of a scenario: made when first needed, freed after the last run that needs them. */
struct hd_networks;

/*
 * @note (or NULL) gets the notes of every network, as lines, in the thread that makes it. Returns
 * NULL when out of memory.
 */
struct hd_networks *hd_networks_new(const struct hd_scenario *scenario,
				    void (*note)(void *context, char *lines), void *context);
void hd_networks_free(struct hd_networks *networks);

/* Sets the number of runs of a point, 0 at first. Call it before any thread gets a network. */
void hd_networks_expect(struct hd_networks *networks, size_t point, size_t n_runs);

/*
 * The network of @point, whose setup is @setup; may be called by any thread. Errors are those of
 * hd_network_make(), with the place in the scenario.
 */
int hd_networks_get(struct hd_networks *networks, size_t point,
		    const struct hd_network_setup *setup, const struct hd_network **network,
		    struct hd_error *err);

/* A run of @point is over. */
void hd_networks_put(struct hd_networks *networks, size_t point);

#endif
