// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Classes of traffic and schedulers by shares, in the model. */
#include "tests/unit/scenario_case.h"

#include <unistd.h>

#include "vlarb/sbt.h"

#define CLASSES 5

#define FLAT "buffer = 32 packets\nvoq = yes"
#define HIERARCHICAL                                                                               \
	"model = hierarchical\nport_buffer = 64KiB\noutput = 64KiB\ncentral = 256KiB\ndamq_max = " \
	"0.5"

static const char *const names[CLASSES] = { "VO", "VI", "CL", "BE", "BK" };

/* The classes of the paper; @equal: all packets are of 1 KiB; @lanes: of BE and BK. */
static void write_classes(const char *path, bool equal, const char *lanes)
{
	static const unsigned packets[CLASSES] = { 128, 256, 512, 1024, 1024 };
	static const unsigned shares[CLASSES] = { 10, 30, 50, 5, 5 };
	static const unsigned distances[CLASSES] = { 2, 4, 8, 16, 16 };
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	for (unsigned c = 0; c < CLASSES; c++)
		fprintf(file, "[class %s]\nshare = %u%%\npacket = %u\ndistance = %u\n%s%s\n",
			names[c], shares[c], equal ? 1024 : packets[c], distances[c],
			*lanes && c > 2 ? "lanes = " : "", c > 2 ? lanes : "");
	assert_int_equal(fclose(file), 0);
}

/* What arrived of each class, of all that arrived. */
static void get_shares(const struct hd_result *result, double *shares)
{
	const double all = (double)hd_measure_all(result->measure)->accepted;

	assert_int_equal(result->measure->options.n_classes, CLASSES);
	for (unsigned c = 0; c < CLASSES; c++) {
		assert_string_equal(result->class_names[c], names[c]);
		shares[c] = (double)result->measure->classes[c].accepted / all;
	}
}

/*
 * Packets of all classes wait all the time: at hosts, of which each sends to one; at the port that
 * four hosts send by to the other switch.
 */
static const struct fabric {
	const char *topology, *pattern, *switches;
} fabrics[] = {
	{ "hyperx:1,p=8", "shift:1", FLAT },
	{ "hyperx:2,p=4", "shift:4", FLAT },
};

/* Switches whose scheduler is at the link, behind output queues (docs/model.md). */
static const struct fabric hierarchical[] = {
	{ "hyperx:1,p=8", "shift:1", HIERARCHICAL },
	{ "hyperx:2,p=4", "shift:4", HIERARCHICAL },
};

/* What a fabric shows, beside the granularity of turns. */
#define TOLERANCE .005

struct wanted {
	const char *keys; /* of the scenario */
	double shares[CLASSES];
};

static void assert_served(const char *file, const struct fabric *fabric, bool equal,
			  const struct wanted *wanted)
{
	static const unsigned packets[CLASSES] = { 128, 256, 512, 1024, 1024 };
	char text[4096];
	double shares[CLASSES];
	struct made m;
	int n = snprintf(text, sizeof(text),
			 "[fabric]\ntopology = %s\n[routing]\nengine = minhop\nclasses = %s\n"
			 "[traffic]\npacket = 1KiB\npattern = %s\n"
			 "[run]\nwarmup = 200us\nmeasure = 1ms\n"
			 "[switch]\n%s\n%s\n",
			 fabric->topology, file, fabric->pattern, fabric->switches, wanted->keys);

	for (unsigned c = 0; c < CLASSES; c++)
		n += snprintf(text + n, sizeof(text) - (size_t)n,
			      "[traffic %s]\nload = 0.9\npacket = %uB\n", names[c],
			      equal ? 1024 : packets[c]);
	make(&m, text);
	get_shares(&m.result, shares);
	for (unsigned c = 0; c < CLASSES; c++)
		if (!(fabs(shares[c] - wanted->shares[c]) <= TOLERANCE))
			fail_msg("%s, %s: %s has %.4f, not %.4f", fabric->topology, wanted->keys,
				 names[c], shares[c], wanted->shares[c]);
	finish(&m);
}

static char *class_file(bool equal, const char *lanes)
{
	char *path = strdup("/tmp/heddle-classes-XXXXXX");
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	write_classes(path, equal, lanes);
	return path;
}

static void remove_file(char *path)
{
	unlink(path);
	free(path);
}

static void backlogged_with_own_packets(void **state)
{
	static const struct wanted cases[] = {
		{ "scheduler = sbt", { .1, .3, .5, .05, .05 } },
		{ "scheduler = dtable", { .1, .3, .5, .05, .05 } },
		{ "scheduler = vlarb", { .1, .3, .5, .05, .05 } },
		{ "", { .1, .3, .5, .05, .05 } }, /* classes have their shares */
		/* the paper's weights, packets of 2 4 8 16 16 units, and as many more for each */
		{ "scheduler = sbt-literal", { .0286, .1695, .5673, .1173, .1173 } },
		/* a packet of each in turn */
		{ "scheduler = rr", { .0435, .0870, .1739, .3478, .3478 } },
		{ "scheduler = sbt\nweights = 1 1 1 1 1", { .0435, .0870, .1739, .3478, .3478 } },
	};
	char *file = class_file(false, "");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (unsigned f = HD_IS_SLOW ? i % 2 : 0; f < 2; f += HD_IS_SLOW ? 2 : 1)
			assert_served(file, &fabrics[f], false, &cases[i]);
	remove_file(file);
}

static void backlogged_with_equal_packets(void **state)
{
	static const struct wanted cases[] = {
		{ "scheduler = rr", { .2, .2, .2, .2, .2 } },
		{ "scheduler = sbt", { .1, .3, .5, .05, .05 } },
		{ "scheduler = sbt-literal", { .101, .299, .497, .0515, .0515 } },
		{ "scheduler = dtable\ndtable = 128,16,20,5", { .1, .3, .5, .05, .05 } },
	};
	char *file = class_file(true, "");

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		for (unsigned f = 0; f < 2; f++)
			assert_served(file, &fabrics[f], true, &cases[i]);
	remove_file(file);
}

/* At the link of a hierarchical switch: shares by VL arbitration, and VLs alike in turn. */
static void backlogged_behind_output_queues(void **state)
{
	static const struct wanted own[] = {
		{ "scheduler = vlarb", { .1, .3, .5, .05, .05 } },
		{ "scheduler = sbt", { .1, .3, .5, .05, .05 } },
		{ "scheduler = dtable", { .1, .3, .5, .05, .05 } },
	};
	static const struct wanted equal[] = {
		{ "scheduler = vlarb", { .1, .3, .5, .05, .05 } },
		{ "scheduler = rr", { .2, .2, .2, .2, .2 } },
	};
	char *own_file = class_file(false, ""), *equal_file = class_file(true, "");

	for (unsigned f = 0; f < (HD_IS_SLOW ? 1 : 2); f++) {
		for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
			assert_served(own_file, &hierarchical[f], false, &own[i]);
		for (size_t i = 0; i < sizeof(equal) / sizeof(equal[0]); i++)
			assert_served(equal_file, &hierarchical[f], true, &equal[i]);
	}
	remove_file(own_file);
	remove_file(equal_file);
}

/*
 * Table 7: two VLs for each class, here by the destination's number; BE and BK have the same. A
 * host that sends to all has packets on all eight.
 */
static void literal_with_two_vls(void **state)
{
	static const struct fabric all = { "hyperx:1,p=8\n[routing]\nqueues = dbbm:2", "uniform",
					   FLAT };
	static const struct wanted cases[] = {
		{ "scheduler = sbt-literal", { .25, .25, .25, .125, .125 } },
		{ "scheduler = sbt-literal", { .0667, .1333, .2667, .2667, .2667 } },
		{ "scheduler = sbt-literal\nweights = 20 20 20 20 20",
		  { .0667, .1333, .2667, .2667, .2667 } },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *file = class_file(i == 0, "rest");

		assert_served(file, &all, i == 0, &cases[i]);
		remove_file(file);
	}
}

/* What the first of two VLs that always have packets gets, by Algorithm 1. */
static double serve_literally(uint32_t first, uint32_t second)
{
	const struct hd_sbt sbt = { .is_literal = true,
				    .n_vls = 2,
				    .n_entries = 2,
				    .weights = { first, second },
				    .class_of = { 0, 1 } };
	struct hd_sbt_port port;
	unsigned sent = 0;

	hd_sbt_begin(&sbt, &port);
	for (unsigned i = 0; i < 100000; i++)
		sent += !hd_sbt_serve(&sbt, &port, 3);
	return sent / 100000.;
}

/*
 * Shares that are no whole percents have the weights of heddle qos plan --sbt: 33 and 67 packets.
 */
static void literal_thirds(void **state)
{
	static const char classes[] = "[class a] share = 1/3\n[class b] share = 2/3\n";
	char text[512], path[] = "/tmp/heddle-classes-XXXXXX";
	int fd = mkstemp(path);
	struct made m;
	double got;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, classes, sizeof(classes) - 1), sizeof(classes) - 1);
	close(fd);
	snprintf(text, sizeof(text),
		 "[fabric]\ntopology = hyperx:1,p=2\n[routing]\nengine = minhop\nclasses = %s\n"
		 "[traffic]\npacket = 1KiB\npattern = shift:1\n[traffic a]\nload = 0.9\n"
		 "[traffic b]\nload = 0.9\n[run]\nwarmup = 200us\nmeasure = 1ms\n"
		 "[switch]\nbuffer = 32 packets\nscheduler = sbt-literal\n",
		 path);
	make(&m, text);
	got = (double)m.result.measure->classes[0].accepted /
	      (double)hd_measure_all(m.result.measure)->accepted;
	if (fabs(got - serve_literally(33, 67)) > TOLERANCE)
		fail_msg("%.4f, not %.4f", got, serve_literally(33, 67));
	assert_true(fabs(got - serve_literally(1, 2)) > 10 * TOLERANCE);
	finish(&m);
	unlink(path);
}

/*
 * A fluid that serves classes alike, a packet of each in turn: a class gets what it offers, or as
 * many packets as the others that get less than they offer. Of @total, given what each offers.
 */
static void share_in_turn(double total, const double *offered, const double *packets, unsigned n,
			  double *served)
{
	double rate = 0, step = total;

	for (unsigned i = 0; i < 60; i++, step /= 2) {
		double sum = 0;

		for (unsigned c = 0; c < n; c++)
			sum += fmin(offered[c], (rate + step) * packets[c]);
		rate += sum <= total ? step : 0;
	}
	for (unsigned c = 0; c < n; c++)
		served[c] = fmin(offered[c], rate * packets[c]);
}

/* A torus at load 1, whose links are full: what classes in turn get follows from what all get. */
static void in_turn_as_a_fluid(void **state)
{
	static const double offered[] = { .1, .3, .5, .1 }, packets[] = { 2, 4, 8, 16 };
	double served[CLASSES], total;
	struct made m;
	FILE *file;
	char text[600], *path = class_file(false, "");

	/* the prediction of the paper's classes, of which .8 arrives */
	share_in_turn(.8, (double[]){ .1, .3, .5, .05, .05 }, (double[]){ 2, 4, 8, 16, 16 },
		      CLASSES, served);
	for (unsigned c = 0; c < CLASSES; c++)
		assert_true(fabs(served[c] / .8 - (double[]){ .125, .25, .5, .0625, .0625 }[c]) <
			    1e-6);
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("[class VO] share = 10%  packet = 128\n[class VI] share = 30%  packet = 256\n"
	      "[class CL] share = 50%  packet = 512\n[class BB] share = 10%  packet = 1024\n",
	      file);
	assert_int_equal(fclose(file), 0);
	snprintf(text, sizeof(text),
		 "[fabric]\ntopology = torus:4x4,p=4\n[routing]\nengine = hdor\nclasses = %s\n"
		 "[switch]\nmodel = cioq\nspeedup = 3\nvoq = yes\nbuffer = 8KiB\noutput = 8KiB\n"
		 "scheduler = rr\n[traffic]\nload = 1\narrival = deterministic\n"
		 "[run]\nwarmup = 200us\nmeasure = 200us\n",
		 path);
	make(&m, text);
	total = hd_measure_load(m.result.measure, hd_measure_all(m.result.measure)->accepted);
	assert_true(total > .3 && total < .8);
	share_in_turn(total, offered, packets, 4, served);
	for (unsigned c = 0; c < 4; c++) {
		double got =
			hd_measure_load(m.result.measure, m.result.measure->classes[c].accepted);

		if (fabs(got - served[c]) > .02 * total)
			fail_msg("class %u of %.3f: %.4f, not %.4f", c, total, got, served[c]);
	}
	finish(&m);
	remove_file(path);
}

/*
 * Without service classes every VL has the same share; classes of traffic then differ in what they
 * send alone.
 */
static void without_service_classes(void **state)
{
	static const char *const schedulers[] = { "rr", "sbt", "sbt-literal", "dtable" };

	for (size_t i = 0; i < sizeof(schedulers) / sizeof(schedulers[0]); i++) {
		char text[512];
		struct made m;

		snprintf(text, sizeof(text),
			 "[fabric]\ntopology = dragonfly:a=4,p=2,h=2\n"
			 "[switch]\nscheduler = %s\n[traffic]\nload = 0.4\n"
			 "[traffic small]\nshare = 25%%\npacket = 256B\n[traffic large]\n"
			 "arrival = deterministic\n[run]\nwarmup = 50us\nmeasure = 200us\n",
			 schedulers[i]);
		make(&m, text);
		assert_int_equal(m.result.measure->options.n_classes, 2);
		assert_true(fabs(hd_measure_load(m.result.measure,
						 m.result.measure->classes[0].accepted) -
				 .1) < .01);
		assert_true(fabs(hd_measure_load(m.result.measure,
						 m.result.measure->classes[1].accepted) -
				 .3) < .01);
		finish(&m);
	}
}

/* One class that says nothing is the traffic that there is without classes. */
static void one_class(void **state)
{
	static const char *const texts[] = {
		"[run]\nwarmup = 20us\nmeasure = 50us\n",
		"[traffic only]\n[run]\nwarmup = 20us\nmeasure = 50us\n",
	};
	char *cells[2];

	for (unsigned i = 0; i < 2; i++) {
		struct made m;

		make(&m, texts[i]);
		assert_string_equal(m.result.class_names[0], i ? "only" : "all");
		cells[i] = hd_result_print(&m.result, NULL, HD_CLOCK_TIME, false);
		finish(&m);
	}
	assert_string_equal(cells[0], cells[1]);
	free(cells[0]);
	free(cells[1]);
}

/* Names, in order, of what a sweep has; columns of runs without a class are empty. */
static void columns_of_classes(void **state)
{
	static const char *const wanted[] = { "a", "b background", "b hotspot" };
	struct hd_flow_names flows = { 0 };
	struct hd_error err = { 0 };
	struct made m;
	char *cells;

	make(&m, "[traffic a]\nshare = 1/3\n[traffic b]\npattern = hotspot:rate=load\n"
		 "[run]\nwarmup = 20us\nmeasure = 50us\n");
	assert_hd_ok(hd_flow_names_add(&flows, &m.setup, &err), err);
	assert_hd_ok(hd_flow_names_add(&flows, &m.setup, &err), err);
	assert_int_equal(flows.n, 3);
	for (unsigned i = 0; i < 3; i++)
		assert_string_equal(flows.names[i], wanted[i]);
	cells = hd_result_print(&m.result, &flows, HD_CLOCK_TIME, false);
	assert_true(hd_cell_number(cells, hd_sweep_column_find(&flows, "accepted[b background]")) >
		    .2);
	assert_true(hd_cell_number(cells, hd_sweep_column_find(&flows, "latency_p99[a]")) >
		    hd_cell_number(cells, hd_sweep_column_find(&flows, "latency_mean[a]")));
	assert_true(hd_cell_number(cells, hd_sweep_column_find(&flows, "last_arrival[a]")) > 69e3);
	assert_true(hd_cell_number(cells, hd_sweep_column_find(&flows, "last_arrival[a]")) < 70e3);
	assert_int_equal(hd_sweep_column_find(&flows, "accepted[c]"), hd_sweep_columns(&flows));
	free(cells);
	finish(&m);
	make(&m, "[run]\nwarmup = 20us\nmeasure = 50us\n");
	cells = hd_result_print(&m.result, &flows, HD_CLOCK_TIME, false);
	assert_true(isnan(hd_cell_number(cells, hd_sweep_column_find(&flows, "packets[a]"))));
	free(cells);
	finish(&m);
	hd_flow_names_clear(&flows);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(backlogged_with_own_packets),
		cmocka_unit_test(backlogged_with_equal_packets),
		cmocka_unit_test(backlogged_behind_output_queues),
		cmocka_unit_test(literal_with_two_vls),
		cmocka_unit_test(literal_thirds),
		cmocka_unit_test(in_turn_as_a_fluid),
		cmocka_unit_test(without_service_classes),
		cmocka_unit_test(one_class),
		cmocka_unit_test(columns_of_classes),
	};

	return cmocka_run_group_tests_name("classes in the model", tests, NULL, NULL);
}
