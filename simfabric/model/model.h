/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The performance model: the switches of a fabric carry packets by its tables. Event-driven, packet
 * granularity, virtual cut-through, lossless: a packet leaves a buffer when the link is free and
 * the buffer at its other end has room for all of it (credits per VL), and its head may leave a
 * switch before its tail came in.
 *
 * Quantities are integers. Time is in ticks, sizes are in units (64 bytes in InfiniBand, whose
 * credits count such blocks; a flit or phit where a scenario's clock is cycles); the scenario says
 * what they are. The same inputs give the same results on every machine.
 */
#ifndef HD_MODEL_MODEL_H
#define HD_MODEL_MODEL_H

#include "support/policy.h"
#include "tables/tables.h"
#include "topologies/topology.h"

struct hd_error;
struct hd_model;
struct hd_model_options;

enum hd_link_class {
	HD_LINK_TERMINAL, /* to and from end nodes */
	HD_LINK_LOCAL,    /* between switches; within a group where the shape has groups */
	HD_LINK_GLOBAL,   /* between groups */
	HD_LINK_CLASSES,
};

/* VCs of a port: as many VLs, and more where a switch chooses among them packet by packet. */
#define HD_VC_BITS 5
#define HD_MAX_VCS (1u << HD_VC_BITS)

struct hd_link_options {
	uint32_t unit_ticks;  /* ticks that one unit takes on the link: 1 / bandwidth */
	uint64_t propagation; /* ticks from the start of sending to the arrival of the head */
	uint32_t buffer;      /* units per VL of the switch buffer that the link feeds */
	uint32_t output;      /* units of the output buffer that feeds the link (cioq) */
	unsigned vcs;         /* with a buffer behind the link each; 0: as many as VLs are used */
};

struct packet;

/* The head of in-port @in, of a switch, that wants an out-port. */
struct hd_contender {
	uint32_t in;
	const struct packet *packet;
};

/* Whether @a goes before @b, whose turn is earlier or the same. */
typedef bool (*hd_arbiter_before)(const struct hd_model *model, const struct hd_contender *a,
				  const struct hd_contender *b);

struct hd_scheduler;

/* Who of several in-ports goes first; equals go by turn. */
struct hd_arbiter {
	struct hd_policy policy;
	hd_arbiter_before before;             /* NULL: all are equals */
	const struct hd_scheduler *scheduler; /* that comes with it unless one is given; or NULL */
};

/* Which VL leaves a port next, of those that have something that could go. */
struct hd_scheduler {
	struct hd_policy policy;

	/* For the model's own files. NULL: the VL of the in-port whose turn it is. */
	int (*make)(struct hd_model *model); /* HD_ENOMEM */
	void (*free)(struct hd_model *model);
	unsigned (*next)(const struct hd_model *model, uint32_t out,
			 unsigned vls); /* HD_VL_DROP: none */
	void (*sent)(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);
};

/* How in-ports and out-ports of a switch are matched. */
struct hd_allocator {
	struct hd_policy policy;
	bool input_first;
};

/* Which of a destination's LIDs (LMC) a host sends to. */
struct hd_host_policy {
	struct hd_policy policy;

	/*
	 * For the model's own files: of the @n LIDs whose VLs are @vls, the offset to the base LID that
	 * the next packet of @host takes; @n: it has to wait. NULL: the base LID.
	 */
	unsigned (*choose)(const struct hd_model *model, uint32_t host, const uint8_t *vls,
			   unsigned n);
	bool asks_backlogs; /* how much waits at the host, by VL */
};

/*
 * A model of a switch. The input-queued one has no functions: its ways are compiled into the machine
 * (switch_iq.h), and others change them where they have a function.
 */
struct hd_switch_model {
	struct hd_policy policy;

	/* For the model's own files; all are there where take() is. */
	int (*check)(const struct hd_model_options *options, struct hd_error *err);
	int (*make)(struct hd_model *model); /* what it keeps: model->own; HD_ENOMEM */
	void (*free)(struct hd_model *model);

	/* Of an out-port that is being made: units that a packet may have there at most. */
	uint32_t (*make_port)(struct hd_model *model, uint32_t out);
	/* Whether @out has room for a packet of @size beside the credits that it needs. */
	bool (*has_room)(const struct hd_model *model, uint32_t out, uint32_t size);
	/* Packet @packet goes to @out; packets that are past the switch and will leave by it. */
	void (*take)(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane);
	bool (*is_crossing)(const struct hd_model *model, uint32_t out);
	/* The link of @out is idle again. */
	void (*sent)(struct hd_model *model, uint32_t out, uint32_t in_lane);
	/* HD_EVENT_OWN + @kind */
	void (*event)(struct hd_model *model, unsigned kind, uint32_t a, uint32_t b);
};

/* What waits at a host before it may leave. */
struct hd_admittance {
	struct hd_policy policy;
	bool single; /* one queue for all VLs */

	/*
	 * VOQnet: a queue per destination, of any length, and an injection queue per VL of some
	 * packets. When there is room in one, the destination whose turn it is sends a packet there;
	 * only then is its LID chosen.
	 */
	bool by_destination;
};

/* One file each; the registries are in registry.c. */
extern const struct hd_registry hd_arbiters, hd_schedulers, hd_allocators, hd_host_policies,
	hd_admittances, hd_switch_models;

extern const struct hd_arbiter hd_arbiter_age, hd_arbiter_oldest, hd_arbiter_round_robin,
	hd_arbiter_transit, hd_arbiter_vl;
extern const struct hd_scheduler hd_scheduler_rr, hd_scheduler_vlarb;
extern const struct hd_allocator hd_allocator_input, hd_allocator_output;
extern const struct hd_host_policy hd_host_first, hd_host_least_occupied, hd_host_round_robin;
extern const struct hd_admittance hd_admittance_destination, hd_admittance_fifo, hd_admittance_vl;
extern const struct hd_switch_model hd_switch_cioq, hd_switch_iq;

/* Whether what events behind the next ones touch is fetched ahead. Results are the same. */
enum hd_look_ahead {
	HD_LOOK_AHEAD_LARGE, /* where the model exceeds what a core's cache holds */
	HD_LOOK_AHEAD_ALWAYS,
	HD_LOOK_AHEAD_NEVER,
};

/*
 * The machine that a run takes: results are the same. Most runs have few of the options, and one that
 * is compiled without the others is faster (machine.inc).
 */
enum hd_machine {
	HD_MACHINE_FASTEST,
	HD_MACHINE_GENERAL,
};

/* Hosts @first to @last, both included. */
struct hd_host_range {
	uint32_t first, last;
};

struct hd_model_options {
	struct hd_link_options links[HD_LINK_CLASSES];
	const struct hd_switch_model *model; /* NULL: iq */
	uint64_t latency; /* ticks from a head's arrival at a switch until it is arbitrated */
	uint64_t crossbar_latency; /* cioq: ticks from there to the output buffer */
	unsigned speedup;     /* cioq: of the crossbar over the faster of two ports' links; 0: 1 */
	bool damq;            /* the VLs of a port share its buffer dynamically ... */
	double damq_reserved; /* ... but for this share (0 .. 1) of what each would have alone */
	const struct hd_allocator *allocator; /* NULL: output first */
	bool voq;                             /* switch buffers have a queue per output */
	unsigned iterations; /* of the matching of inputs and outputs; 0: until it is maximal */
	uint64_t cycle;      /* ticks from one matching to the next */
	const struct hd_arbiter *arbiter;       /* NULL: round robin */
	const struct hd_scheduler *scheduler;   /* NULL: the arbiter's, or round robin */
	const struct hd_admittance *admittance; /* NULL: a queue per VL */
	unsigned injection; /* packets of an injection queue, with queues per destination */
	const struct hd_host_policy *host_policy; /* NULL: the base LID */

	/*
	 * What hosts take in of what their links bring, 0 < share <= 1, 0 being 1; of those in
	 * slow_hosts, of all where there are none. What a host did not take in yet is in its buffer.
	 */
	double consumption;
	const struct hd_host_range *slow_hosts;
	size_t n_slow_hosts;
	enum hd_look_ahead look_ahead;
	enum hd_machine machine;
	bool count_waits; /* for `wait` of struct hd_model_counters */
	uint32_t gauge; /* units of a packet: gauges tell how full buffers are; 0: there are none */
	const uint8_t *port_class; /* [fabric ports] enum hd_port_class; NULL: no groups */
};

/* What a host sends next. */
struct hd_message {
	uint64_t time; /* when it is generated; not before the one before */
	uint32_t from; /* the host: index in the model's hosts */
	uint32_t to;
	uint32_t size; /* units, at least 1 */
	uint32_t tag;  /* handed back with the packet, as is: */
	uint64_t id;
};

/* Traffic, and who wants to know what became of it. Callbacks may be NULL but for next. */
struct hd_model_user {
	/* The next message of host @from; false: it sends nothing more. Times of a host do not fall. */
	bool (*next)(void *context, uint32_t from, struct hd_message *message);

	/* A packet began to leave its host at @entered, and all of it is taken in now, after @hops links. */
	void (*delivered)(void *context, uint64_t now, const struct hd_message *message,
			  uint64_t entered, unsigned hops);

	/* Its LFT entry is missing or its VL is 15. */
	void (*dropped)(void *context, uint64_t now, const struct hd_message *message);
	void *context;

	/* A hint: next() will be called for @from before long. May fetch what that needs. */
	void (*ahead)(void *context, uint32_t from);
};

/* Where every packet is: generated = waiting + under way + delivered + dropped. */
struct hd_model_census {
	uint64_t generated, waiting, under_way, delivered, dropped;
	uint64_t packet_hops; /* links that packets crossed: starts of transmissions */
	uint64_t events;
};

/* One channel of a cyclic wait: the packets at its head wait for the next one's buffer. */
struct hd_wait {
	uint32_t port; /* index in the fabric's ports: out-port of the channel */
	uint8_t vl;
};

/* A step of a packet's way, and where it is then. */
enum hd_packet_step {
	HD_STEP_GENERATED, /* at its host, where it may wait; its LID and lane are chosen, but where
			      hosts have queues per destination */
	HD_STEP_LEAVES,    /* begins to leave by an out-port: its host's, or a switch's */
	HD_STEP_ARRIVED,   /* its head is where the switch can send it on: an in-port */
	HD_STEP_DELIVERED, /* taken in by its host */
	HD_STEP_DROPPED,   /* at a host before it leaves, or at an in-port */
	HD_STEPS,
};

/* What an observer sees of it. */
struct hd_packet_sight {
	uint64_t now;
	enum hd_packet_step step;
	uint32_t port; /* of the fabric */
	uint8_t vl;    /* of the buffer that it goes to, when it leaves; else of where it is */
	uint8_t sl;
	uint16_t dlid;
	uint8_t hops; /* links until now */
	const struct hd_message *message;
};

/*
 * Somebody who looks at a run; members are NULL where nobody looks. An observer changes no result, but
 * may cost time.
 */
struct hd_model_observer {
	/* @units more, or less, in the buffer of @vl behind the link at out-port @port of the fabric. */
	void (*buffer)(void *context, uint64_t now, uint32_t port, unsigned vl, int64_t units);
	/* The same of the output buffer before it. */
	void (*output)(void *context, uint64_t now, uint32_t port, int64_t units);
	void (*packet)(void *context, const struct hd_packet_sight *sight);
	void *context;
	struct hd_model_observer *next; /* the model's */
};

/*
 * @tables and @user's context must outlive it. The hosts are the fabric's linked adapter ports, in
 * the order of their index. HD_EINVAL: an option out of range, a buffer of less than a packet is
 * found when one is sent; HD_ENOMEM.
 */
int hd_model_new(const struct hd_tables *tables, const struct hd_model_options *options,
		 const struct hd_model_user *user, struct hd_model **model, struct hd_error *err);
void hd_model_free(struct hd_model *model);

uint32_t hd_model_hosts(const struct hd_model *model);

/* The fabric's port of a host. */
uint32_t hd_model_host_port(const struct hd_model *model, uint32_t host);

/* Before the first hd_model_run(). @observer must outlive @model. */
void hd_model_observe(struct hd_model *model, struct hd_model_observer *observer);

/*
 * Runs until @until. 0, or HD_EREFUSED when the fabric is deadlocked: packets wait for one another
 * in a circle, hd_model_deadlock() says which, and this and every later call say so; HD_EINVAL: a
 * packet exceeds a buffer; HD_ENOMEM.
 */
int hd_model_run(struct hd_model *model, uint64_t until, struct hd_error *err);

/*
 * Adds @message to what its host sends, generated at its time, or now when that is past; within
 * callbacks too. Those of one host and time are sent in the order in which they are given.
 */
void hd_model_inject(struct hd_model *model, const struct hd_message *message);

struct hd_model_census hd_model_census(const struct hd_model *model);

/* The cycle of a deadlock, each channel waiting for the next and the last for the first. */
const struct hd_wait *hd_model_deadlock(const struct hd_model *model, size_t *n);

/* Ticks that the link at out-port @port of the fabric sent on @vl since the model began. */
uint64_t hd_model_busy(const struct hd_model *model, uint32_t port, unsigned vl);

/*
 * A gauge of a buffer: since it was started, how long; the units that its packets had in it, times
 * ticks; for how long it had no room for a packet, and for how long nothing was in it; most units at a
 * time; and its room. A packet is in it from when it begins to come until its tail left: what
 * credits say but for the time that they are under way. All 0 without gauges or without such a buffer.
 */
struct hd_gauge {
	uint64_t ticks, area, full, empty;
	uint32_t most, capacity;
};

/* Of the buffer of @vl behind the link at out-port @port; of the output buffer before it (cioq). */
struct hd_gauge hd_model_gauge(const struct hd_model *model, uint32_t port, unsigned vl);
struct hd_gauge hd_model_output_gauge(const struct hd_model *model, uint32_t port);

/* All begin anew. */
void hd_model_restart_gauges(struct hd_model *model);
/* What left by an out-port since the model began, and how long it did not: as a port counts. */
struct hd_model_counters {
	uint64_t packets, units; /* counted when they begin to leave */

	/*
	 * Ticks in which a packet wanted to leave and the link sent nothing, for want of credits or
	 * of a turn (PortXmitWait). What is at the head of a queue wants to leave; with cioq, what
	 * is past the crossbar does not wait. 0 unless count_waits is set.
	 */
	uint64_t wait;
};

/*
 * Of out-port @port of the fabric, a host's or a switch's: of packets that leave by it on @vl, and of
 * all, where a tick in which several VLs wait counts once. 0 where there is no link or no such VL.
 */
struct hd_model_counters hd_model_counters(const struct hd_model *model, uint32_t port,
					   unsigned vl);
struct hd_model_counters hd_model_port_counters(const struct hd_model *model, uint32_t port);

/* Bytes that the model takes for one packet, and for each linked port, queues included. */
struct hd_model_memory {
	size_t packet, port;
};

struct hd_model_memory hd_model_memory(const struct hd_model *model);

#endif
