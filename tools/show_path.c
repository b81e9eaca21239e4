// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle show path: one path, hop by hop. */
#include <stdio.h>
#include <stdlib.h>

#include "check/walk.h"
#include "support/error.h"
#include "tables/classes.h"
#include "tables/ar.h"
#include "tools/open_input.h"
#include "tools/report.h"
#include "tools/cmd_show.h"

struct walk {
	struct hd_flow flow;
	enum hd_check_failure failure;
	struct hd_hop *hops;
	size_t n_hops;
};

static unsigned hops_between_switches(const struct hd_fabric *fabric, const struct walk *walk)
{
	unsigned n = 0;

	for (size_t i = 1; i < walk->n_hops; i++)
		n += hd_is_switch(fabric, walk->hops[i - 1].node) &&
		     hd_is_switch(fabric, walk->hops[i].node);
	return n;
}

/* Whether the link that leaves through hop @i's out-port is on the path. */
static bool leaves(const struct walk *walk, size_t i)
{
	return i + 1 < walk->n_hops;
}

static int print_text(const struct hd_fabric *fabric, const struct walk *walk, struct hd_error *err)
{
	char source[HD_LABEL_SIZE], destination[HD_LABEL_SIZE];
	struct hd_columns columns;

	printf("%s to %s (LID %u), SL %u: ",
	       hd_report_endport(fabric, walk->flow.source, source, sizeof(source)),
	       hd_report_lid(fabric, walk->flow.lid, destination, sizeof(destination)),
	       walk->flow.lid, walk->flow.sl);
	if (walk->failure == HD_CHECK_SOUND)
		printf("%u hops between switches\n", hops_between_switches(fabric, walk));
	else
		printf("%s\n", hd_check_failure_name(walk->failure));
	hd_columns_init(&columns, 4, 1 << 1 | 1 << 2 | 1 << 3);
	hd_columns_titles(&columns, "node", "in", "out", "VL");
	for (size_t i = 0; i < walk->n_hops; i++) {
		const struct hd_hop *hop = &walk->hops[i];
		char label[HD_LABEL_SIZE];

		hd_columns_add(&columns, "%s",
			       hd_node_label(fabric, hop->node, label, sizeof(label)));
		hd_columns_add(&columns, i ? "%u" : "-", hop->in);
		hd_columns_add(&columns, leaves(walk, i) ? "%u" : "-", hop->out);
		hd_columns_add(&columns, leaves(walk, i) ? "%u" : "-", hop->vl);
	}
	return hd_columns_print(&columns, err);
}

static void print_json(const struct hd_fabric *fabric, const struct walk *walk)
{
	json_t *root = hd_json_begin(), *hops = json_array();

	json_object_set_new(root, "flow", hd_json_flow(fabric, &walk->flow));
	json_object_set_new(root, "arrives", json_boolean(walk->failure == HD_CHECK_SOUND));
	if (walk->failure != HD_CHECK_SOUND)
		json_object_set_new(root, "failure",
				    json_string(hd_check_failure_name(walk->failure)));
	json_object_set_new(root, "switch_hops", json_integer(hops_between_switches(fabric, walk)));
	for (size_t i = 0; i < walk->n_hops; i++) {
		const struct hd_hop *hop = &walk->hops[i];
		json_t *entry = hd_json_node(fabric, hop->node);

		json_object_set_new(entry, "in", i ? json_integer(hop->in) : json_null());
		json_object_set_new(entry, "out",
				    leaves(walk, i) ? json_integer(hop->out) : json_null());
		json_object_set_new(entry, "vl",
				    leaves(walk, i) ? json_integer(hop->vl) : json_null());
		json_array_append_new(hops, entry);
	}
	json_object_set_new(root, "hops", hops);
	hd_json_print(root);
}

/* The SL of the path record in the class that is asked for. */
static int find_sl(const struct hd_show *show, struct hd_flow *flow, struct hd_error *err)
{
	const struct hd_tables *tables = show->snapshot->tables;
	const struct hd_class *class = NULL;
	unsigned sl = hd_path_sl(tables, flow->source, flow->lid);

	if (show->class) {
		class = hd_class_find(tables->classes, show->class);
		if (!class)
			return hd_error_set(err, HD_ENOTFOUND, "no service class '%s'%s",
					    show->class, tables->classes ? "" : ", nor any other");
		sl = hd_class_sl(tables->classes, (unsigned)(class - tables->classes->list), sl);
	}
	flow->sl = (uint8_t)(show->sl >= 0 ? (unsigned)show->sl : sl);
	return 0;
}

static int find_flow(const struct hd_show *show, struct hd_flow *flow, struct hd_error *err)
{
	const struct hd_fabric *fabric = show->snapshot->fabric;
	uint32_t destination, lid;
	int ret = hd_input_endport(fabric, show->words[0], &flow->source, NULL, err);

	if (!ret)
		ret = hd_input_endport(fabric, show->words[1], &destination, &lid, err);
	if (ret)
		return ret;
	if (!lid)
		return hd_error_set(err, HD_ENOTFOUND, "'%s' has no LID", show->words[1]);
	flow->lid = (uint16_t)lid;
	ret = find_sl(show, flow, err);
	if (ret)
		return ret;
	if (flow->sl >= HD_MAX_SLS)
		return hd_error_set(err, HD_EREFUSED, "no path record from '%s' to '%s': no SL",
				    show->words[0], show->words[1]);
	return 0;
}

int hd_show_path(const struct hd_show *show, struct hd_error *err)
{
	const struct hd_fabric *fabric = show->snapshot->fabric;
	size_t capacity = fabric->n_switches + (size_t)2;
	struct walk walk = { 0 };
	uint32_t last;
	int ret = find_flow(show, &walk.flow, err);

	if (!ret)
		ret = hd_ar_refuse_private(show->snapshot->tables, "show path", err);
	if (ret)
		return ret;
	walk.hops = malloc(capacity * sizeof(*walk.hops));
	if (!walk.hops)
		return hd_error_nomem(err);
	walk.failure =
		hd_walk(show->snapshot->tables, &walk.flow, walk.hops, capacity, &walk.n_hops);
	if (show->json)
		print_json(fabric, &walk);
	else
		ret = print_text(fabric, &walk, err);
	last = walk.hops[walk.n_hops - 1].node;
	free(walk.hops);
	if (!ret && walk.failure == HD_CHECK_NOT_COVERED) {
		char label[HD_LABEL_SIZE];

		return hd_error_set(
			err, HD_ENOTFOUND,
			"the path from '%s' to '%s' is not covered: the snapshot has no LFT "
			"of %s",
			show->words[0], show->words[1],
			hd_node_label(fabric, last, label, sizeof(label)));
	}
	if (!ret && walk.failure != HD_CHECK_SOUND)
		return hd_error_set(err, HD_EREFUSED, "the path from '%s' to '%s' fails: %s",
				    show->words[0], show->words[1],
				    hd_check_failure_name(walk.failure));
	return ret;
}
