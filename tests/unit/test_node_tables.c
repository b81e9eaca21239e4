// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* What nodes hold, and multicast as switches have it, as tables. */
#include "tests/unit/unit.h"

#include "manager/node_tables.h"
#include "manager/multicast_tables.h"
#include "support/random.h"
#include "tables/classes.h"
#include "tests/unit/mixing.h"
#include "tests/unit/spec_fabric.h"
#include "tests/unit/tables_case.h"

static struct hd_tables *held_tables(const struct hd_tables *goal, const struct hd_tables *last)
{
	struct hd_tables *held;
	struct hd_error err;

	assert_hd_ok(hd_node_tables(goal, last, &held, &err), err);
	return held;
}

/* VLs are cut down to bits; what drops still drops. */
static void rows_are_masked(void **state)
{
	const hd_sl2vl_row row = UINT64_C(0xfedcba9876543210);

	(void)state;
	assert_true(hd_row_masked(row, hd_vl_mask(HD_MAX_VLS)) == row);
	assert_true(hd_row_masked(row, hd_vl_mask(0)) == row);
	assert_true(hd_row_masked(row, hd_vl_mask(8)) == UINT64_C(0xf654321076543210));
	assert_true(hd_row_masked(row, hd_vl_mask(4)) == UINT64_C(0xf210321032103210));
	assert_true(hd_row_masked(row, hd_vl_mask(1)) == UINT64_C(0xf000000000000000));
}

/* Whatever switches answer: an entry leads where it did, or nowhere. */
static void lfts_are_as_answered(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=2,n=3", 0);
	struct hd_tables *goal = route_by(fabric, "dmodc"), *held = held_tables(goal, NULL);
	uint8_t lft[256];
	struct hd_random random;

	(void)state;
	assert_memory_equal(held->lft, goal->lft, fabric->n_switches * goal->lft_stride);
	hd_random_init(&random, 3, 0);
	for (unsigned i = 0; i < 2000; i++) {
		const uint32_t s = hd_random_below(&random, fabric->n_switches);
		const uint32_t size = hd_random_below(&random, 2) ? 256 : 4;
		const bool is_dark = !hd_random_below(&random, 4);

		for (unsigned lid = 0; lid < size; lid++)
			lft[lid] = (uint8_t)hd_random_below(&random, 5);
		/* as wanted, but for one entry at most */
		if (!hd_random_below(&random, 4)) {
			memcpy(lft, hd_lft(goal, s), goal->lft_stride);
			if (hd_random_below(&random, 2))
				lft[hd_random_below(&random, fabric->top_lid + 1)] = 0;
		}
		memcpy(hd_lft(held, s), hd_lft(goal, s), goal->lft_stride);
		hd_node_tables_set_lft(held, goal, s, is_dark ? NULL : lft, size);
		hd_for_each_lid(lid, fabric) {
			const uint8_t out = hd_lft(held, s)[lid];
			const bool is_own = fabric->lids[lid].via_switch == s &&
					    fabric->lids[lid].via_port == 0;

			/* also for LIDs that nobody has any more: packets to them are under way */
			if (is_dark || lid >= size || (lft[lid] == 0 && !is_own))
				assert_int_equal(out, HD_NO_PATH);
			else
				assert_int_equal(out, lft[lid]);
		}
	}
	hd_tables_free(held);
	hd_tables_free(goal);
	hd_fabric_free(fabric);
}

/* A row that is the goal's, as far as the port has lanes, is no change. */
static void rows_are_as_answered(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_tables *goal = route_by(fabric, "dla"), *held = held_tables(goal, NULL);

	(void)state;
	goal->sl2vl[0] = 0x21;
	hd_node_tables_set_row(held, goal, 0, 0x01, hd_vl_mask(2));
	assert_true(held->sl2vl[0] != 0x01);
	hd_node_tables_set_row(held, goal, 0, 0x11, hd_vl_mask(2));
	assert_true(held->sl2vl[0] == 0x11);
	hd_node_tables_set_row(held, goal, 0, hd_row_all(HD_VL_DROP), hd_vl_mask(15));
	assert_true(held->sl2vl[0] == hd_row_all(HD_VL_DROP));
	hd_tables_free(held);
	hd_tables_free(goal);
	hd_fabric_free(fabric);
}

/* Hosts use the SLs that were handed out last, also those that come back. */
static void path_sls_are_those_handed_out(void **state)
{
	struct hd_fabric *fabric = build_fabric("dragonfly:a=4,p=2,h=2", 0);
	struct hd_tables *goal = route_by(fabric, "dla"), *last = route_by(fabric, "dla"), *held;
	const uint32_t host = hd_port_index(fabric, fabric->n_switches, 1);
	const uint32_t other = hd_port_index(fabric, fabric->n_switches + 1, 1);
	const uint16_t lid = fabric->ports[other].lid;

	(void)state;
	last->sl_rows[last->sl_row_of_port[host] * last->lft_stride + lid] = 5;
	held = held_tables(goal, last);
	assert_int_equal(hd_path_sl(held, host, lid), 5);
	hd_tables_free(held);
	last->sl_rows[last->sl_row_of_port[host] * last->lft_stride + lid] = HD_NO_SL;
	held = held_tables(goal, last);
	assert_int_equal(hd_path_sl(held, host, lid), hd_path_sl(goal, host, lid));
	hd_tables_free(held);
	hd_tables_free(last);
	hd_tables_free(goal);
	hd_fabric_free(fabric);
}

static void other_lids_cannot_be_proved(void **state)
{
	struct hd_fabric *fabric = build_fabric("tree:k=2,n=2", 0);
	struct hd_discovered held = { .lids = NULL };
	char text[400];

	(void)state;
	assert_null(hd_discovered_cause_to_drop(&held, fabric, text, sizeof(text)));
	assert_true(hd_discovered_make_room(&held, fabric->n_endports));
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const struct hd_port *port = &fabric->ports[fabric->endports[i]];

		hd_discovered_note(&held, port->guid, port->lid, port->lmc);
	}
	/* more than there was room for is left out */
	hd_discovered_note(&held, 1, 2, 3);
	assert_int_equal(held.n_lids, fabric->n_endports);
	assert_null(hd_discovered_cause_to_drop(&held, fabric, text, sizeof(text)));
	held.n_unknown = 3;
	assert_string_equal(hd_discovered_cause_to_drop(&held, fabric, text, sizeof(text)),
			    "3 active ports or their peers do not answer");
	held.lids[1].lid++;
	assert_non_null(strstr(hd_discovered_cause_to_drop(&held, fabric, text, sizeof(text)),
			       " gets another LID or LMC"));
	held.lids[1].lid--;
	held.lids[2].lmc++;
	assert_non_null(strstr(hd_discovered_cause_to_drop(&held, fabric, text, sizeof(text)),
			       " gets another LID or LMC"));
	hd_discovered_clear(&held);
	hd_fabric_free(fabric);
}

/* One line for each kind of thing that could not be read, and no others. */
static void what_could_not_be_read_is_told(void **state)
{
	static const char *const words[] = {
		("2 active ports or their peers do not answer (first: node 0x00000000000000ab port "
		 "7)"),
		"the old LIDs are unknown",
		"could not read the LFTs of 3 switches",
		"could not read 4 LFT blocks",
		"could not read 5 SL2VL rows",
	};
	char text[400];

	(void)state;
	for (unsigned kinds = 0; kinds < 32; kinds++) {
		const struct hd_discovered held = {
			.n_unknown = kinds & 1 ? 2 : 0,
			.unknown_guid = 0xab,
			.unknown_port = 7,
			.lacks_lids = kinds & 2,
			.n_unread_lfts = kinds & 4 ? 3 : 0,
			.n_unread_blocks = kinds & 8 ? 4 : 0,
			.n_unread_rows = kinds & 16 ? 5 : 0,
		};
		unsigned i = 0;

		for (unsigned kind = 0; kind < 5; kind++)
			if (kinds >> kind & 1) {
				assert_true(
					hd_discovered_complaint(&held, i++, text, sizeof(text)));
				assert_non_null(strstr(text, words[kind]));
			}
		assert_false(hd_discovered_complaint(&held, i, text, sizeof(text)));
	}
}

#define N_SWITCHES 6
#define N_MLIDS    100

/* Random ports, given in blocks as switches have them, are all there, in order. */
static void multicast_blocks_become_entries(void **state)
{
	static uint16_t masks[N_SWITCHES][N_MLIDS][16];
	struct hd_tables tables = { .mft = NULL };
	struct hd_mft_list list = { .n = 0 };
	struct hd_random random;
	size_t n = 0;

	(void)state;
	hd_random_init(&random, 9, 0);
	for (uint32_t s = 0; s < N_SWITCHES; s++)
		for (unsigned block = 0; block * 32 < N_MLIDS; block++)
			for (unsigned position = 0; position < 16; position++)
				for (unsigned i = block * 32; i < block * 32 + 32 && i < N_MLIDS;
				     i++) {
					if (hd_random_below(&random, 8))
						continue;
					masks[s][i][position] =
						(uint16_t)(1 + hd_random_below(&random, 0xffff));
					assert_true(hd_mft_list_add(&list, s, 0xc000 + i, position,
								    masks[s][i][position]));
				}
	hd_mft_list_give(&list, &tables);
	assert_int_equal(list.n, 0);
	for (unsigned i = 0; i < N_MLIDS; i++)
		for (uint32_t s = 0; s < N_SWITCHES; s++) {
			uint64_t ports[4] = { 0 };

			for (unsigned port = 0; port < 256; port++)
				if (masks[s][i][port / 16] >> port % 16 & 1)
					ports[port / 64] |= UINT64_C(1) << port % 64;
			if (!(ports[0] | ports[1] | ports[2] | ports[3]))
				continue;
			assert_true(n < tables.n_mft);
			assert_int_equal(tables.mft[n].mlid, 0xc000 + i);
			assert_int_equal(tables.mft[n].switch_index, s);
			assert_memory_equal(tables.mft[n++].ports, ports, sizeof(ports));
		}
	assert_int_equal(n, tables.n_mft);
	free(tables.mft);
}

static bool prove(const struct hd_tables *tables, bool all_sls)
{
	char summary[512];
	struct hd_error err;
	bool is_sound;

	assert_hd_ok(
		hd_multicast_prove(tables, 0, all_sls, &is_sound, summary, sizeof(summary), &err),
		err);
	assert_string_not_equal(summary, "");
	return is_sound;
}

/* A tree is sound, a circle of parallel links is not; each has a digest of its own. */
static void trees_are_proved_with_unicast(void **state)
{
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = tables_case_tables(fabric);
	const uint64_t without = hd_multicast_digest(tables);
	struct hd_mft_list list = { .n = 0 };
	uint64_t with, digest = 0;
	char text[700];

	(void)state;
	assert_true(hd_mft_list_add(&list, 0, 0xc000, 0, 1 << 1 | 1 << 3));
	assert_true(hd_mft_list_add(&list, 1, 0xc000, 0, 1 << 1 | 1 << 3));
	hd_mft_list_give(&list, tables);
	with = hd_multicast_digest(tables);
	assert_true(with != without);
	assert_true(prove(tables, false));
	assert_true(prove(tables, true));
	tables->mft[0].ports[0] |= 1 << 4;
	tables->mft[1].ports[0] |= 1 << 4;
	assert_true(hd_multicast_digest(tables) != with);
	assert_false(prove(tables, false));
	/* what was judged is news once */
	assert_int_equal(hd_multicast_judge(tables, 0, false, &digest, text, sizeof(text)),
			 HD_MULTICAST_UNSOUND);
	assert_ptr_equal(strstr(text, "with OpenSM's multicast trees is unsound: "), text);
	assert_true(digest == hd_multicast_digest(tables));
	assert_int_equal(hd_multicast_judge(tables, 0, false, &digest, text, sizeof(text)),
			 HD_MULTICAST_NO_NEWS);
	tables->mft[0].ports[0] &= ~(UINT64_C(1) << 4);
	tables->mft[1].ports[0] &= ~(UINT64_C(1) << 4);
	assert_int_equal(hd_multicast_judge(tables, 0, false, &digest, text, sizeof(text)),
			 HD_MULTICAST_SOUND);
	assert_true(digest == with);
	tables->n_mft = 0;
	assert_int_equal(hd_multicast_judge(tables, 0, false, &digest, text, sizeof(text)),
			 HD_MULTICAST_NO_NEWS);
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

/* SLs of path records: of the tables, in the class that was asked for, or as asked. */
static void path_records_are_answered(void **state)
{
	static const char text[] = "[class a] share = 30%  sl = 4\n[class b] share = 70%\n";
	struct hd_fabric *fabric = tables_case_fabric();
	struct hd_tables *tables = tables_case_tables(fabric);
	struct hd_path_answer answer = hd_path_answer(tables, 4, 8, 3);
	struct hd_classes classes;
	struct hd_error err;

	(void)state;
	assert_int_equal(answer.sl, 0);
	assert_false(answer.has_no_class);
	/* nobody has LID 3, nor one that high */
	assert_int_equal(hd_path_answer(tables, 3, 8, 3).sl, 3);
	assert_int_equal(hd_path_answer(tables, 4, 40000, 3).sl, 3);
	tables->sl_rows[tables->sl_row_of_port[fabric->lids[4].port] * tables->lft_stride + 8] =
		HD_NO_SL;
	assert_int_equal(hd_path_answer(tables, 4, 8, 3).sl, 3);
	assert_hd_ok(hd_classes_parse("text", text, strlen(text), &classes, &err), err);
	assert_hd_ok(hd_classes_assign(&classes, 1, &err), err);
	classes.fallback = 1;
	assert_hd_ok(hd_tables_set_classes(tables, &classes, &err), err);
	assert_int_equal(hd_path_answer(tables, 4, 6, 4).sl, 4);
	answer = hd_path_answer(tables, 4, 6, 9);
	assert_true(answer.has_no_class);
	assert_int_equal(answer.sl, 0);
	assert_string_equal(hd_class_of_others(&classes)->name, "b");
	hd_tables_free(tables);
	hd_fabric_free(fabric);
}

static void arbitration_is_given_in_blocks(void **state)
{
	struct hd_vlarb vlarb = { .n_low = 33, .n_high = 2 };

	(void)state;
	for (unsigned i = 0; i < HD_VLARB_MAX; i++) {
		vlarb.low[i] = (struct hd_vlarb_entry){ 1, (uint8_t)i };
		vlarb.high[i] = (struct hd_vlarb_entry){ 2, (uint8_t)(100 + i) };
	}
	assert_int_equal(hd_vlarb_entry_at(&vlarb, 0, 31).weight, 31);
	assert_int_equal(hd_vlarb_entry_at(&vlarb, 1, 0).weight, 32);
	assert_int_equal(hd_vlarb_entry_at(&vlarb, 1, 1).vl, 0);
	assert_int_equal(hd_vlarb_entry_at(&vlarb, 2, 1).weight, 101);
	assert_int_equal(hd_vlarb_entry_at(&vlarb, 2, 2).weight, 0);
	assert_int_equal(hd_vlarb_entry_at(&vlarb, 3, 0).vl, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_masked),
		cmocka_unit_test(lfts_are_as_answered),
		cmocka_unit_test(rows_are_as_answered),
		cmocka_unit_test(path_sls_are_those_handed_out),
		cmocka_unit_test(other_lids_cannot_be_proved),
		cmocka_unit_test(what_could_not_be_read_is_told),
		cmocka_unit_test(multicast_blocks_become_entries),
		cmocka_unit_test(trees_are_proved_with_unicast),
		cmocka_unit_test(path_records_are_answered),
		cmocka_unit_test(arbitration_is_given_in_blocks),
	};

	return cmocka_run_group_tests_name("node_tables", tests, NULL, NULL);
}
