/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Links between switches without an alternative: their failure cuts end nodes off. */
#ifndef HD_REPORT_BRIDGES_H
#define HD_REPORT_BRIDGES_H

#include "fabric/fabric.h"

struct hd_error;

/*
 * @cut, to be freed by the caller, gets for every port of a switch how many end nodes are on the
 * smaller side once its link fails; 0: none is cut off. HD_ENOMEM.
 */
int hd_bridges_find(const struct hd_fabric *fabric, uint32_t **cut, struct hd_error *err);

#endif
