// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Queue rules against the tables and figures of Penaranda et al., XORDET (2017). */
#include "tests/unit/unit.h"

#include "sl2vl/lanes.h"

static unsigned queue_of(const char *rule, uint32_t id, uint32_t n, unsigned n_queues)
{
	const struct hd_queue_rule *found =
		(const struct hd_queue_rule *)hd_policy_find(&hd_queue_rules, rule);

	assert_non_null(found);
	return found->queue(id, n, n_queues);
}

/* Destinations per VC at node 0 of a k x k mesh under DOR: X first, so Y serves column 0 only. */
static void count_at_node_0(const char *rule, unsigned k, unsigned n_queues, unsigned *in_x,
			    unsigned *in_y)
{
	memset(in_x, 0, n_queues * sizeof(*in_x));
	memset(in_y, 0, n_queues * sizeof(*in_y));
	for (uint32_t id = 1; id < k * k; id++)
		(id % k ? in_x : in_y)[queue_of(rule, id, k * k, n_queues)]++;
}

static void assert_counts(const char *rule, unsigned k, unsigned n_queues, const unsigned *x,
			  const unsigned *y)
{
	unsigned in_x[HD_MAX_SLS], in_y[HD_MAX_SLS];

	count_at_node_0(rule, k, n_queues, in_x, in_y);
	assert_memory_equal(in_x, x, n_queues * sizeof(*x));
	assert_memory_equal(in_y, y, n_queues * sizeof(*y));
}

static void table_1_dbbm(void **state)
{
	assert_counts("dbbm", 8, 4, (unsigned[]){ 8, 16, 16, 16 }, (unsigned[]){ 7, 0, 0, 0 });
}

static void table_3_xordet(void **state)
{
	assert_counts("xordet", 8, 4, (unsigned[]){ 14, 14, 14, 14 }, (unsigned[]){ 1, 2, 2, 2 });
}

/* Bands are whole rows: equation 1 on 16 end nodes, and what Table 3 has for xordet. */
static void bbq_is_in_bands(void **state)
{
	for (uint32_t id = 0; id < 16; id++)
		assert_int_equal(queue_of("bbq", id, 16, 4), id / 4);
	assert_counts("bbq", 8, 4, (unsigned[]){ 14, 14, 14, 14 }, (unsigned[]){ 1, 2, 2, 2 });
	for (uint32_t n = 2304; n <= 13824; n += 13824 - 2304) {
		unsigned count[2] = { 0 };

		for (uint32_t id = 0; id < n; id++)
			count[queue_of("bbq", id, n, 2)]++;
		assert_int_equal(count[0], n / 2);
		assert_int_equal(count[1], n / 2);
	}
	assert_int_equal(queue_of("bbq", 49150, 49151, 16), 15);
}

static void xordet_on_16x16(void **state)
{
	assert_counts("xordet", 16, 4, (unsigned[]){ 60, 60, 60, 60 }, (unsigned[]){ 3, 4, 4, 4 });
	assert_counts("xordet", 16, 8, (unsigned[]){ 30, 30, 30, 30, 30, 30, 30, 30 },
		      (unsigned[]){ 1, 2, 2, 2, 2, 2, 2, 2 });
}

static void figure_1_dbbm_map(void **state)
{
	for (unsigned y = 0; y < 8; y++)
		for (unsigned x = 0; x < 8; x++)
			assert_int_equal(queue_of("dbbm", y * 8 + x, 64, 4), x % 4);
}

static void figure_4_xordet_map(void **state)
{
	static const char *const rows[] = { "01231032", "23013210", "10320123", "32102301",
					    "23013210", "01231032", "32102301", "10320123" };

	for (unsigned y = 0; y < 8; y++)
		for (unsigned x = 0; x < 8; x++)
			assert_int_equal(queue_of("xordet", y * 8 + x, 64, 4), rows[y][x] - '0');
}

static void xordet_of_single_ids(void **state)
{
	static const struct {
		unsigned id, of_4, of_8;
	} known[] = { { 85, 0, 6 }, { 200, 1, 2 }, { 255, 0, 3 }, { 27, 0, 0 }, { 170, 0, 5 } };

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		assert_int_equal(queue_of("xordet", known[i].id, 256, 4), known[i].of_4);
		assert_int_equal(queue_of("xordet", known[i].id, 256, 8), known[i].of_8);
	}
}

/* Also where the number of bits, 9, is no multiple of log2 of the queues. */
static void xordet_balances_512(void **state)
{
	for (unsigned n_queues = 4; n_queues <= 8; n_queues *= 2) {
		unsigned count[8] = { 0 };

		for (unsigned id = 0; id < 512; id++)
			count[queue_of("xordet", id, 512, n_queues)]++;
		for (unsigned i = 0; i < n_queues; i++)
			assert_int_equal(count[i], 512 / n_queues);
	}
}

/* The definition of section 4, bit by bit. */
static void xordet_is_the_sliced_xor(void **state)
{
	for (unsigned l = 1; l <= 4; l++)
		for (unsigned id = 0; id < 1 << 11; id++) {
			unsigned wanted = 0;

			for (unsigned bit = 0; bit < 11; bit++)
				wanted ^= (id >> bit & 1) << (bit % l);
			assert_int_equal(queue_of("xordet", id, 1 << 11, 1u << l), wanted);
		}
	assert_int_equal(queue_of("xordet", 12345, 1 << 14, 1), 0);
}

static void numbers_of_queues(void **state)
{
	static const char *const wrong[] = { "xordet",   "xordet:3", "xordet:0", "xordet:17",
					     "xordet:x", "single:2", "dbbm",     "nonesuch:4",
					     "dbbm:",    "",         ":4" };
	struct hd_queues queues;
	struct hd_error err;

	assert_hd_ok(hd_queues_parse(NULL, &queues, &err), err);
	assert_int_equal(queues.n_queues, 1);
	assert_hd_ok(hd_queues_parse("dbbm:3", &queues, &err), err);
	assert_int_equal(queues.n_queues, 3);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_not_equal(hd_queues_parse(wrong[i], &queues, &err), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(table_1_dbbm),        cmocka_unit_test(table_3_xordet),
		cmocka_unit_test(xordet_on_16x16),     cmocka_unit_test(figure_1_dbbm_map),
		cmocka_unit_test(figure_4_xordet_map), cmocka_unit_test(xordet_of_single_ids),
		cmocka_unit_test(xordet_balances_512), cmocka_unit_test(xordet_is_the_sliced_xor),
		cmocka_unit_test(numbers_of_queues),   cmocka_unit_test(bbq_is_in_bands),
	};

	return cmocka_run_group_tests_name("queues", tests, NULL, NULL);
}
