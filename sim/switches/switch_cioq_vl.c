// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The combined input- and output-queued switch with a queue for each VL before the link. The
 * crossbar is that of switch_cioq.h. A packet enters it when its queue has room, whatever the next
 * buffer has; it leaves by the link when there is room for it. So a head whose next buffer is full
 * makes way for those behind it, as far as its queue has room, and holds up no other VL.
 *
 * A link begins its next packet when all events of a tick are through, as switches are matched then:
 * so the order of a tick's events does not matter. The scheduler chooses among the VLs whose first
 * packet has credits. Room in a queue is free when the link has sent the packet.
 */
#include <stdlib.h>
#include <string.h>

#include "sim/model/domains.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "sim/switches/switch_cioq.h"
#include "support/error.h"
#include "support/memory.h"

/* The events of this switch model. */
enum {
	CROSSED, /* a: out-port, b: reference of the in-lane, which the tail of a packet has left */
	READY,   /* a: out-port, b: packet; its head is at the end of the queue before the link */
};

#define NO_VL HD_MAX_VCS

/* The queue of a VL before a link. */
struct link_queue {
	struct queue queue;
	uint32_t room; /* units; a packet has its room from entering the crossbar on */
};

/* An out-port. */
struct link {
	uint32_t waiting;  /* VLs with packets in their queues, a bit each */
	uint32_t sending;  /* units of the packet on the link; 0: it is idle */
	uint32_t crossing; /* of the packet that enters a queue */
	uint8_t vl;        /* of the packet on the link */
	uint8_t turn;      /* the VL where the search for the next packet begins */
};

struct own {
	struct link *links;        /* [port] */
	struct link_queue *queues; /* [out-lane] */
	uint64_t *tries;           /* [switch * words] out-ports whose link may begin a packet */
	unsigned ready_line;
};

static struct own *own_of(const struct hd_model *model)
{
	return model->own;
}

static struct link *link_of(const struct hd_model *model, uint32_t out)
{
	return own_of(model)->links + out;
}

static struct link_queue *queue_of(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return own_of(model)->queues + out * (size_t)model->n_vls + vl;
}

static uint64_t *tries_of(const struct hd_model *model, uint32_t at)
{
	return own_of(model)->tries + at * (size_t)model->words;
}

static int check(const struct hd_model_options *options, struct hd_error *err)
{
	int ret = hd_cioq_check_outputs(options, err);

	if (!ret && options->buffering->by_destination)
		ret = hd_error_set(err, HD_EINVAL,
				   "queues by destination have credits of their own at the "
				   "crossbar: cioq with queues=port");
	return ret;
}

static int make(struct hd_model *model, struct hd_error *err)
{
	const size_t n = model->network.n_ports + (size_t)1;
	const size_t n_tries = (model->network.n_switches + (size_t)1) * model->words;
	struct own *own = calloc(1, sizeof(*own));

	model->own = own;
	if (!own)
		return hd_error_nomem(err);
	own->links = calloc(n, sizeof(*own->links));
	own->queues = hd_alloc_large(n * model->n_vls * sizeof(*own->queues));
	own->tries = calloc(n_tries, sizeof(*own->tries));
	if (!own->links || !own->queues || !own->tries)
		return hd_error_nomem(err);
	own->ready_line = hd_events_line(&model->events, HD_EVENT_OWN + READY,
					 model->options.crossbar_latency);
	return 0;
}

static void free_all(struct hd_model *model)
{
	struct own *own = own_of(model);

	free(own->links);
	free(own->queues);
	free(own->tries);
	free(own);
}

static uint32_t make_port(struct hd_model *model, uint32_t out)
{
	uint32_t room = model->options.links[hd_sender(model, out)->link_class].output;

	for (unsigned vl = 0; vl < model->n_vls; vl++)
		*queue_of(model, out, vl) = (struct link_queue){ { HD_NONE, HD_NONE }, room };
	return room;
}

static uint32_t queue_room(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return queue_of(model, out, vl)->room;
}

static void claim(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	queue_of(model, out, vl)->room -= size;
	hd_observe_output(model, out, size);
}

/* The room is that of the packet's VL, which the machine has looked at. */
static bool has_room(struct hd_model *model, uint32_t out, uint32_t size)
{
	(void)model;
	(void)out;
	(void)size;
	return true;
}

static void take(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane)
{
	uint32_t size = model->buffers.packets[packet].message.size, in = lane_port(in_lane);
	uint32_t faster =
		hd_has_rates(model) && unit_ticks(model, in) < unit_ticks(model, out) ? in : out;

	link_of(model, out)->crossing = size;
	hd_wire_post(model, HD_EVENT_OWN + CROSSED, hd_cioq_rate(model, faster), out, in_lane, size,
		     hd_cioq_ticks_to_cross);
	hd_events_post(&model->events, own_of(model)->ready_line, out, packet);
}

/* The link of @out may begin a packet when the events of this tick are through. */
static void try_link(struct hd_model *model, uint32_t out)
{
	const uint32_t at = hd_switch_of(model, out);
	uint64_t *tries = tries_of(model, at);

	if (!hd_any_bit(tries, model->words))
		model->dirty[model->n_dirty++] = HD_LINKS_OF + at;
	set_bit(tries, model->words, hd_local(model, out));
}

static void ready(struct hd_model *model, uint32_t out, uint32_t packet)
{
	struct packet *packets = model->buffers.packets;
	struct link *link = link_of(model, out);
	unsigned vl = packets[packet].out_vl;
	struct queue *queue = &queue_of(model, out, vl)->queue;

	packets[packet].next = HD_NONE;
	if (queue->head == HD_NONE)
		queue->head = packet;
	else
		packets[queue->tail].next = packet;
	queue->tail = packet;
	link->waiting |= UINT32_C(1) << vl;
	try_link(model, out);
}

static void event(struct hd_model *model, unsigned kind, uint32_t a, uint32_t b)
{
	if (kind == READY) {
		ready(model, a, b);
		return;
	}
	hd_model_return_credit(model, lane_port(b), lane_vl(b), link_of(model, a)->crossing, 0);
	hd_model_both_done(model, a, lane_port(b));
}

/* The link of @out has sent its packet. */
static void sent(struct hd_model *model, uint32_t out, uint32_t size)
{
	struct link *link = link_of(model, out);

	queue_of(model, out, link->vl)->room += size;
	link->sending = 0;
	hd_observe_output(model, out, -(int64_t)size);
	if (model->adaptive)
		hd_adaptive_open(model, out, link->vl);
	else if (hd_is_wanted(model, out))
		hd_model_mark_out(model, out);
	if (link->waiting)
		try_link(model, out);
}

static const struct packet *first_of(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return hd_head(model, &queue_of(model, out, vl)->queue);
}

/* The VL whose first packet the idle link of @out sends; NO_VL: none can go. */
static unsigned choose_vl(struct hd_model *model, uint32_t out)
{
	const struct hd_scheduler *scheduler = hd_scheduler(model);
	const struct link *link = link_of(model, out);
	uint32_t later = link->waiting >> link->turn << link->turn, able = 0;

	/* those from the turn on, then those before it */
	for (uint64_t bits = (uint64_t)(link->waiting ^ later) << 32 | later; bits;
	     bits &= bits - 1) {
		unsigned vl = (unsigned)__builtin_ctzll(bits) % 32;

		if (!hd_model_has_room(model, out, vl, first_of(model, out, vl)->message.size))
			continue;
		if (!scheduler)
			return vl;
		able |= UINT32_C(1) << vl;
	}
	if (able) {
		unsigned vl = scheduler->next(model, out, able, link->turn);

		return able >> vl & 1 ? vl : NO_VL; /* none: no table serves these VLs */
	}
	return NO_VL;
}

/* The first packet of @vl goes onto the link of @out. */
static void begin(struct hd_model *model, uint32_t out, unsigned vl)
{
	struct link *link = link_of(model, out);
	struct queue *queue = &queue_of(model, out, vl)->queue;
	uint32_t index = hd_model_pop(model, queue);
	uint32_t size = model->buffers.packets[index].message.size;

	if (queue->head == HD_NONE)
		link->waiting &= ~(UINT32_C(1) << vl);
	hd_model_end_stall(model, out);
	hd_model_use_credits(model, out, vl, size);
	link->turn = hd_next_turn(vl, model->n_vls);
	link->vl = (uint8_t)vl;
	link->sending = size;
	if (hd_scheduler(model))
		hd_scheduler(model)->sent(model, out, vl, size);
	hd_model_transmit(model, index, out, size);
}

static void serve_link(struct hd_model *model, uint32_t out)
{
	const struct link *link = link_of(model, out);
	unsigned vl;

	if (link->sending || !link->waiting)
		return;
	vl = choose_vl(model, out);
	if (vl != NO_VL)
		begin(model, out, vl);
	else
		hd_model_stall(model, out, link->waiting);
}

/* Serves the links of switch @at that were marked. */
static void send_all(struct hd_model *model, uint32_t at)
{
	uint64_t *tries = tries_of(model, at);
	const uint32_t first = hd_first_port(model, at);

	for (unsigned w = 0; w < model->words; w++) {
		uint64_t outs = tries[w];

		tries[w] = 0;
		for (; outs; outs &= outs - 1)
			serve_link(model, first + w * 64 + (uint32_t)__builtin_ctzll(outs));
	}
}

static uint64_t crossing(const struct hd_model *model, uint32_t in, uint32_t out)
{
	(void)in;
	(void)out;
	return model->options.crossbar_latency;
}

static uint32_t waiting(const struct hd_model *model, uint32_t out)
{
	return link_of(model, out)->waiting;
}

/* Waits are counted at the link: heads at in-ports wait for no link. */
static bool is_crossing(const struct hd_model *model, uint32_t out)
{
	(void)model;
	(void)out;
	return true;
}

static uint32_t held(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const struct link *link = link_of(model, out);
	uint32_t most = model->options.links[hd_sender(model, out)->link_class].output;

	return most - queue_room(model, out, vl) - (link->vl == vl ? link->sending : 0);
}

static uint32_t first_waits(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const struct link *link = link_of(model, out);

	if (!(link->waiting >> vl & 1) || (link->sending && link->vl == vl))
		return 0;
	return first_of(hd_model_at(model, out), out, vl)->message.size;
}

static void ahead(const struct hd_model *model, unsigned kind, uint32_t a, uint32_t b,
		  unsigned step)
{
	if (step != HD_AHEAD_FIRST)
		return;
	__builtin_prefetch(link_of(model, a));
	__builtin_prefetch(queue_of(model, a, 0));
	__builtin_prefetch(hd_sender(model, a));
	if (kind == HD_EVENT_OWN + CROSSED)
		__builtin_prefetch(hd_receiver(model, lane_port(b)));
	else if (kind == HD_EVENT_OWN + READY)
		__builtin_prefetch(&model->buffers.packets[b]);
}

static const char *verify_queue(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const struct packet *packets = hd_model_at(model, out)->buffers.packets;
	const struct link *link = link_of(model, out);
	const struct link_queue *queue = queue_of(model, out, vl);
	uint64_t units = link->vl == vl ? link->sending : 0;

	if ((queue->queue.head != HD_NONE) != (link->waiting >> vl & 1))
		return "packets wait for its link, or not, by mistake";
	for (uint32_t at = queue->queue.head; at != HD_NONE; at = packets[at].next) {
		if (packets[at].out_vl != vl)
			return "a packet waits in the queue of another VL";
		units += packets[at].message.size;
	}
	if (units + queue->room > model->options.links[hd_sender(model, out)->link_class].output)
		return "a queue before its link has more room than there is";
	return NULL;
}

static const char *verify(const struct hd_model *model, uint32_t out)
{
	const struct link *link = link_of(model, out);
	uint64_t held_units = 0;

	for (unsigned vl = 0; vl < model->n_vls; vl++) {
		const char *wrong = verify_queue(model, out, vl);

		if (wrong)
			return wrong;
		held_units += held(model, out, vl);
	}
	if (held_units && !link->waiting && !link->crossing)
		return "queues before its link hold packets that are nowhere";
	if (has_bit(tries_of(model, hd_switch_of(model, out)), model->words, hd_local(model, out)))
		return "its link is still to be looked at";
	return NULL;
}

const struct hd_switch_model hd_switch_cioq_vl = {
	.policy.name = "cioq",
	.policy.summary = "cioq with a queue for each VL before the link",
	.check = check,
	.make = make,
	.free = free_all,
	.make_port = make_port,
	.crossing = crossing,
	.waiting = waiting,
	.has_room = has_room,
	.queue_room = queue_room,
	.claim = claim,
	.credited = try_link,
	.send = send_all,
	.held = held,
	.first_waits = first_waits,
	.take = take,
	.is_crossing = is_crossing,
	.sent = sent,
	.event = event,
	.ahead = ahead,
	.verify = verify,
};
