/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Windows: the states that may have forwarded packets that are under way at one moment. The window
 * of a state has the states that ended at most struct hd_history_proof.life before the state began.
 * A window that is part of another is not checked. Internal to change/.
 */
#ifndef HD_CHANGE_HISTORY_WINDOWS_H
#define HD_CHANGE_HISTORY_WINDOWS_H

#include "change/history_prover.h"

/* The first state of the batch in the window of a state that began at @time. */
size_t hd_prover_window(const struct hd_prover *prover, uint64_t time);

/*
 * Proves the mixtures of the windows of all states but the first n_old. Windows that begin at state
 * @next are part of a later window, and are not counted. States of sound windows count as proved
 * afterwards. HD_ENOMEM.
 */
int hd_prover_windows(struct hd_prover *prover, size_t next, struct hd_error *err);

#endif
