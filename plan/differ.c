// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/differ.h"

#include <stdio.h>
#include <stdlib.h>

#include "fabric/slow_links.h"
#include "plan/chains.h"
#include "support/error.h"

const char *const hd_finding_names[HD_N_FINDINGS] = {
	[HD_MISSING] = "missing", [HD_EXTRA] = "extra",         [HD_SWAPPED] = "swapped",
	[HD_MOVED] = "moved",     [HD_SLOW] = "slow",           [HD_NARROW] = "narrow",
	[HD_ABSENT] = "absent",   [HD_UNPLANNED] = "unplanned",
};

void hd_differences_clear(struct hd_differences *differences)
{
	free(differences->findings);
	free(differences->planned);
	free(differences->present);
	free(differences->moves);
	*differences = (struct hd_differences){ 0 };
}

/* Rates */

static void find_rate(struct hd_differences *differences, const struct hd_cable_edge *edge,
		      unsigned width, unsigned speed)
{
	bool narrow = width && edge->pair.width && edge->pair.width < width;
	bool slow = speed && edge->pair.speed && edge->pair.speed < speed;
	struct hd_finding *finding;

	if (!narrow && !slow)
		return;
	finding = hd_find(differences, narrow ? HD_NARROW : HD_SLOW);
	finding->width = (uint8_t)(width ? width : edge->pair.width);
	finding->speed = (uint8_t)(speed ? speed : edge->pair.speed);
	hd_find_present(differences, edge);
}

static int compare_port(const void *key, const void *entry)
{
	uint32_t port = *(const uint32_t *)key, other = ((const struct hd_slow_link *)entry)->port;

	return port < other ? -1 : port > other;
}

/* The entry of the cable of @port, the lower one of two; NULL: it is not slow. */
static const struct hd_slow_link *find_slow(const struct hd_slow_links *slow, uint32_t port)
{
	if (!slow->n)
		return NULL;
	return bsearch(&port, slow->list, slow->n, sizeof(*slow->list), compare_port);
}

/* What the plan tells of a rate counts; else what is usual beside the cable. */
static int find_rates(const struct hd_cable_edges *edges, struct hd_differences *differences,
		      struct hd_error *err)
{
	struct hd_slow_links slow;
	int ret = hd_slow_links_find(edges->now, &slow, err);

	for (uint32_t i = 0; !ret && i < edges->n_present; i++) {
		const struct hd_cable_edge *edge = &edges->present[i];
		const struct hd_slow_link *link = find_slow(&slow, edge->port);
		const struct hd_port *usual = link ? &edges->now->ports[link->usual] : NULL;
		const struct hd_place_pair *planned =
			edge->same == HD_NONE ? NULL : &edges->planned[edge->same].pair;

		if (planned && (planned->width || planned->speed))
			find_rate(differences, edge, planned->width, planned->speed);
		else if (usual)
			find_rate(differences, edge, usual->width, usual->speed);
	}
	hd_slow_links_clear(&slow);
	return ret;
}

/* Order */

/* Where a finding is told: at the first of its cables, by an end that is there. */
static const struct hd_place *told_at(const struct hd_differences *differences,
				      const struct hd_finding *finding)
{
	const struct hd_place_pair *pair = finding->n_present
						   ? &differences->present[finding->first_present]
						   : &differences->planned[finding->first_planned];

	return &pair->ends[pair->ends[0].present == HD_NONE && pair->ends[0].group == HD_NONE];
}

static uint64_t place_finding(const struct hd_cable_plan *plan,
			      const struct hd_differences *differences, struct hd_finding *finding)
{
	const struct hd_place *place = told_at(differences, finding);

	finding->at = place->present;
	/* a cable that any switch of a group may have */
	if (place->present == HD_NONE && place->group != HD_NONE)
		finding->at = plan->group_at[place->group];
	else if (finding->kind == HD_ABSENT && hd_is_switch(plan->fabric, finding->node))
		finding->at = HD_NONE;
	return (uint64_t)finding->at << 8 | place->port;
}

struct sorted {
	uint64_t order;
	uint32_t n;
	struct hd_finding finding;
};

static int compare_sorted(const void *a, const void *b)
{
	const struct sorted *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	return x->n < y->n ? -1 : x->n > y->n;
}

static int sort(const struct hd_cable_plan *plan, struct hd_differences *differences)
{
	struct sorted *list = malloc((differences->n_findings + (size_t)1) * sizeof(*list));

	if (!list)
		return HD_ENOMEM;
	for (uint32_t i = 0; i < differences->n_findings; i++)
		list[i] = (struct sorted){ place_finding(plan, differences,
							 &differences->findings[i]),
					   i, differences->findings[i] };
	qsort(list, differences->n_findings, sizeof(*list), compare_sorted);
	for (uint32_t i = 0; i < differences->n_findings; i++)
		differences->findings[i] = list[i].finding;
	free(list);
	return 0;
}

int hd_differ(const struct hd_cable_plan *plan, const struct hd_plan_match *match,
	      const struct hd_fabric *now, struct hd_differences *differences, struct hd_error *err)
{
	struct hd_odd_cables odd = { 0 };
	struct hd_cable_edges edges;
	int ret = hd_cable_edges_list(&edges, plan, match, now);

	*differences = (struct hd_differences){ 0 };
	if (!ret)
		ret = hd_differences_begin(&edges, differences);
	if (!ret)
		ret = hd_meet(&edges, &odd);
	if (!ret)
		ret = hd_chains_follow(&edges, &odd, differences);
	if (ret)
		hd_error_nomem(err);
	differences->n_as_planned = edges.n_planned - odd.n_planned;
	if (!ret)
		ret = find_rates(&edges, differences, err);
	if (!ret && sort(plan, differences))
		ret = hd_error_nomem(err);
	hd_odd_cables_clear(&odd);
	hd_cable_edges_clear(&edges);
	return ret;
}

const char *hd_place_label(const struct hd_cable_plan *plan, const struct hd_fabric *now,
			   const struct hd_place *place, char *buffer)
{
	char name[HD_LABEL_SIZE];
	const struct hd_fabric *fabric = place->present != HD_NONE ? now : plan->fabric;
	uint32_t node = place->present != HD_NONE ? place->present : place->planned;

	if (node == HD_NONE) {
		hd_node_label(now, plan->group_at[place->group], name, sizeof(name));
		snprintf(buffer, HD_LABEL_SIZE, "group %u (%.250s ...)", place->group, name);
	} else if (!place->port) {
		hd_node_label(fabric, node, buffer, HD_LABEL_SIZE);
	} else if (place->port <= fabric->nodes[node].n_ports) {
		hd_port_label(fabric, hd_port_index(fabric, node, place->port), buffer,
			      HD_LABEL_SIZE);
	} else {
		/* the plan gives the node more ports than it has */
		hd_node_label(fabric, node, name, sizeof(name));
		snprintf(buffer, HD_LABEL_SIZE, "%.300s[%u]", name, place->port);
	}
	return buffer;
}
