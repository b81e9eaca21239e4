// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* DLA and minhop: the numbers of the DLA paper, refusals, balance, isomorphism. */
#include "tests/unit/unit.h"

#include <unistd.h>

#include "check/check.h"
#include "check/load.h"
#include "check/walk.h"
#include "engines/engine.h"
#include "fabric/builder.h"
#include "fabric/distances.h"
#include "fabric/faults.h"
#include "fabric/lids.h"
#include "sl2vl/lanes.h"
#include "support/translate.h"
#include "tests/unit/proof.h"
#include "tests/unit/shuffle.h"
#include "tests/unit/spec_fabric.h"
#include "topologies/dragonfly.h"

static struct hd_tables *route(const struct hd_fabric *fabric, const char *engine,
			       const char *queues)
{
	struct hd_route_request request = { .queues = queues };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_route(hd_engine_find(engine), fabric, &request, &tables, &err), err);
	return tables;
}

static struct hd_check_result check(const struct hd_tables *tables)
{
	struct hd_check_result result;
	struct hd_error err;

	assert_hd_ok(hd_check(tables, NULL, &result, &err), err);
	return result;
}

static void assert_lanes(const struct hd_tables *tables, unsigned sls, unsigned vls)
{
	const struct hd_check_result result = assert_sound(tables, NULL);

	assert_int_equal(result.sls, sls);
	assert_int_equal(result.vls, vls);
	assert_in_range(result.max_hops, 0, 3);
}

/* Flows on every channel of a balanced dragonfly, equations (1) to (3), and their split by VL. */
static void assert_equations(const struct hd_tables *tables, const struct hd_dragonfly *shape,
			     unsigned p)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t a = 2 * p, h = p, n = a * p * (a * h + 1);
	struct hd_load load;
	struct hd_error err;

	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	assert_true(load.n_flows == (uint64_t)n * (n - 1));
	assert_true(load.n_lost == 0);
	assert_int_equal(load.max_hops, 3);
	hd_for_each_port(port, fabric) {
		const uint32_t *vl = load.flows + (size_t)port * load.n_vls;

		switch (shape->port_class[port]) {
		case HD_PORT_LOCAL: /* (3) */
			assert_int_equal(vl[0], p * p + a * h * p * p);
			assert_int_equal(vl[1], a * h * p * p);
			break;
		case HD_PORT_GLOBAL: /* (2) */
			assert_int_equal(vl[0], a * p * a * p);
			assert_int_equal(hd_load_port(&load, port), vl[0]);
			break;
		case HD_PORT_TERMINAL: /* (1) */
			if (fabric->ports[port].number)
				assert_int_equal(hd_load_port(&load, port), n - 1);
			break;
		}
	}
	hd_load_clear(&load);
}

/* Entries of VL 1 per switch: from h global to a - 1 local ports. */
static void assert_shifts(const struct hd_tables *tables, unsigned p)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
			unsigned ones = 0;

			hd_for_each_number(out, fabric, s)
				for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++) {
					size_t at = hd_sl2vl_index(tables, s, in, out);
					unsigned vl = hd_row_vl(tables->sl2vl[at], sl);

					assert_in_range(vl, 0, 1);
					ones += vl;
				}
			assert_int_equal(ones, p * (2 * p - 1));
		}
}

/* Table 2 of the paper, and equations (1) to (3), for p = 2 ... 5. */
static void dla_has_the_papers_resources_and_loads(void **state)
{
	static const unsigned hosts[] = { 72, 342, 1056, 2550 };

	for (unsigned p = 2; p <= 5; p++) {
		struct hd_dragonfly *shape;
		struct hd_fabric *fabric;
		struct hd_tables *tables;
		struct hd_error err;
		char spec[64];

		snprintf(spec, sizeof(spec), "dragonfly:a=%u,p=%u,h=%u", 2 * p, p, p);
		fabric = build_fabric(spec, 0);
		assert_int_equal(fabric->n_nodes - fabric->n_switches, hosts[p - 2]);
		tables = route(fabric, "dla", NULL);
		assert_lanes(tables, 1, 2);
		assert_hd_ok(hd_dragonfly_recognise(fabric, NULL, &shape, &err), err);
		assert_equations(tables, shape, p);
		assert_shifts(tables, p);
		hd_dragonfly_free(shape);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

static void dla_on_every_arrangement(void **state)
{
	static const char *const specs[] = {
		"dragonfly:a=3,p=2,h=2,global=palmtree", /* the paper's cluster CELLIA */
		"dragonfly:a=3,p=2,h=2,global=consecutive",
		"dragonfly:a=3,p=2,h=2,global=random(3)",
		"dragonfly:a=4,p=2,h=2,global=random(1)",
		"dragonfly:a=2,p=1,h=1",
		"dragonfly:a=1,p=2,h=4",
		"dragonfly:a=4,p=4,h=2", /* oversubscribed */
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++) {
		struct hd_fabric *fabric = build_fabric(specs[i], 0);
		struct hd_tables *tables = route(fabric, "dla", NULL);
		struct hd_check_result result = check(tables);

		assert_int_equal(result.failure, HD_CHECK_SOUND);
		assert_in_range(result.max_hops, 0, 3);
		hd_check_clear(&result);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

static void dla_is_sound_for_any_sl(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	const struct hd_check_options all = { .all_sls = true }, both = { .reversed_sl = true };
	static const char *const queues[] = { NULL, "xordet:4", "dbbm:3" };

	for (size_t i = 0; i < 3; i++) {
		struct hd_tables *tables = route(fabric, "dla", queues[i]);
		struct hd_check_result result;
		struct hd_error err;

		assert_hd_ok(hd_check(tables, &all, &result, &err), err);
		assert_int_equal(result.failure, HD_CHECK_SOUND);
		hd_check_clear(&result);
		assert_hd_ok(hd_check(tables, &both, &result, &err), err);
		assert_int_equal(result.failure, HD_CHECK_SOUND);
		hd_check_clear(&result);
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
}

static void dla_times_xordet_is_4_sls_and_8_vls(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=6,p=3,h=3", 0);
	struct hd_tables *tables = route(fabric, "dla", "xordet:4");
	struct hd_route_request request = { .queues = "xordet:8" };
	struct hd_error err;

	assert_lanes(tables, 4, 8);
	hd_tables_free(tables);
	assert_int_equal(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "2 layers x 8 queues (xordet) need 16 VLs");
	request = (struct hd_route_request){ .max_vls = 1 };
	assert_int_equal(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	hd_fabric_free(fabric);
}

/* Most and least flows on a port of @class. */
static void load_range(const struct hd_tables *tables, const struct hd_dragonfly *shape,
		       enum hd_port_class class, uint32_t *least, uint32_t *most)
{
	struct hd_load load;
	struct hd_error err;

	*least = UINT32_MAX;
	*most = 0;
	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	hd_for_each_port(port, tables->fabric) {
		uint32_t flows = hd_load_port(&load, port);

		if (shape->port_class[port] != class)
			continue;
		*least = flows < *least ? flows : *least;
		*most = flows > *most ? flows : *most;
	}
	hd_load_clear(&load);
}

/* With trunked global links every one of them carries its share, for base LIDs too. */
static void dla_balances_trunked_links(void **state)
{
	static const char *const specs[] = {
		"dragonfly:a=4,p=2,h=2,g=5", /* 2 links a pair */
		"dragonfly:a=4,p=2,h=2,g=3", /* 4 */
		"dragonfly:a=4,p=2,h=2,g=2", /* 8 */
		"dragonfly:a=8,p=4,h=4,g=17", "dragonfly:a=6,p=3,h=3,g=10",
	};

	for (size_t i = 0; i < sizeof(specs) / sizeof(specs[0]); i++)
		for (unsigned lmc = 0; lmc <= 2; lmc += 2) {
			struct hd_fabric *fabric = build_fabric(specs[i], lmc);
			struct hd_tables *tables = route(fabric, "dla", NULL);
			struct hd_dragonfly *shape;
			uint32_t least, most;
			struct hd_error err;

			assert_lanes(tables, 1, 2);
			assert_hd_ok(hd_dragonfly_recognise(fabric, NULL, &shape, &err), err);
			load_range(tables, shape, HD_PORT_GLOBAL, &least, &most);
			if (most > least + least / 8)
				fail_msg("%s, LMC %u: global links carry %u to %u flows", specs[i],
					 lmc, least, most);
			hd_dragonfly_free(shape);
			hd_tables_free(tables);
			hd_fabric_free(fabric);
		}
}

/* LMC offsets of one host take different global links where there are several. */
static void lmc_offsets_spread(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2,g=2", 2);
	struct hd_tables *tables = route(fabric, "dla", NULL);
	unsigned spread = 0, hosts = 0;

	hd_for_each_end_node(n, fabric) {
		uint32_t lid = fabric->ports[hd_port_index(fabric, n, 1)].lid;

		hd_for_each_switch(s, fabric) {
			const uint8_t *lft = hd_lft(tables, s);

			for (unsigned offset = 1; offset < 4; offset++)
				if (lft[lid + offset] != lft[lid]) {
					spread++;
					break;
				}
			hosts++;
		}
	}
	assert_true(spread * 3 > hosts); /* half of the switches are in the other group */
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* The tables of a shuffled copy send every flow the way that the original's do. */
static void assert_isomorphic(const struct hd_tables *tables, const struct hd_tables *copy,
			      const uint32_t *node_of, const uint32_t *port_of)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric) {
		const unsigned n_ports = fabric->nodes[s].n_ports;
		const uint32_t *port = port_of + fabric->nodes[s].first_port;
		const uint32_t first = copy->fabric->nodes[node_of[s]].first_port;

		hd_for_each_lid(lid, fabric)
			if (fabric->lids[lid].port != HD_NONE)
				assert_int_equal(first + hd_lft(copy, node_of[s])[lid],
						 port[hd_lft(tables, s)[lid]]);
		for (unsigned out = 1; out <= n_ports; out++)
			for (unsigned in = 0; in <= n_ports; in++)
				assert_true(tables->sl2vl[hd_sl2vl_index(tables, s, in, out)] ==
					    copy->sl2vl[hd_sl2vl_index(copy, node_of[s],
								       port[in] - first,
								       port[out] - first)]);
	}
}

static void permutations_are_isomorphic(void **state)
{
	static const struct {
		const char *spec;
		unsigned times;
	} shapes[] = { { "dragonfly:a=4,p=2,h=2", 600 },
		       { "dragonfly:a=4,p=2,h=2,global=random(5)", 100 },
		       { "dragonfly:a=3,p=2,h=2", 250 },
		       { "dragonfly:a=6,p=3,h=3,global=consecutive", 50 } };

	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct hd_fabric *fabric = build_fabric(shapes[i].spec, 0);
		struct hd_tables *tables = route(fabric, "dla", NULL);
		uint32_t *node_of = malloc(fabric->n_nodes * sizeof(*node_of));
		uint32_t *port_of = malloc(fabric->n_ports * sizeof(*port_of));

		for (unsigned seed = 1; seed <= shapes[i].times; seed++) {
			struct hd_fabric *shuffled = shuffled_copy(fabric, seed, node_of, port_of);
			struct hd_tables *copy = route(shuffled, "dla", NULL);

			assert_isomorphic(tables, copy, node_of, port_of);
			hd_tables_free(copy);
			hd_fabric_free(shuffled);
		}
		free(node_of);
		free(port_of);
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

static void refuse(struct hd_fabric *fabric, const char *words)
{
	struct hd_route_request request = { 0 };
	struct hd_tables *tables;
	struct hd_error err;

	assert_int_equal(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	assert_null(tables);
	assert_hd_says(err, words);
	hd_fabric_free(fabric);
}

/* @spec without the @n-th link of @class. */
static struct hd_fabric *cut(const char *spec, enum hd_port_class class, unsigned n)
{
	struct hd_fabric *fabric = build_fabric(spec, 0), *result;
	struct hd_dragonfly *shape;
	struct hd_error err;
	uint32_t port = 0;

	assert_hd_ok(hd_dragonfly_recognise(fabric, NULL, &shape, &err), err);
	for (;; port++)
		if (shape->port_class[port] == class && n-- == 0)
			break;
	assert_hd_ok(hd_fabric_without(fabric, &port, 1, NULL, 0, &result, &err), err);
	hd_dragonfly_free(shape);
	hd_fabric_free(fabric);
	return result;
}

static void dla_refuses_what_it_cannot_serve(void **state)
{
	refuse(build_fabric("torus:4x4", 0), "not a dragonfly");
	refuse(build_fabric("tree:k=4,n=3", 0), "not a dragonfly");
	refuse(build_fabric("kns:k=4,n=2", 0), "not a dragonfly");
	refuse(build_fabric("dragonfly:a=4,p=2,h=2,local=ring", 0), "is not fully connected");
}

/* A trunked pair that keeps one of its links is still served. */
static void dla_serves_a_trunk_that_lost_a_link(void **state)
{
	struct hd_fabric *fabric = cut("dragonfly:a=4,p=2,h=2,g=5", HD_PORT_GLOBAL, 3);
	struct hd_tables *tables = route(fabric, "dla", NULL);

	assert_lanes(tables, 1, 2);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* Two links between each pair of switches of a group: both are used. */
static void dla_uses_parallel_local_links(void **state)
{
	struct hd_fabric *plain = build_fabric("dragonfly:a=4,p=2,h=2", 0), *fabric;
	struct hd_builder *builder = hd_builder_new();
	struct hd_dragonfly *shape;
	struct hd_tables *tables;
	uint32_t least, most, id;
	struct hd_error err;

	assert_hd_ok(hd_dragonfly_recognise(plain, NULL, &shape, &err), err);
	hd_for_each_node(n, plain) {
		const struct hd_node *node = &plain->nodes[n];
		bool is_switch = hd_is_switch(plain, n);
		struct hd_node_spec spec = {
			.type = (enum hd_node_type)node->type,
			.guid = node->guid,
			.n_ports = is_switch ? 2u * node->n_ports : 1,
		};

		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
		hd_builder_port(builder, id, is_switch ? 0 : 1)->lid =
			plain->ports[hd_port_index(plain, n, is_switch ? 0 : 1)].lid;
	}
	hd_for_each_port(p, plain) {
		const struct hd_port *port = &plain->ports[p], *peer;

		if (port->peer == HD_NONE)
			continue;
		peer = &plain->ports[port->peer];
		assert_hd_ok(hd_builder_link(builder, port->node, port->number, peer->node,
					     peer->number, &err),
			     err);
		if (shape->port_class[p] == HD_PORT_LOCAL)
			assert_hd_ok(hd_builder_link(
					     builder, port->node,
					     port->number + plain->nodes[port->node].n_ports,
					     peer->node,
					     peer->number + plain->nodes[peer->node].n_ports, &err),
				     err);
	}
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	hd_dragonfly_free(shape);
	tables = route(fabric, "dla", NULL);
	assert_lanes(tables, 1, 2);
	assert_hd_ok(hd_dragonfly_recognise(fabric, NULL, &shape, &err), err);
	load_range(tables, shape, HD_PORT_LOCAL, &least, &most);
	assert_in_range(most, 34, 40); /* half of 68 */
	assert_in_range(least, 28, 34);
	hd_dragonfly_free(shape);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	hd_fabric_free(plain);
}

static void dla_takes_a_group_file(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_params *params = hd_params_new(hd_engine_find("dla")->policy.options);
	struct hd_route_request request = { .params = params };
	char path[] = "/tmp/heddle-groups.XXXXXX";
	struct hd_tables *tables, *plain = route(fabric, "dla", NULL);
	FILE *file = fdopen(mkstemp(path), "w");
	struct hd_dragonfly *shape;
	struct hd_error err;

	assert_non_null(file);
	assert_hd_ok(hd_dragonfly_recognise(fabric, NULL, &shape, &err), err);
	hd_for_each_switch(s, fabric)
		fprintf(file, "0x%016llx %u\n", (unsigned long long)fabric->nodes[s].guid,
			100 - shape->group[s]);
	fclose(file);
	assert_hd_ok(hd_params_set(params, "engine dla", "groups", path, &err), err);
	assert_hd_ok(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err), err);
	assert_memory_equal(tables->lft, plain->lft, fabric->n_switches * plain->lft_stride);
	hd_tables_free(tables);

	file = fopen(path, "w"); /* every switch a group of its own: pairs lack links */
	hd_for_each_switch(s, fabric)
		fprintf(file, "0x%016llx %u\n", (unsigned long long)fabric->nodes[s].guid, s);
	fclose(file);
	assert_int_equal(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err),
			 HD_EREFUSED);
	unlink(path);
	hd_params_free(params);
	hd_dragonfly_free(shape);
	hd_tables_free(plain);
	hd_fabric_free(fabric);
}

static void minhop_is_shortest_and_loops(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_tables *tables = route(fabric, "minhop", NULL);
	struct hd_check_result result = check(tables);
	struct hd_hop hops[64];
	uint8_t *distances;
	struct hd_error err;

	assert_true(result.reachable);
	assert_int_equal(result.failure, HD_CHECK_CREDIT_LOOP);
	assert_true(result.n_witness > 1);
	hd_check_clear(&result);
	assert_hd_ok(hd_switch_distances(fabric, &distances, &err), err);
	hd_for_each_end_node(from, fabric)
		hd_for_each_lid(lid, fabric) {
			struct hd_flow flow = { .source = hd_port_index(fabric, from, 1),
						.lid = (uint16_t)lid };
			const struct hd_lid *place = &fabric->lids[lid];
			size_t n_hops;

			if (place->port == HD_NONE || place->port == flow.source)
				continue;
			assert_int_equal(hd_walk(tables, &flow, hops, 64, &n_hops), HD_CHECK_SOUND);
			assert_int_equal(n_hops - (place->via_port ? 3 : 2),
					 distances[hd_peer_node(fabric, from, 1) *
							   (size_t)fabric->n_switches +
						   place->via_switch]);
		}
	free(distances);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* In a 4-ary 2-tree the 4 x 12 flows that leave a leaf are shared by its 4 links up. */
static void minhop_is_balanced(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=4,n=2", 0);
	struct hd_tables *tables = route(fabric, "minhop", NULL);
	struct hd_load load;
	struct hd_error err;

	assert_hd_ok(hd_load_compute(tables, &load, &err), err);
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];

		if (hd_is_switch(fabric, port->node) && port->peer != HD_NONE &&
		    hd_is_switch(fabric, fabric->ports[port->peer].node))
			assert_int_equal(hd_load_port(&load, p), 12);
	}
	hd_load_clear(&load);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void engines_survive_odd_fabrics(void **state)
{
	for (int kind = 0; kind < 5; kind++) {
		struct hd_builder *builder = hd_builder_new();
		struct hd_node_spec sw = { .type = HD_SWITCH, .guid = 1, .n_ports = 3 };
		struct hd_node_spec ca = { .type = HD_CA, .guid = 100, .n_ports = 2 };
		struct hd_fabric *fabric;
		struct hd_error err;
		uint32_t s = HD_NONE, h = HD_NONE;

		/* nothing; one switch; one switch and an adapter; two adapters; a loopback cable */
		if (kind == 1 || kind == 2 || kind == 4)
			assert_hd_ok(hd_builder_add(builder, &sw, &s, &err), err);
		if (kind >= 2)
			assert_hd_ok(hd_builder_add(builder, &ca, &h, &err), err);
		if (kind == 2 || kind == 4)
			assert_hd_ok(hd_builder_link(builder, s, 1, h, 2, &err), err);
		if (kind == 4)
			assert_hd_ok(hd_builder_link(builder, s, 2, s, 3, &err), err);
		if (kind == 3) {
			ca.guid = 200;
			assert_hd_ok(hd_builder_add(builder, &ca, &s, &err), err);
			assert_hd_ok(hd_builder_link(builder, s, 1, h, 1, &err), err);
			hd_builder_port(builder, s, 1)->lid = 7;
		}
		if (kind && kind != 3)
			hd_builder_port(builder, s, 0)->lid = 3;
		if (h != HD_NONE)
			hd_builder_port(builder, h, kind == 3 ? 1 : 2)->lid = 5;
		assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
		for (size_t e = 0; hd_engine_at(e); e++) {
			struct hd_route_request request = { 0 };
			struct hd_tables *tables;
			int ret = hd_route(hd_engine_at(e), fabric, &request, &tables, &err);

			if (ret == 0) {
				struct hd_check_result result = check(tables);

				assert_int_equal(result.failure, HD_CHECK_SOUND);
				hd_check_clear(&result);
				hd_tables_free(tables);
			}
		}
		hd_fabric_free(fabric);
	}
}

static void translations_agree(void **state)
{
	uint8_t table[256], keys[448], one[448], other[448];

	for (unsigned i = 0; i < 256; i++)
		table[i] = (uint8_t)(i * 167 + 13);
	for (unsigned i = 0; i < sizeof(keys); i++)
		keys[i] = (uint8_t)(i * 57);
	hd_translate(keys, sizeof(keys), table, one);
	hd_translate_portable(keys, sizeof(keys), table, other);
	assert_memory_equal(one, other, sizeof(one));
	for (unsigned i = 0; i < sizeof(keys); i++)
		assert_int_equal(one[i], table[keys[i]]);
}

static void rules_and_engines_are_looked_up(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=2,p=1,h=1", 0);
	struct hd_route_request request = { .layers = "single" };
	struct hd_tables *tables;
	struct hd_error err;

	assert_null(hd_engine_find("nonesuch"));
	assert_int_equal(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err),
			 HD_EINVAL);
	assert_hd_says(err, "does not go with");
	request.layers = "nonesuch";
	assert_int_equal(hd_route(hd_engine_find("dla"), fabric, &request, &tables, &err),
			 HD_EINVAL);
	hd_fabric_free(fabric);
}

static void engines_name_rules_that_there_are(void **state)
{
	(void)state;
	for (size_t e = 0; hd_engine_at(e); e++)
		for (size_t l = 0; hd_engine_at(e)->layer_rules[l]; l++)
			if (!hd_layer_rule_find(hd_engine_at(e)->layer_rules[l]))
				fail_msg("engine %s: no layer rule '%s'",
					 hd_engine_at(e)->policy.name,
					 hd_engine_at(e)->layer_rules[l]);
}

static int route_carelessly(const char *const *layer_rules, const char *layers,
			    struct hd_error *err)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=2,p=1,h=1", 0);
	struct hd_route_request request = { .layers = layers };
	struct hd_engine engine = *hd_engine_find("minhop");
	struct hd_tables *tables;
	int ret;

	engine.policy.name = "careless";
	engine.layer_rules = layer_rules;
	ret = hd_route(&engine, fabric, &request, &tables, err);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	return ret;
}

static void assert_misspelt(const char *const *layer_rules, const char *layers)
{
	struct hd_error err;

	assert_int_equal(route_carelessly(layer_rules, layers, &err), HD_EINVAL);
	assert_hd_says(err, "careless");
	assert_hd_says(err, "'sinlge'");
}

static void misspelt_rules_of_engines_are_told(void **state)
{
	(void)state;
	assert_misspelt((const char *const[]){ "sinlge", NULL }, NULL);
	assert_misspelt((const char *const[]){ "single", "sinlge", NULL }, "sinlge");
	assert_misspelt((const char *const[]){ "sinlge", "flex", NULL }, "flex");
}

static void flex_does_not_start_from_itself(void **state)
{
	struct hd_error err;

	(void)state;
	assert_int_equal(route_carelessly((const char *const[]){ "flex", NULL }, NULL, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "'flex' needs another one");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dla_has_the_papers_resources_and_loads),
		cmocka_unit_test(dla_on_every_arrangement),
		cmocka_unit_test(dla_is_sound_for_any_sl),
		cmocka_unit_test(dla_times_xordet_is_4_sls_and_8_vls),
		cmocka_unit_test(dla_balances_trunked_links),
		cmocka_unit_test(lmc_offsets_spread),
		cmocka_unit_test(permutations_are_isomorphic),
		cmocka_unit_test(dla_refuses_what_it_cannot_serve),
		cmocka_unit_test(dla_serves_a_trunk_that_lost_a_link),
		cmocka_unit_test(dla_uses_parallel_local_links),
		cmocka_unit_test(dla_takes_a_group_file),
		cmocka_unit_test(minhop_is_shortest_and_loops),
		cmocka_unit_test(minhop_is_balanced),
		cmocka_unit_test(engines_survive_odd_fabrics),
		cmocka_unit_test(translations_agree),
		cmocka_unit_test(rules_and_engines_are_looked_up),
		cmocka_unit_test(engines_name_rules_that_there_are),
		cmocka_unit_test(misspelt_rules_of_engines_are_told),
		cmocka_unit_test(flex_does_not_start_from_itself),
	};

	return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
