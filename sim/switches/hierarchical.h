/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The hierarchical switch (Cano-Cano et al., "Providing quality of service in omni-path networks",
 * J. Supercomputing 2022, 2.2): ports in MPorts, each with a crossbar from its in-ports to its
 * output buffers and, by some links, to its central buffer; a central crossbar from there to the
 * output buffers of all MPorts. Output buffers have a queue for each VL, and the scheduler of VLs
 * is at the link.
 *
 *	in-port -> MPort's crossbar -> output buffer -> link
 *	        \                    /
 *	         central buffer -> central crossbar
 *
 * A central buffer has a queue for each in-port and VL, as a continuation of the input buffer's
 * queue. So a head there waits for the same as at the in-port, and tables that are free of deadlock
 * stay so. With one queue per VL for all in-ports, packets of one in-port would wait for heads of
 * another; in a ring whose two directions share an MPort, these would wait in a circle.
 */
#ifndef HD_SWITCHES_HIERARCHICAL_H
#define HD_SWITCHES_HIERARCHICAL_H

#include "sim/switches/credits.h"
#include "sim/switches/crossbar.h"

#define HD_MOST_MPORT 64 /* ports of an MPort, and links to its central buffer */

/* The events of this switch model. */
enum hd_hierarchical_event {
	HD_LEFT_INPUT,   /* a: in-port; the tail of a packet has left it */
	HD_LEFT_CENTRAL, /* a: link out of a central buffer; the same there */
	HD_IN_CENTRAL,   /* a: reference of the in-lane, b: packet; its head is in the central
			    buffer */
	HD_IN_OUTPUT,    /* a: out-port, b: packet; its head is in the output buffer */
};

/*
 * Delay lines of packets that leave a buffer: at the speed of the crossbar, or, by rates of links,
 * at the speed of their arrival.
 */
struct hd_crossing_lines {
	struct sized_line whole[SIZES], cut[HD_MODEL_RATES][SIZES];
};

/* How packets of one size leave all buffers together, see hd_go_straight(). */
struct hd_straight {
	uint32_t size; /* 0: not known yet */
	unsigned line; /* delay line of HD_LEFT_INPUT; HD_NO_LINE: they do not */
	uint64_t ticks;
	bool passes_centre; /* also through the centre */
};

/* The units that each queue of a buffer has for itself, and its most. */
struct hd_share {
	uint32_t reserved, most;
};

/* A queue of a shared buffer. */
struct hd_shared_queue {
	struct queue queue; /* of packets whose heads are there */
	uint32_t occupied;  /* units, also of packets that come and that leave */
	uint32_t coming;    /* packets whose heads are not there yet */
};

#define HD_NO_CENTRAL_LINK 255

/* An in-port with its queues in the central buffer: with up to two VLs a cache line. */
struct hd_hierarchical_in {
	uint64_t left_at; /* when the packet that leaves it, or the one before, has left */
	uint32_t mport;
	uint32_t leaving; /* units of that packet; 0: none leaves */
	uint32_t to;      /* its out-port */
	uint8_t uplink;   /* the link of the MPort by which it goes into the central buffer;
			     HD_NO_CENTRAL_LINK: it goes to the output buffer, in the same MPort */
	uint8_t downlink; /* the one by which it leaves the central buffer at the same time; or
			     HD_NO_CENTRAL_LINK */
	uint8_t leaving_vl;
	uint8_t vl_turn;   /* the VL to propose first */
	uint8_t fresh_vl;  /* of its fresh head, see hd_fresh() */
	bool ends_sending; /* the packet leaves the link of its out-port at the same time, too */
	struct hd_shared_queue central[]; /* [VL] */
};

/* An out-port with its output buffer; the same. */
struct hd_hierarchical_out {
	uint32_t mport;
	uint32_t turn;    /* the source from which its output buffer takes first */
	uint32_t sending; /* units of the packet on its link; 0: idle */
	uint32_t queued;  /* a bit for each VL that has a packet in its output buffer */
	uint32_t left;    /* free units of the output buffer that VLs share */
	struct hd_share share;
	bool is_entered;                 /* a packet comes into its output buffer */
	uint8_t sending_vl;              /* of the packet on its link */
	struct hd_shared_queue queues[]; /* [VL] */
};

/* An MPort; what a packet needs that waits nowhere is in the first line. */
struct hd_mport {
	uint64_t idle_up;   /* a bit for each link into the central buffer by which nothing goes */
	uint64_t idle_down; /* the same of links out of it */
	uint32_t first;     /* its first port */
	uint32_t left;      /* free units of the central buffer that queues share */
	uint32_t queued;    /* a bit for each VL that has a head in the central buffer */
	uint8_t n;          /* linked ports, whose numbers follow; 0: no port is linked */
	bool is_full;       /* some head was refused for want of room in the central buffer */

	/* turns of VLs and of links: one array, so that the first few are in one line */
	struct {
		uint8_t in;      /* [VL] the in-port whose queue in the central buffer goes first */
		uint8_t up;      /* [link] the in-port of which it takes first */
		uint8_t down_vl; /* [link] the VL of which it takes first out of the buffer */
	} turns[HD_MOST_MPORT];
	uint64_t heads[HD_MAX_VCS]; /* [VL] a bit for each in-port whose queue there has one */
} __attribute__((aligned(64)));

/* What goes out of a central buffer by a link, if the end of that is an event of its own. */
struct hd_central_link {
	uint32_t lane;     /* reference of its in-lane; HD_NONE: nothing goes */
	uint32_t size, to; /* of the packet: units, out-port */
};

struct hd_hierarchical {
	unsigned mport, n_links;       /* ports of an MPort, its links */
	uint64_t speed, central_speed; /* units in the time of one on the fastest link */
	unsigned n_mports;             /* of a switch, those without ports included */
	unsigned mport_words;          /* of a mask of these */
	struct hd_share central;       /* of a queue of a central buffer */
	char *ins, *outs;              /* [port], see hd_hierarchical_in() */
	size_t in_bytes, out_bytes;    /* of each, whole cache lines */
	struct hd_mport *mports;       /* [switch * n_mports + MPort] */
	struct hd_central_link *links; /* [that * n_links + link] */

	/*
	 * [(out-port * n_vls + VL) * words] the in-ports whose queues in central buffers have a
	 * head for it.
	 */
	uint64_t *requests;

	/*
	 * [switch * (3 * words + mport_words)] in-ports to look at, out-ports that heads in central
	 * buffers want, in-ports with a fresh head, MPorts whose central buffers are to be looked
	 * at
	 */
	uint64_t *masks;
	unsigned in_central_line, in_output_line;
	struct hd_crossing_lines left[2]; /* of HD_LEFT_INPUT, HD_LEFT_CENTRAL */
	struct hd_straight straight[HD_MODEL_RATES][SIZES];
};

static inline struct hd_hierarchical *hd_hierarchical(const struct hd_model *model)
{
	return model->own;
}

static inline struct hd_hierarchical_in *hd_hierarchical_in(const struct hd_model *model,
							    uint32_t port)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	return (struct hd_hierarchical_in *)(own->ins + port * own->in_bytes);
}

static inline struct hd_hierarchical_out *hd_hierarchical_out(const struct hd_model *model,
							      uint32_t port)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	return (struct hd_hierarchical_out *)(own->outs + port * own->out_bytes);
}

/* The MPort of in-port @in, ... */
static inline struct hd_mport *hd_mport_of_in(const struct hd_model *model, uint32_t in)
{
	return &hd_hierarchical(model)->mports[hd_hierarchical_in(model, in)->mport];
}

/* ... or of an out-port; one of both is in a cache. */
static inline struct hd_mport *hd_mport_of_out(const struct hd_model *model, uint32_t out)
{
	return &hd_hierarchical(model)->mports[hd_hierarchical_out(model, out)->mport];
}

/* Of an in-port's buffer: a FIFO. */
static inline struct queue *hd_input_queue(const struct hd_model *model, uint32_t in, unsigned vl)
{
	return &model->buffers.queues[in * (size_t)hd_n_vls(model) + vl];
}

static inline struct hd_shared_queue *hd_central_queue(const struct hd_model *model, uint32_t in,
						       unsigned vl)
{
	return &hd_hierarchical_in(model, in)->central[vl];
}

static inline struct hd_shared_queue *hd_output_queue(const struct hd_model *model, uint32_t out,
						      unsigned vl)
{
	return &hd_hierarchical_out(model, out)->queues[vl];
}

static inline uint64_t *hd_central_requests(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return hd_hierarchical(model)->requests +
	       (out * (size_t)hd_n_vls(model) + vl) * hd_words(model);
}

/* Words of a mask of a switch's MPorts. */
static inline size_t hd_mport_words(const struct hd_hierarchical *own)
{
	return HD_MACHINE_HIERARCHICAL ? 1 : own->mport_words;
}

/* Masks of switch @at: in-ports to look at; ... */
static inline uint64_t *hd_tries(const struct hd_model *model, uint32_t at)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	return own->masks + at * (3 * hd_words(model) + hd_mport_words(own));
}

/* ... out-ports that heads in central buffers want; ... */
static inline uint64_t *hd_wanted_behind(const struct hd_model *model, uint32_t at)
{
	return hd_tries(model, at) + hd_words(model);
}

/*
 * ... in-ports with a fresh head: one that came in this tick and whose out-port is not noted as
 * wanted in the crossbar (hd_crossbar_note()), since most heads go at once; ...
 */
static inline uint64_t *hd_fresh(const struct hd_model *model, uint32_t at)
{
	return hd_tries(model, at) + 2 * hd_words(model);
}

/* ... MPorts whose central buffers are to be looked at. */
static inline uint64_t *hd_central_tries(const struct hd_model *model, uint32_t at)
{
	return hd_tries(model, at) + 3 * hd_words(model);
}

/* The bits below bit @n, at most 64. */
static inline uint64_t hd_bits_below(unsigned n)
{
	return n < 64 ? bit_of(n) - 1 : ~UINT64_C(0);
}

/* Of word @w of a mask of a switch's ports, those of @mport. */
static inline uint64_t hd_mport_ins(const struct hd_model *model, const struct hd_mport *mport,
				    size_t w)
{
	const unsigned begin = hd_local(model, mport->first), end = begin + mport->n;
	const unsigned before = (unsigned)w * 64;

	if (end <= before || begin >= before + 64)
		return 0;
	return hd_bits_below(end - before > 64 ? 64 : end - before) &
	       ~hd_bits_below(begin > before ? begin - before : 0);
}

/* Of masks of each VL, @words apart: what any of them has. */
static inline uint64_t hd_of_each_vl(const struct hd_model *model, const uint64_t *masks)
{
	const size_t words = hd_words(model);
	uint64_t any = 0;

	for (unsigned vl = 0; vl < hd_n_vls(model); vl++)
		any |= masks[vl * words];
	return any;
}

/* Whether @in and @out are of one MPort. */
static inline bool hd_is_bypass(const struct hd_model *model, uint32_t in, uint32_t out)
{
	const struct hd_mport *mport = hd_mport_of_in(model, in);

	return out - mport->first < mport->n;
}

/* Units that a queue may take in if @left shared units are free. */
static inline uint32_t hd_share_room(const struct hd_share *share,
				     const struct hd_shared_queue *queue, uint32_t left)
{
	uint32_t own = share->reserved > queue->occupied ? share->reserved - queue->occupied : 0;
	uint32_t most = share->most - queue->occupied;

	return own + left < most ? own + left : most;
}

/* Shared units that @queue has. */
static inline uint32_t hd_share_excess(const struct hd_share *share,
				       const struct hd_shared_queue *queue)
{
	return queue->occupied > share->reserved ? queue->occupied - share->reserved : 0;
}

/* A queue uses its own units first, and gives them back last. */
static inline void hd_share_use(const struct hd_share *share, struct hd_shared_queue *queue,
				uint32_t *left, uint32_t size)
{
	uint32_t before = hd_share_excess(share, queue);

	queue->occupied += size;
	*left -= hd_share_excess(share, queue) - before;
}

static inline void hd_share_give_back(const struct hd_share *share, struct hd_shared_queue *queue,
				      uint32_t *left, uint32_t size)
{
	uint32_t before = hd_share_excess(share, queue);

	queue->occupied -= size;
	*left += before - hd_share_excess(share, queue);
}

static inline uint32_t hd_central_room(const struct hd_model *model, uint32_t in, unsigned vl)
{
	return hd_share_room(&hd_hierarchical(model)->central, hd_central_queue(model, in, vl),
			     hd_mport_of_in(model, in)->left);
}

static inline uint32_t hd_output_room(const struct hd_model *model, uint32_t out, unsigned vl)
{
	const struct hd_hierarchical_out *port = hd_hierarchical_out(model, out);

	return hd_share_room(&port->share, hd_output_queue(model, out, vl), port->left);
}

/*
 * Sources of output buffers: links of all central buffers of a switch, then their MPort's in-ports.
 */
static inline unsigned hd_first_in_source(const struct hd_hierarchical *own)
{
	return own->n_mports * own->n_links;
}

static inline unsigned hd_sources_of(const struct hd_hierarchical *own,
				     const struct hd_mport *mport)
{
	return hd_first_in_source(own) + mport->n;
}

/* @out has taken what @source offered: the next one has its turn. */
static inline void hd_output_turn(struct hd_model *model, uint32_t out, unsigned source)
{
	const struct hd_hierarchical *own = hd_hierarchical(model);

	hd_hierarchical_out(model, out)->turn =
		source + 1 == hd_sources_of(own, hd_mport_of_out(model, out)) ? 0 : source + 1;
}

/* The first bit of @bits, which has some, from @turn on, or from 0 on. */
static inline unsigned hd_first_from(uint64_t bits, unsigned turn)
{
	uint64_t from = turn < 64 ? bits >> turn << turn : 0;

	return (unsigned)__builtin_ctzll(from ? from : bits);
}

/* Appends packet @index; true: it is the head. */
static inline bool hd_queue_append(const struct hd_model *model, struct queue *queue,
				   uint32_t index)
{
	bool is_head = queue->head == HD_NONE;

	model->buffers.packets[index].next = HD_NONE;
	if (is_head)
		queue->head = index;
	else
		model->buffers.packets[queue->tail].next = index;
	queue->tail = index;
	return is_head;
}

/*
 * Ticks of @size units through a crossbar that carries @speed units in the time of one on a link.
 */
static inline uint64_t hd_crossing_ticks(const struct hd_model *model, uint64_t speed,
					 uint32_t size)
{
	return ((uint64_t)size * model->fastest + speed - 1) / speed;
}

/* Of packets of @size to a link of @rate, by the lines that were made; NULL: some were not yet. */
const struct hd_straight *hd_hierarchical_learn_straight(struct hd_model *model, unsigned rate,
							 uint32_t size);

/* As ahead() of struct hd_switch_model. */
void hd_hierarchical_ahead(const struct hd_model *model, unsigned kind, uint32_t a, uint32_t b,
			   unsigned step);

/* hierarchical_waits.c: as waits_for(), verify() */
uint32_t hd_hierarchical_waits_for(const struct hd_model *model, uint32_t lane,
				   const uint8_t *dead);
const char *hd_hierarchical_verify(const struct hd_model *model, uint32_t port);

#endif
