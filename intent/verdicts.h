/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* What is found about a rule file: a verdict for each demand. */
#ifndef HD_INTENT_VERDICTS_H
#define HD_INTENT_VERDICTS_H

#include "intent/rule_file.h"

#define HD_MOST_EXAMPLES 3

/* One that does not have what a demand wants. */
struct hd_violation {
	uint32_t source; /* end port, index in ports[]; HD_NONE: the violation is that of a link */
	uint16_t lid;    /* 0: that of all ports of `to` together */
	uint32_t port; /* the port of a link, or port 0 of a switch: what is shared, passed, loaded;
			    HD_NONE: none */
	uint32_t number; /* hops, flows, spines, SL */
};

/* What a verdict counts. */
enum hd_judged {
	HD_JUDGED_PATHS,   /* pairs of end port and LID */
	HD_JUDGED_PAIRS,   /* of end ports */
	HD_JUDGED_SOURCES, /* end ports */
	HD_JUDGED_LINKS,   /* links between switches with flows, each direction by itself */
};

struct hd_demand_verdict {
	enum hd_judged judged;
	uint64_t n, n_bad;
	double mean; /* of loads */
	unsigned n_examples;
	struct hd_violation examples[HD_MOST_EXAMPLES];
};

struct hd_rules_verdict {
	struct hd_demand_verdict *demands; /* [demand] */
	uint32_t *nodes;                   /* [set] number of its nodes */
	uint64_t n_uncovered; /* paths without a verdict: the LFTs of a switch are not known */
	uint32_t n_small;     /* sets with too few nodes */
	uint32_t n_bad;       /* demands that are violated */
};

#endif
