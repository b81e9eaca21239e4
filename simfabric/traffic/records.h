/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What a trace says: messages with their times, in the order in which their hosts send them. */
#ifndef HD_TRAFFIC_RECORDS_H
#define HD_TRAFFIC_RECORDS_H

#include <stddef.h>
#include <stdint.h>

struct hd_error;

struct hd_record {
	uint64_t time;  /* ticks from the beginning of the phase */
	uint64_t order; /* in the file */
	uint32_t from, to;
	uint32_t units;
};

struct hd_records {
	uint32_t n_hosts;
	uint64_t tick; /* ticks per unit of time in the file */
	uint64_t unit; /* bytes per unit */
	size_t n, allocated;
	struct hd_record *all; /* by host, time and order after hd_records_done() */
	size_t *first;         /* [host + 1] */
	uint64_t last;         /* ticks: when the last one begins */
};

void hd_records_init(struct hd_records *records, uint32_t n_hosts, uint64_t tick, uint64_t unit);
void hd_records_free(struct hd_records *records);

/* Limits of what hd_records_add() takes. */
#define HD_RECORD_TIME  ((uint64_t)1 << 62) /* ticks */
#define HD_RECORD_BYTES ((uint64_t)1 << 31)

/*
 * Adds a message of @bytes that host @from generates at @time (in units of the file); one without
 * bytes has a header still, and is one unit. HD_ENOMEM.
 */
int hd_records_add(struct hd_records *records, uint64_t time, uint32_t from, uint32_t to,
		   uint64_t bytes, struct hd_error *err);

/* Puts them in order. HD_ENOMEM. */
int hd_records_done(struct hd_records *records, struct hd_error *err);

/*
 * Adds what a trace of @size bytes at @data says, @file being its name. HD_EPARSE with file and
 * line; HD_ENOMEM.
 */
int hd_trace_parse(const char *file, const char *data, size_t size, struct hd_records *records,
		   struct hd_error *err);
int hd_vef_parse(const char *file, const char *data, size_t size, struct hd_records *records,
		 struct hd_error *err);

#endif
