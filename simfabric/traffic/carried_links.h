/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What the links of the emulated fabric carry. */
#ifndef HD_TRAFFIC_CARRIED_LINKS_H
#define HD_TRAFFIC_CARRIED_LINKS_H

#include "simfabric/emulator/emulator.h"
#include "sim/model/model.h"

/* The least NeighborMTU of all ports with cables, in bytes; 4096 without any. */
unsigned hd_carried_mtu(const struct hd_emulator *emulator);

/* The class of the link at @port, as in the model; @port_class as in struct hd_model_options. */
enum hd_link_class hd_carried_link_class(const struct hd_fabric *fabric, const uint8_t *port_class,
					 uint32_t port);

/*
 * Picoseconds in which the slowest wired link of each class carries 64 bytes of data, by the
 * current widths and speeds; a class without links is as fast as the slowest of all.
 */
void hd_carried_unit_ticks(const struct hd_emulator *emulator, const uint8_t *port_class,
			   uint32_t ticks[HD_LINK_CLASSES]);

#endif
