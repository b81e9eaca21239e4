// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * DTable (vlarb/dtable_port.h) at every port. Whom a port serves is counted when the packet goes.
 */
#include "sim/policies/scheduler_rows.h"
#include "vlarb/dtable_form.h"
#include "vlarb/dtable_port.h"
#include "support/error.h"

#include <stdlib.h>
#include <string.h>

struct port {
	struct hd_dtable_port state;
	/* by next(): the VLs of which one was chosen last, and those with packets */
	uint32_t asked, waiting;
};

struct scheduling {
	struct hd_dtable_plan plan;
	struct port ports[];
};

/* The table of all classes, whose entries serve the classes' rows. */
static int make_plan(const struct hd_model *model, struct hd_dtable_plan *plan,
		     struct hd_error *err)
{
	struct hd_dtable_form form = model->options.dtable;
	struct hd_dtable_class classes[HD_DTABLE_CLASSES];
	struct hd_scheduler_rows rows;
	struct hd_dtable table;
	int ret = hd_scheduler_rows(model, &rows, err);

	if (ret)
		return ret;
	for (unsigned c = 0; c < rows.n_classes; c++) {
		const struct hd_scheduled *class = &rows.classes[c];

		classes[c] = (struct hd_dtable_class){ .name = class->name,
						       .distance = class->distance,
						       .mtu = class->packet,
						       .share = class->share,
						       .of = class->of };
		if (class->packet > plan->packets[class->row])
			plan->packets[class->row] = class->packet;
	}
	ret = hd_dtable_complete(&form, classes, rows.n_classes, err);
	if (!ret)
		ret = hd_dtable_make(&form, classes, rows.n_classes, &table, err);
	if (ret)
		return ret;
	plan->n = table.n;
	plan->n_vls = model->n_vls;
	memcpy(plan->class_of, rows.row_of, sizeof(plan->class_of));
	for (unsigned i = 0; i < table.n; i++) {
		plan->entries[i] = table.entries[i];
		plan->entries[i].class = (uint8_t)rows.classes[table.entries[i].class].row;
	}
	return 0;
}

static int make(struct hd_model *model, struct hd_error *err)
{
	const size_t n = model->network.n_ports;
	struct scheduling *scheduling =
		calloc(1, sizeof(*scheduling) + n * sizeof(scheduling->ports[0]));
	int ret;

	model->scheduling = scheduling;
	if (!scheduling)
		return hd_error_nomem(err);
	ret = make_plan(model, &scheduling->plan, err);
	for (size_t i = 0; i < n; i++)
		hd_dtable_begin(&scheduling->plan, &scheduling->ports[i].state);
	if (ret == HD_EREFUSED)
		ret = err->code = HD_EINVAL; /* an option, and nothing that an engine refuses */
	return ret;
}

static void free_all(struct hd_model *model)
{
	free(model->scheduling);
}

static unsigned next(const struct hd_model *model, uint32_t out, unsigned vls, unsigned turn)
{
	struct scheduling *scheduling = model->scheduling;
	struct port *port = &scheduling->ports[out];
	struct hd_dtable_port trial = port->state;

	(void)turn; /* the port's state says whose turn it is */
	port->asked = vls;
	port->waiting = hd_scheduler_waiting(model, out);
	return hd_dtable_serve(&scheduling->plan, &trial, vls, port->waiting);
}

static void sent(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	struct scheduling *scheduling = model->scheduling;
	struct port *port = &scheduling->ports[out];
	struct hd_dtable_port trial = port->state;

	if (!port->asked ||
	    hd_dtable_serve(&scheduling->plan, &trial, port->asked, port->waiting) != vl) {
		trial = port->state;
		hd_dtable_serve(&scheduling->plan, &trial, UINT32_C(1) << vl, UINT32_C(1) << vl);
	}
	hd_dtable_sent(&trial, size);
	port->state = trial;
	port->asked = 0;
}

const struct hd_scheduler hd_scheduler_dtable = {
	.policy.name = "dtable",
	.policy.summary = "DTable: entries of classes in turn, with weights and deficits",
	.policy.reference =
		"Providing quality of service in omni-path networks, J. Supercomputing 2022, 3.3",
	.make = make,
	.free = free_all,
	.next = next,
	.sent = sent,
};
