// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/model/model.h"

#include "simfabric/model/state.h"
#include "support/error.h"

#include <stdlib.h>
#include <string.h>

uint32_t hd_model_hosts(const struct hd_model *model)
{
	return model->n_hosts;
}

uint32_t hd_model_host_port(const struct hd_model *model, uint32_t host)
{
	return model->ports[model->host_ports[host]].fabric_port;
}

struct hd_model_census hd_model_census(const struct hd_model *model)
{
	struct hd_model_census census = model->census;

	census.events = model->events.taken;
	return census;
}

const struct hd_wait *hd_model_deadlock(const struct hd_model *model, size_t *n)
{
	*n = model->n_cycle;
	return model->cycle;
}

uint64_t hd_model_busy(const struct hd_model *model, uint32_t fabric_port, unsigned vl)
{
	uint32_t port = model->port_of[fabric_port];

	return port == HD_NONE || vl >= model->n_vls
		       ? 0
		       : model->busy[port * (size_t)model->n_vls + vl];
}

/* Out-port @out may have something to send: it is looked at when this tick's events are through. */
void hd_model_mark(struct hd_model *model, uint32_t out)
{
	const struct port *port = &model->ports[out];
	struct node *node = &model->nodes[port->node];

	set_bit(&model->dirty[port->node * (size_t)model->words], port->local);
	if (node->is_dirty)
		return;
	node->is_dirty = true;
	model->dirty_nodes[model->n_dirty++] = port->node;
}

static unsigned done_line(struct hd_model *model, unsigned link_class, uint32_t size)
{
	unsigned i = size % DONE_SIZES;

	if (model->done_lines[link_class][i].size != size) {
		model->done_lines[link_class][i].size = size;
		model->done_lines[link_class][i].line = hd_events_line(
			&model->events, HD_EVENT_DONE,
			(uint64_t)size * model->options.links[link_class].unit_ticks);
	}
	return model->done_lines[link_class][i].line;
}

void hd_model_transmit(struct hd_model *model, struct queue *queue, uint32_t out, uint32_t in_lane)
{
	struct port *port = &model->ports[out];
	uint32_t index = queue->head;
	struct packet *packet = &model->packets[index];
	uint32_t size = packet->message.size;
	size_t lane = out * (size_t)model->n_vls + packet->out_vl;
	uint64_t ticks = (uint64_t)size * model->options.links[port->link_class].unit_ticks;
	unsigned line = done_line(model, port->link_class, size);

	queue->head = packet->next;
	if (packet->next == HD_NONE)
		queue->tail = HD_NONE;
	packet->vl = packet->out_vl;
	packet->hops++;
	port->sending = index;
	model->credits[lane] -= size;
	model->busy[lane] += ticks;
	model->census.packet_hops++;
	if (line != HD_NO_LINE)
		hd_events_post(&model->events, line, out, in_lane);
	else
		hd_events_post_late(&model->events, HD_EVENT_DONE, ticks, out, in_lane);
	if (model->nodes[model->ports[port->peer].node].is_switch)
		hd_events_post(&model->events, port->arrive_line, port->peer, index);
}

/* Hosts */

static uint32_t new_packet(struct hd_model *model)
{
	uint32_t index = model->free_packet;

	if (index != HD_NONE) {
		model->free_packet = model->packets[index].next;
		return index;
	}
	if (model->n_packets == model->size_packets) {
		uint32_t size = model->size_packets ? 2 * model->size_packets : 4096;
		struct packet *packets = realloc(model->packets, size * sizeof(*packets));

		if (!packets) {
			model->events.out_of_memory = true;
			return HD_NONE;
		}
		model->packets = packets;
		model->size_packets = size;
	}
	return model->n_packets++;
}

static void release(struct hd_model *model, uint32_t index)
{
	model->packets[index].next = model->free_packet;
	model->free_packet = index;
}

void hd_model_drop(struct hd_model *model, uint32_t index)
{
	struct hd_message message = model->packets[index].message;

	model->census.dropped++;
	release(model, index);
	if (model->user.dropped)
		model->user.dropped(model->user.context, model->events.now, &message);
}

static void host_enqueue(struct hd_model *model, uint32_t host, uint32_t index)
{
	uint32_t port = model->host_ports[host];
	struct packet *packet = &model->packets[index];
	unsigned vl = model->options.admittance == HD_ADMITTANCE_FIFO ? 0 : packet->out_vl;
	struct queue *queue = &model->queues[model->ports[port].queues + vl];

	if (queue->head == HD_NONE) {
		queue->head = index;
		queue->size = packet->message.size;
		queue->out_vl = packet->out_vl;
	} else {
		model->packets[queue->tail].next = index;
	}
	queue->tail = index;
	hd_model_mark(model, port);
}

/* Asks the traffic for what @host generates next. */
static void schedule(struct hd_model *model, uint32_t host)
{
	struct hd_message message;
	uint32_t index;
	struct packet *packet;

	if (!model->user.next(model->user.context, host, &message))
		return;
	index = new_packet(model);
	if (index == HD_NONE)
		return;
	packet = &model->packets[index];
	packet->message = message;
	hd_events_post_late(&model->events, HD_EVENT_GENERATE,
			    message.time > model->events.now ? message.time - model->events.now : 0,
			    host, index);
}

/* Puts a message that is generated now in its host's queue. */
static void admit(struct hd_model *model, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	uint32_t host = packet->message.from;
	const struct port *port = &model->ports[model->host_ports[host]];
	uint32_t to = model->ports[model->host_ports[packet->message.to]].fabric_port;
	unsigned sl;

	packet->dlid = model->fabric->ports[to].lid;
	packet->next = HD_NONE;
	packet->hops = 0;
	sl = hd_path_sl(model->tables, port->fabric_port, packet->dlid);
	packet->sl = sl == HD_NO_SL ? 0 : sl;
	packet->out_vl = hd_row_vl(
		model->tables->sl2vl[hd_sl2vl_host_index(
			model->tables, port->node, model->fabric->ports[port->fabric_port].number)],
		packet->sl);
	model->census.generated++;
	if (packet->out_vl == HD_VL_DROP || sl == HD_NO_SL) {
		hd_model_drop(model, index);
	} else if (packet->message.size > model->smallest_buffer) {
		model->too_large = packet->message.size;
	} else {
		model->census.waiting++;
		host_enqueue(model, host, index);
	}
}

void hd_model_inject(struct hd_model *model, const struct hd_message *message)
{
	uint32_t index = new_packet(model);

	if (index == HD_NONE)
		return;
	model->packets[index].message = *message;
	admit(model, index);
}

static void host_send(struct hd_model *model, uint32_t node)
{
	const struct node *n = &model->nodes[node];
	uint64_t *dirty = &model->dirty[node * (size_t)model->words];

	for (uint32_t i = 0; i < n->n_ports; i++) {
		uint32_t out = n->first_port + i;
		struct port *port = &model->ports[out];

		if (!has_bit(dirty, i) || port->sending != HD_NONE)
			continue;
		for (unsigned k = 0; k < model->n_vls; k++) {
			unsigned vl = (port->vl_turn + k) % model->n_vls;
			struct queue *queue = &model->queues[port->queues + vl];
			struct packet *packet;

			if (queue->head == HD_NONE ||
			    model->credits[out * (size_t)model->n_vls + queue->out_vl] <
				    queue->size)
				continue;
			packet = &model->packets[queue->head];
			packet->entered = model->events.now;
			model->census.waiting--;
			model->census.under_way++;
			port->vl_turn = vl + 1;
			hd_model_transmit(model, queue, out, HD_NONE);
			if (queue->head != HD_NONE) {
				packet = &model->packets[queue->head];
				queue->size = packet->message.size;
				queue->out_vl = packet->out_vl;
			}
			break;
		}
	}
	memset(dirty, 0, model->words * sizeof(*dirty));
}

/* Events */

static void done(struct hd_model *model, uint32_t out, uint32_t in_lane)
{
	struct port *port = &model->ports[out];
	uint32_t index = port->sending, size = model->packets[index].message.size;

	port->sending = HD_NONE;
	set_bit(&model->out_free[port->node * (size_t)model->words], port->local);
	hd_model_mark(model, out);
	if (in_lane != HD_NONE) {
		const struct port *in = &model->ports[in_lane / model->n_vls];

		hd_events_post(&model->events, in->credit_line,
			       in->peer * model->n_vls + in_lane % model->n_vls, size);
		hd_model_switch_done(model, in_lane);
	}
	if (!model->nodes[model->ports[port->peer].node].is_switch)
		hd_events_post(&model->events, port->deliver_line, port->peer, index);
}

static void deliver(struct hd_model *model, uint32_t port, uint32_t index)
{
	struct packet *packet = &model->packets[index];
	struct hd_message message = packet->message;
	uint64_t entered = packet->entered;
	unsigned hops = packet->hops;

	model->census.delivered++;
	model->census.under_way--;
	hd_events_post(&model->events, model->ports[port].credit_line,
		       model->ports[port].peer * model->n_vls + packet->vl, message.size);
	release(model, index);
	/* may inject packets: ours may be elsewhere then */
	if (model->user.delivered)
		model->user.delivered(model->user.context, model->events.now, &message, entered,
				      hops);
}

static void handle(struct hd_model *model, unsigned kind, struct hd_event event)
{
	switch ((enum hd_model_event)kind) {
	case HD_EVENT_ARRIVE:
		hd_model_switch_arrive(model, event.a, event.b);
		break;
	case HD_EVENT_DONE:
		done(model, event.a, event.b);
		break;
	case HD_EVENT_CREDIT:
		model->credits[event.a] += event.b;
		if (model->ports[event.a / model->n_vls].sending == HD_NONE)
			hd_model_mark(model, event.a / model->n_vls);
		break;
	case HD_EVENT_DELIVER:
		deliver(model, event.a, event.b);
		break;
	case HD_EVENT_GENERATE:
		admit(model, event.b);
		schedule(model, event.a);
		break;
	case HD_EVENT_RETRY:
		if (!model->nodes[event.a].is_dirty) {
			model->nodes[event.a].is_dirty = true;
			model->dirty_nodes[model->n_dirty++] = event.a;
		}
		break;
	}
}

static void arbitrate(struct hd_model *model)
{
	for (uint32_t i = 0; i < model->n_dirty; i++) {
		uint32_t node = model->dirty_nodes[i];

		model->nodes[node].is_dirty = false;
		if (model->nodes[node].is_switch)
			hd_model_switch_arbitrate(model, node);
		else
			host_send(model, node);
	}
	model->n_dirty = 0;
}

int hd_model_run(struct hd_model *model, uint64_t until, struct hd_error *err)
{
	struct hd_events *events = &model->events;
	uint64_t now;

	if (!model->started) {
		model->started = true;
		for (uint32_t host = 0; host < model->n_hosts; host++)
			schedule(model, host);
	}
	while ((now = hd_events_next(events)) < until) {
		struct hd_event event;
		unsigned kind;

		if (now >= model->next_check) {
			if (hd_model_is_deadlocked(model))
				return hd_error_set(err, HD_EREFUSED,
						    "deadlock: packets wait for one another in a "
						    "circle of %zu channels",
						    model->n_cycle);
			model->next_check = now + model->deadlock_interval;
		}
		events->now = now;
		for (unsigned line = 0; line < events->n_lines; line++)
			while (events->heads[line] == now) {
				event = hd_events_take(events, line);
				handle(model, events->lines[line].kind, event);
			}
		while (hd_events_take_late(events, &kind, &event))
			handle(model, kind, event);
		arbitrate(model);
		if (events->out_of_memory)
			return hd_error_nomem(err);
		if (model->too_large)
			return hd_error_set(err, HD_EINVAL,
					    "a packet of %u units does not fit a buffer of %u",
					    model->too_large, model->smallest_buffer);
	}
	events->now = until;
	return 0;
}
