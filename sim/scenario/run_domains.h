/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A run under way, and its division among threads. */
#ifndef HD_SCENARIO_RUN_DOMAINS_H
#define HD_SCENARIO_RUN_DOMAINS_H

#include "sim/scenario/run.h"
#include "sim/scenario/run_traffic.h"

/* A run under way. */
struct run {
	const struct hd_network *network;
	const struct hd_setup *setup;
	struct hd_model *model;
	struct hd_run_traffic traffic;
	struct hd_traffic_actions actions;
	struct hd_measure *measure;
	struct hd_series *series; /* NULL: none */
	uint32_t *host_ports;
	uint64_t *busy; /* at the beginning of the window */
	uint64_t given; /* messages to the model */
	uint64_t last;  /* when the last one was delivered */
	uint32_t done;  /* hosts that generate nothing more */
	struct hd_ways ways;
	const struct hd_message *arriving; /* the packet that is delivered now */
	struct hd_completions flows;
	bool has_own_rates;  /* links of a class differ */
	struct run *domains; /* [n_domains] what the domains of the model count until hd_run_join();
				NULL: the model is whole */
	unsigned n_domains;
	struct hd_ranks *ranks; /* that have one of the domains each; NULL: they are all here */
	const char *why_whole;  /* see hd_result */
};

/*
 * Divides @run among threads, or processes, where its results stay the same: its model, and what
 * callbacks count. Before it begins; hd_run_unite() after it, also after an error. HD_ENOMEM.
 */
int hd_run_divide(struct run *run, struct hd_run_threads threads, struct hd_error *err);
void hd_run_unite(struct run *run);

/* Adds to @run what its domains have counted. */
void hd_run_join(struct run *run);

/* The domains measure in the window of @run from now on. */
void hd_run_follow(struct run *run);

#endif
