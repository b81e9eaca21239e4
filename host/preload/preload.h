/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * libheddle-lids.so: between a program and libibverbs, it gives each connection and each datagram one of
 * the destination's LIDs. Private to this library, which links nothing: libibverbs may come later,
 * with a module that is opened.
 */
#ifndef HD_PRELOAD_PRELOAD_H
#define HD_PRELOAD_PRELOAD_H

#include <infiniband/verbs.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_LIDS_MAX 128

/* The LIDs of a destination that can be reached, each with its SL. */
struct hd_ways {
	unsigned n;                   /* below 2: there is nothing to choose */
	unsigned base;                /* LID */
	unsigned span;                /* LIDs of the destination */
	uint8_t network[HD_LIDS_MAX]; /* [n] offset to `base`, ascending */
	uint8_t sl[HD_LIDS_MAX];
};

/* choice.c: to where @attr leads from its port of @context; n is 0 where all is to stay as it is. */
void hd_ways_find(struct hd_ways *ways, struct ibv_context *context,
		  const struct ibv_ah_attr *attr);

/* An index below @n: the network that the agent's page prefers, or whose turn it is. */
unsigned hd_ways_choose(const uint8_t *networks, unsigned n);

/* A line on stderr, with HEDDLE_LIDS_VERBOSE alone. */
void hd_lids_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* verbs_symbols.c: the next function of this name after ours, of libibverbs; NULL: there is none. */
void *hd_lids_next(const char *name);

/*
 * families.c: address handles to the LIDs of one destination. The first of them is what the program
 * knows, which is any of them.
 */
bool hd_family_add(struct ibv_ah *known, struct ibv_ah *const *handles, const uint8_t *networks,
		   unsigned n);

/* The handle whose turn it is, of the family of @known; @known itself where it has none. */
struct ibv_ah *hd_family_choose(struct ibv_ah *known);

/* The handle that the program knows, of the family of @handle; @handle itself where it has none. */
struct ibv_ah *hd_family_known(struct ibv_ah *handle);

/*
 * Forgets the family of @known, and gives its other handles, of which @others has room for
 * HD_LIDS_MAX; returns how many there are.
 */
unsigned hd_family_remove(struct ibv_ah *known, struct ibv_ah **others);

/* posts.c: replaces the inline calls through @context, which was just opened, or forgets it. */
void hd_posts_replace(struct ibv_context *context);
void hd_posts_forget(struct ibv_context *context);
void hd_posts_forget_qp(struct ibv_qp *qp);

#endif
