// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Dragonflies whose groups have a pattern, and what looks like one of them and is none. */
#include "tests/unit/dragonfly_case.h"

#include <unistd.h>

#include "fabric/builder.h"
#include "support/random.h"
#include "tests/unit/shuffle.h"

/* Fails @n_links links between switches and @n_switches switches, chosen by @seed. */
static struct hd_fabric *without_some(const struct hd_fabric *fabric, uint32_t n_links,
				      uint32_t n_switches, uint64_t seed)
{
	uint32_t n_all, *links = switch_links(fabric, &n_all);
	uint32_t *order = malloc((n_all + fabric->n_switches) * sizeof(*order));
	struct hd_fabric *damaged;
	struct hd_random random;
	struct hd_error err = { 0 };

	hd_random_init(&random, seed, 0);
	hd_random_permutation(&random, n_all, order);
	for (uint32_t i = 0; i < n_links; i++)
		order[i] = links[order[i]];
	memcpy(links, order, n_links * sizeof(*links));
	hd_random_permutation(&random, fabric->n_switches, order);
	assert_hd_ok(hd_fabric_without(fabric, links, n_links, order, n_switches, &damaged, &err),
		     err);
	free(links);
	free(order);
	return damaged;
}

/* Leaves each host with a chance of @of_eight in eight, and none on switches that @bare names. */
static struct hd_fabric *with_few_hosts(const struct hd_fabric *fabric, uint32_t of_eight,
					const bool *bare, uint64_t seed)
{
	uint32_t *links = malloc(fabric->n_nodes * sizeof(*links)), n_links = 0;
	struct hd_fabric *result;
	struct hd_random random;
	struct hd_error err = { 0 };

	hd_random_init(&random, seed, 0);
	hd_for_each_end_node(host, fabric)
		if (hd_random_below(&random, 8) >= of_eight ||
		    (bare && bare[hd_peer_node(fabric, host, 1)]))
			links[n_links++] = hd_port_index(fabric, host, 1);
	assert_hd_ok(hd_fabric_without(fabric, links, n_links, NULL, 0, &result, &err), err);
	free(links);
	return result;
}

static void refuses_trees(void **state)
{
	static const struct {
		const char *spec;
		uint32_t n_links, n_switches;
	} trees[] = {
		{ "tree:k=2,n=2", 0, 0 },  { "tree:k=4,n=2", 0, 0 },  { "tree:k=4,n=2", 1, 0 },
		{ "tree:k=8,n=2", 0, 0 },  { "tree:k=8,n=2", 3, 0 },  { "tree:k=8,n=2", 2, 2 },
		{ "tree:k=24,n=2", 0, 0 }, { "tree:k=24,n=2", 5, 1 }, { "tree:k=2,n=3", 0, 0 },
		{ "tree:k=4,n=3", 0, 0 },  { "tree:k=4,n=3", 5, 2 },  { "tree:k=8,n=3", 0, 0 },
	};
	struct hd_dragonfly *dragonfly;
	struct hd_error err = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct hd_fabric *fabric = make(trees[i].spec);

		for (uint64_t seed = 0; seed < 6; seed++) {
			struct hd_fabric *damaged =
				without_some(fabric, trees[i].n_links, trees[i].n_switches, seed);
			/* from the fourth on, leaves lose hosts */
			struct hd_fabric *few =
				with_few_hosts(damaged, seed < 3 ? 8 : 6, NULL, seed);
			struct hd_fabric *copy = shuffled_copy(few, seed, NULL, NULL);

			if (hd_dragonfly_recognise(copy, NULL, &dragonfly, &err) != HD_EREFUSED)
				fail_msg("%s is not refused", trees[i].spec);
			assert_hd_says(err, "not a dragonfly: ");
			if (damaged->n_switches > 4 && few->n_nodes > 2 * few->n_switches)
				assert_hd_says(err, "switches without hosts are what joins");
			hd_fabric_free(copy);
			hd_fabric_free(few);
			hd_fabric_free(damaged);
		}
		hd_fabric_free(fabric);
	}
}

/* That some switches have no hosts makes no tree of a dragonfly. */
static void needs_no_hosts(void **state)
{
	static const struct {
		const char *spec;
		uint32_t a;
	} shapes[] = {
		{ "dragonfly", 4 },
		{ "dragonfly:a=3,p=2,h=2", 3 },
		{ "dragonfly:h=3", 6 },
		{ "dragonfly:h=4,global=random", 8 },
		{ "dragonfly:a=4,p=4,h=2,g=5", 4 },
		{ "dragonfly:a=2,p=2,h=4,global=consecutive", 2 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);
		uint32_t a = shapes[i].a;
		bool *bare = calloc(fabric->n_switches, sizeof(*bare));

		for (uint32_t n_with = 1; n_with <= a; n_with++) {
			/* hosts on the first switches of every group alone */
			hd_for_each_switch(s, fabric)
				bare[s] = s % a >= n_with;
			for (uint32_t of_eight = 1; of_eight <= 8; of_eight++) {
				struct hd_fabric *few =
					with_few_hosts(fabric, of_eight, bare, of_eight);
				struct hd_dragonfly *dragonfly = recognise(few, shapes[i].spec);

				assert_groups(dragonfly, NULL, few->n_switches, a, shapes[i].spec);
				hd_dragonfly_free(dragonfly);
				hd_fabric_free(few);
			}
		}
		free(bare);
		hd_fabric_free(fabric);
	}
}

/* Takes parts out of a dragonfly of groups of @a, shuffles it, and finds the groups that it had. */
static void assert_finds(const struct hd_fabric *fabric, uint32_t a, uint32_t n_links,
			 uint32_t n_switches, uint64_t seed, const char *what)
{
	uint32_t *node_of = malloc(fabric->n_nodes * sizeof(*node_of));
	uint32_t *group_now = malloc(fabric->n_switches * sizeof(*group_now));
	struct hd_fabric *damaged = without_some(fabric, n_links, n_switches, seed);
	struct hd_fabric *copy = shuffled_copy(damaged, seed, node_of, NULL);
	struct hd_dragonfly *dragonfly = recognise(copy, what);

	assert_int_equal(dragonfly->n_groups, fabric->n_switches / a);
	memset(group_now, 0xFF, fabric->n_switches * sizeof(*group_now));
	hd_for_each_switch(s, damaged) {
		uint32_t before = hd_fabric_find_node(fabric, damaged->nodes[s].guid) / a;

		if (group_now[before] == HD_NONE)
			group_now[before] = dragonfly->group[node_of[s]];
		if (group_now[before] != dragonfly->group[node_of[s]])
			fail_msg("%s: switch %u is in another group", what, (unsigned)s);
	}
	assert_false(dragonfly->is_full);
	assert_int_equal(dragonfly->n_missing_switches, n_switches);
	if (!n_links && !n_switches) {
		assert_int_equal(dragonfly->n_missing_pattern, 0);
		assert_int_equal(dragonfly->n_missing_global, 0);
	}
	hd_dragonfly_free(dragonfly);
	hd_fabric_free(copy);
	hd_fabric_free(damaged);
	free(node_of);
	free(group_now);
}

/* Groups that are rings, meshes, HyperX. */
static void recognises_patterns(void **state)
{
	static const struct {
		const char *spec;
		uint32_t a, n_links, n_switches;
	} shapes[] = {
		{ "dragonfly:a=6,p=2,h=2,local=hyperx:3x2", 6, 0, 0 },
		{ "dragonfly:a=6,p=2,h=2,local=hyperx:3x2", 6, 1, 0 },
		{ "dragonfly:a=6,p=2,h=2,local=hyperx:3x2", 6, 8, 0 },
		{ "dragonfly:a=6,p=2,h=2,local=hyperx:3x2", 6, 0, 1 },
		{ "dragonfly:a=6,p=2,h=2,local=hyperx:3x2", 6, 3, 2 },
		{ "dragonfly:a=6,p=2,h=2,local=hyperx:3x2,g=5", 6, 0, 0 },
		{ "dragonfly:a=6,p=2,h=2,local=hyperx:3x2,g=7", 6, 3, 0 },
		{ "dragonfly:a=6,p=2,h=2,local=hyperx:3x2,g=10", 6, 3, 1 },
		{ "dragonfly:a=9,p=1,h=2,local=hyperx:3x3,global=random", 9, 5, 0 },
		{ "dragonfly:a=8,p=1,h=4,local=hyperx:4x2,global=consecutive", 8, 0, 0 },
		{ "dragonfly:a=16,p=1,h=4,local=hyperx:4x4", 16, 0, 0 },
		{ "dragonfly:a=16,p=1,h=4,local=hyperx:4x4", 16, 1, 0 },
		{ "dragonfly:a=8,p=1,h=2,local=mesh:4x2", 8, 0, 0 },
		{ "dragonfly:a=9,p=1,h=3,local=mesh:3x3,global=random", 9, 0, 0 },
		{ "dragonfly:a=6,p=1,h=2,local=mesh:3x2", 6, 2, 0 },
		{ "dragonfly:a=4,p=1,h=2,local=ring", 4, 0, 0 },
		{ "dragonfly:a=5,p=1,h=2,local=ring,global=random", 5, 0, 0 },
		{ "dragonfly:a=6,p=1,h=1,local=ring", 6, 0, 0 },
		{ "dragonfly:a=6,p=1,h=1,local=ring", 6, 1, 0 },
		{ "dragonfly:a=6,p=2,h=2,local=ring", 6, 0, 0 },
		{ "dragonfly:a=6,p=2,h=2,local=ring", 6, 1, 0 },
		{ "dragonfly:a=6,p=2,h=2,local=ring", 6, 0, 1 },
		{ "dragonfly:a=6,p=2,h=2,local=ring,g=7", 6, 0, 0 },
		{ "dragonfly:a=6,p=1,h=3,local=ring,global=random(2)", 6, 0, 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);

		for (uint64_t seed = 0; seed < 5; seed++)
			assert_finds(fabric, shapes[i].a, shapes[i].n_links, shapes[i].n_switches,
				     seed, shapes[i].spec);
		hd_fabric_free(fabric);
	}
}

/* Rings that are joined so often could be cut elsewhere as well: a file has to say. */
static void names_what_is_ambiguous(void **state)
{
	struct hd_fabric *fabric = make("dragonfly:a=6,p=2,h=2,g=5,local=ring");

	(void)state;
	for (uint64_t seed = 0; seed < 5; seed++) {
		struct hd_fabric *copy = shuffled_copy(fabric, seed, NULL, NULL);
		struct hd_dragonfly *dragonfly;
		struct hd_error err = { 0 };

		assert_int_equal(hd_dragonfly_recognise(copy, NULL, &dragonfly, &err), HD_EREFUSED);
		assert_null(dragonfly);
		assert_hd_says(err, "no dragonfly found: groups are ambiguous: switch 0x");
		assert_hd_says(err, " or with 0x");
		assert_hd_says(err, "give them by a file (groups)");
		hd_fabric_free(copy);
	}
	hd_fabric_free(fabric);
}

static void add_switch(struct hd_builder *builder, uint64_t guid)
{
	struct hd_node_spec spec = { .type = HD_SWITCH, .guid = guid, .n_ports = 36, .name = "s" };
	struct hd_error err = { 0 };
	uint32_t id;

	assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
}

static void link_next(struct hd_builder *builder, unsigned used[], uint32_t s, uint32_t t)
{
	struct hd_error err = { 0 };

	assert_hd_ok(hd_builder_link(builder, s, ++used[s], t, ++used[t], &err), err);
}

static int refusal(struct hd_builder *builder, struct hd_error *err)
{
	struct hd_fabric *fabric;
	struct hd_dragonfly *dragonfly;
	int ret;

	assert_hd_ok(hd_builder_finish(builder, &fabric, err), *err);
	ret = hd_dragonfly_recognise(fabric, NULL, &dragonfly, err);
	hd_dragonfly_free(dragonfly);
	hd_fabric_free(fabric);
	return ret;
}

static void refuses_odd_graphs(void **state)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_error err = { 0 };
	struct hd_random random;
	unsigned used[64] = { 0 };

	(void)state;
	assert_int_equal(refusal(builder, &err), HD_EREFUSED);
	assert_hd_says(err, "no switches");

	builder = hd_builder_new(); /* two cliques of four */
	for (uint32_t s = 0; s < 8; s++)
		add_switch(builder, 1 + s);
	for (uint32_t s = 0; s < 8; s++)
		for (uint32_t t = s + 1; t < s / 4 * 4 + 4; t++)
			link_next(builder, used, s, t);
	assert_int_equal(refusal(builder, &err), HD_EREFUSED);

	builder = hd_builder_new(); /* random links, six for each switch on average */
	memset(used, 0, sizeof(used));
	hd_random_init(&random, 3, 0);
	for (uint32_t s = 0; s < 64; s++)
		add_switch(builder, 1 + s);
	for (uint32_t i = 0; i < 192; i++) {
		uint32_t s = hd_random_below(&random, 64);

		link_next(builder, used, s, (s + 1 + hd_random_below(&random, 63)) % 64);
	}
	assert_int_equal(refusal(builder, &err), HD_EREFUSED);
}

static int read_groups(const char *text, const struct hd_fabric *fabric, uint64_t **labels,
		       struct hd_error *err)
{
	char path[] = "/tmp/heddle-groups-XXXXXX";
	int fd = mkstemp(path), ret;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	ret = hd_dragonfly_read_groups(path, fabric, labels, err);
	unlink(path);
	return ret;
}

static void reads_group_files(void **state)
{
	struct hd_fabric *fabric = make("dragonfly:a=2,p=0,h=1,g=2");
	static const struct {
		const char *text;
		unsigned line;
		const char *says;
	} bad[] = {
		{ "0x1000000000000 1\nnonsense\n", 2, "GUID GROUP" },
		{ "0x1000000000000\n", 1, "not a number" },
		{ "0x1000000000000 1 2\n", 1, "unexpected" },
		{ "0x42 1\n", 1, "no switch" },
		{ "0x1000000000000 1\n\n0x1000000000000 1\n", 3, "line 1" },
		{ "# nothing\n", 0, "has no group" },
		{ "0x11000000000000000 1\n", 1, "GUID GROUP" },
	};
	struct hd_error err = { 0 };
	uint64_t *labels;

	(void)state;
	assert_hd_ok(read_groups("# groups\n0x0001000000000000 7\r\n 0X1000000000001\t7 # same\n\n"
				 "1000000000002 0\n0x1000000000003 0",
				 fabric, &labels, &err),
		     err);
	assert_int_equal(labels[0], 7);
	assert_int_equal(labels[1], 7);
	assert_int_equal(labels[2], 0);
	assert_int_equal(labels[3], 0);
	free(labels);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(read_groups(bad[i].text, fabric, &labels, &err), HD_EPARSE);
		assert_null(labels);
		assert_int_equal(err.line, bad[i].line);
		assert_hd_says(err, bad[i].says);
	}
	assert_int_equal(hd_dragonfly_read_groups("/nonexistent", fabric, &labels, &err), HD_EIO);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refuses_trees),       cmocka_unit_test(needs_no_hosts),
		cmocka_unit_test(recognises_patterns), cmocka_unit_test(names_what_is_ambiguous),
		cmocka_unit_test(refuses_odd_graphs),  cmocka_unit_test(reads_group_files),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
