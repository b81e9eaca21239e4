// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What VL arbitration tables give lanes that always have packets. */
#include "tests/unit/unit.h"

#include <math.h>

#include "vlarb/saturation.h"
#include "vlarb/shares.h"

static const uint8_t equal[HD_MAX_VLS] = { 64, 64, 64, 64, 64, 64, 64, 64,
					   64, 64, 64, 64, 64, 64, 64 };

static void add(struct hd_vlarb_entry *entries, uint8_t *n, unsigned vl, unsigned weight)
{
	entries[(*n)++] = (struct hd_vlarb_entry){ .vl = (uint8_t)vl, .weight = (uint8_t)weight };
}

static void assert_shares(const struct hd_backlog *backlog, unsigned n, const double *wanted,
			  double tolerance)
{
	for (unsigned vl = 0; vl < n; vl++)
		if (fabs(backlog->share[vl] - wanted[vl]) > tolerance)
			fail_msg("VL %u has %.6f, not %.6f", vl, backlog->share[vl], wanted[vl]);
}

/*
 * A table of the paper's method, made for deficits, as InfiniBand serves it: it sends while weight
 * is left, and rounds each turn up to whole packets.
 */
static void tables_for_deficits(void **state)
{
	static const uint8_t packet[HD_MAX_VLS] = { 2, 4, 8, 16, 16 };
	static const char pattern[] = "0102010301020104";
	static const unsigned weights[] = { 7, 39, 130, 26, 26 };
	struct hd_vlarb vlarb = { 0 };
	struct hd_backlog backlog;

	for (unsigned i = 0; i < 64; i++) {
		const unsigned vl = (unsigned)(pattern[i % 16] - '0');

		add(vlarb.low, &vlarb.n_low, vl, vl == 0 && i >= 32 ? 6 : weights[vl]);
	}
	hd_vlarb_backlog(&vlarb, 0x1f, packet, &backlog);
	assert_shares(&backlog, 5, (double[]){ .10145, .28986, .49275, .05797, .05797 }, 1e-4);
}

/* OpenSM's: VL 0 alone in the high-priority table, all others in the low-priority table. */
static void tables_of_opensm(void **state)
{
	struct hd_vlarb vlarb = { 0 };
	struct hd_backlog backlog;
	double wanted[8] = { .5 };

	for (unsigned vl = 0; vl < 8; vl++) {
		add(vlarb.high, &vlarb.n_high, vl, vl ? 0 : 4);
		add(vlarb.low, &vlarb.n_low, vl, vl ? 4 : 0);
	}
	for (unsigned vl = 1; vl < 8; vl++)
		wanted[vl] = 1. / 14;
	hd_vlarb_backlog(&vlarb, 0xff, equal, &backlog);
	assert_shares(&backlog, 8, wanted, 1e-9);
	assert_int_equal(backlog.gap[0], 64);
	assert_int_equal(backlog.gap[7], 13 * 64);

	vlarb.high_limit = 255;
	hd_vlarb_backlog(&vlarb, 0xff, equal, &backlog);
	assert_shares(&backlog, 8, (double[8]){ 1 }, 1e-9);
	for (unsigned vl = 1; vl < 8; vl++)
		assert_int_equal(backlog.gap[vl], UINT32_MAX);
	/* where VL 0 has nothing to send the others share the link */
	hd_vlarb_backlog(&vlarb, 0xfe, equal, &backlog);
	assert_true(fabs(backlog.share[7] - 1. / 7) < 1e-9);

	vlarb.high_limit = 0;
	vlarb.n_low = vlarb.n_high = 4;
	hd_vlarb_backlog(&vlarb, 0xff, equal, &backlog);
	assert_shares(&backlog, 8, (double[8]){ .5, 1. / 6, 1. / 6, 1. / 6 }, 1e-9);
	for (unsigned vl = 4; vl < 8; vl++)
		assert_int_equal(backlog.gap[vl], UINT32_MAX);
}

/* 16 KiB of the high-priority table, then a packet of the other. */
static void limits(void **state)
{
	struct hd_vlarb vlarb = { .high_limit = 4 };
	struct hd_backlog backlog;

	add(vlarb.high, &vlarb.n_high, 0, 255);
	add(vlarb.low, &vlarb.n_low, 1, 1);
	hd_vlarb_backlog(&vlarb, 3, equal, &backlog);
	assert_shares(&backlog, 2, (double[]){ .8, .2 }, 1e-9);
	assert_int_equal(backlog.gap[1], 4 * 64);
	vlarb.n_low = 0;
	hd_vlarb_backlog(&vlarb, 3, equal, &backlog);
	assert_shares(&backlog, 2, (double[]){ 1, 0 }, 1e-9);
	assert_int_equal(backlog.gap[0], 0);
	vlarb.n_high = 0;
	hd_vlarb_backlog(&vlarb, 3, equal, &backlog);
	assert_shares(&backlog, 2, (double[]){ 0, 0 }, 1e-9);
}

/* Tables from shares have them, and the gaps that their maker says. */
static void tables_from_shares(void **state)
{
	static const struct hd_share lanes[] = {
		{ .vl = 0, .packet = 2, .parts = 10 }, { .vl = 1, .packet = 4, .parts = 30 },
		{ .vl = 2, .packet = 8, .parts = 50 }, { .vl = 3, .packet = 16, .parts = 5 },
		{ .vl = 4, .packet = 16, .parts = 5 },
	};
	static const uint8_t packet[HD_MAX_VLS] = { 2, 4, 8, 16, 16 };
	const struct hd_vlarb_room room = { 16, 16 };
	struct hd_backlog backlog;
	uint32_t gaps[HD_MAX_VLS];
	struct hd_vlarb vlarb;
	struct hd_error err;
	double error;

	assert_hd_ok(hd_shares_table(lanes, 5, &room, HD_VLARB_NO_LIMIT, &vlarb, &error, &err),
		     err);
	hd_vlarb_backlog(&vlarb, 0x1f, packet, &backlog);
	assert_shares(&backlog, 5, (double[]){ .1, .3, .5, .05, .05 }, 1e-12);
	hd_vlarb_gaps(vlarb.low, vlarb.n_low, gaps);
	assert_memory_equal(backlog.gap, gaps, sizeof(gaps));
	/* what a lane does not use is for the others, in proportion */
	hd_vlarb_backlog(&vlarb, 0x1b, packet, &backlog);
	assert_shares(&backlog, 5, (double[]){ .2, .6, 0, .1, .1 }, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_for_deficits),
		cmocka_unit_test(tables_of_opensm),
		cmocka_unit_test(limits),
		cmocka_unit_test(tables_from_shares),
	};

	return cmocka_run_group_tests_name("backlog", tests, NULL, NULL);
}
