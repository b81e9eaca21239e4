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

#include "simfabric/model/backlog.h"
#include "simfabric/model/events.h"
#include "simfabric/model/forwarding.h"
#include "simfabric/model/model.h"

enum hd_model_event {
	HD_EVENT_ARRIVE,  /* a: port, b: packet; its head may leave the switch from now on */
	HD_EVENT_ENQUEUE, /* a: port, b: packet; the same of one that goes on faster than it came */
	HD_EVENT_DONE,    /* a: out-port, b: reference of the in-lane; HD_NONE at a host and
			     past the crossbar of cioq */
	HD_EVENT_CREDIT,  /* a: reference of the out-lane, b: units */
	HD_EVENT_DELIVER, /* a: port, b: packet; its tail is at the host */
	HD_EVENT_CONSUMED, /* a: port, b: packet; its tail is taken in by the host */
	HD_EVENT_GENERATE, /* a: host, b: packet; the traffic's next message */
	HD_EVENT_INJECT,   /* b: packet; a message of hd_model_inject() */
	HD_EVENT_RETRY,    /* a: switch whose matching left pairs over */
	HD_EVENT_READ,     /* a: in-port; it sent a packet at its rate, to a slower link */
	HD_EVENT_CROSSED,  /* cioq; a: out-port, b: reference of the in-lane */
	HD_EVENT_READY,    /* cioq; a: out-port, b: packet; its head is in the output buffer */
	HD_EVENTS,
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

/* What left by an out-port on a VL; of late, in fewer bits. */
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
	uint32_t waits;   /* see hd_model_begin_wait() */
	uint8_t turn;     /* round robin: the local in-port where the search begins */
	uint8_t vl_turn;
	uint8_t link_class;  /* enum hd_link_class */
	uint8_t arrive_line; /* delay lines of what goes out here */
	uint8_t ready_line;
	bool to_host;  /* its link leads to one */
	bool is_dirty; /* of a host: among those to be looked at */

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

/* cioq: what is between an out-port's crossbar and its link. */
struct output {
	uint32_t crossing;   /* the packet that enters the buffer */
	uint32_t room;       /* units free there */
	uint32_t head, tail; /* what waits there; HD_NONE: nothing */
};

/* What waited on an out-lane. */
struct waiting {
	uint64_t ticks;
	uint64_t since; /* the wait that is under way began */
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

struct hd_model {
	const struct hd_fabric *fabric;
	const struct hd_tables *tables;
	struct hd_model_options options;
	struct hd_model_user user;
	struct hd_events events;
	struct hd_forwarding forwarding;

	unsigned n_vls;
	unsigned words;     /* of a mask of a switch's ports */
	unsigned port_bits; /* of a switch's port: the local number, and a mask of them */
	uint32_t local_mask;
	uint32_t most_locals; /* of a switch */
	uint32_t n_switches;
	uint32_t first_host_port; /* the switches' are before it */
	uint32_t n_ports;         /* with those that are no ports, as their switch has fewer */
	uint32_t *fabric_port;    /* [port] HD_NONE: it is none */
	uint32_t *port_of;        /* [fabric ports], HD_NONE where no link is */

	uint64_t *ports;    /* [port * port_words], see hd_sender() */
	size_t port_words;  /* 64-bit words of one, whole cache lines */
	size_t requests_at; /* where hd_requests() begins in it, the receiver, hd_wants() in that */
	size_t receiver_at;
	size_t wants_at;
	uint64_t *crossbars; /* [switch * crossbar_words], see crossbar.h */
	size_t crossbar_words;
	uint32_t *shared;   /* [port] with DAMQ: units left of what the VLs share */
	uint32_t *occupied; /* [out-lane] with DAMQ: units in use */
	struct vl_arbitration *vl_arbitration; /* [port], vl_arbiter.c; NULL: not needed */

	size_t n_queues;
	struct queue *queues;           /* of switches, see hd_queues_to() */
	struct host_queue *host_queues; /* [host port * n_vls + VL], see hd_host_queues() */
	struct hd_backlog_pool backlogs;
	struct output *outputs; /* [port], NULL: not cioq */
	struct sent *sent;      /* [out-lane] but for what hd_lately() has */
	struct waiting *waits;  /* [port * (n_vls + 1)]: VLs, then the port; NULL: not counted */

	uint32_t *dirty; /* switches, and ports of hosts */
	uint32_t n_dirty;

	struct packet *packets;
	uint32_t n_packets, size_packets;
	uint32_t free_packet; /* list by next */

	uint32_t n_hosts;
	struct host *hosts;               /* [host] */
	struct destination *destinations; /* [host] */
	struct gauge *gauges;             /* gauges.c; NULL: not asked for */
	struct consumer
		*consumers; /* [host port] consumption.c; NULL: hosts are as fast as links */
	struct hd_admittances *admittance; /* admittance.c; NULL: none per destination */
	uint32_t *waiting; /* [out-lane] least occupied: units that wait at hosts; NULL otherwise */

	struct sized_line sized_lines[HD_EVENTS][HD_LINK_CLASSES][SIZES];
	unsigned retry_line;
	struct note *notes; /* look_ahead.c; NULL: all is at hand */

	/* deadlock.c */
	uint64_t deadlock_patience, deadlock_interval, last_check;
	uint32_t *heads; /* [in-lane] what the queues' heads were at the last check, hashed */
	struct hd_wait *cycle;
	size_t n_cycle;

	struct hd_model_census census;
	uint64_t pause; /* the time from which on hd_model_run() looks at more than events */
	bool started;
	bool has_rates;                     /* links of several */
	bool eager_credits;                 /* every credit is an event */
	bool early_credits;                 /* noted when the packet begins to leave */
	uint32_t reserved[HD_LINK_CLASSES]; /* with DAMQ: units of each VL's own */
	uint32_t smallest_buffer;           /* of all in use */
	uint32_t largest_packet;            /* that was generated until now */
	uint32_t too_large;                 /* size of a packet that exceeds a buffer; 0: none */
};

/* Ports */

/* Switches come first. */
static inline bool hd_is_switch_port(const struct hd_model *model, uint32_t port)
{
	return port < model->first_host_port;
}

static inline bool hd_is_port(const struct hd_model *model, uint32_t port)
{
	return model->fabric_port[port] != HD_NONE;
}

/* Of a switch's port: the switch, its place there, the switch's first. */
static inline uint32_t hd_switch_of(const struct hd_model *model, uint32_t port)
{
	return port >> model->port_bits;
}

static inline unsigned hd_local(const struct hd_model *model, uint32_t port)
{
	return port & model->local_mask;
}

static inline uint32_t hd_first_port(const struct hd_model *model, uint32_t at)
{
	return at << model->port_bits;
}

static inline struct sender *hd_sender(const struct hd_model *model, uint32_t port)
{
	return (struct sender *)(model->ports + port * model->port_words);
}

static inline struct receiver *hd_receiver(const struct hd_model *model, uint32_t port)
{
	return (struct receiver *)(model->ports + port * model->port_words + model->receiver_at);
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
	return (uint64_t *)sender + model->requests_at;
}

/* [in-VL * words] which out-ports the heads of the receiver want. */
static inline uint64_t *hd_wants(const struct hd_model *model, struct receiver *receiver)
{
	return (uint64_t *)receiver + model->wants_at;
}

static inline struct waiting *hd_waiting(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return &model->waits[out * (size_t)(model->n_vls + 1) + vl];
}

static inline uint32_t unit_ticks(const struct hd_model *model, uint32_t port)
{
	return model->options.links[hd_sender(model, port)->link_class].unit_ticks;
}

/* Lanes and queues */

/* A lane in an event: its port and VL. */
static inline uint32_t lane_ref(uint32_t port, unsigned vl)
{
	return port << 4 | vl;
}

static inline uint32_t lane_port(uint32_t ref)
{
	return ref >> 4;
}

static inline unsigned lane_vl(uint32_t ref)
{
	return ref & 15;
}

/* Of a host port: its queues, one per VL. */
static inline struct host_queue *hd_host_queues(const struct hd_model *model, uint32_t port)
{
	return model->host_queues + (port - model->first_host_port) * (size_t)model->n_vls;
}

/* The packet at the head of @queue, which has one. */
static inline const struct packet *hd_head(const struct hd_model *model, const struct queue *queue)
{
	return &model->packets[queue->head];
}

/* That one, taken out of it. */
static inline uint32_t hd_model_pop(const struct hd_model *model, struct queue *queue)
{
	uint32_t index = queue->head;

	queue->head = model->packets[index].next;
	return index;
}

/* Host port @out is looked at when this tick's events are through. */
static inline void hd_model_mark_host(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);

	if (sender->is_dirty)
		return;
	sender->is_dirty = true;
	model->dirty[model->n_dirty++] = out;
}

/* model.c: packets on links */

/* Puts @packet on the link of @out, which is idle; @in_lane as in HD_EVENT_DONE. */
void hd_model_transmit(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane);

/*
 * Posts HD_EVENT_CROSSED for @size units that begin to cross to @out at the rate of @by, HD_EVENT_READ for
 * those that in-port @in begins to send.
 */
void hd_model_post_crossed(struct hd_model *model, uint32_t by, uint32_t out, uint32_t in_lane,
			   uint32_t size);
void hd_model_post_read(struct hd_model *model, uint32_t in, uint32_t size);

/* Posts HD_EVENT_CREDIT for the credit of @size units that begin to leave the buffer of @in. */
void hd_model_post_credit(struct hd_model *model, uint32_t in, uint32_t out_lane, uint32_t size);

/*
 * counters.c: packets on @vls (a bit each) want to leave by @out, which sends nothing; heads want
 * @out, which took none. Until @out takes one, its `waits` is not 0, and a credit makes it be looked at
 * again: HD_TRIED is set always, HD_STARVED if a head lacks credits; where waits are counted, bit n while
 * VL n's is.
 */
#define HD_TRIED   (1u << 16)
#define HD_STARVED (1u << 17)

void hd_model_begin_wait(struct hd_model *model, uint32_t out, unsigned vls);
void hd_model_begin_wait_for_turn(struct hd_model *model, uint32_t out);
void hd_model_stop_waiting(struct hd_model *model, uint32_t out);

static inline void hd_model_wait_for_turn(struct hd_model *model, uint32_t out)
{
	if (model->waits)
		hd_model_begin_wait_for_turn(model, out);
	else
		hd_sender(model, out)->waits |= HD_TRIED;
}

static inline void hd_model_end_wait(struct hd_model *model, uint32_t out)
{
	struct sender *sender = hd_sender(model, out);

	if (model->waits || sender->waits & HD_STARVED)
		hd_model_stop_waiting(model, out);
	else
		sender->waits = 0;
}

/* Counts a packet of @size that leaves by @out. */
void hd_model_settle_sent(struct hd_model *model, uint32_t out, unsigned vl);

static inline void hd_model_count_sent(struct hd_model *model, uint32_t out, unsigned vl,
				       uint32_t size)
{
	struct lately *lately = &hd_lately(model, hd_sender(model, out))[vl];

	if (lately->units > UINT32_MAX - size)
		hd_model_settle_sent(model, out, vl);
	lately->packets++;
	lately->units += size;
}

/* input.c: looks up where @packet, which came in or comes by @port, goes on: out and out_vl. */
void hd_model_route(const struct hd_model *model, uint32_t port, struct packet *packet);

/* A packet that may leave its switch; what ends when a transfer does. */
void hd_model_switch_arrive(struct hd_model *model, uint32_t port, uint32_t packet);
void hd_model_switch_enqueue(struct hd_model *model, uint32_t port, uint32_t packet);

/* Out-port @out can take something again; in-port @in can send something. */
void hd_model_out_done(struct hd_model *model, uint32_t out);
void hd_model_in_done(struct hd_model *model, uint32_t in);
void hd_model_both_done(struct hd_model *model, uint32_t out, uint32_t in);

/* The head of @queue is a new one: its out-port is wanted. */
void hd_model_request(struct hd_model *model, uint32_t in, unsigned vl, struct queue *queue);

/* matching.c */
void hd_model_switch_arbitrate(struct hd_model *model, uint32_t at);

/* switch_cioq.c */
void hd_model_crossed(struct hd_model *model, uint32_t out, uint32_t in_lane);
void hd_model_ready(struct hd_model *model, uint32_t out, uint32_t packet);

/*
 * vl_arbiter.c: the VL of @vls (bit n: VL n has a packet that could go) that goes next out of @out by
 * its VL arbitration, HD_VL_DROP when no table serves one of them; and that @size units of it go.
 */
int hd_model_vl_arbitration_new(struct hd_model *model);
unsigned hd_model_vl_next(const struct hd_model *model, uint32_t out, unsigned vls);
void hd_model_vl_sent(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);

/*
 * look_ahead.c: fetches for the events behind the next ones of @line, a few at a time; for those that
 * have none.
 */
#define HD_LOOKS_AHEAD 4

int hd_model_look_ahead_new(struct hd_model *model);
void hd_model_look_ahead(struct hd_model *model, unsigned line);
void hd_model_look_ahead_late(const struct hd_model *model);

/* host.c: asks the traffic for @host's next message; it is generated; @port sends. */
void hd_model_schedule(struct hd_model *model, uint32_t host);
void hd_model_admit(struct hd_model *model, uint32_t packet);
void hd_model_host_send(struct hd_model *model, uint32_t port);
void hd_model_enqueue(struct hd_model *model, uint32_t packet);
void hd_model_drop(struct hd_model *model, uint32_t packet);
void hd_model_host_done(struct hd_model *model, uint32_t out);
void hd_model_release(struct hd_model *model, uint32_t packet);

#define HD_MAX_LIDS (1u << HD_MAX_LMC)

/*
 * policy.c: the VLs on which packets of @host to host @to may leave, by offset to the base LID, as far
 * as the policy looks at them: returns how many; the offset that the next one takes, the number of
 * offsets when it has to wait; gives it that LID.
 */
unsigned hd_model_vls_to(const struct hd_model *model, uint32_t host, uint32_t to, uint8_t *vls);
unsigned hd_model_choose_lid(const struct hd_model *model, uint32_t host, const uint8_t *vls,
			     unsigned n);
void hd_model_take_lid(struct hd_model *model, struct packet *packet, unsigned offset);

/*
 * admittance.c: queues per destination. A packet was generated; one was sent, so that another may
 * follow it; whether the injection queue of @out and @vl has room.
 */
int hd_admittance_new(struct hd_model *model);
void hd_admittance_free(struct hd_admittances *admittance);
void hd_admittance_add(struct hd_model *model, uint32_t packet);
void hd_admittance_sent(struct hd_model *model, uint32_t packet);
bool hd_admittance_has_room(const struct hd_model *model, uint32_t out, unsigned vl);

/*
 * gauges.c: for buffers that are empty; @units more, or less, in the buffer behind @out's link, and in the
 * one before it. Only where there are gauges.
 */
int hd_gauges_new(struct hd_model *model, struct hd_error *err);
void hd_gauge_buffer(struct hd_model *model, uint32_t out, unsigned vl, int64_t units);
void hd_gauge_output(struct hd_model *model, uint32_t out, int64_t units);

/*
 * consumption.c: where hosts are slower than links. Whether host port @port, at which the tail of
 * @packet is, needs longer; HD_EVENT_CONSUMED comes then.
 */
int hd_consumers_new(struct hd_model *model, struct hd_error *err);
bool hd_consumer_takes_longer(struct hd_model *model, uint32_t port, uint32_t packet);

/* deadlock.c: prepares; whether packets wait in a circle; then `cycle` says where. */
void hd_model_deadlock_init(struct hd_model *model);
bool hd_model_is_deadlocked(struct hd_model *model);

#endif
