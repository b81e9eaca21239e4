/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Multicast is the subnet manager's: it builds a tree per group from the hop counts, after unicast
 * routing, and its packets take the engine's SL2VL tables. So they can close a cycle that unicast
 * alone does not have. With DLA, unicast never leaves VL 1 for another link between switches
 * (l-g-l: VL 1 is the last link), but a tree that is wider than l-g-l does: a packet that climbs
 * l-g-l to the root goes down again on VL 1 over further local and global links. One tree cannot
 * close a cycle, since packets never turn round in it; several trees with different roots can.
 *
 * Trees exist only after unicast routing is done and change as members come and go, so they cannot
 * be part of the proof that decides about an engine. They are proved at the end of every heavy
 * sweep instead, unicast included, and a cycle is reported: the way out is fewer groups.
 */
#ifndef HD_MANAGER_MULTICAST_TABLES_H
#define HD_MANAGER_MULTICAST_TABLES_H

#include "tables/tables.h"

struct hd_error;

/* Multicast forwarding as switches have it, in blocks. Begin with zeros. */
struct hd_mft_list {
	struct hd_mft_entry *entries;
	size_t n, capacity;
};

/*
 * Adds ports of switch @s for @mlid: bit b of @mask is port 16 * @position + b. Blocks of 32 MLIDs
 * come in ascending order, switch by switch. False: out of memory.
 */
bool hd_mft_list_add(struct hd_mft_list *list, uint32_t s, unsigned mlid, unsigned position,
		     uint16_t mask);

/* Gives the list, which is empty then, to @tables in place of what they have. */
void hd_mft_list_give(struct hd_mft_list *list, struct hd_tables *tables);
void hd_mft_list_clear(struct hd_mft_list *list);

/* A number that is another one for other tables: whether the same were proved before. */
uint64_t hd_multicast_digest(const struct hd_tables *tables);

enum hd_multicast_verdict {
	HD_MULTICAST_NO_NEWS, /* there are no trees, or the same tables were judged last */
	HD_MULTICAST_SOUND,
	HD_MULTICAST_UNSOUND,
	HD_MULTICAST_NOT_CHECKED, /* for an error */
};

/*
 * Judges @tables as hd_multicast_prove() does, unless @digest is that of them; @digest becomes
 * theirs. @text gets a line to tell, behind the engine's name.
 */
enum hd_multicast_verdict hd_multicast_judge(const struct hd_tables *tables, unsigned max_vls,
					     bool all_sls, uint64_t *digest, char *text,
					     size_t size);

/*
 * Proves unicast and multicast of @tables together; with @all_sls, groups may have any SL, where
 * only loops count. @summary gets a line. *@is_sound: the result. The errors of hd_check().
 */
int hd_multicast_prove(const struct hd_tables *tables, unsigned max_vls, bool all_sls,
		       bool *is_sound, char *summary, size_t size, struct hd_error *err);

#endif
