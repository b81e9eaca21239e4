/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Tables and links that change while a model runs. Packets keep their places, and go by the tables
 * of the moment when they come to a switch; packets that already wait for an out-port leave by it.
 *
 * A link that is not active still moves packets, which are lost at its other end. So packets that
 * wait for the link drain at its rate and credits come back, as in a switch that discards packets.
 */
#ifndef HD_MODEL_TABLE_CHANGES_H
#define HD_MODEL_TABLE_CHANGES_H

#include "sim/switches/crossbar.h"
#include "sim/model/packets.h"

#define HD_LIVE_PLACES 16 /* number of last visited switches kept for a packet */

struct hd_live {
	bool *dead; /* [port] its link is not active; at both ends */
	struct hd_model_loss loss;
	struct hd_model_circling circling;
	unsigned most_hops; /* a packet with this many hops is lost */
	unsigned sls;       /* in use: bit s for SL s */

	/* [packet] the last visited switches; [hops % HD_LIVE_PLACES] */
	uint32_t (*places)[HD_LIVE_PLACES];
};

/* For options.live. HD_ENOMEM. */
int hd_live_new(struct hd_model *model, struct hd_error *err);
void hd_live_free(struct hd_live *live);

/* Packet @index has come to switch @at; false: it has circled for too long. */
static inline bool hd_live_visit(struct hd_model *model, uint32_t at, uint32_t index)
{
	struct hd_live *live = model->live;
	uint32_t *places = live->places[index];
	struct packet *packet = &model->buffers.packets[index];
	const unsigned hops = packet->hops;
	/* a packet that has just left its host has crossed a link, but visited no switch */
	const unsigned known = hops - 1 < HD_LIVE_PLACES ? hops - 1 : HD_LIVE_PLACES;
	bool again = false;

	if (hops == 1)
		packet->has_circled = false;
	for (unsigned i = 0; i < known; i++)
		again |= places[i] == at;
	again |= hops >= live->most_hops;
	live->circling.packets += again && !packet->has_circled;
	packet->has_circled |= again;
	places[(hops - 1) % HD_LIVE_PLACES] = at;
	live->circling.lost += hops >= live->most_hops;
	return hops < live->most_hops;
}

#endif
