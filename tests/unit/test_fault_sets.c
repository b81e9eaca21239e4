// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Studies of failures: which sets they try, in which order, and what a sample says of all. */
#include "tests/unit/unit.h"

#include <math.h>

#include "engines/choose.h"
#include "engines/engine.h"
#include "fabric/fabric.h"
#include "fabric/faults.h"
#include "tests/unit/spec_fabric.h"
#include "tools/faults/fault_study.h"
#include "tools/faults/share_bounds.h"

/* Counts how often each pair of links comes among the first @n sets. */
static void count_pairs(const struct hd_fault_list *list, const struct hd_fault_sets *sets,
			uint64_t n, uint32_t *counts)
{
	for (uint64_t set = 0; set < n; set++) {
		uint32_t chosen[2], place[2] = { HD_NONE, HD_NONE };

		hd_fault_sets_choose(list, sets, set, chosen);
		for (uint32_t i = 0; i < list->n_links; i++)
			for (unsigned k = 0; k < 2; k++)
				if (list->links[i] == chosen[k])
					place[k] = i;
		assert_true(place[0] < place[1] && place[1] < list->n_links);
		counts[place[0] * list->n_links + place[1]]++;
	}
}

/* All sets at random are each set once, and a sample is their beginning. */
static void shuffled_sets(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:4x4", 0);
	struct hd_fault_sets all = { .n_links = 2, .is_shuffled = true, .seed = 5 };
	struct hd_fault_sets some = { .n_links = 2, .n_sample = 40, .seed = 5 };
	struct hd_fault_sets other = { .n_links = 2, .n_sample = 40, .seed = 6 };
	struct hd_fault_list lists[3];
	struct hd_fault_sets *const sets[3] = { &all, &some, &other };
	const uint64_t n_expected[3] = { 496, 40, 40 };
	uint32_t *counts = calloc(32 * 32, sizeof(*counts)), n_alike = 0;
	struct hd_error err = { 0 };

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		uint64_t n;

		assert_hd_ok(hd_fault_list_init(&lists[i], fabric, &err), err);
		assert_hd_ok(hd_fault_sets_count(&lists[i], sets[i], &n, &err), err);
		assert_int_equal(n, n_expected[i]);
		assert_int_equal(lists[i].n_all, 496);
	}
	assert_int_equal(lists[0].n_links, 32);
	count_pairs(&lists[0], &all, 496, counts);
	for (uint32_t i = 0; i < 32 * 32; i++)
		assert_int_equal(counts[i], i / 32 < i % 32);
	for (uint64_t set = 0; set < 40; set++) {
		uint32_t a[2], b[2], c[2];

		hd_fault_sets_choose(&lists[0], &all, set, a);
		hd_fault_sets_choose(&lists[1], &some, set, b);
		hd_fault_sets_choose(&lists[2], &other, set, c);
		assert_memory_equal(a, b, sizeof(a));
		n_alike += memcmp(a, c, sizeof(a)) == 0;
	}
	assert_true(n_alike < 5);
	for (unsigned i = 0; i < 3; i++)
		hd_fault_list_clear(&lists[i]);
	free(counts);
	hd_fabric_free(fabric);
}

/* Each pair of links is as likely as any other to be in a sample: within 6 standard deviations. */
static void equally_likely(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:4x4", 0);
	uint32_t *counts = calloc(32 * 32, sizeof(*counts));
	const double share = 62.0 / 496, n_seeds = 400;

	(void)state;
	for (uint64_t seed = 0; seed < 400; seed++) {
		struct hd_fault_sets sets = { .n_links = 2, .n_sample = 62, .seed = seed };
		struct hd_fault_list list;
		struct hd_error err;
		uint64_t n;

		assert_hd_ok(hd_fault_list_init(&list, fabric, &err), err);
		assert_hd_ok(hd_fault_sets_count(&list, &sets, &n, &err), err);
		count_pairs(&list, &sets, n, counts);
		hd_fault_list_clear(&list);
	}
	for (uint32_t a = 0; a < 32; a++)
		for (uint32_t b = a + 1; b < 32; b++)
			assert_true(fabs(counts[a * 32 + b] - share * n_seeds) <
				    6 * sqrt(n_seeds * share * (1 - share)));
	free(counts);
	hd_fabric_free(fabric);
}

/* More sets than can be listed: each is drawn by itself, and the number of them ends. */
static void many_sets(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:8x8", 0);
	struct hd_fault_sets sets = { .n_links = 40, .is_shuffled = true, .seed = 1 };
	struct hd_fault_list list;
	struct hd_error err;
	uint32_t chosen[40];
	uint64_t n;

	(void)state;
	assert_hd_ok(hd_fault_list_init(&list, fabric, &err), err);
	assert_hd_ok(hd_fault_sets_count(&list, &sets, &n, &err), err);
	assert_true(n == HD_FAULT_SETS_MAX && list.n_all == UINT64_MAX && !list.order);
	hd_fault_sets_choose(&list, &sets, n - 1, chosen);
	for (unsigned i = 0; i < 40; i++)
		for (unsigned k = 0; k < i; k++)
			assert_int_not_equal(chosen[i], chosen[k]);
	sets = (struct hd_fault_sets){ .n_links = 40 };
	assert_int_equal(hd_fault_sets_count(&list, &sets, &n, &err), HD_EINVAL);
	assert_hd_says(err, "take a --sample");
	hd_fault_list_clear(&list);
	hd_fabric_free(fabric);
}

/* The probability of @from to @to of @n, each with probability @p. */
static double probability(unsigned from, unsigned to, unsigned n, double p)
{
	double sum = 0;

	for (unsigned k = from; k <= to; k++) {
		double term = 1;

		for (unsigned i = 0; i < n; i++)
			term *= i < k ? p * (n - i) / (k - i) : 1 - p;
		sum += term;
	}
	return sum;
}

/* By the definition: a share at the end of the interval has such a sample with 2.5% probability. */
static void share_bounds(void **state)
{
	(void)state;
	for (unsigned n = 1; n < 60; n += n < 8 ? 1 : 17)
		for (unsigned k = 0; k <= n; k++) {
			const struct hd_share_bounds bounds = hd_share_bounds(k, n);
			const double tail = 0.025;

			if (k)
				assert_true(fabs(probability(k, n, n, bounds.least) - tail) < 1e-9);
			else
				assert_true(bounds.least == 0);
			if (k < n)
				assert_true(fabs(probability(0, k, n, bounds.most) - tail) < 1e-9);
			else
				assert_true(bounds.most == 1);
		}
	/* the rule of three; a large sample is within 1.96 standard deviations */
	assert_true(fabs(hd_share_beyond(3000).most - 0.001) < 2e-6);
	assert_true(fabs(hd_share_bounds(5000000, 10000000).most - 0.5 - 1.96 * 0.5 / sqrt(1e7)) <
		    1e-6);
	assert_true(hd_share_bounds(0, 0).least == 0 && hd_share_bounds(0, 0).most == 1);
}

/* A study that has no more time tries its first sets, and says of them what a sample says. */
static void no_time(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:4x4", 0);
	const struct hd_route_request request = { 0 };
	struct hd_fault_sets sets = { .n_links = 2, .is_shuffled = true, .seed = 3 };
	struct hd_fault_study late, sample;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_fault_study_init(&late, fabric, &sets, &err), err);
	late.time_ns = 1;
	assert_hd_ok(hd_fault_study_run(&late, hd_engine_find("hdor"), &request, 2, &err), err);
	/* a set for each thread at most */
	assert_true(late.n_sets == 1 || late.n_sets == 2);
	assert_true(hd_fault_study_is_sample(&late));
	sets = (struct hd_fault_sets){ .n_links = 2, .n_sample = late.n_sets, .seed = 3 };
	assert_hd_ok(hd_fault_study_init(&sample, fabric, &sets, &err), err);
	assert_hd_ok(hd_fault_study_run(&sample, hd_engine_find("hdor"), &request, 1, &err), err);
	assert_true(late.load.mean == sample.load.mean && late.load.max == sample.load.max);
	assert_memory_equal(late.n, sample.n, sizeof(late.n));
	hd_fault_study_clear(&late);
	hd_fault_study_clear(&sample);
	hd_fabric_free(fabric);
}

/* Fails if the reasons, figures and counts of a study in several windows depend on its threads. */
static void threads_do_not_matter(void **state)
{
	struct hd_fabric *fabric = build_fabric("mesh:3x5", 0);
	const struct hd_route_request request = { .max_vls = 1 };
	const struct hd_fault_sets sets = { .n_links = 3 };
	struct hd_fault_study studies[3];
	struct hd_error err;

	(void)state;
	for (unsigned i = 0; i < 3; i++) {
		struct hd_fault_study *study = &studies[i];

		assert_hd_ok(hd_fault_study_init(study, fabric, &sets, &err), err);
		study->keeps_each = true;
		assert_hd_ok(
			hd_fault_study_run(study, hd_engine_find("hdor"), &request, i + 1, &err),
			err);
		assert_int_equal(study->n_sets, 1540);
		assert_false(hd_fault_study_is_sample(study));
		assert_memory_equal(study->n, studies->n, sizeof(study->n));
		for (uint64_t set = 0; set < study->n_sets; set++)
			assert_true(study->each[set].outcome == studies->each[set].outcome &&
				    study->each[set].load == studies->each[set].load);
		assert_true(study->load.mean == studies->load.mean);
		assert_int_equal(study->n_reasons, studies->n_reasons);
		for (size_t k = 0; k < study->n_reasons; k++) {
			assert_string_equal(study->reasons[k].text, studies->reasons[k].text);
			assert_int_equal(study->reasons[k].first, studies->reasons[k].first);
			assert_int_equal(study->reasons[k].n, studies->reasons[k].n);
		}
	}
	assert_true(studies->n[HD_FAULT_REFUSED] && studies->n[HD_FAULT_ROUTED] &&
		    studies->n[HD_FAULT_DISCONNECTED]);
	for (unsigned i = 0; i < 3; i++)
		hd_fault_study_clear(&studies[i]);
	hd_fabric_free(fabric);
}

/* @fabric without @n_links, which @seed chooses. */
static struct hd_fabric *without_some(const struct hd_fabric *fabric, uint32_t n_links,
				      uint64_t seed)
{
	const struct hd_fault_sets sets = { .n_links = n_links, .n_sample = 1, .seed = seed };
	struct hd_fault_study study;
	struct hd_fabric *less;
	struct hd_error err;

	assert_hd_ok(hd_fault_study_init(&study, fabric, &sets, &err), err);
	hd_fault_sets_choose(&study.list, &study.sets, 0, study.chosen);
	assert_hd_ok(hd_fabric_without(fabric, study.chosen, n_links, NULL, 0, &less, &err), err);
	hd_fault_study_clear(&study);
	return less;
}

/*
 * Engine heddle, after a failure: the engine of the whole fabric stays where its busiest link has
 * at most a quarter more flows than the least, as in the plug-in; another is taken where it has
 * more.
 */
static void the_engine_stays(void **state)
{
	static const char *const specs[] = {
		"dragonflyplus:leaves=4,g=9", "torus:5x5,p=2", "mesh:4x4",
		"director:lines=12x9,spines=6,down=6,uplinks=5,hosts=6"
	};
	unsigned n_other = 0;

	(void)state;
	for (unsigned i = 0; i < 4 * 6; i++) {
		struct hd_fabric *fabric = build_fabric(specs[i % 4], 0), *less;
		struct hd_route_request request = { 0 };
		struct hd_choices choices, with_tables;
		struct hd_tables *tables;
		struct hd_error err;

		request.chosen = &request.stays;
		request.chosen_option = &request.stays_option;
		assert_hd_ok(hd_route(hd_engine_find("heddle"), fabric, &request, &tables, &err),
			     err);
		less = without_some(fabric, 1 + i / 8, i);
		assert_hd_ok(hd_choose(less, &request, &choices, &err), err);
		request.previous = tables;
		request.previous_by = request.stays;
		assert_hd_ok(hd_choose(less, &request, &with_tables, &err), err);
		assert_ptr_equal(choices.list[0].engine, with_tables.list[0].engine);
		assert_string_equal(choices.list[0].name, with_tables.list[0].name);
		n_other += choices.list[0].engine != request.stays;
		hd_tables_free(tables);
		hd_fabric_free(less);
		hd_fabric_free(fabric);
	}
	assert_true(n_other > 0 && n_other < 4 * 6);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shuffled_sets),    cmocka_unit_test(equally_likely),
		cmocka_unit_test(many_sets),        cmocka_unit_test(share_bounds),
		cmocka_unit_test(no_time),          cmocka_unit_test(threads_do_not_matter),
		cmocka_unit_test(the_engine_stays),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
