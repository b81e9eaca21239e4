// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Gauges: how full buffers are over time. */
#include "simfabric/model/gauges.h"

#include <stdlib.h>

#include "support/error.h"

struct gauge {
	uint64_t began, since; /* of counting; of `level` */
	uint64_t area, full, empty;
	uint32_t level, most, capacity;
};

int hd_gauges_new(struct hd_model *model, struct hd_error *err)
{
	size_t lanes = (size_t)model->network.n_ports * model->n_vls;

	/* the in-buffers, then the output buffers */
	model->gauges = calloc(lanes + model->network.n_ports + 1, sizeof(*model->gauges));
	if (!model->gauges)
		return hd_error_nomem(err);
	for (uint32_t port = 0; port < model->network.n_ports; port++) {
		const struct hd_link_options *link =
			&model->options.links[hd_sender(model, port)->link_class];

		if (!hd_is_port(model, port))
			continue;
		for (unsigned vl = 0; vl < model->n_vls; vl++)
			model->gauges[port * (size_t)model->n_vls + vl].capacity = link->buffer;
		if (hd_switch_hooks(model) && hd_is_switch_port(model, port))
			model->gauges[lanes + port].capacity = link->output;
	}
	return 0;
}

static void advance(const struct hd_model *model, struct gauge *gauge)
{
	uint64_t ticks = model->events.now - gauge->since;

	gauge->since = model->events.now;
	gauge->area += ticks * gauge->level;
	if (!gauge->level)
		gauge->empty += ticks;
	else if (gauge->level + model->options.gauge > gauge->capacity)
		gauge->full += ticks;
}

static void change(const struct hd_model *model, struct gauge *gauge, int64_t units)
{
	advance(model, gauge);
	gauge->level = (uint32_t)(gauge->level + units);
	if (gauge->level > gauge->most)
		gauge->most = gauge->level;
}

void hd_gauge_buffer(struct hd_model *model, uint32_t out, unsigned vl, int64_t units)
{
	change(model, &model->gauges[out * (size_t)model->n_vls + vl], units);
}

void hd_gauge_output(struct hd_model *model, uint32_t out, int64_t units)
{
	change(model, &model->gauges[model->network.n_ports * (size_t)model->n_vls + out], units);
}

void hd_model_restart_gauges(struct hd_model *model)
{
	size_t n = model->network.n_ports * (size_t)(model->n_vls + 1);

	for (size_t i = 0; model->gauges && i < n; i++) {
		struct gauge *gauge = &model->gauges[i];

		gauge->began = gauge->since = model->events.now;
		gauge->area = gauge->full = gauge->empty = 0;
		gauge->most = gauge->level;
	}
}

static struct hd_gauge look(const struct hd_model *model, const struct gauge *gauge)
{
	struct gauge now = *gauge;

	advance(model, &now);
	return (struct hd_gauge){ .ticks = now.since - now.began,
				  .area = now.area,
				  .full = now.full,
				  .empty = now.empty,
				  .most = now.most,
				  .capacity = now.capacity };
}

struct hd_gauge hd_model_gauge(const struct hd_model *model, uint32_t fabric_port, unsigned vl)
{
	uint32_t port = model->network.port_of[fabric_port];

	if (!model->gauges || port == HD_NONE || vl >= model->n_vls)
		return (struct hd_gauge){ 0 };
	return look(model, &model->gauges[port * (size_t)model->n_vls + vl]);
}

struct hd_gauge hd_model_output_gauge(const struct hd_model *model, uint32_t fabric_port)
{
	uint32_t port = model->network.port_of[fabric_port];

	if (!model->gauges || port == HD_NONE)
		return (struct hd_gauge){ 0 };
	return look(model, &model->gauges[model->network.n_ports * (size_t)model->n_vls + port]);
}
