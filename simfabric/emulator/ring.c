// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "simfabric/emulator/ring_private.h"
#include "support/error.h"

/* A client that connects has so many seconds to send its request. */
#define IDLE_SECONDS 10

static void serve_requests(void *context, uint32_t events)
{
	(void)events;
	if (!hd_ring_control(context))
		hd_ring_disconnect(context);
}

static uint64_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec;
}

void hd_ring_server_reap(struct hd_ring_server *server, uint64_t seconds)
{
	uint64_t now = seconds_now();
	struct hd_ring_connection *next;

	for (struct hd_ring_connection *each = server->connections; each; each = next) {
		next = each->next;
		if (each->client == HD_NONE && each->issm_client == HD_NONE &&
		    now - each->since >= seconds)
			hd_ring_disconnect(each);
	}
}

static void reap_in_time(void *context, uint32_t events)
{
	struct hd_ring_server *server = context;
	uint64_t expirations;

	(void)events;
	if (read(server->timer, &expirations, sizeof(expirations)) > 0)
		hd_ring_server_reap(server, IDLE_SECONDS);
}

static bool start_timer(struct hd_ring_server *server)
{
	const struct itimerspec every = { .it_interval.tv_sec = 1, .it_value.tv_sec = 1 };

	server->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	return server->timer >= 0 && !timerfd_settime(server->timer, 0, &every, NULL);
}

/* The user at the other end; HD_NO_USER: not known, and not admitted. */
static uid_t user_of(int fd)
{
	struct ucred who;
	socklen_t size = sizeof(who);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &who, &size) ? HD_NO_USER : who.uid;
}

static bool admit(struct hd_ring_server *server, int fd)
{
	struct hd_ring_connection *connection;
	uid_t user = user_of(fd);

	if (user == HD_NO_USER || hd_access_enter(server->access, user))
		return false;
	connection = calloc(1, sizeof(*connection));
	if (connection) {
		connection->server = server;
		connection->socket = fd;
		connection->user = user;
		connection->since = seconds_now();
		connection->socket_watch =
			(struct hd_watch){ .ready = serve_requests, .context = connection };
		connection->client = connection->issm_client = HD_NONE;
		connection->wake = connection->wake_client = -1;
	}
	if (!connection ||
	    hd_loop_watch(server->loop, fd, EPOLLIN, &connection->socket_watch, NULL)) {
		free(connection);
		hd_access_leave(server->access, user);
		return false;
	}
	connection->next = server->connections;
	if (connection->next)
		connection->next->previous = connection;
	server->connections = connection;
	return true;
}

static void accept_one(void *context, uint32_t events)
{
	struct hd_ring_server *server = context;
	int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);

	(void)events;
	if (fd >= 0) {
		if (!admit(server, fd))
			close(fd);
	} else if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
		/*
		 * out of files: new clients wait until a connection closes; otherwise the loop
		 * would be woken for ever
		 */
		hd_loop_unwatch(server->loop, server->listener, &server->listener_watch);
		server->listening = false;
	}
}

static int start(struct hd_ring_server *server, const struct sockaddr_un *address, socklen_t length,
		 struct hd_error *err)
{
	int ret;

	server->again = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	server->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (server->again < 0 || server->listener < 0 || !start_timer(server) ||
	    bind(server->listener, (const struct sockaddr *)address, length) ||
	    listen(server->listener, 128))
		return hd_error_set(err, HD_EIO, "cannot listen on @%s: %s", address->sun_path + 1,
				    strerror(errno));
	ret = hd_loop_watch(server->loop, server->again, EPOLLIN, &server->again_watch, err);
	if (!ret)
		ret = hd_loop_watch(server->loop, server->timer, EPOLLIN, &server->timer_watch,
				    err);
	if (!ret)
		ret = hd_loop_watch(server->loop, server->listener, EPOLLIN,
				    &server->listener_watch, err);
	server->listening = !ret;
	return ret;
}

int hd_ring_server_new(struct hd_emulator *emulator, struct hd_clients *clients,
		       struct hd_access *access, struct hd_loop *loop, const char *name,
		       struct hd_ring_server **result, struct hd_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s:ring", name);
	struct hd_ring_server *server;
	int ret;

	*result = NULL;
	if ((size_t)length >= sizeof(address.sun_path) - 1)
		return hd_error_set(err, HD_EINVAL, "the socket name is too long: %s", name);
	server = malloc(sizeof(*server));
	if (!server)
		return hd_error_nomem(err);
	*server = (struct hd_ring_server){
		.emulator = emulator,
		.clients = clients,
		.loop = loop,
		.access = access,
		.listener = -1,
		.listener_watch = { .ready = accept_one, .context = server },
		.again = -1,
		.again_watch = { .ready = hd_ring_serve_round, .context = server },
		.timer = -1,
		.timer_watch = { .ready = reap_in_time, .context = server },
	};
	ret = start(server, &address,
		    (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length), err);
	if (ret) {
		hd_ring_server_free(server);
		return ret;
	}
	*result = server;
	return 0;
}

void hd_ring_server_free(struct hd_ring_server *server)
{
	if (!server)
		return;
	while (server->connections)
		hd_ring_disconnect(server->connections);
	if (server->listener >= 0) {
		hd_loop_unwatch(server->loop, server->listener, &server->listener_watch);
		close(server->listener);
	}
	if (server->again >= 0) {
		hd_loop_unwatch(server->loop, server->again, &server->again_watch);
		close(server->again);
	}
	if (server->timer >= 0) {
		hd_loop_unwatch(server->loop, server->timer, &server->timer_watch);
		close(server->timer);
	}
	free(server);
}
