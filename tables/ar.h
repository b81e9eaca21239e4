/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Adaptive routing as InfiniBand switches do it: an entry of a switch's table is a port set, and
 * the switch chooses one port of the set for each packet or for each flow. A switch has an AR LFT,
 * with a state, a default port and the number of a group for each LID; and a table of groups, each
 * a port set. The default port is the LFT's entry; the AR tables do not repeat it.
 *
 * What such a switch may have besides:
 * - Subgroups: the ports of a group in order of preference. Packets may take a port of any of them.
 * - Private LFTs: up to 4 in all, number 0 is the LFT. A map gives the number for each in-port and
 *   SL, or in-port and VL. Each has its own default ports, states and groups' numbers.
 * - VL2VL: a table like SL2VL whose column is the VL on which a packet came in, not its SL. A
 * switch
 *   goes by the one or by the other. Packets from port 0 count as packets on VL 0.
 * - Static entries with a group: packets leave by the default port. While that port is down, they
 *   leave by the first subgroup that has a port which is up (local repair).
 * - SLs for which entries choose, and what goes into the hash: a live switch has that, and ar.dump
 * has
 *   not. The proof is that of all SLs and hashes.
 *
 * In memory: `state` and `group` have the size and the indices of the tables' LFTs, [switch *
 * lft_stride + lid]. Each switch numbers its groups from 0, and no two groups of a switch are
 * equal. Ports are port numbers of the switch (1 .. n_ports; never port 0), each in one subgroup. A
 * set of pLFT 0 contains the default port. The struct owns all of its arrays and belongs to its
 * tables (member `ar`); if `ar` is NULL, all switches forward by their LFTs alone.
 */
#ifndef HD_TABLES_AR_H
#define HD_TABLES_AR_H

#include "tables/tables.h"

/* What a switch does with packets to a LID. */
enum hd_ar_state {
	HD_AR_STATIC,  /* they leave by the default port; a group, if any, is for local repair */
	HD_AR_BOUNDED, /* a flow keeps its port, any of the group, until it has been idle */
	HD_AR_FREE,    /* each packet leaves by any port of the group */
	HD_AR_HASH,    /* a hash of the packet's header gives the port of the group */
	HD_AR_STATES,
};

#define HD_AR_NO_GROUP      0xFFFFu
#define HD_AR_MAX_GROUPS    0xFFFFu /* of a switch */
#define HD_AR_MAX_SUBGROUPS 16      /* of a group */
#define HD_AR_MAX_PLFTS     4       /* of a switch, with the LFT */

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

static inline void hd_port_set_merge(struct hd_port_set *set, const struct hd_port_set *more)
{
	for (unsigned w = 0; w < 4; w++)
		set->words[w] |= more->words[w];
}

/* The number of its ports. */
unsigned hd_port_set_count(const struct hd_port_set *set);

/* The lowest port of @set from @port on; HD_NO_PATH: none. */
static inline unsigned hd_port_set_next(const struct hd_port_set *set, unsigned port)
{
	uint64_t word = set->words[port / 64] >> port % 64 << port % 64;

	for (unsigned w = port / 64;; word = set->words[w]) {
		if (word)
			return w * 64 + (unsigned)__builtin_ctzll(word);
		if (++w == 4)
			return HD_NO_PATH;
	}
}

/* The loop over the ports of @set, ascending. */
#define hd_for_each_in_set(port, set)                                        \
	for (unsigned port = hd_port_set_next((set), 0); port != HD_NO_PATH; \
	     port = hd_port_set_next((set), port + 1))

/* The group table of one switch. */
struct hd_ar_groups {
	uint32_t n, room;
	struct hd_port_set *sets; /* [group] the ports of all its subgroups */
	uint32_t *first;          /* [group + 1] in subgroups[] */
	uint32_t room_subgroups;
	struct hd_port_set *subgroups;
};

/* A private LFT: [lid] of tables->lft_stride entries. */
struct hd_ar_lft {
	uint8_t *port;   /* default port, or HD_NO_PATH */
	uint8_t *state;  /* enum hd_ar_state */
	uint16_t *group; /* or HD_AR_NO_GROUP */
};

/* The VL2VL row by which packets keep their VL. */
#define HD_AR_KEEP_VL UINT64_C(0x0EDCBA9876543210)

/* What the map of a switch goes by, besides the in-port. */
enum hd_ar_key { HD_AR_BY_SL, HD_AR_BY_VL };

/* What goes into the hash of a packet at a switch. */
enum hd_ar_hash_field {
	HD_AR_HASH_SOURCE = 1 << 0,
	HD_AR_HASH_LID = 1 << 1,
	HD_AR_HASH_SL = 1 << 2,
	HD_AR_HASH_VL = 1 << 3,
	HD_AR_HASH_IN = 1 << 4, /* the in-port */
};

/* What a switch has beyond its group table. */
struct hd_ar_switch {
	unsigned n_plfts; /* 1: it has the LFT alone */
	enum hd_ar_key key;
	uint8_t *plft; /* [in-port * HD_MAX_SLS + SL or VL] number of the pLFT; NULL: always 0 */
	struct hd_ar_lft lfts[HD_AR_MAX_PLFTS - 1]; /* [number - 1] */
	/* bit s: entries that are free or bounded choose for SL s, or VL s with VL2VL */
	uint16_t adaptive_sls;
	uint16_t hash_sls;   /* the same for hash; packets of other SLs go by the default port */
	uint8_t hash_fields; /* enum hd_ar_hash_field */
	uint32_t hash_seed;
	hd_sl2vl_row *vl2vl; /* [out * (n_ports + 1) + in] the VL for each in-VL; NULL: it goes by
				SL2VL */
};

struct hd_ar {
	uint8_t *state;                /* [as lft] enum hd_ar_state */
	uint16_t *group;               /* [as lft] HD_AR_NO_GROUP: the entry has no group */
	struct hd_ar_groups *groups;   /* [switch] */
	struct hd_ar_switch *switches; /* [switch] */
};

/* Gives @tables AR tables whose entries are all static; @tables have none before. HD_ENOMEM. */
int hd_ar_new(struct hd_tables *tables, struct hd_error *err);
void hd_ar_free(struct hd_ar *ar, const struct hd_fabric *fabric);

/*
 * @group gets the number of the group of switch @s that equals @set, as its only subgroup; if there
 * is none, a new group is added. Threads may call this for different switches at once. HD_ENOMEM;
 * HD_ERANGE: too many groups.
 */
int hd_ar_intern(struct hd_ar *ar, uint32_t s, const struct hd_port_set *set, uint16_t *group);

/* The same for @n subgroups, which share no port. */
int hd_ar_intern_subgroups(struct hd_ar *ar, uint32_t s, const struct hd_port_set *subgroups,
			   unsigned n, uint16_t *group);

/*
 * Sets the entry of switch @s for @lid to @set, in @state. A set of fewer than two ports makes the
 * entry static without a group, because it leaves no choice. Threads, errors: as hd_ar_intern().
 */
int hd_ar_set(struct hd_tables *tables, uint32_t s, uint16_t lid, enum hd_ar_state state,
	      const struct hd_port_set *set);

/*
 * Gives switch @s @n pLFTs; those beside the LFT have no path, and the map says 0. Call this once.
 * HD_ENOMEM.
 */
int hd_ar_add_plfts(struct hd_tables *tables, uint32_t s, unsigned n, enum hd_ar_key key);

/*
 * Sets the entry of pLFT @plft, from 1 on, of switch @s for @lid to @n subgroups in @state, with
 * default port @port. Fewer than two ports in all make it static without a group. Threads, errors:
 * as hd_ar_intern().
 */
int hd_ar_set_private(struct hd_tables *tables, uint32_t s, unsigned plft, uint16_t lid,
		      enum hd_ar_state state, uint8_t port, const struct hd_port_set *subgroups,
		      unsigned n);

/* Makes switch @s go by VL2VL; packets keep their VLs. HD_ENOMEM. */
int hd_ar_add_vl2vl(struct hd_tables *tables, uint32_t s);

/* Whether a switch chooses among pLFTs, or goes by VL2VL: then LFTs and SL2VL do not tell paths. */
bool hd_ar_is_private(const struct hd_tables *tables);

/* Drops the AR tables of @tables, if any: LFTs and SL2VL remain. */
void hd_ar_drop(struct hd_tables *tables);

/* For @who, that follows LFTs and SL2VL: HD_EINVAL if these do not tell paths. */
int hd_ar_refuse_private(const struct hd_tables *tables, const char *who, struct hd_error *err);

/* The most pLFTs that a switch has; 1: there are no private LFTs. */
unsigned hd_ar_most_plfts(const struct hd_tables *tables);

/* How many pLFTs switch @s has, with the LFT. */
static inline unsigned hd_ar_n_plfts(const struct hd_tables *tables, uint32_t s)
{
	return tables->ar ? tables->ar->switches[s].n_plfts : 1;
}

/* The VL2VL rows of switch @s; NULL: it goes by SL2VL. */
static inline hd_sl2vl_row *hd_ar_vl2vl(const struct hd_tables *tables, uint32_t s)
{
	return tables->ar ? tables->ar->switches[s].vl2vl : NULL;
}

/* The number of the pLFT that switch @s takes for packets that come in by @in. */
static inline unsigned hd_ar_plft(const struct hd_tables *tables, uint32_t s, unsigned in,
				  unsigned sl, unsigned vl)
{
	const struct hd_ar_switch *own = tables->ar ? &tables->ar->switches[s] : NULL;

	if (!own || !own->plft)
		return 0;
	return own->plft[in * HD_MAX_SLS + (own->key == HD_AR_BY_SL ? sl : vl)];
}

/* pLFT @plft of switch @s, which has it: 0 is the LFT. Without AR tables, only its ports. */
static inline struct hd_ar_lft hd_ar_lft_of(const struct hd_tables *tables, uint32_t s,
					    unsigned plft)
{
	const size_t at = s * tables->lft_stride;

	if (plft)
		return tables->ar->switches[s].lfts[plft - 1];
	if (!tables->ar)
		return (struct hd_ar_lft){ .port = tables->lft + at };
	return (struct hd_ar_lft){ tables->lft + at, tables->ar->state + at,
				   tables->ar->group + at };
}

/* An entry of a pLFT. */
struct hd_ar_entry {
	uint8_t port; /* default port, or HD_NO_PATH */
	enum hd_ar_state state;
	uint16_t group;                /* or HD_AR_NO_GROUP */
	const struct hd_port_set *set; /* the group's ports; NULL: no group */
};

struct hd_ar_entry hd_ar_entry(const struct hd_tables *tables, uint32_t s, unsigned plft,
			       uint32_t lid);

/*
 * All ports by which packets of @entry of switch @s may leave: the default port, and those of the
 * group unless the entry is static. With @n_down above 0, also those that stand in while up to
 * @n_down ports of the switch are down. HD_NO_PATH is among them if the entry has no port.
 */
struct hd_port_set hd_ar_choices(const struct hd_tables *tables, uint32_t s,
				 const struct hd_ar_entry *entry, unsigned n_down);

/*
 * What switch @s may do while each item of its tables may be old or new, for tables on one fabric.
 *
 * The ports by which packets with @plft to @lid may leave: the entry and each group are old or new,
 * so a new entry may meet an old group. A pLFT that one side lacks has no path there. @n_down: as
 * above.
 */
struct hd_port_set hd_ar_mixed_choices(const struct hd_tables *now, const struct hd_tables *before,
				       uint32_t s, unsigned plft, uint32_t lid, unsigned n_down);

/*
 * Bits: the pLFTs that packets may have which come in by @in. Each row of the map is old or new,
 * and so is what it goes by: an old row may be read by SL if the new tables go by SL.
 */
unsigned hd_ar_mixed_plfts(const struct hd_tables *now, const struct hd_tables *before, uint32_t s,
			   unsigned in, unsigned sl, unsigned vl);

/* The set of switch @s for @lid in its LFT; NULL: the entry is static. */
static inline const struct hd_port_set *hd_ar_ports(const struct hd_tables *tables, uint32_t s,
						    uint32_t lid)
{
	const struct hd_ar *ar = tables->ar;
	size_t entry;

	if (!ar)
		return NULL;
	entry = s * tables->lft_stride + lid;
	if (ar->group[entry] == HD_AR_NO_GROUP || ar->state[entry] == HD_AR_STATIC)
		return NULL;
	return &ar->groups[s].sets[ar->group[entry]];
}

/* "static", "bounded", "free", "hash" */
const char *hd_ar_state_name(enum hd_ar_state state);

/* Totals of AR tables, over all switches. */
struct hd_ar_totals {
	uint64_t n_entries;      /* that have a group */
	uint64_t n_ports;        /* of the groups of all these entries together */
	uint32_t most_groups;    /* of the switch with the most groups */
	uint32_t n_private;      /* switches with several pLFTs */
	unsigned most_plfts;     /* of a switch */
	uint32_t n_vl2vl;        /* switches that go by VL2VL */
	unsigned most_subgroups; /* of a group */
};

void hd_ar_count(const struct hd_tables *tables, struct hd_ar_totals *totals);

#endif
