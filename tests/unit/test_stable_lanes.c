// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Lanes that stay over a change. */
#include "tests/unit/unit.h"

#include <string.h>

#include "change/schedule.h"
#include "engines/engine.h"
#include "engines/stable_lanes.h"
#include "fabric/faults.h"
#include "tables/classes.h"
#include "tables/onto.h"
#include "tests/unit/mixing.h"
#include "tests/unit/proof.h"
#include "tests/unit/spec_fabric.h"

/* What @engine makes of @fabric with the lanes of @previous. */
static struct hd_tables *route_after(const struct hd_fabric *fabric, const char *engine,
				     const struct hd_tables *previous,
				     struct hd_lanes_outcome *kept)
{
	const struct hd_route_request request = {
		.previous = previous,
		.previous_by = hd_engine_find(engine),
		.kept = kept,
	};
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	return tables;
}

static void assert_free_lids_lead_nowhere(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		for (size_t lid = 0; lid < tables->lft_stride; lid++)
			if (lid > fabric->top_lid || fabric->lids[lid].port == HD_NONE)
				assert_int_equal(hd_lft(tables, s)[lid], HD_NO_PATH);
}

/* In rounds, with the path SLs that hosts have; returns whether something is dropped on the way. */
static bool assert_scheduled(const struct hd_tables *now, const struct hd_tables *previous)
{
	struct hd_tables *before = put_onto(previous, now->fabric);
	struct hd_schedule schedule;
	struct hd_error err;
	bool drops = false;

	assert_hd_ok(hd_schedule_make(now, before, &schedule, &err), err);
	assert_false(schedule.needs_new_sls);
	for (unsigned i = 0; i < schedule.n_rounds; i++)
		drops |= schedule.rounds[i].n_dropped_entries || schedule.rounds[i].n_dropped_rows;
	hd_schedule_clear(&schedule);
	hd_tables_free(before);
	return drops;
}

static void assert_same(const struct hd_tables *a, const struct hd_tables *b)
{
	const struct hd_fabric *fabric = a->fabric;

	assert_memory_equal(a->lft, b->lft, fabric->n_switches * a->lft_stride);
	assert_memory_equal(a->sl2vl, b->sl2vl,
			    a->sl2vl_first[fabric->n_nodes] * sizeof(*a->sl2vl));
	for (uint32_t i = 0; i < fabric->n_endports; i++)
		hd_for_each_lid(lid, fabric)
			if (fabric->lids[lid].port != HD_NONE)
				assert_int_equal(hd_path_sl(a, fabric->endports[i], lid),
						 hd_path_sl(b, fabric->endports[i], lid));
}

static const struct shape {
	const char *fabric, *engine;
	unsigned lmc, every;
	bool may_drop; /* on the way to the new tables */
	bool may_fail; /* first fit finds no detours for some changes */
} shapes[] = {
	{ "torus:6x6", "hdor", 0, 17, true, true },
	{ "kns:k=4,n=2", "hdor", 0, 9, true, false },
	{ "dragonfly:a=4,p=1,h=2", "df-sssp", 0, 37, false, false },
	{ "dragonfly:a=4,p=1,h=2", "df-minhop", 0, 37, false, false },
	{ "dragonfly:a=4,p=1,h=2", "dfval", 1, 53, true, false },
	{ "dragonfly:a=4,p=1,h=2", "dla", 0, 37, false, false },
	{ "torus:5x5", "updn", 0, 17, true, false },
	{ "kns:k=4,n=2", "any", 0, 9, true, false },
};

/* Links fail and come back, one at a time. */
static void links_fail_and_return(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *shape = &shapes[i];
		struct hd_fabric *whole = build_fabric(shape->fabric, shape->lmc), *less;
		struct hd_tables *first = route_by(whole, shape->engine);
		unsigned n_kept = 0, n_restored = 0, n = 0;

		for (; (less = fail_link(whole, n * shape->every)); n++) {
			struct hd_lanes_outcome kept;
			struct hd_tables *without = route_after(less, shape->engine, first, &kept);
			struct hd_tables *again, *back;

			assert_true(kept.is_kept || shape->may_fail);
			assert_sound(without, NULL);
			if (!kept.is_kept) {
				hd_tables_free(without);
				hd_fabric_free(less);
				continue;
			}
			n_kept++;
			if (!kept.is_fresh)
				assert_same_sls(without, first);
			assert_true(!assert_scheduled(without, first) || shape->may_drop);
			again = route_after(less, shape->engine, first, &kept);
			assert_same(without, again);
			back = route_after(whole, shape->engine, without, &kept);
			assert_true(kept.is_kept);
			assert_sound(back, NULL);
			if (!kept.is_fresh)
				assert_same_sls(back, without);
			assert_scheduled(back, without);
			n_restored += !memcmp(back->lft, first->lft,
					      whole->n_switches * first->lft_stride);
			hd_tables_free(back);
			hd_tables_free(again);
			hd_tables_free(without);
			hd_fabric_free(less);
		}
		print_message(
			"%s, %s: lanes stayed for %u of %u links, %u came back to the routes of "
			"before\n",
			shape->fabric, shape->engine, n_kept, n, n_restored);
		assert_true(2 * n_kept > n && n_restored > 0);
		hd_tables_free(first);
		hd_fabric_free(whole);
	}
}

/* Switches fail and come back, with their hosts; the next fails before the last is back. */
static void switches_fail_and_return(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		const struct shape *shape = &shapes[i];
		struct hd_fabric *fabric = build_fabric(shape->fabric, shape->lmc), *whole = fabric;
		struct hd_tables *tables = route_by(fabric, shape->engine);
		unsigned n_kept = 0, n = 0;

		for (uint32_t s = 1; s + 5 < whole->n_switches; s += whole->n_switches / 4, n++) {
			const uint32_t failed[] = { s, s + 3 }, one = n % 2;
			struct hd_fabric *less;
			struct hd_tables *next;
			struct hd_lanes_outcome kept;
			struct hd_error err;

			assert_hd_ok(
				hd_fabric_without(whole, NULL, 0, failed, 1 + one, &less, &err),
				err);
			next = route_after(less, shape->engine, tables, &kept);
			assert_sound(next, NULL);
			assert_free_lids_lead_nowhere(next);
			n_kept += kept.is_kept;
			if (kept.is_kept && !kept.is_fresh)
				assert_same_sls(next, tables);
			if (kept.is_kept) {
				assert_scheduled(next, tables);
			} else {
				assert_int_not_equal(kept.reason[0], 0);
			}
			hd_tables_free(tables);
			if (fabric != whole)
				hd_fabric_free(fabric);
			fabric = less;
			tables = next;
		}
		print_message("%s, %s: lanes stayed in %u of %u changes\n", shape->fabric,
			      shape->engine, n_kept, n);
		assert_true(n_kept == n || shape->may_fail);
		hd_tables_free(tables);
		if (fabric != whole)
			hd_fabric_free(fabric);
		hd_fabric_free(whole);
	}
}

/* A switch that comes back with its hosts has the path SLs of before, which others still use. */
static void nodes_return_to_their_sls(void **state)
{
	const struct hd_engine *engine = hd_engine_find("df-sssp");
	struct hd_fabric *whole = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_tables *first = route_by(whole, "df-sssp"), *sls;
	const struct hd_tables *older[1];
	struct hd_error err;

	(void)state;
	/* nothing else is read of older tables */
	assert_hd_ok(hd_tables_onto_sls(first, whole, &sls, &err), err);
	assert_null(sls->lft);
	assert_null(sls->sl2vl);
	assert_same_sls(sls, first);
	older[0] = sls;
	for (uint32_t s = 1; s < whole->n_switches; s += 11) {
		struct hd_route_request request = { .previous_by = engine, .older = older };
		struct hd_tables *without, *back;
		struct hd_fabric *less;
		struct hd_lanes_outcome kept;

		assert_hd_ok(hd_fabric_without(whole, NULL, 0, &s, 1, &less, &err), err);
		without = route_after(less, "df-sssp", first, &kept);
		assert_true(kept.is_kept);
		request.previous = without;
		request.n_older = 1;
		request.kept = &kept;
		assert_hd_ok(hd_route(engine, whole, &request, &back, &err), err);
		assert_true(kept.is_kept);
		assert_sound(back, NULL);
		assert_same_sls(back, first);
		hd_tables_free(back);
		hd_tables_free(without);
		hd_fabric_free(less);
	}
	hd_tables_free(sls);
	hd_tables_free(first);
	hd_fabric_free(whole);
}

/* What cannot stay is said. */
static void reasons_are_given(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:5x5", 0), *renumbered, *less;
	struct hd_tables *loops = route_by(fabric, "minhop"), *other, *tables;
	struct hd_route_request request = { .previous = loops,
					    .previous_by = hd_engine_find("minhop") };
	struct hd_lanes_outcome kept = { 0 };
	struct hd_error err;

	(void)state;
	/* not by this engine: nothing is looked at */
	request.kept = &kept;
	assert_hd_ok(hd_route(hd_engine_find("hdor"), fabric, &request, &tables, &err), err);
	assert_false(kept.is_kept);
	hd_tables_free(tables);

	/* tables with a credit loop */
	less = fail_link(fabric, 7);
	tables = route_by(less, "hdor");
	assert_hd_ok(hd_stable_lanes(tables, &(struct hd_structure){ 0 },
				     &(struct hd_earlier){ .previous = loops }, &other, &kept,
				     &err),
		     err);
	assert_null(other);
	assert_false(kept.is_kept);
	assert_non_null(strstr(kept.reason, "credit loop"));
	hd_tables_free(tables);
	hd_fabric_free(less);

	/* other LIDs */
	renumbered = build_fabric("torus:5x5", 1);
	tables = route_after(renumbered, "minhop", loops, &kept);
	assert_false(kept.is_kept);
	assert_non_null(strstr(kept.reason, "renumbered"));
	hd_tables_free(tables);
	hd_fabric_free(renumbered);
	hd_tables_free(loops);
	hd_fabric_free(fabric);
}

/* Lanes stay where @less is what is left of @whole, and where that is there again. */
static void assert_stay(const struct hd_fabric *whole, const struct hd_tables *first,
			const struct hd_fabric *less, const struct hd_route_request *how)
{
	const struct hd_engine *engine = how->previous_by;
	struct hd_route_request request = *how;
	struct hd_tables *without, *back;
	struct hd_lanes_outcome kept;
	struct hd_error err;

	request.kept = &kept;
	request.previous = first;
	assert_hd_ok(hd_route(engine, less, &request, &without, &err), err);
	assert_true(kept.is_kept);
	assert_sound(without, NULL);
	assert_same_sls(without, first);
	assert_scheduled(without, first);
	request.previous = without;
	request.older = &first;
	request.n_older = 1;
	assert_hd_ok(hd_route(engine, whole, &request, &back, &err), err);
	assert_true(kept.is_kept);
	assert_sound(back, NULL);
	assert_scheduled(back, without);
	hd_tables_free(back);
	hd_tables_free(without);
}

/*
 * The two networks of osha on KNS keep their lanes whichever cable fails, of the first dimension or
 * the second, and whichever router or line switch. Line switches send packets of their own to
 * hosts' second LIDs, and turn where no host's packets do; detours have to make such turns, too.
 */
static void two_networks_stay(void **state)
{
	static const char *const queues[] = { NULL, "dbbq:2" };

	(void)state;
	for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++) {
		struct hd_fabric *whole = build_fabric("kns:k=4,n=2", 1), *less;
		const struct hd_route_request request = { .previous_by = hd_engine_find("osha"),
							  .queues = queues[i] };
		struct hd_tables *first;
		struct hd_error err;

		assert_hd_ok(hd_route(request.previous_by, whole, &request, &first, &err), err);
		for (unsigned n = 0; (less = fail_link(whole, n)); n++) {
			assert_stay(whole, first, less, &request);
			hd_fabric_free(less);
		}
		hd_for_each_switch(s, whole) {
			assert_hd_ok(hd_fabric_without(whole, NULL, 0, &s, 1, &less, &err), err);
			assert_stay(whole, first, less, &request);
			hd_fabric_free(less);
		}
		hd_tables_free(first);
		hd_fabric_free(whole);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_fail_and_return),
		cmocka_unit_test(switches_fail_and_return),
		cmocka_unit_test(nodes_return_to_their_sls),
		cmocka_unit_test(two_networks_stay),
		cmocka_unit_test(reasons_are_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
