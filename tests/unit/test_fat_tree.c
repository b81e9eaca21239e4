// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Recognition of fat trees in the bare graph: levels, siblings, what is missing, what is no tree.
 */
#include "tests/unit/dragonfly_case.h"

#include <unistd.h>

#include "fabric/builder.h"
#include "support/random.h"
#include "tests/unit/shuffle.h"
#include "topologies/fat_tree.h"

static struct hd_fat_tree *find_tree(const struct hd_fabric *fabric, const char *what)
{
	struct hd_fat_tree *tree;
	struct hd_error err = { 0 };

	if (hd_fat_tree_recognise(fabric, &tree, &err))
		fail_msg("%s: %s", what, err.text);
	return tree;
}

static void perfect_trees(void **state)
{
	static const struct {
		const char *spec;
		unsigned n_levels;
		uint32_t n_at[4];
		uint32_t n_siblings;
	} trees[] = {
		{ "tree:k=4,n=2", 2, { 4, 4 }, 1 },
		{ "tree:k=4,n=3", 3, { 16, 16, 16 }, 4 + 4 },
		{ "tree:k=3,n=4", 4, { 27, 27, 27, 27 }, 9 + 9 + 9 },
		{ "pgft:m=12x8,w=1x6,p=1x2", 2, { 8, 6 }, 1 },
		{ "pgft:m=6x4x5,w=1x3x2,p=1x1x3", 3, { 20, 15, 6 }, 5 + 3 },
		{ "pgft:m=8x16,w=1x4,rails=8", 2, { 16, 4 }, 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(trees) / sizeof(trees[0]); i++) {
		struct hd_fabric *fabric = make(trees[i].spec);

		for (uint64_t seed = 0; seed < 4; seed++) {
			struct hd_fabric *copy = shuffled_copy(fabric, seed, NULL, NULL);
			struct hd_fat_tree *tree = find_tree(copy, trees[i].spec);

			assert_int_equal(tree->n_levels, trees[i].n_levels);
			for (unsigned level = 0; level < tree->n_levels; level++)
				assert_int_equal(tree->n_at[level], trees[i].n_at[level]);
			assert_int_equal(tree->n_siblings, trees[i].n_siblings);
			assert_true(hd_fat_tree_is_perfect(tree));
			assert_int_equal(tree->n_above, 0);
			hd_fat_tree_free(tree);
			hd_fabric_free(copy);
		}
		hd_fabric_free(fabric);
	}
}

/* Generated trees are numbered along the tree, and dividers are the products of the parents. */
static void numbers_along_the_tree(void **state)
{
	struct hd_fabric *fabric = make("pgft:m=6x4x5,w=1x3x2,p=1x1x3");
	struct hd_fat_tree *tree = find_tree(fabric, "pgft");

	(void)state;
	for (uint32_t i = 0; i < fabric->n_switches; i++)
		assert_int_equal(tree->order[i], i);
	assert_int_equal(tree->divider[0], 1);
	assert_int_equal(tree->divider[20], 3);
	assert_int_equal(tree->divider[35], 6);
	/* two parents by three cables */
	assert_int_equal(tree->sibling[tree->siblings[20]].n_parents, 2);
	assert_int_equal(tree->sibling[tree->siblings[20]].n_slots, 6);
	hd_fat_tree_free(tree);
	hd_fabric_free(fabric);
}

static void missing_cables(void **state)
{
	struct hd_fabric *fabric = make("pgft:m=8x12,w=1x4,p=1x2");
	uint32_t n_links, *links = switch_links(fabric, &n_links);
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 7, 0);
	for (uint32_t n = 1; n <= 9; n++) {
		struct hd_fabric *less, *copy;
		struct hd_fat_tree *tree;
		struct hd_error err;

		for (uint32_t i = 0; i < n; i++) {
			uint32_t other = i + hd_random_below(&random, n_links - i);
			uint32_t link = links[i];

			links[i] = links[other];
			links[other] = link;
		}
		assert_hd_ok(hd_fabric_without(fabric, links, n, NULL, 0, &less, &err), err);
		copy = shuffled_copy(less, n, NULL, NULL);
		tree = find_tree(copy, "pgft with cables missing");
		assert_int_equal(tree->n_missing, n);
		assert_int_equal(tree->n_odd, 0);
		assert_false(hd_fat_tree_is_perfect(tree));
		/* the first is named by its ends */
		assert_int_equal(tree->level[tree->missing[0]], 0);
		assert_int_equal(tree->level[tree->missing[1]], 1);
		hd_fat_tree_free(tree);
		hd_fabric_free(copy);
		hd_fabric_free(less);
	}
	free(links);
	hd_fabric_free(fabric);
}

/* A tree with @n end nodes on every spine, of this name and device. */
static struct hd_fabric *with_devices_on_spines(uint32_t n_leaves, uint32_t n_spines, uint32_t p,
						uint32_t n, const char *name, uint32_t device)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	struct hd_error err;
	uint32_t id;

	for (uint32_t s = 0; s < n_leaves + n_spines; s++) {
		struct hd_node_spec spec = { .type = HD_SWITCH, .guid = 0x100 + s, .n_ports = 40 };

		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
	}
	for (uint32_t s = 0; s < n_leaves + n_spines; s++)
		for (uint32_t i = 0; i < (s < n_leaves ? p : n); i++) {
			struct hd_node_spec spec = { .type = HD_CA,
						     .guid = 0x10000 + 0x1000 * s + 16 * i,
						     .n_ports = 1,
						     .vendor_id = 0x2C9,
						     .device_id = s < n_leaves ? 0x1021 : device,
						     .name = s < n_leaves ? "host" : name };

			assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
			assert_hd_ok(hd_builder_link(builder, id, 1, s, 40 - i, &err), err);
		}
	for (uint32_t s = 0; s < n_leaves; s++)
		for (uint32_t k = 0; k < n_spines; k++)
			assert_hd_ok(hd_builder_link(builder, s, 1 + k, n_leaves + k, 1 + s, &err),
				     err);
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	return fabric;
}

/* The same, aggregation nodes by their names. */
static struct hd_fabric *with_nodes_on_spines(uint32_t n_leaves, uint32_t n_spines, uint32_t p,
					      uint32_t n)
{
	return with_devices_on_spines(n_leaves, n_spines, p, n, "Some Aggregation Node", 0);
}

/* As many end nodes on spines as on leaves: known by their name, their device, or a file. */
static void end_nodes_that_are_no_hosts(void **state)
{
	static const struct {
		const char *name;
		uint32_t device;
		bool in_file, is_tree;
	} cases[] = {
		{ "gateway", 0x1021, false, false },
		{ "Some Aggregation Node", 0x1021, false, true },
		{ "Mellanox Technologies", 0xCF09, false, true },
		{ "gateway", 0x1021, true, true },
	};
	char path[] = "/tmp/heddle-no-hosts-XXXXXX";
	int descriptor = mkstemp(path);
	FILE *stream = descriptor < 0 ? NULL : fdopen(descriptor, "w");

	(void)state;
	assert_non_null(stream);
	/* by node, by port, one that is not there, remarks */
	fputs("# gateways\n0x9999999999999999\n", stream);
	for (uint32_t s = 12; s < 18; s++)
		for (uint32_t i = 0; i < 16; i++)
			fprintf(stream, "0x%x%s\n", 0x10000 + 0x1000 * s + 16 * i + i % 2,
				i % 3 ? "" : " gateway # here");
	fclose(stream);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric =
			with_devices_on_spines(12, 6, 16, 16, cases[i].name, cases[i].device);
		struct hd_fat_tree *tree;
		struct hd_error err;
		int ret = hd_fat_tree_recognise_without(fabric, cases[i].in_file ? path : NULL,
							&tree, &err);

		assert_int_equal(ret, cases[i].is_tree ? 0 : HD_EREFUSED);
		if (cases[i].is_tree) {
			assert_int_equal(tree->n_at[0], 12);
			assert_int_equal(tree->n_at[1], 6);
			assert_int_equal(tree->n_above, 96);
			assert_int_equal(tree->n_aggregation, cases[i].in_file ? 0 : 96);
			assert_true(hd_fat_tree_is_perfect(tree));
		}
		hd_fat_tree_free(tree);
		hd_fabric_free(fabric);
	}
	unlink(path);
}

static void end_nodes_on_spines(void **state)
{
	(void)state;
	for (uint32_t n = 0; n <= 4; n++) {
		struct hd_fabric *fabric = with_nodes_on_spines(12, 6, 16, n);
		struct hd_fat_tree *tree = find_tree(fabric, "end nodes on spines");

		assert_int_equal(tree->n_at[0], 12);
		assert_int_equal(tree->n_at[1], 6);
		assert_int_equal(tree->n_above, 6 * n);
		assert_int_equal(tree->n_aggregation, 6 * n);
		assert_true(hd_fat_tree_is_perfect(tree));
		hd_fat_tree_free(tree);
		hd_fabric_free(fabric);
	}
}

static void other_shapes_are_no_trees(void **state)
{
	static const struct {
		const char *spec, *says;
	} shapes[] = {
		{ "dragonfly:a=4,p=2,h=2", "no levels" },
		{ "dragonfly:a=6,p=3,h=3", "no levels" },
		{ "torus:5x4", "no levels" },
		{ "mesh:3x3x3", "no levels" },
		{ "hyperx:4x4", "no levels" },
		{ "kns:k=4,n=2", "no path up and down" },
		{ "kns:k=3,n=3", "no path up and down" },
		{ "torus:4x4,p=0", "no levels" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = make(shapes[i].spec);
		struct hd_fat_tree *tree;
		struct hd_error err = { 0 };

		if (hd_fat_tree_recognise(fabric, &tree, &err) != HD_EREFUSED)
			fail_msg("%s is not refused", shapes[i].spec);
		assert_null(tree);
		assert_hd_says(err, "not a fat tree: ");
		assert_hd_says(err, shapes[i].says);
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(perfect_trees),
		cmocka_unit_test(numbers_along_the_tree),
		cmocka_unit_test(missing_cables),
		cmocka_unit_test(end_nodes_on_spines),
		cmocka_unit_test(end_nodes_that_are_no_hosts),
		cmocka_unit_test(other_shapes_are_no_trees),
	};

	return cmocka_run_group_tests_name("fat_tree", tests, NULL, NULL);
}
