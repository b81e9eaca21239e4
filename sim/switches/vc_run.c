// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A run of switches with VC allocation: cycle after cycle where there are flits, else to the next.
 */
#include "sim/switches/vc.h"

#include <stdlib.h>

#include "sim/hosts/host.h"
#include "sim/model/deadlock.h"
#include "sim/switches/route_table.h"

/* @packet, HD_NONE for a credit, comes to @lane in @delay cycles from now, at least 1. */
static void send(struct hd_model *model, uint32_t lane, uint32_t packet, unsigned delay)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_vc_slot *slot = &own->slots[(own->cycle + delay) & (own->n_slots - 1)];

	if (slot->n == slot->size) {
		const uint32_t size = slot->size ? 2 * slot->size : 16;
		struct hd_vc_arrival *arrivals =
			realloc(slot->arrivals, size * sizeof(*slot->arrivals));

		if (!arrivals) {
			hd_model_fail(model);
			return;
		}
		slot->arrivals = arrivals;
		slot->size = size;
	}
	slot->arrivals[slot->n++] = (struct hd_vc_arrival){ lane, packet };
	own->n_on_way++;
}

/*
 * A flit of @packet goes onto the link of @out and its VC @vc, after @delay cycles in the switch.
 */
static void send_flit(struct hd_model *model, uint32_t out, unsigned vc, uint32_t packet,
		      unsigned delay)
{
	struct hd_vc *own = hd_vc(model);
	const struct sender *sender = hd_sender(model, out);

	own->outs[hd_vc_lane(own, out, vc)].credits--;
	own->ports[out].used++;
	hd_observe_buffer(model, out, vc, 1);
	send(model, hd_vc_lane(own, sender->peer, vc), packet,
	     delay + 1 + own->delays[sender->link_class] + (sender->to_host ? 0 : own->input));
}

/* A flit has left the buffer of in-port @in and its VC @vc. */
static void send_credit(struct hd_model *model, uint32_t in, unsigned vc)
{
	struct hd_vc *own = hd_vc(model);
	const uint32_t from = hd_receiver(model, in)->peer;

	hd_observe_buffer(model, from, vc, -1);
	send(model, hd_vc_lane(own, from, vc), HD_NONE,
	     1 + own->delays[hd_sender(model, from)->link_class] +
		     (hd_is_switch_port(model, from) ? own->options.credit : 0));
}

/* Lists */

static void add_busy(struct hd_model *model, uint32_t lane)
{
	struct hd_vc *own = hd_vc(model);
	const uint32_t at = hd_switch_of(model, lane / own->n_vcs);
	struct hd_in_vc *in = &own->ins[lane];

	if (in->is_busy)
		return;
	in->is_busy = true;
	in->place = own->n_busy[at]++;
	own->busy[hd_vc_first_lane(model, at) + in->place] = lane;
	if (own->is_at_work[at])
		return;
	own->is_at_work[at] = true;
	own->at_work[own->n_at_work++] = at;
}

static void remove_busy(struct hd_model *model, uint32_t lane)
{
	struct hd_vc *own = hd_vc(model);
	const uint32_t at = hd_switch_of(model, lane / own->n_vcs);
	uint32_t *busy = own->busy + hd_vc_first_lane(model, at);
	struct hd_in_vc *in = &own->ins[lane];
	const uint32_t last = busy[--own->n_busy[at]];

	busy[in->place] = last;
	own->ins[last].place = in->place;
	in->is_busy = false;
}

/* A run of one flit of @packet at the end of the FIFO of @in. */
static void add_run(struct hd_model *model, struct hd_in_vc *in, uint32_t packet)
{
	struct hd_vc *own = hd_vc(model);
	uint32_t index = own->free_run;

	if (index != HD_NONE) {
		own->free_run = own->runs[index].next;
	} else if (own->n_runs < own->size_runs) {
		index = own->n_runs++;
	} else {
		const uint32_t size = own->size_runs ? 2 * own->size_runs : 256;
		struct hd_vc_run *runs = realloc(own->runs, size * sizeof(*runs));

		if (!runs) {
			hd_model_fail(model);
			return;
		}
		own->runs = runs;
		own->size_runs = size;
		index = own->n_runs++;
	}
	own->runs[index] = (struct hd_vc_run){ packet, 0, HD_NONE };
	if (in->first == HD_NONE)
		in->first = index;
	else
		own->runs[in->last].next = index;
	in->last = index;
}

/* Packets at in-VCs */

/* The VCs of @out that a packet on @vl may have; a host tells its packets apart by nothing. */
static void set_class(const struct hd_vc *own, bool is_terminal, unsigned vl, uint8_t *first,
		      uint8_t *n)
{
	const bool any = is_terminal && own->options.has_any_vc;

	*first = (uint8_t)(any ? 0 : vl * own->per_class);
	*n = (uint8_t)(any ? own->n_vcs : own->per_class);
}

/* The out-port and VL of packet @index that comes in by @port of a switch; HD_NONE: none. */
static uint32_t route(const struct hd_model *model, uint32_t port, uint32_t index, unsigned *vl)
{
	const struct hd_vc *own = hd_vc(model);
	const struct packet *packet = &model->buffers.packets[index];
	const uint32_t at = hd_switch_of(model, port);
	uint32_t out = hd_route_table_look_up(model, port, packet->dlid, packet->sl, vl);

	if (out == HD_NONE || !own->up)
		return out;
	/* chosen at the switch before */
	if (!own->options.routing && hd_is_switch_port(model, packet->out) &&
	    hd_switch_of(model, packet->out) == at)
		out = packet->out;
	else
		out = hd_vc_up_port(model, at, packet->message.to, out);
	*vl = hd_row_vl(hd_forwarding_row(&model->network.forwarding, at,
					  model->network.n_locals[at], hd_local(model, port),
					  hd_local(model, out)),
			packet->sl);
	return *vl == HD_VL_DROP ? HD_NONE : out;
}

/*
 * Without a stage for routes, the head of packet @index that leaves by @out knows its out-port at
 * the next switch: what that switch chooses, it chooses now.
 */
static void look_ahead(struct hd_model *model, uint32_t out, uint32_t index)
{
	const struct hd_vc *own = hd_vc(model);
	const uint32_t port = hd_sender(model, out)->peer;
	unsigned vl;

	if (!own->up || own->options.routing || !hd_is_switch_port(model, port))
		return;
	model->buffers.packets[index].out = HD_NONE;
	model->buffers.packets[index].out = route(model, port, index, &vl);
}

/* A packet is now at the head of in-lane @lane: its route. It may ask for a VC from @from on. */
static void begin_head(struct hd_model *model, uint32_t lane, uint64_t from)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_in_vc *in = &own->ins[lane];
	const uint32_t port = lane / own->n_vcs, index = own->runs[in->first].packet;
	unsigned vl = 0;

	in->to_go = model->buffers.packets[index].message.size;
	in->ready = from + own->options.routing;
	in->out = route(model, port, index, &vl);
	if (in->out == HD_NONE) {
		in->state = HD_VC_DROPPED;
		return;
	}
	hd_observe_packet(model, HD_STEP_ARRIVED, port, index);
	in->state = HD_VC_WAITING;
	set_class(own, hd_sender(model, in->out)->to_host, vl, &in->first_vc, &in->n_vcs);
}

/* The first flit of in-lane @lane is gone. Returns whether it was a tail. */
static bool pop_flit(struct hd_model *model, uint32_t lane)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_in_vc *in = &own->ins[lane];
	const uint32_t first = in->first;

	send_credit(model, lane / own->n_vcs, lane % own->n_vcs);
	in->moved++;
	in->flits--;
	in->to_go--;
	own->runs[first].flits--;
	if (in->to_go)
		return false;
	in->first = own->runs[first].next;
	own->runs[first].next = own->free_run;
	own->free_run = first;
	return true;
}

/* The packet at the head of @lane is gone: the next one takes its place. */
static void end_head(struct hd_model *model, uint32_t lane)
{
	struct hd_vc *own = hd_vc(model);

	own->ins[lane].state = HD_VC_IDLE;
	if (own->ins[lane].first != HD_NONE)
		begin_head(model, lane, own->cycle + 1);
}

/* The flits of a packet that the tables drop vanish. */
static void drop_flits(struct hd_model *model, uint32_t lane)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_in_vc *in = &own->ins[lane];

	while (in->state == HD_VC_DROPPED && in->flits && own->runs[in->first].flits) {
		const uint32_t index = own->runs[in->first].packet;

		if (!pop_flit(model, lane))
			continue;
		hd_observe_packet(model, HD_STEP_DROPPED, lane / own->n_vcs, index);
		model->census.under_way--;
		hd_model_drop(model, index);
		end_head(model, lane);
	}
}

/* The crossbar takes the first flit of @lane, whose packet has an out-VC. */
static void cross(struct hd_model *model, uint32_t lane)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_in_vc *in = &own->ins[lane];
	const uint32_t port = lane / own->n_vcs, index = own->runs[in->first].packet;
	struct packet *packet = &model->buffers.packets[index];
	struct hd_vc_port *p = &own->ports[port];
	bool is_tail;

	in->crosses = false;
	in->ready = own->cycle + 1;
	if (in->to_go == packet->message.size) {
		packet->out_vl = in->out_vc;
		hd_model_count_leaving(model, index, in->out);
		look_ahead(model, in->out, index);
	}
	send_flit(model, in->out, in->out_vc, index, own->options.crossbar);
	is_tail = pop_flit(model, lane);
	if (own->options.is_whole) {
		p->holds = !is_tail && in->flits;
		p->held_vc = (uint8_t)(lane % own->n_vcs);
		own->ports[in->out].held_by = p->holds ? hd_local(model, port) : HD_NONE;
	}
	if (!is_tail)
		return;
	own->outs[hd_vc_lane(own, in->out, in->out_vc)].owner = HD_NONE;
	end_head(model, lane);
}

/* What the allocators gave @lane for this cycle. */
static void advance(struct hd_model *model, uint32_t lane)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_in_vc *in = &own->ins[lane];
	const uint32_t out = hd_vc_lane(own, in->out, in->out_vc);

	if (in->state == HD_VC_GRANTED && in->ready == own->cycle) {
		in->ready = own->cycle + 1;
		if (!hd_vc_is_free(model, out)) {
			in->state = HD_VC_WAITING;
			return;
		}
		own->outs[out].owner = lane;
		in->state = HD_VC_ACTIVE;
	}
	if (in->crosses && in->crosses_at == own->cycle) {
		in->crosses = false;
		if (own->outs[out].credits)
			cross(model, lane);
		else
			in->ready = own->cycle + 1;
	}
}

static void step_switch(struct hd_model *model, uint32_t at)
{
	struct hd_vc *own = hd_vc(model);
	const uint32_t *busy = own->busy + hd_vc_first_lane(model, at);
	uint32_t i = 0;

	hd_vc_allocate(model, at);
	hd_vc_match(model, at);
	while (i < own->n_busy[at]) {
		const uint32_t lane = busy[i];

		if (own->ins[lane].state == HD_VC_DROPPED)
			drop_flits(model, lane);
		else
			advance(model, lane);
		if (own->ins[lane].flits)
			i++;
		else
			remove_busy(model, lane);
	}
}

/* Arrivals */

static void deliver(struct hd_model *model, uint32_t index)
{
	const struct packet *packet = &model->buffers.packets[index];
	struct hd_message message = packet->message;
	uint64_t entered = packet->entered;
	unsigned hops = packet->hops;

	hd_observe_packet(model, HD_STEP_DELIVERED, model->injection.hosts[message.to].port, index);
	model->census.delivered++;
	model->census.under_way--;
	hd_model_release(model, index);
	/* the user may inject packets, and the array of packets may move then */
	if (model->user.delivered)
		model->user.delivered(model->user.context, model->events.now, &message, entered,
				      hops);
}

static void take_flit(struct hd_model *model, uint32_t lane, uint32_t index)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_in_vc *in = &own->ins[lane];
	const uint32_t port = lane / own->n_vcs;
	const bool is_head = !in->to_come;

	if (is_head)
		in->to_come = model->buffers.packets[index].message.size;
	in->to_come--;
	if (!hd_is_switch_port(model, port)) {
		send_credit(model, port, lane % own->n_vcs);
		if (!in->to_come)
			deliver(model, index);
		return;
	}
	if (is_head)
		add_run(model, in, index);
	if (model->events.out_of_memory)
		return;
	own->runs[in->last].flits++;
	in->flits++;
	if (in->state == HD_VC_IDLE)
		begin_head(model, lane, own->cycle);
	add_busy(model, lane);
}

static void take_credit(struct hd_model *model, uint32_t lane)
{
	struct hd_vc *own = hd_vc(model);

	own->outs[lane].credits++;
	own->ports[lane / own->n_vcs].used--;
}

static void take_arrivals(struct hd_model *model)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_vc_slot *slot = &own->slots[own->cycle & (own->n_slots - 1)];

	/* what is sent meanwhile comes in other cycles */
	for (uint32_t i = 0; i < slot->n; i++) {
		const struct hd_vc_arrival arrival = slot->arrivals[i];

		if (arrival.packet == HD_NONE)
			take_credit(model, arrival.lane);
		else
			take_flit(model, arrival.lane, arrival.packet);
	}
	own->n_on_way -= slot->n;
	slot->n = 0;
}

/* Hosts */

/* The VC for a packet on @vl of host port @port: in turn, free and with credit. False: none. */
static bool choose_vc(const struct hd_model *model, uint32_t port, unsigned vl, uint8_t *vc)
{
	const struct hd_vc *own = hd_vc(model);
	uint8_t first, n;

	set_class(own, true, vl, &first, &n);
	for (unsigned k = 1; k <= n; k++) {
		const unsigned at = *vc < first || *vc >= first + n ? k - 1 : *vc - first + k;
		const unsigned candidate = first + at % n;
		const uint32_t lane = hd_vc_lane(own, port, candidate);

		if (hd_vc_is_free(model, lane) && own->outs[lane].credits) {
			*vc = (uint8_t)candidate;
			return true;
		}
	}
	return false;
}

/* The packet at the head of @queue, number @i of host port @port, begins to leave. */
static void begin_packet(struct hd_model *model, uint32_t port, unsigned i)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_vc_host *host = &own->hosts[port - model->network.first_host_port];
	struct host_queue *queue = hd_host_queues(model, port) + i;
	struct sender *sender = hd_sender(model, port);
	const uint32_t index = queue->queue.head;
	struct packet *packet = &model->buffers.packets[index];
	const struct hd_message message = packet->message;

	host->packet = index;
	host->left = message.size;
	own->outs[hd_vc_lane(own, port, host->vc)].owner = index;
	packet->entered = model->events.now;
	model->census.queued--;
	model->census.under_way++;
	hd_injection_is_gone(model, message.from);
	if (hd_counts_backlogs(model))
		model->injection.backlog_units[port * (size_t)model->n_vls + packet->out_vl] -=
			message.size;
	packet->out_vl = host->vc;
	hd_model_count_leaving(model, index, port);
	look_ahead(model, port, index);
	sender->vl_turn = hd_next_turn(i, model->n_vls);
	hd_injection_advance(model, sender, queue, i, message.from);
	/* the user may inject packets, and the array of packets may move then */
	if (hd_tells_entries(model))
		model->user.entered(model->user.context, model->events.now, &message);
}

/* The queues of host port @port in turn: the first whose head gets a VC sends. */
static void choose_packet(struct hd_model *model, uint32_t port)
{
	struct hd_vc_host *host = &hd_vc(model)->hosts[port - model->network.first_host_port];
	const struct sender *sender = hd_sender(model, port);
	const uint64_t backlog = *hd_requests(model, hd_sender(model, port));

	for (unsigned k = 0; k < model->n_vls && backlog; k++) {
		const unsigned i = (sender->vl_turn + k) % model->n_vls;

		if (!(backlog & bit_of(i)) ||
		    !choose_vc(model, port, hd_host_queues(model, port)[i].out_vl, &host->vc))
			continue;
		begin_packet(model, port, i);
		return;
	}
}

/* Returns whether the host has more to send. */
static bool step_host(struct hd_model *model, uint32_t port)
{
	struct hd_vc *own = hd_vc(model);
	struct hd_vc_host *host = &own->hosts[port - model->network.first_host_port];

	if (host->packet == HD_NONE)
		choose_packet(model, port);
	if (host->packet != HD_NONE && own->outs[hd_vc_lane(own, port, host->vc)].credits) {
		send_flit(model, port, host->vc, host->packet, 0);
		if (!--host->left) {
			own->outs[hd_vc_lane(own, port, host->vc)].owner = HD_NONE;
			host->packet = HD_NONE;
		}
	}
	return host->packet != HD_NONE || *hd_requests(model, hd_sender(model, port));
}

static void step_hosts(struct hd_model *model)
{
	struct hd_vc *own = hd_vc(model);
	uint32_t n = 0;

	for (uint32_t i = 0; i < model->n_dirty; i++) {
		const uint32_t port = model->dirty[i];
		struct hd_vc_host *host = &own->hosts[port - model->network.first_host_port];

		hd_sender(model, port)->is_dirty = false;
		if (!host->is_listed)
			own->sends[own->n_sends++] = port;
		host->is_listed = true;
	}
	model->n_dirty = 0;
	for (uint32_t i = 0; i < own->n_sends; i++) {
		const uint32_t port = own->sends[i];

		if (step_host(model, port))
			own->sends[n++] = port;
		else
			own->hosts[port - model->network.first_host_port].is_listed = false;
	}
	own->n_sends = n;
}

/* The loop */

static void step(struct hd_model *model)
{
	struct hd_vc *own = hd_vc(model);
	uint32_t n = 0;

	model->events.now = own->cycle * own->ticks;
	take_arrivals(model);
	for (uint32_t i = 0; i < own->n_at_work; i++) {
		const uint32_t at = own->at_work[i];

		step_switch(model, at);
		if (own->n_busy[at])
			own->at_work[n++] = at;
		else
			own->is_at_work[at] = false;
	}
	own->n_at_work = n;
	step_hosts(model);
	own->cycle++;
}

static void handle(struct hd_model *model, uint64_t key)
{
	struct hd_events *events = &model->events;
	const unsigned line = key & HD_NO_LINE;
	struct hd_event event;
	unsigned kind;

	events->now = key >> HD_KEY_BITS;
	if (line == HD_NO_LINE) {
		event = hd_events_take_any(events, &kind);
	} else {
		kind = events->lines[line].kind;
		event = hd_events_take(events, line);
	}
	if (kind == HD_EVENT_GENERATE && !hd_host_is_stale(model, event.b)) {
		hd_host_generate(model, event.b);
		hd_model_schedule(model, event.a);
	} else if (kind == HD_EVENT_INJECT) {
		hd_model_admit(model, event.b);
	} else if (kind == HD_EVENT_WAKE) {
		model->user.woken(model->user.context, events->now, event.a);
	}
}

/* Whether something goes on in the next cycle. */
static bool is_at_work(const struct hd_model *model)
{
	const struct hd_vc *own = hd_vc(model);

	return own->n_at_work || own->n_sends || own->n_on_way || model->n_dirty;
}

/* Looks for a deadlock if the last look is long ago. */
static int look_for_deadlock(struct hd_model *model, uint64_t now, uint64_t patience,
			     struct hd_error *err)
{
	/* no flit and no credit is under way for longer than the ring of slots is */
	const uint64_t longest = hd_vc(model)->n_slots * hd_vc(model)->ticks;

	if (now < model->deadlock.last_check + (patience > longest ? patience : longest))
		return 0;
	model->deadlock.last_check = now;
	return hd_vc_is_deadlocked(model) ? hd_deadlock_refuse(model, err) : 0;
}

int hd_vc_run(struct hd_model *model, uint64_t until, struct hd_error *err)
{
	struct hd_vc *own = hd_vc(model);
	uint64_t key;
	int ret;

	/* packets may be longer than buffers */
	model->buffers.smallest = UINT32_MAX;
	if (!model->started) {
		model->started = true;
		for (uint32_t host = 0; host < model->injection.n_hosts; host++)
			hd_model_schedule(model, host);
	}
	for (;;) {
		key = hd_events_next(&model->events);
		if (!is_at_work(model)) {
			if (key == HD_KEY_NONE || key >> HD_KEY_BITS >= until)
				break;
			handle(model, key);
			own->cycle = (model->events.now + own->ticks - 1) / own->ticks;
			continue;
		}
		if (key != HD_KEY_NONE && key >> HD_KEY_BITS <= own->cycle * own->ticks &&
		    key >> HD_KEY_BITS < until) {
			handle(model, key);
			continue;
		}
		if (own->cycle * own->ticks >= until)
			break;
		step(model);
		if (model->events.out_of_memory)
			return hd_error_nomem(err);
		ret = look_for_deadlock(model, model->events.now, model->deadlock.interval, err);
		if (ret)
			return ret;
	}
	model->events.now = until;
	/* a message that comes before the next run does not turn time back */
	if (!is_at_work(model) && own->cycle * own->ticks < until)
		own->cycle = (until + own->ticks - 1) / own->ticks;
	if (model->events.out_of_memory)
		return hd_error_nomem(err);
	return look_for_deadlock(model, until, model->deadlock.patience, err);
}
