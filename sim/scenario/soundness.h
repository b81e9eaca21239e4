/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Notes for the user about tables in which hosts' packets may wait for one another for ever. */
#ifndef HD_SCENARIO_SOUNDNESS_H
#define HD_SCENARIO_SOUNDNESS_H

#include "tables/tables.h"
#include "topologies/rings.h"

struct hd_error;

/* Adds @line to @notes, from malloc() or NULL. HD_ENOMEM. */
int hd_note_line(char **notes, const char *line, struct hd_error *err);

/*
 * Adds a line to @notes, from malloc() or NULL, if @tables have a credit loop, or if only the
 * bubble flow control of @rings (NULL: none) prevents one. HD_ENOMEM.
 */
int hd_note_soundness(const struct hd_tables *tables, const struct hd_rings *rings, char **notes,
		      struct hd_error *err);

#endif
