// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* NodeInfo (14.2.5.3), NodeDescription (14.2.5.2), SwitchInfo (14.2.5.4). */
#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"

#define REVISION            0xA1
#define FIRST_MULTICAST_LID 0xC000
#define STATE_CHANGE        0x04
#define OPTIMIZED_SL2VL     0x01
#define FILTERS_RAW         0x30 /* in- and outbound */
#define ENHANCED_PORT_0     0x08

unsigned hd_sma_get_node_info(struct hd_smp *smp)
{
	static const uint8_t types[] = { [HD_SWITCH] = 2, [HD_CA] = 1, [HD_ROUTER] = 3 };
	const struct hd_fabric *fabric = smp->emulator->fabric;
	const struct hd_node *node = &fabric->nodes[smp->node];
	uint8_t *data = smp->data;
	bool is_switch = hd_is_switch(fabric, smp->node);

	data[0] = 1; /* base version */
	data[1] = 1; /* class version */
	data[2] = types[node->type];
	data[3] = node->n_ports;
	hd_put64(data + 4, node->sysimg_guid ? node->sysimg_guid : node->guid);
	hd_put64(data + 12, node->guid);
	hd_put64(data + 20, fabric->ports[smp->port].guid);
	hd_put16(data + 28, hd_pkeys_capacity(smp->emulator, smp->port));
	hd_put16(data + 30, node->device_id & 0xFFFF);
	hd_put32(data + 32, REVISION);
	hd_put32(data + 36, node->vendor_id & 0xFFFFFF);
	data[36] = is_switch ? smp->in : fabric->ports[smp->port].number;
	return HD_STATUS_OK;
}

unsigned hd_sma_get_node_description(struct hd_smp *smp)
{
	memcpy(smp->data, smp->emulator->descriptions[smp->node], HD_SMP_DATA_SIZE);
	return HD_STATUS_OK;
}

/* The P_Keys that physical ports of the switch can enforce; 0: they do not enforce any. */
static uint16_t enforced_pkeys(const struct hd_smp *smp)
{
	const struct hd_node *node = &smp->emulator->fabric->nodes[smp->node];

	return node->n_ports ? hd_pkeys_capacity(smp->emulator, node->first_port + 1) : 0;
}

unsigned hd_sma_get_switch_info(struct hd_smp *smp)
{
	const struct hd_emulator *emulator = smp->emulator;
	const struct hd_emulator_switch *sw = &emulator->switches[smp->node];
	uint8_t *data = smp->data;

	memset(data, 0, HD_SMP_DATA_SIZE);
	hd_put16(data, (uint16_t)emulator->options.linear_fdb_cap);
	hd_put16(data + 4, (uint16_t)emulator->options.multicast_fdb_cap);
	hd_put16(data + 6, sw->linear_fdb_top);
	data[8] = sw->default_port;
	data[9] = sw->default_multicast_port;
	data[10] = sw->default_multicast_not_primary;
	data[11] = (uint8_t)(sw->life_time << 3 | (sw->port_state_change ? STATE_CHANGE : 0) |
			     (emulator->options.optimized_sl2vl ? OPTIMIZED_SL2VL : 0));
	hd_put16(data + 14, enforced_pkeys(smp));
	data[16] = FILTERS_RAW |
		   (emulator->fabric->nodes[smp->node].enhanced_port0 ? ENHANCED_PORT_0 : 0);
	hd_put16(data + 18, sw->multicast_fdb_top);
	return HD_STATUS_OK;
}

unsigned hd_sma_set_switch_info(struct hd_smp *smp)
{
	const struct hd_emulator_options *options = &smp->emulator->options;
	struct hd_emulator_switch *sw = &smp->emulator->switches[smp->node];
	const uint8_t *data = smp->data;
	uint16_t top = hd_get16(data + 6), multicast_top = hd_get16(data + 18);

	/* the LID before the first multicast LID means that no entry is in use */
	if (top >= options->linear_fdb_cap ||
	    (multicast_top && (multicast_top < FIRST_MULTICAST_LID - 1 ||
			       multicast_top >= FIRST_MULTICAST_LID + options->multicast_fdb_cap)))
		return HD_STATUS_BAD_FIELD;
	sw->linear_fdb_top = top;
	sw->default_port = data[8];
	sw->default_multicast_port = data[9];
	sw->default_multicast_not_primary = data[10];
	sw->life_time = data[11] >> 3;
	if (data[11] & STATE_CHANGE)
		sw->port_state_change = false;
	sw->multicast_fdb_top = multicast_top;
	return hd_sma_get_switch_info(smp);
}
