/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The proof: every LID is reachable from every end port, no packet loops or is dropped, and the
 * channel dependency graph (Dally and Seitz, 1987) of all flows that the tables allow is acyclic.
 *
 * A channel is (port, VL): the buffer at the far end of the link that leaves `port`. Flows go from
 * every end port (adapters, and port 0 of switches) to every LID (those of switches too), with the
 * SLs that the options say. Per destination, states (in-port, SL, VL) are propagated along the tree
 * that the LFTs make, so the cost is linear in destinations x ports x SLs in use, not in pairs.
 */
#ifndef HD_CHECK_CHECK_H
#define HD_CHECK_CHECK_H

#include "tables/tables.h"

struct hd_error;

struct hd_check_options {
	bool all_sls;       /* every flow may use any of the 16 SLs */
	bool reversed_sl;   /* a flow may also use the SL of the opposite direction */
	unsigned max_vls;   /* a VL at or above this is a failure; 0: the links' own VLs */
};

enum hd_check_failure {
	HD_CHECK_SOUND,
	HD_CHECK_NO_PATH,      /* an LFT entry is missing or its port has no link */
	HD_CHECK_FORWARD_LOOP, /* the LFTs send packets around in a circle */
	HD_CHECK_DROPPED,      /* SL2VL says VL 15, or a VL that the link does not have */
	HD_CHECK_CREDIT_LOOP,  /* the channel dependency graph has a cycle */
};

/* One flow. */
struct hd_flow {
	uint32_t source;       /* end port, index in ports[] */
	uint16_t lid;          /* destination; an MLID for multicast */
	uint8_t sl;
};

/* One channel of a cycle, and a flow that holds it while it waits for the next one. */
struct hd_witness {
	uint32_t port;         /* index in ports[] of the port that sends into the channel */
	uint8_t vl;
	struct hd_flow flow;
};

struct hd_check_result {
	enum hd_check_failure failure;   /* the first of the enum's order that was found */
	bool reachable;                  /* no HD_CHECK_NO_PATH, FORWARD_LOOP or DROPPED */

	/* For failures other than a credit loop: how many (switch, destination) entries are bad, the
	   flow that shows the first one, and the port where its packets are lost or circle. */
	uint64_t n_bad;
	struct hd_flow bad_flow;
	uint32_t bad_port;

	unsigned sls, vls;               /* how many SLs flows use, and VLs (highest used + 1) */
	unsigned max_hops;               /* links between switches on the longest path */
	uint64_t channels;               /* (port, VL) that some flow uses */
	uint64_t dependencies;           /* pairs of them */

	size_t n_witness;                /* a shortest cycle; each waits for the next, the last for
					    the first */
	struct hd_witness *witness;
};

/*
 * Checks @tables. A failure is a result, not an error. @options may be NULL. Clear the result with
 * hd_check_clear(). HD_ENOMEM.
 */
int hd_check(const struct hd_tables *tables, const struct hd_check_options *options,
	     struct hd_check_result *result, struct hd_error *err);
void hd_check_clear(struct hd_check_result *result);

/* "sound", "credit loop", ... */
const char *hd_check_failure_name(enum hd_check_failure failure);

/*
 * One line on the failure, without newline: for a log, an error message. For a sound result, the
 * resources. Returns @buffer.
 */
const char *hd_check_summary(const struct hd_check_result *result,
			     const struct hd_fabric *fabric, char *buffer, size_t size);

#endif
