// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/site_classes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opensm/strict.h"
#include "opensm/subnet.h"
#include "support/error.h"

/* Logs why the file cannot be read, once as long as that stays the same. */
static void complain(struct hd_osm_plugin *plugin, const struct hd_error *err)
{
	char text[sizeof(plugin->classes_complaint)];

	hd_error_format(err, text, sizeof(text));
	if (strcmp(text, plugin->classes_complaint) == 0)
		return;
	strcpy(plugin->classes_complaint, text);
	osm_log(&plugin->osm->log, OSM_LOG_SYS | OSM_LOG_ERROR, "heddle: classes: %s: %s\n", text,
		plugin->classes ? "the old classes stay"
				: "no old classes: routing without classes (strict=off)");
}

/* The file cannot be read, and there are no classes of before. */
static int refuse(struct hd_osm_plugin *plugin, const struct hd_error *cause, struct hd_error *err)
{
	char text[sizeof(plugin->classes_complaint)], whole[sizeof(text) + 16];

	snprintf(whole, sizeof(whole), "classes: %s", hd_error_format(cause, text, sizeof(text)));
	return hd_osm_strict_refuse(plugin, whole, err);
}

int hd_osm_classes(struct hd_osm_plugin *plugin, const struct hd_classes **classes,
		   struct hd_error *err)
{
	struct hd_classes *read;
	struct hd_error cause;
	char text[sizeof(plugin->classes_complaint)];
	int ret;

	*classes = plugin->classes;
	if (!plugin->options.classes)
		return 0;
	read = malloc(sizeof(*read));
	if (!read)
		return hd_error_nomem(err);
	ret = hd_classes_read(plugin->options.classes, read, &cause);
	if (!ret) {
		free(plugin->classes);
		plugin->classes = read;
		plugin->classes_complaint[0] = '\0';
	} else {
		free(read);
		if (ret == HD_ENOMEM)
			return hd_error_set(err, ret, "classes: %s",
					    hd_error_format(&cause, text, sizeof(text)));
		if (!plugin->classes && hd_plugin_options_are_strict(&plugin->options))
			return refuse(plugin, &cause, err);
		complain(plugin, &cause);
	}
	*classes = plugin->classes;
	return 0;
}

/* The class with the largest packets that the class file gives; NULL: it gives none. */
static const struct hd_class *find_largest(const struct hd_classes *classes)
{
	const struct hd_class *largest = NULL;

	for (unsigned c = 0; c < classes->n; c++)
		if (classes->list[c].has_packet &&
		    (!largest || classes->list[c].packet > largest->packet))
			largest = &classes->list[c];
	return largest;
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
	const struct hd_class *largest = classes ? find_largest(classes) : NULL;
	cl_qmap_t *map = &osm->subn.node_guid_tbl;
	char label[HD_LABEL_SIZE];

	if (!largest)
		return 0;
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		osm_node_t *node = (osm_node_t *)item;

		for (uint32_t number = 1; number < osm_node_get_num_physp(node); number++) {
			osm_physp_t *physp = osm_node_get_physp_ptr(node, number);
			uint32_t port = physp ? hd_osm_find_port(fabric, physp) : HD_NONE;

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
