/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Whether switches and adapters hold the lanes that a sweep sent. OpenSM does not see to that: a
 * Set of SL2VL or VL arbitration that nobody answers is no "error during initialization", so the
 * subnet comes up; and where the lost table is all zero, the next sweeps do not send it either
 * (docs/opensm.md, "Lost Sets").
 *
 * OpenSM keeps the last answer of every port, zeroes it when it sends a Set, and sends a Set where
 * what it keeps is not what it wants. So two things are done here. Where all of what was sent is
 * zero, the zeroed answer is overwritten with ones before the answer can come: then what OpenSM
 * keeps is equal to what it wants if and only if the port has said so. And when a sweep's
 * transactions are complete, what is not equal is sent again: at once while that helps
 * (manager/patience.h), then by heavy sweeps, later and later, and told in the log until it is
 * settled.
 *
 * What OpenSM keeps of a row whose Set nobody answered is zeros, whatever was in the Set. The next
 * tables may want just that. So what was not confirmed in the end is overwritten with ones: it is
 * asked for before the next change is planned (opensm/programmed.h), and sent again in any case.
 * That goes for rows of ports without a link, too, which are not waited for.
 *
 * LFTs are looked at, too, where a change goes in rounds (opensm/transition.h).
 *
 * Everything here runs in OpenSM's sweeper thread, except for the timer.
 */
#ifndef HD_OPENSM_CONFIRM_H
#define HD_OPENSM_CONFIRM_H

#include "opensm/osm.h"
#include <stdbool.h>

#include "manager/sent_blocks.h"
#include "manager/unconfirmed_switches.h"
#include "opensm/alarm.h"
#include "tables/tables.h"

struct hd_osm_engine;

/* Begin with zeros, set the first two, and start the alarm; clear the blocks and
 * switches in the end. */
struct hd_osm_confirm {
	struct osm_opensm *osm;
	bool with_lfts;            /* LFTs are confirmed, too */
	struct hd_osm_alarm alarm; /* has OpenSM sweep again */
	unsigned tries;            /* heavy sweeps asked for since everything was confirmed */
	bool was_lost;             /* something was not confirmed at the end of the last sweep */
	bool is_unproved;          /* and part of what was proved: rows or LFT blocks */

	/* of the current sweep */
	size_t n_rows, n_blocks;  /* that OpenSM sends */
	size_t n_missed;          /* rows and LFT blocks that the last hd_osm_confirm_settle() found
				     unconfirmed when it began */
	osm_physp_t *physp;       /* of the last row or block, while it would look answered */
	uint8_t in;               /* without an answer; or NULL */
	ib_vl_arb_table_t *block; /* where OpenSM keeps the block; NULL: it is the row of in-port
				     @in */
	struct hd_sent_blocks blocks; /* what was sent of VL arbitration */

	struct hd_unconfirmed_switches switches; /* of rows and LFTs, not of shares */
};

/* Begins a sweep and forgets the one before. */
void hd_osm_confirm_begin(struct hd_osm_confirm *confirm);

/* OpenSM is about to compare @row with what it keeps of @physp and @in, and to send it. */
void hd_osm_confirm_row(struct hd_osm_confirm *confirm, osm_physp_t *physp, uint8_t in,
			hd_sl2vl_row row);

/* The same for the block @block_num (0 to 3) of VL arbitration, with @length entries. */
void hd_osm_confirm_block(struct hd_osm_confirm *confirm, osm_physp_t *physp, unsigned block_num,
			  const ib_vl_arb_table_t *block, unsigned length);

/*
 * The sweep's transactions are complete: true when everything that was proved of @engine is
 * confirmed. Shares of links are not part of that: VL arbitration is sent again, now and later, but
 * nothing waits for it.
 * Call without OpenSM's lock; waits for answers. @engine may be NULL: then nothing is wanted.
 */
bool hd_osm_confirm_settle(struct hd_osm_confirm *confirm, const struct hd_osm_engine *engine);

/*
 * Asks for a row that the port has answered before; until it answers, the row is not what is
 * wanted. Call with OpenSM's lock held exclusively.
 */
void hd_osm_confirm_ask_again(struct hd_osm_confirm *confirm, osm_physp_t *physp, unsigned in);

#endif
