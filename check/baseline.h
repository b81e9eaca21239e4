/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Loads and dependencies of a fabric without some links, from those of the whole fabric.
 *
 * The baseline has the flows of the whole fabric as sums. A variant is the same fabric without some
 * links between switches. The tables of a variant differ in few columns. So the variant follows
 * only the flows to these destinations: it subtracts them by the old tables, and adds them by the
 * new tables. A dependency between channels appears with its first flow, and disappears with its
 * last one. The variant repairs the baseline's order of channels (check/channels.h), and looks at
 * no other dependency.
 *
 * Several threads may read a baseline. Each thread has a variant of its own.
 */
#ifndef HD_CHECK_BASELINE_H
#define HD_CHECK_BASELINE_H

#include "check/channels.h"
#include "check/flow_sums.h"
#include "check/flow_trees.h"

/* Which flows the baseline counts. */
struct hd_baseline_request {
	const struct hd_tables *tables; /* their LFTs; they outlive the baseline */
	struct hd_flow_lanes lanes;     /* likewise */
	unsigned n_lanes, n_classes;    /* where lanes matter */
	bool to_ends;                   /* uses at the last switch count, too */
	bool (*has_load)(const struct hd_fabric *fabric, uint32_t lid);
	bool (*is_host)(const struct hd_fabric *fabric, uint32_t port); /* sends flows that count */
};

/* An entry that sends flows to another port than the baseline does. */
struct hd_variant_turn {
	uint32_t lid, s;
};

/* A use that only the variant has, or only the baseline. */
struct hd_variant_change {
	struct hd_flow_use use;
	struct hd_channel_edge edge; /* its dependency, */
	bool has_edge;               /* if it is between links of switches */
};

struct hd_baseline {
	const struct hd_tables *tables;
	struct hd_flow_view view;
	struct hd_flow_lanes lanes;
	struct hd_flow_sums sums;
	uint32_t *n_lost;            /* [LID] switches from which packets do not arrive */
	struct hd_channels channels; /* where lanes matter: ranked */
};

/*
 * HD_ERANGE: that takes too many states or too much memory, a flow leaves the lanes and classes, or
 * the dependencies have a cycle; HD_ENOMEM. Clear in any case.
 */
int hd_baseline_init(struct hd_baseline *base, const struct hd_baseline_request *request,
		     struct hd_error *err);
void hd_baseline_clear(struct hd_baseline *base);

/* Whether @use makes a dependency of two links between switches; @edge gets it. */
bool hd_baseline_edge_of(const struct hd_baseline *base, const struct hd_flow_use *use,
			 struct hd_channel_edge *edge);

/* The flows of a fabric without some links. */
struct hd_variant {
	const struct hd_baseline *base; /* NULL: not prepared */
	struct hd_flow_sums sums;
	struct hd_channels channels;

	uint32_t n_cut;     /* ports that have lost their links */
	uint32_t *cut;      /* [port] */
	uint32_t n_dirty;   /* destinations whose flows were followed */
	uint16_t *dirty;    /* ascending */
	uint32_t *n_lost;   /* [LID], of these: switches from which packets do not arrive */
	uint64_t n_changed; /* LFT entries that differ, of LIDs that somebody has */
	bool is_acyclic;    /* where lanes matter */
	size_t n_added, n_removed;
	struct hd_variant_change *added;   /* uses of the variant alone */
	struct hd_variant_change *removed; /* uses of the baseline alone */

	/* Private. */
	struct hd_flow_scratch scratch;
	struct hd_flow_tree tree;
	size_t n_all_lost, lost_capacity;
	uint32_t *all_lost;   /* switches, by LID */
	uint32_t *first_lost; /* [LID] in all_lost[] */
	size_t n_turns, turns_capacity;
	struct hd_variant_turn *turns; /* entries by which flows go otherwise, or do not arrive */
	uint32_t *first_turn;          /* [LID + 1] */
	uint32_t *turned;              /* [of all turns, by LID] the switch */
	size_t turned_capacity;
	bool *has_new_classes; /* [LID] */
	uint32_t *mark;        /* [switch] */
	uint32_t stamp;
	uint32_t *affected; /* switches whose flows to a LID change */
	uint32_t n_affected;
	size_t added_capacity, removed_capacity;
	bool is_reordered;
};

/*
 * Whether a variant is worth the time. It takes half as long as a study from nothing, so after
 * eight failures in sequence, only every eighth set tries it.
 */
struct hd_variant_tries {
	unsigned n_unknown, n_asked;
};

static inline bool hd_variant_is_worth_asking(struct hd_variant_tries *tries)
{
	return tries->n_unknown < 8 || ++tries->n_asked % 8 == 0;
}

static inline void hd_variant_answered(struct hd_variant_tries *tries, bool is_known)
{
	tries->n_unknown = is_known ? 0 : tries->n_unknown + 1;
}

/* Prepares @variant for @base, which outlives it. HD_ENOMEM. Clear in any case. */
int hd_variant_init(struct hd_variant *variant, const struct hd_baseline *base,
		    struct hd_error *err);
void hd_variant_clear(struct hd_variant *variant);

/*
 * Follows the flows by the LFTs of @tables and @lanes. *@is_known false: the baseline does not
 * suffice, because other lanes are in use or the fabric lacks more than links between switches;
 * @variant then says nothing. HD_ENOMEM. Call hd_variant_reset() in any case.
 */
int hd_variant_follow(struct hd_variant *variant, const struct hd_tables *tables,
		      const struct hd_flow_lanes *lanes, bool *is_known, struct hd_error *err);

/* Makes the sums and the order of @variant those of its baseline again. */
void hd_variant_reset(struct hd_variant *variant);

/*
 * Number of switches from which packets to @lid do not arrive. @lost gets these switches in
 * descending order, or NULL where only their number is known.
 */
uint32_t hd_variant_lost(const struct hd_variant *variant, uint32_t lid, const uint32_t **lost);

#endif
