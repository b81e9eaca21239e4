/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Parts of making a model, in the order in which hd_model_new() calls them. */
#ifndef HD_MODEL_BUILD_H
#define HD_MODEL_BUILD_H

#include "sim/model/state.h"

/* The options, with defaults filled in. */
struct hd_model_options hd_model_defaults(const struct hd_model_options *given);

/* HD_EINVAL: options that are out of range, do not go together, or do not go with @tables. */
int hd_model_check_options(const struct hd_tables *tables, const struct hd_model_options *options,
			   struct hd_error *err);

/* Sets model->rates to those of the classes of links, and whether links have several. */
void hd_model_begin_rates(struct hd_model *model);

/* Divides a port's buffer among its VCs. HD_EINVAL: a part has no room for a packet; HD_ENOMEM. */
int hd_model_divide_buffers(struct hd_model *model, struct hd_error *err);

/* Sets the least and the most that a VL has of a shared buffer. */
void hd_model_set_shares(struct hd_model *model);

/*
 * Makes senders and receivers. All buffers are empty, so senders have all credits. HD_ERANGE: links
 * have too many rates; HD_ENOMEM.
 */
int hd_model_make_links(struct hd_model *model, struct hd_error *err);

#endif
