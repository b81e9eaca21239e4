/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The verdict of the check, as `heddle route` and `heddle check` print it. */
#ifndef HD_TOOLS_VERDICT_H
#define HD_TOOLS_VERDICT_H

#include <jansson.h>

#include "check/check.h"

struct hd_columns;
struct hd_fields;

/* "sound", or "unsound: ..." and the witness. HD_ENOMEM. */
int hd_verdict_print(const struct hd_check_result *result, const struct hd_fabric *fabric,
		     struct hd_error *err);

/* One line of both verdicts: "hosts sound; with switches: credit loop of ...". */
void hd_verdict_print_both(const struct hd_check_result *hosts, const struct hd_check_result *all,
			   const struct hd_fabric *fabric);

/*
 * Prints an example for each kind of failure, if any: flows, a forwarding loop, the cycle.
 * HD_ENOMEM.
 */
int hd_verdict_print_failures(const struct hd_check_result *result, const struct hd_fabric *fabric,
			      struct hd_error *err);

/*
 * The same as tables: a flow for each kind of failure; the hops of the forwarding loop, with a line
 * before them; the channels of the cycle, with HD_VERDICT_CYCLE before them.
 */
#define HD_VERDICT_CYCLE \
	"Each channel is held by a flow that waits for the next one, the last for the first:"
void hd_verdict_bad_flows(const struct hd_check_result *result, const struct hd_fabric *fabric,
			  struct hd_columns *columns);
void hd_verdict_loop(const struct hd_check_result *result, const struct hd_fabric *fabric,
		     struct hd_columns *columns);
char *hd_verdict_loop_text(const struct hd_check_result *result, const struct hd_fabric *fabric,
			   char *buffer, size_t size);
void hd_verdict_cycle(const struct hd_check_result *result, const struct hd_fabric *fabric,
		      struct hd_columns *columns);

/* "yes", "no", or "not known" for some flows. */
const char *hd_verdict_reachable(const struct hd_check_result *result);

/* If LFTs are not known: the switches, and the number of flows not covered. */
void hd_verdict_print_uncovered(const struct hd_check_result *result,
				const struct hd_tables *tables);

/* Sets switches_without_table where LFTs are not known. */
void hd_verdict_json_uncovered(const struct hd_tables *tables, json_t *object);

/* SLs, VLs, longest path, channels and dependencies. @fields NULL: they are printed. */
void hd_verdict_tell_resources(const struct hd_check_result *result, struct hd_fields *fields);

/* A line about the port sets of AR tables; nothing if @tables have none. */
void hd_verdict_print_sets(const struct hd_tables *tables);

/* Sets ar, an object on the same, where @tables have AR tables. */
void hd_verdict_json_sets(const struct hd_tables *tables, json_t *object);

/*
 * Sets sound, failure, reachable, sls, vls, max_hops, channels, dependencies, vlarb_unknown and
 * witness; bad and failures where not reachable; looping_flows and loop where there is a forwarding
 * loop; where LFTs are not known flows and uncovered, and reachable is null unless a failure was
 * found.
 */
void hd_verdict_json(const struct hd_check_result *result, const struct hd_fabric *fabric,
		     json_t *object);

#endif
