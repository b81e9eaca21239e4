// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/onto.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "support/error.h"
#include "tables/ar.h"
#include "tables/ar_copy.h"
#include "tables/classes.h"
#include "tables/sl_rows.h"

/* A LID that is in both fabrics is the same port's. */
static int compare_lids(const struct hd_fabric *before, const struct hd_fabric *after,
			struct hd_error *err)
{
	const uint32_t top = before->top_lid < after->top_lid ? before->top_lid : after->top_lid;
	char was[320], is[320];

	if (before == after)
		return 0;
	for (uint32_t lid = 1; lid <= top; lid++) {
		const uint32_t b = before->lids[lid].port, a = after->lids[lid].port;

		if (a == HD_NONE || b == HD_NONE || before->ports[b].guid == after->ports[a].guid)
			continue;
		return hd_error_set(err, HD_EINVAL,
				    "LID %" PRIu32 " was that of %s and is that of %s: mixtures of "
				    "renumbered tables prove nothing; route the new fabric with "
				    "the LIDs of the old one",
				    lid, hd_port_label(before, b, was, sizeof(was)),
				    hd_port_label(after, a, is, sizeof(is)));
	}
	for (uint32_t i = 0; i < after->n_endports; i++) {
		const struct hd_port *a = &after->ports[after->endports[i]];
		const uint32_t p = hd_fabric_find_port(before, a->guid);

		if (p == HD_NONE || !a->lid || !before->ports[p].lid)
			continue;
		if (before->ports[p].lid != a->lid || before->ports[p].lmc != a->lmc)
			return hd_error_set(
				err, HD_EINVAL,
				"%s had LID %u (LMC %u) and has LID %u (LMC %u): mixtures of "
				"renumbered tables prove nothing; route the new fabric with the "
				"LIDs of the old one",
				hd_port_label(before, p, was, sizeof(was)), before->ports[p].lid,
				before->ports[p].lmc, a->lid, a->lmc);
	}
	return 0;
}

/* The same node before as @node of @after; HD_NONE: it is new, or of another type now. */
static uint32_t find_before(const struct hd_fabric *before, const struct hd_fabric *after,
			    uint32_t node)
{
	uint32_t n;

	if (before == after)
		return node;
	n = hd_fabric_find_node(before, after->nodes[node].guid);
	if (n == HD_NONE || hd_is_switch(before, n) != hd_is_switch(after, node))
		return HD_NONE;
	return n;
}

/* The same port before as @port of @after; HD_NONE: it is new, or sends nothing of its own. */
static uint32_t find_port_before(const struct hd_fabric *before, const struct hd_fabric *after,
				 uint32_t port)
{
	const uint64_t guid = after->ports[port].guid;

	if (!guid)
		return HD_NONE;
	return before == after ? port : hd_fabric_find_port(before, guid);
}

static size_t common_stride(const struct hd_tables *before, const struct hd_tables *after)
{
	return before->lft_stride < after->lft_stride ? before->lft_stride : after->lft_stride;
}

/* The LFT of the switch @was. */
static void copy_lft(const struct hd_tables *before, uint32_t was, struct hd_tables *after,
		     uint32_t s)
{
	const size_t n = common_stride(before, after);

	memcpy(hd_lft(after, s), hd_lft(before, was), n);
	memset(hd_lft(after, s) + n, HD_NO_PATH, after->lft_stride - n);
}

/* The entries and rows of the node @was. */
static void copy_entries(const struct hd_tables *before, uint32_t was, struct hd_tables *after,
			 uint32_t node)
{
	const size_t n_rows = after->sl2vl_first[node + 1] - after->sl2vl_first[node];

	memcpy(after->sl2vl + after->sl2vl_first[node], before->sl2vl + before->sl2vl_first[was],
	       n_rows * sizeof(*after->sl2vl));
	if (hd_is_switch(after->fabric, node))
		copy_lft(before, was, after, node);
}

const uint8_t *hd_tables_lft_before(const struct hd_tables *before, const struct hd_tables *after,
				    uint32_t s, size_t *n)
{
	const uint32_t was = find_before(before->fabric, after->fabric, s);

	*n = common_stride(before, after);
	return was == HD_NONE ? NULL : hd_lft(before, was);
}

void hd_tables_restore_lfts(const struct hd_tables *before, struct hd_tables *after)
{
	hd_for_each_switch(s, after->fabric) {
		const uint32_t was = find_before(before->fabric, after->fabric, s);

		if (was == HD_NONE)
			memset(hd_lft(after, s), HD_NO_PATH, after->lft_stride);
		else
			copy_lft(before, was, after, s);
	}
}

/* The node has as many ports as the same node before, @was, if there was one. */
static int compare_ports(const struct hd_fabric *before, uint32_t was,
			 const struct hd_fabric *after, uint32_t node, struct hd_error *err)
{
	char label[320];

	if (was == HD_NONE || before->nodes[was].n_ports == after->nodes[node].n_ports)
		return 0;
	return hd_error_set(err, HD_EINVAL, "%s had %u ports and has %u",
			    hd_node_label(after, node, label, sizeof(label)),
			    before->nodes[was].n_ports, after->nodes[node].n_ports);
}

/* Its AR tables, and its entries and rows if @has_entries. */
static int copy_node(const struct hd_tables *before, struct hd_tables *after, uint32_t node,
		     bool has_entries, uint32_t *n_new, struct hd_error *err)
{
	const struct hd_fabric *fabric = after->fabric;
	const uint32_t was = find_before(before->fabric, fabric, node);
	const struct hd_tables *const whole[HD_AR_PARTS] = { before, before, before };
	int ret = compare_ports(before->fabric, was, fabric, node, err);

	if (ret)
		return ret;
	if (was == HD_NONE) {
		if (has_entries)
			hd_tables_reset_node(after, node);
		*n_new += hd_is_switch(fabric, node);
		return 0;
	}
	if (has_entries)
		copy_entries(before, was, after, node);
	if (hd_is_switch(fabric, node) && before->ar && hd_ar_copy(after, node, whole, was))
		return hd_error_nomem(err);
	return 0;
}

/* The rows of before, and one for sources that are new. */
static int copy_path_sls(const struct hd_tables *before, struct hd_tables *after,
			 struct hd_error *err)
{
	const struct hd_fabric *fabric = after->fabric;
	const uint32_t none = before->n_sl_rows;
	int ret = hd_tables_set_sl_rows(after, none + 1, err);

	if (ret)
		return ret;
	memset(after->sl_rows, HD_NO_SL, (none + (size_t)1) * after->lft_stride);
	for (uint32_t row = 0; row < none; row++)
		hd_for_each_lid(lid, fabric)
			/* on the same fabric, also those to LIDs that nobody has any more */
			if (before->fabric == fabric || (lid <= before->fabric->top_lid &&
							 before->fabric->lids[lid].port != HD_NONE))
				after->sl_rows[row * after->lft_stride + lid] =
					before->sl_rows[row * before->lft_stride + lid];
	hd_for_each_port(p, fabric) {
		const uint32_t was = find_port_before(before->fabric, fabric, p);

		after->sl_row_of_port[p] = was == HD_NONE ? none : before->sl_row_of_port[was];
	}
	return 0;
}

/* Whether what nodes hold by @before can be told on @fabric. */
static int compare(const struct hd_tables *before, const struct hd_fabric *fabric,
		   struct hd_error *err)
{
	if (before->n_lft_unknown)
		return hd_error_set(err, HD_EINVAL,
				    "the old tables lack the LFTs of %" PRIu32 " switch%s",
				    before->n_lft_unknown, before->n_lft_unknown == 1 ? "" : "es");
	return compare_lids(before->fabric, fabric, err);
}

/* @entries: whose LFTs and rows, in place of those of @before; or NULL. */
static int put(const struct hd_tables *before, const struct hd_fabric *fabric,
	       const struct hd_tables *entries, struct hd_tables **result, uint32_t *n_new,
	       struct hd_error *err)
{
	struct hd_tables *after = NULL;
	uint32_t n = 0;
	int ret = compare(before, fabric, err);

	*result = NULL;
	if (!ret)
		ret = hd_tables_new_blank(fabric, &after, err);
	if (!ret && before->ar)
		ret = hd_ar_new(after, err);
	for (uint32_t node = 0; !ret && node < fabric->n_nodes; node++)
		ret = copy_node(before, after, node, !entries, &n, err);
	if (!ret)
		ret = copy_path_sls(before, after, err);
	if (!ret)
		ret = hd_tables_set_classes(after, before->classes, err);
	if (ret) {
		hd_tables_free(after);
		return ret;
	}
	if (entries) {
		memcpy(after->lft, entries->lft, fabric->n_switches * after->lft_stride);
		memcpy(after->sl2vl, entries->sl2vl,
		       after->sl2vl_first[fabric->n_nodes] * sizeof(*after->sl2vl));
	}
	after->has_sl2vl = before->has_sl2vl;
	after->has_path_sls = before->has_path_sls;
	if (n_new)
		*n_new = n;
	*result = after;
	return 0;
}

int hd_tables_onto(const struct hd_tables *before, const struct hd_fabric *fabric,
		   struct hd_tables **after, uint32_t *n_new, struct hd_error *err)
{
	return put(before, fabric, NULL, after, n_new, err);
}

int hd_tables_onto_entries(const struct hd_tables *before, const struct hd_tables *entries,
			   struct hd_tables **after, struct hd_error *err)
{
	return put(before, entries->fabric, entries, after, NULL, err);
}

int hd_tables_onto_sls(const struct hd_tables *before, const struct hd_fabric *fabric,
		       struct hd_tables **after, struct hd_error *err)
{
	struct hd_tables *sls = NULL;
	int ret = compare(before, fabric, err);

	*after = NULL;
	for (uint32_t node = 0; !ret && node < fabric->n_nodes; node++)
		ret = compare_ports(before->fabric, find_before(before->fabric, fabric, node),
				    fabric, node, err);
	if (!ret)
		ret = hd_tables_new_blank(fabric, &sls, err);
	if (ret)
		return ret;
	/* nobody has written LFTs and rows, so that they take no memory yet */
	hd_tables_keep_sls(sls);
	ret = copy_path_sls(before, sls, err);
	if (!ret)
		ret = hd_tables_set_classes(sls, before->classes, err);
	if (ret) {
		hd_tables_free(sls);
		return ret;
	}
	sls->has_path_sls = before->has_path_sls;
	*after = sls;
	return 0;
}

/* The last pair of rows that began with a row of the one tables, and what was made of it. */
struct filled {
	uint32_t other; /* row of the other tables; HD_NONE: there was no pair */
	uint32_t result;
};

static struct filled *no_pairs(uint32_t n_rows)
{
	struct filled *filled = malloc((n_rows + (size_t)1) * sizeof(*filled));

	for (uint32_t row = 0; filled && row < n_rows; row++)
		filled[row].other = HD_NONE;
	return filled;
}

int hd_tables_fill_path_sls(struct hd_tables *tables, const struct hd_tables *other,
			    struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const size_t stride = tables->lft_stride;
	struct hd_sl_rows rows = { .stride = stride };
	uint32_t *row_of_port = calloc(fabric->n_ports + (size_t)1, sizeof(*row_of_port));
	/* ports of switches and of hosts alternate, and have few pairs of rows */
	struct filled *filled = no_pairs(tables->n_sl_rows);
	uint8_t *row = malloc(stride);
	int ret = row && filled && row_of_port ? 0 : hd_error_nomem(err);

	for (uint32_t p = 0; !ret && p < fabric->n_ports; p++) {
		const uint32_t own = tables->sl_row_of_port[p], its = other->sl_row_of_port[p];
		const uint8_t *sls = other->sl_rows + its * stride;

		if (filled[own].other == its) {
			row_of_port[p] = filled[own].result;
			continue;
		}
		memcpy(row, tables->sl_rows + own * stride, stride);
		for (size_t lid = 0; lid < stride; lid++)
			row[lid] = row[lid] == HD_NO_SL ? sls[lid] : row[lid];
		ret = hd_sl_rows_intern(&rows, row, &row_of_port[p], err);
		filled[own] = (struct filled){ .other = its, .result = row_of_port[p] };
	}
	if (!ret)
		ret = hd_sl_rows_apply(&rows, row_of_port, tables, err);
	hd_sl_rows_clear(&rows);
	free(row_of_port);
	free(filled);
	free(row);
	return ret;
}
