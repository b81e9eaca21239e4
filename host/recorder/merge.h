/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Merges the logs of all tasks into one trace: a message's line comes after the lines that it waits
 * for.
 */
#ifndef HD_RECORDER_MERGE_H
#define HD_RECORDER_MERGE_H

#include <stdio.h>

#include "host/recorder/log.h"

struct hd_merge_options {
	double factor; /* of compute time; 0: none, and no lines for it */
	/* Only from this collective operation of all tasks up to that one, which is left out. */
	uint64_t first, last;
	bool goal; /* write a GOAL schedule */
};

/*
 * Writes the trace of @n_tasks @logs to @out, or the same as a GOAL schedule: a message waits for
 * all messages that its task sent and received before. If a task had to wait for a message, a line
 * from the task to itself, without bytes, has its own time until then. False, with the reason in
 * @error: a damaged log, a message that nobody sent, or no memory.
 */
bool hd_merge(const struct hd_step_log *logs, uint32_t n_tasks,
	      const struct hd_merge_options *options, FILE *out, char error[256]);

#endif
