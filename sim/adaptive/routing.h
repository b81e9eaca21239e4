/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routings: packets choose their path, switch by switch, on top of the tables. The tables give the
 * minimal path, the path to an intermediate switch (the "via") and the escape; a routing only
 * offers more. It sees what a switch knows: its own queues and counters, old notices of its group,
 * the packet's header, and the topology. Every routing is one file that exports a const struct
 * hd_routing. So is every trigger, which says when a packet should leave the minimal path.
 *
 * The same functions serve the performance model, which asks for the offers of now, and the proof
 * (proof.h), which asks for all offers that there can ever be.
 */
#ifndef HD_ADAPTIVE_ROUTING_H
#define HD_ADAPTIVE_ROUTING_H

#include "sim/adaptive/switch_view.h"
#include "sim/adaptive/vcs.h"
#include "support/policy.h"

struct hd_flex;
struct hd_groups;

/* Data of a packet in addition to its destination. */
struct hd_header {
	uint32_t via;    /* switch to go to first; HD_NONE: the packet goes to its destination */
	uint8_t place;   /* in the VC rule's sequence, after that of the packet's VC; with groups of
			    VCs, the SL that gives its layer */
	uint8_t hops;    /* links between switches so far */
	uint8_t globals; /* of them, links between groups */
	uint8_t flags;   /* HD_MISROUTED, ... */
};

#define HD_MISROUTED       1u /* it left the minimal path */
#define HD_LOCAL_DETOUR    2u /* it left the minimal path within this group */
#define HD_MUST_LEAVE      4u /* the group, by a link of this switch: the minimal path leads back */
#define HD_MISROUTED_FIRST 8u /* it left the minimal path at its first switch */
#define HD_OUT_OF_ORDER    16u /* it arrived after a later one of its flow */
#define HD_REPLY           32u /* it goes on the VCs of replies, if the rule has such */

/* A counter that forgets: c(t) = alpha c(t - 1) + (1 - alpha) count, a step a cycle. */
struct hd_filter {
	double value;   /* at `since` */
	uint64_t since; /* ticks; the count has not changed since then */
};

/* What a switch knows now. Masks have a bit for each local port. */
struct hd_sight {
	uint64_t now;             /* ticks */
	uint64_t cycle;           /* ticks of one */
	uint64_t free;            /* out-ports that can take a packet from the crossbar */
	const uint64_t *room;     /* [VC] out-ports whose next buffer has room for a packet */
	const uint64_t *room_two; /* [VC] the same for two packets; NULL: nobody asks */
	const uint32_t *occupied; /* [port n_vcs + VC] units in that buffer, or on the link to it */
	const uint32_t *minimal;  /* of them, those of packets on their minimal path; NULL: nobody
				     asks */
	const uint32_t *capacity; /* [link class] units of a VC's buffer */
	const uint16_t
		*contention; /* [port] heads, and packets that leave, whose minimal path leads
				there */
	const struct hd_filter *filters; /* [port] of these; NULL: the trigger needs none */
	const uint16_t *heading; /* [group] heads of injection and global in-ports that go there,
				       and such packets that leave; NULL: the trigger needs none */
	const uint8_t *notices;  /* [switch * notice_bytes] as this switch knows them; NULL */
	const uint32_t *sums;    /* [byte] of these notices, of all switches of its group; NULL */
	uint64_t *random;        /* the switch's */
	struct hd_flows *flows;  /* at switches; NULL: the routing needs none */
	uint32_t packet;         /* units of the largest packet so far */
	unsigned n_vcs;          /* of arrays */
	bool again;              /* set by who is asked: the answer may differ in the next cycle */
};

/* What the tables go by. */
struct hd_passage {
	uint64_t arrived; /* ticks */
	uint32_t source;  /* host */
	uint16_t lid;     /* where the packet goes */
	uint8_t in;       /* local port by which it came */
	uint8_t sl;
};

/* A packet at a switch that is not its destination's. */
struct hd_view {
	const struct hd_shape *shape;
	uint32_t at; /* the switch */
	uint32_t target,
		to;       /* where it goes, and the switch of that; not looked at, but by enter(),
				   while the packet has a via */
	uint8_t in_class; /* enum hd_link_class of the link that it came by */
	uint8_t in_port;  /* local port of that link; HD_NO_PORT: any of a host */
	uint8_t in_vc;    /* VC of that link */
	uint16_t lid;     /* its destination; in the proof, only with groups of VCs */
	struct hd_sight *sight; /* NULL: in the proof */

	/* Only for routings on the tables' VLs, whose proof is that of the tables; else NULL. */
	const struct hd_passage *passage;
};

/* A packet at its host's switch. */
static inline bool hd_view_is_injected(const struct hd_view *view)
{
	return view->in_class == HD_LINK_TERMINAL;
}

/* Next hops that are equal for the routing: any of the ports, on any of the VCs. */
struct hd_offer {
	uint64_t ports;
	uint32_t vcs;
	uint32_t via;   /* the packet's via from then on */
	uint8_t rank;   /* lower ranks go first */
	uint8_t step;   /* for the routing, in took() */
	uint8_t room;   /* number of packets for which the next buffer must have room; 0: one */
	bool is_escape; /* the proof relies on it; at least one offer is an escape */
};

#define HD_MAX_OFFERS 16 /* one for each VL */

struct hd_flows;
struct hd_routed;

struct hd_routing {
	struct hd_policy policy;  /* first */
	const char *vcs;          /* its default VC rule */
	const char *vcs_degraded; /* its default VC rule if parts of a grid are missing; NULL: the
				     same */
	const char *trigger;      /* its default trigger; NULL: it asks none */
	bool needs_groups, needs_grid;
	bool takes_groups;     /* of VCs (vc_groups.h) */
	bool takes_hop_groups; /* groups that each have the VCs of a sequence */
	bool serves_tables;    /* it may also go on the tables' VLs, or on any up to these */
	/* contention counts a head at the one port of its escape; else at the tables' port */
	bool counts_escape;
	bool draws_on_way; /* enter() draws vias behind the first switch, too */
	/*
	 * Of a destination, or of a via, enter(), may(), detours() and took() use only whether it
	 * is at this switch, the tables' port to it, and its group. The proof asks once for all
	 * that are alike in this.
	 */
	bool sees_hop;
	unsigned max_hops; /* most links between switches if groups are fully connected; 0: it
			      depends */

	/*
	 * Reads options into routed->own, from malloc(). HD_EINVAL, HD_ERANGE: no such values;
	 * HD_ENOMEM.
	 */
	int (*init)(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err);

	/* Called when the VC rule is known, too. HD_EINVAL, HD_ENOMEM. NULL: nothing to do. */
	int (*prepare)(struct hd_routed *routed, struct hd_error *err);
	void (*clear)(struct hd_routed *routed); /* frees what own points to; NULL: nothing to do */

	/*
	 * A packet becomes the head of its queue: it may get a via, or has reached its via. The
	 * proof itself tries all vias if detours() says so. NULL: nothing to do.
	 */
	void (*enter)(const struct hd_routed *routed, const struct hd_view *view,
		      struct hd_header *header);

	/* The offers for a head now, at most HD_MAX_OFFERS; returns their number. */
	unsigned (*offer)(const struct hd_routed *routed, const struct hd_view *view,
			  const struct hd_header *header, struct hd_offer *offers);

	/* All offers that offer() could ever give for such a header. */
	unsigned (*may)(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header, struct hd_offer *offers);

	/* Whether enter() might give the packet a via. NULL: never. */
	bool (*detours)(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header);

	/*
	 * The place of a hop by @port on the lowest of its VCs; VCs are the places' for links of
	 * all classes. The number of places: there is none. Afterwards the header has the place of
	 * the VC that was taken. NULL: the next place of the link's class in the VC rule's
	 * sequence; afterwards the header has the place after that.
	 */
	unsigned (*place)(const struct hd_routed *routed, const struct hd_view *view,
			  const struct hd_header *header, unsigned port);

	/*
	 * The packet at @view took @offer. hd_routed_take() has changed the header already, except
	 * the routing's own data there. NULL: nothing to do.
	 */
	void (*took)(const struct hd_routed *routed, const struct hd_view *view,
		     struct hd_header *header, const struct hd_offer *offer);
};

/* Steps of offers. */
enum {
	HD_STEP_ON,     /* on the path to its target */
	HD_STEP_GLOBAL, /* by another link out of the group */
	/*
	 * by another link within the group, on the VC of the local hop before, if any: the place
	 * stays
	 */
	HD_STEP_LOCAL,
	HD_STEP_ASIDE, /* by another link in a grid */
};

struct hd_trigger {
	struct hd_policy policy; /* first */
	bool needs_filters, needs_heading, needs_sums;
	int (*init)(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err);

	/* Whether a packet whose minimal path leads by @port and @vcs should look for another. */
	bool (*leaves)(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		       uint32_t vcs);

	/* The ports of @others, on @other_vcs, that are worth it. */
	uint64_t (*worth)(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
			  uint32_t vcs, uint64_t others, uint32_t other_vcs);
};

/* A routing with its options, for one topology. */
struct hd_routed {
	const struct hd_routing *routing;
	const struct hd_trigger *trigger; /* NULL: none */
	const struct hd_shape *shape;
	struct hd_vcs vcs;
	struct hd_flex *flex;     /* hops have several VCs (flexvc.h); NULL: one each */
	struct hd_groups *groups; /* VCs are in groups (vc_groups.h); NULL: they are not */
	void *own, *trigger_own;  /* options */
	double filter_alpha;      /* of filters, if the trigger needs them */
	bool in_cycles;           /* the clock counts cycles; else a tick is a picosecond */
	bool needs_flows;         /* switches remember flows */
	bool needs_minimal;       /* switches count credits of packets on minimal paths
				     separately */
	bool counts_order;        /* packets that arrive out of order are counted */
	char *text;               /* the whole specification, as a user would write it */

	/* Notices, of the routing or its trigger. */
	void (*notice)(const struct hd_routed *routed, const struct hd_view *view, uint8_t *bytes);
	unsigned notice_bytes;  /* bytes of a switch's notice; 0: no notices */
	unsigned notice_period; /* cycles */
	unsigned notice_delay;  /* cycles; HD_BY_LINK: the delay of a local link */
};

#define HD_BY_LINK UINT32_MAX

/* Whether it goes on the VLs of the tables, so that the tables' proof is its proof. */
bool hd_routing_is_by_tables(const struct hd_routing *routing);

/* Whether @adaptive or @vcs, as users write them, need a grid. */
bool hd_routed_needs_grid(const char *adaptive, const char *vcs);

/*
 * The routing to which @vcs belongs if @adaptive names none (empty or NULL): groups of VCs have
 * one.
 */
const char *hd_routed_adaptive(const char *adaptive, const char *vcs);

extern const struct hd_registry hd_routings;
extern const struct hd_registry hd_triggers;

/* What users write; empty or NULL: the routing's defaults. */
struct hd_routed_spec {
	const char *adaptive; /* "olm:policy=mm" */
	const char *trigger;
	const char *vcs;
	bool in_cycles; /* the clock counts cycles */
};

enum hd_routed_part { HD_ROUTED_ADAPTIVE, HD_ROUTED_TRIGGER, HD_ROUTED_VCS };

/*
 * @shape must exist longer than the result. Free with hd_routed_free(). HD_EINVAL, HD_ERANGE: no
 * such names or options, or a topology that the routing does not serve; @culprit gets the part of
 * @spec with the error; HD_ENOMEM.
 */
int hd_routed_new(const struct hd_routed_spec *spec, const struct hd_shape *shape,
		  struct hd_routed **routed, enum hd_routed_part *culprit, struct hd_error *err);
void hd_routed_free(struct hd_routed *routed);

/* The header of a packet at its host. */
static inline struct hd_header hd_routed_begin(const struct hd_routed *routed, bool is_reply)
{
	struct hd_header header = { .via = HD_NONE };

	if (!is_reply || !hd_vcs_has_replies(&routed->vcs))
		return header;
	header.flags = HD_REPLY;
	/* flexible VCs ascend from the first one */
	/* cppcheck-suppress nullPointer ; @is_reply goes with a routing only */
	header.place = routed->flex ? 0 : (uint8_t)(routed->vcs.n_requests + 1);
	return header;
}

/*
 * The packet at @view leaves by @port and @vc, as in @offer: hops, globals, place and via change.
 * HD_MISROUTED is set if the hop is not on the tables' path. Leaving a group ends all decisions
 * made within it.
 */
void hd_routed_take(const struct hd_routed *routed, const struct hd_view *view,
		    struct hd_header *header, const struct hd_offer *offer, unsigned port,
		    unsigned vc);

/* A random number below @n, which is not 0, from the switch's stream. */
static inline uint32_t hd_sight_below(struct hd_sight *sight, uint32_t n)
{
	uint64_t x = *sight->random += UINT64_C(0x9E3779B97F4A7C15);

	/* SplitMix64 (Steele et al., OOPSLA 2014) */
	x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
	x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
	x ^= x >> 31;
	return (uint32_t)((x >> 32) * n >> 32);
}

/* The routings and triggers there are: one file each, listed in routings.c and nowhere else. */
extern const struct hd_routing hd_routing_ar;
extern const struct hd_routing hd_routing_dal;
extern const struct hd_routing hd_routing_minimal;
extern const struct hd_routing hd_routing_olm;
extern const struct hd_routing hd_routing_par;
extern const struct hd_routing hd_routing_pb;
extern const struct hd_routing hd_routing_trunk;
extern const struct hd_routing hd_routing_ugal;
extern const struct hd_routing hd_routing_valiant;

extern const struct hd_trigger hd_trigger_contention;
extern const struct hd_trigger hd_trigger_credits;
extern const struct hd_trigger hd_trigger_ectn;
extern const struct hd_trigger hd_trigger_filtered;
extern const struct hd_trigger hd_trigger_hybrid;
extern const struct hd_trigger hd_trigger_probability;

#endif
