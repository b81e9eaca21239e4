/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * MADs that nodes send on their own: traps. They arise while a MAD travels (a Set that takes a link
 * down, a wrong M_Key), and go out when that MAD has arrived, before hd_emulator_send() returns; or
 * at once if no MAD travels. So agents know nothing of the transport.
 */
#ifndef HD_EMULATOR_OUTBOX_H
#define HD_EMULATOR_OUTBOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mad/mad.h"

struct hd_emulator;

struct hd_outbox_entry {
	uint32_t port;
	struct hd_packet packet;
};

struct hd_outbox {
	struct hd_outbox_entry *entries;
	size_t first, n, size;
	bool held; /* a MAD travels: new packets stay here */

	void (*flush)(struct hd_emulator *emulator); /* the transport's function, which takes all
						        packets out */
};

/* Sends @packet from @port. When out of memory it is lost, as on a link; traps are repeated. */
void hd_outbox_put(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet);

/* Takes the first packet, in the order of hd_outbox_put(). False: there is none. */
bool hd_outbox_take(struct hd_outbox *outbox, struct hd_outbox_entry *entry);

void hd_outbox_free(struct hd_outbox *outbox);

#endif
