/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Credits: the room in the buffer at the other end of a link, per VL. The sender counts what it uses.
 * What becomes free is noted with the receiver, where the sender looks it up when it has too few left:
 * as a rule once in as many packets as the buffer holds, so that a credit costs neither an event nor
 * a look at another port. Only a sender for whose credits a head waits has an event for each.
 */
#ifndef HD_MODEL_CREDITS_H
#define HD_MODEL_CREDITS_H

#include "simfabric/model/state.h"

/* Units that the buffer behind @out is known to have room for on @vl. */
static inline uint32_t hd_model_room(const struct hd_model *model, uint32_t out, unsigned vl)
{
	uint32_t room = hd_sender(model, out)->credits[vl];

	return model->shared ? room + model->shared[out] : room;
}

/* Takes over what was given back to @out until now. */
void hd_model_collect_credits(struct hd_model *model, uint32_t out);

/* Whether @out lacks credits for @size on @vl. If so, those on their way to it become events. */
bool hd_model_starves(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);

static inline bool hd_model_has_room(struct hd_model *model, uint32_t out, unsigned vl,
				     uint32_t size)
{
	return hd_model_room(model, out, vl) >= size || !hd_model_starves(model, out, vl, size);
}

void hd_model_use_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);
void hd_model_give_back_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);

static inline void hd_model_use(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	if (model->gauges)
		hd_gauge_buffer(model, out, vl, size);
	if (model->shared)
		hd_model_use_shared(model, out, vl, size);
	else
		hd_sender(model, out)->credits[vl] -= size;
}

static inline void hd_model_give_back(struct hd_model *model, uint32_t out, unsigned vl,
				      uint32_t size)
{
	if (model->shared)
		hd_model_give_back_shared(model, out, vl, size);
	else
		hd_sender(model, out)->credits[vl] += size;
}

/*
 * @size units of the buffer of in-port @in and @vl are free: their credit is there in the time of the
 * receiver's credit line. What was returned to an in-port before is due before.
 */
void hd_model_return_credit(struct hd_model *model, uint32_t in, unsigned vl, uint32_t size);

/* The same of a packet that is dropped while another one may be leaving the buffer. */
void hd_model_return_out_of_turn(struct hd_model *model, uint32_t in, unsigned vl, uint32_t size);

/* The same, early: the packet begins to leave now, and its tail does after @ticks. */
void hd_model_return_after(struct hd_model *model, uint32_t in, unsigned vl, uint32_t size,
			   uint64_t ticks);

#endif
