// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* MADs to queue pair 1: performance management is for an agent, everything else for programs. */
#include "simfabric/emulator/agents.h"
#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/pma.h"

#define SA_GET_TABLE 0x12
#define SA_LAST      0x15 /* GetTraceTable, GetMulti, Delete */
#define RMPP_FLAGS   26
#define RMPP_RESPOND 0xF8 /* the response time; the flags beside it say that RMPP is used */

static enum hd_verdict answer(struct hd_packet *packet, uint8_t method, unsigned status)
{
	packet->mad[HD_MAD_METHOD] = HD_METHOD_RESPONSE | method;
	hd_put16(packet->mad + HD_MAD_STATUS, (uint16_t)status);
	return HD_ANSWERED;
}

enum hd_verdict hd_gsi_handle(struct hd_emulator *emulator, uint32_t port, struct hd_packet *packet)
{
	uint8_t method = hd_mad_method(packet);

	if (hd_node_is_off(emulator, emulator->fabric->ports[port].node))
		return HD_CONSUMED;
	if (method & HD_METHOD_RESPONSE || packet->mad[HD_MAD_CLASS] != HD_CLASS_PM)
		return HD_FOR_CLIENT;
	switch (method) {
	case HD_METHOD_GET:
	case HD_METHOD_SET:
		return answer(packet, HD_METHOD_GET,
			      hd_pma_handle(emulator, port, packet, method == HD_METHOD_SET));
	case HD_METHOD_SEND:
	case HD_METHOD_TRAP:
	case HD_METHOD_TRAP_REPRESS:
		return HD_FOR_CLIENT;
	default:
		return answer(packet, HD_METHOD_GET, HD_STATUS_BAD_METHOD);
	}
}

bool hd_gsi_refuse(struct hd_packet *packet)
{
	uint8_t method = hd_mad_method(packet);
	bool administration = packet->mad[HD_MAD_CLASS] == HD_CLASS_SA;

	switch (method) {
	case HD_METHOD_GET:
	case HD_METHOD_SET:
		answer(packet, HD_METHOD_GET, HD_STATUS_BAD_VERSION);
		break;
	case HD_METHOD_REPORT:
		answer(packet, method, HD_STATUS_BAD_VERSION);
		break;
	default:
		if (!administration || method < SA_GET_TABLE || method > SA_LAST)
			return false;
		answer(packet, method, HD_STATUS_BAD_VERSION);
	}
	if (administration)
		packet->mad[RMPP_FLAGS] &= RMPP_RESPOND;
	return true;
}
