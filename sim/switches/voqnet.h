/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VOQnet: every in-port of a switch has a queue for each destination (and VL), with room and
 * credits of its own; a destination is a LID of a host. Packets for one destination wait only for
 * others for the same destination, or for their turn. That is the best that queues can do against
 * head-of-line blocking, but only a bound: the number of queues grows with the fabric.
 *
 * The queues of an in-port and VL whose heads want one out-port take turns. The rest of the machine
 * sees the head that is next in the queue of that in-port, VL and out-port (hd_queue()). If that
 * head has no room after the out-port, the next head with room takes its place.
 *
 * By the tables, packets for a LID go along a tree. So a queue never waits for itself: there is no
 * deadlock, with any layers of the tables. A LID with a forwarding loop fills only its own queues.
 *
 * All of this is in the general machine (machine_wide.c) alone.
 */
#ifndef HD_SWITCHES_VOQNET_H
#define HD_SWITCHES_VOQNET_H

#include "sim/switches/bubble.h"
#include "sim/switches/crossbar.h"

struct hd_voqnet {
	unsigned n;           /* destinations */
	unsigned words;       /* of a mask of them */
	uint16_t *of_lid;     /* [LID] destination */
	uint32_t *credits;    /* [(out-port * n_vls + VL) * n + destination] units of room behind */
	uint64_t *open;       /* [(out-port * n_vls + VL) * words] which destinations have any */
	struct queue *queues; /* [(in-port * n_vls + VL) * n + destination] */
	uint64_t *waiting;    /* [queue of hd_queue() * words] whose heads want its out-port */
	uint16_t *leaving;    /* [out-port] the destination of what it took last */
	uint32_t *host_of;    /* [host port - the first of these] the host */
};

/* Takes the hosts and links of the network. HD_EINVAL, HD_ENOMEM. */
int hd_voqnet_new(struct hd_model *model, struct hd_error *err);
void hd_voqnet_free(struct hd_voqnet *voqnet);

static inline unsigned hd_voqnet_destination(const struct hd_model *model,
					     const struct packet *packet)
{
	return model->voqnet->of_lid[packet->dlid];
}

/* The data of a credit's event: the units, and the destination of their queue. */
static inline uint32_t hd_voqnet_pack(uint32_t units, unsigned destination)
{
	return units | (uint32_t)destination << 16;
}

static inline uint32_t hd_voqnet_units(uint32_t packed)
{
	return packed & 0xFFFF;
}

static inline unsigned hd_voqnet_packed_for(uint32_t packed)
{
	return packed >> 16;
}

static inline size_t hd_voqnet_at(const struct hd_model *model, uint32_t port, unsigned vl)
{
	return port * (size_t)hd_n_vls(model) + vl;
}

/* Units of room that @out has for @destination on @vl. */
static inline uint32_t *hd_voqnet_credits(const struct hd_model *model, uint32_t out, unsigned vl,
					  unsigned destination)
{
	return &model->voqnet
			->credits[hd_voqnet_at(model, out, vl) * model->voqnet->n + destination];
}

static inline struct queue *hd_voqnet_queue(const struct hd_model *model, uint32_t in, unsigned vl,
					    unsigned destination)
{
	return &model->voqnet->queues[hd_voqnet_at(model, in, vl) * model->voqnet->n + destination];
}

/* @size units more, or less, of the room behind @out for @destination are in use. */
static inline void hd_voqnet_use(struct hd_model *model, uint32_t out, unsigned vl,
				 unsigned destination, int64_t size)
{
	struct hd_voqnet *voqnet = model->voqnet;
	uint32_t *credits = hd_voqnet_credits(model, out, vl, destination);
	uint64_t *open =
		&voqnet->open[hd_voqnet_at(model, out, vl) * voqnet->words + destination / 64];

	*credits = (uint32_t)(*credits - size);
	if (*credits)
		*open |= bit_of(destination);
	else
		*open &= ~bit_of(destination);
}

/* Bytes of all of it; 0: not used. */
size_t hd_voqnet_memory(const struct hd_model *model);

/* Packet @index, whose out-port is known, joins a queue of in-port @port. */
void hd_voqnet_enqueue(struct hd_model *model, uint32_t port, uint32_t index);

/*
 * Puts a head that could leave by @out now, on one of the out-VLs in @vls, into @queue, which is
 * that of @in, @vl and @out. False: there is none; the switch looks at @out again when credits
 * come.
 */
bool hd_voqnet_offer(struct hd_model *model, uint32_t in, unsigned vl, uint32_t out, unsigned vls,
		     struct queue *queue);

/* Removes the head of that @queue, which @out took; then the next in turn is its head. */
uint32_t hd_voqnet_pop(struct hd_model *model, uint32_t in, unsigned vl, uint32_t out,
		       struct queue *queue);

/* Whether host port @out can send a packet of @size to @lid on @vl; if not, it is alerted. */
bool hd_voqnet_host_may_send(struct hd_model *model, uint32_t out, unsigned vl, uint16_t lid,
			     uint32_t size);

/* Packets that wait in the buffer of in-port @in and @vl. */
uint32_t hd_voqnet_count(const struct hd_model *model, uint32_t in, unsigned vl);

/*
 * An inconsistency between queues, credits and masks of @out, a switch's or a host's; NULL: none.
 */
const char *hd_voqnet_verify(const struct hd_model *model, uint32_t out);

#endif
