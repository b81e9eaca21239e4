// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/umad/port.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "simfabric/umad/connection.h"

#define SECOND         UINT64_C(1000000000)
#define MILLISECOND    UINT64_C(1000000)
#define WAKES_PER_READ 64

struct hd_unread_packet {
	struct hd_unread_packet *next;
	struct hd_packet packet;
};

uint64_t hd_umad_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * SECOND + (uint64_t)time.tv_nsec;
}

static bool has_room(struct hd_umad_port *port)
{
	uint32_t room = hd_ring_room(&port->out);

	return room && room != HD_RING_BROKEN;
}

static void transmit(void *context, const struct hd_packet *packet)
{
	struct hd_umad_port *port = context;
	struct hd_unread_packet *entry;

	if (port->gone)
		return;
	if (!port->backlog && has_room(port)) {
		port->server_sleeps |= hd_ring_write(&port->out, HD_RING_PACKET, packet);
		return;
	}
	/*
	 * as in the kernel, sending never blocks; when out of memory, the packet is lost as on a
	 * wire
	 */
	entry = malloc(sizeof(*entry));
	if (!entry)
		return;
	entry->next = NULL;
	entry->packet = *packet;
	*port->backlog_end = entry;
	port->backlog_end = &entry->next;
}

static void free_backlog(struct hd_umad_port *port)
{
	struct hd_unread_packet *entry;

	while ((entry = port->backlog)) {
		port->backlog = entry->next;
		free(entry);
	}
	port->backlog_end = &port->backlog;
}

static void send_backlog(struct hd_umad_port *port, uint64_t now)
{
	while (port->backlog) {
		struct hd_unread_packet *entry = port->backlog;

		if (!has_room(port) && hd_ring_wait_room(&port->out, 1))
			return;
		if (!has_room(port))
			return; /* the server did not understand the request */
		port->server_sleeps |= hd_ring_write(&port->out, HD_RING_PACKET, &entry->packet);
		hd_exchange_sent(&port->exchange, &entry->packet, now);
		port->backlog = entry->next;
		if (!port->backlog)
			port->backlog_end = &port->backlog;
		free(entry);
	}
}

static bool map_rings(struct hd_umad_port *port, int memory)
{
	const int seals = fcntl(memory, F_GET_SEALS);
	void *rings = MAP_FAILED;
	struct stat status;

	/* one that the other end may shorten could kill this program */
	if (seals >= 0 && seals & F_SEAL_SHRINK && !fstat(memory, &status) &&
	    status.st_size >= (off_t)sizeof(*port->rings))
		rings = mmap(NULL, sizeof(*port->rings), PROT_READ | PROT_WRITE, MAP_SHARED, memory,
			     0);
	close(memory);
	if (rings == MAP_FAILED)
		return false;
	port->rings = rings;
	port->in.ring = &port->rings->to_client;
	port->out.ring = &port->rings->to_server;
	return true;
}

static bool watch(const struct hd_umad_port *port, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.fd = fd };

	return !epoll_ctl(port->id, EPOLL_CTL_ADD, fd, &event);
}

void hd_port_watch(struct hd_umad_port *port)
{
	struct epoll_event event = { .events = EPOLLIN, .data.fd = port->wake };

	if (!port->watched && !port->gone)
		epoll_ctl(port->id, EPOLL_CTL_MOD, port->wake, &event);
	port->watched = true;
}

int hd_port_open(unsigned number, struct hd_umad_port **opened)
{
	struct hd_ring_request request = {
		.operation = HD_RING_OPEN,
		.client = HD_NO_CLIENT,
		.port = number,
	};
	struct hd_umad_port *port = calloc(1, sizeof(*port));
	struct hd_ring_answer answer;
	int files[HD_RING_FILES], error;

	if (!port)
		return -ENOMEM;
	pthread_mutex_init(&port->lock, NULL);
	port->backlog_end = &port->backlog;
	port->armed = UINT64_MAX;
	port->wake_server = port->wake = port->self = port->timer = port->id = -1;
	hd_exchange_init(&port->exchange, HD_NO_CLIENT, transmit, port);
	port->socket = hd_umad_connect();
	error = port->socket < 0
			? port->socket
			: hd_umad_ask(port->socket, &request, &answer, files, HD_RING_FILES);
	if (error) {
		hd_port_free(port);
		return error;
	}
	port->wake_server = files[1];
	port->wake = files[2];
	port->number = answer.port;
	port->client = answer.client;
	port->exchange.serial = answer.serial;
	port->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	port->self = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	port->id = epoll_create1(EPOLL_CLOEXEC);
	if (!map_rings(port, files[0]) || port->timer < 0 || port->self < 0 || port->id < 0 ||
	    !watch(port, port->wake, EPOLLIN | EPOLLRDHUP | EPOLLET) ||
	    !watch(port, port->self, EPOLLIN) || !watch(port, port->timer, EPOLLIN)) {
		error = errno ? -errno : -EIO;
		hd_port_free(port);
		return error;
	}
	*opened = port;
	return 0;
}

void hd_port_free(struct hd_umad_port *port)
{
	const int files[] = { port->socket, port->wake_server, port->wake,
			      port->self,   port->timer,       port->id };

	hd_exchange_free(&port->exchange);
	free_backlog(port);
	if (port->rings)
		munmap(port->rings, sizeof(*port->rings));
	for (unsigned i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (files[i] >= 0)
			close(files[i]);
	pthread_mutex_destroy(&port->lock);
	free(port);
}

int hd_port_register(struct hd_umad_port *port, unsigned mad_class)
{
	struct hd_ring_request request = {
		.operation = HD_RING_REGISTER,
		.client = port->client,
		.mad_class = mad_class,
	};
	struct hd_ring_answer answer;

	hd_exchange_methods(&port->exchange, mad_class, request.methods);
	return port->gone ? -EIO : hd_umad_ask(port->socket, &request, &answer, NULL, 0);
}

/* No answer will come any more: requests fail, as on a fabric that is off. */
static void lose_server(struct hd_umad_port *port)
{
	epoll_ctl(port->id, EPOLL_CTL_DEL, port->wake, NULL);
	port->gone = true;
	free_backlog(port);
	hd_exchange_fail_all(&port->exchange);
}

/*
 * Takes the bytes by which the server woke this process. The server closes its end together with
 * the port, or when it dies.
 */
static void take_wakes(struct hd_umad_port *port)
{
	if (!port->gone && !hd_ring_woken(port->wake))
		lose_server(port);
}

void hd_port_collect(struct hd_umad_port *port)
{
	struct hd_exchange *exchange = &port->exchange;
	uint64_t now = hd_umad_now();
	struct hd_ring_slot slot;
	bool was_read = false;

	if (now >= port->armed) {
		uint64_t expired;

		port->armed = UINT64_MAX;
		if (read(port->timer, &expired, sizeof(expired)) < 0)
			expired = 0; /* the timer was set again meanwhile, and comes later */
	}
	send_backlog(port, now);
	while (!exchange->ready) {
		uint32_t waiting = hd_ring_waiting(&port->in);

		if (!waiting || waiting == HD_RING_BROKEN)
			break;
		hd_ring_read(&port->in, &slot);
		was_read = true;
		if (slot.kind == HD_RING_LOST)
			hd_exchange_lost(exchange, &slot.packet, now);
		else
			hd_exchange_receive(exchange, &slot.packet, now);
	}
	if (was_read)
		port->server_sleeps |= hd_ring_release(&port->in);
	/* no request is late while its answer, or the request itself, is still in this process */
	if (!exchange->ready && !port->backlog)
		hd_exchange_advance(exchange, now);
}

static void wake_server(struct hd_umad_port *port)
{
	if (port->server_sleeps)
		eventfd_write(port->wake_server, 1);
	port->server_sleeps = false;
}

/* Makes the descriptors that threads wait for readable without the server, or not any more. */
static void wake_self(struct hd_umad_port *port, bool wanted)
{
	eventfd_t count;

	if (wanted == port->self_woken)
		return;
	if (wanted)
		eventfd_write(port->self, 1);
	else
		eventfd_read(port->self, &count);
	port->self_woken = wanted;
}

/*
 * A timer that is early is left as it is: the answer mostly has come by then. That does not hold
 * for a program that polls, which would be woken and find nothing.
 */
static void arm_timer(struct hd_umad_port *port)
{
	struct itimerspec timer = { 0 };
	uint64_t next = hd_exchange_next(&port->exchange);

	if (next == port->armed || (next > port->armed && !port->watched))
		return;
	port->armed = next;
	if (next != UINT64_MAX) {
		timer.it_value.tv_sec = (time_t)(next / SECOND);
		timer.it_value.tv_nsec = (long)(next % SECOND);
	}
	timerfd_settime(port->timer, TFD_TIMER_ABSTIME, &timer, NULL);
}

void hd_port_settle(struct hd_umad_port *port)
{
	if (port->watched)
		take_wakes(port);
	wake_server(port);
	arm_timer(port);
	if (port->watched)
		wake_self(port, port->exchange.ready || !hd_ring_sleep(&port->in));
}

void hd_port_pass_on(struct hd_umad_port *port)
{
	if (port->waiters && (port->exchange.ready || !hd_ring_sleep(&port->in)))
		wake_self(port, true);
}

struct wait {
	struct hd_umad_port *port;
	uint64_t deadline;
	int cancel_state;
	void (*cancelled)(void *port);
};

static void wait_cancelled(void *context)
{
	const struct wait *wait = context;

	pthread_mutex_lock(&wait->port->lock);
	wait->port->waiters--;
	pthread_mutex_unlock(&wait->port->lock);
	wait->cancelled(wait->port);
}

static int wait_for_events(int epoll, struct epoll_event *events, int n, uint64_t deadline)
{
	uint64_t now = hd_umad_now(), left = deadline > now ? deadline - now : 0;
	const struct timespec time = { .tv_sec = (time_t)(left / SECOND),
				       .tv_nsec = (long)(left % SECOND) };
	bool ever = deadline == UINT64_MAX;
	int ready = epoll_pwait2(epoll, events, n, ever ? NULL : &time, NULL);

	if (ready < 0 && errno == ENOSYS) {
		uint64_t ms = left / MILLISECOND + 1;

		ready = epoll_wait(epoll, events, n, ever ? -1 : ms > INT_MAX ? INT_MAX : (int)ms);
	}
	return ready;
}

/*
 * Handles the event that woke this thread. A byte of the server need not be read at once, since
 * every new one makes an event; but a socket that nobody reads is full after some 270 bytes.
 */
static void take_event(struct hd_umad_port *port, const struct epoll_event *event)
{
	if (event->data.fd == port->self)
		wake_self(port, false);
	else if (event->data.fd == port->wake &&
		 (port->watched || event->events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR) ||
		  ++port->n_wakes % WAKES_PER_READ == 0))
		take_wakes(port);
}

/*
 * Sleeps without the lock. This is the only place where a thread may be cancelled: opensm cancels
 * threads.
 */
static int sleep_once(struct wait *wait)
{
	struct hd_umad_port *port = wait->port;
	struct epoll_event events[3];
	int disabled, n, error;

	port->waiters++;
	pthread_mutex_unlock(&port->lock);
	pthread_cleanup_push(wait_cancelled, wait);
	pthread_setcancelstate(wait->cancel_state, &disabled);
	n = wait_for_events(port->id, events, 3, wait->deadline);
	error = errno;
	pthread_setcancelstate(disabled, NULL);
	pthread_cleanup_pop(0);
	pthread_mutex_lock(&port->lock);
	port->waiters--;
	if (n < 0)
		return -error;
	for (int i = 0; i < n; i++)
		take_event(port, &events[i]);
	return 0;
}

int hd_port_wait(struct hd_umad_port *port, int timeout_ms, int cancel_state,
		 void (*cancelled)(void *port))
{
	struct wait wait = {
		.port = port,
		.deadline = timeout_ms < 0 ? UINT64_MAX
					   : hd_umad_now() + (uint64_t)timeout_ms * MILLISECOND,
		.cancel_state = cancel_state,
		.cancelled = cancelled,
	};

	for (;;) {
		int error;

		hd_port_collect(port);
		wake_server(port);
		if (port->exchange.ready)
			return 0;
		if (wait.deadline != UINT64_MAX && hd_umad_now() >= wait.deadline)
			return -ETIMEDOUT;
		if (!hd_ring_sleep(&port->in) && hd_ring_waiting(&port->in) != HD_RING_BROKEN)
			continue;
		arm_timer(port);
		error = sleep_once(&wait);
		if (error)
			return error;
	}
}
