// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/stable_lanes.h"

#include <stdio.h>
#include <string.h>

#include "engines/stable_routes.h"
#include "vlarb/class_layout.h"
#include "support/error.h"
#include "tables/onto.h"

#define MANY 64 /* part of all entries which may change without a look at fewer */

static int give_up(struct hd_lanes_outcome *outcome, const char *reason)
{
	snprintf(outcome->reason, sizeof(outcome->reason), "%s", reason);
	return 0;
}

/* Makes all that goes with the lanes, or gives the reason why there is no such thing. */
static int keep_them(struct hd_stable_routes *keep, const struct hd_structure *structure,
		     struct hd_lanes_outcome *outcome, struct hd_error *err)
{
	bool serves;
	int ret = hd_stable_routes_prepare_graph(keep, err);

	keep->rows = keep->sls = keep->tables;

	if (!ret)
		ret = hd_stable_routes_make_routes(keep, structure, outcome, err);
	if (ret == HD_EREFUSED)
		return give_up(outcome, err->text);
	if (!ret)
		ret = hd_previous_lanes_arbitrate(&keep->lanes, &serves, &outcome->has_new_vlarb,
						  err);
	if (!ret && !serves)
		return give_up(outcome, "a link has no VL arbitration for the old lanes");
	outcome->is_kept = !ret;
	return ret;
}

/* Entries of a block of an LFT in which the two differ. */
static unsigned count_differing(const uint8_t *a, const uint8_t *b)
{
	unsigned n = 0;

	for (unsigned i = 0; i < HD_LFT_BLOCK; i++)
		n += a[i] != b[i];
	return n;
}

/*
 * Entries that change to those of @tables, from the old ones with the last hops of now. These are
 * told apart at the end, so that the old LFTs need no copy of their own.
 */
static uint64_t count_changes(const struct hd_stable_routes *keep, const struct hd_tables *tables)
{
	uint64_t n = 0;

	hd_for_each_switch(s, keep->fabric) {
		const uint8_t *is = hd_lft(tables, s);
		size_t n_was;
		const uint8_t *was = hd_tables_lft_before(keep->lanes.previous, tables, s, &n_was);
		size_t lid = 0;

		/* most blocks stay */
		for (; was && lid < n_was; lid += HD_LFT_BLOCK)
			if (memcmp(was + lid, is + lid, HD_LFT_BLOCK) != 0)
				n += count_differing(was + lid, is + lid);
		for (; lid < tables->lft_stride; lid++)
			n += is[lid] != HD_NO_PATH;
	}
	for (size_t t = 0; t < keep->targets.n; t++) {
		const struct hd_route_target *to = &keep->targets.list[t];
		const uint8_t is = hd_lft(tables, to->via_switch)[to->lid];
		size_t n_was;
		const uint8_t *was =
			hd_tables_lft_before(keep->lanes.previous, tables, to->via_switch, &n_was);

		n -= (was && to->lid < n_was ? was[to->lid] : HD_NO_PATH) != is;
		n += is != to->via_port;
	}
	return n;
}

/* Entries from which packets do not arrive any more. */
static uint64_t count_lost(struct hd_stable_routes *keep)
{
	uint64_t n = 0;

	for (size_t t = 0; t < keep->targets.n; t++) {
		const uint16_t lid = keep->targets.list[t].lid;

		if (!keep->is_lost[lid])
			continue;
		hd_lft_column_load(&keep->column, lid);
		n += keep->column.n_lost;
	}
	return n;
}

/*
 * The fresh tables serve with the old path SLs. They are taken, being what the engine thinks best,
 * unless they change far more than has to change: engines that route anew send half of all
 * destinations elsewhere for one link.
 */
static int compare_routes(struct hd_stable_routes *keep, const struct hd_structure *structure,
			  struct hd_lanes_outcome *outcome, struct hd_error *err)
{
	const uint64_t n_fresh = count_changes(keep, keep->fresh);
	int ret = 0;

	if (n_fresh > hd_stable_routes_lft_size(keep) / MANY && n_fresh > 2 * count_lost(keep))
		ret = keep_them(keep, structure, outcome, err);
	if (!outcome->is_kept || n_fresh <= 2 * count_changes(keep, keep->tables))
		*outcome = (struct hd_lanes_outcome){ .is_kept = true, .is_fresh = true };
	return ret;
}

/*
 * Adds all fresh ways of packets with the path SLs of @sls to the graph; *@arrive: none are lost.
 * HD_ENOMEM.
 */
static int add_fresh(struct hd_stable_routes *keep, const struct hd_tables *sls, bool *arrive,
		     struct hd_error *err)
{
	int ret;

	keep->sls = sls;
	ret = hd_stable_routes_find_alike(keep, keep->fresh, err);
	*arrive = true;
	for (size_t t = 0; !ret && *arrive && t < keep->targets.n; t++) {
		if (keep->like[t] != t)
			continue;
		hd_for_each_switch(s, keep->fabric) {
			keep->n_edges = 0;
			*arrive &= hd_stable_routes_follow(keep, keep->fresh, s,
							   keep->targets.list[t].lid);
			for (size_t i = 0; i < keep->n_edges; i++)
				hd_channels_add(&keep->channels, &keep->edges[i]);
		}
	}
	return ret;
}

/*
 * Whether the fresh tables are free of credit loops with the path SLs of before as well, whichever
 * of both hosts have: then nobody needs to keep anything.
 */
static int find_out_whether_sls_serve(struct hd_stable_routes *keep, bool *serve,
				      struct hd_error *err)
{
	int ret;

	*serve = hd_previous_lanes_are_fresh(&keep->lanes);
	if (*serve)
		return 0;
	ret = hd_stable_routes_prepare_graph(keep, err);
	if (ret)
		return ret;
	keep->rows = keep->fresh;
	ret = add_fresh(keep, keep->fresh, serve, err);
	if (!ret && *serve)
		ret = add_fresh(keep, keep->tables, serve, err);
	if (ret || keep->is_out_of_memory)
		return ret ? ret : hd_error_nomem(err);
	*serve = *serve && hd_channels_rank(&keep->channels, keep->core);
	return 0;
}

/* Whether the fresh lanes are the same for all SLs: whatever SL a host ever got, it serves. */
static bool serves_any_sl(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(out, fabric, s)
			for (unsigned in = 0; in <= fabric->nodes[s].n_ports &&
					      hd_peer_node(fabric, s, out) != HD_NONE;
			     in++) {
				const hd_sl2vl_row row =
					tables->sl2vl[hd_sl2vl_index(tables, s, in, out)];

				if (row != hd_row_all(hd_row_vl(row, 0)))
					return false;
			}
	return true;
}

/*
 * Fresh routes and rows with the old path SLs. The fresh ones would do for now; but hosts that got
 * theirs before would have them at the next change, too, when nobody knows of them any more.
 */
static int take_fresh_routes(struct hd_stable_routes *keep, struct hd_lanes_outcome *outcome,
			     struct hd_error *err)
{
	struct hd_tables *tables = keep->tables;
	bool serves;
	int ret;

	memcpy(tables->lft, keep->fresh->lft, hd_stable_routes_lft_size(keep));
	memcpy(tables->sl2vl, keep->fresh->sl2vl,
	       tables->sl2vl_first[keep->fabric->n_nodes] * sizeof(*tables->sl2vl));
	ret = hd_previous_lanes_arbitrate(&keep->lanes, &serves, &outcome->has_new_vlarb, err);
	if (!ret && serves)
		outcome->is_fresh = false;
	return ret;
}

/* Whether the fresh routes are taken, or others that go with the lanes of before. */
static int choose(struct hd_stable_routes *keep, const struct hd_structure *structure,
		  struct hd_lanes_outcome *outcome, struct hd_error *err)
{
	bool serve;
	int ret = hd_stable_routes_prepare(keep, err);

	if (!ret)
		ret = find_out_whether_sls_serve(keep, &serve, err);
	if (ret)
		return ret;
	if (serve) {
		const bool is_same = hd_previous_lanes_are_fresh(&keep->lanes);

		ret = compare_routes(keep, structure, outcome, err);
		if (ret || !outcome->is_fresh || is_same || serves_any_sl(keep->fresh))
			return ret;
		return take_fresh_routes(keep, outcome, err);
	}
	return keep_them(keep, structure, outcome, err);
}

/*
 * LIDs that no port has now lead nowhere. Switches may never have got all of the old entries for
 * them, and no proof is about these. A node that has only not answered still gets packets, which
 * may go round.
 */
static void clear_free_lids(struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		for (size_t lid = 0; lid < tables->lft_stride; lid++)
			if (lid > fabric->top_lid || fabric->lids[lid].port == HD_NONE)
				hd_lft(tables, s)[lid] = HD_NO_PATH;
}

int hd_stable_lanes(const struct hd_tables *fresh, const struct hd_structure *structure,
		    const struct hd_earlier *earlier, struct hd_tables **kept,
		    struct hd_lanes_outcome *outcome, struct hd_error *err)
{
	struct hd_stable_routes keep = { .fabric = fresh->fabric, .fresh = fresh };
	int ret;

	*kept = NULL;
	*outcome = (struct hd_lanes_outcome){ 0 };
	if (fresh->ar || earlier->previous->ar)
		return give_up(outcome, "there are AR sets");
	if (!hd_class_layout_is(fresh, earlier->previous))
		return give_up(outcome, "the service classes have changed");
	ret = hd_previous_lanes_init(&keep.lanes, fresh, earlier, err);
	keep.tables = keep.lanes.tables;
	if (ret == HD_EINVAL)
		ret = give_up(outcome, err->text);
	else if (!ret)
		ret = choose(&keep, structure, outcome, err);
	if (!ret && outcome->is_kept && !outcome->is_fresh) {
		*kept = keep.tables;
		keep.lanes.tables = NULL;
		clear_free_lids(*kept);
	}
	hd_previous_lanes_clear(&keep.lanes);
	hd_stable_routes_release(&keep);
	return ret;
}
