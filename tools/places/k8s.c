// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Places as labels of Kubernetes nodes. Schedulers read two families of labels, which Topograph
 * (NVIDIA) defined: fabric.topograph.run/tier-N since 1.0, tier 0 next to the host, and
 * network.topology.nvidia.com/leaf, spine, core before.
 */
#include <inttypes.h>

#include "support/error.h"
#include "tools/places/places.h"

static void print_node(FILE *stream, const struct hd_locality *locality,
		       const struct hd_place_names *names, uint32_t machine)
{
	static const char *const tiers[] = { "leaf", "spine", "core" };
	uint32_t place = locality->place_of[machine];

	if (place == HD_NONE)
		return;
	fprintf(stream, "---\napiVersion: v1\nkind: Node\nmetadata:\n  name: \"%s\"\n  labels:\n",
		names->machine[machine]);
	for (unsigned tier = 0; place != HD_NONE; tier++, place = locality->places[place].parent) {
		if (tier < sizeof(tiers) / sizeof(*tiers))
			fprintf(stream, "    network.topology.nvidia.com/%s: \"%s\"\n", tiers[tier],
				names->place[place]);
		fprintf(stream, "    fabric.topograph.run/tier-%u: \"%s\"\n", tier,
			names->place[place]);
	}
}

int hd_k8s_print(FILE *stream, const struct hd_fabric *fabric, const struct hd_locality *locality,
		 struct hd_error *err)
{
	struct hd_place_names names = { 0 };
	int ret = hd_place_names_make(fabric, locality, &names, err);

	for (uint32_t m = 0; m < locality->n_machines && locality->n_planes && !ret; m++)
		print_node(stream, locality, &names, m);
	hd_place_names_clear(locality, &names);
	return ret;
}
