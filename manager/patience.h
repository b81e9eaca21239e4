/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * How often something is asked or sent again at once: as long as that helps, and a little longer
 * where little is left, as what is lost by chance comes through when it is tried a few times more.
 * Never for ever: a node may be dead.
 */
#ifndef HD_MANAGER_PATIENCE_H
#define HD_MANAGER_PATIENCE_H

#include <stdbool.h>
#include <stddef.h>

/* Begin with zeros. */
struct hd_patience {
	double begin;
	size_t last, idle, rounds;
	bool is_renewed; /* the last round has helped, whatever is left now */
};

/* Whether @n that are left are worth another round. To be called before each round. */
bool hd_patience_lasts(struct hd_patience *patience, size_t n, double now);

#endif
