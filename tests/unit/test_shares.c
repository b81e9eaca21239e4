// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* VL arbitration from shares: tables, gaps, and what a server of backlogged lanes makes of them. */
#include "tests/unit/unit.h"

#include <math.h>

#include "vlarb/shares.h"
#include "support/random.h"

/* The five classes of the paper, in units of 64 bytes; lane names its VL. */
enum { VO, VI, CL, BE, BK };

static const struct hd_share five[] = {
	{ .vl = VO, .packet = 2, .parts = 10 }, { .vl = VI, .packet = 4, .parts = 30 },
	{ .vl = CL, .packet = 8, .parts = 50 }, { .vl = BE, .packet = 16, .parts = 5 },
	{ .vl = BK, .packet = 16, .parts = 5 },
};

/* BE and BK on one lane. */
static const struct hd_share four[] = {
	{ .vl = VO, .packet = 2, .parts = 1 },
	{ .vl = VI, .packet = 4, .parts = 3 },
	{ .vl = CL, .packet = 8, .parts = 5 },
	{ .vl = BE, .packet = 16, .parts = 1 },
};

/* Where a table of a port is: which entry has its turn, and what is left of its weight. */
struct turn {
	const struct hd_vlarb_entry *entries;
	unsigned n, at;
	int left;
};

static void send_packet(struct turn *turn, const unsigned *packet, double *sent)
{
	while (turn->left <= 0) {
		turn->at = (turn->at + 1) % turn->n;
		turn->left = turn->entries[turn->at].weight;
	}
	sent[turn->entries[turn->at].vl] += packet[turn->entries[turn->at].vl];
	turn->left -= (int)packet[turn->entries[turn->at].vl];
}

/*
 * Serves lanes that always have packets: @sent [VL] gets the part of each. A port sends from an
 * entry as long as weight is left; with a limit of 0 its two tables send a packet each in turns.
 */
static void serve(const struct hd_vlarb *vlarb, const struct hd_share *lanes, unsigned n,
		  double sent[HD_MAX_VLS])
{
	struct turn low = { .entries = vlarb->low, .n = vlarb->n_low, .at = vlarb->n_low - 1u };
	struct turn high = { .entries = vlarb->high, .n = vlarb->n_high, .at = vlarb->n_high - 1u };
	unsigned packet[HD_MAX_VLS] = { 0 };
	double all = 0;

	assert_int_equal(vlarb->high_limit, 0);
	memset(sent, 0, HD_MAX_VLS * sizeof(*sent));
	for (unsigned i = 0; i < n; i++)
		packet[lanes[i].vl] = lanes[i].packet;
	for (unsigned i = 0; i < 1000000; i++) {
		if (high.n)
			send_packet(&high, packet, sent);
		if (low.n)
			send_packet(&low, packet, sent);
	}
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		all += sent[vl];
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		sent[vl] /= all;
}

/* Every lane has an entry, no entry is without weight or of part of a packet. */
static void assert_whole(const struct hd_vlarb *vlarb, const struct hd_share *lanes, unsigned n)
{
	uint16_t served = 0;

	for (unsigned i = 0; i < n; i++) {
		const struct hd_vlarb_entry *entries[] = { vlarb->low, vlarb->high };
		const unsigned n_entries[] = { vlarb->n_low, vlarb->n_high };

		for (unsigned t = 0; t < 2; t++)
			for (unsigned e = 0; e < n_entries[t]; e++) {
				if (entries[t][e].vl != lanes[i].vl)
					continue;
				served |= (uint16_t)(1u << lanes[i].vl);
				assert_int_not_equal(entries[t][e].weight, 0);
				assert_int_equal(entries[t][e].weight % lanes[i].packet, 0);
			}
	}
	assert_int_equal(__builtin_popcount(served), n);
	assert_int_equal(served, hd_vlarb_serves(vlarb));
}

/* Makes the table, and has a server confirm the shares and the error that are told. */
static void make(const struct hd_share *lanes, unsigned n, unsigned low, unsigned high,
		 struct hd_vlarb *vlarb, double *error)
{
	const struct hd_vlarb_room room = { .low = (uint8_t)low, .high = (uint8_t)high };
	double sent[HD_MAX_VLS], parts = 0, seen = 0;
	struct hd_error err;

	assert_hd_ok(hd_shares_table(lanes, n, &room, HD_VLARB_NO_LIMIT, vlarb, error, &err), err);
	assert_in_range(vlarb->n_low, 0, low);
	assert_in_range(vlarb->n_high, 0, high);
	assert_whole(vlarb, lanes, n);
	serve(vlarb, lanes, n, sent);
	for (unsigned i = 0; i < n; i++)
		parts += (double)lanes[i].parts;
	for (unsigned i = 0; i < n; i++) {
		const double off = fabs(sent[lanes[i].vl] - (double)lanes[i].parts / parts);

		seen = off > seen ? off : seen;
	}
	/* the last round of a long table may be cut short */
	if (fabs(seen - *error) > (*error == 0 && n < 6 ? 1e-4 : 1e-3))
		fail_msg("%u lanes in %u + %u: error %.6f, told %.6f", n, low, high, seen, *error);
}

static void assert_table(const struct hd_vlarb *vlarb, unsigned n,
			 const struct hd_vlarb_entry *expected, unsigned period)
{
	assert_int_equal(vlarb->n_high, 0);
	assert_int_equal(vlarb->n_low, n);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(vlarb->low[i].vl, expected[i % period].vl);
		assert_int_equal(vlarb->low[i].weight, expected[i % period].weight);
	}
}

static void assert_gaps(const struct hd_vlarb *vlarb, unsigned n, const uint32_t *expected)
{
	uint32_t gaps[HD_MAX_VLS];

	hd_vlarb_gaps(vlarb->low, vlarb->n_low, gaps);
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		assert_int_equal(gaps[vl], vl < n ? expected[vl] : UINT32_MAX);
}

/* What the paper's table of 64 entries is: 16 entries, four times. */
static void classes_of_the_paper(void **state)
{
	static const struct hd_vlarb_entry entries[] = {
		{ VO, 4 }, { VI, 24 }, { VO, 4 }, { CL, 80 }, { VO, 4 }, { VI, 24 },
		{ VO, 4 }, { BE, 16 }, { VO, 4 }, { VI, 24 }, { VO, 4 }, { CL, 80 },
		{ VO, 4 }, { VI, 24 }, { VO, 4 }, { BK, 16 },
	};
	static const struct {
		unsigned room, n;
	} rooms[] = { { 16, 16 }, { 17, 16 }, { 40, 32 }, { 64, 64 } };
	struct hd_vlarb vlarb;
	double error;

	for (unsigned i = 0; i < sizeof(rooms) / sizeof(rooms[0]); i++) {
		make(five, 5, rooms[i].room, rooms[i].room, &vlarb, &error);
		assert_true(error == 0);
		assert_table(&vlarb, rooms[i].n, entries, 16);
		assert_gaps(&vlarb, 5, (uint32_t[]){ 80, 88, 80, 304, 304 });
	}
}

static void classes_in_eight_entries(void **state)
{
	static const struct hd_vlarb_entry of_five[] = {
		{ VO, 16 }, { CL, 80 }, { VI, 48 }, { BE, 16 },
		{ VO, 16 }, { CL, 80 }, { VI, 48 }, { BK, 16 },
	};
	static const struct hd_vlarb_entry of_four[] = {
		{ VO, 4 }, { VI, 24 }, { VO, 4 }, { CL, 80 },
		{ VO, 4 }, { VI, 24 }, { VO, 4 }, { BE, 16 },
	};
	struct hd_vlarb vlarb;
	double error;

	make(five, 5, 8, 8, &vlarb, &error);
	assert_true(error == 0);
	assert_table(&vlarb, 8, of_five, 8);
	assert_gaps(&vlarb, 5, (uint32_t[]){ 144, 112, 80, 304, 304 });

	make(four, 4, 8, 8, &vlarb, &error);
	assert_true(error == 0);
	assert_table(&vlarb, 8, of_four, 8);
	assert_gaps(&vlarb, 4, (uint32_t[]){ 80, 88, 80, 144 });
	for (unsigned room = 16; room <= 64; room += 24) {
		make(four, 4, room, room, &vlarb, &error);
		assert_table(&vlarb, room, of_four, 8);
	}
}

static void classes_in_four_entries(void **state)
{
	static const unsigned weights[] = { 16, 48, 80, 16 };
	struct hd_vlarb vlarb;
	double error;

	make(four, 4, 4, 4, &vlarb, &error);
	assert_true(error == 0);
	assert_int_equal(vlarb.n_low, 4);
	assert_int_equal(vlarb.n_high, 0);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(vlarb.low[i].weight, weights[vlarb.low[i].vl]);
	assert_gaps(&vlarb, 4, (uint32_t[]){ 144, 112, 80, 144 });
}

/* More lanes than entries: both tables, packet by packet. */
static void lanes_in_both_tables(void **state)
{
	const struct hd_vlarb_room none = { .low = 4, .high = 3 };
	struct hd_share equal[HD_MAX_VLS];
	struct hd_vlarb vlarb;
	struct hd_error err;
	double error;

	for (unsigned i = 0; i < HD_MAX_VLS; i++)
		equal[i] = (struct hd_share){ .vl = (uint8_t)i, .packet = 64, .parts = 1 };
	make(equal, 8, 4, 4, &vlarb, &error);
	assert_true(error == 0);
	assert_int_equal(vlarb.n_low, 4);
	assert_int_equal(vlarb.n_high, 4);
	make(equal, 15, 8, 8, &vlarb, &error);
	assert_int_equal(vlarb.n_low + vlarb.n_high, 15);
	/* seven lanes share half, eight the other */
	assert_true(fabs(error - (1 / 14. - 1 / 15.)) < 1e-6);
	make(five, 5, 4, 4, &vlarb, &error);
	assert_int_equal(hd_vlarb_serves(&vlarb), 0x1f);

	assert_int_equal(hd_shares_table(equal, 8, &none, HD_VLARB_NO_LIMIT, &vlarb, &error, &err),
			 HD_EREFUSED);
	assert_hd_says(err, "8 VLs are in use, and VL arbitration has room for 4 + 3");
}

/* Shares that no table has: the nearest, with its error; a server says so, too. */
static void nearest_where_none_is_exact(void **state)
{
	const struct hd_share odd[] = {
		{ .vl = 0, .packet = 64, .parts = 333 },
		{ .vl = 1, .packet = 64, .parts = 667 },
	};
	const struct hd_share small[] = {
		{ .vl = 3, .packet = 64, .parts = 1 },
		{ .vl = 7, .packet = 64, .parts = 99999 },
	};
	struct hd_vlarb vlarb;
	double error;

	make(odd, 2, 8, 8, &vlarb, &error);
	assert_true(error > 0 && error < .001);
	make(small, 2, 8, 8, &vlarb, &error);
	/* one packet, and what seven entries hold: three packets each */
	assert_true(fabs(error - (1 / 22. - 1e-5)) < 1e-6);
	make(small, 2, 64, 64, &vlarb, &error);
	assert_true(fabs(error - (1 / 190. - 1e-5)) < 1e-6);
}

/*
 * An uneven table is made where its longest gap is shorter than that of any even one: five, three
 * and two packets in eight entries.
 */
static void gaps_before_evenness(void **state)
{
	const struct hd_share lanes[] = {
		{ .vl = 0, .packet = 1, .parts = 5 },
		{ .vl = 1, .packet = 1, .parts = 3 },
		{ .vl = 2, .packet = 1, .parts = 2 },
	};
	uint32_t gaps[HD_MAX_VLS];
	struct hd_vlarb vlarb;
	double error;

	make(lanes, 3, 8, 8, &vlarb, &error);
	assert_true(error == 0);
	hd_vlarb_gaps(vlarb.low, vlarb.n_low, gaps);
	for (unsigned vl = 0; vl < 3; vl++)
		assert_in_range(gaps[vl], 1, 4);
	/* one lane alone waits for nobody, and has all of the table */
	make(lanes, 1, 8, 8, &vlarb, &error);
	assert_int_equal(vlarb.n_low, 8);
	hd_vlarb_gaps(vlarb.low, vlarb.n_low, gaps);
	assert_int_equal(gaps[0], 0);
}

static void gaps_of_any_table(void **state)
{
	/* the classes of the paper in entries that are not equally far apart */
	static const struct hd_vlarb_entry uneven[] = {
		{ VO, 8 },  { CL, 40 }, { VI, 16 }, { BE, 16 }, { VO, 8 },  { VI, 16 },
		{ CL, 40 }, { VI, 16 }, { VO, 8 },  { CL, 40 }, { VI, 16 }, { BK, 16 },
		{ VO, 8 },  { VI, 16 }, { CL, 40 }, { VI, 16 },
	};
	const struct hd_vlarb_entry entries[] = { { 0, 10 }, { 1, 0 },  { 15, 9 },
						  { 2, 5 },  { 2, 50 }, { 0, 10 } };
	uint32_t gaps[HD_MAX_VLS];

	hd_vlarb_gaps(entries, 6, gaps);
	assert_int_equal(gaps[0], 55);
	assert_int_equal(gaps[1], UINT32_MAX);
	assert_int_equal(gaps[2], 20);
	hd_vlarb_gaps(uneven, 16, gaps);
	assert_int_equal(gaps[VO], 72);
	assert_int_equal(gaps[VI], 48);
	assert_int_equal(gaps[CL], 56);
	assert_int_equal(gaps[BE], 304);
	assert_int_equal(gaps[BK], 304);
	hd_vlarb_gaps(entries, 0, gaps);
	assert_int_equal(gaps[0], UINT32_MAX);
}

/* Lanes, shares, packets and rooms by chance: all is served, and shares are what is told. */
static void whatever_is_asked(void **state)
{
	struct hd_random random;

	hd_random_init(&random, 15, 0);
	for (unsigned i = 0; i < (HD_IS_SLOW ? 20 : 200); i++) {
		const unsigned n = 1 + hd_random_below(&random, HD_MAX_VLS);
		const unsigned low = 1 + hd_random_below(&random, HD_VLARB_MAX);
		const unsigned high = low < n ? n - low + hd_random_below(&random, 4) : 0;
		struct hd_share lanes[HD_MAX_VLS];
		struct hd_vlarb vlarb;
		double error;

		for (unsigned lane = 0; lane < n; lane++)
			lanes[lane] = (struct hd_share){
				.vl = (uint8_t)lane,
				.packet = (uint8_t)(1u << hd_random_below(&random, 7)),
				.parts = 1 + hd_random_below(&random, i % 2 ? 10 : 1000),
			};
		make(lanes, n, low, high, &vlarb, &error);
	}
}

/*
 * A packet of two units before each of the others, 120 units in 19 packets: 120 of 158, where they
 * shall have .75.
 */
static void high_priority(void **state)
{
	const struct hd_share urgent[] = { { .vl = 0, .packet = 2, .parts = 25, .high = true },
					   { .vl = 1, .packet = 4, .parts = 25 },
					   { .vl = 2, .packet = 8, .parts = 40 },
					   { .vl = 3, .packet = 16, .parts = 10 } };
	const struct hd_share two[] = { { .vl = 0, .packet = 64, .parts = 3, .high = true },
					{ .vl = 1, .packet = 64, .parts = 2 } };
	const struct hd_share little[] = { { .vl = 0, .packet = 2, .parts = 1, .high = true },
					   { .vl = 1, .packet = 4, .parts = 9 } };
	const struct hd_vlarb_room room = { 8, 8 }, small = { 2, 8 };
	struct hd_vlarb vlarb;
	struct hd_error err;
	double error;

	assert_hd_ok(hd_shares_table(urgent, 4, &room, HD_VLARB_NO_LIMIT, &vlarb, &error, &err),
		     err);
	assert_int_equal(vlarb.high_limit, 0);
	for (unsigned i = 0; i < vlarb.n_high; i++)
		assert_int_equal(vlarb.high[i].vl, 0);
	for (unsigned i = 0; i < vlarb.n_low; i++)
		assert_int_not_equal(vlarb.low[i].vl, 0);
	if (fabs(error - (.25 - 38 / 158.)) > 1e-9)
		fail_msg("the error is %f", error);

	/* the greatest limit: with 2 the others have a packet for two */
	assert_hd_ok(hd_shares_table(two, 2, &room, HD_VLARB_NO_LIMIT, &vlarb, &error, &err), err);
	assert_int_equal(vlarb.high_limit, 1);
	assert_hd_ok(hd_shares_table(two, 2, &room, 0, &vlarb, &error, &err), err);
	assert_int_equal(vlarb.high_limit, 0);
	assert_int_equal(hd_shares_table(two, 2, &room, 2, &vlarb, &error, &err), HD_EREFUSED);
	assert_non_null(strstr(err.text, "with limit 2 high priority leaves 0.3333 of a link to "
					 "the others, whose shares are 0.4000"));

	/* a third with packets of high priority that are half as large */
	assert_int_equal(hd_shares_table(little, 2, &room, HD_VLARB_NO_LIMIT, &vlarb, &error, &err),
			 HD_EREFUSED);
	assert_non_null(strstr(err.text, "with limit 0 high priority leaves 0.6667"));
	assert_int_equal(
		hd_shares_table(urgent, 4, &small, HD_VLARB_NO_LIMIT, &vlarb, &error, &err),
		HD_EREFUSED);
	assert_non_null(strstr(err.text, "1 VLs of high priority and 3 others are in use, and VL "
					 "arbitration has room for 8 and 2"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(classes_of_the_paper),
		cmocka_unit_test(classes_in_eight_entries),
		cmocka_unit_test(classes_in_four_entries),
		cmocka_unit_test(lanes_in_both_tables),
		cmocka_unit_test(nearest_where_none_is_exact),
		cmocka_unit_test(gaps_before_evenness),
		cmocka_unit_test(gaps_of_any_table),
		cmocka_unit_test(whatever_is_asked),
		cmocka_unit_test(high_priority),
	};

	return cmocka_run_group_tests_name("shares", tests, NULL, NULL);
}
