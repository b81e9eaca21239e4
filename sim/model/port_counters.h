/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Counters of ports: packets that left, and the time in which packets waited to leave. */
#ifndef HD_MODEL_PORT_COUNTERS_H
#define HD_MODEL_PORT_COUNTERS_H

#include "sim/model/state.h"

/* The bits of a sender's `alert`. */
#define HD_TRIED   1u /* a packet wanted to leave, and did not */
#define HD_STARVED 2u /* a head lacks credits */

/*
 * A port stalls while it sends nothing and a packet wants to leave by it: packets on @vls (a bit
 * each); or heads, of which @out took none. The stall lasts until the port takes a packet.
 */

void hd_model_stall(struct hd_model *model, uint32_t out, unsigned vls);
void hd_model_stall_for_turn(struct hd_model *model, uint32_t out);
void hd_model_stop_stall(struct hd_model *model, uint32_t out);

static inline void hd_model_no_turn(struct hd_model *model, uint32_t out)
{
	if (hd_counts_stalls(model))
		hd_model_stall_for_turn(model, out);
	else
		hd_sender(model, out)->alert |= HD_TRIED;
}

static inline void hd_model_end_stall(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);

	if (hd_counts_stalls(model) || sender->alert & HD_STARVED)
		hd_model_stop_stall(model, out);
	else
		sender->alert = 0;
}

/* Packets that are counted as sent by switches, but begin to leave later. */
uint64_t hd_model_hops_counted_early(const struct hd_model *model);

struct hd_bytes;

/* What @port has counted until now goes to @bytes; second function: another process wrote that. */
void hd_model_write_counters(const struct hd_model *model, uint32_t port, struct hd_bytes *bytes);
void hd_model_read_counters(struct hd_model *model, uint32_t port, struct hd_bytes *bytes);

/* Counts a packet of @size that leaves by @out. */
void hd_model_settle_sent(struct hd_model *model, uint32_t out, unsigned vl);

static inline void hd_model_count_sent(struct hd_model *model, uint32_t out, unsigned vl,
				       uint32_t size)
{
	struct lately *lately = &hd_lately(model, hd_sender(model, out))[vl];

	if (lately->units > UINT32_MAX - size)
		hd_model_settle_sent(model, out, vl);
	lately->packets++;
	lately->units += size;
}

#endif
