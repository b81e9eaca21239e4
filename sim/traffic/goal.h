/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * A GOAL schedule: what each rank sends, receives and computes, and which of its operations wait
 * for others. Text and LogGOPSim's binary form are read and written. docs/traffic.md has the
 * grammar.
 */
#ifndef HD_TRAFFIC_GOAL_H
#define HD_TRAFFIC_GOAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct hd_error;

enum hd_goal_type { HD_GOAL_SEND = 1, HD_GOAL_RECV, HD_GOAL_CALC }; /* as in the binary form */

#define HD_GOAL_ANY UINT32_MAX /* source, tag */

/* The largest file of a schedule, unpacked; limits of an operation. */
#define HD_GOAL_FILE_MAX ((size_t)1 << 30)
#define HD_GOAL_BYTES    ((uint64_t)1 << 40)
#define HD_GOAL_TIME     ((uint64_t)1 << 62) /* units of time, of all operations together */

struct hd_goal_op {
	uint64_t size; /* bytes; of a calc, units of time */
	uint32_t peer; /* rank, or HD_GOAL_ANY */
	uint32_t tag;
	uint32_t rank;
	uint32_t line; /* of the text; of the binary form, its number in its rank, from 1 */
	uint8_t type;
	uint8_t cpu, nic; /* streams of its rank */
};

/* An operation that waits for another one of its rank. */
struct hd_goal_wait {
	uint32_t on;
	uint32_t op; /* with HD_GOAL_START: for the start of @on, not its end */
};

#define HD_GOAL_START ((uint32_t)1 << 31)
#define HD_GOAL_OPS   (HD_GOAL_START - 1) /* at most */

struct hd_goal {
	uint32_t n_ranks;
	bool has_lines; /* operations have lines of a text */
	uint32_t n, allocated;
	struct hd_goal_op *ops;
	size_t n_waits, waits_allocated;
	struct hd_goal_wait *waits; /* by `on` after hd_goal_done() */
	/* [n_ranks] operations of a rank follow one another: end 0: none */
	uint32_t *first, *end;

	/* After hd_goal_done(): */
	size_t *first_wait; /* [n + 1] in waits */
	uint32_t *n_on;     /* [n] for how many an operation waits */
};

/* HD_ENOMEM. */
int hd_goal_init(struct hd_goal *goal, uint32_t n_ranks, struct hd_error *err);
void hd_goal_free(struct hd_goal *goal);

/*
 * Adds an operation; those of a rank follow one another. HD_ERANGE: too many, or a rank that had
 * operations before others; HD_ENOMEM.
 */
int hd_goal_add(struct hd_goal *goal, const struct hd_goal_op *op, struct hd_error *err);

/* @op waits for @on, of the same rank: for its start, or for its end. HD_ENOMEM. */
int hd_goal_wait(struct hd_goal *goal, uint32_t op, uint32_t on, bool for_start,
		 struct hd_error *err);

/*
 * Puts waits in order. HD_EPARSE, at @file: operations that wait for one another in a loop, peers
 * that do not exist, or times and sizes without bounds; HD_ENOMEM.
 */
int hd_goal_done(struct hd_goal *goal, const char *file, struct hd_error *err);

/* Fills an error of @code at @op of @goal, which is of @file. Returns @code. */
int hd_goal_error(const struct hd_goal *goal, const char *file, uint32_t op, int code,
		  const char *what, struct hd_error *err);

/*
 * Reads the schedule of @size bytes at @data, @file being its name, which has at most @most ranks;
 * it is done then. Free with hd_goal_free(), also after an error. HD_EPARSE with file and line;
 * HD_ENOMEM.
 */
int hd_goal_parse_text(const char *file, const char *data, size_t size, uint32_t most,
		       struct hd_goal *goal, struct hd_error *err);
int hd_goal_parse_binary(const char *file, const char *data, size_t size, uint32_t most,
			 struct hd_goal *goal, struct hd_error *err);

/* Whether @data is the binary form. */
bool hd_goal_is_binary(const char *data, size_t size);

/* Writes @goal, which is done. The file's errors are the caller's to find. */
void hd_goal_write_text(const struct hd_goal *goal, FILE *file);
void hd_goal_write_binary(const struct hd_goal *goal, FILE *file);

#endif
