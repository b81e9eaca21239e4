// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/graph500_search.h"

#include <stdlib.h>

#include "sim/traffic/deviate.h"
#include "sim/traffic/graph500_plan.h"
#include "support/error.h"

#define NEVER       UINT64_MAX
#define QUERY_BYTES 16

/* What is in a message: above its queries in its id. */
enum kind { QUERIES, SIGNAL, REDUCTION, BROADCAST };
#define KIND_SHIFT 30

enum state {
	SENDS,      /* messages of the level */
	SIGNALS,    /* that it has sent all of them */
	WAITS,      /* for the others' messages and signals */
	REDUCES,    /* for the broadcast; the root's process: for the others' reductions */
	BROADCASTS, /* the root's process: that the level is over */
	ENDED,
};

struct hd_graph500_process {
	struct hd_random random;
	uint64_t busy;    /* until when it answers what has come */
	uint64_t entered; /* when its last message began to leave its host; NEVER: it waits there */
	uint64_t since;   /* from here on it has worked on its next message, ... */
	uint64_t work;    /* ... which takes it so long from then on */
	uint64_t armed;   /* it is woken then; NEVER: it is not */
	uint64_t queries; /* of the level, that are still to be sent */
	uint64_t messages, full;
	uint32_t leaving; /* packets that wait at its host */
	uint32_t coming;  /* packets of queries that are under way to it */
	uint32_t signals; /* of the level, that have come */
	uint32_t told;    /* processes that it has signalled, or sent the broadcast */
	uint8_t level;
	uint8_t state;
};

int hd_graph500_make(struct hd_graph500 *g, uint64_t seed, uint64_t stream, struct hd_error *err)
{
	g->processes = calloc(g->n, sizeof(*g->processes));
	if (!g->processes)
		return hd_error_nomem(err);
	for (uint32_t rank = 0; rank < g->n; rank++) {
		g->processes[rank].state = ENDED;
		g->processes[rank].armed = NEVER;
		hd_random_init(&g->processes[rank].random, seed, stream + g->host_of[rank]);
	}
	return 0;
}

/* Sends @units from @rank to @to, in packets among which @queries are spread. */
static void send(struct hd_graph500 *g, uint32_t rank, uint32_t to, uint64_t now, enum kind kind,
		 uint64_t queries, uint64_t units, const struct hd_traffic_actions *actions)
{
	struct hd_graph500_process *from = &g->processes[rank];
	uint64_t n = (units + g->packet - 1) / g->packet;

	from->entered = NEVER;
	from->leaving += (uint32_t)n;
	if (kind == QUERIES) {
		g->processes[to].coming += (uint32_t)n;
		g->application.messages++;
	} else {
		g->application.signals++;
	}
	for (uint64_t left = n; left; left--) {
		const struct hd_message message = {
			.time = now,
			.from = g->host_of[rank],
			.to = g->host_of[to],
			.size = (uint32_t)(units < g->packet ? units : g->packet),
			.id = (uint64_t)kind << KIND_SHIFT | queries / left,
		};

		queries -= queries / left;
		units -= message.size;
		actions->send(actions->context, &message);
	}
}

/* Has the process woken at @time, or before and then again. */
static void arm(struct hd_graph500 *g, uint32_t rank, uint64_t time,
		const struct hd_traffic_actions *actions)
{
	struct hd_graph500_process *p = &g->processes[rank];

	if (p->armed <= time)
		return;
	p->armed = time;
	actions->wake(actions->context, g->host_of[rank], time);
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* When the process works on its next message, or goes on with it. */
static uint64_t works_from(const struct hd_graph500_process *p)
{
	return later(p->since, later(p->busy, p->entered));
}

static void arm_sending(struct hd_graph500 *g, uint32_t rank,
			const struct hd_traffic_actions *actions)
{
	const struct hd_graph500_process *p = &g->processes[rank];

	if (p->entered != NEVER)
		arm(g, rank, works_from(p) + p->work, actions);
}

/* Queries of the process' next message: full ones first, then those that share the rest. */
static uint64_t next_queries(const struct hd_graph500 *g, const struct hd_graph500_process *p)
{
	return p->full ? g->coalescing : p->queries / p->messages;
}

static void begin_message(struct hd_graph500 *g, uint32_t rank, uint64_t now)
{
	struct hd_graph500_process *p = &g->processes[rank];
	double mean = (double)next_queries(g, p) * g->query;

	p->since = now;
	p->work = (uint64_t)(mean * (double)hd_exponential(&p->random) * 0x1p-32);
}

static void tell_next(struct hd_graph500 *g, uint32_t rank, uint64_t now, enum kind kind,
		      const struct hd_traffic_actions *actions)
{
	struct hd_graph500_process *p = &g->processes[rank];

	p->told++;
	send(g, rank, (rank + p->told) % g->n, now, kind, 0, 1, actions);
}

/* The process does what it can do at @now. */
static void look(struct hd_graph500 *g, uint32_t rank, uint64_t now,
		 const struct hd_traffic_actions *actions);

static void begin_level(struct hd_graph500 *g, uint32_t rank, unsigned level, uint64_t now,
			const struct hd_traffic_actions *actions)
{
	struct hd_graph500_process *p = &g->processes[rank];
	struct hd_graph500_share share;

	if (level == g->application.n_levels) {
		p->state = ENDED;
		if (++g->n_ended == g->n)
			g->application.end = now;
		return;
	}
	if (now < g->application.levels[level].begin)
		g->application.levels[level].begin = now;
	share = hd_graph500_share(&g->application, level, rank, g->root, g->coalescing);
	p->level = (uint8_t)level;
	p->queries = share.queries;
	p->messages = share.messages;
	p->full = share.full;
	p->told = 0;
	p->state = p->messages ? SENDS : SIGNALS;
	if (p->messages)
		begin_message(g, rank, now);
	look(g, rank, now, actions);
}

/* The process has all of the level behind it. */
static void reduce(struct hd_graph500 *g, uint32_t rank, uint64_t now,
		   const struct hd_traffic_actions *actions)
{
	struct hd_graph500_process *p = &g->processes[rank];

	p->signals -= g->n - 1;
	p->state = REDUCES;
	p->told = 0;
	if (++g->n_through == g->n) {
		g->n_through = 0;
		g->application.levels[p->level].end = now;
	}
	if (rank != g->root)
		send(g, rank, g->root, now, REDUCTION, 0, 1, actions);
}

static void look(struct hd_graph500 *g, uint32_t rank, uint64_t now,
		 const struct hd_traffic_actions *actions)
{
	struct hd_graph500_process *p = &g->processes[rank];

	if (p->state == SENDS)
		arm_sending(g, rank, actions);
	if (p->state == SIGNALS && !p->leaving)
		tell_next(g, rank, now, SIGNAL, actions);
	if (p->state == SIGNALS && p->told == g->n - 1)
		p->state = WAITS;
	if (p->state == WAITS && p->signals >= g->n - 1 && !p->coming) {
		if (p->busy > now)
			arm(g, rank, p->busy, actions);
		else
			reduce(g, rank, now, actions);
	}
	if (p->state == REDUCES && rank == g->root && g->n_reduced == g->n - 1) {
		g->n_reduced = 0;
		p->state = BROADCASTS;
	}
	if (p->state == BROADCASTS && !p->leaving && p->told < g->n - 1)
		tell_next(g, rank, now, BROADCAST, actions);
	if (p->state == BROADCASTS && p->told == g->n - 1)
		begin_level(g, rank, p->level + 1u, now, actions);
}

static void send_message(struct hd_graph500 *g, uint32_t rank, uint64_t now,
			 const struct hd_traffic_actions *actions)
{
	struct hd_graph500_process *p = &g->processes[rank];
	uint64_t queries = next_queries(g, p);
	uint64_t units = (queries * QUERY_BYTES + g->unit - 1) / g->unit;
	uint32_t to = hd_random_below(&p->random, g->n - 1);

	p->full -= p->full > 0;
	p->queries -= queries;
	p->messages--;
	send(g, rank, to + (to >= rank), now, QUERIES, queries, units, actions);
	if (p->messages)
		begin_message(g, rank, now);
	else
		p->state = SIGNALS;
}

void hd_graph500_begin(void *data, uint64_t time, const struct hd_traffic_actions *actions)
{
	struct hd_graph500 *g = data;

	g->application.begin = time;
	for (uint32_t rank = 0; rank < g->n; rank++)
		arm(g, rank, time, actions);
}

void hd_graph500_woken(void *data, uint64_t now, uint32_t host,
		       const struct hd_traffic_actions *actions)
{
	struct hd_graph500 *g = data;
	uint32_t rank = g->rank_of[host];
	struct hd_graph500_process *p;

	if (rank >= g->n)
		return;
	p = &g->processes[rank];
	if (now < p->armed)
		return;
	p->armed = NEVER;
	if (now == g->application.begin && p->state == ENDED) {
		begin_level(g, rank, 0, now, actions);
		return;
	}
	if (p->state == SENDS && p->entered != NEVER && works_from(p) + p->work <= now)
		send_message(g, rank, now, actions);
	else
		look(g, rank, now, actions);
}

void hd_graph500_entered(void *data, uint64_t now, const struct hd_message *message,
			 const struct hd_traffic_actions *actions)
{
	struct hd_graph500 *g = data;
	uint32_t rank = g->rank_of[message->from];
	struct hd_graph500_process *p;

	if (rank >= g->n)
		return;
	p = &g->processes[rank];
	if (--p->leaving)
		return;
	p->entered = now;
	look(g, rank, now, actions);
}

static void take_queries(struct hd_graph500 *g, struct hd_graph500_process *p, uint64_t now,
			 uint32_t queries)
{
	uint64_t from = works_from(p), done;

	p->coming--;
	if (p->state == SENDS && from < now) {
		done = now - from;
		p->work -= done < p->work ? done : p->work;
	}
	p->since = later(p->since, now);
	p->busy = later(p->busy, now) + (uint64_t)(queries * g->query + 0.5);
}

void hd_graph500_received(void *data, uint64_t time, uint64_t now, const struct hd_message *message,
			  const struct hd_traffic_actions *actions)
{
	struct hd_graph500 *g = data;
	uint32_t rank = g->rank_of[message->to];
	enum kind kind = (enum kind)(message->id >> KIND_SHIFT);
	struct hd_graph500_process *p;

	(void)time;
	if (rank >= g->n)
		return;
	p = &g->processes[rank];
	g->application.units += message->size;
	if (kind == QUERIES)
		take_queries(g, p, now, message->id & ((1u << KIND_SHIFT) - 1));
	else if (kind == SIGNAL)
		p->signals++;
	else if (kind == REDUCTION)
		g->n_reduced++;
	if (kind == BROADCAST)
		begin_level(g, rank, p->level + 1u, now, actions);
	else
		look(g, rank, now, actions);
}
