// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/between_oracle.h"

#include <stdlib.h>
#include <string.h>

#define VLS 16

struct walk {
	const struct hd_tables *tables[2];
	const struct hd_fabric *fabric;
	const struct hd_check_options *options;
	size_t n_channels; /* channel = port * VLS + VL */
	bool *used;        /* [channel] */
	bool *depends;     /* [channel * n_channels + channel] */

	/* of the flow that is walked */
	uint32_t lid;
	unsigned sl;
	bool *been; /* [channel] packets of the flow were there */
};

static void *allocate(size_t n, size_t size)
{
	void *array = calloc(n + 1, size);

	if (!array)
		abort();
	return array;
}

static bool is_judged(const struct walk *w, uint32_t port)
{
	const struct hd_port *p = &w->fabric->ports[port];

	if (hd_is_switch(w->fabric, p->node))
		return p->number == 0 && p->lid && w->options->scope != HD_CHECK_HOSTS;
	return p->lid && p->peer != HD_NONE;
}

static bool has_failed(const struct walk *w, uint32_t lid)
{
	return w->options->failed && w->options->failed[lid];
}

static void enter(struct walk *w, uint32_t node, unsigned in, int64_t from);

/* A packet that came on channel @from, or none, may take VL @vl of @port: it goes on from there. */
static void take(struct walk *w, uint32_t port, unsigned vl, int64_t from)
{
	const uint32_t peer = w->fabric->ports[port].peer;
	const size_t channel = (size_t)port * VLS + vl;
	unsigned vls = hd_link_vls(w->fabric, port);

	if (w->options->max_vls && vls > w->options->max_vls)
		vls = w->options->max_vls;
	if (vl >= vls)
		return; /* dropped */
	w->used[channel] = true;
	if (from >= 0)
		w->depends[(size_t)from * w->n_channels + channel] = true;
	if (w->been[channel] || !hd_is_switch(w->fabric, w->fabric->ports[peer].node))
		return;
	w->been[channel] = true;
	enter(w, w->fabric->ports[peer].node, w->fabric->ports[peer].number, (int64_t)channel);
}

static void enter(struct walk *w, uint32_t node, unsigned in, int64_t from)
{
	const struct hd_lid *place = &w->fabric->lids[w->lid];

	for (unsigned entry = 0; entry < 2; entry++) {
		const unsigned out = hd_lft(w->tables[entry], node)[w->lid];
		uint32_t port;

		if (!out || out > w->fabric->nodes[node].n_ports)
			continue;
		port = hd_port_index(w->fabric, node, out);
		if (w->fabric->ports[port].peer == HD_NONE)
			continue;
		/* a switch hands nothing to another adapter */
		if (!hd_is_switch(w->fabric, w->fabric->ports[w->fabric->ports[port].peer].node) &&
		    (node != place->via_switch || out != place->via_port))
			continue;
		for (unsigned row = 0; row < 2; row++) {
			const struct hd_tables *t = w->tables[row];
			const hd_sl2vl_row lanes = t->sl2vl[hd_sl2vl_index(t, node, in, out)];

			take(w, port, hd_row_vl(lanes, w->sl), from);
		}
	}
}

static void send(struct walk *w, uint32_t source)
{
	const struct hd_port *p = &w->fabric->ports[source];

	memset(w->been, 0, w->n_channels);
	if (hd_is_switch(w->fabric, p->node)) {
		enter(w, p->node, 0, -1);
		return;
	}
	for (unsigned row = 0; row < 2; row++) {
		const struct hd_tables *t = w->tables[row];

		take(w, source,
		     hd_row_vl(t->sl2vl[hd_sl2vl_host_index(t, p->node, p->number)], w->sl), -1);
	}
}

static void send_all(struct walk *w, uint32_t source)
{
	hd_for_each_lid(lid, w->fabric) {
		const uint32_t owner = w->fabric->lids[lid].port;
		unsigned sls = 0;

		if (owner == source ||
		    (!has_failed(w, lid) && (owner == HD_NONE || !is_judged(w, owner))))
			continue;
		w->lid = lid;
		for (unsigned i = 0; i < 2; i++) {
			const unsigned sl = hd_path_sl(w->tables[i], source, lid);

			sls |= sl < HD_MAX_SLS ? 1u << sl : 0;
		}
		if (w->options->all_sls)
			sls = 0xFFFF;
		for (w->sl = 0; w->sl < HD_MAX_SLS; w->sl++)
			if (sls >> w->sl & 1)
				send(w, source);
	}
}

void run_between_oracle(const struct hd_tables *now, const struct hd_tables *before,
			const struct hd_check_options *options, struct between_oracle *oracle)
{
	struct walk w = {
		.tables = { now, before },
		.fabric = now->fabric,
		.options = options,
		.n_channels = (size_t)now->fabric->n_ports * VLS,
	};

	w.used = allocate(w.n_channels, sizeof(*w.used));
	w.been = allocate(w.n_channels, sizeof(*w.been));
	w.depends = allocate(w.n_channels * w.n_channels, sizeof(*w.depends));
	hd_for_each_port(p, w.fabric)
		if (is_judged(&w, p))
			send_all(&w, p);
	*oracle = (struct between_oracle){ 0 };
	for (size_t i = 0; i < w.n_channels; i++)
		oracle->channels += w.used[i];
	for (size_t i = 0; i < w.n_channels * w.n_channels; i++)
		oracle->dependencies += w.depends[i];
	free(w.used);
	free(w.been);
	free(w.depends);
}
