// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The control sockets: clients come, ask and go. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "simfabric/emulator/control.h"
#include "simfabric/emulator/stock_private.h"
#include "support/error.h"

static bool same_address(const struct hd_address *a, const struct hd_address *b)
{
	if (a->u.any.sa_family != b->u.any.sa_family)
		return false;
	if (a->u.any.sa_family == AF_INET)
		return a->u.in.sin_port == b->u.in.sin_port &&
		       a->u.in.sin_addr.s_addr == b->u.in.sin_addr.s_addr;
	return a->length == b->length && memcmp(&a->u.un, &b->u.un, a->length) == 0;
}

static struct hd_peer *find_by_control(const struct hd_stock *stock,
				       const struct hd_address *control)
{
	for (size_t i = 0; i < stock->n_peers; i++)
		if (same_address(&stock->peers[i]->control, control))
			return stock->peers[i];
	return NULL;
}

static bool is_theirs(const struct hd_peer *peer, uid_t user)
{
	return user == peer->user || user == 0;
}

/* Adds and attaches a client; a client that is not admitted leaves nothing behind. */
static int take_in(struct hd_stock *stock, uid_t user, const struct hd_address *from,
		   const struct hd_address *data, struct hd_wire_control *message,
		   struct hd_peer **peer, struct hd_error *err)
{
	int ret = hd_stock_add(stock, user, from, data, peer, err);

	if (ret)
		return ret;
	ret = hd_stock_attach(*peer, message, err);
	if (ret)
		hd_stock_remove(*peer);
	return ret;
}

static int connect_client(struct hd_entrance *entrance, uid_t user, const struct hd_address *from,
			  struct hd_wire_control *message, struct hd_error *err)
{
	struct hd_stock *stock = entrance->stock;
	struct hd_wire_connect connect;
	struct hd_address data;
	struct hd_peer *peer = find_by_control(stock, from);
	int ret;

	hd_wire_read_connect(message, &connect);
	if (entrance->inet)
		data = hd_address_inet(&from->u.in, connect.address & UINT16_MAX);
	else
		data = hd_address_unix(stock->name, "in", &connect.address);
	/* the same address again: its former client is gone */
	if (peer)
		hd_stock_remove(peer);
	for (size_t i = 0; i < stock->n_peers; i++) {
		if (!same_address(&stock->peers[i]->data, &data))
			continue;
		if (!is_theirs(stock->peers[i], user))
			return hd_error_set(err, HD_EINVAL, "another user's client is there");
		hd_stock_remove(stock->peers[i]);
		break;
	}
	if (stock->n_peers >= stock->reap_at)
		hd_stock_reap(stock);

	ret = take_in(stock, user, from, &data, message, &peer, err);
	/* files, ports or places may have run out */
	if (ret && hd_stock_make_place(stock))
		ret = take_in(stock, user, from, &data, message, &peer, err);
	if (ret)
		return ret;
	hd_stock_say(stock, "client %u (%s %u) is on %s", peer->id,
		     entrance->inet ? "UDP port" : "process", connect.address,
		     (const char *)message->data + 12);
	return 0;
}

static void disconnect_client(struct hd_peer *peer)
{
	hd_stock_serve_rest(peer);
	hd_stock_say(peer->stock, "client %u left", peer->id);
	hd_stock_remove(peer);
}

static void answer(struct hd_entrance *entrance, uid_t user, const struct hd_address *from,
		   struct hd_wire_control *message)
{
	struct hd_stock *stock = entrance->stock;
	struct hd_peer *peer;
	struct hd_error err;

	if (message->type == HD_WIRE_CONNECT) {
		if (connect_client(entrance, user, from, message, &err)) {
			hd_stock_say(stock, "a client cannot attach: %s", err.text);
			hd_control_refuse(message);
		}
		return;
	}
	peer = find_by_control(stock, from);
	if (!peer || !is_theirs(peer, user))
		hd_control_refuse(message);
	else if (message->type == HD_WIRE_DISCONNECT)
		disconnect_client(peer);
	else
		hd_control_answer(stock->emulator, stock->clients, peer->id, message);
}

/* Receives a message; @user gets the user of the process that sent it, as the kernel tells. */
static ssize_t receive(const struct hd_entrance *entrance, uint8_t *bytes, size_t size,
		       struct hd_address *from, uid_t *user)
{
	union {
		char buffer[CMSG_SPACE(sizeof(struct ucred))];
		struct cmsghdr align;
	} control;
	struct iovec data = { .iov_base = bytes, .iov_len = size };
	struct msghdr message = {
		.msg_name = &from->u.any,
		.msg_namelen = sizeof(from->u),
		.msg_iov = &data,
		.msg_iovlen = 1,
		.msg_control = control.buffer,
		.msg_controllen = sizeof(control.buffer),
	};
	struct cmsghdr *header;
	struct ucred who;
	ssize_t n = recvmsg(entrance->fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	if (n < 0)
		return n;
	from->length = message.msg_namelen;
	*user = HD_NO_USER;
	for (header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
		if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_CREDENTIALS)
			continue;
		memcpy(&who, CMSG_DATA(header), sizeof(who));
		*user = who.uid;
	}
	return n;
}

static void serve_control(void *context, uint32_t events)
{
	struct hd_entrance *entrance = context;
	uint8_t bytes[HD_WIRE_CONTROL_SIZE + 1];

	(void)events;
	for (int i = 0; i < HD_STOCK_BATCH; i++) {
		struct hd_wire_control message;
		struct hd_address from;
		uid_t user;
		ssize_t size = receive(entrance, bytes, sizeof(bytes), &from, &user);

		if (size < 0)
			return;
		if ((!entrance->inet && user == HD_NO_USER) ||
		    !hd_wire_read_control(bytes, (size_t)size, &message))
			continue;
		answer(entrance, user, &from, &message);
		hd_wire_write_control(&message, bytes);
		/* a client that is gone by now needs no answer */
		sendto(entrance->fd, bytes, HD_WIRE_CONTROL_SIZE, MSG_DONTWAIT | MSG_NOSIGNAL,
		       &from.u.any, from.length);
	}
}

static int open_entrance(struct hd_stock *stock, struct hd_entrance *entrance,
			 const struct hd_address *address, const char *what, struct hd_error *err)
{
	const int on = 1;

	entrance->stock = stock;
	entrance->inet = address->u.any.sa_family == AF_INET;
	entrance->watch = (struct hd_watch){ .ready = serve_control, .context = entrance };
	entrance->fd = hd_stock_socket(address, NULL);
	if (entrance->fd == -EADDRINUSE)
		return hd_error_set(err, HD_EIO, "%s is in use: another simulator runs there",
				    what);
	if (entrance->fd < 0)
		return hd_error_set(err, HD_EIO, "%s: %s", what, strerror(-entrance->fd));
	if (!entrance->inet && setsockopt(entrance->fd, SOL_SOCKET, SO_PASSCRED, &on, sizeof(on)))
		return hd_error_set(err, HD_EIO, "%s: %s", what, strerror(errno));
	return hd_loop_watch(stock->loop, entrance->fd, EPOLLIN, &entrance->watch, err);
}

int hd_stock_open_entrances(struct hd_stock *stock, struct hd_error *err)
{
	struct hd_address address = hd_address_unix(stock->name, "ctl", NULL);
	char what[HD_STOCK_NAME_MAX + 64];
	int ret;

	snprintf(what, sizeof(what), "socket name '%s'", stock->name);
	ret = open_entrance(stock, &stock->un, &address, what, err);
	if (ret || !stock->options.inet)
		return ret;
	address = hd_address_inet(&stock->options.listen, ntohs(stock->options.listen.sin_port));
	snprintf(what, sizeof(what), "UDP port %u", ntohs(stock->options.listen.sin_port));
	return open_entrance(stock, &stock->in, &address, what, err);
}

void hd_stock_close_entrances(struct hd_stock *stock)
{
	if (stock->un.fd >= 0) {
		hd_loop_unwatch(stock->loop, stock->un.fd, &stock->un.watch);
		close(stock->un.fd);
	}
	if (stock->in.fd >= 0) {
		hd_loop_unwatch(stock->loop, stock->in.fd, &stock->in.watch);
		close(stock->in.fd);
	}
}
