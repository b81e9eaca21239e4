/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Hosts that take in a request only while there is place for the reply to it: while fewer replies
 * than options.host_replies wait there. A request that is not taken in stays in the host's buffer,
 * and its credit is withheld.
 */
#ifndef HD_HOSTS_REPLIES_H
#define HD_HOSTS_REPLIES_H

#include "sim/model/state.h"

int hd_replies_new(struct hd_model *model, struct hd_error *err);

/* Whether its host has to hold packet @index, whose tail has arrived. */
bool hd_replies_hold(struct hd_model *model, uint32_t index);

/* A reply has left @host: HD_EVENT_CONSUMED comes for the request that is held the longest. */
void hd_replies_sent(struct hd_model *model, uint32_t host);

static inline bool hd_has_replies(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->injection.replies;
}

#endif
