/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The QoS settings of a site, which the tables of most engines take the place of. OpenSM leaves
 * options that are not set empty, or sets its defaults: both count as not set.
 */
#ifndef HD_OPENSM_SITE_QOS_H
#define HD_OPENSM_SITE_QOS_H

#include "opensm/osm.h"

/*
 * The names of the QoS options that a site has set to other than their defaults, and
 * of the SLs of partitions and policies. "" for none; to be freed by the caller; NULL when out of
 * memory.
 */
char *hd_osm_site_options(const struct osm_opensm *osm);
char *hd_osm_site_sls(const struct osm_opensm *osm);

#endif
