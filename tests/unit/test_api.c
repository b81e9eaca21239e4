// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* libheddle, as a program has it: the shared library and its header alone. */
#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "heddle/heddle.h"

#define assert_ok(call)                                      \
	do {                                                 \
		if ((call) != HEDDLE_OK)                     \
			fail_msg("%s: %s", #call, why.text); \
	} while (0)

#define assert_says(words)                                                     \
	do {                                                                   \
		if (!strstr(why.text, (words)))                                \
			fail_msg("'%s' does not say '%s'", why.text, (words)); \
	} while (0)

static struct heddle_fabric *build(const char *spec)
{
	struct heddle_fabric *fabric;
	struct heddle_error why;

	assert_ok(heddle_fabric_build(spec, &fabric, &why));
	return fabric;
}

static struct heddle_tables *route(const struct heddle_fabric *fabric, const char *engine)
{
	struct heddle_route_request request = HEDDLE_ROUTE_REQUEST_INIT;
	struct heddle_tables *tables;
	struct heddle_error why;

	request.engine = engine;
	assert_ok(heddle_route(fabric, &request, &tables, &why));
	return tables;
}

/* The tables of @engine on @spec; they keep their fabric. */
static struct heddle_tables *route_spec(const char *spec, const char *engine)
{
	struct heddle_fabric *fabric = build(spec);
	struct heddle_tables *tables = route(fabric, engine);

	heddle_fabric_free(fabric);
	return tables;
}

static struct heddle_node node_of(const struct heddle_fabric *fabric, uint32_t number)
{
	struct heddle_node node = HEDDLE_NODE_INIT;
	struct heddle_error why;

	assert_ok(heddle_fabric_node(fabric, number, &node, &why));
	return node;
}

static struct heddle_port port_of(const struct heddle_fabric *fabric, uint32_t number)
{
	struct heddle_port port = HEDDLE_PORT_INIT;
	struct heddle_error why;

	assert_ok(heddle_fabric_port(fabric, number, &port, &why));
	return port;
}

static struct heddle_fabric_info info_of(const struct heddle_fabric *fabric)
{
	struct heddle_fabric_info info = HEDDLE_FABRIC_INFO_INIT;
	struct heddle_error why;

	assert_ok(heddle_fabric_info(fabric, &info, &why));
	return info;
}

static void write_file(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	assert_non_null(file);
	fputs(text, file);
	fclose(file);
}

/* A program of an earlier release has shorter structs: what it does not have is as by default. */
static void test_a_shorter_struct(void **state)
{
	struct heddle_fabric *fabric = build("tree:k=4,n=2");
	struct {
		struct heddle_route_request request;
	} own = { HEDDLE_ROUTE_REQUEST_INIT };
	struct {
		size_t size;
		uint32_t n_nodes, n_switches;
		uint32_t behind;
	} info = { offsetof(struct heddle_fabric_info, n_ports), 0, 0, 77 };
	struct heddle_tables *tables;
	struct heddle_error why;

	(void)state;
	own.request.engine = "dmodc";
	own.request.max_vls = 99; /* no member of that release */
	own.request.size = offsetof(struct heddle_route_request, vlarb);
	assert_ok(heddle_route(fabric, &own.request, &tables, &why));
	heddle_tables_free(tables);
	assert_ok(heddle_fabric_info(fabric, (struct heddle_fabric_info *)&info, &why));
	assert_int_equal(info.size, offsetof(struct heddle_fabric_info, n_ports));
	assert_int_equal(info.n_nodes, 8 + 16);
	assert_int_equal(info.n_switches, 8);
	assert_int_equal(info.behind, 77);
	heddle_fabric_free(fabric);
}

/* A program of a later release has longer ones: no matter, unless it asks for what is new. */
static void test_a_longer_struct(void **state)
{
	struct heddle_fabric *fabric = build("tree:k=4,n=2");
	struct {
		struct heddle_route_request request;
		const char *later;
	} own = { HEDDLE_ROUTE_REQUEST_INIT, NULL };
	struct heddle_tables *tables;
	struct heddle_error why;

	(void)state;
	own.request.size = sizeof(own);
	own.request.engine = "dmodc";
	assert_ok(heddle_route(fabric, &own.request, &tables, &why));
	heddle_tables_free(tables);
	own.later = "new";
	assert_int_equal(heddle_route(fabric, &own.request, &tables, &why), HEDDLE_BAD_INPUT);
	assert_null(tables);
	assert_says("does not have");
	own.request.size = 0;
	assert_int_equal(heddle_route(fabric, &own.request, &tables, &why), HEDDLE_BAD_INPUT);
	assert_says("no size");
	assert_int_equal(heddle_fabric_info(fabric, NULL, &why), HEDDLE_BAD_INPUT);
	heddle_fabric_free(fabric);
}

static void test_errors_of_fabrics(void **state)
{
	struct heddle_lid_request lids = HEDDLE_LID_REQUEST_INIT;
	struct heddle_fail_request fail = HEDDLE_FAIL_REQUEST_INIT;
	const uint32_t none = 9999;
	char path[] = "/tmp/heddle-api-XXXXXX";
	struct heddle_fabric *fabric, *other;
	struct heddle_error why;
	uint32_t node;

	(void)state;
	assert_int_equal(heddle_fabric_build("nothing:a=1", &fabric, &why), HEDDLE_BAD_INPUT);
	assert_null(fabric);
	assert_int_equal(why.status, HEDDLE_BAD_INPUT);
	assert_says("no topology 'nothing'");
	assert_int_equal(heddle_fabric_open("/no/such/file", NULL, &fabric, &why), HEDDLE_IO);
	assert_string_equal(why.file, "/no/such/file");
	close(mkstemp(path));
	write_file(path, "Switch 4 \"S-1\"\n[1] \"S-2\"[1]\n[9] \"S-2\"[2]\n\nSwitch 4 \"S-2\"\n");
	assert_int_equal(heddle_fabric_open(path, NULL, &fabric, &why), HEDDLE_BAD_INPUT);
	assert_int_equal(why.line, 3);
	assert_int_equal(strncmp(why.text, path, strlen(path)), 0);
	unlink(path);
	/* an error need not be taken */
	assert_int_equal(heddle_fabric_build("nothing:a=1", &fabric, NULL), HEDDLE_BAD_INPUT);

	fabric = build("tree:k=4,n=2");
	assert_int_equal(heddle_fabric_find(fabric, "nobody", &node, &why), HEDDLE_NOT_FOUND);
	assert_int_equal(node, HEDDLE_NONE);
	lids.lmc = 8;
	assert_int_equal(heddle_fabric_assign_lids(fabric, &lids, &other, &why), HEDDLE_RANGE);
	lids.lmc = 0;
	lids.sm = "nobody";
	assert_int_equal(heddle_fabric_assign_lids(fabric, &lids, &other, &why), HEDDLE_NOT_FOUND);
	fail.links = &none;
	fail.n_links = 1;
	assert_int_equal(heddle_fabric_fail(fabric, &fail, &other, &why), HEDDLE_BAD_INPUT);
	assert_int_equal(heddle_fabric_write(fabric, "/no/such/file", &why), HEDDLE_IO);
	heddle_fabric_free(fabric);
}

static void test_errors_of_engines(void **state)
{
	struct heddle_route_request request = HEDDLE_ROUTE_REQUEST_INIT;
	struct heddle_fabric *fabric = build("torus:4x4");
	struct heddle_tables *tables;
	struct heddle_error why;

	(void)state;
	request.engine = "none";
	assert_int_equal(heddle_route(fabric, &request, &tables, &why), HEDDLE_BAD_INPUT);
	assert_says("no engine 'none'");
	request.engine = "dla";
	assert_int_equal(heddle_route(fabric, &request, &tables, &why), HEDDLE_REFUSED);
	assert_says("engine dla refuses: ");
	request.engine = "minhop";
	request.options = "nothing=1";
	assert_int_equal(heddle_route(fabric, &request, &tables, &why), HEDDLE_BAD_INPUT);
	request.options = NULL;
	request.layers = "nothing";
	assert_int_equal(heddle_route(fabric, &request, &tables, &why), HEDDLE_BAD_INPUT);
	request.layers = NULL;
	request.vlarb = "nothing";
	assert_int_equal(heddle_route(fabric, &request, &tables, &why), HEDDLE_BAD_INPUT);
	request.vlarb = NULL;
	request.classes = "/no/such/file";
	assert_int_equal(heddle_route(fabric, &request, &tables, &why), HEDDLE_IO);
	request.classes = NULL;
	request.max_vls = 16;
	assert_int_equal(heddle_route(fabric, &request, &tables, &why), HEDDLE_RANGE);
	assert_null(tables);
	assert_int_equal(heddle_tables_open("/no/such/directory", NULL, &tables, &why), HEDDLE_IO);
	assert_null(tables);
	heddle_fabric_free(fabric);
}

static void test_engines_by_name(void **state)
{
	struct heddle_engine engine = HEDDLE_ENGINE_INIT;
	struct heddle_error why;
	unsigned n = 0, n_dmodc = 0;

	(void)state;
	while (heddle_engine_next(&engine, &why) == HEDDLE_OK) {
		n++;
		n_dmodc += strcmp(engine.name, "dmodc") == 0;
		assert_true(*engine.summary);
		assert_non_null(engine.layers);
	}
	assert_int_equal(why.status, HEDDLE_NO);
	assert_null(engine.name);
	assert_int_equal(n_dmodc, 1);
	assert_true(n > 10);
	engine.name = "none";
	assert_int_equal(heddle_engine_next(&engine, &why), HEDDLE_NOT_FOUND);
}

static void test_unsound_tables(void **state)
{
	struct heddle_check_result result = HEDDLE_CHECK_RESULT_INIT;
	struct heddle_check_request request = HEDDLE_CHECK_REQUEST_INIT;
	struct heddle_tables *tables = route_spec("torus:4x4", "minhop");
	struct heddle_channel cycle[3];
	struct heddle_error why;

	(void)state;
	result.cycle = cycle;
	result.cycle_capacity = 3;
	assert_int_equal(heddle_check(tables, NULL, &result, &why), HEDDLE_NO);
	assert_int_equal(result.failure, HEDDLE_CREDIT_LOOP);
	assert_int_equal(result.n_cycle, 4);
	assert_int_not_equal(cycle[2].port, cycle[1].port);
	assert_string_equal(why.text, result.text);
	assert_int_equal(heddle_check(tables, NULL, NULL, NULL), HEDDLE_NO);
	heddle_tables_free(tables);

	tables = route_spec("torus:5x5", "hdor");
	assert_ok(heddle_check(tables, NULL, &result, &why));
	assert_int_equal(result.failure, HEDDLE_SOUND);
	assert_int_equal(result.n_cycle, 0);
	assert_int_equal(why.status, HEDDLE_OK);
	request.max_vls = 1;
	assert_int_equal(heddle_check(tables, &request, &result, &why), HEDDLE_NO);
	assert_int_equal(result.failure, HEDDLE_DROPPED);
	heddle_tables_free(tables);
}

/* Handles keep what they need, in whatever order they are freed. */
static void test_references(void **state)
{
	struct heddle_fabric *fabric = build("tree:k=4,n=2"), *whole;
	struct heddle_tables *tables = route(fabric, "dmodc");

	(void)state;
	assert_int_equal(info_of(fabric).top_lid, 0);
	heddle_fabric_free(fabric);
	whole = heddle_tables_fabric(tables);
	assert_int_equal(info_of(whole).top_lid, 24);
	heddle_tables_free(tables);
	assert_int_equal(info_of(whole).n_nodes, 24);
	assert_string_equal(node_of(whole, 8).name, "H-00000");
	heddle_fabric_free(whole);
	heddle_fabric_free(NULL);
	heddle_tables_free(NULL);
	heddle_sim_free(NULL);
}

static void test_a_fabric_from_arrays(void **state)
{
	struct heddle_new_node nodes[] = {
		{ .name = "left", .type = HEDDLE_HOST, .lid = 3 },
		{ .name = "middle", .type = HEDDLE_SWITCH, .n_ports = 8 },
		{ .name = "right", .type = HEDDLE_HOST, .guid = 77 }
	};
	struct heddle_new_link links[] = {
		{ .node = 0, .peer = 1, .peer_port = 5 },
		{ .node = 1, .peer = 2, .width = 1, .speed = HEDDLE_EDR, .vls = 4 }
	};
	struct heddle_fabric *fabric;
	struct heddle_node node;
	struct heddle_port port;
	struct heddle_error why;

	(void)state;
	assert_ok(heddle_fabric_make(nodes, 3, links, 2, &fabric, &why));
	node = node_of(fabric, 0);
	assert_string_equal(node.name, "middle");
	assert_int_equal(node.n_ports, 8);
	port = port_of(fabric, node.first_port + 5);
	assert_int_equal(port.width, 4);
	assert_int_equal(port.speed, HEDDLE_HDR);
	assert_int_equal(port.vls, 8);
	assert_string_equal(node_of(fabric, port_of(fabric, port.peer).node).name, "left");
	assert_int_equal(port_of(fabric, port.peer).lid, 3);
	port = port_of(fabric, node.first_port + 6);
	assert_int_equal(port.width, 1);
	assert_int_equal(port.speed, HEDDLE_EDR);
	assert_int_equal(port.vls, 4);
	assert_int_equal(node_of(fabric, port_of(fabric, port.peer).node).guid, 77);
	heddle_fabric_free(fabric);

	links[1].peer = 3;
	assert_int_equal(heddle_fabric_make(nodes, 3, links, 2, &fabric, &why), HEDDLE_BAD_INPUT);
	assert_says("link 1: there are 3 nodes");
	links[1].peer = 2;
	links[1].port = 5;
	assert_int_equal(heddle_fabric_make(nodes, 3, links, 2, &fabric, &why), HEDDLE_BAD_INPUT);
	links[1].port = 0;
	links[1].width = 3;
	assert_int_equal(heddle_fabric_make(nodes, 3, links, 2, &fabric, &why), HEDDLE_BAD_INPUT);
	links[1].width = 0;
	nodes[2].guid = node_of(fabric = build("tree:k=2,n=1"), 0).guid;
	heddle_fabric_free(fabric);
	assert_int_equal(heddle_fabric_make(nodes, 3, links, 2, &fabric, &why), HEDDLE_BAD_INPUT);
	assert_null(fabric);
}

static void test_shapes(void **state)
{
	static const struct {
		const char *spec;
		enum heddle_shape_kind kind;
		uint32_t n_sizes, first;
	} shapes[] = {
		{ "dragonfly:a=4,p=2,h=2", HEDDLE_SHAPE_DRAGONFLY, 4, 4 },
		{ "torus:5x4", HEDDLE_SHAPE_GRID, 2, 5 },
		{ "hyperx:3x3", HEDDLE_SHAPE_GRID, 2, 3 },
		{ "tree:k=4,n=3", HEDDLE_SHAPE_FAT_TREE, 3, 16 },
		{ "tree:k=4,n=1", HEDDLE_SHAPE_TRIVIAL, 1, 1 },
		{ "dragonflyplus:leaves=4,spines=4,hosts=4,h=1", HEDDLE_SHAPE_DRAGONFLY_PLUS, 5,
		  4 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
		struct heddle_shape shape = HEDDLE_SHAPE_INIT;
		struct heddle_fabric *fabric = build(shapes[i].spec);
		struct heddle_error why;

		assert_ok(heddle_shape_find(fabric, &shape, &why));
		assert_int_equal(shape.kind, shapes[i].kind);
		assert_int_equal(shape.n_sizes, shapes[i].n_sizes);
		assert_int_equal(shape.sizes[0], shapes[i].first);
		assert_true(shape.is_perfect);
		assert_true(*shape.text);
		heddle_fabric_free(fabric);
	}
}

static void test_no_shape(void **state)
{
	static const char *const names[] = { "L1S0", "L1S1", "L1S2", "L1S3" };
	struct heddle_fail_request fail = HEDDLE_FAIL_REQUEST_INIT;
	struct heddle_shape shape = HEDDLE_SHAPE_INIT;
	struct heddle_fabric *fabric = build("tree:k=4,n=2"), *less;
	struct heddle_error why;
	uint32_t nodes[4];

	(void)state;
	for (unsigned i = 0; i < 4; i++)
		assert_ok(heddle_fabric_find(fabric, names[i], &nodes[i], &why));
	fail.switches = nodes;
	fail.n_switches = 4;
	assert_ok(heddle_fabric_fail(fabric, &fail, &less, &why));
	assert_int_equal(info_of(less).n_switches, 4);
	assert_int_equal(heddle_shape_find(less, &shape, &why), HEDDLE_NO);
	assert_int_equal(shape.kind, HEDDLE_SHAPE_NONE);
	assert_says("not recognised: ");
	heddle_fabric_free(less);
	heddle_fabric_free(fabric);
}

static void test_entries_and_paths(void **state)
{
	struct heddle_tables *tables = route_spec("tree:k=4,n=2", "dmodc");
	struct heddle_fabric *fabric = heddle_tables_fabric(tables);
	struct heddle_table_query query = HEDDLE_TABLE_QUERY_INIT;
	const uint32_t from = node_of(fabric, 8).lid, to = node_of(fabric, 23).lid;
	struct heddle_hop hops[8];
	struct heddle_error why;
	uint8_t lft[64];
	uint32_t value;
	size_t n;

	(void)state;
	assert_ok(heddle_path(tables, from, to, HEDDLE_PATH_SL, hops, 2, &n, &why));
	assert_int_equal(n, 5);
	assert_ok(heddle_path(tables, from, to, HEDDLE_PATH_SL, hops, 8, &n, &why));
	assert_int_equal(hops[0].node, 8);
	assert_int_equal(hops[4].node, 23);
	query.node = hops[1].node;
	query.lid = to;
	assert_ok(heddle_tables_get(tables, &query, &value, &why));
	assert_int_equal(value, hops[1].out);
	assert_ok(heddle_tables_lft(tables, hops[1].node, lft, 64, &why));
	assert_int_equal(lft[to], value);
	assert_int_equal(lft[63], HEDDLE_NO_PATH);
	query.table = HEDDLE_TABLE_SL2VL;
	query.in = hops[1].in;
	query.out = hops[1].out;
	assert_ok(heddle_tables_get(tables, &query, &value, &why));
	assert_int_equal(value, hops[1].vl);
	query.table = HEDDLE_TABLE_PATH_SL;
	query.port = node_of(fabric, 8).first_port + 1;
	assert_ok(heddle_tables_get(tables, &query, &value, &why));
	assert_int_equal(value, 0);

	query.lid = 9999;
	for (query.table = 0; query.table < 4; query.table++) {
		query.sl = query.table == HEDDLE_TABLE_SL2VL ? 16 : 0;
		assert_int_equal(heddle_tables_get(tables, &query, &value, &why), HEDDLE_RANGE);
	}
	assert_int_equal(heddle_tables_lft(tables, 8, lft, 64, &why), HEDDLE_RANGE);
	assert_int_equal(heddle_path(tables, 0, to, 0, hops, 8, &n, &why), HEDDLE_RANGE);
	assert_int_equal(heddle_path(tables, from, to, 16, hops, 8, &n, &why), HEDDLE_RANGE);
	heddle_fabric_free(fabric);
	heddle_tables_free(tables);
}

static void test_load(void **state)
{
	struct heddle_load_result load = HEDDLE_LOAD_RESULT_INIT;
	struct heddle_tables *tables = route_spec("tree:k=4,n=2", "dmodc");
	struct heddle_fabric *fabric = heddle_tables_fabric(tables);
	const uint32_t n = info_of(fabric).n_ports;
	uint32_t *flows = calloc(n, sizeof(*flows));
	struct heddle_error why;

	(void)state;
	assert_ok(heddle_load(tables, flows, n, &load, &why));
	assert_int_equal(load.n_flows, 16 * 15);
	assert_int_equal(load.n_lost, 0);
	assert_int_equal(load.busiest, 12);
	assert_int_equal(flows[load.busiest_port], 12);
	assert_int_equal(flows[node_of(fabric, 8).first_port + 1], 15);
	assert_ok(heddle_load(tables, NULL, 0, NULL, &why));
	free(flows);
	heddle_fabric_free(fabric);
	heddle_tables_free(tables);
}

static void test_files(void **state)
{
	char directory[] = "/tmp/heddle-api-XXXXXX", path[64], netfile[64], command[96];
	struct heddle_tables_info info = HEDDLE_TABLES_INFO_INIT;
	struct heddle_tables *tables = route_spec("torus:4x4", "hdor"), *read;
	struct heddle_fabric *fabric = heddle_tables_fabric(tables), *again;
	struct heddle_error why;

	(void)state;
	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/tables", directory);
	snprintf(netfile, sizeof(netfile), "%s/net", directory);
	assert_ok(heddle_tables_write(tables, path, &why));
	assert_ok(heddle_tables_open(path, NULL, &read, &why));
	assert_ok(heddle_diff(tables, read, NULL, &why));
	assert_ok(heddle_tables_info(read, &info, &why));
	assert_string_equal(info.engine, "hdor");
	assert_string_equal(info.queues, "single:1");
	assert_int_equal(info.n_switches, 16);
	assert_string_equal(info.notes, "");
	assert_ok(heddle_fabric_write(fabric, netfile, &why));
	assert_ok(heddle_fabric_open(netfile, NULL, &again, &why));
	assert_int_equal(info_of(again).n_links, info_of(fabric).n_links);
	heddle_fabric_free(again);
	assert_ok(heddle_fabric_open(path, NULL, &again, &why));
	assert_int_equal(info_of(again).top_lid, info_of(fabric).top_lid);
	heddle_fabric_free(again);
	heddle_fabric_free(fabric);
	heddle_tables_free(read);
	heddle_tables_free(tables);
	snprintf(command, sizeof(command), "rm -r %s", directory);
	assert_int_equal(system(command), 0);
}

/* Detours in the tables of switches come: rounds tell what they change of these, too. */
static void test_a_change_of_sets(void **state)
{
	struct heddle_change_result change = HEDDLE_CHANGE_RESULT_INIT;
	struct heddle_round_sets sets[HEDDLE_MAX_ROUNDS], all = { 0 };
	struct heddle_route_request request = HEDDLE_ROUTE_REQUEST_INIT;
	struct heddle_tables *before = route_spec("dragonflyplus:leaves=2,spines=2,hosts=1,h=1",
						  "dfplus"),
			     *after;
	struct heddle_fabric *fabric = heddle_tables_fabric(before);
	struct heddle_error why;

	(void)state;
	request.engine = "dfplus";
	request.options = "ar=valiant";
	assert_ok(heddle_route(fabric, &request, &after, &why));
	change.round_sets = sets;
	change.rounds_capacity = HEDDLE_MAX_ROUNDS;
	assert_ok(heddle_change_plan(before, after, &change, &why));
	assert_true(change.n_rounds >= 1);
	for (size_t r = 0; r < change.n_rounds; r++) {
		all.private_entries += sets[r].private_entries;
		all.map_rows += sets[r].map_rows;
		all.vl2vl_rows += sets[r].vl2vl_rows;
	}
	assert_true(all.private_entries && all.map_rows && all.vl2vl_rows);
	heddle_tables_free(after);
	heddle_fabric_free(fabric);
	heddle_tables_free(before);
}

/* A link fails: what differs, and in which rounds new tables may be sent. */
static void test_a_change(void **state)
{
	struct heddle_route_request request = HEDDLE_ROUTE_REQUEST_INIT;
	struct heddle_fail_request fail = HEDDLE_FAIL_REQUEST_INIT;
	struct heddle_diff_result diff = HEDDLE_DIFF_RESULT_INIT;
	struct heddle_change_result change = HEDDLE_CHANGE_RESULT_INIT;
	struct heddle_check_request check = HEDDLE_CHECK_REQUEST_INIT;
	struct heddle_tables_info info = HEDDLE_TABLES_INFO_INIT;
	struct heddle_round rounds[HEDDLE_MAX_ROUNDS];
	struct heddle_tables *before = route_spec("dragonfly:a=4,p=2,h=2", "dla"), *after;
	struct heddle_fabric *whole = heddle_tables_fabric(before), *less;
	const uint32_t link = node_of(whole, 0).first_port + 4;
	struct heddle_error why;

	(void)state;
	fail.links = &link;
	fail.n_links = 1;
	assert_ok(heddle_fabric_fail(whole, &fail, &less, &why));
	assert_int_equal(info_of(less).n_links, info_of(whole).n_links - 1);
	request.engine = "dla";
	request.previous = before;
	assert_ok(heddle_route(less, &request, &after, &why));
	assert_ok(heddle_tables_info(after, &info, &why));
	assert_true(info.lanes_are_kept);
	assert_int_equal(heddle_diff(before, after, &diff, &why), HEDDLE_NO);
	assert_int_equal(diff.links_removed, 1);
	assert_int_equal(diff.pairs, 72 * 71);
	assert_true(diff.lft_entries > 0);
	change.rounds = rounds;
	change.rounds_capacity = HEDDLE_MAX_ROUNDS;
	assert_ok(heddle_change_plan(before, after, &change, &why));
	assert_true(change.n_rounds >= 1);
	assert_true(rounds[0].entries + rounds[0].rows > 0);
	assert_ok(heddle_change_plan(after, after, &change, &why));
	assert_int_equal(change.n_rounds, 0);
	check.before = before;
	assert_int_not_equal(heddle_check(after, &check, NULL, &why), HEDDLE_BAD_INPUT);
	heddle_tables_free(after);

	/* made in another way: lanes are new, and notes say so */
	request.engine = "updn";
	assert_ok(heddle_route(less, &request, &after, &why));
	assert_ok(heddle_tables_info(after, &info, &why));
	assert_false(info.lanes_are_kept);
	assert_non_null(strstr(info.notes, "lanes are made anew"));
	heddle_tables_free(after);

	after = route_spec("torus:4x4", "minhop");
	assert_int_equal(heddle_change_plan(before, after, NULL, &why), HEDDLE_BAD_INPUT);
	heddle_tables_free(after);
	heddle_fabric_free(less);
	heddle_fabric_free(whole);
	heddle_tables_free(before);
}

static uint32_t column_of(const struct heddle_sim *sim, const char *name)
{
	struct heddle_column column = HEDDLE_COLUMN_INIT;
	struct heddle_error why;

	for (uint32_t i = 0; heddle_sim_column(sim, i, &column, &why) == HEDDLE_OK; i++)
		if (strcmp(column.name, name) == 0)
			return i;
	fail_msg("there is no column %s", name);
	return 0;
}

#define SHORT "[run]\nwarmup = 10us\nmeasure = 50us\n"

static void test_a_simulation(void **state)
{
	struct heddle_sim_request request = HEDDLE_SIM_REQUEST_INIT;
	struct heddle_column column = HEDDLE_COLUMN_INIT;
	struct heddle_error why;
	struct heddle_sim *sim;
	double value;

	(void)state;
	request.tables = route_spec("tree:k=4,n=2", "dmodc");
	request.scenario = "[traffic]\nload = 0.2, 0.4\n" SHORT;
	request.jobs = 2;
	assert_ok(heddle_sim_run(&request, &sim, &why));
	heddle_tables_free((struct heddle_tables *)request.tables);
	assert_ok(heddle_sim_column(sim, 0, &column, &why));
	assert_string_equal(column.name, "traffic.load");
	assert_true(column.is_text);
	assert_int_equal(column.n_rows, 2);
	assert_string_equal(heddle_sim_cell(sim, 1, 0, &value), "0.4");
	assert_true(fabs(value - 0.4) < 1e-9);
	assert_string_equal(heddle_sim_cell(sim, 1, column_of(sim, "seed"), NULL), "1");
	heddle_sim_cell(sim, 1, column_of(sim, "accepted"), &value);
	assert_true(fabs(value - 0.4) < 0.03);
	heddle_sim_cell(sim, 0, column_of(sim, "deadlock"), &value);
	assert_true(value == 0);
	assert_string_equal(heddle_sim_cell(sim, 0, column_of(sim, "makespan"), &value), "");
	assert_true(isnan(value));
	assert_ok(heddle_sim_column(sim, column_of(sim, "latency_mean"), &column, &why));
	assert_string_equal(column.unit, "ns");
	assert_null(heddle_sim_cell(sim, 2, 0, &value));
	assert_null(heddle_sim_cell(sim, 0, 999, NULL));
	assert_int_equal(heddle_sim_column(sim, 999, &column, &why), HEDDLE_NO);
	assert_string_equal(heddle_sim_notes(sim), "");
	heddle_sim_free(sim);
}

static void test_a_scenario_of_its_own(void **state)
{
	struct heddle_sim_request request = HEDDLE_SIM_REQUEST_INIT;
	struct heddle_error why;
	struct heddle_sim *sim;

	(void)state;
	request.scenario = "[fabric]\ntopology = torus:4x4\n[routing]\nengine = minhop\n" SHORT;
	assert_ok(heddle_sim_run(&request, &sim, &why));
	assert_non_null(strstr(heddle_sim_notes(sim), "credit loop"));
	heddle_sim_free(sim);
	request.scenario = "[traffic]\nload = 0.2\nnothing = 1\n";
	assert_int_equal(heddle_sim_run(&request, &sim, &why), HEDDLE_BAD_INPUT);
	assert_null(sim);
	assert_int_equal(why.line, 3);
	request.scenario = "[fabric]\ntopology = torus:4x4\n[routing]\nengine = dla\n";
	assert_int_equal(heddle_sim_run(&request, &sim, &why), HEDDLE_REFUSED);
	request.tables = route_spec("tree:k=4,n=2", "dmodc");
	assert_int_equal(heddle_sim_run(&request, &sim, &why), HEDDLE_BAD_INPUT);
	assert_says("are given");
	heddle_tables_free((struct heddle_tables *)request.tables);
	request.tables = NULL;
	request.scenario = NULL;
	assert_int_equal(heddle_sim_run(&request, &sim, &why), HEDDLE_BAD_INPUT);
}

/* Two threads at once, on fabrics of their own and on tables that both have. */
struct job {
	pthread_t thread;
	const struct heddle_tables *shared;
	uint32_t busiest;
	enum heddle_status status;
};

static void *work(void *context)
{
	struct heddle_route_request request = HEDDLE_ROUTE_REQUEST_INIT;
	struct heddle_load_result load = HEDDLE_LOAD_RESULT_INIT;
	struct job *job = context;

	request.engine = "dla";
	for (unsigned i = 0; i < 3 && !job->status; i++) {
		struct heddle_fabric *fabric = NULL, *shared = heddle_tables_fabric(job->shared);
		struct heddle_tables *tables = NULL;

		job->status = heddle_fabric_build("dragonfly:a=4,p=2,h=2", &fabric, NULL);
		if (!job->status)
			job->status = heddle_route(fabric, &request, &tables, NULL);
		if (!job->status)
			job->status = heddle_check(tables, NULL, NULL, NULL);
		if (!job->status)
			job->status = heddle_diff(job->shared, tables, NULL, NULL);
		if (!job->status)
			job->status = heddle_load(job->shared, NULL, 0, &load, NULL);
		job->busiest = load.busiest;
		heddle_fabric_free(shared);
		heddle_tables_free(tables);
		heddle_fabric_free(fabric);
	}
	return NULL;
}

static void test_two_threads(void **state)
{
	struct heddle_tables *shared = route_spec("dragonfly:a=4,p=2,h=2", "dla");
	struct job jobs[2] = { { .shared = shared }, { .shared = shared } };

	(void)state;
	for (unsigned i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&jobs[i].thread, NULL, work, &jobs[i]), 0);
	for (unsigned i = 0; i < 2; i++) {
		pthread_join(jobs[i].thread, NULL);
		assert_int_equal(jobs[i].status, HEDDLE_OK);
		assert_int_equal(jobs[i].busiest, 68);
	}
	heddle_tables_free(shared);
}

static void test_statuses_have_texts(void **state)
{
	(void)state;
	for (int status = HEDDLE_OK; status <= HEDDLE_RANGE; status++)
		assert_string_not_equal(heddle_status_text((enum heddle_status)status),
					"unknown status");
	assert_string_equal(heddle_status_text((enum heddle_status)99), "unknown status");
	assert_true(*heddle_version());
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_a_shorter_struct),
		cmocka_unit_test(test_a_longer_struct),
		cmocka_unit_test(test_errors_of_fabrics),
		cmocka_unit_test(test_errors_of_engines),
		cmocka_unit_test(test_engines_by_name),
		cmocka_unit_test(test_unsound_tables),
		cmocka_unit_test(test_references),
		cmocka_unit_test(test_a_fabric_from_arrays),
		cmocka_unit_test(test_shapes),
		cmocka_unit_test(test_no_shape),
		cmocka_unit_test(test_entries_and_paths),
		cmocka_unit_test(test_load),
		cmocka_unit_test(test_files),
		cmocka_unit_test(test_a_change),
		cmocka_unit_test(test_a_change_of_sets),
		cmocka_unit_test(test_a_simulation),
		cmocka_unit_test(test_a_scenario_of_its_own),
		cmocka_unit_test(test_two_threads),
		cmocka_unit_test(test_statuses_have_texts),
	};

	return cmocka_run_group_tests_name("api", tests, NULL, NULL);
}
