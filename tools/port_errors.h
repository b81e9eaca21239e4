/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Ports that counted errors, of a fabric from ibdiagnet's directory. */
#ifndef HD_TOOLS_PORT_ERRORS_H
#define HD_TOOLS_PORT_ERRORS_H

#include <jansson.h>

#include "fabric/error_counters.h"
#include "fabric/fabric.h"

struct hd_reading;

/*
 * Reads the counters of ibdiagnet2.db_csv where @what, a FABRIC of a command line, is this file or
 * a directory that has it; else there are none. What hd_error_counters_read() returns.
 */
int hd_port_errors_find(const char *what, const struct hd_fabric *fabric,
			const struct hd_reading *how, struct hd_error_counters *counters,
			struct hd_error *err);

/* Prints a field, if any port counted errors: the one with the most. */
void hd_port_errors_print(const struct hd_fabric *fabric, const struct hd_error_counters *counters);

/* `port_errors` in @root: ports with their counters, those that are not 0. */
void hd_port_errors_json(const struct hd_fabric *fabric, const struct hd_error_counters *counters,
			 json_t *root);

#endif
