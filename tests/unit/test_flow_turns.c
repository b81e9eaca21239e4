// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Dependencies of all flows by their trees: the same as those of one flow after another. */
#include "tests/unit/unit.h"

#include "engines/engine.h"
#include "fabric/faults.h"
#include "sl2vl/flow_turns.h"
#include "sl2vl/lid_columns.h"
#include "support/random.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"

#define N_LAYERS 15

/* @spec, shuffled, without about one of @one_of links between switches (0: with all). */
static struct hd_fabric *build_damaged(const char *spec, unsigned lmc, uint32_t one_of,
				       struct hd_random *random)
{
	struct hd_fabric *plain = build_fabric(spec, lmc), *rest;
	struct hd_fabric *fabric = shuffled_copy(plain, hd_random_below(random, 1000), NULL, NULL);
	uint32_t *links = malloc(fabric->n_ports * sizeof(*links)), n = 0;
	struct hd_error err;

	hd_for_each_port(p, fabric) {
		const uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && peer > p && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node) && one_of &&
		    !hd_random_below(random, one_of))
			links[n++] = p;
	}
	assert_hd_ok(hd_fabric_without(fabric, links, n, NULL, 0, &rest, &err), err);
	free(links);
	hd_fabric_free(fabric);
	hd_fabric_free(plain);
	return rest;
}

/* Changes one of @one_of entries: some lead nowhere then, or in a circle. */
static void spoil(struct hd_tables *tables, uint32_t one_of, struct hd_random *random)
{
	const struct hd_fabric *fabric = tables->fabric;

	for (uint32_t s = 0; one_of && s < fabric->n_switches; s++)
		hd_for_each_lid(lid, fabric)
			if (!hd_random_below(random, one_of))
				hd_lft(tables, s)[lid] = (uint8_t)hd_random_below(
					random, fabric->nodes[s].n_ports + 3u);
}

/* Classes by nothing, by the destination, or by source and destination. */
enum classes { NO_CLASSES, BY_DESTINATION, BY_BOTH };

/* Any layers: each pattern gives each class one of a few, and each row has any of the patterns. */
static void draw_layers(const struct hd_tables *tables, enum classes classes, bool with_patterns,
			struct hd_random *random, struct hd_layering *layering)
{
	const uint32_t n_switches = tables->fabric->n_switches;
	const size_t n_rows = tables->sl2vl_first[n_switches];
	const size_t n = (classes == BY_BOTH ? n_switches : 1) * tables->lft_stride;

	*layering = (struct hd_layering){
		.n_layers = 1 + hd_random_below(random, N_LAYERS),
		.n_classes = classes == NO_CLASSES ? 1 : 1 + hd_random_below(random, HD_MAX_SLS),
		.n_patterns = with_patterns ? 1 + hd_random_below(random, 6) : 1,
		.by_destination = classes == BY_DESTINATION,
	};
	layering->patterns = calloc(layering->n_patterns, sizeof(*layering->patterns));
	for (unsigned p = 0; p < layering->n_patterns; p++)
		for (unsigned class = 0; class < layering->n_classes; class ++)
			layering->patterns[p][class] =
				(uint8_t)hd_random_below(random, layering->n_layers);
	if (with_patterns)
		layering->pattern = malloc(n_rows * sizeof(*layering->pattern));
	for (size_t row = 0; with_patterns && row < n_rows; row++)
		layering->pattern[row] = (uint16_t)hd_random_below(random, layering->n_patterns);
	if (classes != NO_CLASSES)
		layering->class_of = malloc(n);
	for (size_t i = 0; classes != NO_CLASSES && i < n; i++)
		layering->class_of[i] = (uint8_t)hd_random_below(random, layering->n_classes);
}

static unsigned class_of(const struct hd_tables *tables, const struct hd_layering *layering,
			 uint32_t source, uint32_t lid)
{
	if (!layering->class_of)
		return 0;
	return layering
		->class_of[(layering->by_destination ? 0 : source * tables->lft_stride) + lid];
}

/* Follows each flow to each LID by itself. Returns how many have dependencies. */
static uint32_t add_each(struct hd_flow_paths *paths, struct hd_channels *channels)
{
	const struct hd_tables *tables = paths->tables;
	const struct hd_fabric *fabric = tables->fabric;
	uint8_t *entries = malloc(fabric->n_switches + 1u);
	uint32_t n = 0;

	hd_for_each_lid(lid, fabric) {
		const struct hd_flow_entries to = { .at = entries,
						    .last = fabric->lids[lid].via_switch };

		if (fabric->lids[lid].port == HD_NONE || to.last == HD_NONE)
			continue;
		hd_for_each_switch(s, fabric)
			entries[s] = hd_lft(tables, s)[lid];
		hd_for_each_switch(s, fabric) {
			const unsigned class = class_of(tables, paths->layering, s, lid);
			size_t n_edges;

			if (!hd_flow_begins(paths, s))
				continue;
			hd_flow_follow(paths, s, &to);
			n_edges = hd_flow_edges(paths, class);
			for (size_t i = 0; i < n_edges; i++)
				hd_channels_add(channels, &paths->edges[i]);
			n += n_edges > 0;
		}
	}
	free(entries);
	return n;
}

static void add_together(const struct hd_flow_paths *paths, struct hd_channels *channels)
{
	const struct hd_tables *tables = paths->tables;
	const uint32_t n = tables->fabric->n_switches;
	struct hd_lid_columns columns;
	struct hd_error err;
	uint8_t *entries;

	assert_hd_ok(hd_lid_columns_find(&columns, tables, paths->layering, &err), err);
	entries = malloc((size_t)columns.n * n + 1);
	for (uint32_t c = 0; c < columns.n; c++)
		for (uint32_t s = 0; s < n; s++)
			entries[(size_t)c * n + s] =
				hd_lft(tables, s)[columns.lids[columns.first[c]]];
	assert_hd_ok(hd_flow_turns_add(paths, &columns, entries, channels, &err), err);
	free(entries);
	hd_lid_columns_clear(&columns);
}

static void assert_same_graph(const struct hd_channels *a, const struct hd_channels *b)
{
	const struct hd_tables *tables = a->tables;
	const size_t n = tables->sl2vl_first[tables->fabric->n_switches] * a->n_layers;
	const size_t n_words = (size_t)a->n_vertices * a->n_words;

	assert_memory_equal(a->next, b->next, n * sizeof(*a->next));
	if (n_words) {
		assert_memory_equal(a->outs, b->outs, n_words * sizeof(*a->outs));
		assert_memory_equal(a->ins, b->ins, n_words * sizeof(*a->ins));
	}
}

static uint32_t compare(const struct hd_tables *tables, const struct hd_layering *layering)
{
	struct hd_channels each, together;
	struct hd_flow_paths paths;
	struct hd_error err;
	uint32_t n;

	assert_hd_ok(hd_flow_paths_init(&paths, tables, layering, &err), err);
	assert_hd_ok(hd_channels_init(&each, tables, N_LAYERS, &err), err);
	assert_hd_ok(hd_channels_init(&together, tables, N_LAYERS, &err), err);
	n = add_each(&paths, &each);
	add_together(&paths, &together);
	assert_same_graph(&each, &together);
	hd_channels_clear(&each);
	hd_channels_clear(&together);
	hd_flow_paths_clear(&paths);
	return n;
}

static const struct {
	const char *spec, *engine;
	unsigned lmc;
} cases[] = {
	{ "dragonfly:a=4,p=2,h=2", "minhop", 0 },
	{ "dragonfly:a=3,p=1,h=1", "updn", 2 },
	{ "torus:5x4", "minhop", 0 },
	{ "torus:11", "minhop", 1 },
	{ "tree:k=3,n=3", "minhop", 0 },
	{ "kns:k=4,n=2", "minhop", 0 },
	{ "hyperx:3x3,p=2", "updn", 0 },
};

/* LFTs without lanes; NULL: the fabric is in parts. */
static struct hd_tables *route_lfts(const struct hd_fabric *fabric, const char *engine)
{
	const struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err;

	if (hd_route_lfts(hd_engine_find(engine), fabric, &request, &tables, &err))
		return NULL;
	return tables;
}

/* Any layers on degraded fabrics, with sound entries, holes and circles. */
static void trees_give_what_flows_give(void **state)
{
	struct hd_random random;
	unsigned n = 0;

	hd_random_init(&random, 37, 0);
	for (unsigned round = 0; round < 12 * (sizeof(cases) / sizeof(cases[0])); round++) {
		const size_t i = round % (sizeof(cases) / sizeof(cases[0]));
		struct hd_fabric *fabric =
			build_damaged(cases[i].spec, cases[i].lmc, round % 3 * 9, &random);
		struct hd_tables *tables = route_lfts(fabric, cases[i].engine);
		struct hd_layering layering;

		if (tables) {
			spoil(tables, round % 4 * 40, &random);
			draw_layers(tables, (enum classes)(round / 2 % 3), round & 1, &random,
				    &layering);
			n += compare(tables, &layering) > 0;
			hd_layering_clear(&layering);
		}
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
	assert_in_range(n, 70, 84);
}

/* Where no path has two links between switches, there are no dependencies. */
static void little_fabrics(void **state)
{
	static const char *const specs[] = { "torus:3", "mesh:2", "tree:k=3,n=1" };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build_fabric(specs[i], 0);
		struct hd_tables *tables = route_lfts(fabric, "minhop");
		struct hd_layering layering;
		struct hd_random random;

		hd_random_init(&random, i, 0);
		assert_non_null(tables);
		draw_layers(tables, NO_CLASSES, false, &random, &layering);
		assert_int_equal(compare(tables, &layering), 0);
		hd_layering_clear(&layering);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(trees_give_what_flows_give),
		cmocka_unit_test(little_fabrics),
	};

	return cmocka_run_group_tests_name("flow_turns", tests, NULL, NULL);
}
