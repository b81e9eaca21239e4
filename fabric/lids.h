/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LIDs as OpenSM assigns them on a fresh fabric. */
#ifndef HD_FABRIC_LIDS_H
#define HD_FABRIC_LIDS_H

#include <stdint.h>

struct hd_error;
struct hd_fabric;

/*
 * A copy of @fabric with all LIDs assigned anew: the port that the subnet manager runs on first,
 * then every linked end port in OpenSM's order, in ranges of 2^@lmc (switches: one LID, as
 * without lmc_esp0) at OpenSM's alignment. @sm_port is an index in ports[]; HD_NONE: the port
 * of the adapter whose name sorts first, or of switch 0 on a fabric without adapters.
 * HD_ERANGE: @lmc > HD_MAX_LMC or not enough unicast LIDs; HD_ENOMEM.
 */
int hd_fabric_assign_lids(const struct hd_fabric *fabric, uint32_t sm_port, unsigned lmc,
			  struct hd_fabric **result, struct hd_error *err);

#endif
