/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What the performance model holds while it runs. Only linked ports take part; they are numbered
 * anew, those of a node next to one another, so that a switch's state is together. A lane is a VL of
 * a port, index port * n_vls + VL: for what goes out, the credits for the buffer at the other end;
 * for what comes in, that buffer.
 */
#ifndef HD_MODEL_STATE_H
#define HD_MODEL_STATE_H

#include "simfabric/model/events.h"
#include "simfabric/model/model.h"

enum hd_model_event {
	HD_EVENT_ARRIVE,  /* a: port, b: packet; its head may leave the switch from now on */
	HD_EVENT_ENQUEUE, /* a: port, b: packet; the same of one that goes on faster than it came */
	HD_EVENT_DONE,    /* a: out-port, b: reference of the in-lane, HD_NONE at a host */
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
	uint32_t out;     /* port to leave by */
	uint16_t dlid;
	uint8_t sl;
	uint8_t vl;     /* of the buffer that it is in, or on its way to */
	uint8_t out_vl; /* of the next one */
	uint8_t hops;
} __attribute__((aligned(64)));

/* Packets in order; what arbitration needs of the first is at hand. */
struct queue {
	uint32_t head; /* HD_NONE: empty */
	uint32_t tail;
	uint32_t size;  /* of the head */
	uint8_t out_vl; /* of the head */
};

/* A cache line. */
struct port {
	uint32_t peer;
	uint32_t node;
	uint32_t first_port; /* of its node */
	uint32_t fabric_port;
	uint32_t queues;       /* see queue_index() */
	uint64_t credit_time;  /* the credit on its way here, see hd_model_return_credit() */
	uint32_t credit_units; /* 0: there is none */
	uint32_t waits;        /* out-port: see hd_model_wait_for_turn() */
	uint8_t credit_vl;
	uint8_t turn; /* round robin of the out-port: the in-port where the search begins */
	uint8_t vl_turn;
	uint8_t propose; /* of the in-port, input first: the VL whose head it would propose */
	uint8_t local;   /* index among its node's ports, of which there are ... */
	uint8_t n_ports;
	uint8_t link_class;  /* enum hd_link_class */
	bool to_host;        /* its link leads to one */
	uint8_t arrive_line; /* delay lines of what goes out here */
	uint8_t ready_line;
} __attribute__((aligned(64)));

_Static_assert(sizeof(struct port) == 64, "more than a cache line");

/* cioq: what is between an out-port's crossbar and its link. */
struct output {
	uint32_t crossing;   /* the packet that enters the buffer */
	uint32_t room;       /* units free there */
	uint32_t head, tail; /* what waits there; HD_NONE: nothing */
};

/*
 * What a port's events change, in a cache line where words and VLs are few. Masks have a bit for
 * each of the node's ports.
 */
struct block {
	uint32_t node;
	uint32_t peer;
	uint32_t sending; /* units of the packet on the out-port's link; 0: idle */
	uint8_t local;
	uint8_t number;      /* in the fabric */
	uint8_t accept;      /* of the in-port: the out-port that it would accept first */
	uint8_t credit_line; /* delay line of credits that go out here */

	/*
	 * Of the out-port: [VL] units that the buffer at the other end has room for - with DAMQ, of
	 * the reserved ones; behind them hd_heads(), hd_requests(); of the in-port: hd_wants().
	 */
	uint32_t credits[];
};

/* What left by an out-port on a VL. */
struct sent {
	uint64_t packets, units;
};

/* What waited there. */
struct waiting {
	uint64_t ticks;
	uint64_t since; /* the wait that is under way began */
};

#define HD_NO_LOCAL 255

/* Of a host: its LIDs. */
struct destination {
	uint16_t lid;
	uint8_t lmc;
};

/* A switch or a host adapter; a cache line where words are few. */
struct node {
	size_t rows; /* of its first row in the tables' SL2VL */
	uint32_t first_port, n_ports;
	uint32_t locals;  /* of its port 0 in hd_model.locals */
	uint8_t top;      /* highest port number */
	bool is_dirty;    /* among dirty_nodes */
	uint64_t masks[]; /* see hd_in_free() */
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

	unsigned n_vls;
	unsigned words; /* of a mask of a switch's ports */
	uint32_t n_ports;
	struct port *ports;
	uint32_t *port_of; /* [fabric ports], HD_NONE where no link is */
	uint8_t *locals;   /* [fabric ports] port.local, HD_NO_LOCAL where no link is */
	uint64_t *nodes;   /* [fabric nodes * node_words], see hd_node() */
	size_t node_words; /* 64-bit words of one, whole cache lines */

	uint64_t *blocks;   /* [port * block], see hd_block() */
	size_t block;       /* 64-bit words of one, whole cache lines */
	size_t requests_at; /* hd_requests(), in the block */
	uint32_t *shared;   /* [port] with DAMQ: units left of what the VLs share */
	uint32_t *occupied; /* [out-lane] with DAMQ: units in use */
	struct vl_arbitration *vl_arbitration; /* [port], vl_arbiter.c; NULL: not needed */

	size_t n_queues;
	struct queue *queues;
	struct output *outputs; /* [port], NULL: not cioq */
	struct sent *sent;      /* [out-lane] */
	struct waiting *waits;  /* [port * (n_vls + 1)]: VLs, then the port */

	uint32_t *dirty_nodes;
	uint32_t n_dirty;

	struct packet *packets;
	uint32_t n_packets, size_packets;
	uint32_t free_packet; /* list by next */

	uint32_t n_hosts;
	uint32_t *host_ports;             /* [host] */
	struct destination *destinations; /* [host] */
	uint8_t *host_turns;              /* [host] round robin among a destination's LIDs */
	struct gauge *gauges;             /* gauges.c; NULL: not asked for */
	struct consumer *consumers; /* [port] consumption.c; NULL: hosts are as fast as links */
	struct hd_admittances *admittance; /* admittance.c; NULL: none per destination */
	uint32_t *waiting; /* [out-lane] least occupied: units that wait at hosts; NULL otherwise */

	struct sized_line sized_lines[HD_EVENTS][HD_LINK_CLASSES][SIZES];
	unsigned retry_line;

	/* deadlock.c */
	uint64_t deadlock_patience, deadlock_interval, last_check;
	uint32_t *heads; /* [in-lane] what the queues' heads were at the last check, hashed */
	struct hd_wait *cycle;
	size_t n_cycle;

	struct hd_model_census census;
	uint64_t pause; /* the time from which on hd_model_run() looks at more than events */
	uint32_t n_switches;
	bool started;
	bool has_rates;                     /* links of several */
	bool eager_credits;                 /* every credit is an event */
	bool is_large;                      /* exceeds what caches hold */
	uint32_t reserved[HD_LINK_CLASSES]; /* with DAMQ: units of each VL's own */
	uint32_t smallest_buffer;           /* of all in use */
	uint32_t too_large;                 /* size of a packet that exceeds a buffer; 0: none */
};

static inline struct block *hd_block(const struct hd_model *model, uint32_t port)
{
	return (struct block *)(model->blocks + port * model->block);
}

static inline uint32_t *hd_credits(const struct hd_model *model, uint32_t out)
{
	return hd_block(model, out)->credits;
}

/* [VL] how many heads would leave by it. */
static inline uint16_t *hd_heads(const struct hd_model *model, uint32_t out)
{
	return (uint16_t *)(hd_credits(model, out) + model->n_vls);
}

/* [in-VL * words] which in-ports have a head that wants @out. */
static inline uint64_t *hd_requests(const struct hd_model *model, uint32_t out)
{
	return model->blocks + out * model->block + model->requests_at;
}

/* [in-VL * words] which out-ports the heads of @in want. */
static inline uint64_t *hd_wants(const struct hd_model *model, uint32_t in)
{
	return hd_requests(model, in) + model->n_vls * model->words;
}

static inline struct sent *hd_sent(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return &model->sent[out * (size_t)model->n_vls + vl];
}

static inline struct waiting *hd_waiting(const struct hd_model *model, uint32_t out, unsigned vl)
{
	return &model->waits[out * (size_t)(model->n_vls + 1) + vl];
}

static inline struct node *hd_node(const struct hd_model *model, uint32_t node)
{
	return (struct node *)(model->nodes + node * model->node_words);
}

/* Masks of a node: in-ports and out-ports that send nothing; out-ports to be arbitrated next. */
static inline uint64_t *hd_in_free(const struct hd_model *model, uint32_t node)
{
	return hd_node(model, node)->masks;
}

static inline uint64_t *hd_out_free(const struct hd_model *model, uint32_t node)
{
	return hd_in_free(model, node) + model->words;
}

static inline uint64_t *hd_dirty(const struct hd_model *model, uint32_t node)
{
	return hd_in_free(model, node) + 2 * model->words;
}

/* Switches come first in a fabric. */
static inline bool hd_is_switch_port(const struct hd_model *model, uint32_t port)
{
	return hd_block(model, port)->node < model->n_switches;
}

#define HD_TRIED   (1u << 16) /* in `waits` of a port, beside VLs */
#define HD_STARVED (1u << 17)

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

/*
 * A FIFO for each VL of an in-port; with VOQ, those that lead to an out-port are side by side: a port's
 * queues are the ones that its out-port chooses among.
 */
static inline uint32_t queue_index(const struct hd_model *model, uint32_t in, unsigned vl,
				   uint32_t out)
{
	const struct port *port;

	if (!model->options.voq)
		return model->ports[in].queues + vl;
	port = &model->ports[out];
	return port->queues + vl * port->n_ports + (in - port->first_port);
}

static inline void set_bit(uint64_t *mask, unsigned bit)
{
	mask[bit / 64] |= UINT64_C(1) << bit % 64;
}

static inline void clear_bit(uint64_t *mask, unsigned bit)
{
	mask[bit / 64] &= ~(UINT64_C(1) << bit % 64);
}

static inline bool has_bit(const uint64_t *mask, unsigned bit)
{
	return mask[bit / 64] >> bit % 64 & 1;
}

/* Units that the buffer behind @out has room for on @vl; takes @size of them; gives them back. */
static inline uint32_t hd_model_room(const struct hd_model *model, uint32_t out, unsigned vl)
{
	uint32_t room = hd_credits(model, out)[vl];

	return model->shared ? room + model->shared[out] : room;
}

/*
 * Whether @out has credits for @size on @vl. If not, it starves: what is on its way to it becomes an
 * event.
 */
bool hd_model_starves(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);

static inline bool hd_model_has_room(struct hd_model *model, uint32_t out, unsigned vl,
				     uint32_t size)
{
	return hd_model_room(model, out, vl) >= size || !hd_model_starves(model, out, vl, size);
}

void hd_model_use_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);
void hd_model_give_back_shared(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size);

/*
 * gauges.c: @units more, or less, in the buffer behind @out's link, and in the one before it. Only where
 * there are gauges.
 */
void hd_gauge_buffer(struct hd_model *model, uint32_t out, unsigned vl, int64_t units);
void hd_gauge_output(struct hd_model *model, uint32_t out, int64_t units);

static inline void hd_model_use(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	if (model->gauges)
		hd_gauge_buffer(model, out, vl, size);
	if (model->shared)
		hd_model_use_shared(model, out, vl, size);
	else
		hd_credits(model, out)[vl] -= size;
}

static inline void hd_model_give_back(struct hd_model *model, uint32_t out, unsigned vl,
				      uint32_t size)
{
	if (model->shared)
		hd_model_give_back_shared(model, out, vl, size);
	else
		hd_credits(model, out)[vl] += size;
}

/* The packet at the head of @queue, taken out of it. */
static inline uint32_t hd_model_pop(const struct hd_model *model, struct queue *queue)
{
	uint32_t index = queue->head;

	queue->head = model->packets[index].next;
	return index;
}

/* Puts @packet on the link of @out, which is idle; @in_lane as in HD_EVENT_DONE. */
void hd_model_transmit(struct hd_model *model, uint32_t packet, uint32_t out, uint32_t in_lane);

/*
 * Posts HD_EVENT_CROSSED for @size units that begin to cross to @out at the rate of @by, HD_EVENT_READ for
 * those that in-port @in begins to send.
 */
void hd_model_post_crossed(struct hd_model *model, uint32_t by, uint32_t out, uint32_t in_lane,
			   uint32_t size);
void hd_model_post_read(struct hd_model *model, uint32_t in, uint32_t size);

/* The credit on its way to @out is there. */
static inline void hd_model_land_credit(struct hd_model *model, uint32_t out)
{
	struct port *port = &model->ports[out];

	hd_credits(model, out)[port->credit_vl] += port->credit_units;
	port->credit_units = 0;
}

/*
 * The buffer of the in-lane that @in_lane refers to is free again by @size: its credit goes back. It
 * is an event where an out-port starves for it; else when it comes is noted at the port, for whoever
 * looks, as long as one is on its way.
 */
static inline void hd_model_return_credit(struct hd_model *model, uint32_t in_lane, uint32_t size)
{
	const struct block *in = hd_block(model, lane_port(in_lane));
	struct port *out = &model->ports[in->peer];

	if (model->gauges)
		hd_gauge_buffer(model, in->peer, lane_vl(in_lane), -(int64_t)size);
	if (out->credit_units && out->credit_time <= model->events.now)
		hd_model_land_credit(model, in->peer);
	if (model->eager_credits || out->credit_units || out->waits & HD_STARVED) {
		hd_events_post(&model->events, in->credit_line,
			       lane_ref(in->peer, lane_vl(in_lane)), size);
		return;
	}
	out->credit_units = size;
	out->credit_vl = lane_vl(in_lane);
	out->credit_time = model->events.now + model->events.lines[in->credit_line].delay;
}

/* The packet is lost. */

/* Some head wants @out. */
static inline bool hd_is_wanted(const struct hd_model *model, uint32_t out)
{
	const uint64_t *requests = hd_requests(model, out);
	uint64_t any = 0;

	for (unsigned i = 0; i < model->n_vls * model->words; i++)
		any |= requests[i];
	return any;
}

/* @node is looked at when this tick's events are through. */
static inline void hd_model_mark_node(struct hd_model *model, uint32_t node)
{
	struct node *n = hd_node(model, node);

	if (n->is_dirty)
		return;
	n->is_dirty = true;
	model->dirty_nodes[model->n_dirty++] = node;
}

/* The same, at its out-port @out. */
static inline void hd_model_mark_any(struct hd_model *model, uint32_t out)
{
	const struct block *block = hd_block(model, out);

	set_bit(hd_dirty(model, block->node), block->local);
	hd_model_mark_node(model, block->node);
}

/* The same for a switch, where something wants the port. */
static inline void hd_model_mark(struct hd_model *model, uint32_t out)
{
	if (hd_is_wanted(model, out))
		hd_model_mark_any(model, out);
}

static inline uint32_t unit_ticks(const struct hd_model *model, uint32_t port)
{
	return model->options.links[model->ports[port].link_class].unit_ticks;
}

/*
 * counters.c: packets on @vls (a bit each) want to leave by @out, which sends nothing; heads want
 * @out, which took none. Until @out takes one, its `waits` is not 0, and a credit makes it be looked at
 * again: bit n is set while VL n's wait is counted, HD_TRIED always, HD_STARVED if a head lacks credits.
 */
void hd_model_begin_wait(struct hd_model *model, uint32_t out, unsigned vls);
void hd_model_wait_for_turn(struct hd_model *model, uint32_t out);
void hd_model_stop_waiting(struct hd_model *model, uint32_t out);

static inline void hd_model_end_wait(struct hd_model *model, uint32_t out)
{
	if (model->ports[out].waits)
		hd_model_stop_waiting(model, out);
}

/* input.c: a packet that may leave its switch; what ends when a transfer does. */
void hd_model_switch_arrive(struct hd_model *model, uint32_t port, uint32_t packet);
void hd_model_switch_enqueue(struct hd_model *model, uint32_t port, uint32_t packet);
void hd_model_switch_done(struct hd_model *model, uint32_t in);

/* The head of @queue is a new one: its out-port is wanted. */
void hd_model_request(struct hd_model *model, uint32_t in, unsigned vl, struct queue *queue);

/* matching.c */
void hd_model_switch_arbitrate(struct hd_model *model, uint32_t node);

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

/* Fetch what hd_model_switch_arrive() will look up and change, each what the one before found. */
void hd_model_fetch_route(const struct hd_model *model, uint32_t in, uint32_t packet);
void hd_model_fetch_out(const struct hd_model *model, uint32_t in, uint32_t packet);
void hd_model_fetch_queue(const struct hd_model *model, uint32_t in, uint32_t packet);

/* look_ahead.c: fetches for the events behind the next one of @line; of the heap. */
void hd_model_look_ahead(const struct hd_model *model, const struct hd_delay_line *line);
void hd_model_look_ahead_late(const struct hd_model *model);

/* host.c: asks the traffic for @host's next message; it is generated; adapters send. */
void hd_model_schedule(struct hd_model *model, uint32_t host);
void hd_model_admit(struct hd_model *model, uint32_t packet);
void hd_model_host_send(struct hd_model *model, uint32_t node);
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

/* gauges.c: for buffers that are empty. */
int hd_gauges_new(struct hd_model *model, struct hd_error *err);

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
