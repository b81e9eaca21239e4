/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Load relative to what links can carry, if their rates differ: on a link, a flow counts as many
 * times as the fastest link of the fabric is faster.
 */
#ifndef HD_TOOLS_SHOW_RATES_H
#define HD_TOOLS_SHOW_RATES_H

#include <jansson.h>

#include "check/load.h"

struct hd_error;

/* Prints nothing where all links have one rate. @classes is hd_load_classes()'s. HD_ENOMEM. */
int hd_show_rates(const struct hd_fabric *fabric, const struct hd_load *load,
		  const uint8_t *classes, struct hd_error *err);

/* The same as `by_rate` of @root: null where all links have one rate. */
void hd_show_rates_json(const struct hd_fabric *fabric, const struct hd_load *load,
			const uint8_t *classes, json_t *root);

#endif
