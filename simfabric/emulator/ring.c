// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "simfabric/emulator/ring_private.h"
#include "support/error.h"

#define REQUESTS_PER_CLIENT 256
/* A client that connects has so many seconds to send its request. */
#define IDLE_SECONDS 10
/*
 * A client is woken once for the answers to all that it sent together, not for each: waking costs
 * more than answering, and the client would soon sleep again. Sleeping at once was better than any
 * spinning, at either end, on two processors.
 */
#define REQUESTS_PER_WAKE 16
/* Slots of a client's ring that are left free for what others send to it while it does not read. */
#define ROOM_FOR_OTHERS 64

static bool deliver_slot(struct hd_ring_connection *connection, enum hd_ring_kind kind,
			 const struct hd_packet *packet)
{
	uint32_t room = hd_ring_room(&connection->out);

	if (!room || room == HD_RING_BROKEN)
		return false;
	if (!hd_ring_write(&connection->out, kind, packet))
		return true;
	if (connection->served)
		connection->wake_later = true;
	else
		hd_ring_wake_client(connection->wake_client);
	return true;
}

static void wake_served(struct hd_ring_connection *connection)
{
	if (connection->wake_later)
		hd_ring_wake_client(connection->wake_client);
	connection->wake_later = false;
}

static bool deliver(void *context, const struct hd_packet *packet)
{
	return deliver_slot(context, HD_RING_PACKET, packet);
}

static void lost(void *context, const struct hd_packet *packet)
{
	deliver_slot(context, HD_RING_LOST, packet);
}

static const struct hd_carrier ring_carrier = {
	.deliver = deliver,
	.lost = lost,
	.expel = hd_ring_expel,
};

static void *map_rings(int *memory)
{
	void *rings = MAP_FAILED;

	*memory = memfd_create("simfabric-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (*memory < 0)
		return NULL;
	/* sealed, so that a client cannot cut the file and so kill the server */
	if (!ftruncate(*memory, sizeof(struct hd_ring_pair)) &&
	    !fcntl(*memory, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
		rings = mmap(NULL, sizeof(struct hd_ring_pair), PROT_READ | PROT_WRITE, MAP_SHARED,
			     *memory, 0);
	if (rings != MAP_FAILED)
		return rings;
	close(*memory);
	*memory = -1;
	return NULL;
}

static void close_rings(struct hd_ring_connection *connection)
{
	if (connection->wake >= 0) {
		hd_loop_unwatch(connection->server->loop, connection->wake,
				&connection->wake_watch);
		close(connection->wake);
	}
	if (connection->wake_client >= 0)
		close(connection->wake_client);
	if (connection->rings)
		munmap(connection->rings, sizeof(*connection->rings));
	connection->wake = connection->wake_client = -1;
	connection->rings = NULL;
}

/* Makes the files that wake each end; @files are for the client. False: errno has the reason. */
static bool make_wakes(struct hd_ring_connection *connection, int files[HD_RING_FILES])
{
	int pair[2];

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair))
		return false;
	connection->wake_client = pair[0];
	files[2] = pair[1];
	connection->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (connection->wake < 0)
		return false;
	files[1] = fcntl(connection->wake, F_DUPFD_CLOEXEC, 0);
	return files[1] >= 0;
}

static void serve_woken(void *context, uint32_t events);

int hd_ring_open(struct hd_ring_connection *connection, uint32_t port, int files[HD_RING_FILES],
		 char *text, size_t size)
{
	struct hd_ring_server *server = connection->server;
	struct hd_error err = { 0 };

	files[0] = files[1] = files[2] = -1;
	connection->rings = map_rings(&files[0]);
	if (!connection->rings || !make_wakes(connection, files)) {
		snprintf(text, size, "no shared memory: %s", strerror(errno));
		goto failed;
	}
	connection->in = (struct hd_ring_end){ .ring = &connection->rings->to_server };
	connection->out = (struct hd_ring_end){ .ring = &connection->rings->to_client };
	/* both ends begin asleep, so that the first packet wakes its reader */
	atomic_store(&connection->rings->to_server.empty, 1);
	atomic_store(&connection->rings->to_client.empty, 1);
	if (hd_clients_attach(server->clients, port, &ring_carrier, connection, 0,
			      &connection->client, &err)) {
		snprintf(text, size, "%s", err.text);
		connection->client = HD_NONE;
		goto failed;
	}
	connection->port = port;
	connection->wake_watch = (struct hd_watch){ .ready = serve_woken, .context = connection };
	if (!hd_loop_watch(server->loop, connection->wake, EPOLLIN | EPOLLET,
			   &connection->wake_watch, &err))
		return 0;
	snprintf(text, size, "%s", err.text);
	hd_clients_detach(server->clients, connection->client);
	connection->client = HD_NONE;

failed:
	close_rings(connection);
	return ENOMEM;
}

static void listen_again(struct hd_ring_server *server)
{
	if (!server->listening)
		server->listening = !hd_loop_watch(server->loop, server->listener, EPOLLIN,
						   &server->listener_watch, NULL);
}

static void connection_free(struct hd_ring_connection *connection)
{
	struct hd_ring_server *server = connection->server;

	hd_ring_drop_issm(connection);
	if (connection->client != HD_NONE) {
		for (struct hd_ring_connection *other = server->connections; other;
		     other = other->next)
			if (other->issm_client == connection->client)
				other->issm_client = HD_NONE;
		hd_clients_detach(server->clients, connection->client);
	}
	close_rings(connection);
	hd_loop_unwatch(server->loop, connection->socket, &connection->socket_watch);
	close(connection->socket);
	hd_access_leave(server->access, connection->user);
	if (connection->next)
		connection->next->previous = connection->previous;
	if (connection->previous)
		connection->previous->next = connection->next;
	else
		server->connections = connection->next;
	free(connection);
	listen_again(server);
}

void hd_ring_expel(void *connection)
{
	connection_free(connection);
}

/* Takes requests while there is room for answers. Sets *@idle when none is left. */
static bool take_requests(struct hd_ring_connection *connection, bool *idle)
{
	struct hd_ring_server *server = connection->server;
	struct hd_ring_slot slot;

	*idle = false;
	for (unsigned n = 0; n < REQUESTS_PER_CLIENT; n++) {
		uint32_t waiting = hd_ring_waiting(&connection->in);
		uint32_t room = hd_ring_room(&connection->out);

		if (waiting == HD_RING_BROKEN || room == HD_RING_BROKEN)
			return false;
		if (!waiting || (room <= ROOM_FOR_OTHERS &&
				 hd_ring_wait_room(&connection->out, ROOM_FOR_OTHERS + 1))) {
			*idle = true;
			break;
		}
		hd_ring_read(&connection->in, &slot);
		slot.packet.slid |= server->emulator->ports[connection->port].lid;
		slot.packet.origin = connection->client;
		hd_clients_send(server->clients, connection->client, &slot.packet);
		if (n % REQUESTS_PER_WAKE == REQUESTS_PER_WAKE - 1)
			wake_served(connection);
	}
	if (hd_ring_release(&connection->in))
		hd_ring_wake_client(connection->wake_client);
	return true;
}

/* @connection is served in the next round, although nothing wakes the server for it. */
static void serve_again(struct hd_ring_connection *connection)
{
	struct hd_ring_server *server = connection->server;

	connection->again = true;
	if (!server->round_is_due)
		eventfd_write(server->again, 1);
	server->round_is_due = true;
}

static bool serve(struct hd_ring_connection *connection)
{
	bool idle, sane;

	connection->served = true;
	sane = take_requests(connection, &idle);
	connection->served = false;
	wake_served(connection);
	if (!sane)
		return false;
	if (!idle || (!hd_ring_sleep(&connection->in) && !atomic_load(&connection->out.ring->full)))
		serve_again(connection);
	return true;
}

static void serve_woken(void *context, uint32_t events)
{
	(void)events;
	if (!serve(context))
		connection_free(context);
}

static void serve_round(void *context, uint32_t events)
{
	struct hd_ring_server *server = context;
	struct hd_ring_connection *next;
	eventfd_t count;

	(void)events;
	eventfd_read(server->again, &count);
	server->round_is_due = false;
	for (struct hd_ring_connection *each = server->connections; each; each = next) {
		next = each->next;
		if (!each->again)
			continue;
		each->again = false;
		if (!serve(each))
			connection_free(each);
	}
}

static void serve_requests(void *context, uint32_t events)
{
	(void)events;
	if (!hd_ring_control(context))
		connection_free(context);
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
			connection_free(each);
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
		.again_watch = { .ready = serve_round, .context = server },
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
		connection_free(server->connections);
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
