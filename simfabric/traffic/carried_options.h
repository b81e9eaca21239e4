/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The traffic on the emulated fabric, as users give it: "PATTERN LOAD [KEY=VALUE ...]", with the
 * keys of scenarios (sim/scenario/keys.h) in the sections link, switch, host and traffic, and
 * seed, sl, path_sl, pages and rate; host.policy has agent, too. Quotes keep blanks together.
 */
#ifndef HD_TRAFFIC_CARRIED_OPTIONS_H
#define HD_TRAFFIC_CARRIED_OPTIONS_H

#include "sim/scenario/setup.h"

struct hd_carried_options {
	struct hd_scenario *scenario; /* owns the text that `setup` refers to */
	struct hd_setup setup;        /* model and phases */
	uint64_t seed;                /* default 1 */
	unsigned sl;                  /* of all flows, if there is no file of path SLs; default 0 */
	char *path_sls;               /* path-sl.dump, or a directory with one; NULL: none */
	double rate;                  /* simulated time per real time; 0: as fast as possible */
	bool agents;  /* host.policy=agent: hosts take the networks that they are told */
	char *pages;  /* directory with a page of heddle agent for each host; NULL: none */
	uint64_t end; /* ps: simulated time from which on hosts send nothing; UINT64_MAX: never */
	char *text;   /* as given, but printable */
};

/* The default of `rate`, for traffic that lasts until it is stopped. */
#define HD_CARRIED_RATE 0.0001

/*
 * Reads @text. With @limited, it begins with the time after which hosts send nothing more, and the
 * rate is 0 unless given. Unless given, packets have @mtu bytes, and switches arbitrate by the
 * programmed VL arbitration. Free with hd_carried_options_clear(). HD_EINVAL, HD_ERANGE: an invalid
 * key, value or pattern, or packets of more than @mtu bytes; HD_ENOMEM.
 */
int hd_carried_options_parse(const char *text, bool limited, unsigned mtu,
			     struct hd_carried_options *options, struct hd_error *err);
void hd_carried_options_clear(struct hd_carried_options *options);

#endif
