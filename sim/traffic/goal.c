// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/goal.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

int hd_goal_init(struct hd_goal *goal, uint32_t n_ranks, struct hd_error *err)
{
	*goal = (struct hd_goal){ .n_ranks = n_ranks };
	goal->first = calloc(n_ranks + (size_t)1, sizeof(*goal->first));
	goal->end = calloc(n_ranks + (size_t)1, sizeof(*goal->end));
	return goal->first && goal->end ? 0 : hd_error_nomem(err);
}

void hd_goal_free(struct hd_goal *goal)
{
	free(goal->ops);
	free(goal->waits);
	free(goal->first);
	free(goal->end);
	free(goal->first_wait);
	free(goal->n_on);
	*goal = (struct hd_goal){ 0 };
}

int hd_goal_add(struct hd_goal *goal, const struct hd_goal_op *op, struct hd_error *err)
{
	if (goal->n == HD_GOAL_OPS)
		return hd_error_set(err, HD_ERANGE, "too many operations");
	if (goal->n == goal->allocated) {
		uint32_t more = goal->n ? 2 * goal->n : 1024;
		struct hd_goal_op *ops = realloc(goal->ops, more * sizeof(*ops));

		if (!ops)
			return hd_error_nomem(err);
		goal->ops = ops;
		goal->allocated = more;
	}
	if (!goal->end[op->rank])
		goal->first[op->rank] = goal->n;
	else if (goal->end[op->rank] != goal->n)
		return hd_error_set(err, HD_ERANGE, "operations of rank %u are apart", op->rank);
	goal->ops[goal->n++] = *op;
	goal->end[op->rank] = goal->n;
	return 0;
}

int hd_goal_wait(struct hd_goal *goal, uint32_t op, uint32_t on, bool for_start,
		 struct hd_error *err)
{
	if (goal->n_waits == goal->waits_allocated) {
		size_t more = goal->n_waits ? 2 * goal->n_waits : 1024;
		struct hd_goal_wait *waits = realloc(goal->waits, more * sizeof(*waits));

		if (!waits)
			return hd_error_nomem(err);
		goal->waits = waits;
		goal->waits_allocated = more;
	}
	goal->waits[goal->n_waits++] =
		(struct hd_goal_wait){ on, for_start ? op | HD_GOAL_START : op };
	return 0;
}

int hd_goal_error(const struct hd_goal *goal, const char *file, uint32_t op, int code,
		  const char *what, struct hd_error *err)
{
	static const char *const types[] = { "", "send", "recv", "calc" };
	const struct hd_goal_op *o = &goal->ops[op];

	if (goal->has_lines)
		return hd_error_at(err, code, file, o->line, "rank %u, %s: %s", o->rank,
				   types[o->type], what);
	return hd_error_at(err, code, file, 0, "rank %u, operation %u, %s: %s", o->rank, o->line,
			   types[o->type], what);
}

/* Puts waits in the order of what they wait for; among equals, the order is that of the file. */
static int sort_waits(struct hd_goal *goal, struct hd_error *err)
{
	struct hd_goal_wait *sorted = malloc((goal->n_waits + 1) * sizeof(*sorted));
	size_t *first = calloc(goal->n + (size_t)2, sizeof(*first));

	goal->n_on = calloc(goal->n + (size_t)1, sizeof(*goal->n_on));
	goal->first_wait = first;
	if (!sorted || !first || !goal->n_on) {
		free(sorted);
		return hd_error_nomem(err);
	}
	/*
	 * first[i + 1] is where the next wait on i goes, and so becomes where those on i + 1 begin
	 */
	for (size_t i = 0; i < goal->n_waits; i++)
		if (goal->waits[i].on + (size_t)2 <= goal->n)
			first[goal->waits[i].on + 2]++;
	for (size_t i = 2; i <= goal->n; i++)
		first[i] += first[i - 1];
	for (size_t i = 0; i < goal->n_waits; i++) {
		sorted[first[goal->waits[i].on + 1]++] = goal->waits[i];
		goal->n_on[goal->waits[i].op & ~HD_GOAL_START]++;
	}
	free(goal->waits);
	goal->waits = sorted;
	goal->waits_allocated = goal->n_waits + 1;
	return 0;
}

/* An operation in a loop of those whose @left is not 0, for what was left over after the others. */
static uint32_t find_loop(const struct hd_goal *goal, const uint32_t *left, uint32_t *before)
{
	uint32_t op = 0, least;

	for (size_t i = 0; i < goal->n_waits; i++)
		if (left[goal->waits[i].on])
			before[goal->waits[i].op & ~HD_GOAL_START] = goal->waits[i].on;
	while (!left[op])
		op++;
	for (uint32_t i = 0; i < goal->n; i++) /* as far as this, it has come into a loop */
		op = before[op];
	least = op;
	for (uint32_t at = before[op]; at != op; at = before[at])
		if (at < least)
			least = at;
	return least;
}

/* Goes through all operations in an order of their waits; what is left over is behind a loop. */
static int refuse_loops(const struct hd_goal *goal, const char *file, struct hd_error *err)
{
	uint32_t *left = malloc((goal->n + (size_t)1) * sizeof(*left));
	uint32_t *queue = malloc((goal->n + (size_t)1) * sizeof(*queue));
	uint32_t n = 0, loop = HD_GOAL_ANY;
	int ret = 0;

	if (!left || !queue) {
		free(left);
		free(queue);
		return hd_error_nomem(err);
	}
	for (uint32_t i = 0; i < goal->n; i++) {
		left[i] = goal->n_on[i];
		if (!left[i])
			queue[n++] = i;
	}
	for (uint32_t i = 0; i < n; i++)
		for (size_t j = goal->first_wait[queue[i]]; j < goal->first_wait[queue[i] + 1];
		     j++) {
			uint32_t op = goal->waits[j].op & ~HD_GOAL_START;

			if (!--left[op])
				queue[n++] = op;
		}
	if (n < goal->n)
		loop = find_loop(goal, left, queue);
	if (loop != HD_GOAL_ANY)
		ret = hd_goal_error(goal, file, loop, HD_EPARSE,
				    "waits for itself: what it waits for makes a loop", err);
	free(left);
	free(queue);
	return ret;
}

static int check_ops(const struct hd_goal *goal, const char *file, struct hd_error *err)
{
	uint64_t time = 0;

	for (uint32_t i = 0; i < goal->n; i++) {
		const struct hd_goal_op *op = &goal->ops[i];

		if (op->type == HD_GOAL_CALC) {
			if (op->size > HD_GOAL_TIME - time)
				return hd_goal_error(goal, file, i, HD_EPARSE,
						     "with those before, more than 2^62 units of "
						     "time",
						     err);
			time += op->size;
			continue;
		}
		if (op->size > HD_GOAL_BYTES)
			return hd_goal_error(goal, file, i, HD_EPARSE, "more than 2^40 bytes", err);
		if (op->type == HD_GOAL_SEND && op->tag == HD_GOAL_ANY)
			return hd_goal_error(goal, file, i, HD_EPARSE,
					     "its tag is -1, which only a recv may have", err);
		if (op->peer >= goal->n_ranks &&
		    (op->peer != HD_GOAL_ANY || op->type == HD_GOAL_SEND))
			return hd_goal_error(goal, file, i, HD_EPARSE,
					     "its peer is no rank of num_ranks", err);
	}
	return 0;
}

int hd_goal_done(struct hd_goal *goal, const char *file, struct hd_error *err)
{
	int ret = check_ops(goal, file, err);

	if (!ret)
		ret = sort_waits(goal, err);
	return ret ? ret : refuse_loops(goal, file, err);
}
