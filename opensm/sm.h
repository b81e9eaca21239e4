/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * What differs among the subnet managers that load the plug-in. Their releases differ in the
 * signatures of calls, in the places of fields, and in what a plug-in may call at all; the structs
 * of nodes, ports and switches, which the other files read, have the same names in all of them.
 * sm_3_3.c is for OpenSM 3.3.21 and later, sm_5.c for 5.18 and 5.24. The build
 * takes one such file.
 */
#ifndef HD_OPENSM_SM_H
#define HD_OPENSM_SM_H

#include "opensm/osm.h"
#include <stdbool.h>

/* The setup callback of a routing engine. */
typedef int (*hd_sm_setup_fn)(struct osm_routing_engine *re, struct osm_opensm *osm);

/* Whether OpenSM has an engine of that name itself. */
bool hd_sm_has_engine(const char *name);

/*
 * Registers an engine; @setup finds @context in its engine. OpenSM may keep @name, @context and
 * @setup until it exits. False: OpenSM takes no engine of that name.
 */
bool hd_sm_register(struct osm_opensm *osm, const char *name, hd_sm_setup_fn setup, void *context);

/* Forgets all that was registered: OpenSM calls no setup callback any more. */
void hd_sm_unregister(void);

/* The engine whose tables the subnet has, or NULL; its name, as OpenSM tells it. */
const struct osm_routing_engine *hd_sm_used(const struct osm_opensm *osm);
const char *hd_sm_name(const struct osm_routing_engine *re);

/* Where OpenSM keeps whether its minhop stays out when all engines of routing_engine refuse. */
boolean_t *hd_sm_no_fallback(struct osm_opensm *osm);

/* Whether this OpenSM manages the subnet. */
bool hd_sm_is_master(const struct osm_opensm *osm);

/* Requests of subnet management that nobody has answered, when none is under way. */
uint32_t hd_sm_count_lost(const struct osm_opensm *osm);

/* The directed path to @physp. */
const osm_dr_path_t *hd_sm_path(struct osm_opensm *osm, osm_physp_t *physp);

/* What a MAD asks for, or sets. */
struct hd_sm_mad {
	ib_net16_t attribute;
	uint32_t modifier;
	ib_net64_t key;   /* M_Key */
	const void *data; /* NULL: Get */
	size_t size;
};

/*
 * Sends a Get or a Set along @path, which leads to the node of @physp, or to its peer. The answer
 * goes where OpenSM takes such answers, with @context.
 */
void hd_sm_send(struct osm_opensm *osm, const osm_dr_path_t *path, osm_physp_t *physp,
		const struct hd_sm_mad *mad, const osm_madw_context_t *context);

/*
 * Waits until every request has been answered or has timed out, without OpenSM's lock. True: OpenSM
 * exits.
 */
bool hd_sm_wait(struct osm_opensm *osm);

/*
 * Whether the plug-in may send tables itself, after OpenSM has sent those of a sweep: by the four
 * calls that follow.
 */
bool hd_sm_sends_rounds(void);

/* Sends LFT blocks that differ from what switches have answered. Call with the lock held. */
void hd_sm_send_lfts(struct osm_opensm *osm);

/* Sends SL2VL tables and VL arbitration that differ from what ports have answered. */
void hd_sm_send_lanes(struct osm_opensm *osm);

/* Sets up ports, or brings those that are ready to @state. */
void hd_sm_set_links(struct osm_opensm *osm, uint8_t state);

/* The files in dump_files_dir. */
void hd_sm_dump(struct osm_opensm *osm);

/* Has switches clear the bit that says that a port of theirs has changed. False: cannot. */
bool hd_sm_reset_changes(struct osm_opensm *osm);

#endif
