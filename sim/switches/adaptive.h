/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Switches whose packets choose their paths (sim/adaptive/routing.h): their data and events.
 * In-ports have a FIFO for each VC, and each head may want several out-ports. Of the masks of a
 * crossbar (crossbar.h), only those of free ports and of marked ports are used here.
 *
 * The routing is asked for a head's offers when the head is new, and again when a port that it
 * might ever use opens: the port becomes free, or gets credits, or gets room in its output buffer.
 */
#ifndef HD_SWITCHES_ADAPTIVE_H
#define HD_SWITCHES_ADAPTIVE_H

#include "sim/adaptive/flows.h"
#include "sim/adaptive/routing.h"
#include "sim/model/state.h"

/* The head of an in-lane, and the packet that leaves it. */
struct adaptive_head {
	uint64_t ports;   /* ports that it might ever use; 0: there is no head */
	uint16_t heading; /* group that it goes to, if that is counted; HD_NO_GROUP */
	uint16_t leaving_heading;
	uint8_t minimal; /* local port of the tables' path */
	uint8_t leaving; /* the same for the packet whose tail is still here; or HD_NO_PORT */
	bool is_counted; /* the head counts as contention for `minimal` */
};

#define HD_NO_GROUP UINT16_MAX /* there are fewer groups than LIDs of switches */

/* A switch; masks have a bit for each local port. The functions below give the data after it. */
struct adaptive_switch {
	uint64_t random;
	uint64_t waiting; /* in-ports with heads */
	uint64_t fresh;   /* in-ports with a new head, or that are free again */
	uint64_t output;  /* out-ports whose output buffer has room, where there is one */
	uint64_t words[];
};

/* Notices that a group got, by time. */
struct notices {
	unsigned bytes;      /* of a switch; 0: there are none */
	unsigned n_slots;    /* kept, the newest at `slot` */
	unsigned slot, late; /* notices that are known are `late` slots older */
	unsigned line;
	uint8_t *told;  /* [slot * n_switches * bytes] */
	uint32_t *sums; /* [slot * n_groups * bytes]; NULL: nobody asks */

	/*
	 * Switches that have something to write: after a change, in each slot once, so that all
	 * slots then say the same. A domain has lists of its own.
	 */
	uint32_t *active, n_active;
	bool is_awake;  /* the next notice is posted */
	uint32_t *left; /* [switch] slots to be written; 0: it is not in the list */
	bool *changed;  /* [switch] its counters have, since its last notice */
};

/*
 * Units of packets on their minimal path in the buffers after switches' links. Packets leave a
 * buffer in the order in which they came, and so do their credits: the sizes, in that order, tell
 * which packet a credit belongs to.
 */
struct minimal {
	uint32_t *units; /* [out-lane] NULL: nobody asks */
	struct minimal_lane {
		uint32_t *sizes; /* of packets in the buffer, in a ring: size << 1 | minimal */
		uint32_t first, n, room; /* the room is 0 or a power of 2 */
	} * lanes;                       /* [out-lane] */
	size_t n_lanes;
};

struct hd_adaptive {
	const struct hd_routed *routed;
	const struct hd_shape *shape;
	bool by_tables;                /* packets go on the tables' VLs */
	struct hd_flows *needed_flows; /* `flows`; NULL: the routing needs none */
	struct hd_header *headers;     /* [packet] */
	uint32_t n_headers;
	uint64_t *switches; /* [switch * switch_words] */
	size_t room_two_at; /* 0: nobody asks for room for two */
	size_t switch_words, useful_at, vcs_at, turns_at, heads_at, occupied_at, contention_at;
	uint32_t capacity[HD_LINK_CLASSES];
	uint32_t packet;           /* units of the largest packet so far */
	unsigned stride;           /* ports */
	struct hd_filter *filters; /* [switch * stride + port]; NULL: nobody asks */
	uint16_t *heading;         /* [switch * n_groups + group]; NULL: nobody asks */
	struct minimal minimal;
	struct notices notices;
	uint64_t *host_random; /* [host] */
	unsigned injection_vcs;
	struct hd_header delivered; /* of the packet that was delivered last */
	struct hd_passage passage;  /* of the packet that is asked about */
	struct hd_flows flows;      /* at switches */
	struct packet_order {
		uint32_t *sent;         /* [host] packets; NULL: nobody asks */
		uint32_t *number;       /* [packet] */
		struct hd_flows latest; /* the highest number that arrived */
	} order;
};

static inline struct adaptive_switch *hd_adaptive_switch(const struct hd_model *model, uint32_t at)
{
	return (struct adaptive_switch *)(model->adaptive->switches +
					  at * model->adaptive->switch_words);
}

/* [VC] out-ports whose next buffer has room for the largest packet. */
static inline uint64_t *hd_adaptive_room(struct adaptive_switch *here)
{
	return here->words;
}

/* The same for two packets; NULL: nobody asks. */
static inline uint64_t *hd_adaptive_room_two(const struct hd_model *model,
					     struct adaptive_switch *here)
{
	return model->adaptive->room_two_at ? (uint64_t *)here + model->adaptive->room_two_at
					    : NULL;
}

/* [in-port] out-ports that its heads might use; which VCs have heads. */
static inline uint64_t *hd_adaptive_useful(const struct hd_model *model,
					   struct adaptive_switch *here)
{
	return (uint64_t *)here + model->adaptive->useful_at;
}

static inline uint32_t *hd_adaptive_vcs(const struct hd_model *model, struct adaptive_switch *here)
{
	return (uint32_t *)((uint64_t *)here + model->adaptive->vcs_at);
}

/* [in-port] the VC to propose first. */
static inline uint8_t *hd_adaptive_turns(const struct hd_model *model, struct adaptive_switch *here)
{
	return (uint8_t *)((uint64_t *)here + model->adaptive->turns_at);
}

/* [in-port * n_vls + VC] */
static inline struct adaptive_head *hd_adaptive_heads(const struct hd_model *model,
						      struct adaptive_switch *here)
{
	return (struct adaptive_head *)((uint64_t *)here + model->adaptive->heads_at);
}

/* [out-port * n_vls + VC] units; [out-port] heads and packets that leave. */
static inline uint32_t *hd_adaptive_occupied(const struct hd_model *model,
					     struct adaptive_switch *here)
{
	return (uint32_t *)((uint64_t *)here + model->adaptive->occupied_at);
}

static inline uint16_t *hd_adaptive_contention(const struct hd_model *model,
					       struct adaptive_switch *here)
{
	return (uint16_t *)((uint64_t *)here + model->adaptive->contention_at);
}

/* Makes the data of empty switches. HD_ENOMEM. */
int hd_adaptive_new(struct hd_model *model, const struct hd_routed *routed);
void hd_adaptive_free(struct hd_adaptive *adaptive);

/*
 * For a domain (sim/model/domains.h): shares what @whole has by port, switch and host, and has what
 * concerns packets and times of its own. NULL: no memory.
 */
struct hd_adaptive *hd_adaptive_share(const struct hd_adaptive *whole);
void hd_adaptive_unshare(struct hd_adaptive *adaptive);

/* The events of notices; when lines are made. */
void hd_adaptive_make_lines(struct hd_model *model);

/* The first of these events. */
void hd_adaptive_begin_notices(struct hd_model *model);

/* The header of a packet that was never in use before; false: out of memory. */
bool hd_adaptive_grow(struct hd_model *model);

/* From now on there are packets of @size: looks anew which buffers have room. */
void hd_adaptive_grow_packet(struct hd_model *model, uint32_t size);

/*
 * The credits of @out, a switch's, for @vl changed: @units more, or less, are in the next buffer.
 */
void hd_adaptive_occupy(struct hd_model *model, uint32_t out, unsigned vl, int64_t units);

/* The queue of @vl before the link of @out has room again. */
void hd_adaptive_open(struct hd_model *model, uint32_t out, unsigned vl);

/* If minimal packets are counted: a packet of @size takes room of @vl in the buffer after @out. */
void hd_adaptive_use_minimal(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size,
			     bool is_minimal);

/* The tail of a packet left the buffer of in-port @in and @vl. */
void hd_adaptive_left(struct hd_model *model, uint32_t in, unsigned vl);

/* First function: the head is new, and no packet leaves its in-lane. Second: the head leaves. */
void hd_adaptive_count_head(struct hd_model *model, uint32_t at, struct adaptive_head *head);
void hd_adaptive_leave(struct hd_model *model, uint32_t at, struct adaptive_head *head);

/* If order is counted. First function: packet @index leaves its host. Second: it arrived. */
void hd_adaptive_number(struct hd_model *model, uint32_t index);
void hd_adaptive_count_order(struct hd_model *model, uint32_t index);

/*
 * If packets go on the tables' VLs: whether packet @index, which came in by @port, has a path, and
 * a VL on it.
 */
bool hd_adaptive_has_way(const struct hd_model *model, uint32_t port, uint32_t index);

/* Switches tell their groups. */
void hd_adaptive_notice(struct hd_model *model);

/* Posts the next notice. */
void hd_notices_wake(struct hd_model *model);

/* Switch @at, whose counters have changed, may have something else to tell. */
static inline void hd_notices_changed(struct hd_model *model, uint32_t at)
{
	struct notices *notices = &model->adaptive->notices;

	if (!notices->bytes)
		return;
	if (!notices->left[at])
		notices->active[notices->n_active++] = at;
	notices->left[at] = notices->n_slots;
	notices->changed[at] = true;
	if (!notices->is_awake)
		hd_notices_wake(model);
}

void hd_notices_all_changed(struct hd_model *model);

/* Makes a whole model's notices. HD_ENOMEM. */
int hd_notices_new(struct hd_model *model, struct hd_adaptive *a);

/* Lists of a model's own, in place of those that it was copied with; false: no memory. */
bool hd_notices_share(struct notices *notices, uint32_t n_switches);
void hd_notices_unshare(struct notices *notices);

/*
 * With VCs in groups: the VCs on which packets for @lid leave @host, from *@first on. Returns their
 * number; 0: VCs are not in groups.
 */
unsigned hd_adaptive_injection_vcs(const struct hd_model *model, uint32_t host, uint16_t lid,
				   unsigned *first);

/* The VC on which @packet leaves its host. */
unsigned hd_adaptive_injection_vc(struct hd_model *model, const struct packet *packet);

/*
 * For the search for deadlocks: the offers of the head of in-lane @lane, at most HD_MAX_OFFERS; 0:
 * it leaves for its host.
 */
unsigned hd_adaptive_ways(const struct hd_model *model, uint32_t lane, struct hd_offer *offers);

/* Whether the data agree with the queues; else @what gets the first error. */
bool hd_adaptive_verify(const struct hd_model *model, char *what, size_t size);

#endif
