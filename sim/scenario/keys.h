/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The keys of scenarios: one table, which reading, checking, `heddle list scenario` and the
 * columns of results follow.
 */
#ifndef HD_SCENARIO_KEYS_H
#define HD_SCENARIO_KEYS_H

#include <stdbool.h>

#include "support/policy.h"

enum hd_key {
	HD_FABRIC_TOPOLOGY,
	HD_FABRIC_FILE,
	HD_FABRIC_STRICT,
	HD_FABRIC_NODE_NAME_MAP,
	HD_ROUTING_ENGINE,
	HD_ROUTING_OPTIONS,
	HD_ROUTING_LAYERS,
	HD_ROUTING_QUEUES,
	HD_ROUTING_VLARB,
	HD_ROUTING_MAX_VLS,
	HD_ROUTING_LMC,
	HD_ROUTING_SNAPSHOT,
	HD_ROUTING_CLASSES,
	HD_ROUTING_ADAPTIVE,
	HD_ROUTING_TRIGGER,
	HD_ROUTING_VCS,
	HD_ROUTING_SELECT,
	HD_ROUTING_PROOF,
	HD_LINK_BANDWIDTH,
	HD_LINK_BANDWIDTH_TERMINAL,
	HD_LINK_BANDWIDTH_LOCAL,
	HD_LINK_BANDWIDTH_GLOBAL,
	HD_LINK_RATES,
	HD_LINK_PROPAGATION,
	HD_LINK_PROPAGATION_TERMINAL,
	HD_LINK_PROPAGATION_LOCAL,
	HD_LINK_PROPAGATION_GLOBAL,
	HD_SWITCH_MODEL,
	HD_SWITCH_SPEEDUP,
	HD_SWITCH_VOQ,
	HD_SWITCH_BUFFERING,
	HD_SWITCH_BUFFER,
	HD_SWITCH_BUFFER_TERMINAL,
	HD_SWITCH_BUFFER_LOCAL,
	HD_SWITCH_BUFFER_GLOBAL,
	HD_SWITCH_PORT_BUFFER,
	HD_SWITCH_VCS_TERMINAL,
	HD_SWITCH_VCS_LOCAL,
	HD_SWITCH_VCS_GLOBAL,
	HD_SWITCH_OUTPUT,
	HD_SWITCH_CENTRAL,
	HD_SWITCH_DAMQ,
	HD_SWITCH_DAMQ_RESERVED,
	HD_SWITCH_DAMQ_MAX,
	HD_SWITCH_BUBBLE,
	HD_SWITCH_LATENCY,
	HD_SWITCH_CROSSBAR_LATENCY,
	HD_SWITCH_ALLOCATOR,
	HD_SWITCH_ITERATIONS,
	HD_SWITCH_CYCLE,
	HD_SWITCH_SCHEDULER,
	HD_SWITCH_DTABLE,
	HD_SWITCH_WEIGHTS,
	HD_SWITCH_ARBITER,
	HD_SWITCH_TRANSIT,
	HD_HOST_ADMITTANCE,
	HD_HOST_INJECTION,
	HD_HOST_POLICY,
	HD_HOST_VC,
	HD_HOST_QUEUE,
	HD_HOST_REPLIES,
	HD_HOST_CONSUMPTION,
	HD_HOST_SLOW,
	HD_TRAFFIC_PATTERN,
	HD_TRAFFIC_LOAD,
	HD_TRAFFIC_PACKET,
	HD_TRAFFIC_ARRIVAL,
	HD_TRAFFIC_REPLY,
	HD_TRAFFIC_PHASES,
	HD_TRAFFIC_CLASSES,
	HD_RUN_CLOCK,
	HD_RUN_WARMUP,
	HD_RUN_MEASURE,
	HD_RUN_LONGEST,
	HD_RUN_SLICES,
	HD_RUN_BUFFERS,
	HD_RUN_PARTS,
	HD_RUN_SEEDS,
	HD_RUN_SERIES,
	HD_PLOT_X,
	HD_PLOT_Y,
	HD_PLOT_SERIES,
	HD_N_KEYS,
	HD_N_PARAMETERS = HD_RUN_SEEDS, /* the keys before it decide what is simulated */
};

/* What a value can be. The text of a value is kept as given; these say how it is read. */
enum hd_value_kind {
	HD_VALUE_TEXT,   /* may hold commas: lists are separated by a comma and a blank */
	HD_VALUE_NAME,   /* holds no commas, so that they separate */
	HD_VALUE_WORD,   /* one of `words` */
	HD_VALUE_POLICY, /* one of `registry`, with its options: "NAME:key=value,key=value" */
	HD_VALUE_BOOL,
	HD_VALUE_COUNT,     /* a whole number, `min` to `max` */
	HD_VALUE_SHARE,     /* a real number, `min` to `max` */
	HD_VALUE_TIME,      /* "6ns"; in cycles: "6" or "6 cycles" */
	HD_VALUE_BANDWIDTH, /* "32Gbps"; in cycles: flits per cycle */
	HD_VALUE_SIZE,      /* "4KiB"; in cycles: "16" or "16 flits" */
	HD_VALUE_BUFFER,    /* a size, or "16 packets"; a plain number is packets; where the key
			       takes that, "... per port" */
};

/* Words that a key takes, in the order of the enum that they stand for; ended by a NULL name. */
struct hd_word {
	const char *name;
	const char *summary; /* one line */
};

struct hd_scenario_key {
	const char *name; /* "link.bandwidth" */
	/*
	 * "bandwidth" with default, unit and meaning; then, where these differ, the same where the
	 * clock is cycles. Ended as tables of options are.
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

/*
 * The key that @name means: "section.key", or "key" where only one section has it; HD_N_KEYS:
 * none.
 */
enum hd_key hd_scenario_key_find(const char *name);

/* Index of @word in @words, or -1. */
int hd_word_index(const struct hd_word *words, const char *word);

#endif
