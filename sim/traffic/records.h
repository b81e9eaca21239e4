/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The contents of a trace: messages, each at a known time, or at a time after others were sent or
 * received; and the messages of known times in the order in which their hosts send them.
 */
#ifndef HD_TRAFFIC_RECORDS_H
#define HD_TRAFFIC_RECORDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_error;

/* Times are in ticks from the beginning of the phase. */
struct hd_record {
	uint64_t time;  /* waits > 0: after `after` and after the messages it waits for; 0: when it
			   is sent */
	uint64_t after; /* the latest known time of a message that it waits for */
	uint32_t from, to;
	uint32_t units;
	uint32_t waits; /* messages whose sending or receipt has no known time */
};

/* A message of a known time. */
struct hd_sending {
	uint64_t time;
	uint32_t from;
	uint32_t record;
};

/* A message that waits for another one. */
struct hd_dependency {
	uint32_t on, record;
	bool is_receipt; /* for its receipt, not its sending */
};

struct hd_records {
	uint32_t n_hosts;
	uint32_t n_tasks; /* messages are between tasks 0 .. n_tasks - 1, ... */
	uint32_t tasks;   /* ... tasks per host; 1: tasks are hosts */
	uint64_t tick;    /* ticks per unit of time in the file */
	uint64_t unit;    /* bytes per unit */
	size_t n, allocated;
	struct hd_record *all; /* as in the file */
	size_t n_dependencies, dependencies_allocated;
	struct hd_dependency *dependencies; /* by `on` after hd_records_done() */
	uint64_t last;                      /* ticks: when the last one of a known time begins */

	/* After hd_records_done(): */
	size_t n_sendings;
	struct hd_sending *sendings; /* between hosts; by host, time, place in the file */
	size_t *first;               /* [host + 1] in sendings */
	size_t *first_dependency;    /* [n + 1]; NULL: there are none */
};

/* Tasks are hosts. */
void hd_records_init(struct hd_records *records, uint32_t n_hosts, uint64_t tick, uint64_t unit);
void hd_records_free(struct hd_records *records);

/*
 * Whether @record stays within a host: then it is received when it is sent, and no link carries it.
 */
static inline bool hd_record_is_local(const struct hd_records *records,
				      const struct hd_record *record)
{
	return record->from / records->tasks == record->to / records->tasks;
}

/* Limits of what hd_records_add() takes. */
#define HD_RECORD_TIME  ((uint64_t)1 << 62) /* ticks */
#define HD_RECORD_BYTES ((uint64_t)1 << 31)

/*
 * Adds a message of @bytes that task @from generates at @time (in units of the file), or that much
 * after the messages that it waits for. A message without bytes still has a header, and takes one
 * unit. HD_ENOMEM; HD_ERANGE: too many.
 */
int hd_records_add(struct hd_records *records, uint64_t time, uint32_t from, uint32_t to,
		   uint64_t bytes, struct hd_error *err);

/*
 * The last added message waits for an earlier message @on: for its receipt by the same task, or for
 * its sending. HD_ENOMEM.
 */
int hd_records_wait(struct hd_records *records, uint32_t on, bool is_receipt, struct hd_error *err);

/* The last added message waits for no more messages. HD_ERANGE: its time is too late. */
int hd_records_settle(struct hd_records *records, struct hd_error *err);

/* Puts the messages in order. HD_ENOMEM. */
int hd_records_done(struct hd_records *records, struct hd_error *err);

/*
 * Adds the messages of a trace of @size bytes at @data, @file being its name. HD_EPARSE with file
 * and line; HD_ENOMEM.
 */
int hd_trace_parse(const char *file, const char *data, size_t size, struct hd_records *records,
		   struct hd_error *err);
int hd_vef_parse(const char *file, const char *data, size_t size, struct hd_records *records,
		 struct hd_error *err);

#endif
