// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages that arrive in segments. */
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/exchange_private.h"

#define SECOND UINT64_C(1000000000)
/* A message without progress for so long is given up. */
#define STALLED (40 * SECOND)
/*
 * How long a whole message is remembered, to acknowledge repeated segments; and how many messages
 * are.
 */
#define REMEMBERED     (10 * SECOND)
#define RECEIVED_MAX   4096
#define RECEPTIONS_MAX 1024

/* What tells messages apart. */
struct name {
	uint64_t id;
	uint32_t qp;
	uint16_t lid;
	uint8_t mad_class, method;
};

struct hd_reception {
	struct hd_reception *next;
	struct hd_packet first; /* as it arrived: tells which message this is */
	uint32_t agent;
	uint64_t deadline;
	struct hd_rmpp_receive rmpp;
};

/* A whole message, with the contents of its last ACK. */
struct hd_received {
	struct hd_received *next; /* the next one of its bucket */
	struct hd_received *newer;
	struct name name;
	uint32_t agent;
	uint64_t deadline;
	uint32_t segment, window;
};

static struct name name_of(const struct hd_packet *packet)
{
	return (struct name){
		.id = hd_get64(packet->mad + HD_MAD_TID),
		.qp = packet->sqp,
		.lid = packet->slid,
		.mad_class = packet->mad[HD_MAD_CLASS],
		.method = packet->mad[HD_MAD_METHOD],
	};
}

static bool same_name(const struct name *a, const struct name *b)
{
	return a->id == b->id && a->qp == b->qp && a->lid == b->lid &&
	       a->mad_class == b->mad_class && a->method == b->method;
}

static struct hd_received **bucket_of(struct hd_exchange *exchange, const struct name *name)
{
	/* the lower half of the ID is the program's; most programs count up */
	return &exchange->received[(uint32_t)name->id % HD_EXCHANGE_BUCKETS];
}

static struct hd_received *find_received(struct hd_exchange *exchange, const struct name *name)
{
	struct hd_received *received = *bucket_of(exchange, name);

	while (received && !same_name(&received->name, name))
		received = received->next;
	return received;
}

static void forget_oldest(struct hd_exchange *exchange)
{
	struct hd_received *oldest = exchange->oldest;
	struct hd_received **place = bucket_of(exchange, &oldest->name);

	while (*place != oldest)
		place = &(*place)->next;
	*place = oldest->next;
	exchange->oldest = oldest->newer;
	if (!exchange->oldest)
		exchange->newest = NULL;
	exchange->n_received--;
	free(oldest);
}

/* When out of memory, nothing is remembered, as if ten seconds had passed. */
static void remember(struct hd_exchange *exchange, const struct hd_reception *reception,
		     uint64_t now)
{
	struct hd_received *received = malloc(sizeof(*received)), **bucket;

	if (!received)
		return;
	if (exchange->n_received == RECEIVED_MAX)
		forget_oldest(exchange);
	*received = (struct hd_received){
		.name = name_of(&reception->first),
		.agent = reception->agent,
		.deadline = now + REMEMBERED,
		.segment = reception->rmpp.acknowledged,
		.window = reception->rmpp.window,
	};
	bucket = bucket_of(exchange, &received->name);
	received->next = *bucket;
	*bucket = received;
	if (exchange->newest)
		exchange->newest->newer = received;
	else
		exchange->oldest = received;
	exchange->newest = received;
	exchange->n_received++;
}

static bool same_message(const struct hd_reception *reception, const struct hd_packet *packet)
{
	const struct name one = name_of(&reception->first), other = name_of(packet);

	return same_name(&one, &other);
}

static struct hd_reception **find_reception(struct hd_exchange *exchange,
					    const struct hd_packet *packet)
{
	struct hd_reception **place = &exchange->receptions;

	while (*place && !same_message(*place, packet))
		place = &(*place)->next;
	return place;
}

static void remove_reception(struct hd_exchange *exchange, struct hd_reception **place)
{
	struct hd_reception *reception = *place;

	*place = reception->next;
	hd_rmpp_receive_free(&reception->rmpp);
	free(reception);
	exchange->n_receptions--;
}

/* Ends the reception at @place; if it was a response, its request has failed. */
static void give_up(struct hd_exchange *exchange, struct hd_reception **place)
{
	const uint8_t *mad = (*place)->first.mad;
	struct hd_send *send = hd_is_response(mad) ? hd_find_send(exchange, mad) : NULL;

	if (send)
		hd_send_fail(exchange, send);
	remove_reception(exchange, place);
}

static struct hd_reception *add_reception(struct hd_exchange *exchange, uint32_t agent,
					  const struct hd_packet *packet)
{
	struct hd_reception *reception =
		exchange->n_receptions < RECEPTIONS_MAX ? malloc(sizeof(*reception)) : NULL;

	if (!reception)
		return NULL;
	reception->next = exchange->receptions;
	exchange->receptions = reception;
	exchange->n_receptions++;
	reception->first = *packet;
	reception->agent = agent;
	hd_rmpp_receive_start(&reception->rmpp, packet->mad[HD_MAD_CLASS]);
	return reception;
}

/* Hands the whole message at @place to the program. */
static void finish(struct hd_exchange *exchange, struct hd_reception **place, struct hd_send *send,
		   uint64_t now)
{
	struct hd_reception *reception = *place;
	struct hd_umad_message *message =
		hd_umad_message_add(exchange, reception->agent, &reception->first);

	if (message) {
		/* the header is that of segment 1, which may not have come first */
		message->data = reception->rmpp.data;
		message->length = (uint32_t)reception->rmpp.length;
		reception->rmpp.data = NULL;
	}
	remember(exchange, reception, now);
	remove_reception(exchange, place);
	if (message && send)
		hd_send_remove(exchange, send);
}

static void receive_data(struct hd_exchange *exchange, uint32_t agent,
			 const struct hd_packet *packet, uint64_t now)
{
	struct hd_reception **place = find_reception(exchange, packet);
	bool response = hd_is_response(packet->mad);
	struct hd_send *send = response ? hd_find_send(exchange, packet->mad) : NULL;
	struct hd_rmpp_reply reply;

	if (!*place) {
		if (response && !send)
			return; /* the request is not there any more */
		if (!add_reception(exchange, agent, packet)) {
			hd_answer_rmpp(exchange, packet, HD_RMPP_ABORT, HD_RMPP_RESOURCES, 0, 0);
			return;
		}
		place = &exchange->receptions;
		(*place)->deadline = now + STALLED;
	}
	reply = hd_rmpp_receive_segment(&(*place)->rmpp, packet->mad);
	if (reply.abort != HD_RMPP_NORMAL) {
		hd_answer_rmpp(exchange, packet, HD_RMPP_ABORT, reply.abort, 0, 0);
		give_up(exchange, place);
		return;
	}
	if (reply.acknowledge)
		hd_answer_rmpp(exchange, packet, HD_RMPP_ACK, HD_RMPP_NORMAL, reply.segment,
			       reply.window);
	if (reply.complete) {
		finish(exchange, place, send, now);
	} else if (reply.progress) {
		(*place)->deadline = now + STALLED;
		if (send)
			hd_send_extend(exchange, send, now);
	}
}

/*
 * A segment of a message that is whole already: repeats its last ACK. Not so when the program sends
 * a request with the same ID again: then the segment begins a new message.
 */
static bool acknowledge_again(struct hd_exchange *exchange, const struct hd_packet *packet)
{
	const struct name name = name_of(packet);
	const struct hd_received *received = find_received(exchange, &name);

	if (!received || (hd_is_response(packet->mad) && hd_find_send(exchange, packet->mad)))
		return false;
	hd_answer_rmpp(exchange, packet, HD_RMPP_ACK, HD_RMPP_NORMAL, received->segment,
		       received->window);
	return true;
}

void hd_receptions_receive(struct hd_exchange *exchange, uint32_t agent,
			   const struct hd_packet *packet, uint64_t now)
{
	struct hd_reception **place;
	unsigned type = packet->mad[HD_RMPP_TYPE];

	if (type == HD_RMPP_STOP || type == HD_RMPP_ABORT) {
		/* an ABORT of the sender, or of the receiver */
		hd_sends_abort(exchange, packet);
		place = find_reception(exchange, packet);
		if (*place)
			give_up(exchange, place);
	} else if (packet->mad[HD_RMPP_VERSION] != 1) {
		hd_answer_rmpp(exchange, packet, HD_RMPP_ABORT, HD_RMPP_BAD_VERSION, 0, 0);
	} else if (type == HD_RMPP_DATA) {
		if (!acknowledge_again(exchange, packet))
			receive_data(exchange, agent, packet, now);
	} else if (type == HD_RMPP_ACK) {
		hd_sends_acknowledge(exchange, packet, now);
	} else {
		hd_answer_rmpp(exchange, packet, HD_RMPP_ABORT, HD_RMPP_BAD_TYPE, 0, 0);
	}
}

void hd_receptions_advance(struct hd_exchange *exchange, uint64_t now)
{
	struct hd_reception **place = &exchange->receptions;

	while (*place) {
		if ((*place)->deadline > now) {
			place = &(*place)->next;
			continue;
		}
		hd_answer_rmpp(exchange, &(*place)->first, HD_RMPP_ABORT, HD_RMPP_TOO_LONG, 0, 0);
		give_up(exchange, place);
	}
	while (exchange->oldest && exchange->oldest->deadline <= now)
		forget_oldest(exchange);
}

uint64_t hd_receptions_next(const struct hd_exchange *exchange)
{
	uint64_t next = exchange->oldest ? exchange->oldest->deadline : UINT64_MAX;

	for (const struct hd_reception *each = exchange->receptions; each; each = each->next)
		if (each->deadline < next)
			next = each->deadline;
	return next;
}

void hd_receptions_remove_agent(struct hd_exchange *exchange, uint32_t agent)
{
	struct hd_reception **place = &exchange->receptions;

	while (*place)
		if ((*place)->agent == agent)
			remove_reception(exchange, place);
		else
			place = &(*place)->next;
	/* the agent that gets this number next must not acknowledge messages of this one */
	for (struct hd_received *each = exchange->oldest; each; each = each->newer)
		if (each->agent == agent)
			each->name.qp = UINT32_MAX;
}

void hd_receptions_free(struct hd_exchange *exchange)
{
	while (exchange->receptions)
		remove_reception(exchange, &exchange->receptions);
	while (exchange->oldest)
		forget_oldest(exchange);
}
