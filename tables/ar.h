/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Adaptive routing as InfiniBand switches do it: an entry of a switch's table is a port set, and
 * the switch chooses one port of the set for each packet or for each flow. A switch has an AR LFT,
 * with a state, a default port and the number of a group for each LID; and a table of groups, each
 * a port set. The default port is the LFT's entry; the AR tables do not repeat it.
 *
 * In memory: `state` and `group` have the size and the indices of the tables' LFTs, [switch *
 * lft_stride + lid]. Each switch numbers its groups from 0, and no two groups of a switch are
 * equal. A set contains the default port, and ports are port numbers of the switch (1 .. n_ports;
 * never port 0). The struct owns all of its arrays and belongs to its tables (member `ar`); if `ar`
 * is NULL, all switches forward by their LFTs alone.
 */
#ifndef HD_TABLES_AR_H
#define HD_TABLES_AR_H

#include "tables/tables.h"

/* What a switch does with packets to a LID. */
enum hd_ar_state {
	HD_AR_STATIC,  /* they leave by the default port; the entry has no group */
	HD_AR_BOUNDED, /* a flow keeps its port, any of the group, until it has been idle */
	HD_AR_FREE,    /* each packet leaves by any port of the group */
	HD_AR_STATES,
};

#define HD_AR_NO_GROUP   0xFFFFu
#define HD_AR_MAX_GROUPS 0xFFFFu /* of a switch */

/* A port set of one switch: bit n % 64 of words[n / 64] for port n. */
struct hd_port_set {
	uint64_t words[4];
};

static inline void hd_port_set_add(struct hd_port_set *set, unsigned port)
{
	set->words[port / 64] |= UINT64_C(1) << port % 64;
}

static inline void hd_port_set_remove(struct hd_port_set *set, unsigned port)
{
	set->words[port / 64] &= ~(UINT64_C(1) << port % 64);
}

static inline bool hd_port_set_has(const struct hd_port_set *set, unsigned port)
{
	return set->words[port / 64] >> port % 64 & 1;
}

/* The number of its ports. */
unsigned hd_port_set_count(const struct hd_port_set *set);

/* The lowest port of @set from @port on; HD_NO_PATH: none. */
unsigned hd_port_set_next(const struct hd_port_set *set, unsigned port);

/* The loop over the ports of @set, ascending. */
#define hd_for_each_in_set(port, set)                                        \
	for (unsigned port = hd_port_set_next((set), 0); port != HD_NO_PATH; \
	     port = hd_port_set_next((set), port + 1))

/* The group table of one switch. */
struct hd_ar_groups {
	uint32_t n, room;
	struct hd_port_set *sets; /* [group] */
};

struct hd_ar {
	uint8_t *state;              /* [as lft] enum hd_ar_state */
	uint16_t *group;             /* [as lft] HD_AR_NO_GROUP: the entry is static */
	struct hd_ar_groups *groups; /* [switch] */
};

/* Gives @tables AR tables whose entries are all static; @tables have none before. HD_ENOMEM. */
int hd_ar_new(struct hd_tables *tables, struct hd_error *err);
void hd_ar_free(struct hd_ar *ar, const struct hd_fabric *fabric);

/*
 * @group gets the number of the group of switch @s that equals @set; if there is none, a new group
 * is added. Threads may call this for different switches at once. HD_ENOMEM; HD_ERANGE: too many
 * groups.
 */
int hd_ar_intern(struct hd_ar *ar, uint32_t s, const struct hd_port_set *set, uint16_t *group);

/*
 * Sets the entry of switch @s for @lid to @set, in @state. A set of fewer than two ports makes the
 * entry static, because it leaves no choice. Threads, errors: as hd_ar_intern().
 */
int hd_ar_set(struct hd_tables *tables, uint32_t s, uint16_t lid, enum hd_ar_state state,
	      const struct hd_port_set *set);

/* The set of switch @s for @lid; NULL: the entry is static. */
static inline const struct hd_port_set *hd_ar_ports(const struct hd_tables *tables, uint32_t s,
						    uint32_t lid)
{
	const struct hd_ar *ar = tables->ar;
	uint16_t group;

	if (!ar)
		return NULL;
	group = ar->group[s * tables->lft_stride + lid];
	return group == HD_AR_NO_GROUP ? NULL : &ar->groups[s].sets[group];
}

/* "static", "bounded", "free" */
const char *hd_ar_state_name(enum hd_ar_state state);

/* Totals of AR tables. */
struct hd_ar_totals {
	uint64_t n_entries;   /* that have a group, over all switches */
	uint64_t n_ports;     /* of the groups of all these entries together */
	uint32_t most_groups; /* of the switch with the most groups */
};

void hd_ar_count(const struct hd_tables *tables, struct hd_ar_totals *totals);

#endif
