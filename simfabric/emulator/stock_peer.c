// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "simfabric/emulator/stock_peer.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#define KEPT 4096 /* messages; a longer queue is freed when it is empty */

int hd_peer_open(struct hd_peer *peer, const struct hd_address *own)
{
	int fd = hd_stock_socket(own, &peer->data);

	if (fd < 0)
		return fd;
	peer->fd = fd;
	return 0;
}

void hd_peer_close(struct hd_peer *peer)
{
	if (peer->fd >= 0)
		close(peer->fd);
	peer->fd = -1;
	free(peer->queue);
	peer->queue = NULL;
	peer->size = 0;
	peer->n = 0;
}

static bool grow(struct hd_peer *peer)
{
	uint32_t size = peer->size ? 2 * peer->size : HD_STOCK_BATCH;
	uint8_t(*queue)[HD_WIRE_DATA_SIZE];

	if (size > HD_STOCK_QUEUE_MAX)
		return false;
	queue = malloc(size * sizeof(*queue));
	if (!queue)
		return false;
	for (uint32_t i = 0; i < peer->n; i++)
		memcpy(queue[i], peer->queue[(peer->first + i) % peer->size], sizeof(*queue));
	free(peer->queue);
	peer->queue = queue;
	peer->size = size;
	peer->first = 0;
	return true;
}

bool hd_peer_push(struct hd_peer *peer, const struct hd_packet *packet, uint32_t status)
{
	bool ends = status || packet->mad[HD_MAD_METHOD] & HD_METHOD_RESPONSE;

	if (!ends && peer->n >= HD_STOCK_QUEUE_OTHERS)
		return false;
	if (peer->n == peer->size && !grow(peer))
		return false;
	hd_wire_write_data(packet, status, peer->queue[(peer->first + peer->n) % peer->size]);
	peer->n++;
	return true;
}

static bool is_dead(int error)
{
	/* EPERM: the process that has the address now is connected to another one */
	return error == ECONNREFUSED || error == ENOTCONN || error == EPERM || error == ECONNRESET;
}

bool hd_peer_flush(struct hd_peer *peer)
{
	struct mmsghdr messages[HD_STOCK_BATCH];
	struct iovec vectors[HD_STOCK_BATCH];

	while (peer->n) {
		unsigned n = peer->n < HD_STOCK_BATCH ? peer->n : HD_STOCK_BATCH;
		int sent;

		if (n == 1) {
			ssize_t size = send(peer->fd, peer->queue[peer->first], HD_WIRE_DATA_SIZE,
					    MSG_DONTWAIT | MSG_NOSIGNAL);

			sent = size < 0 ? -1 : 1;
		} else {
			for (unsigned i = 0; i < n; i++) {
				vectors[i] = (struct iovec){
					.iov_base = peer->queue[(peer->first + i) % peer->size],
					.iov_len = HD_WIRE_DATA_SIZE,
				};
				messages[i] = (struct mmsghdr){
					.msg_hdr = { .msg_iov = &vectors[i], .msg_iovlen = 1 },
				};
			}
			sent = sendmmsg(peer->fd, messages, n, MSG_DONTWAIT | MSG_NOSIGNAL);
		}
		if (sent < 0)
			return errno == EINTR || !is_dead(errno);
		peer->first = (peer->first + (unsigned)sent) % peer->size;
		peer->n -= (unsigned)sent;
	}
	if (peer->size > KEPT) {
		free(peer->queue);
		peer->queue = NULL;
		peer->size = 0;
	}
	return true;
}

int hd_peer_receive(struct hd_peer *peer, struct hd_batch *batch)
{
	struct mmsghdr messages[HD_STOCK_BATCH];
	struct iovec vectors[HD_STOCK_BATCH];
	int n;

	for (unsigned i = 0; i < HD_STOCK_BATCH; i++) {
		vectors[i] = (struct iovec){ batch->bytes[i], sizeof(batch->bytes[i]) };
		messages[i] = (struct mmsghdr){
			.msg_hdr = { .msg_iov = &vectors[i], .msg_iovlen = 1 },
		};
	}
	n = recvmmsg(peer->fd, messages, HD_STOCK_BATCH, MSG_DONTWAIT, NULL);
	if (n < 0)
		return is_dead(errno) ? -1 : 0;
	for (int i = 0; i < n; i++)
		batch->sizes[i] = messages[i].msg_len;
	return n;
}

uint32_t hd_peer_wanted(const struct hd_peer *peer)
{
	return (peer->n < HD_STOCK_QUEUE_HIGH ? EPOLLIN : 0) | (peer->n ? EPOLLOUT : 0);
}
