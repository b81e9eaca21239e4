// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Traffic as a whole: phases, replies, determinism, misuse, and in the model. */
#include "tests/unit/traffic_case.h"

#include "engines/engine.h"
#include "fabric/lids.h"
#include "support/options.h"
#include "topologies/topology.h"

/* Whatever the order in which hosts are asked, they say the same; another seed says otherwise. */
static void test_determinism(void **state)
{
	static const char *const arrivals[] = { "poisson", "bernoulli", "deterministic", "bursty" };
	static const char *const patterns[] = { "uniform", "hotspot",
						"zipf",    "zipf:2,ranking=shared",
						"stencil", "permutation" };

	(void)state;
	for (size_t p = 0; p < sizeof(patterns) / sizeof(patterns[0]); p++)
		for (size_t i = 0; i < sizeof(arrivals) / sizeof(arrivals[0]); i++) {
			struct hd_traffic *a = make_traffic(48, patterns[p], arrivals[i], 0.5, 8);
			struct hd_traffic *b = make_traffic(48, patterns[p], arrivals[i], 0.5, 8);
			struct hd_message *wanted = calloc(48 * 50, sizeof(*wanted)), m;

			assert_non_null(wanted);
			for (uint32_t host = 0; host < 48; host++)
				for (unsigned n = 0; n < 50; n++)
					assert_true(
						hd_traffic_next(a, host, &wanted[host * 50 + n]));
			for (unsigned n = 0; n < 50; n++)
				for (uint32_t host = 48; host-- > 0;) {
					assert_true(hd_traffic_next(b, host, &m));
					assert_memory_equal(&m, &wanted[host * 50 + n], sizeof(m));
				}
			free(wanted);
			hd_traffic_free(a);
			hd_traffic_free(b);
		}
}

static void test_seeds(void **state)
{
	struct hd_traffic_setting setting = { .n_hosts = 64, .unit_ticks = 1 };
	const struct hd_traffic_phase phase = { .pattern = "permutation",
						.arrival = "poisson",
						.load = 0.5,
						.size = 1000,
						.until = UINT64_MAX };
	struct hd_message m, before = { 0 };
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	(void)state;
	for (; setting.seed < 5; setting.seed++, before = m) {
		assert_hd_ok(hd_traffic_new(&setting, &phase, 1, &t, &err), err);
		assert_true(hd_traffic_next(t, 9, &m));
		assert_int_not_equal(m.time, before.time);
		hd_traffic_free(t);
	}
}

static void test_phases(void **state)
{
	const struct hd_traffic_setting setting = { .n_hosts = 16, .unit_ticks = 1, .seed = 1 };
	const struct hd_traffic_phase phases[] = {
		{ "shift:1", "deterministic", 0.5, 10, false, 1000, 0, "" },
		{ "transpose", "poisson", 1, 20, false, 2000, 0, "" },
		{ "uniform", "poisson", 0, 20, false, 3000, 0, "" },
		{ "hotspot:osha", "deterministic:staggered=no", 0.1, 20, true, 5000, 0, "" },
	};
	struct hd_error err = { 0 };
	struct hd_message m;
	struct hd_traffic *t;

	(void)state;
	assert_hd_ok(hd_traffic_new(&setting, phases, 4, &t, &err), err);
	assert_near(hd_traffic_offered(t, 4, 999), 0.5, 0);
	assert_near(hd_traffic_offered(t, 4, 1000), 1, 0);
	assert_near(hd_traffic_offered(t, 5, 1000), 0, 0); /* (1, 1) sends to itself */
	assert_near(hd_traffic_offered(t, 4, 2000), 0, 0);
	assert_near(hd_traffic_offered(t, 4, 3000), 0.1, 0);
	assert_near(hd_traffic_offered(t, 4, 5000), 0, 0);
	for (uint32_t host = 0; host < 16; host++) {
		unsigned n[4] = { 0 };

		while (hd_traffic_next(t, host, &m)) {
			const char *class = hd_traffic_class_name(t, m.tag);

			n[m.time / 1000 < 3 ? m.time / 1000 : 3]++;
			assert_true(m.time < 5000);
			assert_int_equal(m.size, m.time < 1000 ? 10 : 20);
			if (m.time < 1000)
				assert_int_equal(m.to, (host + 1) % 16);
			else if (m.time < 2000)
				assert_int_equal(m.to, host % 4 * 4 + host / 4);
			if (m.time < 3000)
				assert_string_equal(class, "all");
			else
				assert_true(!strcmp(class, "hotspot request") ||
					    !strcmp(class, "background request"));
		}
		assert_int_equal(n[0], 50);
		if (host % 4 == host / 4)
			assert_int_equal(n[1], 0);
		else
			assert_in_range(n[1], 20, 80);
		assert_int_equal(n[2], 0);
		/* requests are half of the load: one in 400 ticks */
		assert_int_equal(n[3], 5);
		assert_false(hd_traffic_next(t, host, &m));
	}
	assert_int_equal(hd_traffic_classes(t), 5);
	assert_null(hd_traffic_class_name(t, 5));
	hd_traffic_free(t);
}

static void test_replies(void **state)
{
	const struct hd_traffic_setting setting = { .n_hosts = 16, .unit_ticks = 1, .seed = 1 };
	const struct hd_traffic_phase phase = { "uniform", "poisson",  0.5, 10,
						true,      UINT64_MAX, 0,   "" };
	struct hd_message m = { 0 }, reply, no;
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	(void)state;
	assert_hd_ok(hd_traffic_new(&setting, &phase, 1, &t, &err), err);
	assert_int_equal(hd_traffic_classes(t), 2);
	for (unsigned n = 0; n < 100000; n++)
		assert_true(hd_traffic_next(t, 3, &m));
	/* half of the load are requests */
	assert_near(100000.0 * 10 / (double)m.time, 0.25, 0.003);
	assert_string_equal(hd_traffic_class_name(t, m.tag), "request");
	assert_true(hd_traffic_reply(t, 12345, &m, &reply));
	assert_int_equal(reply.time, 12345);
	assert_int_equal(reply.from, m.to);
	assert_int_equal(reply.to, 3);
	assert_int_equal(reply.size, 10);
	assert_string_equal(hd_traffic_class_name(t, reply.tag), "reply");
	assert_false(hd_traffic_reply(t, 12345, &reply, &no));
	hd_traffic_free(t);
	t = make_traffic(16, "uniform", "poisson", 0.5, 10);
	assert_true(hd_traffic_next(t, 3, &m));
	assert_false(hd_traffic_reply(t, 12345, &m, &reply));
	hd_traffic_free(t);
}

static void test_misuse(void **state)
{
	static const struct {
		const char *pattern, *arrival;
		double load;
		uint32_t size;
		int code;
		const char *says;
	} cases[] = {
		{ "unifrom", "poisson", 0.5, 1, HD_EINVAL,
		  "there is no traffic pattern 'unifrom'" },
		{ "", "poisson", 0.5, 1, HD_EINVAL, "there is no traffic pattern ''" },
		{ "uniform", "poison", 0.5, 1, HD_EINVAL, "there is no arrival process 'poison'" },
		{ "uniform\n", "poisson", 0.5, 1, HD_EINVAL, "a control character" },
		{ "uniform", "d\nb", 0.5, 1, HD_EINVAL, "a control character in arrival" },
		{ "uniform:x=1", "poisson", 0.5, 1, HD_EINVAL, "uniform has no option 'x'" },
		{ "uniform:self", "poisson", 0.5, 1, HD_EINVAL, "'self' is not key=value" },
		{ "uniform:self=2", "poisson", 0.5, 1, HD_EINVAL, "neither on nor off" },
		{ "uniform:self=no,", "poisson", 0.5, 1, HD_EINVAL, "an option is empty" },
		{ "shift:1,by=2", "poisson", 0.5, 1, HD_EINVAL, "'by' is given twice" },
		{ "shift:24", "poisson", 0.5, 1, HD_ERANGE, "by" },
		{ "bitreverse", "poisson", 0.5, 1, HD_EINVAL, "bitreverse: 24 hosts are no power" },
		{ "transpose", "poisson", 0.5, 1, HD_EINVAL, "transpose: 24 hosts are no square" },
		{ "tornado:4x5", "poisson", 0.5, 1, HD_EINVAL, "4x5 is not a shape of 24 hosts" },
		{ "tornado:4x", "poisson", 0.5, 1, HD_EINVAL, "'4x' is not at most" },
		{ "tornado:2x2x2x3", "poisson", 0.5, 1, HD_OK, NULL },
		{ "stencil:2x2x2x3", "poisson", 0.5, 1, HD_EINVAL, "at most 3 lengths" },
		{ "stencil:0x24", "poisson", 0.5, 1, HD_EINVAL, "at most 3 lengths" },
		{ "adversarial", "poisson", 0.5, 1, HD_EINVAL, "no dragonfly" },
		{ "adversarial-consecutive", "poisson", 0.5, 1, HD_EINVAL, "no dragonfly" },
		{ "zipf:-1", "poisson", 0.5, 1, HD_ERANGE, "zipf: s: -1 is not in 0 .. 100" },
		{ "zipf:x", "poisson", 0.5, 1, HD_EINVAL, "s: 'x' is not a number" },
		{ "zipf:nan", "poisson", 0.5, 1, HD_EINVAL, "s: 'nan' is not a number" },
		{ "zipf:ranking=none", "poisson", 0.5, 1, HD_EINVAL, "neither source nor shared" },
		{ "hotspot:sasha", "poisson", 0.5, 1, HD_EINVAL, "neither dla nor osha" },
		{ "hotspot:sources=24", "poisson", 0.5, 1, HD_ERANGE, "sources" },
		{ "hotspot:sources=1%", "poisson", 0.5, 1, HD_ERANGE, "1% of 24 hosts are none" },
		{ "hotspot:sources=20,destinations=5", "poisson", 0.5, 1, HD_EINVAL,
		  "more than 24" },
		{ "hotspot:rate=2", "poisson", 0.5, 1, HD_ERANGE, "rate: 2 is not in 0 .. 1" },
		{ "trace", "poisson", 0.5, 1, HD_EINVAL, "'file' must be given" },
		{ "trace:/nonexistent", "poisson", 0.5, 1, HD_EIO, "" },
		{ "uniform", "bursty:0.5", 0.5, 1, HD_ERANGE, "bursty: burst: 0.5" },
		{ "uniform", "bernoulli:9", 0.5, 8, HD_ERANGE, "slot" },
		{ "uniform", "poisson:1", 0.5, 1, HD_EINVAL, "'1' is not key=value" },
		{ "uniform", "poisson", 1.01, 1, HD_ERANGE, "load: 1.01 is not in 0 .. 1" },
		{ "uniform", "poisson", -0.1, 1, HD_ERANGE, "load: -0.1" },
		{ "uniform", "poisson", (double)NAN, 1, HD_ERANGE, "load: " },
		{ "uniform", "poisson", 0.5, 0, HD_ERANGE, "at least one unit" },
	};
	struct hd_traffic_setting setting = { .n_hosts = 24, .unit_ticks = 1 };
	struct hd_traffic_phase two[] = { { "uniform", "poisson", 1, 1, false, 10, 0, "" },
					  { "uniform", "poisson", 1, 1, false, 10, 0, "" } };
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct hd_traffic_phase phase = { .pattern = cases[i].pattern,
							.arrival = cases[i].arrival,
							.load = cases[i].load,
							.size = cases[i].size,
							.until = UINT64_MAX };

		memset(&err, 0, sizeof(err));
		if (hd_traffic_new(&setting, &phase, 1, &t, &err) != cases[i].code)
			fail_msg("%s, %s: %d %s", cases[i].pattern, cases[i].arrival, err.code,
				 err.text);
		if (cases[i].code)
			assert_null(t);
		if (cases[i].says)
			assert_hd_says(err, cases[i].says);
		hd_traffic_free(t);
		assert_true(hd_traffic_new(&setting, &phase, 1, &t, NULL) == cases[i].code);
		hd_traffic_free(t);
	}
	assert_int_equal(hd_traffic_new(&setting, two, 2, &t, &err), HD_EINVAL);
	assert_hd_says(err, "phase 2 ends before it begins");
	assert_int_equal(hd_traffic_new(&setting, two, 0, &t, &err), HD_EINVAL);
	setting.n_hosts = 0;
	assert_int_equal(hd_traffic_new(&setting, two, 1, &t, &err), HD_EINVAL);
	setting.n_hosts = 1;
	for (size_t i = 0; hd_patterns.policies[i]; i++) { /* nobody to send to */
		two[0].pattern = hd_patterns.policies[i]->name;
		assert_int_equal(hd_traffic_new(&setting, two, 1, &t, &err), HD_EINVAL);
		assert_hd_says(err, hd_patterns.policies[i]->name);
	}
}

/* Names ascend, and every option is explained. */
static void test_registry(void **state)
{
	const struct hd_policy *const *lists[] = { hd_patterns.policies, hd_arrivals.policies };

	(void)state;
	for (unsigned l = 0; l < 2; l++)
		for (size_t i = 0; lists[l][i]; i++) {
			assert_true(!i || strcmp(lists[l][i - 1]->name, lists[l][i]->name) < 0);
			assert_true(*lists[l][i]->summary);
			for (const struct hd_option *o = lists[l][i]->options; o->key; o++)
				assert_true(*o->help && o->unit);
		}
}

/* Traffic in the model, and what was delivered of every class. */
struct run {
	struct hd_traffic *traffic;
	struct hd_model *model;
	uint64_t units[2];
};

static bool next(void *context, uint32_t host, struct hd_message *message)
{
	return hd_traffic_next(((struct run *)context)->traffic, host, message);
}

static void delivered(void *context, uint64_t now, const struct hd_message *message,
		      uint64_t entered, unsigned hops)
{
	struct run *run = context;
	struct hd_message reply;

	(void)entered;
	(void)hops;
	run->units[message->tag] += message->size;
	if (hd_traffic_reply(run->traffic, now, message, &reply))
		hd_model_inject(run->model, &reply);
}

/* Requests and replies through a switch: what is accepted is the load, half of it each. */
static void test_in_the_model(void **state)
{
	const struct hd_route_request request = { 0 };
	struct hd_model_options options = { .latency = 100,
					    .cycle = UNIT_TICKS,
					    .buffering = &hd_buffering_voq };
	struct hd_fabric *bare, *fabric;
	struct hd_error err = { 0 };
	struct hd_tables *tables;
	struct run run = { 0 };
	const struct hd_model_user user = { .next = next, .delivered = delivered, .context = &run };
	const uint64_t end = 20000 * 64 * UNIT_TICKS;

	(void)state;
	assert_hd_ok(hd_topology_build("tree:k=8,n=1", &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &fabric, &err), err);
	assert_hd_ok(hd_route(hd_engine_find("minhop"), fabric, &request, &tables, &err), err);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		options.links[i] = (struct hd_link_options){ .unit_ticks = UNIT_TICKS,
							     .propagation = 6,
							     .buffer = 64 * 16 };
	assert_hd_ok(hd_model_new(tables, &options, &user, &run.model, &err), err);

	const struct hd_traffic_setting setting = { .fabric = fabric,
						    .n_hosts = hd_model_hosts(run.model),
						    .unit_ticks = UNIT_TICKS,
						    .seed = 3 };
	const struct hd_traffic_phase phase = { "uniform", "poisson",  0.6, 64,
						true,      UINT64_MAX, 0,   "" };

	assert_hd_ok(hd_traffic_new(&setting, &phase, 1, &run.traffic, &err), err);
	assert_hd_ok(hd_model_run(run.model, end, &err), err);
	for (unsigned tag = 0; tag < 2; tag++)
		assert_near((double)run.units[tag] * UNIT_TICKS / (double)end / setting.n_hosts,
			    0.3, 0.003);
	hd_model_free(run.model);
	hd_traffic_free(run.traffic);
	hd_tables_free(tables);
	hd_fabric_free(bare);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_determinism),  cmocka_unit_test(test_seeds),
		cmocka_unit_test(test_phases),       cmocka_unit_test(test_replies),
		cmocka_unit_test(test_misuse),       cmocka_unit_test(test_registry),
		cmocka_unit_test(test_in_the_model),
	};

	return cmocka_run_group_tests_name("traffic", tests, NULL, NULL);
}
