/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LIDs as OpenSM assigns them on a fresh fabric. */
#ifndef HD_FABRIC_LIDS_H
#define HD_FABRIC_LIDS_H

#include <stdint.h>

struct hd_error;
struct hd_fabric;

/*
 * A copy of @fabric with all LIDs assigned anew, as OpenSM 3.3 does in the first sweep of a fabric
 * without LIDs. The port that the subnet manager runs on is the first. The other end ports that
 * OpenSM finds follow, ascending by GUID with its bytes reversed (OpenSM's port table is sorted by
 * the GUID in network byte order, on a little-endian machine). An adapter or router gets 2^@lmc
 * LIDs, which begin at the next multiple of that; a switch gets one, as without lmc_esp0. LIDs that
 * alignment skips stay free.
 *
 * A subnet manager finds neither ports without a link nor a part of the fabric that only an adapter
 * connects with its own part: their ports have LID 0 in @result.
 *
 * @sm_port is an index in ports[]; HD_NONE: the first linked port of the adapter whose name sorts
 * first (of equal names the lower GUID), or port 0 of switch 0 on a fabric without linked adapters.
 * HD_EINVAL: @sm_port is no end port or has no link; HD_ERANGE: @lmc > HD_MAX_LMC or not enough
 * unicast LIDs; HD_ENOMEM.
 */
int hd_fabric_assign_lids(const struct hd_fabric *fabric, uint32_t sm_port, unsigned lmc,
			  struct hd_fabric **result, struct hd_error *err);

/* The same with the largest LMC, at most @most, for which there are enough LIDs. */
int hd_fabric_assign_most_lids(const struct hd_fabric *fabric, uint32_t sm_port, unsigned most,
			       struct hd_fabric **result, struct hd_error *err);

#endif
