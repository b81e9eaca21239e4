// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Where messages go: every pattern against its definition. */
#include "tests/unit/traffic_case.h"

#include "sim/traffic/stencil.h"
#include "sim/traffic/zipf.h"
#include "topologies/dragonfly.h"
#include "topologies/structure.h"
#include "topologies/topology.h"

static void assert_silent(struct hd_traffic *t, uint32_t host)
{
	struct hd_message m;

	assert_false(hd_traffic_next(t, host, &m));
	assert_near(hd_traffic_offered(t, host, 0), 0, 0);
}

static void test_uniform(void **state)
{
	(void)state;
	for (int self = 0; self < 2; self++) {
		struct hd_traffic *t =
			make_traffic(17, self ? "uniform:self=yes" : "uniform", "poisson", 0.5, 1);

		for (uint32_t host = 0; host < 17; host++) {
			uint32_t counts[18] = { 0 };

			for (unsigned n = 0; n < 20000; n++)
				counts[next_to(t, host)]++;
			assert_int_equal(counts[17], 0);
			if (!self) {
				assert_int_equal(counts[host], 0);
				counts[host] = counts[16];
			}
			assert_uniform(counts, self ? 17 : 16, 20000);
		}
		hd_traffic_free(t);
	}
}

/* xordet-xoradap: 16 of 256 hosts and 8 of 64 are silent in transpose. */
static void test_bitreverse_and_transpose(void **state)
{
	struct hd_traffic *t = make_traffic(8, "bitreverse", "poisson", 0.5, 1);
	static const uint32_t wanted[] = { 0, 4, 2, 6, 1, 5, 3, 7 };
	unsigned silent;

	(void)state;
	for (uint32_t host = 0; host < 8; host++) {
		if (wanted[host] == host)
			assert_silent(t, host);
		else
			assert_int_equal(next_to(t, host), wanted[host]);
	}
	hd_traffic_free(t);
	for (uint32_t side = 8; side <= 16; side += 8) {
		for (unsigned i = 0; i < 2; i++) {
			t = make_traffic(side * side, i ? "bitreverse" : "transpose", "poisson",
					 0.5, 1);
			silent = 0;
			for (uint32_t host = 0; host < side * side; host++) {
				struct hd_message m;

				if (!hd_traffic_next(t, host, &m))
					silent++;
				else if (!i)
					assert_int_equal(m.to, host % side * side + host / side);
				else /* back again */
					assert_int_equal(next_to(t, m.to), host);
			}
			assert_int_equal(silent, side);
			hd_traffic_free(t);
		}
	}
}

static void test_offsets(void **state)
{
	static const struct {
		const char *pattern;
		uint32_t hosts, from, to;
	} cases[] = {
		{ "shift", 10, 7, 2 },
		{ "shift:3", 10, 8, 1 },
		{ "tornado", 8, 0, 3 }, /* ceil(k / 2) - 1 */
		{ "tornado", 9, 7, 2 },
		{ "tornado:8x8", 64, 0, 27 }, /* (0, 0) to (3, 3) */
		{ "tornado:8x8", 64, 47, 2 }, /* (7, 5) to (2, 0) */
		{ "tornado:5x2", 10, 4, 1 },
		{ "neighbour", 8, 7, 0 },
		{ "neighbour:8x8", 64, 0, 9 },
		{ "neighbour:8x8", 64, 63, 0 },
		{ "neighbour:4x3x2", 24, 3, 16 }, /* (3, 0, 0) to (0, 1, 1) */
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_traffic *t =
			make_traffic(cases[i].hosts, cases[i].pattern, "poisson", 0.5, 1);

		for (unsigned n = 0; n < 3; n++)
			assert_int_equal(next_to(t, cases[i].from), cases[i].to);
		hd_traffic_free(t);
	}
}

static void test_permutation(void **state)
{
	(void)state;
	for (uint32_t hosts = 2; hosts < 200; hosts++) {
		struct hd_traffic *t = make_traffic(hosts, "permutation", "poisson", 0.5, 1);
		bool *seen = calloc(hosts, sizeof(*seen));

		assert_non_null(seen);
		for (uint32_t host = 0; host < hosts; host++) {
			uint32_t to = next_to(t, host);

			assert_int_not_equal(to, host);
			assert_false(seen[to]);
			seen[to] = true;
			assert_int_equal(next_to(t, host), to);
		}
		free(seen);
		hd_traffic_free(t);
	}
}

static void test_stencil(void **state)
{
	static const uint32_t boxes[][4] = { { 72, 6, 4, 3 },     { 342, 19, 6, 3 },
					     { 1056, 12, 11, 8 }, { 2550, 17, 15, 10 },
					     { 64, 4, 4, 4 },     { 7, 7, 1, 1 },
					     { 1, 1, 1, 1 } };
	/* (5, 3, 2) of 6x4x3 */
	static const uint32_t neighbours[] = { 66, 70, 53, 65, 23, 47 };
	struct hd_traffic *t = make_traffic(72, "stencil", "poisson", 0.5, 1);

	(void)state;
	for (size_t i = 0; i < sizeof(boxes) / sizeof(boxes[0]); i++) {
		uint32_t lengths[3];

		hd_stencil_box(boxes[i][0], lengths);
		assert_memory_equal(lengths, boxes[i] + 1, sizeof(lengths));
	}
	for (unsigned n = 0; n < 30; n++)
		assert_int_equal(next_to(t, 71), neighbours[n % 6]);
	hd_traffic_free(t);
	/* every host is a neighbour of its neighbours: all receive alike */
	t = make_traffic(72, "stencil:9x8x1", "poisson", 0.5, 1);
	uint32_t counts[72] = { 0 };

	for (uint32_t host = 0; host < 72; host++)
		for (unsigned n = 0; n < 8; n++)
			counts[next_to(t, host)]++;
	for (uint32_t host = 0; host < 72; host++)
		assert_int_equal(counts[host], 8);
	hd_traffic_free(t);
}

/* dla-opensm: 003-C9. */
static void test_hotspot_of_dla(void **state)
{
	static const uint32_t wanted[][3] = { { 72, 4, 2 },     { 342, 20, 4 },  { 1056, 63, 5 },
					      { 2550, 153, 7 }, { 144, 8, 3 },   { 684, 41, 5 },
					      { 2112, 126, 6 }, { 5100, 306, 8 } };

	(void)state;
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
		uint32_t hosts = wanted[i][0], sources = 0, spots = 0;
		struct hd_traffic *t = make_traffic(hosts, "hotspot", "bernoulli", 0.3, 1);
		bool *spot = calloc(hosts, sizeof(*spot));
		struct hd_message m;

		assert_non_null(spot);
		for (uint32_t host = 0; host < hosts; host++) {
			assert_true(hd_traffic_next(t, host, &m));
			if (strcmp(hd_traffic_class_name(t, m.tag), "hotspot") != 0) {
				assert_near(hd_traffic_offered(t, host, 0), 0.3, 0);
				continue;
			}
			sources++;
			assert_near(hd_traffic_offered(t, host, 0), 1, 0);
			for (unsigned n = 1; n < 400; n++) {
				assert_true(hd_traffic_next(t, host, &m));
				assert_int_equal(m.time, n * UNIT_TICKS);
				assert_int_not_equal(m.to, host);
				spots += !spot[m.to];
				spot[m.to] = true;
			}
		}
		assert_int_equal(sources, wanted[i][1]);
		assert_int_equal(spots, wanted[i][2]);
		/* spots are no sources */
		for (uint32_t host = 0; host < hosts; host++)
			if (spot[host])
				assert_near(hd_traffic_offered(t, host, 0), 0.3, 0);
		free(spot);
		hd_traffic_free(t);
	}
}

/* osha-sasha-dbbq, 000-C15: 576 of 2304 to one, at the rate of all, and nobody else to that one. */
static void test_hotspot_of_osha(void **state)
{
	struct hd_traffic *t = make_traffic(2304, "hotspot:osha", "poisson", 0.4, 1);
	uint32_t counts[2304] = { 0 }, sources = 0, spot = HD_NONE, others = 0;
	struct hd_message m;

	(void)state;
	for (uint32_t host = 0; host < 2304; host++) {
		assert_near(hd_traffic_offered(t, host, 0), 0.4, 0);
		assert_true(hd_traffic_next(t, host, &m));
		if (strcmp(hd_traffic_class_name(t, m.tag), "hotspot") != 0)
			continue;
		sources++;
		assert_true(spot == HD_NONE || spot == m.to);
		spot = m.to;
	}
	assert_int_equal(sources, 576);
	for (uint32_t host = 0; host < 2304; host++)
		for (unsigned n = 0; n < 200; n++) {
			assert_true(hd_traffic_next(t, host, &m));
			assert_int_not_equal(m.to, host);
			if (strcmp(hd_traffic_class_name(t, m.tag), "hotspot") == 0)
				continue;
			counts[m.to]++;
			others++;
		}
	assert_int_equal(counts[spot], 0);
	counts[spot] = counts[2303];
	assert_uniform(counts, 2303, others);
	hd_traffic_free(t);
}

static void test_hotspot_options(void **state)
{
	struct hd_traffic *t =
		make_traffic(64, "hotspot:sources=25%,destinations=1,rate=0.015625,exclude=on",
			     "poisson", 0.8, 1);
	unsigned sources = 0;

	(void)state;
	for (uint32_t host = 0; host < 64; host++)
		sources += hd_traffic_offered(t, host, 0) < 0.1;
	assert_int_equal(sources, 16);
	hd_traffic_free(t);
	t = make_traffic(3, "hotspot:osha,sources=1", "poisson", 0.8, 1);
	for (uint32_t host = 0; host < 3; host++)
		assert_int_not_equal(next_to(t, host), host);
	hd_traffic_free(t);
	t = make_traffic(2, "hotspot", "poisson", 0.8, 1);
	for (uint32_t host = 0; host < 2; host++)
		assert_int_equal(next_to(t, host), !host);
	hd_traffic_free(t);
}

/* osha-sasha-dbbq: Table 2 (000-C2) and 000-C3. */
static void test_zipf_shares(void **state)
{
	static const double table[3][10] = {
		{ 21.1, 10.5, 7.0, 5.3, 4.2, 3.5, 3.0, 2.6, 2.3, 2.1 },
		{ 61.4, 15.3, 6.8, 3.8, 2.5, 1.7, 1.3, 1.0, 0.8, 0.6 },
		{ 83.2, 10.4, 3.1, 1.3, 0.7, 0.4, 0.2, 0.2, 0.1, 0.1 },
	};
	static const double first[3][2] = { { 12.019, 9.890 },
					    { 60.809, 60.795 },
					    { 83.191, 83.191 } };
	double shares[13824];

	(void)state;
	for (unsigned s = 1; s <= 3; s++) {
		hd_zipf_shares(s, 64, shares);
		for (unsigned i = 0; i < 10; i++)
			assert_near(100 * shares[i], table[s - 1][i], 0.05);
		hd_zipf_shares(s, 2304, shares);
		assert_near(100 * shares[0], first[s - 1][0], 0.001);
		hd_zipf_shares(s, 13824, shares);
		assert_near(100 * shares[0], first[s - 1][1], 0.001);
	}
	hd_zipf_shares(0, 64, shares);
	assert_near(shares[63], 1 / 64.0, 1e-12);
}

/*
 * 000-C17: what can be accepted at load 1 when each of 2304 sources has a ranking of its own: a
 * destination takes as much as its link brings. Favourites are drawn, ranks beyond them counted as
 * even.
 */
static void test_zipf_ejection_bound(void **state)
{
	static const struct {
		const char *pattern;
		double most;
	} cases[] = { { "zipf:1", 0.94 }, { "zipf:3", 0.68 } };
	enum { HOSTS = 2304, DRAWS = 2000 };
	double *counts = calloc(HOSTS, sizeof(*counts));

	(void)state;
	assert_non_null(counts);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_traffic *t = make_traffic(HOSTS, cases[i].pattern, "poisson", 1, 1);
		double sum = 0;

		memset(counts, 0, HOSTS * sizeof(*counts));
		for (uint32_t host = 0; host < HOSTS; host++)
			for (unsigned n = 0; n < DRAWS; n++)
				counts[next_to(t, host)] += 1.0 / DRAWS;
		for (uint32_t to = 0; to < HOSTS; to++)
			sum += counts[to] < 1 ? counts[to] : 1;
		assert_near(sum / HOSTS, cases[i].most, 0.01);
		hd_traffic_free(t);
	}
	free(counts);
}

/*
 * 000-C12: beside a hot spot of a quarter of the hosts' traffic the others offer, at load 1, three
 * quarters of what links carry.
 */
static void test_hotspot_leaves_three_quarters(void **state)
{
	enum { HOSTS = 2304 };
	struct hd_traffic *t = make_traffic(HOSTS, "hotspot:osha", "poisson", 1, 1);
	double sum = 0;
	struct hd_message m;

	(void)state;
	for (uint32_t host = 0; host < HOSTS; host++) {
		assert_true(hd_traffic_next(t, host, &m));
		if (strcmp(hd_traffic_class_name(t, m.tag), "background") == 0)
			sum += hd_traffic_offered(t, host, 0);
	}
	assert_near(sum / HOSTS, 0.75, 0);
	hd_traffic_free(t);
}

static int descending(const void *a, const void *b)
{
	return *(const int *)a < *(const int *)b ? 1 : -1;
}

/* Shares of destinations, sorted, are those of ranks; who is favourite is random. */
static void test_zipf(void **state)
{
	static const struct {
		const char *pattern;
		double s;
		uint32_t ranks;
		bool shared;
	} cases[] = {
		{ "zipf:1,self=yes", 1, 64, false },
		{ "zipf:3,self=yes", 3, 64, false },
		{ "zipf", 1, 63, false },
		{ "zipf:2.5", 2.5, 63, false },
		{ "zipf:2,ranking=shared", 2, 63, true },
		{ "zipf:2,ranking=shared,self=yes", 2, 64, true },
		{ "zipf:0", 0, 63, false },
	};
	enum { DRAWS = 100000 };
	double shares[64];

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_traffic *t = make_traffic(64, cases[i].pattern, "poisson", 0.5, 1);
		uint32_t favourites[64] = { 0 }, distinct = 0;

		hd_zipf_shares(cases[i].s, cases[i].ranks, shares);
		for (uint32_t host = 0; host < 64; host++) {
			int counts[64] = { 0 };
			uint32_t best = 0;

			for (unsigned n = 0; n < DRAWS; n++)
				counts[next_to(t, host)]++;
			if (cases[i].ranks == 63)
				assert_int_equal(counts[host], 0);
			for (uint32_t to = 1; to < 64; to++)
				if (counts[to] > counts[best])
					best = to;
			favourites[best]++;
			qsort(counts, 64, sizeof(counts[0]), descending);
			for (unsigned r = 0; r < (cases[i].s >= 1 ? 4 : 0); r++)
				assert_near((double)counts[r] / DRAWS, shares[r],
					    5 * sqrt(shares[r] / DRAWS));
			/* all are reached */
			if (cases[i].s <= 1)
				assert_true(counts[cases[i].ranks - 1] > 0);
		}
		for (uint32_t to = 0; to < 64; to++)
			distinct += favourites[to] > 0;
		if (cases[i].shared)
			assert_true(distinct <= 2);
		else /* 63.2% are somebody's favourite: 40 of 64 */
			assert_in_range(distinct, 32, 50);
		hd_traffic_free(t);
	}
}

/* First choices are evenly spread, and every order is a permutation at any number of hosts. */
static void test_zipf_rankings(void **state)
{
	uint32_t favourites[64] = { 0 };

	(void)state;
	struct hd_traffic *t = make_traffic(6400, "zipf:100,self=yes", "poisson", 0.5, 1);

	for (uint32_t host = 0; host < 6400; host++)
		favourites[next_to(t, host) / 100]++;
	assert_uniform(favourites, 64, 6400);
	hd_traffic_free(t);
	for (uint32_t hosts = 2; hosts < 20; hosts++) {
		t = make_traffic(hosts, "zipf:0", "poisson", 0.5, 1);
		for (uint32_t host = 0; host < hosts; host++) {
			uint32_t seen = 0;

			for (unsigned n = 0; n < 40 * hosts; n++)
				seen |= 1u << next_to(t, host);
			assert_int_equal(seen, ((1u << hosts) - 1) & ~(1u << host));
		}
		hd_traffic_free(t);
	}
}

/* Hosts of a dragonfly with their groups. */
struct dragonfly_case {
	struct hd_fabric *fabric;
	struct hd_dragonfly *dragonfly;
	struct hd_structure structure;
	uint32_t *ports;
	uint32_t n;
};

static void make_dragonfly(struct dragonfly_case *c, const char *spec)
{
	struct hd_error err = { 0 };

	assert_hd_ok(hd_topology_build(spec, &c->fabric, &err), err);
	assert_hd_ok(hd_dragonfly_recognise(c->fabric, NULL, &c->dragonfly, &err), err);
	c->structure = (struct hd_structure){ 0 };
	assert_hd_ok(hd_structure_find_groups(&c->structure, c->fabric, &err), err);
	c->ports = malloc(c->fabric->n_ports * sizeof(*c->ports));
	assert_non_null(c->ports);
	c->n = 0;
	hd_for_each_end_node(node, c->fabric)
		c->ports[c->n++] = hd_port_index(c->fabric, node, 1);
}

static uint32_t switch_of(const struct dragonfly_case *c, uint32_t host)
{
	return c->fabric->ports[c->fabric->ports[c->ports[host]].peer].node;
}

static int try_adversarial(const struct dragonfly_case *c, const char *pattern,
			   struct hd_traffic **t, struct hd_error *err)
{
	const struct hd_traffic_setting setting = { .fabric = c->fabric,
						    .n_hosts = c->n,
						    .host_ports = c->ports,
						    .structure = &c->structure,
						    .unit_ticks = 1,
						    .seed = 5 };
	const struct hd_traffic_phase phase = {
		pattern, "poisson", 0.5, 1, false, UINT64_MAX, 0, ""
	};

	return hd_traffic_new(&setting, &phase, 1, t, err);
}

static struct hd_traffic *adversarial(const struct dragonfly_case *c, const char *pattern)
{
	struct hd_error err = { 0 };
	struct hd_traffic *t;

	assert_hd_ok(try_adversarial(c, pattern, &t, &err), err);
	return t;
}

/* Groups of a Dragonfly+ are found by its shape, whatever the engine; trees have none. */
static void test_groups_of_dragonfly_plus(void **state)
{
	struct hd_structure structure = { 0 };
	struct hd_fabric *fabric;
	struct hd_error err = { 0 };

	(void)state;
	assert_hd_ok(hd_topology_build("dragonflyplus:leaves=3,g=4", &fabric, &err), err);
	assert_hd_ok(hd_structure_find_groups(&structure, fabric, &err), err);
	assert_int_equal(structure.n_groups, 4);
	for (uint32_t s = 0; s < fabric->n_switches; s++) {
		assert_int_equal(structure.group[s], s / 6);
		assert_int_equal(structure.is_spine[s], s % 6 >= 3);
	}
	hd_structure_clear(&structure);
	hd_fabric_free(fabric);
	assert_hd_ok(hd_topology_build("tree:k=3,n=3", &fabric, &err), err);
	assert_hd_ok(hd_structure_find_groups(&structure, fabric, &err), err);
	assert_null(structure.group);
	hd_fabric_free(fabric);
}

static void test_adversarial(void **state)
{
	static const struct {
		const char *pattern;
		uint32_t from, count;
	} cases[] = { { "adversarial", 1, 1 },
		      { "adversarial:2", 2, 1 },
		      { "adversarial:8", 8, 1 },
		      { "adversarial-consecutive", 1, 2 },
		      { "adversarial-consecutive:groups=1", 1, 1 },
		      { "adversarial-consecutive:8", 1, 8 } };
	static const char *const refused[] = { "adversarial:9", "adversarial-consecutive:0",
					       "adversarial-consecutive:groups=9" };
	struct dragonfly_case c;

	(void)state;
	make_dragonfly(&c, "dragonfly:a=4,p=2,h=2");
	assert_int_equal(c.n, 72);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_traffic *t = adversarial(&c, cases[i].pattern);

		for (uint32_t host = 0; host < c.n; host++) {
			uint32_t group = c.dragonfly->group[switch_of(&c, host)],
				 counts[72] = { 0 };
			uint32_t sorted[72], n = 0;

			for (unsigned k = 0; k < 4000; k++)
				counts[next_to(t, host)]++;
			for (uint32_t to = 0; to < c.n; to++) {
				uint32_t away =
					(c.dragonfly->group[switch_of(&c, to)] + 9 - group) % 9;

				if (away >= cases[i].from && away < cases[i].from + cases[i].count)
					sorted[n++] = counts[to];
				else
					assert_int_equal(counts[to], 0);
			}
			assert_int_equal(n, 8 * cases[i].count);
			assert_uniform(sorted, n, 4000);
		}
		hd_traffic_free(t);
	}
	/* a group never sends to itself, and there are 8 others */
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct hd_error err = { 0 };
		struct hd_traffic *t;

		assert_int_equal(try_adversarial(&c, refused[i], &t, &err), HD_ERANGE);
		assert_non_null(strstr(err.text, "is not in 1..8"));
	}
	free(c.ports);
	hd_dragonfly_free(c.dragonfly);
	hd_structure_clear(&c.structure);
	hd_fabric_free(c.fabric);
}

/* In the palm tree the groups that ADVc sends to hang on one switch, the last of the group. */
static void test_consecutive_groups_hang_on_one_switch(void **state)
{
	struct dragonfly_case c;
	struct hd_traffic *t;

	(void)state;
	make_dragonfly(&c, "dragonfly:a=6,p=3,h=3");
	t = adversarial(&c, "adversarial-consecutive");
	for (uint32_t host = 0; host < c.n; host++) {
		const struct hd_dragonfly *d = c.dragonfly;
		uint32_t last = d->switches[d->first[d->group[switch_of(&c, host)] + 1] - 1];

		for (unsigned n = 0; n < 50; n++) {
			uint32_t group = d->group[switch_of(&c, next_to(t, host))];
			bool linked = false;

			hd_for_each_number(number, c.fabric, last) {
				uint32_t peer = hd_peer_node(c.fabric, last, number);

				linked = linked ||
					 (peer < c.fabric->n_switches && d->group[peer] == group);
			}
			assert_true(linked);
		}
	}
	hd_traffic_free(t);
	free(c.ports);
	hd_dragonfly_free(c.dragonfly);
	hd_structure_clear(&c.structure);
	hd_fabric_free(c.fabric);
}

/*
 * A packet draws its part; hosts that are silent in one take the others; turns are the parts' own.
 */
static void test_mix(void **state)
{
	enum { DRAWS = 20000 };
	struct dragonfly_case c;
	struct hd_traffic *t;
	uint32_t counts[64] = { 0 };

	(void)state;
	make_dragonfly(&c, "dragonfly:a=4,p=2,h=2");
	t = adversarial(&c, "mix:adversarial:1*0.3+adversarial:3*70%");
	for (uint32_t host = 0; host < c.n; host += 7) {
		uint32_t group = c.dragonfly->group[switch_of(&c, host)], away[9] = { 0 };

		for (unsigned n = 0; n < DRAWS; n++)
			away[(c.dragonfly->group[switch_of(&c, next_to(t, host))] + 9 - group) %
			     9]++;
		assert_near(away[1], 0.3 * DRAWS, 5 * sqrt(0.3 * 0.7 * DRAWS));
		assert_int_equal(away[1] + away[3], DRAWS);
	}
	hd_traffic_free(t);
	free(c.ports);
	hd_dragonfly_free(c.dragonfly);
	hd_structure_clear(&c.structure);
	hd_fabric_free(c.fabric);

	/* host 0 sends nothing in either of two parts */
	t = make_traffic(64, "mix:transpose*0.5 + bitreverse*0.25 + uniform*0.25", "poisson", 0.5,
			 1);
	for (unsigned n = 0; n < DRAWS; n++)
		counts[next_to(t, 0)]++;
	assert_int_equal(counts[0], 0);
	counts[0] = counts[63];
	assert_uniform(counts, 63, DRAWS);
	hd_traffic_free(t);
	t = make_traffic(64, "mix:parts=transpose*1", "poisson", 0.5, 1);
	assert_silent(t, 0);
	assert_int_equal(next_to(t, 1), 8);
	hd_traffic_free(t);

	/* what the one stencil is asked does not turn the other: 1, 7, 8, 56 and 1, 63 */
	t = make_traffic(64, "mix:stencil:8x8*0.5+stencil:64*0.5", "poisson", 0.5, 1);
	for (unsigned n = 0, turn = 0; n < 1000; n++) {
		static const uint32_t neighbours[] = { 7, 8, 56 };
		uint32_t to = next_to(t, 0);

		if (to != 1 && to != 63)
			assert_int_equal(to, neighbours[turn++ % 3]);
	}
	hd_traffic_free(t);
}

static void test_bad_mixes(void **state)
{
	static const struct {
		const char *spec, *text;
	} cases[] = {
		{ "mix", "mix: '' is no SPEC*SHARE" },
		{ "mix:uniform", "mix: 'uniform' is no SPEC*SHARE" },
		{ "mix:uniform*1+", "mix: '' is no SPEC*SHARE" },
		{ "mix:uniform*0+shift*1", "mix: the share of uniform: 0 is not above 0, up to 1" },
		{ "mix:uniform*-1+shift*2", "mix: the share of uniform: -1 is not" },
		{ "mix:uniform*nan", "mix: the share of uniform: nan is not" },
		{ "mix:uniform*half", "mix: the share of uniform: 'half' is not a number" },
		{ "mix:uniform*0.5+shift*0.4",
		  "mix: the shares of its parts add up to 0.9, not 1" },
		{ "mix:uniform*0.5+mix:shift*1*0.5", "mix: a mix is no part of a mix" },
		{ "mix:unifrom*1", "mix: there is no traffic pattern 'unifrom'" },
		{ "mix:shift:by=100*1", "mix: shift: by: 100 is not in 1..15" },
		{ "mix:trace:x.txt*1", "mix: trace has times of its own" },
		{ "mix:hotspot*1", "mix: hotspot has a load of its own" },
		{ "mix:adversarial*1", "mix: adversarial: the fabric is no dragonfly" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct hd_traffic_setting setting = { .n_hosts = 16, .unit_ticks = 1 };
		const struct hd_traffic_phase phase = { cases[i].spec, "poisson",  0.5, 1,
							false,         UINT64_MAX, 0,   "" };
		struct hd_error err = { 0 };
		struct hd_traffic *t;

		assert_true(hd_traffic_new(&setting, &phase, 1, &t, &err) < 0);
		if (strncmp(err.text, cases[i].text, strlen(cases[i].text)) != 0)
			fail_msg("%s: \"%s\"", cases[i].spec, err.text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_uniform),
		cmocka_unit_test(test_bitreverse_and_transpose),
		cmocka_unit_test(test_offsets),
		cmocka_unit_test(test_permutation),
		cmocka_unit_test(test_stencil),
		cmocka_unit_test(test_hotspot_of_dla),
		cmocka_unit_test(test_hotspot_of_osha),
		cmocka_unit_test(test_hotspot_options),
		cmocka_unit_test(test_zipf_shares),
		cmocka_unit_test(test_zipf_ejection_bound),
		cmocka_unit_test(test_hotspot_leaves_three_quarters),
		cmocka_unit_test(test_zipf),
		cmocka_unit_test(test_zipf_rankings),
		cmocka_unit_test(test_groups_of_dragonfly_plus),
		cmocka_unit_test(test_adversarial),
		cmocka_unit_test(test_consecutive_groups_hang_on_one_switch),
		cmocka_unit_test(test_mix),
		cmocka_unit_test(test_bad_mixes),
	};

	return cmocka_run_group_tests_name("patterns", tests, NULL, NULL);
}
