// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Packets that choose their ways: VC rules, the proof, and runs against what the proof says and
 * theory.
 */
#include "sim/adaptive/proof.h"
#include "sim/adaptive/selection.h"
#include "sim/adaptive/trigger.h"
#include "sim/adaptive/ways.h"
#include "sim/switches/adaptive.h"
#include "tests/unit/adaptive_case.h"
#include "topologies/grid.h"

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

/* Grids of all kinds that dal serves. */
static const char *const grids[] = {
	"torus:5x4",   "torus:3x4x3", "hyperx:4x5,p=3",        "hyperx:3x2x4,p=2",
	"kns:k=4,n=2", "kns:k=3,n=3", "torus:5x4,p=2,trunk=2",
};

#define N_GRIDS (sizeof(grids) / sizeof(grids[0]))

#define N_ROUTINGS (sizeof(routings) / sizeof(routings[0]))

static const char *const triggers[] = {
	"credits",  "contention:3", "filtered:3,alpha=0.5",
	"hybrid:3", "ectn:3,5",     "probability:1,4",
};

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
		assert_non_null(
			strstr(err.text, i == 5 ? "no VC rule 'tables?'" : "is no VC rule"));
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
		if (c->routed->routing->max_hops)
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
	for (unsigned i = 0; i < (HD_IS_SLOW ? 1 : 2); i++) {
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

/* What a grid's shape says of dimensions is what its links are. */
static void test_grid_shapes(void **state)
{
	struct chosen c;

	(void)state;
	for (size_t i = 0; i < N_GRIDS; i++) {
		const struct hd_shape *shape;

		make_shape(&c, grids[i]);
		shape = c.shape;
		assert_false(shape->is_degraded);
		for (uint32_t at = 0; at < shape->n_switches; at++)
			for (unsigned port = 0; port < shape->n_locals[at]; port++) {
				uint32_t there = shape->neighbour[hd_shape_port(shape, at, port)];
				unsigned d = hd_shape_dimension(shape, at, port);

				assert_int_equal(d == HD_NO_DIMENSION, there == HD_NONE);
				for (unsigned k = 0; k < shape->n_dimensions; k++) {
					bool is_along = hd_shape_along(shape, at, k) >> port & 1;

					assert_int_equal(is_along, d == k);
					if (there != HD_NONE)
						assert_int_equal(
							hd_shape_coordinate(shape, at, k) ==
								hd_shape_coordinate(shape, there,
										    k),
							d != k);
				}
			}
		clear(&c);
	}
}

/* Credits: who is blocked leaves by every dimension, whatever class its links are of. */
static void leaves_blocked(struct chosen *c)
{
	static const uint32_t occupied[HD_SHAPE_PORTS * 2], capacity[HD_LINK_CLASSES] = { 8, 8, 8 };
	static const uint64_t room[2];
	struct hd_sight sight = {
		.room = room, .occupied = occupied, .capacity = capacity, .n_vcs = 2
	};
	struct hd_view view = { .shape = c->shape, .sight = &sight };
	struct hd_error err = { 0 };
	unsigned classes = 0;

	assert_hd_ok(choose(c, "dal", "credits", NULL, &err), err);
	for (unsigned port = 0; port < c->shape->n_locals[0]; port++) {
		if (hd_shape_dimension(c->shape, 0, port) == HD_NO_DIMENSION)
			continue;
		classes |= 1u << hd_shape_class(c->shape, 0, port);
		assert_true(c->routed->trigger->leaves(c->routed, &view, port, 1));
	}
	assert_int_equal(classes, 1u << HD_LINK_LOCAL | 1u << HD_LINK_GLOBAL);
	drop(c);
}

/* Two VCs in grids of all kinds and any number of dimensions; one is too few. */
static void test_grid_proofs(void **state)
{
	struct chosen c;

	(void)state;
	for (size_t i = 0; i < N_GRIDS; i++) {
		make_shape(&c, grids[i]);
		prove(&c, "dal", NULL, true);
		prove(&c, "dal:draw=random", NULL, true);
		prove(&c, "dal", "hop:1", false);
		clear(&c);
	}
	/* formally a dragonfly as well: links are of two classes */
	make_shape(&c, "hyperx:4x4");
	hd_shape_free(c.shape);
	assert_hd_ok(
		hd_structure_find_groups(&c.structure, c.setting.fabric, &(struct hd_error){ 0 }),
		(struct hd_error){ 0 });
	assert_non_null(c.structure.group);
	assert_hd_ok(
		hd_shape_new(c.setting.tables, &c.structure, &c.shape, &(struct hd_error){ 0 }),
		(struct hd_error){ 0 });
	prove(&c, "dal", NULL, true);
	prove(&c, "dal", "hop:1", false);
	leaves_blocked(&c);
	clear(&c);
}

/* A packet that needs no second VC has the choice of both; one on a detour has not. */
static void test_grid_vcs(void **state)
{
	const struct hd_header header = hd_routed_begin(NULL, false);
	struct hd_offer offers[HD_MAX_OFFERS];
	struct hd_error err = { 0 };
	struct chosen c;
	struct hd_view view;

	(void)state;
	make_shape(&c, "hyperx:4x5,p=3");
	assert_hd_ok(choose(&c, "dal", NULL, NULL, &err), err);
	view = (struct hd_view){
		.shape = c.shape, .at = 0, .in_class = HD_LINK_TERMINAL, .in_port = HD_NO_PORT
	};
	view.to = 3 + 4 * 2; /* (3, 2) */
	view.target = c.shape->first_target[view.to];
	assert_int_equal(c.routed->routing->may(c.routed, &view, &header, offers), 2);
	assert_int_equal(offers[0].vcs, 3);
	assert_int_equal(offers[1].vcs, 1);
	assert_int_equal(__builtin_popcountll(offers[1].ports), 2); /* x = 1, 2 */
	clear(&c);

	make_shape(&c, "torus:8x4");
	assert_hd_ok(choose(&c, "dal", NULL, NULL, &err), err);
	view = (struct hd_view){ .shape = c.shape,
				 .at = 0,
				 .to = 3,
				 .in_class = HD_LINK_TERMINAL,
				 .in_port = HD_NO_PORT };
	view.target = c.shape->first_target[view.to];
	assert_int_equal(c.routed->routing->may(c.routed, &view, &header, offers), 2);
	assert_int_equal(offers[0].vcs, 3); /* 0, 1, 2, 3 */
	assert_int_equal(offers[1].vcs, 2); /* 0, 7, 6, 5, 4, 3: the first link closes the ring */
	view.at = 6;
	view.to = 1;
	view.target = c.shape->first_target[view.to];
	assert_int_equal(c.routed->routing->may(c.routed, &view, &header, offers), 2);
	assert_int_equal(offers[0].vcs, 1); /* 6, 7, 0, 1: it closes on the way */
	assert_int_equal(offers[1].vcs, 3);
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
		{ SMALL, "dal", "", "dal goes by dimensions, and the fabric is no grid" },
		{ "mesh:4x4,p=1", "dal", "", "lines of switches have no other path" },
		{ "torus:4x4,p=1", "dal:draw=all", "", "draw: 'all' is none of best, random" },
		{ "torus:4x4,p=1", "dal", "ectn", "the fabric has no groups: ectn needs some" },
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

/* Buffers of one packet, load 1: everything goes on, whatever the routing and the switch. */
static void test_runs(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	for (unsigned i = 0; i < N_ROUTINGS; i++)
		go_everywhere(&c, routings[i], NULL, SOME_PACKETS, i % 2);
	for (unsigned i = 0; i < sizeof(triggers) / sizeof(triggers[0]); i++) {
		assert_hd_ok(choose(&c, "olm", triggers[i], NULL, &err), err);
		assert_true(go(&c, SOME_PACKETS, true, HD_OK) > 0.02);
		drop(&c);
	}
	clear(&c);
}

/* Fetching ahead, and the machine, change nothing but the time that a run takes. */
static void test_looking_ahead_and_the_machine(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	for (unsigned i = 0; i < N_ROUTINGS; i++)
		for (unsigned kind = 0; kind < 2; kind++) {
			uint64_t delivered;

			assert_hd_ok(choose(&c, routings[i], NULL, NULL, &err), err);
			c.setting.options.model = kind ? &hd_switch_cioq : &hd_switch_iq;
			c.setting.options.speedup = 2;
			c.setting.options.look_ahead = HD_LOOK_AHEAD_ALWAYS;
			go(&c, A_FEW_PACKETS / 3, false, HD_OK);
			delivered = c.setting.traffic.delivered;
			assert_true(delivered > A_FEW_PACKETS / 3);
			c.setting.options.look_ahead = HD_LOOK_AHEAD_NEVER;
			go(&c, A_FEW_PACKETS / 3, false, HD_OK);
			assert_int_equal(c.setting.traffic.delivered, delivered);
			c.setting.options.machine = HD_MACHINE_GENERAL;
			go(&c, A_FEW_PACKETS / 3, false, HD_OK);
			assert_int_equal(c.setting.traffic.delivered, delivered);
			c.setting.options.machine = HD_MACHINE_FASTEST;
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
	make_shape(&c, "torus:6x6,p=2");
	assert_hd_ok(choose(&c, "dal", "contention:1", "hop:1", &err), err);
	go(&c, 4000, true, HD_EREFUSED);
	clear(&c);
}

/* Load 1 with one-packet buffers in grids, by every trigger that needs no groups. */
static void test_grid_runs(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	for (size_t i = 0; i < N_GRIDS; i++) {
		make_shape(&c, grids[i]);
		for (unsigned kind = 0; kind < 12; kind++) {
			const char *trigger = triggers[kind / 2 % 6];

			if (strncmp(trigger, "ectn", 4) == 0)
				trigger = "contention:0";
			assert_hd_ok(choose(&c, kind < 6 ? "dal" : "dal:draw=random", trigger, NULL,
					    &err),
				     err);
			c.setting.options.model = kind & 1 ? &hd_switch_cioq : &hd_switch_iq;
			c.setting.options.speedup = 2;
			assert_true(go(&c, SOME_PACKETS, kind & 1, HD_OK) > 0.02);
			drop(&c);
		}
		clear(&c);
	}
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
	if (HD_IS_SLOW)
		return;
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

/*
 * Links that fail make minimal ways longer: a longer sequence serves, and with it nothing stands
 * still.
 */
static void test_failures(void **state)
{
	static const char *const longer = "hop:l g l l g l l g l l g l";
	static const char *const some[] = { "valiant", "pb", "olm" };

	(void)state;
	for (uint64_t seed = 1; seed <= 4; seed++) {
		struct hd_error err = { 0 };
		struct chosen c;

		make_failed(&c, SMALL, 5, seed);
		for (unsigned i = 0; i < 3; i++) {
			struct hd_proof proof;

			assert_hd_ok(choose(&c, some[i], NULL, longer, &err), err);
			assert_hd_ok(hd_proof_make(c.routed, &proof, &err), err);
			/* what is proved goes on; what is not may */
			if (proof.is_sound)
				go(&c, MORE_PACKETS, false, HD_OK);
			hd_proof_clear(&proof);
			drop(&c);
		}
		clear(&c);
	}
}

/* Once nothing changes, switches have nothing to tell, and a run ends with its packets. */
static void test_silence(void **state)
{
	static const char *const some[][2] = {
		{ "pb", NULL },
		{ "pb:period=3,delay=0", NULL },
		{ "ugal:info=global", NULL },
		{ "olm", "ectn:3,5" },
	};

	(void)state;
	for (unsigned i = 0; i < 4; i++) {
		struct hd_error err = { 0 };
		struct chosen c;
		struct setting *s = &c.setting;
		uint64_t taken;

		make_shape(&c, SMALL);
		assert_hd_ok(choose(&c, some[i][0], some[i][1], NULL, &err), err);
		s->options.routed = c.routed;
		s->traffic.poisson = true;
		begin(s, 0.5, A_FEW_PACKETS);
		assert_hd_ok(hd_model_run(s->model, 4 * s->traffic.stop, &err), err);
		assert_true(s->model->adaptive->notices.bytes);
		taken = s->model->events.taken;
		assert_hd_ok(hd_model_run(s->model, 400 * s->traffic.stop, &err), err);
		assert_int_equal(s->model->events.taken, taken);
		end(&c);
		clear(&c);
	}
}

/* In grids as well, where the routing has a longer sequence by itself. */
static void test_grid_failures(void **state)
{
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	for (size_t i = 0; i < N_GRIDS; i++)
		for (uint64_t seed = 1; seed <= 4; seed++) {
			make_failed(&c, grids[i], 1 + seed % 2, seed);
			/* of a trunk that lacks a cable, the rest will do */
			assert_true(c.shape->is_degraded || strstr(grids[i], "trunk"));
			prove(&c, "dal", NULL, true);
			assert_hd_ok(choose(&c, "dal", "contention:1", NULL, &err), err);
			go(&c, MORE_PACKETS, true, HD_OK);
			clear(&c);
		}
}

/* Who was served longest ago goes first, of every out-port by itself; transit before all. */
static void test_lrs(void **state)
{
	struct hd_contender a = { .in = 0, .out = 3 }, b = { .in = 1, .out = 3 };
	const struct hd_arbiter *lrs = &hd_arbiter_lrs;
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	c.setting.options.arbiter = lrs;
	begin(&c.setting, 0.1, 10);
	assert_false(lrs->before(c.setting.model, &a, &b));
	assert_false(lrs->before(c.setting.model, &b, &a));
	lrs->served(c.setting.model, 3, 0);
	assert_true(lrs->before(c.setting.model, &b, &a));
	assert_hd_ok(hd_model_run(c.setting.model, 1, &err), err); /* a tick later */
	lrs->served(c.setting.model, 3, 1);
	assert_true(lrs->before(c.setting.model, &a, &b));
	a.out = b.out = 4;
	assert_false(lrs->before(c.setting.model, &a, &b));
	clear(&c);
}

/* Minimal ways, on any VC up to their own: what selections choose among. */
static unsigned any_vc(const struct hd_routed *routed, const struct hd_view *view,
		       const struct hd_header *header, struct hd_offer *offers)
{
	unsigned n = hd_way_offer(routed, view, header, view->target, offers);

	for (unsigned i = 0; i < n; i++)
		offers[i].vcs |= offers[i].vcs - 1;
	return n;
}

static const struct hd_routing flexible = {
	.policy.name = "flexible",
	.vcs = "hop:2/1",
	.needs_groups = true,
	.max_hops = 3,
	.offer = any_vc,
	.may = any_vc,
};

/*
 * What was sent on VC 1 of local links, as a share of VCs 0 and 1; VC 0 is all that first hops
 * have.
 */
static double go_selecting(struct chosen *c, const struct hd_selection *selection, bool is_flexible)
{
	const struct hd_fabric *fabric = c->setting.fabric;
	struct setting *s = &c->setting;
	struct hd_routed routed;
	struct hd_error err = { 0 };
	uint64_t busy[2] = { 0 };

	assert_hd_ok(choose(c, "minimal", NULL, NULL, &err), err);
	routed = *c->routed;
	if (is_flexible)
		routed.routing = &flexible;
	s->options.routed = &routed;
	s->options.selection = selection;
	s->options.seed = 5;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		s->options.links[i].buffer = 64 * s->traffic.size;
	s->traffic.poisson = true;
	s->traffic.delivered = 0;
	begin(s, 0.5, HD_IS_SLOW ? 1000 : 3000);
	assert_hd_ok(hd_model_run(s->model, s->traffic.stop, &err), err);
	check_census(s);
	for (uint32_t port = 0; port < fabric->n_ports; port++)
		for (unsigned vc = 0; vc < 2; vc++)
			if (c->structure.port_class[port] == HD_PORT_LOCAL)
				busy[vc] += hd_model_busy(s->model, port, vc);
	end(c);
	drop(c);
	return (double)busy[1] / (double)(busy[0] + busy[1]);
}

static void test_selections(void **state)
{
	double minimal, lowest, highest, jsq, random;
	struct chosen c;

	(void)state;
	make_shape(&c, SMALL);
	minimal = go_selecting(&c, NULL, false);
	/* first and second local hops are as many */
	assert_true(minimal > 0.45 && minimal < 0.55);
	assert_true(fabs(go_selecting(&c, &hd_selection_random, false) - minimal) < 0.01);
	highest = go_selecting(&c, &hd_selection_highest, true);
	lowest = go_selecting(&c, &hd_selection_lowest, true);
	jsq = go_selecting(&c, &hd_selection_jsq, true);
	random = go_selecting(&c, &hd_selection_random, true);
	assert_true(fabs(highest - minimal) < 0.01);
	assert_true(lowest < 0.01);
	assert_true(fabs(random - minimal / 2) < 0.02);
	/* the shorter of two queues: first hops fill VC 0 */
	assert_true(jsq > random && jsq < highest);
	assert_true(go_selecting(&c, NULL, true) >= jsq && go_selecting(&c, NULL, true) <= jsq);
	clear(&c);
}

/* Weights keep VCs apart, however full they are. */
static void test_weights(void **state)
{
	uint64_t number = 1;
	struct hd_sight sight = { .random = &number };
	unsigned less = 0;

	(void)state;
	assert_null(hd_selection_jsq.weight);
	assert_true(hd_selection_lowest.weight(&sight, 0, UINT32_MAX) <
		    hd_selection_lowest.weight(&sight, 1, 0));
	assert_true(hd_selection_highest.weight(&sight, HD_MAX_VCS - 1, UINT32_MAX) <
		    hd_selection_highest.weight(&sight, HD_MAX_VCS - 2, 0));
	for (unsigned vc = 0; vc < HD_MAX_VCS; vc++) {
		assert_true(hd_selection_lowest.weight(&sight, vc, 5) <
			    hd_selection_lowest.weight(&sight, vc, 6));
		assert_true(hd_selection_highest.weight(&sight, vc, UINT32_MAX) < UINT32_MAX);
		assert_true(hd_selection_lowest.weight(&sight, vc, UINT32_MAX) < UINT32_MAX);
	}
	for (unsigned i = 0; i < 10000; i++)
		less += hd_selection_random.weight(&sight, 0, 0) <
			hd_selection_random.weight(&sight, 1, 1000);
	assert_true(less > 4750 && less < 5250);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_vcs),
		cmocka_unit_test(test_filter),
		cmocka_unit_test(test_proofs),
		cmocka_unit_test(test_too_few),
		cmocka_unit_test(test_refusals),
		cmocka_unit_test(test_runs),
		cmocka_unit_test(test_looking_ahead_and_the_machine),
		cmocka_unit_test(test_deadlocks),
		cmocka_unit_test(test_ceiling),
		cmocka_unit_test(test_failures),
		cmocka_unit_test(test_lrs),
		cmocka_unit_test(test_selections),
		cmocka_unit_test(test_weights),
		cmocka_unit_test(test_grid_shapes),
		cmocka_unit_test(test_grid_proofs),
		cmocka_unit_test(test_grid_vcs),
		cmocka_unit_test(test_grid_runs),
		cmocka_unit_test(test_silence),
		cmocka_unit_test(test_grid_failures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
