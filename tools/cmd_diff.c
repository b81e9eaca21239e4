// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle diff: what differs between two snapshots. */
#include "tables/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/output.h"
#include "tables/classes.h"
#include "tools/command.h"
#include "tools/open_input.h"
#include "tools/faults/load_moves.h"
#include "tools/progress.h"
#include "tools/report.h"
#include "tools/diff_fields.h"
#include "tools/diff_schedule.h"

/* Links and switches that the text names; --verbose and JSON name all. */
#define MOST_LINES 10

enum {
	KEY_JSON = HD_KEY_OWN,
	KEY_PAIRS,
	KEY_OLD_FABRIC,
	KEY_NEW_FABRIC,
	KEY_SCHEDULE,
};

struct arguments {
	struct hd_common common;
	const char *directories[2];
	const char *netfiles[2];
	const char *pairs;
	bool json, schedule;
};

/* Both snapshots and their differences. */
struct comparison {
	struct hd_snapshot *snapshots[2];
	struct hd_diff diff;
	struct hd_load_moves moves;
	struct hd_output pairs; /* stream NULL: not wanted */
};

static const struct argp_option options[] = {
	{ "pairs", KEY_PAIRS, "FILE", 0,
	  "Write every pair that changes as CSV (-: standard output, instead of the summary)", 0 },
	{ "old-fabric", KEY_OLD_FABRIC, "NETFILE", 0, "Fabric of OLD, if OLD has none", 0 },
	{ "new-fabric", KEY_NEW_FABRIC, "NETFILE", 0, "Fabric of NEW, if NEW has none", 0 },
	{ "schedule", KEY_SCHEDULE, NULL, 0,
	  "Instead of the differences, print the rounds in which to send the new tables so that no "
	  "packet ever loops; exit status 0: there are such rounds, 1: there are none",
	  0 },
	{ "json", KEY_JSON, NULL, 0, "Print in JSON", 0 },
	{ 0 }
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { "OLD", "NEW", NULL };
	struct arguments *arguments = state->input;
	error_t status;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_PAIRS:
		arguments->pairs = arg;
		return 0;
	case KEY_OLD_FABRIC:
		arguments->netfiles[0] = arg;
		return 0;
	case KEY_NEW_FABRIC:
		arguments->netfiles[1] = arg;
		return 0;
	case KEY_SCHEDULE:
		arguments->schedule = true;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
	case ARGP_KEY_END:
		status = hd_usage_arguments(state, key, names, 2, arg, arguments->directories);
		if (status || key == ARGP_KEY_ARG)
			return status;
		if (arguments->json && arguments->pairs && strcmp(arguments->pairs, "-") == 0)
			return hd_usage_error(state,
					      "--json and '--pairs -' both want standard output");
		if (arguments->schedule && arguments->pairs)
			return hd_usage_error(state, "--schedule and --pairs do not go together");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "OLD NEW",
	.doc = "Compares two snapshots: nodes and links, which pairs of end nodes change path, SL "
	       "or VL, which switches change LFTs and SL2VL rows, how link loads change. GUIDs "
	       "identify nodes. Exit status: 0 the same, 1 different, 2 unusable input, or missing "
	       "tables and the rest the same.\v"
	       "Example:\n"
	       "  heddle diff --pairs changed.csv before after",
	.children = children,
};

static int write_pair(const struct hd_diff_pair *pair, void *context)
{
	FILE *stream = context;

	return fprintf(stream, "0x%016" PRIx64 ",0x%016" PRIx64 ",%d,%d,%d,%d,%d\n", pair->source,
		       pair->destination, pair->path, pair->sl, pair->vl, pair->lost,
		       pair->gained) < 0;
}

static int compare(const struct arguments *arguments, struct comparison *comparison,
		   struct hd_error *err)
{
	const struct hd_tables *before = comparison->snapshots[0]->tables;
	const struct hd_tables *after = comparison->snapshots[1]->tables;
	FILE *stream = comparison->pairs.stream;
	struct hd_progress progress;
	int ret;

	if (stream)
		fputs("source_guid,destination_guid,path,sl,vl,lost,gained\n", stream);
	hd_progress_begin(&progress, &arguments->common, "comparing");
	ret = hd_diff_compute(before, after, stream ? write_pair : NULL, stream, &comparison->diff,
			      err);
	if (!ret)
		ret = hd_load_moves_compute(before, after, &comparison->diff, &comparison->moves,
					    err);
	hd_note_verbose(&arguments->common, "compared in %.3f s", hd_progress_end(&progress));
	return ret;
}

/* Lines for service classes that are on one side alone, or differ. */
static void print_classes(const struct comparison *comparison)
{
	const struct hd_classes *const sides[] = { comparison->snapshots[0]->tables->classes,
						   comparison->snapshots[1]->tables->classes };

	if (!sides[0] && !sides[1])
		return;
	hd_report_field("classes", "%" PRIu32 " changed", comparison->diff.classes);
	for (unsigned side = 0; side < 2; side++)
		for (unsigned c = 0; sides[side] && c < sides[side]->n; c++) {
			const struct hd_class *class = &sides[side]->list[c];
			const struct hd_class *other = hd_class_find(sides[!side], class->name);

			if (!other)
				hd_report_field("", "class %s %s", class->name,
						side ? "added" : "removed");
			else if (!side)
				hd_report_field("",
						"class %s: SLs from %u, now from %u; %.6g%%, now "
						"%.6g%%; packets of %u bytes, now %u; %s "
						"priority, now %s",
						class->name, class->first_sl, other->first_sl,
						100. * class->share / class->of,
						100. * other->share / other->of,
						class->packet * 64u, other->packet * 64u,
						hd_class_priority(class), hd_class_priority(other));
		}
}

static const struct hd_fabric *fabric_of(const struct comparison *comparison, int side)
{
	return comparison->snapshots[side]->fabric;
}

/* The name of the node with @guid: that after, or where it is gone, that before. */
static const char *node_label(const struct comparison *comparison, uint64_t guid, char *buffer,
			      size_t size)
{
	for (int side = 1; side >= 0; side--) {
		uint32_t node = hd_fabric_find_node(fabric_of(comparison, side), guid);

		if (node != HD_NONE)
			return hd_node_label(fabric_of(comparison, side), node, buffer, size);
	}
	snprintf(buffer, size, "0x%016" PRIx64, guid);
	return buffer;
}

/*
 * The port that sends into a link, as "NAME[PORT]": that after, or where it is gone, that before.
 */
static const char *sender_label(const struct comparison *comparison,
				const struct hd_link_load *link, char *buffer, size_t size)
{
	int side = link->port[1] != HD_NONE;

	return hd_port_label(fabric_of(comparison, side), link->port[side], buffer, size);
}

static int print_moves(const struct comparison *comparison, bool all, struct hd_error *err)
{
	const struct hd_load_moves *moves = &comparison->moves;
	size_t n = all || moves->n_changed < MOST_LINES ? moves->n_changed : MOST_LINES;
	struct hd_columns columns;
	char label[HD_LABEL_SIZE];

	hd_report_field("link load",
			"at most %" PRIu32 " flows before, %" PRIu32 " after; mean "
			"%.2f, %.2f",
			moves->max[0], moves->max[1], moves->mean[0], moves->mean[1]);
	hd_report_field("", "%zu of %zu links between switches changed%s", moves->n_changed,
			moves->n, n < moves->n_changed ? ", most moved first:" : "");
	if (!n)
		return 0;
	hd_columns_init(&columns, 6, 0x38);
	hd_columns_titles(&columns, "from", "to", "link", "before", "after", "change");
	for (size_t i = 0; i < n; i++) {
		const struct hd_link_load *link = &moves->links[i];

		hd_columns_add(&columns, "%s",
			       sender_label(comparison, link, label, sizeof(label)));
		hd_columns_add(&columns, "%s",
			       node_label(comparison, link->to, label, sizeof(label)));
		hd_columns_add(&columns, "%s",
			       link->port[0] == HD_NONE   ? "new"
			       : link->port[1] == HD_NONE ? "gone"
							  : "");
		hd_columns_add(&columns, "%" PRIu32, link->flows[0]);
		hd_columns_add(&columns, "%" PRIu32, link->flows[1]);
		hd_columns_add(&columns, "%+" PRId64,
			       (int64_t)link->flows[1] - (int64_t)link->flows[0]);
	}
	return hd_columns_print(&columns, err);
}

static int print_switches(const struct comparison *comparison, bool all, struct hd_error *err)
{
	const struct hd_diff *diff = &comparison->diff;
	size_t n = all || diff->n_switches < MOST_LINES ? diff->n_switches : MOST_LINES;
	struct hd_columns columns;
	char label[HD_LABEL_SIZE];

	hd_report_field("switches", "%zu changed%s", diff->n_switches,
			n < diff->n_switches ? ", the first:" : "");
	if (!n)
		return 0;
	hd_columns_init(&columns, diff->has_ar ? 5 : 4, 0x1E);
	hd_columns_titles(&columns, "switch", "LFT entries", "blocks", "SL2VL rows");
	if (diff->has_ar)
		hd_columns_titles(&columns, "port sets");
	for (size_t i = 0; i < n; i++) {
		const struct hd_diff_switch *entry = &diff->switches[i];

		hd_columns_add(&columns, "%s",
			       node_label(comparison, entry->guid, label, sizeof(label)));
		hd_columns_add(&columns, "%" PRIu32, entry->lft_entries);
		hd_columns_add(&columns, "%" PRIu32, entry->lft_blocks);
		hd_columns_add(&columns, "%" PRIu32, entry->sl2vl_rows);
		if (diff->has_ar)
			hd_columns_add(&columns, "%" PRIu32, entry->ar_entries);
	}
	return hd_columns_print(&columns, err);
}

static int print_text(const struct comparison *comparison, bool all, struct hd_error *err)
{
	int ret;

	if (hd_diff_is_empty(&comparison->diff)) {
		hd_report_field("verdict", "the same%s",
				comparison->diff.pairs_uncovered ? " as far as is known" : "");
		hd_diff_tell_uncovered(&comparison->diff, NULL);
		return 0;
	}
	hd_report_field("verdict", "different");
	hd_diff_tell(&comparison->diff, NULL);
	print_classes(comparison);
	ret = print_moves(comparison, all, err);
	return ret ? ret : print_switches(comparison, all, err);
}

static json_t *json_fabrics(const struct hd_diff *diff)
{
	return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i}", "nodes_added", diff->nodes_added,
			 "nodes_removed", diff->nodes_removed, "links_added", diff->links_added,
			 "links_removed", diff->links_removed, "ports_moved", diff->ports_moved,
			 "lids_changed", diff->lids_changed);
}

static json_t *json_pairs(const struct hd_diff *diff)
{
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "all", (json_int_t)diff->pairs,
			 "changed", (json_int_t)diff->pairs_changed, "path",
			 (json_int_t)diff->pairs_path, "sl", (json_int_t)diff->pairs_sl, "vl",
			 (json_int_t)diff->pairs_vl, "lost", (json_int_t)diff->pairs_lost, "gained",
			 (json_int_t)diff->pairs_gained);
}

/* Which blocks and rows a switch changes. */
static void json_changes(const struct hd_diff *diff, const struct hd_diff_switch *entry,
			 json_t *object)
{
	json_t *blocks = json_array(), *rows = json_array();

	for (uint32_t i = 0; i < entry->lft_blocks; i++)
		json_array_append_new(blocks, json_integer(diff->blocks[entry->first_block + i]));
	for (uint32_t i = 0; i < entry->sl2vl_rows; i++) {
		const struct hd_diff_row *row = &diff->rows[entry->first_row + i];

		json_array_append_new(rows, json_pack("[i, i]", row->in, row->out));
	}
	json_object_set_new(object, "lft_blocks", blocks);
	json_object_set_new(object, "sl2vl_rows", rows);
}

static json_t *json_switches(const struct comparison *comparison)
{
	const struct hd_diff *diff = &comparison->diff;
	json_t *array = json_array();
	char label[HD_LABEL_SIZE];

	for (size_t i = 0; i < diff->n_switches; i++) {
		const struct hd_diff_switch *entry = &diff->switches[i];
		json_t *object = json_object();

		node_label(comparison, entry->guid, label, sizeof(label));
		json_object_set_new(object, "switch", hd_json_text(label));
		json_object_set_new(object, "guid", hd_json_guid(entry->guid));
		json_object_set_new(object, "lft_entries", json_integer(entry->lft_entries));
		json_object_set_new(object, "ar_entries", json_integer(entry->ar_entries));
		json_object_set_new(object, "ar_rows", json_integer(entry->ar_rows));
		json_changes(diff, entry, object);
		json_array_append_new(array, object);
	}
	return array;
}

static json_t *json_moves(const struct comparison *comparison)
{
	const struct hd_load_moves *moves = &comparison->moves;
	json_t *object = json_object(), *links = json_array();
	char label[HD_LABEL_SIZE];

	json_object_set_new(object, "max", json_pack("[i, i]", moves->max[0], moves->max[1]));
	json_object_set_new(object, "mean", json_pack("[f, f]", moves->mean[0], moves->mean[1]));
	json_object_set_new(object, "links", json_integer((json_int_t)moves->n));
	json_object_set_new(object, "changed", json_integer((json_int_t)moves->n_changed));
	for (size_t i = 0; i < moves->n_changed; i++) {
		const struct hd_link_load *link = &moves->links[i];
		int side = link->port[1] != HD_NONE;
		json_t *entry = json_object();

		node_label(comparison, link->from, label, sizeof(label));
		json_object_set_new(entry, "from", hd_json_text(label));
		node_label(comparison, link->to, label, sizeof(label));
		json_object_set_new(entry, "to", hd_json_text(label));
		json_object_set_new(
			entry, "port",
			json_integer(fabric_of(comparison, side)->ports[link->port[side]].number));
		json_object_set_new(entry, "from_guid", hd_json_guid(link->from));
		json_object_set_new(entry, "to_guid", hd_json_guid(link->to));
		json_object_set_new(entry, "before",
				    link->port[0] == HD_NONE ? json_null()
							     : json_integer(link->flows[0]));
		json_object_set_new(entry, "after",
				    link->port[1] == HD_NONE ? json_null()
							     : json_integer(link->flows[1]));
		json_array_append_new(links, entry);
	}
	json_object_set_new(object, "moved", links);
	return object;
}

static void print_json(const struct comparison *comparison)
{
	const struct hd_diff *diff = &comparison->diff;
	json_t *root = hd_json_begin();

	json_object_set_new(root, "same",
			    hd_diff_is_empty(diff) && diff->pairs_uncovered
				    ? json_null()
				    : json_boolean(hd_diff_is_empty(diff)));
	if (diff->pairs_uncovered)
		json_object_set_new(root, "uncovered",
				    json_integer((json_int_t)diff->pairs_uncovered));
	json_object_set_new(root, "fabric", json_fabrics(diff));
	json_object_set_new(root, "pairs", json_pairs(diff));
	json_object_set_new(root, "lft_entries", json_integer((json_int_t)diff->lft_entries));
	json_object_set_new(root, "ar_entries", json_integer((json_int_t)diff->ar_entries));
	json_object_set_new(root, "ar_rows", json_integer((json_int_t)diff->ar_rows));
	json_object_set_new(root, "lft_blocks", json_integer((json_int_t)diff->lft_blocks));
	json_object_set_new(root, "sl2vl_rows", json_integer((json_int_t)diff->sl2vl_rows));
	json_object_set_new(root, "vlarb_ports", json_integer(diff->vlarb_ports));
	json_object_set_new(root, "classes_changed", json_integer(diff->classes));
	json_object_set_new(root, "switches", json_switches(comparison));
	json_object_set_new(root, "load", json_moves(comparison));
	hd_json_print(root);
}

static int open_both(const struct arguments *arguments, struct comparison *comparison,
		     struct hd_error *err)
{
	int ret = 0;

	for (int side = 0; !ret && side < 2; side++)
		ret = hd_input_snapshot(arguments->directories[side], arguments->netfiles[side],
					&arguments->common, &comparison->snapshots[side], err);
	if (!ret && arguments->pairs)
		ret = hd_output_open(&comparison->pairs, arguments->pairs, err);
	return ret;
}

static int show_differences(const struct arguments *arguments, struct comparison *comparison,
			    int *status, struct hd_error *err)
{
	const bool summary = !arguments->pairs || strcmp(arguments->pairs, "-") != 0;
	int ret = compare(arguments, comparison, err);

	if (!ret && comparison->pairs.stream)
		ret = hd_output_commit(&comparison->pairs, err);
	if (!ret && arguments->json)
		print_json(comparison);
	else if (!ret && summary)
		ret = print_text(comparison, arguments->common.verbose, err);
	/* neither the same nor different: input that does not suffice */
	if (!ret && hd_diff_is_empty(&comparison->diff) && comparison->diff.pairs_uncovered)
		ret = hd_error_set(err, HD_EINVAL,
				   "LFTs are missing: %" PRIu64
				   " pairs that pass their switches are not compared",
				   comparison->diff.pairs_uncovered);
	if (!ret)
		*status = hd_diff_is_empty(&comparison->diff) ? HD_EXIT_YES : HD_EXIT_NO;
	return ret;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { 0 };
	struct comparison comparison = { 0 };
	int status = HD_EXIT_UNUSABLE;
	struct hd_error err;
	int ret;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	ret = open_both(&arguments, &comparison, &err);
	if (!ret && arguments.schedule)
		ret = hd_schedule_run(comparison.snapshots[0], arguments.directories[0],
				      comparison.snapshots[1], &arguments.common, arguments.json,
				      &status, &err);
	else if (!ret)
		ret = show_differences(&arguments, &comparison, &status, &err);
	if (ret)
		status = hd_command_fail(&err);
	hd_output_abort(&comparison.pairs);
	hd_diff_clear(&comparison.diff);
	hd_load_moves_clear(&comparison.moves);
	hd_snapshot_free(comparison.snapshots[0]);
	hd_snapshot_free(comparison.snapshots[1]);
	return status;
}

const struct hd_command hd_command_diff = {
	.name = "diff",
	.summary = "compare two snapshots",
	.run = run,
};
