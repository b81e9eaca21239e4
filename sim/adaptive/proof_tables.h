/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The proof of flexible VCs within the tables' layers ("flexvc"); paths are the tables'. */
#ifndef HD_ADAPTIVE_PROOF_TABLES_H
#define HD_ADAPTIVE_PROOF_TABLES_H

#include "sim/adaptive/proof.h"

/* hd_proof_make() for @routed with that VC rule. HD_ENOMEM. */
int hd_proof_of_tables(const struct hd_routed *routed, struct hd_proof *proof,
		       struct hd_error *err);

#endif
