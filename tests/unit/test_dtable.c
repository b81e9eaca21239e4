// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* DTable's configuration and correction: the tables of the paper. */
#include "tests/unit/unit.h"

#include <math.h>

#include "vlarb/dtable.h"
#include "vlarb/sbt_table.h"

#define assert_near(value, wanted)                                                   \
	do {                                                                         \
		if (fabs((value) - (wanted)) > 1e-5)                                 \
			fail_msg("%s is %.6f, not %.6f", #value, (value), (wanted)); \
	} while (0)

static void make(const struct hd_dtable_form *form, struct hd_dtable_class *classes, unsigned n,
		 struct hd_dtable *table)
{
	struct hd_error err;

	assert_hd_ok(hd_dtable_make(form, classes, n, table, &err), err);
}

/* Table 5, whose first n is 64 and whose first MTU is 1; the shares sum to 1 with .3334 first. */
static void three_classes(void **state)
{
	const struct hd_dtable_form form = { .n = 128, .gmtu = 3, .w = 4, .k = 3 };
	struct hd_dtable_class classes[] = {
		{ .name = "0", .distance = 2, .mtu = 1, .share = 3334, .of = 10000 },
		{ .name = "1", .distance = 4, .mtu = 2, .share = 3333, .of = 10000 },
		{ .name = "2", .distance = 4, .mtu = 3, .share = 3333, .of = 10000 },
	};
	static const double least[] = { .05556, .05556, .08333 },
			    most[] = { .66667, .33333, .33333 };
	static const uint64_t weights[] = { 7, 12, 12 }, sums[] = { 448, 384, 384 };
	static const double first[] = { .36842, .31579, .31579 };
	static const int64_t missing[] = { -43, 21, 21 };
	struct hd_dtable table;

	make(&form, classes, 3, &table);
	assert_int_equal(table.pool, 1152);
	assert_int_equal(table.most_weight, 12);
	assert_int_equal(table.first_total, 1216);
	assert_int_equal(table.total, 1215);
	for (unsigned c = 0; c < 3; c++) {
		assert_int_equal(classes[c].n_entries, c ? 32 : 64);
		assert_near(classes[c].least, least[c]);
		assert_near(classes[c].most, most[c]);
		assert_int_equal(classes[c].first_weight, weights[c]);
		assert_int_equal(classes[c].first_sum, sums[c]);
		assert_near(classes[c].first_part, first[c]);
		assert_int_equal(classes[c].missing, missing[c]);
		assert_int_equal(classes[c].sum, 405);
		assert_near(classes[c].part, 1. / 3);
	}
	/* of exact thirds there is nothing to correct */
	for (unsigned c = 0; c < 3; c++) {
		classes[c].share = 1;
		classes[c].of = 3;
	}
	make(&form, classes, 3, &table);
	for (unsigned c = 0; c < 3; c++) {
		assert_int_equal(classes[c].first_weight, c ? 12 : 6);
		assert_int_equal(classes[c].missing, 0);
		assert_int_equal(classes[c].sum, 384);
	}
}

/* Table 6. */
static void correction(void **state)
{
	struct hd_dtable_entry entries[] = { { 0, 4 }, { 1, 2 }, { 0, 4 }, { 2, 3 },
					     { 0, 4 }, { 1, 2 }, { 0, 4 }, { 2, 3 } };
	static const struct hd_dtable_entry wanted[] = { { 0, 4 }, { 1, 2 }, { 0, 3 }, { 2, 4 },
							 { 0, 3 }, { 1, 3 }, { 0, 3 }, { 2, 4 } };
	struct hd_dtable_entry low[] = { { 0, 2 }, { 0, 3 } };

	hd_dtable_correct(entries, 8, (int64_t[]){ -3, 1, 2 }, (unsigned[]){ 1, 2, 3 }, 3);
	for (unsigned i = 0; i < 8; i++) {
		assert_int_equal(entries[i].class, wanted[i].class);
		assert_int_equal(entries[i].weight, wanted[i].weight);
	}
	/* no weight goes below a packet */
	hd_dtable_correct(low, 2, (int64_t[]){ -9 }, (unsigned[]){ 2 }, 1);
	assert_int_equal(low[0].weight + low[1].weight, 4);
}

#define FIVE(of1)                                                                             \
	{                                                                                     \
		{ .name = "VO", .distance = 2, .mtu = 2, .share = 10, .of = (of1) },          \
			{ .name = "VI", .distance = 4, .mtu = 4, .share = 30, .of = (of1) },  \
			{ .name = "CL", .distance = 8, .mtu = 8, .share = 50, .of = (of1) },  \
			{ .name = "BE", .distance = 16, .mtu = 16, .share = 5, .of = (of1) }, \
			{ .name = "BK", .distance = 16, .mtu = 16, .share = 5, .of = (of1) }, \
	}

/* Tables 9 and 10, and the same in 64 entries, which a VL arbitration table has. */
static void five_classes(void **state)
{
	static const uint64_t weights[] = { 7, 39, 128, 26, 26 };
	static const uint64_t final[] = { 416, 1248, 2080, 208, 208 };
	static const double most[] = { 2, 1, .5, .25, .25 };
	static const double first[] = { .10769, .3, .49231, .05, .05 };
	static const int64_t missing[] = { -32, 0, 32, 0, 0 };
	static const char pattern[] = "0102010301020104";

	for (unsigned n = 128; n >= 64; n /= 2) {
		const struct hd_dtable_form form = { .n = n, .gmtu = 16, .w = 8, .k = 2 };
		struct hd_dtable_class classes[] = FIVE(100);
		const unsigned part = 128 / n;
		double least = 0, greatest = 0;
		struct hd_dtable table;

		make(&form, classes, 5, &table);
		assert_int_equal(table.pool, 4096 / part);
		assert_int_equal(table.first_total, 4160 / part);
		for (unsigned c = 0; c < 5; c++) {
			assert_near(classes[c].least, .03125);
			assert_near(classes[c].most, most[c]);
			least += classes[c].least;
			greatest += classes[c].most;
			assert_int_equal(classes[c].first_weight, weights[c]);
			assert_near(classes[c].first_part, first[c]);
			assert_int_equal(classes[c].missing, missing[c] / (int)part);
			assert_int_equal(classes[c].sum, final[c] / part);
			assert_near(classes[c].part, (double)classes[c].share / 100);
		}
		assert_near(least, .15625);
		assert_near(greatest, 4.);
		for (unsigned i = 0; i < n; i++)
			assert_int_equal(table.entries[i].class, pattern[i % 16] - '0');
		/* the last half of VO's entries lose a unit each; all of CL's gain two */
		assert_int_equal(table.entries[0].weight, 7);
		assert_int_equal(table.entries[n / 2 - 2].weight, 7);
		assert_int_equal(table.entries[n / 2].weight, 6);
		assert_int_equal(table.entries[n - 2].weight, 6);
		assert_int_equal(table.entries[3].weight, 130);
		assert_int_equal(table.entries[n - 5].weight, 130);
	}
}

static void what_is_refused(void **state)
{
	const struct hd_dtable_form form = { .n = 128, .gmtu = 16, .w = 8, .k = 2 };
	struct hd_dtable_class big[] = FIVE(100), gap[] = FIVE(100);
	struct hd_dtable table;
	struct hd_error err;

	big[2].share = 52;
	big[1].share = 28;
	assert_int_equal(hd_dtable_make(&form, big, 5, &table, &err), HD_EREFUSED);
	assert_hd_says(err,
		       "class CL: a share of 0.52000, where 16 of 128 entries with k=2 and w=8 "
		       "have 0.03125 to 0.50000");
	assert_int_equal(hd_dtable_make(&form, gap, 4, &table, &err), HD_EREFUSED);
	assert_hd_says(err, "leave entry 15 of 128 free");
	gap[4].distance = 8;
	gap[4].share = 7;
	assert_int_equal(hd_dtable_make(&form, gap, 5, &table, &err), HD_EREFUSED);
	assert_hd_says(err, "class BE: no place in 128 entries with a distance of 16");
	gap[4].distance = 3;
	gap[4].share = 5;
	assert_int_equal(hd_dtable_make(&form, gap, 5, &table, &err), HD_EREFUSED);
	assert_hd_says(err, "class BK: a distance of 3 in 128 entries");
	gap[0].mtu = 17;
	assert_int_equal(hd_dtable_make(&form, gap, 5, &table, &err), HD_EREFUSED);
	assert_hd_says(err, "class VO: an MTU of 17 above 16");
}

/* Table 2, and the weights of the paper's five classes with packets of their own. */
static void simple_tables(void **state)
{
	struct hd_sbt_class two[] = { { .name = "0", .packet = 2, .share = 55, .of = 100 },
				      { .name = "1", .packet = 2, .share = 45, .of = 100 } };
	struct hd_sbt_class five[] = { { .packet = 2, .share = 1, .of = 10 },
				       { .packet = 4, .share = 3, .of = 10 },
				       { .packet = 8, .share = 1, .of = 2 },
				       { .packet = 16, .share = 1, .of = 20 },
				       { .packet = 16, .share = 1, .of = 20 } };
	struct hd_sbt_class thirds[] = { { .packet = 1, .share = 1, .of = 3 },
					 { .packet = 1, .share = 1, .of = 3 },
					 { .packet = 1, .share = 1, .of = 3 } };
	struct hd_sbt_class small[] = { { .name = "much", .packet = 1, .share = 999, .of = 1000 },
					{ .name = "little", .packet = 1, .share = 1, .of = 1000 } };
	static const unsigned weights[] = { 10, 30, 50, 5, 5 };
	struct hd_error err;

	assert_hd_ok(hd_sbt_make(two, 2, &err), err);
	assert_int_equal(two[0].weight, 55);
	assert_int_equal(two[1].weight, 45);
	assert_near(two[0].packets, .55);
	assert_near(two[1].bytes, .45);
	assert_hd_ok(hd_sbt_make(five, 5, &err), err);
	for (unsigned c = 0; c < 5; c++) {
		assert_int_equal(five[c].weight, weights[c]);
		/* 20 + 120 + 400 + 80 + 80 units in a round */
		assert_near(five[c].bytes, weights[c] * five[c].packet / 700.);
	}
	assert_hd_ok(hd_sbt_make(thirds, 3, &err), err);
	assert_int_equal(thirds[0].weight, 34);
	assert_int_equal(thirds[1].weight, 33);
	assert_int_equal(thirds[2].weight, 33);
	assert_int_equal(hd_sbt_make(small, 2, &err), HD_EREFUSED);
	assert_string_equal(err.text, "class little: a share of 0.00100 is no packet of 100");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(three_classes), cmocka_unit_test(correction),
		cmocka_unit_test(five_classes),  cmocka_unit_test(what_is_refused),
		cmocka_unit_test(simple_tables),
	};

	return cmocka_run_group_tests_name("dtable", tests, NULL, NULL);
}
