// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How many VLs packets between hosts can be on. Tables may have more for traffic from and to
 * switches, as those of a KNS have for its line switches, and no packet of the model is ever there.
 */
#include "simfabric/model/network.h"

#include <stdlib.h>

#include "support/error.h"
#include "tables/classes.h"

struct walk {
	const struct hd_model *model;
	unsigned sls;    /* a bit for each SL that hosts send with */
	unsigned top;    /* the highest VL until now */
	uint32_t *stamp; /* [switch] the last LID that packets passed it for, counted from 1 */
};

/* The SLs of hosts' path records to hosts. */
static int find_sls(const struct hd_model *model, unsigned *sls, struct hd_error *err)
{
	const struct hd_tables *tables = model->network.tables;
	bool *done = calloc(tables->n_sl_rows + (size_t)1, sizeof(*done));

	*sls = 0;
	if (!done)
		return hd_error_nomem(err);
	for (uint32_t from = 0; from < model->injection.n_hosts; from++) {
		const uint8_t *row = model->injection.hosts[from].path_sls;
		const size_t i = (size_t)(row - tables->sl_rows) / tables->lft_stride;

		for (uint32_t to = 0; to < model->injection.n_hosts && !done[i]; to++) {
			const struct destination *there = &model->injection.destinations[to];

			for (unsigned k = 0; k < 1u << there->lmc; k++)
				if (row[there->lid + k] < HD_MAX_SLS)
					*sls |= 1u << row[there->lid + k];
		}
		done[i] = true;
	}
	free(done);
	*sls = hd_classes_sls(tables->classes, *sls);
	return 0;
}

static void add_row(struct walk *walk, hd_sl2vl_row row)
{
	unsigned vl = hd_model_top_vl(row, walk->sls);

	if (vl > walk->top)
		walk->top = vl;
}

/* Follows packets to @lid that come in by port @in, of a switch, until others were there. */
static void follow(struct walk *walk, uint32_t in, uint16_t lid, uint32_t stamp)
{
	const struct hd_model *model = walk->model;
	const struct hd_fabric *fabric = model->network.fabric;

	for (;;) {
		const uint32_t at = hd_switch_of(model, in);
		const unsigned hop = hd_forwarding_hop(&model->network.forwarding, at, lid);
		uint32_t out, port;

		if (hop >= model->network.n_locals[at])
			return;
		add_row(walk,
			hd_forwarding_row(&model->network.forwarding, at,
					  model->network.n_locals[at], hd_local(model, in), hop));
		if (walk->stamp[at] == stamp)
			return;
		walk->stamp[at] = stamp;
		out = hd_first_port(model, at) + hop;
		port = fabric->ports[model->network.fabric_port[out]].peer;
		in = model->network.port_of[port];
		if (in == HD_NONE || !hd_is_switch_port(model, in))
			return;
	}
}

int hd_model_host_vls(const struct hd_model *model, unsigned *n, struct hd_error *err)
{
	const struct injection *injection = &model->injection;
	const struct network *network = &model->network;
	struct walk walk = { .model = model };
	uint32_t stamp = 0;
	int ret = find_sls(model, &walk.sls, err);

	if (ret)
		return ret;
	walk.stamp = calloc(network->n_switches + (size_t)1, sizeof(*walk.stamp));
	if (!walk.stamp)
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < injection->n_hosts; host++)
		add_row(&walk, injection->hosts[host].row);
	for (uint32_t to = 0; to < injection->n_hosts; to++) {
		const struct destination *there = &injection->destinations[to];

		for (unsigned k = 0; k < 1u << there->lmc && walk.top + 1 < model->n_vls; k++) {
			stamp++;
			for (uint32_t from = 0; from < injection->n_hosts; from++) {
				uint32_t port = network->fabric_port[injection->hosts[from].port];
				uint32_t in = network->port_of[network->fabric->ports[port].peer];

				if (hd_is_switch_port(model, in))
					follow(&walk, in, (uint16_t)(there->lid + k), stamp);
			}
		}
	}
	free(walk.stamp);
	*n = walk.top + 1;
	return 0;
}
