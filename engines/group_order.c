// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Where fewer links join groups A and B than join each of them with a group C, ways through C
 * relieve those links. Such a way enters C at a switch c, which has a link to A, and B at a switch
 * d, which has one to C: a wish that c be before d. Wishes contradict one another, so half of them
 * suit an order that does not look at them. This one is made greedily, after Eades, Lin and Smyth,
 * "A fast and effective heuristic for the feedback arc set problem" (1993): the next switch is that
 * with most wishes to be before those that are left, less those to be behind them.
 *
 * A link that fails must not change the order, or far more entries would move than have to. It
 * leaves two switches with fewer links than others have; links between such switches are counted as
 * if they were there.
 */
#include "engines/group_order.h"

#include <stdlib.h>

#include "support/error.h"

#define MOST_LOST 64 /* links that are counted though they are not there */

/* A global link as one end sees it. */
struct link {
	uint32_t owner;
	uint32_t end; /* the switch behind it */
};

struct wishes {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly *dragonfly;
	struct link *unsorted;
	struct link *links; /* by the groups of owner and end */
	size_t n_links;
	uint32_t *first;  /* [group * n_groups + other, and one more] in links[] */
	uint32_t *stubs;  /* switches that lack links, once for each */
	int64_t *weight;  /* [switch] wishes to be before those that are left, less behind them */
	uint64_t *places; /* [switch] in the order without wishes */
};

/* The place in first[] of the links from group @a to group @b. */
static size_t pair_of(const struct wishes *w, uint32_t a, uint32_t b)
{
	return (size_t)a * w->dragonfly->n_groups + b;
}

static size_t pair_of_link(const struct wishes *w, const struct link *link)
{
	const uint32_t *group = w->dragonfly->group;

	return pair_of(w, group[link->owner], group[link->end]);
}

static uint32_t count_links(const struct wishes *w, uint32_t a, uint32_t b)
{
	const uint32_t *first = &w->first[pair_of(w, a, b)];

	return first[1] - first[0];
}

/* Whether fewer links join @a and @b than join each of them with @c. */
static bool is_relief(const struct wishes *w, uint32_t a, uint32_t b, uint32_t c)
{
	const uint32_t n = count_links(w, a, b);

	return a != b && count_links(w, a, c) > n && count_links(w, c, b) > n;
}

/* Adds @by to the weight of each switch that a wish has behind @c. Returns how many wishes. */
static int64_t visit_later(struct wishes *w, uint32_t c, int by)
{
	const struct hd_dragonfly *d = w->dragonfly;
	const uint32_t group = d->group[c];
	int64_t n = 0;

	for (size_t i = w->first[pair_of(w, group, 0)]; i < w->first[pair_of(w, group + 1, 0)];
	     i++) {
		if (w->links[i].owner != c)
			continue;
		for (uint32_t to = 0; to < d->n_groups; to++) {
			const uint32_t *first = &w->first[pair_of(w, group, to)];

			if (!is_relief(w, d->group[w->links[i].end], to, group))
				continue;
			for (uint32_t k = first[0]; k < first[1]; k++, n++)
				w->weight[w->links[k].end] += by;
		}
	}
	return n;
}

/* Adds @by to the weight of each switch that a wish has before @s. */
static void visit_earlier(struct wishes *w, uint32_t s, int by)
{
	const struct hd_dragonfly *d = w->dragonfly;
	const uint32_t group = d->group[s];

	for (size_t i = w->first[pair_of(w, group, 0)]; i < w->first[pair_of(w, group + 1, 0)];
	     i++) {
		const uint32_t through = d->group[w->links[i].end];

		if (w->links[i].owner != s)
			continue;
		for (uint32_t from = 0; from < d->n_groups; from++) {
			const uint32_t *first = &w->first[pair_of(w, through, from)];

			if (!is_relief(w, from, group, through))
				continue;
			for (uint32_t k = first[0]; k < first[1]; k++)
				w->weight[w->links[k].owner] += by;
		}
	}
}

static void list_links(struct wishes *w)
{
	const struct hd_dragonfly *d = w->dragonfly;

	hd_for_each_switch(s, w->fabric)
		hd_for_each_number(number, w->fabric, s)
			if (d->port_class[hd_port_index(w->fabric, s, number)] == HD_PORT_GLOBAL)
				w->unsorted[w->n_links++] = (struct link){
					.owner = s,
					.end = hd_peer_node(w->fabric, s, number),
				};
}

/* Sorts links; n_groups^2 + the number of links steps. */
static void sort_links(struct wishes *w)
{
	const size_t n_pairs = (size_t)w->dragonfly->n_groups * w->dragonfly->n_groups;

	for (size_t pair = 0; pair <= n_pairs; pair++)
		w->first[pair] = 0;
	for (size_t i = 0; i < w->n_links; i++)
		w->first[pair_of_link(w, &w->unsorted[i])]++;
	for (size_t pair = 0, n = 0; pair <= n_pairs; pair++) {
		n += w->first[pair];
		w->first[pair] = (uint32_t)n;
	}
	/* from the last one on, so that each pair ends where it begins */
	for (size_t i = w->n_links; i-- > 0;)
		w->links[--w->first[pair_of_link(w, &w->unsorted[i])]] = w->unsorted[i];
}

/*
 * Lists switches with fewer global links than others. Returns how many links they lack, 0 for many.
 */
static uint32_t list_stubs(struct wishes *w)
{
	uint32_t n = 0;

	hd_for_each_switch(s, w->fabric) {
		uint32_t has = 0;

		hd_for_each_number(number, w->fabric, s)
			has += w->dragonfly->port_class[hd_port_index(w->fabric, s, number)] ==
			       HD_PORT_GLOBAL;
		for (; has < w->dragonfly->h; has++) {
			if (n == 2 * MOST_LOST)
				return 0;
			w->stubs[n++] = s;
		}
	}
	return n;
}

/* Counts links between switches that lack some, the groups that fewest links join first. */
static void count_lost_links(struct wishes *w)
{
	const uint32_t *group = w->dragonfly->group;
	uint32_t n = list_stubs(w);

	while (n > 1) {
		const uint32_t s = w->stubs[--n];
		uint32_t best = HD_NONE;

		for (uint32_t i = 0; i < n; i++)
			if (group[w->stubs[i]] != group[s] &&
			    (best == HD_NONE ||
			     count_links(w, group[s], group[w->stubs[i]]) <
				     count_links(w, group[s], group[w->stubs[best]])))
				best = i;
		if (best == HD_NONE)
			continue;
		w->unsorted[w->n_links++] = (struct link){ .owner = s, .end = w->stubs[best] };
		w->unsorted[w->n_links++] = (struct link){ .owner = w->stubs[best], .end = s };
		w->stubs[best] = w->stubs[--n];
	}
}

/* The switch that comes next, of those without a place in @order. */
static uint32_t find_next(const struct wishes *w, const uint64_t *order)
{
	uint32_t best = HD_NONE;

	hd_for_each_switch(s, w->fabric)
		if (order[s] == UINT64_MAX &&
		    (best == HD_NONE || w->weight[s] > w->weight[best] ||
		     (w->weight[s] == w->weight[best] && w->places[s] < w->places[best])))
			best = s;
	return best;
}

/*
 * Whether fewer links than in the mean join less than two fifths of the pairs of groups. Links of
 * more of them make others busy, and little is left to gain.
 */
static bool is_scarce(const struct wishes *w)
{
	const uint32_t n_groups = w->dragonfly->n_groups;
	const uint64_t n_pairs = (uint64_t)n_groups * (n_groups - 1);
	uint64_t n = 0;

	for (uint32_t a = 0; a < n_groups; a++)
		for (uint32_t b = 0; b < n_groups; b++)
			n += a != b && count_links(w, a, b) * n_pairs < w->n_links;
	return 5 * n < 2 * n_pairs;
}

static void set_order(struct wishes *w, uint64_t *order)
{
	const struct hd_dragonfly *d = w->dragonfly;
	int64_t n = 0;

	hd_for_each_switch(s, w->fabric) {
		const int64_t n_later = visit_later(w, s, -1);

		w->places[s] = order[s] = (uint64_t)d->position[s] * d->n_groups + d->group[s];
		w->weight[s] += n_later;
		n += n_later;
	}
	if (!n || !is_scarce(w))
		return;
	hd_for_each_switch(s, w->fabric)
		order[s] = UINT64_MAX;
	for (uint32_t place = 0; place < w->fabric->n_switches; place++) {
		const uint32_t s = find_next(w, order);

		order[s] = place;
		visit_later(w, s, 1);
		visit_earlier(w, s, -1);
	}
}

static int allocate(struct wishes *w, struct hd_error *err)
{
	const size_t n_groups = w->dragonfly->n_groups, n_ports = w->fabric->n_ports + (size_t)1;
	const size_t n_links = n_ports + 2 * MOST_LOST;
	const size_t n = w->fabric->n_switches + (size_t)1;

	w->unsorted = malloc(n_links * sizeof(*w->unsorted));
	w->links = malloc(n_links * sizeof(*w->links));
	w->first = malloc((n_groups * n_groups + 1) * sizeof(*w->first));
	w->stubs = malloc(2 * MOST_LOST * sizeof(*w->stubs));
	w->weight = calloc(n, sizeof(*w->weight));
	w->places = malloc(n * sizeof(*w->places));
	if (!w->unsorted || !w->links || !w->first || !w->stubs || !w->weight || !w->places)
		return hd_error_nomem(err);
	return 0;
}

int hd_group_order(const struct hd_fabric *fabric, const struct hd_dragonfly *dragonfly,
		   uint64_t *order, struct hd_error *err)
{
	struct wishes w = { .fabric = fabric, .dragonfly = dragonfly };
	int ret = allocate(&w, err);

	if (!ret) {
		list_links(&w);
		sort_links(&w);
		count_lost_links(&w);
		sort_links(&w);
		set_order(&w, order);
	}
	free(w.unsorted);
	free(w.links);
	free(w.first);
	free(w.stubs);
	free(w.weight);
	free(w.places);
	return ret;
}
