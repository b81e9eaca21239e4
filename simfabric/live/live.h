/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Traffic on the emulated fabric: the performance model carries it by the tables that the nodes hold,
 * and what it did is added to their counters. It has a time of its own, simulated time, which goes on
 * in slices by a timer of the emulator's: so many events at most, then MADs have their turn.
 *
 * A model is made of the tables of a moment. When they have changed, hosts send nothing until all
 * that is under way has arrived by the old ones; then a model of the new ones goes on where the
 * hosts stopped. A host that has HD_LIVE_WINDOW packets under way or waiting offers more of them
 * with ever longer pauses, so that what waits has a bound; what it did not offer in time comes later.
 */
#ifndef HD_LIVE_LIVE_H
#define HD_LIVE_LIVE_H

#include "simfabric/emulator/emulator.h"
#include "simfabric/live/options.h"

struct hd_live;

#define HD_LIVE_WINDOW 128

enum hd_live_state {
	HD_LIVE_NONE,    /* nothing was started yet */
	HD_LIVE_RUNNING, /* hosts send */
	HD_LIVE_CHANGES, /* hosts pause: the tables have changed */
	HD_LIVE_ENDS,    /* what is under way arrives, and then there is no more */
	HD_LIVE_OVER,
};

/* Packets are conserved: generated = waiting + under way + delivered + dropped + lost. */
struct hd_live_status {
	enum hd_live_state state;
	const struct hd_live_options *options; /* NULL: state is HD_LIVE_NONE */
	uint64_t simulated;                    /* ps */
	uint64_t real;                         /* ns of the emulator's time */
	uint64_t generated, waiting, under_way, delivered;
	uint64_t dropped; /* by tables, counted at ports */
	uint64_t unsent;  /* of those dropped: never sent, there was no path record */
	uint64_t lost;    /* they circled, or waited for one another, when it ended: at no port */
	uint32_t n_hosts, n_up; /* hosts; those with a LID and an active link */
	unsigned models;        /* made so far: changes of tables, and 1 */
	const char *trouble;    /* why it ended before it was stopped; "" */
};

/* NULL: out of memory. @emulator must outlive it, and not advance after it is freed. */
struct hd_live *hd_live_new(struct hd_emulator *emulator);
void hd_live_free(struct hd_live *live);

/*
 * Starts traffic, with hosts numbered as in `heddle sim`: the adapter ports with cables, by index. @options
 * become its own in any case. HD_EINVAL: there is traffic already, or a pattern that makes no sense
 * for these hosts; HD_EPARSE, HD_EIO: a trace, a file of path SLs; HD_ENOMEM.
 */
int hd_live_start(struct hd_live *live, struct hd_live_options *options, struct hd_error *err);

/* Hosts send no more; the state becomes HD_LIVE_ENDS, and HD_LIVE_OVER by itself. False: there is none. */
bool hd_live_stop(struct hd_live *live);

static inline bool hd_live_is_on(enum hd_live_state state)
{
	return state != HD_LIVE_NONE && state != HD_LIVE_OVER;
}

/* Counters of ports are as of now then too. */
struct hd_live_status hd_live_status(struct hd_live *live);

#endif
