// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Engine heddle: by the shape and by load, whatever labels nodes have, and to the next engine where
 * one refuses.
 */
#include "tests/unit/unit.h"

#include <dirent.h>

#include "check/check.h"
#include "check/load.h"
#include "engines/busiest.h"
#include "engines/choose.h"
#include "fabric/link_rate.h"
#include "fabric/faults.h"
#include "fabric/netfile.h"
#include "fabric/reading.h"
#include "support/error.h"
#include "support/random.h"
#include "tests/unit/proof.h"
#include "tests/unit/relabel.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/canonical.h"
#include "topologies/recognise.h"

/* What a watcher sees. */
struct seen {
	unsigned n_lines, n_asked, n_to_refuse;
	char last[400];
	uint64_t accepted; /* a sum over the LFTs that were accepted last */
};

static uint64_t sum_of(const struct hd_tables *tables)
{
	const size_t n = tables->fabric->n_switches * tables->lft_stride;
	uint64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum = sum * 31 + tables->lft[i];
	return sum;
}

static void tell(void *watcher, const char *line)
{
	struct seen *seen = watcher;

	seen->n_lines++;
	snprintf(seen->last, sizeof(seen->last), "%.399s", line);
}

static int accept_tables(void *watcher, const struct hd_tables *tables, struct hd_error *err)
{
	struct seen *seen = watcher;

	assert_non_null(tables->lft);
	if (++seen->n_asked <= seen->n_to_refuse)
		return hd_error_set(err, HD_EREFUSED, "not these");
	seen->accepted = sum_of(tables);
	return 0;
}

/* Returns the name of the engine that is taken, NULL: none. */
static const char *take(const struct hd_fabric *fabric, struct hd_route_request request,
			struct seen *seen)
{
	const struct hd_engine *chosen = NULL;
	struct hd_check_result result;
	struct hd_tables *tables;
	struct hd_error err;
	int ret;

	request.accept = accept_tables;
	request.tell = tell;
	request.watcher = seen;
	request.chosen = &chosen;
	ret = hd_route(hd_engine_find("heddle"), fabric, &request, &tables, &err);
	if (ret) {
		assert_int_equal(ret, HD_EREFUSED);
		assert_true(err.text[0]);
		return NULL;
	}
	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	assert_int_equal(result.failure, HD_CHECK_SOUND);
	hd_check_clear(&result);
	/* what a log says of the tables is about those that are taken */
	assert_true(seen->accepted == sum_of(tables));
	hd_tables_free(tables);
	return chosen->policy.name;
}

static void by_shape(void **state)
{
	static const struct {
		const char *spec, *engine;
	} cases[] = {
		{ "dragonfly:a=4,p=2,h=2", "dla" },
		{ "torus:5x4", "hdor" },
		{ "mesh:4x4x2", "hdor" },
		{ "hyperx:4x4", "hdor" },
		{ "kns:k=4,n=2", "hdor" },
		{ "tree:k=4,n=2", "dmodc" },
		{ "dragonflyplus:leaves=4,g=5", "dfplus" },
		{ "pgft:m=4x4x3,w=1x4x2", "dmodc" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric = build_fabric(cases[i].spec, 0);
		struct seen seen = { 0 };

		assert_string_equal(take(fabric, (struct hd_route_request){ 0 }, &seen),
				    cases[i].engine);
		assert_int_equal(seen.n_lines, 0);
		hd_fabric_free(fabric);
	}
}

static void the_next_best(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:5x5", 0);
	struct hd_route_request request = { .max_vls = 1 };
	struct seen seen = { 0 };

	/* two VLs are needed: a line says so */
	assert_string_equal(take(fabric, request, &seen), "any");
	assert_int_equal(seen.n_lines, 1);
	assert_non_null(strstr(seen.last, "engine hdor refuses: 2 layers"));
	/* tables that are not accepted */
	request.max_vls = 0;
	seen = (struct seen){ .n_to_refuse = 1 };
	assert_string_equal(take(fabric, request, &seen), "any");
	assert_non_null(strstr(seen.last, "engine hdor refuses: not these"));
	seen = (struct seen){ .n_to_refuse = 2 };
	assert_string_equal(take(fabric, request, &seen), "updn");
	assert_int_equal(seen.n_lines, 2);
	seen = (struct seen){ .n_to_refuse = 5 };
	assert_null(take(fabric, request, &seen));
	/* a layer rule is for those that have it */
	request.layers = "destination";
	seen = (struct seen){ 0 };
	assert_string_equal(take(fabric, request, &seen), "any");
	hd_fabric_free(fabric);
}

/* On trees that lack cables the backstop is compared, and mostly not taken. */
static void irregular_trees(void **state)
{
	struct hd_fabric *whole = build_fabric("pgft:m=6x6x4,w=1x6x6", 0);

	(void)state;
	for (uint32_t s = 0; s < 12; s++) {
		const uint32_t links[] = { hd_port_index(whole, s, 8 + s % 4) };
		struct hd_fabric *less;
		struct seen seen = { 0 };
		struct hd_error err;

		assert_hd_ok(hd_fabric_without(whole, links, 1, NULL, 0, &less, &err), err);
		assert_non_null(take(less, (struct hd_route_request){ 0 }, &seen));
		hd_fabric_free(less);
	}
	hd_fabric_free(whole);
}

static const char *const specs[] = {
	"dragonfly:a=4,p=2,h=2",
	"dragonfly:a=4,p=1,h=2,local=ring",
	"dragonfly:a=3,p=2,h=3,g=7",
	"torus:4",
	"dragonfly:a=6,p=1,h=2,local=hyperx:2x3",
	"torus:8x6",
	"mesh:4x3",
	"hyperx:4x3,p=2",
	"kns:k=4,n=2",
	"slimfly:q=4,p=2",
	"polarfly:q=3",
	"tree:k=4,n=3",
	"tree:k=5,n=1",
	"pgft:m=6x7x2,w=1x7x4",
	"dragonflyplus:leaves=3,g=4",
	"director:lines=5x4,spines=4,down=8,uplinks=3,hosts=4",
	"director:lines=12,spines=6,down=6,uplinks=6x3x1,hosts=6,aggregation=yes",
	"director:lines=12,spines=6,down=10,edges=12,uplinks=3,hosts=6,direct=2",
	"director:lines=9,spines=3,down=6,cables=2,uplinks=5x2,hosts=6x3",
};

#define N_SPECS (sizeof(specs) / sizeof(specs[0]))

/* @fabric, which is freed, without some links by chance; itself for @n 0. */
static struct hd_fabric *without_links(struct hd_fabric *fabric, uint32_t n, uint64_t seed)
{
	struct hd_fabric *less;
	struct hd_random random;
	uint32_t links[8], n_found = 0;
	struct hd_error err;

	if (!n || fabric->n_switches == 1)
		return fabric;
	hd_random_init(&random, seed, 0);
	while (n_found < n) {
		const uint32_t s = hd_random_below(&random, fabric->n_switches);
		const uint32_t number = 1 + hd_random_below(&random, fabric->nodes[s].n_ports);

		if (hd_peer_node(fabric, s, number) < fabric->n_switches)
			links[n_found++] = hd_port_index(fabric, s, number);
	}
	assert_hd_ok(hd_fabric_without(fabric, links, n, NULL, 0, &less, &err), err);
	hd_fabric_free(fabric);
	return less;
}

/* The same engine, whatever GUIDs and LIDs nodes have. */
static void assert_labels_do_not_matter(const struct hd_fabric *fabric, const char *what,
					unsigned n)
{
	const struct hd_route_request request = { 0 };
	const struct hd_engine *first = NULL;

	for (uint64_t seed = 0; seed < n; seed++) {
		struct hd_fabric *copy = relabelled_copy(fabric, seed);
		struct hd_choices choices;
		struct hd_error err;

		assert_hd_ok(hd_choose(copy, &request, &choices, &err), err);
		if (!first)
			first = choices.list[0].engine;
		if (choices.list[0].engine != first)
			fail_msg("%s, labels %u: %s, not %s", what, (unsigned)seed,
				 choices.list[0].engine->policy.name, first->policy.name);
		hd_fabric_free(copy);
	}
}

/* Flows of the busiest link; 0: the engine refuses, or its tables are not sound. */
static uint64_t busiest_with(const struct hd_fabric *fabric, const struct hd_engine *engine)
{
	const struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err;
	uint64_t busiest, bound;
	double hops;
	int ret = hd_route(engine, fabric, &request, &tables, &err);

	if (ret == HD_EREFUSED)
		return 0;
	assert_hd_ok(ret, err);
	assert_hd_ok(hd_busiest_link(tables, &busiest, &err), err);
	if (is_sound(tables)) {
		assert_hd_ok(hd_busiest_link_bound(fabric, &bound, &hops, &err), err);
		assert_true(busiest >= bound);
	} else {
		busiest = 0;
	}
	hd_tables_free(tables);
	return busiest;
}

/*
 * Engine layered is compared on what it is for: it takes more VLs and more time than others
 * elsewhere.
 */
static bool is_left_out(const struct hd_fabric *fabric, const struct hd_engine *engine)
{
	struct hd_low_diameter *low;
	struct hd_error err;

	if (strcmp(engine->policy.name, "layered") != 0)
		return false;
	if (hd_low_diameter_recognise(fabric, &low, &err))
		return true;
	hd_low_diameter_free(low);
	return false;
}

/* How many more flows the engine that heddle takes may have on its busiest link than another. */
static double allowance(const struct hd_fabric *fabric)
{
	const struct hd_engine *chosen = NULL;
	const struct hd_route_request request = { .chosen = &chosen };
	struct hd_tables *tables;
	struct hd_error err;
	double most = 1.05;

	assert_hd_ok(hd_route(hd_engine_find("heddle"), fabric, &request, &tables, &err), err);
	if (hd_tables_most_vls(tables) > 1)
		most = strcmp(chosen->policy.name, "dla") ? 9.0 / 8 : 4.0 / 3;
	hd_tables_free(tables);
	return most;
}

/*
 * Engine heddle's busiest link has no more than a twentieth more flows than that of any sound
 * engine that it compares; with several VLs an eighth, with dla a third.
 */
static void assert_not_worse(const struct hd_fabric *fabric, const char *what)
{
	const uint64_t mine = busiest_with(fabric, hd_engine_find("heddle"));
	const double most = mine ? allowance(fabric) : 1;

	for (size_t i = 0; hd_engine_at(i); i++) {
		const struct hd_engine *engine = hd_engine_at(i);
		const uint64_t others =
			is_left_out(fabric, engine) ? 0 : busiest_with(fabric, engine);

		if (others && (double)mine > most * (double)others)
			fail_msg("%s: %llu flows, %s %llu", what, (unsigned long long)mine,
				 engine->policy.name, (unsigned long long)others);
	}
}

/*
 * The same on its canonical copy, where engines are compared: on small damaged fabrics labels alone
 * make a tenth and more of the flows of the busiest link.
 */
static void assert_not_worse_as_cabled(const struct hd_fabric *fabric, const char *what)
{
	struct hd_fabric *copy;
	struct hd_error err;

	assert_hd_ok(hd_fabric_canonical(fabric, &copy, &err), err);
	assert_not_worse(copy, what);
	hd_fabric_free(copy);
}

static void labels_do_not_matter(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SPECS; i++)
		for (uint32_t n_failed = HD_IS_SLOW ? 3 : 0; n_failed < 4; n_failed += 3) {
			struct hd_fabric *fabric =
				without_links(build_fabric(specs[i], 0), n_failed, i);

			assert_labels_do_not_matter(fabric, specs[i], HD_IS_SLOW ? 2 : 6);
			hd_fabric_free(fabric);
		}
}

static void no_engine_is_better(void **state)
{
	(void)state;
	for (size_t i = 0; i < N_SPECS; i++)
		for (uint32_t n_failed = 0; n_failed < 7; n_failed += HD_IS_SLOW ? 4 : 2) {
			struct hd_fabric *fabric =
				without_links(build_fabric(specs[i], 0), n_failed, n_failed + i);

			assert_not_worse_as_cabled(fabric, specs[i]);
			hd_fabric_free(fabric);
		}
}

/*
 * A link of a Dragonfly+ less, and df-sssp may have less on its busiest link; but tables that are
 * by dfplus stay so.
 */
static void the_engine_of_before_stays(void **state)
{
	struct hd_fabric *whole = build_fabric("dragonflyplus:leaves=4,g=9", 0);
	struct hd_route_request request = { 0 };
	unsigned n_others = 0;
	struct hd_error err;

	(void)state;
	assert_hd_ok(hd_route(hd_engine_find("dfplus"), whole, &request,
			      (struct hd_tables **)&request.previous, &err),
		     err);
	request.previous_by = hd_engine_find("dfplus");
	for (uint64_t seed = 0; seed < 4; seed++) {
		struct hd_fabric *less =
			without_links(build_fabric("dragonflyplus:leaves=4,g=9", 0), 1, seed);
		const struct hd_route_request fresh = { 0 };
		struct hd_choices choices;

		assert_hd_ok(hd_choose(less, &fresh, &choices, &err), err);
		n_others += choices.list[0].engine != request.previous_by;
		assert_hd_ok(hd_choose(less, &request, &choices, &err), err);
		assert_ptr_equal(choices.list[0].engine, request.previous_by);
		hd_fabric_free(less);
	}
	assert_true(n_others > 0);
	hd_tables_free((struct hd_tables *)request.previous);
	hd_fabric_free(whole);
}

/* The tables of before are by @engine, which stays as long as a quarter more flows allow. */
static void assert_stays(const struct hd_fabric *fabric, const struct hd_engine *engine)
{
	struct hd_route_request request = { .previous_by = engine };
	struct hd_choices choices;
	uint64_t least = UINT64_MAX, own = UINT64_MAX;
	struct hd_error err;

	if (hd_route(engine, fabric, &request, (struct hd_tables **)&request.previous, &err))
		return;
	assert_hd_ok(hd_choose(fabric, &request, &choices, &err), err);
	for (unsigned i = 0; i < choices.n; i++) {
		const struct hd_choice *choice = &choices.list[i];

		if (choice->engine == engine) {
			assert_true(choice->is_compared);
			own = choice->busiest;
		}
		if (choice->is_compared && !choice->refusal[0] && choice->busiest < least)
			least = choice->busiest;
	}
	if (4 * own <= 5 * least)
		assert_ptr_equal(choices.list[0].engine, engine);
	else
		assert_ptr_not_equal(choices.list[0].engine, engine);
	hd_tables_free((struct hd_tables *)request.previous);
}

/* Also where the engine made for the shape has as few flows as any can have. */
static void any_engine_of_before_stays(void **state)
{
	static const char *const whole[] = { "torus:4x4", "mesh:3x3", "tree:k=4,n=2",
					     "dragonfly:a=4,p=2,h=2",
					     "dragonflyplus:leaves=3,g=4" };

	(void)state;
	for (size_t i = 0; i < sizeof(whole) / sizeof(*whole); i++) {
		struct hd_fabric *fabric = build_fabric(whole[i], 0);
		const struct hd_route_request fresh = { 0 };
		struct hd_choices choices;
		struct hd_error err;

		assert_hd_ok(hd_choose(fabric, &fresh, &choices, &err), err);
		for (unsigned n = 0; n < choices.n; n++)
			assert_stays(fabric, choices.list[n].engine);
		hd_fabric_free(fabric);
	}
}

/* Directors as large as real ones, every other one damaged, with the labels that they have. */
static void directors(void **state)
{
	static const char *const large[] = {
		"director:lines=30x24,uplinks=9",
		"director:lines=30x24,uplinks=7",
		"director:lines=36,uplinks=18x18x9x5x1,hosts=18x18x24x18x6",
		"director:lines=36,edges=40,uplinks=9,direct=6",
		"director:uplinks=9x18x4,aggregation=yes",
		"director:lines=18,spines=9,cables=2,uplinks=10x3",
	};

	(void)state;
	for (size_t i = 0; i < (HD_IS_SLOW ? 2 : sizeof(large) / sizeof(large[0])); i++) {
		struct hd_fabric *fabric = without_links(build_fabric(large[i], 0), i % 2 * 5, i);

		assert_labels_do_not_matter(fabric, large[i], 2);
		assert_not_worse(fabric, large[i]);
		hd_fabric_free(fabric);
	}
}

/* Both on recorded fabrics, where they stand beside the source tree. */
static void recorded_fabrics(void **state)
{
	const char *shared = getenv("HEDDLE_SHARED");
	char path[1400], directory[1024];
	struct dirent *entry;
	DIR *list;

	(void)state;
	snprintf(directory, sizeof(directory), "%s/reference/real",
		 shared ? shared : HD_TEST_DATA "/../../../shared");
	list = opendir(directory);
	if (!list) {
		/* cmocka would print "not ok" for what it skips */
		print_message("there are no recorded fabrics (HEDDLE_SHARED says where)\n");
		return;
	}
	while ((entry = readdir(list))) {
		const struct hd_reading how = { 0 };
		struct hd_fabric *fabric;
		struct hd_error err;

		if (!strstr(entry->d_name, ".net"))
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory, entry->d_name);
		/* some are there to be refused */
		if (hd_netfile_read(path, &how, &fabric, &err))
			continue;
		if (!fabric->top_lid)
			fabric = with_lids(fabric, 0);
		if (fabric->n_switches) {
			assert_labels_do_not_matter(fabric, entry->d_name, 4);
			assert_not_worse(fabric, entry->d_name);
		}
		hd_fabric_free(fabric);
	}
	closedir(list);
}

/* Whole grids need no comparison: a cut across a dimension shows that hdor is as good as any. */
static void grids_at_once(void **state)
{
	static const char *const grids[] = { "torus:8x8x6,p=2", "torus:9x7x5", "mesh:9x8,p=3",
					     "hyperx:5x4x3,p=2", "torus:12x4" };
	const struct hd_route_request request = { 0 };

	for (size_t i = 0; i < sizeof(grids) / sizeof(*grids); i++) {
		struct hd_fabric *fabric = build_fabric(grids[i], 0);
		struct hd_choices choices;
		struct hd_error err;

		assert_hd_ok(hd_choose(fabric, &request, &choices, &err), err);
		assert_string_equal(choices.list[0].engine->policy.name, "hdor");
		for (unsigned k = 1; k < choices.n; k++)
			if (choices.list[k].is_compared)
				fail_msg("%s: hdor was compared with %s", grids[i],
					 choices.list[k].engine->policy.name);
		hd_fabric_free(fabric);
	}
}

/* On an intact tree, D-mod-K has one flow of a shift on each link. */
static void shifts_on_whole_trees(void **state)
{
	static const char *const trees[] = { "tree:k=4,n=3", "tree:k=5,n=2",
					     "pgft:m=4x4x4,w=1x4x4" };
	const struct hd_route_request request = { 0 };

	for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
		struct hd_fabric *fabric = build_fabric(trees[i], 0);
		struct hd_tables *tables;
		struct hd_error err;
		uint64_t flows;

		assert_hd_ok(hd_route(hd_engine_find("dmodc"), fabric, &request, &tables, &err),
			     err);
		assert_hd_ok(hd_busiest_shifts(tables, &flows, &err), err);
		assert_int_equal(flows, HD_BUSIEST_SHIFTS);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

static const struct hd_choice *choice_of(const struct hd_choices *choices, const char *name)
{
	for (unsigned i = 0; i < choices->n; i++)
		if (!strcmp(choices->list[i].name, name))
			return &choices->list[i];
	fail_msg("no %s", name);
	return NULL;
}

/*
 * On trees that lack links, any comes first only where it has clearly less flows on the busiest
 * link, or rounds of an all-to-all are about as good.
 */
static void rounds_on_trees(void **state)
{
	const struct hd_route_request request = { 0 };
	unsigned n_for_rounds = 0;

	for (uint64_t seed = 1; seed <= 6; seed++) {
		struct hd_fabric *fabric = without_links(build_fabric("tree:k=5,n=3", 0), 7, seed);
		const struct hd_choice *any, *tree;
		struct hd_choices choices;
		struct hd_error err;

		assert_hd_ok(hd_choose(fabric, &request, &choices, &err), err);
		any = choice_of(&choices, "any");
		tree = choice_of(&choices, "dmodc");
		if (any->is_compared && tree->is_compared && any < tree)
			assert_true(20 * tree->busiest > 21 * any->busiest ||
				    10 * tree->shifts > 9 * any->shifts);
		n_for_rounds +=
			any->is_compared && tree < any && 50 * tree->busiest > 51 * any->busiest;
		hd_fabric_free(fabric);
	}
	assert_true(n_for_rounds > 0);
}

/* Counts @fabric's choices before engine any with one layer; *@layered: the last has several. */
static unsigned place_of_any(const struct hd_fabric *fabric, const struct hd_route_request *request,
			     bool *layered)
{
	struct hd_choices choices;
	struct hd_error err;
	unsigned i = 0;

	assert_hd_ok(hd_choose(fabric, request, &choices, &err), err);
	while (strcmp(choices.list[i].name, "any"))
		assert_true(++i < choices.n);
	*layered = i && !strcmp(choices.list[i - 1].name, "any:vls=4");
	return i;
}

/*
 * Where any is the best engine for a torus or a mesh that lacks links, it has several layers; with
 * one where hosts have no path SLs, and where it had one before.
 */
static void several_layers_on_tori(void **state)
{
	static const struct {
		const char *spec;
		uint32_t n_links;
		bool is_first, is_layered;
	} cases[] = {
		{ "mesh:8x8", 4, true, true },        { "torus:6x6,p=2", 1, false, true },
		{ "torus:6x6,p=2", 0, false, false }, { "hyperx:4x4", 3, false, false },
		{ "tree:k=4,n=3", 3, false, false },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct hd_fabric *fabric =
			without_links(build_fabric(cases[i].spec, 0), cases[i].n_links, 1);
		struct hd_route_request request = { 0 };
		const char *option = "";
		bool layered;
		const unsigned place = place_of_any(fabric, &request, &layered);
		struct hd_tables *tables;
		struct hd_error err;
		struct seen seen = { .n_to_refuse = 1 };

		assert_int_equal(layered, cases[i].is_layered);
		if (!cases[i].is_first) {
			hd_fabric_free(fabric);
			continue;
		}
		assert_int_equal(place, 1);
		request.chosen_option = &option;
		assert_hd_ok(hd_route(hd_engine_find("heddle"), fabric, &request, &tables, &err),
			     err);
		assert_string_equal(option, "vls=4");
		assert_true(is_sound(tables));
		assert_int_equal(hd_tables_sls_used(tables), 0xF);
		/* it stays with the layers that it had */
		request.previous = tables;
		request.previous_by = hd_engine_find("any");
		assert_int_equal(place_of_any(fabric, &request, &layered), 1);
		assert_true(layered);
		hd_tables_free(tables);
		assert_string_equal(take(fabric, (struct hd_route_request){ 0 }, &seen), "any");
		assert_int_equal(seen.n_asked, 2);
		assert_hd_ok(hd_route(hd_engine_find("any"), fabric,
				      &(struct hd_route_request){ 0 }, &tables, &err),
			     err);
		request.previous = tables;
		assert_int_equal(place_of_any(fabric, &request, &layered), 0);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

/* Gives all links of switch @s this speed. */
static void set_speed(struct hd_fabric *fabric, uint32_t s, uint8_t speed)
{
	hd_for_each_number(number, fabric, s) {
		struct hd_port *port = &fabric->ports[hd_port_index(fabric, s, number)];

		if (port->peer == HD_NONE)
			continue;
		port->speed = speed;
		fabric->ports[port->peer].speed = speed;
	}
}

/* The flows of a table's busiest link, each as often as the fastest link is faster. */
static uint64_t by_rate(const struct hd_fabric *fabric, const char *engine)
{
	const uint32_t fastest = hd_fastest_mbps(fabric);
	const struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_load load;
	struct hd_error err;
	uint64_t most = 0;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	hd_for_each_port(p, fabric)
		if (hd_is_switch_link(fabric, p)) {
			const uint64_t flows = hd_load_by_rate(&load, fabric, fastest, p);

			most = flows > most ? flows : most;
		}
	hd_load_clear(&load);
	hd_tables_free(tables);
	return most;
}

/* Two of four spines have links of half the rate: any relieves them more than dmodc. */
static void slow_links_count(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=4,n=2", 0);
	const struct hd_route_request request = { 0 };
	const uint64_t whole = busiest_with(fabric, hd_engine_find("dmodc"));
	struct seen seen = { 0 };
	struct hd_choices choices;
	struct hd_error err;

	assert_int_equal(whole, 12);
	set_speed(fabric, 6, HD_EDR);
	set_speed(fabric, 7, HD_EDR);
	assert_int_equal(busiest_with(fabric, hd_engine_find("dmodc")), by_rate(fabric, "dmodc"));
	assert_int_equal(busiest_with(fabric, hd_engine_find("any")), by_rate(fabric, "any"));
	assert_true(by_rate(fabric, "updn") == 2 * whole);
	assert_true(by_rate(fabric, "dmodc") < by_rate(fabric, "updn"));
	assert_true(by_rate(fabric, "any") < by_rate(fabric, "dmodc"));
	assert_hd_ok(hd_choose(fabric, &request, &choices, &err), err);
	assert_string_equal(choices.list[0].name, "any");
	assert_string_equal(take(fabric, request, &seen), "any");
	hd_fabric_free(fabric);
}

/*
 * A cable that comes up with one lane of four, and is replaced: the engine stays, dmodc relieves the
 * cable, and its tables are those of before when the cable is whole.
 */
static void one_slow_cable(void **state)
{
	static const struct {
		const char *fabric, *engine;
		uint64_t most; /* times the flows by rate of before */
	} cases[] = { { "tree:k=8,n=2", "dmodc", 2 },
		      { "tree:k=4,n=3", "dmodc", 2 },
		      { "dragonfly:a=4,p=2,h=2", "dla", 4 },
		      { "torus:4x4,p=2", "hdor", 4 },
		      { "hyperx:4x4,p=3", "hdor", 4 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric = build_fabric(cases[i].fabric, 0);
		struct hd_route_request request = { 0 };
		const uint64_t before = by_rate(fabric, "heddle");
		struct hd_tables *whole, *slow, *again;
		struct hd_choices choices;
		struct hd_error err;
		uint32_t port = 0;

		assert_hd_ok(hd_route(hd_engine_find("heddle"), fabric, &request, &whole, &err),
			     err);
		while (!hd_is_switch_link(fabric, port))
			port++;
		fabric->ports[port].width = fabric->ports[fabric->ports[port].peer].width = 1;
		assert_hd_ok(hd_choose(fabric, &request, &choices, &err), err);
		assert_string_equal(choices.list[0].name, cases[i].engine);
		request.previous = whole;
		assert_hd_ok(hd_choose(fabric, &request, &choices, &err), err);
		assert_string_equal(choices.list[0].name, cases[i].engine);
		assert_true(by_rate(fabric, "heddle") <= cases[i].most * before);
		assert_hd_ok(hd_route(hd_engine_find("heddle"), fabric, &request, &slow, &err),
			     err);
		fabric->ports[port].width = fabric->ports[fabric->ports[port].peer].width = 4;
		request.previous = slow;
		assert_hd_ok(hd_route(hd_engine_find("heddle"), fabric, &request, &again, &err),
			     err);
		assert_memory_equal(again->lft, whole->lft, fabric->n_switches * whole->lft_stride);
		hd_tables_free(again);
		hd_tables_free(slow);
		hd_tables_free(whole);
		hd_fabric_free(fabric);
	}
}

/*
 * An engine of the topology that has more VLs than any comes first though its busiest link has
 * somewhat more flows; any with several layers only where it has more VLs, too.
 */
static void more_vls_count(void **state)
{
	static const char *const some[] = { "dragonfly:a=4,p=2,h=2,g=5",
					    "dragonfly:a=5,p=2,h=1,g=4", "torus:6,p=8,trunk=3" };
	const struct hd_route_request request = { 0 };
	unsigned n_for_vls = 0;

	for (size_t i = 0; i < sizeof(some) / sizeof(*some); i++)
		for (uint64_t seed = 1; seed <= 6; seed++) {
			struct hd_fabric *fabric = without_links(build_fabric(some[i], 0), 2, seed);
			const struct hd_choice *first, *any;
			struct hd_choices choices;
			struct hd_error err;

			assert_hd_ok(hd_choose(fabric, &request, &choices, &err), err);
			first = &choices.list[0];
			any = choice_of(&choices, "any");
			if (any->is_compared && first->engine != any->engine)
				assert_true(3 * first->busiest <= 4 * any->busiest);
			if (any->is_compared && first->engine == any->engine && first != any)
				assert_true(first->vls > any->vls);
			n_for_vls += any->is_compared && !strcmp(first->name, "dla") &&
				     50 * first->busiest > 51 * any->busiest;
			hd_fabric_free(fabric);
		}
	assert_true(n_for_vls >= 3);
}

static void choices_end_with_one_for_all(void **state)
{
	struct hd_choices choices;

	hd_choices_list(&(struct hd_shapes){ 0 }, &choices);
	assert_int_equal(choices.n, 4);
	assert_string_equal(choices.list[0].engine->policy.name, "any");
	assert_string_equal(choices.list[1].engine->policy.name, "updn");
	assert_string_equal(choices.list[2].engine->policy.name, "df-sssp");
	assert_true(choices.list[0].why[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_shape),
		cmocka_unit_test(the_next_best),
		cmocka_unit_test(irregular_trees),
		cmocka_unit_test(choices_end_with_one_for_all),
		cmocka_unit_test(grids_at_once),
		cmocka_unit_test(several_layers_on_tori),
		cmocka_unit_test(shifts_on_whole_trees),
		cmocka_unit_test(rounds_on_trees),
		cmocka_unit_test(slow_links_count),
		cmocka_unit_test(one_slow_cable),
		cmocka_unit_test(more_vls_count),
		cmocka_unit_test(labels_do_not_matter),
		cmocka_unit_test(no_engine_is_better),
		cmocka_unit_test(the_engine_of_before_stays),
		cmocka_unit_test(any_engine_of_before_stays),
		cmocka_unit_test(directors),
		cmocka_unit_test(recorded_fabrics),
	};

	return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
