/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Targets: the LIDs to route to, in the order in which engines balance them: ports of end nodes in
 * canonical order, all at LMC offset 0, then all at offset 1, ..., and switches last. Within each
 * pass every destination counts once, so that the base LIDs alone are as balanced as all LIDs
 * together.
 */
#ifndef HD_ENGINES_TARGETS_H
#define HD_ENGINES_TARGETS_H

#include "fabric/fabric.h"

struct hd_error;

struct hd_route_target {
	uint32_t via_switch; /* the last switch on paths to the LID */
	uint16_t lid;
	uint8_t via_port; /* the out-port of that switch; 0: the LID is the switch's own */
	uint8_t pass;
};

struct hd_route_targets {
	size_t n;
	unsigned n_passes;
	size_t *first;                /* [n_passes + 1] */
	struct hd_route_target *list; /* without LIDs that no switch leads to */
};

/* Free with hd_route_targets_free(). HD_ENOMEM. */
int hd_route_targets_list(const struct hd_fabric *fabric, struct hd_route_targets *destinations,
			  struct hd_error *err);
/* HD_EREFUSED: a linked port of an end node has another LMC than @lmc, of at most 3. */
int hd_route_targets_want_lmc(const struct hd_fabric *fabric, unsigned lmc, struct hd_error *err);

/*
 * Finds targets that are alike. Sets like[t] of each target to the one before it behind the same
 * switch, or to itself; then hd_route_targets_compare() takes those apart that differ in @row, by
 * LID, but for the LIDs behind switch @except; then hd_route_targets_join() sets like[t] to the
 * first target that @t is like. HD_ENOMEM.
 */
int hd_route_targets_pair(const struct hd_route_targets *targets, uint32_t n_switches,
			  uint32_t *like, struct hd_error *err);
void hd_route_targets_compare(const struct hd_route_targets *targets, const uint8_t *row,
			      uint32_t except, uint32_t *like);
void hd_route_targets_join(const struct hd_route_targets *targets, uint32_t *like);

void hd_route_targets_free(struct hd_route_targets *destinations);

#endif
