// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
#include "tables/ar.h"

#include <stdlib.h>
#include <string.h>

#include "support/error.h"

unsigned hd_port_set_count(const struct hd_port_set *set)
{
	unsigned n = 0;

	for (unsigned w = 0; w < 4; w++)
		n += (unsigned)__builtin_popcountll(set->words[w]);
	return n;
}

int hd_ar_new(struct hd_tables *tables, struct hd_error *err)
{
	const size_t n_switches = tables->fabric->n_switches + (size_t)1;
	const size_t n = tables->fabric->n_switches * tables->lft_stride;
	struct hd_ar *ar = calloc(1, sizeof(*ar));

	if (!ar)
		return hd_error_nomem(err);
	ar->state = calloc(n + 1, sizeof(*ar->state));
	ar->group = malloc((n + 1) * sizeof(*ar->group));
	ar->groups = calloc(n_switches, sizeof(*ar->groups));
	ar->switches = calloc(n_switches, sizeof(*ar->switches));
	if (!ar->state || !ar->group || !ar->groups || !ar->switches) {
		hd_ar_free(ar, tables->fabric);
		return hd_error_nomem(err);
	}
	memset(ar->group, 0xFF, n * sizeof(*ar->group));
	hd_for_each_switch(s, tables->fabric)
		ar->switches[s] = (struct hd_ar_switch){
			.n_plfts = 1,
			.adaptive_sls = UINT16_MAX,
			.hash_sls = UINT16_MAX,
			.hash_fields = HD_AR_HASH_SOURCE | HD_AR_HASH_LID,
		};
	tables->ar = ar;
	return 0;
}

static void free_switch(struct hd_ar_switch *own)
{
	for (unsigned i = 0; i + 1 < HD_AR_MAX_PLFTS; i++) {
		free(own->lfts[i].port);
		free(own->lfts[i].state);
		free(own->lfts[i].group);
	}
	free(own->plft);
	free(own->vl2vl);
}

void hd_ar_free(struct hd_ar *ar, const struct hd_fabric *fabric)
{
	if (!ar)
		return;
	hd_for_each_switch(s, fabric) {
		if (ar->groups) {
			free(ar->groups[s].sets);
			free(ar->groups[s].first);
			free(ar->groups[s].subgroups);
		}
		if (ar->switches)
			free_switch(&ar->switches[s]);
	}
	free(ar->state);
	free(ar->group);
	free(ar->groups);
	free(ar->switches);
	free(ar);
}

/* Makes room for one more group, of @n subgroups. */
static bool reserve(struct hd_ar_groups *groups, unsigned n)
{
	const uint32_t used = groups->n ? groups->first[groups->n] : 0;

	if (groups->n == groups->room) {
		const uint32_t room = groups->room ? 2 * groups->room : 8;
		struct hd_port_set *sets = realloc(groups->sets, room * sizeof(*sets));
		uint32_t *first;

		if (!sets)
			return false;
		groups->sets = sets;
		first = realloc(groups->first, (room + (size_t)1) * sizeof(*first));
		if (!first)
			return false;
		first[0] = 0;
		groups->first = first;
		groups->room = room;
	}
	if (used + n > groups->room_subgroups) {
		const uint32_t room = 2 * (used + n);
		struct hd_port_set *subgroups =
			realloc(groups->subgroups, room * sizeof(*subgroups));

		if (!subgroups)
			return false;
		groups->subgroups = subgroups;
		groups->room_subgroups = room;
	}
	return true;
}

static bool is_group(const struct hd_ar_groups *groups, uint32_t i, const struct hd_port_set *all,
		     const struct hd_port_set *subgroups, unsigned n)
{
	return memcmp(&groups->sets[i], all, sizeof(*all)) == 0 &&
	       groups->first[i + 1] - groups->first[i] == n &&
	       memcmp(&groups->subgroups[groups->first[i]], subgroups, n * sizeof(*subgroups)) == 0;
}

int hd_ar_intern_subgroups(struct hd_ar *ar, uint32_t s, const struct hd_port_set *subgroups,
			   unsigned n, uint16_t *group)
{
	struct hd_ar_groups *groups = &ar->groups[s];
	struct hd_port_set all = { { 0 } };

	for (unsigned i = 0; i < n; i++)
		hd_port_set_merge(&all, &subgroups[i]);
	/* LIDs in a row mostly share a group, the newest one */
	for (uint32_t i = groups->n; i > 0; i--)
		if (is_group(groups, i - 1, &all, subgroups, n)) {
			*group = (uint16_t)(i - 1);
			return 0;
		}
	if (groups->n == HD_AR_MAX_GROUPS)
		return HD_ERANGE;
	if (!reserve(groups, n))
		return HD_ENOMEM;
	memcpy(&groups->subgroups[groups->first[groups->n]], subgroups, n * sizeof(*subgroups));
	groups->first[groups->n + 1] = groups->first[groups->n] + n;
	groups->sets[groups->n] = all;
	*group = (uint16_t)groups->n++;
	return 0;
}

int hd_ar_intern(struct hd_ar *ar, uint32_t s, const struct hd_port_set *set, uint16_t *group)
{
	return hd_ar_intern_subgroups(ar, s, set, 1, group);
}

int hd_ar_set(struct hd_tables *tables, uint32_t s, uint16_t lid, enum hd_ar_state state,
	      const struct hd_port_set *set)
{
	struct hd_ar *ar = tables->ar;
	size_t entry = s * tables->lft_stride + lid;

	ar->state[entry] = HD_AR_STATIC;
	ar->group[entry] = HD_AR_NO_GROUP;
	if (hd_port_set_count(set) < 2)
		return 0;
	ar->state[entry] = (uint8_t)state;
	return hd_ar_intern(ar, s, set, &ar->group[entry]);
}

int hd_ar_add_plfts(struct hd_tables *tables, uint32_t s, unsigned n, enum hd_ar_key key)
{
	struct hd_ar_switch *own = &tables->ar->switches[s];
	const size_t n_ins = tables->fabric->nodes[s].n_ports + (size_t)1;

	if (n < 2)
		return 0;
	own->plft = calloc(n_ins * HD_MAX_SLS, sizeof(*own->plft));
	if (!own->plft)
		return HD_ENOMEM;
	for (unsigned i = 0; i + 1 < n; i++) {
		struct hd_ar_lft *lft = &own->lfts[i];

		lft->port = malloc(tables->lft_stride * sizeof(*lft->port));
		lft->state = calloc(tables->lft_stride, sizeof(*lft->state));
		lft->group = malloc(tables->lft_stride * sizeof(*lft->group));
		if (!lft->port || !lft->state || !lft->group)
			return HD_ENOMEM;
		memset(lft->port, HD_NO_PATH, tables->lft_stride * sizeof(*lft->port));
		memset(lft->group, 0xFF, tables->lft_stride * sizeof(*lft->group));
	}
	own->n_plfts = n;
	own->key = key;
	return 0;
}

int hd_ar_set_private(struct hd_tables *tables, uint32_t s, unsigned plft, uint16_t lid,
		      enum hd_ar_state state, uint8_t port, const struct hd_port_set *subgroups,
		      unsigned n)
{
	const struct hd_ar_lft *lft = &tables->ar->switches[s].lfts[plft - 1];
	unsigned n_ports = 0;

	for (unsigned i = 0; i < n; i++)
		n_ports += hd_port_set_count(&subgroups[i]);
	lft->port[lid] = port;
	lft->state[lid] = HD_AR_STATIC;
	lft->group[lid] = HD_AR_NO_GROUP;
	if (n_ports < 2)
		return 0;
	lft->state[lid] = (uint8_t)state;
	return hd_ar_intern_subgroups(tables->ar, s, subgroups, n, &lft->group[lid]);
}

int hd_ar_add_vl2vl(struct hd_tables *tables, uint32_t s)
{
	const size_t n = tables->fabric->nodes[s].n_ports + (size_t)1;
	hd_sl2vl_row *rows = malloc(n * n * sizeof(*rows));

	if (!rows)
		return HD_ENOMEM;
	for (size_t i = 0; i < n * n; i++)
		rows[i] = HD_AR_KEEP_VL;
	tables->ar->switches[s].vl2vl = rows;
	return 0;
}

bool hd_ar_is_private(const struct hd_tables *tables)
{
	if (!tables->ar)
		return false;
	hd_for_each_switch(s, tables->fabric)
		if (tables->ar->switches[s].n_plfts > 1 || tables->ar->switches[s].vl2vl)
			return true;
	return false;
}

void hd_ar_drop(struct hd_tables *tables)
{
	if (tables->ar)
		hd_ar_free(tables->ar, tables->fabric);
	tables->ar = NULL;
}

int hd_ar_refuse_private(const struct hd_tables *tables, const char *who, struct hd_error *err)
{
	if (!hd_ar_is_private(tables))
		return 0;
	return hd_error_set(err, HD_EINVAL,
			    "%s follows one LFT a switch and SL2VL: these tables have private LFTs "
			    "or VL2VL",
			    who);
}

unsigned hd_ar_most_plfts(const struct hd_tables *tables)
{
	unsigned most = 1;

	if (!tables->ar)
		return most;
	hd_for_each_switch(s, tables->fabric)
		if (tables->ar->switches[s].n_plfts > most)
			most = tables->ar->switches[s].n_plfts;
	return most;
}

struct hd_ar_entry hd_ar_entry(const struct hd_tables *tables, uint32_t s, unsigned plft,
			       uint32_t lid)
{
	const struct hd_ar_lft lft = hd_ar_lft_of(tables, s, plft);
	struct hd_ar_entry entry = { lft.port[lid], HD_AR_STATIC, HD_AR_NO_GROUP, NULL };

	if (!lft.group)
		return entry;
	entry.state = lft.state[lid];
	entry.group = lft.group[lid];
	if (entry.group != HD_AR_NO_GROUP)
		entry.set = &tables->ar->groups[s].sets[entry.group];
	return entry;
}

/* What stands in for the default port of a static entry while up to @n_down ports are down. */
static void add_repairs(const struct hd_ar_groups *groups, const struct hd_ar_entry *entry,
			unsigned n_down, struct hd_port_set *choices)
{
	unsigned needed = 1; /* ports that are down before a subgroup's turn comes */

	for (uint32_t i = groups->first[entry->group]; i < groups->first[entry->group + 1]; i++) {
		struct hd_port_set rest = groups->subgroups[i];

		if (needed > n_down)
			return;
		hd_port_set_remove(&rest, entry->port);
		hd_port_set_merge(choices, &rest);
		needed += hd_port_set_count(&rest);
	}
}

struct hd_port_set hd_ar_choices(const struct hd_tables *tables, uint32_t s,
				 const struct hd_ar_entry *entry, unsigned n_down)
{
	struct hd_port_set choices = { { 0 } };

	hd_port_set_add(&choices, entry->port);
	if (!entry->set)
		return choices;
	if (entry->state != HD_AR_STATIC)
		hd_port_set_merge(&choices, entry->set);
	else if (n_down)
		add_repairs(&tables->ar->groups[s], entry, n_down, &choices);
	return choices;
}

const char *hd_ar_state_name(enum hd_ar_state state)
{
	static const char *const names[HD_AR_STATES] = {
		[HD_AR_STATIC] = "static",
		[HD_AR_BOUNDED] = "bounded",
		[HD_AR_FREE] = "free",
		[HD_AR_HASH] = "hash",
	};

	return names[state];
}

struct hd_port_set hd_ar_mixed_choices(const struct hd_tables *now, const struct hd_tables *before,
				       uint32_t s, unsigned plft, uint32_t lid, unsigned n_down)
{
	const struct hd_tables *tables[] = { now, before };
	struct hd_port_set choices = { { 0 } };
	uint8_t ports[2];

	for (unsigned i = 0; i < 2; i++) {
		ports[i] = plft < hd_ar_n_plfts(tables[i], s)
				   ? hd_ar_entry(tables[i], s, plft, lid).port
				   : HD_NO_PATH;
		hd_port_set_add(&choices, ports[i]);
	}
	for (unsigned i = 0; i < 2; i++) {
		struct hd_ar_entry entry;

		if (plft >= hd_ar_n_plfts(tables[i], s))
			continue;
		entry = hd_ar_entry(tables[i], s, plft, lid);
		for (unsigned k = 0; k < 2; k++) {
			if (!tables[k]->ar || entry.group >= tables[k]->ar->groups[s].n)
				continue;
			if (entry.state != HD_AR_STATIC)
				hd_port_set_merge(&choices,
						  &tables[k]->ar->groups[s].sets[entry.group]);
			/* by a MAD of its own, the default port may be that of the other side */
			for (unsigned p = 0; n_down && entry.state == HD_AR_STATIC && p < 2; p++) {
				entry.port = ports[p];
				add_repairs(&tables[k]->ar->groups[s], &entry, n_down, &choices);
			}
		}
	}
	return choices;
}

unsigned hd_ar_mixed_plfts(const struct hd_tables *now, const struct hd_tables *before, uint32_t s,
			   unsigned in, unsigned sl, unsigned vl)
{
	const struct hd_tables *tables[] = { now, before };
	unsigned plfts = 0;

	for (unsigned i = 0; i < 2; i++) {
		const struct hd_ar_switch *own = tables[i]->ar ? &tables[i]->ar->switches[s] : NULL;

		if (!own || !own->plft) {
			plfts |= 1;
			continue;
		}
		for (unsigned k = 0; k < 2; k++) {
			const struct hd_ar_switch *other =
				tables[k]->ar ? &tables[k]->ar->switches[s] : NULL;
			const enum hd_ar_key key = other && other->plft ? other->key : own->key;

			plfts |= 1u << own->plft[in * HD_MAX_SLS + (key == HD_AR_BY_SL ? sl : vl)];
		}
	}
	return plfts;
}

static void count_switch(const struct hd_tables *tables, uint32_t s, struct hd_ar_totals *totals)
{
	const struct hd_ar_switch *own = &tables->ar->switches[s];
	const struct hd_ar_groups *groups = &tables->ar->groups[s];

	if (groups->n > totals->most_groups)
		totals->most_groups = groups->n;
	for (uint32_t i = 0; i < groups->n; i++)
		if (groups->first[i + 1] - groups->first[i] > totals->most_subgroups)
			totals->most_subgroups = groups->first[i + 1] - groups->first[i];
	totals->n_private += own->n_plfts > 1;
	totals->n_vl2vl += own->vl2vl != NULL;
	if (own->n_plfts > totals->most_plfts)
		totals->most_plfts = own->n_plfts;
	for (unsigned plft = 0; plft < own->n_plfts; plft++) {
		const uint16_t *group = hd_ar_lft_of(tables, s, plft).group;
		unsigned last = HD_AR_NO_GROUP, n_ports = 0;

		hd_for_each_lid(lid, tables->fabric) {
			if (group[lid] == HD_AR_NO_GROUP)
				continue;
			/* LIDs in a row mostly share a group */
			if (group[lid] != last)
				n_ports = hd_port_set_count(&groups->sets[group[lid]]);
			last = group[lid];
			totals->n_entries++;
			totals->n_ports += n_ports;
		}
	}
}

void hd_ar_count(const struct hd_tables *tables, struct hd_ar_totals *totals)
{
	*totals = (struct hd_ar_totals){ .most_plfts = 1, .most_subgroups = 1 };
	if (!tables->ar)
		return;
	hd_for_each_switch(s, tables->fabric)
		count_switch(tables, s, totals);
}
