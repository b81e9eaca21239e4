/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The out-port and the VL of packets at each switch: a compact copy of LFTs and SL2VL tables. Equal
 * parts are kept once, so that all of it stays in the caches. A class here is a set of LIDs of
 * hosts at one switch for which every other switch has one out-port; switches whose SL2VL tables
 * are equal share them. Of a switch that goes by VL2VL (tables/ar.h), these are its VL2VL tables.
 * Port numbers are local: a switch's linked ports in order, from 0.
 */
#ifndef HD_TABLES_FORWARDING_H
#define HD_TABLES_FORWARDING_H

#include <stddef.h>
#include <stdint.h>

#include "tables/tables.h"

struct hd_error;

#define HD_HOP_NONE 255 /* the LFT has no port, or a port without a link */
#define HD_HOP_LAST 254 /* the LID's host is at this switch */

struct hd_forwarding {
	size_t n_classes;
	uint8_t *hops;      /* [switch * n_classes + class] local out-port */
	uint8_t *last_hops; /* [LID] local out-port at the switch of the LID's host */
	uint16_t *class_of; /* [LID] */
	size_t *matrix_of;  /* [switch] where the switch's matrix of SL2VL tables begins in
			       matrices[] */
	uint32_t *matrices; /* [local in-port * local ports + local out-port] index in rows */
	hd_sl2vl_row *rows;
	size_t n_rows;
	bool *by_vl; /* [switch] the column of its rows is the VL on which a packet came, not its
			SL; NULL: of no switch */
};

/*
 * @locals: [fabric ports] the local number of a switch's port; HD_HOP_NONE: no link. @n_locals:
 * [switch] the number of linked ports. HD_ENOMEM. Call hd_forwarding_free() also after an error.
 */
int hd_forwarding_new(struct hd_forwarding *forwarding, const struct hd_tables *tables,
		      const uint8_t *locals, const uint8_t *n_locals, struct hd_error *err);
void hd_forwarding_free(struct hd_forwarding *forwarding);

/*
 * Gives each of the @n LIDs in @lids a class of its own, and each pair of ports a row of its own,
 * so that the caller can set single entries and rows. From then on only these LIDs may be asked
 * about. HD_ENOMEM.
 */
int hd_forwarding_spread(struct hd_forwarding *forwarding, const struct hd_tables *tables,
			 const uint8_t *n_locals, const uint16_t *lids, size_t n,
			 struct hd_error *err);

static inline const uint8_t *hd_forwarding_entry(const struct hd_forwarding *forwarding,
						 uint32_t at, uint16_t lid)
{
	return &forwarding->hops[at * forwarding->n_classes + forwarding->class_of[lid]];
}

/* The local out-port of switch @at to @lid, which belongs to a host; HD_HOP_NONE: there is none. */
static inline unsigned hd_forwarding_hop(const struct hd_forwarding *forwarding, uint32_t at,
					 uint16_t lid)
{
	unsigned hop = *hd_forwarding_entry(forwarding, at, lid);

	return hop == HD_HOP_LAST ? forwarding->last_hops[lid] : hop;
}

/*
 * The index in rows[] from local in-port @in to local out-port @out of switch @at, which has
 * @n_locals ports.
 */
static inline uint32_t hd_forwarding_row_index(const struct hd_forwarding *forwarding, uint32_t at,
					       unsigned n_locals, unsigned in, unsigned out)
{
	return forwarding->matrices[forwarding->matrix_of[at] + in * n_locals + out];
}

/*
 * The VLs by SL of packets from local in-port @in to local out-port @out of switch @at, which has
 * @n_locals ports.
 */
static inline hd_sl2vl_row hd_forwarding_row(const struct hd_forwarding *forwarding, uint32_t at,
					     unsigned n_locals, unsigned in, unsigned out)
{
	return forwarding->rows[hd_forwarding_row_index(forwarding, at, n_locals, in, out)];
}

/* The VL of packets that came on @vl with @sl; the others as for hd_forwarding_row(). */
static inline unsigned hd_forwarding_vl(const struct hd_forwarding *forwarding, uint32_t at,
					unsigned n_locals, unsigned in, unsigned out, unsigned sl,
					unsigned vl)
{
	const unsigned column = forwarding->by_vl && forwarding->by_vl[at] ? vl : sl;

	return hd_row_vl(hd_forwarding_row(forwarding, at, n_locals, in, out), column);
}

/* After hd_forwarding_spread(): switch @at forwards packets to @lid by local out-port @hop. */
static inline void hd_forwarding_set_hop(struct hd_forwarding *forwarding, uint32_t at,
					 uint16_t lid, unsigned hop)
{
	uint8_t *entry = &forwarding->hops[at * forwarding->n_classes + forwarding->class_of[lid]];

	*(*entry == HD_HOP_LAST ? &forwarding->last_hops[lid] : entry) = (uint8_t)hop;
}

static inline void hd_forwarding_set_row(struct hd_forwarding *forwarding, uint32_t at,
					 unsigned n_locals, unsigned in, unsigned out,
					 hd_sl2vl_row row)
{
	forwarding->rows[hd_forwarding_row_index(forwarding, at, n_locals, in, out)] = row;
}

#endif
