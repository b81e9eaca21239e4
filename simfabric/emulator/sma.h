/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The attributes of the subnet management agent (14.2.5), a file for each group of them. */
#ifndef HD_EMULATOR_SMA_H
#define HD_EMULATOR_SMA_H

#include "simfabric/emulator/smp.h"

/*
 * Each acts on @smp and leaves the attribute, as it is now, in smp->data; returns the status of the
 * answer. A Set with another status than HD_STATUS_OK changed nothing.
 */
unsigned hd_sma_get_node_info(struct hd_smp *smp);
unsigned hd_sma_get_node_description(struct hd_smp *smp);
unsigned hd_sma_get_switch_info(struct hd_smp *smp);
unsigned hd_sma_set_switch_info(struct hd_smp *smp);
unsigned hd_sma_get_port_info(struct hd_smp *smp);
unsigned hd_sma_set_port_info(struct hd_smp *smp);
unsigned hd_sma_extended_port_info(struct hd_smp *smp);
unsigned hd_sma_get_linear_table(struct hd_smp *smp);
unsigned hd_sma_set_linear_table(struct hd_smp *smp);
/* Those of sma_ar.c, for switches that have adaptive routing. */
unsigned hd_sma_get_general_info(struct hd_smp *smp);
unsigned hd_sma_get_extended_node_info(struct hd_smp *smp);
unsigned hd_sma_set_extended_node_info(struct hd_smp *smp);
unsigned hd_sma_get_extended_switch_info(struct hd_smp *smp);
unsigned hd_sma_set_extended_switch_info(struct hd_smp *smp);
unsigned hd_sma_get_hierarchy_info(struct hd_smp *smp);
unsigned hd_sma_set_hierarchy_info(struct hd_smp *smp);
unsigned hd_sma_get_ar_info(struct hd_smp *smp);
unsigned hd_sma_set_ar_info(struct hd_smp *smp);
unsigned hd_sma_get_ar_groups(struct hd_smp *smp);
unsigned hd_sma_set_ar_groups(struct hd_smp *smp);
unsigned hd_sma_get_ar_lft(struct hd_smp *smp);
unsigned hd_sma_set_ar_lft(struct hd_smp *smp);
unsigned hd_sma_get_hbf(struct hd_smp *smp);
unsigned hd_sma_set_hbf(struct hd_smp *smp);
unsigned hd_sma_get_multicast_table(struct hd_smp *smp);
unsigned hd_sma_set_multicast_table(struct hd_smp *smp);
unsigned hd_sma_get_sl2vl(struct hd_smp *smp);
unsigned hd_sma_set_sl2vl(struct hd_smp *smp);
unsigned hd_sma_get_vlarb(struct hd_smp *smp);
unsigned hd_sma_set_vlarb(struct hd_smp *smp);
unsigned hd_sma_get_pkeys(struct hd_smp *smp);
unsigned hd_sma_set_pkeys(struct hd_smp *smp);
unsigned hd_sma_get_guids(struct hd_smp *smp);
unsigned hd_sma_set_guids(struct hd_smp *smp);

/* Makes room for @lids in the linear table of @sw. False: out of memory. */
bool hd_linear_table_reserve(struct hd_emulator_switch *sw, uint32_t lids);

/* Writes PortInfo from smp->data to the port @index; smp->data is not changed. */
unsigned hd_sma_write_port(struct hd_smp *smp, uint32_t index);

/*
 * Whether @packet, for the end port @port, may act (14.2.4). If not, the violation is counted, the
 * lease begins and trap 256 is sent.
 */
bool hd_mkey_check(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet);
/* M_Key, protect bits or lease period of @port were written: a lease that runs is over. */
void hd_mkey_written(struct hd_emulator *emulator, uint32_t port);

/* Whether a Get that says @mkey is shown the M_Key of @port. */
bool hd_mkey_visible(const struct hd_emulator *emulator, uint32_t port, uint64_t mkey);

#endif
