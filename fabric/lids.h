/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* LIDs as OpenSM assigns them on a fresh fabric. */
#ifndef HD_FABRIC_LIDS_H
#define HD_FABRIC_LIDS_H

#include <stdint.h>

struct hd_error;
struct hd_fabric;

/*
 * A copy of @fabric with all LIDs assigned anew, as OpenSM 3.3 does in the first sweep of a fabric
 * without LIDs: to the port that the subnet manager runs on first, then to the other end ports that
 * it finds, ascending by GUID with its bytes reversed (its port table is keyed by the GUID in
 * network byte order, on a little-endian machine). Adapters and routers get 2^@lmc LIDs from the
 * next multiple of that, switches one, as without lmc_esp0. What alignment leaves free stays free.
 *
 * A subnet manager finds neither ports without a link nor what only an adapter connects with its
 * own part of the fabric: they have LID 0 in @result.
 *
 * @sm_port is an index in ports[]; HD_NONE: the first linked port of the adapter whose name sorts
 * first (of equal names the lower GUID), or port 0 of switch 0 on a fabric without linked adapters.
 * HD_EINVAL: @sm_port is no end port or has no link; HD_ERANGE: @lmc > HD_MAX_LMC or not enough
 * unicast LIDs; HD_ENOMEM.
 */
int hd_fabric_assign_lids(const struct hd_fabric *fabric, uint32_t sm_port, unsigned lmc,
			  struct hd_fabric **result, struct hd_error *err);

/* The same with an LMC of @most, or of the most below it that there are LIDs for. */
int hd_fabric_assign_most_lids(const struct hd_fabric *fabric, uint32_t sm_port, unsigned most,
			       struct hd_fabric **result, struct hd_error *err);

#endif
