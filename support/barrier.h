/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A barrier for threads that meet often: a thread that waits looks for the others without sleeping
 * for a short time, in which the others usually come, and sleeps after that. What threads wrote
 * before the barrier, all threads see behind it.
 */
#ifndef HD_SUPPORT_BARRIER_H
#define HD_SUPPORT_BARRIER_H

#include <pthread.h>
#include <stdatomic.h>

struct hd_barrier {
	unsigned n, looks;   /* threads; how often one looks before it sleeps */
	atomic_uint missing; /* threads that have not come yet */
	atomic_uint turn;    /* how often all have met */
	atomic_uint n_asleep;
	pthread_mutex_t lock; /* for those that sleep */
	pthread_cond_t met;
};

/* For @n threads. Nobody looks where there are fewer processors than threads. */
void hd_barrier_init(struct hd_barrier *barrier, unsigned n);
void hd_barrier_destroy(struct hd_barrier *barrier);

/* Returns when all threads have called it. */
void hd_barrier_wait(struct hd_barrier *barrier);

#endif
