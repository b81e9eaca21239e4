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
	HD_EVENT_ARRIVE,   /* a: port, b: packet; its head may leave the switch from now on */
	HD_EVENT_DONE,     /* a: out-port, b: reference of the in-lane, HD_NONE at a host */
	HD_EVENT_CREDIT,   /* a: reference of the out-lane, b: units */
	HD_EVENT_DELIVER,  /* a: port, b: packet; its tail is at the host */
	HD_EVENT_GENERATE, /* a: host */
	HD_EVENT_RETRY,    /* a: switch whose matching left pairs over */
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
	uint32_t head, tail; /* HD_NONE: empty */
	uint32_t size;       /* of the head */
	uint8_t out_vl;      /* of the head */
};

struct port {
	uint32_t peer;
	uint32_t node;
	uint32_t fabric_port;
	uint32_t sending; /* the packet on the link; HD_NONE: idle */
	uint16_t turn;    /* round robin of the out-port: the in-port where the search begins */
	uint16_t vl_turn;
	uint16_t accept;     /* of the in-port: the out-port that it would accept first */
	uint32_t queues;     /* first of its input queues in hd_model.queues */
	uint16_t local;      /* index among its node's ports */
	uint8_t link_class;  /* enum hd_link_class */
	uint8_t arrive_line; /* delay lines of what goes out here */
	uint8_t deliver_line;
	uint8_t credit_line; /* of credits that go out here */
};

/* A switch or a host adapter. Bit i of a mask is the node's port i; there are `words` of them. */
struct node {
	uint32_t first_port, n_ports;
	bool is_switch, is_dirty;
};

#define DONE_SIZES 4 /* packet sizes whose lines a link class remembers */

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
	uint32_t *port_of;  /* [fabric ports], HD_NONE where no link is */
	struct node *nodes; /* [fabric nodes] */

	uint32_t *credits; /* [out-lane] units */
	uint64_t *busy;    /* [out-lane] ticks */
	struct queue *queues;
	uint64_t *requests; /* [(out-port * n_vls + in-VL) * words] in-ports whose head wants it */
	uint64_t *wants;    /* [(in-port * n_vls + in-VL) * words] out-ports that its heads want */
	uint64_t *in_free;  /* [node * words] in-ports that send nothing */
	uint64_t *out_free;
	uint64_t *dirty; /* out-ports to be arbitrated at the end of this tick */
	uint32_t *dirty_nodes;
	uint32_t n_dirty;

	struct packet *packets;
	uint32_t n_packets, size_packets;
	uint32_t free_packet; /* list by next */

	uint32_t n_hosts;
	uint32_t *host_ports; /* [host] */

	struct {
		uint32_t size;
		unsigned line;
	} done_lines[HD_LINK_CLASSES][DONE_SIZES];

	unsigned retry_line;

	/* deadlock.c */
	uint64_t deadlock_interval, next_check;
	uint32_t *heads; /* [in-lane] what the queues' heads were at the last check, hashed */
	struct hd_wait *cycle;
	size_t n_cycle;

	struct hd_model_census census;
	bool started;
	uint32_t smallest_buffer; /* of all in use */
	uint32_t too_large;       /* size of a packet that exceeds a buffer; 0: none */
};

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

static inline uint32_t queue_index(const struct hd_model *model, uint32_t in, unsigned vl,
				   uint32_t out)
{
	const struct port *port = &model->ports[in];

	if (!model->options.voq)
		return port->queues + vl;
	return port->queues + vl * model->nodes[port->node].n_ports + model->ports[out].local;
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

/* Sends the head of @queue, of the in-lane @in_lane refers to (HD_NONE: a host's), out of @out. */
void hd_model_transmit(struct hd_model *model, struct queue *queue, uint32_t out, uint32_t in_lane);

/* The packet is lost. */
void hd_model_drop(struct hd_model *model, uint32_t packet);

void hd_model_mark(struct hd_model *model, uint32_t out);

/* switch.c: a packet that may leave its switch; what ends when a transmission does; arbitration. */
void hd_model_switch_arrive(struct hd_model *model, uint32_t port, uint32_t packet);
void hd_model_switch_done(struct hd_model *model, uint32_t in);
void hd_model_switch_arbitrate(struct hd_model *model, uint32_t node);

/* Fetches what hd_model_switch_arrive() will look up, and then what it will change. */
void hd_model_switch_prefetch_route(const struct hd_model *model, uint32_t port, uint32_t packet);
void hd_model_switch_prefetch_queue(const struct hd_model *model, uint32_t port, uint32_t packet);

/* host.c: asks the traffic for @host's next message; it is generated; adapters send. */
void hd_model_schedule(struct hd_model *model, uint32_t host);
void hd_model_admit(struct hd_model *model, uint32_t packet);
void hd_model_host_send(struct hd_model *model, uint32_t node);
void hd_model_release(struct hd_model *model, uint32_t packet);

/* deadlock.c: prepares; whether packets wait in a circle; then `cycle` says where. */
void hd_model_deadlock_init(struct hd_model *model);
bool hd_model_is_deadlocked(struct hd_model *model);

#endif
