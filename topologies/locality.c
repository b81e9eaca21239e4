// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * From level to level, switches that are near one another are united in disjoint sets; places whose
 * switches are in one set then join. Switches of one host are united from the beginning, so that
 * the rails of a host are in one place.
 */
#include "topologies/locality.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "topologies/no_hosts.h"
#include "topologies/reorder.h"
#include "topologies/switch_levels.h"
#include "topologies/union_find.h"

#define MOST_LEVELS 32

/* What a machine is linked to in one part of the fabric. */
struct attachment {
	uint32_t machine;
	uint32_t part;            /* its lowest switch */
	const uint32_t *switches; /* [n] ascending */
	uint32_t n;
	uint32_t plane, place;
};

/* Machines of one part: attachments[first .. first + n - 1]. */
struct part {
	uint32_t first, n;
};

/* Its end nodes: adapters[first .. first + n - 1] of the search. */
struct machine {
	uint32_t first, n;
};

struct search {
	struct hd_fabric *fabric; /* with its nodes by name */
	uint32_t *order;          /* [node] its index in the fabric that was given */
	bool *no_host;            /* [node] NULL: none is marked */
	struct hd_shapes shapes;
	struct hd_locality *locality;
	struct machine *machines; /* [machine] */
	uint32_t *adapters;       /* end nodes */
	struct hd_switch_levels levels;
	uint32_t *part;                 /* [switch] the lowest switch of its part */
	uint32_t *sets;                 /* [switch] disjoint sets */
	uint32_t *first;                /* scratch, [switch or point] */
	uint32_t *key;                  /* scratch, [switch] */
	uint32_t *switches;             /* of all attachments */
	struct attachment *attachments; /* by part and switches */
	uint32_t n_attachments;
	struct part *parts; /* those with most machines first */
	uint32_t n_parts;
};

bool hd_is_vendor_name(const char *name)
{
	static const char *const vendors[] = { "Mellanox", "ConnectX", "localhost", "(none)" };

	for (size_t i = 0; i < sizeof(vendors) / sizeof(*vendors); i++)
		if (!strncmp(name, vendors[i], strlen(vendors[i])))
			return true;
	return !*name ||
	       (!strncmp(name, "MT", 2) && name[2 + strspn(name + 2, "0123456789")] <= ' ');
}

static bool is_host(const struct search *search, uint32_t node)
{
	const struct hd_fabric *fabric = search->fabric;

	if (fabric->nodes[node].type != HD_CA || hd_is_aggregation_node(fabric, node) ||
	    (search->no_host && search->no_host[node]))
		return false;
	hd_for_each_number(number, fabric, node) {
		const uint32_t peer = hd_peer_node(fabric, node, number);

		if (peer != HD_NONE && hd_is_switch(fabric, peer))
			return true;
	}
	return false;
}

/* An adapter, and the host's part of its name. */
struct adapter {
	uint32_t node;
	size_t length;
	const char *name;
};

static int compare_names(const struct adapter *a, const struct adapter *b)
{
	const size_t least = a->length < b->length ? a->length : b->length;
	const int order = memcmp(a->name, b->name, least);

	if (order || a->length == b->length)
		return order;
	return a->length < b->length ? -1 : 1;
}

static int compare_adapters(const void *a, const void *b)
{
	const struct adapter *x = a, *y = b;
	const int order = compare_names(x, y);

	return order ? order : x->node < y->node ? -1 : x->node > y->node;
}

/* Adapters become machines. */
static int make_machines(struct search *search, struct adapter *adapters, uint32_t n,
			 struct hd_error *err)
{
	struct hd_locality *locality = search->locality;

	qsort(adapters, n, sizeof(*adapters), compare_adapters);
	locality->machines = calloc(n + (size_t)1, sizeof(*locality->machines));
	search->machines = calloc(n + (size_t)1, sizeof(*search->machines));
	search->adapters = malloc((n + (size_t)1) * sizeof(*search->adapters));
	if (!locality->machines || !search->machines || !search->adapters)
		return hd_error_nomem(err);
	for (uint32_t i = 0; i < n; i++) {
		search->adapters[i] = adapters[i].node;
		if (!i || compare_names(&adapters[i - 1], &adapters[i])) {
			char *name = strndup(adapters[i].name, adapters[i].length);

			if (!name)
				return hd_error_nomem(err);
			search->machines[locality->n_machines].first = i;
			locality->machines[locality->n_machines++] = name;
		}
		search->machines[locality->n_machines - 1].n++;
	}
	return 0;
}

static int find_machines(struct search *search, struct hd_error *err)
{
	const struct hd_fabric *fabric = search->fabric;
	struct adapter *adapters =
		malloc((fabric->n_nodes - fabric->n_switches + (size_t)1) * sizeof(*adapters));
	uint32_t n = 0;
	int ret;

	if (!adapters)
		return hd_error_nomem(err);
	hd_for_each_end_node(node, fabric) {
		if (!is_host(search, node))
			continue;
		if (hd_is_vendor_name(hd_node_name(fabric, node))) {
			search->locality->n_nameless++;
			continue;
		}
		adapters[n].node = node;
		adapters[n].name = hd_node_name(fabric, node);
		adapters[n].length = strcspn(adapters[n].name, " \t");
		n++;
	}
	ret = make_machines(search, adapters, n, err);
	free(adapters);
	return ret;
}

/* Unites linked switches of levels up to @level; HD_NONE: of all. */
static void unite_links(const struct search *search, uint32_t *sets, uint32_t level)
{
	const uint32_t *levels = search->levels.level;

	hd_for_each_switch(s, search->fabric) {
		if (level != HD_NONE && levels[s] > level)
			continue;
		hd_for_each_number(number, search->fabric, s) {
			const uint32_t peer = hd_peer_node(search->fabric, s, number);

			if (peer != HD_NONE && hd_is_switch(search->fabric, peer) &&
			    (level == HD_NONE || levels[peer] <= level))
				hd_union(sets, s, peer);
		}
	}
}

/* Unites the switches with the same key; those with HD_NONE stay alone. */
static void unite_equal(struct search *search, const uint32_t *key, uint32_t n_keys)
{
	memset(search->first, 0xFF, n_keys * sizeof(*search->first));
	hd_for_each_switch(s, search->fabric) {
		if (key[s] == HD_NONE)
			continue;
		if (search->first[key[s]] == HD_NONE)
			search->first[key[s]] = s;
		else
			hd_union(search->sets, search->first[key[s]], s);
	}
}

static bool is_full(const struct hd_grid *grid, unsigned dimension)
{
	return grid->kind[dimension] == HD_GRID_FULL || grid->kind[dimension] == HD_GRID_SWITCHED;
}

/*
 * The part of a grid that a point is in at a level: first all of a line whose switches are one hop
 * apart, dimension by dimension; then blocks of the rest, of 2, 4, 8 ... switches in each
 * dimension.
 */
static uint32_t block_of(const struct hd_grid *grid, uint32_t point, unsigned level)
{
	unsigned n_full = 0;
	uint32_t key = 0;

	for (unsigned d = 0; d < grid->n_dimensions; d++)
		n_full += is_full(grid, d);
	for (unsigned d = grid->n_dimensions, below = n_full; d-- > 0;) {
		const uint32_t at = hd_grid_coordinate(grid, point, d);
		uint32_t part = at;

		if (is_full(grid, d))
			part = --below < level ? 0 : at;
		else if (level > n_full)
			part = level - n_full < MOST_LEVELS ? at >> (level - n_full) : 0;
		key = key * grid->size[d] + part;
	}
	return key;
}

static void unite_blocks(struct search *search, const struct hd_grid *grid, unsigned level)
{
	hd_for_each_switch(s, search->fabric)
		search->key[s] =
			grid->point[s] == HD_NONE ? HD_NONE : block_of(grid, grid->point[s], level);
	unite_equal(search, search->key, grid->n_points);
}

static unsigned grid_levels(const struct hd_grid *grid)
{
	unsigned n = 0, longest = 0;

	for (unsigned d = 0; d < grid->n_dimensions; d++) {
		unsigned halves = 0;

		n += is_full(grid, d);
		while (!is_full(grid, d) && (UINT64_C(1) << halves) < grid->size[d])
			halves++;
		longest = halves > longest ? halves : longest;
	}
	return n + longest;
}

/* The topology's levels between the switches of hosts and the whole part. */
struct plan {
	enum hd_place_kind kind;
	unsigned n; /* levels */
	const struct hd_grid *grid;
	const uint32_t *group;
	uint32_t n_groups;
};

static struct plan plan_of(const struct search *search)
{
	const struct hd_shapes *shapes = &search->shapes;
	const struct hd_grid *grid = shapes->grid;

	if (hd_shapes_prefer_grid(shapes))
		return (struct plan){ HD_PLACE_BLOCK, grid_levels(grid), .grid = grid };
	if (shapes->dragonfly)
		return (struct plan){ HD_PLACE_GROUP, 1, .group = shapes->dragonfly->group,
				      .n_groups = shapes->dragonfly->n_groups };
	if (shapes->plus)
		return (struct plan){ HD_PLACE_GROUP, 1, .group = shapes->plus->group,
				      .n_groups = shapes->plus->n_groups };
	if (hd_switch_levels_are_of_tree(&search->levels))
		return (struct plan){ .kind = HD_PLACE_SUBTREE, .n = search->levels.n_levels - 1 };
	return (struct plan){ .kind = HD_PLACE_PART };
}

/* Unites switches of one place of @level, of which 1 is the lowest. */
static void unite(struct search *search, const struct plan *plan, unsigned level)
{
	if (level > plan->n)
		unite_links(search, search->sets, HD_NONE);
	else if (plan->grid)
		unite_blocks(search, plan->grid, level);
	else if (plan->group)
		unite_equal(search, plan->group, plan->n_groups);
	else
		unite_links(search, search->sets, level);
}

static int compare_switches(const void *a, const void *b, void *part)
{
	const uint32_t *of = part, x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	if (of[x] != of[y])
		return of[x] < of[y] ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* The switches that @machine is linked to, in @list, by part. Returns their number. */
static uint32_t switches_of(const struct search *search, const struct machine *machine,
			    uint32_t *list)
{
	uint32_t n = 0, distinct = 0;

	for (uint32_t i = 0; i < machine->n; i++) {
		const uint32_t node = search->adapters[machine->first + i];

		hd_for_each_number(number, search->fabric, node) {
			const uint32_t peer = hd_peer_node(search->fabric, node, number);

			if (peer != HD_NONE && hd_is_switch(search->fabric, peer))
				list[n++] = peer;
		}
	}
	qsort_r(list, n, sizeof(*list), compare_switches, search->part);
	for (uint32_t i = 0; i < n; i++)
		if (!i || list[i] != list[i - 1])
			list[distinct++] = list[i];
	return distinct;
}

static int compare_attachments(const void *a, const void *b)
{
	const struct attachment *x = a, *y = b;
	const uint32_t least = x->n < y->n ? x->n : y->n;

	if (x->part != y->part)
		return x->part < y->part ? -1 : 1;
	for (uint32_t i = 0; i < least; i++)
		if (x->switches[i] != y->switches[i])
			return x->switches[i] < y->switches[i] ? -1 : 1;
	if (x->n != y->n)
		return x->n < y->n ? -1 : 1;
	return x->machine < y->machine ? -1 : x->machine > y->machine;
}

static int compare_parts(const void *a, const void *b)
{
	const struct part *x = a, *y = b;

	if (x->n != y->n)
		return x->n > y->n ? -1 : 1;
	return x->first < y->first ? -1 : 1;
}

/* What each machine is linked to, part by part. */
static int find_attachments(struct search *search, struct hd_error *err)
{
	const struct hd_locality *locality = search->locality;
	uint32_t n_links = 0, *list;

	hd_for_each_end_node(node, search->fabric)
		n_links += search->fabric->nodes[node].n_ports;
	search->switches = malloc((n_links + (size_t)1) * sizeof(*search->switches));
	search->attachments = malloc((n_links + (size_t)1) * sizeof(*search->attachments));
	search->parts = malloc((n_links + (size_t)1) * sizeof(*search->parts));
	if (!search->switches || !search->attachments || !search->parts)
		return hd_error_nomem(err);
	list = search->switches;
	for (uint32_t m = 0; m < locality->n_machines; m++) {
		const uint32_t n = switches_of(search, &search->machines[m], list);

		for (uint32_t i = 0; i < n; i++) {
			const uint32_t part = search->part[list[i]];

			if (i && search->part[list[i - 1]] == part) {
				search->attachments[search->n_attachments - 1].n++;
				continue;
			}
			search->attachments[search->n_attachments++] =
				(struct attachment){ m, part, list + i, 1, 0, HD_NONE };
		}
		list += n;
	}
	qsort(search->attachments, search->n_attachments, sizeof(*search->attachments),
	      compare_attachments);
	for (uint32_t i = 0; i < search->n_attachments; i++) {
		if (!i || search->attachments[i].part != search->attachments[i - 1].part)
			search->parts[search->n_parts++] = (struct part){ .first = i };
		search->parts[search->n_parts - 1].n++;
	}
	qsort(search->parts, search->n_parts, sizeof(*search->parts), compare_parts);
	return 0;
}

static bool are_equal(const struct attachment *a, const struct attachment *b)
{
	return a->n == b->n && !memcmp(a->switches, b->switches, a->n * sizeof(*a->switches));
}

/* Whether @a has half of @of's switches or more, and no other. */
static bool is_part_of(const struct attachment *a, const struct attachment *of)
{
	uint32_t i = 0;

	for (uint32_t k = 0; k < of->n && i < a->n; k++)
		i += a->switches[i] == of->switches[k];
	return i == a->n && 2 * a->n >= of->n;
}

/* A new place of level 0. */
static uint32_t add_place(struct search *search, const struct attachment *attachment)
{
	struct hd_locality *locality = search->locality;

	locality->places[locality->n_places] = (struct hd_near_place){
		.parent = HD_NONE,
		.plane = attachment->plane,
		.first_switch = attachment->switches[0],
		.n_switches = attachment->n,
	};
	return locality->n_places++;
}

/* usual[switch]: the first of the attachments to it that most machines have. */
static void find_usual(struct search *search, uint32_t *usual)
{
	const struct attachment *all = search->attachments;
	uint32_t *often = search->key; /* [switch] how many machines have that */

	memset(often, 0, search->fabric->n_switches * sizeof(*often));
	for (uint32_t i = 0, n; i < search->n_attachments; i += n) {
		for (n = 1; i + n < search->n_attachments && are_equal(&all[i], &all[i + n]); n++)
			;
		for (uint32_t k = 0; k < all[i].n; k++) {
			if (often[all[i].switches[k]] >= n)
				continue;
			often[all[i].switches[k]] = n;
			usual[all[i].switches[k]] = i;
		}
	}
}

/*
 * Gives attachments places of level 0: machines with the same switches have the same. A machine
 * that lacks some of the usual switches, since adapters are down, joins the others.
 */
static void place_machines(struct search *search)
{
	struct hd_locality *locality = search->locality;
	struct attachment *all = search->attachments;

	find_usual(search, search->first);
	for (uint32_t i = 0; i < search->n_attachments; i++) {
		struct attachment *whole = &all[search->first[all[i].switches[0]]];

		if (i && are_equal(&all[i - 1], &all[i]))
			whole = &all[i - 1];
		else if (!is_part_of(&all[i], whole))
			whole = &all[i];
		if (whole->place == HD_NONE)
			whole->place = add_place(search, whole);
		all[i].place = whole->place;
		locality->places[whole->place].n_machines++;
		locality->place_of[(size_t)all[i].plane * locality->n_machines + all[i].machine] =
			whole->place;
		for (uint32_t k = 1; k < all[i].n; k++)
			hd_union(search->sets, all[i].switches[0], all[i].switches[k]);
	}
}

/* Puts place @i into place @into. */
static void put(struct hd_locality *locality, uint32_t i, uint32_t into)
{
	struct hd_near_place *place = &locality->places[i], *parent = &locality->places[into];

	place->parent = into;
	parent->n_machines += place->n_machines;
	if (parent->level <= place->level)
		parent->level = place->level + 1;
	if (parent->first_switch > place->first_switch)
		parent->first_switch = place->first_switch;
}

/* Places that are in no other and whose switches are in one set join to a place of @kind. */
static void join(struct search *search, enum hd_place_kind kind)
{
	struct hd_locality *locality = search->locality;
	const uint32_t end = locality->n_places;
	uint32_t *first = search->first; /* [set] its first place, then the place of all */

	memset(first, 0xFF, search->fabric->n_switches * sizeof(*first));
	for (uint32_t i = 0; i < end; i++) {
		const struct hd_near_place *place = &locality->places[i];
		uint32_t *of_set = &first[hd_find(search->sets, place->first_switch)];

		if (place->parent != HD_NONE)
			continue;
		if (*of_set == HD_NONE) {
			*of_set = i;
			continue;
		}
		if (*of_set < end) {
			locality->places[locality->n_places] =
				(struct hd_near_place){ .parent = HD_NONE,
							.plane = place->plane,
							.kind = kind,
							.first_switch = place->first_switch };
			put(locality, *of_set, locality->n_places);
			*of_set = locality->n_places++;
		}
		put(locality, i, *of_set);
	}
}

/*
 * Parts with a common machine are in different planes: takes the parts by size, and the first plane
 * in which a part has no machine in common with those that are there. @taken [machine] has the
 * planes of its parts, a bit each; parts beyond 64 planes share the last one.
 */
static void find_planes(struct search *search, uint64_t *taken)
{
	for (uint32_t i = 0; i < search->n_parts; i++) {
		struct attachment *all = search->attachments + search->parts[i].first;
		const uint32_t n = search->parts[i].n;
		uint64_t used = 0;
		uint32_t plane = 0;

		for (uint32_t k = 0; k < n; k++)
			used |= taken[all[k].machine];
		while (plane < 63 && used >> plane & 1)
			plane++;
		for (uint32_t k = 0; k < n; k++) {
			taken[all[k].machine] |= UINT64_C(1) << plane;
			all[k].plane = plane;
		}
		if (plane >= search->locality->n_planes)
			search->locality->n_planes = plane + 1;
	}
}

static int find_places(struct search *search, struct hd_error *err)
{
	struct hd_locality *locality = search->locality;
	const struct plan plan = plan_of(search);
	uint64_t *taken = calloc(locality->n_machines + (size_t)1, sizeof(*taken));
	size_t n;

	if (!taken)
		return hd_error_nomem(err);
	find_planes(search, taken);
	free(taken);
	n = (size_t)locality->n_planes * locality->n_machines + 1;
	/* each place but those of level 0 has two others at least */
	locality->places =
		malloc((2 * (size_t)search->n_attachments + 1) * sizeof(*locality->places));
	locality->place_of = malloc(n * sizeof(*locality->place_of));
	if (!locality->places || !locality->place_of)
		return hd_error_nomem(err);
	memset(locality->place_of, 0xFF, n * sizeof(*locality->place_of));
	place_machines(search);
	for (unsigned level = 1; level <= plan.n + 1; level++) {
		unite(search, &plan, level);
		join(search, level > plan.n ? HD_PLACE_PART : plan.kind);
	}
	for (uint32_t i = 0; i < locality->n_places; i++)
		if (locality->places[i].level && locality->places[i].parent == HD_NONE)
			locality->places[i].kind = HD_PLACE_PART;
	return 0;
}

static int allocate(struct search *search, struct hd_error *err)
{
	const struct hd_grid *grid = search->shapes.grid;
	const uint32_t n = search->fabric->n_switches;
	const size_t most = (grid && grid->n_points > n ? grid->n_points : n) + (size_t)1;

	search->part = malloc(most * sizeof(*search->part));
	search->sets = malloc(most * sizeof(*search->sets));
	search->first = malloc(most * sizeof(*search->first));
	search->key = malloc(most * sizeof(*search->key));
	if (!search->part || !search->sets || !search->first || !search->key)
		return hd_error_nomem(err);
	for (uint32_t s = 0; s < n; s++)
		search->part[s] = search->sets[s] = s;
	unite_links(search, search->part, HD_NONE);
	for (uint32_t s = 0; s < n; s++)
		search->part[s] = hd_find(search->part, s);
	return hd_switch_levels_find_above(search->fabric, search->no_host, 0, &search->levels,
					   err);
}

/* The copy by name, what is marked in it, and its topology. */
static int prepare(struct search *search, const struct hd_fabric *fabric,
		   const uint64_t *group_of_switch, const bool *no_host, struct hd_error *err)
{
	uint64_t *groups = NULL;
	int ret = hd_fabric_by_name(fabric, &search->fabric, &search->order, err);

	if (!ret && group_of_switch) {
		groups = malloc((fabric->n_switches + (size_t)1) * sizeof(*groups));
		ret = groups ? 0 : hd_error_nomem(err);
		for (uint32_t s = 0; !ret && s < fabric->n_switches; s++)
			groups[s] = group_of_switch[search->order[s]];
	}
	if (!ret && no_host) {
		search->no_host = malloc(fabric->n_nodes * sizeof(*search->no_host) + 1);
		ret = search->no_host ? 0 : hd_error_nomem(err);
		for (uint32_t i = 0; !ret && i < fabric->n_nodes; i++)
			search->no_host[i] = no_host[search->order[i]];
	}
	if (!ret) {
		const struct hd_dragonfly_hints hints = { .group_of_switch = groups };

		ret = hd_recognise(search->fabric, &hints, &search->shapes, err);
	}
	free(groups);
	return ret;
}

int hd_locality_find(const struct hd_fabric *fabric, const uint64_t *group_of_switch,
		     const bool *no_host, struct hd_locality *locality, struct hd_error *err)
{
	struct search search = { .locality = locality };
	int ret;

	*locality = (struct hd_locality){ 0 };
	ret = prepare(&search, fabric, group_of_switch, no_host, err);
	if (!ret)
		ret = allocate(&search, err);
	if (!ret)
		ret = find_machines(&search, err);
	if (!ret)
		ret = find_attachments(&search, err);
	if (!ret)
		ret = find_places(&search, err);
	for (uint32_t i = 0; !ret && i < locality->n_places; i++)
		locality->places[i].first_switch = search.order[locality->places[i].first_switch];
	hd_switch_levels_clear(&search.levels);
	hd_shapes_clear(&search.shapes);
	hd_fabric_free(search.fabric);
	free(search.order);
	free(search.no_host);
	free(search.machines);
	free(search.adapters);
	free(search.part);
	free(search.sets);
	free(search.first);
	free(search.key);
	free(search.switches);
	free(search.attachments);
	free(search.parts);
	return ret;
}

void hd_locality_clear(struct hd_locality *locality)
{
	for (uint32_t i = 0; i < locality->n_machines; i++)
		free(locality->machines[i]);
	free(locality->machines);
	free(locality->places);
	free(locality->place_of);
	*locality = (struct hd_locality){ 0 };
}
