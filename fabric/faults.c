// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/faults.h"

#include <stdlib.h>

#include "fabric/builder.h"
#include "support/error.h"

static int mark_links(const struct hd_fabric *fabric, const uint32_t *links, size_t n_links,
		      bool *without_links, struct hd_error *err)
{
	char label[320];

	for (size_t i = 0; i < n_links; i++) {
		if (links[i] >= fabric->n_ports)
			return hd_error_set(err, HD_EINVAL, "link %zu to remove is not there", i);
		if (fabric->ports[links[i]].peer == HD_NONE)
			return hd_error_set(err, HD_EINVAL, "%s has no link to remove",
					    hd_port_label(fabric, links[i], label, sizeof(label)));
		without_links[links[i]] = true;
		without_links[fabric->ports[links[i]].peer] = true;
	}
	return 0;
}

static int mark_switches(const struct hd_fabric *fabric, const uint32_t *switches,
			 size_t n_switches, bool *without_nodes, struct hd_error *err)
{
	for (size_t i = 0; i < n_switches; i++) {
		if (switches[i] >= fabric->n_nodes)
			return hd_error_set(err, HD_EINVAL, "switch %zu to remove is not there", i);
		if (!hd_is_switch(fabric, switches[i]))
			return hd_error_set(err, HD_EINVAL,
					    "'%s' is no switch: it cannot be removed",
					    hd_node_name(fabric, switches[i]));
		without_nodes[switches[i]] = true;
	}
	return 0;
}

/* Switches are marked by now; end nodes go when they had links and all of them are gone. */
static void mark_end_nodes(const struct hd_fabric *fabric, const bool *without_links,
			   bool *without_nodes)
{
	hd_for_each_end_node(n, fabric) {
		unsigned before = 0, after = 0;

		hd_for_each_number(number, fabric, n) {
			uint32_t p = hd_port_index(fabric, n, number), peer = fabric->ports[p].peer;

			if (peer == HD_NONE)
				continue;
			before++;
			after += !without_links[p] &&
				 !(hd_is_switch(fabric, fabric->ports[peer].node) &&
				   without_nodes[fabric->ports[peer].node]);
		}
		without_nodes[n] = before && !after;
	}
}

int hd_fabric_without(const struct hd_fabric *fabric, const uint32_t *links, size_t n_links,
		      const uint32_t *switches, size_t n_switches, struct hd_fabric **result,
		      struct hd_error *err)
{
	bool *without_nodes = calloc(fabric->n_nodes + 1, sizeof(*without_nodes));
	bool *without_links = calloc(fabric->n_ports + 1, sizeof(*without_links));
	struct hd_builder *builder = NULL;
	int ret = without_nodes && without_links ? 0 : hd_error_nomem(err);

	*result = NULL;
	if (!ret)
		ret = mark_links(fabric, links, n_links, without_links, err);
	if (!ret)
		ret = mark_switches(fabric, switches, n_switches, without_nodes, err);
	if (!ret) {
		mark_end_nodes(fabric, without_links, without_nodes);
		ret = hd_builder_copy(fabric, without_nodes, without_links, &builder, err);
	}
	if (!ret)
		ret = hd_builder_finish(builder, result, err);
	free(without_nodes);
	free(without_links);
	return ret;
}
