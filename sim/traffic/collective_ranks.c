// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/collective_ranks.h"

#include <stdlib.h>

#include "sim/traffic/receipts.h"
#include "support/error.h"

#define NEVER UINT64_MAX

enum state {
	COMPUTES,
	MEETS_BEFORE, /* its group exchanges data, or waits for ranks that do not yet */
	SENDS,
	MEETS_AFTER,
	ENDED,
};

struct hd_collective_rank {
	uint64_t due;        /* when what it does now is over; NEVER: that depends on others */
	uint32_t repetition; /* from 0 */
	uint32_t times;      /* that it has done its stage in this repetition */
	uint32_t message;    /* that it sends, in `messages`; HD_NONE: none */
	uint32_t left;       /* units of it that its host does not have yet */
	uint8_t state;
	uint8_t stage;
	uint8_t turn; /* lane */
	bool waits;   /* a packet of it waits at its host */
};

struct hd_collective_lane {
	uint32_t n_sends, n_receives; /* of its stage, each time */
	uint32_t sent;                /* this time */
	uint64_t before;              /* messages that come before this time */
	struct hd_receipts receipts;  /* of all */
};

struct hd_collective_message {
	uint64_t time;   /* when its first packet was generated */
	uint64_t number; /* among all that come to the rank in the lane; free: unused */
	uint64_t bytes;
	uint32_t to;   /* lane of a rank */
	uint32_t left; /* units that have not arrived; free: the next free one */
};

static struct hd_collective_lane *lanes_of(const struct hd_collective_ranks *r, uint32_t rank)
{
	return r->lanes + rank * (size_t)r->n_lanes;
}

static const struct hd_collective_stage *stage_of(const struct hd_collective_ranks *r,
						  uint32_t rank)
{
	return &r->stages[r->ranks[rank].stage];
}

/* The number of @rank in its communicator of @stage, and back. */
static uint32_t member_of(const struct hd_collective_stage *stage, uint32_t rank)
{
	return rank / stage->stride % stage->plan.n;
}

static uint32_t rank_of(const struct hd_collective_stage *stage, uint32_t rank, uint32_t member)
{
	return rank - (member_of(stage, rank) - member) * stage->stride;
}

/* Messages of @lane in one time of @stage. */
static void count(const struct hd_collective_stage *stage, uint32_t rank, unsigned lane,
		  uint32_t *sends, uint32_t *receives)
{
	*sends = *receives = 0;
	if (lane < hd_collective_lanes(&stage->plan))
		hd_collective_count(&stage->plan, member_of(stage, rank), lane, sends, receives);
}

/* Messages of @lane that come to @to before those of what @rank does now. */
static uint64_t come_before(const struct hd_collective_ranks *r, uint32_t rank, uint32_t to,
			    unsigned lane)
{
	const struct hd_collective_rank *self = &r->ranks[rank];
	uint64_t all = 0, before = 0;

	if (r->n_stages == 1)
		return ((uint64_t)self->repetition * r->stages[0].times + self->times) *
		       lanes_of(r, to)[lane].n_receives;
	for (unsigned i = 0; i < r->n_stages; i++) {
		uint32_t sends, receives;
		uint64_t once;

		count(&r->stages[i], to, lane, &sends, &receives);
		once = receives;
		all += once * r->stages[i].times;
		if (i < self->stage)
			before += once * r->stages[i].times;
		else if (i == self->stage)
			before += once * self->times;
	}
	return self->repetition * all + before;
}

/* Times of stages, if there are several. */
static int allocate_parts(struct hd_collective_ranks *r, struct hd_error *err)
{
	const size_t n = (size_t)r->result.n_repetitions * r->n_stages;

	if (r->n_stages < 2)
		return 0;
	r->result.n_parts = r->n_stages;
	r->result.part_begins = malloc(n * sizeof(*r->result.part_begins));
	r->result.part_ends = calloc(n, sizeof(*r->result.part_ends));
	if (!r->result.part_begins || !r->result.part_ends)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n; i++)
		r->result.part_begins[i] = NEVER;
	for (unsigned i = 0; i < r->n_stages; i++)
		r->result.parts[i] = hd_collective_operations[r->stages[i].plan.operation];
	return 0;
}

static int allocate(struct hd_collective_ranks *r, struct hd_error *err)
{
	const uint32_t n = r->result.n_repetitions;

	r->ranks = calloc(r->n, sizeof(*r->ranks));
	r->lanes = calloc((size_t)r->n * r->n_lanes, sizeof(*r->lanes));
	r->arrived = calloc(r->n / r->group, sizeof(*r->arrived));
	r->n_through = calloc(n, sizeof(*r->n_through));
	r->result.begins = malloc(n * sizeof(*r->result.begins));
	r->result.ends = calloc(n, sizeof(*r->result.ends));
	if (!r->ranks || !r->lanes || !r->arrived || !r->n_through || !r->result.begins ||
	    !r->result.ends)
		return hd_error_nomem(err);
	return allocate_parts(r, err);
}

/* Lanes get the numbers of messages of the rank's stage. */
static void count_stage(struct hd_collective_ranks *r, uint32_t rank)
{
	for (unsigned lane = 0; lane < r->n_lanes; lane++) {
		struct hd_collective_lane *own = &lanes_of(r, rank)[lane];

		count(stage_of(r, rank), rank, lane, &own->n_sends, &own->n_receives);
	}
}

int hd_collective_ranks_make(struct hd_collective_ranks *r, struct hd_error *err)
{
	r->n_lanes = 1;
	for (unsigned i = 0; i < r->n_stages; i++)
		if (hd_collective_lanes(&r->stages[i].plan) > r->n_lanes)
			r->n_lanes = hd_collective_lanes(&r->stages[i].plan);
	r->free_message = HD_NONE;
	if (allocate(r, err))
		return HD_ENOMEM;
	for (uint32_t i = 0; i < r->result.n_repetitions; i++)
		r->result.begins[i] = NEVER;
	for (uint32_t rank = 0; rank < r->n; rank++) {
		r->ranks[rank] = (struct hd_collective_rank){ .due = NEVER, .message = HD_NONE };
		count_stage(r, rank);
	}
	return 0;
}

void hd_collective_ranks_free(struct hd_collective_ranks *r)
{
	for (size_t i = 0; r->lanes && i < (size_t)r->n * r->n_lanes; i++)
		hd_receipts_free(&r->lanes[i].receipts);
	free(r->ranks);
	free(r->lanes);
	free(r->arrived);
	free(r->n_through);
	free(r->messages);
	free(r->result.begins);
	free(r->result.ends);
	free(r->result.part_begins);
	free(r->result.part_ends);
}

static void advance(struct hd_collective_ranks *r, uint32_t rank, uint64_t now,
		    const struct hd_traffic_actions *actions);

/* The rank goes on at @time, in @state. */
static void go_on_at(struct hd_collective_ranks *r, uint32_t rank, enum state state, uint64_t time,
		     const struct hd_traffic_actions *actions)
{
	r->ranks[rank].state = (uint8_t)state;
	r->ranks[rank].due = time;
	actions->wake(actions->context, r->host_of[rank], time);
}

/* The rank comes to meet its group; the last one to come makes all go on after a time. */
static void meet(struct hd_collective_ranks *r, uint32_t rank, enum state state, uint64_t now,
		 const struct hd_traffic_actions *actions)
{
	const uint32_t first = rank - rank % r->group;
	const uint64_t time = r->meets[state == MEETS_AFTER];

	r->ranks[rank].state = (uint8_t)state;
	r->ranks[rank].due = NEVER;
	if (++r->arrived[rank / r->group] < r->group)
		return;
	r->arrived[rank / r->group] = 0;
	for (uint32_t i = 0; i < r->group; i++)
		go_on_at(r, first + i, state, now + time, actions);
}

/* A repetition of the rank begins. */
static void compute(struct hd_collective_ranks *r, uint32_t rank, uint64_t now,
		    const struct hd_traffic_actions *actions)
{
	go_on_at(r, rank, COMPUTES, now + r->result.compute, actions);
}

static void end_repetition(struct hd_collective_ranks *r, uint32_t rank, uint64_t now,
			   const struct hd_traffic_actions *actions)
{
	struct hd_collective_rank *self = &r->ranks[rank];
	struct hd_collective *result = &r->result;

	if (result->ends[self->repetition] < now)
		result->ends[self->repetition] = now;
	/* ranks go through repetitions in order, so repetitions are over in order */
	if (++r->n_through[self->repetition] == r->n)
		result->n_over++;
	if (++self->repetition < result->n_repetitions) {
		compute(r, rank, now, actions);
		return;
	}
	self->state = ENDED;
	self->due = NEVER;
	r->n_ended++;
}

/* Messages of what the rank does now that came in order to @lane. */
static uint64_t came(const struct hd_collective_ranks *r, uint32_t rank, unsigned lane)
{
	const struct hd_collective_lane *own = &lanes_of(r, rank)[lane];

	return own->receipts.n - own->before;
}

/* A place for a message; HD_NONE: out of memory. */
static uint32_t new_message(struct hd_collective_ranks *r)
{
	uint32_t index = r->free_message, size = r->n_messages ? 2 * r->n_messages : 256;
	struct hd_collective_message *messages;

	if (index != HD_NONE) {
		r->free_message = r->messages[index].left;
		return index;
	}
	if (size <= r->n_messages)
		return HD_NONE;
	messages = realloc(r->messages, size * sizeof(*messages));
	if (!messages)
		return HD_NONE;
	for (index = size; index-- > r->n_messages;) {
		messages[index].left = r->free_message;
		r->free_message = index;
	}
	r->messages = messages;
	r->n_messages = size;
	return new_message(r);
}

/* Gives the host the next packet of the message that the rank sends. */
static void hand_over(struct hd_collective_ranks *r, uint32_t rank,
		      const struct hd_traffic_actions *actions)
{
	struct hd_collective_rank *self = &r->ranks[rank];
	const struct hd_collective_message *own = &r->messages[self->message];
	const struct hd_message message = {
		.time = own->time,
		.from = r->host_of[rank],
		.to = r->host_of[own->to / r->n_lanes],
		.size = self->left < r->packet ? self->left : r->packet,
		.id = self->message,
	};

	self->left -= message.size;
	self->waits = true;
	if (!self->left)
		self->message = HD_NONE;
	actions->send(actions->context, &message);
}

/* The rank sends the next message of @lane. */
static void send(struct hd_collective_ranks *r, uint32_t rank, unsigned lane,
		 const struct hd_collective_send *what, uint64_t now,
		 const struct hd_traffic_actions *actions)
{
	struct hd_collective_rank *self = &r->ranks[rank];
	const struct hd_collective_stage *stage = stage_of(r, rank);
	const uint32_t to = rank_of(stage, rank, what->to);
	const uint64_t bytes = hd_collective_bytes(&stage->plan, what);
	const uint64_t units = (bytes + r->result.unit - 1) / r->result.unit;
	const uint32_t index = new_message(r);

	if (index == HD_NONE) {
		hd_traffic_exhausted(actions);
		return;
	}
	self->message = index;
	self->left = units ? (uint32_t)units : 1;
	lanes_of(r, rank)[lane].sent++;
	r->result.messages++;
	r->messages[index] = (struct hd_collective_message){
		.time = now,
		.number = come_before(r, rank, to, lane) + what->number,
		.bytes = bytes,
		.to = to * r->n_lanes + lane,
		.left = self->left,
	};
	hand_over(r, rank, actions);
}

/* Sends a message of the lane that can, the next in turn. False: none can. */
static bool send_next(struct hd_collective_ranks *r, uint32_t rank, uint64_t now,
		      const struct hd_traffic_actions *actions)
{
	struct hd_collective_rank *self = &r->ranks[rank];
	const struct hd_collective_stage *stage = stage_of(r, rank);

	for (unsigned i = 0; i < r->n_lanes; i++) {
		const unsigned lane = (self->turn + i) % r->n_lanes;
		const struct hd_collective_lane *own = &lanes_of(r, rank)[lane];
		struct hd_collective_send what;

		if (own->sent == own->n_sends)
			continue;
		what = hd_collective_send(&stage->plan, member_of(stage, rank), lane, own->sent);
		if (came(r, rank, what.on) < what.needs)
			continue;
		self->turn = (uint8_t)((lane + 1) % r->n_lanes);
		send(r, rank, lane, &what, now, actions);
		return true;
	}
	return false;
}

/* Whether the rank has sent and received all of its stage, this time. */
static bool is_through(const struct hd_collective_ranks *r, uint32_t rank)
{
	for (unsigned lane = 0; lane < r->n_lanes; lane++) {
		const struct hd_collective_lane *own = &lanes_of(r, rank)[lane];

		if (own->sent < own->n_sends || came(r, rank, lane) < own->n_receives)
			return false;
	}
	return true;
}

/* The rank begins or ends its stage. */
static void note_part(struct hd_collective_ranks *r, uint32_t rank, bool begins, uint64_t now)
{
	const struct hd_collective_rank *self = &r->ranks[rank];
	const size_t part = (size_t)self->repetition * r->n_stages + self->stage;

	if (!r->result.n_parts)
		return;
	if (begins && r->result.part_begins[part] > now)
		r->result.part_begins[part] = now;
	if (!begins && r->result.part_ends[part] < now)
		r->result.part_ends[part] = now;
}

/*
 * The rank does its stage again, or the next one; false: that was the last one of the repetition.
 */
static bool next_stage(struct hd_collective_ranks *r, uint32_t rank, uint64_t now)
{
	struct hd_collective_rank *self = &r->ranks[rank];
	bool goes_on = true;

	for (unsigned lane = 0; lane < r->n_lanes; lane++) {
		lanes_of(r, rank)[lane].before += lanes_of(r, rank)[lane].n_receives;
		lanes_of(r, rank)[lane].sent = 0;
	}
	if (++self->times < stage_of(r, rank)->times)
		return true;
	self->times = 0;
	note_part(r, rank, false, now);
	if (++self->stage == r->n_stages) {
		self->stage = 0;
		goes_on = false;
	} else {
		note_part(r, rank, true, now);
	}
	if (r->n_stages > 1)
		count_stage(r, rank);
	return goes_on;
}

/* The rank, whose host has no packet of it that waits, does what it can. */
static void advance(struct hd_collective_ranks *r, uint32_t rank, uint64_t now,
		    const struct hd_traffic_actions *actions)
{
	do {
		if (r->ranks[rank].state != SENDS || send_next(r, rank, now, actions) ||
		    !is_through(r, rank))
			return;
	} while (next_stage(r, rank, now));
	if (r->meets[1])
		meet(r, rank, MEETS_AFTER, now, actions);
	else
		end_repetition(r, rank, now, actions);
}

static void begin_sending(struct hd_collective_ranks *r, uint32_t rank, uint64_t now,
			  const struct hd_traffic_actions *actions)
{
	r->ranks[rank].state = SENDS;
	r->ranks[rank].due = NEVER;
	note_part(r, rank, true, now);
	advance(r, rank, now, actions);
}

void hd_collective_begin(void *data, uint64_t begin, const struct hd_traffic_actions *actions)
{
	struct hd_collective_ranks *r = data;

	r->result.begin = begin + r->start;
	for (uint32_t rank = 0; rank < r->n; rank++)
		compute(r, rank, r->result.begin, actions);
}

void hd_collective_woken(void *data, uint64_t now, uint32_t host,
			 const struct hd_traffic_actions *actions)
{
	struct hd_collective_ranks *r = data;
	const uint32_t rank = r->rank_of[host];
	struct hd_collective_rank *self;

	if (rank == HD_NONE || now < r->ranks[rank].due)
		return;
	self = &r->ranks[rank];
	if (self->state == MEETS_BEFORE) {
		begin_sending(r, rank, now, actions);
	} else if (self->state == MEETS_AFTER) {
		end_repetition(r, rank, now, actions);
	} else if (self->state == COMPUTES) {
		if (r->result.begins[self->repetition] > now)
			r->result.begins[self->repetition] = now;
		if (r->meets[0])
			meet(r, rank, MEETS_BEFORE, now, actions);
		else
			begin_sending(r, rank, now, actions);
	}
}

void hd_collective_entered(void *data, uint64_t now, const struct hd_message *message,
			   const struct hd_traffic_actions *actions)
{
	struct hd_collective_ranks *r = data;
	const uint32_t rank = r->rank_of[message->from];

	r->ranks[rank].waits = false;
	if (r->ranks[rank].message != HD_NONE)
		hand_over(r, rank, actions);
	else
		advance(r, rank, now, actions);
}

void hd_collective_received(void *data, uint64_t begin, uint64_t now,
			    const struct hd_message *message,
			    const struct hd_traffic_actions *actions)
{
	struct hd_collective_ranks *r = data;
	struct hd_collective_message *own = &r->messages[message->id];
	const uint32_t rank = own->to / r->n_lanes;

	(void)begin;
	r->result.units += message->size;
	own->left -= message->size;
	if (own->left)
		return;
	r->result.arrived += own->bytes;
	hd_traffic_completed(actions, now, own->time, own->bytes);
	if (!hd_receipts_add(&r->lanes[own->to].receipts, own->number))
		hd_traffic_exhausted(actions);
	own->left = r->free_message;
	r->free_message = (uint32_t)message->id;
	if (!r->ranks[rank].waits)
		advance(r, rank, now, actions);
}

uint64_t hd_collective_waiting(const void *data)
{
	const struct hd_collective_ranks *r = data;

	return r->n - r->n_ended;
}
