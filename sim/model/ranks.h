/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * One run on several processes, which are its ranks: each has the whole model, and runs one of its
 * domains (domains.h). At the end of a window ranks exchange mail where threads meet. At the end of
 * hd_model_run() each tells the others what it counted, so that all of them have the same results.
 * All ranks call the functions of a model in the same order.
 */
#ifndef HD_MODEL_RANKS_H
#define HD_MODEL_RANKS_H

#include <stdint.h>

#include "support/bytes.h"

struct hd_domains;
struct hd_error;

/* The transport: MPI, or what a test has instead. */
struct hd_ranks {
	unsigned rank, n;
	struct hd_bytes *out, *in; /* [rank] */

	/* Sends out[r] to each other rank r; in[r] gets what that one sent. */
	void (*exchange)(struct hd_ranks *ranks);
	void *context;
};

/* Empties out[]. */
void hd_ranks_begin(struct hd_ranks *ranks);

/* Sends what is in out[] of this rank itself to all others. */
void hd_ranks_tell(struct hd_ranks *ranks);

/* The end of a window: mail, the time of the next event, and the status of each domain. */
void hd_ranks_meet(struct hd_domains *domains, unsigned which);

/* The end of a run: what domains and ports have counted. */
void hd_ranks_share(struct hd_domains *domains);

/* @value of rank @from, in all ranks. */
uint32_t hd_ranks_value(struct hd_ranks *ranks, unsigned from, uint32_t value);

/*
 * Nobody goes on unless all can: @ret of the first rank that has an error, and that error, in all
 * ranks. NULL: one process, and @ret is its own. @err is not NULL.
 */
int hd_ranks_agree(struct hd_ranks *ranks, int ret, struct hd_error *err);

/* The error of rank @from. */
void hd_ranks_error(struct hd_ranks *ranks, unsigned from, struct hd_error *err);

/* [n] the greatest value of all ranks. */
void hd_ranks_greatest(struct hd_ranks *ranks, uint8_t *values, size_t n);

/* [n] the least value of all ranks; whether it @changed in one of them. */
bool hd_ranks_least(struct hd_ranks *ranks, uint8_t *values, size_t n, bool changed);

#endif
