// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/outbox.h"

#include <stdlib.h>

#include "simfabric/emulator/emulator.h"

void hd_outbox_put(struct hd_emulator *emulator, uint32_t port, const struct hd_packet *packet)
{
	struct hd_outbox *outbox = &emulator->outbox;

	if (outbox->n == outbox->size) {
		size_t size = outbox->size ? 2 * outbox->size : 8;
		struct hd_outbox_entry *grown = realloc(outbox->entries, size * sizeof(*grown));

		if (!grown)
			return;
		outbox->entries = grown;
		outbox->size = size;
	}
	outbox->entries[outbox->n++] = (struct hd_outbox_entry){ port, *packet };
	if (!outbox->held)
		outbox->flush(emulator);
}

bool hd_outbox_take(struct hd_outbox *outbox, struct hd_outbox_entry *entry)
{
	if (outbox->first == outbox->n) {
		outbox->first = outbox->n = 0;
		return false;
	}
	*entry = outbox->entries[outbox->first++];
	return true;
}

void hd_outbox_free(struct hd_outbox *outbox)
{
	free(outbox->entries);
	*outbox = (struct hd_outbox){ 0 };
}
