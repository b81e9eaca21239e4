// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/anchor.h"

#include <stdlib.h>

#include "plan/grow.h"
#include "support/error.h"

#define MOST_ANCHORS 8      /* switches of the plan that are tried for a part */
#define MOST_PARTS   64     /* connected parts that are sought one by one */
#define WORK         300000 /* switches matched in each round of tries */
#define GOOD         0.9    /* of the cables of a part: no other switch need be tried */
#define LEAST        0.5    /* a part of which fewer cables agree is another one */
#define STILL        0.95   /* of the best share: a try goes on */
#define FIRST_REACH  32

/* Switches of both sides by what their ports lead to. */
struct colours {
	uint64_t *plan, *now; /* [switch] */
};

/* A switch of the fabric on which one of the plan is tried. */
struct candidate {
	uint32_t present;
	double share; /* of the cables that agree */
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash = (hash ^ value) * UINT64_C(0xD6E8FEB86659FD93);
	return hash ^ hash >> 32;
}

/* The colour follows from each port: what it leads to, and to which port there. */
static uint64_t colour_of(const struct hd_fabric *fabric, uint32_t s)
{
	uint64_t colour = 1;

	hd_for_each_number(number, fabric, s) {
		uint32_t peer = fabric->ports[hd_port_index(fabric, s, number)].peer;

		if (peer == HD_NONE)
			continue;
		colour = mix(colour, number);
		colour = mix(colour, hd_is_switch(fabric, fabric->ports[peer].node)
					     ? fabric->ports[peer].number
					     : 0);
	}
	return colour;
}

static int colour(const struct hd_plan_match *match, struct colours *colours)
{
	colours->plan = malloc((match->plan->n_switches + (size_t)1) * sizeof(uint64_t));
	colours->now = malloc((match->now->n_switches + (size_t)1) * sizeof(uint64_t));
	if (!colours->plan || !colours->now)
		return HD_ENOMEM;
	hd_for_each_switch(s, match->plan)
		colours->plan[s] = colour_of(match->plan, s);
	hd_for_each_switch(s, match->now)
		colours->now[s] = colour_of(match->now, s);
	return 0;
}

/* A switch of the plan to try, and how many switches of the fabric have its colour. */
struct anchor {
	uint32_t planned, n_present;
};

static int compare_numbers(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static int compare_anchors(const void *a, const void *b)
{
	const struct anchor *x = a, *y = b;

	if (x->n_present != y->n_present)
		return x->n_present < y->n_present ? -1 : 1;
	return x->planned < y->planned ? -1 : x->planned > y->planned;
}

/* How many of the sorted @list are @value. */
static uint32_t count_in(const uint64_t *list, uint32_t n, uint64_t value)
{
	uint32_t low = 0, high = n, count = 0;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (list[middle] < value)
			low = middle + 1;
		else
			high = middle;
	}
	while (low + count < n && list[low + count] == value)
		count++;
	return count;
}

/* Unmatched switches of the plan, those first whose colour the fewest of the fabric have. */
static int list_anchors(const struct hd_plan_match *match, const struct colours *colours,
			struct anchor **anchors, uint32_t *n)
{
	uint64_t *present = malloc((match->now->n_switches + (size_t)1) * sizeof(*present));
	uint32_t n_present = 0;

	*n = 0;
	*anchors = malloc((match->plan->n_switches + (size_t)1) * sizeof(**anchors));
	if (!present || !*anchors) {
		free(present);
		return HD_ENOMEM;
	}
	hd_for_each_switch(s, match->now)
		if (match->to_plan[s] == HD_NONE)
			present[n_present++] = colours->now[s];
	qsort(present, n_present, sizeof(*present), compare_numbers);
	hd_for_each_switch(s, match->plan) {
		uint32_t count = match->to_now[s] == HD_NONE
					 ? count_in(present, n_present, colours->plan[s])
					 : 0;

		if (count)
			(*anchors)[(*n)++] = (struct anchor){ s, count };
	}
	qsort(*anchors, *n, sizeof(**anchors), compare_anchors);
	free(present);
	return 0;
}

static double share_of(const struct hd_grow *grow)
{
	uint64_t all = grow->n_agreed + grow->n_against;

	return all ? (double)grow->n_agreed / (double)all : 0;
}

/* Tries each candidate for @reach switches; the best share. */
static int try_all(struct hd_grow *grow, uint32_t planned, struct candidate *candidates, uint32_t n,
		   uint32_t reach, double *best)
{
	int ret = 0;

	*best = 0;
	for (uint32_t i = 0; !ret && i < n; i++) {
		ret = hd_grow_run(grow, planned, candidates[i].present, reach);
		/* a try that ends early for want of votes has not reached as far as others */
		candidates[i].share = share_of(grow) * grow->n_grown / reach;
		if (candidates[i].share > *best)
			*best = candidates[i].share;
		hd_grow_undo(grow);
	}
	return ret;
}

/* Those that are nearly as good as the best. */
static uint32_t keep_best(struct candidate *candidates, uint32_t n, double best)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < n; i++)
		if (candidates[i].share >= best * STILL)
			candidates[kept++] = candidates[i];
	return kept;
}

static uint32_t first_best(const struct candidate *candidates, uint32_t n)
{
	uint32_t best = 0;

	for (uint32_t i = 1; i < n; i++)
		if (candidates[i].share > candidates[best].share)
			best = i;
	return candidates[best].present;
}

/* The switch of the fabric that is most likely @planned. */
static int find_present(struct hd_grow *grow, uint32_t planned, struct candidate *candidates,
			uint32_t n, uint32_t *present)
{
	uint32_t whole = grow->match->plan->n_switches, reach = FIRST_REACH;
	double best;

	for (;;) {
		uint32_t wider = WORK / n > reach ? WORK / n : reach;

		reach = wider < whole ? wider : whole;
		if (try_all(grow, planned, candidates, n, reach, &best))
			return HD_ENOMEM;
		n = keep_best(candidates, n, best);
		if (n <= 1 || reach == whole || WORK / n <= reach)
			break;
	}
	*present = first_best(candidates, n);
	return 0;
}

/* An anchor with its best partner: how well the match grows from there. The growth stays. */
static int try_anchor(struct hd_grow *grow, const struct colours *colours, uint32_t planned,
		      struct candidate *candidates, uint32_t *present, double *share)
{
	struct hd_plan_match *match = grow->match;
	uint32_t n = 0;
	int ret;

	hd_for_each_switch(s, match->now)
		if (match->to_plan[s] == HD_NONE && colours->now[s] == colours->plan[planned])
			candidates[n++] = (struct candidate){ s, 0 };
	ret = find_present(grow, planned, candidates, n, present);
	if (!ret)
		ret = hd_grow_run(grow, planned, *present, UINT32_MAX);
	*share = share_of(grow);
	/* a part of one switch has nothing that could disagree */
	if (grow->n_grown == 1 && !grow->n_against)
		*share = LEAST;
	return ret;
}

/* Matches one part more; @grows: there was one. */
static int match_part(struct hd_grow *grow, const struct colours *colours,
		      struct candidate *candidates, bool *grows)
{
	uint32_t n, planned = HD_NONE, present = HD_NONE;
	struct anchor *anchors = NULL;
	double best = 0;
	int ret = list_anchors(grow->match, colours, &anchors, &n);

	*grows = false;
	for (uint32_t i = 0; !ret && i < n && i < MOST_ANCHORS && best < GOOD; i++) {
		double share = 0;
		uint32_t there = HD_NONE;

		ret = try_anchor(grow, colours, anchors[i].planned, candidates, &there, &share);
		if (!ret && share > best) {
			best = share;
			planned = anchors[i].planned;
			present = there;
		}
		if (share < GOOD)
			hd_grow_undo(grow);
	}
	free(anchors);
	if (ret || best < LEAST)
		return ret;
	if (best < GOOD)
		ret = hd_grow_run(grow, planned, present, UINT32_MAX);
	hd_grow_forget(grow);
	*grows = true;
	return ret ? ret : hd_grow_correct(grow->match);
}

/* Matches what the nodes that are matched vote for. */
static int match_neighbours(struct hd_grow *grow)
{
	int ret = 0;

	for (uint32_t n = 0; !ret && n < grow->match->plan->n_nodes; n++)
		if (grow->match->to_now[n] != HD_NONE)
			ret = hd_grow_vote(grow, n);
	if (!ret)
		ret = hd_grow_run(grow, HD_NONE, HD_NONE, UINT32_MAX);
	hd_grow_forget(grow);
	return ret ? ret : hd_grow_correct(grow->match);
}

int hd_match_neighbours(struct hd_plan_match *match, struct hd_error *err)
{
	struct hd_grow grow;
	int ret = hd_grow_begin(&grow, match, err);

	if (!ret)
		ret = match_neighbours(&grow);
	hd_grow_end(&grow);
	return ret ? hd_error_nomem(err) : 0;
}

int hd_match_structure(struct hd_plan_match *match, struct hd_error *err)
{
	struct candidate *candidates =
		malloc((match->now->n_switches + (size_t)1) * sizeof(*candidates));
	struct colours colours = { NULL, NULL };
	struct hd_grow grow;
	bool grows = true;
	int ret = hd_grow_begin(&grow, match, err);

	if (!ret && (!candidates || colour(match, &colours)))
		ret = HD_ENOMEM;
	for (unsigned part = 0; !ret && grows && part < MOST_PARTS; part++)
		ret = match_part(&grow, &colours, candidates, &grows);
	free(colours.plan);
	free(colours.now);
	free(candidates);
	hd_grow_end(&grow);
	return ret ? hd_error_nomem(err) : 0;
}
