/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Switches that have not confirmed their tables, and since when links of theirs stay down for that.
 * Nobody knows what packets would meet at such a switch, so its links that are not up yet are left
 * down (opensm/held_links.h): but not for ever, since a switch may refuse a Set for good.
 */
#ifndef HD_MANAGER_UNCONFIRMED_SWITCHES_H
#define HD_MANAGER_UNCONFIRMED_SWITCHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How long links stay down: sweeps that try again come after 1, 3 and 7 (manager/unconfirmed.h). */
#define HD_UNCONFIRMED_SECONDS 10

struct hd_unconfirmed_switch {
	uint64_t guid;
	bool has_waiting; /* new links, which stay down or have waited long enough */
	double since;     /* when the first of these was found */
};

/* Begin with zeros; clear in the end. */
struct hd_unconfirmed_switches {
	struct hd_unconfirmed_switch *noted; /* when tables were last confirmed or not; any order */
	size_t n_noted, room;
	struct hd_unconfirmed_switch *now; /* by GUID, when links last came up */
	size_t n;
};

/* Notes a switch, once. Without memory it is left out. */
void hd_unconfirmed_switches_note(struct hd_unconfirmed_switches *switches, uint64_t guid);

/* Forgets what was noted. */
static inline void hd_unconfirmed_switches_forget(struct hd_unconfirmed_switches *switches)
{
	switches->n_noted = 0;
}

/* Links are to come up: those that were noted are the switches now, and keep their times. */
void hd_unconfirmed_switches_take(struct hd_unconfirmed_switches *switches);

/* Whether new links of @of, one of the switches now, stay down at @time; @any: it has some. */
bool hd_unconfirmed_stay_down(struct hd_unconfirmed_switch *of, bool any, double time);

void hd_unconfirmed_switches_clear(struct hd_unconfirmed_switches *switches);

#endif
