/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Common parts of triggers: credits, and contention counters. */
#ifndef HD_ADAPTIVE_TRIGGER_H
#define HD_ADAPTIVE_TRIGGER_H

#include "sim/adaptive/ways.h"

/* Occupancy of queues. */
struct hd_credits {
	double share;   /* of the minimal path's occupancy, both as shares of their buffers */
	double minimum; /* share of a buffer that must be occupied on the minimal path */
	double mean;    /* a minimal global link must exceed so much of its switch's mean ... */
	unsigned above; /* ... and so many packets more */
	bool per_port;
};

#define HD_CREDITS_OPTIONS                                                                      \
	{ "share", "70%", "",                                                                   \
	  "occupied on another path, at most, of what is on the minimal one" },                 \
		{ "minimum", "0", "",                                                           \
		  "share of a buffer occupied on the minimal path, at least" },                 \
		{ "mean", "150%", "",                                                           \
		  "a global link on the minimal path must exceed so much of its switch's mean " \
		  "..." },                                                                      \
		{ "above", "5", "packets", "... and so many packets more" },                    \
	{                                                                                       \
		"sense", "vc", "",                                                              \
			"vc: the mean of the queues of the VCs it may have; port: of all VCs"   \
	}

int hd_credits_init(const struct hd_params *params, struct hd_credits *credits,
		    struct hd_error *err);

/* Whether the minimal path is blocked, and its queue is long enough. */
bool hd_credits_leave(const struct hd_credits *credits, const struct hd_routed *routed,
		      const struct hd_view *view, unsigned port, uint32_t vcs);

/*
 * The ports of @others, on @other_vcs, whose queue is short enough against that of @port and @vcs.
 */
uint64_t hd_credits_worth(const struct hd_credits *credits, const struct hd_routed *routed,
			  const struct hd_view *view, unsigned port, uint32_t vcs, uint64_t others,
			  uint32_t other_vcs);

/* A counter's threshold. */
struct hd_contention {
	double threshold;
	bool reached; /* reaching the threshold is enough; else it must be exceeded */
};

#define HD_CONTENTION_OPTIONS(threshold_)                                                         \
	{                                                                                         \
		"threshold", threshold_, "packets",                                               \
			"heads and leaving packets whose minimal path is by a port, above which " \
			"it is contended"                                                         \
	}

#define HD_CONTENTION_REACHED                                                               \
	{                                                                                   \
		"reached", "no", "", "whether the threshold itself is enough, as in FOGSim" \
	}

int hd_contention_init(const struct hd_params *params, struct hd_contention *contention,
		       struct hd_error *err);

static inline bool hd_contention_exceeds(const struct hd_contention *contention, double count)
{
	return contention->reached ? count >= contention->threshold : count > contention->threshold;
}

/*
 * struct hd_trigger's worth(), for triggers whose options begin with struct hd_contention: the
 * ports without contention.
 */
uint64_t hd_contention_worth(const struct hd_routed *routed, const struct hd_view *view,
			     unsigned port, uint32_t vcs, uint64_t others, uint32_t other_vcs);

/* A filtered counter, of @count packets now. */
double hd_filter_value(const struct hd_filter *filter, unsigned count, double alpha, uint64_t now,
		       uint64_t cycle);

#endif
