// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/ptrans.h"

#include <stdlib.h>

#include "support/error.h"

#define NONE UINT32_MAX

/* What a task sent and received last, by the numbers of the messages; NONE: nothing. */
struct task {
	uint32_t sent, received;
};

struct plan {
	const struct hd_ptrans *ptrans;
	uint32_t gcd, lcm;
	uint64_t bytes;              /* of a message */
	struct task *before, *after; /* [task] a step */
};

static uint32_t gcd(uint32_t a, uint32_t b)
{
	while (b) {
		const uint32_t rest = a % b;

		a = b;
		b = rest;
	}
	return a;
}

/*
 * The task that @task sends to at @step: those of its own column of the grid, or of the first
 * before it that there are blocks for, from row to row on, then those of the next such column
 * before.
 */
static uint32_t partner(const struct plan *plan, uint32_t task, uint32_t step)
{
	const uint32_t rows = plan->ptrans->p, columns = plan->ptrans->q, stride = plan->gcd;
	const uint32_t p = task / columns, q = task % columns;
	const uint32_t first =
		(q + rows * columns - p) % stride; /* rows * columns: no negative numbers */
	const uint32_t down = first + step % (rows / stride) * stride;
	const uint32_t left = first + step / (rows / stride) * stride;

	return (p + down) % rows * columns + (q + columns - left) % columns;
}

static int send(const struct plan *plan, struct hd_records *records, uint32_t from, uint32_t to,
		uint64_t pause, struct hd_error *err)
{
	const uint32_t number = (uint32_t)records->n;
	const struct task *task = &plan->before[from];
	int ret = hd_records_add(records, pause, from, to, plan->bytes, err);

	if (!ret && task->sent != NONE)
		ret = hd_records_wait(records, task->sent, false, err);
	if (!ret && task->received != NONE)
		ret = hd_records_wait(records, task->received, true, err);
	if (!ret)
		ret = hd_records_settle(records, err);
	plan->after[from].sent = number;
	plan->after[to].received = number;
	return ret;
}

/* A step; @began: the tasks that have sent something in this transposition. */
static int take_step(const struct plan *plan, struct hd_records *records, uint32_t step,
		     bool *began, struct hd_error *err)
{
	const uint32_t n = plan->ptrans->p * plan->ptrans->q;
	int ret = 0;

	for (uint32_t task = 0; task < n; task++)
		plan->after[task] = plan->before[task];
	for (uint32_t task = 0; !ret && task < n; task++) {
		const uint32_t to = partner(plan, task, step);

		if (to == task)
			continue;
		ret = send(plan, records, task, to, began[task] ? 0 : plan->ptrans->pause, err);
		began[task] = true;
	}
	for (uint32_t task = 0; task < n; task++)
		plan->before[task] = plan->after[task];
	return ret;
}

static int fill(const struct plan *plan, struct hd_records *records, bool *began,
		struct hd_error *err)
{
	const uint32_t n = plan->ptrans->p * plan->ptrans->q;
	int ret = 0;

	for (uint32_t task = 0; task < n; task++)
		plan->before[task] = (struct task){ NONE, NONE };
	for (uint32_t i = 0; !ret && i < plan->ptrans->repeat; i++) {
		for (uint32_t task = 0; task < n; task++)
			began[task] = false;
		for (uint32_t step = 0; !ret && step < plan->lcm / plan->gcd; step++)
			ret = take_step(plan, records, step, began, err);
	}
	return ret;
}

int hd_ptrans_fill(const struct hd_ptrans *ptrans, struct hd_records *records, struct hd_error *err)
{
	const size_t n = (size_t)ptrans->p * ptrans->q;
	struct plan plan = { .ptrans = ptrans, .gcd = gcd(ptrans->p, ptrans->q) };
	const uint64_t blocks = (ptrans->n + (uint64_t)ptrans->block - 1) / ptrans->block;
	uint64_t most;
	bool *began;
	int ret;

	plan.lcm = ptrans->p / plan.gcd * ptrans->q;
	most = (blocks + plan.lcm - 1) / plan.lcm * ptrans->block;
	plan.bytes = most * most * 8;
	if (most > UINT16_MAX || plan.bytes > HD_RECORD_BYTES)
		return hd_error_set(err, HD_ERANGE,
				    "messages of a matrix of %u on a grid of %ux%u have more than "
				    "2^31 bytes",
				    ptrans->n, ptrans->p, ptrans->q);
	plan.before = calloc(n, sizeof(*plan.before));
	plan.after = calloc(n, sizeof(*plan.after));
	began = calloc(n, sizeof(*began));
	ret = plan.before && plan.after && began ? fill(&plan, records, began, err)
						 : hd_error_nomem(err);
	free(plan.before);
	free(plan.after);
	free(began);
	return ret;
}
