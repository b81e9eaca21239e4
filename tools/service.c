// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/service.h"

#include <inttypes.h>
#include <stdio.h>

#include "tools/report.h"

static unsigned sls_of(const struct hd_classes *classes, unsigned class)
{
	return ((1u << classes->n_sls) - 1) << classes->list[class].first_sl;
}

void hd_service_tell(const struct hd_tables *tables, struct hd_fields *fields)
{
	const struct hd_classes *classes = tables->classes;

	for (unsigned c = 0; classes && c < classes->n; c++) {
		const struct hd_class *class = &classes->list[c];
		char label[HD_CLASS_NAME + 8], sls[64], vls[64];

		snprintf(label, sizeof(label), "class %s", class->name);
		hd_fields_add(fields, label, "%.6g%%, packets of %u bytes, %sSLs %s, VLs %s%s",
			      100. * class->share / class->of, class->packet * 64u,
			      class->high ? "high priority, " : "",
			      hd_report_bits(sls_of(classes, c), sls, sizeof(sls)),
			      hd_report_bits(hd_class_vls(tables, c), vls, sizeof(vls)),
			      c == classes->fallback ? ", and packets without a class" : "");
	}
}

void hd_service_print_error(const struct hd_tables *tables)
{
	const struct hd_classes *classes = tables->classes;
	char label[320];

	if (!classes)
		return;
	if (classes->error > 0)
		hd_report_field(
			"shares", "within %.4f of the class file, worst at %s", classes->error,
			hd_port_label(tables->fabric, classes->error_port, label, sizeof(label)));
	else
		hd_report_field("shares", "exact at every port");
}

void hd_service_json(const struct hd_tables *tables, bool made, json_t *root)
{
	const struct hd_classes *classes = tables->classes;
	json_t *list;

	if (!classes)
		return;
	list = json_array();
	for (unsigned c = 0; c < classes->n; c++) {
		const struct hd_class *class = &classes->list[c];
		json_t *object = json_object();

		json_object_set_new(object, "name", json_string(class->name));
		json_object_set_new(object, "share", json_real((double)class->share / class->of));
		json_object_set_new(object, "packet", json_integer(class->packet * 64));
		json_object_set_new(object, "priority", json_string(hd_class_priority(class)));
		json_object_set_new(object, "lanes", json_string(class->shares));
		json_object_set_new(object, "sls", hd_json_bits(sls_of(classes, c)));
		json_object_set_new(object, "vls", hd_json_bits(hd_class_vls(tables, c)));
		json_object_set_new(object, "default", json_boolean(c == classes->fallback));
		json_array_append_new(list, object);
	}
	json_object_set_new(root, "classes", list);
	if (made)
		json_object_set_new(root, "share_error", json_real(classes->error));
}
