/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Credits: the room in the buffer at the other end of a link, per VL. The sender counts the room
 * that it uses. Room that becomes free is noted at the receiver. The sender looks it up there when
 * it has too few credits, usually once for as many packets as the buffer holds. So a credit needs
 * neither an event nor a look at another port. Only while a head waits for a sender's credits, each
 * credit is an event.
 */
#ifndef HD_SWITCHES_CREDITS_H
#define HD_SWITCHES_CREDITS_H

#include "sim/switches/adaptive.h"
#include "sim/switches/arrival_choice.h"
#include "sim/model/mail.h"
#include "sim/model/observers.h"
#include "sim/switches/voqnet.h"
#include "sim/model/transmission.h"

/* Units of room on @vl that @out knows of in the next buffer. */
static inline uint32_t hd_model_room(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const struct sender *sender = hd_sender(model, out);
	uint32_t room = sender->credits[vl], most;

	if (!hd_has_sharing(model))
		return room;
	room += model->sharing.left[out];
	most = model->sharing.most[sender->link_class] -
	       model->sharing.occupied[out * (size_t)hd_n_vls(model) + vl];
	return room < most ? room : most;
}

/* @credit has arrived: the sender will look it up. */
static inline void hd_credit_land(struct receiver *receiver, struct due_credit *credit)
{
	receiver->returned[credit->vl] += credit->units;
	*credit = (struct due_credit){ 0 };
}

/* DAMQ */
void hd_model_use_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);
void hd_model_give_back_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);

/* Gives @out the credits that arrived for it until now. */
static inline void hd_model_collect_credits(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);
	struct receiver *receiver = hd_receiver(model, sender->peer);

	if (sender->is_cut) /* each credit is an event */
		return;
	for (unsigned i = 0; i < 2; i++)
		if (receiver->on_way[i].due <= model->events.now)
			hd_credit_land(receiver, &receiver->on_way[i]);
	for (unsigned vl = 0; vl < hd_n_vls(model); vl++) {
		if (hd_has_sharing(model))
			hd_model_give_back_shared(model, out, vl, receiver->returned[vl]);
		else
			sender->credits[vl] += receiver->returned[vl];
		receiver->returned[vl] = 0;
	}
}

/* @credit, which is on its way to @out, becomes an event. */
static inline void hd_credit_watch(struct hd_model *model, uint32_t out, struct due_credit *credit)
{
	if (credit->units)
		hd_events_post_any(&model->events, HD_EVENT_CREDIT, credit->due - model->events.now,
				   lane_ref(out, credit->vl), credit->units);
	*credit = (struct due_credit){ 0 };
}

/*
 * Whether @out lacks credits for @size on @vl. If so, credits on their way to @out become events.
 */
static inline bool hd_model_starves(struct hd_model *model, uint32_t out, unsigned vl,
				    uint32_t size)
{
	struct sender *sender = hd_sender(model, out);
	struct receiver *receiver;

	hd_model_collect_credits(model, out);
	if (hd_model_room(model, out, vl) >= size)
		return false;
	sender->alert |= HD_STARVED;
	if (sender->is_cut)
		return true;
	receiver = hd_receiver(model, sender->peer);
	receiver->is_watched = true;
	for (unsigned i = 0; i < 2; i++)
		hd_credit_watch(model, out, &receiver->on_way[i]);
	return true;
}

static inline bool hd_model_has_room(struct hd_model *model, uint32_t out, unsigned vl,
				     uint32_t size)
{
	return hd_model_room(model, out, vl) >= size || !hd_model_starves(model, out, vl, size);
}

/*
 * A matching with a limit of iterations may leave pairs that could go; it tries them again a cycle
 * later. What comes to the switch before that, needed or not, would make it try them at once. While
 * all events come at whole cycles, nothing comes before, and the run is in step: credits that
 * nobody lacks are notes. Without a limit, no pairs are left, and any run is in step.
 */
bool hd_model_begins_in_step(const struct hd_model_options *options);

/* Events do not come at whole cycles from @now on: notes become credits, or events. */
void hd_model_leave_step(struct hd_model *model, uint64_t now);

/* Time goes on to @now, for which there are events. */
static inline void hd_model_keep_step(struct hd_model *model, uint64_t now)
{
	if (!hd_iterations(model) || !model->in_step)
		return;
	model->cycle = now / model->options.cycle;
	if (model->cycle * model->options.cycle != now)
		hd_model_leave_step(model, now);
}

/* A packet of @size will go out of @out on @vl: those know it who choose ports by that. */
static inline void hd_model_choose_out(struct hd_model *model, uint32_t out, unsigned vl,
				       uint32_t size)
{
	if (hd_has_routing(model) && hd_is_switch_port(model, out))
		hd_adaptive_occupy(model, out, vl, size);
	if (hd_may_choose(model) && hd_is_switch_port(model, out))
		model->choice->waiting[out * (size_t)hd_n_vls(model) + vl] -= size;
}

/*
 * A packet of @size begins to take room of @vl in the buffer after @out; hd_model_give_back() ends
 * that. The second function is for packets that go out at once.
 */
static inline void hd_model_use_credits(struct hd_model *model, uint32_t out, unsigned vl,
					uint32_t size)
{
	hd_observe_buffer(model, out, vl, size);
	if (hd_has_sharing(model))
		hd_model_use_shared(model, out, vl, size);
	else
		hd_sender(model, out)->credits[vl] -= size;
}

static inline void hd_model_use(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	hd_model_use_credits(model, out, vl, size);
	hd_model_choose_out(model, out, vl, size);
}

/*
 * What heads at in-ports see of out-port @out: room on @vl in its queue before the link, if there is
 * such a queue, else in the next buffer; whether there is room for @size, as hd_model_has_room();
 * and that a packet takes it.
 */
static inline uint32_t hd_out_room(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return hd_has_link_queues(model) ? hd_switch_hooks(model)->queue_room(model, out, vl)
					 : hd_model_room(model, out, vl);
}

static inline bool hd_out_has_room(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	return hd_has_link_queues(model) ? hd_out_room(model, out, vl) >= size
					 : hd_model_has_room(model, out, vl, size);
}

static inline void hd_out_use(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	if (hd_has_link_queues(model)) {
		hd_switch_hooks(model)->claim(model, out, vl, size);
		hd_model_choose_out(model, out, vl, size);
	} else {
		hd_model_use(model, out, vl, size);
	}
}

static inline void hd_model_give_back(struct hd_model *model, uint32_t out, unsigned vl,
				      uint32_t size)
{
	if (hd_has_sharing(model))
		hd_model_give_back_shared(model, out, vl, size);
	else
		hd_sender(model, out)->credits[vl] += size;
	if (hd_has_routing(model) && hd_is_switch_port(model, out))
		hd_adaptive_occupy(model, out, vl, -(int64_t)size);
}

/* Notes a credit that arrives at @due. False: the credit must be an event instead. */
static inline bool hd_credit_note(struct hd_model *model, struct receiver *receiver, unsigned vl,
				  uint32_t size, uint64_t due)
{
	struct due_credit *on_way = receiver->on_way;

	if (((hd_may_have_iterations() || hd_has_sharing(model)) && model->eager_credits) ||
	    receiver->is_watched || on_way[0].due > model->events.now)
		return false;
	receiver->returned[on_way[0].vl] += on_way[0].units;
	on_way[0] = on_way[1];
	on_way[1] = (struct due_credit){ due, size, (uint8_t)vl };
	return true;
}

/* Posts the credit of @size units that leave the buffer of in-port @in and @vl now. */
static inline void hd_model_send_credit(struct hd_model *model, uint32_t in, unsigned vl,
					uint32_t size, unsigned destination)
{
	const struct receiver *receiver = hd_receiver(model, in);

	if (receiver->is_cut)
		hd_mail_credit(model, in, vl, size);
	else
		hd_events_post(&model->events, receiver->credit_line, lane_ref(receiver->peer, vl),
			       hd_has_voqnet(model) ? hd_voqnet_pack(size, destination) : size);
}

/*
 * @size units of the buffer of in-port @in and @vl are free. Their credit arrives after the delay
 * of the receiver's credit line; credits of one in-port arrive in the order in which they were
 * returned. With queues by destination, the credits are those of @destination.
 */
static inline void hd_model_return_credit(struct hd_model *model, uint32_t in, unsigned vl,
					  uint32_t size, unsigned destination)
{
	struct receiver *receiver = hd_receiver(model, in);
	struct hd_events *events = &model->events;

	if (!hd_credit_note(model, receiver, vl, size,
			    events->now + events->lines[receiver->credit_line].delay))
		hd_model_send_credit(model, in, vl, size, destination);
	hd_observe_buffer(model, receiver->peer, vl, -(int64_t)size);
	if (hd_has_routing(model) && hd_is_switch_port(model, in))
		hd_adaptive_left(model, in, vl);
}

/*
 * The same for a packet that begins to leave now, and whose tail leaves after @ticks; until its
 * credit arrives, it takes @to_return.
 */
static inline void hd_model_return_after(struct hd_model *model, uint32_t in, unsigned vl,
					 uint32_t size, uint64_t ticks, hd_sized_ticks to_return)
{
	struct receiver *receiver = hd_receiver(model, in);
	const struct hd_events *events = &model->events;

	ticks += events->lines[receiver->credit_line].delay;
	if (hd_credit_note(model, receiver, vl, size, events->now + ticks))
		return;
	if (receiver->is_cut)
		hd_mail_early_credit(model, in, vl, size, ticks);
	else
		hd_model_post_credit(model, receiver, vl, size, to_return);
}

/* As hd_model_return_credit(), for a packet that is dropped while another one may be leaving. */
void hd_model_return_out_of_turn(struct hd_model *model, uint32_t in, unsigned vl, uint32_t size,
				 unsigned destination);

#endif
