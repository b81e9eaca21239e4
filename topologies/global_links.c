// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "topologies/global_links.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/options.h"
#include "support/random.h"
#include "support/text.h"
#include "fabric/fabric.h"

static int parse_arrangement(const char *text, struct hd_global_links *links, struct hd_error *err)
{
	static const char *const names[] = { "palmtree", "consecutive", "random" };
	const char *at = text, *end = text + strlen(text);

	links->seed = 1;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(text, names[i]) == 0) {
			links->arrangement = (enum hd_arrangement)i;
			return 0;
		}
	links->arrangement = HD_RANDOM;
	if (hd_scan_word(&at, end, "random(") &&
	    hd_scan_number(&at, end, 10, UINT64_MAX, &links->seed) && strcmp(at, ")") == 0)
		return 0;
	return hd_error_set(err, HD_EINVAL,
			    "global: '%s' is not palmtree, consecutive, random or random(SEED)",
			    text);
}

int hd_global_links_parse(const struct hd_params *params, uint32_t a, uint32_t h, uint32_t g,
			  struct hd_global_links *links, struct hd_error *err)
{
	*links = (struct hd_global_links){ .a = a, .h = h, .g = g };
	return parse_arrangement(hd_params_get(params, "global"), links, err);
}

/* What the global links of all groups are made from. */
struct trunks {
	const struct hd_global_links *shape;
	hd_global_link *link;
	void *context;
	uint32_t n_slots;  /* global ports of a group, a * h */
	uint32_t rest;     /* links of a group beyond the number that it has to every other group */
	uint32_t *relabel; /* [group] renames groups, so that a random arrangement gives random
			      pairs extra links */
	uint32_t *target;  /* [group * n_slots + j] the group that port j goes to, or HD_NONE */
	uint32_t *sorted;  /* [group * n_slots + n] ports j by target */
	uint32_t *count;   /* [switch * (g + 1) + target] of one group */
	uint64_t *keys;    /* [j] of one group, for sorting */
	uint32_t *cursor;  /* [group] in sorted */
};

/* The n-th other group (from 0) in the order of the arrangement. */
static uint32_t other_group(const struct hd_global_links *shape, uint32_t group, uint32_t n)
{
	if (shape->arrangement == HD_PALM_TREE)
		return (uint32_t)(((uint64_t)group + shape->g - n - 1) % shape->g);
	return n < group ? n : n + 1;
}

/*
 * Whether the pair has one link more than other pairs. The pairs that have one form a graph in
 * which every group has degree `rest`: a circulant, completed for odd `rest` by the opposite groups
 * (g even) or by every other edge of the Hamiltonian cycle of steps (g - 1) / 2 (g odd; one group
 * gets none).
 */
static bool has_extra_link(const struct trunks *trunks, uint32_t group, uint32_t other)
{
	uint32_t g = trunks->shape->g, rest = trunks->rest;
	uint32_t i = trunks->relabel[group], k = trunks->relabel[other];
	uint32_t step = i < k ? k - i : k + g - i;
	uint32_t distance = step < g - step ? step : g - step;
	uint32_t t;

	if (distance <= rest / 2)
		return true;
	if (rest % 2 == 0 || distance != g / 2)
		return false;
	if (g % 2 == 0)
		return true;
	/* i is vertex t of the cycle: i = t * (g - 1) / 2 modulo g, whose inverse is -2 */
	if (step != distance)
		i = k;
	t = (uint32_t)((2 * (uint64_t)(g - i)) % g);
	return t % 2 == 0 && t != g - 1;
}

/* Lays the links of a group on its ports: round after round over all other groups. */
static void lay_links(const struct trunks *trunks, uint32_t group, struct hd_random *random)
{
	const struct hd_global_links *shape = trunks->shape;
	uint32_t *target = trunks->target + (size_t)group * trunks->n_slots;
	uint32_t others = shape->g - 1, j = 0;

	for (; j < trunks->n_slots - trunks->rest; j++)
		target[j] = other_group(shape, group, j % others);
	for (uint32_t n = 0; n < others && trunks->rest; n++) {
		uint32_t other = other_group(shape, group, n);

		if (has_extra_link(trunks, group, other))
			target[j++] = other;
	}
	for (; j < trunks->n_slots; j++)
		target[j] = HD_NONE;
	if (shape->arrangement != HD_RANDOM)
		return;
	for (j = trunks->n_slots; j > 1; j--) {
		uint32_t k = hd_random_below(random, j), kept = target[j - 1];

		target[j - 1] = target[k];
		target[k] = kept;
	}
}

/*
 * Moves one link to @t from switch @from to switch @to, which has at least two fewer, in exchange
 * for a link to a group to which @to has more. There is such a link, since both have equally many
 * ports.
 */
static void exchange(const struct trunks *trunks, uint32_t *target, uint32_t t, uint32_t from,
		     uint32_t to)
{
	uint32_t h = trunks->shape->h, stride = trunks->shape->g + 1;
	uint32_t *mine = trunks->count + (size_t)from * stride;
	uint32_t *theirs = trunks->count + (size_t)to * stride;
	uint32_t j = from * h, k = to * h;
	uint32_t other;

	while (target[j] != t)
		j++;
	for (;; k++) {
		other = target[k] == HD_NONE ? stride - 1 : target[k];
		if (mine[other] < theirs[other])
			break;
	}
	target[j] = target[k];
	target[k] = t;
	mine[t]--, theirs[t]++;
	mine[other]++, theirs[other]--;
}

/*
 * Spreads a group's links to each other group over its switches as evenly as can be. Every exchange
 * lowers the sum of the squares of the counts, so this ends.
 */
static void spread_over_switches(const struct trunks *trunks, uint32_t group)
{
	const struct hd_global_links *shape = trunks->shape;
	uint32_t *target = trunks->target + (size_t)group * trunks->n_slots;
	uint32_t stride = shape->g + 1;
	uint32_t *count = trunks->count;
	bool changed;

	memset(count, 0, (size_t)shape->a * stride * sizeof(*count));
	for (uint32_t j = 0; j < trunks->n_slots; j++)
		count[(size_t)(j / shape->h) * stride +
		      (target[j] == HD_NONE ? shape->g : target[j])]++;
	do {
		changed = false;
		for (uint32_t t = 0; t < shape->g; t++) {
			uint32_t most = 0, fewest = 0;

			for (uint32_t s = 1; s < shape->a; s++) {
				if (count[s * stride + t] > count[most * stride + t])
					most = s;
				if (count[s * stride + t] < count[fewest * stride + t])
					fewest = s;
			}
			if (count[most * stride + t] - count[fewest * stride + t] >= 2) {
				exchange(trunks, target, t, most, fewest);
				changed = true;
			}
		}
	} while (changed);
}

static int compare_keys(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/*
 * Sorts a group's ports by target, and the ports to one target so that the first of every switch
 * come first, then the second of every switch, and so on. Ports without a link come last.
 */
static void sort_ports(const struct trunks *trunks, uint32_t group)
{
	const struct hd_global_links *shape = trunks->shape;
	const uint32_t *target = trunks->target + (size_t)group * trunks->n_slots;
	uint32_t *sorted = trunks->sorted + (size_t)group * trunks->n_slots;
	uint32_t stride = shape->g + 1;

	memset(trunks->count, 0, (size_t)shape->a * stride * sizeof(*trunks->count));
	for (uint32_t j = 0; j < trunks->n_slots; j++) {
		uint64_t t = target[j] == HD_NONE ? shape->g : target[j];
		uint64_t occurrence = trunks->count[j / shape->h * (size_t)stride + t]++;

		/* at most 49,151 groups, 254 links of a switch, 49,151 x 254 ports */
		trunks->keys[j] = t << 40 | occurrence << 32 | j;
	}
	qsort(trunks->keys, trunks->n_slots, sizeof(*trunks->keys), compare_keys);
	for (uint32_t j = 0; j < trunks->n_slots; j++)
		sorted[j] = (uint32_t)trunks->keys[j];
}

/*
 * Links two groups by @n links, from ports @mine to ports @theirs in the order of sort_ports(): the
 * first port of every switch in mirrored order, as in the palm tree; the second turned by one
 * switch, so that two switches have several links in common only where there is no other way.
 */
static void link_pair(const struct trunks *trunks, uint32_t group, const uint32_t *mine,
		      uint32_t peer, const uint32_t *theirs, uint32_t n)
{
	uint32_t a = trunks->shape->a;

	for (uint32_t t = 0; t < n; t++) {
		uint32_t round = t / a, begin = round * a;
		uint32_t size = n - begin < a ? n - begin : a;
		uint32_t mirrored = (size - 1 - (t - begin) + round) % size;

		trunks->link(trunks->context, group, mine[t], peer, theirs[begin + mirrored]);
	}
}

static void link_groups(const struct trunks *trunks)
{
	uint32_t g = trunks->shape->g, n_slots = trunks->n_slots;

	/* Both lists of a pair come by ascending target, so a cursor per group finds them. */
	memset(trunks->cursor, 0, g * sizeof(*trunks->cursor));
	for (uint32_t i = 0; i < g; i++) {
		const uint32_t *target = trunks->target + (size_t)i * n_slots;
		const uint32_t *sorted = trunks->sorted + (size_t)i * n_slots;

		for (uint32_t k = i + 1; k < g; k++) {
			const uint32_t *mine = sorted + trunks->cursor[i];
			const uint32_t *theirs =
				trunks->sorted + (size_t)k * n_slots + trunks->cursor[k];
			uint32_t n = 0;

			while (trunks->cursor[i] + n < n_slots && target[mine[n]] == k)
				n++;
			link_pair(trunks, i, mine, k, theirs, n);
			trunks->cursor[i] += n;
			trunks->cursor[k] += n;
		}
	}
}

int hd_global_links_lay(const struct hd_global_links *shape, hd_global_link *link, void *context,
			struct hd_error *err)
{
	const uint32_t n_slots = shape->a * shape->h, g = shape->g;
	struct trunks trunks;
	int ret = 0;

	if (g < 2)
		return 0;
	trunks = (struct trunks){
		.shape = shape,
		.link = link,
		.context = context,
		.n_slots = n_slots,
		.rest = n_slots % (g - 1),
		.relabel = malloc(g * sizeof(uint32_t)),
		.target = malloc((size_t)g * n_slots * sizeof(uint32_t)),
		.sorted = malloc((size_t)g * n_slots * sizeof(uint32_t)),
		.count = malloc((size_t)shape->a * (g + (size_t)1) * sizeof(uint32_t)),
		.keys = malloc(n_slots * sizeof(uint64_t)),
		.cursor = malloc(g * sizeof(uint32_t)),
	};
	if (trunks.relabel && trunks.target && trunks.sorted && trunks.count && trunks.keys &&
	    trunks.cursor) {
		struct hd_random random;

		hd_random_init(&random, shape->seed, 0);
		for (uint32_t i = 0; i < g; i++)
			trunks.relabel[i] = i;
		if (shape->arrangement == HD_RANDOM)
			hd_random_permutation(&random, g, trunks.relabel);
		for (uint32_t i = 0; i < g; i++) {
			lay_links(&trunks, i, &random);
			if (n_slots > g - 1)
				spread_over_switches(&trunks, i);
			sort_ports(&trunks, i);
		}
		link_groups(&trunks);
	} else {
		ret = hd_error_nomem(err);
	}
	free(trunks.relabel);
	free(trunks.target);
	free(trunks.sorted);
	free(trunks.count);
	free(trunks.keys);
	free(trunks.cursor);
	return ret;
}
