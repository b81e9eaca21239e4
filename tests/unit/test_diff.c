// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Differences between tables, small ones by hand and many against walks of every pair. */
#include "tests/unit/unit.h"

#include "check/load.h"
#include "check/walk.h"
#include "fabric/builder.h"
#include "fabric/faults.h"
#include "support/random.h"
#include "tables/ar.h"
#include "tables/diff.h"
#include "tables/onto.h"
#include "tests/unit/tables_case.h"

/* A copy of @fabric with LIDs shifted by @shift and the links of @moved on others of its ports. */
static struct hd_fabric *copy_fabric(const struct hd_fabric *fabric, unsigned shift, uint32_t from,
				     uint32_t to)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *copy;
	uint32_t id;

	hd_for_each_node(n, fabric) {
		const struct hd_node *node = &fabric->nodes[n];
		struct hd_node_spec spec = {
			.type = node->type,
			.guid = node->guid,
			.n_ports = node->n_ports,
			.enhanced_port0 = node->enhanced_port0,
			.name = hd_node_name(fabric, n),
		};

		assert_int_equal(hd_builder_add(builder, &spec, &id, NULL), 0);
		for (unsigned number = 0; number <= node->n_ports; number++) {
			const struct hd_port *port = &fabric->ports[node->first_port + number];

			hd_builder_port(builder, id, number)->lid =
				port->lid ? (uint16_t)(port->lid + shift) : 0;
			hd_builder_port(builder, id, number)->lmc = port->lmc;
		}
	}
	hd_for_each_port(p, fabric) {
		const struct hd_port *a = &fabric->ports[p == from ? to : p];
		const struct hd_port *b;

		if (fabric->ports[p].peer == HD_NONE)
			continue;
		b = &fabric->ports[fabric->ports[p].peer == from ? to : fabric->ports[p].peer];
		assert_int_equal(
			hd_builder_link(builder, a->node, a->number, b->node, b->number, NULL), 0);
	}
	assert_int_equal(hd_builder_finish(builder, &copy, NULL), 0);
	return copy;
}

static struct hd_diff diff_of(const struct hd_tables *before, const struct hd_tables *after)
{
	struct hd_error err = { 0 };
	struct hd_diff diff;

	assert_hd_ok(hd_diff_compute(before, after, NULL, NULL, &diff, &err), err);
	return diff;
}

static void equal_tables_do_not_differ(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = tables_case_tables(fabric);
	struct hd_diff diff = diff_of(tables, tables);

	assert_true(hd_diff_is_empty(&diff));
	assert_int_equal(diff.pairs, 4 * 3 - 2); /* four ports, two of one node */
	hd_diff_clear(&diff);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void renumbered_lids_are_only_that(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_fabric *shifted = copy_fabric(fabric, 100, HD_NONE, HD_NONE);
	struct hd_tables *before = tables_case_tables(fabric), *after;
	struct hd_diff diff;

	assert_int_equal(hd_tables_new(shifted, &after, NULL), 0);
	for (uint32_t s = 0; s < 2; s++)
		memcpy(hd_lft(after, s) + 101, hd_lft(before, s) + 1, 8);
	diff = diff_of(before, after);
	assert_int_equal(diff.lids_changed, 6);
	assert_int_equal(diff.lft_entries, 0);
	assert_int_equal(diff.lft_blocks, 2 * 2); /* the old block is emptied, a new one filled */
	assert_int_equal(diff.pairs_changed, 0);
	assert_int_equal(diff.n_switches, 2);
	assert_false(hd_diff_is_empty(&diff));
	hd_diff_clear(&diff);
	hd_tables_free(before);
	hd_tables_free(after);
	hd_fabric_free(shifted);
	hd_fabric_free(fabric);
}

static void moved_cables_are_only_that(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	/* H3's cable from S2[1] to the port that S2's link to S1[4] leaves free */
	uint32_t parallel = hd_port_index(fabric, 1, 4), host = hd_port_index(fabric, 1, 1);
	struct hd_fabric *before_fabric, *after_fabric;
	struct hd_tables *before, *after;
	struct hd_diff diff;

	assert_int_equal(hd_fabric_without(fabric, &parallel, 1, NULL, 0, &before_fabric, NULL), 0);
	after_fabric = copy_fabric(before_fabric, 0, host, parallel);
	before = tables_case_tables(before_fabric);
	after = tables_case_tables(after_fabric);
	hd_lft(after, 1)[8] = 4;
	diff = diff_of(before, after);
	assert_int_equal(diff.ports_moved, 1);
	assert_int_equal(diff.links_added + diff.links_removed, 0);
	assert_int_equal(diff.lft_entries, 0);
	assert_int_equal(diff.lft_blocks, 1);
	assert_int_equal(diff.sl2vl_rows, 0);
	assert_int_equal(diff.pairs_changed, 0);
	hd_diff_clear(&diff);
	hd_tables_free(before);
	hd_tables_free(after);
	hd_fabric_free(after_fabric);
	hd_fabric_free(before_fabric);
	hd_fabric_free(fabric);
}

static void add_set(struct hd_tables *tables, uint16_t lid, enum hd_ar_state state, unsigned one,
		    unsigned other)
{
	struct hd_port_set set = { 0 };

	hd_port_set_add(&set, one);
	hd_port_set_add(&set, other);
	assert_int_equal(hd_ar_set(tables, 0, lid, state, &set), 0);
}

/* LID 8 is H3 at S2; S1 has ports 3, 4 to S2. */
static void port_sets(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *before = tables_case_tables(fabric), *after = tables_case_tables(fabric);
	struct hd_diff diff;

	assert_int_equal(hd_ar_new(after, NULL), 0);
	diff = diff_of(before, after);
	assert_true(diff.has_ar && hd_diff_is_empty(&diff));
	hd_diff_clear(&diff);

	add_set(after, 8, HD_AR_FREE, 3, 4);
	diff = diff_of(before, after);
	assert_int_equal(diff.ar_entries, 1);
	assert_int_equal(diff.n_switches, 1);
	assert_int_equal(diff.switches[0].ar_entries, 1);
	assert_false(hd_diff_is_empty(&diff));
	hd_diff_clear(&diff);

	assert_int_equal(hd_ar_new(before, NULL), 0);
	add_set(before, 8, HD_AR_FREE, 4, 3);
	diff = diff_of(before, after);
	assert_true(hd_diff_is_empty(&diff));
	hd_diff_clear(&diff);

	add_set(before, 8, HD_AR_BOUNDED, 4, 3);
	diff = diff_of(before, after);
	assert_int_equal(diff.ar_entries, 1);
	hd_diff_clear(&diff);

	add_set(before, 8, HD_AR_FREE, 1, 3);
	diff = diff_of(before, after);
	assert_int_equal(diff.ar_entries, 1);
	hd_diff_clear(&diff);
	hd_tables_free(before);
	hd_tables_free(after);
	hd_fabric_free(fabric);
}

static int collect(const struct hd_diff_pair *pair, void *context)
{
	struct hd_diff_pair *pairs = context;

	while (pairs->source)
		pairs++;
	*pairs = *pair;
	return 0;
}

static void another_parallel_link_is_another_path(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *before = tables_case_tables(fabric), *after = tables_case_tables(fabric);
	struct hd_diff_pair pairs[16] = { { 0 } };
	struct hd_diff diff;

	hd_lft(after, 0)[8] = 4;
	assert_int_equal(hd_diff_compute(before, after, collect, pairs, &diff, NULL), 0);
	assert_int_equal(diff.lft_entries, 1);
	assert_int_equal(diff.lft_blocks, 1);
	assert_int_equal(diff.n_switches, 1);
	assert_int_equal(diff.switches[0].guid, 0x10);
	assert_int_equal(diff.pairs_path, 2);
	assert_int_equal(diff.pairs_changed, 2);
	assert_int_equal(pairs[0].source, 0x101);
	assert_int_equal(pairs[0].destination, 0x301);
	assert_true(pairs[0].path);
	assert_false(pairs[0].vl || pairs[0].sl || pairs[0].lost || pairs[0].gained);
	assert_int_equal(pairs[1].source, 0x201);
	assert_int_equal(pairs[2].source, 0);
	hd_diff_clear(&diff);
	hd_tables_free(before);
	hd_tables_free(after);
	hd_fabric_free(fabric);
}

static void lanes_that_change_are_counted(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *before = tables_case_tables(fabric), *after = tables_case_tables(fabric);
	struct hd_vlarb one = { .n_low = 1 }, two = { .n_low = 2 };
	struct hd_diff diff;
	hd_sl2vl_row *row = &after->sl2vl[hd_sl2vl_index(after, 0, 1, 3)];

	/* SL 0 of what comes from H1 towards S2 */
	*row = hd_row_set(*row, 0, 5);
	diff = diff_of(before, after);
	assert_int_equal(diff.sl2vl_rows, 1);
	assert_int_equal(diff.pairs_vl, 2); /* to H2's second port and to H3 */
	assert_int_equal(diff.pairs_changed, 2);
	assert_int_equal(diff.switches[0].sl2vl_rows, 1);
	hd_diff_clear(&diff);

	/* with SL 1 instead, only the SL differs where both SLs have the same VL */
	*row = hd_row_set(*row, 0, 0);
	assert_int_equal(hd_tables_set_sl_rows(after, 1, NULL), 0);
	after->sl_rows[8] = 8; /* VL 0 by the identity */
	diff = diff_of(before, after);
	assert_int_equal(diff.pairs_sl, 3);
	assert_int_equal(diff.pairs_vl, 0);
	hd_diff_clear(&diff);
	after->sl_rows[8] = 1;
	diff = diff_of(before, after);
	assert_int_equal(diff.pairs_sl, 3);
	assert_int_equal(diff.pairs_vl, 3);
	assert_int_equal(diff.pairs_changed, 3);
	hd_diff_clear(&diff);
	after->sl_rows[8] = 0;

	assert_int_equal(hd_tables_set_vlarb(before, 3, &one, NULL), 0);
	assert_int_equal(hd_tables_set_vlarb(before, 4, &one, NULL), 0);
	assert_int_equal(hd_tables_set_vlarb(after, 3, &two, NULL), 0);
	diff = diff_of(before, after);
	assert_int_equal(diff.vlarb_ports, 1); /* of port 4 only one side is known */
	hd_diff_clear(&diff);
	hd_tables_free(before);
	hd_tables_free(after);
	hd_fabric_free(fabric);
}

static void lost_switches_lose_pairs(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric(), *less;
	struct hd_tables *before = tables_case_tables(fabric), *after;
	uint32_t gone[] = { hd_port_index(fabric, 0, 3), hd_port_index(fabric, 0, 4) };
	struct hd_diff diff;

	assert_int_equal(hd_fabric_without(fabric, gone, 2, NULL, 0, &less, NULL), 0);
	after = tables_case_tables(less);
	diff = diff_of(before, after);
	assert_int_equal(diff.links_removed, 2);
	/* H1 and H2[1] on one side, H2[2] and H3 on the other; H2's ports are one node */
	assert_int_equal(diff.pairs_lost, 6);
	assert_int_equal(diff.pairs_changed, 6);
	hd_diff_clear(&diff);
	diff = diff_of(after, before);
	assert_int_equal(diff.links_added, 2);
	assert_int_equal(diff.pairs_gained, 6);
	hd_diff_clear(&diff);
	hd_tables_free(after);
	hd_fabric_free(less);
	hd_tables_free(before);
	hd_fabric_free(fabric);
}

/* A random graph with hosts; all of its LFTs are random too, loops and dead ends included. */
static struct hd_fabric *random_fabric(struct hd_random *random)
{
	enum { SWITCHES = 5, PORTS = 8 };
	struct hd_builder *builder = hd_builder_new();
	unsigned used[SWITCHES] = { 0 };
	struct hd_fabric *fabric;
	uint16_t lid = 1;
	uint32_t id;

	for (uint32_t s = 0; s < SWITCHES; s++) {
		struct hd_node_spec spec = { .type = HD_SWITCH, .guid = s + 1, .n_ports = PORTS };

		assert_int_equal(hd_builder_add(builder, &spec, &id, NULL), 0);
		hd_builder_port(builder, id, 0)->lid = lid++;
	}
	for (uint32_t h = 0; h < 8; h++) {
		struct hd_node_spec spec = { .type = HD_CA, .guid = 0x100 * (h + 1), .n_ports = 2 };
		uint32_t s = hd_random_below(random, SWITCHES);

		assert_int_equal(hd_builder_add(builder, &spec, &id, NULL), 0);
		hd_builder_port(builder, id, 1)->lid = lid++;
		hd_builder_port(builder, id, 2)->lid = lid++;
		for (unsigned number = 1; number <= 2; number++, s = (s + 1) % SWITCHES)
			if (used[s] < 4)
				assert_int_equal(
					hd_builder_link(builder, s, ++used[s], id, number, NULL),
					0);
	}
	for (unsigned i = 0; i < 12; i++) {
		uint32_t a = hd_random_below(random, SWITCHES),
			 b = hd_random_below(random, SWITCHES);

		if (a != b && used[a] < PORTS && used[b] < PORTS)
			assert_int_equal(hd_builder_link(builder, a, ++used[a], b, ++used[b], NULL),
					 0);
	}
	assert_int_equal(hd_builder_finish(builder, &fabric, NULL), 0);
	return fabric;
}

static struct hd_tables *random_tables(const struct hd_fabric *fabric, struct hd_random *random)
{
	struct hd_tables *tables;

	assert_int_equal(hd_tables_new(fabric, &tables, NULL), 0);
	assert_int_equal(hd_tables_set_sl_rows(tables, 2, NULL), 0);
	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric) {
			const struct hd_lid *owner = &fabric->lids[lid];

			/* mostly straight to where it lives, that something arrives */
			hd_lft(tables, s)[lid] =
				owner->via_switch == s
					? owner->via_port
					: (uint8_t)hd_random_below(random,
								   fabric->nodes[s].n_ports + 1u);
		}
	for (size_t row = 0; row < tables->sl2vl_first[fabric->n_nodes]; row++)
		if (hd_random_below(random, 4) == 0)
			tables->sl2vl[row] = hd_row_all(hd_random_below(random, 4));
	for (uint32_t row = 0; row < 2; row++)
		hd_for_each_lid(lid, fabric)
			tables->sl_rows[row * tables->lft_stride + lid] =
				(uint8_t)hd_random_below(random, 3);
	hd_for_each_port(p, fabric)
		tables->sl_row_of_port[p] = hd_random_below(random, 2);
	return tables;
}

/* Some entries of @tables changed. */
static struct hd_tables *changed_tables(const struct hd_tables *tables, struct hd_random *random)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_tables *changed;

	assert_int_equal(hd_tables_new(fabric, &changed, NULL), 0);
	assert_int_equal(hd_tables_set_sl_rows(changed, 2, NULL), 0);
	memcpy(changed->lft, tables->lft, fabric->n_switches * tables->lft_stride);
	memcpy(changed->sl2vl, tables->sl2vl,
	       tables->sl2vl_first[fabric->n_nodes] * sizeof(hd_sl2vl_row));
	memcpy(changed->sl_rows, tables->sl_rows, 2 * tables->lft_stride);
	memcpy(changed->sl_row_of_port, tables->sl_row_of_port, fabric->n_ports * sizeof(uint32_t));
	for (unsigned i = 0; i < 6; i++) {
		uint32_t s = hd_random_below(random, fabric->n_switches);
		uint32_t lid = 1 + hd_random_below(random, fabric->top_lid);
		size_t row =
			hd_random_below(random, (uint32_t)tables->sl2vl_first[fabric->n_nodes]);

		hd_lft(changed, s)[lid] =
			(uint8_t)hd_random_below(random, fabric->nodes[s].n_ports + 1u);
		changed->sl2vl[row] = hd_row_set(changed->sl2vl[row], hd_random_below(random, 3),
						 hd_random_below(random, 4));
		changed->sl_rows[hd_random_below(random, 2) * tables->lft_stride + lid] =
			(uint8_t)hd_random_below(random, 3);
	}
	return changed;
}

/* A pair's hops, or none when it does not arrive. */
static size_t walk(const struct hd_tables *tables, uint32_t source, uint32_t destination,
		   struct hd_hop *hops)
{
	uint16_t lid = tables->fabric->ports[destination].lid;
	struct hd_flow flow = { .source = source,
				.lid = lid,
				.sl = (uint8_t)hd_path_sl(tables, source, lid) };
	size_t n;

	return hd_walk(tables, &flow, hops, 16, &n) == HD_CHECK_SOUND ? n : 0;
}

/* The flows of @diff, where it has some, are those of check/load.h. */
static bool compare_flows(const struct hd_tables *tables, const uint32_t *flows)
{
	const struct hd_fabric *fabric = tables->fabric;
	struct hd_load load;

	if (!flows)
		return false;
	assert_int_equal(hd_load_compute(tables, &load, NULL), 0);
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node))
			assert_int_equal(flows[p], hd_load_port(&load, p));
	}
	hd_load_clear(&load);
	return true;
}

static void random_tables_differ_as_walks_say(void **state)
{
	struct hd_random random;

	hd_random_init(&random, 1, 1);
	for (unsigned round = 0; round < 200; round++) {
		struct hd_fabric *fabric = random_fabric(&random);
		struct hd_tables *before = random_tables(fabric, &random);
		struct hd_tables *after = changed_tables(before, &random);
		struct hd_diff diff = diff_of(before, after), told = { 0 };

		for (uint32_t i = 0; i < fabric->n_endports; i++)
			for (uint32_t j = 0; j < fabric->n_endports; j++) {
				uint32_t source = fabric->endports[i], to = fabric->endports[j];
				struct hd_hop b[16], a[16];
				bool path = false, vl = false, sl;
				size_t n, n_after;

				if (hd_is_switch(fabric, fabric->ports[source].node) ||
				    hd_is_switch(fabric, fabric->ports[to].node) ||
				    fabric->ports[source].node == fabric->ports[to].node)
					continue;
				n = walk(before, source, to, b);
				n_after = walk(after, source, to, a);
				sl = hd_path_sl(before, source, fabric->ports[to].lid) !=
				     hd_path_sl(after, source, fabric->ports[to].lid);
				path = n && n_after && n != n_after;
				for (size_t h = 0; n && n_after && !path && h < n; h++)
					path = b[h].node != a[h].node || b[h].out != a[h].out;
				for (size_t h = 0; n && n_after && !path && h + 1 < n; h++)
					vl |= b[h].vl != a[h].vl;
				told.pairs++;
				told.pairs_path += path;
				told.pairs_sl += sl;
				told.pairs_vl += vl;
				told.pairs_lost += n && !n_after;
				told.pairs_gained += !n && n_after;
				told.pairs_changed += path || sl || vl || !n != !n_after;
			}
		assert_true(compare_flows(before, diff.flows[0]));
		assert_true(compare_flows(after, diff.flows[1]));
		assert_int_equal(diff.pairs, told.pairs);
		assert_int_equal(diff.pairs_path, told.pairs_path);
		assert_int_equal(diff.pairs_sl, told.pairs_sl);
		assert_int_equal(diff.pairs_vl, told.pairs_vl);
		assert_int_equal(diff.pairs_lost, told.pairs_lost);
		assert_int_equal(diff.pairs_gained, told.pairs_gained);
		assert_int_equal(diff.pairs_changed, told.pairs_changed);
		hd_diff_clear(&diff);
		hd_tables_free(before);
		hd_tables_free(after);
		hd_fabric_free(fabric);
	}
}

/* Some entries of @tables changed, or not known any more, where SLs are below @n_sls or absent. */
static void disturb(struct hd_tables *tables, struct hd_random *random, unsigned n_sls)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t lost;

	for (unsigned i = hd_random_below(random, 8); i > 0; i--) {
		uint32_t s = hd_random_below(random, fabric->n_switches);
		uint32_t lid = 1 + hd_random_below(random, fabric->top_lid);
		size_t row =
			hd_random_below(random, (uint32_t)tables->sl2vl_first[fabric->n_nodes]);
		unsigned sl = hd_random_below(random, n_sls + 1);

		hd_lft(tables, s)[lid] =
			(uint8_t)hd_random_below(random, fabric->nodes[s].n_ports + 2u);
		tables->sl2vl[row] =
			hd_row_set(tables->sl2vl[row], hd_random_below(random, HD_MAX_SLS),
				   hd_random_below(random, HD_MAX_SLS));
		tables->sl_rows[hd_random_below(random, tables->n_sl_rows) * tables->lft_stride +
				lid] = (uint8_t)(sl < n_sls ? sl : HD_NO_SL);
		tables->sl_row_of_port[hd_random_below(random, fabric->n_ports)] =
			hd_random_below(random, tables->n_sl_rows);
	}
	if (hd_random_below(random, 3))
		return;
	tables->lft_unknown = calloc(fabric->n_switches, sizeof(*tables->lft_unknown));
	lost = hd_random_below(random, fabric->n_switches);
	memset(hd_lft(tables, lost), HD_NO_PATH, tables->lft_stride);
	tables->lft_unknown[lost] = true;
	tables->n_lft_unknown = 1;
}

/* @fabric, or that without a link. */
static struct hd_fabric *disturbed_fabric(const struct hd_fabric *fabric, struct hd_random *random)
{
	uint32_t port = hd_random_below(random, fabric->n_ports);
	struct hd_fabric *less;
	size_t n = fabric->ports[port].peer != HD_NONE;

	assert_int_equal(hd_fabric_without(fabric, &port, n, NULL, 0, &less, NULL), 0);
	return less;
}

/* A pair's way before or after; its SL counts as 0 where there is none. */
struct way {
	enum hd_check_failure end;
	unsigned sl;
	size_t n;
	struct hd_hop hops[16];
};

static void follow(const struct hd_tables *tables, uint32_t source, uint32_t to, struct way *way)
{
	static const struct hd_walk_options options = { .routes_only = true };
	uint16_t lid = tables->fabric->ports[to].lid;
	struct hd_flow flow = { .source = source, .lid = lid };

	way->sl = hd_path_sl(tables, source, lid);
	flow.sl = (uint8_t)(way->sl < HD_MAX_SLS ? way->sl : 0);
	way->end = hd_walk_with(tables, &flow, &options, way->hops, 16, &way->n);
}

static bool is_path_equal(const struct hd_tables *before, const struct hd_tables *after,
			  const struct way *b, const struct way *a)
{
	for (size_t h = 0; h < b->n; h++)
		if (b->n != a->n ||
		    before->fabric->nodes[b->hops[h].node].guid !=
			    after->fabric->nodes[a->hops[h].node].guid ||
		    b->hops[h].out != a->hops[h].out)
			return false;
	return true;
}

/* What the pair changes; whether both ways are known. */
static bool naive_pair(const struct hd_tables *before, const struct hd_tables *after,
		       const struct way *b, const struct way *a, struct hd_diff_pair *pair)
{
	bool was = b->end == HD_CHECK_SOUND, is = a->end == HD_CHECK_SOUND;
	bool is_known = b->end != HD_CHECK_NOT_COVERED && a->end != HD_CHECK_NOT_COVERED;

	pair->sl = b->sl != a->sl;
	pair->lost = is_known && was && !is;
	pair->gained = is_known && is && !was;
	pair->path = was && is && !is_path_equal(before, after, b, a);
	for (size_t h = 0; was && is && !pair->path && h + 1 < b->n; h++)
		if (b->sl < HD_MAX_SLS && a->sl < HD_MAX_SLS)
			pair->vl |= b->hops[h].vl != a->hops[h].vl;
	return is_known;
}

/* The pairs that change, by walks; the number of pairs that are not covered is returned. */
static uint64_t naive_pairs(const struct hd_tables *before, const struct hd_tables *after,
			    struct hd_diff_pair *pairs)
{
	const struct hd_fabric *fabric = before->fabric;
	uint64_t n_uncovered = 0;
	struct way b, a;

	for (uint32_t j = 0; j < fabric->n_endports; j++)
		for (uint32_t i = 0; i < fabric->n_endports; i++) {
			const struct hd_port *to = &fabric->ports[fabric->endports[j]];
			const struct hd_port *from = &fabric->ports[fabric->endports[i]];
			uint32_t to_after = hd_fabric_find_port(after->fabric, to->guid);
			uint32_t from_after = hd_fabric_find_port(after->fabric, from->guid);

			if (hd_is_switch(fabric, to->node) || hd_is_switch(fabric, from->node) ||
			    to->node == from->node || to_after == HD_NONE || from_after == HD_NONE)
				continue;
			follow(before, fabric->endports[i], fabric->endports[j], &b);
			follow(after, from_after, to_after, &a);
			*pairs = (struct hd_diff_pair){ .source = from->guid,
							.destination = to->guid };
			n_uncovered += !naive_pair(before, after, &b, &a, pairs);
			pairs += pairs->path || pairs->sl || pairs->vl || pairs->lost ||
				 pairs->gained;
		}
	pairs->source = 0;
	return n_uncovered;
}

static void assert_same_pair(const struct hd_diff_pair *a, const struct hd_diff_pair *b)
{
	assert_int_equal(a->source, b->source);
	assert_int_equal(a->destination, b->destination);
	assert_int_equal(a->path, b->path);
	assert_int_equal(a->sl, b->sl);
	assert_int_equal(a->vl, b->vl);
	assert_int_equal(a->lost, b->lost);
	assert_int_equal(a->gained, b->gained);
}

static void every_pair_is_told_as_walks_say(void **state)
{
	struct hd_random random;

	hd_random_init(&random, 2, 1);
	for (unsigned round = 0; round < 400; round++) {
		struct hd_fabric *fabric = random_fabric(&random);
		struct hd_fabric *less = disturbed_fabric(fabric, &random);
		struct hd_tables *before = random_tables(fabric, &random), *after;
		struct hd_diff_pair told[257] = { { 0 } }, expected[257];
		uint64_t n_uncovered;
		struct hd_diff diff;
		uint32_t n_new;

		assert_int_equal(hd_tables_onto(before, less, &after, &n_new, NULL), 0);
		disturb(before, &random, round % 2 ? 3 : HD_MAX_SLS);
		disturb(after, &random, round % 2 ? 3 : HD_MAX_SLS);
		assert_int_equal(hd_diff_compute(before, after, collect, told, &diff, NULL), 0);
		n_uncovered = naive_pairs(before, after, expected);
		for (unsigned i = 0; expected[i].source || told[i].source; i++)
			assert_same_pair(&told[i], &expected[i]);
		assert_int_equal(diff.pairs_uncovered, n_uncovered);
		compare_flows(before, diff.flows[0]);
		compare_flows(after, diff.flows[1]);
		hd_diff_clear(&diff);
		hd_tables_free(before);
		hd_tables_free(after);
		hd_fabric_free(less);
		hd_fabric_free(fabric);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_tables_do_not_differ),
		cmocka_unit_test(renumbered_lids_are_only_that),
		cmocka_unit_test(moved_cables_are_only_that),
		cmocka_unit_test(port_sets),
		cmocka_unit_test(another_parallel_link_is_another_path),
		cmocka_unit_test(lanes_that_change_are_counted),
		cmocka_unit_test(lost_switches_lose_pairs),
		cmocka_unit_test(random_tables_differ_as_walks_say),
		cmocka_unit_test(every_pair_is_told_as_walks_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
