// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tools/qos_bound.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "support/error.h"
#include "tools/report.h"

/* What is left of a need that is all that is guaranteed, by the arithmetic of doubles. */
#define ROUNDING 1e-9

int hd_qos_bound(struct hd_qos_bound *bound, struct hd_error *err)
{
	char label[HD_LABEL_SIZE];
	struct hd_error cause;
	int ret = hd_bound_find(bound->tables, &bound->traffic, &bound->found, &cause);

	bound->refusal[0] = '\0';
	if (ret && ret != HD_EREFUSED)
		return hd_error_set(err, ret, "%s", cause.text);
	if (ret)
		snprintf(bound->refusal, sizeof(bound->refusal), "%s", cause.text);
	else if (bound->found.unknown != HD_NONE)
		snprintf(bound->refusal, sizeof(bound->refusal),
			 "the rate or the VL arbitration of %s is not known",
			 hd_port_label(bound->tables->fabric, bound->found.unknown, label,
				       sizeof(label)));
	return 0;
}

/* Why packets of @class wait no one knows how long; "": there is a bound, or nobody sends. */
static const char *find_reason(const struct hd_qos_bound *bound, unsigned class, char *text,
			       size_t size)
{
	const struct hd_bound_class *found = &bound->found.list[class];
	const struct hd_fabric *fabric = bound->tables->fabric;
	const uint64_t buffer = bound->traffic.buffer;
	char label[HD_LABEL_SIZE];

	if (bound->refusal[0])
		return bound->refusal;
	text[0] = '\0';
	if (found->source == HD_NONE)
		return text;
	if (found->need > 1 + ROUNDING)
		snprintf(text, size,
			 "flows at load %g need %.4f of what VL %u of %s guarantees; load %.4f is "
			 "feasible",
			 bound->traffic.load, found->need, found->needed.vl,
			 hd_port_label(fabric, found->needed.port, label, sizeof(label)),
			 floor(bound->traffic.load / found->need * 10000) / 10000);
	else if (isinf(found->wait))
		snprintf(text, size,
			 "flows that overtake one another need all of what VL %u of %s guarantees",
			 found->needed.vl,
			 hd_port_label(fabric, found->needed.port, label, sizeof(label)));
	else if (buffer && found->bytes > (double)buffer)
		snprintf(text, size,
			 "%.0f bytes may wait behind %s on VL %u, which has buffers of %" PRIu64,
			 found->bytes,
			 hd_port_label(fabric, found->full.port, label, sizeof(label)),
			 found->full.vl, buffer);
	return text;
}

bool hd_qos_bound_fails(const struct hd_qos_bound *bound, unsigned class)
{
	const uint64_t wait = bound->tables->classes->list[class].wait;
	char text[2 * HD_LABEL_SIZE];

	return wait && (find_reason(bound, class, text, sizeof(text))[0] ||
			bound->found.list[class].wait > (double)wait);
}

void hd_qos_bound_show(const struct hd_qos_bound *bound)
{
	const struct hd_classes *classes = bound->tables->classes;
	const struct hd_fabric *fabric = bound->tables->fabric;

	for (unsigned c = 0; c < classes->n; c++) {
		const struct hd_bound_class *found = &bound->found.list[c];
		char name[HD_CLASS_NAME + 8], text[2 * HD_LABEL_SIZE], shall[64] = "";
		char source[HD_LABEL_SIZE], lid[HD_LABEL_SIZE];
		const char *reason = find_reason(bound, c, text, sizeof(text));

		snprintf(name, sizeof(name), "wait %s", classes->list[c].name);
		if (classes->list[c].wait)
			snprintf(shall, sizeof(shall), "; %s the %" PRIu64 " ns that it may wait",
				 hd_qos_bound_fails(bound, c) ? "not within" : "within",
				 classes->list[c].wait);
		if (reason[0])
			hd_report_field(name, "no bound: %s%s", reason, shall);
		else if (found->source == HD_NONE)
			hd_report_field(name, "no flows");
		else
			hd_report_field(
				name,
				"at most %.0f ns, from %s to %s; at most %.0f bytes behind "
				"a link%s",
				ceil(found->wait),
				hd_report_endport(fabric, found->source, source, sizeof(source)),
				hd_report_lid(fabric, found->lid, lid, sizeof(lid)),
				ceil(found->bytes), shall);
	}
}

json_t *hd_qos_bound_json(const struct hd_qos_bound *bound, unsigned class)
{
	const struct hd_bound_class *found = &bound->found.list[class];
	const struct hd_fabric *fabric = bound->tables->fabric;
	char text[2 * HD_LABEL_SIZE], label[HD_LABEL_SIZE];
	const char *reason = find_reason(bound, class, text, sizeof(text));
	json_t *object;

	if (!reason[0] && found->source == HD_NONE)
		return json_null();
	object = json_object();
	json_object_set_new(object, "within", json_boolean(!hd_qos_bound_fails(bound, class)));
	json_object_set_new(object, "reason", reason[0] ? hd_json_text(reason) : json_null());
	if (reason[0])
		return object;
	json_object_set_new(object, "ns", json_real(found->wait));
	json_object_set_new(
		object, "source",
		hd_json_text(hd_report_endport(fabric, found->source, label, sizeof(label))));
	json_object_set_new(object, "lid", json_integer(found->lid));
	json_object_set_new(object, "need", json_real(found->need));
	json_object_set_new(object, "bytes", json_real(found->bytes));
	return object;
}
