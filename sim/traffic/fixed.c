// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/fixed.h"

#include <stdlib.h>

#include "support/error.h"

int hd_fixed_new(uint32_t n_hosts, void **data, uint32_t **to, struct hd_error *err)
{
	*data = *to = malloc(n_hosts * sizeof(**to));
	return *to ? 0 : hd_error_nomem(err);
}

int hd_fixed_done(uint32_t n_hosts, uint32_t *to, struct hd_error *err)
{
	bool any = false;

	for (uint32_t host = 0; host < n_hosts; host++) {
		if (to[host] == host)
			to[host] = HD_NONE;
		any = any || to[host] != HD_NONE;
	}
	return any ? 0
		   : hd_error_set(err, HD_EINVAL, "every one of the %u hosts would send to itself",
				  n_hosts);
}

uint32_t hd_fixed_class_of(const void *data, uint32_t host)
{
	return ((const uint32_t *)data)[host] == HD_NONE ? HD_NONE : 0;
}

uint32_t hd_fixed_destination(const void *data, struct hd_source *source)
{
	return ((const uint32_t *)data)[source->host];
}
