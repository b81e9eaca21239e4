/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a routing sees of a switch and of a packet there. */
#ifndef HD_SWITCHES_ADAPTIVE_SIGHT_H
#define HD_SWITCHES_ADAPTIVE_SIGHT_H

#include "sim/switches/adaptive.h"
#include "sim/switches/crossbar.h"

/* The notices about all switches that the group of @at knows now. */
static inline unsigned hd_notices_known(const struct notices *notices)
{
	return notices->slot >= notices->late ? notices->slot - notices->late
					      : notices->slot + notices->n_slots - notices->late;
}

/* Inlined: otherwise the result is written twice for each head. */
static inline __attribute__((always_inline)) struct hd_sight hd_adaptive_sight(
	const struct hd_model *model, uint32_t at)
{
	const struct hd_adaptive *a = model->adaptive;
	struct adaptive_switch *here = hd_adaptive_switch(model, at);
	struct hd_sight sight = {
		.now = model->events.now,
		.cycle = model->options.cycle,
		.free = *hd_out_free(hd_crossbar(model, at), 1) & here->output,
		.room = hd_adaptive_room(here),
		.room_two = hd_adaptive_room_two(model, here),
		.occupied = hd_adaptive_occupied(model, here),
		.capacity = a->capacity,
		.contention = hd_adaptive_contention(model, here),
		.random = &here->random,
		.packet = a->packet,
		.n_vcs = hd_n_vls(model),
		.flows = a->needed_flows,
	};

	if (a->minimal.units)
		sight.minimal =
			a->minimal.units + hd_first_port(model, at) * (size_t)hd_n_vls(model);
	if (a->filters)
		sight.filters = a->filters + at * (size_t)a->stride;
	if (a->heading)
		sight.heading = a->heading + at * (size_t)a->shape->n_groups;
	if (a->notices.bytes) {
		unsigned known = hd_notices_known(&a->notices);

		sight.notices = a->notices.told +
				known * (size_t)model->network.n_switches * a->notices.bytes;
		if (a->notices.sums)
			sight.sums = a->notices.sums +
				     ((size_t)known * a->shape->n_groups + a->shape->group[at]) *
					     a->notices.bytes;
	}
	return sight;
}

/* The input of the tables for the packet that is asked about; valid until the next. */
static inline const struct hd_passage *hd_adaptive_passage(const struct hd_model *model,
							   uint32_t in, const struct packet *packet)
{
	model->adaptive->passage = (struct hd_passage){
		.arrived = packet->arrived,
		.source = packet->message.from,
		.lid = packet->dlid,
		.in = (uint8_t)hd_local(model, in),
		.sl = packet->sl,
	};
	return &model->adaptive->passage;
}

/* Packet @packet, which came in by @in. */
static inline struct hd_view hd_adaptive_view(const struct hd_model *model, uint32_t in,
					      const struct packet *packet, struct hd_sight *sight)
{
	const struct hd_shape *shape = model->adaptive->shape;
	uint32_t target = shape->forwarding.class_of[packet->dlid], at = hd_switch_of(model, in);
	struct hd_view view = {
		.shape = shape,
		.at = at,
		.target = target,
		.to = shape->target_switch[target],
		/* that of the shape, which stays in the caches, as the port's sender does not */
		.in_class = (uint8_t)hd_shape_class(shape, at, hd_local(model, in)),
		.in_port = (uint8_t)hd_local(model, in),
		.in_vc = packet->vl,
		.lid = packet->dlid,
		.sight = sight,
	};

	if (__builtin_expect(model->adaptive->by_tables, 0))
		view.passage = hd_adaptive_passage(model, in, packet);
	return view;
}

#endif
