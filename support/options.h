/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Named options with defaults and meanings. Topologies, engines, layer rules and queue rules
 * declare them, `heddle list` prints them, and specs, -O key=value and opensm.conf set them.
 */
#ifndef HD_SUPPORT_OPTIONS_H
#define HD_SUPPORT_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct hd_error;

struct hd_option {
	const char *key;           /* NULL ends a table */
	const char *default_value; /* NULL: no default; the option must be given, or follows as
				      `help` says */
	const char *unit;          /* "" when the option has none */
	const char *help;          /* one line */
};

/* Values for a table of options. Opaque. An option that is not set has the table's default. */
struct hd_params;

/* Values for @table, which must exist longer than the result. NULL: out of memory. */
struct hd_params *hd_params_new(const struct hd_option *table);
void hd_params_free(struct hd_params *params);

/*
 * Sets @key. @owner is named in messages ("topology dragonfly").
 * HD_EINVAL: the table has no such key, or it was set before; HD_ENOMEM.
 */
int hd_params_set(struct hd_params *params, const char *owner, const char *key, const char *value,
		  struct hd_error *err);

/* The same for one "key=value". */
int hd_params_set_pair(struct hd_params *params, const char *owner, const char *pair,
		       struct hd_error *err);

/* Whether @key was set (a default does not count). @key must be in the table. */
bool hd_params_is_set(const struct hd_params *params, const char *key);

/* The value, else the default, else NULL. @key must be in the table. */
const char *hd_params_get(const struct hd_params *params, const char *key);

/*
 * The value as a number in @min .. @max (decimal or 0x...), in @value.
 * HD_EINVAL: not a number, or missing; HD_ERANGE: out of range.
 */
int hd_params_number(const struct hd_params *params, const char *key, uint64_t min, uint64_t max,
		     uint64_t *value, struct hd_error *err);

/* The value as on/off, yes/no, true/false, 1/0. HD_EINVAL: none of these. */
int hd_params_bool(const struct hd_params *params, const char *key, bool *value,
		   struct hd_error *err);

/*
 * The value as a decimal number in @min .. @max: "0.9", or "90%". HD_EINVAL: not a number, or
 * missing; HD_ERANGE.
 */
int hd_params_decimal(const struct hd_params *params, const char *key, double min, double max,
		      double *value, struct hd_error *err);

/* Index of the value among @words, ended by NULL. HD_EINVAL: none of them. */
int hd_params_word(const struct hd_params *params, const char *key, const char *const *words,
		   unsigned *index, struct hd_error *err);

#endif
