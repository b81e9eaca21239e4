/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A file that says what a subnet manager is doing (event_plugin_options status=FILE): the engine in
 * force, the state of the change that is under way, since when, and what it waits for. It is whole
 * whenever it is read.
 */
#ifndef HD_MANAGER_STATUS_FILE_H
#define HD_MANAGER_STATUS_FILE_H

#include "change/rollout.h"

struct hd_status {
	const char *engine; /* in force */
	const char *routes; /* the engine that it has taken; NULL: itself */
	bool is_confirmed;  /* nodes hold what the engine wants */
	const struct hd_rollout *rollout;
	double now; /* by the clock of the rollout */
};

/* HD_EIO, HD_ENOMEM. */
int hd_status_write(const char *path, const struct hd_status *status, struct hd_error *err);

#endif
