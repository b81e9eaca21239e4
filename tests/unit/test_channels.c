// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The graph of channels that stays acyclic: with a memory of what closes cycles, and without. */
#include "tests/unit/unit.h"

#include "check/channels.h"
#include "support/error.h"
#include "support/random.h"
#include "tests/unit/spec_fabric.h"

#define N_LAYERS 3

static void begin(struct hd_channels *channels, const struct hd_tables *tables, bool remembers)
{
	uint8_t *core;
	struct hd_error err;

	assert_hd_ok(hd_channels_init(channels, tables, N_LAYERS, &err), err);
	core = malloc(channels->n_vertices + (size_t)1);
	assert_non_null(core);
	assert_true(hd_channels_rank(channels, core));
	free(core);
	if (remembers)
		assert_hd_ok(hd_channels_remember(channels, &err), err);
}

/* A turn at a switch of a torus with one host on each: port 1. */
static struct hd_channel_edge draw(const struct hd_fabric *fabric, struct hd_random *random)
{
	struct hd_channel_edge edge = { .node = hd_random_below(random, fabric->n_switches) };

	edge.in = (uint8_t)(2 + hd_random_below(random, 4));
	edge.out = (uint8_t)(2 + hd_random_below(random, 4));
	edge.from = (uint8_t)hd_random_below(random, N_LAYERS);
	edge.to = (uint8_t)hd_random_below(random, N_LAYERS);
	return edge;
}

/* Turns in any number are taken or refused alike. */
static void memory_changes_nothing(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:4x4", 0);
	struct hd_channels plain, remembering;
	struct hd_tables *tables;
	struct hd_random random;
	struct hd_error err;
	unsigned n_refused = 0, n_taken = 0;

	(void)state;
	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	begin(&plain, tables, false);
	begin(&remembering, tables, true);
	hd_random_init(&random, 1, 0);
	for (unsigned i = 0; i < 20000; i++) {
		struct hd_channel_edge edges[3], same[3];
		const uint32_t n = 1 + hd_random_below(&random, 3);
		bool fits;

		for (uint32_t k = 0; k < n; k++)
			edges[k] = same[k] = draw(fabric, &random);
		fits = hd_channels_try(&plain, edges, n);
		assert_int_equal(hd_channels_try(&remembering, same, n), fits);
		n_taken += fits;
		n_refused += !fits;
	}
	assert_true(n_taken > 100 && n_refused > 100);
	hd_channels_clear(&plain);
	hd_channels_clear(&remembering);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_changes_nothing),
	};

	return cmocka_run_group_tests_name("channels", tests, NULL, NULL);
}
