/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The backlog: packets in a host's queue after the first. Each takes only half a cache line, one
 * after another. Past saturation most packets are in backlogs, and their number grows without
 * bound.
 */
#ifndef HD_HOSTS_BACKLOG_H
#define HD_HOSTS_BACKLOG_H

#include <stdbool.h>
#include <stdint.h>

struct hd_chunk;
struct packet;

/* A FIFO, in linked chunks. */
struct hd_backlog {
	uint32_t first, last; /* chunks; HD_NONE: it is empty */
	uint16_t begin, end;  /* places in these chunks */
};

/* The chunks of all FIFOs. */
struct hd_backlog_pool {
	struct hd_chunk **blocks;
	uint32_t n_blocks, n_chunks;
	uint32_t free; /* list of chunks */
};

void hd_backlog_pool_init(struct hd_backlog_pool *pool);
void hd_backlog_pool_free(struct hd_backlog_pool *pool);

void hd_backlog_init(struct hd_backlog *backlog);

/* Adds a copy of the data of @packet. False: out of memory, and nothing has changed. */
bool hd_backlog_push(struct hd_backlog_pool *pool, struct hd_backlog *backlog,
		     const struct packet *packet);

/* Moves the first packet of the backlog, which is not empty, to @packet, of host @from. */
void hd_backlog_pop(struct hd_backlog_pool *pool, struct hd_backlog *backlog, uint32_t from,
		    struct packet *packet);

/*
 * The place of the first packet, and the place for the next push: hints for prefetching. NULL:
 * none.
 */
const void *hd_backlog_first(const struct hd_backlog_pool *pool, const struct hd_backlog *backlog);
const void *hd_backlog_end(const struct hd_backlog_pool *pool, const struct hd_backlog *backlog);

#endif
