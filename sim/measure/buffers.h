/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Occupancy of buffers, over a period and over several buffers. */
#ifndef HD_MEASURE_BUFFERS_H
#define HD_MEASURE_BUFFERS_H

#include "sim/measure/link_use.h"

/* Of some buffers (of a VL, or of an output) and a period; all zero: of none. */
struct hd_fullness {
	uint32_t n;         /* buffers */
	double ticks;       /* of all buffers together */
	double area, share; /* units and shares of the room, times ticks */
	double full, empty; /* ticks without room for a packet; ticks in which the buffer was
			       empty */
	uint32_t most;      /* units */
	double most_share;
};

struct hd_buffers {
	struct hd_fullness inputs[HD_LINK_KINDS];  /* behind links of a kind; ejection: at hosts */
	struct hd_fullness outputs[HD_LINK_KINDS]; /* before links, if switches have output
						      buffers */
	struct hd_fullness switches;               /* all inputs behind links to switches */
};

/* What the gauges of @model counted since they were started. @port_class may be NULL. */
void hd_buffers_read(const struct hd_model *model, const struct hd_fabric *fabric,
		     const uint8_t *port_class, struct hd_buffers *buffers);

/* Adds a further period of the same buffers. */
void hd_buffers_append(struct hd_buffers *buffers, const struct hd_buffers *more);

/* Averages; 0 of nothing. */
static inline double hd_fullness_mean(double sum, const struct hd_fullness *fullness)
{
	return fullness->ticks > 0 ? sum / fullness->ticks : 0;
}

#endif
