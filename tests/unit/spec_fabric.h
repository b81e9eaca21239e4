/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Fabrics to test on, with LIDs. A failure ends the test. Free with hd_fabric_free(). */
#ifndef TESTS_UNIT_SPEC_FABRIC_H
#define TESTS_UNIT_SPEC_FABRIC_H

#include "fabric/fabric.h"

/* @bare with LIDs, which is freed. */
struct hd_fabric *with_lids(struct hd_fabric *bare, unsigned lmc);

/* That of the topology @spec. */
struct hd_fabric *build_fabric(const char *spec, unsigned lmc);

#endif
