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

unsigned hd_port_set_next(const struct hd_port_set *set, unsigned port)
{
	uint64_t word = set->words[port / 64] >> port % 64 << port % 64;

	for (unsigned w = port / 64;; word = set->words[w]) {
		if (word)
			return w * 64 + (unsigned)__builtin_ctzll(word);
		if (++w == 4)
			return HD_NO_PATH;
	}
}

int hd_ar_new(struct hd_tables *tables, struct hd_error *err)
{
	const size_t n = tables->fabric->n_switches * tables->lft_stride;
	struct hd_ar *ar = calloc(1, sizeof(*ar));

	if (!ar)
		return hd_error_nomem(err);
	ar->state = calloc(n + 1, sizeof(*ar->state));
	ar->group = malloc((n + 1) * sizeof(*ar->group));
	ar->groups = calloc(tables->fabric->n_switches + (size_t)1, sizeof(*ar->groups));
	if (!ar->state || !ar->group || !ar->groups) {
		hd_ar_free(ar, tables->fabric);
		return hd_error_nomem(err);
	}
	memset(ar->group, 0xFF, n * sizeof(*ar->group));
	tables->ar = ar;
	return 0;
}

void hd_ar_free(struct hd_ar *ar, const struct hd_fabric *fabric)
{
	if (!ar)
		return;
	hd_for_each_switch(s, fabric)
		if (ar->groups)
			free(ar->groups[s].sets);
	free(ar->state);
	free(ar->group);
	free(ar->groups);
	free(ar);
}

int hd_ar_intern(struct hd_ar *ar, uint32_t s, const struct hd_port_set *set, uint16_t *group)
{
	struct hd_ar_groups *groups = &ar->groups[s];

	/* LIDs in a row mostly share a group, the newest one */
	for (uint32_t i = groups->n; i > 0; i--)
		if (memcmp(&groups->sets[i - 1], set, sizeof(*set)) == 0) {
			*group = (uint16_t)(i - 1);
			return 0;
		}
	if (groups->n == HD_AR_MAX_GROUPS)
		return HD_ERANGE;
	if (groups->n == groups->room) {
		uint32_t room = groups->room ? 2 * groups->room : 8;
		struct hd_port_set *sets = realloc(groups->sets, room * sizeof(*sets));

		if (!sets)
			return HD_ENOMEM;
		groups->sets = sets;
		groups->room = room;
	}
	groups->sets[groups->n] = *set;
	*group = (uint16_t)groups->n++;
	return 0;
}

int hd_ar_set(struct hd_tables *tables, uint32_t s, uint16_t lid, enum hd_ar_state state,
	      const struct hd_port_set *set)
{
	struct hd_ar *ar = tables->ar;
	size_t entry = s * tables->lft_stride + lid;

	ar->state[entry] = HD_AR_STATIC;
	ar->group[entry] = HD_AR_NO_GROUP;
	if (state == HD_AR_STATIC || hd_port_set_count(set) < 2)
		return 0;
	ar->state[entry] = (uint8_t)state;
	return hd_ar_intern(ar, s, set, &ar->group[entry]);
}

const char *hd_ar_state_name(enum hd_ar_state state)
{
	static const char *const names[HD_AR_STATES] = {
		[HD_AR_STATIC] = "static",
		[HD_AR_BOUNDED] = "bounded",
		[HD_AR_FREE] = "free",
	};

	return names[state];
}

void hd_ar_count(const struct hd_tables *tables, struct hd_ar_totals *totals)
{
	*totals = (struct hd_ar_totals){ 0 };
	if (!tables->ar)
		return;
	hd_for_each_switch(s, tables->fabric) {
		if (tables->ar->groups[s].n > totals->most_groups)
			totals->most_groups = tables->ar->groups[s].n;
		hd_for_each_lid(lid, tables->fabric) {
			const struct hd_port_set *set = hd_ar_ports(tables, s, lid);

			if (!set)
				continue;
			totals->n_entries++;
			totals->n_ports += hd_port_set_count(set);
		}
	}
}
