// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/mail.h"

#include <stdlib.h>
#include <string.h>

#include "sim/model/domains.h"
#include "sim/model/packets.h"
#include "sim/switches/adaptive.h"
#include "support/memory.h"

#define FEW 64 /* there is room for so many at first */

void hd_mails_empty(struct hd_mails *mails)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		mails->arrivals[i].n = 0;
		mails->credits[i].n = 0;
	}
	mails->early.n = 0;
	mails->first = UINT64_MAX;
}

void hd_mails_free(struct hd_mails *mails)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		free(mails->arrivals[i].events);
		free(mails->packets[i]);
		free(mails->choices[i]);
		free(mails->credits[i].events);
	}
	free(mails->early.events);
}

/* Makes room for one more event of @list. */
static bool has_room(struct hd_mail_list *list)
{
	size_t size = 2 * list->size + FEW;
	struct hd_event *grown;

	if (list->n < list->size)
		return true;
	grown = realloc(list->events, size * sizeof(*grown));
	if (!grown)
		return false;
	list->events = grown;
	list->size = size;
	return true;
}

/* Makes room for one more packet of the links of @link_class. */
static bool has_room_for_packet(const struct hd_model *model, struct hd_mails *mails,
				unsigned link_class)
{
	struct hd_mail_list *list = &mails->arrivals[link_class];
	struct packet **packets = &mails->packets[link_class], *grown;
	struct hd_mail_choice **choices = &mails->choices[link_class], *more = NULL;
	const size_t size = list->size;

	if (list->n < size)
		return true;
	if (!has_room(list))
		return false;
	grown = hd_alloc_large(list->size * sizeof(*grown)); /* aligned, as realloc() is not */
	if (model->adaptive)
		more = realloc(*choices, list->size * sizeof(*more));
	if (more)
		*choices = more;
	if (!grown || (model->adaptive && !more)) {
		free(grown);
		list->size = size;
		return false;
	}
	if (list->n)
		memcpy(grown, *packets, list->n * sizeof(*grown));
	free(*packets);
	*packets = grown;
	return true;
}

/* What packet @index has chosen so far goes to @choice; then the other way around. */
static void write_choice(const struct hd_model *model, uint32_t index,
			 struct hd_mail_choice *choice)
{
	const struct hd_adaptive *a = model->adaptive;

	choice->header = a->headers[index];
	choice->number = a->order.sent ? a->order.number[index] : 0;
}

static void read_choice(struct hd_model *model, uint32_t index, const struct hd_mail_choice *choice)
{
	struct hd_adaptive *a = model->adaptive;

	a->headers[index] = choice->header;
	if (a->order.sent)
		a->order.number[index] = choice->number;
}

/* The mail of @model to the domain of @port, a switch's, where something comes at @time. */
static struct hd_mails *mails_to(struct hd_model *model, uint32_t port, uint64_t time)
{
	struct hd_mails *mails =
		&model->mails[model->domains->of_switch[hd_switch_of(model, port)]];

	if (time < mails->first)
		mails->first = time;
	if (time < model->horizon)
		mails->is_late = true;
	return mails;
}

void hd_mail_packet(struct hd_model *model, uint32_t out, uint32_t index)
{
	const struct sender *sender = hd_sender(model, out);
	uint64_t time = model->events.now + model->events.lines[sender->arrive_line].delay;
	struct hd_mails *mails = mails_to(model, sender->peer, time);
	struct hd_mail_list *list = &mails->arrivals[sender->link_class];

	if (!has_room_for_packet(model, mails, sender->link_class)) {
		model->events.out_of_memory = true;
		return;
	}
	list->line = sender->arrive_line;
	mails->packets[sender->link_class][list->n] = model->buffers.packets[index];
	if (model->adaptive)
		write_choice(model, index, &mails->choices[sender->link_class][list->n]);
	list->events[list->n++] = (struct hd_event){ .time = time, .a = sender->peer };
	hd_model_release(model, index);
}

static void add_credit(struct hd_model *model, struct hd_mail_list *list, uint64_t time,
		       uint32_t out_lane, uint32_t units)
{
	if (has_room(list))
		list->events[list->n++] = (struct hd_event){ time, out_lane, units };
	else
		model->events.out_of_memory = true;
}

void hd_mail_credit(struct hd_model *model, uint32_t in, unsigned vl, uint32_t units)
{
	const struct receiver *receiver = hd_receiver(model, in);
	uint64_t time = model->events.now + model->events.lines[receiver->credit_line].delay;
	struct hd_mails *mails = mails_to(model, receiver->peer, time);
	struct hd_mail_list *list = &mails->credits[hd_sender(model, in)->link_class];

	list->line = receiver->credit_line;
	add_credit(model, list, time, lane_ref(receiver->peer, vl), units);
}

void hd_mail_early_credit(struct hd_model *model, uint32_t in, unsigned vl, uint32_t units,
			  uint64_t delay)
{
	const struct receiver *receiver = hd_receiver(model, in);
	uint64_t time = model->events.now + delay;
	struct hd_mails *mails = mails_to(model, receiver->peer, time);

	add_credit(model, &mails->early, time, lane_ref(receiver->peer, vl), units);
}

/* Gives the packets of @mails that came by links of @link_class places in @model. */
static void take_packets(struct hd_model *model, struct hd_mails *mails, unsigned link_class)
{
	struct hd_mail_list *list = &mails->arrivals[link_class];
	const struct packet *packets = mails->packets[link_class];

	for (size_t i = 0; i < list->n; i++) {
		uint32_t index = hd_model_new_packet(model);

		if (index == HD_NONE) {
			list->n = i;
			return;
		}
		model->buffers.packets[index] = packets[i];
		if (model->adaptive)
			read_choice(model, index, &mails->choices[link_class][i]);
		hd_buffers_note_size(&model->buffers, packets[i].message.size);
		list->events[i].b = index;
	}
}

void hd_mails_take(struct hd_model *model, struct hd_mails *mails)
{
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		struct hd_mail_list *arrivals = &mails->arrivals[i], *credits = &mails->credits[i];

		take_packets(model, mails, i);
		hd_events_merge(&model->events, arrivals->line, arrivals->events, arrivals->n);
		hd_events_merge(&model->events, credits->line, credits->events, credits->n);
	}
	for (size_t i = 0; i < mails->early.n; i++) {
		const struct hd_event *credit = &mails->early.events[i];

		hd_events_post_any(&model->events, HD_EVENT_CREDIT,
				   credit->time - model->events.now, credit->a, credit->b);
	}
}
