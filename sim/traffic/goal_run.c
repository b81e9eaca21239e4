// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/goal_run.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/error.h"

#define NEVER UINT64_MAX

enum state { WAITS, READY, STARTED, ENDED };

enum what {
	TRY,   /* an operation begins, if its processor and adapter are free */
	LEAVE, /* a message begins to leave its host */
};

struct hd_goal_message {
	uint64_t time;          /* when it was sent */
	uint64_t left;          /* units that have not arrived */
	uint32_t send, receive; /* operations; HD_NONE: no receive has it */
};

static const struct hd_goal_op *op_of(const struct hd_goal_run *run, uint32_t op)
{
	return &run->goal.ops[op % run->goal.n];
}

static uint32_t rank_of(const struct hd_goal_run *run, uint32_t op)
{
	return op / run->goal.n * run->goal.n_ranks + op_of(run, op)->rank;
}

/* The rank of @peer in the instance of operation @op. */
static uint32_t peer_of(const struct hd_goal_run *run, uint32_t op, uint32_t peer)
{
	return op / run->goal.n * run->goal.n_ranks + peer;
}

static uint64_t *cpu_of(struct hd_goal_run *run, uint32_t op)
{
	return &run->cpu_free[run->first_cpu[rank_of(run, op)] + op_of(run, op)->cpu];
}

static uint32_t nic_of(const struct hd_goal_run *run, uint32_t op)
{
	return run->first_nic[rank_of(run, op)] + op_of(run, op)->nic;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static void post(struct hd_goal_run *run, uint64_t time, enum what what, uint32_t index,
		 const struct hd_traffic_actions *actions)
{
	if (!hd_goal_agenda_post(&run->agenda, time, what, index))
		hd_traffic_exhausted(actions);
}

/*
 * When @op can begin, or take in its message if it is a receive: its processor and adapter are
 * free.
 */
static uint64_t when_free(struct hd_goal_run *run, uint32_t op)
{
	const uint64_t cpu = *cpu_of(run, op);

	if (op_of(run, op)->type == HD_GOAL_SEND)
		return later(cpu, run->nic_free_to_send[nic_of(run, op)]);
	if (op_of(run, op)->type == HD_GOAL_RECV)
		return later(cpu, run->nic_free_to_receive[nic_of(run, op)]);
	return cpu;
}

/* @op waits until @time for its processor and adapter. */
static void wait_until(struct hd_goal_run *run, uint32_t op, uint64_t time,
		       const struct hd_traffic_actions *actions)
{
	const struct hd_goal_op *o = op_of(run, op);
	const uint32_t needs = o->type == HD_GOAL_CALC ? o->type : o->type | (uint32_t)o->nic << 8;

	if (!hd_goal_agenda_wait(&run->agenda, time, run->first_cpu[rank_of(run, op)] + o->cpu,
				 needs, op))
		hd_traffic_exhausted(actions);
}

/* Operations that wait for the start, or the end, of @op need not since @time. */
static void release(struct hd_goal_run *run, uint32_t op, bool start, uint64_t time,
		    const struct hd_traffic_actions *actions)
{
	const struct hd_goal *goal = &run->goal;
	const uint32_t base = op - op % goal->n;

	for (size_t i = goal->first_wait[op % goal->n]; i < goal->first_wait[op % goal->n + 1];
	     i++) {
		const uint32_t waiter = base + (goal->waits[i].op & ~HD_GOAL_START);

		if (!(goal->waits[i].op & HD_GOAL_START) == start)
			continue;
		run->ready[waiter] = later(run->ready[waiter], time);
		if (--run->waits[waiter])
			continue;
		run->state[waiter] = READY;
		post(run, run->ready[waiter], TRY, waiter, actions);
	}
}

static void start_op(struct hd_goal_run *run, uint32_t op, uint64_t now,
		     const struct hd_traffic_actions *actions)
{
	run->state[op] = STARTED;
	release(run, op, true, now, actions);
}

static void end_op(struct hd_goal_run *run, uint32_t op, uint64_t time,
		   const struct hd_traffic_actions *actions)
{
	run->state[op] = ENDED;
	run->n_left--;
	run->end = later(run->end, time - run->begin);
	release(run, op, false, time, actions);
}

static uint32_t new_message(struct hd_goal_run *run)
{
	const uint32_t more = run->n_messages ? 2 * run->n_messages : 256;
	uint32_t index = run->free_message;
	struct hd_goal_message *messages;
	struct hd_outbox_link *links;

	if (index == HD_NONE) {
		if (more <= run->n_messages)
			return HD_NONE;
		messages = realloc(run->messages, more * sizeof(*messages));
		if (!messages)
			return HD_NONE;
		run->messages = messages;
		links = realloc(run->links, more * sizeof(*links));
		if (!links)
			return HD_NONE;
		run->links = links;
		for (index = more; index-- > run->n_messages;) {
			links[index].next = run->free_message;
			run->free_message = index;
		}
		run->n_messages = more;
		index = run->free_message;
	}
	run->free_message = run->links[index].next;
	return index;
}

static void hand_over(struct hd_goal_run *run, uint32_t host,
		      const struct hd_traffic_actions *actions)
{
	struct hd_outbox_host *outbox = &run->outboxes[host];
	struct hd_message message = { .from = host };
	uint32_t index;

	outbox->waits = hd_outbox_next(outbox, run->links, run->packet, run->in_turn, &index,
				       &message.size);
	if (!outbox->waits)
		return;
	message.time = run->messages[index].time;
	message.to = run->host_of[peer_of(run, run->messages[index].send,
					  op_of(run, run->messages[index].send)->peer)];
	message.id = index;
	actions->send(actions->context, &message);
}

/* The rendezvous of @send is over. */
static void end_rendezvous(struct hd_goal_run *run, uint32_t send, uint64_t nic_time,
			   uint64_t cpu_time, const struct hd_traffic_actions *actions)
{
	uint64_t *cpu = cpu_of(run, send), *nic = &run->nic_free_to_send[nic_of(run, send)];

	*cpu = later(*cpu, cpu_time);
	*nic = later(*nic, nic_time);
	end_op(run, send, cpu_time, actions);
}

/*
 * A receive takes in message @index. LogGOPSim has the gap after the adapter's last receipt if the
 * receive waited, and after its last sending if the message did.
 */
static void take_in(struct hd_goal_run *run, uint32_t index, uint64_t after, uint64_t now,
		    const struct hd_traffic_actions *actions)
{
	const struct hd_goal_message message = run->messages[index];
	const uint64_t nic_time = later(after, now) + run->loggop.g;
	const uint64_t cpu_time = nic_time + run->loggop.o;

	*cpu_of(run, message.receive) = cpu_time;
	run->nic_free_to_receive[nic_of(run, message.receive)] = nic_time;
	if (op_of(run, message.send)->size > run->loggop.S)
		end_rendezvous(run, message.send, nic_time, cpu_time, actions);
	end_op(run, message.receive, cpu_time, actions);
	run->links[index].next = run->free_message;
	run->free_message = index;
}

static void take_when_free(struct hd_goal_run *run, uint32_t index, uint64_t now,
			   const struct hd_traffic_actions *actions)
{
	const uint32_t receive = run->messages[index].receive;
	const uint64_t free = when_free(run, receive);

	if (free <= now) {
		take_in(run, index, run->nic_free_to_receive[nic_of(run, receive)], now, actions);
		return;
	}
	run->ready[receive] = index;
	wait_until(run, receive, free, actions);
}

static void arrive(struct hd_goal_run *run, uint32_t index, uint64_t now,
		   const struct hd_traffic_actions *actions)
{
	struct hd_goal_message *message = &run->messages[index];
	const struct hd_goal_op *op = op_of(run, message->send);
	const struct hd_goal_offer offer = { peer_of(run, message->send, op->peer),
					     rank_of(run, message->send), op->tag, index };

	run->n_under_way--;
	if (!hd_goal_match_message(&run->match, &offer, &message->receive))
		hd_traffic_exhausted(actions);
	else if (message->receive != HD_NONE)
		take_when_free(run, index, now, actions);
}

static void leave(struct hd_goal_run *run, uint32_t index, uint64_t now,
		  const struct hd_traffic_actions *actions)
{
	const uint32_t send = run->messages[index].send;
	const uint32_t host = run->host_of[rank_of(run, send)];

	run->messages[index].time = now;
	if (host == run->host_of[peer_of(run, send, op_of(run, send)->peer)]) {
		arrive(run, index, now, actions);
		return;
	}
	hd_outbox_append(&run->outboxes[host], run->links, index);
	if (!run->outboxes[host].waits)
		hand_over(run, host, actions);
}

/* Its processor and adapter are free. */
static void begin_send(struct hd_goal_run *run, uint32_t op, uint64_t now,
		       const struct hd_traffic_actions *actions)
{
	const uint64_t size = op_of(run, op)->size;
	uint64_t *cpu = cpu_of(run, op), *nic = &run->nic_free_to_send[nic_of(run, op)];
	const uint64_t units = (size + run->unit - 1) / run->unit;
	uint32_t index;

	start_op(run, op, now, actions);
	index = new_message(run);
	if (index == HD_NONE) {
		hd_traffic_exhausted(actions);
		return;
	}
	run->messages[index] = (struct hd_goal_message){ .left = units ? units : 1,
							 .send = op,
							 .receive = HD_NONE };
	run->links[index].left = run->messages[index].left;
	run->n_under_way++;
	*cpu = now + run->loggop.o;
	*nic = now + run->loggop.g + (uint64_t)(size ? (double)(size - 1) * run->loggop.G : 0);
	post(run, *cpu + run->loggop.L, LEAVE, index, actions);
	if (size <= run->loggop.S)
		end_op(run, op, *cpu, actions);
}

static void begin_calc(struct hd_goal_run *run, uint32_t op, uint64_t now,
		       const struct hd_traffic_actions *actions)
{
	uint64_t *cpu = cpu_of(run, op);

	start_op(run, op, now, actions);
	*cpu = now + op_of(run, op)->size * run->tick;
	end_op(run, op, *cpu, actions);
}

static void receive(struct hd_goal_run *run, uint32_t op, uint64_t now,
		    const struct hd_traffic_actions *actions)
{
	const struct hd_goal_op *o = op_of(run, op);
	const struct hd_goal_offer offer = { rank_of(run, op),
					     o->peer == HD_GOAL_ANY ? HD_GOAL_ANY
								    : peer_of(run, op, o->peer),
					     o->tag, op };
	uint32_t message;

	start_op(run, op, now, actions);
	if (!hd_goal_match_receive(&run->match, &offer, &message)) {
		hd_traffic_exhausted(actions);
	} else if (message != HD_NONE) {
		run->messages[message].receive = op;
		take_in(run, message, run->nic_free_to_send[nic_of(run, op)], now, actions);
	}
}

/* What @op, which waited or did not need to, does when its processor and adapter are free. */
static void go_ahead(struct hd_goal_run *run, uint32_t op, uint64_t now,
		     const struct hd_traffic_actions *actions)
{
	if (op_of(run, op)->type == HD_GOAL_SEND)
		begin_send(run, op, now, actions);
	else if (op_of(run, op)->type == HD_GOAL_RECV)
		take_in(run, (uint32_t)run->ready[op], run->nic_free_to_receive[nic_of(run, op)],
			now, actions);
	else
		begin_calc(run, op, now, actions);
}

static void try_op(struct hd_goal_run *run, uint32_t op, uint64_t now,
		   const struct hd_traffic_actions *actions)
{
	const uint64_t free = when_free(run, op);

	if (op_of(run, op)->type == HD_GOAL_RECV)
		receive(run, op, now, actions);
	else if (free <= now)
		go_ahead(run, op, now, actions);
	else
		wait_until(run, op, free, actions);
}

/* Whether the adapters of the rank of @op are free when @cpu, its processor, is. */
static bool waits_for_cpu_only(const struct hd_goal_run *run, uint32_t op, uint64_t cpu)
{
	const uint32_t rank = rank_of(run, op);

	for (uint32_t nic = run->first_nic[rank]; nic < run->first_nic[rank + 1]; nic++)
		if (run->nic_free_to_send[nic] > cpu || run->nic_free_to_receive[nic] > cpu)
			return false;
	return true;
}

/* Those of @waiters that can go ahead do; others go on waiting. */
static void try_waiters(struct hd_goal_run *run, struct hd_goal_event *waiters, uint64_t now,
			const struct hd_traffic_actions *actions)
{
	bool ok = true;

	while (ok && waiters->first != HD_NONE) {
		const uint32_t op = hd_goal_agenda_first(&run->agenda, waiters);
		const uint64_t cpu = *cpu_of(run, op), free = when_free(run, op);

		if (free <= now) {
			hd_goal_agenda_take(&run->agenda, waiters);
			go_ahead(run, op, now, actions);
		} else if (cpu > now && waits_for_cpu_only(run, op, cpu)) {
			ok = hd_goal_agenda_move(&run->agenda, cpu, waiters);
		} else {
			ok = hd_goal_agenda_move_part(&run->agenda, free, waiters);
		}
	}
	if (!ok)
		hd_traffic_exhausted(actions);
}

/* The host to wake for @event: that of its rank, though any would do. */
static uint32_t host_of_event(const struct hd_goal_run *run, const struct hd_goal_event *event)
{
	const uint32_t op = event->what == HD_GOAL_WAITERS
				    ? hd_goal_agenda_first(&run->agenda, event)
			    : event->what == TRY ? event->index
						 : run->messages[event->index].send;

	return run->host_of[rank_of(run, op)];
}

/* Does what is due, and asks for the time of what comes next. */
static void go_on(struct hd_goal_run *run, uint64_t now, const struct hd_traffic_actions *actions)
{
	struct hd_goal_event event;
	uint64_t time = NEVER;
	bool is_there;

	while ((is_there = hd_goal_agenda_peek(&run->agenda, &time, &event)) && time <= now) {
		event = hd_goal_agenda_pop(&run->agenda);
		if (event.what == HD_GOAL_WAITERS)
			try_waiters(run, &event, now, actions);
		else if (event.what == TRY)
			try_op(run, event.index, now, actions);
		else
			leave(run, event.index, now, actions);
	}
	if (run->wake <= now)
		run->wake = NEVER;
	if (!is_there || time >= run->wake)
		return;
	run->wake = time;
	actions->wake(actions->context, host_of_event(run, &event), run->wake);
}

void hd_goal_begin(void *data, uint64_t begin, const struct hd_traffic_actions *actions)
{
	struct hd_goal_run *run = data;
	const uint32_t n = run->goal.n;
	struct hd_goal_event event;
	uint64_t time;

	run->begin = begin;
	for (uint32_t i = 0; i < n * run->n_instances; i++) {
		run->waits[i] = run->goal.n_on[i % n];
		run->ready[i] = begin;
		if (!run->waits[i]) {
			run->state[i] = READY;
			post(run, begin, TRY, i, actions);
		}
	}
	if (hd_goal_agenda_peek(&run->agenda, &time, &event))
		actions->wake(actions->context, host_of_event(run, &event), begin);
	run->wake = begin;
}

void hd_goal_woken(void *data, uint64_t now, uint32_t host,
		   const struct hd_traffic_actions *actions)
{
	(void)host;
	go_on(data, now, actions);
}

void hd_goal_entered(void *data, uint64_t now, const struct hd_message *message,
		     const struct hd_traffic_actions *actions)
{
	(void)now;
	hand_over(data, message->from, actions);
}

void hd_goal_received(void *data, uint64_t begin, uint64_t now, const struct hd_message *message,
		      const struct hd_traffic_actions *actions)
{
	struct hd_goal_run *run = data;
	struct hd_goal_message *own = &run->messages[message->id];

	(void)begin;
	own->left -= message->size;
	if (own->left)
		return;
	hd_traffic_completed(actions, now, own->time, op_of(run, own->send)->size);
	arrive(run, (uint32_t)message->id, now, actions);
	go_on(run, now, actions);
}

uint64_t hd_goal_waiting(const void *data)
{
	return ((const struct hd_goal_run *)data)->n_left;
}

uint64_t hd_goal_last_local(const void *data)
{
	return ((const struct hd_goal_run *)data)->end;
}

/* Why @op, which has not ended, never will. */
static void explain(const struct hd_goal_run *run, uint32_t op, char *text, size_t size)
{
	const struct hd_goal_op *o = op_of(run, op);
	char source[24] = "any rank", tag[24] = "any tag";

	if (o->peer != HD_GOAL_ANY)
		snprintf(source, sizeof(source), "rank %u", o->peer);
	if (o->tag != HD_GOAL_ANY)
		snprintf(tag, sizeof(tag), "tag %u", o->tag);
	if (o->type == HD_GOAL_RECV)
		snprintf(text, size,
			 "a deadlock: no message from %s with %s comes for this receive", source,
			 tag);
	else
		snprintf(text, size,
			 "a deadlock: no receive takes the message to %s with %s, which is a "
			 "rendezvous",
			 source, tag);
}

int hd_goal_stuck(const void *data, struct hd_error *err)
{
	const struct hd_goal_run *run = data;
	char text[160];

	if (!run->n_left || run->agenda.n_waiting || run->n_under_way)
		return 0;
	for (uint32_t op = 0; op < run->goal.n * run->n_instances; op++)
		if (run->state[op] == STARTED) {
			explain(run, op, text, sizeof(text));
			return hd_goal_error(&run->goal, run->file, op % run->goal.n, HD_EPARSE,
					     text, err);
		}
	return 0;
}

/* Streams of each rank's processors and adapters. */
static int make_streams(struct hd_goal_run *run, struct hd_error *err)
{
	const struct hd_goal *goal = &run->goal;
	uint32_t cpus = 0, nics = 0;

	run->first_cpu = malloc((run->n_ranks + (size_t)1) * sizeof(*run->first_cpu));
	run->first_nic = malloc((run->n_ranks + (size_t)1) * sizeof(*run->first_nic));
	if (!run->first_cpu || !run->first_nic)
		return hd_error_nomem(err);
	for (uint32_t rank = 0; rank < run->n_ranks; rank++) {
		const uint32_t own = rank % goal->n_ranks;
		uint32_t cpu = 0, nic = 0;

		for (uint32_t i = goal->first[own]; i < goal->end[own]; i++) {
			cpu = goal->ops[i].cpu > cpu ? goal->ops[i].cpu : cpu;
			nic = goal->ops[i].nic > nic ? goal->ops[i].nic : nic;
		}
		run->first_cpu[rank] = cpus;
		run->first_nic[rank] = nics;
		cpus += cpu + 1;
		nics += nic + 1;
	}
	run->first_nic[run->n_ranks] = nics;
	run->cpu_free = calloc(cpus + (size_t)1, sizeof(*run->cpu_free));
	run->nic_free_to_send = calloc(nics + (size_t)1, sizeof(*run->nic_free_to_send));
	run->nic_free_to_receive = calloc(nics + (size_t)1, sizeof(*run->nic_free_to_receive));
	if (!run->cpu_free || !run->nic_free_to_send || !run->nic_free_to_receive)
		return hd_error_nomem(err);
	return 0;
}

/* Refuses times whose sum is no time. */
static int check_times(const struct hd_goal_run *run, struct hd_error *err)
{
	const struct hd_loggop *l = &run->loggop;
	double ticks = 0;

	for (uint32_t i = 0; i < run->goal.n; i++) {
		const struct hd_goal_op *op = &run->goal.ops[i];

		if (op->type == HD_GOAL_CALC)
			ticks += (double)op->size * (double)run->tick;
		else
			ticks += (double)l->L + (double)l->o + (double)l->g +
				 (double)op->size * l->G;
	}
	if (ticks < (double)HD_GOAL_TIME)
		return 0;
	return hd_error_at(err, HD_EPARSE, run->file, 0,
			   "its operations last 2^62 ticks or more together");
}

int hd_goal_run_make(struct hd_goal_run *run, struct hd_error *err)
{
	const uint64_t n = (uint64_t)run->goal.n * run->n_instances;
	int ret = check_times(run, err);

	if (ret)
		return ret;
	if (n > HD_GOAL_OPS)
		return hd_error_set(err, HD_ERANGE, "too many operations");
	run->n_left = n;
	run->wake = NEVER;
	run->free_message = HD_NONE;
	run->waits = malloc((n + 1) * sizeof(*run->waits));
	run->ready = malloc((n + 1) * sizeof(*run->ready));
	run->state = calloc(n + 1, sizeof(*run->state));
	run->outboxes = malloc(run->n_hosts * sizeof(*run->outboxes));
	if (!run->waits || !run->ready || !run->state || !run->outboxes ||
	    !hd_goal_agenda_init(&run->agenda, n) ||
	    !hd_goal_match_init(&run->match, run->n_ranks, n))
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < run->n_hosts; host++)
		hd_outbox_init(&run->outboxes[host]);
	return make_streams(run, err);
}

void hd_goal_run_free(struct hd_goal_run *run)
{
	hd_goal_free(&run->goal);
	hd_goal_agenda_free(&run->agenda);
	hd_goal_match_free(&run->match);
	free(run->file);
	free(run->host_of);
	free(run->has_rank);
	free(run->waits);
	free(run->ready);
	free(run->state);
	free(run->first_cpu);
	free(run->first_nic);
	free(run->cpu_free);
	free(run->nic_free_to_send);
	free(run->nic_free_to_receive);
	free(run->messages);
	free(run->links);
	free(run->outboxes);
}
