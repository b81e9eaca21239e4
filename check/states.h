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
	void *states;       /* [index as tables->sl2vl] of the link into the in-port, of packets
			       that then take the out-port; at in-port 0 the VL is 0 */
	unsigned n_bytes;   /* of one of these: 1, 2, 4, or 8 times n_words: most are small, and
			       the fabric has millions */
	uint16_t *injected; /* [group's outs + out] SLs on which sources of the group send there */
};

/* HD_ENOMEM. Clear also after an error. */
int hd_usage_init(struct hd_usage *usage, const struct hd_check_network *network,
		  struct hd_error *err);
void hd_usage_clear(struct hd_usage *usage);

/* Takes out all states. */
void hd_usage_empty(struct hd_usage *usage, const struct hd_check_network *network);

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

/*
 * Adds @bits; all threads see them after their end. Nearly always they are there already: then
 * nothing is written, and no thread is disturbed.
 */
#define hd_usage_add_bits(word, bits)                                                             \
	do {                                                                                      \
		if ((bits) & ~(uint64_t)__atomic_load_n((word), __ATOMIC_RELAXED))                \
			__atomic_fetch_or((word), (__typeof__(*(word)))(bits), __ATOMIC_RELAXED); \
	} while (0)

/* Adds what @lanes has of @state, of packets that meet @row; see check/view.h. */
static inline void hd_usage_add(struct hd_usage *usage, size_t row, const uint64_t *state,
				uint64_t lanes)
{
	const unsigned n_words = usage->n_bytes / 8;
	uint64_t *words = usage->states;

	switch (usage->n_bytes) {
	case 1:
		hd_usage_add_bits((uint8_t *)usage->states + row, *state & lanes);
		break;
	case 2:
		hd_usage_add_bits((uint16_t *)usage->states + row, *state & lanes);
		break;
	case 4:
		hd_usage_add_bits((uint32_t *)usage->states + row, *state & lanes);
		break;
	default:
		for (unsigned w = 0; w < n_words; w++)
			hd_usage_add_bits(&words[row * n_words + w], state[w] & lanes);
	}
}

/* Copies the state at @row. Returns whether there are any packets. */
static inline bool hd_usage_read(const struct hd_usage *usage, size_t row, uint64_t *state)
{
	const unsigned n_words = usage->n_bytes / 8;
	const uint64_t *words = usage->states;
	uint64_t any = 0;

	switch (usage->n_bytes) {
	case 1:
		*state = ((const uint8_t *)usage->states)[row];
		return *state;
	case 2:
		*state = ((const uint16_t *)usage->states)[row];
		return *state;
	case 4:
		*state = ((const uint32_t *)usage->states)[row];
		return *state;
	default:
		for (unsigned w = 0; w < n_words; w++) {
			state[w] = words[row * n_words + w];
			any |= state[w];
		}
		return any;
	}
}

/* Adds SLs on which sources of a group send; @out as in the usage. */
static inline void hd_usage_inject(struct hd_usage *usage, size_t out, unsigned sls)
{
	hd_usage_add_bits(&usage->injected[out], sls);
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

/*
 * The same for packets in @state, with @sls in all, that take a row with @pattern at a switch:
 * those on each VL by themselves if the row is one of VL2VL. @drops becomes true if some are
 * dropped.
 */
static inline unsigned hd_pattern_forward(const struct hd_check_network *network, uint32_t pattern,
					  const uint64_t *state, unsigned sls, uint64_t *out,
					  bool *drops)
{
	const uint16_t *masks = hd_pattern_masks(network, pattern);
	unsigned kept = 0;

	if (pattern < network->first_by_vl) {
		*drops |= (sls & masks[network->n_vls]) != 0;
		return hd_state_forward(network, masks, sls, out);
	}
	for (unsigned vl = 0; vl < network->n_vls; vl++) {
		const unsigned on = hd_state_sls(network, state, vl);

		masks = hd_pattern_masks(network, pattern + vl);
		*drops |= (on & masks[network->n_vls]) != 0;
		kept |= hd_state_forward(network, masks, on, out);
	}
	return kept;
}

static inline unsigned hd_row_forward(const struct hd_check_network *network, size_t row,
				      const uint64_t *state, unsigned sls, uint64_t *out,
				      bool *drops)
{
	return hd_pattern_forward(network, network->pattern[row], state, sls, out, drops);
}

#endif
