/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A loop that waits for many descriptors (epoll). Carriers watch their sockets with it; the program
 * that runs the loop lets time pass in between.
 */
#ifndef HD_EMULATOR_LOOP_H
#define HD_EMULATOR_LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;
struct hd_loop;

/*
 * A watcher of a descriptor, or of every step of the loop. It belongs to its user, who does not
 * move it while it watches.
 */
struct hd_watch {
	/* @events as epoll has them; 0 for hd_loop_before_wait() */
	void (*ready)(void *context, uint32_t events);
	void *context;
	struct hd_watch *next; /* for the loop's list */
};

/* HD_EIO, HD_ENOMEM. */
int hd_loop_new(struct hd_loop **loop, struct hd_error *err);
void hd_loop_free(struct hd_loop *loop);

/*
 * Calls @watch whenever @fd has one of @events (EPOLLIN and so on, level-triggered). A descriptor
 * that is watched already changes its events. HD_EIO.
 */
int hd_loop_watch(struct hd_loop *loop, int fd, uint32_t events, struct hd_watch *watch,
		  struct hd_error *err);

/* Call this before you close @fd; @watch is not called again, not even in this step. */
void hd_loop_unwatch(struct hd_loop *loop, int fd, struct hd_watch *watch);

/* Calls @watch at the end of every step, so that all packets of the step go out together. */
void hd_loop_before_wait(struct hd_loop *loop, struct hd_watch *watch);

/*
 * One step: waits at most @timeout_ns (UINT64_MAX: for ever) for events, calls @woken, then the
 * watchers of these events. HD_EIO.
 */
int hd_loop_turn(struct hd_loop *loop, uint64_t timeout_ns, const struct hd_watch *woken,
		 struct hd_error *err);

/* A descriptor that is readable when a step would not wait; it belongs to the loop. */
int hd_loop_fd(const struct hd_loop *loop);

/* Calls the watchers of hd_loop_before_wait(). */
void hd_loop_settle(struct hd_loop *loop);

#endif
