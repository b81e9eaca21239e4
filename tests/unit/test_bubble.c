// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Bubble flow control: tori without datelines, against what comes of them without it; what the
 * check says of them; refusals.
 */
#include "tests/unit/model_case.h"

#include "check/check.h"
#include "tests/unit/shuffle.h"
#include "topologies/rings.h"

#define SIZE    16
#define CYCLES  4000000 /* of a unit each, at most */
#define STOPS   2000
#define PACKETS (HD_IS_SLOW ? 100000 : 1000000)
#define TRIALS  120

struct wish {
	const char *spec, *engine, *layers, *option;
	unsigned lmc;
	bool bubble; /* layers are made for it */
};

/* Makes a setting whose tables are those of @wish, with buffers of @buffer packets. */
static void make_wish(struct setting *s, const struct wish *wish, uint32_t buffer)
{
	const struct hd_engine *engine = hd_engine_find(wish->engine);
	struct hd_params *params = hd_params_new(engine->policy.options);
	const struct hd_route_request request = { .layers = wish->layers,
						  .params = params,
						  .bubble = wish->bubble };
	struct hd_error err = { 0 };

	make_lmc(s, wish->spec, wish->engine, wish->lmc, SIZE, buffer);
	hd_tables_free(s->tables);
	if (wish->option)
		assert_hd_ok(hd_params_set_pair(params, wish->engine, wish->option, &err), err);
	assert_hd_ok(hd_route(engine, s->fabric, &request, &s->tables, &err), err);
	hd_params_free(params);
	s->options.count_waits = false;
}

/* Begins at load 1; hosts send until @stop. */
static void begin_full(struct setting *s, const struct hd_rings *rings, uint64_t packets)
{
	s->options.bubble = rings;
	begin(s, 1, packets);
}

static struct hd_rings rings_of(const struct hd_fabric *fabric)
{
	struct hd_rings rings;
	struct hd_error err = { 0 };

	assert_hd_ok(hd_rings_find(fabric, NULL, &rings, &err), err);
	return rings;
}

static bool is_sound(const struct setting *s, const uint32_t *ring, uint32_t *n_bubbles)
{
	const struct hd_check_options options = { .scope = HD_CHECK_HOSTS, .ring = ring };
	struct hd_check_result result;
	struct hd_error err = { 0 };
	bool sound;

	assert_hd_ok(hd_check(s->tables, &options, &result, &err), err);
	sound = result.failure == HD_CHECK_SOUND;
	*n_bubbles = result.n_bubbles;
	hd_check_clear(&result);
	return sound;
}

static void rings_are_found(void **state)
{
	static const struct {
		const char *spec;
		uint32_t n, links;
	} cases[] = { { "torus:4x4", 16, 64 },
		      { "torus:5x3", 16, 60 },
		      { "torus:4x4x4", 96, 384 },
		      { "torus:7", 2, 14 } };
	struct hd_rings rings;
	struct hd_fabric *mesh;
	struct hd_error err = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		uint32_t links = 0, next = 0, first;
		struct setting s;

		make(&s, cases[i].spec, "hdor", SIZE, 2);
		rings = rings_of(s.fabric);
		assert_int_equal(rings.n, cases[i].n);
		hd_for_each_port(p, s.fabric) {
			links += rings.of[p] > 0;
			assert_in_range(rings.of[p], 0, rings.n);
		}
		assert_int_equal(links, cases[i].links);
		/* from any link, links of the same ring lead around */
		hd_for_each_number(port, s.fabric, 0) {
			uint32_t at = 0, n = 0;

			first = hd_port_index(s.fabric, 0, port);
			next = first;
			while (rings.of[first]) {
				at = hd_peer_node(s.fabric, at, s.fabric->ports[next].number);
				if (++n > 8 || !at)
					break;
				next = HD_NONE;
				hd_for_each_number(out, s.fabric, at) {
					uint32_t p = hd_port_index(s.fabric, at, out);

					next = rings.of[p] == rings.of[first] ? p : next;
				}
				assert_int_not_equal(next, HD_NONE);
			}
			assert_int_equal(at, 0);
		}
		free(rings.of);
		hd_tables_free(s.tables);
		hd_fabric_free(s.fabric);
	}
	assert_hd_ok(hd_topology_build("mesh:4x4", &mesh, &err), err);
	assert_int_equal(hd_rings_find(mesh, NULL, &rings, &err), HD_EINVAL);
	assert_hd_says(err, "it is no torus");
	hd_fabric_free(mesh);
}

/*
 * At load 1, with buffers of two packets: no deadlock with bubbles in a million packets, and one
 * without them.
 */
static void full_tori_do_not_deadlock(void **state)
{
	static const struct {
		const char *spec;
		bool half; /* of rings of four ties go up: the others have no cycle */
	} tori[] = { { "torus:4x4", true },
		     { "torus:5x5", false },
		     { "torus:8x8", false },
		     { "torus:4x4x4", true } };

	for (size_t i = 0; i < sizeof(tori) / sizeof(tori[0]); i++)
		for (int bubble = 0; bubble < 2; bubble++) {
			const struct wish wish = {
				tori[i].spec, "hdor", "single", "ties=up", 0, 0
			};
			struct hd_rings rings;
			struct hd_error err = { 0 };
			struct setting s;
			uint32_t n_bubbles;
			int ret = 0;

			make_wish(&s, &wish, 2);
			rings = rings_of(s.fabric);
			assert_false(is_sound(&s, NULL, &n_bubbles));
			assert_true(is_sound(&s, rings.of, &n_bubbles));
			assert_int_equal(n_bubbles, rings.n / (tori[i].half ? 2 : 1));
			begin_full(&s, bubble ? &rings : NULL, CYCLES / SIZE);
			for (uint64_t stop = 1; stop <= STOPS && !ret; stop++) {
				ret = hd_model_run(s.model, s.traffic.stop / STOPS * stop, &err);
				if (hd_model_census(s.model).delivered >= PACKETS)
					break;
				/* 4x4 needs longer */
				if (bubble && stop == STOPS)
					fail_msg("%s: too few packets", tori[i].spec);
			}
			if (bubble) {
				assert_hd_ok(ret, err);
				assert_true(hd_model_census(s.model).delivered >= PACKETS);
			} else {
				assert_int_equal(ret, HD_EREFUSED);
				assert_hd_says(err, "deadlock");
			}
			check_census(&s);
			free(rings.of);
			finish(&s);
		}
}

/*
 * 000-C10 where switches have bubbles, for tables of hosts: the orders of one network, of two, of
 * two in one.
 */
static void orders_in_one_network_stay_cyclic(void **state)
{
	static const char *const specs[] = { "torus:4x4", "torus:5x5", "torus:6x6" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		const struct wish one = { specs[i], "hdor", "single", "ties=up", 0, true },
				  two = { specs[i], "osha", "class", "ties=up", 1, true };
		struct hd_rings rings;
		struct setting s;
		uint32_t n_bubbles;

		make_wish(&s, &one, 2);
		rings = rings_of(s.fabric);
		assert_false(is_sound(&s, NULL, &n_bubbles));
		assert_true(is_sound(&s, rings.of, &n_bubbles));
		free(rings.of);
		hd_tables_free(s.tables);
		hd_fabric_free(s.fabric);

		make_wish(&s, &two, 2);
		rings = rings_of(s.fabric);
		assert_false(is_sound(&s, NULL, &n_bubbles));
		assert_true(is_sound(&s, rings.of, &n_bubbles));
		/* both orders on one VL: cycles from ring to ring, which no bubble breaks */
		for (size_t row = 0; row < s.tables->sl2vl_first[s.fabric->n_nodes]; row++)
			s.tables->sl2vl[row] = hd_row_identity(1);
		assert_false(is_sound(&s, rings.of, &n_bubbles));
		free(rings.of);
		hd_tables_free(s.tables);
		hd_fabric_free(s.fabric);
	}
}

/* Runs until nothing happens any more. Returns whether a deadlock was told. */
static bool run_out(struct setting *s)
{
	uint64_t events = UINT64_MAX, until = s->traffic.stop;
	struct hd_error err = { 0 };
	int ret = 0;

	while (hd_model_census(s->model).events != events) {
		events = hd_model_census(s->model).events;
		until += s->traffic.stop;
		ret = hd_model_run(s->model, until, &err);
		assert_true(!ret || ret == HD_EREFUSED);
	}
	return ret != 0;
}

/*
 * Hosts stop sending. What the check calls sound with bubbles arrives; a deadlock is told where
 * something is left, and nowhere else. minhop has cycles from ring to ring.
 */
static void what_is_told_is_what_comes(void **state)
{
	static const struct wish wishes[] = {
		{ "torus:4x4", "hdor", "single", "ties=up", 0, 0 },
		{ "torus:5x5,p=2", "hdor", "single", NULL, 0, 0 },
		{ "torus:7,p=2", "hdor", "single", NULL, 0, 0 },
		{ "torus:6x5", "hdor", "single", "order=x+y+x-y-", 0, 0 },
		{ "torus:5x5", "osha", "class", NULL, 1, true },
		{ "torus:5x5", "minhop", NULL, NULL, 0, 0 },
	};
	const unsigned n_wishes = sizeof(wishes) / sizeof(wishes[0]);
	unsigned n_told = 0, n_told_plain = 0;
	struct hd_random random;

	hd_random_init(&random, 3, 5);
	for (unsigned i = 0; i < TRIALS; i++) {
		const struct wish *wish = &wishes[i % n_wishes];
		const bool bubble = hd_random_below(&random, 4) > 0;
		struct hd_rings rings;
		struct setting s;
		uint32_t n_bubbles;
		bool is_told, sound;

		make_wish(&s, wish, 2 + hd_random_below(&random, 3));
		s.options.buffering = hd_random_below(&random, 2) ? &hd_buffering_voq : NULL;
		s.options.allocator = hd_random_below(&random, 3) ? NULL : &hd_allocator_input;
		s.options.arbiter = hd_random_below(&random, 3) ? NULL : &hd_arbiter_age;
		s.options.count_waits = hd_random_below(&random, 2);
		if (!hd_random_below(&random, 3)) {
			s.options.model =
				hd_random_below(&random, 2) ? &hd_switch_cioq : &hd_switch_cioq_vl;
			s.options.speedup = 2;
			/* packets enter rings by the queues before links then */
			if (s.options.model == &hd_switch_cioq_vl)
				s.options.links[HD_LINK_LOCAL].buffer = SIZE;
		}
		if (wish->lmc)
			s.options.host_policy = &hd_host_round_robin;
		rings = rings_of(s.fabric);
		sound = is_sound(&s, bubble ? rings.of : NULL, &n_bubbles);
		begin_full(&s, bubble ? &rings : NULL, 600);
		is_told = run_out(&s);
		if (is_told != (hd_model_census(s.model).under_way > 0))
			fail_msg("trial %u: %s, and packets are left or not", i,
				 is_told ? "a deadlock" : "no deadlock");
		if (is_told && sound)
			fail_msg("trial %u: a deadlock where there can be none", i);
		if (bubble)
			assert_int_equal(sound, strcmp(wish->engine, "minhop") != 0);
		n_told += is_told && bubble;
		n_told_plain += is_told && !bubble;
		check_census(&s);
		free(rings.of);
		finish(&s);
	}
	/* of every kind there were some */
	assert_true(n_told > 0 && n_told_plain > 0);
}

/*
 * With every link twice there are twice the rings. Routes that change from one to the other at a
 * switch have cycles through both, which bubbles do not break.
 */
static void parallel_links_are_rings_of_their_own(void **state)
{
	const struct hd_engine *engine = hd_engine_find("hdor");
	const struct hd_route_request request = { .layers = "single" };
	struct hd_error err = { 0 };
	struct hd_fabric *plain, *bare;
	struct hd_rings rings;
	struct setting s = { 0 };
	uint32_t n_bubbles;

	assert_hd_ok(hd_topology_build("torus:8x8", &plain, &err), err);
	bare = doubled_copy(plain);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &s.fabric, &err), err);
	assert_hd_ok(hd_route(engine, s.fabric, &request, &s.tables, &err), err);
	rings = rings_of(s.fabric);
	assert_int_equal(rings.n, 64);
	assert_false(is_sound(&s, rings.of, &n_bubbles));
	free(rings.of);
	hd_tables_free(s.tables);
	hd_fabric_free(s.fabric);
	hd_fabric_free(bare);
	hd_fabric_free(plain);
}

/* Every other packet is shorter. */
static bool next_of_two_sizes(void *context, uint32_t from, struct hd_message *message)
{
	bool is_more = next(context, from, message);

	message->size = SIZE - (from & 1);
	return is_more;
}

static void what_cannot_be_is_refused(void **state)
{
	const struct wish wish = { "torus:4x4", "hdor", "single", NULL, 0, 0 };
	const struct hd_model_user two = { .next = next_of_two_sizes };
	struct hd_model_user user = two;
	struct hd_rings rings;
	struct hd_model *model;
	struct hd_error err = { 0 };
	struct setting s;

	make_wish(&s, &wish, 2);
	rings = rings_of(s.fabric);
	s.options.damq = true;
	s.options.bubble = &rings;
	assert_int_equal(hd_model_new(s.tables, &s.options, &two, &model, &err), HD_EINVAL);
	assert_hd_says(err, "VLs share no buffer");
	s.options.damq = false;
	begin_full(&s, &rings, 100);
	hd_model_free(s.model);
	user.context = &s.traffic;
	assert_hd_ok(hd_model_new(s.tables, &s.options, &user, &s.model, &err), err);
	assert_int_equal(hd_model_run(s.model, s.traffic.stop, &err), HD_EINVAL);
	assert_hd_says(err, "all are of one size");
	free(rings.of);
	finish(&s);

	make_wish(&s, &wish, 1);
	rings = rings_of(s.fabric);
	begin_full(&s, &rings, 100);
	assert_int_equal(hd_model_run(s.model, s.traffic.stop, &err), HD_EINVAL);
	assert_hd_says(err, "two packets of 16 units, as bubble flow control needs, do not fit");
	free(rings.of);
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rings_are_found),
		cmocka_unit_test(full_tori_do_not_deadlock),
		cmocka_unit_test(orders_in_one_network_stay_cyclic),
		cmocka_unit_test(what_is_told_is_what_comes),
		cmocka_unit_test(parallel_links_are_rings_of_their_own),
		cmocka_unit_test(what_cannot_be_is_refused),
	};

	return cmocka_run_group_tests_name("bubble", tests, NULL, NULL);
}
