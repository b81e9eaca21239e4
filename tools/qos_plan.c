// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/qos_plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vlarb/saturation.h"
#include "vlarb/dtable.h"
#include "vlarb/sbt_table.h"
#include "support/error.h"
#include "support/output.h"
#include "tables/classes.h"
#include "tools/qos_export.h"
#include "tools/report.h"

static int print_dtable(const struct hd_classes *classes, const char *text, struct hd_error *err)
{
	struct hd_dtable_class list[HD_DTABLE_CLASSES];
	struct hd_columns columns;
	struct hd_dtable table;
	int ret = hd_qos_find_dtable(classes, text, list, &table, err);

	if (ret)
		return ret;
	hd_report_field("pool",
			"%" PRIu64 ", M %" PRIu64 ", total weight %" PRIu64 ", corrected %" PRIu64,
			table.pool, table.most_weight, table.first_total, table.total);
	hd_columns_init(&columns, 10, 0x3fe);
	hd_columns_titles(&columns, "class", "entries", "least", "most", "weight", "sum", "share",
			  "missing", "corrected", "share");
	for (unsigned c = 0; c < classes->n; c++) {
		hd_columns_add(&columns, "%s", list[c].name);
		hd_columns_add(&columns, "%u", list[c].n_entries);
		hd_columns_add(&columns, "%.5f", list[c].least);
		hd_columns_add(&columns, "%.5f", list[c].most);
		hd_columns_add(&columns, "%" PRIu64, list[c].first_weight);
		hd_columns_add(&columns, "%" PRIu64, list[c].first_sum);
		hd_columns_add(&columns, "%.5f", list[c].first_part);
		hd_columns_add(&columns, "%+" PRId64, list[c].missing);
		hd_columns_add(&columns, "%" PRIu64, list[c].sum);
		hd_columns_add(&columns, "%.5f", list[c].part);
	}
	ret = hd_columns_print(&columns, err);
	printf("entries:");
	for (unsigned i = 0; i < table.n; i++)
		printf(" %s:%" PRIu32, list[table.entries[i].class].name, table.entries[i].weight);
	putchar('\n');
	return ret;
}

static int print_sbt(const struct hd_classes *classes, struct hd_error *err)
{
	struct hd_sbt_class list[HD_MAX_CLASSES];
	struct hd_columns columns;
	int ret = hd_qos_find_sbt(classes, list, err);

	if (ret)
		return ret;
	hd_columns_init(&columns, 5, 0x1e);
	hd_columns_titles(&columns, "class", "VL", "weight", "of packets", "of bytes");
	for (unsigned c = 0; c < classes->n; c++) {
		hd_columns_add(&columns, "%s", list[c].name);
		hd_columns_add(&columns, "%u", classes->list[c].lanes);
		hd_columns_add(&columns, "%u", list[c].weight);
		hd_columns_add(&columns, "%.4f", list[c].packets);
		hd_columns_add(&columns, "%.4f", list[c].bytes);
	}
	return hd_columns_print(&columns, err);
}

/* @none: what stands there for no entries. */
static void print_entries(const struct hd_vlarb_entry *entries, unsigned n, const char *none)
{
	if (!n)
		printf("%s", none);
	for (unsigned i = 0; i < n; i++)
		printf("%s%u:%u", i ? "," : "", entries[i].vl, entries[i].weight);
	putchar('\n');
}

/*
 * Writes a policy by which a path record for QoS class c, or SL c, is one of class c, and all
 * others are of the default class.
 */
static int write_policy(const struct hd_classes *classes, const char *path, struct hd_error *err)
{
	struct hd_output output;
	int ret = hd_output_open(&output, path, err);

	if (ret)
		return ret;
	fprintf(output.stream,
		"# Classes of heddle qos plan: add match rules with pkey:, service-id:, source: "
		"and "
		"destination:\nqos-levels\n\tqos-level\n\t\tname: DEFAULT\n\t\tsl: %u\n"
		"\tend-qos-level\n",
		classes->fallback);
	for (unsigned c = 0; c < classes->n; c++)
		fprintf(output.stream,
			"\tqos-level\n\t\tname: class-%s\n\t\tsl: %u\n\tend-qos-level\n",
			classes->list[c].name, c);
	fprintf(output.stream, "end-qos-levels\nqos-match-rules\n");
	for (unsigned c = 0; c < classes->n; c++)
		fprintf(output.stream,
			"\tqos-match-rule\n\t\tqos-class: %u\n\t\tqos-level-name: class-%s\n"
			"\tend-qos-match-rule\n",
			c, classes->list[c].name);
	fprintf(output.stream, "end-qos-match-rules\n");
	ret = hd_output_commit(&output, err);
	hd_output_abort(&output);
	return ret;
}

/* Class c has SL c. @policy: the policy file, or NULL. */
static void print_options(const struct hd_classes *classes, const struct hd_vlarb *vlarb,
			  const char *policy)
{
	char *path = policy ? realpath(policy, NULL) : NULL;

	if (policy)
		printf("qos_policy_file %s\n", path ? path : policy);
	free(path);
	printf("qos TRUE\nqos_high_limit %u\nqos_vlarb_high ", vlarb->high_limit);
	/* OpenSM takes an empty list for its default */
	print_entries(vlarb->high, vlarb->n_high, "0:0");
	printf("qos_vlarb_low ");
	print_entries(vlarb->low, vlarb->n_low, "0:0");
	printf("qos_sl2vl ");
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		const unsigned c = sl < classes->n ? sl : classes->fallback;

		printf("%s%u", sl ? "," : "", classes->list[c].lanes);
	}
	putchar('\n');
	for (unsigned c = 0; c < classes->n; c++)
		printf("# class %s: SL %u, VL %u\n", classes->list[c].name, c,
		       classes->list[c].lanes);
}

static int print_table(const struct hd_classes *classes, const struct hd_vlarb *vlarb,
		       const uint8_t *packet, double error, struct hd_error *err)
{
	struct hd_backlog backlog;
	struct hd_columns columns;

	hd_vlarb_backlog(vlarb, (uint16_t)((1u << classes->n_lanes) - 1), packet, &backlog);
	hd_columns_init(&columns, 4, 0xe);
	hd_columns_titles(&columns, "class", "VL", "share of VL", "longest gap");
	for (unsigned c = 0; c < classes->n; c++) {
		const unsigned vl = classes->list[c].lanes;

		hd_columns_add(&columns, "%s", classes->list[c].name);
		hd_columns_add(&columns, "%u", vl);
		hd_columns_add(&columns, "%.4f", backlog.share[vl]);
		hd_columns_add(&columns, "%" PRIu64 " bytes", (uint64_t)backlog.gap[vl] * 64);
	}
	hd_report_field("shares", error > 0 ? "within %.4f of the class file" : "exact", error);
	printf("high: ");
	print_entries(vlarb->high, vlarb->n_high, "none");
	if (vlarb->n_high)
		printf("limit: %u\n", vlarb->high_limit);
	printf("low: ");
	print_entries(vlarb->low, vlarb->n_low, "none");
	return hd_columns_print(&columns, err);
}

int hd_qos_plan(const char *path, const struct hd_qos_plan *plan, struct hd_error *err)
{
	struct hd_classes classes;
	uint8_t packet[HD_MAX_VLS];
	struct hd_vlarb vlarb;
	double error;
	int ret = hd_classes_read(path, &classes, err);

	if (!ret && plan->as == HD_QOS_PRINT && plan->dtable)
		return print_dtable(&classes, plan->dtable, err);
	if (!ret && plan->as == HD_QOS_PRINT && plan->sbt)
		return print_sbt(&classes, err);
	if (!ret && plan->as == HD_QOS_CLASSES)
		return hd_qos_print_classes(&classes, plan, err);
	if (!ret)
		ret = hd_qos_make_vlarb(&classes, plan, packet, &vlarb, &error, err);
	if (!ret && plan->policy)
		ret = write_policy(&classes, plan->policy, err);
	if (ret)
		return ret;
	if (plan->as == HD_QOS_PRINT)
		return print_table(&classes, &vlarb, packet, error, err);
	print_options(&classes, &vlarb, plan->policy);
	if (plan->rr || plan->sbt || plan->dtable)
		printf("# shares within %.4f of %s\n", error,
		       plan->rr    ? "a packet of each VL in turn"
		       : plan->sbt ? "SBT's, in bytes"
				   : "DTable's");
	return 0;
}
