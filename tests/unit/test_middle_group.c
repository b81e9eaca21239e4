// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * ADV+h on a dragonfly with palm tree links (Fuentes' thesis, Figure 4.6c): what leaves group g for
 * g + h by a group between enters that at a switch all of whose h global links have such packets,
 * and leaves it by the switch before. One local link is the minimal path of h global in-ports.
 * Contention counters are read there: the packets that wait at those ports are about as many as
 * ports, so that a threshold of h and more is not exceeded, and packets take no detour.
 */
#include "sim/switches/adaptive.h"
#include "sim/switches/crossbar.h"
#include "tests/unit/adaptive_case.h"

#define H        3
#define MIDDLE   "dragonfly:a=6,p=3,h=3,global=palmtree"
#define READINGS 200

/* What was read of those links, and what hosts got. */
struct reading {
	double mean;     /* of the counters */
	double above[8]; /* share of readings that exceed 0, 1, .. 7 */
	double accepted;
};

/*
 * [switch] the local port that leads to the switch before, in its group; HD_NO_PORT: it is the
 * first.
 */
static unsigned *find_links(const struct hd_shape *shape)
{
	unsigned *links = malloc(shape->n_switches * sizeof(*links));
	uint32_t found = 0;

	assert_non_null(links);
	for (uint32_t at = 0; at < shape->n_switches; at++) {
		links[at] = HD_NO_PORT;
		for (unsigned port = 0; port < shape->n_locals[at]; port++) {
			uint32_t peer = shape->neighbour[hd_shape_port(shape, at, port)];

			if (peer != HD_NONE && peer + 1 == at &&
			    shape->group[peer] == shape->group[at])
				links[at] = port;
		}
		found += links[at] != HD_NO_PORT;
	}
	assert_int_equal(found, (2 * H - 1) * shape->n_groups);
	return links;
}

static void read_links(const struct chosen *c, const unsigned *links, struct reading *reading)
{
	const struct hd_model *model = c->setting.model;
	uint32_t n = c->setting.fabric->n_switches, readings = 0;
	double sum = 0, above[8] = { 0 };

	for (uint32_t at = 0; at < n; at++) {
		unsigned count;

		if (links[at] == HD_NO_PORT)
			continue;
		count = hd_adaptive_contention(model, hd_adaptive_switch(model, at))[links[at]];
		sum += count;
		for (unsigned i = 0; i < 8; i++)
			above[i] += count > i;
		readings++;
	}
	reading->mean += sum / readings / READINGS;
	for (unsigned i = 0; i < 8; i++)
		reading->above[i] += above[i] / readings / READINGS;
}

/* The router of Table 1.2. */
static void set_router(struct setting *s)
{
	static const struct hd_link_options links[HD_LINK_CLASSES] = {
		{ .unit_ticks = UNIT_TICKS, .propagation = 1, .buffer = 256, .output = 32 },
		{ .unit_ticks = UNIT_TICKS, .propagation = 10, .buffer = 32, .output = 32 },
		{ .unit_ticks = UNIT_TICKS, .propagation = 100, .buffer = 256, .output = 32 },
	};

	for (unsigned i = 0; i < HD_LINK_CLASSES; i++) {
		s->options.links[i] = links[i];
		s->options.links[i].propagation *= UNIT_TICKS;
	}
	s->options.model = &hd_switch_cioq;
	s->options.speedup = 2;
	s->options.iterations = 2;
	s->options.latency = 0;
	s->options.crossbar_latency = 8 * UNIT_TICKS;
}

static struct reading go_middle(struct chosen *c, const char *trigger)
{
	struct setting *s = &c->setting;
	struct reading reading = { 0 };
	struct hd_error err = { 0 };
	uint32_t n = s->fabric->n_nodes - s->fabric->n_switches, by, *map;
	unsigned *links;

	assert_hd_ok(choose(c, "olm:policy=mm", trigger, NULL, &err), err);
	s->options.routed = c->routed;
	s->options.seed = 5;
	map = next_group(c, n);
	by = H * map[0];
	for (uint32_t host = 0; host < n; host++)
		map[host] = (host + by) % n;
	s->traffic.map = map;
	s->traffic.poisson = true;
	s->traffic.delivered = 0;
	begin(s, 1, HD_IS_SLOW ? 250 : 500);
	links = find_links(c->shape);
	/* the first half fills the fabric */
	for (unsigned i = 1; i <= 2 * READINGS; i++) {
		assert_hd_ok(hd_model_run(s->model, s->traffic.stop * i / (2 * READINGS), &err),
			     err);
		if (i > READINGS)
			read_links(c, links, &reading);
	}
	check_census(s);
	reading.accepted = accepted(s);
	free(links);
	end(c);
	drop(c);
	free(map);
	return reading;
}

static void test_counters_in_the_middle(void **state)
{
	static const unsigned threshold[] = { H - 1, H + 1 };
	struct reading of[2];
	struct chosen c;

	(void)state;
	make_shape(&c, MIDDLE);
	set_router(&c.setting);
	for (unsigned i = 0; i < 2; i++) {
		char trigger[32];

		snprintf(trigger, sizeof(trigger), "contention:%u", threshold[i]);
		of[i] = go_middle(&c, trigger);
		print_message("%s: mean %.2f; above 0 .. 7:", trigger, of[i].mean);
		for (unsigned k = 0; k < 8; k++)
			print_message(" %.3f", of[i].above[k]);
		print_message("; accepted %.3f\n", of[i].accepted);
		/* a head for each in-port, and packets that are leaving: no more */
		assert_true(of[i].mean > H - 0.5 && of[i].mean < 2 * H);
		assert_true(of[i].above[2 * H + 1] < 0.01);
	}
	/* below the ports' number a threshold is exceeded always, above it half of the time */
	assert_true(of[0].above[threshold[0]] > 0.9);
	assert_true(of[1].above[threshold[1]] < 0.7);
	if (!HD_IS_SLOW)
		assert_true(of[0].accepted > of[1].accepted + 0.02);
	clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_counters_in_the_middle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
