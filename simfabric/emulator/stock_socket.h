/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Sockets of the stock carrier, and the addresses of both ends. */
#ifndef HD_EMULATOR_STOCK_SOCKET_H
#define HD_EMULATOR_STOCK_SOCKET_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/un.h>

struct hd_error;

#define HD_STOCK_NAME_MAX 80 /* bytes of a name, so that "NAME:ctl4294967295" fits */

struct hd_address {
	union {
		struct sockaddr any;
		struct sockaddr_un un;
		struct sockaddr_in in;
	} u;
	socklen_t length;
};

/* "NAME:WHAT" or, with a @number, "NAME:WHATNUMBER", in the abstract namespace. */
struct hd_address hd_address_unix(const char *name, const char *what, const uint32_t *number);

/* @address with port @port (host order). */
struct hd_address hd_address_inet(const struct sockaddr_in *address, unsigned port);

/*
 * A datagram socket bound to @address, non-blocking, with ample buffers; negative: errno. With
 * @peer it is connected to that address, and takes messages from nobody else; a unix socket is
 * connected before anybody can send to it.
 */
int hd_stock_socket(const struct hd_address *address, const struct hd_address *peer);

/*
 * Whether somebody is bound to @address; true also where that cannot be found out, on other
 * machines.
 */
bool hd_address_is_alive(const struct hd_address *address);

#endif
