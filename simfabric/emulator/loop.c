// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/loop.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#include "support/error.h"

#define MAX_EVENTS 64

struct hd_loop {
	int epoll;
	struct hd_watch *before_wait;
	struct epoll_event events[MAX_EVENTS];
	int n_events, at; /* of the current turn */
};

int hd_loop_new(struct hd_loop **loop, struct hd_error *err)
{
	*loop = calloc(1, sizeof(**loop));
	if (!*loop)
		return hd_error_nomem(err);
	(*loop)->epoll = epoll_create1(EPOLL_CLOEXEC);
	if ((*loop)->epoll < 0) {
		int ret = hd_error_set(err, HD_EIO, "epoll: %s", strerror(errno));

		free(*loop);
		*loop = NULL;
		return ret;
	}
	return 0;
}

void hd_loop_free(struct hd_loop *loop)
{
	if (!loop)
		return;
	close(loop->epoll);
	free(loop);
}

int hd_loop_fd(const struct hd_loop *loop)
{
	return loop->epoll;
}

int hd_loop_watch(struct hd_loop *loop, int fd, uint32_t events, struct hd_watch *watch,
		  struct hd_error *err)
{
	struct epoll_event event = { .events = events, .data.ptr = watch };

	if (epoll_ctl(loop->epoll, EPOLL_CTL_ADD, fd, &event) == 0)
		return 0;
	if (errno == EEXIST && epoll_ctl(loop->epoll, EPOLL_CTL_MOD, fd, &event) == 0)
		return 0;
	return hd_error_set(err, HD_EIO, "epoll: %s", strerror(errno));
}

void hd_loop_unwatch(struct hd_loop *loop, int fd, struct hd_watch *watch)
{
	epoll_ctl(loop->epoll, EPOLL_CTL_DEL, fd, NULL);
	for (int i = loop->at; i < loop->n_events; i++)
		if (loop->events[i].data.ptr == watch)
			loop->events[i].data.ptr = NULL;
}

void hd_loop_before_wait(struct hd_loop *loop, struct hd_watch *watch)
{
	watch->next = loop->before_wait;
	loop->before_wait = watch;
}

void hd_loop_settle(struct hd_loop *loop)
{
	for (struct hd_watch *watch = loop->before_wait; watch; watch = watch->next)
		watch->ready(watch->context, 0);
}

static int wait_for_events(struct hd_loop *loop, uint64_t timeout_ns)
{
	struct timespec timeout = { .tv_sec = (time_t)(timeout_ns / 1000000000),
				    .tv_nsec = (long)(timeout_ns % 1000000000) };
	int n = epoll_pwait2(loop->epoll, loop->events, MAX_EVENTS,
			     timeout_ns == UINT64_MAX ? NULL : &timeout, NULL);

	if (n < 0 && errno == ENOSYS) {
		/* rounded up, so that the time has come when epoll returns */
		uint64_t ms = timeout_ns / 1000000 + 1;

		n = epoll_wait(loop->epoll, loop->events, MAX_EVENTS,
			       timeout_ns == UINT64_MAX ? -1
			       : ms > 60000             ? 60000
							: (int)ms);
	}
	return n;
}

int hd_loop_turn(struct hd_loop *loop, uint64_t timeout_ns, const struct hd_watch *woken,
		 struct hd_error *err)
{
	int n = wait_for_events(loop, timeout_ns);

	if (n < 0 && errno != EINTR)
		return hd_error_set(err, HD_EIO, "epoll: %s", strerror(errno));
	loop->n_events = n < 0 ? 0 : n;
	loop->at = 0;
	woken->ready(woken->context, 0);
	while (loop->at < loop->n_events) {
		struct epoll_event *event = &loop->events[loop->at++];
		struct hd_watch *watch = event->data.ptr;

		if (watch)
			watch->ready(watch->context, event->events);
	}
	loop->n_events = 0;
	loop->at = 0;
	return 0;
}
