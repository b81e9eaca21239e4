/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns whose hosts run a GOAL schedule, whatever file it comes from. */
#ifndef HD_TRAFFIC_GOAL_PATTERN_H
#define HD_TRAFFIC_GOAL_PATTERN_H

#include "sim/traffic/goal_run.h"
#include "sim/traffic/pattern.h"

/* What reads a schedule of at most @most ranks from files that @name says. */
typedef int (*hd_goal_read)(const struct hd_pattern_setup *setup, const char *name, uint32_t most,
			    struct hd_goal *goal, struct hd_error *err);

/* The hooks of struct hd_pattern_kind. */
int hd_goal_pattern_init(const struct hd_pattern_setup *setup, hd_goal_read read, void **data,
			 struct hd_error *err);
void hd_goal_pattern_free(void *data);
uint32_t hd_goal_pattern_class_of(const void *data, uint32_t host);
double hd_goal_pattern_load(const void *data, uint32_t class, double load);

/* The other members of such a pattern, which are the same for all. */
#define HD_GOAL_PATTERN_HOOKS                                                                   \
	.free = hd_goal_pattern_free, .class_of = hd_goal_pattern_class_of,                     \
	.load = hd_goal_pattern_load, .received = hd_goal_received, .waiting = hd_goal_waiting, \
	.last_local = hd_goal_last_local, .begin = hd_goal_begin, .entered = hd_goal_entered,   \
	.woken = hd_goal_woken, .stuck = hd_goal_stuck, .own_sizes = true, .interleaves = true

/* Whether @file's name, without what gzip, xz and zstd append, ends with @suffix. */
bool hd_has_suffix(const char *file, const char *suffix);

/*
 * The file of a schedule, text or binary, of at most HD_GOAL_FILE_MAX bytes. HD_EIO; what
 * hd_goal_parse_text() returns.
 */
int hd_goal_read_file(const char *file, uint32_t most, struct hd_goal *goal, struct hd_error *err);

#endif
