// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Many destinations followed together: the same states as of each by itself. */
#include "tests/unit/unit.h"

#include "check/forests.h"
#include "engines/engine.h"
#include "support/random.h"
#include "tests/unit/spec_fabric.h"

static const struct {
	const char *spec, *engine, *queues;
	unsigned lmc;
} cases[] = {
	{ "dragonfly:a=4,p=2,h=2", "dla", NULL, 0 },
	{ "dragonfly:a=4,p=2,h=2", "df-sssp", NULL, 1 },
	{ "dragonfly:a=4,p=2,h=2", "dfval", NULL, 1 },
	{ "dragonfly:a=3,p=2,h=1", "dla", "dbbm:4", 0 },
	{ "torus:4x4", "hdor", NULL, 0 },
	{ "torus:3x3x3", "osha", "xordet:2", 1 },
	{ "torus:3x5", "minhop", "dbbm:8", 0 },
	{ "tree:k=3,n=3", "dmodc", NULL, 0 },
	{ "tree:k=4,n=2", "updn", "dbbm:2", 2 },
	{ "dragonflyplus:leaves=2,spines=2,hosts=2,h=2", "dfplus", NULL, 0 },
};

static const struct hd_check_options ways[] = {
	{ .scope = HD_CHECK_ALL }, { .scope = HD_CHECK_HOSTS },
	{ .all_sls = true },       { .all_sls = true, .scope = HD_CHECK_HOSTS },
	{ .reversed_sl = true },   { .max_vls = 1 },
};

/* LFT entries, SL2VL rows and path SLs of @tables change, about one in @n; 0: none. */
static void damage(struct hd_tables *tables, struct hd_random *random, uint32_t n)
{
	const struct hd_fabric *fabric = tables->fabric;

	if (!n)
		return;
	hd_for_each_switch(s, fabric)
		hd_for_each_lid(lid, fabric)
			if (!hd_random_below(random, n))
				hd_lft(tables, s)[lid] =
					(uint8_t)(hd_random_below(random,
								  fabric->nodes[s].n_ports + 2u) -
						  1);
	for (size_t i = 0; i < tables->sl2vl_first[fabric->n_nodes]; i++)
		if (!hd_random_below(random, n))
			tables->sl2vl[i] =
				(uint64_t)hd_random_u32(random) << 32 | hd_random_u32(random);
	for (uint32_t row = 0; row < tables->n_sl_rows; row++)
		hd_for_each_lid(lid, fabric)
			if (!hd_random_below(random, n))
				tables->sl_rows[row * tables->lft_stride + lid] =
					(uint8_t)hd_random_below(random, HD_MAX_SLS);
}

/* Follows the destinations one by one: those that the forests call whole, and only they, are. */
static unsigned follow_each(const struct hd_check_network *network,
			    const struct hd_destinations *destinations, const bool *whole,
			    struct hd_usage *usage)
{
	struct hd_error err = { 0 };
	struct hd_states states;
	unsigned max_hops = 0;

	assert_hd_ok(hd_states_init(&states, network, &err), err);
	for (uint32_t d = 0; d < destinations->n; d++) {
		const struct hd_tree *tree = &states.tree;

		hd_states_build(&states, network, destinations, &destinations->list[d],
				whole[d] ? usage : NULL);
		assert_int_equal(whole[d], destinations->list[d].root != HD_NONE &&
						   !tree->n_holes && !tree->n_circling);
		if (whole[d] && tree->max_hops > max_hops)
			max_hops = tree->max_hops;
	}
	hd_states_clear(&states);
	return max_hops;
}

/* Returns how many destinations are whole. */
static uint32_t compare(const struct hd_tables *tables, const struct hd_check_options *options)
{
	struct hd_usage together = { 0 }, each = { 0 };
	struct hd_destinations destinations;
	struct hd_check_network network;
	struct hd_forests forests;
	struct hd_error err = { 0 };
	uint32_t n_whole;
	size_t n_rows;

	assert_hd_ok(hd_network_init(&network, tables, options, &err), err);
	assert_hd_ok(hd_destinations_init(&destinations, &network, false, &err), err);
	assert_hd_ok(hd_usage_init(&together, &network, &err), err);
	assert_hd_ok(hd_usage_init(&each, &network, &err), err);
	assert_hd_ok(hd_forests_follow(&forests, &network, &destinations, &together, &err), err);
	assert_hd_ok(hd_destinations_add_next(&destinations, &network, &err), err);
	assert_int_equal(follow_each(&network, &destinations, forests.whole, &each),
			 forests.max_hops);
	n_rows = tables->sl2vl_first[tables->fabric->n_switches];
	assert_memory_equal(together.states, each.states, n_rows * each.n_bytes);
	assert_memory_equal(together.injected, each.injected,
			    network.n_outs * sizeof(*each.injected));
	n_whole = forests.n_whole;
	hd_forests_clear(&forests);
	hd_usage_clear(&together);
	hd_usage_clear(&each);
	hd_destinations_clear(&destinations);
	hd_network_clear(&network);
	return n_whole;
}

static void same_as_each(void **state)
{
	static const uint32_t shares[] = { 0, 20000, 2000, 200 };
	struct hd_random random;

	hd_random_init(&random, 1, 0);
	for (size_t c = 0; c < sizeof(cases) / sizeof(cases[0]); c++)
		for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
			const struct hd_route_request request = { .queues = cases[c].queues };
			struct hd_fabric *fabric = build_fabric(cases[c].spec, cases[c].lmc);
			struct hd_error err = { 0 };
			struct hd_tables *tables;

			assert_hd_ok(hd_route(hd_engine_find(cases[c].engine), fabric, &request,
					      &tables, &err),
				     err);
			damage(tables, &random, shares[i]);
			for (size_t way = 0; way < sizeof(ways) / sizeof(ways[0]); way++) {
				const uint32_t n_whole = compare(tables, &ways[way]);

				if (!shares[i])
					assert_true(n_whole > 8);
			}
			hd_tables_free(tables);
			hd_fabric_free(fabric);
		}
}

/* Holes where no packets come do not matter, as little as circles there. */
static void holes_behind_sources(void **state)
{
	const struct hd_check_options hosts = { .scope = HD_CHECK_HOSTS };
	const struct hd_route_request request = { 0 };
	struct hd_fabric *fabric = build_fabric("tree:k=3,n=2", 0);
	struct hd_error err = { 0 };
	struct hd_tables *tables;
	uint32_t n_whole;

	assert_hd_ok(hd_route(hd_engine_find("dmodc"), fabric, &request, &tables, &err), err);
	n_whole = compare(tables, &hosts);
	/* spines that no host's packet to the LID passes: those that leaves do not forward to */
	hd_for_each_lid(lid, fabric)
		hd_for_each_switch(s, fabric) {
			bool is_used = fabric->lids[lid].port == HD_NONE ||
				       fabric->lids[lid].via_switch == s;

			hd_for_each_number(number, fabric, s) {
				const uint32_t peer =
					fabric->ports[hd_port_index(fabric, s, number)].peer;

				if (peer == HD_NONE)
					continue;
				is_used |= !hd_is_switch(fabric, fabric->ports[peer].node) ||
					   hd_lft(tables, fabric->ports[peer].node)[lid] ==
						   fabric->ports[peer].number;
			}
			if (!is_used)
				hd_lft(tables, s)[lid] = HD_NO_PATH;
		}
	assert_int_equal(compare(tables, &hosts), n_whole);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_as_each),
		cmocka_unit_test(holes_behind_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
