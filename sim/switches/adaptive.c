// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/adaptive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/vc_groups.h"
#include "sim/adaptive/trigger.h"
#include "sim/adaptive/ways.h"
#include "sim/model/domains.h"
#include "sim/switches/adaptive_sight.h"
#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"
#include "support/error.h"
#include "support/memory.h"

static size_t whole_words(size_t bytes)
{
	return (bytes + 7) / 8;
}

/* The parts of a switch: their sizes depend on ports and VCs. */
static void lay_out(struct hd_adaptive *a, unsigned n_vls)
{
	size_t ports = a->stride, words = whole_words(sizeof(struct adaptive_switch)) + n_vls;

	a->useful_at = words;
	words += ports;
	a->vcs_at = words;
	words += whole_words(ports * sizeof(uint32_t));
	a->turns_at = words;
	words += whole_words(ports);
	a->heads_at = words;
	words += whole_words(ports * n_vls * sizeof(struct adaptive_head));
	a->occupied_at = words;
	words += whole_words(ports * n_vls * sizeof(uint32_t));
	a->contention_at = words;
	words += whole_words(ports * sizeof(uint16_t));
	if (a->shape->ring) {
		a->room_two_at = words;
		words += n_vls;
	}
	a->switch_words = (words + 7) / 8 * 8;
}

/* Arrays that only some triggers need. */
static int make_counters(struct hd_model *model, struct hd_adaptive *a)
{
	const struct hd_trigger *trigger = a->routed->trigger;
	size_t n = model->network.n_switches + (size_t)1;

	if (trigger && trigger->needs_filters) {
		a->filters = calloc(n * a->stride, sizeof(*a->filters));
		if (!a->filters)
			return HD_ENOMEM;
	}
	if (trigger && trigger->needs_heading) {
		a->heading = calloc(n * a->shape->n_groups, sizeof(*a->heading));
		if (!a->heading)
			return HD_ENOMEM;
	}
	if (a->routed->needs_minimal) {
		size_t lanes = model->network.first_host_port * (size_t)model->n_vls + 1;

		a->minimal.units = calloc(lanes, sizeof(*a->minimal.units));
		a->minimal.lanes = calloc(lanes, sizeof(*a->minimal.lanes));
		if (!a->minimal.units || !a->minimal.lanes)
			return HD_ENOMEM;
		a->minimal.n_lanes = lanes;
	}
	return hd_notices_new(model, a);
}

int hd_adaptive_new(struct hd_model *model, const struct hd_routed *routed)
{
	struct hd_adaptive *a = calloc(1, sizeof(*a));
	size_t n = model->network.n_switches;

	model->adaptive = a;
	if (!a)
		return HD_ENOMEM;
	a->routed = routed;
	a->shape = routed->shape;
	a->by_tables = routed->vcs.by_tables;
	a->needed_flows = routed->needs_flows ? &a->flows : NULL;
	a->stride = routed->shape->n_ports ? routed->shape->n_ports : 1;
	lay_out(a, model->n_vls);
	a->switches = hd_alloc_large((n + 1) * a->switch_words * sizeof(*a->switches));
	a->host_random = malloc((model->injection.n_hosts + (size_t)1) * sizeof(*a->host_random));
	if (!a->switches || !a->host_random || make_counters(model, a))
		return HD_ENOMEM;
	if (routed->counts_order) {
		a->order.sent =
			calloc(model->injection.n_hosts + (size_t)1, sizeof(*a->order.sent));
		if (!a->order.sent)
			return HD_ENOMEM;
	}
	memset(a->switches, 0, n * a->switch_words * sizeof(*a->switches));
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		a->capacity[i] = model->options.links[i].buffer +
				 (hd_has_link_queues(model) ? model->options.links[i].output : 0);
	a->injection_vcs = model->options.links[HD_LINK_TERMINAL].vcs;
	if (!a->injection_vcs)
		a->injection_vcs = a->by_tables ? model->n_vls : routed->vcs.n[HD_LINK_LOCAL];
	for (uint32_t host = 0; host < model->injection.n_hosts; host++)
		a->host_random[host] = (model->options.seed << 32 ^ host) * 2 + 1;
	for (uint32_t at = 0; at < n; at++) {
		struct adaptive_switch *here = hd_adaptive_switch(model, at);
		struct adaptive_head *heads = hd_adaptive_heads(model, here);

		here->random = (model->options.seed << 32 ^ at) * 2;
		here->output = UINT64_MAX;
		for (unsigned vl = 0; vl < model->n_vls; vl++) {
			hd_adaptive_room(here)[vl] = UINT64_MAX;
			if (a->room_two_at)
				hd_adaptive_room_two(model, here)[vl] = UINT64_MAX;
		}
		for (size_t i = 0; i < a->stride * (size_t)model->n_vls; i++)
			heads[i].leaving = HD_NO_PORT;
	}
	return 0;
}

void hd_adaptive_free(struct hd_adaptive *a)
{
	if (!a)
		return;
	free(a->headers);
	free(a->switches);
	for (size_t i = 0; i < a->minimal.n_lanes; i++)
		free(a->minimal.lanes[i].sizes);
	free(a->minimal.units);
	free(a->minimal.lanes);
	free(a->filters);
	free(a->heading);
	free(a->notices.told);
	free(a->notices.sums);
	hd_notices_unshare(&a->notices);
	free(a->host_random);
	free(a->order.sent);
	free(a->order.number);
	hd_flows_clear(&a->flows);
	hd_flows_clear(&a->order.latest);
	free(a);
}

struct hd_adaptive *hd_adaptive_share(const struct hd_adaptive *whole)
{
	struct hd_adaptive *a = malloc(sizeof(*a));

	if (!a)
		return NULL;
	*a = *whole;
	a->headers = NULL;
	a->n_headers = 0;
	a->order.number = NULL;
	a->flows = a->order.latest = (struct hd_flows){ 0 };
	a->needed_flows = whole->needed_flows ? &a->flows : NULL;
	if (!hd_notices_share(&a->notices, a->shape->n_switches)) {
		hd_adaptive_unshare(a);
		return NULL;
	}
	return a;
}

void hd_adaptive_unshare(struct hd_adaptive *a)
{
	if (!a)
		return;
	free(a->headers);
	free(a->order.number);
	hd_flows_clear(&a->flows);
	hd_flows_clear(&a->order.latest);
	hd_notices_unshare(&a->notices);
	free(a);
}

bool hd_adaptive_grow(struct hd_model *model)
{
	struct hd_adaptive *a = model->adaptive;
	struct hd_header *headers =
		realloc(a->headers, model->buffers.size_packets * sizeof(*headers));

	if (!headers)
		return false;
	a->headers = headers;
	if (a->order.sent) {
		uint32_t *number =
			realloc(a->order.number, model->buffers.size_packets * sizeof(*number));

		if (!number)
			return false;
		a->order.number = number;
	}
	a->n_headers = model->buffers.size_packets;
	return true;
}

/* Minimal packets */

/* Room for one more size in @lane; false: out of memory. */
static bool grow_lane(struct minimal_lane *lane)
{
	uint32_t room = lane->room ? 2 * lane->room : 8, *sizes;

	if (lane->n < lane->room)
		return true;
	sizes = malloc(room * sizeof(*sizes));
	if (!sizes)
		return false;
	for (uint32_t i = 0; i < lane->n; i++)
		sizes[i] = lane->sizes[(lane->first + i) & (lane->room - 1)];
	free(lane->sizes);
	lane->sizes = sizes;
	lane->first = 0;
	lane->room = room;
	return true;
}

void hd_adaptive_use_minimal(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size,
			     bool is_minimal)
{
	struct minimal *minimal = &model->adaptive->minimal;
	size_t index = out * (size_t)model->n_vls + vl;
	struct minimal_lane *lane = &minimal->lanes[index];

	if (!grow_lane(lane)) {
		model->events.out_of_memory = true;
		return;
	}
	lane->sizes[(lane->first + lane->n++) & (lane->room - 1)] = size << 1 | is_minimal;
	minimal->units[index] += is_minimal ? size : 0;
	hd_notices_changed(model, hd_switch_of(model, out));
}

/* @units of the packets that came first have left. */
static void leave_minimal(struct hd_model *model, uint32_t out, unsigned vl, uint32_t units)
{
	struct minimal *minimal = &model->adaptive->minimal;
	size_t index = out * (size_t)model->n_vls + vl;
	struct minimal_lane *lane = &minimal->lanes[index];

	while (units && lane->n) {
		uint32_t *size = &lane->sizes[lane->first], part = *size >> 1;

		part = part < units ? part : units;
		minimal->units[index] -= *size & 1 ? part : 0;
		units -= part;
		*size -= part << 1;
		if (*size >> 1)
			break;
		lane->first = (lane->first + 1) & (lane->room - 1);
		lane->n--;
	}
}

/* What has room */

/* Room for two packets, which bubbles ask for. */
static __attribute__((noinline)) void update_room_two(struct hd_model *model, uint32_t out,
						      unsigned vl)
{
	struct adaptive_switch *here = hd_adaptive_switch(model, hd_switch_of(model, out));
	uint64_t *two = &hd_adaptive_room_two(model, here)[vl];

	if (hd_out_room(model, out, vl) / 2 >= model->adaptive->packet)
		*two |= bit_of(hd_local(model, out));
	else
		*two &= ~bit_of(hd_local(model, out));
}

static void update_room(struct hd_model *model, uint32_t out, unsigned vl)
{
	uint64_t *room = &hd_adaptive_room(hd_adaptive_switch(model, hd_switch_of(model, out)))[vl];
	uint64_t bit = bit_of(hd_local(model, out));

	if (hd_out_room(model, out, vl) >= model->adaptive->packet)
		*room |= bit;
	else
		*room &= ~bit;
	if (__builtin_expect(model->adaptive->room_two_at != 0, 0))
		update_room_two(model, out, vl);
}

static void update_all_room(struct hd_model *model, uint32_t out)
{
	for (unsigned vl = 0; vl < model->n_vls; vl++)
		update_room(model, out, vl);
}

void hd_adaptive_grow_packet(struct hd_model *model, uint32_t size)
{
	model->adaptive->packet = size;
	hd_notices_all_changed(model);
	for (uint32_t out = 0; out < model->network.first_host_port; out++)
		if (hd_is_port(model, out))
			update_all_room(model, out);
}

void hd_adaptive_occupy(struct hd_model *model, uint32_t out, unsigned vl, int64_t units)
{
	struct adaptive_switch *here = hd_adaptive_switch(model, hd_switch_of(model, out));

	hd_adaptive_occupied(model, here)[hd_local(model, out) * model->n_vls + vl] +=
		(uint32_t)units;
	hd_notices_changed(model, hd_switch_of(model, out));
	if (units < 0 && model->adaptive->minimal.units)
		leave_minimal(model, out, vl, (uint32_t)-units);
	if (hd_has_sharing(model))
		update_all_room(model, out);
	else
		update_room(model, out, vl);
	if (units < 0 && here->waiting)
		hd_model_mark_out(model, out);
}

void hd_adaptive_open(struct hd_model *model, uint32_t out, unsigned vl)
{
	update_room(model, out, vl);
	if (hd_is_wanted(model, out))
		hd_model_mark_out(model, out);
}

/* Contention */

/* The count of @port's heads at @at changes by @change. */
static void count(struct hd_model *model, uint32_t at, unsigned port, int change)
{
	struct hd_adaptive *a = model->adaptive;
	uint16_t *contention = &hd_adaptive_contention(model, hd_adaptive_switch(model, at))[port];
	struct hd_filter *filter;

	if (a->filters) {
		filter = &a->filters[at * (size_t)a->stride + port];
		filter->value = hd_filter_value(filter, *contention, a->routed->filter_alpha,
						model->events.now, model->options.cycle);
		filter->since = model->events.now;
	}
	*contention = (uint16_t)(*contention + change);
}

static void count_heading(struct hd_model *model, uint32_t at, unsigned group, int change)
{
	uint16_t *heading;

	if (group == HD_NO_GROUP)
		return;
	heading = &model->adaptive->heading[at * (size_t)model->adaptive->shape->n_groups + group];
	*heading = (uint16_t)(*heading + change);
	hd_notices_changed(model, at);
}

void hd_adaptive_count_head(struct hd_model *model, uint32_t at, struct adaptive_head *head)
{
	head->is_counted = true;
	count(model, at, head->minimal, 1);
	count_heading(model, at, head->heading, 1);
	/* others that want the same port may go another way now */
	set_bit(hd_dirty(hd_crossbar(model, at), 1), 1, head->minimal);
}

static void uncount_leaving(struct hd_model *model, uint32_t at, struct adaptive_head *head)
{
	count(model, at, head->leaving, -1);
	count_heading(model, at, head->leaving_heading, -1);
	head->leaving = HD_NO_PORT;
}

void hd_adaptive_leave(struct hd_model *model, uint32_t at, struct adaptive_head *head)
{
	if (head->leaving != HD_NO_PORT)
		uncount_leaving(model, at, head);
	if (!head->is_counted)
		hd_adaptive_count_head(model, at, head);
	head->leaving = head->minimal;
	head->leaving_heading = head->heading;
	head->is_counted = false;
	head->ports = 0;
}

void hd_adaptive_left(struct hd_model *model, uint32_t in, unsigned vl)
{
	uint32_t at = hd_switch_of(model, in);
	struct adaptive_switch *here = hd_adaptive_switch(model, at);
	struct adaptive_head *head =
		&hd_adaptive_heads(model, here)[hd_local(model, in) * model->n_vls + vl];

	if (head->leaving == HD_NO_PORT)
		return;
	uncount_leaving(model, at, head);
	if (head->ports && !head->is_counted)
		hd_adaptive_count_head(model, at, head);
}

/* Hosts */

unsigned hd_adaptive_injection_vcs(const struct hd_model *model, uint32_t host, uint16_t lid,
				   unsigned *first)
{
	const struct hd_groups *groups = model->adaptive ? model->adaptive->routed->groups : NULL;
	uint32_t port;

	if (!groups)
		return 0;
	port = model->network.fabric_port[model->injection.hosts[host].port];
	*first = hd_groups_of(groups, port, lid) * groups->per_group;
	return groups->per_group;
}

unsigned hd_adaptive_injection_vc(struct hd_model *model, const struct packet *packet)
{
	const struct hd_host_vc *policy = model->options.host_vc;
	unsigned first = 0, n;

	if (model->adaptive->by_tables && !model->adaptive->routed->vcs.is_range)
		return packet->out_vl;
	n = hd_adaptive_injection_vcs(model, packet->message.from, packet->dlid, &first);
	if (!n)
		n = model->adaptive->injection_vcs;
	if (!model->options.host_replies)
		return policy->choose(model, packet, first, n);
	/* requests are not to be in the way of replies */
	if (packet->message.id == HD_REPLY_ID)
		return policy->choose(model, packet, first + n - n / 2, n / 2);
	return policy->choose(model, packet, first, n - n / 2);
}

/* The tables' VLs */

bool hd_adaptive_has_way(const struct hd_model *model, uint32_t port, uint32_t index)
{
	const struct hd_adaptive *a = model->adaptive;
	const struct packet *packet = &model->buffers.packets[index];
	const struct hd_view view = hd_adaptive_view(model, port, packet, NULL);
	struct hd_offer offers[HD_MAX_OFFERS];

	if (view.to == view.at)
		return hd_way_tables_vl(&view, view.shape->forwarding.last_hops[packet->dlid]) !=
		       HD_VL_DROP;
	return a->routed->routing->may(a->routed, &view, &a->headers[index], offers) > 0;
}

/* Order */

void hd_adaptive_number(struct hd_model *model, uint32_t index)
{
	struct packet_order *order = &model->adaptive->order;

	order->number[index] = ++order->sent[model->buffers.packets[index].message.from];
}

void hd_adaptive_count_order(struct hd_model *model, uint32_t index)
{
	struct hd_adaptive *a = model->adaptive;
	const struct packet *packet = &model->buffers.packets[index];
	struct hd_flow_entry *flow =
		hd_flows_add(&a->order.latest, hd_flow_key(0, packet->message.from, packet->dlid));

	if (!flow || a->flows.out_of_memory)
		model->events.out_of_memory = true;
	else if (a->order.number[index] < flow->when)
		a->delivered.flags |= HD_OUT_OF_ORDER;
	else
		flow->when = a->order.number[index];
}

/* Who waits for what */

unsigned hd_adaptive_ways(const struct hd_model *model, uint32_t lane, struct hd_offer *offers)
{
	uint32_t in = lane / model->n_vls, at = hd_switch_of(model, in);
	const struct hd_model *own = hd_model_at(model, in);
	const struct queue *queue =
		hd_queue(model, in, lane % model->n_vls, hd_first_port(model, at));
	const struct packet *packet = hd_head(own, queue);
	struct hd_sight sight = hd_adaptive_sight(own, at);
	struct hd_view view = hd_adaptive_view(own, in, packet, &sight);

	if (view.to == at)
		return 0;
	return own->adaptive->routed->routing->may(own->adaptive->routed, &view,
						   &own->adaptive->headers[queue->head], offers);
}

/* Invariants */

static bool wrong(const struct hd_model *model, uint32_t at, const char *says, char *what,
		  size_t size)
{
	char label[320];

	snprintf(what, size, "%s: %s",
		 hd_node_label(model->network.fabric, at, label, sizeof(label)), says);
	return false;
}

/* Units of packets that are past the crossbar, and take no credits yet. */
static uint32_t held(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return hd_has_link_queues(model) ? hd_switch_hooks(model)->held(model, out, vl) : 0;
}

static bool verify_switch(const struct hd_model *model, uint32_t at, char *what, size_t size)
{
	struct adaptive_switch *here = hd_adaptive_switch(model, at);
	unsigned n = model->network.n_locals[at];
	size_t heads = 0, counted = 0;

	for (unsigned in = 0; in < n; in++) {
		uint32_t port = hd_first_port(model, at) + in, vcs = 0;
		uint64_t useful = 0;

		for (unsigned vl = 0; vl < model->n_vls; vl++) {
			const struct adaptive_head *head =
				&hd_adaptive_heads(model, here)[in * model->n_vls + vl];
			const struct queue *queue = hd_queue(model, port, vl, port);

			if ((queue->head != HD_NONE) != (head->ports != 0))
				return wrong(model, at, "a head is not where a queue has one", what,
					     size);
			useful |= head->ports;
			vcs |= (uint32_t)(head->ports != 0) << vl;
			heads += head->is_counted;
			heads += head->leaving != HD_NO_PORT;
		}
		if (hd_adaptive_useful(model, here)[in] != useful ||
		    hd_adaptive_vcs(model, here)[in] != vcs ||
		    (here->waiting >> in & 1) != (vcs != 0))
			return wrong(model, at, "the masks of heads are not what heads say", what,
				     size);
	}
	for (unsigned out = 0; out < n; out++) {
		uint32_t port = hd_first_port(model, at) + out;
		const struct hd_link_options *link =
			&model->options.links[hd_sender(model, port)->link_class];

		counted += hd_adaptive_contention(model, here)[out];
		for (unsigned vl = 0; vl < model->n_vls && !model->sharing.left; vl++)
			if (hd_adaptive_occupied(model, here)[out * model->n_vls + vl] +
				    hd_sender(model, port)->credits[vl] !=
			    link->buffer + held(model, port, vl))
				return wrong(model, at, "what is occupied is not what credits say",
					     what, size);
	}
	for (unsigned i = 0; i < n * model->n_vls && model->adaptive->minimal.units; i++)
		if (model->adaptive->minimal.units[hd_first_port(model, at) * model->n_vls + i] >
		    hd_adaptive_occupied(model, here)[i])
			return wrong(model, at, "minimal packets occupy more than there is", what,
				     size);
	if (heads != counted)
		return wrong(model, at, "contention is not what heads and leaving packets say",
			     what, size);
	return true;
}

bool hd_adaptive_verify(const struct hd_model *model, char *what, size_t size)
{
	for (uint32_t at = 0; at < model->network.n_switches; at++)
		if (!verify_switch(model, at, what, size))
			return false;
	return true;
}
