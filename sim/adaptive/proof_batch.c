// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/adaptive/proof_batch.h"

#include <stdlib.h>
#include <string.h>

#include "sim/adaptive/switch_view.h"
#include "support/error.h"

#define FIRST_STATES 4096 /* a power of two */

int hd_batch_init(struct hd_batch *batch, const struct hd_shape *shape, size_t n_places,
		  struct hd_error *err)
{
	const size_t n = shape->n_switches + (size_t)1;

	*batch = (struct hd_batch){
		.shape = shape,
		.n_places = n_places,
		.states_room = FIRST_STATES,
		.classes = malloc(n * HD_BATCH_TARGETS * sizeof(*batch->classes)),
		.n_classes = malloc(n * sizeof(*batch->n_classes)),
		.reachable = malloc(n * sizeof(*batch->reachable)),
		.first = malloc((n_places + 1) * sizeof(*batch->first)),
		.states = malloc(FIRST_STATES * sizeof(*batch->states)),
		.queue = malloc(FIRST_STATES * sizeof(*batch->queue)),
	};
	if (!batch->classes || !batch->n_classes || !batch->reachable || !batch->first ||
	    !batch->states || !batch->queue)
		return hd_error_nomem(err);
	return 0;
}

void hd_batch_clear(struct hd_batch *batch)
{
	free(batch->classes);
	free(batch->n_classes);
	free(batch->reachable);
	free(batch->first);
	free(batch->states);
	free(batch->queue);
	*batch = (struct hd_batch){ 0 };
}

/* Members by what switch @at knows of them: whether it is theirs, and else its port to them. */
static void classify(struct hd_batch *batch, uint32_t at, const uint32_t *targets, unsigned n)
{
	const struct hd_shape *shape = batch->shape;
	struct hd_batch_class *classes = &batch->classes[at * (size_t)HD_BATCH_TARGETS];
	uint8_t class_of_port[UINT8_MAX + 1], here = UINT8_MAX;
	uint64_t reachable = 0;
	unsigned n_classes = 0;

	memset(class_of_port, UINT8_MAX, sizeof(class_of_port));
	for (unsigned i = 0; i < n; i++) {
		const uint32_t target = targets[i];
		uint8_t *class = shape->target_switch[target] == at
					 ? &here
					 : &class_of_port[hd_shape_next(shape, at, target)];

		if (hd_shape_distance(shape, at, target) != HD_FAR)
			reachable |= UINT64_C(1) << i;
		if (*class == UINT8_MAX) {
			*class = (uint8_t)n_classes;
			classes[n_classes++] = (struct hd_batch_class){ .target = target };
		}
		classes[*class].members |= UINT64_C(1) << i;
	}
	batch->n_classes[at] = (uint8_t)n_classes;
	batch->reachable[at] = reachable;
}

void hd_batch_begin(struct hd_batch *batch, const uint32_t *targets, unsigned n)
{
	for (uint32_t at = 0; at < batch->shape->n_switches; at++)
		classify(batch, at, targets, n);
	memset(batch->first, 0, batch->n_places * sizeof(*batch->first));
	batch->n_states = batch->n_queued = batch->queue_begin = 0;
}

/* Doubles the room; the ring is turned so that it begins at 0. */
static bool grow(struct hd_batch *batch)
{
	const size_t room = 2 * batch->states_room;
	struct hd_batch_state *states = realloc(batch->states, room * sizeof(*states));
	uint32_t *queue = malloc(room * sizeof(*queue));

	if (states)
		batch->states = states;
	if (!states || !queue) {
		free(queue);
		batch->out_of_memory = true;
		return false;
	}
	for (size_t i = 0; i < batch->n_queued; i++)
		queue[i] = batch->queue[(batch->queue_begin + i) & (batch->states_room - 1)];
	free(batch->queue);
	batch->queue = queue;
	batch->queue_begin = 0;
	batch->states_room = room;
	return true;
}

void hd_batch_add(struct hd_batch *batch, uint32_t place, uint32_t at, uint32_t kind,
		  uint64_t members)
{
	uint32_t index = batch->first[place];
	struct hd_batch_state *state = NULL;

	for (; index; index = state->next) {
		state = &batch->states[index - 1];
		if (state->kind == kind)
			break;
	}
	if (!index) {
		if (!members || (batch->n_states == batch->states_room && !grow(batch)))
			return;
		state = &batch->states[batch->n_states++];
		*state = (struct hd_batch_state){
			.place = place, .at = at, .kind = kind, .next = batch->first[place]
		};
		index = batch->first[place] = (uint32_t)batch->n_states;
	}
	members &= ~state->seen;
	if (!members)
		return;
	if (!state->waiting)
		batch->queue[(batch->queue_begin + batch->n_queued++) & (batch->states_room - 1)] =
			index - 1;
	state->seen |= members;
	state->waiting |= members;
}

bool hd_batch_take(struct hd_batch *batch, struct hd_batch_state *state)
{
	struct hd_batch_state *first;

	if (!batch->n_queued)
		return false;
	first = &batch->states[batch->queue[batch->queue_begin]];
	batch->queue_begin = (batch->queue_begin + 1) & (batch->states_room - 1);
	batch->n_queued--;
	*state = *first;
	first->waiting = 0;
	return true;
}

static uint32_t group_of(const struct hd_shape *shape, uint32_t target)
{
	return shape->group ? shape->group[shape->target_switch[target]] : 0;
}

int hd_batch_plan(const struct hd_shape *shape, bool vias, uint32_t **targets, uint32_t **begin,
		  uint32_t *n_batches, struct hd_error *err)
{
	const uint32_t n_groups = shape->group ? shape->n_groups : 1;
	uint32_t *next = calloc(n_groups + (size_t)1, sizeof(*next));
	uint32_t n = 0, open = 0;

	*targets = malloc((shape->n_targets + 1) * sizeof(**targets));
	*begin = malloc((shape->n_targets + 2) * sizeof(**begin));
	*n_batches = 0;
	if (!next || !*targets || !*begin) {
		free(next);
		return hd_error_nomem(err);
	}
	for (uint32_t target = 0; target < shape->n_targets; target++)
		next[group_of(shape, target) + 1]++;
	for (uint32_t group = 0; group < n_groups; group++)
		next[group + 1] += next[group];
	for (uint32_t target = 0; target < shape->n_targets; target++)
		(*targets)[next[group_of(shape, target)]++] = target;
	free(next);
	for (uint32_t i = 0; i < shape->n_targets; i++) {
		const uint32_t target = (*targets)[i];

		if (vias && shape->first_target[shape->target_switch[target]] != target)
			continue;
		if (!n || n - open == HD_BATCH_TARGETS ||
		    group_of(shape, target) != group_of(shape, (*targets)[n - 1]))
			(*begin)[(*n_batches)++] = open = n;
		(*targets)[n++] = target;
	}
	(*begin)[*n_batches] = n;
	return 0;
}
