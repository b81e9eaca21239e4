// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* How a connection of the ring carrier ends. */
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <unistd.h>

#include "simfabric/emulator/ring_private.h"

void hd_ring_close_rings(struct hd_ring_connection *connection)
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

static void drop_issm(struct hd_ring_connection *connection)
{
	struct hd_clients *clients = connection->server->clients;

	if (connection->issm_client == HD_NONE)
		return;
	hd_clients_set_issm(clients, connection->issm_client, false);
	if (connection->issm_own)
		hd_clients_detach(clients, connection->issm_client);
	connection->issm_client = HD_NONE;
}

static void listen_again(struct hd_ring_server *server)
{
	if (!server->listening)
		server->listening = !hd_loop_watch(server->loop, server->listener, EPOLLIN,
						   &server->listener_watch, NULL);
}

void hd_ring_disconnect(struct hd_ring_connection *connection)
{
	struct hd_ring_server *server = connection->server;

	drop_issm(connection);
	if (connection->client != HD_NONE) {
		for (struct hd_ring_connection *other = server->connections; other;
		     other = other->next)
			if (other->issm_client == connection->client)
				other->issm_client = HD_NONE;
		hd_clients_detach(server->clients, connection->client);
	}
	hd_ring_close_rings(connection);
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
	hd_ring_disconnect(connection);
}
