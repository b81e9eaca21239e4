// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The switch with VC allocation, against arithmetic: its pipeline, its VCs, its credits. */
#include "tests/unit/model_case.h"

#include "sim/model/verify.h"
#include "support/options.h"
#include "support/policy.h"

/* @options of the switch model; free with hd_params_free(). */
static struct hd_params *vc(struct setting *s, const char *options)
{
	const struct hd_policy *policy;
	struct hd_params *params;
	struct hd_error err = { 0 };

	assert_hd_ok(hd_policy_parse(&hd_switch_models, options, &policy, &params, &err), err);
	assert_ptr_equal(policy, &hd_switch_vc.policy);
	s->options.model = &hd_switch_vc;
	s->options.switch_params = params;
	s->options.count_waits = false;
	s->options.iterations = 1;
	return params;
}

static void verify(const struct setting *s)
{
	char what[512];

	if (!hd_model_verify(s->model, what, sizeof(what)))
		fail_msg("%s", what);
}

/* Links, whose delays are whole cycles, and switches take as long as with whole packets. */
static void test_an_empty_fabric_is_that_of_iq(void **state)
{
	(void)state;
	for (uint32_t to = 1; to < 72; to += 5) {
		uint64_t latency[2];

		for (unsigned i = 0; i < 2; i++) {
			struct hd_params *params = NULL;
			struct setting s;

			make(&s, "dragonfly:a=4,p=2,h=2", "dla", 8, 4);
			for (unsigned k = 0; k < HD_LINK_CLASSES; k++)
				s.options.links[k].propagation = UNIT_TICKS * (k + 1);
			s.traffic.from = 0;
			s.traffic.to = to;
			if (i)
				params = vc(&s, to % 2 ? "vc" : "vc:speculative=yes,routing=0");
			run(&s, 0.01, 2000);
			assert_int_equal(s.traffic.longest, s.traffic.shortest);
			latency[i] = s.traffic.longest;
			finish(&s);
			hd_params_free(params);
		}
		assert_int_equal(latency[0], latency[1]);
	}
}

/*
 * A flow through one switch and one VC: what a packet of five flits takes of the VC beside its
 * flits is the stages from one head to the next: route, VC, crossbar; guesses save one, lookahead
 * another.
 */
static void test_the_next_packet_waits_for_the_stages(void **state)
{
	static const struct {
		const char *options;
		uint32_t size;
		double share;
	} cases[] = {
		{ "vc", 5, 5. / 7 },
		{ "vc", 1, 1. / 3 },
		{ "vc:routing=0", 5, 5. / 6 },
		{ "vc:routing=0", 1, 1. / 2 },
		{ "vc:routing=0,speculative=yes", 5, 1 },
		{ "vc:routing=0,speculative=yes", 1, 1 },
		{ "vc:speculative=yes", 5, 5. / 6 },
		{ "vc:speculative=yes", 1, 1. / 2 },
		{ "vc:routing=3", 5, 5. / 9 },
		{ "vc:vc=2", 5, 5. / 8 },
		{ "vc:vcs=2", 5, 1 }, /* two packets, whose stages overlap */
		{ "vc:vcs=2", 1, 2. / 3 },
		{ "vc:vcs=4", 1, 1 },
		{ "vc:whole=yes", 5, 5. / 7 },
		{ "vc:cross=2", 5, 5. / 12 }, /* a flit every two cycles: 1 + 1 + 5 * 2 */
		{ "vc:vcs=4,hosts=class", 1, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_params *params;
		struct setting s;

		make(&s, "tree:k=4,n=1", "minhop", cases[i].size, 1 + 64 / cases[i].size);
		s.traffic.from = 0;
		s.traffic.to = 1;
		params = vc(&s, cases[i].options);
		run(&s, 1, 3000);
		if (fabs(accepted(&s) * s.traffic.hosts - cases[i].share) > 0.005)
			fail_msg("%s, %u flits: %g in place of %g", cases[i].options, cases[i].size,
				 accepted(&s) * s.traffic.hosts, cases[i].share);
		verify(&s);
		finish(&s);
		hd_params_free(params);
	}
}

/*
 * Credits: a buffer of B flits lets B flits go in each round trip. From a host: a flit takes one
 * cycle and the link to the switch, waits for the stages before the FIFO and in it, and its credit
 * takes as long back.
 */
static void test_flits_wait_for_credits(void **state)
{
	/*
	 * 100 ticks are 10 cycles: 8 before the FIFO (the stages are 1 + 1); a link of 6 ticks has
	 * a cycle, and each flit or credit one more: 2 + 8 + 2.
	 */
	static const uint32_t round_trip = 12;

	(void)state;
	for (uint32_t flits = 1; flits <= 16; flits++) {
		struct hd_params *params;
		struct setting s;
		double wanted = flits < round_trip ? (double)flits / round_trip : 1;

		make(&s, "tree:k=4,n=1", "minhop", 16, 1);
		for (unsigned k = 0; k < HD_LINK_CLASSES; k++)
			s.options.links[k].buffer = flits; /* less than the packet of 16 */
		s.traffic.from = 0;
		s.traffic.to = 1;
		params = vc(&s, "vc:routing=0,speculative=yes");
		run(&s, 1, 500);
		if (fabs(accepted(&s) * s.traffic.hosts - wanted) > 0.01)
			fail_msg("%u flits: %g in place of %g", flits,
				 accepted(&s) * s.traffic.hosts, wanted);
		verify(&s);
		finish(&s);
		hd_params_free(params);
	}
}

static const char *const random_options[] = {
	"vc",
	"vc:speculative=yes,routing=0",
	"vc:speculative=yes,routing=0,vcs=6",
	"vc:vcs=12,hosts=class,tail=yes",
	"vc:whole=yes,vcs=6",
	"vc:vc=2,cross=2,crossbar=2,credit=3",
	"vc:tail=yes",
};

/* Hosts stop: everything arrives, in sound tables; buffers may be shorter than packets. */
static void test_all_that_is_sent_arrives(void **state)
{
	static const struct {
		const char *spec, *engine;
	} networks[] = {
		{ "torus:5x4,p=2", "hdor" },
		{ "dragonfly:a=4,p=2,h=1", "dla" },
		{ "tree:k=4,n=2", "dmodc" },
	};
	unsigned n = 0;

	(void)state;
	for (unsigned i = 0; i < sizeof(networks) / sizeof(networks[0]); i++)
		for (unsigned k = 0; k < sizeof(random_options) / sizeof(random_options[0]); k++) {
			const struct hd_model_user user = { .next = next_of_any_size,
							    .delivered = delivered };
			struct hd_model_user own = user;
			struct hd_params *params;
			struct hd_model_census c;
			struct hd_error err = { 0 };
			struct setting s;

			make(&s, networks[i].spec, networks[i].engine, 8, 2);
			s.options.links[HD_LINK_LOCAL].buffer = k % 2 ? 5 : 16;
			s.options.allocator = n % 2 ? &hd_allocator_input : &hd_allocator_output;
			params = vc(&s, random_options[k]);
			s.options.iterations = n++ % 3;
			s.options.admittance = n % 2 ? &hd_admittance_fifo : NULL;
			begin(&s, 1, HD_IS_SLOW ? 60 : 250);
			hd_model_free(s.model);
			own.context = &s.traffic;
			assert_hd_ok(hd_model_new(s.tables, &s.options, &own, &s.model, &err), err);
			for (unsigned step = 1; step < 8; step++) {
				assert_hd_ok(hd_model_run(s.model, step * s.traffic.stop / 4, &err),
					     err);
				check_census(&s);
				verify(&s);
			}
			assert_hd_ok(hd_model_run(s.model, 60 * s.traffic.stop, &err), err);
			verify(&s);
			c = hd_model_census(s.model);
			assert_true(c.generated > 100);
			assert_int_equal(c.generated, c.delivered);
			assert_int_equal(c.under_way + c.queued + c.dropped, 0);
			finish(&s);
			hd_params_free(params);
		}
}

/* Packets that the tables drop at a switch vanish, and the others go on. */
static void test_tables_drop_packets(void **state)
{
	struct hd_model_user user = { .next = next, .delivered = delivered };
	struct hd_params *params;
	struct hd_model_census c;
	struct hd_error err = { 0 };
	struct setting s;

	(void)state;
	make(&s, "tree:k=4,n=2", "dmodc", 8, 2);
	user.context = &s.traffic;
	params = vc(&s, "vc:vcs=2");
	begin(&s, 0.9, 200);
	/* only its own switch knows host 3 */
	for (uint32_t at = 0; at < s.fabric->n_switches; at++) {
		const uint32_t host = hd_model_host_port(s.model, 3);
		const uint32_t to = s.fabric->ports[s.fabric->ports[host].peer].node;

		if (at != to)
			hd_lft(s.tables, at)[s.fabric->ports[host].lid] = HD_NO_PATH;
	}
	hd_model_free(s.model);
	assert_hd_ok(hd_model_new(s.tables, &s.options, &user, &s.model, &err), err);
	assert_hd_ok(hd_model_run(s.model, 60 * s.traffic.stop, &err), err);
	verify(&s);
	c = hd_model_census(s.model);
	assert_true(c.dropped > 0);
	assert_int_equal(c.generated, c.delivered + c.dropped);
	finish(&s);
	hd_params_free(params);
}

/* Other ports up a tree: as many links as the tables' way, less room in buffers than packets. */
static void test_packets_choose_ways_up(void **state)
{
	static const char *const options[] = { "vc:up=random", "vc:up=two",
					       "vc:up=two,routing=0,speculative=yes,vcs=2" };

	(void)state;
	for (unsigned i = 0; i < sizeof(options) / sizeof(options[0]); i++) {
		const char *engine = i % 2 ? "updn" : "dmodc";
		struct hd_params *params = NULL;
		struct hd_model_census c, of_tables = { 0 };
		struct hd_error err = { 0 };
		struct setting s;

		for (unsigned k = 0; k < 2; k++) {
			make(&s, "tree:k=3,n=3", engine, 8, 2);
			s.options.links[HD_LINK_LOCAL].buffer = 6;
			s.options.seed = 5;
			params = vc(&s, k ? options[i] : "vc");
			begin(&s, 0.8, 200);
			assert_hd_ok(hd_model_run(s.model, 60 * s.traffic.stop, &err), err);
			verify(&s);
			c = hd_model_census(s.model);
			assert_true(c.generated > 1000);
			assert_int_equal(c.generated, c.delivered);
			if (k)
				assert_int_equal(c.packet_hops, of_tables.packet_hops);
			of_tables = c;
			finish(&s);
			hd_params_free(params);
		}
	}
}

/* A ring whose tables have a cycle: what is told is a cycle of channels, and it stays. */
static void test_a_ring_deadlocks(void **state)
{
	unsigned n_told = 0;

	(void)state;
	for (unsigned k = 0; k < sizeof(random_options) / sizeof(random_options[0]); k++) {
		const struct hd_channel *cycle;
		struct hd_params *params;
		struct hd_error err = { 0 };
		struct setting s;
		size_t n;

		make(&s, "torus:7,p=1", "minhop", 8, 1);
		params = vc(&s, random_options[k]);
		begin(&s, 1, 4000);
		if (!hd_model_run(s.model, 60 * s.traffic.stop, &err)) {
			/* many VCs, and the ring never filled */
			assert_int_equal(hd_model_census(s.model).under_way, 0);
			finish(&s);
			hd_params_free(params);
			continue;
		}
		n_told++;
		assert_hd_says(err, "deadlock");
		cycle = hd_model_deadlock(s.model, &n);
		assert_true(n > 1);
		for (size_t i = 0; i < n; i++) {
			const uint32_t node =
				s.fabric->ports[s.fabric->ports[cycle[i].port].peer].node;

			/* the next channel begins where this one ends, or is another VC of it */
			assert_true(node == s.fabric->ports[cycle[(i + 1) % n].port].node ||
				    node == s.fabric->ports[s.fabric->ports[cycle[(i + 1) % n].port]
								    .peer]
						    .node);
		}
		assert_int_equal(hd_model_run(s.model, 61 * s.traffic.stop, &err), HD_EREFUSED);
		check_census(&s);
		verify(&s);
		finish(&s);
		hd_params_free(params);
	}
	assert_true(n_told >= 5);
}

/* Buffers of a flit, and credits that take longer than all else: slow, and no deadlock. */
static void test_slow_credits_are_no_deadlock(void **state)
{
	struct hd_params *params;
	struct hd_model_census c;
	struct hd_error err = { 0 };
	struct setting s;

	(void)state;
	make(&s, "torus:5,p=1", "hdor", 8, 1);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		s.options.links[i].buffer = 1;
		s.options.links[i].propagation = 0;
	}
	s.options.latency = 4 * UNIT_TICKS;
	params = vc(&s, "vc:credit=64");
	begin(&s, 1, 100);
	for (unsigned i = 1; i < 200; i++)
		assert_hd_ok(hd_model_run(s.model, i * s.traffic.stop, &err), err);
	c = hd_model_census(s.model);
	assert_int_equal(c.generated, c.delivered);
	verify(&s);
	finish(&s);
	hd_params_free(params);
}

static void refused(struct setting *s, const char *why)
{
	const struct hd_model_user user = { .next = next, .context = &s->traffic };
	struct hd_error err = { 0 };

	assert_int_equal(hd_model_new(s->tables, &s->options, &user, &s->model, &err), HD_EINVAL);
	assert_hd_says(err, why);
	finish(s);
}

static void test_what_it_does_not_model_is_refused(void **state)
{
	static const struct {
		const char *options, *why;
	} cases[] = {
		{ "vc", "only 3" }, /* cycles of latency */
		{ "vc:vcs=5", "equally many" },
		{ "vc:speculative=yes,vc=2", "guesses" },
		{ "vc:whole=yes,cross=2", "keeps the crossbar" },
		{ "vc:up=random", "up and then down" },
	};
	struct hd_params *params;
	struct setting s;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(&s, "torus:5,p=1", "hdor", 8, 2);
		params = vc(&s, cases[i].options);
		if (!i)
			s.options.latency = 3 * UNIT_TICKS;
		refused(&s, cases[i].why);
		hd_params_free(params);
	}
	for (unsigned i = 0; i < 12; i++) {
		make(&s, "torus:5,p=1", "hdor", 8, 2);
		params = vc(&s, "vc");
		switch (i) {
		case 0:
			s.options.links[HD_LINK_LOCAL].unit_ticks = 7;
			break;
		case 1:
			s.options.damq = true;
			break;
		case 2:
			s.options.buffering = &hd_buffering_voq;
			break;
		case 3:
			s.options.speedup = 2;
			break;
		case 4:
			s.options.arbiter = &hd_arbiter_oldest;
			break;
		case 5:
			s.options.count_waits = true;
			break;
		case 6:
			s.options.live = true;
			break;
		case 7:
			s.options.admittance = &hd_admittance_destination;
			s.options.injection = 4;
			break;
		case 8:
			s.options.host_policy = &hd_host_outstanding;
			break;
		case 9:
			s.options.consumption = 0.5;
			break;
		case 10:
			s.options.header = s.options.header_unit = 1;
			break;
		default:
			s.options.links[HD_LINK_LOCAL].vcs = 4;
			break;
		}
		refused(&s, i ? "switch model vc " : "one rate");
		hd_params_free(params);
	}
}

/* What a run gives does not depend on where it stops meanwhile; one thread runs it. */
static void test_a_run_is_the_same_in_pieces(void **state)
{
	uint64_t latency[2];

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct hd_params *params;
		struct hd_error err = { 0 };
		struct setting s;
		unsigned n;

		make(&s, "torus:4x4,p=1", "hdor", 8, 2);
		params = vc(&s, "vc:vcs=4,speculative=yes");
		begin(&s, 0.6, 400);
		assert_hd_ok(hd_model_divide(s.model, 2, false, &n, &err), err);
		assert_int_equal(n, 1);
		assert_string_equal(hd_model_why_whole(s.model), "the switch model is not divided");
		for (uint64_t until = 7; i && until < s.traffic.stop; until += 131)
			assert_hd_ok(hd_model_run(s.model, until, &err), err);
		assert_hd_ok(hd_model_run(s.model, s.traffic.stop, &err), err);
		assert_true(s.traffic.delivered > 1000);
		latency[i] = s.traffic.latency;
		finish(&s);
		hd_params_free(params);
	}
	assert_int_equal(latency[0], latency[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_an_empty_fabric_is_that_of_iq),
		cmocka_unit_test(test_the_next_packet_waits_for_the_stages),
		cmocka_unit_test(test_flits_wait_for_credits),
		cmocka_unit_test(test_all_that_is_sent_arrives),
		cmocka_unit_test(test_tables_drop_packets),
		cmocka_unit_test(test_packets_choose_ways_up),
		cmocka_unit_test(test_a_ring_deadlocks),
		cmocka_unit_test(test_slow_credits_are_no_deadlock),
		cmocka_unit_test(test_what_it_does_not_model_is_refused),
		cmocka_unit_test(test_a_run_is_the_same_in_pieces),
	};

	return cmocka_run_group_tests_name("switches with VC allocation", tests, NULL, NULL);
}
