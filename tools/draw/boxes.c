// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* The contents of a picture of boxes: labels, numbers of end nodes, bundles of parallel links. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tools/command.h"
#include "tools/draw/draw.h"
#include "topologies/switch_levels.h"

/* What all names of switches have in common at their beginning and at their end. */
struct common {
	size_t prefix, suffix;
};

static struct common find_common(const struct hd_fabric *fabric)
{
	const char *first = hd_node_name(fabric, 0);
	size_t length = strlen(first);
	struct common common = { length, length };

	for (uint32_t s = 1; s < fabric->n_switches; s++) {
		const char *name = hd_node_name(fabric, s);
		size_t mine = strlen(name), i = 0;

		while (i < common.prefix && name[i] == first[i])
			i++;
		common.prefix = i;
		for (i = 0;
		     i < common.suffix && i < mine && name[mine - 1 - i] == first[length - 1 - i];)
			i++;
		common.suffix = i;
	}
	/* words stay whole */
	while (common.prefix && isalnum((unsigned char)first[common.prefix - 1]))
		common.prefix--;
	while (common.suffix && isalnum((unsigned char)first[length - common.suffix]))
		common.suffix--;
	return common;
}

/* Writes the part of a name that others do not have, with the middle left out if it is long. */
static void put_label(const struct hd_fabric *fabric, uint32_t s, const struct common *common,
		      char label[32])
{
	const size_t most = 24;
	const char *name = hd_node_name(fabric, s);
	size_t length = strlen(name);

	if (length > common->prefix + common->suffix) {
		name += common->prefix;
		length -= common->prefix + common->suffix;
	}
	if (length <= most)
		snprintf(label, 32, "%.*s", (int)length, name);
	else
		snprintf(label, 32, "%.*s..%.*s", (int)most / 2 - 1, name, (int)most / 2 - 1,
			 name + length - (most / 2 - 1));
	while (*label && label[strlen(label) - 1] == ' ')
		label[strlen(label) - 1] = '\0';
	for (char *at = label; *at; at++)
		if ((unsigned char)*at < ' ' || (unsigned char)*at > '~')
			*at = '?';
}

struct named {
	const char *label;
	uint32_t s;
};

static int compare_named(const void *a, const void *b)
{
	return strcmp(((const struct named *)a)->label, ((const struct named *)b)->label);
}

/* Adds the end of the GUID to labels that several switches have. */
static int tell_apart(const struct hd_fabric *fabric, struct hd_boxes *boxes, struct hd_error *err)
{
	uint32_t n = fabric->n_switches;
	struct named *named = malloc((n + (size_t)1) * sizeof(*named));
	bool *same = calloc(n + (size_t)1, sizeof(*same));

	if (!named || !same) {
		free(named);
		free(same);
		return hd_error_nomem(err);
	}
	for (uint32_t s = 0; s < n; s++)
		named[s] = (struct named){ boxes->label[s], s };
	qsort(named, n, sizeof(*named), compare_named);
	for (uint32_t i = 1; i < n; i++)
		if (strcmp(named[i].label, named[i - 1].label) == 0)
			same[named[i].s] = same[named[i - 1].s] = true;
	for (uint32_t s = 0; s < n; s++) {
		char *label = boxes->label[s];

		if (same[s])
			snprintf(label + (strlen(label) > 18 ? 18 : strlen(label)), 13,
				 " %06" PRIx64, fabric->nodes[s].guid & 0xFFFFFF);
	}
	free(named);
	free(same);
	return 0;
}

/* A link, to be sorted by its ends. */
struct link {
	uint32_t from, to; /* switches, from < to */
	uint32_t port;     /* of `from` */
	bool failed;
};

static int compare_links(const void *a, const void *b)
{
	const struct link *x = a, *y = b;

	if (x->from != y->from)
		return x->from < y->from ? -1 : 1;
	if (x->to != y->to)
		return x->to < y->to ? -1 : 1;
	if (x->failed != y->failed)
		return x->failed ? 1 : -1;
	return x->port < y->port ? -1 : x->port > y->port;
}

static uint32_t flows_of(const struct hd_drawing *drawing, uint32_t port)
{
	uint32_t peer = drawing->fabric->ports[port].peer;

	if (!drawing->flows)
		return 0;
	return drawing->flows[port] > drawing->flows[peer] ? drawing->flows[port]
							   : drawing->flows[peer];
}

static uint32_t collect_links(const struct hd_drawing *drawing, struct link *links)
{
	const struct hd_fabric *fabric = drawing->fabric;
	uint32_t n = 0;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			uint32_t port = hd_port_index(fabric, s, number);
			uint32_t peer = hd_peer_node(fabric, s, number);

			if (peer != HD_NONE && hd_is_switch(fabric, peer) && peer > s)
				links[n++] =
					(struct link){ s, peer, port, drawing->failed_port[port] };
		}
	return n;
}

static int compare_counts(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* The number of links that most bundles have. @counts is [n_bundles], and is sorted. */
static uint32_t most_usual(uint32_t *counts, uint32_t n)
{
	uint32_t usual = 1, longest = 0;

	qsort(counts, n, sizeof(*counts), compare_counts);
	for (uint32_t i = 0, begin = 0; i < n; i++) {
		if (counts[i] != counts[begin])
			begin = i;
		if (i - begin + 1 > longest) {
			longest = i - begin + 1;
			usual = counts[i];
		}
	}
	return usual;
}

static int compare_bundles(const void *a, const void *b)
{
	const struct hd_bundle *x = a, *y = b;

	if (x->failed != y->failed)
		return x->failed ? 1 : -1;
	if (x->flows != y->flows)
		return x->flows < y->flows ? -1 : 1;
	return x->port < y->port ? -1 : x->port > y->port;
}

static int bundle_links(struct hd_drawing *drawing, struct hd_error *err)
{
	struct hd_boxes *boxes = drawing->boxes;
	size_t n_ports = drawing->fabric->n_ports + (size_t)1;
	struct link *links = malloc(n_ports * sizeof(*links));
	uint32_t *counts = malloc(n_ports * sizeof(*counts)), n;

	boxes->bundles = malloc(n_ports * sizeof(*boxes->bundles));
	if (!links || !counts || !boxes->bundles) {
		free(links);
		free(counts);
		return hd_error_nomem(err);
	}
	n = collect_links(drawing, links);
	qsort(links, n, sizeof(*links), compare_links);
	for (uint32_t i = 0; i < n; i++) {
		struct hd_bundle *last = boxes->bundles + boxes->n_bundles - 1;

		if (i == 0 || links[i].from != links[i - 1].from ||
		    links[i].to != links[i - 1].to || links[i].failed != links[i - 1].failed) {
			boxes->bundles[boxes->n_bundles++] = (struct hd_bundle){
				.port = links[i].port,
				.n = 1,
				.flows = flows_of(drawing, links[i].port),
				.failed = links[i].failed,
			};
			continue;
		}
		last->n++;
		if (flows_of(drawing, links[i].port) > last->flows) {
			last->port = links[i].port;
			last->flows = flows_of(drawing, links[i].port);
		}
	}
	qsort(boxes->bundles, boxes->n_bundles, sizeof(*boxes->bundles), compare_bundles);
	for (uint32_t i = 0; i < boxes->n_bundles; i++)
		counts[i] = boxes->bundles[i].n;
	boxes->usual = most_usual(counts, boxes->n_bundles);
	free(links);
	free(counts);
	return 0;
}

static void count_lost(const struct hd_drawing *drawing, struct hd_boxes *boxes)
{
	const struct hd_fabric *fabric = drawing->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(number, fabric, s) {
			uint32_t peer = hd_peer_node(fabric, s, number);

			boxes->lost[s] += peer != HD_NONE && !hd_is_switch(fabric, peer) &&
					  drawing->failed_port[hd_port_index(fabric, s, number)];
		}
}

/*
 * Sizes boxes: labels are written across where rows of boxes are short, upwards where they are
 * long.
 */
static void size_boxes(const struct hd_fabric *fabric, struct hd_boxes *boxes)
{
	uint32_t n = fabric->n_switches;
	size_t longest = 3;

	for (uint32_t s = 0; s < n; s++)
		if (strlen(boxes->label[s]) > longest)
			longest = strlen(boxes->label[s]);
	boxes->font = n > 300 ? 8 : n > 100 ? 9 : 11;
	boxes->width = 0.62 * boxes->font * (double)longest + 10;
	boxes->height = 1.9 * boxes->font;
	boxes->upright = boxes->level && (n > 24 || (n > 12 && longest > 8));
	if (boxes->upright) {
		double length = boxes->width;

		boxes->width = 1.7 * boxes->font;
		boxes->height = length;
	}
}

static int make(struct hd_drawing *drawing, struct hd_boxes *boxes, struct hd_error *err)
{
	const struct hd_fabric *fabric = drawing->fabric;
	struct hd_switch_levels levels;
	struct common common;
	int ret = hd_switch_levels_find(fabric, &levels, err);

	/* where switches have no level, or most links are within levels, there is no tree */
	if (!ret && levels.n_levels > 1 && levels.n_across * UINT64_C(2) > levels.n_links) {
		boxes->level = levels.level;
		boxes->n_levels = levels.n_levels;
		levels.level = NULL;
		hd_for_each_switch(s, fabric)
			if (boxes->level[s] == HD_NONE)
				boxes->level[s] = 0;
	}
	if (!ret) {
		boxes->hosts = levels.hosts;
		levels.hosts = NULL;
	}
	hd_switch_levels_clear(&levels);
	if (ret)
		return ret;
	boxes->lost = calloc(fabric->n_switches + (size_t)1, sizeof(*boxes->lost));
	boxes->label = calloc(fabric->n_switches + (size_t)1, sizeof(*boxes->label));
	if (!boxes->lost || !boxes->label)
		return hd_error_nomem(err);
	count_lost(drawing, boxes);
	if (fabric->n_switches) {
		common = find_common(fabric);
		hd_for_each_switch(s, fabric)
			put_label(fabric, s, &common, boxes->label[s]);
	}
	ret = tell_apart(fabric, boxes, err);
	if (!ret)
		ret = bundle_links(drawing, err);
	if (ret)
		return ret;
	size_boxes(fabric, boxes);
	return boxes->level ? hd_draw_place_levels(fabric, boxes, &drawing->at, err)
			    : hd_draw_place_spread(fabric, boxes, &drawing->at, err);
}

int hd_draw_boxes_make(struct hd_drawing *drawing, struct hd_error *err)
{
	drawing->boxes = calloc(1, sizeof(*drawing->boxes));
	if (!drawing->boxes)
		return hd_error_nomem(err);
	return make(drawing, drawing->boxes, err);
}

void hd_draw_boxes_free(struct hd_boxes *boxes)
{
	if (!boxes)
		return;
	free(boxes->level);
	free(boxes->hosts);
	free(boxes->lost);
	free(boxes->label);
	free(boxes->bundles);
	free(boxes);
}
