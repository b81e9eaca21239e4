/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Switches that have not confirmed their tables at the end of a sweep, and for how many sweeps in a
 * row. Nobody knows what packets would meet there, so links of such a switch that are not up yet
 * stay down (opensm/held_links.h): but not for ever, since a switch may refuse a Set for good.
 */
#ifndef HD_MANAGER_UNCONFIRMED_SWITCHES_H
#define HD_MANAGER_UNCONFIRMED_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Sweeps in a row that leave links of a switch down; as many as a change has failures. */
#define HD_UNCONFIRMED_MOST_SWEEPS 3

struct hd_unconfirmed_switch {
	uint64_t guid;
	unsigned n_sweeps; /* in a row, with the last */
};

/* Begin with zeros; clear in the end. */
struct hd_unconfirmed_switches {
	struct hd_unconfirmed_switch *noted; /* in the current sweep, in any order */
	size_t n_noted, room;
	struct hd_unconfirmed_switch *last; /* at the end of the last sweep, by GUID */
	size_t n_last;
};

/* Notes a switch of the current sweep, once. Without memory it is left out. */
void hd_unconfirmed_switches_note(struct hd_unconfirmed_switches *switches, uint64_t guid);

/* Forgets what was noted in the current sweep. */
static inline void hd_unconfirmed_switches_forget(struct hd_unconfirmed_switches *switches)
{
	switches->n_noted = 0;
}

/* Ends the sweep: those that were noted are the last now, and are counted. */
void hd_unconfirmed_switches_end_sweep(struct hd_unconfirmed_switches *switches);

/* Whether links of the switch stay down. */
static inline bool hd_unconfirmed_holds(const struct hd_unconfirmed_switch *of)
{
	return of->n_sweeps <= HD_UNCONFIRMED_MOST_SWEEPS;
}

void hd_unconfirmed_switches_clear(struct hd_unconfirmed_switches *switches);

#endif
