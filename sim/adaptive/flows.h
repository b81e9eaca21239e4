/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Memory of flows: a hash table by place and flow, which only grows. */
#ifndef HD_ADAPTIVE_FLOWS_H
#define HD_ADAPTIVE_FLOWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A flow, from a host to a LID, at a switch or at its end. */
struct hd_flow_entry {
	uint64_t key;  /* 0: free */
	uint64_t when; /* at a switch: when the last packet left; at the end: the latest number */
	uint8_t port;  /* by which */
};

/* All 0: empty. */
struct hd_flows {
	struct hd_flow_entry *entries;
	size_t n, size; /* size is a power of two, or 0 */
	bool out_of_memory;
};

/* Hosts and switches are fewer than 2^24; LIDs are not 0. */
static inline uint64_t hd_flow_key(uint32_t at, uint32_t source, uint16_t lid)
{
	return (uint64_t)at << 40 | (uint64_t)source << 16 | lid;
}

/* The entry of @key; NULL: there is none. */
struct hd_flow_entry *hd_flows_find(const struct hd_flows *flows, uint64_t key);

/* The same; if there is none, adds one of which all but the key is 0. NULL: out of memory. */
struct hd_flow_entry *hd_flows_add(struct hd_flows *flows, uint64_t key);

void hd_flows_clear(struct hd_flows *flows);

#endif
