// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "vlarb/class_layout.h"

#include <string.h>

#include "vlarb/vlarb.h"
#include "support/error.h"
#include "tables/classes.h"
#include "tables/onto.h"

/* The VLs that each SL may be put on: from `first` on, those before `end`; 0: any. */
struct ranges {
	uint8_t first[HD_MAX_SLS], end[HD_MAX_SLS];
};

static struct ranges find_ranges(const struct hd_classes *classes)
{
	struct ranges ranges = { { 0 }, { 0 } };

	for (unsigned i = 0; i < classes->n; i++)
		for (unsigned k = 0; k < classes->n_sls; k++) {
			const struct hd_class *class = &classes->list[i];

			ranges.first[class->first_sl + k] = classes->first_vl[class->lanes];
			ranges.end[class->first_sl + k] = classes->first_vl[class->lanes + 1];
		}
	return ranges;
}

static bool is_in_ranges(const struct ranges *ranges, hd_sl2vl_row row)
{
	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		const unsigned vl = hd_row_vl(row, sl);

		if (ranges->end[sl] && vl != HD_VL_DROP &&
		    (vl < ranges->first[sl] || vl >= ranges->end[sl]))
			return false;
	}
	return true;
}

/*
 * Whether the rows of all links of @tables put the SLs of each class of @classes on VLs of its
 * lanes.
 */
static bool are_rows_in_lanes(const struct hd_tables *tables, const struct hd_classes *classes)
{
	const struct hd_fabric *fabric = tables->fabric;
	const struct ranges ranges = find_ranges(classes);

	hd_for_each_switch(s, fabric)
		for (unsigned out = 1; out <= fabric->nodes[s].n_ports; out++)
			for (unsigned in = 0; in <= fabric->nodes[s].n_ports; in++)
				if (fabric->ports[hd_port_index(fabric, s, out)].peer != HD_NONE &&
				    !is_in_ranges(
					    &ranges,
					    tables->sl2vl[hd_sl2vl_index(tables, s, in, out)]))
					return false;
	hd_for_each_end_node(n, fabric)
		for (unsigned number = 1; number <= fabric->nodes[n].n_ports; number++)
			if (fabric->ports[hd_port_index(fabric, n, number)].peer != HD_NONE &&
			    !is_in_ranges(&ranges,
					  tables->sl2vl[hd_sl2vl_host_index(tables, n, number)]))
				return false;
	return true;
}

bool hd_class_layout_is(const struct hd_tables *tables, const struct hd_tables *before)
{
	const struct hd_classes *now = tables->classes, *then = before->classes;

	if (!hd_classes_have_same_sls(now, then))
		return false;
	/* files do not say which VLs are whose: the rows do */
	if (now && !then->first_vl[then->n_lanes])
		return are_rows_in_lanes(before, now);
	return !now || memcmp(now->first_vl, then->first_vl, sizeof(now->first_vl)) == 0;
}

/* From the SLs and VLs that classes have in tables to those that they had before. */
struct layout {
	const struct hd_classes *now, *before;
	uint8_t first_vl[HD_MAX_CLASSES]; /* [lanes] before */
	uint8_t n_vls[HD_MAX_CLASSES];
	uint8_t sl_now[HD_MAX_SLS]; /* [SL before] */
	uint8_t lanes[HD_MAX_SLS];  /* [SL before] */
};

/* The VLs of each lanes before; false: lanes have no VLs of their own, one after another. */
static bool find_vls(struct layout *layout, const struct hd_tables *before)
{
	const struct hd_classes *classes = before->classes;
	unsigned vls[HD_MAX_CLASSES] = { 0 }, after_last = 0;

	for (unsigned c = 0; c < classes->n; c++)
		vls[classes->list[c].lanes] |= hd_class_vls(before, c);
	for (unsigned lanes = 0; lanes < classes->n_lanes; lanes++) {
		unsigned first = classes->first_vl[lanes], end = classes->first_vl[lanes + 1];

		if (!classes->first_vl[classes->n_lanes]) {
			if (!vls[lanes])
				return false;
			first = (unsigned)__builtin_ctz(vls[lanes]);
			end = 32 - (unsigned)__builtin_clz(vls[lanes]);
		}
		layout->first_vl[lanes] = (uint8_t)first;
		layout->n_vls[lanes] = (uint8_t)(end - first);
		if (first < after_last)
			return false;
		after_last = end;
	}
	return true;
}

/* SLs that no class has are as those of the class that packets without one have (sl2vl/lanes.h). */
static void find_sls(struct layout *layout)
{
	const struct hd_classes *now = layout->now, *before = layout->before;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		const uint32_t found = hd_class_of_sl(before, sl);
		const unsigned c = found == HD_NONE ? before->fallback : found;
		const unsigned first = found == HD_NONE ? 0 : before->list[c].first_sl;
		const unsigned own = (sl - first) % before->n_sls;

		layout->sl_now[sl] = (uint8_t)(now->list[c].first_sl + own % now->n_sls);
		layout->lanes[sl] = now->list[c].lanes;
	}
}

static hd_sl2vl_row move_row(const struct layout *layout, hd_sl2vl_row row)
{
	hd_sl2vl_row moved = 0;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++) {
		const unsigned lanes = layout->lanes[sl], first = layout->now->first_vl[lanes];
		unsigned vl = hd_row_vl(row, layout->sl_now[sl]);

		if (vl != HD_VL_DROP && vl >= first)
			vl = layout->first_vl[lanes] + (vl - first) % layout->n_vls[lanes];
		moved |= (uint64_t)vl << (4 * sl);
	}
	return moved;
}

static uint16_t row_vls(hd_sl2vl_row row)
{
	uint16_t vls = 0;

	for (unsigned sl = 0; sl < HD_MAX_SLS; sl++)
		vls |= (uint16_t)(1u << hd_row_vl(row, sl));
	return vls & (uint16_t) ~(1u << HD_VL_DROP);
}

/* Moves the rows by which packets leave @port, and has it serve their VLs; @fits: it has them. */
static int move_port(const struct layout *layout, struct hd_tables *laid, uint32_t port, bool *fits,
		     struct hd_error *err)
{
	const struct hd_fabric *fabric = laid->fabric;
	const uint32_t node = fabric->ports[port].node;
	const unsigned out = fabric->ports[port].number;
	const bool is_switch = hd_is_switch(fabric, node);
	const unsigned n_rows = is_switch ? fabric->nodes[node].n_ports + 1u : 1;
	struct hd_vlarb vlarb;
	uint16_t vls = 0;

	for (unsigned in = 0; in < n_rows; in++) {
		hd_sl2vl_row *row = &laid->sl2vl[is_switch ? hd_sl2vl_index(laid, node, in, out)
							   : hd_sl2vl_host_index(laid, node, out)];

		*row = move_row(layout, *row);
		vls |= row_vls(*row);
	}
	*fits = !(vls >> hd_link_vls(fabric, port));
	if (!*fits)
		return 0;
	hd_vlarb_turns(vls, NULL, &vlarb);
	return hd_tables_set_vlarb(laid, port, &vlarb, err);
}

static void move_path_sls(const struct layout *layout, struct hd_tables *laid)
{
	const unsigned now = layout->now->list[layout->now->fallback].first_sl;
	const unsigned before = layout->before->list[layout->before->fallback].first_sl;
	const size_t n = laid->n_sl_rows * laid->lft_stride;

	for (size_t i = 0; i < n; i++) {
		uint8_t *sl = &laid->sl_rows[i];

		if (*sl != HD_NO_SL && *sl >= now)
			*sl = (uint8_t)(before + (*sl - now) % layout->before->n_sls);
	}
}

static int move(const struct layout *layout, struct hd_tables *laid, bool *fits,
		struct hd_error *err)
{
	const struct hd_fabric *fabric = laid->fabric;
	int ret = hd_tables_set_classes(laid, layout->before, err);

	for (uint32_t p = 0; !ret && *fits && p < fabric->n_ports; p++)
		if (fabric->ports[p].peer != HD_NONE && fabric->ports[p].number)
			ret = move_port(layout, laid, p, fits, err);
	if (ret || !*fits)
		return ret;
	for (unsigned lanes = 0; lanes < layout->before->n_lanes; lanes++) {
		laid->classes->first_vl[lanes] = layout->first_vl[lanes];
		laid->classes->first_vl[lanes + 1] =
			(uint8_t)(layout->first_vl[lanes] + layout->n_vls[lanes]);
	}
	move_path_sls(layout, laid);
	laid->has_vlarb = true;
	return 0;
}

int hd_class_layout_take(const struct hd_tables *tables, const struct hd_tables *before,
			 struct hd_tables **laid, struct hd_error *err)
{
	struct layout layout = { .now = tables->classes, .before = before->classes };
	bool fits = true;
	int ret;

	*laid = NULL;
	if (!layout.now || !layout.before || tables->ar ||
	    !hd_classes_are_alike(layout.now, layout.before) || !layout.before->n_sls ||
	    hd_class_layout_is(tables, before) || !find_vls(&layout, before))
		return 0;
	find_sls(&layout);
	ret = hd_tables_onto(tables, tables->fabric, laid, NULL, err);
	if (!ret)
		ret = move(&layout, *laid, &fits, err);
	if (ret || !fits) {
		hd_tables_free(*laid);
		*laid = NULL;
	}
	return ret;
}
