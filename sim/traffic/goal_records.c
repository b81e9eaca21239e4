// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A trace as a GOAL schedule. Messages of known times hang on a chain of calcs; each other message
 * waits for a calc of its own, which waits for what the message waited for. All receives begin at
 * once, and a tag is the number of a message.
 */
#include <stdlib.h>

#include "sim/model/model.h"
#include "sim/traffic/goal_records.h"
#include "support/error.h"

/* Processors: of messages, of the chain, and of calcs that may overlap. */
enum { MESSAGES, CHAIN, OTHERS, LAST = 251 };

/* A known time in a rank. */
struct point {
	uint64_t time;
	uint32_t rank;
	uint32_t record; /* that is sent then, or waits for that time and for others */
};

struct converter {
	const struct hd_records *records;
	struct hd_goal *goal;
	struct hd_error *err;
	struct point *points;
	size_t n_points;
	uint32_t *by_rank[2];     /* records by the rank that sends, or that receives */
	uint32_t *of_rank[2];     /* [rank + 1] in these */
	uint32_t *chain;          /* [record] the calc after whose end it is its known time */
	uint32_t *calc, *message; /* [record] its operations; HD_NONE: none */
	uint32_t *receive;
	uint32_t n_others;
};

static bool is_local(const struct hd_record *record)
{
	return record->from == record->to;
}

static int compare_points(const void *one, const void *other)
{
	const struct point *a = one, *b = other;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->record > b->record) - (a->record < b->record);
}

static uint32_t rank_of(const struct hd_record *record, unsigned side)
{
	return side ? record->to : record->from;
}

static void sort_by_rank(struct converter *c, unsigned side)
{
	const struct hd_records *records = c->records;
	uint32_t *first = c->of_rank[side];

	for (size_t i = 0; i < records->n; i++)
		first[rank_of(&records->all[i], side) + 1]++;
	for (uint32_t rank = 0; rank < c->goal->n_ranks; rank++)
		first[rank + 1] += first[rank];
	for (size_t i = records->n; i-- > 0;) {
		const uint32_t rank = rank_of(&records->all[i], side);

		c->by_rank[side][--first[rank + 1]] = (uint32_t)i;
	}
	/* now first[rank + 1] is where the rank begins */
}

static int prepare(struct converter *c)
{
	const size_t n = c->records->n, n_ranks = c->goal->n_ranks;

	c->points = malloc((n + 1) * sizeof(*c->points));
	for (unsigned side = 0; side < 2; side++) {
		c->by_rank[side] = malloc((n + 1) * sizeof(*c->by_rank[side]));
		c->of_rank[side] = calloc(n_ranks + 2, sizeof(*c->of_rank[side]));
		if (!c->by_rank[side] || !c->of_rank[side])
			return hd_error_nomem(c->err);
		sort_by_rank(c, side);
		c->of_rank[side][n_ranks + 1] = (uint32_t)n;
	}
	c->chain = malloc((n + 1) * sizeof(*c->chain));
	c->calc = malloc((n + 1) * sizeof(*c->calc));
	c->message = malloc((n + 1) * sizeof(*c->message));
	c->receive = malloc((n + 1) * sizeof(*c->receive));
	if (!c->points || !c->chain || !c->calc || !c->message || !c->receive)
		return hd_error_nomem(c->err);
	for (size_t i = 0; i < n; i++) {
		const struct hd_record *record = &c->records->all[i];
		const uint64_t time = record->waits ? record->after : record->time;

		c->chain[i] = c->calc[i] = c->message[i] = c->receive[i] = HD_NONE;
		if (time)
			c->points[c->n_points++] =
				(struct point){ time, record->from, (uint32_t)i };
	}
	qsort(c->points, c->n_points, sizeof(*c->points), compare_points);
	return 0;
}

static int add(struct converter *c, enum hd_goal_type type, uint32_t rank, uint32_t record,
	       uint64_t size, unsigned cpu, uint32_t *op)
{
	const struct hd_record *r = &c->records->all[record];
	struct hd_goal_op new = {
		.size = size, .rank = rank, .type = (uint8_t)type, .cpu = (uint8_t)cpu
	};

	if (type != HD_GOAL_CALC) {
		new.peer = type == HD_GOAL_SEND ? r->to : r->from;
		new.tag = record;
	}
	new.line = c->goal->n + 1;
	*op = c->goal->n;
	return hd_goal_add(c->goal, &new, c->err);
}

/* The chain of a rank's known times; @at is the first point of it, then of the next rank. */
static int add_chain(struct converter *c, uint32_t rank, size_t *at)
{
	uint32_t last = HD_NONE, op;
	uint64_t time = 0;

	for (; *at < c->n_points && c->points[*at].rank == rank; (*at)++) {
		const struct point *point = &c->points[*at];

		if (point->time > time) {
			int ret = add(c, HD_GOAL_CALC, rank, point->record, point->time - time,
				      CHAIN, &op);

			if (!ret && last != HD_NONE)
				ret = hd_goal_wait(c->goal, op, last, false, c->err);
			if (ret)
				return ret;
			last = op;
			time = point->time;
		}
		c->chain[point->record] = last;
	}
	return 0;
}

/* The operations of message @i at its source. */
static int add_sending(struct converter *c, uint32_t i)
{
	const struct hd_record *record = &c->records->all[i];
	int ret = 0;

	if (record->waits && (record->time || is_local(record))) {
		ret = add(c, HD_GOAL_CALC, record->from, i, record->time,
			  OTHERS + c->n_others++ % (LAST - OTHERS), &c->calc[i]);
		if (!ret && c->chain[i] != HD_NONE)
			ret = hd_goal_wait(c->goal, c->calc[i], c->chain[i], false, c->err);
	}
	if (ret || is_local(record))
		return ret;
	ret = add(c, HD_GOAL_SEND, record->from, i, record->units, MESSAGES, &c->message[i]);
	if (!ret && c->calc[i] != HD_NONE)
		ret = hd_goal_wait(c->goal, c->message[i], c->calc[i], false, c->err);
	else if (!ret && c->chain[i] != HD_NONE)
		ret = hd_goal_wait(c->goal, c->message[i], c->chain[i], false, c->err);
	return ret;
}

static int add_rank(struct converter *c, uint32_t rank, size_t *point)
{
	int ret = add_chain(c, rank, point);

	for (uint32_t i = c->of_rank[0][rank + 1]; i < c->of_rank[0][rank + 2] && !ret; i++)
		ret = add_sending(c, c->by_rank[0][i]);
	for (uint32_t i = c->of_rank[1][rank + 1]; i < c->of_rank[1][rank + 2] && !ret; i++) {
		const uint32_t record = c->by_rank[1][i];

		if (!is_local(&c->records->all[record]))
			ret = add(c, HD_GOAL_RECV, rank, record, c->records->all[record].units,
				  MESSAGES, &c->receive[record]);
	}
	return ret;
}

static int add_waits(struct converter *c)
{
	int ret = 0;

	for (size_t i = 0; i < c->records->n_dependencies && !ret; i++) {
		const struct hd_dependency *d = &c->records->dependencies[i];
		uint32_t op =
			c->calc[d->record] != HD_NONE ? c->calc[d->record] : c->message[d->record];
		uint32_t on = d->is_receipt ? c->receive[d->on] : c->message[d->on];

		if (on == HD_NONE) /* a message of a rank to itself */
			on = c->calc[d->on];
		ret = hd_goal_wait(c->goal, op, on, false, c->err);
	}
	return ret;
}

static uint32_t count_ranks(const struct hd_records *records)
{
	uint32_t n = 1;

	for (size_t i = 0; i < records->n; i++)
		for (unsigned side = 0; side < 2; side++)
			if (rank_of(&records->all[i], side) >= n)
				n = rank_of(&records->all[i], side) + 1;
	return n;
}

int hd_goal_from_records(const struct hd_records *records, const char *file, struct hd_goal *goal,
			 struct hd_error *err)
{
	struct converter c = { .records = records, .goal = goal, .err = err };
	size_t point = 0;
	int ret = hd_goal_init(goal, count_ranks(records), err);

	if (!ret)
		ret = prepare(&c);
	for (uint32_t rank = 0; !ret && rank < goal->n_ranks; rank++)
		ret = add_rank(&c, rank, &point);
	if (!ret)
		ret = add_waits(&c);
	if (!ret)
		ret = hd_goal_done(goal, file, err);
	free(c.points);
	for (unsigned side = 0; side < 2; side++) {
		free(c.by_rank[side]);
		free(c.of_rank[side]);
	}
	free(c.chain);
	free(c.calc);
	free(c.message);
	free(c.receive);
	return ret;
}
