// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/keys.h"

#include <string.h>

#include "sim/adaptive/selection.h"
#include "sim/model/model.h"
#include "sim/traffic/loggop.h"

static const struct hd_word vlarb_policies[] = {
	{ "layers", "the lanes in use of a link share it as the layer rule prefers: most equally" },
	{ "equal", "they share it equally" },
	{ "flows", "they share it by the flows that each carries" },
	{ 0 },
};

static const struct hd_word clocks[] = {
	{ "time", "times are in picoseconds, sizes in units of 64 bytes" },
	{ "cycles", "times are in cycles, sizes in flits" },
	{ 0 },
};

static const struct hd_word rates[] = {
	{ "file", "links run at the widths and speeds that the fabric's file has" },
	{ "same", "all links of a class are alike" },
	{ 0 },
};

#define KEY(section_, key_, default_, unit_, help_, ...)                                  \
	{                                                                                 \
		.name = section_ "." key_, .option[0] = { key_, default_, unit_, help_ }, \
		__VA_ARGS__                                                               \
	}

/* The same key where run.clock is cycles. */
#define CYCLES(key_, default_, unit_) \
	.option[1] = { key_, default_, unit_, "the same where run.clock is cycles" }

/* Buffers of a port, a VC each, by the class of its link. */
#define VCS(class_, where_)                                                                    \
	KEY("switch", "vcs_" class_, "", "VCs",                                                \
	    "buffers of a port " where_ ", which damq shares; empty: as many as VLs are used", \
	    .kind = HD_VALUE_COUNT, .min = 1, .max = HD_MAX_VCS, .may_be_empty = true)

#define ROW(key_, ...) [key_] = __VA_ARGS__,
const struct hd_scenario_key hd_scenario_keys[HD_N_KEYS] = {
#include "sim/scenario/keys.def"
};

enum hd_key hd_scenario_key_find(const char *name)
{
	unsigned found = HD_N_KEYS;

	for (unsigned i = 0; i < HD_N_KEYS; i++) {
		if (strcmp(hd_scenario_keys[i].name, name) == 0)
			return i;
		if (strcmp(hd_scenario_keys[i].option[0].key, name) != 0)
			continue;
		if (found != HD_N_KEYS)
			return HD_N_KEYS;
		found = i;
	}
	return found;
}

int hd_word_index(const struct hd_word *words, const char *word)
{
	for (int i = 0; words[i].name; i++)
		if (strcmp(words[i].name, word) == 0)
			return i;
	return -1;
}
