/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* A sequence of VCs that is long enough, where one was too short: found by trying. */
#ifndef HD_ADAPTIVE_PROOF_LONGER_H
#define HD_ADAPTIVE_PROOF_LONGER_H

#include "sim/adaptive/proof.h"

/*
 * For rule hop, whose sequence @failed says is too short: @rule gets the shortest "hop:..." that is
 * proved, of those that repeat a few patterns of links; empty: none was found. What proofs follow
 * is bounded, so a large fabric may get none, or a longer one. HD_ENOMEM.
 */
int hd_proof_find_longer(const struct hd_routed_spec *spec, const struct hd_routed *routed,
			 const struct hd_proof *failed, char *rule, size_t size,
			 struct hd_error *err);

#endif
