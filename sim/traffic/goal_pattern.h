/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Patterns whose hosts run a GOAL schedule, whatever file it comes from. */
#ifndef HD_TRAFFIC_GOAL_PATTERN_H
#define HD_TRAFFIC_GOAL_PATTERN_H

#include "sim/traffic/goal_run.h"
#include "sim/traffic/pattern.h"

/* What reads a schedule of at most @most ranks: files that @name says, of at most @file_max bytes. */
typedef int (*hd_goal_read)(const struct hd_pattern_setup *setup, const char *name, uint32_t most,
			    size_t file_max, struct hd_goal *goal, struct hd_error *err);

/* The hooks of struct hd_pattern_kind. */
int hd_goal_pattern_init(const struct hd_pattern_setup *setup, hd_goal_read read, void **data,
			 struct hd_error *err);
void hd_goal_pattern_free(void *data);
uint32_t hd_goal_pattern_class_of(const void *data, uint32_t host);
double hd_goal_pattern_load(const void *data, uint32_t class, double load);

/* Whether @file's name, without what gzip, xz and zstd append, ends with @suffix. */
bool hd_has_suffix(const char *file, const char *suffix);

/*
 * The file of a schedule, text or binary, of at most @file_max bytes. @serves: in a program that serves
 * others, which takes regular files as they are. HD_EIO; what hd_goal_parse_text() returns.
 */
int hd_goal_read_file(const char *file, uint32_t most, size_t file_max, bool serves,
		      struct hd_goal *goal, struct hd_error *err);

#endif
