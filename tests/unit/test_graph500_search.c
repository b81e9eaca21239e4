// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A search of pattern graph500: what is sent, when, and on which hosts; options that make no sense.
 */
#include "tests/unit/scenario_case.h"
#include "tests/unit/traffic_case.h"

#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "topologies/dragonfly.h"

/*
 * A fabric without limits: packets leave their hosts one after another, and are at their
 * destinations LATENCY after their tails left.
 */
#define PROCESSES 4
#define LATENCY   500
#define QUERY     30 /* ticks */
#define EVENTS    4096

enum event_kind { WAKE, ENTER, DELIVER };

struct event {
	uint64_t time, order;
	enum event_kind kind;
	struct hd_message message; /* from: the host to wake */
};

struct ideal {
	struct event events[EVENTS];
	size_t n;
	uint64_t order, now;
	uint32_t waiting[PROCESSES]; /* packets at the host */
	uint64_t link[PROCESSES];    /* until when the host's link is busy */
	uint64_t answers[PROCESSES]; /* until when the process answers queries */
	uint64_t queries;            /* sent */
	uint64_t sent_to[PROCESSES]; /* messages with queries */
	uint64_t deliveries;
	bool is_half_duplex;
};

static void add_event(struct ideal *ideal, enum event_kind kind, uint64_t time,
		      const struct hd_message *message)
{
	assert_true(ideal->n < EVENTS);
	assert_true(time >= ideal->now);
	ideal->events[ideal->n++] = (struct event){ time, ideal->order++, kind, *message };
}

static bool has_queries(const struct hd_message *message)
{
	return (uint32_t)message->id >> 30 == 0;
}

static void ideal_send(void *context, const struct hd_message *message)
{
	struct ideal *ideal = context;
	uint64_t *link = &ideal->link[message->from];

	assert_int_equal(message->time, ideal->now);
	assert_int_not_equal(message->from, message->to);
	if (has_queries(message)) {
		ideal->is_half_duplex &= ideal->now >= ideal->answers[message->from];
		ideal->is_half_duplex &= !ideal->waiting[message->from];
		ideal->sent_to[message->to]++;
		ideal->queries += message->size; /* a query is a unit */
	}
	ideal->waiting[message->from]++;
	if (*link < ideal->now)
		*link = ideal->now;
	add_event(ideal, ENTER, *link, message);
	*link += (uint64_t)message->size * UNIT_TICKS;
	add_event(ideal, DELIVER, *link + LATENCY, message);
}

static void ideal_wake(void *context, uint32_t host, uint64_t time)
{
	struct ideal *ideal = context;
	const struct hd_message message = { .from = host };

	add_event(ideal, WAKE, time > ideal->now ? time : ideal->now, &message);
}

static struct event take_event(struct ideal *ideal)
{
	size_t first = 0;
	struct event event;

	for (size_t i = 1; i < ideal->n; i++)
		if (ideal->events[i].time < ideal->events[first].time ||
		    (ideal->events[i].time == ideal->events[first].time &&
		     ideal->events[i].order < ideal->events[first].order))
			first = i;
	event = ideal->events[first];
	ideal->events[first] = ideal->events[--ideal->n];
	return event;
}

static void deliver(struct ideal *ideal, struct hd_traffic *traffic,
		    const struct hd_message *message, const struct hd_traffic_actions *actions)
{
	uint64_t *answers = &ideal->answers[message->to];

	ideal->deliveries++;
	if (has_queries(message))
		*answers = (*answers > ideal->now ? *answers : ideal->now) +
			   (uint64_t)message->size * QUERY;
	hd_traffic_received(traffic, ideal->now, message, actions);
}

static void enter(struct ideal *ideal, struct hd_traffic *traffic, const struct hd_message *message,
		  const struct hd_traffic_actions *actions)
{
	ideal->waiting[message->from]--;
	hd_traffic_entered(traffic, ideal->now, message, actions);
}

static void run_ideal(struct ideal *ideal, struct hd_traffic *traffic)
{
	const struct hd_traffic_actions actions = { .send = ideal_send,
						    .wake = ideal_wake,
						    .context = ideal };

	*ideal = (struct ideal){ .is_half_duplex = true };
	hd_traffic_begin(traffic, &actions);
	while (ideal->n) {
		struct event event = take_event(ideal);

		ideal->now = event.time;
		if (event.kind == WAKE)
			hd_traffic_woken(traffic, ideal->now, event.message.from, &actions);
		else if (event.kind == ENTER)
			enter(ideal, traffic, &event.message, &actions);
		else
			deliver(ideal, traffic, &event.message, &actions);
	}
}

static struct hd_traffic *ideal_traffic(const char *pattern, uint64_t seed)
{
	const struct hd_traffic_setting setting = {
		.n_hosts = PROCESSES, .unit_ticks = UNIT_TICKS, .seed = seed, .has_actions = true
	};
	const struct hd_traffic_phase phase = { .pattern = pattern,
						.arrival = "poisson",
						.load = 0.5,
						.size = 64,
						.until = UINT64_MAX };
	struct hd_error err = { 0 };
	struct hd_traffic *traffic;

	assert_hd_ok(hd_traffic_new(&setting, &phase, 1, &traffic, &err), err);
	return traffic;
}

#define SMALL "graph500:scale=10,edgefactor=16,coalescing=64,unit=16,root=8,query=30ps"

/*
 * All levels, all their messages; a process makes none while it answers, nor while its last one
 * waits; and all is over when the broadcasts of the last level are there.
 */
static void test_search(void **state)
{
	static struct ideal ideal, again;
	struct hd_traffic *t = ideal_traffic(SMALL, 3);
	const struct hd_application *a = hd_traffic_application(t);
	uint64_t edges = 0, queries = 0, messages = 0, last_end = 0;

	(void)state;
	assert_non_null(a);
	assert_int_equal(hd_traffic_waiting(t), PROCESSES);
	run_ideal(&ideal, t);
	assert_true(ideal.is_half_duplex);
	assert_int_equal(hd_traffic_waiting(t), 0);
	assert_int_equal(a->n_processes, PROCESSES);
	assert_int_equal(a->end, ideal.now);
	for (unsigned i = 0; i < a->n_levels; i++) {
		edges += a->levels[i].edges;
		queries += a->levels[i].queries;
		messages += a->levels[i].messages;
		assert_true(a->levels[i].begin >= last_end);
		assert_true(a->levels[i].end > a->levels[i].begin);
		last_end = a->levels[i].end;
	}
	assert_int_equal(edges, 2 * 16 << 10);
	assert_int_equal(a->levels[0].edges, 8);
	assert_int_equal(a->levels[0].queries, 6); /* ceil(8 x 3 / 4) */
	/* a quarter of what is explored stays in the process */
	assert_near((double)queries, 0.75 * (double)edges, PROCESSES * a->n_levels);
	assert_int_equal(ideal.queries, queries);
	assert_int_equal(a->messages, messages);
	/* a level: signals to all others, the reduction, the broadcast */
	assert_int_equal(a->signals,
			 a->n_levels * (PROCESSES * (PROCESSES - 1) + 2 * (PROCESSES - 1)));
	assert_int_equal(ideal.deliveries, a->signals + a->messages);
	assert_int_equal(a->units, queries + a->signals);
	hd_traffic_free(t);

	t = ideal_traffic(SMALL, 3);
	run_ideal(&again, t);
	assert_int_equal(again.now, ideal.now);
	hd_traffic_free(t);
	t = ideal_traffic(SMALL, 4);
	run_ideal(&again, t);
	assert_int_not_equal(again.now, ideal.now);
	hd_traffic_free(t);
}

/* Where processes are the bound, a query costs its time twice: making it, and answering it. */
static void test_bound_by_processes(void **state)
{
	static struct ideal ideal;
	struct hd_traffic *t = ideal_traffic("graph500:scale=12,coalescing=64,unit=16,root=8,"
					     "query=30000ps",
					     5);
	const struct hd_application *a = hd_traffic_application(t);
	double alone = 0;

	(void)state;
	/* the ideal's own account of answers is of another query time: it is not asked here */
	run_ideal(&ideal, t);
	for (unsigned i = 0; i < a->n_levels; i++)
		alone += 2 * 30000.0 * (double)a->levels[i].queries / PROCESSES;
	/* gaps are random, and levels wait for the slowest of four processes */
	assert_true((double)a->end > alone);
	assert_near((double)a->end / alone, 1.1, 0.1);
	hd_traffic_free(t);
}

/* A message of several packets: all of them carry its queries. */
static void test_packets(void **state)
{
	static struct ideal ideal;
	struct hd_traffic *t = ideal_traffic("graph500:scale=10,coalescing=200,unit=16,root=8,"
					     "query=30ps",
					     3);
	const struct hd_application *a = hd_traffic_application(t);
	uint64_t queries = 0;

	(void)state;
	run_ideal(&ideal, t);
	for (unsigned i = 0; i < a->n_levels; i++)
		queries += a->levels[i].queries;
	assert_int_equal(hd_traffic_waiting(t), 0);
	assert_int_equal(ideal.queries, queries);
	assert_true(ideal.deliveries > a->messages + a->signals);
	hd_traffic_free(t);
}

/* Destinations are all other processes alike. */
static void test_destinations(void **state)
{
	static struct ideal ideal;
	struct hd_traffic *t = ideal_traffic("graph500:scale=14,coalescing=16,unit=16,root=8,"
					     "query=30ps",
					     3);
	double all = 0;

	(void)state;
	run_ideal(&ideal, t);
	for (unsigned i = 0; i < PROCESSES; i++)
		all += (double)ideal.sent_to[i];
	for (unsigned i = 0; i < PROCESSES; i++)
		assert_near((double)ideal.sent_to[i] / all, 1. / PROCESSES, 0.01);
	hd_traffic_free(t);
}

/*
 * What leaves its group where the first @n hosts of a dragonfly with h = 4 send one another alike.
 */
static double leaving(uint32_t n)
{
	struct hd_fabric *fabric;
	struct hd_dragonfly *dragonfly;
	struct hd_error err = { 0 };
	uint32_t group[160] = { 0 }, n_hosts = 0, n_leaving = 0;

	assert_hd_ok(hd_topology_build("dragonfly:a=8,p=4,h=4,global=palmtree", &fabric, &err),
		     err);
	assert_hd_ok(hd_dragonfly_recognise(fabric, NULL, &dragonfly, &err), err);
	hd_for_each_port(port, fabric) {
		if (n_hosts < n && fabric->ports[port].peer != HD_NONE &&
		    !hd_is_switch(fabric, fabric->ports[port].node))
			group[n_hosts++] =
				dragonfly->group[fabric->ports[fabric->ports[port].peer].node];
	}
	assert_int_equal(n_hosts, n);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < n; k++)
			n_leaving += group[i] != group[k];
	hd_dragonfly_free(dragonfly);
	hd_fabric_free(fabric);
	return n_leaving / (n * (n - 1.));
}

/* hosts=0..159 are five groups, 0..63 two: 80.5% and 50.8% of the messages leave their group. */
static void test_groups(void **state)
{
	(void)state;
	assert_near(leaving(160), 128. / 159, 1e-12);
	assert_near(leaving(160), 0.805, 5e-4);
	assert_near(leaving(64), 32. / 63, 1e-12);
	assert_near(leaving(64), 0.508, 5e-4);
}

/* On a fabric, with hosts beside the processes. */
static void test_in_the_model(void **state)
{
	struct made m;
	const struct hd_application *a;
	uint64_t messages = 0;

	(void)state;
	make(&m,
	     "[fabric]\ntopology = dragonfly:a=4,p=2,h=2\n"
	     "[traffic]\npattern = graph500:scale=14,hosts=random:24,root=random,others=uniform\n"
	     "load = 0.2\npacket = 4KiB\n[switch]\nbuffer = 16KiB\n"
	     "[run]\nwarmup = 0ns\nmeasure = 100ms\n");
	a = &m.result.application;
	assert_true(m.result.has_application && m.result.is_complete);
	for (unsigned i = 0; i < a->n_levels; i++)
		messages += a->levels[i].messages;
	assert_near(column(&m, "messages"), (double)messages, 0);
	assert_near(column(&m, "levels"), a->n_levels, 0);
	assert_near(column(&m, "makespan"), (double)(a->end - a->begin), 0);
	/* 64 bytes a unit, at the default rate of a host's link */
	assert_near(column(&m, "network_use"),
		    (double)a->units * m.setup.model.links[HD_LINK_TERMINAL].unit_ticks / 24 /
			    (double)(a->end - a->begin),
		    1e-9);
	assert_true(column(&m, "network_use") > 0.1 && column(&m, "network_use") < 1);
	assert_string_equal(m.result.class_names[1], "neighbour");
	/* they send as long as the application runs: 48 hosts at 0.2 */
	assert_near((double)m.result.measure->classes[1].offered *
			    m.setup.model.links[HD_LINK_TERMINAL].unit_ticks / 48 /
			    (double)(a->end - a->begin),
		    0.2, 0.02);
	finish(&m);
}

static const struct {
	const char *options, *message;
} bad[] = {
	{ "hosts=0", "graph500: hosts: two at least take part" },
	{ "hosts=random:1", "graph500: hosts: two at least take part" },
	{ "hosts=0..4", "graph500: hosts: there is no host 4: there are 4" },
	{ "hosts=random:5", "graph500: hosts: there are 4, not 5" },
	{ "hosts=0..1+1", "graph500: hosts: host 1 is named twice" },
	{ "hosts=1..0", "graph500: hosts: '1..0' is neither a list such as 0..31+40..71 nor "
			"random:NUMBER" },
	{ "hosts=", "graph500: hosts: '' is neither a list such as 0..31+40..71 nor "
		    "random:NUMBER" },
	{ "hosts=random:x", "graph500: hosts: 'x' is not a number" },
	{ "query=0ns", "graph500: query: 0ns is not above 0" },
	{ "query=-1ns", "graph500: query: '-1ns' is no time, such as 1.5ns" },
	{ "query=1", "graph500: query: '1' is no time, such as 1.5ns" },
	{ "query=nanns", "graph500: query: 'nanns' is no time, such as 1.5ns" },
	{ "query=1e10us", "graph500: query: 1e10us is out of range" },
	{ "scale=0", "graph500: scale: 0 is not in 1..40" },
	{ "scale=41", "graph500: scale: 41 is not in 1..40" },
	{ "edgefactor=0", "graph500: edgefactor: 0 is not in 1..4096" },
	{ "coalescing=0", "graph500: coalescing: 0 is not in 1..65536" },
	{ "root=0", "graph500: root: 0 is not in 1..2147483648" },
	{ "root=much", "graph500: root: 'much' is not a number" },
	{ "equations=own", "graph500: equations: 'own' is none of fitted, printed" },
	{ "hosts=0..2,others=uniform", "graph500: others: 1 host is left to send one another" },
	{ "others=uniform", "graph500: others: 0 hosts are left to send one another" },
	{ "others=noise", "graph500: others: 'noise' is none of silent, uniform" },
};

static void test_misuse(void **state)
{
	struct hd_traffic_setting setting = { .n_hosts = PROCESSES,
					      .unit_ticks = 1,
					      .has_actions = true };
	struct hd_traffic_phase phases[] = {
		{ "uniform", "poisson", 0.5, 64, false, UINT64_MAX, 100, "" },
		{ "graph500", "poisson", 0.5, 64, false, UINT64_MAX, 0, "" },
	};
	struct hd_traffic *traffic;
	struct hd_error err = { 0 };
	char spec[128], line[256];

	(void)state;
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		snprintf(spec, sizeof(spec), "graph500:%s", bad[i].options);
		phases[0].pattern = spec;
		phases[0].deliveries = 0;
		if (!hd_traffic_new(&setting, phases, 1, &traffic, &err))
			fail_msg("%s is taken", bad[i].options);
		assert_string_equal(err.text, bad[i].message);
	}
	phases[0].pattern = "uniform";
	phases[0].deliveries = 100;
	assert_int_equal(hd_traffic_new(&setting, phases, 2, &traffic, &err), HD_EINVAL);
	assert_string_equal(err.text, "graph500: the phase must begin at a known time, not after "
				      "deliveries");
	setting.has_actions = false;
	assert_int_equal(hd_traffic_new(&setting, phases + 1, 1, &traffic, &err), HD_EINVAL);
	setting.has_actions = true;
	setting.cycle_ticks = 12;
	assert_int_equal(hd_traffic_new(&setting, phases + 1, 1, &traffic, &err), HD_EINVAL);
	assert_string_equal(err.text, "graph500: query: '1.5ns' is no number of cycles");
	phases[1].pattern = "graph500:query=1.5";
	assert_hd_ok(hd_traffic_new(&setting, phases + 1, 1, &traffic, &err), err);
	hd_traffic_free(traffic);

	hd_traffic_remark("graph500:scale=26", line, sizeof(line));
	assert_string_equal(line, "graph500: scale 26 is outside of what the fitted equations were "
				  "fitted to, 15 .. 20");
	hd_traffic_remark("graph500:scale=18,edgefactor=8,equations=printed", line, sizeof(line));
	assert_string_equal(line, "graph500: edgefactor 8 is outside of what the printed equations "
				  "were fitted to, 16 .. 64");
	hd_traffic_remark("graph500:scale=18", line, sizeof(line));
	assert_string_equal(line, "");
	hd_traffic_remark("uniform", line, sizeof(line));
	assert_string_equal(line, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_search),  cmocka_unit_test(test_bound_by_processes),
		cmocka_unit_test(test_packets), cmocka_unit_test(test_destinations),
		cmocka_unit_test(test_groups),  cmocka_unit_test(test_in_the_model),
		cmocka_unit_test(test_misuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
