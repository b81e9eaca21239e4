// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* ExtendedNodeInfo, ExtendedSwitchInfo and HierarchyInfo of emulated switches (--ar). */
#include "tests/unit/unit.h"

#include "simfabric/emulator/power.h"
#include "simfabric/emulator/sma_ar.h"
#include "tests/unit/agents_case.h"

enum {
	PORT_INFO = 0x15,
	HIERARCHY = 0x1E,
	NODE = 0xFF91,
	SWITCH = 0xFF92,
};

static const unsigned all[] = { HIERARCHY, NODE, SWITCH };

static void only_switches_that_have_them_answer(void **state)
{
	struct agents_case c;

	(void)state;
	assert_true(agents_case_new(&c, NULL));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_int_equal(agents_case_get(&c, SPINE, 0, all[i], 0), HD_STATUS_BAD_ATTRIBUTE);
		assert_int_equal(agents_case_set(&c, SPINE, 0, all[i], 0), HD_STATUS_BAD_ATTRIBUTE);
	}
	assert_int_equal(agents_case_get(&c, SPINE, 0, PORT_INFO, 0), 0);
	assert_int_equal(agents_case_data(&c)[20] & 0x80, 0); /* IsHierarchyInfoSupported */
	agents_case_free(&c);
	assert_true(agents_case_new_ar(&c));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_int_equal(agents_case_get(&c, HOST, 1, all[i], 0), HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(agents_case_get(&c, SPINE, 0, PORT_INFO, 0), 0);
	assert_int_equal(agents_case_data(&c)[20] & 0x80, 0x80);
	agents_case_free(&c);
}

static void vl2vl_is_switched_on_and_off(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	assert_int_equal(agents_case_get(&c, SPINE, 0, NODE, 0), 0);
	assert_int_equal(data[2], 0);
	assert_int_equal(data[3], 1);
	memset(data, 0, HD_SMP_DATA_SIZE);
	data[2] = 1;
	data[3] = 7; /* what a switch can do is no wish */
	assert_int_equal(agents_case_set(&c, SPINE, 0, NODE, 0), 0);
	assert_int_equal(data[2], 1);
	assert_int_equal(data[3], 1);
	assert_true(c.emulator->switches[SPINE].ar->by_vl);
	/* tables of both kinds are none here, and a switch has no second one */
	for (unsigned mixed = 2; mixed < 4; mixed++) {
		data[2] = (uint8_t)mixed;
		assert_int_equal(agents_case_set(&c, SPINE, 0, NODE, 0), HD_STATUS_BAD_FIELD);
	}
	data[2] = 0;
	assert_int_equal(agents_case_set(&c, SPINE, 0, NODE, 1), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 0, NODE, 1), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 0, NODE, 0), 0);
	assert_int_equal(data[2], 1);
	memset(data, 0, HD_SMP_DATA_SIZE);
	assert_int_equal(agents_case_set(&c, SPINE, 0, NODE, 0), 0);
	assert_false(c.emulator->switches[SPINE].ar->by_vl);
	agents_case_free(&c);
}

static void thresholds_are_kept(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	assert_int_equal(agents_case_get(&c, LEAF, 0, SWITCH, 0), 0);
	assert_int_equal(data[3], 0x08);
	assert_int_equal(data[4], 0x0F);
	memset(data, 0xFF, HD_SMP_DATA_SIZE);
	hd_put16(data + 6, 0x0123);
	hd_put16(data + 14, 0x0155);
	assert_int_equal(agents_case_set(&c, LEAF, 0, SWITCH, 0), 0);
	assert_int_equal(agents_case_get(&c, LEAF, 0, SWITCH, 0), 0);
	assert_int_equal(data[2], 0);
	assert_int_equal(data[3], 0x0F); /* no upgrade in service */
	assert_int_equal(hd_get16(data + 6), 0x0123);
	assert_int_equal(hd_get16(data + 8), 0x03FF);
	assert_int_equal(hd_get16(data + 10), 0x03FF);
	assert_int_equal(hd_get16(data + 12), 0);
	assert_int_equal(hd_get16(data + 14), 0x0155);
	assert_int_equal(agents_case_get(&c, LEAF, 0, SWITCH, 1), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_set(&c, LEAF, 0, SWITCH, 1), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

static int set_hierarchy(struct agents_case *c, unsigned port, unsigned index, unsigned n)
{
	uint8_t *data = agents_case_data(c);

	memset(data, 0, HD_SMP_DATA_SIZE);
	hd_put64(data, 4);
	data[10] = (uint8_t)(n << 4);
	for (unsigned i = 0; i < 13; i++)
		hd_put32(data + 12 + 4 * i, 100 + i);
	return agents_case_set(c, SPINE, 0, HIERARCHY, index << 8 | port);
}

static void hierarchies_are_kept_by_port_and_index(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	assert_int_equal(agents_case_get(&c, SPINE, 0, HIERARCHY, 3), 0);
	assert_int_equal(data[8], 1);
	assert_int_equal(data[9] | data[10], 0);
	assert_int_equal(set_hierarchy(&c, 3, 1, 2), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, HIERARCHY, 0x103), 0);
	assert_int_equal(hd_get64(data), 4);
	assert_int_equal(data[9], 1);
	assert_int_equal(data[10], 0x20);
	assert_int_equal(hd_get32(data + 16), 101);
	assert_int_equal(hd_get32(data + 20), 0); /* levels that are not active */
	/* of other ports and indices nothing is known */
	assert_int_equal(agents_case_get(&c, SPINE, 0, HIERARCHY, 0x003), 0);
	assert_int_equal(data[9], 1);
	assert_int_equal(data[10], 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, HIERARCHY, 0x104), 0);
	assert_int_equal(data[9] | data[10], 0);
	/* none without levels; all of them */
	assert_int_equal(set_hierarchy(&c, 3, 1, 0), 0);
	assert_int_equal(hd_get64(data), 0);
	assert_int_equal(set_hierarchy(&c, 8, 0, 13), 0);
	assert_int_equal(hd_get32(data + 60), 112);
	/* more levels, indices and ports than there are */
	assert_int_equal(set_hierarchy(&c, 3, 1, 14), HD_STATUS_BAD_FIELD);
	assert_int_equal(set_hierarchy(&c, 3, 2, 1), HD_STATUS_BAD_FIELD);
	assert_int_equal(set_hierarchy(&c, 9, 0, 1), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 0, HIERARCHY, 9), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 0, HIERARCHY, 0x10000), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

static void a_reboot_forgets_all(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	data[2] = 1;
	assert_int_equal(agents_case_set(&c, SPINE, 0, NODE, 0), 0);
	assert_int_equal(set_hierarchy(&c, 0, 0, 1), 0);
	memset(data, 0xFF, HD_SMP_DATA_SIZE);
	assert_int_equal(agents_case_set(&c, SPINE, 0, SWITCH, 0), 0);
	assert_true(hd_node_off(c.emulator, SPINE));
	assert_true(hd_node_on(c.emulator, SPINE));
	assert_int_equal(agents_case_get(&c, SPINE, 0, NODE, 0), 0);
	assert_int_equal(data[2], 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, SWITCH, 0), 0);
	assert_int_equal(data[3], 0x08);
	assert_int_equal(hd_get16(data + 6), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, HIERARCHY, 0), 0);
	assert_int_equal(data[10], 0);
	agents_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_switches_that_have_them_answer),
		cmocka_unit_test(vl2vl_is_switched_on_and_off),
		cmocka_unit_test(thresholds_are_kept),
		cmocka_unit_test(hierarchies_are_kept_by_port_and_index),
		cmocka_unit_test(a_reboot_forgets_all),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
