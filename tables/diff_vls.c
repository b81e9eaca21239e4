// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/diff_vls.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

static uint32_t *find_bucket(const struct hd_diff_vls *vls, struct hd_diff_kind kind)
{
	uint64_t hash = (kind.before * UINT64_C(0x9E3779B97F4A7C15) ^ kind.after) *
			UINT64_C(0xD6E8FEB86659FD93);
	uint32_t at = (uint32_t)(hash >> 32) & (vls->n_buckets - 1);

	for (; vls->buckets[at]; at = (at + 1) & (vls->n_buckets - 1)) {
		const struct hd_diff_kind *other = &vls->kinds[vls->buckets[at] - 1];

		if (other->before == kind.before && other->after == kind.after)
			break;
	}
	return &vls->buckets[at];
}

/* Room for one kind more. */
static int grow(struct hd_diff_vls *vls, struct hd_error *err)
{
	uint32_t capacity = vls->capacity ? 2 * vls->capacity : 64;
	struct hd_diff_kind *kinds;

	if (vls->n_kinds < vls->capacity)
		return 0;
	kinds = realloc(vls->kinds, capacity * sizeof(*kinds));
	if (!kinds)
		return hd_error_nomem(err);
	vls->kinds = kinds;
	vls->capacity = capacity;
	free(vls->buckets);
	vls->n_buckets = 2 * capacity;
	vls->buckets = calloc(vls->n_buckets, sizeof(*vls->buckets));
	if (!vls->buckets)
		return hd_error_nomem(err);
	for (uint32_t k = 0; k < vls->n_kinds; k++)
		*find_bucket(vls, kinds[k]) = k + 1;
	return 0;
}

/* The number of a kind of rows; a new one if there is none. */
static int number_kind(struct hd_diff_vls *vls, struct hd_diff_kind kind, uint32_t *number,
		       struct hd_error *err)
{
	uint32_t *bucket;
	int ret = grow(vls, err);

	if (ret)
		return ret;
	bucket = find_bucket(vls, kind);
	if (!*bucket) {
		vls->kinds[vls->n_kinds] = kind;
		*bucket = ++vls->n_kinds;
	}
	*number = *bucket - 1;
	return 0;
}

/* The rows from all in-ports of switch @s to its port @out, which is there after the change too. */
static int number_out(const struct hd_match *match, const struct hd_tables *before,
		      const struct hd_tables *after, uint32_t s, unsigned out,
		      struct hd_diff_vls *vls, struct hd_error *err)
{
	const struct hd_port *ports = match->after->ports;
	uint32_t first = match->before->nodes[s].first_port;
	unsigned out_after = ports[match->port[first + out]].number;
	struct hd_diff_kind last = { 0 };
	uint32_t number = 0;
	int ret = 0;

	hd_for_each_number(in, match->before, s) {
		uint32_t same = match->port[first + in];
		size_t row = hd_sl2vl_index(before, s, in, out);
		struct hd_diff_kind kind;

		if (same == HD_NONE)
			continue;
		kind.before = before->sl2vl[row];
		kind.after = after->sl2vl[hd_sl2vl_index(after, match->node[s], ports[same].number,
							 out_after)];
		if (kind.before != last.before || kind.after != last.after)
			ret = number_kind(vls, kind, &number, err);
		if (ret)
			return ret;
		last = kind;
		vls->kind[row] = number;
	}
	return 0;
}

static int number_hosts(const struct hd_match *match, const struct hd_tables *before,
			const struct hd_tables *after, struct hd_diff_vls *vls,
			struct hd_error *err)
{
	int ret = 0;

	for (uint32_t i = 0; !ret && i < match->n_endports; i++) {
		const struct hd_port *b = &match->before->ports[match->endports[i].before];
		const struct hd_port *a = &match->after->ports[match->endports[i].after];
		size_t row = hd_sl2vl_host_index(before, b->node, b->number);
		struct hd_diff_kind kind;

		if (hd_is_switch(match->before, b->node))
			continue;
		kind.before = before->sl2vl[row];
		kind.after = after->sl2vl[hd_sl2vl_host_index(after, a->node, a->number)];
		ret = number_kind(vls, kind, &vls->kind[row], err);
	}
	return ret;
}

int hd_diff_vls_init(const struct hd_match *match, const struct hd_tables *before,
		     const struct hd_tables *after, struct hd_diff_vls *vls, struct hd_error *err)
{
	/* kind 0 is that of two rows of zeros, and of rows that nobody asks for */
	uint32_t zero;
	int ret;

	*vls = (struct hd_diff_vls){ 0 };
	vls->kind = calloc(before->sl2vl_first[match->before->n_nodes] + 1, sizeof(*vls->kind));
	if (!vls->kind)
		return hd_error_nomem(err);
	ret = number_kind(vls, (struct hd_diff_kind){ 0 }, &zero, err);
	hd_for_each_switch(s, match->before) {
		uint32_t first = match->before->nodes[s].first_port;

		if (match->node[s] == HD_NONE)
			continue;
		hd_for_each_number(out, match->before, s)
			if (!ret && match->port[first + out] != HD_NONE)
				ret = number_out(match, before, after, s, out, vls, err);
	}
	return ret ? ret : number_hosts(match, before, after, vls, err);
}

int hd_diff_vls_fill(struct hd_diff_vls *vls, const bool *used, struct hd_error *err)
{
	for (unsigned sls = 0; sls < HD_DIFF_COMBINATIONS; sls++)
		if (used[sls])
			vls->number[sls] = (uint8_t)vls->n++;
	vls->n_words = vls->n > 64 ? (vls->n + 63) / 64 : 1;
	vls->equal = calloc((size_t)vls->n_kinds * vls->n_words, sizeof(*vls->equal));
	if (!vls->equal)
		return hd_error_nomem(err);
	for (unsigned sls = 0; sls < HD_DIFF_COMBINATIONS; sls++) {
		unsigned number = vls->number[sls];

		for (uint32_t k = 0; used[sls] && k < vls->n_kinds; k++)
			if (hd_row_vl(vls->kinds[k].before, sls / HD_MAX_SLS) ==
			    hd_row_vl(vls->kinds[k].after, sls % HD_MAX_SLS))
				vls->equal[(size_t)k * vls->n_words + number / 64] |=
					UINT64_C(1) << (number % 64);
	}
	return 0;
}

void hd_diff_vls_clear(struct hd_diff_vls *vls)
{
	free(vls->kind);
	free(vls->kinds);
	free(vls->buckets);
	free(vls->equal);
	*vls = (struct hd_diff_vls){ 0 };
}
