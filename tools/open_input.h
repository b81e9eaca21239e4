/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Opens a SNAPSHOT, and finds nodes and ports, that a command line names. */
#ifndef HD_TOOLS_OPEN_INPUT_H
#define HD_TOOLS_OPEN_INPUT_H

#include <stdio.h>

#include "change/both_tables.h"
#include "fabric/error_counters.h"
#include "fabric/fabric.h"
#include "plan/cable_plan.h"
#include "tables/snapshot.h"
#include "tools/command.h"

/*
 * Replaces *@fabric by a copy with new LIDs (hd_fabric_assign_lids). @sm names the node of the
 * subnet manager; NULL: the default. HD_ENOTFOUND too.
 */
int hd_input_assign_lids(struct hd_fabric **fabric, const char *sm, unsigned lmc,
			 struct hd_error *err);

/*
 * hd_fabric_keep_subnet(). A note on stderr says what went, and @hint, how to choose another part.
 */
int hd_input_keep_subnet(struct hd_fabric **fabric, const struct hd_common *common,
			 const char *hint, struct hd_error *err);

/* hd_fabric_open() with the options of the command line. Notes oddities on stderr. */
int hd_input_fabric(const char *what, const struct hd_common *common, struct hd_fabric **fabric,
		    struct hd_error *err);

/* hd_port_errors_find(), likewise, of the fabric @what that was opened as @fabric. */
int hd_input_port_errors(const char *what, const struct hd_fabric *fabric,
			 const struct hd_common *common, struct hd_error_counters *counters,
			 struct hd_error *err);

/* hd_cable_plan_open(), likewise. */
int hd_input_plan(const char *what, const struct hd_common *common, struct hd_cable_plan **plan,
		  struct hd_error *err);

/*
 * Opens the snapshot at @directory; @netfile, if not NULL, has its fabric. Notes missing tables,
 * and what is assumed instead, on stderr. HD_EINVAL: no directory; what hd_snapshot_read() returns.
 */
int hd_input_snapshot(const char *directory, const char *netfile, const struct hd_common *common,
		      struct hd_snapshot **snapshot, struct hd_error *err);

/*
 * @old as the nodes of @now's fabric hold them (change/both_tables.h). Notes switches that @old,
 * which the user calls @name, does not know. What hd_both_tables_init() returns. Clear @both also
 * after an error.
 */
int hd_input_both(const struct hd_tables *old, const char *name, const struct hd_tables *now,
		  const struct hd_common *common, struct hd_both_tables *both,
		  struct hd_error *err);

/*
 * Names nodes as --node-name-map has it, if it was given. Notes on stderr what is odd there. What
 * hd_fabric_read_names() returns.
 */
int hd_input_name(struct hd_fabric *fabric, const struct hd_common *common, struct hd_error *err);

/* Notes on stderr what a snapshot lacks: the lines of @notes, which is cut up. */
void hd_input_notes(const struct hd_common *common, char *notes);

/*
 * The end port that a user means: the owner of a LID, the port with a GUID, or the first linked
 * end port of a node. @lid, if not NULL, gets the LID that was named, or the port's base LID.
 * HD_ENOTFOUND: no such node, or one without an end port in use.
 */
int hd_input_endport(const struct hd_fabric *fabric, const char *what, uint32_t *port,
		     uint32_t *lid, struct hd_error *err);

/* A switch. HD_ENOTFOUND: no such node, or not a switch. */
int hd_input_switch(const struct hd_fabric *fabric, const char *what, uint32_t *node,
		    struct hd_error *err);

/* A port number of @node. HD_EINVAL: no number; HD_ERANGE: no such port. */
int hd_input_port_number(const struct hd_fabric *fabric, uint32_t node, const char *what,
			 unsigned *number, struct hd_error *err);

#endif
