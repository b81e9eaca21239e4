// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/site_qos.h"

#include <opensm/osm_base.h>
#include <opensm/osm_partition.h>
/* the next header has functions without prototypes */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
#include <opensm/osm_qos_policy.h>
#pragma GCC diagnostic pop
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/printable.h"

/* Adds an item to the list. */
static void add(FILE *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(FILE *list, const char *format, ...)
{
	va_list arguments;

	if (ftell(list) > 0)
		fputs(", ", list);
	va_start(arguments, format);
	vfprintf(list, format, arguments);
	va_end(arguments);
}

static void add_text(FILE *list, const char *prefix, const char *name, const char *value,
		     const char *default_value)
{
	if (value && *value && strcmp(value, default_value) != 0)
		add(list, "%s%s", prefix, name);
}

/* Adds the options of one kind of port; those on the number of VLs limit nothing in this OpenSM. */
static void add_options(FILE *list, const char *prefix, const osm_qos_options_t *options)
{
	if (options->high_limit >= 0 && options->high_limit != OSM_DEFAULT_QOS_HIGH_LIMIT)
		add(list, "%shigh_limit", prefix);
	add_text(list, prefix, "vlarb_high", options->vlarb_high, OSM_DEFAULT_QOS_VLARB_HIGH);
	add_text(list, prefix, "vlarb_low", options->vlarb_low, OSM_DEFAULT_QOS_VLARB_LOW);
	add_text(list, prefix, "sl2vl", options->sl2vl, OSM_DEFAULT_QOS_SL2VL);
}

/* Adds partitions and policies that would choose the SLs of path records. */
static void add_sls(FILE *list, const osm_subn_t *subn)
{
	const cl_qmap_t *map = &subn->prtn_pkey_tbl;
	const cl_list_t *levels = subn->p_qos_policy ? &subn->p_qos_policy->qos_levels : NULL;

	if (subn->opt.sm_sl != OSM_DEFAULT_SL)
		add(list, "sm_sl");
	for (cl_map_item_t *item = cl_qmap_head(map); item != cl_qmap_end(map);
	     item = cl_qmap_next(item)) {
		const osm_prtn_t *partition = (const osm_prtn_t *)item;

		if (partition->sl != OSM_DEFAULT_SL)
			add(list, "sl=%u of partition 0x%04x", partition->sl,
			    cl_ntoh16(partition->pkey));
	}
	for (cl_list_iterator_t at = levels ? cl_list_head(levels) : NULL;
	     levels && at != cl_list_end(levels); at = cl_list_next(at)) {
		const osm_qos_level_t *level = cl_list_obj(at);

		if (level->sl_set && level->sl != OSM_DEFAULT_SL)
			add(list, "sl: %u of qos-level %s in qos_policy_file", level->sl,
			    level->name ? level->name : "without a name");
	}
}

/* What was written to @list, which is closed, as text that is fit for a log. */
static char *finish(FILE *list, char **text)
{
	if (fclose(list)) {
		free(*text);
		return NULL;
	}
	return hd_make_printable(*text);
}

char *hd_osm_site_options(const struct osm_opensm *osm)
{
	const osm_subn_opt_t *options = &osm->subn.opt;
	char *text = NULL;
	size_t size;
	FILE *list = open_memstream(&text, &size);

	if (!list)
		return NULL;
	if (options->qos) {
		add_options(list, "qos_", &options->qos_options);
		add_options(list, "qos_ca_", &options->qos_ca_options);
		add_options(list, "qos_sw0_", &options->qos_sw0_options);
		add_options(list, "qos_swe_", &options->qos_swe_options);
		add_options(list, "qos_rtr_", &options->qos_rtr_options);
	}
	return finish(list, &text);
}

char *hd_osm_site_sls(const struct osm_opensm *osm)
{
	char *text = NULL;
	size_t size;
	FILE *list = open_memstream(&text, &size);

	if (!list)
		return NULL;
	add_sls(list, &osm->subn);
	return finish(list, &text);
}
