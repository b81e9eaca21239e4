/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Switches whose packets choose their paths: arrivals, heads, and the matching of in-ports with
 * out-ports. In-ports go first: each proposes the head of one VC for one out-port, and out-ports
 * choose among the proposals. In-ports that were not chosen try again in the next iteration.
 */
#ifndef HD_SWITCHES_ADAPTIVE_SWITCH_H
#define HD_SWITCHES_ADAPTIVE_SWITCH_H

#include <limits.h>

#include "sim/adaptive/selection.h"
#include "sim/adaptive/ways.h"
#include "sim/switches/adaptive_sight.h"
#include "sim/switches/allocator_input.h"
#include "sim/switches/arrivals.h"
#include "sim/model/look_ahead_adaptive.h"

/* Most iterations of a maximal matching; routings that draw among offers might go on for ever. */
#define MOST_ROUNDS 8

/* An in-port's proposal. */
struct proposal {
	struct choice choice;
	struct hd_offer offer;
	uint32_t out;
	unsigned out_vl;
	bool is_exit; /* to the host */
};

/* The head of in-port @in and @vl of a switch. */
static inline struct adaptive_head *hd_adaptive_head_at(const struct hd_model *model,
							struct adaptive_switch *here, unsigned in,
							unsigned vl)
{
	return &hd_adaptive_heads(model, here)[in * hd_n_vls(model) + vl];
}

/* All out-ports that @view's packet might ever use; @minimal gets the one at which it counts. */
static inline uint64_t hd_adaptive_ports(const struct hd_model *model, const struct hd_view *view,
					 const struct packet *packet, struct hd_header *header,
					 uint8_t *minimal)
{
	const struct hd_routed *routed = model->adaptive->routed;
	struct hd_offer offers[HD_MAX_OFFERS];
	uint64_t ports = 0;
	unsigned n;

	if (view->to == view->at) {
		*minimal = view->shape->forwarding.last_hops[packet->dlid];
		return bit_of(*minimal);
	}
	*minimal = (uint8_t)hd_shape_next(view->shape, view->at, view->target);
	if (routed->routing->enter)
		routed->routing->enter(routed, view, header);
	n = routed->routing->may(routed, view, header, offers);
	for (unsigned i = 0; i < n; i++) {
		ports |= offers[i].ports;
		if (routed->routing->counts_escape && offers[i].is_escape)
			*minimal = (uint8_t)__builtin_ctzll(offers[i].ports);
	}
	return ports;
}

/* The first packet of @queue becomes the head of in-port @in and @vl. */
static inline void hd_adaptive_new_head(struct hd_model *model, uint32_t in, unsigned vl,
					const struct queue *queue)
{
	struct hd_adaptive *a = model->adaptive;
	uint32_t at = hd_switch_of(model, in);
	unsigned local = hd_local(model, in);
	struct adaptive_switch *here = hd_adaptive_switch(model, at);
	struct adaptive_head *head = hd_adaptive_head_at(model, here, local, vl);
	struct hd_sight sight = hd_adaptive_sight(model, at);
	const struct packet *packet = hd_head(model, queue);
	const struct hd_view view = hd_adaptive_view(model, in, packet, &sight);

	head->ports =
		hd_adaptive_ports(model, &view, packet, &a->headers[queue->head], &head->minimal);
	head->heading = HD_NO_GROUP;
	if (a->heading && view.in_class != HD_LINK_LOCAL &&
	    a->shape->group[view.to] != a->shape->group[at])
		head->heading = (uint16_t)a->shape->group[view.to];
	hd_adaptive_useful(model, here)[local] |= head->ports;
	hd_adaptive_vcs(model, here)[local] |= 1u << vl;
	here->waiting |= bit_of(local);
	here->fresh |= bit_of(local);
	if (head->leaving == HD_NO_PORT)
		hd_adaptive_count_head(model, at, head);
}

/* Packet @index waits in in-port @port from now on. */
static inline void hd_adaptive_enqueue(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];
	struct queue *queue = hd_queue(model, port, packet->vl, port);

	packet->arrived = model->events.now;
	packet->next = HD_NONE;
	if (queue->head == HD_NONE) {
		queue->head = queue->tail = index;
		hd_adaptive_new_head(model, port, packet->vl, queue);
		hd_model_mark_switch(model, hd_switch_of(model, port));
	} else {
		model->buffers.packets[queue->tail].next = index;
		queue->tail = index;
	}
}

/* The head of packet @index is far enough for the switch to look at it. */
static inline void hd_adaptive_arrive(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->buffers.packets[index];

	if (hd_forwarding_hop(&model->adaptive->shape->forwarding, hd_switch_of(model, port),
			      packet->dlid) == HD_HOP_NONE ||
	    (model->adaptive->by_tables && !hd_adaptive_has_way(model, port, index))) {
		hd_input_drop(model, port, index);
		return;
	}
	hd_observe_packet(model, HD_STEP_ARRIVED, port, index);
	if (hd_has_rates(model) && unit_ticks(model, port) > model->fastest)
		/* a faster link must not run out of the packet */
		hd_events_post_any(&model->events, HD_EVENT_ENQUEUE,
				   (unit_ticks(model, port) - model->fastest) *
					   (uint64_t)packet->message.size,
				   port, index);
	else
		hd_adaptive_enqueue(model, port, index);
}

/*
 * The best open offer of @offers: the lowest rank, and of its ports and VCs the choice of the
 * selection.
 */
static inline bool hd_adaptive_select(const struct hd_model *model, struct hd_sight *sight,
				      const struct hd_offer *offers, unsigned n,
				      struct proposal *proposal)
{
	const struct hd_selection *selection = model->options.selection;
	unsigned best_rank = UINT_MAX;
	uint32_t best = UINT32_MAX, first = proposal->out;

	for (unsigned i = 0; i < n; i++) {
		const uint64_t *room = offers[i].room > 1 ? sight->room_two : sight->room;

		if (offers[i].rank > best_rank)
			continue;
		for (uint32_t vcs = offers[i].vcs; vcs; vcs &= vcs - 1) {
			unsigned vc = (unsigned)__builtin_ctz(vcs);
			uint64_t ports = offers[i].ports & sight->free & room[vc];

			for (; ports; ports &= ports - 1) {
				unsigned port = (unsigned)__builtin_ctzll(ports);
				uint32_t weight = sight->occupied[port * hd_n_vls(model) + vc];

				if (selection->weight)
					weight = selection->weight(sight, vc, weight);
				if (offers[i].rank == best_rank && weight >= best)
					continue;
				best_rank = offers[i].rank;
				best = weight;
				proposal->out = first + port;
				proposal->out_vl = vc;
				proposal->offer = offers[i];
			}
		}
	}
	return best_rank != UINT_MAX;
}

/*
 * Asks for an open offer for the head of in-port @in and @vl; an offer without data leads to the
 * host.
 */
static inline bool hd_adaptive_ask(struct hd_model *model, uint32_t in, unsigned vl,
				   struct hd_sight *sight, struct proposal *proposal)
{
	const struct hd_routed *routed = model->adaptive->routed;
	uint32_t first = hd_first_port(model, hd_switch_of(model, in));
	struct queue *queue = hd_queue(model, in, vl, first);
	const struct packet *packet = hd_head(model, queue);
	struct hd_view view = hd_adaptive_view(model, in, packet, sight);
	struct hd_offer offers[HD_MAX_OFFERS];
	unsigned n;

	proposal->choice = (struct choice){ in, vl, queue };
	proposal->out = first;
	proposal->is_exit = view.to == view.at;
	if (proposal->is_exit) {
		unsigned exit = view.shape->forwarding.last_hops[packet->dlid];

		proposal->out = first + exit;
		proposal->out_vl = model->adaptive->by_tables ? hd_way_tables_vl(&view, exit) : vl;
		return hd_sight_is_open(sight, exit, 1u << proposal->out_vl);
	}
	n = routed->routing->offer(routed, &view, &model->adaptive->headers[queue->head], offers);
	return hd_adaptive_select(model, sight, offers, n, proposal);
}

/* The proposal of in-port @in: of its VCs in turn, the first whose head has an open offer. */
static inline bool hd_adaptive_propose(struct hd_model *model, struct adaptive_switch *here,
				       uint32_t in, struct hd_sight *sight,
				       struct proposal *proposal)
{
	unsigned local = hd_local(model, in), turn = hd_adaptive_turns(model, here)[local];
	uint32_t vcs = hd_adaptive_vcs(model, here)[local], later = vcs >> turn << turn;

	for (uint32_t part = later, rest = vcs ^ later;; part = rest, rest = 0) {
		for (; part; part &= part - 1) {
			unsigned vl = (unsigned)__builtin_ctz(part);

			if (hd_adaptive_head_at(model, here, local, vl)->ports & sight->free &&
			    hd_adaptive_ask(model, in, vl, sight, proposal))
				return true;
		}
		if (!rest)
			return false;
	}
}

/* The masks of in-port @local, whose head of @vl is gone. */
static inline void hd_adaptive_no_head(struct hd_model *model, struct adaptive_switch *here,
				       unsigned local, unsigned vl)
{
	uint32_t *vcs = &hd_adaptive_vcs(model, here)[local];
	uint64_t useful = 0;

	*vcs &= ~(1u << vl);
	for (uint32_t left = *vcs; left; left &= left - 1)
		useful |= hd_adaptive_head_at(model, here, local, (unsigned)__builtin_ctz(left))
				  ->ports;
	hd_adaptive_useful(model, here)[local] = useful;
	if (!*vcs)
		here->waiting &= ~bit_of(local);
}

/* Out-port @proposal->out takes what it chose. */
static inline void hd_adaptive_take(struct hd_model *model, uint32_t at,
				    struct adaptive_switch *here, struct hd_sight *sight,
				    const struct proposal *proposal)
{
	struct hd_adaptive *a = model->adaptive;
	struct crossbar *crossbar = hd_crossbar(model, at);
	const struct hd_switch_model *hooks = hd_switch_hooks(model);
	uint32_t in = proposal->choice.in, out = proposal->out, index, size;
	unsigned local = hd_local(model, in), vl = proposal->choice.vl, n = crossbar->n_ports;
	struct packet *packet = &model->buffers.packets[proposal->choice.queue->head];
	struct sender *sender = hd_sender(model, out);

	size = packet->message.size;
	if (!proposal->is_exit) {
		struct hd_view view = hd_adaptive_view(model, in, packet, sight);

		hd_routed_take(a->routed, &view, &a->headers[proposal->choice.queue->head],
			       &proposal->offer, hd_local(model, out), proposal->out_vl);
	}
	packet->out = out;
	packet->out_vl = (uint8_t)proposal->out_vl;
	sender->turn = hd_next_turn(local, n);
	hd_arbiter_served(model, out, in);
	clear_bit(hd_in_free(crossbar), 1, local);
	clear_bit(hd_out_free(crossbar, 1), 1, hd_local(model, out));
	hd_out_use(model, out, proposal->out_vl, size);
	if (hd_has_bubble(model))
		hd_bubble_go_on(model, in, out, packet);
	if (a->minimal.units)
		hd_adaptive_use_minimal(
			model, out, proposal->out_vl, size,
			!(a->headers[proposal->choice.queue->head].flags & HD_MISROUTED));
	hd_adaptive_leave(model, at, hd_adaptive_head_at(model, here, local, vl));
	hd_adaptive_no_head(model, here, local, vl);
	index = hd_model_pop(model, proposal->choice.queue);
	if (hooks) {
		hooks->take(model, index, out, lane_ref(in, vl));
		if (!hooks->has_room(model, out, a->packet))
			here->output &= ~bit_of(hd_local(model, out));
	} else {
		hd_switch_iq_take(model, index, out, lane_ref(in, vl));
	}
	/* heads that wanted this port may take another now */
	set_bit(hd_dirty(crossbar, 1), 1, hd_local(model, out));
	if (proposal->choice.queue->head != HD_NONE)
		hd_adaptive_new_head(model, in, vl, proposal->choice.queue);
}

/* Output buffers that have room again, of the out-ports in @opened. */
static inline void hd_adaptive_look_at_outputs(struct hd_model *model, uint32_t at,
					       struct adaptive_switch *here, uint64_t opened)
{
	const struct hd_switch_model *hooks = hd_switch_hooks(model);
	uint32_t first = hd_first_port(model, at);

	if (!hooks)
		return;
	for (opened &= ~here->output; opened; opened &= opened - 1)
		if (hooks->has_room(model, first + (unsigned)__builtin_ctzll(opened),
				    model->adaptive->packet))
			here->output |= opened & -opened;
}

/* In-ports with a head for the out-ports in @opened. */
static inline uint64_t hd_adaptive_find(const struct hd_model *model, struct adaptive_switch *here,
					uint64_t ins, uint64_t opened)
{
	const uint64_t *useful = hd_adaptive_useful(model, here);
	uint64_t found = 0;

	for (; opened && ins; ins &= ins - 1) {
		unsigned in = (unsigned)__builtin_ctzll(ins);

		found |= (uint64_t)((useful[in] & opened) != 0) << in;
	}
	return found;
}

/*
 * One iteration of matching for the in-ports in @ins. Returns those that were not chosen. @again
 * gets those of them that may try again: they lost, or would get another offer then.
 */
static inline uint64_t hd_adaptive_match(struct hd_model *model, uint32_t at,
					 struct adaptive_switch *here, uint64_t ins,
					 struct hd_sight *sight, uint64_t *again)
{
	struct proposal proposals[HD_SHAPE_PORTS]; /* [out-port] the best */
	uint32_t first = hd_first_port(model, at);
	unsigned n_ports = hd_crossbar(model, at)->n_ports;
	uint64_t chosen = 0, tries = 0;

	for (uint64_t bits = ins; bits; bits &= bits - 1) {
		uint32_t in = first + (unsigned)__builtin_ctzll(bits);
		struct proposal proposal, *best;

		sight->again = false;
		if (!hd_adaptive_propose(model, here, in, sight, &proposal)) {
			tries |= sight->again ? bits & -bits : 0;
			continue;
		}
		tries |= bits & -bits;
		if (model->fetches_all)
			hd_adaptive_fetch_taken(model, proposal.out,
						hd_head(model, proposal.choice.queue));
		hd_adaptive_turns(model, here)[hd_local(model, in)] =
			hd_next_turn(proposal.choice.vl, hd_n_vls(model));
		best = &proposals[hd_local(model, proposal.out)];
		if (!has_bit(&chosen, 1, hd_local(model, proposal.out)) ||
		    goes_before(model, proposal.out, n_ports, &proposal.choice, &best->choice))
			*best = proposal;
		set_bit(&chosen, 1, hd_local(model, proposal.out));
	}
	if (model->fetches_all)
		for (uint64_t bits = chosen; bits; bits &= bits - 1)
			hd_adaptive_fetch_next_head(model, at,
						    proposals[__builtin_ctzll(bits)].choice.queue);
	for (; chosen; chosen &= chosen - 1) {
		const struct proposal *best = &proposals[__builtin_ctzll(chosen)];

		ins &= ~bit_of(hd_local(model, best->choice.in));
		hd_adaptive_take(model, at, here, sight, best);
	}
	*again = tries & ins;
	/* the ports that are free now */
	sight->free = *hd_out_free(hd_crossbar(model, at), 1) & here->output;
	return ins;
}

/* Switch @at was marked: matches what its ports have and want. */
static inline void hd_adaptive_arbitrate(struct hd_model *model, uint32_t at)
{
	struct crossbar *crossbar = hd_crossbar(model, at);
	struct adaptive_switch *here = hd_adaptive_switch(model, at);
	uint64_t *dirty = hd_dirty(crossbar, 1), opened = *dirty, ins, again = 0;
	struct hd_sight sight;
	unsigned round = 0;

	crossbar->is_dirty = false;
	*dirty = 0;
	hd_adaptive_look_at_outputs(model, at, here, opened);
	ins = *hd_in_free(crossbar) & here->waiting;
	ins = (ins & here->fresh) | hd_adaptive_find(model, here, ins & ~here->fresh, opened);
	here->fresh = 0;
	sight = hd_adaptive_sight(model, at);
	do {
		if (!ins || !sight.free)
			break;
		ins = hd_adaptive_match(model, at, here, ins, &sight, &again);
		round++;
	} while (again && round < (hd_iterations(model) ? hd_iterations(model) : MOST_ROUNDS));
	if (!again)
		return;
	here->fresh |= again;
	hd_events_post(&model->events, model->retry_line, at, 0);
}

#endif
