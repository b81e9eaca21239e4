/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The paths to one destination, before and after a change, are two trees of switches. What is the
 * same on the rest of the way is known for a switch once it is known for the next one.
 */
#ifndef HD_TABLES_DIFF_TREES_H
#define HD_TABLES_DIFF_TREES_H

#include "tables/diff_match.h"
#include "tables/diff_vls.h"

/* What becomes of packets at a switch. NOT_COVERED: they come to one whose LFT is not known. */
enum hd_diff_fate {
	HD_FATE_UNKNOWN,
	HD_FATE_ON_STACK,
	HD_FATE_ARRIVES,
	HD_FATE_LOST,
	HD_FATE_NOT_COVERED,
};

/* A port of a switch, and what is behind its link. Four bytes: a comparison reads many of them. */
struct hd_diff_hop {
	uint16_t to;  /* a switch, which has a LID; HD_DIFF_TO_END: an end node; HD_DIFF_NOWHERE */
	uint8_t in;   /* the port at the other end */
	uint8_t twin; /* before: the port that the link leaves after; 0: the link is gone */
};

#define HD_DIFF_TO_END  0xFFFEu
#define HD_DIFF_NOWHERE 0xFFFFu

/* The switches before, or after. */
struct hd_diff_side {
	const struct hd_tables *tables;
	uint32_t n_switches;
	struct hd_diff_hop *hops; /* [port], of switches */
	struct hd_diff_switch_view {
		uint32_t first; /* of its hops */
		uint32_t twin;  /* before: the switch after; n_switches of that side: none */
		uint8_t n_ports;
		bool is_known; /* its LFT */
	} * switches;
	uint32_t *senders;  /* [switch] ports of end nodes with a LID that are linked to it */
	uint32_t n_senders; /* in all */
};

/* Clear with hd_diff_side_clear(), also on failure. HD_ENOMEM. */
int hd_diff_side_init(const struct hd_match *match, const struct hd_tables *tables, bool is_after,
		      struct hd_diff_side *side, struct hd_error *err);
void hd_diff_side_clear(struct hd_diff_side *side);

/* One destination: its port and LFT column on each side. */
struct hd_diff_destination {
	uint32_t before, after;                      /* indices in ports[] */
	const uint8_t *column_before, *column_after; /* [switch] out-port */
};

/* Trees, and room to make them. Entries for n_switches mean "linked to no switch". */
struct hd_diff_trees {
	uint8_t *fate_before, *fate_after; /* [switch, n_switches] */
	bool *same; /* [switch before] where packets arrive: links are the same from there on */
	uint64_t *equal;    /* [switch before * n_words] where same: a mask as those of struct
			    hd_diff_vls, of the VLs behind the switch's own out-port */
	uint32_t *order;    /* switches, next ones first; from the end: those that wait */
	uint32_t *carried;  /* [switch] flows that come to it */
	uint32_t *flows[2]; /* [before, after][port] flows on links between switches, so far */
};

/* Clear with hd_diff_trees_clear(), also on failure. HD_ENOMEM. */
int hd_diff_trees_init(const struct hd_diff_side *before, const struct hd_diff_side *after,
		       const struct hd_diff_vls *vls, struct hd_diff_trees *trees,
		       struct hd_error *err);
void hd_diff_trees_clear(struct hd_diff_trees *trees);

void hd_diff_trees_grow(const struct hd_diff_side *before, const struct hd_diff_side *after,
			const struct hd_diff_vls *vls,
			const struct hd_diff_destination *destination, struct hd_diff_trees *trees);

#endif
