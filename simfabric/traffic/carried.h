/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Traffic on the emulated fabric: the performance model carries it by the tables that the nodes
 * hold, and adds its packets to their counters. Traffic has its own time, simulated time, which
 * goes on in slices by a timer of the emulator: each slice has a limited number of events, then
 * MADs have their turn.
 *
 * A slice goes by the tables of its beginning: packets under way keep their places, and go by these
 * tables when they come to a switch. If cables, LIDs of hosts or VLs change, hosts send nothing
 * until all packets under way have arrived; then a new model goes on where the hosts stopped. A
 * host with HD_CARRIED_WINDOW packets under way or queued offers more with longer and longer
 * pauses, so that the number of waiting packets is bounded; packets that it did not offer in time
 * come later.
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
	HD_CARRIED_CHANGES, /* hosts pause: cables, LIDs or VLs have changed */
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
	uint64_t unsent;        /* of those dropped: never sent, because there was no path record */
	uint64_t lost;          /* packets in a deadlock when traffic ended; counted at no port */
	uint32_t n_hosts, n_up; /* hosts; those with a LID and an active link */
	uint64_t looped;        /* packets that came to a switch again, or crossed too many links */
	uint64_t circled;       /* of those dropped: crossed too many links */
	uint64_t broken;        /* of those dropped: lost on a link that failed meanwhile */
	unsigned tables;        /* how often tables were read: once, and again after each change */
	const char *trouble;    /* why traffic ended before it was stopped; "" */
};

/* Results of a host's packets of one flow class. */
struct hd_carried_tally {
	const char *class;  /* its name */
	uint64_t delivered; /* packets of the host that arrived */
	uint64_t latency;   /* ps sum of their times from generation to delivery */
};

/*
 * NULL: out of memory. @emulator must exist longer than the result, and must not advance after the
 * result is freed.
 */
struct hd_carried *hd_carried_new(struct hd_emulator *emulator);
void hd_carried_free(struct hd_carried *carried);

/*
 * Starts traffic among the adapter ports with cables, which are numbered by index as `heddle sim`
 * does. @carried owns @options in any case. HD_EINVAL: there is traffic already, or a pattern that
 * is impossible for these hosts; HD_EPARSE, HD_EIO: a trace, a file of path SLs; HD_ENOMEM.
 */
int hd_carried_start(struct hd_carried *carried, struct hd_carried_options *options,
		     struct hd_error *err);

/*
 * Hosts send no more; the state becomes HD_CARRIED_ENDS, then HD_CARRIED_OVER. False: there is no
 * traffic.
 */
bool hd_carried_stop(struct hd_carried *carried);

/*
 * From now on packets of the adapter @node take the LIDs at LMC offset @network, also if its page
 * has another; HD_CARRIED_ANY: by the page, else round robin. HD_EINVAL: there is no traffic, its
 * hosts have no agents, or @node is no host.
 */
int hd_carried_prefer(struct hd_carried *carried, uint32_t node, unsigned network,
		      struct hd_error *err);
#define HD_CARRIED_ANY 0xFF

/*
 * @preferred gets the network that the adapter @node prefers now (HD_CARRIED_ANY: none); @tallies
 * gets the results of its packets so far, by flow class. Returns the number of flow classes; 0:
 * @node is no host of the traffic, or there was none.
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
