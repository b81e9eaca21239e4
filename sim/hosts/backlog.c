// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/hosts/backlog.h"

#include <stdlib.h>

#include "sim/model/state.h"
#include "support/memory.h"

/*
 * The part of struct packet that is known at the host: message, destination and lane. Half a cache
 * line.
 */
struct hd_queued_packet {
	uint64_t time, id;
	uint32_t to, size, tag;
	uint16_t dlid;
	uint8_t sl, out_vl;
};

_Static_assert(sizeof(struct hd_queued_packet) == 32, "more than half a cache line");

#define PACKETS 15 /* in a chunk */

/* 512 bytes. */
struct hd_chunk {
	uint32_t next; /* the next one in the FIFO, or in the list of free ones */
	uint32_t padding[7];
	struct hd_queued_packet packets[PACKETS];
};

#define BLOCK 4096 /* chunks that are allocated at once */

void hd_backlog_pool_init(struct hd_backlog_pool *pool)
{
	*pool = (struct hd_backlog_pool){ .free = HD_NONE };
}

void hd_backlog_pool_free(struct hd_backlog_pool *pool)
{
	for (uint32_t i = 0; i < pool->n_blocks; i++)
		free(pool->blocks[i]);
	free(pool->blocks);
	hd_backlog_pool_init(pool);
}

void hd_backlog_init(struct hd_backlog *backlog)
{
	*backlog = (struct hd_backlog){ HD_NONE, HD_NONE, 0, 0 };
}

static struct hd_chunk *chunk_of(const struct hd_backlog_pool *pool, uint32_t chunk)
{
	return &pool->blocks[chunk / BLOCK][chunk % BLOCK];
}

static bool add_block(struct hd_backlog_pool *pool)
{
	struct hd_chunk **blocks =
		realloc(pool->blocks, (pool->n_blocks + (size_t)1) * sizeof(*blocks));

	if (!blocks)
		return false;
	pool->blocks = blocks;
	blocks[pool->n_blocks] = hd_alloc_large(BLOCK * sizeof(struct hd_chunk));
	if (!blocks[pool->n_blocks])
		return false;
	pool->n_blocks++;
	return true;
}

/* A chunk that is not in use; HD_NONE: out of memory. */
static uint32_t new_chunk(struct hd_backlog_pool *pool)
{
	uint32_t chunk = pool->free;

	if (chunk != HD_NONE) {
		pool->free = chunk_of(pool, chunk)->next;
		return chunk;
	}
	if (pool->n_chunks == pool->n_blocks * BLOCK &&
	    (pool->n_chunks > UINT32_MAX - BLOCK || !add_block(pool)))
		return HD_NONE;
	return pool->n_chunks++;
}

/* Makes room for one more packet at the end. */
static bool extend(struct hd_backlog_pool *pool, struct hd_backlog *backlog)
{
	uint32_t chunk = new_chunk(pool);

	if (chunk == HD_NONE)
		return false;
	if (backlog->first == HD_NONE) {
		backlog->first = chunk;
		backlog->begin = 0;
	} else {
		chunk_of(pool, backlog->last)->next = chunk;
	}
	backlog->last = chunk;
	backlog->end = 0;
	return true;
}

bool hd_backlog_push(struct hd_backlog_pool *pool, struct hd_backlog *backlog,
		     const struct packet *packet)
{
	if ((backlog->first == HD_NONE || backlog->end == PACKETS) && !extend(pool, backlog))
		return false;
	chunk_of(pool, backlog->last)->packets[backlog->end++] = (struct hd_queued_packet){
		.time = packet->message.time,
		.id = packet->message.id,
		.to = packet->message.to,
		.size = packet->message.size,
		.tag = packet->message.tag,
		.dlid = packet->dlid,
		.sl = packet->sl,
		.out_vl = packet->out_vl,
	};
	return true;
}

static void remove_first_chunk(struct hd_backlog_pool *pool, struct hd_backlog *backlog)
{
	uint32_t chunk = backlog->first;
	bool is_last = chunk == backlog->last;
	uint32_t next = chunk_of(pool, chunk)->next;

	chunk_of(pool, chunk)->next = pool->free;
	pool->free = chunk;
	if (is_last) {
		hd_backlog_init(backlog);
		return;
	}
	backlog->first = next;
	backlog->begin = 0;
}

void hd_backlog_pop(struct hd_backlog_pool *pool, struct hd_backlog *backlog, uint32_t from,
		    struct packet *packet)
{
	const struct hd_queued_packet *queued =
		&chunk_of(pool, backlog->first)->packets[backlog->begin++];

	packet->message = (struct hd_message){ .time = queued->time,
					       .from = from,
					       .to = queued->to,
					       .size = queued->size,
					       .tag = queued->tag,
					       .id = queued->id };
	packet->dlid = queued->dlid;
	packet->sl = queued->sl;
	packet->out_vl = queued->out_vl;
	packet->hops = 0;
	packet->next = HD_NONE;
	if (backlog->begin == (backlog->first == backlog->last ? backlog->end : PACKETS))
		remove_first_chunk(pool, backlog);
}

const void *hd_backlog_first(const struct hd_backlog_pool *pool, const struct hd_backlog *backlog)
{
	return backlog->first == HD_NONE ? NULL
					 : &chunk_of(pool, backlog->first)->packets[backlog->begin];
}

const void *hd_backlog_end(const struct hd_backlog_pool *pool, const struct hd_backlog *backlog)
{
	return backlog->first == HD_NONE || backlog->end == PACKETS
		       ? NULL
		       : &chunk_of(pool, backlog->last)->packets[backlog->end];
}
