// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Directors with edge switches: a director is a chassis of line chips, each linked to all of its
 * spine chips; edge switches have the hosts, and cables up to different line chips of one director
 * or several. So the chips form a tree inside a tree: a packet comes to an edge switch by any of
 * the lines that it is cabled to, and a spine leads to it by several of these.
 *
 * Lines stand in turns of the directors, in proportion to their sizes, and edge switches take them
 * one after another, going on where the last one stopped, past lines without a free port. Edge
 * switches may differ in their hosts and uplinks, as those of grown clusters do. See
 * docs/topologies.md.
 */
#include "topologies/topology.h"

#include <inttypes.h>
#include <stdlib.h>

#include "support/error.h"
#include "support/options.h"
#include "topologies/shape.h"

#define MOST_CHIPS 1024 /* of a director, of each kind */

static const struct hd_option options[] = {
	{ "lines", "18", "chips", "line chips of each director, such as 30x24 for two directors" },
	{ "spines", "18", "chips", "spine chips of each director; every line is linked to each" },
	{ "cables", "1", "links", "parallel links from a line to a spine" },
	{ "down", "18", "ports", "ports of a line for edge switches and hosts" },
	{ "edges", NULL, "switches", "edge switches (default: what the lines have ports for)" },
	{ "uplinks", "18", "links",
	  "links up of edge switches; those of a list, such as 18x9x1, are taken in turn" },
	{ "hosts", "18", "hosts", "hosts of edge switches; those of a list are taken in turn" },
	{ "direct", "0", "hosts", "hosts of every line chip" },
	{ "aggregation", "no", "", "yes: an aggregation node on every switch" },
	{ 0 },
};

struct list {
	uint32_t value[HD_MAX_DIMENSIONS];
	unsigned n;
};

struct plan {
	struct list lines, uplinks, hosts;
	uint32_t spines, cables, down, edges, direct;
	uint32_t n_lines, n_spines;
	bool has_aggregation;
	uint32_t *line; /* [n_lines] line chips by turns of the directors */
	uint32_t *used; /* [n_lines] ports down in use */
};

static int parse_list(const struct hd_params *params, const char *key, uint32_t least,
		      uint32_t most, struct list *list, struct hd_error *err)
{
	return hd_shape_parse_sizes(hd_params_get(params, key), key, least, most, list->value,
				    &list->n, err);
}

static uint32_t at(const struct list *list, uint32_t i)
{
	return list->value[i % list->n];
}

/* Links up of the first @n edge switches. */
static uint64_t count_uplinks(const struct plan *plan, uint32_t n)
{
	uint64_t sum = 0;

	for (uint32_t e = 0; e < n; e++)
		sum += at(&plan->uplinks, e);
	return sum;
}

static int parse_edges(const struct hd_params *params, struct plan *plan, struct hd_error *err)
{
	const uint64_t room = (uint64_t)plan->n_lines * (plan->down - plan->direct);
	int ret = 0;

	if (hd_params_is_set(params, "edges")) {
		ret = hd_shape_number(params, "edges", 0, HD_MAX_LID, &plan->edges, err);
	} else {
		uint64_t taken = 0;

		while (taken + at(&plan->uplinks, plan->edges) <= room)
			taken += at(&plan->uplinks, plan->edges++);
	}
	if (!ret && count_uplinks(plan, plan->edges) > room)
		return hd_error_set(err, HD_ERANGE,
				    "%" PRIu64 " uplinks of edge switches, but line chips have "
				    "%" PRIu64 " ports for them",
				    count_uplinks(plan, plan->edges), room);
	return ret;
}

static int parse(const struct hd_params *params, struct plan *plan, struct hd_error *err)
{
	int ret = parse_list(params, "lines", 1, MOST_CHIPS, &plan->lines, err);

	if (!ret)
		ret = hd_shape_number(params, "spines", 1, HD_MAX_PORTS, &plan->spines, err);
	if (!ret)
		ret = hd_shape_number(params, "cables", 1, HD_MAX_PORTS, &plan->cables, err);
	if (!ret)
		ret = hd_shape_number(params, "down", 1, HD_MAX_PORTS, &plan->down, err);
	if (!ret)
		ret = parse_list(params, "uplinks", 1, HD_MAX_PORTS, &plan->uplinks, err);
	if (!ret)
		ret = parse_list(params, "hosts", 0, HD_MAX_PORTS, &plan->hosts, err);
	if (!ret)
		ret = hd_shape_number(params, "direct", 0, plan->down, &plan->direct, err);
	if (!ret)
		ret = hd_params_bool(params, "aggregation", &plan->has_aggregation, err);
	if (ret)
		return ret;
	for (unsigned d = 0; d < plan->lines.n; d++)
		plan->n_lines += plan->lines.value[d];
	plan->n_spines = plan->lines.n * plan->spines;
	return parse_edges(params, plan, err);
}

/* Lists the lines by turns of the directors, each in proportion to its size. */
static int order_lines(struct plan *plan, struct hd_error *err)
{
	uint32_t next[HD_MAX_DIMENSIONS] = { 0 };

	plan->line = malloc((plan->n_lines + (size_t)1) * sizeof(*plan->line));
	plan->used = calloc(plan->n_lines + (size_t)1, sizeof(*plan->used));
	if (!plan->line || !plan->used)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < plan->n_lines; i++) {
		uint32_t first = 0, best = 0, best_first = 0;

		/* the director of whose lines the least part is listed */
		for (unsigned d = 0; d < plan->lines.n; d++) {
			if (d == 0 ||
			    (2 * next[d] + 1) * (uint64_t)plan->lines.value[best] <
				    (2 * next[best] + 1) * (uint64_t)plan->lines.value[d]) {
				best = d;
				best_first = first;
			}
			first += plan->lines.value[d];
		}
		plan->line[i] = best_first + next[best]++;
	}
	return 0;
}

/* Switches have numbers in this order: edges, lines, spines. */
static uint32_t line_id(const struct plan *plan, uint32_t line)
{
	return plan->edges + line;
}

static uint32_t spine_id(const struct plan *plan, uint32_t director, uint32_t spine)
{
	return plan->edges + plan->n_lines + director * plan->spines + spine;
}

static uint32_t line_ports(const struct plan *plan)
{
	return plan->down + plan->spines * plan->cables;
}

static uint32_t edge_ports(const struct plan *plan, uint32_t e)
{
	return at(&plan->hosts, e) + at(&plan->uplinks, e);
}

static uint32_t spine_ports(const struct plan *plan, uint32_t director)
{
	return plan->lines.value[director] * plan->cables;
}

static void add_switches(const struct plan *plan, struct hd_shape *out)
{
	const unsigned more = plan->has_aggregation;

	for (uint32_t e = 0; e < plan->edges; e++)
		hd_shape_add_switch(out, edge_ports(plan, e) + more, "E%0*u",
				    hd_shape_digits(plan->edges), (unsigned)e);
	for (uint32_t d = 0; d < plan->lines.n; d++)
		for (uint32_t l = 0; l < plan->lines.value[d]; l++)
			hd_shape_add_switch(out, line_ports(plan) + more, "D%uL%0*u", (unsigned)d,
					    hd_shape_digits(plan->lines.value[d]), (unsigned)l);
	for (uint32_t d = 0; d < plan->lines.n; d++)
		for (uint32_t s = 0; s < plan->spines; s++)
			hd_shape_add_switch(out, spine_ports(plan, d) + more, "D%uS%0*u",
					    (unsigned)d, hd_shape_digits(plan->spines),
					    (unsigned)s);
}

static void add_hosts(const struct plan *plan, struct hd_shape *out)
{
	for (uint32_t e = 0; e < plan->edges; e++)
		for (uint32_t h = 0; h < at(&plan->hosts, e); h++)
			hd_shape_add_host(out, e, 1 + h);
	for (uint32_t l = 0; l < plan->n_lines; l++)
		for (uint32_t h = 0; h < plan->direct; h++)
			hd_shape_add_host(out, line_id(plan, l), 1 + h);
}

static void add_aggregation(const struct plan *plan, struct hd_shape *out)
{
	for (uint32_t e = 0; e < plan->edges; e++)
		hd_shape_add_aggregation(out, e, edge_ports(plan, e) + 1);
	for (uint32_t l = 0; l < plan->n_lines; l++)
		hd_shape_add_aggregation(out, line_id(plan, l), line_ports(plan) + 1);
	for (uint32_t d = 0; d < plan->lines.n; d++)
		for (uint32_t s = 0; s < plan->spines; s++)
			hd_shape_add_aggregation(out, spine_id(plan, d, s),
						 spine_ports(plan, d) + 1);
}

static void add_chassis(const struct plan *plan, struct hd_shape *out)
{
	for (uint32_t d = 0, first = 0; d < plan->lines.n; first += plan->lines.value[d++])
		for (uint32_t l = 0; l < plan->lines.value[d]; l++)
			for (uint32_t s = 0; s < plan->spines; s++)
				hd_shape_link_trunk(out, line_id(plan, first + l),
						    1 + plan->down + s * plan->cables,
						    spine_id(plan, d, s), 1 + l * plan->cables,
						    plan->cables);
}

static void add_uplinks(struct plan *plan, struct hd_shape *out)
{
	uint32_t i = 0;

	for (uint32_t e = 0; e < plan->edges; e++)
		for (uint32_t u = 0; u < at(&plan->uplinks, e); u++) {
			while (plan->used[i] == plan->down - plan->direct)
				i = (i + 1) % plan->n_lines;
			hd_shape_link(out, e, 1 + at(&plan->hosts, e) + u,
				      line_id(plan, plan->line[i]),
				      1 + plan->direct + plan->used[i]++);
			i = (i + 1) % plan->n_lines;
		}
}

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct plan plan = { 0 };
	uint64_t n_switches, n_hosts, most_ports;
	struct hd_shape out;
	int ret = parse(params, &plan, err);

	if (!ret)
		ret = order_lines(&plan, err);
	if (ret)
		goto out;
	n_switches = (uint64_t)plan.edges + plan.n_lines + plan.n_spines;
	n_hosts = (uint64_t)plan.n_lines * plan.direct + (plan.has_aggregation ? n_switches : 0);
	most_ports = line_ports(&plan);
	for (uint32_t e = 0; e < plan.edges; e++) {
		n_hosts += at(&plan.hosts, e);
		if (edge_ports(&plan, e) > most_ports)
			most_ports = edge_ports(&plan, e);
	}
	for (uint32_t d = 0; d < plan.lines.n; d++)
		if (spine_ports(&plan, d) > most_ports)
			most_ports = spine_ports(&plan, d);
	ret = hd_shape_begin(&out, n_switches, n_hosts, most_ports + plan.has_aggregation, err);
	if (ret)
		goto out;
	add_switches(&plan, &out);
	add_hosts(&plan, &out);
	if (plan.has_aggregation)
		add_aggregation(&plan, &out);
	add_chassis(&plan, &out);
	add_uplinks(&plan, &out);
	ret = hd_shape_finish(&out, fabric);
out:
	free(plan.line);
	free(plan.used);
	return ret;
}

const struct hd_topology hd_topology_director = {
	.policy.name = "director",
	.policy.summary = "directors of line and spine chips, with edge switches of uneven uplinks",
	.example = "director:lines=30x24,uplinks=9",
	.policy.options = options,
	.build = build,
};
