/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Watchers of links, LIDs and tables. An occurrence is reported once, after all nodes that it
 * touched.
 */
#ifndef HD_EMULATOR_WATCH_H
#define HD_EMULATOR_WATCH_H

#include "simfabric/emulator/emulator.h"

enum hd_occurrence_kind {
	HD_OCCURRED_SET,  /* a Set of subnet management, whatever its status */
	HD_OCCURRED_PLUG, /* a cable was plugged in at both ends */
	HD_OCCURRED_UNPLUG,
	HD_OCCURRED_ON, /* a node was turned on */
	HD_OCCURRED_OFF,
	HD_OCCURRED_CONSOLE, /* the console wrote what subnet managers write */
};

struct hd_occurrence {
	enum hd_occurrence_kind kind;
	uint32_t node;
	uint32_t port;      /* of PLUG and UNPLUG: index in ports[] */
	unsigned attribute; /* of SET: what the MAD says, and the status of its answer */
	uint32_t modifier;
	unsigned status;
};

struct hd_watcher {
	/* The links, LIDs or tables of @node may have changed. May be NULL. */
	void (*touched)(void *context, uint32_t node);
	/* All that changed has changed. May be NULL. */
	void (*happened)(void *context, const struct hd_occurrence *what);
	void *context;
	struct hd_watcher *next; /* for the emulator's list */
};

/* @watcher must outlive @emulator, or leave before. */
void hd_watch(struct hd_emulator *emulator, struct hd_watcher *watcher);
void hd_watch_leave(struct hd_emulator *emulator, struct hd_watcher *watcher);

/*
 * For functions that make changes: nodes are touched between begin and end. An occurrence within
 * another is part of it.
 */
void hd_watch_begin(struct hd_emulator *emulator);
void hd_watch_touch(struct hd_emulator *emulator, uint32_t node);
void hd_watch_end(struct hd_emulator *emulator, const struct hd_occurrence *what);

#endif
