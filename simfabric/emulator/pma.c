// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/pma.h"

#define BASE_VERSION    1
#define PM_VERSION      1
#define ALL_PORTS       0xFF
#define CLASS_PORT_INFO 0x01

typedef unsigned (*attribute_function)(struct hd_pma_request *request);

static const attribute_function attributes[] = {
	[CLASS_PORT_INFO] = hd_pma_class_port_info,
	[0x10] = hd_pma_samples_control,
	[0x12] = hd_pma_counters,
	[0x15] = hd_pma_details, /* PortRcvErrorDetails */
	[0x16] = hd_pma_details, /* PortXmitDiscardDetails */
	[0x17] = hd_pma_details, /* PortOpRcvCounters */
	[0x18] = hd_pma_details, /* PortFlowCtlCounters */
	[0x19] = hd_pma_details, /* PortVLOpPackets */
	[0x1A] = hd_pma_details, /* PortVLOpData */
	[0x1B] = hd_pma_details, /* PortVLXmitFlowCtlUpdateErrors */
	[0x1C] = hd_pma_details, /* PortVLXmitWaitCounters */
	[0x1D] = hd_pma_extended_counters,
	[0x1F] = hd_pma_details, /* PortExtendedSpeedsCounters */
	[0x30] = hd_pma_details, /* SwPortVLCongestion */
	[0x31] = hd_pma_details, /* PortRcvConCtrl */
	[0x32] = hd_pma_details, /* PortSLRcvFECN */
	[0x33] = hd_pma_details, /* PortSLRcvBECN */
	[0x34] = hd_pma_details, /* PortXmitConCtrl */
	[0x35] = hd_pma_details, /* PortVLXmitTimeCong */
	[0x36] = hd_pma_details, /* PortXmitDataSL */
	[0x37] = hd_pma_details, /* PortRcvDataSL */
};

/*
 * The ports that PortSelect names at the end port @port: of a switch, any of its ports or all that
 * can have links; an adapter's port answers for itself.
 */
static bool select_ports(struct hd_pma_request *request, uint32_t port)
{
	const struct hd_fabric *fabric = request->emulator->fabric;
	uint32_t n = fabric->ports[port].node;
	const struct hd_node *node = &fabric->nodes[n];
	unsigned select = request->data[1];

	if (!hd_is_switch(fabric, n))
		return select == fabric->ports[port].number;
	if (select == ALL_PORTS) {
		request->first = node->first_port + 1;
		request->last = node->first_port + node->n_ports;
		return true;
	}
	request->first = request->last = node->first_port + select;
	return select <= node->n_ports;
}

unsigned hd_pma_handle(struct hd_emulator *emulator, uint32_t port, struct hd_packet *packet,
		       bool set)
{
	struct hd_pma_request request = {
		.emulator = emulator,
		.attribute = hd_mad_attribute(packet),
		.first = port,
		.last = port,
		.set = set,
		.data = packet->mad + HD_PM_DATA,
	};

	if (packet->mad[HD_MAD_BASE_VERSION] != BASE_VERSION ||
	    packet->mad[HD_MAD_CLASS_VERSION] != PM_VERSION)
		return HD_STATUS_BAD_VERSION;
	if (request.attribute >= sizeof(attributes) / sizeof(attributes[0]) ||
	    !attributes[request.attribute] ||
	    (emulator->options.no_optional_counters &&
	     attributes[request.attribute] == hd_pma_details))
		return HD_STATUS_BAD_ATTRIBUTE;
	if (request.attribute != CLASS_PORT_INFO && !select_ports(&request, port))
		return HD_STATUS_BAD_FIELD;
	return attributes[request.attribute](&request);
}
