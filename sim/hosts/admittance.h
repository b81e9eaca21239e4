/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Queues per destination at hosts (admittance_destination.c). */
#ifndef HD_HOSTS_ADMITTANCE_H
#define HD_HOSTS_ADMITTANCE_H

#include "sim/model/state.h"

int hd_admittance_new(struct hd_model *model);
void hd_admittance_free(struct hd_admittances *admittances);

/*
 * First function: packet @index was generated. Second: packet @index was sent, so another may
 * follow.
 */
void hd_admittance_add(struct hd_model *model, uint32_t index);
void hd_admittance_sent(struct hd_model *model, uint32_t index);

/* Credits came for which packets in queues of @host may have waited. */
void hd_admittance_retry(struct hd_model *model, uint32_t host);

/* Whether the injection queue of @out and @vl has room. */
static inline bool hd_admittance_has_room(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return !model->injection.admittances || vl == HD_VL_DROP ||
	       model->injection.admitted[out * (size_t)hd_n_vls(model) + vl] <
		       model->options.injection;
}

#endif
