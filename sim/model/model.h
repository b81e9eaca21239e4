/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The performance model: the switches of a fabric carry packets by its tables. Event-driven, packet
 * granularity, virtual cut-through, lossless: a packet leaves a buffer when the link is free and
 * the buffer at its other end has room for all of it (credits per VL), and its head may leave a
 * switch before its tail came in.
 *
 * A wait, here and in the model's files, is what a port counts as one: time in which a packet wants
 * to leave by the port and its link sends nothing. What has not left a host is queued there, and
 * what is in a deadlock is held up.
 *
 * Quantities are integers. Time is in ticks, sizes are in units (64 bytes in InfiniBand, whose
 * credits count such blocks; a flit or phit where a scenario's clock is cycles); the scenario says
 * what they are. The same inputs give the same results on every machine.
 */
#ifndef HD_MODEL_MODEL_H
#define HD_MODEL_MODEL_H

#include "sim/adaptive/vcs.h"
#include "vlarb/dtable.h"
#include "support/policy.h"
#include "tables/tables.h"
#include "topologies/link_class.h"
#include "topologies/topology.h"

struct hd_error;
struct hd_header;
struct hd_model;
struct hd_rings;
struct hd_routed;
struct hd_selection;
struct hd_model_options;
struct hd_params;

struct hd_link_options {
	uint32_t unit_ticks;  /* ticks that one unit takes on the link: 1 / bandwidth */
	uint64_t propagation; /* ticks from the start of sending to the arrival of the head */
	uint32_t buffer;      /* units per VL of the switch buffer that the link feeds */
	uint32_t port_buffer; /* units of that buffer for all VLs together, which each have an
			         equal part of, or share with damq; 0: `buffer` for each */
	uint32_t packet;      /* `port_buffer` is divided among the VLs that packets between hosts
			         are on, in whole packets of so many units; 0: among all VLs of
			         the tables, to the unit */
	uint32_t output;      /* units of the output buffer that feeds the link (cioq,
			         hierarchical: of all VLs) */
	unsigned vcs;         /* VCs of a port, with a buffer behind the link each; 0: as many as
			         VLs are used */
};

struct packet;

/* The head of in-port @in, of a switch, that wants an out-port. */
struct hd_contender {
	uint32_t in, out;
	const struct packet *packet;
};

/* Whether @a goes before @b, whose turn is earlier or the same. */
typedef bool (*hd_arbiter_before)(const struct hd_model *model, const struct hd_contender *a,
				  const struct hd_contender *b);

struct hd_scheduler;

/* Who of several in-ports goes first; equals go by turn. */
struct hd_arbiter {
	struct hd_policy policy;
	hd_arbiter_before before; /* NULL: all are equals */

	/* For the model's own files; NULL: nothing. @out takes what came in by @in. */
	int (*make)(struct hd_model *model); /* what it keeps: model->arbitration; HD_ENOMEM */
	void (*served)(struct hd_model *model, uint32_t out, uint32_t in);
	const struct hd_scheduler *scheduler; /* the scheduler of this arbiter, where none is
					         given; or NULL */
};

/* Which VL leaves a port next, of those that have a packet that could go. */
struct hd_scheduler {
	struct hd_policy policy;

	/*
	 * For the model's own files. NULL: the VL of the in-port whose turn it is. HD_EINVAL: options
	 * that it cannot have; HD_ENOMEM.
	 */
	int (*make)(struct hd_model *model, struct hd_error *err);
	void (*free)(struct hd_model *model);
	unsigned (*next)(const struct hd_model *model, uint32_t out,
			 unsigned vls); /* HD_VL_DROP: none */
	void (*sent)(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);
};

/* Queues of a switch's input buffers. */
struct hd_buffering {
	struct hd_policy policy;
	bool by_output;      /* one for each out-port; else one for all */
	bool by_destination; /* by_output, and one for each destination, with room of its own
				(voqnet.h) */
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
	 * For the model's own files: of the @n LIDs whose VLs are @vls, the offset to the base LID
	 * that the next packet of @host takes; @n: none yet. NULL: the base LID.
	 */
	unsigned (*choose)(const struct hd_model *model, uint32_t host, const uint8_t *vls,
			   unsigned n);

	/* All of these may be NULL. What it keeps is model->injection.choosing, by malloc(). */
	int (*make)(struct hd_model *model, struct hd_error *err); /* HD_EINVAL, HD_ENOMEM */
	/* Frees what that points to, after a make() that failed, too. */
	void (*free)(struct hd_model *model);
	/* @packet, to a host with several LIDs, has its LID. */
	void (*taken)(struct hd_model *model, const struct packet *packet);
	/* The same packet is delivered or dropped. */
	void (*ended)(struct hd_model *model, const struct packet *packet);
	/*
	 * What host port @port would send, or its credits, have changed. @sent: the packet that it
	 * begins to send now, or NULL.
	 */
	void (*changed)(struct hd_model *model, uint32_t port, const struct packet *sent);
	/* HD_EVENT_POLICY, which it has posted with @a and @b. */
	void (*event)(struct hd_model *model, uint32_t a, uint32_t b);
	bool asks_backlogs; /* how much is queued at the host, by VL */
	bool asks_credits;  /* when credits come, in changed() */
};

/* On which of @n VCs from @first on a packet leaves its host, where packets choose their ways. */
struct hd_host_vc {
	struct hd_policy policy;

	/* For the model's own files. */
	unsigned (*choose)(struct hd_model *model, const struct packet *packet, unsigned first,
			   unsigned n);
	bool asks_backlogs;
};

/*
 * A model of a switch. The input-queued one has no functions: it is compiled into the machine
 * (switch_iq.h). Another model has functions, which replace that code.
 */
struct hd_switch_model {
	struct hd_policy policy;

	/*
	 * What a switch of this kind has where a scenario does not say: bytes of a port's input and
	 * output buffers, of all VLs, and of an MPort's central buffer. 0: what the keys say.
	 */
	uint32_t input_bytes, output_bytes, central_bytes;
	bool shares;      /* the VLs of a port share its buffers (damq) ... */
	double damq_most; /* ... and of a buffer one has at most this share */

	/* For the model's own files. Where there is event(), all up to ahead() are there. */
	int (*check)(const struct hd_model_options *options, struct hd_error *err);
	/* model->own is what it keeps; HD_ENOMEM, HD_EINVAL */
	int (*make)(struct hd_model *model, struct hd_error *err);
	void (*free)(struct hd_model *model);

	/* @out is being made; returns the most units that a packet may have there. */
	uint32_t (*make_port)(struct hd_model *model, uint32_t out);
	/* Least ticks from when a head could leave in-port @in until it leaves by @out's link. */
	uint64_t (*crossing)(const struct hd_model *model, uint32_t in, uint32_t out);
	/*
	 * Where schedulers choose what goes onto the link: the VLs of which something waits there for
	 * that, whether it can go or not. NULL: they choose among the heads at in-ports.
	 */
	uint32_t (*waiting)(const struct hd_model *model, uint32_t out);
	/* The link of @out is idle again. */
	void (*sent)(struct hd_model *model, uint32_t out, uint32_t in_lane);
	/* HD_EVENT_OWN + @kind */
	void (*event)(struct hd_model *model, unsigned kind, uint32_t a, uint32_t b);
	/*
	 * Fetches what that, or sent() with @kind HD_EVENT_DONE, will touch: in several steps, from
	 * HD_AHEAD_FIRST on, each a few events nearer.
	 */
	void (*ahead)(const struct hd_model *model, unsigned kind, uint32_t a, uint32_t b,
		      unsigned step);

	/*
	 * Either the machine matches in-ports with out-ports, and these say what an out-port takes.
	 */

	/* Whether @out has room for a packet of @size, beside the credits that the packet needs. */
	bool (*has_room)(const struct hd_model *model, uint32_t out, uint32_t size);
	/* Packet @packet goes to @out; packets that are past the switch and will leave by it. */
	void (*take)(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane);
	bool (*is_crossing)(const struct hd_model *model, uint32_t out);

	/* Or the switch model does all of it itself, between in-ports and links. */

	/* Packet @packet, whose out-port is known, joins the queue of in-port @in. */
	void (*enqueue)(struct hd_model *model, uint32_t in, uint32_t packet);
	/* Switch @at was marked, or out-ports of it. */
	void (*arbitrate)(struct hd_model *model, uint32_t at);
	/*
	 * Deadlock (deadlock.h): a lane of the next switches that holds up the head of @lane, whose
	 * packets left none of the last interval; HD_NONE: the head goes on some time.
	 */
	uint32_t (*waits_for)(const struct hd_model *model, uint32_t lane, const uint8_t *dead);
	/* What is wrong with what it keeps of @port of a switch; NULL: nothing (verify.h). */
	const char *(*verify)(const struct hd_model *model, uint32_t port);
};

/* How packets are queued at a host until they may leave. */
struct hd_admittance {
	struct hd_policy policy;
	bool single; /* one queue for all VLs */

	/*
	 * VOQnet: a queue per destination, of any length, and an injection queue per VL of some
	 * packets. When an injection queue has room, the destination whose turn it is sends a
	 * packet there; only then is its LID chosen.
	 */
	bool by_destination;
};

/* One file each; the registries are in sim/policies/policies.c. */
extern const struct hd_registry hd_arbiters, hd_schedulers, hd_allocators, hd_bufferings,
	hd_host_policies, hd_host_vcs, hd_admittances, hd_switch_models;

extern const struct hd_arbiter hd_arbiter_age, hd_arbiter_lrs, hd_arbiter_oldest,
	hd_arbiter_round_robin, hd_arbiter_transit, hd_arbiter_vl;
extern const struct hd_scheduler hd_scheduler_dtable, hd_scheduler_rr, hd_scheduler_sbt,
	hd_scheduler_sbt_literal, hd_scheduler_vlarb;
extern const struct hd_allocator hd_allocator_input, hd_allocator_output;
extern const struct hd_buffering hd_buffering_fifo, hd_buffering_voq, hd_buffering_voqnet;
extern const struct hd_host_policy hd_host_agent, hd_host_first, hd_host_least_occupied,
	hd_host_outstanding, hd_host_random, hd_host_round_robin, hd_host_xmitwait;
extern const struct hd_admittance hd_admittance_destination, hd_admittance_fifo, hd_admittance_vl;
extern const struct hd_host_vc hd_host_vc_destination, hd_host_vc_jsq, hd_host_vc_random,
	hd_host_vc_tables;
extern const struct hd_switch_model hd_switch_cioq, hd_switch_hierarchical, hd_switch_iq;

/* Whether the data that later events touch is fetched ahead. Results are the same. */
enum hd_look_ahead {
	HD_LOOK_AHEAD_LARGE, /* where the model exceeds what a core's cache holds */
	HD_LOOK_AHEAD_ALWAYS,
	HD_LOOK_AHEAD_NEVER,
};

/*
 * The machine of a run: results are the same. Most runs use few of the options, and a machine that
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
	uint64_t crossbar_latency; /* cioq: ticks from there to the output buffer; hierarchical:
				      through each of its crossbars */
	unsigned speedup;     /* cioq: of the crossbar over the faster of two ports' links; 0: 1 */
	bool damq;            /* the VLs of a port share its buffer dynamically ... */
	double damq_reserved; /* ... but for this share (0 .. 1) of what each would have alone */
	uint32_t
		damq_least; /* ... and these units, unless that is more than each would have alone */
	double damq_most;   /* a VL has at most this share of the port's buffer; 0: 1 */
	uint32_t central;   /* hierarchical: units of the central buffer of an MPort */
	const struct hd_params *switch_params; /* options of the switch model; NULL: defaults */
	const struct hd_rings *bubble; /* rings with bubble flow control (topologies/rings.h); it
					  is not needed when the model is made; NULL: none */
	const struct hd_allocator *allocator; /* NULL: output first */
	const struct hd_buffering *buffering; /* NULL: FIFOs */
	unsigned iterations; /* of the matching of inputs and outputs; 0: until it is maximal */
	uint64_t cycle;      /* ticks from one matching to the next */
	const struct hd_arbiter *arbiter; /* NULL: round robin */
	bool transit; /* packets from switches go before packets from hosts, whatever the arbiter */
	const struct hd_scheduler *scheduler; /* NULL: the arbiter's, or round robin */
	struct hd_dtable_form dtable; /* of scheduler dtable; what is 0 is made to fit the shares */

	/*
	 * Of the SBT schedulers: packets of a round, [service class], or [VL] of tables without
	 * classes. n_weights 0: those that have the shares.
	 */
	uint32_t weights[HD_MAX_SLS];
	unsigned n_weights;
	/*
	 * Service classes (tables/classes.h). [tag] the class of messages with that tag, whose packets
	 * have the SL of that class for their way; it must outlive the model. NULL: the class of
	 * packets that have none. [class] units of its longest packets, for schedulers, which look at
	 * it when the model is made. NULL, or 0 for a class: as the tables say.
	 */
	const uint8_t *class_of_tag;
	const uint32_t *class_packets;
	const struct hd_admittance *admittance; /* NULL: a queue per VL */
	unsigned injection;      /* packets of an injection queue, with queues per destination */
	unsigned port_injection; /* the same of all of a host's, which have equal parts of it; 0:
				    `injection` for each */
	const struct hd_host_policy *host_policy; /* NULL: the base LID */
	struct {
		uint64_t interval;     /* xmitwait: ticks */
		unsigned counter_bits; /* xmitwait: 1 to 32; 0: 16 */
		unsigned unit_words;   /* xmitwait: words of a unit, whose times counters count */
		bool ties_first; /* leastoccupied: of equals the base LID, not the next in turn */
		uint64_t delay;  /* outstanding: ticks until a host knows that a packet was
				          taken in */
	} host;
	unsigned host_queue; /* packets that a host queues; it generates none while it has as many.
				0: any number */

	/*
	 * Replies that wait at a host; while there are as many it takes in no request, which waits
	 * in its buffer. Replies have VCs of their own then, of hosts' links too. 0: any number.
	 */
	unsigned host_replies;

	/*
	 * Switches whose packets choose their ways (sim/adaptive/routing.h), for the shape of
	 * these tables; it must outlive the model. NULL: packets go as the tables say.
	 */
	const struct hd_routed *routed;
	const struct hd_selection *selection; /* with it (sim/adaptive/selection.h); NULL: jsq */
	const struct hd_host_vc *host_vc;     /* with it; NULL: jsq */
	uint64_t seed;                        /* with it, of what switches draw */

	/*
	 * Tables and links may change while the model runs: hd_model_set_entry() and others. Not
	 * with `routed`. Links have as many VLs as their ports.
	 */
	bool live;

	/*
	 * What hosts take in, as a share of what their links can bring, 0 < share <= 1, 0 meaning
	 * 1; only the hosts in slow_hosts, all where there are none. What a host did not take in
	 * yet is in its buffer.
	 */
	double consumption;
	const struct hd_host_range *slow_hosts;
	size_t n_slow_hosts;
	enum hd_look_ahead look_ahead;
	enum hd_machine machine;
	bool count_waits; /* for `wait` of struct hd_model_counters */
	uint32_t gauge; /* units of a packet: gauges tell how full buffers are; 0: there are none */
	bool parts;     /* for hd_model_parts() */
	const uint8_t *port_class; /* [fabric ports] enum hd_port_class; NULL: no groups */
	/*
	 * [fabric ports] ticks that a unit takes on the link that leaves by it, where that is not
	 * as links of its class have it; 0: as they. Both ends of a link agree. NULL: all are as
	 * their classes. It is not needed when the model is made.
	 */
	const uint32_t *port_ticks;
};

/* What a host sends next. */
struct hd_message {
	uint64_t time; /* when it is generated; not before the one before */
	uint32_t from; /* the host: index in the model's hosts */
	uint32_t to;
	uint32_t size; /* units, at least 1 */
	uint32_t tag;  /* handed back with the packet, as is */
	uint64_t id;   /* the same; HD_REPLY_ID: a reply, which may have VCs of its own */
};

#define HD_REPLY_ID UINT64_MAX

/* Traffic, and who wants to know what became of it. All callbacks but next() may be NULL. */
struct hd_model_user {
	/*
	 * The next message of host @from; false: it sends nothing more. Times of a host do not
	 * fall.
	 */
	bool (*next)(void *context, uint32_t from, struct hd_message *message);

	/*
	 * A packet began to leave its host at @entered, and all of it is taken in now, after @hops
	 * links.
	 */
	void (*delivered)(void *context, uint64_t now, const struct hd_message *message,
			  uint64_t entered, unsigned hops);

	/* The packet's LFT entry is missing or its VL is 15. */
	void (*dropped)(void *context, uint64_t now, const struct hd_message *message);
	void *context;

	/* A hint: next() will be called for @from before long. May fetch the data for that. */
	void (*ahead)(void *context, uint32_t from);

	/* What next() gave is generated no more: its host's queue is full. */
	void (*refused)(void *context, uint64_t now, const struct hd_message *message);

	/*
	 * Whether what next() gave before hd_model_restart() is generated no more. NULL: it always
	 * is.
	 */
	bool (*stale)(void *context, const struct hd_message *message);

	/* The packet of @message begins to leave its host. */
	void (*entered)(void *context, uint64_t now, const struct hd_message *message);

	/* The time that hd_model_wake() was given for @host has come. */
	void (*woken)(void *context, uint64_t now, uint32_t host);
};

/* Where every packet is: generated = queued at hosts + under way + delivered + dropped. */
struct hd_model_census {
	uint64_t generated, queued, under_way, delivered, dropped;
	uint64_t packet_hops; /* links that packets crossed: starts of transmissions */
	/*
	 * Of packets to hosts with several LIDs, those at another offset to the base LID than the one
	 * that their host sent before; the first one is compared with the base LID.
	 */
	uint64_t lid_changes;
	uint64_t events;
};

/* A lane of a link, with the buffer behind it. */
struct hd_channel {
	uint32_t port; /* index in the fabric's ports: the out-port */
	uint8_t vl;
};

/* A step of a packet's way, and where the packet is then. */
enum hd_packet_step {
	HD_STEP_GENERATED, /* at its host, where it may be queued; its LID and lane are chosen,
			      unless hosts have queues per destination */
	HD_STEP_LEAVES,    /* begins to leave by an out-port: its host's, or a switch's */
	HD_STEP_ARRIVED,   /* its head is at an in-port, and the switch can send it on */
	HD_STEP_DELIVERED, /* taken in by its host */
	HD_STEP_DROPPED,   /* at a host before it leaves, or at an in-port */
	HD_STEPS,
};

/* What an observer sees of a packet. */
struct hd_packet_sight {
	uint64_t now;
	enum hd_packet_step step;
	uint32_t port; /* of the fabric */
	uint8_t vl;    /* of the buffer that the packet goes to, when it leaves; else of the
		          buffer that it is in */
	uint8_t sl;
	uint16_t dlid;
	uint8_t hops; /* links until now */
	uint32_t
		packet; /* a number that no other packet has meanwhile, from when it leaves its host */
	const struct hd_message *message;
};

/*
 * Somebody who looks at a run; members are NULL where nobody looks. An observer changes no result,
 * but may cost time.
 */
struct hd_model_observer {
	/*
	 * @units more, or less, in the buffer of @vl behind the link at out-port @port of the
	 * fabric.
	 */
	void (*buffer)(void *context, uint64_t now, uint32_t port, unsigned vl, int64_t units);
	/* The same of the output buffer before the link. */
	void (*output)(void *context, uint64_t now, uint32_t port, int64_t units);
	void (*packet)(void *context, const struct hd_packet_sight *sight);
	void *context;
	struct hd_model_observer *next; /* for the model's list */
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

/* What the packet that was delivered last carried, where packets choose their ways; else NULL. */
const struct hd_header *hd_model_delivered_header(const struct hd_model *model);

/* The fabric's port of a host. */
uint32_t hd_model_host_port(const struct hd_model *model, uint32_t host);

/* Before the first hd_model_run(). @observer must outlive @model. */
void hd_model_observe(struct hd_model *model, struct hd_model_observer *observer);

/*
 * Runs until @until. 0, or HD_EREFUSED when the fabric is deadlocked: packets hold one another up
 * in a circle, which hd_model_deadlock() tells,
 * and this call and every later one return it; HD_EINVAL: a packet exceeds a buffer; HD_ENOMEM.
 */
int hd_model_run(struct hd_model *model, uint64_t until, struct hd_error *err);

/*
 * Adds @message to what its host sends, generated at its time, or now when that is past; within
 * callbacks too. Those of one host and time are sent in the order in which they are given.
 */
void hd_model_inject(struct hd_model *model, const struct hd_message *message);

/* Has woken() called for @host at @time, or at once when that is past; within callbacks too. */
void hd_model_wake(struct hd_model *model, uint32_t host, uint64_t time);

/*
 * Asks the traffic of every host anew, as at the beginning; within callbacks too. What it gave
 * before is generated when its time comes, unless stale() says that it is not.
 */
void hd_model_restart(struct hd_model *model);

/*
 * With options.live, between runs: switch @at forwards packets to @lid, of a host, by port number
 * @out of its, HD_NO_PATH or another number that no port has: nowhere. Packets that wait for an
 * out-port already leave by it.
 */
void hd_model_set_entry(struct hd_model *model, uint32_t at, uint16_t lid, unsigned out);

/*
 * The same: packets from port @in of a switch that leave by port @out, both of the fabric, have
 * VLs by @row; @in is HD_NONE where @out is a host's. False: the row uses a VL that links do not
 * have; nothing has changed.
 */
bool hd_model_set_row(struct hd_model *model, uint32_t out, uint32_t in, uint64_t row);

/* The same: whether the link at port @port of the fabric is active; say it of both ends. */
void hd_model_set_link(struct hd_model *model, uint32_t port, bool is_active);

/*
 * With hd_host_agent: packets of @host take the LID at @offset to the base LID from now on, of
 * destinations that have one there; HD_NO_PREFERENCE, as at first: each in turn.
 */
void hd_model_prefer(struct hd_model *model, uint32_t host, unsigned offset);
#define HD_NO_PREFERENCE 0xFF

/* The same: VL arbitration of the tables is another one. HD_ENOMEM. */
int hd_model_renew_arbitration(struct hd_model *model, struct hd_error *err);

/* Asks the traffic of @host again, which gave nothing when it was asked last; not in callbacks. */
void hd_model_ask(struct hd_model *model, uint32_t host);

/* Where a packet was lost, in dropped(). */
struct hd_model_loss {
	enum hd_loss_kind {
		HD_LOSS_AT_HOST,   /* its own: there is no VL, or no path record */
		HD_LOSS_AT_SWITCH, /* its tables, or links that are not active, have no way on */
		HD_LOSS_ON_LINK,   /* that was active when it was told to leave there */
		HD_LOSS_IN_CIRCLE, /* it crossed so many links that it must have gone round */
	} kind;
	uint32_t port; /* of the fabric: by which it came there; not of AT_HOST */
	uint16_t lid;
	uint8_t vl; /* on which it came */
	uint32_t units;
};

struct hd_model_loss hd_model_last_loss(const struct hd_model *model);

/* Packets that came to a switch again, or crossed too many links; of these, those that were lost. */
struct hd_model_circling {
	uint64_t packets, lost;
};

struct hd_model_circling hd_model_circling(const struct hd_model *model);

struct hd_model_census hd_model_census(const struct hd_model *model);

/*
 * The cycle of a deadlock: the heads in the buffer of each channel need room in that of the next,
 * and those of the last in that of the first.
 */
const struct hd_channel *hd_model_deadlock(const struct hd_model *model, size_t *n);

/* Ticks that the link at out-port @port of the fabric sent on @vl since the model began. */
uint64_t hd_model_busy(const struct hd_model *model, uint32_t port, unsigned vl);

/* Ticks that a unit takes on the link at out-port @port of the fabric, which has one. */
uint32_t hd_model_unit_ticks(const struct hd_model *model, uint32_t port);

/*
 * A gauge of a buffer: ticks since it was started; the units of the packets in the buffer, times
 * ticks; ticks in which there was no room for a packet, and in which there was nothing; most units
 * at a time; and the buffer's room. A packet is in the buffer from when it begins to come until its
 * tail left: as credits tell, but for the time that they are under way. All 0 without gauges or
 * without such a buffer.
 */
struct hd_gauge {
	uint64_t ticks, area, full, empty;
	uint32_t most, capacity;
};

/*
 * Of the buffer of @vl behind the link at out-port @port; of the output buffer before the link
 * (cioq).
 */
struct hd_gauge hd_model_gauge(const struct hd_model *model, uint32_t port, unsigned vl);
struct hd_gauge hd_model_output_gauge(const struct hd_model *model, uint32_t port);

/* All gauges begin anew. */
void hd_model_restart_gauges(struct hd_model *model);

/*
 * The latencies of the packets that were delivered since this was started, ticks of all of them
 * together. Their sum is the packets' latencies'. All 0 unless the option asks for them.
 */
struct hd_model_parts {
	uint64_t packets;
	uint64_t minimal; /* what the tables' way takes without others; the quickest of those to a
			     destination's LIDs */
	int64_t detour;   /* what the way that the packet went takes more than that */

	/*
	 * [class of link] waiting in switches, output buffers included, that packets came to by such
	 * a link; of hosts' links: at the host too.
	 */
	uint64_t waits[HD_LINK_CLASSES];
	uint64_t taking; /* until the host took the tail in, where it is slower than its link */
};

struct hd_model_parts hd_model_parts(const struct hd_model *model);
void hd_model_restart_parts(struct hd_model *model);

/*
 * What left by an out-port since the model began, and how long packets that wanted to leave did
 * not.
 */
struct hd_model_counters {
	uint64_t packets, units; /* counted when packets begin to leave */

	/*
	 * Ticks in which a packet wanted to leave and the link sent nothing, for want of credits or
	 * of a turn (PortXmitWait). What is at the head of a queue wants to leave; with cioq, there
	 * are no waits past the crossbar. 0 unless count_waits is set.
	 */
	uint64_t wait;
};

/*
 * Of out-port @port of the fabric, a host's or a switch's: of packets that leave on @vl, and of
 * all, where a tick with waits of several VLs counts once. 0 where there is no link or no such VL.
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
