// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The performance model against theory. */
#include "tests/unit/model_case.h"

#include "sim/model/events.h"

static void test_events_come_in_order(void **state)
{
	struct hd_events events;
	struct hd_event event;
	struct hd_random random;
	unsigned fast, slow, kind, n = 0, posted = 0, order[2] = { 0 };
	uint64_t last = 0, key;

	(void)state;
	hd_events_init(&events);
	hd_random_init(&random, 1, 1);
	fast = hd_events_line(&events, 1, 3);
	slow = hd_events_line(&events, 2, 1000);
	assert_int_equal(hd_events_line(&events, 1, 3), fast);
	assert_int_not_equal(fast, slow);
	assert_true(hd_events_next(&events) == HD_KEY_NONE);
	for (; posted < 300; posted += 3) { /* more than a line holds at first */
		hd_events_post(&events, slow, posted, 0);
		hd_events_post(&events, fast, posted, 0);
		hd_events_post_any(&events, 3, hd_random_below(&random, 2000), posted, 0);
	}
	while ((key = hd_events_next(&events)) != HD_KEY_NONE) {
		unsigned line = key & HD_NO_LINE;

		assert_true(key > last); /* by time, lines before late ones */
		last = key - 1;
		events.now = key >> HD_KEY_BITS;
		if (line == HD_NO_LINE) {
			event = hd_events_take_any(&events, &kind);
			assert_int_equal(kind, 3);
			/* one of four causes another */
			if (event.a % 4 == 0) {
				hd_events_post_any(&events, 3, 1 + event.a, 1, 0);
				posted++;
			}
		} else {
			event = hd_events_take(&events, line);
			/* half of the fast ones cause a slow one */
			if (line == fast && event.a % 2) {
				hd_events_post(&events, slow, 300 + posted, 0);
				posted++;
			}
			assert_true(event.a >= order[line]);
			order[line] = event.a;
		}
		assert_int_equal(event.time, events.now);
		n++;
	}
	assert_int_equal(n, posted);
	assert_int_equal(events.taken, posted);
	hd_events_post_any(&events, 3, HD_TIME_END, 0, 0); /* never */
	assert_true(hd_events_next(&events) == HD_KEY_NONE);
	for (unsigned i = 2; i < HD_DELAY_LINES; i++)
		assert_int_equal(hd_events_line(&events, 9, i), i);
	assert_int_equal(hd_events_line(&events, 9, 9999), HD_NO_LINE);
	hd_events_free(&events);
}

/* One flow on an empty dragonfly: every link once, every switch once, the packet's length once. */
static void test_zero_load_latency(void **state)
{
	struct setting s;

	(void)state;
	for (uint32_t to = 1; to < 72; to++) {
		uint64_t ticks = 0;
		unsigned switches = 0;
		uint32_t port;

		make(&s, "dragonfly:a=4,p=2,h=2", "dla", 64, 4);
		s.traffic.from = 0;
		s.traffic.to = to;
		s.options.buffering = to % 2 ? &hd_buffering_voq : &hd_buffering_fifo;
		if (to % 3 == 0) {
			s.options.model = &hd_switch_cioq;
			s.options.crossbar_latency = 30;
			s.options.speedup = 2;
		}
		run(&s, 0.01, 2000);
		/* the path by the tables */
		port = hd_model_host_port(s.model, 0);
		for (;;) {
			uint32_t next_port = s.fabric->ports[port].peer;
			uint32_t node = s.fabric->ports[next_port].node;
			uint8_t class = s.dragonfly->port_class[port];

			ticks += !hd_is_switch(s.fabric, s.fabric->ports[port].node) ||
						 class == HD_PORT_TERMINAL
					 ? 6
				 : class == HD_PORT_LOCAL ? 12
							  : 18;
			if (!hd_is_switch(s.fabric, node))
				break;
			switches++;
			port = hd_port_index(
				s.fabric, node,
				hd_lft(s.tables,
				       node)[s.fabric->ports[hd_model_host_port(s.model, to)].lid]);
		}
		assert_int_equal(s.traffic.hops, switches + 1);
		ticks += switches * (100 + s.options.crossbar_latency);
		assert_int_equal(s.traffic.shortest, ticks + 64 * UNIT_TICKS);
		assert_int_equal(s.traffic.longest, s.traffic.shortest);
		finish(&s);
	}
}

/*
 * The same with links of several rates. A packet goes on when the link is not ahead of what comes
 * in: a slow link delays it once, a faster one after it by the difference in their times.
 */
static void test_zero_load_latency_of_several_rates(void **state)
{
	static const uint32_t ticks[][HD_LINK_CLASSES] = {
		{ 10, 20, 5 }, { 10, 5, 20 }, { 20, 10, 5 }, { 5, 10, 20 }, { 10, 10, 3 }
	};

	(void)state;
	for (unsigned i = 0; i < 2 * sizeof(ticks) / sizeof(ticks[0]); i++) {
		const uint32_t *unit = ticks[i / 2];
		struct setting s;
		uint64_t wanted;

		/* a local, a global and a local link */
		make(&s, "dragonfly:a=4,p=2,h=2", "dla", 64, 4);
		s.traffic.from = 0;
		s.traffic.to = 20;
		if (i % 2)
			s.options.model = &hd_switch_cioq;
		for (unsigned k = 0; k < HD_LINK_CLASSES; k++)
			s.options.links[k].unit_ticks = unit[k];
		run(&s, 0.01, 2000);
		assert_int_equal(s.traffic.hops, 5);
		wanted = 2 * (6 + 12) + 18 + 4 * 100 + 64 * unit[HD_LINK_TERMINAL];
		for (unsigned hop = 0; hop < 4; hop++) {
			static const enum hd_link_class path[] = { HD_LINK_TERMINAL, HD_LINK_LOCAL,
								   HD_LINK_GLOBAL, HD_LINK_LOCAL,
								   HD_LINK_TERMINAL };

			if (unit[path[hop]] > unit[path[hop + 1]])
				wanted += 64 * (unit[path[hop]] - unit[path[hop + 1]]);
		}
		assert_int_equal(s.traffic.shortest, wanted);
		assert_int_equal(s.traffic.longest, wanted);
		finish(&s);
	}
}

/* The same with links of a class that differ: each has a rate of its own. */
static void test_zero_load_latency_of_own_rates(void **state)
{
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 3, 0);
	for (unsigned i = 0; i < 40; i++) {
		uint64_t wanted = 2 * (6 + 12) + 18 + 4 * 100;
		uint32_t unit[5], *ticks, port;
		struct setting s;

		make(&s, "dragonfly:a=4,p=2,h=2", "dla", 64, 4);
		s.traffic.from = 0;
		s.traffic.to = 20;
		if (i % 2)
			s.options.model = &hd_switch_cioq;
		ticks = calloc(s.fabric->n_ports, sizeof(*ticks));
		assert_non_null(ticks);
		hd_for_each_port(p, s.fabric) {
			uint32_t peer = s.fabric->ports[p].peer;

			if (peer != HD_NONE && p < peer)
				ticks[p] = ticks[peer] = hd_random_below(&random, 2)
								 ? 0
								 : 1 + hd_random_below(&random, 30);
		}
		s.options.port_ticks = ticks;
		run(&s, 0.01, 2000);
		assert_int_equal(s.traffic.hops, 5);
		port = hd_model_host_port(s.model, 0);
		for (unsigned hop = 0; hop < 5; hop++) {
			uint32_t peer = s.fabric->ports[port].peer;

			unit[hop] = ticks[port] ? ticks[port] : UNIT_TICKS;
			assert_int_equal(hd_model_unit_ticks(s.model, port), unit[hop]);
			if (hop && unit[hop - 1] > unit[hop])
				wanted += 64 * (unit[hop - 1] - unit[hop]);
			if (hop < 4)
				port = hd_port_index(
					s.fabric, s.fabric->ports[peer].node,
					hd_lft(s.tables, s.fabric->ports[peer].node)
						[s.fabric->ports[hd_model_host_port(s.model, 20)]
							 .lid]);
		}
		wanted += 64 * (uint64_t)unit[4];
		assert_int_equal(s.traffic.shortest, wanted);
		finish(&s);
		free(ticks);
	}
}

/*
 * Saturated inputs with one FIFO each: Karol, Hluchyj and Morgan 1987, table I. With VOQs and
 * maximal matching nothing is lost.
 */
static void test_head_of_line_blocking(void **state)
{
	static const struct {
		const char *spec;
		double limit;
	} cases[] = { { "tree:k=2,n=1", 0.7500 },
		      { "tree:k=4,n=1", 0.6553 },
		      { "tree:k=8,n=1", 0.6184 },
		      { "tree:k=32,n=1", 0.5930 } };
	struct setting s;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		make(&s, cases[i].spec, "minhop", 64, 4);
		run(&s, 1, i == 3 ? 20000 : 100000);
		assert_near(accepted(&s), cases[i].limit, 0.003);
		finish(&s);
		make(&s, cases[i].spec, "minhop", 64, 256);
		s.options.buffering = &hd_buffering_voq;
		run(&s, 1, 20000);
		assert_true(accepted(&s) > 0.97);
		finish(&s);
	}
}

/* A crossbar twice as fast as the links hides most of it, with either allocator. */
static void test_speedup_and_allocators(void **state)
{
	static const struct hd_allocator *const allocators[] = { &hd_allocator_output,
								 &hd_allocator_input };
	struct setting s;

	(void)state;
	for (int which = 0; which < 2; which++) {
		const struct hd_allocator *allocator = allocators[which];

		make(&s, "tree:k=8,n=1", "minhop", 16, 16);
		s.options.allocator = allocator;
		run(&s, 1, HD_IS_SLOW ? 8000 : 50000);
		assert_near(accepted(&s), 0.6184, 0.01);
		finish(&s);

		make(&s, "tree:k=32,n=1", "minhop", 16, 16);
		s.options.model = &hd_switch_cioq;
		s.options.speedup = 2;
		for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
			s.options.links[i].output = 16 * 1000;
		s.options.allocator = allocator;
		run(&s, 1, HD_IS_SLOW ? 8000 : 50000);
		/* above 0.8845 (Oie, Murata, Kubota and Miyahara 1989, N -> infinity), where
		   outputs take two packets in a slot but inputs still send one */
		assert_true(accepted(&s) > 0.8845);
		assert_true(accepted(&s) < 0.95);
		finish(&s);

		make(&s, "tree:k=8,n=1", "minhop", 16, 64);
		s.options.buffering = &hd_buffering_voq;
		s.options.allocator = allocator;
		s.options.iterations = 1;
		run(&s, 1, HD_IS_SLOW ? 8000 : 50000);
		assert_true(accepted(&s) > 0.9);
		finish(&s);
	}
}

/*
 * With buffers that nobody fills, an output is an M/D/1 queue: waiting time rho / (2 (1 - rho)) of
 * a packet's length. Hosts send to all alike, so that theirs is one as well; what leaves it comes
 * to the switch's outputs from 32 sides, almost at random.
 */
static void test_waiting_time_at_the_source(void **state)
{
	struct setting s;

	(void)state;
	for (double load = 0.3; load < 0.85; load += HD_IS_SLOW ? 1 : 0.25) {
		double wait, unloaded;

		make(&s, "tree:k=8,n=1", "minhop", 64, 1000);
		s.options.buffering = &hd_buffering_voq;
		s.traffic.poisson = true;
		run(&s, load, 200000);
		wait = (double)(s.traffic.latency - s.traffic.network_latency) /
		       (double)s.traffic.delivered;
		unloaded = 64 * UNIT_TICKS;
		assert_near(wait / unloaded / (load / (2 * (1 - load))), 1, 0.02);
		finish(&s);
	}
}

/* One VL whose buffer is too small for the way there and back: buffer / round trip, exactly. */
static void test_credits_bound_a_flow(void **state)
{
	struct setting s;
	uint64_t round_trip;

	(void)state;
	for (uint32_t buffer = 1; buffer <= 4; buffer++) {
		double bound;

		make(&s, "tree:k=2,n=1", "minhop", 8, buffer);
		s.traffic.from = 0;
		s.traffic.to = 1;
		run(&s, 1, 20000);
		/* to the switch and through it, off to the host, and the credit back */
		round_trip = 6 + 100 + 8 * UNIT_TICKS + 6;
		bound = (double)buffer * 8 * UNIT_TICKS / (double)round_trip;
		if (bound > 1)
			bound = 1;
		assert_near(accepted(&s) * s.traffic.hosts, bound, 0.001);
		finish(&s);
	}
}

/*
 * A header takes a link's time and comes before the tail is there; a gap takes the link's time
 * after that. So a flow has the units' part of the link, and its latency has the header once.
 */
static void test_headers_and_gaps(void **state)
{
	static const struct {
		uint32_t header, unit;
		uint64_t gap, header_ticks;
	} costs[] = { { 0, 1, 0, 0 },   { 3, 1, 0, 30 },  { 26, 64, 0, 4 },
		      { 0, 64, 17, 0 }, { 26, 64, 8, 4 }, { 3, 1, 50, 30 } };
	struct setting s;

	for (size_t i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
		const double link =
			8 * UNIT_TICKS + (double)costs[i].header_ticks + (double)costs[i].gap;

		for (unsigned load = 0; load < 2; load++) {
			make(&s, "tree:k=2,n=1", "minhop", 8, 100);
			s.traffic.from = 0;
			s.traffic.to = 1;
			s.options.header = costs[i].header;
			s.options.header_unit = costs[i].unit;
			s.options.gap = costs[i].gap;
			run(&s, load ? 1 : 0.01, load ? 20000 : 200);
			if (load)
				assert_near(accepted(&s) * s.traffic.hosts, 8 * UNIT_TICKS / link,
					    0.001);
			else
				assert_int_equal(s.traffic.longest, 6 + 100 + 6 + 8 * UNIT_TICKS +
									    costs[i].header_ticks);
			finish(&s);
		}
	}
}

/* What 8 x 8 switches accept of full load, if in-ports may send @reads packets at a time. */
static double accepted_with_reads(unsigned reads, const struct hd_switch_model *model,
				  const struct hd_buffering *buffering)
{
	struct setting s;
	double share;

	make(&s, "tree:k=8,n=1", "minhop", 8, 16);
	s.traffic.poisson = true;
	s.options.model = model;
	s.options.buffering = buffering;
	s.options.reads = reads;
	run(&s, 1, 100000);
	share = accepted(&s);
	finish(&s);
	return share;
}

/*
 * In-ports that send several packets at a time: one is the default; with more, a head waits for its
 * out-port alone and no longer for its in-port. Packets behind a head of a FIFO wait all the same.
 */
static void test_reads(void **state)
{
	const struct hd_switch_model *const models[] = { &hd_switch_iq, &hd_switch_cioq };

	for (unsigned i = 0; i < 2; i++) {
		const double one = accepted_with_reads(0, models[i], &hd_buffering_fifo);
		const double two = accepted_with_reads(2, models[i], &hd_buffering_fifo);
		const double all = accepted_with_reads(8, models[i], &hd_buffering_fifo);
		const double voq = accepted_with_reads(8, models[i], &hd_buffering_voq);

		assert_true(one == accepted_with_reads(1, models[i], &hd_buffering_fifo));
		assert_true(two > one + 0.05);
		assert_true(all > one + 0.05);
		assert_true(voq > all + 0.1);
	}
}

/* Two flows that share a link, on a VL each, get what the link's VL arbitration gives them. */
static void test_vl_arbitration(void **state)
{
	static const struct {
		uint8_t low[2], high[2], limit;
		double share; /* of the first flow */
	} cases[] = {
		{ { 64, 64 }, { 0, 0 }, 0, 0.5 },    { { 96, 32 }, { 0, 0 }, 0, 0.75 },
		{ { 32, 224 }, { 0, 0 }, 0, 0.125 }, { { 0, 64 }, { 64, 0 }, 255, 1 },
		{ { 0, 64 }, { 64, 0 }, 1, 0.8 }, /* 64 units of high, then a packet of low */
		{ { 0, 64 }, { 64, 0 }, 0, 0.5 }, /* a packet of each */
	};
	const struct hd_route_request request = { .queues = "dbbm:2" };

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_vlarb vlarb = {
			.n_high = 2,
			.n_low = 2,
			.high_limit = cases[i].limit,
			.high = { { 0, cases[i].high[0] }, { 1, cases[i].high[1] } },
			.low = { { 0, cases[i].low[0] }, { 1, cases[i].low[1] } }
		};
		struct hd_error err = { 0 };
		struct setting s;
		uint32_t link = HD_NONE, map[8];
		uint64_t busy[2];

		make(&s, "mesh:2,p=4", "minhop", 16, 64);
		hd_tables_free(s.tables);
		assert_hd_ok(
			hd_route(hd_engine_find("minhop"), s.fabric, &request, &s.tables, &err),
			err);
		hd_for_each_number(number, s.fabric, 0)
			if (hd_peer_node(s.fabric, 0, number) == 1)
				link = hd_port_index(s.fabric, 0, number);
		assert_int_not_equal(link, HD_NONE);
		assert_hd_ok(hd_tables_set_vlarb(s.tables, link, &vlarb, &err), err);
		s.tables->has_vlarb = true;
		for (unsigned host = 0; host < 8; host++)
			map[host] = host < 2 ? 4 + host : HD_NONE;
		s.options.arbiter = &hd_arbiter_vl;
		s.options.buffering = &hd_buffering_voq;
		/* hosts 0 and 1 on one switch send to the other, to a host of each queue */
		s.traffic.map = map;
		run(&s, 1, 20000);
		busy[0] = hd_model_busy(s.model, link, 0);
		busy[1] = hd_model_busy(s.model, link, 1);
		assert_near((double)busy[0] / (double)(busy[0] + busy[1]), cases[i].share, 0.02);
		finish(&s);
	}
}

/* VLs that share a port's buffer: one alone may use all but what is reserved for the other. */
static void test_shared_buffers(void **state)
{
	const struct hd_route_request request = { .queues = "dbbm:2" };

	(void)state;
	for (unsigned percent = 0; percent <= 100; percent += 50) {
		struct hd_error err = { 0 };
		struct setting s;
		double bound;

		make(&s, "tree:k=2,n=1", "minhop", 8, 2);
		hd_tables_free(s.tables);
		assert_hd_ok(
			hd_route(hd_engine_find("minhop"), s.fabric, &request, &s.tables, &err),
			err);
		s.options.links[HD_LINK_TERMINAL].propagation = 200;
		s.options.damq = true;
		s.options.damq_reserved = percent / 100.0;
		s.traffic.from = 0;
		s.traffic.to = 1;
		run(&s, 1, 20000);
		/* of two buffers of two packets: its own, and what the other does not reserve */
		bound = (4 - 2 * percent / 100.0) * 8 * UNIT_TICKS /
			(200 + 100 + 8 * UNIT_TICKS + 200);
		assert_near(accepted(&s) * s.traffic.hosts, bound, 0.001);
		finish(&s);
	}
	{
		struct setting s;

		make(&s, "dragonfly:a=4,p=2,h=2", "dla", 16, 2);
		s.options.damq = true;
		s.options.damq_reserved = 0.5;
		run(&s, 1, 5000);
		finish(&s);
	}
}

static uint32_t peer_of_host(const struct setting *s, uint32_t host)
{
	return s->fabric->ports[hd_model_host_port(s->model, host)].peer;
}

static void assert_counted(const struct setting *s, uint32_t port, unsigned vl, uint64_t packets,
			   uint64_t wait)
{
	struct hd_model_counters c = hd_model_counters(s->model, port, vl);

	assert_int_equal(c.packets, packets);
	assert_int_equal(c.units, packets * 8);
	assert_int_equal(c.wait, wait);
}

/* Two packets of each of two hosts for a third, one packet's room in every buffer. */
static void test_waits_for_credits_are_counted(void **state)
{
	struct setting s;
	struct hd_error err = { 0 };
	uint32_t map[] = { 2, 2, HD_NONE }, port[2], out;

	(void)state;
	make(&s, "tree:k=3,n=1", "minhop", 8, 1);
	s.traffic.map = map;
	begin(&s, 1, 2);
	port[0] = hd_model_host_port(s.model, 0);
	port[1] = hd_model_host_port(s.model, 1);
	out = peer_of_host(&s, 2);
	assert_counted(&s, out, 0, 0, 0);
	/* first packets: sent 0 - 80, at the switch's output at 106; the first is sent 106 - 186,
	   credits are back at 192 at its host and at 198 at the switch */
	assert_hd_ok(hd_model_run(s.model, 190, &err), err);
	assert_counted(&s, port[0], 0, 1, 190 - 80);
	assert_counted(&s, port[1], 0, 1, 190 - 80);
	assert_counted(&s, out, 0, 1, 190 - 186);
	/* the other is sent 198 - 278, its host's credit is back at 284 */
	assert_hd_ok(hd_model_run(s.model, 10000, &err), err);
	assert_counted(&s, port[0], 0, 2, 192 - 80);
	assert_counted(&s, port[1], 0, 2, 284 - 80);
	/* second packets come to the output at 298, and at 390 with the credit of the one before */
	assert_counted(&s, out, 0, 4, 198 - 186);
	assert_int_equal(hd_model_busy(s.model, out, 0), 4 * 8 * UNIT_TICKS);
	assert_int_equal(hd_model_port_counters(s.model, out).packets, 4);
	assert_int_equal(hd_model_port_counters(s.model, out).wait, 198 - 186);
	assert_counted(&s, out, 15, 0, 0);
	assert_int_equal(hd_model_memory(s.model).packet, 64);
	assert_true(hd_model_memory(s.model).port > 128);
	finish(&s);
}

/* Two VLs that wait for credits at once are one wait of the port. */
static void test_waits_of_vls_are_counted(void **state)
{
	const struct hd_route_request request = { .queues = "dbbm:2" };
	struct hd_message message = { .size = 8 };
	uint32_t map[] = { HD_NONE, HD_NONE, HD_NONE }, port;
	struct hd_error err = { 0 };
	struct setting s;

	(void)state;
	make(&s, "tree:k=3,n=1", "minhop", 8, 1);
	hd_tables_free(s.tables);
	assert_hd_ok(hd_route(hd_engine_find("minhop"), s.fabric, &request, &s.tables, &err), err);
	s.traffic.map = map;
	begin(&s, 1, 1);
	port = hd_model_host_port(s.model, 0);
	for (unsigned i = 0; i < 4; i++) {
		message.to = 1 + i / 2;
		hd_model_inject(s.model, &message);
	}
	assert_hd_ok(hd_model_run(s.model, 10000, &err), err);
	/*
	 * sent 0 - 80 and 80 - 160, then nothing until the first credit is there at 192; that of
	 * the other VL comes at 272, when the third packet is away
	 */
	assert_counted(&s, port, 0, 2, 192 - 160);
	assert_counted(&s, port, 1, 2, 192 - 160);
	assert_int_equal(hd_model_port_counters(s.model, port).packets, 4);
	assert_int_equal(hd_model_port_counters(s.model, port).units, 4 * 8);
	assert_int_equal(hd_model_port_counters(s.model, port).wait, 192 - 160);
	finish(&s);
}

/* An output that is idle waits while the input that has something for it sends to another. */
static void test_waits_for_a_turn_are_counted(void **state)
{
	static const uint32_t flows[][2] = { { 0, 2 }, { 1, 2 }, { 1, 0 } };
	uint32_t map[] = { HD_NONE, HD_NONE, HD_NONE };
	struct hd_error err = { 0 };
	struct setting s;

	(void)state;
	make(&s, "tree:k=3,n=1", "minhop", 8, 4);
	s.options.buffering = &hd_buffering_voq;
	s.traffic.map = map;
	begin(&s, 1, 1);
	for (unsigned i = 0; i < 3; i++)
		hd_model_inject(
			s.model,
			&(struct hd_message){ .from = flows[i][0], .to = flows[i][1], .size = 8 });
	assert_hd_ok(hd_model_run(s.model, 10000, &err), err);
	/*
	 * 0 -> 2 is sent 106 - 186; then host 1's port has something for both, and 0's is before
	 * 2's
	 */
	assert_counted(&s, peer_of_host(&s, 0), 0, 1, 0);
	assert_counted(&s, peer_of_host(&s, 2), 0, 2, 80);
	finish(&s);
}

static void test_lossless_and_without_deadlock(void **state)
{
	struct setting s;

	(void)state;
	for (int voq = 0; voq < 2; voq++) {
		make(&s, "dragonfly:a=4,p=2,h=2", "dla", 16, 1);
		s.options.buffering = voq ? &hd_buffering_voq : &hd_buffering_fifo;
		run(&s, 1, HD_IS_SLOW ? 2000 : 20000);
		assert_int_equal(hd_model_census(s.model).dropped, 0);
		assert_true(accepted(&s) > 0.3);
		finish(&s);
	}
}

static void test_deadlock_is_found(void **state)
{
	struct setting s;
	struct hd_error err = { 0 };
	const struct hd_channel *cycle;
	size_t n;

	(void)state;
	for (int voq = 0; voq < 2; voq++) {
		make(&s, "dragonfly:a=4,p=2,h=2", "minhop", 16, 1);
		s.options.buffering = voq ? &hd_buffering_voq : &hd_buffering_fifo;
		begin(&s, 1, 100000);
		assert_int_equal(hd_model_run(s.model, s.traffic.stop, &err), HD_EREFUSED);
		assert_hd_says(err, "deadlock");
		check_census(&s);
		cycle = hd_model_deadlock(s.model, &n);
		assert_true(n >= 2);
		/* every channel leads to the switch that the next one leaves */
		for (size_t i = 0; i < n; i++) {
			uint32_t peer = s.fabric->ports[cycle[i].port].peer;

			assert_int_equal(s.fabric->ports[peer].node,
					 s.fabric->ports[cycle[(i + 1) % n].port].node);
		}
		finish(&s);
	}
}

static void test_what_tables_lose_is_dropped(void **state)
{
	struct setting s;
	uint32_t lid;

	(void)state;
	make(&s, "tree:k=4,n=1", "minhop", 16, 2);
	lid = s.fabric->ports[hd_port_index(s.fabric, s.fabric->n_switches, 1)].lid;
	hd_lft(s.tables, 0)[lid] = HD_NO_PATH;
	run(&s, 1, 2000);
	assert_true(hd_model_census(s.model).dropped > 1000);
	assert_true(hd_model_census(s.model).delivered > 3000);
	finish(&s);
}

static void test_packets_that_fit_nowhere(void **state)
{
	struct setting s;
	struct hd_error err = { 0 };

	(void)state;
	make(&s, "dragonfly:a=4,p=2,h=2", "dla", 16, 2);
	s.options.links[HD_LINK_GLOBAL].buffer = 15;
	begin(&s, 1, 10);
	assert_int_equal(hd_model_run(s.model, s.traffic.stop, &err), HD_EINVAL);
	assert_hd_says(err, "16 units does not fit a buffer of 15");
	finish(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_events_come_in_order),
		cmocka_unit_test(test_zero_load_latency),
		cmocka_unit_test(test_zero_load_latency_of_several_rates),
		cmocka_unit_test(test_zero_load_latency_of_own_rates),
		cmocka_unit_test(test_head_of_line_blocking),
		cmocka_unit_test(test_speedup_and_allocators),
		cmocka_unit_test(test_waiting_time_at_the_source),
		cmocka_unit_test(test_credits_bound_a_flow),
		cmocka_unit_test(test_headers_and_gaps),
		cmocka_unit_test(test_reads),
		cmocka_unit_test(test_vl_arbitration),
		cmocka_unit_test(test_shared_buffers),
		cmocka_unit_test(test_waits_for_credits_are_counted),
		cmocka_unit_test(test_waits_of_vls_are_counted),
		cmocka_unit_test(test_waits_for_a_turn_are_counted),
		cmocka_unit_test(test_lossless_and_without_deadlock),
		cmocka_unit_test(test_deadlock_is_found),
		cmocka_unit_test(test_what_tables_lose_is_dropped),
		cmocka_unit_test(test_packets_that_fit_nowhere),
	};

	return cmocka_run_group_tests_name("model", tests, NULL, NULL);
}
