/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * Lanes: a lane is a layer (what deadlock freedom needs) times a queue (what keeps flows from
 * blocking one another).
 *
 *     VL(switch, in, out, SL) = layer(switch, in, out, class) * Q + queue(out, queue class)
 *     SL(source, destination) = class(source switch, destination) * C + queue class(destination)
 *
 * with Q queues and C queue classes, so that SL / C is a flow's class and SL % C its queue class.
 * An engine's routes and a layer rule give layers and classes; a queue rule gives queues and queue
 * classes (most rules have one queue for each queue class). hd_lanes_apply() composes both into
 * SL2VL tables, path SLs and VL arbitration, or refuses with the arithmetic.
 *
 * Service classes (tables/classes.h) repeat all of this: every class has its own SLs, and every set
 * of lanes of classes its own VLs. A class may have a queue rule of its own.
 */
#ifndef HD_SL2VL_LANES_H
#define HD_SL2VL_LANES_H

#include "support/policy.h"
#include "tables/classes.h"
#include "tables/tables.h"
#include "topologies/structure.h"

struct hd_error;

/* The input of a layer rule; routes are in tables->lft. */
struct hd_layer_input {
	const struct hd_tables *tables;
	const struct hd_structure *structure;

	/*
	 * The VLs between switches, and the SLs, that queues leave. Rules that need more refuse;
	 * rules that can use any number take no more.
	 */
	unsigned max_layers, max_classes;

	/*
	 * How often detours of a degraded fabric have found no room beside the rule's layers. Each
	 * time, a rule that can do with fewer layers or classes takes its next smaller scheme.
	 */
	unsigned thrift;

	/*
	 * Switches have bubble flow control: rules that have layers also for something else than
	 * rings leave out those for rings.
	 */
	bool bubble;

	/* Flows of detours may also take classes that the rule made for other flows. */
	bool any_class;

	/* The engine's first layer rule, for which its routes are made; may be NULL. */
	const char *reference;
};

/*
 * The result of a layer rule. Every (switch, in, out) has a pattern: the layer of each class there.
 * A rule that can choose among several layers has a class for each choice.
 */
struct hd_layering {
	unsigned n_layers;
	unsigned n_classes;
	uint8_t host_layer[HD_MAX_SLS]; /* [class] on the link from the host */
	uint8_t turns[HD_MAX_VLS];      /* [layer] packets of an arbitration turn, at most
					   HD_VLARB_MOST_PACKETS; 0: one */
	bool can_save; /* with more thrift the rule would use fewer layers or classes */
	unsigned n_patterns;
	uint8_t (*patterns)[HD_MAX_SLS]; /* [pattern][class] layer */
	uint16_t *pattern;               /* indexed as tables->sl2vl, switches only; NULL: pattern 0
			        everywhere */
	uint8_t *class_of;   /* [source switch * lft_stride + destination LID]; 0 for LIDs without
				an owner; NULL: class 0 */
	bool by_destination; /* class_of has one row, which all sources share */
};

struct hd_queueing;

struct hd_layer_rule {
	struct hd_policy policy; /* first; no options */
	/* Fills @layering (zeroed before). HD_EREFUSED: the rule is for other routes. */
	int (*build)(const struct hd_layer_input *input, struct hd_layering *layering,
		     struct hd_error *err);

	/*
	 * The same, with classes that depend on the destination alone, to be joined with @queueing
	 * (sl2vl/join.h) where the SLs do not suffice for build(). NULL: the rule cannot.
	 */
	int (*build_joint)(const struct hd_layer_input *input, const struct hd_queueing *queueing,
			   struct hd_layering *layering, struct hd_error *err);
};

struct hd_queue_rule;
struct hd_class_queues;

/* A queue rule with its number of queues. */
struct hd_queues {
	const struct hd_queue_rule *rule;
	unsigned n_queues;
};

/* The input of a queue rule. */
struct hd_queue_input {
	const struct hd_tables *tables;
	const struct hd_structure *structure;
	unsigned n_queues;
	const uint32_t *ids; /* [top_lid + 1] as hd_destination_ids() gives them */
	uint32_t n_hosts, n_switches;
};

/* The result of a queue rule. Every out-port has a pattern: the queue of each queue class there. */
struct hd_queueing {
	const struct hd_queues *queues;
	const struct hd_class_queues *rules; /* if service classes differ (class_queues.h); NULL:
						all have `queues` */
	unsigned n_classes;                  /* 1 .. HD_MAX_SLS */
	unsigned n_patterns;
	uint8_t (*patterns)[HD_MAX_SLS]; /* [pattern][queue class] queue; if service classes differ,
					    [index of the rule n_patterns + pattern] */
	uint8_t *pattern;  /* [port] of out-ports, adapters' too; NULL: pattern 0 everywhere */
	uint8_t *class_of; /* [lft_stride] queue class by destination LID */
};

/*
 * The queues by destination, for switches that look at a packet's destination rather than its SL.
 * So the number of queue classes has no limit.
 */
struct hd_queue_map {
	uint32_t n_rows;
	size_t stride;  /* that of the tables' LFTs */
	uint32_t *row;  /* [port] of out-ports, adapters' too; NULL: row 0 everywhere */
	uint8_t *queue; /* [row * stride + destination LID] */
};

struct hd_queue_rule {
	struct hd_policy policy; /* first; no options */
	bool power_of_two;       /* the number of queues must be a power of two */
	/*
	 * A rule has one of these two. If the queue depends on the destination alone, and is the
	 * same on the whole path, queue() gives the queue of destination @id in 0 ..
	 * @n_destinations - 1. Otherwise build() fills @queueing (zeroed before); HD_EREFUSED: the
	 * topology or the 16 SLs do not allow it.
	 */
	unsigned (*queue)(uint32_t id, uint32_t n_destinations, unsigned n_queues);
	int (*build)(const struct hd_queue_input *input, struct hd_queueing *queueing,
		     struct hd_error *err);

	/*
	 * With build(): fills @map (zeroed before), for any number of queue classes. NULL: as
	 * build(), within its 16 SLs.
	 */
	int (*map)(const struct hd_queue_input *input, struct hd_queue_map *map,
		   struct hd_error *err);
};

extern const struct hd_registry hd_layer_rules;
extern const struct hd_registry hd_queue_rules;

/* The layer rule @name; NULL: there is none. */
static inline const struct hd_layer_rule *hd_layer_rule_find(const char *name)
{
	return (const struct hd_layer_rule *)hd_policy_find(&hd_layer_rules, name);
}

/* Parses "xordet:4"; NULL is one queue. HD_EINVAL. */
int hd_queues_parse(const char *text, struct hd_queues *queues, struct hd_error *err);

/* Frees what build() allocated. */
void hd_layering_clear(struct hd_layering *layering);
void hd_queueing_clear(struct hd_queueing *queueing);

/*
 * Queues of all destinations of @tables by @queues, which must exist longer than the result. Clear
 * it with hd_queueing_clear(), also after an error. HD_EREFUSED, HD_ENOMEM.
 */
int hd_queueing_build(const struct hd_queues *queues, const struct hd_tables *tables,
		      const struct hd_structure *structure, struct hd_queueing *queueing,
		      struct hd_error *err);

/* The same as a map; clear it with hd_queue_map_clear(), also after an error. */
int hd_queue_map_build(const struct hd_queues *queues, const struct hd_tables *tables,
		       const struct hd_structure *structure, struct hd_queue_map *map,
		       struct hd_error *err);
void hd_queue_map_clear(struct hd_queue_map *map);

/*
 * Sets in @input the VLs and SLs that @queueing and @classes (NULL: none) leave to layer rules, if
 * links may use @max_vls VLs (0: all that they have).
 */
void hd_lanes_budget(const struct hd_fabric *fabric, const struct hd_queueing *queueing,
		     const struct hd_classes *classes, unsigned max_vls,
		     struct hd_layer_input *input);

/*
 * Numbers destinations for queue rules: ids[lid] = 0, 1, ... over linked ports of end nodes in
 * canonical order (on a grid by point, then in canonical order). All LIDs of a port have one
 * number; switches are counted separately. @structure may be NULL. @ids is [top_lid + 1]; LIDs
 * without an owner get 0. @n_hosts and @n_switches get the counts. HD_ENOMEM, on a grid.
 */
int hd_destination_ids(const struct hd_fabric *fabric, const struct hd_structure *structure,
		       uint32_t *ids, uint32_t *n_hosts, uint32_t *n_switches,
		       struct hd_error *err);

/*
 * Composes @layering with @queueing into the SL2VL tables, path SLs and VL arbitration of @tables.
 * Each queue of a layer has arbitration turns of the layer's length. @tables take over the rows of
 * @layering->class_of, which is NULL afterwards. Service classes of @tables get their SLs. SLs
 * beyond those in use repeat them (SL modulo the number in use, in the class of packets without a
 * class), so that no SL is dropped. @max_vls bounds the VLs of every link (0: all that the link
 * has). HD_EREFUSED: more than 16 SLs, or more VLs than some link has, with the arithmetic;
 * HD_ENOMEM.
 */
int hd_lanes_apply(struct hd_tables *tables, struct hd_layering *layering,
		   const struct hd_queueing *queueing, unsigned max_vls, struct hd_error *err);

#endif
