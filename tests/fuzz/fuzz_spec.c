// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Specs of topologies. Numbers of more than two digits and more than two factors of sizes are left
 * out, so that no giants are built. What is built small is put to the recogniser too.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/dragonfly.h"
#include "topologies/low_diameter.h"
#include "topologies/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whether @spec can only mean a small shape, or an error. */
static int is_small(const char *spec)
{
	unsigned digits = 0, factors = 0;

	for (; *spec; spec++) {
		digits = isxdigit((unsigned char)*spec) ? digits + 1 : 0;
		factors += *spec == 'x';
		if (digits > 2 || factors > 2)
			return 0;
	}
	return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct hd_fabric *fabric;
	struct hd_dragonfly *dragonfly;
	struct hd_low_diameter *low;
	struct hd_error err = { 0 };
	char *spec;

	if (size > 128)
		return 0;
	spec = calloc(1, size + 1);
	if (!spec)
		return 0;
	memcpy(spec, data, size);
	if (is_small(spec)) {
		int ret = hd_topology_build(spec, &fabric, &err);

		if (ret ? fabric != NULL || !*err.text || strchr(err.text, '\n') != NULL
			: fabric == NULL)
			abort();
		if (!ret && fabric->n_switches <= 64 &&
		    hd_dragonfly_recognise(fabric, NULL, &dragonfly, &err) == 0)
			hd_dragonfly_free(dragonfly);
		if (!ret && fabric->n_switches <= 64 &&
		    hd_low_diameter_recognise(fabric, &low, &err) == 0)
			hd_low_diameter_free(low);
		hd_fabric_free(fabric);
	}
	free(spec);
	return 0;
}
