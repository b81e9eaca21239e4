/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Sums of flows, from which a flow can be subtracted again: flows on links, lengths of paths, and
 * how many flows use each turn from one link to the next on each lane. Here a flow is everything
 * that a switch and its end ports send to one LID. Internal to check/baseline.h.
 *
 * A lane is a VL or a layer, a class an SL or a flow class: a row says which lane the packets of
 * each class take. A state is a lane and a class. A use is a row (switch, in-port, out-port) with
 * the state of packets that come in; at in-port 0, where packets of the switch's end ports begin,
 * lane 0 stands for all.
 */
#ifndef HD_CHECK_FLOW_SUMS_H
#define HD_CHECK_FLOW_SUMS_H

#include "tables/tables.h"

struct hd_error;

#define HD_FLOW_STATES 64 /* there are at most as many: a bit each */
#define HD_FLOW_ROWS   64 /* of which the view knows the switch */

/* How packets get their lanes. */
struct hd_flow_lanes {
	const hd_sl2vl_row *rows;  /* of lanes by class; NULL: lanes do not matter */
	const uint16_t *pattern;   /* [as tables->sl2vl] number in rows[]; NULL: the index itself */
	const uint8_t *classes;    /* [row * lft_stride + LID]; NULL: class 0 */
	const uint32_t *class_row; /* [switch] that of its end ports in classes[]; NULL: row 0 */
};

static inline hd_sl2vl_row hd_flow_row(const struct hd_flow_lanes *lanes, size_t row)
{
	return lanes->rows[lanes->pattern ? lanes->pattern[row] : row];
}

static inline unsigned hd_flow_class(const struct hd_flow_lanes *lanes, size_t stride, uint32_t s,
				     uint32_t lid)
{
	if (!lanes->classes)
		return 0;
	return lanes->classes[(lanes->class_row ? lanes->class_row[s] : 0) * stride + lid];
}

/* What stays the same whatever the tables are. */
struct hd_flow_view {
	const struct hd_fabric *fabric;
	size_t stride;           /* of LFTs */
	const size_t *first_row; /* [node] as in tables */
	uint32_t *switch_at;     /* [row / HD_FLOW_ROWS] the switch that its first row is of */
	uint32_t n;              /* switches */
	uint32_t n_lids;
	uint16_t *lids;  /* destinations, by switch and LID */
	bool *has_load;  /* [LID] its flows count on links */
	uint32_t *hosts; /* [switch] end nodes' ports there whose flows count on links */
	bool *starts;    /* [switch] packets begin there */

	/* Where lanes matter. */
	bool to_ends; /* uses at the last switch count, too */
	unsigned n_lanes, n_classes;
	unsigned shift; /* state = lane << shift | class */
	unsigned n_states;
	uint64_t *injected; /* [port << shift | class] states in which packets of the switch's end
			       ports leave by the port */
};

/* The other end of a link between switches. */
struct hd_flow_link {
	uint32_t node; /* HD_NONE: the port has no such link */
	uint32_t in;
};

struct hd_flow_sums {
	struct hd_flow_link *links; /* [port] */
	uint32_t *load;             /* [port] flows of hosts that leave it to another switch */
	uint32_t *n_ways;           /* [links] flows with ways of so many */
	uint32_t *uses;             /* [row * n_states + state] flows with that use */
};

/* One hop of a flow. */
struct hd_flow_hop {
	uint32_t node;
	uint8_t in, out;
};

struct hd_flow_scratch {
	struct hd_flow_hop *hops; /* [switches + 1] */
	uint32_t *log;            /* uses that were counted, each once */
	size_t n_log, log_capacity;
	uint64_t *is_logged; /* [use / 64] bits; NULL: there is no log */
	bool is_bad; /* a class or a lane is not among those of the view, or memory ran out */
};

/* LIDs behind one switch to which the other switches forward alike, on the same classes. */
struct hd_flow_column {
	const uint8_t *out; /* LFT entries: that of switch s is out[s * stride] */
	size_t stride;
	const uint16_t *lids;
	uint32_t n;
};

/* The parts of a use. */
struct hd_flow_use {
	uint32_t node, in, out;
	unsigned lane, class;
	size_t row;
};

/* Number of uses in all. */
static inline size_t hd_flow_n_uses(const struct hd_flow_view *view)
{
	return view->first_row[view->n] * view->n_states;
}

static inline size_t hd_flow_row_of(const struct hd_flow_view *view, uint32_t s, unsigned in,
				    unsigned out)
{
	return view->first_row[s] + out * (view->fabric->nodes[s].n_ports + (size_t)1) + in;
}

struct hd_flow_use hd_flow_use_of(const struct hd_flow_view *view, uint32_t use);

/* HD_ENOMEM. Clear in any case. */
int hd_flow_sums_init(struct hd_flow_sums *sums, const struct hd_flow_view *view,
		      struct hd_error *err);
void hd_flow_sums_copy(struct hd_flow_sums *sums, const struct hd_flow_sums *from,
		       const struct hd_flow_view *view);
void hd_flow_sums_clear(struct hd_flow_sums *sums);
int hd_flow_scratch_init(struct hd_flow_scratch *scratch, uint32_t n_switches,
			 struct hd_error *err);
void hd_flow_scratch_clear(struct hd_flow_scratch *scratch);

/* Adds @n flows to a use, and notes it in the log of @scratch. */
void hd_flow_count_use(struct hd_flow_sums *sums, struct hd_flow_scratch *scratch, size_t use,
		       uint32_t n);

/*
 * Adds the flow from switch @s to each LID of @column to @sums, or takes it away. False: packets do
 * not arrive, and nothing is added.
 */
bool hd_flow_sums_add(struct hd_flow_sums *sums, const struct hd_flow_view *view,
		      const struct hd_flow_lanes *lanes, const struct hd_flow_column *column,
		      uint32_t s, bool take_away, struct hd_flow_scratch *scratch);

#endif
