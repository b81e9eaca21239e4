/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What schedulers by shares know of the tables: service classes and the VLs of their lanes. A row
 * is a set of lanes, shared by classes, which schedulers serve as one, because a port sees VLs and
 * not classes. Tables without classes have a row for each VL, all with the same share.
 */
#ifndef HD_POLICIES_SCHEDULER_ROWS_H
#define HD_POLICIES_SCHEDULER_ROWS_H

#include "sim/model/state.h"
#include "tables/classes.h"

/* A service class, or a VL. */
struct hd_scheduled {
	char name[HD_CLASS_NAME];
	uint32_t share, of; /* its part of every link: share / of */
	uint32_t packet;    /* units of its longest packet */
	unsigned distance;  /* in a DTable; 0: not given */
	unsigned row;
};

struct hd_scheduler_rows {
	unsigned n, n_classes;
	uint8_t row_of[HD_MAX_VCS]; /* [VL]; any value for VLs without packets */
	struct hd_scheduled classes[HD_MAX_CLASSES];
};

/* HD_EINVAL: the allocator lets in-ports choose their packets, so a scheduler has no effect. */
int hd_scheduler_check_allocator(const struct hd_model *model, struct hd_error *err);

/* The same error. */
int hd_scheduler_rows(const struct hd_model *model, struct hd_scheduler_rows *rows,
		      struct hd_error *err);

/* The VLs on which some packet would leave @out, also if it lacks credits or room. */
uint32_t hd_scheduler_waiting(const struct hd_model *model, uint32_t out);

#endif
