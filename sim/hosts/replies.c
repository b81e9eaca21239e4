// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/hosts/replies.h"

#include <stdlib.h>

#include "sim/switches/adaptive.h"
#include "sim/model/calendar.h"
#include "support/error.h"

/* Of a host. */
struct replies {
	uint32_t waiting;  /* replies that wait there, or will before anything else happens */
	struct queue held; /* requests */
};

int hd_replies_new(struct hd_model *model, struct hd_error *err)
{
	uint32_t n = model->injection.n_hosts;

	model->injection.replies = calloc(n + (size_t)1, sizeof(*model->injection.replies));
	if (!model->injection.replies)
		return hd_error_nomem(err);
	if (!model->adaptive || !hd_vcs_has_replies(&model->adaptive->routed->vcs) ||
	    model->adaptive->injection_vcs < 2)
		return hd_error_set(
			err, HD_EINVAL,
			"hosts that hold requests need VCs for replies: switch.vcs_terminal "
			"of 2 or more, and routing.vcs such as hop:2/1+2/1");
	if (model->options.consumption > 0 && model->options.consumption < 1)
		return hd_error_set(err, HD_EINVAL,
				    "hosts that hold requests are as fast as their links");
	for (uint32_t host = 0; host < n; host++)
		model->injection.replies[host].held = (struct queue){ HD_NONE, HD_NONE };
	return 0;
}

bool hd_replies_hold(struct hd_model *model, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];
	struct replies *replies = &model->injection.replies[packet->message.to];

	if (packet->message.id == HD_REPLY_ID)
		return false;
	if (replies->waiting < model->options.host_replies) {
		replies->waiting++;
		return false;
	}
	packet->next = HD_NONE;
	if (replies->held.head == HD_NONE)
		replies->held.head = index;
	else
		model->buffers.packets[replies->held.tail].next = index;
	replies->held.tail = index;
	return true;
}

void hd_replies_sent(struct hd_model *model, uint32_t host)
{
	struct replies *replies = &model->injection.replies[host];

	replies->waiting--;
	if (replies->held.head == HD_NONE)
		return;
	replies->waiting++;
	hd_events_post_any(&model->events, HD_EVENT_CONSUMED, 0, model->injection.hosts[host].port,
			   hd_model_pop(model, &replies->held));
}
