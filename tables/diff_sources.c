// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/diff_sources.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

/* Whether in-ports @a and @b of switch @s have rows of the same kinds to other switches. */
static bool are_columns_equal(const struct hd_tables *before, const struct hd_diff_vls *vls,
			      uint32_t s, unsigned a, unsigned b)
{
	hd_for_each_number(out, before->fabric, s) {
		uint32_t peer = hd_peer_node(before->fabric, s, out);

		if (peer != HD_NONE && hd_is_switch(before->fabric, peer) &&
		    vls->kind[hd_sl2vl_index(before, s, a, out)] !=
			    vls->kind[hd_sl2vl_index(before, s, b, out)])
			return false;
	}
	return true;
}

/* The first in-port with a source whose rows have the kinds of those of @in. */
static uint8_t find_column(const struct hd_tables *before, const struct hd_diff_vls *vls,
			   uint32_t s, uint8_t in)
{
	for (uint8_t other = 1; other < in; other++) {
		uint32_t peer = hd_peer_node(before->fabric, s, other);

		if (peer != HD_NONE && !hd_is_switch(before->fabric, peer) &&
		    are_columns_equal(before, vls, s, other, in))
			return other;
	}
	return in;
}

/* The switch that @port is linked to; n_switches: to none. */
static uint32_t switch_of(const struct hd_fabric *fabric, uint32_t port)
{
	uint32_t peer = fabric->ports[port].peer;
	uint32_t node = peer == HD_NONE ? HD_NONE : fabric->ports[peer].node;

	return node < fabric->n_switches ? node : fabric->n_switches;
}

/* Whether @port is linked to an end node. */
static bool is_direct(const struct hd_fabric *fabric, uint32_t port)
{
	uint32_t peer = fabric->ports[port].peer;

	return peer != HD_NONE && !hd_is_switch(fabric, fabric->ports[peer].node);
}

static void describe(const struct hd_match *match, const struct hd_tables *before,
		     const struct hd_diff_vls *vls, struct hd_diff_source *source)
{
	const struct hd_port *port = &match->before->ports[source->port->before];

	source->node = port->node;
	source->switch_before = switch_of(match->before, source->port->before);
	source->switch_after = switch_of(match->after, source->port->after);
	source->link_stays = match->port[source->port->before] == source->port->after;
	source->kind = vls->kind[hd_sl2vl_host_index(before, port->node, port->number)];
	source->is_grouped = !is_direct(match->before, source->port->before) &&
			     !is_direct(match->after, source->port->after);
	if (source->switch_before == match->before->n_switches)
		return;
	source->in = match->before->ports[port->peer].number;
	source->column = find_column(before, vls, source->switch_before, source->in);
}

static int compare_numbers(uint32_t a, uint32_t b)
{
	return a < b ? -1 : a > b;
}

/* Two sources by what tells groups apart. */
static int compare_groups(const struct hd_diff_source *x, const struct hd_diff_source *y)
{
	int order = y->is_grouped - x->is_grouped;

	if (!order)
		order = compare_numbers(x->switch_before, y->switch_before);
	if (!order)
		order = compare_numbers(x->switch_after, y->switch_after);
	if (!order)
		order = compare_numbers(x->sl_class, y->sl_class);
	if (!order)
		order = compare_numbers(x->kind, y->kind);
	if (!order)
		order = compare_numbers(x->column, y->column);
	return order ? order : x->link_stays - y->link_stays;
}

struct group_key {
	const struct hd_diff_source *source;
	uint32_t place;
};

static int compare_group_keys(const void *a, const void *b)
{
	const struct group_key *x = a, *y = b;
	int order = compare_groups(x->source, y->source);

	return order ? order : compare_numbers(x->place, y->place);
}

/* Numbers the sources in the order of @keys, and their groups. */
static void number_groups(struct hd_diff_sources *sources, const struct group_key *keys,
			  uint32_t n_switches)
{
	uint32_t s = 0;

	for (uint32_t i = 0; i < sources->n; i++) {
		struct hd_diff_source *source = &sources->list[keys[i].place];

		sources->by_group[i] = keys[i].place;
		if (!source->is_grouped)
			continue;
		sources->n_grouped++;
		for (; s <= source->switch_before; s++) {
			sources->first_source[s] = i;
			sources->first_group[s] = sources->n_groups;
		}
		if (i == 0 || compare_groups(source, keys[i - 1].source) != 0)
			sources->groups[sources->n_groups++] = (struct hd_diff_group){
				.switch_before = source->switch_before,
				.switch_after = source->switch_after,
				.sl_class = source->sl_class,
				.any = keys[i].place,
				.link_stays = source->link_stays,
			};
		source->group = sources->n_groups - 1;
		sources->groups[source->group].size++;
	}
	for (; s <= n_switches + 1; s++) {
		sources->first_source[s] = sources->n_grouped;
		sources->first_group[s] = sources->n_groups;
	}
}

static int form_groups(struct hd_diff_sources *sources, uint32_t n_switches, struct hd_error *err)
{
	struct group_key *keys = malloc((sources->n + (size_t)1) * sizeof(*keys));

	if (!keys)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < sources->n; i++)
		keys[i] = (struct group_key){ &sources->list[i], i };
	qsort(keys, sources->n, sizeof(*keys), compare_group_keys);
	number_groups(sources, keys, n_switches);
	free(keys);
	return 0;
}

struct class_key {
	uint32_t before, after, place;
};

static int compare_class_keys(const void *a, const void *b)
{
	const struct class_key *x = a, *y = b;
	int order = compare_numbers(x->before, y->before);

	if (!order)
		order = compare_numbers(x->after, y->after);
	return order ? order : compare_numbers(x->place, y->place);
}

static int form_classes(const struct hd_tables *before, const struct hd_tables *after,
			struct hd_diff_sources *sources, struct hd_error *err)
{
	struct class_key *keys = malloc((sources->n + (size_t)1) * sizeof(*keys));

	if (!keys)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < sources->n; i++)
		keys[i] = (struct class_key){
			before->sl_row_of_port[sources->list[i].port->before],
			after->sl_row_of_port[sources->list[i].port->after],
			i,
		};
	qsort(keys, sources->n, sizeof(*keys), compare_class_keys);
	for (uint32_t i = 0; i < sources->n; i++) {
		if (i == 0 || keys[i].before != keys[i - 1].before ||
		    keys[i].after != keys[i - 1].after)
			sources->sl_classes[sources->n_sl_classes++] =
				(struct hd_diff_sl_class){ keys[i].before, keys[i].after };
		sources->list[keys[i].place].sl_class = sources->n_sl_classes - 1;
	}
	free(keys);
	return 0;
}

static bool allocate(const struct hd_match *match, struct hd_diff_sources *sources)
{
	const size_t n = match->n_endports + (size_t)1;
	const size_t n_switches = match->before->n_switches + (size_t)2;

	*sources = (struct hd_diff_sources){
		.list = calloc(n, sizeof(*sources->list)),
		.of_port = malloc((match->before->n_ports + (size_t)1) * sizeof(uint32_t)),
		.by_group = malloc(n * sizeof(uint32_t)),
		.groups = malloc(n * sizeof(*sources->groups)),
		.first_source = malloc(n_switches * sizeof(uint32_t)),
		.first_group = malloc(n_switches * sizeof(uint32_t)),
		.sl_classes = malloc(n * sizeof(*sources->sl_classes)),
	};
	return sources->list && sources->of_port && sources->by_group && sources->groups &&
	       sources->first_source && sources->first_group && sources->sl_classes;
}

int hd_diff_sources_init(const struct hd_match *match, const struct hd_tables *before,
			 const struct hd_tables *after, const struct hd_diff_vls *vls,
			 struct hd_diff_sources *sources, struct hd_error *err)
{
	int ret;

	if (!allocate(match, sources))
		return hd_error_nomem(err);
	memset(sources->of_port, 0xFF, match->before->n_ports * sizeof(*sources->of_port));
	for (uint32_t i = 0; i < match->n_endports; i++) {
		const struct hd_match_endport *port = &match->endports[i];

		if (hd_is_switch(match->before, match->before->ports[port->before].node))
			continue;
		sources->of_port[port->before] = sources->n;
		sources->list[sources->n].port = port;
		describe(match, before, vls, &sources->list[sources->n++]);
	}
	ret = form_classes(before, after, sources, err);
	return ret ? ret : form_groups(sources, match->before->n_switches, err);
}

/* The masks of @group, by out-port. */
static void fill_group(const struct hd_tables *before, const struct hd_diff_vls *vls,
		       const struct hd_diff_source *source, uint64_t *equal)
{
	const unsigned n_words = vls->n_words;
	const uint64_t *own = vls->equal + (size_t)source->kind * n_words;

	hd_for_each_number(out, before->fabric, source->switch_before) {
		size_t row = hd_sl2vl_index(before, source->switch_before, source->in, out);
		const uint64_t *there = vls->equal + (size_t)vls->kind[row] * n_words;

		for (unsigned word = 0; word < n_words; word++)
			equal[out * n_words + word] = own[word] & there[word];
	}
}

int hd_diff_sources_fill(const struct hd_tables *before, const struct hd_diff_vls *vls,
			 struct hd_diff_sources *sources, struct hd_error *err)
{
	const struct hd_fabric *fabric = before->fabric;
	size_t n = 0;

	for (uint32_t g = 0; g < sources->n_groups; g++) {
		uint32_t s = sources->groups[g].switch_before;

		sources->groups[g].first_out = (uint32_t)n;
		n += s < fabric->n_switches ? fabric->nodes[s].n_ports + (size_t)1 : 0;
	}
	sources->equal = malloc((n + 1) * vls->n_words * sizeof(*sources->equal));
	if (!sources->equal)
		return hd_error_nomem(err);
	for (uint32_t g = 0; g < sources->n_groups; g++) {
		const struct hd_diff_group *group = &sources->groups[g];

		if (group->switch_before < fabric->n_switches)
			fill_group(before, vls, &sources->list[group->any],
				   sources->equal + (size_t)group->first_out * vls->n_words);
	}
	return 0;
}

void hd_diff_sources_clear(struct hd_diff_sources *sources)
{
	free(sources->list);
	free(sources->of_port);
	free(sources->by_group);
	free(sources->groups);
	free(sources->equal);
	free(sources->first_source);
	free(sources->first_group);
	free(sources->sl_classes);
	*sources = (struct hd_diff_sources){ 0 };
}
