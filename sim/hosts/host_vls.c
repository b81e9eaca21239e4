// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * How many VLs packets between hosts can be on. Tables may have more for traffic from and to
 * switches, as those of a KNS have for its line switches, and no packet of the model is ever there.
 */
#include "sim/model/model_network.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/classes.h"

/* LIDs that are followed together: what switches have of them lies side by side. */
#define TOGETHER 64

struct walk {
	const struct hd_model *model;
	unsigned top;  /* the highest VL until now */
	uint8_t *tops; /* [row of the forwarding] the highest VL of the SLs that hosts send with */
	uint64_t *met; /* [switch] a bit for each LID whose packets have passed it */
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

/* Follows packets to @lid that come in by port @in, of a switch, until others were there. */
static void follow(struct walk *walk, uint32_t in, uint16_t lid, uint64_t bit)
{
	const struct hd_model *model = walk->model;
	const struct hd_forwarding *forwarding = &model->network.forwarding;
	const struct hd_fabric *fabric = model->network.fabric;

	for (;;) {
		const uint32_t at = hd_switch_of(model, in);
		const unsigned n = model->network.n_locals[at];
		const unsigned hop = hd_forwarding_hop(forwarding, at, lid);
		uint32_t port;
		unsigned top;

		if (hop >= n)
			return;
		top = walk->tops[hd_forwarding_row_index(forwarding, at, n, hd_local(model, in),
							 hop)];
		if (top > walk->top)
			walk->top = top;
		if (walk->met[at] & bit)
			return;
		walk->met[at] |= bit;
		port = fabric->ports[model->network.fabric_port[hd_first_port(model, at) + hop]]
			       .peer;
		in = model->network.port_of[port];
		if (in == HD_NONE || !hd_is_switch_port(model, in))
			return;
	}
}

/* Follows packets of all hosts to @n of the LIDs in @lids, TOGETHER at most. */
static void follow_all(struct walk *walk, const uint16_t *lids, size_t n)
{
	const struct hd_model *model = walk->model;
	const struct network *network = &model->network;

	memset(walk->met, 0, network->n_switches * sizeof(*walk->met));
	for (uint32_t from = 0; from < model->injection.n_hosts; from++) {
		const uint32_t port = network->fabric_port[model->injection.hosts[from].port];
		const uint32_t in = network->port_of[network->fabric->ports[port].peer];

		for (size_t i = 0; i < n && hd_is_switch_port(model, in); i++)
			follow(walk, in, lids[i], (uint64_t)1 << i);
	}
}

/* The highest VL of each row, and of hosts' ports. */
static int find_tops(struct walk *walk, struct hd_error *err)
{
	const struct hd_model *model = walk->model;
	const struct hd_forwarding *forwarding = &model->network.forwarding;
	unsigned sls;
	int ret = find_sls(model, &sls, err);

	if (ret)
		return ret;
	walk->tops = malloc(forwarding->n_rows + 1);
	if (!walk->tops)
		return hd_error_nomem(err);
	for (size_t i = 0; i < forwarding->n_rows; i++)
		walk->tops[i] = (uint8_t)hd_row_top_vl(forwarding->rows[i], sls);
	for (uint32_t host = 0; host < model->injection.n_hosts; host++) {
		const unsigned top = hd_row_top_vl(model->injection.hosts[host].row, sls);

		if (top > walk->top)
			walk->top = top;
	}
	return 0;
}

int hd_model_host_vls(const struct hd_model *model, unsigned *n, struct hd_error *err)
{
	const struct injection *injection = &model->injection;
	struct walk walk = { .model = model };
	uint16_t lids[TOGETHER];
	size_t n_lids = 0;
	int ret = find_tops(&walk, err);

	walk.met = calloc(model->network.n_switches + (size_t)1, sizeof(*walk.met));
	if (!ret && !walk.met)
		ret = hd_error_nomem(err);
	for (uint32_t to = 0; to < injection->n_hosts && !ret && walk.top + 1 < *n; to++) {
		const struct destination *there = &injection->destinations[to];

		for (unsigned k = 0; k < 1u << there->lmc; k++) {
			lids[n_lids++] = (uint16_t)(there->lid + k);
			if (n_lids == TOGETHER) {
				follow_all(&walk, lids, n_lids);
				n_lids = 0;
			}
		}
	}
	if (!ret) {
		follow_all(&walk, lids, n_lids);
		*n = walk.top + 1;
	}
	free(walk.tops);
	free(walk.met);
	return ret;
}
