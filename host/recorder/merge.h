/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The logs of all tasks become one trace: a message's line comes after those that it waits for. */
#ifndef HD_RECORDER_MERGE_H
#define HD_RECORDER_MERGE_H

#include <stdio.h>

#include "host/recorder/log.h"

struct hd_merge_options {
	double factor; /* of compute time; 0: none, and no lines for it */
	/* Only from this collective operation of all tasks to before that one. */
	uint64_t first, last;
};

/*
 * Writes the trace of @n_tasks @logs to @out: what a task sends waits for what the task sent and
 * received before. Where it had to wait for a message, a line from the task to itself, without
 * bytes, is its own time until then. False, and why in @error: a log that is damaged, a message that
 * nobody sent, or no memory.
 */
bool hd_merge(const struct hd_step_log *logs, uint32_t n_tasks,
	      const struct hd_merge_options *options, FILE *out, char error[256]);

#endif
