// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The packets of the ring carrier's clients: rings that open, and what goes through them. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "simfabric/emulator/ring_private.h"
#include "support/error.h"

#define REQUESTS_PER_CLIENT 256
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
	hd_ring_close_rings(connection);
	return ENOMEM;
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
		hd_ring_disconnect(context);
}

void hd_ring_serve_round(void *context, uint32_t events)
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
			hd_ring_disconnect(each);
	}
}
