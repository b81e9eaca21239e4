// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/diff_flows.h"

#include <stdlib.h>

#include "support/error.h"

static bool is_host_port(const struct hd_fabric *fabric, uint32_t p)
{
	return !hd_is_switch(fabric, fabric->ports[p].node) && hd_is_end_port(fabric, p);
}

/* The SLs to base LIDs of end nodes in row @row: bit s for SL s; bit 16 where one has none. */
static unsigned row_sls(const struct hd_tables *tables, uint32_t row)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint8_t *sls = tables->sl_rows + row * tables->lft_stride;
	unsigned found = 0;

	for (uint32_t lid = 1; lid <= fabric->top_lid; lid++) {
		uint32_t owner = fabric->lids[lid].port;

		if (owner != HD_NONE && fabric->ports[owner].lid == lid &&
		    !hd_is_switch(fabric, fabric->ports[owner].node))
			found |= 1u << (sls[lid] < HD_MAX_SLS ? sls[lid] : HD_MAX_SLS);
	}
	return found;
}

int hd_diff_find_sls(const struct hd_tables *tables, unsigned *sls, struct hd_error *err)
{
	bool *is_seen = calloc(tables->n_sl_rows + (size_t)1, sizeof(*is_seen));

	*sls = 0;
	if (!is_seen)
		return hd_error_nomem(err);
	hd_for_each_port(p, tables->fabric) {
		uint32_t row = tables->sl_row_of_port[p];

		if (!is_host_port(tables->fabric, p) || is_seen[row])
			continue;
		is_seen[row] = true;
		*sls |= row_sls(tables, row);
	}
	free(is_seen);
	return 0;
}

/* Whether @row has a VL of the @vls of a link for each of @sls. */
static bool keeps_all(hd_sl2vl_row row, unsigned sls, unsigned vls)
{
	for (; sls; sls &= sls - 1) {
		unsigned vl = hd_row_vl(row, (unsigned)__builtin_ctz(sls));

		if (vl >= vls || vl == HD_VL_DROP)
			return false;
	}
	return true;
}

/* The same for all packets that leave switch @s by port @out. */
static bool out_keeps_all(const struct hd_tables *tables, uint32_t s, unsigned out, unsigned sls)
{
	const struct hd_fabric *fabric = tables->fabric;
	const unsigned vls = hd_link_vls(fabric, hd_port_index(fabric, s, out));
	hd_sl2vl_row last = 0;
	bool has_last = false;

	hd_for_each_number(in, fabric, s) {
		hd_sl2vl_row row = tables->sl2vl[hd_sl2vl_index(tables, s, in, out)];

		if (in == out || hd_peer_node(fabric, s, in) == HD_NONE ||
		    (has_last && row == last))
			continue;
		if (!keeps_all(row, sls, vls))
			return false;
		last = row;
		has_last = true;
	}
	return true;
}

static bool keep_all(const struct hd_tables *tables, unsigned sls)
{
	const struct hd_fabric *fabric = tables->fabric;

	hd_for_each_switch(s, fabric)
		hd_for_each_number(out, fabric, s)
			if (hd_peer_node(fabric, s, out) != HD_NONE &&
			    !out_keeps_all(tables, s, out, sls))
				return false;
	hd_for_each_port(p, fabric) {
		const struct hd_port *port = &fabric->ports[p];

		if (is_host_port(fabric, p) &&
		    !keeps_all(tables->sl2vl[hd_sl2vl_host_index(tables, port->node, port->number)],
			       sls, hd_link_vls(fabric, p)))
			return false;
	}
	return true;
}

int hd_diff_flows_are_plain(const struct hd_tables *tables, bool *are_plain, struct hd_error *err)
{
	unsigned sls;
	int ret = hd_diff_find_sls(tables, &sls, err);

	*are_plain = !ret && sls < 1u << HD_MAX_SLS && keep_all(tables, sls);
	return ret;
}
