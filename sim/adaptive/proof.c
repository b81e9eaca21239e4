// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packets are followed target by target, all at once: a state is a buffer and a header that a
 * packet in it may have. While a packet has a via, the via is its target, and nothing depends on
 * where it goes from there; so ways by a via are followed to all vias first, and from there on to
 * all targets. Where VCs are flexible they depend on both, and all pairs are followed.
 *
 * Where a routing asks of a destination no more than struct hd_routing's sees_hop says, targets of
 * a group are followed together (proof_batch.h). A proof that fails is made once more, target by
 * target, so that it names the same packet whichever targets go together.
 */
#include "sim/adaptive/proof.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/flexvc.h"
#include "sim/adaptive/vc_groups.h"
#include "sim/adaptive/proof_batch.h"
#include "sim/adaptive/proof_cycle.h"
#include "sim/adaptive/proof_tables.h"
#include "sim/adaptive/supersequence.h"
#include "support/error.h"
#include "support/memory.h"

/* Kinds of headers: a packet's way is finite, and so are they. Few have more than the first. */
#define FIRST_KINDS 256
#define MOST_KINDS  16384
#define MOST_HOPS   200 /* a packet that goes farther wanders */
#define NO_CHANNEL  UINT32_MAX

/* A packet with a header of kind `kind` in buffer `channel`; NO_CHANNEL: at its first switch. */
struct state {
	uint32_t channel;
	uint32_t at; /* the switch of that buffer */
	uint32_t kind;
};

/* States, each once where `seen` is there. */
struct states {
	struct state *list;
	size_t n, room;
	uint64_t *seen; /* [(channel or, behind them, switch) * kind_words] */
};

struct search {
	const struct hd_routed *routed;
	const struct hd_shape *shape;
	struct hd_proof *proof;
	unsigned n_vcs;
	size_t n_channels, edge_words;
	uint64_t *edges; /* [channel * edge_words] escapes: port * n_vcs + VC of the next switch */
	struct hd_header *kinds;
	uint16_t *kind_at; /* [slot by hash] kind + 1; 0: it is free */
	unsigned n_kinds, most_kinds;
	size_t kind_words;     /* a bit each */
	struct states queue;   /* of the target that is being looked at */
	struct states ends;    /* where vias were reached */
	struct states detours; /* where a via may be drawn */
	size_t n_followed;     /* detours whose ways by vias were followed */
	uint32_t target, to;   /* of the queue */
	uint16_t lid;          /* the same, with groups of VCs */
	uint64_t *entered;     /* [ring * n_vcs + VC] a bit: with room for one packet; NULL: there
				  are no rings */
	struct states by_via;  /* flexible VCs: packets of that target that have `via` */
	uint32_t via;
	struct hd_batch *batch; /* targets that are followed together; NULL: one by one */
	uint32_t *plan[2], *plan_begin[2], n_batches[2]; /* [vias] the batches' targets */
	uint64_t members; /* of the batch, whose packets are being followed */
	/* [replies'] hops, and the kinds of the tables' ways behind them */
	bool wants[2][HD_LINK_CLASSES][HD_FLEX_KINDS];

	/*
	 * Where replies have VCs of their own: buffers where requests end, and the first buffers of
	 * replies' escapes, as `edges` has them.
	 */
	uint64_t *ends_request;           /* [channel] a bit each */
	uint64_t *replies;                /* [switch * edge_words] */
	bool has_via, is_stuck, is_reply; /* the packet that is stuck */
	bool out_of_memory, out_of_kinds;
};

static size_t seen_words(const struct search *s)
{
	return (s->n_channels + s->shape->n_switches + 1) * s->kind_words;
}

/* Adds a state that is not there yet. */
static void add(struct search *s, struct states *states, uint32_t channel, uint32_t at,
		uint32_t kind)
{
	size_t place = channel == NO_CHANNEL ? s->n_channels + at : channel;
	uint64_t *seen = &states->seen[place * s->kind_words + kind / 64];

	if (*seen >> kind % 64 & 1)
		return;
	*seen |= UINT64_C(1) << kind % 64;
	if (states->n == states->room) {
		size_t room = 2 * states->room + 1024;
		struct state *list = realloc(states->list, room * sizeof(*list));

		if (!list) {
			s->out_of_memory = true;
			return;
		}
		states->list = list;
		states->room = room;
	}
	states->list[states->n++] = (struct state){ channel, at, kind };
}

/* Adds a state of the targets that are followed. */
static void add_next(struct search *s, uint32_t channel, uint32_t at, uint32_t kind)
{
	if (s->batch)
		hd_batch_add(s->batch, channel, at, kind, s->members);
	else
		add(s, &s->queue, channel, at, kind);
}

/* Empties @states, such as for the next target. */
static void restart(const struct search *s, struct states *states)
{
	for (size_t i = 0; i < states->n; i++) {
		const struct state *state = &states->list[i];
		size_t place =
			state->channel == NO_CHANNEL ? s->n_channels + state->at : state->channel;

		states->seen[place * s->kind_words + state->kind / 64] = 0;
	}
	states->n = 0;
}

/*
 * Vias are the same in all states of a queue, and the place where VCs are flexible is the buffer's:
 * a kind does not have them.
 */
static uint32_t kind_of(struct search *s, struct hd_header header)
{
	uint32_t slots = 2 * s->most_kinds, packed, slot;

	header.via = HD_NONE;
	if (s->routed->flex)
		header.place = 0;
	packed = header.place | (uint32_t)header.hops << 8 | (uint32_t)header.globals << 16 |
		 (uint32_t)header.flags << 24;
	slot = (uint32_t)((packed * UINT64_C(0x9E3779B97F4A7C15) >> 32) % slots);
	for (; s->kind_at[slot]; slot = (slot + 1) % slots)
		if (memcmp(&s->kinds[s->kind_at[slot] - 1u], &header, sizeof(header)) == 0)
			return s->kind_at[slot] - 1u;
	if (s->n_kinds == s->most_kinds) {
		s->out_of_kinds = true;
		return 0;
	}
	s->kinds[s->n_kinds] = header;
	s->kind_at[slot] = (uint16_t)++s->n_kinds;
	return s->n_kinds - 1;
}

static struct hd_proof_channel channel_of(const struct search *s, uint32_t channel)
{
	return hd_proof_channel_at(s->shape, s->n_vcs, channel);
}

static struct hd_view view_of(const struct search *s, const struct state *state)
{
	struct hd_view view = {
		.shape = s->shape,
		.at = state->at,
		.target = s->target,
		.to = s->to,
		.in_class = HD_LINK_TERMINAL,
		.in_port = HD_NO_PORT,
		.lid = s->lid,
	};

	if (state->channel != NO_CHANNEL) {
		view.in_class = s->shape->link_class[state->channel / s->n_vcs];
		view.in_port = s->shape->far_port[state->channel / s->n_vcs];
		view.in_vc = (uint8_t)(state->channel % s->n_vcs);
	}
	return view;
}

static void note_stuck(struct search *s, const struct state *state, bool is_unserved)
{
	if (s->is_stuck)
		return;
	s->is_stuck = true;
	s->is_reply = s->kinds[state->kind].flags & HD_REPLY;
	s->proof->is_unserved = is_unserved;
	s->proof->stuck_target = s->to;
	s->proof->stuck = state->channel == NO_CHANNEL
				  ? (struct hd_proof_channel){ state->at, HD_NO_PORT, 0 }
				  : channel_of(s, state->channel);
}

/* The sequence ends before a hop of @link_class. */
static void note_excess(struct search *s, unsigned link_class)
{
	if (s->proof->exceeds)
		return;
	s->proof->exceeds = true;
	snprintf(s->proof->longest, sizeof(s->proof->longest), "%s %c", s->routed->vcs.text,
		 link_class == HD_LINK_GLOBAL ? 'g' : 'l');
}

/* Whether the sequence has no place for a hop by @port. */
static bool exceeds(const struct hd_routed *routed, const struct hd_view *view,
		    const struct hd_header *header, const struct hd_offer *offer, unsigned port)
{
	unsigned n = routed->vcs.n_places;

	if (routed->flex || (routed->groups && !routed->groups->by_hop))
		return false;
	if (routed->routing->place)
		return routed->routing->place(routed, view, header, port) == n;
	return offer->step != HD_STEP_LOCAL &&
	       hd_vcs_next(&routed->vcs, header->place,
			   hd_shape_class(view->shape, view->at, port)) == n;
}

/* A packet goes to @channel, with room as @offer says: whether a ring may lose its last bubble. */
static void note_ring(struct search *s, const struct state *state, const struct hd_offer *offer,
		      uint32_t channel)
{
	const uint32_t ring = s->shape->ring[channel / s->n_vcs], vc = channel % s->n_vcs;
	const size_t bit = ring * (size_t)s->n_vcs + vc;

	if (!ring || offer->room > 1 ||
	    (state->channel != NO_CHANNEL && s->shape->ring[state->channel / s->n_vcs] == ring &&
	     state->channel % s->n_vcs == vc))
		return;
	s->entered[bit / 64] |= UINT64_C(1) << bit % 64;
}

/*
 * Whether a reply's escape by @vc of @link_class is one that no request is in the way of. Where
 * @offer has none of these, all are looked at.
 */
static bool is_replies_own(const struct search *s, const struct hd_offer *offer,
			   unsigned link_class, unsigned vc)
{
	const struct hd_flex *flex = s->routed->flex;
	uint32_t own;

	if (!flex)
		return true;
	own = offer->vcs & ~flex->below[link_class][flex->n_requests];
	return !own || own >> vc & 1;
}

/*
 * What an offer makes of a header, by the link's class and VC: ports of a class do not differ in
 * this, unless the routing has places of its own.
 */
struct taken {
	uint32_t known[HD_LINK_CLASSES]; /* a bit for each VC */
	uint32_t kind[HD_LINK_CLASSES][HD_MAX_VCS];
	bool wanders[HD_LINK_CLASSES][HD_MAX_VCS]; /* it has gone too far */
	bool has_via;
};

/* The packet of @state, with @header, takes @port and @vc as @offer says. */
static void take(struct search *s, const struct hd_view *view, const struct hd_header *header,
		 const struct hd_offer *offer, unsigned port, unsigned vc, unsigned link_class,
		 struct taken *taken)
{
	struct hd_header next = *header;

	if (exceeds(s->routed, view, header, offer, port))
		note_excess(s, link_class);
	hd_routed_take(s->routed, view, &next, offer, port, vc);
	if (next.hops > s->proof->max_hops)
		s->proof->max_hops = next.hops;
	taken->wanders[link_class][vc] = next.hops == MOST_HOPS;
	taken->has_via = next.via != HD_NONE;
	taken->kind[link_class][vc] = kind_of(s, next);
	taken->known[link_class] |= s->routed->routing->place ? 0 : 1u << vc;
}

/* The packet of @state goes on by @port and @vc. */
static void follow_port(struct search *s, const struct state *state, const struct hd_view *view,
			const struct hd_header *header, const struct hd_offer *offer, unsigned port,
			unsigned vc, struct taken *taken)
{
	const size_t index = hd_shape_port(s->shape, state->at, port);
	const unsigned link_class = s->shape->link_class[index];
	const size_t bit = port * s->n_vcs + vc;
	const uint32_t channel = (uint32_t)(index * s->n_vcs + vc);

	if (!(taken->known[link_class] >> vc & 1))
		take(s, view, header, offer, port, vc, link_class, taken);
	if (s->entered)
		note_ring(s, state, offer, channel);
	if (offer->is_escape && state->channel != NO_CHANNEL)
		s->edges[state->channel * s->edge_words + bit / 64] |= UINT64_C(1) << bit % 64;
	if (offer->is_escape && state->channel == NO_CHANNEL && header->flags & HD_REPLY &&
	    is_replies_own(s, offer, link_class, vc))
		s->replies[state->at * s->edge_words + bit / 64] |= UINT64_C(1) << bit % 64;
	if (taken->wanders[link_class][vc]) {
		note_stuck(s, state, false);
		return;
	}
	if (s->routed->flex && taken->has_via)
		add(s, &s->by_via, channel, s->shape->neighbour[index],
		    taken->kind[link_class][vc]);
	else
		add_next(s, channel, s->shape->neighbour[index], taken->kind[link_class][vc]);
}

/* A hop by any of @ports, and the tables' way behind it. */
static void note_wants(struct search *s, const struct hd_view *view, bool is_reply, uint64_t ports)
{
	const struct hd_flex *flex = s->routed->flex;

	for (; ports; ports &= ports - 1) {
		const size_t index =
			hd_shape_port(s->shape, view->at, (unsigned)__builtin_ctzll(ports));

		s->wants[is_reply][s->shape->link_class[index]]
			[flex->kind[s->shape->neighbour[index] * flex->n_targets + s->target]] =
			true;
	}
}

/* What @offer of flexible VCs says; returns its VCs. */
static uint32_t look_at(struct search *s, const struct state *state, const struct hd_view *view,
			const struct hd_offer *offer)
{
	note_wants(s, view, s->kinds[state->kind].flags & HD_REPLY, offer->ports);
	if (offer->vcs)
		return offer->vcs;
	/* what follows is looked at nevertheless, for all that the sequence has to have */
	note_stuck(s, state, true);
	return 1;
}

static void follow_state(struct search *s, const struct state *state)
{
	const struct hd_routed *routed = s->routed;
	struct hd_view view = view_of(s, state);
	struct hd_header header = s->kinds[state->kind];
	struct hd_offer offers[HD_MAX_OFFERS];
	bool escapes = false;
	unsigned n;

	s->proof->states += s->batch ? (unsigned)__builtin_popcountll(s->members) : 1;
	if (routed->flex && state->channel != NO_CHANNEL)
		header.place = routed->flex->place[view.in_class][state->channel % s->n_vcs] + 1;
	if (s->has_via)
		header.via = s->via;
	if ((!s->has_via || routed->flex) && state->at == s->to) {
		/* hosts take in what they are sent, requests where the reply has left them */
		if (state->channel != NO_CHANNEL && !(header.flags & HD_REPLY))
			s->ends_request[state->channel / 64] |= UINT64_C(1) << state->channel % 64;
		return;
	}
	if (routed->routing->enter)
		routed->routing->enter(routed, &view, &header);
	if (s->has_via && header.via == HD_NONE) {
		add(s, routed->flex ? &s->queue : &s->ends, state->channel, state->at,
		    kind_of(s, header));
		return;
	}
	if (!s->has_via && routed->routing->detours &&
	    routed->routing->detours(routed, &view, &header))
		add(s, &s->detours, state->channel, state->at, state->kind);
	n = routed->routing->may(routed, &view, &header, offers);
	for (unsigned i = 0; i < n; i++) {
		const uint32_t all =
			routed->flex ? look_at(s, state, &view, &offers[i]) : offers[i].vcs;
		struct taken taken;

		memset(taken.known, 0, sizeof(taken.known));
		escapes |= offers[i].is_escape && offers[i].ports;
		for (uint64_t ports = offers[i].ports; ports; ports &= ports - 1)
			for (uint32_t vcs = all; vcs; vcs &= vcs - 1)
				follow_port(s, state, &view, &header, &offers[i],
					    (unsigned)__builtin_ctzll(ports),
					    (unsigned)__builtin_ctz(vcs), &taken);
	}
	if (!escapes)
		note_stuck(s, state, false);
}

/* Whether the tables lead from @at to the target: where they do not, nothing is sent there. */
static bool is_reachable(const struct search *s, uint32_t at)
{
	return hd_shape_distance(s->shape, at, s->target) != HD_FAR;
}

/* Follows all that begins with what is in the queue, or with @more of others. */
static void follow(struct search *s, const struct states *more, size_t from)
{
	for (size_t i = from; i < more->n; i++)
		if (is_reachable(s, more->list[i].at))
			add(s, &s->queue, more->list[i].channel, more->list[i].at,
			    more->list[i].kind);
	for (size_t i = 0; i < s->queue.n && !s->out_of_memory && !s->out_of_kinds && !s->is_stuck;
	     i++) {
		struct state state = s->queue.list[i];

		follow_state(s, &state);
	}
	restart(s, &s->queue);
}

/* The same for the targets of a batch. */
static void follow_together(struct search *s, const struct states *more, size_t from)
{
	struct hd_batch *batch = s->batch;
	struct hd_batch_state next;

	for (size_t i = from; i < more->n; i++) {
		const struct state *state = &more->list[i];
		const size_t place =
			state->channel == NO_CHANNEL ? s->n_channels + state->at : state->channel;

		hd_batch_add(batch, (uint32_t)place, state->at, state->kind,
			     batch->reachable[state->at]);
	}
	while (!batch->out_of_memory && !s->out_of_memory && !s->out_of_kinds && !s->is_stuck &&
	       hd_batch_take(batch, &next)) {
		const struct hd_batch_class *classes =
			&batch->classes[next.at * (size_t)HD_BATCH_TARGETS];
		const struct state state = {
			.channel = next.place < s->n_channels ? next.place : NO_CHANNEL,
			.at = next.at,
			.kind = next.kind,
		};

		for (unsigned c = 0; c < batch->n_classes[next.at]; c++) {
			s->members = classes[c].members & next.waiting;
			if (!s->members)
				continue;
			s->target = classes[c].target;
			s->to = s->via = s->shape->target_switch[s->target];
			follow_state(s, &state);
		}
	}
	s->out_of_memory |= batch->out_of_memory;
}

/* To all targets, or to one of each switch as a via, batch by batch. */
static void follow_batches(struct search *s, bool vias, const struct states *more, size_t from)
{
	s->has_via = vias;
	for (uint32_t b = 0; b < s->n_batches[vias] && !s->out_of_memory; b++) {
		const uint32_t begin = s->plan_begin[vias][b];

		hd_batch_begin(s->batch, s->plan[vias] + begin, s->plan_begin[vias][b + 1] - begin);
		follow_together(s, more, from);
	}
}

/* To every target, from its hosts' switches on, or from where vias were reached. */
static void follow_targets(struct search *s, const struct states *from, size_t first)
{
	s->has_via = false;
	if (s->batch) {
		follow_batches(s, false, from, first);
		return;
	}
	for (uint32_t target = 0; target < s->shape->n_targets; target++) {
		struct states some = { 0 };

		s->target = target;
		s->to = s->shape->target_switch[target];
		some = *from;
		follow(s, &some, first);
	}
}

/* Groups of VCs: to every LID of a host, as they may hang on that. */
static void follow_lids(struct search *s, const struct states *first)
{
	const struct hd_fabric *fabric = s->shape->fabric;

	hd_for_each_lid(lid, fabric) {
		const uint32_t port = fabric->lids[lid].port;

		if (port == HD_NONE || hd_is_switch(fabric, fabric->ports[port].node) ||
		    fabric->lids[lid].via_switch == HD_NONE)
			continue;
		s->lid = (uint16_t)lid;
		s->target = s->shape->forwarding.class_of[lid];
		s->to = s->shape->target_switch[s->target];
		follow(s, first, 0);
	}
}

/* To every switch as a via, from where packets may get one. */
static void follow_vias(struct search *s)
{
	s->has_via = true;
	if (s->batch)
		follow_batches(s, true, &s->detours, s->n_followed);
	for (uint32_t via = 0; !s->batch && via < s->shape->n_switches; via++) {
		if (s->shape->first_target[via] == HD_NONE)
			continue;
		s->target = s->shape->first_target[via];
		s->to = s->via = via;
		follow(s, &s->detours, s->n_followed);
	}
	s->n_followed = s->detours.n;
}

/* What is in @states from @from on, and all that follows there. */
static void follow_some(struct search *s, struct states *states, size_t from)
{
	for (size_t i = from; i < states->n && !s->out_of_memory && !s->out_of_kinds; i++) {
		struct state state = states->list[i];

		follow_state(s, &state);
	}
}

/* Flexible VCs: to the target by every via, from where packets may get one. */
static void follow_pairs(struct search *s, size_t from)
{
	s->has_via = true;
	for (uint32_t via = 0; via < s->shape->n_switches; via++) {
		if (s->shape->first_target[via] == HD_NONE)
			continue;
		s->via = via;
		for (size_t i = from; i < s->detours.n; i++)
			if (hd_shape_distance(s->shape, s->detours.list[i].at,
					      s->shape->first_target[via]) != HD_FAR)
				add(s, &s->by_via, s->detours.list[i].channel,
				    s->detours.list[i].at, s->detours.list[i].kind);
		follow_some(s, &s->by_via, 0);
		restart(s, &s->by_via);
	}
	s->has_via = false;
}

/* Flexible VCs: to every target, without a via, by vias, and from these on. */
static void follow_flexible(struct search *s, const struct states *first)
{
	for (uint32_t target = 0; target < s->shape->n_targets && !s->out_of_memory; target++) {
		size_t followed = 0, pairs = 0;

		s->target = target;
		s->to = s->shape->target_switch[target];
		for (size_t i = 0; i < first->n; i++)
			if (is_reachable(s, first->list[i].at))
				add(s, &s->queue, NO_CHANNEL, first->list[i].at,
				    first->list[i].kind);
		while (followed < s->queue.n && !s->out_of_memory && !s->out_of_kinds) {
			size_t from = followed;

			follow_some(s, &s->queue, from);
			followed = s->queue.n;
			if (pairs == s->detours.n)
				break;
			from = pairs;
			pairs = s->detours.n;
			follow_pairs(s, from);
		}
		restart(s, &s->queue);
		restart(s, &s->detours);
	}
}

/* All packets at their first switches. */
static void begin(struct search *s, struct states *first)
{
	for (unsigned is_reply = 0; is_reply < (hd_vcs_has_replies(&s->routed->vcs) ? 2 : 1);
	     is_reply++) {
		uint32_t kind = kind_of(s, hd_routed_begin(s->routed, is_reply));

		for (uint32_t at = 0; at < s->shape->n_switches; at++)
			if (s->shape->first_target[at] != HD_NONE)
				add(s, first, NO_CHANNEL, at, kind);
	}
}

/* To every target, by vias and without. */
static void follow_both(struct search *s, const struct states *first)
{
	size_t ends = 0;

	follow_targets(s, first, 0);
	while (s->detours.n > s->n_followed || s->ends.n > ends) {
		follow_vias(s);
		if (s->ends.n > ends) {
			size_t from = ends;

			ends = s->ends.n;
			follow_targets(s, &s->ends, from);
		}
		if (s->out_of_memory || s->out_of_kinds || s->is_stuck)
			return;
	}
}

/* A LID of a host whose packets are in @group; 0: there is none. */
static uint16_t lid_of_group(const struct search *s, unsigned group)
{
	const struct hd_fabric *fabric = s->shape->fabric;

	hd_for_each_lid(lid, fabric) {
		const uint32_t port = fabric->lids[lid].port;

		if (port != HD_NONE && !hd_is_switch(fabric, fabric->ports[port].node) &&
		    s->routed->groups->map.queue[lid] == group)
			return (uint16_t)lid;
	}
	return 0;
}

/*
 * Groups that have a sequence each: a packet's VCs hang on its group, and not on where it goes. So
 * packets of each group are followed to all targets, those of other groups included.
 */
static void follow_groups(struct search *s, const struct states *first)
{
	const unsigned n = s->routed->vcs.groups.queues.n_queues;

	for (unsigned group = 0; group < n; group++) {
		s->lid = lid_of_group(s, group);
		if (!s->lid)
			continue;
		follow_both(s, first);
		restart(s, &s->detours);
		restart(s, &s->ends);
		s->n_followed = 0;
		if (s->out_of_memory || s->out_of_kinds || s->is_stuck)
			return;
	}
}

static void follow_all(struct search *s, struct states *first)
{
	begin(s, first);
	if (s->routed->flex)
		follow_flexible(s, first);
	else if (s->routed->groups && s->routed->groups->by_hop)
		follow_groups(s, first);
	else if (s->routed->groups)
		follow_lids(s, first);
	else
		follow_both(s, first);
}

/* [channel] the ring and VC, where all that enter leave room for another packet; 0: others. */
static uint32_t *rings_of(const struct search *s)
{
	uint32_t *group = calloc(s->n_channels + 1, sizeof(*group));

	for (size_t channel = 0; group && channel < s->n_channels; channel++) {
		const uint32_t ring = s->shape->ring[channel / s->n_vcs];
		const size_t bit = ring * (size_t)s->n_vcs + channel % s->n_vcs;

		if (ring && !(s->entered[bit / 64] >> bit % 64 & 1))
			group[channel] = (uint32_t)(1 + bit);
	}
	return group;
}

/* Requests that have arrived wait for their replies' first buffers. */
static void join_replies(struct search *s)
{
	for (size_t channel = 0; channel < s->n_channels; channel++) {
		const uint32_t at = s->shape->neighbour[channel / s->n_vcs];

		for (size_t w = 0; s->ends_request[channel / 64] >> channel % 64 & 1; w++) {
			if (w == s->edge_words)
				break;
			s->edges[channel * s->edge_words + w] |= s->replies[at * s->edge_words + w];
		}
	}
}

/* The graph of escapes. */
static int find_cycle(struct search *s, struct hd_error *err)
{
	uint32_t *group = s->entered ? rings_of(s) : NULL;
	int ret;

	if (s->entered && !group)
		return hd_error_nomem(err);
	ret = hd_proof_find_cycle(s->shape, s->edges, s->n_vcs, s->edge_words, group, s->proof,
				  err);
	free(group);
	return ret;
}

/* Whether there is no cycle either where hosts hold requests until replies to them have left. */
static int try_replies(struct search *s, struct hd_error *err)
{
	struct hd_proof *proof = s->proof;
	uint64_t edges = proof->edges;
	int ret;

	join_replies(s);
	ret = find_cycle(s, err);
	proof->hosts_may_wait = !ret && !proof->n_cycle;
	free(proof->cycle);
	proof->cycle = NULL;
	proof->n_cycle = 0;
	proof->edges = edges;
	return ret;
}

/* @batch for the targets that may be followed together. */
static int prepare_batches(struct search *s, struct hd_batch *batch, struct hd_error *err)
{
	int ret = hd_batch_init(batch, s->shape, s->n_channels + s->shape->n_switches, err);

	for (unsigned vias = 0; vias < 2 && !ret; vias++)
		ret = hd_batch_plan(s->shape, vias, &s->plan[vias], &s->plan_begin[vias],
				    &s->n_batches[vias], err);
	s->batch = batch;
	return ret;
}

static int prepare(struct search *s, struct states *first, struct hd_error *err)
{
	struct states *const all[] = { &s->queue, &s->ends, &s->detours, &s->by_via, first };

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		if (s->routed->vcs.n[i] > s->n_vcs)
			s->n_vcs = s->routed->vcs.n[i];
	s->n_channels = s->shape->n_switches * (size_t)s->shape->n_ports * s->n_vcs;
	if (s->n_channels + s->shape->n_switches >= NO_CHANNEL)
		return hd_error_set(err, HD_ERANGE, "too many VCs to be proved");
	s->edge_words = (s->shape->n_ports * s->n_vcs + 63) / 64;
	s->kind_words = s->most_kinds / 64;
	s->edges = calloc(s->n_channels * s->edge_words + 1, sizeof(*s->edges));
	s->ends_request = calloc(s->n_channels / 64 + 1, sizeof(*s->ends_request));
	s->replies = calloc(s->shape->n_switches * s->edge_words + 1, sizeof(*s->replies));
	s->kinds = malloc(s->most_kinds * sizeof(*s->kinds));
	s->kind_at = calloc(2 * (size_t)s->most_kinds, sizeof(*s->kind_at));
	if (!s->edges || !s->kinds || !s->kind_at || !s->ends_request || !s->replies)
		return hd_error_nomem(err);
	if (s->shape->ring) {
		s->entered = calloc((s->shape->n_rings + (size_t)1) * s->n_vcs / 64 + 1,
				    sizeof(*s->entered));
		if (!s->entered)
			return hd_error_nomem(err);
	}
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		all[i]->seen = calloc(seen_words(s), sizeof(*all[i]->seen));
		if (!all[i]->seen)
			return hd_error_nomem(err);
	}
	return 0;
}

/* The sequence that hops, each with the tables' way behind it, would need. */
static int note_needed(struct search *s, struct hd_error *err)
{
	const struct hd_flex *flex = s->routed->flex;
	struct hd_way_text *ways = calloc(HD_LINK_CLASSES * (size_t)HD_FLEX_KINDS, sizeof(*ways));
	size_t n = 0;

	if (!ways)
		return hd_error_nomem(err);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		for (unsigned kind = 0; kind < flex->n_kinds; kind++) {
			unsigned length = 0, at = kind;

			if (!s->wants[s->is_reply][i][kind])
				continue;
			ways[n].links[length++] = i == HD_LINK_GLOBAL ? 'g' : 'l';
			for (; at && length < HD_MAX_PLACES; at = flex->rest[at])
				ways[n].links[length++] =
					flex->first[at] == HD_LINK_GLOBAL ? 'g' : 'l';
			n++;
		}
	hd_shortest_supersequence(ways, n, s->proof->longest, sizeof(s->proof->longest));
	s->proof->exceeds = s->proof->longest[0] != '\0';
	s->proof->who = !hd_vcs_has_replies(&s->routed->vcs) ? ""
			: s->is_reply                        ? " of replies"
							     : " of requests";
	free(ways);
	return 0;
}

static void free_states(struct states *states)
{
	free(states->list);
	free(states->seen);
}

/*
 * @together: by batches of targets. HD_ERANGE: packets carry more than @most_kinds kinds of
 * headers.
 */
static int search_all(const struct hd_routed *routed, unsigned most_kinds, bool together,
		      struct hd_proof *proof, struct hd_error *err)
{
	struct search s = {
		.routed = routed, .shape = routed->shape, .proof = proof, .most_kinds = most_kinds
	};
	struct states first = { 0 };
	struct hd_batch batch = { 0 };
	int ret = prepare(&s, &first, err);

	if (!ret && together)
		ret = prepare_batches(&s, &batch, err);
	*proof = (struct hd_proof){ .stuck_target = HD_NONE };
	if (!ret) {
		follow_all(&s, &first);
		if (s.out_of_memory)
			ret = hd_error_nomem(err);
		else if (s.out_of_kinds)
			ret = hd_error_set(
				err, HD_ERANGE,
				"%s: paths are too many to be proved: packets carry more "
				"than %u kinds of headers",
				routed->routing->policy.name, most_kinds);
	}
	if (!ret && !s.is_stuck)
		ret = find_cycle(&s, err);
	if (!ret && !s.is_stuck && !proof->n_cycle && hd_vcs_has_replies(&routed->vcs))
		ret = try_replies(&s, err);
	if (!ret && routed->flex && (s.is_stuck || proof->n_cycle))
		ret = note_needed(&s, err);
	proof->is_sound = !ret && !s.is_stuck && !proof->n_cycle;
	free(s.edges);
	free(s.kinds);
	free(s.kind_at);
	free(s.entered);
	free(s.ends_request);
	free(s.replies);
	free_states(&s.queue);
	free_states(&s.ends);
	free_states(&s.detours);
	free_states(&s.by_via);
	free_states(&first);
	hd_batch_clear(&batch);
	for (unsigned vias = 0; vias < 2; vias++) {
		free(s.plan[vias]);
		free(s.plan_begin[vias]);
	}
	return ret;
}

/* Whether targets of a group may be followed together. */
static bool goes_together(const struct hd_routed *routed)
{
	return routed->routing->sees_hop && !routed->flex &&
	       (!routed->groups || routed->groups->by_hop);
}

static int search_any(const struct hd_routed *routed, bool together, struct hd_proof *proof,
		      struct hd_error *err)
{
	int ret = HD_ERANGE;

	for (unsigned most = FIRST_KINDS; ret == HD_ERANGE && most <= MOST_KINDS; most *= 8)
		ret = search_all(routed, most, together, proof, err);
	return ret;
}

int hd_proof_make_by_target(const struct hd_routed *routed, struct hd_proof *proof,
			    struct hd_error *err)
{
	return search_any(routed, false, proof, err);
}

int hd_proof_make(const struct hd_routed *routed, struct hd_proof *proof, struct hd_error *err)
{
	const bool together = goes_together(routed);
	int ret;

	*proof = (struct hd_proof){ .stuck_target = HD_NONE };
	if (routed->vcs.is_range)
		return hd_proof_of_tables(routed, proof, err);
	if (routed->vcs.by_tables)
		return hd_error_set(err, HD_EINVAL, "%s is proved with the tables",
				    routed->routing->policy.name);
	ret = search_any(routed, together, proof, err);
	/* what is told of a packet that is stuck, or of a sequence that ends, is the first's */
	if (!together || ret || (proof->stuck_target == HD_NONE && !proof->exceeds))
		return ret;
	hd_proof_clear(proof);
	return search_any(routed, false, proof, err);
}

void hd_proof_clear(struct hd_proof *proof)
{
	free(proof->cycle);
	*proof = (struct hd_proof){ 0 };
}
