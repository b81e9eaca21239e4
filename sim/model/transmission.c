// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/transmission.h"

uint64_t hd_ticks_to_send(const struct hd_model *model, unsigned rate, uint32_t size)
{
	return (uint64_t)size * model->rates[rate].unit_ticks;
}

uint64_t hd_ticks_to_arrive(const struct hd_model *model, unsigned rate, uint32_t size)
{
	return hd_ticks_to_send(model, rate, size) +
	       model->options.links[model->rates[rate].link_class].propagation;
}

void hd_wire_make_line(struct hd_model *model, enum hd_model_event kind, unsigned rate,
		       uint32_t size, hd_sized_ticks ticks, struct sized_line *line)
{
	line->size = size;
	line->ticks = ticks(model, rate, size);
	line->line = hd_events_line(&model->events, kind, line->ticks);
}
