// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "fabric/fabric_parts.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "fabric/faults.h"
#include "support/error.h"

/* Gives @number to all that links between switches connect with @root, by depth-first search. */
static void mark_part(const struct hd_fabric *fabric, struct hd_parts *parts, uint32_t root,
		      uint32_t number, uint32_t *stack)
{
	uint32_t depth = 0;

	parts->part[root] = number;
	parts->first[number] = root;
	parts->size[number] = 0;
	stack[depth++] = root;
	while (depth) {
		const uint32_t s = stack[--depth];

		parts->size[number]++;
		hd_for_each_number(port, fabric, s) {
			const uint32_t peer = hd_peer_node(fabric, s, port);

			if (peer == HD_NONE || !hd_is_switch(fabric, peer) ||
			    parts->part[peer] != HD_NONE)
				continue;
			parts->part[peer] = number;
			stack[depth++] = peer;
		}
	}
}

static int compare_sizes(const void *a, const void *b, void *context)
{
	const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	const uint32_t *size = context;

	if (size[x] != size[y])
		return size[x] > size[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

int hd_parts_find(const struct hd_fabric *fabric, struct hd_parts *parts, struct hd_error *err)
{
	const size_t n = fabric->n_switches + (size_t)1;
	uint32_t *stack = malloc(n * sizeof(*stack));

	*parts = (struct hd_parts){
		.part = malloc(n * sizeof(*parts->part)),
		.size = malloc(n * sizeof(*parts->size)),
		.first = malloc(n * sizeof(*parts->first)),
		.order = malloc(n * sizeof(*parts->order)),
	};
	if (!stack || !parts->part || !parts->size || !parts->first || !parts->order) {
		free(stack);
		return hd_error_nomem(err);
	}
	memset(parts->part, 0xff, n * sizeof(*parts->part)); /* HD_NONE */
	hd_for_each_switch(s, fabric) {
		if (parts->part[s] != HD_NONE)
			continue;
		parts->order[parts->n] = parts->n;
		mark_part(fabric, parts, s, parts->n, stack);
		parts->n++;
	}
	free(stack);
	qsort_r(parts->order, parts->n, sizeof(*parts->order), compare_sizes, parts->size);
	return 0;
}

void hd_parts_clear(struct hd_parts *parts)
{
	free(parts->part);
	free(parts->size);
	free(parts->first);
	free(parts->order);
	*parts = (struct hd_parts){ 0 };
}

/* A copy without the switches of those parts that @stay[part] does not keep. */
static int without_others(const struct hd_fabric *fabric, const struct hd_parts *parts,
			  const bool *stay, struct hd_fabric **result, struct hd_error *err)
{
	uint32_t *gone = malloc((fabric->n_switches + (size_t)1) * sizeof(*gone));
	size_t n = 0;
	int ret;

	if (!gone)
		return hd_error_nomem(err);
	hd_for_each_switch(s, fabric)
		if (!stay[parts->part[s]])
			gone[n++] = s;
	ret = hd_fabric_without(fabric, NULL, 0, gone, n, result, err);
	free(gone);
	return ret;
}

int hd_parts_take(const struct hd_fabric *fabric, const struct hd_parts *parts, uint32_t part,
		  struct hd_fabric **result, struct hd_error *err)
{
	bool *stay = calloc(parts->n, sizeof(*stay));
	int ret;

	if (!stay)
		return hd_error_nomem(err);
	stay[part] = true;
	ret = without_others(fabric, parts, stay, result, err);
	free(stay);
	return ret;
}

/* The part of the switch that @port is of, or is linked to; HD_NONE: there is none. */
static uint32_t part_of_port(const struct hd_fabric *fabric, const struct hd_parts *parts,
			     uint32_t port)
{
	uint32_t node = fabric->ports[port].node;

	if (!hd_is_switch(fabric, node)) {
		if (fabric->ports[port].peer == HD_NONE)
			return HD_NONE;
		node = fabric->ports[fabric->ports[port].peer].node;
	}
	return hd_is_switch(fabric, node) ? parts->part[node] : HD_NONE;
}

int hd_fabric_keep_subnet(struct hd_fabric **fabric, uint32_t *n_parts, uint32_t *n_switches,
			  struct hd_error *err)
{
	struct hd_fabric *kept = NULL;
	struct hd_parts parts;
	bool *has_lids;
	int ret = hd_parts_find(*fabric, &parts, err);

	*n_parts = 0;
	*n_switches = 0;
	has_lids = ret ? NULL : calloc(parts.n + (size_t)1, sizeof(*has_lids));
	if (!ret && !has_lids)
		ret = hd_error_nomem(err);
	for (uint32_t i = 0; !ret && i < (*fabric)->n_endports; i++) {
		const uint32_t port = (*fabric)->endports[i];
		const uint32_t part =
			(*fabric)->ports[port].lid ? part_of_port(*fabric, &parts, port) : HD_NONE;

		if (part != HD_NONE)
			has_lids[part] = true;
	}
	for (uint32_t i = 0; !ret && i < parts.n; i++)
		if (!has_lids[i]) {
			*n_parts += 1;
			*n_switches += parts.size[i];
		}
	if (!ret && *n_parts == parts.n) { /* no LIDs at all */
		*n_parts = 0;
		*n_switches = 0;
	}
	if (!ret && *n_parts)
		ret = without_others(*fabric, &parts, has_lids, &kept, err);
	if (!ret && kept) {
		hd_fabric_free(*fabric);
		*fabric = kept;
	}
	free(has_lids);
	hd_parts_clear(&parts);
	return ret;
}

const char *hd_parts_left_out(uint32_t n_parts, uint32_t n_switches, const char *hint, char *buffer,
			      size_t size)
{
	snprintf(buffer, size,
		 "left out: %" PRIu32 " switch%s that no path connects with the subnet manager "
		 "(%" PRIu32 " part%s%s)",
		 n_switches, n_switches == 1 ? "" : "es", n_parts, n_parts == 1 ? "" : "s", hint);
	return buffer;
}
