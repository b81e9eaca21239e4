/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Chakra execution traces: the nodes of each rank's file, read by libprotobuf-c; and the schedule
 * that they make, with collective operations as messages of our algorithms. docs/traffic.md has the
 * rules.
 */
#ifndef HD_TRAFFIC_CHAKRA_H
#define HD_TRAFFIC_CHAKRA_H

#include "fabric/symbols.h"
#include "sim/traffic/goal.h"

enum hd_chakra_type {
	HD_CHAKRA_INVALID,
	HD_CHAKRA_METADATA,
	HD_CHAKRA_LOAD,
	HD_CHAKRA_STORE,
	HD_CHAKRA_COMPUTE,
	HD_CHAKRA_SEND,
	HD_CHAKRA_RECEIVE,
	HD_CHAKRA_COLLECTIVE,
	HD_CHAKRA_TYPES
};

struct hd_chakra_node {
	uint64_t id;
	uint64_t size;    /* bytes; of one that computes, nanoseconds */
	size_t first, n;  /* of the nodes that it waits for, in `waits`; ... */
	size_t n_control; /* ... the first of these by control dependencies */
	uint32_t peer, tag;
	uint32_t group;    /* of a collective operation */
	uint8_t operation; /* of it: what Chakra numbers */
	uint8_t type;
	bool is_cpu;
};

struct hd_chakra {
	size_t n, allocated;
	struct hd_chakra_node *nodes;
	size_t n_waits, waits_allocated;
	uint64_t *waits; /* ids */
	size_t *first;   /* [n_files + 1] nodes of each file */
	uint32_t n_files;
	struct hd_symbols groups; /* names of process groups, with their NUL */
};

void hd_chakra_free(struct hd_chakra *trace);

/*
 * Adds the nodes of a file, the next rank's, of @size bytes at @data, @file being its name.
 * HD_EPARSE; HD_ENOMEM; HD_EREFUSED: this build has no libprotobuf-c.
 */
int hd_chakra_parse(const char *file, const char *data, size_t size, struct hd_chakra *trace,
		    struct hd_error *err);

/*
 * The schedule of @trace, named @file: a rank for each of its files; if there is one file, each of
 * @n_ranks ranks runs it. Collective operations go by @algorithm. Free with hd_goal_free(), also
 * after an error. HD_EPARSE; HD_ERANGE: too many operations or dependencies; HD_EINVAL: the
 * algorithm does not serve an operation; HD_ENOMEM.
 */
int hd_chakra_schedule(const struct hd_chakra *trace, const char *file, uint32_t n_ranks,
		       const char *algorithm, struct hd_goal *goal, struct hd_error *err);

#endif
