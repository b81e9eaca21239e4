// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/traffic/carried_counters.h"

#include <stdlib.h>

#include "check/walk.h"
#include "simfabric/traffic/carried_links.h"
#include "sim/scenario/quantity.h"
#include "support/error.h"

#define WORDS_PER_UNIT (HD_UNIT_BYTES / 4)

/* What was added to the counters of the emulated ports so far, in their units. */
struct added {
	uint64_t packets, units, wait;
};

struct hd_carried_counters {
	struct hd_emulator *emulator;
	const struct hd_carried_view *view;
	const uint8_t *port_class;
	const uint32_t *unit_ticks;
	unsigned n_vls;
	struct added *added; /* [port * (n_vls + 1) + VL]; the last one of a port is for all VLs
			        together */
	struct hd_hop *hops; /* [n_hops] */
	size_t n_hops;
};

int hd_carried_counters_new(struct hd_emulator *emulator, const struct hd_carried_view *view,
			    const uint8_t *port_class, const uint32_t *unit_ticks,
			    struct hd_carried_counters **result, struct hd_error *err)
{
	const struct hd_fabric *fabric = &view->fabric;
	struct hd_carried_counters *counters = calloc(1, sizeof(*counters));

	*result = NULL;
	if (!counters)
		return hd_error_nomem(err);
	*counters = (struct hd_carried_counters){
		.emulator = emulator,
		.view = view,
		.port_class = port_class,
		.unit_ticks = unit_ticks,
		.n_hops = fabric->n_switches + (size_t)2,
	};
	hd_for_each_port(p, fabric)
		if (hd_link_vls(fabric, p) > counters->n_vls)
			counters->n_vls = hd_link_vls(fabric, p);
	counters->added = calloc(fabric->n_ports * (counters->n_vls + (size_t)1) + 1,
				 sizeof(*counters->added));
	counters->hops = malloc(counters->n_hops * sizeof(*counters->hops));
	if (!counters->added || !counters->hops) {
		hd_carried_counters_free(counters);
		return hd_error_nomem(err);
	}
	*result = counters;
	return 0;
}

void hd_carried_counters_free(struct hd_carried_counters *counters)
{
	if (!counters)
		return;
	free(counters->added);
	free(counters->hops);
	free(counters);
}

/*
 * The difference of @now and @added, which becomes @now; waits of a link with @unit_ticks are
 * counted in words.
 */
static struct added take_new(struct added *added, const struct hd_model_counters *now,
			     uint32_t unit_ticks)
{
	struct added total = {
		.packets = now->packets,
		.units = now->units,
		.wait = now->wait / unit_ticks * WORDS_PER_UNIT +
			now->wait % unit_ticks * WORDS_PER_UNIT / unit_ticks,
	};
	struct added new = {
		.packets = total.packets - added->packets,
		.units = total.units - added->units,
		.wait = total.wait - added->wait,
	};

	*added = total;
	return new;
}

static void add_port(struct hd_carried_counters *counters, const struct hd_model *model,
		     uint32_t port)
{
	struct hd_emulator *emulator = counters->emulator;
	uint32_t peer = counters->view->fabric.ports[port].peer;
	uint32_t unit_ticks = counters->unit_ticks[hd_carried_link_class(
		&counters->view->fabric, counters->port_class, port)];
	struct added *added = &counters->added[port * (counters->n_vls + (size_t)1)];
	struct hd_model_counters now = hd_model_port_counters(model, port);
	struct added new = take_new(&added[counters->n_vls], &now, unit_ticks);

	if (!new.packets && !new.wait)
		return;
	emulator->xmit_waits[port] += new.wait;
	for (unsigned vl = 0; vl < counters->n_vls; vl++) {
		struct hd_vl_counters *from =
			&emulator->counters[port * (size_t)HD_EMULATOR_VLS + vl];
		struct hd_vl_counters *to =
			&emulator->counters[peer * (size_t)HD_EMULATOR_VLS + vl];

		now = hd_model_counters(model, port, vl);
		new = take_new(&added[vl], &now, unit_ticks);
		from->xmit_packets += new.packets;
		from->xmit_data += new.units *WORDS_PER_UNIT;
		from->xmit_wait += new.wait;
		to->rcv_packets += new.packets;
		to->rcv_data += new.units *WORDS_PER_UNIT;
	}
}

void hd_carried_counters_add(struct hd_carried_counters *counters, const struct hd_model *model)
{
	const struct hd_fabric *fabric = &counters->view->fabric;

	hd_for_each_port(p, fabric)
		if (fabric->ports[p].peer != HD_NONE)
			add_port(counters, model, p);
}

/* Counts a flow that does not arrive, at its last hop. */
static void count_at(struct hd_carried_counters *counters, const struct hd_hop *hop)
{
	const struct hd_fabric *fabric = &counters->view->fabric;
	struct hd_error_counters *errors = counters->emulator->errors;

	if (hop->out && hop->out <= fabric->nodes[hop->node].n_ports)
		hd_count16(&errors[hd_port_index(fabric, hop->node, hop->out)].xmit_discards, 1);
	else
		hd_count16(&errors[hd_port_index(fabric, hop->node, hop->in)].rcv_switch_relay, 1);
}

/*
 * The model counts what leaves a port as received at the other end of its link. So both ends count
 * what the model has counted until now; without that there might be nothing to take away.
 */
static void uncount_received(struct hd_carried_counters *counters, const struct hd_model *model,
			     const struct hd_model_loss *loss)
{
	struct hd_vl_counters *at =
		&counters->emulator->counters[loss->port * (size_t)HD_EMULATOR_VLS + loss->vl];
	const uint64_t words = (uint64_t)loss->units * WORDS_PER_UNIT;

	add_port(counters, model, counters->view->fabric.ports[loss->port].peer);
	/* a program may have set them to 0 meanwhile */
	at->rcv_packets -= at->rcv_packets > 0;
	at->rcv_data -= at->rcv_data > words ? words : at->rcv_data;
}

void hd_carried_count_loss_at(struct hd_carried_counters *counters, const struct hd_model *model,
			      const struct hd_model_loss *loss)
{
	const struct hd_fabric *fabric = &counters->view->fabric;
	const struct hd_port *port = &fabric->ports[loss->port];
	const struct hd_hop at = { .node = port->node, .in = port->number };
	const struct hd_port *from = &fabric->ports[port->peer];
	struct hd_hop hop = at;

	if (loss->kind == HD_LOSS_ON_LINK)
		uncount_received(counters, model, loss);
	if (loss->kind == HD_LOSS_AT_SWITCH)
		hop.out = hd_lft(counters->view->tables, at.node)[loss->lid];
	else
		hop = (struct hd_hop){ .node = from->node, .out = from->number };
	count_at(counters, &hop);
}

bool hd_carried_count_loss(struct hd_carried_counters *counters, uint32_t source, uint32_t to)
{
	const struct hd_carried_view *view = counters->view;
	const struct hd_port *destination = &view->fabric.ports[to];

	/* of several LIDs, the first one that packets do not arrive at */
	for (unsigned i = 0; i < 1u << destination->lmc; i++) {
		struct hd_flow flow = { .source = source, .lid = (uint16_t)(destination->lid + i) };
		unsigned sl = hd_path_sl(view->tables, source, flow.lid);
		enum hd_check_failure failure;
		size_t n;

		if (sl == HD_NO_SL)
			continue;
		flow.sl = (uint8_t)sl;
		failure = hd_walk(view->tables, &flow, counters->hops, counters->n_hops, &n);
		if (failure != HD_CHECK_NO_PATH && failure != HD_CHECK_DROPPED)
			continue;
		count_at(counters, &counters->hops[n - 1]);
		return true;
	}
	return false;
}
