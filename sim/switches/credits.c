// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/credits.h"

#include "sim/model/domains.h"

void hd_model_return_out_of_turn(struct hd_model *model, uint32_t in, unsigned vl, uint32_t size,
				 unsigned destination)
{
	struct receiver *receiver = hd_receiver(model, in);

	hd_observe_buffer(model, receiver->peer, vl, -(int64_t)size);
	hd_model_send_credit(model, in, vl, size, destination);
}

/*
 * With DAMQ a VL uses its reserved units first, and gives them back last: its units in excess of
 * them are shared.
 */
void hd_model_use_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	uint32_t *credits = &hd_sender(model, out)->credits[vl];
	uint32_t own = size < *credits ? size : *credits;

	model->sharing.left[out] -= size - own;
	model->sharing.occupied[out * (size_t)model->n_vls + vl] += size;
	*credits -= own;
}

void hd_model_give_back_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	struct sender *sender = hd_sender(model, out);
	uint32_t reserved = model->sharing.reserved[sender->link_class];
	uint32_t *occupied = &model->sharing.occupied[out * (size_t)model->n_vls + vl];
	uint32_t excess = *occupied > reserved ? *occupied - reserved : 0;
	uint32_t own = size > excess ? size - excess : 0;

	model->sharing.left[out] += size - own;
	*occupied -= size;
	sender->credits[vl] += own;
}

bool hd_model_begins_in_step(const struct hd_model_options *options)
{
	if (options->routed)
		return false;
	for (unsigned i = 0; i < HD_LINK_CLASSES && options->iterations; i++)
		if (!options->cycle || options->links[i].propagation % options->cycle)
			return false;
	return true;
}

/* Whether the thread of @model runs the port at @out's link that is a switch's. */
static bool is_own(const struct hd_model *model, uint32_t out)
{
	uint32_t port = hd_is_switch_port(model, out) ? out : hd_sender(model, out)->peer;

	return hd_model_at(model, port) == model;
}

void hd_model_leave_step(struct hd_model *model, uint64_t now)
{
	const struct hd_switch_model *hooks = hd_switch_hooks(model);

	/* what was due before is there; what is due now comes with the events of now */
	model->events.now = now - 1;
	model->in_step = false;
	model->eager_credits = true;
	for (uint32_t out = 0; out < model->network.n_ports; out++) {
		struct receiver *receiver;

		/* is_cut is beside bits that the port's own thread writes */
		if (!hd_is_port(model, out) || !is_own(model, out) || hd_sender(model, out)->is_cut)
			continue;
		if (hooks && hooks->leave_step && hd_is_switch_port(model, out))
			hooks->leave_step(model, out, now);
		hd_model_collect_credits(model, out);
		receiver = hd_receiver(model, hd_sender(model, out)->peer);
		for (unsigned i = 0; i < 2; i++)
			hd_credit_watch(model, out, &receiver->on_way[i]);
	}
}
