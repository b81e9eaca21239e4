/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Actions of a part of a traffic, which go on to the user of the whole: all but the messages. */
#ifndef HD_TRAFFIC_ONWARD_H
#define HD_TRAFFIC_ONWARD_H

#include "sim/traffic/traffic.h"

/* The begin of the context that the send() of a part gets. */
struct hd_onward {
	const struct hd_traffic_actions *actions; /* the user's */
	uint64_t until;                           /* the part wakes nobody then, or later */
};

/* The actions for a part: @send, with @onward as its context; @onward must exist as long. */
struct hd_traffic_actions hd_onward_actions(struct hd_onward *onward,
					    void (*send)(void *context,
							 const struct hd_message *message));

#endif
