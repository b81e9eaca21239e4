// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Tori of three dimensions with queues in 16 SLs: the SL has the halves of the destination. The
 * argument by brute force on one ring; proofs of tables, whole and after failures; the bands of
 * queues; refusals.
 */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "engines/engine.h"
#include "fabric/faults.h"
#include "sl2vl/grid_halves.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"

/* All minimal ways of all pairs on a ring: half, half and direction say what is still ahead. */
static void halves_tell_what_is_ahead(void **state)
{
	for (uint32_t k = 4; k < 40; k++) {
		const struct hd_grid grid = { .n_dimensions = 1, .size = { k } };

		for (uint32_t from = 0; from < k; from++)
			for (uint32_t distance = 1; distance <= k / 2; distance++)
				for (uint32_t at = 0; at < distance; at++) {
					const uint32_t up = (from + distance) % k;
					const uint32_t down = (from + k - distance) % k;
					const uint32_t high = (from + at) % k;
					const uint32_t low = (from + k - at) % k;
					const bool odd = k % 2;

					/* destinations in the middle count for either half */
					if (!odd || up != k / 2)
						assert_int_equal(
							up < high,
							hd_is_upper_half(&grid, 0, high) &&
								!hd_is_upper_half(&grid, 0, up));
					else
						assert_true(up > high &&
							    !hd_is_upper_half(&grid, 0, high));
					if (!odd || down != k / 2)
						assert_int_equal(
							down > low,
							!hd_is_upper_half(&grid, 0, low) &&
								hd_is_upper_half(&grid, 0, down));
					else
						assert_true(down < low &&
							    hd_is_upper_half(&grid, 0, low));
				}
	}
}

static int try_route(const struct hd_fabric *fabric, const char *engine, const char *queues,
		     const char *options, struct hd_tables **tables, struct hd_error *err)
{
	struct hd_params *params = hd_params_new(hd_engine_find(engine)->policy.options);
	struct hd_route_request request = { .queues = queues, .params = params };
	int ret = options ? hd_params_set_pair(params, engine, options, err) : 0;

	if (!ret)
		ret = hd_route(hd_engine_find(engine), fabric, &request, tables, err);
	hd_params_free(params);
	return ret;
}

/* The dependency graph of all flows, those of switches too, has no cycle. */
static void assert_sound(const struct hd_tables *tables, unsigned sls, unsigned vls)
{
	struct hd_check_result result;
	struct hd_error err;
	char text[512];

	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	if (result.failure != HD_CHECK_SOUND)
		fail_msg("%s", hd_check_summary(&result, tables->fabric, text, sizeof(text)));
	assert_in_range(result.sls, 1, sls);
	assert_in_range(result.vls, 1, vls);
	hd_check_clear(&result);
}

static const struct {
	const char *engine, *queues, *options;
	unsigned lmc;
} lanes[] = {
	{ "sasha", "dbbq:2", NULL, 1 },    { "osha", "dbbq:2", "ties=up", 1 },
	{ "hdor", "bbq:4", NULL, 0 },      { "hdor", "bbq:4", "order=yxz", 0 },
	{ "hdor", "bbq:4", "ties=up", 0 },
};

static void tori_are_proved(void **state)
{
	static const char *const specs[] = { "torus:4x4x4",        "torus:5x5x5", "torus:6x6x6",
					     "torus:5x6x7",        "torus:7x4x5", "torus:5x5x4,p=3",
					     "torus:5x4x5,trunk=2" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (size_t k = 0; k < sizeof(lanes) / sizeof(lanes[0]); k++) {
			struct hd_fabric *fabric = build_fabric(specs[i], lanes[k].lmc);
			struct hd_tables *tables;
			struct hd_error err;

			assert_hd_ok(try_route(fabric, lanes[k].engine, lanes[k].queues,
					       lanes[k].options, &tables, &err),
				     err);
			assert_sound(tables, 16, 8);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
		}
}

/* 7x7x7 once each: half a second of proofs. */
static void rings_of_seven_are_proved(void **state)
{
	for (size_t k = 0; k < 3; k += 2) {
		struct hd_fabric *fabric = build_fabric("torus:7x7x7", lanes[k].lmc);
		struct hd_tables *tables;
		struct hd_error err;

		assert_hd_ok(
			try_route(fabric, lanes[k].engine, lanes[k].queues, NULL, &tables, &err),
			err);
		assert_sound(tables, 16, 8);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

/* Other orders of nodes and ports, and GUIDs. */
static void relabelled_tori_are_proved(void **state)
{
	for (unsigned seed = 1; seed <= 3; seed++) {
		struct hd_fabric *plain = build_fabric("torus:5x6x5,p=2", 0);
		struct hd_fabric *fabric =
			with_lids(shuffled_copy(plain, seed, NULL, NULL), seed % 2);
		struct hd_tables *tables;
		struct hd_error err;

		assert_hd_ok(try_route(fabric, seed % 2 ? "sasha" : "hdor",
				       seed % 2 ? "dbbq:2" : "bbq:4", NULL, &tables, &err),
			     err);
		assert_sound(tables, 16, 8);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
		hd_fabric_free(plain);
	}
}

/* The queue at each hop to @lid, VL modulo queues, is that of the rule. */
static void assert_queues(const struct hd_tables *tables, uint32_t lid, unsigned n_queues,
			  unsigned queue)
{
	const struct hd_fabric *fabric = tables->fabric;
	const unsigned sl = tables->sl_rows[lid];

	hd_for_each_switch(s, fabric) {
		const unsigned out = hd_lft(tables, s)[lid];
		const hd_sl2vl_row row = tables->sl2vl[hd_sl2vl_index(tables, s, 0, out)];

		assert_int_equal(hd_row_vl(row, sl) % n_queues, queue);
	}
}

/*
 * Hosts are numbered along x, then y, then z; bands are those of equations 1 to 3, odd rings too.
 */
static void bands_are_the_papers(void **state)
{
	static const uint32_t sizes[] = { 5, 6, 7 };

	for (size_t i = 0; i < 3; i++) {
		const uint32_t k = sizes[i], n = k * k * k;
		char spec[32];
		struct hd_fabric *one, *two;
		struct hd_tables *bbq, *dbbq;
		struct hd_error err;

		snprintf(spec, sizeof(spec), "torus:%ux%ux%u", k, k, k);
		one = build_fabric(spec, 0);
		two = build_fabric(spec, 1);
		assert_hd_ok(try_route(one, "hdor", "bbq:4", NULL, &bbq, &err), err);
		assert_hd_ok(try_route(two, "sasha", "dbbq:2", NULL, &dbbq, &err), err);
		assert_int_equal(bbq->n_sl_rows, 1);
		for (uint32_t h = 0; h < n; h += 3) {
			const uint32_t p = hd_port_index(one, one->n_switches + h, 1);
			const uint32_t q = hd_port_index(two, two->n_switches + h, 1);

			assert_queues(bbq, one->ports[p].lid, 4, h * 4 / n);
			assert_queues(dbbq, two->ports[q].lid, 2, h * 2 / n);
			assert_queues(dbbq, two->ports[q].lid + 1u, 2, h % k * 2 / k);
		}
		hd_tables_free(bbq);
		hd_tables_free(dbbq);
		hd_fabric_free(one);
		hd_fabric_free(two);
	}
}

/* What is routed after a failure is proved; all but a few links may fail. */
static void failures_are_proved_or_refused(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:5x5x5", 1);
	unsigned routed = 0, refused = 0;

	for (uint32_t s = 0; s < fabric->n_switches; s += 9)
		for (unsigned port = 2; port <= 8; port += 2) {
			const uint32_t failed = hd_port_index(fabric, s, port == 8 ? 0 : port);
			struct hd_fabric *less;
			struct hd_tables *tables;
			struct hd_error err;
			int ret;

			assert_hd_ok(hd_fabric_without(fabric, &failed, port < 8, &s, port == 8,
						       &less, &err),
				     err);
			ret = try_route(less, "sasha", "dbbq:2", NULL, &tables, &err);
			if (!ret) {
				assert_sound(tables, 16, 8);
				hd_tables_free(tables);
				routed += port < 8;
			} else {
				assert_int_equal(ret, HD_EREFUSED);
				assert_hd_says(err, "detours do not fit into the 8 layers and 16");
				refused += port < 8;
			}
			hd_fabric_free(less);
		}
	assert_true(routed > 9 * refused);
	hd_fabric_free(fabric);
}

/* With fewer queues there is room, where datelines alone would have none: 8 classes, 2 queues. */
static void a_switch_fails(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:6x6x6", 0), *less;
	const uint32_t gone[] = { 0, 44, 129 };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_fabric_without(fabric, NULL, 0, gone, 3, &less, &err), err);
	assert_hd_ok(try_route(less, "hdor", "bbq:2", NULL, &tables, &err), err);
	assert_sound(tables, 16, 8);
	hd_tables_free(tables);
	hd_fabric_free(less);
	hd_fabric_free(fabric);
}

static void assert_refused(const char *spec, unsigned lmc, const char *engine, const char *queues,
			   const char *words)
{
	struct hd_fabric *fabric = build_fabric(spec, lmc);
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(try_route(fabric, engine, queues, NULL, &tables, &err), HD_EREFUSED);
	assert_hd_says(err, words);
	hd_fabric_free(fabric);
}

/* Queues that the halves say nothing of need their own SLs. */
static void what_does_not_fit_is_refused(void **state)
{
	assert_refused("torus:5x5x5", 1, "sasha", "xordet:2",
		       "16 flow classes x 2 queues (xordet) need 32 SLs");
	assert_refused("torus:6x6x6", 0, "hdor", "bbq:8",
		       "8 flow classes x 8 queues (bbq) need 64 SLs");
	assert_refused("torus:5x5x5x5", 1, "osha", "dbbq:2", "2^4 datelines of rings need 32 SLs");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(halves_tell_what_is_ahead),
		cmocka_unit_test(tori_are_proved),
		cmocka_unit_test(rings_of_seven_are_proved),
		cmocka_unit_test(relabelled_tori_are_proved),
		cmocka_unit_test(bands_are_the_papers),
		cmocka_unit_test(failures_are_proved_or_refused),
		cmocka_unit_test(a_switch_fails),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
