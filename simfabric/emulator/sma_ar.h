/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Adaptive routing of an emulated switch, as a subnet manager has set it. */
#ifndef HD_EMULATOR_SMA_AR_H
#define HD_EMULATOR_SMA_AR_H

#include "simfabric/emulator/emulator.h"

#define HD_SWITCH_AR_GROUPS   2048u
#define HD_SWITCH_AR_SET_SIZE 32
#define HD_SWITCH_AR_HBF_SIZE 20

/* Of HBFConfig: the bit of byte 0 for a random seed, the seed, the 64 bits of fields. */
#define HD_SWITCH_AR_HBF_RANDOM 0x01
#define HD_SWITCH_AR_HBF_SEED   8
#define HD_SWITCH_AR_HBF_FIELDS 12

/* What a switch does with packets to a LID, as MADs have it. */
enum hd_switch_ar_state {
	HD_SWITCH_AR_BOUNDED,
	HD_SWITCH_AR_FREE,
	HD_SWITCH_AR_STATIC,
	HD_SWITCH_AR_HASH,
};

/* An entry's default port is that of the LFT. */
struct hd_switch_ar_entry {
	uint16_t group;
	uint8_t state; /* enum hd_switch_ar_state */
};

#define HD_SWITCH_HIERARCHIES 2u  /* of a port */
#define HD_SWITCH_LEVELS      13u /* of a hierarchy, at most */

/* HierarchyInfo of a port. */
struct hd_switch_hierarchy {
	uint64_t template;
	uint32_t levels[HD_SWITCH_LEVELS];
	uint8_t n_levels; /* 0: there is none */
};

#define HD_SWITCH_TURBO_THRESHOLDS 4

/* What a subnet manager has set of Mellanox's attributes. */
struct hd_switch_ar {
	bool is_on, no_fallback, by_sl, hash_by_sl;
	uint8_t n_subgroups; /* in use */
	uint16_t top;        /* the last group in use */
	uint16_t sls, hash_sls;
	uint32_t age;
	uint8_t hbf[HD_SWITCH_AR_HBF_SIZE]; /* HBFConfig */
	struct hd_switch_ar_entry *entries; /* [n_entries], grown when written; beyond: static */
	uint32_t n_entries;
	/* [n_sets], group * n_subgroups + subgroup, as MADs have them; beyond: empty */
	uint8_t (*sets)[HD_SWITCH_AR_SET_SIZE];
	uint32_t n_sets;

	/* sma_extended.c */
	bool by_vl;    /* SLtoVLMappingTables have VLs in place of SLs: they are VL2VL tables */
	uint8_t turbo; /* ExtendedSwitchInfo, with req_delay, set_, rst_trig_th, req_trig_window */
	uint16_t turbo_thresholds[HD_SWITCH_TURBO_THRESHOLDS];
	/* [port * HD_SWITCH_HIERARCHIES + index]; NULL: none was set */
	struct hd_switch_hierarchy *hierarchies;
};

/* The entry of @sw for @lid. */
struct hd_switch_ar_entry hd_switch_ar_entry(const struct hd_emulator_switch *sw, uint32_t lid);

/* The state of switch @s, made when it is first needed; NULL: out of memory. */
struct hd_switch_ar *hd_switch_ar_find(const struct hd_emulator *emulator, uint32_t s);

/* Whether @port is in @set. */
static inline bool hd_switch_ar_has(const uint8_t *set, unsigned port)
{
	return set[HD_SWITCH_AR_SET_SIZE - 1 - port / 8] >> port % 8 & 1;
}

/* As after power-up; frees all. */
void hd_switch_ar_reset(struct hd_emulator_switch *sw);

#endif
