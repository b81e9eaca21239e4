// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* SBT (vlarb/sbt.h) at every port. Whom a port serves is counted when the packet goes. */
#include "sim/policies/scheduler_rows.h"
#include "vlarb/sbt.h"
#include "vlarb/sbt_table.h"
#include "support/divisor.h"
#include "support/error.h"

#include <stdlib.h>
#include <string.h>

struct port {
	struct hd_sbt_port state;
	uint32_t asked; /* by next(): the VLs of which one was chosen last */
};

struct scheduling {
	struct hd_sbt sbt;
	struct port ports[];
};

/* 100 packets in all, as heddle qos plan --sbt has them. HD_EINVAL: a class has none. */
static int weigh_as_paper(const struct hd_scheduler_rows *rows, uint32_t *weights,
			  struct hd_error *err)
{
	struct hd_sbt_class classes[HD_MAX_CLASSES];
	struct hd_error cause;

	for (unsigned c = 0; c < rows->n_classes; c++)
		classes[c] = (struct hd_sbt_class){ .name = rows->classes[c].name,
						    .packet = rows->classes[c].packet,
						    .share = rows->classes[c].share,
						    .of = rows->classes[c].of };
	if (hd_sbt_make(classes, rows->n_classes, &cause))
		return hd_error_set(err, HD_EINVAL, "%s", cause.text);
	for (unsigned c = 0; c < rows->n_classes; c++)
		weights[c] = classes[c].weight;
	return 0;
}

/* The weights that the options give, or those that have the shares. */
static int weigh(const struct hd_model *model, const struct hd_scheduler_rows *rows,
		 struct hd_sbt *sbt, struct hd_error *err)
{
	struct hd_sbt_share shares[HD_MAX_CLASSES];
	const struct hd_model_options *options = &model->options;
	uint32_t weights[HD_MAX_CLASSES], longest[HD_MAX_CLASSES] = { 0 };
	uint64_t common = 1;

	if (options->n_weights && options->n_weights != rows->n_classes)
		return hd_error_set(err, HD_EINVAL, "%u weights of %u %s", options->n_weights,
				    rows->n_classes,
				    model->network.tables->classes ? "service classes" : "VLs");
	for (unsigned c = 0; c < rows->n_classes; c++) {
		const struct hd_scheduled *class = &rows->classes[c];

		common = hd_multiple(common, class->of);
		if (class->packet > longest[class->row])
			longest[class->row] = class->packet;
	}
	for (unsigned c = 0; c < rows->n_classes; c++)
		shares[c] = (struct hd_sbt_share){
			common / rows->classes[c].of * rows->classes[c].share,
			longest[rows->classes[c].row],
		};
	if (!options->n_weights && sbt->is_literal) {
		const int ret = weigh_as_paper(rows, weights, err);

		if (ret)
			return ret;
	} else {
		hd_sbt_weights(shares, rows->n_classes, weights);
	}
	for (unsigned c = 0; c < rows->n_classes; c++)
		sbt->weights[rows->classes[c].row] +=
			options->n_weights ? options->weights[c] : weights[c];
	return 0;
}

static int make_form(struct hd_model *model, bool is_literal, struct hd_error *err)
{
	const size_t n = model->network.n_ports;
	struct hd_scheduler_rows rows;
	struct scheduling *scheduling;
	int ret = hd_scheduler_rows(model, &rows, err);

	if (ret)
		return ret;
	scheduling = calloc(1, sizeof(*scheduling) + n * sizeof(scheduling->ports[0]));
	model->scheduling = scheduling;
	if (!scheduling)
		return hd_error_nomem(err);
	scheduling->sbt = (struct hd_sbt){
		.is_literal = is_literal,
		.n_vls = model->n_vls,
		.n_entries = rows.n_classes,
	};
	memcpy(scheduling->sbt.class_of, rows.row_of, sizeof(rows.row_of));
	ret = weigh(model, &rows, &scheduling->sbt, err);
	for (size_t i = 0; i < n; i++)
		hd_sbt_begin(&scheduling->sbt, &scheduling->ports[i].state);
	return ret;
}

static int make(struct hd_model *model, struct hd_error *err)
{
	return make_form(model, false, err);
}

static int make_literal(struct hd_model *model, struct hd_error *err)
{
	return make_form(model, true, err);
}

static void free_all(struct hd_model *model)
{
	free(model->scheduling);
}

static unsigned next(const struct hd_model *model, uint32_t out, unsigned vls, unsigned turn)
{
	struct scheduling *scheduling = model->scheduling;
	struct port *port = &scheduling->ports[out];
	struct hd_sbt_port trial = port->state;

	(void)turn; /* the port's state says whose turn it is */
	port->asked = vls;
	return hd_sbt_serve(&scheduling->sbt, &trial, vls);
}

static void sent(struct hd_model *model, uint32_t out, unsigned vl, uint32_t size)
{
	struct scheduling *scheduling = model->scheduling;
	struct port *port = &scheduling->ports[out];
	struct hd_sbt_port trial = port->state;

	(void)size;
	if (!port->asked || hd_sbt_serve(&scheduling->sbt, &trial, port->asked) != vl) {
		trial = port->state;
		hd_sbt_serve(&scheduling->sbt, &trial, UINT32_C(1) << vl);
	}
	port->state = trial;
	port->asked = 0;
}

#define PAPER "Providing quality of service in omni-path networks, J. Supercomputing 2022, 3.2"

const struct hd_scheduler hd_scheduler_sbt = {
	.policy.name = "sbt",
	.policy.summary = "SBT: classes in turn, each for as many packets as its weight; weights "
			  "come back when all that have packets are exhausted",
	.policy.reference = PAPER,
	.make = make,
	.free = free_all,
	.next = next,
	.sent = sent,
};

const struct hd_scheduler hd_scheduler_sbt_literal = {
	.policy.name = "sbt-literal",
	.policy.summary = "the same as Algorithm 1 of the paper is written: weights come back when "
			  "as many VLs as there are classes are exhausted",
	.policy.reference = PAPER,
	.make = make_literal,
	.free = free_all,
	.next = next,
	.sent = sent,
};
