/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What must hold whenever a model stops; builds with --enable-debug check it at every stop. */
#ifndef HD_MODEL_VERIFY_H
#define HD_MODEL_VERIFY_H

#include "sim/model/state.h"

/*
 * What crossbars and ports have of who wants what is what the heads of the queues want; nothing is
 * left to be looked at; nobody has more credits than its buffer has room. False: @what tells in one
 * line what is wrong, with the switch and port.
 */
bool hd_model_verify(const struct hd_model *model, char *what, size_t size);

/* The same of rings with bubble flow control alone, which holds in a deadlock too. */
bool hd_model_verify_rings(const struct hd_model *model, char *what, size_t size);

#endif
