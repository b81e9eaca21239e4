// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Hosts of the performance model: admittance, injection, choice of LIDs. */
#include "tests/unit/host_case.h"

/*
 * Three destinations have packets, one of which sends on a VL that is blocked: the others get the
 * whole link, in turn, though all packets of one were generated before those of the other.
 */
static void test_destinations_take_turns(void **state)
{
	const unsigned n[4] = { 50, 100, 60, 0 };
	struct setting s;
	struct log log;

	(void)state;
	make_two_vls(&s, &hd_host_first);
	for (uint32_t port = 0, host = 0; port < s.fabric->n_ports; port++)
		if (!hd_is_switch(s.fabric, s.fabric->ports[port].node) &&
		    s.fabric->ports[port].lid && host++ == 4)
			s.tables->sl_rows[s.fabric->ports[port].lid] = 1;
	block(&s, first_host_port(&s), 1);
	load_host(&s, &log, n);
	run_until(&s, 1000000);
	assert_int_equal(log.n, 160);
	/* what the injection queue took at first is no turn yet */
	for (size_t i = 2; i < 118; i++)
		assert_int_not_equal(log.to[i], log.to[i + 1]);
	for (size_t i = 0; i < log.n; i++)
		assert_int_not_equal(log.to[i], 4);
	assert_int_equal(hd_model_census(s.model).queued, 50);
	assert_int_equal(hd_model_busy(s.model, first_host_port(&s), 0), 160 * 16 * UNIT_TICKS);
	finish(&s);
}

/* The same with queues per VL: who was first goes first. */
static void test_without_queues_per_destination(void **state)
{
	const unsigned n[4] = { 50, 100, 60, 0 };
	struct setting s;
	struct log log;

	(void)state;
	make_two_vls(&s, &hd_host_first);
	s.options.admittance = &hd_admittance_vl;
	load_host(&s, &log, n);
	run_until(&s, 1000000);
	assert_int_equal(log.n, 210);
	for (size_t i = 0; i < log.n; i++)
		assert_int_equal(log.to[i], i < 50 ? 4 : i < 150 ? 5 : 6);
	finish(&s);
}

/* OSHA: a host's packets go by either LID in turn, whatever their destination. */
static void test_oblivious_choice_alternates(void **state)
{
	const unsigned n[4] = { 50, 101, 7, 1 };
	struct setting s;
	struct log log;

	(void)state;
	make_two_vls(&s, &hd_host_round_robin);
	load_host(&s, &log, n);
	for (uint64_t until = 40; until < 40000; until += 40) {
		uint64_t base, other;

		run_until(&s, until);
		base = hd_model_busy(s.model, first_host_port(&s), 0);
		other = hd_model_busy(s.model, first_host_port(&s), 1);
		assert_true(base == other || base == other + 16 * UNIT_TICKS);
	}
	assert_int_equal(log.n, 159);
	finish(&s);

	/* strictly: when one of them is blocked, nothing goes by the other either */
	make_two_vls(&s, &hd_host_round_robin);
	block(&s, first_host_port(&s), 1);
	load_host(&s, &log, n);
	run_until(&s, 1000000);
	assert_int_equal(log.n, 3);
	finish(&s);
}

/* SASHA: the LID whose injection queue has less in it; a blocked one gets what fills that. */
static void test_adaptive_choice_avoids_what_is_blocked(void **state)
{
	const unsigned n[4] = { 50, 101, 7, 1 };
	struct setting s;
	struct log log;

	(void)state;
	for (unsigned blocked = 0; blocked < 2; blocked++) {
		make_two_vls(&s, &hd_host_least_occupied);
		block(&s, first_host_port(&s), blocked);
		load_host(&s, &log, n);
		run_until(&s, 1000000);
		assert_int_equal(log.n, 159 - s.options.injection);
		assert_int_equal(hd_model_census(s.model).queued, s.options.injection);
		assert_int_equal(hd_model_busy(s.model, first_host_port(&s), blocked), 0);
		finish(&s);
	}

	/* of equals the next in turn: half of the packets each */
	make_two_vls(&s, &hd_host_least_occupied);
	load_host(&s, &log, n);
	run_until(&s, 1000000);
	assert_int_equal(log.n, 159);
	assert_near((double)hd_model_busy(s.model, first_host_port(&s), 0) / (16 * UNIT_TICKS),
		    159 / 2.0, 1);
	finish(&s);
}

/* What the tables do not let through is dropped, and does not stand in the way. */
static void test_no_way_for_some(void **state)
{
	const unsigned n[4] = { 10, 20, 0, 0 };
	struct setting s;
	struct log log;
	uint16_t lid;

	(void)state;
	make_two_vls(&s, &hd_host_round_robin);
	lid = s.fabric->ports[hd_port_index(s.fabric, s.fabric->n_switches + 4, 1)].lid;
	s.tables->sl_rows[lid] = s.tables->sl_rows[lid + 1] = HD_NO_SL;
	load_host(&s, &log, n);
	run_until(&s, 1000000);
	assert_int_equal(hd_model_census(s.model).dropped, 10);
	assert_int_equal(hd_model_census(s.model).delivered, 20);
	finish(&s);
}

/* Many flows come and go: every packet arrives, at the loads of queues per VL. */
static void test_queues_per_destination_lose_nothing(void **state)
{
	struct setting s;
	double plain;

	(void)state;
	for (size_t i = 0; hd_host_policies.policies[i]; i++) {
		const struct hd_host_policy *policy =
			(const struct hd_host_policy *)hd_host_policies.policies[i];

		make_lmc(&s, "dragonfly:a=4,p=2,h=2", "dla", 1, 16, 4);
		set_policy(&s, policy);
		s.traffic.poisson = true;
		run(&s, 0.4, HD_IS_SLOW ? 2000 : 10000);
		plain = accepted(&s);
		finish(&s);
		make_lmc(&s, "dragonfly:a=4,p=2,h=2", "dla", 1, 16, 4);
		set_policy(&s, policy);
		s.options.admittance = &hd_admittance_destination;
		s.options.injection = 1;
		s.traffic.poisson = true;
		run(&s, 0.4, HD_IS_SLOW ? 2000 : 10000);
		assert_near(accepted(&s), plain, HD_IS_SLOW ? 0.02 : 0.002);
		finish(&s);
		make_lmc(&s, "dragonfly:a=4,p=2,h=2", "dla", 1, 16, 1);
		set_policy(&s, policy);
		s.options.admittance = &hd_admittance_destination;
		s.options.injection = 3;
		run(&s, 1, HD_IS_SLOW ? 1000 : 10000);
		assert_true(accepted(&s) > 0.3);
		finish(&s);
	}
}

/* A host that takes in a share of what its link brings gets that share, others all of theirs. */
static void test_slow_hosts_get_their_share(void **state)
{
	const struct hd_host_range slow = { 1, 1 };
	struct setting s;

	(void)state;
	for (double share = 0.05; share < 1; share += 0.17) {
		make(&s, "tree:k=2,n=1", "minhop", 16, 3);
		s.options.consumption = share;
		s.traffic.from = 0;
		s.traffic.to = 1;
		run(&s, 1, 20000);
		assert_near(accepted(&s) * s.traffic.hosts / share, 1, 0.001);
		finish(&s);

		make(&s, "tree:k=4,n=1", "minhop", 16, 16);
		s.options.consumption = share;
		s.options.slow_hosts = &slow;
		s.options.n_slow_hosts = 1;
		s.traffic.map = (const uint32_t[]){ 1, HD_NONE, 3, HD_NONE };
		run(&s, 1, 20000);
		assert_near((double)s.traffic.arrived[1] / (16000 * share), 1, 0.001);
		assert_near((double)s.traffic.arrived[3] / 16000.0, 1, 0.001);
		finish(&s);
	}
}

/* One packet at a time is late by what its host needs longer than the link. */
static void test_slow_hosts_take_longer(void **state)
{
	struct setting s;

	(void)state;
	make(&s, "tree:k=2,n=1", "minhop", 16, 3);
	s.options.consumption = 0.25;
	s.traffic.from = 0;
	s.traffic.to = 1;
	run(&s, 0.01, 200);
	assert_int_equal(s.traffic.shortest, 6 + 100 + 6 + 4 * 16 * UNIT_TICKS);
	assert_int_equal(s.traffic.longest, s.traffic.shortest);
	finish(&s);
}

/* The buffer of a slow host fills, then that of the switch before it, then its source waits. */
static void test_slow_hosts_withhold_credits(void **state)
{
	struct setting s;

	(void)state;
	make(&s, "tree:k=2,n=1", "minhop", 16, 3);
	s.options.consumption = 0.01;
	s.traffic.from = 0;
	s.traffic.to = 1;
	run(&s, 1, 90);
	assert_int_equal(hd_model_census(s.model).under_way, 2 * 3);
	finish(&s);
}

static void test_hosts_that_are_not_there(void **state)
{
	const struct hd_host_range slow = { 3, 4 };
	struct hd_error err = { 0 };
	const struct hd_model_user user = { .next = nothing };
	struct setting s;

	(void)state;
	make(&s, "tree:k=4,n=1", "minhop", 16, 16);
	s.options.consumption = 0.5;
	s.options.slow_hosts = &slow;
	s.options.n_slow_hosts = 1;
	assert_int_equal(hd_model_new(s.tables, &s.options, &user, &s.model, &err), HD_EINVAL);
	assert_hd_says(err, "no host 4");
	finish(&s);
}

/*
 * The output of a switch whose crossbar is much faster than its links, fed from 100 sides: an M/D/1
 * queue has rho + rho^2 / (2 (1 - rho)) packets, the one that is sent included, and none for 1 -
 * rho of the time.
 */
static void test_length_of_an_output_queue(void **state)
{
	struct setting s;

	(void)state;
	for (double load = 0.3; load < 0.85; load += HD_IS_SLOW ? 1 : 0.25) {
		double area = 0, ticks = 0, empty = 0;

		make(&s, "tree:k=100,n=1", "minhop", 64, 1000);
		s.options.model = &hd_switch_cioq;
		s.options.speedup = 64;
		s.options.buffering = &hd_buffering_voq;
		s.options.latency = 0;
		s.options.gauge = 64;
		for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
			s.options.links[i].output = 64 * 1000;
		s.traffic.poisson = true;
		begin(&s, load, 20000);
		run_until(&s, s.traffic.warm_up);
		hd_model_restart_gauges(s.model);
		run_until(&s, s.traffic.stop);
		for (uint32_t host = 0; host < s.traffic.hosts; host++) {
			uint32_t port = hd_model_host_port(s.model, host);
			struct hd_gauge gauge =
				hd_model_output_gauge(s.model, s.fabric->ports[port].peer);

			area += (double)gauge.area / 64.0;
			ticks += (double)gauge.ticks;
			empty += (double)gauge.empty;
			assert_int_equal(gauge.full, 0);
			assert_int_equal(gauge.ticks, s.traffic.stop - s.traffic.warm_up);
		}
		assert_near(area / ticks / (load + load * load / (2 * (1 - load))), 1, 0.02);
		assert_near(empty / ticks, 1 - load, 0.01);
		finish(&s);
	}
}

/* A flow to a host that takes in next to nothing: its buffers are full, others are empty. */
static void test_gauges_of_full_buffers(void **state)
{
	struct setting s;
	struct hd_gauge gauge;

	(void)state;
	make(&s, "tree:k=3,n=1", "minhop", 16, 3);
	s.options.consumption = 1e-4;
	s.options.gauge = 16;
	s.traffic.from = 0;
	s.traffic.to = 1;
	begin(&s, 1, 1000);
	run_until(&s, s.traffic.warm_up);
	hd_model_restart_gauges(s.model);
	run_until(&s, s.traffic.stop);
	gauge = hd_model_gauge(s.model, hd_model_host_port(s.model, 0), 0);
	assert_int_equal(gauge.capacity, 3 * 16);
	assert_int_equal(gauge.most, 3 * 16);
	assert_int_equal(gauge.full, gauge.ticks);
	assert_int_equal(gauge.area, gauge.ticks * 3 * 16);
	assert_int_equal(gauge.empty, 0);
	gauge = hd_model_gauge(s.model, s.fabric->ports[hd_model_host_port(s.model, 1)].peer, 0);
	assert_int_equal(gauge.full, gauge.ticks);
	gauge = hd_model_gauge(s.model, hd_model_host_port(s.model, 2), 0);
	assert_int_equal(gauge.empty, gauge.ticks);
	assert_int_equal(gauge.most, 0);
	assert_int_equal(hd_model_gauge(s.model, hd_model_host_port(s.model, 2), 7).capacity, 0);
	assert_int_equal(hd_model_output_gauge(s.model, 0).capacity, 0);
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_destinations_take_turns),
		cmocka_unit_test(test_without_queues_per_destination),
		cmocka_unit_test(test_oblivious_choice_alternates),
		cmocka_unit_test(test_adaptive_choice_avoids_what_is_blocked),
		cmocka_unit_test(test_no_way_for_some),
		cmocka_unit_test(test_queues_per_destination_lose_nothing),
		cmocka_unit_test(test_slow_hosts_get_their_share),
		cmocka_unit_test(test_slow_hosts_take_longer),
		cmocka_unit_test(test_slow_hosts_withhold_credits),
		cmocka_unit_test(test_hosts_that_are_not_there),
		cmocka_unit_test(test_length_of_an_output_queue),
		cmocka_unit_test(test_gauges_of_full_buffers),
	};

	return cmocka_run_group_tests_name("hosts", tests, NULL, NULL);
}
