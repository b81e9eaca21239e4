// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/credits.h"

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
