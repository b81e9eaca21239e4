/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Shared by the files of the emulator only. */
#ifndef HD_EMULATOR_PRIVATE_H
#define HD_EMULATOR_PRIVATE_H

#include "simfabric/emulator/emulator.h"

#define HD_VLCAP_ONE 1 /* PortInfo's code of one data VL */

static inline const struct hd_emulator_class *hd_class_of(const struct hd_emulator *emulator,
							  uint32_t node)
{
	return hd_is_switch(emulator->fabric, node) ? &emulator->options.switches
						    : &emulator->options.adapters;
}

/* Entries of the tables of @port; none where it has one data VL (PortInfo, 14.2.5.6). */
static inline unsigned hd_vlarb_capacity(const struct hd_emulator *emulator, uint32_t port,
					 bool high)
{
	const struct hd_emulator_class *class =
		hd_class_of(emulator, emulator->fabric->ports[port].node);

	if (emulator->ports[port].vl_cap == HD_VLCAP_ONE)
		return 0;
	return high ? class->vlarb_high : class->vlarb_low;
}

/* The port whose LID, M_Key and subnet manager @port has. */
static inline uint32_t hd_end_port_of(const struct hd_emulator *emulator, uint32_t port)
{
	uint32_t node = emulator->fabric->ports[port].node;

	return hd_is_switch(emulator->fabric, node) ? emulator->fabric->nodes[node].first_port
						    : port;
}

/* Whether @port is a physical port of a switch, rather than a port that owns a LID. */
static inline bool hd_is_external_port(const struct hd_emulator *emulator, uint32_t port)
{
	const struct hd_port *wired = &emulator->fabric->ports[port];

	return wired->number && hd_is_switch(emulator->fabric, wired->node);
}

/* PortInfo's code of an MTU in bytes; 0: there is none. */
uint8_t hd_mtu_code(unsigned mtu);

/* The widths and speeds that the port @index has in the fabric: supported, enabled and active. */
void hd_port_rates(const struct hd_fabric *fabric, uint32_t index, struct hd_emulator_port *port);

/*
 * Adds widths and speeds of @node's links to those that its port @port supports. A fabric tells how
 * links run, not what ports support. So a port supports as much as any other port of its node: then
 * only a link that is slower than its neighbours at both ends looks degraded to diagnostics.
 */
void hd_port_add_supported(const struct hd_fabric *fabric, struct hd_emulator_port *port,
			   uint32_t node);

/* Sets the widths of a port of @lanes; the speed @speed with all slower ones. */
void hd_port_set_width(struct hd_emulator_port *port, unsigned lanes);
void hd_port_set_speed(struct hd_emulator_port *port, enum hd_speed speed);

/*
 * Puts @node into its state after power-up, with all its links down. Its counters are cleared
 * elsewhere, because those of a new emulator are zero and take no memory until a packet is counted.
 */
void hd_node_reset(struct hd_emulator *emulator, uint32_t node);
void hd_node_clear_counters(struct hd_emulator *emulator, uint32_t node);

/*
 * The private states of struct hd_emulator. Each is made for the whole fabric (false: out of
 * memory), reset port by port to its state after power-up, and freed, if it was made.
 */
bool hd_vlarb_new(struct hd_emulator *emulator);
void hd_vlarb_reset(struct hd_emulator *emulator, uint32_t port);
void hd_vlarb_free(struct hd_emulator *emulator);

bool hd_pkeys_new(struct hd_emulator *emulator);
void hd_pkeys_reset(struct hd_emulator *emulator, uint32_t port);
void hd_pkeys_free(struct hd_emulator *emulator);
uint16_t hd_pkeys_capacity(const struct hd_emulator *emulator, uint32_t port);

bool hd_guids_new(struct hd_emulator *emulator);
void hd_guids_reset(struct hd_emulator *emulator, uint32_t port);
void hd_guids_free(struct hd_emulator *emulator);
uint8_t hd_guids_capacity(const struct hd_emulator *emulator, uint32_t port);

bool hd_mkeys_new(struct hd_emulator *emulator);
void hd_mkeys_reset(struct hd_emulator *emulator, uint32_t port);
void hd_mkeys_free(struct hd_emulator *emulator);

bool hd_traps_new(struct hd_emulator *emulator);
void hd_traps_reset(struct hd_emulator *emulator, uint32_t port);
void hd_traps_free(struct hd_emulator *emulator);

bool hd_pma_new(struct hd_emulator *emulator);
void hd_pma_reset(struct hd_emulator *emulator, uint32_t port);
void hd_pma_free(struct hd_emulator *emulator);

#endif
