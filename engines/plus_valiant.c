// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "engines/plus_valiant.h"

#include <stdlib.h>
#include <string.h>

#include "engines/plus_ports.h"
#include "support/error.h"
#include "support/memory.h"

/* What packets to a destination's switch can do at a switch. */
enum {
	LAST = 1,    /* a spine next to the leaf, or the spine itself */
	DIRECT = 2,  /* a spine that is LAST or ENDS, or has a link to one of another group */
	PASSES = 4,  /* packets that came down, or from another group, on VL 0, arrive */
	BETWEEN = 8, /* a spine: a link to another group leads to a spine that PASSES */
	STARTS = 16, /* packets that have been in no other group arrive */
	ENDS = 32,   /* a spine: the first leaf leads from there to the spine */
};

/* pLFTs. */
enum { FIRST = 1, LATER = 2, N_PLFTS };

struct plan {
	const struct hd_fabric *fabric;
	const struct hd_dragonfly_plus *plus;
	const struct hd_route_targets *targets;
	enum hd_ar_state state;
	struct hd_tables *tables;
	uint8_t *flags; /* [destination * n_switches + switch] */
};

/* Subgroups of an entry, in order of preference; empty ones are left out at the end. */
struct parts {
	unsigned n;
	struct hd_port_set set[3];
};

/* Ports of @kind of @s to switches whose flags have any of @wanted and none of @barred. */
static struct hd_port_set ports_to(const struct plan *plan, uint32_t s, enum hd_plus_kind kind,
				   const uint8_t *flags, unsigned wanted, unsigned barred)
{
	struct hd_port_set set = { { 0 } };

	hd_for_each_number(number, plan->fabric, s) {
		uint32_t next;

		if (hd_plus_kind(plan->fabric, plan->plus, s, number, &next) == kind &&
		    flags[next] & wanted && !(flags[next] & barred))
			hd_port_set_add(&set, number);
	}
	return set;
}

static bool has_any(const struct plan *plan, uint32_t s, enum hd_plus_kind kind,
		    const uint8_t *flags, unsigned wanted)
{
	hd_for_each_number(number, plan->fabric, s) {
		uint32_t next;

		if (hd_plus_kind(plan->fabric, plan->plus, s, number, &next) == kind &&
		    flags[next] & wanted)
			return true;
	}
	return false;
}

/* The leaf of the group of @s where packets turn upwards to a spine that they end at. */
static uint32_t first_leaf(const struct plan *plan, uint32_t s)
{
	const uint32_t group = plan->plus->group[s];

	return plan->plus->n_leaves[group] ? plan->plus->switches[plan->plus->first[group]]
					   : HD_NONE;
}

/*
 * A pass over all spines, or all leaves but the first of groups: those with a port of @kind to one
 * that has any of @wanted get @flag.
 */
static void spread(const struct plan *plan, enum hd_plus_kind kind, unsigned wanted, unsigned flag,
		   uint8_t *flags)
{
	hd_for_each_switch(s, plan->fabric)
		if (plan->plus->is_spine[s] == (kind != HD_PLUS_UP) &&
		    (flag == STARTS || first_leaf(plan, s) != s) &&
		    has_any(plan, s, kind, flags, wanted))
			flags[s] |= (uint8_t)flag;
}

/* Gives all with any of @given what @also says. */
static void imply(const struct plan *plan, unsigned given, unsigned also, uint8_t *flags)
{
	hd_for_each_switch(s, plan->fabric)
		if (flags[s] & given)
			flags[s] |= (uint8_t)also;
}

/* Flags of the spines next to leaf @to. */
static void begin_at_leaf(const struct plan *plan, uint32_t to, uint8_t *flags)
{
	hd_for_each_number(number, plan->fabric, to) {
		uint32_t next;

		if (hd_plus_kind(plan->fabric, plan->plus, to, number, &next) == HD_PLUS_UP)
			flags[next] |= LAST;
	}
}

/* Flags of spine @to, of the first leaf of its group, and of the spines next to that. */
static void begin_at_spine(const struct plan *plan, uint32_t to, uint8_t *flags)
{
	hd_for_each_number(number, plan->fabric, to) {
		uint32_t next;

		if (hd_plus_kind(plan->fabric, plan->plus, to, number, &next) != HD_PLUS_DOWN ||
		    first_leaf(plan, next) != next)
			continue;
		flags[next] |= PASSES;
		hd_for_each_number(up, plan->fabric, next) {
			uint32_t spine;

			if (hd_plus_kind(plan->fabric, plan->plus, next, up, &spine) == HD_PLUS_UP)
				flags[spine] |= ENDS;
		}
	}
	flags[to] = (uint8_t)((flags[to] | LAST) & ~(unsigned)ENDS);
}

/* Flags of all switches for packets to switch @to, from the last link to the first. */
static void find_flags(const struct plan *plan, uint32_t to, uint8_t *flags)
{
	flags[to] = PASSES | STARTS;
	if (plan->plus->is_spine[to])
		begin_at_spine(plan, to, flags);
	else
		begin_at_leaf(plan, to, flags);
	spread(plan, HD_PLUS_BETWEEN, LAST | ENDS, DIRECT, flags);
	imply(plan, LAST | ENDS, DIRECT, flags);
	spread(plan, HD_PLUS_UP, DIRECT, PASSES, flags);
	spread(plan, HD_PLUS_DOWN, PASSES, PASSES, flags);
	imply(plan, DIRECT, PASSES, flags);
	spread(plan, HD_PLUS_BETWEEN, PASSES, BETWEEN, flags);
	imply(plan, PASSES | BETWEEN, STARTS, flags);
	spread(plan, HD_PLUS_UP, STARTS, STARTS, flags);
}

static void add_part(struct parts *parts, struct hd_port_set set)
{
	if (hd_port_set_count(&set))
		parts->set[parts->n++] = set;
}

/* Ports at @s of packets to @to that have been in no other group. */
static struct parts first_parts(const struct plan *plan, uint32_t s, uint32_t to,
				const uint8_t *flags)
{
	const bool is_home = plan->plus->group[s] == plan->plus->group[to];
	struct parts parts = { 0 };

	if (!plan->plus->is_spine[s]) {
		add_part(&parts, ports_to(plan, s, HD_PLUS_UP, flags, is_home ? LAST : DIRECT, 0));
		if (!is_home)
			add_part(&parts, ports_to(plan, s, HD_PLUS_UP, flags, BETWEEN, DIRECT));
		if (!parts.n)
			add_part(&parts, ports_to(plan, s, HD_PLUS_UP, flags, STARTS, 0));
		return parts;
	}
	if (is_home && flags[s] & LAST) {
		add_part(&parts, hd_plus_ports_to(plan->fabric, s, to));
		return parts;
	}
	if (is_home)
		add_part(&parts, ports_to(plan, s, HD_PLUS_DOWN, flags, PASSES, 0));
	add_part(&parts, ports_to(plan, s, HD_PLUS_BETWEEN, flags, LAST, 0));
	add_part(&parts, ports_to(plan, s, HD_PLUS_BETWEEN, flags, PASSES, LAST));
	if (!parts.n)
		add_part(&parts, ports_to(plan, s, HD_PLUS_DOWN, flags, PASSES, 0));
	return parts;
}

/* The same of packets that came down, or from another group, or on VL 1. */
static struct parts later_parts(const struct plan *plan, uint32_t s, uint32_t to,
				const uint8_t *flags)
{
	struct parts parts = { 0 };

	if (!(flags[s] & PASSES))
		return parts;
	if (!plan->plus->is_spine[s]) {
		add_part(&parts, ports_to(plan, s, HD_PLUS_UP, flags, LAST, 0));
		if (!parts.n)
			add_part(&parts, ports_to(plan, s, HD_PLUS_UP, flags, DIRECT, 0));
		return parts;
	}
	if (flags[s] & LAST)
		add_part(&parts, hd_plus_ports_to(plan->fabric, s, to));
	else if (flags[s] & ENDS)
		add_part(&parts, hd_plus_ports_to(plan->fabric, s, first_leaf(plan, s)));
	if (!parts.n)
		add_part(&parts, ports_to(plan, s, HD_PLUS_BETWEEN, flags, LAST, 0));
	if (!parts.n)
		add_part(&parts, ports_to(plan, s, HD_PLUS_BETWEEN, flags, ENDS, 0));
	if (!parts.n)
		add_part(&parts, ports_to(plan, s, HD_PLUS_DOWN, flags, PASSES, 0));
	return parts;
}

/* The default port of an entry: destinations take turns over the ports of the first subgroup. */
static uint8_t default_port(const struct parts *parts, size_t turn)
{
	unsigned port;

	if (!parts->n)
		return HD_NO_PATH;
	port = hd_port_set_next(&parts->set[0], 0);
	for (turn %= hd_port_set_count(&parts->set[0]); turn; turn--)
		port = hd_port_set_next(&parts->set[0], port + 1);
	return (uint8_t)port;
}

static int set_entries(const struct plan *plan, uint32_t s)
{
	const size_t n = plan->fabric->n_switches;
	const struct hd_ar_lft *lfts = plan->tables->ar->switches[s].lfts;
	struct parts parts[N_PLFTS];
	uint32_t last = HD_NONE;
	int ret = 0;

	for (size_t i = 0; i < plan->targets->n && !ret; i++) {
		const struct hd_route_target *to = &plan->targets->list[i];
		const uint8_t *flags = plan->flags + to->via_switch * n;

		if (to->via_switch == s) {
			for (unsigned plft = FIRST; plft < N_PLFTS; plft++)
				lfts[plft - 1].port[to->lid] = to->via_port;
			continue;
		}
		/* LIDs of one switch stand together */
		if (to->via_switch != last) {
			parts[FIRST] = first_parts(plan, s, to->via_switch, flags);
			parts[LATER] = later_parts(plan, s, to->via_switch, flags);
		}
		last = to->via_switch;
		for (unsigned plft = FIRST; plft < N_PLFTS && !ret; plft++)
			ret = hd_ar_set_private(plan->tables, s, plft, to->lid, plan->state,
						default_port(&parts[plft], i), parts[plft].set,
						parts[plft].n);
	}
	return ret;
}

/* The VL for each VL of packets that came by a port of kind @in and leave by one of kind @out. */
static hd_sl2vl_row next_vls(enum hd_plus_kind in, enum hd_plus_kind out, bool is_first_leaf)
{
	/* up behind down, or between groups twice in a row */
	const bool is_raised = in == out && in != HD_PLUS_DOWN;
	hd_sl2vl_row row = 0;

	/* from hosts, and to them */
	if (in == HD_PLUS_OTHER || out == HD_PLUS_OTHER)
		return row;
	for (unsigned vl = 0; vl < HD_MAX_SLS; vl++) {
		const unsigned next = vl == 1 && is_first_leaf ? vl : vl + is_raised;

		row = hd_row_set(row, vl, next < 2 ? next : HD_VL_DROP);
	}
	return row;
}

static int set_switch(const struct plan *plan, uint32_t s)
{
	const size_t n_ports = plan->fabric->nodes[s].n_ports + (size_t)1;
	struct hd_ar_switch *own = &plan->tables->ar->switches[s];
	int ret = hd_ar_add_plfts(plan->tables, s, N_PLFTS, HD_AR_BY_VL);

	if (!ret)
		ret = hd_ar_add_vl2vl(plan->tables, s);
	if (ret)
		return ret;
	for (unsigned in = 0; in < n_ports; in++) {
		uint32_t next;
		const enum hd_plus_kind kind = hd_plus_kind(plan->fabric, plan->plus, s, in, &next);

		for (unsigned vl = 0; vl < HD_MAX_SLS; vl++) {
			const bool is_first =
				kind == HD_PLUS_OTHER || (kind == HD_PLUS_DOWN && !vl);

			own->plft[in * HD_MAX_SLS + vl] = is_first ? FIRST : LATER;
		}
		for (unsigned out = 0; out < n_ports; out++)
			own->vl2vl[out * n_ports + in] = next_vls(
				kind, hd_plus_kind(plan->fabric, plan->plus, s, out, &next),
				first_leaf(plan, s) == s);
	}
	return set_entries(plan, s);
}

/* Refuses a fabric on which packets cannot begin at some switch. */
static int require_paths(const struct plan *plan, struct hd_error *err)
{
	const size_t n = plan->fabric->n_switches;
	char from[320], end[320];

	for (size_t i = 0; i < n * n; i++) {
		if (plan->flags[i] & STARTS)
			continue;
		hd_node_label(plan->fabric, (uint32_t)(i % n), from, sizeof(from));
		hd_node_label(plan->fabric, (uint32_t)(i / n), end, sizeof(end));
		return hd_error_set(err, HD_EREFUSED,
				    "ar=valiant: no path from %s to %s goes up and down twice at "
				    "most, with a link between groups each time",
				    from, end);
	}
	return 0;
}

int hd_plus_valiant(const struct hd_fabric *fabric, const struct hd_dragonfly_plus *plus,
		    const struct hd_route_targets *targets, enum hd_ar_state state,
		    struct hd_tables *tables, struct hd_error *err)
{
	const size_t n = fabric->n_switches;
	struct plan plan = {
		.fabric = fabric,
		.plus = plus,
		.targets = targets,
		.state = state,
		.tables = tables,
		.flags = hd_alloc_large(n * n + 1),
	};
	int failed = 0, ret;

	if (!plan.flags)
		return hd_error_nomem(err);
#pragma omp parallel for schedule(dynamic) if (n > 64)
	for (uint32_t to = 0; to < fabric->n_switches; to++) {
		memset(plan.flags + to * n, 0, n);
		find_flags(&plan, to, plan.flags + to * n);
	}
	ret = require_paths(&plan, err);
#pragma omp parallel for schedule(dynamic) if (n > 64)
	for (uint32_t s = 0; s < fabric->n_switches; s++) {
		const int own = ret ? 0 : set_switch(&plan, s);

		if (own) {
#pragma omp atomic write
			failed = own;
		}
	}
	free(plan.flags);
	if (failed == HD_ERANGE)
		return hd_error_set(err, HD_ERANGE, "ar=valiant: a switch has more than %u groups",
				    HD_AR_MAX_GROUPS);
	return failed ? hd_error_nomem(err) : ret;
}
