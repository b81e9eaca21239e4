// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The PMA's attributes, and what the GSI does with other classes. */
#include "tests/unit/unit.h"

#include "tests/unit/agents_case.h"

enum {
	CLASS_PORT_INFO = 0x01,
	SAMPLES_CONTROL = 0x10,
	SAMPLES_RESULT = 0x11,
	COUNTERS = 0x12,
	OP_RCV = 0x17,
	VL_OP_PACKETS = 0x19,
	VL_OP_DATA = 0x1A,
	VL_XMIT_WAIT = 0x1C,
	EXTENDED = 0x1D,
	XMIT_DATA_SL = 0x36,
	RCV_DATA_SL = 0x37,
};

static void start(struct agents_case *c)
{
	assert_true(agents_case_new(c, NULL));
	agents_case_bring_up(c);
}

static int ask(struct agents_case *c, uint32_t node, unsigned method, unsigned attribute,
	       unsigned select)
{
	uint8_t *data = c->packet.mad + HD_PM_DATA;

	if (method == HD_METHOD_GET)
		memset(data, 0, HD_PM_DATA_SIZE);
	data[1] = (uint8_t)select;
	return agents_case_pm(c, agents_case_port(c, node, hd_is_switch(c->fabric, node) ? 0 : 1),
			      method, attribute);
}

static int clear(struct agents_case *c, uint32_t node, unsigned attribute, unsigned select,
		 unsigned counters, unsigned more)
{
	uint8_t *data = c->packet.mad + HD_PM_DATA;

	memset(data, 0, HD_PM_DATA_SIZE);
	hd_put16(data + 2, (uint16_t)counters);
	data[18] = (uint8_t)more;
	return ask(c, node, HD_METHOD_SET, attribute, select);
}

static struct hd_vl_counters *lane(struct agents_case *c, uint32_t node, unsigned number,
				   unsigned vl)
{
	return &c->emulator->counters[agents_case_port(c, node, number) * HD_EMULATOR_VLS + vl];
}

static void class_port_info(void **state)
{
	struct agents_case c;
	const uint8_t *data = c.packet.mad + HD_PM_DATA;

	start(&c);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, CLASS_PORT_INFO, 0), 0);
	assert_int_equal(c.packet.mad[HD_MAD_METHOD], 0x81);
	assert_int_equal(hd_get32(data), 0x01011300);
	assert_int_equal(data[7], 18);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_SET, CLASS_PORT_INFO, 0),
			 HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, SAMPLES_CONTROL, 3), 0);
	assert_int_equal(data[1], 3);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, SAMPLES_RESULT, 3), HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, 0x13, 3), HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, 0x1234, 3), HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(ask(&c, SPINE, 0x06, COUNTERS, 3), HD_STATUS_BAD_METHOD);
	c.packet.mad[HD_MAD_METHOD] = HD_METHOD_GET;
	c.packet.mad[HD_MAD_CLASS_VERSION] = 2;
	assert_int_equal(hd_gsi_handle(c.emulator, agents_case_port(&c, SPINE, 0), &c.packet),
			 HD_ANSWERED);
	assert_int_equal(hd_get16(c.packet.mad + HD_MAD_STATUS), HD_STATUS_BAD_VERSION);
	/* no such port */
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 9), HD_STATUS_BAD_FIELD);
	assert_int_equal(ask(&c, HOST, HD_METHOD_GET, COUNTERS, 3), HD_STATUS_BAD_FIELD);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 0), 0);
	/* an adapter's port answers for itself */
	assert_int_equal(ask(&c, HOST, HD_METHOD_GET, CLASS_PORT_INFO, 0), 0);
	assert_int_equal(hd_get32(data), 0x01011200);
	assert_int_equal(ask(&c, HOST, HD_METHOD_GET, COUNTERS, 1), 0);
	assert_int_equal(ask(&c, HOST, HD_METHOD_GET, COUNTERS, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(ask(&c, HOST, HD_METHOD_GET, COUNTERS, 2), HD_STATUS_BAD_FIELD);
	assert_int_equal(ask(&c, HOST, HD_METHOD_GET, COUNTERS, 0xFF), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

static void counters(void **state)
{
	/* bytes of the attribute, as many as counted, by CounterSelect's bits */
	static const struct {
		uint8_t at, bytes, mask;
	} fields[] = { { 4, 2, 0 },  { 6, 1, 0 },     { 7, 1, 0 },     { 8, 2, 0 },
		       { 10, 2, 0 }, { 12, 2, 0 },    { 14, 2, 0 },    { 16, 1, 0 },
		       { 17, 1, 0 }, { 19, 1, 0xF0 }, { 19, 1, 0x0F }, { 22, 2, 0 },
		       { 24, 4, 0 }, { 28, 4, 0 },    { 32, 4, 0 },    { 36, 4, 0 } };
	struct hd_error_counters some = { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13 };
	struct agents_case c;
	uint8_t *data = c.packet.mad + HD_PM_DATA, before[44];

	start(&c);
	c.emulator->errors[agents_case_port(&c, SPINE, 3)] = some;
	*lane(&c, SPINE, 3, 0) = (struct hd_vl_counters){ 100, 200, 3, 4, 50 };
	*lane(&c, SPINE, 3, 15) = (struct hd_vl_counters){ 1, 2, 1, 2, 1 };
	c.emulator->xmit_waits[agents_case_port(&c, SPINE, 3)] = 50;
	for (unsigned bit = 0; bit < 16; bit++) {
		c.emulator->errors[agents_case_port(&c, SPINE, 3)] = some;
		assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 3), 0);
		memcpy(before, data, sizeof(before));
		assert_int_equal(clear(&c, SPINE, COUNTERS, 3, 1u << bit, 0), 0);
		assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 3), 0);
		for (unsigned i = 0; i < fields[bit].bytes; i++) {
			uint8_t *byte = &before[fields[bit].at + i];

			*byte &= fields[bit].mask ? (uint8_t)~fields[bit].mask : 0;
		}
		assert_memory_equal(data, before, sizeof(before));
	}
	assert_int_equal(hd_get16(data + 20), 13); /* queue pair 1 */
	assert_int_equal(hd_get32(data + 40), 50); /* transmit wait: both VLs, at one time */
	assert_int_equal(clear(&c, SPINE, COUNTERS, 3, 0, 3), 0);
	assert_int_equal(hd_get16(data + 20), 0);
	assert_int_equal(hd_get32(data + 40), 0);
	/* the extended counters count on, and the counters themselves stay */
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, EXTENDED, 3), 0);
	assert_int_equal(hd_get64(data + 8), 101);
	assert_int_equal(lane(&c, SPINE, 3, 0)->xmit_data, 100);
	lane(&c, SPINE, 3, 1)->xmit_data += 7;
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 3), 0);
	assert_int_equal(hd_get32(data + 24), 7);
	/* values can be written */
	memset(data, 0, HD_PM_DATA_SIZE);
	hd_put16(data + 2, 1 | 1 << 12);
	hd_put16(data + 4, 77);
	hd_put32(data + 24, 1000);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_SET, COUNTERS, 3), 0);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 3), 0);
	assert_int_equal(hd_get16(data + 4), 77);
	assert_int_equal(hd_get32(data + 24), 1000);
	agents_case_free(&c);
}

static void saturation(void **state)
{
	struct agents_case c;
	const uint8_t *data = c.packet.mad + HD_PM_DATA;
	struct hd_error_counters *errors;

	start(&c);
	for (unsigned number = 1; number <= 2; number++) {
		errors = &c.emulator->errors[agents_case_port(&c, SPINE, number)];
		errors->symbol_errors = 0xFFF0;
		errors->link_downed = 200;
		errors->local_integrity = errors->buffer_overrun = 9;
		lane(&c, SPINE, number, 0)->xmit_data = UINT64_C(0xFFFFFFF0);
		lane(&c, SPINE, number, 0)->xmit_wait = UINT64_C(0x1234567890);
		c.emulator->xmit_waits[agents_case_port(&c, SPINE, number)] =
			UINT64_C(0x1234567890);
	}
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 1), 0);
	assert_int_equal(hd_get32(data + 24), 0xFFFFFFF0);
	assert_int_equal(hd_get32(data + 40), 0xFFFFFFFF);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 0xFF), 0);
	assert_int_equal(data[1], 0xFF);
	assert_int_equal(hd_get16(data + 4), 0xFFFF);
	assert_int_equal(data[7], 0xFF);
	assert_int_equal(data[19], 0xFF);
	assert_int_equal(hd_get32(data + 24), 0xFFFFFFFF);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, EXTENDED, 0xFF), 0);
	assert_true(hd_get64(data + 8) == UINT64_C(0x1FFFFFFE0));
	/* all ports at once */
	assert_int_equal(clear(&c, SPINE, COUNTERS, 0xFF, 0xFFFF, 1), 0);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, COUNTERS, 2), 0);
	for (unsigned i = 4; i < HD_PM_DATA_SIZE; i++)
		assert_int_equal(data[i], 0);
	/* a lane's wait in 16 bits */
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, VL_XMIT_WAIT, 1), 0);
	assert_int_equal(hd_get16(data + 4), 0xFFFF);
	agents_case_free(&c);
}

static void extended(void **state)
{
	struct agents_case c;
	const uint8_t *data = c.packet.mad + HD_PM_DATA;
	static const uint64_t all[8] = { 10, 20, 3, 4, 3, 4, 0, 0 };

	start(&c);
	*lane(&c, HOST, 1, 2) = (struct hd_vl_counters){ 10, 20, 3, 4, 5 };
	for (unsigned bit = 0; bit < 8; bit++) {
		assert_int_equal(clear(&c, HOST, EXTENDED, 1, 1u << bit, 0), 0);
		assert_int_equal(ask(&c, HOST, HD_METHOD_GET, EXTENDED, 1), 0);
		for (unsigned i = 0; i < 8; i++)
			assert_true(hd_get64(data + 8 + 8 * i) == (i <= bit ? 0 : all[i]));
	}
	assert_int_equal(ask(&c, HOST, HD_METHOD_GET, COUNTERS, 1), 0);
	assert_int_equal(hd_get32(data + 28), 20);
	agents_case_free(&c);
}

static void lanes(void **state)
{
	static const struct {
		unsigned attribute, bytes;
		uint32_t value; /* of VL 2; VL 9 has as much more as it is larger */
	} rows[] = { { XMIT_DATA_SL, 4, 12 }, { RCV_DATA_SL, 4, 22 }, { VL_XMIT_WAIT, 2, 52 } };
	struct agents_case c;
	uint8_t *data = c.packet.mad + HD_PM_DATA;

	start(&c);
	for (unsigned vl = 0; vl < 16; vl++)
		*lane(&c, SPINE, 5, vl) =
			(struct hd_vl_counters){ 10 + vl, 20 + vl, 30 + vl, 40 + vl, 50 + vl };
	for (unsigned r = 0; r < 3; r++) {
		unsigned attribute = rows[r].attribute, bytes = rows[r].bytes;

		assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, attribute, 5), 0);
		for (unsigned vl = 0; vl < 16; vl++) {
			const uint8_t *at = data + 4 + bytes * vl;

			/* VL 15 is no SL's */
			if (vl == 15 && bytes == 4) {
				assert_int_equal(hd_get32(at), 0);
				continue;
			}
			assert_int_equal(bytes == 2 ? hd_get16(at) : hd_get32(at),
					 rows[r].value + vl - 2);
		}
		assert_int_equal(clear(&c, SPINE, attribute, 5, 1u << 2, 0), 0);
		lane(&c, SPINE, 5, 2)->xmit_data++;
		lane(&c, SPINE, 5, 2)->rcv_data++;
		lane(&c, SPINE, 5, 2)->xmit_wait++;
		assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, attribute, 5), 0);
		assert_int_equal(data[4 + bytes * 3 - 1], 1);
		assert_int_equal(data[4 + bytes * 10 - 1], rows[r].value + 7);
		*lane(&c, SPINE, 5, 2) = (struct hd_vl_counters){ 12, 22, 32, 42, 52 };
	}
	/* by opcode: MADs are all sent with the same */
	assert_int_equal(ask(&c, SPINE, HD_METHOD_GET, VL_OP_PACKETS, 5), 0);
	assert_int_equal(hd_get16(data + 4), 0);
	memset(data, 0, HD_PM_DATA_SIZE);
	data[0] = 0x64;
	hd_put16(data + 2, 1);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_SET, VL_OP_PACKETS, 5), 0);
	assert_int_equal(hd_get16(data + 4), 0);
	assert_int_equal(hd_get16(data + 6), 41);
	data[0] = 0x64;
	hd_put16(data + 2, 0);
	assert_int_equal(ask(&c, SPINE, HD_METHOD_SET, VL_OP_DATA, 5), 0);
	assert_int_equal(hd_get32(data + 4), 20);
	data[0] = 0x64;
	assert_int_equal(ask(&c, SPINE, HD_METHOD_SET, OP_RCV, 5), 0);
	assert_int_equal(hd_get32(data + 4), 16 * 40 + 120);
	assert_int_equal(hd_get32(data + 8), 16 * 20 + 120);
	/* the answer has nothing that was not counted */
	assert_int_equal(hd_get64(data + 12), 0);
	agents_case_free(&c);
}

/* What nothing is counted for is answered, with zeros. */
static void zeros(void **state)
{
	static const uint8_t attributes[] = { 0x15, 0x16, 0x18, 0x1B, 0x1F, 0x30,
					      0x31, 0x32, 0x33, 0x34, 0x35 };
	struct agents_case c;
	const uint8_t *data = c.packet.mad + HD_PM_DATA;

	start(&c);
	for (size_t i = 0; i < sizeof(attributes); i++) {
		for (unsigned method = HD_METHOD_GET; method <= HD_METHOD_SET; method++) {
			assert_int_equal(ask(&c, LEAF, method, attributes[i], 0xFF), 0);
			assert_int_equal(data[1], 0xFF);
			for (unsigned byte = 4; byte < HD_PM_DATA_SIZE; byte++)
				assert_int_equal(data[byte], 0);
		}
	}
	agents_case_free(&c);
}

static void other_classes(void **state)
{
	static const struct {
		uint8_t class, method;
		int answer; /* 0: none */
	} refused[] = {
		{ HD_CLASS_CC, HD_METHOD_GET, 0x81 },
		{ HD_CLASS_CC, HD_METHOD_SET, 0x81 },
		{ HD_CLASS_SA, 0x12, 0x92 },
		{ HD_CLASS_SA, 0x15, 0x95 },
		{ HD_CLASS_BM, 0x12, 0 },
		{ HD_CLASS_CM, HD_METHOD_SEND, 0 },
		{ 0x09, HD_METHOD_REPORT, 0x86 },
		{ HD_CLASS_CC, HD_METHOD_TRAP, 0 },
		{ HD_CLASS_CC, 0x81, 0 },
		{ HD_CLASS_CC, HD_METHOD_TRAP_REPRESS, 0 },
	};
	struct agents_case c;
	uint32_t port;

	start(&c);
	port = agents_case_port(&c, HOST, 1);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		uint8_t *mad = c.packet.mad;

		memset(&c.packet, 0, sizeof(c.packet));
		mad[HD_MAD_BASE_VERSION] = 1;
		mad[HD_MAD_CLASS] = refused[i].class;
		mad[HD_MAD_CLASS_VERSION] = 2;
		mad[HD_MAD_METHOD] = refused[i].method;
		mad[26] = 0xFF;
		assert_int_equal(hd_gsi_handle(c.emulator, port, &c.packet), HD_FOR_CLIENT);
		assert_int_equal(mad[HD_MAD_METHOD], refused[i].method);
		assert_int_equal(hd_gsi_refuse(&c.packet), refused[i].answer != 0);
		if (!refused[i].answer)
			continue;
		assert_int_equal(mad[HD_MAD_METHOD], refused[i].answer);
		assert_int_equal(hd_get16(mad + HD_MAD_STATUS), HD_STATUS_BAD_VERSION);
		assert_int_equal(mad[26], refused[i].class == HD_CLASS_SA ? 0xF8 : 0xFF);
	}
	assert_int_equal(agents_case_pm(&c, port, 0x81, COUNTERS), NO_ANSWER(HD_FOR_CLIENT));
	assert_int_equal(agents_case_pm(&c, port, HD_METHOD_TRAP, 2), NO_ANSWER(HD_FOR_CLIENT));
	agents_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(class_port_info), cmocka_unit_test(counters),
		cmocka_unit_test(saturation),      cmocka_unit_test(extended),
		cmocka_unit_test(lanes),           cmocka_unit_test(zeros),
		cmocka_unit_test(other_classes),
	};

	return cmocka_run_group_tests_name("pma", tests, NULL, NULL);
}
