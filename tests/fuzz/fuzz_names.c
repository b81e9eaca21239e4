// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A node name map: what is read names nodes with what the map has, and a label is never empty. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/names.h"
#include "fabric/reading.h"
#include "support/error.h"
#include "topologies/topology.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const struct hd_fabric *fabric, const char *data, size_t size)
{
	char label[HD_LABEL_SIZE];

	hd_for_each_node(n, fabric) {
		const char *name = hd_node_name(fabric, n);

		if (!*hd_node_label(fabric, n, label, sizeof(label)) || strlen(name) > HD_MAX_NAME)
			abort();
		if (name[0] != 'S' && name[0] != 'H' && !memmem(data, size, name, strlen(name)))
			abort();
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct hd_reading lenient = { 0 };
	struct hd_error err = { 0 };
	struct hd_fabric *fabric;

	if (hd_topology_build("mesh:2x2", &fabric, &err))
		abort();
	if (!hd_fabric_parse_names(fabric, "map", (const char *)data, size, NULL, &err))
		look(fabric, (const char *)data, size);
	else if (!err.code || !err.text[0])
		abort();
	if (hd_fabric_parse_names(fabric, "map", (const char *)data, size, &lenient, &err))
		abort();
	look(fabric, (const char *)data, size);
	hd_fabric_free(fabric);
	return 0;
}
