/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A recording as a GOAL schedule, whose text has the operations of a rank one after the other,
 * while tasks are merged in turn: each rank's text is kept until all tasks have ended. A tag is the
 * number of the message that it names.
 */
#ifndef HD_RECORDER_RECORDED_GOAL_H
#define HD_RECORDER_RECORDED_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* A message that a line waits for: for its receipt by the same task, or for its sending. */
struct hd_recorded_wait {
	uint32_t number;
	bool is_receipt;
};

/* A message of @from, or own time of a task: then @to is the same one, and there are no @bytes. */
struct hd_recorded_line {
	uint64_t time; /* ns, after all that it waits for */
	uint64_t bytes;
	uint32_t from, to;
	unsigned strand; /* lines of one strand of a task follow one another; others overlap them */
	size_t n_waits;
	const struct hd_recorded_wait *waits;
};

struct hd_recorded_goal;

/* NULL: no memory. */
struct hd_recorded_goal *hd_recorded_goal_new(uint32_t n_tasks);
void hd_recorded_goal_free(struct hd_recorded_goal *goal);

/* Adds the line of the next number, from 0 on. False: no memory. */
bool hd_recorded_goal_add(struct hd_recorded_goal *goal, const struct hd_recorded_line *line);

/* The receive of message @number, once; it begins at once. False: no memory. */
bool hd_recorded_goal_receive(struct hd_recorded_goal *goal, uint32_t number);

/* A remark at this place of @task's operations. */
void hd_recorded_goal_remark(struct hd_recorded_goal *goal, uint32_t task, const char *text);

/*
 * Writes the schedule. Each message has a receive: those that were never added come last. False: no
 * memory; errors of @out are the caller's to find.
 */
bool hd_recorded_goal_write(struct hd_recorded_goal *goal, FILE *out);

#endif
