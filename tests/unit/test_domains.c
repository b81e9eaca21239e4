// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Domains: a model on several threads does what it does whole. */
#include "tests/unit/model_case.h"

#include "sim/model/domains.h"

#define SIZE    8
#define TRIALS  120
#define MOST    6   /* domains */
#define STRETCH 977 /* ticks; no multiple of what happens in the model */

static const struct {
	const char *spec, *engine;
} networks[] = {
	{ "torus:7,p=2", "hdor" },
	{ "torus:4x4", "minhop" }, /* which deadlocks */
	{ "dragonfly:a=4,p=2,h=1", "dla" },
	{ "dragonfly:a=3,p=2,h=2", "minhop" },
	{ "dragonfly:a=4,p=2,h=2", "df-sssp" },
	{ "tree:k=3,n=3", "updn" },
	{ "kns:k=4,n=2", "hdor" },
	{ "hyperx:2,p=40", "minhop" },
};

static const struct hd_arbiter *const arbiters[] = {
	&hd_arbiter_round_robin,
	&hd_arbiter_lrs,
	&hd_arbiter_oldest,
	&hd_arbiter_age,
};

struct trial {
	unsigned network, buffer, iterations, arbiter, domains, drops;
	bool damq, voq, cioq, vl_queues, input, any_size, counts_waits, knows_size;
	double load;
};

static struct trial draw(struct hd_random *random)
{
	struct trial trial = {
		.network = hd_random_below(random, sizeof(networks) / sizeof(networks[0])),
		.buffer = 1 + hd_random_below(random, 4),
		.iterations = hd_random_below(random, 3),
		.arbiter = hd_random_below(random, sizeof(arbiters) / sizeof(arbiters[0])),
		.domains = 2 + hd_random_below(random, MOST - 1),
		.drops = hd_random_below(random, 4) ? 0 : 5,
		.damq = hd_random_below(random, 4) == 0,
		.voq = hd_random_below(random, 2),
		.cioq = hd_random_below(random, 2),
		.input = hd_random_below(random, 3) == 0,
		.any_size = hd_random_below(random, 2),
		.counts_waits = hd_random_below(random, 2),
		.knows_size = hd_random_below(random, 2),
		.load = 0.2 * (1 + hd_random_below(random, 5)),
	};

	trial.vl_queues = trial.cioq && (trial.network + trial.buffer) % 2;
	return trial;
}

static void begin_trial(struct setting *s, const struct trial *trial, struct hd_random random)
{
	const struct hd_model_user user = { .next = trial->any_size ? next_of_any_size : next,
					    .delivered = delivered,
					    .context = &s->traffic };
	struct hd_error err = { 0 };

	make(s, networks[trial->network].spec, networks[trial->network].engine, SIZE,
	     trial->buffer);
	for (unsigned i = 0; i < trial->drops; i++)
		s->tables->lft[hd_random_below(&random, s->fabric->n_switches *
								(uint32_t)s->tables->lft_stride)] =
			HD_NO_PATH;
	s->options.damq = trial->damq;
	s->options.damq_reserved = 1;
	s->options.buffering = trial->voq ? &hd_buffering_voq : NULL;
	s->options.iterations = trial->iterations;
	s->options.arbiter = arbiters[trial->arbiter];
	s->options.allocator = trial->input ? &hd_allocator_input : NULL;
	s->options.count_waits = trial->counts_waits;
	s->options.least_packet = trial->knows_size ? trial->any_size ? 1 : SIZE : 0;
	s->traffic.poisson = true;
	if (trial->cioq) {
		s->options.model = trial->vl_queues ? &hd_switch_cioq_vl : &hd_switch_cioq;
		s->options.speedup = 2;
		s->options.crossbar_latency = 20;
	}
	begin(s, trial->load, 60);
	hd_model_free(s->model);
	assert_hd_ok(hd_model_new(s->tables, &s->options, &user, &s->model, &err), err);
}

/* The traffic that the callbacks of each domain count. */
struct counts {
	struct traffic of[MOST];
	unsigned n;
};

static void divide(struct setting *s, unsigned most, struct counts *counts)
{
	struct hd_error err = { 0 };

	assert_hd_ok(hd_model_divide(s->model, most, false, &counts->n, &err), err);
	assert_int_equal(counts->n, most < s->fabric->n_switches ? most : s->fabric->n_switches);
	for (unsigned k = 0; k < counts->n; k++) {
		counts->of[k] = s->traffic;
		counts->of[k].arrived = calloc(s->traffic.hosts, sizeof(*s->traffic.arrived));
		assert_non_null(counts->of[k].arrived);
		assert_non_null(hd_model_domain(s->model, k, &counts->of[k]));
	}
}

/* Adds what domains counted to the traffic of @s. */
static void join(struct setting *s, struct counts *counts)
{
	for (unsigned k = 0; k < counts->n; k++) {
		struct traffic *t = &s->traffic, *own = &counts->of[k];

		t->delivered += own->delivered;
		t->latency += own->latency;
		t->network_latency += own->network_latency;
		if (!t->shortest || (own->shortest && own->shortest < t->shortest))
			t->shortest = own->shortest;
		t->longest = own->longest > t->longest ? own->longest : t->longest;
		for (uint32_t host = 0; host < t->hosts; host++)
			t->arrived[host] += own->arrived[host];
		free(own->arrived);
	}
}

static void compare_census(const struct setting *a, const struct setting *b)
{
	struct hd_model_census c = hd_model_census(a->model), d = hd_model_census(b->model);

	c.events -= c.signals;
	d.events -= d.signals;
	c.signals = d.signals = 0;
	assert_memory_equal(&c, &d, sizeof(c));
}

static void compare_ports(const struct setting *a, const struct setting *b)
{
	hd_for_each_port(port, a->fabric) {
		struct hd_model_counters c = hd_model_port_counters(a->model, port);
		struct hd_model_counters d = hd_model_port_counters(b->model, port);

		assert_int_equal(c.packets, d.packets);
		assert_int_equal(c.units, d.units);
		assert_int_equal(c.wait, d.wait);
	}
}

static void compare_deadlocks(const struct setting *a, const struct setting *b)
{
	const struct hd_channel *c, *d;
	size_t n, m;

	c = hd_model_deadlock(a->model, &n);
	d = hd_model_deadlock(b->model, &m);
	assert_int_equal(n, m);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(c[i].port, d[i].port);
		assert_int_equal(c[i].vl, d[i].vl);
	}
}

static void compare_traffic(const struct traffic *a, const struct traffic *b)
{
	assert_int_equal(a->delivered, b->delivered);
	assert_int_equal(a->latency, b->latency);
	assert_int_equal(a->network_latency, b->network_latency);
	assert_int_equal(a->shortest, b->shortest);
	assert_int_equal(a->longest, b->longest);
	assert_memory_equal(a->arrived, b->arrived, a->hosts * sizeof(*a->arrived));
}

/* Runs both in stretches, to the end of the traffic. Returns whether mail was late. */
static bool run_both(struct setting *whole, struct setting *divided, unsigned *n_deadlocks)
{
	int ret = 0;

	for (uint64_t until = STRETCH; until < whole->traffic.stop && !ret; until += STRETCH) {
		struct hd_error err = { 0 }, other = { 0 };
		int own = hd_model_run(divided->model, until, &other);

		if (hd_model_is_late(divided->model))
			return true;
		ret = hd_model_run(whole->model, until, &err);
		assert_int_equal(ret, own);
		assert_string_equal(err.text, other.text);
		compare_census(whole, divided);
		compare_deadlocks(whole, divided);
	}
	*n_deadlocks += ret == HD_EREFUSED;
	return false;
}

/*
 * Whether mail was late: only credits of packets that tables drop are, where others are known
 * early.
 */
static bool compare_trial(const struct trial *trial, struct hd_random random, unsigned *n_deadlocks)
{
	struct setting whole, divided;
	struct counts counts;
	bool is_late;

	begin_trial(&whole, trial, random);
	begin_trial(&divided, trial, random);
	divide(&divided, trial->domains, &counts);
	is_late = run_both(&whole, &divided, n_deadlocks);
	join(&divided, &counts);
	if (is_late) {
		assert_true(trial->drops > 0);
	} else {
		compare_ports(&whole, &divided);
		compare_traffic(&whole.traffic, &divided.traffic);
	}
	finish(&whole);
	finish(&divided);
	return is_late;
}

static void test_a_divided_model_does_the_same(void **state)
{
	unsigned n_deadlocks = 0, n_late = 0;
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 11, 0);
	for (unsigned i = 0; i < TRIALS; i++) {
		struct trial trial = draw(&random);

		n_late += compare_trial(&trial, random, &n_deadlocks);
	}
	assert_in_range(n_deadlocks, 1, TRIALS / 2);
	assert_in_range(n_late, 1, TRIALS / 4);
}

/*
 * A matching that is tried again takes all out-ports of its switch along. Whether there is one
 * depends on the order of a tick's credits and arrivals: mail has to keep that order.
 */
static void test_mail_comes_line_by_line(void **state)
{
	unsigned n_deadlocks = 0;
	struct hd_random random;
	struct trial trial;

	(void)state;
	hd_random_init(&random, 99, 5);
	for (unsigned i = 0; i < 538; i++)
		trial = draw(&random);
	assert_true(trial.input && trial.damq && trial.voq && trial.iterations);
	assert_false(compare_trial(&trial, random, &n_deadlocks));
}

/* Some times of a window, ascending, and numbers to tell the events apart. */
static size_t draw_times(struct hd_random *random, uint64_t begin, uint32_t first,
			 struct hd_event *events)
{
	size_t n = hd_random_below(random, 60);

	for (size_t i = 0; i < n; i++) {
		begin += hd_random_below(random, 3);
		events[i] = (struct hd_event){ begin, first + (uint32_t)i, 0 };
	}
	return n;
}

static void test_merged_events_are_in_order(void **state)
{
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 3, 0);
	for (unsigned trial = 0; trial < 300; trial++) {
		struct hd_event mail[60], own[60], before = { 0 };
		struct hd_events events;
		uint64_t left = 0;
		unsigned line;

		hd_events_init(&events);
		line = hd_events_line(&events, HD_EVENT_ARRIVE, 200);
		/* also where the ring's first event is not its first place */
		for (unsigned window = 0; window < 5; window++) {
			size_t n = draw_times(&random, 200 * window, 1000, own);
			size_t m = draw_times(&random, 200 * (window + 1), 2000, mail);

			for (size_t i = 0; i < n; i++) {
				events.now = own[i].time;
				hd_events_post(&events, line, own[i].a, 0);
			}
			hd_events_merge(&events, line, mail, m);
			left += n + m;
			for (; left > 20; left--) {
				uint64_t key = hd_events_next(&events);
				struct hd_event event = hd_events_take(&events, line);

				assert_int_equal(key, hd_events_key(event.time, line));
				assert_true(before.time < event.time ||
					    (before.time == event.time &&
					     (before.a < event.a || before.a >= 2000)));
				before = event;
			}
		}
		hd_events_free(&events);
	}
}

/* How many domains there are, and that each has its share of ports. */
static void test_domains_are_of_one_weight(void **state)
{
	static const char *const specs[] = { "dragonfly:a=4,p=2,h=2", "torus:6x6", "tree:k=4,n=3",
					     "hyperx:3x3x3,p=1" };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned n = 2; n <= 5; n++) {
			uint32_t ports[5] = { 0 }, sum = 0;
			uint64_t window;
			uint8_t *of;
			struct setting s;

			make(&s, specs[i], "updn", SIZE, 4);
			begin(&s, 0.1, 1);
			of = malloc(s.fabric->n_switches);
			assert_non_null(of);
			assert_int_equal(hd_domains_cut(s.model, n, of, &window), n);
			/* the credit's way over a link between groups, or between switches */
			assert_int_equal(window,
					 6 * (1 + (s.dragonfly ? HD_LINK_GLOBAL : HD_LINK_LOCAL)) +
						 UNIT_TICKS);
			hd_for_each_switch(at, s.fabric)
				hd_for_each_number(k, s.fabric, at)
					if (hd_peer_node(s.fabric, at, k) != HD_NONE) {
						ports[of[at]]++;
						sum++;
					}
			for (unsigned k = 0; k < n; k++)
				assert_in_range(ports[k], sum / n / 2, 2 * sum / n);
			free(of);
			finish(&s);
		}
}

static void test_groups_stay_whole(void **state)
{
	uint8_t of[36];
	uint64_t window;
	struct setting s;

	(void)state;
	make(&s, "dragonfly:a=4,p=2,h=2", "dla", SIZE, 4);
	begin(&s, 0.1, 1);
	assert_int_equal(hd_domains_cut(s.model, 3, of, &window), 3);
	hd_for_each_switch(at, s.fabric)
		hd_for_each_number(i, s.fabric, at) {
			uint32_t port = hd_port_index(s.fabric, at, i);
			uint32_t peer = hd_peer_node(s.fabric, at, i);

			if (peer < s.fabric->n_switches &&
			    s.dragonfly->port_class[port] == HD_PORT_LOCAL)
				assert_int_equal(of[at], of[peer]);
		}
	finish(&s);
}

static void test_a_small_model_stays_whole(void **state)
{
	struct hd_error err = { 0 };
	struct setting s;
	unsigned n;

	(void)state;
	make(&s, "dragonfly:a=4,p=2,h=2", "dla", 64, 4);
	s.options.iterations = 1; /* credits are known late */
	s.options.least_packet = 64;
	begin(&s, 0.1, 1);
	assert_hd_ok(hd_model_divide(s.model, 2, true, &n, &err), err);
	assert_int_equal(n, 1);
	assert_null(hd_model_why_whole(s.model));
	assert_hd_ok(hd_model_run(s.model, 1, &err), err);
	assert_string_equal(hd_model_why_whole(s.model), "the run has begun");
	assert_hd_ok(hd_model_divide(s.model, 2, false, &n, &err), err);
	assert_int_equal(n, 1);
	finish(&s);
}

/* A domain without events stops before the whole does; what it sent last has begun to leave. */
static void test_counters_of_idle_domains(void **state)
{
	const struct trial trial = {
		.buffer = 4, .domains = 3, .cioq = true, .knows_size = true, .load = 0.02
	};
	struct setting whole, divided;
	struct hd_random random;
	struct counts counts;
	struct hd_error err = { 0 };

	(void)state;
	hd_random_init(&random, 3, 0);
	begin_trial(&whole, &trial, random);
	begin_trial(&divided, &trial, random);
	divide(&divided, trial.domains, &counts);
	for (uint64_t until = 97; until < whole.traffic.stop; until += 97) {
		assert_hd_ok(hd_model_run(whole.model, until, &err), err);
		assert_hd_ok(hd_model_run(divided.model, until, &err), err);
		compare_census(&whole, &divided);
		compare_ports(&whole, &divided);
	}
	join(&divided, &counts);
	finish(&whole);
	finish(&divided);
}

static void test_no_domains_without_time_between_them(void **state)
{
	struct hd_error err = { 0 };
	struct setting s;
	unsigned n;

	(void)state;
	make(&s, "torus:4x4", "hdor", SIZE, 4);
	s.options.model = &hd_switch_cioq;
	s.options.speedup = 1;
	/* credits are events, and come at once */
	s.options.damq = true;
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		s.options.links[i].propagation = 0;
	begin(&s, 0.1, 1);
	assert_hd_ok(hd_model_divide(s.model, 2, false, &n, &err), err);
	assert_int_equal(n, 1);
	finish(&s);
}

#define ROUNDS  3000
#define THREADS 4

struct meeting {
	struct hd_barrier barrier;
	unsigned counts[THREADS];
	atomic_uint n_wrong;
};

struct guest {
	struct meeting *meeting;
	unsigned number;
};

static void *meet(void *context)
{
	const struct guest *guest = context;
	struct meeting *meeting = guest->meeting;

	for (unsigned round = 1; round <= ROUNDS; round++) {
		meeting->counts[guest->number] = round;
		hd_barrier_wait(&meeting->barrier);
		for (unsigned i = 0; i < THREADS; i++)
			if (meeting->counts[i] != round)
				atomic_fetch_add(&meeting->n_wrong, 1);
		hd_barrier_wait(&meeting->barrier);
	}
	return NULL;
}

static void test_a_barrier_lets_nobody_ahead(void **state)
{
	struct meeting meeting = { .n_wrong = 0 };
	struct guest guests[THREADS];
	pthread_t threads[THREADS];

	(void)state;
	hd_barrier_init(&meeting.barrier, THREADS);
	for (unsigned i = 0; i < THREADS; i++) {
		guests[i] = (struct guest){ &meeting, i };
		assert_int_equal(pthread_create(&threads[i], NULL, meet, &guests[i]), 0);
	}
	for (unsigned i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	hd_barrier_destroy(&meeting.barrier);
	assert_int_equal(atomic_load(&meeting.n_wrong), 0);
}

/*
 * Ranks that are threads of this test: each with a model of its own, and bytes instead of messages.
 */
struct hall {
	struct hd_barrier barrier;
	struct hd_ranks ranks[MOST];
	struct setting settings[MOST];
	pthread_t threads[MOST];
	int ret[MOST];
	struct hd_error err[MOST];
};

static void exchange(struct hd_ranks *ranks)
{
	struct hall *hall = ranks->context;

	hd_barrier_wait(&hall->barrier);
	for (unsigned i = 0; i < ranks->n; i++) {
		const struct hd_bytes *theirs = &hall->ranks[i].out[ranks->rank];

		hd_bytes_empty(&ranks->in[i]);
		if (i != ranks->rank)
			hd_bytes_put(&ranks->in[i], theirs->data, theirs->n);
	}
	/* nobody may write anew before all have read that */
	hd_barrier_wait(&hall->barrier);
}

static void open_hall(struct hall *hall, const struct trial *trial, struct hd_random random,
		      struct counts *counts)
{
	struct hd_error err = { 0 };

	counts->n = trial->domains;
	hd_barrier_init(&hall->barrier, trial->domains);
	for (unsigned k = 0; k < trial->domains; k++) {
		struct setting *s = &hall->settings[k];
		unsigned n;

		hall->ranks[k] = (struct hd_ranks){ k, trial->domains, NULL, NULL, exchange, hall };
		hall->ranks[k].out = calloc(trial->domains, sizeof(struct hd_bytes));
		hall->ranks[k].in = calloc(trial->domains, sizeof(struct hd_bytes));
		assert_true(hall->ranks[k].out && hall->ranks[k].in);
		begin_trial(s, trial, random);
		assert_hd_ok(hd_model_spread(s->model, &hall->ranks[k], &n, &err), err);
		assert_int_equal(n, trial->domains);
		counts->of[k] = s->traffic;
		counts->of[k].arrived = calloc(s->traffic.hosts, sizeof(*s->traffic.arrived));
		assert_non_null(counts->of[k].arrived);
		hd_model_domain(s->model, k, &counts->of[k]);
	}
}

static void close_hall(struct hall *hall)
{
	for (unsigned k = 0; k < hall->ranks[0].n; k++) {
		finish(&hall->settings[k]);
		for (unsigned i = 0; i < hall->ranks[k].n; i++) {
			hd_bytes_free(&hall->ranks[k].out[i]);
			hd_bytes_free(&hall->ranks[k].in[i]);
		}
		free(hall->ranks[k].out);
		free(hall->ranks[k].in);
	}
	hd_barrier_destroy(&hall->barrier);
}

/* Runs a model in the same stretches as any other. */
static int run_stretches(struct setting *s, struct hd_error *err)
{
	int ret = 0;

	for (uint64_t until = STRETCH; until < s->traffic.stop && !ret; until += STRETCH)
		ret = hd_model_run(s->model, until, err);
	return ret;
}

static void *run_rank(void *context)
{
	const struct hd_ranks *ranks = context;
	struct hall *hall = ranks->context;

	hall->ret[ranks->rank] =
		run_stretches(&hall->settings[ranks->rank], &hall->err[ranks->rank]);
	return NULL;
}

static void run_hall(struct hall *hall)
{
	const unsigned n = hall->ranks[0].n;

	for (unsigned k = 0; k < n; k++)
		assert_int_equal(pthread_create(&hall->threads[k], NULL, run_rank, &hall->ranks[k]),
				 0);
	for (unsigned k = 0; k < n; k++)
		pthread_join(hall->threads[k], NULL);
}

/* All ranks have the results of the whole model. */
static void compare_with_ranks(const struct trial *trial, struct hd_random random,
			       unsigned *n_deadlocks)
{
	struct hall *hall = calloc(1, sizeof(*hall));
	struct setting whole;
	struct counts counts;
	struct hd_error err = { 0 };
	int ret;

	assert_non_null(hall);
	begin_trial(&whole, trial, random);
	open_hall(hall, trial, random, &counts);
	run_hall(hall);
	ret = run_stretches(&whole, &err);
	*n_deadlocks += ret == HD_EREFUSED;
	join(&hall->settings[0], &counts);
	for (unsigned k = 0; k < trial->domains; k++) {
		const struct setting *s = &hall->settings[k];

		assert_false(hd_model_is_late(s->model));
		assert_int_equal(ret, hall->ret[k]);
		assert_string_equal(err.text, hall->err[k].text);
		compare_census(&whole, s);
		compare_ports(&whole, s);
		compare_deadlocks(&whole, s);
	}
	compare_traffic(&whole.traffic, &hall->settings[0].traffic);
	finish(&whole);
	close_hall(hall);
	free(hall);
}

static void test_ranks_do_the_same(void **state)
{
	unsigned n_deadlocks = 0;
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 12, 0);
	for (unsigned i = 0; i < TRIALS / 3; i++) {
		struct trial trial = draw(&random);

		/* tables that drop packets may have to run anew; a domain for each rank */
		trial.drops = 0;
		trial.domains = trial.domains > 3 || trial.network == 7 ? 2 : trial.domains;
		compare_with_ranks(&trial, random, &n_deadlocks);
	}
	assert_in_range(n_deadlocks, 1, TRIALS / 6);
}

static void test_no_rank_without_a_domain(void **state)
{
	struct hd_ranks ranks = { .n = 17 };
	struct hd_error err = { 0 };
	struct setting s;
	unsigned n;

	(void)state;
	make(&s, "torus:4x4", "hdor", SIZE, 4);
	begin(&s, 0.1, 1);
	assert_hd_ok(hd_model_spread(s.model, &ranks, &n, &err), err);
	assert_int_equal(n, 1);
	assert_hd_ok(hd_model_run(s.model, 1000, &err), err);
	finish(&s);
}

/* A packet that fits no buffer: the ranks that do not know of it have the error, too. */
static void test_ranks_fail_alike(void **state)
{
	const struct trial trial = { .buffer = 4, .domains = 2, .load = 0.2 };
	struct hall *hall = calloc(1, sizeof(*hall));
	struct counts counts;
	struct hd_random random;

	(void)state;
	assert_non_null(hall);
	hd_random_init(&random, 5, 0);
	open_hall(hall, &trial, random, &counts);
	for (unsigned k = 0; k < 2; k++)
		counts.of[k].size = k ? 100 * SIZE : SIZE;
	run_hall(hall);
	for (unsigned k = 0; k < 2; k++) {
		assert_int_equal(hall->ret[k], HD_EINVAL);
		assert_string_equal(hall->err[k].text,
				    "a packet of 800 units does not fit a buffer of 32");
		free(counts.of[k].arrived);
	}
	close_hall(hall);
	free(hall);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_divided_model_does_the_same),
		cmocka_unit_test(test_mail_comes_line_by_line),
		cmocka_unit_test(test_merged_events_are_in_order),
		cmocka_unit_test(test_domains_are_of_one_weight),
		cmocka_unit_test(test_groups_stay_whole),
		cmocka_unit_test(test_a_small_model_stays_whole),
		cmocka_unit_test(test_counters_of_idle_domains),
		cmocka_unit_test(test_no_domains_without_time_between_them),
		cmocka_unit_test(test_a_barrier_lets_nobody_ahead),
		cmocka_unit_test(test_ranks_do_the_same),
		cmocka_unit_test(test_no_rank_without_a_domain),
		cmocka_unit_test(test_ranks_fail_alike),
	};

	return cmocka_run_group_tests_name("domains", tests, NULL, NULL);
}
