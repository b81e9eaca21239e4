// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The requests of the ring carrier's clients on their sockets. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "simfabric/emulator/agents.h"
#include "simfabric/emulator/ring_private.h"
#include "support/error.h"

/* The carrier of clients that are attached only to set IsSM: they take no MADs. */
static bool refuse(void *context, const struct hd_packet *packet)
{
	return false;
}

static void ignore(void *context, const struct hd_packet *packet)
{
}

static const struct hd_carrier issm_carrier = {
	.deliver = refuse,
	.lost = ignore,
	.expel = hd_ring_expel,
};

static int find_port(const struct hd_ring_server *server, const struct hd_ring_request *request,
		     struct hd_ring_answer *answer, uint32_t *port)
{
	const struct hd_fabric *fabric = server->emulator->fabric;
	struct hd_error err = { 0 };
	uint32_t node;

	if (hd_clients_find_port(fabric, request->host, port, &err)) {
		snprintf(answer->text, sizeof(answer->text), "%.255s", err.text);
		return ENODEV;
	}
	node = fabric->ports[*port].node;
	if (request->port) {
		if (hd_is_switch(fabric, node) || request->port > fabric->nodes[node].n_ports)
			return ENODEV;
		*port = hd_port_index(fabric, node, request->port);
	}
	answer->port = fabric->ports[*port].number;
	return 0;
}

static int open_port(struct hd_ring_connection *connection, const struct hd_ring_request *request,
		     struct hd_ring_answer *answer, int files[HD_RING_FILES])
{
	uint32_t port;
	int error;

	if (connection->client != HD_NONE || connection->issm_client != HD_NONE)
		return EINVAL;
	error = find_port(connection->server, request, answer, &port);
	if (!error)
		error = hd_ring_open(connection, port, files, answer->text, sizeof(answer->text));
	answer->client = connection->client;
	if (!error)
		answer->serial = connection->server->opened++;
	return error;
}

static int set_issm(struct hd_ring_connection *connection, const struct hd_ring_request *request,
		    struct hd_ring_answer *answer)
{
	struct hd_ring_server *server = connection->server;
	struct hd_error err = { 0 };
	bool attached = false;
	uint32_t port;
	int error;

	if (connection->client != HD_NONE || connection->issm_client != HD_NONE)
		return EINVAL;
	if (request->client == HD_NONE) {
		error = find_port(server, request, answer, &port);
		if (error)
			return error;
		if (hd_clients_attach(server->clients, port, &issm_carrier, connection, 0,
				      &connection->issm_client, &err)) {
			connection->issm_client = HD_NONE;
			return ENOMEM;
		}
		connection->issm_own = true;
	} else {
		for (struct hd_ring_connection *other = server->connections; other;
		     other = other->next) {
			if (other->issm_client == request->client)
				return EAGAIN; /* as with the kernel's file: one holder at a time */
			attached |= other->client == request->client;
		}
		if (!attached)
			return ENODEV;
		connection->issm_client = request->client;
	}
	hd_clients_set_issm(server->clients, connection->issm_client, true);
	return 0;
}

static int register_class(struct hd_ring_connection *connection,
			  const struct hd_ring_request *request, struct hd_ring_answer *answer)
{
	struct hd_error err = { 0 };

	if (connection->client == HD_NONE || request->mad_class > 255)
		return EINVAL;
	if (hd_clients_register(connection->server->clients, connection->client, request->mad_class,
				request->methods, &err)) {
		snprintf(answer->text, sizeof(answer->text), "%.255s", err.text);
		return err.code == HD_ENOMEM ? ENOMEM : EPERM;
	}
	return 0;
}

/* Asks the node's own agent, with the node's M_Key, as the kernel does for its sysfs files. */
static int get_attribute(struct hd_ring_server *server, const struct hd_ring_request *request,
			 struct hd_ring_answer *answer)
{
	struct hd_packet packet = { .origin = HD_NONE };
	uint32_t port;
	int error = find_port(server, request, answer, &port);

	if (error)
		return error;
	if (request->attribute > UINT16_MAX)
		return EINVAL;
	packet.mad[HD_MAD_BASE_VERSION] = 1;
	packet.mad[HD_MAD_CLASS] = HD_CLASS_SMI;
	packet.mad[HD_MAD_CLASS_VERSION] = 1;
	packet.mad[HD_MAD_METHOD] = HD_METHOD_GET;
	hd_put16(packet.mad + HD_MAD_ATTRIBUTE, (uint16_t)request->attribute);
	hd_put32(packet.mad + HD_MAD_MODIFIER, request->modifier);
	hd_put64(packet.mad + HD_SMP_MKEY, server->emulator->ports[port].mkey);
	packet.slid = packet.dlid = server->emulator->ports[port].lid;
	if (hd_sma_handle(server->emulator, server->emulator->fabric->ports[port].node,
			  (uint8_t)answer->port, &packet) != HD_ANSWERED ||
	    hd_get16(packet.mad + HD_MAD_STATUS) & ~HD_SMP_DIRECTION)
		return EINVAL;
	memcpy(answer->data, packet.mad + HD_SMP_DATA, HD_SMP_DATA_SIZE);
	return 0;
}

/* Sends the answer, with the @files of an opened port, if any. */
static bool send_answer(const struct hd_ring_connection *connection,
			const struct hd_ring_answer *answer, const int files[HD_RING_FILES])
{
	union {
		char buffer[CMSG_SPACE(HD_RING_FILES * sizeof(int))];
		struct cmsghdr align;
	} control = { 0 };
	struct iovec data = { .iov_base = (void *)answer, .iov_len = sizeof(*answer) };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };

	if (files[0] >= 0) {
		struct cmsghdr *header;

		message.msg_control = control.buffer;
		message.msg_controllen = sizeof(control.buffer);
		header = CMSG_FIRSTHDR(&message);
		header->cmsg_level = SOL_SOCKET;
		header->cmsg_type = SCM_RIGHTS;
		header->cmsg_len = CMSG_LEN(HD_RING_FILES * sizeof(int));
		memcpy(CMSG_DATA(header), files, HD_RING_FILES * sizeof(int));
	}
	return sendmsg(connection->socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT) ==
	       (ssize_t)sizeof(*answer);
}

bool hd_ring_control(struct hd_ring_connection *connection)
{
	struct hd_ring_answer answer = { .version = HD_RING_VERSION, .client = HD_NONE };
	struct hd_ring_request request;
	int files[HD_RING_FILES] = { -1, -1, -1 };
	ssize_t n = recv(connection->socket, &request, sizeof(request), MSG_TRUNC | MSG_DONTWAIT);
	bool sent;

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n != (ssize_t)sizeof(request))
		return false; /* the end of the connection, or a message of another version */
	request.host[sizeof(request.host) - 1] = '\0';
	if (request.version != HD_RING_VERSION) {
		answer.error = EPROTO;
		snprintf(answer.text, sizeof(answer.text), "the server speaks version %u",
			 HD_RING_VERSION);
	} else if (request.operation == HD_RING_OPEN) {
		answer.error = open_port(connection, &request, &answer, files);
	} else if (request.operation == HD_RING_ISSM) {
		answer.error = set_issm(connection, &request, &answer);
	} else if (request.operation == HD_RING_REGISTER) {
		answer.error = register_class(connection, &request, &answer);
	} else if (request.operation == HD_RING_GET) {
		answer.error = get_attribute(connection->server, &request, &answer);
	} else {
		answer.error = EINVAL;
	}
	sent = send_answer(connection, &answer, files);
	for (unsigned i = 0; i < HD_RING_FILES; i++)
		if (files[i] >= 0)
			close(files[i]);
	return sent;
}
