/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The life of packets, step by step, as text. */
#ifndef HD_MEASURE_TRACER_H
#define HD_MEASURE_TRACER_H

#include <stdio.h>

#include "sim/model/model.h"

/* The packets to follow, and the file for their steps. */
struct hd_trace_request {
	const char *what; /* "17": the 17th packet that is generated; or the name of a host: all
		          packets that it sends */
	FILE *file;
	double unit; /* ticks in a unit of `unit_name` */
	const char *unit_name;
};

struct hd_tracer;

/*
 * Follows packets of @model, on @fabric, from now on; @request must exist longer than the tracer.
 * HD_ENOTFOUND, HD_EINVAL: no such host; HD_ENOMEM. Free after the model.
 */
int hd_tracer_new(const struct hd_trace_request *request, const struct hd_fabric *fabric,
		  struct hd_model *model, struct hd_tracer **tracer, struct hd_error *err);
void hd_tracer_free(struct hd_tracer *tracer);

/*
 * HD_ENOTFOUND: no packet was followed; HD_ENOMEM: some packets were not followed; HD_EIO: the file
 * is incomplete.
 */
int hd_tracer_end(const struct hd_tracer *tracer, struct hd_error *err);

#endif
