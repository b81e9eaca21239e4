// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/site_qos_options.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "support/printable.h"

void hd_site_list_add(FILE *list, const char *format, ...)
{
	va_list arguments;

	if (ftell(list) > 0)
		fputs(", ", list);
	va_start(arguments, format);
	vfprintf(list, format, arguments);
	va_end(arguments);
}

char *hd_site_list(void (*fill)(FILE *list, const void *context), const void *context)
{
	char *text = NULL;
	size_t size;
	FILE *list = open_memstream(&text, &size);

	if (!list)
		return NULL;
	fill(list, context);
	if (!fclose(list))
		return hd_make_printable(text);
	free(text);
	return NULL;
}

static void add_text(FILE *list, const char *prefix, const char *name, const char *value,
		     const char *default_value)
{
	if (value && *value && strcmp(value, default_value) != 0)
		hd_site_list_add(list, "%s%s", prefix, name);
}

/* Adds the options of one kind of port; those on the number of VLs limit nothing in OpenSM. */
static void add_options(FILE *list, const char *prefix, const struct hd_site_options *options,
			const struct hd_site_options *defaults)
{
	if (options->high_limit >= 0 && options->high_limit != defaults->high_limit)
		hd_site_list_add(list, "%shigh_limit", prefix);
	add_text(list, prefix, "vlarb_high", options->vlarb_high, defaults->vlarb_high);
	add_text(list, prefix, "vlarb_low", options->vlarb_low, defaults->vlarb_low);
	add_text(list, prefix, "sl2vl", options->sl2vl, defaults->sl2vl);
}

static void add_names(FILE *list, const void *context)
{
	const struct hd_site_qos *qos = context;

	if (!qos->is_used)
		return;
	add_options(list, "qos_", &qos->all, &qos->defaults);
	add_options(list, "qos_ca_", &qos->ca, &qos->defaults);
	add_options(list, "qos_sw0_", &qos->sw0, &qos->defaults);
	add_options(list, "qos_swe_", &qos->swe, &qos->defaults);
	add_options(list, "qos_rtr_", &qos->rtr, &qos->defaults);
}

char *hd_site_qos_names(const struct hd_site_qos *qos)
{
	return hd_site_list(add_names, qos);
}

/* What is said where the engine's lanes are not the site's, in @line: "" where nothing is to be. */
static void describe_own(const struct hd_site_outcome *outcome, FILE *line)
{
	/* where there are classes, SLs of partitions and policies name them */
	const bool has_classes = outcome->has_classes;
	const bool are_free = outcome->any_sl && !has_classes; /* SLs are kept, and mean nothing */
	const bool are_lost = !outcome->any_sl && !has_classes;
	const char *options = outcome->options, *sls = outcome->sls;

	if (!*options && (has_classes || !*sls))
		return;
	fprintf(line, "has SL2VL tables%s of its own; ",
		are_lost ? ", VL arbitration and path SLs" : " and VL arbitration");
	if (*options || are_lost)
		fprintf(line, "without effect: %s%s%s%s", options,
			*options && *sls && are_lost ? ", " : "", are_lost ? sls : "",
			outcome->remark);
	if (*sls && are_free)
		fprintf(line, "%son the same lanes as other SLs: %s", *options ? "; " : "", sls);
	if (!has_classes)
		fputs(" (event_plugin_options classes=FILE gives classes their shares, "
		      "heddle-classes(5))",
		      line);
}

char *hd_site_describe(const struct hd_site_outcome *outcome)
{
	char *text = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return NULL;
	if (outcome->has_site_lanes)
		fprintf(line, "needs one lane, and uses those of the site, %s: %s%s",
			outcome->is_unchecked ? "not proved (check=off)" : "proved with all SLs",
			outcome->options, outcome->remark);
	else
		describe_own(outcome, line);
	if (!fclose(line))
		return text;
	free(text);
	return NULL;
}
