// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/look_ahead.h"

#include "sim/switches/adaptive.h"
#include "support/error.h"

#include <stdlib.h>

/*
 * A model of more bytes than the first looks ahead for arrivals and hosts' messages. These touch
 * the most lines that nothing touched lately: at 1,056 hosts this saves a fifth to a third of the
 * time where other programs use the caches too, and costs at most a twelfth where they do not. A
 * model of more bytes than the second, about a core's part of the caches, looks ahead for all
 * events: that is a quarter of all instructions.
 */
#define MIDDLE (512 << 10)
#define LARGE  (4 << 20)

/* The data that events look up and change. */
static size_t bytes_of(const struct hd_model *model)
{
	size_t bytes =
		model->buffers.n_queues * sizeof(*model->buffers.queues) +
		model->network.n_ports * model->layout.port.words * sizeof(*model->layout.ports) +
		model->network.n_switches * model->network.forwarding.n_classes;

	if (model->adaptive)
		bytes += model->network.n_switches * model->adaptive->switch_words *
			 sizeof(*model->adaptive->switches);
	return bytes;
}

int hd_model_look_ahead_new(struct hd_model *model)
{
	const enum hd_look_ahead way = model->options.look_ahead;
	size_t bytes = bytes_of(model);

	model->fetches_all =
		way == HD_LOOK_AHEAD_LARGE ? bytes > LARGE : way == HD_LOOK_AHEAD_ALWAYS;
	if (hd_has_link_queues(model)) /* who fetches what is marked knows no links */
		model->fetches_all = false;
	if (way == HD_LOOK_AHEAD_NEVER || (way == HD_LOOK_AHEAD_LARGE && bytes <= MIDDLE))
		return 0;
	model->notes = calloc(HD_DELAY_LINES * HD_AHEAD_NOTES, sizeof(*model->notes));
	return model->notes ? 0 : HD_ENOMEM;
}
