// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* heddle qos: what VL arbitration gives each lane and service class. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "check/load.h"
#include "sl2vl/backlog.h"
#include "sl2vl/vlarb.h"
#include "support/error.h"
#include "tables/classes.h"
#include "tools/command.h"
#include "tools/input.h"
#include "tools/qos_plan.h"
#include "tools/report.h"

enum {
	KEY_FABRIC = HD_KEY_OWN,
	KEY_MTU,
	KEY_CAP,
	KEY_DTABLE,
	KEY_JSON,
};

#define MOST_MTU (64 * HD_CLASS_PACKET_MAX)

/* Shares that differ by less are alike. */
#define SAME_SHARE .001

struct arguments {
	struct hd_common common;
	const char *netfile;
	const char *given[4]; /* "show", the snapshot, node and port; "plan" and the class file */
	uint64_t mtu, cap;
	const char *dtable, *format; /* of "plan" */
	bool json;
};

/* Ports that have the same arbitration and the same VLs in use. */
struct kind {
	uint32_t vlarb; /* number in the tables */
	uint16_t vls;
	uint32_t n_ports, first;
	struct hd_vlarb cut;            /* as ports with so many entries have the tables */
	struct hd_backlog mtu, own;     /* with packets of the MTU; of the classes */
	bool has_zero, is_cut, starves; /* weights of 0; entries beyond the capacity; a VL in use
					   gets nothing */
};

/* All that is found. */
struct view {
	const struct hd_tables *tables;
	const struct arguments *arguments;
	struct kind *kinds;
	size_t n_kinds;
	uint32_t n_unknown,
		first_unknown; /* ports with several VLs in use, of unknown arbitration */
	struct hd_check_result result;
	bool checked;

	/* [class] least and greatest share of its lanes, and their longest gap, at any port */
	double least[HD_MAX_CLASSES], most[HD_MAX_CLASSES];
	uint32_t gap[HD_MAX_CLASSES];
	uint16_t class_vls[HD_MAX_CLASSES];
};

static const struct argp_option options[] = {
	{ "fabric", KEY_FABRIC, "NETFILE", 0,
	  "The fabric, for a dump directory of OpenSM (default fabric.net in SNAPSHOT)", 0 },
	{ "mtu", KEY_MTU, "BYTES", 0, "Packets of the MTU (256-4096, default 4096)", 0 },
	{ "vlarb-cap", KEY_CAP, "N", 0,
	  "Entries that each VL arbitration table of a port has (1-64): those beyond are cut off",
	  0 },
	{ "dtable", KEY_DTABLE, "N,GMTU,W,K", 0,
	  "plan: the table of DTable, with N entries and an MTU of GMTU units of 64 bytes", 0 },
	{ "output", 'o', "FORMAT", 0, "plan: opensm prints options of opensm.conf", 0 },
	{ "json", KEY_JSON, NULL, 0, "show: print in JSON", 0 },
	{ 0 }
};

static bool is_plan(const struct arguments *arguments)
{
	return strcmp(arguments->given[0], "plan") == 0;
}

/* What does not go together. */
static error_t check_words(const struct arguments *arguments, struct argp_state *state)
{
	if (!is_plan(arguments)) {
		if (state->arg_num == 3)
			return hd_usage_error(state, "NODE without PORT");
		if (arguments->dtable || arguments->format)
			return hd_usage_error(state, "--dtable and --output go with plan");
		return 0;
	}
	if (state->arg_num > 2)
		return hd_usage_error(state, "plan takes one class file, not also '%s'",
				      arguments->given[2]);
	if (arguments->json || arguments->netfile)
		return hd_usage_error(state, "--json and --fabric go with show");
	if (arguments->format && (arguments->dtable || strcmp(arguments->format, "opensm") != 0))
		return hd_usage_error(state,
				      arguments->dtable ? "--output does not go with --dtable"
							: "--output: '%s' is not opensm",
				      arguments->format);
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	static const char *const names[] = { "show or plan", "SNAPSHOT or CLASSES", "NODE", "PORT",
					     NULL };
	struct arguments *arguments = state->input;
	error_t ret;

	switch (key) {
	case ARGP_KEY_INIT:
		hd_command_init(state, &arguments->common);
		return 0;
	case KEY_FABRIC:
		arguments->netfile = arg;
		return 0;
	case KEY_MTU:
		return hd_usage_number(state, "--mtu", arg, 256, MOST_MTU, &arguments->mtu);
	case KEY_CAP:
		return hd_usage_number(state, "--vlarb-cap", arg, 1, HD_VLARB_MAX, &arguments->cap);
	case KEY_DTABLE:
		arguments->dtable = arg;
		return 0;
	case 'o':
		arguments->format = arg;
		return 0;
	case KEY_JSON:
		arguments->json = true;
		return 0;
	case ARGP_KEY_ARG:
		ret = hd_usage_arguments(state, key, names, 2, arg, arguments->given);
		if (!ret && state->arg_num == 0 && strcmp(arg, "show") != 0 &&
		    strcmp(arg, "plan") != 0)
			return hd_usage_error(state, "no '%s': show, plan", arg);
		return ret;
	case ARGP_KEY_END:
		ret = hd_usage_arguments(state, key, names, 2, arg, arguments->given);
		return ret ? ret : check_words(arguments, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = { { .argp = &hd_common_argp }, { 0 } };

static const struct argp argp = {
	.options = options,
	.parser = parse,
	.args_doc = "show SNAPSHOT [NODE PORT]\n"
		    "plan CLASSES",
	.doc = "show: says what the VL arbitration tables of SNAPSHOT give each VL in use and each "
	       "service "
	       "class when all have packets, and how long they wait, for every kind of table; and "
	       "what is wrong with them. plan: the table that the classes of a file make, with a "
	       "VL for "
	       "each lanes. Exit status: 0; 1 a VL in use starves, no such table; 2 unusable input."
	       "\v"
	       "Examples:\n"
	       "  heddle qos show snapshot\n"
	       "  heddle qos plan classes --vlarb-cap 16",
	.children = children,
};

/* The VLs that flows take out of @port. */
static uint16_t vls_in_use(const struct hd_load *load, uint32_t port)
{
	uint16_t vls = 0;

	for (unsigned vl = 0; vl < load->n_vls; vl++)
		if (load->flows[port * (size_t)load->n_vls + vl])
			vls |= (uint16_t)(1u << vl);
	return vls;
}

/* Packets of each VL: the largest of the classes that take it. */
static void set_packets(const struct view *view, uint8_t *packet)
{
	const struct hd_classes *classes = view->tables->classes;

	memset(packet, (int)(view->arguments->mtu / 64), HD_MAX_VLS);
	for (unsigned vl = 0; classes && vl < HD_MAX_VLS; vl++) {
		uint8_t largest = 0;

		for (unsigned c = 0; c < classes->n; c++)
			if (view->class_vls[c] >> vl & 1 && classes->list[c].packet > largest)
				largest = classes->list[c].packet;
		if (largest)
			packet[vl] = largest;
	}
}

static bool has_zero(const struct hd_vlarb_entry *entries, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		if (!entries[i].weight)
			return true;
	return false;
}

static void judge(const struct view *view, struct kind *kind)
{
	uint8_t mtu[HD_MAX_VLS], own[HD_MAX_VLS];
	const uint64_t cap = view->arguments->cap;

	kind->cut = view->tables->vlarbs[kind->vlarb];
	kind->has_zero = has_zero(kind->cut.low, kind->cut.n_low) ||
			 has_zero(kind->cut.high, kind->cut.n_high);
	kind->is_cut = cap && (kind->cut.n_low > cap || kind->cut.n_high > cap);
	if (cap && kind->cut.n_low > cap)
		kind->cut.n_low = (uint8_t)cap;
	if (cap && kind->cut.n_high > cap)
		kind->cut.n_high = (uint8_t)cap;
	memset(mtu, (int)(view->arguments->mtu / 64), sizeof(mtu));
	set_packets(view, own);
	hd_vlarb_backlog(&kind->cut, kind->vls, mtu, &kind->mtu);
	hd_vlarb_backlog(&kind->cut, kind->vls, own, &kind->own);
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
		kind->starves |= kind->vls >> vl & 1 && kind->own.gap[vl] == UINT32_MAX;
}

static int add_port(struct view *view, uint32_t port, uint16_t vls, struct hd_error *err)
{
	const uint32_t vlarb = view->tables->vlarb_of_port[port];
	struct kind *grown;

	if (vlarb == HD_NONE) {
		if ((vls & (vls - 1)) && !view->n_unknown++)
			view->first_unknown = port;
		return 0;
	}
	for (size_t i = 0; i < view->n_kinds; i++)
		if (view->kinds[i].vlarb == vlarb && view->kinds[i].vls == vls) {
			view->kinds[i].n_ports++;
			return 0;
		}
	grown = realloc(view->kinds, (view->n_kinds + 1) * sizeof(*grown));
	if (!grown)
		return hd_error_nomem(err);
	view->kinds = grown;
	view->kinds[view->n_kinds] =
		(struct kind){ .vlarb = vlarb, .vls = vls, .n_ports = 1, .first = port };
	judge(view, &view->kinds[view->n_kinds++]);
	return 0;
}

/* Sums up what the lanes of each class have, over all kinds. */
static void judge_classes(struct view *view)
{
	const struct hd_classes *classes = view->tables->classes;

	for (unsigned c = 0; classes && c < classes->n; c++) {
		view->least[c] = 1;
		for (size_t i = 0; i < view->n_kinds; i++) {
			const struct kind *kind = &view->kinds[i];
			double share = 0;

			if (!(kind->vls & view->class_vls[c]))
				continue;
			for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
				if (!(kind->vls & view->class_vls[c] & 1u << vl))
					continue;
				share += kind->own.share[vl];
				if (kind->own.gap[vl] > view->gap[c])
					view->gap[c] = kind->own.gap[vl];
			}
			if (share < view->least[c])
				view->least[c] = share;
			if (share > view->most[c])
				view->most[c] = share;
		}
	}
}

/* Finds the kinds of all ports, or of port @only; HD_NONE: all. */
static int look(struct view *view, uint32_t only, struct hd_error *err)
{
	const struct hd_check_options all = { 0 };
	const struct hd_classes *classes = view->tables->classes;
	struct hd_load load;
	int ret = hd_load_compute_classes(view->tables, &load, err);

	if (ret)
		return ret;
	for (unsigned c = 0; classes && c < classes->n; c++)
		view->class_vls[c] = (uint16_t)hd_class_vls(view->tables, c);
	for (uint32_t p = 0; !ret && p < view->tables->fabric->n_ports; p++) {
		const uint16_t vls = vls_in_use(&load, p);

		if ((only == HD_NONE || only == p) && vls)
			ret = add_port(view, p, vls, err);
	}
	hd_load_clear(&load);
	if (ret)
		return ret;
	judge_classes(view);
	ret = hd_check(view->tables, &all, &view->result, err);
	view->checked = !ret;
	return ret;
}

/* The names of the classes on @vl; "-" without classes. */
static const char *name_classes(const struct view *view, unsigned vl, char *text, size_t size)
{
	const struct hd_classes *classes = view->tables->classes;
	size_t at = 0;

	snprintf(text, size, "-");
	for (unsigned c = 0; classes && c < classes->n && at < size; c++)
		if (view->class_vls[c] >> vl & 1)
			at += (size_t)snprintf(text + at, size - at, "%s%s", at ? "," : "",
					       classes->list[c].name);
	return text;
}

static unsigned count_entries(const struct hd_vlarb_entry *entries, unsigned n, unsigned vl,
			      unsigned *weight)
{
	unsigned found = 0;

	for (unsigned i = 0; i < n; i++)
		if (entries[i].vl == vl && entries[i].weight) {
			*weight += entries[i].weight;
			found++;
		}
	return found;
}

static const char *name_gap(uint32_t gap, char *text, size_t size)
{
	if (gap == UINT32_MAX)
		snprintf(text, size, "for ever");
	else
		snprintf(text, size, "%" PRIu64 " bytes", (uint64_t)gap * 64);
	return text;
}

static int print_kind(const struct view *view, const struct kind *kind, struct hd_error *err)
{
	char label[HD_LABEL_SIZE], names[HD_MAX_CLASSES * HD_CLASS_NAME], gap[32];
	struct hd_columns columns;

	hd_report_field("table", "%" PRIu32 " port%s, %s the first, limit %u", kind->n_ports,
			kind->n_ports == 1 ? "" : "s",
			hd_port_label(view->tables->fabric, kind->first, label, sizeof(label)),
			kind->cut.high_limit);
	hd_columns_init(&columns, 8, 0xfd);
	hd_columns_titles(&columns, "VL", "class", "low", "high", "weight", "share", "of MTU",
			  "longest gap");
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
		unsigned weight = 0, low, high;

		if (!(kind->vls >> vl & 1))
			continue;
		low = count_entries(kind->cut.low, kind->cut.n_low, vl, &weight);
		high = count_entries(kind->cut.high, kind->cut.n_high, vl, &weight);
		hd_columns_add(&columns, "%u", vl);
		hd_columns_add(&columns, "%s", name_classes(view, vl, names, sizeof(names)));
		hd_columns_add(&columns, "%u", low);
		hd_columns_add(&columns, "%u", high);
		hd_columns_add(&columns, "%u", weight);
		hd_columns_add(&columns, "%.4f", kind->own.share[vl]);
		hd_columns_add(&columns, "%.4f", kind->mtu.share[vl]);
		hd_columns_add(&columns, "%s", name_gap(kind->own.gap[vl], gap, sizeof(gap)));
	}
	return hd_columns_print(&columns, err);
}

static void print_faults(const struct view *view)
{
	const struct hd_check_finding *starved = &view->result.found[HD_CHECK_STARVED];
	const struct hd_fabric *fabric = view->tables->fabric;
	char label[HD_LABEL_SIZE];

	if (starved->n)
		hd_report_field("fault",
				"%" PRIu64
				" pairs of port and VL in use that no entry serves, VL %u "
				"of %s the first",
				starved->n, starved->vl,
				hd_port_label(fabric, starved->port, label, sizeof(label)));
	for (size_t i = 0; i < view->n_kinds; i++) {
		const struct kind *kind = &view->kinds[i];

		hd_port_label(fabric, kind->first, label, sizeof(label));
		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
			if (kind->vls >> vl & 1 && kind->own.gap[vl] == UINT32_MAX)
				hd_report_field("fault",
						"VL %u starves at %" PRIu32
						" ports, %s the first: %s",
						vl, kind->n_ports, label,
						hd_vlarb_serves(&kind->cut) >> vl & 1
							? "the high-priority table has no limit"
							: "it has no entry");
		if (kind->is_cut)
			hd_report_field("fault",
					"entries beyond the %" PRIu64 " of %" PRIu32
					" ports, %s the first",
					view->arguments->cap, kind->n_ports, label);
		if (kind->has_zero)
			hd_report_field("fault",
					"entries with weight 0 at %" PRIu32 " ports, %s the first",
					kind->n_ports, label);
	}
	for (unsigned c = 0; view->tables->classes && c < view->tables->classes->n; c++)
		if (view->most[c] - view->least[c] > SAME_SHARE)
			hd_report_field(
				"fault",
				"class %s: lanes with %.4f of some links and %.4f of others",
				view->tables->classes->list[c].name, view->least[c], view->most[c]);
	if (view->n_unknown)
		hd_report_field("unknown",
				"VL arbitration of %" PRIu32
				" ports with several VLs in use, %s the "
				"first",
				view->n_unknown,
				hd_port_label(fabric, view->first_unknown, label, sizeof(label)));
}

/* Whether a VL in use gets nothing. */
static bool starves(const struct view *view)
{
	bool found = view->result.found[HD_CHECK_STARVED].n != 0;

	for (size_t i = 0; i < view->n_kinds; i++)
		found |= view->kinds[i].starves;
	return found;
}

static int print_text(const struct view *view, struct hd_error *err)
{
	const struct hd_classes *classes = view->tables->classes;
	int ret = 0;

	for (size_t i = 0; !ret && i < view->n_kinds; i++)
		ret = print_kind(view, &view->kinds[i], err);
	if (ret)
		return ret;
	for (unsigned c = 0; classes && c < classes->n; c++) {
		uint64_t parts[HD_MAX_CLASSES];
		const uint64_t all = hd_classes_parts(classes, parts);
		uint64_t wanted = 0;
		char label[HD_CLASS_NAME + 8], gap[32];

		for (unsigned other = 0; other < classes->n; other++)
			if (classes->list[other].lanes == classes->list[c].lanes)
				wanted += parts[other];
		snprintf(label, sizeof(label), "class %s", classes->list[c].name);
		hd_report_field(label,
				"its lanes shall have %.4f, and have %.4f to %.4f; longest gap %s",
				(double)wanted / (double)all, view->least[c], view->most[c],
				name_gap(view->gap[c], gap, sizeof(gap)));
	}
	print_faults(view);
	hd_report_field("verdict", "%s", starves(view) ? "a VL in use starves" : "no VL starves");
	return 0;
}

/* Bytes; null: for ever. */
static json_t *json_gap(uint32_t gap)
{
	return gap == UINT32_MAX ? json_null() : json_integer((json_int_t)gap * 64);
}

static json_t *json_kind(const struct view *view, const struct kind *kind)
{
	char label[HD_LABEL_SIZE];
	json_t *object = json_object(), *vls = json_array();

	json_object_set_new(object, "ports", json_integer(kind->n_ports));
	json_object_set_new(object, "first",
			    hd_json_text(hd_port_label(view->tables->fabric, kind->first, label,
						       sizeof(label))));
	json_object_set_new(object, "limit", json_integer(kind->cut.high_limit));
	json_object_set_new(object, "zero_weights", json_boolean(kind->has_zero));
	json_object_set_new(object, "beyond_capacity", json_boolean(kind->is_cut));
	for (unsigned vl = 0; vl < HD_MAX_VLS; vl++) {
		json_t *one;

		if (!(kind->vls >> vl & 1))
			continue;
		one = json_object();
		json_object_set_new(one, "vl", json_integer(vl));
		json_object_set_new(one, "share", json_real(kind->own.share[vl]));
		json_object_set_new(one, "share_mtu", json_real(kind->mtu.share[vl]));
		json_object_set_new(one, "gap", json_gap(kind->own.gap[vl]));
		json_array_append_new(vls, one);
	}
	json_object_set_new(object, "vls", vls);
	return object;
}

static void print_json(const struct view *view)
{
	const struct hd_classes *classes = view->tables->classes;
	json_t *root = hd_json_begin(), *kinds = json_array(), *list = json_array();

	for (size_t i = 0; i < view->n_kinds; i++)
		json_array_append_new(kinds, json_kind(view, &view->kinds[i]));
	for (unsigned c = 0; classes && c < classes->n; c++) {
		json_t *one = json_object();

		json_object_set_new(one, "name", json_string(classes->list[c].name));
		json_object_set_new(one, "least", json_real(view->least[c]));
		json_object_set_new(one, "most", json_real(view->most[c]));
		json_object_set_new(one, "gap", json_gap(view->gap[c]));
		json_array_append_new(list, one);
	}
	json_object_set_new(root, "tables", kinds);
	json_object_set_new(root, "classes", list);
	json_object_set_new(root, "unknown", json_integer(view->n_unknown));
	json_object_set_new(root, "starves", json_boolean(starves(view)));
	hd_json_print(root);
}

/* The port that the command line names, or HD_NONE. */
static int find_port(const struct arguments *arguments, const struct hd_fabric *fabric,
		     uint32_t *port, struct hd_error *err)
{
	uint32_t node;
	unsigned number;
	int ret;

	*port = HD_NONE;
	if (!arguments->given[2])
		return 0;
	ret = hd_fabric_find(fabric, arguments->given[2], &node, err);
	if (!ret)
		ret = hd_input_port_number(fabric, node, arguments->given[3], &number, err);
	if (!ret)
		*port = hd_port_index(fabric, node, number);
	return ret;
}

static int run(int argc, char **argv)
{
	struct arguments arguments = { .mtu = MOST_MTU };
	struct view view = { .arguments = &arguments };
	struct hd_snapshot *snapshot = NULL;
	int status = HD_EXIT_UNUSABLE, ret;
	struct hd_error err;
	uint32_t port;

	if (hd_command_parse(&argp, argc, argv, &arguments))
		return HD_EXIT_UNUSABLE;
	if (is_plan(&arguments)) {
		ret = hd_qos_plan(arguments.given[1], arguments.dtable,
				  arguments.cap ? (unsigned)arguments.cap : HD_VLARB_CAP,
				  arguments.format != NULL, &err);
		return ret ? hd_command_fail(&err) : HD_EXIT_YES;
	}
	ret = hd_input_snapshot(arguments.given[1], arguments.netfile, &arguments.common, &snapshot,
				&err);
	if (!ret)
		ret = find_port(&arguments, snapshot->fabric, &port, &err);
	if (!ret) {
		view.tables = snapshot->tables;
		ret = look(&view, port, &err);
	}
	if (!ret && !arguments.json)
		ret = print_text(&view, &err);
	else if (!ret)
		print_json(&view);
	if (ret)
		status = hd_command_fail(&err);
	else
		status = starves(&view) ? HD_EXIT_NO : HD_EXIT_YES;
	if (view.checked)
		hd_check_clear(&view.result);
	free(view.kinds);
	hd_snapshot_free(snapshot);
	return status;
}

const struct hd_command hd_command_qos = {
	.name = "qos",
	.summary = "what VL arbitration gives each lane and service class",
	.run = run,
};
