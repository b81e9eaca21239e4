/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Adds the packets of a model to the counters of the emulated ports: of the sending port, and of
 * the port at the other end.
 */
#ifndef HD_TRAFFIC_CARRIED_COUNTERS_H
#define HD_TRAFFIC_CARRIED_COUNTERS_H

#include "simfabric/traffic/fabric_view.h"
#include "sim/model/model.h"

struct hd_carried_counters;

/*
 * For models of @view; @unit_ticks is by class, @port_class as in struct hd_model_options. All
 * three and @emulator must outlive it. HD_ENOMEM.
 */
int hd_carried_counters_new(struct hd_emulator *emulator, const struct hd_carried_view *view,
			    const uint8_t *port_class, const uint32_t *unit_ticks,
			    struct hd_carried_counters **counters, struct hd_error *err);
void hd_carried_counters_free(struct hd_carried_counters *counters);

/*
 * Adds what @model, always the same, did since the last call. A packet is counted at both ends of a
 * link when it begins to leave. Data is counted in words of 4 bytes, waits in the time that a word
 * takes on the link.
 */
void hd_carried_counters_add(struct hd_carried_counters *counters, const struct hd_model *model);

/*
 * Counts a packet from the end port @source to the end port @to that is lost at @source. If a
 * switch has no next hop, PortRcvSwitchRelayErrors of the in-port counts it; if the out-port has no
 * active link or no such VL, PortXmitDiscards of the out-port. False: no counter, because without a
 * path record the packet was never sent.
 */
bool hd_carried_count_loss(struct hd_carried_counters *counters, uint32_t source, uint32_t to);

/*
 * The same for a packet of @model that was not lost at its host. If the tables have no next hop, as
 * above; else PortXmitDiscards of the port that sent it to the place of the loss. A packet that is
 * lost on a link is not received at the other end.
 */
void hd_carried_count_loss_at(struct hd_carried_counters *counters, const struct hd_model *model,
			      const struct hd_model_loss *loss);

#endif
