// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Nodes that go off and on, and what a node holds after power-up, before a subnet manager writes to
 * it.
 */
#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "simfabric/emulator/link_state.h"
#include "simfabric/emulator/power.h"
#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma_ar.h"
#include "simfabric/emulator/watch.h"

/* ibsim's values, where the specification leaves a choice. */
#define DEFAULT_MKEY_LEASE     4089
#define DEFAULT_SUBNET_TIMEOUT 31
#define DEFAULT_STALL          7
#define MTU_2048               4
#define MTU_1024               3
#define MTU_256                1
#define SWITCH_CAPABILITIES    0x0000C048 /* traps, SL mapping, extended speeds, CapabilityMask2 */
#define ADAPTER_CAPABILITIES   0x0050C048 /* and vendor class, capability mask notices */
#define HAS_HIERARCHY_INFO     0x80000000
#define IS_SM                  0x00000002 /* a client's wish, which stays when the node goes off */

uint8_t hd_mtu_code(unsigned mtu)
{
	for (uint8_t code = 1; code <= 5; code++)
		if (mtu == 128u << code)
			return code;
	return 0;
}

/* The management port of a switch is not wired: its width, speed and MTU mean nothing. */
static void reset_management_port(struct hd_emulator_port *port, bool mtu_given)
{
	port->stall = 0;
	port->state = HD_PORT_ACTIVE;
	port->physical = HD_PHYSICAL_LINK_UP;
	hd_port_set_width(port, 0);
	hd_port_set_speed(port, HD_SPEED_UNKNOWN);
	if (!mtu_given) {
		port->mtu_cap = MTU_1024;
		port->neighbor_mtu = MTU_256;
	}
}

static void reset_port(struct hd_emulator *emulator, uint32_t p)
{
	const struct hd_port *wired = &emulator->fabric->ports[p];
	const struct hd_emulator_class *class = hd_class_of(emulator, wired->node);
	struct hd_emulator_port *port = &emulator->ports[p];
	bool is_switch = hd_is_switch(emulator->fabric, wired->node);

	*port = (struct hd_emulator_port){
		.peer = port->peer,
		.broken = port->broken,
		.capabilities = port->capabilities & IS_SM,
		.state = HD_PORT_DOWN,
		.physical = HD_PHYSICAL_POLLING,
		.down_default = HD_PHYSICAL_POLLING,
		.mtu_cap = class->mtu ? hd_mtu_code(class->mtu) : MTU_2048,
		.vl_cap = hd_vlcap_code(class->vls ? class->vls : wired->vls),
		.stall = DEFAULT_STALL,
	};
	if (!port->vl_cap)
		port->vl_cap = hd_vlcap_code(HD_DEFAULT_VLS);
	port->neighbor_mtu = port->mtu_cap;
	port->operational_vls = port->vl_cap;
	hd_port_rates(emulator->fabric, p, port);
	hd_port_add_supported(emulator->fabric, port, wired->node);
	if (!hd_is_external_port(emulator, p)) {
		port->mkey_lease = DEFAULT_MKEY_LEASE;
		port->subnet_timeout = DEFAULT_SUBNET_TIMEOUT;
		port->capabilities |= is_switch ? SWITCH_CAPABILITIES : ADAPTER_CAPABILITIES;
		if (is_switch && emulator->options.ar)
			port->capabilities |= HAS_HIERARCHY_INFO;
	}
	if (is_switch && !wired->number)
		reset_management_port(port, class->mtu != 0);
	hd_vlarb_reset(emulator, p);
	hd_pkeys_reset(emulator, p);
	hd_guids_reset(emulator, p);
	hd_mkeys_reset(emulator, p);
	hd_traps_reset(emulator, p);
	hd_pma_reset(emulator, p);
}

/* OpenSM's default mapping, which ibsim has as well: SL s on VL s, SL 15 on the highest VL. */
static hd_sl2vl_row first_row(unsigned vls)
{
	return hd_row_set(UINT64_C(0xFEDCBA9876543210), 15, vls - 1);
}

static void reset_sl2vl(struct hd_emulator *emulator, uint32_t n)
{
	const struct hd_node *node = &emulator->fabric->nodes[n];
	unsigned ins = hd_is_switch(emulator->fabric, n) ? node->n_ports + 1u : 1;
	hd_sl2vl_row *row = emulator->sl2vl + emulator->sl2vl_first[n];

	for (unsigned out = 0; out <= node->n_ports; out++) {
		unsigned code = emulator->ports[node->first_port + out].vl_cap;

		for (unsigned in = 0; in < ins; in++)
			*row++ = first_row(hd_vlcap_vls(code));
	}
}

void hd_node_reset(struct hd_emulator *emulator, uint32_t n)
{
	const struct hd_node *node = &emulator->fabric->nodes[n];

	for (unsigned number = 0; number <= node->n_ports; number++)
		reset_port(emulator, node->first_port + number);
	reset_sl2vl(emulator, n);
	if (hd_is_switch(emulator->fabric, n)) {
		struct hd_emulator_switch *sw = &emulator->switches[n];

		hd_switch_ar_reset(sw);
		free(sw->lft);
		free(sw->mft);
		*sw = (struct hd_emulator_switch){ .down = sw->down, .port_state_change = true };
	}
}

void hd_node_clear_counters(struct hd_emulator *emulator, uint32_t n)
{
	const struct hd_node *node = &emulator->fabric->nodes[n];
	size_t n_ports = node->n_ports + (size_t)1;

	memset(&emulator->errors[node->first_port], 0, n_ports * sizeof(*emulator->errors));
	memset(&emulator->counters[node->first_port * (size_t)HD_EMULATOR_VLS], 0,
	       n_ports * HD_EMULATOR_VLS * sizeof(*emulator->counters));
	memset(&emulator->xmit_waits[node->first_port], 0, n_ports * sizeof(*emulator->xmit_waits));
}

/* Trains or drops all links of @node, whose power changed. */
static void update_node(struct hd_emulator *emulator, uint32_t n)
{
	hd_for_each_number(number, emulator->fabric, n)
		hd_link_update(emulator, hd_port_index(emulator->fabric, n, number));
}

static void end_watch(struct hd_emulator *emulator, enum hd_occurrence_kind kind, uint32_t node)
{
	hd_watch_touch(emulator, node);
	hd_watch_end(emulator,
		     &(struct hd_occurrence){ .kind = kind, .node = node, .port = HD_NONE });
}

bool hd_node_off(struct hd_emulator *emulator, uint32_t node)
{
	if (hd_node_is_off(emulator, node))
		return false;
	hd_watch_begin(emulator);
	*hd_off_flag(emulator, node) = true;
	update_node(emulator, node);
	/* the management port of a switch has no link that drops */
	emulator->ports[emulator->fabric->nodes[node].first_port].state = HD_PORT_DOWN;
	end_watch(emulator, HD_OCCURRED_OFF, node);
	return true;
}

bool hd_node_on(struct hd_emulator *emulator, uint32_t node)
{
	if (!hd_node_is_off(emulator, node))
		return false;
	hd_watch_begin(emulator);
	hd_node_reset(emulator, node);
	hd_node_clear_counters(emulator, node);
	*hd_off_flag(emulator, node) = false;
	update_node(emulator, node);
	end_watch(emulator, HD_OCCURRED_ON, node);
	return true;
}
