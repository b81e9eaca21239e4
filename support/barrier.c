// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "support/barrier.h"

#include <sched.h>
#include <unistd.h>

/* Some 20 microseconds: what two threads lack to one another in a window of a simulation. */
#define LOOKS 2000

/* Processors that this process may use. */
static unsigned processors(void)
{
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		return (unsigned)CPU_COUNT(&set);
	return (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
}

void hd_barrier_init(struct hd_barrier *barrier, unsigned n)
{
	barrier->n = n;
	barrier->looks = n <= processors() ? LOOKS : 0;
	atomic_init(&barrier->missing, n);
	atomic_init(&barrier->turn, 0);
	atomic_init(&barrier->n_asleep, 0);
	pthread_mutex_init(&barrier->lock, NULL);
	pthread_cond_init(&barrier->met, NULL);
}

void hd_barrier_destroy(struct hd_barrier *barrier)
{
	pthread_cond_destroy(&barrier->met);
	pthread_mutex_destroy(&barrier->lock);
}

/* Tells the processor that this thread only waits. */
static inline void pause_shortly(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#elif defined(__aarch64__)
	__asm__ volatile("yield");
#endif
}

static void let_go(struct hd_barrier *barrier)
{
	atomic_store(&barrier->missing, barrier->n);
	atomic_fetch_add(&barrier->turn, 1);
	if (!atomic_load(&barrier->n_asleep))
		return;
	pthread_mutex_lock(&barrier->lock);
	pthread_cond_broadcast(&barrier->met);
	pthread_mutex_unlock(&barrier->lock);
}

static void sleep_until_met(struct hd_barrier *barrier, unsigned turn)
{
	pthread_mutex_lock(&barrier->lock);
	atomic_fetch_add(&barrier->n_asleep, 1);
	while (atomic_load(&barrier->turn) == turn)
		pthread_cond_wait(&barrier->met, &barrier->lock);
	atomic_fetch_sub(&barrier->n_asleep, 1);
	pthread_mutex_unlock(&barrier->lock);
}

void hd_barrier_wait(struct hd_barrier *barrier)
{
	unsigned turn = atomic_load_explicit(&barrier->turn, memory_order_relaxed);

	if (atomic_fetch_sub(&barrier->missing, 1) == 1) {
		let_go(barrier);
		return;
	}
	for (unsigned i = 0; i < barrier->looks; i++) {
		if (atomic_load_explicit(&barrier->turn, memory_order_acquire) != turn)
			return;
		pause_shortly();
	}
	sleep_until_met(barrier, turn);
}
