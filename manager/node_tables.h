/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the nodes of a subnet hold now, of whatever subnet manager it is: the LIDs that ports have
 * before any are assigned, and LFTs and SL2VL rows, as they were answered, as tables.
 */
#ifndef HD_MANAGER_NODE_TABLES_H
#define HD_MANAGER_NODE_TABLES_H

#include "tables/tables.h"

struct hd_error;

/* The LID that an active port had when a sweep found it. */
struct hd_found_lid {
	uint64_t guid;
	uint16_t lid;
	uint8_t lmc;
};

/* What a sweep has found, and what it could not read. Begin with zeros; clear in the end. */
struct hd_discovered {
	struct hd_found_lid *lids; /* NULL: there was no memory to note them */
	size_t n_lids, capacity;

	size_t n_unknown; /* ports that carry packets and do not answer, or nobody behind them */
	uint64_t unknown_guid; /* of the node of the first */
	unsigned unknown_port; /* its number */

	bool lacks_lids;        /* without memory */
	size_t n_unread_lfts;   /* of switches that carry packets, without memory */
	size_t n_unread_blocks; /* of LFTs of such switches, without an answer */
	size_t n_unread_rows;   /* SL2VL rows between ports that carry packets */
};

/* Makes room for the LIDs of @n ports, and forgets those that were noted. False: no memory. */
bool hd_discovered_make_room(struct hd_discovered *found, size_t n);
void hd_discovered_note(struct hd_discovered *found, uint64_t guid, uint16_t lid, uint8_t lmc);
void hd_discovered_clear(struct hd_discovered *found);

/* The @i-th line, from 0, about what could not be read, in @text; false: there are no more. */
bool hd_discovered_complaint(const struct hd_discovered *found, unsigned i, char *text,
			     size_t size);

/*
 * Why no change from what is held to tables on @fabric can be proved, in @text: a port gets another
 * LID or LMC, or ports do not answer. NULL: it may be.
 */
const char *hd_discovered_cause_to_drop(const struct hd_discovered *found,
					const struct hd_fabric *fabric, char *text, size_t size);

/*
 * Begins tables of what is held: entries and rows are those of @goal, path SLs those of @last,
 * which were handed out last, or of @goal where @last is NULL or of other LIDs: nobody can ask
 * hosts. Nodes that come back send at once, by the SLs that they had: the goal's, where @last lacks
 * them. HD_ENOMEM.
 */
int hd_node_tables(const struct hd_tables *goal, const struct hd_tables *last,
		   struct hd_tables **held, struct hd_error *err);

/*
 * Switch @s, whose LFT in @held is still that of @goal, holds @lft for LIDs below @size. NULL: it
 * carries no packets, so it holds nothing: what is in it is replaced before its links come up.
 */
void hd_node_tables_set_lft(struct hd_tables *held, const struct hd_tables *goal, uint32_t s,
			    const uint8_t *lft, size_t size);

/* A port that operates the VLs of @mask holds @is in place of the row @index. */
void hd_node_tables_set_row(struct hd_tables *held, const struct hd_tables *goal, size_t index,
			    hd_sl2vl_row is, unsigned mask);

#endif
