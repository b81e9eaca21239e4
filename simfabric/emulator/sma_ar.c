// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Adaptive routing of Mellanox's switches, as public headers lay its attributes out
 * (docs/emulator.md, "Adaptive routing"): AdaptiveRoutingInfo, ARGroupTable,
 * ARLinearForwardingTable, HBFConfig, and the capability mask of GeneralInfo. A switch keeps what
 * is set, and traffic follows it. There are no private LFTs: no public header says how the modifier
 * names one.
 */
#include "simfabric/emulator/sma_ar.h"

#include <stdlib.h>

#include "simfabric/emulator/private.h"
#include "simfabric/emulator/sma.h"

/* AdaptiveRoutingInfo: bytes, and bits in them. */
#define INFO_FLAGS        0
#define NO_FALLBACK       0x01
#define GLOBAL_GROUPS     0x04
#define BY_SL_CAP         0x08
#define BY_SL             0x10
#define INFO_SUBGROUPS    2 /* in use, low 4 bits */
#define INFO_FEATURES     3
#define IS_ON             0x01
#define INFO_GROUPS       4 /* 4 bits tables, 12 bits top, 12 bits capacity, behind 4 bits */
#define INFO_SL_MASK      8
#define INFO_MAX_SUBGROUP 10
#define INFO_VERSION      11
#define INFO_AGE          16
#define INFO_CAPABILITIES 20
#define CAN_HASH          0x80
#define INFO_FEATURES2    22
#define HASH_BY_SL        0x80
#define INFO_HASH_SLS     26

#define GROUP_TABLES  1u
#define MAX_SUBGROUPS 2
#define AR_VERSION    1

#define BLOCK_SETS    2  /* of ARGroupTable, 32 bytes each */
#define BLOCK_ENTRIES 16 /* of ARLinearForwardingTable, 4 bytes each */

/* HBFConfig: types of the seed and of the hash in byte 0, the seed and the fields behind. */
#define SEED_TYPE 0x03
#define HASH_TYPE 0xF0
#define XOR_HASH  0x10

/* GeneralInfo: the page with the capability mask; bits of its first word and of its third. */
#define PAGE_CAPABILITIES        4
#define HAS_AR                   0x00000002u
#define HAS_AR_REVISION          0x00000004u
#define HAS_EXTENDED_NODE_INFO   0x00002000u
#define EXTENDED_AT              8
#define HAS_EXTENDED_SWITCH_INFO 0x00000008u

struct hd_switch_ar_entry hd_switch_ar_entry(const struct hd_emulator_switch *sw, uint32_t lid)
{
	static const struct hd_switch_ar_entry none = { .state = HD_SWITCH_AR_STATIC };

	return sw->ar && lid < sw->ar->n_entries ? sw->ar->entries[lid] : none;
}

void hd_switch_ar_reset(struct hd_emulator_switch *sw)
{
	if (sw->ar) {
		free(sw->ar->entries);
		free(sw->ar->sets);
		free(sw->ar->hierarchies);
	}
	free(sw->ar);
	sw->ar = NULL;
}

struct hd_switch_ar *hd_switch_ar_find(const struct hd_emulator *emulator, uint32_t s)
{
	struct hd_switch_ar **ar = &emulator->switches[s].ar;

	if (!*ar) {
		*ar = calloc(1, sizeof(**ar));
		if (*ar)
			(*ar)->n_subgroups = 1;
	}
	return *ar;
}

static struct hd_switch_ar *find(const struct hd_smp *smp)
{
	return hd_switch_ar_find(smp->emulator, smp->node);
}

unsigned hd_sma_get_general_info(struct hd_smp *smp)
{
	if (smp->modifier != PAGE_CAPABILITIES)
		return HD_STATUS_BAD_FIELD;
	hd_put32(smp->data, HAS_AR | HAS_AR_REVISION | HAS_EXTENDED_NODE_INFO);
	hd_put32(smp->data + EXTENDED_AT, HAS_EXTENDED_SWITCH_INFO);
	return HD_STATUS_OK;
}

static void put_info(const struct hd_switch_ar *ar, uint8_t *data)
{
	memset(data, 0, HD_SMP_DATA_SIZE);
	data[INFO_FLAGS] = (uint8_t)(GLOBAL_GROUPS | BY_SL_CAP |
				     (ar->no_fallback ? NO_FALLBACK : 0) | (ar->by_sl ? BY_SL : 0));
	data[INFO_SUBGROUPS] = ar->n_subgroups;
	data[INFO_FEATURES] = ar->is_on ? IS_ON : 0;
	hd_put32(data + INFO_GROUPS,
		 GROUP_TABLES << 24 | (uint32_t)ar->top << 12 | HD_SWITCH_AR_GROUPS);
	hd_put16(data + INFO_SL_MASK, ar->sls);
	data[INFO_MAX_SUBGROUP] = MAX_SUBGROUPS;
	data[INFO_VERSION] = AR_VERSION;
	hd_put32(data + INFO_AGE, ar->age);
	data[INFO_CAPABILITIES] = CAN_HASH;
	data[INFO_FEATURES2] = ar->hash_by_sl ? HASH_BY_SL : 0;
	hd_put16(data + INFO_HASH_SLS, ar->hash_sls);
}

unsigned hd_sma_get_ar_info(struct hd_smp *smp)
{
	const struct hd_switch_ar *ar = find(smp);

	if (smp->modifier)
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	put_info(ar, smp->data);
	return HD_STATUS_OK;
}

unsigned hd_sma_set_ar_info(struct hd_smp *smp)
{
	struct hd_switch_ar *ar = find(smp);
	const uint8_t n_subgroups = smp->data[INFO_SUBGROUPS] & 0xF;
	const uint32_t top = hd_get32(smp->data + INFO_GROUPS) >> 12 & 0xFFF;

	if (smp->modifier || top >= HD_SWITCH_AR_GROUPS || n_subgroups > MAX_SUBGROUPS)
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	/* groups would have other places in the table: none stays */
	if (n_subgroups && n_subgroups != ar->n_subgroups)
		ar->n_sets = 0;
	if (n_subgroups)
		ar->n_subgroups = n_subgroups;
	ar->is_on = smp->data[INFO_FEATURES] & IS_ON;
	ar->no_fallback = smp->data[INFO_FLAGS] & NO_FALLBACK;
	ar->by_sl = smp->data[INFO_FLAGS] & BY_SL;
	ar->top = (uint16_t)top;
	ar->sls = hd_get16(smp->data + INFO_SL_MASK);
	ar->age = hd_get32(smp->data + INFO_AGE);
	ar->hash_by_sl = smp->data[INFO_FEATURES2] & HASH_BY_SL;
	ar->hash_sls = hd_get16(smp->data + INFO_HASH_SLS);
	put_info(ar, smp->data);
	return HD_STATUS_OK;
}

/* The first set of the block; HD_NONE: there is no such block. */
static uint32_t first_set(const struct hd_smp *smp, const struct hd_switch_ar *ar)
{
	const uint32_t n_sets = HD_SWITCH_AR_GROUPS * ar->n_subgroups;

	return smp->modifier < n_sets / BLOCK_SETS ? smp->modifier * BLOCK_SETS : HD_NONE;
}

unsigned hd_sma_get_ar_groups(struct hd_smp *smp)
{
	const struct hd_switch_ar *ar = find(smp);
	const uint32_t first = ar ? first_set(smp, ar) : 0;

	if (!ar)
		return HD_STATUS_BUSY;
	if (first == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	if (first < ar->n_sets)
		memcpy(smp->data, ar->sets[first], HD_SMP_DATA_SIZE);
	return HD_STATUS_OK;
}

/* Whether a set names ports that the switch does not have, or its port 0. */
static bool names_others(const uint8_t *set, unsigned n_ports)
{
	for (unsigned port = 0; port < 8 * HD_SWITCH_AR_SET_SIZE; port++)
		if ((!port || port > n_ports) && hd_switch_ar_has(set, port))
			return true;
	return false;
}

unsigned hd_sma_set_ar_groups(struct hd_smp *smp)
{
	struct hd_switch_ar *ar = find(smp);
	const uint32_t first = ar ? first_set(smp, ar) : 0;
	const unsigned n_ports = smp->emulator->fabric->nodes[smp->node].n_ports;

	if (!ar)
		return HD_STATUS_BUSY;
	if (first == HD_NONE || names_others(smp->data, n_ports) ||
	    names_others(smp->data + HD_SWITCH_AR_SET_SIZE, n_ports))
		return HD_STATUS_BAD_FIELD;
	if (first + BLOCK_SETS > ar->n_sets) {
		uint8_t(*sets)[HD_SWITCH_AR_SET_SIZE] =
			realloc(ar->sets, (first + BLOCK_SETS) * sizeof(*sets));

		if (!sets)
			return HD_STATUS_BUSY;
		memset(sets[ar->n_sets], 0, (first + BLOCK_SETS - ar->n_sets) * sizeof(*sets));
		ar->sets = sets;
		ar->n_sets = first + BLOCK_SETS;
	}
	memcpy(ar->sets[first], smp->data, HD_SMP_DATA_SIZE);
	return HD_STATUS_OK;
}

/* The first LID of the block; HD_NONE: there is no such block. */
static uint32_t first_lid(const struct hd_smp *smp)
{
	const uint32_t cap = smp->emulator->options.linear_fdb_cap;

	return smp->modifier < (cap + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES
		       ? smp->modifier * BLOCK_ENTRIES
		       : HD_NONE;
}

unsigned hd_sma_get_ar_lft(struct hd_smp *smp)
{
	const struct hd_emulator_switch *sw = &smp->emulator->switches[smp->node];
	const uint32_t first = first_lid(smp);

	if (first == HD_NONE)
		return HD_STATUS_BAD_FIELD;
	for (unsigned i = 0; i < BLOCK_ENTRIES; i++) {
		const struct hd_switch_ar_entry entry = hd_switch_ar_entry(sw, first + i);
		uint8_t *field = smp->data + 4 * i;

		field[0] = (uint8_t)(entry.state << 6);
		field[1] = first + i < sw->lft_size ? sw->lft[first + i] : HD_NO_PATH;
		hd_put16(field + 2, entry.group);
	}
	return HD_STATUS_OK;
}

/* Whether an entry can be: a group that may be, of the only group table, and a port. */
static bool is_entry(const uint8_t *field, unsigned n_ports)
{
	const bool is_static = field[0] >> 6 == HD_SWITCH_AR_STATIC;

	return !(field[0] & 0x0F) && (is_static || hd_get16(field + 2) < HD_SWITCH_AR_GROUPS) &&
	       (field[1] <= n_ports || field[1] == HD_NO_PATH);
}

static bool grow_entries(struct hd_switch_ar *ar, uint32_t n)
{
	struct hd_switch_ar_entry *entries;

	if (n <= ar->n_entries)
		return true;
	entries = realloc(ar->entries, n * sizeof(*entries));
	if (!entries)
		return false;
	for (uint32_t i = ar->n_entries; i < n; i++)
		entries[i] = (struct hd_switch_ar_entry){ .state = HD_SWITCH_AR_STATIC };
	ar->entries = entries;
	ar->n_entries = n;
	return true;
}

unsigned hd_sma_set_ar_lft(struct hd_smp *smp)
{
	struct hd_emulator_switch *sw = &smp->emulator->switches[smp->node];
	const unsigned n_ports = smp->emulator->fabric->nodes[smp->node].n_ports;
	const uint32_t first = first_lid(smp);
	struct hd_switch_ar *ar = find(smp);

	for (unsigned i = 0; i < BLOCK_ENTRIES; i++)
		if (first == HD_NONE || !is_entry(smp->data + 4 * i, n_ports))
			return HD_STATUS_BAD_FIELD;
	if (!ar || !hd_linear_table_reserve(sw, first + BLOCK_ENTRIES) ||
	    !grow_entries(ar, first + BLOCK_ENTRIES))
		return HD_STATUS_BUSY;
	for (unsigned i = 0; i < BLOCK_ENTRIES; i++) {
		const uint8_t *field = smp->data + 4 * i;

		sw->lft[first + i] = field[1];
		ar->entries[first + i].state = field[0] >> 6;
		ar->entries[first + i].group = hd_get16(field + 2);
	}
	return hd_sma_get_ar_lft(smp);
}

unsigned hd_sma_get_hbf(struct hd_smp *smp)
{
	const struct hd_switch_ar *ar = find(smp);

	if (smp->modifier)
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	memset(smp->data, 0, HD_SMP_DATA_SIZE);
	memcpy(smp->data, ar->hbf, sizeof(ar->hbf));
	return HD_STATUS_OK;
}

unsigned hd_sma_set_hbf(struct hd_smp *smp)
{
	struct hd_switch_ar *ar = find(smp);

	if (smp->modifier || (smp->data[0] & SEED_TYPE) > 1 ||
	    (smp->data[0] & HASH_TYPE) > XOR_HASH)
		return HD_STATUS_BAD_FIELD;
	if (!ar)
		return HD_STATUS_BUSY;
	memcpy(ar->hbf, smp->data, sizeof(ar->hbf));
	memset(ar->hbf + 1, 0, 7);
	ar->hbf[0] &= SEED_TYPE | HASH_TYPE;
	return hd_sma_get_hbf(smp);
}
