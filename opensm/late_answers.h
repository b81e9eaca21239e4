/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Copies of Sets that are still under way when OpenSM has its answer. What is not answered within
 * transaction_timeout is sent again, below OpenSM. Where the answer to the first copy then comes
 * after all, the transaction is complete, and the second copy takes effect whenever it gets there:
 * behind a Set of the next round, it would put back what a block held a round before, and nobody
 * would know. Networks keep the order of packets along one path; that is not relied upon.
 *
 * A round that is complete within transaction_timeout has sent nothing twice. After one that has
 * taken longer, the next begins only when as much time has passed again, at most what OpenSM gives
 * a request (transaction_timeout, and once more for each of transaction_retries): nothing that was
 * answered has been under way for longer. Copies that act meanwhile say what is there already.
 *
 * A copy that is later still acts in the next round, whose mixtures are those of both rounds and
 * proved. From then on it would not be: so each round that follows a slow one in its change ends
 * with reading back what the change has changed, and what is something else is sent again.
 *
 * Everything here runs in OpenSM's sweeper thread, without OpenSM's lock.
 */
#ifndef HD_OPENSM_LATE_ANSWERS_H
#define HD_OPENSM_LATE_ANSWERS_H

#include <stdbool.h>

struct hd_osm_engine;
struct hd_osm_plugin;

struct hd_osm_late_answers {
	double begin; /* when tables began to be sent; CLOCK_MONOTONIC, in seconds */
	double end;   /* when no copy of them is under way any more */
};

/* Sets of tables are about to be sent. */
void hd_osm_late_answers_begin(struct hd_osm_late_answers *late);

/* Waits until no copy of a Set is under way. False: OpenSM exits. */
bool hd_osm_late_answers_wait(const struct hd_osm_plugin *plugin);

/*
 * To be called instead of hd_osm_confirm_settle(), of which this is more: true, what @engine wants
 * was confirmed, and what was sent before does not take it back.
 */
bool hd_osm_late_answers_settle(struct hd_osm_plugin *plugin, struct hd_osm_engine *engine);

#endif
