// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* A change that is ready for questions answers as a proof of all mixtures from scratch does. */
#include "tests/unit/unit.h"

#include "change/change.h"
#include "change/mixtures.h"
#include "change/rounds.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"

/* What may stand at one place of tables on the way: old, new, or nothing. */
static void choose(const struct hd_change *change, const struct hd_tables *now,
		   const struct hd_tables *before, unsigned new_of_16, bool may_drop,
		   struct hd_random *random, struct hd_tables *to)
{
	hd_for_each_changed_entry(place, change) {
		const size_t i = change->entries[place];
		const bool is_new = hd_random_below(random, 16) < new_of_16;

		to->lft[i] = (is_new ? now : before)->lft[i];
		if (may_drop && hd_random_below(random, 8) == 0)
			to->lft[i] = HD_NO_PATH;
	}
	hd_for_each_changed_row(place, change) {
		const size_t i = change->rows[place];
		const bool is_new = hd_random_below(random, 16) < new_of_16;

		to->sl2vl[i] = (is_new ? now : before)->sl2vl[i];
		if (may_drop && hd_random_below(random, 8) == 0)
			to->sl2vl[i] = UINT64_MAX; /* VL 15 for all */
	}
}

static bool is_sound_between(struct hd_change *change, const struct hd_tables *a,
			     const struct hd_tables *b)
{
	struct hd_values of_a, of_b;
	struct hd_error err;
	bool is_sound;

	assert_hd_ok(hd_values_of(change, a, &of_a, &err), err);
	assert_hd_ok(hd_values_of(change, b, &of_b, &err), err);
	assert_hd_ok(hd_change_is_sound(change, &of_a, &of_b, &is_sound, &err), err);
	hd_values_clear(&of_a);
	hd_values_clear(&of_b);
	return is_sound;
}

/* Asks about many pairs of tables on the way; counts those that are sound. */
static void ask(const struct hd_tables *now, const struct hd_tables *before, unsigned *n,
		unsigned *n_sound)
{
	struct hd_tables *a = put_onto(before, before->fabric);
	struct hd_tables *b = put_onto(before, before->fabric);
	struct hd_schedule schedule;
	struct hd_random random;
	struct hd_change change;
	struct hd_error err;

	hd_random_init(&random, 3, 9);
	assert_hd_ok(hd_rounds_new(&schedule, now, before, &err), err);
	assert_hd_ok(hd_change_init(&change, &schedule, now, before, &err), err);
	assert_hd_ok(hd_change_prepare(&change, now, before, &err), err);
	for (unsigned i = 0; i < (HD_IS_SLOW ? 10 : 60); i++) {
		const unsigned new_of_a = i % 4 ? hd_random_below(&random, 17) : 0;
		const unsigned new_of_b = i % 3 ? new_of_a : hd_random_below(&random, 17);
		bool is_expected;

		choose(&change, now, before, new_of_a, i % 2, &random, a);
		choose(&change, now, before, new_of_b, i % 2, &random, b);
		if (i % 5 == 0) /* one set of tables */
			choose(&change, a, a, 16, false, &random, b);
		assert_hd_ok(hd_mixtures_are_sound(a, b, &is_expected, &err), err);
		assert_int_equal(is_sound_between(&change, a, b), is_expected);
		++*n;
		*n_sound += is_expected;
	}
	hd_change_clear(&change);
	hd_schedule_clear(&schedule);
	hd_tables_free(a);
	hd_tables_free(b);
}

static void links_fail_and_return(void **state)
{
	static const struct {
		const char *fabric, *engine;
		unsigned lmc;
	} cases[] = {
		{ "dragonfly:a=4,p=1,h=2", "dla", 0 },
		{ "dragonfly:a=4,p=1,h=2", "updn", 0 },
		{ "dragonfly:a=4,p=1,h=2", "df-sssp", 0 },
		{ "dragonfly:a=3,p=2,h=1", "any", 1 },
		{ "dragonfly:a=3,p=2,h=1", "df-minhop", 1 },
		{ "dragonfly:a=3,p=1,h=1", "minhop", 0 },
		{ "kns:k=4,n=2", "hdor", 0 },
		{ "tree:k=4,n=2", "dmodc", 0 },
		{ "torus:5x5", "hdor", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *whole = build_fabric(cases[i].fabric, cases[i].lmc), *less;
		struct hd_tables *of_whole = route_by(whole, cases[i].engine);
		unsigned n = 0, n_sound = 0;

		for (unsigned k = 1; k < 40 && (less = fail_link(whole, k)); k += 13) {
			struct hd_tables *of_less = route_by(less, cases[i].engine);
			struct hd_tables *before = put_onto(of_whole, less);

			ask(of_less, before, &n, &n_sound);
			hd_tables_free(before);
			before = put_onto(of_less, whole);
			ask(of_whole, before, &n, &n_sound);
			hd_tables_free(before);
			hd_tables_free(of_less);
			hd_fabric_free(less);
		}
		print_message("%s, %s: %u questions, %u sound\n", cases[i].fabric, cases[i].engine,
			      n, n_sound);
		assert_true(n > 0);
		hd_tables_free(of_whole);
		hd_fabric_free(whole);
	}
}

/* From one engine's tables to another's everything changes. */
static void all_changes(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=1,h=2", 0);
	struct hd_tables *old = route_by(fabric, "df-sssp"), *new = route_by(fabric, "d3r");
	struct hd_tables *before = put_onto(old, fabric);
	unsigned n = 0, n_sound = 0;

	(void)state;
	ask(new, before, &n, &n_sound);
	assert_true(n_sound < n);
	hd_tables_free(before);
	hd_tables_free(old);
	hd_tables_free(new);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_fail_and_return),
		cmocka_unit_test(all_changes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
