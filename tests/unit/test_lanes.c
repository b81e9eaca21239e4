// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Layers x queues composed into SL2VL tables, path SLs and VL arbitration. */
#include "tests/unit/unit.h"

#include "fabric/builder.h"
#include "sl2vl/lanes.h"
#include "topologies/topology.h"

/*
 * Two switches with two hosts each and one link: switch ports 1, 2 are hosts, 3 the link. Hosts
 * have LMC 1. @host_vls and @link_vls bound the links.
 */
static struct hd_fabric *two_switches(unsigned host_vls, unsigned link_vls)
{
	struct hd_builder *builder = hd_builder_new();
	struct hd_fabric *fabric;
	struct hd_error err;
	uint32_t id;

	assert_non_null(builder);
	for (unsigned s = 0; s < 2; s++) {
		struct hd_node_spec spec = { .type = HD_SWITCH, .guid = 0x10 + s, .n_ports = 4 };

		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
		hd_builder_port(builder, id, 0)->lid = (uint16_t)(1 + s);
		hd_builder_port(builder, id, 3)->vls = (uint8_t)link_vls;
	}
	for (unsigned h = 0; h < 4; h++) {
		struct hd_node_spec spec = { .type = HD_CA, .guid = 0x100 + 2 * h, .n_ports = 1 };
		struct hd_port *port;

		assert_hd_ok(hd_builder_add(builder, &spec, &id, &err), err);
		port = hd_builder_port(builder, id, 1);
		port->lid = (uint16_t)(4 + 2 * h);
		port->lmc = 1;
		port->vls = (uint8_t)host_vls;
		assert_hd_ok(hd_builder_link(builder, id, 1, h / 2, 1 + h % 2, &err), err);
	}
	assert_hd_ok(hd_builder_link(builder, 0, 3, 1, 3, &err), err);
	assert_hd_ok(hd_builder_finish(builder, &fabric, &err), err);
	return fabric;
}

/* Two layers and two classes: class 1 starts in layer 0 and is in layer 1 on the link. */
static void make_layering(const struct hd_tables *tables, struct hd_layering *layering)
{
	size_t n_rows = tables->sl2vl_first[2];

	*layering = (struct hd_layering){ .n_layers = 2, .n_classes = 2, .n_patterns = 2 };
	layering->patterns = calloc(2, sizeof(*layering->patterns));
	layering->patterns[1][1] = 1;
	layering->pattern = calloc(n_rows, sizeof(*layering->pattern));
	for (uint32_t s = 0; s < 2; s++)
		for (unsigned in = 0; in < 3; in++)
			layering->pattern[hd_sl2vl_index(tables, s, in, 3)] = 1;
	/* hosts of switch 0 send to those of switch 1 in class 1 */
	layering->class_of = calloc(2, tables->lft_stride);
	for (unsigned lid = 8; lid < 12; lid++)
		layering->class_of[lid] = 1;
}

/* Queues by @text and what hd_lanes_apply() makes of them. */
static int compose(struct hd_tables *tables, struct hd_layering *layering, const char *text,
		   unsigned max_vls, struct hd_error *err)
{
	struct hd_queueing queueing = { 0 };
	struct hd_queues queues;
	int ret;

	assert_hd_ok(hd_queues_parse(text, &queues, err), *err);
	assert_hd_ok(hd_queueing_build(&queues, tables, NULL, &queueing, err), *err);
	ret = hd_lanes_apply(tables, layering, &queueing, max_vls, err);
	hd_queueing_clear(&queueing);
	return ret;
}

static void layers_times_queues(void **state)
{
	struct hd_fabric *fabric = two_switches(8, 8);
	struct hd_layering layering;
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	make_layering(tables, &layering);
	assert_hd_ok(compose(tables, &layering, "dbbm:2", 0, &err), err);
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		unsigned class = sl % 4 / 2, queue = sl % 2;
		hd_sl2vl_row link = tables->sl2vl[hd_sl2vl_index(tables, 0, 1, 3)];
		hd_sl2vl_row host = tables->sl2vl[hd_sl2vl_index(tables, 1, 3, 1)];
		hd_sl2vl_row adapter = tables->sl2vl[hd_sl2vl_host_index(tables, 2, 1)];

		assert_int_equal(hd_row_vl(link, sl), class * 2 + queue);
		assert_int_equal(hd_row_vl(host, sl), queue);
		assert_int_equal(hd_row_vl(adapter, sl), queue);
	}
	/* an out-port without a link is left alone */
	assert_true(tables->sl2vl[hd_sl2vl_index(tables, 0, 1, 4)] == hd_row_identity(8));

	/* SL = class x 2 + queue; the queue is the same for both LIDs of a port */
	for (unsigned h = 0; h < 4; h++)
		for (unsigned offset = 0; offset < 2; offset++) {
			uint32_t of_switch_0 = hd_fabric_find_port(fabric, 0x101);
			uint32_t of_switch_1 = hd_fabric_find_port(fabric, 0x107);
			unsigned lid = 4 + 2 * h + offset;

			assert_int_equal(hd_path_sl(tables, of_switch_0, lid),
					 (h >= 2 ? 2 : 0) + h % 2);
			assert_int_equal(hd_path_sl(tables, of_switch_1, lid), h % 2);
		}

	/* equal weights for the lanes that reach the port, none of them zero */
	const struct hd_vlarb *vlarb =
		&tables->vlarbs[tables->vlarb_of_port[hd_port_index(fabric, 0, 3)]];
	assert_int_equal(vlarb->n_low, 4);
	assert_int_equal(vlarb->n_high, 0);
	for (unsigned i = 0; i < 4; i++) {
		assert_int_equal(vlarb->low[i].vl, i);
		assert_int_equal(vlarb->low[i].weight, vlarb->low[0].weight);
		assert_int_not_equal(vlarb->low[i].weight, 0);
	}
	vlarb = &tables->vlarbs[tables->vlarb_of_port[hd_port_index(fabric, 0, 1)]];
	assert_int_equal(vlarb->n_low, 2);
	hd_layering_clear(&layering);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* The outcome of two layers, two classes and @queues on links of these VLs. */
static int apply(unsigned host_vls, unsigned link_vls, const char *text, unsigned max_vls,
		 struct hd_error *err)
{
	struct hd_fabric *fabric = two_switches(host_vls, link_vls);
	struct hd_layering layering;
	struct hd_tables *tables;
	int ret;

	assert_hd_ok(hd_tables_new(fabric, &tables, err), *err);
	make_layering(tables, &layering);
	ret = compose(tables, &layering, text, max_vls, err);
	hd_layering_clear(&layering);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	return ret;
}

static void budgets_are_refused_with_the_arithmetic(void **state)
{
	struct hd_error err;

	assert_hd_ok(apply(8, 8, "xordet:4", 0, &err), err);
	assert_int_equal(apply(8, 8, "xordet:8", 0, &err), HD_EREFUSED);
	assert_hd_says(err, "2 layers x 8 queues (xordet) need 16 VLs");
	assert_int_equal(apply(15, 15, "dbbm:9", 0, &err), HD_EREFUSED);
	assert_hd_says(err, "2 flow classes x 9 queues (dbbm) need 18 SLs");
	assert_int_equal(apply(8, 8, "dbbm:2", 3, &err), HD_EREFUSED);
	assert_hd_says(err, "need 4 VLs, of which there are 3");
	assert_int_equal(apply(8, 3, "dbbm:2", 0, &err), HD_EREFUSED);
	assert_hd_says(err, "needs 4 and has 3");
	/* the second layer never reaches hosts: two VLs are enough for them */
	assert_hd_ok(apply(2, 4, "dbbm:2", 0, &err), err);
	assert_int_equal(apply(1, 4, "dbbm:2", 0, &err), HD_EREFUSED);
	assert_hd_says(err, "needs 2 and has 1");
}

static void shift_needs_port_classes(void **state)
{
	struct hd_fabric *fabric = two_switches(8, 8);
	uint8_t *class = calloc(fabric->n_ports, 1);
	const struct hd_layer_rule *rule = hd_layer_rule_find("shift");
	struct hd_layering layering = { 0 };
	struct hd_structure structure = { 0 };
	struct hd_layer_input input = { .structure = &structure };
	struct hd_tables *tables;
	struct hd_error err;

	assert_hd_ok(hd_tables_new(fabric, &tables, &err), err);
	input.tables = tables;
	assert_int_equal(rule->build(&input, &layering, &err), HD_EREFUSED);
	class[hd_port_index(fabric, 0, 1)] = HD_PORT_TERMINAL;
	class[hd_port_index(fabric, 0, 2)] = HD_PORT_LOCAL;
	class[hd_port_index(fabric, 0, 3)] = HD_PORT_GLOBAL;
	structure.port_class = class;
	assert_hd_ok(rule->build(&input, &layering, &err), err);
	assert_int_equal(layering.n_layers, 2);
	assert_int_equal(layering.n_classes, 1);
	for (unsigned out = 0; out <= 4; out++)
		for (unsigned in = 0; in <= 4; in++) {
			unsigned pattern = layering.pattern[hd_sl2vl_index(tables, 0, in, out)];

			assert_int_equal(layering.patterns[pattern][0], in == 3 && out == 2);
		}
	hd_layering_clear(&layering);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
	hd_structure_clear(&structure);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(layers_times_queues),
		cmocka_unit_test(budgets_are_refused_with_the_arithmetic),
		cmocka_unit_test(shift_needs_port_classes),
	};

	return cmocka_run_group_tests_name("lanes", tests, NULL, NULL);
}
