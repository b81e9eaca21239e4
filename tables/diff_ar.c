// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/diff_ar.h"

#include <string.h>

#include "tables/ar.h"

/* The ports after the change of @set of switch @s before it; port 0, in no set, for lost links. */
static struct hd_port_set map_set(const struct hd_match *match, uint32_t s,
				  const struct hd_port_set *set)
{
	struct hd_port_set mapped = { 0 };

	hd_for_each_in_set(number, set) {
		const uint32_t port = match->port[hd_port_index(match->before, s, number)];

		hd_port_set_add(&mapped, port == HD_NONE ? 0 : match->after->ports[port].number);
	}
	return mapped;
}

static struct hd_ar_entry entry_of(const struct hd_tables *tables, uint32_t s, unsigned plft,
				   uint32_t lid)
{
	const unsigned n = tables->ar ? tables->ar->switches[s].n_plfts : 1;

	return plft < n ? hd_ar_entry(tables, s, plft, lid)
			: (struct hd_ar_entry){ .port = HD_NO_PATH, .group = HD_AR_NO_GROUP };
}

/* A group before the change and one after it that were compared, and what came out. */
struct compared {
	uint16_t before, after;
	bool is_same;
};

/* Whether the group of @old leads, subgroup by subgroup, over the links of that of @new. */
static bool is_same_group(const struct hd_match *match, const struct hd_tables *before,
			  const struct hd_tables *after, uint32_t s, uint16_t old, uint16_t new,
			  struct compared *last)
{
	const struct hd_ar_groups *was, *is;
	uint32_t n;

	if (old == HD_AR_NO_GROUP || new == HD_AR_NO_GROUP)
		return old == new;
	/* LIDs behind one switch mostly have one group */
	if (last->before == old && last->after == new)
		return last->is_same;
	was = &before->ar->groups[s];
	is = &after->ar->groups[match->node[s]];
	n = was->first[old + 1u] - was->first[old];
	*last = (struct compared){ old, new, is->first[new + 1u] - is->first[new] == n };
	for (uint32_t i = 0; last->is_same && i < n; i++) {
		const struct hd_port_set mapped =
			map_set(match, s, &was->subgroups[was->first[old] + i]);

		last->is_same =
			memcmp(&mapped, &is->subgroups[is->first[new] + i], sizeof(mapped)) == 0;
	}
	return last->is_same;
}

/* Whether default port @old of a private LFT leads over the link of @new. */
static bool is_same_port(const struct hd_match *match, uint32_t s, uint8_t old, uint8_t new)
{
	uint32_t port;

	if (old > match->before->nodes[s].n_ports || !old)
		return old == new;
	port = match->port[hd_port_index(match->before, s, old)];
	return port != HD_NONE && match->after->ports[port].number == new;
}

static unsigned count_plfts(const struct hd_tables *tables, uint32_t s)
{
	return tables->ar ? tables->ar->switches[s].n_plfts : 1;
}

uint32_t hd_diff_count_ar(const struct hd_match *match, const struct hd_tables *before,
			  const struct hd_tables *after, uint32_t s, const struct hd_lid_pair *lids,
			  size_t n_lids)
{
	struct compared last = { HD_AR_NO_GROUP, HD_AR_NO_GROUP, true };
	const uint32_t own = match->node[s];
	const unsigned old_plfts = count_plfts(before, s), new_plfts = count_plfts(after, own);
	uint32_t n = 0;

	if (!before->ar && !after->ar)
		return 0;
	for (unsigned plft = 0; plft < old_plfts || plft < new_plfts; plft++)
		for (size_t i = 0; i < n_lids; i++) {
			const struct hd_ar_entry old = entry_of(before, s, plft, lids[i].before);
			const struct hd_ar_entry new = entry_of(after, own, plft, lids[i].after);

			/* those of the LFT count as its entries */
			n += old.state != new.state ||
			     (plft && !is_same_port(match, s, old.port, new.port)) ||
			     !is_same_group(match, before, after, s, old.group, new.group, &last);
		}
	return n;
}

/* The map's number for in-port @in and a column, 0 without a map. */
static unsigned number_at(const struct hd_tables *tables, uint32_t s, unsigned in, unsigned column)
{
	return hd_ar_plft(tables, s, in, column, column);
}

static bool is_same_map_row(const struct hd_tables *before, const struct hd_tables *after,
			    uint32_t s, unsigned in, uint32_t own, unsigned new_in)
{
	for (unsigned column = 0; column < HD_MAX_SLS; column++)
		if (number_at(before, s, in, column) != number_at(after, own, new_in, column))
			return false;
	return true;
}

/* The port after the change, port 0 for itself; HD_NO_PATH: its link is gone. */
static unsigned map_port(const struct hd_match *match, uint32_t s, unsigned number)
{
	const uint32_t port = match->port[hd_port_index(match->before, s, number)];

	if (!number)
		return 0;
	return port == HD_NONE ? HD_NO_PATH : match->after->ports[port].number;
}

static const hd_sl2vl_row *vl2vl_of(const struct hd_tables *tables, uint32_t s)
{
	return tables->ar ? tables->ar->switches[s].vl2vl : NULL;
}

/* The VL2VL rows from in-port @in that differ. */
static uint32_t count_vl2vl(const struct hd_match *match, const struct hd_tables *before,
			    const struct hd_tables *after, uint32_t s, unsigned in, unsigned new_in)
{
	const uint32_t own = match->node[s];
	const hd_sl2vl_row *old = vl2vl_of(before, s), *new = vl2vl_of(after, own);
	const size_t n_old = match->before->nodes[s].n_ports + (size_t)1;
	const size_t n_new = match->after->nodes[own].n_ports + (size_t)1;
	uint32_t n = 0;

	if (!old && !new)
		return 0;
	for (unsigned out = 0; out < n_old; out++) {
		const unsigned new_out = map_port(match, s, out);

		if (new_out != HD_NO_PATH)
			n += !old || !new || old[out * n_old + in] != new[new_out * n_new + new_in];
	}
	return n;
}

uint32_t hd_diff_count_ar_rows(const struct hd_match *match, const struct hd_tables *before,
			       const struct hd_tables *after, uint32_t s)
{
	const uint32_t own = match->node[s];
	uint32_t n = 0;

	if (!before->ar && !after->ar)
		return 0;
	for (unsigned in = 0; in <= match->before->nodes[s].n_ports; in++) {
		const unsigned new_in = map_port(match, s, in);

		if (new_in == HD_NO_PATH)
			continue;
		n += !is_same_map_row(before, after, s, in, own, new_in);
		n += count_vl2vl(match, before, after, s, in, new_in);
	}
	return n;
}
