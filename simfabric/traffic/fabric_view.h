/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The emulated fabric at a moment, as the performance model needs it: its active links, its LIDs,
 * and the tables of its nodes. Ports and nodes have the emulator's indices.
 */
#ifndef HD_TRAFFIC_FABRIC_VIEW_H
#define HD_TRAFFIC_FABRIC_VIEW_H

#include "simfabric/emulator/emulator.h"

struct hd_error;

struct hd_carried_view {
	struct hd_fabric fabric; /* parts that never change belong to the emulator's fabric */
	struct hd_tables *tables;

	/*
	 * [port] whether its link is active, after hd_carried_view_wire(): then links that are not
	 * active are links of the fabric, too. NULL: the fabric has only active links.
	 */
	bool *active;

	uint32_t age; /* us: the longest ageing time of a switch with port sets; 0: none is set */
};

/*
 * LFT entries beyond LinearFDBTop are no path, and a VL that a link does not operate is VL 15. A
 * link is there when both of its ports are active. Path SLs, which are not in the fabric, are all
 * 0. The emulator's fabric must outlive the view. HD_ENOMEM.
 */
int hd_carried_view_new(const struct hd_emulator *emulator, struct hd_carried_view **view,
			struct hd_error *err);
void hd_carried_view_free(struct hd_carried_view *view);

/*
 * Whether packets take the same paths in both. Both must be of one emulator, and both wired or
 * neither; path SLs are not compared.
 */
bool hd_carried_view_equal(const struct hd_carried_view *a, const struct hd_carried_view *b);

/* Whether all ports arbitrate VLs alike in both. */
bool hd_carried_view_same_vlarbs(const struct hd_carried_view *a, const struct hd_carried_view *b);

/*
 * Makes every cable a link of the fabric: those that are plugged in, and those that were and may be
 * again. HD_ENOMEM.
 */
int hd_carried_view_wire(struct hd_carried_view *view, const struct hd_emulator *emulator,
			 struct hd_error *err);

/*
 * Takes the port sets of switches with adaptive routing on, as they are now, instead of those that
 * the view had: its tables have AR tables then, or none. A set of fewer than @least ports with an
 * active link counts as none. After hd_carried_view_wire(), if ever.
 * HD_ENOMEM.
 */
int hd_carried_view_take_sets(struct hd_carried_view *view, const struct hd_emulator *emulator,
			      unsigned least, struct hd_error *err);
bool hd_carried_view_same_sets(const struct hd_carried_view *one,
			       const struct hd_carried_view *other);

/* All flows have @sl. */
void hd_carried_view_set_sl(struct hd_carried_view *view, unsigned sl);

/*
 * Copies the path SLs of @from, a view of the same fabric; 0 to LIDs that it does not have.
 * HD_ENOMEM.
 */
int hd_carried_view_copy_sls(struct hd_carried_view *view, const struct hd_carried_view *from,
			     struct hd_error *err);

#endif
