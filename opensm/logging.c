// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "opensm/logging.h"

#include <stdarg.h>
#include <stdio.h>

#include "opensm/plugin.h"

/* OpenSM cuts longer lines. */
#define LINE_SIZE 4096

void hd_osm_log(struct osm_opensm *osm, osm_log_level_t level, const char *format, ...)
{
	char text[LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	osm_log(&osm->log, level, "heddle: %s\n", text);
}

void hd_osm_engine_log(const struct hd_osm_engine *engine, osm_log_level_t level,
		       const char *format, ...)
{
	char text[LINE_SIZE];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof(text), format, arguments);
	va_end(arguments);
	osm_log(&engine->plugin->osm->log, level, "heddle: engine %s: %s\n", engine->name, text);
}
