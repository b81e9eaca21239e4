// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Messages that arrive in segments. */
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/exchange_private.h"

#define SECOND UINT64_C(1000000000)
/* Without progress, until a message is given up. */
#define STALLED (40 * SECOND)
/* How long a message that is whole is remembered, to acknowledge what is repeated. */
#define REMEMBERED     (10 * SECOND)
#define RECEPTIONS_MAX 1024

struct hd_reception {
	struct hd_reception *next;
	struct hd_packet first; /* as it arrived: whose message this is */
	uint32_t agent;
	uint64_t deadline;
	struct hd_rmpp_receive rmpp;
};

static bool same_message(const struct hd_reception *reception, const struct hd_packet *packet)
{
	const struct hd_packet *first = &reception->first;

	return first->slid == packet->slid && first->sqp == packet->sqp &&
	       first->mad[HD_MAD_CLASS] == packet->mad[HD_MAD_CLASS] &&
	       first->mad[HD_MAD_METHOD] == packet->mad[HD_MAD_METHOD] &&
	       !memcmp(first->mad + HD_MAD_TID, packet->mad + HD_MAD_TID, 8);
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

/* Ends what is at @place; a request whose response it was has failed. */
static void give_up(struct hd_exchange *exchange, struct hd_reception **place)
{
	const uint8_t *mad = (*place)->first.mad;
	struct hd_send *send = hd_is_response(mad) ? hd_find_send(exchange, mad) : NULL;

	if (send && !(*place)->rmpp.complete)
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

/* Hands the whole message to the program. */
static void finish(struct hd_exchange *exchange, struct hd_reception *reception,
		   struct hd_send *send)
{
	struct hd_message *message = hd_message_add(exchange, reception->agent, &reception->first);

	if (message) {
		/* the header is that of segment 1, which may not have come first */
		message->data = reception->rmpp.data;
		message->length = reception->rmpp.length;
		reception->rmpp.data = NULL;
	}
	hd_rmpp_receive_free(&reception->rmpp);
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
			return; /* nobody waits for it any more */
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
		(*place)->deadline = now + REMEMBERED;
		finish(exchange, *place, send);
	} else if (reply.progress) {
		(*place)->deadline = now + STALLED;
		if (send)
			hd_send_extend(exchange, send, now);
	}
}

void hd_receptions_receive(struct hd_exchange *exchange, uint32_t agent,
			   const struct hd_packet *packet, uint64_t now)
{
	struct hd_reception **place;
	unsigned type = packet->mad[HD_RMPP_TYPE];

	if (type == HD_RMPP_STOP || type == HD_RMPP_ABORT) {
		/* from the one end or the other */
		hd_sends_abort(exchange, packet);
		place = find_reception(exchange, packet);
		if (*place)
			give_up(exchange, place);
	} else if (packet->mad[HD_RMPP_VERSION] != 1) {
		hd_answer_rmpp(exchange, packet, HD_RMPP_ABORT, HD_RMPP_BAD_VERSION, 0, 0);
	} else if (type == HD_RMPP_DATA) {
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
		if (!(*place)->rmpp.complete)
			hd_answer_rmpp(exchange, &(*place)->first, HD_RMPP_ABORT, HD_RMPP_TOO_LONG,
				       0, 0);
		give_up(exchange, place);
	}
}

uint64_t hd_receptions_next(const struct hd_exchange *exchange)
{
	uint64_t next = UINT64_MAX;

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
}

void hd_receptions_free(struct hd_exchange *exchange)
{
	while (exchange->receptions)
		remove_reception(exchange, &exchange->receptions);
}
