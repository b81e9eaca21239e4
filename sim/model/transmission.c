// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/transmission.h"

uint64_t hd_ticks_to_send(const struct hd_model *model, unsigned rate, uint32_t size)
{
	return (uint64_t)size * model->rates[rate].unit_ticks + model->rates[rate].header_ticks;
}

uint64_t hd_ticks_to_idle(const struct hd_model *model, unsigned rate, uint32_t size)
{
	return hd_ticks_to_send(model, rate, size) + model->options.gap;
}

uint64_t hd_ticks_to_arrive(const struct hd_model *model, unsigned rate, uint32_t size)
{
	return hd_ticks_to_send(model, rate, size) +
	       model->options.links[model->rates[rate].link_class].propagation;
}

/* @ticks in cycles; 0: these are no whole cycles, or very many. */
static uint32_t whole_cycles(const struct hd_model *model, uint64_t ticks)
{
	uint64_t cycle = model->options.cycle;

	return cycle && ticks % cycle == 0 && ticks / cycle <= UINT32_MAX
		       ? (uint32_t)(ticks / cycle)
		       : 0;
}

void hd_wire_make_line(struct hd_model *model, enum hd_model_event kind, unsigned rate,
		       uint32_t size, hd_sized_ticks ticks, struct sized_line *line)
{
	line->size = size;
	line->ticks = ticks(model, rate, size);
	line->cycles = whole_cycles(model, line->ticks);
	line->line = hd_events_line(&model->events, kind, line->ticks);
}

void hd_wire_post_after(struct hd_model *model, enum hd_model_event kind, uint64_t ticks,
			uint32_t a, uint32_t b)
{
	struct sized_line *line;
	uint32_t cycles = 0;

	if (hd_iterations(model) && model->in_step)
		cycles = whole_cycles(model, ticks);
	if (!cycles || cycles >= HD_CYCLE_LINES) {
		hd_events_post_any(&model->events, kind, ticks, a, b);
		return;
	}
	line = &model->sized_lines.after[cycles];
	if (!line->ticks) {
		line->ticks = ticks;
		line->line = hd_events_line(&model->events, kind, ticks);
	}
	if (line->line == HD_NO_LINE)
		hd_events_post_any(&model->events, kind, ticks, a, b);
	else
		hd_events_post(&model->events, line->line, a, b);
}
