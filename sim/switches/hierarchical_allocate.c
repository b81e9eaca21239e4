// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The two stages of allocation, at in-ports and at central buffers alike. First each in-port that
 * sends nothing, and each idle link out of a central buffer, proposes the head of one VL, in turn,
 * of those that could go. Then each output buffer takes one of the proposals to it, of the links of
 * all central buffers and the in-ports of its MPort in turn, and each idle link into a central
 * buffer one of those of its MPort's in-ports. Who was not taken proposes again, until nobody can.
 */
#include "sim/switches/hierarchical.h"

/* A head that its in-port, or a link out of a central buffer, proposes for an output buffer. */
struct proposal {
	uint32_t in;
	unsigned vl;
	uint32_t link;     /* HD_NONE: it is the in-port's */
	unsigned distance; /* behind whose turn it is */
};

/* The proposals of a round. */
struct round {
	struct hd_model *model;
	uint32_t at;
	uint32_t first;                                /* the switch's first port ... */
	uint32_t first_link;                           /* ... and first link of a central buffer */
	uint64_t outs[(HD_MAX_PORTS + 63) / 64 + 1];   /* that have a proposal */
	struct proposal of[HD_MAX_PORTS + 1];          /* [out-port] the best */
	uint64_t mports[(HD_MAX_PORTS + 63) / 64 + 1]; /* of which in-ports propose */
	uint64_t ins[HD_MAX_PORTS + 1];  /* [MPort] a bit for each of them that does ... */
	uint8_t in_vl[HD_MAX_PORTS + 1]; /* [in-port] ... and for which VL */
};

static unsigned first_bit(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

static bool can_enter(const struct hd_model *model, const struct packet *packet)
{
	return !hd_hierarchical_port(model, packet->out)->is_entered &&
	       hd_output_room(model, packet->out, packet->out_vl) >= packet->message.size;
}

/* Whether a link of @mport into its central buffer is idle. */
static bool has_uplink(const struct hd_hierarchical *own, uint32_t mport)
{
	for (unsigned i = 0; i < own->n_links; i++)
		if (!own->links[mport * own->n_links + i].is_taken)
			return true;
	return false;
}

/* Whether the head of in-port @in and @vl could go on now. */
static bool can_leave(const struct hd_model *model, uint32_t in, unsigned vl, bool has_link)
{
	const struct packet *head = hd_head(model, hd_input_queue(model, in, vl));

	if (hd_is_bypass(model, in, head->out))
		return can_enter(model, head);
	return has_link && hd_central_room(model, in, vl) >= head->message.size;
}

/* Source @source of @n proposes for @out what @proposal says, unless a source before it did. */
static void propose(struct round *round, uint32_t out, unsigned source, unsigned n,
		    struct proposal proposal)
{
	unsigned turn = hd_hierarchical_port(round->model, out)->turn;
	unsigned local = out - round->first;
	struct proposal *best = &round->of[local];

	proposal.distance = source >= turn ? source - turn : source + n - turn;
	if (round->outs[local / 64] >> local % 64 & 1 && best->distance < proposal.distance)
		return;
	round->outs[local / 64] |= bit_of(local);
	*best = proposal;
}

/* Sources of the output buffers of @mport: links of all central buffers, then its in-ports. */
static unsigned sources_of(const struct hd_hierarchical *own, const struct hd_mport *mport)
{
	return own->n_mports * own->n_links + mport->n;
}

/* In-port @in proposes a head; false: none could go. */
static bool propose_input(struct round *round, uint32_t in)
{
	struct hd_model *model = round->model;
	struct hd_hierarchical *own = hd_hierarchical(model);
	struct hd_hierarchical_port *port = &own->ports[in];
	const struct hd_mport *mport = &own->mports[port->mport];
	bool has_link = has_uplink(own, port->mport);
	unsigned local = in - round->first, vl = port->vl_turn;

	if (port->leaving)
		return false;
	for (unsigned k = 0; k < model->n_vls; k++, vl = vl + 1 == model->n_vls ? 0 : vl + 1) {
		const struct queue *queue = hd_input_queue(model, in, vl);
		unsigned m = port->mport - round->at * own->n_mports;
		uint32_t out;

		if (queue->head == HD_NONE || !can_leave(model, in, vl, has_link))
			continue;
		out = hd_head(model, queue)->out;
		if (hd_is_bypass(model, in, out)) {
			propose(round, out, own->n_mports * own->n_links + (in - mport->first),
				sources_of(own, mport),
				(struct proposal){ .in = in, .vl = vl, .link = HD_NONE });
			return true;
		}
		if (!(round->mports[m / 64] >> m % 64 & 1))
			round->ins[m] = 0;
		round->mports[m / 64] |= bit_of(m);
		round->ins[m] |= bit_of(in - mport->first);
		round->in_vl[local] = (uint8_t)vl;
		return true;
	}
	return false;
}

/* Heads that links out of a central buffer have proposed in a round: references of in-lanes. */
struct proposed {
	uint32_t lanes[HD_MOST_MPORT];
	unsigned n;
};

static bool is_proposed(const struct proposed *proposed, uint32_t lane)
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
static uint32_t next_central(const struct hd_model *model, const struct hd_mport *mport,
			     unsigned vl, const struct proposed *proposed)
{
	for (uint64_t heads = mport->heads[vl]; heads;) {
		unsigned i = hd_first_from(heads, mport->in_turn[vl]);
		uint32_t in = mport->first + i;

		if (!is_proposed(proposed, lane_ref(in, vl)) &&
		    can_enter(model, hd_head(model, &hd_central_queue(model, in, vl)->queue)))
			return in;
		heads &= ~bit_of(i);
	}
	return HD_NONE;
}

/* Link @link out of the central buffer of @mport proposes a head; false: none could go. */
static bool propose_central(struct round *round, uint32_t mport, uint32_t link,
			    struct proposed *proposed)
{
	struct hd_model *model = round->model;
	struct hd_hierarchical *own = hd_hierarchical(model);

	for (uint64_t vls = own->mports[mport].queued; vls;) {
		unsigned vl = hd_first_from(vls, own->links[link].vl_turn);
		uint32_t in = next_central(model, &own->mports[mport], vl, proposed), out;

		vls &= ~bit_of(vl);
		if (in == HD_NONE)
			continue;
		proposed->lanes[proposed->n++] = lane_ref(in, vl);
		out = hd_head(model, &hd_central_queue(model, in, vl)->queue)->out;
		propose(round, out, link - round->first_link,
			sources_of(own, hd_mport_of(model, out)),
			(struct proposal){ .in = in, .vl = vl, .link = link });
		return true;
	}
	return false;
}

/* Proposals of the idle links out of the central buffer of @mport; false: there are none. */
static bool propose_links(struct round *round, uint32_t mport)
{
	struct hd_hierarchical *own = hd_hierarchical(round->model);
	const uint32_t first = mport * own->n_links;
	struct proposed proposed;

	proposed.n = 0;
	for (unsigned i = 0; i < own->n_links && own->mports[mport].queued; i++)
		if (own->links[first + i].lane == HD_NONE)
			propose_central(round, mport, first + i, &proposed);
	return proposed.n > 0;
}

/* @out takes the best proposal that it has. */
static void take_proposal(struct round *round, uint32_t out)
{
	struct hd_model *model = round->model;
	struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_mport *mport = hd_mport_of(model, out);
	const struct proposal *best = &round->of[out - round->first];
	unsigned n = sources_of(own, mport);
	uint32_t source;

	if (best->link == HD_NONE) {
		source = own->n_mports * own->n_links + (best->in - mport->first);
		hd_hierarchical_to_output(model, best->in, best->vl, out);
	} else {
		struct hd_mport *from = hd_mport_of(model, best->in);

		source = best->link - round->first_link;
		from->in_turn[best->vl] = hd_next_turn(best->in - from->first, from->n);
		hd_hierarchical_from_central(model, best->in, best->vl, best->link, out);
	}
	own->ports[out].turn = source + 1 == n ? 0 : source + 1;
}

/* The idle links into the central buffer of @mport take in-ports that propose, in turn. */
static void take_uplinks(struct round *round, uint32_t mport)
{
	struct hd_model *model = round->model;
	struct hd_hierarchical *own = hd_hierarchical(model);
	const struct hd_mport *m = &own->mports[mport];
	uint64_t ins = round->ins[mport - round->at * own->n_mports];

	for (unsigned i = 0; i < own->n_links && ins; i++) {
		struct hd_central_link *link = &own->links[mport * own->n_links + i];
		unsigned in, vl;

		if (link->is_taken)
			continue;
		in = hd_first_from(ins, link->turn);
		vl = round->in_vl[m->first + in - round->first];
		ins &= ~bit_of(in);
		/* another link may have taken the last room */
		if (!can_leave(model, m->first + in, vl, true)) {
			i--;
			continue;
		}
		link->turn = in + 1 == m->n ? 0 : (uint8_t)(in + 1);
		hd_hierarchical_to_central(model, m->first + in, vl, mport * own->n_links + i);
	}
}

/* All that are to be tried propose; false: nobody does. Those that do not are tried no more. */
static bool propose_all(struct round *round)
{
	struct hd_model *model = round->model;
	struct hd_hierarchical *own = hd_hierarchical(model);
	size_t words = hd_words(model);
	uint64_t *tries = hd_tries(model, round->at);
	bool any = false;

	for (size_t w = 0; w < words + own->mport_words; w++)
		for (uint64_t bits = tries[w]; bits; bits &= bits - 1) {
			bool is_in = w < words, does;
			uint32_t n = (uint32_t)(is_in ? w : w - words) * 64 + first_bit(bits);

			does = is_in ? propose_input(round, round->first + n)
				     : propose_links(round, round->at * own->n_mports + n);
			any |= does;
			if (!does)
				tries[w] &= ~(bits & -bits);
		}
	return any;
}

static void take_all(struct round *round)
{
	struct hd_hierarchical *own = hd_hierarchical(round->model);

	for (size_t w = 0; w < hd_words(round->model); w++)
		for (uint64_t bits = round->outs[w]; bits; bits &= bits - 1)
			take_proposal(round, round->first + (uint32_t)(w * 64) + first_bit(bits));
	for (unsigned w = 0; w < own->mport_words; w++)
		for (uint64_t bits = round->mports[w]; bits; bits &= bits - 1)
			take_uplinks(round, round->at * own->n_mports + w * 64 + first_bit(bits));
}

void hd_hierarchical_arbitrate(struct hd_model *model, uint32_t at)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);
	struct crossbar *crossbar = hd_crossbar(model, at);
	size_t words = hd_words(model);
	uint64_t *dirty = hd_dirty(crossbar, words);
	struct round round;

	round.model = model;
	round.at = at;
	round.first = hd_first_port(model, at);
	round.first_link = at * own->n_mports * own->n_links;
	while (hd_any_bit(hd_tries(model, at), words + own->mport_words)) {
		for (size_t w = 0; w < words; w++)
			round.outs[w] = 0;
		for (size_t w = 0; w < own->mport_words; w++)
			round.mports[w] = 0;
		if (propose_all(&round))
			take_all(&round);
	}
	for (size_t w = 0; w < words; w++) {
		for (uint64_t bits = dirty[w]; bits; bits &= bits - 1)
			hd_hierarchical_send(model,
					     round.first + (uint32_t)(w * 64) + first_bit(bits));
		dirty[w] = 0;
	}
	crossbar->is_dirty = false;
}
