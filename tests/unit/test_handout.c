// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What a subnet manager is handed, sweep by sweep; LFTs in blocks; rows that are cut. */
#include "tests/unit/unit.h"

#include "engines/engines.h"
#include "fabric/faults.h"
#include "manager/handout.h"
#include "manager/lft_blocks.h"
#include "manager/masked_rows.h"
#include "manager/programmed_entries.h"
#include "manager/sent_blocks.h"
#include "support/random.h"
#include "tests/unit/spec_fabric.h"

static const struct hd_engine *const engines[] = { &hd_engine_dla, &hd_engine_minhop };

/* What a sweep makes of @whole, or of that without host @away. */
static struct hd_wanted sweep(const struct hd_fabric *whole, uint32_t away, unsigned engine)
{
	struct hd_wanted wanted = { .chosen = engines[engine] };
	const uint32_t link = away == HD_NONE ? 0 : hd_port_index(whole, away, 1);
	struct hd_error err;

	assert_hd_ok(
		hd_fabric_without(whole, &link, away != HD_NONE, NULL, 0, &wanted.fabric, &err),
		err);
	assert_hd_ok(hd_tables_new(wanted.fabric, &wanted.tables, &err), err);
	wanted.goal = hd_tables_share(wanted.tables);
	return wanted;
}

/*
 * Sweeps, rounds and refusals in any order: what is handed out is on the fabric of the last sweep,
 * and tables of before stay exactly where they may have to.
 */
static void any_order_of_events_keeps_tables_on_their_fabric(void **state)
{
	struct hd_fabric *whole = build_fabric("dragonfly:a=2,p=1,h=1", 0);
	struct hd_handout handout = { .tables = NULL }, other = { .tables = NULL };
	struct hd_orphans orphans = { .of = NULL }, none = { .of = NULL };
	struct hd_random random;

	(void)state;
	hd_random_init(&random, 23, 0);
	for (unsigned i = 0; i < 400; i++) {
		const uint32_t away = hd_random_below(&random, 2)
					      ? whole->n_switches + hd_random_below(&random, 6)
					      : HD_NONE;
		const bool are_fresh = !hd_random_below(&random, 8);
		const struct hd_engine *last = handout.wanted.chosen;
		const bool had_tables = handout.tables;
		struct hd_wanted wanted;
		struct hd_tables *first = NULL;
		struct hd_error err;

		if (!hd_random_below(&random, 6)) {
			const struct hd_handout was = handout;

			hd_handout_drop(&handout, &orphans);
			assert_ptr_equal(orphans.was.tables, was.tables);
			assert_true(!was.tables || was.tables->fabric == orphans.was.wanted.fabric);
			assert_null(handout.tables);
			assert_null(handout.wanted.fabric);
			assert_int_equal(handout.absent.n, 0);
			/* nobody else routes before the next sweep, or somebody does */
			if (hd_random_below(&random, 2)) {
				assert_false(hd_handout_adopt(&other, &orphans));
				assert_true(hd_handout_adopt(&handout, &orphans));
				assert_memory_equal(&handout, &was, sizeof(was));
			}
			assert_false(hd_handout_adopt(&handout, orphans.of ? &none : &orphans));
			continue;
		}
		wanted = sweep(whole, away, hd_random_below(&random, 8) == 0);
		if (hd_random_below(&random, 2))
			assert_hd_ok(hd_tables_new(wanted.fabric, &first, &err), err);
		hd_handout_take(&handout, &wanted, first, are_fresh);
		assert_ptr_equal(handout.tables->fabric, handout.wanted.fabric);
		assert_int_equal(hd_handout_has_goal(&handout), !first);
		if (are_fresh || (had_tables && last != wanted.chosen))
			assert_int_equal(handout.absent.n, 0);
		for (size_t j = 0; j < handout.absent.n; j++)
			assert_ptr_equal(handout.absent.tables[j]->fabric,
					 handout.absent.fabrics[j]);
		hd_handout_replace(&handout, hd_tables_share(handout.wanted.goal));
		assert_true(hd_handout_has_goal(&handout));
	}
	hd_handout_drop(&handout, NULL);
	hd_orphans_forget(&orphans);
	hd_fabric_free(whole);
}

/* A host that is away keeps its tables; one that comes back, or another engine, ends that. */
static void tables_of_hosts_that_are_away_stay(void **state)
{
	struct hd_fabric *whole = build_fabric("dragonfly:a=2,p=1,h=1", 0);
	const uint32_t host = whole->n_switches;
	struct hd_handout handout = { .tables = NULL };
	struct hd_wanted wanted;

	(void)state;
	for (unsigned ends = 0; ends < 3; ends++) {
		wanted = sweep(whole, HD_NONE, 0);
		hd_handout_take(&handout, &wanted, NULL, true);
		assert_int_equal(handout.absent.n, 0);
		wanted = sweep(whole, host, 0);
		hd_handout_take(&handout, &wanted, NULL, false);
		assert_int_equal(handout.absent.n, 1);
		wanted = sweep(whole, ends ? host : HD_NONE, ends == 1);
		hd_handout_take(&handout, &wanted, NULL, ends == 2);
		assert_int_equal(handout.absent.n, 0);
	}
	hd_handout_drop(&handout, NULL);
	hd_fabric_free(whole);
}

static void lfts_are_compared_and_grow_in_blocks(void **state)
{
	uint8_t other[3 * HD_LFT_BLOCK] = { 0 }, *lft = calloc(1, sizeof(other));
	uint16_t size = sizeof(other);

	(void)state;
	for (size_t i = 0; i < sizeof(other); i++) {
		for (size_t block = 0; block < 3; block++)
			assert_true(hd_lft_block_is_zero(lft, block));
		lft[i] = 1;
		for (size_t block = 0; block < 3; block++) {
			assert_int_equal(hd_lft_blocks_are_equal(lft, other, block),
					 block != i / HD_LFT_BLOCK);
			assert_int_equal(hd_lft_block_is_zero(lft, block),
					 block != i / HD_LFT_BLOCK);
		}
		hd_lft_block_clear(lft, i / HD_LFT_BLOCK);
	}
	assert_true(hd_lft_grow(&lft, &size, 10));
	assert_int_equal(size, sizeof(other));
	assert_true(hd_lft_grow(&lft, &size, 5 * HD_LFT_BLOCK));
	assert_int_equal(size, 5 * HD_LFT_BLOCK);
	assert_int_equal(*hd_lft_block(lft, 2), 0);
	assert_int_equal(*hd_lft_block(lft, 3), HD_NO_PATH);
	assert_int_equal(lft[size - 1], HD_NO_PATH);
	free(lft);
	/* to the higher of both tops, and no farther than the switch has room */
	assert_int_equal(hd_lft_blocks_to_ask(0, 0, 49152), 1);
	assert_int_equal(hd_lft_blocks_to_ask(63, 0, 49152), 1);
	assert_int_equal(hd_lft_blocks_to_ask(64, 0, 49152), 2);
	assert_int_equal(hd_lft_blocks_to_ask(64, 200, 49152), 4);
	assert_int_equal(hd_lft_blocks_to_ask(64, 200, 128), 2);
	assert_int_equal(hd_lft_blocks_to_ask(64, 200, 0), 0);
}

static void second_blocks_of_64_entries_are_left_out(void **state)
{
	(void)state;
	for (unsigned capacity = 0; capacity < 256; capacity++) {
		const unsigned most = capacity < 64 ? capacity : 64;

		assert_int_equal(hd_programmed_entries((uint8_t)capacity, true), most);
		assert_int_equal(hd_programmed_entries((uint8_t)capacity, false),
				 most == 64 ? 32 : most);
	}
	assert_false(hd_second_block_is_cut(32));
	assert_true(hd_second_block_is_cut(64));
}

static void a_sweep_is_repeated_once_for_rows_that_are_cut(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=2,n=2", 0);
	bool is_repeated = false;
	char text[400];

	(void)state;
	assert_int_equal(hd_masked_rows_judge(&is_repeated, NULL, HD_NONE, "", text, sizeof(text)),
			 HD_ROWS_WHOLE);
	assert_false(is_repeated);
	assert_int_equal(hd_masked_rows_judge(&is_repeated, fabric, 1, "dla", text, sizeof(text)),
			 HD_ROWS_CUT);
	assert_true(is_repeated);
	assert_non_null(strstr(text, "sweeping again after this sweep"));
	assert_int_equal(hd_masked_rows_judge(&is_repeated, fabric, 1, "dla", text, sizeof(text)),
			 HD_ROWS_STILL_CUT);
	assert_false(is_repeated);
	assert_non_null(strstr(text, "still operates fewer VLs than engine dla needs"));
	hd_fabric_free(fabric);
}

/* Rows go into MADs and come back; even SLs are the high halves of bytes. */
static void rows_are_as_mads_have_them(void **state)
{
	const uint8_t bytes[] = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef };
	struct hd_random random;
	uint8_t mad[8];

	(void)state;
	assert_true(hd_row_from_mad(bytes) == UINT64_C(0xfedcba9876543210));
	hd_row_to_mad(UINT64_C(0xfedcba9876543210), mad);
	assert_memory_equal(mad, bytes, sizeof(mad));
	hd_random_init(&random, 4, 0);
	for (unsigned i = 0; i < 1000; i++) {
		hd_sl2vl_row row = 0;

		for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
			row = hd_row_set(row, sl, hd_random_below(&random, 16));
		hd_row_to_mad(row, mad);
		assert_true(hd_row_from_mad(mad) == row);
	}
}

/* Blocks are kept in order, however many there are. */
static void blocks_that_were_sent_are_kept(void **state)
{
	struct hd_sent_blocks sent = { .list = NULL };
	uint8_t block[2 * HD_VLARB_BLOCK];

	(void)state;
	for (unsigned i = 0; i < 1000; i++) {
		memset(block, (int)(i % 251), sizeof(block));
		hd_sent_blocks_note(&sent, &sent, i % 4, block);
	}
	assert_int_equal(sent.n, 1000);
	for (unsigned i = 0; i < 1000; i++) {
		assert_ptr_equal(sent.list[i].port, &sent);
		assert_int_equal(sent.list[i].number, i % 4);
		assert_int_equal(sent.list[i].block[0], i % 251);
		assert_int_equal(sent.list[i].block[sizeof(block) - 1], i % 251);
	}
	hd_sent_blocks_clear(&sent);
	assert_int_equal(sent.n, 0);
	hd_sent_blocks_clear(&sent);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_order_of_events_keeps_tables_on_their_fabric),
		cmocka_unit_test(tables_of_hosts_that_are_away_stay),
		cmocka_unit_test(lfts_are_compared_and_grow_in_blocks),
		cmocka_unit_test(second_blocks_of_64_entries_are_left_out),
		cmocka_unit_test(a_sweep_is_repeated_once_for_rows_that_are_cut),
		cmocka_unit_test(rows_are_as_mads_have_them),
		cmocka_unit_test(blocks_that_were_sent_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
