// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The hierarchical switch against what its parts say, and against theory. */
#include "tests/unit/model_case.h"

#include "support/options.h"

#define SIZE 16

/* A setting whose switches are @spec, "hierarchical:...": buffers of so many packets of a port. */
struct switches {
	const char *spec;
	uint32_t input, output, central;
	bool damq;
};

static struct hd_params *use(struct setting *s, const struct switches *w)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	struct hd_error err = { 0 };

	assert_hd_ok(hd_policy_parse(&hd_switch_models, w->spec, &policy, &params, &err), err);
	s->options.model = (const struct hd_switch_model *)policy;
	s->options.switch_params = params;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		s->options.links[i].port_buffer = w->input * s->traffic.size;
		s->options.links[i].output = w->output * s->traffic.size;
	}
	s->options.central = w->central * s->traffic.size;
	s->options.damq = w->damq;
	s->options.damq_least = s->traffic.size;
	return params;
}

static void make_switches(struct setting *s, const char *spec, const char *engine,
			  const struct switches *w, struct hd_params **params)
{
	make(s, spec, engine, SIZE, 1);
	*params = use(s, w);
}

static void finish_switches(struct setting *s, struct hd_params *params)
{
	finish(s);
	hd_params_free(params);
}

static const struct switches paper = { "hierarchical", 64, 64, 128, true };

/*
 * One flow on an empty fabric: every link once, every switch once, of its crossbars one or two, the
 * packet's length once.
 */
static void check_zero_load(const char *spec, const char *engine, unsigned mport, uint32_t to)
{
	char text[64];
	const struct switches w = { text, 16, 16, 32 * mport, true };
	struct hd_params *params;
	uint64_t ticks = 0;
	struct setting s;
	uint32_t port;
	uint16_t lid;

	snprintf(text, sizeof(text), "hierarchical:mport=%u", mport);
	make_switches(&s, spec, engine, &w, &params);
	s.traffic.from = 0;
	s.traffic.to = to;
	s.options.crossbar_latency = to % 2 ? 30 : 0;
	run(&s, 0.01, 2000);
	port = hd_model_host_port(s.model, 0);
	lid = s.fabric->ports[hd_model_host_port(s.model, to)].lid;
	for (;;) {
		uint32_t in = s.fabric->ports[port].peer, node = s.fabric->ports[in].node;
		uint8_t class = s.dragonfly ? s.dragonfly->port_class[port] : HD_PORT_LOCAL;

		if (!hd_is_switch(s.fabric, s.fabric->ports[port].node) ||
		    !hd_is_switch(s.fabric, node))
			class = HD_PORT_TERMINAL;
		ticks += class == HD_PORT_TERMINAL ? 6 : class == HD_PORT_LOCAL ? 12 : 18;
		if (!hd_is_switch(s.fabric, node))
			break;
		port = hd_port_index(s.fabric, node, hd_lft(s.tables, node)[lid]);
		ticks += 100;
		ticks += s.options.crossbar_latency *
			 ((s.fabric->ports[in].number - 1u) / mport ==
					  (s.fabric->ports[port].number - 1u) / mport
				  ? 1
				  : 2);
	}
	assert_int_equal(s.traffic.shortest, ticks + SIZE * UNIT_TICKS);
	assert_int_equal(s.traffic.longest, s.traffic.shortest);
	finish_switches(&s, params);
}

static void test_zero_load_latency(void **state)
{
	(void)state;
	for (unsigned mport = 1; mport <= 8; mport++)
		for (uint32_t to = 1; to < 72; to += mport)
			check_zero_load("dragonfly:a=4,p=2,h=2", "dla", mport, to);
	for (uint32_t to = 1; to < 16; to++)
		check_zero_load("tree:k=4,n=2", "dmodc", 3, to);
	for (uint32_t to = 1; to < 30; to++)
		check_zero_load("tree:k=30,n=1", "minhop", 4, to);
}

/* The same with links of several rates: the tail never leaves before it came. */
static void test_zero_load_latency_of_several_rates(void **state)
{
	static const uint32_t rates[][HD_LINK_CLASSES] = {
		{ 10, 20, 5 }, { 10, 5, 20 }, { 20, 10, 5 }, { 5, 10, 20 }, { 10, 10, 3 }
	};
	static const enum hd_link_class path[] = { HD_LINK_TERMINAL, HD_LINK_LOCAL, HD_LINK_GLOBAL,
						   HD_LINK_LOCAL, HD_LINK_TERMINAL };

	(void)state;
	for (unsigned i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		const uint32_t *unit = rates[i];
		struct hd_params *params;
		struct setting s;
		uint64_t wanted = 2 * (6 + 12) + 18 + 4 * 100 + SIZE * unit[HD_LINK_TERMINAL];

		make_switches(&s, "dragonfly:a=4,p=2,h=2", "dla", &paper, &params);
		s.traffic.from = 0;
		s.traffic.to = 20;
		for (unsigned k = 0; k < HD_LINK_CLASSES; k++)
			s.options.links[k].unit_ticks = unit[k];
		run(&s, 0.01, 2000);
		for (unsigned hop = 0; hop < 4; hop++)
			if (unit[path[hop]] > unit[path[hop + 1]])
				wanted += SIZE * (unit[path[hop]] - unit[path[hop + 1]]);
		assert_int_equal(s.traffic.hops, 5);
		assert_int_equal(s.traffic.shortest, wanted);
		assert_int_equal(s.traffic.longest, wanted);
		finish_switches(&s, params);
	}
}

/* Packets of each host to one, by host. */
static uint64_t *sent_by;

static void delivered_by(void *context, uint64_t now, const struct hd_message *message,
			 uint64_t entered, unsigned hops)
{
	const struct traffic *t = context;

	if (now >= t->warm_up)
		sent_by[message->from]++;
	delivered(context, now, message, entered, hops);
}

/*
 * All send to one host of a switch: its link is full, and what comes through the centre and what
 * does not share it as the two stages in turn say. Each of the four in-ports of its MPort has a
 * turn, and each of the two links of every other MPort, whose in-ports share them.
 */
static void test_one_output_from_all_sides(void **state)
{
	static const unsigned ports[] = { 52, 48, 28, 16, 30 };

	(void)state;
	for (unsigned i = 0; i < sizeof(ports) / sizeof(ports[0]); i++) {
		const unsigned n = ports[i], mports = (n + 3) / 4;
		const double turns = 4 + 2 * (mports - 1);
		struct hd_params *params;
		struct hd_model_user user = { .next = next, .delivered = delivered_by };
		struct hd_error err = { 0 };
		struct setting s;
		char spec[32];

		snprintf(spec, sizeof(spec), "tree:k=%u,n=1", n);
		make_switches(&s, spec, "minhop", &paper, &params);
		s.traffic.to = 1;
		begin(&s, 1, 40000);
		hd_model_free(s.model);
		user.context = &s.traffic;
		assert_hd_ok(hd_model_new(s.tables, &s.options, &user, &s.model, &err), err);
		sent_by = calloc(n, sizeof(*sent_by));
		assert_non_null(sent_by);
		assert_hd_ok(hd_model_run(s.model, s.traffic.stop, &err), err);
		check_census(&s);
		assert_near(accepted(&s) * n, 1, 1e-3);
		for (unsigned host = 0; host < n; host++) {
			unsigned first = host / 4 * 4, of = n - first < 4 ? n - first : 4;
			double wanted = host < 4 ? 1 / turns : 2 / turns / of;

			assert_near((double)sent_by[host] / (double)s.traffic.delivered / wanted, 1,
				    0.01);
		}
		free(sent_by);
		finish_switches(&s, params);
	}
}

static double saturation(const char *spec, const struct switches *w, uint64_t packets)
{
	struct hd_params *params;
	struct setting s;
	double result;

	make_switches(&s, spec, "minhop", w, &params);
	run(&s, 1, packets);
	result = accepted(&s);
	finish_switches(&s, params);
	return result;
}

/*
 * With one MPort, a crossbar as fast as the links and an output buffer of one packet the switch is
 * one with a FIFO at each input: Karol, Hluchyj and Morgan 1987, table I.
 */
static void test_head_of_line_blocking(void **state)
{
	static const struct {
		unsigned ports;
		double limit;
	} cases[] = { { 2, 0.7500 }, { 4, 0.6553 }, { 8, 0.6184 }, { 32, 0.5930 } };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char spec[32], text[64];
		const struct switches w = { text, 4, 1, 64, false };

		snprintf(spec, sizeof(spec), "tree:k=%u,n=1", cases[i].ports);
		snprintf(text, sizeof(text), "hierarchical:mport=%u,speed=1", cases[i].ports);
		assert_near(saturation(spec, &w, i == 3 ? 20000 : 100000), cases[i].limit, 0.003);
	}
}

/*
 * Crossbars that are fast enough, and output buffers that are large enough, make it output-queued.
 */
static void test_speed_makes_output_queues(void **state)
{
	static const struct switches bypass = { "hierarchical:mport=32,speed=64", 4, 1000, 128,
						true },
				     centre = { "hierarchical:links=4,speed=64,central_speed=64", 4,
						1000, 128, true },
				     slow = { "hierarchical:speed=1,central_speed=1", 64, 64, 128,
					      true };
	double by_default, slowest;

	(void)state;
	if (HD_IS_SLOW)
		return;
	by_default = saturation("tree:k=48,n=1", &paper, 20000);
	assert_true(saturation("tree:k=32,n=1", &bypass, 40000) > 0.985);
	assert_true(saturation("tree:k=48,n=1", &centre, 40000) > 0.985);
	/*
	 * Links that are half as many as in-ports, and as fast as these, carry half of what comes;
	 * 44 of 48 packets cross.
	 */
	slowest = saturation("tree:k=48,n=1", &slow, 20000);
	assert_true(slowest <= 0.5 / (44. / 48));
	assert_true(slowest > 0.5);
	assert_true(by_default > 0.9);
}

/* A centre that is slower than what comes is all that bounds: its links' rate. */
static void test_central_links_bound(void **state)
{
	static const struct switches one = { "hierarchical:mport=8,links=1,speed=3", 64, 64, 512,
					     true };
	struct hd_params *params;
	uint32_t map[16];
	struct setting s;

	(void)state;
	make_switches(&s, "tree:k=16,n=1", "minhop", &one, &params);
	for (uint32_t i = 0; i < 16; i++)
		map[i] = (i + 8) % 16;
	s.traffic.map = map;
	run(&s, 1, 20000);
	/* one link of three times the rate for eight in-ports; a packet takes whole ticks */
	assert_near(accepted(&s), SIZE * UNIT_TICKS / ceil(SIZE * UNIT_TICKS / 3.) / 8, 0.001);
	finish_switches(&s, params);
}

static const struct {
	const char *spec, *engine;
} sound[] = {
	{ "torus:7,p=2", "hdor" },          { "torus:5x5,p=1", "hdor" },
	{ "torus:4x4x4,p=1", "hdor" },      { "dragonfly:a=4,p=2,h=2", "dla" },
	{ "dragonfly:a=3,p=2,h=1", "d3r" }, { "tree:k=3,n=3", "dmodc" },
	{ "kns:k=4,n=2", "hdor" },          { "torus:6x3,p=2", "hdor" },
};

/*
 * Tables without a cycle, load 1 and the smallest buffers that are allowed, a packet of each queue:
 * MPorts of several sizes bring directions of rings together, and nothing waits in a circle. When
 * hosts stop, everything arrives.
 */
static void check_no_deadlock(const char *spec, const char *engine, unsigned mport, bool damq)
{
	const struct hd_model_user user = { .next = next };
	char text[64];
	struct switches w = { text, 0, 0, 0, damq };
	struct hd_params *params;
	struct hd_error err = { 0 };
	struct hd_model_census c;
	struct setting s;

	snprintf(text, sizeof(text), "hierarchical:mport=%u,links=%u", mport, 1 + mport % 2);
	for (unsigned vls = 1;; vls++) { /* as many as the tables use */
		assert_in_range(vls, 1, 8);
		w.input = w.output = vls;
		w.central = vls * mport;
		make_switches(&s, spec, engine, &w, &params);
		err = (struct hd_error){ 0 };
		if (!hd_model_new(s.tables, &s.options, &user, &s.model, &err))
			break;
		assert_hd_says(err, "has no room for a packet of 16 ");
		finish_switches(&s, params);
	}
	hd_model_free(s.model);
	run(&s, 1, HD_IS_SLOW ? 200 : 3000);
	assert_hd_ok(hd_model_run(s.model, 1000 * s.traffic.stop, &err), err);
	c = hd_model_census(s.model);
	assert_int_equal(c.generated, c.delivered);
	assert_true(s.traffic.delivered > (HD_IS_SLOW ? 500 : 1000));
	finish_switches(&s, params);
}

static void test_no_deadlock_by_itself(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof(sound) / sizeof(sound[0]); i++)
		for (unsigned mport = 1; mport <= 8; mport += mport == 4 ? 4 : 1)
			if (!HD_IS_SLOW || mport == 1 || mport == 4)
				check_no_deadlock(sound[i].spec, sound[i].engine, mport, mport % 2);
}

/* Gauges, waits, counters and parts of latencies agree with one another. */
static void test_observers_see_what_is_there(void **state)
{
	static const struct switches small = { "hierarchical", 8, 8, 32, true };
	struct hd_params *params;
	struct hd_model_parts parts;
	struct setting s;

	(void)state;
	make_switches(&s, "dragonfly:a=4,p=2,h=2", "dla", &small, &params);
	s.options.gauge = SIZE;
	s.options.parts = true;
	s.options.crossbar_latency = 20;
	run(&s, 0.9, 3000);
	parts = hd_model_parts(s.model);
	assert_true(parts.packets >= s.traffic.delivered);
	assert_int_equal(parts.detour, 0);
	hd_for_each_port(port, s.fabric) {
		struct hd_gauge gauge = hd_model_output_gauge(s.model, port);
		struct hd_model_counters of_port = hd_model_port_counters(s.model, port);
		uint64_t units = 0;

		for (unsigned vl = 0; vl < 2; vl++) {
			struct hd_gauge input = hd_model_gauge(s.model, port, vl);

			assert_true(input.most <= 8 * SIZE);
			units += hd_model_counters(s.model, port, vl).units;
		}
		assert_int_equal(units, of_port.units);
		assert_true(gauge.most <= 8 * SIZE);
		/* a link sends, waits or has nothing to send */
		assert_true(of_port.units * UNIT_TICKS + of_port.wait <=
			    s.traffic.stop + SIZE * UNIT_TICKS);
	}
	finish_switches(&s, params);
}

/* What a run delivered, in any order within a tick, and what its ports counted at each stop. */
struct account {
	struct traffic *traffic;
	uint64_t delivered, counted;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	return (hash ^ value) * UINT64_C(0x9E3779B97F4A7C15);
}

static bool next_of(void *context, uint32_t from, struct hd_message *message)
{
	return next(((struct account *)context)->traffic, from, message);
}

static void note(void *context, uint64_t now, const struct hd_message *message, uint64_t entered,
		 unsigned hops)
{
	const uint64_t said[] = { now, message->time, message->from, message->to, entered, hops };
	struct account *account = context;
	uint64_t hash = 1;

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		hash = mix(hash, said[i]);
	account->delivered += hash;
	account->traffic->delivered++;
}

static void ignore(void *context, uint64_t now, uint32_t port, unsigned vl, int64_t units)
{
	(void)context;
	(void)now;
	(void)port;
	(void)vl;
	(void)units;
}

enum way { AS_IT_IS, NOT_AHEAD, OBSERVED, GENERAL, WAYS };

static struct account account_of(struct setting *s, enum way way)
{
	struct account account = { .traffic = &s->traffic };
	const struct hd_model_user user = { .next = next_of,
					    .delivered = note,
					    .context = &account };
	struct hd_model_observer observer = { .buffer = ignore };
	struct hd_error err = { 0 };

	s->options.machine = way == GENERAL ? HD_MACHINE_GENERAL : HD_MACHINE_FASTEST;
	s->options.look_ahead = way == AS_IT_IS ? HD_LOOK_AHEAD_ALWAYS : HD_LOOK_AHEAD_NEVER;
	s->options.count_waits = way == OBSERVED;
	begin(s, 0.8, 60);
	hd_model_free(s->model);
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
	if (way == OBSERVED)
		hd_model_observe(s->model, &observer);
	/* stops of an odd length, so that packets are anywhere */
	for (uint64_t until = 0; until < s->traffic.stop; until += 997) {
		assert_hd_ok(hd_model_run(s->model, until, &err), err);
		check_census(s);
		hd_for_each_port(port, s->fabric)
			account.counted =
				mix(account.counted, hd_model_port_counters(s->model, port).units);
	}
	assert_true(s->traffic.delivered > 100);
	s->traffic.delivered = 0;
	free(s->traffic.random);
	free(s->traffic.time);
	free(s->traffic.arrived);
	s->traffic.random = NULL;
	s->traffic.time = s->traffic.arrived = NULL;
	hd_model_free(s->model);
	s->model = NULL;
	return account;
}

/*
 * Ends that come in one tick are one event, and a packet that nobody competes with goes straight
 * through, unless the run is observed. Neither this nor the machine changes what is delivered.
 */
static void test_ends_that_are_one_event_change_nothing(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 48; i++) {
		char spec[96];
		struct switches w = { spec, 4, 4, 64, i & 1 };
		struct hd_params *params;
		struct account is, other;
		struct setting s;

		snprintf(spec, sizeof(spec),
			 "hierarchical:mport=%u,links=%u,speed=%u,central_speed=%u", 1u << i % 4,
			 1 + i / 2 % 3, 1 + i / 3 % 4, 1 + i / 5 % 4);
		make_switches(&s, i % 6 ? "dragonfly:a=4,p=2,h=2" : "kns:k=70,n=1",
			      i % 6 ? "dla" : "updn", &w, &params);
		s.options.crossbar_latency = i / 7 % 3 ? 0 : 30;
		s.traffic.poisson = i & 2;
		if (i % 5 == 0)
			s.options.links[HD_LINK_GLOBAL].unit_ticks *= 2;
		is = account_of(&s, AS_IT_IS);
		for (enum way way = NOT_AHEAD; way < WAYS; way++) {
			other = account_of(&s, way);
			assert_true(is.delivered == other.delivered);
			assert_true(is.counted == other.counted);
		}
		finish_switches(&s, params);
	}
}

/* What it cannot do is refused, in a line. */
static void test_what_it_cannot_do(void **state)
{
	static const struct hd_rings *rings = (const struct hd_rings *)1;
	const struct hd_model_user user = { .next = next };

	(void)state;
	for (unsigned i = 0; i < 10; i++) {
		static const char *const says[] = {
			"a central buffer has no room",
			"an output buffer has no room",
			"speeds of its own",
			"a FIFO for each VL",
			"two stages",
			"serves in-ports in turn",
			"no rings",
			"mport",
			"a central buffer of 64 units has no room for a packet of 16 of each of 4 "
			"in-ports and 2 VLs",
			"a port's buffer of 16 units has no room for a packet of 16 on each of 2 "
			"VLs",
		};
		struct switches w = paper;
		struct hd_params *params;
		struct hd_error err = { 0 };
		struct setting s;

		if (i == 7)
			w.spec = "hierarchical:mport=65";
		w.central = i == 0 ? 0 : i == 8 ? 4 : 128;
		w.output = i == 1 ? 0 : 64;
		w.input = i == 9 ? 1 : 64;
		make_switches(&s, "dragonfly:a=4,p=2,h=2", "dla", &w, &params);
		s.options.speedup = i == 2 ? 2 : 1;
		s.options.buffering = i == 3 ? &hd_buffering_voq : NULL;
		s.options.allocator = i == 4 ? &hd_allocator_input : NULL;
		s.options.arbiter = i == 5 ? &hd_arbiter_age : NULL;
		s.options.bubble = i == 6 ? rings : NULL;
		if (i == 6)
			s.options.damq = false;
		assert_true(hd_model_new(s.tables, &s.options, &user, &s.model, &err) != 0);
		assert_hd_says(err, says[i]);
		finish_switches(&s, params);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_zero_load_latency),
		cmocka_unit_test(test_zero_load_latency_of_several_rates),
		cmocka_unit_test(test_one_output_from_all_sides),
		cmocka_unit_test(test_head_of_line_blocking),
		cmocka_unit_test(test_speed_makes_output_queues),
		cmocka_unit_test(test_central_links_bound),
		cmocka_unit_test(test_no_deadlock_by_itself),
		cmocka_unit_test(test_observers_see_what_is_there),
		cmocka_unit_test(test_ends_that_are_one_event_change_nothing),
		cmocka_unit_test(test_what_it_cannot_do),
	};

	return cmocka_run_group_tests_name("hierarchical", tests, NULL, NULL);
}
