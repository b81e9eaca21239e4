/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The state of the performance model. It has only linked ports, and numbers them anew: a switch's
 * ports are switch << port_bits and those after it. So a port's number gives its switch and its
 * local number there, without a memory access. The hosts' ports follow. In the model, a lane is a
 * VL of a port, index port * n_vls + VL: an out-lane has the credits for the buffer at the other
 * end, an in-lane is that buffer.
 *
 * On large fabrics, cache lines take most of the time. A packet that leaves by a port touches the
 * port's sender, one that comes in touches its receiver: with few VLs, a line each. The switch's
 * data that both need is in one more line (crossbar.h). These lines stay in a core's cache.
 */
#ifndef HD_MODEL_STATE_H
#define HD_MODEL_STATE_H

#include <stdbool.h>

#include "sim/hosts/backlog.h"
#include "sim/model/events.h"
#include "tables/forwarding.h"
#include "sim/model/model.h"
#include "support/error.h"

#define HD_OWN_EVENTS 4

/*
 * For functions that every packet needs: the compiler finds them too large to be in a machine more
 * than once, but calls of them take longer.
 */
#define HD_HOT static inline __attribute__((always_inline))

enum hd_model_event {
	HD_EVENT_ARRIVE,   /* a: port, b: packet; its head may leave the switch from now on */
	HD_EVENT_ENQUEUE,  /* a: port, b: packet; the same for a packet that leaves faster than it
			      came */
	HD_EVENT_DONE,     /* a: out-port, b: reference of the in-lane; HD_NONE at a host. If the
			      packet left its in-lane before, b is the switch model's */
	HD_EVENT_CREDIT,   /* a: reference of the out-lane, b: units */
	HD_EVENT_DELIVER,  /* a: port, b: packet; its tail is at the host */
	HD_EVENT_CONSUMED, /* a: port, b: packet; its tail is taken in by the host */
	HD_EVENT_GENERATE, /* a: host, b: packet; the traffic's next message */
	HD_EVENT_INJECT,   /* b: packet; a message of hd_model_inject() */
	HD_EVENT_RETRY,    /* a: switch whose matching left pairs unmatched */
	HD_EVENT_READ,     /* a: in-port that has sent a packet at its own rate, to a slower link */
	HD_EVENT_NOTICE,   /* switches tell their groups */
	HD_EVENT_WAKE,     /* a: host; of hd_model_wake() */
	HD_EVENT_OWN,      /* this one and those behind it are the switch model's own */
	/*
	 * delays of the kinds before it may depend on packets' sizes; a power of two, for an index
	 */
	HD_SIZED_EVENTS = HD_EVENT_OWN + HD_OWN_EVENTS,
	HD_EVENT_POLICY = HD_SIZED_EVENTS, /* the host policy's own */
	HD_EVENTS,
};

/* A packet; a cache line. */
struct packet {
	struct hd_message message;
	uint64_t entered; /* when it began to leave its host */
	uint64_t arrived; /* when it could leave this switch */
	uint32_t next;    /* the next one in the queue */
	uint32_t out;     /* the port to leave by; HD_NONE: not looked up yet */
	uint16_t dlid;
	uint8_t sl;
	uint8_t vl;     /* VL of its buffer, or of the buffer that it goes to */
	uint8_t out_vl; /* VL of the next buffer */
	uint8_t hops;
	bool has_circled; /* table_changes.h */
} __attribute__((aligned(64)));

/* Packets in order. */
struct queue {
	uint32_t head; /* HD_NONE: empty */
	uint32_t tail;
};

/* A queue of a host: only its first packet is in `queue`, which has no tail. */
struct host_queue {
	struct queue queue;
	uint32_t size;  /* of the head */
	uint8_t out_vl; /* of the head */
	struct hd_backlog behind;
};

/*
 * Packets that left by an out-port on a VL. Smaller counters have those since the last adding up.
 */
struct sent {
	uint64_t packets, units;
};

struct lately {
	uint32_t packets, units;
};

/* Of a port: for packets that leave. */
struct sender {
	uint32_t peer;    /* the port at the other end */
	uint32_t sending; /* units of the packet on its link; 0: idle. At a switch only if needed */
	uint32_t stalled; /* bit n while VL n's stall is counted; see hd_model_stall() */
	uint8_t turn;     /* round robin: the local in-port where the search begins */
	uint8_t vl_turn;
	uint8_t link_class;   /* enum hd_link_class */
	uint8_t rate;         /* of its link: index in model->rates; the rate of a class has the
				 class's number */
	uint8_t arrive_line;  /* delay lines of what goes out here */
	uint8_t alert;        /* not 0: the port is looked at again when credits come; HD_TRIED,
			        ... */
	bool to_host : 1;     /* its link leads to a host */
	bool is_dirty : 1;    /* of a host: in model->dirty */
	bool changes_vls : 1; /* some head that wanted it would leave on another VL than it came */
	bool is_cut : 1;      /* its link leads to a switch of another domain (domains.h) */

	/*
	 * [VL] units of room that the sender knows of in the buffer at the other end; with DAMQ,
	 * reserved units. hd_lately(), hd_heads() and hd_requests() follow.
	 */
	uint32_t credits[];
};

/*
 * A credit under way, or of a packet that is leaving: the sender has it at `due`. Packed, so that a
 * receiver with two VLs is a cache line.
 */
struct due_credit {
	uint64_t due;
	uint32_t units; /* 0: no credit */
	uint8_t vl;
} __attribute__((packed));

/* Of a port: for packets that come in. */
struct receiver {
	struct due_credit on_way[2]; /* in order; see hd_model_return_credit() */
	uint32_t peer;
	uint8_t accept;      /* the local out-port whose grant it would accept first */
	uint8_t propose;     /* input first: the VL whose head it would propose */
	uint8_t credit_line; /* delay line of credits that go back */
	uint8_t rate;        /* as the sender of the same port has it */
	bool is_watched : 1; /* the sender at the other end lacks credits, or knows only of credits
				that are events */
	bool is_cut : 1;     /* that sender is in another domain */

	/*
	 * [VL] units whose credits have come back, but at which the sender has not looked yet.
	 * hd_wants() follows.
	 */
	uint32_t returned[];
};

/* How long packets waited to leave by an out-lane, or a port. */
struct stall {
	uint64_t ticks;
	uint64_t since; /* begin of the present stall */
};

/* A host: where and how it sends. */
struct host {
	hd_sl2vl_row row;        /* of its port: VL by SL */
	const uint8_t *path_sls; /* [LID] */
	uint32_t port;
	uint8_t turn;      /* round robin among a destination's LIDs */
	uint8_t last;      /* offset to the base LID of its last packet */
	uint8_t preferred; /* hd_model_prefer(); HD_NO_PREFERENCE */
};

/* A host as a destination. */
struct destination {
	uint16_t lid;
	uint8_t lmc;
};

#define SIZES 4 /* packet sizes whose delay lines are kept for a rate */

struct sized_line {
	uint32_t size;
	unsigned line;
	uint64_t ticks;
	uint32_t cycles; /* the same; 0: not whole cycles, or very many */
};

#define HD_CYCLE_LINES 32

/* Which switches and hosts there are, and how they forward. */
struct network {
	const struct hd_fabric *fabric;
	const struct hd_tables *tables;
	struct hd_forwarding forwarding;
	unsigned port_bits; /* bits of a port number that are the local number, and their mask */
	uint32_t local_mask;
	uint32_t most_locals; /* most linked ports of a switch */
	uint32_t n_switches;
	uint32_t first_host_port; /* the switches' ports are before it */
	uint32_t n_ports;         /* also counts numbers without a port, of switches with fewer
				     ports */
	uint8_t *n_locals;        /* [switch] linked ports */
	uint32_t *fabric_port;    /* [port] HD_NONE: no port has this number */
	uint32_t *port_of;        /* [fabric ports], HD_NONE where there is no link */
};

/* Where the parts of a port begin, in 64-bit words. */
struct port_layout {
	size_t requests_at; /* in a port: hd_requests(), the receiver */
	size_t receiver_at;
	size_t wants_at; /* in a receiver: hd_wants() */
	size_t words;    /* of a port, whole cache lines */
};

/* 64-bit words of the cache lines that hold @words. */
static inline size_t hd_whole_lines(size_t words)
{
	return (words + 7) / 8 * 8;
}

/*
 * Sizes depend on VLs and words. Where packets choose their paths, adaptive.h has what heads want,
 * and a sender has only the one mask that hosts need.
 */
static inline struct port_layout hd_port_layout_of(unsigned n_vls, unsigned words, bool has_wants)
{
	const size_t masks = has_wants ? n_vls * (size_t)words : 0;
	const size_t sender =
		sizeof(struct sender) + n_vls * (sizeof(uint32_t) + sizeof(struct lately) +
						 (has_wants ? sizeof(uint16_t) : 0));
	const size_t receiver = sizeof(struct receiver) + n_vls * sizeof(uint32_t);
	struct port_layout layout = { .requests_at = (sender + 7) / 8,
				      .wants_at = (receiver + 7) / 8 };

	layout.receiver_at = hd_whole_lines(layout.requests_at + (has_wants ? masks : 1));
	layout.words = layout.receiver_at + hd_whole_lines(layout.wants_at + masks);
	return layout;
}

/* Ports and crossbars, whose sizes depend on VLs and words. */
struct layout {
	uint64_t *ports; /* [port * port.words], see hd_sender() */
	struct port_layout port;
	uint64_t *crossbars; /* [switch * crossbar_words], see crossbar.h */
	size_t crossbar_words;
};

/* Packets, and their queues at switches. */
struct buffers {
	struct packet *packets;
	uint32_t n_packets, size_packets;
	uint32_t free_packet; /* list by next */
	struct queue *queues; /* see hd_queues_to() */
	size_t n_queues;
	bool by_output;          /* as the buffering says */
	uint32_t smallest;       /* units of the smallest buffer in use */
	uint32_t largest_packet; /* units of the largest packet generated so far */
	uint32_t one_size;       /* units of every packet; 0: sizes differ, or there is none */
	uint32_t too_large;      /* size of a packet that exceeds a buffer; 0: none */
};

/* Packets have @size units from now on, too. */
static inline void hd_buffers_note_size(struct buffers *buffers, uint32_t size)
{
	if (size != buffers->one_size)
		buffers->one_size = buffers->largest_packet ? 0 : size;
	if (size > buffers->largest_packet)
		buffers->largest_packet = size;
}

/* DAMQ: the VLs of a port share its buffer. */
struct sharing {
	uint32_t *left;     /* [port] units left of what the VLs share; NULL: they share nothing */
	uint32_t *occupied; /* [out-lane] units in use */
	uint32_t reserved[HD_LINK_CLASSES]; /* units of each VL's own */
	uint32_t most[HD_LINK_CLASSES];     /* units that a VL has at most */
	uint32_t total[HD_LINK_CLASSES];    /* units of a port's buffer, of all VLs */
};

/* Bubble flow control (bubble.h). */
struct bubble {
	uint32_t *ring; /* [port] ring of the port's link, 0: none; NULL: no bubble flow control */
	uint32_t *packets; /* [ring * n_vls + VL] packets in the ring's buffers, or on their way
			      there */
	uint32_t n_rings;
	uint32_t vls;      /* VLs with bubble flow control */
	uint32_t smallest; /* units of the smallest buffer of a ring */
	uint32_t size;     /* of packets; 0: there was none yet */
	uint32_t refused;  /* size of a packet that differs, or is too large; 0: none */
};

/* How hosts send, and take in. */
struct injection {
	uint32_t n_hosts;
	struct host *hosts;               /* [host] */
	struct destination *destinations; /* [host] */
	struct host_queue *queues;        /* [host port * n_vls + VL], see hd_host_queues() */
	struct hd_backlog_pool backlogs;
	struct hd_admittances
		*admittances;       /* admittance_destination.c; NULL: no queues per destination */
	uint32_t *admitted;         /* [out-lane] packets of those in the injection queue */
	uint32_t *backlog_units;    /* [out-lane] queued at hosts; NULL: nobody asks */
	void *choosing;             /* data of the host policy, from malloc(); or NULL */
	bool is_watched;            /* the host policy has changed() or ended() */
	uint32_t *n_queued;         /* [host] packets that wait there; NULL: no limit */
	struct consumer *consumers; /* [host port] consumption.c; NULL: as fast as their links */
	struct replies *replies;    /* [host] replies.h; NULL: hosts take in all requests */
};

/* Counters of ports. */
struct counting {
	struct sent *sent;    /* [out-lane] without what hd_lately() has */
	struct stall *stalls; /* [port * (n_vls + 1)]: VLs, then the port; NULL: not counted */
};

/* Data of the search for deadlock (deadlock.c). */
struct deadlock {
	uint64_t patience, interval, last_check;
	uint32_t *heads; /* [in-lane] a hash of the queues' heads at the last check */
	struct hd_channel *cycle;
	size_t n_cycle;
	struct hd_error told; /* the last error of hd_model_run(); no code: none */
};

/*
 * Rates of links: first the rates of the link classes, by class, then other rates that some links
 * have, for each class with such links.
 */
#define HD_MODEL_RATES 64

struct hd_rate {
	uint32_t unit_ticks;
	uint8_t link_class;
	uint64_t header_ticks; /* that each packet takes beside its units */
};

/* Delay lines for packets of a few sizes; see transmission.h. */
struct sized_lines {
	struct sized_line of[HD_MODEL_RATES][HD_SIZED_EVENTS][SIZES];

	/* [cycles] of one kind; see hd_wire_post_after() */
	struct sized_line after[HD_CYCLE_LINES];
};

struct hd_model {
	struct hd_events events;
	struct network network;
	struct layout layout;
	struct buffers buffers;
	struct injection injection;
	struct sharing sharing;
	struct counting counting;
	struct sized_lines sized_lines;
	struct deadlock deadlock;
	struct hd_model_options options;
	struct hd_model_user user;
	struct hd_model_census census;

	unsigned n_vls;
	unsigned used_vls;     /* VLs, from 0, that packets may use */
	unsigned words;        /* of a mask of a switch's ports */
	bool has_rates;        /* links of several rates */
	bool has_own_matching; /* the switch model has arbitrate() */
	bool has_link_queues;  /* it has queue_room() */
	unsigned n_rates;
	uint32_t fastest; /* ticks of a unit on the fastest link */
	struct hd_rate rates[HD_MODEL_RATES];
	bool eager_credits; /* every credit is an event */
	bool early_credits; /* credits are noted when the packet begins to leave */
	bool in_step;       /* see hd_model_leave_step() */
	uint64_t cycle;     /* with iterations, while in step: the number of the present cycle */
	void *scheduling;   /* data of the scheduler; or NULL */
	void *arbitration;  /* data of the arbiter, from malloc(); or NULL */
	struct hd_model_observer *observers; /* NULL: none */
	struct hd_gauges *gauges;            /* gauges.c; NULL: nobody asked for them */
	struct hd_parts *parts;              /* parts.c; NULL: nobody asked for them */
	void *own;                           /* data of the switch model; or NULL */
	struct hd_adaptive *adaptive;        /* adaptive.h; NULL: packets go by the tables */
	struct hd_live *live; /* table_changes.h; NULL: tables and links do not change */
	struct hd_arrival_choice *choice; /* arrival_choice.h; NULL: there was never one */
	struct hd_voqnet *voqnet;         /* voqnet.h; NULL: no queues by destination */
	struct note *notes;               /* look_ahead.h; NULL: the caches hold everything */
	bool fetches_all;           /* with notes: not only for arrivals and hosts' messages */
	struct hd_domains *domains; /* domains.h; NULL: one thread runs the model */
	struct hd_mails *mails;     /* of a domain: [domain] what it sends there now */
	uint64_t horizon; /* of a domain: nothing that others send comes before this time */

	/* marked switches and hosts' ports, looked at after a tick's events */
	uint8_t *reading; /* [port] packets that the in-port sends now; NULL: one at most */
	uint32_t *dirty;  /* switches, and ports of hosts; HD_LINKS_OF + switch */
	uint32_t n_dirty;
	unsigned retry_line;
	uint64_t pause; /* the time from which hd_model_run() looks at more than events */
	bool started;
	int (*run)(struct hd_model *model, uint64_t until, struct hd_error *err); /* machine.h */
	struct bubble bubble;
};

/*
 * The features of a run. The machine (machine.inc) is compiled several times: for any run, and for
 * runs of which more is known at compile time.
 *	HD_MACHINE_WORDS   words of a mask of a switch's ports; 0: as the model says
 *	HD_MACHINE_VLS     VLs of a port; 0: as the model says
 *	HD_MACHINE_STATIC  1: nothing that the functions below ask for is there
 *	HD_MACHINE_ADAPTIVE  1: packets choose their paths; 0: they do not; else a test at run time
 *	HD_MACHINE_VOQNET  0: there are no queues by destination; else it is asked
 *	HD_MACHINE_CIOQ    1: switches are cioq; with HD_MACHINE_STATIC, which leaves out then
 *			   neither iterations nor allocators, nor what hosts have in such runs
 *	HD_MACHINE_HIERARCHICAL  1: switches are hierarchical, with up to 64 MPorts; with
 *			   HD_MACHINE_STATIC, which leaves out then neither shared buffers nor
 *			   schedulers, nor what hosts have in such runs
 */
#ifndef HD_MACHINE_WORDS
#define HD_MACHINE_WORDS 0
#endif
#ifndef HD_MACHINE_STATIC
#define HD_MACHINE_STATIC 0
#endif

#ifndef HD_MACHINE_ADAPTIVE
#define HD_MACHINE_ADAPTIVE 2
#endif

#ifndef HD_MACHINE_CIOQ
#define HD_MACHINE_CIOQ 0
#endif

#ifndef HD_MACHINE_HIERARCHICAL
#define HD_MACHINE_HIERARCHICAL 0
#endif

#ifndef HD_MACHINE_VLS
#define HD_MACHINE_VLS 0
#endif

#ifndef HD_MACHINE_VOQNET
#define HD_MACHINE_VOQNET 1
#endif

/* Whether packets choose their paths. */
static inline bool hd_has_routing(const struct hd_model *model)
{
	return HD_MACHINE_ADAPTIVE == 2 ? model->adaptive != NULL : HD_MACHINE_ADAPTIVE;
}

/* Whether switches have queues by destination. */
static inline bool hd_has_voqnet(const struct hd_model *model)
{
	return HD_MACHINE_VOQNET && model->voqnet;
}

static inline size_t hd_words(const struct hd_model *model)
{
	return HD_MACHINE_WORDS ? HD_MACHINE_WORDS : model->words;
}

static inline unsigned hd_n_vls(const struct hd_model *model)
{
	return HD_MACHINE_VLS ? HD_MACHINE_VLS : model->n_vls;
}

/* Where the parts of a port are; a constant for a machine of one number of VLs. */
static inline struct port_layout hd_port_layout(const struct hd_model *model)
{
	if (HD_MACHINE_VLS && HD_MACHINE_WORDS && HD_MACHINE_ADAPTIVE != 2)
		return hd_port_layout_of(HD_MACHINE_VLS, HD_MACHINE_WORDS, !HD_MACHINE_ADAPTIVE);
	return model->layout.port;
}

/* Whether tables and links may change. */
static inline bool hd_is_live(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && HD_MACHINE_ADAPTIVE != 1 && model->live;
}

/* Whether packets may choose their ports when they come to a switch. */
static inline bool hd_may_choose(const struct hd_model *model)
{
	return hd_is_live(model) && model->choice;
}

/* Whether the VLs of a port share its buffer. */
static inline bool hd_has_sharing(const struct hd_model *model)
{
	return (!HD_MACHINE_STATIC || HD_MACHINE_HIERARCHICAL) && model->sharing.left;
}

/* Whether rings have bubble flow control. */
static inline bool hd_has_bubble(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->bubble.ring;
}

/* Whether the time of ports' stalls is counted. */
static inline bool hd_counts_stalls(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->counting.stalls;
}

/* The scheduler of VLs; NULL: round robin. */
static inline const struct hd_scheduler *hd_scheduler(const struct hd_model *model)
{
	if (HD_MACHINE_STATIC && !HD_MACHINE_HIERARCHICAL)
		return NULL;
	return model->options.scheduler->next ? model->options.scheduler : NULL;
}

/* With options.transit: packets in transit go first, equals by the arbiter. */
bool hd_before_in_transit(const struct hd_model *model, const struct hd_contender *a,
			  const struct hd_contender *b);

/* The arbiter of in-ports; NULL: round robin. */
static inline hd_arbiter_before hd_arbiter(const struct hd_model *model)
{
	if (HD_MACHINE_STATIC)
		return NULL;
	return model->options.transit ? hd_before_in_transit : model->options.arbiter->before;
}

/* Whether the machine is compiled for a switch model that is not the input-queued one. */
#define HD_MACHINE_HOOKS (HD_MACHINE_CIOQ || HD_MACHINE_HIERARCHICAL)

#if HD_MACHINE_HOOKS
static const struct hd_switch_model hd_machine_hooks; /* machine_cioq.h, machine_hierarchical.h */
#endif

/*
 * The switch model's functions; NULL: the input-queued switch, with its functions in switch_iq.h.
 */
static inline const struct hd_switch_model *hd_switch_hooks(const struct hd_model *model)
{
#if HD_MACHINE_HOOKS
	(void)model;
	return &hd_machine_hooks;
#endif
	return HD_MACHINE_STATIC || !model->options.model->event ? NULL : model->options.model;
}

/* Whether switches are cioq, for those who only fetch. */
static inline bool hd_is_cioq(const struct hd_model *model)
{
	if (HD_MACHINE_STATIC)
		return HD_MACHINE_CIOQ;
	return model->options.model->has_output_fifo;
}

/*
 * Whether out-ports have a queue for each VL before the link, which takes packets whose next buffer
 * has no room.
 */
static inline bool hd_has_link_queues(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->has_link_queues;
}

/* The scheduler of VLs at the crossbar; with such queues VLs are scheduled at the link. */
static inline const struct hd_scheduler *hd_crossbar_scheduler(const struct hd_model *model)
{
	return hd_has_link_queues(model) ? NULL : hd_scheduler(model);
}

/* Whether the switch model itself does everything between in-ports and links. */
static inline bool hd_has_own_matching(const struct hd_model *model)
{
	if (HD_MACHINE_STATIC)
		return HD_MACHINE_HIERARCHICAL;
	return model->has_own_matching;
}

/* Whether there are links of several rates. */
static inline bool hd_has_rates(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->has_rates;
}

static inline bool hd_has_early_credits(const struct hd_model *model)
{
	return (HD_MACHINE_STATIC && !HD_MACHINE_HOOKS) || model->early_credits;
}

/*
 * What stands in dirty[] for links of a switch: they are looked at without its ports being matched.
 * No port has such a number.
 */
#define HD_LINKS_OF (UINT32_C(1) << 31)

/*
 * The most entries of dirty[] in a tick, of @n switches and ports of hosts. With several reads, an
 * in-port that sends a packet can go on, which marks the switch again: once a packet.
 */
static inline size_t hd_most_dirty(const struct hd_model *model, size_t n)
{
	return n + 1 + (model->options.reads > 1 ? model->network.n_ports : 0) +
	       (hd_has_link_queues(model) ? model->network.n_switches : 0);
}

/* Whether in-ports may send several packets at a time. */
static inline bool hd_has_reads(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->reading;
}

static inline bool hd_has_admittances(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->injection.admittances;
}

/* Whether somebody asks for the backlogs of hosts. */
static inline bool hd_counts_backlogs(const struct hd_model *model)
{
	return (!HD_MACHINE_STATIC || HD_MACHINE_HOOKS) && model->injection.backlog_units;
}

/* Whether the host policy wants to know what hosts could send, and the fate of packets. */
static inline bool hd_watches_hosts(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->injection.is_watched;
}

/* Whether hosts with a full queue generate nothing. */
static inline bool hd_has_bound(const struct hd_model *model)
{
	return (!HD_MACHINE_STATIC || HD_MACHINE_HOOKS) && model->injection.n_queued;
}

/* Whether the user wants to know when packets begin to leave their hosts. */
static inline bool hd_tells_entries(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->user.entered;
}

static inline bool hd_has_consumers(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->injection.consumers;
}

/* Whether matchings may have a limit of iterations, or begin with in-ports. */
static inline bool hd_may_have_iterations(void)
{
	return !HD_MACHINE_STATIC || HD_MACHINE_CIOQ;
}

/* Rounds of a matching; 0: until it is maximal. */
static inline unsigned hd_iterations(const struct hd_model *model)
{
	return hd_may_have_iterations() ? model->options.iterations : 0;
}

static inline bool hd_is_input_first(const struct hd_model *model)
{
	return hd_may_have_iterations() && model->options.allocator->input_first;
}

/* Ports */

/* Whether @port is a switch's; these come first. */
static inline bool hd_is_switch_port(const struct hd_model *model, uint32_t port)
{
	return port < model->network.first_host_port;
}

static inline bool hd_is_port(const struct hd_model *model, uint32_t port)
{
	return model->network.fabric_port[port] != HD_NONE;
}

/* Of a switch's port: its switch, its local number, the switch's first port. */
static inline uint32_t hd_switch_of(const struct hd_model *model, uint32_t port)
{
	return port >> model->network.port_bits;
}

static inline unsigned hd_local(const struct hd_model *model, uint32_t port)
{
	return port & model->network.local_mask;
}

static inline uint32_t hd_first_port(const struct hd_model *model, uint32_t at)
{
	return at << model->network.port_bits;
}

/* The one of @n, at most 256, whose turn it is after @i. */
static inline uint8_t hd_next_turn(unsigned i, unsigned n)
{
	return (uint8_t)(i + 1 == n ? 0 : i + 1);
}

static inline struct sender *hd_sender(const struct hd_model *model, uint32_t port)
{
	return (struct sender *)(model->layout.ports + port * hd_port_layout(model).words);
}

static inline struct receiver *hd_receiver(const struct hd_model *model, uint32_t port)
{
	return (struct receiver *)(model->layout.ports + port * hd_port_layout(model).words +
				   hd_port_layout(model).receiver_at);
}

/* [VL] packets that left by the sender lately. */
static inline struct lately *hd_lately(const struct hd_model *model, struct sender *sender)
{
	return (struct lately *)(sender->credits + hd_n_vls(model));
}

/* [VL] how many heads would leave by the sender; not where packets choose their paths. */
static inline uint16_t *hd_heads(const struct hd_model *model, struct sender *sender)
{
	return (uint16_t *)(sender->credits + 3 * (size_t)hd_n_vls(model));
}

/*
 * [in-VL * words] which in-ports have a head that wants the sender; not at switches where packets
 * choose their paths. At a host, which has no in-ports: a bit for each of its queues that is not
 * empty.
 */
static inline uint64_t *hd_requests(const struct hd_model *model, struct sender *sender)
{
	return (uint64_t *)sender + hd_port_layout(model).requests_at;
}

/* [in-VL * words] which out-ports the heads of the receiver want; not there, either. */
static inline uint64_t *hd_wants(const struct hd_model *model, struct receiver *receiver)
{
	return (uint64_t *)receiver + hd_port_layout(model).wants_at;
}

static inline struct stall *hd_stall_at(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return &model->counting.stalls[out * (size_t)(hd_n_vls(model) + 1) + vl];
}

static inline uint32_t unit_ticks(const struct hd_model *model, uint32_t port)
{
	return model->rates[hd_sender(model, port)->rate].unit_ticks;
}

/* Lanes and queues */

/* A lane in an event: its port and VL. */
static inline uint32_t lane_ref(uint32_t port, unsigned vl)
{
	return port << HD_VC_BITS | vl;
}

static inline uint32_t lane_port(uint32_t ref)
{
	return ref >> HD_VC_BITS;
}

static inline unsigned lane_vl(uint32_t ref)
{
	return ref & (HD_MAX_VCS - 1);
}

/* The queues of a host port, one per VL. */
static inline struct host_queue *hd_host_queues(const struct hd_model *model, uint32_t port)
{
	return model->injection.queues +
	       (port - model->network.first_host_port) * (size_t)hd_n_vls(model);
}

/* The packet at the head of @queue, which has one. */
static inline const struct packet *hd_head(const struct hd_model *model, const struct queue *queue)
{
	return &model->buffers.packets[queue->head];
}

/* Takes the packet at the head out of the queue, which has one. */
static inline uint32_t hd_model_pop(const struct hd_model *model, struct queue *queue)
{
	uint32_t index = queue->head;

	queue->head = model->buffers.packets[index].next;
	return index;
}

#endif
