/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Lines in OpenSM's log. */
#ifndef HD_OPENSM_LOGGING_H
#define HD_OPENSM_LOGGING_H

#include "opensm/osm.h"

struct hd_osm_engine;

/* "heddle: TEXT"; "heddle: engine NAME: TEXT". @level: as for osm_log(). */
void hd_osm_log(struct osm_opensm *osm, osm_log_level_t level, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void hd_osm_engine_log(const struct hd_osm_engine *engine, osm_log_level_t level,
		       const char *format, ...) __attribute__((format(printf, 3, 4)));

#endif
