// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The clients of the stock carrier and their packets. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <time.h>

#include "simfabric/emulator/control.h"
#include "simfabric/emulator/stock_private.h"
#include "support/error.h"

/* Seconds without a message, after which a UDP client may have to make room. */
#define SILENT_SECONDS 60

void hd_stock_say(const struct hd_stock *stock, const char *format, ...)
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

void hd_stock_remove(struct hd_peer *peer)
{
	struct hd_stock *stock = peer->stock;
	struct hd_peer **at = &stock->dirty;
	size_t i = 0;

	/* first, since its traps make other clients dirty */
	hd_clients_detach(stock->clients, peer->id);
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
	hd_access_leave(stock->options.access, peer->user);
	free(peer);
}

static void bury(struct hd_peer *peer)
{
	hd_stock_say(peer->stock, "client %u died", peer->id);
	hd_stock_remove(peer);
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
	hd_stock_remove(context);
}

static const struct hd_carrier carrier = {
	.deliver = deliver,
	.lost = lost,
	.expel = expel,
	.timeout_ns = HD_STOCK_TIMEOUT_NS,
};

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

/* Removing a dead client may make others dirty. */
void hd_stock_flush(void *context, uint32_t events)
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

static uint64_t seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	return (uint64_t)now.tv_sec;
}

/*
 * The upper 16 bits of a request's transaction ID are the client's number, as on ibsim; programs
 * leave the upper half to the kernel. So an answer returns to who asked, whatever others at the
 * port have asked with the same ID: one that waits for an answer that never comes, or died while it
 * waited.
 */
static void sign(const struct hd_peer *peer, struct hd_packet *packet)
{
	unsigned method = hd_mad_method(packet);

	if (!(method & HD_METHOD_RESPONSE) && method != HD_METHOD_TRAP_REPRESS)
		hd_put16(packet->mad + HD_MAD_TID, (uint16_t)peer->id);
}

/* Serves a batch of requests; false: the client is dead. */
static bool serve_batch(struct hd_peer *peer, int *n)
{
	struct hd_stock *stock = peer->stock;
	struct hd_packet packet;

	*n = hd_peer_receive(peer, &stock->batch);
	peer->heard = seconds();
	for (int i = 0; i < *n; i++) {
		if (!hd_wire_read_data(stock->batch.bytes[i], stock->batch.sizes[i], &packet))
			continue;
		sign(peer, &packet);
		hd_clients_send(stock->clients, peer->id, &packet);
	}
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

		if (!hd_address_is_alive(&peer->data))
			bury(peer);
	}
	stock->reap_at =
		2 * stock->n_peers < HD_STOCK_REAP_FIRST ? HD_STOCK_REAP_FIRST : 2 * stock->n_peers;
}

bool hd_stock_make_place(struct hd_stock *stock)
{
	struct hd_peer *silent = NULL;

	for (size_t i = 0; i < stock->n_peers; i++) {
		struct hd_peer *peer = stock->peers[i];

		if (peer->user == HD_NO_USER && (!silent || peer->heard < silent->heard))
			silent = peer;
	}
	if (!silent || seconds() - silent->heard < SILENT_SECONDS)
		return false;
	hd_stock_say(stock, "client %u said nothing for long, and its place is needed", silent->id);
	hd_stock_remove(silent);
	return true;
}

bool hd_stock_serve_rest(struct hd_peer *peer)
{
	int n = 1;

	while (n > 0)
		if (!serve_batch(peer, &n))
			return false;
	return true;
}

int hd_stock_add(struct hd_stock *stock, uid_t user, const struct hd_address *control,
		 const struct hd_address *data, struct hd_peer **peer, struct hd_error *err)
{
	const char *why_not;

	if (stock->n_peers == stock->size_peers) {
		size_t size = stock->size_peers ? 2 * stock->size_peers : HD_STOCK_REAP_FIRST;
		struct hd_peer **grown = realloc(stock->peers, size * sizeof(*grown));

		if (!grown)
			return hd_error_nomem(err);
		stock->peers = grown;
		stock->size_peers = size;
	}
	why_not = hd_access_enter(stock->options.access, user);
	if (why_not)
		return hd_error_set(err, HD_EINVAL, "%s", why_not);
	*peer = calloc(1, sizeof(**peer));
	if (!*peer) {
		hd_access_leave(stock->options.access, user);
		return hd_error_nomem(err);
	}
	(*peer)->user = user;
	(*peer)->heard = seconds();
	(*peer)->stock = stock;
	(*peer)->id = HD_NONE;
	(*peer)->fd = -1;
	(*peer)->control = *control;
	(*peer)->data = *data;
	(*peer)->watch = (struct hd_watch){ .ready = serve, .context = *peer };
	stock->peers[stock->n_peers++] = *peer;
	return 0;
}

/* Opens the client's data socket; @taken: another program has its address. */
static int open_peer(struct hd_peer *peer, bool *taken, struct hd_error *err)
{
	struct hd_stock *stock = peer->stock;
	struct hd_address own;
	int ret;

	*taken = false;
	if (peer->data.u.any.sa_family == AF_UNIX) {
		own = hd_address_unix(stock->name, "out", &peer->id);
	} else {
		unsigned port = ntohs(stock->options.listen.sin_port) + peer->id + 1;

		if (port > UINT16_MAX)
			return hd_error_set(err, HD_ERANGE, "no UDP port is left");
		own = hd_address_inet(&stock->options.listen, port);
	}
	ret = hd_peer_open(peer, &own);
	*taken = ret == -EADDRINUSE;
	if (ret)
		return hd_error_set(err, HD_EIO, "data socket: %s", strerror(-ret));
	return update_events(peer) ? 0 : hd_error_set(err, HD_EIO, "epoll: %s", strerror(errno));
}

/*
 * The number of a client says where its data socket is. Another program may be there: the kernel
 * gives a socket that asks for no UDP port one of those from 32768 on. Such numbers are passed
 * over.
 */
int hd_stock_attach(struct hd_peer *peer, struct hd_wire_control *message, struct hd_error *err)
{
	struct hd_stock *stock = peer->stock;
	uint32_t id, lowest = 0;
	bool taken;
	int ret;

	do {
		ret = hd_control_connect(stock->emulator, stock->clients, &carrier, peer, message,
					 lowest, &id, err);
		if (ret)
			return ret;
		peer->id = id;
		ret = open_peer(peer, &taken, err);
		if (taken) {
			hd_clients_detach(stock->clients, id);
			peer->id = HD_NONE;
			lowest = id + 1;
		}
	} while (taken);
	return ret;
}
