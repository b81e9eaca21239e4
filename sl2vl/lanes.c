// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sl2vl/lanes.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sl2vl/class_queues.h"
#include "tables/ar.h"
#include "vlarb/vlarb.h"
#include "support/error.h"

void hd_layering_clear(struct hd_layering *layering)
{
	free(layering->patterns);
	free(layering->pattern);
	free(layering->class_of);
	*layering = (struct hd_layering){ 0 };
}

void hd_lanes_budget(const struct hd_fabric *fabric, const struct hd_queueing *queueing,
		     const struct hd_classes *classes, unsigned max_vls,
		     struct hd_layer_input *input)
{
	unsigned vls = max_vls ? max_vls : HD_MAX_VLS;
	unsigned n_queues = queueing->queues->n_queues * (classes ? classes->n_lanes : 1);

	if (classes && queueing->rules)
		n_queues = hd_all_queues(queueing->rules, classes->n_lanes);
	hd_for_each_port(p, fabric) {
		uint32_t peer = fabric->ports[p].peer;

		if (peer != HD_NONE && hd_is_switch(fabric, fabric->ports[p].node) &&
		    hd_is_switch(fabric, fabric->ports[peer].node) && hd_link_vls(fabric, p) < vls)
			vls = hd_link_vls(fabric, p);
	}
	input->max_layers = vls / n_queues;
	input->max_classes = HD_MAX_SLS / queueing->n_classes;
	if (classes)
		input->max_classes /= classes->n;
}

/* A composition in the making: every pattern as an SL2VL row and as the set of VLs in use in it. */
struct composition {
	struct hd_tables *tables;
	struct hd_layering *layering;
	const struct hd_queueing *queueing;
	unsigned n_sls, n_vls; /* of each service class; of all lanes together */
	hd_sl2vl_row *rows;    /* [queue pattern * n_patterns + layer pattern] */
	uint16_t *vls;         /* indexed as rows; bit v: some SL in use takes VL v */
	unsigned max_vls;
	uint8_t own_sl[HD_MAX_SLS];              /* [SL] among those of its service class */
	uint8_t lanes[HD_MAX_SLS];               /* [SL] of its service class; 0 without classes */
	uint8_t first_vl[HD_MAX_CLASSES + 1];    /* [lanes] */
	uint8_t turns[HD_MAX_VLS];               /* [VL] packets of a turn in VL arbitration */
	uint32_t vlarb_of_vls[1 << HD_MAX_VLS];  /* HD_NONE: not made yet */
	char times_classes[32], times_lanes[32]; /* "5 service classes x " for messages; "" */
};

static unsigned count_queues(const struct composition *c, unsigned lanes)
{
	return c->queueing->rules ? hd_lanes_queues(c->queueing->rules, lanes)
				  : c->queueing->queues->n_queues;
}

/* The queues of the queue classes at out-ports of @pattern, for packets of @lanes. */
static const uint8_t *queues_at(const struct composition *c, unsigned pattern, unsigned lanes)
{
	const unsigned rule = c->queueing->rules ? c->queueing->rules->of_lanes[lanes] : 0;

	return c->queueing->patterns[rule * c->queueing->n_patterns + pattern];
}

static hd_sl2vl_row compose_row(const struct composition *c, const uint8_t *layer_of_class,
				unsigned queue_pattern, uint16_t *vls)
{
	const unsigned n_classes = c->queueing->n_classes;
	hd_sl2vl_row row = 0;

	*vls = 0;
	for (unsigned s = 0; s < HD_MAX_SLS; s++) {
		const unsigned sl = c->own_sl[s], lanes = c->lanes[s];
		const unsigned vl = c->first_vl[lanes] +
				    layer_of_class[sl / n_classes] * count_queues(c, lanes) +
				    queues_at(c, queue_pattern, lanes)[sl % n_classes];

		row |= (uint64_t)vl << (4 * s);
		*vls |= (uint16_t)(1u << vl);
	}
	return row;
}

/*
 * "2 layers x 4 queues (dbbm)", "3 lanes of classes x ...", "2 layers x (4 + 1) queues of classes'
 * lanes"
 */
static const char *describe_vls(const struct composition *c, char *text, size_t size)
{
	const struct hd_class_queues *rules = c->queueing->rules;
	int n;

	if (!rules) {
		snprintf(text, size, "%s%u layers x %u queues (%s)", c->times_lanes,
			 c->layering->n_layers, c->queueing->queues->n_queues,
			 c->queueing->queues->rule->policy.name);
		return text;
	}
	n = snprintf(text, size, "%u layers x (", c->layering->n_layers);
	for (unsigned lanes = 0; lanes < c->tables->classes->n_lanes; lanes++)
		n += snprintf(text + n, size - (size_t)n, "%s%u", lanes ? " + " : "",
			      hd_lanes_queues(rules, lanes));
	snprintf(text + n, size - (size_t)n, ") queues of the lanes of classes");
	return text;
}

static int refuse_vls(const struct composition *c, uint32_t port, unsigned has, uint16_t vls,
		      struct hd_error *err)
{
	char label[320], text[160];

	return hd_error_set(err, HD_EREFUSED, "%s need %u VLs, of which %s needs %d and has %u",
			    describe_vls(c, text, sizeof(text)), c->n_vls,
			    hd_port_label(c->tables->fabric, port, label, sizeof(label)),
			    32 - __builtin_clz(vls), has);
}

/* The queue pattern of an out-port. */
static unsigned queue_pattern(const struct composition *c, uint32_t port)
{
	return c->queueing->pattern ? c->queueing->pattern[port] : 0;
}

/* Checks the VLs of a linked port and gives it an arbitration over them. */
static int finish_port(struct composition *c, uint32_t port, uint16_t vls, struct hd_error *err)
{
	unsigned has = hd_link_vls(c->tables->fabric, port);
	uint32_t *known = &c->vlarb_of_vls[vls];
	struct hd_vlarb vlarb;
	int ret;

	if (c->max_vls && c->max_vls < has)
		has = c->max_vls;
	if (vls >> has)
		return refuse_vls(c, port, has, vls, err);
	if (*known == HD_NONE) {
		hd_vlarb_turns(vls, c->turns, &vlarb);
		ret = hd_tables_set_vlarb(c->tables, port, &vlarb, err);
		if (ret)
			return ret;
		*known = c->tables->vlarb_of_port[port];
	}
	c->tables->vlarb_of_port[port] = *known;
	return 0;
}

/* The VLs that VL2VL gives to packets that leave switch @s by @out; 0: it goes by SL2VL. */
static uint16_t vls_by_vl(const struct hd_tables *tables, uint32_t s, unsigned out)
{
	const hd_sl2vl_row *rows = tables->ar ? tables->ar->switches[s].vl2vl : NULL;
	const size_t n_ins = tables->fabric->nodes[s].n_ports + (size_t)1;
	unsigned vls = 0;

	for (size_t in = 0; rows && in < n_ins; in++)
		for (unsigned vl = 0; vl < HD_MAX_VLS; vl++)
			vls |= 1u << hd_row_vl(rows[out * n_ins + in], vl);
	return (uint16_t)(vls & ~(1u << HD_VL_DROP));
}

/* Fills the rows of linked out-ports; the others keep the rows of hd_tables_new(). */
static int compose_switch(struct composition *c, uint32_t s, struct hd_error *err)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	const unsigned n_rows = fabric->nodes[s].n_ports + 1u;
	size_t first = c->tables->sl2vl_first[s];

	for (unsigned out = 0; out < n_rows; out++, first += n_rows) {
		uint32_t port = hd_port_index(fabric, s, out);
		hd_sl2vl_row *row = c->tables->sl2vl + first;
		uint16_t vls = 0;
		size_t known;
		int ret;

		if (fabric->ports[port].peer == HD_NONE)
			continue;
		known = queue_pattern(c, port) * (size_t)c->layering->n_patterns;
		if (c->layering->pattern) {
			const uint16_t *pattern = c->layering->pattern + first;

			for (unsigned in = 0; in < n_rows; in++) {
				row[in] = c->rows[known + pattern[in]];
				vls |= c->vls[known + pattern[in]];
			}
		} else {
			hd_rows_fill(row, n_rows, c->rows[known]);
			vls = c->vls[known];
		}
		vls |= vls_by_vl(c->tables, s, out);
		ret = finish_port(c, port, vls, err);
		if (ret)
			return ret;
	}
	return 0;
}

static int compose_hosts(struct composition *c, struct hd_error *err)
{
	const struct hd_fabric *fabric = c->tables->fabric;
	unsigned known = UINT_MAX; /* the queue pattern that the row is of */
	hd_sl2vl_row row = 0;
	uint16_t vls = 0;

	hd_for_each_end_node(n, fabric)
		hd_for_each_number(number, fabric, n) {
			const uint32_t port = hd_port_index(fabric, n, number);
			const unsigned pattern = queue_pattern(c, port);
			int ret;

			if (fabric->ports[port].peer == HD_NONE)
				continue;
			if (pattern != known)
				row = compose_row(c, c->layering->host_layer, pattern, &vls);
			known = pattern;
			c->tables->sl2vl[hd_sl2vl_host_index(c->tables, n, number)] = row;
			ret = finish_port(c, port, vls, err);
			if (ret)
				return ret;
		}
	return 0;
}

/*
 * Makes class_of[LID] * @n_queue_classes + queue_class[LID] of class_of[LID]. Rows are whole blocks
 * of 64. This is a function of its own, block by block, so that compilers see that the arrays do
 * not overlap and how many bytes they can take at a time.
 */
static void compose_sls(uint8_t *restrict class_of, size_t n, uint8_t n_queue_classes,
			const uint8_t *restrict queue_class)
{
	for (size_t block = 0; block < n; block += 64)
		for (size_t lid = block; lid < block + 64; lid++)
			class_of[lid] =
				(uint8_t)(class_of[lid] * n_queue_classes + queue_class[lid]);
}

/* Makes path SLs those of the class that packets of none have. */
static void add_first_sl(const struct composition *c)
{
	struct hd_tables *tables = c->tables;
	const struct hd_classes *classes = tables->classes;
	const size_t n = tables->n_sl_rows * tables->lft_stride;
	const unsigned first = classes ? classes->list[classes->fallback].first_sl : 0;

	for (size_t i = 0; first && i < n; i++)
		tables->sl_rows[i] = (uint8_t)(tables->sl_rows[i] + first);
}

/*
 * One path-SL row where all sources share the classes, otherwise one per source switch. The rows
 * are made of the layering's, without a copy, as they may be large.
 */
static int compose_path_sls(struct composition *c, struct hd_error *err)
{
	struct hd_tables *tables = c->tables;
	const struct hd_fabric *fabric = tables->fabric;
	const size_t stride = tables->lft_stride;
	/* two adapters that are linked to each other have no switch, hence no row of classes */
	const bool has_classes = c->layering->class_of && fabric->n_switches;
	const bool by_source = has_classes && !c->layering->by_destination;

	if (!has_classes) {
		int ret = hd_tables_set_sl_rows(tables, 1, err);

		if (!ret)
			memcpy(tables->sl_rows, c->queueing->class_of, stride);
		if (!ret)
			add_first_sl(c);
		return ret;
	}
	hd_tables_take_sl_rows(tables, by_source ? fabric->n_switches : 1, c->layering->class_of);
	c->layering->class_of = NULL;
	for (uint32_t r = 0; r < tables->n_sl_rows; r++)
		compose_sls(tables->sl_rows + r * stride, stride, (uint8_t)c->queueing->n_classes,
			    c->queueing->class_of);
	for (uint32_t i = 0; by_source && i < fabric->n_endports; i++) {
		uint32_t port = fabric->endports[i], source = fabric->ports[port].node;

		if (!hd_is_switch(fabric, source))
			source = hd_peer_node(fabric, source, fabric->ports[port].number);
		if (source < fabric->n_switches)
			tables->sl_row_of_port[port] = source;
	}
	add_first_sl(c);
	return 0;
}

static int compose(struct composition *c, struct hd_error *err)
{
	int ret = compose_hosts(c, err);

	for (uint32_t s = 0; !ret && s < c->tables->fabric->n_switches; s++)
		ret = compose_switch(c, s, err);
	if (!ret)
		ret = compose_path_sls(c, err);
	if (!ret)
		c->tables->has_sl2vl = c->tables->has_path_sls = c->tables->has_vlarb = true;
	return ret;
}

static int check_budget(const struct composition *c, struct hd_error *err)
{
	const struct hd_layering *layering = c->layering;
	const struct hd_classes *classes = c->tables->classes;
	const unsigned n_sls = c->n_sls * (classes ? classes->n : 1);
	const unsigned max_vls = c->max_vls ? c->max_vls : HD_MAX_VLS;
	const bool is_plain =
		!c->queueing->rules && c->queueing->n_classes == c->queueing->queues->n_queues;
	char text[160];

	if (n_sls > HD_MAX_SLS)
		return hd_error_set(err, HD_EREFUSED,
				    "%s%u flow classes x %u queue%s (%s) need %u SLs, of which "
				    "there are %u",
				    c->times_classes, layering->n_classes, c->queueing->n_classes,
				    is_plain ? "s" : " classes",
				    c->queueing->rules ? "of all queue rules"
						       : c->queueing->queues->rule->policy.name,
				    n_sls, HD_MAX_SLS);
	if (c->n_vls > max_vls)
		return hd_error_set(err, HD_EREFUSED, "%s need %u VLs, of which there are %u",
				    describe_vls(c, text, sizeof(text)), c->n_vls, max_vls);
	return 0;
}

/* VL2VL of engines is made before queues and classes are known, and has none of them. */
static int check_vl2vl(const struct composition *c, struct hd_error *err)
{
	const bool is_plain = c->queueing->queues->n_queues == 1 && !c->queueing->rules;

	hd_for_each_switch(s, c->tables->fabric)
		if (c->tables->ar && c->tables->ar->switches[s].vl2vl &&
		    (!is_plain || c->tables->classes))
			return hd_error_set(err, HD_EREFUSED,
					    "%s follow the SL, and with these port sets switches "
					    "go by VL2VL",
					    c->tables->classes ? "service classes" : "queues");
	return 0;
}

/* Composes the rows of all pairs of patterns. HD_ENOMEM. */
static int compose_rows(struct composition *c, struct hd_error *err)
{
	const unsigned n = c->layering->n_patterns;
	const size_t n_rows = (size_t)n * c->queueing->n_patterns;

	c->rows = malloc(n_rows * sizeof(*c->rows));
	c->vls = malloc(n_rows * sizeof(*c->vls));
	if (!c->rows || !c->vls)
		return hd_error_nomem(err);
	for (size_t i = 0; i < n_rows; i++)
		c->rows[i] =
			compose_row(c, c->layering->patterns[i % n], (unsigned)(i / n), &c->vls[i]);
	return 0;
}

static void set_turns(struct composition *c)
{
	const struct hd_classes *classes = c->tables->classes;
	const unsigned n_lanes = classes ? classes->n_lanes : 1;

	memset(c->turns, 1, sizeof(c->turns));
	for (unsigned lanes = 0; lanes < n_lanes; lanes++)
		for (unsigned vl = c->first_vl[lanes];
		     vl < c->first_vl[lanes + 1] && vl < HD_MAX_VLS; vl++) {
			const unsigned packets =
				c->layering
					->turns[(vl - c->first_vl[lanes]) / count_queues(c, lanes)];

			c->turns[vl] = (uint8_t)(packets ? packets : 1);
		}
}

/* Gives service classes their SLs, and every SL its class. */
static int set_classes(struct composition *c, struct hd_error *err)
{
	struct hd_classes *classes = c->tables->classes;

	for (unsigned s = 0; s < HD_MAX_SLS; s++) {
		c->own_sl[s] = (uint8_t)(s % c->n_sls);
		c->lanes[s] = 0;
	}
	if (!classes)
		return 0;
	if (classes->n_sls && classes->n_sls != c->n_sls)
		return hd_error_set(err, HD_EREFUSED,
				    "service classes are given %u SLs each, and need %u",
				    classes->n_sls, c->n_sls);
	if (hd_classes_assign(classes, c->n_sls, err))
		return HD_EREFUSED;
	memcpy(classes->first_vl, c->first_vl, sizeof(classes->first_vl));
	for (unsigned s = 0; s < HD_MAX_SLS; s++) {
		const uint32_t found = hd_class_of_sl(classes, s);
		const struct hd_class *class =
			&classes->list[found == HD_NONE ? classes->fallback : found];

		if (found != HD_NONE)
			c->own_sl[s] = (uint8_t)(s - class->first_sl);
		c->lanes[s] = class->lanes;
	}
	return 0;
}

/* Gives lanes their VLs, one after another. */
static void number_vls(struct composition *c)
{
	const struct hd_classes *classes = c->tables->classes;
	const unsigned n_lanes = classes ? classes->n_lanes : 1;

	for (unsigned lanes = 0; lanes < n_lanes; lanes++) {
		c->first_vl[lanes] = (uint8_t)(c->n_vls < UINT8_MAX ? c->n_vls : UINT8_MAX);
		c->n_vls += c->layering->n_layers * count_queues(c, lanes);
	}
	c->first_vl[n_lanes] = (uint8_t)(c->n_vls < UINT8_MAX ? c->n_vls : UINT8_MAX);
}

/* The number of times that classes need what is said after that. */
static void name_factors(struct composition *c)
{
	const struct hd_classes *classes = c->tables->classes;

	if (!classes)
		return;
	snprintf(c->times_classes, sizeof(c->times_classes), "%u service classes x ", classes->n);
	snprintf(c->times_lanes, sizeof(c->times_lanes), "%u lanes of classes x ",
		 classes->n_lanes);
}

int hd_lanes_apply(struct hd_tables *tables, struct hd_layering *layering,
		   const struct hd_queueing *queueing, unsigned max_vls, struct hd_error *err)
{
	struct composition *c = calloc(1, sizeof(*c));
	int ret;

	if (!c)
		return hd_error_nomem(err);
	c->tables = tables;
	c->layering = layering;
	c->queueing = queueing;
	c->n_sls = layering->n_classes * queueing->n_classes;
	c->max_vls = max_vls;
	number_vls(c);
	name_factors(c);
	set_turns(c);
	memset(c->vlarb_of_vls, 0xFF, sizeof(c->vlarb_of_vls));
	ret = check_budget(c, err);
	if (!ret)
		ret = check_vl2vl(c, err);
	if (!ret)
		ret = set_classes(c, err);
	if (!ret)
		ret = compose_rows(c, err);
	if (!ret)
		ret = compose(c, err);
	free(c->rows);
	free(c->vls);
	free(c);
	return ret;
}
