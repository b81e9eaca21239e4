// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Deadlock of switches with VC allocation, and what must hold of their state.
 *
 * An in-VC is dead if no flit left it since the last look, and
 *
 *	its head asks for an out-VC, all that it may have are taken, and dead in-VCs have them; or
 *	its packet has an out-VC without credits, and the in-VC at the other end is dead; or
 *	its packet has an out-VC and no flits are there, and the in-VC where they are is dead.
 *
 * Hosts take in and send, so what waits for a host alone is alive.
 */
#include "sim/switches/vc.h"

#include <stdlib.h>

#include "sim/model/deadlock.h"

/* The in-VC from which flits come to @lane; HD_NONE: they come from a host, or there are none. */
static uint32_t source_of(const struct hd_model *model, uint32_t lane)
{
	const struct hd_vc *own = hd_vc(model);
	const uint32_t from = hd_receiver(model, lane / own->n_vcs)->peer;

	return hd_is_switch_port(model, from)
		       ? own->outs[hd_vc_lane(own, from, lane % own->n_vcs)].owner
		       : HD_NONE;
}

/* The dead in-VC that holds up @lane; HD_NONE: none does. */
static uint32_t waits_for(const struct hd_model *model, uint32_t lane, const uint8_t *dead)
{
	const struct hd_vc *own = hd_vc(model);
	const struct hd_in_vc *in = &own->ins[lane];
	uint32_t other = HD_NONE;

	switch (in->state) {
	case HD_VC_ACTIVE:
		if (!in->flits)
			other = source_of(model, lane);
		else if (!own->outs[hd_vc_lane(own, in->out, in->out_vc)].credits &&
			 !hd_sender(model, in->out)->to_host)
			other = hd_vc_lane(own, hd_sender(model, in->out)->peer, in->out_vc);
		break;
	case HD_VC_WAITING:
		for (unsigned k = 0; k < in->n_vcs; k++) {
			other = own->outs[hd_vc_lane(own, in->out, in->first_vc + k)].owner;
			/* a VC that is free but waits for credits waits for the next in-VC */
			if (other == HD_NONE && !hd_sender(model, in->out)->to_host &&
			    !hd_vc_is_free(model, hd_vc_lane(own, in->out, in->first_vc + k)))
				other = hd_vc_lane(own, hd_sender(model, in->out)->peer,
						   in->first_vc + k);
			if (other == HD_NONE || !dead[other])
				return HD_NONE;
		}
		break;
	default:
		break;
	}
	return other != HD_NONE && dead[other] ? other : HD_NONE;
}

bool hd_vc_is_deadlocked(struct hd_model *model)
{
	struct hd_vc *own = hd_vc(model);
	const uint32_t lanes = model->network.first_host_port * own->n_vcs;
	uint8_t *dead = calloc(lanes + (size_t)1, 1);
	bool changed = true;
	uint32_t any = HD_NONE;

	if (!dead) {
		model->events.out_of_memory = true;
		return false;
	}
	for (uint32_t lane = 0; lane < lanes; lane++) {
		struct hd_in_vc *in = &own->ins[lane];

		dead[lane] = (in->state == HD_VC_WAITING || in->state == HD_VC_ACTIVE) &&
			     in->moved == in->told;
		in->told = in->moved;
	}
	while (changed) {
		changed = false;
		any = HD_NONE;
		for (uint32_t lane = 0; lane < lanes; lane++) {
			if (!dead[lane])
				continue;
			any = lane;
			if (waits_for(model, lane, dead) != HD_NONE)
				continue;
			dead[lane] = 0;
			changed = true;
		}
	}
	if (any != HD_NONE)
		hd_deadlock_find_cycle(model, any, dead, waits_for);
	free(dead);
	return any != HD_NONE;
}

/* As an in-VC: its runs are its flits, and an out-VC knows it. NULL: no error. */
static const char *verify_in(const struct hd_model *model, uint32_t lane)
{
	const struct hd_vc *own = hd_vc(model);
	const struct hd_in_vc *in = &own->ins[lane];
	uint32_t flits = 0;

	for (uint32_t i = in->first; i != HD_NONE; i = own->runs[i].next)
		flits += own->runs[i].flits;
	if (flits != in->flits)
		return "its FIFO has other flits than it counts";
	if (in->is_busy != (in->flits > 0))
		return "it is busy, or not, by mistake";
	if ((in->state == HD_VC_IDLE) != (in->first == HD_NONE))
		return "it is idle, or not, by mistake";
	if (in->state == HD_VC_ACTIVE &&
	    own->outs[hd_vc_lane(own, in->out, in->out_vc)].owner != lane)
		return "the VC that its packet has does not know that";
	return NULL;
}

/* As an out-VC: credits, what is in the buffer behind it and what is under way are its size. */
static const char *verify_out(const struct hd_model *model, uint32_t lane)
{
	const struct hd_vc *own = hd_vc(model);
	const struct sender *sender = hd_sender(model, lane / own->n_vcs);
	const struct hd_out_vc *out = &own->outs[lane];
	const uint32_t size = own->buffers[sender->link_class];
	const uint32_t next = hd_vc_lane(own, sender->peer, lane % own->n_vcs);

	if (out->credits > size)
		return "it has more credits than there is room";
	if (!sender->to_host && own->ins[next].flits > size - out->credits)
		return "its buffer has more flits than it has room for";
	if (out->owner != HD_NONE && hd_is_switch_port(model, lane / own->n_vcs) &&
	    (own->ins[out->owner].state != HD_VC_ACTIVE ||
	     hd_vc_lane(own, own->ins[out->owner].out, own->ins[out->owner].out_vc) != lane))
		return "a packet has it that does not know that";
	return NULL;
}

const char *hd_vc_verify(const struct hd_model *model, uint32_t port)
{
	const struct hd_vc *own = hd_vc(model);
	const char *wrong = NULL;

	for (unsigned vc = 0; vc < own->n_vcs && !wrong; vc++) {
		wrong = verify_in(model, hd_vc_lane(own, port, vc));
		if (!wrong)
			wrong = verify_out(model, hd_vc_lane(own, port, vc));
	}
	return wrong;
}
