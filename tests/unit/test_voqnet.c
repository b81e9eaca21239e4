// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A queue per destination at every switch: nothing is lost and no credit either, flows to other
 * destinations are as if a hot spot were not there, and tori need no datelines.
 */
#include "tests/unit/model_case.h"

#include "sim/switches/credits.h"
#include "sim/model/verify.h"
#include "topologies/rings.h"

#define SIZE 16

/* The tables of @engine in one layer, so that rings are cycles of channels. */
static void make_layer(struct setting *s, const char *spec, const char *engine, unsigned lmc,
		       uint32_t buffer)
{
	const struct hd_route_request request = { .layers = "single" };
	struct hd_error err = { 0 };

	make_lmc(s, spec, engine, lmc, SIZE, buffer);
	s->options.buffering = &hd_buffering_voqnet;
	s->options.count_waits = false;
	if (strcmp(engine, "hdor") != 0)
		return;
	hd_tables_free(s->tables);
	assert_hd_ok(hd_route(hd_engine_find(engine), s->fabric, &request, &s->tables, &err), err);
}

static void verify(const struct setting *s)
{
	char what[400] = "";

	if (!hd_model_verify(s->model, what, sizeof(what)))
		fail_msg("%s", what);
	check_census(s);
}

/* All is delivered and every credit is back. */
static void assert_empty(const struct setting *s)
{
	const struct hd_model *model = s->model;
	const struct hd_model_census c = hd_model_census(model);

	assert_int_equal(c.delivered, c.generated);
	for (uint32_t out = 0; out < model->network.n_ports; out++) {
		if (!hd_is_port(model, out))
			continue;
		for (unsigned vl = 0; vl < model->n_vls; vl++)
			for (unsigned to = 0; to < model->voqnet->n; to++)
				assert_int_equal(
					*hd_voqnet_credits(model, out, vl, to),
					model->options.links[hd_sender(model, out)->link_class]
						.buffer);
	}
}

/* Random options, load 1, and then nothing more: states add up at every stop. */
static void nothing_is_lost(void **state)
{
	static const struct {
		const char *spec, *engine;
		unsigned lmc;
	} cases[] = {
		{ "torus:4x4", "hdor", 0 },
		{ "torus:5x5,p=2", "hdor", 0 },
		{ "mesh:3x3", "hdor", 1 },
		{ "dragonfly:a=4,p=2,h=2", "dla", 0 },
		{ "tree:k=3,n=2", "updn", 2 },
		{ "torus:9x9", "hdor", 0 },
		{ "dragonfly:a=4,p=2,h=2", "dfval", 2 },
	};
	const struct hd_admittance *admittances[] = { NULL, &hd_admittance_fifo,
						      &hd_admittance_destination,
						      &hd_admittance_destination };
	const unsigned n_cases = sizeof(cases) / sizeof(cases[0]);
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 13, 1);
	for (unsigned i = 0; i < (HD_IS_SLOW ? 2 : 8) * n_cases; i++) {
		const unsigned c = i % n_cases;
		const bool torus = !strncmp(cases[c].spec, "torus", 5);
		struct hd_rings rings = { 0 };
		struct hd_error err = { 0 };
		struct setting s;

		make_layer(&s, cases[c].spec, cases[c].engine, cases[c].lmc,
			   2 + hd_random_below(&random, 3));
		s.options.allocator = hd_random_below(&random, 2) ? NULL : &hd_allocator_input;
		s.options.arbiter = hd_random_below(&random, 2) ? NULL : &hd_arbiter_age;
		s.options.iterations = hd_random_below(&random, 3);
		s.options.scheduler = hd_random_below(&random, 3) ? NULL : &hd_scheduler_vlarb;
		s.options.admittance = admittances[hd_random_below(&random, 4)];
		s.options.injection = 1 + hd_random_below(&random, 4);
		s.options.count_waits = hd_random_below(&random, 2);
		s.options.look_ahead =
			hd_random_below(&random, 2) ? HD_LOOK_AHEAD_ALWAYS : HD_LOOK_AHEAD_NEVER;
		if (hd_random_below(&random, 2)) {
			s.options.model = &hd_switch_cioq;
			s.options.speedup = 1 + hd_random_below(&random, 2);
		}
		if (cases[c].lmc)
			s.options.host_policy = &hd_host_round_robin;
		if (torus && hd_random_below(&random, 2)) {
			assert_hd_ok(hd_rings_find(s.fabric, NULL, &rings, &err), err);
			s.options.bubble = &rings;
		}
		begin(&s, 1, 120);
		for (unsigned stop = 1; stop <= 40; stop++) {
			assert_hd_ok(hd_model_run(s.model, s.traffic.stop / 40 * stop, &err), err);
			verify(&s);
		}
		for (unsigned stop = 2;
		     hd_model_census(s.model).delivered < hd_model_census(s.model).generated;
		     stop++) {
			assert_true(stop < 100);
			assert_hd_ok(hd_model_run(s.model, s.traffic.stop * stop, &err), err);
			verify(&s);
		}
		assert_empty(&s);
		free(rings.of);
		finish(&s);
	}
}

/*
 * Hosts 0 and 1 at the first of two switches, 5 and 7 at the other one want host 4, which takes in
 * 1 in all; host 2 at the first switch wants host 6. Half of the link between the switches is for
 * the hot spot. What host 2 has of the rest is what it gets with a queue per destination; in a FIFO
 * it gets no more than each of those before it.
 */
static double share_beside_hot_spot(const struct hd_buffering *buffering,
				    const struct hd_switch_model *model)
{
	static const uint32_t map[8] = { 4, 4, 6, HD_NONE, HD_NONE, 4, HD_NONE, 4 };
	struct setting s;
	double share;

	make_layer(&s, "mesh:2,p=4", "hdor", 0, 4);
	s.options.buffering = buffering;
	s.options.model = model;
	s.traffic.map = map;
	run(&s, 1, 4000);
	assert_near((double)s.traffic.arrived[4] * SIZE * UNIT_TICKS /
			    (double)(s.traffic.stop - s.traffic.warm_up),
		    1, 0.01);
	share = (double)s.traffic.arrived[6] * SIZE * UNIT_TICKS /
		(double)(s.traffic.stop - s.traffic.warm_up);
	finish(&s);
	return share;
}

static void a_hot_spot_is_nobody_elses_matter(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		const struct hd_switch_model *model = i ? &hd_switch_cioq : &hd_switch_iq;
		const double fifo = share_beside_hot_spot(&hd_buffering_fifo, model),
			     voq = share_beside_hot_spot(&hd_buffering_voq, model),
			     voqnet = share_beside_hot_spot(&hd_buffering_voqnet, model);

		assert_true(fifo < 0.3);
		assert_true(voq < 0.4);
		assert_true(voqnet > 0.49);
	}
}

/* A host that sends to the hot spot in turns with another destination. */
struct mixed {
	uint64_t time[64], arrived[64];
	unsigned turn[64];
	uint32_t hosts, hot;
};

static bool next_mixed(void *context, uint32_t from, struct hd_message *message)
{
	struct mixed *m = context;
	uint32_t to = (from + m->hosts / 2) % m->hosts;

	if (from == m->hot)
		return false;
	m->time[from] += SIZE * UNIT_TICKS * 10 / 4; /* load 0.4 */
	*message = (struct hd_message){ .time = m->time[from],
					.from = from,
					.to = m->turn[from]++ % 4 && to != m->hot ? to : m->hot,
					.size = SIZE };
	return true;
}

static void delivered_mixed(void *context, uint64_t now, const struct hd_message *message,
			    uint64_t entered, unsigned hops)
{
	(void)now;
	(void)entered;
	(void)hops;
	((struct mixed *)context)->arrived[message->to]++;
}

/*
 * Every host of an 8x8 HyperX has a quarter of its packets for host 27, which can take in a sixth
 * of these, and the rest for another one. With queues per destination at hosts too, the rest
 * arrives as it is sent (0.3 of a link) but for the links that lead to host 27 and are shared.
 */
static double share_of_the_rest(const struct hd_buffering *buffering)
{
	struct mixed m = { .hosts = 64, .hot = 27 };
	const struct hd_model_user user = { .next = next_mixed,
					    .delivered = delivered_mixed,
					    .context = &m };
	const uint64_t until = (uint64_t)SIZE * UNIT_TICKS * 2000;
	struct hd_error err = { 0 };
	struct setting s;
	uint64_t arrived = 0;

	make_layer(&s, "hyperx:8x8,p=1", "hdor", 0, 4);
	s.options.buffering = buffering;
	s.options.admittance = &hd_admittance_destination;
	s.options.injection = 4;
	assert_hd_ok(hd_model_new(s.tables, &s.options, &user, &s.model, &err), err);
	assert_int_equal(hd_model_hosts(s.model), 64);
	assert_hd_ok(hd_model_run(s.model, until, &err), err);
	verify(&s);
	for (uint32_t host = 0; host < 64; host++)
		arrived += host == m.hot ? 0 : m.arrived[host];
	finish(&s);
	return (double)arrived * SIZE * UNIT_TICKS / (double)until / 62;
}

static void hosts_send_what_can_go(void **state)
{
	(void)state;
	assert_near(share_of_the_rest(&hd_buffering_voqnet), 0.3, 0.005);
	assert_true(share_of_the_rest(&hd_buffering_fifo) < 0.15);
}

/* One layer, no bubbles: a FIFO per VL comes to a stand. */
static void tori_need_no_datelines(void **state)
{
	static const char *const specs[] = { "torus:4x4", "torus:8x8", "torus:4x4x4" };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		double fifo = 0;

		for (unsigned voqnet = 0; voqnet < 2; voqnet++) {
			struct hd_error err = { 0 };
			struct setting s;

			make_layer(&s, specs[i], "hdor", 0, 2);
			if (!voqnet)
				s.options.buffering = NULL;
			begin(&s, 1, HD_IS_SLOW ? 2000 : 8000);
			if (hd_model_run(s.model, s.traffic.stop, &err))
				assert_hd_says(err, "deadlock");
			verify(&s);
			if (voqnet)
				assert_true(accepted(&s) > fifo && accepted(&s) > 0.5);
			fifo = accepted(&s);
			finish(&s);
		}
	}
}

static void refuses(void **state)
{
	const struct hd_model_user user = { 0 };
	struct hd_error err = { 0 };
	struct setting s;

	(void)state;
	make_layer(&s, "mesh:2", "hdor", 0, 2);
	s.options.damq = true;
	assert_int_equal(hd_model_new(s.tables, &s.options, &user, &s.model, &err), HD_EINVAL);
	assert_hd_says(err, "queues by destination have room of their own");
	s.options.damq = false;
	s.options.links[HD_LINK_LOCAL].buffer = UINT32_MAX / 2 + 1;
	assert_int_equal(hd_model_new(s.tables, &s.options, &user, &s.model, &err), HD_EINVAL);
	assert_hd_says(err, "2 queues of 2147483648 units have room for more than 2^32");
	finish(&s);
	make_layer(&s, "torus:32x32,p=7", "minhop", 0, 2);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		s.options.links[i].vcs = 2;
	assert_int_equal(hd_model_new(s.tables, &s.options, &user, &s.model, &err), HD_EINVAL);
	assert_hd_says(err,
		       "23552 ports x 2 VLs x 7168 LIDs are 337641472 queues, and there may be "
		       "134217728");
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_lost),
		cmocka_unit_test(a_hot_spot_is_nobody_elses_matter),
		cmocka_unit_test(hosts_send_what_can_go),
		cmocka_unit_test(tori_need_no_datelines),
		cmocka_unit_test(refuses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
