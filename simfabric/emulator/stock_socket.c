// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/stock_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Asked for; the kernel gives as much as net.core.wmem_max and rmem_max allow. */
#define BUFFER_BYTES (16 << 20)

struct hd_address hd_address_unix(const char *name, const char *what, const uint32_t *number)
{
	struct hd_address address = { .u.un.sun_family = AF_UNIX };
	char *path = address.u.un.sun_path + 1;
	size_t size = sizeof(address.u.un.sun_path) - 1;
	int length = number ? snprintf(path, size, "%s:%s%" PRIu32, name, what, *number)
			    : snprintf(path, size, "%s:%s", name, what);

	/* the NUL at its end is part of the name */
	address.length =
		(socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length + 1);
	return address;
}

struct hd_address hd_address_inet(const struct sockaddr_in *address, unsigned port)
{
	struct hd_address result = { .u.in = *address, .length = sizeof(*address) };

	result.u.in.sin_port = htons((uint16_t)port);
	return result;
}

static bool take(int fd, const struct hd_address *address)
{
	return bind(fd, &address->u.any, address->length) == 0;
}

static bool join(int fd, const struct hd_address *peer)
{
	return !peer || connect(fd, &peer->u.any, peer->length) == 0;
}

int hd_stock_socket(const struct hd_address *address, const struct hd_address *peer)
{
	int bytes = BUFFER_BYTES, saved;
	int fd = socket(address->u.any.sa_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -errno;
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	if (address->u.any.sa_family == AF_UNIX ? join(fd, peer) && take(fd, address)
						: take(fd, address) && join(fd, peer))
		return fd;
	saved = errno;
	close(fd);
	return -saved;
}

/* Whether somebody has the address: tries to bind to it. */
static bool is_taken(const struct hd_address *address)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool taken;

	if (fd < 0)
		return true;
	/* of another machine it is EADDRNOTAVAIL */
	taken = bind(fd, &address->u.any, address->length) != 0;
	close(fd);
	return taken;
}

bool hd_address_is_alive(const struct hd_address *address)
{
	bool alive;
	int fd;

	if (address->u.any.sa_family == AF_INET)
		return is_taken(address);
	fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return true;
	/*
	 * a socket that is connected elsewhere refuses with another error than one that does not
	 * exist
	 */
	alive = connect(fd, &address->u.any, address->length) == 0 || errno != ECONNREFUSED;
	close(fd);
	return alive;
}
