// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/policies/scheduler_rows.h"

#include <stdio.h>
#include <string.h>

#include "support/error.h"
#include "tables/classes.h"

/* Units of a packet, where nobody says: 4 KiB, or what VL arbitration can count. */
#define PACKET HD_CLASS_PACKET_MAX

static void take_vls(const struct hd_model *model, struct hd_scheduler_rows *rows)
{
	rows->n = rows->n_classes = model->n_vls < HD_MAX_CLASSES ? model->n_vls : HD_MAX_CLASSES;
	for (unsigned vl = 0; vl < HD_MAX_VCS; vl++)
		rows->row_of[vl] = (uint8_t)(vl < rows->n ? vl : rows->n - 1);
	for (unsigned c = 0; c < rows->n; c++) {
		rows->classes[c] = (struct hd_scheduled){
			.share = 1, .of = rows->n, .packet = PACKET, .row = c
		};
		snprintf(rows->classes[c].name, sizeof(rows->classes[c].name), "VL %u", c);
	}
}

int hd_scheduler_check_allocator(const struct hd_model *model, struct hd_error *err)
{
	if (!model->options.allocator->input_first || hd_has_link_queues(model))
		return 0;
	return hd_error_set(err, HD_EINVAL,
			    "scheduler %s: with allocator input the in-ports choose the VLs",
			    model->options.scheduler->policy.name);
}

int hd_scheduler_rows(const struct hd_model *model, struct hd_scheduler_rows *rows,
		      struct hd_error *err)
{
	const struct hd_tables *tables = model->network.tables;
	const struct hd_classes *classes = tables->classes;
	const uint32_t *packets = model->options.class_packets;

	*rows = (struct hd_scheduler_rows){ 0 };
	if (hd_scheduler_check_allocator(model, err))
		return err->code;
	if (!classes) {
		take_vls(model, rows);
		return 0;
	}
	rows->n = classes->n_lanes;
	rows->n_classes = classes->n;
	for (unsigned c = 0; c < classes->n; c++) {
		const struct hd_class *class = &classes->list[c];
		const unsigned vls = hd_class_vls(tables, c);

		rows->classes[c] = (struct hd_scheduled){
			.share = class->share,
			.of = class->of,
			.packet = packets && packets[c] ? packets[c] : class->packet,
			.distance = class->distance,
			.row = class->lanes,
		};
		memcpy(rows->classes[c].name, class->name, sizeof(rows->classes[c].name));
		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
			if (vls >> vl & 1)
				rows->row_of[vl] = class->lanes;
	}
	return 0;
}

uint32_t hd_scheduler_waiting(const struct hd_model *model, uint32_t out)
{
	const struct hd_switch_model *hooks = model->options.model;
	struct sender *sender = hd_sender(model, out);
	uint32_t vls = 0;

	if (!hd_is_switch_port(model, out)) {
		const struct host_queue *queues = hd_host_queues(model, out);

		for (uint64_t rest = *hd_requests(model, sender); rest; rest &= rest - 1)
			vls |= UINT32_C(1) << queues[__builtin_ctzll(rest)].out_vl;
		return vls;
	}
	if (hooks->waiting)
		return hooks->waiting(model, out);
	for (unsigned vl = 0; vl < model->n_vls; vl++)
		vls |= hd_heads(model, sender)[vl] ? UINT32_C(1) << vl : 0;
	return vls;
}
