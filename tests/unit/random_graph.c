// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tests/unit/random_graph.h"

#include "fabric/lids.h"
#include "support/random.h"
#include "tests/unit/unit.h"

struct hd_fabric *random_graph_finish(struct hd_builder *builder)
{
	struct hd_fabric *bare, *fabric;
	struct hd_error err;

	assert_hd_ok(hd_builder_finish(builder, &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), err);
	hd_fabric_free(bare);
	return fabric;
}

void random_graph_add(struct hd_builder *builder, enum hd_node_type type, uint64_t guid,
		      unsigned n_ports)
{
	struct hd_node_spec spec = { .type = type, .guid = guid, .n_ports = n_ports };
	struct hd_error err;
	uint32_t id;

	assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
}

void random_graph_link(struct hd_builder *builder, uint8_t *used, uint32_t a, uint32_t b)
{
	struct hd_error err;

	assert_hd_ok(hd_builder_link(builder, a, ++used[a], b, ++used[b], &err), err);
}

#define MOST_SWITCHES 40
#define SWITCH_PORTS  64

struct hd_fabric *random_graph(uint64_t seed)
{
	struct hd_builder *builder = hd_builder_new();
	uint8_t used[MOST_SWITCHES] = { 0 };
	struct hd_random random;
	uint32_t n, n_more, n_hosts;

	hd_random_init(&random, seed, 0);
	n = 1 + hd_random_below(&random, MOST_SWITCHES);
	n_more = hd_random_below(&random, 2 * n + 1);
	n_hosts = 1 + hd_random_below(&random, 2 * n);
	for (uint32_t s = 0; s < n; s++)
		random_graph_add(builder, HD_SWITCH, 0x1000000 + s, SWITCH_PORTS);
	for (uint32_t s = 1; s < n; s++)
		random_graph_link(builder, used, s, hd_random_below(&random, s));
	for (uint32_t i = 0; i < n_more && n > 1; i++) {
		uint32_t a = hd_random_below(&random, n);
		uint32_t b = (a + 1 + hd_random_below(&random, n - 1)) % n;

		if (used[a] < SWITCH_PORTS && used[b] < SWITCH_PORTS)
			random_graph_link(builder, used, a, b);
	}
	for (uint32_t h = 0; h < n_hosts; h++) {
		uint32_t s = hd_random_below(&random, n);
		struct hd_error err;

		if (used[s] == SWITCH_PORTS)
			continue;
		random_graph_add(builder, HD_CA, 0x2000000 + 16 * h, 1);
		assert_hd_ok(hd_builder_link(builder, n + h, 1, s, ++used[s], &err), err);
	}
	return random_graph_finish(builder);
}
