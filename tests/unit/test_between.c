// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* All mixtures of two sets of tables: held against mixtures that are made one by one. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "change/both_tables.h"
#include "change/mixture_walk.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "tables/onto.h"
#include "tests/unit/between_oracle.h"
#include "tests/unit/check_oracle.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/topology.h"

/* The circle that is shown is one of entries of the two, and of one mixture at least. */
static void try_loop(const struct hd_tables *now, const struct hd_tables *before,
		     const struct hd_check_result *result, const struct hd_check_options *options)
{
	const uint32_t lid = result->found[HD_CHECK_FORWARD_LOOP].flow.lid;
	struct hd_random random;
	struct hd_tables *mixture;
	struct hd_check_result of_mixture;
	struct hd_error err;
	bool is_found = false;

	assert_true(result->n_loop > 0);
	hd_random_init(&random, 7, 7);
	/* whether packets get to the circle hangs on the others' entries */
	for (int i = 0; i < 200 && !is_found; i++) {
		mixture = mix(now, before, &random);
		for (size_t h = 0; h < result->n_loop; h++) {
			const struct hd_hop *hop = &result->loop[h];

			assert_true(hd_lft(now, hop->node)[lid] == hop->out ||
				    hd_lft(before, hop->node)[lid] == hop->out);
			hd_lft(mixture, hop->node)[lid] = hop->out;
		}
		assert_hd_ok(hd_check(mixture, options, &of_mixture, &err), err);
		is_found = of_mixture.found[HD_CHECK_FORWARD_LOOP].n > 0;
		hd_check_clear(&of_mixture);
		hd_tables_free(mixture);
	}
	assert_true(is_found);
}

/* Each way to a channel of the cycle has hops of the two, and ends with its dependency. */
static void try_cycle(const struct hd_tables *now, const struct hd_tables *before,
		      const struct hd_check_result *result)
{
	const struct hd_fabric *fabric = now->fabric;

	for (size_t i = 0; i < result->n_witness; i++) {
		const struct hd_witness *first = &result->witness[i];
		const struct hd_witness *second = &result->witness[(i + 1) % result->n_witness];
		struct hd_mixture_hop *hops;
		struct hd_error err;
		size_t n;

		assert_int_equal(fabric->ports[fabric->ports[first->port].peer].node,
				 fabric->ports[second->port].node);
		assert_true(
			hd_path_sl(now, first->flow.source, first->flow.lid) == first->flow.sl ||
			hd_path_sl(before, first->flow.source, first->flow.lid) == first->flow.sl);
		assert_hd_ok(hd_mixture_walk(now, before, 0, &first->flow, first, second, &hops, &n,
					     &err),
			     err);
		assert_true(n >= 2);
		assert_int_equal(hd_port_index(fabric, hops[n - 1].hop.node, hops[n - 1].hop.out),
				 second->port);
		assert_int_equal(hops[n - 1].hop.vl, second->vl);
		assert_int_equal(hd_port_index(fabric, hops[n - 2].hop.node, hops[n - 2].hop.out),
				 first->port);
		assert_int_equal(hops[n - 2].hop.vl, first->vl);
		for (size_t h = 0; h < n; h++) {
			const struct hd_hop *hop = &hops[h].hop;
			const uint8_t entries[] = {
				hd_lft(before, hop->node)[first->flow.lid],
				hd_lft(now, hop->node)[first->flow.lid],
			};

			assert_true(hop->out == entries[0] || hop->out == entries[1]);
			if (hops[h].entry == HD_STATE_EITHER)
				assert_int_equal(entries[0], entries[1]);
			else
				assert_int_equal(hop->out, entries[hops[h].entry == HD_STATE_NOW]);
		}
		free(hops);
	}
}

/* Returns whether all mixtures are said to be sound; tries some of them. */
static bool try_change(const struct hd_tables *now, const struct hd_tables *before,
		       enum hd_check_scope scope, unsigned n_mixtures)
{
	const struct hd_check_options each = { .scope = scope };
	const struct hd_check_options all = { .scope = scope, .before = before };
	struct hd_check_result result;
	struct hd_random random;
	struct hd_error err;
	bool is_sound;

	assert_hd_ok(hd_check(now, &all, &result, &err), err);
	is_sound = result.failure == HD_CHECK_SOUND;
	hd_random_init(&random, 1, 2);
	for (unsigned i = 0; is_sound && i < n_mixtures; i++) {
		struct hd_tables *mixture = mix(now, before, &random);

		assert_false(loops(mixture, &each));
		hd_tables_free(mixture);
	}
	if (result.failure == HD_CHECK_FORWARD_LOOP)
		try_loop(now, before, &result, &each);
	try_cycle(now, before, &result);
	hd_check_clear(&result);
	return is_sound;
}

/* How many changes were counted, and of them those whose counts must be exact. */
struct counted {
	unsigned n, n_exact;
};

/*
 * What all mixtures use is what either table uses at least, and no more than packets can that take
 * every entry, row and SL of the two. Packets that are lost on the way hold channels before that,
 * but for those to LIDs for which nothing changes, of which the new tables have none here.
 */
static void try_counts(const struct hd_tables *now, const struct hd_tables *before,
		       const struct hd_check_options *options, struct counted *counted)
{
	struct hd_check_options between = *options;
	struct hd_check_result mixed, of_now, of_before;
	struct between_oracle oracle;
	struct hd_error err;

	between.before = before;
	if (hd_check(now, options, &of_now, &err))
		return;
	assert_hd_ok(hd_check(before, options, &of_before, &err), err);
	assert_hd_ok(hd_check(now, &between, &mixed, &err), err);
	run_between_oracle(now, before, options, &oracle);
	assert_true(mixed.channels >= of_now.channels);
	assert_true(mixed.channels >= of_before.channels);
	assert_true(mixed.dependencies >= of_now.dependencies);
	assert_true(mixed.dependencies >= of_before.dependencies);
	assert_true(mixed.channels <= oracle.channels);
	assert_true(mixed.dependencies <= oracle.dependencies);
	if (!mixed.found[HD_CHECK_FORWARD_LOOP].n && !of_now.found[HD_CHECK_NO_PATH].n) {
		/* what the first switch loses depends on nothing, and its channel is left out */
		if (!options->failed)
			assert_int_equal(mixed.channels, oracle.channels);
		assert_int_equal(mixed.dependencies, oracle.dependencies);
		counted->n_exact++;
	}
	counted->n++;
	if (!options->all_sls && !options->max_vls)
		try_cycle(now, before, &mixed);
	hd_check_clear(&mixed);
	hd_check_clear(&of_now);
	hd_check_clear(&of_before);
}

/* Links that fail, one or several, with some engines; also both ways of hosts alone and of all. */
static void counts_of_failures(void **state)
{
	static const struct {
		const char *fabric, *engine;
		unsigned lmc;
	} cases[] = {
		{ "dragonflyplus:leaves=2,hosts=2,h=2,g=3", "updn", 0 },
		{ "dragonflyplus:leaves=2,hosts=2,h=2,g=3", "df-sssp", 0 },
		{ "dragonfly:a=3,p=2,h=1", "updn", 1 },
		{ "dragonfly:a=4,p=2,h=1", "dla", 0 },
		{ "dragonfly:a=3,p=2,h=1", "df-sssp", 1 },
		{ "dragonfly:a=3,p=2,h=1", "minhop", 0 },
		{ "torus:3x3,p=2", "hdor", 0 },
		{ "torus:4x3,p=2", "df-minhop", 0 },
		{ "kns:k=4,n=2", "sasha", 1 },
		{ "tree:k=4,n=2", "dmodc", 0 },
		{ "kns:k=3,n=2", "any", 1 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *whole = build_fabric(cases[i].fabric, cases[i].lmc), *less;
		struct hd_tables *of_whole = route_by(whole, cases[i].engine);
		struct counted counted = { 0 };
		unsigned n_links = 0;

		for (unsigned link = 0; n_links < 6 && (less = fail_link(whole, link)); link += 4) {
			struct hd_tables *of_less = route_by(less, cases[i].engine);
			struct hd_tables *before = put_onto(of_whole, less);

			n_links++;
			for (unsigned scope = HD_CHECK_ALL; scope <= HD_CHECK_HOSTS; scope++) {
				const struct hd_check_options options = { .scope = scope };
				struct hd_tables *back = put_onto(of_less, whole);

				try_counts(of_less, before, &options, &counted);
				try_counts(of_whole, back, &options, &counted);
				hd_tables_free(back);
			}
			hd_tables_free(before);
			hd_tables_free(of_less);
			hd_fabric_free(less);
		}
		print_message("%s, %s: %u of %u exact\n", cases[i].fabric, cases[i].engine,
			      counted.n_exact, counted.n);
		assert_true(counted.n);
		hd_tables_free(of_whole);
		hd_fabric_free(whole);
	}
}

/*
 * Hosts and a switch that have failed get packets as far as old entries lead; returns how many
 * LIDs.
 */
static unsigned try_failed(const struct hd_tables *old, const struct hd_tables *new,
			   enum hd_check_scope scope, struct counted *counted)
{
	struct hd_check_options options = { .scope = scope }, without;
	struct hd_both_tables both;
	struct hd_check_result mixed, less;
	struct between_oracle oracle;
	struct hd_error err;
	unsigned n_failed = 0;

	assert_hd_ok(hd_both_tables_init(&both, new, old, &err), err);
	assert_true(both.now->fabric->top_lid >= old->fabric->top_lid);
	hd_both_tables_ask(&both, &options);
	hd_for_each_lid(lid, both.now->fabric)
		n_failed += options.failed[lid];
	assert_hd_ok(hd_check(both.now, &options, &mixed, &err), err);
	run_between_oracle(both.now, both.before, &options, &oracle);
	without = options;
	without.failed = NULL;
	assert_hd_ok(hd_check(both.now, &without, &less, &err), err);
	assert_true(mixed.dependencies >= less.dependencies);
	assert_int_equal(mixed.n_lossy, less.n_lossy);
	assert_true(mixed.dependencies <= oracle.dependencies);
	if (!mixed.found[HD_CHECK_FORWARD_LOOP].n) {
		assert_int_equal(mixed.dependencies, oracle.dependencies);
		counted->n_exact++;
	}
	counted->n += mixed.dependencies > less.dependencies;
	try_cycle(both.now, both.before, &mixed);
	hd_check_clear(&mixed);
	hd_check_clear(&less);
	hd_both_tables_clear(&both);
	return n_failed;
}

/* @tables on @less, without entries for LIDs that nobody has there. */
static struct hd_tables *without_vacant(const struct hd_tables *tables,
					const struct hd_fabric *less)
{
	struct hd_tables *onto = put_onto(tables, less);

	hd_for_each_switch(s, less)
		for (size_t lid = 0; lid < onto->lft_stride; lid++)
			if (lid > less->top_lid || less->lids[lid].port == HD_NONE)
				hd_lft(onto, s)[lid] = HD_NO_PATH;
	return onto;
}

static void packets_to_who_has_failed(void **state)
{
	static const struct {
		const char *fabric, *engine;
		unsigned lmc;
	} cases[] = {
		{ "dragonfly:a=3,p=2,h=1", "updn", 1 },
		{ "dragonfly:a=4,p=2,h=1", "dla", 0 },
		{ "dragonfly:a=3,p=2,h=1", "df-sssp", 0 },
		{ "torus:4x3,p=2", "hdor", 0 },
		{ "tree:k=4,n=2", "dmodc", 0 },
		{ "kns:k=3,n=2", "any", 1 },
		/* 64 LIDs: without the last ones, LFTs are shorter */
		{ "torus:4x4,p=3", "any", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *whole = build_fabric(cases[i].fabric, cases[i].lmc), *less;
		struct hd_tables *of_whole = route_by(whole, cases[i].engine), *of_less;
		const uint32_t failed[] = { 0, whole->n_switches - 1 };
		struct counted counted = { 0 };
		struct hd_error err;

		for (unsigned k = 0; k < 2; k++) {
			assert_hd_ok(hd_fabric_without(whole, NULL, 0, failed + k, 1, &less, &err),
				     err);
			of_less = route_by(less, cases[i].engine);
			assert_true(try_failed(of_whole, of_less, HD_CHECK_ALL, &counted) >
				    try_failed(of_whole, of_less, HD_CHECK_HOSTS, &counted));
			/* who comes back has not failed */
			assert_int_equal(try_failed(of_less, of_whole, HD_CHECK_ALL, &counted), 0);
			hd_tables_free(of_less);
			of_less = without_vacant(of_whole, less);
			try_failed(of_whole, of_less, HD_CHECK_ALL, &counted);
			assert_true(counted.n_exact);
			hd_tables_free(of_less);
			hd_fabric_free(less);
		}
		print_message("%s, %s: %u exact, %u with more dependencies\n", cases[i].fabric,
			      cases[i].engine, counted.n_exact, counted.n);
		hd_tables_free(of_whole);
		hd_fabric_free(whole);
	}
}

/* Entries, rows and path SLs of some tables that become others, now and then. */
static struct hd_tables *disturb(const struct hd_tables *tables, struct hd_random *random)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_tables *other = put_onto(tables, fabric);
	const size_t n_sls = other->n_sl_rows * other->lft_stride;
	const unsigned rarely = 1 + hd_random_below(random, 40);

	for (size_t i = 0; i < fabric->n_switches * other->lft_stride; i++)
		if (!hd_random_below(random, rarely))
			other->lft[i] = (uint8_t)hd_random_below(random, 6);
	for (size_t i = 0; i < other->sl2vl_first[fabric->n_nodes]; i++)
		if (!hd_random_below(random, rarely))
			other->sl2vl[i] = other->sl2vl[hd_random_below(random, (uint32_t)i + 1)];
	for (size_t i = 0; hd_random_below(random, 2) && i < n_sls; i++)
		if (!hd_random_below(random, rarely))
			other->sl_rows[i] =
				other->sl_rows[hd_random_below(random, (uint32_t)i + 1)];
	return other;
}

static void counts_of_arbitrary_tables(void **state)
{
	struct counted counted = { 0 };
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 5, 6);
	for (unsigned n = 0; n < 4000; n++) {
		uint8_t data[400];
		struct check_case c;

		for (size_t i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)hd_random_u32(&random);
		if (make_check_case((struct bytes){ data, sizeof(data), 0 }, &c) && !c.tables->ar &&
		    !c.options.reversed_sl && !c.options.ring) {
			bool failed[256];
			struct hd_tables *other;

			assert_true(c.fabric->top_lid < sizeof(failed));
			for (size_t lid = 0; lid < sizeof(failed); lid++)
				failed[lid] = hd_random_below(&random, 2);
			c.options.failed = n % 2 ? failed : NULL;
			c.tables->n_mft = 0;
			other = disturb(c.tables, &random);
			try_counts(c.tables, other, &c.options, &counted);
			try_counts(other, c.tables, &c.options, &counted);
			hd_tables_free(other);
		}
		clear_check_case(&c);
	}
	print_message("%u of %u exact\n", counted.n_exact, counted.n);
	assert_in_range(counted.n_exact, 20, counted.n);
}

/* What failing links one by one, and their return, leaves of safe changes. */
static void links_fail_and_return(void **state)
{
	static const struct {
		const char *fabric, *engine;
		unsigned n_safe; /* of 2 * 6 changes */
	} cases[] = {
		{ "dragonfly:a=4,p=1,h=2", "dla", 6 },
		{ "dragonfly:a=4,p=1,h=2", "updn", 4 },
		{ "dragonfly:a=4,p=1,h=2", "df-sssp", 0 },
		{ "torus:5x5", "hdor", 2 },
		{ "tree:k=4,n=2", "dmodc", 0 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *whole = build_fabric(cases[i].fabric, 0), *less;
		struct hd_tables *of_whole = route_by(whole, cases[i].engine);
		unsigned n_safe = 0, n = 0;

		while (n < 6 && (less = fail_link(whole, 5 * n))) {
			struct hd_tables *of_less = route_by(less, cases[i].engine);
			struct hd_tables *before = put_onto(of_whole, less);

			n++;
			n_safe += try_change(of_less, before, HD_CHECK_ALL, 10);
			hd_tables_free(before);
			before = put_onto(of_less, whole);
			n_safe += try_change(of_whole, before, HD_CHECK_HOSTS, 10);
			hd_tables_free(before);
			hd_tables_free(of_less);
			hd_fabric_free(less);
		}
		print_message("%s, %s: %u of %u safe\n", cases[i].fabric, cases[i].engine, n_safe,
			      2 * n);
		assert_int_equal(n_safe, cases[i].n_safe);
		hd_tables_free(of_whole);
		hd_fabric_free(whole);
	}
}

/* Arbitrary tables: a change to the same ones loops where they do, and so on. */
static void arbitrary_tables(void **state)
{
	struct hd_random random;
	unsigned n = 0, n_looping = 0;

	(void)state;
	hd_random_init(&random, 3, 4);
	while (n < 400) {
		uint8_t data[400];
		struct check_case c;
		struct hd_tables *before, *other;
		struct hd_check_options options = { 0 };
		struct hd_check_result mixed, plain;
		struct hd_error err;

		for (size_t i = 0; i < sizeof(data); i++)
			data[i] = (uint8_t)hd_random_u32(&random);
		if (!make_check_case((struct bytes){ data, sizeof(data), 0 }, &c) || c.tables->ar ||
		    c.options.reversed_sl || hd_check(c.tables, &options, &plain, &err)) {
			clear_check_case(&c);
			continue;
		}
		n++;
		hd_check_clear(&plain);
		c.tables->n_mft = 0;
		before = put_onto(c.tables, c.fabric);
		assert_hd_ok(hd_check(c.tables, &options, &plain, &err), err);
		options.before = before;
		assert_hd_ok(hd_check(c.tables, &options, &mixed, &err), err);
		assert_int_equal(mixed.found[HD_CHECK_FORWARD_LOOP].n > 0,
				 plain.found[HD_CHECK_FORWARD_LOOP].n > 0);
		/* packets that are lost on the way hold channels before that */
		if (plain.reachable)
			assert_int_equal(mixed.n_witness, plain.n_witness);
		else if (plain.n_witness)
			assert_in_range(mixed.n_witness, 1, plain.n_witness);
		n_looping += mixed.failure != HD_CHECK_SOUND;
		hd_check_clear(&plain);
		hd_check_clear(&mixed);
		/* and from tables of which every fourth entry is another */
		other = put_onto(c.tables, c.fabric);
		for (size_t i = 0; i < c.fabric->n_switches * other->lft_stride; i++)
			if (!hd_random_below(&random, 4))
				other->lft[i] = (uint8_t)hd_random_below(&random, 6);
		try_change(before, other, HD_CHECK_ALL, 5);
		hd_tables_free(other);
		hd_tables_free(before);
		clear_check_case(&c);
	}
	print_message("%u of %u loop\n", n_looping, n);
	assert_in_range(n_looping, 10, 390);
}

/* Path SLs that are there stay; pairs that have none in @tables get those of other tables. */
static void fill_path_sls(const struct hd_fabric *fabric, struct hd_tables *tables)
{
	struct hd_tables *other = route_by(fabric, "df-sssp"), *was;
	unsigned n_filled = 0, n_kept = 0;
	struct hd_error err;

	assert_hd_ok(hd_tables_onto(tables, fabric, &was, NULL, &err), err);
	assert_hd_ok(hd_tables_fill_path_sls(tables, other, &err), err);
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const uint32_t port = fabric->endports[i];

		hd_for_each_lid(lid, fabric) {
			const unsigned sl = hd_path_sl(was, port, lid);
			const bool is_gap = sl == HD_NO_SL;

			assert_int_equal(hd_path_sl(tables, port, lid),
					 is_gap ? hd_path_sl(other, port, lid) : sl);
			n_filled += is_gap;
			n_kept += !is_gap;
		}
	}
	assert_true(n_filled && n_kept);
	hd_tables_free(was);
	hd_tables_free(other);
}

/* What was made for another fabric. */
static void other_fabrics(void **state)
{
	struct hd_fabric *whole = build_fabric("dragonfly:a=4,p=1,h=2", 0), *bare, *shifted, *less;
	struct hd_tables *tables = route_by(whole, "dla"), *result;
	struct hd_error err;
	const uint32_t gone = 3;
	uint32_t n_new;

	(void)state;
	assert_hd_ok(hd_topology_build("dragonfly:a=4,p=1,h=2", &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, bare->nodes[bare->n_nodes - 1].first_port + 1, 0,
					   &shifted, &err),
		     err);
	assert_int_equal(hd_tables_onto(tables, shifted, &result, NULL, &err), HD_EINVAL);
	assert_null(result);
	assert_hd_says(err, "renumbered");
	hd_fabric_free(shifted);
	hd_fabric_free(bare);

	/* a switch that comes back holds nothing that one could know of */
	assert_hd_ok(hd_fabric_without(whole, NULL, 0, &gone, 1, &less, &err), err);
	hd_tables_free(tables);
	tables = route_by(less, "dla");
	assert_hd_ok(hd_tables_onto(tables, whole, &result, &n_new, &err), err);
	assert_int_equal(n_new, 1);
	hd_for_each_lid(lid, whole)
		assert_int_equal(hd_lft(result, gone)[lid], HD_NO_PATH);
	fill_path_sls(whole, result);
	hd_tables_free(result);
	hd_tables_free(tables);
	hd_fabric_free(less);
	hd_fabric_free(whole);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(links_fail_and_return),
		cmocka_unit_test(arbitrary_tables),
		cmocka_unit_test(counts_of_failures),
		cmocka_unit_test(packets_to_who_has_failed),
		cmocka_unit_test(counts_of_arbitrary_tables),
		cmocka_unit_test(other_fabrics),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
