// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Copies of LFTs come back as they were, and say which rows may differ. */
#include "tests/unit/unit.h"

#include "tables/lft_copy.h"
#include "tests/unit/spec_fabric.h"

struct fixture {
	struct hd_fabric *fabric;
	struct hd_tables *whole;
	struct hd_lft_copy copy;
};

static void begin(struct fixture *f)
{
	struct hd_error err;

	f->fabric = build_fabric("tree:k=3,n=2", 0);
	assert_hd_ok(hd_tables_new(f->fabric, &f->whole, &err), err);
	hd_for_each_switch(s, f->fabric)
		hd_for_each_lid(lid, f->fabric)
			hd_lft(f->whole, s)[lid] = (uint8_t)(1 + (s + lid) % 3);
	assert_hd_ok(hd_lft_copy_init(&f->copy, f->whole, &err), err);
}

static void end(struct fixture *f)
{
	hd_lft_copy_clear(&f->copy);
	hd_tables_free(f->whole);
	hd_fabric_free(f->fabric);
}

static struct hd_tables *borrow(struct fixture *f, const struct hd_fabric *fabric)
{
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_tables_new_by(fabric, &f->copy, &tables, &err), err);
	return tables;
}

static void assert_whole(const struct fixture *f, const struct hd_tables *tables)
{
	assert_memory_equal(tables->lft, f->whole->lft,
			    f->fabric->n_switches * f->whole->lft_stride);
}

/* Rows that were touched are those of the whole fabric again for the next tables. */
static void rows_come_back(void **state)
{
	struct fixture f;
	struct hd_tables *tables;

	begin(&f);
	tables = borrow(&f, f.fabric);
	assert_whole(&f, tables);
	hd_lft(tables, 1)[2] = 9;
	hd_lft_touch(tables, 1);
	assert_true(hd_lft_may_differ(tables, f.whole, 1));
	assert_false(hd_lft_may_differ(tables, f.whole, 2));
	hd_tables_free(tables);

	tables = borrow(&f, f.fabric);
	assert_whole(&f, tables);
	assert_false(hd_lft_may_differ(tables, f.whole, 1));
	hd_tables_free(tables);
	end(&f);
}

/* Who gets no copy gets empty LFTs. */
static void one_has_the_copy(void **state)
{
	struct hd_fabric *other = build_fabric("tree:k=2,n=2", 0);
	struct hd_tables *first, *second, *third;
	struct fixture f;

	begin(&f);
	first = borrow(&f, f.fabric);
	second = borrow(&f, f.fabric);
	assert_null(second->copy);
	assert_int_equal(hd_lft(second, 0)[1], HD_NO_PATH);
	assert_true(hd_lft_may_differ(second, f.whole, 0));
	hd_tables_free(first);
	third = borrow(&f, other);
	assert_null(third->copy);
	hd_tables_free(third);
	hd_tables_free(second);
	hd_fabric_free(other);
	end(&f);
}

/* What a row is translated by is known until the keys are others. */
static void translations_are_known(void **state)
{
	uint8_t keys[2][64] = { { 0 }, { 1 } }, ports[HD_LFT_KEYS] = { 3, 4 };
	struct fixture f;
	struct hd_error err;

	begin(&f);
	assert_int_equal(f.whole->lft_stride, sizeof(keys[0]));
	assert_hd_ok(hd_lft_copy_make_room(&f.copy, 2, &err), err);
	hd_lft_copy_set_keys(&f.copy, 1, keys[0]);
	assert_false(hd_lft_copy_is_by(&f.copy, 0, 1, ports));
	hd_lft_copy_note(&f.copy, 0, 1, ports);
	hd_lft_copy_set_keys(&f.copy, 1, keys[0]);
	assert_true(hd_lft_copy_is_by(&f.copy, 0, 1, ports));
	assert_false(hd_lft_copy_is_by(&f.copy, 0, 0, ports));
	ports[1] = 5;
	assert_false(hd_lft_copy_is_by(&f.copy, 0, 1, ports));
	ports[1] = 4;
	hd_lft_copy_set_keys(&f.copy, 1, keys[1]);
	assert_false(hd_lft_copy_is_by(&f.copy, 0, 1, ports));
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_come_back),
		cmocka_unit_test(one_has_the_copy),
		cmocka_unit_test(translations_are_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
