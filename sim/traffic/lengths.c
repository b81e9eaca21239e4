// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Options of patterns that are the lengths of a grid of hosts. */
#include <string.h>

#include "sim/traffic/pattern.h"
#include "support/error.h"
#include "support/text.h"

int hd_params_shape(const struct hd_params *params, const char *key, uint32_t product, unsigned max,
		    uint32_t *lengths, unsigned *n, struct hd_error *err)
{
	const char *text = hd_params_get(params, key), *at = text;
	uint64_t all = 1, length;

	*n = 0;
	if (!text) {
		lengths[(*n)++] = product;
		return 0;
	}
	do {
		if (*n == max ||
		    !hd_scan_number(&at, text + strlen(text), 10, UINT32_MAX, &length) || !length ||
		    (*at && *at != 'x'))
			return hd_error_set(err, HD_EINVAL,
					    "%s: '%s' is not at most %u lengths such as 4x3", key,
					    text, max);
		lengths[(*n)++] = (uint32_t)length;
		all = all * length > UINT32_MAX ? UINT32_MAX : all * length;
	} while (*at++ == 'x');
	if (all != product)
		return hd_error_set(err, HD_EINVAL, "%s: %s is not a shape of %u hosts", key, text,
				    product);
	return 0;
}
