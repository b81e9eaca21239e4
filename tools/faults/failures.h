/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The options --fail-links and --fail-switches: how many to choose at random, or which ones. */
#ifndef HD_FAULTS_FAILURES_H
#define HD_FAULTS_FAILURES_H

#include <stdint.h>

#include "fabric/fabric.h"

struct hd_error;

/*
 * Replaces *@fabric by a copy without the links and switches that @links and @switches (either may
 * be NULL) name: a number of links between switches, or of switches, chosen by @seed; or a list,
 * "SWITCH[PORT],..." or "SWITCH,...". Links and switches are chosen independently of each other.
 * HD_EINVAL, HD_ERANGE, HD_ENOTFOUND: no such links or switches; HD_ENOMEM.
 */
int hd_failures_apply(struct hd_fabric **fabric, const char *links, const char *switches,
		      uint64_t seed, struct hd_error *err);

#endif
