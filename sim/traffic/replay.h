/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Messages of a trace that wait for others: which of them can go after a message has arrived. */
#ifndef HD_TRAFFIC_REPLAY_H
#define HD_TRAFFIC_REPLAY_H

#include <stdatomic.h>

#include "sim/traffic/records.h"

struct hd_replay {
	const struct hd_records *records;
	uint32_t *left;  /* [record] units still to be received */
	uint32_t *waits; /* [record] number of messages that it waits for */
	uint64_t *ready; /* [record] the latest time of those that are done */
	uint32_t *next;  /* [record] list of records that can go */

	/* of all hosts, for which threads may receive messages at the same time */
	atomic_uint_fast64_t n_waiting;
	atomic_uint_fast64_t last_local; /* when the last message within a host was sent, of those
					    that can be */
};

/* Takes message @record, between hosts, to be sent at @time. */
typedef void (*hd_replay_send)(void *context, uint32_t record, uint64_t time);

/* @records, in order, must outlive it. HD_ENOMEM. */
int hd_replay_init(struct hd_replay *replay, const struct hd_records *records,
		   struct hd_error *err);
void hd_replay_free(struct hd_replay *replay);

/*
 * @units of message @record are received at @now. Messages that waited only for this go to @send;
 * several go in the order of the file. True: all of the message is there.
 */
bool hd_replay_received(struct hd_replay *replay, uint32_t record, uint32_t units, uint64_t now,
			hd_replay_send send, void *context);

#endif
