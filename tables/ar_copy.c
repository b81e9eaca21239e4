// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/ar_copy.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static size_t least_stride(const struct hd_tables *a, const struct hd_tables *b)
{
	return a->lft_stride < b->lft_stride ? a->lft_stride : b->lft_stride;
}

/* The groups, under the same numbers, and the LFT's entries of them. */
static int copy_groups(struct hd_tables *to, uint32_t s, const struct hd_tables *from, uint32_t was)
{
	const struct hd_ar_groups *groups = &from->ar->groups[was];
	const size_t stride = least_stride(from, to);
	struct hd_ar *ar = to->ar;

	for (uint32_t i = 0; i < groups->n; i++) {
		uint16_t group;

		if (hd_ar_intern_subgroups(ar, s, &groups->subgroups[groups->first[i]],
					   groups->first[i + 1] - groups->first[i], &group))
			return HD_ENOMEM;
	}
	memcpy(ar->state + s * to->lft_stride, from->ar->state + was * from->lft_stride,
	       stride * sizeof(*ar->state));
	memcpy(ar->group + s * to->lft_stride, from->ar->group + was * from->lft_stride,
	       stride * sizeof(*ar->group));
	return 0;
}

static void copy_plfts(struct hd_tables *to, uint32_t s, const struct hd_tables *from, uint32_t was)
{
	const size_t stride = least_stride(from, to);

	for (unsigned i = 0; i + 1 < hd_ar_n_plfts(from, was); i++) {
		const struct hd_ar_lft *old = &from->ar->switches[was].lfts[i];
		struct hd_ar_lft *new = &to->ar->switches[s].lfts[i];

		memcpy(new->port, old->port, stride * sizeof(*new->port));
		memcpy(new->state, old->state, stride * sizeof(*new->state));
		memcpy(new->group, old->group, stride * sizeof(*new->group));
	}
}

static const struct hd_ar_switch *own_of(const struct hd_tables *tables, uint32_t s)
{
	return tables->ar ? &tables->ar->switches[s] : NULL;
}

int hd_ar_copy(struct hd_tables *to, uint32_t s, const struct hd_tables *const from[HD_AR_PARTS],
	       uint32_t was)
{
	const struct hd_ar_switch *map = own_of(from[HD_AR_MAP], was);
	const unsigned n_entries = hd_ar_n_plfts(from[HD_AR_ENTRIES], was);
	const unsigned n_map = hd_ar_n_plfts(from[HD_AR_MAP], was);
	const hd_sl2vl_row *vl2vl = hd_ar_vl2vl(from[HD_AR_VL2VL], was);
	const size_t n_ins = to->fabric->nodes[s].n_ports + (size_t)1;
	int ret = 0;

	if (from[HD_AR_ENTRIES]->ar)
		ret = copy_groups(to, s, from[HD_AR_ENTRIES], was);
	if (!ret && (n_entries > 1 || n_map > 1)) {
		struct hd_ar_switch *own = &to->ar->switches[s];

		if (!map || !map->plft)
			map = own_of(from[HD_AR_ENTRIES], was); /* its key; no row names a pLFT */
		ret = hd_ar_add_plfts(to, s, n_entries > n_map ? n_entries : n_map, map->key);
		if (!ret && n_map > 1)
			memcpy(own->plft, map->plft, n_ins * HD_MAX_SLS * sizeof(*own->plft));
		if (!ret)
			copy_plfts(to, s, from[HD_AR_ENTRIES], was);
	}
	if (!ret && vl2vl) {
		ret = hd_ar_add_vl2vl(to, s);
		if (!ret)
			memcpy(to->ar->switches[s].vl2vl, vl2vl, n_ins * n_ins * sizeof(*vl2vl));
	}
	return ret;
}

int hd_ar_add_missing(struct hd_tables *to, const struct hd_tables *from, uint32_t s)
{
	const size_t stride = to->lft_stride;
	const size_t n_ins = to->fabric->nodes[s].n_ports + (size_t)1;
	struct hd_ar_switch *own = &to->ar->switches[s];

	if (!own->plft && hd_ar_n_plfts(from, s) > 1) {
		own->key = from->ar->switches[s].key;
		own->plft = calloc(n_ins * HD_MAX_SLS, sizeof(*own->plft));
		if (!own->plft)
			return HD_ENOMEM;
	}
	while (own->n_plfts < hd_ar_n_plfts(from, s)) {
		const struct hd_ar_lft *other = &from->ar->switches[s].lfts[own->n_plfts - 1];
		struct hd_ar_lft *lft = &own->lfts[own->n_plfts - 1];

		lft->port = malloc(stride * sizeof(*lft->port));
		lft->state = malloc(stride * sizeof(*lft->state));
		lft->group = malloc(stride * sizeof(*lft->group));
		if (!lft->port || !lft->state || !lft->group)
			return HD_ENOMEM;
		memcpy(lft->port, other->port, stride * sizeof(*lft->port));
		memset(lft->state, HD_AR_STATIC, stride * sizeof(*lft->state));
		memset(lft->group, 0xFF, stride * sizeof(*lft->group));
		own->n_plfts++;
	}
	return 0;
}

/* Group @i of switch @s; NULL: there is none. @n gets the number of its subgroups. */
static const struct hd_port_set *group_of(const struct hd_tables *tables, uint32_t s, uint32_t i,
					  uint32_t *n)
{
	const struct hd_ar_groups *groups = tables->ar ? &tables->ar->groups[s] : NULL;

	*n = 0;
	if (!groups || i >= groups->n)
		return NULL;
	*n = groups->first[i + 1] - groups->first[i];
	return &groups->subgroups[groups->first[i]];
}

static bool is_same_group(const struct hd_tables *a, const struct hd_tables *b, uint32_t s,
			  uint32_t i)
{
	uint32_t n_a, n_b;
	const struct hd_port_set *x = group_of(a, s, i, &n_a), *y = group_of(b, s, i, &n_b);

	return n_a == n_b && (!n_a || memcmp(x, y, n_a * sizeof(*x)) == 0);
}

bool hd_ar_is_same_entry(const struct hd_tables *a, const struct hd_tables *b, uint32_t s,
			 unsigned plft, uint32_t lid)
{
	static const struct hd_ar_entry none = { .port = HD_NO_PATH, .group = HD_AR_NO_GROUP };
	const struct hd_ar_entry x =
		plft < hd_ar_n_plfts(a, s) ? hd_ar_entry(a, s, plft, lid) : none;
	const struct hd_ar_entry y =
		plft < hd_ar_n_plfts(b, s) ? hd_ar_entry(b, s, plft, lid) : none;

	return x.port == y.port && x.state == y.state && x.group == y.group &&
	       (x.group == HD_AR_NO_GROUP || is_same_group(a, b, s, x.group));
}

/* Whether packets that come in by @in have the same pLFTs by both maps. */
static bool is_same_map_row(const struct hd_tables *a, const struct hd_tables *b, uint32_t s,
			    unsigned in)
{
	const struct hd_ar_switch *x = own_of(a, s), *y = own_of(b, s);
	const bool has_a = x && x->plft, has_b = y && y->plft;

	if (has_a && has_b && x->key != y->key)
		return false;
	for (unsigned column = 0; column < HD_MAX_SLS; column++)
		if (hd_ar_plft(a, s, in, column, column) != hd_ar_plft(b, s, in, column, column))
			return false;
	return true;
}

bool hd_ar_is_same_map(const struct hd_tables *a, const struct hd_tables *b, uint32_t s)
{
	for (unsigned in = 0; in <= a->fabric->nodes[s].n_ports; in++)
		if (!is_same_map_row(a, b, s, in))
			return false;
	return true;
}

static uint64_t count_vl2vl(const struct hd_tables *a, const struct hd_tables *b, uint32_t s)
{
	const hd_sl2vl_row *x = hd_ar_vl2vl(a, s), *y = hd_ar_vl2vl(b, s);
	const size_t n_ins = a->fabric->nodes[s].n_ports + (size_t)1;
	uint64_t n = 0;

	if (!x && !y)
		return 0;
	for (size_t i = 0; i < n_ins * n_ins; i++)
		n += !x || !y || x[i] != y[i];
	return n;
}

void hd_ar_compare(const struct hd_tables *a, const struct hd_tables *b, uint32_t s,
		   struct hd_ar_changes *changes)
{
	const uint32_t n_a = a->ar ? a->ar->groups[s].n : 0, n_b = b->ar ? b->ar->groups[s].n : 0;
	const unsigned old = hd_ar_n_plfts(a, s), new = hd_ar_n_plfts(b, s);

	if (!a->ar && !b->ar)
		return;
	hd_for_each_lid(lid, a->fabric) {
		const struct hd_ar_entry x = hd_ar_entry(a, s, 0, lid),
					 y = hd_ar_entry(b, s, 0, lid);

		changes->n_sets += x.state != y.state || x.group != y.group ||
				   (x.group != HD_AR_NO_GROUP && !is_same_group(a, b, s, x.group));
		for (unsigned plft = 1; plft < old || plft < new; plft++)
			changes->n_private += !hd_ar_is_same_entry(a, b, s, plft, lid);
	}
	for (unsigned in = 0; in <= a->fabric->nodes[s].n_ports; in++)
		changes->n_map += !is_same_map_row(a, b, s, in);
	changes->n_vl2vl += count_vl2vl(a, b, s);
	changes->groups |= n_a != n_b;
	for (uint32_t i = 0; i < n_a && !changes->groups; i++)
		changes->groups = !is_same_group(a, b, s, i);
}
