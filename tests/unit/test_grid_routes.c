// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* hdor, osha and sasha: numbers of the papers, proofs on all shapes, balance, refusals. */
#include "tests/unit/unit.h"

#include "check/check.h"
#include "check/load.h"
#include "check/walk.h"
#include "engines/engine.h"
#include "fabric/faults.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"

static int try_route(const struct hd_fabric *fabric, const char *engine, const char *layers,
		     const char *queues, const char *option, struct hd_tables **tables,
		     struct hd_error *err)
{
	struct hd_params *params = hd_params_new(hd_engine_find(engine)->policy.options);
	struct hd_route_request request = { .layers = layers, .queues = queues, .params = params };
	int ret = option ? hd_params_set_pair(params, engine, option, err) : 0;

	if (!ret)
		ret = hd_route(hd_engine_find(engine), fabric, &request, tables, err);
	hd_params_free(params);
	return ret;
}

static struct hd_tables *route_with(const struct hd_fabric *fabric, const char *engine,
				    const char *layers, const char *queues, const char *option)
{
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(try_route(fabric, engine, layers, queues, option, &tables, &err), err);
	return tables;
}

static struct hd_tables *route(const struct hd_fabric *fabric, const char *engine)
{
	return route_with(fabric, engine, NULL, NULL, NULL);
}

static void assert_checks(const struct hd_tables *tables, enum hd_check_failure failure,
			  unsigned sls, unsigned vls, unsigned hops)
{
	struct hd_check_result result;
	struct hd_error err;
	char text[512];

	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	if (result.failure != failure)
		fail_msg("%s", hd_check_summary(&result, tables->fabric, text, sizeof(text)));
	assert_int_equal(result.sls, sls);
	assert_int_equal(result.vls, vls);
	assert_int_equal(result.max_hops, hops);
	hd_check_clear(&result);
}

/* Resources and longest paths: line switches of KNS are 2 n + 1 hops apart, routers 2 n. */
static const struct {
	const char *spec;
	unsigned hops;
	unsigned hdor_sls, hdor_vls;
	unsigned osha_sls, osha_vls;
} shapes[] = {
	{ "torus:8x8", 8, 4, 2, 8, 4 },
	{ "torus:8x8,p=3", 8, 4, 2, 8, 4 },
	{ "torus:4x4", 4, 1, 1, 2, 2 }, /* ties leave rings of four without cycles */
	{ "torus:4x4x4", 6, 1, 1, 2, 2 },
	{ "torus:5x3", 3, 2, 2, 4, 4 },
	{ "torus:7x6x5", 8, 8, 2, 16, 4 },
	{ "torus:9", 4, 2, 2, 4, 4 },
	{ "mesh:8x8", 14, 1, 1, 2, 2 },
	{ "mesh:4x3x2", 6, 1, 1, 2, 2 },
	{ "hyperx:4x4", 2, 1, 1, 2, 2 },
	{ "hyperx:5x3x4,p=2", 3, 1, 1, 2, 2 },
	{ "kns:k=4,n=1", 2, 1, 1, 2, 2 },
	{ "kns:k=4,n=2", 5, 1, 2, 2, 2 },
	{ "kns:k=3,n=3", 7, 1, 2, 2, 2 },
	{ "kns:k=2,n=4", 9, 1, 2, 2, 2 },
	{ "torus:8x8,p=8,trunk=10", 8, 4, 2, 8, 4 },
	{ "torus:8x8x4,p=4,trunk=4", 10, 4, 2, 8, 4 },
	{ "mesh:4x3x2,trunk=3", 6, 1, 1, 2, 2 },
	{ "hyperx:5x3,p=2,trunk=2", 2, 1, 1, 2, 2 },
};

static void all_shapes_are_proved(void **state)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = build_fabric(shapes[i].spec, 0);
		struct hd_fabric *two = build_fabric(shapes[i].spec, 1);
		struct hd_tables *hdor = route(fabric, "hdor"), *osha = route(two, "osha");
		struct hd_tables *sasha = route(two, "sasha");

		assert_checks(hdor, HD_CHECK_SOUND, shapes[i].hdor_sls, shapes[i].hdor_vls,
			      shapes[i].hops);
		assert_checks(osha, HD_CHECK_SOUND, shapes[i].osha_sls, shapes[i].osha_vls,
			      shapes[i].hops);
		assert_int_equal(osha->lft_stride, sasha->lft_stride);
		assert_memory_equal(osha->lft, sasha->lft, osha->lft_stride * two->n_switches);
		hd_tables_free(hdor);
		hd_tables_free(osha);
		hd_tables_free(sasha);
		hd_fabric_free(fabric);
		hd_fabric_free(two);
	}
}

/* Other nodes' order, ports and GUIDs, and every link between switches twice. */
static void shuffled_and_trunked_fabrics_are_proved(void **state)
{
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
		for (unsigned seed = 1; seed <= 4; seed++) {
			struct hd_fabric *plain = build_fabric(shapes[i].spec, 0), *bare, *fabric;
			struct hd_check_result result;
			struct hd_tables *tables;
			struct hd_error err;

			bare = seed % 2 ? shuffled_copy(plain, seed, NULL, NULL)
					: doubled_copy(plain);
			fabric = with_lids(bare, seed > 2);
			tables = route(fabric, seed > 2 ? "osha" : "hdor");
			assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
			assert_int_equal(result.failure, HD_CHECK_SOUND);
			assert_int_equal(result.max_hops, shapes[i].hops);
			hd_check_clear(&result);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
			hd_fabric_free(plain);
		}
}

static void meshes_and_hyperx_need_no_path_sls(void **state)
{
	static const char *const specs[] = { "mesh:4x4", "hyperx:4x3", "kns:k=3,n=2", "torus:4x4" };
	const struct hd_check_options all = { .all_sls = true };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build_fabric(specs[i], 0);
		struct hd_tables *tables = route(fabric, "hdor");
		struct hd_check_result result;
		struct hd_error err;

		assert_hd_ok(hd_check(tables, &all, &result, &err), err);
		assert_int_equal(result.failure, HD_CHECK_SOUND);
		hd_check_clear(&result);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

/* Channels between switches that flows between end nodes use, and which depends on which. */
struct graph {
	const struct hd_tables *tables;
	bool one_network; /* whatever the VL */
	uint32_t n;       /* [port * HD_MAX_VLS + vl] */
	uint8_t *depends; /* [from * n + to] */
};

static void add_flow(struct graph *graph, uint32_t source, uint32_t lid)
{
	const struct hd_fabric *fabric = graph->tables->fabric;
	struct hd_flow flow = { .source = source,
				.lid = (uint16_t)lid,
				.sl = (uint8_t)hd_path_sl(graph->tables, source, lid) };
	struct hd_hop hops[64];
	uint32_t before = HD_NONE;
	size_t n;

	assert_int_equal(hd_walk(graph->tables, &flow, hops, 64, &n), HD_CHECK_SOUND);
	for (size_t i = 1; i + 2 < n; i++) {
		uint32_t port = hd_port_index(fabric, hops[i].node, hops[i].out);
		uint32_t channel = 2 * port + (graph->one_network ? 0 : hops[i].vl);

		graph->depends[(size_t)channel * graph->n + channel] = 1;
		if (before != HD_NONE)
			graph->depends[(size_t)before * graph->n + channel] = 1;
		before = channel;
	}
}

static struct graph new_graph(const struct hd_tables *tables, bool one_network)
{
	struct graph graph = { .tables = tables,
			       .one_network = one_network,
			       .n = 2 * tables->fabric->n_ports };

	graph.depends = calloc(graph.n, graph.n);
	return graph;
}

/* Flows between all end nodes, to their first @n_lids LIDs. */
static void add_all(struct graph *graph, unsigned n_lids)
{
	const struct hd_fabric *fabric = graph->tables->fabric;

	hd_for_each_end_node(from, fabric)
		hd_for_each_end_node(to, fabric)
			for (unsigned offset = 0; from != to && offset < n_lids; offset++)
				add_flow(graph, hd_port_index(fabric, from, 1),
					 fabric->ports[hd_port_index(fabric, to, 1)].lid + offset);
}

/* Takes away channels that wait for nothing until none is left or a cycle. */
static void assert_graph(struct graph *graph, uint32_t channels, uint32_t dependencies,
			 bool is_cyclic)
{
	const uint32_t n = graph->n;
	uint32_t n_channels = 0, n_dependencies = 0, left;
	bool any = true;

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; graph->depends[(size_t)i * n + i] && k < n; k++) {
			n_channels += k == i;
			n_dependencies += k != i && graph->depends[(size_t)i * n + k];
		}
	if (channels) {
		assert_int_equal(n_channels, channels);
		assert_int_equal(n_dependencies, dependencies);
	}
	for (left = n_channels; any;) {
		any = false;
		for (uint32_t i = 0; i < n; i++) {
			uint32_t k = 0;

			if (!graph->depends[(size_t)i * n + i])
				continue;
			while (k < n && (k == i || !graph->depends[(size_t)i * n + k] ||
					 !graph->depends[(size_t)k * n + k]))
				k++;
			if (k < n)
				continue;
			graph->depends[(size_t)i * n + i] = 0;
			left--;
			any = true;
		}
	}
	assert_int_equal(left > 0, is_cyclic);
	free(graph->depends);
}

/*
 * 000-C8: channels and dependencies of XY and YX on a 4-ary 2D KNS, as without virtual networks and
 * with; cycles of XYZ and YXZ on a 3-ary 3D one.
 */
static void kns_has_the_papers_dependency_graphs(void **state)
{
	struct hd_fabric *fabric = build_fabric("kns:k=4,n=2", 1),
			 *large = build_fabric("kns:k=3,n=3", 1);
	struct hd_tables *tables = route(fabric, "osha"), *large_tables = route(large, "osha");
	struct graph graph = new_graph(tables, false);

	add_all(&graph, 1);
	assert_graph(&graph, 64, 112, false);
	graph = new_graph(tables, true);
	add_all(&graph, 2);
	assert_graph(&graph, 64, 128, true);
	graph = new_graph(tables, false);
	add_all(&graph, 2);
	assert_graph(&graph, 128, 224, false);
	graph = new_graph(large_tables, true);
	add_all(&graph, 1);
	assert_graph(&graph, 0, 0, false);
	graph = new_graph(large_tables, true);
	add_all(&graph, 2);
	assert_graph(&graph, 0, 0, true);
	graph = new_graph(large_tables, false);
	add_all(&graph, 2);
	assert_graph(&graph, 0, 0, false);
	hd_tables_free(tables);
	hd_tables_free(large_tables);
	hd_fabric_free(fabric);
	hd_fabric_free(large);
}

/*
 * 000-C9, Figure 2 of the OSHA paper: F1 0 -> 5 by XY, F2 1 -> 4 by YX, F3 5 -> 0 by XY, F4 4 -> 1
 * by YX.
 */
static void the_papers_four_flows_deadlock_in_one_network(void **state)
{
	static const uint8_t flows[4][3] = { { 0, 5, 0 }, { 1, 4, 1 }, { 5, 0, 0 }, { 4, 1, 1 } };
	struct hd_fabric *fabric = build_fabric("kns:k=4,n=2", 1);
	struct hd_tables *tables = route(fabric, "osha");

	for (int one_network = 0; one_network < 2; one_network++) {
		struct graph graph = new_graph(tables, one_network);

		for (size_t i = 0; i < 4; i++) {
			uint32_t to = fabric->n_switches + flows[i][1];

			add_flow(&graph, hd_port_index(fabric, fabric->n_switches + flows[i][0], 1),
				 fabric->ports[hd_port_index(fabric, to, 1)].lid + flows[i][2]);
		}
		assert_graph(&graph, 0, 0, one_network);
	}
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* 000-C10: the paper's virtual networks alone do not break the cycles of rings. */
static void tori_need_datelines(void **state)
{
	static const char *const specs[] = { "torus:4x4", "torus:5x5", "torus:6x6" };
	static const unsigned hops[] = { 4, 4, 6 };

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build_fabric(specs[i], 0),
				 *two = build_fabric(specs[i], 1);
		struct hd_tables *tables = route_with(fabric, "hdor", "single", NULL, "ties=up");
		struct graph graph;

		assert_checks(tables, HD_CHECK_CREDIT_LOOP, 1, 1, hops[i]);
		hd_tables_free(tables);
		tables = route_with(fabric, "hdor", NULL, NULL, "ties=up");
		assert_checks(tables, HD_CHECK_SOUND, 4, 2, hops[i]);
		hd_tables_free(tables);
		tables = route_with(two, "osha", NULL, NULL, "ties=up");
		assert_checks(tables, HD_CHECK_SOUND, 8, 4, hops[i]);
		graph = new_graph(tables, true);
		add_all(&graph, 2);
		assert_graph(&graph, 0, 0, true);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
		hd_fabric_free(two);
	}
}

/* Flows on the most and least loaded channels between switches. */
static void assert_load(const char *spec, const char *option, uint32_t least, uint32_t most)
{
	struct hd_fabric *fabric = build_fabric(spec, 0);
	struct hd_tables *tables = route_with(fabric, "hdor", NULL, NULL, option);
	uint32_t max = 0, min = HD_NONE;
	struct hd_load load;
	struct hd_error err;

	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer, flows = hd_load_port(&load, p);

		if (peer == HD_NONE || !hd_is_switch(fabric, fabric->ports[p].node) ||
		    !hd_is_switch(fabric, fabric->ports[peer].node))
			continue;
		max = flows > max ? flows : max;
		min = flows < min ? flows : min;
	}
	assert_int_equal(max, most);
	assert_int_equal(min, least);
	hd_load_clear(&load);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/*
 * Uniform traffic: k / 8 of what all nodes send, N (N / (N - 1)) flows of each, on every channel of
 * a ring of an even number; 2.008, 1.016 and 1.002 at 16x16, 8x8 and 8x8x8.
 */
static void loads_are_even(void **state)
{
	assert_load("torus:16x16", NULL, 512, 512);
	assert_load("torus:8x8", NULL, 64, 64);
	assert_load("torus:8x8x8", NULL, 512, 512);
	assert_load("torus:4x4x4", NULL, 32, 32);
	assert_load("torus:48x48", NULL, 13824,
		    13824); /* 000-C16: 2303 / 13824 = 0.1666 of a link */
	/* 13823 / 41472 = 0.3333; half a minute, so only where somebody asks for it */
	if (getenv("HEDDLE_LONG_TESTS"))
		assert_load("torus:24x24x24", NULL, 41472, 41472);
	assert_load("torus:8x8", "ties=up", 48, 80);
	assert_load("kns:k=8,n=2", NULL, 56, 56);
	assert_load("kns:k=48,n=2", NULL, 2256, 2256); /* 2303 / 2256 = 1.02 */
	assert_load("hyperx:4x4,p=1", NULL, 4, 4);
}

/* Table 1 of the OSHA paper on KNS: LIDs of two networks, of which InfiniBand has 49,151. */
static void the_papers_networks_fit_their_lids(void **state)
{
	static const struct {
		const char *spec;
		uint32_t lids;
	} cases[] = { { "kns:k=48,n=2", 7008 }, { "kns:k=24,n=3", 43200 } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct hd_fabric *fabric = build_fabric(cases[i].spec, 1);
		uint32_t n = 0;

		hd_for_each_lid(lid, fabric)
			n += fabric->lids[lid].port != HD_NONE;
		assert_int_equal(n, cases[i].lids);
		assert_in_range(fabric->top_lid, n, HD_MAX_LID);
		hd_fabric_free(fabric);
	}
}

/* The most by which two cables of one trunk differ. */
static uint32_t most_uneven(const struct hd_fabric *fabric, const struct hd_tables *tables)
{
	uint32_t most = 0;
	struct hd_load load;
	struct hd_error err;

	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	hd_for_each_switch(s, fabric)
		hd_for_each_number(a, fabric, s)
			hd_for_each_number(b, fabric, s) {
				const uint32_t peer = hd_peer_node(fabric, s, a);
				const uint32_t one =
					hd_load_port(&load, hd_port_index(fabric, s, a));
				const uint32_t two =
					hd_load_port(&load, hd_port_index(fabric, s, b));

				if (peer < fabric->n_switches &&
				    peer == hd_peer_node(fabric, s, b) && one > two + most)
					most = one - two;
			}
	hd_load_clear(&load);
	return most;
}

/*
 * 8x8: 4096 flows on each trunk along x, of which destinations have 8, 16, 24 and 32: 408 or 416 on
 * each cable. Along y they have 64, 128, 192 and 256, of which no ten sums can be even: 384 or 448.
 * 8x8x4: 4096 on trunks along x and y, half as many along z, all even.
 */
static void trunks_are_even(void **state)
{
	static const struct {
		const char *spec, *option;
		uint32_t least, most, difference;
	} trunks[] = {
		{ "torus:8x8,p=8,trunk=10", NULL, 384, 448, 64 },
		{ "torus:8x8,p=8,trunk=10", "order=yx", 384, 448, 64 },
		{ "torus:8x8,p=8,trunk=10", "order=x+y+x-y-", 384, 448, 64 },
		{ "torus:8x8x4,p=4,trunk=4", NULL, 512, 1024, 0 },
		{ "torus:8x8x4,p=4,trunk=4", "order=x+y+z+x-y-z-", 512, 1024, 0 },
		{ "hyperx:4x4,p=4,trunk=4", NULL, 16, 16, 0 },
		{ "hyperx:4x4,p=8,trunk=2", NULL, 128, 128, 0 },
		{ "mesh:4x4,p=4,trunk=2", NULL, 96, 128, 0 },
	};

	for (size_t i = 0; i < sizeof(trunks) / sizeof(trunks[0]); i++) {
		struct hd_fabric *fabric = build_fabric(trunks[i].spec, 0);
		struct hd_tables *tables = route_with(fabric, "hdor", NULL, NULL, trunks[i].option);

		assert_load(trunks[i].spec, trunks[i].option, trunks[i].least, trunks[i].most);
		assert_int_equal(most_uneven(fabric, tables), trunks[i].difference);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

/* With a cable less, the others of its trunk take its flows, and no other trunk changes. */
static void a_cable_fails_within_its_trunk(void **state)
{
	struct hd_fabric *fabric = build_fabric("torus:8x8,p=8,trunk=10", 0), *less;
	struct hd_tables *before = route(fabric, "hdor"), *after;
	const uint32_t failed = hd_port_index(fabric, 0, 9);
	struct hd_error err;

	assert_hd_ok(hd_fabric_without(fabric, &failed, 1, NULL, 0, &less, &err), err);
	after = route(less, "hdor");
	assert_checks(after, HD_CHECK_SOUND, 4, 2, 8);
	hd_for_each_switch(s, fabric)
		for (size_t lid = 1; lid <= fabric->top_lid; lid++) {
			const uint8_t one = hd_lft(before, s)[lid], two = hd_lft(after, s)[lid];
			const uint32_t peer = one ? hd_peer_node(fabric, s, one) : HD_NONE;

			if ((s == 0 && peer == 1) || (s == 1 && peer == 0))
				assert_int_equal(peer, hd_peer_node(less, s, two));
			else
				assert_int_equal(one, two);
		}
	hd_tables_free(before);
	hd_tables_free(after);
	hd_fabric_free(less);
	hd_fabric_free(fabric);
}

static void first_dimension(const struct hd_tables *tables, uint32_t lid, uint32_t x, uint32_t y)
{
	const struct hd_fabric *fabric = tables->fabric;

	/* from switch (0, 0) of a 5x5 mesh: port 2 leads along x, port 4 along y */
	assert_int_equal(hd_lft(tables, 0)[lid], x ? 2 : y ? 4 : 1);
	assert_int_equal(fabric->n_switches, 25);
}

static void orders_are_as_asked_for(void **state)
{
	struct hd_fabric *fabric = build_fabric("mesh:5x5", 1);
	struct hd_tables *xy = route(fabric, "hdor");
	struct hd_tables *yx = route_with(fabric, "hdor", NULL, NULL, "order=yx");
	struct hd_tables *two = route(fabric, "osha");
	uint32_t corner = fabric->n_switches + 24; /* the host of (4, 4) */
	uint32_t lid = fabric->ports[hd_port_index(fabric, corner, 1)].lid;
	struct hd_tables *refused;
	struct hd_error err;

	first_dimension(xy, lid, 1, 0);
	first_dimension(xy, lid + 1, 1, 0);
	first_dimension(yx, lid, 0, 1);
	first_dimension(two, lid, 1, 0);
	first_dimension(two, lid + 1, 0, 1);
	assert_int_equal(try_route(fabric, "hdor", NULL, NULL, "order=xz", &refused, &err),
			 HD_EINVAL);
	assert_hd_says(err, "dimensions 'xy' of this grid");
	assert_int_equal(try_route(fabric, "hdor", NULL, NULL, "ties=down", &refused, &err),
			 HD_EINVAL);
	assert_hd_says(err, "neither split nor up");
	hd_tables_free(xy);
	hd_tables_free(yx);
	hd_tables_free(two);
	hd_fabric_free(fabric);
}

static void assert_refused(const char *spec, unsigned lmc, const char *engine, const char *queues,
			   const char *words)
{
	struct hd_fabric *fabric = build_fabric(spec, lmc);
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(try_route(fabric, engine, NULL, queues, NULL, &tables, &err), HD_EREFUSED);
	assert_hd_says(err, words);
	hd_fabric_free(fabric);
}

static void what_does_not_fit_is_refused(void **state)
{
	assert_refused("torus:8x8", 0, "osha", NULL,
		       "need two LIDs, LMC 1, and H-00000[1] has LMC 0");
	assert_refused("torus:8x8", 2, "sasha", NULL, "has LMC 2");
	assert_refused("dragonfly:a=4,p=2,h=2", 0, "hdor", NULL, "not a grid");
	assert_refused("torus:5x5x5x5x5", 0, "hdor", NULL, "1 sets of routes x 2^5");
	assert_refused("torus:5x5x5x5", 1, "osha", NULL,
		       "2 sets of routes x 2^4 datelines of rings "
		       "need 32 SLs, of which there are 16");
	assert_refused("torus:8x8", 1, "osha", "xordet:4",
		       "8 flow classes x 4 queues (xordet) need 32 SLs");
	assert_refused("torus:8x8", 0, "hdor", "xordet:8", "4 flow classes x 8 queues");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_shapes_are_proved),
		cmocka_unit_test(shuffled_and_trunked_fabrics_are_proved),
		cmocka_unit_test(meshes_and_hyperx_need_no_path_sls),
		cmocka_unit_test(kns_has_the_papers_dependency_graphs),
		cmocka_unit_test(the_papers_four_flows_deadlock_in_one_network),
		cmocka_unit_test(tori_need_datelines),
		cmocka_unit_test(loads_are_even),
		cmocka_unit_test(the_papers_networks_fit_their_lids),
		cmocka_unit_test(trunks_are_even),
		cmocka_unit_test(a_cable_fails_within_its_trunk),
		cmocka_unit_test(orders_are_as_asked_for),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
