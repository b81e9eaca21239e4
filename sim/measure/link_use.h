/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Utilisation of links and VLs within a window of time. */
#ifndef HD_MEASURE_LINK_USE_H
#define HD_MEASURE_LINK_USE_H

#include "sim/model/model.h"

struct hd_error;

/* Kinds of links by their ends. */
enum hd_link_kind {
	HD_KIND_INJECTION, /* from hosts */
	HD_KIND_EJECTION,  /* to hosts */
	HD_KIND_LOCAL,     /* between switches; if the topology has groups, within a group */
	HD_KIND_GLOBAL,    /* between groups */
	HD_LINK_KINDS,
};

extern const char *const hd_link_kind_names[HD_LINK_KINDS];

/* The kind of the link at out-port @port. @port_class may be NULL. */
enum hd_link_kind hd_link_kind_of(const struct hd_fabric *fabric, const uint8_t *port_class,
				  uint32_t port);

/* For the out-ports of one kind: shares of the window in which they sent. */
struct hd_utilisation {
	uint32_t n_ports;
	double mean, max;
	double units;               /* that they sent */
	uint32_t busiest;           /* index in the fabric's ports; HD_NONE without ports */
	double vl_mean[HD_MAX_VLS]; /* by VL; they add up to `mean` */
	double vl_max[HD_MAX_VLS];
};

/*
 * Ticks that every out-port has sent on every VL of the model so far, for hd_links_utilisation();
 * NULL: no memory.
 */
uint64_t *hd_links_snapshot(const struct hd_model *model, const struct hd_fabric *fabric);

/* Utilisation in the @window ticks since the snapshot @before. @port_class may be NULL. */
void hd_links_utilisation(const struct hd_model *model, const struct hd_fabric *fabric,
			  const uint8_t *port_class, const uint64_t *before, uint64_t window,
			  struct hd_utilisation utilisation[HD_LINK_KINDS]);

#endif
