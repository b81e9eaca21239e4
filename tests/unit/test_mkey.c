// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The M_Key's protection, its lease, and traps until they are repressed. */
#include "tests/unit/unit.h"

#include "simfabric/emulator/traps.h"
#include "tests/unit/agents_case.h"

#define PORT_INFO   0x15
#define NODE_INFO   0x11
#define NOTICE      0x02
#define KEY         UINT64_C(0x1122334455667788)
#define WRONG       UINT64_C(0x99)
#define SECOND      UINT64_C(1000000000)
#define SILENCE     NO_ANSWER(HD_CONSUMED)
#define NOTICE_DATA (HD_SMP_DATA + 10)

static void start(struct agents_case *c)
{
	assert_true(agents_case_new(c, NULL));
	agents_case_bring_up(c);
}

static void say(struct agents_case *c, uint64_t mkey)
{
	hd_put64(c->packet.mad + HD_SMP_MKEY, mkey);
}

/* Sets what a Get said, but for states. */
static int set_back(struct agents_case *c, uint32_t node, unsigned number)
{
	uint8_t *data = agents_case_data(c);

	data[32] &= 0xF0;
	data[33] = 0;
	return agents_case_set(c, node, 1, PORT_INFO, number);
}

static void protect(struct agents_case *c, uint32_t node, unsigned number, unsigned bits,
		    unsigned lease)
{
	struct hd_emulator_port *port = agents_case_state(c, node, number);

	port->mkey = KEY;
	port->mkey_protect = (uint8_t)bits;
	port->mkey_lease = (uint16_t)lease;
}

static void levels(void **state)
{
	struct agents_case c;
	const uint8_t *data = agents_case_data(&c);
	struct hd_emulator_port *port;

	start(&c);
	port = agents_case_state(&c, HOST, 1);
	/* without an M_Key, any will do */
	say(&c, WRONG);
	assert_int_equal(agents_case_get(&c, HOST, 1, PORT_INFO, 0), 0);
	assert_int_equal(set_back(&c, HOST, 1), 0);

	for (unsigned bits = 0; bits < 4; bits++) {
		protect(&c, HOST, 1, bits, 0);
		port->mkey_violations = 0;
		say(&c, WRONG);
		if (bits < 2) {
			assert_int_equal(agents_case_get(&c, HOST, 1, PORT_INFO, 0), 0);
			assert_true(hd_get64(data) == (bits ? 0 : KEY));
			assert_int_equal(port->mkey_violations, 0);
		} else {
			assert_int_equal(agents_case_get(&c, HOST, 1, PORT_INFO, 0), SILENCE);
			assert_int_equal(port->mkey_violations, 1);
		}
		port->mkey_violations = 0;
		assert_int_equal(set_back(&c, HOST, 1), SILENCE);
		assert_int_equal(agents_case_smp(&c, HOST, 1, HD_METHOD_TRAP_REPRESS, NOTICE, 0),
				 SILENCE);
		assert_int_equal(port->mkey_violations, 2);
		say(&c, KEY);
		assert_int_equal(agents_case_get(&c, HOST, 1, PORT_INFO, 0), 0);
		assert_true(hd_get64(data) == KEY);
		assert_int_equal(set_back(&c, HOST, 1), 0);
	}
	/* another port of the adapter has its own */
	say(&c, 0);
	assert_int_equal(agents_case_get(&c, HOST, 2, NODE_INFO, 0), 0);
	/* and cannot be asked for through one that has none */
	assert_int_equal(agents_case_get(&c, HOST, 2, PORT_INFO, 1), SILENCE);
	/* a switch has one for all its ports */
	protect(&c, SPINE, 0, 2, 0);
	assert_int_equal(agents_case_get(&c, SPINE, 5, PORT_INFO, 5), SILENCE);
	say(&c, KEY);
	assert_int_equal(agents_case_get(&c, SPINE, 5, PORT_INFO, 5), 0);
	/* violations stop at the end of their range */
	port->mkey_violations = 0xFFFF;
	say(&c, WRONG);
	assert_int_equal(agents_case_get(&c, HOST, 1, NODE_INFO, 0), SILENCE);
	assert_int_equal(port->mkey_violations, 0xFFFF);
	agents_case_free(&c);
}

/* The answer to the Set that changes the M_Key shows it, though the SMP has the one before. */
static void written(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	start(&c);
	say(&c, 0);
	assert_int_equal(agents_case_get(&c, HOST, 1, PORT_INFO, 0), 0);
	hd_put64(data, KEY);
	data[34] = 2 << 6;
	assert_int_equal(set_back(&c, HOST, 1), 0);
	assert_true(hd_get64(data) == KEY);
	assert_int_equal(agents_case_get(&c, HOST, 1, PORT_INFO, 0), SILENCE);
	say(&c, KEY);
	assert_int_equal(agents_case_get(&c, HOST, 1, PORT_INFO, 0), 0);
	/* physical ports of switches have none */
	assert_int_equal(agents_case_get(&c, SPINE, 1, PORT_INFO, 1), 0);
	hd_put64(data, KEY);
	assert_int_equal(set_back(&c, SPINE, 1), 0);
	assert_true(hd_get64(data) == 0);
	agents_case_free(&c);
}

static void lease(void **state)
{
	struct agents_case c;
	struct hd_emulator_port *port;

	start(&c);
	port = agents_case_state(&c, OTHER, 1);
	protect(&c, OTHER, 1, 2, 10);
	/* no violation, no lease */
	hd_emulator_advance(c.emulator, 100 * SECOND);
	assert_int_equal(port->mkey_protect, 2);
	/* the right M_Key ends it; a second violation does not prolong it */
	say(&c, WRONG);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), SILENCE);
	hd_emulator_advance(c.emulator, 109 * SECOND);
	say(&c, KEY);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), 0);
	hd_emulator_advance(c.emulator, 200 * SECOND);
	assert_int_equal(port->mkey_protect, 2);
	say(&c, WRONG);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), SILENCE);
	hd_emulator_advance(c.emulator, 205 * SECOND);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), SILENCE);
	hd_emulator_advance(c.emulator, 210 * SECOND - 1);
	assert_int_equal(port->mkey_protect, 2);
	hd_emulator_advance(c.emulator, 210 * SECOND);
	assert_int_equal(port->mkey_protect, 0);
	/* now it can be read, and nothing more */
	assert_int_equal(agents_case_get(&c, OTHER, 1, PORT_INFO, 0), 0);
	assert_true(hd_get64(agents_case_data(&c)) == KEY);
	assert_int_equal(set_back(&c, OTHER, 1), SILENCE);
	/* one that was shortened meanwhile */
	protect(&c, OTHER, 1, 2, 1000);
	say(&c, KEY);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), 0);
	say(&c, WRONG);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), SILENCE);
	say(&c, KEY);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), 0);
	port->mkey_lease = 5;
	say(&c, WRONG);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), SILENCE);
	hd_emulator_advance(c.emulator, 216 * SECOND);
	assert_int_equal(port->mkey_protect, 0);
	/* lease period 0: for ever */
	protect(&c, OTHER, 1, 3, 0);
	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_INFO, 0), SILENCE);
	hd_emulator_advance(c.emulator, 100000 * SECOND);
	assert_int_equal(port->mkey_protect, 3);
	agents_case_free(&c);
}

/* Answers the trap that was delivered last; what the node's agent does with that. */
static int repress(struct agents_case *c, uint32_t node, unsigned in)
{
	memcpy(agents_case_data(c), c->delivered.mad + HD_SMP_DATA, HD_SMP_DATA_SIZE);
	return agents_case_smp(c, node, in, HD_METHOD_TRAP_REPRESS, NOTICE, 0);
}

static void link_traps(void **state)
{
	struct agents_case c;
	const uint8_t *mad = c.delivered.mad;
	uint64_t transaction;

	start(&c);
	hd_trap_link_state(c.emulator, LEAF);
	assert_int_equal(c.n_delivered, 1);
	assert_int_equal(c.delivered_port, agents_case_port(&c, HOST, 1));
	assert_int_equal(c.delivered.slid, 2);
	assert_int_equal(c.delivered.dlid, 3);
	assert_int_equal(mad[HD_MAD_CLASS], HD_CLASS_SMI);
	assert_int_equal(mad[HD_MAD_METHOD], HD_METHOD_TRAP);
	assert_int_equal(hd_get16(mad + HD_MAD_ATTRIBUTE), NOTICE);
	assert_int_equal(hd_get32(mad + HD_SMP_DATA), 0x81000002); /* urgent, of a switch */
	assert_int_equal(hd_get32(mad + HD_SMP_DATA + 4), 128 << 16 | 2);
	assert_int_equal(hd_get16(mad + NOTICE_DATA), 2);
	transaction = hd_get64(mad + HD_MAD_TID);
	/* the same once more: it is under way */
	hd_trap_link_state(c.emulator, LEAF);
	assert_int_equal(c.n_delivered, 1);
	hd_emulator_advance(c.emulator, 3 * SECOND);
	assert_int_equal(c.n_delivered, 4);
	assert_true(hd_get64(mad + HD_MAD_TID) == transaction);
	/* repressing another changes nothing */
	c.delivered.mad[HD_SMP_DATA + 5] = 129;
	assert_int_equal(repress(&c, LEAF, 1), NO_ANSWER(HD_FOR_CLIENT));
	hd_emulator_advance(c.emulator, 4 * SECOND);
	assert_int_equal(c.n_delivered, 5);
	assert_int_equal(repress(&c, LEAF, 1), SILENCE);
	hd_emulator_advance(c.emulator, 10 * SECOND);
	assert_int_equal(c.n_delivered, 5);
	/* the next is a new one */
	hd_trap_link_state(c.emulator, LEAF);
	assert_int_equal(c.n_delivered, 6);
	assert_false(hd_get64(mad + HD_MAD_TID) == transaction);
	/* a subnet manager that is gone */
	agents_case_state(&c, LEAF, 0)->sm_lid = 0;
	hd_emulator_advance(c.emulator, 20 * SECOND);
	hd_trap_link_state(c.emulator, LEAF);
	agents_case_state(&c, LEAF, 0)->sm_lid = 3;
	hd_emulator_advance(c.emulator, 30 * SECOND);
	assert_int_equal(c.n_delivered, 6);
	assert_true(hd_emulator_next(c.emulator) == UINT64_MAX);
	agents_case_free(&c);
}

static void other_traps(void **state)
{
	struct hd_emulator_options options;
	struct agents_case c;
	const uint8_t *details = c.delivered.mad + NOTICE_DATA;
	struct hd_packet packet = { .slid = 5, .dlid = 4, .sqp = 0x123, .dqp = 0x456, .sl = 3 };

	start(&c);
	hd_trap_link_errors(c.emulator, 129, agents_case_port(&c, SPINE, 6));
	assert_int_equal(hd_get16(c.delivered.mad + HD_SMP_DATA + 4), 129);
	assert_int_equal(hd_get16(details + 2), 1);
	assert_int_equal(details[4], 6);
	hd_trap_link_errors(c.emulator, 130, agents_case_port(&c, OTHER, 1));
	assert_int_equal(hd_get32(c.delivered.mad + HD_SMP_DATA), 0x81000001);
	assert_int_equal(hd_get16(details + 2), 5);
	assert_int_equal(details[4], 1);
	hd_trap_capabilities(c.emulator, agents_case_port(&c, OTHER, 1), false);
	assert_int_equal(c.delivered.mad[HD_SMP_DATA], 0x84);
	assert_int_equal(hd_get16(details + 2), 5);
	assert_int_equal(details[5], 0);
	assert_int_equal(hd_get32(details + 6), 0x0050C048);
	hd_trap_capabilities(c.emulator, agents_case_port(&c, OTHER, 1), true);
	assert_int_equal(details[5], 1);
	assert_int_equal(hd_get16(details + 10), 1);
	hd_trap_key(c.emulator, 257, agents_case_port(&c, HOST, 2), &packet);
	assert_int_equal(hd_get16(c.delivered.mad + HD_SMP_DATA + 4), 257);
	assert_int_equal(hd_get32(details + 2), 5 << 16 | 4);
	assert_int_equal(hd_get32(details + 10), 0x30000123);
	assert_int_equal(hd_get32(details + 14), 0x456);
	assert_int_equal(agents_case_state(&c, HOST, 2)->pkey_violations, 1);
	hd_trap_key(c.emulator, 258, agents_case_port(&c, HOST, 2), &packet);
	assert_int_equal(agents_case_state(&c, HOST, 2)->qkey_violations, 1);

	/* 256, by a directed route that is longer than the notice has room for */
	protect(&c, OTHER, 1, 2, 0);
	say(&c, WRONG);
	c.packet.slid = 0xFFFF;
	c.packet.mad[HD_SMP_HOP_COUNT] = 40;
	memset(c.packet.mad + HD_SMP_RETURN_PATH + 1, 7, 40);
	agents_case_get(&c, OTHER, 1, PORT_INFO, 0x80000001);
	c.packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI_DIRECT;
	hd_put16(c.packet.mad + HD_SMP_DR_SLID, 0xFFFF);
	assert_int_equal(hd_sma_handle(c.emulator, OTHER, 1, &c.packet), HD_CONSUMED);
	assert_int_equal(c.delivered.mad[HD_SMP_DATA], 0x82);
	assert_int_equal(hd_get16(c.delivered.mad + HD_SMP_DATA + 4), 256);
	assert_int_equal(hd_get32(details + 2), 0xFFFFFFFF);
	assert_int_equal(details[6], HD_METHOD_GET);
	assert_int_equal(hd_get16(details + 8), PORT_INFO);
	assert_int_equal(hd_get32(details + 10), 0x80000001);
	assert_true(hd_get64(details + 14) == WRONG);
	assert_int_equal(details[23], 0xC0 | 30);
	assert_int_equal(details[53], 7);
	/* a flood of different ones is bounded */
	c.n_delivered = 0;
	for (unsigned i = 0; i < 100; i++)
		agents_case_get(&c, OTHER, 1, PORT_INFO, i);
	assert_in_range(c.n_delivered, 1, 8);
	agents_case_free(&c);

	/* traps that are not repeated */
	hd_emulator_options_init(&options);
	options.trap_repeat_ns = 0;
	assert_true(agents_case_new(&c, &options));
	agents_case_bring_up(&c);
	hd_trap_link_state(c.emulator, LEAF);
	hd_trap_link_state(c.emulator, LEAF);
	assert_int_equal(c.n_delivered, 2);
	assert_true(hd_emulator_next(c.emulator) == UINT64_MAX);
	agents_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(levels),      cmocka_unit_test(written),
		cmocka_unit_test(lease),       cmocka_unit_test(link_traps),
		cmocka_unit_test(other_traps),
	};

	return cmocka_run_group_tests_name("mkey", tests, NULL, NULL);
}
