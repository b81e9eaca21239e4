/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * VC rules: on which VC a packet goes on. "hop:l g l l g l" is the reference path of the longest
 * way, and the i-th link of a class in it is that class's VC i: a packet takes, of each link's
 * class, the next VC of the sequence behind the one that it had (Guenther 1981; Dally 1992). Then
 * VCs only ascend in the sequence, and the buffers that packets wait for have no cycle.
 *
 * "tables": packets go on the VLs that the SL2VL tables say, and the proof is that of the tables.
 */
#ifndef HD_ADAPTIVE_VCS_H
#define HD_ADAPTIVE_VCS_H

#include <stdbool.h>
#include <stdint.h>

#include "topologies/link_class.h"

struct hd_error;

/* VCs of a port: as many VLs, and more where a switch chooses among them packet by packet. */
#define HD_VC_BITS 5
#define HD_MAX_VCS (1u << HD_VC_BITS)

#define HD_MAX_PLACES 32
#define HD_NO_VC      255

struct hd_vcs {
	char text[96];  /* "l g l g l" */
	bool by_tables; /* "tables": there are no places, and n is the most VLs there can be */
	unsigned n_places;
	uint8_t place_class[HD_MAX_PLACES]; /* enum hd_link_class of each place */
	uint8_t n[HD_LINK_CLASSES];         /* VCs of each class */

	/* [place][class] the first place of the class from there on; n_places: there is none */
	uint8_t next[HD_MAX_PLACES + 1][HD_LINK_CLASSES];
	uint8_t vc[HD_MAX_PLACES]; /* [place] */
};

/*
 * @spec: "tables", "hop:l g l g l", or "hop:3/2" for local and global VCs, which is the sequence of
 * that many that the literature has. HD_EINVAL: no such rule.
 */
int hd_vcs_parse(const char *spec, struct hd_vcs *vcs, struct hd_error *err);

/*
 * The place of a hop by a link of @link_class that follows @place; n_places: the sequence is over.
 */
static inline unsigned hd_vcs_next(const struct hd_vcs *vcs, unsigned place, unsigned link_class)
{
	return vcs->next[place][link_class];
}

/*
 * The VC of that hop. Where the sequence is over, it is the class's last one, which others have
 * too: the proof sees what comes of it.
 */
static inline unsigned hd_vcs_vc(const struct hd_vcs *vcs, unsigned place, unsigned link_class)
{
	unsigned next = vcs->next[place][link_class];

	return next < vcs->n_places ? vcs->vc[next] : vcs->n[link_class] - 1u;
}

/*
 * The VC of the last hop of @link_class before @place, which may be used once more; the first one
 * if none.
 */
static inline unsigned hd_vcs_again(const struct hd_vcs *vcs, unsigned place, unsigned link_class)
{
	while (place--)
		if (vcs->place_class[place] == link_class)
			return vcs->vc[place];
	return 0;
}

#endif
