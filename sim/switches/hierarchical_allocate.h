/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The two stages of allocation, at in-ports and at central buffers alike. First each in-port that
 * sends nothing, and each idle link out of a central buffer, proposes the head of one VL, in turn,
 * of those that could go. Then each output buffer takes one of the proposals to it, of the links of
 * all central buffers and the in-ports of its MPort in turn, and each idle link into a central
 * buffer one of those of its MPort's in-ports. Who was not taken proposes again, until nobody can.
 *
 * Mostly what is proposed does not compete: then each packet goes as far as it can at once.
 */
#ifndef HD_SWITCHES_HIERARCHICAL_ALLOCATE_H
#define HD_SWITCHES_HIERARCHICAL_ALLOCATE_H

#include "sim/switches/hierarchical_moves.h"

/* A head that its in-port, or a link out of a central buffer, proposes for an output buffer. */
struct hd_proposal {
	uint32_t in;
	uint32_t link;     /* HD_NONE: it is the in-port's */
	unsigned distance; /* behind whose turn it is */
	uint8_t vl;
};

/* The proposals of a round. */
struct hd_proposals {
	struct hd_model *model;
	uint32_t at;
	uint32_t first;                                /* the switch's first port ... */
	uint32_t first_link;                           /* ... and first link of a central buffer */
	uint64_t outs[(HD_MAX_PORTS + 63) / 64 + 1];   /* that have a proposal */
	struct hd_proposal of[HD_MAX_PORTS + 1];       /* [out-port] the best */
	uint64_t mports[(HD_MAX_PORTS + 63) / 64 + 1]; /* of which in-ports propose */
	uint64_t ins[HD_MAX_PORTS + 1];  /* [MPort] a bit for each of them that does ... */
	uint8_t in_vl[HD_MAX_PORTS + 1]; /* [in-port] ... and for which VL */
};

static inline unsigned hd_lowest_bit(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

static inline bool hd_can_enter(const struct hd_model *model, const struct packet *packet)
{
	return !hd_hierarchical_port(model, packet->out)->is_entered &&
	       hd_output_room(model, packet->out, packet->out_vl) >= packet->message.size;
}

/* Whether the head of in-port @in of @mport and @vl could go on now. */
static inline bool hd_can_leave(const struct hd_model *model, struct hd_mport *mport, uint32_t in,
				unsigned vl)
{
	const struct packet *head = hd_head(model, hd_input_queue(model, in, vl));

	if (hd_is_bypass(model, in, head->out))
		return hd_can_enter(model, head);
	if (!mport->idle_up)
		return false;
	if (hd_central_room(model, in, vl) >= head->message.size)
		return true;
	mport->is_full = true;
	return false;
}

/* The VL whose head in-port @in proposes; HD_VL_DROP: none could go. */
static inline unsigned hd_input_next_vl(const struct hd_model *model, uint32_t in)
{
	const struct hd_hierarchical_port *port = hd_hierarchical_port(model, in);
	struct hd_mport *mport = &hd_hierarchical(model)->mports[port->mport];
	unsigned vl = port->vl_turn;

	if (port->leaving)
		return HD_VL_DROP;
	for (unsigned k = 0; k < model->n_vls; k++, vl = vl + 1 == model->n_vls ? 0 : vl + 1)
		if (hd_input_queue(model, in, vl)->head != HD_NONE &&
		    hd_can_leave(model, mport, in, vl))
			return vl;
	return HD_VL_DROP;
}

/* Sources of output buffers: links of all central buffers of a switch, then their MPort's in-ports. */
static inline unsigned hd_first_in_source(const struct hd_hierarchical *own)
{
	return own->n_mports * own->n_links;
}

static inline unsigned hd_sources_of(const struct hd_hierarchical *own,
				     const struct hd_mport *mport)
{
	return hd_first_in_source(own) + mport->n;
}

/* @out has taken what @source offered: the next one has its turn. */
static inline void hd_output_turn(struct hd_model *model, uint32_t out, unsigned source)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	own->ports[out].turn =
		source + 1 == hd_sources_of(own, hd_mport_of(model, out)) ? 0 : source + 1;
}

/* Source @source of @n proposes for @out what @proposal says, unless a source before it did. */
static inline void hd_propose(struct hd_proposals *round, uint32_t out, unsigned source, unsigned n,
			      struct hd_proposal proposal)
{
	unsigned turn = hd_hierarchical_port(round->model, out)->turn;
	unsigned local = out - round->first;
	struct hd_proposal *best = &round->of[local];

	proposal.distance = source >= turn ? source - turn : source + n - turn;
	if (round->outs[local / 64] >> local % 64 & 1 && best->distance < proposal.distance)
		return;
	round->outs[local / 64] |= bit_of(local);
	*best = proposal;
}

/* In-port @in proposes a head; false: none could go. */
static inline bool hd_propose_input(struct hd_proposals *round, uint32_t in)
{
	struct hd_model *model = round->model;
	struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_hierarchical_port *port = &own->ports[in];
	const struct hd_mport *mport = &own->mports[port->mport];
	unsigned m = port->mport - round->at * own->n_mports, vl = hd_input_next_vl(model, in);
	uint32_t out;

	if (vl == HD_VL_DROP)
		return false;
	out = hd_head(model, hd_input_queue(model, in, vl))->out;
	if (hd_is_bypass(model, in, out)) {
		hd_propose(round, out, hd_first_in_source(own) + (in - mport->first),
			   hd_sources_of(own, mport),
			   (struct hd_proposal){ .in = in, .vl = (uint8_t)vl, .link = HD_NONE });
		return true;
	}
	if (!(round->mports[m / 64] >> m % 64 & 1))
		round->ins[m] = 0;
	round->mports[m / 64] |= bit_of(m);
	round->ins[m] |= bit_of(in - mport->first);
	round->in_vl[in - round->first] = (uint8_t)vl;
	return true;
}

/* Heads that links out of a central buffer have proposed in a round: references of in-lanes. */
struct hd_proposed {
	uint32_t lanes[HD_MOST_MPORT];
	unsigned n;
};

static inline bool hd_is_proposed(const struct hd_proposed *proposed, uint32_t lane)
{
	for (unsigned i = 0; i < proposed->n; i++)
		if (proposed->lanes[i] == lane)
			return true;
	return false;
}

/*
 * The in-port whose queue for @vl in the central buffer of @mport goes next; HD_NONE: none could.
 * Heads that are proposed are another link's.
 */
static inline uint32_t hd_next_central(const struct hd_model *model, const struct hd_mport *mport,
				       unsigned vl, const struct hd_proposed *proposed)
{
	for (uint64_t heads = mport->heads[vl]; heads;) {
		unsigned i = hd_first_from(heads, mport->in_turn[vl]);
		uint32_t in = mport->first + i;

		if (!hd_is_proposed(proposed, lane_ref(in, vl)) &&
		    hd_can_enter(model, hd_head(model, &hd_central_queue(model, in, vl)->queue)))
			return in;
		heads &= ~bit_of(i);
	}
	return HD_NONE;
}

/*
 * The head that link @link out of the central buffer of @mport proposes: a reference of its in-lane;
 * HD_NONE: none could go.
 */
static inline uint32_t hd_next_behind(const struct hd_model *model, uint32_t mport, uint32_t link,
				      const struct hd_proposed *proposed)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	for (uint64_t vls = own->mports[mport].queued; vls;) {
		unsigned vl = hd_first_from(vls, own->links[link].vl_turn);
		uint32_t in = hd_next_central(model, &own->mports[mport], vl, proposed);

		if (in != HD_NONE)
			return lane_ref(in, vl);
		vls &= ~bit_of(vl);
	}
	return HD_NONE;
}

/* It proposes that head, if there is one. */
static inline void hd_propose_central(struct hd_proposals *round, uint32_t mport, uint32_t link,
				      struct hd_proposed *proposed)
{
	const struct hd_model *model = round->model;
	const struct hd_hierarchical *own = hd_hierarchical(model);
	uint32_t lane = hd_next_behind(model, mport, link, proposed), in = lane_port(lane), out;
	unsigned vl = lane_vl(lane);

	if (lane == HD_NONE)
		return;
	proposed->lanes[proposed->n++] = lane;
	out = hd_head(model, &hd_central_queue(model, in, vl)->queue)->out;
	hd_propose(round, out, link - round->first_link,
		   hd_sources_of(own, hd_mport_of(model, out)),
		   (struct hd_proposal){ .in = in, .vl = (uint8_t)vl, .link = link });
}

/* Proposals of the idle links out of the central buffer of @mport; false: there are none. */
static inline bool hd_propose_links(struct hd_proposals *round, uint32_t mport)
{
	struct hd_hierarchical *own = hd_hierarchical(round->model);
	const struct hd_mport *m = &own->mports[mport];
	struct hd_proposed proposed;
	unsigned before = 0;

	proposed.n = 0;
	/* what one link could not propose, no other can */
	for (uint64_t idle = m->queued ? m->idle_down : 0; idle && proposed.n == before;
	     idle &= idle - 1, before++)
		hd_propose_central(round, mport, mport * own->n_links + hd_lowest_bit(idle),
				   &proposed);
	return proposed.n > 0;
}

/* @out takes the best proposal that it has. */
static inline void hd_take_proposal(struct hd_proposals *round, uint32_t out)
{
	struct hd_model *model = round->model;
	struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_proposal *best = &round->of[out - round->first];

	if (best->link == HD_NONE) {
		hd_output_turn(model, out,
			       hd_first_in_source(own) +
				       (best->in - hd_mport_of(model, out)->first));
		hd_hierarchical_to_output(model, best->in, best->vl);
	} else {
		hd_output_turn(model, out, best->link - round->first_link);
		hd_hierarchical_from_central(model, best->in, best->vl,
					     best->link -
						     own->ports[best->in].mport * own->n_links);
	}
}

/* The idle links into the central buffer of @mport take in-ports that propose, in turn. */
static inline void hd_take_uplinks(struct hd_proposals *round, uint32_t mport)
{
	struct hd_model *model = round->model;
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_mport *m = &own->mports[mport];
	uint64_t ins = round->ins[mport - round->at * own->n_mports];

	for (uint64_t idle = m->idle_up; idle && ins;) {
		unsigned i = hd_lowest_bit(idle);
		struct hd_central_link *link = &own->links[mport * own->n_links + i];
		unsigned in = hd_first_from(ins, link->turn);
		unsigned vl = round->in_vl[m->first + in - round->first];

		ins &= ~bit_of(in);
		/* another link may have taken the last room */
		if (!hd_can_leave(model, m, m->first + in, vl))
			continue;
		idle &= idle - 1;
		link->turn = hd_next_turn(in, m->n);
		hd_hierarchical_to_central(model, m->first + in, vl, i);
	}
}

/* All that are to be tried propose; false: nobody does. Those that do not are tried no more. */
static inline bool hd_propose_all(struct hd_proposals *round)
{
	struct hd_model *model = round->model;
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const size_t words = hd_words(model), mport_words = hd_mport_words(own);
	uint64_t *ins = hd_tries(model, round->at);
	uint64_t *centrals = hd_central_tries(model, round->at);
	bool any = false;

	for (size_t w = 0; w < words; w++)
		for (uint64_t bits = ins[w]; bits; bits &= bits - 1) {
			if (hd_propose_input(round, round->first + (uint32_t)(w * 64) +
							    hd_lowest_bit(bits)))
				any = true;
			else
				ins[w] &= ~(bits & -bits);
		}
	for (size_t w = 0; w < mport_words; w++)
		for (uint64_t bits = centrals[w]; bits; bits &= bits - 1) {
			if (hd_propose_links(round, round->at * own->n_mports + (uint32_t)(w * 64) +
							    hd_lowest_bit(bits)))
				any = true;
			else
				centrals[w] &= ~(bits & -bits);
		}
	return any;
}

static inline void hd_take_all(struct hd_proposals *round)
{
	struct hd_hierarchical *own = hd_hierarchical(round->model);

	for (size_t w = 0; w < hd_words(round->model); w++)
		for (uint64_t bits = round->outs[w]; bits; bits &= bits - 1)
			hd_take_proposal(round,
					 round->first + (uint32_t)(w * 64) + hd_lowest_bit(bits));
	for (size_t w = 0; w < hd_mport_words(own); w++)
		for (uint64_t bits = round->mports[w]; bits; bits &= bits - 1)
			hd_take_uplinks(round, round->at * own->n_mports + (uint32_t)(w * 64) +
						       hd_lowest_bit(bits));
}

static inline bool hd_has_tries(const struct hd_model *model, uint32_t at)
{
	return hd_any_bit(hd_tries(model, at), hd_words(model)) ||
	       hd_any_bit(hd_central_tries(model, at), hd_mport_words(hd_hierarchical(model)));
}

static inline void hd_take_rounds(struct hd_model *model, uint32_t at)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_proposals round;

	for (size_t w = 0; w < hd_words(model); w++)
		for (uint64_t bits = hd_fresh(model, at)[w]; bits; bits &= bits - 1)
			hd_settle_fresh(model, hd_first_port(model, at) + (uint32_t)(w * 64) +
						       hd_lowest_bit(bits));
	round.model = model;
	round.at = at;
	round.first = hd_first_port(model, at);
	round.first_link = at * own->n_mports * own->n_links;
	do {
		for (size_t w = 0; w < hd_words(model); w++)
			round.outs[w] = 0;
		for (size_t w = 0; w < hd_mport_words(own); w++)
			round.mports[w] = 0;
		if (hd_propose_all(&round))
			hd_take_all(&round);
	} while (hd_has_tries(model, at));
}

/*
 * Packet @index of in-port @in goes to the output buffer of @out, which has room, and if nothing is
 * before it, onto the link.
 */
static inline void hd_go_out(struct hd_model *model, uint32_t in, uint32_t out, uint32_t index,
			     bool is_together)
{
	const struct packet *packet = &model->buffers.packets[index];

	hd_enter_output(model, out, index);
	if (model->options.crossbar_latency)
		return;
	if (hd_scheduler(model) || hd_sender(model, out)->sending ||
	    hd_hierarchical_port(model, out)->queued ||
	    !hd_model_has_room(model, out, packet->out_vl, packet->message.size))
		hd_output_append(model, out, index);
	else
		hd_output_send(model, out, packet->out_vl, index, is_together ? in : HD_NONE);
}

/* The same by way of the first idle link out of the central buffer, in which it is in no queue. */
static inline void hd_pass_central(struct hd_model *model, uint32_t in, unsigned vl, uint32_t index)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_hierarchical_port *port = &own->ports[in];
	const unsigned link = hd_lowest_bit(own->mports[port->mport].idle_down);
	uint32_t out = model->buffers.packets[index].out;

	hd_output_turn(model, out, port->mport % own->n_mports * own->n_links + link);
	hd_go_out(model, in, out, index, hd_leave_central(model, in, vl, link, index));
}

#define HD_FEW_PROPOSALS 4

/* What is proposed, if no two of these compete. */
struct hd_independent {
	uint64_t outs;                    /* a bit for each out-port of these */
	uint32_t lanes[HD_FEW_PROPOSALS]; /* of in-ports, for output buffers of their MPorts */
	unsigned n;
	uint32_t up;   /* the same of an in-port, for its central buffer; HD_NONE: none */
	uint32_t down; /* the same in a central buffer */
};

/* Notes that @lane is for @out; false: somebody else is, too. */
static inline bool hd_is_alone(const struct hd_model *model, struct hd_independent *set,
			       uint32_t out)
{
	const uint64_t bit = bit_of(hd_local(model, out));

	if (set->outs & bit)
		return false;
	set->outs |= bit;
	return true;
}

/* Adds what in-port @in proposes; false: it may compete. */
static inline bool hd_add_input(struct hd_model *model, struct hd_independent *set, uint32_t in)
{
	const unsigned vl = hd_input_next_vl(model, in);
	uint32_t out;

	if (vl != hd_hierarchical_port(model, in)->fresh_vl &&
	    has_bit(hd_fresh(model, hd_switch_of(model, in)), 1, hd_local(model, in)))
		hd_settle_fresh(model, in);
	if (vl == HD_VL_DROP)
		return true;
	out = hd_head(model, hd_input_queue(model, in, vl))->out;
	if (hd_is_bypass(model, in, out)) {
		if (set->n == HD_FEW_PROPOSALS || !hd_is_alone(model, set, out))
			return false;
		set->lanes[set->n++] = lane_ref(in, vl);
		return true;
	}
	if (set->up != HD_NONE)
		return false;
	set->up = lane_ref(in, vl);
	return true;
}

/* Whether @mport has one packet alone in queues of its central buffer, which has some. */
static inline bool hd_has_one_behind(const struct hd_model *model, const struct hd_mport *mport)
{
	const unsigned vl = hd_lowest_bit(mport->queued);
	const uint64_t heads = mport->heads[vl];
	const struct queue *queue =
		&hd_central_queue(model, mport->first + hd_lowest_bit(heads), vl)->queue;

	return !(mport->queued & (mport->queued - 1)) && !(heads & (heads - 1)) &&
	       queue->head == queue->tail;
}

/* The same of the central buffer of @mport; true only if one link alone has something to do. */
static inline bool hd_add_central(const struct hd_model *model, struct hd_independent *set,
				  uint32_t mport)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_mport *m = &own->mports[mport];
	const struct hd_proposed none = { .n = 0 };
	const struct queue *queue;

	if (!m->queued || !m->idle_down)
		return true;
	if (m->idle_down & (m->idle_down - 1) && !hd_has_one_behind(model, m))
		return false;
	set->down = hd_next_behind(model, mport, mport * own->n_links + hd_lowest_bit(m->idle_down),
				   &none);
	if (set->down == HD_NONE)
		return true;
	queue = &hd_central_queue(model, lane_port(set->down), lane_vl(set->down))->queue;
	return hd_is_alone(model, set, hd_head(model, queue)->out);
}

/* The head of @lane goes to the output buffer of its out-port, in the same MPort. */
static inline void hd_go_straight(struct hd_model *model, uint32_t lane)
{
	const uint32_t in = lane_port(lane);
	uint32_t index = hd_leave_input(model, in, lane_vl(lane), HD_NONE);
	uint32_t out = model->buffers.packets[index].out;

	hd_output_turn(model, out,
		       hd_first_in_source(hd_hierarchical(model)) +
			       (in - hd_mport_of(model, in)->first));
	hd_go_out(model, in, out, index, true);
}

/* The one of @lane in the central buffer leaves it. */
static inline void hd_go_down(struct hd_model *model, uint32_t lane)
{
	const uint32_t in = lane_port(lane);
	uint32_t index = hd_pop_central(model, in, lane_vl(lane));

	hd_pass_central(model, in, lane_vl(lane), index);
}

/* The one of @lane goes into the central buffer, and on if it can. */
static inline void hd_go_up(struct hd_model *model, uint32_t lane)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	const uint32_t in = lane_port(lane), number = own->ports[in].mport;
	struct hd_mport *mport = &own->mports[number];
	const unsigned vl = lane_vl(lane), link = hd_lowest_bit(mport->idle_up);
	uint32_t index = hd_enter_central(model, in, vl, link);

	own->links[number * own->n_links + link].turn = hd_next_turn(in - mport->first, mport->n);
	if (model->options.crossbar_latency)
		return;
	if (!mport->idle_down || hd_central_queue(model, in, vl)->queue.head != HD_NONE ||
	    !hd_can_enter(model, &model->buffers.packets[index]))
		hd_central_append(model, in, vl, index);
	else
		hd_pass_central(model, in, vl, index);
}

/*
 * If what is to be tried at switch @at, whose masks are of one word, does not compete, it is taken; then
 * nobody else can go. False: it may compete, and nothing is taken. A head that comes into the
 * central buffer can go on, but those that stood there before and were not to be tried cannot.
 */
static inline bool hd_take_independent(struct hd_model *model, uint32_t at)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	uint64_t *ins = hd_tries(model, at), *centrals = hd_central_tries(model, at);
	struct hd_independent set = { .up = HD_NONE, .down = HD_NONE };

	if (*centrals & (*centrals - 1))
		return false;
	for (uint64_t bits = *ins; bits; bits &= bits - 1)
		if (!hd_add_input(model, &set, hd_first_port(model, at) + hd_lowest_bit(bits)))
			return false;
	if (*centrals &&
	    !hd_add_central(model, &set, at * own->n_mports + hd_lowest_bit(*centrals)))
		return false;
	*ins = *centrals = 0;
	for (unsigned i = 0; i < set.n; i++)
		hd_go_straight(model, set.lanes[i]);
	if (set.down != HD_NONE)
		hd_go_down(model, set.down);
	if (set.up != HD_NONE)
		hd_go_up(model, set.up);
	return true;
}

/* As arbitrate() of struct hd_switch_model. Observers see the ports of a switch in their order. */
static inline void hd_hierarchical_arbitrate(struct hd_model *model, uint32_t at)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	struct crossbar *crossbar = hd_crossbar(model, at);
	const size_t words = hd_words(model);
	uint64_t *dirty = hd_dirty(crossbar, words);
	uint32_t first = hd_first_port(model, at);

	if (hd_has_tries(model, at) && (words > 1 || hd_mport_words(own) > 1 ||
					hd_is_observed(model) || !hd_take_independent(model, at)))
		hd_take_rounds(model, at);
	for (size_t w = 0; w < words; w++) {
		for (uint64_t bits = dirty[w]; bits; bits &= bits - 1)
			hd_hierarchical_send(model,
					     first + (uint32_t)(w * 64) + hd_lowest_bit(bits));
		dirty[w] = 0;
	}
	crossbar->is_dirty = false;
}

#endif
