// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* PortInfo: what ports say, and what a Set may change. */
#include "tests/unit/unit.h"

#include "fabric/link_rate.h"
#include "simfabric/emulator/power.h"
#include "tests/unit/agents_case.h"

#define PORT_INFO 0x15

static void start(struct agents_case *c, const struct hd_emulator_options *options)
{
	assert_true(agents_case_new(c, options));
}

/* What a port says, ready to be changed and set: without states, which mean to change them. */
static uint8_t *port_info(struct agents_case *c, uint32_t node, unsigned in, unsigned number)
{
	uint8_t *data = agents_case_data(c);

	assert_int_equal(agents_case_get(c, node, in, PORT_INFO, number), 0);
	data[32] &= 0xF0;
	data[33] = 0;
	return data;
}

static int set_states(struct agents_case *c, uint32_t node, unsigned number, unsigned state,
		      unsigned physical)
{
	uint8_t *data = port_info(c, node, 1, number);

	data[32] |= (uint8_t)state;
	data[33] = (uint8_t)(physical << 4);
	return agents_case_set(c, node, 1, PORT_INFO, number);
}

static void values(void **state)
{
	struct agents_case c;
	const uint8_t *data = agents_case_data(&c);

	start(&c, NULL);
	/* an adapter: port 0 is its own */
	assert_int_equal(agents_case_get(&c, OTHER, 1, PORT_INFO, 0), 0);
	assert_int_equal(hd_get32(data + 20), 0x0050C048);
	assert_int_equal(data[28], 1);
	assert_int_equal(hd_get32(data + 28), 0x01030302); /* 1x or 4x, 4x active */
	assert_int_equal(hd_get16(data + 32), 0x7252);     /* QDR, Init, LinkUp, Polling */
	assert_int_equal(data[35], 0x47);
	assert_int_equal(data[36], 0x40); /* 2048 */
	assert_int_equal(data[37], 0x30); /* VL0-3 */
	assert_int_equal(hd_get16(data + 39), 0x0808);
	assert_int_equal(data[41], 4);
	assert_int_equal(data[42], 7 << 5);
	assert_int_equal(data[43], 0x30);
	assert_int_equal(data[50], 32);
	assert_int_equal(hd_get16(data + 60), 0x30);
	assert_int_equal(hd_get16(data + 62), 0x4707); /* HDR */
	/* the other end has 8 data VLs and operates 4 */
	assert_int_equal(agents_case_get(&c, LEAF, 3, PORT_INFO, 8), 0);
	assert_int_equal(data[28], 3);
	assert_int_equal(data[37], 0x40);
	assert_int_equal(data[43], 0x30);
	assert_int_equal(hd_get32(data + 20), 0);
	assert_int_equal(hd_get16(data + 26), 0);
	assert_int_equal(data[50], 0);
	/* port 0 of a switch */
	assert_int_equal(agents_case_get(&c, LEAF, 3, PORT_INFO, 0), 0);
	assert_int_equal(hd_get32(data + 20), 0xC048);
	assert_int_equal(hd_get16(data + 32), 0x1452);
	assert_int_equal(data[50], 1);
	assert_int_equal(agents_case_get(&c, LEAF, 3, PORT_INFO, 9), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, LEAF, 3, PORT_INFO, 0xFF), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, LEAF, 3, PORT_INFO, 0x101), HD_STATUS_BAD_FIELD);
	/* a subnet manager that knows extended speeds says so in the modifier */
	assert_int_equal(agents_case_get(&c, LEAF, 3, PORT_INFO, 0x80000001), 0);
	/* the other port of an adapter */
	assert_int_equal(agents_case_get(&c, HOST, 1, PORT_INFO, 2), 0);
	assert_int_equal(data[28], 1);
	assert_int_equal(data[31], 1);
	agents_case_free(&c);
}

static void links_have_their_rates(void **state)
{
	/* by port of the spine: width, speed, extended speed active */
	static const uint8_t rates[][3] = { { 2, 1, 0 }, { 1, 2, 0 },  { 2, 4, 0 }, { 2, 4, 1 },
					    { 8, 4, 2 }, { 16, 4, 4 }, { 2, 4, 8 } };
	struct agents_case c;

	start(&c, NULL);
	for (unsigned i = 0; i < 7; i++) {
		const uint8_t *data = port_info(&c, SPINE, 1, i + 1);

		assert_int_equal(data[31], rates[i][0]);
		assert_int_equal(data[35] >> 4, rates[i][1]);
		assert_int_equal(data[62] >> 4, rates[i][2]);
	}
	assert_int_equal(agents_case_get(&c, SPINE, 1, PORT_INFO, 8), 0);
	assert_int_equal(hd_get16(agents_case_data(&c) + 32), 0x7122); /* Down, Polling */
	agents_case_free(&c);
}

/*
 * A port could do what another one of its node does: none is told to be slower than that by chance.
 */
static void supported_rates(void **state)
{
	struct agents_case c;

	(void)state;
	start(&c, NULL);
	for (uint32_t p = 0; p < c.fabric->n_ports; p++) {
		const struct hd_emulator_port *port = &c.emulator->ports[p];
		const struct hd_node *node = &c.fabric->nodes[c.fabric->ports[p].node];
		unsigned widths = 0, speeds = 0, extended = 0;

		if (c.fabric->ports[p].peer == HD_NONE)
			continue;
		for (unsigned n = 1; n <= node->n_ports; n++) {
			const uint32_t q = node->first_port + n;

			if (c.fabric->ports[q].peer == HD_NONE)
				continue;
			widths |= c.emulator->ports[q].width_enabled;
			speeds |= c.emulator->ports[q].speed_enabled;
			extended |= c.emulator->ports[q].speed_ext_enabled;
		}
		assert_int_equal(port->width_supported, widths);
		assert_int_equal(port->speed_supported, speeds);
		assert_int_equal(port->speed_ext_supported, extended);
	}
	agents_case_free(&c);
}

static void state_machine(void **state)
{
	struct agents_case c;
	struct hd_emulator_port *port;

	start(&c, NULL);
	port = agents_case_state(&c, SPINE, 3);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_INIT, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_ACTIVE, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(set_states(&c, SPINE, 3, 5, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(port->state, HD_PORT_INIT);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_ARMED, 0), 0);
	assert_int_equal(agents_case_data(&c)[32] & 15, HD_PORT_ARMED);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_ARMED, 0), 0);
	assert_int_equal(set_states(&c, SPINE, 3, 0, 0), 0);
	assert_int_equal(port->state, HD_PORT_ARMED);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_ACTIVE, 0), 0);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_ARMED, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(port->state, HD_PORT_ACTIVE);
	/* down: it trains again */
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_DOWN, 0), 0);
	assert_int_equal(port->state, HD_PORT_INIT);
	assert_int_equal(agents_case_state(&c, LEAF, 1)->state, HD_PORT_INIT);
	/* a port without a link */
	assert_int_equal(set_states(&c, SPINE, 8, HD_PORT_ARMED, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(set_states(&c, SPINE, 8, HD_PORT_DOWN, 0), 0);
	assert_int_equal(agents_case_state(&c, SPINE, 8)->physical, HD_PHYSICAL_POLLING);
	/* port 0 is always active */
	assert_int_equal(set_states(&c, SPINE, 0, HD_PORT_ACTIVE, 0), 0);
	assert_int_equal(set_states(&c, SPINE, 0, HD_PORT_DOWN, 0), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

static void physical_states(void **state)
{
	struct agents_case c;
	struct hd_emulator_port *port, *other;
	uint8_t *data;

	start(&c, NULL);
	port = agents_case_state(&c, SPINE, 3);
	other = agents_case_state(&c, LEAF, 1);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_DOWN, HD_PHYSICAL_DISABLED), 0);
	assert_int_equal(port->state, HD_PORT_DOWN);
	assert_int_equal(port->physical, HD_PHYSICAL_DISABLED);
	assert_int_equal(other->state, HD_PORT_DOWN);
	assert_int_equal(other->physical, HD_PHYSICAL_POLLING);
	/* a disabled port stays so until it is told to poll */
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_DOWN, 0), 0);
	assert_int_equal(port->physical, HD_PHYSICAL_DISABLED);
	assert_int_equal(set_states(&c, SPINE, 3, 0, HD_PHYSICAL_POLLING), 0);
	assert_int_equal(port->state, HD_PORT_INIT);
	assert_int_equal(other->state, HD_PORT_INIT);
	/* one end that sleeps is woken by the other; two sleep on */
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_DOWN, HD_PHYSICAL_SLEEP), 0);
	assert_int_equal(port->state, HD_PORT_INIT);
	data = port_info(&c, LEAF, 1, 1);
	data[33] = HD_PHYSICAL_SLEEP;
	assert_int_equal(agents_case_set(&c, LEAF, 1, PORT_INFO, 1), 0);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_DOWN, HD_PHYSICAL_SLEEP), 0);
	assert_int_equal(port->physical, HD_PHYSICAL_SLEEP);
	assert_int_equal(other->physical, HD_PHYSICAL_SLEEP);
	assert_int_equal(set_states(&c, LEAF, 1, 0, HD_PHYSICAL_POLLING), 0);
	assert_int_equal(port->state, HD_PORT_INIT);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_DOWN, 5), HD_STATUS_BAD_FIELD);
	assert_int_equal(set_states(&c, SPINE, 3, HD_PORT_ARMED, 3), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

/* As NDR beside, for those who do not know it; it can be switched off and on. */
static void xdr_is_a_rate_of_its_own(void **state)
{
	struct agents_case c;
	struct hd_emulator_port *port, *other;
	uint8_t *data;

	start(&c, NULL);
	port = agents_case_state(&c, SPINE, 7);
	other = agents_case_state(&c, LEAF, 5);
	data = port_info(&c, SPINE, 1, 7);
	assert_int_equal(data[56], 0);
	data[56] = 1; /* no port here has it */
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 7), HD_STATUS_BAD_FIELD);

	c.fabric->ports[agents_case_port(&c, SPINE, 7)].speed = HD_XDR;
	c.fabric->ports[agents_case_port(&c, LEAF, 5)].speed = HD_XDR;
	assert_true(hd_node_off(c.emulator, SPINE) && hd_node_off(c.emulator, LEAF));
	assert_true(hd_node_on(c.emulator, SPINE) && hd_node_on(c.emulator, LEAF));
	data = port_info(&c, SPINE, 1, 7);
	assert_int_equal(data[56], 1 << 5 | 1 << 3 | 1);
	assert_int_equal(data[62] >> 4, 8);
	assert_true(hd_is_xdr(data[56]));
	assert_false(hd_is_xdr(port_info(&c, SPINE, 1, 6)[56]));
	assert_int_equal(hd_get16(port_info(&c, SPINE, 1, 0) + 60) & 0x1800, 0x1800);

	/* the other end speaks NDR at most; then all that is supported */
	other->speed_ext2_enabled = 0;
	assert_int_equal(set_states(&c, SPINE, 7, HD_PORT_DOWN, 0), 0);
	assert_int_equal(port->speed_ext2_active, 0);
	assert_int_equal(port->speed_ext_active, 8);
	data = port_info(&c, LEAF, 1, 5);
	data[56] = 7;
	assert_int_equal(agents_case_set(&c, LEAF, 1, PORT_INFO, 5), 0);
	assert_int_equal(other->speed_ext2_enabled, 1);
	assert_int_equal(set_states(&c, SPINE, 7, HD_PORT_DOWN, 0), 0);
	assert_int_equal(port->speed_ext2_active, 1);
	assert_int_equal(other->speed_ext2_active, 1);
	agents_case_free(&c);
}

static void enabled_rates(void **state)
{
	struct agents_case c;
	struct hd_emulator_port *port;
	uint8_t *data;

	start(&c, NULL);
	port = agents_case_state(&c, SPINE, 7); /* 4x NDR */
	data = port_info(&c, SPINE, 1, 7);
	data[29] = 0x01;
	data[35] = 0x01;
	data[63] = 0x03;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 7), 0);
	assert_int_equal(port->width_active, 2); /* until it trains again */
	assert_int_equal(set_states(&c, SPINE, 7, HD_PORT_DOWN, 0), 0);
	assert_int_equal(port->width_active, 1);
	assert_int_equal(port->speed_active, 1);
	assert_int_equal(port->speed_ext_active, 2);
	assert_int_equal(agents_case_state(&c, LEAF, 5)->speed_ext_active, 2);
	/* off, as supported, no change */
	data = port_info(&c, SPINE, 1, 7);
	data[63] = 30;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 7), 0);
	assert_int_equal(data[63], 30);
	assert_int_equal(set_states(&c, SPINE, 7, HD_PORT_DOWN, 0), 0);
	assert_int_equal(port->speed_ext_active, 0);
	data = port_info(&c, SPINE, 1, 7);
	data[29] = 0xFF;
	data[35] = 0x0F;
	data[63] = 0x1F;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 7), 0);
	assert_int_equal(port->width_enabled, 0x1B); /* as its links: 1x, 2x, 4x, 12x */
	assert_int_equal(port->speed_enabled, 7);
	assert_int_equal(port->speed_ext_enabled, 15);
	data = port_info(&c, SPINE, 1, 7);
	data[29] = data[35] = data[63] = 0;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 7), 0);
	assert_int_equal(port->width_enabled, 0x1B); /* as its links: 1x, 2x, 4x, 12x */
	/* more is enabled than the link was: it comes back as it was */
	assert_int_equal(set_states(&c, SPINE, 7, HD_PORT_DOWN, 0), 0);
	assert_int_equal(port->width_active, 2);
	assert_int_equal(port->speed_ext_active, 8);
	data = port_info(&c, SPINE, 1, 1);
	data[29] = 0xFF;
	data[35] = 0x0F;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 1), 0);
	data = port_info(&c, HOST, 1, 1);
	data[29] = 0xFF;
	data[35] = 0x0F;
	assert_int_equal(agents_case_set(&c, HOST, 1, PORT_INFO, 1), 0);
	assert_int_equal(set_states(&c, SPINE, 1, HD_PORT_DOWN, 0), 0);
	assert_int_equal(agents_case_state(&c, SPINE, 1)->width_active, 2);
	assert_int_equal(agents_case_state(&c, SPINE, 1)->speed_active, 1);
	/* what is not supported, with nothing changed */
	data = port_info(&c, SPINE, 1, 7);
	data[29] = 0x20;
	data[38] = 77;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 7), HD_STATUS_BAD_FIELD);
	assert_int_equal(port->vl_high_limit, 0);
	data = port_info(&c, HOST, 1, 1);
	data[63] = 1; /* DDR at most */
	assert_int_equal(agents_case_set(&c, HOST, 1, PORT_INFO, 1), HD_STATUS_BAD_FIELD);
	/* nothing in common: the link stays down */
	data = port_info(&c, SPINE, 1, 6);
	data[29] = 1;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 6), 0);
	assert_int_equal(set_states(&c, SPINE, 6, HD_PORT_DOWN, 0), 0);
	assert_int_equal(agents_case_state(&c, SPINE, 6)->state, HD_PORT_DOWN);
	assert_int_equal(agents_case_state(&c, LEAF, 4)->state, HD_PORT_DOWN);
	agents_case_free(&c);
}

static void end_port_components(void **state)
{
	struct agents_case c;
	struct hd_emulator_port *port;
	uint8_t *data;

	start(&c, NULL);
	port = agents_case_state(&c, HOST, 1);
	data = port_info(&c, HOST, 1, 0);
	hd_put64(data + 8, UINT64_C(0xFE80000000000000));
	hd_put16(data + 16, 40);
	hd_put16(data + 18, 7);
	data[34] = 3;
	data[36] |= 5;
	data[51] = 0x80 | 18;
	assert_int_equal(agents_case_set(&c, HOST, 1, PORT_INFO, 0), 0);
	assert_int_equal(data[51], 0x80 | 18); /* heard */
	assert_true(port->client_reregister);
	data = port_info(&c, HOST, 1, 1);
	assert_int_equal(data[51], 18);
	assert_int_equal(hd_get64(data + 8), UINT64_C(0xFE80000000000000));
	assert_int_equal(hd_get16(data + 16), 40);
	assert_int_equal(hd_get16(data + 18), 7);
	assert_int_equal(data[34], 3);
	assert_int_equal(data[36], 0x45);
	hd_put16(data + 16, 0xC000);
	assert_int_equal(agents_case_set(&c, HOST, 1, PORT_INFO, 0), HD_STATUS_BAD_FIELD);
	hd_put16(data + 16, 0);
	assert_int_equal(agents_case_set(&c, HOST, 1, PORT_INFO, 0), HD_STATUS_BAD_FIELD);
	hd_put16(data + 16, 41);
	hd_put16(data + 18, 0xC000);
	assert_int_equal(agents_case_set(&c, HOST, 1, PORT_INFO, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(port->lid, 40);
	/* a base port 0 has one LID, an enhanced one may have more */
	data = port_info(&c, LEAF, 1, 0);
	hd_put16(data + 16, 48);
	data[34] = 1;
	assert_int_equal(agents_case_set(&c, LEAF, 1, PORT_INFO, 0), HD_STATUS_BAD_FIELD);
	data = port_info(&c, SPINE, 1, 0);
	hd_put16(data + 16, 48);
	data[34] = 1;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 0), 0);
	/* on physical ports of switches these are reserved */
	data = port_info(&c, SPINE, 1, 1);
	hd_put16(data + 16, 0xFFFF);
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 1), 0);
	assert_int_equal(agents_case_state(&c, SPINE, 1)->lid, 0);
	/* violations count down to 0 only */
	port->mkey_violations = port->pkey_violations = port->qkey_violations = 9;
	data = port_info(&c, HOST, 1, 0);
	hd_put16(data + 44, 3);
	hd_put16(data + 46, 0);
	assert_int_equal(agents_case_set(&c, HOST, 1, PORT_INFO, 0), 0);
	assert_int_equal(port->mkey_violations, 9);
	assert_int_equal(port->pkey_violations, 0);
	assert_int_equal(port->qkey_violations, 9);
	agents_case_free(&c);
}

static void transmission_components(void **state)
{
	struct hd_emulator_options options;
	struct agents_case c;
	struct hd_emulator_port *port;
	uint8_t *data;

	hd_emulator_options_init(&options);
	options.switches.mtu = 4096;
	options.switches.vls = 15;
	options.adapters.mtu = 1024;
	options.adapters.vls = 2;
	start(&c, &options);
	port = agents_case_state(&c, SPINE, 1);
	assert_int_equal(port->mtu_cap, 5);
	assert_int_equal(port->neighbor_mtu, 3);
	assert_int_equal(port->vl_cap, 5);
	assert_int_equal(port->operational_vls, 2);
	assert_int_equal(agents_case_state(&c, SPINE, 0)->mtu_cap, 5);
	data = port_info(&c, SPINE, 1, 1);
	data[36] = 0x20;
	data[38] = 200;
	data[42] = 3 << 5 | 16;
	data[43] = 0x1F;
	data[53] = 0x84;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 1), 0);
	data = port_info(&c, SPINE, 1, 1);
	assert_int_equal(data[36], 0x20);
	assert_int_equal(data[38], 200);
	assert_int_equal(data[42], 3 << 5 | 16);
	assert_int_equal(data[43], 0x13); /* raw filters; partitions are not enforced */
	assert_int_equal(data[53], 0x84);
	data[36] = 0x60;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 1), HD_STATUS_BAD_FIELD);
	data = port_info(&c, HOST, 1, 1);
	data[43] = 0x30;
	assert_int_equal(agents_case_set(&c, HOST, 1, PORT_INFO, 1), HD_STATUS_BAD_FIELD);
	/* 0 is no change */
	data = port_info(&c, SPINE, 1, 1);
	data[36] = data[43] = 0;
	assert_int_equal(agents_case_set(&c, SPINE, 1, PORT_INFO, 1), 0);
	assert_int_equal(port->neighbor_mtu, 2);
	assert_int_equal(port->operational_vls, 1);
	agents_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(values),
		cmocka_unit_test(links_have_their_rates),
		cmocka_unit_test(supported_rates),
		cmocka_unit_test(state_machine),
		cmocka_unit_test(physical_states),
		cmocka_unit_test(xdr_is_a_rate_of_its_own),
		cmocka_unit_test(enabled_rates),
		cmocka_unit_test(end_port_components),
		cmocka_unit_test(transmission_components),
	};

	return cmocka_run_group_tests_name("portinfo", tests, NULL, NULL);
}
