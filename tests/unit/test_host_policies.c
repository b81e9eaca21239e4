// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Which of two virtual networks hosts choose (osha-sasha-dbbq, 3.2 and 4), and what their buffers
 * are then. Network n is offset n to the base LID, on VL n.
 */
#include "tests/unit/host_case.h"

#define PACKET 16
#define TICKS  (PACKET * UNIT_TICKS) /* of a packet on a link */

/*
 * VL @vl does not leave the hosts' switch for the other one: its buffer behind host 0 fills with 4
 * packets, and then the host lacks credits for it.
 */
static void block_at_switch(struct setting *s, unsigned vl)
{
	hd_for_each_number(out, s->fabric, 0) {
		uint32_t port = hd_port_index(s->fabric, 0, out);
		uint32_t peer = s->fabric->ports[port].peer;

		if (peer != HD_NONE && hd_is_switch(s->fabric, s->fabric->ports[peer].node))
			block(s, port, vl);
	}
}

static uint64_t sent(const struct setting *s, unsigned vl)
{
	return hd_model_counters(s->model, first_host_port(s), vl).packets;
}

static const unsigned some[4] = { 50, 101, 7, 42 };
#define SOME 200

/* OSHA: all packets of every host, to any destination; per host they differ by one at most. */
static void osha_alternates_strictly(void **state)
{
	struct hd_error err = { 0 };
	struct setting s;
	uint64_t all = 0;

	make_lmc(&s, "kns:k=4,n=2", "osha", 1, PACKET, 4);
	set_policy(&s, &hd_host_round_robin);
	s.traffic.poisson = true;
	begin(&s, 0.9, 1001);
	assert_hd_ok(hd_model_run(s.model, 100 * s.traffic.stop, &err), err);
	assert_int_equal(hd_model_census(s.model).under_way + hd_model_census(s.model).queued, 0);
	for (uint32_t host = 0; host < s.traffic.hosts; host++) {
		uint32_t port = hd_model_host_port(s.model, host);
		uint64_t first = hd_model_counters(s.model, port, 0).packets,
			 second = hd_model_counters(s.model, port, 1).packets;

		assert_true(first == second || first == second + 1);
		all += first + second;
	}
	assert_int_equal(all, hd_model_census(s.model).delivered);
	/* each but a host's first is a change */
	assert_int_equal(hd_model_census(s.model).lid_changes, all - s.traffic.hosts);
	finish(&s);
}

/*
 * Of @policy, with either network blocked behind the hosts' switch: all but what fills buffers goes
 * by the other.
 */
static void assert_avoids(const struct hd_host_policy *policy, unsigned most)
{
	struct setting s;
	struct log log;

	for (unsigned blocked = 0; blocked < 2; blocked++) {
		make_two_vls(&s, policy);
		block_at_switch(&s, blocked);
		load_host(&s, &log, some);
		run_until(&s, 1000 * TICKS);
		assert_in_range(sent(&s, blocked), 1, 4);
		assert_in_range(SOME - log.n, 1, most);
		assert_int_equal(sent(&s, 1 - blocked), log.n);
		finish(&s);
	}
}

static void blocked_networks_are_avoided(void **state)
{
	/* 4 packets in the switch's buffer, 2 in the injection queue */
	assert_avoids(&hd_host_least_occupied, 6);
	assert_avoids(&hd_host_outstanding, 6);
	assert_avoids(&hd_host_xmitwait, 6);
}

/* One packet at a time meets idle networks, which are alike: turns, or all on lane 0. */
static void assert_ties(const struct hd_host_policy *policy, bool ties_first)
{
	static const unsigned none[4] = { 0 };
	struct setting s;
	struct log log;

	make_two_vls(&s, policy);
	s.options.host.ties_first = ties_first;
	load_host(&s, &log, none);
	for (unsigned n = 0; n < 50; n++) {
		hd_model_inject(s.model, &(struct hd_message){ .to = 4 + n % 3, .size = PACKET });
		run_until(&s, (n + 1) * 20 * TICKS);
		assert_int_equal(sent(&s, 0), ties_first ? n + 1 : n / 2 + 1);
		assert_int_equal(sent(&s, 1), ties_first ? 0 : (n + 1) / 2);
	}
	assert_int_equal(hd_model_census(s.model).lid_changes, ties_first ? 0 : 49);
	finish(&s);
}

/* Hosts take turns, unless they are to take the base LID. */
static void ties_alternate(void **state)
{
	(void)state;
	assert_ties(&hd_host_least_occupied, false);
	assert_ties(&hd_host_outstanding, false);
	assert_ties(&hd_host_xmitwait, false);
	assert_ties(&hd_host_least_occupied, true);
}

/* Lane 0 never waits, lane 1 always: from the second interval on all packets are on lane 0. */
static void xmitwait_takes_the_lane_that_waits_less(void **state)
{
	struct setting s;
	struct log log;
	uint64_t first;

	make_two_vls(&s, &hd_host_xmitwait);
	s.options.host.interval = 50 * TICKS;
	block_at_switch(&s, 1);
	load_host(&s, &log, some);
	/* in the first interval lane 1 gets what there is room for, and then holds up all */
	run_until(&s, 49 * TICKS);
	assert_in_range(sent(&s, 0), 4, 8);
	run_until(&s, 101 * TICKS);
	assert_int_equal(sent(&s, 1), 4);
	first = sent(&s, 0);
	run_until(&s, 151 * TICKS);
	assert_in_range(sent(&s, 0) - first, 49, 51); /* the whole link */
	run_until(&s, 1000 * TICKS);
	assert_int_equal(sent(&s, 1), 4);
	assert_int_equal(sent(&s, 0), SOME - 4 - s.options.injection);
	finish(&s);
}

/*
 * Lane 1 always waits, lane 0 half of the time, since its destinations take in half of what comes.
 * Counters of enough bits tell that. Where both are at their ends the host takes turns and waits
 * for lane 1, so that lane 0 is idle, reads 0, and is taken in the interval after that: the host
 * swings.
 */
static uint64_t delivered_with(unsigned bits, uint64_t interval)
{
	struct setting s;
	struct log log;
	uint64_t n;

	make_two_vls(&s, &hd_host_xmitwait);
	s.options.host.counter_bits = bits;
	s.options.host.interval = interval;
	s.options.consumption = 0.5;
	block_at_switch(&s, 1);
	load_host(&s, &log, (const unsigned[]){ 2000, 0, 0, 0 });
	run_until(&s, 3000 * TICKS);
	n = log.n;
	finish(&s);
	return n;
}

static void xmitwait_saturates(void **state)
{
	/*
	 * a word takes 10 / 16 ticks: the end of 16 bits is at 40,959.4 ticks, half of 512 packets
	 */
	const uint64_t free = delivered_with(32, 200 * TICKS);

	assert_in_range(free, 1300, 1500);
	assert_int_equal(delivered_with(16, 200 * TICKS), free);
	assert_int_equal(delivered_with(0, 200 * TICKS), free);
	assert_int_equal(delivered_with(16, 480 * TICKS), delivered_with(32, 480 * TICKS));
	assert_in_range(delivered_with(32, 600 * TICKS), 1150, 1250); /* 4 of 5 intervals */
	assert_in_range(delivered_with(16, 600 * TICKS), 560, 680);   /* 2 */
	assert_in_range(delivered_with(4, 200 * TICKS), 540, 600);    /* 5 of 15 */
}

/* By chance, but strictly: a draw stays when its queue has no room. Another seed, other draws. */
static void random_is_oblivious(void **state)
{
	uint64_t changes[3];
	struct setting s;
	struct log log;

	for (unsigned i = 0; i < 3; i++) {
		make_two_vls(&s, &hd_host_random);
		s.options.seed = i / 2;
		load_host(&s, &log, (const unsigned[]){ 1000, 900, 900, 900 });
		run_until(&s, 5000 * TICKS);
		assert_int_equal(log.n, 3700);
		assert_near((double)sent(&s, 0) / 3700.0, 0.5, 0.04);
		changes[i] = hd_model_census(s.model).lid_changes;
		assert_near((double)changes[i] / 3700.0, 0.5, 0.04);
		finish(&s);
	}
	assert_int_equal(changes[0], changes[1]);
	assert_int_not_equal(changes[0], changes[2]);

	make_two_vls(&s, &hd_host_random);
	block(&s, first_host_port(&s), 1);
	load_host(&s, &log, some);
	run_until(&s, 1000 * TICKS);
	assert_int_equal(sent(&s, 1), 0);
	assert_in_range(log.n, 0, 30);
	finish(&s);
}

/*
 * What is lost on the way is completed, too: else a network that loses packets would look full for
 * ever.
 */
static void outstanding_ends_with_loss(void **state)
{
	for (uint64_t delay = 0; delay < 1000; delay += 700) {
		struct setting s;
		struct log log;

		make_two_vls(&s, &hd_host_outstanding);
		s.options.host.delay = delay;
		for (uint32_t lid = 1; lid <= s.fabric->top_lid; lid++)
			if (s.fabric->lids[lid].port != HD_NONE &&
			    lid != s.fabric->ports[s.fabric->lids[lid].port].lid)
				hd_lft(s.tables, 1)[lid] = HD_NO_PATH;
		load_host(&s, &log, some);
		run_until(&s, 1000 * TICKS);
		assert_int_equal(hd_model_census(s.model).dropped + log.n, SOME);
		assert_int_equal(hd_model_census(s.model).dropped, sent(&s, 1));
		assert_true(sent(&s, 1) >= SOME / 2);
		finish(&s);
	}
}

/* A completion that comes late is one that is not there: hosts then balance bytes. */
static void outstanding_waits_for_completions(void **state)
{
	struct setting s;
	struct log log;

	make_two_vls(&s, &hd_host_outstanding);
	s.options.host.delay = UINT64_C(1) << 40;
	block_at_switch(&s, 1);
	load_host(&s, &log, some);
	run_until(&s, 1000 * TICKS);
	/*
	 * lane 1 has 6, so lane 0 gets as many and one more, and then all, since lane 1 has no room
	 */
	assert_int_equal(log.n, SOME - 6);
	finish(&s);

	make_two_vls(&s, &hd_host_outstanding);
	s.options.host.delay = UINT64_C(1) << 40;
	load_host(&s, &log, some);
	run_until(&s, 1000 * TICKS);
	assert_int_equal(sent(&s, 0), SOME / 2);
	assert_int_equal(sent(&s, 1), SOME / 2);
	finish(&s);
}

/* @packets of a port for all VLs, on @spec: what is behind host 0's link for each. */
static void assert_parts(const char *spec, const char *engine, const char *queues, unsigned lmc,
			 bool bubble, unsigned wanted)
{
	struct hd_route_request request = { .bubble = bubble };
	struct hd_error err = { 0 };
	struct setting s;

	make_lmc(&s, spec, engine, lmc, PACKET, 4);
	request.queues = queues;
	request.layers = bubble ? (lmc ? "class" : "single") : NULL;
	hd_tables_free(s.tables);
	assert_hd_ok(hd_route(hd_engine_find(engine), s.fabric, &request, &s.tables, &err), err);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		s.options.links[i].buffer = 0;
		s.options.links[i].port_buffer = 32 * PACKET + PACKET / 2;
		s.options.links[i].packet = PACKET;
	}
	s.options.gauge = PACKET;
	begin(&s, 0.5, 10);
	assert_int_equal(hd_model_gauge(s.model, hd_model_host_port(s.model, 0), 0).capacity,
			 wanted * PACKET);
	finish(&s);
}

/*
 * Of 128 KiB each of 4 KiB, in whole packets, among the VLs that hosts' packets are on: the second
 * VL of hdor on a KNS is for line switches.
 */
static void buffers_of_ports_are_divided(void **state)
{
	assert_parts("kns:k=4,n=2", "hdor", NULL, 0, false, 32);
	assert_parts("kns:k=4,n=2", "hdor", "bbq:4", 0, false, 8);
	assert_parts("kns:k=4,n=2", "osha", NULL, 1, false, 16);
	assert_parts("kns:k=4,n=2", "sasha", "dbbq:2", 1, false, 8);
	assert_parts("kns:k=3,n=3", "hdor", NULL, 0, false, 32);
	assert_parts("torus:4x4", "hdor", NULL, 0, true, 32);
	assert_parts("torus:4x4", "osha", NULL, 1, true, 16);
	assert_parts("torus:4x4", "osha", "dbbq:2", 1, true, 8);
	assert_parts("torus:5x5", "hdor", NULL, 0, false, 16);
	assert_parts("mesh:4x4", "hdor", "dbbm:3", 0, false, 10);
}

/* The same of injection queues: 32 packets of a host among 2 VLs, and 1 that are too few. */
static void injection_queues_of_hosts_are_divided(void **state)
{
	const struct hd_model_user user = { .next = nothing };
	struct hd_error err = { 0 };
	struct setting s;
	struct log log;

	make_two_vls(&s, &hd_host_least_occupied);
	s.options.injection = 0;
	s.options.port_injection = 33;
	block(&s, first_host_port(&s), 1);
	load_host(&s, &log, some);
	run_until(&s, 1000 * TICKS);
	assert_int_equal(hd_model_census(s.model).queued, 16);
	finish(&s);

	make_two_vls(&s, &hd_host_least_occupied);
	s.options.port_injection = 1;
	assert_int_equal(hd_model_new(s.tables, &s.options, &user, &s.model, &err), HD_EINVAL);
	assert_hd_says(err, "a host's 1 packets have no room for one on each of 2 VLs");
	assert_null(s.model);
	s.options.port_injection = 0;
	s.options.host_policy = &hd_host_xmitwait;
	s.options.host.interval = 0;
	assert_int_equal(hd_model_new(s.tables, &s.options, &user, &s.model, &err), HD_EINVAL);
	assert_hd_says(err, "intervals take no time");
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(osha_alternates_strictly),
		cmocka_unit_test(blocked_networks_are_avoided),
		cmocka_unit_test(ties_alternate),
		cmocka_unit_test(xmitwait_takes_the_lane_that_waits_less),
		cmocka_unit_test(xmitwait_saturates),
		cmocka_unit_test(random_is_oblivious),
		cmocka_unit_test(outstanding_ends_with_loss),
		cmocka_unit_test(outstanding_waits_for_completions),
		cmocka_unit_test(buffers_of_ports_are_divided),
		cmocka_unit_test(injection_queues_of_hosts_are_divided),
	};

	return cmocka_run_group_tests_name("host_policies", tests, NULL, NULL);
}
