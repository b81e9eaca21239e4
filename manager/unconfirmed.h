/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What nodes have not confirmed of what was sent, when it is asked for again, and what a log says
 * of that.
 */
#ifndef HD_MANAGER_UNCONFIRMED_H
#define HD_MANAGER_UNCONFIRMED_H

#include "fabric/fabric.h"

/* How much, and where the first of it is. Begin with zeros. */
struct hd_unconfirmed {
	size_t n_rows, n_blocks, n_lfts; /* rows, VL arbitration blocks, LFT blocks */
	uint32_t first_port;             /* index in ports[] */
};

/* Counts one more in @n, a member of @unconfirmed, at @port. */
void hd_unconfirmed_add(struct hd_unconfirmed *unconfirmed, size_t *n, uint32_t port);

static inline size_t hd_unconfirmed_count(const struct hd_unconfirmed *unconfirmed)
{
	return unconfirmed->n_rows + unconfirmed->n_blocks + unconfirmed->n_lfts;
}

/* Whether it is part of what was proved: shares of links are not. */
static inline bool hd_unconfirmed_is_unproved(const struct hd_unconfirmed *unconfirmed)
{
	return unconfirmed->n_rows || unconfirmed->n_lfts;
}

/*
 * In how many seconds a sweep is to try again, the *@tries-th of all; 0: in none, because one is
 * asked for already (@is_asked_for), or there were enough. @plan says that.
 */
unsigned hd_unconfirmed_plan(unsigned *tries, bool is_asked_for, char *plan, size_t size);

/* One line, with @plan. */
void hd_unconfirmed_describe(const struct hd_unconfirmed *unconfirmed,
			     const struct hd_fabric *fabric, const char *plan, char *text,
			     size_t size);

#endif
