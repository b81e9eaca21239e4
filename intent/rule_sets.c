// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "intent/rule_sets.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "intent/rails.h"
#include "support/error.h"
#include "support/text.h"
#include "topologies/no_hosts.h"
#include "topologies/recognise.h"
#include "topologies/switch_levels.h"

struct finder {
	const struct hd_rules *rules;
	const struct hd_fabric *fabric;
	struct hd_members *members;
	uint32_t *ports; /* those that sets may have, by node */
	uint32_t n;
};

static int find_levels(struct finder *finder, struct hd_error *err)
{
	struct hd_members *members = finder->members;
	struct hd_switch_levels levels;
	int ret = hd_switch_levels_find(finder->fabric, &levels, err);

	if (!ret) {
		members->has_levels = hd_switch_levels_are_of_tree(&levels);
		members->level = levels.level;
		levels.level = NULL;
		ret = hd_rails_find(finder->fabric, members->level, levels.n_levels, members->rail,
				    err);
	}
	hd_switch_levels_clear(&levels);
	return ret;
}

/* The first line that asks for groups; 0: none does. */
static unsigned asks_for_groups(const struct hd_rules *rules)
{
	for (uint32_t t = 0; t < rules->n_terms; t++)
		if (rules->terms[t].kind == HD_TERM_GROUP)
			return rules->terms[t].line;
	for (uint32_t d = 0; d < rules->n_demands; d++)
		if (rules->demands[d].kind == HD_DEMAND_STAY_IN_GROUP)
			return rules->demands[d].line;
	return 0;
}

static int find_groups(struct finder *finder, struct hd_error *err)
{
	const unsigned line = asks_for_groups(finder->rules);
	const size_t size = finder->fabric->n_switches * sizeof(uint32_t);
	struct hd_shapes shapes = { 0 };
	const uint32_t *group = NULL;
	int ret;

	if (!line)
		return 0;
	ret = hd_recognise(finder->fabric, NULL, &shapes, err);
	if (!ret && shapes.dragonfly)
		group = shapes.dragonfly->group;
	else if (!ret && shapes.plus)
		group = shapes.plus->group;
	if (!ret && !group)
		ret = hd_error_at(err, HD_EPARSE, finder->rules->file, line,
				  "this fabric has no groups: %s",
				  shapes.no_dragonfly.text[0] ? shapes.no_dragonfly.text
							      : "it has one switch or two");
	if (!ret) {
		finder->members->group = malloc(size);
		if (finder->members->group)
			memcpy(finder->members->group, group, size);
		else
			ret = hd_error_nomem(err);
	}
	hd_shapes_clear(&shapes);
	return ret;
}

/* Spines that are not named are the highest switches of paths. */
static int check_levels(const struct finder *finder, struct hd_error *err)
{
	const struct hd_rules *rules = finder->rules;

	for (uint32_t d = 0; d < rules->n_demands; d++) {
		const struct hd_demand *demand = &rules->demands[d];

		if (demand->kind == HD_DEMAND_REDUNDANT && demand->number &&
		    rules->rules[demand->rule].spines == HD_NONE && !finder->members->has_levels)
			return hd_error_at(err, HD_EPARSE, rules->file, demand->line,
					   "min_spines: the switches of this fabric have no "
					   "levels, so say which are spines: spines = SET");
	}
	return 0;
}

static bool matches_text(const char *pattern, const char *name)
{
	char first[HD_MAX_NAME + 1];
	const size_t length = strcspn(name, " ");

	if (!strpbrk(pattern, "*?[\\"))
		return strcmp(pattern, name) == 0 ||
		       (strlen(pattern) == length && memcmp(pattern, name, length) == 0);
	if (fnmatch(pattern, name, 0) == 0)
		return true;
	if (!name[length] || length >= sizeof(first))
		return false;
	memcpy(first, name, length);
	first[length] = '\0';
	return fnmatch(pattern, first, 0) == 0;
}

/* Whether @pattern is the name of @node, its GUID or that of @port. */
static bool matches_node(const struct hd_fabric *fabric, const char *pattern, uint32_t node,
			 uint32_t port)
{
	const char *at = pattern, *end = pattern + strlen(pattern);
	uint64_t guid;

	if (matches_text(pattern, hd_node_name(fabric, node)))
		return true;
	if (!hd_scan_word(&at, end, "0x") || !hd_scan_number(&at, end, 16, UINT64_MAX, &guid) ||
	    at != end)
		return false;
	return fabric->nodes[node].guid == guid || (guid && fabric->ports[port].guid == guid);
}

static bool in_range(const struct hd_term *term, uint32_t number)
{
	return number != HD_NONE && term->low <= number && number <= term->high;
}

static bool matches(const struct finder *finder, const struct hd_term *term, uint32_t port)
{
	const struct hd_fabric *fabric = finder->fabric;
	const struct hd_members *members = finder->members;
	const uint32_t node = fabric->ports[port].node, at = members->at[port];

	switch (term->kind) {
	case HD_TERM_NODES:
	case HD_TERM_EXCEPT:
		return matches_node(fabric, term->text, node, port);
	case HD_TERM_LEAF:
		return matches_node(fabric, term->text, at, hd_port_index(fabric, at, 0));
	case HD_TERM_SETS:
	case HD_TERM_WITHOUT:
		return hd_members_of(members, term->set)[port];
	case HD_TERM_KIND:
		return fabric->nodes[node].type == term->low;
	case HD_TERM_RAIL:
		return in_range(term, members->rail[port]);
	case HD_TERM_GROUP:
		return in_range(term, members->group[at]);
	case HD_TERM_LEVEL:
		return in_range(term, members->level[at]);
	default:
		return in_range(term, fabric->ports[port].number);
	}
}

/*
 * A set has what one of its `nodes` and `sets` has, if there are any; of that, what each other key
 * allows with one of its values.
 */
static bool is_in(const struct finder *finder, const struct hd_rule_set *set, uint32_t port)
{
	uint32_t asked = 0, met = 0;

	for (uint32_t t = set->first_term; t < set->first_term + set->n_terms; t++) {
		const struct hd_term *term = &finder->rules->terms[t];
		const uint32_t bit = 1u
				     << (term->kind == HD_TERM_SETS ? HD_TERM_NODES : term->kind);

		if (term->kind == HD_TERM_EXCEPT || term->kind == HD_TERM_WITHOUT) {
			if (matches(finder, term, port))
				return false;
			continue;
		}
		asked |= bit;
		if (!(met & bit) && matches(finder, term, port))
			met |= bit;
	}
	return met == asked;
}

static bool is_in_own(const struct hd_fabric *fabric, uint32_t set, uint32_t node)
{
	if (set == HD_SET_HOSTS)
		return !hd_is_switch(fabric, node) && !hd_is_aggregation_node(fabric, node);
	return set == HD_SET_ALL || hd_is_switch(fabric, node);
}

static void fill_set(struct finder *finder, uint32_t s)
{
	const struct hd_fabric *fabric = finder->fabric;
	bool *in = finder->members->in + (size_t)s * fabric->n_ports;
	uint32_t last = HD_NONE;

	for (uint32_t i = 0; i < finder->n; i++) {
		const uint32_t port = finder->ports[i], node = fabric->ports[port].node;

		in[port] = s < HD_N_OWN_SETS ? is_in_own(fabric, s, node)
					     : is_in(finder, &finder->rules->sets[s], port);
		if (in[port] && node != last) {
			finder->members->nodes[s]++;
			last = node;
		}
	}
}

static void find_ports(struct finder *finder)
{
	const struct hd_fabric *fabric = finder->fabric;
	struct hd_members *members = finder->members;

	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];
		uint32_t at = HD_NONE;

		if (hd_is_switch(fabric, port->node))
			at = port->number ? HD_NONE : port->node;
		else if (port->peer != HD_NONE &&
			 hd_is_switch(fabric, fabric->ports[port->peer].node))
			at = fabric->ports[port->peer].node;
		members->at[p] = at;
		if (at != HD_NONE)
			finder->ports[finder->n++] = p;
	}
}

static bool make_room(struct finder *finder)
{
	const size_t n_ports = finder->fabric->n_ports + (size_t)1;
	struct hd_members *members = finder->members;

	members->n_sets = finder->rules->n_sets;
	members->in = calloc(members->n_sets * n_ports, sizeof(*members->in));
	members->nodes = calloc(members->n_sets, sizeof(*members->nodes));
	members->at = malloc(n_ports * sizeof(*members->at));
	members->rail = malloc(n_ports * sizeof(*members->rail));
	finder->ports = malloc(n_ports * sizeof(*finder->ports));
	return members->in && members->nodes && members->at && members->rail && finder->ports;
}

int hd_members_find(const struct hd_rules *rules, const struct hd_fabric *fabric,
		    struct hd_members *members, struct hd_error *err)
{
	struct finder finder = { .rules = rules, .fabric = fabric, .members = members };
	int ret = 0;

	*members = (struct hd_members){ .fabric = fabric };
	if (!make_room(&finder))
		ret = hd_error_nomem(err);
	if (!ret) {
		find_ports(&finder);
		ret = find_levels(&finder, err);
	}
	if (!ret)
		ret = find_groups(&finder, err);
	if (!ret)
		ret = check_levels(&finder, err);
	for (uint32_t s = 0; !ret && s < rules->n_sets; s++)
		fill_set(&finder, s);
	free(finder.ports);
	return ret;
}

void hd_members_clear(struct hd_members *members)
{
	free(members->in);
	free(members->nodes);
	free(members->at);
	free(members->rail);
	free(members->group);
	free(members->level);
	*members = (struct hd_members){ 0 };
}
