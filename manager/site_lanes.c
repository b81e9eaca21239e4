// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "manager/site_lanes.h"

#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "support/error.h"
#include "tables/onto.h"

/* What a subnet manager makes of the options of one kind of port. */
struct site_lanes {
	hd_sl2vl_row row;
	struct hd_vlarb vlarb;
};

/* One number up to @end or what else follows it, as OpenSM reads it. */
static unsigned read_number(const char **text)
{
	char *end;
	const unsigned long value = strtoul(*text, &end, 0);

	*text = end + (*end != '\0');
	return (unsigned)value;
}

static uint8_t read_table(const char *text, struct hd_vlarb_entry *entries)
{
	unsigned n = 0;

	for (unsigned i = 0; i < HD_VLARB_MAX; i++) {
		const unsigned vl = read_number(&text), weight = read_number(&text);

		entries[i] = (struct hd_vlarb_entry){ (uint8_t)(vl % HD_MAX_VLS), (uint8_t)weight };
		if (entries[i].weight)
			n = i + 1;
	}
	return (uint8_t)n;
}

/* The option of one kind of port, or else that of all, or else the default. */
static const char *pick(const char *own, const char *general, const char *fallback)
{
	if (own)
		return own;
	return general ? general : fallback;
}

static struct site_lanes read_lanes(const struct hd_site_options *own,
				    const struct hd_site_options *general,
				    const struct hd_site_options *defaults)
{
	const char *sl2vl = pick(own->sl2vl, general->sl2vl, defaults->sl2vl);
	struct site_lanes lanes = { 0 };
	int limit = own->high_limit;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		lanes.row = hd_row_set(lanes.row, sl, read_number(&sl2vl) & 15);
	lanes.vlarb.n_low = read_table(
		pick(own->vlarb_low, general->vlarb_low, defaults->vlarb_low), lanes.vlarb.low);
	lanes.vlarb.n_high = read_table(
		pick(own->vlarb_high, general->vlarb_high, defaults->vlarb_high), lanes.vlarb.high);
	if (limit < 0)
		limit = general->high_limit;
	lanes.vlarb.high_limit = (uint8_t)(limit < 0 ? defaults->high_limit : limit);
	return lanes;
}

/* Cuts VLs down to the bits of @mask, and entries to what there is room for. */
static uint8_t cut_table(struct hd_vlarb_entry *entries, unsigned n, unsigned room, unsigned mask)
{
	for (unsigned i = 0; i < n; i++)
		entries[i].vl &= (uint8_t)mask;
	return (uint8_t)(n < room ? n : room);
}

/* Gives the linked port @number of @node its rows and arbitration. */
static int set_port(struct hd_tables *tables, uint32_t node, unsigned number,
		    const struct site_lanes *lanes, const struct hd_vlarb_room *rooms,
		    struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const uint32_t port = hd_port_index(fabric, node, number);
	const unsigned mask = hd_vl_mask(number ? fabric->ports[port].vls : HD_MAX_VLS);
	const hd_sl2vl_row row = hd_row_masked(lanes->row, mask);
	struct hd_vlarb vlarb = lanes->vlarb;

	if (!hd_is_switch(fabric, node))
		tables->sl2vl[hd_sl2vl_host_index(tables, node, number)] = row;
	else if (!number)
		tables->sl2vl[hd_sl2vl_index(tables, node, 0, 0)] = row;
	else
		for (unsigned in = 0; in <= fabric->nodes[node].n_ports; in++)
			tables->sl2vl[hd_sl2vl_index(tables, node, in, number)] = row;
	if (!rooms[port].low && !rooms[port].high)
		return 0;
	vlarb.n_low = cut_table(vlarb.low, vlarb.n_low, rooms[port].low, mask);
	vlarb.n_high = cut_table(vlarb.high, vlarb.n_high, rooms[port].high, mask);
	return hd_tables_set_vlarb(tables, port, &vlarb, err);
}

/* Fills @tables with what a subnet manager makes of the options at every port. */
static int fill(struct hd_tables *tables, const struct hd_site_qos *qos,
		const struct hd_vlarb_room *rooms, struct hd_error *err)
{
	const struct hd_fabric *fabric = tables->fabric;
	const struct site_lanes ca = read_lanes(&qos->ca, &qos->all, &qos->defaults);
	const struct site_lanes sw0 = read_lanes(&qos->sw0, &qos->all, &qos->defaults);
	const struct site_lanes swe = read_lanes(&qos->swe, &qos->all, &qos->defaults);
	const struct site_lanes rtr = read_lanes(&qos->rtr, &qos->all, &qos->defaults);
	int ret = 0;

	hd_for_each_node(n, fabric) {
		const bool is_switch = hd_is_switch(fabric, n);
		const struct site_lanes *lanes = is_switch                            ? &swe
						 : fabric->nodes[n].type == HD_ROUTER ? &rtr
										      : &ca;

		if (!ret && is_switch && fabric->nodes[n].enhanced_port0)
			ret = set_port(tables, n, 0, &sw0, rooms, err);
		hd_for_each_number(number, fabric, n)
			if (!ret && hd_peer_node(fabric, n, number) != HD_NONE)
				ret = set_port(tables, n, number, lanes, rooms, err);
	}
	return ret;
}

/*
 * Proves @tables: with SL 0, the path SL of them, and whether loops are there with any SL. What
 * else is wrong with other SLs is the site's, and noted in @remark.
 */
static int prove(const struct hd_tables *tables, unsigned max_vls, char *remark, size_t size,
		 struct hd_error *err)
{
	struct hd_check_options options = { .max_vls = max_vls };
	struct hd_check_result result;
	char text[400];

	for (unsigned all = 0; all < 2; all++) {
		bool is_bad;
		int ret;

		options.all_sls = all;
		ret = hd_check(tables, &options, &result, err);
		if (ret)
			return ret;
		is_bad = all ? result.n_witness > 0 : result.failure != HD_CHECK_SOUND;
		hd_check_summary(&result, tables->fabric, text, sizeof(text));
		if (all && result.failure != HD_CHECK_SOUND)
			snprintf(remark, size, "; not for all SLs: %s", text);
		hd_check_clear(&result);
		if (is_bad)
			return hd_error_set(err, HD_EREFUSED, "%s", text);
	}
	return 0;
}

/* Whether all packets are on VL 0 by SL 0, so that no row is needed. */
static bool has_one_lane(const struct hd_tables *tables)
{
	const struct hd_fabric *fabric = tables->fabric;

	for (size_t i = 0; i < tables->sl2vl_first[fabric->n_nodes]; i++)
		if (hd_row_vl(tables->sl2vl[i], 0))
			return false;
	return !tables->classes && !(hd_tables_sls_used(tables) & ~1u);
}

/* Makes and proves the tables; all errors are those of the site's lanes, or of memory. */
static int make(const struct hd_tables *routed, const struct hd_site_lanes_request *request,
		struct hd_tables **lanes, char *remark, size_t size, struct hd_error *err)
{
	int ret = hd_tables_onto(routed, routed->fabric, lanes, NULL, err);

	if (!ret)
		ret = fill(*lanes, request->qos, request->rooms, err);
	if (ret)
		return ret;
	(*lanes)->has_sl2vl = (*lanes)->has_path_sls = (*lanes)->has_vlarb = true;
	return request->is_unchecked ? 0 : prove(*lanes, request->max_vls, remark, size, err);
}

int hd_site_lanes(const struct hd_tables *routed, const struct hd_site_lanes_request *request,
		  struct hd_tables **lanes, char *remark, size_t size, struct hd_error *err)
{
	char *names = hd_site_qos_names(request->qos);
	struct hd_error cause;
	int ret = 0;

	*lanes = NULL;
	remark[0] = '\0';
	if (!names)
		return hd_error_nomem(err);
	if (*names && has_one_lane(routed)) {
		ret = make(routed, request, lanes, remark, size, &cause);
		if (ret) {
			hd_tables_free(*lanes);
			*lanes = NULL;
			snprintf(remark, size, ": %s", cause.text);
		}
	}
	free(names);
	return ret == HD_ENOMEM ? hd_error_nomem(err) : 0;
}
