/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What ports count: what left by them, and how long what wanted to leave did not. */
#ifndef HD_MODEL_COUNTERS_H
#define HD_MODEL_COUNTERS_H

#include "simfabric/model/state.h"

/*
 * Packets on @vls (a bit each) want to leave by @out, which sends nothing; heads want @out, which
 * took none. Until @out takes one, its `waits` is not 0, and a credit makes it be looked at again:
 * HD_TRIED is set always, HD_STARVED if a head lacks credits; where waits are counted, bit n while
 * VL n's is.
 */
#define HD_TRIED   (1u << 16)
#define HD_STARVED (1u << 17)

void hd_model_begin_wait(struct hd_model *model, uint32_t out, unsigned vls);
void hd_model_begin_wait_for_turn(struct hd_model *model, uint32_t out);
void hd_model_stop_waiting(struct hd_model *model, uint32_t out);

static inline void hd_model_wait_for_turn(struct hd_model *model, uint32_t out)
{
	if (hd_has_waits(model))
		hd_model_begin_wait_for_turn(model, out);
	else
		hd_sender(model, out)->waits |= HD_TRIED;
}

static inline void hd_model_end_wait(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);

	if (hd_has_waits(model) || sender->waits & HD_STARVED)
		hd_model_stop_waiting(model, out);
	else
		sender->waits = 0;
}

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
