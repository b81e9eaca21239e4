/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The switch with VC allocation: the input-queued router of cycle-accurate simulators of networks
 * on chip (Dally and Towles, chapters 16 to 19; BookSim2). It moves flits, one unit each:
 *
 *	in-port, a FIFO per VC -> route -> VC allocation -> switch allocation -> crossbar -> link
 *
 * The head of a packet asks for a VC of its out-port, among those of its VL's class that no other
 * packet has. The packet has that VC until its tail has crossed. Its flits ask for the crossbar one
 * by one, and each needs a unit of credit. Credits count flits, so a packet may be longer than a
 * buffer.
 *
 * All switches work in cycles: a cycle is the time of a flit on a link. The stages of the pipeline
 * take whole cycles and are the end of switch.latency; what is left of it comes before the FIFO.
 *
 * A run has a loop of its own (vc_run.c) in place of the machine; its events are the traffic's
 * only.
 */
#ifndef HD_SWITCHES_VC_H
#define HD_SWITCHES_VC_H

#include "sim/model/state.h"

/* Where the packet at the head of an in-VC is in the pipeline. */
enum hd_vc_state {
	HD_VC_IDLE,    /* the FIFO is empty, and no packet has it */
	HD_VC_WAITING, /* the head asks for an out-VC, from `ready` on */
	HD_VC_GRANTED, /* the head has one at `ready`, if that is still free then */
	HD_VC_ACTIVE, /* the packet has an out-VC; its flits ask for the crossbar from `ready` on */
	HD_VC_DROPPED, /* the tables drop the packet: its flits vanish as they come */
};

/* The flits of one packet in a FIFO. */
struct hd_vc_run {
	uint32_t packet;
	uint32_t flits;
	uint32_t next; /* HD_NONE: the last */
};

/* A VC of an in-port; at a host, which takes in everything, only to_come is in use. */
struct hd_in_vc {
	uint64_t ready;          /* cycle */
	uint64_t crosses_at;     /* cycle, with `crosses` */
	uint32_t first, last;    /* runs of the FIFO; HD_NONE: it is empty */
	uint32_t flits;          /* in the FIFO */
	uint32_t to_come;        /* of the last packet, flits that have not come yet */
	uint32_t to_go;          /* of the packet at the head, flits that have not crossed yet */
	uint32_t out;            /* out-port of the packet at the head */
	uint32_t place;          /* in its switch's list of busy in-VCs */
	uint32_t moved, told;    /* flits that crossed; the same at the last search for deadlock */
	uint8_t state;           /* enum hd_vc_state */
	uint8_t first_vc, n_vcs; /* those of the out-port that the packet may have */
	uint8_t out_vc;
	bool crosses; /* the crossbar takes its next flit at crosses_at */
	bool is_busy; /* in that list, since it has flits */
};

/* A VC of an out-port, of a switch or a host. */
struct hd_out_vc {
	uint32_t credits;
	uint32_t owner; /* in-lane whose packet has it; at a host the packet; HD_NONE: it is free */
};

/* A port of a switch: whose turn it is, and whole packets. */
struct hd_vc_port {
	uint32_t used;    /* as an out-port: units of all its VCs whose credits are not here */
	uint32_t held_by; /* the local in-port whose packet crosses to here; HD_NONE */
	uint8_t turn;     /* of the VCs of the in-port */
	uint8_t held_vc;  /* the VC whose packet crosses from here, if `holds` */
	bool holds;
};

/* A host. */
struct hd_vc_host {
	uint32_t packet; /* that leaves; HD_NONE: none */
	uint32_t left;   /* flits of it that have not left */
	uint8_t vc;      /* of the packet that leaves, or the last that left */
	bool is_listed;  /* in hd_vc.sends */
};

/*
 * A flit of @packet that comes to an in-lane, or with HD_NONE a credit that comes to an out-lane.
 */
struct hd_vc_arrival {
	uint32_t lane, packet;
};

/* What arrives in a cycle. */
struct hd_vc_slot {
	struct hd_vc_arrival *arrivals;
	uint32_t n, size;
};

/* @in asks for @out. */
struct hd_vc_request {
	uint32_t in, out;
	uint8_t rank;  /* higher ranks go first, with allocator input */
	uint8_t label; /* the VC that asks */
};

/* One matching of requests, and arrays that it needs. */
struct hd_vc_matching {
	struct hd_vc_request *requests;
	uint32_t n;
	uint32_t *in_match, *out_match; /* [in], [out] the request that is matched; HD_NONE */
	uint32_t *in_best, *out_best;   /* the same of one round */
	uint32_t *of_pair;              /* [in-port * ports + out-port] request of the crossbar */
};

/* Which port a packet takes where the tables lead up a tree (vc_up.c). */
enum hd_vc_up_choice {
	HD_VC_UP_TABLES,
	HD_VC_UP_RANDOM,
	HD_VC_UP_TWO, /* of two random ones, the one behind which less is in use */
};

struct hd_vc_options {
	enum hd_vc_up_choice up;
	unsigned vcs;                                  /* of a link; 0: as many as VLs */
	unsigned routing, vc, cross, crossbar, credit; /* cycles of the stages */
	bool is_speculative; /* a head asks for a VC and for the crossbar in the same cycle */
	bool is_whole;       /* a packet keeps the crossbar while its flits come */
	bool has_any_vc;     /* hosts' links: any VC, not only those of the VL's class */
	bool waits_for_tail; /* a VC is free only when its buffer is empty again */
};

struct hd_vc {
	struct hd_vc_options options;
	uint64_t ticks; /* of a cycle */
	uint64_t cycle; /* the next one, or the present one */
	unsigned n_vcs; /* of a port: model->n_vls */
	unsigned per_class;
	unsigned input;                   /* cycles from a flit's arrival to its FIFO */
	unsigned delays[HD_LINK_CLASSES]; /* cycles of propagation */
	uint32_t buffers[HD_LINK_CLASSES];
	struct hd_in_vc *ins;                 /* [lane] */
	struct hd_out_vc *outs;               /* [lane] */
	struct hd_vc_port *ports;             /* [port] of switches */
	struct hd_vc_host *hosts;             /* [host port] */
	uint32_t *vc_accept, *vc_grant;       /* [lane] turns of the VC allocator */
	uint32_t *cross_accept, *cross_grant; /* [port] turns of the crossbar's */
	uint32_t *busy;                       /* [lane] lists of busy in-VCs, switch after switch */
	uint32_t *n_busy;                     /* [switch] */
	bool *is_at_work;                     /* [switch] in at_work */
	uint32_t *at_work;                    /* switches with busy in-VCs */
	uint32_t *sends;                      /* hosts' ports with something to send */
	uint32_t n_at_work, n_sends;
	struct hd_vc_run *runs;
	uint32_t n_runs, size_runs, free_run;
	struct hd_vc_slot *slots; /* [cycle % n_slots] */
	uint32_t n_slots;         /* a power of two */
	uint64_t n_on_way;        /* arrivals in slots */
	struct hd_vc_matching matching;
	struct hd_vc_up *up; /* NULL: packets go by the tables */
};

static inline struct hd_vc *hd_vc(const struct hd_model *model)
{
	return (struct hd_vc *)model->own;
}

static inline uint32_t hd_vc_lane(const struct hd_vc *own, uint32_t port, unsigned vc)
{
	return port * own->n_vcs + vc;
}

/* The first lane of switch @at, and how many lanes follow. */
static inline uint32_t hd_vc_first_lane(const struct hd_model *model, uint32_t at)
{
	return hd_first_port(model, at) * hd_vc(model)->n_vcs;
}

static inline uint32_t hd_vc_lanes(const struct hd_model *model, uint32_t at)
{
	return model->network.n_locals[at] * (uint32_t)hd_vc(model)->n_vcs;
}

/* Whether another packet may have the VC of @out-lane. */
static inline bool hd_vc_is_free(const struct hd_model *model, uint32_t out_lane)
{
	const struct hd_vc *own = hd_vc(model);
	const struct hd_out_vc *out = &own->outs[out_lane];

	return out->owner == HD_NONE &&
	       (!own->options.waits_for_tail ||
		out->credits == own->buffers[hd_sender(model, out_lane / own->n_vcs)->link_class]);
}

/* vc_allocate.c: a cycle of switch @at. In-VCs that wait get out-VCs. */
void hd_vc_allocate(struct hd_model *model, uint32_t at);

/* The crossbar takes flits: those of which in-VCs. */
void hd_vc_match(struct hd_model *model, uint32_t at);

/* vc_waits.c: as hd_model_is_deadlocked(). */
bool hd_vc_is_deadlocked(struct hd_model *model);

/* As verify() of struct hd_switch_model. */
const char *hd_vc_verify(const struct hd_model *model, uint32_t port);

/* vc_up.c: free *@up also after an error. HD_EINVAL: the tables are not those of a tree. */
int hd_vc_up_new(const struct hd_model *model, struct hd_vc_up **up, struct hd_error *err);
void hd_vc_up_free(struct hd_vc_up *up);

/* The out-port of a packet to @host that the tables send from @at by @out. */
uint32_t hd_vc_up_port(const struct hd_model *model, uint32_t at, uint32_t host, uint32_t out);

/* vc_run.c: as hd_model_run(). */
int hd_vc_run(struct hd_model *model, uint64_t until, struct hd_error *err);

#endif
