// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The input-queued switch: one FIFO per in-port and VL, or one per in-port, VL and out-port (VOQ). An
 * in-port sends one packet at a time, and so does an out-port. Matching is that of iSLIP (out-ports
 * grant, in-ports accept, both in turn), among those that became free or got credits; at most one
 * out-port usually did.
 */
#include "simfabric/model/state.h"

/* The head of a queue is a new one: its out-port is wanted. */
static void request(struct hd_model *model, uint32_t in, unsigned vl, struct queue *queue)
{
	const struct packet *packet = &model->packets[queue->head];
	const struct port *in_port = &model->ports[in];
	uint32_t out = packet->out;
	size_t words = model->words;

	queue->size = packet->message.size;
	queue->out_vl = packet->out_vl;
	set_bit(&model->requests[(out * (size_t)model->n_vls + vl) * words], in_port->local);
	set_bit(&model->wants[(in * (size_t)model->n_vls + vl) * words], model->ports[out].local);
	if (has_bit(&model->out_free[in_port->node * words], model->ports[out].local) &&
	    has_bit(&model->in_free[in_port->node * words], in_port->local))
		hd_model_mark(model, out);
}

void hd_model_switch_prefetch_route(const struct hd_model *model, uint32_t port, uint32_t index)
{
	const struct packet *packet = &model->packets[index];

	__builtin_prefetch(&hd_lft(model->tables, model->ports[port].node)[packet->dlid]);
	__builtin_prefetch(&model->requests[port * (size_t)model->n_vls * model->words]);
}

void hd_model_switch_prefetch_queue(const struct hd_model *model, uint32_t port, uint32_t index)
{
	const struct packet *packet = &model->packets[index];
	const struct hd_fabric *fabric = model->fabric;
	uint32_t node = model->ports[port].node, out;
	unsigned number = hd_lft(model->tables, node)[packet->dlid];
	unsigned in = fabric->ports[model->ports[port].fabric_port].number;

	if (!number || number > fabric->nodes[node].n_ports)
		return;
	out = model->port_of[hd_port_index(fabric, node, number)];
	if (out == HD_NONE)
		return;
	__builtin_prefetch(&model->tables->sl2vl[hd_sl2vl_index(model->tables, node, in, number)]);
	__builtin_prefetch(&model->queues[queue_index(model, port, packet->vl, out)]);
	__builtin_prefetch(&model->requests[out * (size_t)model->n_vls * model->words]);
}

void hd_model_switch_arrive(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	const struct hd_fabric *fabric = model->fabric;
	uint32_t node = model->ports[port].node;
	unsigned number = hd_lft(model->tables, node)[packet->dlid], in;
	struct queue *queue;

	packet->arrived = model->events.now;
	packet->next = HD_NONE;
	packet->out = HD_NONE;
	if (number && number <= fabric->nodes[node].n_ports)
		packet->out = model->port_of[hd_port_index(fabric, node, number)];
	if (packet->out != HD_NONE) {
		in = fabric->ports[model->ports[port].fabric_port].number;
		packet->out_vl = hd_row_vl(
			model->tables->sl2vl[hd_sl2vl_index(model->tables, node, in, number)],
			packet->sl);
	}
	if (packet->out == HD_NONE || packet->out_vl == HD_VL_DROP) {
		/* the buffer is free again once the tail is in: as if it had been sent at once */
		uint32_t lane = lane_ref(model->ports[port].peer, packet->vl);

		model->census.under_way--;
		hd_events_post(&model->events, model->ports[port].credit_line, lane,
			       packet->message.size);
		hd_model_drop(model, index);
		return;
	}
	queue = &model->queues[queue_index(model, port, packet->vl, packet->out)];
	if (queue->head == HD_NONE) {
		queue->head = index;
		queue->tail = index;
		request(model, port, packet->vl, queue);
	} else {
		model->packets[queue->tail].next = index;
		queue->tail = index;
	}
}

/* A transmission from port @in ended: it can send again. */
void hd_model_switch_done(struct hd_model *model, uint32_t in)
{
	const struct port *port = &model->ports[in];
	size_t words = model->words;
	const uint64_t *wants = &model->wants[in * (size_t)model->n_vls * words];

	set_bit(&model->in_free[port->node * words], port->local);
	for (size_t w = 0; w < words; w++) {
		uint64_t outs = 0;

		for (unsigned vl = 0; vl < model->n_vls; vl++)
			outs |= wants[vl * words + w];
		outs &= model->out_free[port->node * words + w];
		for (; outs; outs &= outs - 1)
			hd_model_mark(model, model->nodes[port->node].first_port + w * 64 +
						     __builtin_ctzll(outs));
	}
}

/* A head that an out-port may take: in-port and VL. */
struct choice {
	uint32_t in;
	unsigned vl;
	struct queue *queue; /* NULL: there is none */
};

static uint64_t age(const struct hd_model *model, const struct queue *queue)
{
	const struct packet *packet = &model->packets[queue->head];

	return model->options.arbiter == HD_ARBITER_AGE ? packet->message.time : packet->arrived;
}

/* Whether @b is to be preferred to @a, which comes before it in turn. */
static bool better(const struct hd_model *model, const struct choice *a, const struct choice *b)
{
	switch (model->options.arbiter) {
	case HD_ARBITER_OLDEST:
	case HD_ARBITER_AGE:
		return age(model, b->queue) < age(model, a->queue);
	case HD_ARBITER_TRANSIT:
		return model->ports[a->in].link_class == HD_LINK_TERMINAL &&
		       model->ports[b->in].link_class != HD_LINK_TERMINAL;
	default:
		return false;
	}
}

/* What port @out takes next, of the in-ports in @free: the best, the first in turn of equals. */
static struct choice choose(struct hd_model *model, uint32_t out, const uint64_t *free)
{
	const struct port *port = &model->ports[out];
	const struct node *node = &model->nodes[port->node];
	unsigned n_vls = model->n_vls;
	size_t words = model->words;
	const uint64_t *requests = &model->requests[out * (size_t)n_vls * words];
	const uint32_t *credits = &model->credits[out * (size_t)n_vls];
	unsigned first = port->turn;
	struct choice best = { 0 };

	/* in-ports from the first on, then those before it; a word at a time */
	for (unsigned step = 0; step <= words; step++) {
		unsigned w = (first / 64 + step) % words;
		uint64_t any = 0, low = (UINT64_C(1) << first % 64) - 1;

		for (unsigned vl = 0; vl < n_vls; vl++)
			any |= requests[vl * words + w];
		any &= free[w];
		if (step == 0)
			any &= ~low;
		else if (step == words)
			any &= low;
		for (; any; any &= any - 1) {
			unsigned local = w * 64 + __builtin_ctzll(any);
			uint32_t in = node->first_port + local;

			for (unsigned k = 0; k < n_vls; k++) {
				unsigned vl = port->vl_turn + k;
				struct choice choice = { .in = in };

				vl -= vl < n_vls ? 0 : n_vls;
				choice.vl = vl;

				if (!has_bit(&requests[vl * words], local))
					continue;
				choice.queue = &model->queues[queue_index(model, in, vl, out)];
				if (credits[choice.queue->out_vl] < choice.queue->size)
					continue;
				if (!best.queue || better(model, &best, &choice))
					best = choice;
				if (model->options.arbiter == HD_ARBITER_ROUND_ROBIN)
					return best;
			}
		}
	}
	return best;
}

/* Sends what out-port @out chose; with @turn, both sides begin after it the next time. */
static void take(struct hd_model *model, uint32_t out, const struct choice *choice, bool turn)
{
	struct port *port = &model->ports[out], *in_port = &model->ports[choice->in];
	int n = model->nodes[port->node].n_ports;
	size_t words = model->words;
	size_t lane = choice->in * (size_t)model->n_vls + choice->vl;

	if (turn) {
		port->turn = in_port->local + 1 == n ? 0 : in_port->local + 1;
		port->vl_turn = choice->vl + 1 == model->n_vls ? 0 : choice->vl + 1;
		in_port->accept = port->local + 1 == n ? 0 : port->local + 1;
	}
	clear_bit(&model->in_free[port->node * words], in_port->local);
	clear_bit(&model->out_free[port->node * words], port->local);
	clear_bit(&model->requests[(out * (size_t)model->n_vls + choice->vl) * words],
		  in_port->local);
	clear_bit(&model->wants[lane * words], port->local);
	hd_model_transmit(model, choice->queue, out, lane_ref(choice->in, choice->vl));
	if (choice->queue->head != HD_NONE)
		request(model, choice->in, choice->vl, choice->queue);
}

/*
 * One round of matching: every out-port of @outs grants, every in-port accepts the first in turn.
 * Returns how many out-ports were granted by nobody's leave, which stay in @outs.
 */
static unsigned match(struct hd_model *model, const struct node *node, uint32_t *outs, unsigned n,
		      bool turn)
{
	const uint64_t *in_free =
		&model->in_free[model->ports[node->first_port].node * (size_t)model->words];
	struct choice grants[HD_MAX_PORTS];
	uint32_t winner[HD_MAX_PORTS]; /* [in-port] index in outs */
	uint64_t granted[(HD_MAX_PORTS + 63) / 64] = { 0 };
	unsigned n_ports = node->n_ports, left = 0;

	for (unsigned i = 0; i < n; i++) {
		unsigned local, accept;

		grants[i] = choose(model, outs[i], in_free);
		if (!grants[i].queue)
			continue;
		local = grants[i].in - node->first_port;
		accept = n_ports - model->ports[grants[i].in].accept;
		if (!has_bit(granted, local)) {
			set_bit(granted, local);
			winner[local] = i;
		} else if ((model->ports[outs[i]].local + accept) % n_ports <
			   (model->ports[outs[winner[local]]].local + accept) % n_ports) {
			winner[local] = i;
		}
	}
	for (unsigned i = 0; i < n; i++) {
		if (!grants[i].queue)
			continue;
		if (winner[grants[i].in - node->first_port] == i)
			take(model, outs[i], &grants[i], turn);
		else
			outs[left++] = outs[i];
	}
	return left;
}

void hd_model_switch_arbitrate(struct hd_model *model, uint32_t index)
{
	const struct node *node = &model->nodes[index];
	size_t words = model->words;
	uint64_t *dirty = &model->dirty[index * words];
	const uint64_t *out_free = &model->out_free[index * words];
	uint32_t outs[HD_MAX_PORTS];
	unsigned n = 0, round = 0;

	for (unsigned w = 0; w < words; w++) {
		uint64_t bits = dirty[w] & out_free[w];

		dirty[w] = 0;
		for (; bits; bits &= bits - 1)
			outs[n++] = node->first_port + w * 64 + __builtin_ctzll(bits);
	}
	if (n == 1) {
		struct choice choice = choose(model, outs[0], &model->in_free[index * words]);

		if (choice.queue)
			take(model, outs[0], &choice, true);
		return;
	}
	while (n && (!model->options.iterations || round < model->options.iterations))
		n = match(model, node, outs, n, !round++);
	/* what lost every round the hardware tries again in its next cycle */
	if (n)
		hd_events_post(&model->events, model->retry_line, index, 0);
	for (unsigned i = 0; i < n; i++)
		set_bit(dirty, model->ports[outs[i]].local);
}
