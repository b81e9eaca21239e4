/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle watch: what it knows of the fabric after each round. Internal to the subcommand. */
#ifndef HD_WATCH_WATCH_STATE_H
#define HD_WATCH_WATCH_STATE_H

#include <signal.h>
#include <stdio.h>

#include "check/check.h"
#include "live/live.h"
#include "manager/status_read.h"
#include "plan/differ.h"
#include "support/error.h"
#include "tables/diff.h"
#include "tools/command.h"

struct hd_watch_options {
	struct hd_common common;
	struct hd_live_options live;
	enum hd_check_scope scope; /* whose verdict counts */
	const char *plan;          /* NULL: none */
	const char *status;        /* of the plug-in; NULL: none */
	const char *prometheus;    /* NULL: no file; "-": standard output, and nothing else there */
	const char *listen;        /* NULL: nowhere */
	const char *save;          /* NULL: nowhere */
	uint64_t interval;         /* ns */
	uint64_t n_rounds;         /* 0: without end */
	bool json;
};

/* The steps of a round, in order. */
enum hd_watch_step {
	HD_WATCH_DISCOVERY,
	HD_WATCH_TABLES,
	HD_WATCH_PROOF,
	HD_WATCH_COMPARISON, /* with the plan and the last round */
	HD_WATCH_N_STEPS,    /* all were done */
};

extern const char *const hd_watch_step_names[HD_WATCH_N_STEPS];

#define HD_WATCH_N_SCOPES 2

extern const char *const hd_watch_scope_names[HD_WATCH_N_SCOPES];

/* A fabric and its tables. */
struct hd_watch_reading {
	struct hd_fabric *fabric;
	struct hd_tables *tables;
};

/* How cables differ from the plan. */
struct hd_watch_plan {
	uint32_t n_cables, n_in_place; /* of the plan */
	uint32_t n_of[HD_N_FINDINGS];
	char first[2 * HD_LABEL_SIZE + 64]; /* the first finding; "": there is none */
};

/* Numbers of one reading; of the last that was judged. */
struct hd_watch_facts {
	uint32_t n_switches, n_end_nodes, n_switch_links, n_end_links;
	uint32_t n_slow;
	bool is_sound[HD_WATCH_N_SCOPES]; /* [enum hd_check_scope] */
	uint64_t failures[HD_CHECK_CREDIT_LOOP + 1];
	char unsound[HD_WATCH_N_SCOPES][512]; /* why */
	unsigned sls, vls;
	uint32_t busiest; /* flows; 0: there is no link between switches */
	double mean;
	char busiest_at[HD_LABEL_SIZE];
	uint64_t n_lost; /* flows of hosts that do not arrive */
	bool has_plan;   /* it was compared */
	struct hd_watch_plan plan;
};

/* What differs from the reading before. */
struct hd_watch_changes {
	bool is_known, is_any;
	struct hd_diff diff;                                            /* its counts alone */
	char gone[2 * HD_LABEL_SIZE + 8], added[2 * HD_LABEL_SIZE + 8]; /* the first such link */
};

/* Sums over all rounds. */
struct hd_watch_totals {
	uint64_t rounds, failed[HD_WATCH_N_STEPS], changed;
	uint64_t nodes_added, nodes_removed, links_added, links_removed, ports_moved, lids_changed;
	uint64_t lft_entries, sl2vl_rows, pairs_changed, pairs_lost;
};

struct hd_watch {
	const struct hd_watch_options *options;
	const sigset_t *ends;       /* signals that end the rounds */
	struct hd_fork_guard guard; /* of the thread that serves; no functions: there is none */
	struct hd_cable_plan *plan;
	struct hd_watch_reading last; /* the last that was judged */

	/* of the last round */
	enum hd_watch_step step; /* the one that failed; HD_WATCH_N_STEPS: none */
	struct hd_error err;     /* why */
	double begun, ended;     /* seconds since 1970 */
	struct hd_watch_changes changes;

	/* of the last round that came so far; also of earlier ones if the last has failed */
	bool has_facts;
	struct hd_watch_facts facts;
	double judged; /* when that was */

	bool has_status;
	struct hd_status_seen status;
	struct hd_watch_totals totals;
	char *said;        /* the last line, without time and changes */
	bool is_unwritten; /* something could not be written in the last round */
};

/* Whether the last round was done to its end. */
static inline bool hd_watch_is_done(const struct hd_watch *watch)
{
	return watch->step == HD_WATCH_N_STEPS;
}

/* Whether cables are as planned, as far as there is a plan. */
bool hd_watch_is_as_planned(const struct hd_watch_facts *facts);

/* The exit status after the last round. */
int hd_watch_verdict(const struct hd_watch *watch);

/*
 * Takes another look at the fabric. Errors are facts of the round. False: a signal has ended it, so
 * that nothing is known.
 */
bool hd_watch_round(struct hd_watch *watch);
void hd_watch_clear(struct hd_watch *watch);

/* Fills @facts but for the plan. HD_EINVAL: no port has a LID; HD_ENOMEM. */
int hd_watch_judge(const struct hd_watch_reading *now, struct hd_watch_facts *facts,
		   struct hd_error *err);

/* Compares with a plan. What hd_cable_plan_match() returns. */
int hd_watch_compare_plan(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			  struct hd_watch_plan *found, struct hd_error *err);

/* Compares with the reading before. HD_ENOMEM. */
int hd_watch_compare(const struct hd_watch_reading *before, const struct hd_watch_reading *now,
		     struct hd_watch_changes *changes, struct hd_error *err);

/* The page of metrics, in the text format of Prometheus. */
void hd_watch_write_metrics(const struct hd_watch *watch, FILE *stream);

/* The same as text from malloc(). HD_ENOMEM. */
int hd_watch_page(const struct hd_watch *watch, char **page, size_t *size, struct hd_error *err);

/* On stdout: a line if something changed, or a line of JSON in any case. HD_EIO, HD_ENOMEM. */
int hd_watch_tell(struct hd_watch *watch, struct hd_error *err);

#endif
