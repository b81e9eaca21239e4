/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Walks along the LFTs, from a switch to a LID, link by link. */
#ifndef HD_TABLES_LFT_STEPS_H
#define HD_TABLES_LFT_STEPS_H

#include "tables/tables.h"

/*
 *	for (hd_steps_begin(&step, s, in); hd_steps_next(tables, lid, &step);)
 *		... step.port, step.row ...
 *
 * ends after the link to an end node, at the switch that owns the LID, at an entry that leads
 * nowhere, or after one more link than there are switches.
 */
struct hd_step {
	uint32_t port; /* the out-port that the link leaves */
	size_t row;    /* the SL2VL row there */
	uint32_t at;   /* the next switch; HD_NONE: at an end node */
	uint8_t in;    /* the port by which the packet comes into that switch */
	uint32_t n;    /* links so far */
};

static inline void hd_steps_begin(struct hd_step *step, uint32_t s, unsigned in)
{
	*step = (struct hd_step){ .at = s, .in = (uint8_t)in };
}

static inline bool hd_steps_next(const struct hd_tables *tables, uint32_t lid, struct hd_step *step)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t peer;
	unsigned out;

	if (step->at == HD_NONE || step->n > fabric->n_switches)
		return false;
	out = hd_lft(tables, step->at)[lid];
	if (out == 0 || out > fabric->nodes[step->at].n_ports)
		return false;
	step->port = hd_port_index(fabric, step->at, out);
	peer = fabric->ports[step->port].peer;
	if (peer == HD_NONE)
		return false;
	step->row = hd_sl2vl_index(tables, step->at, step->in, out);
	step->at = fabric->ports[peer].node;
	step->in = fabric->ports[peer].number;
	if (step->at >= fabric->n_switches)
		step->at = HD_NONE;
	step->n++;
	return true;
}

#endif
