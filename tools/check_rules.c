// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/ar.h"
#include "tools/check_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "intent/judge.h"
#include "support/error.h"
#include "support/output.h"
#include "tools/command.h"
#include "tools/progress.h"
#include "tools/report.h"

static int print_path(const struct hd_judged_rules *judged, const struct hd_violation *violation,
		      struct hd_error *err)
{
	const struct hd_fabric *fabric = judged->tables->fabric;
	struct hd_columns columns;
	char label[HD_LABEL_SIZE];
	const size_t n = hd_rules_path(judged, violation);
	const struct hd_hop *hops = judged->hops;

	if (!n)
		return 0;
	hd_columns_init(&columns, 3, 1 << 1 | 1 << 2);
	hd_columns_titles(&columns, "  node", "in", "out");
	for (size_t i = 0; i < n; i++) {
		hd_columns_add(&columns, "  %s",
			       hd_node_label(fabric, hops[i].node, label, sizeof(label)));
		hd_columns_add(&columns, i ? "%u" : "-", hops[i].in);
		hd_columns_add(&columns, i + 1 < n ? "%u" : "-", hops[i].out);
	}
	return hd_columns_print(&columns, err);
}

static int print_demand(const struct hd_judged_rules *judged, uint32_t d, struct hd_error *err)
{
	const struct hd_demand_verdict *verdict = &judged->verdict->demands[d];
	char text[2 * HD_SENTENCE_SIZE];
	int ret = 0;

	printf("\n%s:%u: %s\n", judged->rules->file, judged->rules->demands[d].line,
	       hd_rules_sentence(judged, d, text, sizeof(text)));
	for (unsigned i = 0; !ret && i < verdict->n_examples; i++) {
		printf("  %s\n",
		       hd_rules_example(judged, d, &verdict->examples[i], text, sizeof(text)));
		ret = print_path(judged, &verdict->examples[i], err);
	}
	return ret;
}

static int print_text(const struct hd_judged_rules *judged, struct hd_error *err)
{
	const struct hd_rules *rules = judged->rules;
	const struct hd_rules_verdict *verdict = judged->verdict;
	char text[HD_SENTENCE_SIZE];
	int ret = 0;

	hd_report_field("rules", "%" PRIu32 " in %s", rules->n_rules, rules->file);
	hd_report_field("demands", "%" PRIu32 ", %" PRIu32 " violated", rules->n_demands,
			verdict->n_bad);
	if (verdict->n_small)
		hd_report_field("sets", "%" PRIu32 " with too few nodes", verdict->n_small);
	if (verdict->n_uncovered)
		hd_report_field("not covered", "%" PRIu64 " paths", verdict->n_uncovered);
	if (judged->tables->ar)
		hd_report_field("port sets", "every choice counts; default ports alone for "
					     "disjoint, survive, min_spines and loads");
	for (uint32_t s = 0; s < rules->n_sets; s++)
		if (hd_rules_set_is_small(judged, s))
			printf("\n%s:%u: %s\n", rules->file, rules->sets[s].line,
			       hd_rules_set_sentence(judged, s, text, sizeof(text)));
	for (uint32_t d = 0; !ret && d < rules->n_demands; d++)
		if (verdict->demands[d].n_bad)
			ret = print_demand(judged, d, err);
	return ret;
}

static int write_sarif(const struct hd_judged_rules *judged, const char *path, struct hd_error *err)
{
	json_t *root = hd_json_begin(), *sarif = hd_rules_sarif(judged);
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	json_decref(root);
	if (!ret) {
		/* a failure is found when the file is closed */
		json_dumpf(sarif, output.stream, JSON_INDENT(2) | JSON_ENSURE_ASCII);
		fputc('\n', output.stream);
		ret = hd_output_commit(&output, err);
		hd_output_abort(&output);
	}
	json_decref(sarif);
	return ret;
}

static int print(const struct hd_check_rules *asked, const struct hd_judged_rules *judged,
		 struct hd_error *err)
{
	int ret = asked->sarif ? write_sarif(judged, asked->sarif, err) : 0;

	if (ret)
		return ret;
	if (!asked->json)
		return print_text(judged, err);
	json_decref(hd_json_begin());
	hd_json_print(hd_rules_json(judged));
	return 0;
}

static int judge(const struct hd_rules *rules, const struct hd_tables *tables,
		 const struct hd_common *common, struct hd_rules_verdict *verdict,
		 struct hd_error *err)
{
	struct hd_progress progress;
	uint64_t done = 0;
	int ret;

	hd_progress_begin_counted(&progress, common, "judging paths", &done,
				  tables->fabric->top_lid);
	ret = hd_rules_judge(rules, tables, &done, verdict, err);
	hd_note_verbose(common, "judged in %.3f s", hd_progress_end(&progress));
	return ret;
}

int hd_check_rules_run(const struct hd_check_rules *asked, const struct hd_tables *tables,
		       const char *name, const struct hd_common *common, int *exit_status,
		       struct hd_error *err)
{
	struct hd_rules_verdict verdict = { 0 };
	struct hd_judged_rules judged = { .tables = tables, .verdict = &verdict };
	struct hd_rules *rules;
	int ret = hd_rules_read(asked->path, &rules, err);

	judged.rules = rules;
	judged.hops = malloc((tables->fabric->n_switches + (size_t)2) * sizeof(*judged.hops));
	if (!ret && !judged.hops)
		ret = hd_error_nomem(err);
	if (!ret)
		ret = hd_ar_refuse_private(tables, "a check of rules", err);
	if (!ret)
		ret = judge(rules, tables, common, &verdict, err);
	if (!ret)
		ret = print(asked, &judged, err);
	if (!ret && verdict.n_uncovered)
		ret = hd_error_at(err, HD_EINVAL, name, 0,
				  "the LFTs of %" PRIu32 " of %" PRIu32
				  " switches are missing: %" PRIu64 " paths have no verdict",
				  tables->n_lft_unknown, tables->fabric->n_switches,
				  verdict.n_uncovered);
	if (!ret)
		*exit_status = verdict.n_bad || verdict.n_small ? HD_EXIT_NO : HD_EXIT_YES;
	hd_rules_verdict_clear(&verdict);
	hd_rules_free(rules);
	free(judged.hops);
	return ret;
}
