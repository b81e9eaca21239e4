/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Invariants of a stopped model; builds with --enable-debug check them at every stop. */
#ifndef HD_MODEL_VERIFY_H
#define HD_MODEL_VERIFY_H

#include "sim/model/state.h"

/*
 * Requests in crossbars and ports equal what the heads of the queues want; no port is marked any
 * more; no sender has more credits than the buffer has room. False: @what gets a line with the
 * error, the switch and the port.
 */
bool hd_model_verify(const struct hd_model *model, char *what, size_t size);

/* The same only for rings with bubble flow control, which holds also in a deadlock. */
bool hd_model_verify_rings(const struct hd_model *model, char *what, size_t size);

#endif
