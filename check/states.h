/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * States of packets on their path to a destination: the SLs on each VL of every link of its tree.
 * The usage is the union of states at each (switch, out, in) over all destinations; channel
 * dependencies follow from it. Internal to check/ and change/.
 */
#ifndef HD_CHECK_STATES_H
#define HD_CHECK_STATES_H

#include "check/route_tree.h"

struct hd_usage {
	uint64_t *states;   /* [index as tables->sl2vl n_words] of the link into the in-port, of
			       packets that then take the out-port; at in-port 0 the VL is 0 */
	uint16_t *injected; /* [group's outs + out] SLs on which sources of the group send there */
};

/* HD_ENOMEM. Clear also after an error. */
int hd_usage_init(struct hd_usage *usage, const struct hd_check_network *network,
		  struct hd_error *err);
void hd_usage_clear(struct hd_usage *usage);

struct hd_states {
	struct hd_tree tree;
	uint16_t *sls;   /* [switch] SLs on the link to the next switch */
	uint64_t *links; /* [switch * n_words] state of that link */
	size_t *row;     /* [switch] index of the SL2VL row for its out-port and in-port 0 */
};

int hd_states_init(struct hd_states *states, const struct hd_check_network *network,
		   struct hd_error *err);
void hd_states_clear(struct hd_states *states);

/*
 * Builds the tree of @destination and the states of its links. Adds the states to @usage, if it is
 * not NULL. Several threads may call this at once.
 */
void hd_states_build(struct hd_states *states, const struct hd_check_network *network,
		     const struct hd_destinations *destinations,
		     const struct hd_destination *destination, struct hd_usage *usage);

/* Adds to @usage at the root, for each LID, packets that come in by @in with the state @link. */
void hd_states_deliver(const struct hd_check_network *network,
		       const struct hd_destinations *destinations,
		       const struct hd_destination *destination, const uint64_t *link, unsigned in,
		       struct hd_usage *usage);

/* Adds the packets of the root's own sources. */
void hd_states_deliver_local(const struct hd_check_network *network,
			     const struct hd_destinations *destinations,
			     const struct hd_destination *destination, struct hd_usage *usage);

/* Adds @bits of a state; all threads see them after their end. */
static inline void hd_usage_add(uint64_t *word, uint64_t bits)
{
	/*
	 * nearly always they are there already: then nothing is written, and no thread is disturbed
	 */
	if (bits & ~__atomic_load_n(word, __ATOMIC_RELAXED))
		__atomic_fetch_or(word, bits, __ATOMIC_RELAXED);
}

/* Adds SLs on which sources of a group send; @out as in the usage. */
static inline void hd_usage_inject(struct hd_usage *usage, size_t out, unsigned sls)
{
	if (sls & ~(unsigned)__atomic_load_n(&usage->injected[out], __ATOMIC_RELAXED))
		__atomic_fetch_or(&usage->injected[out], (uint16_t)sls, __ATOMIC_RELAXED);
}

/*
 * Packets with @sls (a set of places) take a row with @masks: adds their state to @out and returns
 * the SLs that are not dropped.
 */
static inline unsigned hd_state_forward(const struct hd_check_network *network,
					const uint16_t *masks, unsigned sls, uint64_t *out)
{
	unsigned kept = 0;

	for (unsigned vl = 0; vl < network->n_vls; vl++) {
		unsigned taken = sls & masks[vl];

		out[network->word[vl]] |= (uint64_t)taken << network->shift[vl];
		kept |= taken;
	}
	return kept;
}

#endif
