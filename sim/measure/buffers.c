// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/measure/buffers.h"

static void add(struct hd_fullness *sum, const struct hd_fullness *f)
{
	sum->ticks += f->ticks;
	sum->area += f->area;
	sum->share += f->share;
	sum->full += f->full;
	sum->empty += f->empty;
	if (f->most > sum->most)
		sum->most = f->most;
	if (f->most_share > sum->most_share)
		sum->most_share = f->most_share;
}

static void add_gauge(struct hd_fullness *sum, struct hd_gauge gauge)
{
	const struct hd_fullness one = {
		.ticks = (double)gauge.ticks,
		.area = (double)gauge.area,
		.share = gauge.capacity ? (double)gauge.area / gauge.capacity : 0,
		.full = (double)gauge.full,
		.empty = (double)gauge.empty,
		.most = gauge.most,
		.most_share = gauge.capacity ? (double)gauge.most / gauge.capacity : 0,
	};

	if (!gauge.capacity)
		return;
	sum->n++;
	add(sum, &one);
}

void hd_buffers_read(const struct hd_model *model, const struct hd_fabric *fabric,
		     const uint8_t *port_class, struct hd_buffers *buffers)
{
	*buffers = (struct hd_buffers){ 0 };
	hd_for_each_port(port, fabric) {
		enum hd_link_kind kind;

		if (fabric->ports[port].peer == HD_NONE)
			continue;
		kind = hd_link_kind_of(fabric, port_class, port);
		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
			add_gauge(&buffers->inputs[kind], hd_model_gauge(model, port, vl));
		add_gauge(&buffers->outputs[kind], hd_model_output_gauge(model, port));
	}
	for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
		if (kind == HD_KIND_EJECTION)
			continue;
		add(&buffers->switches, &buffers->inputs[kind]);
		buffers->switches.n += buffers->inputs[kind].n;
	}
}

void hd_buffers_append(struct hd_buffers *buffers, const struct hd_buffers *more)
{
	for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
		add(&buffers->inputs[kind], &more->inputs[kind]);
		add(&buffers->outputs[kind], &more->outputs[kind]);
		buffers->inputs[kind].n = more->inputs[kind].n;
		buffers->outputs[kind].n = more->outputs[kind].n;
	}
	add(&buffers->switches, &more->switches);
	buffers->switches.n = more->switches.n;
}
