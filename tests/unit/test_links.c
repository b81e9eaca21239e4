// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Links and nodes that go down and come back: states, PortStateChange, traps. */
#include "tests/unit/unit.h"

#include "simfabric/emulator/power.h"
#include "tests/unit/agents_case.h"

static void start(struct agents_case *c)
{
	assert_true(agents_case_new(c, NULL));
	agents_case_bring_up(c);
}

static void assert_states(const struct agents_case *c, uint32_t node, unsigned number,
			  enum hd_port_state state, enum hd_physical_state physical)
{
	const struct hd_emulator_port *port = agents_case_state(c, node, number);

	assert_int_equal(port->state, state);
	assert_int_equal(port->physical, physical);
}

static bool change_seen(struct agents_case *c, uint32_t node)
{
	bool seen = c->emulator->switches[node].port_state_change;

	c->emulator->switches[node].port_state_change = false;
	return seen;
}

static void power_up(void **state)
{
	struct agents_case c;

	assert_true(agents_case_new(&c, NULL));
	hd_for_each_port(p, c.fabric) {
		const struct hd_port *wired = &c.fabric->ports[p];
		bool linked = wired->peer != HD_NONE;
		bool management = !wired->number && hd_is_switch(c.fabric, wired->node);

		assert_int_equal(c.emulator->ports[p].state, management ? HD_PORT_ACTIVE
							     : linked   ? HD_PORT_INIT
									: HD_PORT_DOWN);
		assert_int_equal(c.emulator->ports[p].peer, wired->peer);
		assert_int_equal(c.emulator->errors[p].link_downed, 0);
	}
	assert_true(change_seen(&c, SPINE));
	assert_int_equal(c.n_delivered, 0);
	agents_case_free(&c);
}

static void unplug_and_replug(void **state)
{
	struct agents_case c;
	uint32_t port, other;

	start(&c);
	port = agents_case_port(&c, SPINE, 3);
	other = agents_case_port(&c, LEAF, 1);
	assert_false(hd_link_replug(c.emulator, port));
	assert_true(hd_link_unplug(c.emulator, port));
	assert_false(hd_link_unplug(c.emulator, other));
	assert_states(&c, SPINE, 3, HD_PORT_DOWN, HD_PHYSICAL_POLLING);
	assert_states(&c, LEAF, 1, HD_PORT_DOWN, HD_PHYSICAL_POLLING);
	assert_int_equal(c.emulator->errors[port].link_downed, 1);
	assert_int_equal(c.emulator->errors[other].link_downed, 1);
	assert_true(change_seen(&c, SPINE));
	assert_true(change_seen(&c, LEAF));
	/* the leaf's way to the subnet manager was this link: only the spine was heard */
	assert_int_equal(c.n_delivered, 1);
	assert_int_equal(c.delivered.slid, 1);
	assert_int_equal(hd_get16(c.delivered.mad + HD_SMP_DATA + 4), 128);

	assert_true(hd_link_replug(c.emulator, other));
	assert_false(hd_link_replug(c.emulator, port));
	assert_states(&c, SPINE, 3, HD_PORT_INIT, HD_PHYSICAL_LINK_UP);
	assert_states(&c, LEAF, 1, HD_PORT_INIT, HD_PHYSICAL_LINK_UP);
	assert_true(change_seen(&c, SPINE));
	assert_true(change_seen(&c, LEAF));
	/* now what the leaf repeats passes */
	hd_emulator_advance(c.emulator, UINT64_C(1500000000));
	assert_int_equal(c.n_delivered, 3);
	agents_case_free(&c);
}

static void plug_elsewhere(void **state)
{
	struct agents_case c;
	uint32_t wired, spare;

	start(&c);
	wired = agents_case_port(&c, SPINE, 4);
	spare = agents_case_port(&c, SPINE, 8);
	assert_false(hd_link_plug(c.emulator, spare, wired));
	assert_false(hd_link_plug(c.emulator, spare, spare));
	assert_false(hd_link_plug(c.emulator, spare, agents_case_port(&c, LEAF, 0)));
	assert_false(hd_link_unplug(c.emulator, spare));
	assert_true(hd_link_plug(c.emulator, spare, agents_case_port(&c, LEAF, 7)));
	assert_states(&c, LEAF, 7, HD_PORT_INIT, HD_PHYSICAL_LINK_UP);
	/* a cable that is plugged elsewhere cannot come back */
	assert_true(hd_link_unplug(c.emulator, wired));
	assert_true(hd_link_plug(c.emulator, wired, agents_case_port(&c, LEAF, 6)));
	assert_false(hd_link_replug(c.emulator, wired));
	assert_false(hd_link_replug(c.emulator, agents_case_port(&c, LEAF, 2)));
	assert_true(hd_link_unplug(c.emulator, wired));
	assert_true(hd_link_replug(c.emulator, agents_case_port(&c, LEAF, 2)));
	assert_states(&c, SPINE, 4, HD_PORT_INIT, HD_PHYSICAL_LINK_UP);
	agents_case_free(&c);
}

static void adapters_are_silent(void **state)
{
	struct agents_case c;

	start(&c);
	assert_true(hd_link_unplug(c.emulator, agents_case_port(&c, OTHER, 1)));
	assert_int_equal(c.n_delivered, 1);
	assert_int_equal(c.delivered.slid, 2); /* the leaf's */
	agents_case_free(&c);
}

static void switch_off_and_on(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	start(&c);
	agents_case_state(&c, LEAF, 3)->hoq_life = 9;
	c.emulator->errors[agents_case_port(&c, LEAF, 3)].symbol_errors = 9;
	assert_false(hd_node_on(c.emulator, LEAF));
	assert_true(hd_node_off(c.emulator, LEAF));
	assert_false(hd_node_off(c.emulator, LEAF));
	assert_true(hd_node_is_off(c.emulator, LEAF));
	for (unsigned number = 3; number <= 7; number++)
		assert_states(&c, SPINE, number, HD_PORT_DOWN, HD_PHYSICAL_POLLING);
	assert_states(&c, OTHER, 1, HD_PORT_DOWN, HD_PHYSICAL_POLLING);
	assert_true(change_seen(&c, SPINE));
	assert_int_equal(c.n_delivered, 1); /* five links, one trap under way */
	/* nobody is there */
	assert_int_equal(agents_case_get(&c, LEAF, 0, 0x11, 0), NO_ANSWER(HD_CONSUMED));
	assert_int_equal(agents_case_pm(&c, agents_case_port(&c, LEAF, 0), 1, 1),
			 NO_ANSWER(HD_CONSUMED));
	/* a link at it can be unplugged and stays so */
	assert_true(hd_link_unplug(c.emulator, agents_case_port(&c, LEAF, 2)));

	assert_true(hd_node_on(c.emulator, LEAF));
	assert_states(&c, LEAF, 0, HD_PORT_ACTIVE, HD_PHYSICAL_LINK_UP);
	assert_states(&c, LEAF, 1, HD_PORT_INIT, HD_PHYSICAL_LINK_UP);
	assert_states(&c, LEAF, 2, HD_PORT_DOWN, HD_PHYSICAL_POLLING);
	assert_states(&c, SPINE, 3, HD_PORT_INIT, HD_PHYSICAL_LINK_UP);
	assert_int_equal(agents_case_state(&c, LEAF, 0)->lid, 0);
	assert_int_equal(agents_case_state(&c, LEAF, 3)->hoq_life, 0);
	assert_int_equal(c.emulator->errors[agents_case_port(&c, LEAF, 3)].symbol_errors, 0);
	assert_int_equal(c.emulator->switches[LEAF].lft_size, 0);
	assert_true(c.emulator->switches[LEAF].port_state_change);
	assert_int_equal(agents_case_get(&c, LEAF, 1, 0x10, 0), 0);
	assert_string_equal((const char *)data, "leaf");
	agents_case_free(&c);
}

static void adapter_off_and_on(void **state)
{
	struct agents_case c;

	start(&c);
	assert_true(hd_node_off(c.emulator, HOST));
	assert_states(&c, SPINE, 1, HD_PORT_DOWN, HD_PHYSICAL_POLLING);
	assert_states(&c, SPINE, 2, HD_PORT_DOWN, HD_PHYSICAL_POLLING);
	assert_int_equal(agents_case_get(&c, HOST, 0, 0x11, 0), NO_ANSWER(HD_CONSUMED));
	assert_true(hd_node_on(c.emulator, HOST));
	assert_states(&c, SPINE, 1, HD_PORT_INIT, HD_PHYSICAL_LINK_UP);
	assert_states(&c, HOST, 2, HD_PORT_INIT, HD_PHYSICAL_LINK_UP);
	assert_int_equal(agents_case_state(&c, HOST, 2)->lid, 0);
	assert_int_equal(agents_case_get(&c, HOST, 0, 0x11, 0), 0);
	agents_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(power_up),          cmocka_unit_test(unplug_and_replug),
		cmocka_unit_test(plug_elsewhere),    cmocka_unit_test(adapters_are_silent),
		cmocka_unit_test(switch_off_and_on), cmocka_unit_test(adapter_off_and_on),
	};

	return cmocka_run_group_tests_name("links", tests, NULL, NULL);
}
