// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The cioq switch with a queue for each VL before the link: where next buffers always have room and
 * there is one VL, it is the cioq switch; where they are full, what enters is counted by hand.
 */
#include "tests/unit/model_case.h"

#include "support/options.h"

#define SIZE 8

/* Two switches of four hosts each, hosts 0 to 3 and 4 to 7; VL 0 is for even hosts, VL 1 for odd. */
static void make_pair(struct setting *s, const struct hd_switch_model *model, uint32_t buffer,
		      uint32_t output)
{
	const struct hd_route_request request = { .queues = "dbbm:2" };
	struct hd_error err = { 0 };

	make(s, "mesh:2,p=4", "hdor", SIZE, buffer);
	hd_tables_free(s->tables);
	assert_hd_ok(hd_route(hd_engine_find("hdor"), s->fabric, &request, &s->tables, &err), err);
	s->options.model = model;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		s->options.links[i].output = output * SIZE;
}

/* Begins a run without traffic of its own. */
static void begin_silent(struct setting *s)
{
	s->traffic.from = 0xFFFF;
	begin(s, 1, 100);
	s->traffic.warm_up = 0;
}

static void send(struct setting *s, uint64_t time, uint32_t from, uint32_t to)
{
	const struct hd_message message = { .time = time, .from = from, .to = to, .size = SIZE };

	hd_model_inject(s->model, &message);
}

static void run_to(struct setting *s, uint64_t until)
{
	struct hd_error err = { 0 };

	assert_hd_ok(hd_model_run(s->model, until, &err), err);
	check_census(s);
}

/* The out-port of the first switch that leads to the second. */
static uint32_t link_between(const struct setting *s)
{
	hd_for_each_number(port, s->fabric, 0) {
		uint32_t index = hd_port_index(s->fabric, 0, port);

		if (hd_peer_node(s->fabric, 0, port) < s->fabric->n_switches)
			return index;
	}
	fail();
	return 0;
}

/*
 * Host 4 takes nothing in. Host 0 sends @n packets to it and then one to host 2, at its own switch.
 * Whether that one arrives: whether the @n packets have left the in-port at which it stands behind
 * them.
 */
static bool comes_through(const struct hd_switch_model *model, uint32_t buffer, uint32_t output,
			  unsigned n)
{
	const struct hd_host_range slow = { 4, 4 };
	struct setting s;
	bool comes;

	make_pair(&s, model, buffer, output);
	s.options.consumption = 1e-6;
	s.options.slow_hosts = &slow;
	s.options.n_slow_hosts = 1;
	begin_silent(&s);
	for (unsigned i = 0; i < n; i++)
		send(&s, 0, 0, 4);
	send(&s, 0, 0, 2);
	run_to(&s, 200 * SIZE * UNIT_TICKS);
	comes = s.traffic.arrived[2] == 1;
	assert_int_equal(s.traffic.delivered, comes);
	finish(&s);
	return comes;
}

/*
 * Packets for a host that takes none in fill its buffer and that of its switch. With queues before
 * links they fill those of both switches, too, and those are what the packets behind are spared.
 */
static void test_heads_make_way_for_others(void **state)
{
	(void)state;
	for (uint32_t buffer = 1; buffer <= 3; buffer++)
		for (uint32_t output = 1; output <= 4; output++) {
			unsigned port = 2 * buffer, vl = 2 * buffer + 2 * output;

			assert_true(comes_through(&hd_switch_cioq, buffer, output, port));
			assert_false(comes_through(&hd_switch_cioq, buffer, output, port + 1));
			assert_true(comes_through(&hd_switch_cioq_vl, buffer, output, vl));
			assert_false(comes_through(&hd_switch_cioq_vl, buffer, output, vl + 1));
		}
}

/*
 * The queues of VL 0 are full, and stay so. Packets of VL 1 pass them on the same link as if there
 * were none, and only VL 0 waits for credits, while the link is idle.
 */
static void test_other_vls_pass_full_queues(void **state)
{
	const struct hd_host_range slow = { 4, 4 };
	const uint64_t late = 100 * SIZE * UNIT_TICKS;
	uint64_t latency = 0, waited;
	uint32_t out;

	(void)state;
	for (unsigned is_full = 0; is_full < 2; is_full++) {
		struct setting s;

		make_pair(&s, &hd_switch_cioq_vl, 4, 2);
		s.options.consumption = 1e-6;
		s.options.slow_hosts = &slow;
		s.options.n_slow_hosts = 1;
		begin_silent(&s);
		out = link_between(&s);
		for (unsigned i = 0; i < 20 && is_full; i++)
			send(&s, 0, 0, 4);
		run_to(&s, late);
		waited = hd_model_counters(s.model, out, 0).wait;
		assert_int_equal(waited > 0, is_full);
		for (unsigned i = 0; i < 50; i++)
			send(&s, late, 1, 5);
		run_to(&s, 2 * late);
		assert_int_equal(s.traffic.arrived[5], 50);
		assert_true(!is_full || s.traffic.latency == latency);
		latency = s.traffic.latency;
		assert_int_equal(hd_model_counters(s.model, out, 1).wait, 0);
		if (is_full) /* all the time, but while the link sent the 50 packets */
			assert_int_equal(hd_model_counters(s.model, out, 0).wait - waited,
					 late - 50 * SIZE * UNIT_TICKS);
		finish(&s);
	}
}

/*
 * A packet takes credits from when it begins on the link until its tail has left the next buffer and
 * the credit is back: so a flow has that share of the link, whatever the queue before it holds.
 */
static void test_credits_are_of_the_link(void **state)
{
	static const uint64_t propagations[] = { 6, 1000, 5000 };

	(void)state;
	for (unsigned i = 0; i < 3; i++)
		for (uint32_t buffer = 1; buffer <= 3; buffer++) {
			static const uint32_t map[] = { 4,       HD_NONE, HD_NONE, HD_NONE,
							HD_NONE, HD_NONE, HD_NONE, HD_NONE };
			const uint64_t sends = SIZE * UNIT_TICKS;
			uint64_t round = 2 * propagations[i] + 100 + sends;
			struct setting s;
			double share;

			make_pair(&s, &hd_switch_cioq_vl, buffer, 4);
			s.options.links[HD_LINK_LOCAL].propagation = propagations[i];
			/* hosts' links do not hold up the flow */
			s.options.links[HD_LINK_TERMINAL].buffer = 100 * SIZE;
			s.traffic.map = map;
			run(&s, 1, 20000);
			share = (double)(buffer * sends) / (double)round;
			assert_near(accepted(&s) * s.traffic.hosts, share < 1 ? share : 1, 0.002);
			finish(&s);
		}
}

/* Two VLs that always have packets share the link. */
static void test_vls_take_turns(void **state)
{
	static const uint32_t map[] = {
		4, 5, HD_NONE, HD_NONE, HD_NONE, HD_NONE, HD_NONE, HD_NONE
	};
	struct setting s;

	(void)state;
	make_pair(&s, &hd_switch_cioq_vl, 16, 2);
	s.traffic.map = map;
	run(&s, 1, 2000);
	assert_near((double)s.traffic.arrived[4] / (double)s.traffic.arrived[5], 1, 0.002);
	assert_near(accepted(&s) * s.traffic.hosts, 1, 0.002);
	finish(&s);
}

/* What a run delivered, in any order within a tick. */
static void note(void *context, uint64_t now, const struct hd_message *message, uint64_t entered,
		 unsigned hops)
{
	const uint64_t said[] = { now, message->time, message->from, message->to, entered, hops };
	struct traffic *t = context;
	uint64_t hash = 1;

	for (size_t i = 0; i < sizeof(said) / sizeof(said[0]); i++)
		hash = (hash ^ said[i]) * UINT64_C(0x9E3779B97F4A7C15);
	t->latency += hash;
	t->delivered++;
}

/* As next(), at whole cycles. */
static bool next_in_step(void *context, uint32_t from, struct hd_message *message)
{
	bool is_more = next(context, from, message);

	message->time -= message->time % UNIT_TICKS;
	return is_more;
}

struct roomy {
	bool voq, any_size, input, age;
	uint32_t output;
	unsigned iterations, speedup;
	uint64_t latency;
	double load;
};

static void begin_roomy(struct setting *s, const struct roomy *roomy,
			const struct hd_switch_model *model)
{
	const struct hd_model_user user = { .next = roomy->iterations ? next_in_step
						    : roomy->any_size ? next_of_any_size
								      : next,
					    .delivered = note,
					    .context = &s->traffic };
	struct hd_error err = { 0 };

	make(s, "tree:k=3,n=3", "updn", SIZE, 5000);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		s->options.links[i].output = roomy->output * SIZE;
		if (roomy->iterations)
			s->options.links[i].propagation = (i + 1) * UNIT_TICKS;
	}
	s->options.model = model;
	s->options.speedup = roomy->speedup;
	s->options.crossbar_latency = roomy->latency;
	s->options.buffering = roomy->voq ? &hd_buffering_voq : NULL;
	s->options.allocator = roomy->input ? &hd_allocator_input : NULL;
	s->options.arbiter = roomy->age ? &hd_arbiter_age : NULL;
	s->options.iterations = roomy->iterations;
	s->options.count_waits = false;
	s->traffic.poisson = true;
	begin(s, roomy->load, 150);
	hd_model_free(s->model);
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
}

/*
 * With one VL, and room in all next buffers, the queue is the FIFO of the port. A matching with a
 * limit of iterations tries again whenever something comes to the switch, so all comes at whole
 * cycles then (credits.h).
 */
static void test_is_cioq_where_nothing_is_full(void **state)
{
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 12, 36);
	for (unsigned i = 0; i < 60; i++) {
		const struct roomy roomy = {
			.voq = hd_random_below(&random, 2),
			.any_size = hd_random_below(&random, 2),
			.input = hd_random_below(&random, 3) == 0,
			.age = hd_random_below(&random, 3) == 0,
			.output = 1 + hd_random_below(&random, 4),
			.iterations = hd_random_below(&random, 3),
			.speedup = 1u << hd_random_below(&random, 3),
			.latency = hd_random_below(&random, 3) * 5 * UNIT_TICKS,
			.load = 0.3 * (1 + hd_random_below(&random, 3)),
		};
		struct setting port, vl;

		begin_roomy(&port, &roomy, &hd_switch_cioq);
		begin_roomy(&vl, &roomy, &hd_switch_cioq_vl);
		for (uint64_t until = 97; until < port.traffic.stop; until += 97) {
			run_to(&port, until);
			run_to(&vl, until);
			if (port.traffic.delivered != vl.traffic.delivered ||
			    port.traffic.latency != vl.traffic.latency)
				fail_msg("setting %u: another packet by %llu", i,
					 (unsigned long long)until);
			assert_int_equal(hd_model_census(port.model).packet_hops,
					 hd_model_census(vl.model).packet_hops);
		}
		assert_true(vl.traffic.delivered > 200);
		finish(&port);
		finish(&vl);
	}
}

static void make_tied(struct setting *s, const struct hd_scheduler *scheduler)
{
	const struct hd_route_request request = { .queues = "dbbm:4" };
	const struct hd_model_user user = { .next = next,
					    .delivered = note,
					    .context = &s->traffic };
	struct hd_error err = { 0 };

	make(s, "mesh:2,p=8", "hdor", SIZE, 2 * SIZE);
	hd_tables_free(s->tables);
	assert_hd_ok(hd_route(hd_engine_find("hdor"), s->fabric, &request, &s->tables, &err), err);
	s->tables->has_vlarb = false;
	s->options.model = &hd_switch_cioq_vl;
	s->options.scheduler = scheduler;
	s->options.speedup = 4;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		s->options.links[i].output = 4 * SIZE;
	begin(s, 1, 500);
	hd_model_free(s->model);
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
}

/* VL arbitration serves ports without tables in turn, also while nothing crosses to them. */
static void test_vlarb_without_tables_is_rr(void **state)
{
	struct setting rr, vlarb;

	(void)state;
	make_tied(&rr, &hd_scheduler_rr);
	make_tied(&vlarb, &hd_scheduler_vlarb);
	for (uint64_t until = 97; until < rr.traffic.stop; until += 97) {
		run_to(&rr, until);
		run_to(&vlarb, until);
		assert_int_equal(rr.traffic.delivered, vlarb.traffic.delivered);
		assert_int_equal(rr.traffic.latency, vlarb.traffic.latency);
	}
	assert_true(rr.traffic.delivered > 1000);
	finish(&rr);
	finish(&vlarb);
}

static int refused(const struct hd_model_options *options, const struct hd_tables *tables,
		   struct hd_error *err)
{
	const struct hd_model_user user = { .next = next };
	struct hd_model *model;
	int ret = hd_model_new(tables, options, &user, &model, err);

	if (!ret)
		hd_model_free(model);
	return ret;
}

static void test_options(void **state)
{
	struct hd_params *params = hd_params_new(hd_switch_cioq.policy.options);
	struct hd_error err = { 0 };
	struct setting s;

	(void)state;
	make_pair(&s, &hd_switch_cioq, 2, 2);
	s.options.switch_params = params;
	assert_ptr_equal(hd_switch_cioq.variant(NULL, &err), &hd_switch_cioq);
	assert_ptr_equal(hd_switch_cioq.variant(params, &err), &hd_switch_cioq);
	assert_hd_ok(hd_params_set(params, "cioq", "queues", "vl", &err), err);
	assert_ptr_equal(hd_switch_cioq.variant(params, &err), &hd_switch_cioq_vl);
	assert_hd_ok(refused(&s.options, s.tables, &err), err);
	s.options.buffering = &hd_buffering_voqnet;
	assert_int_equal(refused(&s.options, s.tables, &err), HD_EINVAL);
	assert_hd_says(err, "cioq with queues=port");
	s.options.buffering = NULL;
	s.options.gap = 1;
	err = (struct hd_error){ 0 };
	assert_int_equal(refused(&s.options, s.tables, &err), HD_EINVAL);
	assert_hd_says(err, "neither headers nor gaps");
	s.options.gap = 0;
	s.options.links[0].output = 0;
	err = (struct hd_error){ 0 };
	assert_int_equal(refused(&s.options, s.tables, &err), HD_EINVAL);
	assert_hd_says(err, "an output buffer has no room");
	hd_params_free(params);
	params = hd_params_new(hd_switch_cioq.policy.options);
	s.options.links[0].output = SIZE;
	s.options.switch_params = params;
	err = (struct hd_error){ 0 };
	assert_hd_ok(hd_params_set(params, "cioq", "queues", "both", &err), err);
	assert_int_equal(refused(&s.options, s.tables, &err), HD_EINVAL);
	assert_hd_says(err, "none of port, vl");
	hd_params_free(params);
	hd_tables_free(s.tables);
	hd_fabric_free(s.fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_heads_make_way_for_others),
		cmocka_unit_test(test_other_vls_pass_full_queues),
		cmocka_unit_test(test_credits_are_of_the_link),
		cmocka_unit_test(test_vls_take_turns),
		cmocka_unit_test(test_is_cioq_where_nothing_is_full),
		cmocka_unit_test(test_vlarb_without_tables_is_rr),
		cmocka_unit_test(test_options),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
