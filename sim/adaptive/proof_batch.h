/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Up to 64 targets whose packets the proof follows together. Most switches are far from all of
 * them, and send packets to many of them by one port. Packets that such a switch does not tell
 * apart are one class there, and the proof asks the routing once for the class. A state is a place
 * (a buffer, or a first switch) and a kind of header, with a bit for each target whose packets may
 * be so.
 */
#ifndef HD_ADAPTIVE_PROOF_BATCH_H
#define HD_ADAPTIVE_PROOF_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;
struct hd_shape;

#define HD_BATCH_TARGETS 64

/* Targets of a batch that one switch does not tell apart. */
struct hd_batch_class {
	uint64_t members; /* a bit each */
	uint32_t target;  /* one of them */
};

struct hd_batch_state {
	uint64_t seen;    /* members whose packets may be in this state, ... */
	uint64_t waiting; /* ... and of them, those that have not been followed from here */
	uint32_t place, at, kind;
	uint32_t next; /* state of this place, as index + 1; 0: there is none */
};

struct hd_batch {
	const struct hd_shape *shape;
	struct hd_batch_class *classes; /* those of switch `at` begin at at * HD_BATCH_TARGETS */
	uint8_t *n_classes;             /* [switch] */
	uint64_t *reachable;            /* [switch] members to which the tables lead from there */
	size_t n_places;
	uint32_t *first; /* [place] its state, as index + 1; 0: there is none */
	struct hd_batch_state *states;
	size_t n_states, states_room;
	uint32_t *queue; /* of states that wait, a ring; its room is that of `states` */
	size_t n_queued, queue_begin;
	bool out_of_memory; /* a state could not be added */
};

/* HD_ENOMEM. Free with hd_batch_clear(), also after an error. */
int hd_batch_init(struct hd_batch *batch, const struct hd_shape *shape, size_t n_places,
		  struct hd_error *err);
void hd_batch_clear(struct hd_batch *batch);

/*
 * Forgets all states, and makes a batch of the @n @targets, at most HD_BATCH_TARGETS, all of whose
 * switches are in one group, if the fabric has groups.
 */
void hd_batch_begin(struct hd_batch *batch, const uint32_t *targets, unsigned n);

/* Packets of @members may be in that state. */
void hd_batch_add(struct hd_batch *batch, uint32_t place, uint32_t at, uint32_t kind,
		  uint64_t members);

/* A state that waits, and in @state->waiting the members that do; false: there is none. */
bool hd_batch_take(struct hd_batch *batch, struct hd_batch_state *state);

/*
 * Targets in the order of batches: all, or (@vias) one of each switch that has some. @begin gets
 * where batches begin, and, behind the last one, the number of targets. Free both. HD_ENOMEM.
 */
int hd_batch_plan(const struct hd_shape *shape, bool vias, uint32_t **targets, uint32_t **begin,
		  uint32_t *n_batches, struct hd_error *err);

#endif
