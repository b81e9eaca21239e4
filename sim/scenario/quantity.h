/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Numbers with units: "6ns", "4KiB", "32Gbps", "16 packets". */
#ifndef HD_SCENARIO_QUANTITY_H
#define HD_SCENARIO_QUANTITY_H

#include <stdint.h>

#include "sim/scenario/keys.h"

struct hd_error;

/*
 * Ticks of a cycle: twelve, so that a crossbar two, three or four times as fast as the links passes
 * a flit in a whole number of ticks.
 */
#define HD_TICKS_PER_CYCLE 12

/* Clocks, with their ticks and units of size. */
enum hd_clock {
	HD_CLOCK_TIME,   /* ticks are picoseconds, units 64 bytes */
	HD_CLOCK_CYCLES, /* ticks are twelfths of cycles, units flits */
};

#define HD_UNIT_BYTES 64

/* Default and unit of @key where the clock is @clock. */
static inline const struct hd_option *hd_scenario_option(const struct hd_scenario_key *key,
							 enum hd_clock clock)
{
	return &key->option[clock == HD_CLOCK_CYCLES && key->option[1].key ? 1 : 0];
}

/* A value as the model counts it. */
struct hd_quantity {
	double real;     /* HD_VALUE_SHARE */
	uint64_t whole;  /* count; index of a word; 0 or 1; ticks; units; ticks per unit */
	bool is_packets; /* of a buffer: `whole` are packets */
	bool is_of_port; /* of a buffer: "per port", of all VLs */
	bool is_empty;
	bool is_auto;                   /* "auto", for a key that takes it */
	const struct hd_policy *policy; /* HD_VALUE_POLICY */
};

/*
 * Reads @text as a value of @key. Times and sizes are rounded to whole ticks (to the nearest) and
 * units (up). HD_EINVAL: no such value (the message follows the key's name); HD_ERANGE: out of
 * range.
 */
int hd_quantity_parse(const struct hd_scenario_key *key, enum hd_clock clock, const char *text,
		      struct hd_quantity *quantity, struct hd_error *err);

#endif
