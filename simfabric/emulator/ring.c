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
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "simfabric/emulator/ring_private.h"
#include "support/error.h"

#define EVENTS_PER_ROUND    64
#define REQUESTS_PER_CLIENT 256
/*
 * A client is woken for the answers to what it sent in one go, not for each: waking costs more than
 * answering, and it would soon sleep again. Not to wait at all before sleeping was better than any
 * spinning, at either end, on two processors.
 */
#define REQUESTS_PER_WAKE 16
/* Room that is left in a client's ring for what others send to it while it does not read. */
#define ROOM_FOR_OTHERS 64

static void wake(int fd)
{
	eventfd_write(fd, 1);
}

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
		wake(connection->wake_client);
	return true;
}

static void wake_served(struct hd_ring_connection *connection)
{
	if (connection->wake_later)
		wake(connection->wake_client);
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
	/* sealed, or a client could cut the file and so kill the server */
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

static bool watch(struct hd_ring_server *server, int fd, struct hd_ring_source *source)
{
	struct epoll_event event = { .events = EPOLLIN, .data.ptr = source };

	return !epoll_ctl(server->epoll, EPOLL_CTL_ADD, fd, &event);
}

static void close_rings(struct hd_ring_connection *connection)
{
	if (connection->wake_server >= 0) {
		/* the client has the file as well, so that closing ours does not end the watch */
		epoll_ctl(connection->server->epoll, EPOLL_CTL_DEL, connection->wake_server, NULL);
		close(connection->wake_server);
	}
	if (connection->wake_client >= 0)
		close(connection->wake_client);
	if (connection->rings)
		munmap(connection->rings, sizeof(*connection->rings));
	connection->wake_server = connection->wake_client = -1;
	connection->rings = NULL;
}

int hd_ring_open(struct hd_ring_connection *connection, uint32_t port, int *memory, char *text,
		 size_t size)
{
	struct hd_ring_server *server = connection->server;
	struct hd_error err = { 0 };

	connection->rings = map_rings(memory);
	connection->wake_server = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	connection->wake_client = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (!connection->rings || connection->wake_server < 0 || connection->wake_client < 0) {
		snprintf(text, size, "no shared memory: %s", strerror(errno));
		goto failed;
	}
	connection->in = (struct hd_ring_end){ .ring = &connection->rings->to_server };
	connection->out = (struct hd_ring_end){ .ring = &connection->rings->to_client };
	/* both ends begin asleep, so that the first packet wakes them */
	atomic_store(&connection->rings->to_server.empty, 1);
	atomic_store(&connection->rings->to_client.empty, 1);
	if (hd_clients_attach(server->clients, port, &ring_carrier, connection, &connection->client,
			      &err)) {
		snprintf(text, size, "%s", err.text);
		connection->client = HD_NONE;
		goto failed;
	}
	connection->port = port;
	if (watch(server, connection->wake_server, &connection->wake_source))
		return 0;
	snprintf(text, size, "%s", strerror(errno));
	hd_clients_detach(server->clients, connection->client);
	connection->client = HD_NONE;

failed:
	close_rings(connection);
	if (*memory >= 0)
		close(*memory);
	*memory = -1;
	return ENOMEM;
}

static void listen_again(struct hd_ring_server *server)
{
	if (!server->listening)
		server->listening = watch(server, server->listener, &server->listener_source);
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
	epoll_ctl(server->epoll, EPOLL_CTL_DEL, connection->socket, NULL);
	close(connection->socket);
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

static void accept_one(struct hd_ring_server *server)
{
	int fd = accept4(server->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
	struct hd_ring_connection *connection;

	if (fd < 0) {
		/* out of files: new ones wait until a connection closes, instead of the loop
		   being woken for ever */
		if (errno == EMFILE || errno == ENFILE || errno == ENOMEM) {
			epoll_ctl(server->epoll, EPOLL_CTL_DEL, server->listener, NULL);
			server->listening = false;
		}
		return;
	}
	connection = calloc(1, sizeof(*connection));
	if (!connection || !watch(server, fd, &connection->socket_source)) {
		free(connection);
		close(fd);
		return;
	}
	connection->server = server;
	connection->socket = fd;
	connection->socket_source = (struct hd_ring_source){ HD_RING_SOCKET, connection };
	connection->wake_source = (struct hd_ring_source){ HD_RING_WAKE, connection };
	connection->client = connection->issm_client = HD_NONE;
	connection->wake_server = connection->wake_client = -1;
	connection->next = server->connections;
	if (connection->next)
		connection->next->previous = connection;
	server->connections = connection;
}

/* Takes requests while there is room for answers. Sets *@idle when there is no more to do. */
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
		wake(connection->wake_client);
	return true;
}

static bool serve(struct hd_ring_connection *connection)
{
	eventfd_t count;
	bool idle, sane;

	connection->served = true;
	sane = take_requests(connection, &idle);
	connection->served = false;
	wake_served(connection);
	if (!sane)
		return false;
	if (!idle)
		return true; /* the eventfd stays readable: the next round goes on */
	eventfd_read(connection->wake_server, &count);
	if (!hd_ring_sleep(&connection->in) && !atomic_load(&connection->out.ring->full))
		wake(connection->wake_server);
	return true;
}

int hd_ring_server_fd(const struct hd_ring_server *server)
{
	return server->epoll;
}

void hd_ring_server_poll(struct hd_ring_server *server)
{
	struct epoll_event events[EVENTS_PER_ROUND];
	int n = epoll_wait(server->epoll, events, EVENTS_PER_ROUND, 0);
	bool deaths = false;

	for (int i = 0; i < n; i++) {
		const struct hd_ring_source *source = events[i].data.ptr;
		struct hd_ring_connection *connection = source->connection;

		if (source->type == HD_RING_LISTENER) {
			accept_one(server);
		} else if (!connection->dead) {
			connection->dead = source->type == HD_RING_WAKE
						   ? !serve(connection)
						   : !hd_ring_control(connection);
			deaths |= connection->dead;
		}
	}
	for (struct hd_ring_connection *each = server->connections, *next; deaths && each;
	     each = next) {
		next = each->next;
		if (each->dead)
			connection_free(each);
	}
}

int hd_ring_server_new(struct hd_emulator *emulator, struct hd_clients *clients, const char *name,
		       struct hd_ring_server **server, struct hd_error *err)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int length = snprintf(address.sun_path + 1, sizeof(address.sun_path) - 1, "%s:ring", name);
	struct hd_ring_server *made;

	if ((size_t)length >= sizeof(address.sun_path) - 1)
		return hd_error_set(err, HD_EINVAL, "the socket name is too long: %s", name);
	made = calloc(1, sizeof(*made));
	if (!made)
		return hd_error_nomem(err);
	made->emulator = emulator;
	made->clients = clients;
	made->listener_source.type = HD_RING_LISTENER;
	made->epoll = epoll_create1(EPOLL_CLOEXEC);
	made->listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (made->epoll < 0 || made->listener < 0 ||
	    bind(made->listener, (struct sockaddr *)&address,
		 offsetof(struct sockaddr_un, sun_path) + 1 + length) ||
	    listen(made->listener, 128) || !watch(made, made->listener, &made->listener_source)) {
		int code = hd_error_set(err, HD_EIO, "cannot listen on @%s:ring: %s", name,
					strerror(errno));

		hd_ring_server_free(made);
		return code;
	}
	made->listening = true;
	*server = made;
	return 0;
}

void hd_ring_server_free(struct hd_ring_server *server)
{
	if (!server)
		return;
	while (server->connections)
		connection_free(server->connections);
	if (server->listener >= 0)
		close(server->listener);
	if (server->epoll >= 0)
		close(server->epoll);
	free(server);
}
