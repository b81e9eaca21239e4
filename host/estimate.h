/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Which virtual network to prefer, by how long the lanes of a port waited for credits in an
 * interval (Yebenes et al., section 4: the lower PortVLXmitWait, until the next interval).
 *
 * By this rule alone, a host swings: it leaves a network, whose idle lanes then do not wait, and
 * comes back an interval later. So the estimate remembers the wait of a network that is not
 * preferred while its counters read 0, and forgets it bit by bit: the host tries the network again
 * when it may have become better. A 16-bit counter saturates after the time of about 60 packets, so
 * an interval without saturation has few packets; the wait of a network in use is therefore a
 * running mean. If each network has a saturated counter, nobody knows which one waited least: the
 * networks alternate.
 */
#ifndef HD_HOST_ESTIMATE_H
#define HD_HOST_ESTIMATE_H

#include "host/port_networks.h"

/* The weight of an interval in the running mean is 1 / HD_WAIT_WEIGHT. */
#define HD_WAIT_WEIGHT 4

#define HD_WAIT_SATURATED 0xFFFF /* highest value of a 16-bit counter, at which it stops */

enum hd_reason {
	HD_WAITED_LESS,
	HD_NOTHING_WAITED, /* all counters are 0, and nothing is remembered */
	HD_WAITED_ALIKE,
};

struct hd_estimate {
	unsigned memory;    /* each interval, 1 / memory of an idle network's wait is forgotten; 0:
			       only the last interval counts */
	unsigned preferred; /* the network of the last choice */
	unsigned last;      /* of the choice before */
	bool has_chosen;
	uint32_t wait[HD_MAX_NETWORKS];   /* in words' time, by interval, times HD_WAIT_SCALE */
	uint32_t waited[HD_MAX_NETWORKS]; /* in the last interval, in words' time */
	bool saturated;                   /* some lane's counter is saturated */
	enum hd_reason reason;
};

/* Fractions that are remembered. */
#define HD_WAIT_SCALE 256

/*
 * Takes the wait of each VL in an interval, and returns the network for the next interval. Among
 * networks with equally low estimates, it is the one after the last choice, so that they alternate.
 * Networks without a lane are left out.
 */
unsigned hd_estimate_choose(struct hd_estimate *estimate, const struct hd_lanes *lanes,
			    const uint16_t waited[HD_LANES]);

#endif
