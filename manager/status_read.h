/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Reads what manager/status_file.h writes. */
#ifndef HD_MANAGER_STATUS_READ_H
#define HD_MANAGER_STATUS_READ_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "change/rollout.h"

struct hd_error;

struct hd_status_seen {
	char engine[64];     /* in force; printable */
	char routes[64];     /* the engine that it has taken; "": itself */
	bool is_confirmed;   /* nodes hold what the engine wants */
	char change[16];     /* the name of a state; "": not told */
	time_t since;        /* when the state began; 0: not told */
	unsigned round, of;  /* 0: the state has none */
	unsigned n_failures; /* of the change under way */
	uint64_t pairs_lost; /* pairs of hosts that lose packets meanwhile */
};

/* Keys that it does not know are passed over. HD_EIO; HD_EPARSE: no engine is named; HD_ENOMEM. */
int hd_status_read(const char *path, struct hd_status_seen *seen, struct hd_error *err);

#endif
