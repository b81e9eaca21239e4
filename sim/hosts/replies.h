/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Hosts that take in a request only if there is room for its reply: while fewer than
 * options.host_replies replies wait. Another request stays in the host's buffer, without a credit
 * for its sender.
 */
#ifndef HD_HOSTS_REPLIES_H
#define HD_HOSTS_REPLIES_H

#include "sim/model/state.h"

int hd_replies_new(struct hd_model *model, struct hd_error *err);

/* Whether its host has to hold packet @index, whose tail has arrived. */
bool hd_replies_hold(struct hd_model *model, uint32_t index);

/* A reply has left @host: HD_EVENT_CONSUMED comes for the request that waits longest. */
void hd_replies_sent(struct hd_model *model, uint32_t host);

static inline bool hd_has_replies(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->injection.replies;
}

#endif
