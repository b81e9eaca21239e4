/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Copies of Sets that are still under way when the subnet manager has its answer. What is not
 * answered within a time-out is sent again, below OpenSM. Where the answer to the first copy then
 * comes after all, the transaction is complete, and the second copy takes effect whenever it gets
 * there: behind a Set of the next round, it would put back what a block held a round before, and
 * nobody would know. Networks keep the order of packets along one path; that is not relied upon.
 *
 * A round that is complete within a time-out has sent nothing twice. After one that has taken
 * longer, the next begins only when as much time has passed again, at most what a request is given
 * (a time-out, and once more for each retry): nothing that was answered has been under way for
 * longer. Copies that act meanwhile say what is there already.
 *
 * A copy that is later still acts in the next round, whose mixtures are those of both rounds and
 * proved. From then on it would not be: so each round that follows a slow one in its change ends
 * with reading back what the change has changed, and what is something else is sent again.
 */
#ifndef HD_MANAGER_REPEATED_SETS_H
#define HD_MANAGER_REPEATED_SETS_H

#include <stdbool.h>

/* All times are seconds of one clock. Begin with zeros. */
struct hd_repeated_sets {
	double begin;    /* when tables began to be sent */
	double end;      /* when no copy of them is under way any more */
	bool reads_back; /* a round of this change was slow: those that follow are read back */
};

/* All that was sent since sets->begin is answered or has timed out, after @timeout and @retries. */
void hd_repeated_sets_note(struct hd_repeated_sets *sets, double now, double timeout,
			   unsigned retries);

/* Whether copies of what was sent last could still put back what the next round replaces. */
static inline bool hd_repeated_sets_may_come(const struct hd_repeated_sets *sets, double now)
{
	return sets->end > now;
}

#endif
