// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/goal_trace.h"

#include <inttypes.h>
#include <stdlib.h>

#include "sim/model/model.h"
#include "sim/traffic/records.h"
#include "support/error.h"

#define MOST_STEPS 1024 /* back from an operation to one that it follows */

/* A send or a receive, to be matched. */
struct half {
	uint32_t from, to, tag;
	uint32_t op;
};

/* What an operation waits for. */
struct cause {
	uint32_t on;
	bool is_start;
};

struct writer {
	const struct hd_goal *goal;
	const char *file;
	FILE *stream;
	struct hd_error *err;
	size_t *first_cause; /* [n + 1] in causes */
	struct cause *causes;
	bool *is_start_needed; /* [op] others wait for its start */
	uint32_t *match; /* [op] of a send or receive, the other one; HD_NONE: nobody receives */
	uint32_t *left;  /* [op] what it waits for, and has no lines yet */
	uint32_t *order; /* operations in the order of their lines, ... */
	uint32_t n_ordered;
	uint32_t *line; /* [op] its line; of a receive, HD_NONE: it has none beside its message's */
	uint32_t *start; /* [op] the line that is its start; HD_NONE: it begins at time 0 */
	uint32_t n_lines;
};

static int refuse(const struct writer *w, uint32_t op, const char *what)
{
	return hd_goal_error(w->goal, w->file, op, HD_EPARSE, what, w->err);
}

static int allocate(struct writer *w)
{
	const size_t n = w->goal->n;

	w->first_cause = calloc(n + 2, sizeof(*w->first_cause));
	w->causes = malloc((w->goal->n_waits + 1) * sizeof(*w->causes));
	w->is_start_needed = calloc(n + 1, sizeof(*w->is_start_needed));
	w->match = malloc((n + 1) * sizeof(*w->match));
	w->left = malloc((n + 1) * sizeof(*w->left));
	w->order = malloc((n + 1) * sizeof(*w->order));
	w->line = malloc((n + 1) * sizeof(*w->line));
	w->start = malloc((n + 1) * sizeof(*w->start));
	if (!w->first_cause || !w->causes || !w->is_start_needed || !w->match || !w->left ||
	    !w->order || !w->line || !w->start)
		return hd_error_nomem(w->err);
	for (size_t i = 0; i < n; i++)
		w->match[i] = w->line[i] = w->start[i] = HD_NONE;
	return 0;
}

static void clear(struct writer *w)
{
	free(w->first_cause);
	free(w->causes);
	free(w->is_start_needed);
	free(w->match);
	free(w->left);
	free(w->order);
	free(w->line);
	free(w->start);
}

/* Waits by what waits; the schedule has them by what they wait for. */
static void list_causes(struct writer *w)
{
	const struct hd_goal *goal = w->goal;

	for (uint32_t i = 0; i < goal->n; i++)
		w->first_cause[i + 2] = goal->n_on[i];
	for (size_t i = 2; i <= goal->n; i++)
		w->first_cause[i] += w->first_cause[i - 1];
	for (size_t i = 0; i < goal->n_waits; i++) {
		const struct hd_goal_wait *wait = &goal->waits[i];
		const bool is_start = (wait->op & HD_GOAL_START) != 0;

		w->causes[w->first_cause[(wait->op & ~HD_GOAL_START) + 1]++] =
			(struct cause){ wait->on, is_start };
		w->is_start_needed[wait->on] |= is_start;
	}
}

static int compare_halves(const void *a, const void *b)
{
	const struct half *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	if (x->tag != y->tag)
		return x->tag < y->tag ? -1 : 1;
	return (x->op > y->op) - (x->op < y->op);
}

static bool same_envelope(const struct half *x, const struct half *y)
{
	return x->from == y->from && x->to == y->to && x->tag == y->tag;
}

/* The sends, or receives, in order of rank, peer and tag. */
static int list_halves(const struct writer *w, enum hd_goal_type type, struct half **halves,
		       size_t *n)
{
	*n = 0;
	*halves = malloc((w->goal->n + (size_t)1) * sizeof(**halves));
	if (!*halves)
		return hd_error_nomem(w->err);
	for (uint32_t i = 0; i < w->goal->n; i++) {
		const struct hd_goal_op *op = &w->goal->ops[i];

		if (op->type == type)
			(*halves)[(*n)++] =
				type == HD_GOAL_SEND
					? (struct half){ op->rank, op->peer, op->tag, i }
					: (struct half){ op->peer, op->rank, op->tag, i };
	}
	qsort(*halves, *n, sizeof(**halves), compare_halves);
	return 0;
}

static bool same_causes(const struct writer *w, uint32_t a, uint32_t b)
{
	const size_t n = w->first_cause[a + 1] - w->first_cause[a];
	const struct cause *x = &w->causes[w->first_cause[a]], *y = &w->causes[w->first_cause[b]];

	if (w->first_cause[b + 1] - w->first_cause[b] != n)
		return false;
	for (size_t i = 0; i < n; i++)
		if (x[i].on != y[i].on || x[i].is_start != y[i].is_start)
			return false;
	return true;
}

/* Whether @op begins after @first by what it waits for; what is found in many steps is not. */
static bool follows(const struct writer *w, uint32_t op, uint32_t first)
{
	uint32_t stack[MOST_STEPS], n = 0;

	stack[n++] = op;
	for (unsigned step = 0; n && step < MOST_STEPS; step++) {
		const uint32_t at = stack[--n];

		for (size_t i = w->first_cause[at]; i < w->first_cause[at + 1]; i++) {
			if (w->causes[i].on == first)
				return true;
			if (n < MOST_STEPS)
				stack[n++] = w->causes[i].on;
		}
	}
	return false;
}

/*
 * Halves of one source, destination and tag are matched as they come, and a trace matches by lines:
 * the order has to be that of the file.
 */
static int check_order(const struct writer *w, const struct half *halves, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		const uint32_t before = halves[i - 1].op, op = halves[i].op;

		if (same_envelope(&halves[i - 1], &halves[i]) && !same_causes(w, before, op) &&
		    !follows(w, op, before))
			return refuse(w, op,
				      "another one with this peer and tag may come before it or "
				      "after it, and a trace says which is matched");
	}
	return 0;
}

/* The k-th send of a source, destination and tag goes to the k-th receive. */
static int match(struct writer *w)
{
	struct half *sends = NULL, *receives = NULL;
	size_t n_sends, n_receives, s = 0;
	int ret = list_halves(w, HD_GOAL_SEND, &sends, &n_sends);

	if (!ret)
		ret = list_halves(w, HD_GOAL_RECV, &receives, &n_receives);
	if (!ret)
		ret = check_order(w, sends, n_sends);
	if (!ret)
		ret = check_order(w, receives, n_receives);
	for (size_t r = 0; !ret && r < n_receives; r++) {
		while (s < n_sends && compare_halves(&sends[s], &receives[r]) < 0 &&
		       !same_envelope(&sends[s], &receives[r]))
			s++;
		if (s == n_sends || !same_envelope(&sends[s], &receives[r])) {
			ret = refuse(w, receives[r].op, "a deadlock: no message comes for it");
			break;
		}
		w->match[sends[s].op] = receives[r].op;
		w->match[receives[r].op] = sends[s].op;
		s++;
	}
	free(sends);
	free(receives);
	return ret;
}

static int check_ops(const struct writer *w)
{
	for (uint32_t i = 0; i < w->goal->n; i++) {
		const struct hd_goal_op *op = &w->goal->ops[i];

		if (op->type == HD_GOAL_RECV && (op->peer == HD_GOAL_ANY || op->tag == HD_GOAL_ANY))
			return refuse(w, i,
				      "a trace has no receives from any rank or with any tag");
		if (op->type == HD_GOAL_SEND && op->size > HD_RECORD_BYTES)
			return refuse(w, i, "a message of a trace has at most 2^31 bytes");
	}
	return 0;
}

static void settle(struct writer *w, uint32_t op)
{
	if (!--w->left[op])
		w->order[w->n_ordered++] = op;
}

/* Puts operations after what they wait for: others of their rank, receives after their messages. */
static int put_in_order(struct writer *w)
{
	const struct hd_goal *goal = w->goal;

	for (uint32_t i = 0; i < goal->n; i++)
		w->left[i] = goal->n_on[i] + 1 + (goal->ops[i].type == HD_GOAL_RECV);
	for (uint32_t i = 0; i < goal->n; i++)
		settle(w, i);
	for (uint32_t i = 0; i < w->n_ordered; i++) {
		const uint32_t op = w->order[i];

		for (size_t j = goal->first_wait[op]; j < goal->first_wait[op + 1]; j++)
			settle(w, goal->waits[j].op & ~HD_GOAL_START);
		if (goal->ops[op].type == HD_GOAL_SEND && w->match[op] != HD_NONE)
			settle(w, w->match[op]);
	}
	for (uint32_t i = 0; i < goal->n; i++)
		if (w->left[i])
			return refuse(w, i, "a deadlock: it waits for what waits for it");
	return 0;
}

/*
 * Whether each operation of @cpu of a rank, [first, end) of @ops in their order, follows or
 * precedes each calc of it by what it waits for. @before and @after have room for all operations.
 */
static int check_processor(const struct writer *w, const uint32_t *ops, uint32_t n, unsigned cpu,
			   uint32_t *before, uint32_t *after)
{
	const struct hd_goal *goal = w->goal;
	uint32_t total = 0;

	for (uint32_t i = 0; i < n; i++) {
		const uint32_t op = ops[i];

		before[op] = after[op] = 0;
		total += goal->ops[op].type == HD_GOAL_CALC && goal->ops[op].cpu == cpu &&
			 goal->ops[op].size;
		for (size_t j = w->first_cause[op]; j < w->first_cause[op + 1]; j++) {
			const struct hd_goal_op *on = &goal->ops[w->causes[j].on];
			const uint32_t own = before[w->causes[j].on] +
					     (on->type == HD_GOAL_CALC && on->cpu == cpu &&
					      on->size && !w->causes[j].is_start);

			before[op] = own > before[op] ? own : before[op];
		}
	}
	if (!total)
		return 0;
	for (uint32_t i = n; i-- > 0;) {
		const uint32_t op = ops[i];
		const uint32_t own = after[op] + (goal->ops[op].type == HD_GOAL_CALC &&
						  goal->ops[op].cpu == cpu && goal->ops[op].size);

		for (size_t j = w->first_cause[op]; j < w->first_cause[op + 1]; j++)
			if (!w->causes[j].is_start && own > after[w->causes[j].on])
				after[w->causes[j].on] = own;
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct hd_goal_op *op = &goal->ops[ops[i]];
		const bool is_calc = op->type == HD_GOAL_CALC;

		if (op->cpu == cpu && (!is_calc || op->size) &&
		    before[ops[i]] + after[ops[i]] + is_calc < total)
			return refuse(w, ops[i],
				      "its processor may be busy with a calc that it has no wait "
				      "for, and a trace has no processors");
	}
	return 0;
}

/* Operations in their order, rank by rank. */
static void order_by_rank(const struct writer *w, uint32_t *sorted)
{
	uint32_t *next =
		w->left; /* of no use any more: [rank's first operation] where the next one goes */

	for (uint32_t rank = 0; rank < w->goal->n_ranks; rank++)
		if (w->goal->end[rank])
			next[w->goal->first[rank]] = w->goal->first[rank];
	for (uint32_t i = 0; i < w->n_ordered; i++) {
		const uint32_t rank = w->goal->ops[w->order[i]].rank;

		sorted[next[w->goal->first[rank]]++] = w->order[i];
	}
}

static int check_processors(const struct writer *w)
{
	const struct hd_goal *goal = w->goal;
	uint32_t *sorted = malloc((goal->n + (size_t)1) * sizeof(*sorted));
	uint32_t *before = malloc((goal->n + (size_t)1) * sizeof(*before));
	uint32_t *after = malloc((goal->n + (size_t)1) * sizeof(*after));
	int ret = sorted && before && after ? 0 : hd_error_nomem(w->err);

	if (!ret)
		order_by_rank(w, sorted);
	for (uint32_t rank = 0; !ret && rank < goal->n_ranks; rank++) {
		const uint32_t first = goal->first[rank], n = goal->end[rank] - first;
		bool is_used[UINT8_MAX + 1] = { false };

		for (uint32_t i = 0; goal->end[rank] && i < n; i++)
			is_used[goal->ops[first + i].cpu] |=
				goal->ops[first + i].type == HD_GOAL_CALC;
		for (unsigned cpu = 0; !ret && cpu <= UINT8_MAX; cpu++)
			if (is_used[cpu])
				ret = check_processor(w, sorted + first, n, cpu, before, after);
	}
	free(sorted);
	free(before);
	free(after);
	return ret;
}

static void begin_line(struct writer *w, uint64_t time, uint32_t from, uint32_t to, uint64_t bytes)
{
	fprintf(w->stream, "%" PRIu64 " %u %u %" PRIu64, time, from, to, bytes);
}

static uint32_t end_line(struct writer *w)
{
	fputc('\n', w->stream);
	return w->n_lines++;
}

static void wait_for_line(struct writer *w, uint32_t line)
{
	if (line != HD_NONE)
		fprintf(w->stream, " sent %u", line);
}

/* What @op waits for before it begins. */
static void print_causes(struct writer *w, uint32_t op)
{
	for (size_t i = w->first_cause[op]; i < w->first_cause[op + 1]; i++) {
		const uint32_t on = w->causes[i].on;

		if (w->causes[i].is_start)
			wait_for_line(w, w->start[on]);
		else if (w->goal->ops[on].type == HD_GOAL_RECV && w->line[on] == HD_NONE)
			fprintf(w->stream, " received %u", w->line[w->match[on]]);
		else
			wait_for_line(w, w->line[on]);
	}
}

static void print_op(struct writer *w, uint32_t index)
{
	const struct hd_goal_op *op = &w->goal->ops[index];
	const bool waits = w->goal->n_on[index] > 0;

	if (op->type == HD_GOAL_SEND) {
		begin_line(w, 0, op->rank, op->peer, op->size);
		print_causes(w, index);
		w->line[index] = w->start[index] = end_line(w);
		return;
	}
	if (op->type == HD_GOAL_RECV && !waits) /* its message is enough */
		return;
	if (waits && w->is_start_needed[index]) {
		begin_line(w, 0, op->rank, op->rank, 0);
		print_causes(w, index);
		w->start[index] = end_line(w);
	}
	begin_line(w, op->type == HD_GOAL_CALC ? op->size : 0, op->rank, op->rank, 0);
	if (w->start[index] == HD_NONE)
		print_causes(w, index);
	else
		wait_for_line(w, w->start[index]);
	if (op->type == HD_GOAL_RECV)
		fprintf(w->stream, " received %u", w->line[w->match[index]]);
	w->line[index] = end_line(w);
}

int hd_goal_write_trace(const struct hd_goal *goal, const char *file, FILE *stream,
			struct hd_error *err)
{
	struct writer w = { .goal = goal, .file = file, .stream = stream, .err = err };
	int ret = allocate(&w);

	if (!ret)
		list_causes(&w);
	if (!ret)
		ret = check_ops(&w);
	if (!ret)
		ret = match(&w);
	if (!ret)
		ret = put_in_order(&w);
	if (!ret)
		ret = check_processors(&w);
	if (!ret && (uint64_t)goal->n * 2 >= HD_NONE)
		ret = hd_error_set(err, HD_ERANGE, "too many operations");
	if (!ret)
		fputs("# TIME SOURCE DESTINATION BYTES\n", stream);
	for (uint32_t i = 0; !ret && i < goal->n; i++)
		print_op(&w, w.order[i]);
	clear(&w);
	return ret;
}
