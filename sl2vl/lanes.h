/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lanes: a lane is a layer (what deadlock freedom needs) times a queue (what keeps flows from
 * blocking one another).
 *
 *     VL(switch, in, out, SL) = layer(switch, in, out, class) * Q + queue
 *     SL(source, destination) = class(source switch, destination) * Q + queue(destination)
 *
 * with Q queues, so that SL / Q is a flow's class and SL % Q its queue. An engine's routes and a
 * layer rule give layers and classes; a queue rule gives queues; hd_lanes_apply() composes them into
 * SL2VL tables, path SLs and VL arbitration, or refuses with the arithmetic.
 */
#ifndef HD_SL2VL_LANES_H
#define HD_SL2VL_LANES_H

#include "tables/tables.h"

struct hd_error;

/* What a layer rule looks at: routes are in tables->lft. */
struct hd_layer_input {
	const struct hd_tables *tables;
	const uint8_t *port_class; /* [port] enum hd_port_class, or NULL: the shape has none */
};

/*
 * What a layer rule gives. Every (switch, in, out) has a pattern: the layer of each class there. A
 * rule that may choose among several layers has a class for each choice.
 */
struct hd_layering {
	unsigned n_layers;
	unsigned n_classes;
	uint8_t host_layer[HD_MAX_SLS]; /* [class] on the link from the host */
	unsigned n_patterns;
	uint8_t (*patterns)[HD_MAX_SLS]; /* [pattern][class] layer */
	uint16_t *pattern; /* indexed as tables->sl2vl, switches only; NULL: pattern 0 all over */
	uint8_t *class_of; /* [source switch * lft_stride + destination LID]; NULL: class 0 */
};

struct hd_layer_rule {
	const char *name;
	const char *summary;
	const char *reference;
	/* Fills @layering (zeroed before). HD_EREFUSED: the routes are not what the rule is for. */
	int (*build)(const struct hd_layer_input *input, struct hd_layering *layering,
		     struct hd_error *err);
};

struct hd_queue_rule {
	const char *name;
	const char *summary;
	const char *reference;
	bool power_of_two; /* the number of queues must be one */
	/* The queue of destination @id in 0 .. @n_destinations - 1. */
	unsigned (*queue)(uint32_t id, uint32_t n_destinations, unsigned n_queues);
};

/* By name, ended by NULL. */
extern const struct hd_layer_rule *const hd_layer_rules[];
extern const struct hd_queue_rule *const hd_queue_rules[];

const struct hd_layer_rule *hd_layer_rule_find(const char *name);
const struct hd_queue_rule *hd_queue_rule_find(const char *name);

/* A queue rule with its number of queues, from "xordet:4"; NULL is one queue. HD_EINVAL. */
struct hd_queues {
	const struct hd_queue_rule *rule;
	unsigned n_queues;
};
int hd_queues_parse(const char *text, struct hd_queues *queues, struct hd_error *err);

/* Frees what build() allocated. */
void hd_layering_clear(struct hd_layering *layering);

/*
 * The number by which queue rules know a destination: ends[lid] = 0, 1, ... over linked end-node
 * ports in canonical order, the same for all LIDs of a port; switches have a count of their own.
 * @ids is [top_lid + 1]; LIDs without an owner get 0. @n_hosts and @n_switches get the counts.
 */
void hd_destination_ids(const struct hd_fabric *fabric, uint32_t *ids, uint32_t *n_hosts,
			uint32_t *n_switches);

/*
 * Composes @layering with @queues into the SL2VL tables, path SLs and VL arbitration of @tables.
 * SLs beyond those in use repeat them (SL modulo the number in use), so that no SL is dropped.
 * @max_vls bounds the VLs of every link (0: the links' own).
 * HD_EREFUSED: more than 16 SLs, or more VLs than a link on the way has, with the arithmetic;
 * HD_ENOMEM.
 */
int hd_lanes_apply(struct hd_tables *tables, const struct hd_layering *layering,
		   const struct hd_queues *queues, unsigned max_vls, struct hd_error *err);

#endif
