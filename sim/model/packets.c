// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/packets.h"

#include <stdlib.h>
#include <string.h>

#include "sim/switches/adaptive.h"
#include "sim/hosts/host_policy.h"
#include "sim/model/table_changes.h"
#include "support/memory.h"

/* The places of packets in tables that change, as many as there are packets. */
static bool grow_places(struct hd_model *model)
{
	void *grown = realloc(model->live->places,
			      model->buffers.size_packets * sizeof(*model->live->places));

	if (grown)
		model->live->places = grown;
	return grown;
}

uint32_t hd_model_grow_packets(struct hd_model *model)
{
	struct buffers *buffers = &model->buffers;

	if (buffers->n_packets == buffers->size_packets) {
		uint32_t size = buffers->size_packets ? 2 * buffers->size_packets : 4096;
		struct packet *packets = hd_alloc_large(size * sizeof(*packets));

		if (!packets) {
			model->events.out_of_memory = true;
			return HD_NONE;
		}
		if (buffers->n_packets)
			memcpy(packets, buffers->packets, buffers->n_packets * sizeof(*packets));
		free(buffers->packets);
		buffers->packets = packets;
		buffers->size_packets = size;
		if ((model->adaptive && !hd_adaptive_grow(model)) ||
		    (model->live && !grow_places(model))) {
			model->events.out_of_memory = true;
			return HD_NONE;
		}
	}
	return buffers->n_packets++;
}

void hd_model_drop(struct hd_model *model, uint32_t index)
{
	struct hd_message message = model->buffers.packets[index].message;

	model->census.dropped++;
	if (hd_watches_hosts(model))
		hd_host_ended(model, &model->buffers.packets[index]);
	hd_model_release(model, index);
	if (model->user.dropped)
		model->user.dropped(model->user.context, model->events.now, &message);
}
