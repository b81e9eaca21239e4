/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Links that go down and come back. Ports whose link trains are in state Init, and switches that
 * see a change tell the subnet manager (PortStateChange and trap 128).
 */
#ifndef HD_EMULATOR_LINK_STATE_H
#define HD_EMULATOR_LINK_STATE_H

#include "simfabric/emulator/emulator.h"

/*
 * Trains or drops the link at @port, at both ends, after plug, peer, physical states or switch
 * power changed: state Init with negotiated width, speed and VLs where both ends can, otherwise
 * Down. Tells the subnet manager of changes.
 */
void hd_link_update(struct hd_emulator *emulator, uint32_t port);

/* Unplugs the link at @port; false: there is none. The wiring is remembered. */
bool hd_link_unplug(struct hd_emulator *emulator, uint32_t port);

/* Plugs it back as the netfile wires it; false: not unplugged, or its other end is in use. */
bool hd_link_replug(struct hd_emulator *emulator, uint32_t port);

/* Plugs a cable between two ports that have none; false: one has. */
bool hd_link_plug(struct hd_emulator *emulator, uint32_t port, uint32_t other);

/* Whether both ends are up: packets pass (subnet management from Init on, others when Active). */
static inline bool hd_link_is_up(const struct hd_emulator *emulator, uint32_t port)
{
	return emulator->ports[port].physical == HD_PHYSICAL_LINK_UP &&
	       emulator->ports[port].peer != HD_NONE;
}

#endif
