// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "simfabric/umad/exchange_private.h"

void hd_exchange_init(struct hd_exchange *exchange, uint32_t serial,
		      void (*transmit)(void *context, const struct hd_packet *packet),
		      void *context)
{
	memset(exchange, 0, sizeof(*exchange));
	exchange->serial = serial;
	exchange->transmit = transmit;
	exchange->context = context;
	exchange->ready_end = &exchange->ready;
}

void hd_exchange_free(struct hd_exchange *exchange)
{
	struct hd_umad_message *message;

	hd_sends_free(exchange);
	hd_receptions_free(exchange);
	while ((message = hd_exchange_take(exchange)))
		hd_umad_message_free(exchange, message);
	while ((message = exchange->spare_messages)) {
		exchange->spare_messages = message->next;
		free(message);
	}
}

static bool takes_method(const struct hd_agent *agent, unsigned method)
{
	return agent->methods[method / 64] >> (method % 64) & 1;
}

static bool has_oui(unsigned mad_class)
{
	return mad_class >= 0x30 && mad_class <= 0x4F;
}

int hd_exchange_register(struct hd_exchange *exchange, const struct hd_agent *agent)
{
	int number = -1;

	for (int i = 0; i < HD_EXCHANGE_AGENTS; i++) {
		const struct hd_agent *other = &exchange->agents[i];

		if (!other->used) {
			if (number < 0)
				number = i;
			continue;
		}
		if (other->mad_class == agent->mad_class &&
		    other->class_version == agent->class_version &&
		    (!has_oui(agent->mad_class) || other->oui == agent->oui) &&
		    ((other->methods[0] & agent->methods[0]) ||
		     (other->methods[1] & agent->methods[1])))
			return -EPERM;
	}
	if (number < 0)
		return -ENOMEM;
	exchange->agents[number] = *agent;
	exchange->agents[number].used = true;
	return number;
}

int hd_exchange_unregister(struct hd_exchange *exchange, uint32_t agent)
{
	struct hd_umad_message *message, *kept = NULL, **end = &kept;

	if (agent >= HD_EXCHANGE_AGENTS || !exchange->agents[agent].used)
		return -EINVAL;
	exchange->agents[agent].used = false;
	hd_sends_remove_agent(exchange, agent);
	hd_receptions_remove_agent(exchange, agent);
	while ((message = hd_exchange_take(exchange))) {
		if (message->agent == agent) {
			hd_umad_message_free(exchange, message);
			continue;
		}
		message->next = NULL;
		*end = message;
		end = &message->next;
	}
	exchange->ready = kept;
	exchange->ready_end = kept ? end : &exchange->ready;
	return 0;
}

void hd_exchange_methods(const struct hd_exchange *exchange, unsigned mad_class,
			 uint64_t methods[2])
{
	methods[0] = methods[1] = 0;
	for (unsigned i = 0; i < HD_EXCHANGE_AGENTS; i++) {
		const struct hd_agent *agent = &exchange->agents[i];

		if (!agent->used || agent->mad_class != mad_class)
			continue;
		methods[0] |= agent->methods[0];
		methods[1] |= agent->methods[1];
	}
}

static uint32_t find_agent(const struct hd_exchange *exchange, const uint8_t *mad)
{
	unsigned mad_class = mad[HD_MAD_CLASS];

	if (hd_is_response(mad)) {
		/* the upper half of the ID tells who asked: see hd_exchange_send() */
		uint32_t who = hd_get32(mad + HD_MAD_TID) - 1;
		uint32_t agent = who % HD_EXCHANGE_AGENTS;

		if (who / HD_EXCHANGE_AGENTS != exchange->serial % HD_EXCHANGE_SERIALS ||
		    !exchange->agents[agent].used)
			return HD_EXCHANGE_AGENTS;
		return agent;
	}
	for (uint32_t i = 0; i < HD_EXCHANGE_AGENTS; i++) {
		const struct hd_agent *agent = &exchange->agents[i];

		if (!agent->used || agent->mad_class != mad_class ||
		    agent->class_version != mad[HD_MAD_CLASS_VERSION] ||
		    !takes_method(agent, mad[HD_MAD_METHOD]))
			continue;
		if (!has_oui(mad_class) ||
		    (hd_get32(mad + HD_RMPP_PAYLOAD) & 0xFFFFFF) == agent->oui)
			return i;
	}
	return HD_EXCHANGE_AGENTS;
}

void hd_exchange_receive(struct hd_exchange *exchange, const struct hd_packet *packet, uint64_t now)
{
	uint32_t agent = find_agent(exchange, packet->mad);
	struct hd_send *send = NULL;

	if (agent == HD_EXCHANGE_AGENTS)
		return;
	if (exchange->agents[agent].rmpp && hd_rmpp_is_active(packet->mad)) {
		hd_receptions_receive(exchange, agent, packet, now);
		return;
	}
	if (hd_is_response(packet->mad)) {
		send = hd_find_send(exchange, packet->mad);
		if (!send)
			return; /* the request is not there any more */
	}
	if (hd_umad_message_add(exchange, agent, packet) && send)
		hd_send_remove(exchange, send);
}

void hd_exchange_advance(struct hd_exchange *exchange, uint64_t now)
{
	hd_sends_advance(exchange, now);
	hd_receptions_advance(exchange, now);
}

uint64_t hd_exchange_next(const struct hd_exchange *exchange)
{
	uint64_t receptions = hd_receptions_next(exchange);
	uint64_t sends = exchange->soonest ? exchange->soonest->deadline : UINT64_MAX;

	return sends < receptions ? sends : receptions;
}
