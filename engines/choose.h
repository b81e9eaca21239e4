/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* Which engines serve a fabric, by its shape: what engine heddle goes by. */
#ifndef HD_ENGINES_CHOOSE_H
#define HD_ENGINES_CHOOSE_H

#include "engines/engine.h"

struct hd_error;
struct hd_shapes;

#define HD_MOST_CHOICES 5

struct hd_choices {
	unsigned n;
	bool is_irregular; /* routes by the shape may load links unevenly: the backstop is compared */
	struct {
		const struct hd_engine *engine;
		char why[128];
	} list[HD_MOST_CHOICES]; /* the best first; the last serves any fabric */
};

/* The engines for what has those shapes. */
void hd_choices_list(const struct hd_shapes *shapes, struct hd_choices *choices);

/*
 * Takes the first of the engines that serve @fabric which does not refuse and whose tables
 * request->accept() takes. Where the fabric is irregular and not large, the backstop takes the
 * place of an engine whose busiest link has over 1.25 times the flows. HD_EREFUSED: all refuse, the
 * reason of the last; HD_ENOMEM.
 */
int hd_choose_and_route(const struct hd_fabric *fabric, const struct hd_route_request *request,
			struct hd_tables **tables, struct hd_structure *structure,
			struct hd_error *err);

#endif
