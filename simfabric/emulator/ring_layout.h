/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the server and the umad library share: the messages on the socket `NAME:ring` (abstract,
 * SOCK_SEQPACKET), and two rings of packets in a memory file, one for each direction. A ring has
 * one producer and one consumer. Neither makes a system call while the other is awake. An end
 * without work raises a flag and sleeps; the other end, when it has a packet, lowers the flag and
 * wakes it: the client writes to an eventfd, the server sends a byte through a pair of sockets. The
 * eventfd is one file for both, so a client can make it block: the server only waits for its edges,
 * and never reads or writes it. Each end of the sockets is a file of its own.
 *
 * Each end keeps its own position privately, and publishes it. It checks the other end's published
 * position before use, so a bad position never leads outside the ring.
 */
#ifndef HD_EMULATOR_RING_LAYOUT_H
#define HD_EMULATOR_RING_LAYOUT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>
#include <sys/types.h>

#include "mad/mad.h"

/* Change this with any change below. */
#define HD_RING_VERSION 2u
#define HD_RING_SLOTS   512u /* a power of two */

enum hd_ring_kind {
	HD_RING_PACKET,
	HD_RING_LOST, /* to the client: this request of the client was lost on the way */
};

struct hd_ring_slot {
	uint32_t kind;
	struct hd_packet packet; /* to the server: slid holds only the path bits */
};

struct hd_ring {
	/* slots that were ever written, modulo 2^32; set by the producer */
	_Alignas(64) _Atomic uint32_t written;
	/* slots that were ever read; set by the consumer */
	_Alignas(64) _Atomic uint32_t read;
	/*
	 * raised by the consumer when it is about to sleep, lowered by the producer that wakes it
	 */
	_Alignas(64) _Atomic uint32_t empty;
	/* raised by the producer that waits for room, lowered by the consumer that wakes it */
	_Atomic uint32_t full;
	_Alignas(64) struct hd_ring_slot slots[HD_RING_SLOTS];
};

struct hd_ring_pair {
	struct hd_ring to_server, to_client;
};

/* What one end knows privately. */
struct hd_ring_end {
	struct hd_ring *ring;
	uint32_t position; /* slots that this end wrote or read so far */
	uint32_t seen;     /* of a producer: the consumer's position when it was last looked at */
};

#define HD_RING_BROKEN UINT32_MAX /* the other end published an impossible number */

/* For the producer: how many slots it can write. */
static inline uint32_t hd_ring_room(struct hd_ring_end *end)
{
	uint32_t used = end->position - end->seen;

	if (used < HD_RING_SLOTS)
		return HD_RING_SLOTS - used;
	end->seen = atomic_load(&end->ring->read);
	used = end->position - end->seen;
	return used > HD_RING_SLOTS ? HD_RING_BROKEN : HD_RING_SLOTS - used;
}

/*
 * The producer wants to wait for @wanted slots of room, at most half of the ring: false when they
 * are there already (or the ring is broken), otherwise one of the consumer's next hd_ring_release()
 * wakes it.
 */
static inline bool hd_ring_wait_room(struct hd_ring_end *end, uint32_t wanted)
{
	uint32_t used;

	atomic_store(&end->ring->full, 1);
	end->seen = atomic_load(&end->ring->read);
	used = end->position - end->seen;
	if (used <= HD_RING_SLOTS && HD_RING_SLOTS - used < wanted)
		return true;
	atomic_store(&end->ring->full, 0);
	return false;
}

/* Writes a slot, for which there must be room. True: the consumer sleeps, and must be woken. */
static inline bool hd_ring_write(struct hd_ring_end *end, uint32_t kind,
				 const struct hd_packet *packet)
{
	struct hd_ring *ring = end->ring;
	struct hd_ring_slot *slot = &ring->slots[end->position % HD_RING_SLOTS];

	slot->kind = kind;
	slot->packet = *packet;
	/*
	 * sequentially consistent, as in hd_ring_sleep(): at least one of the two sees the other's
	 * change
	 */
	atomic_store(&ring->written, ++end->position);
	return atomic_load(&ring->empty) && atomic_exchange(&ring->empty, 0);
}

/* For the consumer: how many slots it can read. */
static inline uint32_t hd_ring_waiting(const struct hd_ring_end *end)
{
	uint32_t n =
		atomic_load_explicit(&end->ring->written, memory_order_acquire) - end->position;

	return n > HD_RING_SLOTS ? HD_RING_BROKEN : n;
}

/* Reads a slot; there must be one. The producer can write there again after hd_ring_release(). */
static inline void hd_ring_read(struct hd_ring_end *end, struct hd_ring_slot *slot)
{
	*slot = end->ring->slots[end->position++ % HD_RING_SLOTS];
}

/*
 * Returns the read slots to the producer. True: the producer waits for room, and must be woken.
 * That is not before half of the ring is free; otherwise the two would wake each other for every
 * slot.
 */
static inline bool hd_ring_release(struct hd_ring_end *end)
{
	atomic_store(&end->ring->read, end->position);
	return atomic_load(&end->ring->full) && hd_ring_waiting(end) <= HD_RING_SLOTS / 2 &&
	       atomic_exchange(&end->ring->full, 0);
}

/* The consumer wants to sleep: false when there is a slot to read (or the ring is broken). */
static inline bool hd_ring_sleep(struct hd_ring_end *end)
{
	atomic_store(&end->ring->empty, 1);
	if (!hd_ring_waiting(end))
		return true;
	atomic_store(&end->ring->empty, 0);
	return false;
}

/* Wakes the client. Never blocks: a full socket wakes the client as well. */
static inline void hd_ring_wake_client(int fd)
{
	send(fd, "", 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

/*
 * For the client: takes the bytes that woke it, without blocking. False: the server has closed its
 * end.
 */
static inline bool hd_ring_woken(int fd)
{
	char bytes[256];

	return recv(fd, bytes, sizeof(bytes), MSG_DONTWAIT) != 0;
}

/* Messages on the socket: a client sends a request, the server one answer to each. */
enum hd_ring_operation {
	HD_RING_OPEN, /* attach to @port of @host: the answer carries HD_RING_FILES files: the
			     memory of the rings, the eventfd that wakes the server, the client's
			     end of the pair of sockets */
	HD_RING_ISSM, /* IsSM of @client, or (HD_NONE) of @port of @host, until the socket closes */
	HD_RING_REGISTER, /* the client takes @methods of @mad_class, and no other methods of it */
	HD_RING_GET, /* attribute @attribute, @modifier of the subnet management agent at @port of
			     @host */
};

#define HD_RING_HOST_SIZE 256
#define HD_RING_FILES     3

struct hd_ring_request {
	uint32_t version; /* HD_RING_VERSION */
	uint32_t operation;
	uint32_t client;
	uint32_t port; /* number of the port; 0: the first */
	uint32_t mad_class;
	uint32_t attribute, modifier;
	uint64_t methods[2];
	char host[HD_RING_HOST_SIZE]; /* as for hd_clients_find_port() */
};

struct hd_ring_answer {
	uint32_t version;
	uint32_t error;  /* an errno value, or 0 */
	uint32_t client; /* HD_RING_OPEN: the number of the client */
	uint32_t serial; /* HD_RING_OPEN: a number that no client had before, for its transaction
			    IDs */
	uint32_t port;   /* the number of the port that was meant */
	uint8_t data[HD_SMP_DATA_SIZE];
	char text[256]; /* what went wrong */
};

#endif
