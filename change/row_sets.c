// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "change/row_sets.h"

#include <stdlib.h>

#include "support/error.h"
#include "tables/diff_flows.h"

/* Where sets are filled in, and what was let through last: most rows are alike. */
struct filling {
	struct hd_row_sets *sets;
	const struct hd_tables *now, *before;
	struct {
		hd_sl2vl_row row;
		unsigned vls;
		hd_sl_set sls;
	} last[3];
};

/* The SLs for which @row has one of the @vls VLs of a link. */
static hd_sl_set let_through(hd_sl2vl_row row, unsigned vls)
{
	unsigned sls = 0;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		const unsigned vl = hd_row_vl(row, sl);

		sls |= (unsigned)(vl < vls && vl != HD_VL_DROP) << sl;
	}
	return (hd_sl_set)sls;
}

/* The same, by the @which of the last results. */
static hd_sl_set look_up(struct filling *filling, unsigned which, hd_sl2vl_row row, unsigned vls)
{
	if (filling->last[which].row != row || filling->last[which].vls != vls) {
		filling->last[which].row = row;
		filling->last[which].vls = vls;
		filling->last[which].sls = let_through(row, vls);
	}
	return filling->last[which].sls;
}

/* Looks at row @i of a link with @vls VLs; false: it drops packets, or may. */
typedef bool (*row_fn)(struct filling *filling, size_t i, unsigned vls);

static bool keeps_all(struct filling *filling, size_t i, unsigned vls)
{
	const struct hd_row_sets *sets = filling->sets;
	const unsigned old = look_up(filling, 0, filling->before->sl2vl[i], vls);
	const unsigned new = look_up(filling, 1, filling->now->sl2vl[i], vls);

	return !(sets->old_sls & ~(old & new)) && !(sets->new_sls & ~new);
}

static bool fill(struct filling *filling, size_t i, unsigned vls)
{
	const hd_sl2vl_row old = filling->before->sl2vl[i], new = filling->now->sl2vl[i];
	struct hd_row_sets *sets = filling->sets;

	sets->old[i] = look_up(filling, 0, old, vls);
	sets->new[i] = look_up(filling, 1, new, vls);
	if (sets->drop_round[i]) {
		sets->dropped[i] = look_up(filling, 2, hd_rounds_drop_row(old, new), vls);
		sets->rounds |= UINT64_C(1) << (sets->drop_round[i] - 1);
	}
	if (sets->new_round[i])
		sets->rounds |= UINT64_C(1) << (sets->new_round[i] - 1);
	return true;
}

/*
 * Calls @each for rows between two links of switch @s, as long as it returns true. Packets that go
 * back to where they came from do not arrive, whatever the row is.
 */
static bool for_each_of_switch(struct filling *filling, uint32_t s, row_fn each)
{
	const struct hd_fabric *fabric = filling->now->fabric;

	hd_for_each_number(out, fabric, s) {
		const unsigned vls = hd_link_vls(fabric, hd_port_index(fabric, s, out));

		hd_for_each_number(in, fabric, s)
			if (in != out && hd_peer_node(fabric, s, out) != HD_NONE &&
			    hd_peer_node(fabric, s, in) != HD_NONE &&
			    !each(filling, hd_sl2vl_index(filling->now, s, in, out), vls))
				return false;
	}
	return true;
}

/* The same for the rows of all links; whether it always did. */
static bool for_each_row(struct filling *filling, row_fn each)
{
	const struct hd_fabric *fabric = filling->now->fabric;

	hd_for_each_switch(s, fabric)
		if (!for_each_of_switch(filling, s, each))
			return false;
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];

		if (!hd_is_switch(fabric, port->node) && hd_is_end_port(fabric, p) &&
		    !each(filling, hd_sl2vl_host_index(filling->now, port->node, port->number),
			  hd_link_vls(fabric, p)))
			return false;
	}
	return true;
}

static bool any_is_dropped(const struct hd_schedule_list *rows)
{
	for (size_t k = 0; k < rows->n; k++)
		if (rows->drop[k])
			return true;
	return false;
}

int hd_row_sets_init(struct hd_row_sets *sets, const struct hd_schedule *schedule,
		     const struct hd_tables *now, const struct hd_tables *before,
		     struct hd_error *err)
{
	const size_t n = hd_rounds_n_rows(now) + 1;
	struct filling filling = { .sets = sets, .now = now, .before = before };
	int ret;

	*sets = (struct hd_row_sets){ .rounds = 0 };
	ret = hd_diff_find_sls(before, &sets->old_sls, err);
	if (!ret)
		ret = hd_diff_find_sls(now, &sets->new_sls, err);
	if (ret)
		return ret;
	sets->have_sls = !((sets->old_sls | sets->new_sls) >> HD_MAX_SLS);
	sets->old_sls &= HD_ALL_SLS;
	sets->new_sls &= HD_ALL_SLS;
	sets->is_plain = !any_is_dropped(&schedule->rows) && for_each_row(&filling, keeps_all);
	if (sets->is_plain)
		return 0;
	sets->old = calloc(n, sizeof(*sets->old));
	sets->new = calloc(n, sizeof(*sets->new));
	sets->dropped = calloc(n, sizeof(*sets->dropped));
	sets->new_round = calloc(n, sizeof(*sets->new_round));
	sets->drop_round = calloc(n, sizeof(*sets->drop_round));
	if (!sets->old || !sets->new || !sets->dropped || !sets->new_round || !sets->drop_round)
		return hd_error_nomem(err);
	for (size_t k = 0; k < schedule->rows.n; k++) {
		sets->new_round[schedule->rows.at[k]] = schedule->rows.new[k];
		sets->drop_round[schedule->rows.at[k]] = schedule->rows.drop[k];
	}
	for_each_row(&filling, fill);
	return 0;
}

void hd_row_sets_clear(struct hd_row_sets *sets)
{
	free(sets->old);
	free(sets->new);
	free(sets->dropped);
	free(sets->new_round);
	free(sets->drop_round);
	*sets = (struct hd_row_sets){ .rounds = 0 };
}
