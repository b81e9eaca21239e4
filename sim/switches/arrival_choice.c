// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/switches/arrival_choice.h"

#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/ways.h"
#include "sim/model/table_changes.h"
#include "sim/switches/credits.h"

int hd_arrival_choice_new(const struct hd_model *model, struct hd_arrival_choice **result)
{
	struct hd_arrival_choice *choice = calloc(1, sizeof(*choice));
	const size_t lanes = model->network.first_host_port * (size_t)model->n_vls;

	*result = choice;
	if (!choice)
		return HD_ENOMEM;
	choice->waiting = calloc(lanes + 1, sizeof(*choice->waiting));
	choice->occupied = calloc(((size_t)model->n_vls << model->network.port_bits) + 1,
				  sizeof(*choice->occupied));
	choice->random = malloc((model->network.n_switches + (size_t)1) * sizeof(*choice->random));
	if (!choice->waiting || !choice->occupied || !choice->random)
		return HD_ENOMEM;
	for (uint32_t at = 0; at < model->network.n_switches; at++)
		choice->random[at] = (model->options.seed << 32 ^ at) * 2;
	return 0;
}

void hd_arrival_choice_free(struct hd_arrival_choice *choice)
{
	if (!choice)
		return;
	free(choice->waiting);
	free(choice->occupied);
	free(choice->random);
	hd_flows_clear(&choice->flows);
	free(choice);
}

/* Units of @vl in the buffer after @out, on the link to it, and in this switch for it. */
static uint32_t occupied(struct hd_model *model, const struct hd_arrival_choice *choice,
			 uint32_t out, unsigned vl)
{
	const size_t lane = out * (size_t)model->n_vls + vl;
	const struct sender *sender = hd_sender(model, out);
	const struct hd_link_options *link = &model->options.links[sender->link_class];

	hd_model_collect_credits(model, out);
	if (model->sharing.left)
		return choice->waiting[lane] + model->sharing.occupied[lane];
	return choice->waiting[lane] + link->buffer - sender->credits[vl];
}

/* What the routing knows of port @port, for a packet of @size on @vl. */
static void look_at(struct hd_model *model, uint32_t first, unsigned port, unsigned vl,
		    uint32_t size)
{
	struct hd_arrival_choice *choice = model->choice;
	const uint32_t out = first + port;
	const size_t lane = out * (size_t)model->n_vls + vl;

	choice->occupied[port * model->n_vls + vl] = occupied(model, choice, out, vl);
	if (hd_out_room(model, out, vl) >= choice->waiting[lane] + size)
		choice->room[vl] |= bit_of(port);
}

/* The same of all ports of @offers; returns those whose links are active. */
static uint64_t look_at_all(struct hd_model *model, uint32_t first, const struct hd_offer *offers,
			    unsigned n, uint32_t size)
{
	uint64_t open = 0;

	for (unsigned i = 0; i < n; i++) {
		const unsigned vl = (unsigned)__builtin_ctz(offers[i].vcs);

		model->choice->room[vl] = 0;
		for (uint64_t ports = offers[i].ports; ports; ports &= ports - 1) {
			const unsigned port = (unsigned)__builtin_ctzll(ports);

			if (model->live->dead[first + port])
				continue;
			open |= ports & -ports;
			look_at(model, first, port, vl, size);
		}
	}
	return open;
}

/* An offer with room for the packet; where there is none, one for which the packet has to wait. */
static bool offer(const struct hd_model *model, const struct hd_view *view,
		  const struct hd_header *header, struct hd_offer *offers, unsigned n)
{
	const struct hd_routed *routed = model->choice->routed;
	struct hd_offer any[HD_MAX_OFFERS];

	memcpy(any, offers, n * sizeof(*any));
	if (routed->routing->offer(routed, view, header, offers))
		return true;
	for (unsigned i = 0; i < n; i++)
		model->choice->room[__builtin_ctz(any[i].vcs)] = UINT64_MAX;
	return routed->routing->offer(routed, view, header, offers) > 0;
}

/* The port at the switch of the packet's host. */
static uint32_t leave(const struct hd_model *model, const struct hd_view *view, unsigned *vl)
{
	const unsigned exit = view->shape->forwarding.last_hops[view->lid];
	uint32_t out;

	if (exit >= view->shape->n_locals[view->at])
		return HD_NONE;
	out = hd_first_port(model, view->at) + exit;
	*vl = hd_way_tables_vl(view, exit);
	return *vl == HD_VL_DROP || model->live->dead[out] ? HD_NONE : out;
}

uint32_t hd_arrival_choose(struct hd_model *model, uint32_t port, const struct packet *packet,
			   unsigned *vl)
{
	struct hd_arrival_choice *choice = model->choice;
	const struct hd_routed *routed = choice->routed;
	const struct hd_shape *shape = routed->shape;
	const uint32_t at = hd_switch_of(model, port), first = hd_first_port(model, at);
	const struct hd_passage passage = {
		.arrived = model->events.now,
		.source = packet->message.from,
		.lid = packet->dlid,
		.in = (uint8_t)hd_local(model, port),
		.sl = packet->sl,
	};
	struct hd_sight sight = {
		.now = model->events.now,
		.cycle = model->options.cycle,
		.room = choice->room,
		.occupied = choice->occupied,
		.random = &choice->random[at],
		.n_vcs = model->n_vls,
		.flows = routed->needs_flows ? &choice->flows : NULL,
	};
	struct hd_view view = {
		.shape = shape,
		.at = at,
		.target = shape->forwarding.class_of[packet->dlid],
		.in_class = (uint8_t)hd_shape_class(shape, at, passage.in),
		.in_port = passage.in,
		.in_vc = packet->vl,
		.lid = packet->dlid,
		.sight = &sight,
		.passage = &passage,
	};
	struct hd_header header = hd_routed_begin(routed, false);
	struct hd_offer offers[HD_MAX_OFFERS];
	unsigned n;

	view.to = shape->target_switch[view.target];
	if (view.to == HD_NONE)
		return HD_NONE;
	if (view.to == at)
		return leave(model, &view, vl);
	n = routed->routing->may(routed, &view, &header, offers);
	sight.free = look_at_all(model, first, offers, n, packet->message.size);
	if (!sight.free || !offer(model, &view, &header, offers, n))
		return HD_NONE;
	if (routed->routing->took)
		routed->routing->took(routed, &view, &header, &offers[0]);
	if (choice->flows.out_of_memory)
		model->events.out_of_memory = true;
	*vl = (unsigned)__builtin_ctz(offers[0].vcs);
	return first + (unsigned)__builtin_ctzll(offers[0].ports);
}
