/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a user should know of tables in which hosts' packets may wait for one another for ever. */
#ifndef HD_SCENARIO_SOUNDNESS_H
#define HD_SCENARIO_SOUNDNESS_H

#include "tables/tables.h"
#include "topologies/rings.h"

struct hd_error;

/*
 * Adds a line to @notes, from malloc() or NULL, where @tables have a credit loop, or none but with the
 * bubble flow control of @rings (NULL: there is none). HD_ENOMEM.
 */
int hd_note_soundness(const struct hd_tables *tables, const struct hd_rings *rings, char **notes,
		      struct hd_error *err);

#endif
