// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/site_classes.h"

#include "opensm/logging.h"
#include "opensm/strict.h"
#include "opensm/subnet.h"
#include "support/error.h"
#include "tables/classes.h"

int hd_osm_classes(struct hd_osm_plugin *plugin, const struct hd_classes **classes,
		   struct hd_error *err)
{
	struct hd_class_file *file = &plugin->classes;
	int ret = 0;

	if (plugin->options.classes)
		ret = hd_class_file_read(file, plugin->options.classes,
					 hd_plugin_options_are_strict(&plugin->options), err);
	*classes = file->classes;
	if (ret == HD_EREFUSED)
		return hd_osm_strict_refuse(plugin, "classes", file->complaint, err);
	if (!ret && file->is_news)
		hd_osm_log(plugin->osm, OSM_LOG_SYS | OSM_LOG_ERROR, "classes: %s: %s",
			   file->complaint,
			   file->classes ? "the old classes stay"
					 : "no old classes: routing without classes (strict=off)");
	return ret;
}

/* Bytes that the link of @physp, one of @fabric's, may carry in a packet. */
static unsigned link_mtu(const osm_physp_t *physp)
{
	const osm_physp_t *remote = osm_physp_get_remote(physp);
	unsigned code = ib_port_info_get_mtu_cap(&physp->port_info);

	/* OpenSM sets NeighborMTU only after routes: to the lesser of both */
	if (remote && ib_port_info_get_mtu_cap(&remote->port_info) < code)
		code = ib_port_info_get_mtu_cap(&remote->port_info);
	return 128u << code;
}

int hd_osm_classes_check_mtu(struct osm_opensm *osm, const struct hd_fabric *fabric,
			     const struct hd_classes *classes, struct hd_error *err)
{
	const struct hd_class *largest = hd_classes_find_largest(classes);
	char label[HD_LABEL_SIZE];

	if (!largest)
		return 0;
	hd_osm_for_each_node(node, osm) {
		hd_osm_for_each_physp(physp, node)
		{
			const uint32_t port = hd_osm_find_port(fabric, physp);

			if (port == HD_NONE || fabric->ports[port].peer == HD_NONE ||
			    largest->packet * 64u <= link_mtu(physp))
				continue;
			return hd_error_set(err, HD_EREFUSED,
					    "class %s has packets of %u bytes, and the link of %s "
					    "an MTU of %u",
					    largest->name, largest->packet * 64u,
					    hd_port_label(fabric, port, label, sizeof(label)),
					    link_mtu(physp));
		}
	}
	return 0;
}
