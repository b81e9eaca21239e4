// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/*
 * The port sets of the emulated switches, as packets may use them now: without ports whose links
 * are not active, which a switch leaves out by itself. A set of which no port is left leaves the
 * entry to its default port, which is the LFT's.
 */
#include <stdlib.h>
#include <string.h>

#include "simfabric/emulator/sma_ar.h"
#include "simfabric/traffic/fabric_view.h"
#include "support/error.h"
#include "tables/ar.h"

#define NOT_YET 0xFFFEu /* a group that no entry has asked for */

/* A switch whose sets are taken. */
struct taking {
	const struct hd_carried_view *view;
	const struct hd_switch_ar *from;
	uint32_t s;
	unsigned least;                       /* ports of a set */
	uint16_t groups[HD_SWITCH_AR_GROUPS]; /* number in the tables, HD_AR_NO_GROUP or NOT_YET */
};

static bool is_usable(const struct taking *taking, unsigned port)
{
	const struct hd_fabric *fabric = &taking->view->fabric;
	const uint32_t p = hd_port_index(fabric, taking->s, port);

	return taking->view->active ? taking->view->active[p] : fabric->ports[p].peer != HD_NONE;
}

/* The subgroups of @group that have a port. Returns their number. */
static unsigned take_subgroups(const struct taking *taking, uint32_t group,
			       struct hd_port_set *subgroups)
{
	const struct hd_switch_ar *from = taking->from;
	const unsigned n_ports = taking->view->fabric.nodes[taking->s].n_ports;
	struct hd_port_set all = { { 0 } };
	unsigned n = 0;

	for (uint32_t i = 0; i < from->n_subgroups; i++) {
		const uint32_t at = group * from->n_subgroups + i;
		struct hd_port_set *set = &subgroups[n];

		*set = (struct hd_port_set){ { 0 } };
		for (unsigned port = 1; at < from->n_sets && port <= n_ports; port++)
			if (hd_switch_ar_has(from->sets[at], port) && is_usable(taking, port) &&
			    !hd_port_set_has(&all, port))
				hd_port_set_add(set, port);
		hd_port_set_merge(&all, set);
		n += hd_port_set_count(set) > 0;
	}
	return hd_port_set_count(&all) < taking->least ? 0 : n;
}

/* The tables' number of @group; HD_AR_NO_GROUP: it has no port. */
static int take_group(struct taking *taking, uint32_t group, uint16_t *number)
{
	struct hd_port_set subgroups[HD_AR_MAX_SUBGROUPS];
	uint16_t *known = &taking->groups[group];
	int ret = 0;

	if (*known == NOT_YET) {
		const unsigned n = take_subgroups(taking, group, subgroups);

		*known = HD_AR_NO_GROUP;
		if (n)
			ret = hd_ar_intern_subgroups(taking->view->tables->ar, taking->s, subgroups,
						     n, known);
	}
	*number = *known;
	return ret;
}

static enum hd_ar_state state_of(unsigned state)
{
	static const enum hd_ar_state states[] = {
		[HD_SWITCH_AR_BOUNDED] = HD_AR_BOUNDED,
		[HD_SWITCH_AR_FREE] = HD_AR_FREE,
		[HD_SWITCH_AR_STATIC] = HD_AR_STATIC,
		[HD_SWITCH_AR_HASH] = HD_AR_HASH,
	};

	return states[state];
}

/*
 * HBFConfig: the seed, and the fields that packets of traffic have. Without a field, flows are told
 * apart. Random seeds follow from GUIDs, so that runs can be repeated.
 */
static void take_hash(const struct taking *taking)
{
	static const struct {
		uint64_t bits;
		enum hd_ar_hash_field field;
	} fields[] = {
		{ 1u << 0 | 1u << 10, HD_AR_HASH_SOURCE }, /* SLID, SGID */
		{ 1u << 1 | 1u << 11, HD_AR_HASH_LID },    /* DLID, DGID */
		{ 1u << 2, HD_AR_HASH_SL },
		{ 1u << 3, HD_AR_HASH_VL },
		{ 1u << 30, HD_AR_HASH_IN },
	};
	const uint8_t *hbf = taking->from->hbf;
	struct hd_ar_switch *own = &taking->view->tables->ar->switches[taking->s];
	const uint64_t enabled = hd_get64(hbf + HD_SWITCH_AR_HBF_FIELDS);

	own->hash_seed = hd_get32(hbf + HD_SWITCH_AR_HBF_SEED);
	if (hbf[0] & HD_SWITCH_AR_HBF_RANDOM)
		own->hash_seed = (uint32_t)(taking->view->fabric.nodes[taking->s].guid *
						    UINT64_C(0x9E3779B97F4A7C15) >>
					    32);
	if (!enabled)
		return;
	own->hash_fields = 0;
	for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
		if (enabled & fields[i].bits)
			own->hash_fields |= (uint8_t)fields[i].field;
}

static int take_switch(struct taking *taking)
{
	struct hd_tables *tables = taking->view->tables;
	const struct hd_switch_ar *from = taking->from;
	struct hd_ar *ar = tables->ar;

	for (uint32_t i = 0; i < HD_SWITCH_AR_GROUPS; i++)
		taking->groups[i] = NOT_YET;
	ar->switches[taking->s].adaptive_sls = from->by_sl ? from->sls : UINT16_MAX;
	ar->switches[taking->s].hash_sls = from->hash_by_sl ? from->hash_sls : UINT16_MAX;
	take_hash(taking);
	for (uint32_t lid = 0; lid < from->n_entries && lid < tables->lft_stride; lid++) {
		const size_t at = taking->s * tables->lft_stride + lid;

		if (from->entries[lid].state == HD_SWITCH_AR_STATIC)
			continue;
		if (take_group(taking, from->entries[lid].group, &ar->group[at]))
			return HD_ENOMEM;
		if (ar->group[at] != HD_AR_NO_GROUP)
			ar->state[at] = (uint8_t)state_of(from->entries[lid].state);
	}
	return 0;
}

/* The VL2VL rows, which are those of the SL2VL tables then. */
static int take_vl2vl(const struct taking *taking)
{
	struct hd_tables *tables = taking->view->tables;
	const unsigned n = taking->view->fabric.nodes[taking->s].n_ports + 1u;
	int ret = hd_ar_add_vl2vl(tables, taking->s);

	for (unsigned out = 0; out < n && !ret; out++)
		for (unsigned in = 0; in < n; in++)
			tables->ar->switches[taking->s].vl2vl[out * n + in] =
				tables->sl2vl[hd_sl2vl_index(tables, taking->s, in, out)];
	return ret;
}

int hd_carried_view_take_sets(struct hd_carried_view *view, const struct hd_emulator *emulator,
			      unsigned least, struct hd_error *err)
{
	struct taking *taking;
	int ret = 0;

	hd_ar_drop(view->tables);
	view->age = 0;
	hd_for_each_switch(s, emulator->fabric) {
		const struct hd_switch_ar *from = emulator->switches[s].ar;

		if (!from || !(from->is_on || from->by_vl))
			continue;
		if (!view->tables->ar && hd_ar_new(view->tables, err))
			return HD_ENOMEM;
		if (from->is_on && from->age > view->age)
			view->age = from->age;
	}
	if (!view->tables->ar)
		return 0;
	taking = malloc(sizeof(*taking));
	if (!taking)
		return hd_error_nomem(err);
	taking->view = view;
	taking->least = least;
	for (uint32_t s = 0; s < emulator->fabric->n_switches && !ret; s++) {
		taking->from = emulator->switches[s].ar;
		taking->s = s;
		if (taking->from && ((taking->from->by_vl && take_vl2vl(taking)) ||
				     (taking->from->is_on && take_switch(taking))))
			ret = hd_error_nomem(err);
	}
	free(taking);
	return ret;
}

static bool same_groups(const struct hd_ar_groups *a, const struct hd_ar_groups *b)
{
	return a->n == b->n &&
	       (!a->n ||
		(memcmp(a->first, b->first, (a->n + 1) * sizeof(*a->first)) == 0 &&
		 memcmp(a->subgroups, b->subgroups, a->first[a->n] * sizeof(*a->subgroups)) == 0));
}

bool hd_carried_view_same_sets(const struct hd_carried_view *one,
			       const struct hd_carried_view *other)
{
	const struct hd_ar *a = one->tables->ar, *b = other->tables->ar;
	const size_t n = one->fabric.n_switches * one->tables->lft_stride;

	if (!a || !b)
		return !a && !b;
	if (one->age != other->age || one->tables->lft_stride != other->tables->lft_stride ||
	    memcmp(a->state, b->state, n * sizeof(*a->state)) != 0 ||
	    memcmp(a->group, b->group, n * sizeof(*a->group)) != 0)
		return false;
	/* groups are numbered in the order of entries, so that equal ones have equal numbers */
	hd_for_each_switch(s, &one->fabric)
		if (!same_groups(&a->groups[s], &b->groups[s]) ||
		    a->switches[s].adaptive_sls != b->switches[s].adaptive_sls ||
		    a->switches[s].hash_sls != b->switches[s].hash_sls ||
		    a->switches[s].hash_seed != b->switches[s].hash_seed ||
		    a->switches[s].hash_fields != b->switches[s].hash_fields ||
		    !a->switches[s].vl2vl != !b->switches[s].vl2vl)
			return false;
	return true;
}
