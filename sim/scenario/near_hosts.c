// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "sim/scenario/near_hosts.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"
#include "topologies/locality.h"

struct search {
	struct hd_locality locality;
	uint32_t *place_of; /* [host] of level 0; HD_NONE: none */
	uint32_t *n_free;   /* [place] hosts that are free */
};

/* A free host, and how empty its place is. */
struct candidate {
	uint32_t host, place, n_free;
};

static int compare_machines(const void *name, const void *machine)
{
	const char *other = *(char *const *)machine;
	const size_t length = strcspn(name, " \t");
	const int order = strncmp(name, other, length);

	return order ? order : other[length] ? -1 : 0;
}

uint32_t hd_near_hosts_machine(const struct hd_locality *locality, const struct hd_fabric *fabric,
			       uint32_t node)
{
	char **machine =
		bsearch(hd_node_name(fabric, node), locality->machines, locality->n_machines,
			sizeof(*locality->machines), compare_machines);

	return machine ? (uint32_t)(machine - locality->machines) : HD_NONE;
}

static int count(struct search *search, const struct hd_fabric *fabric, const uint32_t *host_ports,
		 uint32_t n_hosts, const bool *taken, struct hd_error *err)
{
	const struct hd_locality *locality = &search->locality;

	search->place_of = malloc((n_hosts + (size_t)1) * sizeof(*search->place_of));
	search->n_free = calloc(locality->n_places + (size_t)1, sizeof(*search->n_free));
	if (!search->place_of || !search->n_free)
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < n_hosts; host++) {
		const uint32_t machine = hd_near_hosts_machine(
			locality, fabric, fabric->ports[host_ports[host]].node);

		search->place_of[host] = machine == HD_NONE ? HD_NONE : locality->place_of[machine];
		if (search->place_of[host] != HD_NONE && !taken[host])
			search->n_free[search->place_of[host]]++;
	}
	for (uint32_t i = 0; i < locality->n_places; i++)
		if (locality->places[i].parent != HD_NONE)
			search->n_free[locality->places[i].parent] += search->n_free[i];
	return 0;
}

/* The smallest place with @n free hosts; HD_NONE: none. */
static uint32_t smallest(const struct search *search, uint32_t n)
{
	const struct hd_near_place *places = search->locality.places;
	uint32_t best = HD_NONE;

	for (uint32_t i = 0; i < search->locality.n_places; i++)
		if (search->n_free[i] >= n &&
		    (best == HD_NONE || places[i].level < places[best].level ||
		     (places[i].level == places[best].level &&
		      search->n_free[i] < search->n_free[best])))
			best = i;
	return best;
}

static bool is_within(const struct search *search, uint32_t place, uint32_t whole)
{
	while (place != HD_NONE && place != whole)
		place = search->locality.places[place].parent;
	return place == whole;
}

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;

	if (x->n_free != y->n_free)
		return x->n_free > y->n_free ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->host < y->host ? -1 : x->host > y->host;
}

static int list_best(const struct search *search, uint32_t n_hosts, bool *taken, uint32_t n,
		     uint32_t *list, uint32_t *n_listed, struct hd_error *err)
{
	struct candidate *candidates = malloc((n_hosts + (size_t)1) * sizeof(*candidates));
	const uint32_t whole = smallest(search, n);
	uint32_t n_candidates = 0;

	if (!candidates)
		return hd_error_nomem(err);
	for (uint32_t host = 0; host < n_hosts; host++) {
		const uint32_t place = search->place_of[host];

		if (taken[host] || (whole != HD_NONE && !is_within(search, place, whole)))
			continue;
		candidates[n_candidates++] =
			(struct candidate){ host, place,
					    place == HD_NONE ? 0 : search->n_free[place] };
	}
	qsort(candidates, n_candidates, sizeof(*candidates), compare_candidates);
	for (uint32_t i = 0; i < n_candidates && *n_listed < n; i++) {
		taken[candidates[i].host] = true;
		list[(*n_listed)++] = candidates[i].host;
	}
	free(candidates);
	return 0;
}

int hd_near_hosts_choose(const struct hd_fabric *fabric, const uint32_t *host_ports,
			 uint32_t n_hosts, bool *taken, uint32_t n, uint32_t *list,
			 uint32_t *n_listed, struct hd_error *err)
{
	struct search search = { 0 };
	int ret = hd_locality_find(fabric, NULL, NULL, &search.locality, err);

	if (!ret)
		ret = count(&search, fabric, host_ports, n_hosts, taken, err);
	if (!ret)
		ret = list_best(&search, n_hosts, taken, n, list, n_listed, err);
	hd_locality_clear(&search.locality);
	free(search.place_of);
	free(search.n_free);
	return ret;
}
