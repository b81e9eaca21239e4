// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "check/baseline_check.h"

#include <stdlib.h>
#include <string.h>

#include "fabric/link_rate.h"
#include "support/error.h"

static bool has_load(const struct hd_fabric *fabric, uint32_t lid)
{
	const struct hd_port *owner = &fabric->ports[fabric->lids[lid].port];

	return owner->lid == lid && !hd_is_switch(fabric, owner->node);
}

static bool is_host(const struct hd_fabric *fabric, uint32_t port)
{
	return !hd_is_switch(fabric, fabric->ports[port].node) && hd_is_end_port(fabric, port);
}

/* The switch that packets of an end port come to first. HD_NONE: there is none. */
static uint32_t switch_of(const struct hd_fabric *fabric, uint32_t port)
{
	const uint32_t node = fabric->ports[port].node;
	const uint32_t at =
		hd_is_switch(fabric, node) ? node : fabric->ports[fabric->ports[port].peer].node;

	return hd_is_switch(fabric, at) ? at : HD_NONE;
}

/*
 * Finds the row of path SLs that all end ports of each switch take. False: some take another, or an
 * adapter is linked to an adapter.
 */
static bool find_class_rows(const struct hd_tables *tables, uint32_t *class_row)
{
	const struct hd_fabric *fabric = tables->fabric;

	memset(class_row, 0xFF, (fabric->n_switches + (size_t)1) * sizeof(*class_row));
	for (uint32_t i = 0; i < fabric->n_endports; i++) {
		const uint32_t port = fabric->endports[i];
		uint32_t s;

		if (!hd_is_end_port(fabric, port))
			continue;
		s = switch_of(fabric, port);
		if (s == HD_NONE ||
		    (class_row[s] != HD_NONE && class_row[s] != tables->sl_row_of_port[port]))
			return false;
		class_row[s] = tables->sl_row_of_port[port];
	}
	hd_for_each_switch(s, fabric)
		class_row[s] = class_row[s] == HD_NONE ? 0 : class_row[s];
	return true;
}

/*
 * The SLs of flows, as hd_check() finds them: those of every pair of an end port and a LID that is
 * not its own. 0 also when out of memory.
 */
static unsigned find_sls(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t *n_sources = calloc(tables->n_sl_rows + (size_t)1, sizeof(*n_sources));
	unsigned sls = 0;

	hd_for_each_port(p, fabric)
		if (n_sources && hd_is_end_port(fabric, p))
			n_sources[tables->sl_row_of_port[p]]++;
	for (uint32_t row = 0; n_sources && row < tables->n_sl_rows; row++) {
		const uint8_t *of_row = tables->sl_rows + row * tables->lft_stride;

		for (uint32_t lid = 1; n_sources[row] && lid <= fabric->top_lid; lid++) {
			const uint32_t owner = fabric->lids[lid].port;

			if (of_row[lid] < HD_MAX_SLS && owner != HD_NONE &&
			    hd_is_end_port(fabric, owner) &&
			    (n_sources[row] > 1 || tables->sl_row_of_port[owner] != row))
				sls |= 1u << of_row[lid];
		}
	}
	free(n_sources);
	return sls;
}

/* What VL arbitration serves at each port with a link. */
static void find_served(const struct hd_tables *tables, uint16_t *serves)
{
	const struct hd_fabric *fabric = tables->fabric;
	uint32_t last = HD_NONE;
	uint16_t of_last = 0;

	hd_for_each_port(p, fabric) {
		const uint32_t known = tables->vlarb_of_port[p];

		serves[p] = 0xFFFF;
		if (hd_link_vls(fabric, p) < 2 || known == HD_NONE)
			continue;
		if (known != last)
			of_last = hd_vlarb_serves(&tables->vlarbs[known]);
		last = known;
		serves[p] = of_last;
	}
}

/* The VL that packets of @class take by @row into @port; HD_VL_DROP: it drops them. */
static unsigned lane_of(const struct hd_baseline_check *check, hd_sl2vl_row row, unsigned class,
			uint32_t port)
{
	const unsigned vl = hd_row_vl(row, class);

	return vl < check->limit[port] ? vl : HD_VL_DROP;
}

/*
 * Raises @top to the VL of packets of @class by @row into @port. False: it is dropped or starved.
 */
static bool take_lane(const struct hd_baseline_check *check, hd_sl2vl_row row, unsigned class,
		      uint32_t port, unsigned *top)
{
	const unsigned vl = lane_of(check, row, class, port);

	if (vl == HD_VL_DROP || !(check->serves[port] >> vl & 1))
		return false;
	*top = vl > *top ? vl : *top;
	return true;
}

/* The same for what the end ports of a switch send by an out-port, from their own links on. */
static bool take_first_lanes(const struct hd_baseline_check *check, const struct hd_flow_use *use,
			     unsigned *top)
{
	const struct hd_tables *tables = check->base.tables;
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t out = hd_port_index(fabric, use->node, use->out);

	for (unsigned in = 0; in <= fabric->nodes[use->node].n_ports; in++) {
		const uint32_t port = hd_port_index(fabric, use->node, in);
		const uint32_t source = in ? fabric->ports[port].peer : port;

		if (source == HD_NONE || !hd_is_end_port(fabric, source) || in == use->out)
			continue;
		if (in &&
		    !take_lane(check,
			       tables->sl2vl[hd_sl2vl_host_index(tables, fabric->ports[source].node,
								 fabric->ports[source].number)],
			       use->class, source, top))
			return false;
		if (use->out &&
		    !take_lane(check,
			       tables->sl2vl[hd_sl2vl_index(tables, use->node, in, use->out)],
			       use->class, out, top))
			return false;
	}
	return true;
}

/* The highest VL that packets of a use take. False: some of them are dropped or starved. */
static bool find_top(const struct hd_baseline_check *check, const struct hd_flow_use *use,
		     unsigned *top)
{
	const struct hd_tables *tables = check->base.tables;

	*top = 0;
	if (!use->in)
		return take_first_lanes(check, use, top);
	*top = use->lane;
	return !use->out || take_lane(check, tables->sl2vl[use->row], use->class,
				      hd_port_index(tables->fabric, use->node, use->out), top);
}

static bool count_uses(struct hd_baseline_check *check)
{
	const struct hd_baseline *base = &check->base;
	const size_t n = hd_flow_n_uses(&base->view);

	for (size_t i = 0; i < n; i++) {
		struct hd_flow_use use;
		unsigned top;

		if (!base->sums.uses[i])
			continue;
		use = hd_flow_use_of(&base->view, (uint32_t)i);
		if (!find_top(check, &use, &top))
			return false;
		check->n_vls[top]++;
	}
	return true;
}

/* The lanes by which switches forward packets of the SLs in use, those of other SLs left out. */
static unsigned count_lanes(const struct hd_baseline_check *check)
{
	const struct hd_tables *tables = check->base.tables;
	const struct hd_fabric *fabric = tables->fabric;
	unsigned n_lanes = 1;

	for (uint32_t p = 0; p < fabric->n_ports && n_lanes < HD_MAX_VLS; p++) {
		const struct hd_port *port = &fabric->ports[p];
		hd_sl2vl_row last = 0;

		if (!hd_is_switch(fabric, port->node) || !check->limit[p])
			continue;
		for (unsigned in = 0; in <= fabric->nodes[port->node].n_ports; in++) {
			const hd_sl2vl_row row =
				tables->sl2vl[hd_sl2vl_index(tables, port->node, in, port->number)];

			for (unsigned sl = 0; (!in || row != last) && sl < HD_MAX_SLS; sl++)
				if (check->sls >> sl & 1 && hd_row_vl(row, sl) < check->limit[p] &&
				    hd_row_vl(row, sl) >= n_lanes)
					n_lanes = hd_row_vl(row, sl) + 1;
			last = row;
		}
	}
	return n_lanes;
}

static void list_links(struct hd_baseline_check *check, unsigned max_vls)
{
	const struct hd_fabric *fabric = check->base.tables->fabric;

	hd_for_each_port(p, fabric) {
		unsigned vls = hd_link_vls(fabric, p);

		vls = max_vls && vls > max_vls ? max_vls : vls;
		check->limit[p] = (uint8_t)(vls < HD_MAX_VLS ? vls : HD_MAX_VLS);
		if (hd_is_switch_link(fabric, p))
			check->links[check->n_links++] =
				(struct hd_baseline_link){ p, hd_port_mbps(fabric, p,
									   check->fastest) };
	}
}

static struct hd_flow_lanes lanes_of(const struct hd_tables *tables, const uint32_t *class_row)
{
	return (struct hd_flow_lanes){
		.rows = tables->sl2vl,
		.classes = tables->sl_rows,
		.class_row = tables->n_sl_rows > 1 ? class_row : NULL,
	};
}

/* Whether the last switch sends packets to @lid out of the right port. */
static bool is_delivered(const struct hd_tables *tables, uint32_t lid)
{
	const struct hd_lid *place = &tables->fabric->lids[lid];

	return hd_lft(tables, place->via_switch)[lid] == place->via_port;
}

/* Follows all flows. HD_ERANGE: they cannot be kept. */
static int keep(struct hd_baseline_check *check, struct hd_error *err)
{
	const struct hd_tables *tables = check->base.tables;
	struct hd_baseline_request request = {
		.tables = tables,
		.lanes = lanes_of(tables, check->class_row),
		.to_ends = true,
		.has_load = has_load,
		.is_host = is_host,
	};
	int ret;

	check->sls = find_sls(tables);
	if (!check->sls)
		return HD_ERANGE;
	request.n_classes = 32 - (unsigned)__builtin_clz(check->sls);
	request.n_lanes = count_lanes(check);
	ret = hd_baseline_init(&check->base, &request, err);
	for (uint32_t i = 0; !ret && i < check->base.view.n_lids; i++)
		if (check->base.n_lost[check->base.view.lids[i]] ||
		    !is_delivered(tables, check->base.view.lids[i]))
			ret = HD_ERANGE;
	return ret ? ret : count_uses(check) ? 0 : HD_ERANGE;
}

int hd_baseline_check_init(struct hd_baseline_check *check, const struct hd_tables *tables,
			   unsigned max_vls, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const size_t n_ports = fabric->n_ports + (size_t)1;
	int ret;

	*check = (struct hd_baseline_check){
		.base.tables = tables,
		.class_row = malloc((fabric->n_switches + (size_t)1) * sizeof(*check->class_row)),
		.limit = malloc(n_ports),
		.serves = malloc(n_ports * sizeof(*check->serves)),
		.links = malloc(n_ports * sizeof(*check->links)),
		.fastest = hd_fastest_mbps(fabric),
	};
	if (!check->class_row || !check->limit || !check->serves || !check->links)
		return hd_error_nomem(err);
	if (tables->ar || tables->classes || tables->n_mft || tables->lft_unknown ||
	    !find_class_rows(tables, check->class_row))
		return 0;
	list_links(check, max_vls);
	find_served(tables, check->serves);
	ret = keep(check, err);
	check->has_base = !ret;
	return ret == HD_ERANGE ? 0 : ret;
}

void hd_baseline_check_clear(struct hd_baseline_check *check)
{
	hd_baseline_clear(&check->base);
	free(check->class_row);
	free(check->limit);
	free(check->serves);
	free(check->links);
	*check = (struct hd_baseline_check){ 0 };
}

int hd_variant_check_init(struct hd_variant_check *variant, const struct hd_baseline_check *check,
			  struct hd_error *err)
{
	const struct hd_fabric *fabric = check->base.view.fabric;

	*variant = (struct hd_variant_check){ 0 };
	if (!check->has_base)
		return 0;
	variant->serves = malloc((fabric->n_ports + (size_t)1) * sizeof(*variant->serves));
	variant->class_row = malloc((fabric->n_switches + (size_t)1) * sizeof(*variant->class_row));
	if (!variant->serves || !variant->class_row)
		return hd_error_nomem(err);
	return hd_variant_init(&variant->variant, &check->base, err);
}

void hd_variant_check_clear(struct hd_variant_check *variant)
{
	hd_variant_clear(&variant->variant);
	free(variant->serves);
	free(variant->class_row);
	*variant = (struct hd_variant_check){ 0 };
}

/*
 * Whether hosts send by the same lanes, and VL arbitration serves the same, where links are left.
 */
static bool same_ends(const struct hd_baseline_check *check, const struct hd_variant_check *variant,
		      const struct hd_tables *tables)
{
	const struct hd_tables *before = check->base.tables;
	const struct hd_fabric *fabric = tables->fabric;
	const size_t first = before->sl2vl_first[fabric->n_switches];
	const size_t n = before->sl2vl_first[fabric->n_nodes] - first;

	if (memcmp(before->sl2vl + first, tables->sl2vl + first, n * sizeof(*tables->sl2vl)))
		return false;
	hd_for_each_port(p, fabric)
		if (fabric->ports[p].peer != HD_NONE && variant->serves[p] != check->serves[p])
			return false;
	return true;
}

/* Whether @tables are of the kind that is kept. */
static bool is_comparable(const struct hd_baseline_check *check, struct hd_variant_check *variant,
			  const struct hd_tables *tables)
{
	const struct hd_fabric *before = check->base.tables->fabric, *fabric = tables->fabric;

	if (tables->ar || tables->classes || tables->n_mft || tables->lft_unknown ||
	    before->n_nodes != fabric->n_nodes || before->n_ports != fabric->n_ports ||
	    before->n_switches != fabric->n_switches || before->top_lid != fabric->top_lid)
		return false;
	if (!find_class_rows(tables, variant->class_row))
		return false;
	find_served(tables, variant->serves);
	return same_ends(check, variant, tables);
}

/* The highest VL in use with what is added and removed, + 1; 0: something is dropped or starved. */
static unsigned count_vls(const struct hd_baseline_check *check, const struct hd_variant *variant)
{
	uint64_t n_vls[HD_MAX_VLS + 1];
	unsigned top;

	memcpy(n_vls, check->n_vls, sizeof(n_vls));
	for (size_t i = 0; i < variant->n_added; i++) {
		if (!find_top(check, &variant->added[i].use, &top))
			return 0;
		n_vls[top]++;
	}
	for (size_t i = 0; i < variant->n_removed; i++) {
		find_top(check, &variant->removed[i].use, &top);
		n_vls[top]--;
	}
	for (top = HD_MAX_VLS; top && !n_vls[top];)
		top--;
	return top + 1;
}

static bool arrives(const struct hd_variant *variant, const struct hd_tables *tables)
{
	for (uint32_t i = 0; i < variant->n_dirty; i++)
		if (variant->n_lost[variant->dirty[i]] || !is_delivered(tables, variant->dirty[i]))
			return false;
	return true;
}

static void sum_up(const struct hd_baseline_check *check, const struct hd_variant *variant,
		   const struct hd_tables *tables, struct hd_variant_result *result)
{
	const bool same_sls = tables->n_sl_rows == check->base.tables->n_sl_rows &&
			      !memcmp(tables->sl_rows, check->base.tables->sl_rows,
				      tables->n_sl_rows * tables->lft_stride);
	const unsigned sls = same_sls ? check->sls : find_sls(tables);

	result->sls = (unsigned)__builtin_popcount(sls);
	result->n_changed = variant->n_changed;
	result->worst_load = 0;
	for (uint32_t i = 0; i < check->n_links; i++) {
		const struct hd_baseline_link *link = &check->links[i];
		const uint64_t flows = hd_flows_by_rate(variant->sums.load[link->port],
							check->fastest, link->mbps);

		result->worst_load = flows > result->worst_load ? flows : result->worst_load;
	}
	result->max_hops = check->base.view.n;
	while (result->max_hops && !variant->sums.n_ways[result->max_hops])
		result->max_hops--;
}

int hd_variant_check_tell(const struct hd_baseline_check *check, struct hd_variant_check *variant,
			  const struct hd_tables *tables, struct hd_variant_result *result,
			  bool *is_known, struct hd_error *err)
{
	const struct hd_flow_lanes lanes = lanes_of(tables, variant->class_row);
	int ret;

	*is_known = check->has_base && hd_variant_is_worth_asking(&variant->tries);
	if (!*is_known)
		return 0;
	*is_known = is_comparable(check, variant, tables);
	if (!*is_known) {
		hd_variant_answered(&variant->tries, false);
		return 0;
	}
	ret = hd_variant_follow(&variant->variant, tables, &lanes, is_known, err);
	if (!ret && *is_known) {
		result->vls = count_vls(check, &variant->variant);
		*is_known = variant->variant.is_acyclic && result->vls &&
			    arrives(&variant->variant, tables);
		if (*is_known)
			sum_up(check, &variant->variant, tables, result);
		*is_known = *is_known && result->sls;
	}
	hd_variant_reset(&variant->variant);
	hd_variant_answered(&variant->tries, *is_known);
	return ret;
}
