// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "plan/usual.h"

#include <stdlib.h>

#include "support/error.h"

#define MORE_THAN_LESS 4 /* an exchange may leave one pair with less and three with more */

static uint64_t pair_of(uint32_t one, uint32_t other)
{
	return one < other ? (uint64_t)one << 32 | other : (uint64_t)other << 32 | one;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct hd_linked_pair *x = a, *y = b;

	return x->pair < y->pair ? -1 : x->pair > y->pair;
}

static int compare_numbers(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * The number of cables that four fifths of the pairs have, which is their median; 0: there is none.
 */
static int find_usual(struct hd_usual *usual)
{
	uint32_t *numbers = malloc((usual->n_pairs + (size_t)1) * sizeof(*numbers));
	uint32_t n_same = 0;

	if (!numbers)
		return HD_ENOMEM;
	for (uint32_t i = 0; i < usual->n_pairs; i++)
		numbers[i] = usual->pairs[i].n;
	qsort(numbers, usual->n_pairs, sizeof(*numbers), compare_numbers);
	for (uint32_t i = 0; i < usual->n_pairs; i++)
		n_same += numbers[i] == numbers[usual->n_pairs / 2];
	if (usual->n_pairs && 5 * (uint64_t)n_same >= 4 * (uint64_t)usual->n_pairs)
		usual->n = numbers[usual->n_pairs / 2];
	free(numbers);
	return 0;
}

/*
 * Makes one entry of those of the same pair, and finds what is usual. @n_all: how many pairs there
 * could be, linked or not; 0: none may have more than is usual.
 */
static int count(struct hd_usual *usual, uint64_t n_all)
{
	uint64_t n_more = 0, n_less = 0;
	uint32_t n = 0;

	qsort(usual->pairs, usual->n_pairs, sizeof(*usual->pairs), compare_pairs);
	for (uint32_t i = 0; i < usual->n_pairs; i++) {
		if (n && usual->pairs[n - 1].pair == usual->pairs[i].pair)
			usual->pairs[n - 1].n++;
		else
			usual->pairs[n++] = usual->pairs[i];
	}
	usual->n_pairs = n;
	if (find_usual(usual))
		return HD_ENOMEM;
	for (uint32_t i = 0; i < n; i++) {
		n_more += usual->pairs[i].n > usual->n;
		n_less += usual->pairs[i].n < usual->n;
	}
	if (n_all > n)
		n_less += n_all - n;
	usual->may_exceed = n_all && n_more > MORE_THAN_LESS * n_less + 2;
	return 0;
}

/* @joined: cables between groups, which this plan has; NULL: those within groups. */
static int list(const struct hd_fabric *now, const uint32_t *group,
		const struct hd_cable_plan *joined, uint64_t n_all, struct hd_usual *usual)
{
	*usual = (struct hd_usual){
		.pairs = malloc((now->n_links + (size_t)1) * sizeof(*usual->pairs)),
	};
	if (!usual->pairs)
		return HD_ENOMEM;
	hd_for_each_port(p, now) {
		uint32_t here = now->ports[p].node, peer = now->ports[p].peer, there;

		if (!hd_is_switch_link(now, p) || peer < p)
			continue;
		there = now->ports[peer].node;
		if (joined ? !hd_cable_plan_may_join(joined, here, there)
			   : group[here] != group[there])
			continue;
		usual->pairs[usual->n_pairs++] = (struct hd_linked_pair){
			joined ? pair_of(group[here], group[there]) : pair_of(here, there), 1
		};
	}
	return count(usual, n_all);
}

int hd_usual_within(const struct hd_fabric *now, const uint32_t *group, struct hd_usual *usual)
{
	return list(now, group, NULL, 0, usual);
}

int hd_usual_between(const struct hd_fabric *now, const struct hd_cable_plan *plan,
		     struct hd_usual *usual)
{
	const uint64_t n = plan->n_groups;

	return list(now, plan->group, plan, n * (n - 1) / 2, usual);
}

void hd_usual_clear(struct hd_usual *usual)
{
	free(usual->pairs);
}

uint32_t hd_usual_cables(const struct hd_usual *usual, uint32_t one, uint32_t other)
{
	struct hd_linked_pair key = { .pair = pair_of(one, other) }, *found;

	if (usual->n && !usual->may_exceed)
		return usual->n;
	found = bsearch(&key, usual->pairs, usual->n_pairs, sizeof(key), compare_pairs);
	if (!found)
		return usual->n ? usual->n : 1;
	return found->n > usual->n ? found->n : usual->n;
}

int hd_cable_plan_add(struct hd_cable_plan *plan, uint32_t one, uint32_t other, uint32_t n)
{
	if (one == HD_NONE || other == HD_NONE)
		return 0;
	for (uint32_t i = 0; i < n; i++) {
		/* grows at powers of two */
		if ((plan->n_cables & (plan->n_cables - 1)) == 0) {
			size_t room = plan->n_cables ? 2 * (size_t)plan->n_cables : 1;
			struct hd_cable *grown =
				realloc(plan->cables, room * sizeof(*plan->cables));

			if (!grown)
				return HD_ENOMEM;
			plan->cables = grown;
		}
		plan->cables[plan->n_cables++] = (struct hd_cable){ .node = { one, other } };
	}
	return 0;
}

int hd_cable_plan_add_all(struct hd_cable_plan *plan, const struct hd_usual *usual)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < usual->n_pairs; i++)
		ret = hd_cable_plan_add(plan, (uint32_t)(usual->pairs[i].pair >> 32),
					(uint32_t)usual->pairs[i].pair, usual->pairs[i].n);
	return ret;
}
