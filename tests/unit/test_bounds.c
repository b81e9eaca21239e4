// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Uniform traffic never gets more through than the busiest channel carries. */
#include "tests/unit/scenario_case.h"

#include "check/load.h"

static uint32_t class_ticks(const struct made *m, uint32_t port)
{
	const struct hd_fabric *fabric = m->network->fabric;
	const uint8_t *port_class = m->network->structure.port_class;
	enum hd_link_class class = HD_LINK_LOCAL;

	if (!hd_is_switch(fabric, fabric->ports[port].node) ||
	    !hd_is_switch(fabric, fabric->ports[fabric->ports[port].peer].node))
		class = HD_LINK_TERMINAL;
	else if (port_class && port_class[port] == HD_PORT_GLOBAL)
		class = HD_LINK_GLOBAL;
	return m->setup.model.links[class].unit_ticks;
}

/*
 * The load at which the first channel is full, if all hosts get the same: (hosts - 1) / flows,
 * times what its link carries of a host's.
 */
static double channel_bound(const struct made *m)
{
	uint32_t hosts = m->result.measure->options.n_hosts;
	const struct hd_fabric *fabric = m->network->fabric;
	struct hd_error err = { 0 };
	struct hd_load load;
	double bound = INFINITY;

	assert_hd_ok(hd_load_compute(m->network->tables, &load, &err), err);
	hd_for_each_port(port, fabric) {
		double most;

		if (!hd_load_port(&load, port))
			continue;
		most = (double)(hosts - 1) / hd_load_port(&load, port) *
		       m->setup.model.links[HD_LINK_TERMINAL].unit_ticks / class_ticks(m, port);
		bound = most < bound ? most : bound;
	}
	hd_load_clear(&load);
	return bound;
}
/*
 * Uniform traffic: no load beyond what the busiest channel carries is accepted from all hosts.
 * Above it hosts that do not use that channel may still get more, so that the host that gets least
 * tells.
 */
static void test_channel_load_bounds_accepted_load(void **state)
{
	static const struct {
		const char *text;
		bool is_even; /* every host uses the busiest channels as much as others */
	} fabrics[] = {
		{ "[fabric]\ntopology = mesh:6,p=2\n[routing]\nengine = minhop\n", false },
		{ "[fabric]\ntopology = tree:k=4,n=2\n[routing]\nengine = minhop\n", true },
		{ "[fabric]\ntopology = dragonfly:a=4,p=4,h=2\n", true },
	};
	const char rest[] = "[switch]\nvoq = yes\n[run]\nwarmup = 1ms\nmeasure = 2ms\n"
			    "[traffic]\n";
	char text[512];

	(void)state;
	for (size_t i = 0; i < sizeof(fabrics) / sizeof(fabrics[0]); i++) {
		struct made m;
		double bound;

		snprintf(text, sizeof(text), "%s%sload = 1\n", fabrics[i].text, rest);
		make(&m, text);
		bound = channel_bound(&m);
		/* what was under way when the window began may come on top */
		assert_true(column(&m, "source_min") <= bound * 1.02);
		if (fabrics[i].is_even)
			assert_true(column(&m, "accepted") <= bound * 1.02);
		assert_true(column(&m, "local_max") <= 1.001);
		finish(&m);

		for (unsigned below = 0; below < 2 && bound < 0.9; below++) {
			snprintf(text, sizeof(text), "%s%sload = %.4f\n", fabrics[i].text, rest,
				 bound * (below ? 0.85 : 1.1));
			make(&m, text);
			if (below)
				assert_true(column(&m, "accepted") > 0.99 * column(&m, "offered"));
			else
				assert_true(column(&m, "accepted") < 0.99 * column(&m, "offered"));
			finish(&m);
		}
	}
}

/*
 * Engines and shapes: from no host more gets through than the busiest channel allows, nor on
 * average where channels are loaded evenly. Below it everything does, unless that deadlocks.
 */
static void test_bounds_of_engines(void **state)
{
	static const struct {
		const char *fabric;
		bool is_even;
		bool deadlocks; /* at higher loads: routes of minhop on rings */
	} cases[] = {
		{ "dragonfly:a=4,p=2,h=2\n[routing]\nengine = dla\n", true, false },
		{ "dragonfly:a=4,p=4,h=2\n[routing]\nengine = dla\n", true, false },
		{ "kns:k=4,n=2\n[routing]\nengine = minhop\n", true, false },
		{ "kns:k=3,n=3\n[routing]\nengine = minhop\n", false, false },
		{ "torus:8,p=4\n[routing]\nengine = minhop\n", true, true },
		{ "torus:4x4,p=4\n[routing]\nengine = minhop\n", true, true },
	};
	static const double loads[] = { 0.7, 0.85, 1.3 };

	(void)state;
	for (size_t i = 0; i < 3 * sizeof(cases) / sizeof(cases[0]); i += HD_IS_SLOW ? 4 : 1) {
		double bound, load = loads[i % 3];
		struct made m;
		char text[512];

		/* the bound, by a run that does nothing */
		snprintf(text, sizeof(text),
			 "[fabric]\ntopology = %s[traffic]\nload = 0\n[run]\nmeasure = 1us\n",
			 cases[i / 3].fabric);
		make(&m, text);
		bound = channel_bound(&m);
		finish(&m);
		snprintf(text, sizeof(text),
			 "[fabric]\ntopology = %s[traffic]\nload = %.4f\npacket = 1KiB\n[switch]\n"
			 "voq = yes\n[run]\nmeasure = 500us\n",
			 cases[i / 3].fabric, fmin(1, bound * load));
		make(&m, text);
		assert_true(column(&m, "source_min") <= bound * 1.02);
		if (cases[i / 3].is_even)
			assert_true(column(&m, "accepted") <= bound * 1.01);
		if (load == 0.7 || (load < 1 && !cases[i / 3].deadlocks))
			assert_true(column(&m, "accepted") > 0.98 * column(&m, "offered"));
		assert_true(column(&m, "deadlock") == 0 || cases[i / 3].deadlocks);
		finish(&m);
	}
}

/*
 * osha-sasha-dbbq, 000-C16: of uniform traffic tori carry 8 / k of a link by either order of
 * dimensions, or both in turn, N / (N - 1) for what hosts do not send themselves; no load gets more
 * through, with datelines or bubbles.
 */
static void test_bounds_of_tori(void **state)
{
	static const struct {
		const char *routing;
		unsigned k;
	} cases[] = {
		{ "engine = hdor\n", 16 },
		{ "engine = hdor\nlayers = single\n[switch]\nbubble = yes\n", 12 },
		{ "engine = osha\n", 12 },
		{ "engine = osha\nqueues = dbbq:2\n[switch]\nbubble = yes\n", 16 },
	};

	(void)state;
	for (size_t i = HD_IS_SLOW; i < sizeof(cases) / sizeof(cases[0]); i += HD_IS_SLOW ? 3 : 1) {
		const unsigned k = cases[i].k, n = k * k;
		const double wanted = 8.0 / k * (n - 1) / n;
		struct made m;
		char text[512];

		for (unsigned full = 0; full < 2; full++) {
			snprintf(
				text, sizeof(text),
				"[fabric]\ntopology = torus:%ux%u\n[switch]\nvoq = yes\n[traffic]\n"
				"load = %.4f\npacket = 1KiB\n[run]\nwarmup = 100us\nmeasure = "
				"200us\n"
				"[routing]\n%s",
				k, k, full ? 1 : 0.6 * wanted, cases[i].routing);
			make(&m, text);
			assert_true(fabs(channel_bound(&m) - wanted) < 1e-9);
			assert_true(column(&m, "accepted") <= wanted * 1.01);
			if (!full)
				assert_true(column(&m, "accepted") > 0.98 * column(&m, "offered"));
			assert_true(column(&m, "deadlock") == 0);
			finish(&m);
		}
	}
}

/* Global links of another rate: the bound moves with them, until it is other links' turn. */
static void test_bounds_with_links_of_several_rates(void **state)
{
	static const struct {
		const char *bandwidth; /* of global links, local ones and hosts' having 32 */
		double least;          /* of the bound, what is accepted at least */
	} cases[] = { { "8Gbps", 0.95 }, { "16Gbps", 0.9 }, { "32Gbps", 0.7 }, { "96Gbps", 0.7 } };
	static const char *const switches[] = { "", "model = cioq\nspeedup = 2\n" };
	double before = 0;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]) * 2; i += HD_IS_SLOW ? 5 : 1) {
		struct made m;
		char text[512];
		double bound, got;

		snprintf(text, sizeof(text),
			 "[link]\nbandwidth_global = %s\n[switch]\nvoq = yes\n%s"
			 "[fabric]\ntopology = dragonfly:a=4,p=4,h=2\n[traffic]\nload = 1\n"
			 "[run]\nwarmup = 1ms\nmeasure = 2ms\n",
			 cases[i / 2].bandwidth, switches[i % 2]);
		make(&m, text);
		bound = channel_bound(&m);
		got = column(&m, "accepted");
		assert_true(got <= bound * 1.02);
		assert_true(got >= bound * cases[i / 2].least);
		assert_true(column(&m, "global_max") <= 1.003 && column(&m, "local_max") <= 1.003);
		if (i % 2 == 0) {
			assert_true(got > before);
			before = got;
		}
		finish(&m);
	}
}

/*
 * One link of n times the rate between two switches of four hosts carries n of their flows whole,
 * in either direction: its in-port feeds several outputs at once.
 */
static void test_one_fat_link(void **state)
{
	static const char *const switches[] = { "", "model = cioq\n" };

	(void)state;
	for (unsigned i = 0; i < 8; i++) {
		struct made m;
		char text[512];
		unsigned n = 1 + i / 2;

		snprintf(text, sizeof(text),
			 "[fabric]\ntopology = mesh:2,p=4\n[routing]\nengine = minhop\n"
			 "[link]\nbandwidth = 10Gbps\nbandwidth_local = %u Gbps\n[switch]\nvoq = "
			 "yes\n"
			 "%s[traffic]\nload = 1\npattern = shift:4\narrival = deterministic\n"
			 "[run]\nwarmup = 100us\nmeasure = 1ms\n",
			 10 * n, switches[i % 2]);
		make(&m, text);
		assert_true(fabs(column(&m, "accepted") - n / 4.0) < 0.01);
		finish(&m);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_channel_load_bounds_accepted_load),
		cmocka_unit_test(test_bounds_of_engines),
		cmocka_unit_test(test_bounds_of_tori),
		cmocka_unit_test(test_bounds_with_links_of_several_rates),
		cmocka_unit_test(test_one_fat_link),
	};

	return cmocka_run_group_tests_name("bounds", tests, NULL, NULL);
}
