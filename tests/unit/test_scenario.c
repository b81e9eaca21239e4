// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Scenarios: files, lists, units, points, and what comes of runs. */
#include "tests/unit/scenario_case.h"

#include <stdio.h>
#include <unistd.h>

#include "engines/engine.h"
#include "tests/unit/spec_fabric.h"

static void assert_near(double value, double wanted, double tolerance)
{
	if (!(fabs(value - wanted) <= tolerance))
		fail_msg("%.9g is not within %g of %.9g", value, tolerance, wanted);
}

/* Reading @text, or making its first point, fails in @line with @words. */
static void refused(const char *text, unsigned line, const char *words)
{
	struct hd_scenario *scenario = hd_scenario_new();
	struct hd_error err = { 0 };
	struct hd_setup setup;
	int ret;

	assert_non_null(scenario);
	ret = hd_scenario_read_text(scenario, "test.ini", text, strlen(text), &err);
	if (!ret)
		ret = hd_scenario_finish(scenario, &err);
	if (!ret)
		ret = hd_setup_make(scenario, 0, &setup, &err);
	assert_int_not_equal(ret, 0);
	assert_hd_says(err, words);
	assert_string_equal(err.file, "test.ini");
	assert_int_equal(err.line, line);
	hd_scenario_free(scenario);
}

static void test_every_default_is_possible(void **state)
{
	static const char *const clocks[] = { "", "[run]\nclock = cycles\n" };

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		struct hd_scenario *scenario = read_text(clocks[i]);
		struct hd_error err = { 0 };
		struct hd_setup setup;

		assert_int_equal(scenario->n_runs, 1);
		assert_hd_ok(hd_setup_make(scenario, 0, &setup, &err), err);
		assert_int_equal(setup.model.links[HD_LINK_LOCAL].unit_ticks, i ? 12 : 16000);
		assert_int_equal(setup.model.links[HD_LINK_LOCAL].propagation, i ? 12 : 6000);
		assert_int_equal(setup.model.links[HD_LINK_LOCAL].buffer, i ? 256 : 1024);
		assert_int_equal(setup.model.latency, i ? 120 : 100000);
		hd_setup_clear(&setup);
		hd_scenario_free(scenario);
	}
	for (unsigned key = 0; key < HD_N_KEYS; key++) {
		assert_non_null(hd_scenario_keys[key].name);
		assert_int_equal(hd_scenario_key_find(hd_scenario_keys[key].name), key);
		assert_true(*hd_scenario_keys[key].option[0].help);
	}
}

static void test_several_pairs_share_a_line(void **state)
{
	struct hd_scenario *scenario = read_text(
		"# the example of the manual\r\n"
		"    [link]     bandwidth = 100Gbps   propagation = 5 ns\r\n"
		"    [switch]   voq = yes, no   buffer = 1, 2, 4 packets   latency = 0.2us\n"
		"    [traffic]  load = 0.0:1.0:0.1   packet = 4KiB ; comment   packet = 2KiB\n"
		"    [run]      seeds = 1..5");

	(void)state;
	assert_int_equal(scenario->n_points, 2 * 3 * 11);
	assert_int_equal(scenario->n_runs, 2 * 3 * 11 * 5);
	assert_int_equal(scenario->keys[HD_LINK_BANDWIDTH].quantities[0].whole, 5120);
	assert_int_equal(scenario->keys[HD_LINK_PROPAGATION].quantities[0].whole, 5000);
	assert_int_equal(scenario->keys[HD_SWITCH_LATENCY].quantities[0].whole, 200000);
	assert_int_equal(scenario->keys[HD_TRAFFIC_PACKET].quantities[0].whole, 64);
	assert_string_equal(hd_scenario_value(scenario, 0, HD_SWITCH_BUFFER), "1 packets");
	assert_string_equal(hd_scenario_value(scenario, 3, HD_TRAFFIC_LOAD), "0.3");
	assert_string_equal(hd_scenario_value(scenario, 10, HD_TRAFFIC_LOAD), "1");
	assert_string_equal(hd_scenario_value(scenario, 11, HD_SWITCH_BUFFER), "2 packets");
	assert_string_equal(hd_scenario_value(scenario, 33, HD_SWITCH_VOQ), "no");
	assert_true(hd_scenario_quantity(scenario, 0, HD_SWITCH_VOQ)->whole == 1);
	assert_true(hd_scenario_is_swept(scenario, HD_SWITCH_VOQ));
	assert_false(hd_scenario_is_swept(scenario, HD_TRAFFIC_PACKET));
	assert_int_equal(hd_run_seed(scenario, 7), 3);
	assert_int_equal(hd_run_point(scenario, 7), 1);
	hd_scenario_free(scenario);
}

static void test_lists(void **state)
{
	static const struct {
		enum hd_key key;
		const char *text;
		const char *items[6];
	} cases[] = {
		{ HD_FABRIC_TOPOLOGY, "dragonfly:a=4,p=2,h=2", { "dragonfly:a=4,p=2,h=2" } },
		{ HD_FABRIC_TOPOLOGY, "kns:k=4,n=2, mesh:8x8", { "kns:k=4,n=2", "mesh:8x8" } },
		{ HD_ROUTING_ENGINE, "dla,minhop", { "dla", "minhop" } },
		{ HD_TRAFFIC_LOAD, "0.1,0.5:0.7:0.1", { "0.1", "0.5", "0.6", "0.7" } },
		{ HD_RUN_SEEDS, "3, 7..9", { "3", "7", "8", "9" } },
		{ HD_RUN_WARMUP, "1, 2:4:1 us", { "1 us", "2 us", "3 us", "4 us" } },
		{ HD_RUN_WARMUP, "100ns, 1us", { "100ns", "1us" } },
		{ HD_RUN_MEASURE, "auto, 1, 2 us", { "auto", "1 us", "2 us" } },
		{ HD_SWITCH_BUFFER, "4KiB, 2 packets", { "4KiB", "2 packets" } },
		{ HD_TRAFFIC_PHASES, "", { "" } },
	};
	static const struct {
		enum hd_key key;
		const char *text, *words;
	} wrong[] = {
		{ HD_TRAFFIC_LOAD, "0.1,,0.2", "an empty value" },
		{ HD_TRAFFIC_LOAD, "0.1,", "an empty value" },
		{ HD_TRAFFIC_LOAD, "1:0:0.1", "goes up" },
		{ HD_TRAFFIC_LOAD, "0:1:0", "goes up" },
		{ HD_TRAFFIC_LOAD, "0:1", "no range" },
		{ HD_RUN_SEEDS, "0..100000", "more than" },
		{ HD_FABRIC_FILE, "a\nb", "control character" },
	};
	struct hd_error err = { 0 };
	struct hd_list list;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		size_t n = 0;

		assert_hd_ok(
			hd_list_parse(&hd_scenario_keys[cases[i].key], cases[i].text, &list, &err),
			err);
		for (; n < 6 && cases[i].items[n]; n++)
			assert_string_equal(n < list.n ? list.items[n] : "(none)",
					    cases[i].items[n]);
		assert_int_equal(list.n, n);
		hd_list_clear(&list);
	}
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		assert_int_not_equal(
			hd_list_parse(&hd_scenario_keys[wrong[i].key], wrong[i].text, &list, &err),
			0);
		assert_hd_says(err, wrong[i].words);
		assert_int_equal(list.n, 0);
	}
}

static void test_bad_scenarios_are_told_with_their_line(void **state)
{
	(void)state;
	refused("[link]\nbandwith = 32Gbps\n", 2, "no key 'bandwith' in section 'link'");
	refused("[links]\n\nbandwidth = 32Gbps\n", 3, "no key 'bandwidth' in section 'links'");
	refused("bandwidth = 32Gbps\n", 1, "no key");
	refused("[link]\nbandwidth = 32\n", 2, "has no unit (bps, kbps, Mbps, Gbps, Tbps)");
	refused("[link]\nbandwidth = 32Gb\n", 2, "unknown unit");
	refused("[link]\nbandwidth = 0Gbps\n", 2, "carries nothing");
	refused("[link]\nbandwidth = inf\n", 2, "not a number");
	refused("[link]\npropagation = -1ns\n", 2, "not a number");
	refused("[link]\npropagation = 1e300 s\n", 2, "too large");
	refused("[link]\n\n\nbandwidth = 1Gbps\n; x\nbandwidth = 2Gbps\n", 6, "set before");
	refused("[link]\nbandwidth\n", 2, "neither [section] nor key = value");
	refused("[link\n", 1, "neither [section] nor key = value");
	refused("[traffic]\nload = 0.5, 1.5\n", 2, "1.5 is out of range");
	refused("[traffic]\nload =\n", 2, "no value");
	refused("[traffic]\npattern = best\n", 2, "no traffic pattern 'best'");
	refused("[traffic]\narrival = never\n", 2, "no arrival process 'never'");
	refused("[routing]\nengine = best\n", 2, "no engine 'best'");
	refused("[switch]\nvoq = maybe\n", 2, "neither yes nor no");
	refused("[switch]\nmodel = magic\n", 2, "no switch model 'magic'");
	refused("[switch]\nbuffer = 0 packets\n", 2, "at least one");
	refused("[traffic]\npacket = 4KiB\n[switch]\nbuffer = 2KiB\n", 4, "does not fit");
	refused("[host]\nslow = 1..\n", 2, "no list of hosts");
	refused("[host]\nslow = 5..1\n", 2, "no list of hosts");
	refused("[host]\nslow = 1,2,\n", 2, "");
	refused("[host]\nconsumption = 0\n", 2, "out of range");
	refused("[run]\nmeasure = 0\n", 2, "empty");
	refused("[run]\nwarmup = auto\n", 2, "not a number");
	refused("[run]\nmeasure = auto\nwarmup = 0\n", 3, "needs one to begin with");
	refused("[run]\nmeasure = auto\nlongest = 799us\n", 3, "no room for two windows");
	refused("[run]\nclock = cycles\n[link]\nbandwidth = 0.7\n", 4, "whole number of twelfths");
	refused("[run]\nclock = cycles\n[link]\npropagation = 5ns\n", 4, "unknown unit");
	refused("[traffic]\nphases = uniform then uniform\n", 2, "phase 1 has no end");
	refused("[traffic]\nphases = uniform until=2us then until=1us then uniform\n", 2,
		"ends before");
	refused("[traffic]\nphases = uniform then best\n", 2, "");
	refused("[traffic]\nphases = uniform until=delivered: then uniform\n", 2,
		"'' is no number of packets");
	refused("[traffic]\nphases = uniform until=delivered:0 then uniform\n", 2,
		"'0' is no number of packets");
	refused("[traffic]\nphases = uniform until=delivered:9 then uniform until=delivered:9\n", 2,
		"the last phase has no end");
	refused("[traffic]\nphases = uniform until=delivered:9 then uniform\n[run]\nmeasure = "
		"auto\n",
		4, "hangs on deliveries");
}

static void test_overrides(void **state)
{
	const char text[] = "[traffic]\nload = 0.1:0.9:0.1\n";
	struct hd_scenario *scenario = hd_scenario_new();
	struct hd_error err = { 0 };

	(void)state;
	assert_hd_ok(hd_scenario_read_text(scenario, "test.ini", text, strlen(text), &err), err);
	assert_hd_ok(hd_scenario_set_pair(scenario, "traffic.load=0.3", &err), err);
	assert_hd_ok(hd_scenario_set_pair(scenario, "voq = yes", &err), err);
	assert_int_equal(hd_scenario_set_pair(scenario, "traffic.loud=0.3", &err), HD_EINVAL);
	assert_hd_says(err, "no key 'traffic.loud'");
	assert_int_equal(hd_scenario_set_pair(scenario, "traffic.load", &err), HD_EINVAL);
	assert_hd_says(err, "section.key=value");
	assert_hd_ok(hd_scenario_finish(scenario, &err), err);
	assert_int_equal(scenario->n_points, 1);
	assert_true(hd_scenario_quantity(scenario, 0, HD_TRAFFIC_LOAD)->real == 0.3);
	assert_true(hd_scenario_quantity(scenario, 0, HD_SWITCH_VOQ)->whole == 1);
	hd_scenario_free(scenario);
}

static void test_phases_and_classes_of_links(void **state)
{
	struct hd_scenario *scenario =
		read_text("[link]\npropagation_global = 100ns\n[switch]\nbuffer = 2\n"
			  "buffer_global = 32KiB\n[traffic]\nload = 0.4\n"
			  "phases = uniform load=0.1 until=10us then until=20us packet=2KiB then "
			  "arrival=deterministic\n");
	struct hd_error err = { 0 };
	struct hd_setup setup;

	(void)state;
	assert_hd_ok(hd_setup_make(scenario, 0, &setup, &err), err);
	assert_int_equal(setup.n_phases, 3);
	assert_true(setup.phases[0].load == 0.1 && setup.phases[1].load == 0.4);
	assert_int_equal(setup.phases[0].until, 10000000);
	assert_int_equal(setup.phases[1].size, 32);
	assert_true(setup.phases[2].until == UINT64_MAX);
	assert_string_equal(setup.phases[2].arrival, "deterministic");
	assert_string_equal(setup.phases[2].pattern, "uniform");
	assert_int_equal(setup.model.links[HD_LINK_TERMINAL].propagation, 6000);
	assert_int_equal(setup.model.links[HD_LINK_GLOBAL].propagation, 100000);
	assert_int_equal(setup.model.links[HD_LINK_LOCAL].buffer, 128);
	assert_int_equal(setup.model.links[HD_LINK_GLOBAL].buffer, 512);
	hd_setup_clear(&setup);
	hd_scenario_free(scenario);
}

/*
 * A phase that ends when so many packets of a class have arrived, one in 20 cycles; hosts go on
 * with the next one at once, and with nothing of the phase that is over.
 */
static void test_phases_that_end_by_deliveries(void **state)
{
	(void)state;
	for (unsigned n = 250; n <= 1000; n *= 2) {
		const struct hd_measure_class *classes;
		char text[512];
		struct made m;

		snprintf(text, sizeof(text),
			 "[fabric]\ntopology = torus:4x4\n[routing]\nengine = hdor\n[run]\n"
			 "clock = cycles\nwarmup = 1\nmeasure = 40000\n[traffic]\nload = 0.3\n"
			 "arrival = deterministic\n"
			 "phases = uniform load=0 until=10000 then "
			 "hotspot:form=osha,sources=4,rate=0.2,at=9 until=delivered:%u:hotspot "
			 "then shift:1 load=0.1\n",
			 n);
		make(&m, text);
		classes = m.result.measure->classes;
		/* "all", "background", "hotspot"; some were under way */
		assert_in_range(classes[2].packets, n, n + 40);
		assert_near((double)classes[1].packets / (12 * 0.3 * 1.25 * n), 1, 0.1);
		assert_near((double)classes[0].packets / (2 * (1500.0 - n)), 1, 0.1);
		finish(&m);
	}
}

/* switch.voq is as ever; switch.buffering names the same, and must not contradict it. */
static void test_buffering(void **state)
{
	static const struct {
		const char *keys;
		const struct hd_buffering *buffering; /* NULL: as the model's default */
	} cases[] = {
		{ "", NULL },
		{ "voq = no\n", NULL },
		{ "voq = yes\n", &hd_buffering_voq },
		{ "buffering = fifo\n", &hd_buffering_fifo },
		{ "buffering = voq\n", &hd_buffering_voq },
		{ "voq = yes\nbuffering = voq\n", &hd_buffering_voq },
	};
	struct hd_scenario *scenario;
	struct hd_error err = { 0 };
	struct hd_setup setup;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char text[64];

		snprintf(text, sizeof(text), "[switch]\n%s", cases[i].keys);
		scenario = read_text(text);
		assert_hd_ok(hd_setup_make(scenario, 0, &setup, &err), err);
		assert_ptr_equal(setup.model.buffering, cases[i].buffering);
		hd_setup_clear(&setup);
		hd_scenario_free(scenario);
	}
	scenario = read_text("[switch]\nvoq = yes\nbuffering = fifo\n");
	assert_int_equal(hd_setup_make(scenario, 0, &setup, &err), HD_EINVAL);
	assert_int_equal(err.line, 3);
	assert_hd_says(err, "switch.buffering");
	assert_hd_says(err, "switch.voq = yes says otherwise");
	hd_scenario_free(scenario);
}

static void test_light_load(void **state)
{
	struct made m;

	(void)state;
	make(&m, "[traffic]\nload = 0.2\n[run]\nmeasure = 2ms\n");
	assert_true(fabs(column(&m, "offered") - 0.2) < 0.01);
	assert_true(fabs(column(&m, "accepted") - column(&m, "offered")) < 0.002);
	assert_true(column(&m, "saturated") == 0 && column(&m, "deadlock") == 0);
	assert_true(column(&m, "steady") == 1);
	/* a packet takes 1024 ns, a link 6, a switch 100 */
	assert_true(m.result.measure->classes[0].latency.min >= 1136000);
	assert_true(column(&m, "hops_mean") > 4 && column(&m, "hops_max") == 5);
	/* every packet crosses a host's link once: its load is that of hosts */
	assert_true(fabs(m.result.utilisation[HD_KIND_INJECTION].mean - column(&m, "offered")) <
		    0.005);
	assert_true(fabs(m.result.utilisation[HD_KIND_EJECTION].mean - column(&m, "accepted")) <
		    0.005);
	assert_true(column(&m, "source_jain") > 0.95);
	finish(&m);
}

/* Buffers are measured when asked for; nothing else changes. */
static void test_fullness_of_buffers(void **state)
{
	const char text[] = "[traffic]\nload = 0.9\n[switch]\nbuffer = 4 packets\n[run]\nmeasure = "
			    "500us\nbuffers = %s\n";
	double accepted = 0;

	(void)state;
	for (unsigned on = 0; on < 2; on++) {
		double mean, full, empty, sum = 0;
		char whole[256];
		struct made m;

		snprintf(whole, sizeof(whole), text, on ? "yes" : "no");
		make(&m, whole);
		mean = column(&m, "buffer_mean");
		full = column(&m, "buffer_full");
		empty = column(&m, "buffer_empty");
		if (!on) {
			accepted = column(&m, "accepted");
			assert_true(isnan(mean) && isnan(full) && isnan(empty));
			assert_null(m.result.buffer_slices);
			finish(&m);
			continue;
		}
		assert_true(column(&m, "accepted") == accepted);
		assert_true(mean > 0 && mean < 4 && full > 0 && empty > 0 && full + empty < 1);
		assert_true(fabs(mean / 4 - column(&m, "buffer_share")) < 1e-9);
		assert_true(column(&m, "buffer_max") == 4);
		/* the window is its slices */
		for (unsigned i = 0; i < m.setup.slices; i++)
			sum += m.result.buffer_slices[i].full;
		assert_true(fabs(sum / m.result.buffers.switches.full - 1) < 1e-9);
		assert_true(fabs((double)m.result.buffers.switches.ticks /
					 m.result.buffers.switches.n / (double)m.setup.window -
				 1) < 1e-9);
		assert_int_equal(m.result.buffers.inputs[HD_KIND_INJECTION].n, 2 * 72);
		assert_int_equal(m.result.buffers.outputs[HD_KIND_EJECTION].n, 0);
		finish(&m);
	}
}

/* Sources by their switch: all alike under uniform traffic. */
static void test_fairness_of_switches(void **state)
{
	struct made m;
	double mean = 0;

	(void)state;
	make(&m, "[traffic]\nload = 0.3\n");
	assert_int_equal(m.result.n_switches, 36);
	for (unsigned i = 0; i < 36; i++)
		mean += m.result.switches[i] / 36;
	assert_true(isnan(m.result.switches[36]));
	assert_true(fabs(mean - column(&m, "accepted")) < 1e-9);
	assert_true(column(&m, "switch_min") > column(&m, "source_min"));
	assert_true(column(&m, "switch_max") < column(&m, "source_max"));
	assert_true(column(&m, "switch_jain") > column(&m, "source_jain"));
	finish(&m);
}

/*
 * Two hosts of one switch throw a packet to and fro, 100 ns after each receipt: every throw takes a
 * packet, a switch and two links. Then the run has ended, unless time was too short.
 */
static void test_execution_time_of_a_trace(void **state)
{
	const double throw = 4096 * 8 / 32.0 + 100 + 2 * 6;
	char path[] = "/tmp/heddle-trace-XXXXXX", text[512];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");
	struct made m;

	(void)state;
	assert_non_null(file);
	fprintf(file, "0 0 1 4096\n");
	for (unsigned i = 1; i < 10; i++)
		fprintf(file, "100 %u %u 4096 received %u\n", i % 2, 1 - i % 2, i - 1);
	fclose(file);
	for (unsigned i = 0; i < 2; i++) {
		snprintf(text, sizeof(text),
			 "[traffic]\npattern = trace:%s,ticks=1000\n[run]\nwarmup = 0\n"
			 "measure = %s\n",
			 path, i ? "12us" : "13us");
		make(&m, text);
		if (i)
			assert_true(isnan(column(&m, "makespan")));
		else
			assert_true(fabs(hd_result_time(HD_CLOCK_TIME, column(&m, "makespan")) -
					 (10 * throw +9 * 100)) < 1e-6);
		assert_int_equal(m.result.census.delivered, i ? 9 : 10);
		finish(&m);
	}
	unlink(path);
	/* traffic that never ends */
	make(&m, "[traffic]\nload = 0.1\n[run]\nmeasure = 10us\n");
	assert_true(isnan(column(&m, "makespan")));
	finish(&m);
}

/* 40 MB take 10 ms: the window is past what the trace says, and its source still sends. */
static void test_a_source_of_an_earlier_time(void **state)
{
	char path[] = "/tmp/heddle-trace-XXXXXX", text[512];
	int fd = mkstemp(path);
	FILE *file = fdopen(fd, "w");
	struct made m;

	(void)state;
	assert_non_null(file);
	fprintf(file, "0 0 1 40000000\n");
	fclose(file);
	snprintf(text, sizeof(text),
		 "[fabric]\ntopology = tree:k=2,n=1\n[routing]\nengine = minhop\n"
		 "[traffic]\npattern = trace:%s\n",
		 path);
	make(&m, text);
	assert_true(column(&m, "offered") == 0);
	assert_near(column(&m, "accepted"), 0.5, 0.002);
	assert_near(column(&m, "source_max"), 1, 0.004);
	assert_near(column(&m, "source_min"), 1, 0.004);
	assert_near(column(&m, "switch_max"), 1, 0.004);
	finish(&m);
	unlink(path);
}

#define ADVERSARIAL "[traffic]\npattern = adversarial\nload = 0.3\n"

/*
 * Minimal routes to one other group: buffers take 0.6 ms to fill, while as much arrives as later.
 */
static void test_a_window_that_is_extended(void **state)
{
	struct made m;
	double network, accepted, window;
	char text[256];

	(void)state;
	make(&m, ADVERSARIAL "[run]\nmeasure = 200us\n");
	network = column(&m, "network_latency_mean");
	accepted = column(&m, "accepted");
	assert_true(column(&m, "steady") == 0);
	finish(&m);

	make(&m, ADVERSARIAL "[run]\nmeasure = auto\n");
	assert_true(column(&m, "steady") == 1 && column(&m, "saturated") == 1);
	assert_near(column(&m, "accepted"), accepted, 0.01);
	assert_true(column(&m, "network_latency_mean") > 1.2 * network);
	network = column(&m, "network_latency_mean");
	window = column(&m, "window");
	assert_true(window >= 800e6 && window < 3200e6);
	assert_true((double)m.result.measure->options.begin == window);
	assert_near(m.result.utilisation[HD_KIND_EJECTION].mean, column(&m, "accepted"), 0.002);
	finish(&m);

	/* the same window when it is given */
	snprintf(text, sizeof(text), ADVERSARIAL "[run]\nwarmup = %.0fus\nmeasure = %.0fus\n",
		 window / 1e6, window / 1e6);
	make(&m, text);
	assert_true(column(&m, "network_latency_mean") == network);
	finish(&m);

	/* it has to end */
	make(&m, ADVERSARIAL "[run]\nmeasure = auto\nlongest = 900us\nbuffers = yes\n");
	assert_true(column(&m, "steady") == 0);
	assert_true(column(&m, "window") == 400e6);
	assert_near(m.result.buffers.switches.ticks / m.result.buffers.switches.n, 400e6, 1);
	finish(&m);

	/* a trace that is over */
	make(&m, "[traffic]\nload = 0\n[run]\nmeasure = auto\n");
	assert_true(column(&m, "steady") == 1);
	finish(&m);

	/* with phases, all windows are in the last one */
	make(&m, "[traffic]\nphases = uniform load=0.9 until=500us then uniform load=0.1\n"
		 "[run]\nmeasure = auto\n");
	assert_true(column(&m, "steady") == 1);
	assert_near(column(&m, "accepted"), 0.1, 0.01);
	assert_true(fmod(column(&m, "window"), 500e6) == 0);
	finish(&m);
}

static void test_replies_are_a_class(void **state)
{
	struct made m;

	(void)state;
	make(&m, "[traffic]\nload = 0.2\nreply = yes\n");
	assert_int_equal(m.result.measure->options.n_classes, 2);
	assert_string_equal(m.result.class_names[0], "request");
	assert_string_equal(m.result.class_names[1], "reply");
	assert_true(m.result.measure->classes[1].packets > 1000);
	finish(&m);
}

/* Each channel leads to the switch that the next one leaves. */
static void check_cycle(const struct made *m)
{
	const struct hd_fabric *fabric = m->network->fabric;
	const struct hd_result *r = &m->result;

	assert_true(r->n_cycle >= 2);
	for (size_t i = 0; i < r->n_cycle; i++)
		assert_int_equal(fabric->ports[fabric->ports[r->cycle[i].port].peer].node,
				 fabric->ports[r->cycle[(i + 1) % r->n_cycle].port].node);
}

static void test_deadlock_is_a_result(void **state)
{
	struct made m;

	(void)state;
	make(&m, "[routing]\nengine = minhop\n[switch]\nbuffer = 1\n[traffic]\nload = 1\n");
	assert_true(m.result.is_deadlocked && m.result.is_saturated);
	check_cycle(&m);
	finish(&m);
	make(&m, "[routing]\nengine = dla\n[switch]\nbuffer = 1\n[traffic]\nload = 1\n"
		 "[run]\nmeasure = 3ms\n");
	assert_false(m.result.is_deadlocked);
	assert_true(column(&m, "accepted") > 0.3);
	finish(&m);
}

#define DAMQ(topology, engine, reserved, buffer, more)                                     \
	"[fabric]\ntopology = " topology "\n[routing]\nengine = " engine "\nmax_vls = 2\n" \
	"[traffic]\nload = 1\n[run]\nwarmup = 100us\nmeasure = 900us\n"                    \
	"[switch]\ndamq = yes\ndamq_reserved = " reserved "\nbuffer = " buffer " packets\n" more

#define DRAGONFLY "dragonfly:a=4,p=2,h=2"

/*
 * VLs that share all but less than a packet each are no lanes: a head waits for whoever has what is
 * shared, while the buffer of its own VL is empty.
 */
static void test_deadlock_of_what_is_shared(void **state)
{
	static const char *const deadlocked[] = {
		DAMQ(DRAGONFLY, "dla", "0", "2", ""),
		DAMQ(DRAGONFLY, "dla", "0", "2", "model = cioq\nspeedup = 2\n"),
		DAMQ(DRAGONFLY, "dla", "0", "2", "voq = yes\n"),
		DAMQ(DRAGONFLY, "d3r", "0", "2", ""),
		DAMQ(DRAGONFLY, "dla", "0.01", "1", ""),
		DAMQ("torus:8,p=1", "hdor", "0", "2", ""),
		DAMQ("torus:8,p=1", "hdor", "0", "2", "voq = yes\n"),
		("[routing]\nengine = df-sssp\nmax_vls = 3\n[traffic]\nload = 1\n"
		 "[switch]\ndamq = yes\ndamq_reserved = 0\nbuffer = 1\n"),
	};
	static const char *const sound[] = {
		DAMQ(DRAGONFLY, "dla", "0.5", "2", ""),
		DAMQ(DRAGONFLY, "dla", "0.25", "4", ""),
		DAMQ(DRAGONFLY, "dla", "0.25", "4", "voq = yes\n"),
		DAMQ(DRAGONFLY, "dla", "0.75", "2", "model = cioq\nspeedup = 2\n"),
		DAMQ("torus:8,p=1", "hdor", "0.25", "4", ""),
		DAMQ("torus:8,p=1", "hdor", "0.75", "2", "voq = yes\n"),
	};

	(void)state;
	for (size_t i = 0; i < sizeof(deadlocked) / sizeof(deadlocked[0]); i++) {
		struct made m;

		make(&m, deadlocked[i]);
		if (!m.result.is_deadlocked)
			fail_msg("no deadlock of %s", deadlocked[i]);
		assert_true(column(&m, "steady") == 0 && column(&m, "saturated") == 1);
		check_cycle(&m);
		finish(&m);
	}
	for (size_t i = 0; i < sizeof(sound) / sizeof(sound[0]); i++) {
		struct made m;

		make(&m, sound[i]);
		if (m.result.is_deadlocked)
			fail_msg("a deadlock of %s", sound[i]);
		assert_true(column(&m, "accepted") > 0.1);
		finish(&m);
	}
}

/* Outcomes by run. */
struct collected {
	char *cells[64];
};

static void collect(void *context, size_t run, struct hd_outcome *outcome)
{
	struct collected *collected = context;

	collected->cells[run] = strdup(outcome->cells);
	hd_outcome_clear(outcome);
}

/*
 * With @engine on @fabric a run gives what it gives where the scenario names @policy, and else not.
 */
static void assert_policy(const char *engine, const char *fabric, const char *policy)
{
	static const char *const policies[] = { "", "first", "roundrobin", "leastoccupied" };
	double latency[4];
	unsigned wanted = 0;

	for (unsigned i = 0; i < 4; i++) {
		struct made m;
		char text[512];

		snprintf(text, sizeof(text),
			 "[fabric]\ntopology = %s\n[routing]\nengine = %s\n[host]\npolicy = %s\n"
			 "[traffic]\nload = 0.6\n[run]\nwarmup = 0\nmeasure = 50us\n",
			 fabric, engine, policies[i]);
		make(&m, text);
		latency[i] = column(&m, "latency_mean");
		finish(&m);
		if (strcmp(policies[i], policy) == 0)
			wanted = i;
	}
	for (unsigned i = 1; i < 4; i++)
		if (latency[wanted] == latency[i] ? latency[0] != latency[i]
						  : latency[0] == latency[i])
			fail_msg("%s: hosts do not choose LIDs by '%s': %s", engine, policy,
				 policies[i]);
}

/* With no other option set, hosts do what the engine's routes are made for. */
static void test_engines_have_their_hosts(void **state)
{
	assert_policy("d3r", "dragonfly:h=2", "first");
	assert_policy("df-minhop", "dragonfly:h=2", "first");
	assert_policy("df-sssp", "dragonfly:h=2", "first");
	assert_policy("dfval", "dragonfly:h=2", "roundrobin");
	assert_policy("dla", "dragonfly:h=2", "first");
	assert_policy("hdor", "torus:4x4", "first");
	assert_policy("minhop", "tree:k=4,n=2", "first");
	assert_policy("osha", "kns:k=4,n=2", "roundrobin");
	assert_policy("sasha", "kns:k=4,n=2", "leastoccupied");
	assert_policy("updn", "tree:k=4,n=2", "first");
}

static void assert_misspelt(const char *host_policy, const char *scheduler, const char *words)
{
	struct hd_engine engine = *hd_engine_find("minhop");
	struct hd_model_options options = { .host_policy = &hd_host_first,
					    .scheduler = &hd_scheduler_rr };
	struct hd_error err = { 0 };

	engine.policy.name = "careless";
	engine.host_policy = host_policy;
	engine.scheduler = scheduler;
	assert_int_equal(hd_setup_follow_engine(&engine, &options, &err), HD_EINVAL);
	assert_hd_says(err, words);
}

/* What engines need of the model exists; what is misspelt is told, and is not the default. */
static void test_engines_name_policies_that_there_are(void **state)
{
	(void)state;
	for (size_t e = 0; hd_engine_at(e); e++) {
		const struct hd_engine *engine = hd_engine_at(e);
		struct hd_model_options options = { 0 };
		struct hd_error err = { 0 };

		assert_hd_ok(hd_setup_follow_engine(engine, &options, &err), err);
		assert_int_equal(!options.host_policy, !engine->host_policy);
		assert_int_equal(!options.scheduler, !engine->scheduler);
	}
	assert_misspelt("rounrobin", "vlarb",
			"engine careless names host policy 'rounrobin', which does not exist");
	assert_misspelt("first", "vlarbb", "scheduler 'vlarbb'");
}

static void test_threads_change_nothing(void **state)
{
	struct hd_scenario *scenario =
		read_text("[routing]\nqueues = single:1, dbbm:2\n[traffic]\nload = 0.2, 0.9\n"
			  "[run]\nwarmup = 10us\nmeasure = 50us\nseeds = 1..3\n");
	struct collected one = { 0 }, several = { 0 };
	size_t runs[12];

	(void)state;
	assert_int_equal(scenario->n_runs, 12);
	for (size_t i = 0; i < 12; i++)
		runs[i] = i;
	for (unsigned jobs = 1; jobs <= 4; jobs += 3) {
		struct hd_networks *networks = hd_networks_new(scenario, NULL, NULL);
		const struct hd_sweep sweep = { .scenario = scenario,
						.networks = networks,
						.with_details = true };
		struct hd_work *work = hd_work_new(runs, 12, collect, jobs == 1 ? &one : &several);
		struct hd_error err = { 0 };

		for (size_t i = 0; i < 12; i++)
			hd_networks_expect(networks, hd_run_point(scenario, i), 1);
		hd_sweep_threads(&sweep, work, jobs);
		assert_hd_ok(hd_work_error(work, &err), err);
		hd_work_free(work);
		hd_networks_free(networks);
	}
	for (size_t i = 0; i < 12; i++) {
		assert_string_equal(one.cells[i], several.cells[i]);
		if (i)
			assert_string_not_equal(one.cells[i], one.cells[i - 1]);
		assert_true(hd_cell_number(one.cells[i], 0) > 0.1);
		assert_true(isnan(hd_cell_number(one.cells[i], HD_RESULT_COLUMNS - 1)));
	}
	for (size_t i = 0; i < 12; i++) {
		free(one.cells[i]);
		free(several.cells[i]);
	}
	hd_scenario_free(scenario);
}

/* The cells of the first run of @text, on @given or on what it says. */
static char *first_cells(const char *text, struct hd_snapshot *given)
{
	struct hd_scenario *scenario = hd_scenario_new();
	struct hd_sweep sweep = { .scenario = scenario };
	struct hd_outcome outcome;
	struct hd_error err = { 0 };
	char *cells;

	assert_non_null(scenario);
	scenario->given = given;
	assert_hd_ok(hd_scenario_read_text(scenario, "test.ini", text, strlen(text), &err), err);
	assert_hd_ok(hd_scenario_finish(scenario, &err), err);
	sweep.networks = hd_networks_new(scenario, NULL, NULL);
	assert_non_null(sweep.networks);
	hd_networks_expect(sweep.networks, 0, 1);
	assert_hd_ok(hd_sweep_run(&sweep, 0, &outcome, &err), err);
	cells = strdup(outcome.cells);
	hd_outcome_clear(&outcome);
	hd_networks_free(sweep.networks);
	hd_scenario_free(scenario);
	return cells;
}

#define TRAFFIC "[traffic]\nload = 0.5\n[run]\nwarmup = 10us\nmeasure = 50us\n"

static void test_tables_that_a_program_has(void **state)
{
	const struct hd_route_request request = { 0 };
	struct hd_snapshot given = { .fabric = build_fabric("tree:k=4,n=2", 0) };
	struct hd_scenario *scenario = hd_scenario_new();
	const char *const key = "[routing]\nengine = dmodc\n";
	struct hd_error err = { 0 };
	char *own, *said;

	(void)state;
	given.provenance.engine = (char *)"dmodc";
	assert_hd_ok(hd_route(hd_engine_find("dmodc"), given.fabric, &request, &given.tables, &err),
		     err);
	own = first_cells(TRAFFIC, &given);
	said = first_cells("[fabric]\ntopology = tree:k=4,n=2\n[routing]\nengine = dmodc\n" TRAFFIC,
			   NULL);
	assert_string_equal(own, said);
	free(own);
	free(said);

	scenario->given = &given;
	assert_hd_ok(hd_scenario_read_text(scenario, "test.ini", key, strlen(key), &err), err);
	assert_int_equal(hd_scenario_finish(scenario, &err), HD_EINVAL);
	assert_hd_says(err, "routing.engine: fabric and tables are given");
	assert_int_equal(err.line, 2);
	hd_scenario_free(scenario);
	hd_tables_free(given.tables);
	hd_fabric_free(given.fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_default_is_possible),
		cmocka_unit_test(test_several_pairs_share_a_line),
		cmocka_unit_test(test_lists),
		cmocka_unit_test(test_bad_scenarios_are_told_with_their_line),
		cmocka_unit_test(test_overrides),
		cmocka_unit_test(test_phases_and_classes_of_links),
		cmocka_unit_test(test_phases_that_end_by_deliveries),
		cmocka_unit_test(test_buffering),
		cmocka_unit_test(test_light_load),
		cmocka_unit_test(test_fullness_of_buffers),
		cmocka_unit_test(test_fairness_of_switches),
		cmocka_unit_test(test_execution_time_of_a_trace),
		cmocka_unit_test(test_a_source_of_an_earlier_time),
		cmocka_unit_test(test_a_window_that_is_extended),
		cmocka_unit_test(test_replies_are_a_class),
		cmocka_unit_test(test_deadlock_is_a_result),
		cmocka_unit_test(test_deadlock_of_what_is_shared),
		cmocka_unit_test(test_engines_have_their_hosts),
		cmocka_unit_test(test_engines_name_policies_that_there_are),
		cmocka_unit_test(test_threads_change_nothing),
		cmocka_unit_test(test_tables_that_a_program_has),
	};

	return cmocka_run_group_tests_name("scenario", tests, NULL, NULL);
}
