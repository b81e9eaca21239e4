// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/model/table_changes.h"

#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/routing.h"
#include "sim/hosts/host.h"
#include "sim/switches/arrival_choice.h"
#include "support/error.h"

/*
 * Without circles a packet comes to each switch once. Small fabrics have a higher bound, since a
 * packet may well come to a switch again by other tables.
 */
#define LEAST_BOUND 64
#define MOST_BOUND  254 /* packets count up to 255 */

int hd_live_new(struct hd_model *model, struct hd_error *err)
{
	const struct injection *injection = &model->injection;
	struct hd_live *live = model->live = calloc(1, sizeof(*live));
	uint16_t *lids;
	size_t n = 0;
	int ret;

	if (!live)
		return hd_error_nomem(err);
	live->sls = hd_tables_sls_used(model->network.tables);
	live->most_hops = model->network.n_switches + 1;
	if (live->most_hops < LEAST_BOUND)
		live->most_hops = LEAST_BOUND;
	if (live->most_hops > MOST_BOUND)
		live->most_hops = MOST_BOUND;
	live->dead = calloc(model->network.n_ports + (size_t)1, sizeof(*live->dead));
	lids = malloc((injection->n_hosts << HD_MAX_LMC) * sizeof(*lids) + 1);
	if (!live->dead || !lids) {
		free(lids);
		return hd_error_nomem(err);
	}
	for (uint32_t host = 0; host < injection->n_hosts; host++)
		for (unsigned i = 0; i < 1u << injection->destinations[host].lmc; i++)
			lids[n++] = (uint16_t)(injection->destinations[host].lid + i);
	ret = hd_forwarding_spread(&model->network.forwarding, model->network.tables,
				   model->network.n_locals, lids, n, err);
	free(lids);
	return ret;
}

void hd_live_free(struct hd_live *live)
{
	if (!live)
		return;
	free(live->dead);
	free(live->places);
	free(live);
}

void hd_model_set_entry(struct hd_model *model, uint32_t at, uint16_t lid, unsigned out)
{
	const struct hd_node *node = &model->network.fabric->nodes[at];
	uint32_t port = HD_NONE;

	if (out && out <= node->n_ports)
		port = model->network.port_of[node->first_port + out];
	hd_forwarding_set_hop(&model->network.forwarding, at, lid,
			      port == HD_NONE ? HD_HOP_NONE : hd_local(model, port));
}

/* Whether all of the SLs in use have VLs in @row that ports have here, or none. */
static bool fits(const struct hd_model *model, hd_sl2vl_row row)
{
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		if (model->live->sls >> sl & 1 && hd_row_vl(row, sl) != HD_VL_DROP &&
		    hd_row_vl(row, sl) >= model->n_vls)
			return false;
	return true;
}

bool hd_model_set_row(struct hd_model *model, uint32_t out, uint32_t in, hd_sl2vl_row row)
{
	const uint32_t out_port = model->network.port_of[out];
	const uint32_t in_port = in == HD_NONE ? HD_NONE : model->network.port_of[in];
	uint32_t at;

	if (out_port == HD_NONE || (in != HD_NONE && in_port == HD_NONE))
		return true;
	if (!fits(model, row))
		return false;
	if (in == HD_NONE) {
		for (uint32_t host = 0; host < model->injection.n_hosts; host++)
			if (model->injection.hosts[host].port == out_port)
				model->injection.hosts[host].row = row;
		return true;
	}
	at = hd_switch_of(model, out_port);
	hd_forwarding_set_row(&model->network.forwarding, at, model->network.n_locals[at],
			      hd_local(model, in_port), hd_local(model, out_port), row);
	return true;
}

void hd_model_set_link(struct hd_model *model, uint32_t port, bool is_active)
{
	const uint32_t p = model->network.port_of[port];

	if (p != HD_NONE)
		model->live->dead[p] = !is_active;
}

int hd_model_choose_by(struct hd_model *model, const struct hd_routed *routed, struct hd_error *err)
{
	if (!model->choice && hd_arrival_choice_new(model, &model->choice))
		return hd_error_nomem(err);
	model->choice->routed = routed;
	return 0;
}

int hd_model_renew_arbitration(struct hd_model *model, struct hd_error *err)
{
	if (!model->scheduling)
		return 0;
	model->options.scheduler->free(model);
	model->scheduling = NULL;
	return model->options.scheduler->make(model, err);
}

void hd_model_ask(struct hd_model *model, uint32_t host)
{
	hd_model_schedule(model, host);
}

struct hd_model_loss hd_model_last_loss(const struct hd_model *model)
{
	return model->live->loss;
}

struct hd_model_circling hd_model_circling(const struct hd_model *model)
{
	return model->live->circling;
}
