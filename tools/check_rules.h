/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* heddle check --rules: what a rule file (heddle-rules(5)) says of tables. */
#ifndef HD_TOOLS_CHECK_RULES_H
#define HD_TOOLS_CHECK_RULES_H

#include <jansson.h>

#include "check/check.h"
#include "intent/verdicts.h"

struct hd_common;
struct hd_error;
struct hd_tables;

struct hd_check_rules {
	const char *path;  /* the rule file; NULL: not asked for */
	const char *sarif; /* a file to write in SARIF; NULL: none */
	bool json;
};

/* The rules that are judged, and what came of it. */
struct hd_judged_rules {
	const struct hd_rules *rules;
	const struct hd_tables *tables;
	const struct hd_rules_verdict *verdict;
	struct hd_hop *hops; /* room for a path: [n_switches + 2] */
};

/*
 * Judges @tables, prints, and says in @verdict whether all rules are kept (enum hd_exit). @name is
 * that of the tables. HD_EINVAL: LFTs are missing, so paths are not covered; what hd_rules_read(),
 * hd_rules_judge() and hd_output_open() return.
 */
int hd_check_rules_run(const struct hd_check_rules *asked, const struct hd_tables *tables,
		       const char *name, const struct hd_common *common, int *verdict,
		       struct hd_error *err);

/* Bytes that every sentence fits into, but for long names. */
#define HD_SENTENCE_SIZE 1024

/* "rule storage: 12 of 340 paths have more than 4 hops"; @buffer is returned. */
const char *hd_rules_sentence(const struct hd_judged_rules *judged, uint32_t demand, char *buffer,
			      size_t size);

/* "set storage has 0 nodes, and should have 1 at least" */
const char *hd_rules_set_sentence(const struct hd_judged_rules *judged, uint32_t set, char *buffer,
				  size_t size);

/* "node1 to node2 (LID 17): 5 hops" */
const char *hd_rules_example(const struct hd_judged_rules *judged, uint32_t demand,
			     const struct hd_violation *violation, char *buffer, size_t size);

/*
 * Puts the path of an example by LFTs into @judged->hops, and returns the number of hops: 0 where
 * it is not that of one path.
 */
size_t hd_rules_path(const struct hd_judged_rules *judged, const struct hd_violation *violation);

/* Whether @set has fewer nodes than the file wants. */
bool hd_rules_set_is_small(const struct hd_judged_rules *judged, uint32_t set);

/* The verdict in JSON, and in SARIF (2.1.0). The caller has called hd_json_begin(). */
json_t *hd_rules_json(const struct hd_judged_rules *judged);
json_t *hd_rules_sarif(const struct hd_judged_rules *judged);

#endif
