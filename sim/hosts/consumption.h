/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Hosts that are slower than their links. */
#ifndef HD_HOSTS_CONSUMPTION_H
#define HD_HOSTS_CONSUMPTION_H

#include "sim/model/state.h"

int hd_consumers_new(struct hd_model *model, struct hd_error *err);

/*
 * Whether host port @port needs longer for packet @index, whose tail has arrived; if so,
 * HD_EVENT_CONSUMED comes when the host has taken it in.
 */
bool hd_consumer_takes_longer(struct hd_model *model, uint32_t port, uint32_t index);

#endif
