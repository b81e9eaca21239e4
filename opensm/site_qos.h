/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The QoS settings of a site. OpenSM leaves options that are not set empty, or sets its defaults:
 * both count as not set.
 */
#ifndef HD_OPENSM_SITE_QOS_H
#define HD_OPENSM_SITE_QOS_H

#include "manager/site_qos_options.h"
#include "opensm/osm.h"

struct hd_site_qos hd_osm_site_qos(const struct osm_opensm *osm);

/*
 * The SLs of partitions and policies that a site has set to other than the default. "" for none; to
 * be freed by the caller; NULL when out of memory.
 */
char *hd_osm_site_sls(const struct osm_opensm *osm);

#endif
