/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Traffic on the emulated fabric: the performance model carries it by the tables that the nodes
 * hold, and what it did is added to their counters. It has a time of its own, simulated time, which
 * goes on in slices by a timer of the emulator's: so many events at most, then MADs have their
 * turn.
 *
 * A slice goes by the tables of the moment at which it begins: packets that are under way keep their
 * places, and take what tables say when they get there. Where cables, LIDs of hosts or VLs are
 * others, hosts send nothing until all that is under way has arrived; then another model goes on
 * where the hosts stopped. A host that has HD_CARRIED_WINDOW packets under way or queued offers more
 * of them with ever longer pauses, so that what waits has a bound; what it did not offer in time
 * comes later.
 */
#ifndef HD_TRAFFIC_CARRIED_H
#define HD_TRAFFIC_CARRIED_H

#include "simfabric/emulator/emulator.h"
#include "simfabric/traffic/carried_options.h"

struct hd_carried;

#define HD_CARRIED_WINDOW 128

enum hd_carried_state {
	HD_CARRIED_NONE,    /* nothing was started yet */
	HD_CARRIED_RUNNING, /* hosts send */
	HD_CARRIED_CHANGES, /* hosts pause: cables, LIDs or VLs are others */
	HD_CARRIED_ENDS,    /* packets under way arrive, and then traffic has ended */
	HD_CARRIED_OVER,
};

/* Packets are conserved: generated = queued + under way + delivered + dropped + lost. */
struct hd_carried_status {
	enum hd_carried_state state;
	const struct hd_carried_options *options; /* NULL: state is HD_CARRIED_NONE */
	uint64_t simulated;                       /* ps */
	uint64_t real;                            /* ns of the emulator's time */
	uint64_t generated, queued, under_way, delivered;
	uint64_t dropped;       /* by tables and links, counted at ports */
	uint64_t unsent;        /* of those dropped: never sent, since there was no path record */
	uint64_t lost;          /* packets that held one another up when traffic ended;
			     counted at no port */
	uint32_t n_hosts, n_up; /* hosts; those with a LID and an active link */
	uint64_t looped;        /* packets that came to a switch again, or crossed too many links */
	uint64_t circled;       /* of those dropped: crossed too many links */
	uint64_t broken;        /* of those dropped: lost on a link that failed meanwhile */
	unsigned tables;        /* taken so far: once, and once more whenever they had changed */
	const char *trouble;    /* why traffic ended before it was stopped; "" */
};

/* What became of a host's packets of one flow class. */
struct hd_carried_tally {
	const char *class;  /* its name */
	uint64_t delivered; /* packets that others got from it */
	uint64_t latency;   /* ps from generation to delivery, of all of these together */
};

/* NULL: out of memory. @emulator must outlive the result, and not advance after it is freed. */
struct hd_carried *hd_carried_new(struct hd_emulator *emulator);
void hd_carried_free(struct hd_carried *carried);

/*
 * Starts traffic among the adapter ports with cables, which are numbered by index as `heddle sim`
 * does. @carried owns @options in any case. HD_EINVAL: there is traffic already, or a pattern that
 * makes no sense for these hosts; HD_EPARSE, HD_EIO: a trace, a file of path SLs; HD_ENOMEM.
 */
int hd_carried_start(struct hd_carried *carried, struct hd_carried_options *options,
		     struct hd_error *err);

/*
 * Hosts send no more; the state becomes HD_CARRIED_ENDS, then HD_CARRIED_OVER. False: there is no
 * traffic.
 */
bool hd_carried_stop(struct hd_carried *carried);

/*
 * Packets of the adapter @node take the LIDs at offset @network to the base LIDs from now on, whatever
 * its page says; HD_CARRIED_ANY: what the page says, else in turn. HD_EINVAL: there is no traffic, its
 * hosts have no agents, or @node is no host.
 */
int hd_carried_prefer(struct hd_carried *carried, uint32_t node, unsigned network,
		      struct hd_error *err);
#define HD_CARRIED_ANY 0xFF

/*
 * What the adapter @node prefers now (HD_CARRIED_ANY: nothing), and what became of its packets so far:
 * returns how many flow classes there are, whose tallies are @tallies. 0: it is no host of the
 * traffic, or there was none.
 */
unsigned hd_carried_tallies(const struct hd_carried *carried, uint32_t node, unsigned *preferred,
			    const struct hd_carried_tally **tallies);

static inline bool hd_carried_is_on(enum hd_carried_state state)
{
	return state != HD_CARRIED_NONE && state != HD_CARRIED_OVER;
}

/* The status of now. Counters of ports follow after some slices, and at the end. */
struct hd_carried_status hd_carried_status(const struct hd_carried *carried);

#endif
