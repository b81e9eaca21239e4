// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/traffic/replay.h"

#include <stdlib.h>

#include "support/error.h"

#define NONE UINT32_MAX

/* A message within a host was sent at @time. */
static void note_local(struct hd_replay *replay, uint64_t time)
{
	uint_fast64_t last = atomic_load_explicit(&replay->last_local, memory_order_relaxed);

	while (time > last && !atomic_compare_exchange_weak(&replay->last_local, &last, time))
		;
}

int hd_replay_init(struct hd_replay *replay, const struct hd_records *records, struct hd_error *err)
{
	size_t n = records->n;

	*replay = (struct hd_replay){ .records = records };
	for (size_t i = 0; i < n; i++)
		if (!records->all[i].waits && hd_record_is_local(records, &records->all[i]))
			note_local(replay, records->all[i].time);
	replay->left = malloc((n + 1) * sizeof(*replay->left));
	if (!replay->left)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n; i++)
		replay->left[i] = records->all[i].units;
	if (!records->n_dependencies)
		return 0;
	replay->waits = malloc(n * sizeof(*replay->waits));
	replay->ready = malloc(n * sizeof(*replay->ready));
	replay->next = malloc(n * sizeof(*replay->next));
	if (!replay->waits || !replay->ready || !replay->next)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n; i++) {
		replay->waits[i] = records->all[i].waits;
		replay->ready[i] = records->all[i].after;
		replay->n_waiting += records->all[i].waits > 0;
	}
	return 0;
}

void hd_replay_free(struct hd_replay *replay)
{
	free(replay->left);
	free(replay->waits);
	free(replay->ready);
	free(replay->next);
	*replay = (struct hd_replay){ 0 };
}

struct list {
	uint32_t first, last;
};

/*
 * Lets messages that wait for the sending, or the receipt, of @record know that it happened at
 * @now.
 */
static void satisfy(struct hd_replay *replay, uint32_t record, bool is_receipt, uint64_t now,
		    struct list *list)
{
	const struct hd_records *records = replay->records;

	for (size_t i = records->first_dependency[record];
	     i < records->first_dependency[record + 1]; i++) {
		uint32_t waiter = records->dependencies[i].record;

		if (records->dependencies[i].is_receipt != is_receipt)
			continue;
		if (now > replay->ready[waiter])
			replay->ready[waiter] = now;
		if (--replay->waits[waiter])
			continue;
		atomic_fetch_sub_explicit(&replay->n_waiting, 1, memory_order_relaxed);
		replay->next[waiter] = NONE;
		if (list->first == NONE)
			list->first = waiter;
		else
			replay->next[list->last] = waiter;
		list->last = waiter;
	}
}

bool hd_replay_received(struct hd_replay *replay, uint32_t record, uint32_t units, uint64_t now,
			hd_replay_send send, void *context)
{
	struct list list = { NONE, NONE };

	replay->left[record] -= units;
	if (replay->left[record])
		return false;
	if (!replay->waits)
		return true;
	satisfy(replay, record, true, now, &list);
	while (list.first != NONE) {
		uint32_t next = list.first;
		const struct hd_record *message = &replay->records->all[next];
		uint64_t time = replay->ready[next] + message->time;

		list.first = replay->next[next];
		if (!hd_record_is_local(replay->records, message))
			send(context, next, time);
		else
			note_local(replay, time);
		satisfy(replay, next, false, time, &list);
	}
	return true;
}
