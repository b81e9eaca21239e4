/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which network to prefer, by what the lanes of a port waited for credits in an interval (Yebenes et
 * al., section 4: the lower PortVLXmitWait, until the next interval).
 *
 * To the letter, a host swings: it leaves a network, whose idle lanes then wait for nothing, and comes
 * back to it an interval later. So what a network that is not preferred waited is remembered while it
 * reads 0, and forgotten bit by bit: it is tried again when it may have become the better one. And
 * 16 bits are some 60 packets' time, so that an interval in which they do not saturate has few
 * packets: what networks in use wait is a running mean. Where each network has a counter that stood
 * still, none waited less than another for all that is known: they alternate.
 */
#ifndef HD_HOST_ESTIMATE_H
#define HD_HOST_ESTIMATE_H

#include "host/port_networks.h"

/* The weight of an interval in the running mean: one of so many. */
#define HD_WAIT_WEIGHT 4

#define HD_WAIT_SATURATED 0xFFFF /* of a 16-bit counter, which stands still there */

enum hd_reason {
	HD_WAITED_LESS,
	HD_NOTHING_WAITED, /* all counters are 0, and nothing is remembered */
	HD_WAITED_ALIKE,
};

struct hd_estimate {
	unsigned memory;    /* 1 / memory of what an idle network waited is forgotten at each
			       interval; 0: the last interval alone counts, to the letter */
	unsigned preferred; /* the network of the last choice */
	unsigned last;      /* of the choice before */
	bool has_chosen;
	uint32_t wait[HD_MAX_NETWORKS];   /* in words' time, by interval, times HD_WAIT_SCALE */
	uint32_t waited[HD_MAX_NETWORKS]; /* in the last interval, in words' time */
	bool saturated;                   /* some lane's counter stood still */
	enum hd_reason reason;
};

/* Fractions that are remembered. */
#define HD_WAIT_SCALE 256

/*
 * Takes what each VL waited in an interval, and returns the network of the next: of those whose
 * estimates are equally low, the one that follows the last choice, so that they alternate. Networks
 * without a lane are left out.
 */
unsigned hd_estimate_choose(struct hd_estimate *estimate, const struct hd_lanes *lanes,
			    const uint16_t waited[HD_LANES]);

#endif
