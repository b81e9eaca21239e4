// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/qos_show.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "vlarb/vlarb.h"
#include "support/error.h"
#include "tools/report.h"

/* Shares that differ by less are alike. */
#define SAME_SHARE .001

/* Bytes by which sums of doubles may be off. */
#define ROUNDING 1e-6

/* The names of the classes on @vl; "-" without classes. */
static const char *name_classes(const struct hd_qos_view *view, unsigned vl, char *text,
				size_t size)
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

static int print_kind(const struct hd_qos_view *view, const struct hd_qos_kind *kind,
		      struct hd_error *err)
{
	char label[HD_LABEL_SIZE], names[HD_MAX_CLASSES * HD_CLASS_NAME], gap[32];
	struct hd_columns columns;

	hd_report_field("table", "%" PRIu32 " port%s, %s the first, limit %u", kind->n_ports,
			kind->n_ports == 1 ? "" : "s",
			hd_port_label(view->tables->fabric, kind->first, label, sizeof(label)),
			kind->cut.high_limit);
	hd_columns_init(&columns, 10, 0x3fd);
	hd_columns_titles(&columns, "VL", "class", "low", "high", "weight", "share", "of MTU",
			  "longest gap", "rate", "latency");
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
		hd_columns_add(&columns, "%.4f", kind->guarantee.rate[vl]);
		hd_columns_add(&columns, kind->guarantee.rate[vl] > 0 ? "%.0f bytes" : "for ever",
			       /* not -0 */
			       ceil(kind->guarantee.latency[vl] * 64 - ROUNDING) + 0.0);
	}
	return hd_columns_print(&columns, err);
}

static void print_faults(const struct hd_qos_view *view)
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
		const struct hd_qos_kind *kind = &view->kinds[i];

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
					view->cap, kind->n_ports, label);
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

int hd_qos_show(const struct hd_qos_view *view, struct hd_error *err)
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
	if (view->has_bound)
		hd_qos_bound_show(&view->bound);
	print_faults(view);
	hd_report_field("verdict", "%s%s",
			hd_qos_starves(view) ? "a VL in use starves" : "no VL starves",
			hd_qos_waits(view) ? "; a class may wait too long" : "");
	return 0;
}

/* Bytes; null: for ever. */
static json_t *json_gap(uint32_t gap)
{
	return gap == UINT32_MAX ? json_null() : json_integer((json_int_t)gap * 64);
}

static json_t *json_kind(const struct hd_qos_view *view, const struct hd_qos_kind *kind)
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
		json_object_set_new(one, "rate", json_real(kind->guarantee.rate[vl]));
		json_object_set_new(one, "latency",
				    kind->guarantee.rate[vl] > 0
					    ? json_real(kind->guarantee.latency[vl] * 64)
					    : json_null());
		json_array_append_new(vls, one);
	}
	json_object_set_new(object, "vls", vls);
	return object;
}

void hd_qos_show_json(const struct hd_qos_view *view)
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
		json_object_set_new(one, "wait",
				    view->has_bound ? hd_qos_bound_json(&view->bound, c)
						    : json_null());
		json_array_append_new(list, one);
	}
	json_object_set_new(root, "tables", kinds);
	json_object_set_new(root, "classes", list);
	json_object_set_new(root, "unknown", json_integer(view->n_unknown));
	json_object_set_new(root, "starves", json_boolean(hd_qos_starves(view)));
	json_object_set_new(root, "waits", json_boolean(hd_qos_waits(view)));
	hd_json_print(root);
}
