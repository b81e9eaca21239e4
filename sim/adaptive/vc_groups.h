/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VCs in groups (Penaranda et al., XORDET and XORADAP, 2017, section 4): a queue rule gives a
 * packet's group on a link, usually by the packet's destination, so that packets of other groups do
 * not stand before it. Within its group a packet may have any VC.
 *
 *	with an escape     VC = group * VCs of a group + i; behind all groups are as many VCs as the
 *	                   tables have VLs, the escape, which all groups share: there a packet goes
 *	                   as the tables say, and begins anew wherever it enters. It enters where
 *	                   nothing else has room, and leaves again by any way along the dimension
 *	                   that it came by, or a later one (Table 4); or, if it stays, never.
 *	without an escape  VC = layer * VCs of all groups + group * VCs of a group + i, where the
 *	                   layer is the tables' VL: packets go on the tables' layers.
 *
 *	by hop             VC = place's VC * VCs of all groups + group * VCs of a group + i: each
 *	                   group has the VCs of a sequence as rule hop has it, so that routings of
 *	                   that rule go with groups. The group is one all the way.
 *
 * With bubble flow control, a packet that enters a ring needs room for two packets there: on all
 * VCs, or, with an escape, only on the escape.
 */
#ifndef HD_ADAPTIVE_VC_GROUPS_H
#define HD_ADAPTIVE_VC_GROUPS_H

#include "sim/adaptive/routing.h"

struct hd_groups {
	unsigned n_vcs;     /* of all groups */
	unsigned per_group; /* VCs of one */
	unsigned n_layers;  /* VLs of the tables */
	bool has_escape, stays;
	bool by_hop;
	struct hd_queue_map map;

	/* Where a packet may begin on the tables' paths. */
	const uint8_t **path_sls; /* [switch] of its first host; NULL: it has none */
	uint8_t *host_port;       /* [switch] local port of that host */
};

/*
 * For @routed's rule and topology. HD_EINVAL, HD_EREFUSED: the queue rule or the number of VCs does
 * not fit; HD_ENOMEM.
 */
int hd_groups_new(struct hd_routed *routed, struct hd_error *err);
void hd_groups_free(struct hd_groups *groups);

/* The group of packets for @lid on the link at out-port @port of the fabric. */
static inline unsigned hd_groups_of(const struct hd_groups *groups, uint32_t port, uint16_t lid)
{
	const size_t row = groups->map.row ? groups->map.row[port] : 0;

	return groups->map.queue[row * groups->map.stride + lid];
}

/* The VCs of @group, in layer 0. */
static inline uint32_t hd_groups_vcs(const struct hd_groups *groups, unsigned group)
{
	return UINT32_MAX >> (32 - groups->per_group) << (group * groups->per_group);
}

/* By hop: the VCs of the packet's group that the sequence calls @vc. */
static inline uint32_t hd_groups_of_hop(const struct hd_groups *groups, const struct hd_view *view,
					unsigned vc)
{
	return hd_groups_vcs(groups, groups->map.queue[view->lid]) << (vc * groups->n_vcs);
}

/* Whether the packet is in the escape. */
static inline bool hd_groups_is_in_escape(const struct hd_groups *groups,
					  const struct hd_view *view)
{
	return groups->has_escape && !hd_view_is_injected(view) && view->in_vc >= groups->n_vcs;
}

/* VCs on which rings have bubble flow control. */
static inline uint32_t hd_groups_bubble_vcs(const struct hd_groups *groups)
{
	return groups->has_escape ? UINT32_MAX << groups->n_vcs : UINT32_MAX;
}

/*
 * The offers for a packet that may leave by any of @ports: the tables' path is the escape, or, by
 * the rule, the only path. Returns the number of offers.
 */
unsigned hd_groups_offers(const struct hd_routed *routed, const struct hd_view *view,
			  const struct hd_header *header, uint64_t ports, struct hd_offer *offers);

/* The header's place when the packet at @view leaves on @vc. */
uint8_t hd_groups_place(const struct hd_routed *routed, const struct hd_view *view,
			const struct hd_header *header, unsigned vc);

#endif
