// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* SLs and VLs that service classes keep when routes need others. */
#include "tests/unit/unit.h"

#include <string.h>

#include "check/check.h"
#include "engines/engine.h"
#include "engines/stable_lanes.h"
#include "fabric/faults.h"
#include "vlarb/class_layout.h"
#include "tables/classes.h"
#include "tests/unit/mixing.h"
#include "tests/unit/proof.h"
#include "tests/unit/spec_fabric.h"

static const char dragonfly[] = "dragonfly:a=4,p=2,h=2";

static struct hd_classes classes_of(const char *text)
{
	struct hd_classes classes;
	struct hd_error err;

	assert_hd_ok(hd_classes_parse("classes", text, strlen(text), &classes, &err), err);
	return classes;
}

static struct hd_classes two(void)
{
	return classes_of("[class a]  share = 30%\n[class b]  share = 70%  packet = 256\n");
}

/* What @engine makes of @fabric after @previous, which may be NULL, as may be @older and @kept. */
static struct hd_tables *route(const struct hd_fabric *fabric, const char *engine,
			       const struct hd_classes *classes, const struct hd_tables *previous,
			       const struct hd_tables *older, struct hd_lanes_outcome *kept)
{
	const struct hd_route_request request = {
		.classes = classes,
		.previous = previous,
		.previous_by = hd_engine_find(engine),
		.older = &older,
		.n_older = older ? 1 : 0,
		.kept = kept,
	};
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	return tables;
}

/* Pairs have the path SLs that they had, in every class. */
static void assert_same_class_sls(const struct hd_tables *now, const struct hd_tables *previous)
{
	assert_true(hd_classes_have_same_sls(now->classes, previous->classes));
	assert_same_sls(now, previous);
}

/* Every link serves the VLs of each class, and none for two lanes. */
static void assert_lanes_apart(const struct hd_tables *tables)
{
	const unsigned a = hd_class_vls(tables, 0), b = hd_class_vls(tables, 1);

	assert_int_equal(a & b, 0);
	hd_for_each_port(p, tables->fabric) {
		const uint32_t number = tables->vlarb_of_port[p];

		if (number != HD_NONE)
			assert_int_equal(hd_vlarb_serves(&tables->vlarbs[number]) & ~(a | b), 0);
	}
}

/* df-sssp needs eight or ten SLs for two classes where a link is missing, and six where none is. */
static void links_fail(void **state)
{
	const struct hd_classes classes = two();
	struct hd_fabric *whole = build_fabric(dragonfly, 0), *less;
	struct hd_tables *first = route(whole, "df-sssp", &classes, NULL, NULL, NULL);
	unsigned n_others = 0;

	(void)state;
	assert_int_equal(first->classes->n_sls, 3);
	for (unsigned n = 0; (less = fail_link(whole, 37 * n)); n++) {
		struct hd_tables *anew = route(less, "df-sssp", &classes, NULL, NULL, NULL);
		struct hd_tables *without, *back;
		struct hd_lanes_outcome kept;

		n_others += anew->classes->n_sls != 3;
		without = route(less, "df-sssp", &classes, first, NULL, &kept);
		assert_true(kept.is_kept);
		assert_true(is_sound(without));
		assert_same_class_sls(without, first);
		assert_lanes_apart(without);
		back = route(whole, "df-sssp", &classes, without, NULL, &kept);
		assert_true(kept.is_kept);
		assert_true(is_sound(back));
		assert_same_class_sls(back, first);
		assert_lanes_apart(back);
		hd_tables_free(back);
		hd_tables_free(without);
		hd_tables_free(anew);
		hd_fabric_free(less);
	}
	assert_true(n_others > 2);
	hd_tables_free(first);
	hd_fabric_free(whole);
}

/* Hosts that were away have the SLs of before, unless classes had others then. */
static void switches_return(void **state)
{
	const struct hd_classes classes = two();
	struct hd_classes moved = two();
	struct hd_fabric *whole = build_fabric(dragonfly, 0);
	struct hd_tables *first = route(whole, "df-sssp", &classes, NULL, NULL, NULL);
	struct hd_tables *elsewhere;

	(void)state;
	moved.list[0].first_sl = 4;
	elsewhere = route(whole, "df-sssp", &moved, NULL, NULL, NULL);
	for (uint32_t s = 1; s < whole->n_switches; s += 11) {
		struct hd_tables *without, *back, *apart;
		struct hd_fabric *less;
		struct hd_lanes_outcome kept;
		struct hd_error err;

		assert_hd_ok(hd_fabric_without(whole, NULL, 0, &s, 1, &less, &err), err);
		without = route(less, "df-sssp", &classes, first, NULL, &kept);
		assert_true(kept.is_kept);
		assert_same_class_sls(without, first);
		back = route(whole, "df-sssp", &classes, without, first, &kept);
		assert_true(kept.is_kept);
		assert_true(is_sound(back));
		assert_same_class_sls(back, first);
		apart = route(whole, "df-sssp", &classes, without, elsewhere, &kept);
		assert_true(kept.is_kept);
		assert_true(is_sound(apart));
		for (uint32_t i = 0; i < whole->n_endports; i++)
			hd_for_each_lid(lid, whole)
				if (whole->lids[lid].port != HD_NONE)
					assert_in_range(hd_path_sl(apart, whole->endports[i], lid),
							0, 2);
		hd_tables_free(apart);
		hd_tables_free(back);
		hd_tables_free(without);
		hd_fabric_free(less);
	}
	hd_tables_free(elsewhere);
	hd_tables_free(first);
	hd_fabric_free(whole);
}

/* What needs no more SLs and VLs than there were is the same in other numbers. */
static void more_than_needed(void **state)
{
	const struct hd_classes classes = two();
	struct hd_fabric *whole = build_fabric(dragonfly, 0), *less = fail_link(whole, 37);
	struct hd_tables *now = route(whole, "df-sssp", &classes, NULL, NULL, NULL);
	struct hd_tables *before = route(less, "df-sssp", &classes, NULL, NULL, NULL), *laid;
	const struct hd_class *b = &now->classes->list[1];
	struct hd_error err;

	(void)state;
	assert_int_equal(before->classes->n_sls, 4);
	assert_hd_ok(hd_class_layout_take(now, before, &laid, &err), err);
	assert_non_null(laid);
	assert_true(hd_class_layout_is(laid, before));
	assert_true(is_sound(laid));
	assert_int_equal(laid->classes->list[1].first_sl, 4);
	assert_int_equal(laid->classes->first_vl[1], 4);
	assert_memory_equal(laid->lft, now->lft, whole->n_switches * now->lft_stride);
	hd_for_each_number(out, whole, 0)
		for (unsigned own = 0; own < 3; own++) {
			const size_t row = hd_sl2vl_index(now, 0, 1, out);

			assert_int_equal(hd_row_vl(laid->sl2vl[row], own),
					 hd_row_vl(now->sl2vl[row], own));
			assert_int_equal(hd_row_vl(laid->sl2vl[row], 4 + own),
					 hd_row_vl(now->sl2vl[row], b->first_sl + own) + 1u);
		}
	hd_tables_free(laid);
	hd_tables_free(before);
	hd_tables_free(now);
	hd_fabric_free(less);
	hd_fabric_free(whole);
}

/* Nothing is done for other classes, nor for the same SLs and VLs. */
static void nothing_to_do(void **state)
{
	static const char *const others[] = {
		"[class a]  share = 40%\n[class b]  share = 60%  packet = 256\n",
		"[class a]  share = 30%\n[class c]  share = 70%  packet = 256\n",
		"[class a]  share = 100%\n",
	};
	const struct hd_classes classes = two();
	struct hd_fabric *fabric = build_fabric(dragonfly, 0);
	struct hd_tables *now = route(fabric, "df-sssp", &classes, NULL, NULL, NULL), *laid;
	struct hd_tables *none = route(fabric, "df-sssp", NULL, NULL, NULL, NULL);
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_class_layout_take(now, now, &laid, &err), err);
	assert_null(laid);
	assert_hd_ok(hd_class_layout_take(now, none, &laid, &err), err);
	assert_null(laid);
	assert_hd_ok(hd_class_layout_take(none, now, &laid, &err), err);
	assert_null(laid);
	assert_true(hd_class_layout_is(none, none));
	assert_false(hd_class_layout_is(none, now));
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		const struct hd_classes other = classes_of(others[i]);
		struct hd_tables *before = route(fabric, "df-sssp", &other, NULL, NULL, NULL);

		assert_hd_ok(hd_class_layout_take(now, before, &laid, &err), err);
		assert_null(laid);
		assert_false(hd_class_layout_is(now, before));
		hd_tables_free(before);
	}
	hd_tables_free(none);
	hd_tables_free(now);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_fail),
		cmocka_unit_test(switches_return),
		cmocka_unit_test(more_than_needed),
		cmocka_unit_test(nothing_to_do),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
