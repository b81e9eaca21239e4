/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A port that serves classes by a DTable: a class may send an entry's weight, plus what the class
 * had left, before the next entry has its turn ("Providing quality of service in omni-path
 * networks", J. Supercomputing 2022, 3.3, Algorithm 2; docs/qos.md).
 */
#ifndef HD_VLARB_DTABLE_PORT_H
#define HD_VLARB_DTABLE_PORT_H

#include "vlarb/dtable.h"

struct hd_dtable_plan {
	unsigned n; /* entries */
	struct hd_dtable_entry entries[HD_DTABLE_MAX];
	uint32_t packets[HD_DTABLE_CLASSES]; /* [class] length of its longest packet, in units of
					        weights */
	unsigned n_vls;
	uint8_t class_of[32]; /* [VL] */
};

/* The state of a port. */
struct hd_dtable_port {
	int64_t left[HD_DTABLE_CLASSES]; /* [class] deficits, not of the class that is served */
	int64_t may_send;                /* of the class that is served */
	uint16_t entry;                  /* the last one used */
	uint8_t class;                   /* that is served; HD_DTABLE_NOBODY */
	uint8_t turn[HD_DTABLE_CLASSES]; /* [class] the VL that was served last */
};

#define HD_DTABLE_NOBODY UINT8_MAX

void hd_dtable_begin(const struct hd_dtable_plan *plan, struct hd_dtable_port *port);

/*
 * The VL among @vls, not 0, of which @port sends a packet now; the caller then calls
 * hd_dtable_sent(). @waiting has the VLs with packets, also those without credits: the class that
 * was served keeps the rest of its weight while it has a packet, and loses it otherwise. VLs of a
 * class take turns.
 */
unsigned hd_dtable_serve(const struct hd_dtable_plan *plan, struct hd_dtable_port *port,
			 uint32_t vls, uint32_t waiting);

/* The packet had @size units. */
static inline void hd_dtable_sent(struct hd_dtable_port *port, uint32_t size)
{
	port->may_send -= size;
}

#endif
