// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/site_qos.h"

#include <opensm/osm_base.h>
#include <opensm/osm_partition.h>
/* the next header has functions without prototypes */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <opensm/osm_qos_policy.h>
#pragma GCC diagnostic pop
#include <stdio.h>

static struct hd_site_options options_of(const osm_qos_options_t *options)
{
	return (struct hd_site_options){
		.sl2vl = options->sl2vl,
		.vlarb_high = options->vlarb_high,
		.vlarb_low = options->vlarb_low,
		.high_limit = options->high_limit,
	};
}

struct hd_site_qos hd_osm_site_qos(const struct osm_opensm *osm)
{
	const osm_subn_opt_t *options = &osm->subn.opt;

	return (struct hd_site_qos){
		.is_used = options->qos,
		.all = options_of(&options->qos_options),
		.ca = options_of(&options->qos_ca_options),
		.sw0 = options_of(&options->qos_sw0_options),
		.swe = options_of(&options->qos_swe_options),
		.rtr = options_of(&options->qos_rtr_options),
		.defaults = {
			.sl2vl = OSM_DEFAULT_QOS_SL2VL,
			.vlarb_high = OSM_DEFAULT_QOS_VLARB_HIGH,
			.vlarb_low = OSM_DEFAULT_QOS_VLARB_LOW,
			.high_limit = OSM_DEFAULT_QOS_HIGH_LIMIT,
		},
	};
}

/* Adds partitions and policies that would choose the SLs of path records. */
static void add_sls(FILE *list, const void *context)
{
	const osm_subn_t *subn = context;
	const cl_qmap_t *map = &subn->prtn_pkey_tbl;
	const cl_list_t *levels = subn->p_qos_policy ? &subn->p_qos_policy->qos_levels : NULL;

	if (subn->opt.sm_sl != OSM_DEFAULT_SL)
		hd_site_list_add(list, "sm_sl");
	hd_osm_for_each(osm_prtn_t, partition, map) {
		if (partition->sl != OSM_DEFAULT_SL)
			hd_site_list_add(list, "sl=%u of partition 0x%04x", partition->sl,
					 cl_ntoh16(partition->pkey));
	}
	for (cl_list_iterator_t at = levels ? cl_list_head(levels) : NULL;
	     levels && at != cl_list_end(levels); at = cl_list_next(at)) {
		const osm_qos_level_t *level = cl_list_obj(at);

		if (level->sl_set && level->sl != OSM_DEFAULT_SL)
			hd_site_list_add(list, "sl: %u of qos-level %s in qos_policy_file",
					 level->sl, level->name ? level->name : "without a name");
	}
}

char *hd_osm_site_sls(const struct osm_opensm *osm)
{
	return hd_site_list(add_sls, &osm->subn);
}
