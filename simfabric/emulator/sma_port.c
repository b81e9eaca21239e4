// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Get(PortInfo) (14.2.5.6), and Mellanox's ExtendedPortInfo. */
#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"

#define SM_HAS_EXTENDED_SPEEDS 0x80000000 /* in the modifier */
#define CAPABILITIES2          0x0030     /* 2x width, HDR */
#define CAPABILITIES2_NDR      0x0400
#define CAPABILITIES2_XDR      0x1800 /* LinkSpeedExt2 has values, among them XDR */
#define EXTENDED_NDR           8
#define CLIENT_REREGISTER      0x80
#define FDR10                  1

/* A byte of two components: @low in its lowest @shift bits. */
static uint8_t join(unsigned high, unsigned shift, unsigned low)
{
	return (uint8_t)(high << shift | low);
}

/* The port that the modifier names: on an adapter 0 is the one at which the SMP arrived. */
static uint32_t named_port(const struct hd_smp *smp)
{
	unsigned number = smp->modifier & 0xFF;

	if (smp->modifier & ~(SM_HAS_EXTENDED_SPEEDS | 0xFF))
		return HD_NONE;
	if (!number && !hd_is_switch(smp->emulator->fabric, smp->node))
		return smp->port;
	return hd_smp_port(smp, number);
}

/* Whether the port can run XDR; port 0 of a switch: whether any port of the switch can. */
static bool can_xdr(const struct hd_emulator *emulator, uint32_t index)
{
	const struct hd_port *wired = &emulator->fabric->ports[index];
	const struct hd_node *node = &emulator->fabric->nodes[wired->node];
	bool can = emulator->ports[index].speed_ext2_supported;

	for (unsigned number = 1; !wired->number && !can && number <= node->n_ports; number++)
		can = emulator->ports[index + number].speed_ext2_supported;
	return can;
}

/* Components that only end ports have; on the physical ports of a switch they stay 0. */
static void put_end_port(const struct hd_smp *smp, uint32_t index)
{
	const struct hd_emulator_port *port = &smp->emulator->ports[index];
	bool ndr = port->speed_ext_supported & EXTENDED_NDR;
	uint8_t *data = smp->data;

	if (hd_mkey_visible(smp->emulator, index, smp->mkey))
		hd_put64(data, port->mkey);
	hd_put64(data + 8, port->gid_prefix);
	hd_put16(data + 16, port->lid);
	hd_put16(data + 18, port->sm_lid);
	hd_put32(data + 20, port->capabilities);
	hd_put16(data + 24, port->diag_code);
	hd_put16(data + 26, port->mkey_lease);
	data[34] = join(port->mkey_protect, 6, port->lmc);
	data[36] |= port->sm_sl;
	hd_put16(data + 44, port->mkey_violations);
	hd_put16(data + 46, port->pkey_violations);
	hd_put16(data + 48, port->qkey_violations);
	data[50] = hd_guids_capacity(smp->emulator, index);
	data[51] = port->subnet_timeout;
	hd_put16(data + 60, CAPABILITIES2 | (ndr ? CAPABILITIES2_NDR : 0) |
				    (can_xdr(smp->emulator, index) ? CAPABILITIES2_XDR : 0));
}

unsigned hd_sma_get_port_info(struct hd_smp *smp)
{
	uint32_t index = named_port(smp);
	const struct hd_emulator_port *port;
	uint8_t *data = smp->data;

	if (index == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	port = &smp->emulator->ports[index];
	memset(data, 0, HD_SMP_DATA_SIZE);
	/* LocalPortNum: the port through which the SMP came */
	data[28] = hd_is_switch(smp->emulator->fabric, smp->node)
			   ? smp->in
			   : smp->emulator->fabric->ports[smp->port].number;
	data[29] = port->width_enabled;
	data[30] = port->width_supported;
	data[31] = port->width_active;
	data[32] = join(port->speed_supported, 4, port->state);
	data[33] = join(port->physical, 4, port->down_default);
	data[35] = join(port->speed_active, 4, port->speed_enabled);
	data[36] = join(port->neighbor_mtu, 4, 0);
	data[37] = join(port->vl_cap, 4, port->init_type);
	data[38] = port->vl_high_limit;
	data[39] = (uint8_t)hd_vlarb_capacity(smp->emulator, index, true);
	data[40] = (uint8_t)hd_vlarb_capacity(smp->emulator, index, false);
	data[41] = join(port->init_type_reply, 4, port->mtu_cap);
	data[42] = join(port->stall, 5, port->hoq_life);
	data[43] = join(port->operational_vls, 4, port->enforce);
	data[52] = port->response_time;
	data[53] = port->error_thresholds;
	data[56] = (uint8_t)(port->speed_ext2_active << 5 | port->speed_ext2_supported << 3 |
			     port->speed_ext2_enabled);
	data[62] = join(port->speed_ext_active, 4, port->speed_ext_supported);
	data[63] = port->speed_ext_enabled;
	if (!hd_is_external_port(smp->emulator, index))
		put_end_port(smp, index);
	return HD_STATUS_OK;
}

unsigned hd_sma_set_port_info(struct hd_smp *smp)
{
	uint32_t index = named_port(smp);
	bool reregister = smp->data[51] & CLIENT_REREGISTER;
	uint64_t mkey = hd_get64(smp->data);
	unsigned status;

	if (index == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	status = hd_sma_write_port(smp, index);
	if (status)
		return status;
	status = hd_sma_get_port_info(smp);
	/* a sender that wrote the M_Key knows it, although the SMP has the former one */
	if (!hd_is_external_port(smp->emulator, index))
		hd_put64(smp->data, mkey);
	/* the answer repeats the bit; later Gets do not */
	if (reregister && !hd_is_external_port(smp->emulator, index))
		smp->data[51] |= CLIENT_REREGISTER;
	return status;
}

unsigned hd_sma_extended_port_info(struct hd_smp *smp)
{
	uint32_t index = named_port(smp);
	bool fdr10;

	if (index == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	fdr10 = smp->emulator->fabric->ports[index].speed == HD_FDR10;
	memset(smp->data, 0, HD_SMP_DATA_SIZE);
	smp->data[7] = smp->data[11] = fdr10 ? FDR10 : 0; /* supported, enabled */
	smp->data[15] = fdr10 && smp->emulator->ports[index].state != HD_PORT_DOWN ? FDR10 : 0;
	return HD_STATUS_OK;
}
