/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libheddle-lids.so sits between a program and libibverbs, and gives each connection and each
 * datagram one of the destination's LIDs. Private to this library. The library links nothing,
 * because libibverbs may come later, with a module that the program opens.
 */
#ifndef HD_PRELOAD_PRELOAD_H
#define HD_PRELOAD_PRELOAD_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_LIDS_MAX 128

/* The reachable LIDs of a destination, each with its SL. */
struct hd_ways {
	unsigned n;                   /* below 2: there is no choice */
	unsigned base;                /* LID */
	unsigned span;                /* LIDs of the destination */
	uint8_t network[HD_LIDS_MAX]; /* [n] offset to `base`, ascending */
	uint8_t sl[HD_LIDS_MAX];
};

/*
 * choice.c: the LIDs of the destination of @attr, from its port of @context; n is 0: change
 * nothing.
 */
void hd_ways_find(struct hd_ways *ways, struct ibv_context *context,
		  const struct ibv_ah_attr *attr);

/* An index below @n: the network that the agent's page prefers, or else the next in turn. */
unsigned hd_ways_choose(const uint8_t *networks, unsigned n);

/* Prints a line on stderr, only with HEDDLE_LIDS_VERBOSE. */
void hd_lids_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/*
 * verbs_symbols.c: libibverbs' function of this name, the next one after ours; NULL: there is none.
 */
void *hd_lids_next(const char *name);

/*
 * families.c: a family has address handles to the LIDs of one destination. The program knows one of
 * them.
 */
bool hd_family_add(struct ibv_ah *known, struct ibv_ah *const *handles, const uint8_t *networks,
		   unsigned n);

/* The next handle in turn of the family of @known; @known itself if it has no family. */
struct ibv_ah *hd_family_choose(struct ibv_ah *known);

/*
 * The handle that the program knows of the family of @handle; @handle itself if it has no family.
 */
struct ibv_ah *hd_family_known(struct ibv_ah *handle);

/*
 * Forgets the family of @known. @others (room for HD_LIDS_MAX) gets its other handles; returns
 * their number.
 */
unsigned hd_family_remove(struct ibv_ah *known, struct ibv_ah **others);

/*
 * posts.c: replaces the inline calls through @context, which was just opened; or forgets @context.
 */
void hd_posts_replace(struct ibv_context *context);
void hd_posts_forget(struct ibv_context *context);
void hd_posts_forget_qp(struct ibv_qp *qp);

#endif
