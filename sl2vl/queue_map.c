// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Queues by out-port and destination. */
#include <stdlib.h>

#include "sl2vl/rules.h"
#include "support/error.h"

void hd_queue_map_clear(struct hd_queue_map *map)
{
	free(map->row);
	free(map->queue);
	*map = (struct hd_queue_map){ 0 };
}

int hd_queue_map_rows(const struct hd_queue_input *input, uint32_t n_rows, struct hd_queue_map *map,
		      struct hd_error *err)
{
	map->n_rows = n_rows;
	map->stride = input->tables->lft_stride;
	map->queue = calloc(n_rows * map->stride + 1, sizeof(*map->queue));
	if (n_rows > 1)
		map->row = calloc(input->tables->fabric->n_ports + (size_t)1, sizeof(*map->row));
	return map->queue && (map->row || n_rows <= 1) ? 0 : hd_error_nomem(err);
}

/* Queues that depend on the number of the destination. */
static int map_by_number(const struct hd_queue_rule *rule, const struct hd_queue_input *input,
			 struct hd_queue_map *map, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	int ret = hd_queue_map_rows(input, 1, map, err);

	if (ret)
		return ret;
	hd_for_each_lid(lid, fabric) {
		uint32_t port = fabric->lids[lid].port;

		if (port != HD_NONE)
			map->queue[lid] = (uint8_t)rule->queue(
				input->ids[lid],
				hd_is_switch(fabric, fabric->ports[port].node) ? input->n_switches
									       : input->n_hosts,
				input->n_queues);
	}
	return 0;
}

/* Queues that build() has classes for. */
static int map_by_class(const struct hd_queue_rule *rule, const struct hd_queue_input *input,
			struct hd_queue_map *map, struct hd_error *err)
{
	const struct hd_fabric *fabric = input->tables->fabric;
	struct hd_queueing queueing = { 0 };
	int ret = rule->build(input, &queueing, err);

	if (!ret)
		ret = hd_queue_map_rows(input, queueing.n_patterns, map, err);
	if (!ret) {
		for (unsigned pattern = 0; pattern < queueing.n_patterns; pattern++)
			hd_for_each_lid(lid, fabric)
				map->queue[pattern * map->stride + lid] =
					queueing.patterns[pattern][queueing.class_of[lid]];
		hd_for_each_port(p, fabric)
			if (map->row && queueing.pattern)
				map->row[p] = queueing.pattern[p];
	}
	hd_queueing_clear(&queueing);
	return ret;
}

int hd_queue_map_build(const struct hd_queues *queues, const struct hd_tables *tables,
		       const struct hd_structure *structure, struct hd_queue_map *map,
		       struct hd_error *err)
{
	const struct hd_queue_rule *rule = queues->rule;
	struct hd_queue_input input;
	uint32_t *ids;
	int ret = hd_queue_input_make(queues, tables, structure, &input, &ids, err);

	*map = (struct hd_queue_map){ 0 };
	if (!ret)
		ret = rule->map     ? rule->map(&input, map, err)
		      : rule->build ? map_by_class(rule, &input, map, err)
				    : map_by_number(rule, &input, map, err);
	free(ids);
	return ret;
}
