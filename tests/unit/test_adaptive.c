// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packets that choose their ways: VC rules, the proof, and runs against what the proof says and
 * theory.
 */
#include "fabric/faults.h"
#include "simfabric/adaptive/proof.h"
#include "simfabric/adaptive/trigger.h"
#include "tests/unit/model_case.h"
#include "topologies/structure.h"

#define SMALL  "dragonfly:a=4,p=2,h=2,global=palmtree"
#define MEDIUM "dragonfly:a=6,p=3,h=3"

static const char *const routings[] = {
	"minimal",
	"trunk",
	"valiant",
	"valiant:policy=crg",
	"valiant:to=group",
	"ugal",
	"ugal:info=global",
	"pb",
	"pb:policy=crg,sense=port",
	"par",
	"par:policy=nrg",
	"olm:policy=rrg",
	"olm:policy=crg",
	"olm:policy=nrg",
	"olm:policy=mm",
	"olm:local=no",
	"olm:draw=best",
};

#define N_ROUTINGS (sizeof(routings) / sizeof(routings[0]))

static const char *const triggers[] = {
	"credits",  "contention:3", "filtered:3,alpha=0.5",
	"hybrid:3", "ectn:3,5",     "probability:1,4",
};

/* A fabric, its shape, and a routing for it. */
struct chosen {
	struct setting setting;
	struct hd_structure structure;
	struct hd_shape *shape;
	struct hd_routed *routed;
};

static void make_shape(struct chosen *c, const char *spec)
{
	struct hd_error err = { 0 };

	memset(c, 0, sizeof(*c));
	make(&c->setting, spec, strncmp(spec, "dragonfly", 9) == 0 ? "dla" : "hdor", 8, 1);
	c->setting.options.count_waits = false;
	assert_hd_ok(hd_structure_find_groups(&c->structure, c->setting.fabric, &err), err);
	assert_hd_ok(hd_shape_new(c->setting.tables, &c->structure, &c->shape, &err), err);
}

static int choose(struct chosen *c, const char *adaptive, const char *trigger, const char *vcs,
		  struct hd_error *err)
{
	const struct hd_routed_spec spec = { adaptive, trigger, vcs, false };
	enum hd_routed_part part;

	return hd_routed_new(&spec, c->shape, &c->routed, &part, err);
}

static void drop(struct chosen *c)
{
	hd_routed_free(c->routed);
	c->routed = NULL;
}

static void clear(struct chosen *c)
{
	drop(c);
	hd_shape_free(c->shape);
	hd_structure_clear(&c->structure);
	finish(&c->setting);
	c->setting.model = NULL;
}

static void test_vcs(void **state)
{
	struct hd_error err = { 0 };
	struct hd_vcs vcs;

	(void)state;
	/* MIN l0 g0 l1, and the four hops of a detour behind it: l2 g1 l3 */
	assert_hd_ok(hd_vcs_parse("hop:4/2", &vcs, &err), err);
	assert_string_equal(vcs.text, "l g l l g l");
	assert_int_equal(vcs.n[HD_LINK_LOCAL], 4);
	assert_int_equal(vcs.n[HD_LINK_GLOBAL], 2);
	assert_int_equal(hd_vcs_vc(&vcs, 0, HD_LINK_LOCAL), 0);
	assert_int_equal(hd_vcs_vc(&vcs, 0, HD_LINK_GLOBAL), 0);
	assert_int_equal(hd_vcs_next(&vcs, 2, HD_LINK_GLOBAL), 4);
	assert_int_equal(hd_vcs_vc(&vcs, 2, HD_LINK_GLOBAL), 1);
	assert_int_equal(hd_vcs_vc(&vcs, 5, HD_LINK_LOCAL), 3);
	/* behind the end, the last one is shared */
	assert_int_equal(hd_vcs_next(&vcs, 6, HD_LINK_LOCAL), vcs.n_places);
	assert_int_equal(hd_vcs_vc(&vcs, 6, HD_LINK_LOCAL), 3);
	/* what a local detour uses once more: the VC of the hop before, or the first */
	assert_int_equal(hd_vcs_again(&vcs, 0, HD_LINK_LOCAL), 0);
	assert_int_equal(hd_vcs_again(&vcs, 2, HD_LINK_LOCAL), 0);
	assert_int_equal(hd_vcs_again(&vcs, 5, HD_LINK_LOCAL), 2);
	assert_hd_ok(hd_vcs_parse("hop:lglgl", &vcs, &err), err);
	assert_string_equal(vcs.text, "l g l g l");
	assert_hd_ok(hd_vcs_parse("hop:5", &vcs, &err), err);
	assert_string_equal(vcs.text, "l l l l l");
	assert_int_equal(vcs.n[HD_LINK_GLOBAL], 1);
	for (size_t i = 0; i < 7; i++) {
		static const char *const bad[] = { "hop:",    "hop",     "hop:l x g", "hop:0",
						   "hop:9/9", "tables?", "hop:33" };

		assert_int_equal(hd_vcs_parse(bad[i], &vcs, &err), HD_EINVAL);
		assert_non_null(strstr(err.text, "is no VC rule"));
	}
}

/* The closed form of a filter is what a switch would reckon in each cycle. */
static void test_filter(void **state)
{
	const unsigned counts[] = { 0, 3, 7, 2, 0 };
	struct hd_filter filter = { 0, 0 };
	double each = 0;
	uint64_t now = 0;

	(void)state;
	for (unsigned i = 0; i < 5; i++) {
		for (unsigned cycle = 0; cycle < 4; cycle++, now += 12) {
			assert_true(fabs(hd_filter_value(&filter, counts[i], 0.5, now, 12) - each) <
				    1e-12);
			each = 0.5 * each + 0.5 * counts[i];
		}
		filter.value = hd_filter_value(&filter, counts[i], 0.5, now, 12);
		filter.since = now;
	}
}

static void prove(struct chosen *c, const char *adaptive, const char *vcs, bool is_sound)
{
	struct hd_error err = { 0 };
	struct hd_proof proof;
	char text[512];

	assert_hd_ok(choose(c, adaptive, NULL, vcs, &err), err);
	assert_hd_ok(hd_proof_make(c->routed, &proof, &err), err);
	hd_proof_describe(c->routed, &proof, text, sizeof(text));
	if (proof.is_sound != is_sound)
		fail_msg("%s, VCs %s: %s", adaptive, vcs ? vcs : "", text);
	if (is_sound) {
		assert_in_range(proof.max_hops, 1, c->routed->routing->max_hops);
		assert_int_equal(proof.n_cycle, 0);
	} else {
		/*
		 * its cycle is one: every buffer is behind a port of the switch that the one before
		 * leads to
		 */
		for (size_t i = 0; i < proof.n_cycle; i++) {
			const struct hd_proof_channel *at = &proof.cycle[i];
			const struct hd_proof_channel *then = &proof.cycle[(i + 1) % proof.n_cycle];

			assert_int_equal(
				c->shape->neighbour[hd_shape_port(c->shape, at->at, at->port)],
				then->at);
		}
		assert_true(proof.n_cycle || proof.stuck_target != HD_NONE);
	}
	hd_proof_clear(&proof);
	drop(c);
}

static void test_proofs(void **state)
{
	static const char *const specs[] = { SMALL, MEDIUM };
	struct chosen c;

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		make_shape(&c, specs[i]);
		for (unsigned k = 0; k < N_ROUTINGS; k++)
			prove(&c, routings[k], NULL, true);
		clear(&c);
	}
}

/* A VC less than the thesis's sequences, and there is a cycle. */
static void test_too_few(void **state)
{
	static const struct {
		const char *adaptive, *vcs;
	} cases[] = {
		{ "minimal", "hop:l g" },        { "minimal", "hop:g l" },
		{ "valiant", "hop:l g l l g" },  { "valiant", "hop:l g l l l" },
		{ "valiant", "hop:3/2" },        { "pb", "hop:3/2" },
		{ "ugal", "hop:l g l g" },       { "par", "hop:4/2" },
		{ "olm", "hop:l g l g" },        { "olm", "hop:l g l l" },
		{ "olm:policy=crg", "hop:2/1" },
	};
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		prove(&c, cases[i].adaptive, cases[i].vcs, false);
	clear(&c);
}

static void test_refusals(void **state)
{
	static const struct {
		const char *spec, *adaptive, *trigger, *says;
	} cases[] = {
		{ SMALL, "oml", "", "there is no adaptive routing 'oml' (known are" },
		{ SMALL, "olm:policy=mmm", "", "policy: 'mmm' is none of rrg, crg, nrg, mm" },
		{ SMALL, "olm", "credit", "there is no trigger 'credit' (known are" },
		{ SMALL, "olm", "contention:x", "threshold: 'x' is not a number" },
		{ SMALL, "olm", "ectn:6,10,period=0", "period" },
		{ SMALL, "pb", "credits", "pb asks no trigger" },
		{ SMALL, "pb:period=0", "", "period" },
		{ SMALL, "valiant:exclude=all", "", "exclude: 'all' is none of" },
		{ SMALL, "olm", "probability:9,always=3", "must exceed the threshold" },
		{ "torus:4x4,p=1", "olm", "",
		  "olm goes by groups, and the fabric is no dragonfly" },
		{ "torus:4x4,p=1", "valiant:policy=crg", "", "the fabric has no groups" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_error err = { 0 };
		struct chosen c;

		make_shape(&c, cases[i].spec);
		assert_int_not_equal(choose(&c, cases[i].adaptive, cases[i].trigger, NULL, &err),
				     0);
		if (!strstr(err.text, cases[i].says))
			fail_msg("'%s' does not say '%s'", err.text, cases[i].says);
		clear(&c);
	}
}

/* All hosts send to the next group. */
static uint32_t *next_group(const struct chosen *c, uint32_t n_hosts)
{
	uint32_t *map = malloc(n_hosts * sizeof(*map));
	uint32_t per_group = n_hosts / c->shape->n_groups;

	assert_non_null(map);
	for (uint32_t host = 0; host < n_hosts; host++)
		map[host] = (host + per_group) % n_hosts;
	return map;
}

/* Traffic at load 1 for a while: what arrived of it, as a share, all being sound on the way. */
static double go(struct chosen *c, uint64_t packets, bool adversarial, int expected)
{
	struct setting *s = &c->setting;
	struct hd_error err = { 0 };
	uint32_t n = c->setting.fabric->n_nodes - c->setting.fabric->n_switches;
	uint32_t *map = adversarial ? next_group(c, n) : NULL;
	double share;

	s->options.routed = c->routed;
	s->options.seed = 5;
	s->traffic.map = map;
	s->traffic.poisson = true;
	s->traffic.delivered = 0;
	begin(s, 1, packets);
	assert_int_equal(hd_model_run(s->model, s->traffic.stop, &err), expected);
	check_census(s);
	share = accepted(s);
	hd_model_free(s->model);
	s->model = NULL;
	free(s->traffic.random);
	free(s->traffic.time);
	free(s->traffic.arrived);
	s->traffic.random = NULL;
	s->traffic.time = s->traffic.arrived = NULL;
	free(map);
	return share;
}

/* Buffers of one packet, load 1: everything goes on, whatever the routing and the switch. */
static void test_runs(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	for (unsigned i = 0; i < N_ROUTINGS; i++)
		for (unsigned kind = 0; kind < 4; kind++) {
			assert_hd_ok(choose(&c, routings[i], NULL, NULL, &err), err);
			c.setting.options.model = kind & 1 ? &hd_switch_cioq : &hd_switch_iq;
			c.setting.options.speedup = 2;
			c.setting.options.iterations = kind & 2 ? 2 : 0;
			assert_true(go(&c, 600, kind == 1, HD_OK) > 0.02);
			drop(&c);
		}
	for (unsigned i = 0; i < sizeof(triggers) / sizeof(triggers[0]); i++) {
		assert_hd_ok(choose(&c, "olm", triggers[i], NULL, &err), err);
		assert_true(go(&c, 600, true, HD_OK) > 0.02);
		drop(&c);
	}
	clear(&c);
}

/* What the proof refuses does come to a stand. */
static void test_deadlocks(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	assert_hd_ok(choose(&c, "olm", NULL, "hop:l g l l", &err), err);
	go(&c, 4000, true, HD_EREFUSED);
	drop(&c);
	assert_hd_ok(choose(&c, "valiant", NULL, "hop:l g l", &err), err);
	go(&c, 4000, false, HD_EREFUSED);
	clear(&c);
}

/*
 * Roomy buffers. To the next group, one of a h links is minimal, and the p hosts of the switch at
 * which it is can use it at no cost: in all, no more than (a h + 1) / (2 a p) can arrive.
 */
static void test_ceiling(void **state)
{
	const double ceiling = (4 * 2 + 1) / (2.0 * 4 * 2);
	static const char *const trigger[] = { "credits", "contention:3,reached=yes" };
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		c.setting.options.links[i].buffer = 32 * 8;
	c.setting.options.latency = 10;
	for (unsigned i = 0; i < 2; i++) {
		double share;

		assert_hd_ok(choose(&c, "olm", trigger[i], NULL, &err), err);
		share = go(&c, 6000, true, HD_OK);
		if (share < 0.9 * ceiling || share > 1.001 * ceiling)
			fail_msg("olm, %s: %.4f of %.4f", trigger[i], share, ceiling);
		drop(&c);
	}
	clear(&c);
}

/* A copy of @fabric without @n random links between switches. */
static void fail_links(const struct hd_fabric *fabric, size_t n, uint64_t seed,
		       struct hd_fabric **left)
{
	uint32_t links[8];
	struct hd_random random;
	struct hd_error err = { 0 };

	hd_random_init(&random, seed, 0);
	for (size_t i = 0; i < n;) {
		uint32_t port = hd_random_below(&random, fabric->n_ports), peer;
		bool is_known = false;

		peer = fabric->ports[port].peer;
		if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[port].node) ||
		    !hd_is_switch(fabric, fabric->ports[peer].node))
			continue;
		for (size_t k = 0; k < i; k++)
			is_known |= links[k] == port || links[k] == peer;
		if (!is_known)
			links[i++] = port;
	}
	assert_hd_ok(hd_fabric_without(fabric, links, n, NULL, 0, left, &err), err);
}

/*
 * Links that fail make minimal ways longer: a longer sequence serves, and with it nothing stands
 * still.
 */
static void test_failures(void **state)
{
	static const char *const longer = "hop:l g l l g l l g l l g l";
	const struct hd_route_request request = { 0 };
	static const char *const some[] = { "valiant", "pb", "olm" };

	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct hd_error err = { 0 };
		struct hd_fabric *left;
		struct chosen c;

		make_shape(&c, SMALL);
		hd_shape_free(c.shape);
		hd_structure_clear(&c.structure);
		hd_tables_free(c.setting.tables);
		fail_links(c.setting.fabric, 5, seed, &left);
		hd_fabric_free(c.setting.fabric);
		c.setting.fabric = left;
		assert_hd_ok(
			hd_route(hd_engine_find("dla"), left, &request, &c.setting.tables, &err),
			err);
		memset(&c.structure, 0, sizeof(c.structure));
		assert_hd_ok(hd_structure_find_groups(&c.structure, left, &err), err);
		c.setting.options.port_class = c.structure.port_class;
		assert_hd_ok(hd_shape_new(c.setting.tables, &c.structure, &c.shape, &err), err);
		for (unsigned i = 0; i < 3; i++) {
			struct hd_proof proof;

			assert_hd_ok(choose(&c, some[i], NULL, longer, &err), err);
			assert_hd_ok(hd_proof_make(c.routed, &proof, &err), err);
			/* what is proved goes on; what is not may */
			if (proof.is_sound)
				go(&c, 400, false, HD_OK);
			hd_proof_clear(&proof);
			drop(&c);
		}
		clear(&c);
	}
}

/* Who was served longest ago goes first, of every out-port by itself; transit before all. */
static void test_lrs(void **state)
{
	struct hd_contender a = { .in = 0, .out = 3 }, b = { .in = 1, .out = 3 };
	const struct hd_arbiter *lrs = &hd_arbiter_lrs;
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	c.setting.options.arbiter = lrs;
	begin(&c.setting, 0.1, 10);
	assert_false(lrs->before(c.setting.model, &a, &b));
	assert_false(lrs->before(c.setting.model, &b, &a));
	lrs->served(c.setting.model, 3, 0);
	assert_true(lrs->before(c.setting.model, &b, &a));
	lrs->served(c.setting.model, 3, 1);
	assert_true(lrs->before(c.setting.model, &a, &b));
	a.out = b.out = 4;
	assert_false(lrs->before(c.setting.model, &a, &b));
	clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vcs),       cmocka_unit_test(test_filter),
		cmocka_unit_test(test_proofs),    cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_refusals),  cmocka_unit_test(test_runs),
		cmocka_unit_test(test_deadlocks), cmocka_unit_test(test_ceiling),
		cmocka_unit_test(test_failures),  cmocka_unit_test(test_lrs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
