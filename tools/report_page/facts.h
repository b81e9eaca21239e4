/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* All that a report is made of: the fabric, its tables, and what the tools of the other subcommands
 * find out about both. */
#ifndef HD_REPORT_FACTS_H
#define HD_REPORT_FACTS_H

#include "check/check.h"
#include "check/load.h"
#include "tables/diff.h"
#include "tables/snapshot.h"
#include "tools/command.h"
#include "tools/faults/fault_study.h"
#include "tools/served_by.h"
#include "plan/gaps.h"
#include "tools/shapes.h"
#include "fabric/slow_links.h"
#include "tools/slow_print.h"
#include "tools/survey.h"

struct hd_report_request {
	const char *given;   /* a fabric or the directory of a snapshot */
	const char *netfile; /* of a dump directory; NULL: fabric.net in it */
	const char *since;   /* an older snapshot; NULL: none */
	uint64_t n_failures; /* links to try; HD_REPORT_USUAL_FAILURES: as many as take a second */
	uint64_t seed;
};

#define HD_REPORT_USUAL_FAILURES UINT64_MAX

/* What became of a link between switches since the older snapshot. */
enum hd_link_change {
	HD_LINK_SAME,
	HD_LINK_NEW,
	HD_LINK_RATE, /* comes up at another rate */
};

struct hd_report_since {
	struct hd_snapshot *snapshot;
	struct hd_diff diff;
	bool has_diff;
	bool has_load; /* flows[] are known */
	char no_diff
		[256]; /* why tables or flows cannot be compared; "": they can, or there are none */
	uint8_t *change; /* [port] of the fabric now */
	uint32_t *flows; /* [port] flows before; HD_NONE: no such link */
	uint32_t *gone;  /* ports of the fabric before: a link between switches that is gone */
	uint32_t n_gone, n_new, n_rates;
};

struct hd_report_facts {
	const struct hd_report_request *request;
	struct hd_snapshot *snapshot; /* NULL: a fabric was given */
	struct hd_fabric *own;        /* that fabric */
	const struct hd_fabric *fabric;
	const struct hd_tables *tables; /* NULL: no engine makes any */
	bool has_new_lids;

	struct hd_survey survey;
	struct hd_slow_links slow;
	struct hd_shapes shapes;
	struct hd_gaps gaps;
	struct hd_served_by served_by;
	struct hd_served_tables kept; /* the tables of a fabric */

	bool is_proved, has_load;
	char no_proof[256];                /* why not */
	struct hd_check_result results[2]; /* [enum hd_check_scope] */
	struct hd_load load;

	uint32_t *links; /* a port of each link between switches, by the switches at its ends */
	uint32_t n_links;
	uint32_t *flows;   /* [port] flows that leave it */
	uint32_t fastest;  /* hd_fastest_mbps() */
	bool rates_differ; /* of links between switches */
	uint64_t most;     /* flows by rate of the busiest direction of a link between switches */
	double mean;       /* of all directions of these */
	uint32_t *cut;     /* [port] bridges.h */
	bool *is_slow;     /* [port] */

	bool has_study;
	char no_study[320]; /* why there is none */
	struct hd_fault_study study;
	const struct hd_engine *engine; /* that was tried under failures */
	uint32_t *tried;                /* [port] number of the set; HD_NONE: not tried */

	struct hd_report_since since;
};

/* Gathers; clear also after an error. What the tools return. */
int hd_report_gather(const struct hd_report_request *request, const struct hd_common *common,
		     struct hd_report_facts *facts, struct hd_error *err);
void hd_report_facts_clear(struct hd_report_facts *facts);

/* Flows that leave @port, as many times as the fastest link between switches is faster. */
uint64_t hd_report_flows(const struct hd_report_facts *facts, uint32_t port);

/* Parts of it, in files of their own. */
int hd_report_try_failures(struct hd_report_facts *facts, struct hd_error *err);
int hd_report_compare(struct hd_report_facts *facts, const struct hd_common *common,
		      struct hd_error *err);
void hd_report_since_clear(struct hd_report_since *since);

#endif
