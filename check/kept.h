/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The flows of a whole fabric, kept for tables of what is left of it without some links between
 * switches. Such tables differ in few columns. Only the flows to these destinations are followed, by
 * the old and by the new tables: the sums of all others stay, and dependencies between channels come
 * and go where a use has its first or last destination. The order of channels is kept, too, and
 * repaired (check/channels.h), so that no other dependency is looked at.
 *
 * A base is made once, and several threads may read it; each has a struct hd_kept_now.
 */
#ifndef HD_CHECK_KEPT_H
#define HD_CHECK_KEPT_H

#include "check/channels.h"
#include "check/kept_sums.h"

/* What is to be kept, of which flows. */
struct hd_kept_request {
	const struct hd_tables *tables; /* their LFTs; they outlive what is kept */
	struct hd_kept_lanes lanes;     /* likewise */
	unsigned n_lanes, n_classes;    /* where lanes matter */
	bool to_ends;                   /* uses at the last switch count, too */
	bool (*has_load)(const struct hd_fabric *fabric, uint32_t lid);
	bool (*is_host)(const struct hd_fabric *fabric, uint32_t port); /* sends flows that count */
};

/* An entry by which flows go otherwise than before. */
struct hd_kept_turn {
	uint32_t lid, s;
};

/* A use that there was none of before, or of which there is none now. */
struct hd_kept_change {
	struct hd_kept_use use;
	struct hd_channel_edge edge; /* its dependency, */
	bool has_edge;               /* if it is between links of switches */
};

struct hd_kept {
	const struct hd_tables *tables;
	struct hd_kept_view view;
	struct hd_kept_lanes lanes;
	struct hd_kept_sums sums;
	uint32_t *n_lost;            /* [LID] switches from which packets do not arrive */
	struct hd_channels channels; /* where lanes matter: ranked */
};

/*
 * HD_ERANGE: that takes too many states or too much memory, a flow leaves the lanes and classes, or
 * the dependencies have a cycle; HD_ENOMEM. Clear in any case.
 */
int hd_kept_init(struct hd_kept *kept, const struct hd_kept_request *request, struct hd_error *err);
void hd_kept_clear(struct hd_kept *kept);

/* Whether @use makes a dependency of two links between switches; @edge gets it. */
bool hd_kept_edge_of(const struct hd_kept *kept, const struct hd_kept_use *use,
		     struct hd_channel_edge *edge);

/* The flows of other tables. */
struct hd_kept_now {
	const struct hd_kept *kept; /* NULL: not prepared */
	struct hd_kept_sums sums;
	struct hd_channels channels;

	uint32_t n_cut;     /* ports that have lost their links */
	uint32_t *cut;      /* [port] */
	uint32_t n_dirty;   /* destinations whose flows were followed */
	uint16_t *dirty;    /* ascending */
	uint32_t *n_lost;   /* [LID], of these: switches from which packets do not arrive */
	uint64_t n_changed; /* LFT entries that differ, of LIDs that somebody has */
	bool is_acyclic;    /* where lanes matter */
	size_t n_born, n_gone;
	struct hd_kept_change *born; /* uses that there were none of, */
	struct hd_kept_change *gone; /* and of which there are none */

	/* Private. */
	struct hd_kept_scratch scratch;
	size_t n_all_lost, lost_capacity;
	uint32_t *all_lost;   /* switches, by LID */
	uint32_t *first_lost; /* [LID] in all_lost[] */
	size_t n_turns, turns_capacity;
	struct hd_kept_turn *turns; /* entries by which flows go otherwise, or do not arrive */
	uint32_t *first_turn;       /* [LID + 1] */
	uint32_t *turned;           /* [of all turns, by LID] the switch */
	size_t turned_capacity;
	bool *has_new_classes; /* [LID] */
	uint32_t *mark;        /* [switch] */
	uint32_t stamp;
	uint32_t *affected; /* switches whose flows to a LID change */
	uint32_t n_affected;
	size_t born_capacity, gone_capacity;
	uint64_t *is_listed; /* [use / 64] bits: it is in one of these */
	bool is_reordered;
};

/*
 * Whether to ask what is kept: where it has not told for long, only sometimes, since asking takes as
 * long as half of the answer from nothing.
 */
struct hd_kept_luck {
	unsigned n_in_vain, n_asked;
};

static inline bool hd_kept_is_worth(struct hd_kept_luck *luck)
{
	return luck->n_in_vain < 8 || ++luck->n_asked % 8 == 0;
}

static inline void hd_kept_learn(struct hd_kept_luck *luck, bool is_known)
{
	luck->n_in_vain = is_known ? 0 : luck->n_in_vain + 1;
}

/* Prepares @now for @kept, which outlives it. HD_ENOMEM. Clear in any case. */
int hd_kept_now_init(struct hd_kept_now *now, const struct hd_kept *kept, struct hd_error *err);
void hd_kept_now_clear(struct hd_kept_now *now);

/*
 * Follows the flows by the LFTs of @tables and @lanes. *@is_known false: they cannot be told from
 * what is kept, since the fabric differs in more than links between switches or lanes differ, and
 * nothing else is said. HD_ENOMEM. Call hd_kept_back() in any case.
 */
int hd_kept_follow(struct hd_kept_now *now, const struct hd_tables *tables,
		   const struct hd_kept_lanes *lanes, bool *is_known, struct hd_error *err);

/* Makes @now that of the base again. */
void hd_kept_back(struct hd_kept_now *now);

/*
 * From how many switches packets to @lid do not arrive. @lost gets these, descending; NULL: which
 * they are is not known.
 */
uint32_t hd_kept_lost(const struct hd_kept_now *now, uint32_t lid, const uint32_t **lost);

#endif
