/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Steps of a change: the best order for entries and rows to change (change/schedule.h). Internal to
 * change/.
 */
#ifndef HD_CHANGE_STEPS_H
#define HD_CHANGE_STEPS_H

#include "change/change.h"

/* Steps, in order. Step 0: nothing changes. */
enum {
	HD_STEP_EARLY_ROWS = 1,       /* rows that no packet takes by the old tables */
	HD_STEP_ENTRIES,              /* and on: entries, by their distance from the LID by the new
				   tables, in entries that change or in links */
	HD_STEP_SWITCH_ENTRIES = 126, /* the same for LIDs of switches */
	HD_STEP_ROWS = 250,           /* rows that packets take by both tables */
	HD_STEP_LATE_ROWS,            /* rows that no packet takes by the new tables */
	HD_STEPS,
};

struct hd_steps {
	uint8_t *entry, *row;   /* [place in the lists of what changes] */
	bool *changes;          /* [LID] some entry for the LID changes */
	bool present[HD_STEPS]; /* [step] something changes in it */
};

/* Whether @lid is a switch's: only traffic of managers goes there, not of hosts. */
static inline bool hd_steps_is_of_switch(const struct hd_fabric *fabric, uint32_t lid)
{
	const uint32_t port = fabric->lids[lid].port;

	return port != HD_NONE && hd_is_switch(fabric, fabric->ports[port].node);
}

/*
 * Steps of @change, prepared, from @before to @now: as few as there can be. An entry comes behind
 * those that change on the way from it to the LID. HD_ENOMEM. Clear also after an error.
 */
int hd_steps_find(const struct hd_change *change, const struct hd_tables *now,
		  const struct hd_tables *before, struct hd_steps *steps, struct hd_error *err);

/* More steps: an entry comes behind all that are nearer to the LID in links. HD_ENOMEM. */
int hd_steps_by_links(const struct hd_change *change, const struct hd_tables *now,
		      struct hd_steps *steps, struct hd_error *err);
void hd_steps_clear(struct hd_steps *steps);

#endif
