/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The performance model: the switches of a fabric carry packets by its tables. Event-driven, packet
 * granularity, virtual cut-through, lossless: a packet leaves a buffer when the link is free and
 * the buffer at its other end has room for all of it (credits per VL), and its head may leave a
 * switch before its tail came in.
 *
 * In the model's files, a "wait" is what a port counts: time in which a packet wants to leave by
 * the port and its link sends nothing. A packet that has not left its host is "queued"; a packet in
 * a deadlock is "held up".
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
struct hd_message;
struct hd_model;
struct hd_ranks;
struct hd_rings;
struct hd_routed;
struct hd_selection;
struct hd_model_options;
struct hd_params;

struct hd_link_options {
	uint32_t unit_ticks;  /* ticks that one unit takes on the link: 1 / bandwidth */
	uint64_t propagation; /* ticks from the start of sending to the arrival of the head */
	uint32_t buffer;      /* units per VL of the switch buffer that the link feeds */
	uint32_t port_buffer; /* units of that buffer for all VLs together: each has an equal part,
				 or, with damq, they share it; 0: `buffer` for each */
	uint32_t packet;      /* units of a packet: `port_buffer` is divided in whole packets among
				 the VLs of packets between hosts; 0: in units among all VLs of the
				 tables */
	uint32_t output;      /* units of the output buffer that feeds the link (cioq,
			         hierarchical: of all VLs; cioq_vl: of each VL) */
	unsigned vcs;         /* VCs of a port, each with a buffer at the other end of the link; 0:
				 as many as VLs in use */
};

struct packet;

/* The head of in-port `in` of a switch, which wants an out-port. */
struct hd_contender {
	uint32_t in, out;
	const struct packet *packet;
};

/* Whether @a goes before @b, which is first or equal in turn. */
typedef bool (*hd_arbiter_before)(const struct hd_model *model, const struct hd_contender *a,
				  const struct hd_contender *b);

struct hd_scheduler;

/* Which of several in-ports goes first; equals go round robin. */
struct hd_arbiter {
	struct hd_policy policy;
	hd_arbiter_before before; /* NULL: all are equals */

	/*
	 * For the model's own files; NULL: nothing to do. served(): @out takes a packet that came
	 * in by @in.
	 */
	int (*make)(struct hd_model *model); /* its data: model->arbitration; HD_ENOMEM */
	void (*served)(struct hd_model *model, uint32_t out, uint32_t in);
	const struct hd_scheduler *scheduler; /* the default scheduler with this arbiter; or NULL */
};

/* Which VL sends next at a port, of those with a packet that could go. */
struct hd_scheduler {
	struct hd_policy policy;

	/*
	 * For the model's own files. NULL: the VL of the in-port that is next in turn. HD_EINVAL:
	 * options that do not go with it; HD_ENOMEM.
	 */
	int (*make)(struct hd_model *model, struct hd_error *err);
	void (*free)(struct hd_model *model);
	/*
	 * Which of @vls, HD_VL_DROP: none. @turn is the VL that comes first where they take turns:
	 * whoever asks moves that on when a packet goes.
	 */
	unsigned (*next)(const struct hd_model *model, uint32_t out, unsigned vls, unsigned turn);
	void (*sent)(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);
};

/* Queues of a switch's input buffers. */
struct hd_buffering {
	struct hd_policy policy;
	bool by_output;      /* a queue for each out-port; else one for all */
	bool by_destination; /* with by_output: also a queue for each destination, with room of its
				own (voqnet.h) */
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
	 * For the model's own files: the LMC offset for the next packet of a host, which is one of
	 * @message, of @n LIDs whose VLs are @vls; @n: none yet. NULL: the base LID.
	 */
	unsigned (*choose)(const struct hd_model *model, const struct hd_message *message,
			   const uint8_t *vls, unsigned n);

	/* All of these may be NULL. Its data is model->injection.choosing, from malloc(). */
	int (*make)(struct hd_model *model, struct hd_error *err); /* HD_EINVAL, HD_ENOMEM */
	/* Frees what that points to, also after an error of make(). */
	void (*free)(struct hd_model *model);
	/* @packet, to a host with several LIDs, has its LID. */
	void (*taken)(struct hd_model *model, const struct packet *packet);
	/* The same packet is delivered or dropped. */
	void (*ended)(struct hd_model *model, const struct packet *packet);
	/*
	 * The packets that host port @port could send, or its credits, have changed. @sent: the
	 * packet that it begins to send now, or NULL.
	 */
	void (*changed)(struct hd_model *model, uint32_t port, const struct packet *sent);
	/* HD_EVENT_POLICY, which it has posted with @a and @b. */
	void (*event)(struct hd_model *model, uint32_t a, uint32_t b);
	bool asks_backlogs; /* needs the amount queued at the host, by VL */
	bool asks_credits;  /* needs changed() also when credits come */
};

/* The VC, of @n from @first on, on which a packet leaves its host if packets choose their paths. */
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
	 * Defaults of this kind of switch: bytes of a port's input and output buffers, of all VLs,
	 * and of an MPort's central buffer. 0: as the defaults of the keys.
	 */
	uint32_t input_bytes, output_bytes, central_bytes;
	bool shares;          /* the VLs of a port share its buffers (damq) ... */
	double damq_most;     /* ... and one VL has at most this share */
	bool has_output_fifo; /* it is cioq with one queue for a port, whose lines are fetched */

	/*
	 * The switch model that @params, or NULL, ask for, which has its name and options; returns
	 * NULL with HD_EINVAL for a word that is none. Without this function, always this one.
	 */
	const struct hd_switch_model *(*variant)(const struct hd_params *params,
						 struct hd_error *err);

	/* For the model's own files. If event() is set, all functions up to ahead() are set. */
	int (*check)(const struct hd_model_options *options, struct hd_error *err);
	/* its data is model->own; HD_ENOMEM, HD_EINVAL */
	int (*make)(struct hd_model *model, struct hd_error *err);
	void (*free)(struct hd_model *model);

	/* @out is being made; returns the most units that a packet may have there. */
	uint32_t (*make_port)(struct hd_model *model, uint32_t out);
	/*
	 * The least ticks from the moment when a head could leave in-port @in until it leaves by
	 * @out's link.
	 */
	uint64_t (*crossing)(const struct hd_model *model, uint32_t in, uint32_t out);
	/*
	 * If schedulers choose at the link: the VLs with packets that wait there, also packets that
	 * cannot go. NULL: schedulers choose among the heads at in-ports.
	 */
	uint32_t (*waiting)(const struct hd_model *model, uint32_t out);
	/* The link of @out is idle again; @what is b of HD_EVENT_DONE. */
	void (*sent)(struct hd_model *model, uint32_t out, uint32_t what);
	/* HD_EVENT_OWN + @kind */
	void (*event)(struct hd_model *model, unsigned kind, uint32_t a, uint32_t b);
	/*
	 * Prefetches the data of event(), or of sent() with @kind HD_EVENT_DONE, in several steps
	 * from HD_AHEAD_FIRST on, each a few events nearer. With arbitrate(), also that of
	 * enqueue() with HD_EVENT_ARRIVE: @a is the in-port, in step HD_AHEAD_THIRD the out-port.
	 */
	void (*ahead)(const struct hd_model *model, unsigned kind, uint32_t a, uint32_t b,
		      unsigned step);

	/*
	 * Either the machine matches in-ports with out-ports, and these functions take the packets.
	 */

	/* Whether @out has room for a packet of @size; the machine looks at credits. */
	bool (*has_room)(struct hd_model *model, uint32_t out, uint32_t size);
	/*
	 * If each VL has a queue of its own before the link (hd_has_link_queues()): the units of
	 * room that heads see, in place of those in the next buffer; @size of them are taken. NULL:
	 * a packet that goes to @out has room in the next buffer.
	 */
	uint32_t (*queue_room)(const struct hd_model *model, uint32_t out, unsigned vl);
	void (*claim)(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);
	/* The same: credits came for @out; links of switch @at, which were marked, begin packets. */
	void (*credited)(struct hd_model *model, uint32_t out);
	void (*send)(struct hd_model *model, uint32_t at);
	/*
	 * Of that queue: units of packets that took room and have not begun on the link; the units
	 * of its first packet, 0 if there is none, or if the link sends a packet of @vl.
	 */
	uint32_t (*held)(const struct hd_model *model, uint32_t out, unsigned vl);
	uint32_t (*first_waits)(const struct hd_model *model, uint32_t out, unsigned vl);
	/* Packet @packet goes to @out; packets that are past the switch and will leave by it. */
	void (*take)(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane);
	bool (*is_crossing)(const struct hd_model *model, uint32_t out);
	/*
	 * Events come at other times than whole cycles from @now on (credits.h). NULL: no matter.
	 */
	void (*leave_step)(struct hd_model *model, uint32_t out, uint64_t now);
	/*
	 * Units of a packet that @out counts as sent on @vl (port_counters.h), though it does not
	 * begin to leave before @now; 0: there is none. NULL: always 0.
	 */
	uint32_t (*counted_early)(const struct hd_model *model, uint32_t out, unsigned vl,
				  uint64_t now);

	/* Or the switch model does everything between in-ports and links. */

	/* Packet @packet, whose out-port is known, joins the queue of in-port @in. */
	void (*enqueue)(struct hd_model *model, uint32_t in, uint32_t packet);
	/* Switch @at was marked, or out-ports of it. */
	void (*arbitrate)(struct hd_model *model, uint32_t at);
	/*
	 * Deadlock (deadlock.h): a lane of the next switches that holds up the head of @lane, from
	 * which no packet left in the last interval; HD_NONE: the head will go on.
	 */
	uint32_t (*waits_for)(const struct hd_model *model, uint32_t lane, const uint8_t *dead);
	/* An error in its data of @port of a switch; NULL: none (verify.h). */
	const char *(*verify)(const struct hd_model *model, uint32_t port);

	/* Or it has a machine of its own: hd_model_run(), without any function from event() on. */
	int (*run)(struct hd_model *model, uint64_t until, struct hd_error *err);
	/*
	 * The VCs of every link, in @vcs; tables use @vls. NULL: as many as VLs. HD_EINVAL: options
	 * that do not go with the tables.
	 */
	int (*count_vcs)(const struct hd_model *model, unsigned vls, unsigned *vcs,
			 struct hd_error *err);
	bool moves_flits; /* a packet may be longer than a buffer */
};

/* How packets are queued at a host until they may leave. */
struct hd_admittance {
	struct hd_policy policy;
	bool single; /* one queue for all VLs */

	/*
	 * VOQnet: a queue of any length for each destination, and an injection queue of a few
	 * packets for each VL. When an injection queue has room, the next destination in turn sends
	 * a packet there; only then is the packet's LID chosen.
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
	hd_host_outstanding, hd_host_random, hd_host_round_robin, hd_host_size, hd_host_xmitwait;
extern const struct hd_admittance hd_admittance_destination, hd_admittance_fifo, hd_admittance_vl;
extern const struct hd_host_vc hd_host_vc_destination, hd_host_vc_jsq, hd_host_vc_random,
	hd_host_vc_tables;
extern const struct hd_switch_model hd_switch_cioq, hd_switch_cioq_vl, hd_switch_hierarchical,
	hd_switch_iq, hd_switch_vc;

/* Whether data of later events is prefetched. Results are the same. */
enum hd_look_ahead {
	HD_LOOK_AHEAD_LARGE, /* as far as is worth it for the model's size */
	HD_LOOK_AHEAD_ALWAYS,
	HD_LOOK_AHEAD_ARRIVALS, /* always, but only for arrivals and hosts' messages */
	HD_LOOK_AHEAD_NEVER,
};

/*
 * The machine of a run; results are the same. Most runs use few options, and a machine that is
 * compiled without the others is faster (machine.inc).
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
	uint64_t latency;     /* ticks from a head's arrival at a switch until it is arbitrated */
	uint32_t header;      /* a packet's length on links beside its units, in parts */
	uint32_t header_unit; /* so many of which are a unit; not 0 where there is a header */
	uint64_t gap;         /* ticks for which a link is idle after each packet */
	uint64_t crossbar_latency; /* cioq: ticks from there to the output buffer; hierarchical:
				      through each of its crossbars */
	unsigned reads;            /* iq, cioq: packets that an in-port may send at a time; 0: 1 */
	unsigned speedup;     /* cioq: of the crossbar over the faster of two ports' links; 0: 1 */
	bool damq;            /* the VLs of a port share its buffer dynamically ... */
	double damq_reserved; /* ... except this share (0 .. 1) of what each would have alone */
	uint32_t damq_least;  /* ... and these units, unless that is more than each would have
			       alone */
	double damq_most;     /* a VL has at most this share of the port's buffer; 0: 1 */
	uint32_t central;     /* hierarchical: units of the central buffer of an MPort */
	const struct hd_params *switch_params; /* options of the switch model; NULL: defaults */
	const struct hd_rings *bubble; /* rings with bubble flow control (topologies/rings.h);
					  needed only by hd_model_new(); NULL: none */
	const struct hd_allocator *allocator; /* NULL: output first */
	const struct hd_buffering *buffering; /* NULL: FIFOs */
	unsigned iterations; /* of the matching of inputs and outputs; 0: until it is maximal */
	uint64_t cycle;      /* ticks from one matching to the next */
	const struct hd_arbiter *arbiter; /* NULL: round robin */
	bool transit; /* packets from switches go before packets from hosts, with any arbiter */
	const struct hd_scheduler *scheduler; /* NULL: the arbiter's, or round robin */
	struct hd_dtable_form dtable; /* of scheduler dtable; members that are 0 are made to fit the
					 shares */

	/*
	 * For the SBT schedulers: packets of an arbitration round, [service class], or [VL] for
	 * tables without classes. n_weights 0: weights that give the shares.
	 */
	uint32_t weights[HD_MAX_SLS];
	unsigned n_weights;
	/*
	 * Service classes (tables/classes.h). [tag] the class of messages with that tag, which
	 * gives the SL of their packets; the array must exist longer than the model. NULL: all have
	 * the class of packets without a class. [class] units of its longest packets, which
	 * schedulers read in hd_model_new(). NULL, or 0 for a class: as in the tables.
	 */
	const uint8_t *class_of_tag;
	const uint32_t *class_packets;
	const struct hd_admittance *admittance; /* NULL: a queue per VL */
	unsigned injection;      /* with queues per destination: packets of an injection queue */
	unsigned port_injection; /* the same for all queues of a host, in equal parts; 0:
				    `injection` for each */
	const struct hd_host_policy *host_policy; /* NULL: the base LID */
	struct {
		uint64_t interval;     /* xmitwait: ticks */
		unsigned counter_bits; /* xmitwait: 1 to 32; 0: 16 */
		unsigned unit_words;   /* xmitwait: words of a unit, whose times counters count */
		bool ties_first;       /* leastoccupied: among equals the base LID, not the next in
				    turn */
		uint64_t delay;        /* outstanding: ticks until a host knows that a packet has
				    arrived */
		uint32_t small;        /* size: units from which on a message is large */
	} host;
	unsigned host_queue; /* packets that a host queues; a host with this many generates none. 0:
				any number */

	/*
	 * Replies that may wait at a host: with this many, the host takes in no request, which
	 * waits in its buffer. Then replies have VCs of their own, also on hosts' links. 0: any
	 * number.
	 */
	unsigned host_replies;

	/*
	 * Packets choose their paths (sim/adaptive/routing.h), on these tables; the struct must
	 * exist longer than the model. NULL: packets go by the tables.
	 */
	const struct hd_routed *routed;
	const struct hd_selection *selection; /* with it (sim/adaptive/selection.h); NULL: jsq */
	const struct hd_host_vc *host_vc;     /* with it; NULL: jsq */
	uint64_t seed;                        /* with it: seed of the switches' random streams */

	/*
	 * Tables and links may change while the model runs: hd_model_set_entry() and others. Not
	 * with `routed`. Links have as many VLs as their ports.
	 */
	bool live;

	/*
	 * What hosts take in, as a share of what their links can bring: 0 < share <= 1; 0 means 1.
	 * It is for the hosts in slow_hosts, or for all if there are none. Packets wait in the
	 * host's buffer until the host takes them in.
	 */
	double consumption;
	const struct hd_host_range *slow_hosts;
	size_t n_slow_hosts;
	enum hd_look_ahead look_ahead;
	enum hd_machine machine;
	uint32_t least_packet; /* units of the shortest packet, and of the longest; 0: not known */
	uint32_t most_packet;
	bool answers;     /* hosts send messages since others were delivered there */
	bool count_waits; /* for `wait` of struct hd_model_counters */
	uint32_t gauge; /* units of a packet: gauges tell how full buffers are; 0: there are none */
	bool parts;     /* for hd_model_parts() */
	const uint8_t *port_class; /* [fabric ports] enum hd_port_class; NULL: no groups */
	/*
	 * [fabric ports] ticks of a unit on the port's link, if the link differs from its class; 0:
	 * as its class. Both ends of a link agree. NULL: all are as their classes. Needed only by
	 * hd_model_new().
	 */
	const uint32_t *port_ticks;
};

/* What a host sends next. */
struct hd_message {
	uint64_t time; /* when it is generated; times of a host never decrease */
	uint32_t from; /* the host: index in the model's hosts */
	uint32_t to;
	uint32_t size; /* units, at least 1 */
	uint32_t tag;  /* given back with the packet */
	uint64_t id;   /* the same; HD_REPLY_ID: a reply, which may have VCs of its own */
};

#define HD_REPLY_ID UINT64_MAX

/* The source of messages, and callbacks for their fate. All callbacks but next() may be NULL. */
struct hd_model_user {
	/*
	 * The next message of host @from; false: it sends nothing more. Times of a host never
	 * decrease.
	 */
	bool (*next)(void *context, uint32_t from, struct hd_message *message);

	/*
	 * A packet that began to leave its host at @entered has arrived completely, after @hops
	 * links.
	 */
	void (*delivered)(void *context, uint64_t now, const struct hd_message *message,
			  uint64_t entered, unsigned hops);

	/* The packet's LFT entry is missing or its VL is 15. */
	void (*dropped)(void *context, uint64_t now, const struct hd_message *message);
	void *context;

	/* A hint: next() will soon be called for @from. May prefetch its data. */
	void (*ahead)(void *context, uint32_t from);

	/* The message of next() is not generated: its host's queue is full. */
	void (*refused)(void *context, uint64_t now, const struct hd_message *message);

	/*
	 * Whether a message that next() gave before hd_model_restart() is not generated. NULL:
	 * always generated.
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
	 * Packets to hosts with several LIDs whose LMC offset differs from that of the packet
	 * before from the same host; a host's first packet is compared with offset 0.
	 */
	uint64_t lid_changes;
	uint64_t events;
	/*
	 * Of the events, those of credits, of matchings that are tried again, and of packets within
	 * cioq switches: heads in output buffers, ends of crossings, ends on links. Their number
	 * depends on the order within a tick, and so on the number of domains; results do not.
	 */
	uint64_t signals;
};

/* A lane of a link, with the buffer behind it. */
struct hd_channel {
	uint32_t port; /* index in the fabric's ports: the out-port */
	uint8_t vl;
};

/* A step of a packet, and where the packet is then. */
enum hd_packet_step {
	HD_STEP_GENERATED, /* at its host, maybe queued; its LID and lane are chosen, unless hosts
			      have queues per destination */
	HD_STEP_LEAVES,    /* begins to leave by an out-port: its host's, or a switch's */
	HD_STEP_ARRIVED,   /* its head is at an in-port, and the switch can forward it */
	HD_STEP_DELIVERED, /* taken in by its host */
	HD_STEP_DROPPED,   /* at a host before it leaves, or at an in-port */
	HD_STEPS,
};

/* What an observer sees of a packet. */
struct hd_packet_sight {
	uint64_t now;
	enum hd_packet_step step;
	uint32_t port; /* of the fabric */
	uint8_t vl;    /* of the next buffer, if the packet leaves; else of its buffer */
	uint8_t sl;
	uint16_t dlid;
	uint8_t hops;    /* links so far */
	uint32_t packet; /* a number that no other packet has, from its leaving the host on */
	const struct hd_message *message;
};

/* An observer of a run; members may be NULL. An observer changes no result, but may take time. */
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
 * @tables and @user's context must exist longer than the model. The hosts are the fabric's linked
 * adapter ports, in the order of their index. HD_EINVAL: an option out of range (a buffer smaller
 * than a packet is found when the packet is sent); HD_ENOMEM.
 */
int hd_model_new(const struct hd_tables *tables, const struct hd_model_options *options,
		 const struct hd_model_user *user, struct hd_model **model, struct hd_error *err);
void hd_model_free(struct hd_model *model);

uint32_t hd_model_hosts(const struct hd_model *model);

/* VLs of every port: packets have none of a higher number. */
unsigned hd_model_vls(const struct hd_model *model);

/* The header of the last delivered packet, if packets choose their paths; else NULL. */
const struct hd_header *hd_model_delivered_header(const struct hd_model *model);

/* The fabric's port of a host. */
uint32_t hd_model_host_port(const struct hd_model *model, uint32_t host);

/* Before the first hd_model_run(). @observer must outlive @model. */
void hd_model_observe(struct hd_model *model, struct hd_model_observer *observer);

/*
 * Runs until @until. HD_EREFUSED: the fabric is deadlocked, that is, packets wait for one another
 * in a circle, which hd_model_deadlock() tells; every later call returns this, too. HD_EINVAL: a
 * packet exceeds a buffer; HD_ENOMEM.
 */
int hd_model_run(struct hd_model *model, uint64_t until, struct hd_error *err);

/*
 * Before the first hd_model_run(): divides @model into domains, each of which has a thread of its
 * own when the model runs (sim/model/domains.h). *@n is their number, at most @most; 1: the model
 * stays whole, since hd_model_why_whole() has a reason, or with @only_if_faster because it is too
 * small. Results are the same. HD_ENOMEM.
 */
int hd_model_divide(struct hd_model *model, unsigned most, bool only_if_faster, unsigned *n,
		    struct hd_error *err);

/*
 * The same among processes: each runs the domain of its rank (sim/model/ranks.h), and all have the
 * results after hd_model_run(), which all call alike. *@n is the number of @ranks, or 1: the model
 * stays whole. @ranks must exist longer than the model.
 */
int hd_model_spread(struct hd_model *model, struct hd_ranks *ranks, unsigned *n,
		    struct hd_error *err);

/* Why @model is not divided; NULL: it can be. */
const char *hd_model_why_whole(const struct hd_model *model);

/*
 * The model of a domain, for hd_model_inject() in its callbacks. Callbacks that concern its hosts
 * and switches get @context, and are called in its thread.
 */
struct hd_model *hd_model_domain(struct hd_model *model, unsigned domain, void *context);

/*
 * Whether something came to a domain too late: the results of hd_model_run() are none, and the
 * model has to run whole, made anew. A credit of a packet that tables drop can do that.
 */
bool hd_model_is_late(const struct hd_model *model);

/*
 * Adds a message that its host generates at its time, or now if that time is past. May be called in
 * callbacks. Messages of one host and time are sent in the order of these calls.
 */
void hd_model_inject(struct hd_model *model, const struct hd_message *message);

/* Calls woken() for @host at @time, or at once if that is past. May be called in callbacks. */
void hd_model_wake(struct hd_model *model, uint32_t host, uint64_t time);

/* The user lacks memory: the run ends with HD_ENOMEM. */
void hd_model_fail(struct hd_model *model);

/*
 * Asks the traffic of every host anew, as at the beginning. May be called in callbacks. Messages
 * that it gave before are generated at their times, unless stale() tells otherwise.
 */
void hd_model_restart(struct hd_model *model);

/*
 * With options.live, between runs: switch @at forwards packets to @lid, of a host, by its port
 * number @out; HD_NO_PATH, or another number that no port has: nowhere. Packets that already wait
 * for an out-port leave by it.
 */
void hd_model_set_entry(struct hd_model *model, uint32_t at, uint16_t lid, unsigned out);

/*
 * The same: packets from port @in of a switch that leave by port @out, both of the fabric, get VLs
 * by @row; @in is HD_NONE if @out is a host's. False: the row uses a VL that links do not have;
 * nothing has changed.
 */
bool hd_model_set_row(struct hd_model *model, uint32_t out, uint32_t in, uint64_t row);

/* The same: whether the link at port @port of the fabric is active. Call it for both ends. */
void hd_model_set_link(struct hd_model *model, uint32_t port, bool is_active);

/*
 * The same, and before the first run: packets that come to a switch leave by what @routed, on the
 * tables' VLs, offers them there; NULL: by the tables. @routed is of the same ports and LIDs, and
 * of what was set; it must exist until the next call, or as long as the model. Packets that wait
 * for an out-port leave by it. HD_ENOMEM.
 */
int hd_model_choose_by(struct hd_model *model, const struct hd_routed *routed,
		       struct hd_error *err);

/*
 * With hd_host_agent: from now on packets of @host take the LID at LMC offset @offset, if the
 * destination has it; HD_NO_PREFERENCE (at first): LIDs round robin.
 */
void hd_model_prefer(struct hd_model *model, uint32_t host, unsigned offset);
#define HD_NO_PREFERENCE 0xFF

/* The same: VL arbitration of the tables has changed. HD_ENOMEM. */
int hd_model_renew_arbitration(struct hd_model *model, struct hd_error *err);

/* Asks the traffic of @host again, which gave nothing the last time; not in callbacks. */
void hd_model_ask(struct hd_model *model, uint32_t host);

/* Where a packet was lost, in dropped(). */
struct hd_model_loss {
	enum hd_loss_kind {
		HD_LOSS_AT_HOST,   /* at its own host: no VL, or no path record */
		HD_LOSS_AT_SWITCH, /* the switch has no next hop, by its tables or because a link is
				      not active */
		HD_LOSS_ON_LINK,   /* on a link that was active when the packet was sent to it */
		HD_LOSS_IN_CIRCLE, /* the packet crossed so many links that it must have circled */
	} kind;
	uint32_t port; /* of the fabric: its in-port there; not for AT_HOST */
	uint16_t lid;
	uint8_t vl; /* VL on which it came */
	uint32_t units;
};

struct hd_model_loss hd_model_last_loss(const struct hd_model *model);

/* Packets that came to a switch again, or crossed too many links; those of them that were lost. */
struct hd_model_circling {
	uint64_t packets, lost;
};

struct hd_model_circling hd_model_circling(const struct hd_model *model);

struct hd_model_census hd_model_census(const struct hd_model *model);

/*
 * The cycle of a deadlock: the heads in the buffer of each channel need room in the buffer of the
 * next, those of the last in that of the first.
 */
const struct hd_channel *hd_model_deadlock(const struct hd_model *model, size_t *n);

/* Ticks that the link at out-port @port of the fabric sent on @vl since the model began. */
uint64_t hd_model_busy(const struct hd_model *model, uint32_t port, unsigned vl);

/* Ticks that a unit takes on the link at out-port @port of the fabric, which has one. */
uint32_t hd_model_unit_ticks(const struct hd_model *model, uint32_t port);

/*
 * A gauge of a buffer: ticks since its start; units of packets in the buffer, times ticks; ticks
 * without room for a packet; ticks in which the buffer was empty; most units at a time; and the
 * buffer's size. A packet is in the buffer from the begin of its arrival until its tail has left:
 * as credits count it, without the time that credits take. All 0 without gauges or without such a
 * buffer.
 */
struct hd_gauge {
	uint64_t ticks, area, full, empty;
	uint32_t most, capacity;
};

/*
 * The gauge of the buffer of @vl at the other end of the link at out-port @port; and of the output
 * buffer before the link (cioq).
 */
struct hd_gauge hd_model_gauge(const struct hd_model *model, uint32_t port, unsigned vl);
struct hd_gauge hd_model_output_gauge(const struct hd_model *model, uint32_t port);

/* All gauges begin anew. */
void hd_model_restart_gauges(struct hd_model *model);

/*
 * Parts of the latencies of all packets delivered since the start, in ticks. Their sum is the sum
 * of the latencies. All 0 unless the option asks for them.
 */
struct hd_model_parts {
	uint64_t packets;
	uint64_t minimal; /* time of the tables' path without other packets; the shortest over the
			     destination's LIDs */
	int64_t detour;   /* extra time of the path that the packet took */

	/*
	 * [link class] waiting in switches, also in output buffers, to which packets came by such a
	 * link; for hosts' links, also at the host.
	 */
	uint64_t waits[HD_LINK_CLASSES];
	uint64_t taking; /* until the host took the tail in, if the host is slower than its link */
};

struct hd_model_parts hd_model_parts(const struct hd_model *model);
void hd_model_restart_parts(struct hd_model *model);

/* Packets that left by an out-port since the model began, and how long packets waited to leave. */
struct hd_model_counters {
	uint64_t packets, units; /* counted when packets begin to leave */

	/*
	 * Ticks in which a packet wanted to leave and the link sent nothing, because credits or a
	 * turn were lacking (PortXmitWait). The head of a queue wants to leave; with cioq, there
	 * are no waits after the crossbar, with cioq_vl no other ones. 0 unless count_waits is set.
	 */
	uint64_t wait;
};

/*
 * The counters of out-port @port of the fabric, a host's or a switch's: for packets that leave on
 * @vl, and for all packets, where a tick with waits of several VLs counts once. 0: no link or no
 * such VL.
 */
struct hd_model_counters hd_model_counters(const struct hd_model *model, uint32_t port,
					   unsigned vl);
struct hd_model_counters hd_model_port_counters(const struct hd_model *model, uint32_t port);

/* Bytes of the model for one packet, and for each linked port with its queues. */
struct hd_model_memory {
	size_t packet, port;
};

struct hd_model_memory hd_model_memory(const struct hd_model *model);

#endif
