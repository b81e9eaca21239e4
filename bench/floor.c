// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A plug-in of OpenSM 3.3 for bench_daemon.py, with an engine `floor` that routes nothing: all
 * entries lead nowhere. What OpenSM computes around it is what no plug-in can save.
 *
 * Engine `floor-hops` gives hop counts besides, one from each switch to each, which OpenSM needs
 * for multicast trees. Their memory is that of true ones; they mean nothing.
 */
#include <opensm/osm_config.h>

#include <malloc.h>
#include <opensm/osm_event_plugin.h>
#include <opensm/osm_opensm.h>
#include <opensm/osm_version.h>

static int build(void *context)
{
	(void)context;
	return 0;
}

static int build_hops(void *context)
{
	struct osm_opensm *osm = context;
	cl_qmap_t *map = &osm->subn.sw_guid_tbl;

	for (cl_map_item_t *i = cl_qmap_head(map); i != cl_qmap_end(map); i = cl_qmap_next(i))
		for (cl_map_item_t *j = cl_qmap_head(map); j != cl_qmap_end(map);
		     j = cl_qmap_next(j))
			if (osm_switch_set_hops((osm_switch_t *)i,
						cl_ntoh16(osm_node_get_base_lid(
							((osm_switch_t *)j)->p_node, 0)),
						i != j, i != j) != CL_SUCCESS)
				return -1;
	return 0;
}

static int setup(struct osm_routing_engine *re, struct osm_opensm *osm)
{
	(void)osm;
	re->build_lid_matrices = build;
	re->ucast_build_fwd_tables = build;
	return 0;
}

static int setup_hops(struct osm_routing_engine *re, struct osm_opensm *osm)
{
	re->context = osm;
	re->build_lid_matrices = build_hops;
	re->ucast_build_fwd_tables = build;
	return 0;
}

static void *create(struct osm_opensm *osm)
{
	static const external_routing_engine_module_t module = { .name = "floor", .setup = setup };
	static const external_routing_engine_module_t with_hops = { .name = "floor-hops",
								    .setup = setup_hops };

	return osm_register_external_routing_engine(osm, &module, osm) == CL_SUCCESS &&
			       osm_register_external_routing_engine(osm, &with_hops, osm) ==
				       CL_SUCCESS
		       ? osm
		       : NULL;
}

static void delete (void *context)
{
	(void)context;
}

/* As the plug-in does, so that memory compares. */
static void report(void *context, osm_epi_event_id_t event, void *data)
{
	(void)context;
	(void)data;
	if (event == OSM_EVENT_ID_SUBNET_UP)
		(void)malloc_trim(0);
}

osm_event_plugin_t osm_event_plugin = {
	.osm_version = OSM_VERSION,
	.create = create,
	.delete = delete,
	.report = report,
};
