/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The log of a task of an MPI program: a list of the steps that matter for a trace, packed into
 * bytes so that the whole run of a task fits into memory.
 */
#ifndef HD_RECORDER_LOG_H
#define HD_RECORDER_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hd_step_kind {
	HD_STEP_SEND,    /* a message left */
	HD_STEP_RECEIVE, /* the task needed a message */
	HD_STEP_FORK,    /* the steps to the next end go on beside the task: `serial` names them */
	HD_STEP_FORK_END,
	HD_STEP_JOIN,       /* the task needed the steps that `serial` names to be done */
	HD_STEP_COLLECTIVE, /* the next collective operation of all tasks; `serial` is which one */
	HD_STEP_END,        /* MPI_Finalize */
	HD_STEP_KINDS
};

/*
 * Messages of one envelope (sender, receiver, communicator, tag) match receives in order: the n-th
 * message sent goes to the n-th receive posted.
 */
struct hd_step {
	enum hd_step_kind kind;
	bool begins_call;      /* the first step of a call to MPI */
	bool collective;       /* a message of a collective operation: `tag` counts operations */
	uint64_t compute;      /* ns between calls, before this step */
	uint64_t communicator; /* the same number in all tasks */
	uint32_t peer;         /* the other task, by its rank in MPI_COMM_WORLD */
	uint64_t tag;          /* of HD_STEP_COLLECTIVE, its enum hd_collective */
	uint64_t bytes;        /* of a sent message */
	uint64_t serial;       /* of receives, when they were posted; see above */
};

struct hd_step_log {
	uint8_t *bytes;
	size_t n, allocated;
};

/* False: no memory; the log is as before. */
bool hd_step_log_add(struct hd_step_log *log, const struct hd_step *step);
void hd_step_log_free(struct hd_step_log *log);

/*
 * Reads the step at *@at and moves *@at past it. False, and *@at stays: *@at is @end, or there is
 * no step.
 */
bool hd_step_read(const uint8_t **at, const uint8_t *end, struct hd_step *step);

#endif
