/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which of a destination's LIDs a host sends a packet to: what the policies share. */
#ifndef HD_MODEL_HOST_POLICY_H
#define HD_MODEL_HOST_POLICY_H

#include "simfabric/model/state.h"

#define HD_MAX_LIDS (1u << HD_MAX_LMC)

/*
 * The VLs on which packets of @host to host @to may leave, by offset to the base LID, as far as the policy
 * looks at them: returns how many; VL 15: the tables do not let them.
 */
unsigned hd_model_vls_to(const struct hd_model *model, uint32_t host, uint32_t to, uint8_t *vls);

/* The offset that the next packet of @host takes, @n when there is none yet; gives it that LID. */
unsigned hd_model_choose_lid(const struct hd_model *model, uint32_t host, const uint8_t *vls,
			     unsigned n);
void hd_model_take_lid(struct hd_model *model, struct packet *packet, unsigned offset);

#endif
