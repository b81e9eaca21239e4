// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What traffic on the emulated fabric sees of the tables. */
#include "tests/unit/unit.h"

#include "simfabric/emulator/power.h"
#include "simfabric/traffic/carried_links.h"
#include "simfabric/traffic/fabric_view.h"
#include "tests/unit/carried_case.h"

static struct hd_carried_view *view_of(const struct emulator_case *c)
{
	struct hd_carried_view *view;
	struct hd_error err;

	assert_hd_ok(hd_carried_view_new(c->emulator, &view, &err), err);
	return view;
}

static void test_view_is_what_was_programmed(void **state)
{
	struct emulator_case c;
	struct hd_carried_view *view;
	const struct hd_vlarb *vlarb;

	(void)state;
	emulator_case_new(&c, DRAGONFLY, "dla", 1, NULL);
	c.emulator->ports[switch_port(&c, 3, 2)].vl_high_limit = 7;
	view = view_of(&c);
	assert_int_equal(view->fabric.top_lid, c.fabric->top_lid);
	assert_int_equal(view->fabric.n_links, c.fabric->n_links);
	hd_for_each_port(p, c.fabric) {
		assert_int_equal(view->fabric.ports[p].peer, c.fabric->ports[p].peer);
		assert_int_equal(view->fabric.ports[p].lid, c.fabric->ports[p].lid);
		assert_int_equal(view->fabric.ports[p].lmc, c.fabric->ports[p].lmc);
	}
	for (uint32_t lid = 0; lid <= c.fabric->top_lid; lid++)
		assert_memory_equal(&view->fabric.lids[lid], &c.fabric->lids[lid],
				    offsetof(struct hd_lid, via_port) + 1);
	assert_memory_equal(view->tables->lft, c.tables->lft,
			    c.fabric->n_switches * c.tables->lft_stride);
	hd_for_each_port(p, c.fabric) {
		const struct hd_port *port = &c.fabric->ports[p];
		size_t row;

		if (port->peer == HD_NONE || !hd_is_switch(c.fabric, port->node))
			continue;
		row = hd_sl2vl_index(c.tables, port->node, 1, port->number);
		assert_true(view->tables->sl2vl[row] == c.tables->sl2vl[row]);
	}
	vlarb = &view->tables->vlarbs[view->tables->vlarb_of_port[switch_port(&c, 3, 2)]];
	assert_int_equal(vlarb->high_limit, 7);
	assert_int_equal(vlarb->n_high, 8);
	assert_int_equal(vlarb->high[0].weight, 4);
	assert_int_equal(vlarb->low[3].vl, 3);
	hd_carried_view_set_sl(view, 5);
	assert_int_equal(hd_path_sl(view->tables, first_host(&c), 9), 5);
	hd_carried_view_free(view);
	emulator_case_free(&c);
}

static void test_view_of_a_fabric_without_a_manager(void **state)
{
	struct emulator_case c;
	struct hd_carried_view *view;

	(void)state;
	emulator_case_new(&c, DRAGONFLY, NULL, 0, NULL);
	view = view_of(&c);
	assert_int_equal(view->fabric.top_lid, 0);
	assert_int_equal(view->fabric.n_links, 0);
	hd_carried_view_free(view);
	emulator_case_free(&c);
}

/* Changes one thing at a time: the view shows it, and differs from the one before. */
static void test_view_shows_every_change(void **state)
{
	struct emulator_case c;
	struct hd_carried_view *before, *view;
	uint32_t link, host;
	size_t row;

	(void)state;
	emulator_case_new(&c, DRAGONFLY, "dla", 0, NULL);
	link = switch_port(&c, 0, 3);
	host = first_host(&c);
	row = c.emulator->sl2vl_first[2] + 3 * 8 + 1;
	before = view_of(&c);
	for (unsigned step = 0; step < 9; step++) {
		const struct hd_fabric *f;

		view = view_of(&c);
		assert_true(hd_carried_view_equal(view, before));
		hd_carried_view_free(view);
		switch (step) {
		case 0:
			c.emulator->switches[1].lft[5] = HD_NO_PATH;
			break;
		case 1:
			c.emulator->switches[2].linear_fdb_top = 9;
			break;
		case 2:
			c.emulator->sl2vl[row] = hd_row_set(c.emulator->sl2vl[row], 3, 1);
			break;
		case 3:
			c.emulator->ports[switch_port(&c, 2, 3)].operational_vls = 1;
			break;
		case 4:
			c.emulator->ports[link].vl_high_limit++;
			break;
		case 5:
			c.emulator->ports[host].lmc = 1;
			break;
		case 6:
			c.emulator->ports[host].lid = HD_MAX_LID;
			break;
		case 7:
			c.emulator->ports[link].state = HD_PORT_ARMED;
			break;
		default:
			assert_true(hd_node_off(c.emulator, 5));
		}
		view = view_of(&c);
		assert_false(hd_carried_view_equal(view, before));
		f = &view->fabric;
		if (step == 1) {
			assert_int_not_equal(hd_lft(view->tables, 2)[9], HD_NO_PATH);
			assert_int_equal(hd_lft(view->tables, 2)[10], HD_NO_PATH);
		} else if (step == 3) {
			assert_int_equal(hd_row_vl(view->tables->sl2vl[row], 3), HD_VL_DROP);
			assert_int_equal(hd_link_vls(f, switch_port(&c, 2, 3)), 1);
		} else if (step == 6) {
			/* with LMC 1 it would exceed what there is */
			assert_int_equal(f->ports[host].lid, 0);
		} else if (step == 7) {
			assert_int_equal(f->ports[link].peer, HD_NONE);
			assert_int_equal(f->ports[c.fabric->ports[link].peer].peer, HD_NONE);
			assert_int_equal(f->n_links, c.fabric->n_links - 1);
		} else if (step == 8) {
			assert_int_equal(hd_peer_node(f, 5, 1), HD_NONE);
		}
		hd_carried_view_free(before);
		before = view;
	}
	hd_carried_view_free(before);
	emulator_case_free(&c);
}

static void test_rates_of_links(void **state)
{
	struct emulator_case c;
	uint32_t ticks[HD_LINK_CLASSES];

	(void)state;
	emulator_case_new(&c, DRAGONFLY, "dla", 0, NULL);
	/* HDR: 200 Gbit/s */
	hd_carried_unit_ticks(c.emulator, NULL, ticks);
	for (unsigned i = 0; i < HD_LINK_CLASSES; i++)
		assert_int_equal(ticks[i], 2560);
	c.emulator->ports[first_host(&c)].speed_ext_active = 0;
	hd_carried_unit_ticks(c.emulator, NULL, ticks);
	assert_int_equal(ticks[HD_LINK_TERMINAL], 16000);
	assert_int_equal(ticks[HD_LINK_LOCAL], 2560);
	assert_int_equal(hd_carried_mtu(c.emulator), 2048);
	c.emulator->ports[first_host(&c)].neighbor_mtu = 1;
	assert_int_equal(hd_carried_mtu(c.emulator), 256);
	emulator_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_view_is_what_was_programmed),
		cmocka_unit_test(test_view_of_a_fabric_without_a_manager),
		cmocka_unit_test(test_view_shows_every_change),
		cmocka_unit_test(test_rates_of_links),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
