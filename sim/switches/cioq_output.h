/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The data of a cioq switch (switch_cioq.h), as those need it who only fetch it. */
#ifndef HD_SWITCHES_CIOQ_OUTPUT_H
#define HD_SWITCHES_CIOQ_OUTPUT_H

#include "sim/model/state.h"

/* Cycles of which a switch knows what ends in them; a power of two. */
#define HD_CIOQ_CYCLES 8

/* Ports of a switch that are free again when a cycle begins. */
struct hd_cioq_ends {
	struct {
		uint64_t ins, outs;
	} of[HD_CIOQ_CYCLES]; /* by the number of the cycle */
};

/* What is between the crossbar and the link of an out-port; two of them are a cache line. */
struct hd_cioq_output {
	uint64_t idle_from; /* the end of the latest packet that began, or whose begin is posted */
	uint32_t room;      /* units that are free in the buffer */
	uint32_t units;     /* of that packet */
	uint32_t head;      /* of packets that wait for the link; HD_NONE: there is none */
	union {
		uint32_t tail;
		uint32_t since; /* if none waits: with two passing, from the end of the first to
				   that of the second */
	};
	uint32_t queued;   /* units of packets that wait */
	uint16_t n_coming; /* packets that need a HD_CIOQ_READY */
	uint8_t vl;        /* of the packet that began last, in the next buffer */
	/*
	 * packets, each of `units`, that have no event for their end, and whose room is not given
	 * back yet; the latest one is the last
	 */
	uint8_t n_passing;
} __attribute__((aligned(32)));

struct hd_cioq {
	struct hd_cioq_output *outputs; /* [port] */
	struct hd_cioq_ends *ends;      /* [switch] */
	uint32_t *crossing;             /* [port] units of the packet that enters its buffer */
	unsigned ready_line;

	/* delay lines of arrivals behind links, of packets that pass */
	unsigned through_lines[HD_LINK_CLASSES];
	bool passes; /* whether packets may begin on a link without an event then */
};

static inline struct hd_cioq *hd_cioq(const struct hd_model *model)
{
	return model->own;
}

static inline struct hd_cioq_output *hd_cioq_output(const struct hd_model *model, uint32_t out)
{
	return hd_cioq(model)->outputs + out;
}

#endif
