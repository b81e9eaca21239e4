// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Recognition of grids: own coordinates, shuffled, trunked and degraded fabrics, files, refusals. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "fabric/builder.h"
#include "fabric/faults.h"
#include "support/random.h"
#include "tests/unit/shuffle.h"
#include "topologies/grid.h"
#include "topologies/topology.h"

static struct hd_fabric *build(const char *spec)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_hd_ok(hd_topology_build(spec, &fabric, &err), err);
	return fabric;
}

static struct hd_grid *recognise(const struct hd_fabric *fabric)
{
	struct hd_grid *grid;
	struct hd_error err;

	assert_hd_ok(hd_grid_recognise(fabric, NULL, &grid, &err), err);
	return grid;
}

static void assert_describes(const struct hd_grid *grid, const char *expected)
{
	char text[128];

	assert_string_equal(hd_grid_describe(grid, text, sizeof(text)), expected);
}

static const struct {
	const char *spec;
	const char *shape;
} perfect[] = {
	{ "torus:8x8", "torus 8x8" },
	{ "torus:4x4", "torus 4x4" },
	{ "torus:4x4x4", "torus 4x4x4" },
	{ "torus:5x3", "torus 5x3" },
	{ "torus:3x3", "torus 3x3" },
	{ "torus:16x2x3", "torus 16x2x3" },
	{ "torus:7", "torus 7" },
	{ "torus:4", "torus 4" },
	{ "torus:3x4x5x4", "torus 3x4x5x4" },
	{ "torus:4x4x4x4", "torus 4x4x4x4" },
	{ "torus:3x3x2x3x2x4", "torus 3x3x2x3x2x4" },
	{ "torus:8x4x2", "torus 8x4x2" },
	{ "mesh:8x8", "mesh 8x8" },
	{ "mesh:2x2", "mesh 2x2" },
	{ "mesh:2x2x2x2x2x2", "mesh 2x2x2x2x2x2" },
	{ "mesh:5x3x4", "mesh 5x3x4" },
	{ "mesh:6", "mesh 6" },
	{ "mesh:2", "mesh 2" },
	{ "hyperx:4x4", "hyperx 4x4" },
	{ "hyperx:6x3x2", "hyperx 6x3x2" },
	{ "hyperx:5", "hyperx 5" },
	{ "kns:k=2,n=2", "kns 2x2" },
	{ "kns:k=4,n=2", "kns 4x4" },
	{ "kns:k=3,n=3", "kns 3x3x3" },
	{ "kns:k=2,n=5", "kns 2x2x2x2x2" },
	{ "kns:k=4,n=1", "kns 4" },
};

/* Generated fabrics get the coordinates that they were made with: point i is switch i. */
static void generated_fabrics_keep_their_coordinates(void **state)
{
	for (size_t i = 0; i < sizeof(perfect) / sizeof(perfect[0]); i++) {
		struct hd_fabric *fabric = build(perfect[i].spec);
		struct hd_grid *grid = recognise(fabric);

		assert_describes(grid, perfect[i].shape);
		for (uint32_t point = 0; point < grid->n_points; point++)
			if (grid->switch_at[point] != point)
				fail_msg("%s: switch %u at point %u", perfect[i].spec,
					 grid->switch_at[point], point);
		assert_int_equal(grid->n_missing_links + grid->n_missing_switches, 0);
		hd_grid_free(grid);
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generated_fabrics_keep_their_coordinates),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
