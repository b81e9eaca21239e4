/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* One run: a network, traffic and a seed; and its results. */
#ifndef HD_SCENARIO_RUN_H
#define HD_SCENARIO_RUN_H

#include "sim/measure/buffers.h"
#include "sim/measure/link_use.h"
#include "sim/measure/measure.h"
#include "sim/measure/series.h"
#include "sim/measure/tracer.h"
#include "sim/scenario/collective_times.h"
#include "sim/scenario/run_network.h"
#include "sim/traffic/traffic.h"

/* Packets that arrived within the window. */
struct hd_ways {
	uint64_t misrouted;    /* that left the minimal path */
	uint64_t at_source;    /* of them, at their first switch */
	uint64_t out_of_order; /* that arrived after a later one of their flow */
};

/* A whole message of an operation, a schedule or a trace. */
struct hd_completion {
	uint64_t begin, end; /* ticks: its generation, its arrival */
	uint64_t bytes;
	uint32_t from, to; /* hosts */
	uint32_t tag;      /* flow class */
};

/* The first of them, in the order of their arrival. */
struct hd_completions {
	struct hd_completion *list;
	size_t n, most;
	uint64_t n_seen; /* all that arrived */
};

struct hd_result {
	struct hd_measure *measure;
	char **class_names; /* [measure->options.n_classes] */
	struct hd_fairness fairness, switch_fairness;
	double *switches; /* [n_switches + 1] accepted load of a switch's hosts, as a share of their
			     links; NaN: none sends. The last: hosts without a switch */
	uint32_t n_switches;
	struct hd_utilisation utilisation[HD_LINK_KINDS];
	struct hd_buffers buffers;         /* within the window */
	struct hd_fullness *buffer_slices; /* [slices] of switches; NULL: not measured */
	uint32_t packet;                   /* units */
	struct hd_model_census census;     /* of the whole run */
	uint64_t packet_hops, dropped;     /* within the window */
	uint64_t lid_changes;              /* the same */
	uint64_t makespan; /* ticks: when the last packet arrived; of an application: from begin to
			     end */
	bool has_application; /* else the next members are not set: */
	struct hd_application application;
	struct hd_collective_result *collectives; /* [flow class] */
	struct hd_completions flows;              /* most 0: no list */
	double network_use; /* share of what the links of its processes or ranks can bring; 0: it
			       has not ended */
	bool chooses_ways;  /* packets choose their paths; else `ways` is not set */
	bool counts_order;  /* and order is counted */
	struct hd_ways ways;
	struct hd_series *series; /* NULL: none */
	bool has_parts;           /* else `parts` is not set */
	struct hd_model_parts parts;
	double hops[HD_LINK_CLASSES]; /* mean number of links of each class that a unit crossed */
	bool is_complete;             /* traffic ended, and all of it arrived */
	bool is_steady, is_saturated, is_deadlocked;
	struct hd_channel *cycle; /* of a deadlock */
	size_t n_cycle;
	const char *why_whole; /* why the run stayed on one thread; a constant. NULL: it did not, or
				  its model is too small */
	double wall_seconds;
};

/* Threads of a run; its results do not depend on them. */
struct hd_run_threads {
	unsigned n;  /* at most; one for each domain of the model (sim/model/domains.h) */
	bool always; /* also where the fabric is too small for them to be faster */

	/* Processes that all run this, with a domain each (sim/model/ranks.h); NULL: threads do. */
	struct hd_ranks *ranks;
};

/*
 * Runs @setup on @network with @seed. With a time series, the run goes on after the window until
 * all packets of the series have arrived, at most for the same time again; that changes nothing
 * else in the result. A deadlock is a result: it has only packets that arrived before the end of
 * the window. Free with hd_result_clear(). HD_EINVAL: traffic that is impossible on this fabric, a
 * packet that fits no buffer; HD_EPARSE, HD_EIO: a trace; HD_ENOMEM. @culprit is the key with the
 * error, or HD_N_KEYS if the error is in @trace.
 */
int hd_run(const struct hd_network *network, const struct hd_setup *setup, uint64_t seed,
	   const struct hd_trace_request *trace, struct hd_run_threads threads,
	   struct hd_result *result, enum hd_key *culprit, struct hd_error *err);
void hd_result_clear(struct hd_result *result);

#endif
