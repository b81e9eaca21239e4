// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Sent messages that wait: for their responses, or for the ACKs of their segments. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/exchange_private.h"

#define MILLISECOND UINT64_C(1000000)
/* The timeout of ACKs, when the program gives no shorter one: that of the Linux kernel. */
#define ACK_TIMEOUT_MS 2000u

static struct hd_send **bucket_of(const struct hd_exchange *exchange, const uint8_t *mad)
{
	/* the lower half of the ID is the program's; most programs count up */
	uint32_t hash = hd_get32(mad + HD_MAD_TID + 4) ^ mad[HD_MAD_CLASS];

	return (struct hd_send **)&exchange->buckets[hash % HD_EXCHANGE_BUCKETS];
}

static bool same_transaction(const struct hd_send *send, const uint8_t *mad)
{
	return !memcmp(send->packet.mad + HD_MAD_TID, mad + HD_MAD_TID, 8) &&
	       send->packet.mad[HD_MAD_CLASS] == mad[HD_MAD_CLASS];
}

bool hd_is_response(const uint8_t *mad)
{
	return (mad[HD_MAD_METHOD] & HD_METHOD_RESPONSE) ||
	       mad[HD_MAD_METHOD] == HD_METHOD_TRAP_REPRESS ||
	       (mad[HD_MAD_CLASS] == HD_CLASS_BM && hd_get32(mad + HD_MAD_MODIFIER) & 1);
}

struct hd_send *hd_find_send(const struct hd_exchange *exchange, const uint8_t *mad)
{
	struct hd_send *send = *bucket_of(exchange, mad);

	while (send && (!same_transaction(send, mad) || !send->timeout_ms ||
			hd_is_response(send->packet.mad)))
		send = send->next;
	return send;
}

/* The message to whose segments @packet, from the receiver, refers. */
static struct hd_send *find_segments(const struct hd_exchange *exchange,
				     const struct hd_packet *packet)
{
	struct hd_send *send = *bucket_of(exchange, packet->mad);
	unsigned method = packet->mad[HD_MAD_METHOD] ^ HD_METHOD_RESPONSE;

	while (send &&
	       (!send->rmpp.data || !same_transaction(send, packet->mad) ||
		send->packet.mad[HD_MAD_METHOD] != method || send->packet.dlid != packet->slid))
		send = send->next;
	return send;
}

static void unlink_deadline(struct hd_exchange *exchange, struct hd_send *send)
{
	if (send->sooner)
		send->sooner->later = send->later;
	else
		exchange->soonest = send->later;
	if (send->later)
		send->later->sooner = send->sooner;
	else
		exchange->latest = send->sooner;
}

/* Most messages have the same timeout, so that the place is at the end. */
static void link_deadline(struct hd_exchange *exchange, struct hd_send *send, uint64_t deadline)
{
	struct hd_send *sooner = exchange->latest;

	while (sooner && sooner->deadline > deadline)
		sooner = sooner->sooner;
	send->deadline = deadline;
	send->sooner = sooner;
	send->later = sooner ? sooner->later : exchange->soonest;
	if (sooner)
		sooner->later = send;
	else
		exchange->soonest = send;
	if (send->later)
		send->later->sooner = send;
	else
		exchange->latest = send;
}

static uint64_t deadline_of(const struct hd_send *send, uint64_t now)
{
	uint64_t timeout = send->timeout_ms;

	if (send->rmpp.data && (!timeout || timeout > ACK_TIMEOUT_MS))
		timeout = ACK_TIMEOUT_MS;
	return now + timeout * MILLISECOND;
}

static void wait_again(struct hd_exchange *exchange, struct hd_send *send, uint64_t now)
{
	unlink_deadline(exchange, send);
	link_deadline(exchange, send, deadline_of(send, now));
}

void hd_send_extend(struct hd_exchange *exchange, struct hd_send *send, uint64_t now)
{
	if (deadline_of(send, now) > send->deadline)
		wait_again(exchange, send, now);
}

static void release(struct hd_exchange *exchange, struct hd_send *send)
{
	hd_rmpp_send_free(&send->rmpp);
	send->next = exchange->spare_sends;
	exchange->spare_sends = send;
}

void hd_send_remove(struct hd_exchange *exchange, struct hd_send *send)
{
	struct hd_send **place = bucket_of(exchange, send->packet.mad);

	while (*place != send)
		place = &(*place)->next;
	*place = send->next;
	unlink_deadline(exchange, send);
	release(exchange, send);
}

void hd_send_fail(struct hd_exchange *exchange, struct hd_send *send)
{
	struct hd_umad_message *message = hd_umad_message_add(exchange, send->agent, &send->packet);

	if (message) {
		message->status = ETIMEDOUT;
		message->lid = send->packet.dlid;
		message->qpn = send->packet.dqp;
	}
	hd_send_remove(exchange, send);
}

static void transmit_segments(struct hd_exchange *exchange, struct hd_send *send)
{
	struct hd_packet packet = send->packet;

	while (hd_rmpp_send_next(&send->rmpp, packet.mad))
		exchange->transmit(exchange->context, &packet);
}

static void transmit(struct hd_exchange *exchange, struct hd_send *send)
{
	if (send->rmpp.data)
		transmit_segments(exchange, send);
	else
		exchange->transmit(exchange->context, &send->packet);
}

void hd_answer_rmpp(struct hd_exchange *exchange, const struct hd_packet *packet,
		    enum hd_rmpp_type type, enum hd_rmpp_status status, uint32_t segment,
		    uint32_t window)
{
	struct hd_packet answer = {
		.dlid = packet->slid,
		.dqp = packet->sqp,
		.sqp = packet->dqp,
		.sl = packet->sl,
	};

	hd_rmpp_answer(packet->mad, type, status, segment, window, answer.mad);
	exchange->transmit(exchange->context, &answer);
}

static bool is_segmented(const struct hd_agent *agent, const uint8_t *mad)
{
	return agent->rmpp && hd_rmpp_is_active(mad);
}

int hd_exchange_send(struct hd_exchange *exchange, const struct hd_outgoing *outgoing, uint64_t now)
{
	struct hd_send *send = exchange->spare_sends;
	const struct hd_agent *agent;
	bool segmented;
	uint8_t *mad;

	if (outgoing->agent >= HD_EXCHANGE_AGENTS || !exchange->agents[outgoing->agent].used ||
	    outgoing->length < HD_RMPP_PAYLOAD)
		return -EINVAL;
	agent = &exchange->agents[outgoing->agent];
	segmented = is_segmented(agent, outgoing->data);
	/* as in the kernel, the flag decides: opensm fills in neither version nor type */
	if (segmented ? outgoing->length < hd_rmpp_data_offset(outgoing->data[HD_MAD_CLASS])
		      : outgoing->length > HD_MAD_SIZE)
		return -EINVAL;
	if (send)
		exchange->spare_sends = send->next;
	else
		send = malloc(sizeof(*send));
	if (!send)
		return -ENOMEM;
	send->agent = outgoing->agent;
	send->timeout_ms = outgoing->timeout_ms;
	send->retries = send->retries_left = outgoing->retries;
	send->rmpp.data = NULL;
	send->packet = (struct hd_packet){
		.slid = outgoing->path_bits,
		.dlid = outgoing->dlid,
		.sqp = agent->mad_class == HD_CLASS_SMI || agent->mad_class == HD_CLASS_SMI_DIRECT
			       ? 0
			       : 1,
		.dqp = outgoing->dqp,
		.sl = outgoing->sl,
	};
	mad = send->packet.mad;
	memcpy(mad, outgoing->data,
	       outgoing->length < HD_MAD_SIZE ? outgoing->length : HD_MAD_SIZE);
	/* responses keep the ID of their request; a request's ID shows its response the way back */
	if (!hd_is_response(mad))
		hd_put32(mad + HD_MAD_TID,
			 exchange->serial % HD_EXCHANGE_SERIALS * HD_EXCHANGE_AGENTS +
				 outgoing->agent + 1);
	if (segmented) {
		if (!hd_rmpp_send_start(&send->rmpp, outgoing->data, outgoing->length)) {
			release(exchange, send);
			return -ENOMEM;
		}
		memcpy(send->rmpp.data + HD_MAD_TID, mad + HD_MAD_TID, 8);
	}
	transmit(exchange, send);
	if (!segmented && !send->timeout_ms) {
		release(exchange, send);
		return 0;
	}
	send->next = *bucket_of(exchange, mad);
	*bucket_of(exchange, mad) = send;
	link_deadline(exchange, send, deadline_of(send, now));
	return 0;
}

static void try_again(struct hd_exchange *exchange, struct hd_send *send, uint64_t now)
{
	if (!send->retries_left) {
		hd_send_fail(exchange, send);
		return;
	}
	send->retries_left--;
	if (send->rmpp.data)
		hd_rmpp_send_again(&send->rmpp);
	wait_again(exchange, send, now);
	transmit(exchange, send);
}

void hd_sends_advance(struct hd_exchange *exchange, uint64_t now)
{
	/* a message that is sent again waits at least a millisecond, so that this loop ends */
	while (exchange->soonest && exchange->soonest->deadline <= now)
		try_again(exchange, exchange->soonest, now);
}

void hd_exchange_lost(struct hd_exchange *exchange, const struct hd_packet *packet, uint64_t now)
{
	struct hd_send *send = hd_find_send(exchange, packet->mad);

	/* an ACK of a response looks like its request, and segments have their own timeouts */
	if (send && !is_segmented(&exchange->agents[send->agent], packet->mad))
		try_again(exchange, send, now);
}

void hd_exchange_sent(struct hd_exchange *exchange, const struct hd_packet *packet, uint64_t now)
{
	struct hd_send *send = hd_find_send(exchange, packet->mad);

	if (send)
		hd_send_extend(exchange, send, now);
}

void hd_exchange_fail_all(struct hd_exchange *exchange)
{
	while (exchange->soonest)
		hd_send_fail(exchange, exchange->soonest);
}

void hd_sends_acknowledge(struct hd_exchange *exchange, const struct hd_packet *ack, uint64_t now)
{
	struct hd_send *send = find_segments(exchange, ack);
	enum hd_rmpp_status status;

	if (!send)
		return;
	switch (hd_rmpp_send_acknowledge(&send->rmpp, ack->mad, &status)) {
	case HD_RMPP_IGNORE:
		break;
	case HD_RMPP_GO_ON:
		send->retries_left = send->retries;
		wait_again(exchange, send, now);
		transmit_segments(exchange, send);
		break;
	case HD_RMPP_DONE:
		hd_rmpp_send_free(&send->rmpp);
		if (!send->timeout_ms) {
			hd_send_remove(exchange, send);
			break;
		}
		/* only the response is missing now; asking again would be a new message */
		send->retries_left = 0;
		wait_again(exchange, send, now);
		break;
	case HD_RMPP_FAILED:
		hd_answer_rmpp(exchange, ack, HD_RMPP_ABORT, status, 0, 0);
		hd_send_fail(exchange, send);
		break;
	}
}

void hd_sends_abort(struct hd_exchange *exchange, const struct hd_packet *abort)
{
	struct hd_send *send = find_segments(exchange, abort);

	if (send)
		hd_send_fail(exchange, send);
}

void hd_sends_remove_agent(struct hd_exchange *exchange, uint32_t agent)
{
	struct hd_send *later;

	for (struct hd_send *send = exchange->soonest; send; send = later) {
		later = send->later;
		if (send->agent == agent)
			hd_send_remove(exchange, send);
	}
}

void hd_sends_free(struct hd_exchange *exchange)
{
	struct hd_send *send;

	while (exchange->soonest)
		hd_send_remove(exchange, exchange->soonest);
	while ((send = exchange->spare_sends)) {
		exchange->spare_sends = send->next;
		free(send);
	}
}
