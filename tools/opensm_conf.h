/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* OpenSM's configuration file: lines "key value", of which some get another value. */
#ifndef HD_TOOLS_OPENSM_CONF_H
#define HD_TOOLS_OPENSM_CONF_H

#include <stddef.h>
#include <stdio.h>

struct hd_conf_setting {
	const char *key, *value;
	const char *why; /* a comment of one line or more, each without "# " */
};

/*
 * The value of @key in @text, from malloc(): what follows the key in its last line, as OpenSM takes
 * it. NULL: no line has the key, or out of memory.
 */
char *hd_conf_value(const char *text, size_t size, const char *key);

/*
 * Prints @text ("" and 0: there is none) with @settings: a setting takes the place of the key's
 * first line, its other lines go; settings whose keys have no line come at the end. All else stays.
 */
void hd_conf_print(FILE *stream, const char *text, size_t size,
		   const struct hd_conf_setting *settings, size_t n);

#endif
