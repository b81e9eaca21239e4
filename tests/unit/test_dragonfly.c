// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Building dragonflies, and recognising them in whatever order and state they come. */
#include "tests/unit/dragonfly_case.h"

#include "support/random.h"
#include "tests/unit/shuffle.h"

static void recognises_perfect_shapes(void **state)
{
	static const struct {
		const char *spec;
		uint32_t a, g, p, h;
		bool symmetric; /* so much so that other groups are as good */
	} shapes[] = {
		{ "dragonfly", 4, 9, 2, 2, false },
		{ "dragonfly:global=consecutive", 4, 9, 2, 2, false },
		{ "dragonfly:global=random(7)", 4, 9, 2, 2, false },
		{ "dragonfly:h=3", 6, 19, 3, 3, false },
		{ "dragonfly:h=3,global=consecutive", 6, 19, 3, 3, false },
		{ "dragonfly:h=4", 8, 33, 4, 4, false },
		{ "dragonfly:h=4,global=random", 8, 33, 4, 4, false },
		{ "dragonfly:h=5,global=consecutive", 10, 51, 5, 5, false },
		{ "dragonfly:a=3,p=2,h=2", 3, 7, 2, 2, false },
		{ "dragonfly:a=3,p=2,h=2,global=consecutive", 3, 7, 2, 2, false },
		{ "dragonfly:a=3,p=2,h=2,global=random(1)", 3, 7, 2, 2, false },
		{ "dragonfly:a=3,p=2,h=2,global=random(2)", 3, 7, 2, 2, false },
		{ "dragonfly:a=3,p=2,h=2,global=random(3)", 3, 7, 2, 2, false },
		{ "dragonfly:a=2,p=1,h=1", 2, 3, 1, 1, true },
		{ "dragonfly:a=2,p=0,h=3", 2, 7, 0, 3, true },
		{ "dragonfly:a=2,p=2,h=4,global=consecutive", 2, 9, 2, 4, false },
		{ "dragonfly:a=2,p=2,h=8", 2, 17, 2, 8, true },
		{ "dragonfly:a=3,p=1,h=3", 3, 10, 1, 3, false },
		{ "dragonfly:a=3,p=1,h=5,global=random(5)", 3, 16, 1, 5, false },
		{ "dragonfly:a=4,p=1,h=6,global=consecutive", 4, 25, 1, 6, false },
		{ "dragonfly:a=4,p=2,h=2,g=5", 4, 5, 2, 2, false },
		{ "dragonfly:a=4,p=2,h=2,g=3", 4, 3, 2, 2, false },
		{ "dragonfly:a=4,p=2,h=2,g=7,global=consecutive", 4, 7, 2, 2, false },
		{ "dragonfly:a=6,p=3,h=3,g=10", 6, 10, 3, 3, false },
		{ "dragonfly:a=8,p=4,h=4,g=5,global=random(3)", 8, 5, 4, 4, false },
		{ "dragonfly:a=3,p=2,h=2,g=6", 3, 6, 2, 2, false },
		{ "dragonfly:a=3,p=2,h=2,g=5,global=random(4)", 3, 5, 2, 2, false },
		{ "dragonfly:a=5,p=1,h=2,g=1", 5, 1, 1, 0, false },
		{ "dragonfly:a=1,p=3,h=0", 1, 1, 3, 0, false },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);
		uint32_t *node_of = malloc(fabric->n_nodes * sizeof(*node_of));

		for (uint64_t seed = 0; seed < 20; seed++) {
			struct hd_fabric *copy = shuffled_copy(fabric, seed, node_of, NULL);
			struct hd_dragonfly *dragonfly = recognise(copy, shapes[i].spec);

			if (!shapes[i].symmetric)
				assert_groups(dragonfly, node_of, fabric->n_switches, shapes[i].a,
					      shapes[i].spec);
			assert_int_equal(dragonfly->a, shapes[i].a);
			assert_int_equal(dragonfly->p, shapes[i].p);
			assert_int_equal(dragonfly->h, shapes[i].h);
			assert_int_equal(dragonfly->n_groups, shapes[i].g);
			assert_int_equal(dragonfly->n_missing_local, 0);
			assert_int_equal(dragonfly->n_missing_global, 0);
			assert_int_equal(dragonfly->n_missing_switches, 0);
			hd_dragonfly_free(dragonfly);
			hd_fabric_free(copy);
		}
		free(node_of);
		hd_fabric_free(fabric);
	}
}

/* Every pair of groups has its links; every switch has its ports where they should be. */
static void assert_dragonfly(const char *spec, uint32_t a, uint32_t p, uint32_t h, uint32_t g)
{
	struct hd_fabric *fabric = make(spec);
	uint32_t *links = calloc((size_t)g * g, sizeof(*links));
	uint32_t few = g > 1 ? a * h / (g - 1) : 0, n_unused = 0;

	assert_int_equal(fabric->n_switches, a * g);
	assert_int_equal(fabric->n_nodes, a * g * (p + 1));
	for (uint32_t s = 0; s < a * g; s++) {
		assert_int_equal(fabric->nodes[s].n_ports, p + a - 1 + h);
		for (unsigned port = 1; port <= p + a - 1 + h; port++) {
			uint32_t peer = hd_peer_node(fabric, s, port);

			if (peer == HD_NONE) {
				assert_in_range(port, p + a, p + a - 1 + h);
				n_unused++;
			} else if (port <= p) {
				assert_int_equal(peer, a * g + s * p + port - 1);
			} else if (port < p + a) {
				assert_int_equal(peer / a, s / a);
			} else {
				assert_int_not_equal(peer / a, s / a);
				links[s / a * g + peer / a]++;
			}
		}
	}
	for (uint32_t i = 0; i < g; i++)
		for (uint32_t k = 0; k < g; k++)
			if (i != k)
				assert_in_range(links[i * g + k], few, few + 1);
	/* arithmetic leaves one port when g and the links of a group are odd */
	if (g > 1)
		assert_int_equal(n_unused, (uint64_t)g * a * h % 2);
	free(links);
	hd_fabric_free(fabric);
}

static void builds_every_size(void **state)
{
	static const char *const arrangements[] = { "palmtree", "consecutive", "random(3)" };

	(void)state;
	for (uint32_t a = 1; a <= 5; a++)
		for (uint32_t h = 1; h <= 4; h++)
			for (uint32_t g = 2; g <= a * h + 1; g++)
				for (int i = 0; i < 3; i++) {
					char spec[128];

					snprintf(spec, sizeof(spec),
						 "dragonfly:a=%u,p=1,h=%u,g=%u,global=%s",
						 (unsigned)a, (unsigned)h, (unsigned)g,
						 arrangements[i]);
					assert_dragonfly(spec, a, 1, h, g);
				}
}

/* The peer of global port @j of @group, as group and global port there. */
static void global_peer(const struct hd_fabric *fabric, uint32_t a, uint32_t p, uint32_t h,
			uint32_t group, uint32_t j, uint32_t *peer_group, uint32_t *peer_j)
{
	uint32_t index = hd_port_index(fabric, group * a + j / h, p + a + j % h);
	const struct hd_port *peer;

	assert_int_not_equal(fabric->ports[index].peer, HD_NONE);
	peer = &fabric->ports[fabric->ports[index].peer];
	*peer_group = peer->node / a;
	*peer_j = peer->node % a * h + peer->number - p - a;
}

static void arrangements_are_as_defined(void **state)
{
	const uint32_t a = 4, p = 2, h = 2, g = 9;
	struct hd_fabric *palm = make("dragonfly:a=4,p=2,h=2,global=palmtree");
	struct hd_fabric *consecutive = make("dragonfly:a=4,p=2,h=2,global=consecutive");
	struct hd_fabric *trunked = make("dragonfly:a=4,p=2,h=2,g=5");

	(void)state;
	for (uint32_t i = 0; i < g; i++)
		for (uint32_t j = 0; j < a * h; j++) {
			uint32_t group, peer;

			global_peer(palm, a, p, h, i, j, &group, &peer);
			assert_int_equal(group, (i + g - j - 1) % g);
			assert_int_equal(peer, a * h - 1 - j);
			global_peer(consecutive, a, p, h, i, j, &group, &peer);
			assert_int_equal(group, j < i ? j : j + 1);
			assert_int_equal(peer, i < group ? i : i - 1);
			if (i >= 5)
				continue;
			/* two links for each pair: the palm tree goes round twice */
			global_peer(trunked, a, p, h, i, j, &group, &peer);
			assert_int_equal(group, (i + 5 - j % 4 - 1) % 5);
			assert_int_equal(peer, a * h - 1 - j);
		}
	hd_fabric_free(palm);
	hd_fabric_free(consecutive);
	hd_fabric_free(trunked);
}

static void random_depends_on_the_seed(void **state)
{
	struct hd_fabric *one = make("dragonfly:global=random(1)");
	struct hd_fabric *same = make("dragonfly:global=random");
	struct hd_fabric *other = make("dragonfly:global=random(2)");
	uint32_t n_other = 0;

	(void)state;
	hd_for_each_port(port, one) {
		assert_int_equal(one->ports[port].peer, same->ports[port].peer);
		n_other += one->ports[port].peer != other->ports[port].peer;
	}
	assert_true(n_other > 0);
	hd_fabric_free(one);
	hd_fabric_free(same);
	hd_fabric_free(other);
}

/* A switch has at most one link more to some group than the others of its group have. */
static void trunks_are_spread_over_switches(void **state)
{
	static const char *const specs[] = {
		"dragonfly:a=4,h=4,g=6",
		"dragonfly:a=4,h=2,g=2",
		"dragonfly:a=4,h=4,g=15",
		"dragonfly:a=5,h=3,g=4,global=consecutive",
		"dragonfly:a=6,h=5,g=7,global=random(4)",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = make(specs[i]);
		struct hd_dragonfly *dragonfly = recognise(fabric, specs[i]);
		uint32_t g = dragonfly->n_groups, a = dragonfly->a;

		assert_groups(dragonfly, NULL, fabric->n_switches, a, specs[i]);
		for (uint32_t from = 0; from < g; from++)
			for (uint32_t to = 0; to < g; to++) {
				uint32_t most = 0, fewest = UINT32_MAX;

				for (uint32_t s = from * a; from != to && s < from * a + a; s++) {
					uint32_t n = 0;

					hd_for_each_number(q, fabric, s) {
						uint32_t peer = hd_peer_node(fabric, s, q);

						n += peer < fabric->n_switches && peer / a == to;
					}
					most = n > most ? n : most;
					fewest = n < fewest ? n : fewest;
				}
				if (from != to)
					assert_in_range(most, fewest, fewest + 1);
			}
		hd_dragonfly_free(dragonfly);
		hd_fabric_free(fabric);
	}
}

static void local_shapes(void **state)
{
	static const struct {
		const char *spec;
		uint32_t a, degree;
	} shapes[] = {
		{ "dragonfly:a=6,p=1,h=1,local=ring", 6, 2 },
		{ "dragonfly:a=2,p=1,h=1,local=ring", 2, 1 },
		{ "dragonfly:a=6,p=1,h=1,local=hyperx:2x3", 6, 3 },
		{ "dragonfly:a=6,p=1,h=1,local=hyperx:6x1", 6, 5 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);
		uint32_t a = shapes[i].a;
		uint64_t *labels = malloc(fabric->n_switches * sizeof(*labels));
		struct hd_dragonfly_hints hints = { .group_of_switch = labels };
		struct hd_dragonfly *dragonfly;
		struct hd_error err = { 0 };

		hd_for_each_switch(s, fabric) {
			uint32_t n = 0;

			labels[s] = UINT64_MAX - 7 * (s / a);
			hd_for_each_number(port, fabric, s) {
				uint32_t peer = hd_peer_node(fabric, s, port);

				n += peer < fabric->n_switches && peer / a == s / a;
			}
			assert_int_equal(n, shapes[i].degree);
		}
		assert_hd_ok(hd_dragonfly_recognise(fabric, &hints, &dragonfly, &err), err);
		assert_int_equal(dragonfly->a, a);
		assert_int_equal(dragonfly->n_groups, a + 1);
		assert_int_equal(dragonfly->n_missing_local,
				 (a + 1) * a * (a - 1 - shapes[i].degree) / 2);
		assert_int_equal(dragonfly->n_missing_global, 0);
		hd_dragonfly_free(dragonfly);
		free(labels);
		hd_fabric_free(fabric);
	}
}

/* What was taken from the fabric: up to two of links (below n_links) and switches (above). */
struct damage {
	uint32_t links[2], switches[2];
	size_t n_links, n_switches;
};

static void take(struct damage *damage, const uint32_t *links, uint32_t n_links, uint32_t what)
{
	if (what < n_links)
		damage->links[damage->n_links++] = links[what];
	else
		damage->switches[damage->n_switches++] = what - n_links;
}

/* Damages, shuffles and recognises; the groups are those of the whole fabric. */
static void assert_survives(const struct hd_fabric *fabric, uint32_t a, const struct damage *damage,
			    uint64_t seed)
{
	uint32_t *node_of = malloc(fabric->n_nodes * sizeof(*node_of));
	uint32_t *group_now = malloc(fabric->n_switches * sizeof(*group_now));
	struct hd_fabric *damaged, *copy;
	struct hd_dragonfly *dragonfly;
	struct hd_error err = { 0 };
	uint32_t n_groups = fabric->n_switches / a, missing_local = 0;

	assert_hd_ok(hd_fabric_without(fabric, damage->links, damage->n_links, damage->switches,
				       damage->n_switches, &damaged, &err),
		     err);
	copy = shuffled_copy(damaged, seed, node_of, NULL);
	dragonfly = recognise(copy, "damaged");
	memset(group_now, 0xFF, fabric->n_switches * sizeof(*group_now));
	assert_int_equal(dragonfly->n_groups, n_groups);
	hd_for_each_switch(s, damaged) {
		uint32_t before = hd_fabric_find_node(fabric, damaged->nodes[s].guid) / a;
		uint32_t now = dragonfly->group[node_of[s]];

		if (group_now[before] == HD_NONE)
			group_now[before] = now;
		assert_int_equal(group_now[before], now);
	}
	/* equal numbers of groups, and none was split: none was joined either */
	for (size_t i = 0; i < damage->n_links; i++) {
		uint32_t s = fabric->ports[damage->links[i]].node;
		uint32_t t = fabric->ports[fabric->ports[damage->links[i]].peer].node;
		bool gone = false;

		for (size_t k = 0; k < damage->n_switches; k++)
			gone |= damage->switches[k] == s || damage->switches[k] == t;
		missing_local += !gone && s / a == t / a;
	}
	assert_int_equal(dragonfly->n_missing_local, missing_local);
	assert_int_equal(dragonfly->n_missing_switches, damage->n_switches);
	hd_dragonfly_free(dragonfly);
	hd_fabric_free(copy);
	hd_fabric_free(damaged);
	free(node_of);
	free(group_now);
}

/* Every failure, or about @sample of them, of one link or switch, or of two. */
static void survive_failures(const char *spec, uint32_t a, bool two, uint32_t sample)
{
	struct hd_fabric *fabric = make(spec);
	uint32_t n_links, n;
	uint32_t *links = switch_links(fabric, &n_links);
	struct hd_random random;
	uint64_t seed = 0;

	n = n_links + fabric->n_switches;
	hd_random_init(&random, 1, 0);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = two ? i + 1 : i; k < (two ? n : i + 1); k++) {
			struct damage damage = { 0 };

			if (sample && hd_random_below(&random, two ? n * n / 2 : n) >= sample)
				continue;
			take(&damage, links, n_links, i);
			if (two)
				take(&damage, links, n_links, k);
			assert_survives(fabric, a, &damage, seed++);
		}
	free(links);
	hd_fabric_free(fabric);
}

static void survives_every_failure_of_one(void **state)
{
	(void)state;
	survive_failures("dragonfly", 4, false, 0);
	survive_failures("dragonfly:global=consecutive", 4, false, 0);
	survive_failures("dragonfly:a=3,p=2,h=2", 3, false, 0);
	survive_failures("dragonfly:a=3,p=2,h=2,global=consecutive", 3, false, 0);
	survive_failures("dragonfly:a=3,p=2,h=2,global=random(3)", 3, false, 0);
	survive_failures("dragonfly:a=4,p=2,h=2,g=5", 4, false, 0);
	survive_failures("dragonfly:h=3", 6, false, 100);
	survive_failures("dragonfly:h=4,global=consecutive", 8, false, 40);
}

/*
 * Halves of groups that are joined by several links are all linked to one another: they are no
 * smaller groups that lack nothing, wherever a link is missing.
 */
static void few_groups_stay_whole(void **state)
{
	(void)state;
	survive_failures("dragonfly:a=4,p=2,h=2,g=3", 4, false, 0);
	survive_failures("dragonfly:a=6,p=2,h=2,g=4", 6, false, 0);
	survive_failures("dragonfly:a=6,p=2,h=3,g=5", 6, false, 0);
	survive_failures("dragonfly:a=8,p=2,h=1,g=3", 8, false, 0);
	if (HD_IS_SLOW)
		return;
	survive_failures("dragonfly:a=8,p=2,h=2,g=3", 8, false, 0);
	survive_failures("dragonfly:a=8,p=2,h=2,g=5", 8, false, 0);
	survive_failures("dragonfly:a=16,p=2,h=2,g=9", 16, false, 40);
	survive_failures("dragonfly:a=6,p=2,h=2,g=4", 6, true, 40);
	survive_failures("dragonfly:a=16,p=2,h=2,g=9", 16, true, 10);
}

static void survives_failures_of_two(void **state)
{
	(void)state;
	survive_failures("dragonfly", 4, true, HD_IS_SLOW ? 100 : 600);
	survive_failures("dragonfly:global=random", 4, true, HD_IS_SLOW ? 100 : 600);
	survive_failures("dragonfly:h=3,global=consecutive", 6, true, 60);
	survive_failures("dragonfly:h=4,global=random", 8, true, 20);
}

static void names_what_is_missing(void **state)
{
	struct hd_fabric *fabric = make("dragonfly");
	/* G2S1 port 3 leads to G2S0; G5S3 port 7 is global port 3 * 2 + 1, to group 5 - 7 - 1 */
	uint32_t links[] = { hd_port_index(fabric, 9, 3), hd_port_index(fabric, 23, 7) };
	struct hd_fabric *damaged;
	struct hd_dragonfly *dragonfly;
	struct hd_error err = { 0 };

	(void)state;
	assert_hd_ok(hd_fabric_without(fabric, links, 2, NULL, 0, &damaged, &err), err);
	dragonfly = recognise(damaged, "damaged");
	assert_int_equal(dragonfly->n_missing_local, 1);
	assert_int_equal(dragonfly->missing_local[0], 8);
	assert_int_equal(dragonfly->missing_local[1], 9);
	assert_int_equal(dragonfly->n_missing_global, 1);
	assert_int_equal(dragonfly->missing_global[0], 5);
	assert_int_equal(dragonfly->missing_global[1], 6);
	assert_int_equal(dragonfly->port_class[links[0]], HD_PORT_UNUSED);
	assert_int_equal(dragonfly->port_class[hd_port_index(damaged, 9, 0)], HD_PORT_TERMINAL);
	assert_int_equal(dragonfly->port_class[hd_port_index(damaged, 9, 1)], HD_PORT_TERMINAL);
	assert_int_equal(dragonfly->port_class[hd_port_index(damaged, 9, 4)], HD_PORT_LOCAL);
	assert_int_equal(dragonfly->port_class[hd_port_index(damaged, 9, 6)], HD_PORT_GLOBAL);
	assert_int_equal(dragonfly->port_class[hd_port_index(damaged, 36, 1)], HD_PORT_UNUSED);
	for (uint32_t s = 0; s < 36; s++) {
		assert_int_equal(dragonfly->group[s], s / 4);
		assert_int_equal(dragonfly->position[s], s % 4);
		assert_int_equal(dragonfly->switches[s], s);
		assert_int_equal(dragonfly->first[s / 4], s / 4 * 4);
	}
	hd_dragonfly_free(dragonfly);
	hd_fabric_free(damaged);
	hd_fabric_free(fabric);
}

static void refuses_other_shapes(void **state)
{
	static const char *const specs[] = {
		"torus:8x8",   "torus:4x4",    "torus:5x5",    "torus:4x4x4",  "torus:7",
		"torus:12",    "mesh:6x6",     "mesh:5",       "hyperx:3x3x3", "kns:k=4,n=2",
		"kns:k=3,n=3", "tree:k=4,n=3", "tree:k=8,n=3", "hyperx:4x3x3", "torus:9",
		"mesh:12",     "mesh:4x4",     "mesh:3x3x3",
	};
	struct hd_dragonfly *dragonfly;
	struct hd_error err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = make(specs[i]);

		if (hd_dragonfly_recognise(fabric, NULL, &dragonfly, &err) != HD_EREFUSED)
			fail_msg("%s is not refused", specs[i]);
		assert_null(dragonfly);
		assert_hd_says(err, "not a dragonfly: ");
		hd_fabric_free(fabric);
	}
}

/* Groups are cliques, and cliques can be hard to find: then nobody claims that there are none. */
static void says_when_it_gave_up(void **state)
{
	static const char spec[] = "dragonfly:a=4,p=1,h=64,g=100";
	struct hd_fabric *fabric = make(spec);
	uint64_t *group = calloc(fabric->n_switches, sizeof(*group));
	struct hd_dragonfly_hints hints = { .group_of_switch = group };
	struct hd_dragonfly *dragonfly;
	struct hd_error err = { 0 };

	(void)state;
	assert_int_equal(hd_dragonfly_recognise(fabric, NULL, &dragonfly, &err), HD_EREFUSED);
	assert_hd_says(err, "no dragonfly found: ");
	assert_hd_says(err, "was given up");
	hd_for_each_switch(s, fabric)
		group[s] = s / 4;
	assert_hd_ok(hd_dragonfly_recognise(fabric, &hints, &dragonfly, &err), err);
	assert_int_equal(dragonfly->n_missing_local + dragonfly->n_missing_global, 0);
	hd_dragonfly_free(dragonfly);
	hd_fabric_free(fabric);
	free(group);
}

/*
 * Rows or columns of a HyperX are its groups, also where both lack a link; halves of them are none.
 */
static void rows_of_a_hyperx_stay_whole(void **state)
{
	struct hd_fabric *fabric = make("hyperx:16x16,p=1");
	uint32_t n_links;
	uint32_t *links = switch_links(fabric, &n_links);
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 1, 0);
	for (uint64_t seed = 0; seed < 12; seed++) {
		struct hd_fabric *damaged, *copy;
		struct hd_dragonfly *dragonfly;
		struct hd_error err = { 0 };
		uint32_t gone[3];

		for (unsigned i = 0; i < 3; i++)
			gone[i] = links[hd_random_below(&random, n_links)];
		assert_hd_ok(hd_fabric_without(fabric, gone, 3, NULL, 0, &damaged, &err), err);
		copy = shuffled_copy(damaged, seed, NULL, NULL);
		dragonfly = recognise(copy, "a HyperX without three links");
		assert_int_equal(dragonfly->a, 16);
		assert_int_equal(dragonfly->n_groups, 16);
		hd_dragonfly_free(dragonfly);
		hd_fabric_free(copy);
		hd_fabric_free(damaged);
	}
	free(links);
	hd_fabric_free(fabric);
}

/* What is formally a dragonfly is one: nothing is missing for routes of dragonflies. */
static void takes_dragonflies_of_other_names(void **state)
{
	static const struct {
		const char *spec;
		uint32_t a, g;
	} shapes[] = {
		{ "hyperx:4x4", 4, 4 }, { "hyperx:8x8", 8, 8 },  { "torus:4", 2, 2 },
		{ "torus:6", 2, 3 },    { "torus:2x2x2", 2, 4 }, { "hyperx:5,p=1", 5, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);
		struct hd_dragonfly *dragonfly = recognise(fabric, shapes[i].spec);

		assert_int_equal(dragonfly->a, shapes[i].a);
		assert_int_equal(dragonfly->n_groups, shapes[i].g);
		assert_int_equal(dragonfly->n_missing_local + dragonfly->n_missing_global, 0);
		hd_dragonfly_free(dragonfly);
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builds_every_size),
		cmocka_unit_test(arrangements_are_as_defined),
		cmocka_unit_test(random_depends_on_the_seed),
		cmocka_unit_test(trunks_are_spread_over_switches),
		cmocka_unit_test(local_shapes),
		cmocka_unit_test(recognises_perfect_shapes),
		cmocka_unit_test(survives_every_failure_of_one),
		cmocka_unit_test(few_groups_stay_whole),
		cmocka_unit_test(survives_failures_of_two),
		cmocka_unit_test(names_what_is_missing),
		cmocka_unit_test(refuses_other_shapes),
		cmocka_unit_test(says_when_it_gave_up),
		cmocka_unit_test(rows_of_a_hyperx_stay_whole),
		cmocka_unit_test(takes_dragonflies_of_other_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
