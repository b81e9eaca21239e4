/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which ports of a fabric the sets of a rule file have. Ports stand for nodes: port 0 for a switch,
 * each port that is linked to a switch for an adapter or router. So a set can have one rail of a
 * host. Other ports are in no set.
 */
#ifndef HD_INTENT_RULE_SETS_H
#define HD_INTENT_RULE_SETS_H

#include "fabric/fabric.h"
#include "intent/rule_file.h"

struct hd_members {
	const struct hd_fabric *fabric;
	uint32_t n_sets;
	bool *in;        /* [set * n_ports + port] */
	uint32_t *nodes; /* [set] */
	uint32_t *at; /* [port] the switch itself, or that which it is linked to; HD_NONE: the port
			    is in no set */
	uint32_t *rail; /* [port] of end nodes: its number among the ports of its host; of switches:
			    that of what is below; HD_NONE: none */
	uint32_t *group; /* [switch] of a dragonfly or Dragonfly+; NULL: nobody asks */
	uint32_t *level; /* [switch] links to the nearest switch with hosts; HD_NONE: no path */
	bool has_levels; /* as those of a tree */
};

/*
 * HD_EPARSE, with the line of @rules: they ask for groups or levels that @fabric does not have.
 * HD_ENOMEM. Clear in any case.
 */
int hd_members_find(const struct hd_rules *rules, const struct hd_fabric *fabric,
		    struct hd_members *members, struct hd_error *err);
void hd_members_clear(struct hd_members *members);

static inline const bool *hd_members_of(const struct hd_members *members, uint32_t set)
{
	return members->in + (size_t)set * members->fabric->n_ports;
}

#endif
