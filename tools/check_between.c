// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/check_between.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "change/mixture_walk.h"
#include "support/error.h"
#include "tables/ar_copy.h"
#include "tools/command.h"
#include "tools/open_input.h"
#include "tools/report.h"

/* How much of the tables differs. */
struct counts {
	uint64_t entries, rows, sls; /* LFT entries, SL2VL rows, pairs of source and LID */
	uint32_t switches;           /* with entries or rows that differ */
};

int hd_check_between_open(const char *old, const struct hd_tables *now,
			  const struct hd_common *common, struct hd_both_tables *both,
			  struct hd_error *err)
{
	struct hd_snapshot *snapshot;
	int ret = hd_input_snapshot(old, NULL, common, &snapshot, err);

	if (!ret)
		ret = hd_input_both(snapshot->tables, old, now, common, both, err);
	hd_snapshot_free(snapshot);
	return ret;
}

/* Pairs of source and LID with two path SLs. */
static uint64_t count_sls(const struct hd_tables *now, const struct hd_tables *before)
{
	const struct hd_fabric *fabric = now->fabric;
	uint64_t n = 0;

	hd_for_each_port(p, fabric) {
		const uint8_t *a = now->sl_rows + now->sl_row_of_port[p] * now->lft_stride;
		const uint8_t *b = before->sl_rows + before->sl_row_of_port[p] * before->lft_stride;

		if (!hd_is_end_port(fabric, p))
			continue;
		hd_for_each_lid(lid, fabric)
			n += a[lid] != b[lid] && fabric->lids[lid].port != HD_NONE &&
			     fabric->lids[lid].port != p;
	}
	return n;
}

static struct counts count(const struct hd_tables *now, const struct hd_tables *before)
{
	const struct hd_fabric *fabric = now->fabric;
	struct counts counts = { .sls = count_sls(now, before) };

	hd_for_each_node(node, fabric) {
		const uint64_t earlier = counts.entries + counts.rows;

		for (size_t i = now->sl2vl_first[node]; i < now->sl2vl_first[node + 1]; i++)
			counts.rows += now->sl2vl[i] != before->sl2vl[i];
		if (!hd_is_switch(fabric, node))
			continue;
		hd_for_each_lid(lid, fabric)
			counts.entries += fabric->lids[lid].port != HD_NONE &&
					  hd_lft(now, node)[lid] != hd_lft(before, node)[lid];
		counts.switches += counts.entries + counts.rows != earlier;
	}
	return counts;
}

/* Entries whose ports in all differ by their sets. */
static uint64_t count_sets(const struct hd_tables *now, const struct hd_tables *before)
{
	uint64_t n = 0;

	hd_for_each_switch(s, now->fabric)
		hd_for_each_lid(lid, now->fabric) {
			const struct hd_port_set *a = hd_ar_ports(now, s, lid);
			const struct hd_port_set *b = hd_ar_ports(before, s, lid);

			n += !a != !b || (a && memcmp(a, b, sizeof(*a)) != 0);
		}
	return n;
}

static struct hd_ar_changes count_private(const struct hd_tables *now,
					  const struct hd_tables *before)
{
	struct hd_ar_changes changes = { .groups = false };

	hd_for_each_switch(s, now->fabric)
		hd_ar_compare(before, now, s, &changes);
	return changes;
}

void hd_check_between_print_counts(const struct hd_tables *now, const struct hd_tables *before,
				   const struct hd_check_result *result)
{
	const struct counts counts = count(now, before);

	hd_report_field("differ",
			"%" PRIu64 " LFT entries, %" PRIu64 " SL2VL rows, on %" PRIu32
			" switches; path SLs of %" PRIu64 " pairs",
			counts.entries, counts.rows, counts.switches, counts.sls);
	if (now->ar || before->ar)
		hd_report_field("port sets", "%" PRIu64 " entries differ", count_sets(now, before));
	if (hd_ar_is_private(now) || hd_ar_is_private(before)) {
		const struct hd_ar_changes changes = count_private(now, before);

		hd_report_field("private tables",
				"%" PRIu64 " entries, %" PRIu64 " rows of maps, %" PRIu64
				" VL2VL rows differ",
				changes.n_private, changes.n_map, changes.n_vl2vl);
	}
	hd_report_field("lead nowhere", "%" PRIu64 " LFT entries, until they are new",
			result->n_lossy);
}

/* What holds the flow of @witness[i] in its channel while it needs the next one. */
static int walk(const struct hd_tables *now, const struct hd_check_options *options,
		const struct hd_check_result *result, size_t i, struct hd_mixture_hop **hops,
		size_t *n, struct hd_error *err)
{
	return hd_mixture_walk(now, options->before, options->local_repair,
			       &result->witness[i].flow, &result->witness[i],
			       &result->witness[(i + 1) % result->n_witness], hops, n, err);
}

/* Which tables hop @i of the forwarding loop goes by. */
static enum hd_fabric_state loop_entry(const struct hd_tables *now,
				       const struct hd_check_options *options,
				       const struct hd_check_result *result, size_t i)
{
	const struct hd_hop *last = &result->loop[(i ? i : result->n_loop) - 1];

	return hd_fabric_state_entry(now, options->before,
				     &result->found[HD_CHECK_FORWARD_LOOP].flow, &result->loop[i],
				     last->vl, options->local_repair);
}

static int print_way(const struct hd_tables *now, const struct hd_check_options *options,
		     const struct hd_check_result *result, size_t i, struct hd_error *err)
{
	const struct hd_fabric *fabric = now->fabric;
	const struct hd_flow *flow = &result->witness[i].flow;
	const enum hd_fabric_state sl = hd_fabric_state_sl(now, options->before, flow);
	char source[HD_LABEL_SIZE], destination[HD_LABEL_SIZE], label[HD_LABEL_SIZE];
	struct hd_columns columns;
	struct hd_mixture_hop *hops;
	size_t n;
	int ret = walk(now, options, result, i, &hops, &n, err);

	if (ret)
		return ret;
	printf("From %s to %s on SL %u%s:\n",
	       hd_report_endport(fabric, flow->source, source, sizeof(source)),
	       hd_report_lid(fabric, flow->lid, destination, sizeof(destination)), flow->sl,
	       sl == HD_STATE_EITHER   ? ""
	       : sl == HD_STATE_BEFORE ? ", the old path SL"
				       : ", the new path SL");
	hd_columns_init(&columns, 6, 1 << 1 | 1 << 2 | 1 << 3);
	hd_columns_titles(&columns, "switch", "in", "out", "VL", "LFT entry", "SL2VL row");
	for (size_t h = 0; h < n; h++) {
		hd_columns_add(&columns, "%s",
			       hd_node_label(fabric, hops[h].hop.node, label, sizeof(label)));
		hd_columns_add(&columns, "%u", hops[h].hop.in);
		hd_columns_add(&columns, "%u", hops[h].hop.out);
		hd_columns_add(&columns, "%u", hops[h].hop.vl);
		hd_columns_add(&columns, "%s", hd_fabric_state_name(hops[h].entry));
		hd_columns_add(&columns, "%s", hd_fabric_state_name(hops[h].row));
	}
	free(hops);
	return hd_columns_print(&columns, err);
}

static int print_loop(const struct hd_tables *now, const struct hd_check_options *options,
		      const struct hd_check_result *result, struct hd_error *err)
{
	struct hd_columns columns;
	char label[HD_LABEL_SIZE];

	puts("It takes these entries of the old and the new tables:");
	hd_columns_init(&columns, 3, 1 << 1);
	hd_columns_titles(&columns, "switch", "out", "LFT entry");
	for (size_t i = 0; i < result->n_loop; i++) {
		const struct hd_hop *hop = &result->loop[i];

		hd_columns_add(&columns, "%s",
			       hd_node_label(now->fabric, hop->node, label, sizeof(label)));
		hd_columns_add(&columns, "%u", hop->out);
		hd_columns_add(&columns, "%s",
			       hd_fabric_state_name(loop_entry(now, options, result, i)));
	}
	return hd_columns_print(&columns, err);
}

int hd_check_between_print_mixture(const struct hd_tables *now,
				   const struct hd_check_options *options,
				   const struct hd_check_result *result, struct hd_error *err)
{
	int ret = result->n_loop ? print_loop(now, options, result, err) : 0;

	for (size_t i = 0; !ret && i < result->n_witness; i++)
		ret = print_way(now, options, result, i, err);
	return ret;
}

static json_t *json_held(enum hd_fabric_state held)
{
	return held == HD_STATE_EITHER ? json_null() : json_string(hd_fabric_state_name(held));
}

static int json_way(const struct hd_tables *now, const struct hd_check_options *options,
		    const struct hd_check_result *result, size_t i, json_t *ways,
		    struct hd_error *err)
{
	json_t *way = json_object(), *array = json_array();
	struct hd_mixture_hop *hops;
	size_t n;
	int ret = walk(now, options, result, i, &hops, &n, err);

	json_object_set_new(way, "flow", hd_json_flow(now->fabric, &result->witness[i].flow));
	json_object_set_new(
		way, "path_sl",
		json_held(hd_fabric_state_sl(now, options->before, &result->witness[i].flow)));
	for (size_t h = 0; !ret && h < n; h++) {
		json_t *hop = hd_json_node(now->fabric, hops[h].hop.node);

		json_object_set_new(hop, "in", json_integer(hops[h].hop.in));
		json_object_set_new(hop, "out", json_integer(hops[h].hop.out));
		json_object_set_new(hop, "vl", json_integer(hops[h].hop.vl));
		json_object_set_new(hop, "entry", json_held(hops[h].entry));
		json_object_set_new(hop, "row", json_held(hops[h].row));
		json_array_append_new(array, hop);
	}
	json_object_set_new(way, "hops", array);
	json_array_append_new(ways, way);
	free(hops);
	return ret;
}

int hd_check_between_json(const struct hd_tables *now, const struct hd_check_options *options,
			  const struct hd_check_result *result, json_t *object,
			  struct hd_error *err)
{
	const struct hd_tables *before = options->before;
	const struct counts counts = count(now, before);
	json_t *ways = json_array(), *loop = json_array();
	int ret = 0;

	json_object_set_new(object, "changes",
			    json_pack("{s:I, s:I, s:I, s:I, s:I}", "entries",
				      (json_int_t)counts.entries, "rows", (json_int_t)counts.rows,
				      "path_sls", (json_int_t)counts.sls, "switches",
				      (json_int_t)counts.switches, "lossy_entries",
				      (json_int_t)result->n_lossy));
	if (now->ar || before->ar)
		json_object_set_new(json_object_get(object, "changes"), "sets",
				    json_integer((json_int_t)count_sets(now, before)));
	if (hd_ar_is_private(now) || hd_ar_is_private(before)) {
		const struct hd_ar_changes changes = count_private(now, before);
		json_t *own = json_object_get(object, "changes");

		json_object_set_new(own, "private_entries",
				    json_integer((json_int_t)changes.n_private));
		json_object_set_new(own, "map_rows", json_integer((json_int_t)changes.n_map));
		json_object_set_new(own, "vl2vl_rows", json_integer((json_int_t)changes.n_vl2vl));
	}
	for (size_t i = 0; i < result->n_loop; i++) {
		const struct hd_hop *hop = &result->loop[i];
		json_t *entry = hd_json_node(now->fabric, hop->node);

		json_object_set_new(entry, "out", json_integer(hop->out));
		json_object_set_new(entry, "entry", json_held(loop_entry(now, options, result, i)));
		json_array_append_new(loop, entry);
	}
	for (size_t i = 0; !ret && i < result->n_witness; i++)
		ret = json_way(now, options, result, i, ways, err);
	json_object_set_new(object, "mixture", json_pack("{s:o, s:o}", "loop", loop, "ways", ways));
	return ret;
}
