// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The two allocators of a switch with VC allocation: in-VCs with out-VCs, in-ports with out-ports.
 * Both match requests by the same rules, round robin on each side. The work of a cycle is linear in
 * the requests, whose order does not matter.
 */
#include "sim/switches/vc.h"

/* How many turns after @turn it is @i's turn, of @n. */
static uint32_t turns_to(uint32_t i, uint32_t turn, uint32_t n)
{
	return i >= turn ? i - turn : i + n - turn;
}

struct sides {
	uint32_t *accept, *grant; /* [in], [out] turns */
	uint32_t n_in, n_out;
	bool input_first;
};

/* Whether request @a goes before @b, which is one or HD_NONE, for the in-side of both. */
static bool in_prefers(const struct hd_vc_matching *m, const struct sides *s, uint32_t a,
		       uint32_t b)
{
	const struct hd_vc_request *x = &m->requests[a], *y = &m->requests[b];
	const uint32_t turn = s->accept[x->in];

	if (b == HD_NONE)
		return true;
	if (s->input_first && x->rank != y->rank)
		return x->rank > y->rank;
	return turns_to(x->out, turn, s->n_out) < turns_to(y->out, turn, s->n_out);
}

/* The same for the out-side. */
static bool out_prefers(const struct hd_vc_matching *m, const struct sides *s, uint32_t a,
			uint32_t b)
{
	const struct hd_vc_request *x = &m->requests[a], *y = &m->requests[b];
	const uint32_t turn = s->grant[x->out];

	if (b == HD_NONE)
		return true;
	if (s->input_first && x->rank != y->rank)
		return x->rank > y->rank;
	return turns_to(x->in, turn, s->n_in) < turns_to(y->in, turn, s->n_in);
}

static bool is_open(const struct hd_vc_matching *m, const struct hd_vc_request *request)
{
	return m->in_match[request->in] == HD_NONE && m->out_match[request->out] == HD_NONE;
}

/* One side chooses among all requests that are open, the other among those that were chosen. */
static void choose(struct hd_vc_matching *m, const struct sides *s)
{
	for (uint32_t i = 0; i < m->n; i++)
		m->in_best[m->requests[i].in] = m->out_best[m->requests[i].out] = HD_NONE;
	for (uint32_t i = 0; i < m->n; i++) {
		const struct hd_vc_request *r = &m->requests[i];

		if (!is_open(m, r))
			continue;
		if (s->input_first && in_prefers(m, s, i, m->in_best[r->in]))
			m->in_best[r->in] = i;
		if (!s->input_first && out_prefers(m, s, i, m->out_best[r->out]))
			m->out_best[r->out] = i;
	}
	for (uint32_t i = 0; i < m->n; i++) {
		const struct hd_vc_request *r = &m->requests[i];

		if (s->input_first && m->in_best[r->in] == i &&
		    out_prefers(m, s, i, m->out_best[r->out]))
			m->out_best[r->out] = i;
		if (!s->input_first && m->out_best[r->out] == i &&
		    in_prefers(m, s, i, m->in_best[r->in]))
			m->in_best[r->in] = i;
	}
}

/* Turns move by the first round only, as in iSLIP: else a pair may starve. */
static bool match_round(struct hd_vc_matching *m, const struct sides *s, bool is_first)
{
	bool any = false;

	choose(m, s);
	for (uint32_t i = 0; i < m->n; i++) {
		const struct hd_vc_request *r = &m->requests[i];

		if (!is_open(m, r) || m->in_best[r->in] != i || m->out_best[r->out] != i)
			continue;
		m->in_match[r->in] = m->out_match[r->out] = i;
		any = true;
		if (!is_first)
			continue;
		s->accept[r->in] = r->out + 1 == s->n_out ? 0 : r->out + 1;
		s->grant[r->out] = r->in + 1 == s->n_in ? 0 : r->in + 1;
	}
	return any;
}

static void match(const struct hd_model *model, struct hd_vc_matching *m, struct sides sides)
{
	const unsigned iterations = model->options.iterations;

	sides.input_first = model->options.allocator->input_first;
	for (uint32_t i = 0; i < m->n; i++)
		m->in_match[m->requests[i].in] = m->out_match[m->requests[i].out] = HD_NONE;
	for (unsigned k = 0; !iterations || k < iterations; k++)
		if (!match_round(m, &sides, !k))
			break;
}

static void ask(struct hd_vc_matching *m, uint32_t in, uint32_t out, uint8_t rank, unsigned label)
{
	m->requests[m->n++] = (struct hd_vc_request){ in, out, rank, (uint8_t)label };
}

static bool asks_for_vc(const struct hd_vc *own, const struct hd_in_vc *in)
{
	return in->state == HD_VC_WAITING && in->ready <= own->cycle;
}

void hd_vc_allocate(struct hd_model *model, uint32_t at)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_vc_matching *m = &own->matching;
	const uint32_t first = hd_vc_first_lane(model, at), n = hd_vc_lanes(model, at);

	m->n = 0;
	for (uint32_t i = 0; i < own->n_busy[at]; i++) {
		const uint32_t lane = own->busy[first + i];
		struct hd_in_vc *in = &own->ins[lane];

		if (!asks_for_vc(own, in))
			continue;
		/* the next time to ask, if it gets none; those that guess ask every cycle */
		if (own->options.vc > 1)
			in->ready = own->cycle + own->options.vc;
		for (unsigned k = 0; k < in->n_vcs; k++) {
			const uint32_t out = hd_vc_lane(own, in->out, in->first_vc + k);

			if (hd_vc_is_free(model, out))
				ask(m, lane - first, out - first, 0, 0);
		}
	}
	if (!m->n)
		return;
	match(model, m,
	      (struct sides){ own->vc_accept + first, own->vc_grant + first, n, n, false });
	for (uint32_t i = 0; i < m->n; i++) {
		const struct hd_vc_request *r = &m->requests[i];
		struct hd_in_vc *in = &own->ins[first + r->in];

		if (m->in_match[r->in] != i)
			continue;
		in->state = HD_VC_GRANTED;
		in->out_vc = (uint8_t)(r->out % own->n_vcs);
		in->ready = own->cycle + own->options.vc - 1;
	}
}

/* Whether a head that asks for an out-VC finds one that is free and has credit. */
static bool may_guess(const struct hd_model *model, const struct hd_in_vc *in)
{
	const struct hd_vc *own = hd_vc(model);

	for (unsigned k = 0; k < in->n_vcs; k++) {
		const uint32_t out = hd_vc_lane(own, in->out, in->first_vc + k);

		if (hd_vc_is_free(model, out) && own->outs[out].credits)
			return true;
	}
	return false;
}

/* Whether the next flit of @in asks for the crossbar in this cycle. */
static bool asks_to_cross(const struct hd_model *model, const struct hd_in_vc *in)
{
	const struct hd_vc *own = hd_vc(model);

	if (in->state == HD_VC_ACTIVE)
		return own->outs[hd_vc_lane(own, in->out, in->out_vc)].credits;
	return own->options.is_speculative &&
	       (in->state == HD_VC_WAITING || in->state == HD_VC_GRANTED) && may_guess(model, in);
}

/* With a slow crossbar allocator, the next time to ask. */
static void ask_later(const struct hd_vc *own, struct hd_in_vc *in)
{
	if (own->options.cross > 1 && in->state == HD_VC_ACTIVE)
		in->ready = own->cycle + own->options.cross;
}

/*
 * Of VCs of one in-port for one out-port, one asks: rather one that has its out-VC, then in turn.
 */
static void ask_to_cross(struct hd_vc *own, uint32_t *of_pair, uint32_t in, uint32_t out,
			 uint8_t rank, unsigned vc, unsigned turn)
{
	struct hd_vc_matching *m = &own->matching;
	struct hd_vc_request *other = *of_pair < m->n ? &m->requests[*of_pair] : NULL;

	if (!other || other->in != in || other->out != out) {
		*of_pair = m->n;
		ask(m, in, out, rank, vc);
		return;
	}
	if (rank != other->rank
		    ? rank > other->rank
		    : turns_to(vc, turn, own->n_vcs) < turns_to(other->label, turn, own->n_vcs)) {
		other->rank = rank;
		other->label = (uint8_t)vc;
	}
}

/* The crossbar takes the next flit of @in, unless it was promised for a VC that @in did not get. */
static void grant_crossing(const struct hd_vc *own, struct hd_in_vc *in)
{
	if (in->state == HD_VC_WAITING ||
	    (in->state == HD_VC_GRANTED &&
	     !own->outs[hd_vc_lane(own, in->out, in->out_vc)].credits))
		return;
	in->crosses = true;
	in->crosses_at = own->cycle + own->options.cross - 1;
}

/* Whole packets: the crossbar goes on with those that it has, or is free again. */
static void keep_crossing(struct hd_model *model, uint32_t at)
{
	struct hd_vc *own = hd_vc(model);
	const uint32_t first = hd_first_port(model, at);

	for (uint32_t port = first; port < first + model->network.n_locals[at]; port++) {
		struct hd_vc_port *p = &own->ports[port];
		struct hd_in_vc *in;

		if (!p->holds)
			continue;
		in = &own->ins[hd_vc_lane(own, port, p->held_vc)];
		if (own->outs[hd_vc_lane(own, in->out, in->out_vc)].credits) {
			grant_crossing(own, in);
			continue;
		}
		in->ready = own->cycle + 1;
		p->holds = false;
		own->ports[in->out].held_by = HD_NONE;
	}
}

void hd_vc_match(struct hd_model *model, uint32_t at)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_vc_matching *m = &own->matching;
	const uint32_t first = hd_vc_first_lane(model, at), n = model->network.n_locals[at];
	const uint32_t first_port = hd_first_port(model, at);

	m->n = 0;
	for (uint32_t i = 0; i < own->n_busy[at]; i++) {
		const uint32_t lane = own->busy[first + i], port = lane / own->n_vcs;
		struct hd_in_vc *in = &own->ins[lane];
		const struct hd_vc_port *p = &own->ports[port];

		if (p->holds || in->crosses || in->ready > own->cycle)
			continue;
		ask_later(own, in);
		if (!asks_to_cross(model, in) || own->ports[in->out].held_by != HD_NONE)
			continue;
		ask_to_cross(own,
			     &m->of_pair[(port - first_port) * (size_t)n + in->out - first_port],
			     port - first_port, in->out - first_port, in->state == HD_VC_ACTIVE,
			     lane % own->n_vcs, p->turn);
	}
	if (own->options.is_whole)
		keep_crossing(model, at);
	if (!m->n)
		return;
	match(model, m,
	      (struct sides){ own->cross_accept + first_port, own->cross_grant + first_port, n, n,
			      false });
	for (uint32_t i = 0; i < m->n; i++) {
		const struct hd_vc_request *r = &m->requests[i];
		const uint32_t port = first_port + r->in;

		if (m->in_match[r->in] != i)
			continue;
		own->ports[port].turn = hd_next_turn(r->label, own->n_vcs);
		grant_crossing(own, &own->ins[hd_vc_lane(own, port, r->label)]);
	}
}
