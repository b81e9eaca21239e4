/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Bubble flow control: a packet that enters a ring (from a host, another dimension or another VL)
 * needs room for two packets in the ring's buffer; a packet that goes straight on needs room for
 * one. So a ring that is nearly full takes no more packets, and its packets can always move: the
 * buffer that a packet entered has room for another, and a packet that goes straight on frees as
 * much room as it takes. Where VLs have queues before the link, these are the ring's, too: a packet
 * enters the ring there, and needs room for two packets in that queue. Then room for one packet is
 * enough in the buffers behind links. All packets must have one size, so that room for one packet is
 * in one piece.
 */
#ifndef HD_SWITCHES_BUBBLE_H
#define HD_SWITCHES_BUBBLE_H

#include "sim/model/state.h"

/* The ring of the link into @in; 0: none. */
static inline uint32_t hd_bubble_ring_into(const struct hd_model *model, uint32_t in)
{
	return model->bubble.ring[hd_sender(model, in)->peer];
}

/*
 * Whether a packet that came by @in enters a ring when it leaves by @out; a change of VL also
 * counts.
 */
static inline bool hd_bubble_enters(const struct hd_model *model, uint32_t in, uint32_t out,
				    bool changes_vl)
{
	uint32_t ring = model->bubble.ring[out];

	return ring && (changes_vl || ring != hd_bubble_ring_into(model, in));
}

/* Units of room that a packet of @size, which came by @in, needs in the buffer after @out. */
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

/*
 * First function: counts @packet, which came by @in, out of its ring. Second: into the ring of
 * @out.
 */
static inline void hd_bubble_leave(struct hd_model *model, uint32_t in, const struct packet *packet)
{
	uint32_t ring = hd_bubble_ring_into(model, in);

	if (ring)
		model->bubble.packets[ring * (size_t)hd_n_vls(model) + packet->vl]--;
}

static inline void hd_bubble_go_on(struct hd_model *model, uint32_t in, uint32_t out,
				   const struct packet *packet)
{
	uint32_t ring = model->bubble.ring[out];

	hd_bubble_leave(model, in, packet);
	if (ring)
		model->bubble.packets[ring * (size_t)hd_n_vls(model) + packet->out_vl]++;
}

/* Takes the rings of the options. HD_ENOMEM. */
int hd_bubble_new(struct hd_model *model, struct hd_error *err);
void hd_bubble_free(struct hd_model *model);

/*
 * False, and the model notes it: a packet of @size does not fit twice into what packets enter a ring
 * by, or its size differs from those before.
 */
bool hd_bubble_takes(struct hd_model *model, uint32_t size);

/* Returns the error that hd_bubble_takes() noted. HD_EINVAL. */
int hd_bubble_failed(const struct hd_model *model, struct hd_error *err);

/* Whether every ring has room for another packet; if not, @port is in a ring without room. */
bool hd_bubble_verify(const struct hd_model *model, uint32_t *port, unsigned *vl,
		      const char **what);

#endif
