/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Common parts of host policies, which choose one of a destination's LIDs for a packet. */
#ifndef HD_HOSTS_HOST_POLICY_H
#define HD_HOSTS_HOST_POLICY_H

#include "sim/model/state.h"

#define HD_MAX_LIDS (1u << HD_MAX_LMC)

/*
 * The VLs of packets of @host to host @to, of messages with @tag, by LMC offset, if the policy
 * looks at them; VL 15: the tables drop the packets. Returns the number of offsets.
 */
unsigned hd_model_vls_to(const struct hd_model *model, uint32_t host, uint32_t to, uint32_t tag,
			 uint8_t *vls);

/* Chooses the LMC offset for a packet of @message, which its host sends next; @n: no LID now. */
unsigned hd_model_choose_lid(const struct hd_model *model, const struct hd_message *message,
			     const uint8_t *vls, unsigned n);
void hd_model_take_lid(struct hd_model *model, struct packet *packet, unsigned offset);

/* If hd_watches_hosts(): tells the policy (struct hd_host_policy). */
void hd_host_changed(struct hd_model *model, uint32_t port, const struct packet *sent);
void hd_host_ended(struct hd_model *model, const struct packet *packet);

#endif
