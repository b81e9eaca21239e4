// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Adaptive routing of emulated switches: what is set is kept, what cannot be is refused. */
#include "tests/unit/unit.h"

#include "simfabric/emulator/power.h"
#include "simfabric/emulator/sma_ar.h"
#include "tests/unit/agents_case.h"

enum {
	LFT = 0x19,
	GENERAL_INFO = 0xFF17,
	AR_INFO = 0xFF20,
	AR_GROUPS = 0xFF21,
	AR_LFT = 0xFF23,
	HBF = 0xFF24,
};

static const unsigned all[] = { GENERAL_INFO, AR_INFO, AR_GROUPS, AR_LFT, HBF };

/* Switches on adaptive routing with @n subgroups, or only counts them (on: 0). */
static int set_info(struct agents_case *c, unsigned flags, unsigned n, unsigned on, unsigned top)
{
	uint8_t *data = agents_case_data(c);

	memset(data, 0, HD_SMP_DATA_SIZE);
	data[0] = (uint8_t)flags;
	data[2] = (uint8_t)n;
	data[3] = (uint8_t)on;
	hd_put32(data + 4, top << 12);
	hd_put16(data + 8, 0x1234);
	hd_put32(data + 16, 30);
	return agents_case_set(c, SPINE, 0, AR_INFO, 0);
}

static void only_switches_that_have_it_answer(void **state)
{
	struct agents_case c;

	(void)state;
	assert_true(agents_case_new(&c, NULL));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		assert_int_equal(agents_case_get(&c, SPINE, 0, all[i], 0), HD_STATUS_BAD_ATTRIBUTE);
		assert_int_equal(agents_case_set(&c, SPINE, 0, all[i], 0), HD_STATUS_BAD_ATTRIBUTE);
	}
	agents_case_free(&c);
	assert_true(agents_case_new_ar(&c));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		assert_int_equal(agents_case_get(&c, HOST, 1, all[i], 0), HD_STATUS_BAD_ATTRIBUTE);
	assert_int_equal(agents_case_get(&c, SPINE, 0, GENERAL_INFO, 4), 0);
	assert_int_equal(hd_get32(agents_case_data(&c)), 0x2006); /* bits 1, 2 and 13 */
	assert_int_equal(hd_get32(agents_case_data(&c) + 8), 8);  /* bit 67 */
	assert_int_equal(agents_case_get(&c, SPINE, 0, GENERAL_INFO, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_set(&c, SPINE, 0, GENERAL_INFO, 4), HD_STATUS_BAD_ATTRIBUTE);
	/* private LFTs and the like: no public header says how they are asked for */
	assert_int_equal(agents_case_get(&c, SPINE, 0, 0xFF10, 0), HD_STATUS_BAD_ATTRIBUTE);
	agents_case_free(&c);
}

static void info_is_kept_and_capabilities_stay(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_INFO, 0), 0);
	assert_int_equal(data[0], 0x0C); /* groups for the whole switch; SLs can be left out */
	assert_int_equal(data[3], 0);
	assert_int_equal(hd_get32(data + 4), 1u << 24 | HD_SWITCH_AR_GROUPS);
	assert_int_equal(data[10], 2);
	assert_int_equal(data[20], 0x80);
	assert_int_equal(set_info(&c, 0xFF, 2, 0xFF, 7), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_INFO, 0), 0);
	assert_int_equal(data[0], 0x1D);
	assert_int_equal(data[2], 2);
	assert_int_equal(data[3], 1);
	assert_int_equal(hd_get32(data + 4), 1u << 24 | 7 << 12 | HD_SWITCH_AR_GROUPS);
	assert_int_equal(hd_get16(data + 8), 0x1234);
	assert_int_equal(hd_get32(data + 16), 30);
	/* what cannot be changes nothing */
	assert_int_equal(set_info(&c, 0, 3, 0, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(set_info(&c, 0, 1, 0, HD_SWITCH_AR_GROUPS), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_INFO, 1), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_INFO, 0), 0);
	assert_int_equal(data[3], 1);
	assert_int_equal(agents_case_get(&c, LEAF, 0, AR_INFO, 0), 0);
	assert_int_equal(data[3], 0);
	agents_case_free(&c);
}

static void groups_are_kept_and_name_ports_of_the_switch(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	memset(data, 0, HD_SMP_DATA_SIZE);
	data[31] = 0x06;      /* group 4: ports 1 and 2 */
	data[32 + 30] = 0x01; /* group 5: port 8 */
	assert_int_equal(agents_case_set(&c, SPINE, 0, AR_GROUPS, 2), 0);
	assert_true(hd_switch_ar_has(c.emulator->switches[SPINE].ar->sets[4], 2));
	assert_true(hd_switch_ar_has(c.emulator->switches[SPINE].ar->sets[5], 8));
	assert_false(hd_switch_ar_has(c.emulator->switches[SPINE].ar->sets[5], 2));
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_GROUPS, 2), 0);
	assert_int_equal(data[31], 0x06);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_GROUPS, 1), 0);
	assert_int_equal(data[31], 0);
	data[31] = 0x01; /* port 0 */
	assert_int_equal(agents_case_set(&c, SPINE, 0, AR_GROUPS, 0), HD_STATUS_BAD_FIELD);
	data[31] = 0;
	data[32 + 30] = 0x02; /* port 9 of 8 */
	assert_int_equal(agents_case_set(&c, SPINE, 0, AR_GROUPS, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_GROUPS, HD_SWITCH_AR_GROUPS / 2),
			 HD_STATUS_BAD_FIELD);
	/* with two subgroups, twice as many blocks; groups of one subgroup are gone */
	assert_int_equal(set_info(&c, 0, 2, 1, 0), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_GROUPS, HD_SWITCH_AR_GROUPS - 1), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_GROUPS, 2), 0);
	assert_int_equal(data[31], 0);
	agents_case_free(&c);
}

static void put_entry(uint8_t *data, unsigned i, unsigned lid_state, unsigned port, unsigned group)
{
	data[4 * i] = (uint8_t)(lid_state << 6);
	data[4 * i + 1] = (uint8_t)port;
	hd_put16(data + 4 * i + 2, (uint16_t)group);
}

static void entries_are_kept_and_default_ports_are_those_of_the_lft(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_LFT, 5), 0);
	assert_int_equal(hd_get32(data), 0x80FF0000); /* static, no port */
	for (unsigned i = 0; i < 16; i++)
		put_entry(data, i, i % 4, i % 9, i);
	assert_int_equal(agents_case_set(&c, SPINE, 0, AR_LFT, 5), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_LFT, 5), 0);
	assert_int_equal(hd_get32(data + 4), 0x40010001);
	assert_int_equal(hd_get32(data + 12), 0xC0030003);
	assert_int_equal(agents_case_get(&c, SPINE, 0, LFT, 1), 0);
	assert_int_equal(data[80 - 64 + 3], 3);
	assert_int_equal(data[80 - 64 - 1], 0xFF);
	/* a port that is not there, a group beyond all, another group table */
	memset(data, 0, HD_SMP_DATA_SIZE);
	put_entry(data, 15, HD_SWITCH_AR_FREE, 9, 0);
	assert_int_equal(agents_case_set(&c, SPINE, 0, AR_LFT, 0), HD_STATUS_BAD_FIELD);
	put_entry(data, 15, HD_SWITCH_AR_FREE, 1, HD_SWITCH_AR_GROUPS);
	assert_int_equal(agents_case_set(&c, SPINE, 0, AR_LFT, 0), HD_STATUS_BAD_FIELD);
	put_entry(data, 15, HD_SWITCH_AR_STATIC, 1, HD_SWITCH_AR_GROUPS);
	data[3] = 1;
	data[0] = 1;
	assert_int_equal(agents_case_set(&c, SPINE, 0, AR_LFT, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_LFT, 49152 / 16), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_set(&c, SPINE, 0, AR_LFT, 49152 / 16), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

static void a_linear_table_switches_it_off_or_is_refused(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	assert_int_equal(set_info(&c, 0, 1, 1, 0), 0);
	/* what is refused changes nothing */
	assert_int_equal(agents_case_set(&c, SPINE, 0, LFT, 49152 / 64), HD_STATUS_BAD_FIELD);
	assert_true(c.emulator->switches[SPINE].ar->is_on);
	memset(data, 1, HD_SMP_DATA_SIZE);
	assert_int_equal(agents_case_set(&c, SPINE, 0, LFT, 0), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, AR_INFO, 0), 0);
	assert_int_equal(data[3], 0);
	assert_int_equal(set_info(&c, 1, 1, 1, 0), 0);
	memset(data, 2, HD_SMP_DATA_SIZE);
	assert_int_equal(agents_case_set(&c, SPINE, 0, LFT, 0), HD_STATUS_BAD_FIELD);
	assert_int_equal(c.emulator->switches[SPINE].lft[1], 1);
	/* a restart forgets all */
	assert_true(hd_node_off(c.emulator, SPINE));
	assert_true(hd_node_on(c.emulator, SPINE));
	assert_null(c.emulator->switches[SPINE].ar);
	agents_case_free(&c);
}

static void hash_configuration_is_kept(void **state)
{
	struct agents_case c;
	uint8_t *data = agents_case_data(&c);

	(void)state;
	assert_true(agents_case_new_ar(&c));
	memset(data, 0xFF, HD_SMP_DATA_SIZE);
	assert_int_equal(agents_case_set(&c, SPINE, 0, HBF, 0), HD_STATUS_BAD_FIELD);
	data[0] = 0x11; /* exclusive or, random seed */
	assert_int_equal(agents_case_set(&c, SPINE, 0, HBF, 0), 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, HBF, 0), 0);
	assert_int_equal(hd_get64(data), UINT64_C(0x1100000000000000));
	assert_int_equal(hd_get32(data + 8), 0xFFFFFFFF);
	assert_int_equal(hd_get64(data + 12), UINT64_MAX);
	assert_int_equal(data[20], 0);
	assert_int_equal(agents_case_get(&c, SPINE, 0, HBF, 1), HD_STATUS_BAD_FIELD);
	assert_int_equal(agents_case_set(&c, SPINE, 0, HBF, 1), HD_STATUS_BAD_FIELD);
	agents_case_free(&c);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_switches_that_have_it_answer),
		cmocka_unit_test(info_is_kept_and_capabilities_stay),
		cmocka_unit_test(groups_are_kept_and_name_ports_of_the_switch),
		cmocka_unit_test(entries_are_kept_and_default_ports_are_those_of_the_lft),
		cmocka_unit_test(a_linear_table_switches_it_off_or_is_refused),
		cmocka_unit_test(hash_configuration_is_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
