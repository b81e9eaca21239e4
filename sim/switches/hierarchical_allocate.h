/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The two stages of allocation, at in-ports and at central buffers alike. First each in-port that
 * sends nothing, and each idle link out of a central buffer, proposes the head of one VL, in turn,
 * of those that could go. Then each output buffer takes one of the proposals to it, of the links of
 * all central buffers and the in-ports of its MPort in turn, and each idle link into a central
 * buffer one of those of its MPort's in-ports. Who was not taken proposes again, until nobody can.
 *
 * Mostly there is one proposal, which goes as far as it can at once.
 */
#ifndef HD_SWITCHES_HIERARCHICAL_ALLOCATE_H
#define HD_SWITCHES_HIERARCHICAL_ALLOCATE_H

#include "sim/switches/hierarchical_straight.h"

/* A head that its in-port, or a link out of a central buffer, proposes for an output buffer. */
struct hd_proposal {
	uint32_t lane; /* reference of its in-lane */
	uint32_t link; /* of all links of the switch; HD_NONE: it is the in-port's */
};

/* The proposals of a round. */
struct hd_round {
	uint64_t outs[(HD_MAX_PORTS + 63) / 64 + 1];   /* that have a proposal */
	struct hd_proposal of[HD_MAX_PORTS + 1];       /* [out-port] the best */
	uint64_t mports[(HD_MAX_PORTS + 63) / 64 + 1]; /* of which in-ports propose */
	uint64_t ins[HD_MAX_PORTS + 1];  /* [MPort] a bit for each of them that does ... */
	uint8_t in_vl[HD_MAX_PORTS + 1]; /* [in-port] ... and for which VL */

	/* in-ports that propose, and have no other head */
	uint64_t only[(HD_MAX_PORTS + 63) / 64 + 1];
};

static inline unsigned hd_lowest_bit(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

static inline bool hd_can_enter(const struct hd_model *model, const struct packet *packet)
{
	return !hd_hierarchical_out(model, packet->out)->is_entered &&
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
	const struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	struct hd_mport *mport = &hd_hierarchical(model)->mports[port->mport];
	unsigned vl = port->vl_turn;

	if (port->leaving)
		return HD_VL_DROP;
	for (unsigned k = 0; k < hd_n_vls(model); k++, vl = vl + 1 == hd_n_vls(model) ? 0 : vl + 1)
		if (hd_input_queue(model, in, vl)->head != HD_NONE &&
		    hd_can_leave(model, mport, in, vl))
			return vl;
	return HD_VL_DROP;
}

/* The source of @proposal for @out. */
static inline unsigned hd_source_of(const struct hd_model *model, uint32_t out,
				    const struct hd_proposal *proposal)
{
	if (proposal->link != HD_NONE)
		return proposal->link;
	return hd_first_in_source(hd_hierarchical(model)) +
	       (lane_port(proposal->lane) - hd_mport_of_out(model, out)->first);
}

/* How far behind whose turn it is at @out the source of @proposal is. */
static inline unsigned hd_distance(const struct hd_model *model, uint32_t out,
				   const struct hd_proposal *proposal)
{
	const unsigned turn = hd_hierarchical_out(model, out)->turn;
	const unsigned source = hd_source_of(model, out, proposal);

	if (source >= turn)
		return source - turn;
	return source + hd_sources_of(hd_hierarchical(model), hd_mport_of_out(model, out)) - turn;
}

/* @proposal is for @out: the best, unless it already has one whose turn comes before. */
static inline void hd_propose(const struct hd_model *model, struct hd_round *round, uint32_t out,
			      struct hd_proposal proposal)
{
	const size_t words = hd_words(model);
	const unsigned local = hd_local(model, out);

	if (has_bit(round->outs, words, local) &&
	    hd_distance(model, out, &round->of[local]) < hd_distance(model, out, &proposal))
		return;
	set_bit(round->outs, words, local);
	round->of[local] = proposal;
}

/* Whether only one queue of in-port @in, which has a head, has one. */
static inline bool hd_has_one_head(const struct hd_model *model, uint32_t in)
{
	unsigned n = 0;

	for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
		n += hd_input_queue(model, in, vl)->head != HD_NONE;
	return n == 1;
}

/* In-port @in proposes a head; false: none could go. */
static inline bool hd_propose_input(struct hd_model *model, struct hd_round *round, uint32_t in)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	const struct hd_mport *mport = &own->mports[port->mport];
	const uint32_t at = hd_switch_of(model, in);
	unsigned m, vl = hd_input_next_vl(model, in);
	uint32_t out;

	if (vl != port->fresh_vl &&
	    has_bit(hd_fresh(model, at), hd_words(model), hd_local(model, in)))
		hd_settle_fresh(model, in);
	if (vl == HD_VL_DROP)
		return false;
	if (hd_has_one_head(model, in))
		set_bit(round->only, hd_words(model), hd_local(model, in));
	out = hd_head(model, hd_input_queue(model, in, vl))->out;
	if (hd_is_bypass(model, in, out)) {
		hd_propose(model, round, out, (struct hd_proposal){ lane_ref(in, vl), HD_NONE });
		return true;
	}
	m = port->mport - at * own->n_mports;
	if (!has_bit(round->mports, hd_mport_words(own), m))
		round->ins[m] = 0;
	set_bit(round->mports, hd_mport_words(own), m);
	round->ins[m] |= bit_of(in - mport->first);
	round->in_vl[hd_local(model, in)] = (uint8_t)vl;
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
		unsigned i = hd_first_from(heads, mport->turns[vl].in);
		uint32_t in = mport->first + i;

		if (!hd_is_proposed(proposed, lane_ref(in, vl)) &&
		    hd_can_enter(model, hd_head(model, &hd_central_queue(model, in, vl)->queue)))
			return in;
		heads &= ~bit_of(i);
	}
	return HD_NONE;
}

/*
 * The head that link @link out of the central buffer of @mport proposes: a reference of its
 * in-lane; HD_NONE: none could go.
 */
static inline uint32_t hd_next_behind(const struct hd_model *model, uint32_t mport, uint32_t link,
				      const struct hd_proposed *proposed)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	for (uint64_t vls = own->mports[mport].queued; vls;) {
		unsigned vl = hd_first_from(vls, own->mports[mport].turns[link].down_vl);
		uint32_t in = hd_next_central(model, &own->mports[mport], vl, proposed);

		if (in != HD_NONE)
			return lane_ref(in, vl);
		vls &= ~bit_of(vl);
	}
	return HD_NONE;
}

/*
 * Proposals of the idle links out of the central buffer of MPort @place of switch @at. False: no
 * other of its heads could go, so the buffer is tried no more in any case. A head whose proposal is
 * not taken cannot go then, since its output buffer takes another packet.
 */
static inline bool hd_propose_links(const struct hd_model *model, struct hd_round *round,
				    uint32_t at, unsigned place)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const uint32_t mport = at * own->n_mports + place;
	const struct hd_mport *m = &own->mports[mport];
	struct hd_proposed proposed;

	proposed.n = 0;
	for (uint64_t idle = m->queued ? m->idle_down : 0; idle; idle &= idle - 1) {
		const unsigned link = hd_lowest_bit(idle);
		const uint32_t lane = hd_next_behind(model, mport, link, &proposed);

		/* what one link could not propose, no other can */
		if (lane == HD_NONE)
			return false;
		proposed.lanes[proposed.n++] = lane;
		hd_propose(model, round,
			   hd_head(model,
				   &hd_central_queue(model, lane_port(lane), lane_vl(lane))->queue)
				   ->out,
			   (struct hd_proposal){ lane, place * own->n_links + link });
	}
	return proposed.n > 0;
}

/* All that are to be tried at switch @at propose. Those that do not are tried no more. */
static inline void hd_propose_all(struct hd_model *model, struct hd_round *round, uint32_t at)
{
	const size_t words = hd_words(model), mport_words = hd_mport_words(hd_hierarchical(model));
	const uint32_t first = hd_first_port(model, at);
	uint64_t *ins = hd_tries(model, at), *centrals = hd_central_tries(model, at);

	for (size_t w = 0; w < words; w++)
		round->outs[w] = round->only[w] = 0;
	for (size_t w = 0; w < mport_words; w++)
		round->mports[w] = 0;
	for (size_t w = 0; w < words; w++)
		for (uint64_t bits = ins[w]; bits; bits &= bits - 1)
			if (!hd_propose_input(model, round,
					      first + (uint32_t)(w * 64) + hd_lowest_bit(bits)))
				ins[w] &= ~(bits & -bits);
	for (size_t w = 0; w < mport_words; w++)
		for (uint64_t bits = centrals[w]; bits; bits &= bits - 1)
			if (!hd_propose_links(model, round, at,
					      (unsigned)w * 64 + hd_lowest_bit(bits)))
				centrals[w] &= ~(bits & -bits);
}

/*
 * Packet @index, which left in-port @in or the central buffer, goes to the output buffer of @out,
 * which has room, and if nothing is before it, onto the link. With @is_together, it leaves all of
 * these at a time, as far as its tail is not there before. Observers see the links of a switch in
 * the order of their ports.
 */
static inline void hd_go_out(struct hd_model *model, uint32_t in, uint32_t out, uint32_t index,
			     bool is_together)
{
	const struct packet *packet = &model->buffers.packets[index];

	hd_enter_output(model, out, index);
	if (model->options.crossbar_latency)
		return;
	if (hd_is_observed(model) || hd_scheduler(model) ||
	    hd_hierarchical_out(model, out)->sending || hd_hierarchical_out(model, out)->queued ||
	    !hd_model_has_room(model, out, packet->out_vl, packet->message.size))
		hd_output_append(model, out, index);
	else
		hd_output_send(model, out, packet->out_vl, index, is_together ? in : HD_NONE);
}

/* @out takes the best proposal that it has. */
static inline void hd_take_proposal(struct hd_model *model, uint32_t out,
				    const struct hd_proposal *best)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const uint32_t in = lane_port(best->lane);
	const unsigned vl = lane_vl(best->lane);
	bool is_together = true;
	uint32_t index;

	hd_output_turn(model, out, hd_source_of(model, out, best));
	if (best->link == HD_NONE) {
		index = hd_leave_input(model, in, vl, HD_NO_CENTRAL_LINK);
	} else {
		index = hd_pop_central(model, in, vl);
		is_together = hd_leave_central(model, in, vl, best->link % own->n_links, index);
		hd_end_central_try(model, hd_hierarchical_in(model, in)->mport);
	}
	hd_go_out(model, in, out, index, is_together);
}

static inline void hd_take_outs(struct hd_model *model, const struct hd_round *round, uint32_t at)
{
	for (size_t w = 0; w < hd_words(model); w++)
		for (uint64_t bits = round->outs[w]; bits; bits &= bits - 1) {
			const unsigned local = (unsigned)w * 64 + hd_lowest_bit(bits);

			hd_take_proposal(model, hd_first_port(model, at) + local,
					 &round->of[local]);
		}
}

/*
 * The head of @in and @vl goes into the central buffer by link @link. Where nothing else is to be
 * tried, it alone could go on from there, which it does if it can.
 */
static inline void hd_go_up(struct hd_model *model, uint32_t in, unsigned vl, unsigned link,
			    bool is_alone)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	const uint32_t number = hd_hierarchical_in(model, in)->mport;
	const struct hd_mport *mport = &own->mports[number];
	const uint32_t index = hd_enter_central(model, in, vl, link);
	uint32_t out;
	unsigned down;

	if (model->options.crossbar_latency)
		return;
	if (!is_alone) {
		if (hd_central_append(model, in, vl, index))
			hd_hierarchical_try_central(model, number);
		return;
	}
	if (!mport->idle_down || hd_central_queue(model, in, vl)->queue.head != HD_NONE ||
	    !hd_can_enter(model, &model->buffers.packets[index])) {
		hd_central_append(model, in, vl, index);
		return;
	}
	out = model->buffers.packets[index].out;
	down = hd_lowest_bit(mport->idle_down);
	hd_output_turn(model, out, number % own->n_mports * own->n_links + down);
	hd_go_out(model, in, out, index, hd_leave_central(model, in, vl, down, index));
}

/* Whether nothing is to be tried at switch @at but @in. */
static inline bool hd_is_last_try(const struct hd_model *model, uint32_t at, uint32_t in)
{
	return hd_words(model) == 1 && *hd_tries(model, at) == bit_of(hd_local(model, in)) &&
	       !hd_any_bit(hd_central_tries(model, at), hd_mport_words(hd_hierarchical(model)));
}

/*
 * The idle links into the central buffer of MPort @place of @at take in-ports that propose, in
 * turn.
 */
static inline void hd_take_uplinks(struct hd_model *model, const struct hd_round *round,
				   uint32_t at, unsigned place)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	const uint32_t mport = at * own->n_mports + place;
	struct hd_mport *m = &own->mports[mport];
	uint64_t ins = round->ins[place];

	for (uint64_t idle = m->idle_up; idle && ins;) {
		const unsigned i = hd_lowest_bit(idle);
		const unsigned number = hd_first_from(ins, m->turns[i].up);
		const uint32_t in = m->first + number;
		const unsigned vl = round->in_vl[hd_local(model, in)];

		ins &= ~bit_of(number);
		/* another link may have taken the last room */
		if (!hd_can_leave(model, m, in, vl))
			continue;
		idle &= idle - 1;
		m->turns[i].up = hd_next_turn(number, m->n);
		hd_go_up(model, in, vl, i, hd_is_last_try(model, at, in));
	}
}

static inline void hd_take_all_uplinks(struct hd_model *model, const struct hd_round *round,
				       uint32_t at)
{
	for (size_t w = 0; w < hd_mport_words(hd_hierarchical(model)); w++)
		for (uint64_t bits = round->mports[w]; bits; bits &= bits - 1)
			hd_take_uplinks(model, round, at, (unsigned)w * 64 + hd_lowest_bit(bits));
}

/* All that is to be tried at switch @at is in-port @in: its head goes as far as it can. */
static __attribute__((noinline)) void hd_go_alone(struct hd_model *model, uint32_t at, uint32_t in)
{
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_hierarchical_in *port = hd_hierarchical_in(model, in);
	struct hd_mport *mport = &own->mports[port->mport];
	const unsigned number = in - mport->first;
	unsigned vl, up;
	uint32_t out;

	vl = hd_input_next_vl(model, in);
	if (vl != port->fresh_vl && has_bit(hd_fresh(model, at), 1, hd_local(model, in)))
		hd_settle_fresh(model, in);
	if (vl == HD_VL_DROP) {
		*hd_tries(model, at) = 0;
		return;
	}
	out = hd_head(model, hd_input_queue(model, in, vl))->out;
	if (hd_is_bypass(model, in, out)) {
		hd_output_turn(model, out, hd_first_in_source(own) + number);
		hd_go_out(model, in, out, hd_leave_input(model, in, vl, HD_NO_CENTRAL_LINK), true);
		return;
	}
	up = hd_lowest_bit(mport->idle_up);
	mport->turns[up].up = hd_next_turn(number, mport->n);
	hd_go_up(model, in, vl, up, true);
}

static inline bool hd_has_tries(const struct hd_model *model, uint32_t at)
{
	return hd_any_bit(hd_tries(model, at), hd_words(model)) ||
	       hd_any_bit(hd_central_tries(model, at), hd_mport_words(hd_hierarchical(model)));
}

/*
 * In-ports that are still to be tried after a round have lost. The only head of one cannot go: its
 * output buffer, or the last link into the central buffer, was another one's.
 */
static inline void hd_end_lost_tries(struct hd_model *model, const struct hd_round *round,
				     uint32_t at)
{
	uint64_t *ins = hd_tries(model, at);
	const uint64_t *fresh = hd_fresh(model, at);

	for (size_t w = 0; w < hd_words(model); w++) {
		const uint64_t lost = ins[w] & round->only[w];

		ins[w] &= ~lost;
		for (uint64_t bits = lost & fresh[w]; bits; bits &= bits - 1)
			hd_settle_fresh(model, hd_first_port(model, at) + (uint32_t)(w * 64) +
						       hd_lowest_bit(bits));
	}
}

/* Rounds of proposals at switch @at until nobody can go. */
static __attribute__((noinline)) void hd_match(struct hd_model *model, uint32_t at)
{
	struct hd_round round;

	do {
		hd_propose_all(model, &round, at);
		hd_take_outs(model, &round, at);
		hd_take_all_uplinks(model, &round, at);
		hd_end_lost_tries(model, &round, at);
	} while (hd_has_tries(model, at));
}

/* If one in-port is all that is to be tried at switch @at, its head goes as far as it can. */
static inline void hd_go_first(struct hd_model *model, uint32_t at)
{
	const uint64_t ins = *hd_tries(model, at);
	const uint64_t only_fresh =
		*hd_fresh(model, at) & ~*hd_has_heads(hd_crossbar(model, at), 1);
	uint32_t in;

	if (!ins || ins & (ins - 1) || *hd_central_tries(model, at))
		return;
	in = hd_first_port(model, at) + hd_lowest_bit(ins);
	if (!(only_fresh & ins) || !hd_go_straight(model, at, in))
		hd_go_alone(model, at, in);
}

/* As arbitrate() of struct hd_switch_model. */
static inline void hd_hierarchical_arbitrate(struct hd_model *model, uint32_t at)
{
	struct crossbar *crossbar = hd_crossbar(model, at);
	const size_t words = hd_words(model);
	uint64_t *dirty = hd_dirty(crossbar, words);

	if (HD_MACHINE_HIERARCHICAL)
		hd_go_first(model, at);
	if (hd_has_tries(model, at))
		hd_match(model, at);
	for (size_t w = 0; w < words; w++) {
		for (uint64_t bits = dirty[w]; bits; bits &= bits - 1)
			hd_hierarchical_send(model, hd_first_port(model, at) + (uint32_t)(w * 64) +
							    hd_lowest_bit(bits));
		dirty[w] = 0;
	}
	crossbar->is_dirty = false;
}

#endif
