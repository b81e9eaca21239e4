// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Queue rules over real paths on grids: Tables 1 to 3 of Penaranda et al., XORDET (2017), Figures 3
 * and 4 of Yebenes et al., OSHA and SASHA (2019).
 */
#include "check/check.h"
#include "check/walk.h"
#include "engines/engine.h"
#include "tests/unit/queue_case.h"

/*
 * Counts the VLs on which packets of the host at point 0 leave its switch, apart for dimensions X
 * and Y, and checks that they keep them as long as they stay in that dimension.
 */
static void count_lanes(const struct fixture *f, unsigned *in_x, unsigned *in_y)
{
	const struct hd_fabric *fabric = f->fabric;
	uint32_t source = hd_port_index(fabric, fabric->n_switches, 1);

	memset(in_x, 0, HD_MAX_SLS * sizeof(*in_x));
	memset(in_y, 0, HD_MAX_SLS * sizeof(*in_y));
	for (uint32_t n = fabric->n_switches + 1; n < fabric->n_nodes; n++) {
		struct hd_flow flow = { .source = source };
		struct hd_hop hops[64];
		size_t n_hops;
		uint8_t lane[2] = { HD_VL_DROP, HD_VL_DROP };

		flow.lid = fabric->ports[hd_port_index(fabric, n, 1)].lid;
		flow.sl = (uint8_t)hd_path_sl(f->tables, source, flow.lid);
		assert_int_equal(hd_walk(f->tables, &flow, hops, 64, &n_hops), HD_CHECK_SOUND);
		for (size_t i = 1; i + 2 < n_hops; i++) {
			uint32_t port = hd_port_index(fabric, hops[i].node, hops[i].out);
			unsigned d = f->structure.grid->port_dimension[port];

			assert_in_range(d, 0, 1);
			if (i == 1)
				(d ? in_y : in_x)[hops[i].vl]++;
			assert_true(lane[d] == HD_VL_DROP || lane[d] == hops[i].vl);
			lane[d] = hops[i].vl;
		}
	}
}

static void assert_lanes(unsigned k, const char *text, const unsigned *x, const unsigned *y)
{
	unsigned in_x[HD_MAX_SLS], in_y[HD_MAX_SLS];
	uint32_t size[] = { k, k };
	struct fixture f;
	char spec[32];

	snprintf(spec, sizeof(spec), "mesh:%ux%u", k, k);
	setup(&f, spec, 0, size, 2);
	route_in_order(&f);
	apply(&f, text);
	count_lanes(&f, in_x, in_y);
	for (unsigned vl = 0; vl < 8; vl++) {
		assert_int_equal(in_x[vl], x[vl]);
		assert_int_equal(in_y[vl], y[vl]);
	}
	teardown(&f);
}

/* Destinations per VC at node 0 of an 8 x 8 mesh with 4 VCs. BBQ is not printed there. */
static void tables_1_to_3(void **state)
{
	assert_lanes(8, "dbbm:4", (unsigned[8]){ 8, 16, 16, 16 }, (unsigned[8]){ 7, 0, 0, 0 });
	assert_lanes(8, "iodet:4", (unsigned[8]){ 8, 16, 16, 16 }, (unsigned[8]){ 1, 2, 2, 2 });
	assert_lanes(8, "xordet:4", (unsigned[8]){ 14, 14, 14, 14 }, (unsigned[8]){ 1, 2, 2, 2 });
	assert_lanes(8, "bbq:4", (unsigned[8]){ 14, 14, 14, 14 }, (unsigned[8]){ 1, 2, 2, 2 });
}

static void xordet_on_16x16(void **state)
{
	assert_lanes(16, "xordet:4", (unsigned[8]){ 60, 60, 60, 60 }, (unsigned[8]){ 3, 4, 4, 4 });
	assert_lanes(16, "xordet:8", (unsigned[8]){ 30, 30, 30, 30, 30, 30, 30, 30 },
		     (unsigned[8]){ 1, 2, 2, 2, 2, 2, 2, 2 });
}

/* The VL follows the dimension: X takes x, Y takes y modulo 4, whatever the path. */
static void iodet_is_by_dimension(void **state)
{
	uint32_t size[] = { 8, 8 };
	struct fixture f;
	struct hd_check_result result;
	struct hd_error err;

	setup(&f, "mesh:8x8", 0, size, 2);
	route_in_order(&f);
	apply(&f, "iodet:4");
	for (uint32_t s = 0; s < 64; s++)
		hd_for_each_number(port, f.fabric, s) {
			uint32_t peer = hd_peer_node(f.fabric, s, port);
			hd_sl2vl_row row = f.tables->sl2vl[hd_sl2vl_index(f.tables, s, 1, port)];

			for (unsigned sl = 0; peer < 64 && sl < HD_MAX_SLS; sl++)
				assert_int_equal(hd_row_vl(row, sl),
						 peer % 8 != s % 8 ? sl % 4 : sl / 4);
		}
	assert_hd_ok(hd_check(f.tables, NULL, &result, &err), err);
	assert_int_equal(result.failure, HD_CHECK_SOUND);
	assert_int_equal(result.sls, 16);
	assert_int_equal(result.vls, 4);
	hd_check_clear(&result);
	teardown(&f);
}

static void iodet_fits_or_is_refused(void **state)
{
	static const struct {
		const char *spec;
		uint32_t size[3];
		unsigned n;
		const char *queues;
		unsigned n_classes; /* 0: refused */
	} known[] = {
		{ "mesh:8x8", { 8, 8 }, 2, "iodet:4", 16 },
		{ "mesh:8x8", { 8, 8 }, 2, "iodet:3", 9 },
		{ "mesh:8x8", { 8, 8 }, 2, "iodet:5", 0 },
		{ "mesh:4x4x4", { 4, 4, 4 }, 3, "iodet:2", 8 },
		{ "mesh:4x4x4", { 4, 4, 4 }, 3, "iodet:4", 0 },
		{ "mesh:8x2", { 8, 2 }, 2, "iodet:8", 16 },
		{ "mesh:16", { 16 }, 1, "iodet:16", 16 },
	};

	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct hd_queueing queueing;
		struct hd_error err;
		struct fixture f;
		int ret;

		setup(&f, known[i].spec, 0, known[i].size, known[i].n);
		ret = queues(&f, known[i].queues, &queueing, &err);
		assert_int_equal(ret, known[i].n_classes ? 0 : HD_EREFUSED);
		if (ret == 0)
			assert_int_equal(queueing.n_classes, known[i].n_classes);
		else
			assert_hd_says(err, known[i].n == 2
						    ? "5 queues (iodet) in each of 2 dimensions "
						      "make 25 queue classes, and there are 16 SLs"
						    : "make 64 queue classes");
		hd_queueing_clear(&queueing);
		teardown(&f);
	}
}

/* The classes of @offset, destination by destination, as digits. */
static void assert_map(const struct fixture *f, const struct hd_queueing *queueing, unsigned offset,
		       const char *map)
{
	uint32_t n_hosts = f->fabric->n_nodes - f->fabric->n_switches;

	for (uint32_t host = 0; host < n_hosts; host++) {
		uint32_t port = hd_port_index(f->fabric, f->fabric->n_switches + host, 1);

		assert_int_equal(queueing->class_of[f->fabric->ports[port].lid + offset],
				 map[host] - '0');
	}
}

/* Figures 3 and 4: 16 end nodes; LIDs at offset 0 are of network 1, at offset 1 of network 2. */
static void dbbq_maps(void **state)
{
	uint32_t size[] = { 4, 4 };
	struct hd_queueing queueing;
	struct hd_error err;
	struct fixture f;

	setup(&f, "mesh:4x4", 1, size, 2);
	assert_hd_ok(queues(&f, "bbq:4", &queueing, &err), err);
	assert_map(&f, &queueing, 0, "0000111122223333");
	assert_map(&f, &queueing, 1, "0000111122223333"); /* a row by YX: one queue */
	hd_queueing_clear(&queueing);
	assert_hd_ok(queues(&f, "dbbq:2", &queueing, &err), err);
	assert_map(&f, &queueing, 0, "0000000011111111");
	assert_map(&f, &queueing, 1, "0011001100110011"); /* both */
	hd_queueing_clear(&queueing);
	assert_hd_ok(queues(&f, "dbbq:4", &queueing, &err), err);
	assert_map(&f, &queueing, 0, "0000111122223333");
	assert_map(&f, &queueing, 1, "0123012301230123"); /* all four */
	hd_queueing_clear(&queueing);
	teardown(&f);
}

/* Half of the end nodes of @spec in each of two queues, in both networks. */
static void assert_even(const char *spec, const uint32_t *size, unsigned n, unsigned half)
{
	struct fixture f = { .fabric = build_fabric(spec, 1) };
	/* LFTs would take half a gigabyte */
	struct hd_tables tables = { .fabric = f.fabric, .lft_stride = f.fabric->top_lid + 1u };
	unsigned count[2][2] = { { 0 } };
	struct hd_queueing queueing;
	struct hd_error err;

	f.structure.grid = make_grid(f.fabric, size, n);
	f.tables = &tables;
	assert_hd_ok(queues(&f, "dbbq:2", &queueing, &err), err);
	hd_for_each_end_node(node, f.fabric)
		for (unsigned offset = 0; offset < 2; offset++) {
			uint32_t port = hd_port_index(f.fabric, node, 1);

			count[offset][queueing.class_of[f.fabric->ports[port].lid + offset]]++;
		}
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(count[i / 2][i % 2], half);
	hd_queueing_clear(&queueing);
	hd_structure_clear(&f.structure);
	hd_fabric_free(f.fabric);
}

/* 000-C7 */
static void dbbq_is_even(void **state)
{
	assert_even("mesh:48x48", (uint32_t[]){ 48, 48 }, 2, 1152);
	assert_even("mesh:24x24x24", (uint32_t[]){ 24, 24, 24 }, 3, 6912);
}

/*
 * 000-C11, Figure 4: what passes a port of a KNS that network 2 uses for one row. With bbq all
 * packets that the row's line switch gets by YX routes are in one queue, with dbbq they are in all
 * of their network's.
 */
static void rows_by_yx_are_spread(void **state)
{
	static const struct {
		const char *queues;
		int used;
	} cases[] = { { "bbq:4", 1 }, { "dbbq:2", 2 }, { "dbbq:4", 4 } };
	struct hd_fabric *fabric = build_fabric("kns:k=4,n=2", 1);
	struct hd_error err = { 0 };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct hd_route_request request = { .queues = cases[i].queues };
		struct hd_tables *tables;

		assert_hd_ok(hd_route(hd_engine_find("osha"), fabric, &request, &tables, &err),
			     err);
		hd_for_each_switch(s, fabric) {
			const char *name = hd_node_name(fabric, s);
			const uint32_t first = fabric->n_switches + 4 * (uint32_t)(name[1] - '0');
			unsigned used = 0;

			if (name[0] != 'X') /* the line switch of a row */
				continue;
			for (uint32_t to = first; to < first + 4; to++) {
				uint16_t lid = fabric->ports[hd_port_index(fabric, to, 1)].lid + 1;
				uint32_t next = hd_peer_node(fabric, s, hd_lft(tables, s)[lid]);

				/* the last line of YX routes, next to the destination's router */
				assert_int_equal(next, fabric->lids[lid].via_switch);
				used |= 1u << tables->sl_rows[lid];
			}
			assert_int_equal(__builtin_popcount(used), cases[i].used);
		}
		hd_tables_free(tables);
	}
	hd_fabric_free(fabric);
}

/*
 * 000-C4 to C6, the queues of a whole path: those of network 2 follow those of network 1, and
 * packets stay in theirs.
 */
static void queues_are_lanes_of_the_whole_path(void **state)
{
	static const struct {
		const char *engine, *queues, *maps[2];
		unsigned lmc;
	} cases[] = {
		{ "hdor", "bbq:4", { "0000111122223333" }, 0 },
		{ "osha", "dbbq:2", { "0000000011111111", "2233223322332233" }, 1 },
		{ "sasha", "dbbq:4", { "0000111122223333", "4567456745674567" }, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct hd_route_request request = { .queues = cases[i].queues };
		struct hd_fabric *fabric = build_fabric("kns:k=4,n=2", cases[i].lmc);
		struct hd_error err = { 0 };
		struct hd_tables *tables;

		assert_hd_ok(
			hd_route(hd_engine_find(cases[i].engine), fabric, &request, &tables, &err),
			err);
		hd_for_each_end_node(from, fabric)
			hd_for_each_end_node(to, fabric)
				for (unsigned offset = 0; from != to && offset <= cases[i].lmc;
				     offset++) {
					const uint32_t source = hd_port_index(fabric, from, 1);
					const uint32_t port = hd_port_index(fabric, to, 1);
					const uint16_t lid =
						(uint16_t)(fabric->ports[port].lid + offset);
					const struct hd_flow flow = {
						.source = source,
						.lid = lid,
						.sl = (uint8_t)hd_path_sl(tables, source, lid)
					};
					struct hd_hop hops[16];
					size_t n;

					assert_int_equal(hd_walk(tables, &flow, hops, 16, &n),
							 HD_CHECK_SOUND);
					for (size_t k = 0; k + 1 < n; k++)
						assert_int_equal(
							hops[k].vl,
							cases[i].maps[offset]
								     [to - fabric->n_switches] -
								'0');
				}
		hd_tables_free(tables);
		hd_fabric_free(fabric);
	}
}

static void grids_are_needed(void **state)
{
	static const char *const texts[] = { "dbbq:2", "iodet:2" };

	for (size_t i = 0; i < 2; i++) {
		struct hd_queueing queueing;
		struct hd_error err;
		struct fixture f;

		setup(&f, "mesh:4x4", 0, NULL, 0);
		assert_int_equal(queues(&f, texts[i], &queueing, &err), HD_EREFUSED);
		assert_hd_says(err, "needs a grid");
		hd_queueing_clear(&queueing);
		teardown(&f);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_1_to_3),
		cmocka_unit_test(xordet_on_16x16),
		cmocka_unit_test(iodet_is_by_dimension),
		cmocka_unit_test(iodet_fits_or_is_refused),
		cmocka_unit_test(dbbq_maps),
		cmocka_unit_test(dbbq_is_even),
		cmocka_unit_test(rows_by_yx_are_spread),
		cmocka_unit_test(queues_are_lanes_of_the_whole_path),
		cmocka_unit_test(grids_are_needed),
	};

	return cmocka_run_group_tests_name("queue paths", tests, NULL, NULL);
}
