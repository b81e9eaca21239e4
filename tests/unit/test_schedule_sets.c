// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Rounds of tables with port sets, replayed: mixtures within each, of default ports, sets and rows,
 * are made one by one and proved by themselves.
 */
#include "tests/unit/unit.h"

#include "change/schedule.h"
#include "tables/ar.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"

static const struct hd_check_options plain = { .scope = HD_CHECK_ALL };

/*
 * A mixture: a switch has entries of one or the other, each with its whole set, as groups are
 * written before entries name them. @random may leave out the new port, or the new set.
 */
static struct hd_tables *mix_sets(const struct hd_tables *now, const struct hd_tables *before,
				  struct hd_random *random)
{
	struct hd_tables *mixture = mix(now, before, random);

	assert_int_equal(hd_ar_new(mixture, NULL), 0);
	hd_for_each_switch(s, now->fabric)
		hd_for_each_lid(lid, now->fabric) {
			const struct hd_tables *from = hd_random_below(random, 2) ? now : before;
			const struct hd_port_set *set = hd_ar_ports(from, s, lid);

			hd_lft(mixture, s)[lid] = hd_lft(from, s)[lid];
			if (set)
				assert_int_equal(
					hd_ar_set(mixture, s, (uint16_t)lid, HD_AR_FREE, set), 0);
		}
	return mixture;
}

static bool same_sets(const struct hd_tables *a, const struct hd_tables *b)
{
	hd_for_each_switch(s, a->fabric)
		hd_for_each_lid(lid, a->fabric) {
			const struct hd_port_set *x = hd_ar_ports(a, s, lid);
			const struct hd_port_set *y = hd_ar_ports(b, s, lid);

			if (hd_lft(a, s)[lid] != hd_lft(b, s)[lid] || !x != !y)
				return false;
			if (x && memcmp(x, y, sizeof(*x)) != 0)
				return false;
		}
	return true;
}

/* The proof of all mixtures of a round, and of some that are made. Returns the rounds. */
static unsigned replay(const struct hd_tables *now, const struct hd_tables *before, bool *at_once)
{
	struct hd_tables *behind, *ahead;
	struct hd_schedule schedule;
	struct hd_random random;
	struct hd_error err;
	unsigned n;

	assert_hd_ok(hd_schedule_make(now, before, &schedule, &err), err);
	assert_false(schedule.needs_new_sls);
	n = schedule.n_rounds;
	*at_once = schedule.is_at_once;
	hd_random_init(&random, 3, 4);
	assert_hd_ok(hd_schedule_tables(&schedule, now, before, 0, &behind, &err), err);
	assert_true(same_sets(behind, before));
	for (unsigned r = 1; r <= n; r++) {
		const struct hd_round *round = &schedule.rounds[r - 1];
		struct hd_check_options between = { .before = behind };

		assert_true(round->n_nodes > 0 || round->path_sls);
		assert_true(round->n_nodes <= now->fabric->n_nodes);
		assert_hd_ok(hd_schedule_tables(&schedule, now, before, r, &ahead, &err), err);
		if (!before->ar && r < schedule.sets_on)
			assert_null(ahead->ar);
		if (r > 1 || !schedule.old_loops)
			assert_false(loops(ahead, &between));
		for (unsigned i = 0; i < (HD_IS_SLOW ? 2u : 10u); i++) {
			struct hd_tables *mixture = mix_sets(ahead, behind, &random);

			if (r > 1 || !schedule.old_loops)
				assert_false(loops(mixture, &plain));
			hd_tables_free(mixture);
		}
		hd_tables_free(behind);
		behind = ahead;
	}
	assert_true(same_sets(behind, now));
	hd_tables_free(behind);
	hd_schedule_clear(&schedule);
	return n;
}

static void sets_change_in_rounds(void **state)
{
	static const struct {
		const char *fabric, *old, *new;
		bool at_once;
		unsigned least, most; /* rounds */
	} cases[] = {
		{ "mesh:4x4", "hdor:ar=negative-first", "hdor:ar=negative-first,order=yx", true, 1,
		  1 },
		{ "mesh:4x4", "hdor:ar=negative-first", "hdor", false, 2, 16 },
		{ "mesh:4x4", "hdor:ar=negative-first", "updn:ar=yes", false, 3, 16 },
		{ "mesh:4x4", "updn:ar=yes", "updn:ar=yes,root=S3.3", false, 3, 16 },
		{ "torus:4x4", "updn:ar=yes", "updn", true, 1, 1 },
		{ "torus:4x4", "updn", "updn:ar=yes,root=S2.1", false, 2, 16 },
		{ "tree:k=4,n=2", "updn:ar=yes", "dmodc:ar=yes", true, 1, 1 },
		{ "dragonfly:a=4,p=1,h=2,g=5", "dla:ar=owners", "updn:ar=yes", false, 3, 16 },
		{ "mesh:4x4", "minhop:ar=yes", "updn:ar=yes", false, 3, 16 },
		/* the old tables loop */
		{ "torus:5x5", "minhop:ar=yes", "updn:ar=yes", false, 3, 16 },
		/* path SLs differ, and come before the sets */
		{ "mesh:4x4", "any:vls=2", "hdor:ar=negative-first", false, 2, 16 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric = build_fabric(cases[i].fabric, 0);
		struct hd_tables *old = route_fabric(fabric, cases[i].old, NULL);
		struct hd_tables *new = route_fabric(fabric, cases[i].new, NULL);
		struct hd_tables *before = put_onto(old, fabric);
		bool at_once;
		const unsigned n = replay(new, before, &at_once);

		if (at_once != cases[i].at_once || n < cases[i].least || n > cases[i].most)
			fail_msg("%s, %s to %s: %u rounds, at once: %d", cases[i].fabric,
				 cases[i].old, cases[i].new, n, at_once);
		hd_tables_free(before);
		hd_tables_free(new);
		hd_tables_free(old);
		hd_fabric_free(fabric);
	}
}

/* Links fail and come back; engines make other sets. */
static void links_fail_and_return(void **state)
{
	static const char *const cases[][2] = { { "torus:4x4", "updn:ar=yes" },
						{ "tree:k=3,n=3", "dmodc:ar=yes" },
						{ "mesh:4x4", "updn:ar=yes" } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *whole = build_fabric(cases[i][0], 0), *less;
		struct hd_tables *of_whole = route_fabric(whole, cases[i][1], NULL);

		for (unsigned k = 0; (less = fail_link(whole, k)); k += 7) {
			struct hd_tables *of_less = route_fabric(less, cases[i][1], NULL);
			struct hd_tables *fails = put_onto(of_whole, less);
			struct hd_tables *returns = put_onto(of_less, whole);
			bool at_once;

			replay(of_less, fails, &at_once);
			replay(of_whole, returns, &at_once);
			hd_tables_free(returns);
			hd_tables_free(fails);
			hd_tables_free(of_less);
			hd_fabric_free(less);
		}
		hd_tables_free(of_whole);
		hd_fabric_free(whole);
	}
}

static void refuses_what_loops(void **state)
{
	struct hd_fabric *fabric = build_fabric("mesh:4x4", 0);
	struct hd_tables *old = route_fabric(fabric, "updn:ar=yes", NULL);
	struct hd_tables *new = route_fabric(fabric, "minhop:ar=yes", NULL);
	struct hd_tables *before = put_onto(old, fabric);
	struct hd_schedule schedule;
	struct hd_error err;

	(void)state;
	assert_int_equal(hd_schedule_make(new, before, &schedule, &err), HD_EREFUSED);
	assert_hd_says(err, "the new tables have a loop by themselves");
	assert_int_equal(hd_ar_add_plfts(new, 0, 2, HD_AR_BY_SL), 0);
	assert_int_equal(hd_schedule_make(new, before, &schedule, &err), HD_EREFUSED);
	assert_hd_says(err, "the new tables have a loop by themselves");
	hd_tables_free(before);
	hd_tables_free(new);
	hd_tables_free(old);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sets_change_in_rounds),
		cmocka_unit_test(links_fail_and_return),
		cmocka_unit_test(refuses_what_loops),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
