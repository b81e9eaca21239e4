// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * A switch fits at a vertex that is a neighbour of the places of all its neighbours that have
 * places already. What the switch has less than the vertex, neighbours and common neighbours with
 * those that were placed first, must be for links that the switch, or the other one, has less.
 * Whoever fits at one vertex only gets this one, which leads to the next such switch. When there is
 * none, one with many placed neighbours is tried at each vertex that it fits at in turn. Every edge
 * between places that is no link is missing, and the number of these has a limit; so a wrong choice
 * is soon found.
 */
#include "topologies/embedding.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "fabric/fabric.h"
#include "support/error.h"
#include "topologies/switch_graph.h"

#define WORK     (UINT64_C(1) << 26) /* pairs of switch and vertex looked at; about a second */
#define ATTEMPTS 32
#define PILOTS   24 /* switches that were placed first */

#define LINKED 0x80u
#define MOST   0x7Fu /* common neighbours that are counted */

struct search {
	const struct hd_switch_graph *fabric, *known;
	uint32_t *place; /* [switch] vertex, or HD_NONE */
	uint32_t *owner; /* [vertex] switch, or HD_NONE */
	/*
	 * Common neighbours of two vertices, of two switches: [u * n + v]. Bit LINKED: u and v are
	 * neighbours themselves.
	 */
	uint8_t *known_common, *common;
	uint32_t *n_placed; /* [switch] neighbours with places */
	uint32_t *n_owned;  /* [vertex] neighbours with owners */
	uint32_t n_missing, most_missing;
	uint32_t n_trail, *trail; /* switches in the order in which they got places */
	uint64_t work, most_work;
	uint32_t attempt;
};

static bool are_linked(const struct search *search, uint32_t u, uint32_t v)
{
	return search->known_common[(size_t)u * search->known->n + v] & LINKED;
}

static uint32_t degree(const struct hd_switch_graph *graph, uint32_t s)
{
	return graph->first[s + 1] - graph->first[s];
}

/* The links that @s has less than @vertex. */
static uint32_t lack(const struct search *search, uint32_t s, uint32_t vertex)
{
	return degree(search->known, vertex) - degree(search->fabric, s);
}

/* Whether @s at @vertex has as many common neighbours with the pilots as their links allow. */
static bool suits_pilots(const struct search *search, uint32_t s, uint32_t vertex)
{
	const uint8_t *mine = search->common + (size_t)s * search->fabric->n;
	const uint8_t *there = search->known_common + (size_t)vertex * search->known->n;

	for (uint32_t k = 0; k < search->n_trail && k < PILOTS; k++) {
		const uint32_t pilot = search->trail[k], at = search->place[pilot];
		const uint32_t n = mine[pilot] & MOST, n_there = there[at] & MOST;

		if (n > n_there || n_there - n > lack(search, s, vertex) + lack(search, pilot, at))
			return false;
	}
	return true;
}

/* Whether @s can be at @vertex beside those that have places. */
static bool fits(struct search *search, uint32_t s, uint32_t vertex)
{
	const struct hd_switch_graph *fabric = search->fabric;
	const uint32_t n_missing = search->n_owned[vertex] - search->n_placed[s];

	search->work++;
	if (search->owner[vertex] != HD_NONE || degree(search->known, vertex) < degree(fabric, s) ||
	    search->n_owned[vertex] < search->n_placed[s] || n_missing > lack(search, s, vertex) ||
	    search->n_missing + n_missing > search->most_missing)
		return false;
	for (uint32_t i = fabric->first[s]; i < fabric->first[s + 1]; i++) {
		const uint32_t at = search->place[fabric->neighbour[i]];

		if (at != HD_NONE && !are_linked(search, at, vertex))
			return false;
	}
	return suits_pilots(search, s, vertex);
}

/* The vertices that @s may be at: neighbours of one place, or all. */
static const uint32_t *choices(const struct search *search, uint32_t s, uint32_t *n)
{
	const struct hd_switch_graph *fabric = search->fabric;

	for (uint32_t i = fabric->first[s]; i < fabric->first[s + 1]; i++) {
		const uint32_t at = search->place[fabric->neighbour[i]];

		if (at == HD_NONE)
			continue;
		*n = degree(search->known, at);
		return search->known->neighbour + search->known->first[at];
	}
	*n = search->known->n;
	return NULL;
}

/* Counts the vertices that @s fits at, up to @enough; *@only is one of them. */
static uint32_t count_fits(struct search *search, uint32_t s, uint32_t enough, uint32_t *only)
{
	uint32_t n, n_fits = 0;
	const uint32_t *list = choices(search, s, &n);

	for (uint32_t i = 0; i < n && n_fits < enough; i++) {
		const uint32_t vertex = list ? list[i] : i;

		if (!fits(search, s, vertex))
			continue;
		*only = vertex;
		n_fits++;
	}
	return n_fits;
}

static void put(struct search *search, uint32_t s, uint32_t vertex)
{
	const struct hd_switch_graph *fabric = search->fabric, *known = search->known;

	search->n_missing += search->n_owned[vertex] - search->n_placed[s];
	search->place[s] = vertex;
	search->owner[vertex] = s;
	search->trail[search->n_trail++] = s;
	for (uint32_t i = fabric->first[s]; i < fabric->first[s + 1]; i++)
		search->n_placed[fabric->neighbour[i]]++;
	for (uint32_t i = known->first[vertex]; i < known->first[vertex + 1]; i++)
		search->n_owned[known->neighbour[i]]++;
}

/* Takes places away until @n_trail switches have one. */
static void take_back(struct search *search, uint32_t n_trail)
{
	const struct hd_switch_graph *fabric = search->fabric, *known = search->known;

	while (search->n_trail > n_trail) {
		const uint32_t s = search->trail[--search->n_trail], vertex = search->place[s];

		for (uint32_t i = fabric->first[s]; i < fabric->first[s + 1]; i++)
			search->n_placed[fabric->neighbour[i]]--;
		for (uint32_t i = known->first[vertex]; i < known->first[vertex + 1]; i++)
			search->n_owned[known->neighbour[i]]--;
		search->place[s] = HD_NONE;
		search->owner[vertex] = HD_NONE;
		search->n_missing -= search->n_owned[vertex] - search->n_placed[s];
	}
}

/*
 * Places all that fit at one vertex only, next to the switches on the trail from @from on. False:
 * one of them fits nowhere.
 */
static bool follow(struct search *search, uint32_t from)
{
	const struct hd_switch_graph *fabric = search->fabric;

	for (uint32_t k = from; k < search->n_trail; k++) {
		const uint32_t s = search->trail[k];

		for (uint32_t i = fabric->first[s]; i < fabric->first[s + 1]; i++) {
			const uint32_t next = fabric->neighbour[i];
			uint32_t n_fits, vertex = 0;

			if (search->place[next] != HD_NONE || search->n_placed[next] < 2)
				continue;
			n_fits = count_fits(search, next, 2, &vertex);
			if (!n_fits)
				return false;
			if (n_fits == 1)
				put(search, next, vertex);
		}
	}
	return true;
}

/*
 * The switch to try next: links to placed switches count before common neighbours with the first
 * one, these before links.
 */
static uint64_t rank(const struct search *search, uint32_t s)
{
	const size_t first = search->n_trail ? search->trail[0] : 0;
	const uint8_t common = search->n_trail ? search->common[first * search->fabric->n + s] : 0;

	return (uint64_t)search->n_placed[s] << 40 | (uint64_t)(common & MOST) << 32 |
	       degree(search->fabric, s);
}

/* The switch of the highest rank that has no place; HD_NONE: all have places. */
static uint32_t choose(const struct search *search)
{
	uint32_t best = HD_NONE;

	for (uint32_t s = 0; s < search->fabric->n; s++)
		if (search->place[s] == HD_NONE &&
		    (best == HD_NONE || rank(search, s) > rank(search, best)))
			best = s;
	return best;
}

static bool extend(struct search *search);

/* Tries @s at @vertex, with all that follows. */
static bool try(struct search *search, uint32_t s, uint32_t vertex)
{
	const uint32_t n_trail = search->n_trail;

	if (!fits(search, s, vertex))
		return false;
	put(search, s, vertex);
	if (follow(search, n_trail) && extend(search))
		return true;
	take_back(search, n_trail);
	return false;
}

/* Finds places for all switches that have none. */
static bool extend(struct search *search)
{
	const uint32_t s = choose(search);
	const uint32_t *list;
	uint32_t n;

	if (s == HD_NONE)
		return true;
	list = choices(search, s, &n);
	for (uint32_t i = 0; i < n && search->work < search->most_work; i++) {
		const uint32_t at = (uint32_t)((i + search->attempt * (s + UINT64_C(1))) % n);

		if (try(search, s, list ? list[at] : at))
			return true;
	}
	return false;
}

/* Counts the common neighbours of all pairs. NULL: out of memory. */
static uint8_t *count_common(const struct hd_switch_graph *graph)
{
	uint8_t *common = calloc((size_t)graph->n * graph->n + 1, 1);

	for (uint32_t u = 0; common && u < graph->n; u++) {
		uint8_t *row = common + (size_t)u * graph->n;

		for (uint32_t i = graph->first[u]; i < graph->first[u + 1]; i++) {
			const uint32_t v = graph->neighbour[i];

			for (uint32_t k = graph->first[v]; k < graph->first[v + 1]; k++)
				if (row[graph->neighbour[k]] < MOST)
					row[graph->neighbour[k]]++;
		}
		for (uint32_t i = graph->first[u]; i < graph->first[u + 1]; i++)
			row[graph->neighbour[i]] |= LINKED;
	}
	return common;
}

static bool prepare(struct search *search)
{
	const size_t n = search->fabric->n + (size_t)1, n_known = search->known->n + (size_t)1;

	search->owner = malloc(n_known * sizeof(*search->owner));
	search->known_common = count_common(search->known);
	search->common = count_common(search->fabric);
	search->n_placed = calloc(n, sizeof(*search->n_placed));
	search->n_owned = calloc(n_known, sizeof(*search->n_owned));
	search->trail = malloc(n * sizeof(*search->trail));
	if (!search->owner || !search->known_common || !search->common || !search->n_placed ||
	    !search->n_owned || !search->trail)
		return false;
	memset(search->place, 0xFF, search->fabric->n * sizeof(*search->place));
	memset(search->owner, 0xFF, search->known->n * sizeof(*search->owner));
	return true;
}

/*
 * A wrong choice at the beginning may take long to show, and a lucky one takes no search at all: so
 * the first attempts have little work, and each begins with other vertices. Whether one succeeds.
 */
static bool attempt_all(struct search *search)
{
	const uint64_t degree = search->known->max_degree;
	const uint64_t enough = (UINT64_C(1) << 16) + 4 * search->known->n * degree * degree;

	for (; search->attempt < ATTEMPTS && search->work < WORK; search->attempt++) {
		search->most_work = search->work + (enough << search->attempt / 4);
		if (extend(search))
			return true;
		if (search->work < search->most_work)
			return false;
	}
	return false;
}

int hd_embed(const struct hd_switch_graph *fabric, const struct hd_switch_graph *known,
	     uint32_t most_missing, uint32_t *place, struct hd_error *err)
{
	struct search search = {
		.fabric = fabric,
		.known = known,
		.place = place,
		.most_missing = most_missing,
	};
	int ret = prepare(&search) ? 0 : hd_error_nomem(err);

	if (!ret && !attempt_all(&search))
		ret = hd_error_set(err, HD_EREFUSED,
				   search.work < search.most_work
					   ? "links fit nowhere"
					   : "the search for places was given up");
	free(search.owner);
	free(search.known_common);
	free(search.common);
	free(search.n_placed);
	free(search.n_owned);
	free(search.trail);
	return ret;
}
