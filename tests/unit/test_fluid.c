// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * What any minimal-adaptive routing can carry on a 16 x 16 torus: the least load of the fullest
 * link when flows are divided over all ways that minimal offers, by multiplicative weights, between
 * a division that has it nearly and prices of links that no division can be better than.
 */
#include "sim/adaptive/vc_groups.h"
#include "tests/unit/adaptive_case.h"

#define K      16
#define N      (K * K)
#define ROUNDS 3000
#define STEP   0.02

/* The links of the torus, and the search for a cheapest way to one target. */
struct search {
	const struct chosen *c;
	double *price, *load; /* [switch * n_ports + port] */
	double step;          /* by which a unit of load makes a link dearer */
	double cost[N];       /* to the target; negative: not known yet */
	unsigned port[N];
	uint32_t target;
};

static uint64_t ways_at(const struct search *s, uint32_t at)
{
	const struct hd_shape *shape = s->c->shape;
	const struct hd_header header = hd_routed_begin(NULL, false);
	struct hd_offer offers[HD_MAX_OFFERS];
	const struct hd_view view = { .shape = shape,
				      .at = at,
				      .target = s->target,
				      .to = shape->target_switch[s->target],
				      .in_class = HD_LINK_TERMINAL,
				      .in_port = HD_NO_PORT };
	unsigned n = s->c->routed->routing->may(s->c->routed, &view, &header, offers);

	for (unsigned i = 0; i < n; i++)
		if (!offers[i].is_escape)
			return offers[i].ports;
	return 0;
}

static double cost_from(struct search *s, uint32_t at)
{
	const struct hd_shape *shape = s->c->shape;

	if (at == shape->target_switch[s->target])
		return 0;
	if (s->cost[at] >= 0)
		return s->cost[at];
	s->cost[at] = INFINITY;
	for (uint64_t ports = ways_at(s, at); ports; ports &= ports - 1) {
		unsigned port = (unsigned)__builtin_ctzll(ports);
		size_t index = hd_shape_port(shape, at, port);
		double cost = s->price[index] + cost_from(s, shape->neighbour[index]);

		if (cost < s->cost[at]) {
			s->cost[at] = cost;
			s->port[at] = port;
		}
	}
	return s->cost[at];
}

/* Sends one unit from @from to @to by a cheapest way; returns its price. */
static double send_one(struct search *s, uint32_t from, uint32_t to)
{
	const struct hd_shape *shape = s->c->shape;
	double cost;

	s->target = shape->first_target[to];
	for (unsigned i = 0; i < N; i++)
		s->cost[i] = -1;
	cost = cost_from(s, from);
	for (uint32_t at = from; at != to;) {
		size_t index = hd_shape_port(shape, at, s->port[at]);

		s->load[index]++;
		s->price[index] *= s->step;
		at = shape->neighbour[index];
	}
	return cost;
}

static uint32_t transpose(uint32_t point)
{
	return point % K * K + point / K;
}

static uint32_t reverse(uint32_t point)
{
	uint32_t result = 0;

	for (unsigned bit = 0; bit < 8; bit++)
		result |= (point >> bit & 1) << (7 - bit);
	return result;
}

/* A share of a host's link that can be carried, and one that cannot. */
static void bounds(const struct chosen *c, uint32_t (*to)(uint32_t), double *can, double *cannot)
{
	const struct hd_grid *grid = c->structure.grid;
	const size_t n = c->shape->n_switches * (size_t)c->shape->n_ports;
	struct search s = { .c = c,
			    .price = malloc(n * sizeof(*s.price)),
			    .load = calloc(n, sizeof(*s.load)) };
	double fullest = 0, *mean = calloc(n, sizeof(*mean));

	assert_non_null(mean);
	assert_non_null(s.price);
	assert_non_null(s.load);
	for (unsigned round = 0; round <= ROUNDS; round++) {
		double sum = 0, worth = 0;

		s.step = round < ROUNDS ? exp(STEP) : 1;
		for (size_t i = 0; i < n; i++) {
			/* the last ones are means of the later half */
			s.price[i] = round < ROUNDS ? exp(STEP * (s.load[i] - fullest)) : mean[i];
			if (c->shape->neighbour[i] != HD_NONE)
				sum += s.price[i];
		}
		for (size_t i = 0; i < n && round >= ROUNDS / 2; i++)
			mean[i] += s.price[i] / sum;
		if (round == ROUNDS)
			*can = ROUNDS / fullest;
		for (uint32_t point = 0; point < N; point++)
			if (to(point) != point)
				worth += send_one(&s, grid->switch_at[point],
						  grid->switch_at[to(point)]);
		/* flows that are worth more than all links cannot be carried */
		*cannot = sum / worth;
		for (size_t i = 0; i < n; i++)
			fullest = s.load[i] > fullest ? s.load[i] : fullest;
	}
	free(s.price);
	free(s.load);
	free(mean);
}

static void minimal_adaptive(void **state)
{
	static const struct {
		const char *name;
		uint32_t (*to)(uint32_t point);
		double bound;
	} cases[] = { { "transpose", transpose, 0.285 }, { "bit reversal", reverse, 0.49 } };
	struct hd_error err = { 0 };
	struct chosen c;

	(void)state;
	make_shape(&c, "torus:16x16");
	assert_hd_ok(choose(&c, "minimal", NULL, "groups:single,1 escape", &err), err);
	for (size_t i = 0; i < 2; i++) {
		double can = 0, cannot = 0;

		bounds(&c, cases[i].to, &can, &cannot);
		print_message("%s: %.4f to %.4f\n", cases[i].name, can, cannot);
		assert_true(can <= cannot * (1 + 1e-9));
		assert_near(can, cases[i].bound, 0.01);
		assert_near(cannot, cases[i].bound, 0.01);
	}
	clear(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(minimal_adaptive) };

	return cmocka_run_group_tests(tests, NULL, NULL);
}
