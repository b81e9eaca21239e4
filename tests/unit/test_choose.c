// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Engine heddle: by the shape, and to the next engine where one refuses. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "engines/choose.h"
#include "fabric/faults.h"
#include "support/error.h"
#include "tests/unit/spec_fabric.h"
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
		{ "dragonfly:a=4,p=1,h=2,local=ring", "d3r" },
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
	seen = (struct seen){ .n_to_refuse = 3 };
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

static void choices_end_with_one_for_all(void **state)
{
	struct hd_choices choices;

	hd_choices_list(&(struct hd_shapes){ 0 }, &choices);
	assert_int_equal(choices.n, 2);
	assert_string_equal(choices.list[0].engine->policy.name, "any");
	assert_string_equal(choices.list[1].engine->policy.name, "updn");
	assert_true(choices.list[0].why[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(by_shape),
		cmocka_unit_test(the_next_best),
		cmocka_unit_test(irregular_trees),
		cmocka_unit_test(choices_end_with_one_for_all),
	};

	return cmocka_run_group_tests_name("choose", tests, NULL, NULL);
}
