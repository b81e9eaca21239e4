// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/stock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "simfabric/emulator/control.h"
#include "simfabric/emulator/stock_peer.h"
#include "support/error.h"

#define REAP_SECONDS 1
#define REAP_FIRST   16 /* clients, and every doubling */

/* A control socket. */
struct entrance {
	struct hd_stock *stock;
	int fd;
	bool inet;
	struct hd_watch watch;
};

struct hd_stock {
	struct hd_emulator *emulator;
	struct hd_clients *clients;
	struct hd_loop *loop;
	struct hd_stock_options options;
	char name[HD_STOCK_NAME_MAX + 1];

	struct entrance un, in;
	int timer;
	struct hd_watch timer_watch;
	struct hd_watch before_wait;

	struct hd_peer **peers; /* ascending by attaching */
	size_t n_peers, size_peers;
	size_t reap_at;
	struct hd_peer *dirty;
	struct hd_batch batch;
};

static void __attribute__((format(printf, 2, 3)))
say(const struct hd_stock *stock, const char *format, ...)
{
	char line[1024];
	va_list args;

	if (!stock->options.say)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	stock->options.say(stock->options.context, line);
}

static void mark_dirty(struct hd_peer *peer)
{
	if (peer->dirty)
		return;
	peer->dirty = true;
	peer->next_dirty = peer->stock->dirty;
	peer->stock->dirty = peer;
}

static void remove_peer(struct hd_peer *peer)
{
	struct hd_stock *stock = peer->stock;
	struct hd_peer **at = &stock->dirty;
	size_t i = 0;

	while (*at && *at != peer)
		at = &(*at)->next_dirty;
	if (*at)
		*at = peer->next_dirty;
	while (stock->peers[i] != peer)
		i++;
	memmove(&stock->peers[i], &stock->peers[i + 1],
		(stock->n_peers - i - 1) * sizeof(*stock->peers));
	stock->n_peers--;
	if (peer->fd >= 0)
		hd_loop_unwatch(stock->loop, peer->fd, &peer->watch);
	hd_peer_close(peer);
	hd_clients_detach(stock->clients, peer->id);
	free(peer);
}

static void bury(struct hd_peer *peer)
{
	say(peer->stock, "client %u died", peer->id);
	remove_peer(peer);
}

static bool deliver(void *context, const struct hd_packet *packet)
{
	struct hd_peer *peer = context;

	if (!hd_peer_push(peer, packet, 0))
		return false;
	mark_dirty(peer);
	return true;
}

static void lost(void *context, const struct hd_packet *packet)
{
	struct hd_peer *peer = context;

	if (hd_peer_push(peer, packet, HD_WIRE_TIMED_OUT))
		mark_dirty(peer);
}

static void expel(void *context)
{
	remove_peer(context);
}

static const struct hd_carrier carrier = { .deliver = deliver, .lost = lost, .expel = expel };

static bool update_events(struct hd_peer *peer)
{
	uint32_t wanted = hd_peer_wanted(peer);

	if (wanted == peer->events)
		return true;
	if (hd_loop_watch(peer->stock->loop, peer->fd, wanted, &peer->watch, NULL))
		return false;
	peer->events = wanted;
	return true;
}

/* The end of a turn: what gathered goes out. Burying somebody may make others dirty. */
static void flush(void *context, uint32_t events)
{
	struct hd_stock *stock = context;

	(void)events;
	while (stock->dirty) {
		struct hd_peer *peer = stock->dirty;

		stock->dirty = peer->next_dirty;
		peer->dirty = false;
		if (!hd_peer_flush(peer) || !update_events(peer))
			bury(peer);
	}
}

/* Serves a batch of requests; false: the client is dead. */
static bool serve_batch(struct hd_peer *peer, int *n)
{
	struct hd_stock *stock = peer->stock;
	struct hd_packet packet;

	*n = hd_peer_receive(peer, &stock->batch);
	for (int i = 0; i < *n; i++)
		if (hd_wire_read_data(stock->batch.bytes[i], stock->batch.sizes[i], &packet))
			hd_clients_send(stock->clients, peer->id, &packet);
	return *n >= 0;
}

static void serve(void *context, uint32_t events)
{
	struct hd_peer *peer = context;
	int n;

	if (events & EPOLLOUT)
		mark_dirty(peer);
	if (events & ~(uint32_t)EPOLLOUT && !serve_batch(peer, &n))
		bury(peer);
}

void hd_stock_reap(struct hd_stock *stock)
{
	for (size_t i = stock->n_peers; i-- > 0;) {
		struct hd_peer *peer = stock->peers[i];

		if (peer->data.u.any.sa_family == AF_UNIX && !hd_address_is_alive(&peer->data))
			bury(peer);
	}
	stock->reap_at = 2 * stock->n_peers < REAP_FIRST ? REAP_FIRST : 2 * stock->n_peers;
}

static void reap_in_time(void *context, uint32_t events)
{
	struct hd_stock *stock = context;
	uint64_t expirations;

	(void)events;
	if (read(stock->timer, &expirations, sizeof(expirations)) > 0)
		hd_stock_reap(stock);
}

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

static int add_peer(struct hd_stock *stock, const struct hd_address *control,
		    const struct hd_address *data, struct hd_peer **peer, struct hd_error *err)
{
	if (stock->n_peers == stock->size_peers) {
		size_t size = stock->size_peers ? 2 * stock->size_peers : REAP_FIRST;
		struct hd_peer **grown = realloc(stock->peers, size * sizeof(*grown));

		if (!grown)
			return hd_error_nomem(err);
		stock->peers = grown;
		stock->size_peers = size;
	}
	*peer = calloc(1, sizeof(**peer));
	if (!*peer)
		return hd_error_nomem(err);
	(*peer)->stock = stock;
	(*peer)->id = HD_NONE;
	(*peer)->fd = -1;
	(*peer)->control = *control;
	(*peer)->data = *data;
	(*peer)->watch = (struct hd_watch){ .ready = serve, .context = *peer };
	stock->peers[stock->n_peers++] = *peer;
	return 0;
}

static int open_peer(struct hd_peer *peer, struct hd_error *err)
{
	struct hd_stock *stock = peer->stock;
	struct hd_address own;
	int ret;

	if (peer->data.u.any.sa_family == AF_UNIX) {
		own = hd_address_unix(stock->name, "out", &peer->id);
	} else {
		unsigned port = ntohs(stock->options.listen.sin_port) + peer->id + 1;

		if (port > UINT16_MAX)
			return hd_error_set(err, HD_ERANGE, "no UDP port is left");
		own = hd_address_inet(&stock->options.listen, port);
	}
	ret = hd_peer_open(peer, &own);
	if (ret)
		return hd_error_set(err, HD_EIO, "data socket: %s", strerror(-ret));
	return update_events(peer) ? 0 : hd_error_set(err, HD_EIO, "epoll: %s", strerror(errno));
}

static int connect_client(struct entrance *entrance, const struct hd_address *from,
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
	/* the same address again: who had it is no more */
	if (peer)
		remove_peer(peer);
	for (size_t i = 0; i < stock->n_peers; i++)
		if (same_address(&stock->peers[i]->data, &data)) {
			remove_peer(stock->peers[i]);
			break;
		}
	if (stock->n_peers >= stock->reap_at)
		hd_stock_reap(stock);

	ret = add_peer(stock, from, &data, &peer, err);
	if (ret)
		return ret;
	ret = hd_control_connect(stock->emulator, stock->clients, &carrier, peer, message,
				 &peer->id, err);
	if (!ret)
		ret = open_peer(peer, err);
	if (ret) {
		remove_peer(peer);
		return ret;
	}
	say(stock, "client %u (%s %u) is on %s", peer->id, entrance->inet ? "UDP port" : "process",
	    connect.address, (const char *)message->data + 12);
	return 0;
}

static void disconnect_client(struct hd_peer *peer)
{
	uint32_t id = peer->id;
	int n = 1;

	/* what it sent before is still served */
	while (n > 0 && serve_batch(peer, &n))
		;
	say(peer->stock, "client %u left", id);
	remove_peer(peer);
}

static void answer(struct entrance *entrance, const struct hd_address *from,
		   struct hd_wire_control *message)
{
	struct hd_stock *stock = entrance->stock;
	struct hd_peer *peer;
	struct hd_error err;

	if (message->type == HD_WIRE_CONNECT) {
		if (connect_client(entrance, from, message, &err)) {
			say(stock, "a client cannot attach: %s", err.text);
			hd_control_refuse(message);
		}
		return;
	}
	peer = find_by_control(stock, from);
	if (!peer)
		hd_control_refuse(message);
	else if (message->type == HD_WIRE_DISCONNECT)
		disconnect_client(peer);
	else
		hd_control_answer(stock->emulator, stock->clients, peer->id, message);
}

static void serve_control(void *context, uint32_t events)
{
	struct entrance *entrance = context;
	uint8_t bytes[HD_WIRE_CONTROL_SIZE + 1];

	(void)events;
	for (int i = 0; i < HD_STOCK_BATCH; i++) {
		struct hd_address from = { .length = sizeof(from.u) };
		struct hd_wire_control message;
		ssize_t size = recvfrom(entrance->fd, bytes, sizeof(bytes), MSG_DONTWAIT,
					&from.u.any, &from.length);

		if (size < 0)
			return;
		if (!hd_wire_read_control(bytes, (size_t)size, &message))
			continue;
		answer(entrance, &from, &message);
		hd_wire_write_control(&message, bytes);
		/* who is gone by now needs no answer */
		sendto(entrance->fd, bytes, HD_WIRE_CONTROL_SIZE, MSG_DONTWAIT | MSG_NOSIGNAL,
		       &from.u.any, from.length);
	}
}

static int open_entrance(struct hd_stock *stock, struct entrance *entrance,
			 const struct hd_address *address, const char *what, struct hd_error *err)
{
	entrance->stock = stock;
	entrance->inet = address->u.any.sa_family == AF_INET;
	entrance->watch = (struct hd_watch){ .ready = serve_control, .context = entrance };
	entrance->fd = hd_stock_socket(address);
	if (entrance->fd == -EADDRINUSE)
		return hd_error_set(err, HD_EIO, "%s is in use: another simulator runs there",
				    what);
	if (entrance->fd < 0)
		return hd_error_set(err, HD_EIO, "%s: %s", what, strerror(-entrance->fd));
	return hd_loop_watch(stock->loop, entrance->fd, EPOLLIN, &entrance->watch, err);
}

static int start_timer(struct hd_stock *stock, struct hd_error *err)
{
	const struct itimerspec every = { .it_interval.tv_sec = REAP_SECONDS,
					  .it_value.tv_sec = REAP_SECONDS };

	stock->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	if (stock->timer < 0 || timerfd_settime(stock->timer, 0, &every, NULL))
		return hd_error_set(err, HD_EIO, "timer: %s", strerror(errno));
	stock->timer_watch = (struct hd_watch){ .ready = reap_in_time, .context = stock };
	return hd_loop_watch(stock->loop, stock->timer, EPOLLIN, &stock->timer_watch, err);
}

static int open_entrances(struct hd_stock *stock, struct hd_error *err)
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

int hd_stock_new(struct hd_emulator *emulator, struct hd_clients *clients, struct hd_loop *loop,
		 const struct hd_stock_options *options, struct hd_stock **result,
		 struct hd_error *err)
{
	struct hd_stock *stock;
	int ret;

	*result = NULL;
	if (!*options->name || strlen(options->name) > HD_STOCK_NAME_MAX)
		return hd_error_set(err, HD_EINVAL, "a socket name has 1 to %d bytes",
				    HD_STOCK_NAME_MAX);
	stock = calloc(1, sizeof(*stock));
	if (!stock)
		return hd_error_nomem(err);
	stock->emulator = emulator;
	stock->clients = clients;
	stock->loop = loop;
	stock->options = *options;
	snprintf(stock->name, sizeof(stock->name), "%s", options->name);
	stock->un.fd = -1;
	stock->in.fd = -1;
	stock->timer = -1;
	stock->reap_at = REAP_FIRST;
	ret = open_entrances(stock, err);
	if (!ret)
		ret = start_timer(stock, err);
	if (ret) {
		hd_stock_free(stock);
		return ret;
	}
	stock->before_wait = (struct hd_watch){ .ready = flush, .context = stock };
	hd_loop_before_wait(loop, &stock->before_wait);
	*result = stock;
	return 0;
}

void hd_stock_free(struct hd_stock *stock)
{
	if (!stock)
		return;
	while (stock->n_peers)
		remove_peer(stock->peers[stock->n_peers - 1]);
	if (stock->un.fd >= 0) {
		hd_loop_unwatch(stock->loop, stock->un.fd, &stock->un.watch);
		close(stock->un.fd);
	}
	if (stock->in.fd >= 0) {
		hd_loop_unwatch(stock->loop, stock->in.fd, &stock->in.watch);
		close(stock->in.fd);
	}
	if (stock->timer >= 0) {
		hd_loop_unwatch(stock->loop, stock->timer, &stock->timer_watch);
		close(stock->timer);
	}
	free(stock->peers);
	free(stock);
}
