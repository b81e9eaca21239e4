// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Queue classes of all destinations, by a queue rule. */
#include <stdlib.h>
#include <string.h>

#include "sl2vl/rules.h"
#include "support/error.h"

void hd_queueing_clear(struct hd_queueing *queueing)
{
	free(queueing->patterns);
	free(queueing->pattern);
	free(queueing->class_of);
	*queueing = (struct hd_queueing){ 0 };
}

/* Linked end-node ports with a LID, in canonical order. */
static bool is_destination(const struct hd_fabric *fabric, uint32_t p)
{
	const struct hd_port *port = &fabric->ports[p];

	return port->lid && !hd_is_switch(fabric, port->node) && port->peer != HD_NONE;
}

static void number_port(const struct hd_fabric *fabric, uint32_t p, uint32_t id, uint32_t *ids)
{
	const struct hd_port *port = &fabric->ports[p];

	for (uint32_t offset = 0; offset < 1u << port->lmc; offset++)
		ids[port->lid + offset] = id;
}

/* The switch that an end-node port is linked to; HD_NONE: another end node. */
static uint32_t switch_of(const struct hd_fabric *fabric, uint32_t p)
{
	uint32_t peer = fabric->ports[fabric->ports[p].peer].node;

	return hd_is_switch(fabric, peer) ? peer : HD_NONE;
}

/* Numbers the end nodes of a grid point by point; end nodes that are not on the grid come last. */
static int number_by_point(const struct hd_fabric *fabric, const struct hd_grid *grid,
			   uint32_t *ids, struct hd_error *err)
{
	uint32_t *next = calloc(grid->n_points + (size_t)2, sizeof(*next));

	if (!next)
		return hd_error_nomem(err);
	for (unsigned pass = 0; pass < 2; pass++) {
		hd_for_each_port(p, fabric) {
			uint32_t s, point;

			if (!is_destination(fabric, p))
				continue;
			s = switch_of(fabric, p);
			point = s == HD_NONE || grid->point[s] == HD_NONE ? grid->n_points
									  : grid->point[s];
			if (pass == 0)
				next[point + 1]++;
			else
				number_port(fabric, p, next[point]++, ids);
		}
		for (uint32_t point = 0; pass == 0 && point < grid->n_points; point++)
			next[point + 1] += next[point];
	}
	free(next);
	return 0;
}

int hd_destination_ids(const struct hd_fabric *fabric, const struct hd_structure *structure,
		       uint32_t *ids, uint32_t *n_hosts, uint32_t *n_switches, struct hd_error *err)
{
	*n_hosts = *n_switches = 0;
	memset(ids, 0, (fabric->top_lid + (size_t)1) * sizeof(*ids));
	hd_for_each_port(p, fabric)
		if (is_destination(fabric, p))
			number_port(fabric, p, (*n_hosts)++, ids);
		else if (fabric->ports[p].lid && hd_is_switch(fabric, fabric->ports[p].node))
			number_port(fabric, p, (*n_switches)++, ids);
	if (structure && structure->grid)
		return number_by_point(fabric, structure->grid, ids, err);
	return 0;
}

int hd_queueing_by_destination(const struct hd_queue_input *input, struct hd_queueing *queueing,
			       struct hd_error *err)
{
	queueing->patterns = calloc(1, sizeof(*queueing->patterns));
	queueing->class_of = calloc(1, input->tables->lft_stride);
	if (!queueing->patterns || !queueing->class_of)
		return hd_error_nomem(err);
	queueing->n_classes = input->n_queues;
	queueing->n_patterns = 1;
	for (unsigned class = 0; class < input->n_queues; class ++)
		queueing->patterns[0][class] = (uint8_t) class;
	return 0;
}

/* Sets queues that depend on the number of the destination. */
static int build_by_number(const struct hd_queue_rule *rule, const struct hd_queue_input *input,
			   struct hd_queueing *queueing, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	int ret = hd_queueing_by_destination(input, queueing, err);

	for (uint32_t lid = 1; !ret && lid <= fabric->top_lid; lid++) {
		uint32_t port = fabric->lids[lid].port;

		if (port == HD_NONE)
			continue;
		queueing->class_of[lid] = (uint8_t)rule->queue(
			input->ids[lid],
			hd_is_switch(fabric, fabric->ports[port].node) ? input->n_switches
								       : input->n_hosts,
			input->n_queues);
	}
	return ret;
}

int hd_queue_input_make(const struct hd_queues *queues, const struct hd_tables *tables,
			const struct hd_structure *structure, struct hd_queue_input *input,
			uint32_t **ids, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;

	*ids = malloc((fabric->top_lid + (size_t)1) * sizeof(**ids));
	*input = (struct hd_queue_input){
		.tables = tables, .structure = structure, .n_queues = queues->n_queues, .ids = *ids
	};
	return *ids ? hd_destination_ids(fabric, structure, *ids, &input->n_hosts,
					 &input->n_switches, err)
		    : hd_error_nomem(err);
}

int hd_queueing_build(const struct hd_queues *queues, const struct hd_tables *tables,
		      const struct hd_structure *structure, struct hd_queueing *queueing,
		      struct hd_error *err)
{
	struct hd_queue_input input;
	uint32_t *ids;
	int ret = hd_queue_input_make(queues, tables, structure, &input, &ids, err);

	queueing->queues = queues;
	if (!ret)
		ret = queues->rule->build ? queues->rule->build(&input, queueing, err)
					  : build_by_number(queues->rule, &input, queueing, err);
	free(ids);
	return ret;
}
