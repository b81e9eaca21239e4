// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Plans: which node is which, what differs, and moves that mend it, on fabrics with faults whose
 * number is known.
 */
#include "tests/unit/unit.h"

#include "plan/differ.h"
#include "plan/infer.h"
#include "plan/match.h"
#include "plan/read_csv.h"
#include "tests/unit/plan_case.h"
#include "topologies/topology.h"

struct comparison {
	struct hd_cable_plan *plan;
	struct hd_fabric *now;
	struct hd_plan_match match;
	struct hd_differences differences;
};

static struct hd_cable_plan *plan_of(const char *spec)
{
	struct hd_fabric *fabric;
	struct hd_cable_plan *plan;
	struct hd_error err;

	assert_hd_ok(hd_topology_build(spec, &fabric, &err), err);
	assert_hd_ok(hd_cable_plan_of(fabric, &plan, &err), err);
	return plan;
}

static struct hd_fabric *fabric_of_list(const char *list)
{
	struct hd_fabric *fabric;
	struct hd_error err;

	assert_hd_ok(hd_csv_parse("list", list, strlen(list), &fabric, &err), err);
	return fabric;
}

static void find(struct comparison *c)
{
	struct hd_error err;

	assert_hd_ok(hd_cable_plan_match(c->plan, c->now, &c->match, &err), err);
	assert_hd_ok(hd_differ(c->plan, &c->match, c->now, &c->differences, &err), err);
}

/* @spec with faults, compared with it. */
static struct comparison compare(const char *spec, const struct faults *faults, bool anonymous,
				 uint64_t seed)
{
	struct comparison c = { .plan = plan_of(spec) };

	c.plan->has_guids = !anonymous;
	c.now = faulty_copy(c.plan->fabric, faults, anonymous, seed);
	find(&c);
	return c;
}

/* Two lists of cables, "switch,port,switch,port". */
static struct comparison compare_lists(const char *planned, const char *present)
{
	struct comparison c = { .now = fabric_of_list(present) };
	struct hd_error err;

	assert_hd_ok(hd_cable_plan_of(fabric_of_list(planned), &c.plan, &err), err);
	find(&c);
	return c;
}

static void end(struct comparison *c)
{
	hd_differences_clear(&c->differences);
	hd_plan_match_clear(&c->match);
	hd_fabric_free(c->now);
	hd_cable_plan_free(c->plan);
}

static const char *const specs[] = {
	"dragonfly:a=4,p=2,h=2", "tree:k=4,n=3",  "torus:4x4x4,p=2",
	"hyperx:4x4,p=3",        "dragonflyplus", "torus:5x3,p=1,trunk=2",
};

static const char *const larger[] = {
	"dragonfly:a=8,p=4,h=4",
	"tree:k=8,n=3",
	"torus:6x6x6,p=2",
	"hyperx:8x8,p=2",
	"dragonflyplus:leaves=8,spines=8,hosts=4,h=4",
	"torus:8x8,p=2,trunk=2",
};

#define N_INFERRED 5 /* in a torus of two dimensions, a wrong link may look like any other */
#define N_LARGER   (sizeof(larger) / sizeof(larger[0]))
#define N_SPECS    (sizeof(specs) / sizeof(specs[0]))

static void test_same(void **state)
{
	static const struct faults none = { 0 };

	(void)state;
	for (size_t i = 0; i < N_SPECS; i++) {
		for (int anonymous = 0; anonymous < 2; anonymous++) {
			struct comparison c = compare(specs[i], &none, anonymous, i + 1);

			assert_int_equal(c.differences.n_findings, 0);
			assert_int_equal(c.match.n_by[HD_UNMATCHED], 0);
			assert_int_equal(c.match.n_by[anonymous ? HD_BY_STRUCTURE : HD_BY_NAME],
					 c.plan->fabric->n_nodes);
			end(&c);
		}
	}
}

/* Each fault alone is one finding of its kind, and one move. */
static void test_one_fault(void **state)
{
	static const struct {
		struct faults faults;
		enum hd_finding_kind kind;
	} cases[] = {
		{ { .n_removed = 1, .trunks_only = true }, HD_MISSING },
		{ { .n_moved = 1, .trunks_only = true }, HD_MOVED },
		{ { .n_exchanged = 1, .trunks_only = true }, HD_SWAPPED },
	};

	(void)state;
	for (size_t i = 0; i < 2 * N_SPECS * 3; i++) {
		size_t which = i % 3;
		struct comparison c = compare(specs[i / 6], &cases[which].faults, i / 3 % 2, 7);

		assert_int_equal(c.differences.n_findings, 1);
		assert_int_equal(c.differences.n_moves, 1);
		assert_int_equal(c.differences.findings[0].kind, cases[which].kind);
		assert_moves_mend(c.plan, &c.match, c.now, &c.differences);
		end(&c);
	}
}

/* Whatever was done, as many moves at most mend it, and nothing is left. */
static void test_many_faults(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 40; seed++) {
		struct faults faults = { .n_removed = seed % 4,
					 .n_moved = seed % 5,
					 .n_exchanged = seed % 3 };
		struct comparison c = compare(specs[seed % N_SPECS], &faults, false, seed);

		assert_true(c.differences.n_moves <=
			    faults.n_removed + faults.n_moved + faults.n_exchanged);
		assert_moves_mend(c.plan, &c.match, c.now, &c.differences);
		end(&c);
	}
}

/* Moves for a stranger: its cable leaves, and the planned one comes. */
#define STRANGER_MOVES 2

/* Nodes that nobody planned leave before planned cables come to their ports. */
static void test_strangers(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 40; seed++) {
		struct faults faults = { .n_removed = seed % 2,
					 .n_moved = seed % 3,
					 .n_exchanged = seed % 2,
					 .n_strangers = seed % 7 };
		struct comparison c = compare(specs[seed % N_SPECS], &faults, false, seed);

		assert_true(c.differences.n_moves <= faults.n_removed + faults.n_moved +
							     faults.n_exchanged +
							     STRANGER_MOVES * faults.n_strangers);
		assert_moves_mend(c.plan, &c.match, c.now, &c.differences);
		end(&c);
	}
}

/* Planned nodes that are not there come when their ports are free. */
static void test_absent(void **state)
{
	static const struct faults none = { 0 };

	(void)state;
	for (unsigned seed = 1; seed <= 40; seed++) {
		struct faults faults = { .n_moved = seed % 3, .n_strangers = seed % 7 };
		struct hd_cable_plan *made = plan_of(specs[seed % N_SPECS]);
		struct comparison c = { .now = faulty_copy(made->fabric, &none, false, seed) };
		struct hd_error err;

		assert_hd_ok(hd_cable_plan_of(faulty_copy(made->fabric, &faults, false, seed),
					      &c.plan, &err),
			     err);
		find(&c);
		assert_moves_mend(c.plan, &c.match, c.now, &c.differences);
		end(&c);
		hd_cable_plan_free(made);
	}
}

#define SHARED "sw1,9,sw2,9\nsw1,10,sw2,10\nsw1,11,sw2,11\nsw2,3,host2,1\n"

/* A host, and a switch, in the port of a host that is in another one. */
static void test_stranger_leaves_first(void **state)
{
	static const char *const strangers[] = { "sw1,3,host9,1\n", "sw1,3,sw9,5\n" };

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		char present[256];
		struct comparison c;

		snprintf(present, sizeof(present), "%s%s%s", SHARED, strangers[i],
			 "sw1,5,host1,1\n");
		c = compare_lists(SHARED "sw1,3,host1,1\n", present);
		assert_int_equal(c.differences.n_of[HD_UNPLANNED], 1);
		assert_int_equal(c.differences.n_of[HD_MOVED], 1);
		assert_int_equal(c.differences.n_moves, 2);
		assert_int_equal(c.differences.moves[0].kind, HD_REMOVE);
		assert_int_equal(c.differences.moves[1].kind, HD_MOVE);
		assert_moves_mend(c.plan, &c.match, c.now, &c.differences);
		end(&c);
	}
}

/* A switch that nobody planned, in a port that no cable needs, may stay. */
static void test_stranger_stays(void **state)
{
	struct comparison c = compare_lists(SHARED, SHARED "sw1,3,sw9,5\n");

	(void)state;
	assert_int_equal(c.differences.n_of[HD_UNPLANNED], 1);
	assert_int_equal(c.differences.n_moves, 0);
	end(&c);
}

/* Both plugs of two cables are in other ports, so the cables come in another order. */
static void test_both_plugs_moved(void **state)
{
	struct comparison c = compare_lists("sw1,1,sw9,1\nsw1,2,sw5,1\n" SHARED "sw5,9,sw9,9\n",
					    "sw1,3,sw5,2\nsw1,4,sw9,2\n" SHARED "sw5,9,sw9,9\n");

	(void)state;
	assert_int_equal(c.differences.n_of[HD_MOVED], 2);
	assert_int_equal(c.differences.n_findings, 2);
	assert_moves_mend(c.plan, &c.match, c.now, &c.differences);
	end(&c);
}

/* The same where neither names nor GUIDs are known: structure alone finds the nodes. */
static void test_structure(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 12; seed++) {
		struct faults faults = { .n_removed = 3, .n_moved = 3, .n_exchanged = 4 };
		struct comparison c = compare(larger[seed % N_LARGER], &faults, true, seed);

		assert_true(c.differences.n_moves <= 10);
		assert_moves_mend(c.plan, &c.match, c.now, &c.differences);
		end(&c);
	}
}

/* A plan with other port numbers tells which nodes are linked. */
static void test_other_ports(void **state)
{
	(void)state;
	for (unsigned seed = 1; seed <= 12; seed++) {
		struct faults faults = { .n_removed = seed % 3,
					 .n_exchanged = seed % 4,
					 .trunks_only = true,
					 .other_ports = true };
		struct comparison c = compare(larger[seed % N_LARGER], &faults, false, seed);

		assert_false(c.differences.by_ports);
		assert_int_equal(c.differences.n_of[HD_MISSING], faults.n_removed);
		assert_int_equal(c.differences.n_of[HD_SWAPPED], faults.n_exchanged);
		assert_int_equal(c.differences.n_moves, faults.n_removed + faults.n_exchanged);
		end(&c);
	}
}

/* Neither a smaller fabric nor another topology is taken for the plan. */
static void test_other_fabric(void **state)
{
	static const struct faults none = { 0 };
	struct hd_cable_plan *plan = plan_of("torus:4x4,p=1"),
			     *other = plan_of("dragonfly:a=4,p=2,h=2");
	struct hd_fabric *now = faulty_copy(other->fabric, &none, true, 1);
	struct hd_plan_match match;
	struct hd_error err;

	(void)state;
	plan->has_names = false;
	assert_int_equal(hd_cable_plan_match(plan, now, &match, &err), HD_EINVAL);
	assert_hd_says(err, "neither names nor structure");
	hd_plan_match_clear(&match);
	hd_fabric_free(now);
	hd_cable_plan_free(plan);
	hd_cable_plan_free(other);
}

/* The shape of a fabric with faults is the plan that it was made by. */
static void test_inferred(void **state)
{
	static const struct faults faults[] = {
		{ .n_removed = 1, .trunks_only = true },
		{ .n_moved = 1, .trunks_only = true },
		{ .n_exchanged = 1, .trunks_only = true },
		{ .n_removed = 2, .n_moved = 2, .n_exchanged = 2, .trunks_only = true },
	};
	static const unsigned n_findings[] = { 1, 1, 1, 6 };
	static const enum hd_finding_kind kinds[] = { HD_MISSING, HD_MOVED, HD_SWAPPED };

	(void)state;
	for (size_t i = 0; i < 4 * N_INFERRED; i++) {
		struct hd_cable_plan *made = plan_of(larger[i / 4]), *plan;
		struct hd_fabric *now = faulty_copy(made->fabric, &faults[i % 4], true, 5);
		struct hd_differences differences;
		char shape[128];
		struct hd_error err;

		assert_hd_ok(hd_cable_plan_infer(now, &plan, shape, sizeof(shape), &err), err);
		assert_hd_ok(hd_differ(plan, NULL, now, &differences, &err), err);
		assert_int_equal(differences.n_findings, n_findings[i % 4]);
		assert_int_equal(differences.n_moves, n_findings[i % 4]);
		assert_true(i % 4 == 3 || differences.findings[0].kind == kinds[i % 4]);
		hd_differences_clear(&differences);
		hd_cable_plan_free(plan);
		hd_cable_plan_free(made);
		hd_fabric_free(now);
	}
}

/* Two groups may have more cables than a switch has ports. */
static void test_inferred_wide(void **state)
{
	struct hd_cable_plan *made = plan_of("dragonfly:a=32,p=2,h=16,g=2"), *plan;
	struct hd_differences differences;
	char shape[128];
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_cable_plan_infer(made->fabric, &plan, shape, sizeof(shape), &err), err);
	assert_hd_ok(hd_differ(plan, NULL, made->fabric, &differences, &err), err);
	assert_int_equal(differences.n_findings, 0);
	hd_differences_clear(&differences);
	hd_cable_plan_free(plan);
	hd_cable_plan_free(made);
}

/* 1% of all cables are wrong, those of hosts too. */
static void test_inferred_of_many(void **state)
{
	static const struct {
		const char *spec, *found;
		struct faults faults;
	} cases[] = {
		{ "dragonfly:a=8,p=4,h=4",
		  "dragonfly a=8",
		  { .n_removed = 8, .n_moved = 8, .n_exchanged = 8 } },
		{ "tree:k=8,n=3",
		  "fat tree of 3 levels, switches: 64 64 64",
		  { .n_removed = 4, .n_moved = 4, .n_exchanged = 5 } },
	};

	(void)state;
	for (unsigned i = 0; i < 6; i++) {
		const struct faults *faults = &cases[i % 2].faults;
		struct hd_cable_plan *made = plan_of(cases[i % 2].spec), *plan;
		struct hd_fabric *now = faulty_copy(made->fabric, faults, true, i + 1);
		struct hd_differences differences;
		uint32_t n_trunks = 0;
		char found[128];
		struct hd_error err;

		for (uint32_t c = 0; c < made->n_cables; c++)
			n_trunks += hd_is_switch(made->fabric, made->cables[c].node[1]);
		assert_hd_ok(hd_cable_plan_infer(now, &plan, found, sizeof(found), &err), err);
		assert_hd_ok(hd_differ(plan, NULL, now, &differences, &err), err);
		assert_non_null(strstr(found, cases[i % 2].found));
		assert_int_equal(plan->n_cables, n_trunks);
		assert_true(differences.n_moves <=
			    faults->n_removed + faults->n_moved + faults->n_exchanged);
		hd_differences_clear(&differences);
		hd_cable_plan_free(plan);
		hd_cable_plan_free(made);
		hd_fabric_free(now);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_same),           cmocka_unit_test(test_one_fault),
		cmocka_unit_test(test_many_faults),    cmocka_unit_test(test_strangers),
		cmocka_unit_test(test_absent),         cmocka_unit_test(test_stranger_leaves_first),
		cmocka_unit_test(test_stranger_stays), cmocka_unit_test(test_both_plugs_moved),
		cmocka_unit_test(test_structure),      cmocka_unit_test(test_other_ports),
		cmocka_unit_test(test_other_fabric),   cmocka_unit_test(test_inferred),
		cmocka_unit_test(test_inferred_wide),  cmocka_unit_test(test_inferred_of_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
