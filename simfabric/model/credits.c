// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/model/credits.h"

/* @credit is with the sender, or will be looked up by it. */
static void land(struct receiver *receiver, struct due_credit *credit)
{
	receiver->returned[credit->vl] += credit->units;
	*credit = (struct due_credit){ 0 };
}

void hd_model_collect_credits(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	struct receiver *receiver = hd_receiver(model, sender->peer);

	for (unsigned i = 0; i < 2; i++)
		if (receiver->on_way[i].due <= model->events.now)
			land(receiver, &receiver->on_way[i]);
	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		sender->credits[vl] += receiver->returned[vl];
		receiver->returned[vl] = 0;
	}
}

bool hd_model_starves(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	struct sender *sender = hd_sender(model, out);
	struct receiver *receiver;

	hd_model_collect_credits(model, out);
	if (hd_model_room(model, out, vl) >= size)
		return false;
	sender->waits |= HD_STARVED;
	receiver = hd_receiver(model, sender->peer);
	receiver->is_watched = true;
	for (unsigned i = 0; i < 2; i++) {
		struct due_credit *credit = &receiver->on_way[i];

		if (credit->units)
			hd_events_post_late(&model->events, HD_EVENT_CREDIT,
					    credit->due - model->events.now,
					    lane_ref(out, credit->vl), credit->units);
		*credit = (struct due_credit){ 0 };
	}
	return true;
}

/* Notes a credit, unless it has to be an event: false. */
static bool note(struct hd_model *model, struct receiver *receiver, unsigned vl, uint32_t size,
		 uint64_t due)
{
	struct due_credit *on_way = receiver->on_way;

	if (model->eager_credits || receiver->is_watched || on_way[0].due > model->events.now)
		return false;
	receiver->returned[on_way[0].vl] += on_way[0].units;
	on_way[0] = on_way[1];
	on_way[1] = (struct due_credit){ due, size, vl };
	return true;
}

void hd_model_return_out_of_turn(struct hd_model *model, uint32_t in, unsigned vl, uint32_t size)
{
	struct receiver *receiver = hd_receiver(model, in);

	if (model->gauges)
		hd_gauge_buffer(model, receiver->peer, vl, -(int64_t)size);
	hd_events_post(&model->events, receiver->credit_line, lane_ref(receiver->peer, vl), size);
}

void hd_model_return_credit(struct hd_model *model, uint32_t in, unsigned vl, uint32_t size)
{
	struct receiver *receiver = hd_receiver(model, in);
	struct hd_events *events = &model->events;

	if (!note(model, receiver, vl, size,
		  events->now + events->lines[receiver->credit_line].delay))
		hd_events_post(events, receiver->credit_line, lane_ref(receiver->peer, vl), size);
	if (model->gauges)
		hd_gauge_buffer(model, receiver->peer, vl, -(int64_t)size);
}

void hd_model_return_after(struct hd_model *model, uint32_t in, unsigned vl, uint32_t size,
			   uint64_t ticks)
{
	struct receiver *receiver = hd_receiver(model, in);
	const struct hd_events *events = &model->events;

	if (!note(model, receiver, vl, size,
		  events->now + ticks + events->lines[receiver->credit_line].delay))
		hd_model_post_credit(model, in, lane_ref(receiver->peer, vl), size);
}

/*
 * With DAMQ a VL uses its reserved units first, and gives them back last: what it has in excess of
 * them is shared.
 */
void hd_model_use_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	uint32_t *credits = &hd_sender(model, out)->credits[vl];
	uint32_t own = size < *credits ? size : *credits;

	model->shared[out] -= size - own;
	model->occupied[out * (size_t)model->n_vls + vl] += size;
	*credits -= own;
}

void hd_model_give_back_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	struct sender *sender = hd_sender(model, out);
	uint32_t reserved = model->reserved[sender->link_class];
	uint32_t *occupied = &model->occupied[out * (size_t)model->n_vls + vl];
	uint32_t excess = *occupied > reserved ? *occupied - reserved : 0;
	uint32_t own = size > excess ? size - excess : 0;

	model->shared[out] += size - own;
	*occupied -= size;
	sender->credits[vl] += own;
}
