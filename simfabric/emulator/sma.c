// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What every SMP goes through: versions, methods, M_Key; then its attribute's functions. */
#include "simfabric/emulator/sma.h"

#include "simfabric/emulator/agents.h"
#include "simfabric/emulator/mad_faults.h"
#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/sma_ar.h"
#include "simfabric/emulator/traps.h"
#include "simfabric/emulator/watch.h"

#define BASE_VERSION 1
#define SMP_VERSION  1
#define EMPTY_NOTICE 0xFF /* generic, of type 0x7F: there is no notice (13.4.8.2) */

typedef unsigned (*attribute_function)(struct hd_smp *smp);

/* There is no queue of notices: they are sent as traps at once. */
static unsigned notice(struct hd_smp *smp)
{
	memset(smp->data, 0, HD_SMP_DATA_SIZE);
	smp->data[0] = EMPTY_NOTICE;
	return HD_STATUS_OK;
}

/* There are no diagnostics: only the first page exists, and is empty. */
static unsigned vendor_diag(struct hd_smp *smp)
{
	return smp->modifier ? HD_STATUS_BAD_FIELD : HD_STATUS_OK;
}

/* The LFT alone is for no adaptive routing: this ends, unless the switch is not to fall back. */
static unsigned set_linear_table(struct hd_smp *smp)
{
	struct hd_switch_ar *ar = smp->emulator->switches[smp->node].ar;
	unsigned status;

	if (ar && ar->is_on && ar->no_fallback)
		return HD_STATUS_BAD_FIELD;
	status = hd_sma_set_linear_table(smp);
	if (ar && status == HD_STATUS_OK)
		ar->is_on = false;
	return status;
}

static const struct {
	attribute_function get, set;
	bool switches_only;
} attributes[] = {
	[HD_ATTRIBUTE_NOTICE] = { notice, notice, false },
	[HD_ATTRIBUTE_NODE_DESCRIPTION] = { hd_sma_get_node_description, NULL, false },
	[HD_ATTRIBUTE_NODE_INFO] = { hd_sma_get_node_info, NULL, false },
	[HD_ATTRIBUTE_SWITCH_INFO] = { hd_sma_get_switch_info, hd_sma_set_switch_info, true },
	[HD_ATTRIBUTE_GUID_INFO] = { hd_sma_get_guids, hd_sma_set_guids, false },
	[HD_ATTRIBUTE_PORT_INFO] = { hd_sma_get_port_info, hd_sma_set_port_info, false },
	[HD_ATTRIBUTE_PKEY_TABLE] = { hd_sma_get_pkeys, hd_sma_set_pkeys, false },
	[HD_ATTRIBUTE_SL2VL_TABLE] = { hd_sma_get_sl2vl, hd_sma_set_sl2vl, false },
	[HD_ATTRIBUTE_VLARB_TABLE] = { hd_sma_get_vlarb, hd_sma_set_vlarb, false },
	[HD_ATTRIBUTE_LINEAR_TABLE] = { hd_sma_get_linear_table, set_linear_table, true },
	[HD_ATTRIBUTE_MULTICAST_TABLE] = { hd_sma_get_multicast_table, hd_sma_set_multicast_table,
					   true },
	[HD_ATTRIBUTE_VENDOR_DIAG] = { vendor_diag, NULL, false },
};

/* Of switches with adaptive routing; NULL: there is none. */
static attribute_function find_ar(unsigned attribute, bool set)
{
	switch (attribute) {
	case HD_ATTRIBUTE_GENERAL_INFO:
		return set ? NULL : hd_sma_get_general_info;
	case HD_ATTRIBUTE_HIERARCHY_INFO:
		return set ? hd_sma_set_hierarchy_info : hd_sma_get_hierarchy_info;
	case HD_ATTRIBUTE_EXTENDED_NODE_INFO:
		return set ? hd_sma_set_extended_node_info : hd_sma_get_extended_node_info;
	case HD_ATTRIBUTE_EXTENDED_SWITCH_INFO:
		return set ? hd_sma_set_extended_switch_info : hd_sma_get_extended_switch_info;
	case HD_ATTRIBUTE_AR_INFO:
		return set ? hd_sma_set_ar_info : hd_sma_get_ar_info;
	case HD_ATTRIBUTE_AR_GROUP_TABLE:
		return set ? hd_sma_set_ar_groups : hd_sma_get_ar_groups;
	case HD_ATTRIBUTE_AR_LINEAR_TABLE:
		return set ? hd_sma_set_ar_lft : hd_sma_get_ar_lft;
	case HD_ATTRIBUTE_HBF_CONFIG:
		return set ? hd_sma_set_hbf : hd_sma_get_hbf;
	default:
		return NULL;
	}
}

static attribute_function find(const struct hd_smp *smp, unsigned attribute, bool set)
{
	if (attribute == HD_ATTRIBUTE_EXTENDED_PORT_INFO)
		return hd_sma_extended_port_info;
	if (attribute >= sizeof(attributes) / sizeof(attributes[0]) ||
	    attribute == HD_ATTRIBUTE_HIERARCHY_INFO)
		return smp->emulator->options.ar && hd_is_switch(smp->emulator->fabric, smp->node)
			       ? find_ar(attribute, set)
			       : NULL;
	if (attributes[attribute].switches_only && !hd_is_switch(smp->emulator->fabric, smp->node))
		return NULL;
	return set ? attributes[attribute].set : attributes[attribute].get;
}

static enum hd_verdict answer(struct hd_packet *packet, unsigned status)
{
	uint8_t *field = packet->mad + HD_MAD_STATUS;

	packet->mad[HD_MAD_METHOD] = HD_METHOD_RESPONSE | HD_METHOD_GET;
	hd_put16(field, (uint16_t)((hd_get16(field) & HD_SMP_DIRECTION) | status));
	return HD_ANSWERED;
}

/* The end port of @node that an SMP through port number @in is for. */
static uint32_t end_port(const struct hd_emulator *emulator, uint32_t node, unsigned in)
{
	uint32_t first = emulator->fabric->nodes[node].first_port;

	if (hd_is_switch(emulator->fabric, node))
		return first;
	return first + (in ? in : 1);
}

/*
 * The port whose M_Key guards the attribute: of an adapter's PortInfo, the port that the SMP names.
 */
static uint32_t guard(const struct hd_smp *smp, unsigned attribute)
{
	unsigned number = smp->modifier & 0xFF;

	if (attribute == HD_ATTRIBUTE_PORT_INFO && number &&
	    !hd_is_switch(smp->emulator->fabric, smp->node) && hd_smp_port(smp, number) != HD_NONE)
		return hd_smp_port(smp, number);
	return smp->port;
}

/* Whether a fault is to refuse the Set. */
static bool is_refused(const struct hd_smp *smp, unsigned attribute)
{
	return (attribute == HD_ATTRIBUTE_LINEAR_TABLE || attribute == HD_ATTRIBUTE_SL2VL_TABLE) &&
	       hd_fault_refuses(smp->emulator, smp->node);
}

static enum hd_verdict act(struct hd_smp *smp, struct hd_packet *packet, bool set)
{
	attribute_function function = find(smp, hd_mad_attribute(packet), set);
	unsigned status;

	if (!function)
		return answer(packet, HD_STATUS_BAD_ATTRIBUTE);
	if (!set) {
		memset(smp->data, 0, HD_SMP_DATA_SIZE);
		return answer(packet, function(smp));
	}
	hd_watch_begin(smp->emulator);
	status = is_refused(smp, hd_mad_attribute(packet)) ? HD_STATUS_BAD_FIELD : function(smp);
	if (status == HD_STATUS_OK)
		hd_watch_touch(smp->emulator, smp->node);
	hd_watch_end(smp->emulator, &(struct hd_occurrence){
					    .kind = HD_OCCURRED_SET,
					    .node = smp->node,
					    .port = HD_NONE,
					    .attribute = hd_mad_attribute(packet),
					    .modifier = smp->modifier,
					    .status = status,
				    });
	return answer(packet, status);
}

enum hd_verdict hd_sma_handle(struct hd_emulator *emulator, uint32_t node, uint8_t in,
			      struct hd_packet *packet)
{
	const uint8_t *mad = packet->mad;
	unsigned method = hd_mad_method(packet);
	struct hd_smp smp = {
		.emulator = emulator,
		.node = node,
		.port = end_port(emulator, node, in),
		.in = in,
		.modifier = hd_get32(mad + HD_MAD_MODIFIER),
		.mkey = hd_get64(mad + HD_SMP_MKEY),
		.data = packet->mad + HD_SMP_DATA,
	};

	if (hd_node_is_off(emulator, node))
		return HD_CONSUMED;
	if (method & HD_METHOD_RESPONSE || method == HD_METHOD_TRAP)
		return HD_FOR_CLIENT;
	if (mad[HD_MAD_BASE_VERSION] != BASE_VERSION || mad[HD_MAD_CLASS_VERSION] != SMP_VERSION)
		return method == HD_METHOD_TRAP_REPRESS ? HD_CONSUMED
							: answer(packet, HD_STATUS_BAD_VERSION);
	switch (method) {
	case HD_METHOD_GET:
	case HD_METHOD_SET:
		if (hd_mad_attribute(packet) == HD_ATTRIBUTE_SM_INFO)
			return HD_FOR_CLIENT;
		if (!hd_mkey_check(emulator, guard(&smp, hd_mad_attribute(packet)), packet))
			return HD_CONSUMED;
		return act(&smp, packet, method == HD_METHOD_SET);
	case HD_METHOD_TRAP_REPRESS:
		if (!hd_mkey_check(emulator, smp.port, packet) ||
		    hd_trap_repress(emulator, smp.port, packet))
			return HD_CONSUMED;
		return HD_FOR_CLIENT;
	default:
		return answer(packet, HD_STATUS_BAD_METHOD);
	}
}
