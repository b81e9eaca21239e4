/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VC rules: the VC of a packet's next hop. Every rule is one file that exports a const struct
 * hd_vc_rule. All rules but "tables" and "groups" have a sequence, "l g l l g l": the reference
 * path, in which the i-th link of a class has that class's VC i. It may have a second part for
 * replies, "l g l + l g l", with a place of no class between the parts.
 */
#ifndef HD_ADAPTIVE_VCS_H
#define HD_ADAPTIVE_VCS_H

#include <stdbool.h>
#include <stdint.h>

#include "sl2vl/lanes.h"
#include "support/policy.h"
#include "topologies/link_class.h"

struct hd_error;
struct hd_routed;
struct hd_vc_rule;

/* Bits for the VCs of a port: more VCs than VLs, for switches that choose VCs packet by packet. */
#define HD_VC_BITS 5
#define HD_MAX_VCS (1u << HD_VC_BITS)

#define HD_MAX_PLACES 32
#define HD_NO_VC      255
#define HD_NO_CLASS   HD_LINK_CLASSES /* of the place between requests and replies */

/* Groups of VCs, as users write them (vc_groups.h). */
struct hd_vc_groups {
	struct hd_queues queues; /* the group of a packet, and how many groups there are */
	unsigned n_vcs;          /* of all groups */
	bool has_escape, stays;
	bool by_hop; /* each group has the VCs of a sequence */
};

struct hd_vcs {
	const struct hd_vc_rule *rule;
	struct hd_vc_groups groups; /* n_vcs 0: another rule */
	char text[96];              /* "l g l g l", "l g l + l g l" */
	bool by_tables;   /* "tables": there are no places, and n is the largest number of VLs */
	bool is_range;    /* by_tables: every VL up to the tables' */
	uint8_t n_range;  /* with is_range: VCs of a port; 0: as many as the tables' layers */
	uint8_t n_layers; /* with is_range: layers of the tables ... */
	uint8_t in_front; /* ... and how many VCs are before those of the layers */
	unsigned n_places;
	unsigned n_requests; /* places of requests; if there are replies, theirs begin after the
				next place */
	uint8_t place_class[HD_MAX_PLACES]; /* enum hd_link_class of each place; HD_NO_CLASS */
	uint8_t n[HD_LINK_CLASSES];         /* VCs of each class */
	uint8_t last[HD_LINK_CLASSES];      /* the last one of the sequence */

	/*
	 * [place][class] the first place of the class from that place on, in the same part;
	 * n_places: there is none
	 */
	uint8_t next[HD_MAX_PLACES + 1][HD_LINK_CLASSES];
	uint8_t vc[HD_MAX_PLACES]; /* [place] */
};

struct hd_vc_rule {
	struct hd_policy policy; /* first */

	/* Fills in all of @vcs but the rule. @spec is the user's text. HD_EINVAL. */
	int (*init)(struct hd_vcs *vcs, const struct hd_params *params, const char *spec,
		    struct hd_error *err);

	/* Prepares for the paths of a routing's topology. NULL: nothing to do. */
	int (*prepare)(struct hd_routed *routed, struct hd_error *err);
};

extern const struct hd_registry hd_vc_rules;
extern const struct hd_vc_rule hd_vcs_flexvc, hd_vcs_groups, hd_vcs_hop, hd_vcs_tables;

/* @spec: "tables", "hop:3/2". HD_EINVAL: no such rule; HD_ENOMEM. */
int hd_vcs_parse(const char *spec, struct hd_vcs *vcs, struct hd_error *err);

/* For rules: adds a link of @link_class, 'l' or 'g'. False: too many. */
bool hd_vcs_add(struct hd_vcs *vcs, char link_class);

/* Reads "4/2", or with replies "4/2+2/1": @add adds each part, and tells whether it is valid. */
bool hd_vcs_add_parts(struct hd_vcs *vcs, const char *text,
		      bool (*add)(struct hd_vcs *vcs, const char *text));

/* The same for "l g l", also without blanks, or "3", for three local links. */
bool hd_vcs_add_sequence(struct hd_vcs *vcs, const char *text);

/* The same for "3/2", a sequence of the literature; else as hd_vcs_add_sequence(). */
bool hd_vcs_add_known(struct hd_vcs *vcs, const char *text);

/* Completes the sequence. */
void hd_vcs_index(struct hd_vcs *vcs);

/* Returns HD_EINVAL with the message that @spec is not valid. */
int hd_vcs_refuse(const char *spec, const char *known, struct hd_error *err);

/* Sequences of the literature: l g l, l g l g l, l g l l g l, l l g l l g l. */
struct hd_vcs_known {
	uint8_t n[HD_LINK_CLASSES];
	const char *numbers, *sequence; /* "3/2" */
};

#define HD_VCS_KNOWN 4

extern const struct hd_vcs_known hd_vcs_known[HD_VCS_KNOWN];

/* Whether replies have places of their own. */
static inline bool hd_vcs_has_replies(const struct hd_vcs *vcs)
{
	return vcs->n_requests < vcs->n_places;
}

/*
 * The place of a hop by a link of @link_class that follows @place; n_places: the sequence is over.
 */
static inline unsigned hd_vcs_next(const struct hd_vcs *vcs, unsigned place, unsigned link_class)
{
	return vcs->next[place][link_class];
}

/*
 * The VC of that hop. After the end of the sequence, it is the class's last VC, which other hops
 * have, too: the proof shows whether that is sound.
 */
static inline unsigned hd_vcs_vc(const struct hd_vcs *vcs, unsigned place, unsigned link_class)
{
	unsigned next = vcs->next[place][link_class];

	return next < vcs->n_places ? vcs->vc[next] : vcs->last[link_class];
}

/*
 * The VC of the last hop of @link_class before @place, which may be used again; without such a hop,
 * the first VC.
 */
static inline unsigned hd_vcs_again(const struct hd_vcs *vcs, unsigned place, unsigned link_class)
{
	while (place && vcs->place_class[place - 1] != HD_NO_CLASS)
		if (vcs->place_class[--place] == link_class)
			return vcs->vc[place];
	return hd_vcs_vc(vcs, place, link_class);
}

#endif
