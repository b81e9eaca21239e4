// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The queue of messages that the program is to receive. */
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/exchange_private.h"

struct hd_umad_message *hd_exchange_take(struct hd_exchange *exchange)
{
	struct hd_umad_message *message = exchange->ready;

	if (!message)
		return NULL;
	exchange->ready = message->next;
	if (!exchange->ready)
		exchange->ready_end = &exchange->ready;
	return message;
}

void hd_umad_message_free(struct hd_exchange *exchange, struct hd_umad_message *message)
{
	if (message->data != message->mad)
		free(message->data);
	message->next = exchange->spare_messages;
	exchange->spare_messages = message;
}

struct hd_umad_message *hd_umad_message_add(struct hd_exchange *exchange, uint32_t agent,
					    const struct hd_packet *packet)
{
	struct hd_umad_message *message = exchange->spare_messages;

	if (message)
		exchange->spare_messages = message->next;
	else
		message = malloc(sizeof(*message));
	if (!message)
		return NULL;
	message->next = NULL;
	message->agent = agent;
	message->status = 0;
	message->lid = packet->slid;
	message->qpn = packet->sqp;
	message->sl = packet->sl;
	message->path_bits = 0;
	message->length = HD_MAD_SIZE;
	message->data = message->mad;
	memcpy(message->mad, packet->mad, HD_MAD_SIZE);
	*exchange->ready_end = message;
	exchange->ready_end = &message->next;
	return message;
}
