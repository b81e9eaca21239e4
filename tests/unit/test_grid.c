// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Recognition of grids: own coordinates, shuffled, trunked and degraded fabrics, files, refusals.
 */
#include "tests/unit/unit.h"

#include <unistd.h>

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
	{ "torus:8x8,p=8,trunk=10", "torus 8x8" },
	{ "torus:8x8x4,p=4,trunk=4", "torus 8x8x4" },
	{ "mesh:5x4,trunk=2", "mesh 5x4" },
	{ "hyperx:5x4,p=1,trunk=3", "hyperx 5x4" },
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

/* Another order of nodes and ports is another numbering of the same grid. */
static void any_order_of_nodes_and_ports_will_do(void **state)
{
	for (size_t i = 0; i < sizeof(perfect) / sizeof(perfect[0]); i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct hd_fabric *fabric = build(perfect[i].spec);
			struct hd_fabric *copy = shuffled_copy(fabric, seed, NULL, NULL);
			struct hd_grid *grid = recognise(fabric), *other = recognise(copy);

			assert_int_equal(grid->n_points, other->n_points);
			assert_int_equal(other->n_missing_links + other->n_missing_switches, 0);
			hd_grid_free(grid);
			hd_grid_free(other);
			hd_fabric_free(copy);
			hd_fabric_free(fabric);
		}
}

static void parallel_links_count_once(void **state)
{
	static const char *const specs[] = { "torus:5x4", "kns:k=3,n=2", "hyperx:3x4", "mesh:3x3" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build(specs[i]), *copy = doubled_copy(fabric);
		struct hd_grid *grid = recognise(fabric), *other = recognise(copy);
		char text[128], other_text[128];

		assert_string_equal(hd_grid_describe(grid, text, sizeof(text)),
				    hd_grid_describe(other, other_text, sizeof(other_text)));
		assert_int_equal(other->n_missing_links, 0);
		hd_grid_free(grid);
		hd_grid_free(other);
		hd_fabric_free(copy);
		hd_fabric_free(fabric);
	}
}

/* One cable after the other, of one trunk until one is left, and of any: still the same grid. */
static void cables_of_trunks_may_be_missing(void **state)
{
	static const struct {
		const char *spec, *shape;
		unsigned cables;
	} trunks[] = {
		{ "torus:5x4,p=2,trunk=3", "torus 5x4", 3 },
		{ "mesh:4x3,trunk=4", "mesh 4x3", 4 },
		{ "hyperx:4x3,p=1,trunk=2", "hyperx 4x3", 2 },
	};

	for (size_t i = 0; i < sizeof(trunks) / sizeof(trunks[0]); i++) {
		struct hd_fabric *fabric = build(trunks[i].spec), *copy, *less;
		struct hd_grid *grid = recognise(fabric);
		uint32_t failed[8] = { 0 }, n = 0;

		assert_int_equal(grid->cables[0], trunks[i].cables);
		assert_int_equal(grid->cables[1], trunks[i].cables);
		assert_int_equal(grid->n_missing_cables, 0);
		hd_grid_free(grid);
		hd_for_each_number(port, fabric, 0)
			if (hd_peer_node(fabric, 0, port) == 1 && n + 1 < trunks[i].cables)
				failed[n++] = hd_port_index(fabric, 0, port);
		for (uint32_t k = 1; k <= n; k++) {
			assert_int_equal(hd_fabric_without(fabric, failed, k, NULL, 0, &less, NULL),
					 0);
			copy = shuffled_copy(less, k, NULL, NULL);
			for (int shuffled = 0; shuffled < 2; shuffled++) {
				grid = recognise(shuffled ? copy : less);
				if (!shuffled)
					assert_describes(grid, trunks[i].shape);
				assert_int_equal(grid->n_missing_links + grid->n_missing_switches,
						 0);
				assert_int_equal(grid->n_missing_cables, k);
				hd_grid_free(grid);
			}
			hd_fabric_free(copy);
			hd_fabric_free(less);
		}
		hd_fabric_free(fabric);
	}
}

/* The switches that are left have the coordinates that they had: point i is GUID first + i. */
static void assert_kept(const struct hd_fabric *perfect_fabric, const struct hd_fabric *degraded,
			const char *shape)
{
	struct hd_grid *grid = recognise(degraded);

	assert_describes(grid, shape);
	for (uint32_t point = 0; point < grid->n_points; point++)
		if (grid->switch_at[point] != HD_NONE)
			assert_int_equal(degraded->nodes[grid->switch_at[point]].guid,
					 perfect_fabric->nodes[point].guid);
	hd_grid_free(grid);
}

static const struct {
	const char *spec;
	const char *shape;
} degraded_shapes[] = {
	{ "kns:k=4,n=2", "kns 4x4" },   { "kns:k=8,n=2", "kns 8x8" },
	{ "torus:8x8", "torus 8x8" },   { "torus:4x4x4", "torus 4x4x4" },
	{ "hyperx:4x4", "hyperx 4x4" }, { "mesh:5x5x3", "mesh 5x5x3" },
	{ "kns:k=3,n=3", "kns 3x3x3" }, { "torus:6x5x4", "torus 6x5x4" },
};

static void every_single_link_may_be_missing(void **state)
{
	for (size_t i = 0; i < sizeof(degraded_shapes) / sizeof(degraded_shapes[0]); i++) {
		struct hd_fabric *fabric = build(degraded_shapes[i].spec), *degraded;

		hd_for_each_port(p, fabric) {
			uint32_t peer = fabric->ports[p].peer;

			if (peer == HD_NONE || peer < p ||
			    !hd_is_switch(fabric, fabric->ports[p].node) ||
			    !hd_is_switch(fabric, fabric->ports[peer].node))
				continue;
			assert_int_equal(hd_fabric_without(fabric, &p, 1, NULL, 0, &degraded, NULL),
					 0);
			assert_kept(fabric, degraded, degraded_shapes[i].shape);
			hd_fabric_free(degraded);
		}
		hd_fabric_free(fabric);
	}
}

static void every_single_switch_may_be_missing(void **state)
{
	for (size_t i = 0; i < sizeof(degraded_shapes) / sizeof(degraded_shapes[0]); i++) {
		struct hd_fabric *fabric = build(degraded_shapes[i].spec), *degraded;

		hd_for_each_switch(s, fabric) {
			assert_int_equal(hd_fabric_without(fabric, NULL, 0, &s, 1, &degraded, NULL),
					 0);
			assert_kept(fabric, degraded, degraded_shapes[i].shape);
			hd_fabric_free(degraded);
		}
		hd_fabric_free(fabric);
	}
}

/* Takes out links between switches with a chance of 1 in @one_in. */
static struct hd_fabric *with_failures(const struct hd_fabric *fabric, uint32_t one_in,
				       uint64_t seed)
{
	uint32_t *links = malloc((fabric->n_links + (size_t)1) * sizeof(*links));
	struct hd_fabric *degraded;
	struct hd_random random;
	size_t n = 0;

	hd_random_init(&random, seed, 0);
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && peer > p && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node) &&
		    hd_random_below(&random, one_in) == 0)
			links[n++] = p;
	}
	assert_int_equal(hd_fabric_without(fabric, links, n, NULL, 0, &degraded, NULL), 0);
	free(links);
	return degraded;
}

static void one_percent_of_links_may_be_missing(void **state)
{
	static const struct {
		const char *spec;
		const char *shape;
	} shapes[] = {
		{ "torus:24x24", "torus 24x24" }, { "torus:8x8x8", "torus 8x8x8" },
		{ "kns:k=16,n=2", "kns 16x16" },  { "kns:k=6,n=3", "kns 6x6x6" },
		{ "hyperx:8x8", "hyperx 8x8" },   { "hyperx:5x5x5", "hyperx 5x5x5" },
		{ "mesh:12x12", "mesh 12x12" },   { "torus:4x4x4x4", "torus 4x4x4x4" },
	};
	unsigned n_refused = 0;

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = build(shapes[i].spec);

		for (uint64_t seed = 1; seed <= 20; seed++) {
			struct hd_fabric *degraded = with_failures(fabric, 100, seed);
			struct hd_grid *grid;
			struct hd_error err;
			int ret = hd_grid_recognise(degraded, NULL, &grid, &err);

			hd_grid_free(grid);
			if (ret)
				assert_hd_says(err, "in parts");
			else
				assert_kept(fabric, degraded, shapes[i].shape);
			n_refused += ret != 0;
			hd_fabric_free(degraded);
		}
		hd_fabric_free(fabric);
	}
	assert_in_range(n_refused, 0, 8); /* routers of KNS have two links to lose */
}

static void assert_refused(const char *spec, const char *words)
{
	struct hd_fabric *fabric = build(spec);
	struct hd_grid *grid;
	struct hd_error err;

	assert_int_equal(hd_grid_recognise(fabric, NULL, &grid, &err), HD_EREFUSED);
	assert_null(grid);
	assert_hd_says(err, words);
	hd_fabric_free(fabric);
}

static void other_shapes_are_refused(void **state)
{
	assert_refused("dragonfly:a=4,p=2,h=2", "not a grid");
	assert_refused("dragonfly:a=6,p=3,h=3", "not a grid");
	assert_refused("tree:k=4,n=3", "not a grid");
	assert_refused("tree:k=2,n=3", "not a grid");
}

static char *write_file(const char *text)
{
	char *path = strdup("/tmp/heddle-test-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	return path;
}

static int read_text(const struct hd_fabric *fabric, const char *text,
		     struct hd_grid_coordinates *coordinates, struct hd_error *err)
{
	char *path = write_file(text);
	int ret = hd_grid_read_coordinates(path, fabric, coordinates, err);

	unlink(path);
	free(path);
	return ret;
}

static void a_file_overrides_recognition(void **state)
{
	struct hd_fabric *fabric = build("torus:5x3");
	struct hd_grid_coordinates coordinates;
	struct hd_grid *grid;
	struct hd_error err;
	char text[1024];
	int length = snprintf(text, sizeof(text), "# turned around\n");

	for (uint32_t s = 0; s < 15; s++)
		length += snprintf(text + length, sizeof(text) - (size_t)length,
				   "0x%016llx %u %u # S\n",
				   (unsigned long long)fabric->nodes[s].guid, s / 5, 4 - s % 5);
	assert_hd_ok(read_text(fabric, text, &coordinates, &err), err);
	assert_hd_ok(hd_grid_recognise(fabric, &coordinates, &grid, &err), err);
	assert_describes(grid, "torus 3x5");
	assert_int_equal(grid->switch_at[0], 4);
	assert_int_equal(grid->switch_at[1], 9);
	hd_grid_free(grid);
	coordinates.at[0] = 2;
	assert_int_equal(hd_grid_recognise(fabric, &coordinates, &grid, &err), HD_EREFUSED);
	assert_hd_says(err, "have the same coordinates");
	free(coordinates.at);
	assert_int_equal(read_text(fabric, "0x1 2 3\n", &coordinates, &err), HD_EPARSE);
	assert_hd_says(err, "no switch of this fabric");
	assert_int_equal(read_text(fabric, "0x0001000000000000 2 x\n", &coordinates, &err),
			 HD_EPARSE);
	assert_hd_says(err, "are not 1 to 6 numbers");
	assert_int_equal(read_text(fabric, "0x0001000000000000 2 3\n0x0001000000000001 2\n",
				   &coordinates, &err),
			 HD_EPARSE);
	assert_hd_says(err, "1 coordinates, where there should be 2");
	assert_int_equal(read_text(fabric, "# nothing\n", &coordinates, &err), HD_EPARSE);
	assert_hd_says(err, "no coordinates");
	hd_fabric_free(fabric);
}

/* Line switches are those that the file leaves out. */
static void a_file_names_the_routers_of_a_kns(void **state)
{
	struct hd_fabric *fabric = build("kns:k=3,n=2");
	struct hd_grid_coordinates coordinates;
	struct hd_grid *grid;
	struct hd_error err;
	char text[1024];
	int length = 0;

	for (uint32_t s = 0; s < 9; s++)
		length += snprintf(text + length, sizeof(text) - (size_t)length, "%016llx %u %u\n",
				   (unsigned long long)fabric->nodes[s].guid, s % 3, s / 3);
	assert_hd_ok(read_text(fabric, text, &coordinates, &err), err);
	assert_hd_ok(hd_grid_recognise(fabric, &coordinates, &grid, &err), err);
	assert_describes(grid, "kns 3x3");
	assert_int_equal(grid->line_switch[0], 9);
	assert_int_equal(grid->line_switch[9 + 1], 13);
	assert_int_equal(grid->point[9], HD_NONE);
	free(coordinates.at);
	hd_grid_free(grid);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(generated_fabrics_keep_their_coordinates),
		cmocka_unit_test(any_order_of_nodes_and_ports_will_do),
		cmocka_unit_test(parallel_links_count_once),
		cmocka_unit_test(cables_of_trunks_may_be_missing),
		cmocka_unit_test(every_single_link_may_be_missing),
		cmocka_unit_test(every_single_switch_may_be_missing),
		cmocka_unit_test(one_percent_of_links_may_be_missing),
		cmocka_unit_test(other_shapes_are_refused),
		cmocka_unit_test(a_file_overrides_recognition),
		cmocka_unit_test(a_file_names_the_routers_of_a_kns),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
