/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the performance model holds while it runs. Only linked ports take part, and they are numbered
 * anew: a switch's ports are switch << port_bits and after it, so that a port tells its switch and its
 * place there, its local number, without a look at memory; behind them are the hosts' ports. A lane
 * is a VL of a port, index port * n_vls + VL: for what goes out, the credits for the buffer at the
 * other end; for what comes in, that buffer.
 *
 * On large fabrics what a run costs is cache lines. Of a port, what leaves by it touches its sender,
 * what comes in its receiver, a line each where VLs are few; what both need of the switch is in a
 * line of its own (crossbar.h), all of which stay in a core's cache.
 */
#ifndef HD_MODEL_STATE_H
#define HD_MODEL_STATE_H

#include <stdbool.h>

#include "simfabric/model/backlog.h"
#include "simfabric/model/events.h"
#include "simfabric/model/forwarding.h"
#include "simfabric/model/model.h"
#include "support/error.h"

#define HD_OWN_EVENTS 4

enum hd_model_event {
	HD_EVENT_ARRIVE,  /* a: port, b: packet; its head may leave the switch from now on */
	HD_EVENT_ENQUEUE, /* a: port, b: packet; the same of one that goes on faster than it came */
	HD_EVENT_DONE,    /* a: out-port, b: reference of the in-lane; HD_NONE at a host and
			     where the packet left its in-lane before */
	HD_EVENT_CREDIT,  /* a: reference of the out-lane, b: units */
	HD_EVENT_DELIVER, /* a: port, b: packet; its tail is at the host */
	HD_EVENT_CONSUMED, /* a: port, b: packet; its tail is taken in by the host */
	HD_EVENT_GENERATE, /* a: host, b: packet; the traffic's next message */
	HD_EVENT_INJECT,   /* b: packet; a message of hd_model_inject() */
	HD_EVENT_RETRY,    /* a: switch whose matching left pairs over */
	HD_EVENT_READ,     /* a: in-port; it sent a packet at its rate, to a slower link */
	HD_EVENT_OWN,      /* this one and those behind it are the switch model's own */
	HD_EVENTS = HD_EVENT_OWN + HD_OWN_EVENTS,
};

/* A cache line. */
struct packet {
	struct hd_message message;
	uint64_t entered; /* began to leave its host */
	uint64_t arrived; /* could leave this switch */
	uint32_t next;    /* in the queue */
	uint32_t out;     /* port to leave by; HD_NONE: not looked up yet */
	uint16_t dlid;
	uint8_t sl;
	uint8_t vl;     /* of the buffer that it is in, or on its way to */
	uint8_t out_vl; /* of the next one */
	uint8_t hops;
} __attribute__((aligned(64)));

/* Packets in order. */
struct queue {
	uint32_t head; /* HD_NONE: empty */
	uint32_t tail;
};

/* Of a host: the first packet alone is in the queue, which has no tail. */
struct host_queue {
	struct queue queue;
	uint32_t size;  /* of the head */
	uint8_t out_vl; /* of the head */
	struct hd_backlog behind;
};

/* What left by an out-port on a VL; and what left since that was last added up, in fewer bits. */
struct sent {
	uint64_t packets, units;
};

struct lately {
	uint32_t packets, units;
};

/* Of a port: for what leaves by it. */
struct sender {
	uint32_t peer;    /* the port at the other end */
	uint32_t sending; /* units of the packet on its link; 0: idle. Of a switch, where needed */
	uint32_t stalled; /* bit n while VL n's stall is counted; see hd_model_stall() */
	uint8_t turn;     /* round robin: the local in-port where the search begins */
	uint8_t vl_turn;
	uint8_t link_class;  /* enum hd_link_class */
	uint8_t arrive_line; /* delay lines of what goes out here */
	uint8_t alert;       /* not 0: it is looked at again when credits come; HD_TRIED, ... */
	bool to_host;        /* its link leads to one */
	bool is_dirty;       /* of a host: among those to be looked at */

	/*
	 * [VL] units that the buffer at the other end is known to have room for - with DAMQ, of the
	 * reserved ones. Behind them hd_lately(), hd_heads(), hd_requests().
	 */
	uint32_t credits[];
};

/* A credit on its way, or of a packet that is leaving: it is there at `due`. */
struct due_credit {
	uint64_t due;
	uint32_t units; /* 0: none */
	uint32_t vl;
};

/* Of a port: for what comes in. */
struct receiver {
	struct due_credit on_way[2]; /* in order; see hd_model_return_credit() */
	uint32_t peer;
	uint8_t accept;      /* the local out-port that it would accept first */
	uint8_t propose;     /* input first: the VL whose head it would propose */
	uint8_t credit_line; /* delay line of credits that go back */
	bool is_watched;     /* the sender at the other end waits for credits */

	/* [VL] units whose credits are there, but the sender did not look yet. Behind: hd_wants(). */
	uint32_t returned[];
};

/* What wanted to leave by an out-lane, or a port, and could not. */
struct stall {
	uint64_t ticks;
	uint64_t since; /* the stall that is under way began */
};

/* A host: where and how it sends. */
struct host {
	hd_sl2vl_row row;        /* of its port: VL by SL */
	const uint8_t *path_sls; /* [LID] */
	uint32_t port;
	uint8_t turn; /* round robin among a destination's LIDs */
};

/* Where it is sent to. */
struct destination {
	uint16_t lid;
	uint8_t lmc;
};

#define SIZES 4 /* packet sizes whose lines a link class remembers */

struct sized_line {
	uint32_t size;
	unsigned line;
	uint64_t ticks;
};

/* Which switches and hosts there are, and how they forward. */
struct network {
	const struct hd_fabric *fabric;
	const struct hd_tables *tables;
	struct hd_forwarding forwarding;
	unsigned port_bits; /* of a switch's port: the local number, and a mask of them */
	uint32_t local_mask;
	uint32_t most_locals; /* of a switch */
	uint32_t n_switches;
	uint32_t first_host_port; /* the switches' are before it */
	uint32_t n_ports;         /* with those that are no ports, as their switch has fewer */
	uint8_t *n_locals;        /* [switch] linked ports */
	uint32_t *fabric_port;    /* [port] HD_NONE: it is none */
	uint32_t *port_of;        /* [fabric ports], HD_NONE where no link is */
};

/* Where the parts of ports and crossbars are: their sizes depend on VLs and words. */
struct layout {
	uint64_t *ports;    /* [port * port_words], see hd_sender() */
	size_t port_words;  /* 64-bit words of one, whole cache lines */
	size_t requests_at; /* where hd_requests() begins in it, the receiver, hd_wants() in that */
	size_t receiver_at;
	size_t wants_at;
	uint64_t *crossbars; /* [switch * crossbar_words], see crossbar.h */
	size_t crossbar_words;
};

/* Packets, and the queues that they wait in at switches. */
struct buffers {
	struct packet *packets;
	uint32_t n_packets, size_packets;
	uint32_t free_packet; /* list by next */
	struct queue *queues; /* see hd_queues_to() */
	size_t n_queues;
	uint32_t smallest;       /* units of a buffer, of all in use */
	uint32_t largest_packet; /* units, that was generated until now */
	uint32_t too_large;      /* size of a packet that exceeds a buffer; 0: none */
};

/* DAMQ: the VLs of a port share its buffer. */
struct sharing {
	uint32_t *left;     /* [port] units left of what the VLs share; NULL: they share nothing */
	uint32_t *occupied; /* [out-lane] units in use */
	uint32_t reserved[HD_LINK_CLASSES]; /* units of each VL's own */
};

/* How hosts send, and take in. */
struct injection {
	uint32_t n_hosts;
	struct host *hosts;               /* [host] */
	struct destination *destinations; /* [host] */
	struct host_queue *queues;        /* [host port * n_vls + VL], see hd_host_queues() */
	struct hd_backlog_pool backlogs;
	struct hd_admittances *admittances; /* admittance.c; NULL: no queues per destination */
	uint32_t *backlog_units;            /* [out-lane] that wait at hosts; NULL: nobody asks */
	struct consumer *consumers; /* [host port] consumption.c; NULL: as fast as their links */
};

/* What ports count. */
struct counting {
	struct sent *sent;    /* [out-lane] but for what hd_lately() has */
	struct stall *stalls; /* [port * (n_vls + 1)]: VLs, then the port; NULL: not counted */
};

/* deadlock.c */
struct deadlock {
	uint64_t patience, interval, last_check;
	uint32_t *heads; /* [in-lane] what the queues' heads were at the last check, hashed */
	struct hd_wait *cycle;
	size_t n_cycle;
	struct hd_error told; /* what hd_model_run() said last; no code: nothing */
};

/* Delay lines that packets of a few sizes take; see wire.h. */
struct sized_lines {
	struct sized_line of[HD_EVENTS][HD_LINK_CLASSES][SIZES];
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
	unsigned words;                      /* of a mask of a switch's ports */
	bool has_rates;                      /* links of several */
	bool eager_credits;                  /* every credit is an event */
	bool early_credits;                  /* noted when the packet begins to leave */
	void *scheduling;                    /* what the scheduler keeps; NULL: nothing */
	struct hd_model_observer *observers; /* NULL: none */
	struct hd_gauges *gauges;            /* gauges.c; NULL: not asked for */
	void *own;                           /* what the switch model keeps; NULL: nothing */
	struct note *notes;                  /* look_ahead.c; NULL: all is at hand */

	/* what is looked at when a tick's events are through */
	uint32_t *dirty; /* switches, and ports of hosts */
	uint32_t n_dirty;
	unsigned retry_line;
	uint64_t pause; /* the time from which on hd_model_run() looks at more than events */
	bool started;
	int (*run)(struct hd_model *model, uint64_t until, struct hd_error *err); /* machine.h */
};

/*
 * What a run has, as the parts ask for it. The machine (machine.inc) is compiled several times: for
 * every run, and for runs of which more is known at compile time.
 *
 *	HD_MACHINE_WORDS   words of a mask of a switch's ports; 0: as the model says
 *	HD_MACHINE_STATIC  1: none of what the functions below ask for is there
 */
#ifndef HD_MACHINE_WORDS
#define HD_MACHINE_WORDS 0
#endif
#ifndef HD_MACHINE_STATIC
#define HD_MACHINE_STATIC 0
#endif

static inline size_t hd_words(const struct hd_model *model)
{
	return HD_MACHINE_WORDS ? HD_MACHINE_WORDS : model->words;
}

/* The VLs of a port share its buffer. */
static inline bool hd_has_sharing(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->sharing.left;
}

/* How long ports stall is counted. */
static inline bool hd_counts_stalls(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->counting.stalls;
}

/* The scheduler of VLs; NULL: VLs by turn. */
static inline const struct hd_scheduler *hd_scheduler(const struct hd_model *model)
{
	return HD_MACHINE_STATIC || !model->options.scheduler->next ? NULL
								    : model->options.scheduler;
}

/* The arbiter of in-ports; NULL: they go by turn. */
static inline hd_arbiter_before hd_arbiter(const struct hd_model *model)
{
	return HD_MACHINE_STATIC ? NULL : model->options.arbiter->before;
}

/* The switch model's functions; NULL: the input-queued switch, whose are in switch_iq.h. */
static inline const struct hd_switch_model *hd_switch_hooks(const struct hd_model *model)
{
	return HD_MACHINE_STATIC || !model->options.model->take ? NULL : model->options.model;
}

/* Links of several rates. */
static inline bool hd_has_rates(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->has_rates;
}

static inline bool hd_has_early_credits(const struct hd_model *model)
{
	return HD_MACHINE_STATIC || model->early_credits;
}

static inline bool hd_has_admittances(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->injection.admittances;
}

/* Somebody asks for the backlogs of hosts. */
static inline bool hd_counts_backlogs(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->injection.backlog_units;
}

static inline bool hd_has_consumers(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->injection.consumers;
}

/* Rounds of a matching; 0: until it is maximal. */
static inline unsigned hd_iterations(const struct hd_model *model)
{
	return HD_MACHINE_STATIC ? 0 : model->options.iterations;
}

static inline bool hd_is_input_first(const struct hd_model *model)
{
	return !HD_MACHINE_STATIC && model->options.allocator->input_first;
}

/* Ports */

/* Switches come first. */
static inline bool hd_is_switch_port(const struct hd_model *model, uint32_t port)
{
	return port < model->network.first_host_port;
}

static inline bool hd_is_port(const struct hd_model *model, uint32_t port)
{
	return model->network.fabric_port[port] != HD_NONE;
}

/* Of a switch's port: the switch, its place there, the switch's first. */
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

static inline struct sender *hd_sender(const struct hd_model *model, uint32_t port)
{
	return (struct sender *)(model->layout.ports + port * model->layout.port_words);
}

static inline struct receiver *hd_receiver(const struct hd_model *model, uint32_t port)
{
	return (struct receiver *)(model->layout.ports + port * model->layout.port_words +
				   model->layout.receiver_at);
}

/* Of the sender, [VL]: what left lately. */
static inline struct lately *hd_lately(const struct hd_model *model, struct sender *sender)
{
	return (struct lately *)(sender->credits + model->n_vls);
}

/* [VL] how many heads would leave by it. */
static inline uint16_t *hd_heads(const struct hd_model *model, struct sender *sender)
{
	return (uint16_t *)(sender->credits + 3 * (size_t)model->n_vls);
}

/*
 * [in-VL * words] which in-ports have a head that wants the sender. At a host, whose ports are
 * no such thing: which of its queues have something, a bit each.
 */
static inline uint64_t *hd_requests(const struct hd_model *model, struct sender *sender)
{
	return (uint64_t *)sender + model->layout.requests_at;
}

/* [in-VL * words] which out-ports the heads of the receiver want. */
static inline uint64_t *hd_wants(const struct hd_model *model, struct receiver *receiver)
{
	return (uint64_t *)receiver + model->layout.wants_at;
}

static inline struct stall *hd_stall_at(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return &model->counting.stalls[out * (size_t)(model->n_vls + 1) + vl];
}

static inline uint32_t unit_ticks(const struct hd_model *model, uint32_t port)
{
	return model->options.links[hd_sender(model, port)->link_class].unit_ticks;
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

/* Of a host port: its queues, one per VL. */
static inline struct host_queue *hd_host_queues(const struct hd_model *model, uint32_t port)
{
	return model->injection.queues +
	       (port - model->network.first_host_port) * (size_t)model->n_vls;
}

/* The packet at the head of @queue, which has one. */
static inline const struct packet *hd_head(const struct hd_model *model, const struct queue *queue)
{
	return &model->buffers.packets[queue->head];
}

/* That one, taken out of it. */
static inline uint32_t hd_model_pop(const struct hd_model *model, struct queue *queue)
{
	uint32_t index = queue->head;

	queue->head = model->buffers.packets[index].next;
	return index;
}

#endif
