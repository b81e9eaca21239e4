/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The keys of scenarios: one table, for reading, checking, `heddle list scenario` and the columns
 * of results.
 */
#ifndef HD_SCENARIO_KEYS_H
#define HD_SCENARIO_KEYS_H

#include <stdbool.h>

#include "support/policy.h"

enum hd_key {
#define ROW(key_, ...) key_,
#include "sim/scenario/keys.def"
#undef ROW
	HD_N_KEYS,
	HD_N_PARAMETERS = HD_RUN_SEEDS, /* the keys before it decide what is simulated */
};

/* Kinds of values. The text of a value is kept as given; the kind says how it is read. */
enum hd_value_kind {
	HD_VALUE_TEXT, /* may hold commas: lists are separated by a comma and a blank */
	HD_VALUE_NAME, /* commas separate, but those before an option, "NAME:key=value,key=value" */
	HD_VALUE_WORD, /* one of `words` */
	HD_VALUE_POLICY, /* one of `registry`, with its options: "NAME:key=value,key=value" */
	HD_VALUE_BOOL,
	HD_VALUE_COUNT,     /* a whole number, `min` to `max` */
	HD_VALUE_SHARE,     /* a real number, `min` to `max` */
	HD_VALUE_TIME,      /* "6ns"; in cycles: "6" or "6 cycles" */
	HD_VALUE_BANDWIDTH, /* "32Gbps"; in cycles: flits per cycle */
	HD_VALUE_SIZE,      /* "4KiB"; in cycles: "16" or "16 flits" */
	HD_VALUE_BUFFER,    /* a size, or "16 packets"; a plain number is packets; "... per port" if
			       the key takes that */
};

/* Words that a key takes, in the order of the enum that they stand for; ended by a NULL name. */
struct hd_word {
	const char *name;
	const char *summary; /* one line */
};

struct hd_scenario_key {
	const char *name; /* "link.bandwidth" */
	/*
	 * "bandwidth" with default, unit and meaning; then, if these differ, the same for the clock
	 * cycles. Ended as tables of options.
	 */
	struct hd_option option[3];
	enum hd_value_kind kind;
	const struct hd_word *words;        /* of HD_VALUE_WORD */
	const struct hd_registry *registry; /* of HD_VALUE_POLICY */
	double min, max;
	bool may_be_empty;   /* an empty value means what the help says */
	bool may_be_auto;    /* "auto" means what the help says */
	bool may_be_of_port; /* HD_VALUE_BUFFER: "128 KiB per port" is of all VLs */
	bool single;         /* takes one value, no list */
};

extern const struct hd_scenario_key hd_scenario_keys[HD_N_KEYS];

/* The key that @name means: "section.key", or "key" if only one section has it; HD_N_KEYS: none. */
enum hd_key hd_scenario_key_find(const char *name);

/* Index of @word in @words, or -1. */
int hd_word_index(const struct hd_word *words, const char *word);

#endif
