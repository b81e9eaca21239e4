// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "host/recorder/recorded_goal.h"

#include <inttypes.h>
#include <stdlib.h>

/* Processors: of messages, and of the times of strands, which may overlap. */
enum { MESSAGES, STRANDS, LAST = 251 };

/* A line, with the labels that its operations have in their ranks; 0: no such operation. */
struct message {
	uint64_t bytes;
	uint32_t from, to, sent, received;
};

struct rank {
	FILE *stream;
	char *text;
	size_t size;
	uint32_t n_ops;
};

struct hd_recorded_goal {
	uint32_t n_tasks, n, allocated;
	struct message *messages;
	struct rank *ranks;
};

struct hd_recorded_goal *hd_recorded_goal_new(uint32_t n_tasks)
{
	struct hd_recorded_goal *goal = calloc(1, sizeof(*goal));

	if (!goal)
		return NULL;
	goal->n_tasks = n_tasks;
	goal->ranks = calloc(n_tasks + (size_t)1, sizeof(*goal->ranks));
	for (uint32_t task = 0; goal->ranks && task < n_tasks; task++) {
		struct rank *rank = &goal->ranks[task];

		rank->stream = open_memstream(&rank->text, &rank->size);
		if (!rank->stream) {
			hd_recorded_goal_free(goal);
			return NULL;
		}
	}
	if (goal->ranks)
		return goal;
	free(goal);
	return NULL;
}

void hd_recorded_goal_free(struct hd_recorded_goal *goal)
{
	if (!goal)
		return;
	for (uint32_t task = 0; task < goal->n_tasks; task++) {
		if (goal->ranks[task].stream)
			fclose(goal->ranks[task].stream);
		free(goal->ranks[task].text);
	}
	free(goal->ranks);
	free(goal->messages);
	free(goal);
}

/* The next operation of @rank waits for what @line waits for. */
static void write_waits(const struct hd_recorded_goal *goal, const struct rank *rank,
			const struct hd_recorded_line *line)
{
	for (size_t i = 0; i < line->n_waits; i++) {
		const struct message *on = &goal->messages[line->waits[i].number];

		fprintf(rank->stream, "l%u requires l%u\n", rank->n_ops,
			line->waits[i].is_receipt ? on->received : on->sent);
	}
}

bool hd_recorded_goal_add(struct hd_recorded_goal *goal, const struct hd_recorded_line *line)
{
	const bool is_local = line->from == line->to;
	struct rank *rank = &goal->ranks[line->from];

	if (goal->n == goal->allocated) {
		const uint32_t more =
			goal->allocated > UINT32_MAX / 2 ? UINT32_MAX : goal->allocated * 2 + 64;
		void *new = realloc(goal->messages, more * sizeof(*goal->messages));

		if (!new)
			return false;
		goal->messages = new;
		goal->allocated = more;
	}
	if (line->time || is_local) {
		fprintf(rank->stream, "l%u: calc %" PRIu64 " cpu %u\n", ++rank->n_ops, line->time,
			STRANDS + line->strand % (LAST - STRANDS));
		write_waits(goal, rank, line);
	}
	if (!is_local) {
		fprintf(rank->stream, "l%u: send %" PRIu64 "b to %u tag %u\n", ++rank->n_ops,
			line->bytes, line->to, goal->n);
		if (line->time)
			fprintf(rank->stream, "l%u requires l%u\n", rank->n_ops, rank->n_ops - 1);
		else
			write_waits(goal, rank, line);
	}
	goal->messages[goal->n++] = (struct message){ .bytes = line->bytes,
						      .from = line->from,
						      .to = line->to,
						      .sent = rank->n_ops,
						      .received = is_local ? rank->n_ops : 0 };
	return !ferror(rank->stream);
}

bool hd_recorded_goal_receive(struct hd_recorded_goal *goal, uint32_t number)
{
	struct message *message = &goal->messages[number];
	struct rank *rank = &goal->ranks[message->to];

	if (message->received)
		return true;
	message->received = ++rank->n_ops;
	fprintf(rank->stream, "l%u: recv %" PRIu64 "b from %u tag %u\n", rank->n_ops,
		message->bytes, message->from, number);
	return !ferror(rank->stream);
}

void hd_recorded_goal_remark(struct hd_recorded_goal *goal, uint32_t task, const char *text)
{
	fprintf(goal->ranks[task].stream, "// %s\n", text);
}

bool hd_recorded_goal_write(struct hd_recorded_goal *goal, FILE *out)
{
	for (uint32_t number = 0; number < goal->n; number++)
		if (!hd_recorded_goal_receive(goal, number))
			return false;
	fprintf(out, "num_ranks %u\n", goal->n_tasks);
	for (uint32_t task = 0; task < goal->n_tasks; task++) {
		struct rank *rank = &goal->ranks[task];
		const bool ok = fclose(rank->stream) == 0;

		rank->stream = NULL;
		if (!ok)
			return false;
		fprintf(out, "\nrank %u {\n", task);
		fwrite(rank->text, 1, rank->size, out);
		fputs("}\n", out);
		free(rank->text);
		rank->text = NULL;
	}
	return true;
}
