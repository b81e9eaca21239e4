/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What an engine has made in the last sweep that it routed, and which tables the subnet manager is
 * handed: those that the engine wants, or those of a round on the way there (change/rollout.h).
 */
#ifndef HD_MANAGER_HANDOUT_H
#define HD_MANAGER_HANDOUT_H

#include "manager/absent_nodes.h"
#include "manager/wanted.h"

/* Begin with zeros. */
struct hd_handout {
	struct hd_wanted wanted;       /* zeros before a sweep and after a refusal */
	struct hd_tables *tables;      /* that the subnet manager is handed; NULL: none */
	struct hd_absent_nodes absent; /* tables before these, of nodes that are away */
};

/*
 * What an engine that has refused since had handed out last. Nodes still hold it as long as nobody
 * else routes, and hosts have its path SLs. Begin with zeros.
 */
struct hd_orphans {
	struct hd_handout was;
	const struct hd_handout *of; /* where it was; NULL: there are none */
};

/*
 * New tables have been made, and hd_handout_take() will take them. Until then only path SLs are read
 * of those that there are: frees their LFTs and rows (hd_tables_keep_sls()).
 */
void hd_handout_keep_sls(struct hd_handout *handout);

/*
 * Takes over @wanted, and hands out @first (NULL: the goal). Of what was there before, tables stay
 * that have nodes that are away now, unless another engine was chosen, or lanes @are_fresh in every
 * sweep: hosts are taken to have asked again then.
 */
void hd_handout_take(struct hd_handout *handout, const struct hd_wanted *wanted,
		     struct hd_tables *first, bool are_fresh);

/* Hands out @first (NULL: the goal) of what stays wanted, which took @seconds to find out. */
void hd_handout_go_on(struct hd_handout *handout, struct hd_tables *first, double seconds);

/* Hands out @tables instead; they are taken over. */
void hd_handout_replace(struct hd_handout *handout, struct hd_tables *tables);

/* Whether the goal is handed out, not tables of a round before it. */
bool hd_handout_has_goal(const struct hd_handout *handout);

/* Forgets all. With @orphans, all goes there, in place of what they were. */
void hd_handout_drop(struct hd_handout *handout, struct hd_orphans *orphans);

/* Takes back what was dropped, if @orphans are of @handout. False: they are not. */
bool hd_handout_adopt(struct hd_handout *handout, struct hd_orphans *orphans);

void hd_orphans_forget(struct hd_orphans *orphans);

#endif
