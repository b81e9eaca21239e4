/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/* The rules there are: one file each, listed in rules.c and nowhere else. */
#ifndef HD_SL2VL_RULES_H
#define HD_SL2VL_RULES_H

#include "sl2vl/lanes.h"

extern const struct hd_layer_rule hd_layer_class;
extern const struct hd_layer_rule hd_layer_dateline;
extern const struct hd_layer_rule hd_layer_destination;
extern const struct hd_layer_rule hd_layer_fewest;
extern const struct hd_layer_rule hd_layer_flex;
extern const struct hd_layer_rule hd_layer_hop;
extern const struct hd_layer_rule hd_layer_layered;
extern const struct hd_layer_rule hd_layer_order;
extern const struct hd_layer_rule hd_layer_order3;
extern const struct hd_layer_rule hd_layer_plus;
extern const struct hd_layer_rule hd_layer_shift;
extern const struct hd_layer_rule hd_layer_single;
extern const struct hd_layer_rule hd_layer_valiant;
extern const struct hd_layer_rule hd_layer_xyxy;

extern const struct hd_queue_rule hd_queue_bbq;
extern const struct hd_queue_rule hd_queue_dbbm;
extern const struct hd_queue_rule hd_queue_dbbq;
extern const struct hd_queue_rule hd_queue_iodet;
extern const struct hd_queue_rule hd_queue_single;
extern const struct hd_queue_rule hd_queue_vftree;
extern const struct hd_queue_rule hd_queue_voqsw;
extern const struct hd_queue_rule hd_queue_xordet;

/* Whether the global link at @port of switch @s leads to a higher group. */
static inline bool hd_leads_up(const struct hd_structure *structure, const struct hd_fabric *fabric,
			       uint32_t s, unsigned port)
{
	return structure->group[hd_peer_node(fabric, s, port)] > structure->group[s];
}

/*
 * The beginning of build() for a rule whose queue classes are its queues, the same at all ports:
 * one pattern, and class_of all zero; the rule then fills class_of. HD_ENOMEM.
 */
int hd_queueing_by_destination(const struct hd_queue_input *input, struct hd_queueing *queueing,
			       struct hd_error *err);

/*
 * Makes the input of a queue rule. The input points to @ids, which the caller frees, also after an
 * error. HD_ENOMEM.
 */
int hd_queue_input_make(const struct hd_queues *queues, const struct hd_tables *tables,
			const struct hd_structure *structure, struct hd_queue_input *input,
			uint32_t **ids, struct hd_error *err);

/*
 * The beginning of map(): @n_rows rows, all queue 0, and row 0 everywhere; the rule then changes
 * them. HD_ENOMEM.
 */
int hd_queue_map_rows(const struct hd_queue_input *input, uint32_t n_rows, struct hd_queue_map *map,
		      struct hd_error *err);

#endif
