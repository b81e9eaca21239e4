// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/measure/link_use.h"

#include <stdlib.h>

const char *const hd_link_kind_names[HD_LINK_KINDS] = { "injection", "ejection", "local",
							"global" };

/* VLs that are looked at: VCs above those of InfiniBand are left out. */
static unsigned vls_of(const struct hd_model *model)
{
	return hd_model_vls(model) < HD_MAX_VLS ? hd_model_vls(model) : HD_MAX_VLS;
}

uint64_t *hd_links_snapshot(const struct hd_model *model, const struct hd_fabric *fabric)
{
	const size_t n_vls = vls_of(model);
	uint64_t *busy = malloc((fabric->n_ports * n_vls + 1) * sizeof(*busy));

	for (uint32_t port = 0; busy && port < fabric->n_ports; port++)
		for (unsigned vl = 0; vl < n_vls; vl++)
			busy[port * n_vls + vl] = fabric->ports[port].peer == HD_NONE
							  ? 0
							  : hd_model_busy(model, port, vl);
	return busy;
}

enum hd_link_kind hd_link_kind_of(const struct hd_fabric *fabric, const uint8_t *port_class,
				  uint32_t port)
{
	if (!hd_is_switch(fabric, fabric->ports[port].node))
		return HD_KIND_INJECTION;
	if (!hd_is_switch(fabric, fabric->ports[fabric->ports[port].peer].node))
		return HD_KIND_EJECTION;
	return port_class && port_class[port] == HD_PORT_GLOBAL ? HD_KIND_GLOBAL : HD_KIND_LOCAL;
}

void hd_links_utilisation(const struct hd_model *model, const struct hd_fabric *fabric,
			  const uint8_t *port_class, const uint64_t *before, uint64_t window,
			  struct hd_utilisation utilisation[HD_LINK_KINDS])
{
	const size_t n_vls = vls_of(model);

	for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++)
		utilisation[kind] = (struct hd_utilisation){ .busiest = HD_NONE };
	hd_for_each_port(port, fabric) {
		struct hd_utilisation *u;
		double all = 0;

		if (fabric->ports[port].peer == HD_NONE)
			continue;
		u = &utilisation[hd_link_kind_of(fabric, port_class, port)];
		for (unsigned vl = 0; vl < n_vls; vl++) {
			uint64_t ticks = hd_model_busy(model, port, vl) - before[port * n_vls + vl];
			double share = (double)ticks / (double)window;

			all += share;
			u->vl_mean[vl] += share;
			if (share > u->vl_max[vl])
				u->vl_max[vl] = share;
		}
		u->n_ports++;
		u->mean += all;
		u->units += all * (double)window / hd_model_unit_ticks(model, port);
		if (u->busiest == HD_NONE || all > u->max) {
			u->max = all;
			u->busiest = port;
		}
	}
	for (unsigned kind = 0; kind < HD_LINK_KINDS; kind++) {
		struct hd_utilisation *u = &utilisation[kind];

		if (!u->n_ports)
			continue;
		u->mean /= u->n_ports;
		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
			u->vl_mean[vl] /= u->n_ports;
	}
}
