/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The QoS options of a site, which the tables of most engines take the place of, and what is said
 * of them.
 */
#ifndef HD_MANAGER_SITE_QOS_OPTIONS_H
#define HD_MANAGER_SITE_QOS_OPTIONS_H

#include <stdbool.h>
#include <stdio.h>

/* Those of one kind of port, as opensm.conf has them. NULL and numbers below 0: not given. */
struct hd_site_options {
	const char *sl2vl, *vlarb_high, *vlarb_low;
	int high_limit;
};

struct hd_site_qos {
	bool is_used; /* the subnet manager programs lanes at all */
	struct hd_site_options all, ca, sw0, swe, rtr;
	struct hd_site_options
		defaults; /* the subnet manager's own; they count as not given, too */
};

/*
 * The names of the options that are set to other than their defaults, fit for a log. "" for none;
 * to be freed by the caller; NULL when out of memory.
 */
char *hd_site_qos_names(const struct hd_site_qos *qos);

/* A list of such names, which @fill adds one by one; the same result as above. */
char *hd_site_list(void (*fill)(FILE *list, const void *context), const void *context);
void hd_site_list_add(FILE *list, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What becomes of the site's settings. */
struct hd_site_outcome {
	const char *options,
		*sls;        /* names of options, and of SLs that the site chooses elsewhere */
	const char *remark;  /* what is wrong with the site's lanes; "": nothing */
	bool has_site_lanes; /* they are used (manager/site_lanes.h) */
	bool is_unchecked;
	bool has_classes; /* there are service classes, which SLs name */
	bool any_sl;      /* tables are sound with every SL */
};

/* What is to be said of that, behind the engine's name: "" for nothing; NULL when out of memory. */
char *hd_site_describe(const struct hd_site_outcome *outcome);

#endif
