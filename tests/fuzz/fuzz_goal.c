// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * GOAL schedules, text and binary: what is refused says where and why; what is taken is the same
 * after it was written and read in both forms, and runs until it ends or says what waits.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/traffic/goal_run.h"
#include "sim/traffic/goal_trace.h"
#include "sim/traffic/records.h"
#include "support/error.h"

#define RANKS     16
#define MOST_DUE  4096
#define MOST_OPS  512 /* of schedules that run */
#define MOST_LEFT 100000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int read_goal(const char *data, size_t size, struct hd_goal *goal)
{
	struct hd_error err = { 0 };
	int ret = (hd_goal_is_binary(data, size) ? hd_goal_parse_binary : hd_goal_parse_text)(
		"input", data, size, RANKS, goal, &err);

	if (ret && (err.code != ret || !*err.text || strchr(err.text, '\n') ||
		    (ret == HD_EPARSE && !*err.file)))
		abort();
	if (ret)
		hd_goal_free(goal);
	return ret;
}

static void compare(const struct hd_goal *a, const struct hd_goal *b)
{
	if (a->n_ranks != b->n_ranks || a->n != b->n || a->n_waits != b->n_waits)
		abort();
	for (uint32_t rank = 0; rank < a->n_ranks; rank++)
		for (uint32_t i = 0; i < a->end[rank] - a->first[rank]; i++) {
			const struct hd_goal_op *x = &a->ops[a->first[rank] + i];
			const struct hd_goal_op *y = &b->ops[b->first[rank] + i];

			if (x->type != y->type || x->size != y->size || x->cpu != y->cpu ||
			    x->rank != y->rank ||
			    a->n_on[a->first[rank] + i] != b->n_on[b->first[rank] + i])
				abort();
			if (x->type != HD_GOAL_CALC &&
			    (x->peer != y->peer || x->tag != y->tag || x->nic != y->nic))
				abort();
		}
}

static void write_and_read(const struct hd_goal *goal,
			   void (*write)(const struct hd_goal *goal, FILE *file))
{
	struct hd_goal again;
	char *text = NULL;
	size_t size = 0;
	FILE *file = open_memstream(&text, &size);

	if (!file)
		abort();
	write(goal, file);
	if (fclose(file) || read_goal(text, size, &again))
		abort();
	compare(goal, &again);
	hd_goal_free(&again);
	free(text);
}

/* Packets arrive, and hosts are woken, one after another. */
struct due {
	struct hd_message messages[MOST_DUE]; /* size 0: its host is woken */
	unsigned n;
};

static void send(void *context, const struct hd_message *message)
{
	struct due *due = context;

	if (!message->size || message->from >= RANKS || message->to >= RANKS)
		abort();
	if (due->n < MOST_DUE)
		due->messages[due->n++] = *message;
}

static void wake(void *context, uint32_t host, uint64_t time)
{
	struct due *due = context;

	if (due->n < MOST_DUE)
		due->messages[due->n++] = (struct hd_message){ .from = host, .time = time };
}

static void follow(struct hd_goal_run *run)
{
	static struct due due;
	const struct hd_traffic_actions actions = { .send = send, .wake = wake, .context = &due };
	struct hd_error err = { 0 };
	uint64_t now = 0;
	unsigned steps = 0;

	due.n = 0;
	hd_goal_begin(run, 0, &actions);
	while (due.n && ++steps < MOST_LEFT) {
		const struct hd_message message = due.messages[0];

		memmove(due.messages, due.messages + 1, --due.n * sizeof(message));
		now = message.time > now ? message.time : now;
		if (!message.size) {
			hd_goal_woken(run, now, message.from, &actions);
			continue;
		}
		hd_goal_entered(run, now, &message, &actions);
		hd_goal_received(run, 0, now, &message, &actions);
	}
	/* at the end all is over, or something is named that waits for ever */
	if (steps < MOST_LEFT && hd_goal_waiting(run) && !hd_goal_stuck(run, &err))
		abort();
	if (!hd_goal_waiting(run) && hd_goal_stuck(run, &err))
		abort();
}

static void run_it(struct hd_goal *goal)
{
	struct hd_goal_run run = { .goal = *goal,
				   .loggop = { .L = 1, .o = 2, .g = 3, .G = .5, .S = 100 },
				   .tick = 1,
				   .unit = 64,
				   .packet = 1u << 31,
				   .n_instances = 2,
				   .n_ranks = 2 * goal->n_ranks,
				   .n_hosts = RANKS };
	struct hd_error err = { 0 };

	run.file = strdup("input");
	run.host_of = malloc(run.n_ranks * sizeof(*run.host_of));
	if (!run.file || !run.host_of)
		abort();
	for (uint32_t i = 0; i < run.n_ranks; i++)
		run.host_of[i] = i % RANKS;
	if (goal->n <= MOST_OPS && !hd_goal_run_make(&run, &err))
		follow(&run);
	hd_goal_run_free(&run);
	*goal = (struct hd_goal){ 0 };
}

/* A trace of the schedule can be read, if there is one. */
static void write_as_trace(const struct hd_goal *goal)
{
	struct hd_records records;
	struct hd_error err = { 0 };
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	int ret;

	if (!file)
		abort();
	ret = hd_goal_write_trace(goal, "input", file, &err);
	if (fclose(file))
		abort();
	hd_records_init(&records, goal->n_ranks, 1, 1);
	if (!ret && hd_trace_parse("input", text, size, &records, &err))
		abort();
	hd_records_free(&records);
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_goal goal;

	if (read_goal((const char *)data, size, &goal))
		return 0;
	write_and_read(&goal, hd_goal_write_text);
	write_and_read(&goal, hd_goal_write_binary);
	write_as_trace(&goal);
	run_it(&goal);
	return 0;
}
