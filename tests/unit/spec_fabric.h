/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics to test on, with LIDs, and their tables. A failure ends the test. */
#ifndef TESTS_UNIT_SPEC_FABRIC_H
#define TESTS_UNIT_SPEC_FABRIC_H

#include "fabric/fabric.h"
#include "tables/tables.h"

/* @bare with LIDs, which is freed. Free with hd_fabric_free(). */
struct hd_fabric *with_lids(struct hd_fabric *bare, unsigned lmc);

/* That of the topology @spec. */
struct hd_fabric *build_fabric(const char *spec, unsigned lmc);

/*
 * Tables of @engine as on a command line, "updn:ar=yes", and @layers or NULL. Free with
 * hd_tables_free().
 */
struct hd_tables *route_fabric(const struct hd_fabric *fabric, const char *engine,
			       const char *layers);

#endif
