/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What one host needs of path-sl.dump (tables/path_sl_dump.c): its own path SLs, and which LIDs
 * belong to one port. The reader needs no fabric, and parses only few lines of the file in full.
 */
#ifndef HD_HOST_OWN_SLS_H
#define HD_HOST_OWN_SLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;

#define HD_OWN_LIDS   0xC000 /* unicast LIDs are below */
#define HD_OWN_NO_SL  0xFF   /* the SA gives no path record */
#define HD_OWN_NO_LMC 0xFF   /* a LID of no end node */

struct hd_own_sls {
	uint8_t sl[HD_OWN_LIDS];  /* [LID] HD_OWN_NO_SL */
	uint8_t lmc[HD_OWN_LIDS]; /* [LID] LMC of the end node's port that has the LID;
				     HD_OWN_NO_LMC */
	bool has_source;          /* the file has path SLs of this port, or of its node */
	bool has_ports;           /* the file says which LIDs belong to one port */
	uint16_t lid;             /* the port's base LID by the file; 0: the file does not say */
};

/*
 * Reads @data, the text of the file @name, for the port with @port_guid of the node with
 * @node_guid. HD_EPARSE: a line that path-sl.dump cannot have, or impossible LIDs or an impossible
 * LMC; HD_ENOMEM.
 */
int hd_own_sls_parse(struct hd_own_sls *sls, const char *name, const char *data, size_t size,
		     uint64_t node_guid, uint64_t port_guid, struct hd_error *err);

/* The base LID of the end node that has @lid; 0: no end node has it. */
static inline uint16_t hd_own_sls_base(const struct hd_own_sls *sls, unsigned lid)
{
	if (lid >= HD_OWN_LIDS || sls->lmc[lid] == HD_OWN_NO_LMC)
		return 0;
	return (uint16_t)(lid >> sls->lmc[lid] << sls->lmc[lid]);
}

#endif
