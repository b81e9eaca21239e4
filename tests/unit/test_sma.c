// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The SMA's attributes, but PortInfo: Get, Set, capacities, wrong modifiers, statuses. */
#include "tests/unit/unit.h"

#include "tests/unit/agents_case.h"

enum {
	NOTICE = 0x02,
	NODE_DESCRIPTION = 0x10,
	NODE_INFO = 0x11,
	SWITCH_INFO = 0x12,
	GUID_INFO = 0x14,
	PKEYS = 0x16,
	SL2VL = 0x17,
	VLARB = 0x18,
	LFT = 0x19,
	RANDOM_TABLE = 0x1A,
	MFT = 0x1B,
	SM_INFO = 0x20,
	VENDOR_DIAG = 0x30,
	LED_INFO = 0x31,
	EXTENDED_PORT_INFO = 0xFF90,
};

static void start(struct agents_case *c, const struct hd_emulator_options *options)
{
	assert_true(agents_case_new(c, options));
}

static void fill(struct agents_case *c, unsigned seed)
{
	for (unsigned i = 0; i < HD_SMP_DATA_SIZE; i++)
		agents_case_data(c)[i] = (uint8_t)(seed + i);
}

static void node_info(void **state)
{
	struct agents_case c;
	const uint8_t *data = agents_case_data(&c);

	start(&c, NULL);
	assert_int_equal(agents_case_get(&c, SPINE, 3, NODE_INFO, 0), 0);
	assert_int_equal(hd_get32(data), 0x01010208); /* versions, a switch, 8 ports */
	assert_int_equal(hd_get64(data + 4), 0x1003);
	assert_int_equal(hd_get64(data + 12), 0x1000);
	assert_int_equal(hd_get64(data + 20), 0x1000);
	assert_int_equal(hd_get16(data + 28), 8);
	assert_int_equal(hd_get16(data + 30), 0xBD36);
	assert_int_equal(hd_get32(data + 32), 0xA1);
	assert_int_equal(hd_get32(data + 36), 0x030002C9);
	assert_int_equal(c.packet.mad[HD_MAD_METHOD], 0x81);

	assert_int_equal(agents_case_get(&c, HOST, 2, NODE_INFO, 0), 0);
	assert_int_equal(hd_get32(data), 0x01010102);
	assert_int_equal(hd_get64(data + 20), 0x2002);
	assert_int_equal(hd_get16(data + 28), 64);
	assert_int_equal(data[36], 2);
	/* from the node itself: port 1; without a system image GUID: the node's */
	assert_int_equal(agents_case_get(&c, OTHER, 0, NODE_INFO, 0), 0);
	assert_int_equal(data[36], 1);
	assert_int_equal(agents_case_set(&c, HOST, 1, NODE_INFO, 0), HD_STATUS_BAD_ATTRIBUTE);

	assert_int_equal(agents_case_get(&c, OTHER, 1, NODE_DESCRIPTION, 0), 0);
	assert_string_equal((const char *)data, "other");
	assert_int_equal(agents_case_set(&c, OTHER, 1, NODE_DESCRIPTION, 0),
			 HD_STATUS_BAD_ATTRIBUTE);
	agents_case_free(&c);
}

static void headers(void **state)
{
	static const unsigned bad_methods[] = { 0x00, 0x03, 0x04, 0x06, 0x08, 0x7F };
	static const unsigned bad_attributes[] = { 0,    1,      RANDOM_TABLE, LED_INFO,
						   0x34, 0x1234, 0xFFFF,       0x13 };
	struct agents_case c;

	start(&c, NULL);
	for (size_t i = 0; i < sizeof(bad_methods) / sizeof(bad_methods[0]); i++)
		assert_int_equal(agents_case_smp(&c, LEAF, 1, bad_methods[i], NODE_INFO, 0),
				 HD_STATUS_BAD_METHOD);
	for (size_t i = 0; i < sizeof(bad_attributes) / sizeof(bad_attributes[0]); i++)
		assert_int_equal(agents_case_get(&c, LEAF, 1, bad_attributes[i], 0),
				 HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(agents_case_get(&c, HOST, 1, SWITCH_INFO, 0), HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(agents_case_get(&c, HOST, 1, LFT, 0), HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(agents_case_set(&c, HOST, 1, MFT, 0), HD_STATUS_BAD_ATTRIBUTE);

	/* what clients are for */
	assert_int_equal(agents_case_get(&c, HOST, 1, SM_INFO, 0), NO_ANSWER(HD_FOR_CLIENT));
	assert_int_equal(agents_case_smp(&c, HOST, 1, 0x81, NODE_INFO, 0),
			 NO_ANSWER(HD_FOR_CLIENT));
	assert_int_equal(agents_case_smp(&c, HOST, 1, HD_METHOD_TRAP, NOTICE, 0),
			 NO_ANSWER(HD_FOR_CLIENT));
	/* no trap of the port's own */
	assert_int_equal(agents_case_smp(&c, HOST, 1, HD_METHOD_TRAP_REPRESS, NOTICE, 0),
			 NO_ANSWER(HD_FOR_CLIENT));

	/* versions; the direction bit of the status stays */
	agents_case_get(&c, HOST, 1, NODE_INFO, 0);
	c.packet.mad[HD_MAD_METHOD] = HD_METHOD_GET;
	c.packet.mad[HD_MAD_CLASS_VERSION] = 2;
	hd_put16(c.packet.mad + HD_MAD_STATUS, HD_SMP_DIRECTION);
	assert_int_equal(hd_sma_handle(c.emulator, HOST, 1, &c.packet), HD_ANSWERED);
	assert_int_equal(hd_get16(c.packet.mad + HD_MAD_STATUS),
			 HD_SMP_DIRECTION | HD_STATUS_BAD_VERSION);
	agents_case_free(&c);
}

static void switch_info(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	start(&c, NULL);
	assert_int_equal(agents_case_get(&c, SPINE, 1, SWITCH_INFO, 0), 0);
	assert_int_equal(hd_get16(data), 49152);
	assert_int_equal(hd_get16(data + 2), 0);
	assert_int_equal(hd_get16(data + 4), 1024);
	assert_int_equal(data[11], 0x04 | 1); /* PortStateChange, optimized SL2VL */
	assert_int_equal(hd_get16(data + 14), 64);
	assert_int_equal(data[16], 0x38); /* raw filters, enhanced port 0 */

	hd_put16(data + 6, 1234);
	data[8] = 3;
	data[9] = 4;
	data[10] = 5;
	data[11] = 18 << 3; /* life time; the change stays */
	hd_put16(data + 18, 0xC012);
	assert_int_equal(agents_case_set(&c, SPINE, 1, SWITCH_INFO, 0), 0);
	assert_int_equal(data[11], 18 << 3 | 4 | 1);
	data[11] |= 4;
	assert_int_equal(agents_case_set(&c, SPINE, 1, SWITCH_INFO, 0), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 1, SWITCH_INFO, 0), 0);
	assert_int_equal(hd_get16(data + 6), 1234);
	assert_int_equal(data[8], 3);
	assert_int_equal(data[9], 4);
	assert_int_equal(data[10], 5);
	assert_int_equal(data[11], 18 << 3 | 1);
	assert_int_equal(hd_get16(data + 18), 0xC012);

	hd_put16(data + 6, 49152);
	assert_int_equal(agents_case_set(&c, SPINE, 1, SWITCH_INFO, 0), HD_STATUS_BAD_FIELD);
	hd_put16(data + 6, 49151);
	hd_put16(data + 18, 0xC400);
	assert_int_equal(agents_case_set(&c, SPINE, 1, SWITCH_INFO, 0), HD_STATUS_BAD_FIELD);
	hd_put16(data + 18, 0xBFFF); /* none */
	assert_int_equal(agents_case_set(&c, SPINE, 1, SWITCH_INFO, 0), 0);
	assert_int_equal(agents_case_get(&c, LEAF, 1, SWITCH_INFO, 0), 0);
	assert_int_equal(data[16], 0x30);
	agents_case_free(&c);
}

static void linear_tables(void **state)
{
	struct hd_emulator_options options;
	struct agents_case c;
	uint8_t *data = agents_case_data(&c), block[64];

	hd_emulator_options_init(&options);
	options.linear_fdb_cap = 1000; /* 16 blocks, the last in part */
	start(&c, &options);
	assert_int_equal(agents_case_get(&c, SPINE, 1, LFT, 15), 0);
	assert_int_equal(data[0], 0xFF);
	assert_int_equal(agents_case_get(&c, SPINE, 1, LFT, 16), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_set(&c, SPINE, 1, LFT, 0x80000000), HD_STATUS_BAD_FIELD);
	/* what says nothing takes no memory */
	memset(data, 0xFF, 64);
	assert_int_equal(agents_case_set(&c, SPINE, 1, LFT, 7), 0);
	assert_int_equal(c.emulator->switches[SPINE].lft_size, 0);

	for (unsigned number = 16; number--;) {
		fill(&c, number);
		assert_int_equal(agents_case_set(&c, SPINE, 1, LFT, number), 0);
	}
	for (unsigned number = 0; number < 16; number++) {
		for (unsigned i = 0; i < 64; i++)
			block[i] = (uint8_t)(number + i);
		assert_int_equal(agents_case_get(&c, SPINE, 2, LFT, number), 0);
		assert_memory_equal(data, block, 64);
	}
	/* ascending, and with a top that says how large */
	c.emulator->switches[LEAF].linear_fdb_top = 300;
	fill(&c, 1);
	assert_int_equal(agents_case_set(&c, LEAF, 1, LFT, 0), 0);
	assert_int_equal(c.emulator->switches[LEAF].lft_size, 320);
	assert_int_equal(agents_case_set(&c, LEAF, 1, LFT, 5), 0);
	assert_true(c.emulator->switches[LEAF].lft_size >= 384);
	assert_int_equal(c.emulator->switches[LEAF].lft[64], 0xFF);
	assert_int_equal(c.emulator->switches[LEAF].lft[320], c.emulator->switches[LEAF].lft[0]);
	agents_case_free(&c);
}

static void multicast_tables(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c), block[64];

	start(&c, NULL);
	for (unsigned i = 0; i < 64; i++)
		block[i] = (uint8_t)i;
	assert_int_equal(agents_case_get(&c, SPINE, 1, MFT, 31), 0);
	assert_int_equal(hd_get64(data), 0);
	memcpy(data, block, 64);
	assert_int_equal(agents_case_set(&c, SPINE, 1, MFT, 2), 0);
	assert_int_equal(c.emulator->switches[SPINE].mft_size, 96);
	memset(data, 0, 64);
	assert_int_equal(agents_case_set(&c, SPINE, 1, MFT, 20), 0);
	assert_int_equal(c.emulator->switches[SPINE].mft_size, 96);
	fill(&c, 100);
	assert_int_equal(agents_case_set(&c, SPINE, 1, MFT, 31), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 1, MFT, 2), 0);
	assert_memory_equal(data, block, 64);
	assert_int_equal(c.emulator->switches[SPINE].mft[65], 0x0203);
	/* beyond the capacity, ports that the switch does not have, reserved bits */
	assert_int_equal(agents_case_get(&c, SPINE, 1, MFT, 32), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_set(&c, SPINE, 1, MFT, 0x10000000), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_set(&c, SPINE, 1, MFT, 0x00000200), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

static const uint8_t first_mapping[8] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xAB, 0xCD, 0xE7 };
static const uint8_t mapping[8] = { 0x10, 0x32, 0x54, 0x76, 0x98, 0xBA, 0xDC, 0xFE };

static void assert_mapping(struct agents_case *c, uint32_t node, uint32_t modifier,
			   const uint8_t *expected)
{
	assert_int_equal(agents_case_get(c, node, 1, SL2VL, modifier), 0);
	assert_memory_equal(agents_case_data(c), expected, 8);
}

static void sl2vl(void **state)
{
	struct hd_emulator_options options;
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);
	hd_sl2vl_row row;

	start(&c, NULL);
	assert_mapping(&c, SPINE, 0x0203, first_mapping);
	memcpy(data, mapping, 8);
	assert_int_equal(agents_case_set(&c, SPINE, 1, SL2VL, 0x0203), 0);
	assert_mapping(&c, SPINE, 0x0203, mapping);
	assert_mapping(&c, SPINE, 0x0302, first_mapping);
	/* in-port 2, out-port 3; SL 0 on VL 1, SL 15 on VL 14 */
	row = c.emulator->sl2vl[c.emulator->sl2vl_first[SPINE] + 3 * 9 + 2];
	assert_int_equal(hd_row_vl(row, 0), 1);
	assert_int_equal(hd_row_vl(row, 15), 14);

	assert_int_equal(agents_case_get(&c, SPINE, 1, SL2VL, 0x0009), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 1, SL2VL, 0x0900), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 1, SL2VL, 0x10000), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_set(&c, SPINE, 1, SL2VL, 0x40000), HD_STATUS_BAD_FIELD);

	/* all in-ports of one out-port, all out-ports of one in-port, all */
	memcpy(data, mapping, 8);
	assert_int_equal(agents_case_set(&c, LEAF, 1, SL2VL, 0x20004), 0);
	for (unsigned in = 0; in <= 8; in++)
		assert_mapping(&c, LEAF, in << 8 | 4, mapping);
	assert_mapping(&c, LEAF, 0x0405, first_mapping);
	memcpy(data, mapping, 8);
	assert_int_equal(agents_case_set(&c, LEAF, 1, SL2VL, 0x10700), 0);
	for (unsigned out = 0; out <= 8; out++)
		assert_mapping(&c, LEAF, 0x0700 | out, mapping);
	assert_mapping(&c, LEAF, 0x0605, first_mapping);
	memcpy(data, mapping, 8);
	assert_int_equal(agents_case_set(&c, LEAF, 1, SL2VL, 0x30000), 0);
	assert_mapping(&c, LEAF, 0x0605, mapping);
	assert_mapping(&c, SPINE, 0x0605, first_mapping);

	/* an adapter has one for each port, whatever the modifier says */
	memcpy(data, mapping, 8);
	assert_int_equal(agents_case_set(&c, HOST, 2, SL2VL, 0x1234), 0);
	assert_mapping(&c, HOST, 0, first_mapping);
	assert_int_equal(agents_case_get(&c, HOST, 2, SL2VL, 0), 0);
	assert_memory_equal(data, mapping, 8);
	agents_case_free(&c);

	hd_emulator_options_init(&options);
	options.optimized_sl2vl = false;
	start(&c, &options);
	assert_int_equal(agents_case_set(&c, LEAF, 1, SL2VL, 0x30000), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, LEAF, 1, SWITCH_INFO, 0), 0);
	assert_int_equal(data[11] & 3, 0);
	agents_case_free(&c);
}

static void vl_arbitration(void **state)
{
	static const uint8_t low[16] = { 0, 0, 1, 4, 2, 4, 3, 4, 4, 4, 5, 4, 6, 4, 7, 4 };
	struct hd_emulator_options options;
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	start(&c, NULL);
	assert_int_equal(agents_case_get(&c, SPINE, 1, VLARB, 0x10003), 0);
	assert_memory_equal(data, low, 16);
	assert_int_equal(agents_case_get(&c, SPINE, 1, VLARB, 0x30003), 0);
	assert_int_equal(hd_get32(data), 0x00040100);
	/* entries beyond the capacity are not there */
	fill(&c, 1);
	assert_int_equal(agents_case_set(&c, SPINE, 1, VLARB, 0x30003), 0);
	assert_int_equal(hd_get32(data), 0x01020304);
	assert_int_equal(data[14], 15);
	assert_int_equal(data[16], 0);
	assert_int_equal(agents_case_get(&c, SPINE, 1, VLARB, 0x10003), 0);
	assert_memory_equal(data, low, 16);
	assert_int_equal(agents_case_get(&c, SPINE, 1, VLARB, 0x20003), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 1, VLARB, 0x50003), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 1, VLARB, 0x00003), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 1, VLARB, 0x10009), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, HOST, 1, VLARB, 0x10009), 0);
	agents_case_free(&c);

	hd_emulator_options_init(&options);
	options.switches.vlarb_high = 64;
	options.switches.vlarb_low = 40;
	start(&c, &options);
	fill(&c, 3);
	assert_int_equal(agents_case_set(&c, SPINE, 1, VLARB, 0x40008), 0);
	assert_int_equal(data[63], 3 + 63);
	assert_int_equal(agents_case_set(&c, SPINE, 1, VLARB, 0x20008), 0);
	assert_int_equal(data[15], 3 + 15);
	assert_int_equal(data[16], 0);
	assert_int_equal(agents_case_get(&c, SPINE, 1, 0x15, 8), 0);
	assert_int_equal(data[39], 64);
	assert_int_equal(data[40], 40);
	agents_case_free(&c);
}

static void pkeys(void **state)
{
	struct hd_emulator_options options;
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	start(&c, NULL);
	assert_int_equal(agents_case_get(&c, HOST, 1, PKEYS, 0), 0);
	assert_int_equal(hd_get32(data), 0xFFFF0000);
	fill(&c, 10);
	assert_int_equal(agents_case_set(&c, HOST, 1, PKEYS, 1), 0);
	assert_int_equal(agents_case_get(&c, HOST, 1, PKEYS, 1), 0);
	assert_int_equal(hd_get32(data), 0x0A0B0C0D);
	assert_int_equal(agents_case_get(&c, HOST, 1, PKEYS, 0), 0);
	assert_int_equal(hd_get32(data), 0xFFFF0000);
	assert_int_equal(agents_case_get(&c, HOST, 2, PKEYS, 1), 0);
	assert_int_equal(hd_get32(data), 0);
	assert_int_equal(agents_case_get(&c, HOST, 1, PKEYS, 2), HD_STATUS_BAD_FIELD);

	/* a switch: 8 at port 0, 64 to enforce at each physical port */
	fill(&c, 10);
	assert_int_equal(agents_case_set(&c, SPINE, 1, PKEYS, 0), 0);
	assert_int_equal(data[15], 25);
	assert_int_equal(data[16], 0);
	assert_int_equal(agents_case_get(&c, SPINE, 1, PKEYS, 1), HD_STATUS_BAD_FIELD);
	fill(&c, 20);
	assert_int_equal(agents_case_set(&c, SPINE, 1, PKEYS, 0x80001), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 1, PKEYS, 0x80001), 0);
	assert_int_equal(data[63], 83);
	assert_int_equal(agents_case_get(&c, SPINE, 1, PKEYS, 0x90000), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);

	hd_emulator_options_init(&options);
	options.adapters.pkeys = 33;
	start(&c, &options);
	fill(&c, 1);
	assert_int_equal(agents_case_set(&c, HOST, 1, PKEYS, 1), 0);
	assert_int_equal(hd_get32(data), 0x01020000);
	assert_int_equal(agents_case_get(&c, HOST, 1, NODE_INFO, 0), 0);
	assert_int_equal(hd_get16(data + 28), 33);
	agents_case_free(&c);
}

static void guids(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	start(&c, NULL);
	assert_int_equal(agents_case_get(&c, HOST, 2, GUID_INFO, 0), 0);
	assert_int_equal(hd_get64(data), 0x2002);
	assert_int_equal(hd_get64(data + 8), 0);
	hd_put64(data, 0xABC);
	hd_put64(data + 8, 0xDEF);
	assert_int_equal(agents_case_set(&c, HOST, 2, GUID_INFO, 0), 0);
	assert_int_equal(hd_get64(data), 0x2002); /* the port's own cannot be written */
	assert_int_equal(hd_get64(data + 8), 0xDEF);
	hd_put64(data, 0xABC);
	assert_int_equal(agents_case_set(&c, HOST, 2, GUID_INFO, 3), 0);
	assert_int_equal(agents_case_get(&c, HOST, 2, GUID_INFO, 3), 0);
	assert_int_equal(hd_get64(data), 0xABC);
	assert_int_equal(agents_case_get(&c, HOST, 2, GUID_INFO, 4), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 2, GUID_INFO, 0), 0);
	assert_int_equal(hd_get64(data), 0x1000);
	assert_int_equal(agents_case_set(&c, SPINE, 2, GUID_INFO, 1), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

static void others(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	start(&c, NULL);
	assert_int_equal(agents_case_get(&c, HOST, 2, NOTICE, 0), 0);
	assert_int_equal(data[0], 0xFF); /* none waits */
	assert_int_equal(agents_case_set(&c, HOST, 2, NOTICE, 0), 0);
	assert_int_equal(agents_case_get(&c, HOST, 2, VENDOR_DIAG, 0), 0);
	assert_int_equal(agents_case_get(&c, HOST, 2, VENDOR_DIAG, 1), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 2, EXTENDED_PORT_INFO, 1), 0);
	assert_int_equal(hd_get64(data), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 2, EXTENDED_PORT_INFO, 9), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

static void options_are_checked(void **state)
{
	struct hd_emulator_options good, bad;
	struct agents_case c;

	hd_emulator_options_init(&good);
	bad = good;
	bad.switches.vls = 3;
	assert_false(agents_case_new(&c, &bad));
	bad = good;
	bad.adapters.mtu = 1500;
	assert_false(agents_case_new(&c, &bad));
	bad = good;
	bad.adapters.vlarb_high = 65;
	assert_false(agents_case_new(&c, &bad));
	bad = good;
	bad.adapters.guids = 256;
	assert_false(agents_case_new(&c, &bad));
	bad = good;
	bad.switches.pkeys = 65536;
	assert_false(agents_case_new(&c, &bad));
	bad = good;
	bad.linear_fdb_cap = 49153;
	assert_false(agents_case_new(&c, &bad));
	bad = good;
	bad.multicast_fdb_cap = 16385;
	assert_false(agents_case_new(&c, &bad));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(node_info),
		cmocka_unit_test(headers),
		cmocka_unit_test(switch_info),
		cmocka_unit_test(linear_tables),
		cmocka_unit_test(multicast_tables),
		cmocka_unit_test(sl2vl),
		cmocka_unit_test(vl_arbitration),
		cmocka_unit_test(pkeys),
		cmocka_unit_test(guids),
		cmocka_unit_test(others),
		cmocka_unit_test(options_are_checked),
	};

	return cmocka_run_group_tests_name("sma", tests, NULL, NULL);
}
