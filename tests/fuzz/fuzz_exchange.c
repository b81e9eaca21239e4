// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A program's exchange, which whoever is at the other end of the rings sends any bytes, in any
 * order, while the program sends and receives. Each step is a byte that says what happens, and what
 * it needs.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/exchange.h"
#include "simfabric/umad/rmpp.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
	const uint8_t *data;
	size_t size;
};

static uint8_t next(struct input *input)
{
	if (!input->size)
		return 0;
	input->size--;
	return *input->data++;
}

static void transmit(void *context, const struct hd_packet *packet)
{
	(*(uint64_t *)context) += packet->mad[HD_MAD_METHOD];
}

/* The header of an SA MAD that mostly belongs to what is under way; sometimes any bytes. */
static void read_mad(struct input *input, uint8_t *mad)
{
	uint8_t what = next(input);

	memset(mad, what, HD_MAD_SIZE);
	if (what & 128) {
		for (unsigned i = 0; i < 64; i++)
			mad[i] = next(input);
		return;
	}
	mad[HD_MAD_BASE_VERSION] = 1;
	mad[HD_MAD_CLASS] = HD_CLASS_SA;
	mad[HD_MAD_CLASS_VERSION] = 2;
	mad[HD_MAD_METHOD] = (what & 1 ? HD_METHOD_RESPONSE : 0) | (what & 2 ? 0x12 : 0x14);
	hd_put32(mad + HD_MAD_TID, 3 * HD_EXCHANGE_AGENTS + 1);
	hd_put32(mad + HD_MAD_TID + 4, what >> 2 & 3);
	mad[HD_RMPP_VERSION] = what & 64 ? next(input) : 1;
	mad[HD_RMPP_TYPE] = next(input) % 6;
	mad[HD_RMPP_FLAGS] = next(input);
	mad[HD_RMPP_STATUS] = what & 32 ? next(input) : 0;
	hd_put32(mad + HD_RMPP_SEGMENT, what & 16 ? (uint32_t)next(input) << 24 : next(input));
	hd_put32(mad + HD_RMPP_LENGTH, what & 16 ? (uint32_t)next(input) << 24 : next(input));
}

static void send(struct hd_exchange *exchange, struct input *input, uint64_t now)
{
	uint8_t message[255 * 12] = { 0 };
	struct hd_outgoing outgoing = { .data = message };

	/* one by one: the order within an initialiser is the compiler's */
	outgoing.agent = next(input) % 3;
	outgoing.dlid = next(input) % 4;
	outgoing.timeout_ms = next(input);
	outgoing.retries = next(input) % 8;
	read_mad(input, message);
	outgoing.length = next(input) * 12;
	hd_exchange_send(exchange, &outgoing, now);
}

static void take(struct hd_exchange *exchange)
{
	struct hd_umad_message *message = hd_exchange_take(exchange);
	uint8_t *copy;

	if (!message)
		return;
	copy = malloc(message->length ? message->length : 1);
	if (copy)
		memcpy(copy, message->data, message->length);
	free(copy);
	hd_umad_message_free(exchange, message);
}

static void add_agent(struct hd_exchange *exchange, bool rmpp, uint64_t methods)
{
	const struct hd_agent agent = {
		.mad_class = HD_CLASS_SA,
		.class_version = 2,
		.rmpp = rmpp,
		.methods = { methods },
	};

	hd_exchange_register(exchange, &agent);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_exchange *exchange = malloc(sizeof(*exchange));
	struct input input = { data, size };
	struct hd_packet packet = { 0 };
	uint64_t now = 0, sum = 0, step;

	if (!exchange)
		return 0;
	hd_exchange_init(exchange, 3, transmit, &sum);
	add_agent(exchange, true, 1 << 0x12 | 1 << 0x14);
	add_agent(exchange, false, 1 << 2);
	while (input.size) {
		switch (next(&input) % 8) {
		case 0:
		case 1:
		case 2:
			packet.slid = next(&input) % 4;
			read_mad(&input, packet.mad);
			hd_exchange_receive(exchange, &packet, now);
			break;
		case 3:
			read_mad(&input, packet.mad);
			hd_exchange_lost(exchange, &packet, now);
			break;
		case 4:
			step = next(&input);
			now += step << (next(&input) % 32);
			hd_exchange_advance(exchange, now);
			if (hd_exchange_next(exchange) <= now)
				abort();
			break;
		case 5:
			send(exchange, &input, now);
			break;
		case 6:
			take(exchange);
			break;
		case 7:
			if (next(&input) % 4 == 0)
				hd_exchange_fail_all(exchange);
			else if (hd_exchange_unregister(exchange, 0) == 0)
				add_agent(exchange, true, 1 << 0x12 | 1 << 0x14);
			break;
		}
	}
	hd_exchange_free(exchange);
	free(exchange);
	return 0;
}
