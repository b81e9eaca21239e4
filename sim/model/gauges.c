// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/gauges.h"

#include <stdlib.h>

#include "sim/switches/voqnet.h"
#include "support/error.h"

struct gauge {
	uint64_t began, since; /* when counting began; since when `level` is what it is */
	uint64_t area, full, empty;
	uint32_t level, most, capacity;
	bool is_full; /* no room for a packet */
};

struct hd_gauges {
	struct hd_model_observer observer;
	const struct hd_model *model;
	unsigned n_vls;
	uint32_t n_ports; /* of the fabric */
	uint32_t packet;  /* units of a packet */
	struct gauge
		*of; /* [port * (n_vls + 1) + VL] buffers behind the link of a port; the last one
		        is before it */
};

static struct gauge *gauge_at(const struct hd_gauges *gauges, uint32_t port, unsigned vl)
{
	return &gauges->of[port * (size_t)(gauges->n_vls + 1) + vl];
}

static void advance(const struct hd_gauges *gauges, uint64_t now, struct gauge *gauge)
{
	uint64_t ticks = now - gauge->since;

	gauge->since = now;
	gauge->area += ticks * gauge->level;
	if (!gauge->level)
		gauge->empty += ticks;
	else if (gauge->is_full)
		gauge->full += ticks;
}

static void change(const struct hd_gauges *gauges, uint64_t now, struct gauge *gauge, int64_t units)
{
	advance(gauges, now, gauge);
	gauge->level = (uint32_t)(gauge->level + units);
	gauge->is_full = gauge->level + gauges->packet > gauge->capacity;
	if (gauge->level > gauge->most)
		gauge->most = gauge->level;
}

/* VLs that share the buffer behind @port: what one has, another may lack. */
static void look_at_shared(const struct hd_gauges *gauges, uint64_t now, uint32_t port)
{
	const struct hd_model *model = gauges->model;
	uint32_t out = model->network.port_of[port];
	unsigned class = hd_sender(model, out)->link_class, vcs = model->options.links[class].vcs;
	uint32_t reserved = model->sharing.reserved[class];
	int64_t left = model->sharing.total[class];

	for (unsigned vl = 0; vl < (vcs ? vcs : gauges->n_vls); vl++) {
		uint32_t level = gauge_at(gauges, port, vl)->level;

		left -= level > reserved ? level : reserved;
	}
	for (unsigned vl = 0; vl < gauges->n_vls; vl++) {
		struct gauge *gauge = gauge_at(gauges, port, vl);
		int64_t own = gauge->level < reserved ? reserved - gauge->level : 0;

		advance(gauges, now, gauge);
		gauge->is_full = own + left < gauges->packet ||
				 gauge->level + gauges->packet > gauge->capacity;
	}
}

static void buffer(void *context, uint64_t now, uint32_t port, unsigned vl, int64_t units)
{
	const struct hd_gauges *gauges = context;

	change(gauges, now, gauge_at(gauges, port, vl), units);
	if (gauges->model->sharing.left)
		look_at_shared(gauges, now, port);
}

static void output(void *context, uint64_t now, uint32_t port, int64_t units)
{
	const struct hd_gauges *gauges = context;

	change(gauges, now, gauge_at(gauges, port, gauges->n_vls), units);
}

static void set_capacities(struct hd_gauges *gauges, const struct hd_model *model, uint32_t port)
{
	uint32_t out = model->network.port_of[port];
	const struct hd_link_options *link;

	if (out == HD_NONE)
		return;
	link = &model->options.links[hd_sender(model, out)->link_class];
	for (unsigned vl = 0; vl < gauges->n_vls; vl++)
		gauge_at(gauges, port, vl)->capacity =
			model->sharing.left ? model->sharing.most[hd_sender(model, out)->link_class]
					    : link->buffer * (model->voqnet ? model->voqnet->n : 1);
	if (hd_switch_hooks(model) && hd_is_switch_port(model, out))
		gauge_at(gauges, port, gauges->n_vls)->capacity =
			link->output * (hd_has_link_queues(model) ? gauges->n_vls : 1);
}

int hd_gauges_new(struct hd_model *model, struct hd_error *err)
{
	struct hd_gauges *gauges = calloc(1, sizeof(*gauges));

	if (!gauges)
		return hd_error_nomem(err);
	model->gauges = gauges;
	gauges->model = model;
	gauges->n_vls = model->n_vls;
	gauges->n_ports = model->network.fabric->n_ports;
	gauges->packet = model->options.gauge;
	gauges->of = calloc(gauges->n_ports * (size_t)(gauges->n_vls + 1) + 1, sizeof(*gauges->of));
	if (!gauges->of)
		return hd_error_nomem(err);
	for (uint32_t port = 0; port < gauges->n_ports; port++)
		set_capacities(gauges, model, port);
	gauges->observer = (struct hd_model_observer){
		.buffer = buffer,
		.output = output,
		.context = gauges,
	};
	hd_model_observe(model, &gauges->observer);
	return 0;
}

void hd_gauges_free(struct hd_gauges *gauges)
{
	if (!gauges)
		return;
	free(gauges->of);
	free(gauges);
}

void hd_model_restart_gauges(struct hd_model *model)
{
	const struct hd_gauges *gauges = model->gauges;
	size_t n = gauges ? gauges->n_ports * (size_t)(gauges->n_vls + 1) : 0;

	for (size_t i = 0; i < n; i++) {
		struct gauge *gauge = &gauges->of[i];

		gauge->began = gauge->since = model->events.now;
		gauge->area = gauge->full = gauge->empty = 0;
		gauge->most = gauge->level;
	}
}

static struct hd_gauge look(const struct hd_model *model, const struct gauge *gauge)
{
	struct gauge now = *gauge;

	advance(model->gauges, model->events.now, &now);
	return (struct hd_gauge){ .ticks = now.since - now.began,
				  .area = now.area,
				  .full = now.full,
				  .empty = now.empty,
				  .most = now.most,
				  .capacity = now.capacity };
}

struct hd_gauge hd_model_gauge(const struct hd_model *model, uint32_t port, unsigned vl)
{
	if (!model->gauges || model->network.port_of[port] == HD_NONE || vl >= model->n_vls)
		return (struct hd_gauge){ 0 };
	return look(model, gauge_at(model->gauges, port, vl));
}

struct hd_gauge hd_model_output_gauge(const struct hd_model *model, uint32_t port)
{
	if (!model->gauges || model->network.port_of[port] == HD_NONE)
		return (struct hd_gauge){ 0 };
	return look(model, gauge_at(model->gauges, port, model->n_vls));
}
