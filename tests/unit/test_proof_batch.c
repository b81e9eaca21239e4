// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Proofs that follow targets together have the results of those that follow each one alone. */
#include "sim/adaptive/proof.h"
#include "tests/unit/adaptive_case.h"

static const char *const fabrics[] = {
	SMALL,
	MEDIUM,
	"torus:5x4",
	"torus:9x9,p=1", /* more targets than one batch has */
	"hyperx:3x4,p=2",
	/* whole alone: dla refuses what is left of them */
	"dragonfly:a=4,p=2,h=2,g=5",
	"dragonfly:a=2,p=1,h=1",
};

#define N_FABRICS (sizeof(fabrics) / sizeof(fabrics[0]))
#define N_DAMAGED (N_FABRICS - 2)

/* A routing and its VCs; of those some are not sound, and some sequences end before the paths. */
static const struct {
	const char *adaptive, *vcs;
} routings[] = {
	{ "minimal", NULL },
	{ "minimal", "hop:l g" },
	{ "minimal", "groups:xordet,2 hop=3/2" },
	{ "valiant", NULL },
	{ "valiant", "hop:2/1" },
	{ "valiant", "hop:12" },
	{ "valiant:to=group", "hop:4/2+4/2" },
	{ "valiant", "groups:xordet,2 hop=4/2" },
	{ "ugal", NULL },
	{ "ugal", "hop:l g l" },
	{ "ugal", "hop:20" },
	{ "pb:policy=crg", NULL },
	{ "par", NULL },
	{ "par", "hop:3/2" },
	{ "trunk", NULL },
	{ "trunk", "groups:xordet,2 hop=2/1" },
	{ "olm", NULL },
	{ "olm:policy=rrg", "hop:4/2" },
	{ "olm:local=no", NULL },
	{ "olm", "groups:xordet,2 hop=3/2" },
	{ "olm", "hop:2/1" },
	{ "olm", "hop:l g l l g l l g l l g l" },
};

static void assert_same(const char *what, const struct hd_proof *a, const struct hd_proof *b)
{
	if (a->is_sound != b->is_sound || a->states != b->states || a->edges != b->edges ||
	    a->max_hops != b->max_hops || a->hosts_may_wait != b->hosts_may_wait ||
	    a->n_cycle != b->n_cycle || a->stuck_target != b->stuck_target ||
	    a->exceeds != b->exceeds || strcmp(a->longest, b->longest) != 0)
		fail_msg("%s: together: sound %d, %lu states, %lu edges, %u hops, a cycle of %zu, "
			 "stuck %u, '%s'; alone: %d, %lu, %lu, %u, %zu, %u, '%s'",
			 what, a->is_sound, (unsigned long)a->states, (unsigned long)a->edges,
			 a->max_hops, a->n_cycle, a->stuck_target, a->longest, b->is_sound,
			 (unsigned long)b->states, (unsigned long)b->edges, b->max_hops, b->n_cycle,
			 b->stuck_target, b->longest);
	for (size_t i = 0; i < a->n_cycle; i++) {
		assert_int_equal(a->cycle[i].at, b->cycle[i].at);
		assert_int_equal(a->cycle[i].port, b->cycle[i].port);
		assert_int_equal(a->cycle[i].vc, b->cycle[i].vc);
	}
	if (a->stuck_target != HD_NONE) {
		assert_int_equal(a->stuck.at, b->stuck.at);
		assert_int_equal(a->stuck.port, b->stuck.port);
		assert_int_equal(a->stuck.vc, b->stuck.vc);
	}
}

/* Counts of what was compared: so that the table above does not become all of one kind. */
struct count {
	unsigned sound, cycles, stuck, exceed;
};

static void compare(struct chosen *c, const char *spec, struct count *count)
{
	for (size_t i = 0; i < sizeof(routings) / sizeof(routings[0]); i++) {
		struct hd_error err = { 0 };
		struct hd_proof together, alone;
		char what[160];

		/* some routings are for dragonflies alone */
		if (choose(c, routings[i].adaptive, NULL, routings[i].vcs, &err)) {
			if (is_dragonfly(spec))
				fail_msg("%s, %s: %s", routings[i].adaptive, routings[i].vcs,
					 err.text);
			continue;
		}
		snprintf(what, sizeof(what), "%s, %s, %s", spec, routings[i].adaptive,
			 c->routed->vcs.text);
		assert_true(c->routed->routing->sees_hop);
		assert_hd_ok(hd_proof_make(c->routed, &together, &err), err);
		assert_hd_ok(hd_proof_make_by_target(c->routed, &alone, &err), err);
		assert_same(what, &together, &alone);
		count->sound += together.is_sound;
		count->cycles += together.n_cycle > 0;
		count->stuck += together.stuck_target != HD_NONE;
		count->exceed += together.exceeds;
		hd_proof_clear(&together);
		hd_proof_clear(&alone);
		drop(c);
	}
}

static void test_whole(void **state)
{
	struct count count = { 0 };
	struct chosen c;

	(void)state;
	for (size_t i = 0; i < N_FABRICS; i++) {
		make_shape(&c, fabrics[i]);
		compare(&c, fabrics[i], &count);
		clear(&c);
	}
	assert_in_range(count.sound, 20, UINT32_MAX);
	assert_in_range(count.cycles, 5, UINT32_MAX);
	assert_in_range(count.exceed, 5, UINT32_MAX);
}

static void test_failures(void **state)
{
	struct count count = { 0 };
	struct chosen c;

	(void)state;
	for (size_t i = 0; i < N_DAMAGED; i++)
		for (uint64_t seed = 1; seed <= (HD_IS_SLOW ? 1 : 3); seed++) {
			make_failed(&c, fabrics[i],
				    is_dragonfly(fabrics[i]) ? 2 * seed - 1 : 1 + seed % 2, seed);
			compare(&c, fabrics[i], &count);
			clear(&c);
		}
	assert_in_range(count.sound, 10, UINT32_MAX);
	assert_in_range(count.cycles + count.stuck, 5, UINT32_MAX);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_whole),
		cmocka_unit_test(test_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
