/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Bubble flow control: a packet that enters a ring - from a host, another dimension, another VL -
 * needs room for two packets in the ring's buffer, one that goes straight on room for one. So a
 * ring that is about to be full takes no more packets, and those that it has can always move: the
 * buffer that a packet enters has room for another then, and a packet that goes straight on leaves
 * as much room behind it as it takes. That needs packets of one size, as room for one is in one
 * piece then.
 */
#ifndef HD_SWITCHES_BUBBLE_H
#define HD_SWITCHES_BUBBLE_H

#include "sim/model/state.h"

/* The ring of the link by which packets come in by @in; 0: none. */
static inline uint32_t hd_bubble_ring_into(const struct hd_model *model, uint32_t in)
{
	return model->bubble.ring[hd_sender(model, in)->peer];
}

/* Whether a packet that came by @in enters a ring when it leaves by @out; on another VL it does. */
static inline bool hd_bubble_enters(const struct hd_model *model, uint32_t in, uint32_t out,
				    bool changes_vl)
{
	uint32_t ring = model->bubble.ring[out];

	return ring && (changes_vl || ring != hd_bubble_ring_into(model, in));
}

/* Units of room that a packet of @size, which came by @in, needs in the buffer behind @out. */
static inline uint32_t hd_room_for(const struct hd_model *model, uint32_t in, uint32_t out,
				   uint32_t size, bool changes_vl)
{
	return hd_has_bubble(model) ? size << hd_bubble_enters(model, in, out, changes_vl) : size;
}

static inline uint32_t hd_room_needed(const struct hd_model *model, uint32_t in, uint32_t out,
				      const struct packet *packet)
{
	return hd_room_for(model, in, out, packet->message.size, packet->vl != packet->out_vl);
}

/* Counts @packet, which came by @in, out of the ring that it was in; into that of @out. */
static inline void hd_bubble_leave(struct hd_model *model, uint32_t in, const struct packet *packet)
{
	uint32_t ring = hd_bubble_ring_into(model, in);

	if (ring)
		model->bubble.packets[ring * (size_t)model->n_vls + packet->vl]--;
}

static inline void hd_bubble_go_on(struct hd_model *model, uint32_t in, uint32_t out,
				   const struct packet *packet)
{
	uint32_t ring = model->bubble.ring[out];

	hd_bubble_leave(model, in, packet);
	if (ring)
		model->bubble.packets[ring * (size_t)model->n_vls + packet->out_vl]++;
}

/* Takes the rings of the options. HD_ENOMEM. */
int hd_bubble_new(struct hd_model *model, struct hd_error *err);
void hd_bubble_free(struct hd_model *model);

/*
 * False, which is noted: a packet of @size does not fit twice into a ring's buffer, or is of
 * another size than those before.
 */
bool hd_bubble_takes(struct hd_model *model, uint32_t size);

/* What hd_bubble_takes() noted. HD_EINVAL. */
int hd_bubble_failed(const struct hd_model *model, struct hd_error *err);

/* Whether every ring has room for another packet; if not, @port is of one that has none. */
bool hd_bubble_verify(const struct hd_model *model, uint32_t *port, unsigned *vl,
		      const char **what);

#endif
