// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/voqnet.h"

#include <stdlib.h>

#include "support/error.h"
#include "support/memory.h"

/* Queues of all in-ports: more than that are refused, 1.5 GiB of them. */
#define MOST_QUEUES (UINT64_C(1) << 27)

/* Numbers the LIDs of hosts. */
static int number_lids(struct hd_model *model, struct hd_voqnet *voqnet, struct hd_error *err)
{
	voqnet->of_lid = calloc(HD_MAX_LID + (size_t)1, sizeof(*voqnet->of_lid));
	voqnet->host_of = malloc((model->network.n_ports - model->network.first_host_port + 1) *
				 sizeof(*voqnet->host_of));
	if (!voqnet->of_lid || !voqnet->host_of)
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < model->injection.n_hosts; host++) {
		const struct destination *there = &model->injection.destinations[host];

		voqnet->host_of[model->injection.hosts[host].port -
				model->network.first_host_port] = host;
		for (unsigned i = 0; i < 1u << there->lmc; i++)
			voqnet->of_lid[there->lid + i] = (uint16_t)voqnet->n++;
	}
	return 0;
}

static int check_size(const struct hd_model *model, const struct hd_voqnet *voqnet,
		      struct hd_error *err)
{
	const uint64_t ports = model->network.n_ports;
	uint64_t most = 0;

	if (ports * model->n_vls * voqnet->n > MOST_QUEUES)
		return hd_error_set(err, HD_EINVAL,
				    "a queue per destination: %u ports x %u VLs x %u LIDs are %llu "
				    "queues, and there may be %llu",
				    (unsigned)ports, model->n_vls, voqnet->n,
				    (unsigned long long)(ports * model->n_vls * voqnet->n),
				    (unsigned long long)MOST_QUEUES);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (model->options.links[i].buffer > most)
			most = model->options.links[i].buffer;
	if (most * voqnet->n > UINT32_MAX)
		return hd_error_set(err, HD_EINVAL,
				    "a queue per destination: %u queues of %llu units have room "
				    "for more than 2^32",
				    voqnet->n, (unsigned long long)most);
	return 0;
}

/* All queues are empty, so that senders have all credits. */
static void fill(struct hd_model *model, struct hd_voqnet *voqnet)
{
	for (uint32_t out = 0; out < model->network.n_ports; out++) {
		struct sender *sender = hd_sender(model, out);
		uint32_t room;

		if (!hd_is_port(model, out))
			continue;
		room = model->options.links[sender->link_class].buffer;
		for (unsigned vl = 0; vl < model->n_vls; vl++) {
			sender->credits[vl] = room * voqnet->n;
			for (unsigned to = 0; to < voqnet->n; to++)
				hd_voqnet_use(model, out, vl, to, -(int64_t)room);
		}
	}
	for (size_t i = 0; i < hd_voqnet_at(model, model->network.first_host_port, 0) * voqnet->n;
	     i++)
		voqnet->queues[i] = (struct queue){ HD_NONE, HD_NONE };
	/* what a credit's event has room for */
	if (model->buffers.smallest > 0xFFFF)
		model->buffers.smallest = 0xFFFF;
}

int hd_voqnet_new(struct hd_model *model, struct hd_error *err)
{
	struct hd_voqnet *voqnet = model->voqnet = calloc(1, sizeof(*voqnet));
	const size_t lanes = hd_voqnet_at(model, model->network.n_ports, 0),
		     in_lanes = hd_voqnet_at(model, model->network.first_host_port, 0);
	int ret;

	if (!voqnet)
		return hd_error_nomem(err);
	ret = number_lids(model, voqnet, err);
	if (!ret)
		ret = check_size(model, voqnet, err);
	if (ret)
		return ret;
	voqnet->words = (voqnet->n + 63) / 64;
	voqnet->credits = calloc(lanes * voqnet->n + 1, sizeof(*voqnet->credits));
	voqnet->open = calloc(lanes * voqnet->words + 1, sizeof(*voqnet->open));
	voqnet->queues = hd_alloc_large((in_lanes * voqnet->n + 1) * sizeof(*voqnet->queues));
	voqnet->waiting =
		calloc(model->buffers.n_queues * voqnet->words + 1, sizeof(*voqnet->waiting));
	voqnet->leaving = calloc(model->network.n_ports + (size_t)1, sizeof(*voqnet->leaving));
	if (!voqnet->credits || !voqnet->open || !voqnet->queues || !voqnet->waiting ||
	    !voqnet->leaving)
		return hd_error_nomem(err);
	fill(model, voqnet);
	return 0;
}

void hd_voqnet_free(struct hd_voqnet *voqnet)
{
	if (!voqnet)
		return;
	free(voqnet->of_lid);
	free(voqnet->credits);
	free(voqnet->open);
	free(voqnet->queues);
	free(voqnet->waiting);
	free(voqnet->leaving);
	free(voqnet->host_of);
	free(voqnet);
}

size_t hd_voqnet_memory(const struct hd_model *model)
{
	const struct hd_voqnet *voqnet = model->voqnet;

	if (!voqnet)
		return 0;
	return hd_voqnet_at(model, model->network.n_ports, 0) *
		       (voqnet->n * sizeof(*voqnet->credits) +
			voqnet->words * sizeof(*voqnet->open)) +
	       hd_voqnet_at(model, model->network.first_host_port, 0) * voqnet->n *
		       sizeof(*voqnet->queues) +
	       model->buffers.n_queues * voqnet->words * sizeof(*voqnet->waiting);
}

/* Which destinations' heads want the out-port of @queue, which is one of hd_queue(). */
static uint64_t *waiting_for(const struct hd_model *model, const struct queue *queue)
{
	return model->voqnet->waiting +
	       (size_t)(queue - model->buffers.queues) * model->voqnet->words;
}

/* Out-port @out may have something to take from @in that it had not. */
static void alert(struct hd_model *model, uint32_t in, uint32_t out)
{
	struct crossbar *crossbar = hd_crossbar(model, hd_switch_of(model, in));

	if (!has_bit(hd_out_free(crossbar, model->words), model->words, hd_local(model, out)))
		return;
	if (has_bit(hd_in_free(crossbar), model->words, hd_local(model, in)))
		hd_model_mark_out(model, out);
	else
		hd_model_no_turn(model, out);
}

/* The head of the queue of @in, @vl and @destination is @index, a new one. */
static void want(struct hd_model *model, uint32_t in, unsigned vl, unsigned destination,
		 uint32_t index)
{
	const uint32_t out = model->buffers.packets[index].out;
	struct queue *queue = hd_queue(model, in, vl, out);

	set_bit(waiting_for(model, queue), 2, destination);
	if (queue->head != HD_NONE) {
		alert(model, in, out);
		return;
	}
	queue->head = index;
	hd_crossbar_want(model, in, vl, queue);
}

void hd_voqnet_enqueue(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];
	const unsigned destination = hd_voqnet_destination(model, packet);
	struct queue *queue = hd_voqnet_queue(model, port, packet->vl, destination);

	packet->arrived = model->events.now;
	packet->next = HD_NONE;
	if (queue->head != HD_NONE) {
		model->buffers.packets[queue->tail].next = index;
		queue->tail = index;
		return;
	}
	queue->head = queue->tail = index;
	want(model, port, packet->vl, destination, index);
}

/* The first bit of @mask from @first on, then of those before it; none: HD_NONE. */
static uint32_t next_bit(const uint64_t *mask, size_t words, unsigned first)
{
	size_t w = first / 64;
	uint64_t bits = mask[w] & -bit_of(first);

	for (size_t step = 0; step <= words; step++) {
		if (bits)
			return (uint32_t)(w * 64) + (unsigned)__builtin_ctzll(bits);
		w = w + 1 == words ? 0 : w + 1;
		bits = mask[w];
	}
	return HD_NONE;
}

/* Whether @packet could go out of @out, where the credits of its queue are concerned. */
static bool has_room(const struct hd_model *model, uint32_t in, uint32_t out,
		     const struct packet *packet, unsigned destination)
{
	return *hd_voqnet_credits(model, out, packet->out_vl, destination) >=
	       hd_room_needed(model, in, out, packet);
}

/* @index stands in @queue from now on, for others of the same in-port, VL and out-port. */
static void put_forward(struct hd_model *model, uint32_t out, struct queue *queue, uint32_t index)
{
	uint16_t *heads = hd_heads(model, hd_sender(model, out));

	heads[hd_head(model, queue)->out_vl]--;
	queue->head = index;
	heads[hd_head(model, queue)->out_vl]++;
}

bool hd_voqnet_offer(struct hd_model *model, uint32_t in, unsigned vl, uint32_t out, unsigned vls,
		     struct queue *queue)
{
	const struct hd_voqnet *voqnet = model->voqnet;
	const uint64_t *waiting = waiting_for(model, queue);
	const struct hd_switch_model *hooks = hd_switch_hooks(model);
	const unsigned first = hd_voqnet_destination(model, hd_head(model, queue));
	size_t w = first / 64;

	/* destinations from the one whose turn it is on, then those before it; a word at a time */
	for (size_t step = 0; step <= voqnet->words; step++) {
		uint64_t bits = 0;

		for (unsigned v = 0; v < model->n_vls; v++)
			if (vls >> v & 1)
				bits |= voqnet->open[hd_voqnet_at(model, out, v) * voqnet->words +
						     w];
		bits &= waiting[w];
		if (!step)
			bits &= -bit_of(first);
		for (; bits; bits &= bits - 1) {
			unsigned to = (unsigned)(w * 64) + (unsigned)__builtin_ctzll(bits);
			uint32_t index = hd_voqnet_queue(model, in, vl, to)->head;
			const struct packet *packet = &model->buffers.packets[index];

			if (!(vls >> packet->out_vl & 1) || !has_room(model, in, out, packet, to) ||
			    (hooks && !hooks->has_room(model, out, packet->message.size)))
				continue;
			put_forward(model, out, queue, index);
			return true;
		}
		w = w + 1 == voqnet->words ? 0 : w + 1;
	}
	hd_sender(model, out)->alert |= HD_STARVED;
	return false;
}

uint32_t hd_voqnet_pop(struct hd_model *model, uint32_t in, unsigned vl, uint32_t out,
		       struct queue *queue)
{
	struct hd_voqnet *voqnet = model->voqnet;
	const uint32_t index = queue->head;
	const struct packet *packet = &model->buffers.packets[index];
	const unsigned destination = hd_voqnet_destination(model, packet);
	struct queue *own = hd_voqnet_queue(model, in, vl, destination);
	uint64_t *waiting = waiting_for(model, queue);
	uint32_t next;

	voqnet->leaving[out] = (uint16_t)destination;
	hd_voqnet_use(model, out, packet->out_vl, destination, packet->message.size);
	own->head = packet->next;
	if (own->head == HD_NONE || model->buffers.packets[own->head].out != out)
		clear_bit(waiting, 2, destination);
	next = next_bit(waiting, voqnet->words, destination + 1 == voqnet->n ? 0 : destination + 1);
	queue->head = next == HD_NONE ? HD_NONE : hd_voqnet_queue(model, in, vl, next)->head;
	/* where tables send a LID's packets differs by SL at the most */
	if (own->head != HD_NONE && model->buffers.packets[own->head].out != out)
		want(model, in, vl, destination, own->head);
	return index;
}

bool hd_voqnet_host_may_send(struct hd_model *model, uint32_t out, unsigned vl, uint16_t lid,
			     uint32_t size)
{
	if (*hd_voqnet_credits(model, out, vl, model->voqnet->of_lid[lid]) >= size)
		return true;
	hd_sender(model, out)->alert |= HD_STARVED;
	return false;
}

uint32_t hd_voqnet_count(const struct hd_model *model, uint32_t in, unsigned vl)
{
	uint32_t n = 0;

	for (unsigned to = 0; to < model->voqnet->n; to++)
		for (uint32_t i = hd_voqnet_queue(model, in, vl, to)->head; i != HD_NONE;
		     i = model->buffers.packets[i].next)
			n++;
	return n;
}

/* The queues of in-port @in and @vl, and what senders know of their room. */
static const char *verify_queues(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const struct hd_voqnet *voqnet = model->voqnet;
	const uint32_t in = hd_sender(model, out)->peer;
	const uint32_t room = model->options.links[hd_sender(model, out)->link_class].buffer;
	uint64_t sum = 0;

	for (unsigned to = 0; to < voqnet->n; to++) {
		const uint32_t credits = *hd_voqnet_credits(model, out, vl, to);
		uint64_t waiting = 0;

		sum += credits;
		if (credits > room)
			return "a destination has more credits than there is room";
		if (has_bit(&voqnet->open[hd_voqnet_at(model, out, vl) * voqnet->words],
			    voqnet->words, to) != (credits > 0))
			return "the mask of destinations with credits is wrong";
		if (!hd_is_switch_port(model, in))
			continue;
		for (uint32_t i = hd_voqnet_queue(model, in, vl, to)->head; i != HD_NONE;
		     i = model->buffers.packets[i].next) {
			waiting += model->buffers.packets[i].message.size;
			if (hd_voqnet_destination(model, &model->buffers.packets[i]) != to)
				return "a packet is in the queue of another destination";
		}
		if (waiting + credits > room)
			return "a destination has credits for what its packets take";
	}
	/* hosts reserve the room of what they queue for injection */
	return (hd_is_switch_port(model, out) ? sum != hd_sender(model, out)->credits[vl]
					      : sum > hd_sender(model, out)->credits[vl])
		       ? "the credits of destinations are not those of all"
		       : NULL;
}

const char *hd_voqnet_verify(const struct hd_model *model, uint32_t out)
{
	const char *what = NULL;

	for (unsigned vl = 0; vl < model->n_vls && !what; vl++)
		what = verify_queues(model, out, vl);
	return what;
}
