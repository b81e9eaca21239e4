// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Numbers of the DLA paper that follow from DLA's tables: equations (1)-(3), Table 2. */
#include "tests/unit/unit.h"

#ifdef _OPENMP
#include <omp.h>
#endif

#include "check/check.h"
#include "check/load.h"
#include "check/walk.h"
#include "engines/engine.h"
#include "fabric/lids.h"
#include "topologies/dragonfly.h"
#include "topologies/topology.h"

struct setting {
	struct hd_fabric *fabric;
	struct hd_dragonfly *dragonfly;
	struct hd_tables *tables;
};

/* A balanced dragonfly, a = 2h = 2p, with DLA's tables. */
static void make_setting(struct setting *s, unsigned p)
{
	const struct hd_route_request request = { 0 };
	struct hd_error err = { 0 };
	struct hd_fabric *bare;
	char spec[64];

	snprintf(spec, sizeof(spec), "dragonfly:a=%u,p=%u,h=%u", 2 * p, p, p);
	assert_hd_ok(hd_topology_build(spec, &bare, &err), err);
	assert_hd_ok(hd_fabric_assign_lids(bare, HD_NONE, 0, &s->fabric, &err), err);
	hd_fabric_free(bare);
	assert_hd_ok(hd_dragonfly_recognise(s->fabric, NULL, &s->dragonfly, &err), err);
	assert_hd_ok(hd_route(hd_engine_find("dla"), s->fabric, &request, &s->tables, &err), err);
}

static void free_setting(struct setting *s)
{
	hd_tables_free(s->tables);
	hd_dragonfly_free(s->dragonfly);
	hd_fabric_free(s->fabric);
}

static void use_one_vl(struct setting *s)
{
	for (size_t i = 0; i < s->tables->sl2vl_first[s->fabric->n_nodes]; i++)
		s->tables->sl2vl[i] = hd_row_all(0);
}

static void test_flows_per_channel(void **state)
{
	for (unsigned p = 2; p <= 4; p++) {
		uint32_t a = 2 * p, h = p, g = a * h + 1, n = a * p * g;
		struct hd_error err = { 0 };
		struct setting s;
		struct hd_load load;

		make_setting(&s, p);
		assert_hd_ok(hd_load_compute(s.tables, &load, &err), err);
		assert_int_equal(load.n_vls, 2);
		assert_int_equal(load.n_flows, (uint64_t)n * (n - 1));
		assert_int_equal(load.n_lost, 0);
		assert_int_equal(load.max_hops, 3);
		hd_for_each_port(i, s.fabric) {
			const uint32_t *flows = &load.flows[2 * i];
			const struct hd_port *port = &s.fabric->ports[i];

			if (port->peer == HD_NONE)
				continue;
			switch (s.dragonfly->port_class[i]) {
			case HD_PORT_LOCAL: /* (3), by VL */
				assert_int_equal(flows[0], p * p + a * h * p * p);
				assert_int_equal(flows[1], a * h * p * p);
				break;
			case HD_PORT_GLOBAL: /* (2) */
				assert_int_equal(flows[0], a * p * a * p);
				assert_int_equal(flows[1], 0);
				break;
			default: /* (1), both to and from the adapter */
				assert_int_equal(flows[0], n - 1);
				assert_int_equal(flows[1], 0);
				break;
			}
			assert_int_equal(hd_load_port(&load, i), flows[0] + flows[1]);
		}
		hd_load_clear(&load);
		free_setting(&s);
	}
}

static void test_spread(void **state)
{
	uint32_t flows[] = { 3, 1, 0, 7, 2, 2, 0, 4, 5, 5 };
	const struct hd_load load = { .n_vls = 2, .flows = flows };
	const uint32_t ports[] = { 4, 0, 2, 3 };
	struct hd_load_spread spread;
	struct hd_error err = { 0 };

	assert_hd_ok(hd_load_spread(&load, ports, 4, &spread, &err), err);
	assert_int_equal(spread.n_ports, 4);
	assert_int_equal(spread.min, 4);
	assert_int_equal(spread.max, 10);
	assert_true(spread.mean == 5.5);
	assert_int_equal(spread.n_values, 2);
	assert_int_equal(spread.values[0].flows, 4);
	assert_int_equal(spread.values[0].n_ports, 3);
	assert_int_equal(spread.values[1].flows, 10);
	assert_int_equal(spread.values[1].n_ports, 1);
	hd_load_spread_clear(&spread);
	assert_hd_ok(hd_load_spread(&load, NULL, 0, &spread, &err), err);
	assert_int_equal(spread.n_ports, 0);
	assert_int_equal(spread.max, 0);
	hd_load_spread_clear(&spread);
}

static void check_setting(const struct setting *s, const struct hd_check_options *options,
			  struct hd_check_result *result)
{
	struct hd_error err = { 0 };

	assert_hd_ok(hd_check(s->tables, options, result, &err), err);
}

static void test_dla_is_sound(void **state)
{
	const struct hd_check_options all = { .all_sls = true }, one = { .max_vls = 1 };

	for (unsigned p = 2; p <= 4; p++) {
		struct hd_check_result result;
		struct setting s;

		make_setting(&s, p);
		check_setting(&s, NULL, &result);
		assert_int_equal(result.failure, HD_CHECK_SOUND);
		assert_int_equal(result.sls, 1);
		assert_int_equal(result.vls, 2);
		assert_int_equal(result.max_hops, 3);
		hd_check_clear(&result);
		check_setting(&s, &all, &result);
		assert_int_equal(result.failure, HD_CHECK_SOUND);
		assert_int_equal(result.sls, 16);
		assert_int_equal(result.vls, 2);
		hd_check_clear(&result);
		check_setting(&s, &one, &result);
		assert_int_equal(result.failure, HD_CHECK_DROPPED);
		hd_check_clear(&result);
		/* the same routes need the second VL: local, global, local, ... round three groups
		 */
		use_one_vl(&s);
		check_setting(&s, NULL, &result);
		assert_int_equal(result.failure, HD_CHECK_CREDIT_LOOP);
		assert_int_equal(result.n_witness, 6);
		for (size_t i = 0; i < 6; i++) {
			const struct hd_witness *w = result.witness;

			assert_int_not_equal(s.dragonfly->port_class[w[i].port],
					     s.dragonfly->port_class[w[(i + 1) % 6].port]);
		}
		hd_check_clear(&result);
		free_setting(&s);
	}
}

#ifdef _OPENMP
/* Results do not depend on the number of threads. Large enough for several. */
static void test_threads(void **state)
{
	struct hd_check_result result[2];
	struct hd_load load[2];
	struct hd_error err = { 0 };
	struct setting s;

	make_setting(&s, 5);
	use_one_vl(&s);
	/* and something wrong in several places */
	for (uint32_t lid = 1000; lid < 1010; lid++)
		hd_lft(s.tables, 7)[lid] = HD_NO_PATH;
	for (int i = 0; i < 2; i++) {
		omp_set_num_threads(1 + 3 * i);
		check_setting(&s, NULL, &result[i]);
		assert_hd_ok(hd_load_compute(s.tables, &load[i], &err), err);
	}
	assert_int_equal(result[0].failure, HD_CHECK_NO_PATH);
	assert_int_equal(result[0].failure, result[1].failure);
	assert_int_equal(result[0].found[HD_CHECK_NO_PATH].n, result[1].found[HD_CHECK_NO_PATH].n);
	assert_int_equal(result[0].found[HD_CHECK_NO_PATH].flow.lid,
			 result[1].found[HD_CHECK_NO_PATH].flow.lid);
	assert_int_equal(result[0].found[HD_CHECK_NO_PATH].port,
			 result[1].found[HD_CHECK_NO_PATH].port);
	assert_int_equal(result[0].channels, result[1].channels);
	assert_int_equal(result[0].dependencies, result[1].dependencies);
	assert_int_equal(result[0].n_witness, result[1].n_witness);
	assert_int_equal(result[0].n_witness, 6);
	for (size_t i = 0; i < result[0].n_witness; i++) {
		const struct hd_witness *a = &result[0].witness[i], *b = &result[1].witness[i];

		assert_int_equal(a->port, b->port);
		assert_int_equal(a->flow.source, b->flow.source);
		assert_int_equal(a->flow.lid, b->flow.lid);
	}
	assert_int_equal(load[0].n_flows, load[1].n_flows);
	assert_memory_equal(load[0].flows, load[1].flows,
			    s.fabric->n_ports * load[0].n_vls * sizeof(uint32_t));
	for (int i = 0; i < 2; i++) {
		hd_check_clear(&result[i]);
		hd_load_clear(&load[i]);
	}
	free_setting(&s);
}
#endif

static void test_walk(void **state)
{
	struct hd_hop hops[8];
	struct setting s;
	size_t n = 0, n_long = 0;

	make_setting(&s, 2);
	hd_for_each_end_node(a, s.fabric)
		hd_for_each_end_node(b, s.fabric) {
			const struct hd_flow flow = {
				.source = hd_port_index(s.fabric, a, 1),
				.lid = s.fabric->ports[hd_port_index(s.fabric, b, 1)].lid,
				.sl = 3,
			};

			assert_int_equal(hd_walk(s.tables, &flow, hops, 8, &n), HD_CHECK_SOUND);
			assert_int_equal(hops[0].node, a);
			assert_int_equal(hops[0].in, 0);
			assert_int_equal(hops[n - 1].node, b);
			assert_int_equal(hops[n - 1].out, 0);
			for (size_t i = 0; i + 1 < n; i++) {
				uint32_t out = hd_port_index(s.fabric, hops[i].node, hops[i].out);
				bool second =
					i > 1 && s.dragonfly->port_class[out] == HD_PORT_LOCAL;

				assert_int_equal(
					s.fabric->ports[out].peer,
					hd_port_index(s.fabric, hops[i + 1].node,
						      hops[i + 1].in ? hops[i + 1].in : 1));
				assert_int_equal(hops[i].vl, second);
			}
			assert_true(a == b ? n == 1 : n >= 3 && n <= 6);
			if (n < 6)
				continue;
			n_long++;
			/* too little room, at any hop */
			for (size_t room = 0; room < 6; room++) {
				assert_int_equal(hd_walk(s.tables, &flow, hops, room, &n),
						 HD_CHECK_FORWARD_LOOP);
				assert_int_equal(n, room);
			}
		}
	assert_true(n_long > 0);
	/* LIDs that nobody has, and multicast */
	assert_int_equal(hd_walk(s.tables, &(struct hd_flow){ .source = 0, .lid = 0 }, hops, 8, &n),
			 HD_CHECK_NO_PATH);
	assert_int_equal(n, 1);
	assert_int_equal(
		hd_walk(s.tables, &(struct hd_flow){ .source = 0, .lid = 0xC001 }, hops, 8, &n),
		HD_CHECK_NO_PATH);
	free_setting(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_flows_per_channel),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_dla_is_sound),
#ifdef _OPENMP
		cmocka_unit_test(test_threads),
#endif
		cmocka_unit_test(test_walk),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
