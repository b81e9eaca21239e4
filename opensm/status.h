/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The status file (manager/status_file.h). */
#ifndef HD_OPENSM_STATUS_H
#define HD_OPENSM_STATUS_H

#include "opensm/plugin.h"

/* Writes the file where there is to be one; @engine NULL: none of ours routes. */
void hd_osm_status_write(struct hd_osm_plugin *plugin, const struct hd_osm_engine *engine);

#endif
