/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Routings: packets choose their way, switch by switch, on top of the tables. The tables stay the
 * minimal way, the way to an intermediate switch and the escape; a routing only offers more. It is
 * given what a switch knows: its own queues and counters, notices of its group that are a while
 * old, the packet's header, the shape. Every routing is one file that exports a const struct
 * hd_routing; so is every trigger, which says when a packet should leave the minimal way.
 *
 * The same functions serve the performance model, which asks for what a packet may do now, and the
 * proof (proof.h), which asks for all that it might ever do.
 */
#ifndef HD_ADAPTIVE_ROUTING_H
#define HD_ADAPTIVE_ROUTING_H

#include "sim/adaptive/switch_view.h"
#include "sim/adaptive/vcs.h"
#include "support/policy.h"

struct hd_flex;
struct hd_groups;

/* What a packet carries beside its destination. */
struct hd_header {
	uint32_t via;    /* switch to go to first; HD_NONE: it goes to its destination */
	uint8_t place;   /* in the VC rule's sequence, behind that of the VC that it is on; with
			    groups of VCs, the SL by which it has its layer */
	uint8_t hops;    /* links between switches until now */
	uint8_t globals; /* of them, links between groups */
	uint8_t flags;   /* HD_MISROUTED, ... */
};

#define HD_MISROUTED       1u  /* it left the minimal way */
#define HD_LOCAL_DETOUR    2u  /* it did so within this group */
#define HD_MUST_LEAVE      4u  /* the group, by a link of this switch: the minimal way leads back */
#define HD_MISROUTED_FIRST 8u  /* it left the minimal way at its first switch */
#define HD_OUT_OF_ORDER    16u /* it arrived after a later one of its flow */
#define HD_REPLY           32u /* it goes on the VCs of replies, where the rule has some */

/* A counter that forgets: c(t) = alpha c(t - 1) + (1 - alpha) count, a step a cycle. */
struct hd_filter {
	double value;   /* at... */
	uint64_t since; /* ticks; the count has been the same from then on */
};

/* What a switch has and knows now. Masks have a bit for each local port. */
struct hd_sight {
	uint64_t now;             /* ticks */
	uint64_t cycle;           /* ticks of one */
	uint64_t free;            /* out-ports that can take a packet from the crossbar */
	const uint64_t *room;     /* [VC] out-ports behind whose links a packet has room */
	const uint64_t *room_two; /* [VC] the same for two packets; NULL: nobody asks */
	const uint32_t *occupied; /* [port * n_vcs + VC] units in that buffer, or on their way */
	const uint32_t *minimal;  /* of them, those of packets on their minimal way; NULL: nobody
				     asks */
	const uint32_t *capacity; /* [link class] units of a VC's buffer */
	const uint16_t
		*contention; /* [port] heads, and packets that leave, whose minimal way it is */
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
	uint8_t in_vc;    /* VC that it came on */
	uint16_t lid;     /* where it goes; by the proof, with groups of VCs alone */
	struct hd_sight *sight; /* NULL: by the proof */

	/* For routings on the tables' VLs alone, whose proof is that of the tables; else NULL. */
	const struct hd_passage *passage;
};

/* A packet at its host's switch. */
static inline bool hd_view_is_injected(const struct hd_view *view)
{
	return view->in_class == HD_LINK_TERMINAL;
}

/* Ways on that are alike to the routing: any of the ports, on any of the VCs. */
struct hd_offer {
	uint64_t ports;
	uint32_t vcs;
	uint32_t via;   /* that the packet has from then on */
	uint8_t rank;   /* lower ones go first */
	uint8_t step;   /* what the routing makes of it in took() */
	uint8_t room;   /* packets that the next buffer must have room for; 0: one */
	bool is_escape; /* what proofs rest on: one way at least is */
};

#define HD_MAX_OFFERS 16 /* one for each VL */

struct hd_flows;
struct hd_routed;

struct hd_routing {
	struct hd_policy policy;  /* first */
	const char *vcs;          /* its VC rule unless users say another */
	const char *vcs_degraded; /* the same, where parts of a grid are missing; NULL: the same */
	const char *trigger;      /* its trigger unless users say another; NULL: it asks none */
	bool needs_groups, needs_grid;
	bool takes_groups;     /* of VCs (vc_groups.h) */
	bool takes_hop_groups; /* those that have the VCs of a sequence each */
	bool serves_tables;    /* it may go on the tables' VLs too, or on any up to these */
	/* contention counts a head at the one port of its escape; else at the tables' */
	bool counts_escape;
	unsigned max_hops; /* links between switches, where groups are fully connected; 0: it
			      depends */

	/* Options: routed->own, by malloc(). HD_EINVAL, HD_ERANGE: no such values; HD_ENOMEM. */
	int (*init)(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err);

	/* When the VC rule is known too. HD_EINVAL, HD_ENOMEM. NULL: nothing. */
	int (*prepare)(struct hd_routed *routed, struct hd_error *err);
	void (*clear)(struct hd_routed *routed); /* what own points to; NULL: nothing */

	/*
	 * A packet becomes the head of its queue: it may get a via, or has reached the one that it
	 * had. The proof tries all of them itself where detours() says so. NULL: nothing.
	 */
	void (*enter)(const struct hd_routed *routed, const struct hd_view *view,
		      struct hd_header *header);

	/* What a head may do now, HD_MAX_OFFERS at most; returns how many. */
	unsigned (*offer)(const struct hd_routed *routed, const struct hd_view *view,
			  const struct hd_header *header, struct hd_offer *offers);

	/* All that offer() could ever say of such a header. */
	unsigned (*may)(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header, struct hd_offer *offers);

	/* Whether enter() might give it a via. NULL: never. */
	bool (*detours)(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header);

	/*
	 * The place of a hop by @port on the lowest of its VCs, which are the places' for links of
	 * all classes; the number of places, if there is none. The header's behind it is that of
	 * the VC taken. NULL: the next one of the link's class in the VC rule's sequence, and the
	 * header has what follows.
	 */
	unsigned (*place)(const struct hd_routed *routed, const struct hd_view *view,
			  const struct hd_header *header, unsigned port);

	/*
	 * The packet at @view took @offer. hd_routed_take() has changed the header already, but for
	 * what the routing itself remembers there. NULL: nothing.
	 */
	void (*took)(const struct hd_routed *routed, const struct hd_view *view,
		     struct hd_header *header, const struct hd_offer *offer);
};

/* Steps of offers. */
enum {
	HD_STEP_ON,     /* the way to where it goes */
	HD_STEP_GLOBAL, /* another one out of the group */
	/* another way within the group, on the VC of the local hop before, if any: the place stays */
	HD_STEP_LOCAL,
	HD_STEP_ASIDE, /* another way in a grid */
};

struct hd_trigger {
	struct hd_policy policy; /* first */
	bool needs_filters, needs_heading, needs_sums;
	int (*init)(struct hd_routed *routed, const struct hd_params *params, struct hd_error *err);

	/* Whether a packet whose minimal way is by @port and @vcs should look for another. */
	bool (*leaves)(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
		       uint32_t vcs);

	/* Of @others, to be taken on @other_vcs, those that are worth it. */
	uint64_t (*worth)(const struct hd_routed *routed, const struct hd_view *view, unsigned port,
			  uint32_t vcs, uint64_t others, uint32_t other_vcs);
};

/* A routing with its options, for one shape. */
struct hd_routed {
	const struct hd_routing *routing;
	const struct hd_trigger *trigger; /* NULL: none */
	const struct hd_shape *shape;
	struct hd_vcs vcs;
	struct hd_flex *flex;     /* hops have several VCs (flexvc.h); NULL: one each */
	struct hd_groups *groups; /* VCs are in groups (vc_groups.h); NULL: they are not */
	void *own, *trigger_own;  /* options */
	double filter_alpha;      /* of filters, where the trigger needs them */
	bool in_cycles;           /* the clock counts cycles; else a tick is a picosecond */
	bool needs_flows;         /* switches remember flows */
	bool needs_minimal;       /* switches tell minimal packets' credits from others' */
	bool counts_order;        /* packets that arrive out of order are counted */
	char *text;               /* all of it, as a user would write it */

	/* Notices, by the routing or its trigger. */
	void (*notice)(const struct hd_routed *routed, const struct hd_view *view, uint8_t *bytes);
	unsigned notice_bytes;  /* of a switch; 0: there are none */
	unsigned notice_period; /* cycles */
	unsigned notice_delay;  /* cycles; HD_BY_LINK: what a local link takes */
};

#define HD_BY_LINK UINT32_MAX

/* Whether it goes on the VLs of the tables, whose proof is its own. */
bool hd_routing_is_by_tables(const struct hd_routing *routing);

/* Whether @adaptive or @vcs, as users say them, name what looks for a grid. */
bool hd_routed_needs_grid(const char *adaptive, const char *vcs);

extern const struct hd_registry hd_routings;
extern const struct hd_registry hd_triggers;

/* What users say; empty or NULL: the routing's own. */
struct hd_routed_spec {
	const char *adaptive; /* "olm:policy=mm" */
	const char *trigger;
	const char *vcs;
	bool in_cycles; /* the clock counts cycles */
};

enum hd_routed_part { HD_ROUTED_ADAPTIVE, HD_ROUTED_TRIGGER, HD_ROUTED_VCS };

/*
 * @shape must outlive it. Free with hd_routed_free(). HD_EINVAL, HD_ERANGE: no such names or
 * options, or a shape that the routing does not serve, and @culprit is the part of @spec that it is
 * about; HD_ENOMEM.
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
	/* flexible VCs ascend from the first one on */
	/* cppcheck-suppress nullPointer ; @is_reply goes with a routing only */
	header.place = routed->flex ? 0 : (uint8_t)(routed->vcs.n_requests + 1);
	return header;
}

/*
 * The packet at @view leaves by @port and @vc, as @offer says: hops, globals, place and via change,
 * HD_MISROUTED is set where the way is none of the tables', and leaving a group ends what was
 * decided within it.
 */
void hd_routed_take(const struct hd_routed *routed, const struct hd_view *view,
		    struct hd_header *header, const struct hd_offer *offer, unsigned port,
		    unsigned vc);

/* A number below @n, which is not 0, of the switch's. */
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
