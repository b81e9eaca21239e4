// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Building dragonflies, and recognising them in whatever order and state they come. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "support/random.h"
#include "tests/unit/shuffle.h"
#include "topologies/dragonfly.h"

static struct hd_fabric *make(const char *spec)
{
	struct hd_fabric *fabric;
	struct hd_error err = { 0 };

	if (hd_topology_build(spec, &fabric, &err))
		fail_msg("%s: %s", spec, err.text);
	return fabric;
}

static struct hd_dragonfly *recognise(const struct hd_fabric *fabric, const char *what)
{
	struct hd_dragonfly *dragonfly;
	struct hd_error err = { 0 };

	if (hd_dragonfly_recognise(fabric, NULL, &dragonfly, &err))
		fail_msg("%s: %s", what, err.text);
	return dragonfly;
}

/* The partition that @dragonfly found is the one into runs of @a switches of the unshuffled. */
static void assert_groups(const struct hd_dragonfly *dragonfly, const uint32_t *node_of, uint32_t n,
			  uint32_t a, const char *what)
{
	if (dragonfly->n_groups != (n + a - 1) / a)
		fail_msg("%s: %u groups", what, (unsigned)dragonfly->n_groups);
	for (uint32_t s = 0; s < n; s++) {
		uint32_t mate = s / a * a;
		uint32_t here = node_of ? node_of[s] : s, there = node_of ? node_of[mate] : mate;

		if (dragonfly->group[here] != dragonfly->group[there])
			fail_msg("%s: switch %u is in another group", what, (unsigned)s);
	}
}

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(builds_every_size),
		cmocka_unit_test(recognises_perfect_shapes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
