// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* hdor with an order of directions: the ways that packets take, proofs, refusals. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "check/walk.h"
#include "engines/engine.h"
#include "tests/unit/proof.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/grid.h"

#define MOST_HOPS 32

static int try_route(const struct hd_fabric *fabric, const char *order, const char *more,
		     const char *queues, struct hd_tables **tables, struct hd_error *err)
{
	const struct hd_engine *engine = hd_engine_find("hdor");
	struct hd_params *params = hd_params_new(engine->policy.options);
	struct hd_route_request request = { .queues = queues, .params = params };
	int ret = order ? hd_params_set(params, "hdor", "order", order, err) : 0;

	if (!ret && more)
		ret = hd_params_set_pair(params, "hdor", more, err);
	if (!ret)
		ret = hd_route(engine, fabric, &request, tables, err);
	hd_params_free(params);
	return ret;
}

static struct hd_tables *route(const struct hd_fabric *fabric, const char *order,
			       const char *queues)
{
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(try_route(fabric, order, NULL, queues, &tables, &err), err);
	return tables;
}

static void assert_lanes(const struct hd_tables *tables, unsigned sls, unsigned vls)
{
	const struct hd_check_result result = assert_sound(tables, NULL);

	assert_in_range(result.sls, 1, sls);
	assert_in_range(result.vls, 1, vls);
}

/* The @n-th of the orders of the directions of @dimensions, in @order. */
static void nth_order(unsigned n, unsigned dimensions, char order[16])
{
	char left[7][3] = { "x+", "x-", "y+", "y-", "z+", "z-" };

	order[0] = 0;
	for (unsigned k = 2 * dimensions; k > 0; k--) {
		unsigned i = n % k;

		n /= k;
		strcat(order, left[i]);
		memmove(left[i], left[i + 1], (k - i - 1) * sizeof(left[0]));
	}
}

/* The place in @order of the direction from point @from to @to, next to it along one dimension. */
static unsigned place_of(const struct hd_grid *grid, const char *order, uint32_t from, uint32_t to)
{
	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		uint32_t a = hd_grid_coordinate(grid, from, d), b = hd_grid_coordinate(grid, to, d);
		bool up = b > a;
		const char *at = order;

		if (a == b)
			continue;
		if (grid->kind[d] == HD_GRID_RING && b != a + 1 && a != b + 1)
			up = b == 0; /* over the dateline */
		while (at[0] != "xyz"[d] || at[1] != "-+"[up])
			at += 2;
		return (unsigned)(at - order) / 2;
	}
	fail();
	return 0;
}

static uint32_t distance(const struct hd_grid *grid, uint32_t from, uint32_t to)
{
	uint32_t sum = 0;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		uint32_t a = hd_grid_coordinate(grid, from, d), b = hd_grid_coordinate(grid, to, d);
		uint32_t along = a > b ? a - b : b - a;

		if (grid->kind[d] == HD_GRID_FULL)
			along = along > 0;
		if (grid->kind[d] == HD_GRID_RING && grid->size[d] - along < along)
			along = grid->size[d] - along;
		sum += along;
	}
	return sum;
}

/* Every flow takes as few hops as there are, and no direction before one of an earlier place. */
static void assert_ways(const struct hd_tables *tables, const struct hd_grid *grid,
			const char *order)
{
	const struct hd_fabric *fabric = tables->fabric;

	for (uint32_t i = 0; i < fabric->n_endports; i++)
		hd_for_each_lid(lid, fabric) {
			uint32_t source = fabric->endports[i];
			struct hd_flow flow = { .source = source, .lid = (uint16_t)lid };
			struct hd_hop hops[MOST_HOPS];
			unsigned place = 0, links = 0;
			uint32_t first = HD_NONE, last = HD_NONE;
			size_t n;

			flow.sl = (uint8_t)hd_path_sl(tables, source, lid);
			if (fabric->lids[lid].port == HD_NONE || fabric->lids[lid].port == source)
				continue;
			assert_int_equal(hd_walk(tables, &flow, hops, MOST_HOPS, &n),
					 HD_CHECK_SOUND);
			for (size_t h = 0; h < n; h++) {
				uint32_t point;

				if (!hd_is_switch(fabric, hops[h].node))
					continue;
				point = grid->point[hops[h].node];
				if (last == HD_NONE) {
					first = point;
				} else {
					unsigned next = place_of(grid, order, last, point);

					assert_in_range(next, place, 5);
					place = next;
					links++;
				}
				last = point;
			}
			if (last != HD_NONE)
				assert_int_equal(links, distance(grid, first, last));
		}
}

/* All orders of two dimensions, and every 23rd of three. */
static void directions_are_taken_in_order(void **state)
{
	static const struct {
		const char *spec;
		unsigned dimensions, step, sls, vls;
	} cases[] = {
		{ "mesh:4x3", 2, 1, 1, 1 },      { "mesh:3x3,p=2", 2, 5, 1, 1 },
		{ "torus:5x4", 2, 1, 2, 2 },     { "torus:6x5", 2, 5, 4, 2 },
		{ "torus:4x4", 2, 1, 1, 1 },     { "hyperx:4x3", 2, 1, 1, 1 },
		{ "mesh:3x2x3", 3, 23, 1, 1 },   { "torus:4x5x3", 3, 23, 2, 2 },
		{ "hyperx:3x2x3", 3, 23, 1, 1 }, { "torus:5x5x5", 3, 360, 8, 2 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric = build_fabric(cases[i].spec, 0);
		const unsigned n_orders = cases[i].dimensions == 2 ? 24 : 720;
		struct hd_grid *grid;
		struct hd_error err;

		assert_hd_ok(hd_grid_recognise(fabric, NULL, &grid, &err), err);
		for (unsigned n = 0; n < n_orders; n += cases[i].step) {
			struct hd_tables *tables;
			char order[16];

			nth_order(n, cases[i].dimensions, order);
			tables = route(fabric, order, NULL);
			assert_ways(tables, grid, order);
			assert_lanes(tables, cases[i].sls, cases[i].vls);
			hd_tables_free(tables);
		}
		hd_grid_free(grid);
		hd_fabric_free(fabric);
	}
}

/* Both directions of a dimension before the next dimension's: the tables of dimension order. */
static void dimension_order_is_one_of_them(void **state)
{
	static const char *const specs[] = { "mesh:4x3x3", "torus:6x5x4", "hyperx:3x4x2,p=2" };
	static const char *const pairs[][2] = { { "x+x-y+y-z+z-", NULL },
						{ "z-z+x-x+y+y-", "order=zxy" } };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (size_t k = 0; k < 2; k++) {
			struct hd_fabric *fabric = build_fabric(specs[i], 0);
			struct hd_tables *directions = route(fabric, pairs[k][0], NULL);
			struct hd_tables *dimensions;
			struct hd_error err;

			assert_hd_ok(try_route(fabric, NULL, pairs[k][1], NULL, &dimensions, &err),
				     err);
			assert_memory_equal(directions->lft, dimensions->lft,
					    directions->lft_stride * fabric->n_switches);
			hd_tables_free(directions);
			hd_tables_free(dimensions);
			hd_fabric_free(fabric);
		}
}

static void queues_go_with_directions(void **state)
{
	static const char *const queues[] = { "dbbm:4", "bbq:4", "xordet:4", "iodet:2" };

	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
		struct hd_fabric *mesh = build_fabric("mesh:4x4", 0),
				 *torus = build_fabric("torus:5x4", 0);
		struct hd_tables *tables = route(mesh, "x+y+x-y-", queues[i]);

		assert_lanes(tables, 16, 4);
		hd_tables_free(tables);
		tables = route(torus, "y-x+x-y+", queues[i]);
		assert_lanes(tables, 16, 8);
		hd_tables_free(tables);
		hd_fabric_free(mesh);
		hd_fabric_free(torus);
	}
}

static void assert_refused(const char *spec, const char *order, const char *more, int code,
			   const char *words)
{
	struct hd_fabric *fabric = build_fabric(spec, 0);
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(try_route(fabric, order, more, NULL, &tables, &err), code);
	assert_hd_says(err, words);
	hd_fabric_free(fabric);
}

static void bad_orders_are_refused(void **state)
{
	assert_refused("mesh:3x3", "x+y+x-", NULL, HD_EINVAL, "order: y- is missing");
	assert_refused("mesh:3x3", "x+x-", NULL, HD_EINVAL, "order: y+ is missing");
	assert_refused("mesh:3x3", "x+y+x-y-x+", NULL, HD_EINVAL, "order: x+ is there twice");
	assert_refused("mesh:3x3", "x+y+x-y", NULL, HD_EINVAL, "expected + or - behind 'x+y+x-y'");
	assert_refused("mesh:3x3", "xy+", NULL, HD_EINVAL, "expected + or - behind 'x'");
	assert_refused("mesh:3x3", "+x", NULL, HD_EINVAL, "'+' is none of the dimensions 'xy'");
	assert_refused("mesh:3x3", "x+y+z+x-y-z-", NULL, HD_EINVAL, "'z' is none of");
	assert_refused("mesh:3x3", "x+y+x-y-", "ar=negative-first", HD_EINVAL,
		       "port sets need an order of dimensions");
	assert_refused("kns:k=3,n=2", "x+y+x-y-", NULL, HD_EREFUSED,
		       "share the links of line switches");
	assert_refused("torus:5x5x5x5x5", "x+y+z+u+v+x-y-z-u-v-", NULL, HD_EREFUSED,
		       "1 sets of routes x 2^5 datelines of rings need 32 SLs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(directions_are_taken_in_order),
		cmocka_unit_test(dimension_order_is_one_of_them),
		cmocka_unit_test(queues_go_with_directions),
		cmocka_unit_test(bad_orders_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
