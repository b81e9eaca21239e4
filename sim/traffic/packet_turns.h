/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Messages that hosts send. A host has one packet of them at a time, and gets the next one when
 * that begins to leave: of the same message until all of it is sent, or of its messages in turn.
 */
#ifndef HD_TRAFFIC_PACKET_TURNS_H
#define HD_TRAFFIC_PACKET_TURNS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_outbox_host {
	uint32_t first, last; /* messages; HD_NONE: none */
	bool waits;           /* a packet waits at the host */
};

/* A link of a message in the list of its host. */
struct hd_outbox_link {
	uint64_t left; /* units that its host does not have yet */
	uint32_t next;
};

/* The host has nothing to send. */
static inline void hd_outbox_init(struct hd_outbox_host *host)
{
	*host = (struct hd_outbox_host){ UINT32_MAX, UINT32_MAX, false };
}

static inline void hd_outbox_append(struct hd_outbox_host *host, struct hd_outbox_link *links,
				    uint32_t message)
{
	links[message].next = UINT32_MAX;
	if (host->first == UINT32_MAX)
		host->first = message;
	else
		links[host->last].next = message;
	host->last = message;
}

/*
 * The message of the next packet, with at most @packet units, goes to @message, and its units are
 * taken off; false: there is none. @in_turn: then the next message is in turn.
 */
static inline bool hd_outbox_next(struct hd_outbox_host *host, struct hd_outbox_link *links,
				  uint32_t packet, bool in_turn, uint32_t *message, uint32_t *units)
{
	const uint32_t first = host->first;
	struct hd_outbox_link *link;

	if (first == UINT32_MAX)
		return false;
	link = &links[first];
	*message = first;
	*units = link->left < packet ? (uint32_t)link->left : packet;
	link->left -= *units;
	if (!link->left || in_turn) {
		host->first = link->next;
		if (host->first == UINT32_MAX)
			host->last = UINT32_MAX;
		if (link->left)
			hd_outbox_append(host, links, first);
	}
	return true;
}

#endif
