// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/targets.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Appends the LIDs at @offset of end nodes (or of switches) in canonical order. */
static void add_pass(const struct hd_fabric *fabric, bool switches, unsigned offset,
		     struct hd_route_targets *destinations)
{
	uint32_t begin = switches ? 0 : fabric->n_switches;
	uint32_t end = switches ? fabric->n_switches : fabric->n_nodes;

	destinations->first[destinations->n_passes] = destinations->n;
	for (uint32_t n = begin; n < end; n++) {
		unsigned last = switches ? 0 : fabric->nodes[n].n_ports;

		for (unsigned number = switches ? 0 : 1; number <= last; number++) {
			const struct hd_port *port =
				&fabric->ports[hd_port_index(fabric, n, number)];
			const struct hd_lid *place;

			if (!port->lid || offset >> port->lmc)
				continue;
			place = &fabric->lids[port->lid + offset];
			if (place->via_switch == HD_NONE)
				continue;
			destinations->list[destinations->n++] = (struct hd_route_target){
				.via_switch = place->via_switch,
				.lid = (uint16_t)(port->lid + offset),
				.via_port = place->via_port,
				.pass = (uint8_t)destinations->n_passes,
			};
		}
	}
	destinations->n_passes++;
	destinations->first[destinations->n_passes] = destinations->n;
}

int hd_route_targets_list(const struct hd_fabric *fabric, struct hd_route_targets *destinations,
			  struct hd_error *err)
{
	const unsigned most = 1u << HD_MAX_LMC;

	*destinations = (struct hd_route_targets){ 0 };
	destinations->list = malloc((fabric->top_lid + (size_t)1) * sizeof(*destinations->list));
	destinations->first = malloc((2 * most + 1) * sizeof(*destinations->first));
	if (!destinations->list || !destinations->first) {
		hd_route_targets_free(destinations);
		return hd_error_nomem(err);
	}
	for (int switches = 0; switches < 2; switches++)
		for (unsigned offset = 0; offset < most; offset++) {
			size_t before = destinations->n;

			add_pass(fabric, switches, offset, destinations);
			if (destinations->n == before) { /* no port has this many LIDs */
				destinations->n_passes--;
				break;
			}
		}
	destinations->first[destinations->n_passes] = destinations->n;
	return 0;
}

int hd_route_targets_pair(const struct hd_route_targets *targets, uint32_t n_switches,
			  uint32_t *like, struct hd_error *err)
{
	uint32_t *last = malloc((n_switches + (size_t)1) * sizeof(*last));

	if (!last)
		return hd_error_nomem(err);
	memset(last, 0xFF, n_switches * sizeof(*last));
	for (uint32_t t = 0; t < targets->n; t++) {
		const uint32_t s = targets->list[t].via_switch;

		like[t] = last[s] == HD_NONE ? t : last[s];
		last[s] = t;
	}
	free(last);
	return 0;
}

void hd_route_targets_compare(const struct hd_route_targets *targets, const uint8_t *row,
			      uint32_t except, uint32_t *like)
{
	const struct hd_route_target *list = targets->list;

	for (uint32_t t = 0; t < targets->n; t++)
		if (row[list[t].lid] != row[list[like[t]].lid] && list[t].via_switch != except)
			like[t] = t;
}

void hd_route_targets_join(const struct hd_route_targets *targets, uint32_t *like)
{
	for (uint32_t t = 0; t < targets->n; t++)
		like[t] = like[like[t]];
}

void hd_route_targets_free(struct hd_route_targets *destinations)
{
	free(destinations->list);
	free(destinations->first);
	*destinations = (struct hd_route_targets){ 0 };
}

int hd_route_targets_want_lmc(const struct hd_fabric *fabric, unsigned lmc, struct hd_error *err)
{
	static const char *const lids[] = { "one LID", "two LIDs", "four LIDs", "eight LIDs" };

	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const uint32_t p = fabric->endports[i];
		const struct hd_port *port = &fabric->ports[p];
		char label[320];

		if (port->lid && port->peer != HD_NONE && port->lmc != lmc)
			return hd_error_set(
				err, HD_EREFUSED, "end nodes need %s, LMC %u, and %s has LMC %u",
				lids[lmc], lmc, hd_port_label(fabric, p, label, sizeof(label)),
				port->lmc);
	}
	return 0;
}
