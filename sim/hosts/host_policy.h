/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which of a destination's LIDs a host sends a packet to: what the policies share. */
#ifndef HD_HOSTS_HOST_POLICY_H
#define HD_HOSTS_HOST_POLICY_H

#include "sim/model/state.h"

#define HD_MAX_LIDS (1u << HD_MAX_LMC)

/*
 * The VLs on which packets of @host to host @to, of messages with @tag, may leave, by offset to the base LID, as far as the
 * policy looks at them; VL 15: the tables drop them. Returns how many there are.
 */
unsigned hd_model_vls_to(const struct hd_model *model, uint32_t host, uint32_t to, uint32_t tag,
			 uint8_t *vls);

/*
 * Chooses the offset of the LID that the next packet of @host takes, and counts its turn; @n: none
 * can be taken now.
 */
unsigned hd_model_choose_lid(const struct hd_model *model, uint32_t host, const uint8_t *vls,
			     unsigned n);
void hd_model_take_lid(struct hd_model *model, struct packet *packet, unsigned offset);

/* Where hd_watches_hosts(): what the policy is told (struct hd_host_policy). */
void hd_host_changed(struct hd_model *model, uint32_t port, const struct packet *sent);
void hd_host_ended(struct hd_model *model, const struct packet *packet);

#endif
