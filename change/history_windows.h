/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Windows: the states in which packets that live for a while may have been under way at one moment.
 * The window of a state are those that were over no longer than struct hd_history_proof.life before
 * the state came; a window that another one has within is not looked at. Internal to check/.
 */
#ifndef HD_CHANGE_HISTORY_WINDOWS_H
#define HD_CHANGE_HISTORY_WINDOWS_H

#include "change/history_prover.h"

/* The first state, of those taken together, of the window of one that came at @time. */
size_t hd_prover_window(const struct hd_prover *prover, uint64_t time);

/*
 * Proves the mixtures of the windows of the states beside the n_old first. Those that begin at state
 * @next are part of one that will be asked later, and are not counted. States of sound windows are
 * proved then. HD_ENOMEM.
 */
int hd_prover_windows(struct hd_prover *prover, size_t next, struct hd_error *err);

#endif
