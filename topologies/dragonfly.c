// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * Dragonfly (Kim, Dally, Scott, Abts, 2008): groups of a switches; every switch has p hosts, local
 * links within the group and h global links to other groups. Ports of every switch, in this order:
 * 1 .. p hosts, local ports, h global ports.
 *
 * A group has a * h global ports, j = switch * h + port. With g = a * h + 1 groups, each pair is
 * linked once and the arrangement says which port goes where; with fewer, pairs are linked several
 * times (trunks). See docs/topologies.md.
 */
#include "topologies/topology.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "support/options.h"
#include "support/random.h"
#include "support/text.h"
#include "topologies/shape.h"

enum arrangement {
	PALM_TREE,
	CONSECUTIVE,
	RANDOM,
};

enum local_shape {
	FULL,
	HYPERX,
	MESH,
	RING,
};

struct dragonfly_shape {
	uint32_t a, p, h, g;
	enum arrangement arrangement;
	uint64_t seed;
	enum local_shape local;
	uint32_t width, height; /* of a HyperX or mesh group */
	uint32_t n_local;       /* local ports of a switch */
};

static const struct hd_option options[] = {
	{ "a", NULL, "switches", "switches of a group (default 2h, balanced)" },
	{ "p", NULL, "hosts", "hosts of a switch (default h, balanced)" },
	{ "h", "2", "links", "global links of a switch" },
	{ "g", NULL, "groups",
	  "groups, at most a*h + 1 (the default); fewer make trunked global links" },
	{ "global", "palmtree", "",
	  "global arrangement: palmtree, consecutive, random or random(SEED)" },
	{ "local", "full", "",
	  "links of a group: full, hyperx:WxH or mesh:WxH (W*H = a), or ring" },
	{ 0 },
};

static int parse_arrangement(const char *text, struct dragonfly_shape *shape, struct hd_error *err)
{
	static const char *const names[] = { "palmtree", "consecutive", "random" };
	const char *at = text, *end = text + strlen(text);

	shape->seed = 1;
	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strcmp(text, names[i]) == 0) {
			shape->arrangement = (enum arrangement)i;
			return 0;
		}
	shape->arrangement = RANDOM;
	if (hd_scan_word(&at, end, "random(") &&
	    hd_scan_number(&at, end, 10, UINT64_MAX, &shape->seed) && strcmp(at, ")") == 0)
		return 0;
	return hd_error_set(err, HD_EINVAL,
			    "global: '%s' is not palmtree, consecutive, random or random(SEED)",
			    text);
}

/* Ports that a mesh takes along a dimension of @size. */
static uint32_t mesh_ports(uint32_t size)
{
	return size < 3 ? size - 1 : 2;
}

static int parse_local(const char *text, struct dragonfly_shape *shape, struct hd_error *err)
{
	const char *at = text, *end = text + strlen(text);
	uint32_t sizes[HD_MAX_DIMENSIONS];
	unsigned n_sizes;
	bool is_mesh;
	int ret;

	if (strcmp(text, "full") == 0) {
		shape->local = FULL;
		shape->n_local = shape->a - 1;
		return 0;
	}
	if (strcmp(text, "ring") == 0) {
		shape->local = RING;
		shape->n_local = shape->a < 3 ? shape->a - 1 : 2;
		return 0;
	}
	is_mesh = hd_scan_word(&at, end, "mesh:");
	if (!is_mesh && !hd_scan_word(&at, end, "hyperx:"))
		return hd_error_set(err, HD_EINVAL,
				    "local: '%s' is not full, hyperx:WxH, mesh:WxH or ring", text);
	ret = hd_shape_parse_sizes(at, "local", 1, HD_MAX_LID, sizes, &n_sizes, err);
	if (ret)
		return ret;
	if (n_sizes != 2 || (uint64_t)sizes[0] * sizes[1] != shape->a)
		return hd_error_set(err, HD_EINVAL, "local: '%s' is not %s:WxH with W*H = a = %u",
				    text, is_mesh ? "mesh" : "hyperx", (unsigned)shape->a);
	shape->local = is_mesh ? MESH : HYPERX;
	shape->width = sizes[0];
	shape->height = sizes[1];
	shape->n_local = is_mesh ? mesh_ports(shape->width) + mesh_ports(shape->height)
				 : shape->width - 1 + shape->height - 1;
	return 0;
}

static int parse(const struct hd_params *params, struct dragonfly_shape *shape,
		 struct hd_error *err)
{
	uint64_t top;
	int ret = hd_shape_number(params, "h", 0, HD_MAX_PORTS, &shape->h, err);

	shape->a = shape->h ? 2 * shape->h : 1;
	shape->p = shape->h;
	if (!ret && hd_params_is_set(params, "a"))
		ret = hd_shape_number(params, "a", 1, HD_MAX_LID, &shape->a, err);
	if (!ret && hd_params_is_set(params, "p"))
		ret = hd_shape_number(params, "p", 0, HD_MAX_PORTS, &shape->p, err);
	if (ret)
		return ret;
	top = (uint64_t)shape->a * shape->h + 1;
	shape->g = (uint32_t)top;
	if (hd_params_is_set(params, "g"))
		ret = hd_shape_number(params, "g", 1, UINT32_MAX, &shape->g, err);
	if (!ret && shape->g > top)
		ret = hd_error_set(err, HD_ERANGE,
				   "g=%u groups, but a*h + 1 = %u*%u + 1 = %" PRIu64
				   " is the most that can be linked to one another",
				   (unsigned)shape->g, (unsigned)shape->a, (unsigned)shape->h, top);
	if (!ret)
		ret = parse_arrangement(hd_params_get(params, "global"), shape, err);
	if (!ret)
		ret = parse_local(hd_params_get(params, "local"), shape, err);
	return ret;
}

/* The local port, from 0, of switch @s of a fully connected set towards @t. */
static uint32_t towards(uint32_t s, uint32_t t)
{
	return t < s ? t : t - 1;
}

static void link_local(struct hd_shape *out, const struct dragonfly_shape *shape, uint32_t group,
		       uint32_t s, uint32_t t, uint32_t port, uint32_t peer_port)
{
	uint32_t base = group * shape->a;

	hd_shape_link(out, base + s, shape->p + 1 + port, base + t, shape->p + 1 + peer_port);
}

/*
 * Links along each dimension: port 0 to the next switch and port 1 from the previous one; of two
 * switches, one port.
 */
static void link_mesh(struct hd_shape *out, const struct dragonfly_shape *shape, uint32_t group,
		      uint32_t s)
{
	const uint32_t w = shape->width, across = mesh_ports(w);

	if (s % w + 1 < w)
		link_local(out, shape, group, s, s + 1, 0, across - 1);
	if (s + w < shape->a)
		link_local(out, shape, group, s, s + w, across,
			   across + mesh_ports(shape->height) - 1);
}

static void link_group(struct hd_shape *out, const struct dragonfly_shape *shape, uint32_t group)
{
	uint32_t a = shape->a, w = shape->width;

	for (uint32_t s = 0; s < a; s++) {
		switch (shape->local) {
		case FULL:
			for (uint32_t t = s + 1; t < a; t++)
				link_local(out, shape, group, s, t, towards(s, t), towards(t, s));
			break;
		case RING: /* port 0 to the next switch, port 1 from the previous one; of two
			      switches, one link */
			if (s + 1 < a)
				link_local(out, shape, group, s, s + 1, 0, a == 2 ? 0 : 1);
			else if (a > 2)
				link_local(out, shape, group, s, 0, 0, 1);
			break;
		case MESH: /* the row first, then the column */
			link_mesh(out, shape, group, s);
			break;
		case HYPERX: /* the row first, then the column */
			for (uint32_t x = s % w + 1; x < w; x++)
				link_local(out, shape, group, s, s / w * w + x, towards(s % w, x),
					   towards(x, s % w));
			for (uint32_t y = s / w + 1; y < shape->height; y++)
				link_local(out, shape, group, s, y * w + s % w,
					   w - 1 + towards(s / w, y), w - 1 + towards(y, s / w));
			break;
		}
	}
}

/* What the global links of all groups are made from. */
struct trunks {
	const struct dragonfly_shape *shape;
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
static uint32_t other_group(const struct dragonfly_shape *shape, uint32_t group, uint32_t n)
{
	if (shape->arrangement == PALM_TREE)
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
	const struct dragonfly_shape *shape = trunks->shape;
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
	if (shape->arrangement != RANDOM)
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
	const struct dragonfly_shape *shape = trunks->shape;
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
	const struct dragonfly_shape *shape = trunks->shape;
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

static void link_global(struct hd_shape *out, const struct dragonfly_shape *shape, uint32_t group,
			uint32_t j, uint32_t peer_group, uint32_t peer_j)
{
	uint32_t first = shape->p + shape->n_local + 1;

	hd_shape_link(out, group * shape->a + j / shape->h, first + j % shape->h,
		      peer_group * shape->a + peer_j / shape->h, first + peer_j % shape->h);
}

/*
 * Links two groups by @n links, from ports @mine to ports @theirs in the order of sort_ports(): the
 * first port of every switch in mirrored order, as in the palm tree; the second turned by one
 * switch, so that two switches have several links in common only where there is no other way.
 */
static void link_pair(struct hd_shape *out, const struct trunks *trunks, uint32_t group,
		      const uint32_t *mine, uint32_t peer, const uint32_t *theirs, uint32_t n)
{
	uint32_t a = trunks->shape->a;

	for (uint32_t t = 0; t < n; t++) {
		uint32_t round = t / a, begin = round * a;
		uint32_t size = n - begin < a ? n - begin : a;
		uint32_t mirrored = (size - 1 - (t - begin) + round) % size;

		link_global(out, trunks->shape, group, mine[t], peer, theirs[begin + mirrored]);
	}
}

static void link_groups(struct hd_shape *out, const struct trunks *trunks)
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
			link_pair(out, trunks, i, mine, k, theirs, n);
			trunks->cursor[i] += n;
			trunks->cursor[k] += n;
		}
	}
}

static int build_global_links(struct hd_shape *out, const struct dragonfly_shape *shape,
			      struct hd_error *err)
{
	uint32_t n_slots = shape->a * shape->h, g = shape->g;
	struct trunks trunks = {
		.shape = shape,
		.n_slots = n_slots,
		.rest = n_slots % (g - 1),
		.relabel = malloc(g * sizeof(uint32_t)),
		.target = malloc((size_t)g * n_slots * sizeof(uint32_t)),
		.sorted = malloc((size_t)g * n_slots * sizeof(uint32_t)),
		.count = malloc((size_t)shape->a * (g + (size_t)1) * sizeof(uint32_t)),
		.keys = malloc(n_slots * sizeof(uint64_t)),
		.cursor = malloc(g * sizeof(uint32_t)),
	};
	int ret = 0;

	if (trunks.relabel && trunks.target && trunks.sorted && trunks.count && trunks.keys &&
	    trunks.cursor) {
		struct hd_random random;

		hd_random_init(&random, shape->seed, 0);
		for (uint32_t i = 0; i < g; i++)
			trunks.relabel[i] = i;
		if (shape->arrangement == RANDOM)
			hd_random_permutation(&random, g, trunks.relabel);
		for (uint32_t i = 0; i < g; i++) {
			lay_links(&trunks, i, &random);
			if (n_slots > g - 1)
				spread_over_switches(&trunks, i);
			sort_ports(&trunks, i);
		}
		link_groups(out, &trunks);
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

static int build(const struct hd_params *params, struct hd_fabric **fabric, struct hd_error *err)
{
	struct dragonfly_shape shape = { 0 };
	struct hd_shape out;
	uint64_t n_switches, ports;
	int ret = parse(params, &shape, err);

	if (ret)
		return ret;
	n_switches = (uint64_t)shape.a * shape.g;
	ports = (uint64_t)shape.p + shape.n_local + shape.h;
	ret = hd_shape_begin(&out, n_switches, n_switches * shape.p, ports, err);
	if (ret)
		return ret;
	for (uint32_t group = 0; group < shape.g; group++)
		for (uint32_t s = 0; s < shape.a; s++)
			hd_shape_add_switch(&out, (unsigned)ports, "G%0*uS%0*u",
					    hd_shape_digits(shape.g), (unsigned)group,
					    hd_shape_digits(shape.a), (unsigned)s);
	for (uint32_t i = 0; i < n_switches; i++)
		for (uint32_t port = 1; port <= shape.p; port++)
			hd_shape_add_host(&out, i, port);
	for (uint32_t group = 0; group < shape.g; group++)
		link_group(&out, &shape, group);
	if (shape.g > 1 && !out.ret)
		out.ret = build_global_links(&out, &shape, err);
	return hd_shape_finish(&out, fabric);
}

const struct hd_topology hd_topology_dragonfly = {
	.policy.name = "dragonfly",
	.policy.summary = "groups of switches, every pair of groups linked",
	.example = "dragonfly:a=4,p=2,h=2",
	.policy.options = options,
	.build = build,
};
