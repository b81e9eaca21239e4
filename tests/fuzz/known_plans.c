// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Schedules that were made before, in place of hd_schedule_make() and hd_schedule_count_lost() (the
 * linker's --wrap): inputs of fuzz_changes bring few fabrics into the same states again and again,
 * and planning took most of their time. A schedule is a function of tables, and all that it is made
 * from is compared, so what an input finds does not depend on inputs before. Nothing is allocated
 * that stays: libFuzzer would look for a leak.
 */
#include <stdlib.h>
#include <string.h>

#include "change/rounds.h"
#include "support/error.h"

#define SLOTS   8192
#define ENTRIES 512  /* of all LFTs */
#define ROWS    512  /* of all nodes */
#define PATHS   2048 /* bytes of path SLs */

int __real_hd_schedule_make(const struct hd_tables *now, const struct hd_tables *before,
			    struct hd_schedule *schedule, struct hd_error *err);
int __wrap_hd_schedule_make(const struct hd_tables *now, const struct hd_tables *before,
			    struct hd_schedule *schedule, struct hd_error *err);
int __real_hd_schedule_count_lost(const struct hd_schedule *schedule, const struct hd_tables *now,
				  const struct hd_tables *before, const bool *is_dark,
				  uint64_t *lost, struct hd_error *err);
int __wrap_hd_schedule_count_lost(const struct hd_schedule *schedule, const struct hd_tables *now,
				  const struct hd_tables *before, const bool *is_dark,
				  uint64_t *lost, struct hd_error *err);

/* What a schedule is made from. Goals exist as long as the program. */
struct key {
	const struct hd_tables *now;
	const struct hd_fabric *fabric;
	uint32_t n_sl_rows;
	uint8_t lft[ENTRIES], paths[PATHS];
	hd_sl2vl_row rows[ROWS];
};

struct known {
	struct key key;
	bool is_lost_known;
	int ret;
	struct hd_error err;
	struct hd_schedule schedule; /* without what it owns: its caller frees that */
	bool has_lists;
	size_t n_entries, n_rows; /* that change, all that do from the old tables to the new ones */
	uint8_t entry_new[ENTRIES], entry_drop[ENTRIES], row_new[ROWS], row_drop[ROWS];
	uint64_t lost[HD_MAX_ROUNDS];
};

/* False: the tables are too large, or have what is not compared. */
static bool make_key(const struct hd_tables *now, const struct hd_tables *before, struct key *key)
{
	const size_t n_entries = hd_rounds_lft_size(before), n_rows = hd_rounds_n_rows(before);
	const size_t sls = before->n_sl_rows * before->lft_stride;
	const size_t ports = before->fabric->n_ports * sizeof(*before->sl_row_of_port);

	if (n_entries > ENTRIES || n_rows > ROWS || sls + ports > PATHS || before->classes ||
	    now->classes || before->ar || now->ar || before->n_lft_unknown)
		return false;
	memset(key, 0, sizeof(*key));
	key->now = now;
	key->fabric = before->fabric;
	key->n_sl_rows = before->n_sl_rows;
	memcpy(key->lft, before->lft, n_entries);
	memcpy(key->rows, before->sl2vl, n_rows * sizeof(*key->rows));
	memcpy(key->paths, before->sl_rows, sls);
	memcpy(key->paths + sls, before->sl_row_of_port, ports);
	return true;
}

/* Where @key is, or is to be; what was there goes. */
static struct known *slot_of(const struct key *key)
{
	static struct known slots[SLOTS];
	uint64_t hash = (uintptr_t)key->now, word;

	for (size_t i = 0; i < sizeof(*key); i += sizeof(word)) {
		memcpy(&word, (const char *)key + i, sizeof(word));
		hash = (hash ^ word) * UINT64_C(0x9E3779B97F4A7C15);
		hash ^= hash >> 29;
	}
	return &slots[hash % SLOTS];
}

static bool are_rounds_of(const struct known *known, const struct hd_schedule *schedule)
{
	const struct hd_schedule_list *entries = &schedule->entries, *rows = &schedule->rows;

	/* the lists are those of what changes, which the key tells */
	return known->has_lists && known->schedule.n_rounds == schedule->n_rounds && entries->new &&
	       entries->n == known->n_entries &&
	       rows->n == known->n_rows &&memcmp(known->entry_new, entries->new, entries->n) == 0 &&
	       memcmp(known->entry_drop, entries->drop, entries->n) == 0 &&
	       memcmp(known->row_new, rows->new, rows->n) == 0 &&
	       memcmp(known->row_drop, rows->drop, rows->n) == 0;
}

static void own_nothing(struct hd_schedule *schedule)
{
	schedule->entries = schedule->rows = (struct hd_schedule_list){ .n = 0 };
}

static void note(struct known *known, const struct key *key, const struct hd_schedule *schedule,
		 int ret, const struct hd_error *err)
{
	const struct hd_schedule_list *entries = &schedule->entries, *rows = &schedule->rows;

	known->key = *key;
	known->is_lost_known = false;
	known->ret = ret;
	known->err = *err;
	known->schedule = *schedule;
	own_nothing(&known->schedule);
	known->has_lists = entries->new;
	known->n_entries = entries->n;
	known->n_rows = rows->n;
	if (!known->has_lists)
		return;
	memcpy(known->entry_new, entries->new, entries->n);
	memcpy(known->entry_drop, entries->drop, entries->n);
	memcpy(known->row_new, rows->new, rows->n);
	memcpy(known->row_drop, rows->drop, rows->n);
}

static int give(const struct known *known, const struct hd_tables *now,
		const struct hd_tables *before, struct hd_schedule *schedule, struct hd_error *err)
{
	struct hd_schedule lists;
	int ret;

	if (known->ret)
		*err = known->err;
	*schedule = known->schedule;
	if (!known->has_lists)
		return known->ret;
	ret = hd_rounds_new(&lists, now, before, err);
	schedule->entries = lists.entries;
	schedule->rows = lists.rows;
	if (ret) {
		hd_schedule_clear(schedule);
		return ret;
	}
	memcpy(schedule->entries.new, known->entry_new, known->n_entries);
	memcpy(schedule->entries.drop, known->entry_drop, known->n_entries);
	memcpy(schedule->rows.new, known->row_new, known->n_rows);
	memcpy(schedule->rows.drop, known->row_drop, known->n_rows);
	return known->ret;
}

int __wrap_hd_schedule_make(const struct hd_tables *now, const struct hd_tables *before,
			    struct hd_schedule *schedule, struct hd_error *err)
{
	static struct key key; /* 7 kB that need no place on the stack */
	struct known *known;
	int ret;

	if (!make_key(now, before, &key))
		return __real_hd_schedule_make(now, before, schedule, err);
	known = slot_of(&key);
	if (memcmp(&known->key, &key, sizeof(key)) == 0)
		return give(known, now, before, schedule, err);
	ret = __real_hd_schedule_make(now, before, schedule, err);
	if (!schedule->stages && ret != HD_ENOMEM)
		note(known, &key, schedule, ret, err);
	return ret;
}

/* Schedules that drop everything have other rounds, and are counted each time; dark links, too. */
int __wrap_hd_schedule_count_lost(const struct hd_schedule *schedule, const struct hd_tables *now,
				  const struct hd_tables *before, const bool *is_dark,
				  uint64_t *lost, struct hd_error *err)
{
	static struct key key;
	struct known *known = NULL;
	int ret;

	if (!is_dark && make_key(now, before, &key))
		known = slot_of(&key);
	if (known &&
	    (memcmp(&known->key, &key, sizeof(key)) != 0 || !are_rounds_of(known, schedule)))
		known = NULL;
	if (known && known->is_lost_known) {
		memcpy(lost, known->lost, sizeof(known->lost));
		return 0;
	}
	memset(lost, 0, sizeof(known->lost));
	ret = __real_hd_schedule_count_lost(schedule, now, before, is_dark, lost, err);
	if (known && !ret) {
		memcpy(known->lost, lost, sizeof(known->lost));
		known->is_lost_known = true;
	}
	return ret;
}
